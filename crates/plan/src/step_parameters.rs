//! The three parameters of a walking step (STRIDE 3.2): where the swinging foot starts and ends, seen from the standing foot.
//!
//! ```text
//!            to                x points from the standing foot to where the swinging one starts; z is square to it,
//!        o                     forward where the feet start side by side
//!        |  end_length
//!        |
//!  sup O-+--------o from       start_width = |from - sup|, end_width = to . x, end_length = to . z
//! ```
//!
//! We give the start its length without the paper's sign, which only gives the side.

use surefoot_contact::FootPlan;
use surefoot_geom::Range;
use surefoot_geom::Vec3;
use surefoot_motion::Side;

/// A step as step databases see it, lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepParameters {
    /// The foot that steps.
    pub swing: Side,
    /// Distance of the feet at its start.
    pub start_width: f64,
    /// Where it ends, in the direction in which it started: negative beyond the standing foot.
    pub end_width: f64,
    /// Where it ends, square to that: forward where the feet started side by side, and outward where the foot came from behind.
    pub end_length: f64,
}

impl StepParameters {
    /// All steps of a plan.
    pub fn of_plan(plan: &FootPlan) -> Vec<StepParameters> {
        let steps = (2..plan.footprints.len()).filter_map(|index| {
            let (to, standing) = (&plan.footprints[index], &plan.footprints[index - 1]);
            let from = plan.previous_of_side(index)?;
            let [from, end] = [from, to].map(|print| print.position - standing.position);
            Some(StepParameters::from_places(to.side, from, end))
        });
        steps.collect()
    }

    /// Of places relative to the standing foot.
    pub fn from_places(swing: Side, from: Vec3, to: Vec3) -> StepParameters {
        let p = parameters_of(swing, from, to);
        StepParameters { swing, start_width: p.x, end_width: p.y, end_length: p.z }
    }

    /// The point in the space of all steps of one side, STRIDE's S_low: start width, end width, end length.
    pub fn point(&self) -> Vec3 {
        Vec3::new(self.start_width, self.end_width, self.end_length)
    }

    /// Of a body that is larger by a factor.
    pub fn scaled(self, by: f64) -> StepParameters {
        let StepParameters { swing, start_width, end_width, end_length } = self;
        StepParameters { swing, start_width: by * start_width, end_width: by * end_width, end_length: by * end_length }
    }

    /// Distance of the feet at its end.
    pub fn reach(&self) -> f64 {
        self.end_width.hypot(self.end_length)
    }
}

/// Start width, end width and end length, from places relative to the standing foot.
pub fn parameters_of(swing: Side, from: Vec3, to: Vec3) -> Vec3 {
    let x = Vec3::new(from.x, 0.0, from.z).try_normalize().unwrap_or(Vec3::X);
    let forward = x.cross(Vec3::Y);
    let z = match swing {
        Side::Left => forward,
        Side::Right => -forward,
    };
    Vec3::new(from.dot(x), to.dot(x), to.dot(z))
}

/// What steps there are, over the parameters of a database.
#[derive(Clone, Debug, PartialEq)]
pub struct StepCoverage {
    /// How many.
    pub n_steps: usize,
    /// Those of the left foot.
    pub n_left: usize,
    /// Least and largest distance of the feet at the start.
    pub start_width: Range,
    /// Least and largest end in the direction of the start.
    pub end_width: Range,
    /// Least and largest end square to it.
    pub end_length: Range,
    /// Counts of the three in bins of [`StepCoverage::BIN`]: the lower end of each bin and how many are in it, without gaps.
    pub counts: [Vec<(f64, usize)>; 3],
}

impl StepCoverage {
    /// Width of a bin, in metres.
    pub const BIN: f64 = 0.2;

    /// Of some steps; `None` of no steps.
    pub fn of(steps: &[StepParameters]) -> Option<StepCoverage> {
        let of = |value: fn(&StepParameters) -> f64| {
            let values: Vec<f64> = steps.iter().map(value).collect();
            let min = values.iter().copied().reduce(f64::min)?;
            let max = values.iter().copied().reduce(f64::max)?;
            let bin = |value: f64| (value / StepCoverage::BIN).floor();
            let bins = bin(min) as i64..=bin(max) as i64;
            let count = |index: i64| values.iter().filter(|&&value| bin(value) as i64 == index).count();
            let counts = bins.map(|index| (index as f64 * StepCoverage::BIN, count(index))).collect();
            Some((Range { min, max }, counts))
        };
        let (start_width, starts) = of(|step| step.start_width)?;
        let (end_width, widths) = of(|step| step.end_width)?;
        let (end_length, lengths) = of(|step| step.end_length)?;
        Some(StepCoverage {
            n_steps: steps.len(),
            n_left: steps.iter().filter(|step| step.swing == Side::Left).count(),
            start_width,
            end_width,
            end_length,
            counts: [starts, widths, lengths],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::Footprint;

    fn print(side: Side, x: f64, z: f64) -> Footprint {
        Footprint::at(side, Vec3::new(x, 0.0, z))
    }

    /// Parameters of the last step, rounded to millimetres.
    fn last(prints: &[(Side, f64, f64)]) -> [f64; 3] {
        let footprints = prints.iter().map(|&(side, x, z)| print(side, x, z)).collect();
        let steps = StepParameters::of_plan(&FootPlan { footprints });
        let step = steps.last().expect("a step");
        [step.start_width, step.end_width, step.end_length].map(|v| (v * 1000.0).round() / 1000.0)
    }

    #[test]
    fn a_step_from_standing_is_as_wide_and_as_long_as_it_looks() {
        let (l, r) = (Side::Left, Side::Right);
        assert_eq!(last(&[(l, 0.1, 0.0), (r, -0.1, 0.0), (l, 0.15, 0.6)]), [0.2, 0.25, 0.6]);
        // The mirror image is the same.
        assert_eq!(last(&[(r, -0.1, 0.0), (l, 0.1, 0.0), (r, -0.15, 0.6)]), [0.2, 0.25, 0.6]);
        assert_eq!(last(&[(l, 0.1, 0.0), (r, -0.1, 0.0), (l, 0.1, -0.4)]), [0.2, 0.2, -0.4]);
    }

    #[test]
    fn a_step_in_full_walk_ends_beyond_the_standing_foot() {
        let (l, r) = (Side::Left, Side::Right);
        // On a line: from 0.7 m behind to 0.7 m in front.
        assert_eq!(last(&[(r, 0.0, -0.7), (l, 0.0, 0.0), (r, 0.0, 0.7)]), [0.7, -0.7, 0.0]);
        assert_eq!(last(&[(l, 0.0, -0.7), (r, 0.0, 0.0), (l, 0.2, 0.7)]), [0.7, -0.7, 0.2]);
    }

    #[test]
    fn coverage_counts_every_step_in_each_parameter() {
        assert_eq!(StepCoverage::of(&[]), None);
        let step = |end_length| StepParameters { swing: Side::Left, start_width: 0.1, end_width: 0.1, end_length };
        let coverage = StepCoverage::of(&[step(-0.1), step(0.3), step(0.31)]).expect("steps");
        assert_eq!((coverage.n_steps, coverage.n_left), (3, 3));
        assert_eq!(coverage.end_length, Range { min: -0.1, max: 0.31 });
        let counts: Vec<usize> = coverage.counts[2].iter().map(|&(_, count)| count).collect();
        assert_eq!(counts, [1, 0, 2]);
    }
}
