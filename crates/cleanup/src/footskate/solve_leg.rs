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
//! A rigid leg has no length to give: what its knee should not turn by moves the root ([`super::share_reach`]), and its planted knee is
//! always bent forward, for two angles reach a distance, one on each side of straight, and a knee between them would flip over.

use super::aim_ankles::AnkleTargets;
use super::blend::alpha;
use super::legs::{JointTurns, LegChange, LegPose};
use super::share_reach::{LEAST_FLEXION, LegReach, floor_flexion};
use super::stretch::{SOFT_FROM, soft_limit};
use std::f64::consts::{PI, TAU};
use std::ops::{Add, Mul, Sub};
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
    fn limit_stretch(&self, turn: f64, distance: f64) -> (f64, f64) {
        let stretch_after = |turn: f64| {
            let reach = (self.turned(turn) * self.shin - self.thigh).length();
            if reach > 0.0 { distance / reach - 1.0 } else { 0.0 }
        };
        let stretch = stretch_after(turn);
        let limited = soft_limit(stretch);
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
    /// How far each knee would turn for its ankle to reach, and each leg roll; `None` for a free foot.
    pub turns: PerSide<Option<LegTurns>>,
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
    LegChange { knee: short_of_straight(Hinge::new(leg, knee_axis).angle(), change.knee), ..*change }
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

/// How far the knee of a leg turns so that its ankle comes as far from the hip as `target` is, damped from `rho` on (equations
/// 8, 10 and 11); positive extends.
pub(super) fn knee_turn(leg: &LegPose, target: Vec3, knee_axis: Vec3, rho: f64) -> f64 {
    let hinge = Hinge::new(leg, knee_axis);
    let (angle, target_angle) = (hinge.angle(), hinge.angle_for(target.distance(leg.hip.translation)));
    // A knee that is bent backwards turns like its twin that is bent forward.
    let twin = angle.min(TAU - angle);
    damped(twin, target_angle - twin, rho)
}

/// The turn by which the knee of a rigid leg puts its ankle as far from the hip as `target` is, bent to the same side as after the
/// turn that is `wanted`.
pub(super) fn rigid_turn(leg: &LegPose, target: Vec3, knee_axis: Vec3, wanted: f64) -> f64 {
    let hinge = Hinge::new(leg, knee_axis);
    let forward = hinge.angle_for(target.distance(leg.hip.translation));
    let angle = if hinge.angle() + wanted > PI { TAU - forward } else { forward };
    angle - hinge.angle()
}

/// A rigid knee that is bent by less than this takes up nothing, in radians (8 degrees)...
const STIFF_BELOW: f64 = 0.14;
/// ...and one that is bent by more than this everything that is no jitter (18 degrees).
const LOOSE_FROM: f64 = 0.314;

/// A rigid knee that is bent by no more than this weighs fully, in radians (12 degrees); one bent by more as much less as a millimetre turns
/// it less.
const FULL_WEIGHT: f64 = 0.21;

/// How a planted leg would reach its target, with the mean of its turns around the frame.
pub(super) fn reach_target(
    leg: &LegPose,
    target: Vec3,
    knee_axis: Vec3,
    mean: LegTurns,
    stretching: Stretching,
) -> LegReach {
    let hinge = Hinge::new(leg, knee_axis);
    let to_target = target - leg.hip.translation;
    let distance = to_target.length();
    let reach_after = |turn: f64| (hinge.turned(turn) * hinge.shin - hinge.thigh).length();
    let (turn, reach, stiffness, weight) = match stretching {
        Stretching::From(_) => {
            let turn = short_of_straight(hinge.angle(), mean.knee);
            let reach = reach_after(turn);
            let stretch = if reach > 0.0 { distance / reach - 1.0 } else { 0.0 };
            (mean.knee, reach * (1.0 + soft_limit(stretch)), 1.0, 1.0)
        }
        Stretching::Never => {
            let flexion = floor_flexion(PI - (hinge.angle() + mean.knee));
            let stiffness = alpha((flexion - STIFF_BELOW) / (LOOSE_FROM - STIFF_BELOW));
            let weight = (FULL_WEIGHT / flexion).powi(2).min(1.0);
            (PI - flexion - hinge.angle(), hinge.bones.reach(flexion), stiffness, weight)
        }
    };
    LegReach {
        turns: LegTurns { knee: turn, roll: mean.roll },
        along: to_target.normalize_or_zero(),
        excess: distance - reach,
        stiffness,
        weight,
    }
}

/// How far a rigid leg reaches: with its knee bent by half of the least flexion.
pub(super) fn rigid_reach(leg: &LegPose, knee_axis: Vec3) -> f64 {
    Hinge::new(leg, knee_axis).bones.reach(LEAST_FLEXION / 2.0)
}

/// What a leg turns by to reach a target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LegTurns {
    /// Of the knee, positive to extend, in radians.
    pub knee: f64,
    /// Of the leg about the line from hip to ankle, in radians.
    pub roll: f64,
}

