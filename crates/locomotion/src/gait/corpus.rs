//! The built-in corpus: procedural walks that together hold every kind of step, for step databases that need no recording.
//!
//! Its takes are plans of ours, followed by the gait engine ([`follow_plan`]), so their contacts are exact and nothing is
//! stored: the same takes are made anew each time. Two kinds of walks:
//!
//! - Steady ones, as a director would ask an actor for: forward at several lengths and paces, curves and turns, to the sides
//!   and backward, starts and stops, wide and narrow.
//! - Mixed ones, whose footprints fill what is left: places relative to the standing foot from a low-discrepancy sequence over
//!   the ellipse that a leg reaches, so that every start is followed by every kind of end. Each comes with its mirror image.
//!
//! That is what a database of steps asks for whose parameters are where the swinging foot starts and ends, seen
//! from the standing one (STRIDE 3.2), and which cannot reach beyond its longest and shortest steps (STRIDE 4.3).
//!
//! A second group, which does not belong into a database of walking steps, runs, changes between walking and running, and climbs.
//!
//! Everything is in proportion to the legs: lengths below are those of our figure of 1.8 m.

use super::corpus_places::{Place, spread_steps};
use super::equations::DEFAULT_HEIGHT;
use super::step::left_sign;
use super::{
    FollowError, FollowOptions, Gait, LayOptions, Manner, Rig, RigError, RunParameters, RunSettings, WalkParameters,
    follow_plan, lay_steps,
};
use crate::{FootPlan, Footprint, Take};
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;
use surefoot_geom::{Vec2, Vec3, heading_direction};
use surefoot_ground::{Stairs, Terrain};
use surefoot_motion::{BodyMap, PersonError, PersonOptions, Side, Skeleton, person};

/// What to make it of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorpusOptions {
    /// Of our own figure, in metres, 0.5 to 2.5. Default 1.8.
    pub height: f64,
    /// Frames a second, 1 to 10,000. Default 60.
    pub frame_rate: f64,
}

impl Default for CorpusOptions {
    fn default() -> CorpusOptions {
        CorpusOptions { height: DEFAULT_HEIGHT, frame_rate: 60.0 }
    }
}

/// The takes, all of one figure.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// Of the figure.
    pub skeleton: Arc<Skeleton>,
    /// Which joint of it is which, with the soles that stand on the footprints.
    pub body: BodyMap,
    /// Walks first, then the second group. Names are unique.
    pub takes: Vec<CorpusTake>,
}

impl Corpus {
    /// The takes for a database of walking steps: on level ground, without flight.
    pub fn walks(&self) -> impl Iterator<Item = &CorpusTake> {
        self.takes.iter().filter(|take| take.kind.is_level_walk())
    }
}

/// A take, and what it was made from.
#[derive(Clone, Debug)]
pub struct CorpusTake {
    /// Lower-case letters, digits, `-` and `.`: fit for a file.
    pub name: String,
    /// What it shows, in a few words.
    pub what: String,
    /// What kind of motion it is.
    pub kind: CorpusKind,
    /// The motion with its plants.
    pub take: Take,
    /// The footprints that it stands on.
    pub plan: FootPlan,
    /// The ground; `None` where it is level at 0.
    pub terrain: Option<Terrain>,
}

/// Kinds of takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CorpusKind {
    /// Straight on.
    Forward,
    /// A turn with each step.
    Curve,
    /// Sharp turns, in a walk or on the spot.
    Turn,
    /// To a side, or aslant.
    Side,
    /// Backward.
    Back,
    /// Again and again from standing to standing.
    StartStop,
    /// Feet far apart.
    Wide,
    /// Feet on a line.
    Narrow,
    /// Feet across each other, to a side.
    Cross,
    /// Every step another.
    Mixed,
    /// High knees.
    HighSteps,
    /// Running.
    Run,
    /// From walking to running and back.
    WalkRun,
    /// Up and down stairs.
    Stairs,
}

impl CorpusKind {
    /// All of them, in the corpus's order.
    pub const ALL: [CorpusKind; 14] = [
        CorpusKind::Forward,
        CorpusKind::Curve,
        CorpusKind::Turn,
        CorpusKind::Side,
        CorpusKind::Back,
        CorpusKind::StartStop,
        CorpusKind::Wide,
        CorpusKind::Narrow,
        CorpusKind::Cross,
        CorpusKind::Mixed,
        CorpusKind::HighSteps,
        CorpusKind::Run,
        CorpusKind::WalkRun,
        CorpusKind::Stairs,
    ];

