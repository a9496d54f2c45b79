//! Footskate cleanup of a motion that repeats: what is done at its end is done at its beginning.
//!
//! 1. The loop is laid out five times in a row, each turned and moved as the one before it ends; plants that run over a seam are one.
//! 2. The row is cleaned as any motion is.
//! 3. Its middle is the result, where neither end of the row is felt. Its last pose is its first, one cycle further on.

use crate::{CleanForm, CleanTake, clean};
use surefoot_cleanup::footskate::CleanOptions;
use surefoot_contact::{Contacts, Plant, Take, slice_take};
use surefoot_geom::{Quat, Transform, Vec3, direction_heading};
use surefoot_ground::Terrain;
use surefoot_motion::{Clip, Poses, Side};

/// Cycles on each side of the one that is wanted.
const AROUND: i32 = 2;

/// Enforces the plants of a loop, whose last pose is its first one cycle further on. `None` as for [`clean`].
pub fn clean_loop(take: &Take, terrain: Option<Terrain>, options: &CleanOptions) -> Option<CleanTake> {
    let length = take.clip.n_frames().checked_sub(1).filter(|&length| length > 1)?;
    let step = cycle_step(take);
    let powers: Vec<Transform> = (-AROUND..=AROUND).map(|cycle| power(step, cycle)).collect();
    let row = Take { clip: lay_out(take, length, &powers), contacts: join(take, length, &powers), ..take.clone() };
    let mut cleaned = clean(&row, terrain, options, CleanForm::Offline)?;
    let start = AROUND as usize * length;
    cleaned.take = slice_take(&cleaned.take, start..start + length + 1).ok()?;
    let skeleton = take.clip.skeleton.clone();
    let mut closed = cleaned.take.clip.pose(0).to_pose();
    for root in skeleton.roots() {
        closed[root] = step * closed[root];
    }
    cleaned.take.clip.pose_mut(length).copy_from(closed.view());
    let inside = |frame: usize| (start..=start + length).contains(&frame);
    cleaned.held = cleaned.held.into_iter().filter(|held| inside(held.0)).map(|(f, why)| (f - start, why)).collect();
    Some(cleaned)
}

/// How a cycle ends against how it began: moved, and turned about the vertical.
fn cycle_step(take: &Take) -> Transform {
    let ends = [0, take.clip.n_frames() - 1].map(|frame| take.clip.world_pose(frame));
    let [first, last] = ends.each_ref().map(|pose| pose[take.body.pelvis]);
    let turned = last.rotation * first.rotation.conjugate();
    let turn = Quat::from_rotation_y(direction_heading(turned * Vec3::Z).unwrap_or(0.0));
    Transform::new(turn, last.translation - turn * first.translation)
}

fn power(step: Transform, cycle: i32) -> Transform {
    let step = if cycle < 0 { step.inverse() } else { step };
    (0..cycle.abs()).fold(Transform::IDENTITY, |sum, _| step * sum)
}

fn lay_out(take: &Take, length: usize, powers: &[Transform]) -> Clip {
    let roots: Vec<_> = take.clip.skeleton.roots().collect();
    let mut poses = Poses::default();
    for (cycle, at) in powers.iter().enumerate() {
        let n_frames = length + usize::from(cycle + 1 == powers.len());
        for frame in 0..n_frames {
            let mut pose = take.clip.pose(frame).to_pose();
            roots.iter().for_each(|&root| pose[root] = *at * pose[root]);
            poses.push(pose.view());
        }
    }
    take.clip.with_poses(poses)
}

/// The plants of all cycles; those of one part that meet at a seam are one, in between of where both have it.
fn join(take: &Take, length: usize, powers: &[Transform]) -> Contacts {
    let mut joined = Contacts::none(length * powers.len() + 1);
    for side in Side::BOTH {
        let mut plants: Vec<Plant> = Vec::new();
        for (cycle, at) in powers.iter().enumerate() {
            let start = cycle * length;
            for plant in take.contacts.plants[side].iter().filter(|plant| plant.frames.start < length) {
                let frames = start + plant.frames.start..start + plant.frames.end.min(length);
                let position = at.transform_point(plant.position);
                let seam = |before: &&mut Plant| {
                    before.part == plant.part && before.frames.end == frames.start && frames.start == start
                };
                match plants.iter_mut().find(seam) {
                    Some(before) => {
                        let share = frames.len() as f64 / (frames.end - before.frames.start) as f64;
                        before.position = before.position.lerp(position, share);
                        before.frames.end = frames.end;
                    }
                    None => plants.push(Plant { frames, position, part: plant.part }),
                }
            }
        }
        plants.sort_by_key(|plant| (plant.frames.start, plant.frames.end));
        joined.plants[side] = plants;
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_signal::{Curves, LoopOptions, SignalClip, Voter, find_loop, retime_contacts};

    #[test]
    fn a_loop_is_closed_and_its_feet_stand_still_over_the_seam() {
        let walk = synthetic_walk(&WalkerOptions { n_steps: 12, turn_per_step: 0.1, ..WalkerOptions::default() }).take;
        let found = find_loop(&Curves::read(&walk.clip), &LoopOptions::default()).expect("a cycle");
        let (clip, shares) = (found.curves.to_clip("loop"), vec![1.0; found.times.len()]);
        let voter = Voter { contacts: &walk.contacts, times: &found.times, shares: &shares };
        let contacts = retime_contacts(&clip, &walk.body, &[voter]);
        let take = SignalClip { clip, contacts, body: Some(walk.body.clone()) }.to_take().expect("a body");
        let cleaned = clean_loop(&take, None, &CleanOptions::default()).expect("plants").take;
        let last = cleaned.clip.n_frames() - 1;
        let step = cycle_step(&cleaned);
        let (first, end) = (cleaned.clip.world_pose(0), cleaned.clip.world_pose(last));
        for joint in cleaned.clip.skeleton.ids() {
            let off = step.transform_point(first.position(joint)).distance(end.position(joint));
            assert!(off < 1e-9, "{off}");
        }
        // Whichever plant runs over the seam, its foot is at the same place on both sides of it.
        let mut over_the_seam = 0;
        for side in Side::BOTH {
            let mine = || cleaned.contacts.plants[side].iter();
            for ends in mine().filter(|plant| plant.frames.end > last) {
                let Some(begins) = mine().find(|plant| plant.frames.start == 0 && plant.part == ends.part) else {
                    continue;
                };
                let off = step.transform_point(begins.position).distance(ends.position);
                assert!(off < 1e-6, "{off}");
                for frame in ends.frames.clone() {
                    let pose = cleaned.clip.world_pose(frame);
                    assert!(ends.part.place(&cleaned.body, &pose, side).distance(ends.position) < 1e-5);
                }
                over_the_seam += 1;
            }
        }
        assert!(over_the_seam > 0);
    }
}
