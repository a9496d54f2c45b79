//! A clip as channels that any linear tool may edit, and back.
//!
//! # Rotations
//!
//! A rotation curve is not a vector curve: quaternions have two signs and unit length, angles wrap. Each joint's rotations
//! `q_i` are therefore written about a reference, `q_i = r_i exp(v_i)`, and the three numbers of `v_i` are the channels.
//!
//! - Ordinarily `r` is the mean of the joint's rotations over the clip. `v` is followed from frame to frame through angles
//!   beyond pi (of all vectors that mean the same rotation, the one nearest to the last frame's), so that a shoulder that
//!   swings through a half turn from its mean does not jump.
//! - The root (the joint that carries the body over the ground) may turn around many times. It has its heading split off:
//!   `r_i = turn(heading_i) m`, where the heading is a channel of its own, unrolled. Its position is kept in the world: height,
//!   and two channels for its place on the ground.
//! - A joint that turns farther than 3/4 of a circle from its mean (a somersault, a windmill) comes near the point where
//!   no vector is continuous, at a whole turn. There `r_i` is a local mean: the joint's own curve, smoothed. Then only what
//!   is faster than the local mean can be edited by filters, but everything stays continuous and valid.
//!
//! Whatever the reference, untouched channels give the clip back to rounding, and any numbers at all give unit quaternions.
//!
//! # Positions
//!
//! Every joint may be moved relative to its parent (files with positions on all joints). Translations that never change are
//! no channels; they are kept as they are.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;
use surefoot_geom::{Quat, Transform, Vec3, rotation};
use surefoot_motion::{Clip, JointId, PoseRef, Poses, Skeleton, count_frames};

/// What a channel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Track {
    /// Whose.
    pub joint: JointId,
    /// Which of its numbers.
    pub quantity: Quantity,
}

/// One number of a joint's transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// Component 0, 1 or 2 of the rotation vector about the joint's reference, in radians.
    Rotation(usize),
    /// Component of the translation relative to the parent, in metres.
    Translation(usize),
    /// Of the root: how far it has turned about the vertical axis, in radians, unrolled.
    Heading,
    /// Of the root: x (0) or z (1) in the world, in metres.
    Ground(usize),
    /// Of the root: its height in the world, in metres.
    Height,
}

impl Quantity {
    /// Whether it is an angle in radians; else it is a length in metres.
    pub fn is_angle(self) -> bool {
        matches!(self, Quantity::Rotation(_) | Quantity::Heading)
    }

    /// Whether it is part of the root trajectory.
    pub fn is_travel(self) -> bool {
        matches!(self, Quantity::Heading | Quantity::Ground(_))
    }
}

/// What a joint's rotation vectors are relative to.
#[derive(Clone, Debug, PartialEq)]
pub enum Reference {
    /// One rotation for the complete clip.
    Mean(Quat),
    /// Of the root: this rotation, turned about the vertical axis by the channel [`Quantity::Heading`].
    Turning(Quat),
    /// One rotation for each frame: a local mean.
    Local(Vec<Quat>),
    /// The joint never moves and lies above the root: it has no channels.
    Fixed(Quat),
}

/// A clip as channels, one channel for each degree of freedom. See the head of this file.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// Whose joints.
    pub skeleton: Arc<Skeleton>,
    /// Frames per second.
    pub frame_rate: f64,
    n_frames: usize,
    root: JointId,
    /// World transform of the root's parent, which never moves.
    above: Transform,
    references: Vec<Reference>,
    /// Translations of joints that have no channels for them.
    still: Vec<Vec3>,
    tracks: Vec<Track>,
    /// Channel after channel.
    values: Vec<f64>,
}

