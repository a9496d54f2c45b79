//! The motion that is drawn, and what is known about it.

use surefoot_geom::{Vec2, Vec3, ground_point};
use surefoot_locomotion::Contacts;
use surefoot_motion::{BodyMap, Capsule, Clip, WorldPose, figure, sample_pose};

/// A clip, with what is known about it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The motion. Without any frame, its skeleton's rest pose is drawn.
    pub clip: &'a Clip,
    /// Which joint is which; without it the skeleton is drawn joint to joint, in one colour.
    pub body: Option<&'a BodyMap>,
    /// When and where feet stand; drawn where they and the body are known.
    pub contacts: Option<&'a Contacts>,
}

/// A subject with its body of capsules.
pub(crate) struct Actor<'a> {
    pub(crate) subject: Subject<'a>,
    pub(crate) capsules: Vec<Capsule>,
}

/// One pose of the subject; the frame is `None` for the rest pose of an empty clip.
#[derive(Clone)]
pub(crate) struct Moment {
    pub(crate) frame: Option<usize>,
    pub(crate) pose: WorldPose,
}

impl<'a> Actor<'a> {
    pub(crate) fn new(subject: Subject<'a>) -> Actor<'a> {
        Actor { subject, capsules: figure(&subject.clip.skeleton, subject.body) }
    }

    pub(crate) fn moment(&self, frame: Option<usize>) -> Moment {
        let clip = self.subject.clip;
        let pose = match frame {
            Some(frame) => clip.world_pose(frame),
            None => WorldPose::new(&clip.skeleton, &clip.skeleton.rest_pose()),
        };
        Moment { frame, pose }
    }

    /// The pose at a time between frames of a clip that has some, given as a frame number with a fraction; its frame is the
    /// nearest.
    pub(crate) fn moment_between(&self, position: f64) -> Moment {
        let clip = self.subject.clip;
        let last = clip.n_frames() - 1;
        let before = (position.max(0.0) as usize).min(last);
        let share = position - before as f64;
        // The rounding of a rate such as 1 / 0.0083333 is no reason to interpolate.
        if share < 1e-3 || before == last {
            return self.moment(Some(before));
        }
        let pose = WorldPose::new(&clip.skeleton, &sample_pose(&clip.poses, position));
        Moment { frame: Some(if share < 0.5 { before } else { before + 1 }), pose }
    }

    /// Body and contacts, where both are known: contacts say nothing about a foot that nobody knows.
    pub(crate) fn contacts(&self) -> Option<(&'a BodyMap, &'a Contacts)> {
        self.subject.body.zip(self.subject.contacts)
    }

    /// The ground point (X and Z) under the pelvis; without a body map, under the middle of all joints. Zero where the pose
    /// has no finite numbers.
    pub(crate) fn pelvis_ground(&self, pose: &WorldPose) -> Vec2 {
        let middle = match self.subject.body {
            Some(body) => pose.position(body.pelvis),
            None => {
                let (low, high) = pose.world.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), joint| {
                    (low.min(joint.translation), high.max(joint.translation))
                });
                (low + high) / 2.0
            }
        };
        let ground = ground_point(middle);
        if ground.is_finite() && ground.abs().max_element() < FARTHEST { ground } else { Vec2::ZERO }
    }
}

/// Coordinates beyond this are a fault of the data and are not drawn: a thousand kilometres.
pub(crate) const FARTHEST: f64 = 1e6;
