//! Angles that differ by full turns: the one wrap, the turn between two headings, and the unwrap.
//!
//! ```text
//!   wrap_angle(a)         the same angle in (-pi, pi]
//!   turn_between(a, b)    how far to turn from a to b, along the shorter arc
//!   nearest_turn(a, b)    a plus the full turns that bring it closest to b
//! ```
//!
//! For finite angles all results are finite. NaN and infinite angles have no direction and give NaN.

use std::f64::consts::{PI, TAU};

/// The same angle in `(-pi, pi]`. An angle that is already there comes back bit for bit.
#[inline]
pub fn wrap_angle(angle: f64) -> f64 {
    // The remainder of a division is exact, however many turns there are; it costs more than all the rest, and is rarely needed.
    let turned = if angle.abs() < TAU { angle } else { angle % TAU };
    if turned > PI {
        turned - TAU
    } else if turned <= -PI {
        turned + TAU
    } else {
        turned
    }
}

/// How far to turn from one heading to another, along the shorter arc: in `[-pi, pi]`. Turning back is the same turn negated,
/// `turn_between(b, a) == -turn_between(a, b)`, so that mirrored headings turn in mirrored ways. For that, a half turn has
/// the sign opposite to that of `to - from`.
#[inline]
pub fn turn_between(from: f64, to: f64) -> f64 {
    let turn = wrap_angle(to - from);
    if turn == PI && to > from { -PI } else { turn }
}

/// `angle` plus the full turns that bring it closest to `near`.
#[inline]
pub fn nearest_turn(angle: f64, near: f64) -> f64 {
    angle + TAU * ((near - angle) / TAU).round()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_half_turn_is_plus_pi_when_wrapped() {
        for angle in [PI, -PI, 3.0 * PI, -3.0 * PI] {
            assert_eq!(wrap_angle(angle), PI, "{angle}");
        }
        assert_eq!(wrap_angle(PI.next_up()), PI.next_up() - TAU);
        assert_eq!(wrap_angle(-PI.next_down()), -PI.next_down());
        assert!(wrap_angle(1e300).abs() <= PI);
        assert!(wrap_angle(f64::INFINITY).is_nan() && wrap_angle(f64::NAN).is_nan());
    }

    #[test]
    fn a_half_turn_back_is_the_half_turn_negated() {
        assert_eq!(turn_between(0.0, PI), -PI);
        assert_eq!(turn_between(PI, 0.0), PI);
    }

    proptest! {
        #[test]
        fn wrapped_angles_keep_their_direction(angle in -100.0..100.0f64) {
            let wrapped = wrap_angle(angle);
            prop_assert!(-PI < wrapped && wrapped <= PI);
            prop_assert!((wrapped.sin() - angle.sin()).abs() < 1e-13 && (wrapped.cos() - angle.cos()).abs() < 1e-13);
            prop_assert_eq!(wrap_angle(wrapped).to_bits(), wrapped.to_bits());
        }

        #[test]
        fn turns_lead_there_and_back(from in -20.0..20.0f64, to in -20.0..20.0f64) {
            let turn = turn_between(from, to);
            prop_assert!(turn.abs() <= PI);
            prop_assert!(wrap_angle(from + turn - to).abs() < 1e-13);
            prop_assert_eq!(turn_between(to, from), -turn);
        }

        #[test]
        fn the_nearest_turn_is_within_half_a_turn(angle in -50.0..50.0f64, near in -50.0..50.0f64) {
            let nearest = nearest_turn(angle, near);
            prop_assert!((nearest - near).abs() <= PI + 1e-13);
            prop_assert!(wrap_angle(nearest - angle).abs() < 1e-13);
        }
    }
}
