//! The job `compose recognise`: which behaviour leads to each footprint of a plan, and why.

use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::request_limits::check_range;
use crate::score_recognition_job::USUAL_LEGS;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_compose::{BehaviourDatabase, Decision, PaperLimits, RecogniseError, Recogniser, RecogniserOptions};
use surefoot_contact::Footprint;
use surefoot_formats::{own, read_bytes};

/// How footprints are recognised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MethodName {
    /// A sequence model, learned from recordings.
    #[default]
    Sequence,
    /// The paper's limits of distance and angle, learned from the same.
    Limits,
}

/// One of the methods, learned.
pub(crate) enum AnyRecogniser {
    Sequence(Box<Recogniser>),
    Limits(PaperLimits),
}

impl MethodName {
    pub(crate) fn learn(self, database: &BehaviourDatabase, file: &Path) -> Result<AnyRecogniser, JobError> {
        let learned = match self {
            MethodName::Sequence => Recogniser::learn(database, &RecogniserOptions::default())
                .map(|recogniser| AnyRecogniser::Sequence(Box::new(recogniser))),
            MethodName::Limits => PaperLimits::learn(database).map(AnyRecogniser::Limits),
        };
        learned.ok_or_else(|| JobError::of_file("steps", file, "the database has too few steps to learn from"))
    }
}

impl AnyRecogniser {
    pub(crate) fn recognise(&self, prints: &[Footprint], legs: f64) -> Result<Vec<Decision>, JobError> {
        let decisions = match self {
            AnyRecogniser::Sequence(recogniser) => recogniser.recognise(prints, legs),
            AnyRecogniser::Limits(limits) => limits.recognise(prints, legs),
        };
        decisions.map_err(|error| {
            let (RecogniseError::Contradiction { footprint, .. } | RecogniseError::NotLearned { footprint, .. }) =
                error;
            JobError::new("contradiction", error.to_string())
                .at_footprint(footprint)
                .at_field(format!("footprints[{footprint}].behaviour"))
        })
    }
}

/// Reads a database of behaviours.
pub(crate) fn load_behaviours(path: &Path) -> Result<BehaviourDatabase, JobError> {
    let bytes = read_bytes(path)?;
    Ok(own::read_behaviours(&bytes).map_err(|error| error.in_file(path))?)
}

/// Which plan to recognise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecogniseRequest {
    /// The plan. Times are not looked at.
    pub plan: PathBuf,
    /// The database of behaviours.
    pub db: PathBuf,
    /// By which method.
    #[serde(default)]
    pub method: MethodName,
    /// Thigh plus shin of the person, in metres: 0.2 to 2. Default 0.85.
    #[serde(default)]
    pub leg_length: Option<f64>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// What `compose recognise` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecogniseReport {
    /// The plan.
    pub plan: String,
    /// A row for each footprint.
    pub footprints: Vec<DecisionReport>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// What leads to a footprint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionReport {
    /// 0-based.
    pub footprint: usize,
    /// `left` or `right`.
    pub foot: String,
    /// `stand`, `walk`, `run`, `jump`, `hop` or `stair`.
    pub behaviour: String,
    /// The feet that take off: `left`, `right` or `both`.
    pub take_off: Option<String>,
    /// The feet that land.
    pub landing: Option<String>,
    /// Why.
    pub reason: String,
}

impl JobReport for RecogniseReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for RecogniseRequest {
    const COMMAND: &'static str = "compose recognise";
    type Report = RecogniseReport;

    fn outputs(&self) -> Vec<&Path> {
        self.report.iter().map(PathBuf::as_path).collect()
    }

    fn inputs(&self) -> Vec<&Path> {
        vec![&self.db, &self.plan]
    }

    fn run(&self, context: &JobContext) -> Result<RecogniseReport, JobError> {
        check_range("leg_length", self.leg_length, 0.2..=2.0)?;
        let outputs = Outputs::check_apart(self.outputs(), self.inputs(), self.if_exists)?;
        let plan = own::read_plan(&read_bytes(&self.plan)?).map_err(|error| error.in_file(&self.plan))?;
        let database = load_behaviours(&self.db)?;
        context.check()?;
        let recogniser = self.method.learn(&database, &self.db)?;
        let decisions = recogniser.recognise(&plan.footprints, self.leg_length.unwrap_or(USUAL_LEGS));
        let decisions = decisions.map_err(|error| error.in_file(&self.plan))?;
        let rows =
            plan.footprints.iter().zip(&decisions).enumerate().map(|(footprint, (print, decision))| DecisionReport {
                footprint,
                foot: print.side.name().to_string(),
                behaviour: decision.behaviour.name().to_string(),
                take_off: decision.feet.map(|feet| feet[0].name().to_string()),
                landing: decision.feet.map(|feet| feet[1].name().to_string()),
                reason: decision.reason.to_string(),
            });
        let report = RecogniseReport {
            plan: self.plan.display().to_string(),
            footprints: rows.collect(),
            files: outputs.files(),
        };
        finish(outputs, RecogniseRequest::COMMAND, report, self.report.as_deref())
    }
}
