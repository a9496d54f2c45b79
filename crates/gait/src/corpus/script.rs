//! The plans of the corpus: what is walked, how, and under what name.

use super::spread_steps::{Place, spread_steps};
use super::trail::{STANCE, Trail};
use super::{CorpusError, CorpusKind, CorpusTake};
use crate::equations::DEFAULT_HEIGHT;
use crate::step::left_sign;
use crate::{
    Gait, GaitOptions, GaitSettings, GaitSynthesizer, LayOptions, Rig, RunOverrides, RunParameters, WalkParameters,
    lay_steps,
};
use std::f64::consts::PI;
use std::sync::Arc;
use surefoot_contact::FootPlan;
use surefoot_geom::{Vec2, Vec3};
use surefoot_ground::{Stairs, Terrain};
use surefoot_motion::{Side, Skeleton};
use surefoot_plan::{World, synthesize_take};

/// Seconds of standing before and after each take.
const STANDING: f64 = 0.25;
/// Steps of a steady walk, with its start and its closing step.
const STEADY_STEPS: usize = 9;
/// The natural stride width at 1.8 m.
const WIDTH: f64 = 0.1;
/// A take before it is made.
pub(super) struct Part {
    name: String,
    what: String,
    kind: CorpusKind,
    plan: FootPlan,
    settings: GaitSettings,
    terrain: Option<Terrain>,
}

impl Part {
    pub(super) fn play(
        self,
        skeleton: &Arc<Skeleton>,
        rig: &Arc<Rig>,
        frame_rate: f64,
    ) -> Result<CorpusTake, CorpusError> {
        let Part { name, what, kind, plan, settings, terrain } = self;
        let options = GaitOptions { settings, frame_rate, standing: STANDING };
        let synthesizer = GaitSynthesizer::new(skeleton.clone(), rig.clone(), &options);
        let world = Arc::new(World { terrain: terrain.clone(), ..World::default() });
        let made = synthesize_take(&synthesizer, &world, &plan, &name)
            .map_err(|error| CorpusError::Step { take: name.clone(), error })?;
        Ok(CorpusTake { name, what, kind, take: made.take, plan, terrain })
    }
}

/// Both directions.
const DIRECTIONS: [(Side, f64, &str); 2] = [(Side::Left, 1.0, "left"), (Side::Right, -1.0, "right")];

/// Writes the plans.
pub(super) struct Script<'a> {
    rig: &'a Rig,
    /// Height of our figure with such legs.
    height: f64,
    /// Of lengths, against 1.8 m.
    scale: f64,
    parts: Vec<Part>,
}

