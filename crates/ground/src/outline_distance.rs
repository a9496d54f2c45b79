//! How far straight pieces are from each other and from outlines.

use crate::polygon::nearest_on_segment;
use surefoot_geom::Vec2;

/// The square of the distance between two segments, and where on the second one; 0 where they cross.
pub(crate) fn segments_apart(from: Vec2, to: Vec2, a: Vec2, b: Vec2) -> (f64, Vec2) {
    let (offset, edge) = (to - from, b - a);
    let (of_a, of_b) = (offset.perp_dot(a - from), offset.perp_dot(b - from));
    let (of_from, of_to) = (edge.perp_dot(from - a), edge.perp_dot(to - a));
    if of_a * of_b < 0.0 && of_from * of_to < 0.0 {
        return (0.0, a.lerp(b, of_a / (of_a - of_b)));
    }
    let near = end_pairs((from, to), (a, b)).map(|[on_line, on_edge]| (on_line.distance_squared(on_edge), on_edge));
    near.into_iter().min_by(|p, q| p.0.total_cmp(&q.0)).unwrap_or(near[0])
}

/// Each end of two segments and the point of the other that is nearest to it; points of the first segment first.
pub(crate) fn end_pairs(one: (Vec2, Vec2), two: (Vec2, Vec2)) -> [[Vec2; 2]; 4] {
    let onto_two = [one.0, one.1].map(|end| [end, nearest_on_segment(end, two.0, two.1)]);
    let onto_one = [two.0, two.1].map(|end| [nearest_on_segment(end, one.0, one.1), end]);
    [onto_two[0], onto_two[1], onto_one[0], onto_one[1]]
}

/// The distance between two segments; 0 where they cross or touch.
pub fn segment_distance(one: (Vec2, Vec2), two: (Vec2, Vec2)) -> f64 {
    segments_apart(one.0, one.1, two.0, two.1).0.sqrt()
}

/// The distance of a segment from the line of an outline, whichever side it is on, and the point of the line that is
/// nearest; 0 where they cross, infinite if the outline has no points.
pub fn distance_to_outline(from: Vec2, to: Vec2, outline: &[Vec2]) -> (f64, Vec2) {
    let next = outline.iter().cycle().skip(1);
    let edges = outline.iter().zip(next).map(|(&a, &b)| segments_apart(from, to, a, b));
    let (squared, at) = edges.fold((f64::INFINITY, from), |best, edge| if edge.0 < best.0 { edge } else { best });
    (squared.sqrt(), at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_is_as_far_from_an_outline_as_from_its_nearest_edge() {
        let square = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)].map(Vec2::from);
        let at = |from: [f64; 2], to: [f64; 2]| distance_to_outline(from.into(), to.into(), &square);
        assert_eq!(at([3.0, 0.5], [4.0, 0.5]), (1.0, Vec2::new(2.0, 0.5)));
        assert_eq!(at([0.5, 1.0], [1.5, 1.0]).0, 0.5, "from within as well");
        assert_eq!(at([1.0, 1.0], [3.0, 1.0]), (0.0, Vec2::new(2.0, 1.0)));
        assert!((at([3.0, 3.0], [3.0, 3.0]).0 - 2.0_f64.sqrt()).abs() < 1e-15);
        assert_eq!(distance_to_outline(Vec2::ZERO, Vec2::X, &[]).0, f64::INFINITY);
        let crossing = ((Vec2::ZERO, Vec2::ONE), (Vec2::X, Vec2::Y));
        assert_eq!(segment_distance(crossing.0, crossing.1), 0.0);
    }
}
