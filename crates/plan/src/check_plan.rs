//! The one checker of foot plans: whether a person, in a world, could step from footprint to footprint.
//!
//! Files, requests and steppers all use it, footprint by footprint ([`PlanChecker::check_next`]) or a plan at once
//! ([`PlanChecker::check`]), and all number footprints from 0 as `footprints[5]`. It refuses what no person does; it does not
//! judge style. Running, jumping, stairs, sidesteps, crossing feet and hops on one foot all pass.
//!
//! 1. Numbers: finite, within range, times in order and written in one form.
//! 2. Reach: the limits of jumps always; those of legs where the body is known and the step is not a flight.
//! 3. Turns of the feet and of the body.
//! 4. The world: on the terrain, in the bounds, outside of obstacles; no ground on the path that a foot is not lifted over.
//! 5. What kind of step it is: a behaviour that goes with the times, and one foot after the other.
//!
//! Reach of a walking step, with legs of length `l`, ankles `d` apart over the ground and one `r` above the other (balls, where
//! headings are not known):
//!
//! ```text
//!          o hips          sqrt(l^2 - (d/2)^2) - r >= 0.42 l    hips in the middle, the lower leg straight,
//!         / \                                                  the upper knee bent no further than people bend it
//!      l /   \ l           d <= 1.6 l
//!       /     \___ r
//!   ___/   d
//! ```

use crate::jump_pattern::{Feet, take_off_feet};
use crate::sole_print::{SolePrint, SoleShape};
use crate::step_timing::{StepTiming, timing_after};
use crate::world::World;
use std::sync::Arc;
use surefoot_contact::{Behaviour, FootPlan, Footprint};
use surefoot_geom::{Vec3, ground_point, heading_direction, turn_between};
use surefoot_ground::contains;
use surefoot_motion::{BodyProportions, PerSide, Side};

pub use plan_error::{PlanError, StepTime};

mod plan_error;
#[cfg(test)]
mod tests;

/// How far and how fast a person can step. Lengths in metres, angles in radians, times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanLimits {
    /// Longest distance on the ground from one footprint to the next. Default 4: a sprinter's longest steps
    /// reach 2.8, and a jump of 4 m is a good one without training. Larger values let wrong units pass (centimetres, feet).
    pub max_step: f64,
    /// Highest rise from one footprint to the next. Default 1.7, above the highest recorded standing jump onto a box.
    pub max_rise: f64,
    /// Deepest drop from one footprint to the next. Default 4, a jump from a wall that a trained person walks away from.
    pub max_drop: f64,
    /// Highest mean speed of a foot between two of its footprints, in metres a second. Default 17: the fastest runners move at
    /// 12.4, and their feet are in the air for three quarters of the time in which they cover the same distance.
    pub max_foot_speed: f64,
    /// Longest walking step over the ground, from ankle to ankle, as a share of the legs. Default 1.6.
    pub max_walk_step: f64,
    /// Lowest hips above the higher foot in a walking step, as a share of the legs. Default 0.42.
    pub min_hip_height: f64,
    /// Furthest turn between both feet. Default 2.4 (137.5 degrees).
    pub max_feet_turn: f64,
    /// Furthest turn of the body, which faces between its feet, in one step. Default 1.4 (80 degrees).
    pub max_body_turn: f64,
    /// Furthest turn of the body in a jump from one foot. Default 1.75 (100 degrees). From both feet it is half a turn, the furthest
    /// that headings can say.
    pub max_one_foot_turn: f64,
    /// Nearest that the balls of both feet are planted. Default 0.02: closer, one foot is on the other.
    pub min_apart: f64,
    /// How far a footprint may be above or below the terrain. Default 0.002.
    pub max_off_terrain: f64,
    /// Longest swing or support. Default 3600.
    pub max_seconds: f64,
}

impl Default for PlanLimits {
    fn default() -> PlanLimits {
        PlanLimits {
            max_step: 4.0,
            max_rise: 1.7,
            max_drop: 4.0,
            max_foot_speed: 17.0,
            max_walk_step: 1.6,
            min_hip_height: 0.42,
            max_feet_turn: 2.4,
            max_body_turn: 1.4,
            max_one_foot_turn: 1.75,
            min_apart: 0.02,
            max_off_terrain: 0.002,
            max_seconds: 3600.0,
        }
    }
}

