//! Footprints of jumps: any pattern, one or several, from standing, a walk or a run.

use super::step::left_sign;
use std::f64::consts::{FRAC_PI_2, PI};
use surefoot_contact::{Behaviour, FootPlan, Footprint};
use surefoot_geom::{Vec3, heading_direction};
use surefoot_motion::Side;
use surefoot_plan::Feet;

/// What comes before the first jump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Approach {
    /// Standing; for a take-off from one foot, one step.
    #[default]
    Stand,
    /// Walking steps.
    Walk,
    /// Running steps; for a take-off from one foot.
    Run,
}

/// Which jumps to lay. Metres and radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JumpOptions {
    /// The feet that take off. Default both. From one foot to the other, jumps change feet; from both to one, later ones are hops.
    pub take_off: Feet,
    /// The feet that land first. Default both.
    pub landing: Feet,
    /// Of each jump over the ground, 0 to 4. Default 0.6.
    pub distance: f64,
    /// How much higher each landing is, -1 to 0.8. Default 0.
    pub height: f64,
    /// How many jumps, 1 to 100. Default 1.
    pub count: usize,
    /// Turn in each jump, positive to the left, at most half a turn. Default 0.
    pub turn: f64,
    /// Where jumps lead from where the body faces, positive to the left. Default 0.
    pub direction: f64,
    /// What comes before.
    pub approach: Approach,
}

impl Default for JumpOptions {
    fn default() -> JumpOptions {
        JumpOptions {
            take_off: Feet::Both,
            landing: Feet::Both,
            distance: 0.6,
            height: 0.0,
            count: 1,
            turn: 0.0,
            direction: 0.0,
            approach: Approach::Stand,
        }
    }
}

/// Why there are no such jumps.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum LayJumpError {
    /// An option is out of its range.
    #[error("the {what} of a jump is {value}; it must be from {min} to {max}")]
    Range {
        /// Which.
        what: &'static str,
        /// As given.
        value: f64,
        /// The least.
        min: f64,
        /// The most.
        max: f64,
    },
    /// Nobody runs into a jump from both feet.
    #[error("a run takes off from one foot; take off from the left or right one, or approach by walking or standing")]
    RunOfBoth,
}

/// Ranges of distance, height and count.
const DISTANCES: (f64, f64) = (0.0, 4.0);
const HEIGHTS: (f64, f64) = (-1.0, 0.8);
const COUNTS: (f64, f64) = (1.0, 100.0);
/// Half of the distance between feet in standing, and of a foot from its line in hops, at 1.8 m.
const HALF_STANCE: f64 = 0.09;
const HALF_LINE: f64 = 0.04;
/// Steps of an approach, in metres at 1.8 m, and the step before a jump from one foot.
const WALKED: [f64; 3] = [0.45, 0.65, 0.65];
const RUN_UP: [f64; 5] = [0.6, 0.85, 1.05, 1.2, 1.2];
const ONE_STEP: f64 = 0.45;
/// Steps after a landing on one foot, the last of which is closed; out of a run the first ones are run.
const STEPPED_ON: [f64; 1] = [0.45];
const RUN_OUT: ([f64; 3], [f64; 1]) = ([1.15, 1.0, 0.8], [0.6]);