    /// As users read it.
    pub fn name(self) -> &'static str {
        match self {
            CorpusKind::Forward => "forward",
            CorpusKind::Curve => "curve",
            CorpusKind::Turn => "turn",
            CorpusKind::Side => "side",
            CorpusKind::Back => "back",
            CorpusKind::StartStop => "start-stop",
            CorpusKind::Wide => "wide",
            CorpusKind::Narrow => "narrow",
            CorpusKind::Cross => "cross",
            CorpusKind::Mixed => "mixed",
            CorpusKind::HighSteps => "high-steps",
            CorpusKind::Run => "run",
            CorpusKind::WalkRun => "walk-run",
            CorpusKind::Stairs => "stairs",
        }
    }

    /// Whether its steps belong into a database of walking steps: natural walking on level ground.
    pub fn is_level_walk(self) -> bool {
        !matches!(self, CorpusKind::HighSteps | CorpusKind::Run | CorpusKind::WalkRun | CorpusKind::Stairs)
    }
}

/// Why there is no corpus.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CorpusError {
    /// No person is built so.
    #[error(transparent)]
    Person(#[from] PersonError),
    /// The skeleton cannot be driven.
    #[error(transparent)]
    Rig(#[from] RigError),
    /// A take cannot be made: a frame rate out of range, or a skeleton whose hips or feet are far from a person's.
    #[error("{take}: {error}")]
    Follow {
        /// Its name.
        take: String,
        /// Why.
        error: FollowError,
    },
}

/// Seconds of standing before and after each take.
const STANDING: f64 = 0.25;
/// Steps of a steady walk, with its start and its closing step.
const STEADY_STEPS: usize = 9;
/// The natural stride width at 1.8 m.
const WIDTH: f64 = 0.1;
/// Between the feet when they stand, which is wider than in walking.
const STANCE: f64 = 0.16;

/// The corpus of our own figure.
pub fn corpus(options: &CorpusOptions) -> Result<Corpus, CorpusError> {
    let (skeleton, body) = person(&PersonOptions::with_height(options.height))?;
    let rig = Rig::new(&skeleton, &body, &[])?;
    corpus_on(Arc::new(skeleton), &rig, options.frame_rate)
}

/// The corpus of any rig; steps are as long as its legs let them be.
pub fn corpus_on(skeleton: Arc<Skeleton>, rig: &Rig, frame_rate: f64) -> Result<Corpus, CorpusError> {
    let takes = Script::new(rig).parts();
    let takes = takes.into_iter().map(|part| part.play(&skeleton, rig, frame_rate)).collect::<Result<_, _>>()?;
    Ok(Corpus { skeleton, body: rig.body().clone(), takes })
}

/// A take before it is made.
struct Part {
    name: String,
    what: String,
    kind: CorpusKind,
    plan: FootPlan,
    manner: Manner,
    terrain: Option<Terrain>,
}

impl Part {
    fn play(self, skeleton: &Arc<Skeleton>, rig: &Rig, frame_rate: f64) -> Result<CorpusTake, CorpusError> {
        let Part { name, what, kind, plan, manner, terrain } = self;
        let options = FollowOptions { manner, frame_rate, standing: STANDING };
        let mut take = follow_plan(skeleton.clone(), rig, &plan, terrain.as_ref(), &options)
            .map_err(|error| CorpusError::Follow { take: name.clone(), error })?;
        take.clip.name.clone_from(&name);
        Ok(CorpusTake { name, what, kind, take, plan, terrain })
    }
}

/// Both ways.
const WAYS: [(Side, f64, &str); 2] = [(Side::Left, 1.0, "left"), (Side::Right, -1.0, "right")];

/// Writes the plans.
struct Script<'a> {
    rig: &'a Rig,
    /// Height of our figure with such legs.
    height: f64,
    /// Of lengths, against 1.8 m.
    scale: f64,
    parts: Vec<Part>,
}

