//! Lee and Shin's orientation filter on the joints of a clip.
//!
//! Reference: LEE-SHIN (2002). The filter itself is [`OrientationFilter`], which also smooths the walks of step
//! databases.
//!
//! Idea: a mask on rotations that depends on no coordinates: not on the reference that channels are written about, nor on
//! how far a joint turns. Of the five filters it is the one for joints that spin. Once is little, so it is applied
//! several times: n times is nearly a Gaussian with a standard deviation of `sqrt(n)` frames.
//!
//! The root has its tilt filtered. Its heading is a channel like place, height and translations, to which the
//! same mask is applied as it is: about one axis, and along a line, that is the same filter. These channels go on evenly
//! beyond their ends; rotations are held there, as the filter has it.

use super::{FilterError, check};
use crate::bands::{BandSplitter, Edge};
use crate::curves::{Curves, Quantity, Reference, nearest_turn};
use crate::selection::Selection;
use surefoot_geom::{OrientationFilter, Quat, Vec3, rotation};
use surefoot_motion::JointId;

/// How often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrientationOptions {
    /// How many times the mask `1/16 (1, 4, 6, 4, 1)` is applied, 1 to 1000. Default 4.
    pub passes: usize,
}

impl Default for OrientationOptions {
    fn default() -> OrientationOptions {
        OrientationOptions { passes: 4 }
    }
}

pub(super) fn smooth_orientations(
    curves: &mut Curves,
    selection: &Selection,
    options: &OrientationOptions,
) -> Result<(), FilterError> {
    check("passes", options.passes as f64, 1.0..=1000.0)?;
    let filter = OrientationFilter::smoothing();
    let mut splitter = BandSplitter::default();
    for channel in 0..curves.tracks().len() {
        let track = curves.tracks()[channel];
        if !selection.covers(track) {
            continue;
        }
        match track.quantity {
            Quantity::Rotation(0) => smooth_joint(curves, track.joint, channel, &filter, options.passes),
            Quantity::Rotation(_) => {}
            // Without its fastest band a channel is smoothed by this very mask.
            _ => {
                let channel = curves.channel_mut(channel);
                (0..options.passes).for_each(|_| splitter.weigh(channel, &[0.0], Edge::PointReflected));
            }
        }
    }
    Ok(())
}

fn smooth_joint(curves: &mut Curves, joint: JointId, channel: usize, filter: &OrientationFilter, passes: usize) {
    let n = curves.n_frames();
    let vector =
        |curves: &Curves, frame: usize| Vec3::from_array([0, 1, 2].map(|k| curves.channel(channel + k)[frame]));
    if (1..n).all(|frame| vector(curves, frame) == vector(curves, 0))
        && matches!(curves.reference(joint), Reference::Mean(_))
    {
        return;
    }
    // Without the heading of the root, which is a channel of its own.
    let reference = |curves: &Curves, frame: usize| match curves.reference(joint) {
        Reference::Turning(mean) => *mean,
        _ => curves.reference_at(joint, frame),
    };
    let mut rotations: Vec<Quat> =
        (0..n).map(|frame| reference(curves, frame) * rotation::exp_map(vector(curves, frame))).collect();
    for _ in 0..passes {
        rotations = filter.apply(&rotations);
    }
    for (frame, turned) in rotations.iter().enumerate() {
        // Of all vectors that mean this rotation, the one nearest to where the curve was.
        let near = vector(curves, frame);
        let smoothed = nearest_turn(rotation::log_map(reference(curves, frame).conjugate() * *turned), near);
        (0..3).for_each(|k| curves.channel_mut(channel + k)[frame] = smoothed[k]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};

    #[test]
    fn rotations_are_those_of_the_filter_applied_as_often() {
        let clip = synthetic_walk(&WalkerOptions::default()).take.clip;
        let mut curves = Curves::read(&clip);
        let root = curves.root();
        smooth_orientations(&mut curves, &Selection::all(&clip.skeleton), &OrientationOptions { passes: 3 }).unwrap();
        let poses = curves.to_poses();
        let filter = OrientationFilter::smoothing();
        for joint in clip.skeleton.ids().filter(|joint| *joint != root) {
            let mut wanted: Vec<Quat> = clip.poses().iter().map(|pose| pose[joint].rotation).collect();
            for _ in 0..3 {
                wanted = filter.apply(&wanted);
            }
            for (pose, wanted) in poses.iter().zip(wanted) {
                assert!(rotation::angle_between(pose[joint].rotation, wanted) < 1e-12);
            }
        }
    }
}
