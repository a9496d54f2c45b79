//! From JSON to a tree of values with their lines.
//!
//! serde_json judges the grammar, but its values do not know where they stood. So:
//! 1. serde_json reads the text and keeps nothing; any error of grammar ends here, with its line.
//! 2. One pass over the text, known to be good JSON, builds the tree with an explicit stack: no recursion, and nothing is
//!    allocated ahead of the bytes that ask for it.
//!
//! Departures from JSON: a name twice in one object and nesting past [`MAX_DEPTH`] are errors too. `NaN`, `Infinity` and the
//! like, which JSON does not have but programs write, are values of their own: whoever reads the field refuses them and
//! names the field, which an error of grammar could not.

use super::text::{Lines, text_of};
use super::tree::{Entry, Node, Value, repeated, stored_line};
use crate::{ErrorKind, ReadError};

/// Our files nest four levels; the rest of the allowance is for error messages that name the field instead.
const MAX_DEPTH: usize = 64;

/// Reads a JSON file.
pub(super) fn parse_json(bytes: &[u8]) -> Result<Node, ReadError> {
    let text = text_of(bytes)?;
    let build = |text| Builder { text, at: 0, lines: Lines::of(text), open: Vec::new() }.build();
    match check_grammar(text) {
        Ok(()) => build(text),
        Err(error) => {
            let replaced = replace_nonfinite(text);
            if check_grammar(&replaced).is_ok() { build(&replaced) } else { Err(error) }
        }
    }
}

/// Words that programs write where a number is not finite, but for their sign.
const NONFINITE: [&str; 5] = ["NaN", "nan", "Infinity", "inf", "Inf"];

/// What stands for them in the text that is read: good JSON, and no number that a double holds.
const NONFINITE_MARK: &str = "1e9999";

/// The text with [`NONFINITE_MARK`] in place of every word of [`NONFINITE`] outside of quotes. Lines stay the same.
fn replace_nonfinite(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => quoted_length(rest.as_bytes()),
            c if is_word_end(c) => c.len_utf8(),
            _ => rest.find(is_word_end).unwrap_or(rest.len()),
        };
        let (piece, after) = rest.split_at(rest.ceil_char_boundary(length));
        let unsigned = piece.strip_prefix('-').unwrap_or(piece);
        if NONFINITE.contains(&unsigned) {
            out.push_str(&piece[..piece.len() - unsigned.len()]);
            out.push_str(NONFINITE_MARK);
        } else {
            out.push_str(piece);
        }
        rest = after;
    }
    out
}

/// Bytes of a text in quotes that begins here, to the closing quote or the end.
fn quoted_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    while bytes.get(at).is_some_and(|&byte| byte != b'"') {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

fn is_word_end(c: char) -> bool {
    c.is_whitespace() || "{}[],:\"".contains(c)
}

fn check_grammar(text: &str) -> Result<(), ReadError> {
    serde_json::from_str::<serde::de::IgnoredAny>(text).map(|_| ()).map_err(|error| {
        let found = word_at(text, error.line(), error.column());
        let place = if found.is_empty() { String::new() } else { format!(" near `{found}`") };
        let message = format!("no JSON{place}: {}", reason_of(&error, &found));
        ReadError::at(ErrorKind::Json, error.line().max(1), message)
    })
}

/// serde_json's reason without the place, which our own error states in its own words; plainer where people trip most often.
fn reason_of(error: &serde_json::Error, found: &str) -> String {
    let reason = error.to_string();
    let reason = reason.split(" at line ").next().unwrap_or_default();
    if error.is_eof() {
        "the file ends too early".to_string()
    } else if matches!(found, "}" | "]") && (reason.contains("trailing comma") || reason.contains("key must be")) {
        "leave out the comma before it".to_string()
    } else if NONFINITE.contains(&found.trim_start_matches('-')) {
        "it is no number of JSON; give a finite one".to_string()
    } else {
        reason.to_string()
    }
}

/// The word at a place that serde_json names: a 1-based line, and a 1-based byte of it.
fn word_at(text: &str, line: usize, column: usize) -> String {
    let line = text.split('\n').nth(line.saturating_sub(1)).unwrap_or_default();
    let at = line.floor_char_boundary(column.saturating_sub(1));
    if let Some(mark) = line[at..].chars().next().filter(|&c| is_word_end(c)) {
        return mark.to_string().trim().to_string();
    }
    let start = line[..at].rfind(is_word_end).map_or(0, |before| line.ceil_char_boundary(before + 1));
    line[start..].split(is_word_end).next().unwrap_or_default().chars().take(MAX_QUOTED).collect()
}

/// Longest excerpt of a file in a message.
const MAX_QUOTED: usize = 24;

/// An object or list whose end has not been reached.
enum Open {
    List { line: u32, items: Vec<Node> },
    Table { line: u32, entries: Vec<Entry>, name: Option<(Box<str>, u32)> },
}

struct Builder<'a> {
    /// Good JSON.
    text: &'a str,
    at: usize,
    lines: Lines,
    open: Vec<Open>,
}

