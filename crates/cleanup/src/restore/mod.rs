//! Restoration: video-like and retargeted motion brought back to what was before noise, drift and a wrong scale.
//!
//! Footskate cleanup enforces plants on whatever legs it is given. In motion from video the legs are noisy, the root drifts, and what is
//! planted is hard to see: cleaned feet stand still in the wrong place under trembling knees. So before plants are enforced,
//! everything that they depend on is estimated together:
//!
//! 1. Each joint's noise is measured and filtered by its own level, bursts more than the rest ([`denoise`]).
//! 2. Contacts are detected in what is left.
//! 3. Planted feet tell the root's errors: a wrong scale, and a drift along the ground ([`follow_plants`]).
//! 4. The ground is estimated from the plants where none is given, and the root's height follows it.
//! 5. Feet that stand more still are detected better: 2 to 4 again.
//!
//! What follows is [`footskate`](crate::footskate), which finds hardly anything left to move.
//!
//! Frames that are no motion, and what is between them, are separate recordings: nothing is smoothed across a teleport.
//!
//! Limits: where the body was during a slow drift nobody can know, only how it moved. A skeleton of the wrong size is not noticed, only a root
//! that moves by too much or too little for its legs.

mod denoise;
mod follow_plants;
#[cfg(test)]
mod tests;

use denoise::{Channel, LEAST_FRAMES, denoise};
use follow_plants::{correct_drift, correct_height, find_scale, is_drifting, slides};
use std::ops::Range;
use surefoot_contact::{DetectOptions, Plant, Take, detect_contacts, estimate_ground, find_dead_segments};
use surefoot_geom::{Transform, Vec3, ground_point, median};
use surefoot_ground::Terrain;
use surefoot_motion::{BodyMap, Clip, JointId, Side};

/// The ball joint of a planted foot is about this high above the floor in recordings, in metres.
const USUAL_BALL: f64 = 0.035;

/// How often contacts and root are solved.
const ROUNDS: usize = 2;

/// A restored take, and what was wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Restored {
    /// The motion, and its contacts; they are not enforced yet.
    pub take: Take,
    /// The usual noise of joints: the median of their standard deviations per axis, in radians.
    pub joint_noise: f64,
    /// The usual noise of the root along each axis, in metres.
    pub root_noise: f64,
    /// What the root's trajectory was scaled by: 1 if it was right.
    pub scale: f64,
    /// The farthest that the root was moved along the ground after that, in metres.
    pub drift: f64,
    /// The median of what the root was lifted by, in metres; negative if it was lowered.
    pub lift: f64,
}

/// Restores a take, on a terrain or on the ground that its plants give. Contacts that are `given` are kept; else those of the take are
/// forgotten and detected again.
pub fn restore(take: &Take, given: bool, terrain: Option<&Terrain>) -> Restored {
    let mut take = take.clone();
    let runs = live_runs(&take.clip, &take.body);
    let (joint_noise, root_noise) = denoise_clip(&mut take.clip, &runs);
    let mut restored = Restored { joint_noise, root_noise, scale: 1.0, drift: 0.0, lift: 0.0, take };
    for _ in 0..ROUNDS {
        restored.find_contacts(given);
        restored.follow_scale();
        restored.follow_plants(&runs, terrain);
    }
    restored.find_contacts(given);
    restored
}

/// The runs of frames that are motion.
fn live_runs(clip: &Clip, body: &BodyMap) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut start = 0;
    for dead in find_dead_segments(&clip.world(), body, clip.frame_rate) {
        // A teleport is a frame of the motion that goes on there.
        runs.push(start..dead.frames.start.max(start));
        start = if dead.frames.len() == 1 { dead.frames.start } else { dead.frames.end };
    }
    runs.push(start..clip.n_frames());
    runs.retain(|run| run.len() >= LEAST_FRAMES);
    runs
}

