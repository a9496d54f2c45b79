//! Plans walked by blended steps: feet exact, choices that can be checked.

use std::sync::{Arc, LazyLock};
use surefoot_contact::{FootPlan, Footprint, Take, measure_placement, slice_take};
use surefoot_contact::{metrics::measure_knees, metrics::measure_pelvis_jerk, metrics::measure_rotation_steps};
use surefoot_gait::{Corpus, CorpusOptions, corpus};
use surefoot_geom::{Random, Vec3};
use surefoot_motion::{BodyMap, Clip, Side};
use surefoot_plan::{PlanError, StepError, Synthesis, World, synthesize};
use surefoot_steps::{
    BuildOptions, ChooseOptions, Made, Method, Place, SegmentOptions, Selection, StepCollector, StepDatabase,
    StepQuery, Steps, WalkOptions, choose_steps, reconstruct, recorded_plan, without_takes,
};

fn database_of(corpus: &Corpus, every: usize) -> Arc<StepDatabase> {
    let first = corpus.walks().next().unwrap();
    // Contacts of the corpus are exact.
    let segment = SegmentOptions { level: 0.0, ..SegmentOptions::default() };
    let options = |mirror: bool| BuildOptions { mirror, segment, ..BuildOptions::default() };
    let mut collector = StepCollector::new(corpus.skeleton.clone(), corpus.body.clone(), &first.take, options(false));
    for take in corpus.walks().filter(|take| take.kind.is_level_walk()).step_by(every) {
        let _ = collector.add(&take.name, &take.take);
    }
    collector = collector.with_options(options(true));
    for take in corpus.walks().filter(|take| !take.kind.is_level_walk()).step_by(every) {
        collector.add_all(&[(&take.name, &take.take)], |step| !step.is_level());
    }
    Arc::new(collector.finish().unwrap())
}

pub(crate) static CORPUS: LazyLock<Corpus> = LazyLock::new(|| corpus(&CorpusOptions::default()).unwrap());
pub(crate) static DATABASE: LazyLock<Arc<StepDatabase>> = LazyLock::new(|| database_of(&CORPUS, 1));

/// A walk that turns, lengthens, shortens, climbs and goes sideways as chance has it.
pub(crate) fn random_plan(seed: u64, heights: f64) -> FootPlan {
    let mut random = Random::new(seed);
    let (mut place, mut heading, mut height) = (Vec3::ZERO, random.range(-3.0, 3.0), 0.0);
    let turn = random.range(-0.3, 0.3);
    let direction = [0.0, 0.0, 0.0, 1.5, -1.5, 3.0][random.index(6)];
    let length = if direction == 0.0 { random.range(0.2, 0.75) } else { random.range(0.1, 0.28) };
    let mut footprints = Vec::new();
    for index in 0..14 {
        let side = Side::BOTH[index % 2];
        let sign = if side == Side::Left { 1.0 } else { -1.0 };
        if index >= 2 {
            heading += turn + random.range(-0.1, 0.1);
            place += surefoot_geom::heading_direction(heading + direction) * (length * random.range(0.8, 1.2));
            height += heights * random.range(-1.0, 1.0);
        }
        let apart = random.range(0.08, 0.16) + (length * f64::sin(direction)).abs() * 0.5;
        let left = surefoot_geom::heading_direction(heading + std::f64::consts::FRAC_PI_2);
        let position = place + left * (sign * apart) + Vec3::Y * height;
        let print = Footprint { heading: Some(heading + sign * 0.1), ..Footprint::at(side, position) };
        footprints.push(print);
    }
    FootPlan { footprints }
}

fn animate(database: &Arc<StepDatabase>, plan: &FootPlan, options: &WalkOptions) -> Result<Synthesis, StepError> {
    synthesize(&Steps::new(database.clone(), *options), &Arc::new(World::default()), plan, "walk")
}

/// Every footprint has a ball plant, and the ball stays on it.
fn check_walk(database: &Arc<StepDatabase>, plan: &FootPlan, options: &WalkOptions) {
    let walk = animate(database, plan, options).unwrap();
    let body = database.body().body();
    let poses = walk.take.clip.world();
    for error in measure_placement(&poses, body, &walk.take.contacts) {
        assert!(error.distance < 1e-6, "{error:?}");
    }
    for (index, print) in plan.footprints.iter().enumerate() {
        let stands = walk.take.contacts.plants[print.side].iter().any(|plant| plant.position == print.position);
        assert!(stands, "footprint {index} was missed");
    }
    for pose in walk.take.clip.poses() {
        assert!(pose.local.iter().all(surefoot_geom::Transform::is_finite));
    }
}

