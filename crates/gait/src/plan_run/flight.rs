//! How long a running step flies: as long as asked for, as long as the leg at toe-off lets it, or as a target height asks (the
//! paper's case II).
//!
//! 1. Without a height: the flight asked for, or the shortest longer one that the leg behind reaches and from which a push that
//!    never pulls lifts the body ([`reachable_flight`]).
//! 2. With a height: of all flights that rise so high the longest that begins no higher than the leg reaches and than a push
//!    lifts; where there is none, the one that brakes least, or that comes nearest ([`flight_of_height`]).

use super::super::body_state::BodyState;
use super::super::gait_settings::{MAX_FLIGHT, MIN_FLIGHT};
use super::super::leg::LegLengths;
use super::super::push::{self, Push};
use super::super::step::{MIN_KNEE, PelvisTrack};
use super::{Planner, RunStep};
use surefoot_contact::check_frame_rate::GRAVITY;
use surefoot_geom::Vec3;
use surefoot_motion::BodyProportions;

/// Fastest that a body may have to rise to reach its landing, in metres a second.
const RISING_OFF: f64 = 1.6;
/// How much higher a leg must reach at toe-off than a push asks: the body is then beside its mean path, in metres.
const LIFT_ROOM: f64 = 0.03;
/// How far the ankle may be behind the hip at toe-off along the ground, as a share of the leg (33 degrees).
const FURTHEST_BEHIND: f64 = 0.54;
/// Flights among which that of a target height is looked for, and how often it is halved in on.
const FLIGHTS: usize = 24;
const FLIGHT_ROUNDS: usize = 16;
/// How much higher a leg must reach for a flight of a given height, for the lean that the flight changes, in metres.
const REACH_ROOM: f64 = 0.003;
/// How much worse it is not to reach than to brake, in metres.
const UNREACHED: f64 = 1e3;

/// What of a running step is known before the footprint after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RunOutline {
    /// Seconds in the air at its end.
    pub(crate) flight: f64,
    /// When the foot that swings leaves, in seconds from the start of the step; 0 if it is in the air already.
    pub(crate) leaves: f64,
    /// Upward at take-off, in metres a second.
    pub(crate) leap: f64,
}

/// The flight of a step and what comes with it; [`plan_run`](super::plan_run) is given the step with this flight.
pub(crate) fn outline_run(proportions: &BodyProportions, from: &BodyState, step: &RunStep) -> RunOutline {
    let flight = decide_flight(proportions, from, step);
    let planner = Planner { proportions, from, step: &RunStep { flight, ..*step } };
    let landing = planner.landing();
    let leap = planner.take_off(&planner.turns(&landing).0, &landing).velocity.y;
    RunOutline { flight, leaves: planner.leaves(), leap }
}

/// Seconds in the air, as asked for or as the leg at toe-off lets it be.
pub(crate) fn decide_flight(proportions: &BodyProportions, from: &BodyState, step: &RunStep) -> f64 {
    match step.height {
        Some(height) => flight_of_height(proportions, from, step, height),
        None => reachable_flight(proportions, from, step),
    }
}

/// The leg at toe-off, after flights of any time.
struct LastLeg {
    step_seconds: f64,
    /// The hip at the next landing, and how fast it comes there.
    hip: Vec3,
    velocity: Vec3,
    ankle: Vec3,
    reach: f64,
    /// How much higher the hip is than the pelvis.
    hip_over_pelvis: f64,
    /// How much higher the next footprint is than this one.
    rise: f64,
}

impl LastLeg {
    fn new(planner: &Planner<'_>) -> LastLeg {
        let Planner { proportions, from, step } = *planner;
        let landing = planner.landing();
        let side = planner.stance();
        let hip = at_toe_off(proportions, from, step).attitude(0.0) * proportions.hips[side];
        LastLeg {
            step_seconds: step.duration,
            hip: landing.pelvis.translation + hip,
            velocity: (landing.pelvis.translation - from.position.value) / step.duration,
            ankle: planner.here().ankle(&proportions.soles[side], -planner.target_pitch()),
            reach: LegLengths::new(proportions, side).reach(step.attributes.knee_toe_off.max(MIN_KNEE)),
            hip_over_pelvis: hip.y,
            rise: step.to.ball.y - planner.here().ball.y,
        }
    }

    /// How far behind the leg is along the ground, and how high it reaches over its ankle.
    fn extent(&self, flight: f64) -> (f64, f64) {
        let away = self.hip - self.velocity * flight - self.ankle;
        let level = away.x.hypot(away.z);
        (level, (self.reach * self.reach - level * level).max(0.0).sqrt())
    }

    fn reaches(&self, flight: f64) -> bool {
        let (level, height) = self.extent(flight);
        level <= FURTHEST_BEHIND * self.reach && self.hip.y - self.ankle.y - height <= RISING_OFF * flight
    }

