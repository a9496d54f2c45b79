//! The job `animate`: a foot plan becomes a person who walks, runs, jumps, hops and climbs over it, with a verdict.
//!
//! What leads to each footprint is decided first (COMPOSE). A plan that is walked to its end is walked on recorded steps alone (STRIDE).

use crate::build_behaviours_job::behaviours_of_corpus;
use crate::build_steps::{load_steps_and_flights, steps_of_corpus};
use crate::character::{CharacterReport, LoadedCharacter, ScalePlanRequest, add_motion_on, plan_failure};
use crate::composer::compose_on;
use crate::input_request::{InputRequest, TerrainRequest};
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::load_terrain::load_world;
use crate::motion_output::{MotionOutput, MotionReport};
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::plan_as_flown::plan_as_flown;
use crate::plan_editor::corpus_failure;
use crate::plan_mover::{MoverError, PlanMover, mover_of_plan};
use crate::plan_report::{PlanReport, StepSourceReport};
use crate::recognise_job::load_behaviours;
use crate::repair_plan_job::PlanChangeReport;
use crate::repair_steps::{read_any_plan, repair_refused};
use crate::request_limits::check_range;
use crate::scene_picture::check_scene_picture;
use crate::style::{StyleReport, find_style};
use crate::walk_picture::draw_walk_sheet;
use serde::{Deserialize, Serialize};
use std::cell::{Cell, OnceCell};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot_compose::{ComposeSynthesizer, FlightLibrary, NoRoom, StepLimits};
use surefoot_contact::FootPlan;
use surefoot_formats::own;
use surefoot_gait::{CorpusOptions, complete_corpus, corpus as make_corpus, corpus_walks};
use surefoot_motion::FRAME_RATES;
use surefoot_plan::{FootprintRow, StepError, Synthesis, synthesize};
use surefoot_steps::{Choice, ChooseOptions, HighWeights, Neighbour, Selection, StepDatabase, Steps, WalkOptions};

/// Which plan to walk, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnimateRequest {
    /// Foot plan; `-` is standard input.
    pub plan: PathBuf,
    /// Where the motion goes.
    pub output: MotionOutput,
    /// Step database. Default: that of the built-in corpus.
    #[serde(default)]
    pub db: Option<PathBuf>,
    /// Database of behaviours that footprints are recognised by. Default: that of the built-in corpus.
    #[serde(default)]
    pub behaviours: Option<PathBuf>,
    /// Who moves.
    #[serde(default)]
    pub with: AnimateWith,
    /// The character to animate. Default: the body of the database.
    #[serde(default)]
    pub on: Option<InputRequest>,
    /// Scale the plan before it is walked. Default: walk it as it is.
    #[serde(default)]
    pub scale_plan: Option<ScalePlanRequest>,
    /// Move footprints that nobody could step to where somebody can. Default: such a plan is refused.
    #[serde(default)]
    pub repair: bool,
    /// Where the plan that was walked goes, with its flights.
    #[serde(default)]
    pub write_plan: Option<PathBuf>,
    /// The ground. Default: as high as each footprint.
    #[serde(default)]
    pub terrain: Option<TerrainRequest>,
    /// Frames per second of the motion, 1 to 1000. Default 60.
    #[serde(default)]
    pub frame_rate: Option<f64>,
    /// How much soft targets count.
    #[serde(default)]
    pub targets: SoftTargetsRequest,
    /// Which steps are blended.
    #[serde(default)]
    pub choose: ChooseRequest,
    /// Whom the walk is like: a person or a take of the database, or a clip. Default: who suits the plan best.
    #[serde(default)]
    pub style: Option<String>,
    /// Report which steps were looked at for each footprint.
    #[serde(default)]
    pub explain: bool,
    /// Where the contacts of the motion go.
    #[serde(default)]
    pub write_contacts: Option<PathBuf>,
    /// Where a contact sheet goes, as PNG or SVG.
    #[serde(default)]
    pub picture: Option<PathBuf>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// Who moves over a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnimateWith {
    /// Recorded steps where it is walked, gait where it is run, jumped and hopped.
    #[default]
    Compose,
    /// Recorded steps alone: every footprint is walked to, and flights are refused.
    Steps,
    /// Gait alone, without any recorded step.
    Gait,
}

