//! A clip as few bytes, every joint within a tenth of a millimetre of where it was.
//!
//! 1. What never changes is written once, as it is: offsets of bones, rotations of joints that are rigid in their parents.
//! 2. Other rotations are the three smaller components of the quaternion in steps of [`ROTATION_STEP`], and which one is left
//!    out; other translations are in steps of [`TRANSLATION_STEP`].
//! 3. Rounding is closed-loop: each joint is rounded against its parent *as it was rounded*, and aims at its own place and
//!    orientation in the world. So a hand is not off by the sum of what spine, shoulder and elbow are off by.
//! 4. The steps are packed by [`crate::pack_integers`].
//!
//! What is off is measured on the rounded poses and written beside them. The layout, little-endian, each joint in the skeleton's order:
//!
//! ```text
//! u32 joints | u32 frames | f64 translation step
//! each joint   i32 parent or -1 | u8 flags: 1 rotations vary, 2 translations vary | 3 bytes of 0
//!              7 f64: rest rotation x y z w, rest translation, in the world
//!              4 f64 rotation where it never varies | 3 f64 translation where it never varies
//! packed       which component is left out, for each joint whose rotation varies
//! packed       three tracks for each joint whose rotation varies
//! packed       three tracks for each joint whose translation varies
//! ```

use crate::pack_integers::pack_integers;
use surefoot_geom::{Quat, Transform, Vec3};
use surefoot_motion::{Clip, JointId, WorldPose};

/// Steps of a component of a quaternion.
pub(crate) const ROTATION_STEP: f64 = 1.0 / 46_340.0;
/// Steps of a translation, in metres; wider where a root goes so far that they would not be counted by 31 bits.
const TRANSLATION_STEP: f64 = 2e-5;
/// Most steps of a translation to either side.
const MOST_STEPS: f64 = 1e9;
/// A rotation that varies by less never varies, in components of the quaternion; and a translation, in metres.
const RIGID_ROTATION: f64 = 1e-7;
const RIGID_TRANSLATION: f64 = 1e-6;
/// The component that was left out is left out again while it is larger than this: a change costs bytes. The largest is at least
/// a half.
const STILL_LARGE: f64 = 0.5;

/// What packing did to a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PackedMotion {
    /// Farthest that a joint is from where it was, in metres.
    pub(crate) largest_error: f64,
}