/// Vectors longer than this come near the whole turn, where they are not continuous.
const MAX_FROM_MEAN: f64 = 1.5 * PI;
/// Translations that change by less than this, in metres, do not change.
const STILL: f64 = 1e-9;
/// Width of a local mean, in seconds to each side; halved until it follows.
const LOCAL_MEAN_SECONDS: f64 = 0.5;
/// Where less than this share of a rotation is a turn about the vertical axis (its square), the body hangs head down, and the heading is
/// taken from the frames around.
const UPRIGHT: f64 = 0.25;

impl Curves {
    /// The channels of one clip.
    pub fn read(clip: &Clip) -> Curves {
        Curves::read_all(&[clip]).pop().expect("one for each clip")
    }

    /// The channels of several clips of one skeleton, about the same references, so that channels of one may be mixed with those of
    /// another. Panics if the numbers of joints differ; that their names and lengths agree is the caller's matter.
    pub fn read_all(clips: &[&Clip]) -> Vec<Curves> {
        let Some(first) = clips.first() else { return Vec::new() };
        let skeleton = &first.skeleton;
        for clip in clips {
            assert_eq!(clip.skeleton.n_joints(), skeleton.n_joints(), "clips of one skeleton");
        }
        let root = find_root(clips);
        let mut all: Vec<Curves> = clips.iter().map(|clip| Curves::empty(clip, root)).collect();
        for joint in skeleton.ids() {
            if joint == root {
                read_root(clips, &mut all, joint);
            } else if skeleton.is_at_or_above(joint, root) {
                for (curves, clip) in all.iter_mut().zip(clips) {
                    let local = clip.poses().first().map_or(skeleton.joint(joint).rest, |pose| pose[joint]);
                    curves.references.push(Reference::Fixed(local.rotation));
                    curves.still.push(local.translation);
                }
            } else {
                let rotations: Vec<Vec<Quat>> = clips.iter().map(|clip| rotations_of(clip, joint)).collect();
                push_rotations(&mut all, joint, &rotations);
                read_translation(clips, &mut all, joint);
            }
        }
        all
    }

    fn empty(clip: &Clip, root: JointId) -> Curves {
        let skeleton = clip.skeleton.clone();
        let n_joints = skeleton.n_joints();
        let mut above = Transform::IDENTITY;
        if let Some(pose) = clip.poses().first() {
            let mut joint = skeleton.parent(root);
            while let Some(ancestor) = joint {
                above = pose[ancestor] * above;
                joint = skeleton.parent(ancestor);
            }
        }
        Curves {
            frame_rate: clip.frame_rate,
            n_frames: clip.n_frames(),
            root,
            above,
            references: Vec::with_capacity(n_joints),
            still: Vec::with_capacity(n_joints),
            tracks: Vec::with_capacity(3 * n_joints + 4),
            values: Vec::with_capacity((3 * n_joints + 4) * clip.n_frames()),
            skeleton,
        }
    }

    /// How many frames there are.
    pub fn n_frames(&self) -> usize {
        self.n_frames
    }

    /// The joint that carries the body over the ground: the first, from the root down, that moves.
    pub fn root(&self) -> JointId {
        self.root
    }

    /// What each channel is.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// What the rotation vectors of a joint are relative to.
    pub fn reference(&self, joint: JointId) -> &Reference {
        &self.references[joint.index()]
    }

    /// One channel, a number for each frame.
    pub fn channel(&self, channel: usize) -> &[f64] {
        &self.values[channel * self.n_frames..(channel + 1) * self.n_frames]
    }

    /// One channel to write to.
    pub fn channel_mut(&mut self, channel: usize) -> &mut [f64] {
        &mut self.values[channel * self.n_frames..(channel + 1) * self.n_frames]
    }

    /// The channel of a track, if there is one.
    pub fn find(&self, track: Track) -> Option<usize> {
        self.tracks.iter().position(|candidate| *candidate == track)
    }

    /// The three channels of a joint's rotation, which lie one after another; `None` for a joint that has none.
    pub fn rotation_channels(&self, joint: JointId) -> Option<usize> {
        self.find(Track { joint, quantity: Quantity::Rotation(0) })
    }

