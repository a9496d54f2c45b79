//! Phase 5, second half: no foot and no toe is left in the ground (SKATE 4.5).
//!
//! 1. A free foot whose heel or ball is below the ground is lifted straight up until neither is, and its leg solved again.
//! 2. Toes below the ground are bent up (equations 12 and 13).
//!
//! Departures:
//! - The paper lifts each frame by just what it needs. A foot that dips into the ground would then be stopped dead and let go
//!   again, which knees show. Ours lifts by an envelope: the most that is needed within a few frames, then averaged over as
//!   many. It is smooth, nowhere less than what is needed, and nothing where nothing is needed. Next to a plant, where the
//!   foot must not be lifted, the envelope gives way to the bare need. Toes are bent by the same envelope.
//! - Equations 12 and 13 are for toes that are perpendicular to a level axis, and lack a factor in two of their terms as printed.
//!   Ours turn any toes about any axis.

use super::blend::alpha;
use super::blend_off::BlendedFrame;
use super::frames::Frames;
use super::legs::{LegChange, LegJoints, LegPose, LowerBody};
use super::solve_leg::{LegTurns, SolvedFrame, Stretching, change_leg, solve_leg};
use std::f64::consts::{FRAC_PI_2, TAU};
use surefoot_geom::{Quat, Transform, Vec3, ground_point};
use surefoot_ground::Terrain;
use surefoot_motion::{PerSide, PoseMut, Side};

/// All changes of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FinishedFrame {
    /// The root's move.
    pub root: Vec3,
    /// Each leg's change.
    pub legs: PerSide<LegChange>,
    /// How far each free foot was lifted out of the ground, in metres.
    pub lifted: PerSide<f64>,
    /// How far the toes of each foot were bent up, in radians.
    pub toe_bend: PerSide<f64>,
}

/// Fills in how deep free feet and their toes are in the ground in a frame.
pub(super) fn measure_depths(
    blended: &mut BlendedFrame,
    legs: &PerSide<LegPose>,
    toes: &PerSide<Option<Vec3>>,
    body: &LowerBody,
    terrain: &Terrain,
    max_lift: f64,
) {
    for side in Side::BOTH {
        let joints = &body.legs[side];
        let (leg, _) = change_leg(&legs[side].moved(blended.root), &blended.legs[side], joints.knee_axis);
        if blended.planted[side] {
            continue;
        }
        let heel = leg.ankle.transform_point(joints.heel);
        blended.depth[side] = depth(leg.ball(), terrain, max_lift).max(depth(heel, terrain, max_lift));
        let lifted = Transform::new(leg.ankle.rotation, leg.ankle.translation + Vec3::Y * blended.depth[side]);
        blended.toe_bend[side] = toes[side].map_or(0.0, |tip| toe_bend(&lifted, tip, &leg, joints, terrain, max_lift));
    }
}

/// How deep a point is in the ground; 0 if it is not, or so deep that it must be beside what is above it.
fn depth(point: Vec3, terrain: &Terrain, max_lift: f64) -> f64 {
    let depth = terrain.height(ground_point(point)) - point.y;
    if depth > max_lift { 0.0 } else { depth.max(0.0) }
}

/// Half the widths of the envelopes, in frames.
#[derive(Clone, Copy)]
pub(super) struct Halves {
    /// Of lifts, and of the toes of free feet.
    pub(super) feet: usize,
    /// Of toes by what is foreseen before changes are blended off: all but exact, and early, so that there is more time.
    pub(super) toes: usize,
}

/// Phase 5's end for one frame.
pub(super) fn clear_ground(
    frames: &(impl Frames<BlendedFrame> + ?Sized),
    solved: &(impl Frames<SolvedFrame> + ?Sized),
    frame: usize,
    halves: Halves,
    legs: &PerSide<LegPose>,
    body: &LowerBody,
    stretching: Stretching,
) -> FinishedFrame {
    let half = halves.feet;
    let now = frames.at(frame).copied().unwrap_or_default();
    let mut finished = FinishedFrame { root: now.root, legs: now.legs, ..FinishedFrame::default() };
    for side in Side::BOTH {
        let foreseen = envelope(solved, frame, halves.toes, |_| 1.0, |solved| solved.toe_bend[side]);
        let needed = envelope(frames, frame, half, |_| 1.0, |blended| blended.toe_bend[side]);
        finished.toe_bend[side] = foreseen.max(needed);
        if now.planted[side] {
            continue;
        }
        let lift = envelope(frames, frame, half, alpha, |blended| blended.depth[side]);
        let depth = now.depth[side];
        let lift = depth + (lift - depth) * freedom(frames, frame, 2 * half, side);
        if lift > 0.0 {
            let leg = legs[side].moved(now.root);
            finished.legs[side] = lift_foot(&leg, &now.legs[side], &body.legs[side], lift, stretching);
            finished.lifted[side] = lift;
        }
    }
    finished
}

