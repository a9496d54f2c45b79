//! Procedural gait as one call: a person, gait settings and a route become a take whose feet are planted exactly (GAIT).

use crate::gait_control::{
    Cycle, CycleTravel, GaitControl, cycle_travel, seam, settings_along, take_out_travel, with_cadence,
};
use crate::made_gait::{GaitSpan, MadeGait, measure_made, measure_spans};
use std::sync::Arc;
use surefoot_contact::{FootPlan, Take, measure_placement};
use surefoot_formats::own;
use surefoot_gait::{
    AttributeError, AttributeValue, Ends, Gait, GaitOptions, GaitSchedule, GaitSettings, GaitSynthesizer, Gaze,
    Kinematics, LayError, LayOptions, Pace, Parameter, PlannedFlight, Rig, RigError, RunOverrides, RunParameters,
    RunTargets, Schedule, SettingsError, Style, StyleError, equations, lay_paced_steps, transition_speed,
};
use surefoot_geom::{Range, median};
use surefoot_motion::{BodyMap, PersonError, PersonOptions, Poses, Skeleton, closest_names, person};
use surefoot_plan::{MAX_FRAMES, StepError, Synthesis, SynthesisReport, World, synthesize};

/// Who moves.
#[derive(Clone, Debug)]
pub enum Mover<'a> {
    /// A figure of our own.
    Own(PersonOptions),
    /// Any skeleton of a person.
    Skeleton {
        /// Its joints.
        skeleton: Arc<Skeleton>,
        /// Which joint is which.
        body: &'a BodyMap,
        /// Some motion of it, which shows how the person stands where the rest pose does not; may be empty.
        poses: &'a Poses,
    },
}

/// Where to go.
#[derive(Clone, Copy, Debug)]
pub enum GaitRoute<'a> {
    /// Steps are laid straight on, in a turn, or along a path. The ground of the request is taken, not that of the options.
    Steps(&'a LayOptions<'a>),
    /// Footprints are given.
    Plan(&'a FootPlan),
}

/// What to make.
#[derive(Clone, Debug)]
pub struct GaitRequest<'a> {
    /// Who moves.
    pub mover: Mover<'a>,
    /// A named walk or run, which also gives the gait; [`Style::natural`] for none.
    pub style: &'a Style,
    /// What is asked of the parameters on top of the style; flight height and level for runs only.
    pub targets: RunTargets,
    /// Which of speed, step length and cadence keeps the style's value when another has a target. `None`: the style's own lock.
    pub lock: Option<Parameter>,
    /// Attributes on top of the style's, by their names, in the user's units.
    pub set: &'a [(String, AttributeValue)],
    /// As people move, or by the paper alone.
    pub kinematics: Kinematics,
    /// Where to go.
    pub route: GaitRoute<'a>,
    /// The surroundings; the ground is flat at 0 where no terrain is known.
    pub world: Arc<World>,
    /// Frames a second, 1 to 10,000.
    pub frame_rate: f64,
    /// Seconds of standing before and after, 0 to 600.
    pub standing: f64,
    /// What else is asked for: schedules, motion at the ends, cycles, variability, limps, gaze.
    pub control: GaitControl<'a>,
}

/// A procedural take, and what it was made from.
#[derive(Clone, Debug)]
pub struct GaitTake {
    /// The motion with its plants.
    pub take: Take,
    /// The footprints that it is planted on.
    pub plan: FootPlan,
    /// Every footprint and the motion, measured, with a verdict.
    pub report: SynthesisReport,
    /// Parameters and attributes as used.
    pub settings: GaitSettings,
    /// Body height that they hold for, in metres.
    pub height: f64,
    /// Attributes that the style or the request set, in the catalogue's order, in the user's units.
    pub set: Vec<(&'static str, AttributeValue)>,
    /// Farthest that a planted heel or ball is from its place, over all frames of all plants, in metres.
    pub largest_error: f64,
    /// What flights it has; `None` without any.
    pub flight: Option<Flights>,
    /// What it came to, measured on its frames; `None` of fewer than two landings of a foot.
    pub made: Option<MadeGait>,
    /// Which gait when.
    pub spans: Vec<GaitSpan>,
    /// Whether what is asked for changes over time.
    pub is_scheduled: bool,
    /// How a cycle goes on where it ends.
    pub cycle: Option<CycleTravel>,
}

/// The flights of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flights {
    /// How many.
    pub count: usize,
    /// Median duration, in seconds.
    pub duration: f64,
    /// Median rise of the pelvis above where it left the ground, in metres.
    pub height: f64,
}

