//! The files of the page, embedded.

use surefoot::viewer;

macro_rules! files {
    ($($name:literal)+) => { &[$(($name, include_str!(concat!("../web/", $name)))),+] };
}

/// Names and sources of the studio's own modules; each imports others as `studio/NAME`, the viewer's as `surefoot/NAME`.
const MODULES: &[(&str, &str)] = files! {
    "app.js" "commands.js" "connection.js" "contact_ranges.js" "contact_track.js" "correspondence_track.js"
    "diagram.js" "dialogs.js" "drag_limbs.js" "drag_prints.js" "file_choice.js" "files.js" "gait_request.js"
    "graph_picture.js" "kept.js" "live_job.js" "motion_exports.js" "panel_cleanup.js" "panel_crowd.js" "panel_database.js"
    "panel_gait.js" "panel_plan.js" "panel_scene.js" "panel_signal.js" "panels.js" "picking.js" "plan_edits.js"
    "plan_findings.js" "plan_model.js" "plan_timeline.js" "scene_model.js" "scene_tool.js" "signal_request.js"
    "step_space.js" "track_bar.js" "view.js" "widgets.js"
};
const STYLE: &str = include_str!("../web/studio.css");
const PAGE: &str = include_str!("../web/studio.html");

/// A file of the page with its MIME type; `name` is `studio/app.js`, `surefoot/stage.js`, `style.css`.
pub(crate) fn asset(name: &str) -> Option<(&'static str, &'static str)> {
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    const SHEET: &str = "text/css; charset=utf-8";
    let of = |list: &[(&str, &'static str)], name: &str| {
        list.iter().find(|(known, _)| *known == name).map(|(_, source)| (*source, SCRIPT))
    };
    match name.split_once('/') {
        Some(("studio", module)) => of(MODULES, module),
        Some(("surefoot", module)) => of(viewer::MODULES, module),
        _ if name == "viewer.css" => Some((viewer::STYLE, SHEET)),
        _ if name == "studio.css" => Some((STYLE, SHEET)),
        _ => None,
    }
}

/// The page; `nonce` lets its import map run.
pub(crate) fn page(nonce: &str) -> String {
    let map = |prefix: &str, list: &[(&str, &str)]| {
        let entry = |(name, _): &(&str, &str)| format!("\"{prefix}/{name}\":\"./web/{prefix}/{name}\"");
        list.iter().map(entry).collect::<Vec<_>>().join(",")
    };
    let imports = format!("{{\"imports\":{{{},{}}}}}", map("studio", MODULES), map("surefoot", viewer::MODULES));
    PAGE.replace("{{nonce}}", nonce).replace("{{imports}}", &imports).replace("{{transport}}", viewer::TRANSPORT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_module_of_the_page_is_embedded() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
        let files = std::fs::read_dir(folder).expect("the page").flatten();
        let mut modules: Vec<String> = files.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
        modules.retain(|name| name.ends_with(".js"));
        modules.sort();
        assert_eq!(MODULES.iter().map(|(name, _)| *name).collect::<Vec<_>>(), modules);
    }
}
