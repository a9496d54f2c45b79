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
//! 3. Until no candidate is below its price. One with which the basis would be flat is passed over for the next.
//!
//! Steps that are alike, as in a corpus, make flat Delaunay tetrahedra, which have no inverse; then four far points with the
//! highest of costs are the first basis.
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
const FLAT: f64 = 1e-9;
/// Candidates that are passed over in a round because the basis would be flat with them.
const MAX_FLAT: usize = 64;
/// How far the first basis is around a query whose tetrahedron is flat, in metres, what its candidates cost, and how much of them may be
/// left in the end.
const FAR: f64 = 1.0;
const FAR_COST: f64 = 1e3;
const ROUNDING: f64 = 1e-6;

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
    /// `None` if nothing but flat tetrahedra spans it.
    pub(super) fn span_query(&mut self, q: Vec3) -> Option<[(usize, f64); 4]> {
        let mut basis = [0, 1, 2, 3];
        let n = self.steps.len();
        if !self.is_solid(basis) {
            basis = self.push_far(q);
        }
        for round in 0.. {
            let column = |index: usize| self.point(index).extend(1.0);
            let inverse =
                Mat4::from_cols(column(basis[0]), column(basis[1]), column(basis[2]), column(basis[3])).inverse();
            let weights = inverse * q.extend(1.0);
            let prices = inverse.transpose() * Vec4::from_array(basis.map(|index| self.costs[index]));
            self.price(prices);
            match self.exchange(basis, inverse, weights).filter(|_| round < MAX_ROUNDS) {
                Some(next) => basis = next,
                None => {
                    let weights: [f64; 4] = std::array::from_fn(|k| weights[k].max(0.0));
                    let is_far = |k: &usize| basis[*k] >= n;
                    let found = (0..4).filter(is_far).all(|k| weights[k] < ROUNDING);
                    // What is left of a far one is rounding, and belongs to any of the steps.
                    let step = (0..4).find(|k| !is_far(k))?;
                    let of = |k: usize| if is_far(&k) { (basis[step], 0.0) } else { (basis[k], weights[k]) };
                    return found.then(|| std::array::from_fn(of));
                }
            }
        }
        unreachable!("rounds are limited")
    }

    /// Four candidates far around the query, dearer than any step: a first basis where the tetrahedron around it is flat, as many are
    /// in a database of steps that are alike.
    fn push_far(&mut self, q: Vec3) -> [usize; 4] {
        let n = self.steps.len();
        for corner in [Vec3::ONE, Vec3::new(1.0, -1.0, -1.0), Vec3::new(-1.0, 1.0, -1.0), Vec3::new(-1.0, -1.0, 1.0)] {
            self.push(usize::MAX, q + FAR * corner, FAR_COST, FAR_COST);
        }
        std::array::from_fn(|k| n + k)
    }

    /// How far each candidate is above its price.
    fn price(&mut self, prices: Vec4) {
        let Candidates { x, y, z, costs, above, .. } = self;
        above.clear();
        let points = x.iter().zip(y.iter()).zip(z.iter()).zip(costs.iter());
        above.extend(points.map(|(((x, y), z), cost)| cost - (prices.x * x + prices.y * y + prices.z * z) - prices.w));
    }

    /// The basis with the candidate in it whose cost is furthest below its price, and which leaves it a tetrahedron; `None` if no cost
    /// is below.
    fn exchange(&mut self, basis: [usize; 4], inverse: Mat4, weights: Vec4) -> Option<[usize; 4]> {
        for _ in 0..MAX_FLAT {
            let (comes, above) = least(&self.above);
            if above >= -TOLERANCE {
                return None;
            }
            let change = inverse * self.point(comes).extend(1.0);
            let leaving = (0..4).filter(|&k| change[k] > 1e-9).map(|k| (k, weights[k].max(0.0) / change[k]));
            let goes = leaving.reduce(|least, other| if other.1 < least.1 { other } else { least });
            let next = goes.map(|(goes, _)| std::array::from_fn(|k| if k == goes { comes } else { basis[k] }));
            if let Some(next) = next.filter(|next| !basis.contains(&comes) && self.is_solid(*next)) {
                return Some(next);
            }
            self.above[comes] = f64::INFINITY;
        }
        None
    }

    /// Whether a basis is a tetrahedron, and not flat.
    fn is_solid(&self, basis: [usize; 4]) -> bool {
        let [a, b, c, d] = basis.map(|index| self.point(index));
        (b - a).cross(c - a).dot(d - a).abs() > FLAT
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

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(points: &[(Vec3, f64)]) -> Candidates {
        let mut candidates = Candidates::default();
        points.iter().enumerate().for_each(|(step, (point, cost))| candidates.push(step, *point, *cost, *cost));
        candidates
    }

    /// The steps of an answer with their weights, and the point that they make.
    fn spanned(points: &[(Vec3, f64)], q: Vec3) -> (Vec<(usize, f64)>, f64) {
        let found = candidates(points).span_query(q).expect("steps span it");
        let made = found.iter().map(|&(step, weight)| points[step].0 * weight).sum::<Vec3>();
        (found.into_iter().filter(|(_, weight)| *weight > 1e-9).collect(), made.distance(q))
    }

    /// Around the origin.
    const TETRAHEDRON: [Vec3; 4] =
        [Vec3::ONE, Vec3::new(1.0, -1.0, -1.0), Vec3::new(-1.0, 1.0, -1.0), Vec3::new(-1.0, -1.0, 1.0)];

    #[test]
    fn four_near_ones_take_the_places_of_four_that_only_span() {
        let near = TETRAHEDRON.map(|corner| (0.5 * corner, 0.1));
        let points: Vec<(Vec3, f64)> = TETRAHEDRON.into_iter().map(|corner| (corner, 1.0)).chain(near).collect();
        let (steps, off) = spanned(&points, Vec3::new(0.1, 0.0, 0.0));
        assert!(off < 1e-9 && steps.iter().all(|(step, _)| *step >= 4), "{steps:?} {off}");
    }

    /// Steps of a straight walk differ by rounding alone. The tetrahedron around one is flat, and what would come in makes flat ones.
    #[test]
    fn a_step_that_is_the_query_itself_is_found_among_steps_that_are_alike() {
        let jitter = |k: usize| Vec3::new(0.0, 1e-9 * (k % 3) as f64, 1e-9 * (k % 5) as f64);
        let alike = (0..12).map(|k| (jitter(k) + Vec3::Z * 1e-9 * k as f64, if k == 7 { 0.0 } else { 1.0 }));
        let around = TETRAHEDRON.map(|corner| (corner, 2.0));
        let q = jitter(7) + Vec3::Z * 7e-9;
        for points in [alike.clone().chain(around).collect::<Vec<_>>(), around.into_iter().chain(alike).collect()] {
            let (steps, off) = spanned(&points, q);
            let own = points.iter().position(|(_, cost)| *cost == 0.0).unwrap();
            assert!(off < 1e-6, "{off}");
            assert!(steps.iter().any(|(step, weight)| *step == own && *weight > 0.99), "{steps:?}");
        }
    }

    #[test]
    fn what_flat_tetrahedra_alone_span_has_no_answer() {
        let flat: Vec<(Vec3, f64)> = TETRAHEDRON.iter().map(|corner| (corner.with_y(0.0), 1.0)).collect();
        assert_eq!(candidates(&flat).span_query(Vec3::Y), None);
    }
}
