//! Outlines on the ground: closed polygons that do not touch themselves.

use surefoot_geom::Vec2;

/// Most points of one outline. Edges are compared two by two (sorted along x, so that few pairs are left), and hostile files
/// shall not make that slow.
pub const MAX_OUTLINE_POINTS: usize = 2048;

/// Why points are no outline. Points are numbered from 0; edge `i` runs from point `i` to the next, the last back to the
/// first.
#[derive(Clone, Debug, PartialEq)]
pub enum OutlineError {
    /// Fewer than three points.
    TooFew {
        /// How many there are.
        found: usize,
    },
    /// More than [`MAX_OUTLINE_POINTS`].
    TooMany {
        /// How many there are.
        found: usize,
    },
    /// A coordinate is NaN or infinite.
    NotFinite {
        /// Whose.
        point: usize,
    },
    /// Two edges cross, touch or lie on each other.
    Touches {
        /// The earlier edge.
        edge: usize,
        /// The later edge.
        other: usize,
        /// Where `(x, z)`.
        at: Vec2,
    },
}

impl std::fmt::Display for OutlineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OutlineError::TooFew { found } => write!(f, "an outline has at least three points; this one has {found}"),
            OutlineError::TooMany { found } => {
                write!(f, "an outline has at most {MAX_OUTLINE_POINTS} points; this one has {found}")
            }
            OutlineError::NotFinite { point } => write!(f, "point {point} has a number that is not finite"),
            OutlineError::Touches { edge, other, at } => write!(
                f,
                "the edges from points {edge} and {other} cross or touch at [{:.3}, {:.3}]; an outline goes round once, and \
                 its last point does not repeat the first",
                at.x, at.y
            ),
        }
    }
}

impl std::error::Error for OutlineError {}

/// Whether points make a simple polygon, in either direction.
pub fn check_outline(points: &[Vec2]) -> Result<(), OutlineError> {
    let found = points.len();
    if found < 3 {
        return Err(OutlineError::TooFew { found });
    }
    if found > MAX_OUTLINE_POINTS {
        return Err(OutlineError::TooMany { found });
    }
    if let Some(point) = points.iter().position(|point| !point.is_finite()) {
        return Err(OutlineError::NotFinite { point });
    }
    match touching_edges(points) {
        Some((edge, other)) => {
            let corners = |i: usize| (points[i], points[(i + 1) % found]);
            Err(OutlineError::Touches { edge, other, at: meeting_point(corners(edge), corners(other)) })
        }
        None => Ok(()),
    }
}

/// Two edges that share more than the corner between neighbours.
fn touching_edges(points: &[Vec2]) -> Option<(usize, usize)> {
    let n = points.len();
    let edge = |i: usize| (points[i], points[(i + 1) % n]);
    let low = |i: usize| edge(i).0.x.min(edge(i).1.x);
    let high = |i: usize| edge(i).0.x.max(edge(i).1.x);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| low(i).total_cmp(&low(j)));
    for (rank, &i) in order.iter().enumerate() {
        for &j in order[rank + 1..].iter().take_while(|&&j| low(j) <= high(i)) {
            let (first, second) = (i.min(j), i.max(j));
            let touches = if second - first == 1 {
                folds_back(edge(first), edge(second))
            } else if first == 0 && second == n - 1 {
                folds_back(edge(second), edge(first))
            } else {
                segments_touch(edge(first), edge(second))
            };
            if touches {
                return Some((first, second));
            }
        }
    }
    None
}

/// Whether the second of two edges that share a corner runs back along the first, or one of them has no length.
fn folds_back((a, b): (Vec2, Vec2), (_, c): (Vec2, Vec2)) -> bool {
    let (first, second) = (b - a, c - b);
    first == Vec2::ZERO || second == Vec2::ZERO || (turn(a, b, c) == 0.0 && first.dot(second) < 0.0)
}

fn segments_touch((a, b): (Vec2, Vec2), (c, d): (Vec2, Vec2)) -> bool {
    let (abc, abd, cda, cdb) = (turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b));
    if abc * abd < 0.0 && cda * cdb < 0.0 {
        return true;
    }
    let on = |p: Vec2, q: Vec2, r: Vec2, turn: f64| turn == 0.0 && p.min(q).cmple(r).all() && r.cmple(p.max(q)).all();
    on(a, b, c, abc) || on(a, b, d, abd) || on(c, d, a, cda) || on(c, d, b, cdb)
}