/// Appends a clip whose places are seen from `origin`. Every number of it must be finite.
pub(crate) fn pack_motion(clip: &Clip, origin: Vec3, bytes: &mut Vec<u8>) -> PackedMotion {
    let skeleton = &clip.skeleton;
    let (n_joints, n_frames) = (skeleton.n_joints(), clip.n_frames());
    let local = |frame: usize, joint: usize| {
        let transform = clip.transforms()[frame * n_joints + joint];
        let is_root = skeleton.joints()[joint].parent.is_none();
        let translation = if is_root { transform.translation - origin } else { transform.translation };
        Transform::new(transform.rotation.normalize(), translation)
    };
    let varies: Vec<[bool; 2]> = (0..n_joints).map(|joint| varies(n_frames, |frame| local(frame, joint))).collect();
    let farthest = (0..n_frames)
        .flat_map(|frame| (0..n_joints).map(move |joint| (frame, joint)))
        .filter(|&(_, joint)| varies[joint][1])
        .fold(0.0, |most: f64, (frame, joint)| most.max(local(frame, joint).translation.abs().max_element()));
    // Closed-loop targets may lie a little farther out than the clip's own places.
    let step = TRANSLATION_STEP.max(1.01 * farthest / MOST_STEPS);
    for number in [n_joints, n_frames] {
        bytes.extend((number as u32).to_le_bytes());
    }
    bytes.extend(step.to_le_bytes());
    let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
    for (joint, [turns, moves]) in varies.iter().enumerate() {
        let parent = skeleton.joints()[joint].parent.map_or(-1, |parent| parent.index() as i32);
        bytes.extend(parent.to_le_bytes());
        bytes.extend([u8::from(*turns) | (u8::from(*moves) << 1), 0, 0, 0]);
        let first = if n_frames > 0 { local(0, joint) } else { skeleton.joints()[joint].rest };
        let at_rest = rest.world()[joint];
        let numbers = at_rest.rotation.to_array().into_iter().chain(at_rest.translation.to_array());
        let rotation = first.rotation.to_array().into_iter().filter(|_| !turns);
        let translation = first.translation.to_array().into_iter().filter(|_| !moves);
        bytes.extend(numbers.chain(rotation).chain(translation).flat_map(f64::to_le_bytes));
    }
    let [n_turning, n_moving] = [0, 1].map(|kind| varies.iter().filter(|varies| varies[kind]).count());
    let mut left_out: Vec<Vec<i32>> = vec![Vec::with_capacity(n_frames); n_turning];
    let mut rotations: Vec<Vec<i32>> = vec![Vec::with_capacity(n_frames); 3 * n_turning];
    let mut translations: Vec<Vec<i32>> = vec![Vec::with_capacity(n_frames); 3 * n_moving];
    let mut largest_error = 0.0f64;
    let mut exact = vec![Transform::IDENTITY; n_joints];
    let mut rounded = exact.clone();
    for frame in 0..n_frames {
        let [mut turning, mut moving] = [0; 2];
        for joint in 0..n_joints {
            let parent = skeleton.joints()[joint].parent.map(JointId::index);
            let above = |world: &[Transform]| parent.map_or(Transform::IDENTITY, |parent| world[parent]);
            exact[joint] = above(&exact) * local(frame, joint);
            let to_local = above(&rounded).inverse();
            let mut made = local(0, joint);
            if varies[joint][0] {
                let target = to_local.rotation * exact[joint].rotation;
                let last = left_out[turning].last().copied();
                let (omitted, steps) = round_rotation(target, last);
                made.rotation = rotation_of(omitted, steps);
                left_out[turning].push(omitted);
                (0..3).for_each(|i| rotations[3 * turning + i].push(steps[i]));
                turning += 1;
            }
            if varies[joint][1] {
                let target = to_local.transform_point(exact[joint].translation);
                let steps = (target / step).round().to_array().map(|steps| steps as i32);
                made.translation = Vec3::from_array(steps.map(f64::from)) * step;
                (0..3).for_each(|i| translations[3 * moving + i].push(steps[i]));
                moving += 1;
            }
            rounded[joint] = above(&rounded) * made;
            largest_error = largest_error.max(rounded[joint].translation.distance(exact[joint].translation));
        }
    }
    for tracks in [&left_out, &rotations, &translations] {
        pack_integers(tracks, bytes);
    }
    PackedMotion { largest_error }
}

/// Whether rotations and translations of a joint vary over the frames.
fn varies(n_frames: usize, local: impl Fn(usize) -> Transform) -> [bool; 2] {
    let later = || (1..n_frames).map(&local);
    let Some(first) = (n_frames > 0).then(|| local(0)) else { return [false; 2] };
    [
        later().any(|transform| {
            1.0 - transform.rotation.dot(first.rotation).abs() > RIGID_ROTATION * RIGID_ROTATION / 2.0
        }),
        later().any(|transform| transform.translation.distance(first.translation) > RIGID_TRANSLATION),
    ]
}

/// Which component is left out, and the steps of the others, in order.
fn round_rotation(rotation: Quat, last_omitted: Option<i32>) -> (i32, [i32; 3]) {
    let parts = rotation.to_array();
    let largest = (0..4).fold(0, |best, i| if parts[i].abs() > parts[best].abs() { i } else { best });
    let kept = last_omitted.map(|index| index as usize).filter(|&index| parts[index].abs() > STILL_LARGE);
    let omitted = kept.unwrap_or(largest);
    let sign = parts[omitted].signum();
    let others: Vec<i32> =
        (0..4).filter(|&i| i != omitted).map(|i| (sign * parts[i] / ROTATION_STEP).round() as i32).collect();
    (omitted as i32, [others[0], others[1], others[2]])
}