#[test]
fn every_ball_stays_on_its_footprint() {
    for seed in 0..30 {
        check_walk(&DATABASE, &random_plan(seed, 0.0), &WalkOptions::default());
        check_walk(&DATABASE, &random_plan(seed, 0.08), &WalkOptions { frame_rate: 30.0, ..WalkOptions::default() });
    }
}

#[test]
fn a_poor_database_walks_as_exactly() {
    let poor = database_of(&CORPUS, 40);
    for seed in 30..40 {
        check_walk(&poor, &random_plan(seed, 0.05), &WalkOptions::default());
    }
}

#[test]
fn a_few_frames_a_second_are_enough_to_walk() {
    for (seed, frame_rate) in (0..40).zip([1.0, 1.3, 2.0, 3.7, 5.0].into_iter().cycle()) {
        let plan = random_plan(seed, 0.05);
        let walk = animate(&DATABASE, &plan, &WalkOptions { frame_rate, ..WalkOptions::default() }).unwrap();
        let poses = walk.take.clip.world();
        // A stance between two frames has no plant; those that there are stand where they should.
        for error in measure_placement(&poses, DATABASE.body().body(), &walk.take.contacts) {
            assert!(error.distance < 1e-6, "seed {seed}: {error:?}");
        }
        for pose in walk.take.clip.poses() {
            assert!(pose.local.iter().all(surefoot_geom::Transform::is_finite), "seed {seed}");
        }
    }
}

/// A walk may be this much rougher than what it is made from: pelvis and knees, and the largest turn of a joint.
const ROUGHER: f64 = 1.25;
const TURNS_MORE: f64 = 1.3;

/// Mean jerk of the pelvis, 99th percentile of the knees' acceleration, largest turn from one frame to the next.
fn roughness(clip: &Clip, body: &BodyMap) -> [f64; 3] {
    let (poses, rate) = (clip.world(), clip.frame_rate);
    [
        measure_pelvis_jerk(&poses, body, rate).mean.unwrap(),
        measure_knees(&poses, body, rate).acceleration.unwrap().p99,
        measure_rotation_steps(clip).step.unwrap().worst.value,
    ]
}

/// The frames of a take from half a second before the first landing to half a second after the last.
fn walking_frames(take: &Take, landings: &[f64]) -> std::ops::Range<usize> {
    let margin = (0.5 * take.clip.frame_rate) as usize;
    let [first, last] = [landings[0], landings[landings.len() - 1]].map(|landing| landing.ceil() as usize);
    first.saturating_sub(margin)..(last + margin).min(take.clip.n_frames())
}

#[test]
fn takes_walked_again_without_their_own_steps_are_as_smooth() {
    let body = DATABASE.body().body();
    let (mut all, mut n_takes) = ([[0.0; 3]; 2], 0.0);
    // All straight ones, as longer strides than the rest of the database has are among them.
    let takes = CORPUS.takes.iter().filter(|take| take.kind.is_level_walk()).enumerate();
    for (_, take) in takes.filter(|(index, take)| index % 8 == 0 || take.name.starts_with("forward")) {
        let rest = Arc::new(without_takes(&DATABASE, &[&take.name]).unwrap());
        let recorded = recorded_plan(&take.take);
        let steps = Steps::new(rest, WalkOptions::default());
        let walked = reconstruct(&steps, &recorded, &take.take, Method::StrideSpace).unwrap();
        let own = slice_take(&take.take, walking_frames(&take.take, &recorded.landings)).unwrap();
        let [made, own] = [&walked.walk.take.clip, &own.clip].map(|clip| roughness(clip, body));
        assert!(made[1] < ROUGHER * own[1], "{}: knees {} against {} rad/s2", take.name, made[1], own[1]);
        for (sums, one) in all.iter_mut().zip([made, own]) {
            *sums = [sums[0] + one[0], sums[1] + one[1], sums[2].max(one[2])];
        }
        n_takes += 1.0;
    }
    assert!(n_takes > 15.0, "{n_takes} takes");
    let [made, own] = all;
    for (what, limit) in [ROUGHER, ROUGHER, TURNS_MORE].into_iter().enumerate() {
        assert!(made[what] < limit * own[what], "{what}: {made:?} {own:?}");
    }
}

