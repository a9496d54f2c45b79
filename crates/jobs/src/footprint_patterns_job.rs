//! The job `compose patterns`: what recordings taught about footprints (COMPOSE 4.1, figures 4 and 6), in numbers.

use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::recognise_job::load_behaviours;
use crate::request_limits::check_range;
use crate::score_recognition_job::USUAL_LEGS;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_compose::{PairLimits, PaperLimits};

/// Which database to look at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FootprintPatternsRequest {
    /// The database of behaviours.
    pub db: PathBuf,
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

/// What `compose patterns` reports, for a person with these legs. Lengths in metres, angles in degrees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FootprintPatternsReport {
    /// Thigh plus shin.
    pub leg_length: f64,
    /// How far the acting foot travels, by behaviour.
    pub limits: Vec<LimitsReport>,
    /// Steps that rise or fall by more are on stairs.
    pub stair_rise: f64,
    /// Feet before a jump.
    pub take_off: PairReport,
    /// Feet after it.
    pub landing: PairReport,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// How far the acting foot travels in a behaviour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitsReport {
    /// Its name.
    pub behaviour: String,
    /// Recorded steps.
    pub steps: usize,
    /// 2nd percentile, median, 98th percentile and largest.
    pub distances: [f64; 4],
}

/// Feet that take off or land together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairReport {
    /// Largest angle theta.
    pub angle: f64,
    /// Largest distance between the feet.
    pub distance: f64,
    /// Mean angle of feet that do it together, and of those that do not.
    pub mean_angles: [f64; 2],
}

impl JobReport for FootprintPatternsReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for FootprintPatternsRequest {
    const COMMAND: &'static str = "compose patterns";
    type Report = FootprintPatternsReport;

    fn outputs(&self) -> Vec<&Path> {
        self.report.iter().map(PathBuf::as_path).collect()
    }

    fn inputs(&self) -> Vec<&Path> {
        vec![&self.db]
    }

    fn run(&self, context: &JobContext) -> Result<FootprintPatternsReport, JobError> {
        check_range("leg_length", self.leg_length, 0.2..=2.0)?;
        let outputs = Outputs::check_apart(self.outputs(), self.inputs(), self.if_exists)?;
        let database = load_behaviours(&self.db)?;
        context.check()?;
        let learned = PaperLimits::learn(&database)
            .ok_or_else(|| JobError::of_file("steps", &self.db, "the database has no walking step to learn from"))?;
        let legs = self.leg_length.unwrap_or(USUAL_LEGS);
        let pair = |limits: &PairLimits| PairReport {
            angle: limits.angle.to_degrees(),
            distance: limits.distance * legs,
            mean_angles: limits.means.map(f64::to_degrees),
        };
        let limits = learned.distances.iter().map(|(behaviour, limits)| LimitsReport {
            behaviour: behaviour.name().to_string(),
            steps: limits.n_steps,
            distances: limits.distances.map(|distance| distance * legs),
        });
        let report = FootprintPatternsReport {
            leg_length: legs,
            limits: limits.collect(),
            stair_rise: learned.stair_rise * legs,
            take_off: pair(&learned.take_off),
            landing: pair(&learned.landing),
            files: outputs.files(),
        };
        finish(outputs, FootprintPatternsRequest::COMMAND, report, self.report.as_deref())
    }
}