/// Footprints of jumps for a body as tall as `scale` times 1.8 m; distances and heights are as given.
pub fn lay_jumps(options: &JumpOptions, scale: f64) -> Result<FootPlan, LayJumpError> {
    let check = |what: &'static str, value: f64, (min, max): (f64, f64)| {
        if (min..=max).contains(&value) { Ok(()) } else { Err(LayJumpError::Range { what, value, min, max }) }
    };
    check("distance", options.distance, DISTANCES)?;
    check("height", options.height, HEIGHTS)?;
    check("count", options.count as f64, COUNTS)?;
    check("turn in degrees", options.turn.to_degrees(), (-180.0, 180.0))?;
    check("direction in degrees", options.direction.to_degrees(), (-360.0, 360.0))?;
    if options.approach == Approach::Run && options.take_off == Feet::Both {
        return Err(LayJumpError::RunOfBoth);
    }
    let mut trail = JumpTrail { prints: Vec::new(), middle: Vec3::ZERO, heading: 0.0, scale };
    let last = match options.take_off {
        Feet::Right => Side::Right,
        _ => Side::Left,
    };
    trail.approach(options, last);
    let mut from = options.take_off;
    let mut to = options.landing;
    for _ in 0..options.count {
        trail.middle += heading_direction(trail.heading + options.direction) * options.distance;
        trail.middle.y += options.height;
        trail.heading += options.turn;
        trail.jump(to);
        // One foot to the other goes on so; all others land as they did.
        let other = |feet: Feet| if feet == Feet::Left { Feet::Right } else { Feet::Left };
        (from, to) = if from != Feet::Both && to != Feet::Both && from != to { (to, other(to)) } else { (to, to) };
    }
    if from != Feet::Both {
        let mut side = if from == Feet::Left { Side::Right } else { Side::Left };
        let (run, walked) = match options.approach {
            Approach::Run => (&RUN_OUT.0[..], &RUN_OUT.1),
            _ => (&[][..], &STEPPED_ON),
        };
        for &on in run {
            trail.step(side, on, HALF_LINE, Some(Behaviour::Run));
            side = side.opposite();
        }
        for &on in walked {
            trail.step(side, on, HALF_STANCE, None);
            side = side.opposite();
        }
        trail.step(side, 0.0, HALF_STANCE, None);
    }
    Ok(FootPlan { footprints: trail.prints })
}

/// Footprints about a middle that goes on.
struct JumpTrail {
    prints: Vec<Footprint>,
    middle: Vec3,
    heading: f64,
    scale: f64,
}

impl JumpTrail {
    fn put(&mut self, side: Side, half: f64, behaviour: Option<Behaviour>) {
        let left = heading_direction(self.heading + FRAC_PI_2);
        let position = self.middle + left * (left_sign(side) * half * self.scale);
        // Headings as files have them, within a turn.
        let heading = Some((self.heading + PI).rem_euclid(2.0 * PI) - PI);
        self.prints.push(Footprint { heading, behaviour, ..Footprint::at(side, position) });
    }

    fn step(&mut self, side: Side, on: f64, half: f64, behaviour: Option<Behaviour>) {
        self.middle += heading_direction(self.heading) * (on * self.scale);
        self.put(side, half, behaviour);
    }

    /// Standing feet and the steps before the first jump, whose last one is by a foot.
    fn approach(&mut self, options: &JumpOptions, last: Side) {
        let (steps, behaviour): (&[f64], _) = match options.approach {
            Approach::Stand if options.take_off == Feet::Both => (&[], None),
            Approach::Stand => (&[ONE_STEP], None),
            Approach::Walk => (&WALKED, None),
            Approach::Run => (&RUN_UP, Some(Behaviour::Run)),
        };
        let closes = !steps.is_empty() && options.take_off == Feet::Both;
        let mut side = if steps.len() % 2 == 1 { last } else { last.opposite() };
        for standing in [side, side.opposite()] {
            self.put(standing, HALF_STANCE, None);
        }
        for &on in steps {
            self.step(side, on, if behaviour.is_some() { HALF_LINE } else { HALF_STANCE }, behaviour);
            side = side.opposite();
        }
        if closes {
            self.step(side, 0.0, HALF_STANCE, None);
        }
    }

    fn jump(&mut self, to: Feet) {
        let half = if to == Feet::Both { HALF_STANCE } else { HALF_LINE };
        for side in Side::BOTH.into_iter().filter(|&side| to.has(side)) {
            self.put(side, half, Some(Behaviour::Jump));
        }
    }
}
