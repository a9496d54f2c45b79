//! Recipes: `*.toml`, version 1: edits of a clip as a signal, one after another, to be repeated on other clips.
//!
//! ```toml
//! recipe = 1
//!
//! [[edit]]
//! tool = "equalize"
//! gain = { 2 = 1.8, 3 = 1.8 }
//! joints = ["arms", "Head"]
//!
//! [[edit]]
//! tool = "blend"
//! with = "happy.bvh"               # clips are looked for in the recipe's own folder
//! weights = [0.6, 0.4]
//!
//! [[edit]]
//! tool = "keep-plants"
//! ```
//!
//! An edit's fields are the options of the command `surefoot signal TOOL`, and take what these take: text as it would
//! be typed, a number, `true` for an option without a value, a list in place of commas, a table in place of
//! `name=value` pairs. So a recipe and a command line are read by the same functions (`edit_words`), and one can be
//! written from the other.

use super::edit_words::{EditWords, OptionWords};
use super::fields::Field;
use super::text::{self, quoted};
use super::toml_tree::parse_toml;
use crate::{ErrorKind, ReadError};
use std::fmt::Write;
use surefoot_signal::Edit;

const VERSION: u32 = 1;

/// Reads a recipe.
pub fn read_recipe(bytes: &[u8]) -> Result<Vec<EditWords>, ReadError> {
    let tree = parse_toml(bytes)?;
    let root = Field::root(&tree);
    root.expect_version("recipe", VERSION, "recipe = 1")?;
    root.expect_object(&["recipe", "edit"])?;
    let list = root.required("edit", "[[edit]] with tool = \"equalize\"")?;
    let mut edits = Vec::new();
    for item in list.items("tables such as [[edit]] with tool = \"equalize\"")? {
        edits.push(read_edit(&item)?);
    }
    if edits.is_empty() {
        return Err(list.error(ErrorKind::MissingField, "there is no edit, such as [[edit]] with tool = \"equalize\""));
    }
    Ok(edits)
}

fn read_edit(item: &Field<'_>) -> Result<EditWords, ReadError> {
    let tool = item.required("tool", "tool = \"equalize\"")?.text()?.to_string();
    let mut words = EditWords { tool, options: Vec::new(), line: Some(item.line()) };
    for (name, line) in item.names("a table with tool = \"equalize\"")?.filter(|(name, _)| *name != "tool") {
        let field = item.required(name, "joints = \"arms\"")?;
        let values = field.words()?;
        words.options.push(OptionWords { name: name.to_string(), values, line: Some(line) });
    }
    // What is wrong whatever the clip is reported with its line, before any clip is read.
    Edit::try_from(&words).map_err(|error| {
        let option = words.options.iter().find(|option| option.name == error.option);
        let line = option.and_then(|option| option.line).unwrap_or(item.line());
        let path = item.path();
        let message = if option.is_some() {
            format!("{path}.{}: {}", error.option, error.message)
        } else {
            format!("{path}: {}", error.message)
        };
        ReadError::at(error.kind, line, message)
    })?;
    Ok(words)
}

/// A recipe as a file.
pub fn write_recipe(edits: &[EditWords]) -> String {
    let mut out = format!("recipe = {VERSION}\n");
    for edit in edits {
        // Writing to a string cannot fail.
        let _ = write!(out, "\n[[edit]]\ntool = {}\n", quoted(&edit.tool));
        for OptionWords { name, values, .. } in &edit.options {
            let written: Vec<String> = values.iter().map(|value| written(value)).collect();
            let _ = match &written[..] {
                [one] => writeln!(out, "{name} = {one}"),
                several => writeln!(out, "{name} = [{}]", several.join(", ")),
            };
        }
    }
    out
}

/// Words as TOML has them: numbers and `true` as they are, and text in quotes.
fn written(value: &str) -> String {
    let is_number = || value.parse::<f64>().is_ok_and(|number| number.is_finite() && text::number(number) == value);
    if value == "true" || value == "false" || is_number() { value.to_string() } else { quoted(value) }
}