impl PlanLimits {
    /// Whether legs reach from the other foot to a footprint, of some number, in a walking step.
    pub fn check_walking_step(
        &self,
        footprint: usize,
        body: &BodyReach,
        other: &Footprint,
        print: &Footprint,
    ) -> Result<(), PlanError> {
        let mut step = print.position - other.position;
        if let (Some(from), Some(to)) = (other.heading, print.heading) {
            // Where feet point elsewhere, ankles are further apart than balls, or nearer.
            let back = |side: Side, heading: f64| heading_direction(heading) * (ANKLE_SHARE * body.soles[side].heel);
            step += back(other.side, from) - back(print.side, to);
        }
        let (distance, rise, leg) = (step.x.hypot(step.z), step.y, body.leg);
        let half = 0.5 * distance;
        let highest = (leg * leg - half * half).max(0.0).sqrt() - self.min_hip_height * leg;
        let longest = self.max_walk_step * leg;
        if distance > longest || rise.abs() > highest {
            return Err(PlanError::OutOfReach { footprint, distance, rise, leg, longest, highest });
        }
        Ok(())
    }

    /// How far a step turns its foot against the other one, and the body. `own` is where its foot pointed before, if that is known.
    pub fn check_step_turn(
        &self,
        footprint: usize,
        other: f64,
        own: Option<f64>,
        heading: f64,
    ) -> Result<(), PlanError> {
        let turn = turn_between(other, heading).abs();
        if turn > self.max_feet_turn {
            let (degrees, limit) = (turn.to_degrees(), self.max_feet_turn.to_degrees());
            return Err(PlanError::TurnedTooFar { footprint, degrees, limit });
        }
        // The body faces between its feet, before the step and after it.
        let body = |foot: f64| 0.5 * turn_between(other, foot);
        let turn = own.map_or(0.0, |own| (body(heading) - body(own)).abs());
        if turn > self.max_body_turn {
            let (degrees, limit) = (turn.to_degrees(), self.max_body_turn.to_degrees());
            return Err(PlanError::TurnsTooFar { footprint, degrees, limit });
        }
        Ok(())
    }
}

/// An ankle is over its sole, this share of the distance from ball to heel.
const ANKLE_SHARE: f64 = 0.7;
/// Steeper ground than this is no ground to stand on: the least upward part of a normal (78 degrees of slope).
const MIN_NORMAL_UP: f64 = 0.2;
/// A normal's length differs from 1 by less than this.
const UNIT: f64 = 1e-3;
/// The same foot nearer than this to where it is has not stepped, in metres.
const SAME_PLACE: f64 = 1e-3;

/// Checks footprints against a body and a world.
#[derive(Clone, Debug, Default)]
pub struct PlanChecker {
    /// The one set of limits.
    pub limits: PlanLimits,
    /// What feet are planted on.
    pub world: Arc<World>,
    /// Of the body that shall step; `None` leaves reach to the limits of jumps.
    pub body: Option<BodyReach>,
    /// What steps are that do not say: reach of legs applies to walking alone.
    pub unspecified: Gait,
}

/// What steps are that leave it open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gait {
    /// Double support at each landing.
    #[default]
    Walk,
    /// With a flight before each landing.
    Run,
}

/// Lengths of a body that reach depends on, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyReach {
    /// Thigh plus shin, the mean of both legs.
    pub leg: f64,
    /// Of the feet.
    pub soles: PerSide<SoleShape>,
}

impl BodyReach {
    /// Of a body.
    pub fn of(body: &BodyProportions) -> BodyReach {
        let leg = 0.5 * (body.leg_length(Side::Left) + body.leg_length(Side::Right));
        BodyReach { leg, soles: SoleShape::both(body) }
    }
}

impl PlanChecker {
    /// A checker for a body in a world.
    pub fn new(world: Arc<World>, body: BodyReach) -> PlanChecker {
        PlanChecker { world, body: Some(body), ..PlanChecker::default() }
    }