impl<'a> Script<'a> {
    pub(super) fn new(rig: &'a Rig) -> Script<'a> {
        let proportions = rig.proportions();
        let leg = proportions.leg_length(Side::Left).min(proportions.leg_length(Side::Right));
        let scale = leg / OWN_LEG;
        Script { rig, height: DEFAULT_HEIGHT * scale, scale, parts: Vec::new() }
    }

    pub(super) fn parts(mut self) -> Vec<Part> {
        self.forward();
        self.curves();
        self.turns();
        self.sides();
        self.back();
        self.starts_and_stops();
        self.widths();
        self.crossing();
        self.crossing_turns();
        self.mixed();
        self.high_steps();
        self.runs();
        self.changes();
        self.stairs();
        self.stairs_one_by_one();
        self.slopes();
        self.kerbs();
        self.parts
    }

    fn trail(&self, first: Side) -> Trail {
        Trail::new(first, self.scale, self.walk().walk.attributes.foot_angle)
    }

    fn walk(&self) -> GaitSettings {
        GaitSettings::natural(Gait::Walk, self.height)
    }

    /// A walk with steps of a length, its cadence a factor on the natural one.
    fn pace(&self, length: f64, pace: f64) -> GaitSettings {
        let mut settings = self.walk();
        let step_length = length * self.scale;
        let cadence = pace / settings.natural_step_time(Gait::Walk, step_length, self.height);
        settings.walk.parameters = WalkParameters { speed: step_length * cadence, step_length, cadence };
        settings
    }

    fn add(&mut self, kind: CorpusKind, name: String, what: String, settings: GaitSettings, plan: FootPlan) {
        self.parts.push(Part { name, what, kind, plan, settings, terrain: None });
    }

    fn lay(&self, settings: &GaitSettings, options: &LayOptions<'_>) -> FootPlan {
        let n_steps = options.n_steps.or(Some(STEADY_STEPS));
        let options = LayOptions { n_steps, ..options.clone() };
        lay_steps(self.rig.proportions(), settings, &options).expect("steps that the corpus itself laid out")
    }

    fn forward(&mut self) {
        let mut first = Side::Left;
        for length in [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0] {
            let settings = self.pace(length, 1.0);
            let plan = self.lay(&settings, &LayOptions { first, ..LayOptions::default() });
            let (name, what) = (format!("forward-{length:.2}m"), format!("steps of {length} m at their natural pace"));
            self.add(CorpusKind::Forward, name, what, settings, plan);
            first = first.opposite();
        }
        for length in [0.45, 0.65, 0.85] {
            for (pace, word) in [(0.75, "slow"), (1.25, "fast")] {
                let settings = self.pace(length, pace);
                let plan = self.lay(&settings, &LayOptions { first, ..LayOptions::default() });
                let (name, what) = (format!("forward-{length:.2}m-{word}"), format!("steps of {length} m, {word}"));
                self.add(CorpusKind::Forward, name, what, settings, plan);
                first = first.opposite();
            }
        }
    }

    fn curves(&mut self) {
        for (degrees, length) in [(8.0_f64, 0.75), (15.0, 0.65), (22.0, 0.55), (30.0, 0.4)] {
            for (first, sign, word) in DIRECTIONS {
                let settings = self.pace(length, 1.0);
                let turn = sign * degrees.to_radians();
                let plan = self.lay(&settings, &LayOptions { first, turn, ..LayOptions::default() });
                let what = format!("a curve to the {word}, {degrees} degrees with each step");
                self.add(CorpusKind::Curve, format!("curve-{word}-{degrees}"), what, settings, plan);
            }
        }
    }

    fn turns(&mut self) {
        // Sharp turns in a walk, begun by the inner foot and by the outer one.
        for (degrees, length) in [(45.0_f64, 0.45), (60.0, 0.35), (80.0, 0.25)] {
            for (inner, sign, word) in DIRECTIONS {
                let mut trail = self.trail(if degrees == 60.0 { inner.opposite() } else { inner });
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
                let (plan, settings) = (trail.plan(), self.walk());
                self.add(CorpusKind::Turn, format!("turn-{word}-{degrees}"), what, settings, plan);
            }
        }
        for degrees in [30.0_f64, 60.0] {
            for (first, sign, word) in DIRECTIONS {
                let mut trail = self.trail(first);
                for _ in 0..4 {
                    // The inner foot opens, the outer one closes up to it.
                    trail.step(STANCE, 0.0, sign * degrees.to_radians());
                    trail.step(STANCE, 0.0, 0.0);
                }
                let what = format!("on the spot, {degrees} degrees to the {word} with every other step");
                let (plan, settings) = (trail.plan(), self.walk());
                self.add(CorpusKind::Turn, format!("spot-{word}-{degrees}"), what, settings, plan);
            }
        }
    }

    fn sides(&mut self) {
        for length in [0.2, 0.4, 0.6, 0.8] {
            for (first, _, word) in DIRECTIONS {
                let mut trail = self.trail(first);
                for _ in 0..4 {
                    trail.step(WIDTH + length, 0.0, 0.0);
                    trail.step(WIDTH + 0.02, 0.0, 0.0);
                }
                let what = format!("side steps of {length} m to the {word}");
                let (plan, settings) = (trail.plan(), self.walk());
                self.add(CorpusKind::Side, format!("side-{word}-{length:.2}m"), what, settings, plan);
            }
        }
        for (degrees, direction) in [(40.0_f64, "forward"), (130.0, "back")] {
            for (first, sign, word) in DIRECTIONS {
                let settings = self.pace(0.4, 1.0);
                let options = LayOptions { first, direction: sign * degrees.to_radians(), ..LayOptions::default() };
                let plan = self.lay(&settings, &options);
                let what = format!("aslant {direction} to the {word}");
                self.add(CorpusKind::Side, format!("aslant-{direction}-{word}"), what, settings, plan);
            }
        }
    }

    fn back(&mut self) {
        let mut first = Side::Right;
        for length in [0.15, 0.3, 0.45] {
            let settings = self.pace(length, 0.9);
            let plan = self.lay(&settings, &LayOptions { first, direction: PI, ..LayOptions::default() });
            self.add(CorpusKind::Back, format!("back-{length:.2}m"), format!("backward, {length} m"), settings, plan);
            first = first.opposite();
        }
        for (first, sign, word) in DIRECTIONS {
            let settings = self.pace(0.35, 0.9);
            let turn = sign * 15.0_f64.to_radians();
            let plan = self.lay(&settings, &LayOptions { first, turn, direction: PI, ..LayOptions::default() });
            let what = format!("backward, 15 degrees to the {word} with each step");
            self.add(CorpusKind::Back, format!("back-curve-{word}"), what, settings, plan);
        }
    }

    fn starts_and_stops(&mut self) {
        for length in [0.3, 0.55, 0.8] {
            for (first, _, word) in DIRECTIONS {
                let mut trail = self.trail(first);
                for n_steps in [1, 2, 3] {
                    for _ in 0..n_steps {
                        trail.step(WIDTH, length, 0.0);
                    }
                    trail.close();
                }
                let what = format!("one, two and three steps of {length} m, each time to a stop; {word} foot first");
                let (plan, settings) = (trail.plan(), self.walk());
                self.add(CorpusKind::StartStop, format!("start-stop-{length:.2}m-{word}"), what, settings, plan);
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
                let mut trail = self.trail(first);
                for length in [0.4, 0.6, 0.6, 0.45, 0.45, 0.6, 0.6] {
                    trail.step(width, length, 0.0);
                }
                trail.close();
                let (plan, settings) = (trail.plan(), self.walk());
                self.add(kind, name, what, settings, plan);
                first = first.opposite();
            }
        }
    }

    fn crossing(&mut self) {
        for (outer, _, word) in DIRECTIONS {
            for (along, direction) in [(0.3, "before"), (-0.3, "behind")] {
                // The foot of the other side goes across the standing one, which then comes out to its own side.
                let mut trail = self.trail(outer.opposite());
                for across in [0.05, 0.12, 0.2] {
                    trail.step(-across, along, 0.0);
                    trail.step(across + 0.25, -along, 0.0);
                }
                trail.close();
                let what = format!("to the {word}, one foot {direction} the other");
                let (plan, settings) = (trail.plan(), self.walk());
                self.add(CorpusKind::Cross, format!("cross-{direction}-{word}"), what, settings, plan);
            }
        }
    }

    /// Turns in which the outer foot goes across the inner one, in full walk.
    fn crossing_turns(&mut self) {
        for (inner, sign, word) in DIRECTIONS {
            for degrees in [45.0_f64, 65.0] {
                let mut trail = self.trail(inner);
                trail.step(WIDTH, 0.4, 0.0);
                for length in [0.7, 0.55] {
                    trail.step(WIDTH, length, 0.0);
                    trail.step(WIDTH, length, 0.0);
                    trail.step(-0.06, 0.4, sign * degrees.to_radians());
                    trail.step(STANCE, 0.4, 0.0);
                }
                trail.step(WIDTH, 0.6, 0.0);
                trail.close();
                let what = format!("turns of {degrees} degrees to the {word}, the outer foot across the inner");
                let (plan, settings) = (trail.plan(), self.walk());
                self.add(CorpusKind::Cross, format!("cross-turn-{word}-{degrees}"), what, settings, plan);
            }
        }
    }

    fn mixed(&mut self) {
        let walks = spread_steps(N_MIXED, MIXED_STEPS, Place { across: STANCE, along: 0.0, outward: 0.0 });
        for (index, steps) in walks.iter().enumerate() {
            for (first, _, word) in DIRECTIONS {
                let mut trail = self.trail(first);
                for place in steps {
                    let outward = left_sign(trail.side) * place.outward;
                    trail.step(place.across, place.along, outward);
                }
                trail.close();
                let what = format!("every step another, {word} foot first");
                let (plan, settings) = (trail.plan(), self.walk());
                self.add(CorpusKind::Mixed, format!("mixed-{:02}-{word}", index + 1), what, settings, plan);
            }
        }
    }

    fn high_steps(&mut self) {
        for clearance in [0.1, 0.2] {
            let mut settings = self.pace(0.6, 0.9);
            settings.walk.attributes.toe_clearance = clearance * self.scale;
            let plan = self.lay(&settings, &LayOptions::default());
            let what = format!("toes {clearance} m above the ground in mid-swing");
            self.add(CorpusKind::HighSteps, format!("high-steps-{clearance:.2}m"), what, settings, plan);
        }
    }

    fn runs(&mut self) {
        for (kmh, first) in [(8.0, Side::Left), (12.0, Side::Right), (16.0, Side::Left)] {
            let Some(settings) = self.run(kmh) else { continue };
            let plan = self.lay(&settings, &LayOptions { n_steps: Some(14), first, ..LayOptions::default() });
            let what = format!("from standing to {kmh} km/h and back to standing");
            self.add(CorpusKind::Run, format!("run-{kmh}kmh"), what, settings, plan);
        }
        for (first, sign, word) in DIRECTIONS {
            let Some(settings) = self.run(10.0) else { continue };
            let turn = sign * 12.0_f64.to_radians();
            let plan = self.lay(&settings, &LayOptions { n_steps: Some(14), first, turn, ..LayOptions::default() });
            let what = format!("a run of 10 km/h in a curve to the {word}");
            self.add(CorpusKind::Run, format!("run-curve-{word}"), what, settings, plan);
        }
    }

    /// A run at a speed of people 1.8 m tall; others run alike.
    fn run(&self, kmh: f64) -> Option<GaitSettings> {
        let mut settings = GaitSettings::natural(Gait::Run, self.height);
        let parameters = RunParameters::from_speed(kmh / 3.6 * self.scale.sqrt(), self.height, 0.0).ok()?;
        settings.run.parameters = parameters;
        settings.run.attributes = RunOverrides::default().resolve(&parameters, self.height);
        Some(settings)
    }

    fn changes(&mut self) {
        for (first, _, word) in DIRECTIONS {
            let mut trail = self.trail(first);
            [0.5, 0.75, 0.75].into_iter().for_each(|length| trail.step(WIDTH, length, 0.0));
            trail.hurry(CHANGE_SUPPORT, None);
            trail.leap(0.7 * WIDTH, 0.8);
            trail.hurry(0.0, Some(CHANGE_SWING));
            [0.9, 1.0, 1.05, 1.0, 0.9, 0.8].into_iter().for_each(|length| trail.leap(0.7 * WIDTH, length));
            [0.65, 0.7, 0.7].into_iter().for_each(|length| trail.step(WIDTH, length, 0.0));
            trail.close();
            let what = format!("from walking to running and back, {word} foot first");
            let (plan, settings) = (trail.plan(), self.walk());
            self.add(CorpusKind::WalkRun, format!("walk-run-{word}"), what, settings, plan);
        }
    }

    /// A take over a terrain.
    fn climb(&mut self, kind: CorpusKind, name: String, what: String, ground: (GaitSettings, Terrain), plan: FootPlan) {
        let (settings, terrain) = ground;
        self.parts.push(Part { name, what, kind, plan, settings, terrain: Some(terrain) });
    }

    /// A tread, or as much as long feet need.
    fn tread(&self, tread: f64) -> f64 {
        let soles = Side::BOTH.map(|side| &self.rig.proportions().soles[side]);
        let foot = soles.iter().map(|sole| sole.toe_tip.z - sole.heel.z).fold(0.0, f64::max);
        (tread * self.scale).max(foot + TREAD_ROOM * self.scale)
    }

    /// Foot over foot up and down: the usual stairs, then others with treads and feet wider or narrower apart, so that steps of one
    /// height lie around each other.
    fn stairs(&mut self) {
        let usual = [(STAIR_RISE, STAIR_TREAD, WIDTH, N_STAIRS)];
        let others = STAIR_RISES.into_iter().flat_map(|rise| STAIR_SHAPES.map(|(tread, width)| (rise, tread, width, N_OTHER_STAIRS)));
        let mut first = Side::Left;
        for (rise, depth, width, n_stairs) in usual.into_iter().chain(others) {
            let tread = self.tread(depth);
            for (sign, word) in UP_AND_DOWN {
                let start = Vec2::new(0.0, 0.5 * self.scale);
                let shape = Stairs { start, tread, rise: sign * rise * self.scale, n_steps: n_stairs, ..Stairs::default() };
                let Ok(terrain) = Terrain::stairs(shape) else { continue };
                let mut settings = self.pace(tread / self.scale, 1.0);
                settings.walk.parameters.cadence = STAIR_CADENCE / self.scale.sqrt();
                settings.walk.attributes.stride_width = width * self.scale;
                let options =
                    LayOptions { n_steps: Some(n_stairs + 4), first, terrain: Some(&terrain), ..LayOptions::default() };
                let plan = self.lay(&settings, &options);
                let name = match n_stairs {
                    N_STAIRS => format!("stairs-{word}"),
                    _ => format!("stairs-{word}-{rise:.2}m-{depth:.2}m"),
                };
                let what = format!("{word} {n_stairs} stairs of {rise} m, {depth} m deep");
                self.climb(CorpusKind::Stairs, name, what, (settings, terrain), plan);
                first = first.opposite();
            }
        }
    }

    /// Both feet on each stair.
    fn stairs_one_by_one(&mut self) {
        let tread = self.tread(STAIR_SHAPES[1].0);
        for rise in STAIR_RISES {
            for (first, (sign, word)) in [(Side::Left, UP_AND_DOWN[0]), (Side::Right, UP_AND_DOWN[1])] {
                let start = Vec2::new(0.0, 0.5 * tread);
                let shape =
                    Stairs { start, tread, rise: sign * rise * self.scale, n_steps: N_ONE_BY_ONE, ..Stairs::default() };
                let Ok(terrain) = Terrain::stairs(shape) else { continue };
                let mut trail = self.trail(first);
                for _ in 0..N_ONE_BY_ONE {
                    trail.step(STANCE, tread / self.scale, 0.0);
                    trail.step(STANCE, 0.0, 0.0);
                }
                let plan = on_terrain(trail.plan(), &terrain);
                let what = format!("{word} {N_ONE_BY_ONE} stairs of {rise} m, both feet on each, {} foot first", first.name());
                let settings = self.walk();
                self.climb(CorpusKind::Stairs, format!("stairs-{word}-{rise:.2}m-both-feet"), what, (settings, terrain), plan);
            }
        }
    }

    fn slopes(&mut self) {
        let mut first = Side::Left;
        for degrees in SLOPES {
            for (sign, word) in UP_AND_DOWN {
                let (sin, cos) = (sign * degrees.to_radians()).sin_cos();
                let Ok(terrain) = Terrain::plane(Vec3::ZERO, Vec3::new(0.0, cos, -sin)) else { continue };
                for (length, width) in [(0.4, 0.14), (0.55, 0.06), (0.7, WIDTH)] {
                    let mut settings = self.pace(length, 1.0);
                    settings.walk.attributes.stride_width = width * self.scale;
                    let plan = self.lay(&settings, &LayOptions { first, terrain: Some(&terrain), ..LayOptions::default() });
                    let what = format!("{word} a slope of {degrees} degrees with steps of {length} m");
                    let name = format!("slope-{word}-{degrees}-{length:.2}m");
                    self.climb(CorpusKind::Slope, name, what, (settings, terrain.clone()), plan);
                    first = first.opposite();
                }
            }
        }
    }

    /// Onto a kerb, some steps on it, and down again.
    fn kerbs(&mut self) {
        for rise in KERBS {
            for (length, first) in [(0.45, Side::Left), (0.65, Side::Right)] {
                let start = Vec2::new(0.0, 1.0 * self.scale);
                let tread = 3.0 * length * self.scale;
                let shape =
                    Stairs { start, tread, rise: rise * self.scale, n_steps: 1, after: Some(0.0), ..Stairs::default() };
                let Ok(terrain) = Terrain::stairs(shape) else { continue };
                let settings = self.pace(length, 1.0);
                let options = LayOptions { n_steps: Some(9), first, terrain: Some(&terrain), ..LayOptions::default() };
                let plan = self.lay(&settings, &options);
                let what = format!("onto a kerb of {rise} m and down again, steps of {length} m");
                self.climb(CorpusKind::Kerb, format!("kerb-{rise:.2}m-{length:.2}m"), what, (settings, terrain), plan);
            }
        }
    }
}

/// A plan at the height of a terrain.
fn on_terrain(mut plan: FootPlan, terrain: &Terrain) -> FootPlan {
    plan.footprints.iter_mut().for_each(|print| print.position = terrain.project(print.position));
    plan
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
/// Least depth of a tread beyond the foot's length.
const TREAD_ROOM: f64 = 0.05;
const N_STAIRS: usize = 8;
const STAIR_CADENCE: f64 = 1.6;
/// Other stairs: what they rise by, 4 cm apart, so that any height between is within 2 cm of a recorded one; how deep they are and how
/// far apart feet are on them.
const STAIR_RISES: [f64; 4] = [0.09, 0.13, 0.17, 0.21];
const STAIR_SHAPES: [(f64, f64); 3] = [(0.3, 0.06), (0.36, 0.18), (0.44, WIDTH)];
const N_OTHER_STAIRS: usize = 5;
const N_ONE_BY_ONE: usize = 4;
/// Slopes in degrees, as streets and ramps have them.
const SLOPES: [f64; 3] = [3.0, 6.0, 9.0];
/// Kerbs, in metres.
const KERBS: [f64; 4] = [0.05, 0.1, 0.15, 0.2];
const UP_AND_DOWN: [(f64, &str); 2] = [(1.0, "up"), (-1.0, "down")];
