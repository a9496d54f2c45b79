//! Legs and feet of a walk at any frame rate: no jumps, the same motion, and legs beside each other.

use super::steps_walk::{DATABASE, random_plan};
use std::sync::Arc;
use surefoot_contact::metrics::{SoleTrack, measure_foot_jumps, measure_leg_clearance, soles_by_motion};
use surefoot_contact::{FootPlan, Footprint};
use surefoot_geom::Vec3;
use surefoot_motion::{PerSide, Side, WorldPose};
use surefoot_plan::{World, synthesize};
use surefoot_steps::{Steps, WalkOptions};

fn walk(plan: &FootPlan, frame_rate: f64) -> Vec<WorldPose> {
    let options = WalkOptions { frame_rate, ..WalkOptions::default() };
    let steps = Steps::new(DATABASE.clone(), options);
    synthesize(&steps, &Arc::new(World::default()), plan, "walk").unwrap().take.clip.world().to_vec()
}

/// Footprints straight ahead, each so far from the middle line.
fn straight(aside: f64) -> FootPlan {
    let print = |index: usize| {
        let side = Side::BOTH[index % 2];
        let x = if side == Side::Left { aside } else { -aside };
        let z = 0.55 * [0, 0, 1, 2, 3, 4, 5, 6, 7, 7][index] as f64;
        Footprint { heading: Some(0.0), ..Footprint::at(side, Vec3::new(x, 0.0, z)) }
    };
    FootPlan { footprints: (0..10).map(print).collect() }
}

fn soles(poses: &[WorldPose], frame_rate: f64) -> PerSide<SoleTrack> {
    let body = DATABASE.body();
    soles_by_motion(poses, body.skeleton(), body.body(), frame_rate)
}

#[test]
fn feet_do_not_jump_at_any_frame_rate() {
    for seed in 0..6 {
        for rate in [30.0, 60.0, 120.0] {
            let poses = walk(&random_plan(seed, 0.0), rate);
            let jump = measure_foot_jumps(&soles(&poses, rate), rate).map_or(0.0, |jump| jump.value);
            assert!(jump < 1.5, "plan {seed} at {rate}: {jump}");
        }
    }
}

#[test]
fn a_walk_is_the_same_motion_at_every_frame_rate() {
    let body = DATABASE.body().body();
    let [slow, fast] = [30.0, 120.0].map(|rate| walk(&straight(0.1), rate));
    for (pose, same) in slow.iter().zip(fast.iter().step_by(4)) {
        for side in Side::BOTH {
            let [one, other] = [pose, same].map(|pose| pose.position(body.legs[side].ankle));
            assert!(one.distance(other) < 0.02, "{}", one.distance(other));
        }
    }
}

#[test]
fn legs_swing_beside_each_other() {
    let poses = walk(&straight(0.03), 60.0);
    let apart = measure_leg_clearance(&poses, DATABASE.body().body(), &soles(&poses, 60.0));
    let [feet, shins] = [apart.feet, apart.shins].map(|worst| worst.unwrap().value);
    assert!(feet > 0.04 && shins > 0.05, "feet {feet} m, shins {shins} m apart");
}

/// Footprints on one line or nearly, none beside another. As blended, feet pass within 2.3 to 3.5 cm of the other one.
#[test]
fn a_leg_swings_around_the_other_on_a_narrow_line() {
    for (aside, length) in [(0.0, 0.4), (0.005, 0.4), (0.005, 0.5), (0.01, 0.3)] {
        let mut plan = straight(aside);
        for (index, print) in plan.footprints.iter_mut().enumerate() {
            print.position.z = length * index as f64;
        }
        let poses = walk(&plan, 60.0);
        let apart = measure_leg_clearance(&poses, DATABASE.body().body(), &soles(&poses, 60.0));
        let [feet, shins] = [apart.feet, apart.shins].map(|worst| worst.unwrap().value);
        assert!(
            feet > 0.044 && shins > 0.053,
            "{aside} m aside, steps of {length} m: feet {feet} m, shins {shins} m apart"
        );
    }
}

/// Short steps with short double supports and long swings: as blended, feet lift with 470 to 540 rad/s2 and land with 250.
#[test]
fn feet_turn_evenly_through_lift_off_and_landing() {
    const RATE: f64 = 240.0;
    let body = DATABASE.body().body();
    let mut plan = straight(0.1);
    for (index, print) in plan.footprints.iter_mut().enumerate() {
        print.position.z *= 0.3 / 0.55;
        (print.support, print.swing) = (Some(0.05), (index > 1).then_some(0.6));
    }
    let steps = Steps::new(DATABASE.clone(), WalkOptions { frame_rate: RATE, ..WalkOptions::default() });
    let made = synthesize(&steps, &Arc::new(World::default()), &plan, "walk").unwrap();
    let poses = made.take.clip.world();
    let acceleration = |side: Side, frame: usize| {
        let leg = &body.legs[side];
        let pitch = |frame: usize| {
            let way = poses[frame].position(leg.ankle) - poses[frame].position(leg.ball.unwrap());
            way.y.atan2(way.x.hypot(way.z))
        };
        (pitch(frame + 1) - 2.0 * pitch(frame) + pitch(frame - 1)).abs() * RATE * RATE
    };
    for row in &made.report.footprints[3..8] {
        for time in [row.leave, row.land] {
            let at = (time * RATE).round() as usize;
            let most = (at - 6..at + 6).map(|frame| acceleration(row.side, frame)).fold(0.0, f64::max);
            let limit = if time == row.leave { 220.0 } else { 180.0 };
            assert!(most < limit, "footprint {} at {time} s: {most} rad/s2", row.index);
        }
    }
}
