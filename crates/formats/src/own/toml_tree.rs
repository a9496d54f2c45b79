//! From TOML to a tree of values with their lines.
//!
//! The toml crate parses and keeps byte ranges; nesting is bounded by its own limit, so the walk over its result is too.

use super::text::{Lines, text_of};
use super::tree::{Entry, Node, Value, stored_line};
use crate::{ErrorKind, ReadError};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Reads a TOML file.
pub(super) fn parse_toml(bytes: &[u8]) -> Result<Node, ReadError> {
    let text = text_of(bytes)?;
    let lines = Lines::of(text);
    let root = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| lines.line_at(span.start));
        let reason = error.message().replace('\n', ", ");
        ReadError::at(ErrorKind::Syntax, line, format!("no TOML: {reason}"))
    })?;
    Ok(Node { line: 1, value: table(root.get_ref(), &lines) })
}

fn table(table: &DeTable<'_>, lines: &Lines) -> Value {
    let mut entries: Vec<(usize, Entry)> = table
        .iter()
        .map(|(name, value)| {
            let (start, node) = (name.span().start, node(value, lines));
            let line = stored_line(lines.line_at(start));
            (start, Entry { name: name.get_ref().as_ref().into(), line, node })
        })
        .collect();
    // The toml crate sorts by name; errors shall come in file order.
    entries.sort_by_key(|&(start, _)| start);
    Value::Table(entries.into_iter().map(|(_, entry)| entry).collect())
}

fn node(spanned: &Spanned<DeValue<'_>>, lines: &Lines) -> Node {
    let value = match spanned.get_ref() {
        DeValue::String(text) => Value::Text(text.as_ref().into()),
        DeValue::Integer(integer) => Value::Number(integer_value(integer.as_str(), integer.radix())),
        DeValue::Float(float) => Value::Number(float.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(answer) => Value::Bool(*answer),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(items) => Value::List(items.iter().map(|item| node(item, lines)).collect()),
        DeValue::Table(inner) => table(inner, lines),
    };
    Node { line: stored_line(lines.line_at(spanned.span().start)), value }
}

/// An integer of any size as the nearest double.
fn integer_value(digits: &str, radix: u32) -> f64 {
    match radix {
        10 => digits.parse().unwrap_or(f64::NAN),
        _ => i64::from_str_radix(digits, radix).map_or(f64::INFINITY, |integer| integer as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_lines_in_file_order() {
        let root = parse_toml(b"b = 1\na = [\n 2.5,\n \"x\"]\n[t]\nk = true\n").unwrap();
        let Value::Table(entries) = &root.value else { panic!("a table") };
        let places: Vec<(&str, u32)> = entries.iter().map(|entry| (&*entry.name, entry.line)).collect();
        assert_eq!(places, [("b", 1), ("a", 2), ("t", 5)]);
        let Value::List(items) = &entries[1].node.value else { panic!("a list") };
        assert_eq!(items.iter().map(|item| item.line).collect::<Vec<_>>(), [3, 4]);
    }

    #[test]
    fn broken_toml_names_its_line() {
        for (text, line) in [("a = 1\nb = ", 2), ("a = 1\na = 2", 2), ("a = 1\n\n[t\n", 3), ("x = \"", 1)] {
            let error = parse_toml(text.as_bytes()).unwrap_err();
            assert_eq!((error.kind, error.line), (ErrorKind::Syntax, Some(line)), "{error}");
        }
    }

    #[test]
    fn deep_nesting_is_refused_on_a_small_stack() {
        let deep = |open: &str, close: &str| format!("a = {}{}", open.repeat(20_000), close.repeat(20_000));
        let texts = [deep("[", "]"), deep("{a=", "}"), format!("{} = 1", vec!["a"; 20_000].join("."))];
        for text in texts {
            let work = move || assert!(parse_toml(text.as_bytes()).is_err());
            std::thread::Builder::new().stack_size(256 * 1024).spawn(work).unwrap().join().unwrap();
        }
    }
}
