//! How steps are chosen: ahead in live use, by footprint, over a plan; and whose trunk and arms they have.

use crate::steps_walk::{DATABASE, random_plan};
use crate::styles::TWO_PEOPLE;
use std::sync::Arc;
use surefoot_motion::{Pose, Side};
use surefoot_plan::{FootPlan, FrameContacts, StepOutcome, Stepper, Synthesizer, World, stand_at_ends, synthesize};
use surefoot_steps::{Ablation, MAX_HORIZON, Search, Steps, WalkOptions};

fn steps(options: WalkOptions) -> Steps {
    Steps::new(TWO_PEOPLE.clone(), WalkOptions { frame_rate: 30.0, ..options })
}

fn ahead(horizon: usize) -> Steps {
    steps(WalkOptions { horizon, ..WalkOptions::default() })
}

fn start(steps: &Steps, plan: &FootPlan) -> Stepper {
    steps.start(Arc::new(World::default()), [plan.footprints[0], plan.footprints[1]]).unwrap()
}

fn drain(stepper: &mut Stepper, frames: &mut Vec<(Pose, FrameContacts)>) {
    let mut pose = stepper.skeleton().rest_pose();
    while let Some(contacts) = stepper.next_frame(&mut pose) {
        frames.push((pose.clone(), contacts));
    }
}

/// All frames and outcomes of a plan that comes footprint by footprint; frames are taken as they come, or all at the end.
fn walk_live(steps: &Steps, plan: &FootPlan, takes_frames: bool) -> (Vec<(Pose, FrameContacts)>, Vec<StepOutcome>) {
    let (mut stepper, mut frames) = (start(steps, plan), Vec::new());
    for print in &plan.footprints[2..] {
        stepper.push(print).unwrap();
        if takes_frames {
            drain(&mut stepper, &mut frames);
        }
    }
    stepper.finish().unwrap();
    drain(&mut stepper, &mut frames);
    (frames, stepper.outcomes().to_vec())
}

#[test]
fn live_use_gives_what_is_measured_as_live_whenever_frames_are_taken() {
    let world = Arc::new(World::default());
    for seed in 0..4 {
        let plan = stand_at_ends(&random_plan(seed, 0.03));
        for horizon in 0..=MAX_HORIZON {
            let (frames, outcomes) = walk_live(&ahead(horizon), &plan, true);
            assert!(walk_live(&ahead(horizon), &plan, false) == (frames.clone(), outcomes.clone()), "seed {seed}");
            let measured = steps(WalkOptions { horizon, search: Search::Live, ..WalkOptions::default() });
            let complete = synthesize(&measured, &world, &plan, "walk").unwrap();
            let poses = frames.into_iter().map(|(pose, _)| pose).collect();
            assert!(*complete.take.clip.poses() == poses, "seed {seed}, horizon {horizon}");
            let sources = complete.report.footprints.iter().skip(2).map(|row| &row.sources);
            assert!(sources.eq(outcomes.iter().map(|outcome| &outcome.sources)), "seed {seed}, horizon {horizon}");
        }
    }
}

#[test]
fn a_horizon_delays_frames_by_as_many_steps_and_a_plan_that_is_known_by_none() {
    let plan = stand_at_ends(&random_plan(3, 0.0));
    let made_after = |horizon: usize, n_pushed: usize| {
        let (mut stepper, mut frames) = (start(&ahead(horizon), &plan), Vec::new());
        for print in &plan.footprints[2..2 + n_pushed] {
            stepper.push(print).unwrap();
        }
        drain(&mut stepper, &mut frames);
        frames.len()
    };
    for horizon in 1..=MAX_HORIZON {
        assert_eq!(made_after(horizon, horizon), 0);
        // The steps may be others, but their times are nearly the same.
        let (late, early) = (made_after(horizon, 6 + horizon) as f64, made_after(0, 6) as f64);
        assert!((late - early).abs() < 0.15 * early, "{late} {early}");
    }
    let world = Arc::new(World::default());
    let poses = |horizon| synthesize(&ahead(horizon), &world, &plan, "walk").unwrap().take.clip.poses().clone();
    assert!(poses(0) == poses(MAX_HORIZON));
}

#[test]
fn an_edit_of_a_walk_that_looks_ahead_leaves_no_trace() {
    let plan = stand_at_ends(&random_plan(12, 0.0));
    for horizon in 1..=MAX_HORIZON {
        let steps = ahead(horizon);
        let (all, outcomes) = walk_live(&steps, &plan, true);
        for from in [2, 4, 7, 10] {
            let (mut stepper, mut frames) = (start(&steps, &plan), Vec::new());
            for print in &plan.footprints[2..] {
                stepper.push(print).unwrap();
                drain(&mut stepper, &mut frames);
            }
            let mut moved = plan.clone();
            moved.footprints[from].position.z += 0.04;
            let edited = stepper.replace_from(from, &moved.footprints[from..]).unwrap();
            frames.truncate(edited.first_frame);
            let back = stepper.replace_from(from, &plan.footprints[from..]).unwrap();
            frames.truncate(back.first_frame);
            stepper.finish().unwrap();
            drain(&mut stepper, &mut frames);
            assert!(frames == all && stepper.outcomes() == outcomes, "horizon {horizon}, footprint {from}");
            // Without what came after it, a step is as if that had never come.
            let mut short = start(&steps, &plan);
            plan.footprints[2..from].iter().for_each(|print| drop(short.push(print).unwrap().clone()));
            let before = short.outcomes().to_vec();
            short.push(&plan.footprints[from]).unwrap();
            short.replace_from(from, &[]).unwrap();
            assert!(short.outcomes() == before, "horizon {horizon}, footprint {from}");
        }
    }
}