impl Builder<'_> {
    fn build(mut self) -> Result<Node, ReadError> {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            let line = stored_line(self.lines.line_at(self.at));
            let finished = match byte {
                b'{' => self.enter(Open::Table { line, entries: Vec::new(), name: None })?,
                b'[' => self.enter(Open::List { line, items: Vec::new() })?,
                b'}' | b']' => self.leave()?,
                b'"' => self.string(line)?,
                b',' | b':' | b' ' | b'\t' | b'\r' | b'\n' => self.skip(),
                _ => Some(self.scalar(line)),
            };
            let Some(node) = finished else { continue };
            match self.open.last_mut() {
                None => return Ok(node),
                Some(Open::List { items, .. }) => items.push(node),
                Some(Open::Table { entries, name, .. }) => {
                    let (name, line) = name.take().ok_or_else(incomplete)?;
                    entries.push(Entry { name, line, node });
                }
            }
        }
        Err(incomplete())
    }

    fn skip(&mut self) -> Option<Node> {
        self.at += 1;
        None
    }

    fn enter(&mut self, open: Open) -> Result<Option<Node>, ReadError> {
        if self.open.len() == MAX_DEPTH {
            let message = format!("lists and objects are nested more than {MAX_DEPTH} deep; no file of ours is");
            return Err(ReadError::at(ErrorKind::Json, self.lines.line_at(self.at), message));
        }
        self.open.push(open);
        Ok(self.skip())
    }

    fn leave(&mut self) -> Result<Option<Node>, ReadError> {
        self.at += 1;
        match self.open.pop().ok_or_else(incomplete)? {
            Open::List { line, items } => Ok(Some(Node { line, value: Value::List(items) })),
            Open::Table { line, entries, .. } => {
                if let Some(entry) = repeated(&entries) {
                    let message = format!("`{}` appears twice in one object; keep one of them", entry.name);
                    return Err(ReadError::at(ErrorKind::Json, entry.line as usize, message));
                }
                Ok(Some(Node { line, value: Value::Table(entries) }))
            }
        }
    }

    /// A name where an object waits for one, else a value.
    fn string(&mut self, line: u32) -> Result<Option<Node>, ReadError> {
        let start = self.at;
        self.at += quoted_length(&self.text.as_bytes()[start..]);
        let quoted = self.text.get(start..self.at).ok_or_else(incomplete)?;
        let text: Box<str> = serde_json::from_str(quoted).map_err(|_| {
            ReadError::at(ErrorKind::Json, line as usize, "text with an escape that stands for no character")
        })?;
        match self.open.last_mut() {
            Some(Open::Table { name: name @ None, .. }) => {
                *name = Some((text, line));
                Ok(None)
            }
            _ => Ok(Some(Node { line, value: Value::Text(text) })),
        }
    }

    /// A number, `true`, `false` or `null`.
    fn scalar(&mut self, line: u32) -> Node {
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| c.is_ascii_whitespace() || ",]}".contains(c)).unwrap_or(rest.len());
        self.at += length;
        let value = match &rest[..length] {
            "null" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            mark if mark.trim_start_matches('-') == NONFINITE_MARK => Value::NonfiniteWord,
            // The grammar is good, so the only failure left is one of this line; NaN is refused by whoever reads the field.
            number => Value::Number(number.parse().unwrap_or(f64::NAN)),
        };
        Node { line, value }
    }
}