#[test]
fn a_step_of_the_database_is_made_of_itself() {
    for (index, step) in DATABASE.steps().iter().enumerate().step_by(97) {
        let [support, from, to] = step.headings;
        let outward = if step.swing() == Side::Left { 1.0 } else { -1.0 };
        let p = step.point();
        let place =
            |x: f64, y: f64, z: f64, heading: f64| Place { ball: Vec3::new(outward * x, y, z), heading: Some(heading) };
        let times = [step.times.first, step.times.swing, step.times.last].map(Some);
        let (before, after) = (place(p.x, step.heights[0], 0.0, from), place(p.y, step.heights[1], p.z, to));
        let query = StepQuery::new(step.swing(), place(0.0, 0.0, 0.0, support), before, after, times);
        assert!((query.parameters.point() - p).length() < 1e-12);
        let choice = choose_steps(&DATABASE, &query, &ChooseOptions::default());
        let chosen = &DATABASE.steps()[choice.heaviest()];
        let same = choice.heaviest() == index || chosen.high() == step.high();
        assert!(same && choice.parts()[0].weight > 1.0 - 1e-6 || choice.parts().len() == 1, "{choice:?}");
    }
}

fn random_query(random: &mut Random) -> StepQuery {
    let swing = if random.unit() < 0.5 { Side::Left } else { Side::Right };
    let outward = if swing == Side::Left { 1.0 } else { -1.0 };
    let mut place = |x: (f64, f64), z: (f64, f64)| Place {
        ball: Vec3::new(outward * random.range(x.0, x.1), 0.0, random.range(z.0, z.1)),
        heading: Some(random.range(-1.5, 1.5)),
    };
    let support = Place { ball: Vec3::ZERO, heading: Some(0.3) };
    let (from, to) = (place((0.15, 0.6), (0.0, 0.0)), place((-0.1, 0.4), (-0.2, 0.6)));
    StepQuery::new(swing, support, from, to, [Some(0.2), Some(0.4), None])
}

#[test]
fn choices_make_the_query_and_none_is_cheaper() {
    let few = database_of(&CORPUS, 12);
    let mut random = Random::new(11);
    let mut n_checked = 0;
    for _ in 0..40 {
        let query = random_query(&mut random);
        let q = query.parameters.point();
        for selection in [Selection::Best, Selection::Regions, Selection::Neighbours] {
            let options = ChooseOptions { selection, ..ChooseOptions::default() };
            let choice = choose_steps(&few, &query, &options);
            if choice.made == Made::IkCorrected {
                continue;
            }
            assert!((choice.point - q).length() < 1e-9, "{selection:?} {choice:?}");
            let total: f64 = choice.parts().iter().map(|part| part.weight).sum();
            assert!((total - 1.0).abs() < 1e-9);
            if choice.made == Made::Inside {
                assert!(choice.parts().iter().all(|part| part.weight > -1e-9), "{selection:?} {choice:?}");
            }
        }
        let options = ChooseOptions::default();
        let cost = |choice: &surefoot_steps::Choice| {
            let of = |step: usize| options.weights.distance(&query, &few.steps()[step]).powf(options.power);
            choice.parts().iter().map(|part| part.weight * of(part.step)).sum::<f64>()
        };
        let best = choose_steps(&few, &query, &options);
        if best.made != Made::Inside {
            continue;
        }
        n_checked += 1;
        // No other way to span the query costs less: neither the paper's, nor any four of the steps that resemble it most.
        for selection in [Selection::Regions, Selection::Neighbours] {
            let other = choose_steps(&few, &query, &ChooseOptions { selection, ..options });
            assert!(cost(&best) <= cost(&other) + 1e-9);
        }
        let mut near: Vec<usize> = few.space(query.parameters.swing).steps().to_vec();
        near.sort_by(|a, b| {
            let of = |step: &usize| options.weights.distance(&query, &few.steps()[*step]);
            of(a).total_cmp(&of(b))
        });
        near.truncate(14);
        let least = cost(&best);
        for a in 0..near.len() {
            for b in a + 1..near.len() {
                for c in b + 1..near.len() {
                    for d in c + 1..near.len() {
                        let four = [near[a], near[b], near[c], near[d]];
                        let corners = four.map(|step| few.steps()[step].point());
                        let Some(weights) = surefoot_geom::delaunay::tetrahedron_weights(corners, q) else { continue };
                        if weights.iter().all(|&weight| weight >= 0.0) {
                            let of =
                                |k: usize| options.weights.distance(&query, &few.steps()[four[k]]).powf(options.power);
                            let cost: f64 = (0..4).map(|k| weights[k] * of(k)).sum();
                            assert!(least <= cost + 1e-9, "{least} {cost}");
                        }
                    }
                }
            }
        }
    }
    assert!(n_checked > 10, "{n_checked}");
}

