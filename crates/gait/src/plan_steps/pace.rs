//! A path measured in steps: how long a step may be at each place of it.

use super::{MOST_RISE, MOST_TURN};
use surefoot_ground::TravelCurve;

/// The slope of the ground is that over this length, in metres: about a step.
const GRADE_REACH: f64 = 0.4;
/// Of the highest rise of a step, how much a steady slope may use.
const STEADY_RISE: f64 = 0.75;

/// How many steps lead to each point of a path. Between its points the heading changes evenly, and so does this.
pub(super) struct Pace<'a> {
    arcs: &'a [f64],
    steps: Vec<f64>,
}

impl Pace<'_> {
    /// Of a path over ground whose height is known along it.
    pub(super) fn new<'a>(
        curve: &'a TravelCurve,
        ground: Option<&dyn Fn(f64) -> f64>,
        full: f64,
        width: f64,
        height: f64,
    ) -> Pace<'a> {
        let (arcs, length) = (curve.arcs(), curve.length());
        let mut steps = vec![0.0];
        for (i, pair) in arcs.windows(2).enumerate() {
            let spacing = pair[1] - pair[0];
            let turn = (curve.heading(pair[1]) - curve.heading(pair[0])).abs();
            // The outer foot goes (R + w / 2) / R as far as the body, and as far as on a straight line at most.
            let mut taken = (spacing + 0.5 * width * turn) / full;
            if let Some(ground) = ground {
                let [low, high] = [-0.5, 0.5].map(|side| {
                    let arc = (pair[0].midpoint(pair[1]) + side * GRADE_REACH).clamp(0.0, length);
                    (arc, ground(arc))
                });
                let grade = (high.1 - low.1).abs() / (high.0 - low.0).max(1e-6);
                taken = taken.max(spacing * grade / (STEADY_RISE * MOST_RISE * height));
            }
            steps.push(steps[i] + taken.max(turn / MOST_TURN));
        }
        Pace { arcs, steps }
    }

    /// How many full steps the path is long.
    pub(super) fn n_steps(&self) -> f64 {
        self.steps[self.steps.len() - 1]
    }

    /// How far along the path each step leads, the last to the end: as many steps as cover it, alike in this measure but for the shares
    /// of a full one that they have if there are `n`.
    pub(super) fn arcs(&self, shares: impl Fn(usize) -> Vec<f64>) -> Vec<f64> {
        let total = self.n_steps();
        let mut n = (total.ceil() as usize).max(1);
        while shares(n).iter().sum::<f64>() < total - 1e-9 {
            n += 1;
        }
        let shares = shares(n);
        let stretch = total / shares.iter().sum::<f64>();
        let mut gone = 0.0;
        let mut arcs: Vec<f64> = shares
            .iter()
            .map(|share| {
                gone += stretch * share;
                self.arc(gone)
            })
            .collect();
        arcs[n - 1] = self.arcs[self.arcs.len() - 1];
        arcs
    }

    fn arc(&self, steps: f64) -> f64 {
        let next = self.steps.partition_point(|&at| at < steps).clamp(1, self.steps.len() - 1);
        let (low, high) = (self.steps[next - 1], self.steps[next]);
        let share = if high > low { ((steps - low) / (high - low)).clamp(0.0, 1.0) } else { 1.0 };
        self.arcs[next - 1] + (self.arcs[next] - self.arcs[next - 1]) * share
    }
}
