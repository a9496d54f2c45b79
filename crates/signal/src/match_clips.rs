//! Clips that are to be edited together are brought onto one skeleton and one frame rate: the first clip's.
//!
//! Channels of two clips can be mixed only if they mean the same joints. Steps for each clip, against the first:
//!
//! 1. a clip of the same skeleton (names, parents, offsets within a tenth of a millimetre) passes as it is;
//! 2. where both clips have a body map, the clip is played by the first one's skeleton ([`retarget`]), which copies
//!    rotations between people of one build and else lets limbs point where the source's do;
//! 3. without body maps, joints of the same names and parents take over rotations as they are;
//! 4. anything else is refused with the joints that have no partner;
//! 5. another frame rate is resampled.
//!
//! Each change is a sentence in the result.

use crate::SignalClip;
use surefoot_cleanup::{Character, RetargetError, RetargetOptions, retarget};
use surefoot_contact::resample_contacts;
use surefoot_geom::Transform;
use surefoot_motion::{Clip, EditError, JointId, Pose, PoseRef, Poses, Skeleton, resample, skeleton_difference};

/// A clip on another's skeleton and at its rate.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchedClip {
    /// With its contacts.
    pub clip: SignalClip,
    /// One sentence for each change; none if the clip passed as it was.
    pub notes: Vec<String>,
}

/// Why a clip cannot be edited together with the first.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MatchError {
    /// Other joints, and no body map to match them by.
    #[error(
        "{name}: its skeleton is not that of {first_name}: {only_first} has no partner in {name}, and {only_here} none in \
         {first_name}; skeletons that differ are matched by their body maps, and {without} has none"
    )]
    Joints {
        /// The first clip.
        first_name: String,
        /// The other.
        name: String,
        /// Joints of the first clip without a partner, in words.
        only_first: String,
        /// Joints of the other.
        only_here: String,
        /// Which of them has no body map.
        without: String,
    },
    /// The same joints in another order of parents, and no body map.
    #[error(
        "{name}: `{joint}` has another parent than in {first_name}; skeletons that differ are matched by their body maps, and \
         {without} has none"
    )]
    Parents {
        /// The first clip.
        first_name: String,
        /// The other.
        name: String,
        /// The first joint that hangs elsewhere.
        joint: String,
        /// Which of them has no body map.
        without: String,
    },
    /// Body maps that cannot be compared.
    #[error("{name}: its skeleton is not that of {first_name}, and cannot be matched to it: {source}")]
    Retarget {
        /// The first clip.
        first_name: String,
        /// The other.
        name: String,
        /// Why.
        source: RetargetError,
    },
    /// A rate that it cannot have.
    #[error("{name}: {source}")]
    Rate {
        /// The clip.
        name: String,
        /// Why.
        source: EditError,
    },
}

/// Brings a clip onto the skeleton and the frame rate of another.
pub fn match_clip(first: &SignalClip, clip: &SignalClip) -> Result<MatchedClip, MatchError> {
    let mut notes = Vec::new();
    let (to, from) = (&first.clip, &clip.clip);
    let (first_name, name) = (|| to.name.clone(), || from.name.clone());
    let mut matched = if skeleton_difference(&to.skeleton, &from.skeleton).is_none() {
        let skeleton = to.skeleton.clone();
        clip.with_clip(from.clone().with_skeleton(skeleton))
    } else if let (Some(to_body), Some(take)) = (&first.body, clip.to_take()) {
        let character = Character { skeleton: &to.skeleton, body: to_body, poses: to.poses() };
        let retargeted = retarget(&take, &character, &RetargetOptions::default())
            .map_err(|source| MatchError::Retarget { first_name: first_name(), name: name(), source })?;
        let how = retargeted.notes.join("; ");
        notes.push(format!("{}: played by the skeleton of {}: {how}", from.name, to.name));
        SignalClip::from(retargeted.take)
    } else {
        let without = if first.body.is_none() { first_name() } else { name() };
        let poses = rename(to, from, without)?;
        notes.push(format!(
            "{}: joints have the names of {}, but other lengths: rotations are taken as they are",
            from.name, to.name
        ));
        let clip_there = Clip::new(from.name.clone(), to.skeleton.clone(), from.frame_rate, poses);
        clip.with_clip(clip_there)
    };
    if from.frame_rate != to.frame_rate {
        notes.push(format!("{}: resampled from {} to {} frames per second", from.name, from.frame_rate, to.frame_rate));
        let wrong = |source| MatchError::Rate { name: name(), source };
        let resampled = resample(&matched.clip, to.frame_rate).map_err(wrong)?;
        let ratio = to.frame_rate / matched.clip.frame_rate;
        matched.contacts = resample_contacts(&matched.contacts, resampled.n_frames(), ratio);
        matched.clip = resampled;
    }
    Ok(MatchedClip { clip: matched, notes })
}

