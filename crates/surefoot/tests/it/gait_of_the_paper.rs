//! What GAIT says of hip and knee in walking and running (sections 4.1.5 and 4.2.6, figures 4.11, 4.12 and 4.24 to 4.26), of gaits
//! that are generated.

use std::sync::Arc;
use surefoot::gait::{
    Gait, GaitOptions, GaitSettings, GaitSynthesizer, Kinematics, LayOptions, Rig, RunOverrides, RunParameters,
    StrideCycle, WalkParameters, lay_steps, mean_cycle, steady_cycles, stride_cycles,
};
use surefoot::motion::{PersonOptions, Poses, person};
use surefoot::plan::synthesize_take;

const HEIGHT: f64 = 1.8;

/// Enough for steady strides between the start and the stop.
const N_STEPS: usize = 30;

/// The steady cycle of a gait of the figure 1.8 m tall.
fn cycle(settings: GaitSettings) -> StrideCycle {
    let (skeleton, body) = person(&PersonOptions::default()).expect("a person");
    let rig = Rig::new(&skeleton, &body, &Poses::default()).expect("a rig");
    let plan = lay_steps(rig.proportions(), &settings, &LayOptions { n_steps: Some(N_STEPS), ..LayOptions::default() })
        .expect("a plan");
    let options = GaitOptions { settings, frame_rate: 240.0, standing: 0.2 };
    let synthesizer = GaitSynthesizer::new(Arc::new(skeleton), rig, &options);
    let take = synthesize_take(&synthesizer, &Default::default(), &plan, "gait").expect("a plan within reach").take;
    mean_cycle(&steady_cycles(&stride_cycles(&take))).expect("strides")
}

/// The paper alone.
fn plain(gait: Gait) -> GaitSettings {
    GaitSettings { kinematics: Kinematics::Plain, ..GaitSettings::natural(gait, HEIGHT) }
}

fn walk(kmh: f64) -> StrideCycle {
    let mut settings = plain(Gait::Walk);
    settings.walk.parameters = WalkParameters::from_speed(kmh / 3.6, HEIGHT).expect("a walk");
    cycle(settings)
}

fn run(kmh: f64) -> StrideCycle {
    run_with(kmh, &[])
}

/// A run with attributes set, in the user's units.
fn run_with(kmh: f64, attributes: &[(&str, f64)]) -> StrideCycle {
    let mut settings = plain(Gait::Run);
    settings.run.parameters = RunParameters::from_speed(kmh / 3.6, HEIGHT, 0.0).expect("a run");
    let mut overrides = RunOverrides::default();
    for &(name, value) in attributes {
        overrides.set(name, value).expect("an attribute");
    }
    settings.run.attributes = overrides.resolve(&settings.run.parameters, HEIGHT);
    cycle(settings)
}

fn hip(cycle: &StrideCycle, phase: f64) -> f64 {
    cycle.at(phase).hip.to_degrees()
}

fn knee(cycle: &StrideCycle, phase: f64) -> f64 {
    cycle.at(phase).knee.to_degrees()
}

fn toe_off(cycle: &StrideCycle) -> f64 {
    cycle.events.toe_off.expect("toe off")
}

/// Phases from one to another, a hundredth apart.
fn phases(from: f64, to: f64) -> impl Iterator<Item = f64> {
    let n_phases = ((to - from) * 100.0).round() as usize;
    (0..=n_phases).map(move |index| from + (to - from) * index as f64 / n_phases as f64)
}

/// The greatest value between two phases, with its phase.
fn greatest(from: f64, to: f64, of: impl Fn(f64) -> f64) -> (f64, f64) {
    let values = phases(from, to).map(|phase| (of(phase), phase));
    values.fold((f64::MIN, from), |best, value| if value.0 > best.0 { value } else { best })
}

fn most_hip(cycle: &StrideCycle) -> (f64, f64) {
    greatest(0.5, 1.0, |phase| hip(cycle, phase))
}

fn knee_in_stance(cycle: &StrideCycle) -> f64 {
    greatest(0.0, 0.6 * toe_off(cycle), |phase| knee(cycle, phase)).0
}

fn knee_in_swing(cycle: &StrideCycle) -> f64 {
    greatest(toe_off(cycle), 1.0, |phase| knee(cycle, phase)).0
}

#[test]
fn feet_come_and_go_in_the_order_of_the_gait() {
    let order = |cycle: &StrideCycle| cycle.events.named().iter().map(|(name, _)| *name).collect::<Vec<_>>();
    for kmh in [3.0, 4.0, 5.0, 7.0] {
        assert_eq!(order(&walk(kmh)), ["HSR", "TOL", "HSL", "TOR"], "a walk at {kmh} km/h");
    }
    for kmh in [6.0, 10.0, 16.0, 22.0] {
        assert_eq!(order(&run(kmh)), ["HSR", "TOR", "HSL", "TOL"], "a run at {kmh} km/h");
    }
}

#[test]
fn walking_knees_give_way_after_heel_strike_and_straighten_again() {
    for kmh in [4.0, 5.0, 7.0] {
        let walk = walk(kmh);
        let (most, at) = greatest(0.0, 0.3, |phase| knee(&walk, phase));
        let straightened = -greatest(at, toe_off(&walk), |phase| -knee(&walk, phase)).0;
        assert!(
            most > knee(&walk, 0.0) + 5.0 && straightened < most - 5.0,
            "{kmh} km/h: {most} at {at}, {straightened}"
        );
        assert!((0.02..0.25).contains(&at), "{kmh} km/h: {at}");
    }
}