    /// Whether a person could take all these steps in this order; the first footprint that nobody could reach is named.
    pub fn check(&self, plan: &FootPlan) -> Result<(), PlanError> {
        let prints = &plan.footprints;
        if prints.len() < 2 {
            return Err(PlanError::TooShort { found: prints.len() });
        }
        (0..prints.len()).try_for_each(|index| self.check_next(&prints[..index], &prints[index]))
    }

    /// Whether `next` can be stepped on after `before`, which passed already.
    pub fn check_next(&self, before: &[Footprint], next: &Footprint) -> Result<(), PlanError> {
        self.check_numbers(before.len(), next)?;
        self.check_step(before, next)?;
        self.check_kind(before, next)?;
        self.check_ground_between(before, next)
    }

    /// The footprint as it will be stepped on: with the terrain's normal where a terrain is known.
    pub fn settled(&self, print: &Footprint) -> Footprint {
        Footprint { normal: self.world.normal_at(print.position).unwrap_or(print.normal), ..*print }
    }

    /// Whether the numbers of a footprint mean anything: finite, within range, times in one form.
    pub fn check_numbers(&self, index: usize, print: &Footprint) -> Result<(), PlanError> {
        let numbers = [print.heading, print.land, print.leave, print.swing, print.support];
        let is_finite = print.position.is_finite() && print.normal.is_finite();
        if !is_finite || numbers.iter().flatten().any(|number| !number.is_finite()) {
            return Err(PlanError::NotFinite { footprint: index });
        }
        if (print.normal.length() - 1.0).abs() > UNIT || print.normal.y <= 0.0 {
            return Err(PlanError::Normal { footprint: index, normal: print.normal.to_array() });
        }
        let up = self.world.normal_at(print.position).map_or(print.normal.y, |normal| normal.y);
        if up < MIN_NORMAL_UP {
            let (degrees, limit) = (up.acos().to_degrees(), MIN_NORMAL_UP.acos().to_degrees());
            return Err(PlanError::TooSteep { footprint: index, degrees, limit });
        }
        let times = [
            (StepTime::Swing, print.swing, f64::MIN_POSITIVE),
            (StepTime::Support, print.support, 0.0),
            (StepTime::Land, print.land, 0.0),
            (StepTime::Leave, print.leave, 0.0),
        ];
        for (what, seconds, least) in times {
            if let Some(seconds) = seconds.filter(|seconds| !(least..=self.limits.max_seconds).contains(seconds)) {
                return Err(PlanError::Duration { footprint: index, what, seconds });
            }
        }
        let is_absolute = print.land.is_some() || print.leave.is_some();
        if is_absolute && (print.swing.is_some() || print.support.is_some()) {
            return Err(PlanError::TwoTimings { footprint: index });
        }
        if let (Some(land), Some(leave)) = (print.land, print.leave)
            && leave <= land
        {
            return Err(PlanError::LeavesBeforeLanding { footprint: index, land, leave });
        }
        Ok(())
    }

    fn check_step(&self, before: &[Footprint], print: &Footprint) -> Result<(), PlanError> {
        let index = before.len();
        if index == 1 && before[0].side == print.side {
            return Err(PlanError::OneStandingFoot { side: print.side });
        }
        self.check_world(index, print)?;
        let Some(last) = before.last() else { return Ok(()) };
        let timing = timing_after(before, print);
        let take_off = take_off_feet(before, print);
        let step = Step {
            index,
            print,
            last,
            own: before.iter().rev().find(|earlier| earlier.side == print.side),
            other: before.iter().rev().find(|earlier| earlier.side != print.side),
            timing,
            take_off,
            is_jump: self.is_jump(before, print, &timing),
        };
        self.check_order(before, &step)?;
        self.check_jump(&step)?;
        self.check_apart(&step)?;
        if step.timing.together || !self.is_flight(print, &step.timing) {
            self.check_legs(&step)?;
        }
        self.check_turns(&step)?;
        self.check_speed(&step)
    }

    /// Whether a step is in the air before it lands, as far as the plan and the gait say.
    pub fn is_flight(&self, print: &Footprint, timing: &StepTiming) -> bool {
        match print.behaviour {
            Some(behaviour) => behaviour.is_flight(),
            None if timing.together => true,
            None => timing.overlap.map_or(self.unspecified == Gait::Run, |_| timing.is_flight()),
        }
    }

