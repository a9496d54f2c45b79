//! The edits of a signal job: in a recipe, or as tools with options; and errors in the words that they were given in.

use crate::job_error::JobError;
use crate::motion_output::MotionOutput;
use crate::signal_edits::{EditFailure, EditProblem};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use surefoot_formats::own::{self, EditWords, WordsError};
use surefoot_formats::{ErrorKind, ReadError, read_bytes};
use surefoot_signal::Edit;

/// Edits, made in order: those of the recipe, then the others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EditsRequest {
    /// A recipe file.
    pub recipe: Option<PathBuf>,
    /// Tools with their options.
    pub tools: Vec<ToolRequest>,
}

/// A tool with its options, as `surefoot signal TOOL --NAME VALUE` has them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolRequest {
    /// `equalize`, `blend`, `warp`, `shape`, `displace`, `concat`, `loop`, `filter`, `transfer` or `keep-plants`.
    pub tool: String,
    /// Values by name, without dashes; `true` for an option that takes no value.
    #[serde(default)]
    pub options: BTreeMap<String, Vec<String>>,
}

impl From<&EditWords> for ToolRequest {
    fn from(words: &EditWords) -> ToolRequest {
        let options = words.options.iter().map(|option| (option.name.clone(), option.values.clone()));
        ToolRequest { tool: words.tool.clone(), options: options.collect() }
    }
}

impl From<&ToolRequest> for EditWords {
    fn from(request: &ToolRequest) -> EditWords {
        let words = EditWords::new(&request.tool);
        request.options.iter().fold(words, |words, (name, values)| words.with(name, values))
    }
}

/// Edits with their words, which errors are reported in.
#[derive(Clone)]
pub(crate) struct Edits {
    words: Vec<EditWords>,
    pub(crate) edits: Vec<Edit>,
    /// The recipe that they come from, if it is one.
    recipe: Option<PathBuf>,
}

impl EditsRequest {
    /// Reads the recipe, and what the words mean.
    pub(crate) fn read(&self) -> Result<Edits, JobError> {
        let mut words: Vec<EditWords> = Vec::new();
        if let Some(recipe) = &self.recipe {
            let bytes = read_bytes(recipe)?;
            let folder = recipe.parent().unwrap_or(Path::new(""));
            let read = own::read_recipe(&bytes).map_err(|error| error.in_file(recipe))?;
            words.extend(read.into_iter().map(|words| words.from_folder(folder)));
        }
        words.extend(self.tools.iter().map(EditWords::from));
        let recipe = self.recipe.clone();
        let mut edits = Vec::new();
        for (index, words) in words.iter().enumerate() {
            let edit = Edit::try_from(words);
            edits.push(edit.map_err(|error| wrong_words(&error, words, index, recipe.as_deref()))?);
        }
        Ok(Edits { words, edits, recipe })
    }
}

impl Edits {
    /// Keeps legs from stretching where bones are to keep their lengths.
    pub(crate) fn suit(&mut self, output: &MotionOutput) -> Result<(), JobError> {
        let is_rigid = output.keeps_bone_lengths()?;
        for edit in &mut self.edits {
            if let Edit::KeepPlants(keep) = edit {
                keep.rigid |= is_rigid;
            }
        }
        Ok(())
    }

    /// The edits as a recipe in a folder.
    pub(crate) fn recipe_text(&self, folder: &Path) -> String {
        let words: Vec<EditWords> = self.words.iter().map(|words| words.clone().for_folder(folder)).collect();
        own::write_recipe(&words)
    }

    /// Why an edit was not made, at its line of the recipe or its option.
    pub(crate) fn refused(&self, EditFailure { edit, problem }: EditFailure) -> JobError {
        let words = &self.words[edit];
        let (option, message) = match problem {
            EditProblem::File(error) => return error.into(),
            EditProblem::Option { option, message } => (option, message),
        };
        let given = words.options.iter().find(|words| words.name == option);
        let message = given.map_or(message.clone(), |option| format!("{}: {message}", option.values.join(",")));
        match (&self.recipe, words.line) {
            (Some(path), Some(_)) => in_recipe(path, words, edit, option, &message),
            _ if given.is_none() => JobError::new(words.tool.as_str(), message),
            _ => JobError::new(words.tool.as_str(), format!("--{option} {message}")).at_field(option),
        }
    }
}

fn wrong_words(error: &WordsError, words: &EditWords, index: usize, recipe: Option<&Path>) -> JobError {
    match recipe.filter(|_| words.line.is_some()) {
        Some(path) => in_recipe(path, words, index, &error.option, &error.message),
        None if error.option.is_empty() => JobError::new("usage", error.message.clone()),
        None => JobError::new("usage", format!("--{} {}", error.option, error.message)).at_field(error.option.as_str()),
    }
}

/// An error at its line of a recipe.
fn in_recipe(path: &Path, words: &EditWords, index: usize, option: &str, message: &str) -> JobError {
    let line = words.options.iter().find(|words| words.name == option).and_then(|words| words.line).or(words.line);
    let place = if option.is_empty() { format!("edit[{index}]") } else { format!("edit[{index}].{option}") };
    let error = ReadError::at(ErrorKind::Type, line.unwrap_or(1), format!("{place}: {message}"));
    JobError::from(error.in_file(path)).at_field(place)
}
