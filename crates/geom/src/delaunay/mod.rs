//! The Delaunay tetrahedralisation of points in space: build, locate, weigh.
//!
//! STRIDE 4.2 keeps the parameters of steps in one and asks for the tetrahedron around a wanted step (5.1) and for the
//! weights of its corners (5.2). No crate serves such points, which come in clusters, repeat, and lie in planes, so
//! this is our own: incremental insertion (Bowyer 1981, Watson 1981) on exact predicates (Shewchuk 1997).
//!
//! 1. `arrange`: scale, find duplicates, order the points along a curve.
//! 2. `insert`: one point after the other, with ghosts outside the hull.
//! 3. `hull`: the faces without a neighbour, and the nearest point on them.
//! 4. `locate`: from a point to its tetrahedron or nearest vertex by walking.
//! 5. `barycentric`: from a tetrahedron and a point to weights.
//!
//! Promises: no point lies strictly inside a circumsphere; every tetrahedron has a strictly positive volume (in exact
//! arithmetic); together they fill the hull. Where five or more points lie on one empty sphere, several
//! tetrahedralisations have these properties; one is chosen by a rule (see `insert`) that looks at the set of points
//! only. The same points in another order give the same tetrahedra.
//!
//! Limits: below 2^29 points. The number of tetrahedra is about 6.7 times that of points for evenly spread points, but
//! may grow as its square (points on two curves that face each other).

mod arrange;
mod barycentric;
mod hull;
mod insert;
mod locate;
mod parts;
mod predicates;

pub use barycentric::{helper_point_weights, tetrahedron_weights};
pub use hull::{FacetId, HullPoint};
pub use locate::Location;

use crate::Vec3;
use arrange::{Arranged, Scale};
use hull::Facet;
use insert::Mesh;
use locate::StartIndex;
use predicates::{FACES, Point};

/// The most points that fit: their tetrahedra and hull faces are numbered in 32 bits.
const MAX_POINTS: usize = 1 << 29;

/// A tetrahedron of a [`Delaunay`], counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TetId(u32);

impl TetId {
    /// The tetrahedron at a place of [`Delaunay::tetrahedra`]. Whether there is one, only the tetrahedralisation knows.
    pub fn new(index: u32) -> Self {
        Self(index)
    }

    /// Its place in [`Delaunay::tetrahedra`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why points, or stored parts, make no tetrahedralisation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DelaunayError {
    /// A coordinate is infinite or no number.
    #[error("point {point} is not finite")]
    NotFinite {
        /// Index of the first such point.
        point: usize,
    },
    /// More points than 32-bit numbers of tetrahedra allow.
    #[error("{n_points} points are too many; at most {MAX_POINTS} fit")]
    TooManyPoints {
        /// How many were given.
        n_points: usize,
    },
    /// Stored parts: as many neighbours as tetrahedra are needed.
    #[error("{n_tetrahedra} tetrahedra but neighbours for {n_neighbours}")]
    LengthsDiffer {
        /// Tetrahedra given.
        n_tetrahedra: usize,
        /// Neighbours given.
        n_neighbours: usize,
    },
    /// Stored parts: a corner that is not one of the points, or a duplicate of another.
    #[error("tetrahedron {tetrahedron} has a corner {vertex}, which is not a point that takes part")]
    NoSuchVertex {
        /// The tetrahedron.
        tetrahedron: usize,
        /// Its corner.
        vertex: u32,
    },
    /// Stored parts: a tetrahedron is flat or turned inside out.
    #[error("tetrahedron {tetrahedron} has no positive volume")]
    NotPositive {
        /// The tetrahedron.
        tetrahedron: usize,
    },
    /// Stored parts: the neighbour across a face is missing, has other corners there, or does not point back.
    #[error("the neighbour of tetrahedron {tetrahedron} across face {face} is not its neighbour")]
    NotNeighbours {
        /// The tetrahedron.
        tetrahedron: usize,
        /// The face, by the corner opposite to it.
        face: usize,
    },
    /// Stored parts: the neighbour's far corner lies in the sphere (ties by the rule of this module), or on the same
    /// side.
    #[error("tetrahedron {tetrahedron} and its neighbour across face {face} are not Delaunay")]
    NotDelaunay {
        /// The tetrahedron.
        tetrahedron: usize,
        /// The face, by the corner opposite to it.
        face: usize,
    },
    /// Stored parts: the faces without neighbours do not close to a convex hull, or a point is left out.
    #[error("the tetrahedra do not fill the hull of the points")]
    HullNotFilled,
}

/// A Delaunay tetrahedralisation with what is needed to find one's way in it.
///
/// Vertices are named by their index among the points given. Two are equal if their points, tetrahedra and neighbours
/// are.
#[derive(Clone, Debug, PartialEq)]
pub struct Delaunay {
    points: Vec<Vec3>,
    /// Scaled for the exact predicates, by vertex.
    scaled: Vec<Point>,
    scale: Scale,
    duplicate_of: Vec<u32>,
    dimension: i32,
    /// Corners, positively oriented.
    tets: Vec<[u32; 4]>,
    /// Across the face opposite to each corner. Numbers from `tets.len()` are facets of the hull.
    neighbours: Vec<[u32; 4]>,
    facets: Vec<Facet>,
    /// The lowest tetrahedron at each vertex; meaningless for duplicates.
    tet_at: Vec<u32>,
    start: StartIndex,
}

