//! A database thinned: of steps that are nearly alike one stays, and nothing that could be asked for is lost.
//!
//! Reference: STRIDE 8.2, which wishes for it ("more steps in the database than strictly needed").
//!
//! 1. The steps on the hull of each Stride Space stay: without them queries would fall outside.
//! 2. The others are looked at in order of their takes, and stay unless a step that stays already is nearer than the
//!    limit by D_high, over all dimensions: two steps to one place may differ in how feet point and how long they
//!    take. It has to be of the same person, unless anybody's will do ([`StandsFor`]).
//!
//! A step and its mirror image are looked at in the same order in their spaces, so both stay or both go.
//!
//! Every step that goes leaves one within the limit, and no two of a person that stay inside the hull are nearer than it. The steps
//! that stay are found in a grid over the three lengths: D_high is never smaller than the distance along one of them.
//!
//! So dense places are thinned, and sparse ones stay as they are. [`prune_to`] finds the limit for a size: the denser the
//! database, the more goes before the largest gap grows.

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
    /// For whose steps another may stand. Default [`StandsFor::SamePerson`].
    pub stands_for: StandsFor,
}

/// For whose steps another may stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StandsFor {
    /// Those of the same person: everybody stays as well known as they can be. With a quarter of the steps of the CMU walks,
    /// joints of walks are 7 % nearer to unseen recordings than with [`StandsFor::Anybody`].
    #[default]
    SamePerson,
    /// Anybody's.
    Anybody,
}

impl Default for PruneOptions {
    fn default() -> PruneOptions {
        PruneOptions { within: 0.1, stands_for: StandsFor::default() }
    }
}

/// A thinned database, and what that cost.
#[derive(Clone, Debug)]
pub struct PrunedSteps {
    /// What is left.
    pub database: StepDatabase,
    /// Steps nearer than this by D_high were alike.
    pub within: f64,
    /// The largest distance by D_high of a step that went from the nearest that stays; 0 if none went.
    pub largest_gap: f64,
    /// The mean of these distances.
    pub mean_gap: f64,
}

/// Removes steps that others stand for. The order of those that stay is kept.
pub fn prune_steps(database: &StepDatabase, options: &PruneOptions) -> StepDatabase {
    remaining(database, &kept(database, options))
}

/// The same, and what it cost.
pub fn prune_within(database: &StepDatabase, options: &PruneOptions) -> PrunedSteps {
    measured(database, &kept(database, options), options.within)
}

/// Removes so many steps that no more than a number of them are left, where they are densest: the limit under which steps are
/// alike is the smallest that does, 0 if nothing has to go. The hulls stay, and may have more steps than that.
pub fn prune_to(database: &StepDatabase, n_steps: usize, stands_for: StandsFor) -> PrunedSteps {
    let count =
        |within: f64| kept(database, &PruneOptions { within, stands_for }).iter().filter(|stays| **stays).count();
    // What stays in any case is as far as one can go.
    let n_steps = n_steps.max(count(MAX_WITHIN));
    let (mut low, mut high) = (0.0, MAX_WITHIN);
    if count(MIN_WITHIN) <= n_steps {
        high = MIN_WITHIN;
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if middle >= MIN_WITHIN && count(middle) <= n_steps { high = middle } else { low = middle }
    }
    let within = if database.steps().len() <= n_steps { 0.0 } else { high };
    let stays = match within > 0.0 {
        true => kept(database, &PruneOptions { within, stands_for }),
        false => vec![true; database.steps().len()],
    };
    measured(database, &stays, within)
}

fn measured(database: &StepDatabase, stays: &[bool], within: f64) -> PrunedSteps {
    let gaps = gaps(database, stays);
    PrunedSteps {
        database: remaining(database, stays),
        within,
        largest_gap: gaps.iter().copied().fold(0.0, f64::max),
        mean_gap: gaps.iter().sum::<f64>() / gaps.len().max(1) as f64,
    }
}

/// Limits between which [`prune_to`] looks, and how often it halves what is between.
const MIN_WITHIN: f64 = 1e-4;
const MAX_WITHIN: f64 = 3.0;
const HALVINGS: usize = 16;

fn remaining(database: &StepDatabase, stays: &[bool]) -> StepDatabase {
    let parts = database.parts();
    let steps = parts.steps.iter().zip(stays).filter(|(_, stays)| **stays).map(|(step, _)| step.clone()).collect();
    let parts = DatabaseParts { steps, ..parts.clone() };
    StepDatabase::new(parts).expect("steps of both feet are left, none of them changed")
}

/// Which steps stay.
fn kept(database: &StepDatabase, options: &PruneOptions) -> Vec<bool> {
    let mut stays = vec![false; database.steps().len()];
    for side in Side::BOTH {
        for step in kept_of(database.steps(), database.space(side), options) {
            stays[step] = true;
        }
    }
    stays
}

