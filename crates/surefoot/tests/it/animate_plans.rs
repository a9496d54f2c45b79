//! Plans of all kinds become walks whose feet stand exactly where they should: 200 random ones on each database.

use std::sync::Arc;
use surefoot::contact::{FootPlan, Footprint};
use surefoot::contact::{metrics::StancesFrom, metrics::foot_points, metrics::measure_footprints};
use surefoot::formats::bvh::{BvhOptions, read_bvh, write_bvh};
use surefoot::formats::{ImportOptions, import};
use surefoot::gait::CorpusOptions;
use surefoot::geom::{Random, Vec3};
use surefoot::motion::Side;
use surefoot::plan::{PlanError, StepError, StepOrigin, Synthesis, World};
use surefoot::steps::{StepDatabase, WalkOptions};
use surefoot::{corpus_steps, demo_plans};

const N_PLANS: u64 = 200;
/// What every ball must keep to, in metres.
const EXACT: f64 = 1e-4;
/// The same in a written file, which rounds.
const EXACT_IN_FILE: f64 = 2e-4;
/// Somebody who walks rolls over the toes of a foot for this long at most before the other one lands, in seconds.
const MAX_GAP: f64 = 0.15;
/// Every so many walks are written and read back.
const READ_BACK_EVERY: u64 = 10;

#[derive(Clone, Copy, Debug)]
enum Kind {
    Forward,
    Curve,
    Sideways,
    Backward,
    Stones,
    Mixed,
}

const KINDS: [Kind; 6] = [Kind::Forward, Kind::Curve, Kind::Sideways, Kind::Backward, Kind::Stones, Kind::Mixed];

/// A plan that a person could walk.
fn random_plan(seed: u64) -> (Kind, FootPlan) {
    let mut numbers = Random::new(seed);
    let kind = KINDS[(seed % KINDS.len() as u64) as usize];
    let mut heading = numbers.range(-3.0, 3.0);
    let mut at = Vec3::new(numbers.range(-5.0, 5.0), 0.0, numbers.range(-5.0, 5.0));
    let mut side = if numbers.chance(0.5) { Side::Left } else { Side::Right };
    let (tells_headings, tells_times) = (numbers.chance(0.8), numbers.chance(0.4));
    let width = numbers.range(0.14, 0.26);
    let n_steps = 4 + numbers.next_u64() % 12;
    let curve = numbers.range(-0.4, 0.4);
    let mut footprints = Vec::new();
    let put =
        |side: Side, at: Vec3, heading: f64, width: f64, numbers: &mut Random, footprints: &mut Vec<Footprint>| {
            let to_left = Vec3::new(heading.cos(), 0.0, -heading.sin());
            let half = if side == Side::Left { 0.5 } else { -0.5 } * width;
            let times = [numbers.range(0.35, 0.7), numbers.range(0.08, 0.3)];
            footprints.push(Footprint {
                heading: tells_headings.then_some(heading),
                swing: tells_times.then_some(times[0]),
                support: tells_times.then_some(times[1]),
                ..Footprint::at(side, at + half * to_left)
            });
        };
    put(side, at, heading, width, &mut numbers, &mut footprints);
    put(side.opposite(), at, heading, width, &mut numbers, &mut footprints);
    let to_side = if numbers.chance(0.5) { 1.0 } else { -1.0 };
    for _ in 0..n_steps {
        let kind = match kind {
            Kind::Mixed => KINDS[numbers.index(5)],
            one => one,
        };
        let left = Vec3::new(heading.cos(), 0.0, -heading.sin());
        let forward = Vec3::new(heading.sin(), 0.0, heading.cos());
        let mut width = width;
        match kind {
            Kind::Forward => at += numbers.range(0.25, 0.75) * forward,
            Kind::Curve => {
                heading += curve * numbers.range(0.5, 1.0);
                at += numbers.range(0.25, 0.55) * forward;
            }
            // The leading foot goes out, the other one follows.
            Kind::Sideways => {
                let leads = (side == Side::Left) == (to_side > 0.0);
                let out = numbers.range(0.1, 0.3);
                at += to_side * out * left;
                width = if leads { 0.2 + out } else { 0.2 };
                at += if leads { Vec3::ZERO } else { 0.02 * forward };
            }
            Kind::Backward => at -= numbers.range(0.15, 0.45) * forward,
            Kind::Stones | Kind::Mixed => {
                heading += numbers.range(-0.15, 0.15);
                at += numbers.range(0.35, 0.65) * forward + numbers.range(-0.08, 0.08) * left;
                at.y += numbers.range(-0.16, 0.16);
            }
        }
        put(side, at, heading, width, &mut numbers, &mut footprints);
        side = side.opposite();
    }
    (kind, FootPlan { footprints })
}

