//! Every odd and broken file of the shared collection behaves as its manifest says.
use std::collections::HashMap;
use std::path::PathBuf;
use surefoot_formats::{ReadError, Warning, bvh};

type Row = HashMap<String, String>;

fn shared() -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("SUREFOOT_SHARED") else {
        eprintln!("skipped: SUREFOOT_SHARED names no folder");
        return None;
    };
    Some(PathBuf::from(folder))
}

struct Read {
    facts: HashMap<&'static str, String>,
    warnings: Vec<Warning>,
}

fn read(_row: &Row, bytes: &[u8]) -> Result<Read, ReadError> {
    let file = bvh::read_bvh(bytes)?;
    let mut facts = HashMap::new();
    facts.insert("roots", file.n_roots().to_string());
    facts.insert("joints", file.joints.len().to_string());
    facts.insert("endsites", file.end_sites.len().to_string());
    facts.insert("channels", file.width().to_string());
    facts.insert("frames", file.n_frames.to_string());
    let _doc = file.clone().into_document();
    Ok(Read { facts, warnings: file.warnings })
}

#[test]
fn bad() {
    let Some(shared) = shared() else { return };
    let folder = shared.join("badfiles");
    let mut reader = csv::Reader::from_path(folder.join("MANIFEST.csv")).unwrap();
    let mut bad = 0;
    for row in reader.deserialize::<Row>() {
        let row = row.unwrap();
        if row["format"] != "bvh" {
            continue;
        }
        let bytes = std::fs::read(folder.join(&row["file"])).unwrap();
        let result = read(&row, &bytes);
        let mut say = Vec::new();
        match (&result, row["expect"].as_str()) {
            (Ok(r), "ok" | "either") => {
                for fact in row["facts"].split(';').filter(|f| !f.is_empty()) {
                    let (k, v) = fact.split_once('=').unwrap();
                    if let Some(have) = r.facts.get(k)
                        && have != v
                    {
                        say.push(format!("{k}: {have} not {v}"));
                    }
                }
                if !row["warning"].is_empty() && !r.warnings.iter().any(|w| w.code == row["warning"]) {
                    say.push(format!("no warning {}", row["warning"]));
                }
                if row["warning"].is_empty() && row["expect"] == "ok" && !r.warnings.is_empty() {
                    say.push(format!("warns {:?}", r.warnings));
                }
            }
            (Err(e), "error" | "either") => {
                if e.kind.code() != row["error_kind"] {
                    say.push(format!("kind {} not {} ({e})", e.kind.code(), row["error_kind"]));
                }
                if !row["line"].is_empty() && e.line.map(|l| l.to_string()).as_deref() != Some(row["line"].as_str()) {
                    say.push(format!("line {:?} not {} {e}", e.line, row["line"]));
                }
            }
            (Ok(_), _) => say.push("accepted".into()),
            (Err(e), _) => say.push(format!("refused {e}")),
        }
        if !say.is_empty() {
            bad += 1;
            println!("{}: {say:?} [{}]", row["file"], row["note"]);
        }
    }
    println!("{bad} bad");
}