impl Add for LegTurns {
    type Output = LegTurns;

    fn add(self, other: LegTurns) -> LegTurns {
        LegTurns { knee: self.knee + other.knee, roll: self.roll + other.roll }
    }
}

impl Sub for LegTurns {
    type Output = LegTurns;

    fn sub(self, other: LegTurns) -> LegTurns {
        self + other * -1.0
    }
}

impl Mul<f64> for LegTurns {
    type Output = LegTurns;

    fn mul(self, by: f64) -> LegTurns {
        LegTurns { knee: self.knee * by, roll: self.roll * by }
    }
}

/// SKATE eq. 9: the roll after which the ankle of a leg whose knee turns by `turn` is oriented as near to its target as can be.
pub(super) fn leg_roll(leg: &LegPose, target: &Transform, knee_axis: Vec3, turn: f64) -> f64 {
    let hinge = Hinge::new(leg, knee_axis);
    let (knee_turn, swing, to_target) = point_at(leg, &hinge, target.translation, turn);
    best_roll(swing * knee_turn * leg.ankle.rotation, target.rotation, to_target.normalize_or_zero())
}

/// The turn of the knee, the swing of the hip that then points the leg at a target, and the line from hip to target.
fn point_at(leg: &LegPose, hinge: &Hinge, target: Vec3, turn: f64) -> (Quat, Quat, Vec3) {
    let to_target = target - leg.hip.translation;
    let knee_turn = hinge.turned(turn);
    let to_ankle = knee_turn * hinge.shin - hinge.thigh;
    (knee_turn, rotation::between_directions(to_ankle, to_target), to_target)
}

/// The change that puts a leg's ankle at `target`, with the turns of its knee and of the leg given and the rest stretched; a rigid
/// knee takes up the rest itself.
pub(super) fn solve_leg(
    leg: &LegPose,
    target: &Transform,
    knee_axis: Vec3,
    turns: LegTurns,
    stretching: Stretching,
) -> LegChange {
    let hinge = Hinge::new(leg, knee_axis);
    let to_target = target.translation - leg.hip.translation;
    let (knee, stretch) = match stretching {
        Stretching::From(_) => hinge.limit_stretch(short_of_straight(hinge.angle(), turns.knee), to_target.length()),
        Stretching::Never => (rigid_turn(leg, target.translation, knee_axis, turns.knee), 0.0),
    };
    let before = leg.ankle.translation - leg.hip.translation;
    LegChange {
        swing: rotation::log_map(rotation::between_directions(before, to_target)),
        roll: turns.roll,
        knee,
        foot: rotation::log_map(target.rotation * leg.ankle.rotation.conjugate()),
        stretch,
    }
}

/// The leg after a change, and what its joints are turned by.
pub(super) fn change_leg(leg: &LegPose, change: &LegChange, knee_axis: Vec3) -> (LegPose, JointTurns) {
    let hinge = Hinge::new(leg, knee_axis);
    let before = leg.ankle.translation - leg.hip.translation;
    let line = rotation::exp_map(change.swing) * before;
    let (knee_turn, swing, _) = point_at(leg, &hinge, leg.hip.translation + line, change.knee);
    let hip_world = Quat::from_axis_angle(line.normalize_or(Vec3::NEG_Y), change.roll) * swing;
    let knee_world = hip_world * knee_turn;
    let (knee_parent, ankle_parent) = (hip_world * leg.knee_parent, knee_world * leg.ankle_parent);
    let longer = 1.0 + change.stretch;
    let knee_place = leg.hip.translation - hip_world * hinge.thigh * longer;
    let ankle_place = knee_place + knee_world * hinge.shin * longer;
    let ankle_rotation = (rotation::exp_map(change.foot) * leg.ankle.rotation).normalize();
    let changed = LegPose {
        hip_parent: leg.hip_parent,
        hip: Transform::new((hip_world * leg.hip.rotation).normalize(), leg.hip.translation),
        knee_parent,
        knee: Transform::new((knee_world * leg.knee.rotation).normalize(), knee_place),
        ankle_parent,
        ankle: Transform::new(ankle_rotation, ankle_place),
        ball_offset: leg.ball_offset,
    };
    // The ankle's own rotation against its parent, before and after.
    let local_before = leg.ankle_parent.conjugate() * leg.ankle.rotation;
    let turns = JointTurns {
        hip: leg.hip_parent.conjugate() * hip_world * leg.hip_parent,
        knee: leg.knee_parent.conjugate() * knee_turn * leg.knee_parent,
        ankle: ankle_parent.conjugate() * ankle_rotation * local_before.conjugate(),
        stretch: change.stretch,
    };
    (changed, turns)
}

