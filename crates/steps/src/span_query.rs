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

/// Steps that may be blended: a column for each of their numbers, so that all are priced in one pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    steps: Vec<usize>,
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
    /// Their D_high, and what they cost in a blend.
    distances: Vec<f64>,
    costs: Vec<f64>,
    /// How far each is above its price.
    above: Vec<f64>,
}

impl Candidates {
    pub(super) fn clear(&mut self) {
        let Candidates { steps, x, y, z, distances, costs, above } = self;
        steps.clear();
        [x, y, z, distances, costs, above].into_iter().for_each(Vec::clear);
    }

    pub(super) fn push(&mut self, step: usize, point: Vec3, distance: f64, cost: f64) {
        self.steps.push(step);
        self.x.push(point.x);
        self.y.push(point.y);
        self.z.push(point.z);
        self.distances.push(distance);
        self.costs.push(cost);
    }

    pub(super) fn step(&self, index: usize) -> usize {
        self.steps[index]
    }

    pub(super) fn distance(&self, index: usize) -> f64 {
        self.distances[index]
    }

    /// The one with the least D_high, of equals the first.
    pub(super) fn nearest(&self) -> usize {
        least(&self.distances).0
    }

    fn point(&self, index: usize) -> Vec3 {
        Vec3::new(self.x[index], self.y[index], self.z[index])
    }

    /// The best four by their indices, with weights that sum to 1 and are not negative. The first four candidates span the query.
    /// `None` if they are flat.
    pub(super) fn span_query(&mut self, q: Vec3) -> Option<[(usize, f64); 4]> {
        let mut basis = [0, 1, 2, 3];
        for round in 0.. {
            let column = |index: usize| self.point(index).extend(1.0);
            let columns = Mat4::from_cols(column(basis[0]), column(basis[1]), column(basis[2]), column(basis[3]));
            if columns.determinant().abs() < FLAT {
                return None;
            }
            let inverse = columns.inverse();
            let weights = inverse * q.extend(1.0);
            let prices = inverse.transpose() * Vec4::from_array(basis.map(|index| self.costs[index]));
            let comes = self.furthest_below(prices);
            let change = inverse * self.point(comes.0).extend(1.0);
            let leaving = (0..4).filter(|&k| change[k] > 1e-9).map(|k| (k, weights[k].max(0.0) / change[k]));
            let goes = leaving.reduce(|least, other| if other.1 < least.1 { other } else { least });
            let is_done = comes.1 >= -TOLERANCE || basis.contains(&comes.0) || round == MAX_ROUNDS;
            match goes.filter(|_| !is_done) {
                Some((goes, _)) if self.is_solid(basis, goes, comes.0) => basis[goes] = comes.0,
                _ => return Some(std::array::from_fn(|k| (basis[k], weights[k].max(0.0)))),
            }
        }
        unreachable!("rounds are limited")
    }

    /// The candidate whose cost is furthest below its price, and how far it is above it.
    fn furthest_below(&mut self, prices: Vec4) -> (usize, f64) {
        let Candidates { x, y, z, costs, above, .. } = self;
        above.clear();
        let points = x.iter().zip(y.iter()).zip(z.iter()).zip(costs.iter());
        above.extend(points.map(|(((x, y), z), cost)| cost - (prices.x * x + prices.y * y + prices.z * z) - prices.w));
        let comes = least(above);
        if comes.1 < -TOLERANCE { comes } else { (0, -TOLERANCE) }
    }

    /// Whether a basis stays a tetrahedron when one comes in for another.
    fn is_solid(&self, mut basis: [usize; 4], goes: usize, comes: usize) -> bool {
        basis[goes] = comes;
        let [a, b, c, d] = basis.map(|index| self.point(index));
        (b - a).cross(c - a).dot(d - a).abs() > 1e3 * FLAT
    }
}

/// The least of some numbers and where it comes first; infinite if there are none.
fn least(numbers: &[f64]) -> (usize, f64) {
    const LANES: usize = 8;
    let lesser = |a: f64, b: f64| if b < a { b } else { a };
    let (chunks, rest) = numbers.as_chunks::<LANES>();
    let lanes = chunks
        .iter()
        .fold([f64::INFINITY; LANES], |least, chunk| std::array::from_fn(|lane| lesser(least[lane], chunk[lane])));
    let least = lanes.into_iter().chain(rest.iter().copied()).fold(f64::INFINITY, lesser);
    (numbers.iter().position(|&number| number == least).unwrap_or(0), least)
}
