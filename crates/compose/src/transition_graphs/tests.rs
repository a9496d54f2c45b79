//! Recordings whose speeds are known by construction.

use super::*;
use crate::label_stances::LabelReason;
use crate::segment_behaviours::{Flight, LabelledStance, Segmentation};
use crate::step_label::StepLabel;
use surefoot_geom::Vec3;
use surefoot_motion::Side;

const LEGS: f64 = 0.81;

fn clip(name: &str, steps: &[(StepLabel, f64)]) -> BehaviourClip {
    let mut stances = Vec::new();
    let mut flights = Vec::new();
    for (index, (label, speed)) in steps.iter().enumerate() {
        let side = [Side::Left, Side::Right][index % 2];
        let feet = [side.opposite(), side].map(Feet::from);
        let flight = label.is_flight().then(|| {
            flights.push(Flight { frames: 0..1, take_off: feet[0], landing: feet[1], fall: -1.0, speed: *speed });
            flights.len() - 1
        });
        stances.push(LabelledStance {
            side,
            frames: 10 * index..10 * index + 12,
            ball: Vec3::ZERO,
            ankle: Vec3::ZERO,
            heading: None,
            label: *label,
            reason: LabelReason::Given,
            flight,
            previous: index.checked_sub(2),
            support: None,
        });
    }
    let speeds = steps.iter().map(|(_, speed)| *speed).collect();
    BehaviourClip {
        name: name.to_string(),
        actor: name.to_string(),
        frame_rate: 60.0,
        n_frames: 1000,
        leg_length: LEGS,
        segmentation: Segmentation { stances, flights, speeds },
    }
}

fn of(labels: StepLabel, speeds: &[f64]) -> Vec<(StepLabel, f64)> {
    speeds.iter().map(|speed| (labels, *speed)).collect()
}

/// People who walk, speed up for one or two steps, and run.
fn graphs() -> TransitionGraphs {
    let runs = |speeds: &[f64]| of(StepLabel::Run, speeds);
    let walks = |speeds: &[f64]| of(StepLabel::Walk, speeds);
    let clips = vec![
        clip("a", &[walks(&[1.2, 1.2, 1.2]), runs(&[2.4, 3.0, 3.0, 3.0])].concat()),
        clip("b", &[walks(&[1.4, 1.4, 1.4]), runs(&[2.6, 3.2, 3.2])].concat()),
        clip("c", &[walks(&[1.0, 1.0, 1.0]), runs(&[2.2, 2.8, 2.8, 2.8, 2.8])].concat()),
    ];
    TransitionGraphs::learn(&BehaviourDatabase::new(clips).expect("a database"))
}

#[test]
fn recordings_are_aligned_at_the_fastest_step_and_trimmed_to_the_mean() {
    let graphs = graphs();
    let graph = graphs.of(Behaviour::Walk, Behaviour::Run).expect("a graph");
    assert_eq!((graph.lines.len(), graph.mark, graph.is_mirrored), (3, SpeedMark::Most, false));
    // The second running step is the first of the largest speed; four steps before it, and 1 to 3 after.
    assert!(graph.lines.iter().all(|line| line.mark == 4 && line.change == 3));
    assert_eq!((graph.n_steps, graph.change), ([4, 2], -1));
    let speeds: Vec<f64> = graph.points.iter().map(|point| point.speed * LEGS.sqrt()).collect();
    let expected = [1.2, 1.2, 1.2, 2.4, 3.0, 3.0, 2.9];
    assert_eq!(speeds.len(), expected.len());
    assert!(speeds.iter().zip(expected).all(|(speed, expected)| (speed - expected).abs() < 1e-9), "{speeds:?}");
    assert_eq!(graph.points.iter().map(|point| point.n).collect::<Vec<_>>(), [3, 3, 3, 3, 3, 3, 2]);
    assert_eq!(graphs.look_ahead(Behaviour::Walk, Behaviour::Run), Some(5));
}

#[test]
fn the_way_back_is_mirrored_where_nobody_was_recorded() {
    let graphs = graphs();
    let (there, back) = (graphs.of(Behaviour::Walk, Behaviour::Run), graphs.of(Behaviour::Run, Behaviour::Walk));
    let (there, back) = (there.expect("a graph"), back.expect("a graph"));
    assert!(back.is_mirrored);
    assert_eq!(back.n_steps, [there.n_steps[1], there.n_steps[0]]);
    let speeds = |graph: &TransitionGraph| graph.points.iter().map(|point| point.speed).collect::<Vec<_>>();
    assert_eq!(speeds(there), speeds(back).into_iter().rev().collect::<Vec<_>>());
    assert!(graphs.of(Behaviour::Walk, Behaviour::Stair).is_none());
    assert!(TransitionGraphs::learn(&BehaviourDatabase::default()).graphs().is_empty());
}

fn plan(behaviours: &[Behaviour]) -> (Vec<Footprint>, Vec<PlannedBehaviour>) {
    let print = |(index, behaviour): (usize, &Behaviour)| {
        let side = [Side::Left, Side::Right][index % 2];
        let planned = PlannedBehaviour { behaviour: *behaviour, feet: None, reason: String::new() };
        (Footprint::at(side, Vec3::ZERO), planned)
    };
    behaviours.iter().enumerate().map(print).unzip()
}

#[test]
fn steps_around_a_change_get_the_learned_speeds_and_a_plan_without_room_is_reported() {
    use Behaviour::{Run, Stand, Walk};
    let graphs = graphs();
    let (prints, decisions) = plan(&[Stand, Stand, Walk, Walk, Walk, Walk, Run, Run, Run, Run, Run]);
    let profile = graphs.speed_profile(&prints, &decisions, LEGS);
    let speeds: Vec<Option<f64>> =
        profile.targets.iter().map(|target| target.map(|target| (target.speed * 10.0).round() / 10.0)).collect();
    let ask = Some;
    assert_eq!(speeds, [None, None, None, ask(1.2), ask(1.2), ask(1.2), ask(2.4), ask(3.0), ask(3.0), ask(2.9), None]);
    assert_eq!(profile.targets[6].map(|target| (target.change, target.step)), Some((6, 0)));
    assert_eq!(profile.no_room, []);
    let (prints, decisions) = plan(&[Stand, Stand, Walk, Run, Run]);
    let profile = graphs.speed_profile(&prints, &decisions, LEGS);
    assert_eq!(profile.no_room, [NoRoom { footprint: 3, from: Walk, to: Run, before: [3, 1] }]);
    assert!(profile.no_room[0].to_string().starts_with("footprints[3]: recorded people take 3 steps from walk to run"));
}
