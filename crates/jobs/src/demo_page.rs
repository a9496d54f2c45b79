//! One page that shows everything the demo made, with its pictures inside, so that it can be handed on alone.

use crate::demo_job::{DemoFile, DemoWalkReport, bytes_of};
use crate::demo_walks::DemoWalk;
use crate::metric_row::MetricChange;
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
pub(crate) fn demo_page(
    plans: &[(&DemoWalk, &DemoWalkReport)],
    cleanup: Option<(&[&DemoFile], &[MetricChange])>,
) -> String {
    let mut page = HEAD.to_string();
    if !plans.is_empty() {
        page += "<p>Foot plans that became walks. Placement is the farthest of any ball from its footprint over its complete plant, \
                 measured in the BVH that was read back.</p>\n";
        page += "<table>\n<tr><th>plan</th><th>steps</th><th>seconds</th><th>verdict</th><th>steps made</th><th>placement, mm</th>\
                 <th>drift, mm</th><th>missed</th></tr>\n";
        for (walk, back) in plans {
            let _ = writeln!(
                page,
                "<tr><td><a href=\"#{name}\">{name}</a></td><td>{}</td><td>{:.1}</td><td>{}</td><td>{}</td><td>{:.4}</td>\
                 <td>{:.4}</td><td>{}</td></tr>",
                back.synthesis.steps,
                back.synthesis.seconds,
                back.synthesis.verdict.grade.name(),
                back.synthesis.origins_in_words(),
                back.largest_placement_error_in_file_mm,
                back.largest_drift_in_file_mm,
                back.unmet_in_file,
                name = walk.demo.name,
            );
        }
        page += "</table>\n";
    }
    for (walk, _) in plans {
        let name = walk.demo.name;
        let _ = writeln!(page, "<h2 id=\"{name}\">{name}</h2>\n<p>{}</p>", walk.demo.what);
        for ending in ["-strobe.png", "-sheet.png"] {
            picture(&mut page, &walk.file(ending), "image/png", bytes_of(&walk.files, &walk.file(ending)));
        }
        links(&mut page, walk.files.iter().map(|(file, _)| file.as_str()));
    }
    if let Some((files, changes)) = cleanup {
        cleanup_section(&mut page, files, changes);
    }
    page + "</body>\n</html>\n"
}

fn cleanup_section(page: &mut String, files: &[&DemoFile], changes: &[MetricChange]) {
    *page += "<h2 id=\"cleanup\">cleanup</h2>\n<p>A walk that was made to skate, its plants detected and put right; measured in the \
              BVH that was read back.</p>\n<table>\n<tr><th>metric</th><th>skating</th><th>cleaned</th><th></th></tr>\n";
    for change in changes {
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{:.4}</td><td>{:.4}</td><td>{}</td></tr>",
            change.name,
            change.before.unwrap_or(f64::NAN),
            change.after,
            change.unit
        );
    }
    *page += "</table>\n";
    for (name, bytes) in files {
        match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("png") => picture(page, name, "image/png", bytes),
            Some("svg") => picture(page, name, "image/svg+xml", bytes),
            _ => {}
        }
    }
    links(page, files.iter().map(|(name, _)| name.as_str()));
}

fn picture(page: &mut String, name: &str, kind: &str, bytes: &[u8]) {
    let _ = writeln!(page, "<p><img alt=\"{name}\" src=\"data:{kind};base64,{}\"></p>", STANDARD.encode(bytes));
}

fn links<'a>(page: &mut String, names: impl Iterator<Item = &'a str>) {
    let links: Vec<String> = names.map(|name| format!("<a href=\"{name}\">{name}</a>")).collect();
    let _ = writeln!(page, "<p>{}</p>", links.join(" · "));
}