impl<'a> Script<'a> {
    fn new(rig: &'a Rig) -> Script<'a> {
        let build = rig.build();
        let leg = build.leg_length(Side::Left).min(build.leg_length(Side::Right));
        let scale = leg / OWN_LEG;
        Script { rig, height: DEFAULT_HEIGHT * scale, scale, parts: Vec::new() }
    }

    fn parts(mut self) -> Vec<Part> {
        self.forward();
        self.curves();
        self.turns();
        self.sides();
        self.back();
        self.starts_and_stops();
        self.widths();
        self.crossing();
        self.mixed();
        self.high_steps();
        self.runs();
        self.changes();
        self.stairs();
        self.parts
    }

    fn walk(&self) -> Manner {
        Manner::natural(Gait::Walk, self.height)
    }

    /// A walk with steps of a length, its cadence a factor on the natural one.
    fn pace(&self, length: f64, pace: f64) -> Manner {
        let mut manner = self.walk();
        let step_length = length * self.scale;
        let cadence = pace / manner.natural_step_time(Gait::Walk, step_length, self.height);
        manner.walk.parameters = WalkParameters { speed: step_length * cadence, step_length, cadence };
        manner
    }

    fn add(&mut self, kind: CorpusKind, name: String, what: String, manner: Manner, plan: FootPlan) {
        self.parts.push(Part { name, what, kind, plan, manner, terrain: None });
    }

    fn lay(&self, manner: &Manner, options: &LayOptions<'_>) -> FootPlan {
        let n_steps = options.n_steps.or(Some(STEADY_STEPS));
        lay_steps(self.rig.build(), manner, &LayOptions { n_steps, ..options.clone() })
    }

    fn forward(&mut self) {
        let mut first = Side::Left;
        for length in [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0] {
            let manner = self.pace(length, 1.0);
            let plan = self.lay(&manner, &LayOptions { first, ..LayOptions::default() });
            let (name, what) = (format!("forward-{length:.2}m"), format!("steps of {length} m at their natural pace"));
            self.add(CorpusKind::Forward, name, what, manner, plan);
            first = first.opposite();
        }
        for length in [0.45, 0.65, 0.85] {
            for (pace, word) in [(0.75, "slow"), (1.25, "fast")] {
                let manner = self.pace(length, pace);
                let plan = self.lay(&manner, &LayOptions { first, ..LayOptions::default() });
                let (name, what) = (format!("forward-{length:.2}m-{word}"), format!("steps of {length} m, {word}"));
                self.add(CorpusKind::Forward, name, what, manner, plan);
                first = first.opposite();
            }
        }
    }

    fn curves(&mut self) {
        for (degrees, length) in [(8.0_f64, 0.75), (15.0, 0.65), (22.0, 0.55), (30.0, 0.4)] {
            for (first, sign, word) in WAYS {
                let manner = self.pace(length, 1.0);
                let turn = sign * degrees.to_radians();
                let plan = self.lay(&manner, &LayOptions { first, turn, ..LayOptions::default() });
                let what = format!("a curve to the {word}, {degrees} degrees with each step");
                self.add(CorpusKind::Curve, format!("curve-{word}-{degrees}"), what, manner, plan);
            }
        }
    }

    fn turns(&mut self) {
        // Sharp turns in a walk, begun by the inner foot and by the outer one.
        for (degrees, length) in [(45.0_f64, 0.45), (60.0, 0.35), (80.0, 0.25)] {
            for (inner, sign, word) in WAYS {
                let mut trail = Trail::new(self, if degrees == 60.0 { inner.opposite() } else { inner });
                trail.step(WIDTH, 0.65 * 0.6, 0.0);
                trail.step(WIDTH, 0.6, 0.0);
                for _ in 0..2 {
                    trail.step(STANCE, length, 0.0);
                    trail.step(STANCE, 0.6 * length, sign * degrees.to_radians());
                }
                trail.step(WIDTH, 0.55, 0.0);
                trail.step(WIDTH, 0.6, 0.0);
                trail.close();
                let what = format!("two turns of {degrees} degrees to the {word}, each in one step of a walk");
                let (plan, manner) = (trail.plan(), self.walk());
                self.add(CorpusKind::Turn, format!("turn-{word}-{degrees}"), what, manner, plan);
            }
        }
        for degrees in [30.0_f64, 60.0] {
            for (first, sign, word) in WAYS {
                let mut trail = Trail::new(self, first);
                for _ in 0..4 {
                    // The inner foot opens, the outer one closes up to it.
                    trail.step(STANCE, 0.0, sign * degrees.to_radians());
                    trail.step(STANCE, 0.0, 0.0);
                }
                let what = format!("on the spot, {degrees} degrees to the {word} with every other step");
                let (plan, manner) = (trail.plan(), self.walk());
                self.add(CorpusKind::Turn, format!("spot-{word}-{degrees}"), what, manner, plan);
            }
        }
    }

    fn sides(&mut self) {
        for length in [0.2, 0.4, 0.6, 0.8] {
            for (first, _, word) in WAYS {
                let mut trail = Trail::new(self, first);
                for _ in 0..4 {
                    trail.step(WIDTH + length, 0.0, 0.0);
                    trail.step(WIDTH + 0.02, 0.0, 0.0);
                }
                let what = format!("side steps of {length} m to the {word}");
                let (plan, manner) = (trail.plan(), self.walk());
                self.add(CorpusKind::Side, format!("side-{word}-{length:.2}m"), what, manner, plan);
            }
        }
        for (degrees, way) in [(40.0_f64, "forward"), (130.0, "back")] {
            for (first, sign, word) in WAYS {
                let manner = self.pace(0.4, 1.0);
                let options = LayOptions { first, direction: sign * degrees.to_radians(), ..LayOptions::default() };
                let plan = self.lay(&manner, &options);
                let what = format!("aslant {way} to the {word}");
                self.add(CorpusKind::Side, format!("aslant-{way}-{word}"), what, manner, plan);
            }
        }
    }

    fn back(&mut self) {
        let mut first = Side::Right;
        for length in [0.15, 0.3, 0.45] {
            let manner = self.pace(length, 0.9);
            let plan = self.lay(&manner, &LayOptions { first, direction: PI, ..LayOptions::default() });
            self.add(CorpusKind::Back, format!("back-{length:.2}m"), format!("backward, {length} m"), manner, plan);
            first = first.opposite();
        }
        for (first, sign, word) in WAYS {
            let manner = self.pace(0.35, 0.9);
            let turn = sign * 15.0_f64.to_radians();
            let plan = self.lay(&manner, &LayOptions { first, turn, direction: PI, ..LayOptions::default() });
            let what = format!("backward, 15 degrees to the {word} with each step");
            self.add(CorpusKind::Back, format!("back-curve-{word}"), what, manner, plan);
        }
    }

    fn starts_and_stops(&mut self) {
        for length in [0.3, 0.55, 0.8] {
            for (first, _, word) in WAYS {
                let mut trail = Trail::new(self, first);
                for n_steps in [1, 2, 3] {
                    for _ in 0..n_steps {
                        trail.step(WIDTH, length, 0.0);
                    }
                    trail.close();
                }
                let what = format!("one, two and three steps of {length} m, each time to a stop; {word} foot first");
                let (plan, manner) = (trail.plan(), self.walk());
                self.add(CorpusKind::StartStop, format!("start-stop-{length:.2}m-{word}"), what, manner, plan);
            }
        }
    }

    fn widths(&mut self) {
        let mut first = Side::Left;
        for (kind, widths) in [(CorpusKind::Wide, [0.25, 0.4, 0.55]), (CorpusKind::Narrow, [0.05, 0.0, -0.06])] {
            for width in widths {
                let what = match kind {
                    CorpusKind::Wide => format!("feet {width} m apart"),
                    _ if width < 0.0 => "each foot a little across the other's line".to_string(),
                    _ => format!("feet {width} m apart, as on a line"),
                };
                let name = if width < 0.0 { "narrow-over".to_string() } else { format!("{}-{width:.2}m", kind.name()) };
                let mut trail = Trail::new(self, first);
                for length in [0.4, 0.6, 0.6, 0.45, 0.45, 0.6, 0.6] {
                    trail.step(width, length, 0.0);
                }
                trail.close();
                let (plan, manner) = (trail.plan(), self.walk());
                self.add(kind, name, what, manner, plan);
                first = first.opposite();
            }
        }
    }

    fn crossing(&mut self) {
        for (outer, _, word) in WAYS {
            for (along, way) in [(0.3, "before"), (-0.3, "behind")] {
                // The foot of the other side goes across the standing one, which then comes out to its own side.
                let mut trail = Trail::new(self, outer.opposite());
                for across in [0.05, 0.12, 0.2] {
                    trail.step(-across, along, 0.0);
                    trail.step(across + 0.25, -along, 0.0);
                }
                trail.close();
                let what = format!("to the {word}, one foot {way} the other");
                let (plan, manner) = (trail.plan(), self.walk());
                self.add(CorpusKind::Cross, format!("cross-{way}-{word}"), what, manner, plan);
            }
        }
    }

    fn mixed(&mut self) {
        let walks = spread_steps(N_MIXED, MIXED_STEPS, Place { across: STANCE, along: 0.0, outward: 0.0 });
        for (index, steps) in walks.iter().enumerate() {
            for (first, _, word) in WAYS {
                let mut trail = Trail::new(self, first);
                for place in steps {
                    let outward = left_sign(trail.side) * place.outward;
                    trail.step(place.across, place.along, outward);
                }
                trail.close();
                let what = format!("every step another, {word} foot first");
                let (plan, manner) = (trail.plan(), self.walk());
                self.add(CorpusKind::Mixed, format!("mixed-{:02}-{word}", index + 1), what, manner, plan);
            }
        }
    }

    fn high_steps(&mut self) {
        for clearance in [0.1, 0.2] {
            let mut manner = self.pace(0.6, 0.9);
            manner.walk.attributes.toe_clearance = clearance * self.scale;
            let plan = self.lay(&manner, &LayOptions::default());
            let what = format!("toes {clearance} m above the ground in mid-swing");
            self.add(CorpusKind::HighSteps, format!("high-steps-{clearance:.2}m"), what, manner, plan);
        }
    }

    fn runs(&mut self) {
        for (kmh, first) in [(8.0, Side::Left), (12.0, Side::Right), (16.0, Side::Left)] {
            let Some(manner) = self.run(kmh) else { continue };
            let plan = self.lay(&manner, &LayOptions { n_steps: Some(14), first, ..LayOptions::default() });
            let what = format!("from standing to {kmh} km/h and back to standing");
            self.add(CorpusKind::Run, format!("run-{kmh}kmh"), what, manner, plan);
        }
        for (first, sign, word) in WAYS {
            let Some(manner) = self.run(10.0) else { continue };
            let turn = sign * 12.0_f64.to_radians();
            let plan = self.lay(&manner, &LayOptions { n_steps: Some(14), first, turn, ..LayOptions::default() });
            let what = format!("a run of 10 km/h in a curve to the {word}");
            self.add(CorpusKind::Run, format!("run-curve-{word}"), what, manner, plan);
        }
    }

    /// A run at a speed of people 1.8 m tall; others run alike.
    fn run(&self, kmh: f64) -> Option<Manner> {
        let mut manner = Manner::natural(Gait::Run, self.height);
        let parameters = RunParameters::from_speed(kmh / 3.6 * self.scale.sqrt(), self.height, 0.0).ok()?;
        manner.run.parameters = parameters;
        manner.run.attributes = RunSettings::default().resolve(&parameters, self.height);
        Some(manner)
    }

    fn changes(&mut self) {
        for (first, _, word) in WAYS {
            let mut trail = Trail::new(self, first);
            [0.5, 0.75, 0.75].into_iter().for_each(|length| trail.step(WIDTH, length, 0.0));
            trail.hurry(CHANGE_SUPPORT, None);
            trail.leap(0.7 * WIDTH, 0.8);
            trail.hurry(0.0, Some(CHANGE_SWING));
            [0.9, 1.0, 1.05, 1.0, 0.9, 0.8].into_iter().for_each(|length| trail.leap(0.7 * WIDTH, length));
            [0.65, 0.7, 0.7].into_iter().for_each(|length| trail.step(WIDTH, length, 0.0));
            trail.close();
            let what = format!("from walking to running and back, {word} foot first");
            let (plan, manner) = (trail.plan(), self.walk());
            self.add(CorpusKind::WalkRun, format!("walk-run-{word}"), what, manner, plan);
        }
    }

    fn stairs(&mut self) {
        let (rise, tread) = (STAIR_RISE * self.scale, STAIR_TREAD * self.scale);
        for (sign, word) in [(1.0, "up"), (-1.0, "down")] {
            let start = Vec2::new(0.0, 0.5 * self.scale);
            let stairs = Stairs { start, tread, rise: sign * rise, n_steps: N_STAIRS, ..Stairs::default() };
            let Ok(terrain) = Terrain::stairs(stairs) else { continue };
            let mut manner = self.pace(STAIR_TREAD, 1.0);
            manner.walk.parameters.cadence = STAIR_CADENCE / self.scale.sqrt();
            let options = LayOptions { n_steps: Some(N_STAIRS + 4), terrain: Some(&terrain), ..LayOptions::default() };
            let plan = self.lay(&manner, &options);
            let what = format!("{word} {N_STAIRS} stairs of {STAIR_RISE} m");
            let (name, kind) = (format!("stairs-{word}"), CorpusKind::Stairs);
            self.parts.push(Part { name, what, kind, plan, manner, terrain: Some(terrain) });
        }
    }
}

/// Length of our figure's leg at 1.8 m.
const OWN_LEG: f64 = 0.86;

/// Mixed walks, each with its mirror image, and their steps but the closing one.
const N_MIXED: usize = 12;
const MIXED_STEPS: usize = 11;

/// From walking to running: the last double support, and the swing after it, at 1.8 m.
const CHANGE_SUPPORT: f64 = 0.06;
const CHANGE_SWING: f64 = 0.38;

/// Gentle stairs, with room for a foot that swings on before it lands; and how they are taken, in steps a second.
const STAIR_RISE: f64 = 0.17;
const STAIR_TREAD: f64 = 0.32;
const N_STAIRS: usize = 8;
const STAIR_CADENCE: f64 = 1.6;

/// Footprints one after the other, each from the one before.
///
/// ```text
///             o  landing: `across` to its own side of the standing foot, `along` in front of it,
///       o        both in the heading that the body has after its turn
/// ```
struct Trail {
    prints: Vec<Footprint>,
    side: Side,
    heading: f64,
    scale: f64,
    toe_out: f64,
}

impl Trail {
    /// Feet side by side at the origin.
    fn new(script: &Script<'_>, first: Side) -> Trail {
        let toe_out = script.walk().walk.attributes.foot_angle;
        let mut trail = Trail { prints: Vec::new(), side: first, heading: 0.0, scale: script.scale, toe_out };
        for side in [first, first.opposite()] {
            let left = 0.5 * STANCE * script.scale * left_sign(side);
            trail.put(side, Vec3::new(left, 0.0, 0.0), None);
        }
        trail
    }

