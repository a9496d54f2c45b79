//! The four steps that span a query and together resemble it most.
//!
//! Reference: STRIDE 8.2, which names what 5.1 leaves open: its set of blend candidates is underestimated, and candidates are judged one by one instead
//! of by their blend.
//!
//! Idea: of all ways to make the query, `sum w_i p_i = q` with `sum w_i = 1` and `w_i >= 0`, take the one with the lowest `sum w_i D_high(i)^power`.
//! That is a linear programme, so no more than four steps have a weight, as in a tetrahedron. If D_high were the distance in the
//! parameters alone and the power 2, its answer would be the Delaunay tetrahedron itself (its lifting to a paraboloid); with all nine
//! dimensions it is the tetrahedron of a triangulation that knows headings and times.
//!
//! 1. Begin with the Delaunay tetrahedron around the query: four steps and their weights, a basis.
//! 2. The simplex method: prices y with `y . (p_i, 1) = cost_i` for the four; the step whose cost is furthest below its price comes in,
//!    found in the tree without looking at every step ([`HighTree::cheapest`]); the one whose weight falls to 0 first goes out.
//! 3. Until no step is below its price.
//!
//! Far steps with little weight are paid for by the power: at 1 they are as good as near ones, the higher it is the nearer all four are.

use super::choose::WeightedStep;
use super::high_tree::HighTree;
use super::query::{HighWeights, StepQuery};
use surefoot_geom::{Mat4, Vec3, Vec4};

/// Rounds after which what has been found is taken. Twenty suffice for databases of thousands of steps.
const MAX_ROUNDS: usize = 60;
/// A cost this little below its price is rounding.
const TOLERANCE: f64 = 1e-10;

/// What the search needs to know of a step.
pub(super) struct Spanned<'a> {
    pub(super) tree: &'a HighTree,
    pub(super) query: &'a StepQuery,
    pub(super) weights: &'a HighWeights,
    pub(super) power: f64,
    /// Parameters of a step by its number in the tree.
    pub(super) point: &'a dyn Fn(u32) -> Vec3,
    /// D_high of a step by its number.
    pub(super) distance: &'a dyn Fn(u32) -> f64,
}

impl Spanned<'_> {
    /// The best four by their numbers, from four that span the query. The weights sum to 1 and are not negative.
    pub(super) fn best(&self, start: [u32; 4]) -> Option<[(u32, f64); 4]> {
        let mut numbers = start;
        let q = self.query.parameters.point().extend(1.0);
        let column = |number: u32| (self.point)(number).extend(1.0);
        let cost = |number: u32| (self.distance)(number).powf(self.power);
        let mut costs = numbers.map(cost);
        for _ in 0..MAX_ROUNDS {
            let basis = Mat4::from_cols(column(numbers[0]), column(numbers[1]), column(numbers[2]), column(numbers[3]));
            if basis.determinant().abs() < 1e-14 {
                return None;
            }
            let inverse = basis.inverse();
            let weights = inverse * q;
            let y = inverse.transpose() * Vec4::from_array(costs);
            let Some((comes, _)) = self.tree.cheapest(self.query, self.weights, self.power, y.to_array(), -TOLERANCE)
            else {
                return Some(std::array::from_fn(|k| (numbers[k], weights[k].max(0.0))));
            };
            if numbers.contains(&comes) {
                return Some(std::array::from_fn(|k| (numbers[k], weights[k].max(0.0))));
            }
            let change = inverse * column(comes);
            let mut goes: Option<(usize, f64)> = None;
            for k in (0..4).filter(|&k| change[k] > 1e-12) {
                let ratio = weights[k].max(0.0) / change[k];
                if goes.is_none_or(|(_, least)| ratio < least) {
                    goes = Some((k, ratio));
                }
            }
            let (goes, _) = goes?;
            numbers[goes] = comes;
            costs[goes] = cost(comes);
        }
        let basis = Mat4::from_cols(column(numbers[0]), column(numbers[1]), column(numbers[2]), column(numbers[3]));
        let weights = basis.inverse() * q;
        Some(std::array::from_fn(|k| (numbers[k], weights[k].max(0.0))))
    }
}

/// Steps instead of numbers, those with a weight.
pub(super) fn as_steps(found: [(u32, f64); 4], step_of: impl Fn(u32) -> usize) -> ([WeightedStep; 4], usize) {
    let mut parts = [WeightedStep::default(); 4];
    let mut n_parts = 0;
    let total: f64 = found.iter().map(|(_, weight)| weight).sum();
    for (number, weight) in found.into_iter().filter(|(_, weight)| *weight > 1e-12) {
        parts[n_parts] = WeightedStep { step: step_of(number), weight: weight / total };
        n_parts += 1;
    }
    (parts, n_parts)
}
