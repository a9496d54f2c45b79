//! How far a motion is from a reference, joint by joint.
//!
//! 1. Joints are paired ([`super::pair_joints`]).
//! 2. The reference is looked at at the time of each frame of the motion, from both first frames on: positions between its
//!    frames by straight lines, rotations by slerp. Frames past the reference's end are left out.
//! 3. Distances in space, as they are (global) and with both pelvises moved to one place (root-relative); means over frames for
//!    each joint, each region and all.
//! 4. [`super::lafan`]: L2P, L2Q and NPSS of the same frames and joints.
//!
//! Nothing is aligned first: a motion beside the reference is wrong globally, and right relative to its root.

use super::Reference;
use super::lafan::{LafanErrors, measure_lafan};
use super::pair_joints::{BodyRegion, JointPair, pair_joints};
use super::stretch::{median_length, stretch_against};
use super::worst::Worst;
use surefoot_geom::rotation::slerp;
use surefoot_geom::{Quat, Vec3};
use surefoot_motion::{BodyMap, Clip, JointId, WorldPose};

/// Mean distances in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PositionError {
    /// In the world.
    pub global: f64,
    /// With both pelvises at one place.
    pub root_relative: f64,
}

/// A motion against its reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Reconstruction {
    /// Frames that were compared.
    pub n_frames: usize,
    /// Each pair of joints with its mean over the frames.
    pub joints: Vec<(JointPair, PositionError)>,
    /// The largest distance in the world.
    pub worst: Worst<JointId>,
    /// The largest distance with both pelvises at one place.
    pub worst_root_relative: Worst<JointId>,
    /// The largest stretch against the reference's median lengths, over the bones that both have; a share. `None` without a bone.
    pub stretch: Option<Worst<JointId>>,
    /// L2P, L2Q and NPSS.
    pub lafan: LafanErrors,
}

impl Reconstruction {
    /// The mean over all joints.
    pub fn mean(&self) -> PositionError {
        mean_error(self.joints.iter().map(|(_, error)| *error)).unwrap_or_default()
    }

    /// The mean over the joints of a region; `None` if it has none.
    pub fn mean_of(&self, region: BodyRegion) -> Option<PositionError> {
        mean_error(self.joints.iter().filter(|(pair, _)| pair.region == region).map(|(_, error)| *error))
    }
}

fn mean_error(errors: impl Iterator<Item = PositionError>) -> Option<PositionError> {
    let (mut sum, mut n) = (PositionError::default(), 0_usize);
    for error in errors {
        sum.global += error.global;
        sum.root_relative += error.root_relative;
        n += 1;
    }
    let share = 1.0 / n as f64;
    (n > 0).then_some(PositionError { global: sum.global * share, root_relative: sum.root_relative * share })
}

/// Where paired joints are in the frames that both motions have.
pub(super) struct PairedMotion {
    /// For each frame, for each pair.
    pub(super) positions: Vec<Vec<Vec3>>,
    /// For each frame, for each pair: in the world.
    pub(super) rotations: Vec<Vec<Quat>>,
    /// For each frame.
    pelvis: Vec<Vec3>,
}

/// Compares a motion with its reference; `None` without a frame that both have.
pub fn measure_reconstruction(
    clip: &Clip,
    poses: &[WorldPose],
    body: &BodyMap,
    reference: Reference<'_>,
) -> Option<Reconstruction> {
    let pairs = pair_joints(&clip.skeleton, body, &reference.clip.skeleton, reference.body);
    let mine = own_motion(poses, body, &pairs, n_shared_frames(clip, reference.clip));
    let theirs = reference_motion(reference, &pairs, mine.positions.len(), clip.frame_rate);
    let (world, rooted) = (Distances::new(&mine, &theirs, false), Distances::new(&mine, &theirs, true));
    let error = |k: usize| PositionError { global: world.mean(k), root_relative: rooted.mean(k) };
    let length_of = |joint: JointId| {
        let pair = pairs.iter().find(|pair| pair.joint == joint)?;
        // Only where the parents are a pair too do both have the same bone.
        let parents = (clip.skeleton.parent(joint), reference.clip.skeleton.parent(pair.reference));
        let same = pairs.iter().any(|above| (Some(above.joint), Some(above.reference)) == parents);
        same.then(|| median_length(reference.clip, pair.reference)).flatten()
    };
    Some(Reconstruction {
        n_frames: mine.positions.len(),
        worst: world.worst(&pairs)?,
        worst_root_relative: rooted.worst(&pairs)?,
        stretch: stretch_against(clip, body, length_of),
        lafan: measure_lafan(&mine, &theirs),
        joints: pairs.iter().enumerate().map(|(k, &pair)| (pair, error(k))).collect(),
    })
}

