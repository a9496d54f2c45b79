//! Reading fields: each knows its path, so that every error can name it.

use super::tree::{Entry, Node, Value};
use crate::{ErrorKind, ReadError};
use surefoot_motion::{closest_names, resembles};

/// Largest distance from the origin that we take, in metres: a double still holds a tenth of a micrometre there.
pub(super) const MAX_COORDINATE: f64 = 1e6;

/// A value and the path to it. The path is a chain of borrowed steps, so that walking a long list allocates nothing.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    node: &'a Node,
    parent: Option<&'a Field<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Name(&'a str),
    Index(usize),
}

impl<'a> Field<'a> {
    /// The complete document.
    pub(super) fn root(node: &'a Node) -> Field<'a> {
        Field { node, parent: None, step: Step::Root }
    }

    /// `footprints[3].position[1]`; empty for the document.
    pub(super) fn path(&self) -> String {
        let above = self.parent.map(Field::path).unwrap_or_default();
        match self.step {
            Step::Root => above,
            Step::Name(name) if above.is_empty() => name.to_string(),
            Step::Name(name) => format!("{above}.{name}"),
            Step::Index(index) => format!("{above}[{index}]"),
        }
    }

    pub(super) fn line(&self) -> usize {
        self.node.line as usize
    }

    /// An error about this field.
    pub(super) fn error(&self, kind: ErrorKind, message: impl std::fmt::Display) -> ReadError {
        ReadError::at(kind, self.line(), self.about(message))
    }

    fn about(&self, message: impl std::fmt::Display) -> String {
        let path = self.path();
        if path.is_empty() { message.to_string() } else { format!("{path}: {message}") }
    }

    fn wrong_type(&self, wanted: &str) -> ReadError {
        let message = match &self.node.value {
            Value::Text(text) => format!("found the text \"{}\", needs {wanted}", shortened(text)),
            other => format!("found {}, needs {wanted}", other.describe()),
        };
        self.error(ErrorKind::Type, message)
    }

    /// Checks that this is an object with none but the given fields.
    pub(super) fn expect_object(&self, known: &[&str]) -> Result<(), ReadError> {
        let Value::Table(entries) = &self.node.value else {
            return Err(self.wrong_type(&format!("an object with {}", listed(known))));
        };
        let Some(entry) = entries.iter().find(|entry| !known.contains(&&*entry.name)) else { return Ok(()) };
        let guess = match closest_names(&entry.name, known.iter().copied(), 1)[..] {
            [name] if resembles(&entry.name, name) => format!("did you mean `{name}`?"),
            _ => format!("there are {}", listed(known)),
        };
        let message = format!("unknown field `{}`; {guess}", shortened(&entry.name));
        Err(ReadError::at(ErrorKind::UnknownField, entry.line as usize, self.about(message)))
    }

    /// A field of this object, if it is there.
    pub(super) fn optional<'b>(&'b self, name: &'b str) -> Option<Field<'b>> {
        let Value::Table(entries) = &self.node.value else { return None };
        let entry = entries.iter().find(|entry| &*entry.name == name)?;
        Some(Field { node: &entry.node, parent: Some(self), step: Step::Name(name) })
    }

    /// A field that must be there; `example` shows what it would look like.
    pub(super) fn required<'b>(&'b self, name: &'b str, example: &str) -> Result<Field<'b>, ReadError> {
        self.optional(name).ok_or_else(|| {
            self.error(ErrorKind::MissingField, format!("the field `{name}` is missing, such as {example}"))
        })
    }

    /// Whether an object has a field.
    pub(super) fn has(&self, name: &str) -> bool {
        self.optional(name).is_some()
    }

    /// The names of an object's fields with their lines, in file order.
    pub(super) fn names(&self, wanted: &str) -> Result<impl Iterator<Item = (&'a str, usize)> + use<'a>, ReadError> {
        let Value::Table(entries) = &self.node.value else { return Err(self.wrong_type(wanted)) };
        Ok(entries.iter().map(|entry| (&*entry.name, entry.line as usize)))
    }

    /// Whether this is an object.
    pub(super) fn is_table(&self) -> bool {
        matches!(self.node.value, Value::Table(_))
    }

    /// Whether this is text.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.node.value, Value::Text(_))
    }

    /// Checks that a list holds lists, objects or numbers as `wanted` says, and goes through them.
    pub(super) fn items<'b>(
        &'b self,
        wanted: &str,
    ) -> Result<impl ExactSizeIterator<Item = Field<'b>> + use<'b>, ReadError> {
        let Value::List(items) = &self.node.value else { return Err(self.wrong_type(wanted)) };
        let field = move |(index, node)| Field { node, parent: Some(self), step: Step::Index(index) };
        Ok(items.iter().enumerate().map(field))
    }

    /// A finite number.
    pub(super) fn number(&self) -> Result<f64, ReadError> {
        match self.node.value {
            Value::Number(number) if number.is_finite() => Ok(number),
            Value::Number(_) => {
                Err(self.error(ErrorKind::Nonfinite, "too large for a number, or none; needs a finite one"))
            }
            // The file is no JSON, even though it could be read.
            Value::NonfiniteWord => Err(self
                .error(ErrorKind::Json, "found NaN or an infinity, which JSON does not have; needs a finite number")),
            _ => Err(self.wrong_type("a number")),
        }
    }

    /// A number whose magnitude does not pass a limit.
    pub(super) fn number_within(&self, limit: f64, unit: &str) -> Result<f64, ReadError> {
        let number = self.number()?;
        if number.abs() > limit {
            let message = format!("{number:e} is too large to mean anything; at most {limit} {unit}");
            return Err(self.error(ErrorKind::OutOfRange, message));
        }
        Ok(number)
    }

