//! Phase 5: changes fade away around plants, and nothing sinks into the ground (SKATE 4.5).
//!
//! 1. What a frame left alone takes over the changes of its neighbours within L4, blended off ([`super::blend`]): the root in a
//!    frame without plants, a leg in a frame in which its foot is free. All parameters of a leg change in the same frames, so
//!    they are blended together, each on its own scale.
//! 2. A free foot whose heel or ball is below the ground is lifted straight up until neither is, and its leg solved anew.
//! 3. Toes below the ground are bent up (equations 12 and 13).

use super::blend::{Mark, Reach, blended};
use super::frames::Frames;
use super::legs::{LegChange, LegJoints, LegPose, LowerBody, changed_leg};
use super::solve_leg::{Stretching, solve_leg};
use surefoot_geom::{Quat, Transform, Vec3, ground_point};
use surefoot_ground::Terrain;
use surefoot_motion::{PerSide, Pose, Side};

/// What was changed in a frame so that its plants hold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolvedFrame {
    /// The root's move; `None` in a frame without plants.
    pub root: Option<Vec3>,
    /// Each leg's change; `None` for a free foot.
    pub legs: PerSide<Option<LegChange>>,
}

/// The root of a frame, and how far its knees would turn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RootedFrame {
    /// The root's move; `None` in a frame without plants.
    pub root: Option<Vec3>,
    /// How far each knee would turn for its ankle to reach, positive to extend; `None` for a free foot.
    pub knee_turns: PerSide<Option<f64>>,
}

/// All changes of a frame but the toes'.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FinishedFrame {
    /// The root's move.
    pub root: Vec3,
    /// Each leg's change.
    pub legs: PerSide<LegChange>,
    /// How far each free foot was lifted out of the ground.
    pub lifted: PerSide<f64>,
}

/// Phase 5 for one frame, but for its toes.
pub(super) fn blend_off(
    frames: &(impl Frames<SolvedFrame> + ?Sized),
    frame: usize,
    legs: &PerSide<LegPose>,
    body: &LowerBody,
    terrain: &Terrain,
    reach: Reach,
    stretching: Stretching,
) -> FinishedFrame {
    let now = frames.at(frame).copied().unwrap_or_default();
    let mark = |solved: &SolvedFrame| solved.root.map_or(Mark::Open, Mark::Made);
    let root = now.root.or_else(|| blended(frames, frame, reach, mark)).unwrap_or(Vec3::ZERO);
    let mut lifted = PerSide::default();
    let legs = PerSide::from_fn(|side| {
        if let Some(change) = now.legs[side] {
            return change;
        }
        let mark = |solved: &SolvedFrame| solved.legs[side].map_or(Mark::Open, Mark::Made);
        let change = blended(frames, frame, reach, mark).unwrap_or(LegChange::NONE);
        let moved = legs[side].moved(root);
        let (change, lift) = lift_foot(&moved, change, &body.legs[side], terrain, stretching);
        lifted[side] = lift;
        change
    });
    FinishedFrame { root, legs, lifted }
}

/// A free leg's change with its foot out of the ground, and how far it was lifted.
fn lift_foot(
    leg: &LegPose,
    change: LegChange,
    joints: &LegJoints,
    terrain: &Terrain,
    stretching: Stretching,
) -> (LegChange, f64) {
    let changed = changed_leg(leg, &change);
    let depth = |point: Vec3| terrain.height(ground_point(point)) - point.y;
    let lift = depth(changed.ball()).max(depth(changed.ankle.transform_point(joints.heel)));
    if lift <= 0.0 {
        return (change, 0.0);
    }
    let ankle = changed.ankle;
    let target = Transform::new(ankle.rotation, ankle.translation + Vec3::Y * lift);
    let more = solve_leg(&changed, &target, joints.knee_axis, stretching);
    (compose(&change, &more), lift)
}

/// One change after another.
fn compose(first: &LegChange, then: &LegChange) -> LegChange {
    use surefoot_geom::rotation::{exp_map, log_map};
    let turn = |first: Vec3, then: Vec3| log_map(exp_map(then) * exp_map(first));
    LegChange {
        hip: turn(first.hip, then.hip),
        knee: turn(first.knee, then.knee),
        ankle: turn(first.ankle, then.ankle),
        stretch: (1.0 + first.stretch) * (1.0 + then.stretch) - 1.0,
    }
}

/// Applies the changes of a frame to its pose, and bends toes out of the ground.
pub(super) fn apply(
    pose: &mut Pose,
    legs: &PerSide<LegPose>,
    finished: &FinishedFrame,
    body: &LowerBody,
    terrain: &Terrain,
) {
    body.move_root(pose, finished.root);
    for side in Side::BOTH {
        let change = &finished.legs[side];
        if *change != LegChange::NONE {
            body.change_leg(pose, side, change);
        }
        let ankle = changed_leg(&legs[side].moved(finished.root), change).ankle;
        bend_toes(pose, side, &ankle, &legs[side], body, terrain);
    }
}

/// Bends the toes of one foot up until their tip is on the ground, if it is below.
fn bend_toes(pose: &mut Pose, side: Side, ankle: &Transform, leg: &LegPose, body: &LowerBody, terrain: &Terrain) {
    let Some(tip) = body.toe_in_ankle(pose, side) else { return };
    let joints = &body.legs[side];
    let toes = ankle.rotation * (tip - leg.ball_offset);
    let ball = ankle.transform_point(leg.ball_offset);
    let forward = (leg.ball_offset - joints.heel).normalize_or_zero();
    // A turn about it takes forward to up.
    let axis = ankle.rotation * forward.cross(joints.sole_normal);
    let mut bend = 0.0;
    for _ in 0..TOE_ROUNDS {
        let at = ball + Quat::from_axis_angle(axis, bend) * toes;
        let floor = terrain.height(ground_point(at));
        if at.y >= floor - TOE_SLACK {
            break;
        }
        bend = bend_to_height(toes, axis, floor - ball.y);
    }
    if bend > 0.0 {
        let local = ankle.rotation.conjugate();
        body.turn_toes(pose, side, Quat::from_axis_angle(local * axis, bend));
    }
}

/// On uneven ground the tip comes to stand over another place when the toes bend; level ground needs one round.
const TOE_ROUNDS: usize = 4;

/// Toes this deep, in metres, are on the ground: rounding, not sinking.
const TOE_SLACK: f64 = 1e-9;

/// The smallest positive turn of `toes` about the unit vector `axis` after which their height is `height`, or as high as
/// it gets (SKATE eqs. 12 and 13).
///
/// The paper prints a solution for toes that are perpendicular to a level axis (with a factor missing in two of its terms). This
/// one turns any toes about any axis: their height is `a cos(turn) + b sin(turn) + c`.
pub(super) fn bend_to_height(toes: Vec3, axis: Vec3, height: f64) -> f64 {
    let along = axis * toes.dot(axis);
    let across = toes - along;
    let (a, b, c) = (across.y, axis.cross(across).y, along.y);
    let size = a.hypot(b);
    if size == 0.0 {
        return 0.0;
    }
    let top = b.atan2(a);
    let aside = ((height - c) / size).clamp(-1.0, 1.0).acos();
    // Rising toes meet the height before the top.
    (top - aside).rem_euclid(std::f64::consts::TAU)
}
