//! Motions whose stances, flights and labels are known by construction.

use super::*;
use crate::behaviour_database::{BehaviourClip, BehaviourDatabase};
use crate::override_labels::{GivenLabel, OverrideError, override_label};
use surefoot_contact::{DetectOptions, WalkerOptions, detect_contacts, synthetic_walk};
use surefoot_motion::Poses;

const RATE: f64 = 120.0;
/// Upward speed at take-off, in metres a second; in the air for 0.41 s.
const TAKE_OFF: f64 = 2.0;
const GRAVITY: f64 = 9.80665;
const IN_THE_AIR: f64 = 2.0 * TAKE_OFF / GRAVITY;

/// A standing body, moved as a whole.
fn moved(seconds: f64, offset: impl Fn(f64) -> Vec3) -> Take {
    let walk = synthetic_walk(&WalkerOptions { frame_rate: RATE, ..WalkerOptions::default() });
    let n_frames = (seconds * RATE) as usize;
    let mut poses = Poses::repeat(walk.take.clip.pose(0), n_frames);
    for (frame, pose) in poses.iter_mut().enumerate() {
        pose.local[0].translation += offset(frame as f64 / RATE);
    }
    let clip = walk.take.clip.with_poses(poses);
    let contacts = detect_contacts(&clip.world(), &walk.take.body, RATE, &DetectOptions::default()).contacts;
    Take { clip, body: walk.take.body, contacts }
}

/// Jumps forward from standing, each after a second of standing.
fn jumps(n_jumps: usize, length: f64) -> Take {
    let cycle = 1.0 + IN_THE_AIR;
    moved(cycle * n_jumps as f64 + 1.0, |time| {
        let done = (time / cycle).floor().min(n_jumps as f64);
        let since = (time - done * cycle - 1.0).clamp(0.0, IN_THE_AIR);
        let since = if done >= n_jumps as f64 { 0.0 } else { since };
        let up = TAKE_OFF * since - GRAVITY * since * since / 2.0;
        Vec3::new(0.0, up.max(0.0), length * (done + since / IN_THE_AIR))
    })
}

fn labels(of: &Segmentation) -> Vec<StepLabel> {
    of.stances.iter().map(|stance| stance.label).collect()
}

#[test]
fn a_walk_is_walked_and_nobody_flies() {
    let walk = synthetic_walk(&WalkerOptions { frame_rate: RATE, ..WalkerOptions::default() });
    let of = segment_behaviours(&walk.take);
    assert!(of.flights.is_empty(), "{:?}", of.flights);
    assert_eq!(labels(&of)[..2], [StepLabel::Stand; 2]);
    assert!(labels(&of)[2..].iter().all(|label| *label == StepLabel::Walk), "{:?}", labels(&of));
    assert_eq!(of.stances.len(), walk.plan.footprints.len());
    for (stance, print) in of.stances.iter().zip(&walk.plan.footprints) {
        assert_eq!(stance.side, print.side);
        assert!(stance.ball.distance(print.position) < 0.02, "{stance:?} {print:?}");
    }
}

#[test]
fn jumps_of_both_feet_are_found_to_the_frame_and_fall_at_1_g() {
    for n_jumps in [1, 3] {
        let of = segment_behaviours(&jumps(n_jumps, 0.8));
        assert_eq!(of.flights.len(), n_jumps);
        assert_eq!(of.stances.len(), 2 + 2 * n_jumps);
        assert!(labels(&of)[2..].iter().all(|label| *label == StepLabel::Jump), "{:?}", labels(&of));
        for (index, flight) in of.flights.iter().enumerate() {
            assert_eq!([flight.take_off, flight.landing], [Feet::Both; 2]);
            assert!((flight.fall + 1.0).abs() < 0.05, "{flight:?}");
            let left = (1.0 + index as f64 * (1.0 + IN_THE_AIR)) * RATE;
            let errors = [flight.frames.start as f64 - left, flight.frames.end as f64 - left - IN_THE_AIR * RATE];
            assert!(errors.iter().all(|error| error.abs() <= 0.04 * RATE), "{errors:?}");
        }
    }
}

#[test]
fn steps_are_relative_to_their_support_and_do_not_depend_on_where_they_are() {
    let of = |segmentation: Segmentation| {
        let clip = BehaviourClip {
            name: "a_1".to_string(),
            actor: "a".to_string(),
            frame_rate: RATE,
            n_frames: 10_000,
            leg_length: 0.85,
            segmentation,
        };
        BehaviourDatabase::new(vec![clip]).expect("a database").steps()
    };
    let first = of(segment_behaviours(&jumps(2, 0.8)));
    assert_eq!(first.len(), 4);
    for step in &first {
        assert!((step.end.ball.distance(step.start.ball) - 0.8).abs() < 1e-6);
        assert_eq!(step.feet, Some([Feet::Both; 2]));
    }
    let walk = synthetic_walk(&WalkerOptions { frame_rate: RATE, ..WalkerOptions::default() });
    for step in of(segment_behaviours(&walk.take)) {
        assert!(step.end.ball.z > step.start.ball.z, "forward is +Z of the support: {step:?}");
        let side = if step.side == Side::Left { 1.0 } else { -1.0 };
        assert!(step.end.ball.x * side > 0.0, "left is +X: {step:?}");
    }
}

#[test]
fn labels_are_overridden_and_contradictions_refused() {
    let mut of = segment_behaviours(&jumps(1, 0.8));
    let frames = of.stances[2].frames.clone();
    let side = of.stances[2].side;
    let given = |label: StepLabel, feet: Option<[Feet; 2]>| GivenLabel {
        side,
        frames: frames.clone(),
        label,
        feet,
        confidence: 1.0,
        ball: None,
        heading: None,
    };
    let before = of.clone();
    assert_eq!(
        override_label(&mut of, &given(StepLabel::Hop, None)),
        Err(OverrideError::NoFeet { label: StepLabel::Hop })
    );
    let feet = [Feet::Left, Feet::Right];
    let wrong = override_label(&mut of, &given(StepLabel::Hop, Some(feet)));
    assert_eq!(wrong, Err(OverrideError::WrongFeet { label: StepLabel::Hop, feet }));
    let nowhere = GivenLabel { frames: 90_000..90_001, ..given(StepLabel::Walk, None) };
    assert_eq!(override_label(&mut of, &nowhere), Err(OverrideError::NoStance { side }));
    assert_eq!(of, before, "refused labels change nothing");
    override_label(&mut of, &given(StepLabel::Walk, None)).expect("a label");
    assert_eq!((of.stances[2].label, of.stances[2].reason), (StepLabel::Walk, LabelReason::Given));
    override_label(&mut of, &given(StepLabel::Run, Some(feet))).expect("a label");
    assert_eq!(of.flight_of(2).map(|flight| [flight.take_off, flight.landing]), Some(feet));
}

#[test]
fn a_take_without_contacts_or_frames_has_no_stances() {
    let walk = synthetic_walk(&WalkerOptions::default()).take;
    let none = Take { contacts: surefoot_contact::Contacts::none(walk.clip.n_frames()), ..walk.clone() };
    assert_eq!(segment_behaviours(&none), Segmentation::default());
    let clip = walk.clip.with_poses(Poses::repeat(walk.clip.pose(0), 0));
    let empty = Take { clip, contacts: surefoot_contact::Contacts::none(0), body: walk.body };
    assert_eq!(segment_behaviours(&empty), Segmentation::default());
}
