//! How far bones are stretched: the length from a joint to its parent against what it should be.
//!
//! Looked at are joints below the pelvis whose bone is longer than [`MIN_BONE`]: a root may move freely, and joints that sit on
//! their parents (skeletons have them) have no length to stretch. Three lengths can be compared with: the clip's own median, which
//! shows bones that change; the skeleton's rest pose, which shows bones that are wrong throughout; and another clip's median.

use super::worst::Worst;
use crate::order_statistics::quantile;
use surefoot_motion::{BodyMap, Clip, JointId, Skeleton};

/// Bones shorter than this, in metres, are no bones.
pub const MIN_BONE: f64 = 0.005;

/// The largest stretch, as a share of the length compared with: 0.02 for a bone 2 % too long or too short. `None` without a bone
/// or a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stretch {
    /// Against the clip's own median lengths.
    pub of_median: Option<Worst<JointId>>,
    /// Against the skeleton's rest pose.
    pub of_rest: Option<Worst<JointId>>,
}

/// Measures all bones of a clip.
pub fn measure_stretch(clip: &Clip, body: &BodyMap) -> Stretch {
    let rest = |joint: JointId| clip.skeleton.joint(joint).rest.translation.length();
    Stretch {
        of_median: stretch_against(clip, body, |joint| median_length(clip, joint)),
        of_rest: stretch_against(clip, body, |joint| Some(rest(joint))),
    }
}

/// The largest stretch against lengths of any origin; bones for which it gives `None` are left out.
pub fn stretch_against(
    clip: &Clip,
    body: &BodyMap,
    length_of: impl Fn(JointId) -> Option<f64>,
) -> Option<Worst<JointId>> {
    let bones = clip.skeleton.ids().filter(|&joint| is_below(&clip.skeleton, body.pelvis, joint));
    Worst::of(bones.filter_map(|joint| {
        let should = length_of(joint).filter(|&length| length > MIN_BONE)?;
        let stretch = |length: f64| (length / should - 1.0).abs();
        let lengths = lengths(clip, joint).enumerate();
        Worst::of(lengths.map(|(frame, length)| Worst { value: stretch(length), place: joint, frame }))
    }))
}

/// The median length of a bone over a clip.
pub fn median_length(clip: &Clip, joint: JointId) -> Option<f64> {
    quantile(&lengths(clip, joint).collect::<Vec<f64>>(), 0.5)
}

fn lengths(clip: &Clip, joint: JointId) -> impl Iterator<Item = f64> + '_ {
    clip.poses().iter().map(move |pose| pose[joint].translation.length())
}

fn is_below(skeleton: &Skeleton, upper: JointId, joint: JointId) -> bool {
    joint != upper && skeleton.is_at_or_above(upper, joint)
}
