//! Where feet, pelvis and centre of mass are in every frame of a recording, and how fast the body falls.

use surefoot_contact::{centre_of_mass, check_frame_rate::GRAVITY, second_derivative};
use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, Clip, PerSide, Side, WorldPose, count_frames};

/// Acceleration is that of a parabola over this long before and after a frame, in seconds: longer than the noise of markers,
/// shorter than the flight of a runner.
const FALL_REACH: f64 = 0.042;
/// Speeds are taken over this long before and after a frame, in seconds; at least a frame.
const SPEED_REACH: f64 = 1.0 / 120.0;

/// A parabola is fitted to a flight that lasts this long, in seconds, and for as many frames.
const LEAST_FALL: f64 = 0.08;
const FEWEST_FRAMES: usize = 5;

/// The tracks of one foot.
#[derive(Clone, Debug, Default)]
pub(crate) struct FootTrack {
    pub(crate) ankle: Vec<Vec3>,
    pub(crate) heel: Vec<Vec3>,
    pub(crate) ball: Vec<Vec3>,
    pub(crate) toe: Vec<Vec3>,
}

/// The tracks of a body.
#[derive(Clone, Debug)]
pub(crate) struct BodyTracks {
    pub(crate) frame_rate: f64,
    pub(crate) feet: PerSide<FootTrack>,
    pub(crate) pelvis: Vec<Vec3>,
    /// Vertical acceleration of the centre of mass in multiples of g: -1 in free fall, 0 at rest.
    pub(crate) fall: Vec<f64>,
    /// Of the centre of mass.
    heights: Vec<f64>,
}

impl BodyTracks {
    pub(crate) fn new(clip: &Clip, poses: &[WorldPose], body: &BodyMap) -> BodyTracks {
        let mut feet: PerSide<FootTrack> = PerSide::default();
        for pose in poses {
            for side in Side::BOTH {
                let leg = &body.legs[side];
                let toe = leg.toe.map(|toe| pose.point(&clip.skeleton, toe));
                let foot = &mut feet[side];
                foot.ankle.push(pose.position(leg.ankle));
                foot.heel.push(body.heel(pose, side));
                foot.ball.push(body.ball(pose, side));
                foot.toe.push(toe.unwrap_or_else(|| pose[leg.ankle].transform_point(leg.foot.toe_tip)));
            }
        }
        let pelvis = poses.iter().map(|pose| pose.position(body.pelvis)).collect();
        let heights: Vec<f64> = poses.iter().map(|pose| centre_of_mass(pose, body).y).collect();
        let reach = count_frames((FALL_REACH * clip.frame_rate).round()).max(2);
        let per_second = clip.frame_rate.powi(2) / GRAVITY;
        let fall = |frame: usize| {
            let around = frame.saturating_sub(reach)..(frame + reach + 1).min(heights.len());
            if around.len() < 3 { 0.0 } else { second_derivative(&heights[around]) * per_second }
        };
        let fall = (0..heights.len()).map(fall).collect();
        BodyTracks { frame_rate: clip.frame_rate, feet, pelvis, fall, heights }
    }

    pub(crate) fn n_frames(&self) -> usize {
        self.pelvis.len()
    }

    /// Frames in a time, rounded.
    pub(crate) fn frames(&self, seconds: f64) -> usize {
        count_frames((seconds * self.frame_rate).round())
    }

    /// Speed of a point in a frame, in metres a second.
    pub(crate) fn speed(&self, track: &[Vec3], frame: usize) -> f64 {
        let reach = self.frames(SPEED_REACH).max(1);
        let (from, to) = (frame.saturating_sub(reach), (frame + reach).min(track.len() - 1));
        if from == to { 0.0 } else { track[to].distance(track[from]) * self.frame_rate / (to - from) as f64 }
    }

    /// Mean speed over the ground between two frames of the pelvis.
    pub(crate) fn pelvis_speed(&self, from: usize, to: usize) -> f64 {
        let last = self.n_frames().saturating_sub(1);
        let (from, to) = (from.min(last), to.min(last));
        if to <= from {
            return 0.0;
        }
        planar(self.pelvis[to] - self.pelvis[from]) * self.frame_rate / (to - from) as f64
    }

    /// How the body falls over frames, in multiples of g: by the parabola through its heights, which no push at their ends
    /// spoils; where they are few, by the mean of what is around each.
    pub(crate) fn mean_fall(&self, frames: std::ops::Range<usize>) -> f64 {
        if frames.is_empty() {
            return self.fall.get(frames.start).copied().unwrap_or(0.0);
        }
        if frames.len() >= self.frames(LEAST_FALL).max(FEWEST_FRAMES) {
            return second_derivative(&self.heights[frames]) * self.frame_rate.powi(2) / GRAVITY;
        }
        let n = frames.len() as f64;
        self.fall[frames].iter().sum::<f64>() / n
    }
}

/// Length over the ground.
pub(crate) fn planar(offset: Vec3) -> f64 {
    offset.x.hypot(offset.z)
}
