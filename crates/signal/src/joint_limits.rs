//! Joint limits: angles capped where a body, or an animator, has them end.
//!
//! Reference: SIGNAL 5.3 and figure 5.11: "the shaping function has been modified to limit the joint angles". What is
//! shaped here is not a row of [`crate::Curves`] but an angle that anatomy knows ([`crate::JointAxes`]): a component
//! of a rotation vector about some mean is no angle that could have a limit.
//!
//! 1. A joint's rotation is told in flexion, abduction and twist.
//! 2. Each is limited, hard or softly ([`Limits`]), on the turn of it that lies nearest to its limits.
//! 3. The rotation is put together again. A joint whose angles are all within stays as it is, to the last bit.
//!
//! # Swings of more than half a turn
//!
//! The swing of a hip or shoulder is a vector of flexion and abduction, and no longer than a half turn. An arm that
//! points straight up is a half turn from hanging, and one that leans back from there by 5 degrees is at once flexed
//! by 185 degrees and extended by 175. Of the two the one is taken that is nearer to being allowed, so that the arm
//! comes back by 5 degrees and not by 115. Limit: where a limb is as far from one end of its range as from the other,
//! it jumps from one to the other, as any rule must.
//!
//! The table of limits that bodies have is in `limit_table.rs`.

use crate::body_parts::{find_part, part_names};
use crate::joint_angles::{JointAngle, JointAngles, JointAxes, JointKind};
use crate::selection::find_joint;
use crate::shape::{Limit, Limits};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use surefoot_geom::{Quat, Vec2, euler};
use surefoot_motion::{BodyMap, Clip, JointId, Skeleton, closest_names};

/// A limit of one angle of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLimit {
    /// Whose.
    pub joint: JointId,
    /// Which angle; see [`JointAxes`] for what is positive.
    pub angle: JointAngle,
    /// The least, in radians: -pi to pi, or minus infinity for none.
    pub low: f64,
    /// The most, in radians: -pi to pi, or infinity for none.
    pub high: f64,
}

/// How joints are limited.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LimitOptions {
    /// From how far before a limit an angle bends towards it, in radians. 0 is a hard limit: the angle stops dead,
    /// which looks mechanical. At most half of a range is used. Default 0.
    pub soft: f64,
}

/// A clip whose joints keep their limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Limited {
    /// The clip.
    pub clip: Clip,
    /// What lay beyond its limits.
    pub capped: Vec<CappedAngle>,
}

/// An angle that lay beyond its limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CappedAngle {
    /// Whose.
    pub joint: JointId,
    /// Which.
    pub angle: JointAngle,
    /// In how many frames.
    pub n_frames: usize,
    /// By how much at most, in radians.
    pub most: f64,
}

/// Why something is no joint limit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum JointLimitError {
    /// Text that is none.
    #[error(
        "`{text}` is no joint limit: {why}; `LeftLeg.x=0..120` or `knees.flexion=0..120`, in degrees, would be right"
    )]
    Text {
        /// As given.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// Neither a joint nor a part.
    #[error("`{name}` is neither a joint nor a part{}; parts are {}", or_closest(closest), part_names())]
    Unknown {
        /// As given.
        name: String,
        /// Joints with names like it.
        closest: Vec<String>,
    },
    /// A part of a body that was not found, or that it does not have.
    #[error("`{name}` needs a body map that has it; name joints, or give --body")]
    NoPart {
        /// As given.
        name: String,
    },
    /// A joint that does not exist.
    #[error("limits[{index}].joint is {joint}, but there are only {n_joints} joints")]
    Joint {
        /// Which limit, counted from 0.
        index: usize,
        /// As given.
        joint: usize,
        /// How many there are.
        n_joints: usize,
    },
    /// A range that is none.
    #[error(
        "limits[{index}], the {} of `{joint}`, is {low} to {high} degrees; \
         the lower limit first and both within {most} degrees of 0 would be right", angle.name()
    )]
    Range {
        /// Which limit, counted from 0.
        index: usize,
        /// Whose.
        joint: String,
        /// Which angle.
        angle: JointAngle,
        /// In degrees.
        low: f64,
        /// In degrees.
        high: f64,
        /// In degrees.
        most: f64,
    },
    /// Flexion and abduction that cannot be together.
    #[error(
        "the limits of `{joint}` ask for a flexion of {flexion} and an abduction of {abduction} degrees at least, \
         together more than half a turn; limits nearer to 0 would be right"
    )]
    Swing {
        /// Whose.
        joint: String,
        /// The least, in degrees.
        flexion: f64,
        /// The least, in degrees.
        abduction: f64,
    },
    /// A softness that is none.
    #[error("soft is {soft}; 0 or a positive number of radians would be right")]
    Soft {
        /// As given.
        soft: f64,
    },
}

