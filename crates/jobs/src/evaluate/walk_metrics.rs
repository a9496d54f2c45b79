//! What is measured on a walk and on its recording, besides the distance of their joints.
//!
//! All of it is read from the poses: no contacts are asked, and soles are those that the motion shows. So `judge.py`, which reads the
//! written BVH, comes to the same numbers.

use std::ops::Range;
use surefoot_contact::metrics::{
    MidStance, Penetration, SoleTrack, measure_foot_jumps, measure_knees, measure_leg_clearance, measure_mid_stances,
    measure_pelvis_dynamics, measure_pelvis_jerk, measure_penetration, measure_rotation_steps, quantile,
    soles_by_motion,
};
use surefoot_contact::{FootPlan, Take};
use surefoot_motion::{BodyMap, Clip, PerSide, WorldPoses};

/// Of any motion. SI units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionQuality {
    /// Frames measured.
    pub n_frames: usize,
    /// 99th percentile of the knees' acceleration, in radians a second squared.
    pub knee_acceleration: f64,
    /// Mean jerk of the pelvis below 6 Hz, in metres a second cubed.
    pub pelvis_jerk: f64,
    /// Largest turn of any joint from one frame to the next, in radians a second, so that frame rates can be compared.
    pub turn_speed: f64,
    /// Heels, balls and toe tips in the ground, which is as high as the footprints.
    pub penetration: Penetration,
    /// Least distance of the midlines of both feet, and of both shins.
    pub feet_apart: f64,
    /// See `feet_apart`.
    pub shins_apart: f64,
    /// The largest movement of a foot in one frame over those beside it; `None` where no foot is fast.
    pub foot_jump: Option<f64>,
    /// Largest downward acceleration of the pelvis with a foot planted, in g.
    pub fall: Option<f64>,
    /// Largest change of the pelvis's horizontal velocity within 50 ms, in metres a second.
    pub burst: Option<f64>,
}

/// Of a walk against its plan and its recording. SI units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WalkMetrics {
    /// Of the motion by itself.
    pub motion: MotionQuality,
    /// Distance of the ball from each footprint at mid stance.
    pub mid_stance: Vec<f64>,
    /// Largest distance over the middle 60 % of each stance.
    pub middle_60: Vec<f64>,
    /// How much higher the pelvis is than in the recording, over the middle 60 % of single supports: the median over the footprints.
    pub pelvis_bias: Option<f64>,
}

/// A motion with what all metrics look at.
struct Seen<'a> {
    clip: &'a Clip,
    body: &'a BodyMap,
    poses: WorldPoses,
    soles: PerSide<SoleTrack>,
}

impl<'a> Seen<'a> {
    fn new(clip: &'a Clip, body: &'a BodyMap) -> Seen<'a> {
        let poses = clip.world();
        let soles = soles_by_motion(&poses, &clip.skeleton, body, clip.frame_rate);
        Seen { clip, body, poses, soles }
    }

    fn motion(&self, plan: &FootPlan) -> MotionQuality {
        let Seen { clip, body, poses, soles } = self;
        let rate = clip.frame_rate;
        let clearance = measure_leg_clearance(poses, body, soles);
        let dynamics = measure_pelvis_dynamics(poses, body, soles, rate);
        MotionQuality {
            n_frames: poses.len(),
            knee_acceleration: measure_knees(poses, body, rate).acceleration.map_or(0.0, |spread| spread.p99),
            pelvis_jerk: measure_pelvis_jerk(poses, body, rate).mean_6_hz.unwrap_or(0.0),
            turn_speed: measure_rotation_steps(clip).step.map_or(0.0, |spread| spread.worst.value * rate),
            penetration: measure_penetration(soles, plan),
            feet_apart: clearance.feet.map_or(0.0, |least| least.value),
            shins_apart: clearance.shins.map_or(0.0, |least| least.value),
            foot_jump: measure_foot_jumps(soles, rate).map(|worst| worst.value),
            fall: dynamics.fall,
            burst: dynamics.burst,
        }
    }

    fn mid_stances(&self, plan: &FootPlan) -> Vec<MidStance> {
        measure_mid_stances(plan, &self.soles, self.clip.frame_rate).unwrap_or_default()
    }

    /// Mean height of the pelvis over some frames.
    fn pelvis_height(&self, frames: &Range<usize>) -> f64 {
        let heights = self.poses[frames.clone()].iter().map(|pose| pose.position(self.body.pelvis).y);
        heights.sum::<f64>() / frames.len().max(1) as f64
    }

    /// Height of the pelvis in each mid stance.
    fn pelvis_heights(&self, stances: &[MidStance]) -> Vec<f64> {
        stances.iter().map(|stance| self.pelvis_height(&stance.middle)).collect()
    }
}

/// A recording, measured once for all walks of its plan.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RecordingMetrics {
    /// Of the part that walks.
    pub(super) motion: MotionQuality,
    pelvis: Vec<f64>,
}

impl RecordingMetrics {
    /// `walking` are the frames that the plan is of.
    pub(super) fn of(recording: &Take, walking: &Take, plan: &FootPlan) -> RecordingMetrics {
        let seen = Seen::new(&walking.clip, &walking.body);
        let complete = Seen::new(&recording.clip, &recording.body);
        let pelvis = complete.pelvis_heights(&complete.mid_stances(plan));
        RecordingMetrics { motion: seen.motion(plan), pelvis }
    }
}

impl WalkMetrics {
    pub(super) fn of(walk: &Take, plan: &FootPlan, recording: &RecordingMetrics) -> WalkMetrics {
        let seen = Seen::new(&walk.clip, &walk.body);
        let stances = seen.mid_stances(plan);
        let biases: Vec<f64> =
            seen.pelvis_heights(&stances).iter().zip(&recording.pelvis).map(|(made, real)| made - real).collect();
        WalkMetrics {
            motion: seen.motion(plan),
            mid_stance: stances.iter().map(|stance| stance.mid_error).collect(),
            middle_60: stances.iter().map(|stance| stance.middle_60).collect(),
            pelvis_bias: quantile(&biases, 0.5),
        }
    }
}
