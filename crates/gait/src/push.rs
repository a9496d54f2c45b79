//! The height of the body over a running support, from the force of the ground on it.
//!
//! A body in the air falls with 1 g, and a foot can push but not pull. So the force of the ground, as an acceleration F, begins and
//! ends with nothing and is never negative in between; the body rises by F - g. With s from 0 at landing to 1 at toe-off:
//!
//! ```text
//!   F(s) = (1 - s) (F0 + s (B + C s)) + D s (1 - s) (1 - 5 s (1 - s))
//!
//!        F |    .--.             F0 is 0 after a flight, and g where both feet carried the body before.
//!          |  .'    `.           B and C make the body leave the ground where and as fast as its flight asks.
//!          | /        `.         D flattens or sharpens the push, by the bounciness; it changes neither end.
//!        0 +-----------`--> s      In slow runs, which hardly fly, a share of the weight is added throughout.
//! ```
//!
//! Where B + C s would be negative, which is where a body lands at the top of its flight, the push comes later or earlier
//! ([`late_or_early`]).
//!
//! [`Push::highest`] is how high the body may leave the ground for F to be none the less positive.

use super::spline::{Knot, MAX_KNOTS};
use surefoot_contact::check_frame_rate::GRAVITY;
use surefoot_geom::smoothstep;

/// After a flight, F stays positive while the mean height gained by it, q, is between 0.4 and 0.6 of its mean p (see
/// [`Push::new`]); kept a little inside.
const SHARES: (f64, f64) = (0.41, 0.59);
/// The same without that room.
const EVEN: (f64, f64) = (0.4, 0.6);
/// Furthest below nothing that B and B + C are, in g, before a force that changes evenly takes the place of F: for steps that no body
/// makes, such as those to a flight height that the leg does not reach.
const MOST_PULLED: f64 = 8.0;
/// How much of the room that F has above nothing the bounciness takes up.
const MOST_SHARPENED: f64 = 0.9;

/// The height at the start of a support, how fast it changes, and how long the support takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub(super) height: f64,
    pub(super) rate: f64,
    pub(super) seconds: f64,
}

/// What else carries the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Carried {
    /// Both feet before, until this one carries it alone.
    Before,
    /// This foot from its landing to toe-off, with a share of the weight: in slow runs, which hardly fly, a foot takes the weight at
    /// once.
    Through(f64),
}

impl Carried {
    /// By how much longer a support is than the flight after it.
    pub(super) fn of_times(support: f64, flight: f64) -> Carried {
        let longer = support / flight.max(1e-6);
        Carried::Through(smoothstep((longer - FLOWN.0) / (FLOWN.1 - FLOWN.0)))
    }
}

/// Supports as multiples of the flight after them from which on a foot takes a share of the weight at once, and all of it.
const FLOWN: (f64, f64) = (3.0, 9.0);

/// A push-off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Push {
    start: Start,
    /// F as a polynomial of s.
    force: [f64; 7],
}

