//! The warp between two clips, from their movement.

use crate::{
    CorrespondOptions, Correspondence, Curves, Quantity, Reference, Selection, TimeWarp, WarpError, correspond,
};
use surefoot_geom::{Mat3, Vec3, rotation};
use surefoot_motion::{JointId, Skeleton};

/// How much each joint counts.
#[derive(Clone, Debug, PartialEq)]
pub struct JointWeights {
    weights: Vec<f64>,
}

impl JointWeights {
    /// All joints alike.
    pub fn even(skeleton: &Skeleton) -> JointWeights {
        JointWeights { weights: vec![1.0; skeleton.n_joints()] }
    }

    /// The joints of a selection alike, and no others.
    pub fn only(skeleton: &Skeleton, selection: &Selection) -> JointWeights {
        JointWeights { weights: vec![0.0; skeleton.n_joints()] }.with(selection, 1.0)
    }

    /// With another weight, from 0, for the joints of a selection.
    pub fn with(mut self, selection: &Selection, weight: f64) -> JointWeights {
        selection.joints().for_each(|joint| self.weights[joint.index()] = weight);
        self
    }
}

/// How a warp is found.
#[derive(Clone, Debug, PartialEq)]
pub struct FindWarpOptions {
    /// How frames are compared. Anchors are pairs of frames of the clips, whatever their rates.
    pub correspond: CorrespondOptions,
    /// How far the warp is smoothed, in seconds: the standard deviation of a Gaussian.
    pub smoothing_seconds: f64,
}

impl Default for FindWarpOptions {
    fn default() -> FindWarpOptions {
        FindWarpOptions { correspond: CorrespondOptions::default(), smoothing_seconds: 0.04 }
    }
}

/// A warp between two clips.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundWarp {
    /// Which time of B belongs to each of A, each in its own frames.
    pub warp: TimeWarp,
    /// Which samples correspond: frames of A, and samples of B at A's rate, which are its frames if the rates are the same.
    pub path: Correspondence,
    /// What the path costs in a second: how unlike the movements are.
    pub cost: f64,
}

/// Finds which time of B belongs to each of A, from the rotations of all joints that have weight; not from the way over the ground.
/// Clips without such rotations, or of one frame, belong to each other at an even pace. Panics if the numbers of joints differ.
pub fn find_warp(
    a: &Curves,
    b: &Curves,
    weights: &JointWeights,
    options: &FindWarpOptions,
) -> Result<FoundWarp, WarpError> {
    let n_joints = a.skeleton.n_joints();
    assert!(b.skeleton.n_joints() == n_joints && weights.weights.len() == n_joints, "clips of one skeleton");
    let seconds = options.smoothing_seconds;
    if !(seconds.is_finite() && seconds >= 0.0) {
        return Err(WarpError::Option { field: "smoothing_seconds", value: seconds, wanted: "a number from 0" });
    }
    let frames_per_sample = samples_of(b, a.frame_rate);
    let n_samples = ((b.n_frames().max(1) - 1) as f64 / frames_per_sample).round() as usize + 1;
    let at_rate;
    let resampled = if frames_per_sample == 1.0 {
        b
    } else {
        let times: Vec<f64> = (0..n_samples).map(|sample| sample as f64 * frames_per_sample).collect();
        at_rate = b.sample(&times);
        &at_rate
    };
    let mut correspond_options = options.correspond.clone();
    for anchor in &mut correspond_options.anchors {
        anchor[1] = (anchor[1] as f64 / frames_per_sample).round() as usize;
    }
    let rows = rows_of(a, resampled, weights);
    let [rows_a, rows_b] = [0, 1].map(|side| rows.iter().map(|row| row.values[side].as_slice()).collect::<Vec<_>>());
    let row_weights: Vec<f64> = rows.iter().map(|row| row.weight).collect();
    let path = correspond(&rows_a, &rows_b, &row_weights, a.frame_rate, &correspond_options)?;
    let max_slope = options.correspond.max_slope.map_or(f64::INFINITY, |slope| slope as f64);
    let warp = path.to_warp(seconds * a.frame_rate, max_slope);
    let length = (path.pairs().len().max(1)) as f64 / a.frame_rate;
    let cost = path.cost / length;
    let warp = if frames_per_sample == 1.0 {
        warp
    } else {
        let knots = warp.knots().iter().map(|&[a, b]| [a, b * frames_per_sample]).collect();
        TimeWarp::from_knots(knots)?
    };
    Ok(FoundWarp { warp, path, cost })
}

/// How many frames of a clip pass from a sample to the next at about another rate, such that the last frame is a sample.
fn samples_of(curves: &Curves, rate: f64) -> f64 {
    let last = (curves.n_frames().max(1) - 1) as f64;
    let n_steps = (last * rate / curves.frame_rate).round();
    if n_steps >= 1.0 { last / n_steps } else { 1.0 }
}

/// A row of both clips.
struct Row {
    values: [Vec<f64>; 2],
    weight: f64,
}

fn rows_of(a: &Curves, b: &Curves, weights: &JointWeights) -> Vec<Row> {
    let mut rows = Vec::new();
    for track in a.tracks().iter().filter(|track| track.quantity == Quantity::Rotation(0)) {
        let (joint, weight) = (track.joint, weights.weights[track.joint.index()]);
        let [Some(row_a), Some(row_b)] = [a, b].map(|curves| curves.rotation_rows(joint)) else { continue };
        if are_comparable(a.reference(joint), b.reference(joint)) {
            rows.extend((0..3).map(|k| Row { values: [a.row(row_a + k).to_vec(), b.row(row_b + k).to_vec()], weight }));
        } else {
            let [columns_a, columns_b] = [a, b].map(|curves| matrix_rows(curves, joint));
            rows.extend(columns_a.into_iter().zip(columns_b).map(|(a, b)| Row { values: [a, b], weight }));
        }
    }
    rows
}

/// Whether rotation vectors about both references mean the same.
fn are_comparable(a: &Reference, b: &Reference) -> bool {
    !matches!(a, Reference::Local(_)) && a == b
}

/// Two columns of a joint's rotation matrix over time, which are comparable whatever the rotations are measured from; such that a
/// small turn changes them by as much as it changes a rotation vector.
fn matrix_rows(curves: &Curves, joint: JointId) -> Vec<Vec<f64>> {
    let first = curves.rotation_rows(joint).expect("the caller has looked");
    let scale = 0.75f64.sqrt();
    let mut rows = vec![Vec::with_capacity(curves.n_frames()); 6];
    for frame in 0..curves.n_frames() {
        let [x, y, z] = [0, 1, 2].map(|k| curves.row(first + k)[frame]);
        let matrix = Mat3::from_quat(curves.reference_at(joint, frame) * rotation::exp_map(Vec3::new(x, y, z)));
        let numbers = matrix.x_axis.to_array().into_iter().chain(matrix.y_axis.to_array());
        rows.iter_mut().zip(numbers).for_each(|(row, number)| row.push(number * scale));
    }
    rows
}