/// How much a plan's soft targets count beside what the blended steps have, each 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SoftTargetsRequest {
    /// Headings. Default 0.8; 1 turns feet fully.
    pub heading_weight: Option<f64>,
    /// Swing and support times. Default 1.
    pub time_weight: Option<f64>,
}

/// Which steps are blended (STRIDE 5.1, 5.2, 8.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChooseRequest {
    /// How they are selected.
    pub selection: SelectionName,
    /// What a metre counts in the resemblance of steps. Default 1.
    pub location_weight: Option<f64>,
    /// What a radian of heading counts.
    pub orientation_weight: Option<f64>,
    /// What a second of swing or support counts.
    pub timing_weight: Option<f64>,
    /// What a metre of height between the feet counts.
    pub height_weight: Option<f64>,
    /// How far below 0 weights may go for steps that the database does not span, 0 to 10.
    pub max_extrapolation: Option<f64>,
    /// What a metre counts that the postures of successive steps differ by where they meet.
    pub posture_weight: Option<f64>,
    /// Trunk and arms of one recorded step instead of the blend.
    pub splice_upper: bool,
}

/// How steps are selected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SelectionName {
    /// The four that span a step and together resemble it most.
    #[default]
    Best,
    /// The best of the four regions beyond its neighbours, as in the paper.
    Regions,
    /// The neighbours that span it as they are.
    Neighbours,
}

/// What `animate` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnimateReport {
    /// Verdict, footprints and metrics.
    #[serde(flatten)]
    pub synthesis: PlanReport,
    /// The plan.
    pub plan: String,
    /// The step database; absent for the built-in corpus.
    pub db: Option<String>,
    /// The character; absent if the body of the database was animated.
    pub on: Option<CharacterReport>,
    /// Steps in the database, mirror images among them.
    pub database_steps: usize,
    /// Whom the walk is like; absent where the database has one person.
    pub style: Option<StyleReport>,
    /// The motion that was written.
    pub motion: MotionReport,
    /// The contacts file.
    pub contacts_output: Option<String>,
    /// The plan that was walked.
    pub plan_output: Option<String>,
    /// What repair changed, in the order of the plan that was walked.
    #[serde(default)]
    pub changes: Vec<PlanChangeReport>,
    /// Changes of behaviour that the plan leaves fewer steps for than recorded people take (COMPOSE 4.2).
    #[serde(default)]
    pub no_room: Vec<String>,
    /// The contact sheet.
    pub picture: Option<String>,
    /// What was looked at for each footprint after the standing feet; absent if that was not requested.
    pub choices: Option<Vec<ChoiceReport>>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// Which steps were looked at for a footprint, and which were blended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChoiceReport {
    /// From 0, as in the plan's file.
    pub footprint: usize,
    /// `left` or `right`.
    pub foot: String,
    /// When the foot lands.
    pub land_seconds: f64,
    /// How the step was made.
    pub origin: String,
    /// How far it lies outside of what is recorded.
    pub outside_cm: f64,
    /// How far the heights of the recorded steps are from its own; 0 where these are recorded.
    pub height_outside_cm: f64,
    /// Steps that span it.
    pub neighbours: Vec<NeighbourReport>,
    /// Steps that were blended.
    pub blended: Vec<StepSourceReport>,
}

/// A step that spans a footprint's step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NeighbourReport {
    /// Take and frames.
    pub name: String,
    /// Its weight among the neighbours.
    pub weight: f64,
    /// How far it is from what is asked for, by all features (`D_high`).
    pub distance: f64,
    /// The step that replaces it, and its distance.
    pub replaced_by: Option<(String, f64)>,
    /// Whether it is blended itself.
    #[serde(alias = "stays")]
    pub kept: bool,
}

impl JobReport for AnimateReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }

    fn not_met(&self) -> Option<JobError> {
        self.synthesis.not_met().map(|error| error.in_file(&self.plan))
    }
}

impl Job for AnimateRequest {
    const COMMAND: &'static str = "animate";
    type Report = AnimateReport;

    fn outputs(&self) -> Vec<&Path> {
        self.output.paths_with(&[&self.write_contacts, &self.write_plan, &self.picture, &self.report])
    }

    fn inputs(&self) -> Vec<&Path> {
        let files = std::iter::once(&self.plan).chain(&self.db).chain(&self.behaviours).map(PathBuf::as_path);
        let on = self.on.iter().flat_map(InputRequest::files);
        files.chain(on).chain(self.terrain.as_ref().and_then(TerrainRequest::file)).collect()
    }

