//! Phase 4: a leg that puts its ankle where it must be (SKATE 4.4).
//!
//! ```text
//!   hip o          1. bend the knee until the ankle is as far from the hip as the target is (equation 8)
//!        \   a        - damped, so that a nearly straight knee hardly turns (equations 10 and 11)
//!     l_t \            2. make thigh and shin longer or shorter by what is still missing
//!          o knee      3. swing the hip until the leg points at the target
//!     l_s /            4. roll the leg about the line from hip to ankle until the ankle's orientation is as near to its
//!        /                target's as can be (equation 9)
//! ankle o              5. turn the ankle by what is left
//! ```
//!
//! Departures: a turn of the knee is averaged over a third of L3 ([`super::blend`]), so that a knee moves on as smoothly as it
//! was recorded, and what changes from frame to frame, tenths of a millimetre, goes into the leg's length. Equation 8 is printed
//! for a thigh and a shin that lean to the same side of the knee's axis; ours has the signed components. Equation 9 is solved with a two-argument arctangent, which needs no choice between two answers. A
//! recorded knee that is bent backwards (recordings have up to 5 degrees of it) is turned as if it were bent forward by as much,
//! so that it stays as it is where nothing is asked of it, and bends forward where the leg must get shorter.
//! Limit: a rigid leg, which has no length to give, bends such a knee forward by as much at once, even where nothing is asked of
//! it. Two angles reach a distance, one on each side of straight, and none between: a knee that stayed back while its leg got no
//! shorter would flip over in one frame when it did. Bent forward always, it moves on without a jump while the recorded one
//! passes through straight.

use super::aim_ankles::AnkleTargets;
use super::blend::alpha;
use super::legs::{LegChange, LegPose};
use super::stretch::{SOFT_FROM, soft_limit};
use std::f64::consts::{PI, TAU};
use surefoot_geom::{Quat, Transform, Vec3, rotation};
use surefoot_motion::{PerSide, TwoBone};

/// A knee as a hinge: what equation 8 needs.
struct Hinge {
    /// The hinge's axis in the world, a unit vector; a turn about it flexes the knee.
    axis: Vec3,
    /// From the knee to the hip and to the ankle.
    thigh: Vec3,
    shin: Vec3,
    /// Their lengths across the axis, the paper's l with a tilde.
    bones: TwoBone,
}

impl Hinge {
    fn new(leg: &LegPose, knee_axis: Vec3) -> Hinge {
        let axis = leg.hip.rotation * knee_axis;
        let knee = leg.knee.translation;
        let (thigh, shin) = (leg.hip.translation - knee, leg.ankle.translation - knee);
        Hinge { axis, thigh, shin, bones: TwoBone::hinged((-thigh, axis), (shin, axis)) }
    }

    /// The knee's angle in `[0, 2 pi)`: pi is straight, more is bent backwards.
    fn angle(&self) -> f64 {
        let sine = self.axis.dot(self.shin.cross(self.thigh));
        let cosine = self.thigh.dot(self.shin) - self.thigh.dot(self.axis) * self.shin.dot(self.axis);
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
        PI - self.bones.flexion(distance)
    }
}

