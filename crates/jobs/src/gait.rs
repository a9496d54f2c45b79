//! Procedural gait as one call: a person, gait settings and a route become a take whose feet are planted exactly (GAIT).

use std::sync::Arc;
use surefoot_contact::{FootPlan, Take, measure_placement};
use surefoot_formats::own;
use surefoot_gait::{
    AttributeError, AttributeValue, Gait, GaitOptions, GaitSettings, GaitSynthesizer, Kinematics, LayError, LayOptions,
    Parameter, PlannedFlight, Rig, RigError, RunOverrides, RunParameters, RunTargets, StrideTargets, Style, StyleError,
    WalkParameters, equations, lay_steps, natural_level,
};
use surefoot_geom::Range;
use surefoot_geom::{ground_point, median};
use surefoot_motion::{BodyMap, PersonError, PersonOptions, Poses, Side, Skeleton, closest_names, person};
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
    /// Speed of its fastest stride, measured on its frames, in m/s; `None` of fewer than two landings of a foot.
    pub fastest: Option<f64>,
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

/// Most frames of a take, as of every synthesizer.
pub const MAX_GAIT_FRAMES: u64 = MAX_FRAMES as u64;

/// Farthest that a planted heel or ball may be from its place, in metres.
const LARGEST_ERROR: f64 = 1e-5;

/// Seconds taken for a step whose plan does not give its time, for the estimate of a take's length.
const LONG_STEP: f64 = 1.0;

/// Speed above which people 1.8 m tall would rather run than walk, in m/s.
const TRANSITION_SPEED: f64 = 2.0;

/// Makes a walk or a run.
///
/// 1. The body is rigged: its lengths, and how it takes postures.
/// 2. Style, targets and attributes become gait settings.
/// 3. Footprints are laid, if they are not given.
/// 4. They are followed, each planted exactly.
pub fn make_gait(request: &GaitRequest<'_>) -> Result<GaitTake, GaitError> {
    let (skeleton, rig, height) = rig_of(&request.mover)?;
    let settings = settings_of(request, height)?;
    let plan = match request.route {
        GaitRoute::Plan(plan) => plan.clone(),
        GaitRoute::Steps(options) => lay_steps(
            rig.proportions(),
            &settings,
            &LayOptions { terrain: request.world.terrain.as_ref(), ..options.clone() },
        )?,
    };
    check_length(&plan, request)?;
    let options = GaitOptions { settings, frame_rate: request.frame_rate, standing: request.standing };
    let synthesizer = GaitSynthesizer::new(skeleton, rig, &options);
    let Synthesis { take, report } = synthesize(&synthesizer, &request.world, &plan, &request.style.name)?;
    let poses = take.clip.world();
    let errors = measure_placement(&poses, &take.body, &take.contacts);
    let largest_error = errors.iter().fold(0.0, |most: f64, plant| most.max(plant.distance));
    if largest_error > LARGEST_ERROR {
        return Err(GaitError::Missed(largest_error));
    }
    let flight = flights(&synthesizer.planned_flights(&request.world, &plan)?);
    let set = set_attributes(request, &settings);
    let fastest = fastest_stride(&take);
    Ok(GaitTake { take, plan, report, settings, height, set, largest_error, flight, fastest })
}

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

/// Style, targets and attributes together. The other gait, which starts and ends of runs need, is natural.
fn settings_of(request: &GaitRequest<'_>, height: f64) -> Result<GaitSettings, GaitError> {
    let style = paced(request, height);
    let mut settings = GaitSettings { kinematics: request.kinematics, ..GaitSettings::natural(style.gait, height) };
    match style.gait {
        Gait::Walk => {
            let (parameters, mut attributes) = match request.lock {
                None => style.apply_walk(request.targets.stride, height)?,
                Some(_) => {
                    let (base, attributes) = style.apply_walk(StrideTargets::default(), height)?;
                    let solved = WalkParameters::solve(request.targets.stride, request.lock, Some(base), height);
                    (solved.map_err(StyleError::from)?, attributes)
                }
            };
            for (name, value) in request.set {
                attributes.set_at(name, *value, height)?;
            }
            (settings.walk.parameters, settings.walk.attributes) = (parameters, attributes);
        }
        Gait::Run => {
            let (parameters, mut overrides) = match request.lock {
                None => style.apply_run(request.targets, height)?,
                Some(_) => {
                    let (base, overrides) = style.apply_run(RunTargets::default(), height)?;
                    let solved = RunParameters::solve(request.targets, request.lock, Some(base), height);
                    (solved.map_err(StyleError::from)?, overrides)
                }
            };
            for (name, value) in request.set {
                overrides.set_at(name, *value, height)?;
            }
            (settings.run.parameters, settings.run.attributes) = (parameters, overrides.resolve(&parameters, height));
        }
    }
    Ok(settings)
}

