//! Walks with a fault of known size, which the report must name.

use super::*;
use crate::verdict::Grade;
use surefoot_contact::{SyntheticWalk, WalkerOptions, synthetic_walk};

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