/// The envelope of a need: its largest value within `half` frames, averaged over as many, by weights over the unit interval.
pub(super) fn envelope<T>(
    frames: &(impl Frames<T> + ?Sized),
    frame: usize,
    half: usize,
    weight: impl Fn(f64) -> f64,
    need: impl Fn(&T) -> f64,
) -> f64 {
    let need_at = |frame: Option<usize>| frame.and_then(|frame| frames.at(frame)).map_or(0.0, &need);
    let shifted = |centre: usize, k: usize| (centre + k).checked_sub(half);
    let around = |centre: Option<usize>| {
        let centre = centre.filter(|&centre| frames.at(centre).is_some())?;
        Some((0..=2 * half).fold(0.0, |most: f64, k| most.max(need_at(shifted(centre, k)))))
    };
    if (0..=4 * half).all(|k| need_at((frame + k).checked_sub(2 * half)) == 0.0) {
        return 0.0;
    }
    let (mut sum, mut total) = (0.0, 0.0);
    for k in 0..=2 * half {
        let Some(most) = around(shifted(frame, k)) else { continue };
        let weight = weight(k.abs_diff(half) as f64 / (half + 1) as f64);
        sum += most * weight;
        total += weight;
    }
    sum / total
}

/// From 0 next to a plant of the foot to 1 beyond `reach` frames from any.
fn freedom(frames: &(impl Frames<BlendedFrame> + ?Sized), frame: usize, reach: usize, side: Side) -> f64 {
    let is_planted =
        |frame: Option<usize>| frame.and_then(|frame| frames.at(frame)).is_some_and(|blended| blended.planted[side]);
    let nearest = (1..=reach).find(|&k| is_planted(frame.checked_sub(k)) || is_planted(Some(frame + k)));
    nearest.map_or(1.0, |k| 1.0 - alpha((k - 1) as f64 / reach as f64))
}

/// A free leg's change with its foot lifted. A few millimetres are hidden in the leg's length; the knee takes what is more.
fn lift_foot(leg: &LegPose, change: &LegChange, joints: &LegJoints, lift: f64, stretching: Stretching) -> LegChange {
    let ankle = change_leg(leg, change, joints.knee_axis).0.ankle;
    let target = Transform::new(ankle.rotation, ankle.translation + Vec3::Y * lift);
    let turns = LegTurns { knee: change.knee, roll: change.roll };
    solve_leg(leg, &target, joints.knee_axis, turns, stretching)
}

/// Applies the changes of a frame to its pose.
pub(super) fn apply(pose: &mut PoseMut<'_>, legs: &PerSide<LegPose>, finished: &FinishedFrame, body: &LowerBody) {
    body.move_root(pose, finished.root);
    for side in Side::BOTH {
        let (change, axis) = (&finished.legs[side], body.legs[side].knee_axis);
        if *change != LegChange::default() {
            body.turn_joints(pose, side, &change_leg(&legs[side], change, axis).1);
        }
        let bend = finished.toe_bend[side];
        if bend > 0.0 {
            let axis = toe_axis(&legs[side], &body.legs[side]);
            body.turn_toes(pose, side, Quat::from_axis_angle(axis, bend));
        }
    }
}

/// The axis, in the ankle's space, that toes bend up about: a turn takes forward to up.
fn toe_axis(leg: &LegPose, joints: &LegJoints) -> Vec3 {
    (leg.ball_offset - joints.heel).cross(joints.sole_normal).normalize_or(Vec3::X)
}

