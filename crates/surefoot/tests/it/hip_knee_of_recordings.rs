//! Generated gait laid over recordings: the hip-knee diagrams of three walks and two runs, each by the same skeleton
//! at the same speed and step length (GAIT figure 4.11).

use std::path::Path;
use surefoot::contact::{DetectOptions, Take};
use surefoot::gait::{
    Gait, GaitOptions, GaitSettings, GaitSynthesizer, LayOptions, Rig, RunOverrides, RunParameters, RunTargets,
    StrideCycle, StrideTargets, WalkParameters, compare_cycles, lay_steps, mean_cycle, steady_cycles, stride_cycles,
};
use surefoot::plan::synthesize_take;
use surefoot::{LoadOptions, load};
use surefoot_recordings::shared_folder;

/// How a recorded person goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pace {
    Walk,
    Run,
}

/// Straight, steady and of several strides, by different people.
const RECORDINGS: [(&str, Pace); 5] = [
    ("cmu-bvh/002/02_01.bvh", Pace::Walk),
    ("cmu-bvh/007/07_01.bvh", Pace::Walk),
    ("cmu-bvh/035/35_01.bvh", Pace::Walk),
    ("cmu-bvh/016/16_35.bvh", Pace::Run),
    ("cmu-bvh/009/09_01.bvh", Pace::Run),
];

/// What a recording shows.
struct Recorded {
    file: &'static str,
    pace: Pace,
    take: Take,
    cycle: StrideCycle,
}

fn recorded() -> Option<Vec<Recorded>> {
    let folder = shared_folder()?.join("mocap");
    Some(RECORDINGS.iter().map(|&(file, pace)| read(&folder, file, pace)).collect())
}

fn read(folder: &Path, file: &'static str, pace: Pace) -> Recorded {
    let path = folder.join(file);
    let import = load(&path, &LoadOptions::default()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let take = import.into_take(&DetectOptions::default()).expect("a body").take;
    Recorded { file, pace, cycle: steady_cycle(&take), take }
}

fn steady_cycle(take: &Take) -> StrideCycle {
    mean_cycle(&steady_cycles(&stride_cycles(take))).expect("a stride or a step")
}

#[test]
fn recordings_show_what_the_paper_describes() {
    let Some(all) = recorded() else { return };
    for Recorded { file, pace, cycle, .. } in &all {
        let names: Vec<&str> = cycle.events.named().iter().map(|(name, _)| *name).collect();
        let at = |phase: f64| {
            let angles = cycle.at(phase);
            (angles.hip.to_degrees(), angles.knee.to_degrees())
        };
        let toe_off = cycle.events.toe_off.expect("toe off");
        let (hips, knees): (Vec<f64>, Vec<f64>) = (0..100).map(|index| at(f64::from(index) / 100.0)).unzip();
        let range = |values: &[f64]| values.iter().fold((f64::MAX, f64::MIN), |(a, b), &v| (a.min(v), b.max(v)));
        let ((least_hip, most_hip), (least_knee, most_knee)) = (range(&hips), range(&knees));
        println!(
            "{file}: {:.2} m/s, step {:.2} m, {:.2} steps/s, stance {toe_off:.2}, hip {least_hip:.0} to {most_hip:.0}, \
             knee {least_knee:.0} to {most_knee:.0}",
            cycle.speed, cycle.step_length, cycle.cadence
        );
        // A hip flexes to some 35 degrees and extends to some -20; no knee bends backward.
        assert!((25.0..45.0).contains(&most_hip) && (-40.0..-8.0).contains(&least_hip), "{file} {hips:?}");
        assert!((-2.0..25.0).contains(&least_knee), "{file} {knees:?}");
        match pace {
            Pace::Walk => {
                assert_eq!(names, ["HSR", "TOL", "HSL", "TOR"], "{file}");
                assert!((0.55..0.66).contains(&toe_off), "{file} {toe_off}");
                assert!((60.0..80.0).contains(&most_knee), "{file} {most_knee}");
            }
            Pace::Run => {
                assert_eq!(names, ["HSR", "TOR", "HSL", "TOL"], "{file}");
                assert!((0.2..0.45).contains(&toe_off), "{file} {toe_off}");
                assert!((90.0..120.0).contains(&most_knee), "{file} {most_knee}");
            }
        }
    }
}

/// A gait like a recorded one: by the same skeleton at the same speed and step length, and natural in all else.
fn generate(like: &Recorded) -> Take {
    let rig = Rig::new(&like.take.clip.skeleton, &like.take.body, like.take.clip.poses()).expect("a rig");
    let height = rig.proportions().height;
    let targets = StrideTargets {
        speed: Some(like.cycle.speed),
        step_length: Some(like.cycle.step_length),
        ..StrideTargets::default()
    };
    let gait = match like.pace {
        Pace::Walk => Gait::Walk,
        Pace::Run => Gait::Run,
    };
    let mut settings = GaitSettings::natural(gait, height);
    match like.pace {
        Pace::Walk => {
            settings.walk.parameters = WalkParameters::solve(targets, None, None, height).expect("a walk");
        }
        Pace::Run => {
            let targets = RunTargets { stride: targets, ..RunTargets::default() };
            settings.run.parameters = RunParameters::solve(targets, None, None, height).expect("a run");
            settings.run.attributes = RunOverrides::default().resolve(&settings.run.parameters, height);
        }
    }
    let plan = lay_steps(rig.proportions(), &settings, &LayOptions { n_steps: Some(N_STEPS), ..LayOptions::default() })
        .expect("a plan");
    let options = GaitOptions { settings, frame_rate: 120.0, standing: 0.5 };
    let synthesizer = GaitSynthesizer::new(like.take.clip.skeleton.clone(), rig, &options);
    synthesize_take(&synthesizer, &Default::default(), &plan, "gait").expect("a plan within reach").take
}

/// Enough for steady strides between the start and the stop.
const N_STEPS: usize = 30;

/// How far a generated loop may be from a recorded one, root mean square over the cycle, in degrees of the diagram's plane.
const FARTHEST: f64 = 15.0;

#[test]
fn generated_walks_follow_the_loops_of_recordings() {
    check_loops(Pace::Walk, 3);
}

#[test]
fn generated_runs_follow_the_loops_of_recordings() {
    check_loops(Pace::Run, 2);
}

/// The generated gait is as fast as the recorded one, with steps as long, and its loop near.
fn check_loops(pace: Pace, n_recordings: usize) {
    let Some(all) = recorded() else { return };
    let such: Vec<&Recorded> = all.iter().filter(|like| like.pace == pace).collect();
    assert_eq!(such.len(), n_recordings);
    for like in such {
        let cycle = steady_cycle(&generate(like));
        let difference = compare_cycles(&like.cycle, &cycle);
        println!(
            "{}: {:.1} degrees apart (hip {:.1}, knee {:.1}), shifted by {:.2}",
            like.file,
            difference.rms_degrees(),
            difference.hip_rms.to_degrees(),
            difference.knee_rms.to_degrees(),
            difference.shift
        );
        assert!((cycle.speed / like.cycle.speed - 1.0).abs() < 0.03, "{}: {}", like.file, cycle.speed);
        assert!((cycle.step_length / like.cycle.step_length - 1.0).abs() < 0.03, "{}", like.file);
        assert!(difference.rms_degrees() < FARTHEST && difference.shift.abs() < 0.1, "{}: {difference:?}", like.file);
    }
}