fn or_closest(closest: &[String]) -> String {
    if closest.is_empty() { String::new() } else { format!(" (near: {})", closest.join(", ")) }
}

/// Limits angles of joints. Of several limits of one angle the last one counts. `body` tells what the angles are;
/// without it they are measured from the rest pose.
pub fn limit_joints(
    clip: &Clip,
    body: Option<&BodyMap>,
    limits: &[JointLimit],
    options: &LimitOptions,
) -> Result<Limited, JointLimitError> {
    let axes = JointAxes::new(&clip.skeleton, body, &clip.poses);
    let all_caps = collect_caps(&clip.skeleton, &axes, limits, options)?;
    let mut limited = clip.clone();
    let mut capped = Vec::new();
    for (joint, caps) in &all_caps {
        let mut beyond = JointAngle::ALL.map(|angle| CappedAngle { joint: *joint, angle, n_frames: 0, most: 0.0 });
        for pose in &mut limited.poses {
            let local = &mut pose[*joint].rotation;
            if let Some(kept) = caps.apply(&axes, *joint, *local, &mut beyond) {
                *local = kept;
            }
        }
        capped.extend(beyond.into_iter().filter(|angle| angle.n_frames > 0));
    }
    Ok(Limited { clip: limited, capped })
}

/// The limits of a joint, by angle.
#[derive(Clone, Copy, Debug, Default)]
struct Caps {
    flexion: Range,
    abduction: Range,
    twist: Range,
    soft: f64,
}

/// From the least to the most.
#[derive(Clone, Copy, Debug)]
struct Range {
    low: f64,
    high: f64,
}

impl Default for Range {
    fn default() -> Range {
        Range { low: f64::NEG_INFINITY, high: f64::INFINITY }
    }
}

impl Range {
    /// The nearest allowed value.
    fn nearest(&self, value: f64) -> f64 {
        value.clamp(self.low, self.high)
    }

    /// An allowed value, bending softly.
    fn limit(&self, value: f64, soft: f64) -> f64 {
        if soft == 0.0 {
            return self.nearest(value);
        }
        let both = Limits::soft(self.low, self.high, soft);
        let is_finite = |limit: &Limit| limit.at.is_finite();
        Limits { low: both.low.filter(is_finite), high: both.high.filter(is_finite) }.apply(value)
    }

    /// Of all turns of an angle the one nearest to the middle of the range.
    fn turn(&self, angle: f64) -> f64 {
        let middle = (self.low + self.high) / 2.0;
        if middle.is_finite() { euler::nearest_turn(angle, middle) } else { angle }
    }
}

impl Caps {
    fn range_mut(&mut self, angle: JointAngle) -> &mut Range {
        match angle {
            JointAngle::Flexion => &mut self.flexion,
            JointAngle::Abduction => &mut self.abduction,
            JointAngle::Twist => &mut self.twist,
        }
    }

