//! Walks over ground that is not level: feet lie on it, and nothing of them is in it.

use crate::steps_walk::DATABASE;
use std::sync::Arc;
use surefoot_geom::{Random, Vec2, Vec3, ground_point, heading_direction};
use surefoot_ground::{Patch, Stairs, Terrain};
use surefoot_motion::Side;
use surefoot_plan::{
    FootPlan, Footprint, PlanError, StepError, Synthesis, Synthesizer, World, stand_at_ends, synthesize,
};
use surefoot_steps::{Steps, WalkOptions};

/// Deepest that any point of a foot may be in the ground, in metres.
const MAX_DEPTH: f64 = 0.002;
/// What the 99th percentile of knee accelerations may be, in radians a second squared: twice what walks on the level have, and what the
/// corpus itself has on steep stairs down, where legs land nearly straight.
const KNEES: f64 = 340.0;

fn steps() -> Steps {
    Steps::new(DATABASE.clone(), WalkOptions::default())
}

/// Footprints along a heading, at distances from the origin.
fn plan_along(terrain: &Terrain, heading: f64, distances: &[f64]) -> FootPlan {
    let forward = heading_direction(heading);
    let left = heading_direction(heading + std::f64::consts::FRAC_PI_2);
    let print = |(index, &along): (usize, &f64)| {
        let side = Side::BOTH[index % 2];
        let across = if side == Side::Left { 0.09 } else { -0.09 };
        let place = forward * along + left * across;
        let position = Vec3::new(place.x, terrain.height(ground_point(place)), place.z);
        Footprint { heading: Some(heading), ..Footprint::at(side, position) }
    };
    FootPlan { footprints: distances.iter().enumerate().map(print).collect() }
}

fn walk(terrain: &Terrain, plan: &FootPlan) -> Result<Synthesis, StepError> {
    synthesize(&steps(), &Arc::new(World::on(terrain.clone())), plan, "walk")
}

/// What every walk over a terrain promises.
fn check(name: &str, terrain: &Terrain, plan: &FootPlan) {
    let walk = walk(terrain, plan).unwrap_or_else(|error| panic!("{name}: {error}"));
    let metrics = &walk.report.metrics;
    let (deepest, knees) = (metrics.penetration.as_ref().unwrap(), metrics.knee_acceleration_p99.unwrap());
    assert!(deepest.value < MAX_DEPTH, "{name}: {deepest:?}");
    assert!(knees < KNEES, "{name}: {knees}");
    for row in &walk.report.footprints {
        assert!(row.placement.is_some_and(|at| at.mid_stance < 1e-3), "{name}: {row:?}");
    }
}

fn even(n: usize, length: f64) -> Vec<f64> {
    (0..n).map(|index| length * index.saturating_sub(1).min(n - 3) as f64).collect()
}

#[test]
fn slopes_are_walked_up_down_and_across() {
    for degrees in [10.0f64, 15.0] {
        let normal = Vec3::new(0.0, degrees.to_radians().cos(), -degrees.to_radians().sin());
        let slope = Terrain::plane(Vec3::ZERO, normal).unwrap();
        for (name, heading) in [("up", 0.0), ("down", std::f64::consts::PI), ("across", 1.57), ("aslant", 0.8)] {
            check(&format!("{degrees} degrees {name}"), &slope, &plan_along(&slope, heading, &even(12, 0.55)));
        }
    }
}

fn stairs(n_steps: usize) -> Stairs {
    Stairs { rise: 0.17, tread: 0.28, n_steps, ..Stairs::default() }
}

