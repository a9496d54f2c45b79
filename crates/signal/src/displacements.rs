//! Displacements of joints over time: knots, the curves through them, and the motion with them added.

use crate::displace::{DisplaceKey, DisplaceOptions, KeyExtent, KeyFlow};
use crate::displace_error::DisplaceError;
use crate::spline::{ControlPoint, Ends, Slope, Spline};
use std::f64::consts::TAU;
use surefoot_geom::{Vec3, rotation};
use surefoot_motion::{Clip, JointId, Pose, Poses};

/// What a key does to a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Displacement {
    /// A turn in the joint's own axes.
    Turn {
        /// Axis times angle.
        vector: Vec3,
        /// Whether somebody gave the vector itself; else it stands for all that mean the same rotation.
        is_given: bool,
    },
    /// A move in the space of the joint above.
    Move(Vec3),
}

/// A displacement at a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Knot {
    frame: usize,
    value: Vec3,
    is_given: bool,
    slope: Slope,
    extent: Option<KeyExtent>,
    /// Which key made it.
    key: usize,
}

/// The knots of a joint's turns or moves, in order of frames.
#[derive(Clone, Debug, Default)]
struct Channel {
    knots: Vec<Knot>,
}

/// Turns and moves of a joint.
#[derive(Clone, Debug, Default)]
struct JointChannels {
    turns: Channel,
    moves: Channel,
}

/// All displacements of a clip.
#[derive(Clone, Debug)]
pub(crate) struct Displacements<'a> {
    clip: &'a Clip,
    options: &'a DisplaceOptions,
    joints: Vec<JointChannels>,
}

impl<'a> Displacements<'a> {
    pub(crate) fn new(clip: &'a Clip, options: &'a DisplaceOptions) -> Displacements<'a> {
        Displacements { clip, options, joints: vec![JointChannels::default(); clip.skeleton.n_joints()] }
    }

    /// Adds what a key does to a joint; at each frame only one may.
    pub(crate) fn add(
        &mut self,
        key: usize,
        DisplaceKey { frame, tcb, extent, .. }: &DisplaceKey,
        joint: JointId,
        displacement: Displacement,
    ) -> Result<(), DisplaceError> {
        let channels = &mut self.joints[joint.index()];
        let (channel, what, value, is_given) = match displacement {
            Displacement::Turn { vector, is_given } => (&mut channels.turns, "turn", vector, is_given),
            Displacement::Move(by) => (&mut channels.moves, "move", by, true),
        };
        match channel.knots.binary_search_by_key(frame, |knot| knot.frame) {
            Ok(index) => {
                let joint = self.clip.skeleton.name(joint).to_string();
                Err(DisplaceError::Twice { key, other: channel.knots[index].key, what, joint, frame: *frame })
            }
            Err(index) => {
                let slope = tcb.map_or(Slope::Auto, Slope::Tcb);
                let knot = Knot { frame: *frame, value, is_given, slope, extent: *extent, key };
                channel.knots.insert(index, knot);
                Ok(())
            }
        }
    }

    /// The curves of all joints.
    pub(crate) fn curves(&self) -> DisplacementCurves {
        let curves = |channels: &JointChannels| JointCurves {
            turns: self.curve(&channels.turns),
            moves: self.curve(&channels.moves),
        };
        DisplacementCurves { joints: self.joints.iter().map(curves).collect() }
    }

    /// The curve through the knots of a channel; `None` where nothing is displaced.
    fn curve(&self, channel: &Channel) -> Option<Curve> {
        if channel.knots.iter().all(|knot| knot.value == Vec3::ZERO) {
            return None;
        }
        let points = self.points(&nearest_turns(&channel.knots));
        let splines = [0, 1, 2].map(|k| {
            let point = |(x, value, slope): &(f64, Vec3, Slope)| ControlPoint { x: *x, y: value[k], slope: *slope };
            let points = points.iter().map(point).collect();
            let spline = match self.options.flow {
                KeyFlow::Local => Spline::new(points, Ends::Level),
                KeyFlow::Smooth => Spline::smooth(points),
            };
            spline.expect("keys are checked before they come here, and frames are in order")
        });
        Some(Curve { splines })
    }

    /// The knots of a curve with those of no displacement put between them.
    fn points(&self, knots: &[Knot]) -> Vec<(f64, Vec3, Slope)> {
        let rate = self.clip.frame_rate;
        let last_frame = self.clip.n_frames().saturating_sub(1) as f64;
        let nothing = |x: f64| (x, Vec3::ZERO, Slope::Auto);
        // A displacement takes at least one frame to come and go.
        let frames = |seconds: f64| (seconds * rate).max(1.0);
        let fade = self.options.fade.map_or(f64::INFINITY, frames);
        let (first, last) = (&knots[0], &knots[knots.len() - 1]);
        let mut points = Vec::with_capacity(3 * knots.len() + 2);
        if first.frame > 0 {
            let fade = first.extent.map_or(fade, |extent| frames(extent.before));
            points.push(nothing((first.frame as f64 - fade).max(0.0)));
        }
        for (index, knot) in knots.iter().enumerate() {
            points.push((knot.frame as f64, knot.value, knot.slope));
            if let Some(next) = knots.get(index + 1) {
                let (from, to) = (knot.frame as f64, next.frame as f64);
                let gone = knot.extent.map(|extent| from + frames(extent.after)).filter(|x| *x < to);
                let comes = next.extent.map(|extent| to - frames(extent.before)).filter(|x| *x > from);
                match (gone, comes) {
                    (Some(gone), Some(comes)) if gone < comes => points.extend([nothing(gone), nothing(comes)]),
                    (Some(gone), None) => points.push(nothing(gone)),
                    (None, Some(comes)) => points.push(nothing(comes)),
                    // They overlap: straight from one to the other.
                    _ => {}
                }
            }
        }
        if (last.frame as f64) < last_frame {
            let fade = last.extent.map_or(fade, |extent| frames(extent.after));
            points.push(nothing((last.frame as f64 + fade).min(last_frame)));
        }
        points
    }
}

