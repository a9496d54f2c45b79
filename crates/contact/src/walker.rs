//! A synthetic walker whose contacts are known by construction: the built-in data of demos, and the truth that detectors,
//! cleaners and measures are tested against.
//!
//! Idea: feet first. Footprints and step times fix when and where each foot is planted; the foot rolls over heel and ball as
//! people's feet do, and between two footprints it follows a smooth arc. The pelvis glides over the footprints, as high as
//! the legs allow, and the legs are solved exactly between the two. The upper body follows the phase of the step.
//!
//! 1. Footprints, times of landing and leaving ([`schedule`]).
//! 2. Both feet at every frame: flat, rolling or swinging ([`foot_path`]).
//! 3. The pelvis: along a spline through the midpoints between the feet, with sway, bob, turn and list ([`trunk`]).
//! 4. Its height: the highest walk in which no knee ever comes closer to straight than [`MAX_EXTENSION`].
//! 5. Two-bone legs in closed form, knees forward ([`legs`]); spine, head and arms by the phase of the step.
//!
//! Angles and shares are those of textbooks of gait (stance share after Whittle, as `64.2 - 3.5 v` percent), chosen to look
//! like a person, not fitted to one. Limits: level ground, a steady pace, no variation from step to step.

mod foot_path;
mod legs;
mod person;
mod schedule;
mod trunk;

use crate::{Contacts, FootPart, FootPlan, Plant, Take};
use foot_path::{FootPath, FootPose};
use person::Person;
use schedule::{Schedule, Stance};
use std::ops::Range;
use std::sync::Arc;
use surefoot_motion::{Clip, PerSide, Pose, Side};
use trunk::Trunk;

/// Longest hip to ankle as a share of the straight leg. At 1 a knee would snap: its speed grows without bound. At 0.987 it
/// is bent by 18 degrees, as a person's is early in stance.
const MAX_EXTENSION: f64 = 0.987;

/// What the walker does. Lengths in metres, times in seconds, angles in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkerOptions {
    /// Of the body; everything scales with it. 0.5 to 2.5, default 1.8.
    pub height: f64,
    /// Steps from standing to standing; the first is half as long and the last brings the feet together. Default 8.
    pub n_steps: usize,
    /// From one footprint to the next along the path. 0 to 0.6 of the height, default 0.68.
    pub step_length: f64,
    /// Between the balls of both feet across the path. 0 to 0.3 of the height, default 0.16.
    pub step_width: f64,
    /// Steps a second. 0.2 to 4, default 1.85.
    pub cadence: f64,
    /// Frames a second. 1 to 10,000, default 60.
    pub frame_rate: f64,
    /// Turn of the path with each step, positive to the left. -0.8 to 0.8, default 0.
    pub turn_per_step: f64,
    /// How far each foot points outward. -0.5 to 0.5, default 0.1.
    pub toe_out: f64,
    /// The foot that steps first. Default left.
    pub first: Side,
    /// Standing still before and after the walk. 0 to 60, default 0.5.
    pub standing: f64,
}

impl Default for WalkerOptions {
    fn default() -> WalkerOptions {
        WalkerOptions {
            height: 1.8,
            n_steps: 8,
            step_length: 0.68,
            step_width: 0.16,
            cadence: 1.85,
            frame_rate: 60.0,
            turn_per_step: 0.0,
            toe_out: 0.1,
            first: Side::Left,
            standing: 0.5,
        }
    }
}

impl WalkerOptions {
    /// The speed of the steady part of the walk, in metres a second.
    pub fn speed(&self) -> f64 {
        self.step_length * self.cadence
    }

    fn assert_valid(&self) {
        let ranges = [
            ("height", self.height, 0.5..=2.5),
            ("step_length", self.step_length, 0.0..=0.6 * self.height),
            ("step_width", self.step_width, 0.0..=0.3 * self.height),
            ("cadence", self.cadence, 0.2..=4.0),
            ("frame_rate", self.frame_rate, 1.0..=10_000.0),
            ("turn_per_step", self.turn_per_step, -0.8..=0.8),
            ("toe_out", self.toe_out, -0.5..=0.5),
            ("standing", self.standing, 0.0..=60.0),
        ];
        for (name, value, range) in ranges {
            assert!(range.contains(&value), "walker: {name} is {value}, must be within {range:?}");
        }
    }
}

/// A walk and everything that is known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntheticWalk {
    /// The motion, with its contacts: exact, not detected.
    pub take: Take,
    /// The footprints that it was made from.
    pub plan: FootPlan,
}

/// A walk from standing to standing along +Z, or along an arc. Panics if an option is outside its range.
pub fn synthetic_walk(options: &WalkerOptions) -> SyntheticWalk {
    options.assert_valid();
    let person = Person::new(options.height);
    let schedule = Schedule::new(options);
    let feet = PerSide::from_fn(|side| FootPath::new(&person, schedule.stances(side), options));
    let n_frames = (schedule.duration * options.frame_rate).round() as usize + 1;
    let times: Vec<f64> = (0..n_frames).map(|frame| frame as f64 / options.frame_rate).collect();
    let mut trunk = Trunk::new(&person, &schedule);
    trunk.settle_height(&feet);
    let poses = times.iter().map(|&time| pose_at(&person, &trunk, time, &feet)).collect();
    let contacts = contacts_of(&feet, options.frame_rate, n_frames);
    let Person { skeleton, body, .. } = person;
    let clip = Clip::new("synthetic walk", Arc::new(skeleton), options.frame_rate, poses);
    SyntheticWalk { take: Take { clip, body, contacts }, plan: schedule.plan }
}

fn pose_at(person: &Person, trunk: &Trunk<'_>, time: f64, feet: &PerSide<FootPath>) -> Pose {
    let mut pose = person.skeleton.rest_pose();
    let pelvis = trunk.pelvis(time);
    pose[person.body.pelvis] = pelvis;
    trunk.pose_upper_body(time, pelvis.rotation, &mut pose);
    for side in Side::BOTH {
        legs::pose_leg(person, side, &pelvis, trunk.heading(time), &feet[side].at(time), &mut pose);
    }
    pose
}

/// The plants of both feet: the frames in which a part is planted by construction.
fn contacts_of(feet: &PerSide<FootPath>, frame_rate: f64, n_frames: usize) -> Contacts {
    let mut contacts = Contacts::none(n_frames);
    for (side, foot) in feet.iter() {
        for stance in &foot.stances {
            let parts = [
                (FootPart::Heel, stance.land..foot.heel_off(stance), foot.heel_position(stance)),
                (FootPart::Ball, foot.foot_flat(stance)..stance.leave, stance.ball),
            ];
            for (part, seconds, position) in parts {
                let frames = frames_within(&seconds, frame_rate, n_frames);
                if !frames.is_empty() {
                    contacts.plants[side].push(Plant { part, frames, position });
                }
            }
        }
        contacts.plants[side].sort_by_key(|plant| (plant.frames.start, plant.frames.end));
    }
    contacts
}

/// The frames of a half-open stretch of time; its ends may be infinite.
fn frames_within(seconds: &Range<f64>, frame_rate: f64, n_frames: usize) -> Range<usize> {
    // The first frame at or after a time; a rounding of the time must not cost a frame.
    let first_frame = |time: f64| (time * frame_rate - 1e-9).ceil().clamp(0.0, n_frames as f64) as usize;
    first_frame(seconds.start)..first_frame(seconds.end)
}

#[cfg(test)]
mod tests;
