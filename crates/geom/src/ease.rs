//! Easing: curves from 0 to 1 that are level at both ends.
//!
//! Both are constant outside of `[0, 1]`, so that a caller may pass any share of a time span. NaN stays NaN.

/// From 0 to 1 with rate 0 at both ends: `3 u^2 - 2 u^3`.
#[inline]
pub fn smoothstep(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}

/// From 0 to 1 with rate and acceleration 0 at both ends: `10 u^3 - 15 u^4 + 6 u^5`. For what is seen as the motion of a
/// body, where a jump of the acceleration would be a jerk.
#[inline]
pub fn smootherstep(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * u * (10.0 + u * (6.0 * u - 15.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What both promise: ends, constant outside, rising, point symmetry about the middle, level ends.
    fn check(ease: fn(f64) -> f64) {
        assert_eq!([-3.0, 0.0, 0.5, 1.0, 7.0].map(ease), [0.0, 0.0, 0.5, 1.0, 1.0]);
        for i in 0..1000 {
            let u = f64::from(i) / 1000.0;
            assert!(ease(u + 1e-3) > ease(u), "{u}");
            assert!((ease(u) + ease(1.0 - u) - 1.0).abs() < 1e-14, "{u}");
        }
        assert!(ease(1e-6) < 1e-11 && ease(f64::NAN).is_nan());
    }

    #[test]
    fn easings_rise_from_level_to_level() {
        check(smoothstep);
        check(smootherstep);
    }

    #[test]
    fn only_the_smoother_one_begins_without_acceleration() {
        let acceleration = |ease: fn(f64) -> f64| ease(1e-4) / 1e-8;
        assert!((acceleration(smoothstep) - 3.0).abs() < 1e-3);
        assert!(acceleration(smootherstep) < 2e-3);
    }
}
