//! Foot plans to show what animation can do: the three cases of STRIDE chapter 7, and stepping stones.
//!
//! The paper gives its plans as pictures. Ours have their numbers of steps and what the text says of them: high curvature through rooms,
//! a narrow ridge on which walking becomes sidestepping, and a walk that goes back and on again.

use surefoot_contact::{FootPlan, Footprint};
use surefoot_geom::{Vec2, Vec3};
use surefoot_ground::{Stairs, Terrain};
use surefoot_motion::Side;

/// A plan with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct DemoPlan {
    /// Lower-case letters and `-`: fit for a file.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub what: &'static str,
    /// The footprints.
    pub plan: FootPlan,
}

/// Between the feet of somebody who walks, in metres.
const WIDTH: f64 = 0.2;

/// All of them.
pub fn demo_plans() -> Vec<DemoPlan> {
    let plan = |name, what, plan| DemoPlan { name, what, plan };
    vec![
        plan("indoor", "a tight curve to the left and back to the right, 12 steps", indoor()),
        plan("ridge", "a ridge that gets narrow, so that walking becomes sidestepping, 20 steps", ridge()),
        plan("back-and-forth", "forward, backward and forward again, 12 steps", back_and_forth()),
        plan("stones", "stepping stones, no two alike in distance and height, 13 steps", stones()),
    ]
}

/// A walker who leaves footprints.
pub(crate) struct Trail {
    /// The middle between the feet.
    pub(crate) at: Vec3,
    pub(crate) heading: f64,
    pub(crate) width: f64,
    pub(crate) footprints: Vec<Footprint>,
}

impl Trail {
    /// Both feet side by side at the origin; `first` steps first.
    pub(crate) fn standing(first: Side) -> Trail {
        let mut trail = Trail { at: Vec3::ZERO, heading: 0.0, width: WIDTH, footprints: Vec::new() };
        trail.put(first);
        trail.put(first.opposite());
        trail
    }

    pub(crate) fn put(&mut self, side: Side) {
        let to_left = Vec3::new(self.heading.cos(), 0.0, -self.heading.sin());
        let half = if side == Side::Left { 0.5 } else { -0.5 } * self.width;
        let (position, heading) = (self.at + half * to_left, Some(self.heading));
        self.footprints.push(Footprint { heading, ..Footprint::at(side, position) });
    }

    /// The foot whose turn it is.
    pub(crate) fn next_side(&self) -> Side {
        self.footprints.last().map_or(Side::Left, |print| print.side.opposite())
    }

    /// A step of the foot whose turn it is: the middle goes on by `length` along the heading, half of the turn before it and half after.
    pub(crate) fn step(&mut self, length: f64, turn_degrees: f64) {
        let side = self.next_side();
        let half = turn_degrees.to_radians() / 2.0;
        self.heading += half;
        self.at += length * Vec3::new(self.heading.sin(), 0.0, self.heading.cos());
        self.heading += half;
        self.put(side);
    }

    pub(crate) fn plan(self) -> FootPlan {
        FootPlan { footprints: self.footprints }
    }
}

/// Out of one room, round a corner, into another: curves of less than a metre and a half in radius.
fn indoor() -> FootPlan {
    let mut trail = Trail::standing(Side::Left);
    let steps = [
        (0.45, 0.0),
        (0.55, 20.0),
        (0.5, 30.0),
        (0.45, 30.0),
        (0.5, 25.0),
        (0.55, 0.0),
        (0.5, -25.0),
        (0.45, -30.0),
        (0.5, -25.0),
        (0.55, -10.0),
        (0.5, 0.0),
        (0.0, 0.0),
    ];
    steps.into_iter().for_each(|(length, turn)| trail.step(length, turn));
    trail.plan()
}

/// Seven steps forward, feet ever nearer to one line; four in which the body turns to the left; nine to its right along the line.
fn ridge() -> FootPlan {
    let mut trail = Trail::standing(Side::Left);
    for (length, width) in [(0.45, 0.18), (0.6, 0.16), (0.6, 0.14), (0.55, 0.12), (0.5, 0.1), (0.45, 0.1), (0.4, 0.1)] {
        trail.width = width;
        trail.step(length, 0.0);
    }
    // From here on along the ridge's line: where each ball is, and where its foot points.
    let mut z = trail.footprints.last().map_or(0.0, |print| print.position.z);
    let mut put = |side: Side, on: f64, x: f64, degrees: f64| {
        z += on;
        let (position, heading) = (Vec3::new(x, 0.0, z), Some(f64::to_radians(degrees)));
        trail.footprints.push(Footprint { heading, ..Footprint::at(side, position) });
    };
    put(Side::Right, 0.35, 0.0, 25.0);
    put(Side::Left, -0.13, 0.03, 55.0);
    put(Side::Right, 0.32, 0.03, 75.0);
    put(Side::Left, -0.18, 0.03, 90.0);
    for _ in 0..4 {
        put(Side::Right, 0.46, 0.03, 90.0);
        put(Side::Left, -0.19, 0.03, 90.0);
    }
    put(Side::Right, 0.4, 0.03, 90.0);
    trail.plan()
}

