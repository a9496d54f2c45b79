//! A curve over the ground by arc length, with a heading everywhere.
//!
//! Points are joined by cubic Hermite pieces whose tangents are those of the parabola through three neighbours, so that speed
//! along the curve has no steps. Headings are smoothed along the path with a Gaussian: a few centimetres of sway, or a corner,
//! turn nobody at once. Both are functions of the points alone: two curves of the same points are the same curve, bit for bit.

use surefoot_geom::{Vec2, nearest_turn};

/// Longest piece of a curve, in metres; longer ones are divided, so that a corner at one end does not bend the whole piece.
const LONGEST_PIECE: f64 = 0.02;
/// Most points that division makes, together: four kilometres.
const MAX_POINTS: f64 = 200_000.0;
/// Headings are averaged over so many standard deviations to either side.
const REACH: f64 = 3.0;
/// An average of directions that is shorter than this share of their lengths points nowhere: the curve turns back there.
const NOWHERE: f64 = 1e-3;

/// Points and headings by arc length.
#[derive(Clone, Debug, PartialEq)]
pub struct TravelCurve {
    /// At least one.
    points: Vec<Vec2>,
    /// Arc length of each point.
    arcs: Vec<f64>,
    /// For each point the direction of the curve, times one metre of arc.
    tangents: Vec<Vec2>,
    /// For each point its heading in radians, without jumps.
    headings: Vec<f64>,
}

impl TravelCurve {
    /// The curve through points, with headings smoothed by a Gaussian of `heading_reach` metres along it. Without points it is
    /// the origin.
    pub fn new(points: &[Vec2], heading_reach: f64) -> TravelCurve {
        let points = divide(points);
        let mut arcs = vec![0.0; points.len()];
        for i in 1..points.len() {
            arcs[i] = arcs[i - 1] + points[i].distance(points[i - 1]);
        }
        let tangents = (0..points.len()).map(|i| tangent(&points, i)).collect();
        let headings = smooth_headings(&points, &arcs, heading_reach);
        TravelCurve { points, arcs, tangents, headings }
    }

    /// From the first point to the last, in metres.
    pub fn length(&self) -> f64 {
        self.arcs[self.arcs.len() - 1]
    }

    /// The points.
    pub fn points(&self) -> &[Vec2] {
        &self.points
    }

    /// Arc length of each point.
    pub fn arcs(&self) -> &[f64] {
        &self.arcs
    }

    /// The point at an arc length. Before the start and after the end the curve goes straight on along its heading.
    pub fn point(&self, arc: f64) -> Vec2 {
        let along =
            |i: usize, over: f64| self.points[i] + Vec2::new(self.headings[i].sin(), self.headings[i].cos()) * over;
        if arc < 0.0 {
            return along(0, arc);
        }
        let last = self.points.len() - 1;
        if arc >= self.arcs[last] {
            return along(last, arc - self.arcs[last]);
        }
        let (i, t, width) = self.piece(arc);
        let (t2, t3) = (t * t, t * t * t);
        self.points[i] * (2.0 * t3 - 3.0 * t2 + 1.0)
            + self.points[i + 1] * (3.0 * t2 - 2.0 * t3)
            + (self.tangents[i] * (t3 - 2.0 * t2 + t) + self.tangents[i + 1] * (t3 - t2)) * width
    }

    /// The heading at an arc length, in radians from +Z toward +X, without jumps along the curve.
    pub fn heading(&self, arc: f64) -> f64 {
        let last = self.points.len() - 1;
        if arc <= 0.0 || last == 0 {
            return self.headings[0];
        }
        if arc >= self.arcs[last] {
            return self.headings[last];
        }
        let (i, t, _) = self.piece(arc);
        self.headings[i] + (self.headings[i + 1] - self.headings[i]) * t
    }

    /// The piece that holds an arc length within the curve, the share of it, and its length.
    fn piece(&self, arc: f64) -> (usize, f64, f64) {
        let next = self.arcs.partition_point(|&at| at <= arc).clamp(1, self.arcs.len() - 1);
        let width = self.arcs[next] - self.arcs[next - 1];
        let share = if width > 0.0 { (arc - self.arcs[next - 1]) / width } else { 0.0 };
        (next - 1, share, width)
    }
}

/// Points with long pieces divided evenly. Points that repeat the one before are left out.
fn divide(points: &[Vec2]) -> Vec<Vec2> {
    let total: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let longest = LONGEST_PIECE.max(total / MAX_POINTS);
    let mut divided = vec![points.first().copied().unwrap_or(Vec2::ZERO)];
    for pair in points.windows(2) {
        // A piece that was divided once is short enough, but for rounding.
        let n = (pair[0].distance(pair[1]) / longest - 1e-9).ceil() as usize;
        divided.extend((1..n).map(|k| pair[0].lerp(pair[1], k as f64 / n as f64)));
        if pair[0] != pair[1] {
            divided.push(pair[1]);
        }
    }
    divided
}