/// Of all rotation vectors that mean the same rotation, those nearest to their predecessors; given ones stay.
fn nearest_turns(knots: &[Knot]) -> Vec<Knot> {
    let mut knots = knots.to_vec();
    for index in 1..knots.len() {
        let last = knots[index - 1].value;
        let knot = &mut knots[index];
        if let Some(axis) = knot.value.try_normalize().filter(|_| !knot.is_given) {
            let turns = ((last - knot.value).dot(axis) / TAU).round();
            knot.value += axis * (turns * TAU);
        }
    }
    knots
}

/// Turns and moves of a joint over time; `None` where there are none.
struct JointCurves {
    turns: Option<Curve>,
    moves: Option<Curve>,
}

/// The displacements of all joints over time.
pub(crate) struct DisplacementCurves {
    joints: Vec<JointCurves>,
}

impl DisplacementCurves {
    /// One frame, displaced.
    pub(crate) fn displace_pose(&self, frame: usize, pose: &mut Pose) {
        for (joint, curves) in pose.local.iter_mut().zip(&self.joints) {
            if let Some(curve) = &curves.turns {
                joint.rotation = (joint.rotation * rotation::exp_map(curve.at(frame))).normalize();
            }
            if let Some(curve) = &curves.moves {
                joint.translation += curve.at(frame);
            }
        }
    }

    /// All frames, displaced.
    pub(crate) fn displace_poses(&self, poses: &mut Poses) {
        let n_frames = poses.len();
        for (joint, curves) in self.joints.iter().enumerate() {
            for (frame, vector) in curves.turns.iter().flat_map(|curve| curve.displaced_frames(n_frames)) {
                let rotation = &mut poses.pose_mut(frame).local[joint].rotation;
                *rotation = (*rotation * rotation::exp_map(vector)).normalize();
            }
            for (frame, by) in curves.moves.iter().flat_map(|curve| curve.displaced_frames(n_frames)) {
                poses.pose_mut(frame).local[joint].translation += by;
            }
        }
    }
}

/// A displacement over time.
struct Curve {
    splines: [Spline; 3],
}

impl Curve {
    fn at(&self, frame: usize) -> Vec3 {
        Vec3::from_array([0, 1, 2].map(|k| self.splines[k].at(frame as f64)))
    }

    /// The frames that are displaced, and by how much.
    fn displaced_frames(&self, n_frames: usize) -> impl Iterator<Item = (usize, Vec3)> + use<> {
        let channels = [0, 1, 2].map(|k| {
            let mut channel = vec![0.0; n_frames];
            self.splines[k].fill(&mut channel);
            channel
        });
        let value = move |frame: usize| (frame, Vec3::new(channels[0][frame], channels[1][frame], channels[2][frame]));
        (0..n_frames).map(value).filter(|(_, value)| *value != Vec3::ZERO)
    }
}
