//! The hips at times of a walking step, whose turns are the same wherever the pelvis's path goes.

use super::super::step::PelvisTrack;
use surefoot_geom::Vec3;
use surefoot_motion::{BodyProportions, PerSide};

/// Times at which the legs are measured.
const SAMPLES: usize = 16;
/// How long before it leaves the foot behind is looked at, in seconds.
const DELTA: f64 = 1e-6;

/// The hips at times of a step.
pub(super) struct Samples {
    pub(super) times: [f64; SAMPLES],
    /// From the pelvis: the same wherever its path goes.
    from_pelvis: [PerSide<Vec3>; SAMPLES],
    /// In the world.
    pub(super) hips: [PerSide<Vec3>; SAMPLES],
}

impl Samples {
    pub(super) fn new(proportions: &BodyProportions, pelvis: &PelvisTrack, duration: f64, lift: f64) -> Samples {
        let mut times: [f64; SAMPLES] = std::array::from_fn(|sample| duration * sample as f64 / SAMPLES as f64);
        // The leg behind is longest right before its foot leaves.
        if let Some(after) = times.iter_mut().find(|time| **time >= lift && lift > 0.0) {
            *after = lift - DELTA;
        }
        let from_pelvis = times.map(|time| {
            let attitude = pelvis.attitude(time);
            proportions.hips.map(|hip| attitude * hip)
        });
        Samples { times, from_pelvis, hips: from_pelvis }
    }

    /// Puts the hips where a path takes them.
    pub(super) fn follow(&mut self, pelvis: &PelvisTrack) {
        for ((hips, from_pelvis), &time) in self.hips.iter_mut().zip(&self.from_pelvis).zip(&self.times) {
            let pelvis = pelvis.path.at(time) + Vec3::Y * pelvis.up(&pelvis.residual.at(time), time);
            *hips = from_pelvis.map(|hip| pelvis + hip);
        }
    }
}