    /// A joint's rotation within its limits; `None` if it is already. Counts what lay beyond.
    fn apply(&self, axes: &JointAxes, joint: JointId, local: Quat, beyond: &mut [CappedAngle; 3]) -> Option<Quat> {
        let angles = axes.angles(joint, local);
        let twist = self.twist.turn(angles.twist);
        let (flexion, abduction) = match axes.kind(joint) {
            JointKind::Hinge => (self.flexion.turn(angles.flexion), angles.abduction),
            JointKind::Ball => {
                let swing = self.nearer_swing(Vec2::new(angles.flexion, angles.abduction));
                (swing.x, swing.y)
            }
        };
        let turned = JointAngles { flexion, abduction, twist };
        let mut kept = JointAngles {
            flexion: self.flexion.limit(flexion, self.soft),
            abduction: self.abduction.limit(abduction, self.soft),
            twist: self.twist.limit(twist, self.soft),
        };
        if axes.kind(joint) == JointKind::Ball {
            let swing = self.within_half_turn(Vec2::new(kept.flexion, kept.abduction));
            (kept.flexion, kept.abduction) = (swing.x, swing.y);
        }
        let ranges = [self.flexion, self.abduction, self.twist];
        for ((angle, range), beyond) in JointAngle::ALL.into_iter().zip(ranges).zip(beyond) {
            let by = (turned[angle] - range.nearest(turned[angle])).abs();
            if by > ROUNDING {
                beyond.n_frames += 1;
                beyond.most = beyond.most.max(by);
            }
        }
        (kept != turned).then(|| axes.rotation(joint, kept))
    }

    /// The allowed swing nearest to one.
    fn nearest_swing(&self, swing: Vec2) -> Vec2 {
        self.within_half_turn(Vec2::new(self.flexion.nearest(swing.x), self.abduction.nearest(swing.y)))
    }

    /// A swing, or the same one the other way around, whichever is nearer to being allowed.
    fn nearer_swing(&self, swing: Vec2) -> Vec2 {
        let length = swing.length();
        // The other way around is three quarters of a turn or more: too far to be nearer.
        if length < FRAC_PI_2 {
            return swing;
        }
        let around = swing * (1.0 - TAU / length);
        let missed = |swing: Vec2| swing.distance_squared(self.nearest_swing(swing));
        if missed(around) < missed(swing) { around } else { swing }
    }

    /// A swing brought back to a half turn, towards the least that its ranges allow.
    fn within_half_turn(&self, swing: Vec2) -> Vec2 {
        if swing.length() <= HALF_TURN {
            return swing;
        }
        let least = self.least_swing();
        let way = swing - least;
        // |least + t way| is a half turn, for the larger t: a quadratic equation.
        let (a, b, c) = (way.length_squared(), least.dot(way), least.length_squared() - HALF_TURN * HALF_TURN);
        let t = (-b + (b * b - a * c).max(0.0).sqrt()) / a;
        least + way * t.clamp(0.0, 1.0)
    }

    fn least_swing(&self) -> Vec2 {
        Vec2::new(self.flexion.nearest(0.0), self.abduction.nearest(0.0))
    }
}

/// The longest swing. At exactly half a turn a swing about one axis is one about another with a twist, and no angle
/// means anything.
const HALF_TURN: f64 = PI - 1e-6;
/// Angles this far beyond their limits are at them, in radians.
const ROUNDING: f64 = 1e-12;

fn collect_caps(
    skeleton: &Skeleton,
    axes: &JointAxes,
    limits: &[JointLimit],
    options: &LimitOptions,
) -> Result<Vec<(JointId, Caps)>, JointLimitError> {
    let soft = options.soft;
    let is_soft = soft.is_finite() && soft >= 0.0;
    if !is_soft {
        return Err(JointLimitError::Soft { soft });
    }
    let mut all: Vec<Option<Caps>> = vec![None; skeleton.n_joints()];
    for (index, limit) in limits.iter().enumerate() {
        check_limit(skeleton, axes, index, limit)?;
        let caps = all[limit.joint.index()].get_or_insert(Caps { soft, ..Caps::default() });
        *caps.range_mut(limit.angle) = Range { low: limit.low, high: limit.high };
    }
    let caps: Vec<(JointId, Caps)> = skeleton.ids().zip(all).filter_map(|(joint, caps)| Some((joint, caps?))).collect();
    for (joint, caps) in &caps {
        let least = caps.least_swing();
        if axes.kind(*joint) == JointKind::Ball && least.length() > HALF_TURN {
            let (flexion, abduction) = (least.x.to_degrees(), least.y.to_degrees());
            return Err(JointLimitError::Swing { joint: skeleton.name(*joint).to_string(), flexion, abduction });
        }
    }
    Ok(caps)
}

