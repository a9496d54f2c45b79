//! The plan extracted from a walk is the plan it was made from; and the steps that walkers do not take.

use super::*;
use crate::PlanChecker;
use surefoot_contact::metrics::{MeasureOptions, measure_take};
use surefoot_contact::{
    Contacts, DetectOptions, FootPart, SyntheticWalk, WalkerOptions, detect_contacts, slice_take, synthetic_walk,
};
use surefoot_geom::heading_direction;
use surefoot_ground::Terrain;
use surefoot_motion::Side;

fn walks() -> Vec<WalkerOptions> {
    let usual = WalkerOptions::default();
    vec![
        usual,
        WalkerOptions { first: Side::Right, n_steps: 5, frame_rate: 30.0, ..usual },
        WalkerOptions { turn_per_step: 0.5, toe_out: -0.2, frame_rate: 120.0, ..usual },
        WalkerOptions { step_length: 0.3, step_width: 0.3, cadence: 1.2, frame_rate: 240.0, ..usual },
        WalkerOptions { n_steps: 0, ..usual },
        WalkerOptions { n_steps: 1, ..usual },
    ]
}

/// Positions within 0.1 mm, times within a frame.
fn assert_same_plan(found: &FootPlan, truth: &FootPlan, frame_rate: f64) {
    assert_eq!(found.footprints.len(), truth.footprints.len());
    let near = |a: Option<f64>, b: Option<f64>, reach: f64| match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= reach,
        _ => a == b,
    };
    for (index, (found, truth)) in found.footprints.iter().zip(&truth.footprints).enumerate() {
        let what = format!("footprints[{index}] is {found:?}, was {truth:?}");
        assert_eq!(found.side, truth.side, "{what}");
        assert!(found.position.distance(truth.position) < 1e-4, "{what}");
        // A walker turns on past half a turn.
        let facing = |heading: Option<f64>| heading_direction(heading.expect("a heading"));
        assert!(facing(found.heading).distance(facing(truth.heading)) < 1e-6, "{what}");
        let frame = 1.0001 / frame_rate;
        assert!(near(found.swing, truth.swing, frame) && near(found.support, truth.support, frame), "{what}");
    }
}

#[test]
fn the_plan_of_a_walk_is_the_plan_it_was_made_from() {
    for options in walks() {
        let SyntheticWalk { mut take, plan } = synthetic_walk(&options);
        assert_same_plan(&extract_plan(&take), &plan, options.frame_rate);
        let poses = take.clip.world();
        take.contacts = detect_contacts(&poses, &take.body, options.frame_rate, &DetectOptions::default()).contacts;
        let detected = extract_plan(&take);
        assert_same_plan(&detected, &plan, options.frame_rate);
        assert_eq!(PlanChecker::default().check(&detected), Ok(()));
    }
}

#[test]
fn a_clip_that_begins_or_ends_in_a_step_has_the_footprints_that_it_shows() {
    let SyntheticWalk { take, plan } = synthetic_walk(&WalkerOptions::default());
    let n_frames = take.clip.n_frames();
    for start in 0..n_frames - 1 {
        let cut = slice_take(&take, start..n_frames).expect("frames");
        let found = extract_plan(&cut);
        assert_eq!(PlanChecker::default().check(&found), Ok(()), "from frame {start}");
        let skipped = plan.footprints.len() - found.footprints.len();
        for (found, truth) in found.footprints.iter().zip(&plan.footprints[skipped..]) {
            assert!(found.position.distance(truth.position) < 0.01, "from frame {start}: {found:?}, was {truth:?}");
        }
        assert!(found.footprints[..2].iter().all(|first| first.swing.is_none()));
    }
    let cut = slice_take(&take, 0..n_frames / 2).expect("frames");
    let found = extract_plan(&cut);
    assert_eq!(found.footprints.last().map(|last| last.side), Some(plan.footprints[found.footprints.len() - 1].side));
}

/// A walk with other contacts.
fn plan_with(change: impl Fn(&mut Contacts)) -> (FootPlan, FootPlan) {
    let SyntheticWalk { mut take, plan } = synthetic_walk(&WalkerOptions::default());
    change(&mut take.contacts);
    (extract_plan(&take), plan)
}

#[test]
fn a_heel_alone_leaves_the_footprint_of_its_foot() {
    let (found, plan) = plan_with(|contacts| {
        for side in Side::BOTH {
            contacts.plants[side].retain(|plant| plant.part == FootPart::Heel);
        }
    });
    assert_eq!(found.footprints.len(), plan.footprints.len());
    for (found, truth) in found.footprints.iter().zip(&plan.footprints) {
        assert!(found.position.distance(truth.position) < 1e-4, "{found:?}, was {truth:?}");
    }
}

#[test]
fn a_heel_that_lifts_and_lands_again_is_no_step() {
    let (found, plan) = plan_with(|contacts| {
        // The left foot is planted on its ball alone for a while, and on nothing for a moment, but does not move.
        let heel = contacts.plants.left.iter().position(|plant| plant.part == FootPart::Heel).expect("a heel");
        let mut again = contacts.plants.left[heel].clone();
        contacts.plants.left[heel].frames = 0..5;
        again.frames = 15..25;
        contacts.plants.left.retain(|plant| plant.part == FootPart::Heel || plant.frames.start > 0);
        contacts.plants.left.push(again);
        contacts.plants.left.sort_by_key(|plant| (plant.frames.start, plant.frames.end));
    });
    assert_eq!(found.footprints.len(), plan.footprints.len());
    let sides = |plan: &FootPlan| plan.footprints.iter().map(|footprint| footprint.side).collect::<Vec<Side>>();
    assert_eq!(sides(&found), sides(&plan));
}

#[test]
fn a_foot_in_the_air_waits_below_itself_while_the_other_hops() {
    let SyntheticWalk { mut take, .. } = synthetic_walk(&WalkerOptions::default());
    take.contacts.plants.left.clear();
    let found = extract_plan(&take);
    assert_eq!(found.footprints[1].side, Side::Left);
    let ball = take.body.ball(&take.clip.world_pose(0), Side::Left);
    assert!(found.footprints[1].position.distance(ball) < 0.01);
    assert!(found.footprints[2..].iter().all(|footprint| footprint.side == Side::Right));
    // The other foot is never down: nothing supports.
    assert!(found.footprints[2..].iter().all(|footprint| footprint.support == Some(0.0)), "{found:?}");
    assert_eq!(PlanChecker::default().check(&found), Ok(()));
}

#[test]
fn a_clip_without_plants_has_no_plan() {
    let SyntheticWalk { mut take, .. } = synthetic_walk(&WalkerOptions::default());
    take.contacts = Contacts::none(take.clip.n_frames());
    assert_eq!(extract_plan(&take), FootPlan::default());
    take.contacts = Contacts::none(0);
    assert_eq!(extract_plan(&take), FootPlan::default());
}

#[test]
fn the_plan_extracted_from_a_take_is_realised_by_it() {
    let walk = synthetic_walk(&WalkerOptions::default());
    let plan = extract_plan(&walk.take);
    let options = MeasureOptions { plan: Some(&plan), ..MeasureOptions::default() };
    let measures = measure_take(&walk.take, &Terrain::flat(0.0), &options);
    for name in ["placement_max", "heading_error_max", "swing_error_max", "support_error_max", "footprints_missed"] {
        let value = measures.metric(name).unwrap_or_else(|| panic!("{name}")).value;
        assert!(value.abs() < 1e-6, "{name}: {value}");
    }
}
