//! Phase 4: a leg that puts its ankle where it must be (SKATE 4.4).
//!
//! ```text
//!   hip o          1. bend the knee until the ankle is as far from the hip as the target is (equation 8)
//!        \   a        - damped, so that a nearly straight knee hardly turns (equations 10 and 11)
//!     l_t \            2. make thigh and shin longer or shorter by what is still missing
//!          o knee      3. swing the hip until the leg points at the target
//!     l_s /            4. roll the leg about the line from hip to ankle until the ankle's orientation is as near to its
//!        /                target's as can be (equation 9)
//! ankle o              5. turn the ankle the rest of the way
//! ```
//!
//! Departures: equation 8 is printed for a thigh and a shin that lean to the same side of the knee's axis; ours has the
//! signed components. Equation 9 is solved with a two-argument arctangent, which needs no choice between two answers. A
//! recorded knee that is bent backwards (recordings have up to 5 degrees of it) is turned as if it were bent forward by as much,
//! so that it stays as it is where nothing is asked of it, and bends forward where the leg must get shorter.

use super::aim_ankles::AnkleTargets;
use super::blend::alpha;
use super::legs::{LegChange, LegPose};
use super::stretch::{SOFT_FROM, soft_limit};
use std::f64::consts::{PI, TAU};
use surefoot_geom::{Quat, Transform, Vec3, rotation};
use surefoot_motion::PerSide;

/// A knee as a hinge: what equation 8 needs.
struct Hinge {
    /// The hinge's axis in the world, a unit vector; a turn about it flexes the knee.
    axis: Vec3,
    /// From the knee to the hip and to the ankle.
    thigh: Vec3,
    shin: Vec3,
    /// Their components across the axis, as lengths: the paper's l with a tilde.
    thigh_across: f64,
    shin_across: f64,
    /// Product of their components along the axis.
    along: f64,
}

impl Hinge {
    fn new(leg: &LegPose, knee_axis: Vec3) -> Hinge {
        let axis = leg.hip.rotation * knee_axis;
        let knee = leg.knee.translation;
        let (thigh, shin) = (leg.hip.translation - knee, leg.ankle.translation - knee);
        let (thigh_along, shin_along) = (thigh.dot(axis), shin.dot(axis));
        let across = |segment: Vec3, along: f64| (segment.length_squared() - along * along).max(0.0).sqrt();
        Hinge {
            axis,
            thigh,
            shin,
            thigh_across: across(thigh, thigh_along),
            shin_across: across(shin, shin_along),
            along: thigh_along * shin_along,
        }
    }

    /// The knee's angle in `[0, 2 pi)`: pi is straight, more is bent backwards.
    fn angle(&self) -> f64 {
        let sine = self.axis.dot(self.shin.cross(self.thigh));
        let cosine = self.thigh.dot(self.shin) - self.along;
        let angle = sine.atan2(cosine);
        if angle < -PI / 2.0 { angle + TAU } else { angle.max(0.0) }
    }

    /// The rotation of the shin by which the knee's angle grows by `turn`: a larger angle extends, which is a turn against
    /// the flexing axis.
    fn turned(&self, turn: f64) -> Quat {
        Quat::from_axis_angle(self.axis, -turn)
    }

    /// The stretch that a knee turned by `turn` leaves to reach `distance`, within its limit, and the turn that then reaches.
    fn limit_stretch(&self, turn: f64, distance: f64, already: f64) -> (f64, f64) {
        let stretch_after = |turn: f64| {
            let reach = (self.turned(turn) * self.shin - self.thigh).length();
            if reach > 0.0 { distance / reach - 1.0 } else { 0.0 }
        };
        let stretch = stretch_after(turn);
        let limited = (1.0 + soft_limit((1.0 + already) * (1.0 + stretch) - 1.0)) / (1.0 + already) - 1.0;
        if (limited - stretch).abs() < 1e-15 {
            return (turn, stretch);
        }
        let exact = self.angle_for(distance / (1.0 + limited)) - self.angle();
        // For a knee that is bent backwards the exact turn leads over to the other side of straight: not all at once.
        let weight = 1.0 - alpha((stretch.abs() - SOFT_FROM) / TURN_OVER);
        let turn = if self.angle() > PI { turn + (exact - turn) * weight } else { exact };
        (turn, stretch_after(turn))
    }