    /// The reference rotation of a joint in one frame: in the world for the root, else relative to its parent.
    pub fn reference_at(&self, joint: JointId, frame: usize) -> Quat {
        match &self.references[joint.index()] {
            Reference::Mean(mean) | Reference::Fixed(mean) => *mean,
            Reference::Local(means) => means[frame],
            Reference::Turning(mean) => {
                let heading = self.find(Track { joint, quantity: Quantity::Heading }).expect("a channel beside it");
                Quat::from_rotation_y(self.channel(heading)[frame]) * *mean
            }
        }
    }

    /// The clip that the channels describe.
    pub fn to_clip(&self, name: &str) -> Clip {
        Clip::new(name.to_string(), self.skeleton.clone(), self.frame_rate, self.to_poses())
    }

    /// The poses that the channels describe.
    pub fn to_poses(&self) -> Poses {
        let joints = self.references.iter().zip(&self.still);
        let at_rest: Vec<Transform> = joints
            .map(|(reference, still)| match reference {
                Reference::Fixed(rotation) => Transform::new(*rotation, *still),
                _ => Transform::new(Quat::IDENTITY, *still),
            })
            .collect();
        let mut poses = Poses::repeat(PoseRef { local: &at_rest }, self.n_frames);
        let mut channel = 0;
        while let Some(track) = self.tracks.get(channel) {
            let joint = track.joint;
            let [a, b, c] =
                [0, 1, 2].map(|k| if channel + k < self.tracks.len() { self.channel(channel + k) } else { &[] });
            match track.quantity {
                Quantity::Rotation(_) => {
                    for (frame, mut pose) in poses.iter_mut().enumerate() {
                        let turn = rotation::exp_map(Vec3::new(a[frame], b[frame], c[frame]));
                        pose[joint].rotation = match &self.references[joint.index()] {
                            Reference::Mean(mean) | Reference::Fixed(mean) => (*mean * turn).normalize(),
                            Reference::Local(means) => (means[frame] * turn).normalize(),
                            // The heading follows in a channel of its own.
                            Reference::Turning(mean) => *mean * turn,
                        };
                    }
                    channel += 3;
                }
                Quantity::Translation(_) => {
                    for (frame, mut pose) in poses.iter_mut().enumerate() {
                        pose[joint].translation = Vec3::new(a[frame], b[frame], c[frame]);
                    }
                    channel += 3;
                }
                Quantity::Heading => {
                    for (mut pose, heading) in poses.iter_mut().zip(a) {
                        let rotation = &mut pose[joint].rotation;
                        *rotation = (Quat::from_rotation_y(*heading) * *rotation).normalize();
                    }
                    channel += 1;
                }
                Quantity::Ground(_) | Quantity::Height => {
                    // The order in which they were written: x, z, height.
                    for (frame, mut pose) in poses.iter_mut().enumerate() {
                        pose[joint].translation = Vec3::new(a[frame], c[frame], b[frame]);
                    }
                    channel += 3;
                }
            }
        }
        let from_world = self.above.inverse();
        if self.skeleton.parent(self.root).is_some() {
            for mut pose in &mut poses {
                pose[self.root] = from_world * pose[self.root];
            }
        }
        poses
    }

