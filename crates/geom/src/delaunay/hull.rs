//! The convex hull of a tetrahedralisation: its facets, its volume, and its point nearest to one outside.
//!
//! Nearest point: by descent over facets that see the query. The distance to the query is a convex function on the
//! hull, and a point of a facet that the query sees strictly from outside is a minimum of it as soon as no point of the
//! surface nearby is nearer: any point of the body near it has a nearer one on the surface, on the line to the query. If
//! a point x of a visible facet is no minimum, then some visible facet with x has a nearer point: project the direction
//! to the query onto the body's cone at x; it falls into a facet that the query sees. So it is enough to look at the
//! visible facets around. Unseen ones must not be looked at: below a thin lens lies a minimum of the surface that is
//! none of the body.

use super::predicates::{Point, orient};
use super::{Delaunay, DelaunayError, FACES, Location, OUTSIDE, TetId};
use crate::Vec3;

/// A facet of the hull, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FacetId(pub(super) u32);

impl FacetId {
    /// Its place among the facets, below [`Delaunay::n_hull_facets`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Facet {
    /// Counterclockwise from outside.
    pub(super) vertices: [u32; 3],
    /// The facet across the edge opposite to each vertex.
    pub(super) neighbours: [u32; 3],
    /// The tetrahedron inside.
    pub(super) tet: u32,
}

/// A point on the hull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HullPoint {
    /// Where it is.
    pub point: Vec3,
    /// The facet on which it lies.
    pub facet: FacetId,
    /// The tetrahedron inside that facet.
    pub tet: TetId,
    /// The facet's vertices, counterclockwise from outside.
    pub vertices: [u32; 3],
    /// Their weights at the point: from 0 to 1, with sum 1.
    pub weights: [f64; 3],
    /// How far the query is from it.
    pub distance: f64,
}

/// A side of a facet, ordered by its edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    /// The lower vertex first.
    edge: [u32; 2],
    /// Whether the facet runs from the lower to the higher vertex.
    is_upward: bool,
    facet: u32,
    /// The place of the vertex opposite to the edge.
    opposite: usize,
}

/// Makes a facet of each face without a neighbour, and connects them. In `neighbours`, [`OUTSIDE`] becomes the number
/// of tetrahedra plus the facet's.
pub(super) fn close_hull(tets: &[[u32; 4]], neighbours: &mut [[u32; 4]]) -> Result<Vec<Facet>, DelaunayError> {
    let mut facets = Vec::new();
    for (tet, (corners, neighbours)) in (0u32..).zip(tets.iter().zip(neighbours)) {
        for (face, neighbour) in FACES.iter().zip(neighbours).filter(|(_, neighbour)| **neighbour == OUTSIDE) {
            *neighbour = (tets.len() + facets.len()) as u32;
            facets.push(Facet { vertices: face.map(|i| corners[i]), neighbours: [OUTSIDE; 3], tet });
        }
    }
    // Two facets meet at each edge, and run through it in opposite directions.
    let mut sides: Vec<Side> = Vec::with_capacity(3 * facets.len());
    for (facet, Facet { vertices, .. }) in (0u32..).zip(&facets) {
        sides.extend((0..3).map(|opposite| {
            let (from, to) = (vertices[(opposite + 1) % 3], vertices[(opposite + 2) % 3]);
            Side { edge: [from.min(to), from.max(to)], is_upward: from < to, facet, opposite }
        }));
    }
    sides.sort_unstable();
    let (pairs, rest) = sides.as_chunks::<2>();
    let closed = |[a, b]: &[Side; 2]| a.edge == b.edge && a.is_upward != b.is_upward;
    let single = |pairs: &[[Side; 2]]| pairs[0][0].edge != pairs[1][0].edge;
    if !rest.is_empty() || !pairs.iter().all(closed) || !pairs.windows(2).all(single) {
        return Err(DelaunayError::HullNotFilled);
    }
    for &[a, b] in pairs {
        facets[a.facet as usize].neighbours[a.opposite] = b.facet;
        facets[b.facet as usize].neighbours[b.opposite] = a.facet;
    }
    Ok(facets)
}

impl Delaunay {
    /// How many facets the hull has. They are triangles; flat sides of the hull consist of several.
    pub fn n_hull_facets(&self) -> usize {
        self.facets.len()
    }

    /// The facets of the hull in order.
    pub fn hull_facets(&self) -> impl ExactSizeIterator<Item = FacetId> + use<> {
        (0..self.facets.len() as u32).map(FacetId)
    }

    /// The vertices of a facet, counterclockwise from outside.
    pub fn facet_vertices(&self, facet: FacetId) -> [u32; 3] {
        self.facets[facet.index()].vertices
    }

    /// The facet across the edge opposite to each vertex.
    pub fn facet_neighbours(&self, facet: FacetId) -> [FacetId; 3] {
        self.facets[facet.index()].neighbours.map(FacetId)
    }

    /// The tetrahedron inside a facet.
    pub fn facet_tet(&self, facet: FacetId) -> TetId {
        TetId(self.facets[facet.index()].tet)
    }

    /// The vertices on the hull, ascending.
    pub fn hull_vertices(&self) -> Vec<u32> {
        let mut vertices: Vec<u32> = self.facets.iter().flat_map(|facet| facet.vertices).collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    }

    /// The volume of the hull, by the divergence theorem over its facets.
    pub fn hull_volume(&self) -> f64 {
        let Some(first) = self.facets.first() else { return 0.0 };
        let origin = self.points[first.vertices[0] as usize];
        let six_times = |facet: &Facet| {
            let [a, b, c] = facet.vertices.map(|vertex| self.points[vertex as usize] - origin);
            a.cross(b).dot(c)
        };
        self.facets.iter().map(six_times).sum::<f64>() / 6.0
    }

