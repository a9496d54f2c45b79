//! Steps up and down: they are recorded with their heights, found by them, and what is not recorded says so.

use crate::steps_walk::CORPUS;
use std::sync::{Arc, LazyLock};
use surefoot_contact::metrics::{measure_penetration, soles_by_motion};
use surefoot_gait::{CorpusKind, CorpusTake};
use surefoot_geom::{Vec2, Vec3};
use surefoot_ground::{Stairs, Terrain};
use surefoot_motion::Side;
use surefoot_plan::{FootPlan, Footprint, StepOrigin, Synthesis, World, synthesize};
use surefoot_steps::{
    AnalyzeOptions, BuildOptions, HEIGHT_TOLERANCE, Method, N_SUPPORT, N_SWING, Refusal, SegmentOptions, ShotReason,
    StepCollector, StepDatabase, Steps, WalkOptions, analyze_steps, reconstruct, recorded_plan, segment_steps,
};

/// Contacts of the corpus are exact.
const EXACT: SegmentOptions =
    SegmentOptions { level: 0.0, longest_support: 0.5, longest_swing: 1.5, highest_step: 0.6, longest_step: 1.25 };
const TREAD: f64 = 0.37;

fn database_of(is_in: impl Fn(&CorpusTake) -> bool) -> Arc<StepDatabase> {
    let options = BuildOptions { segment: EXACT, ..BuildOptions::default() };
    let typical = &CORPUS.walks().next().unwrap().take;
    let mut collector = StepCollector::new(CORPUS.skeleton.clone(), CORPUS.body.clone(), typical, options);
    for take in CORPUS.walks().filter(|take| is_in(take)) {
        let _ = collector.add(&take.name, &take.take);
    }
    Arc::new(collector.finish().unwrap())
}

static CLIMBS: LazyLock<Arc<StepDatabase>> =
    LazyLock::new(|| database_of(|take| matches!(take.kind, CorpusKind::Stairs | CorpusKind::Forward)));
pub(crate) static LEVEL: LazyLock<Arc<StepDatabase>> =
    LazyLock::new(|| database_of(|take| take.kind == CorpusKind::Forward));

/// Two standing feet before stairs, one on each tread, and two on the last.
fn stairs_plan(rise: f64) -> (FootPlan, Terrain) {
    let stairs = Stairs { start: Vec2::new(0.0, 0.2), rise, tread: TREAD, n_steps: 6, ..Stairs::default() };
    let terrain = Terrain::stairs(stairs).unwrap();
    let on_tread = |tread: usize| 0.2 + tread as f64 * TREAD + 0.22;
    let along = [0.0, 0.0].into_iter().chain((0..6).map(on_tread)).chain([on_tread(5)]);
    let print = |(index, z): (usize, f64)| {
        let side = Side::BOTH[index % 2];
        let x = if side == Side::Left { 0.09 } else { -0.09 };
        let position = Vec3::new(x, terrain.height(Vec2::new(x, z)), z);
        Footprint { heading: Some(0.0), ..Footprint::at(side, position) }
    };
    (FootPlan { footprints: along.enumerate().map(print).collect() }, terrain)
}

fn climb(database: &Arc<StepDatabase>, rise: f64) -> Synthesis {
    let (plan, terrain) = stairs_plan(rise);
    let steps = Steps::new(database.clone(), WalkOptions::default());
    synthesize(&steps, &Arc::new(World::on(terrain)), &plan, "stairs").unwrap()
}

/// Footprints from one tread to the one after the next: no start, no end.
const ON_STAIRS: std::ops::Range<usize> = 4..8;

#[test]
fn every_step_of_stairs_has_the_heights_of_its_treads() {
    for (rise, name) in [(0.13, "stairs-up-0.13m-0.37m"), (-0.13, "stairs-down-0.13m-0.37m")] {
        let take = &CORPUS.takes.iter().find(|take| take.name == name).unwrap().take;
        let segments = segment_steps(take, &EXACT);
        assert!(segments.refused.is_empty(), "{:?}", segments.refused);
        let heights = segments.steps.iter().map(|step| [step.from, step.to].map(|place| place.y - step.support.y));
        let on_stairs = heights.filter(|[from, to]| (from + rise).abs() < 1e-6 && (to - rise).abs() < 1e-6);
        assert_eq!(on_stairs.count(), 5, "{name}");
        // As the error of a recording they are level, and beyond what legs do they are refused.
        let level = segment_steps(take, &SegmentOptions { level: 0.3, ..EXACT });
        assert!(level.steps.iter().all(|step| step.from.y == step.support.y && step.to.y == step.support.y));
        let short = segment_steps(take, &SegmentOptions { highest_step: 0.1, ..EXACT });
        assert!(short.refused.iter().any(|(_, reason)| *reason == Refusal::TooHigh), "{:?}", short.refused);
    }
}