    /// SKATE eq. 8: the angle at which hip and ankle are `distance` apart, or as near as it gets; never bent backwards.
    fn angle_for(&self, distance: f64) -> f64 {
        let squares = self.thigh.length_squared() + self.shin.length_squared() - 2.0 * self.along;
        let product = 2.0 * self.thigh_across * self.shin_across;
        if product <= 0.0 {
            return PI;
        }
        ((squares - distance * distance) / product).clamp(-1.0, 1.0).acos()
    }
}

/// The distance from hip to ankle with a straight knee.
pub(super) fn full_length(leg: &LegPose, knee_axis: Vec3) -> f64 {
    let hinge = Hinge::new(leg, knee_axis);
    let squares = hinge.thigh.length_squared() + hinge.shin.length_squared() - 2.0 * hinge.along;
    (squares + 2.0 * hinge.thigh_across * hinge.shin_across).max(0.0).sqrt()
}

/// SKATE eqs. 10 and 11: how far a knee at `from` really turns when asked to turn by `turn`.
pub(super) fn damped(from: f64, turn: f64, rho: f64) -> f64 {
    integral(from + turn, rho) - integral(from, rho)
}

/// The integral from 0 to `x` of eq. 10's f: 1 below rho, falling to 0 at pi by eq. 3, 0 beyond.
fn integral(x: f64, rho: f64) -> f64 {
    let width = PI - rho;
    if x <= rho || width <= 0.0 {
        return x;
    }
    let u = ((x - rho) / width).min(1.0);
    rho + width * (u - u * u * u + u * u * u * u / 2.0)
}

/// The root of a frame, and how far its knees would turn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RootedFrame {
    /// The root's move; `None` in a frame without plants.
    pub root: Option<Vec3>,
    /// Where ankles must be after feet have rolled over the one part that they stand on.
    pub targets: AnkleTargets,
    /// How far each knee would turn for its ankle to reach, positive to extend; `None` for a free foot.
    pub knee_turns: PerSide<Option<f64>>,
}

/// What was changed in a frame so that its plants hold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolvedFrame {
    /// The root's move; `None` in a frame without plants.
    pub root: Option<Vec3>,
    /// Each leg's change; `None` for a free foot.
    pub legs: PerSide<Option<LegChange>>,
    /// How far the toes of each foot must be bent up to be out of the ground, in radians; for a free foot, as long as nothing
    /// is blended into it.
    pub toe_bend: PerSide<f64>,
}

/// Extending turns fade out from this angle of the knee on, in radians (172 degrees)...
const NEARLY_STRAIGHT: f64 = 3.0;
/// ...and never take a knee beyond this (177 degrees): beyond straight it would fold over.
const STRAIGHTEST: f64 = 3.09;

/// A turn of a knee at `angle` that does not straighten it all the way. Smoothing and blending off take no account of where
/// the knee is, and may ask for more.
pub(super) fn short_of_straight(angle: f64, turn: f64) -> f64 {
    let room = STRAIGHTEST - NEARLY_STRAIGHT;
    let held = |angle: f64| {
        let beyond = angle - NEARLY_STRAIGHT;
        if beyond <= 0.0 { angle } else { NEARLY_STRAIGHT + room * (beyond / room).tanh() }
    };
    if turn > 0.0 { held(angle + turn) - held(angle) } else { turn }
}

/// A change blended off into a frame, its knee short of straight.
pub(super) fn hold_knee(leg: &LegPose, change: &LegChange, knee_axis: Vec3) -> LegChange {
    let axis = leg.knee_parent.conjugate() * (leg.hip.rotation * knee_axis);
    let turn = -change.knee.dot(axis);
    let held = short_of_straight(Hinge::new(leg, knee_axis).angle(), turn);
    LegChange { knee: change.knee + axis * (turn - held), ..*change }
}

