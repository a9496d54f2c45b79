//! A document as a tree of values that know their lines: what both JSON and TOML are turned into before fields are read.

/// A value and the 1-based line it begins in.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) line: u32,
    pub(super) value: Value,
}

/// A value of either language.
#[derive(Debug)]
pub(super) enum Value {
    Null,
    Bool(bool),
    /// Infinite where the file's number does not fit a double.
    Number(f64),
    /// `NaN`, `Infinity` and the like in a file that is JSON but for them.
    NonfiniteWord,
    Text(Box<str>),
    List(Vec<Node>),
    /// In file order; names differ.
    Table(Vec<Entry>),
    /// A date of TOML, which none of our files uses.
    Date,
}

/// A named value; the line is the name's.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: Box<str>,
    pub(super) line: u32,
    pub(super) node: Node,
}

impl Value {
    /// For messages: `found ...`.
    pub(super) fn describe(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::NonfiniteWord => "NaN or an infinity",
            Value::Text(_) => "text",
            Value::List(_) => "a list",
            Value::Table(_) => "an object",
            Value::Date => "a date",
        }
    }
}

/// A line as the tree stores it; files of more than four billion lines all end in the last.
pub(super) fn stored_line(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

/// The later of two entries of one name, if there are any.
pub(super) fn repeated(entries: &[Entry]) -> Option<&Entry> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by(|&a, &b| entries[a].name.cmp(&entries[b].name).then(a.cmp(&b)));
    let pair = order.windows(2).find(|pair| entries[pair[0]].name == entries[pair[1]].name)?;
    Some(&entries[pair[1]])
}
