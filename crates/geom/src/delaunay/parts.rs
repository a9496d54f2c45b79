//! A tetrahedralisation from stored parts, trusted only after it was looked at.
//!
//! What is checked, in linear time: numbers in range, positive volumes, neighbours that share their face, lie on
//! opposite sides of it and know each other, the far corner of each outside the other's sphere, and a closed, convex
//! hull with all points. Ties must be those of [`super::insert`]'s rule. Then walks end: that each step lowers the
//! power of the query needs the property of one pair of neighbours at a time (see [`super::locate`]).

use super::predicates::{Point, in_sphere, orient, orient_replaced, planar_orientations};
use super::{Delaunay, DelaunayError, FACES, OUTSIDE, TetId, arrange_points};
use crate::Vec3;

impl Delaunay {
    /// The tetrahedralisation with the given points, [`Self::tetrahedra`] and [`Self::neighbours`] of each.
    ///
    /// It is the one that [`Self::new`] makes of the points, but for the order of tetrahedra, or an error.
    pub fn from_parts(
        points: &[Vec3],
        tetrahedra: &[[u32; 4]],
        neighbours: &[[Option<TetId>; 4]],
    ) -> Result<Self, DelaunayError> {
        let arranged = arrange_points(points)?;
        if tetrahedra.len() != neighbours.len() {
            let (n_tetrahedra, n_neighbours) = (tetrahedra.len(), neighbours.len());
            return Err(DelaunayError::LengthsDiffer { n_tetrahedra, n_neighbours });
        }
        if tetrahedra.is_empty() != (arranged.dimension < 3) {
            return Err(DelaunayError::HullNotFilled);
        }
        // The place of each vertex in the order of insertion, which decides ties. Duplicates have none.
        let mut rank = vec![OUTSIDE; points.len()];
        for (place, &vertex) in (0u32..).zip(&arranged.sequence) {
            rank[vertex as usize] = place;
        }
        let raw = neighbours.iter().map(|four| four.map(|neighbour| neighbour.map_or(OUTSIDE, |tet| tet.0))).collect();
        Check { points: &arranged.points, rank: &rank, tets: tetrahedra, neighbours }.tetrahedra()?;
        let built = Self::assemble(points, arranged, tetrahedra.to_vec(), raw)?;
        let left_out = |(&tet, &rank): (&u32, &u32)| tet == OUTSIDE && rank != OUTSIDE;
        if !built.hull_is_convex(&rank) || built.dimension == 3 && built.tet_at.iter().zip(&rank).any(left_out) {
            return Err(DelaunayError::HullNotFilled);
        }
        Ok(built)
    }

    fn hull_is_convex(&self, rank: &[u32]) -> bool {
        let at = |vertex: u32| self.scaled[vertex as usize];
        self.facets.iter().all(|facet| {
            facet.neighbours.iter().all(|&neighbour| {
                let far = self.facets[neighbour as usize].vertices;
                let Some(&far) = far.iter().find(|vertex| !facet.vertices.contains(vertex)) else { return false };
                let side = orient(at(facet.vertices[0]), at(facet.vertices[1]), at(facet.vertices[2]), at(far));
                if side != 0.0 {
                    return side < 0.0;
                }
                let sphere = in_sphere(self.scaled_corners(facet.tet), at(far));
                sphere < 0.0 || sphere == 0.0 && !tie_is_inside_circle(facet.vertices, far, &self.scaled, rank)
            })
        })
    }
}

struct Check<'a> {
    points: &'a [Point],
    rank: &'a [u32],
    tets: &'a [[u32; 4]],
    neighbours: &'a [[Option<TetId>; 4]],
}

