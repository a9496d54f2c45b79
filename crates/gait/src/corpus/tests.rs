//! What the corpus promises.

use super::*;
use std::collections::HashSet;
use std::f64::consts::PI;
use surefoot_contact::{WalkerOptions, measure_placement, synthetic_walk};
use surefoot_contact::{metrics::foot_points, metrics::measure_ground_contact};
use surefoot_motion::Side;
use surefoot_plan::{StepCoverage, StepParameters};

fn steps(corpus: &Corpus) -> Vec<StepParameters> {
    corpus.walks().flat_map(|take| StepParameters::of_plan(&take.plan)).collect()
}

/// Every footprint is met exactly and nothing goes into the ground.
#[track_caller]
fn check(corpus: &Corpus) {
    for CorpusTake { name, take, plan, terrain, .. } in &corpus.takes {
        let poses = take.clip.world();
        let errors = measure_placement(&poses, &corpus.body, &take.contacts);
        let worst = errors.iter().max_by(|a, b| a.distance.total_cmp(&b.distance)).expect("plants");
        assert!(worst.distance < 1e-5, "{name}: {worst:?}");
        // Each footprint is the place of a plant of its foot.
        for print in &plan.footprints {
            let mut plants = take.contacts.plants[print.side].iter();
            assert!(plants.any(|plant| plant.position.distance(print.position) < 1e-9), "{name}: {print:?}");
        }
        let feet = foot_points(&poses, &corpus.skeleton, &corpus.body);
        let ground = terrain.clone().unwrap_or_default();
        let deepest = measure_ground_contact(&feet, &take.contacts, &ground).deepest.expect("frames");
        assert!(deepest.value < 1e-5, "{name}: {deepest:?}");
    }
}

#[test]
fn every_footprint_is_stood_on_and_no_foot_is_in_the_ground() {
    check(&corpus(&CorpusOptions::default()).expect("a corpus"));
}

#[test]
fn children_and_giants_have_one_too() {
    for height in [0.5, 1.1, 2.5] {
        check(&corpus(&CorpusOptions { height, frame_rate: 30.0 }).expect("a corpus"));
    }
}

#[test]
fn it_has_every_kind_and_far_more_than_300_steps() {
    let corpus = corpus(&CorpusOptions::default()).expect("a corpus");
    let kinds: HashSet<CorpusKind> = corpus.takes.iter().map(|take| take.kind).collect();
    assert!(CorpusKind::ALL.iter().all(|kind| kinds.contains(kind)));
    let names: HashSet<&str> = corpus.takes.iter().map(|take| &*take.name).collect();
    assert_eq!(names.len(), corpus.takes.len());
    assert!(steps(&corpus).len() >= 600, "{}", steps(&corpus).len());
    let has = |name: &str| assert!(names.contains(name), "{name}: {names:?}");
    ["forward-0.70m", "curve-left-15", "turn-right-60", "side-left-0.40m", "back-0.30m"].into_iter().for_each(has);
}

#[test]
fn it_is_the_same_every_time() {
    let make = || corpus(&CorpusOptions { frame_rate: 30.0, ..CorpusOptions::default() }).expect("a corpus");
    let (here, there) = (make(), std::thread::spawn(make).join().expect("a thread"));
    for (a, b) in here.takes.iter().zip(&there.takes) {
        assert!(a.take == b.take && a.plan == b.plan, "{}", a.name);
    }
}

#[test]
fn walks_that_are_completed_are_the_corpus() {
    let options = CorpusOptions { frame_rate: 10.0, ..CorpusOptions::default() };
    let (all, walks) = (corpus(&options).expect("a corpus"), corpus_walks(&options).expect("walks"));
    let names = |takes: &mut dyn Iterator<Item = &CorpusTake>| takes.map(|take| take.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&mut walks.takes.iter()), names(&mut all.walks()));
    let completed = complete_corpus(walks, &options).expect("a corpus");
    assert_eq!(names(&mut completed.takes.iter()), names(&mut all.takes.iter()));
    assert!(completed.takes.iter().zip(&all.takes).all(|(a, b)| a.take == b.take));
}

#[test]
fn steps_spread_over_the_parameters_of_a_database() {
    let corpus = corpus(&CorpusOptions::default()).expect("a corpus");
    let steps = steps(&corpus);
    let coverage = StepCoverage::of(&steps).expect("steps");
    // What the analysis of STRIDE 4.3 asks for: starts and ends from 15 to 95 cm, and side steps that start and end small.
    assert!(coverage.start_width.min < 0.15 && coverage.start_width.max > 0.95);
    let reaches: Vec<f64> = steps.iter().map(StepParameters::reach).collect();
    assert!(reaches.iter().any(|&reach| reach < 0.15) && reaches.iter().any(|&reach| reach > 0.95));
    assert!(coverage.end_length.min < -0.6 && coverage.end_length.max > 0.7);
    // Both sides alike.
    assert!(coverage.n_left.abs_diff(coverage.n_steps - coverage.n_left) < coverage.n_steps / 20);
    // From middle and wide starts steps end in all directions; from small ones in all but straight across the standing foot.
    for (widths, n_blocked) in [(0.0..0.25, 2), (0.25..0.6, 0), (0.6..1.1, 0)] {
        for swing in Side::BOTH {
            let from = steps.iter().filter(|step| step.swing == swing && widths.contains(&step.start_width));
            let mut octants = [0; 8];
            from.for_each(|step| {
                let turn = step.end_length.atan2(step.end_width).rem_euclid(2.0 * PI);
                octants[(turn / (0.25 * PI)) as usize % 8] += 1;
            });
            let n_empty = octants.iter().filter(|&&count| count == 0).count();
            assert!(n_empty <= n_blocked, "{swing:?} {widths:?}: {octants:?}");
        }
    }
}

#[test]
fn any_person_can_play_it() {
    let walk = synthetic_walk(&WalkerOptions { n_steps: 2, ..WalkerOptions::default() });
    let people = [
        PersonOptions { leg: 1.25, hips: 1.4, ..PersonOptions::default() },
        PersonOptions { leg: 0.8, foot: 1.3, ..PersonOptions::default() },
    ];
    let mut bodies: Vec<_> = people.iter().map(|proportions| person(proportions).expect("a person")).collect();
    bodies.push(((*walk.take.clip.skeleton).clone(), walk.take.body));
    for (skeleton, body) in bodies {
        let rig = Rig::new(&skeleton, &body, &Poses::default()).expect("a rig");
        check(&corpus_on(Arc::new(skeleton), &rig, 30.0).expect("a corpus"));
    }
}

#[test]
fn impossible_figures_and_rates_are_refused() {
    let error = |height, frame_rate| corpus(&CorpusOptions { height, frame_rate }).unwrap_err().to_string();
    assert!(error(9.0, 60.0).contains("height"), "{}", error(9.0, 60.0));
    assert_eq!(error(1.8, 0.0), "a corpus has from 1 to 240 frames a second, not 0");
    assert!(corpus(&CorpusOptions { frame_rate: f64::NAN, ..CorpusOptions::default() }).is_err());
}