/// Poses of the one clip for the skeleton of the other, joint by joint of the same name.
fn rename(to: &Clip, from: &Clip, without: String) -> Result<Poses, MatchError> {
    let partners = partners(&to.skeleton, &from.skeleton);
    let (first_name, name) = (to.name.clone(), from.name.clone());
    let lonely = |partners: &[Option<JointId>], skeleton: &Skeleton| {
        let alone = skeleton.ids().filter(|joint| partners[joint.index()].is_none());
        alone.map(|joint| format!("`{}`", skeleton.name(joint))).collect::<Vec<String>>()
    };
    let (only_first, only_here) =
        (lonely(&partners, &to.skeleton), lonely(&self::partners(&from.skeleton, &to.skeleton), &from.skeleton));
    if !only_first.is_empty() || !only_here.is_empty() {
        let [only_first, only_here] = [only_first, only_here].map(|names| listed(&names));
        return Err(MatchError::Joints { first_name, name, only_first, only_here, without });
    }
    let partner = |joint: JointId| partners[joint.index()].expect("none is alone");
    for joint in to.skeleton.ids() {
        if from.skeleton.parent(partner(joint)) != to.skeleton.parent(joint).map(partner) {
            let joint = to.skeleton.name(joint).to_string();
            return Err(MatchError::Parents { first_name, name, joint, without });
        }
    }
    let turned = |pose: PoseRef<'_>| {
        let local = to.skeleton.ids().map(|joint| {
            let theirs = partner(joint);
            let moved = pose[theirs].translation - from.skeleton.joint(theirs).rest.translation;
            Transform::new(pose[theirs].rotation, to.skeleton.joint(joint).rest.translation + moved)
        });
        Pose { local: local.collect() }
    };
    Ok(from.poses().iter().map(turned).collect())
}

/// For each joint the other skeleton's of the same name; of several of one name, each is taken once, in order.
fn partners(of: &Skeleton, among: &Skeleton) -> Vec<Option<JointId>> {
    let mut is_free = vec![true; among.n_joints()];
    let mut find = |name: &str| {
        let found = among.ids().find(|joint| is_free[joint.index()] && among.name(*joint) == name)?;
        is_free[found.index()] = false;
        Some(found)
    };
    of.joints().iter().map(|joint| find(&joint.name)).collect()
}

/// Names that a message can hold.
const MAX_LISTED: usize = 5;

fn listed(names: &[String]) -> String {
    match names.len() {
        0 => "no joint".to_string(),
        n if n <= MAX_LISTED => names.join(", "),
        n => format!("{} and {} more", names[..MAX_LISTED].join(", "), n - MAX_LISTED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use surefoot_contact::{SyntheticWalk, Take, WalkerOptions, synthetic_walk};
    use surefoot_motion::BodyMap;
    use surefoot_motion::Joint;

    fn walk() -> SyntheticWalk {
        synthetic_walk(&WalkerOptions { n_steps: 2, ..WalkerOptions::default() })
    }

    /// The same walk by someone whose joints are changed.
    fn changed(walk: &SyntheticWalk, change: impl Fn(usize, &mut Joint)) -> Take {
        let mut joints = walk.take.clip.skeleton.joints().to_vec();
        joints.iter_mut().enumerate().for_each(|(index, joint)| change(index, joint));
        let sites = walk.take.clip.skeleton.end_sites().to_vec();
        let skeleton = Arc::new(Skeleton::new(joints, sites).expect("the same tree"));
        let mut take = walk.take.clone();
        take.clip.name = "other".to_string();
        let old = take.clip.skeleton.clone();
        for mut pose in take.clip.poses_mut() {
            for joint in skeleton.ids() {
                pose[joint].translation += skeleton.joint(joint).rest.translation - old.joint(joint).rest.translation;
            }
        }
        take.clip.skeleton = skeleton;
        take
    }

    fn member(take: &Take, body: Option<&BodyMap>) -> SignalClip {
        SignalClip { body: body.cloned(), ..take.clone().into() }
    }

    #[test]
    fn the_same_skeleton_passes_as_it_is_with_a_body_or_without() {
        let walk = walk();
        let other = changed(&walk, |_, joint| joint.rest.translation *= 1.00001);
        for body in [None, Some(&walk.take.body)] {
            let matched = match_clip(&member(&walk.take, body), &member(&other, body)).unwrap();
            assert_eq!((matched.clip.clip.poses(), matched.notes.len()), (other.clip.poses(), 0));
            assert!(Arc::ptr_eq(&matched.clip.clip.skeleton, &walk.take.clip.skeleton));
        }
    }

    #[test]
    fn longer_legs_are_retargeted_and_another_rate_is_resampled() {
        let walk = walk();
        let mut other = changed(&walk, |_, joint| joint.rest.translation *= 1.1);
        other.clip.frame_rate *= 2.0;
        let matched =
            match_clip(&member(&walk.take, Some(&walk.take.body)), &member(&other, Some(&walk.take.body))).unwrap();
        let notes = matched.notes.join("\n");
        assert!(notes.contains("scaled by 0.9091") && notes.contains("resampled from 120 to 60"), "{notes}");
        assert_eq!(matched.clip.clip.frame_rate, walk.take.clip.frame_rate);
        assert_eq!(matched.clip.contacts.n_frames, matched.clip.clip.n_frames());
        assert!(skeleton_difference(&matched.clip.clip.skeleton, &walk.take.clip.skeleton).is_none());
    }

    #[test]
    fn names_match_joints_where_nobody_is_known_and_else_the_joints_are_listed() {
        let walk = walk();
        let other = changed(&walk, |_, joint| joint.rest.translation *= 1.1);
        let matched = match_clip(&member(&walk.take, None), &member(&other, Some(&walk.take.body))).unwrap();
        assert!(matched.notes[0].contains("other lengths"), "{:?}", matched.notes);
        let knee = walk.take.body.legs.left.knee;
        assert_eq!(matched.clip.clip.pose(9)[knee].rotation, other.clip.pose(9)[knee].rotation);
        let strange = changed(&walk, |index, joint| {
            if index == 3 {
                joint.name = "Tentacle".to_string();
            }
        });
        let error =
            match_clip(&member(&walk.take, Some(&walk.take.body)), &member(&strange, None)).unwrap_err().to_string();
        let lost = format!("`{}` has no partner in other", walk.take.clip.skeleton.joints()[3].name);
        assert!(error.contains(&lost) && error.contains("`Tentacle` none in"), "{error}");
        assert!(error.ends_with("other has none"), "{error}");
    }
}
