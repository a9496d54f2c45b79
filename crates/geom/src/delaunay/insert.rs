//! Incremental insertion: Bowyer 1981 and Watson 1981, with tetrahedra to infinity.
//!
//! Idea: the tetrahedra whose circumspheres contain a new point form a cavity that the point sees whole. They go, and
//! each face of the cavity makes a new tetrahedron with the point. Every face of the hull has a *ghost*, a tetrahedron
//! whose fourth corner is at infinity and whose "sphere" is the open half-space outside, plus the open circle around
//! the face in its plane. So the hull needs no case of its own and is exact.
//!
//! 1. Walk to a tetrahedron that contains the point, or to a ghost whose face sees it.
//! 2. Gather the cavity through neighbours that are in conflict, and its faces.
//! 3. Make a tetrahedron on each face; find its neighbours by turning around the face's edges within the cavity.
//!
//! Ties: a point exactly on a sphere is not in conflict with it. This is the symbolic perturbation of Devillers 2011,
//! the later point being lifted more, with the order of insertion as its order. It never makes a flat tetrahedron:
//! where the point lies in the plane of a face and in conflict with the one side, it lies inside the face's circle,
//! hence in conflict with the other side as well, and that face is not on the cavity's boundary.

use super::predicates::{FACES, Point, in_sphere, orient, orient_replaced};

/// The corner at infinity. It is always the fourth of its tetrahedron.
const INFINITE: u32 = u32::MAX;
const NO_CELL: u32 = u32::MAX;

/// A tetrahedron or ghost: corners, and the neighbour across the face opposite to each.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    pub(super) corners: [u32; 4],
    pub(super) neighbours: [u32; 4],
}

impl Cell {
    pub(super) fn is_ghost(&self) -> bool {
        self.corners[3] == INFINITE
    }
}

/// A face of the cavity, seen from the cell inside.
#[derive(Clone, Copy)]
struct CavityFace {
    cell: u32,
    face: u8,
}

pub(super) struct Mesh<'a> {
    points: &'a [Point],
    cells: Vec<Cell>,
    /// `2 * round` for cells in conflict in this round, one more for those tested and found free, less for all others.
    marks: Vec<u32>,
    round: u32,
    /// Cells that went, to be used again.
    free: Vec<u32>,
    /// A cell at the last point inserted, where the next walk begins.
    last: u32,
    cavity: Vec<u32>,
    faces: Vec<CavityFace>,
    made: Vec<u32>,
}

impl<'a> Mesh<'a> {
    /// All points inserted in their order. The first four must not be coplanar, and none may be repeated.
    pub(super) fn build(points: &'a [Point]) -> Self {
        let mut mesh = Self::first_tetrahedron(points);
        for vertex in 4..points.len() {
            mesh.insert(vertex as u32);
        }
        mesh
    }

    /// The cells that are in use, each with its number. Neighbours are such numbers.
    pub(super) fn cells(&self) -> impl Iterator<Item = (u32, &Cell)> {
        let mut dead = vec![false; self.cells.len()];
        for &cell in &self.free {
            dead[cell as usize] = true;
        }
        (0u32..).zip(&self.cells).filter(move |&(cell, _)| !dead[cell as usize])
    }

    /// One more than the highest number of a cell.
    pub(super) fn n_numbers(&self) -> usize {
        self.cells.len()
    }

    fn first_tetrahedron(points: &'a [Point]) -> Self {
        let mut corners = [0, 1, 2, 3];
        if orient(points[0], points[1], points[2], points[3]) < 0.0 {
            corners.swap(0, 1);
        }
        let mut cells = vec![Cell { corners, neighbours: [1, 2, 3, 4] }];
        // The ghost outside face i is cell i + 1. Across its edge opposite to corner j lies the ghost of face j.
        cells.extend(FACES.iter().map(|&[a, b, c]| Cell {
            corners: [corners[a], corners[b], corners[c], INFINITE],
            neighbours: [a as u32 + 1, b as u32 + 1, c as u32 + 1, 0],
        }));
        let (marks, free) = (vec![0; cells.len()], Vec::new());
        let (cavity, faces, made) = (Vec::new(), Vec::new(), Vec::new());
        Self { points, cells, marks, round: 0, free, last: 0, cavity, faces, made }
    }

    fn corner_points(&self, cell: &Cell) -> [Point; 4] {
        cell.corners.map(|corner| self.points[corner as usize])
    }

    fn insert(&mut self, vertex: u32) {
        let start = self.walk_to(vertex);
        self.gather_cavity(start, vertex);
        self.fill_cavity(vertex);
    }

