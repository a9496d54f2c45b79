//! A height over time between two ends, each with its rate and acceleration: a quintic.

use surefoot_contact::check_frame_rate::GRAVITY;

/// One end: height, rate and acceleration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct End {
    pub(super) height: f64,
    pub(super) rate: f64,
    pub(super) acceleration: f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct HeightCurve {
    seconds: f64,
    /// As a polynomial of the share of the time.
    coefficients: [f64; 6],
}

/// Times at which the fall is looked at.
const SAMPLES: usize = 24;

impl HeightCurve {
    pub(super) fn between(from: End, to: End, seconds: f64) -> HeightCurve {
        let t = seconds;
        let (p0, v0, a0) = (from.height, from.rate * t, from.acceleration * t * t);
        let (p1, v1, a1) = (to.height, to.rate * t, to.acceleration * t * t);
        let d = p1 - p0;
        let coefficients = [
            p0,
            v0,
            0.5 * a0,
            10.0 * d - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1,
            -15.0 * d + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1,
            6.0 * d - 3.0 * (v0 + v1) - 0.5 * (a0 - a1),
        ];
        HeightCurve { seconds, coefficients }
    }

    /// Height and rate at a time.
    pub(super) fn at(&self, time: f64) -> (f64, f64) {
        let s = time / self.seconds;
        let (mut value, mut rate) = (0.0, 0.0);
        for &coefficient in self.coefficients.iter().rev() {
            rate = rate * s + value;
            value = value * s + coefficient;
        }
        (value, rate / self.seconds)
    }

    /// The fastest fall, in g; more than 1 is no fall but a pull.
    pub(super) fn fall(&self) -> f64 {
        let c = &self.coefficients;
        let acceleration = |n: usize| {
            let s = n as f64 / SAMPLES as f64;
            (2.0 * c[2] + s * (6.0 * c[3] + s * (12.0 * c[4] + s * 20.0 * c[5]))) / (self.seconds * self.seconds)
        };
        (0..=SAMPLES).map(|n| -acceleration(n) / GRAVITY).fold(f64::NEG_INFINITY, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_height_curve_has_its_ends_and_a_fall_is_one_g() {
        let from = End { height: 0.9, rate: -1.2, acceleration: -GRAVITY };
        let to = End { height: 0.7, rate: 0.4, acceleration: 6.0 };
        let curve = HeightCurve::between(from, to, 0.3);
        let close = |(a, b): (f64, f64), end: &End| (a - end.height).abs() < 1e-12 && (b - end.rate).abs() < 1e-12;
        assert!(close(curve.at(0.0), &from) && close(curve.at(0.3), &to));
        let h = 1e-4;
        let measured = (curve.at(h).1 - curve.at(0.0).1) / h;
        assert!((measured + GRAVITY).abs() < 0.05, "{measured}");
        let fallen = 0.9 - 1.2 * 0.2 - 0.5 * GRAVITY * 0.04;
        let end = End { height: fallen, rate: -1.2 - GRAVITY * 0.2, acceleration: -GRAVITY };
        assert!((HeightCurve::between(from, end, 0.2).fall() - 1.0).abs() < 1e-9);
    }
}
