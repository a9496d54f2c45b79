//! Plans whose behaviour is known by construction, recognised by a model that learned from a walk and from plans laid by rule.

use super::*;
use crate::behaviour_database::BehaviourClip;
use crate::segment_behaviours::segment_behaviours;
use surefoot_contact::{WalkerOptions, synthetic_walk};
use surefoot_geom::Vec3;

const LEGS: f64 = 0.85;

fn walks() -> BehaviourDatabase {
    let clips = [0.4, 0.55, 0.7, 0.8].map(|step_length| {
        let walk = synthetic_walk(&WalkerOptions { step_length, ..WalkerOptions::default() }).take;
        BehaviourClip {
            name: format!("w_{step_length}"),
            actor: "w".to_string(),
            frame_rate: walk.clip.frame_rate,
            n_frames: walk.clip.n_frames(),
            leg_length: walk.body.leg_length(&walk.clip.skeleton),
            segmentation: segment_behaviours(&walk),
        }
    });
    BehaviourDatabase::new(clips.to_vec()).expect("a database")
}

fn recogniser() -> Recogniser {
    Recogniser::learn(&walks(), &RecogniserOptions::default()).expect("steps")
}

fn print(side: Side, z: f64) -> Footprint {
    let x = if side == Side::Left { 0.12 } else { -0.12 };
    Footprint { heading: Some(0.0), ..Footprint::at(side, Vec3::new(x, 0.0, z)) }
}

fn both(z: f64) -> [Footprint; 2] {
    [print(Side::Left, z), print(Side::Right, z)]
}

fn behaviours(decisions: &[Decision]) -> Vec<Behaviour> {
    decisions.iter().map(|decision| decision.behaviour).collect()
}

#[test]
fn walks_and_jumps_of_both_feet_are_told_apart() {
    let recogniser = recogniser();
    let walk: Vec<Footprint> = both(0.0)
        .into_iter()
        .chain((1..8).map(|step| print([Side::Left, Side::Right][step % 2], 0.6 * step as f64)))
        .collect();
    let found = recogniser.recognise(&walk, LEGS).expect("decisions");
    assert_eq!(behaviours(&found)[..2], [Behaviour::Stand; 2]);
    assert!(behaviours(&found)[2..8].iter().all(|behaviour| *behaviour == Behaviour::Walk), "{found:?}");
    let jumps: Vec<Footprint> = (0..5).flat_map(|jump| both(1.1 * f64::from(jump))).collect();
    let found = recogniser.recognise(&jumps, LEGS).expect("decisions");
    assert!(behaviours(&found)[2..].iter().all(|behaviour| *behaviour == Behaviour::Jump), "{found:?}");
    assert!(found[2..].iter().all(|decision| decision.feet == Some([Feet::Both; 2])), "{found:?}");
    assert!(found[4].reason.to_string().contains("travels 1.10 m"), "{}", found[4].reason);
}

#[test]
fn what_the_plan_gives_is_kept_and_contradictions_name_the_footprint() {
    let recogniser = recogniser();
    let mut plan: Vec<Footprint> = (0..4).flat_map(|jump| both(0.6 * f64::from(jump))).collect();
    plan[4].behaviour = Some(Behaviour::Walk);
    plan[5].behaviour = Some(Behaviour::Walk);
    let found = recogniser.recognise(&plan, LEGS).expect("decisions");
    assert_eq!(behaviours(&found)[4..6], [Behaviour::Walk; 2]);
    assert!(found[4].reason.is_given && !found[2].reason.is_given);
    for (behaviour, footprint) in [(Behaviour::Stand, 4), (Behaviour::Hop, 5)] {
        let mut plan = plan.clone();
        plan[footprint].behaviour = Some(behaviour);
        let error = recogniser.recognise(&plan, LEGS).unwrap_err();
        assert!(error.to_string().starts_with(&format!("footprints[{footprint}]: behaviour")), "{error}");
    }
    plan[5] = Footprint { behaviour: Some(Behaviour::Run), ..print(Side::Left, 1.8) };
    assert!(matches!(recogniser.recognise(&plan, LEGS), Err(RecogniseError::Contradiction { footprint: 5, .. })));
}

#[test]
fn footprints_are_decided_as_they_come_four_later() {
    let recogniser = recogniser();
    let plan: Vec<Footprint> = (0..6).flat_map(|jump| both(1.1 * f64::from(jump))).collect();
    let mut live = LiveRecogniser::new(&recogniser, LEGS);
    let mut decisions = Vec::new();
    for (index, print) in plan.iter().enumerate() {
        let decided = live.push(*print).expect("a decision");
        assert_eq!(decided.is_some(), index >= LOOK_AHEAD);
        decisions.extend(decided);
    }
    decisions.extend(live.finish().expect("decisions"));
    assert_eq!(behaviours(&decisions), behaviours(&recogniser.recognise(&plan, LEGS).expect("decisions")));
}

#[test]
fn no_footprints_are_no_decisions() {
    assert_eq!(recogniser().recognise(&[], LEGS), Ok(Vec::new()));
    assert!(Recogniser::learn(&BehaviourDatabase::default(), &RecogniserOptions::default()).is_none());
}

#[test]
fn a_behaviour_that_no_recording_has_is_refused_with_the_nearest_that_has() {
    let plain = RecogniserOptions { n_constructed: 0, ..RecogniserOptions::default() };
    let recogniser = Recogniser::learn(&walks(), &plain).expect("steps");
    let mut plan: Vec<Footprint> =
        both(0.0).into_iter().chain([print(Side::Left, 0.5), print(Side::Left, 1.0)]).collect();
    plan[3].behaviour = Some(Behaviour::Hop);
    let error = recogniser.recognise(&plan, LEGS).unwrap_err().to_string();
    assert!(error.starts_with("footprints[3]: no recorded hop on the left foot; nearest: walk ("), "{error}");
    assert!(error.contains("--with gait"), "{error}");
    let found = recogniser.taking_unlearned().recognise(&plan, LEGS).expect("decisions");
    assert_eq!(found[3].behaviour, Behaviour::Hop);
}
