//! One clip after another.
//!
//! Two clips seldom meet where one ends and the other begins. An aligned seam moves and turns the second on the ground
//! so that a joint, usually the pelvis, goes on from where the first clip left it: by the mean of the first clip's
//! last step and the second's first, in place and in heading. Cutting a clip in two and appending the parts, wherever
//! they were moved meanwhile, so gives the clip back up to the change of its speed within a frame. The poses are not
//! blended: a seam between unlike poses jumps.

use crate::place::{Placement, place_in_place};
use crate::{Clip, EditError, JointId, Skeleton, WorldPose};
use surefoot_geom::{Quat, Vec3, rotation};

/// How the second clip joins the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seam {
    /// Its place.
    AsIs,
    /// Moved and turned on the ground so that this joint's place and heading go on.
    Aligned(JointId),
}

/// The frames of the first clip, then those of the second. Skeletons and frame rates must be the same.
pub fn append(first: &Clip, second: &Clip, seam: Seam) -> Result<Clip, EditError> {
    check_same(first, second)?;
    let mut tail = second.clone();
    if let (Seam::Aligned(joint), false, false) = (seam, first.poses().is_empty(), second.poses().is_empty()) {
        place_in_place(&mut tail, align(first, second, joint));
    }
    let mut joined = first.clone();
    joined.poses_mut().append(tail.poses());
    Ok(joined)
}

fn check_same(first: &Clip, second: &Clip) -> Result<(), EditError> {
    let names = || (first.name.clone(), second.name.clone());
    if let Some(difference) = skeleton_difference(&first.skeleton, &second.skeleton) {
        let (first, second) = names();
        return Err(EditError::Skeletons { first, second, difference });
    }
    if first.frame_rate != second.frame_rate {
        let ((first_name, second_name), first_rate, second_rate) = (names(), first.frame_rate, second.frame_rate);
        return Err(EditError::Rates { first: first_name, second: second_name, first_rate, second_rate });
    }
    Ok(())
}

/// Rest offsets may differ by this much: files of one person are written with few digits.
const SAME_OFFSET: f64 = 1e-4;
/// And rest rotations by this.
const SAME_ROTATION: f64 = 1e-3;

/// What first tells two skeletons apart, or `None` if a pose of one is a pose of the other.
pub fn skeleton_difference(a: &Skeleton, b: &Skeleton) -> Option<String> {
    if a.n_joints() != b.n_joints() {
        return Some(format!("{} joints, not {}", b.n_joints(), a.n_joints()));
    }
    a.joints().iter().zip(b.joints()).find_map(|(a, b)| {
        let name = &a.name;
        if a.name != b.name {
            Some(format!("`{}` where `{name}` was", b.name))
        } else if a.parent != b.parent {
            Some(format!("`{name}` has another parent"))
        } else if a.rest.translation.distance(b.rest.translation) > SAME_OFFSET {
            Some(format!("`{name}` has another offset at rest"))
        } else if rotation::angle_between(a.rest.rotation, b.rest.rotation) > SAME_ROTATION {
            Some(format!("`{name}` has another rotation at rest"))
        } else {
            None
        }
    })
}

/// Where the second clip has to go. Both have frames.
fn align(first: &Clip, second: &Clip, joint: JointId) -> Placement {
    let at = |clip: &Clip, frame: usize| {
        let pose: WorldPose = clip.world_pose(frame);
        pose[joint]
    };
    let last = at(first, first.n_frames() - 1);
    let start = at(second, 0);
    // A positive yaw about Y; the joint's own axes may point anywhere, so only rotations are compared.
    let yaw_between = |from: Quat, to: Quat| {
        let (_, twist) = rotation::swing_twist(to * from.conjugate(), Vec3::Y);
        rotation::twist_angle(twist, Vec3::Y)
    };
    let before = (first.n_frames() > 1).then(|| at(first, first.n_frames() - 2));
    let after = (second.n_frames() > 1).then(|| at(second, 1));
    let turn_before = before.map(|before| yaw_between(before.rotation, last.rotation));
    let turn_after = after.map(|after| yaw_between(start.rotation, after.rotation));
    let yaw = yaw_between(start.rotation, last.rotation) + mean(turn_before, turn_after).unwrap_or(0.0);
    let turned = Quat::from_rotation_y(yaw);
    let step_before = before.map(|before| last.translation - before.translation);
    let step_after = after.map(|after| turned * (after.translation - start.translation));
    let shift = last.translation + mean(step_before, step_after).unwrap_or(Vec3::ZERO) - start.translation;
    Placement::about(start.translation, yaw, Vec3::new(shift.x, 0.0, shift.z))
}

/// The mean of those that are there.
fn mean<T: std::ops::Add<Output = T> + std::ops::Mul<f64, Output = T>>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a + b) * 0.5),
        (a, b) => a.or(b),
    }
}
