//! Walks with a fault of known size, which the report must name.

use super::*;
use crate::verdict::Grade;
use surefoot_contact::{SyntheticWalk, WalkerOptions, synthetic_walk};
use surefoot_geom::Quat;

/// A walk, its plan without times, and the outcomes that its stances show.
fn walk() -> (SyntheticWalk, FootPlan, Vec<StepOutcome>) {
    let walk = synthetic_walk(&WalkerOptions::default());
    let rate = walk.take.clip.frame_rate;
    let mut plan = walk.plan.clone();
    let mut seen = PerSide::new(0, 0);
    let mut outcomes = Vec::new();
    for (index, print) in plan.footprints.iter_mut().enumerate() {
        (print.swing, print.support) = (None, None);
        let stances = walk.take.contacts.stances(print.side);
        let k = seen[print.side];
        seen[print.side] += 1;
        if index >= 2 {
            outcomes.push(StepOutcome {
                footprint: index,
                behaviour: Behaviour::Walk,
                origin: StepOrigin::Procedural,
                lift: stances[k - 1].end as f64 / rate,
                land: stances[k].start as f64 / rate,
                sources: Vec::new(),
                outside: 0.0,
                height_outside: 0.0,
                jump: None,
            });
        }
    }
    (walk, plan, outcomes)
}

fn report(walk: &SyntheticWalk, plan: &FootPlan, outcomes: &[StepOutcome]) -> SynthesisReport {
    report_synthesis("test", plan, &World::default(), outcomes, &walk.take)
}

#[test]
fn a_perfect_walk_is_on_its_footprints() {
    let (walk, plan, outcomes) = walk();
    let report = report(&walk, &plan, &outcomes);
    assert!(report.largest_miss() < 1e-6, "{}", report.largest_miss());
    assert!(report.metrics.slide.expect("stances").value < 1e-6);
    assert_eq!(report.metrics.flights, None);
    assert!(report.verdict.reasons.iter().all(|reason| !reason.contains("missed")), "{:?}", report.verdict);
}

#[test]
fn a_ball_above_its_footprint_has_missed_it() {
    let (mut walk, plan, outcomes) = walk();
    let frames = report(&walk, &plan, &outcomes).footprints[4].frames.clone();
    for frame in frames {
        walk.take.clip.pose_mut(frame).local[0].translation.y += 0.0167;
    }
    let report = report(&walk, &plan, &outcomes);
    let placement = report.footprints[4].placement.expect("a stance");
    assert!((placement.middle_60 - 0.0167).abs() < 1e-6 && (placement.height - 0.0167).abs() < 1e-6, "{placement:?}");
    assert!(placement.slide < 1e-6);
    assert_eq!(report.verdict.grade, Grade::Poor);
    let reasons = report.verdict.reasons.join("; ");
    assert!(reasons.contains("is missed by 16.7 mm over the middle 60 % of its stance"), "{reasons}");
}

#[test]
fn the_stance_is_the_plans_and_missed_times_are_named() {
    let (walk, mut plan, outcomes) = walk();
    let rate = walk.take.clip.frame_rate;
    let as_made = report(&walk, &plan, &outcomes);
    let row = as_made.footprints[4].clone();
    // Met, the times change nothing.
    (plan.footprints[4].land, plan.footprints[4].leave) = (Some(row.land), Some(row.leave));
    let met = report(&walk, &plan, &outcomes);
    assert_eq!(met.footprints[4].frames, row.frames);
    assert_eq!(met.verdict, as_made.verdict);
    assert_eq!(met.footprints[4].landing().difference(), Some(0.0));
    // The plan's landing is half a second before the foot's.
    plan.footprints[4].land = Some(row.land - 0.5);
    let late = report(&walk, &plan, &outcomes);
    let late_row = &late.footprints[4];
    assert_eq!(late_row.frames, ((row.land - 0.5) * rate).round() as usize..row.frames.end);
    assert!((late_row.landing().difference().expect("both") - 0.5).abs() < 1e-9);
    let reasons = late.verdict.reasons.join("; ");
    assert!(reasons.contains("footprints[4] lands 0.50 s late"), "{reasons}");
    assert!(late.largest_miss() > 0.01, "the foot is elsewhere when the plan has it planted");
}

#[test]
fn flights_are_gaps_between_stances() {
    let (walk, plan, mut outcomes) = walk();
    // As if the foot had left 0.1 s before the other one landed.
    let land = outcomes[3].land;
    outcomes[4].lift = land - 0.1;
    let flights = report(&walk, &plan, &outcomes).metrics.flights.expect("a flight");
    assert_eq!(flights.count, 1);
    assert!((flights.duration - 0.1).abs() < 1e-9 && flights.height >= 0.0, "{flights:?}");
}

/// Turns the left foot about an axis through its ankle in the frames of its first stance.
fn turn_left_foot(walk: &mut SyntheticWalk, frames: std::ops::Range<usize>, turn: impl Fn(Vec3) -> Quat) {
    let leg = &walk.take.body.legs.left;
    let (ankle, knee) = (leg.ankle, leg.knee);
    for frame in frames {
        let world = walk.take.clip.world_pose(frame);
        let ahead = walk.take.body.ball(&world, Side::Left) - world.position(ankle);
        let across = Vec3::Y.cross(Vec3::new(ahead.x, 0.0, ahead.z)).normalize();
        let turned = turn(across) * world[ankle].rotation;
        walk.take.clip.pose_mut(frame)[ankle].rotation = world[knee].rotation.inverse() * turned;
    }
}

#[test]
fn a_foot_past_upright_keeps_its_heading_and_a_turned_one_does_not() {
    let (straight, plan, outcomes) = walk();
    let row = report(&straight, &plan, &outcomes).footprints[0].clone();
    assert_eq!(row.side, Side::Left);
    let heading = row.heading.actual.expect("a heading");
    for degrees in [40.0_f64, 55.0, 60.0, 80.0, 100.0] {
        let mut pitched = walk().0;
        turn_left_foot(&mut pitched, row.frames.clone(), |across| Quat::from_axis_angle(across, degrees.to_radians()));
        let found = report(&pitched, &plan, &outcomes).footprints[0].heading.actual.expect("a heading");
        assert!((found - heading).abs() < 0.02, "{degrees} degrees: {found} instead of {heading}");
        let mut wrong = pitched;
        turn_left_foot(&mut wrong, row.frames.clone(), |_| Quat::from_rotation_y(2.0));
        let report = report(&wrong, &plan, &outcomes);
        let off = report.footprints[0].heading.difference().expect("both");
        assert!((off.abs() - 2.0).abs() < 0.05, "{degrees} degrees: {off}");
        assert!(report.verdict.reasons.iter().any(|reason| reason.contains("degrees beside its heading")));
    }
}
