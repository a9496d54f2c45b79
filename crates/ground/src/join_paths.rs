//! Paths one after the other as one path that turns smoothly where they meet, and leads through each of these places.
//!
//! Around a meeting place, from `reach` before it to `reach` after it, both paths are replaced by two cubic curves that share their
//! direction there: halfway between where the one path came from and the other one goes to.
//!
//! ```text
//!        ....W....             W       meeting place
//!     .a           b.          a, b    `reach` before and after it, along the paths
//!    /               \
//! ```
//!
//! Where such a curve is not free, a shorter reach is tried, and in the end the corner stays.

use crate::Path;
use surefoot_geom::Vec2;

/// Longest reach, in metres: a turn takes half a stride before a place and half a stride after it.
const REACH: f64 = 0.7;
/// Shares of the longest reach that are tried.
const SHARES: [f64; 4] = [1.0, 0.6, 0.35, 0.18];
/// Longest piece of a curve, in metres.
const PIECE: f64 = 0.05;
/// Turns smaller than this, in radians, need no curve.
const STRAIGHT: f64 = 0.02;
/// A path that goes back turns a little to one side, so that it has a direction to turn in.
const BACK: f64 = 0.05;

/// Joins paths, each of which begins where the one before it ends. `is_free` says whether a piece of a path can be walked.
pub fn join_paths(paths: &[Path], is_free: impl Fn(&Path) -> bool) -> Path {
    let mut points: Vec<Vec2> = Vec::new();
    // What of the next path a curve has replaced.
    let mut cut = 0.0;
    for (index, path) in paths.iter().enumerate() {
        let rest = after(&path.points, cut);
        cut = 0.0;
        let Some(next) = paths.get(index + 1) else {
            points.extend(skip_first(&points, &rest));
            break;
        };
        let longest = REACH.min(length(&rest) / 2.0).min(next.length() / 2.0);
        let curve = SHARES.iter().map(|share| share * longest).find_map(|reach| {
            let curve = turn(&rest, &next.points, reach)?;
            is_free(&Path { points: curve.clone() }).then_some((reach, curve))
        });
        match curve {
            Some((reach, curve)) => {
                let kept = before_end(&rest, reach);
                points.extend(skip_first(&points, &kept));
                points.extend(skip_first(&points, &curve));
                cut = reach;
            }
            None => points.extend(skip_first(&points, &rest)),
        }
    }
    Path { points }
}

/// The points that go on from those that are there.
fn skip_first<'a>(there: &[Vec2], next: &'a [Vec2]) -> impl Iterator<Item = Vec2> + 'a {
    let is_same = there.last().zip(next.first()).is_some_and(|(last, first)| last.distance(*first) < 1e-6);
    next.iter().copied().skip(usize::from(is_same))
}

/// A curve from `reach` before the end of one path through that end to `reach` after the begin of the other; `None` where they go on
/// almost straight.
fn turn(one: &[Vec2], other: &[Vec2], reach: f64) -> Option<Vec<Vec2>> {
    let (from, to) = (*before_end(one, reach).last()?, *after(other, reach).first()?);
    let (middle, way_in, way_out) = (*one.last()?, heading_at(one, reach)?, heading_back(other, reach)?);
    let (into, out) = ((middle - from).try_normalize()?, (to - middle).try_normalize()?);
    let angle = into.angle_to(out).abs();
    if reach <= 0.0 || angle < STRAIGHT && way_in.angle_to(way_out).abs() < STRAIGHT {
        return None;
    }
    let across = Vec2::new(into.y, -into.x);
    let along = (into + out + if angle > 3.0 { across * BACK } else { Vec2::ZERO }).normalize_or(across);
    let mut curve = hermite((from, way_in), (middle, along));
    curve.extend(hermite((middle, along), (to, way_out)).into_iter().skip(1));
    Some(curve)
}

/// A cubic curve between two places with directions.
fn hermite((from, leaving): (Vec2, Vec2), (to, arriving): (Vec2, Vec2)) -> Vec<Vec2> {
    let size = from.distance(to);
    let n = (1.3 * size / PIECE).ceil().max(2.0) as usize;
    let point = |t: f64| {
        let (t2, t3) = (t * t, t * t * t);
        from * (2.0 * t3 - 3.0 * t2 + 1.0)
            + leaving * (size * (t3 - 2.0 * t2 + t))
            + to * (3.0 * t2 - 2.0 * t3)
            + arriving * (size * (t3 - t2))
    };
    (0..=n).map(|i| point(i as f64 / n as f64)).collect()
}