impl Check<'_> {
    fn tetrahedra(&self) -> Result<(), DelaunayError> {
        for (tetrahedron, corners) in self.tets.iter().enumerate() {
            let takes_part = |vertex: u32| self.rank.get(vertex as usize).is_some_and(|&rank| rank != OUTSIDE);
            if let Some(&vertex) = corners.iter().find(|&&vertex| !takes_part(vertex)) {
                return Err(DelaunayError::NoSuchVertex { tetrahedron, vertex });
            }
            let [a, b, c, d] = self.corner_points(*corners);
            if orient(a, b, c, d) <= 0.0 {
                return Err(DelaunayError::NotPositive { tetrahedron });
            }
        }
        for tetrahedron in 0..self.tets.len() {
            for face in 0..4 {
                self.pair(tetrahedron, face)?;
            }
        }
        Ok(())
    }

    fn pair(&self, tetrahedron: usize, face: usize) -> Result<(), DelaunayError> {
        let Some(neighbour) = self.neighbours[tetrahedron][face] else { return Ok(()) };
        let far = self.far_corner(tetrahedron, face, neighbour);
        let far = far.ok_or(DelaunayError::NotNeighbours { tetrahedron, face })?;
        let corners = self.tets[tetrahedron];
        let (points, far_point) = (self.corner_points(corners), self.points[far as usize]);
        let beyond = orient_replaced(points, face, far_point) < 0.0;
        let sphere = in_sphere(points, far_point);
        let inside = sphere > 0.0 || sphere == 0.0 && tie_is_inside_sphere(corners, far, self.points, self.rank);
        if beyond && !inside { Ok(()) } else { Err(DelaunayError::NotDelaunay { tetrahedron, face }) }
    }

    /// The corner of a neighbour that is not on the shared face, if the two are neighbours there.
    fn far_corner(&self, tetrahedron: usize, face: usize, neighbour: TetId) -> Option<u32> {
        let others = self.tets.get(neighbour.index()).filter(|_| neighbour.index() != tetrahedron)?;
        let shared = FACES[face].map(|i| self.tets[tetrahedron][i]);
        let back = others.iter().position(|corner| !shared.contains(corner))?;
        let has_face = shared.iter().all(|corner| others.contains(corner));
        let points_back = self.neighbours[neighbour.index()][back].map(TetId::index) == Some(tetrahedron);
        (has_face && points_back).then_some(others[back])
    }

    fn corner_points(&self, corners: [u32; 4]) -> [Point; 4] {
        corners.map(|corner| self.points[corner as usize])
    }
}

/// Whether a point exactly on a sphere counts as inside: Devillers 2011, the latest point in the order lifted most.
///
/// Lifting the point itself takes it out of the sphere. Lifting a corner takes the point in, if the point lies on the
/// corner's side of the other three.
fn tie_is_inside_sphere(corners: [u32; 4], point: u32, points: &[Point], rank: &[u32]) -> bool {
    let at = corners.map(|corner| points[corner as usize]);
    for (_, corner) in latest_first(&corners, point, rank) {
        let Some(corner) = corner else { return false };
        let side = orient_replaced(at, corner, points[point as usize]);
        if side != 0.0 {
            return side > 0.0;
        }
    }
    false
}

/// The same in the plane of three corners and a point that lie on one circle.
fn tie_is_inside_circle(corners: [u32; 3], point: u32, points: &[Point], rank: &[u32]) -> bool {
    let at = corners.map(|corner| points[corner as usize]);
    let whole = planar_orientations(at[0], at[1], at[2]);
    for (_, corner) in latest_first(&corners, point, rank) {
        let Some(corner) = corner else { return false };
        let mut replaced = at;
        replaced[corner] = points[point as usize];
        let part = planar_orientations(replaced[0], replaced[1], replaced[2]);
        // Both have the same ratio in all three planes.
        if let Some(plane) = (0..3).find(|&plane| whole[plane] != 0.0 && part[plane] != 0.0) {
            return (whole[plane] > 0.0) == (part[plane] > 0.0);
        }
    }
    false
}

/// Corners by their place and a point by `None`, the latest in the order of insertion first.
fn latest_first(corners: &[u32], point: u32, rank: &[u32]) -> Vec<(u32, Option<usize>)> {
    let of_corners = corners.iter().enumerate().map(|(place, &corner)| (rank[corner as usize], Some(place)));
    let mut order: Vec<_> = of_corners.chain([(rank[point as usize], None)]).collect();
    order.sort_unstable_by_key(|&(rank, _)| std::cmp::Reverse(rank));
    order
}
