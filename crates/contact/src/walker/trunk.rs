//! Pelvis, spine, head and arms over the phase of the step.
//!
//! The pelvis follows a uniform cubic B-spline through the middles between the feet, half a step apart: on a steady straight
//! walk those lie in line at equal distances, so that the spline moves at exactly step length times cadence; at both ends it
//! starts and stops without a jerk. Swings of the body are sines of the phase (one half turn for each step) times a weight that
//! grows from 0 in standing to 1 in walking along the same kind of spline.
//!
//! The height is such a spline too. It begins at the height of standing everywhere; then each control is lowered by the most that
//! any moment it has a part in needs for both legs to reach their feet. As the four parts of every moment sum to one, the result
//! reaches everywhere, and it is level where the walk is steady.

use super::legs::ankle_of;
use super::schedule::Schedule;
use super::{FootPath, MAX_EXTENSION, Person};
use std::f64::consts::{FRAC_PI_2, PI};
use surefoot_geom::{Quat, Transform, Vec3, heading_direction, rotation};
use surefoot_motion::{JointId, PerSide, Pose, Side};

/// Hips stand before the ankles in quiet standing, at 1.8 m body height.
const HIP_BEFORE_ANKLE: f64 = 0.045;
/// How much further forward they are in walking, at 1.8 m body height: the leg behind has its heel up and reaches further.
const FORWARD: f64 = 0.047;
/// Pelvis toward the standing foot in mid-stance, at 1.8 m body height.
const SWAY: f64 = 0.022;
/// Rise and fall about the mean, as a share of what stiff legs would make of the same step.
const BOB_SHARE: f64 = 0.36;
/// The pelvis turns its swinging side forward (5 degrees), lets it sink (4 degrees) and leans with the trunk (3 degrees).
const PELVIS_TURN: f64 = 0.09;
const PELVIS_LIST: f64 = 0.07;
const LEAN: f64 = 0.05;
/// The list runs ahead of the step: the side sinks as soon as its foot leaves. In steps.
const LIST_LEAD: f64 = 0.2;
/// Shoulders turn against the pelvis (5 degrees), and tilt against its list by a part of it.
const SHOULDER_TURN: f64 = 0.09;
const SHOULDER_TILT_SHARE: f64 = 0.3;
/// Arms swing forward and back (23 degrees) about a mean before the body, a little after the legs (in steps).
const ARM_SWING: f64 = 0.40;
const ARM_FORWARD: f64 = 0.06;
const ARM_LAG: f64 = 0.08;
/// Upper arms hang this far from the body.
const ARM_OUT: f64 = 0.14;
/// Elbows in standing, more in walking, and more again at the front of the swing.
const ELBOW_STANDING: f64 = 0.20;
const ELBOW_WALKING: f64 = 0.16;
const ELBOW_SWING: f64 = 0.17;
/// Collar bones follow the arms by this much of their swing.
const CLAVICLE_SHARE: f64 = 0.12;
/// Standing is lower than the legs allow by this share of their length: slack for the first sway before the pelvis sinks.
const STANDING_SLACK: f64 = 0.004;
/// People look where they will be, in seconds.
const LOOK_AHEAD: f64 = 0.3;

pub(super) struct Trunk<'a> {
    person: &'a Person,
    schedule: &'a Schedule,
    /// Controls of the splines, two for each step, from [`PADDING`] before the first double support to as many after the last.
    positions: Vec<Vec3>,
    headings: Vec<f64>,
    /// Of the swings of the body.
    weights: Vec<f64>,
    /// Of the pelvis, without the bob.
    heights: Vec<f64>,
    bob: f64,
}

/// Controls of standing before and after the walk.
const PADDING: usize = 2;
/// Times at which the legs are measured between two controls. They lie alike in every step, so that all steps of a steady walk
/// come out alike, whatever the frame rate.
const SAMPLES: usize = 24;

