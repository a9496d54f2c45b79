//! Whom a walk is like: a person or a take of a step database, or a clip of one's own.

use crate::BuildStepsOptions;
use crate::build_steps::{corpus_take, play, read_take, take_names};
use crate::evaluate::common_of;
use crate::job_error::JobError;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use surefoot_plan::SynthesisReport;
use surefoot_steps::{BuildOptions, StepCollector, StepDatabase, Steps, Style, actor_of};

/// Whose steps a walk is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StyleReport {
    /// The person with the largest share, or the take that was asked for.
    pub name: String,
    /// Its share of all blended steps, 0 to 1.
    pub share: f64,
    /// Whether it was asked for, or chosen because it suits the plan.
    pub requested: bool,
}

impl StyleReport {
    pub(crate) fn new(report: &SynthesisReport, steps: &Steps) -> Option<StyleReport> {
        let style = steps.style.as_deref();
        if style.is_none() && steps.database.people().len() < 2 {
            return None;
        }
        let mut shares: Vec<(&str, f64)> = Vec::new();
        for source in report.footprints.iter().flat_map(|row| &row.sources) {
            let is_take =
                style.is_some_and(|style| source.name.strip_prefix(&*style.name).is_some_and(|n| n.starts_with(' ')));
            let name = if is_take { style.map_or("", |style| &style.name) } else { actor_of(&source.name) };
            match shares.iter_mut().find(|(known, _)| *known == name) {
                Some((_, share)) => *share += source.weight,
                None => shares.push((name, source.weight)),
            }
        }
        let total: f64 = shares.iter().map(|(_, share)| share).sum();
        let (name, share) = shares.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(StyleReport { name: name.to_string(), share: share / total, requested: style.is_some() })
    }
}

/// Most names of a kind that an error lists.
const LISTED: usize = 12;

/// The people and takes of a database in words: those that resemble a name first.
fn names_of(database: &StepDatabase, name: &str) -> String {
    let people: Vec<&str> = database.people().iter().map(|person| &*person.name).collect();
    let mut takes: Vec<&str> = database.steps().iter().map(|step| &*step.source.take).collect();
    takes.dedup();
    let mut seen = HashSet::new();
    takes.retain(|take| seen.insert(*take));
    let list = |mut names: Vec<&str>| {
        names.sort_by_key(|known| !known.contains(name));
        let more = names.len().saturating_sub(LISTED);
        names.truncate(LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        names.join(", ") + &more
    };
    format!("its people are {}; its takes are {}", list(people), list(takes))
}

/// The style of a name, and the database that has it: with the steps of a clip, if the name is that of a file.
pub(crate) fn find_style(database: StepDatabase, name: &str) -> Result<(Arc<StepDatabase>, Arc<Style>), JobError> {
    // The takes of the built-in corpus also go by the names that `corpus --list` prints.
    if let Some(style) = database.find_style(name).or_else(|| database.find_style(&corpus_take(name))) {
        return Ok((Arc::new(database), style));
    }
    let path = PathBuf::from(name);
    if !path.is_file() {
        let message = format!(
            "style: the database has no person or take \"{name}\", and there is no such file; {}",
            names_of(&database, name)
        );
        return Err(JobError::new("style", message));
    }
    let build = BuildStepsOptions::default();
    let read = read_take(&path, &build.reading(), &build.detect)?;
    let take = play(&path, read.take, &mut Some(common_of(&database)))?;
    let take_name = take_names(std::slice::from_ref(&path)).swap_remove(0);
    let mut collector = StepCollector::extend(&database, BuildOptions::default());
    if collector.add(&take_name, &take).n_steps == 0 {
        let message = "style: no walking step on level ground was found in it; a clip with a few steps would do";
        return Err(JobError::new("style", message).in_file(&path));
    }
    let database = collector.finish().map_err(|error| JobError::new("style", error.to_string()).in_file(&path))?;
    let style = database.find_style(&take_name).expect("its steps were added");
    Ok((Arc::new(database), style))
}