impl Push {
    /// From a start to a height and a rate at the end.
    pub(super) fn new(start: Start, (height, rate): (f64, f64), carried: Carried, bounciness: f64) -> Push {
        let t = start.seconds;
        let (first, through) = match carried {
            Carried::Before => (GRAVITY, 0.0),
            Carried::Through(share) => (0.0, share * GRAVITY),
        };
        // The integrals of F and of (1 - s) F over the support.
        let p = (rate - start.rate) / t + GRAVITY;
        let q = (height - start.height - start.rate * t) / (t * t) + 0.5 * GRAVITY;
        // Less those of (1 - s) F0, they are B/6 + C/12 and B/12 + C/30.
        let mut through = through;
        let rests = |through: f64| (p - through - first / 2.0, q - through / 2.0 - first / 3.0);
        let (mut rest_p, mut rest_q) = rests(through);
        if rest_p <= 0.0 || !(EVEN.0..=EVEN.1).contains(&(rest_q / rest_p)) {
            // A foot that takes its weight at once would have to pull afterwards, or before.
            through = 0.0;
            (rest_p, rest_q) = rests(through);
            if let Some(force) = late_or_early(rest_p, rest_q) {
                return Push {
                    start,
                    force: std::array::from_fn(|n| force[n] + [first, -first].get(n).unwrap_or(&0.0)),
                };
            }
        }
        let (b, c) = (60.0 * rest_q - 24.0 * rest_p, 60.0 * rest_p - 120.0 * rest_q);
        if b.min(b + c) < -MOST_PULLED * GRAVITY {
            // No push does this; a force that changes evenly departs least: F = X + Y s.
            let (x, y) = (6.0 * q - 2.0 * p, 6.0 * p - 12.0 * q);
            return Push { start, force: [x, y, 0.0, 0.0, 0.0, 0.0, 0.0] };
        }
        let d = sharpened(first, b, c, bounciness);
        Push { start, force: [first + through, b - first + d, c - b - 6.0 * d, 10.0 * d - c, -5.0 * d, 0.0, 0.0] }
    }

    /// Highest that a body leaves the ground which lands at `landing` after a flight of some seconds, and lowest.
    pub(super) fn heights(start: Start, landing: f64, flight: f64) -> (f64, f64) {
        // q = share p with the rate at toe-off that leads to the landing, solved for the height.
        let Start { height, rate, seconds: t } = start;
        let bound = |share: f64| {
            let at = height + (1.0 - share) * rate * t + (share - 0.5) * GRAVITY * t * t;
            (at + share * t * (landing / flight + 0.5 * GRAVITY * flight)) / (1.0 + share * t / flight)
        };
        (bound(SHARES.0), bound(SHARES.1))
    }

    /// The same of a body that leaves the ground at a given rate: the highest.
    pub(super) fn highest_at(start: Start, rate: f64) -> f64 {
        let Start { height, rate: begins, seconds: t } = start;
        let p = (rate - begins) / t + GRAVITY;
        height + begins * t + (SHARES.1 * p - 0.5 * GRAVITY) * t * t
    }

    /// The height and its rate when a share of the support is over.
    fn at(&self, s: f64) -> (f64, f64) {
        let Push { start, force } = *self;
        let (mut rate, mut height, mut power) = (-GRAVITY * s, -0.5 * GRAVITY * s * s, 1.0);
        for (n, coefficient) in force.into_iter().enumerate() {
            power *= s;
            let n = n as f64;
            rate += coefficient * power / (n + 1.0);
            height += coefficient * power * s / ((n + 1.0) * (n + 2.0));
        }
        let t = start.seconds;
        (start.height + start.rate * t * s + height * t * t, start.rate + rate * t)
    }

    /// The curve of the height as knots, evenly over the support.
    pub(super) fn knots(&self) -> [Knot<f64>; MAX_KNOTS] {
        std::array::from_fn(|n| {
            let s = n as f64 / (MAX_KNOTS - 1) as f64;
            let (value, rate) = self.at(s);
            Knot { time: s * self.start.seconds, value, rate }
        })
    }
}

/// A force whose integral is p and whose integral of (1 - s) F is q, where q is further from half of p than a cubic that is never
/// negative has it, down to a quarter and up to three quarters: of 12 s^2 (1 - s), whose q is 0.4, and 42 s^5 (1 - s), whose q is 0.25,
/// for a push that comes late, and the same from behind for one that comes early.
fn late_or_early(p: f64, q: f64) -> Option<[f64; 7]> {
    let share = q / p;
    let late = share < EVEN.0;
    let sharp = (EVEN.0 - share.min(1.0 - share)) / (EVEN.0 - 0.25);
    if p <= 0.0 || !(0.0..=1.0).contains(&sharp) {
        return None;
    }
    let (even, sharp) = (12.0 * p * (1.0 - sharp), 42.0 * p * sharp);
    Some(if late {
        [0.0, 0.0, even, -even, 0.0, sharp, -sharp]
    } else {
        // s (1 - s)^2 and s (1 - s)^5.
        let [c1, c2, c3, c4, c5, c6] = [1.0, -5.0, 10.0, -10.0, 5.0, -1.0].map(|c| c * sharp);
        [0.0, even + c1, c2 - 2.0 * even, even + c3, c4, c5, c6]
    })
}