fn animate_plan(database: &Arc<StepDatabase>, plan: &FootPlan, options: &WalkOptions) -> Result<Synthesis, StepError> {
    surefoot::animate_plan(database, &Arc::new(World::default()), plan, options)
}

/// Somebody who walks on, and sets one foot twice, which no synthesizer does.
fn plan_with_a_foot_twice() -> FootPlan {
    use Side::{Left, Right};
    let sides = [Left, Right, Left, Right, Left, Right, Left, Left, Right, Left];
    let ahead = [0.0, 0.0, 0.6, 1.2, 1.8, 2.4, 3.0, 3.1, 3.5, 3.9];
    let print = |(side, z): (Side, f64)| Footprint {
        heading: Some(0.0),
        ..Footprint::at(side, Vec3::new(if side == Left { 0.09 } else { -0.09 }, 0.0, z))
    };
    FootPlan { footprints: sides.into_iter().zip(ahead).map(print).collect() }
}

/// Which feet do not stand on their footprints over their complete plants; empty if all do.
fn problems(walk: &Synthesis, plan: &FootPlan) -> Vec<String> {
    assert_eq!(walk.report.footprints.len(), plan.footprints.len());
    let clip = &walk.take.clip;
    let feet = foot_points(&clip.world(), &clip.skeleton, &walk.take.body);
    let measured = measure_footprints(plan, &feet, &walk.take.contacts, clip.frame_rate, StancesFrom::Contacts);
    let mut found = Vec::new();
    for (index, (placement, row)) in measured.footprints.iter().zip(&walk.report.footprints).enumerate() {
        match placement {
            None => found.push(format!("footprints[{index}] was missed")),
            Some(placement) if placement.max >= EXACT || placement.drift >= EXACT => {
                let [error, drift] = [placement.max, placement.drift].map(|metres| 1000.0 * metres);
                found.push(format!("footprints[{index}] is {error:.4} mm off, drifts by {drift:.4} mm"));
            }
            Some(_) => {}
        }
        if row.placement.is_none() {
            found.push(format!("footprints[{index}] has no stance"));
        }
    }
    if let Some(gap) = longest_gap(walk).filter(|gap| gap.len() as f64 > MAX_GAP * walk.take.clip.frame_rate) {
        found.push(format!("no foot stands in frames {gap:?}"));
    }
    let is_finite =
        |pose: surefoot::motion::PoseRef<'_>| walk.take.clip.skeleton.ids().all(|joint| pose[joint].is_finite());
    if !walk.take.clip.poses().iter().all(is_finite) {
        found.push("a number is not finite".to_string());
    }
    found
}

/// The longest run of frames in which nothing is planted.
fn longest_gap(walk: &Synthesis) -> Option<std::ops::Range<usize>> {
    let mut planted = vec![false; walk.take.clip.n_frames()];
    for side in Side::BOTH {
        for plant in &walk.take.contacts.plants[side] {
            planted[plant.frames.clone()].fill(true);
        }
    }
    let mut gaps = Vec::new();
    let mut from = None;
    for (frame, &is_planted) in planted.iter().chain([&true]).enumerate() {
        match (is_planted, from) {
            (false, None) => from = Some(frame),
            (true, Some(start)) => {
                gaps.push(start..frame);
                from = None;
            }
            _ => {}
        }
    }
    gaps.into_iter().max_by_key(ExactSizeIterator::len)
}

/// The same of the written file, by the measures that judge any motion.
fn problems_in_file(walk: &Synthesis, plan: &FootPlan) -> Vec<String> {
    let text = write_bvh(&walk.take.clip, &BvhOptions::default());
    let options = ImportOptions { unit_to_metre: Some(0.01), ..ImportOptions::default() };
    let read = import(read_bvh(&text.bytes).expect("a BVH").into_document(), &options).expect("a motion");
    let clip = read.clip;
    assert_eq!(clip.n_frames(), walk.take.clip.n_frames(), "frames read back");
    let feet = foot_points(&clip.world(), &clip.skeleton, &walk.take.body);
    let measured = measure_footprints(plan, &feet, &walk.take.contacts, clip.frame_rate, StancesFrom::Contacts);
    let mut found = Vec::new();
    for (index, error) in measured.footprints.iter().enumerate() {
        match error {
            None => found.push(format!("footprints[{index}] was missed in the file")),
            Some(error) if error.max >= EXACT_IN_FILE || error.drift >= EXACT => {
                found.push(format!("footprints[{index}] is {:.4} mm off in the file", 1000.0 * error.max));
            }
            Some(_) => {}
        }
    }
    found
}