fn back_and_forth() -> FootPlan {
    let mut trail = Trail::standing(Side::Right);
    for length in [0.45, 0.6, 0.55, 0.25, -0.25, -0.4, -0.4, -0.25, 0.25, 0.55, 0.5, 0.0] {
        trail.step(length, 0.0);
    }
    trail.plan()
}

/// Where the stones lie: across, up, along, and where the foot on them points, in degrees.
const STONES: [[f64; 4]; 15] = [
    [0.1, 0.0, 0.0, 0.0],
    [-0.1, 0.0, 0.0, 0.0],
    [0.12, 0.08, 0.48, 4.0],
    [-0.06, 0.15, 0.92, 0.0],
    [0.2, 0.12, 1.5, 10.0],
    [0.08, 0.24, 2.02, 8.0],
    [0.36, 0.3, 2.45, 14.0],
    [0.2, 0.22, 3.1, 5.0],
    [0.42, 0.1, 3.6, 0.0],
    [0.1, 0.14, 4.15, -12.0],
    [0.22, 0.0, 4.62, -10.0],
    [-0.1, 0.05, 5.28, -12.0],
    [0.04, 0.18, 5.7, -4.0],
    [-0.16, 0.06, 6.25, 0.0],
    [0.05, 0.06, 6.25, 0.0],
];

fn stones() -> FootPlan {
    let sides = [Side::Left, Side::Right].into_iter().cycle();
    let print = |([x, y, z, degrees], side): ([f64; 4], Side)| Footprint {
        heading: Some(degrees.to_radians()),
        ..Footprint::at(side, Vec3::new(x, y, z))
    };
    FootPlan { footprints: STONES.into_iter().zip(sides).map(print).collect() }
}

/// Where stairs begin along the walk, in metres, and where on each tread of 28 cm the ball of a foot is.
const STAIRS_START: f64 = 1.0;
const ON_TREAD: f64 = 0.19;
/// Treads.
const N_TREADS: usize = 5;

/// Stairs of 17 by 28 cm and footprints on them: one step on level ground, one on each tread, and two on the landing.
pub(crate) fn stairs_plan() -> (FootPlan, Terrain) {
    let stairs =
        Stairs { start: Vec2::new(0.0, STAIRS_START), rise: 0.17, tread: 0.28, n_steps: N_TREADS, ..Stairs::default() };
    let on_tread = |tread: usize| STAIRS_START + tread as f64 * stairs.tread + ON_TREAD;
    let mut along = vec![0.3, 0.3, 0.78];
    along.extend((0..N_TREADS).map(on_tread));
    along.extend([on_tread(N_TREADS + 1) - 0.1, on_tread(N_TREADS + 1) - 0.1]);
    let terrain = Terrain::stairs(stairs).expect("stairs that can be built");
    let sides = [Side::Left, Side::Right].into_iter().cycle();
    let print = |(z, side): (f64, Side)| {
        let x = if side == Side::Left { 0.09 } else { -0.09 };
        let position = Vec3::new(x, terrain.height(Vec2::new(x, z)), z);
        Footprint { heading: Some(0.0), ..Footprint::at(side, position) }
    };
    let footprints = along.into_iter().zip(sides).map(print).collect();
    (FootPlan { footprints }, terrain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_plan::{PlanChecker, PlanLimits};

    #[test]
    fn they_have_the_papers_numbers_of_steps_and_can_be_walked() {
        let plans = demo_plans();
        let steps: Vec<usize> = plans.iter().map(|demo| demo.plan.footprints.len() - 2).collect();
        assert_eq!(steps, [12, 20, 12, 13]);
        for DemoPlan { name, plan, .. } in &plans {
            PlanChecker {
                limits: PlanLimits { max_step: 0.85, max_rise: 0.2, max_drop: 0.2, ..PlanLimits::default() },
                ..PlanChecker::default()
            }
            .check(plan)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
            for pair in plan.footprints.windows(2) {
                assert!(pair[0].side != pair[1].side, "{name}: feet take turns");
                let distance = pair[0].position.distance(pair[1].position);
                assert!(distance > 0.08, "{name}: feet beside each other, {distance}");
            }
        }
    }
}