impl Delaunay {
    /// Builds the tetrahedralisation of points.
    ///
    /// Fewer than four points, and points in one plane or line, have no tetrahedra; see [`Self::dimension`]. Exact
    /// duplicates take no part; see [`Self::duplicate_of`]. Coordinates below 2^-150 of the largest count as 0.
    pub fn new(points: &[Vec3]) -> Result<Self, DelaunayError> {
        let arranged = arrange_points(points)?;
        let (mut tets, mut neighbours) = (Vec::new(), Vec::new());
        if arranged.dimension == 3 {
            let in_sequence: Vec<Point> = arranged.sequence.iter().map(|&v| arranged.points[v as usize]).collect();
            let mesh = Mesh::build(&in_sequence);
            let mut number = vec![OUTSIDE; mesh.n_numbers()];
            for (count, (cell, _)) in (0u32..).zip(mesh.cells().filter(|(_, cell)| !cell.is_ghost())) {
                number[cell as usize] = count;
            }
            for (_, cell) in mesh.cells().filter(|(_, cell)| !cell.is_ghost()) {
                tets.push(cell.corners.map(|corner| arranged.sequence[corner as usize]));
                neighbours.push(cell.neighbours.map(|neighbour| number[neighbour as usize]));
            }
        }
        Self::assemble(points, arranged, tets, neighbours)
    }

    /// Closes the hull and makes the indices. `neighbours` are [`OUTSIDE`] on the hull.
    fn assemble(
        points: &[Vec3],
        arranged: Arranged,
        tets: Vec<[u32; 4]>,
        mut neighbours: Vec<[u32; 4]>,
    ) -> Result<Self, DelaunayError> {
        let facets = hull::close_hull(&tets, &mut neighbours)?;
        let mut tet_at = vec![OUTSIDE; points.len()];
        for (tet, corners) in (0..tets.len() as u32).zip(&tets).rev() {
            for &corner in corners {
                tet_at[corner as usize] = tet;
            }
        }
        let start = StartIndex::new(arranged.curve, &arranged.along_curve, &tet_at);
        let Arranged { scale, points: scaled, duplicate_of, dimension, .. } = arranged;
        let points = points.to_vec();
        Ok(Self { points, scaled, scale, duplicate_of, dimension, tets, neighbours, facets, tet_at, start })
    }

    /// The points as they were given, duplicates included.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// The dimension of the space that the points span: 3 if there are tetrahedra, 2 in a plane, 1 on a line, 0 for a
    /// single point, -1 for none.
    pub fn dimension(&self) -> i32 {
        self.dimension
    }

    /// The first vertex with the same place, if an earlier one has it. Duplicates are corners of no tetrahedron.
    pub fn duplicate_of(&self, vertex: u32) -> Option<u32> {
        let first = self.duplicate_of[vertex as usize];
        (first != vertex).then_some(first)
    }

    /// The vertices of all tetrahedra, by [`TetId`]. Each is positive: `(b - a) x (c - a) . (d - a) > 0`.
    pub fn tetrahedra(&self) -> &[[u32; 4]] {
        &self.tets
    }

    /// All tetrahedra in order.
    pub fn tet_ids(&self) -> impl ExactSizeIterator<Item = TetId> + use<> {
        (0..self.n_tets()).map(TetId)
    }

    /// The vertices of a tetrahedron.
    pub fn vertices(&self, tet: TetId) -> [u32; 4] {
        self.tets[tet.index()]
    }

    /// The places of a tetrahedron's vertices.
    pub fn corners(&self, tet: TetId) -> [Vec3; 4] {
        self.vertices(tet).map(|vertex| self.points[vertex as usize])
    }

    /// The neighbour across the face opposite to each vertex; `None` on the hull.
    pub fn neighbours(&self, tet: TetId) -> [Option<TetId>; 4] {
        self.neighbours[tet.index()].map(|neighbour| (neighbour < self.n_tets()).then_some(TetId(neighbour)))
    }

    /// Every edge once, the lower vertex first, in ascending order.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        let pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        let edges_of = |tet: &[u32; 4]| pairs.map(|[i, j]| [tet[i].min(tet[j]), tet[i].max(tet[j])]);
        let mut edges: Vec<[u32; 2]> = self.tets.iter().flat_map(edges_of).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// The weights of a tetrahedron's vertices at a point; see [`tetrahedron_weights`].
    ///
    /// They are at least 0 in the tetrahedron that [`Self::locate`] finds, but for rounding.
    pub fn weights(&self, tet: TetId, point: Vec3) -> [f64; 4] {
        // A tetrahedron too flat for `f64` has its nearest corner as an answer.
        let corners = self.corners(tet);
        tetrahedron_weights(corners, point).unwrap_or_else(|| {
            let nearest = (0..4)
                .min_by(|&i, &j| corners[i].distance_squared(point).total_cmp(&corners[j].distance_squared(point)));
            std::array::from_fn(|i| if Some(i) == nearest { 1.0 } else { 0.0 })
        })
    }

    fn n_tets(&self) -> u32 {
        self.tets.len() as u32
    }

    fn scaled_corners(&self, tet: u32) -> [Point; 4] {
        self.tets[tet as usize].map(|vertex| self.scaled[vertex as usize])
    }
}

/// A neighbour that is not there, before the hull is closed.
const OUTSIDE: u32 = u32::MAX;

fn arrange_points(points: &[Vec3]) -> Result<Arranged, DelaunayError> {
    if points.len() > MAX_POINTS {
        return Err(DelaunayError::TooManyPoints { n_points: points.len() });
    }
    match points.iter().position(|point| !point.is_finite()) {
        Some(point) => Err(DelaunayError::NotFinite { point }),
        None => Ok(Arranged::new(points)),
    }
}