/// Over its support in mid swing a pelvis is as high as it was recorded, whatever the step rises by; in the double supports the base line
/// is halfway between both feet.
#[test]
fn rows_keep_the_recorded_heights_over_their_base() {
    let mut n_checked = 0;
    for step in CLIMBS.steps().iter().filter(|step| !step.is_level() && !step.source.mirrored) {
        let take = &CORPUS.takes.iter().find(|take| *take.name == *step.source.take).unwrap().take;
        let span =
            segment_steps(take, &EXACT).steps.into_iter().find(|span| span.frames == step.source.frames).unwrap();
        let width = CLIMBS.layout().width();
        let poses = take.clip.world();
        let recorded = |row: usize| {
            let frame = step.source.frames.start as f64 + step.times.at_row(row as f64) * take.clip.frame_rate;
            poses[frame.round() as usize].position(take.body.pelvis).y - span.support.y
        };
        let height = |row: usize| f64::from(step.rows[row * width + 1]);
        let middle = N_SUPPORT + N_SWING / 2;
        assert!((height(middle) - recorded(middle)).abs() < 0.02, "{:?}", step.source);
        if step.times.first < 0.4 && step.times.last < 0.4 {
            for (row, base) in
                [(N_SUPPORT / 2, 0.5 * step.heights[0]), (N_SUPPORT * 3 / 2 + N_SWING, 0.5 * step.heights[1])]
            {
                let off = height(row) + base - recorded(row);
                assert!(off.abs() < 0.02 + 0.1 * base.abs(), "{:?} row {row}: {off}", step.source);
                n_checked += 1;
            }
        }
        // Planted feet are on their base, and no swinging one is far from it.
        let ball = if step.swing() == Side::Left { 7 } else { 17 };
        let foot = |row: usize| f64::from(step.rows[row * width + ball]);
        assert!(foot(0).abs() < 1e-5 && foot(2 * N_SUPPORT + N_SWING).abs() < 0.06, "{:?}", step.source);
        let highest = (0..=2 * N_SUPPORT + N_SWING).map(foot).fold(0.0, f64::max);
        assert!((0.01..0.45).contains(&highest), "{:?}: {highest}", step.source);
    }
    assert!(n_checked > 100, "{n_checked}");
}

#[test]
fn a_riser_between_recorded_ones_is_blended_and_one_far_beyond_is_not() {
    for rise in [0.15, 0.19, -0.15] {
        let walk = climb(&CLIMBS, rise);
        for row in &walk.report.footprints[ON_STAIRS] {
            assert_eq!((row.origin, row.height_outside), (StepOrigin::Blended, 0.0), "{rise}: {row:?}");
        }
        for row in &walk.report.footprints {
            assert!(row.placement.is_some_and(|at| at.middle_60 < 1e-3), "{rise}: {row:?}");
        }
        let metrics = &walk.report.metrics;
        assert!(metrics.penetration.as_ref().unwrap().value < 0.002, "{rise}: {:?}", metrics.penetration);
        assert!(metrics.fall.as_ref().unwrap().value < 1.0, "{rise}: {:?}", metrics.fall);
        assert!(metrics.knee_acceleration_p99.unwrap() < 300.0, "{rise}: {:?}", metrics.knee_acceleration_p99);
    }
    let walk = climb(&CLIMBS, 0.38);
    for row in &walk.report.footprints[ON_STAIRS] {
        assert!(row.origin != StepOrigin::Blended && row.height_outside > HEIGHT_TOLERANCE, "{row:?}");
    }
    let verdict = &walk.report.verdict;
    assert!(verdict.reasons.iter().any(|reason| reason.contains("above or below any recorded step")), "{verdict:?}");
}

#[test]
fn stairs_without_a_recorded_stair_are_never_called_blended() {
    for row in &climb(&LEVEL, 0.17).report.footprints[2..8] {
        assert!(row.origin != StepOrigin::Blended && row.height_outside > 0.16, "{row:?}");
    }
    for row in &climb(&LEVEL, 0.0).report.footprints {
        assert_eq!((row.origin == StepOrigin::HeightExtrapolated, row.height_outside), (false, 0.0), "{row:?}");
    }
}