/// The distance from hip to ankle with a straight knee.
pub(super) fn full_length(leg: &LegPose, knee_axis: Vec3) -> f64 {
    Hinge::new(leg, knee_axis).bones.reach(0.0)
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
    /// Where ankles must be after feet have rolled over the one part that they are planted on.
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
/// ...toward this (177 degrees): beyond straight a knee would fold over.
const STRAIGHTEST: f64 = 3.09;

/// A turn of a knee at `angle` that does not straighten it completely. Smoothing and blending off take no account of where
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
    let (angle, target_angle) = (hinge.angle(), hinge.angle_for(target.distance(leg.hip.translation)));
    match stretching {
        Stretching::From(rho) => {
            // A knee that is bent backwards turns like its twin that is bent forward.
            let twin = angle.min(TAU - angle);
            damped(twin, target_angle - twin, rho)
        }
        // Always the forward one of the two angles that reach: see the limit above.
        Stretching::Never => target_angle - angle,
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
    let to_target = target.translation - leg.hip.translation;
    let (turn, stretch) = match stretching {
        Stretching::From(_) => hinge.limit_stretch(short_of_straight(hinge.angle(), turn), to_target.length(), already),
        Stretching::Never => (turn, 0.0),
    };
    let knee_turn = hinge.turned(turn);
    let to_ankle = knee_turn * hinge.shin - hinge.thigh;
    let swing = rotation::between_directions(to_ankle, to_target);
    let ankle_before = swing * knee_turn * leg.ankle.rotation;
    let roll = best_roll(ankle_before, target.rotation, to_target.normalize_or_zero());
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use surefoot_geom::rotation::angle_between;

    /// A leg that hangs down from the origin, its knee bent by `bend` radians; the axis leans by `lean`.
    fn leg(bend: f64, lean: f64) -> (LegPose, Vec3) {
        let axis = Quat::from_rotation_y(lean) * Vec3::X;
        let hip = Transform::IDENTITY;
        let knee = Transform::new(Quat::from_axis_angle(axis, bend), Vec3::NEG_Y * 0.43);
        let ankle = knee * Transform::from_translation(Vec3::NEG_Y * 0.41);
        let pose = LegPose {
            hip_parent: Quat::IDENTITY,
            hip,
            knee_parent: Quat::IDENTITY,
            knee,
            ankle_parent: knee.rotation,
            ankle,
            ball_offset: Vec3::new(0.0, -0.06, 0.12),
        };
        (pose, axis)
    }

    proptest! {
        #[test]
        fn the_ankle_comes_to_its_target(
            bend in -0.1..2.2f64,
            lean in -0.2..0.2f64,
            (x, y, z) in (-0.5..0.5f64, -0.85..-0.2f64, -0.5..0.5f64),
            turn in -1.0..1.0f64,
        ) {
            let (leg, axis) = leg(bend, lean);
            let target = Transform::new(Quat::from_rotation_z(turn), Vec3::new(x, y, z));
            let change = solve_leg(&leg, &target, axis, Stretching::From(2.8));
            let ankle = super::super::legs::changed_leg(&leg, &change).ankle;
            prop_assert!(ankle.translation.distance(target.translation) < 1e-12);
            prop_assert!(angle_between(ankle.rotation, target.rotation) < 1e-7);
        }

        #[test]
        fn nothing_changes_where_nothing_is_asked(bend in -0.15..2.2f64, lean in -0.2..0.2f64) {
            let (leg, axis) = leg(bend, lean);
            let change = solve_leg(&leg, &leg.ankle, axis, Stretching::From(2.8));
            prop_assert!(change.stretch.abs() < 1e-12 && change.knee.length() < 1e-6 && change.hip.length() < 1e-6);
        }

        #[test]
        fn no_roll_is_nearer_than_the_best(a in -3.0..3.0f64, b in -3.0..3.0f64, other in -3.1..3.1f64) {
            let from = Quat::from_rotation_x(a) * Quat::from_rotation_y(b);
            let to = Quat::from_rotation_z(b) * Quat::from_rotation_x(0.3 * a);
            let axis = Vec3::new(0.2, -0.9, 0.3).normalize();
            let best = angle_between(best_roll(from, to, axis) * from, to);
            prop_assert!(best <= angle_between(Quat::from_axis_angle(axis, other) * from, to) + 1e-9);
        }

        #[test]
        fn damping_is_the_integral_of_its_factor(from in 0.5..3.4f64, turn in -1.0..1.0f64) {
            // SKATE eqs. 10 and 11, summed up by hand.
            let rho = 2.8;
            let factor = |x: f64| if x < rho { 1.0 } else { alpha((x - rho) / (PI - rho)) };
            let n = 20_000;
            let step = turn / f64::from(n);
            let sum: f64 = (0..n).map(|i| factor(from + (f64::from(i) + 0.5) * step) * step).sum();
            prop_assert!((damped(from, turn, rho) - sum).abs() < 1e-6);
        }
    }

    #[test]
    fn a_leg_extended_by_a_hundredth_turns_its_knee_as_in_figure_6() {
        // The paper's figure: the nearer to straight, the larger the turn of a knee for 1 % more length.
        for (extension, least) in [(0.90, 2.0), (0.95, 3.5), (0.985, 8.0), (0.99, 15.0)] {
            let (pose, axis) = leg(1e-3, 0.0);
            let full = full_length(&pose, axis);
            let bend = PI - Hinge::new(&pose, axis).angle_for(extension * full);
            let (pose, axis) = leg(bend, 0.0);
            let target = Vec3::NEG_Y * ((extension + 0.01) * full);
            let turn = |stretching| knee_turn(&pose, target, axis, stretching).to_degrees();
            let (free, held) = (turn(Stretching::Never), turn(Stretching::From(2.8)));
            assert!(free > least, "{extension}: {free} degrees");
            assert!(held <= free, "{extension}: {held} of {free} degrees");
        }
    }

    #[test]
    fn a_knee_that_was_bent_backwards_is_shortened_forward() {
        let (leg, axis) = leg(-0.08, 0.0);
        for share in [0.99, 0.95, 0.8] {
            let target = Transform::new(leg.ankle.rotation, leg.ankle.translation * share);
            for stretching in [Stretching::From(2.8), Stretching::Never] {
                let change = solve_leg(&leg, &target, axis, stretching);
                let solved = super::super::legs::changed_leg(&leg, &change);
                let angle = Hinge::new(&solved, axis).angle();
                assert!(angle < PI + 0.0801, "{share}: {angle}");
            }
        }
    }

    #[test]
    fn a_rigid_knee_that_was_bent_backwards_becomes_its_twin_without_a_jump() {
        let bends = (-80..=80).map(|k| f64::from(k) * 1e-3);
        let angles: Vec<f64> = bends
            .map(|bend| {
                let (leg, axis) = leg(bend, 0.0);
                let change = solve_leg(&leg, &leg.ankle, axis, Stretching::Never);
                let solved = super::super::legs::changed_leg(&leg, &change);
                let away = solved.ankle.translation.distance(leg.ankle.translation);
                // Directions 2e-8 apart are one to the arc between them.
                assert!(away < 1e-7, "{bend}: {away} m");
                let angle = Hinge::new(&solved, axis).angle();
                assert!((angle - (PI - bend.abs())).abs() < 1e-6, "{bend}: {angle}");
                angle
            })
            .collect();
        assert!(angles.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 1.1e-3));
    }

    #[test]
    fn knees_stop_short_of_straight() {
        for angle in [2.0, 2.9, 3.05, 3.1] {
            for turn in [0.05, 0.3, 1.5] {
                let end = angle + short_of_straight(angle, turn);
                assert!(end < PI, "{angle} + {turn}: {end}");
            }
            assert_eq!(short_of_straight(angle, -0.2), -0.2);
        }
    }
}
