//! Plans at the edge of what was recorded, and beyond it: an error that names the footprint, or a verdict with its reason.

use super::steps_walk::DATABASE;
use std::sync::Arc;
use surefoot_geom::Vec3;
use surefoot_motion::Side;
use surefoot_plan::{FootPlan, Footprint, Grade, StepError, StepOrigin, Synthesis, World, synthesize};
use surefoot_steps::{Steps, WalkOptions};

/// Two standing feet, and footprints as they are given: side, how far to the left, how high, how far ahead.
fn walk(prints: &[(Side, f64, f64, f64)]) -> Result<Synthesis, StepError> {
    let standing = [(Side::Left, 0.1, 0.0, 0.0), (Side::Right, -0.1, 0.0, 0.0)];
    let print = |&(side, aside, up, ahead): &(Side, f64, f64, f64)| Footprint {
        heading: Some(0.0),
        ..Footprint::at(side, Vec3::new(aside, up, ahead))
    };
    let plan = FootPlan { footprints: standing.iter().chain(prints).map(print).collect() };
    synthesize(&Steps::new(DATABASE.clone(), WalkOptions::default()), &Arc::new(World::default()), &plan, "walk")
}

/// Six steps of one length, rise and distance from the middle line.
fn even(length: f64, rise: f64, aside: f64) -> Result<Synthesis, StepError> {
    let print = |index: usize| {
        let (side, sign) = if index % 2 == 1 { (Side::Left, 1.0) } else { (Side::Right, -1.0) };
        (side, sign * aside, rise * index as f64, length * index as f64)
    };
    walk(&(1..7).map(print).collect::<Vec<_>>())
}

#[test]
fn what_nobody_steps_is_refused_with_the_number_of_its_footprint() {
    let (left, right) = (Side::Left, Side::Right);
    let cases = [
        ("steps of 1.4 m", even(1.4, 0.0, 0.1), 2),
        ("risers of 0.5 m", even(0.35, 0.5, 0.1), 2),
        ("risers of 0.5 m down", even(0.35, -0.5, 0.1), 2),
        ("one long step", walk(&[(left, 0.1, 0.0, 0.6), (right, -0.1, 0.0, 2.0)]), 3),
        ("one foot twice", walk(&[(left, 0.1, 0.0, 0.5), (left, 0.1, 0.0, 1.0)]), 3),
        ("feet on top of each other", walk(&[(left, 0.1, 0.0, 0.5), (right, 0.1, 0.0, 0.5)]), 3),
    ];
    for (name, outcome, index) in cases {
        let error = outcome.err().unwrap_or_else(|| panic!("{name} are walked")).to_string();
        assert!(error.contains(&format!("footprints[{index}]")), "{name}: {error}");
    }
}

#[test]
fn what_legs_just_reach_is_poor_and_says_why() {
    let cases = [
        ("steps of 1.35 m", even(1.35, 0.0, 0.1), "outside the recorded steps"),
        ("risers of 0.45 m", even(0.1, 0.45, 0.1), "above or below any recorded step"),
        ("risers of 0.4 m down", even(0.3, -0.4, 0.1), "above or below any recorded step"),
        ("feet that cross at every step", even(0.5, 0.0, -0.05), "shins pass"),
    ];
    for (name, outcome, reason) in cases {
        let verdict = outcome.unwrap_or_else(|error| panic!("{name}: {error}")).report.verdict;
        assert_eq!(verdict.grade, Grade::Poor, "{name}: {:?}", verdict.reasons);
        assert!(verdict.reasons.iter().any(|text| text.contains(reason)), "{name}: {:?}", verdict.reasons);
    }
}

#[test]
fn what_was_not_recorded_is_never_good() {
    let cases = [
        ("steps of 1 m", even(1.0, 0.0, 0.1)),
        ("risers of 0.3 m", even(0.35, 0.3, 0.1)),
        ("feet that cross widely", even(0.5, 0.0, -0.15)),
        ("feet beside each other", even(0.0, 0.0, 0.015)),
        ("a straddle of 0.8 m", even(0.2, 0.0, 0.4)),
    ];
    for (name, outcome) in cases {
        let report = outcome.unwrap_or_else(|error| panic!("{name}: {error}")).report;
        assert!(report.verdict.grade > Grade::Good && !report.verdict.reasons.is_empty(), "{name}");
    }
}

/// A foot that steps back lifts its ball before its heel, but not within what is judged of its stance: at the start of a walk neither.
#[test]
fn balls_stay_on_their_footprints_where_a_walk_begins_backward() {
    for length in [-0.35, -0.2] {
        let walk = even(length, 0.0, 0.09).unwrap_or_else(|error| panic!("{length}: {error}"));
        for (index, row) in walk.report.footprints.iter().enumerate() {
            let off = row.placement.map_or(0.0, |placement| placement.middle_60);
            assert!(off < 1e-6, "steps of {length} m, footprint {index}: {} mm", off * 1000.0);
        }
    }
}

/// In the space of parameters a step backward is a step ahead that is turned by half a circle. A database of walks ahead spans it, and has
/// no example of it.
#[test]
fn backward_and_sideways_are_not_recorded_by_walks_ahead() {
    let print = |index: usize, ahead: f64, left: f64| {
        let (side, sign) = if index.is_multiple_of(2) { (Side::Left, 1.0) } else { (Side::Right, -1.0) };
        let step = (index as f64 - 1.0).max(0.0);
        let position = Vec3::new(0.1 * sign + left * step, 0.0, ahead * step);
        Footprint { heading: Some(0.0), ..Footprint::at(side, position) }
    };
    for (name, ahead, left) in [("ahead", 0.55, 0.0), ("backward", -0.4, 0.0), ("to the side", 0.0, 0.12)] {
        let plan = FootPlan { footprints: (0..8).map(|index| print(index, ahead, left)).collect() };
        let steps = Steps::new(crate::heights::LEVEL.clone(), WalkOptions::default());
        let report = synthesize(&steps, &Arc::new(World::default()), &plan, "walk").unwrap().report;
        let verdict = &report.verdict;
        let is_outside = verdict.reasons.iter().any(|reason| reason.contains("outside the recorded steps"));
        match name {
            "ahead" => assert!(verdict.grade < Grade::Poor, "{verdict:?}"),
            _ => {
                assert!(verdict.grade == Grade::Poor && is_outside, "{name}: {verdict:?}");
                assert_eq!(report.n_of(StepOrigin::Blended), 0, "{name}");
            }
        }
    }
}