/// The height of the pelvis over its mean, frame by frame.
fn pelvis_error(database: &Arc<StepDatabase>, take: &CorpusTake) -> f64 {
    let steps = Steps::new(database.clone(), WalkOptions::default());
    let recorded = recorded_plan(&take.take);
    reconstruct(&steps, &recorded, &take.take, Method::StrideSpace).unwrap().by_landing.by_region[0]
}

/// With stairs in the database a walk up or down is nearer to its recording than with level steps alone, by far.
#[test]
fn recorded_stairs_make_a_pelvis_that_climbs_as_recorded() {
    for name in ["stairs-up-0.17m-0.37m", "stairs-down-0.17m-0.37m"] {
        let take = CORPUS.takes.iter().find(|take| take.name == name).unwrap();
        let rest = surefoot_steps::without_takes(&CLIMBS, &[name]).map(Arc::new).unwrap();
        let (climbs, level) = (pelvis_error(&rest, take), pelvis_error(&LEVEL, take));
        assert!(climbs < 0.03 && climbs < 0.7 * level, "{name}: {climbs} {level}");
    }
}

/// Heights to record, of a database of level walks and some stairs.
fn heights_to_record(is_in: impl Fn(&CorpusTake) -> bool) -> Vec<[f64; 2]> {
    let database = database_of(|take| take.kind == CorpusKind::Forward || is_in(take));
    let analysis = analyze_steps(&database, &AnalyzeOptions::default());
    let of_heights = analysis.shots.iter().filter(|shot| shot.reason == ShotReason::Height);
    of_heights.map(|shot| shot.heights).collect()
}

#[test]
fn the_list_of_steps_to_record_names_the_heights_of_a_stair_that_are_missing() {
    assert!(heights_to_record(|_| false).is_empty(), "a database of level walks wants no stairs");
    let up = heights_to_record(|take| take.kind == CorpusKind::Stairs && take.name.contains("stairs-up"));
    assert!(!up.is_empty() && up.iter().all(|[from, to]| to < from), "only those down are missing: {up:?}");
    let both = heights_to_record(|take| take.kind == CorpusKind::Stairs);
    assert!(both.len() < up.len(), "{both:?} {up:?}");
}

/// Where the ground is known at footprints alone, a foot goes over a block that it stood on before, or will stand on later.
#[test]
fn a_foot_goes_over_blocks_of_its_own_footprints_that_it_passes() {
    let left = |z: f64, height: f64| Footprint::at(Side::Left, Vec3::new(0.1, height, z));
    let right = |z: f64| Footprint::at(Side::Right, Vec3::new(-0.1, 0.0, z));
    let block = [left(0.35, 0.12), right(0.25)];
    // Its heel is off the block too.
    let past = [left(0.85, 0.0), right(0.7)];
    let (before, after) = (
        [left(0.0, 0.0), right(0.05)].into_iter().chain(block).chain([left(0.0, 0.0), right(0.3)]).chain(past),
        [left(0.0, 0.0), right(0.3)].into_iter().chain(past).chain(block).chain([left(0.0, 0.0), right(0.0)]),
    );
    for footprints in [before.collect::<Vec<_>>(), after.collect()] {
        let plan = FootPlan { footprints };
        let steps = Steps::new(LEVEL.clone(), WalkOptions::default());
        let Synthesis { take, .. } = synthesize(&steps, &Arc::new(World::default()), &plan, "block").unwrap();
        let soles = soles_by_motion(&take.clip.world(), &take.clip.skeleton, &take.body, take.clip.frame_rate);
        let deepest = measure_penetration(&soles, &plan).deepest;
        assert!(deepest < 0.002, "{deepest} m");
    }
}

/// Down from block to block, toes relax only where that leaves them above the edge that they came over.
#[test]
fn toes_that_relax_behind_an_edge_stay_out_of_it() {
    let places = [
        (0.6, 0.0),
        (0.6, 0.0),
        (0.5, -0.179),
        (0.3, -0.33),
        (0.3, -0.482),
        (0.1, -0.659),
        (-0.12, -0.823),
        (-0.12, -0.982),
    ];
    let print = |(index, (height, z)): (usize, (f64, f64))| {
        let side = Side::BOTH[index % 2];
        let x = if side == Side::Left { 0.1 } else { -0.1 };
        Footprint { heading: Some(0.0), ..Footprint::at(side, Vec3::new(x, height, z)) }
    };
    let plan = FootPlan { footprints: places.into_iter().enumerate().map(print).collect() };
    let steps = Steps::new(CLIMBS.clone(), WalkOptions::default());
    let Synthesis { take, .. } = synthesize(&steps, &Arc::new(World::default()), &plan, "blocks").unwrap();
    let soles = soles_by_motion(&take.clip.world(), &take.clip.skeleton, &take.body, take.clip.frame_rate);
    let deepest = measure_penetration(&soles, &plan).deepest;
    assert!(deepest < 0.001, "{deepest} m");
}

