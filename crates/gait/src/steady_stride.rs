//! A stride repeated backward in time until the body is in it: motions that begin in the middle.
//!
//! The body at a landing depends on the steps before it, less and less the longer ago they are. So a stride is repeated from
//! standing, on flat ground before the first footprints, [`LEAD_IN`] times; what is left of the start is then below rounding
//! of any file. Frames are made of none of it.
//!
//! ```text
//!     o     o     o     0     2 ...          0 and 1: the first footprints of the plan; the body is wanted as it lands on 1
//!        o     o     o     1                 the same rigid move leads from each stride to the next, as from 0 to 2
//! ```

use super::Gait;
use super::body_state::BodyState;
use super::foot_plant::FootPlant;
use super::gait_settings::GaitSettings;
use super::step::Ground;
use super::take_step::{STARTING, StepRequest, outline_leap, take_step};
use surefoot_geom::{Quat, Vec3, turn_between};
use surefoot_motion::{BodyProportions, PerSide, Side};

/// Strides before the first frame. Cycles then meet within a micrometre (a test of the job holds it).
const LEAD_IN: usize = 16;

/// A rigid move along the ground, from one place and heading to another, and up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    from: Vec3,
    to: Vec3,
    turn: f64,
}

impl Moved {
    /// From where a foot was planted to where it is planted next.
    pub(super) fn between(from: &FootPlant, to: &FootPlant) -> Moved {
        Moved { from: from.ball, to: to.ball, turn: turn_between(from.heading, to.heading) }
    }

    fn back(self) -> Moved {
        Moved { from: self.to, to: self.from, turn: -self.turn }
    }

    /// A plant as it is after the move, on a plane of the same slope.
    pub(super) fn plant(&self, plant: &FootPlant) -> FootPlant {
        let ball = self.to + Quat::from_rotation_y(self.turn) * (plant.ball - self.from);
        let normal = Quat::from_rotation_y(self.turn) * (plant.slope * Vec3::Y);
        FootPlant::new(ball, plant.heading + self.turn, normal)
    }
}

/// One step of a stride that is repeated.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfStride {
    pub(super) gait: Gait,
    /// Seconds from landing to landing, where the swing is not given.
    pub(super) time: f64,
    pub(super) swing: Option<f64>,
    /// Seconds of double support, or in the air, at its end.
    pub(super) overlap: f64,
    pub(super) settings: GaitSettings,
}

/// A stride that is repeated.
#[derive(Clone, Copy, Debug)]
pub(super) struct SteadyStride {
    /// The foot of the first plant and the last.
    pub(super) side: Side,
    /// Three in a row.
    pub(super) plants: [FootPlant; 3],
    /// The step to the last of them, and that to the one in the middle.
    pub(super) halves: [HalfStride; 2],
}

impl SteadyStride {
    /// Seconds of a step, after one that ends with such an overlap.
    fn duration(&self, half: usize) -> f64 {
        let HalfStride { gait, time, swing, .. } = self.halves[half];
        let before = &self.halves[1 - half];
        let Some(swing) = swing else { return time };
        match (before.gait, gait) {
            (Gait::Walk, _) => swing + before.overlap,
            (Gait::Run, _) => swing - before.overlap,
        }
        .max(0.2 * time)
    }
}

/// The body as it lands on the plant in the middle, and the overlap there.
pub(super) fn lead_in(proportions: &BodyProportions, stride: &SteadyStride) -> (BodyState, f64) {
    let moved = Moved::between(&stride.plants[0], &stride.plants[2]);
    let back = moved.back();
    // From the middle plant and the one before it, backward.
    let mut trail = vec![stride.plants[2], stride.plants[1], stride.plants[0]];
    for _ in 0..2 * LEAD_IN {
        trail.push(back.plant(&trail[trail.len() - 2]));
    }
    // The body stands with the foot that steps first beside the other.
    let n = trail.len();
    let travel = (stride.plants[2].ball - stride.plants[0].ball) * Vec3::new(1.0, 0.0, 1.0);
    let along = travel.normalize_or_zero();
    let (behind, front) = (trail[n - 1], trail[n - 2]);
    let beside = FootPlant::new(
        behind.ball + along * (front.ball - behind.ball).dot(along) + Vec3::Y * (front.ball.y - behind.ball.y),
        behind.heading,
        behind.slope * Vec3::Y,
    );
    // `trail[k]` is of the stride's first foot where `k` is even.
    let side_of = |index: usize| if index.is_multiple_of(2) { stride.side } else { stride.side.opposite() };
    let feet = PerSide::from_fn(|side| if side == side_of(n - 1) { beside } else { front });
    let bearing = stride.halves[0].settings.bearing();
    let mut body = BodyState::standing(proportions, &feet, &bearing);
    let mut before: Option<HalfStride> = None;
    for index in (1..n - 2).rev() {
        let half = stride.halves[index % 2];
        let double_support = before.filter(|half| half.gait == Gait::Walk).map_or(STARTING, |half| half.overlap);
        let request = StepRequest {
            gait: half.gait,
            side: side_of(index),
            to: trail[index],
            then: Some(trail[index - 1]),
            duration: stride.duration(index % 2) + if before.is_none() { STARTING } else { 0.0 },
            double_support,
            overlap: half.overlap,
            flight: None,
        };
        // As the engine does: a flight is decided before the footprint after it is known.
        let alone = StepRequest { then: None, ..request };
        let flight = (half.gait == Gait::Run).then(|| outline_leap(proportions, &body, &alone, &half.settings).flight);
        let request = StepRequest { flight, ..request };
        (_, body) = take_step(proportions, &Ground { terrain: None }, &body, &request, &half.settings);
        before = Some(half);
    }
    (body, stride.halves[1].overlap)
}
