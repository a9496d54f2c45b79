//! What goes wrong in recordings: spikes, frozen frames, dropouts, noise.
//!
//! They find what a person would call broken at a glance, and leave alone what is merely fast: each compares a frame with its
//! neighbours and with the rest of the same clip, at any frame rate. None needs a body map.

use crate::{Clip, JointId, PoseRef, Skeleton, WorldPose};
use std::ops::Range;
use surefoot_geom::{Transform, Vec3, median, rotation};

/// One frame in which one joint jumps away and back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spike {
    /// The outlier frames.
    pub frame: usize,
    /// The joint that jumps.
    pub joint: JointId,
    /// How far from the middle of its neighbours, in radians.
    pub angle: f64,
}

/// A joint must jump at least this far, in radians (30 degrees): toes that strike the ground snap by 20 in a frame.
const SPIKE_ANGLE: f64 = 0.52;
/// The frames beside a spike agree: they lie closer together than this part of the jump.
const SPIKE_AGREEMENT: f64 = 0.5;
/// A spike stands out of the joint's own usual distance from the middle of its neighbours by this factor.
const SPIKE_FACTOR: f64 = 8.0;

/// Finds single frames in which a joint jumps away and back, in order of time. A joint that flickers so often that half of
/// its frames are outliers is noise, not spikes.
pub fn find_spikes(clip: &Clip) -> Vec<Spike> {
    let n = clip.n_frames();
    let mut spikes = Vec::new();
    if n < 3 {
        return spikes;
    }
    for joint in clip.skeleton.ids() {
        let turn = |frame: usize| clip.pose(frame)[joint].rotation;
        let deviations: Vec<f64> = (1..n - 1)
            .map(|frame| rotation::angle_between(turn(frame), rotation::slerp(turn(frame - 1), turn(frame + 1), 0.5)))
            .collect();
        let usual = median(&mut deviations.clone()).unwrap_or(0.0);
        for (frame, angle) in (1..).zip(deviations) {
            let apart = rotation::angle_between(turn(frame - 1), turn(frame + 1));
            if angle > SPIKE_ANGLE && angle > SPIKE_FACTOR * usual && apart < SPIKE_AGREEMENT * angle {
                spikes.push(Spike { frame, joint, angle });
            }
        }
    }
    spikes.sort_by_key(|spike| (spike.frame, spike.joint));
    spikes
}

/// Frames that turn a joint by less than this are the same frame: text files keep five or six digits. Radians.
const SAME_ANGLE: f64 = 1e-7;
/// The same for translations. Metres; also fine for the units of files, which are shorter.
const SAME_DISTANCE: f64 = 1e-7;
/// Shortest stay that counts as frozen, in seconds; shorter ones are how files at a higher rate repeat frames.
const FROZEN_SECONDS: f64 = 0.1;
/// And in frames.
const FROZEN_FRAMES: usize = 5;

/// A body that comes to rest of its own moves less than this part of its usual step in the frame before.
const COMES_TO_REST: f64 = 0.5;

/// Finds runs of identical frames (half-open) that the motion runs into or out of at full speed. A body that comes to rest and
/// stays is a held pose, and a clip that never moves is one too.
pub fn find_frozen(clip: &Clip) -> Vec<Range<usize>> {
    let n = clip.n_frames();
    let shortest = FROZEN_FRAMES.max((FROZEN_SECONDS * clip.frame_rate).ceil() as usize);
    let steps: Vec<Option<f64>> = (1..n).map(|frame| step(clip.pose(frame - 1), clip.pose(frame))).collect();
    let mut moving: Vec<f64> = steps.iter().flatten().copied().collect();
    let Some(usual) = median(&mut moving) else { return Vec::new() };
    let at_speed =
        |step: Option<&Option<f64>>| step.is_some_and(|step| step.is_some_and(|s| s > COMES_TO_REST * usual));
    // The step before frame f is steps[f - 1]: a run of still steps a..b spans frames a..=b.
    let runs = runs_of(steps.len(), |i| steps[i].is_none()).into_iter();
    runs.filter(|run| run.len() + 1 >= shortest)
        .filter(|run| at_speed(run.start.checked_sub(1).and_then(|i| steps.get(i))) || at_speed(steps.get(run.end)))
        .map(|run| run.start..run.end + 1)
        .collect()
}