    fn run(&self, context: &JobContext) -> Result<AnimateReport, JobError> {
        check_range("frame_rate", self.frame_rate, FRAME_RATES)?;
        self.output.format()?;
        self.picture.as_deref().map_or(Ok(()), check_scene_picture)?;
        ScalePlanRequest::check(self.scale_plan, self.terrain.is_some())?;
        let mut outputs = Outputs::check_apart(self.outputs(), self.inputs(), self.if_exists)?;
        let (plan, unread) = read_any_plan(&self.plan)?;
        let world = load_world(self.terrain.as_ref())?;
        let character = self.on.as_ref().map(LoadedCharacter::load).transpose()?;
        let corpus = CorpusOptions::default();
        let (database, flights, walks) = match &self.db {
            Some(path) => load_steps_and_flights(path).map(|(database, flights)| (database, flights, None))?,
            None => {
                let walks = corpus_walks(&corpus).map_err(|error| corpus_failure(&error))?;
                (steps_of_corpus(&walks), FlightLibrary::default(), Some(walks))
            }
        };
        let behaviours = self.behaviours.as_deref().map(load_behaviours).transpose()?;
        let usual_leg = database.parts().body.leg_length(&database.parts().skeleton);
        let (plan, plan_scale) = ScalePlanRequest::apply(self.scale_plan, &plan, character.as_ref(), usual_leg)?;
        let database = match &character {
            Some(character) => character.steps(&database)?,
            None => database,
        };
        let (database, style) = match &self.style {
            Some(name) => find_style(database, name).map(|(database, style)| (database, Some(style)))?,
            None => (Arc::new(database), None),
        };
        let steps = Steps { style, ..Steps::new(database, self.options()) };
        context.advance(1, 3, "walk")?;
        let walks = Cell::new(walks);
        let failed = |error: StepError| plan_failure(&error, &self.plan, character.as_ref(), (plan_scale, usual_leg));
        let known = OnceCell::new();
        let composer = || -> Result<&ComposeSynthesizer, JobError> {
            if known.get().is_none() {
                let of_corpus = || {
                    let walks = walks.take();
                    let complete = walks.map_or_else(|| make_corpus(&corpus), |walks| complete_corpus(walks, &corpus));
                    complete.map(|corpus| behaviours_of_corpus(&corpus)).map_err(|error| corpus_failure(&error))
                };
                let behaviours = behaviours.clone().map_or_else(of_corpus, Ok)?;
                let rig = character.as_ref().map(|character| character.rig.clone());
                let composer = compose_on((&steps, &flights), &behaviours, rig, self.behaviours.as_deref())?;
                return Ok(known.get_or_init(|| composer));
            }
            Ok(known.get().expect("it is made"))
        };
        let attempt = |plan: &FootPlan| -> Result<(PlanMover, Synthesis), JobError> {
            let mover = mover_of_plan(&steps, self.with, (&world, plan), || composer().cloned());
            let mover = mover.map_err(|error| match error {
                MoverError::Job(error) => error,
                MoverError::Step(error) => failed(error),
            })?;
            let walk = synthesize(&*mover.synthesizer, &world, plan, "walk").map_err(failed)?;
            Ok((mover, walk))
        };
        let (plan, changes, (PlanMover { decided, is_walk, no_room, .. }, walk)) =
            match unread.map_or_else(|| attempt(&plan), Err) {
                Ok(moved) => (plan, Vec::new(), moved),
                Err(refusal) => {
                    let decides = if self.with == AnimateWith::Steps { None } else { Some(composer()?) };
                    let leg = steps.database.parts().body.leg_length(&steps.database.parts().skeleton);
                    let limits = StepLimits::default().scaled(leg);
                    let repaired = repair_refused(refusal, self.repair, (&plan, &world), decides, &limits)?;
                    let moved = attempt(&repaired.plan).map_err(|error| JobError {
                        message: format!("{}; of the repaired plan, which did not help", error.message).into(),
                        ..error
                    })?;
                    (repaired.plan.clone(), PlanChangeReport::of(&repaired), moved)
                }
            };
        let explained = self.explain && is_walk;
        let choices = explained.then(|| steps.choices(&world, &plan)).transpose().map_err(failed)?;
        let choices = choices.map(|choices| {
            let rows = walk.report.footprints.iter().skip(2);
            rows.zip(&choices).map(|(row, choice)| ChoiceReport::new(&steps.database, row, choice)).collect()
        });
        context.advance(2, 3, "files")?;
        let motion = add_motion_on(character.as_ref(), &self.output, &mut outputs, &walk.take)?;
        if let Some(file) = &self.write_plan {
            let written = plan_as_flown(&plan, &walk.report);
            outputs.add("plan", file, own::write_plan(&written).into_bytes());
        }
        outputs.add_contacts(self.write_contacts.as_deref(), &walk.take.contacts);
        if let Some(file) = &self.picture {
            let n_footprints = plan.footprints.len();
            let sheet = draw_walk_sheet(file, &walk.take, world.terrain.as_ref(), n_footprints)?;
            outputs.add("picture", file, sheet);
        }
        context.check()?;
        let report = AnimateReport {
            synthesis: PlanReport::new(&walk.report, &walk.take.clip).with_reasons(decided.as_deref()),
            plan: self.plan.display().to_string(),
            db: shown(&self.db),
            on: character.as_ref().map(|character| character.report(plan_scale)),
            database_steps: steps.database.steps().len(),
            style: StyleReport::new(&walk.report, &steps),
            motion,
            contacts_output: shown(&self.write_contacts),
            plan_output: shown(&self.write_plan),
            changes,
            no_room: no_room.iter().map(NoRoom::to_string).collect(),
            picture: shown(&self.picture),
            choices,
            files: outputs.files(),
        };
        finish(outputs, AnimateRequest::COMMAND, report, self.report.as_deref())
    }
}