#[test]
fn stairs_are_climbed_up_and_down() {
    let terrain = Terrain::stairs(stairs(8)).unwrap();
    // The ball 0.17 m behind the edge of a tread.
    let up: Vec<f64> = (0..13).map(|k| 0.28 * (k as f64 - 3.0) + 0.17).map(|along| along.min(2.5)).collect();
    let mut up_first = vec![up[0]];
    up_first.extend(&up[..11]);
    check("stairs up", &terrain, &plan_along(&terrain, 0.0, &up_first));
    // Down again, facing the other way: 0.19 m from the edge behind it.
    let down: Vec<f64> = (0..12).map(|k| -(0.28 * (9.0 - k as f64) + 0.09)).collect();
    let mut down_first = vec![down[0]];
    down_first.extend(&down);
    check("stairs down", &terrain, &plan_along(&terrain, std::f64::consts::PI, &down_first));
}

#[test]
fn rough_ground_is_walked() {
    for (seed, height) in [(1, 0.02), (2, 0.03), (3, 0.05)] {
        let mut random = Random::new(seed);
        let heights: Vec<f64> = (0..40 * 60).map(|_| height * random.range(0.0, 1.0)).collect();
        let terrain = Terrain::height_field(Vec2::new(-4.0, -2.0), 0.2, 40, 60, heights).unwrap();
        check(&format!("rough {height}"), &terrain, &plan_along(&terrain, 0.0, &even(14, 0.55)));
    }
}

#[test]
fn stones_are_walked() {
    let places = [0.0, 0.0, 0.5, 1.0, 1.55, 2.0, 2.5, 3.1, 3.6, 3.6];
    let flat = plan_along(&Terrain::flat(0.0), 0.0, &places);
    let patches = flat.footprints.iter().enumerate().map(|(index, print)| {
        let height = [0.0, 0.0, 0.1, 0.2, 0.12, 0.25, 0.15, 0.05, 0.1, 0.1][index];
        Patch { centre: ground_point(print.position), radius: 0.22, height }
    });
    let terrain = Terrain::patches(-0.2, patches.collect()).unwrap();
    check("stones", &terrain, &plan_along(&terrain, 0.0, &places));
}

#[test]
fn footprints_off_the_terrain_or_in_a_riser_are_refused_by_number() {
    let terrain = Terrain::stairs(stairs(8)).unwrap();
    let distances: Vec<f64> = (0..8).map(|k| 0.28 * (f64::from(k) - 3.0) + 0.17).collect();
    let good = plan_along(&terrain, 0.0, &distances);
    let mut above = good.clone();
    above.footprints[5].position.y += 0.05;
    let error = walk(&terrain, &above).unwrap_err();
    assert!(matches!(error, StepError::Plan(PlanError::OffTerrain { footprint: 5, .. })), "{error}");
    // Toes reach into the next riser.
    let mut near = good;
    near.footprints[5].position.z += 0.1;
    let error = walk(&terrain, &near).unwrap_err();
    assert!(matches!(error, StepError::InGround { footprint: 5, .. }), "{error}");
}

#[test]
fn live_walks_over_a_terrain_have_the_same_frames() {
    let terrain = Terrain::stairs(stairs(6)).unwrap();
    let distances: Vec<f64> = (0..9).map(|k| 0.28 * (f64::from(k) - 3.0) + 0.17).collect();
    let plan = stand_at_ends(&plan_along(&terrain, 0.0, &distances));
    let world = Arc::new(World::on(terrain));
    // One person: over a complete plan others might be chosen.
    let steps = Steps { style: DATABASE.find_style("stairs"), ..steps() };
    let complete = synthesize(&steps, &world, &plan, "walk").unwrap();
    let mut stepper = steps.start(world, [plan.footprints[0], plan.footprints[1]]).unwrap();
    let mut pose = stepper.skeleton().rest_pose();
    let mut poses = surefoot_motion::Poses::default();
    for print in &plan.footprints[2..] {
        stepper.push(print).unwrap();
        while stepper.next_frame(&mut pose).is_some() {
            poses.push(&pose);
        }
    }
    stepper.finish().unwrap();
    while stepper.next_frame(&mut pose).is_some() {
        poses.push(&pose);
    }
    assert!(*complete.take.clip.poses() == poses);
}