#[test]
fn a_step_is_played_as_it_was_recorded() {
    let database = &CLIMBS;
    let rate = 60.0;
    let played =
        |index: usize| (&database.steps()[index], database.step_take(index, rate).expect("a step of that number"));
    let climbs: Vec<usize> = (0..database.steps().len()).filter(|&index| !database.steps()[index].is_level()).collect();
    assert!(climbs.len() > 4, "stairs are among them");
    for index in climbs.into_iter().chain(0..6) {
        let (step, take) = played(index);
        let (swing, support) = (step.swing(), step.swing().opposite());
        assert_eq!(take.clip.n_frames(), (step.times.total() * rate).floor() as usize + 1);
        let poses = take.clip.world();
        let ball = |frame: usize, side: Side| take.body.ball(&poses[frame], side);
        // In the middle of the swing the supporting ball is at the origin.
        let middle = ((step.times.first + 0.5 * step.times.swing) * rate) as usize;
        assert!(ball(middle, support).length() < 0.03, "step {index}: {}", ball(middle, support));
        // The other one comes from its first height and ends on its second.
        let last = take.clip.n_frames() - 1;
        for (frame, height) in [(0, step.heights[0]), (last, step.heights[1])] {
            assert!(
                (ball(frame, swing).y - height).abs() < 0.04,
                "step {index}: {} for {height}",
                ball(frame, swing).y
            );
        }
        let plants = &take.contacts.plants;
        assert!(!plants[support].is_empty() && plants[swing].iter().all(|plant| !plant.frames.contains(&middle)));
    }
    assert!(database.step_take(database.steps().len(), rate).is_none());
}

/// The built-in corpus has every slope with steps of the same lengths, up and down: what they differ by is their heights.
#[test]
fn on_a_recorded_slope_its_own_steps_are_chosen() {
    let slopes = database_of(|take| matches!(take.kind, CorpusKind::Slope | CorpusKind::Forward | CorpusKind::Curve));
    for name in ["slope-down-8-0.55m", "slope-up-8-0.55m", "slope-down-4-0.40m"] {
        let take = CORPUS.takes.iter().find(|take| take.name == name).unwrap();
        let steps = Steps::new(slopes.clone(), WalkOptions::default());
        let world = Arc::new(World::on(take.terrain.clone().unwrap()));
        let choices = steps.choices(&world, &take.plan).unwrap();
        for (index, choice) in choices.iter().enumerate().take(choices.len() - 1).skip(1) {
            let of = |part: &surefoot_steps::WeightedStep| slopes.steps()[part.step].source.take.to_string();
            let own = choice.parts().iter().filter(|part| of(part) == name).map(|part| part.weight).sum::<f64>();
            assert!(own > 0.9, "{name}, step {index}: {:?}", choice.parts().iter().map(of).collect::<Vec<_>>());
        }
    }
}

/// How far the toes of either foot rise in the middle half of a walk: the highest elevation from ankle to ball, in degrees.
fn toes_rise(take: &surefoot_contact::Take) -> [f64; 2] {
    let poses = take.clip.world();
    Side::BOTH.map(|side| {
        let leg = &take.body.legs[side];
        let elevation = |pose: &surefoot_motion::WorldPose| {
            let way = pose.position(leg.ball.unwrap()) - pose.position(leg.ankle);
            way.y.atan2(way.x.hypot(way.z)).to_degrees()
        };
        poses[poses.len() / 4..poses.len() * 3 / 4].iter().map(elevation).fold(-90.0, f64::max)
    })
}

/// On a slope a foot swings as it was recorded there, and is not pitched once more by the slope under it.
#[test]
fn feet_swing_over_a_recorded_slope_as_they_were_recorded() {
    for name in ["slope-up-8-0.55m", "slope-down-8-0.55m"] {
        let recorded = CORPUS.takes.iter().find(|take| take.name == name).unwrap();
        let database = database_of(|take| take.name == name || take.kind == CorpusKind::Forward);
        let world = Arc::new(World::on(recorded.terrain.clone().unwrap()));
        let walk = synthesize(&Steps::new(database, WalkOptions::default()), &world, &recorded.plan, "slope").unwrap();
        let [made, wanted] = [&walk.take, &recorded.take].map(toes_rise);
        for (made, wanted) in made.into_iter().zip(wanted) {
            assert!((made - wanted).abs() < 4.0, "{name}: {made} degrees, recorded {wanted}");
        }
    }
}