/// The rotation that steps stand for.
pub(crate) fn rotation_of(omitted: i32, steps: [i32; 3]) -> Quat {
    let others = steps.map(|steps| f64::from(steps) * ROTATION_STEP);
    let rest = (1.0 - others.iter().map(|part| part * part).sum::<f64>()).max(0.0).sqrt();
    let mut parts = [rest; 4];
    (0..4).filter(|&i| i != omitted as usize).zip(others).for_each(|(i, part)| parts[i] = part);
    Quat::from_array(parts).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack_integers::unpack_integers;
    use std::sync::Arc;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_geom::Random;
    use surefoot_motion::{Joint, Poses, Skeleton};

    /// World places of every frame and joint, read from the bytes alone.
    fn unpack(bytes: &[u8]) -> Vec<Vec<Vec3>> {
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four")) as usize;
        let float = |at: usize| f64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight"));
        let floats = |at: &mut usize, n: usize| {
            *at += 8 * n;
            (0..n).map(|i| float(*at - 8 * (n - i))).collect::<Vec<f64>>()
        };
        let (n_joints, n_frames, step) = (number(0), number(4), float(8));
        let mut at = 16;
        let mut joints = Vec::new();
        for _ in 0..n_joints {
            let parent = number(at) as u32 as i32;
            let flags = bytes[at + 4];
            at += 8;
            floats(&mut at, 7);
            let rotation = (flags & 1 == 0).then(|| Quat::from_slice(&floats(&mut at, 4)));
            let translation = (flags & 2 == 0).then(|| Vec3::from_slice(&floats(&mut at, 3)));
            joints.push((parent, rotation, translation));
        }
        let mut packed = || {
            let (tracks, used) = unpack_integers(&bytes[at..]);
            at += used;
            tracks
        };
        let [left_out, rotations, translations] = [packed(), packed(), packed()];
        assert_eq!(at, bytes.len());
        let frame = |frame: usize| {
            let [mut turning, mut moving] = [0; 2];
            let mut world: Vec<Transform> = Vec::new();
            for (parent, rotation, translation) in &joints {
                let rotation = rotation.unwrap_or_else(|| {
                    turning += 1;
                    let steps = [3, 2, 1].map(|back| rotations[3 * turning - back][frame]);
                    rotation_of(left_out[turning - 1][frame], steps)
                });
                let translation = translation.unwrap_or_else(|| {
                    moving += 1;
                    Vec3::from_array([3, 2, 1].map(|back| f64::from(translations[3 * moving - back][frame]))) * step
                });
                let local = Transform::new(rotation, translation);
                world.push(if *parent < 0 { local } else { world[*parent as usize] * local });
            }
            world.iter().map(|transform| transform.translation).collect()
        };
        (0..n_frames).map(frame).collect()
    }

    fn check(clip: &Clip, origin: Vec3, most: f64) -> usize {
        let mut bytes = Vec::new();
        let packed = pack_motion(clip, origin, &mut bytes);
        let mut worst = 0.0f64;
        for (pose, back) in clip.world().iter().zip(unpack(&bytes)) {
            for (joint, at) in pose.world().iter().zip(back) {
                worst = worst.max((at + origin).distance(joint.translation));
            }
        }
        assert!(worst <= most, "{worst} m of {most} m");
        assert!((worst - packed.largest_error).abs() < 1e-8, "{worst} m, reported as {} m", packed.largest_error);
        bytes.len()
    }

    #[test]
    fn joints_of_a_walk_come_back_within_a_tenth_of_a_millimetre() {
        let walk = synthetic_walk(&WalkerOptions { turn_per_step: 0.3, ..WalkerOptions::default() });
        check(&walk.take.clip, Vec3::ZERO, 5e-5);
        check(&walk.take.clip, Vec3::new(3.0, -1.0, 200.0), 5e-5);
    }

    #[test]
    fn long_chains_that_turn_at_random_do_not_add_up_their_errors() {
        let joint = |i: usize| Joint {
            name: format!("{i}"),
            parent: i.checked_sub(1).map(JointId::new),
            rest: Transform::from_translation(Vec3::new(0.05, 0.1, 0.0)),
        };
        let skeleton = Arc::new(Skeleton::new((0..40).map(joint).collect(), vec![]).expect("a chain"));
        let mut random = Random::new(3);
        let mut part = || 2.0 * random.unit() - 1.0;
        let mut poses = Poses::repeat(&skeleton.rest_pose(), 50);
        for transform in poses.transforms_mut() {
            transform.rotation = Quat::from_array([part(), part(), part(), part()]).normalize();
        }
        check(&Clip::new("chain", skeleton.clone(), 30.0, poses), Vec3::ZERO, 1e-4);
        check(&Clip::new("nothing", skeleton, 30.0, Poses::default()), Vec3::ZERO, 0.0);
    }

    #[test]
    fn a_root_that_leaves_for_the_horizon_is_still_counted() {
        let mut clip = synthetic_walk(&WalkerOptions::default()).take.clip;
        let n_frames = clip.n_frames() as f64;
        for (frame, mut pose) in clip.poses_mut().iter_mut().enumerate() {
            pose[JointId::new(0)].translation.x += 1e6 * frame as f64 / n_frames;
        }
        check(&clip, Vec3::ZERO, 2e-3);
    }
}
