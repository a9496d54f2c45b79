//! Whose steps a walk is made of.

use super::steps_walk::{CORPUS, random_plan};
use std::sync::{Arc, LazyLock};
use surefoot_geom::Quat;
use surefoot_motion::Poses;
use surefoot_plan::{StepError, StepOrigin, SynthesisReport, Synthesizer, World, synthesize};
use surefoot_steps::{BuildOptions, StepCollector, StepDatabase, Steps, WalkOptions, actor_of};

/// The corpus twice: once as Anna walks it, and once as Ben does, who bows his head.
pub(crate) static TWO_PEOPLE: LazyLock<Arc<StepDatabase>> = LazyLock::new(|| {
    let first = CORPUS.walks().next().unwrap();
    let options = BuildOptions { mirror: false, ..BuildOptions::default() };
    let mut collector = StepCollector::new(CORPUS.skeleton.clone(), CORPUS.body.clone(), &first.take, options);
    for take in CORPUS.walks().step_by(2) {
        collector.add(&format!("anna_{}", take.name), &take.take);
        let mut bowed = take.take.clone();
        let head = bowed.body.head.unwrap();
        let mut poses = Poses::default();
        for pose in take.take.clip.poses() {
            let mut pose = pose.to_pose();
            pose[head].rotation *= Quat::from_rotation_x(BOW);
            poses.push(&pose);
        }
        bowed.clip = surefoot_motion::Clip::new("bowed", bowed.clip.skeleton.clone(), bowed.clip.frame_rate, poses);
        collector.add(&format!("ben_{}", take.name), &bowed);
    }
    Arc::new(collector.finish().unwrap())
});

const BOW: f64 = 0.4;

/// The share of each person's steps in a walk.
fn shares(report: &SynthesisReport) -> [f64; 2] {
    let sources = report.footprints.iter().flat_map(|row| &row.sources);
    ["anna", "ben"].map(|name| {
        let own = sources.clone().filter(|source| actor_of(&source.name) == name);
        own.map(|source| source.weight).sum::<f64>() / sources.clone().map(|source| source.weight).sum::<f64>()
    })
}

/// How far the head is bowed, on the mean.
fn bow(steps: &Steps, seed: u64) -> f64 {
    let walk = synthesize(steps, &Arc::new(World::default()), &random_plan(seed, 0.0), "walk").unwrap();
    let head = steps.database.body().body().head.unwrap();
    let poses = walk.take.clip.poses();
    let pitch = |at: usize| surefoot_geom::rotation::log_map(poses.get(at).unwrap()[head].rotation).x;
    (0..poses.len()).map(pitch).sum::<f64>() / poses.len() as f64
}

#[test]
fn a_style_is_followed_and_shows() {
    let people: Vec<&str> = TWO_PEOPLE.people().iter().map(|person| &*person.name).collect();
    assert_eq!(people, ["anna", "ben"]);
    let of = |name: &str| Steps {
        style: Some(TWO_PEOPLE.find_style(name).unwrap()),
        ..Steps::new(TWO_PEOPLE.clone(), WalkOptions { frame_rate: 30.0, ..WalkOptions::default() })
    };
    for seed in [1, 2] {
        for (name, all) in [("anna", [1.0, 0.0]), ("ben", [0.0, 1.0])] {
            let plan = random_plan(seed, 0.0);
            let walk = synthesize(&of(name), &Arc::new(World::default()), &plan, "walk").unwrap();
            assert_eq!(shares(&walk.report), all, "seed {seed}");
        }
        // All of the person comes through.
        let more = bow(&of("ben"), seed) - bow(&of("anna"), seed);
        assert!((more - BOW).abs() < 0.15 * BOW, "seed {seed}: {more}");
    }
    assert!(TWO_PEOPLE.find_style("carla").is_none());
    let take = &TWO_PEOPLE.steps()[0].source.take;
    assert_eq!(TWO_PEOPLE.find_style(take).unwrap().name, *take);
}

#[test]
fn a_walk_does_not_change_its_person() -> Result<(), StepError> {
    let steps = Steps::new(TWO_PEOPLE.clone(), WalkOptions { frame_rate: 30.0, ..WalkOptions::default() });
    let world = Arc::new(World::default());
    for seed in 0..6 {
        let plan = random_plan(seed, 0.0);
        let [anna, ben] = shares(&synthesize(&steps, &world, &plan, "walk")?.report);
        assert!(anna.max(ben) > 0.95, "seed {seed}: {anna} {ben}");
        // Nor does it where footprints come one by one.
        let mut stepper = steps.start(world.clone(), [plan.footprints[0], plan.footprints[1]])?;
        for print in &plan.footprints[2..] {
            stepper.push(print)?;
        }
        let people = stepper.outcomes().iter().map(|outcome| actor_of(&outcome.sources[0].name));
        let changes = people.clone().zip(people.skip(1)).filter(|(a, b)| a != b).count();
        assert!(changes <= 1, "seed {seed}: {changes}");
    }
    Ok(())
}

#[test]
fn how_far_a_step_is_outside_is_measured_among_all_steps() -> Result<(), StepError> {
    let all = Steps::new(TWO_PEOPLE.clone(), WalkOptions { frame_rate: 30.0, ..WalkOptions::default() });
    // One take has a handful of steps.
    let take = TWO_PEOPLE.find_style(&TWO_PEOPLE.steps()[0].source.take).unwrap();
    let few = Steps { style: Some(take), ..all.clone() };
    let world = Arc::new(World::default());
    let mut n_unspanned = 0;
    for seed in 0..4 {
        let plan = random_plan(seed, 0.0);
        let [all, few] = [&all, &few].map(|steps| synthesize(steps, &world, &plan, "walk"));
        for (all, few) in all?.report.footprints.iter().zip(&few?.report.footprints) {
            assert!((few.outside - all.outside).abs() < 1e-9, "seed {seed}: {} {}", few.outside, all.outside);
            n_unspanned += usize::from(few.origin == StepOrigin::IkCorrected);
        }
    }
    assert!(n_unspanned > 20, "{n_unspanned}");
    Ok(())
}
