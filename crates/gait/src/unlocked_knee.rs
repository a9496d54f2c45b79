//! Knees of legs in the air that would lock as their foot leaves or lands.
//!
//! A swing keeps the rates of the planted leg at both ends, so that nothing changes its rate within an instant. A leg that is nearly
//! straight extends fast as its foot leaves, and flexes fast as its foot has landed: the cubic of a swing would go through the straight knee, where
//! a guard stops it at once. So such a knee is brought to rest first, at an even acceleration:
//!
//! ```text
//!   knee |\                              /  rate at landing
//!        | \                            /
//!        |  `.__  cubic  ___________ .'
//!   LEAST|------o------------------o-------    o: the knot that is put in, 2 (knee - LEAST) / rate from the end
//!        +-----------------------------------> time
//! ```

use super::spline::{Knot, MAX_KNOTS, Spline};
use super::step::{Air, MIN_KNEE};

/// Least flexion of such a knee, in radians (4 degrees).
const LEAST: f64 = 2.0 * MIN_KNEE;
/// Largest part of the curve between two keyframes that bringing the knee to rest takes.
const LARGEST_SHARE: f64 = 0.7;
/// Times at which a knee is looked at between two keyframes.
const SAMPLES: usize = 8;

/// The curve with knees that come to rest before they lock, next to both of its ends.
pub(super) fn unlocked(air: Spline<Air>) -> Spline<Air> {
    let knots = air.knots();
    let n = knots.len();
    if n < 2 {
        return air;
    }
    let after_start = rest_near(&air, &knots[0], &knots[1]);
    let before_end = rest_near(&air, &knots[n - 1], &knots[n - 2]);
    if (after_start.is_none() && before_end.is_none()) || n + 2 > MAX_KNOTS {
        return air;
    }
    let mut all = [knots[0]; MAX_KNOTS];
    let mut count = 0;
    let inner = knots[..n - 1].iter().copied();
    let first = inner.clone().take(1).chain(after_start).chain(inner.skip(1));
    for knot in first.chain(before_end).chain([knots[n - 1]]) {
        all[count] = knot;
        count += 1;
    }
    Spline::through(&all[..count])
}

/// Where the knee comes to rest near an end of the curve, if it would lock between that end and the next keyframe.
fn rest_near(air: &Spline<Air>, end: &Knot<Air>, next: &Knot<Air>) -> Option<Knot<Air>> {
    let gap = next.time - end.time;
    // How fast the knee extends on the way from the end.
    let extends = -end.rate.leg.knee * gap.signum();
    let knee_at = |share: f64| air.at(end.time + share * gap).leg.knee;
    let locks = || (1..SAMPLES).any(|sample| knee_at(sample as f64 / SAMPLES as f64) < LEAST);
    if extends <= 0.0 || end.value.leg.knee <= LEAST || !locks() {
        return None;
    }
    let seconds = (2.0 * (end.value.leg.knee - LEAST) / extends).min(LARGEST_SHARE * gap.abs());
    let time = end.time + seconds * gap.signum();
    let (mut value, mut rate) = (air.at(time), air.rate(time));
    (value.leg.knee, rate.leg.knee) = (LEAST, 0.0);
    Some(Knot { time, value, rate })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leg::LegAngles;

    fn knot(time: f64, knee: f64, rate: f64) -> Knot<Air> {
        let of = |knee: f64| Air { leg: LegAngles { knee, ..LegAngles::default() }, ..Air::default() };
        Knot { time, value: of(knee), rate: of(rate) }
    }

    #[test]
    fn a_knee_rests_before_it_locks_and_keeps_its_rates_at_both_ends() {
        let locking = Spline::through(&[knot(0.1, 0.2, -12.0), knot(0.3, 1.0, 0.0), knot(0.6, 0.25, 14.0)]);
        let air = unlocked(locking);
        assert_eq!(air.knots().len(), 5);
        for time in [0.1, 0.3, 0.6] {
            assert!((air.at(time).leg.knee - locking.at(time).leg.knee).abs() < 1e-12);
            assert!((air.rate(time).leg.knee - locking.rate(time).leg.knee).abs() < 1e-9);
        }
        let least = (0..=500).map(|n| air.at(0.1 + 0.001 * f64::from(n)).leg.knee).fold(f64::INFINITY, f64::min);
        assert!((LEAST - 1e-9..LEAST + 1e-2).contains(&least), "{least}");
    }

    #[test]
    fn a_knee_that_does_not_lock_is_left_alone() {
        let free = Spline::through(&[knot(0.0, 0.5, -1.0), knot(0.2, 1.5, 0.0), knot(0.4, 0.4, 1.0)]);
        assert_eq!(unlocked(free), free);
    }
}
