//! Joint limits: angles capped where a body, or an animator, has them end.
//!
//! Reference: SIGNAL 5.3 and figure 5.11: "the shaping function has been modified to limit the joint angles". What is
//! shaped here is not a channel of [`crate::Curves`] but an angle that anatomy knows ([`crate::JointAxes`]): a component
//! of a rotation vector about some mean is no angle that could have a limit.
//!
//! 1. A joint's rotation is expressed as flexion, abduction and twist.
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
use surefoot_geom::{Quat, Vec2, nearest_turn};
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
    let axes = JointAxes::new(&clip.skeleton, body, clip.poses());
    let all_caps = collect_caps(&clip.skeleton, &axes, limits, options)?;
    let mut limited = clip.clone();
    let mut capped = Vec::new();
    for (joint, caps) in &all_caps {
        let mut beyond = JointAngle::ALL.map(|angle| CappedAngle { joint: *joint, angle, n_frames: 0, most: 0.0 });
        for mut pose in limited.poses_mut() {
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
        if middle.is_finite() { nearest_turn(angle, middle) } else { angle }
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
        let toward = swing - least;
        // |least + t toward| is a half turn, for the larger t: a quadratic equation.
        let (a, b, c) = (toward.length_squared(), least.dot(toward), least.length_squared() - HALF_TURN * HALF_TURN);
        let t = (-b + (b * b - a * c).max(0.0).sqrt()) / a;
        least + toward * t.clamp(0.0, 1.0)
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
#[path = "joint_limits_tests.rs"]
mod tests;
