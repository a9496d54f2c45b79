//! Gates: `*.toml`, version 1: limits on the metrics of a measurement.
//!
//! ```toml
//! gate = 1
//! [limits]
//! drift_max = 0.01                                    # at most; in the metric's own unit, here mm
//! penetration_max = "5 mm"                            # the same with the unit, which must be the metric's own
//! plants = { min = 4 }
//! leg_extension_max = { min = 90, max = 101 }
//! knee_acceleration_p99 = { times_reference = 1.1 }   # at most 1.1 times the reference's own
//! ```
//!
//! A plain number or text is a maximum. Metrics are named as `surefoot measure` names them, and numbers are in the unit that it
//! shows them in. A file without a limit is refused: a gate that cannot fail is none.

use super::fields::{Field, shortened};
use super::toml_tree::parse_toml;
use crate::{ErrorKind, ReadError};
use surefoot_contact::{metrics::Definition, metrics::Gate, metrics::Limit};
use surefoot_contact::{metrics::catalogue::CATALOGUE, metrics::catalogue::find_metric};
use surefoot_motion::closest_names;

const VERSION: u32 = 1;

/// Limits past this are slips of the keyboard.
const MAX_LIMIT: f64 = 1e15;

/// How many names are offered for one that does not exist, before all of them.
const N_CLOSEST: usize = 3;

/// Reads a gate.
pub fn read_gate(bytes: &[u8]) -> Result<Gate, ReadError> {
    let tree = parse_toml(bytes)?;
    let root = Field::root(&tree);
    root.expect_version("gate", VERSION, "gate = 1")?;
    root.expect_object(&["gate", "limits"])?;
    let table = root.required("limits", "[limits] with drift_max = 0.01")?;
    let mut limits = Vec::new();
    for (name, line) in table.names("a table with limits such as drift_max = 0.01")? {
        let metric = find_metric(name).ok_or_else(|| unknown(name, line))?;
        let field = table.required(name, "drift_max = 0.01")?;
        limits.push(read_limit(&field, metric)?);
    }
    if limits.is_empty() {
        let message = "there is no limit, so nothing could fail; such as drift_max = 0.01";
        return Err(table.error(ErrorKind::MissingField, message));
    }
    Ok(Gate { limits })
}

fn unknown(name: &str, line: usize) -> ReadError {
    let names = || CATALOGUE.iter().map(|metric| metric.name);
    let nearest = closest_names(name, names(), N_CLOSEST).join(", ");
    let all = names().collect::<Vec<_>>().join(", ");
    let name = shortened(name);
    let message = format!("limits: there is no metric `{name}`; the closest are {nearest}; all are {all}");
    ReadError::at(ErrorKind::UnknownField, line, message)
}

fn read_limit(field: &Field<'_>, metric: &'static Definition) -> Result<Limit, ReadError> {
    let none = Limit { metric, min: None, max: None, times_reference: None };
    if !field.is_table() {
        return Ok(Limit { max: Some(read_amount(field, metric)?), ..none });
    }
    field.expect_object(&["min", "max", "times_reference"])?;
    let amount = |name: &str| field.optional(name).map(|field| read_amount(&field, metric)).transpose();
    let limit = Limit {
        min: amount("min")?,
        max: amount("max")?,
        times_reference: field.optional("times_reference").map(|field| read_times(&field)).transpose()?,
        ..none
    };
    if limit.min.is_none() && limit.max.is_none() && limit.times_reference.is_none() {
        return Err(field.error(ErrorKind::MissingField, "needs `min`, `max` or `times_reference`"));
    }
    if limit.min.zip(limit.max).is_some_and(|(min, max)| min > max) {
        return Err(field.error(ErrorKind::OutOfRange, "`min` is above `max`, so nothing could pass"));
    }
    Ok(limit)
}

fn read_times(field: &Field<'_>) -> Result<f64, ReadError> {
    let times = field.number_within(MAX_LIMIT, "times")?;
    if times < 0.0 {
        return Err(field.error(ErrorKind::OutOfRange, format!("{times} times; a positive number such as 1.1")));
    }
    Ok(times)
}