/// The style, with the gait's natural speed where neither it nor the request gives a pace. As all speeds of styles it is that of its
/// own height, and others move alike.
fn paced(request: &GaitRequest<'_>, height: f64) -> Style {
    let mut style = request.style.clone();
    let is_asked = request.targets.stride.count() > 0 && request.lock.is_none();
    if style.targets.stride.count() == 0 && !is_asked {
        let speed = match style.gait {
            Gait::Walk => WalkParameters::DEFAULT_SPEED,
            Gait::Run => RunParameters::DEFAULT_SPEED,
        };
        style.targets.stride.speed = Some(speed * (style.height / equations::DEFAULT_HEIGHT).sqrt());
    }
    if style.gait == Gait::Run && request.kinematics == Kinematics::Normative {
        let asked = request.targets.stride.speed.map(|speed| (speed, height));
        let own = style.targets.stride.speed.map(|speed| (speed, style.height));
        let (speed, height) = asked.or(own).unwrap_or((0.0, height));
        style.targets.level.get_or_insert(natural_level(speed, height));
    }
    style
}

/// Refuses what would not fit into memory.
fn check_length(plan: &FootPlan, request: &GaitRequest<'_>) -> Result<(), GaitError> {
    let time = |swing: Option<f64>, support: Option<f64>| swing.unwrap_or(LONG_STEP) + support.unwrap_or(0.0);
    let steps: f64 = plan.footprints.iter().map(|print| time(print.swing, print.support)).sum();
    let n_frames = ((steps + 2.0 * request.standing) * request.frame_rate) as u64;
    if n_frames > MAX_GAIT_FRAMES { Err(GaitError::TooLong { n_frames }) } else { Ok(()) }
}

/// What was set, as it is used.
fn set_attributes(request: &GaitRequest<'_>, settings: &GaitSettings) -> Vec<(&'static str, AttributeValue)> {
    let style = request.style;
    let is_set = |name: &str| style.attributes.iter().chain(request.set).any(|(set, _)| set == name);
    let names = style.gait.catalogue().into_iter().map(|info| info.name).filter(|name| is_set(name));
    names.filter_map(|name| Some((name, gait_attribute(settings, name)?))).collect()
}

/// An attribute of the settings' gait, in the user's unit; `None` if the gait has none of that name.
pub fn gait_attribute(settings: &GaitSettings, name: &str) -> Option<AttributeValue> {
    match settings.gait {
        Gait::Walk => settings.walk.attributes.get(name).ok(),
        Gait::Run => settings.run.attributes.get(name).ok(),
    }
}

/// Speed along the ground of the fastest stride, from a landing of a foot to its next, in m/s.
fn fastest_stride(take: &Take) -> Option<f64> {
    let poses = take.clip.world();
    let place = |frame: usize| ground_point(poses[frame].position(take.body.pelvis));
    let speeds = Side::BOTH.into_iter().flat_map(|side| {
        let mut planted = vec![false; take.clip.n_frames()];
        for plant in &take.contacts.plants[side] {
            planted[plant.frames.clone()].fill(true);
        }
        let landings: Vec<usize> = (1..planted.len()).filter(|&at| planted[at] && !planted[at - 1]).collect();
        let speed = |pair: &[usize]| {
            place(pair[0]).distance(place(pair[1])) * take.clip.frame_rate / (pair[1] - pair[0]) as f64
        };
        landings.windows(2).map(speed).collect::<Vec<f64>>()
    });
    speeds.max_by(f64::total_cmp)
}

/// What flights there are, in short.
fn flights(planned: &[PlannedFlight]) -> Option<Flights> {
    let mut durations: Vec<f64> = planned.iter().map(|flight| flight.duration).collect();
    let mut heights: Vec<f64> = planned.iter().map(|flight| flight.height).collect();
    Some(Flights { count: planned.len(), duration: median(&mut durations)?, height: median(&mut heights)? })
}

/// The gait that people of a height rather take at a speed in m/s (equal Froude numbers).
pub fn natural_gait(speed: f64, height: f64) -> Gait {
    let transition = TRANSITION_SPEED * (height / equations::DEFAULT_HEIGHT).sqrt();
    if speed > transition { Gait::Run } else { Gait::Walk }
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