    /// A list of `N` coordinates in metres.
    pub(super) fn coordinates<const N: usize>(&self) -> Result<[f64; N], ReadError> {
        let wanted = format!("a list of {N} numbers in metres");
        let items = self.items(&wanted)?;
        if items.len() != N {
            return Err(self.error(ErrorKind::Type, format!("found a list of {}, needs {wanted}", items.len())));
        }
        let mut out = [0.0; N];
        for (value, item) in out.iter_mut().zip(items) {
            *value = item.number_within(MAX_COORDINATE, "m")?;
        }
        Ok(out)
    }

    /// An angle in degrees, as radians.
    pub(super) fn heading(&self) -> Result<f64, ReadError> {
        Ok(self.number_within(MAX_DEGREES, "degrees")?.to_radians())
    }

    /// A frame number or a count of frames.
    pub(super) fn frames(&self) -> Result<usize, ReadError> {
        let number = self.number()?;
        if number < 0.0 || number.fract() != 0.0 {
            return Err(self.error(ErrorKind::Type, format!("found {number}, needs a whole number, 0 or more")));
        }
        if number > MAX_FRAMES {
            return Err(self.error(ErrorKind::OutOfRange, format!("{number} frames are more than a clip can have")));
        }
        Ok(number as usize)
    }

    /// A value as the words of a command line: each item of a list, each `name=value` of a table, or the one that it is.
    pub(super) fn words(&self) -> Result<Vec<String>, ReadError> {
        match &self.node.value {
            Value::List(_) => self.items(WORDS)?.map(|item| item.word()).collect(),
            Value::Table(entries) => {
                let pair = |entry: &'a Entry| {
                    let field = Field { node: &entry.node, parent: Some(self), step: Step::Name(&entry.name) };
                    Ok(format!("{}={}", entry.name, field.word()?))
                };
                entries.iter().map(pair).collect()
            }
            Value::Bool(answer) => Ok(vec![answer.to_string()]),
            _ => Ok(vec![self.word()?]),
        }
    }

    /// A value that holds no others.
    fn word(&self) -> Result<String, ReadError> {
        match &self.node.value {
            Value::Text(text) => Ok(text.to_string()),
            Value::Number(_) => Ok(super::text::number(self.number()?)),
            _ => Err(self.wrong_type(WORDS)),
        }
    }

    pub(super) fn boolean(&self) -> Result<bool, ReadError> {
        match self.node.value {
            Value::Bool(value) => Ok(value),
            _ => Err(self.wrong_type("true or false")),
        }
    }

    pub(super) fn text(&self) -> Result<&'a str, ReadError> {
        match &self.node.value {
            Value::Text(text) => Ok(text),
            _ => Err(self.wrong_type("text")),
        }
    }

    /// Checks the field that names the kind and version of a file: the document's field `kind` must be `version`.
    /// `example` is that field as the file would have it.
    pub(super) fn expect_version(&self, kind: &str, version: u32, example: &str) -> Result<(), ReadError> {
        self.expect_versions(kind, version..=version, example).map(drop)
    }

    /// The same where several versions are read; gives the one that was found.
    pub(super) fn expect_versions(
        &self,
        kind: &str,
        versions: std::ops::RangeInclusive<u32>,
        example: &str,
    ) -> Result<u32, ReadError> {
        let title = KINDS.iter().find(|&&(name, _)| name == kind).map_or(kind, |&(_, title)| title);
        let Value::Table(_) = self.node.value else {
            return Err(self.wrong_type(&format!("an object that begins with {example}")));
        };
        let other = KINDS.iter().find(|&&(name, _)| name != kind && self.has(name) && !self.has(kind));
        if let Some((name, other_title)) = other {
            let message = format!("this is {other_title} (it has `{name}`), not {title}");
            return Err(self.error(ErrorKind::MissingField, message));
        }
        let field = self.required(kind, &format!("{example}, which gives {title} and its version"))?;
        let found = field.number()?;
        versions.clone().find(|&version| found == f64::from(version)).ok_or_else(|| {
            let known: Vec<String> = versions.map(|version| version.to_string()).collect();
            let message = format!("found version {found}, this program reads version {}", known.join(" and "));
            field.error(ErrorKind::Version, message)
        })
    }
}

/// What [`Field::words`] takes.
const WORDS: &str = "text, a number, true, a list or a table of texts and numbers";

/// First fields of our files, and what they mean.
const KINDS: [(&str, &str); 10] = [
    ("footplan", "a foot plan"),
    ("contacts", "a contacts file"),
    ("path", "a path"),
    ("scene", "a scene"),
    ("terrain", "a terrain"),
    ("body", "a body map"),
    ("gate", "a gate"),
    ("styles", "a file of styles"),
    ("recipe", "a recipe"),
    ("displacement", "a file of keys"),
];

/// A heading past a thousand turns is a slip of the keyboard.
const MAX_DEGREES: f64 = 360_000.0;

/// A year at 120 frames a second is less than this, and a double still counts so far one by one.
const MAX_FRAMES: f64 = 4e9;

/// `a`, `b` and `c`.
pub(super) fn listed(names: &[&str]) -> String {
    match names {
        [] => "no fields".to_string(),
        [one] => format!("`{one}`"),
        [first @ .., last] => format!("`{}` and `{last}`", first.join("`, `")),
    }
}

/// A text of a file, for a message.
pub(super) fn shortened(text: &str) -> String {
    crate::quote::shortened(text.as_bytes())
}
