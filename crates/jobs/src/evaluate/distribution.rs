//! Many values in a few numbers: means hide the clip that fails.

use surefoot_contact::metrics::quantile;

/// Which values are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Errors and ratios: the worst is the largest, nine in ten are below p90.
    Small,
    /// Distances to keep: the worst is the smallest, nine in ten are above p90.
    Large,
}

/// The values of clips, or of footprints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distribution {
    /// How many there are.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// Half of them are better.
    pub median: f64,
    /// Nine in ten are better.
    pub p90: f64,
    /// None is worse.
    pub worst: f64,
}

impl Distribution {
    /// Of finite values; `None` where there is none.
    pub fn of(values: &[f64], better: Better) -> Option<Distribution> {
        let finite: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
        let at = |share: f64| quantile(&finite, if better == Better::Small { share } else { 1.0 - share });
        Some(Distribution {
            n: finite.len(),
            mean: finite.iter().sum::<f64>() / finite.len().max(1) as f64,
            median: at(0.5)?,
            p90: at(0.9)?,
            worst: at(1.0)?,
        })
    }
}

/// The share of finite values that are at least as good as a target; `None` where there is none.
pub fn share_meeting(values: &[f64], target: f64, better: Better) -> Option<f64> {
    let finite = || values.iter().filter(|value| value.is_finite());
    let is_met = |value: &&f64| if better == Better::Small { **value <= target } else { **value >= target };
    (finite().count() > 0).then(|| finite().filter(is_met).count() as f64 / finite().count() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_is_on_the_side_that_is_not_better() {
        let values = [3.0, 1.0, f64::NAN, 2.0, 5.0, 4.0];
        let small = Distribution::of(&values, Better::Small).expect("values");
        assert_eq!((small.n, small.mean, small.median, small.worst), (5, 3.0, 3.0, 5.0));
        assert!((small.p90 - 4.6).abs() < 1e-12, "{small:?}");
        let large = Distribution::of(&values, Better::Large).expect("values");
        assert!((large.worst, large.median) == (1.0, 3.0) && (large.p90 - 1.4).abs() < 1e-12, "{large:?}");
        assert_eq!(share_meeting(&values, 2.0, Better::Small), Some(0.4));
        assert_eq!(share_meeting(&values, 2.0, Better::Large), Some(0.8));
        assert_eq!(Distribution::of(&[f64::NAN], Better::Small), None);
        assert_eq!(share_meeting(&[], 1.0, Better::Small), None);
    }
}