    /// Whether it is a jump or a hop rather than a running step: by its behaviour, or a flight to the same foot, to both feet or
    /// from both.
    pub fn is_jump(&self, before: &[Footprint], print: &Footprint, timing: &StepTiming) -> bool {
        let is_by_feet = || {
            let is_again = before.len() > 2 && before.last().is_some_and(|last| last.side == print.side);
            let has_times = before.iter().rev().take(2).all(|earlier| earlier.leave.is_some());
            let is_from_both = || has_times && take_off_feet(before, print) == Feet::Both;
            timing.together || is_again || is_from_both()
        };
        match print.behaviour {
            Some(Behaviour::Jump | Behaviour::Hop) => true,
            Some(behaviour) if !behaviour.is_flight() => false,
            Some(_) | None => before.len() >= 2 && self.is_flight(print, timing) && is_by_feet(),
        }
    }

    /// Absolute times go forward, also where footprints without any lie between.
    fn check_order(&self, before: &[Footprint], step: &Step<'_>) -> Result<(), PlanError> {
        let Some(land) = step.print.land else { return Ok(()) };
        let left = step.own.and_then(|own| own.leave);
        let landed = before.iter().rev().find_map(|earlier| earlier.land);
        let after = left.into_iter().chain(landed).fold(f64::NEG_INFINITY, f64::max);
        if land < after || left.is_some_and(|left| left >= land) {
            return Err(PlanError::OutOfOrder { footprint: step.index, land, after });
        }
        Ok(())
    }

    fn check_jump(&self, step: &Step<'_>) -> Result<(), PlanError> {
        let offset = step.print.position - step.last.position;
        let (footprint, distance, limits) = (step.index, offset.x.hypot(offset.z), &self.limits);
        if distance > limits.max_step {
            return Err(PlanError::TooFar { footprint, distance, limit: limits.max_step });
        }
        if offset.y > limits.max_rise {
            return Err(PlanError::TooHigh { footprint, rise: offset.y, limit: limits.max_rise });
        }
        if -offset.y > limits.max_drop {
            return Err(PlanError::TooDeep { footprint, drop: -offset.y, limit: limits.max_drop });
        }
        Ok(())
    }

    /// A foot steps to another place, and not onto the other foot.
    fn check_apart(&self, step: &Step<'_>) -> Result<(), PlanError> {
        let Step { index, print, last, .. } = *step;
        let is_same_foot = last.side == print.side;
        let is_same_place = last.position.distance(print.position) < SAME_PLACE;
        if is_same_foot && is_same_place && !self.is_flight(print, &step.timing) {
            return Err(PlanError::Doubled { footprint: index });
        }
        // In a hop the other foot is in the air; at the start it is planted, in whichever order the standing feet are given.
        // From a jump it has left too, unless both land together.
        let has_left = step.is_jump && !step.timing.together;
        let planted = step.other.filter(|_| (!is_same_foot || index == 2) && !has_left);
        let apart = planted.map(|other| other.position.distance(print.position));
        match apart.filter(|apart| *apart < self.limits.min_apart) {
            Some(apart) => Err(PlanError::OnOtherFoot { footprint: index, apart, limit: self.limits.min_apart }),
            None => Ok(()),
        }
    }

    fn check_legs(&self, step: &Step<'_>) -> Result<(), PlanError> {
        let (Some(body), Some(other)) = (&self.body, step.other) else { return Ok(()) };
        self.limits.check_walking_step(step.index, body, other, step.print)
    }

    /// Turns are limited where a body shall make them: plans extracted from recordings have ankles that are off by more.
    fn check_turns(&self, step: &Step<'_>) -> Result<(), PlanError> {
        if self.body.is_none() {
            return Ok(());
        }
        let (Some(heading), Some(other)) = (step.print.heading, step.other.and_then(|other| other.heading)) else {
            return Ok(());
        };
        if step.is_jump && !step.timing.together {
            return self.check_jump_turn(step, heading);
        }
        let own = step.own.and_then(|own| own.heading).filter(|_| !step.is_jump);
        self.limits.check_step_turn(step.index, other, own, heading)
    }