/// Stretches over which a knee that was bent backwards comes to be bent forward.
const TURN_OVER: f64 = 0.01;

/// How far legs may change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stretching {
    /// Damp knees from this angle on and stretch the rest.
    From(f64),
    /// Never.
    Never,
}

/// How far the knee of a leg turns so that its ankle comes as far from the hip as `target` is (equations 8, 10 and 11);
/// positive extends.
pub(super) fn knee_turn(leg: &LegPose, target: Vec3, knee_axis: Vec3, stretching: Stretching) -> f64 {
    let hinge = Hinge::new(leg, knee_axis);
    let (angle, wish) = (hinge.angle(), hinge.angle_for(target.distance(leg.hip.translation)));
    match stretching {
        Stretching::From(rho) => {
            // A knee that is bent backwards turns like its twin that is bent forward.
            let twin = angle.min(TAU - angle);
            damped(twin, wish - twin, rho)
        }
        Stretching::Never => wish - angle,
    }
}

/// The change that puts a leg's ankle at `target`.
pub(super) fn solve_leg(leg: &LegPose, target: &Transform, knee_axis: Vec3, stretching: Stretching) -> LegChange {
    let turn = knee_turn(leg, target.translation, knee_axis, stretching);
    solve_leg_with(leg, target, knee_axis, turn, 0.0, stretching)
}

/// The change that puts a leg's ankle at `target`, with the turn of its knee given and the rest stretched. The leg may have
/// been stretched `already`.
pub(super) fn solve_leg_with(
    leg: &LegPose,
    target: &Transform,
    knee_axis: Vec3,
    turn: f64,
    already: f64,
    stretching: Stretching,
) -> LegChange {
    let hinge = Hinge::new(leg, knee_axis);
    let wish = target.translation - leg.hip.translation;
    let (turn, stretch) = match stretching {
        Stretching::From(_) => hinge.limit_stretch(short_of_straight(hinge.angle(), turn), wish.length(), already),
        Stretching::Never => (turn, 0.0),
    };
    let knee_turn = hinge.turned(turn);
    let to_ankle = knee_turn * hinge.shin - hinge.thigh;
    let swing = rotation::between_directions(to_ankle, wish);
    let ankle_before = swing * knee_turn * leg.ankle.rotation;
    let roll = best_roll(ankle_before, target.rotation, wish.normalize_or_zero());
    let hip_world = roll * swing;
    let ankle_parent = hip_world * knee_turn * leg.ankle_parent;
    LegChange {
        hip: rotation::log_map(leg.hip_parent.conjugate() * hip_world * leg.hip_parent),
        knee: rotation::log_map(leg.knee_parent.conjugate() * knee_turn * leg.knee_parent),
        ankle: ankle_change(ankle_parent, leg, target.rotation),
        stretch,
    }
}

/// The rotation vector, in the space of the ankle's parent, that brings the ankle to `target` after its parent has turned.
fn ankle_change(ankle_parent: Quat, leg: &LegPose, target: Quat) -> Vec3 {
    let local_before = leg.ankle_parent.conjugate() * leg.ankle.rotation;
    rotation::log_map(ankle_parent.conjugate() * target * local_before.conjugate())
}

/// SKATE eq. 9: the rotation about the unit vector `axis` after which `from` is nearest to `to`.
fn best_roll(from: Quat, to: Quat, axis: Vec3) -> Quat {
    let (w, v) = (from.w, from.xyz());
    let (w_to, v_to) = (to.w, to.xyz());
    let level = w * w_to + v.dot(v_to);
    let slant = w * axis.dot(v_to) - w_to * axis.dot(v) + v_to.dot(axis.cross(v));
    // The product is cos(phi / 2) * level + sin(phi / 2) * slant; its largest size, for q and -q are one rotation.
    let (level, slant) = if level < 0.0 { (-level, -slant) } else { (level, slant) };
    let size = level.hypot(slant);
    if size < 1e-12 {
        return Quat::IDENTITY;
    }
    let v = axis * (slant / size);
    Quat::from_xyzw(v.x, v.y, v.z, level / size)
}
