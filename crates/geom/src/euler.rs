//! Euler angles in any order, forward and back.
//!
//! Motion files give a joint's rotation as angles about coordinate axes, multiplied in the order they are listed:
//! `Zrotation Xrotation Yrotation` is `Rz * Rx * Ry`, so the last listed turns first in the joint's own space. Reading is a
//! product; writing must find angles again, of which there are infinitely many: [`angles_near`] takes those closest to the
//! previous frame's, so that curves have no jump of a full turn.

use crate::{Mat3, Quat, Vec3, nearest_turn};
use std::f64::consts::PI;

/// A coordinate axis as an index: 0 is X, 1 is Y, 2 is Z.
pub type AxisIndex = usize;

const UNIT: [Vec3; 3] = [Vec3::X, Vec3::Y, Vec3::Z];

/// The rotation about one coordinate axis.
#[inline]
pub fn axis_rotation(axis: AxisIndex, angle: f64) -> Quat {
    let (sine, cosine) = (angle / 2.0).sin_cos();
    let v = UNIT[axis] * sine;
    Quat::from_xyzw(v.x, v.y, v.z, cosine)
}

/// Product of rotations about `axes` by `angles`, the first factor outermost.
pub fn compose(axes: &[AxisIndex], angles: &[f64]) -> Quat {
    axes.iter().zip(angles).fold(Quat::IDENTITY, |product, (&axis, &angle)| product * axis_rotation(axis, angle))
}

/// Whether every rotation can be written with these axes: three, no two neighbours equal.
pub fn spans_all_rotations(axes: &[AxisIndex]) -> bool {
    matches!(axes, [a, b, c] if a != b && b != c)
}

/// Angles of `rotation` about three `axes` (see [`spans_all_rotations`]; panics otherwise), the set closest to `near`.
///
/// With the middle angle at its pole only a sum or difference of the outer two is determined ("gimbal lock"); the split
/// then follows `near`, so a curve passes the pole without a jump.
pub fn angles_near(rotation: Quat, axes: [AxisIndex; 3], near: [f64; 3]) -> [f64; 3] {
    assert!(spans_all_rotations(&axes), "axes {axes:?} cannot hold every rotation");
    let m = Mat3::from_quat(rotation);
    let [i, j, k] = axes;
    // Element (row, column) of the rotation matrix.
    let at = |row: usize, column: usize| m.col(column)[row];
    let proper = i == k;
    let third = 3 - i - j;
    let sign: f64 = if (j + 3 - i) % 3 == 1 { 1.0 } else { -1.0 };
    // `pole` is the sine of the distance from gimbal lock.
    let (first, middle, last, pole);
    if proper {
        // Ri(a) Rj(b) Ri(c): the element (i, i) is cos b.
        pole = at(i, j).hypot(at(i, third));
        middle = pole.atan2(at(i, i));
        first = at(j, i).atan2(-sign * at(third, i));
        last = at(i, j).atan2(sign * at(i, third));
    } else {
        // Ri(a) Rj(b) Rk(c): the element (i, k) is +-sin b.
        pole = at(i, i).hypot(at(i, j));
        middle = (sign * at(i, k)).atan2(pole);
        first = (-sign * at(j, k)).atan2(at(k, k));
        last = (-sign * at(i, j)).atan2(at(i, i));
    }
    if pole < GIMBAL_SINE {
        return angles_at_pole(rotation, axes, middle, near);
    }
    let flipped = if proper { [first + PI, -middle, last + PI] } else { [first + PI, PI - middle, last + PI] };
    let a = unroll([first, middle, last], near);
    let b = unroll(flipped, near);
    if distance(a, near) <= distance(b, near) { a } else { b }
}

/// Below this sine of the angle from the pole, the outer angles lose more digits than writers print.
const GIMBAL_SINE: f64 = 1e-7;

/// At the pole: the first angle stays at `near`, the last takes what is left.
fn angles_at_pole(rotation: Quat, axes: [AxisIndex; 3], middle: f64, near: [f64; 3]) -> [f64; 3] {
    let outer = axis_rotation(axes[0], near[0]) * axis_rotation(axes[1], middle);
    let rest = outer.conjugate() * rotation;
    let last = 2.0 * Vec3::new(rest.x, rest.y, rest.z)[axes[2]].atan2(rest.w);
    unroll([near[0], middle, last], near)
}

/// Adds full turns so that each angle comes within half a turn of `near`.
fn unroll(angles: [f64; 3], near: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| nearest_turn(angles[i], near[i]))
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).abs()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rotation::angle_between;
    use proptest::prelude::*;

    fn all_orders() -> Vec<[AxisIndex; 3]> {
        let mut orders = Vec::new();
        for i in 0..3 {
            for j in 0..3 {
                for k in 0..3 {
                    if spans_all_rotations(&[i, j, k]) {
                        orders.push([i, j, k]);
                    }
                }
            }
        }
        orders
    }

    proptest! {
        #[test]
        fn angles_compose_back_in_all_twelve_orders(a in -7.0..7.0f64, b in -7.0..7.0f64, c in -7.0..7.0f64) {
            for order in all_orders() {
                let q = compose(&order, &[a, b, c]);
                let found = angles_near(q, order, [0.0; 3]);
                prop_assert!(angle_between(compose(&order, &found), q) < 1e-9, "{order:?}");
                // Asked near the angles it was made of, the answer is those angles.
                let again = angles_near(q, order, [a, b, c]);
                prop_assert!(distance(again, [a, b, c]) < 1e-4, "{order:?} {again:?}");
            }
        }
    }

    #[test]
    fn gimbal_lock_keeps_the_rotation_and_the_first_angle() {
        for order in all_orders() {
            let middle = if order[0] == order[2] { 0.0 } else { PI / 2.0 };
            let q = compose(&order, &[0.4, middle, -1.1]);
            let found = angles_near(q, order, [0.3, middle, -1.0]);
            assert!(angle_between(compose(&order, &found), q) < 1e-7, "{order:?}");
            assert!((found[0] - 0.3).abs() < 1e-12);
        }
    }

    #[test]
    fn a_turning_joint_unrolls_past_full_turns() {
        let order = [2, 0, 1];
        let mut near = [0.0; 3];
        for i in 0..200 {
            let angle = 0.1 * f64::from(i);
            near = angles_near(compose(&order, &[0.0, 0.2, angle]), order, near);
        }
        assert!((near[2] - 19.9).abs() < 1e-9);
    }
}
