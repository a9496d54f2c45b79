//! The times that a plan asks of one step, however the plan writes them.
//!
//! A footprint gives absolute times (`land`, `leave`) or relative ones (`swing`, `support`). Synthesizers see neither: they
//! see the [`StepTiming`] of each step, so that one plan means the same to all of them.
//!
//! ```text
//!  other foot  ______________
//!                            leave             overlap = leave(other) - land:  > 0 double support, < 0 flight
//!  this foot   ____                 _________
//!             leave    swing       land
//! ```

use crate::jump_pattern::lands_together;
use surefoot_contact::Footprint;

/// What happens where a foot lands: both feet are planted for a while, or none was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Overlap {
    /// Seconds of double support from the landing on; above 0.
    Support(f64),
    /// The other foot had left before the landing: seconds in the air with both, or `None` where only that is known.
    Flight(Option<f64>),
}

/// Soft targets of the step to a footprint, in seconds; what is `None` is left to the synthesizer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepTiming {
    /// From the foot's leaving to its landing.
    pub swing: Option<f64>,
    /// What the landing finds of the other foot.
    pub overlap: Option<Overlap>,
    /// From the landing before to this one, where both are absolute.
    pub interval: Option<f64>,
    /// It lands together with the footprint before it ([`lands_together`]); the overlap is then what both feet are
    /// planted for.
    pub together: bool,
}

impl StepTiming {
    /// Double support after landing; 0 for a flight, `None` if nothing is asked for.
    pub fn support(&self) -> Option<f64> {
        self.overlap.map(|overlap| match overlap {
            Overlap::Support(seconds) => seconds,
            Overlap::Flight(_) => 0.0,
        })
    }

    /// Whether the landing ends a flight.
    pub fn is_flight(&self) -> bool {
        self.together || matches!(self.overlap, Some(Overlap::Flight(_)))
    }
}

/// The timing of the step to footprint `index` of `prints`; later footprints are not looked at.
pub fn step_timing(prints: &[Footprint], index: usize) -> StepTiming {
    timing_after(&prints[..index], &prints[index])
}

/// The same of a footprint and those before it, of which the last is the one before.
pub fn timing_after(before: &[Footprint], print: &Footprint) -> StepTiming {
    let own = before.iter().rev().find(|other| other.side == print.side);
    let other = before.iter().rev().find(|other| other.side != print.side);
    let between = |from: Option<f64>, to: Option<f64>| Some(to? - from?);
    let swing = print.swing.or_else(|| between(own.and_then(|own| own.leave), print.land));
    let absolute = || between(print.land, other.and_then(|other| other.leave));
    let overlap = match (print.support, absolute()) {
        (Some(support), _) if support > 0.0 => Some(Overlap::Support(support)),
        (Some(_), _) => Some(Overlap::Flight(None)),
        (None, Some(seconds)) if seconds > 0.0 => Some(Overlap::Support(seconds)),
        (None, Some(seconds)) => Some(Overlap::Flight(Some(-seconds))),
        (None, None) => None,
    };
    let interval = between(before.last().and_then(|last| last.land), print.land).filter(|interval| *interval >= 0.0);
    StepTiming { swing, overlap, interval, together: lands_together(before, print) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_geom::Vec3;
    use surefoot_motion::Side;

    fn print(side: Side, land: Option<f64>, leave: Option<f64>) -> Footprint {
        Footprint { land, leave, ..Footprint::at(side, Vec3::ZERO) }
    }

    #[test]
    fn absolute_times_become_swing_and_support() {
        let prints = [
            print(Side::Left, None, Some(0.5)),
            print(Side::Right, None, Some(1.1)),
            print(Side::Left, Some(0.9), Some(1.6)),
        ];
        let timing = step_timing(&prints, 2);
        assert!((timing.swing.expect("a swing") - 0.4).abs() < 1e-12);
        assert!((timing.support().expect("a support") - 0.2).abs() < 1e-12);
        assert!(!timing.is_flight());
    }

    #[test]
    fn a_gap_between_stances_is_a_flight_and_so_is_support_0() {
        let prints = [
            print(Side::Left, Some(0.0), Some(0.5)),
            print(Side::Right, Some(0.4), Some(0.8)),
            print(Side::Left, Some(0.9), None),
        ];
        let timing = step_timing(&prints, 2);
        assert!(matches!(timing.overlap, Some(Overlap::Flight(Some(air))) if (air - 0.1).abs() < 1e-12));
        assert!((timing.interval.expect("both land") - 0.5).abs() < 1e-12);
        let mut relative = prints.map(|print| Footprint { land: None, leave: None, ..print });
        relative[2].support = Some(0.0);
        assert_eq!(step_timing(&relative, 2).overlap, Some(Overlap::Flight(None)));
        relative[2].support = None;
        assert_eq!(step_timing(&relative, 2), StepTiming::default());
    }
}
