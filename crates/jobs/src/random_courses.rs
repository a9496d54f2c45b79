//! Random courses of footprints without labels or times, to try composing on: walks with runs, jumps of all patterns, hops, sidesteps and stairs
//! in between. The same seed gives the same course.

use crate::demo_plans::Trail;
use std::f64::consts::PI;
use surefoot_contact::FootPlan;
use surefoot_geom::{Quat, Random};
use surefoot_motion::Side;

/// Largest turns of a walking and of a running step, in degrees.
const WALK_TURN: f64 = 17.0;
const RUN_TURN: f64 = 8.0;

/// A course of walks, with one or two other behaviours between them.
pub fn random_course(seed: u64) -> FootPlan {
    let random = &mut Random::new(seed);
    let mut trail = Trail::standing(if random.chance(0.5) { Side::Left } else { Side::Right });
    trail.walk_on(random);
    for _ in 0..1 + random.index(2) {
        match random.index(8) {
            0 => trail.run_on(random),
            1 => {
                // Both to both, from standing.
                trail.close();
                (0..1 + random.index(3)).for_each(|_| trail.jump(random.range(0.5, 1.3)));
            }
            // One to both.
            2 => trail.jump(random.range(0.8, 1.4)),
            // One to the other.
            3 => trail.step(random.range(1.3, 1.9), 0.0),
            4 => (0..1 + random.index(3)).for_each(|_| trail.hop(random.range(0.3, 0.7))),
            5 => {
                // Both to one.
                trail.close();
                trail.step(random.range(0.9, 1.3), 0.0);
            }
            6 => trail.climb_on(random),
            _ => {
                trail.close();
                (0..1 + random.index(3)).for_each(|_| trail.sidestep(random.range(0.2, 0.4)));
            }
        }
        trail.walk_on(random);
    }
    trail.step(random.range(0.4, 0.6), 0.0);
    trail.close();
    turned(trail.plan(), PI * random.signed())
}

/// A plan that starts in another direction.
fn turned(mut plan: FootPlan, angle: f64) -> FootPlan {
    let turn = Quat::from_rotation_y(angle);
    for print in &mut plan.footprints {
        print.position = turn * print.position;
        print.heading = print.heading.map(|heading| heading + angle);
    }
    plan
}

impl Trail {
    fn walk_on(&mut self, random: &mut Random) {
        for _ in 0..2 + random.index(3) {
            self.step(random.range(0.45, 0.75), WALK_TURN * random.signed());
        }
    }

    fn run_on(&mut self, random: &mut Random) {
        self.run(&[random.range(0.9, 1.0)]);
        for _ in 0..3 + random.index(3) {
            let turn = RUN_TURN * random.signed();
            self.heading += turn.to_radians();
            self.run(&[random.range(1.0, 1.5)]);
        }
        self.run(&[random.range(0.9, 1.0)]);
    }

    /// Up or down a flight of stairs.
    fn climb_on(&mut self, random: &mut Random) {
        let rise = random.range(0.12, 0.2) * if random.chance(0.5) { 1.0 } else { -1.0 };
        let tread = random.range(0.27, 0.34);
        for _ in 0..3 + random.index(4) {
            self.rise(rise);
            self.step(tread, 0.0);
        }
    }

    /// The other foot comes beside the one that landed last.
    fn close(&mut self) {
        self.step(0.0, 0.0);
    }
}