/// Filters every joint, and returns the usual noise of joints and root.
fn denoise_clip(clip: &mut Clip, runs: &[Range<usize>]) -> (f64, f64) {
    let (n_joints, frame_rate) = (clip.skeleton.n_joints(), clip.frame_rate);
    let roots: Vec<usize> = clip.skeleton.roots().map(JointId::index).collect();
    let (mut turns, mut moves) = (Vec::new(), Vec::new());
    let transforms = clip.poses_mut().transforms_mut();
    for run in runs {
        for joint in 0..n_joints {
            let frames = || run.clone().map(|frame| frame * n_joints + joint);
            let mut curve: Vec<Transform> = frames().map(|at| transforms[at]).collect();
            let turn = denoise(&mut curve, Channel::Rotation, frame_rate);
            let moved = denoise(&mut curve, Channel::Translation, frame_rate);
            turns.extend((turn > 0.0).then_some(turn));
            moves.extend(roots.contains(&joint).then_some(moved));
            frames().zip(curve).for_each(|(at, local)| transforms[at] = local);
        }
    }
    (median(&mut turns).unwrap_or(0.0), median(&mut moves).unwrap_or(0.0))
}

impl Restored {
    fn find_contacts(&mut self, given: bool) {
        if given {
            let poses = self.take.clip.world();
            self.take.contacts.place_plants(&poses, &self.take.body);
            return;
        }
        let Take { clip, body, contacts } = &mut self.take;
        *contacts = detect_contacts(&clip.world(), body, clip.frame_rate, &DetectOptions::default()).contacts;
    }

    /// Scales the root's trajectory, if its planted feet slide by a share of what it moves. Its height goes along where feet are
    /// nearer to a floor at 0 then.
    fn follow_scale(&mut self) {
        let Take { clip, body, contacts } = &mut self.take;
        let poses = clip.world();
        let pelvis: Vec<Vec3> = poses.iter().map(|pose| pose.position(body.pelvis)).collect();
        let Some(scale) = find_scale(&slides(&poses, body, contacts, clip.frame_rate), &pelvis, clip.frame_rate) else {
            return;
        };
        let height = median(&mut pelvis.iter().map(|place| place.y).collect::<Vec<f64>>()).unwrap_or(0.0);
        let floor = estimate_ground(contacts).map(|ground| ground.levels[0]);
        let lift = (scale - 1.0) * height;
        let is_nearer = floor.is_some_and(|floor| (floor + lift - USUAL_BALL).abs() < (floor - USUAL_BALL).abs());
        let rise = if is_nearer { scale } else { 1.0 };
        shift_roots(clip, |_, place| place * Vec3::new(scale, rise, scale) - place);
        contacts.place_plants(&clip.world(), body);
        self.scale *= scale;
    }

    /// Moves the root until planted feet stand still, at the height of the ground.
    fn follow_plants(&mut self, runs: &[Range<usize>], terrain: Option<&Terrain>) {
        let Take { clip, body, contacts } = &mut self.take;
        let (poses, frame_rate) = (clip.world(), clip.frame_rate);
        let Some(ground) = estimate_ground(contacts) else { return };
        let floor = terrain.or((ground.levels.len() == 1).then_some(&ground.terrain));
        let surface = |side: Side, index: usize, plant: &Plant| match floor {
            Some(floor) => floor.height(ground_point(plant.position)),
            None => ground.heights[side][index],
        };
        let slides = slides(&poses, body, contacts, frame_rate);
        let mut moves = vec![Vec3::ZERO; poses.len()];
        let roots: Vec<Vec3> = poses.iter().map(|pose| pose.position(body.pelvis)).collect();
        if is_drifting(&slides, &roots, frame_rate) {
            moves = correct_drift(&slides, runs, poses.len(), frame_rate);
        }
        let rises = correct_height(&poses, body, contacts, frame_rate, terrain.is_some(), surface);
        self.drift = self.drift.max(moves.iter().fold(0.0, |most, by| most.max(by.length())));
        self.lift += median(&mut rises.clone()).unwrap_or(0.0);
        moves.iter_mut().zip(rises).for_each(|(by, rise)| by.y = rise);
        shift_roots(clip, |frame, _| moves[frame]);
    }
}

/// Moves the roots of every frame.
fn shift_roots(clip: &mut Clip, by: impl Fn(usize, Vec3) -> Vec3) {
    let skeleton = clip.skeleton.clone();
    for (frame, mut pose) in clip.poses_mut().iter_mut().enumerate() {
        for root in skeleton.roots() {
            let place = pose[root].translation;
            pose[root].translation = place + by(frame, place);
        }
    }
}
