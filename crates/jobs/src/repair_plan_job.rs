//! The job `compose repair`: footprints that nobody could step are moved to where somebody can (COMPOSE 6.1).

use crate::input_request::TerrainRequest;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::load_terrain::load_world;
use crate::motion_output::MotionOutput;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::recognise_job::{MethodName, load_behaviours};
use crate::request_limits::check_range;
use crate::score_recognition_job::USUAL_LEGS;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot_compose::{PlanChange, RepairError, RepairedPlan, StepLimits, repair_plan};
use surefoot_contact::{Behaviour, FootPlan, Footprint};
use surefoot_formats::{own, read_bytes};
use surefoot_plan::{PlanChecker, World};

/// Which plan to repair, for whom.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepairPlanRequest {
    /// The plan. It may have steps that every other command refuses.
    pub plan: PathBuf,
    /// Where the repaired plan goes; `-` is standard output.
    pub output: PathBuf,
    /// The database of behaviours: what footprints mean, and how far people come.
    pub db: PathBuf,
    /// By which method footprints are recognised.
    #[serde(default)]
    pub method: MethodName,
    /// Thigh plus shin of the person, in metres: 0.2 to 2. Default 0.85.
    #[serde(default)]
    pub leg_length: Option<f64>,
    /// The ground, on which moved footprints stay.
    #[serde(default)]
    pub terrain: Option<TerrainRequest>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// What `compose repair` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepairPlanReport {
    /// The plan as given.
    pub plan: String,
    /// The repaired plan.
    pub output: String,
    /// Footprints of the repaired plan.
    pub footprints: usize,
    /// What was changed, in the order of the repaired plan.
    pub changes: Vec<PlanChangeReport>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// What became of a footprint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanChangeReport {
    /// In the repaired plan, 0-based.
    pub footprint: usize,
    /// In the plan as given; absent for a new one.
    pub given: Option<usize>,
    /// How far it was moved, in metres; where a new one is.
    pub moved: [f64; 3],
    /// How much later it is landed on, in seconds.
    pub later: f64,
    /// In words, with the reason.
    pub what: String,
}

impl JobReport for RepairPlanReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for RepairPlanRequest {
    const COMMAND: &'static str = "compose repair";
    type Report = RepairPlanReport;

    fn outputs(&self) -> Vec<&Path> {
        std::iter::once(&self.output).chain(&self.report).map(PathBuf::as_path).collect()
    }

    fn inputs(&self) -> Vec<&Path> {
        let terrain = self.terrain.as_ref().and_then(TerrainRequest::file);
        [&self.plan, &self.db].into_iter().map(PathBuf::as_path).chain(terrain).collect()
    }

    fn run(&self, context: &JobContext) -> Result<RepairPlanReport, JobError> {
        check_range("leg_length", self.leg_length, 0.2..=2.0)?;
        let mut outputs = Outputs::check_apart(self.outputs(), self.inputs(), self.if_exists)?;
        MotionOutput::refuse_motion_ending(&self.output, "a foot plan", ".plan.json")?;
        let plan = own::read_plan_to_repair(&read_bytes(&self.plan)?).map_err(|error| error.in_file(&self.plan))?;
        let world = load_world(self.terrain.as_ref())?;
        let database = load_behaviours(&self.db)?;
        context.check()?;
        let legs = self.leg_length.unwrap_or(USUAL_LEGS);
        let recogniser = self.method.learn(&database, &self.db)?;
        let limits = StepLimits::learn(&database).scaled(legs);
        let repaired = repair_in_world(&plan, &world, &limits, |prints| {
            Ok(recogniser.recognise(prints, legs)?.iter().map(|decision| decision.behaviour).collect())
        })
        .map_err(|error| error.in_file(&self.plan))?;
        outputs.add("plan", &self.output, own::write_plan(&repaired.plan).into_bytes());
        let report = RepairPlanReport {
            plan: self.plan.display().to_string(),
            output: self.output.display().to_string(),
            footprints: repaired.plan.footprints.len(),
            changes: PlanChangeReport::of(&repaired),
            files: outputs.files(),
        };
        finish(outputs, RepairPlanRequest::COMMAND, report, self.report.as_deref())
    }
}

impl PlanChangeReport {
    /// All changes of a plan.
    pub(crate) fn of(repaired: &RepairedPlan) -> Vec<PlanChangeReport> {
        let change = |change: &PlanChange| PlanChangeReport {
            footprint: change.footprint,
            given: change.given,
            moved: change.moved.to_array(),
            later: change.later,
            what: change.to_string(),
        };
        repaired.changes.iter().map(change).collect()
    }
}

/// Repairs a plan for a person with these limits, and checks what repair does not know of: order of times, slopes, obstacles.
pub(crate) fn repair_in_world(
    plan: &FootPlan,
    world: &Arc<World>,
    limits: &StepLimits,
    behaviours: impl FnMut(&[Footprint]) -> Result<Vec<Behaviour>, JobError>,
) -> Result<RepairedPlan, JobError> {
    let repaired = repair_plan(plan, world, limits, behaviours).map_err(|error| match error {
        RepairError::Behaviour(error) => error,
        RepairError::Stuck { footprint, .. } => JobError::new("infeasible", error.to_string()).at_footprint(footprint),
    })?;
    let checked = PlanChecker { world: world.clone(), ..PlanChecker::default() }.check(&repaired.plan);
    checked.map_err(|error| {
        let found = JobError::new("infeasible", format!("repair knows nothing against this: {error}"));
        error.footprint().map_or(found.clone(), |footprint| found.at_footprint(footprint))
    })?;
    Ok(repaired)
}