/// SKATE eq. 9: the angle of the rotation about the unit vector `axis` after which `from` is nearest to `to`, in `[-pi, pi]`.
fn best_roll(from: Quat, to: Quat, axis: Vec3) -> f64 {
    let (w, v) = (from.w, from.xyz());
    let (w_to, v_to) = (to.w, to.xyz());
    let level = w * w_to + v.dot(v_to);
    let slant = w * axis.dot(v_to) - w_to * axis.dot(v) + v_to.dot(axis.cross(v));
    // The product is cos(phi / 2) * level + sin(phi / 2) * slant; its largest size, for q and -q are one rotation.
    let (level, slant) = if level < 0.0 { (-level, -slant) } else { (level, slant) };
    if level.hypot(slant) < 1e-12 { 0.0 } else { 2.0 * slant.atan2(level) }
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

    /// The change that puts a leg's ankle at `target`, its knee turned as damped and the leg rolled to suit the foot.
    fn reach(leg: &LegPose, target: &Transform, axis: Vec3) -> LegChange {
        let knee = knee_turn(leg, target.translation, axis, 2.8);
        let turns = LegTurns { knee, roll: leg_roll(leg, target, axis, knee) };
        solve_leg(leg, target, axis, turns, Stretching::From(2.8))
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
            let ankle = change_leg(&leg, &reach(&leg, &target, axis), axis).0.ankle;
            prop_assert!(ankle.translation.distance(target.translation) < 1e-12);
            prop_assert!(angle_between(ankle.rotation, target.rotation) < 1e-7);
        }

        #[test]
        fn nothing_changes_where_nothing_is_asked(bend in -0.15..2.2f64, lean in -0.2..0.2f64) {
            let (leg, axis) = leg(bend, lean);
            let change = reach(&leg, &leg.ankle, axis);
            prop_assert!(change.stretch.abs() < 1e-12 && change.knee.abs() < 1e-6 && change.swing.length() < 1e-6);
        }

        #[test]
        fn no_roll_is_nearer_than_the_best(a in -3.0..3.0f64, b in -3.0..3.0f64, other in -3.1..3.1f64) {
            let from = Quat::from_rotation_x(a) * Quat::from_rotation_y(b);
            let to = Quat::from_rotation_z(b) * Quat::from_rotation_x(0.3 * a);
            let axis = Vec3::new(0.2, -0.9, 0.3).normalize();
            let best = angle_between(Quat::from_axis_angle(axis, best_roll(from, to, axis)) * from, to);
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
            let turn = |rho| knee_turn(&pose, target, axis, rho).to_degrees();
            let (free, held) = (turn(PI), turn(2.8));
            assert!(free > least, "{extension}: {free} degrees");
            assert!(held <= free, "{extension}: {held} of {free} degrees");
        }
    }

    #[test]
    fn a_knee_that_was_bent_backwards_is_shortened_forward() {
        let (leg, axis) = leg(-0.08, 0.0);
        for share in [0.99, 0.95, 0.8] {
            let target = Transform::new(leg.ankle.rotation, leg.ankle.translation * share);
            let (solved, _) = change_leg(&leg, &reach(&leg, &target, axis), axis);
            let angle = Hinge::new(&solved, axis).angle();
            assert!(angle < PI + 0.0801, "{share}: {angle}");
        }
    }

    #[test]
    fn a_rigid_planted_knee_is_bent_forward_and_moves_on_without_a_jump() {
        let bends = (-120..=300).map(|k| f64::from(k) * 1e-3);
        let wanted: Vec<f64> = bends
            .map(|bend| {
                let (leg, axis) = leg(bend, 0.0);
                let target = leg.ankle.translation;
                let reach = reach_target(&leg, target, axis, LegTurns::default(), Stretching::Never);
                let flexion = PI - (Hinge::new(&leg, axis).angle() + reach.turns.knee);
                assert!(flexion >= LEAST_FLEXION - 1e-12, "{bend}: {flexion}");
                // The root takes what the leg is shorter by.
                assert!(
                    (reach.excess - (leg.ankle.translation.length() - Hinge::new(&leg, axis).bones.reach(flexion)))
                        .abs()
                        < 1e-12
                );
                flexion
            })
            .collect();
        let speeds: Vec<f64> = wanted.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(speeds.iter().all(|&speed| (-1e-12..1.0001e-3).contains(&speed)));
        assert!(speeds.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 1e-5), "no kink");
    }

    #[test]
    fn a_straight_leg_that_is_rolled_within_a_frame_keeps_its_foot_where_the_change_puts_it() {
        // Recordings turn straight legs about their length by any angle; nobody sees it.
        let (straight, axis) = leg(1e-4, 0.0);
        let change = LegChange { swing: Vec3::new(0.05, 0.0, 0.02), knee: -0.2, ..LegChange::default() };
        let foot = |roll: f64| {
            let about = Quat::from_rotation_y(roll);
            let mut rolled = straight;
            for joint in [&mut rolled.hip, &mut rolled.knee] {
                joint.rotation = about * joint.rotation;
            }
            rolled.ankle_parent = about * rolled.ankle_parent;
            rolled.knee_parent = about * rolled.knee_parent;
            change_leg(&rolled, &change, axis).0.ankle.translation
        };
        assert!(foot(0.0).distance(foot(1.3)) < 1e-4, "{} {}", foot(0.0), foot(1.3));
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
