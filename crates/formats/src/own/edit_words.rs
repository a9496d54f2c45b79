//! The words of an edit, as a command line or a recipe has them, and what they mean.
//!
//! ```text
//! surefoot signal equalize --gain 2=1.8,3=1.8    \
//!                                                 > EditWords --> Edit
//! tool = "equalize", gain = { 2 = 1.8, 3 = 1.8 } /
//! ```
//!
//! Whatever does not depend on the clip is checked here; which bands or joints a clip has is seen when the edit is
//! applied.

use super::edit_tools::TOOLS;
use super::fields::shortened;
use crate::ErrorKind;
use std::path::PathBuf;
use std::str::FromStr;
use surefoot_motion::{closest_names, resembles};
use surefoot_signal::{Amount, Edit};

/// An edit in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditWords {
    /// Which of the tools.
    pub tool: String,
    /// In the order in which they were given.
    pub options: Vec<OptionWords>,
    /// Where it stands in a recipe.
    pub line: Option<usize>,
}

/// An option in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionWords {
    /// Without dashes in front.
    pub name: String,
    /// Items of a list, or what follows an option each time that it is given; `true` for one that takes no value.
    pub values: Vec<String>,
    /// Where it stands in a recipe.
    pub line: Option<usize>,
}

/// Why words are no edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordsError {
    /// What is wrong.
    pub kind: ErrorKind,
    /// The option that is wrong or missing; empty if it is the tool.
    pub option: String,
    /// What was found, and what would be right.
    pub message: String,
}

impl std::fmt::Display for WordsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.option.is_empty() { f.write_str(&self.message) } else { write!(f, "{}: {}", self.option, self.message) }
    }
}

impl std::error::Error for WordsError {}

impl EditWords {
    /// A tool without options.
    pub fn new(tool: &str) -> EditWords {
        EditWords { tool: tool.to_string(), options: Vec::new(), line: None }
    }

    /// With an option, if it is given.
    pub fn with(mut self, name: &str, values: impl IntoIterator<Item = impl ToString>) -> EditWords {
        let values: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
        if !values.is_empty() {
            self.options.push(OptionWords { name: name.to_string(), values, line: None });
        }
        self
    }

    /// With an option that takes no value, if it is given.
    pub fn with_flag(self, name: &str, is_given: bool) -> EditWords {
        self.with(name, is_given.then_some("true"))
    }
}

/// What edits mean.
impl TryFrom<&EditWords> for Edit {
    type Error = WordsError;

    fn try_from(words: &EditWords) -> Result<Edit, WordsError> {
        let names = || TOOLS.iter().map(|tool| tool.name);
        let tool = TOOLS.iter().find(|tool| tool.name == words.tool).ok_or_else(|| {
            let message = match closest_names(&words.tool, names(), 1)[..] {
                [name] if resembles(&words.tool, name) => {
                    format!("there is no tool `{}`; did you mean `{name}`?", shortened(&words.tool))
                }
                _ => format!(
                    "there is no tool `{}`; there are {}",
                    shortened(&words.tool),
                    names().collect::<Vec<_>>().join(", ")
                ),
            };
            WordsError { kind: ErrorKind::UnknownField, option: String::new(), message }
        })?;
        let options = Options { words };
        options.check_names(tool.options)?;
        (tool.read)(&options)
    }
}

/// The options of an edit, by name.
pub(super) struct Options<'a> {
    words: &'a EditWords,
}

impl<'a> Options<'a> {
    /// Refuses options that the tool does not have, and any given twice.
    fn check_names(&self, known: &[&str]) -> Result<(), WordsError> {
        for (index, option) in self.words.options.iter().enumerate() {
            let name = &*option.name;
            let wrong = |kind, message| Err(WordsError { kind, option: option.name.clone(), message });
            if !known.contains(&name) {
                let tool = &self.words.tool;
                let message = match closest_names(name, known.iter().copied(), 1)[..] {
                    [near] if resembles(name, near) => format!("`{tool}` has no such option; did you mean `{near}`?"),
                    _ if known.is_empty() => format!("`{tool}` has no options"),
                    _ => format!("`{tool}` has no such option; it has {}", known.join(", ")),
                };
                return wrong(ErrorKind::UnknownField, message);
            }
            if self.words.options[..index].iter().any(|earlier| earlier.name == name) {
                return wrong(ErrorKind::DuplicateName, "is given twice".to_string());
            }
        }
        Ok(())
    }