    fn put(&mut self, side: Side, position: Vec3, support: Option<f64>) {
        let heading = Some(self.heading + left_sign(side) * self.toe_out);
        self.prints.push(Footprint { side, position, heading, swing: None, support });
    }

    fn land(&mut self, across: f64, along: f64, turn: f64, support: Option<f64>) {
        self.heading += turn;
        let here = self.prints[self.prints.len() - 1].position;
        let left = heading_direction(self.heading + FRAC_PI_2);
        let forward = heading_direction(self.heading);
        let way = left * (left_sign(self.side) * across) + forward * along;
        self.put(self.side, here + way * self.scale, support);
        self.side = self.side.opposite();
    }

    fn step(&mut self, across: f64, along: f64, turn: f64) {
        self.land(across, along, turn, None);
    }

    /// A running step: the footprint is left in flight.
    fn leap(&mut self, across: f64, along: f64) {
        self.land(across, along, 0.0, Some(0.0));
    }

    /// Times of the last footprint, in seconds at 1.8 m.
    fn hurry(&mut self, support: f64, swing: Option<f64>) {
        let scale = self.scale.sqrt();
        if let Some(print) = self.prints.last_mut() {
            (print.support, print.swing) = (Some(support * scale), swing.map(|swing| swing * scale));
        }
    }