#[test]
fn what_no_body_can_walk_is_refused_by_number() {
    let refused = |change: &dyn Fn(&mut FootPlan)| {
        let mut plan = random_plan(3, 0.0);
        change(&mut plan);
        animate(&DATABASE, &plan, &WalkOptions::default()).unwrap_err()
    };
    let error = refused(&|plan| plan.footprints[5].position.x += 2.2);
    assert!(matches!(error, StepError::Plan(PlanError::OutOfReach { footprint: 5, .. })), "{error}");
    let error = refused(&|plan| plan.footprints[4].position.y += 0.8);
    assert_eq!(error.footprint(), Some(4), "{error}");
    let error = refused(&|plan| plan.footprints[6].heading = plan.footprints[6].heading.map(|heading| heading + 2.9));
    assert!(matches!(error, StepError::Plan(PlanError::TurnedTooFar { footprint: 6 | 7, .. })), "{error}");
    let error = refused(&|plan| plan.footprints.truncate(2));
    assert_eq!(error, StepError::NoSteps { found: 2 });
    let error = refused(&|plan| plan.footprints[5].support = Some(0.0));
    assert!(matches!(error, StepError::Unsupported { footprint: 5, .. }), "{error}");
    let options = WalkOptions { heading_weight: 1.5, ..WalkOptions::default() };
    let error = animate(&DATABASE, &random_plan(3, 0.0), &options).unwrap_err();
    assert!(matches!(error, StepError::Option { what: "the weight of headings", .. }), "{error}");
}

#[test]
fn soft_targets_of_headings_and_times_are_met_by_their_weight() {
    let mut plan = random_plan(5, 0.0);
    for print in &mut plan.footprints {
        print.swing = Some(0.5);
        print.support = Some(0.2);
    }
    let whole = WalkOptions { heading_weight: 1.0, time_weight: 1.0, ..WalkOptions::default() };
    let walk = animate(&DATABASE, &plan, &whole).unwrap();
    for row in &walk.report.footprints[2..] {
        assert!(row.swing.difference().unwrap().abs() < 1e-9, "{row:?}");
        assert!(row.support.difference().is_none_or(|difference| difference.abs() < 1e-9), "{row:?}");
        // The last foot comes to lie flat by the middle of the last double support, where its heading is measured.
        let exact = if row.index + 1 < plan.footprints.len() { 1e-6 } else { 1e-3 };
        assert!(row.heading.difference().unwrap().abs() < exact, "{row:?}");
    }
    // Feet stay exact by every method that holds them.
    for method in [Method::Regions, Method::WithoutSelection, Method::PinnedNearest, Method::GaussianProcess] {
        check_walk(&DATABASE, &plan, &WalkOptions { method, ..WalkOptions::default() });
    }
}

#[test]
fn absolute_times_are_met_like_relative_ones() {
    let mut plan = random_plan(5, 0.0);
    let relative = plan.clone();
    // Each foot is in the air for 0.5 s, and both are down for 0.2 s after each landing.
    for (index, print) in plan.footprints.iter_mut().enumerate() {
        print.land = (index >= 2).then(|| 0.7 * (index - 1) as f64);
        print.leave = Some(if index == 0 { 0.2 } else { 0.7 * index as f64 + 0.2 });
    }
    let walk = animate(&DATABASE, &plan, &WalkOptions::default()).unwrap();
    for (row, print) in walk.report.footprints.iter().zip(&plan.footprints).skip(2) {
        assert!((row.land - print.land.unwrap()).abs() < 1e-9, "{row:?}");
        assert!((row.swing.actual.unwrap() - 0.5).abs() < 1e-9, "{row:?}");
    }
    // Landings alone fix the pace, and leave the rest to the recorded steps.
    let mut landings = relative;
    for (index, print) in landings.footprints.iter_mut().enumerate().skip(2) {
        print.land = Some(0.8 * (index - 1) as f64);
    }
    let walk = animate(&DATABASE, &landings, &WalkOptions::default()).unwrap();
    for (row, print) in walk.report.footprints.iter().zip(&landings.footprints).skip(2) {
        assert!((row.land - print.land.unwrap()).abs() < 1e-9, "{row:?}");
    }
}