    /// The curves at other times, each given in frames from the first: cubics through the frames (Catmull-Rom), exact where
    /// a time is a frame. Times outside are those of the first and last frame.
    pub fn sample(&self, times: &[f64]) -> Curves {
        // Without frames there is nothing to be at any time.
        let times = if self.n_frames == 0 { &[] } else { times };
        let last = self.n_frames.saturating_sub(1);
        let places: Vec<(usize, f64)> = times
            .iter()
            .map(|time| {
                let time = if time.is_nan() { 0.0 } else { time.clamp(0.0, last as f64) };
                let frame = (time.floor() as usize).min(last.saturating_sub(1));
                (frame, time - frame as f64)
            })
            .collect();
        let mut values = Vec::with_capacity(times.len() * self.tracks.len());
        for channel in 0..self.tracks.len() {
            let channel = self.channel(channel);
            values.extend(places.iter().map(|&(frame, t)| cubic(channel, frame, t)));
        }
        let between = |means: &[Quat]| {
            let at = |&(frame, t): &(usize, f64)| means[frame].slerp(means[(frame + 1).min(last)], t);
            places.iter().map(at).collect()
        };
        let references = self.references.iter().map(|reference| match reference {
            Reference::Local(means) => Reference::Local(between(means)),
            other => other.clone(),
        });
        Curves { n_frames: times.len(), references: references.collect(), values, ..self.without_values() }
    }

    /// The first frames.
    pub(crate) fn first_frames(&self, n_frames: usize) -> Curves {
        let frames: Vec<f64> = (0..n_frames.min(self.n_frames)).map(|frame| frame as f64).collect();
        self.sample(&frames)
    }

    /// These frames, then those of a clip with the same channels. Nothing is blended or moved.
    pub(crate) fn followed_by(&self, next: &Curves) -> Curves {
        assert_eq!(self.tracks, next.tracks, "clips that were read together");
        let mut values = Vec::with_capacity(self.values.len() + next.values.len());
        for channel in 0..self.tracks.len() {
            values.extend_from_slice(self.channel(channel));
            values.extend_from_slice(next.channel(channel));
        }
        let references = self.references.iter().zip(&next.references).map(|pair| match pair {
            (Reference::Local(a), Reference::Local(b)) => Reference::Local(a.iter().chain(b).copied().collect()),
            (reference, _) => reference.clone(),
        });
        let n_frames = self.n_frames + next.n_frames;
        Curves { n_frames, references: references.collect(), values, ..self.without_values() }
    }

    /// Gives a joint whose reference changes from frame to frame another one.
    pub(crate) fn set_local_reference(&mut self, joint: JointId, means: Vec<Quat>) {
        assert_eq!(means.len(), self.n_frames, "one for each frame");
        self.references[joint.index()] = Reference::Local(means);
    }

    /// Everything but frames.
    fn without_values(&self) -> Curves {
        Curves {
            skeleton: self.skeleton.clone(),
            frame_rate: self.frame_rate,
            n_frames: 0,
            root: self.root,
            above: self.above,
            references: Vec::new(),
            still: self.still.clone(),
            tracks: self.tracks.clone(),
            values: Vec::new(),
        }
    }

    fn push_channel(&mut self, joint: JointId, quantity: Quantity, channel: impl IntoIterator<Item = f64>) {
        self.tracks.push(Track { joint, quantity });
        self.values.extend(channel);
        debug_assert_eq!(self.values.len(), self.tracks.len() * self.n_frames, "a number for each frame");
    }

    fn push_vectors(&mut self, joint: JointId, quantity: impl Fn(usize) -> Quantity, vectors: &[Vec3]) {
        for k in 0..3 {
            self.push_channel(joint, quantity(k), vectors.iter().map(|vector| vector[k]));
        }
    }
}

/// Catmull-Rom between a frame and the next; written in differences, so that equal numbers give themselves exactly.
fn cubic(channel: &[f64], frame: usize, t: f64) -> f64 {
    let a = channel[frame];
    if t == 0.0 || frame + 1 >= channel.len() {
        return a;
    }
    let step = channel[frame + 1] - a;
    let slope_a = if frame == 0 { step } else { (step + (a - channel[frame - 1])) / 2.0 };
    let slope_b = channel.get(frame + 2).map_or(step, |later| (step + (later - channel[frame + 1])) / 2.0);
    a + (slope_a + ((step * 3.0 - slope_a * 2.0 - slope_b) + (slope_a + slope_b - step * 2.0) * t) * t) * t
}

