//! A uniform cubic B-spline through few points of a trajectory.
//!
//! Reference: GRAPH 6.1.4, after Gleicher 2001.
//!
//! Six points at even intervals of the distance travelled are the control points. A uniform cubic B-spline does not go through them: it
//! cuts corners, as the paper says. The ends are continued by reflection (`p_-1 = 2 p_0 - p_1`), so that the curve begins and ends
//! where the trajectory does.
//!
//! Departure: the paper's clips are a few seconds long. Six points of a minute's walk would say nothing of where it went, so that
//! longer trajectories have more, no farther apart than [`WIDEST`].

use super::travelled;
use surefoot_geom::Vec2;

/// The paper's number of knots.
const KNOTS: usize = 6;
/// Farthest that knots lie apart, in metres: a stride, as in the paper's clips of about 7 m.
const WIDEST: f64 = 1.5;

pub(super) fn spline_trajectory(trajectory: &[Vec2]) -> Vec<Vec2> {
    let along = travelled(trajectory);
    let length = along.last().copied().unwrap_or(0.0);
    if length <= 0.0 {
        return trajectory.to_vec();
    }
    let at = |wanted: f64| {
        let after = along.partition_point(|along| *along < wanted).clamp(1, trajectory.len() - 1);
        let own = along[after] - along[after - 1];
        let t = if own > 0.0 { ((wanted - along[after - 1]) / own).clamp(0.0, 1.0) } else { 0.0 };
        trajectory[after - 1].lerp(trajectory[after], t)
    };
    let n = KNOTS.max((length / WIDEST).ceil() as usize + 1);
    let knots: Vec<Vec2> = (0..n).map(|k| at(length * k as f64 / (n - 1) as f64)).collect();
    let control = |k: isize| match k {
        -1 => knots[0] * 2.0 - knots[1],
        k if k as usize == n => knots[n - 1] * 2.0 - knots[n - 2],
        k => knots[k as usize],
    };
    let point = |along: &f64| {
        let place = (along / length * (n - 1) as f64).clamp(0.0, (n - 1) as f64);
        let segment = place.floor().min((n - 2) as f64);
        let (t, i) = (place - segment, segment as isize);
        let [a, b, c, d] = [-1, 0, 1, 2].map(|k| control(i + k));
        // The paper's matrix, row by row.
        let cubic = b * 3.0 - a - c * 3.0 + d;
        let square = (a + c) * 3.0 - b * 6.0;
        let linear = (c - a) * 3.0;
        (((cubic * t + square) * t + linear) * t + a + b * 4.0 + c) / 6.0
    };
    along.iter().map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn a_straight_trajectory_stays_and_ends_are_met() {
        let straight: Vec<Vec2> = (0..50).map(|k| Vec2::new(1.0, f64::from(k * k) * 0.01)).collect();
        for (a, b) in spline_trajectory(&straight).iter().zip(&straight) {
            assert!(a.distance(*b) < 1e-9);
        }
        let bent: Vec<Vec2> = (0..80).map(|k| Vec2::new((f64::from(k) * 0.05).sin(), f64::from(k) * 0.05)).collect();
        let spline = spline_trajectory(&bent);
        assert!(spline[0].distance(bent[0]) < 1e-9 && spline[79].distance(bent[79]) < 1e-9);
        assert!(spline.iter().zip(&bent).all(|(a, b)| a.distance(*b) < 0.25), "corners are cut, not left out");
        // Three times around a circle of 2 m, which six points would not see.
        let around: Vec<Vec2> = (0..600).map(|k| Vec2::from_angle(f64::from(k) * TAU / 200.0) * 2.0).collect();
        assert!(spline_trajectory(&around).iter().zip(&around).all(|(a, b)| a.distance(*b) < 0.25));
        assert_eq!(spline_trajectory(&[Vec2::ONE; 4]), [Vec2::ONE; 4]);
        assert_eq!(spline_trajectory(&[]), []);
    }
}