fn check_limit(
    skeleton: &Skeleton,
    axes: &JointAxes,
    index: usize,
    &JointLimit { joint, angle, low, high }: &JointLimit,
) -> Result<(), JointLimitError> {
    let n_joints = skeleton.n_joints();
    if joint.index() >= n_joints {
        return Err(JointLimitError::Joint { index, joint: joint.index(), n_joints });
    }
    let is_hinge = axes.kind(joint) == JointKind::Hinge;
    let most = if is_hinge && angle == JointAngle::Abduction { FRAC_PI_2 } else { PI };
    let is_limit = |value: f64| value.is_infinite() || value.abs() <= most + ROUNDING;
    let is_range = is_limit(low) && is_limit(high) && low <= high && low < f64::INFINITY && high > f64::NEG_INFINITY;
    if is_range {
        return Ok(());
    }
    let joint = skeleton.name(joint).to_string();
    let [low, high, most] = [low, high, most].map(f64::to_degrees);
    Err(JointLimitError::Range { index, joint, angle, low, high, most })
}

impl JointLimit {
    /// Limits from text: `LeftLeg.x=0..120` for a joint, `knees.flexion=0..120` or `left-knee.x=..120` for parts of
    /// the body, in degrees; a side of the range that is left out is no limit. Axes are `x`, `y` and `z`, or
    /// `flexion`, `twist` and `abduction`.
    pub fn parse(text: &str, skeleton: &Skeleton, body: Option<&BodyMap>) -> Result<Vec<JointLimit>, JointLimitError> {
        let wrong = |why: &str| JointLimitError::Text { text: text.to_string(), why: why.to_string() };
        let (target, range) = text.split_once('=').ok_or_else(|| wrong("it has no `=`"))?;
        let (name, angle) = target.rsplit_once('.').ok_or_else(|| wrong("no axis follows the joint"))?;
        let angle = JointAngle::parse(angle)
            .ok_or_else(|| wrong("its axis is none of x, y, z, flexion, twist and abduction"))?;
        let (low, high) = range.split_once("..").ok_or_else(|| wrong("its range has no `..`"))?;
        let degrees = |text: &str, none: f64| match text.trim() {
            "" => Ok(none),
            text => text.parse().map(f64::to_radians).map_err(|_| wrong(&format!("`{text}` is no number"))),
        };
        let (low, high) = (degrees(low, f64::NEG_INFINITY)?, degrees(high, f64::INFINITY)?);
        if low.is_nan() || high.is_nan() || low > high {
            return Err(wrong("the lower limit does not come first"));
        }
        let joints = find_joints(name.trim(), skeleton, body)?;
        Ok(joints.into_iter().map(|joint| JointLimit { joint, angle, low, high }).collect())
    }
}

