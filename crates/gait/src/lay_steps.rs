//! Footprints from parameters: straight on, in a turn, sideways or backward, along a path, over any ground.
//!
//! Walking starts with a shorter step and ends with one that brings the feet together. Running gains its step length step by
//! step and loses it again, for a body cannot gain or lose its speed at once; its last step but one is a walking step, its
//! last closes. A run of few steps does not come to its full length. A single step of either gait is a walking one that does
//! not close. Steps sideways and backward are no longer than people take them, stairs are taken one by one, and sharp
//! corners of a path are turned on the spot.

use super::course::{Advance, Course, longest_step, put_down};
use super::stand::Stand;
use super::take_step::FIRST_SWING;
use super::{Gait, Manner};
use surefoot_contact::{FootPlan, Footprint};
use surefoot_geom::{Vec3, turn_between};
use surefoot_ground::TravelCurve;
use surefoot_ground::{Path, Terrain};
use surefoot_motion::BodyProportions;
use surefoot_motion::Side;

/// Where steps shall go.
#[derive(Clone, Debug, PartialEq)]
pub struct LayOptions<'a> {
    /// How many steps; along a path as many as it takes if `None`, else 10.
    pub n_steps: Option<usize>,
    /// Turn of the body with each step, positive to the left, in radians. Default 0.
    pub turn: f64,
    /// Direction of the way against the body's heading, in radians: 0 forward, a quarter turn to the left, half a turn
    /// backward. Default 0.
    pub direction: f64,
    /// The foot that steps first. Default left.
    pub first: Side,
    /// Where it begins, in metres. Default the origin.
    pub start: Vec3,
    /// Heading at its start, in radians. Default 0.
    pub heading: f64,
    /// A way to follow instead of the start, heading and turn.
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
pub(super) const RUN_LOSS: f64 = 0.16;
/// Largest turn of the way in one step, in radians (52 and 29 degrees).
const MAX_TURN: f64 = 0.9;
pub(super) const MAX_RUN_TURN: f64 = 0.5;
/// Highest rise or drop from one footprint to the next, as a share of the height: one stair at a time.
const MAX_RISE: f64 = 0.13;
/// A step is not shortened below this share of its length.
const SMALLEST_STEP: f64 = 0.2;
/// Most steps that take the place of one.
const MAX_EXTRA_STEPS: usize = 12;
/// Headings of a path are smoothed over this length, in metres.
const HEADING_REACH: f64 = 0.35;

/// The plan that a manner makes of a way, with its times.
pub fn lay_steps(build: &BodyProportions, manner: &Manner, options: &LayOptions<'_>) -> FootPlan {
    let layer =
        Layer { build, manner, options, curve: options.path.map(|path| TravelCurve::new(&path.points, HEADING_REACH)) };
    layer.plan()
}

struct Layer<'a> {
    build: &'a BodyProportions,
    manner: &'a Manner,
    options: &'a LayOptions<'a>,
    curve: Option<TravelCurve>,
}

