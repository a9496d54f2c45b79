//! Jumps in the engine of gait: which footprints make one, when it takes off, and what comes after its landing.
//!
//! A jump waits like any other step until the footprint after it is known. If that lands together with it, both are one jump,
//! which is then timed again, and its first footprint's outcome changes; else the jump is planned.
//!
//! Times: take-off is when the plan lets the last foot leave, or as long before `land` as the flight takes; without times
//! everything takes its natural time. A landing is absorbed before anything else begins but another jump, which begins with it. A plan does
//! not end on one foot.

use super::body_state::FootState;
use super::foot_plant::FootPlant;
use super::gait_engine::{GaitEngine, Headings, NAME, check_sole, facing_of, stand_still, travel_heading};
use super::jump_parameters::{FASTEST_ALONG, FASTEST_UP};
use super::plan_jump::{Jump, JumpOutline, MOVING, absorb, outline_jump, plan_jump};
use super::step::{Ground, level};
use surefoot_contact::{Behaviour, Footprint};
use surefoot_motion::{PerSide, Side};
use surefoot_plan::{Feet, StepError, StepOrigin, StepOutcome, StepTask, take_off_feet, timing_after};

/// Seconds in which someone rises again after a landing on both feet, before walking, and before standing.
const RISING: f64 = 0.5;
/// Seconds after which the foot behind leaves where a walk goes over into a jump from the foot ahead.
const LIFTING: f64 = 0.12;
/// Of its natural time, how much later than a landing a jump begins for someone to stand up in between, in seconds.
const STANDS_UP: f64 = 1.0;

/// How far ahead of the body the ball of a running foot lands, as a share of the height; and how much later a step after a jump lands at
/// most, in seconds.
const RUNNING_AHEAD: f64 = 0.12;
const LATEST: f64 = 0.25;

/// A jump that waits for the footprint after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingLeap {
    /// Of the footprint that lands first.
    index: usize,
    prints: PerSide<Option<Footprint>>,
    jump: Jump,
    /// When the last foot leaves, and when feet land, if the plan says, in seconds from the first frame.
    leave: Option<f64>,
    land: Option<f64>,
    outline: JumpOutline,
}

impl PendingLeap {
    pub(super) fn flight(&self) -> f64 {
        self.outline.flight
    }
}

impl GaitEngine {
    /// Times the jump to a footprint, or takes the footprint into the jump that waits.
    pub(super) fn push_jump(&mut self, task: &StepTask<'_>) -> Result<StepOutcome, StepError> {
        let (n_steps, saved) = (self.steps.len(), self.state);
        let (before, print) = (&task.prints[..task.index()], task.print());
        let pushed = if task.timing.together {
            self.join_leap(before, print)
        } else {
            self.plan_pending(Some(print));
            self.begin_leap(before, print)
        };
        pushed.inspect_err(|_| {
            self.steps.truncate(n_steps);
            self.state = saved;
            self.latest.clear();
        })
    }

    fn begin_leap(&mut self, before: &[Footprint], print: &Footprint) -> Result<StepOutcome, StepError> {
        let (index, print) = (before.len(), *print);
        self.face_first(before, &print);
        self.state.given_heading = print.heading.or(self.state.given_heading);
        let planted = |side: Side| matches!(self.state.body_state.feet[side], FootState::Planted { .. });
        let take_off = match take_off_feet(before, &print) {
            Feet::Both if planted(Side::Left) && planted(Side::Right) => Feet::Both,
            Feet::Left if planted(Side::Left) => Feet::Left,
            Feet::Right if planted(Side::Right) => Feet::Right,
            _ if planted(Side::Left) => Feet::Left,
            _ => Feet::Right,
        };
        let last_of = |side: Side| before.iter().rev().find(|earlier| earlier.side == side);
        let leaves = Side::BOTH.into_iter().filter(|&side| take_off.has(side)).filter_map(|side| last_of(side)?.leave);
        let leave = leaves.reduce(f64::max);
        let swing = timing_after(before, &print).swing.filter(|_| print.land.is_none() && take_off.has(print.side));
        let flight = swing.or_else(|| Some(print.land? - leave?).filter(|flight| *flight > 0.0));
        let double_support = last_of(match take_off {
            Feet::Left => Side::Right,
            _ => Side::Left,
        })
        .and_then(|other| other.leave)
        .map_or(LIFTING, |left| left - self.state.planned_until);
        let mut to = PerSide::from_fn(|_| None);
        to[print.side] = Some(self.landing_plant(&print, before));
        let mut prints = PerSide::from_fn(|_| None);
        prints[print.side] = Some(print);
        let jump = Jump { take_off, to, support: None, flight, double_support };
        let land = print.land;
        let outline = outline_jump(self.mover.rig.proportions(), &self.state.body_state, &jump);
        let leap = PendingLeap { index, prints, jump, leave, land, outline };
        self.wait_for(&leap);
        self.time_leap(leap, print.side)
    }