fn check_database(database: &Arc<StepDatabase>) {
    let mut failures = Vec::new();
    let twice = plan_with_a_foot_twice();
    let error = animate_plan(database, &twice, &WalkOptions::default()).unwrap_err();
    assert!(matches!(error, StepError::Plan(PlanError::SameFoot { footprint: 7, .. })), "{error}");
    for seed in 0..N_PLANS {
        let (kind, plan) = random_plan(seed);
        let found = match animate_plan(database, &plan, &WalkOptions::default()) {
            Err(error) => vec![error.to_string()],
            Ok(walk) => {
                let mut found = problems(&walk, &plan);
                if seed % READ_BACK_EVERY == 0 {
                    found.extend(problems_in_file(&walk, &plan));
                }
                found
            }
        };
        failures.extend(found.into_iter().map(|problem| format!("seed {seed} ({kind:?}): {problem}")));
    }
    assert!(failures.is_empty(), "{} problems:\n{}", failures.len(), failures.join("\n"));
}

fn built_in() -> Arc<StepDatabase> {
    Arc::new(corpus_steps(&CorpusOptions::default()).expect("the built-in corpus"))
}

#[test]
fn random_plans_are_walked_exactly_with_the_built_in_corpus() {
    check_database(&built_in());
}

#[test]
fn random_plans_are_walked_exactly_with_recorded_steps() {
    let Some(shared) = surefoot_recordings::shared_folder() else { return };
    let folder = shared.join("mocap");
    let is_walk = |behaviours: &str| {
        behaviours.contains("walk") && !["run", "stair", "jump"].iter().any(|other| behaviours.contains(other))
    };
    let rows = surefoot_recordings::manifest(&folder);
    let walks = rows.iter().filter(|row| row["dataset"] == "cmu-bvh" && is_walk(&row["behaviours"]));
    let paths: Vec<_> = walks.map(|row| folder.join(&row["file"])).collect();
    let built = surefoot::build_steps(&paths, &surefoot::BuildStepsOptions::default(), &mut |_| {});
    let built = built.expect("walking clips make a database");
    check_database(&Arc::new(built.database));
}

#[test]
fn the_demo_plans_are_walked_exactly_and_every_target_is_reported() {
    let database = built_in();
    for demo in demo_plans() {
        let options = WalkOptions { heading_weight: 1.0, ..WalkOptions::default() };
        let walk = animate_plan(&database, &demo.plan, &options).expect("it can be walked");
        assert_eq!(problems(&walk, &demo.plan), [""; 0], "{}", demo.name);
        assert_eq!(problems_in_file(&walk, &demo.plan), [""; 0], "{}", demo.name);
        let rows = &walk.report.footprints;
        assert!(rows[..2].iter().all(|row| row.origin == StepOrigin::Standing), "the standing feet are not stepped to");
        for (row, print) in rows.iter().zip(&demo.plan.footprints).skip(2) {
            let weights: f64 = row.sources.iter().map(|source| source.weight).sum();
            assert!((weights - 1.0).abs() < 1e-9, "{}: weights sum to {weights}", demo.name);
            assert!(row.land > 0.0 && row.swing.actual.is_some_and(|swing| swing > 0.1));
            assert_eq!((row.side, row.heading.target), (print.side, print.heading));
            assert!(row.support.actual.is_none_or(|support| support >= 0.0));
        }
    }
}

#[test]
fn target_times_are_met() {
    let database = built_in();
    let (_, mut plan) = random_plan(0);
    for print in &mut plan.footprints {
        (print.swing, print.support) = (Some(0.5), Some(0.2));
    }
    let walk = animate_plan(&database, &plan, &WalkOptions::default()).expect("it can be walked");
    let rows = &walk.report.footprints;
    for row in &rows[2..] {
        assert!(row.swing.difference().expect("a target").abs() < 1e-9, "{row:?}");
    }
    for row in &rows[2..plan.footprints.len() - 1] {
        assert!(row.support.difference().expect("a target").abs() < 1e-9, "{row:?}");
    }
}

#[test]
fn plans_too_long_for_memory_are_refused_by_their_length() {
    let database = built_in();
    let long = |n: usize, swing: Option<f64>| {
        let print = |k: usize| Footprint {
            swing,
            ..Footprint::at(
                if k.is_multiple_of(2) { Side::Left } else { Side::Right },
                Vec3::new(if k.is_multiple_of(2) { 0.1 } else { -0.1 }, 0.0, 0.3 * k as f64),
            )
        };
        FootPlan { footprints: (0..n).map(print).collect() }
    };
    let refused = |plan: &FootPlan| {
        matches!(animate_plan(&database, plan, &WalkOptions::default()), Err(StepError::TooLong { .. }))
    };
    assert!(refused(&long(1_000_000, None)));
    assert!(refused(&long(20, Some(3600.0))), "hours in the air");
    assert!(!refused(&long(20, None)));
}