impl<'a> Trunk<'a> {
    pub(super) fn new(person: &'a Person, schedule: &'a Schedule) -> Trunk<'a> {
        let n_controls = 2 * schedule.n_steps + 1 + 2 * PADDING;
        let centre = |control: usize| {
            let half_steps = control.saturating_sub(PADDING).min(2 * schedule.n_steps);
            let (before, after) = (schedule.centres[half_steps / 2], schedule.centres[half_steps.div_ceil(2)]);
            ((before.position + after.position) / 2.0, (before.heading + after.heading) / 2.0)
        };
        let walks = |control: usize| control > PADDING && control + 1 + PADDING < n_controls;
        let lengths = schedule.centres.windows(2).map(|pair| pair[0].position.distance(pair[1].position));
        let longest_step = lengths.fold(0.0, f64::max);
        let leg = person.thigh + person.shin;
        let stiff = leg - (leg * leg - (longest_step / 2.0).powi(2)).max(0.0).sqrt();
        Trunk {
            person,
            schedule,
            positions: (0..n_controls).map(|control| centre(control).0).collect(),
            headings: (0..n_controls).map(|control| centre(control).1).collect(),
            weights: (0..n_controls).map(|control| f64::from(walks(control))).collect(),
            heights: vec![0.0; n_controls],
            bob: BOB_SHARE * stiff,
        }
    }

    /// Finds how high the pelvis may be at every moment.
    pub(super) fn settle_height(&mut self, feet: &PerSide<FootPath>) {
        let n_samples = SAMPLES * (self.heights.len() - 1) + 1;
        let times: Vec<f64> = (0..n_samples).map(|sample| self.time_of(sample as f64 / SAMPLES as f64)).collect();
        let limits: Vec<f64> = times.iter().map(|&time| self.highest_pelvis(time, feet)).collect();
        let slack = STANDING_SLACK * (self.person.thigh + self.person.shin);
        let standing = limits[0].min(limits[n_samples - 1]) - slack;
        self.heights.fill(standing);
        let too_high = |trunk: &Trunk<'_>| -> Vec<f64> {
            times.iter().zip(&limits).map(|(&time, limit)| (trunk.height(time) - limit).max(0.0)).collect()
        };
        let excess = too_high(self);
        // The outermost controls are those of standing, which has slack.
        for control in 1..self.heights.len() - 1 {
            let first = (SAMPLES * control).saturating_sub(2 * SAMPLES);
            let last = (SAMPLES * (control + 2)).min(n_samples - 1);
            self.heights[control] -= excess[first..=last].iter().copied().fold(0.0, f64::max);
        }
        // Where the slack did not suffice, everything is lowered by what is left.
        let left = too_high(self).into_iter().fold(0.0, f64::max);
        self.heights.iter_mut().for_each(|height| *height -= left);
    }

    /// The height of the pelvis at which the first leg is as long as it may be.
    fn highest_pelvis(&self, time: f64, feet: &PerSide<FootPath>) -> f64 {
        let longest = MAX_EXTENSION * (self.person.thigh + self.person.shin);
        let level = self.level_pelvis(time);
        let limit = |side: Side| {
            let hip = level.transform_point(self.person.hip_offset(side));
            let ankle = ankle_of(self.person, side, &feet[side].at(time));
            let (x, z) = (hip.x - ankle.x, hip.z - ankle.z);
            ankle.y + (longest * longest - x * x - z * z).max(0.0).sqrt() - hip.y
        };
        limit(Side::Left).min(limit(Side::Right))
    }

    /// Where the pelvis is and how it is turned.
    pub(super) fn pelvis(&self, time: f64) -> Transform {
        let mut pelvis = self.level_pelvis(time);
        pelvis.translation.y += self.height(time);
        pelvis
    }

    fn height(&self, time: f64) -> f64 {
        self.spline(&self.heights, time) + self.bob_at(time)
    }

    /// The pelvis at height 0.
    fn level_pelvis(&self, time: f64) -> Transform {
        let heading = self.heading(time);
        let before_ankle = (HIP_BEFORE_ANKLE + FORWARD * self.weight(time)) * self.person.scale;
        let behind_balls = self.person.ball_before_ankle - before_ankle;
        let left = heading_direction(heading + FRAC_PI_2);
        let translation = self.spline(&self.positions, time) - behind_balls * heading_direction(heading)
            + self.wave(time, 0.0, Wave::Sine) * -SWAY * self.person.scale * left;
        let turn = heading + PELVIS_TURN * self.wave(time, 0.0, Wave::Cosine);
        let list = -PELVIS_LIST * self.wave(time, LIST_LEAD, Wave::Sine);
        let rotation =
            Quat::from_rotation_y(turn) * Quat::from_rotation_z(list) * Quat::from_rotation_x(self.lean(time));
        Transform::new(rotation, translation)
    }

    /// The direction in which the body moves.
    pub(super) fn heading(&self, time: f64) -> f64 {
        self.spline(&self.headings, time)
    }

    fn lean(&self, time: f64) -> f64 {
        LEAN * self.weight(time)
    }

    /// 0 in standing, 1 in walking.
    fn weight(&self, time: f64) -> f64 {
        self.spline(&self.weights, time)
    }

    /// Steps since the middle of the first double support.
    fn phase(&self, time: f64) -> f64 {
        (time - self.schedule.first_support) / self.schedule.step_time
    }

    /// When a spline comes to a control, or to a place between two.
    fn time_of(&self, control: f64) -> f64 {
        self.schedule.first_support + (control - PADDING as f64) / 2.0 * self.schedule.step_time
    }

    /// A swing of the body over two steps: positive first for a left foot that steps first. The sine is largest in
    /// mid-swing, the cosine in double support.
    fn wave(&self, time: f64, lead: f64, wave: Wave) -> f64 {
        let angle = PI * (self.phase(time) + lead);
        let value = match wave {
            Wave::Sine => angle.sin(),
            Wave::Cosine => angle.cos(),
        };
        self.schedule.first_sign * self.weight(time) * value
    }

    /// Lowest in double support, highest in mid-stance.
    fn bob_at(&self, time: f64) -> f64 {
        -self.bob * self.weight(time) * (2.0 * PI * self.phase(time)).cos()
    }

    /// Spine, head and arms over a pelvis.
    pub(super) fn pose_upper_body(&self, time: f64, pelvis: Quat, pose: &mut Pose) {
        let body = &self.person.body;
        let turn = self.heading(time) - SHOULDER_TURN * self.wave(time, 0.0, Wave::Cosine);
        let tilt = SHOULDER_TILT_SHARE * PELVIS_LIST * self.wave(time, LIST_LEAD, Wave::Sine);
        let chest = Quat::from_rotation_y(turn) * Quat::from_rotation_z(tilt) * Quat::from_rotation_x(self.lean(time));
        let [back @ .., neck] = &body.spine[..] else { return };
        share(pelvis, chest, back, pose);
        // The head stays level and looks along the path.
        let head = Quat::from_rotation_y(self.heading(time + LOOK_AHEAD));
        let neck_and_head: Vec<JointId> = std::iter::once(*neck).chain(body.head).collect();
        share(chest, head, &neck_and_head, pose);
        for side in Side::BOTH {
            self.pose_arm(time, side, pose);
        }
    }

    fn pose_arm(&self, time: f64, side: Side, pose: &mut Pose) {
        let Some(arm) = self.person.body.arms[side] else { return };
        let sign = if side == Side::Left { 1.0 } else { -1.0 };
        // The left arm is in front when the right foot is.
        let swing = sign * self.wave(time, -ARM_LAG, Wave::Cosine);
        let forward = ARM_FORWARD * self.weight(time) + ARM_SWING * swing;
        let bend = ELBOW_STANDING + ELBOW_WALKING * self.weight(time) + ELBOW_SWING * swing;
        let follow = CLAVICLE_SHARE * ARM_SWING * swing;
        // The arm of the rest pose points outward: it is let down about Z, swung about X, and the elbow bends about Y.
        let clavicle = Quat::from_rotation_y(-sign * follow);
        let hanging = Quat::from_rotation_x(-forward) * Quat::from_rotation_z(-sign * (FRAC_PI_2 - ARM_OUT));
        if let Some(joint) = arm.clavicle {
            pose[joint].rotation = clavicle;
            pose[arm.shoulder].rotation = clavicle.conjugate() * hanging;
        } else {
            pose[arm.shoulder].rotation = hanging;
        }
        pose[arm.elbow].rotation = Quat::from_rotation_y(-sign * bend);
    }

    /// A uniform cubic B-spline over controls half a step apart; the first and last control hold on outside.
    fn spline<T>(&self, controls: &[T], time: f64) -> T
    where
        T: Copy + std::ops::Mul<f64, Output = T> + std::ops::Add<Output = T>,
    {
        let x = 2.0 * self.phase(time) + PADDING as f64;
        let f = x - x.floor();
        let control = |offset: f64| controls[(x.floor() + offset).clamp(0.0, (controls.len() - 1) as f64) as usize];
        let g = 1.0 - f;
        control(-1.0) * (g * g * g / 6.0)
            + control(0.0) * ((4.0 - f * f * (6.0 - 3.0 * f)) / 6.0)
            + control(1.0) * ((4.0 - g * g * (6.0 - 3.0 * g)) / 6.0)
            + control(2.0) * (f * f * f / 6.0)
    }
}

#[derive(Clone, Copy)]
enum Wave {
    Sine,
    Cosine,
}

/// Turns a chain of joints so that they take the world rotation from that of their parent to a wanted one in equal parts.
fn share(parent: Quat, wanted: Quat, chain: &[JointId], pose: &mut Pose) {
    let whole = rotation::log_map(parent.conjugate() * wanted);
    for &joint in chain {
        pose[joint].rotation = rotation::exp_map(whole / chain.len() as f64);
    }
}