    /// A leg far behind is too low for a push that never pulls: that of a step that begins as this one ends, for else every second
    /// flight would be longer.
    fn lifts(&self, flight: f64) -> bool {
        let end = self.hip.y - self.hip_over_pelvis;
        let off = self.ankle.y + self.extent(flight).1 - self.hip_over_pelvis;
        let landed = (end - off) / flight - 0.5 * GRAVITY * flight;
        let start = push::Start { height: end - self.rise, rate: landed, seconds: self.step_seconds - flight };
        off >= Push::heights(start, end, flight).0 + LIFT_ROOM
    }
}

/// The flight asked for, or the shortest longer one that the leg at toe-off reaches, and from which it lifts the body: at high speed,
/// support is shorter than the formula has it.
fn reachable_flight(proportions: &BodyProportions, from: &BodyState, step: &RunStep) -> f64 {
    let planner = Planner { proportions, from, step };
    let leg = LastLeg::new(&planner);
    let most = (MAX_FLIGHT * step.duration).max(step.flight);
    let reachable = shortest(step.flight, most, |flight| leg.reaches(flight)).unwrap_or(most);
    if planner.is_carried() {
        return reachable;
    }
    shortest(reachable, most, |flight| leg.lifts(flight)).unwrap_or(reachable)
}

/// The pelvis as it is turned when the foot takes off; in all flights alike.
fn at_toe_off(proportions: &BodyProportions, from: &BodyState, step: &RunStep) -> PelvisTrack {
    let planner = Planner { proportions, from, step };
    planner.turns(&planner.landing()).0.frozen(planner.support())
}

/// The least number from which on something holds, if it holds at the most.
fn shortest(least: f64, most: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    if holds(least) {
        return Some(least);
    }
    if !holds(most) {
        return None;
    }
    let (mut low, mut high) = (least, most);
    for _ in 0..FLIGHT_ROUNDS {
        let middle = 0.5 * (low + high);
        if holds(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

/// The height of the pelvis at toe-off from which a flight of some seconds that rises by `height` ends at its landing
/// (eq. 4.6).
pub(super) fn rising(landing: f64, flight: f64, height: f64) -> f64 {
    landing - ((2.0 * GRAVITY * height).sqrt() - 0.5 * GRAVITY * flight) * flight
}

/// How long a flight of a given height lasts (the paper's case II): as long as the leg at toe-off reaches up to where it
/// begins, and pushes off without braking. Where it would brake however short the flight, the flight that brakes least; where
/// no leg reaches, the one that comes nearest.
fn flight_of_height(proportions: &BodyProportions, from: &BodyState, step: &RunStep, height: f64) -> f64 {
    let up = (2.0 * GRAVITY * height).sqrt();
    let longest = MAX_FLIGHT * step.duration;
    let leg = LastLeg::new(&Planner { proportions, from, step });
    let shortest = shortest(MIN_FLIGHT, longest, |flight| leg.reaches(flight)).unwrap_or(longest);
    let shortest = shortest.max(up / GRAVITY).min(longest);
    let track = at_toe_off(proportions, from, step);
    // How much too high the pelvis is for the leg, and for a push-off that is not braked.
    let excess = |flight: f64| {
        let step = RunStep { flight, ..*step };
        let planner = Planner { proportions, from, step: &step };
        let landing = planner.landing();
        let needed = rising(landing.pelvis.translation.y, flight, height);
        let unbraked = Push::highest_at(planner.push_start(), up);
        let unreached = needed - planner.extended(&track, &landing).0.y + REACH_ROOM;
        (unreached, unreached.max(needed - unbraked))
    };
    let flight_at = |n: usize| shortest + (longest - shortest) * n as f64 / FLIGHTS as f64;
    let tried: [(f64, f64); FLIGHTS + 1] = std::array::from_fn(|n| excess(flight_at(n)));
    if let Some(last) = tried.iter().rposition(|tried| tried.1 <= 0.0) {
        let (mut low, mut high) = (flight_at(last), flight_at((last + 1).min(FLIGHTS)));
        for _ in 0..FLIGHT_ROUNDS {
            let middle = 0.5 * (low + high);
            if excess(middle).1 <= 0.0 { low = middle } else { high = middle }
        }
        return low;
    }
    // A take-off that is lower by what is not reached is faster by that over the flight.
    let fault = |n: &usize| if tried[*n].0 <= 0.0 { tried[*n].1 } else { UNREACHED + tried[*n].0 / flight_at(*n) };
    let best = (0..=FLIGHTS).min_by(|a, b| fault(a).total_cmp(&fault(b)));
    flight_at(best.unwrap_or(0))
}