    /// The point of the hull that is nearest to a point outside; `None` if that is not outside, or if there is no hull.
    ///
    /// Where the nearest point lies on an edge or vertex, its facet is the lowest of those that see the query.
    pub fn nearest_on_hull(&self, point: Vec3) -> Option<HullPoint> {
        self.nearest_on_hull_from(point, None)
    }

    /// As [`Self::nearest_on_hull`], with the tetrahedron at which the search begins.
    pub fn nearest_on_hull_from(&self, point: Vec3, hint: Option<TetId>) -> Option<HullPoint> {
        let Location::Outside { facet } = self.locate(point, hint) else { return None };
        let query = self.scale.query(point)?;
        let measure =
            Distance::new(vector(query), vector(self.scaled[self.facets[facet.index()].vertices[0] as usize]));
        let mut best = self.nearest_on_facet(facet.0, &measure);
        let mut around = Vec::new();
        loop {
            let before = best;
            self.facets_around(best.facet, &mut around);
            for &facet in &around {
                if self.sees(facet, query) {
                    let candidate = self.nearest_on_facet(facet, &measure);
                    if (candidate.measure, candidate.facet) < (best.measure, best.facet) {
                        best = candidate;
                    }
                }
            }
            if best.facet == before.facet {
                break;
            }
        }
        let Facet { vertices, tet, .. } = self.facets[best.facet as usize];
        let [a, b, c] = vertices.map(|vertex| self.points[vertex as usize]);
        let [wa, wb, wc] = best.weights;
        let nearest = a * wa + b * wb + c * wc;
        let (facet, tet, weights) = (FacetId(best.facet), TetId(tet), best.weights);
        Some(HullPoint { point: nearest, facet, tet, vertices, weights, distance: safe_length(point - nearest) })
    }

    /// Whether a point lies strictly outside a facet.
    pub(super) fn sees(&self, facet: u32, query: Point) -> bool {
        let [a, b, c] = self.facets[facet as usize].vertices.map(|vertex| self.scaled[vertex as usize]);
        orient(a, b, c, query) > 0.0
    }

    /// The facets that share a vertex with one, itself included; some of them more than once.
    fn facets_around(&self, facet: u32, around: &mut Vec<u32>) {
        around.clear();
        for vertex in self.facets[facet as usize].vertices {
            let mut at = facet;
            loop {
                around.push(at);
                let Facet { vertices, neighbours, .. } = self.facets[at as usize];
                let corner =
                    vertices.iter().position(|&other| other == vertex).expect("facets around a vertex have it");
                at = neighbours[(corner + 1) % 3];
                if at == facet {
                    break;
                }
            }
        }
    }

    fn nearest_on_facet(&self, facet: u32, distance: &Distance) -> NearestOnFacet {
        let query = distance.query;
        let vertices = self.facets[facet as usize].vertices;
        let corners = vertices.map(|vertex| vector(self.scaled[vertex as usize]));
        let mut best = NearestOnFacet { facet, weights: [1.0, 0.0, 0.0], measure: f64::INFINITY };
        let mut offer = |weights: [f64; 3], at: Vec3| {
            let measure = distance.to(at);
            if measure < best.measure {
                best = NearestOnFacet { facet, weights, measure };
            }
        };
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            // From the lower vertex, so that both facets of an edge find the same point to the last bit.
            let (from, to) = if vertices[from] < vertices[to] { (from, to) } else { (to, from) };
            let along = corners[to] - corners[from];
            let share = ((query - corners[from]).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            let mut weights = [0.0; 3];
            weights[from] = 1.0 - share;
            weights[to] = share;
            offer(weights, corners[from] * (1.0 - share) + corners[to] * share);
        }
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let foot = query - normal * ((query - corners[0]).dot(normal) / normal.length_squared());
        let area = |i: usize| (corners[(i + 1) % 3] - foot).cross(corners[(i + 2) % 3] - foot).dot(normal);
        let areas = [area(0), area(1), area(2)];
        let sum: f64 = areas.iter().sum();
        if areas.iter().all(|&area| area > 0.0) && sum.is_finite() {
            let weights = areas.map(|area| area / sum);
            offer(weights, corners[0] * weights[0] + corners[1] * weights[1] + corners[2] * weights[2]);
        }
        best
    }
}

#[derive(Clone, Copy)]
struct NearestOnFacet {
    facet: u32,
    weights: [f64; 3],
    measure: f64,
}

/// Orders points by their distance to a query.
pub(super) struct Distance {
    query: Vec3,
    /// For far queries, whose squared distances differ in the last bits only: a point to compare with.
    reference: Option<Vec3>,
}

impl Distance {
    /// `reference` is any of the points. Points are scaled: they are at most about 2 apart.
    pub(super) fn new(query: Vec3, reference: Vec3) -> Self {
        let is_far = query.distance_squared(reference) > FAR * FAR;
        Self { query, reference: is_far.then_some(reference) }
    }

    /// The squared distance, for far queries less that of the reference.
    pub(super) fn to(&self, point: Vec3) -> f64 {
        match self.reference {
            None => point.distance_squared(self.query),
            Some(other) => (point - other).dot((point - self.query) + (other - self.query)),
        }
    }
}

/// Queries farther than this are measured by differences. Both methods hold some ten digits there.
const FAR: f64 = 1024.0;

pub(super) fn vector(point: Point) -> Vec3 {
    Vec3::new(point.x, point.y, point.z)
}

/// A length whose square need not be a number of `f64`.
fn safe_length(difference: Vec3) -> f64 {
    let largest = difference.abs().max_element();
    if largest > 0.0 { (difference / largest).length() * largest } else { 0.0 }
}