    fn find(&self, name: &str) -> Option<&'a OptionWords> {
        self.words.options.iter().find(|option| option.name == name)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// An error about an option.
    pub(super) fn wrong(&self, name: &str, kind: ErrorKind, message: impl std::fmt::Display) -> WordsError {
        let shown =
            self.find(name).map_or(String::new(), |option| format!("{}: ", shortened(&option.values.join(","))));
        WordsError { kind, option: name.to_string(), message: format!("{shown}{message}") }
    }

    /// An option that must be there.
    pub(super) fn required(&self, name: &str, example: &str) -> Result<(), WordsError> {
        if self.has(name) {
            return Ok(());
        }
        let message = format!("is missing, such as {example}");
        Err(WordsError { kind: ErrorKind::MissingField, option: name.to_string(), message })
    }

    /// The words of an option, lists joined by commas.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.find(name).map(|option| option.values.join(","))
    }

    /// The items of a list, however it was given.
    pub(super) fn list(&self, name: &str) -> Vec<String> {
        self.text(name).map_or(Vec::new(), |text| split(&text))
    }

    /// The items of a list that are not split at commas.
    pub(super) fn whole_items(&self, name: &str) -> &'a [String] {
        self.find(name).map_or(&[], |option| &option.values)
    }

    pub(super) fn paths(&self, name: &str) -> Vec<PathBuf> {
        self.whole_items(name).iter().map(PathBuf::from).collect()
    }

    /// Whether an option without a value is given.
    pub(super) fn flag(&self, name: &str) -> Result<bool, WordsError> {
        match self.text(name).as_deref() {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(self.wrong(name, ErrorKind::Type, "true or false would be right")),
        }
    }

    /// An option by a function that returns what would be right.
    pub(super) fn parse<T>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<Option<T>, WordsError> {
        let Some(text) = self.text(name) else { return Ok(None) };
        read(&text).map(Some).map_err(|message| self.wrong(name, ErrorKind::Type, message))
    }

    /// A number of any kind; `right` tells what would be.
    pub(super) fn number<T: FromStr>(&self, name: &str, right: &str) -> Result<Option<T>, WordsError> {
        self.parse(name, |text| text.trim().parse().map_err(|_| format!("{right} would be right")))
    }

    /// A finite number within a range.
    pub(super) fn within(
        &self,
        name: &str,
        range: std::ops::RangeInclusive<f64>,
        unit: &str,
    ) -> Result<Option<f64>, WordsError> {
        let right = || format!("a number from {} to {}{unit} would be right", range.start(), range.end());
        self.parse(name, |text| text.trim().parse().ok().filter(|n| range.contains(n)).ok_or_else(right))
    }

    pub(super) fn amount(&self, name: &str) -> Result<Option<Amount>, WordsError> {
        self.parse(name, |text| Amount::parse(text).map_err(|error| error.to_string()))
    }

    /// One of several words.
    pub(super) fn choice<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> Result<Option<T>, WordsError> {
        self.parse(name, |text| {
            let found = choices.iter().find(|(word, _)| *word == text.trim());
            let words = || choices.iter().map(|(word, _)| *word).collect::<Vec<&str>>().join(", ");
            found.map(|(_, choice)| *choice).ok_or_else(|| format!("one of {} would be right", words()))
        })
    }

    /// Groups and joints, if any are named.
    pub(super) fn joints(&self) -> Option<Vec<String>> {
        self.has("joints").then(|| self.list("joints"))
    }
}

/// Items between commas.
pub(super) fn split(text: &str) -> Vec<String> {
    text.split(',').map(|item| item.trim().to_string()).filter(|item| !item.is_empty()).collect()
}
