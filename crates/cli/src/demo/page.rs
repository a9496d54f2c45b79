//! One page that shows everything the demo made, with its pictures inside, so that it can be handed on alone.

use super::cleanup::Change;
use super::plans::{PlanWalk, ReadBack};
use super::{CleanupFindings, CleanupPart};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt::Write;

const HEAD: &str = r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Surefoot demo</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 1100px; padding: 0 1em; color: #222; }
img { max-width: 100%; border: 1px solid #ddd; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { padding: 0.25em 0.9em; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; }
h2 { margin-top: 2em; }
</style>
</head>
<body>
<h1>Surefoot demo</h1>
"#;

/// The page.
pub(super) fn to_html(plans: &[(&PlanWalk, &ReadBack)], cleanup: Option<(&CleanupPart, &CleanupFindings)>) -> String {
    let mut page = HEAD.to_string();
    if !plans.is_empty() {
        page += "<p>Foot plans that became walks. Placement is the farthest of any ball from its footprint over its whole plant, \
                 measured in the BVH that was read back.</p>\n";
        page += "<table>\n<tr><th>plan</th><th>steps</th><th>seconds</th><th>made</th><th>placement, mm</th>\
                 <th>drift, mm</th><th>missed</th></tr>\n";
        for (walk, back) in plans {
            let _ = writeln!(
                page,
                "<tr><td><a href=\"#{name}\">{name}</a></td><td>{}</td><td>{:.1}</td><td>{}</td><td>{:.4}</td>\
                 <td>{:.4}</td><td>{}</td></tr>",
                walk.demo.plan.footprints.len() - 2,
                walk.seconds(),
                walk.ways(),
                back.placement,
                back.drift,
                back.n_missed,
                name = walk.demo.name,
            );
        }
        page += "</table>\n";
    }
    for (walk, _) in plans {
        let name = walk.demo.name;
        let _ = writeln!(page, "<h2 id=\"{name}\">{name}</h2>\n<p>{}</p>", walk.demo.what);
        for ending in ["-strobe.png", "-sheet.png"] {
            picture(&mut page, &walk.file(ending), "image/png", walk.bytes(ending));
        }
        links(&mut page, walk.files.iter().map(|(file, _)| file.as_str()));
    }
    if let Some((part, findings)) = cleanup {
        cleanup_section(&mut page, part, findings);
    }
    page + "</body>\n</html>\n"
}

fn cleanup_section(page: &mut String, part: &CleanupPart, findings: &CleanupFindings) {
    *page += "<h2 id=\"cleanup\">cleanup</h2>\n<p>A walk that was made to skate, its plants detected and put right; measured in the \
              BVH that was read back.</p>\n<table>\n<tr><th>figure</th><th>skating</th><th>cleaned</th><th></th></tr>\n";
    for Change { before, after } in &findings.changes {
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{:.4}</td><td>{:.4}</td><td>{}</td></tr>",
            after.name(),
            before.shown(),
            after.shown(),
            after.unit()
        );
    }
    *page += "</table>\n";
    let files = || part.files.iter().chain(&part.cleanup.files);
    for (name, bytes) in files() {
        match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("png") => picture(page, name, "image/png", bytes),
            Some("svg") => picture(page, name, "image/svg+xml", bytes),
            _ => {}
        }
    }
    links(page, files().map(|(name, _)| name.as_str()));
}

fn picture(page: &mut String, name: &str, kind: &str, bytes: &[u8]) {
    let _ = writeln!(page, "<p><img alt=\"{name}\" src=\"data:{kind};base64,{}\"></p>", STANDARD.encode(bytes));
}

fn links<'a>(page: &mut String, names: impl Iterator<Item = &'a str>) {
    let links: Vec<String> = names.map(|name| format!("<a href=\"{name}\">{name}</a>")).collect();
    let _ = writeln!(page, "<p>{}</p>", links.join(" · "));
}
