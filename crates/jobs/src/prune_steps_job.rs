//! The job `steps prune`: a step database without near-duplicates.

use crate::build_steps::load_steps_and_flights;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::request_limits::check_range;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_formats::own;
use surefoot_motion::Side;
use surefoot_steps::{PruneOptions, PrunedSteps, StandsFor, prune_to, prune_within};

/// Which step database to thin.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PruneStepsRequest {
    /// The database.
    pub input: PathBuf,
    /// Where the thinner one goes; `-` is standard output.
    pub output: PathBuf,
    /// Steps nearer than this are alike, in metres of foot placement. Default 0.1.
    #[serde(default)]
    pub within: Option<f64>,
    /// How many steps to keep, or below 1 the share of them; the limit is then found, and `within` is not given.
    #[serde(default)]
    pub keep: Option<f64>,
    /// Whether a step may stand for those of other people. Default: only for those of its person.
    #[serde(default)]
    pub across_people: bool,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// What `steps prune` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PruneStepsReport {
    /// The database that was read.
    pub input: String,
    /// The thinner one.
    pub output: String,
    /// Steps nearer than this are alike, in metres.
    pub within: f64,
    /// How many steps there were.
    pub steps_before: usize,
    /// How many are left.
    pub steps: usize,
    /// How many of those span the hulls, which are as before.
    pub on_hull: usize,
    /// The largest distance of a step that went from the nearest that is left, in metres of foot placement.
    pub largest_gap: f64,
    /// The mean of these distances.
    pub mean_gap: f64,
    /// Size of the thinner database.
    pub bytes: u64,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

impl JobReport for PruneStepsReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for PruneStepsRequest {
    const COMMAND: &'static str = "steps prune";
    type Report = PruneStepsReport;

    fn outputs(&self) -> Vec<&Path> {
        std::iter::once(&self.output).chain(&self.report).map(PathBuf::as_path).collect()
    }

    fn run(&self, context: &JobContext) -> Result<PruneStepsReport, JobError> {
        check_range("within", self.within, 0.001..=1.0)?;
        check_range("keep", self.keep, 1e-6..=1e9)?;
        if self.keep.is_some() && self.within.is_some() {
            return Err(JobError::new("usage", "give a limit or how many steps to keep, not both").at_field("keep"));
        }
        let stands_for = if self.across_people { StandsFor::Anybody } else { StandsFor::SamePerson };
        let mut outputs = Outputs::check(self.outputs(), self.if_exists)?;
        let (database, flights) = load_steps_and_flights(&self.input)?;
        context.advance(1, 2, "pruning")?;
        let pruned = match self.keep {
            Some(keep) => prune_to(&database, number_of(keep, database.steps().len()), stands_for),
            None => {
                let within = self.within.unwrap_or(PruneOptions::default().within);
                prune_within(&database, &PruneOptions { within, stands_for })
            }
        };
        let PrunedSteps { database: pruned, within, largest_gap, mean_gap } = pruned;
        context.check()?;
        let bytes = own::write_steps_and_flights(&pruned, &flights);
        let n_bytes = bytes.len() as u64;
        outputs.add("steps", &self.output, bytes);
        let on_hull = |side: Side| pruned.space(side).delaunay().hull_vertices().len();
        let report = PruneStepsReport {
            input: self.input.display().to_string(),
            output: self.output.display().to_string(),
            within,
            steps_before: database.steps().len(),
            steps: pruned.steps().len(),
            on_hull: on_hull(Side::Left) + on_hull(Side::Right),
            largest_gap,
            mean_gap,
            bytes: n_bytes,
            files: outputs.files(),
        };
        finish(outputs, PruneStepsRequest::COMMAND, report, self.report.as_deref())
    }
}

/// How many steps a number or a share is.
fn number_of(keep: f64, n_steps: usize) -> usize {
    if keep < 1.0 { (keep * n_steps as f64).round() as usize } else { keep.round() as usize }
}