/// Why nothing can be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GaitError {
    /// No person is built so.
    #[error(transparent)]
    Person(#[from] PersonError),
    /// The skeleton cannot be driven.
    #[error(transparent)]
    Rig(#[from] RigError),
    /// Parameters, or the style's attributes, cannot be.
    #[error(transparent)]
    Style(#[from] StyleError),
    /// An attribute of the request cannot be set.
    #[error(transparent)]
    Set(#[from] AttributeError),
    /// No footprints can be laid there.
    #[error(transparent)]
    Lay(#[from] LayError),
    /// The footprints cannot be followed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// What does not go together, or is out of range.
    #[error("{0}")]
    Control(&'static str),
    /// At some time of a schedule, something is out of range.
    #[error("at {time} s of the schedule: {message}")]
    Scheduled {
        /// Seconds.
        time: f64,
        /// What is wrong, with the range.
        message: String,
    },
    /// A planted foot does not stay in its place: footprints or times that no body can follow.
    #[error("a planted foot would be {:.2} mm off its place: these steps cannot be followed; shorter ones, or more time for them, would do", 1000.0 * .0)]
    Missed(f64),
    /// More frames than memory should be asked for.
    #[error(
        "the motion would have about {n_frames} frames; at most {MAX_GAIT_FRAMES} are made. Take fewer steps or a lower frame rate"
    )]
    TooLong {
        /// About how many.
        n_frames: u64,
    },
}

impl From<SettingsError> for GaitError {
    fn from(error: SettingsError) -> GaitError {
        match error {
            SettingsError::Style(error) => GaitError::Style(error),
            SettingsError::Set(error) => GaitError::Set(error),
            SettingsError::At { time, error } => GaitError::Scheduled { time, message: error.to_string() },
        }
    }
}

/// Most frames of a take, as of every synthesizer.
pub const MAX_GAIT_FRAMES: u64 = MAX_FRAMES as u64;

/// Farthest that a planted heel or ball may be from its place, in metres.
const LARGEST_ERROR: f64 = 1e-5;

/// Seconds taken for a step whose plan does not give its time, for the estimate of a take's length.
const LONG_STEP: f64 = 1.0;

/// Makes a walk or a run.
///
/// 1. The body is rigged: its lengths, and how it takes postures.
/// 2. Style, targets and attributes become gait settings, of each step where they change.
/// 3. Footprints are laid, if they are not given.
/// 4. They are followed, each planted exactly.
pub fn make_gait(request: &GaitRequest<'_>) -> Result<GaitTake, GaitError> {
    let (skeleton, rig, height) = rig_of(&request.mover)?;
    let control = &request.control;
    check_control(request)?;
    let schedule = control.schedule.cloned().unwrap_or_else(|| schedule_of(request));
    schedule.check(height)?;
    let settings = schedule.at(0.0, None, height)?;
    let is_scheduled = !schedule.is_constant();
    let cadence_factor = control.cycle.map_or(1.0, |cycle| cycle.cadence_factor(&settings, request.frame_rate));
    let settings = GaitSettings { gaze: control.gaze, ..with_cadence(&settings, cadence_factor) };
    let (begin, end) = match control.cycle {
        Some(_) => (Ends::Moving, Ends::Moving),
        None => (control.begin, control.end),
    };
    let (plan, steps) = match request.route {
        GaitRoute::Plan(plan) => {
            let steps = match is_scheduled {
                true => settings_along(plan, &schedule, request.standing, height)?,
                false => Vec::new(),
            };
            (plan.clone(), steps)
        }
        GaitRoute::Steps(options) => {
            let terrain = request.world.terrain.as_ref();
            let n_steps = control.cycle.map(|cycle| 2 * cycle.strides).or(options.n_steps);
            let options = LayOptions { terrain, begin, end, n_steps, ..options.clone() };
            let of_step = |number: usize, time: f64, before: Option<Gait>| {
                let base = match is_scheduled {
                    true => schedule.at(time, before, height).unwrap_or(settings),
                    false => settings,
                };
                let swings = if number.is_multiple_of(2) { options.first } else { options.first.opposite() };
                control.variation.apply(&base, number, swings, height)
            };
            let until = is_scheduled.then(|| schedule.last_time());
            let pace = Pace { settings: &of_step, standing: request.standing, until };
            let laid = lay_paced_steps(rig.proportions(), &pace, &options)?;
            (laid.plan, laid.settings)
        }
    };
    let steps = steps.into_iter().map(|step| GaitSettings { gaze: control.gaze, ..step }).collect();
    check_length(&plan, request)?;
    let options = GaitOptions { settings, frame_rate: request.frame_rate, standing: request.standing };
    let synthesizer = GaitSynthesizer::new(skeleton, rig, &options).with_steps(steps).with_ends(begin, end);
    let name = schedule.styles.points()[0].1.name.clone();
    let Synthesis { mut take, report } = synthesize(&synthesizer, &request.world, &plan, &name)?;
    let poses = take.clip.world();
    let errors = measure_placement(&poses, &take.body, &take.contacts);
    let largest_error = errors.iter().fold(0.0, |most: f64, plant| most.max(plant.distance));
    if largest_error > LARGEST_ERROR {
        return Err(GaitError::Missed(largest_error));
    }
    let flight = flights(&synthesizer.planned_flights(&request.world, &plan)?);
    let set = set_attributes(&schedule, &settings);
    let (made, spans) = (measure_made(&take, &report), measure_spans(&take, &report));
    let cycle = control.cycle.map(|_| cycle_travel(&plan, &take, cadence_factor));
    if cycle.is_some_and(|travel| seam(&take, &travel) > LARGEST_SEAM) {
        return Err(GaitError::Control(
            "the stride does not close to a cycle: its steps do not repeat; less of a limp would do",
        ));
    }
    if let (Some(Cycle { in_place: true, .. }), Some(travel)) = (control.cycle, &cycle) {
        take_out_travel(&mut take, travel);
    }
    Ok(GaitTake { take, plan, report, settings, height, set, largest_error, flight, made, spans, is_scheduled, cycle })
}

/// What is asked for, as a schedule that never changes.
fn schedule_of(request: &GaitRequest<'_>) -> GaitSchedule {
    let RunTargets { stride, flight_height, level } = request.targets;
    let constant = |number: Option<f64>| number.map(Schedule::constant);
    GaitSchedule {
        speed: constant(stride.speed),
        step_length: constant(stride.step_length),
        cadence: constant(stride.cadence),
        level: constant(level),
        flight_height,
        lock: request.lock,
        set: request.set.iter().map(|(name, value)| (name.clone(), Schedule::constant(*value))).collect(),
        kinematics: request.kinematics,
        ..GaitSchedule::of_style(request.style.clone())
    }
}

/// Refuses what does not go together, and what is out of range.
fn check_control(request: &GaitRequest<'_>) -> Result<(), GaitError> {
    let GaitControl { schedule, variation, cycle, gaze, .. } = &request.control;
    let refuse = |what: &'static str| Err(GaitError::Control(what));
    if !(0.0..=1.0).contains(&variation.variability) {
        return refuse("a variability is from 0, none, to 1, that of people");
    }
    if variation.limp.is_some_and(|limp| !(0.0..=1.0).contains(&limp.severity)) {
        return refuse("the severity of a limp is from 0, none, to 1");
    }
    match gaze {
        Gaze::Turned(angle) if !(-MAX_GAZE..=MAX_GAZE).contains(angle) => {
            return refuse("a gaze is from -70 to 70 degrees aside");
        }
        Gaze::At(point) if !(point.is_finite() && point.abs().max_element() <= FARTHEST_GAZE) => {
            return refuse("a point to look at has three finite coordinates within 100 km");
        }
        _ => {}
    }
    let is_plan = matches!(request.route, GaitRoute::Plan(_));
    let varies = variation.variability > 0.0 || variation.limp.is_some();
    if is_plan && varies {
        return refuse("variability and limps decide about footprints, which a plan gives; leave out one of them");
    }
    let Some(cycle) = cycle else { return Ok(()) };
    let has_path = matches!(request.route, GaitRoute::Steps(options) if options.path.is_some());
    if is_plan || has_path || request.world.terrain.is_some() {
        return refuse("a cycle repeats one stride on level ground; leave out the path, plan or terrain");
    }
    if variation.variability > 0.0 || schedule.is_some_and(|schedule| !schedule.is_constant()) {
        return refuse("a cycle repeats one stride; leave out the variability or the schedule");
    }
    match cycle.strides {
        1..=1000 => Ok(()),
        _ => refuse("a cycle has 1 to 1000 strides"),
    }
}

/// Farthest that the last frame of a cycle may be from its first, in metres.
const LARGEST_SEAM: f64 = 1e-6;

/// Furthest that a gaze is aside, in radians, with some rounding; and how far away a point is that may be looked at, in metres.
const MAX_GAZE: f64 = 70.0 * std::f64::consts::PI / 180.0 + 1e-9;
const FARTHEST_GAZE: f64 = 1e5;

fn rig_of(mover: &Mover<'_>) -> Result<(Arc<Skeleton>, Rig, f64), GaitError> {
    match mover {
        Mover::Own(options) => {
            let (skeleton, body) = person(options)?;
            let rig = Rig::new(&skeleton, &body, &Poses::default())?;
            Ok((Arc::new(skeleton), rig, options.height))
        }
        Mover::Skeleton { skeleton, body, poses } => {
            let rig = Rig::new(skeleton, body, poses)?;
            let height = rig.proportions().height;
            Ok((skeleton.clone(), rig, height))
        }
    }
}

/// Refuses what would not fit into memory.
fn check_length(plan: &FootPlan, request: &GaitRequest<'_>) -> Result<(), GaitError> {
    let time = |swing: Option<f64>, support: Option<f64>| swing.unwrap_or(LONG_STEP) + support.unwrap_or(0.0);
    let steps: f64 = plan.footprints.iter().map(|print| time(print.swing, print.support)).sum();
    let n_frames = ((steps + 2.0 * request.standing) * request.frame_rate) as u64;
    if n_frames > MAX_GAIT_FRAMES { Err(GaitError::TooLong { n_frames }) } else { Ok(()) }
}

/// What was set, as it is used.
fn set_attributes(schedule: &GaitSchedule, settings: &GaitSettings) -> Vec<(&'static str, AttributeValue)> {
    let style = &schedule.styles.points()[0].1;
    let names = style.attributes.iter().map(|(name, _)| name).chain(schedule.set.iter().map(|(name, _)| name));
    let names: Vec<&String> = names.collect();
    let is_set = |name: &str| names.iter().any(|set| *set == name);
    let names = settings.gait.catalogue().into_iter().map(|info| info.name).filter(|name| is_set(name));
    names.filter_map(|name| Some((name, gait_attribute(settings, name)?))).collect()
}

/// An attribute of the settings' gait, in the user's unit; `None` if the gait has none of that name.
pub fn gait_attribute(settings: &GaitSettings, name: &str) -> Option<AttributeValue> {
    match settings.gait {
        Gait::Walk => settings.walk.attributes.get(name).ok(),
        Gait::Run => settings.run.attributes.get(name).ok(),
    }
}

/// What flights there are, in short.
fn flights(planned: &[PlannedFlight]) -> Option<Flights> {
    let mut durations: Vec<f64> = planned.iter().map(|flight| flight.duration).collect();
    let mut heights: Vec<f64> = planned.iter().map(|flight| flight.height).collect();
    Some(Flights { count: planned.len(), duration: median(&mut durations)?, height: median(&mut heights)? })
}

/// The gait that people of a height rather take at a speed in m/s (equal Froude numbers).
pub fn natural_gait(speed: f64, height: f64) -> Gait {
    if speed > transition_speed(height) { Gait::Run } else { Gait::Walk }
}

/// The attributes of a gait at its natural pace, for a person of a height, in the user's units.
pub fn natural_gait_attribute(gait: Gait, name: &str, height: f64) -> Option<AttributeValue> {
    gait_attribute(&GaitSettings::natural(gait, height), name)
}

/// Whether an attribute of a run that is not set follows the parameters: whether it differs between some speeds.
pub fn follows_parameters(name: &str) -> bool {
    let height = equations::DEFAULT_HEIGHT;
    let at = |speed: f64| {
        let parameters = RunParameters::from_speed(speed, height, 0.0).ok()?;
        RunOverrides::default().resolve(&parameters, height).get(name).ok()
    };
    let Range { min, max } = RunParameters::ranges(height, 0.0).speed;
    let natural = at(RunParameters::DEFAULT_SPEED);
    [min, 0.5 * (min + max), max].into_iter().any(|speed| at(speed) != natural)
}

/// Why a style was not found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StyleChoiceError {
    /// There is none of that name.
    #[error("there is no {gait} called `{name}`; did you mean {nearest}? All of them are {all}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// A walk or a run.
        gait: Gait,
        /// The name that comes closest.
        nearest: String,
        /// All names.
        all: String,
    },
    /// It is of the other gait.
    #[error("{name} is a {is}; of the kind {wanted} there are {all}")]
    OtherGait {
        /// What was asked for.
        name: String,
        /// What it is.
        is: Gait,
        /// What it should be.
        wanted: Gait,
        /// All names of that.
        all: String,
    },
}

/// Our own walks and runs, and before them the user's: of one name, the user's is taken.
pub fn choose_style(name: &str, gait: Gait, users: &[Style]) -> Result<Style, StyleChoiceError> {
    let ours = own::presets();
    let all = || users.iter().chain(&ours);
    if let Some(style) = all().find(|style| style.name == name && style.gait == gait) {
        return Ok(style.clone());
    }
    let names: Vec<&str> = all().filter(|style| style.gait == gait).map(|style| &*style.name).collect();
    let list = names.join(", ");
    let shown: String = name.chars().take(60).collect();
    if all().any(|style| style.name == name) {
        let is = if gait == Gait::Walk { Gait::Run } else { Gait::Walk };
        return Err(StyleChoiceError::OtherGait { name: shown, is, wanted: gait, all: list });
    }
    let nearest = closest_names(name, names.iter().copied(), 1).concat();
    Err(StyleChoiceError::Unknown { name: shown, gait, nearest, all: list })
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_gait::{StrideTargets, WalkParameters};

    fn request<'a>(style: &'a Style, options: &'a LayOptions<'a>) -> GaitRequest<'a> {
        GaitRequest {
            mover: Mover::Own(PersonOptions::default()),
            style,
            targets: RunTargets::default(),
            lock: None,
            set: &[],
            kinematics: Kinematics::Normative,
            route: GaitRoute::Steps(options),
            world: Arc::default(),
            frame_rate: 60.0,
            standing: 0.2,
            control: GaitControl::default(),
        }
    }

    fn steps(n_steps: usize) -> LayOptions<'static> {
        LayOptions { n_steps: Some(n_steps), ..LayOptions::default() }
    }

    fn target(kmh: Option<f64>, step_length: Option<f64>, spm: Option<f64>) -> RunTargets {
        let stride = StrideTargets { speed: kmh.map(|v| v / 3.6), step_length, cadence: spm.map(|c| c / 60.0) };
        RunTargets { stride, ..RunTargets::default() }
    }

    #[test]
    fn feet_are_planted_exactly_where_the_plan_says() {
        for gait in [Gait::Walk, Gait::Run] {
            let made = make_gait(&request(&Style::natural(gait), &steps(6))).unwrap();
            assert!(made.largest_error < 1e-9, "{gait}: {} m", made.largest_error);
            assert_eq!(made.plan.footprints.len(), 8);
            assert_eq!(made.flight.is_some(), gait == Gait::Run);
            let again = make_gait(&GaitRequest {
                route: GaitRoute::Plan(&made.plan),
                ..request(&Style::natural(gait), &steps(6))
            });
            assert_eq!(again.unwrap().take.contacts, made.take.contacts, "{gait}");
        }
    }

    #[test]
    fn people_of_other_heights_move_alike_where_no_pace_is_asked_for() {
        let natural = Style::natural(Gait::Walk);
        let at = |height: f64, targets: RunTargets| {
            let mover = Mover::Own(PersonOptions::with_height(height));
            let made = make_gait(&GaitRequest { mover, targets, ..request(&natural, &steps(2)) }).unwrap();
            made.settings.walk.parameters
        };
        assert!((at(1.8, target(None, None, None)).speed * 3.6 - 5.0).abs() < 1e-9);
        assert!((at(0.9, target(None, None, None)).speed * 3.6 - 5.0 * 0.5_f64.sqrt()).abs() < 1e-9);
        let asked = at(0.9, target(None, None, Some(110.0)));
        assert_eq!(asked, WalkParameters::from_cadence(110.0 / 60.0, 0.9).unwrap());
    }

    #[test]
    fn a_lock_keeps_what_the_style_has() {
        let tired = choose_style("tired", Gait::Walk, &[]).unwrap();
        let targets = target(None, None, Some(90.0));
        let solve = |lock| {
            make_gait(&GaitRequest { targets, lock, ..request(&tired, &steps(2)) }).unwrap().settings.walk.parameters
        };
        let natural = WalkParameters::from_speed(3.0 / 3.6, 1.8).unwrap();
        assert!((solve(Some(Parameter::StepLength)).step_length - natural.step_length).abs() < 1e-12);
        assert!((solve(Some(Parameter::Speed)).speed - natural.speed).abs() < 1e-12);
    }

    #[test]
    fn the_users_styles_come_before_ours_and_attributes_before_both() {
        let mine = Style { attributes: vec![("arm-out".to_string(), 33.0.into())], ..Style::natural(Gait::Walk) };
        let mine = Style { name: "proud".to_string(), ..mine };
        let chosen = choose_style("proud", Gait::Walk, std::slice::from_ref(&mine)).unwrap();
        assert_eq!(chosen, mine);
        let options = steps(2);
        let set = [("arm-out".to_string(), 20.0.into()), ("foot-angle".to_string(), 11.0.into())];
        let made = make_gait(&GaitRequest { set: &set, ..request(&chosen, &options) }).unwrap();
        let names: Vec<&str> = made.set.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["arm-out", "foot-angle"]);
        assert!((made.settings.walk.attributes.arm_out.to_degrees() - 20.0).abs() < 1e-9);
    }

    #[test]
    fn mistakes_are_reported_with_what_would_do() {
        let error = choose_style("prod", Gait::Walk, &[]).unwrap_err().to_string();
        assert!(error.contains("did you mean proud?") && error.contains("muscle-man"), "{error}");
        let error = choose_style("proud", Gait::Run, &[]).unwrap_err().to_string();
        assert!(error.starts_with("proud is a walk") && error.contains("sprinter"), "{error}");
        let (natural, options) = (Style::natural(Gait::Walk), steps(2));
        let error_of = |request: GaitRequest<'_>| make_gait(&request).unwrap_err().to_string();
        let error = error_of(GaitRequest { targets: target(Some(15.0), None, None), ..request(&natural, &options) });
        assert!(error.contains("0.5 to 12 km/h"), "{error}");
        let long = GaitRequest { frame_rate: 1000.0, standing: 600.0, ..request(&natural, &options) };
        assert!(error_of(long).contains(&MAX_GAIT_FRAMES.to_string()), "too long");
    }

    #[test]
    fn which_attributes_follow_the_parameters_is_known() {
        let follows = |name: &&str| follows_parameters(name);
        let catalogue = Gait::Run.catalogue();
        let names: Vec<&str> = catalogue.iter().map(|info| info.name).filter(follows).collect();
        let ten = [
            "torso-tilt",
            "pelvis-rotation",
            "lateral-displacement",
            "bounciness",
            "overstride",
            "stride-width",
            "knee-impact",
            "knee-toe-off",
            "knee-swing",
            "hip-swing",
        ];
        assert_eq!(names, ten);
    }

    #[test]
    fn fast_walkers_would_rather_run() {
        assert_eq!(
            (natural_gait(1.4, 1.8), natural_gait(2.2, 1.8), natural_gait(1.6, 1.0)),
            (Gait::Walk, Gait::Run, Gait::Run)
        );
    }
}
