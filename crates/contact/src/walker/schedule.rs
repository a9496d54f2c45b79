//! When and where each foot is planted, and where the middle between the feet goes.
//!
//! ```text
//! step            0           1           2
//! left    ======\_____/===========\_____/====      = stands, _ swings; both stand for `double_support` around each
//! right   ============\_____/===========\____      double support k, at `first_support + k * step_time`
//!            support 0   1     2     3
//! ```

use super::WalkerOptions;
use crate::{FootPlan, Footprint};
use surefoot_geom::{Vec3, heading_direction};
use surefoot_motion::Side;

/// Share of a stride in which a foot is planted: 64.2 - 3.5 v percent at speed v in m/s, kept where walking is walking.
const STANCE_SHARE: (f64, f64) = (0.642, -0.035);
const STANCE_RANGE: (f64, f64) = (0.53, 0.66);

/// One stance of a foot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stance {
    pub(super) side: Side,
    /// Where the ball is planted.
    pub(super) ball: Vec3,
    /// Direction from heel to toe.
    pub(super) heading: f64,
    /// When the heel touches down; minus infinity for the standing feet.
    pub(super) land: f64,
    /// When the ball lifts off; infinity for the last of each foot.
    pub(super) leave: f64,
}

/// The middle between the feet at a moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Centre {
    pub(super) position: Vec3,
    pub(super) heading: f64,
}

pub(super) struct Schedule {
    pub(super) plan: FootPlan,
    pub(super) n_steps: usize,
    /// Seconds of one step.
    pub(super) step_time: f64,
    /// Seconds of double support between steps.
    pub(super) double_support: f64,
    /// The middle of the double support before the first step.
    pub(super) first_support: f64,
    /// Of the complete motion.
    pub(super) duration: f64,
    /// 1 if the left foot steps first, -1 if the right does.
    pub(super) first_sign: f64,
    /// At the middle of each double support, `n_steps + 1` of them.
    pub(super) centres: Vec<Centre>,
    stances: Vec<Stance>,
}

impl Schedule {
    pub(super) fn new(options: &WalkerOptions) -> Schedule {
        let step_time = 1.0 / options.cadence;
        let stance_share = (STANCE_SHARE.0 + STANCE_SHARE.1 * options.speed()).clamp(STANCE_RANGE.0, STANCE_RANGE.1);
        let double_support = (2.0 * stance_share - 1.0) * step_time;
        // The body may leave its rest so long before the middle of the first double support, and come to rest so long after that
        // of the last.
        let settling = 1.5 * step_time;
        let first_support = options.standing + settling;
        let mut schedule = Schedule {
            plan: FootPlan::default(),
            n_steps: options.n_steps,
            step_time,
            double_support,
            first_support,
            duration: 2.0 * first_support + options.n_steps as f64 * step_time,
            first_sign: if options.first == Side::Left { 1.0 } else { -1.0 },
            centres: Vec::new(),
            stances: Vec::new(),
        };
        schedule.place_steps(options);
        schedule
    }

    fn place_steps(&mut self, options: &WalkerOptions) {
        let mut at = Centre { position: Vec3::ZERO, heading: 0.0 };
        let mut side = options.first;
        for standing in [side, side.opposite()] {
            self.stand(options, at, standing, f64::NEG_INFINITY);
        }
        self.centres.push(at);
        for step in 0..self.n_steps {
            let before = at;
            let closing = step > 0 && step + 1 == self.n_steps;
            if !closing {
                let length = if step == 0 { options.step_length / 2.0 } else { options.step_length };
                at.heading += options.turn_per_step;
                at.position += length * heading_direction(at.heading - options.turn_per_step / 2.0);
            }
            let before_landing = self.first_support + (step as f64 + 1.0) * self.step_time - self.double_support / 2.0;
            self.leave(side, before_landing - self.swing_time());
            self.stand(options, at, side, before_landing);
            self.centres.push(Centre {
                position: (before.position + at.position) / 2.0,
                heading: (before.heading + at.heading) / 2.0,
            });
            side = side.opposite();
        }
    }

    pub(super) fn swing_time(&self) -> f64 {
        self.step_time - self.double_support
    }

    /// Adds a footprint and the stance on it.
    fn stand(&mut self, options: &WalkerOptions, at: Centre, side: Side, land: f64) {
        let sign = if side == Side::Left { 1.0 } else { -1.0 };
        // A quarter turn to the left of the path.
        let left = heading_direction(at.heading + std::f64::consts::FRAC_PI_2);
        let ball = at.position + sign * options.step_width / 2.0 * left;
        let heading = at.heading + sign * options.toe_out;
        let stepped = land.is_finite();
        let last = self.plan.footprints.len() == self.n_steps + 1;
        self.plan.footprints.push(Footprint {
            heading: Some(heading),
            swing: stepped.then_some(self.swing_time()),
            support: (stepped && !last).then_some(self.double_support),
            ..Footprint::at(side, ball)
        });
        self.stances.push(Stance { side, ball, heading, land, leave: f64::INFINITY });
    }

    /// Ends the stance of a foot.
    fn leave(&mut self, side: Side, time: f64) {
        if let Some(stance) = self.stances.iter_mut().rev().find(|stance| stance.side == side) {
            stance.leave = time;
        }
    }

    /// All stances of one foot, in order of time.
    pub(super) fn stances(&self, side: Side) -> Vec<Stance> {
        self.stances.iter().filter(|stance| stance.side == side).copied().collect()
    }
}