    /// The footprint lands together with the one before it: both are one jump, whatever the first was taken for.
    fn join_leap(&mut self, before: &[Footprint], print: &Footprint) -> Result<StepOutcome, StepError> {
        let (index, print) = (before.len(), *print);
        if self.state.pending.take().is_some() {
            self.begin_leap(&before[..index - 1], &before[index - 1])?;
        }
        self.state.given_heading = print.heading.or(self.state.given_heading);
        let Some(mut leap) = self.state.leap else {
            let (what, instead) = ("a landing on both feet at once", "land one foot later than the other");
            return Err(StepError::Unsupported { footprint: index, what, synthesizer: NAME, instead });
        };
        leap.jump.to[print.side] = Some(self.landing_plant(&print, before));
        leap.prints[print.side] = Some(print);
        let second = self.time_leap(leap, print.side)?;
        let first = StepOutcome { footprint: leap.index, lift: self.lift_of(print.side.opposite()), ..second.clone() };
        self.latest.push(first);
        Ok(second)
    }

    /// Stands until the first jump begins, and stands up where there is time between a landing and the next one.
    fn wait_for(&mut self, leap: &PendingLeap) {
        let mover = self.mover.clone();
        let proportions = mover.rig.proportions();
        let natural = leap.outline.support();
        let takes_off = leap.leave.or_else(|| Some(leap.land? - leap.outline.flight));
        if self.state.standing.is_some() {
            let seconds = takes_off.map_or(self.mover.options.standing, |at| (at - natural).max(0.0));
            self.stand(seconds);
        } else if self.state.has_landed
            && let Some(at) = takes_off.filter(|at| at - self.state.planned_until > natural + STANDS_UP)
        {
            self.absorb_landing();
            let jump = Jump { support: None, ..leap.jump };
            let still = self.state.body_state.settle(proportions, &self.mover.bearing(2), RISING).1;
            let crouching = outline_jump(proportions, &still, &jump).support();
            let seconds = (at - self.state.planned_until - crouching).max(RISING);
            self.add(self.state.body_state.settle(proportions, &self.mover.bearing(2), seconds));
        }
    }

    /// Decides the times of a jump from the body as it is; what nobody can do is refused.
    fn time_leap(&mut self, mut leap: PendingLeap, side: Side) -> Result<StepOutcome, StepError> {
        let proportions = self.mover.rig.proportions();
        let footprint =
            leap.prints[side].map_or(leap.index, |_| leap.index + usize::from(leap.jump.landing() == Feet::Both));
        if let Some(to) = &leap.jump.to[side] {
            check_sole(&self.mover, &self.world, footprint, side, to)?;
        }
        let from = self.state.body_state;
        let free = outline_jump(proportions, &from, &leap.jump);
        let takes_off = leap.leave.or_else(|| Some(leap.land? - free.flight));
        leap.jump.support = takes_off.map(|at| (at - self.state.planned_until).max(0.0));
        leap.outline = outline_jump(proportions, &from, &leap.jump);
        let (up, along) = (leap.outline.velocity.y, level(leap.outline.velocity).length());
        let fastest = if leap.jump.take_off == Feet::Both { FASTEST_UP.0 } else { FASTEST_UP.1 };
        let scale = (proportions.height / super::equations::DEFAULT_HEIGHT).sqrt();
        if up > fastest * scale {
            return Err(StepError::Leap { footprint, speed: up, limit: fastest * scale });
        }
        let approach = level(from.position.rate).length();
        let most = (FASTEST_ALONG.0 * scale).max(approach + 1.2).min(FASTEST_ALONG.1 * scale);
        if along > most {
            return Err(StepError::LeapAlong { footprint, speed: along, limit: most });
        }
        self.state.leap = Some(leap);
        let land = self.state.planned_until + leap.outline.support() + leap.outline.flight;
        Ok(StepOutcome {
            footprint,
            behaviour: if leap.jump.pattern().is_hop() { Behaviour::Hop } else { Behaviour::Jump },
            origin: StepOrigin::Procedural,
            lift: self.lift_of(side),
            land,
            sources: Vec::new(),
            outside: 0.0,
            height_outside: 0.0,
            jump: Some(leap.jump.pattern()),
        })
    }