/// Mean rotation of a joint from one pose to the next, in radians; `None` if nothing at all moves.
fn step(a: PoseRef<'_>, b: PoseRef<'_>) -> Option<f64> {
    let same = a.local.iter().zip(b.local).all(|(a, b)| is_same(*a, *b));
    (!same).then(|| mean_turn(a, b))
}

fn is_same(a: Transform, b: Transform) -> bool {
    a.translation.distance(b.translation) < SAME_DISTANCE
        && rotation::angle_between(a.rotation, b.rotation) < SAME_ANGLE
}

/// Mean rotation of a joint from one pose to another, in radians.
pub fn mean_turn(a: PoseRef<'_>, b: PoseRef<'_>) -> f64 {
    let turns = a.local.iter().zip(b.local).map(|(a, b)| rotation::angle_between(a.rotation, b.rotation));
    turns.sum::<f64>() / a.local.len().max(1) as f64
}

/// A body jumps into or out of a dropout by this many of its usual steps.
const DROPOUT_FACTOR: f64 = 3.0;

/// Finds runs of frames in which every joint is at rest and every root at the origin, and that the motion jumps into or out of:
/// what a solver writes when it loses its markers (half-open). Empty for clips that are all of that kind.
pub fn find_dropouts(clip: &Clip) -> Vec<Range<usize>> {
    let n = clip.n_frames();
    let runs = runs_of(n, |frame| is_void(&clip.skeleton, clip.pose(frame)));
    if runs.is_empty() {
        return runs;
    }
    let turn = |frame: usize| mean_turn(clip.pose(frame - 1), clip.pose(frame));
    let mut moving: Vec<f64> = (1..n).map(turn).filter(|&turn| turn > SAME_ANGLE).collect();
    let Some(usual) = median(&mut moving) else { return Vec::new() };
    let jump = DROPOUT_FACTOR * usual;
    let jumps = |run: &Range<usize>| (run.start > 0 && turn(run.start) > jump) || (run.end < n && turn(run.end) > jump);
    runs.into_iter().filter(jumps).collect()
}

/// Whether every joint of a pose is at rest and every root at the origin.
pub fn is_void(skeleton: &Skeleton, pose: PoseRef<'_>) -> bool {
    skeleton.joints().iter().zip(pose.local).all(|(joint, local)| {
        let at_origin = joint.parent.is_some() || local.translation.length() < SAME_DISTANCE;
        at_origin && rotation::angle_between(local.rotation, joint.rest.rotation) < SAME_ANGLE
    })
}

/// How much a figure trembles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Correlation of a frame's movement with the next frame's, over all joints relative to their root, in the median frame:
    /// near 1 for smooth motion, -0.5 for pure noise.
    pub correlation: f64,
    /// Root mean square of the joints' movement relative to the root, in the median frame, in metres.
    pub per_frame: f64,
}

impl Noise {
    /// Whether a viewer would see the figure tremble: successive frames undo one another, by millimetres.
    pub fn is_visible(&self) -> bool {
        self.correlation < 0.3 && self.per_frame > 0.002
    }
}

/// Measures how far successive poses of a clip undo one another. Positions are compared, not rotations: a joint that spins on
/// the spot is not seen. Medians over the frames, so that a few broken ones are not taken for noise.
pub fn measure_noise(skeleton: &Skeleton, poses: &[WorldPose]) -> Noise {
    let roots = roots_of(skeleton);
    let place =
        |frame: usize, joint: JointId| poses[frame].position(joint) - poses[frame].position(roots[joint.index()]);
    let (mut correlations, mut movements) = (Vec::new(), Vec::new());
    for frame in 2..poses.len() {
        let (mut product, mut square, mut count) = (0.0, 0.0, 0usize);
        for joint in skeleton.ids() {
            let before = place(frame - 1, joint) - place(frame - 2, joint);
            let after = place(frame, joint) - place(frame - 1, joint);
            product += before.dot(after);
            square += (before.length_squared() + after.length_squared()) / 2.0;
            count += usize::from(after != Vec3::ZERO);
        }
        if square > 0.0 {
            correlations.push(product / square);
            movements.push((square / count.max(1) as f64).sqrt());
        }
    }
    // A clip that never moves is as smooth as can be.
    let (correlation, per_frame) = (median(&mut correlations), median(&mut movements));
    Noise { correlation: correlation.unwrap_or(1.0), per_frame: per_frame.unwrap_or(0.0) }
}