/// A number in the metric's own unit, or text of one with that unit behind it.
fn read_amount(field: &Field<'_>, metric: &Definition) -> Result<f64, ReadError> {
    let unit = metric.unit.name();
    if !field.is_text() {
        return field.number_within(MAX_LIMIT, unit);
    }
    let text = field.text()?;
    let number = text.trim().strip_suffix(unit).map(str::trim_end).and_then(|number| number.parse::<f64>().ok());
    number.filter(|number| number.abs() <= MAX_LIMIT).ok_or_else(|| {
        let message = format!("found \"{}\", needs a number, or one with its unit: \"0.5 {unit}\"", shortened(text));
        field.error(ErrorKind::Type, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(name: &str) -> Limit {
        Limit { metric: find_metric(name).unwrap(), min: None, max: None, times_reference: None }
    }

    #[test]
    fn every_way_to_write_a_limit_is_read() {
        let text = "gate = 1\n[limits]\ndrift_max = 0.01\npenetration_max = \"5 mm\"\nplants = { min = 4 }\n\
                    leg_extension_max = { min = 90, max = \"101%\" }\nnpss = \" 1.5 \"\n\
                    knee_acceleration_p99.times_reference = 1.1\n";
        let expected = [
            Limit { max: Some(0.01), ..limit("drift_max") },
            Limit { max: Some(5.0), ..limit("penetration_max") },
            Limit { min: Some(4.0), ..limit("plants") },
            Limit { min: Some(90.0), max: Some(101.0), ..limit("leg_extension_max") },
            Limit { max: Some(1.5), ..limit("npss") },
            Limit { times_reference: Some(1.1), ..limit("knee_acceleration_p99") },
        ];
        assert_eq!(read_gate(text.as_bytes()).unwrap().limits, expected);
    }

    #[test]
    fn what_is_no_gate_is_reported_with_its_line() {
        for (text, kind, line, part) in [
            ("gate = 1\n[limits]\ndrift_mx = 1", ErrorKind::UnknownField, 3, "the closest are drift_max"),
            ("gate = 1\n[limits]\ndrift_mx = 1", ErrorKind::UnknownField, 3, "all are graph_skate_total, "),
            ("gate = 1", ErrorKind::MissingField, 1, "`limits` is missing"),
            ("gate = 1\n[limits]\n", ErrorKind::MissingField, 2, "nothing could fail"),
            ("gate = 1\nlimits = 3", ErrorKind::Type, 2, "a table with limits"),
            ("[limits]\ndrift_max = 1", ErrorKind::MissingField, 1, "gate = 1"),
            ("gate = 2\n[limits]\ndrift_max = 1", ErrorKind::Version, 1, "version 2"),
            ("body = 1\n", ErrorKind::MissingField, 1, "this is a body map"),
            ("gate = 1\n[limits]\ndrift_max = true", ErrorKind::Type, 3, "needs a number"),
            ("gate = 1\n[limits]\ndrift_max = \"1 cm\"", ErrorKind::Type, 3, "\"0.5 mm\""),
            ("gate = 1\n[limits]\ndrift_max = \"nan mm\"", ErrorKind::Type, 3, "\"0.5 mm\""),
            ("gate = 1\n[limits]\ndrift_max = inf", ErrorKind::Nonfinite, 3, "finite"),
            ("gate = 1\n[limits]\ndrift_max = {}", ErrorKind::MissingField, 3, "`times_reference`"),
            ("gate = 1\n[limits]\ndrift_max = { mx = 1 }", ErrorKind::UnknownField, 3, "did you mean `max`?"),
            ("gate = 1\n[limits]\ndrift_max = { min = 2, max = 1 }", ErrorKind::OutOfRange, 3, "nothing could pass"),
            ("gate = 1\n[limits]\ndrift_max = { times_reference = -1 }", ErrorKind::OutOfRange, 3, "positive"),
        ] {
            let error = read_gate(text.as_bytes()).unwrap_err();
            assert_eq!((error.kind, error.line), (kind, Some(line)), "{text}: {error}");
            assert!(error.message.contains(part), "{text}: {error}");
        }
    }
}
