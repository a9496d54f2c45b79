//! The four steps that span a query and together resemble it most.
//!
//! Reference: STRIDE 8.2, which names what 5.1 leaves open: its set of blend candidates is underestimated, and
//! candidates are judged one by one instead of by their blend.
//!
//! Idea: of all ways to make the query, `sum w_i p_i = q` with `sum w_i = 1` and `w_i >= 0`, take the one with the
//! lowest `sum w_i D_high(i)^power`. That is a linear programme, so no more than four steps have a weight, as in a
//! tetrahedron. If D_high were the distance in the parameters alone and the power 2, its answer would be the Delaunay
//! tetrahedron itself (its lifting to a paraboloid); with all dimensions it is the tetrahedron of a triangulation
//! that knows headings, times and heights.
//!
//! 1. The candidates: steps near the query by D_high ([`super::high_tree::HighTree::gather`]), a number that grows with
//!    the logarithm of the database's, and the Delaunay tetrahedron around the query, which is the first basis.
//! 2. The simplex method: prices y with `y . (p_i, 1) = cost_i` for the four of the basis; the candidate whose cost is
//!    furthest below its price comes in; the one whose weight falls to 0 first goes out.
//! 3. Until no candidate is below its price.
//!
//! Far steps with little weight are paid for by the power: at 1 they are as good as near ones, the higher it is the
//! nearer all four are.
//!
//! Limit: steps that are not among the candidates are not looked at. In databases of up to some hundred steps all are.

use surefoot_geom::{Mat4, Vec3, Vec4};

/// Rounds after which what has been found is taken. Some ten suffice.
const MAX_ROUNDS: usize = 60;
/// A cost this little below its price is rounding.
const TOLERANCE: f64 = 1e-10;
/// Smallest volume of a basis, times six: flatter ones have no weights worth the name.
const FLAT: f64 = 1e-12;

/// A step that may be blended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) step: usize,
    pub(super) point: Vec3,
    /// Its D_high, and what it costs in a blend.
    pub(super) distance: f64,
    pub(super) cost: f64,
}

/// The best four of some candidates by their indices, with weights that sum to 1 and are not negative. The first four
/// span the query. `None` if they are flat.
pub(super) fn span_query(q: Vec3, candidates: &[Candidate]) -> Option<[(usize, f64); 4]> {
    let column = |index: usize| candidates[index].point.extend(1.0);
    let mut basis = [0, 1, 2, 3];
    for round in 0.. {
        let columns = Mat4::from_cols(column(basis[0]), column(basis[1]), column(basis[2]), column(basis[3]));
        if columns.determinant().abs() < FLAT {
            return None;
        }
        let inverse = columns.inverse();
        let weights = inverse * q.extend(1.0);
        let y = inverse.transpose() * Vec4::from_array(basis.map(|index| candidates[index].cost));
        let prices = Vec3::new(y.x, y.y, y.z);
        let mut comes = (0, -TOLERANCE);
        for (index, candidate) in candidates.iter().enumerate() {
            let cost = candidate.cost - prices.dot(candidate.point) - y.w;
            if cost < comes.1 {
                comes = (index, cost);
            }
        }
        let change = inverse * column(comes.0);
        let leaving = (0..4).filter(|&k| change[k] > 1e-9).map(|k| (k, weights[k].max(0.0) / change[k]));
        let goes = leaving.reduce(|least, other| if other.1 < least.1 { other } else { least });
        let is_done = comes.1 >= -TOLERANCE || basis.contains(&comes.0) || round == MAX_ROUNDS;
        match goes.filter(|_| !is_done) {
            Some((goes, _)) if is_solid(candidates, basis, goes, comes.0) => basis[goes] = comes.0,
            _ => return Some(std::array::from_fn(|k| (basis[k], weights[k].max(0.0)))),
        }
    }
    unreachable!("rounds are limited")
}

/// Whether a basis stays a tetrahedron when one comes in for another.
fn is_solid(candidates: &[Candidate], mut basis: [usize; 4], goes: usize, comes: usize) -> bool {
    basis[goes] = comes;
    let [a, b, c, d] = basis.map(|index| candidates[index].point);
    (b - a).cross(c - a).dot(d - a).abs() > 1e3 * FLAT
}