/// A joint by its name, or the joints of a part of the body.
fn find_joints(name: &str, skeleton: &Skeleton, body: Option<&BodyMap>) -> Result<Vec<JointId>, JointLimitError> {
    if let Some(joint) = find_joint(name, skeleton) {
        return Ok(vec![joint]);
    }
    match (find_part(name), body) {
        (Some(part), Some(body)) => {
            let joints = part.joints(skeleton, body);
            if joints.is_empty() { Err(JointLimitError::NoPart { name: name.to_string() }) } else { Ok(joints) }
        }
        (Some(_), None) => Err(JointLimitError::NoPart { name: name.to_string() }),
        (None, _) => {
            let names = skeleton.joints().iter().map(|joint| joint.name.as_str());
            let closest = closest_names(name, names, 3).into_iter().map(str::to_string).collect();
            Err(JointLimitError::Unknown { name: name.to_string(), closest })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit_table::anatomical_limits;
    use crate::turned_axes::turn_axes;
    use proptest::prelude::*;
    use std::sync::Arc;
    use surefoot_geom::{Mat3, Vec3, rotation};
    use surefoot_locomotion::{WalkerOptions, anatomical_frames, synthetic_walk};
    use surefoot_motion::{PersonOptions, Pose, WorldPose, person};

    /// A clip of a person in wild poses, its joints' axes turned by `seed`.
    fn wild(turns: &[[f64; 3]], seed: u64) -> (Clip, BodyMap) {
        let (skeleton, body) = person(&PersonOptions::default()).unwrap();
        let pose = |turn: &[f64; 3]| {
            let mut pose = skeleton.rest_pose();
            for (index, joint) in pose.local.iter_mut().enumerate() {
                let sign = if index % 2 == 0 { 1.0 } else { -1.0 };
                joint.rotation = rotation::exp_map(Vec3::from_array(*turn) * sign) * joint.rotation;
            }
            pose
        };
        let poses: Vec<Pose> = turns.iter().map(pose).collect();
        let (turned, turned_body, _) = turn_axes(&skeleton, &body, &skeleton.rest_pose(), seed);
        let poses = poses.iter().map(|pose| turn_axes(&skeleton, &body, pose, seed).2).collect();
        let clip = Clip { name: "wild".into(), skeleton: Arc::new(turned), frame_rate: 60.0, poses };
        (clip, turned_body)
    }

    /// Swing and twist of a joint as seen in the body, by where its limb's length points and not by quaternions:
    /// flexion about X, abduction about Z and twist about Y, without signs.
    fn swing_and_twist(clip: &Clip, body: &BodyMap, pose: &Pose, joint: JointId) -> [f64; 3] {
        let frames = anatomical_frames(&clip.skeleton, body, &clip.poses).frames;
        let above = clip.skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| frames[parent.index()]);
        let turn = Mat3::from_quat(above.conjugate() * pose[joint].rotation * frames[joint.index()]);
        let along = turn.y_axis;
        let angle = along.x.hypot(along.z).atan2(along.y);
        let axis = Vec3::Y.cross(along).normalize_or(Vec3::X);
        let untwisted = Mat3::from_quat(Quat::from_axis_angle(axis, -angle)) * turn;
        [axis.x * angle, axis.z * angle, untwisted.z_axis.x.atan2(untwisted.x_axis.x)]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn hard_limits_of_balls_are_never_exceeded(
            turns in prop::collection::vec([-3.0..3.0f64, -3.0..3.0f64, -3.0..3.0f64], 1..6),
            seed in 0u64..1000,
            flexion in (0.0..3.1f64, 0.0..3.1f64),
            abduction in (0.0..3.1f64, 0.0..3.1f64),
            twist in (0.0..3.1f64, 0.0..3.1f64),
        ) {
            let (clip, body) = wild(&turns, seed);
            let ranges = [flexion, abduction, twist];
            for joint in [body.legs.right.hip, body.arms.left.unwrap().shoulder, body.spine[0], body.legs.left.ankle] {
                let limits: Vec<JointLimit> = JointAngle::ALL.into_iter().zip(ranges)
                    .map(|(angle, (low, high))| JointLimit { joint, angle, low: -low, high }).collect();
                let limited = limit_joints(&clip, Some(&body), &limits, &LimitOptions::default()).unwrap();
                for pose in &limited.clip.poses {
                    let [x, z, y] = swing_and_twist(&clip, &body, pose, joint);
                    // A swing of half a turn may be seen from either side.
                    let around = 1.0 - TAU / x.hypot(z).max(1e-9);
                    let seen = [[x, z, y], [x * around, z * around, y]];
                    let kept = |angles: &[f64; 3]| angles.iter().zip(ranges).all(|(angle, (low, high))| {
                        // And so may a range, for signs differ between sides.
                        (*angle > -low - 1e-9 && *angle < high + 1e-9) || (*angle > -high - 1e-9 && *angle < low + 1e-9)
                    }) && angles[0].hypot(angles[1]) < PI + 1e-9;
                    prop_assert!(seen.iter().any(kept), "{:?} beyond {:?}", seen, ranges);
                    prop_assert!((pose[joint].rotation.length() - 1.0).abs() < 1e-12);
                }
                for pose in limited.clip.poses.iter().zip(&clip.poses) {
                    for other in clip.skeleton.ids().filter(|other| *other != joint) {
                        prop_assert_eq!(pose.0[other], pose.1[other]);
                    }
                }
                let again = limit_joints(&limited.clip, Some(&body), &limits, &LimitOptions::default()).unwrap();
                for (once, twice) in limited.clip.poses.iter().zip(&again.clip.poses) {
                    prop_assert!(rotation::angle_between(once[joint].rotation, twice[joint].rotation) < 1e-9);
                }
            }
        }

        #[test]
        fn hard_limits_of_a_knee_are_never_exceeded(
            bends in prop::collection::vec(-0.5..2.8f64, 2..20),
            (least, most) in (-0.2..0.2f64, 0.3..2.0f64),
            seed in 0u64..1000,
        ) {
            let (skeleton, body) = person(&PersonOptions::default()).unwrap();
            let knee = body.legs.left.knee;
            let pose = |bend: &f64| {
                let mut pose = skeleton.rest_pose();
                pose[knee].rotation = Quat::from_rotation_x(*bend);
                turn_axes(&skeleton, &body, &pose, seed).2
            };
            let poses: Vec<Pose> = bends.iter().map(pose).collect();
            let (skeleton, body, _) = turn_axes(&skeleton, &body, &skeleton.rest_pose(), seed);
            let clip = Clip { name: "knee".into(), skeleton: Arc::new(skeleton), frame_rate: 60.0, poses };
            let limit = JointLimit { joint: knee, angle: JointAngle::Flexion, low: least, high: most };
            let limited = limit_joints(&clip, Some(&body), &[limit], &LimitOptions::default()).unwrap();
            for (pose, bend) in limited.clip.poses.iter().zip(&bends) {
                // By where thigh and shin point.
                let world = WorldPose::new(&clip.skeleton, pose);
                let leg = &body.legs.left;
                let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| world.position(joint));
                let (thigh, shin) = (knee - hip, ankle - knee);
                let left = world.position(body.legs.left.hip) - world.position(body.legs.right.hip);
                let found = thigh.cross(shin).dot(left.normalize()).atan2(thigh.dot(shin));
                prop_assert!(found < most + 1e-9 && found > least - 1e-9, "{} of {}", found, bend);
                prop_assert!((found - bend.clamp(least, most)).abs() < 1e-9);
            }
        }

        #[test]
        fn soft_limits_keep_within_and_do_not_jump(seed in 0u64..100, high in 0.2..1.4f64, soft in 0.05..0.5f64) {
            let turns: Vec<[f64; 3]> = (0..200).map(|i| [1.0, 0.3, -0.2].map(|k| k * f64::from(i) * 0.01)).collect();
            let (clip, body) = wild(&turns, seed);
            let joint = body.legs.left.hip;
            let limits = JointAngle::ALL.map(|angle| JointLimit { joint, angle, low: -high, high });
            let limited = limit_joints(&clip, Some(&body), &limits, &LimitOptions { soft }).unwrap();
            let mut before = None;
            for (pose, source) in limited.clip.poses.iter().zip(&clip.poses) {
                let found = swing_and_twist(&clip, &body, pose, joint);
                prop_assert!(found.iter().all(|angle| angle.abs() < high + 1e-9));
                if let Some((last, last_source)) = before {
                    let step: f64 = rotation::angle_between(last, pose[joint].rotation);
                    prop_assert!(step < 3.0 * rotation::angle_between(last_source, source[joint].rotation) + 1e-9);
                }
                before = Some((pose[joint].rotation, source[joint].rotation));
            }
        }
    }

    #[test]
    fn an_arm_that_leans_back_from_straight_up_comes_back_by_as_much() {
        let (skeleton, body) = person(&PersonOptions::default()).unwrap();
        let shoulder = body.arms.left.unwrap().shoulder;
        let axes = JointAxes::new(&skeleton, Some(&body), &[]);
        let mut pose = skeleton.rest_pose();
        let back = 185f64.to_radians();
        pose[shoulder].rotation = axes.rotation(shoulder, JointAngles { flexion: back, abduction: 0.0, twist: 0.1 });
        let clip =
            Clip { name: "up".into(), skeleton: Arc::new(skeleton), frame_rate: 60.0, poses: vec![pose.clone()] };
        let limits: Vec<JointLimit> =
            anatomical_limits(&clip.skeleton, &body).into_iter().filter(|limit| limit.joint == shoulder).collect();
        let limited = limit_joints(&clip, Some(&body), &limits, &LimitOptions::default()).unwrap();
        let moved = rotation::angle_between(limited.clip.poses[0][shoulder].rotation, pose[shoulder].rotation);
        // Short of half a turn by a millionth.
        assert!((moved - 5f64.to_radians()).abs() < 2e-6, "{}", moved.to_degrees());
    }

    #[test]
    fn ranges_of_more_than_half_a_turn_together_allow_no_more_than_half_a_turn() {
        let (skeleton, body) = person(&PersonOptions::default()).unwrap();
        let joint = body.arms.left.unwrap().shoulder;
        let axes = JointAxes::new(&skeleton, Some(&body), &[]);
        let mut pose = skeleton.rest_pose();
        // The other way around it is 168 degrees of both, which no arm does.
        pose[joint].rotation = axes.rotation(joint, JointAngles { flexion: -1.5, abduction: -1.5, twist: 0.0 });
        let clip = Clip { name: "back".into(), skeleton: Arc::new(skeleton), frame_rate: 60.0, poses: vec![pose] };
        let limits = JointAngle::ALL.map(|angle| JointLimit { joint, angle, low: -0.1, high: 3.1 });
        let limited = limit_joints(&clip, Some(&body), &limits, &LimitOptions::default()).unwrap().clip;
        let found = axes.angles(joint, limited.poses[0][joint].rotation);
        assert!(found.flexion > -0.1 - 1e-9 && found.abduction > -0.1 - 1e-9, "{found:?}");
    }

    #[test]
    fn a_walk_is_within_anatomy_and_unchanged() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let clip = &walk.take.clip;
        let limits = anatomical_limits(&clip.skeleton, &walk.body);
        let limited = limit_joints(clip, Some(&walk.body), &limits, &LimitOptions::default()).unwrap();
        assert_eq!(limited.capped, []);
        assert_eq!(limited.clip, *clip);
    }

    #[test]
    fn what_was_capped_is_told_and_the_last_limit_counts() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let clip = &walk.take.clip;
        let parse = |text: &str| JointLimit::parse(text, &clip.skeleton, Some(&walk.body)).unwrap();
        let mut limits = parse("knees.flexion=0..10");
        limits.extend(parse("knees.x=0..30"));
        let limited = limit_joints(clip, Some(&walk.body), &limits, &LimitOptions::default()).unwrap();
        assert_eq!(limited.capped.len(), 2);
        let most = 30f64.to_radians();
        let axes = JointAxes::new(&clip.skeleton, Some(&walk.body), &clip.poses);
        for capped in limited.capped {
            let flexion = |pose: &Pose| axes.angles(capped.joint, pose[capped.joint].rotation).flexion;
            let beyond: Vec<f64> =
                clip.poses.iter().map(|pose| flexion(pose) - most).filter(|by| *by > 1e-12).collect();
            assert_eq!(capped.n_frames, beyond.len());
            assert!((capped.most - beyond.iter().copied().fold(0.0, f64::max)).abs() < 1e-12);
            let kept = limited.clip.poses.iter().map(flexion).fold(0.0, f64::max);
            assert!((kept - most).abs() < 1e-9);
        }
    }

    #[test]
    fn clips_of_no_frame_and_bodies_that_are_unknown_are_handled() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let clip = walk.take.clip.with_poses(Vec::new());
        let limits = anatomical_limits(&clip.skeleton, &walk.body);
        assert!(
            limit_joints(&clip, Some(&walk.body), &limits, &LimitOptions::default()).unwrap().clip.poses.is_empty()
        );
        let limited = limit_joints(&walk.take.clip, None, &limits, &LimitOptions { soft: 0.1 }).unwrap();
        assert!(limited.clip.poses.iter().flat_map(|pose| &pose.local).all(surefoot_geom::Transform::is_finite));
    }

    #[test]
    fn wrong_limits_say_what_would_be_right() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let (clip, body) = (&walk.take.clip, &walk.body);
        let parse = |text: &str| JointLimit::parse(text, &clip.skeleton, Some(body)).unwrap_err().to_string();
        for (text, wanted) in [
            ("LeftLowerLeg.x", "no `=`"),
            ("LeftLowerLeg=0..1", "no axis"),
            ("LeftLowerLeg.w=0..1", "none of x, y, z"),
            ("knees.x=0-1", "no `..`"),
            ("knees.x=0..much", "`much` is no number"),
            ("knees.x=2..1", "does not come first"),
            ("knees.x=NaN..1", "does not come first"),
            ("knie.x=0..1", "neither a joint nor a part"),
        ] {
            let error = parse(text);
            assert!(error.contains(wanted), "{text}: {error}");
        }
        let error = JointLimit::parse("knees.x=0..1", &clip.skeleton, None).unwrap_err();
        assert!(error.to_string().contains("--body"));
        let open = JointLimit::parse("left-knee.x=..90", &clip.skeleton, Some(body)).unwrap();
        assert_eq!((open.len(), open[0].low), (1, f64::NEG_INFINITY));
        let name = clip.skeleton.name(body.legs.left.knee);
        let by_name = JointLimit::parse(&format!("{name}.x=..90"), &clip.skeleton, Some(body)).unwrap();
        assert_eq!(by_name, open);

        let limit = |limit: JointLimit| {
            limit_joints(clip, Some(body), &[limit], &LimitOptions::default()).unwrap_err().to_string()
        };
        let good = JointLimit { joint: body.legs.left.hip, angle: JointAngle::Flexion, low: 0.0, high: 1.0 };
        assert!(limit(JointLimit { joint: JointId::new(999), ..good }).contains("limits[0].joint"));
        for (low, high) in [(1.0, 0.0), (f64::NAN, 1.0), (-4.0, 1.0), (0.0, 4.0), (f64::INFINITY, f64::INFINITY)] {
            let error = limit(JointLimit { low, high, ..good });
            assert!(error.contains("limits[0]") && error.contains("180"), "{error}");
        }
        let both = [good, JointLimit { angle: JointAngle::Abduction, ..good }].map(|limit| JointLimit {
            low: 2.5,
            high: 3.0,
            ..limit
        });
        let error = limit_joints(clip, Some(body), &both, &LimitOptions::default()).unwrap_err().to_string();
        assert!(error.contains("half a turn"), "{error}");
        for soft in [-1.0, f64::NAN] {
            assert!(limit_joints(clip, Some(body), &[good], &LimitOptions { soft }).is_err());
        }
    }
}
