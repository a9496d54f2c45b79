//! A database thinned: of steps that are nearly alike one stays, and nothing that could be asked for is lost.
//!
//! Reference: STRIDE 8.2, which wishes for it ("more steps in the database than strictly needed").
//!
//! 1. The steps on the hull of each Stride Space stay: without them queries would fall outside.
//! 2. The others are looked at in order of their takes, and stay unless a step that stays already is nearer than the
//!    limit by D_high, over all dimensions: two steps to one place may differ in how feet point and how long they
//!    take.
//!
//! A step and its mirror image are looked at in the same order in their spaces, so both stay or both go.
//!
//! Every step that goes leaves one within the limit, and no two that stay inside the hull are nearer than it. The steps
//! that stay are found in a grid over the three lengths: D_high is never smaller than the distance along one of them.

use super::query::N_HIGH;
use super::{CanonicalStep, DatabaseParts, HighWeights, StepDatabase, StepSpace};
use std::collections::{BTreeMap, HashMap, HashSet};
use surefoot_motion::Side;

/// How to prune.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PruneOptions {
    /// Steps nearer than this by D_high are alike. Positive; in metres of foot placement, which the weights of D_high
    /// put headings and times into: 0.1 is a foot placed 10 cm away, or turned by 19 degrees, or swung 0.33 s longer.
    /// Default 0.1.
    pub within: f64,
}

impl Default for PruneOptions {
    fn default() -> PruneOptions {
        PruneOptions { within: 0.1 }
    }
}

/// Removes steps that others stand for. The order of those that stay is kept.
pub fn prune_steps(database: &StepDatabase, options: &PruneOptions) -> StepDatabase {
    let mut stays = vec![false; database.steps().len()];
    for side in Side::BOTH {
        for step in kept_of(database.steps(), database.space(side), options.within) {
            stays[step] = true;
        }
    }
    let parts = database.parts();
    let steps = parts.steps.iter().zip(&stays).filter(|(_, stays)| **stays).map(|(step, _)| step.clone()).collect();
    let parts = DatabaseParts { steps, ..parts.clone() };
    StepDatabase::new(parts).expect("steps of both feet are left, none of them changed")
}

/// Indices of the steps of one space that stay.
fn kept_of(all: &[CanonicalStep], space: &StepSpace, within: f64) -> Vec<usize> {
    let delaunay = space.delaunay();
    if delaunay.dimension() < 3 {
        // Without a hull, any step may be at an end of the space.
        return space.steps().to_vec();
    }
    let on_hull: HashSet<usize> = delaunay.hull_vertices().into_iter().map(|vertex| space.step_of(vertex)).collect();
    let mut order: Vec<usize> = space.steps().to_vec();
    let mut takes: BTreeMap<&str, usize> = BTreeMap::new();
    for step in all {
        let n_takes = takes.len();
        takes.entry(&step.source.take).or_insert(n_takes);
    }
    order.sort_by_key(|&index| {
        let source = &all[index].source;
        (!on_hull.contains(&index), takes[&*source.take], source.frames.start, index)
    });
    let mut kept = KeptSteps::new(within);
    for index in order {
        if on_hull.contains(&index) || !kept.has_alike(&all[index]) {
            kept.add(index, &all[index]);
        }
    }
    kept.steps.into_iter().map(|(index, _)| index).collect()
}

/// The steps that stay so far, by the cell of their three lengths.
struct KeptSteps {
    within: f64,
    weights: HighWeights,
    steps: Vec<(usize, [f64; N_HIGH])>,
    cells: HashMap<[i64; 3], Vec<usize>>,
}

impl KeptSteps {
    fn new(within: f64) -> KeptSteps {
        KeptSteps { within, weights: HighWeights::default(), steps: Vec::new(), cells: HashMap::new() }
    }

    fn cell(&self, high: &[f64; N_HIGH]) -> [i64; 3] {
        let size = (self.within / self.weights.location).max(1e-6);
        [high[0], high[1], high[2]].map(|length| (length / size).floor() as i64)
    }

    fn add(&mut self, index: usize, step: &CanonicalStep) {
        let high = step.high();
        self.cells.entry(self.cell(&high)).or_default().push(self.steps.len());
        self.steps.push((index, high));
    }

    fn has_alike(&self, step: &CanonicalStep) -> bool {
        let high = step.high();
        let [x, y, z] = self.cell(&high);
        let around = (-1..=1).flat_map(|i| (-1..=1).flat_map(move |j| (-1..=1).map(move |k| [x + i, y + j, z + k])));
        let near = around.filter_map(|cell| self.cells.get(&cell)).flatten();
        near.into_iter().any(|&number| self.weights.distance_between(&self.steps[number].1, &high) < self.within)
    }
}

#[cfg(test)]
mod tests {
    use super::super::analyze::tests::{database_of, step_at};
    use super::*;
    use surefoot_geom::Vec3;

    /// A grid of steps with near-duplicates around each, and eight far out that span the hull.
    fn crowded() -> StepDatabase {
        let mut steps = Vec::new();
        for side in Side::BOTH {
            for k in 0..8 {
                let outer =
                    Vec3::select([k & 1 > 0, k & 2 > 0, k & 4 > 0].into(), Vec3::ONE, Vec3::new(0.05, -1.0, -1.0));
                steps.push(step_at(side, outer, k, side == Side::Right));
            }
            for k in 0..3 * 27 {
                let cell = k / 3;
                let centre = Vec3::new(0.2, -0.3, -0.3)
                    + Vec3::new(f64::from(cell % 3), f64::from(cell / 3 % 3), f64::from(cell / 9)) * 0.3;
                let noise = Vec3::new(0.011, 0.007, -0.013) * f64::from(k % 3);
                steps.push(step_at(side, centre + noise, 10 * (k as usize + 1), side == Side::Right));
            }
        }
        database_of(steps)
    }

    #[test]
    fn near_duplicates_go_and_the_hull_stays() {
        let database = crowded();
        let options = PruneOptions { within: 0.07 };
        let pruned = prune_steps(&database, &options);
        assert_eq!(pruned.steps().len(), 2 * (8 + 27));
        let weights = HighWeights::default();
        for side in Side::BOTH {
            let [before, after] = [&database, &pruned].map(|database| database.space(side).delaunay().hull_volume());
            assert!((before - after).abs() < 1e-12, "{before} {after}");
            // Each step that went left one within the limit.
            for &step in database.space(side).steps() {
                let high = database.steps()[step].high();
                let mut kept = pruned.space(side).steps().iter().map(|&kept| pruned.steps()[kept].high());
                assert!(kept.any(|kept| weights.distance_between(&kept, &high) < options.within));
            }
        }
        // Mirror images go together.
        assert_eq!(pruned.space(Side::Left).steps().len(), pruned.space(Side::Right).steps().len());
    }

    #[test]
    fn nothing_goes_where_no_two_are_alike() {
        let database = crowded();
        assert_eq!(prune_steps(&database, &PruneOptions { within: 1e-4 }).steps(), database.steps());
        let twice = prune_steps(&prune_steps(&database, &PruneOptions::default()), &PruneOptions::default());
        assert_eq!(twice.steps(), prune_steps(&database, &PruneOptions::default()).steps());
    }
}
