//! From a point to the tetrahedron around it, or to the nearest vertex.
//!
//! Location is a visibility walk (Devillers 2002): cross any face beyond which the point lies. In a Delaunay
//! tetrahedralisation it ends, because across each face the point's power with respect to the circumsphere falls. It
//! begins at a hint, or near the place that the point would have along the curve of [`super::arrange`], found by
//! bisection; so its length hardly depends on the number of points.
//!
//! Nearest vertex: go to the nearest of the neighbours for as long as it is nearer. A vertex that is not the nearest
//! one has a nearer Delaunay neighbour, the one across the side of its Voronoi cell through which one sees the point.

use super::arrange::Curve;
use super::hull::{Distance, vector};
use super::predicates::{Point, orient_replaced};
use super::{Delaunay, FacetId, OUTSIDE, TetId};
use crate::Vec3;

/// Where a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// In a tetrahedron, or on its surface: the lowest of those that have the point.
    Inside(TetId),
    /// Outside the hull.
    Outside {
        /// A facet that the point sees strictly from outside. Which of several, depends on the hint.
        facet: FacetId,
    },
    /// There are no tetrahedra, or the point is not finite.
    Degenerate,
}

/// Tetrahedra along the curve, to begin walks from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StartIndex {
    curve: Curve,
    places: Vec<u64>,
    tets: Vec<u32>,
}

impl StartIndex {
    pub(super) fn new(curve: Curve, along_curve: &[(u64, u32)], tet_at: &[u32]) -> Self {
        let places = along_curve.iter().map(|&(place, _)| place).collect();
        let tets = along_curve.iter().map(|&(_, vertex)| tet_at[vertex as usize]).collect();
        Self { curve, places, tets }
    }

    fn near(&self, point: Point) -> u32 {
        let place = self.curve.place(point);
        let after = self.places.partition_point(|&other| other <= place);
        self.tets[after.saturating_sub(1)]
    }
}

impl Delaunay {
    /// Where a point lies. The answer for a point inside does not depend on the hint, only the time does.
    ///
    /// A good hint is the tetrahedron of a point nearby. Without one, the search begins near the point's place along
    /// the curve through all points.
    pub fn locate(&self, point: Vec3, hint: Option<TetId>) -> Location {
        let (Some(query), false) = (self.scale.query(point), self.tets.is_empty()) else { return Location::Degenerate };
        let hint = hint.map(|tet| tet.0).filter(|&tet| tet < self.n_tets());
        let start = hint.unwrap_or_else(|| self.start.near(query));
        match self.walk(start, query) {
            Walked::Inside(tet) => Location::Inside(TetId(tet)),
            Walked::OnFaceOf(tet) => Location::Inside(TetId(self.lowest_with(tet, query))),
            Walked::Outside(facet) => Location::Outside { facet: FacetId(facet) },
        }
    }

    /// The vertex nearest to a point; `None` if there are no points or the point is not finite.
    ///
    /// Of several at the same distance (in `f64`) it is the lowest. Duplicates are never named. Without tetrahedra it
    /// looks at every vertex.
    pub fn nearest_vertex(&self, point: Vec3) -> Option<u32> {
        let query = self.scale.query(point)?;
        let distance = Distance::new(vector(query), vector(*self.scaled.first()?));
        let squared = |vertex: u32| distance.to(vector(self.scaled[vertex as usize]));
        if self.tets.is_empty() {
            let distinct = (0u32..).zip(&self.duplicate_of).filter(|&(vertex, &first)| vertex == first);
            return distinct.map(|(vertex, _)| vertex).min_by(|&a, &b| squared(a).total_cmp(&squared(b)));
        }
        let begin = match self.locate(point, None) {
            Location::Inside(tet) => tet,
            Location::Outside { facet } => self.facet_tet(facet),
            Location::Degenerate => return None,
        };
        let corners = self.vertices(begin);
        let begin = corners.into_iter().min_by(|&a, &b| squared(a).total_cmp(&squared(b)))?;
        // All vertices at the least distance so far whose neighbours are still to be looked at.
        let (mut least, mut nearest) = (squared(begin), vec![begin]);
        let mut star = Vec::new();
        let mut next = 0;
        'search: while next < nearest.len() {
            self.tets_around(nearest[next], &mut star);
            next += 1;
            let (mut nearer, mut nearer_at) = (least, None);
            for vertex in star.iter().flat_map(|&tet| self.tets[tet as usize]) {
                let there = squared(vertex);
                if there < nearer {
                    (nearer, nearer_at) = (there, Some(vertex));
                } else if there == least && !nearest.contains(&vertex) {
                    nearest.push(vertex);
                }
            }
            if let Some(vertex) = nearer_at {
                (least, nearest, next) = (nearer, vec![vertex], 0);
                continue 'search;
            }
        }
        nearest.into_iter().min()
    }

    /// The vertices that share an edge with one, ascending; none for duplicates and without tetrahedra.
    pub fn adjacent_vertices(&self, vertex: u32) -> Vec<u32> {
        let mut star = Vec::new();
        self.tets_around(vertex, &mut star);
        let corners = star.iter().flat_map(|&tet| self.tets[tet as usize]);
        let mut adjacent: Vec<u32> = corners.filter(|&other| other != vertex).collect();
        adjacent.sort_unstable();
        adjacent.dedup();
        adjacent
    }

    fn tets_around(&self, vertex: u32, star: &mut Vec<u32>) {
        star.clear();
        if self.tet_at[vertex as usize] == OUTSIDE {
            return;
        }
        star.push(self.tet_at[vertex as usize]);
        let mut next = 0;
        while next < star.len() {
            let (corners, neighbours) = (self.tets[star[next] as usize], self.neighbours[star[next] as usize]);
            next += 1;
            for (corner, neighbour) in corners.into_iter().zip(neighbours) {
                if corner != vertex && neighbour < self.n_tets() && !star.contains(&neighbour) {
                    star.push(neighbour);
                }
            }
        }
    }

    fn walk(&self, start: u32, query: Point) -> Walked {
        let mut from = OUTSIDE;
        let mut at = start;
        'walk: loop {
            let corners = self.scaled_corners(at);
            let mut on_face = false;
            for (face, &neighbour) in self.neighbours[at as usize].iter().enumerate() {
                if neighbour == from {
                    continue;
                }
                let side = orient_replaced(corners, face, query);
                if side < 0.0 {
                    if neighbour >= self.n_tets() {
                        return Walked::Outside(neighbour - self.n_tets());
                    }
                    (from, at) = (at, neighbour);
                    continue 'walk;
                }
                on_face |= side == 0.0;
            }
            return if on_face { Walked::OnFaceOf(at) } else { Walked::Inside(at) };
        }
    }

    /// The lowest of the tetrahedra that have a point on their surface, given one of them. They hang together by faces
    /// that have the point.
    fn lowest_with(&self, tet: u32, query: Point) -> u32 {
        let mut having = vec![tet];
        let mut next = 0;
        while next < having.len() {
            let at = having[next];
            next += 1;
            let corners = self.scaled_corners(at);
            for (face, &neighbour) in self.neighbours[at as usize].iter().enumerate() {
                if neighbour < self.n_tets()
                    && !having.contains(&neighbour)
                    && orient_replaced(corners, face, query) == 0.0
                {
                    having.push(neighbour);
                }
            }
        }
        having.into_iter().fold(tet, u32::min)
    }
}

enum Walked {
    Inside(u32),
    OnFaceOf(u32),
    Outside(u32),
}
