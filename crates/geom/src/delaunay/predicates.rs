//! Exact signs: on which side of a plane, and in or out of a sphere (Shewchuk 1997, by the crate `robust`).
//!
//! Signs follow the volume: `orient(a, b, c, d)` has the sign of `(b - a) x (c - a) . (d - a)`, and a tetrahedron is
//! stored so that it is positive. They are exact as long as nothing underflows or overflows, which [`super::arrange`]
//! sees to.

/// A point as the predicates take it.
pub(super) type Point = robust::Coord3D<f64>;

/// The corners of each face of a positive tetrahedron, the face opposite to each corner, counterclockwise from outside.
pub(super) const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// Positive if `d` lies on the side of the plane `a, b, c` from which they run counterclockwise, 0 on the plane.
#[inline]
pub(super) fn orient(a: Point, b: Point, c: Point, d: Point) -> f64 {
    robust::orient3d(b, a, c, d)
}

/// The orientation of a tetrahedron after `point` took the place of a corner.
///
/// For a positive tetrahedron it is positive if `point` lies on the inner side of the face opposite to that corner.
#[inline]
pub(super) fn orient_replaced(mut corners: [Point; 4], corner: usize, point: Point) -> f64 {
    corners[corner] = point;
    let [a, b, c, d] = corners;
    orient(a, b, c, d)
}

/// Positive if a point lies inside the circumsphere of a positive tetrahedron, 0 on it.
#[inline]
pub(super) fn in_sphere([a, b, c, d]: [Point; 4], point: Point) -> f64 {
    robust::insphere(b, a, c, d, point)
}

/// The orientations of three points in the planes of X and Y, Y and Z, and Z and X: all 0 if they are collinear.
pub(super) fn planar_orientations(a: Point, b: Point, c: Point) -> [f64; 3] {
    let in_plane = |u: fn(Point) -> f64, v: fn(Point) -> f64| {
        let flat = |p| robust::Coord { x: u(p), y: v(p) };
        robust::orient2d(flat(a), flat(b), flat(c))
    };
    [in_plane(|p| p.x, |p| p.y), in_plane(|p| p.y, |p| p.z), in_plane(|p| p.z, |p| p.x)]
}

/// Whether three points lie on one line.
pub(super) fn collinear(a: Point, b: Point, c: Point) -> bool {
    planar_orientations(a, b, c) == [0.0; 3]
}