fn rotations_of(clip: &Clip, joint: JointId) -> Vec<Quat> {
    clip.poses().iter().map(|pose| pose[joint].rotation).collect()
}

/// The first joint from the root down that moves in any clip while none above it does: a root, or the hips below a root
/// that stands still.
pub(crate) fn find_root(clips: &[&Clip]) -> JointId {
    let skeleton = &clips[0].skeleton;
    let moves = |joint: JointId| {
        clips.iter().any(|clip| {
            let first = clip.poses().first().map(|pose| pose[joint]);
            let differs = |at: Transform| {
                let from = first.expect("a frame");
                at.translation.distance(from.translation) > STILL
                    || rotation::angle_between(at.rotation, from.rotation) > STILL
            };
            clip.poses().iter().any(|pose| differs(pose[joint]))
        })
    };
    let children = skeleton.children();
    let mut roots = skeleton.roots();
    let first = roots.next().unwrap_or(JointId::new(0));
    let root = std::iter::once(first).chain(roots).find(|root| moves(*root)).unwrap_or(first);
    let mut joint = root;
    while !moves(joint) {
        let mut moving = children[joint.index()].iter().copied().filter(|child| moves(*child));
        match (moving.next(), moving.next(), children[joint.index()].as_slice()) {
            (Some(child), None, _) => return child,
            (None, None, [only]) => joint = *only,
            // Several children move on their own, or nothing below is known to travel.
            _ => return root,
        }
    }
    joint
}

fn push_rotations(all: &mut [Curves], joint: JointId, rotations: &[Vec<Quat>]) {
    let mean = mean_rotation(rotations);
    let vectors: Vec<Vec<Vec3>> = rotations.iter().map(|rotations| vectors_about(rotations, |_| mean)).collect();
    if !vectors.iter().any(|vectors| strays(vectors)) {
        for (curves, vectors) in all.iter_mut().zip(&vectors) {
            curves.references.push(Reference::Mean(mean));
            curves.push_vectors(joint, Quantity::Rotation, vectors);
        }
        return;
    }
    for (curves, rotations) in all.iter_mut().zip(rotations) {
        push_about_local_mean(curves, joint, rotations);
    }
}

fn push_about_local_mean(curves: &mut Curves, joint: JointId, rotations: &[Quat]) {
    let means = local_means(rotations, curves.frame_rate);
    let vectors = vectors_about(rotations, |frame| means[frame]);
    curves.references.push(Reference::Local(means));
    curves.push_vectors(joint, Quantity::Rotation, &vectors);
}

fn strays(vectors: &[Vec3]) -> bool {
    vectors.iter().any(|vector| vector.length() > MAX_FROM_MEAN)
}

/// The normalised sum of the curves' quaternions, each curve followed without changes of sign: near the mean of rotations
/// that lie together, and cheap. It is only where vectors are measured from.
fn mean_rotation(curves: &[Vec<Quat>]) -> Quat {
    let Some(first) = curves.iter().find_map(|curve| curve.first()).copied() else { return Quat::IDENTITY };
    let mut sum = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    for curve in curves {
        let mut last = first;
        for rotation in curve {
            last = rotation::same_hemisphere(*rotation, last);
            sum += last;
        }
    }
    if sum.length_squared() < 1e-6 { first } else { sum.normalize() }
}

/// Rotation vectors about a reference, followed through angles beyond pi.
fn vectors_about(rotations: &[Quat], reference: impl Fn(usize) -> Quat) -> Vec<Vec3> {
    let mut last = Vec3::ZERO;
    let follow = |(frame, rotation): (usize, &Quat)| {
        let vector = rotation::log_map(reference(frame).conjugate() * *rotation);
        last = if frame == 0 { vector } else { nearest_turn(vector, last) };
        last
    };
    rotations.iter().enumerate().map(follow).collect()
}

