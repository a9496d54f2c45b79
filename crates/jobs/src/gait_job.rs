//! The jobs `gait walk` and `gait run`: walking and running from a few parameters and many attributes, with a verdict.

use crate::animate_job::shown;
use crate::character::{LoadedCharacter, ScalePlanRequest, add_motion_on, plan_failure, usual_leg_length};
use crate::contacts_job::check_svg;
use crate::gait::{GaitError, GaitRequest, GaitRoute, GaitTake, Mover, choose_style, gait_attribute, make_gait};
use crate::gait_control_request::GaitControlRequest;
use crate::gait_report::{CycleReport, GaitReport, MadeGaitReport, gait_notes};
use crate::input_request::{InputRequest, TerrainRequest};
use crate::job::{Job, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::load_terrain::load_world;
use crate::motion_output::MotionOutput;
use crate::motion_source::MotionSource;
use crate::outputs::{IfExists, Outputs};
use crate::plan_report::PlanReport;
use crate::plot_gait::{HipKneeReport, plot_hip_knee};
use crate::request_limits::check_range;
use crate::scene_picture::{PictureEnding, picture_ending};
use crate::walk_picture::draw_walk_sheet;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_contact::{DetectOptions, FootPlan, Take};
use surefoot_formats::{ReadError, own, read_bytes};
use surefoot_gait::equations::DEFAULT_HEIGHT;
use surefoot_gait::{
    Approach, AttributeUnit, AttributeValue, Gait, GaitSchedule, JumpOptions, Kinematics, LayError, LayOptions,
    Parameter, ParameterError, RunTargets, Schedule, StrideTargets, Style, StyleError, lay_jumps, mix_styles,
};
use surefoot_motion::{FRAME_RATES, PersonOptions, Side};
use surefoot_plan::{Feet, StepError};

/// What to make. Lengths in metres, times in seconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GaitMotionRequest {
    /// Where the motion goes.
    pub output: MotionOutput,
    /// Frames per second of the motion. Default 60.
    #[serde(default)]
    pub frame_rate: Option<f64>,
    /// Speed, step length, cadence.
    #[serde(default)]
    pub pace: PaceRequest,
    /// A named walk or run, and attributes.
    #[serde(default)]
    pub style: StyleRequest,
    /// Schedules, motion at the ends, cycles, variability, limps and gaze.
    #[serde(default)]
    pub control: GaitControlRequest,
    /// Height of our own figure, 0.5 to 2.5. Default 1.8.
    #[serde(default)]
    pub height: Option<f64>,
    /// Proportions of our own figure.
    #[serde(default)]
    pub body_shape: Option<BodyShapeRequest>,
    /// The character to animate instead of our own figure.
    #[serde(default)]
    pub on: Option<InputRequest>,
    /// Scale the plan of the course before it is walked. Default: walk it as it is.
    #[serde(default)]
    pub scale_plan: Option<ScalePlanRequest>,
    /// Where to go.
    #[serde(default)]
    pub course: CourseRequest,
    /// The ground. Default: flat at 0.
    #[serde(default)]
    pub terrain: Option<TerrainRequest>,
    /// Where the contacts of the motion go.
    #[serde(default)]
    pub write_contacts: Option<PathBuf>,
    /// Where the footprints that were stepped on go.
    #[serde(default)]
    pub write_plan: Option<PathBuf>,
    /// Where a picture goes: the hip-knee diagram of a stride as SVG, or a contact sheet as PNG.
    #[serde(default)]
    pub picture: Option<PathBuf>,
    /// Recordings whose diagrams are laid over it.
    #[serde(default)]
    pub compare: Vec<PathBuf>,
    /// Report the hip-knee diagrams as numbers, too.
    #[serde(default)]
    pub diagrams: bool,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// The parameters of a gait: one gives the others, two the third.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PaceRequest {
    /// In metres a second.
    pub speed: Option<f64>,
    /// From one foot's landing to the other's.
    pub step_length: Option<f64>,
    /// In steps a second.
    pub cadence: Option<f64>,
    /// What stays at its natural value, or the preset's, when another is given.
    pub lock: Option<PaceParameter>,
    /// Of a run: how high the pelvis rises in flight.
    pub flight_height: Option<f64>,
    /// Of a run: level of expertise, -1 to 1.
    pub level: Option<f64>,
}