/// The direction at a point: of the parabola through it and its neighbours, of unit length.
fn tangent(points: &[Vec2], i: usize) -> Vec2 {
    let before = i.checked_sub(1).map(|j| points[i] - points[j]);
    let after = points.get(i + 1).map(|next| *next - points[i]);
    match (before, after) {
        (Some(a), Some(b)) => (a / a.length() * b.length() + b / b.length() * a.length()).normalize_or_zero(),
        (Some(only), None) | (None, Some(only)) => only.normalize_or_zero(),
        (None, None) => Vec2::ZERO,
    }
}

/// For each point the heading of the pieces around it, weighted by a Gaussian of their distance along the curve.
fn smooth_headings(points: &[Vec2], arcs: &[f64], reach: f64) -> Vec<f64> {
    let middle = |piece: usize| (arcs[piece] + arcs[piece + 1]) / 2.0;
    let n_pieces = points.len() - 1;
    let mut headings: Vec<f64> = Vec::with_capacity(points.len());
    let (mut from, mut unknown) = (0, 0);
    for &arc in arcs {
        while from < n_pieces && middle(from) < arc - REACH * reach {
            from += 1;
        }
        let (mut sum, mut weight_sum) = (Vec2::ZERO, 0.0);
        for piece in (from..n_pieces).take_while(|&piece| middle(piece) <= arc + REACH * reach) {
            let weight = (-0.5 * ((middle(piece) - arc) / reach).powi(2)).exp();
            let offset = points[piece + 1] - points[piece];
            sum += offset * weight;
            weight_sum += offset.length() * weight;
        }
        let is_known = sum.length() > NOWHERE * weight_sum;
        let heading = match headings.last() {
            Some(&last) if is_known => nearest_turn(sum.x.atan2(sum.y), last),
            Some(&last) => last,
            None if is_known => sum.x.atan2(sum.y),
            None => 0.0,
        };
        if is_known && unknown == headings.len() {
            headings.iter_mut().for_each(|before| *before = heading);
        }
        unknown += usize::from(!is_known);
        headings.push(heading);
    }
    headings
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{PI, TAU};

    fn circle(radius: f64, n: usize, turns: f64) -> Vec<Vec2> {
        (0..=n).map(|i| Vec2::from_angle(turns * TAU * i as f64 / n as f64) * radius).collect()
    }

    #[test]
    fn a_circle_has_its_length_points_and_headings() {
        let curve = TravelCurve::new(&circle(2.0, 1200, 2.0), 0.25);
        assert!((curve.length() - 2.0 * TAU * 2.0).abs() < 1e-3);
        for i in 0..1000 {
            let arc = curve.length() * f64::from(i) / 1000.0;
            assert!((curve.point(arc).length() - 2.0).abs() < 1e-4);
            // From +X counter-clockwise in (x, z): heading 0 at the start, then toward -X.
            let inside = (1.0..curve.length() - 1.0).contains(&arc);
            assert!(!inside || (curve.heading(arc) + arc / 2.0).abs() < 1e-3, "{arc}: {}", curve.heading(arc));
        }
    }

    #[test]
    fn beyond_its_ends_a_curve_goes_straight_on() {
        let curve = TravelCurve::new(&[Vec2::ZERO, Vec2::new(0.0, 2.0)], 0.25);
        assert!(curve.point(3.0).abs_diff_eq(Vec2::new(0.0, 3.0), 1e-12));
        assert!(curve.point(-1.0).abs_diff_eq(Vec2::new(0.0, -1.0), 1e-12));
    }

    #[test]
    fn degenerate_curves_have_finite_answers() {
        let back_and_forth = [Vec2::ZERO, Vec2::Y, Vec2::ZERO, Vec2::Y];
        for points in [&[][..], &[Vec2::ONE], &[Vec2::ONE, Vec2::ONE], &back_and_forth] {
            let curve = TravelCurve::new(points, 0.25);
            for arc in [-1.0, 0.0, 0.5, 1.0, 1.7, 5.0] {
                assert!(curve.point(arc).is_finite() && curve.heading(arc).is_finite(), "{points:?}");
            }
        }
        let curve = TravelCurve::new(&back_and_forth, 0.25);
        assert!((curve.heading(1.5) - curve.heading(0.5)).abs() > PI - 0.1, "it turned back");
    }
}