#[test]
fn a_refused_footprint_leaves_a_walk_that_looks_ahead_as_it_was() {
    let plan = stand_at_ends(&random_plan(5, 0.0));
    let steps = ahead(1);
    let (all, _) = walk_live(&steps, &plan, true);
    let (mut stepper, mut frames) = (start(&steps, &plan), Vec::new());
    for print in &plan.footprints[2..] {
        let slow = surefoot_plan::Footprint { swing: Some(5000.0), ..*print };
        assert!(stepper.push(&slow).is_err());
        stepper.push(print).unwrap();
        drain(&mut stepper, &mut frames);
    }
    stepper.finish().unwrap();
    drain(&mut stepper, &mut frames);
    assert!(frames == all);
}

/// The farther one looks, the less the chosen steps cost; and postures count only where they are asked to.
#[test]
fn a_search_over_the_plan_costs_least_and_a_horizon_comes_near() {
    let mut sums = [0.0; 4];
    let mut postures = [0.0; 2];
    for seed in 0..12 {
        let plan = random_plan(seed, 0.0);
        let cost =
            |search, horizon| steps(WalkOptions { search, horizon, ..WalkOptions::default() }).choice_cost(&plan).total;
        let costs =
            [(Search::Plan, 0), (Search::Live, 2), (Search::Live, 0), (Search::Footprint, 0)].map(|(s, h)| cost(s, h));
        sums.iter_mut().zip(costs).for_each(|(sum, cost)| *sum += cost);
        let blind = Ablation::WithoutPosture.apply(&WalkOptions::default());
        for (sum, options) in postures.iter_mut().zip([WalkOptions::default(), blind]) {
            *sum += steps(options).choice_cost(&plan).posture;
        }
    }
    let [plan, ahead, live, alone] = sums;
    assert!(plan <= ahead + 1e-9 && plan <= live && live < alone, "{sums:?}");
    assert!(ahead < 1.05 * plan, "{sums:?}");
    assert!(postures[0] < postures[1], "{postures:?}");
}

/// A row of an evaluation that switches nothing off would show that nothing matters.
#[test]
fn every_ablation_changes_walks() {
    let world = Arc::new(World::default());
    let ben = TWO_PEOPLE.find_style("ben");
    // Few steps are just outside the hull, where they are extrapolated.
    let plans: Vec<FootPlan> = (0..60).map(|seed| random_plan(seed, 0.0)).collect();
    let walk = |options: WalkOptions, style, plan: &FootPlan| {
        let steps = Steps { style, ..steps(options) };
        synthesize(&steps, &world, plan, "walk").unwrap().take.clip.poses().clone()
    };
    // Live use may find the same steps as a search over the plan.
    // Steps that were not filtered are in another database (`entry_filter`), and so are an actor's own.
    let may_agree = [Ablation::Live, Ablation::LiveAhead, Ablation::UnfilteredSteps, Ablation::OwnClipsAlone];
    for ablation in Ablation::ALL.into_iter().filter(|ablation| !may_agree.contains(ablation)) {
        let style = ben.clone().filter(|_| ablation == Ablation::WithoutPerson);
        let changed = ablation.apply(&WalkOptions::default());
        let differs =
            |plan: &FootPlan| walk(changed, style.clone(), plan) != walk(WalkOptions::default(), style.clone(), plan);
        assert!(plans.iter().any(differs), "{}", ablation.name());
    }
}

#[test]
fn spliced_arms_are_of_a_recorded_step_and_legs_stay_as_they_are() {
    let world = Arc::new(World::default());
    let plan = random_plan(2, 0.0);
    let walk = |splice_upper| {
        let options = WalkOptions { frame_rate: 30.0, splice_upper, ..WalkOptions::default() };
        synthesize(&Steps::new(DATABASE.clone(), options), &world, &plan, "walk").unwrap().take
    };
    let (blended, spliced) = (walk(false), walk(true));
    assert_eq!(blended.clip.n_frames(), spliced.clip.n_frames());
    let body = &blended.body;
    let mut moved = 0.0_f64;
    for frame in 0..blended.clip.n_frames() {
        let [a, b] = [&blended, &spliced].map(|take| take.clip.pose(frame).to_pose());
        for side in Side::BOTH {
            let leg = &body.legs[side];
            for joint in [body.pelvis, leg.hip, leg.knee, leg.ankle] {
                let off = surefoot_geom::rotation::angle_between(a[joint].rotation, b[joint].rotation);
                assert!(off < 1e-9, "frame {frame}, joint {joint:?}: {off}");
            }
            let shoulder = body.arms[side].as_ref().unwrap().shoulder;
            moved = moved.max(surefoot_geom::rotation::angle_between(a[shoulder].rotation, b[shoulder].rotation));
        }
        if let Some(before) = frame.checked_sub(1) {
            let shoulder = body.arms[Side::Left].as_ref().unwrap().shoulder;
            let [a, b] = [before, frame].map(|frame| spliced.clip.pose(frame).to_pose()[shoulder].rotation);
            let turn = surefoot_geom::rotation::angle_between(a, b);
            assert!(turn < 0.2, "frame {frame}: an arm jumps by {turn}");
        }
    }
    assert!(moved > 0.01, "{moved}");
}