    /// In a jump the whole body turns; feet that land together are turned against each other.
    fn check_jump_turn(&self, step: &Step<'_>, heading: f64) -> Result<(), PlanError> {
        let from = step.own.and_then(|own| own.heading).filter(|_| step.take_off != Feet::Both);
        let turn = from.map_or(0.0, |from| turn_between(from, heading).abs());
        if turn > self.limits.max_one_foot_turn {
            let (degrees, limit) = (turn.to_degrees(), self.limits.max_one_foot_turn.to_degrees());
            return Err(PlanError::TurnsTooFar { footprint: step.index, degrees, limit });
        }
        Ok(())
    }

    /// The standing feet have not travelled: a time written on them is of a swing that nobody sees.
    fn check_speed(&self, step: &Step<'_>) -> Result<(), PlanError> {
        let (Some(swing), Some(own)) = (step.timing.swing, step.own) else { return Ok(()) };
        let distance = step.print.position.distance(own.position);
        if distance > self.limits.max_foot_speed * swing {
            let (side, limit) = (step.print.side, self.limits.max_foot_speed);
            return Err(PlanError::TooFast { footprint: step.index, side, distance, swing, limit });
        }
        Ok(())
    }

    fn check_world(&self, index: usize, print: &Footprint) -> Result<(), PlanError> {
        let World { terrain, obstacles, bounds } = &*self.world;
        if let Some(terrain) = terrain {
            let ground = terrain.height(ground_point(print.position));
            if (print.position.y - ground).abs() > self.limits.max_off_terrain {
                return Err(PlanError::OffTerrain { footprint: index, height: print.position.y, ground });
            }
        }
        let room = Room::of(print, self.body.as_ref());
        if bounds.as_ref().is_some_and(|bounds| room.leaves(bounds)) {
            return Err(PlanError::OutOfBounds { footprint: index });
        }
        match obstacles.iter().position(|obstacle| room.enters(&obstacle.outline)) {
            Some(obstacle) => Err(PlanError::InObstacle { footprint: index, obstacle }),
            None => Ok(()),
        }
    }
}

/// A step to a footprint, and what it is judged by.
struct Step<'a> {
    index: usize,
    print: &'a Footprint,
    /// The footprint before it.
    last: &'a Footprint,
    /// Where its foot was planted last, and where the other one was.
    own: Option<&'a Footprint>,
    other: Option<&'a Footprint>,
    timing: StepTiming,
    take_off: Feet,
    is_jump: bool,
}

/// What a foot covers: its sole where that and its heading are known, else the point of its ball.
enum Room {
    Sole(SolePrint),
    Ball(surefoot_geom::Vec2),
}

/// Soles that reach into something by less than this do not, in metres: planners leave no more than rounding.
const GRAZE: f64 = 1e-6;

impl Room {
    fn of(print: &Footprint, body: Option<&BodyReach>) -> Room {
        let ball = ground_point(print.position);
        match (body, print.heading) {
            (Some(body), Some(heading)) => Room::Sole(SolePrint::new(&body.soles[print.side], ball, heading)),
            _ => Room::Ball(ball),
        }
    }

    fn enters(&self, outline: &[surefoot_geom::Vec2]) -> bool {
        match self {
            Room::Sole(sole) => sole.gap_to_area(outline) < -GRAZE,
            Room::Ball(ball) => contains(outline, *ball),
        }
    }

    fn leaves(&self, bounds: &[surefoot_geom::Vec2]) -> bool {
        match self {
            Room::Sole(sole) => sole.room_in_area(bounds) < -GRAZE,
            Room::Ball(ball) => !contains(bounds, *ball),
        }
    }
}

/// A plan with the normals that a world's terrain has at its footprints.
pub fn settle_plan(plan: &FootPlan, world: &World) -> FootPlan {
    let settle = |print: &Footprint| {
        let normal: Vec3 = world.normal_at(print.position).unwrap_or(print.normal);
        Footprint { normal, ..*print }
    };
    FootPlan { footprints: plan.footprints.iter().map(settle).collect() }
}