/// One of the three parameters that depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaceParameter {
    /// Velocity.
    Speed,
    /// Step length.
    StepLength,
    /// Step frequency.
    Cadence,
}

/// How a gait looks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StyleRequest {
    /// Named walks or runs, or files of styles such as those of `gait fit`; a weight may follow a colon: `tired:0.3`. Several are mixed.
    /// One alone may be given as text.
    #[serde(deserialize_with = "one_or_many")]
    pub preset: Vec<String>,
    /// A file of named walks and runs beside ours.
    pub presets: Option<PathBuf>,
    /// By the paper's equations alone, without what recorded people do beside.
    pub plain: bool,
    /// Attributes and their values in the attribute's unit, such as `["arm-out", "30"]`.
    pub set: Vec<(String, String)>,
}

/// Proportions of our own figure, as factors on an adult's; absent ones are 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs, reason = "PersonOptions documents each field")]
pub struct BodyShapeRequest {
    pub leg: Option<f64>,
    pub shin: Option<f64>,
    pub arm: Option<f64>,
    pub foot: Option<f64>,
    pub shoulders: Option<f64>,
    pub hips: Option<f64>,
    pub head: Option<f64>,
}

/// Where to go: a number of steps, a path, or footprints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CourseRequest {
    /// How many steps, the last of which closes the feet. Default 10, or as many as the path takes.
    pub steps: Option<u32>,
    /// Turn with each step, positive to the left.
    pub turn_degrees: Option<f64>,
    /// Where the steps lead from where the body faces, positive to the left.
    pub direction_degrees: Option<f64>,
    /// The foot that steps first. Default: left, to the right right.
    pub first: Option<FootName>,
    /// A path to follow.
    pub path: Option<PathBuf>,
    /// Footprints to step on exactly.
    pub plan: Option<PathBuf>,
    /// Seconds of standing before and after. Default 0.5.
    pub standing: Option<f64>,
    /// Jumps instead of steps.
    pub jump: Option<JumpCourse>,
}

/// Which jumps to make; absent fields are those of [`JumpOptions`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JumpCourse {
    /// The feet that take off. Default: both.
    pub take_off: Option<FeetName>,
    /// The feet that land first. Default: both.
    pub landing: Option<FeetName>,
    /// Of each jump over the ground, 0 to 4. Default 0.6.
    pub distance: Option<f64>,
    /// How much higher each landing is, -1 to 0.8. Default 0.
    pub rise: Option<f64>,
    /// How many jumps, 1 to 100. Default 1.
    pub count: Option<u32>,
    /// Turn in each jump, positive to the left, -180 to 180. Default 0.
    pub turn_degrees: Option<f64>,
    /// Where they lead from where the body faces, positive to the left. Default 0.
    pub direction_degrees: Option<f64>,
    /// What comes before. Default: standing.
    pub approach: Option<ApproachName>,
}

/// One foot or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "they say what they are")]
pub enum FeetName {
    Left,
    Right,
    Both,
}

/// What comes before a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "they say what they are")]
pub enum ApproachName {
    Stand,
    Walk,
    Run,
}

impl JumpCourse {
    /// The footprints, for a figure of a height.
    fn lay(&self, height: f64) -> Result<FootPlan, JobError> {
        let feet = |name: Option<FeetName>| match name {
            Some(FeetName::Left) => Feet::Left,
            Some(FeetName::Right) => Feet::Right,
            None | Some(FeetName::Both) => Feet::Both,
        };
        let usual = JumpOptions::default();
        let options = JumpOptions {
            take_off: feet(self.take_off),
            landing: feet(self.landing),
            distance: self.distance.unwrap_or(usual.distance),
            height: self.rise.unwrap_or(usual.height),
            count: self.count.map_or(usual.count, |count| count as usize),
            turn: self.turn_degrees.unwrap_or(0.0).to_radians(),
            direction: self.direction_degrees.unwrap_or(0.0).to_radians(),
            approach: match self.approach {
                None | Some(ApproachName::Stand) => Approach::Stand,
                Some(ApproachName::Walk) => Approach::Walk,
                Some(ApproachName::Run) => Approach::Run,
            },
        };
        lay_jumps(&options, height / DEFAULT_HEIGHT)
            .map_err(|error| JobError::new("range", error.to_string()).at_field("course.jump"))
    }
}