/// Frames of a clip that lie within its reference's time.
fn n_shared_frames(clip: &Clip, reference: &Clip) -> usize {
    if reference.poses().is_empty() {
        return 0;
    }
    // A frame at the reference's end counts although rounding may put it a little behind.
    let inside = ((reference.duration() + 1e-9) * clip.frame_rate).floor();
    clip.n_frames().min((inside as usize).saturating_add(1))
}

fn own_motion(poses: &[WorldPose], body: &BodyMap, pairs: &[JointPair], n_frames: usize) -> PairedMotion {
    let poses = &poses[..n_frames];
    let of = |pose: &WorldPose| pairs.iter().map(|pair| pose[pair.joint]).collect::<Vec<_>>();
    let frames: Vec<_> = poses.iter().map(of).collect();
    PairedMotion {
        positions: frames.iter().map(|frame| frame.iter().map(|joint| joint.translation).collect()).collect(),
        rotations: frames.iter().map(|frame| frame.iter().map(|joint| joint.rotation).collect()).collect(),
        pelvis: poses.iter().map(|pose| pose.position(body.pelvis)).collect(),
    }
}

/// The reference at the times of the first frames of a motion at another rate.
fn reference_motion(reference: Reference<'_>, pairs: &[JointPair], n_frames: usize, rate: f64) -> PairedMotion {
    let clip = reference.clip;
    let poses = clip.world();
    let last = poses.len().saturating_sub(1);
    let mut motion = PairedMotion { positions: Vec::new(), rotations: Vec::new(), pelvis: Vec::new() };
    for frame in 0..n_frames {
        let at = (frame as f64 / rate * clip.frame_rate).min(last as f64);
        let low = at as usize;
        let (a, b, share) = (&poses[low], &poses[(low + 1).min(last)], at - low as f64);
        let position = |joint: JointId| a.position(joint).lerp(b.position(joint), share);
        let rotation = |joint: JointId| slerp(a[joint].rotation, b[joint].rotation, share);
        motion.positions.push(pairs.iter().map(|pair| position(pair.reference)).collect());
        motion.rotations.push(pairs.iter().map(|pair| rotation(pair.reference)).collect());
        motion.pelvis.push(position(reference.body.pelvis));
    }
    motion
}

/// Distances of all pairs in all frames.
struct Distances(Vec<Vec<f64>>);

impl Distances {
    fn new(a: &PairedMotion, b: &PairedMotion, root_relative: bool) -> Distances {
        let frame = |k: usize| {
            let shift = if root_relative { b.pelvis[k] - a.pelvis[k] } else { Vec3::ZERO };
            a.positions[k].iter().zip(&b.positions[k]).map(|(a, b)| (*a + shift).distance(*b)).collect()
        };
        Distances((0..a.positions.len()).map(frame).collect())
    }

    fn mean(&self, pair: usize) -> f64 {
        self.0.iter().map(|frame| frame[pair]).sum::<f64>() / self.0.len().max(1) as f64
    }

    fn worst(&self, pairs: &[JointPair]) -> Option<Worst<JointId>> {
        Worst::of(self.0.iter().enumerate().flat_map(|(frame, distances)| {
            let with_joint = distances.iter().zip(pairs);
            with_joint.map(move |(&value, pair)| Worst { value, place: pair.joint, frame })
        }))
    }
}