    /// When a foot lifts for the jump that waits.
    fn lift_of(&self, side: Side) -> f64 {
        let Some(leap) = &self.state.leap else { return self.state.planned_until };
        let o = &leap.outline;
        self.state.planned_until
            + match self.state.body_state.feet[side] {
                FootState::Air { since, .. } => since,
                FootState::Planted { .. } if leap.jump.take_off.has(side) => o.support(),
                FootState::Planted { .. } => leap.jump.double_support.clamp(0.0, 0.6 * o.sink),
            }
    }

    /// Plans the jump that waits, up to its landing.
    pub(super) fn plan_leap(&mut self) {
        let Some(leap) = self.state.leap.take() else { return };
        let ground = Ground { terrain: self.world.terrain.as_ref() };
        let proportions = self.mover.rig.proportions();
        let (steps, after) = plan_jump(proportions, &ground, &self.state.body_state, &leap.jump, &leap.outline);
        for step in steps {
            self.add((step, after));
        }
        self.state.has_landed = true;
    }

    /// Absorbs the landing of a jump, if that is not done.
    pub(super) fn absorb_landing(&mut self) {
        if std::mem::take(&mut self.state.has_landed) {
            self.add(absorb(self.mover.rig.proportions(), &self.state.body_state));
        }
    }

    /// After a landing, before a step: from both feet someone absorbs it and rises; on one foot the step itself does.
    pub(super) fn recover(&mut self, side: Side, task: &StepTask<'_>) {
        if !self.state.has_landed {
            return;
        }
        let is_on_both =
            Side::BOTH.into_iter().all(|side| matches!(self.state.body_state.feet[side], FootState::Planted { .. }));
        if !is_on_both {
            self.state.has_landed = false;
            return;
        }
        self.absorb_landing();
        if is_on_both {
            let left = task.prints.iter().rev().skip(1).find(|print| print.side == side).and_then(|own| own.leave);
            let seconds = left.map_or(RISING, |left| (left - self.state.planned_until - 0.2).clamp(0.3, 600.0));
            self.add(self.state.body_state.settle(self.mover.rig.proportions(), &self.mover.bearing(2), seconds));
        }
    }

    /// Seconds by which a running step after a landing on one foot takes longer: the foot landed further ahead of the body than a
    /// running one does.
    pub(super) fn late_after_leap(&self) -> f64 {
        let (body, height) = (&self.state.body_state, self.mover.rig.proportions().height);
        let along = level(body.position.rate);
        let Some(side) = Side::BOTH.into_iter().find(|&side| matches!(body.feet[side], FootState::Planted { .. }))
        else {
            return 0.0;
        };
        let ahead = level(body.feet[side].plant().ball - body.position.value).dot(along.normalize_or_zero());
        ((ahead - RUNNING_AHEAD * height) / along.length().max(MOVING)).clamp(0.0, LATEST)
    }

    /// Nobody comes to rest on one foot.
    pub(super) fn check_last_leap(&self) -> Result<(), StepError> {
        let Some(leap) = self.state.leap.filter(|leap| leap.jump.landing() != Feet::Both) else { return Ok(()) };
        let what = "a landing on one foot as its end";
        let instead = "add a footprint of the other foot: one that lands with it, or a step after it";
        Err(StepError::Unsupported { footprint: leap.index, what, synthesizer: NAME, instead })
    }

    /// Turns standing feet without a heading toward the first footprint.
    fn face_first(&mut self, before: &[Footprint], first: &Footprint) {
        let Some(standing) = self.state.standing else { return };
        if self.state.given_heading.is_none() {
            let own = before.iter().find(|print| print.side == first.side);
            let travel = own.and_then(|own| travel_heading(own.position, first.position));
            let heading = first.heading.or(travel).unwrap_or_else(|| facing_of(&standing));
            self.state.body_state = stand_still(&self.mover, &self.world, &standing, heading);
        }
    }

    /// A foot that lands from a jump without a heading points as it did.
    fn landing_plant(&self, print: &Footprint, before: &[Footprint]) -> FootPlant {
        let own = self.state.body_state.feet[print.side].plant().heading;
        let other = before.last().filter(|last| last.side != print.side).and_then(|last| last.heading);
        let heading = print.heading.or(self.state.given_heading).or(other).unwrap_or(own);
        let feet = Headings { own: self.state.body_state.feet[print.side].plant().ball, other: heading };
        self.plant(&Footprint { heading: Some(heading), ..*print }, &feet, None)
    }
}