/// A foot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FootName {
    /// The left one.
    Left,
    /// The right one.
    Right,
}

/// Most steps of a request: more than an hour of walking.
pub const MAX_GAIT_STEPS: u32 = 10_000;

macro_rules! gait_job {
    ($name:ident, $gait:expr, $command:literal, $what:literal) => {
        #[doc = $what]
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub GaitMotionRequest);

        impl Job for $name {
            const COMMAND: &'static str = $command;
            type Report = GaitReport;

            fn outputs(&self) -> Vec<&Path> {
                self.0.outputs()
            }

            fn inputs(&self) -> Vec<&Path> {
                self.0.inputs()
            }

            fn run(&self, context: &JobContext) -> Result<GaitReport, JobError> {
                self.0.run($gait, $command, context)
            }
        }
    };
}

gait_job!(GaitWalkRequest, Gait::Walk, "gait walk", "A walk from nothing.");
gait_job!(GaitRunRequest, Gait::Run, "gait run", "A run from nothing.");
gait_job!(GaitJumpRequest, Gait::Walk, "gait jump", "Jumps from nothing: `course.jump` says which.");

/// The files that give the route and the character.
struct Inputs {
    style: Style,
    schedule: GaitSchedule,
    path: Option<surefoot_ground::Path>,
    plan: Option<FootPlan>,
    /// What the plan was scaled by.
    plan_scale: Option<f64>,
    /// Instead of our own figure.
    character: Option<LoadedCharacter>,
}

impl GaitMotionRequest {
    fn outputs(&self) -> Vec<&Path> {
        self.output.paths_with(&[&self.write_contacts, &self.write_plan, &self.picture, &self.report])
    }

    fn inputs(&self) -> Vec<&Path> {
        let course = [&self.course.path, &self.course.plan, &self.style.presets].into_iter().flatten();
        let files = course.chain(&self.compare).map(PathBuf::as_path);
        let files = files.chain(self.style.preset.iter().filter_map(|preset| style_file(preset_and_weight(preset).0)));
        let on = self.on.iter().flat_map(InputRequest::files);
        files.chain(on).chain(self.terrain.as_ref().and_then(TerrainRequest::file)).collect()
    }

    fn run(&self, gait: Gait, command: &str, context: &JobContext) -> Result<GaitReport, JobError> {
        self.check(gait)?;
        let mut outputs = Outputs::check_apart(self.outputs(), self.inputs(), self.if_exists)?;
        let inputs = self.read(gait)?;
        context.advance(1, 3, "motion")?;
        let made = self.make(&inputs)?;
        context.advance(2, 3, "files")?;
        let mut notes = gait_notes(&made, inputs.plan.is_some());
        let is_scheduled =
            !(self.control.speed.is_empty() && self.control.cadence.is_empty() && self.control.step_length.is_empty());
        if self.pace.lock.is_some() && self.targets().stride.count() == 0 && !is_scheduled {
            let note = "--lock holds one of speed, step length and cadence while another is given; none is";
            notes.push(note.to_string());
        }
        let output = MotionOutput { is_loop: made.cycle.is_some(), ..self.output.clone() };
        let motion = add_motion_on(inputs.character.as_ref(), &output, &mut outputs, &made.take)?;
        outputs.add_contacts(self.write_contacts.as_deref(), &made.take.contacts);
        if let Some(file) = &self.write_plan {
            outputs.add("plan", file, own::write_plan(&made.plan).into_bytes());
        }
        if let Some(file) = &self.picture {
            outputs.add("picture", file, self.draw(file, gait, &made, &mut notes)?);
        }
        let diagrams = if self.diagrams { self.measure_diagrams(&made)? } else { Vec::new() };
        context.check()?;
        let catalogue = gait.catalogue();
        let attribute = |name: &'static str| Some((name.to_string(), gait_attribute(&made.settings, name)?.into()));
        let report = GaitReport {
            synthesis: PlanReport::new(&made.report, &made.take.clip),
            gait: gait.name().to_string(),
            style: if self.course.jump.is_some() { "jump".to_string() } else { inputs.style.name.clone() },
            about: inputs.style.what.clone(),
            preset: (!self.style.preset.is_empty()).then(|| self.style.preset.join(" + ")),
            on: inputs.character.as_ref().map(|character| character.report(inputs.plan_scale)),
            height: made.height,
            parameters: inputs.plan.is_none().then(|| (&made.settings).into()),
            made: made.made.as_ref().map(MadeGaitReport::from),
            spans: made.spans.clone(),
            cycle: made.cycle.map(|travel| CycleReport {
                seconds: travel.seconds,
                offset: travel.offset.to_array(),
                turn_degrees: travel.turn.to_degrees(),
                in_place: self.control.in_place,
                cadence_factor: travel.cadence_factor,
            }),
            attributes: catalogue.iter().filter_map(|info| attribute(info.name)).collect(),
            set: made.set.iter().map(|(name, _)| name.to_string()).collect(),
            notes,
            motion,
            contacts_output: shown(&self.write_contacts),
            plan_output: shown(&self.write_plan),
            picture: shown(&self.picture),
            diagrams,
            files: outputs.files(),
        };
        finish(outputs, command, report, self.report.as_deref())
    }