/// Of all rotation vectors that mean the same as `vector`, the one nearest to `last`.
pub(crate) fn nearest_turn(vector: Vec3, last: Vec3) -> Vec3 {
    // Below half a turn from each other no other can be nearer.
    if vector.distance_squared(last) < 1.0 {
        return vector;
    }
    let axis = vector.try_normalize().or_else(|| last.try_normalize()).unwrap_or(Vec3::X);
    let turns = ((last - vector).dot(axis) / TAU).round();
    vector + axis * (turns * TAU)
}

/// A joint's own curve, smoothed until the curve stays near it.
fn local_means(rotations: &[Quat], frame_rate: f64) -> Vec<Quat> {
    let mut continuous = rotations.to_vec();
    rotation::make_continuous(&mut continuous);
    let mut reach = count_frames((LOCAL_MEAN_SECONDS * frame_rate).round());
    loop {
        let mut means = continuous.clone();
        // Three boxes are nearly a Gaussian.
        for _ in 0..3 {
            means = box_means(&means, reach);
        }
        if reach == 0 || !strays(&vectors_about(rotations, |frame| means[frame])) {
            return means;
        }
        reach /= 2;
    }
}

fn box_means(rotations: &[Quat], reach: usize) -> Vec<Quat> {
    let mut sums = vec![Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)];
    for rotation in rotations {
        sums.push(*sums.last().expect("begun with one") + *rotation);
    }
    let mean = |frame: usize| {
        // Symmetric also at the ends, so that the mean does not lag there.
        let reach = reach.min(frame).min(rotations.len() - 1 - frame);
        let sum = sums[frame + reach + 1] - sums[frame - reach];
        if sum.length_squared() < 1e-12 { rotations[frame] } else { sum.normalize() }
    };
    (0..rotations.len()).map(mean).collect()
}

fn read_translation(clips: &[&Clip], all: &mut [Curves], joint: JointId) {
    let rest = clips[0].skeleton.joint(joint).rest.translation;
    let still = clips.iter().find_map(|clip| clip.poses().first()).map_or(rest, |pose| pose[joint].translation);
    let moves =
        clips.iter().any(|clip| clip.poses().iter().any(|pose| pose[joint].translation.distance(still) > STILL));
    for (curves, clip) in all.iter_mut().zip(clips) {
        curves.still.push(still);
        if moves {
            let vectors: Vec<Vec3> = clip.poses().iter().map(|pose| pose[joint].translation).collect();
            curves.push_vectors(joint, Quantity::Translation, &vectors);
        }
    }
}

/// Heading, tilt and place of the joint that carries the body, in the world.
fn read_root(clips: &[&Clip], all: &mut [Curves], joint: JointId) {
    let world: Vec<Vec<Transform>> = clips
        .iter()
        .zip(all.iter())
        .map(|(clip, curves)| clip.poses().iter().map(|pose| curves.above * pose[joint]).collect())
        .collect();
    let zero = world.iter().find_map(|frames| frames.first()).map_or(Quat::IDENTITY, |first| first.rotation);
    let headings: Vec<Vec<f64>> = world.iter().map(|frames| headings_from(frames, zero)).collect();
    let tilts: Vec<Vec<Quat>> = world
        .iter()
        .zip(&headings)
        .map(|(frames, headings)| {
            let tilt = |(at, heading): (&Transform, &f64)| Quat::from_rotation_y(-heading) * at.rotation;
            frames.iter().zip(headings).map(tilt).collect()
        })
        .collect();
    let mean = mean_rotation(&tilts);
    let vectors: Vec<Vec<Vec3>> = tilts.iter().map(|tilts| vectors_about(tilts, |_| mean)).collect();
    let is_wild = vectors.iter().any(|vectors| strays(vectors));
    for (clip, curves) in all.iter_mut().enumerate() {
        if is_wild {
            let rotations: Vec<Quat> = world[clip].iter().map(|at| at.rotation).collect();
            push_about_local_mean(curves, joint, &rotations);
        } else {
            curves.references.push(Reference::Turning(mean));
            curves.push_vectors(joint, Quantity::Rotation, &vectors[clip]);
            curves.push_channel(joint, Quantity::Heading, headings[clip].iter().copied());
        }
        curves.still.push(Vec3::ZERO);
        let places = || world[clip].iter().map(|at| at.translation);
        curves.push_channel(joint, Quantity::Ground(0), places().map(|place| place.x));
        curves.push_channel(joint, Quantity::Ground(1), places().map(|place| place.z));
        curves.push_channel(joint, Quantity::Height, places().map(|place| place.y));
    }
}

