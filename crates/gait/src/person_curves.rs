//! One person's residual curves: what the person does beside the paper's equations, at the speed at which the person was recorded.
//!
//! They take the place of the people's mean (`norm_data`) at that speed. At other speeds the difference stays as it is:
//! `person(v) = mean(v) + person(v0) - mean(v0)`, so that who swings the arms widely at 5 km/h does so at 7.

use super::Gait;
use super::norms::{Curves, N_CHANNELS, N_SAMPLES, tables_at};

/// Names of the channels in files, in the order of [`super::norms::Channel`].
const NAMES: [&str; N_CHANNELS] = [
    "up",
    "yaw",
    "list",
    "lean",
    "side",
    "twist",
    "stance-arm",
    "stance-elbow",
    "stance-out",
    "swing-arm",
    "swing-elbow",
    "swing-out",
    "stance-hip",
    "stance-knee",
    "stance-pitch",
    "swing-hip",
    "swing-knee",
    "swing-pitch",
];

/// Values of a curve are counted in this part of a degree, or of a hundredth of the leg.
const PARTS: f64 = 100.0;

/// Residual curves of a person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PersonCurves {
    /// Speed at which they hold, of a person 1.8 m tall, in m/s.
    speed: f64,
    curves: Curves,
}

impl PersonCurves {
    /// Values of a curve, over the phases of a step from landing on.
    pub const N_SAMPLES: usize = N_SAMPLES;
    /// How many curves there are.
    pub const N_CURVES: usize = N_CHANNELS;
    /// Largest value, in degrees, or in hundredths of the leg for `up`.
    pub const MOST: f64 = 180.0;

    /// Names of the curves in their order. `up` lifts the pelvis, in hundredths of the leg; all others are angles in degrees, with the
    /// left foot standing: turns of pelvis and chest to the left, list that lifts the left hip, lean forward and to the left, and of the
    /// limbs on the standing and the swinging side: arm forward, elbow, arm outward, hip, knee, pitch of the foot.
    pub fn names() -> impl ExactSizeIterator<Item = &'static str> {
        NAMES.iter().copied()
    }

    /// Curves at a speed of a person 1.8 m tall, in m/s; values beyond [`PersonCurves::MOST`] are brought to it. `None` if a number is
    /// not finite or the speed not positive.
    pub fn new(speed: f64, values: &[[f64; N_SAMPLES]; N_CHANNELS]) -> Option<PersonCurves> {
        if !(speed.is_finite() && speed > 0.0) || values.iter().flatten().any(|value| !value.is_finite()) {
            return None;
        }
        let stored = |value: f64| (value.clamp(-Self::MOST, Self::MOST) * PARTS).round() as i16;
        Some(PersonCurves { speed, curves: values.map(|curve| curve.map(stored)) })
    }

    /// The people's mean at a speed.
    pub fn mean(gait: Gait, speed: f64) -> PersonCurves {
        let mut values = [[0.0; N_SAMPLES]; N_CHANNELS];
        for (table, share) in tables_at(gait, speed) {
            for (out, curve) in values.iter_mut().zip(table) {
                out.iter_mut().zip(curve).for_each(|(out, &value)| *out += share * f64::from(value));
            }
        }
        PersonCurves { speed, curves: values.map(|curve| curve.map(|value| value.round() as i16)) }
    }

    /// Speed at which they hold, of a person 1.8 m tall, in m/s.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// The values of all curves, as [`PersonCurves::new`] takes them.
    pub fn values(&self) -> [[f64; N_SAMPLES]; N_CHANNELS] {
        self.curves.map(|curve| curve.map(|value| f64::from(value) / PARTS))
    }

    /// These curves as they are at another speed.
    pub fn at_speed(&self, gait: Gait, speed: f64) -> PersonCurves {
        let (here, there) = (PersonCurves::mean(gait, self.speed), PersonCurves::mean(gait, speed));
        let mut out = PersonCurves { speed, ..*self };
        for channel in 0..N_CHANNELS {
            for n in 0..N_SAMPLES {
                let moved = there.curves[channel][n].saturating_sub(here.curves[channel][n]);
                out.curves[channel][n] = self.curves[channel][n].saturating_add(moved);
            }
        }
        out
    }

    /// The tables that make them up at a speed, in parts, with the share of each.
    pub(super) fn tables(&self, gait: Gait) -> [(&Curves, f64); 3] {
        let [first, second] = tables_at(gait, self.speed);
        [(&self.curves, 1.0), (first.0, -first.1), (second.0, -second.1)]
    }

    /// The mean of several people's curves, each as it is at one speed.
    pub(super) fn mixed(gait: Gait, speed: f64, all: &[(PersonCurves, f64)]) -> PersonCurves {
        let mut values = [[0.0; N_SAMPLES]; N_CHANNELS];
        let total: f64 = all.iter().map(|(_, weight)| weight).sum();
        for (curves, weight) in all {
            let own = curves.at_speed(gait, speed).values();
            for (out, own) in values.iter_mut().flatten().zip(own.iter().flatten()) {
                *out += weight / total * own;
            }
        }
        PersonCurves::new(speed, &values).unwrap_or_else(|| PersonCurves::mean(gait, speed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_itself_at_every_speed() {
        for gait in [Gait::Walk, Gait::Run] {
            let mean = PersonCurves::mean(gait, 1.5);
            let moved = mean.at_speed(gait, 2.5);
            let (found, expected) = (moved.values(), PersonCurves::mean(gait, 2.5).values());
            for (a, b) in found.iter().flatten().zip(expected.iter().flatten()) {
                assert!((a - b).abs() < 0.021, "{a} {b}");
            }
        }
    }

    #[test]
    fn what_a_person_does_differently_stays_at_other_speeds() {
        let mut values = PersonCurves::mean(Gait::Walk, 1.2).values();
        values[6].iter_mut().for_each(|value| *value += 10.0);
        let person = PersonCurves::new(1.2, &values).unwrap();
        let fast = person.at_speed(Gait::Walk, 1.9).values();
        let mean = PersonCurves::mean(Gait::Walk, 1.9).values();
        assert!(fast[6].iter().zip(&mean[6]).all(|(a, b)| (a - b - 10.0).abs() < 0.021));
        assert_eq!(PersonCurves::names().len(), values.len());
    }

    #[test]
    fn only_finite_values_are_taken() {
        let mut values = [[0.0; N_SAMPLES]; N_CHANNELS];
        assert!(PersonCurves::new(1.0, &values).is_some());
        assert!(PersonCurves::new(0.0, &values).is_none() && PersonCurves::new(f64::NAN, &values).is_none());
        values[3][4] = 1e9;
        assert_eq!(PersonCurves::new(1.0, &values).unwrap().values()[3][4], PersonCurves::MOST);
        values[3][4] = f64::INFINITY;
        assert!(PersonCurves::new(1.0, &values).is_none());
    }
}