fn length(points: &[Vec2]) -> f64 {
    points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

/// The points from so far along the path on.
fn after(points: &[Vec2], along: f64) -> Vec<Vec2> {
    let mut left = along;
    for (index, pair) in points.windows(2).enumerate() {
        let piece = pair[0].distance(pair[1]);
        if left < piece {
            let first = pair[0].lerp(pair[1], left / piece);
            return std::iter::once(first).chain(points[index + 1..].iter().copied()).collect();
        }
        left -= piece;
    }
    points.last().into_iter().copied().collect()
}

/// The points up to so far before the end.
fn before_end(points: &[Vec2], reach: f64) -> Vec<Vec2> {
    let mut reversed: Vec<Vec2> = points.iter().rev().copied().collect();
    reversed = after(&reversed, reach);
    reversed.reverse();
    reversed
}

/// Where a path goes, so far before its end.
fn heading_at(points: &[Vec2], reach: f64) -> Option<Vec2> {
    match &before_end(points, reach)[..] {
        [.., before, last] => (*last - *before).try_normalize(),
        _ => points.windows(2).next().and_then(|pair| (pair[1] - pair[0]).try_normalize()),
    }
}

/// Where a path goes, so far after its begin.
fn heading_back(points: &[Vec2], reach: f64) -> Option<Vec2> {
    match &after(points, reach)[..] {
        [first, next, ..] => (*next - *first).try_normalize(),
        _ => points.windows(2).next_back().and_then(|pair| (pair[1] - pair[0]).try_normalize()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(points: &[[f64; 2]]) -> Path {
        Path { points: points.iter().map(|&point| Vec2::from(point)).collect() }
    }

    /// The joined path leads through every meeting place, from the first point to the last, and nowhere turns by more than that.
    fn check(paths: &[Path], sharpest: f64) {
        let joined = join_paths(paths, |_| true);
        assert!(joined.check().is_ok(), "{:?}", joined.check());
        assert_eq!(joined.points.first(), paths.first().and_then(|path| path.points.first()));
        assert_eq!(joined.points.last(), paths.last().and_then(|path| path.points.last()));
        for meeting in paths.iter().skip(1).map(|path| path.points[0]) {
            let nearest = joined.points.iter().map(|point| point.distance(meeting)).fold(f64::INFINITY, f64::min);
            assert!(nearest < 1e-9, "{nearest} m from {meeting}");
        }
        let turns = joined.points.windows(3).map(|at| (at[1] - at[0]).angle_to(at[2] - at[1]).abs());
        let most = turns.fold(0.0, f64::max);
        assert!(most < sharpest, "a turn of {most}");
    }

    #[test]
    fn paths_meet_in_a_smooth_turn_through_the_place() {
        let [east, north] = [[[0.0, 0.0], [3.0, 0.0]], [[3.0, 0.0], [3.0, 2.0]]].map(|points| path(&points));
        check(&[east.clone(), north.clone()], 0.5);
        check(&[east.clone(), path(&[[3.0, 0.0], [6.0, 0.0]])], 1e-6);
        check(&[east.clone(), path(&[[3.0, 0.0], [0.0, 0.1]])], 1.2);
        check(&[east.clone(), path(&[[3.0, 0.0], [0.0, 0.0]])], 1.2);
        check(&[east, north, path(&[[3.0, 2.0], [1.0, 2.0]])], 0.5);
        check(&[path(&[[0.0, 0.0], [0.02, 0.0]]), path(&[[0.02, 0.0], [0.02, 0.03]])], 3.2);
    }

    #[test]
    fn a_corner_stays_where_no_curve_is_free() {
        let paths = [path(&[[0.0, 0.0], [3.0, 0.0]]), path(&[[3.0, 0.0], [3.0, 2.0]])];
        let joined = join_paths(&paths, |_| false);
        assert_eq!(joined, path(&[[0.0, 0.0], [3.0, 0.0], [3.0, 2.0]]));
    }
}
