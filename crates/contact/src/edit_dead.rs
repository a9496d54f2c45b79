//! Frames that are no motion, taken out: cut off, or bridged by motion.

use crate::dead_segments::{DeadReason, find_dead_segments, without_dead};
use crate::edit_take::slice_contacts;
use crate::take::Take;
use std::ops::{Add, Mul, Range, Sub};
use surefoot_geom::{Transform, rotation};
use surefoot_motion::Poses;

/// Longer gaps are not bridged, in seconds: nobody knows what was done in them.
pub const LONGEST_BRIDGE: f64 = 0.5;

/// The longest part of a take without dead frames and without a teleport in it, and its frames; `None` if it is all of it.
pub fn cut_dead(take: &Take) -> Option<(Take, Range<usize>)> {
    let clip = &take.clip;
    let dead = find_dead_segments(&clip.world(), &take.body, clip.frame_rate);
    let all = 0..clip.n_frames();
    let kept = without_dead(&all, &dead).filter(|kept| *kept != all)?;
    let contacts = slice_contacts(&take.contacts, kept.clone());
    let clip = clip.with_poses(clip.poses().slice(kept.clone()));
    Some((Take { clip, body: take.body.clone(), contacts }, kept))
}

/// A take whose frozen frames are bridged from the poses before and after them, and which frames were. Frozen ends, gaps longer than
/// [`LONGEST_BRIDGE`] and teleports stay.
pub fn bridge_dead(take: &Take) -> (Take, Vec<Range<usize>>) {
    let mut take = take.clone();
    let dead = find_dead_segments(&take.clip.world(), &take.body, take.clip.frame_rate);
    let longest = (LONGEST_BRIDGE * take.clip.frame_rate).round() as usize;
    let n = take.clip.n_frames();
    let can_be = |frames: &Range<usize>| frames.start > 0 && frames.end + 1 < n && frames.len() <= longest;
    let frozen = dead.into_iter().filter(|dead| dead.reason == DeadReason::Frozen).map(|dead| dead.frames);
    let bridged: Vec<Range<usize>> = frozen.filter(can_be).collect();
    for frames in &bridged {
        bridge(take.clip.poses_mut(), frames);
    }
    (take, bridged)
}

/// Frozen frames filled from their first, which is a pose of the motion, to the frame after them, with the speeds that the motion has
/// there.
fn bridge(poses: &mut Poses, frozen: &Range<usize>) {
    let (from, to) = (frozen.start, frozen.end);
    let length = (to - from) as f64;
    for joint in 0..poses.n_joints() {
        let local = |frame: usize| poses.pose(frame).local[joint];
        let [before, first, last, after] = [from - 1, from, to, to + 1].map(local);
        let turn = |a: Transform, b: Transform| rotation::log_map(a.rotation.conjugate() * b.rotation);
        for frame in from + 1..to {
            let u = (frame - from) as f64 / length;
            let turned = hermite(turn(before, first) * length, turn(first, last), turn(last, after) * length, u);
            let [start, leave, end, land] = [
                first.translation,
                (first.translation - before.translation) * length,
                last.translation,
                (after.translation - last.translation) * length,
            ];
            poses.pose_mut(frame).local[joint] = Transform {
                rotation: (first.rotation * rotation::exp_map(turned)).normalize(),
                translation: start + hermite(leave, end - start, land, u),
            };
        }
    }
}

/// The cubic from 0 to `end` over the unit interval, with slope `leave` at its beginning and `land` at its end.
fn hermite<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T>>(leave: T, end: T, land: T, u: f64) -> T {
    let (square, cube) = (u * u, u * u * u);
    leave * (cube - 2.0 * square + u) + end * (3.0 * square - 2.0 * cube) + land * (cube - square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SyntheticWalk, WalkerOptions, synthetic_walk};

    fn frozen(frames: Range<usize>) -> (SyntheticWalk, SyntheticWalk) {
        let walk = synthetic_walk(&WalkerOptions { frame_rate: 60.0, n_steps: 5, ..WalkerOptions::default() });
        let mut hurt = walk.clone();
        let pose = walk.take.clip.pose(frames.start).to_pose();
        for frame in frames {
            hurt.take.clip.pose_mut(frame).local.copy_from_slice(&pose.local);
        }
        (walk, hurt)
    }

    #[test]
    fn a_frozen_tail_is_cut_off_with_its_contacts() {
        let (walk, hurt) = frozen(110..synthetic_length());
        let (cut, kept) = cut_dead(&hurt.take).expect("something to cut");
        assert_eq!(kept, 0..110);
        assert_eq!((cut.clip.n_frames(), cut.contacts.n_frames), (110, 110));
        assert!(cut_dead(&walk.take).is_none(), "a living take stays as it is");
    }

    fn synthetic_length() -> usize {
        frozen(1..2).0.take.clip.n_frames()
    }

    #[test]
    fn a_dropout_is_bridged_near_the_truth() {
        let (walk, hurt) = frozen(90..97);
        let (bridged, frames) = bridge_dead(&hurt.take);
        assert_eq!(frames, std::iter::once(90..97).collect::<Vec<_>>());
        let away = |take: &Take| {
            let place = |take: &Take, frame: usize| take.clip.world_pose(frame).position(take.body.legs.left.ankle);
            (90..97).map(|frame| place(take, frame).distance(place(&walk.take, frame))).fold(0.0, f64::max)
        };
        assert!(away(&bridged) < 0.2 * away(&hurt.take), "{} of {} m", away(&bridged), away(&hurt.take));
        let (again, none) = bridge_dead(&walk.take);
        assert!(none.is_empty() && again == walk.take);
    }
}