/// How far each frame is turned about the vertical axis from `zero`, unrolled. Frames that hang head down, where this has no
/// answer, get what lies between their neighbours.
fn headings_from(frames: &[Transform], zero: Quat) -> Vec<f64> {
    let turn = |at: &Transform| {
        let from_zero = at.rotation * zero.conjugate();
        let share = from_zero.w * from_zero.w + from_zero.y * from_zero.y;
        (share > UPRIGHT).then(|| 2.0 * from_zero.y.atan2(from_zero.w))
    };
    let mut headings = vec![0.0; frames.len()];
    let mut known: Option<(usize, f64)> = None;
    for (frame, at) in frames.iter().enumerate() {
        let Some(raw) = turn(at) else { continue };
        let (from, last) = known.unwrap_or((0, raw));
        let heading = surefoot_geom::nearest_turn(raw, last);
        let start = if known.is_some() { last } else { heading };
        for (k, slot) in headings[from..=frame].iter_mut().enumerate() {
            let t = if frame == from { 1.0 } else { k as f64 / (frame - from) as f64 };
            *slot = start + (heading - start) * t;
        }
        known = Some((frame, heading));
    }
    if let Some((from, last)) = known {
        headings[from..].fill(last);
    }
    headings
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_motion::Joint;

    /// Untouched channels give the clip back.
    fn check_round_trip(clip: &Clip) -> Curves {
        let curves = Curves::read(clip);
        let back = curves.to_poses();
        assert_eq!(back.len(), clip.n_frames());
        for (frame, (a, b)) in clip.poses().iter().zip(&back).enumerate() {
            for (joint, (a, b)) in a.local.iter().zip(b.local).enumerate() {
                assert!(rotation::angle_between(a.rotation, b.rotation) < 1e-12, "frame {frame} joint {joint}");
                assert!(a.translation.distance(b.translation) < 1e-12, "frame {frame} joint {joint}");
                assert!((b.rotation.length() - 1.0).abs() < 1e-12);
            }
        }
        curves
    }

    /// No channel moves by more than `limit` from a frame to the next.
    fn check_continuous(curves: &Curves, limit: f64) {
        for (channel, track) in curves.tracks().iter().enumerate() {
            for pair in curves.channel(channel).windows(2) {
                assert!((pair[1] - pair[0]).abs() < limit, "{track:?}: {pair:?}");
            }
        }
    }

    fn chain(n: usize) -> Arc<Skeleton> {
        let joint = |index: usize| Joint {
            name: format!("j{index}"),
            parent: index.checked_sub(1).map(JointId::new),
            rest: Transform::new(Quat::IDENTITY, Vec3::new(0.0, 0.3, 0.0)),
        };
        Arc::new(Skeleton::new((0..n).map(joint).collect(), Vec::new()).expect("a chain"))
    }

    fn clip_of(n_joints: usize, n_frames: usize, at: impl Fn(usize, f64) -> Quat) -> Clip {
        let skeleton = chain(n_joints);
        let pose = |frame: usize| {
            let mut pose = skeleton.rest_pose();
            for joint in 0..n_joints {
                let sign = if (frame + joint).is_multiple_of(3) { -1.0 } else { 1.0 };
                pose.local[joint].rotation = at(joint, frame as f64 / 60.0) * sign;
            }
            pose
        };
        Clip::new("made", skeleton.clone(), 60.0, (0..n_frames).map(pose).collect())
    }

    #[test]
    fn a_walk_comes_back_and_is_continuous() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let curves = check_round_trip(&walk.take.clip);
        check_continuous(&curves, 0.35);
        assert_eq!(curves.root(), walk.take.body.pelvis);
    }

    #[test]
    fn turning_many_times_with_a_tilt_is_continuous() {
        let clip = clip_of(2, 600, |joint, t| match joint {
            0 => Quat::from_rotation_y(3.0 * t) * Quat::from_rotation_x(0.3 * (5.0 * t).sin()),
            _ => Quat::from_rotation_z(2.9 * (4.0 * t).sin()),
        });
        let curves = check_round_trip(&clip);
        check_continuous(&curves, 0.3);
        let heading = curves.find(Track { joint: JointId::new(0), quantity: Quantity::Heading }).expect("a heading");
        assert!((curves.channel(heading)[599] - 3.0 * 599.0 / 60.0).abs() < 0.2);
    }

    #[test]
    fn somersaults_and_windmills_are_continuous() {
        let clip = clip_of(3, 400, |joint, t| match joint {
            0 => Quat::from_rotation_x(6.0 * t) * Quat::from_rotation_z(0.2),
            1 => Quat::from_rotation_z(9.0 * t) * Quat::from_rotation_x(0.4 * (7.0 * t).sin()),
            _ => Quat::from_rotation_x(0.2),
        });
        let curves = check_round_trip(&clip);
        check_continuous(&curves, 0.5);
        assert!(matches!(curves.reference(JointId::new(1)), Reference::Local(_)));
        assert!(matches!(curves.reference(JointId::new(2)), Reference::Mean(_)));
    }

    #[test]
    fn hips_below_a_still_root_travel_in_the_world() {
        let mut clip = clip_of(3, 50, |joint, t| match joint {
            0 => Quat::from_rotation_x(-PI / 2.0),
            1 => Quat::from_rotation_x(PI / 2.0) * Quat::from_rotation_y(t),
            _ => Quat::from_rotation_z(t),
        });
        for (frame, pose) in clip.poses_mut().iter_mut().enumerate() {
            pose.local[1].translation.y = 0.01 * frame as f64;
        }
        let curves = check_round_trip(&clip);
        assert_eq!(curves.root(), JointId::new(1));
        // The root lays Y down to -Z: what the file calls up is the direction ahead.
        let ground = curves.find(Track { joint: JointId::new(1), quantity: Quantity::Ground(1) }).expect("a place");
        assert!((curves.channel(ground)[49] + 0.49).abs() < 1e-9);
    }

    #[test]
    fn sampling_is_exact_at_frames_and_between_them_on_the_curve() {
        let clip = clip_of(2, 120, |joint, t| match joint {
            0 => Quat::from_rotation_y(2.0 * t),
            _ => Quat::from_rotation_z((3.0 * t).sin()),
        });
        let curves = Curves::read(&clip);
        let times: Vec<f64> = (0..120).map(f64::from).collect();
        assert_eq!(curves.sample(&times), curves);
        let half = curves.sample(&[30.5]).to_poses();
        let wanted = Quat::from_rotation_z((3.0 * 30.5 / 60.0f64).sin());
        assert!(rotation::angle_between(half.pose(0).local[1].rotation, wanted) < 1e-5);
    }

    #[test]
    fn clips_of_no_frame_and_of_one_frame_are_clips() {
        for n in [0, 1] {
            let clip = clip_of(2, n, |_, _| Quat::from_rotation_x(1.0));
            let curves = check_round_trip(&clip);
            assert_eq!(curves.sample(&[0.0]).n_frames(), n);
        }
    }
}
