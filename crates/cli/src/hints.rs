//! Which option helps: the library reports what was found, the command adds what to type.

use surefoot::jobs::DiagnosticReport;

/// A diagnostic with the option that answers it.
pub(crate) fn with_hint(diagnostic: &DiagnosticReport) -> String {
    let DiagnosticReport { code, detail, message } = diagnostic;
    let hint = match code.as_str() {
        "outlier_frame" => "--keep-first keeps it".to_string(),
        "no_body" | "no_feet" => "--body names the joints".to_string(),
        "left_right_swapped" => "--body overrides that".to_string(),
        "units" | "unit_implausible" => "--unit gives another".to_string(),
        "up_axis" => "--up gives another".to_string(),
        "floor" => "--floor auto moves the motion there".to_string(),
        "frame_rate" => format!("--source-rate {detail} takes it"),
        "cadence_implausible" => "--source-rate gives another".to_string(),
        _ => return message.clone(),
    };
    format!("{message}; {hint}")
}

/// The option that answers an error, by its kind.
pub(crate) fn for_error(kind: &str) -> Option<&'static str> {
    match kind {
        "no_skeleton" => Some("--asf names it"),
        "exists" => Some("--force replaces it"),
        "no_animation" => Some("--animation chooses one"),
        _ => None,
    }
}
