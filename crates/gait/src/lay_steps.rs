//! Footprints from parameters: straight on, in a turn, sideways or backward, along a path, over any ground.
//!
//! Walking starts with a shorter step and ends with one that brings the feet together. Running gains its step length step by
//! step and loses it again, for a body cannot gain or lose its speed at once; its last step but one is a walking step, its
//! last closes. A run of few steps does not come to its full length. A single step of either gait is a walking one that does
//! not close. Steps sideways and backward are no longer than people take them, stairs are taken one by one, and sharp
//! corners of a path are turned on the spot.

use super::course::{Advance, Course, longest_step, put_down};
use super::foot_plant::FootPlant;
use super::step::left_sign;
use super::take_step::FIRST_SWING;
use super::{Gait, GaitSettings};
use std::f64::consts::FRAC_PI_2;
use surefoot_contact::{FootPlan, Footprint};
use surefoot_geom::{Vec3, heading_direction, turn_between};
use surefoot_ground::TravelCurve;
use surefoot_ground::{Path, PathError, Terrain};
use surefoot_motion::BodyProportions;
use surefoot_motion::Side;

/// Where steps shall go.
#[derive(Clone, Debug, PartialEq)]
pub struct LayOptions<'a> {
    /// How many steps; along a path as many as it takes if `None`, else 10.
    pub n_steps: Option<usize>,
    /// Turn of the body with each step, positive to the left, in radians. Default 0.
    pub turn: f64,
    /// Direction of the path against the body's heading, in radians: 0 forward, a quarter turn to the left, half a turn
    /// backward. Default 0.
    pub direction: f64,
    /// The foot that steps first. Default left.
    pub first: Side,
    /// Where it begins, in metres. Default the origin.
    pub start: Vec3,
    /// Heading at its start, in radians. Default 0.
    pub heading: f64,
    /// A path to follow instead of the start, heading and turn.
    pub path: Option<&'a Path>,
    /// The ground. Default flat at the start's height.
    pub terrain: Option<&'a Terrain>,
}

impl Default for LayOptions<'_> {
    fn default() -> Self {
        LayOptions {
            n_steps: None,
            turn: 0.0,
            direction: 0.0,
            first: Side::Left,
            start: Vec3::ZERO,
            heading: 0.0,
            path: None,
            terrain: None,
        }
    }
}

const DEFAULT_STEPS: usize = 10;
/// Most steps of a plan.
const MAX_STEPS: usize = 100_000;
/// The first step of a walk, of a full one.
pub(super) const FIRST_STEP: f64 = 0.65;
/// The first step of a run, and how much longer each next one may be and how much shorter while it stops, as shares of the height.
pub(super) const RUN_START: f64 = 0.28;
pub(super) const RUN_GAIN: f64 = 0.12;
pub(super) const RUN_LOSS: f64 = 0.12;
/// The walking step after the last running one, as a share of the height.
const RUN_STOP: f64 = 0.34;
/// Largest turn of the path in one step, in radians (52 and 29 degrees).
const MAX_TURN: f64 = 0.9;
pub(super) const MAX_RUN_TURN: f64 = 0.5;
/// Highest rise or drop from one footprint to the next, as a share of the height: one stair at a time.
const MAX_RISE: f64 = 0.13;
/// Nearest that the balls of both feet are planted, in metres; checkers of plans refuse nearer ones.
const FEET_APART: f64 = 0.03;
/// Highest rise or drop that is left to the checker of plans to judge, as a share of the height: about the length of
/// a leg. No body takes a higher step.
const HIGHEST_RISE: f64 = 0.5;
/// How often a step is shortened, and by what factor, before the ground there counts as too steep.
const MAX_TRIES: usize = 12;
const SHORTER: f64 = 0.85;
/// A step is not shortened below this share of its length.
const SMALLEST_STEP: f64 = 0.2;
/// Most steps that a path takes beyond its length in full steps, because the first and last are shorter: a run gains its
/// length in a dozen.
const MAX_SHORTER_STEPS: usize = 100;
/// Most steps that take the place of one.
const MAX_EXTRA_STEPS: usize = 12;
/// Headings of a path are smoothed over this length, in metres.
const HEADING_REACH: f64 = 0.35;

