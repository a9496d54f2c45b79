//! Rotations: exponential map, swing and twist, continuity, means.
//!
//! A unit quaternion and its negative are one rotation. Functions that compare or blend rotations take the nearer of the two
//! and say so. All are total: a zero vector, a half turn or an empty set gives the documented answer, never a NaN.

use crate::{Quat, Vec3};

/// Rotation vector of a rotation: axis times angle, the angle in `[0, pi]`. At a half turn the axis is the stored
/// quaternion's.
pub fn log_map(rotation: Quat) -> Vec3 {
    let q = if rotation.w < 0.0 { -rotation } else { rotation };
    let v = Vec3::new(q.x, q.y, q.z);
    let sine = v.length();
    if sine < 1e-9 {
        // angle / sin(angle / 2) tends to 2; the next term is of order sine^2, below rounding here.
        return 2.0 * v;
    }
    v * (2.0 * sine.atan2(q.w) / sine)
}

/// The rotation of a rotation vector; the inverse of [`log_map`] for angles up to pi.
pub fn exp_map(vector: Vec3) -> Quat {
    let angle = vector.length();
    if angle < 1e-9 {
        return Quat::from_xyzw(vector.x / 2.0, vector.y / 2.0, vector.z / 2.0, 1.0).normalize();
    }
    let (sine, cosine) = (angle / 2.0).sin_cos();
    let v = vector * (sine / angle);
    Quat::from_xyzw(v.x, v.y, v.z, cosine)
}

/// Angle of the rotation that takes `a` to `b`, in `[0, pi]`. Accurate for small angles, where `acos` is not.
pub fn angle_between(a: Quat, b: Quat) -> f64 {
    let d = a.conjugate() * b;
    2.0 * Vec3::new(d.x, d.y, d.z).length().atan2(d.w.abs())
}

/// Splits `rotation` into `swing * twist`, where the twist turns about the unit vector `axis` and the swing's own axis is
/// perpendicular to it. Where the swing is a half turn any twist would do, and the identity is returned for it.
pub fn swing_twist(rotation: Quat, axis: Vec3) -> (Quat, Quat) {
    let along = axis.dot(Vec3::new(rotation.x, rotation.y, rotation.z));
    let v = axis * along;
    let twist = Quat::from_xyzw(v.x, v.y, v.z, rotation.w);
    if twist.length_squared() < 1e-24 {
        return (rotation, Quat::IDENTITY);
    }
    let twist = twist.normalize();
    (rotation * twist.conjugate(), twist)
}

/// Signed angle in `(-pi, pi]` of a twist about the unit vector `axis`, as [`swing_twist`] returns it.
pub fn twist_angle(twist: Quat, axis: Vec3) -> f64 {
    let q = if twist.w < 0.0 { -twist } else { twist };
    2.0 * axis.dot(Vec3::new(q.x, q.y, q.z)).atan2(q.w)
}

/// The smallest rotation that turns the direction of `from` to that of `to`. A zero vector gives the identity; opposite
/// directions turn about an axis perpendicular to `from`, chosen by `from` alone.
pub fn between_directions(from: Vec3, to: Vec3) -> Quat {
    match (from.try_normalize(), to.try_normalize()) {
        (Some(from), Some(to)) => Quat::from_rotation_arc(from, to),
        _ => Quat::IDENTITY,
    }
}

/// `rotation` or its negative, whichever lies in the hemisphere of `reference`.
#[inline]
pub fn same_hemisphere(rotation: Quat, reference: Quat) -> Quat {
    if rotation.dot(reference) < 0.0 { -rotation } else { rotation }
}

/// Flips signs along a sequence so that neighbours lie in one hemisphere: the curve through the four components is then
/// as smooth as the motion.
pub fn make_continuous(rotations: &mut [Quat]) {
    for i in 1..rotations.len() {
        rotations[i] = same_hemisphere(rotations[i], rotations[i - 1]);
    }
}

/// Interpolation at constant angular speed along the shorter arc: `a` at 0, `b` at 1.
pub fn slerp(a: Quat, b: Quat, t: f64) -> Quat {
    a.slerp(b, t)
}