/// A point that two segments share, given that they touch: where they cross, or an end of one that lies on the other.
fn meeting_point((a, b): (Vec2, Vec2), (c, d): (Vec2, Vec2)) -> Vec2 {
    let (across_c, across_d) = (turn(a, b, c), turn(a, b, d));
    if across_c * across_d < 0.0 {
        return c.lerp(d, across_c / (across_c - across_d));
    }
    // The segments touch or lie on each other. Edges that share a corner by right share more of them than that.
    let off = |p: Vec2, (a, b): (Vec2, Vec2)| {
        p.distance(nearest_on_segment(p, a, b)) + if p == a || p == b { 1e-9 } else { 0.0 }
    };
    let ends = [(c, (a, b)), (d, (a, b)), (a, (c, d)), (b, (c, d))];
    ends.into_iter().min_by(|p, q| off(p.0, p.1).total_cmp(&off(q.0, q.1))).map_or(c, |(end, _)| end)
}

/// The point of a segment that is nearest to another point; a segment without length is its first point.
pub(crate) fn nearest_on_segment(point: Vec2, a: Vec2, b: Vec2) -> Vec2 {
    let along = b - a;
    let squared = along.length_squared();
    if squared == 0.0 { a } else { a + along * ((point - a).dot(along) / squared).clamp(0.0, 1.0) }
}

/// Twice the signed area of an outline: positive if it turns from +x toward +z.
pub(crate) fn signed_area(outline: &[Vec2]) -> f64 {
    let first = outline.first().copied().unwrap_or_default();
    outline.windows(2).map(|pair| (pair[0] - first).perp_dot(pair[1] - first)).sum()
}

/// Twice the signed area of a triangle; 0 if its corners are in line.
fn turn(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// Whether a point lies inside an outline or on its edge.
pub fn contains(outline: &[Vec2], point: Vec2) -> bool {
    let n = outline.len();
    let mut inside = false;
    for i in 0..n {
        let (a, b) = (outline[i], outline[(i + 1) % n]);
        if segments_touch((a, b), (point, point)) {
            return true;
        }
        // A ray from the point toward +x crosses the edge if one end is above it and the other is not.
        if (a.y > point.y) != (b.y > point.y) && turn(a, b, point) * (b.y - a.y) > 0.0 {
            inside = !inside;
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(points: &[[f64; 2]]) -> Vec<Vec2> {
        points.iter().map(|&point| Vec2::from(point)).collect()
    }

    #[test]
    fn simple_polygons_of_either_direction_are_outlines() {
        let l_shape = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        let with_a_point_on_an_edge = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0]];
        for points in [&l_shape[..], &with_a_point_on_an_edge[..]] {
            let mut points = outline(points);
            assert_eq!(check_outline(&points), Ok(()));
            points.reverse();
            assert_eq!(check_outline(&points), Ok(()));
            points.rotate_left(2);
            assert_eq!(check_outline(&points), Ok(()));
        }
    }

    #[test]
    fn what_touches_itself_is_no_outline() {
        let bow_tie = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
        let closed_twice = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]];
        let flat = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]];
        let spike = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [2.0, 1.0], [0.0, 1.0]];
        let corner_on_edge = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
        for points in [&bow_tie[..], &closed_twice[..], &flat[..], &spike[..], &corner_on_edge[..]] {
            assert!(matches!(check_outline(&outline(points)), Err(OutlineError::Touches { .. })), "{points:?}");
        }
        let crossing = check_outline(&outline(&bow_tie)).unwrap_err();
        assert_eq!(crossing, OutlineError::Touches { edge: 0, other: 2, at: Vec2::splat(0.5) });
        let touching = check_outline(&outline(&corner_on_edge)).unwrap_err();
        assert!(matches!(touching, OutlineError::Touches { at, .. } if at == Vec2::new(1.0, 0.0)), "{touching}");
        assert!(touching.to_string().contains("at [1.000, 0.000]"), "{touching}");
        assert_eq!(check_outline(&outline(&[[0.0, 0.0], [1.0, 0.0]])), Err(OutlineError::TooFew { found: 2 }));
        let nan = [[0.0, 0.0], [1.0, 0.0], [1.0, f64::NAN]];
        assert_eq!(check_outline(&outline(&nan)), Err(OutlineError::NotFinite { point: 2 }));
    }

    #[test]
    fn inside_is_told_from_outside() {
        let mut shape = outline(&[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 0.5], [0.0, 2.0]]);
        for _ in 0..2 {
            for (point, inside) in
                [([0.5, 0.5], true), ([1.0, 1.0], false), ([1.0, 0.2], true), ([1.0, 0.0], true), ([3.0, 0.5], false)]
            {
                assert_eq!(contains(&shape, Vec2::from(point)), inside, "{point:?}");
            }
            shape.reverse();
        }
    }
}
