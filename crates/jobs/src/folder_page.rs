//! The report of a folder for people: one page with a table, the worst motion first.

use crate::folder_job::{ClipRow, ClipState, FolderReport};
use std::fmt::Write;

const HEAD: &str = r#"<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 1400px; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { padding: 0.25em 0.9em; text-align: right; border-bottom: 1px solid #ddd; vertical-align: top; }
th:first-child, td:first-child, td:last-child, th:last-child { text-align: left; }
.failed { background: #fbe3e0; }
.not-met { background: #fdf3d6; }
</style>
</head>
<body>
"#;

/// The page.
pub(crate) fn folder_page(command: &str, report: &FolderReport) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>surefoot {}</title>\n{HEAD}<h1>surefoot {}</h1>\n<p>{} motions of {}: {} done",
        text(command),
        text(command),
        report.clips,
        text(&report.input),
        report.done
    );
    for (n, what) in
        [(report.resumed, "of them before"), (report.failed, "failed"), (report.not_met, "not as requested")]
    {
        if n > 0 {
            let _ = write!(page, ", {n} {what}");
        }
    }
    page += ". The worst first.</p>\n<table>\n<tr><th>motion</th>";
    let names = report.worst_first.iter().find(|row| !row.figures.is_empty());
    let names: Vec<&str> = names.map_or_else(Vec::new, |row| row.figures.iter().map(|f| f.name.as_str()).collect());
    for name in &names {
        let _ = write!(page, "<th>{}</th>", text(name));
    }
    page += "<th>to look at</th></tr>\n";
    for row in &report.worst_first {
        add_row(&mut page, row, &names);
    }
    page + "</table>\n</body>\n</html>\n"
}

fn add_row(page: &mut String, row: &ClipRow, names: &[&str]) {
    let class = match row.state {
        ClipState::Failed => " class=\"failed\"",
        ClipState::NotMet => " class=\"not-met\"",
        ClipState::Done => "",
    };
    let name = match row.files.first() {
        Some(file) => format!("<a href=\"{}\">{}</a>", link(file), text(&row.clip)),
        None => text(&row.clip),
    };
    let _ = write!(page, "<tr{class}><td>{name}</td>");
    for name in names {
        let value = row.figures.iter().find(|figure| figure.name == *name).map(|figure| figure.value);
        let shown = value.map_or(String::new(), |value| match value.fract() == 0.0 {
            true => format!("{value:.0}"),
            false => format!("{value:.3}"),
        });
        let _ = write!(page, "<td>{shown}</td>");
    }
    let error = row.error.as_ref().map(ToString::to_string);
    let notes: Vec<String> = error.iter().chain(&row.warnings).map(|note| text(note)).collect();
    let _ = writeln!(page, "<td>{}</td></tr>", notes.join("<br>"));
}

/// Text that names and messages of files cannot turn into markup.
fn text(raw: &str) -> String {
    raw.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A path as a link: what is no plain character is escaped.
fn link(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte);
    let escaped = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.replace('\\', "/").bytes().map(escaped).collect()
}