    /// Refuses what cannot be, before any file is read.
    fn check(&self, gait: Gait) -> Result<(), JobError> {
        check_range("frame_rate", self.frame_rate, FRAME_RATES)?;
        self.output.format()?;
        if let Some(file) = self.picture.as_deref().filter(|file| picture_ending(file) != Some(PictureEnding::Png)) {
            check_svg(file)?;
        }
        if !self.compare.is_empty()
            && !self.diagrams
            && self.picture.as_deref().and_then(picture_ending) != Some(PictureEnding::Svg)
        {
            let message = "recordings are laid over a hip-knee diagram; --picture FILE.svg asks for one";
            return Err(JobError::new("usage", message).at_field("compare"));
        }
        if gait == Gait::Walk && (self.pace.flight_height.is_some() || self.pace.level.is_some()) {
            let message = "flight height and level are parameters of runs; a walk has none";
            return Err(JobError::new("usage", message).at_field("pace"));
        }
        if self.on.is_some() && (self.height.is_some() || self.body_shape.is_some()) {
            let message = "height and body shape are those of our own figure, not of the character in a file";
            return Err(JobError::new("usage", message).at_field("on"));
        }
        ScalePlanRequest::check(self.scale_plan, self.terrain.is_some())?;
        if self.scale_plan.is_some() && self.course.plan.is_none() {
            let message = "a plan is scaled, and --plan names none: steps that are laid here fit their legs";
            return Err(JobError::new("usage", message).at_field("scale_plan"));
        }
        if gait == Gait::Walk && !self.control.level.is_empty() && self.control.speed.is_empty() {
            let message = "a level is a parameter of runs; a walk has none unless its speeds make it run";
            return Err(JobError::new("usage", message).at_field("control.level"));
        }
        self.control.check()?;
        let course = &self.course;
        if course.jump.is_some() && (course.path.is_some() || course.plan.is_some()) {
            let message = "jumps are given beside a path or a plan; one of them would do";
            return Err(JobError::new("usage", message).at_field("course.jump"));
        }
        if course.path.is_some() && course.plan.is_some() {
            return Err(JobError::new("usage", "a path and a plan are given; one of them would do").at_field("course"));
        }
        check_range("course.steps", course.steps.map(f64::from), 1.0..=f64::from(MAX_GAIT_STEPS))?;
        check_range("course.standing", course.standing, 0.0..=600.0)?;
        check_range("course.turn_degrees", course.turn_degrees, -60.0..=60.0)?;
        check_range("course.direction_degrees", course.direction_degrees, -360.0..=360.0)
    }

    fn targets(&self) -> RunTargets {
        let PaceRequest { speed, step_length, cadence, flight_height, level, .. } = self.pace;
        RunTargets { stride: StrideTargets { speed, step_length, cadence }, flight_height, level }
    }