/// Why no footprints can be laid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LayError {
    /// An option is NaN or infinite.
    #[error("the {field} of the steps is {value}; it must be a finite number")]
    Option {
        /// Which.
        field: &'static str,
        /// As given.
        value: f64,
    },
    /// The path cannot be followed.
    #[error(transparent)]
    Path(#[from] PathError),
    /// More steps than a plan should have.
    #[error(
        "about {found} steps are asked for; at most {MAX_STEPS} are laid. Take fewer or longer steps, or cut the path in parts"
    )]
    TooMany {
        /// About how many.
        found: u64,
    },
    /// The ground rises or falls by more than any leg reaches.
    #[error(
        "footprints[{number}] would lie at [{:.2}, {:.2}], where the ground is at {:.2} m: {rise:+.2} m from the footprint before it; \
         no step of this body is higher than {limit:.2} m. Another path, or ground without that edge, would do",
        .at.x, .at.z, .at.y
    )]
    TooSteep {
        /// Of the footprint, from 0.
        number: usize,
        /// Where it would lie.
        at: Vec3,
        /// Height above the footprint before it, in metres.
        rise: f64,
        /// The most.
        limit: f64,
    },
}

/// The plan that gait settings make of a route, with its times.
///
/// The work is bounded: at most `MAX_STEPS` steps, each divided into at most `MAX_EXTRA_STEPS` of which each is shortened at most
/// `MAX_TRIES` times.
pub fn lay_steps(
    proportions: &BodyProportions,
    settings: &GaitSettings,
    options: &LayOptions<'_>,
) -> Result<FootPlan, LayError> {
    check(options)?;
    let layer = Layer {
        proportions,
        settings,
        options,
        curve: options.path.map(|path| TravelCurve::new(&path.points, HEADING_REACH)),
    };
    let mut plan = layer.plan()?;
    keep_apart(&mut plan, proportions, options.terrain);
    Ok(plan)
}

/// Moves footprints outward that would be on the other foot: of very narrow walks, and of steps sideways.
fn keep_apart(plan: &mut FootPlan, proportions: &BodyProportions, terrain: Option<&Terrain>) {
    for index in 1..plan.footprints.len() {
        let (other, print) = (plan.footprints[index - 1], &mut plan.footprints[index]);
        let away = Vec3::new(print.position.x - other.position.x, 0.0, print.position.z - other.position.z);
        if away.length() >= FEET_APART || print.side == other.side {
            continue;
        }
        let heading = print.heading.unwrap_or(0.0);
        let outward = heading_direction(heading + FRAC_PI_2) * left_sign(print.side);
        let (out, along) = (away.dot(outward), away.reject_from(outward).length());
        let moved = print.position + outward * ((FEET_APART * FEET_APART - along * along).sqrt() - out);
        print.position = put_down(moved, heading, terrain, proportions, print.side).ball;
    }
}

fn check(options: &LayOptions<'_>) -> Result<(), LayError> {
    let numbers = [
        ("turn", options.turn),
        ("direction", options.direction),
        ("heading", options.heading),
        ("start's x", options.start.x),
        ("start's y", options.start.y),
        ("start's z", options.start.z),
    ];
    if let Some((field, value)) = numbers.into_iter().find(|(_, value)| !value.is_finite()) {
        return Err(LayError::Option { field, value });
    }
    if let Some(n_steps) = options.n_steps.filter(|&n_steps| n_steps > MAX_STEPS) {
        return Err(LayError::TooMany { found: n_steps as u64 });
    }
    options.path.map_or(Ok(()), |path| Ok(path.check()?))
}

struct Layer<'a> {
    proportions: &'a BodyProportions,
    settings: &'a GaitSettings,
    options: &'a LayOptions<'a>,
    curve: Option<TravelCurve>,
}