    /// Feet side by side.
    fn close(&mut self) {
        self.step(STANCE, 0.0, 0.0);
    }

    fn plan(self) -> FootPlan {
        FootPlan { footprints: self.prints }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gait::{StepCoverage, StepParameters};
    use crate::measure_placement;
    use crate::measures::{foot_points, measure_ground_contact};
    use std::collections::HashSet;

    fn steps(corpus: &Corpus) -> Vec<StepParameters> {
        corpus.walks().flat_map(|take| StepParameters::of_plan(&take.plan)).collect()
    }

    /// Every footprint is stood on exactly and nothing goes into the ground.
    #[track_caller]
    fn check(corpus: &Corpus) {
        for CorpusTake { name, take, plan, terrain, .. } in &corpus.takes {
            let poses = take.clip.world_poses();
            let errors = measure_placement(&poses, &corpus.body, &take.contacts);
            let worst = errors.iter().max_by(|a, b| a.distance.total_cmp(&b.distance)).expect("plants");
            assert!(worst.distance < 1e-5, "{name}: {worst:?}");
            // Each footprint is the place of a plant of its foot.
            for print in &plan.footprints {
                let mut plants = take.contacts.plants[print.side].iter();
                assert!(plants.any(|plant| plant.position.distance(print.position) < 1e-9), "{name}: {print:?}");
            }
            let feet = foot_points(&poses, &corpus.skeleton, &corpus.body);
            let ground = terrain.clone().unwrap_or_default();
            let deepest = measure_ground_contact(&feet, &take.contacts, &ground).deepest.expect("frames");
            assert!(deepest.value < 1e-5, "{name}: {deepest:?}");
        }
    }

    #[test]
    fn every_footprint_is_stood_on_and_no_foot_is_in_the_ground() {
        check(&corpus(&CorpusOptions::default()).expect("a corpus"));
    }

    #[test]
    fn children_and_giants_have_one_too() {
        for height in [0.5, 1.1, 2.5] {
            check(&corpus(&CorpusOptions { height, frame_rate: 30.0 }).expect("a corpus"));
        }
    }

    #[test]
    fn it_has_every_kind_and_far_more_than_300_steps() {
        let corpus = corpus(&CorpusOptions::default()).expect("a corpus");
        let kinds: HashSet<CorpusKind> = corpus.takes.iter().map(|take| take.kind).collect();
        assert!(CorpusKind::ALL.iter().all(|kind| kinds.contains(kind)));
        let names: HashSet<&str> = corpus.takes.iter().map(|take| &*take.name).collect();
        assert_eq!(names.len(), corpus.takes.len());
        assert!(steps(&corpus).len() >= 600, "{}", steps(&corpus).len());
        let has = |name: &str| assert!(names.contains(name), "{name}: {names:?}");
        ["forward-0.70m", "curve-left-15", "turn-right-60", "side-left-0.40m", "back-0.30m"].into_iter().for_each(has);
    }

    #[test]
    fn it_is_the_same_every_time() {
        let make = || corpus(&CorpusOptions { frame_rate: 30.0, ..CorpusOptions::default() }).expect("a corpus");
        let (here, there) = (make(), std::thread::spawn(make).join().expect("a thread"));
        for (a, b) in here.takes.iter().zip(&there.takes) {
            assert!(a.take == b.take && a.plan == b.plan, "{}", a.name);
        }
    }

    #[test]
    fn steps_spread_over_the_parameters_of_a_database() {
        let corpus = corpus(&CorpusOptions::default()).expect("a corpus");
        let steps = steps(&corpus);
        let coverage = StepCoverage::of(&steps).expect("steps");
        println!("{coverage:#?}");
        // What the analysis of STRIDE 4.3 asks for: starts and ends from 15 to 95 cm, and side steps that start and end small.
        assert!(coverage.start_width.min < 0.15 && coverage.start_width.max > 0.95);
        let reaches: Vec<f64> = steps.iter().map(StepParameters::reach).collect();
        assert!(reaches.iter().any(|&reach| reach < 0.15) && reaches.iter().any(|&reach| reach > 0.95));
        assert!(coverage.end_length.min < -0.7 && coverage.end_length.max > 0.7);
        // Both sides alike.
        assert!(coverage.n_left.abs_diff(coverage.n_steps - coverage.n_left) < coverage.n_steps / 20);
        // From a small, a middle and a wide start, steps end in all directions.
        for widths in [0.0..0.25, 0.25..0.6, 0.6..1.1] {
            for swing in Side::BOTH {
                let from = steps.iter().filter(|step| step.swing == swing && widths.contains(&step.start_width));
                let mut octants = [0; 8];
                from.for_each(|step| {
                    let turn = step.end_length.atan2(step.end_width).rem_euclid(2.0 * PI);
                    octants[(turn / (0.25 * PI)) as usize % 8] += 1;
                });
                println!("{swing:?} {widths:?} {octants:?}");
            }
        }
    }

    #[test]
    fn impossible_figures_and_rates_are_refused() {
        let error = |height, frame_rate| corpus(&CorpusOptions { height, frame_rate }).unwrap_err().to_string();
        assert!(error(9.0, 60.0).contains("height"), "{}", error(9.0, 60.0));
        assert!(error(1.8, 0.0).contains("frame rate"), "{}", error(1.8, 0.0));
    }
}