/// Cannot be reached after the check of the grammar, and is an error rather than a panic if it ever is.
fn incomplete() -> ReadError {
    ReadError::new(ErrorKind::Json, "no JSON: it ends too early")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The tree as text, to compare with what serde_json makes of the same bytes.
    fn flatten(node: &Node) -> serde_json::Value {
        match &node.value {
            Value::Null | Value::Date | Value::NonfiniteWord => serde_json::Value::Null,
            Value::Bool(answer) => (*answer).into(),
            Value::Number(number) => (*number).into(),
            Value::Text(text) => text.to_string().into(),
            Value::List(items) => items.iter().map(flatten).collect(),
            Value::Table(entries) => {
                entries.iter().map(|entry| (entry.name.to_string(), flatten(&entry.node))).collect()
            }
        }
    }

    fn expected(value: serde_json::Value) -> serde_json::Value {
        match value {
            serde_json::Value::Number(number) => number.as_f64().into(),
            serde_json::Value::Array(items) => items.into_iter().map(expected).collect(),
            serde_json::Value::Object(fields) => fields.into_iter().map(|(k, v)| (k, expected(v))).collect(),
            other => other,
        }
    }

    fn any_json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(serde_json::Value::from),
            any::<f64>().prop_map(serde_json::Value::from),
            any::<i64>().prop_map(serde_json::Value::from),
            any::<String>().prop_map(serde_json::Value::from),
        ];
        leaf.prop_recursive(4, 64, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(serde_json::Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..6)
                    .prop_map(|map| map.into_iter().collect::<serde_json::Value>()),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_tree_holds_what_serde_json_reads(value in any_json(), pretty in any::<bool>()) {
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
            let tree = parse_json(text.unwrap().as_bytes()).unwrap();
            prop_assert_eq!(flatten(&tree), expected(value));
        }

        #[test]
        fn no_text_panics(text in "[\\[\\]{}\",:0-9a-z\\\\ \n-]{0,60}") {
            let ours = parse_json(text.as_bytes()).is_ok();
            prop_assert!(!ours || serde_json::from_str::<serde::de::IgnoredAny>(&replace_nonfinite(&text)).is_ok());
        }
    }

    #[track_caller]
    fn check_error(text: &str, line: usize, part: &str) {
        let error = parse_json(text.as_bytes()).unwrap_err();
        assert_eq!((error.kind, error.line), (ErrorKind::Json, Some(line)), "{error}");
        assert!(error.message.contains(part), "{error}");
    }

    #[test]
    fn errors_of_grammar_name_the_line_and_the_word() {
        check_error("{\n \"a\": 1 NaN }", 2, "`NaN`");
        check_error("{\n \"a\": --inf }", 2, "`--inf`");
        check_error("{\n \"a\": nano }", 2, "`nano`");
        check_error("{\n \"a\": 1,\n}", 3, "`}`: leave out the comma");
        check_error("{\"a\": [1, 2", 1, "ends too early");
        check_error("{\"a\": 1} x", 1, "`x`");
        check_error("{\"a\": 'b'}", 1, "`'b'`");
        check_error("{\"a\": \"\\ud800\"}", 1, "escape");
    }

    #[test]
    fn words_that_are_not_finite_are_values_that_the_reader_of_the_field_refuses() {
        let text = "{\"a NaN, \\\" inf\": [NaN,\n-Infinity, 1e999, inf ], \"b\": \"NaN\"}";
        let Value::Table(entries) = parse_json(text.as_bytes()).unwrap().value else { panic!("no object") };
        assert_eq!(&*entries[0].name, "a NaN, \" inf");
        let Value::List(items) = &entries[0].node.value else { panic!("no list") };
        assert_eq!(items.iter().map(|item| item.line).collect::<Vec<_>>(), [1, 2, 2, 2]);
        let is_word = |item: &Node| matches!(item.value, Value::NonfiniteWord);
        assert_eq!(items.iter().map(is_word).collect::<Vec<_>>(), [true, true, false, true]);
        assert!(matches!(items[2].value, Value::Number(f64::INFINITY)));
        assert!(matches!(&entries[1].node.value, Value::Text(text) if &**text == "NaN"));
    }

    #[test]
    fn a_name_twice_is_an_error_at_the_second() {
        check_error("{\"a\": 1,\n\"b\": 2,\n\"a\": 1}", 3, "`a` appears twice");
        check_error("[{\"x\": {\"a\": 1, \"\\u0061\": 1}}]", 1, "`a` appears twice");
    }

    #[test]
    fn deep_nesting_is_refused_without_recursion() {
        for depth in [65, 100_000] {
            let text = "[".repeat(depth) + &"]".repeat(depth);
            check_error(&text, 1, "nested more than 64 deep");
        }
        assert!(parse_json(("[".repeat(64) + &"]".repeat(64)).as_bytes()).is_ok());
    }
}