impl Layer<'_> {
    fn plan(&self) -> Result<FootPlan, LayError> {
        let lengths = self.lengths()?;
        let mut course = Course { position: self.options.start, heading: self.options.heading };
        let mut arc = 0.0;
        if let Some(curve) = &self.curve {
            course = on_curve(curve, 0.0);
        }
        let mut footprints = Vec::with_capacity(lengths.len() + 2);
        let mut side = self.options.first;
        for standing in [side, side.opposite()] {
            let plant = self.plant(&course, standing, 0.0, Gait::Walk);
            footprints.push(footprint(standing, &plant));
        }
        let n_steps = lengths.len();
        for (index, &length) in lengths.iter().enumerate() {
            let gait = self.gait_of(index, n_steps);
            let mut left = length;
            // A path is walked to its end, with more steps where its corners or the ground make them shorter.
            for _ in 0..MAX_EXTRA_STEPS {
                let last = footprints[footprints.len() - 1].position.y;
                let (next, taken, plant) = self.next_place(&course, arc, left, side, gait, last);
                self.check_rise(footprints.len(), &plant, last)?;
                (course, arc, left) = (next, arc + taken, left - taken);
                let mut print = footprint(side, &plant);
                (print.swing, print.support) = self.times(index, n_steps);
                footprints.push(print);
                side = side.opposite();
                if self.curve.is_none() || left < SMALLEST_STEP * length {
                    break;
                }
            }
        }
        Ok(FootPlan { footprints })
    }

    /// Whether a leg could be long enough for a step.
    fn check_rise(&self, number: usize, plant: &FootPlant, last: f64) -> Result<(), LayError> {
        let (rise, limit) = (plant.ball.y - last, HIGHEST_RISE * self.proportions.height);
        // Not `rise.abs() > limit`: a NaN must be refused as well.
        match rise.abs() <= limit {
            true => Ok(()),
            false => Err(LayError::TooSteep { number, at: plant.ball, rise, limit }),
        }
    }

    /// The next place on the path and the footprint there, no further than the ground and the turn of the path let one step go; and how
    /// far that is.
    fn next_place(
        &self,
        course: &Course,
        arc: f64,
        length: f64,
        side: Side,
        gait: Gait,
        last: f64,
    ) -> (Course, f64, FootPlant) {
        let most_turn = match gait {
            Gait::Walk => MAX_TURN,
            Gait::Run => MAX_RUN_TURN,
        };
        let mut tried = length;
        let mut n_tries = 0;
        loop {
            let mut next = *course;
            let mut taken = tried;
            match &self.curve {
                Some(curve) => {
                    let ahead = on_curve(curve, arc + tried);
                    let turn = turn_between(course.heading, ahead.heading);
                    if turn.abs() > most_turn {
                        // A corner is turned on the spot.
                        next.heading += most_turn * turn.signum();
                        taken = 0.0;
                    } else {
                        next = Course { position: ahead.position, heading: course.heading + turn };
                    }
                }
                None => next.advance(&self.advance(tried, gait)),
            }
            let plant = self.plant(&next, side, taken, gait);
            let rise = (plant.ball.y - last).abs();
            n_tries += 1;
            // A step of no length, which closes the feet, gets no shorter however often it is tried.
            let is_shortest = tried <= SMALLEST_STEP * length || n_tries == MAX_TRIES;
            if rise <= MAX_RISE * self.proportions.height || is_shortest {
                return (next, taken, plant);
            }
            tried *= SHORTER;
        }
    }

    /// How far each step goes.
    fn lengths(&self) -> Result<Vec<f64>, LayError> {
        let full = match self.settings.gait {
            Gait::Walk => self.settings.walk.parameters.step_length,
            Gait::Run => self.settings.run.parameters.step_length,
        };
        let full = longest_step(self.options.direction, full, self.proportions.height);
        let shares = |n_steps: usize| -> Vec<f64> { (0..n_steps).map(|index| self.share(index, n_steps)).collect() };
        let Some(curve) = &self.curve else {
            let n_steps = self.options.n_steps.unwrap_or(DEFAULT_STEPS);
            return Ok(shares(n_steps).into_iter().map(|share| share * full).collect());
        };
        // As many steps as come nearest to the full length, and then all alike.
        let distance = curve.length();
        let n_steps = match self.options.n_steps {
            Some(n_steps) => n_steps.max(1),
            None => self.n_steps_for(distance, full)?,
        };
        let shares = shares(n_steps);
        let total: f64 = shares.iter().sum();
        Ok(shares.into_iter().map(|share| share * distance / total.max(1e-9)).collect())
    }

    /// How many steps it takes to go as far, if full steps are `full` long.
    fn n_steps_for(&self, distance: f64, full: f64) -> Result<usize, LayError> {
        let about = distance / full.max(1e-3);
        if about.is_nan() || about >= MAX_STEPS as f64 {
            return Err(LayError::TooMany { found: about as u64 });
        }
        let reached = |n_steps: usize| (0..n_steps).map(|index| self.share(index, n_steps)).sum::<f64>() * full;
        let first = (about as usize).max(2);
        // Each step more is about as long as a full one, so few are missing: those that start and stop are shorter.
        let enough = (first..first + MAX_SHORTER_STEPS).find(|&n_steps| reached(n_steps) >= distance);
        enough.filter(|&n_steps| n_steps <= MAX_STEPS).ok_or(LayError::TooMany { found: about as u64 })
    }

    /// Of a full step; the last closes the feet.
    fn share(&self, index: usize, n_steps: usize) -> f64 {
        let after = n_steps - 1 - index;
        if after == 0 && n_steps > 1 {
            return 0.0;
        }
        match self.settings.gait {
            Gait::Walk if index == 0 => FIRST_STEP,
            Gait::Walk => 1.0,
            Gait::Run => {
                let full = self.settings.run.parameters.step_length / self.proportions.height;
                let rising = RUN_START + RUN_GAIN * index as f64;
                let falling = RUN_STOP + RUN_LOSS * after.saturating_sub(1) as f64;
                (rising.min(falling) / full).min(1.0)
            }
        }
    }

    /// Runs end with two walking steps.
    fn gait_of(&self, index: usize, n_steps: usize) -> Gait {
        if self.settings.gait == Gait::Run && index + 2 < n_steps { Gait::Run } else { Gait::Walk }
    }

    fn advance(&self, length: f64, gait: Gait) -> Advance {
        let (width, toe_out) = match (self.settings.gait, gait) {
            (Gait::Run, Gait::Run) => {
                (self.settings.run.attributes.stride_width, self.settings.run.attributes.foot_angle)
            }
            _ => (self.settings.walk.attributes.stride_width, self.settings.walk.attributes.foot_angle),
        };
        let turn = if length > 0.0 { self.options.turn } else { 0.0 };
        Advance { length, turn, direction: self.options.direction, width, toe_out }
    }

    fn plant(&self, course: &Course, side: Side, length: f64, gait: Gait) -> FootPlant {
        let by = self.advance(length, gait);
        let mut plant = course.plant(side, &by, None, self.proportions);
        plant = put_down(plant.ball, plant.heading, self.options.terrain, self.proportions, side);
        plant
    }

    /// Swing and support of the footprint that a step leads to.
    fn times(&self, index: usize, n_steps: usize) -> (Option<f64>, Option<f64>) {
        let time = |index: usize| {
            let gait = self.gait_of(index, n_steps);
            match (self.settings.gait, gait) {
                // The walking steps that end a run are taken at its pace, a little slower.
                (Gait::Run, Gait::Walk) => 1.25 * self.settings.step_time(Gait::Run),
                _ => self.settings.step_time(gait),
            }
        };
        let overlap = |index: usize| match self.gait_of(index, n_steps) {
            Gait::Walk => self.settings.double_support(time(index)),
            Gait::Run => -self.settings.flight(time(index)),
        };
        let swing = match index {
            0 => FIRST_SWING * time(0),
            _ => time(index) - overlap(index - 1),
        };
        let is_last = index + 1 == n_steps;
        (Some(swing), (!is_last).then(|| overlap(index).max(0.0)))
    }
}