    fn read(&self, gait: Gait) -> Result<Inputs, JobError> {
        let users = read_own(self.style.presets.as_deref(), own::read_styles)?.unwrap_or_default();
        let style = self.style.choose(gait, &users)?;
        let set = self.style.set.iter().map(|(name, text)| setting(name, text, gait));
        let set = set.map(|set| set.map(|(name, value)| (name, Schedule::constant(value))));
        let RunTargets { stride, flight_height, level } = self.targets();
        let constant = |number: Option<f64>| number.map(Schedule::constant);
        let base = GaitSchedule {
            speed: constant(stride.speed),
            step_length: constant(stride.step_length),
            cadence: constant(stride.cadence),
            level: constant(level),
            flight_height,
            lock: self.pace.lock.map(Parameter::from),
            set: set.collect::<Result<_, _>>()?,
            kinematics: if self.style.plain { Kinematics::Plain } else { Kinematics::Normative },
            ..GaitSchedule::of_style(style.clone())
        };
        let schedule = self.control.schedule(base, gait, |name, gait| {
            StyleRequest { preset: vec![name.to_string()], ..StyleRequest::default() }.choose(gait, &users)
        })?;
        let path = read_own(self.course.path.as_deref(), own::read_path)?;
        let plan = read_own(self.course.plan.as_deref(), own::read_plan)?;
        let character = self.on.as_ref().map(LoadedCharacter::load).transpose()?;
        let scaled = plan
            .map(|plan| ScalePlanRequest::apply(self.scale_plan, &plan, character.as_ref(), usual_leg_length()))
            .transpose()?;
        let (plan, plan_scale) = scaled.map_or((None, None), |(plan, scale)| (Some(plan), scale));
        let own_height = self.height.unwrap_or(DEFAULT_HEIGHT);
        let height = character.as_ref().map_or(own_height, |character| character.rig.proportions().height);
        let jumps = self.course.jump.map(|jump| jump.lay(height)).transpose()?;
        Ok(Inputs { style, schedule, path, plan: plan.or(jumps), plan_scale, character })
    }

    fn make(&self, inputs: &Inputs) -> Result<GaitTake, JobError> {
        let mover = inputs.character.as_ref().map_or_else(|| Mover::Own(self.person()), LoadedCharacter::mover);
        let course = &self.course;
        let direction = course.direction_degrees.unwrap_or(0.0).to_radians();
        let options = LayOptions {
            n_steps: course.steps.map(|steps| steps as usize),
            turn: course.turn_degrees.unwrap_or(0.0).to_radians(),
            direction,
            first: match course.first {
                // To the right, the left foot would have nowhere to go.
                None if direction.sin() < -1e-6 => Side::Right,
                None => Side::Left,
                Some(foot) => foot.into(),
            },
            path: inputs.path.as_ref(),
            ..LayOptions::default()
        };
        let request = GaitRequest {
            mover,
            style: &inputs.style,
            targets: self.targets(),
            lock: self.pace.lock.map(Parameter::from),
            set: &[],
            kinematics: if self.style.plain { Kinematics::Plain } else { Kinematics::Normative },
            route: inputs.plan.as_ref().map_or(GaitRoute::Steps(&options), GaitRoute::Plan),
            world: load_world(self.terrain.as_ref())?,
            frame_rate: self.frame_rate.unwrap_or(60.0),
            standing: course.standing.unwrap_or(0.5),
            control: self.control.control(&inputs.schedule),
        };
        make_gait(&request).map_err(|error| self.failure(error, inputs))
    }

    fn person(&self) -> PersonOptions {
        let usual = PersonOptions::default();
        let shape = self.body_shape.unwrap_or_default();
        PersonOptions {
            height: self.height.unwrap_or(usual.height),
            leg: shape.leg.unwrap_or(usual.leg),
            shin: shape.shin.unwrap_or(usual.shin),
            arm: shape.arm.unwrap_or(usual.arm),
            foot: shape.foot.unwrap_or(usual.foot),
            shoulders: shape.shoulders.unwrap_or(usual.shoulders),
            hips: shape.hips.unwrap_or(usual.hips),
            head: shape.head.unwrap_or(usual.head),
        }
    }

