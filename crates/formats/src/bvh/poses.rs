//! From channels to transforms.

use super::{Bvh, Channel};
use crate::{Document, Format};
use surefoot_geom::{Quat, Transform, Vec3, euler::axis_rotation};
use surefoot_motion::{EndSite, Joint, JointId, Pose, Skeleton};

impl Bvh {
    /// The motion as transforms, in the file's unit and axes. In the rest pose no joint is turned.
    pub fn into_document(self) -> Document {
        let n_channels = self.width();
        let poses =
            (0..self.n_frames).map(|frame| self.pose(&self.values[frame * n_channels..][..n_channels])).collect();
        let joints = self.joints.iter().map(|joint| Joint {
            name: joint.name.clone(),
            parent: joint.parent.map(JointId::new),
            rest: Transform::from_translation(joint.offset),
        });
        let end_sites = self.end_sites.into_iter().map(|site| EndSite {
            name: site.name,
            parent: JointId::new(site.parent),
            offset: site.offset,
        });
        Document {
            format: Format::Bvh,
            name: None,
            skeleton: Skeleton::new(joints.collect(), end_sites.collect()).expect("the reader puts parents first"),
            poses,
            frame_rate: self.frame_time.map(|seconds| 1.0 / seconds),
            unit_to_metre: None,
            up: None,
            n_channels,
            bvh_channels: Some(self.joints.into_iter().map(|joint| joint.channels).collect()),
            animations: Vec::new(),
            contacts: None,
            soles: None,
            is_character: false,
            warnings: self.warnings,
        }
    }

    fn pose(&self, mut row: &[f64]) -> Pose {
        let local = self.joints.iter().map(|joint| {
            let (own, rest) = row.split_at(joint.channels.len());
            row = rest;
            joint_transform(joint.offset, &joint.channels, own)
        });
        Pose { local: local.collect() }
    }
}

/// The transform that a joint's values stand for: positions replace axes of the offset, rotations multiply in file order.
fn joint_transform(offset: Vec3, channels: &[Channel], values: &[f64]) -> Transform {
    let mut transform = Transform::from_translation(offset);
    let mut rotation: Option<Quat> = None;
    for (channel, value) in channels.iter().zip(values) {
        match *channel {
            Channel::Position(axis) => transform.translation[axis] = *value,
            Channel::Rotation(axis) => {
                let turn = axis_rotation(axis, value.to_radians());
                rotation = Some(rotation.map_or(turn, |outer| outer * turn));
            }
            Channel::Scale(_) => {}
        }
    }
    transform.rotation = rotation.unwrap_or(Quat::IDENTITY);
    transform
}
