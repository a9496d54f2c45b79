//! A path pulled straight where nothing blocks it.
//!
//! From each corner the straight line leads to the farthest point of the path that it may lead to: where it keeps the
//! clearance everywhere, and along it about as much more as people like (which the points of the path tell). The point
//! is found by trying ones twice as far each time, then halving.

use super::attraction::Waypoint;
use super::border::Border;

/// How far apart places are at which the liked clearance is looked at, in metres.
const LOOK: f64 = 0.15;

/// Corners of a path of straight lines; its first and last points are those of the path.
pub(super) fn straighten(border: &Border, points: &[Waypoint], kept: f64) -> Vec<Waypoint> {
    let has =
        |point: &Waypoint| border.nearest_within(point.at, point.liked).map_or(point.liked, |nearest| nearest.distance);
    let clearances: Vec<f64> = points.iter().map(has).collect();
    let is_free = |from: usize, to: usize| {
        to == from + 1
            || (border.is_clear(points[from].at, points[to].at, kept)
                && is_liked(border, &points[from..=to], &clearances[from..=to]))
    };
    let last = points.len() - 1;
    let mut corners = vec![points[0]];
    let mut from = 0;
    while from < last {
        let to = farthest(from, last, is_free);
        corners.push(points[to]);
        from = to;
    }
    corners
}

/// The farthest point that trying and halving finds.
fn farthest(from: usize, last: usize, is_free: impl Fn(usize, usize) -> bool) -> usize {
    let (mut good, mut step) = (from + 1, 2);
    let mut bad = last + 1;
    while good < last {
        let to = (from + step).min(last);
        if !is_free(from, to) {
            bad = to;
            break;
        }
        good = to;
        step *= 2;
    }
    while good + 1 < bad {
        let middle = good.midpoint(bad);
        if is_free(from, middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    good
}

/// Whether the straight line between the ends of a piece of path has the clearance that people like, place by place.
fn is_liked(border: &Border, points: &[Waypoint], clearances: &[f64]) -> bool {
    let (from, to) = (points[0].at, points[points.len() - 1].at);
    let n = (from.distance(to) / LOOK).ceil() as usize;
    (1..n).all(|place| {
        let share = place as f64 / n as f64;
        let index = (share * (points.len() - 1) as f64).round() as usize;
        border.nearest_within(from.lerp(to, share), clearances[index] - 1e-9).is_none()
    })
}