    /// An error, with the file or option that it came from.
    fn failure(&self, error: GaitError, inputs: &Inputs) -> JobError {
        let message = error.to_string();
        let of = |kind: &str, file: Option<&Path>| match file {
            Some(file) => JobError::of_file(kind, file, message.clone()),
            None => JobError::new(kind, message.clone()),
        };
        let on = self.on.as_ref().map(|on| on.file.as_path());
        let course = self.course.plan.as_deref().or(self.course.path.as_deref());
        match error {
            GaitError::Person(error) if error.field == "height" => {
                JobError::new("body", format!("--height: {message}"))
            }
            GaitError::Person(_) => JobError::new("body", format!("--body-shape: {message}")),
            GaitError::Rig(_) => of("body", on),
            GaitError::Style(StyleError::Parameter(ParameterError::OutOfRange {
                parameter: Parameter::BodyHeight,
                ..
            })) => match on {
                Some(file) => JobError::of_file("body", file, format!("{message}; --unit gives another size")),
                None => JobError::new("body", message),
            },
            GaitError::Style(_) => JobError::new("parameter", message),
            GaitError::Set(_) => JobError::new("attribute", format!("--set: {message}")),
            GaitError::Control(_) => JobError::new("usage", message),
            GaitError::Scheduled { .. } => JobError::new("schedule", message),
            GaitError::Lay(LayError::TooSteep { number, .. }) => {
                JobError { footprint: Some(number), ..JobError::new("infeasible", message) }
            }
            GaitError::Lay(LayError::TooMany { .. }) => JobError::new("too_long", message),
            GaitError::Lay(_) => JobError::new("usage", message),
            GaitError::TooLong { .. } => of("too_long", course),
            GaitError::Step(ref error) => match course {
                Some(course) => {
                    plan_failure(error, course, inputs.character.as_ref(), (inputs.plan_scale, usual_leg_length()))
                }
                None if matches!(error, StepError::TooLong { .. } | StepError::Option { .. }) => error.into(),
                None if self.course.jump.is_some() => {
                    let less = "a shorter distance, a lower rise, a smaller turn, or an approach would do";
                    let message = format!("{message}; {less} (--distance, --rise, --turn, --approach)");
                    JobError { message: message.into(), ..error.into() }
                }
                None => {
                    let less = "less speed, shorter steps, a smaller turn or another ground would do";
                    let message = format!("{message}; {less} (--speed, --step-length, --turn, --terrain)");
                    JobError { message: message.into(), ..error.into() }
                }
            },
            GaitError::Missed(_) => of("infeasible", course),
        }
    }

    /// The hip-knee diagram, over those of recordings; or a contact sheet.
    fn draw(&self, path: &Path, gait: Gait, made: &GaitTake, notes: &mut Vec<String>) -> Result<Vec<u8>, JobError> {
        if picture_ending(path) == Some(PictureEnding::Png) {
            let world = load_world(self.terrain.as_ref())?;
            let n_footprints = made.plan.footprints.len();
            return draw_walk_sheet(path, &made.take, world.terrain.as_ref(), n_footprints);
        }
        let mut takes = vec![(made.take.clip.name.clone(), made.take.clone())];
        let draw = |takes: &[(String, Take)]| {
            let named: Vec<_> = takes.iter().map(|(name, take)| (&**name, take)).collect();
            plot_hip_knee(&format!("Hip and knee in a stride: {gait}"), &named)
        };
        if draw(&takes).is_none() {
            let message =
                "a diagram needs a complete stride, which this motion has not; 8 steps or more would do (--steps)";
            return Err(JobError::of_file("usage", path, message));
        }
        for file in &self.compare {
            let recording = recording(file)?;
            if draw(std::slice::from_ref(&recording)).is_none() {
                notes.push(format!("{} has no stride that could be compared", file.display()));
            }
            takes.push(recording);
        }
        Ok(draw(&takes).unwrap_or_default().into_bytes())
    }

    /// The diagrams as numbers: of the motion, then of recordings; those without a stride are left out.
    fn measure_diagrams(&self, made: &GaitTake) -> Result<Vec<HipKneeReport>, JobError> {
        let recordings = self.compare.iter().map(|file| recording(file)).collect::<Result<Vec<_>, _>>()?;
        let made = std::iter::once((made.take.clip.name.as_str(), &made.take));
        let takes = made.chain(recordings.iter().map(|(name, take)| (name.as_str(), take)));
        Ok(takes.filter_map(|(name, take)| HipKneeReport::of_take(name, take)).collect())
    }
}

/// A recording to compare with, and its name.
fn recording(file: &Path) -> Result<(String, Take), JobError> {
    let MotionSource { take, .. } = MotionSource::load(&InputRequest::new(file), &DetectOptions::default())?;
    Ok((file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned()), take))
}

