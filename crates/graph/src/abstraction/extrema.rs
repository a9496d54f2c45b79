//! The middles between the points where a trajectory sways farthest.
//!
//! Reference: GRAPH 6.1.2.
//!
//! 1. The trajectory is made monotone: seen along its own smooth course, how far along and how far aside it is.
//! 2. Where it is farthest aside, to one side and the other in turn, are its extrema.
//! 3. The middles of the straight lines between successive extrema, joined by straight lines, are the abstraction; before the first
//!    and after the last middle it goes on as the course does.
//!
//! The paper says neither how a curved trajectory is made monotone nor what lies beyond the last middle, up to a step from the end; here
//! the course is the trajectory smoothed as in `gaussian.rs`. A straight line beyond the last middle would leave a curve by a hand's breadth.
//! Extrema less than 2 mm from the last are noise. A trajectory without three extrema has no sway to take out, and stays as it is.

use super::gaussian::{GaussianOptions, smooth_trajectory};
use surefoot_geom::Vec2;

/// A sway of less than this, in metres from one extremum to the next, is noise.
const LEAST_SWAY: f64 = 0.002;

pub(super) fn between_extrema(trajectory: &[Vec2]) -> Vec<Vec2> {
    let course = smooth_trajectory(trajectory, &GaussianOptions::default());
    let extrema = find_extrema(&aside_of(trajectory, &course));
    if extrema.len() < 3 {
        return trajectory.to_vec();
    }
    // Middles by frame, so that every frame has a point.
    let middles: Vec<(f64, Vec2)> = extrema
        .windows(2)
        .map(|pair| ((pair[0] + pair[1]) as f64 / 2.0, (trajectory[pair[0]] + trajectory[pair[1]]) / 2.0))
        .collect();
    let along_course = |frame: usize, (time, middle): (f64, Vec2)| {
        // A middle is at a frame or between two.
        let there = (course[time.floor() as usize] + course[time.ceil() as usize]) / 2.0;
        middle + course[frame] - there
    };
    let at = |frame: usize| match middles.partition_point(|(time, _)| *time <= frame as f64) {
        0 => along_course(frame, middles[0]),
        after if after == middles.len() => along_course(frame, middles[after - 1]),
        after => {
            let (a, b) = (middles[after - 1], middles[after]);
            a.1 + (b.1 - a.1) * ((frame as f64 - a.0) / (b.0 - a.0))
        }
    };
    (0..trajectory.len()).map(at).collect()
}

/// How far each point is to the left of the smooth course.
fn aside_of(trajectory: &[Vec2], course: &[Vec2]) -> Vec<f64> {
    let n = trajectory.len();
    let aside = |k: usize| {
        let (before, after) = (k.saturating_sub(1), (k + 1).min(n - 1));
        let ahead = (course[after] - course[before]).normalize_or_zero();
        (trajectory[k] - course[k]).perp_dot(ahead)
    };
    (0..n).map(aside).collect()
}

/// Frames at which a number is farthest to one side and to the other in turn, each at least [`LEAST_SWAY`] from the last.
fn find_extrema(aside: &[f64]) -> Vec<usize> {
    let mut extrema: Vec<usize> = Vec::new();
    let (mut low, mut high) = (0, 0);
    let mut rising: Option<bool> = None;
    for (frame, value) in aside.iter().enumerate() {
        if *value < aside[low] {
            low = frame;
        }
        if *value > aside[high] {
            high = frame;
        }
        if rising != Some(true) && *value > aside[low] + LEAST_SWAY {
            if rising.is_some() || low > 0 {
                extrema.push(low);
            }
            rising = Some(true);
            high = frame;
        } else if rising != Some(false) && *value < aside[high] - LEAST_SWAY {
            if rising.is_some() || high > 0 {
                extrema.push(high);
            }
            rising = Some(false);
            low = frame;
        }
    }
    extrema
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn the_middles_of_a_swaying_trajectory_are_straight() {
        let trajectory: Vec<Vec2> = (0..500)
            .map(|k| {
                let z = f64::from(k) * 0.02;
                Vec2::new(0.04 * (z * TAU / 1.4).sin(), z)
            })
            .collect();
        let found = between_extrema(&trajectory);
        for point in &found[60..440] {
            assert!(point.x.abs() < 0.004, "{point}");
        }
        // A circle with the same sway, up to its ends.
        let curve: Vec<Vec2> = (0..250)
            .map(|k| f64::from(k) * 0.02)
            .map(|along| Vec2::from_angle(along / 3.0) * (3.0 + 0.02 * (along * TAU / 1.4).sin()))
            .collect();
        for (frame, point) in between_extrema(&curve).iter().enumerate() {
            assert!((point.length() - 3.0).abs() < 0.06, "{frame}: {}", point.length());
        }
        assert_eq!(find_extrema(&[0.0; 9]), []);
        let straight: Vec<Vec2> = (0..50).map(|k| Vec2::new(1.0, f64::from(k) * 0.1)).collect();
        assert_eq!(between_extrema(&straight), straight);
    }
}
