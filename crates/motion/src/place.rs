//! A clip moved and turned on the ground as a whole.

use crate::{BodyMap, Clip};
use surefoot_geom::{Quat, Transform, Vec3, direction_heading};

/// A turn about the vertical axis through the origin, then a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Radians; positive turns +Z toward +X, a person's left.
    pub yaw: f64,
    /// Metres.
    pub translation: Vec3,
}

impl Placement {
    /// Changes nothing.
    pub const IDENTITY: Placement = Placement { yaw: 0.0, translation: Vec3::ZERO };

    /// A turn about the vertical axis through `centre`, then a translation.
    pub fn about(centre: Vec3, yaw: f64, translation: Vec3) -> Placement {
        let turned = Quat::from_rotation_y(yaw) * centre;
        Placement { yaw, translation: centre - turned + translation }
    }

    /// The placement that brings the ground place and heading `from` to those of `to`, each a point and a heading.
    /// Heights are left alone.
    pub fn between(from: (Vec3, f64), to: (Vec3, f64)) -> Placement {
        let shift = to.0 - from.0;
        Placement::about(from.0, to.1 - from.1, Vec3::new(shift.x, 0.0, shift.z))
    }

    /// The same as a rigid transform of the world.
    pub fn to_transform(self) -> Transform {
        Transform::new(Quat::from_rotation_y(self.yaw), self.translation)
    }
}

/// The clip moved and turned as a whole. Only the roots' transforms change.
pub fn place(clip: &Clip, placement: Placement) -> Clip {
    let mut placed = clip.clone();
    place_in_place(&mut placed, placement);
    placed
}

/// [`place`] without a copy.
pub fn place_in_place(clip: &mut Clip, placement: Placement) {
    let moved = placement.to_transform();
    let skeleton = clip.skeleton.clone();
    for mut pose in clip.poses_mut() {
        for root in skeleton.roots() {
            pose[root] = moved * pose[root];
        }
    }
}

/// The clip moved so that the pelvis starts above the origin and the body faces +Z in the first frame. Heights stay. A
/// body without a facing in that frame (hips one above the other) is moved and not turned; an empty clip stays empty.
pub fn start_at_origin(clip: &Clip, body: &BodyMap) -> Clip {
    if clip.poses().is_empty() {
        return clip.clone();
    }
    let first = clip.world_pose(0);
    let heading = direction_heading(body.facing(&first)).unwrap_or(0.0);
    place(clip, Placement::between((first.position(body.pelvis), heading), (Vec3::ZERO, 0.0)))
}