fn on_curve(curve: &TravelCurve, arc: f64) -> Course {
    let point = curve.point(arc);
    Course { position: Vec3::new(point.x, 0.0, point.y), heading: curve.heading(arc) }
}

fn footprint(side: Side, plant: &FootPlant) -> Footprint {
    Footprint { heading: Some(plant.heading), ..Footprint::at(side, plant.ball) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rig;
    use surefoot_geom::Vec2;
    use surefoot_motion::{PersonOptions, person};

    fn laid(gait: Gait, options: &LayOptions<'_>) -> Result<FootPlan, LayError> {
        let (skeleton, body) = person(&PersonOptions::default()).expect("a person");
        let rig = Rig::new(&skeleton, &body, &surefoot_motion::Poses::default()).expect("legs");
        lay_steps(rig.proportions(), &GaitSettings::natural(gait, 1.8), options)
    }

    /// Ground that is level, and `height` high where a test of `(x, z)` says so.
    fn raised(height: f64, is_high: impl Fn(f64, f64) -> bool) -> Terrain {
        let (origin, spacing, n_x, n_z) = (Vec2::new(-1.0, -1.0), 0.05, 41, 261);
        let at =
            |sample: usize| (origin.x + spacing * (sample % n_x) as f64, origin.y + spacing * (sample / n_x) as f64);
        let heights = (0..n_x * n_z).map(at).map(|(x, z)| if is_high(x, z) { height } else { 0.0 }).collect();
        Terrain::height_field(origin, spacing, n_x, n_z, heights).expect("a height field")
    }

    fn laid_on(gait: Gait, ground: &Terrain, n_steps: usize) -> Result<FootPlan, LayError> {
        laid(gait, &LayOptions { terrain: Some(ground), n_steps: Some(n_steps), ..LayOptions::default() })
    }

    #[test]
    fn a_step_that_closes_the_feet_beside_a_cliff_ends_in_an_error() {
        // Its length is 0, and shortening it does not help.
        let ground = raised(2.8, |x, z| x < 0.0 && z > 0.2);
        let error = laid_on(Gait::Walk, &ground, 2).expect_err("no step of 2.8 m");
        assert!(matches!(error, LayError::TooSteep { number: 3, .. }), "{error}");
        assert!(error.to_string().contains("2.80 m"), "{error}");
    }

    #[test]
    fn walls_on_the_path_are_stepped_over_or_named() {
        let mut n_refused = 0;
        for (tenth, depth) in (0..60).flat_map(|tenth| [0.1, 3.0].map(|depth| (tenth, depth))) {
            let from = 0.3 + 0.1 * f64::from(tenth);
            let ground = raised(2.8, |_, z| (from..from + depth).contains(&z));
            for gait in [Gait::Walk, Gait::Run] {
                match laid_on(gait, &ground, 10) {
                    Ok(plan) => assert!(plan.footprints.iter().all(|print| print.position.is_finite())),
                    Err(LayError::TooSteep { at, rise, limit, .. }) => {
                        n_refused += 1;
                        assert!(at.is_finite() && rise.abs() > limit, "{at} {rise}");
                    }
                    Err(other) => panic!("{other}"),
                }
            }
        }
        assert!(n_refused > 50, "{n_refused} of 240: no path leads onto a wall 3 m deep");
    }

    #[test]
    fn options_that_are_no_numbers_and_endless_paths_are_refused() {
        let error_of = |options: &LayOptions<'_>| laid(Gait::Walk, options).expect_err("refused").to_string();
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(error_of(&LayOptions { turn: number, ..LayOptions::default() }).contains("turn"));
            assert!(error_of(&LayOptions { start: Vec3::Z * number, ..LayOptions::default() }).contains("start"));
        }
        assert!(
            error_of(&LayOptions { n_steps: Some(usize::MAX), ..LayOptions::default() }).contains("at most 100000")
        );
        for length in [1e6, 1e300] {
            let path = Path { points: vec![Vec2::ZERO, Vec2::new(0.0, length)] };
            assert!(error_of(&LayOptions { path: Some(&path), ..LayOptions::default() }).contains("at most 100000"));
        }
        let nowhere = Path { points: vec![] };
        assert!(laid(Gait::Run, &LayOptions { path: Some(&nowhere), ..LayOptions::default() }).is_err());
    }
}