/// Whether the diagram crosses itself around heel strike, so that it has a small loop there.
fn has_loop_at_heel_strike(cycle: &StrideCycle) -> bool {
    let points: Vec<(f64, [f64; 2])> =
        phases(-0.25, 0.25).map(|phase| (phase, [hip(cycle, phase), knee(cycle, phase)])).collect();
    let side = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let crosses = |a: [f64; 2], b: [f64; 2], c: [f64; 2], d: [f64; 2]| {
        side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
    };
    let segments: Vec<_> = points.windows(2).map(|pair| (pair[0].0, pair[0].1, pair[1].1)).collect();
    segments.iter().enumerate().any(|(index, first)| {
        let later = segments.iter().skip(index + 2);
        later
            .into_iter()
            .any(|second| first.0 <= 0.0 && second.0 >= 0.0 && crosses(first.1, first.2, second.1, second.2))
    })
}

#[test]
fn the_loop_at_heel_strike_is_in_walking_and_not_in_fast_running() {
    for kmh in [4.0, 5.0, 7.0] {
        assert!(has_loop_at_heel_strike(&walk(kmh)), "a walk at {kmh} km/h");
    }
    for kmh in [12.0, 16.0, 22.0] {
        assert!(!has_loop_at_heel_strike(&run(kmh)), "a run at {kmh} km/h");
    }
}

#[test]
fn running_thighs_go_back_before_heel_strike() {
    for kmh in [7.0, 10.0, 16.0, 22.0] {
        let run = run(kmh);
        let (most, at) = most_hip(&run);
        // About when the other foot takes off.
        let other_off = run.events.other_toe_off.expect("toe off");
        assert!(most > hip(&run, 0.0) + 5.0, "{kmh} km/h: {most}, at heel strike {}", hip(&run, 0.0));
        assert!((at - other_off).abs() < 0.1, "{kmh} km/h: {at} for {other_off}");
    }
}

#[test]
fn hips_are_flexed_more_at_heel_strike_in_walking_than_in_running() {
    for kmh in [6.0, 7.0, 8.0] {
        let (walk, run) = (walk(kmh), run(kmh));
        assert!(hip(&walk, 0.0) > hip(&run, 0.0), "{kmh} km/h: {} and {}", hip(&walk, 0.0), hip(&run, 0.0));
    }
}

#[test]
fn running_feet_are_planted_for_less_time_than_walking_ones_at_the_same_speed() {
    let seconds = |cycle: &StrideCycle| toe_off(cycle) * 2.0 / cycle.cadence;
    for kmh in [4.0, 6.0, 8.0] {
        let (walk, run) = (walk(kmh), run(kmh));
        assert!(seconds(&run) < 0.9 * seconds(&walk), "{kmh} km/h: {} and {}", seconds(&run), seconds(&walk));
    }
}

/// Each value is greater than the one before by at least `by` degrees.
fn check_rising(what: &str, values: &[f64], by: f64) {
    assert!(values.windows(2).all(|pair| pair[1] > pair[0] + by), "{what}: {values:.1?}");
}

#[test]
fn faster_walks_flex_hips_and_knees_more() {
    let walks = [4.0, 5.0, 7.0].map(walk);
    check_rising("hip at heel strike", &walks.each_ref().map(|walk| hip(walk, 0.0)), 1.0);
    check_rising("most hip flexion", &walks.each_ref().map(|walk| most_hip(walk).0), 1.0);
    check_rising("knee in stance", &walks.each_ref().map(knee_in_stance), 1.0);
    check_rising("knee in swing", &walks.each_ref().map(knee_in_swing), 1.0);
}

#[test]
fn faster_runs_flex_hips_and_knees_more_in_swing() {
    let runs = [10.0, 16.0, 22.0].map(run);
    check_rising("most hip flexion", &runs.each_ref().map(|run| most_hip(run).0), 1.0);
    check_rising("knee in swing", &runs.each_ref().map(knee_in_swing), 1.0);
}

#[test]
fn faster_runs_extend_hip_and_knee_more_at_toe_off() {
    let runs = [10.0, 16.0, 22.0].map(run);
    check_rising("hip extension", &runs.each_ref().map(|run| -hip(run, toe_off(run))), 1.0);
    check_rising("knee extension", &runs.each_ref().map(|run| -knee(run, toe_off(run))), 0.0);
}

#[test]
fn faster_runs_flex_the_knee_more_at_heel_strike() {
    let runs = [10.0, 16.0, 22.0].map(run);
    check_rising("knee at heel strike", &runs.each_ref().map(|run| knee(run, 0.0)), 0.0);
}

#[test]
fn a_bouncy_run_flexes_more_in_support() {
    let (normal, bouncy) = (run(20.0), run_with(20.0, &[("bounciness", 2.0)]));
    check_rising("knee in support", &[knee_in_stance(&normal), knee_in_stance(&bouncy)], 5.0);
}

#[test]
fn a_reduced_overstride_flexes_the_knee_more_at_heel_strike() {
    let (normal, reduced) = (run(20.0), run_with(20.0, &[("overstride", 0.02)]));
    check_rising("knee at heel strike", &[knee(&normal, 0.0), knee(&reduced, 0.0)], 2.0);
}
