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
use surefoot_ground::Terrain;
use surefoot_motion::{Side, Skeleton};
use surefoot_plan::{World, synthesize_take};

/// Seconds of standing before and after each take.
const STANDING: f64 = 0.25;
/// Steps of a steady walk, with its start and its closing step.
const STEADY_STEPS: usize = 9;
/// The natural stride width at 1.8 m.
pub(super) const WIDTH: f64 = 0.1;
/// A take before it is made.
#[derive(Clone)]
pub(super) struct Part {
    name: String,
    what: String,
    pub(super) kind: CorpusKind,
    plan: FootPlan,
    settings: GaitSettings,
    terrain: Option<Terrain>,
}

impl Part {
    pub(super) fn play(
        &self,
        skeleton: &Arc<Skeleton>,
        rig: &Arc<Rig>,
        frame_rate: f64,
    ) -> Result<CorpusTake, CorpusError> {
        let Part { name, what, kind, plan, settings, terrain } = self.clone();
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
    pub(super) rig: &'a Rig,
    /// Height of our figure with such legs.
    height: f64,
    /// Of lengths, against 1.8 m.
    pub(super) scale: f64,
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
        self.climbs();
        self.jumps();
        self.parts
    }

    pub(super) fn trail(&self, first: Side) -> Trail {
        Trail::new(first, self.scale, self.walk().walk.attributes.foot_angle)
    }

    pub(super) fn walk(&self) -> GaitSettings {
        GaitSettings::natural(Gait::Walk, self.height)
    }

    /// A walk with steps of a length, its cadence a factor on the natural one.
    pub(super) fn pace(&self, length: f64, pace: f64) -> GaitSettings {
        let mut settings = self.walk();
        let step_length = length * self.scale;
        let cadence = pace / settings.natural_step_time(Gait::Walk, step_length, self.height);
        settings.walk.parameters = WalkParameters { speed: step_length * cadence, step_length, cadence };
        settings
    }

    /// A take over a terrain.
    pub(super) fn add_climb(
        &mut self,
        kind: CorpusKind,
        (name, what): (String, String),
        (settings, terrain): (GaitSettings, Option<Terrain>),
        plan: FootPlan,
    ) {
        self.parts.push(Part { name, what, kind, plan, settings, terrain });
    }

    fn add(&mut self, kind: CorpusKind, name: String, what: String, settings: GaitSettings, plan: FootPlan) {
        self.parts.push(Part { name, what, kind, plan, settings, terrain: None });
    }

    pub(super) fn lay(&self, settings: &GaitSettings, options: &LayOptions<'_>) -> FootPlan {
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
            // Into a run and out of it again as fast as people do.
            let plan = self.lay(&settings, &LayOptions { n_steps: Some(7), first, ..LayOptions::default() });
            let what = format!("from standing into a run and to a stop at once, {word} foot first");
            self.add(CorpusKind::Run, format!("run-start-stop-{word}"), what, settings, plan);
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
}

/// Length of our figure's leg at 1.8 m.
const OWN_LEG: f64 = 0.86;

/// Mixed walks, each with its mirror image, and their steps but the closing one.
const N_MIXED: usize = 12;
const MIXED_STEPS: usize = 11;

/// From walking to running: the last double support, and the swing after it, at 1.8 m.
const CHANGE_SUPPORT: f64 = 0.06;
const CHANGE_SWING: f64 = 0.38;