/// How far each step that goes is from the nearest of its foot that stays, by D_high.
fn gaps(database: &StepDatabase, stays: &[bool]) -> Vec<f64> {
    let (steps, weights) = (database.steps(), HighWeights::default());
    let mut gaps = Vec::new();
    for side in Side::BOTH {
        let (kept, gone): (Vec<usize>, Vec<usize>) =
            database.space(side).steps().iter().partition(|step| stays[**step]);
        let kept: Vec<[f64; N_HIGH]> = kept.iter().map(|&step| steps[step].high()).collect();
        gaps.extend(gone.iter().map(|&step| {
            let high = steps[step].high();
            kept.iter().map(|kept| weights.distance_between(kept, &high)).fold(f64::INFINITY, f64::min)
        }));
    }
    gaps
}

/// Indices of the steps of one space that stay.
fn kept_of(all: &[CanonicalStep], space: &StepSpace, options: &PruneOptions) -> Vec<usize> {
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
    // The person does not count where anybody's step may stand for another.
    let person = |index: usize| match options.stands_for {
        StandsFor::Anybody => "",
        StandsFor::SamePerson => all[index].source.actor(),
    };
    let mut kept: HashMap<&str, KeptSteps> = HashMap::new();
    let mut stays = Vec::new();
    for index in order {
        let kept = kept.entry(person(index)).or_insert_with(|| KeptSteps::new(options.within));
        if on_hull.contains(&index) || !kept.has_alike(&all[index]) {
            kept.add(&all[index]);
            stays.push(index);
        }
    }
    stays
}

/// The steps that stay so far, by the cell of their three lengths.
struct KeptSteps {
    within: f64,
    weights: HighWeights,
    steps: Vec<[f64; N_HIGH]>,
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

    fn add(&mut self, step: &CanonicalStep) {
        let high = step.high();
        self.cells.entry(self.cell(&high)).or_default().push(self.steps.len());
        self.steps.push(high);
    }

    fn has_alike(&self, step: &CanonicalStep) -> bool {
        let high = step.high();
        let [x, y, z] = self.cell(&high);
        let around = (-1..=1).flat_map(|i| (-1..=1).flat_map(move |j| (-1..=1).map(move |k| [x + i, y + j, z + k])));
        let near = around.filter_map(|cell| self.cells.get(&cell)).flatten();
        near.into_iter().any(|&number| self.weights.distance_between(&self.steps[number], &high) < self.within)
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
        let options = PruneOptions { within: 0.07, ..PruneOptions::default() };
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
        assert_eq!(
            prune_steps(&database, &PruneOptions { within: 1e-4, ..PruneOptions::default() }).steps(),
            database.steps()
        );
        let twice = prune_steps(&prune_steps(&database, &PruneOptions::default()), &PruneOptions::default());
        assert_eq!(twice.steps(), prune_steps(&database, &PruneOptions::default()).steps());
    }

    #[test]
    fn a_size_is_reached_where_steps_are_dense_and_the_gap_is_measured() {
        let database = crowded();
        let n_steps = database.steps().len();
        // Two of each three that are nearly alike go, and no others.
        let third = prune_to(&database, 2 * (8 + 27), StandsFor::Anybody);
        assert_eq!(third.database.steps().len(), 2 * (8 + 27));
        assert!(third.largest_gap < third.within && third.within < 0.07, "{} {}", third.largest_gap, third.within);
        assert!(third.mean_gap > 0.0 && third.mean_gap <= third.largest_gap);
        let fewer = prune_to(&database, 40, StandsFor::Anybody);
        assert!(fewer.database.steps().len() <= 40 && fewer.largest_gap > 2.0 * third.largest_gap);
        let all = prune_to(&database, n_steps, StandsFor::Anybody);
        assert_eq!((all.database.steps().len(), all.largest_gap, all.within), (n_steps, 0.0, 0.0));
        // The hull stays, whatever is asked for.
        let least = prune_to(&database, 2, StandsFor::Anybody);
        assert_eq!(least.database.steps().len(), 2 * 8);
        assert!(least.within < MAX_WITHIN, "{}", least.within);
    }

    #[test]
    fn a_step_stands_for_those_of_its_person_alone_where_that_is_asked_for() {
        let mut steps = crowded().parts().steps.clone();
        let other = steps.clone().into_iter().map(|mut step| {
            step.source.take = "other_1".into();
            step
        });
        steps.extend(other.collect::<Vec<_>>());
        let both = database_of(steps);
        let count = |stands_for| {
            let pruned = prune_steps(&both, &PruneOptions { within: 0.07, stands_for });
            pruned.steps().iter().filter(|step| step.source.actor() == "other").count()
        };
        assert!(count(StandsFor::SamePerson) >= 2 * 27, "{}", count(StandsFor::SamePerson));
        assert!(count(StandsFor::Anybody) <= 2 * 8, "{}", count(StandsFor::Anybody));
    }
}
