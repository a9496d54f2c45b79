//! Corners of a path made into curves.
//!
//! A corner is replaced by a curve that leaves the straight piece before it and joins the one after it without a step in
//! curvature: a Bezier curve of degree 5 whose first three points lie on the one piece and last three on the other.
//!
//! ```text
//!            0---1---2 - - corner
//!                           2'
//!                           |
//!                           1'
//!                           |
//!                           0'
//! ```
//!
//! A path that is drawn finely means what it says: where both pieces are short, nothing is rounded.

use surefoot_geom::Vec2;

/// Pieces shorter than this, in metres, are those of a finely drawn curve.
const FINE: f64 = 0.05;
/// Turns smaller than this, in radians (half a degree), are no corners.
const STRAIGHT: f64 = 0.0087;
/// Points 1 and 2 of the curve, as shares of the rotation from the corner back to point 0: an even curvature through the turn.
const INNER: [f64; 2] = [0.6, 0.25];
/// Longest piece of a rounded corner, in metres.
const PIECE: f64 = 0.02;
/// Most pieces of one corner.
const MAX_PIECES: f64 = 400.0;

/// The points of a path with its corners rounded, from `reach` metres before each to `reach` metres after, or half of a
/// shorter piece. Ends stay. A reach of 0, and a path of fewer than three points, change nothing.
pub fn round_corners(points: &[Vec2], reach: f64) -> Vec<Vec2> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    let mut rounded = vec![*first];
    for corner in points.windows(3) {
        round(corner[0], corner[1], corner[2], reach, &mut rounded);
    }
    if points.len() > 1 {
        rounded.push(*last);
    }
    rounded
}

fn round(before: Vec2, corner: Vec2, after: Vec2, reach: f64, out: &mut Vec<Vec2>) {
    let (back, on) = (before - corner, after - corner);
    let turn = (-back).angle_to(on).abs();
    // A turn between points in one place is NaN, and so no corner.
    let is_corner = turn > STRAIGHT && back.length().max(on.length()) > FINE;
    // Half of a piece is left for the corner at its other end.
    let reach = reach.min(back.length() / 2.0).min(on.length() / 2.0);
    if !is_corner || reach.is_nan() || reach <= 0.0 {
        out.push(corner);
        return;
    }
    let (back, on) = (back.normalize_or_zero() * reach, on.normalize_or_zero() * reach);
    let controls = [back, back * INNER[0], back * INNER[1], on * INNER[1], on * INNER[0], on];
    let n = (2.0 * reach / PIECE).ceil().min(MAX_PIECES) as usize;
    let n = n.max(2);
    out.extend((0..=n).map(|i| corner + bezier(&controls, i as f64 / n as f64)));
}

/// A point of a Bezier curve, by de Casteljau's construction.
fn bezier(controls: &[Vec2; 6], t: f64) -> Vec2 {
    let mut points = *controls;
    for n in (1..points.len()).rev() {
        for i in 0..n {
            points[i] = points[i].lerp(points[i + 1], t);
        }
    }
    points[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_becomes_a_curve_that_starts_and_ends_on_its_pieces() {
        let corner = [Vec2::ZERO, Vec2::new(0.0, 3.0), Vec2::new(2.0, 3.0)];
        let rounded = round_corners(&corner, 0.8);
        assert_eq!((rounded[0], rounded[rounded.len() - 1]), (corner[0], corner[2]));
        assert!(rounded[1].abs_diff_eq(Vec2::new(0.0, 2.2), 1e-12));
        let turns = rounded.windows(3).map(|p| (p[1] - p[0]).angle_to(p[2] - p[1]).abs());
        assert!(turns.fold(0.0, f64::max) < 0.1, "no piece turns by more than 6 degrees");
        let nearest = rounded.iter().map(|p| p.distance(corner[1])).fold(f64::INFINITY, f64::min);
        assert!(nearest < 0.3, "{nearest}");
    }

    #[test]
    fn fine_straight_and_degenerate_paths_stay() {
        let fine: Vec<Vec2> = (0..50).map(|i| Vec2::from_angle(f64::from(i) * 0.1) * 0.2).collect();
        assert_eq!(round_corners(&fine, 0.8), fine);
        let straight = [Vec2::ZERO, Vec2::Y, Vec2::Y * 5.0];
        assert_eq!(round_corners(&straight, 0.8), straight);
        let zigzag = [Vec2::ZERO, Vec2::Y, Vec2::X];
        assert_eq!(round_corners(&zigzag, 0.0), zigzag);
        assert_eq!(round_corners(&[], 1.0), []);
        assert_eq!(round_corners(&zigzag[..1], 1.0), [Vec2::ZERO]);
        let there_and_back = round_corners(&[Vec2::ZERO, Vec2::Y, Vec2::ZERO], 0.8);
        assert!(there_and_back.iter().all(|point| point.is_finite()));
    }
}
