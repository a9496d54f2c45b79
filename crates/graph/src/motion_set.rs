//! The clips that a graph is made of: one skeleton, one frame rate, one body.

use std::sync::Arc;
use surefoot_motion::{BodyMap, Clip, Skeleton, skeleton_difference};

/// Clips of one skeleton at one frame rate, frame after frame as one long list.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionSet {
    clips: Vec<Clip>,
    body: BodyMap,
    /// The first frame of each clip in the list, and the end.
    starts: Vec<usize>,
}

/// Why clips are no set.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MotionSetError {
    /// There is none.
    #[error("a motion graph needs clips; there is none")]
    Empty,
    /// Skeletons that differ.
    #[error("`{clip}` has another skeleton than `{first}`: {difference}; clips of a graph share a skeleton")]
    Skeleton {
        /// Of the clip that differs.
        clip: String,
        /// Name of the first clip.
        first: String,
        /// What first tells them apart.
        difference: String,
    },
    /// Frame rates that differ.
    #[error("`{clip}` has {found} frames per second, `{first}` has {wanted}; resample one of them")]
    Rate {
        /// Of the clip that differs.
        clip: String,
        /// Its rate.
        found: f64,
        /// Name of the first clip.
        first: String,
        /// Its rate.
        wanted: f64,
    },
}

impl MotionSet {
    /// From clips that share a skeleton and a frame rate.
    pub fn new(clips: Vec<Clip>, body: BodyMap) -> Result<MotionSet, MotionSetError> {
        let first = clips.first().ok_or(MotionSetError::Empty)?;
        for clip in &clips {
            let names = || (clip.name.clone(), first.name.clone());
            if !Arc::ptr_eq(&first.skeleton, &clip.skeleton)
                && let Some(difference) = skeleton_difference(&first.skeleton, &clip.skeleton)
            {
                let (clip, first) = names();
                return Err(MotionSetError::Skeleton { clip, first, difference });
            }
            if clip.frame_rate != first.frame_rate {
                let (found, wanted) = (clip.frame_rate, first.frame_rate);
                let (clip, first) = names();
                return Err(MotionSetError::Rate { clip, found, first, wanted });
            }
        }
        let mut starts = vec![0];
        for clip in &clips {
            starts.push(starts[starts.len() - 1] + clip.n_frames());
        }
        Ok(MotionSet { clips, body, starts })
    }

    /// The clips.
    pub fn clips(&self) -> &[Clip] {
        &self.clips
    }

    /// Which joint is which.
    pub fn body(&self) -> &BodyMap {
        &self.body
    }

    /// Whose joints.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.clips[0].skeleton
    }

    /// Frames per second.
    pub fn frame_rate(&self) -> f64 {
        self.clips[0].frame_rate
    }

    /// Frames of all clips.
    pub fn n_frames(&self) -> usize {
        self.starts[self.clips.len()]
    }

    /// The first frame of a clip in the list of all.
    pub fn start(&self, clip: usize) -> usize {
        self.starts[clip]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_geom::Vec3;

    #[test]
    fn clips_of_other_skeletons_and_rates_are_refused_by_name() {
        let walk = synthetic_walk(&WalkerOptions { n_steps: 2, ..WalkerOptions::default() });
        let named = |name: &str| walk.take.clip.clone().with_name(name.to_string());
        let error_of =
            |other: Clip| MotionSet::new(vec![named("one"), other], walk.take.body.clone()).unwrap_err().to_string();
        // As many joints, but longer shins.
        let mut joints = walk.take.clip.skeleton.joints().to_vec();
        joints[walk.take.body.legs.left.ankle.index()].rest.translation += Vec3::new(0.0, -0.1, 0.0);
        let longer = Skeleton::new(joints, walk.take.clip.skeleton.end_sites().to_vec()).unwrap();
        let error = error_of(named("two").with_skeleton(Arc::new(longer)));
        assert!(error.contains("`two`") && error.contains("another offset"), "{error}");
        let error = error_of(named("two").with_frame_rate(25.0));
        assert!(error.contains("`two` has 25 frames per second"), "{error}");
        assert_eq!(MotionSet::new(vec![], walk.take.body.clone()), Err(MotionSetError::Empty));
        assert!(MotionSet::new(vec![named("one"), named("two")], walk.take.body.clone()).is_ok());
    }
}