impl Layer<'_> {
    fn plan(&self) -> FootPlan {
        let lengths = self.lengths();
        let mut course = Course { position: self.options.start, heading: self.options.heading };
        let mut arc = 0.0;
        if let Some(curve) = &self.curve {
            course = on_curve(curve, 0.0);
        }
        let mut footprints = Vec::with_capacity(lengths.len() + 2);
        let mut side = self.options.first;
        for standing in [side, side.opposite()] {
            let stand = self.stand(&course, standing, 0.0, Gait::Walk);
            footprints.push(footprint(standing, &stand));
        }
        let n_steps = lengths.len();
        for (index, &length) in lengths.iter().enumerate() {
            let gait = self.gait_of(index, n_steps);
            let mut left = length;
            // A path is walked to its end, with more steps where its corners or the ground make them shorter.
            for _ in 0..MAX_EXTRA_STEPS {
                let last = footprints[footprints.len() - 1].position.y;
                let (next, taken, stand) = self.next_place(&course, arc, left, side, gait, last);
                (course, arc, left) = (next, arc + taken, left - taken);
                let mut print = footprint(side, &stand);
                (print.swing, print.support) = self.times(index, n_steps);
                footprints.push(print);
                side = side.opposite();
                if self.curve.is_none() || left < SMALLEST_STEP * length {
                    break;
                }
            }
        }
        FootPlan { footprints }
    }

    /// The next place on the way and the footprint there, no further than the ground and the turn of the way let one step go; and how
    /// far that is.
    fn next_place(
        &self,
        course: &Course,
        arc: f64,
        length: f64,
        side: Side,
        gait: Gait,
        last: f64,
    ) -> (Course, f64, Stand) {
        let most_turn = match gait {
            Gait::Walk => MAX_TURN,
            Gait::Run => MAX_RUN_TURN,
        };
        let mut tried = length;
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
            let stand = self.stand(&next, side, taken, gait);
            let rise = (stand.ball.y - last).abs();
            if rise <= MAX_RISE * self.build.height || tried < SMALLEST_STEP * length {
                return (next, taken, stand);
            }
            tried *= 0.85;
        }
    }

    /// How far each step goes.
    fn lengths(&self) -> Vec<f64> {
        let full = match self.manner.gait {
            Gait::Walk => self.manner.walk.parameters.step_length,
            Gait::Run => self.manner.run.parameters.step_length,
        };
        let full = longest_step(self.options.direction, full, self.build.height);
        let shares = |n_steps: usize| -> Vec<f64> { (0..n_steps).map(|index| self.share(index, n_steps)).collect() };
        let Some(curve) = &self.curve else {
            let n_steps = self.options.n_steps.unwrap_or(DEFAULT_STEPS).min(MAX_STEPS);
            return shares(n_steps).into_iter().map(|share| share * full).collect();
        };
        // As many steps as come nearest to the full length, and then all alike.
        let way = curve.length();
        let n_steps = self.options.n_steps.unwrap_or_else(|| {
            let mut n_steps = ((way / full.max(1e-3)) as usize).clamp(2, MAX_STEPS);
            while n_steps < MAX_STEPS && shares(n_steps).iter().sum::<f64>() * full < way {
                n_steps += 1;
            }
            n_steps
        });
        let shares = shares(n_steps.clamp(1, MAX_STEPS));
        let total: f64 = shares.iter().sum();
        shares.into_iter().map(|share| share * way / total.max(1e-9)).collect()
    }

    /// Of a full step; the last closes the feet.
    fn share(&self, index: usize, n_steps: usize) -> f64 {
        let after = n_steps - 1 - index;
        if after == 0 && n_steps > 1 {
            return 0.0;
        }
        match self.manner.gait {
            Gait::Walk if index == 0 => FIRST_STEP,
            Gait::Walk => 1.0,
            Gait::Run => {
                let full = self.manner.run.parameters.step_length / self.build.height;
                let rising = RUN_START + RUN_GAIN * index as f64;
                let falling = RUN_START + RUN_LOSS * after.saturating_sub(1) as f64;
                (rising.min(falling) / full).min(1.0)
            }
        }
    }

    /// Runs end with two walking steps.
    fn gait_of(&self, index: usize, n_steps: usize) -> Gait {
        if self.manner.gait == Gait::Run && index + 2 < n_steps { Gait::Run } else { Gait::Walk }
    }

    fn advance(&self, length: f64, gait: Gait) -> Advance {
        let (width, toe_out) = match (self.manner.gait, gait) {
            (Gait::Run, Gait::Run) => (self.manner.run.attributes.stride_width, self.manner.run.attributes.foot_angle),
            _ => (self.manner.walk.attributes.stride_width, self.manner.walk.attributes.foot_angle),
        };
        let turn = if length > 0.0 { self.options.turn } else { 0.0 };
        Advance { length, turn, direction: self.options.direction, width, toe_out }
    }

    fn stand(&self, course: &Course, side: Side, length: f64, gait: Gait) -> Stand {
        let by = self.advance(length, gait);
        let mut stand = course.stand(side, &by, None, self.build);
        stand = put_down(stand.ball, stand.heading, self.options.terrain, self.build, side);
        stand
    }

    /// Swing and support of the footprint that a step leads to.
    fn times(&self, index: usize, n_steps: usize) -> (Option<f64>, Option<f64>) {
        let time = |index: usize| {
            let gait = self.gait_of(index, n_steps);
            match (self.manner.gait, gait) {
                // The walking steps that end a run are taken at its pace, a little slower.
                (Gait::Run, Gait::Walk) => 1.25 * self.manner.step_time(Gait::Run),
                _ => self.manner.step_time(gait),
            }
        };
        let overlap = |index: usize| match self.gait_of(index, n_steps) {
            Gait::Walk => self.manner.both_down(time(index)),
            Gait::Run => -self.manner.flight(time(index)),
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

fn footprint(side: Side, stand: &Stand) -> Footprint {
    Footprint { heading: Some(stand.heading), ..Footprint::at(side, stand.ball) }
}