/// Weighted mean of rotations: the rotation with the smallest weighted sum of squared angles to all of them (the intrinsic
/// mean), by iterating the mean in the tangent space (a fixed 1e-14 rad or 64 rounds). Weights must not be negative and
/// need not sum to one; with no positive weight the result is the identity. The mean is unique while all rotations lie
/// within a quarter turn of one another; beyond that it is the stationary point nearest to the heaviest rotation.
pub fn weighted_mean(rotations: &[Quat], weights: &[f64]) -> Quat {
    assert_eq!(rotations.len(), weights.len(), "one weight for each rotation");
    let total: f64 = weights.iter().sum();
    // Not `total <= 0.0`: a NaN weight must end here as well.
    if !total.is_finite() || total <= 0.0 {
        return Quat::IDENTITY;
    }
    let heaviest = (0..weights.len()).fold(0, |best, i| if weights[i] > weights[best] { i } else { best });
    let mut mean = rotations[heaviest];
    for _ in 0..64 {
        let mut step = Vec3::ZERO;
        for (rotation, weight) in rotations.iter().zip(weights) {
            step += log_map(mean.conjugate() * *rotation) * (weight / total);
        }
        mean = (mean * exp_map(step)).normalize();
        if step.length() < 1e-14 {
            break;
        }
    }
    mean
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::PI;

    fn any_rotation() -> impl Strategy<Value = Quat> {
        (-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64, 0.0..PI)
            .prop_filter("an axis", |(x, y, z, _)| Vec3::new(*x, *y, *z).length() > 1e-3)
            .prop_map(|(x, y, z, angle)| Quat::from_axis_angle(Vec3::new(x, y, z).normalize(), angle))
    }

    proptest! {
        #[test]
        fn log_undoes_exp(q in any_rotation()) {
            prop_assert!(angle_between(exp_map(log_map(q)), q) < 1e-12);
            prop_assert!(angle_between(exp_map(log_map(-q)), q) < 1e-12);
        }

        #[test]
        fn swing_and_twist_multiply_back(q in any_rotation(), axis in any_rotation()) {
            let axis = axis * Vec3::X;
            let (swing, twist) = swing_twist(q, axis);
            prop_assert!(angle_between(swing * twist, q) < 1e-12);
            prop_assert!((twist * axis).abs_diff_eq(axis, 1e-12));
            prop_assert!(axis.dot(Vec3::new(swing.x, swing.y, swing.z)).abs() < 1e-12);
            let angle = twist_angle(twist, axis);
            prop_assert!(angle_between(Quat::from_axis_angle(axis, angle), twist) < 1e-12);
        }

        #[test]
        fn mean_of_two_is_the_slerp_and_ignores_signs(a in any_rotation(), d in any_rotation(), w in 0.01..0.99f64) {
            let b = a * exp_map(log_map(d) * 0.45);
            let mean = weighted_mean(&[a, -b], &[1.0 - w, w]);
            prop_assert!(angle_between(mean, slerp(a, b, w)) < 1e-10);
        }
    }

    #[test]
    fn degenerate_input_has_an_answer() {
        assert_eq!(log_map(Quat::IDENTITY), Vec3::ZERO);
        assert_eq!(exp_map(Vec3::ZERO), Quat::IDENTITY);
        assert_eq!(between_directions(Vec3::ZERO, Vec3::X), Quat::IDENTITY);
        let half_turn = between_directions(Vec3::X, Vec3::NEG_X);
        assert!((half_turn * Vec3::X).abs_diff_eq(Vec3::NEG_X, 1e-12));
        assert_eq!(weighted_mean(&[], &[]), Quat::IDENTITY);
        assert_eq!(weighted_mean(&[Quat::from_rotation_x(1.0)], &[0.0]), Quat::IDENTITY);
        let (swing, twist) = swing_twist(Quat::from_rotation_x(PI), Vec3::Y);
        assert!(swing.is_finite() && twist == Quat::IDENTITY);
    }

    #[test]
    fn a_continuous_sequence_has_no_sign_flip() {
        let mut turns: Vec<Quat> = (0..100).map(|i| Quat::from_rotation_y(f64::from(i) * 0.2)).collect();
        for (i, q) in turns.iter_mut().enumerate() {
            if i % 3 == 0 {
                *q = -*q;
            }
        }
        make_continuous(&mut turns);
        assert!(turns.windows(2).all(|w| w[0].dot(w[1]) > 0.99));
    }
}