impl StyleRequest {
    /// The style that is asked for, from our own, the user's and files of fitted ones, mixed if there are several.
    fn choose(&self, gait: Gait, users: &[Style]) -> Result<Style, JobError> {
        let failed = |name: &str, error: &dyn std::fmt::Display| {
            JobError::new("style", format!("--preset {name}: {error}")).at_field("style.preset")
        };
        let mut chosen = Vec::new();
        for preset in &self.preset {
            let (name, weight) = preset_and_weight(preset);
            let style = match style_file(name) {
                Some(file) => style_of_file(file, gait)?,
                None => choose_style(name, gait, users).map_err(|error| failed(name, &error))?,
            };
            let weight = weight
                .map_err(|text| failed(name, &format!("found the weight `{text}`, needs a number such as 0.5")))?;
            chosen.push((style, weight));
        }
        if chosen.is_empty() {
            return Ok(Style { name: gait.to_string(), ..Style::natural(gait) });
        }
        mix_styles(&chosen).map_err(|error| failed(&self.preset.join(" + "), &error))
    }
}

/// A preset's name and its weight, which follows a colon; 1 without.
fn preset_and_weight(preset: &str) -> (&str, Result<f64, &str>) {
    match preset.rsplit_once(':') {
        // A drive's letter is no name.
        Some((name, weight)) if name.len() > 1 => (name, weight.parse().map_err(|_| weight)),
        _ => (preset, Ok(1.0)),
    }
}

/// The file that a preset names, if it does not name a style.
fn style_file(name: &str) -> Option<&Path> {
    let path = Path::new(name);
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")).then_some(path)
}

/// The one style of a gait in a file.
fn style_of_file(file: &Path, gait: Gait) -> Result<Style, JobError> {
    let styles = read_own(Some(file), own::read_styles)?.unwrap_or_default();
    let own: Vec<&Style> = styles.iter().filter(|style| style.gait == gait).collect();
    match own[..] {
        [style] => Ok(style.clone()),
        [] => Err(JobError::of_file("style", file, format!("has no {gait}"))),
        _ => {
            let names: Vec<&str> = own.iter().map(|style| &*style.name).collect();
            let message = format!("has several: {}; --presets FILE --preset NAME takes one", names.join(", "));
            Err(JobError::of_file("style", file, message))
        }
    }
}

/// A text, or a list of them.
fn one_or_many<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany {
        One(String),
        Many(Vec<String>),
        Nothing(()),
    }
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::One(one) => vec![one],
        OneOrMany::Many(many) => many,
        OneOrMany::Nothing(()) => Vec::new(),
    })
}

impl From<PaceParameter> for Parameter {
    fn from(parameter: PaceParameter) -> Parameter {
        match parameter {
            PaceParameter::Speed => Parameter::Speed,
            PaceParameter::StepLength => Parameter::StepLength,
            PaceParameter::Cadence => Parameter::Cadence,
        }
    }
}

/// An attribute and its value; a unit that is given must be the attribute's own.
pub(crate) fn setting(name: &str, text: &str, gait: Gait) -> Result<(String, AttributeValue), JobError> {
    let failed = |message: String| JobError::new("attribute", format!("--set: {message}")).at_field("style.set");
    let value: AttributeValue = text.parse().map_err(|error| failed(format!("{name}: {error}")))?;
    let units = [AttributeUnit::Degrees, AttributeUnit::Metres];
    let given = units.into_iter().find(|unit| text.trim_end().ends_with(unit.name()));
    let info = gait.catalogue().into_iter().find(|info| info.name == name);
    if let (Some(info), Some(unit)) = (info, given)
        && info.unit != unit
    {
        let needed = info.show_range(DEFAULT_HEIGHT);
        return Err(failed(format!("{name} is not given in {}: it takes {needed}", unit.name())));
    }
    Ok((name.to_string(), value))
}

/// A file of our own that a request names.
pub(crate) fn read_own<T>(
    path: Option<&Path>,
    read: impl Fn(&[u8]) -> Result<T, ReadError>,
) -> Result<Option<T>, JobError> {
    let Some(path) = path else { return Ok(None) };
    Ok(Some(read(&read_bytes(path)?).map_err(|error| error.in_file(path))?))
}