/// The smallest turn that brings the tip of the toes, given in the ankle's space, out of the ground.
pub(super) fn toe_bend(
    ankle: &Transform,
    tip: Vec3,
    leg: &LegPose,
    joints: &LegJoints,
    terrain: &Terrain,
    max_lift: f64,
) -> f64 {
    let toes = ankle.rotation * (tip - leg.ball_offset);
    let ball = ankle.transform_point(leg.ball_offset);
    let axis = ankle.rotation * toe_axis(leg, joints);
    let mut bend = 0.0;
    for _ in 0..TOE_ROUNDS {
        let at = ball + Quat::from_axis_angle(axis, bend) * toes;
        let floor = terrain.height(ground_point(at));
        if at.y >= floor - TOE_SLACK || at.y < floor - max_lift {
            break;
        }
        bend = bend_to_height(toes, axis, floor - ball.y);
    }
    bend
}

/// On uneven ground the tip comes to stand over another place when the toes bend; level ground needs one round.
const TOE_ROUNDS: usize = 4;

/// Toes this deep, in metres, are on the ground: rounding, not sinking.
const TOE_SLACK: f64 = 1e-9;

/// Toes are bent up by at most this, in radians (115 degrees), whatever the ground asks for: recorded toes may hang straight
/// down.
const MAX_TOE_BEND: f64 = 2.0;

/// The smallest positive turn of `toes` about the unit vector `axis` after which their height is `height`, or as high as
/// it gets (SKATE eqs. 12 and 13): their height is `a cos(turn) + b sin(turn) + c`.
fn bend_to_height(toes: Vec3, axis: Vec3, height: f64) -> f64 {
    let along = axis * toes.dot(axis);
    let across = toes - along;
    let (a, b, c) = (across.y, axis.cross(across).y, along.y);
    let size = a.hypot(b);
    if size == 0.0 {
        return 0.0;
    }
    let top = b.atan2(a);
    // Toes that hang down and back have it far ahead of them, not just behind.
    let top = if top < -FRAC_PI_2 { top + TAU } else { top };
    let aside = ((height - c) / size).clamp(-1.0, 1.0).acos();
    // Rising toes meet the height before the top; toes beyond it would only sink.
    (top - aside).clamp(0.0, MAX_TOE_BEND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bent_toes_have_the_height_that_was_asked_for() {
        // Also toes that are not perpendicular to a level axis, for which the printed equations do not hold.
        for axis in [Vec3::NEG_X, Vec3::new(-0.9, 0.3, 0.2).normalize()] {
            for toes in [Vec3::new(0.0, -0.03, 0.07), Vec3::new(0.02, -0.05, 0.05), Vec3::new(0.0, -0.07, -0.01)] {
                for height in [-0.02, -0.01, 0.0] {
                    let bend = bend_to_height(toes, axis, height);
                    let bent = Quat::from_axis_angle(axis, bend) * toes;
                    assert!((bent.y - height).abs() < 1e-12, "{axis} {toes} {height}: {bent}");
                    assert!((0.0..MAX_TOE_BEND).contains(&bend));
                }
            }
        }
    }

    #[test]
    fn the_printed_equations_agree_where_they_hold() {
        // SKATE eqs. 12 and 13 for a level axis n perpendicular to the toes.
        let (n, toes, c) = (Vec3::new(-0.8, 0.0, 0.6), Vec3::new(0.03, -0.04, 0.04), 0.01);
        let eta = ((n.x * n.x + n.z * n.z) * (toes.length_squared() - c * c)).sqrt();
        let printed = Vec3::new(-n.z * eta, c, n.x * eta) / (n.x * n.x + n.z * n.z);
        let printed = if printed.dot(toes) > 0.0 { printed } else { Vec3::new(-printed.x, c, -printed.z) };
        let bent = Quat::from_axis_angle(n, bend_to_height(toes, n, c)) * toes;
        assert!(bent.distance(Vec3::new(printed.x, c, printed.z)) < 1e-9, "{bent} against {printed}");
    }

    #[test]
    fn an_envelope_is_nowhere_below_its_need_and_nothing_far_from_it() {
        let mut frames = vec![BlendedFrame::default(); 60];
        for (frame, need) in [(20, 0.01), (21, 0.03), (22, 0.0), (23, 0.02), (40, 0.05)] {
            frames[frame].depth.left = need;
        }
        for half in [0, 1, 3, 5] {
            for frame in 0..60 {
                let lift = envelope(&frames, frame, half, alpha, |blended| blended.depth.left);
                assert!(lift >= frames[frame].depth.left - 1e-15, "{half} {frame}");
                let near = [20, 21, 23, 40].iter().any(|need| frame.abs_diff(*need) <= 2 * half);
                assert!(near || lift == 0.0, "{half} {frame}");
            }
        }
    }
}