/// For each joint the root above it.
fn roots_of(skeleton: &Skeleton) -> Vec<JointId> {
    let mut roots: Vec<JointId> = Vec::with_capacity(skeleton.n_joints());
    for id in skeleton.ids() {
        roots.push(skeleton.parent(id).map_or(id, |parent| roots[parent.index()]));
    }
    roots
}

fn runs_of(n: usize, belongs: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for frame in (0..n).filter(|&frame| belongs(frame)) {
        match runs.last_mut() {
            Some(run) if run.end == frame => run.end += 1,
            _ => runs.push(frame..frame + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Joint, Pose, Poses};
    use std::sync::Arc;
    use surefoot_geom::Quat;

    /// Two joints that swing smoothly for two seconds.
    fn swinging(frame_rate: f64) -> Clip {
        let joint = |name: &str, parent: Option<usize>| Joint {
            name: name.into(),
            parent: parent.map(JointId::new),
            rest: Transform::from_translation(Vec3::Y),
        };
        let skeleton = Arc::new(Skeleton::new(vec![joint("a", None), joint("b", Some(0))], vec![]).unwrap());
        let poses = (0..(2.0 * frame_rate) as usize).map(|frame| {
            let t = 0.1 + frame as f64 / frame_rate;
            let turn = Quat::from_rotation_x((t * 9.0).sin());
            Pose { local: vec![Transform::new(turn, Vec3::Z * t), Transform::new(turn, Vec3::Y)] }
        });
        Clip::new("", skeleton, frame_rate, poses.collect())
    }

    #[test]
    fn smooth_motion_has_no_defect_at_any_rate() {
        for rate in [24.0, 30.0, 60.0, 120.0, 240.0] {
            let clip = swinging(rate);
            assert_eq!(find_spikes(&clip), []);
            assert!(find_frozen(&clip).is_empty() && find_dropouts(&clip).is_empty());
            assert!(!measure_noise(&clip.skeleton, &clip.world()).is_visible());
        }
    }

    #[test]
    fn a_spike_is_named_by_frame_and_joint() {
        let mut clip = swinging(60.0);
        clip.pose_mut(40).local[1].rotation *= Quat::from_rotation_z(1.0);
        let spikes = find_spikes(&clip);
        assert_eq!(spikes.len(), 1);
        assert_eq!((spikes[0].frame, spikes[0].joint.index()), (40, 1));
        assert!((spikes[0].angle - 1.0).abs() < 0.1);
    }

    #[test]
    fn frozen_frames_and_dropouts_are_ranges() {
        let mut clip = swinging(60.0);
        for frame in 31..42 {
            let pose = clip.pose(30).to_pose();
            clip.pose_mut(frame).copy_from(&pose);
        }
        for frame in 60..64 {
            clip.pose_mut(frame)
                .copy_from(&Pose { local: vec![Transform::IDENTITY, Transform::from_translation(Vec3::Y)] });
        }
        assert_eq!(find_frozen(&clip), vec![Range { start: 30, end: 42 }]);
        assert_eq!(find_dropouts(&clip), vec![Range { start: 60, end: 64 }]);
    }

    #[test]
    fn a_pose_that_is_held_is_not_frozen() {
        let mut clip = swinging(60.0);
        // The swing turns back at its extreme, where it hardly moves; there it is held.
        let still = (0..clip.n_frames() - 1)
            .min_by(|&a, &b| {
                let speed = |f: usize| step(clip.pose(f), clip.pose(f + 1)).unwrap_or(0.0);
                speed(a).total_cmp(&speed(b))
            })
            .unwrap();
        let held = Poses::repeat(clip.pose(still), 30);
        clip.poses_mut().insert(still, &held);
        assert!(find_frozen(&clip).is_empty());
    }

    #[test]
    fn noise_is_told_from_motion() {
        let mut clip = swinging(60.0);
        for (frame, pose) in clip.poses_mut().iter_mut().enumerate() {
            let shake = if frame % 2 == 0 { 0.15 } else { -0.15 };
            pose.local[0].rotation *= Quat::from_rotation_z(shake);
        }
        assert!(measure_noise(&clip.skeleton, &clip.world()).is_visible());
    }

    #[test]
    fn clips_of_few_frames_are_fine() {
        for n in 0..3 {
            let mut clip = swinging(30.0);
            clip.poses_mut().truncate(n);
            assert!(find_spikes(&clip).is_empty() && find_frozen(&clip).is_empty());
            assert!(!measure_noise(&clip.skeleton, &clip.world()).is_visible());
        }
    }
}