/// A path as reports have it.
pub(crate) fn shown(path: &Option<PathBuf>) -> Option<String> {
    path.as_ref().map(|path| path.display().to_string())
}

impl AnimateRequest {
    fn options(&self) -> WalkOptions {
        let usual = WalkOptions::default();
        let weights = usual.choose.weights;
        WalkOptions {
            frame_rate: self.frame_rate.unwrap_or(usual.frame_rate),
            heading_weight: self.targets.heading_weight.unwrap_or(usual.heading_weight),
            time_weight: self.targets.time_weight.unwrap_or(usual.time_weight),
            choose: ChooseOptions {
                weights: HighWeights {
                    location: self.choose.location_weight.unwrap_or(weights.location),
                    orientation: self.choose.orientation_weight.unwrap_or(weights.orientation),
                    timing: self.choose.timing_weight.unwrap_or(weights.timing),
                    height: self.choose.height_weight.unwrap_or(weights.height),
                },
                selection: match self.choose.selection {
                    SelectionName::Best => Selection::Best,
                    SelectionName::Regions => Selection::Regions,
                    SelectionName::Neighbours => Selection::Neighbours,
                },
                max_extrapolation: self.choose.max_extrapolation.unwrap_or(usual.choose.max_extrapolation),
                posture: self.choose.posture_weight.unwrap_or(usual.choose.posture),
                ..usual.choose
            },
            splice_upper: self.choose.splice_upper,
            ..usual
        }
    }
}

/// Why a plan was refused, with its file unless an option is wrong.
pub(crate) fn step_failure(error: &StepError, plan: &Path) -> JobError {
    let failure = JobError::from(error);
    if matches!(error, StepError::Option { .. }) { failure } else { failure.in_file(plan) }
}

impl ChoiceReport {
    fn new(database: &StepDatabase, row: &FootprintRow, choice: &Choice) -> ChoiceReport {
        let name = |step: usize| database.steps()[step].source.name();
        let neighbour = |Neighbour { spanning, distance, replaced_by }: &Neighbour| NeighbourReport {
            name: name(spanning.step).to_string(),
            weight: spanning.weight,
            distance: *distance,
            replaced_by: replaced_by.map(|(other, distance)| (name(other).to_string(), distance)),
            kept: choice.parts().iter().any(|part| part.step == spanning.step),
        };
        let parts = choice.parts().iter();
        ChoiceReport {
            footprint: row.index,
            foot: row.side.name().to_string(),
            land_seconds: row.land,
            origin: row.origin.name().to_string(),
            outside_cm: 100.0 * choice.outside,
            height_outside_cm: 100.0 * row.height_outside,
            neighbours: choice.neighbours.iter().flatten().map(neighbour).collect(),
            blended: parts
                .map(|part| StepSourceReport { name: name(part.step).to_string(), weight: part.weight })
                .collect(),
        }
    }
}
