//! Reports of walks through motion graphs: what `surefoot graph follow --json` prints, read back for the effort of its search.
//!
//! ```json
//! { "surefoot": 1, "command": "graph follow", "result": { "tried": 48211, "search_seconds": 0.012, ... } }
//! ```
//!
//! Other fields of the report are not looked at.

use super::fields::Field;
use super::json::parse_json;
use crate::{ErrorKind, ReadError};
use surefoot_contact::metrics::SearchEffort;

/// The command whose report it is.
const COMMAND: &str = "graph follow";
/// More than any search tries.
const MAX_TRIED: f64 = 1e15;

/// The effort of the search that a report has.
pub fn read_walk_report(bytes: &[u8]) -> Result<SearchEffort, ReadError> {
    let tree = parse_json(bytes)?;
    let root = Field::root(&tree);
    let command = root.required("command", "\"command\": \"graph follow\"")?;
    if command.text()? != COMMAND {
        let message = format!("found the report of `{}`, needs that of `{COMMAND}`", command.text()?);
        return Err(command.error(ErrorKind::Format, message));
    }
    let result = root.required("result", "\"result\": { \"tried\": 48211 }")?;
    let tried = result.required("tried", "\"tried\": 48211")?;
    let count = tried.number()?;
    if !(0.0..=MAX_TRIED).contains(&count) || count.fract() != 0.0 {
        return Err(tried.error(ErrorKind::Type, format!("found {count}, needs a whole number, 0 or more")));
    }
    let seconds = match result.optional("search_seconds") {
        Some(field) => {
            let seconds = field.number()?;
            if seconds < 0.0 {
                return Err(field.error(ErrorKind::OutOfRange, format!("found {seconds}, needs 0 seconds or more")));
            }
            Some(seconds)
        }
        None => None,
    };
    Ok(SearchEffort { tried: count as u64, seconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<SearchEffort, String> {
        read_walk_report(text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_effort_is_read_and_other_reports_are_refused() {
        let report = r#"{ "surefoot": 1, "command": "graph follow", "result": { "tried": 12, "search_seconds": 0.5, "frames": 3 } }"#;
        assert_eq!(read(report), Ok(SearchEffort { tried: 12, seconds: Some(0.5) }));
        let without_time = r#"{ "command": "graph follow", "result": { "tried": 12 } }"#;
        assert_eq!(read(without_time), Ok(SearchEffort { tried: 12, seconds: None }));
        for (text, expected) in [
            (r#"{ "command": "measure", "result": {} }"#, "report of `measure`"),
            (r#"{ "command": "graph follow", "result": {} }"#, "tried"),
            (r#"{ "command": "graph follow", "result": { "tried": 1.5 } }"#, "found 1.5"),
            (r#"{ "command": "graph follow", "result": { "tried": 1, "search_seconds": -1 } }"#, "found -1"),
            (r#"{ "path": 1, "points": [[0, 0], [0, 1]] }"#, "command"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
