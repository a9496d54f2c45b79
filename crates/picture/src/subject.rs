//! The motion that is drawn, and what is known about it.

use surefoot_contact::Contacts;
use surefoot_geom::{Vec2, Vec3, ground_point};
use surefoot_ground::Terrain;
use surefoot_motion::{BodyMap, Capsule, Clip, JointId, Skeleton, WorldPose, figure, sample_pose};

/// A clip, with what is known about it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The motion. Without any frame, its skeleton's rest pose is drawn.
    pub clip: &'a Clip,
    /// Which joint is which; without it the skeleton is drawn joint to joint, in one colour.
    pub body: Option<&'a BodyMap>,
    /// When and where feet are planted; drawn where they and the body are known.
    pub contacts: Option<&'a Contacts>,
    /// The ground; without it the ground is level.
    pub terrain: Option<&'a Terrain>,
}

/// A subject with its body of capsules.
pub(crate) struct Actor<'a> {
    pub(crate) subject: Subject<'a>,
    pub(crate) capsules: Vec<Capsule>,
    /// For each capsule what its start and its end follow.
    follows: Vec<[Option<Follow>; 2]>,
}

/// A point of a capsule on the line to a child of its joint. Joints may be moved away from their parents, and limbs
/// stretch.
#[derive(Clone, Copy)]
struct Follow {
    child: JointId,
    /// How far along the line, 0 to 1.
    share: f64,
}

/// One pose of the subject; the frame is `None` for the rest pose of an empty clip.
#[derive(Clone)]
pub(crate) struct Moment {
    pub(crate) frame: Option<usize>,
    pub(crate) pose: WorldPose,
}

impl<'a> Actor<'a> {
    pub(crate) fn new(subject: Subject<'a>) -> Actor<'a> {
        let capsules = figure(&subject.clip.skeleton, subject.body);
        let children = subject.clip.skeleton.children();
        let follow = |joint: JointId, point: Vec3| {
            let children = children[joint.index()].iter().copied();
            children.filter_map(|child| follow(&subject.clip.skeleton, child, point)).next()
        };
        let follows = capsules.iter().map(|c| [follow(c.joint, c.start), follow(c.joint, c.end)]).collect();
        Actor { subject, capsules, follows }
    }

    /// Where the two ends of a capsule are.
    pub(crate) fn ends(&self, capsule: usize, pose: &WorldPose) -> [Vec3; 2] {
        let Capsule { joint, start, end, .. } = self.capsules[capsule];
        let mut ends = [start, end].map(|point| pose[joint].transform_point(point));
        for (end, follow) in ends.iter_mut().zip(self.follows[capsule]) {
            if let Some(Follow { child, share }) = follow {
                let rest = pose[joint].transform_point(self.subject.clip.skeleton.joint(child).rest.translation);
                *end += (pose.position(child) - rest) * share;
            }
        }
        ends
    }

    pub(crate) fn moment(&self, frame: Option<usize>) -> Moment {
        let clip = self.subject.clip;
        let pose = match frame {
            Some(frame) => clip.world_pose(frame),
            None => WorldPose::new(&clip.skeleton, &clip.skeleton.rest_pose()),
        };
        Moment { frame, pose }
    }

    /// The pose at a time between frames of a clip that has some, given as a frame number with a fraction; its frame is
    /// the nearest.
    pub(crate) fn moment_between(&self, position: f64) -> Moment {
        let clip = self.subject.clip;
        let last = clip.n_frames() - 1;
        let before = (position.max(0.0) as usize).min(last);
        let share = position - before as f64;
        // The rounding of a rate such as 1 / 0.0083333 is no reason to interpolate.
        if share < 1e-3 || before == last {
            return self.moment(Some(before));
        }
        let pose = WorldPose::new(&clip.skeleton, &sample_pose(clip.poses(), position));
        Moment { frame: Some(if share < 0.5 { before } else { before + 1 }), pose }
    }

    /// Body and contacts, where both are known: contacts say nothing about a foot that nobody knows.
    pub(crate) fn contacts(&self) -> Option<(&'a BodyMap, &'a Contacts)> {
        self.subject.body.zip(self.subject.contacts)
    }

    /// The ground point (X and Z) under the pelvis; without a body map, under the middle of all joints. Zero where the
    /// pose has no finite numbers.
    pub(crate) fn pelvis_ground(&self, pose: &WorldPose) -> Vec2 {
        let middle = match self.subject.body {
            Some(body) => pose.position(body.pelvis),
            None => {
                let (low, high) =
                    pose.world().iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), joint| {
                        (low.min(joint.translation), high.max(joint.translation))
                    });
                (low + high) / 2.0
            }
        };
        let ground = ground_point(middle);
        if ground.is_finite() && ground.abs().max_element() < FARTHEST { ground } else { Vec2::ZERO }
    }
}

/// A point lies on the line to a child if it is seen from the joint at no more than this angle from it, as a cosine.
const SAME_DIRECTION: f64 = 0.85;

fn follow(skeleton: &Skeleton, child: JointId, point: Vec3) -> Option<Follow> {
    let rest = skeleton.joint(child).rest.translation;
    let cosine = rest.normalize_or_zero().dot(point.normalize_or_zero());
    (cosine > SAME_DIRECTION)
        .then(|| Follow { child, share: (rest.dot(point) / rest.length_squared()).clamp(0.0, 1.0) })
}

/// Coordinates beyond this are a fault of the data and are not drawn: a thousand kilometres.
pub(crate) const FARTHEST: f64 = 1e6;

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_motion::Region;

    #[test]
    fn limbs_that_stretch_are_drawn_to_their_ends() {
        let walk = synthetic_walk(&WalkerOptions { n_steps: 1, ..WalkerOptions::default() });
        let leg = walk.take.body.legs.left;
        let subject = Subject { clip: &walk.take.clip, body: Some(&walk.take.body), contacts: None, terrain: None };
        let actor = Actor::new(subject);
        let mut pose = walk.take.clip.pose(20).to_pose();
        let lowest = |pose: &surefoot_motion::Pose| {
            let world = WorldPose::new(&walk.take.clip.skeleton, pose);
            let of_leg = |c: &usize| actor.capsules[*c].joint == leg.knee;
            let ends = (0..actor.capsules.len()).filter(of_leg).flat_map(|c| actor.ends(c, &world));
            let ankle = world.position(leg.ankle);
            ends.map(|end| end.distance(ankle)).fold(f64::MAX, f64::min)
        };
        assert!(
            actor.capsules.iter().any(|c| c.joint == leg.knee && c.region == Region::Leg(surefoot_motion::Side::Left))
        );
        assert!(lowest(&pose) < 1e-9);
        pose[leg.ankle].translation *= 1.4;
        assert!(lowest(&pose) < 1e-9);
    }
}