    /// A cell in conflict with a point. The walk ends: across each face that it passes the point's power with respect
    /// to the sphere falls (Devillers 2002 on the visibility walk).
    fn walk_to(&self, vertex: u32) -> u32 {
        let point = self.points[vertex as usize];
        let mut from = NO_CELL;
        let mut at = self.last;
        if self.cells[at as usize].is_ghost() {
            at = self.cells[at as usize].neighbours[3];
        }
        'walk: loop {
            let cell = &self.cells[at as usize];
            if cell.is_ghost() {
                return at;
            }
            let corners = self.corner_points(cell);
            for (face, &neighbour) in cell.neighbours.iter().enumerate() {
                if neighbour != from && orient_replaced(corners, face, point) < 0.0 {
                    from = at;
                    at = neighbour;
                    continue 'walk;
                }
            }
            return at;
        }
    }

    fn in_conflict(&self, at: u32, point: Point) -> bool {
        let cell = &self.cells[at as usize];
        if !cell.is_ghost() {
            return in_sphere(self.corner_points(cell), point) > 0.0;
        }
        let [a, b, c, _] = cell.corners;
        let [a, b, c] = [a, b, c].map(|corner| self.points[corner as usize]);
        let side = orient(a, b, c, point);
        // In the plane of the face, the sphere of the tetrahedron below cuts out the face's circle.
        side > 0.0
            || side == 0.0 && in_sphere(self.corner_points(&self.cells[cell.neighbours[3] as usize]), point) > 0.0
    }

    fn gather_cavity(&mut self, start: u32, vertex: u32) {
        let point = self.points[vertex as usize];
        self.round += 1;
        let (conflict, free) = (2 * self.round, 2 * self.round + 1);
        self.cavity.clear();
        self.faces.clear();
        self.marks[start as usize] = conflict;
        self.cavity.push(start);
        let mut next = 0;
        while next < self.cavity.len() {
            let at = self.cavity[next];
            next += 1;
            for face in 0..4 {
                let neighbour = self.cells[at as usize].neighbours[face];
                let mark = &mut self.marks[neighbour as usize];
                if *mark < conflict {
                    *mark = free;
                    if self.in_conflict(neighbour, point) {
                        self.marks[neighbour as usize] = conflict;
                        self.cavity.push(neighbour);
                    }
                }
                if self.marks[neighbour as usize] == free {
                    self.faces.push(CavityFace { cell: at, face: face as u8 });
                }
            }
        }
    }

    fn fill_cavity(&mut self, vertex: u32) {
        self.made.clear();
        for index in 0..self.faces.len() {
            let CavityFace { cell, face } = self.faces[index];
            let Cell { mut corners, neighbours } = self.cells[cell as usize];
            let outside = neighbours[face as usize];
            corners[face as usize] = vertex;
            let mut new = Cell { corners, neighbours: [NO_CELL; 4] };
            new.neighbours[face as usize] = outside;
            let number = self.store(new);
            self.made.push(number);
            let back = position(self.cells[outside as usize].neighbours, cell);
            self.cells[outside as usize].neighbours[back] = number;
            // The old cell points to the new one, for the turns that follow.
            self.cells[cell as usize].neighbours[face as usize] = number;
        }
        for index in 0..self.faces.len() {
            let (CavityFace { cell, face }, number) = (self.faces[index], self.made[index]);
            for side in (0..4).filter(|&side| side != face as usize) {
                if self.cells[number as usize].neighbours[side] == NO_CELL {
                    let (other, other_side) = self.turn(cell, face as usize, side, vertex);
                    self.cells[number as usize].neighbours[side] = other;
                    self.cells[other as usize].neighbours[other_side] = number;
                }
            }
        }
        self.free.append(&mut self.cavity);
        self.last = self.made[0];
    }

    /// The new cell on the next face of the cavity, around the edge that the faces `face` and `side` of a cell share;
    /// and which of its own sides has that edge.
    fn turn(&self, mut at: u32, mut face: usize, mut side: usize, vertex: u32) -> (u32, usize) {
        let conflict = 2 * self.round;
        loop {
            let cell = self.cells[at as usize];
            let next = cell.neighbours[side];
            if self.marks[next as usize] != conflict {
                // `next` is new: the cell's own corners, the new point in place of corner `side`. Its side with the
                // point and the edge is opposite to the corner that lies on neither, corner `face` of the cell.
                debug_assert_eq!(self.cells[next as usize].corners[side], vertex);
                return (next, face);
            }
            // Entering `next` across the old face `side`: leave it across the other face that has the edge.
            let entered = position(self.cells[next as usize].neighbours, at);
            let leave = position(self.cells[next as usize].corners, cell.corners[face]);
            (at, face, side) = (next, entered, leave);
        }
    }

    fn store(&mut self, cell: Cell) -> u32 {
        if let Some(number) = self.free.pop() {
            self.cells[number as usize] = cell;
            // Not in conflict with the point that made it.
            self.marks[number as usize] = 0;
            return number;
        }
        self.cells.push(cell);
        self.marks.push(0);
        (self.cells.len() - 1) as u32
    }
}

/// Where an element stands. It must be there.
fn position(four: [u32; 4], element: u32) -> usize {
    four.iter().position(|&other| other == element).expect("neighbours know each other")
}