/// Of D: none for a bounciness of 1; what takes up the room for 0 and for 3.
fn sharpened(first: f64, b: f64, c: f64, bounciness: f64) -> f64 {
    let factor = |s: f64| b + c * s;
    let ends = (factor(0.0) + first).min(factor(1.0) + first).max(0.0);
    if bounciness > 1.0 {
        -MOST_SHARPENED * (0.5 * (bounciness - 1.0)).min(1.0) * ends
    } else {
        MOST_SHARPENED * (1.0 - bounciness).min(1.0) * (4.0 * factor(0.5).max(0.0)).min(4.0 * ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LANDED: Start = Start { height: 0.92, rate: -0.8, seconds: 0.2 };

    fn force(push: &Push, s: f64) -> f64 {
        let h = 1e-4;
        let t = push.start.seconds;
        (push.at(s + h).1 - push.at(s - h).1) / (2.0 * h * t) + GRAVITY
    }

    #[test]
    fn a_push_ends_as_asked_whatever_the_bounciness() {
        let through = Carried::Through;
        for (carried, bounciness) in [
            (through(0.0), 1.0),
            (through(0.0), 0.0),
            (through(0.5), 2.0),
            (Carried::Before, 1.0),
            (Carried::Before, 1.5),
        ] {
            let push = Push::new(LANDED, (0.94, 0.6), carried, bounciness);
            let (height, rate) = push.at(1.0);
            assert!((height - 0.94).abs() < 1e-12 && (rate - 0.6).abs() < 1e-12, "{height} {rate}");
            assert_eq!(push.at(0.0), (0.92, -0.8));
        }
    }

    #[test]
    fn between_lowest_and_highest_no_foot_pulls() {
        let flight = 0.14;
        let (low, high) = Push::heights(LANDED, 0.92, flight);
        assert!(low < high, "{low} {high}");
        for height in [low, 0.5 * (low + high), high] {
            let rate = (0.92 - height) / flight + 0.5 * GRAVITY * flight;
            for bounciness in [0.0, 0.5, 1.0, 1.5, 3.0] {
                let push = Push::new(LANDED, (height, rate), Carried::Through(0.0), bounciness);
                for n in 1..100 {
                    let force = force(&push, f64::from(n) / 100.0);
                    assert!(force > -1e-6, "{force} at {n} %, leaving at {height} with bounciness {bounciness}");
                }
            }
        }
    }

    #[test]
    fn a_body_that_lands_at_the_top_of_its_flight_is_pushed_late() {
        let start = Start { height: 0.97, rate: 0.0, seconds: 0.26 };
        for carried in [Carried::Through(0.0), Carried::Through(0.6)] {
            for height in [0.90, 0.93] {
                let push = Push::new(start, (height, 0.5), carried, 1.0);
                let (at, rate) = push.at(1.0);
                assert!((at - height).abs() < 1e-12 && (rate - 0.5).abs() < 1e-12, "{at} {rate}");
                for n in 1..100 {
                    let force = force(&push, f64::from(n) / 100.0);
                    assert!(force > -1e-6, "{force} at {n} %, leaving at {height}");
                }
            }
        }
    }

    #[test]
    fn more_bounciness_sinks_deeper() {
        let depth = |bounciness: f64| {
            let push = Push::new(LANDED, (0.93, 0.6), Carried::Through(0.0), bounciness);
            (0..=100).map(|n| push.at(f64::from(n) / 100.0).0).fold(f64::INFINITY, f64::min)
        };
        assert!(depth(2.0) < depth(1.0) && depth(1.0) < depth(0.0));
    }
}
