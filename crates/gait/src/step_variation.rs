//! How steps of one person differ: from stride to stride by chance, and from side to side by a limp.
//!
//! **Variability.** 1 is that of healthy young adults walking over ground ("step variability is separable in both direction and time scale", PMC3756042): their
//! speed drifts slowly, by 2.3 %; steps are as long as people take them at that speed, with 1.5 % beside; together 2.3 % of a step
//! length. Widths vary by 2.2 cm whatever the speed (4.3 times the variance of lengths; 2.4 cm of young adults in Almarwani et al. 2016, as tabled in JNER 17:41, doi 10.1186/s12984-020-00671-9). Step times
//! vary by 1.2 % beside what speed makes of them; that figure is ours. Numbers come from a seed and the number of the step alone.
//!
//! **Limp.** A leg that hurts is stood on for a shorter time, with the trunk over it, while the other foot takes a shorter step;
//! that foot's own stance is longer by the same. How much of each is ours.

use super::{Gait, GaitSettings};
use surefoot_geom::{GOLDEN, Random, mix_bits};
use surefoot_motion::Side;

/// Of speed, as a share; how much of it lasts from one step to the next; what of a change of speed is one of step length.
const SPEED_SPREAD: f64 = 0.023;
const SPEED_LASTS: f64 = 0.9;
const LENGTH_OF_SPEED: f64 = 0.77;
/// Of step length and step time beside that, as shares.
const LENGTH_SPREAD: f64 = 0.015;
const TIME_SPREAD: f64 = 0.012;
/// Of step width, as a share of the height: 2.2 cm at 1.8 m.
const WIDTH_SPREAD: f64 = 0.022 / 1.8;
/// Widest deviation, in spreads.
const WIDEST: f64 = 2.5;
/// Steps that the drift of speed is made of.
const DRIFT_STEPS: usize = 40;

/// Of a full limp: how much shorter the stance on the bad leg is, how much shorter the other foot's step, and how far the trunk sways
/// over it, in radians (11 degrees).
const LIMP_TIME: f64 = 0.2;
const LIMP_LENGTH: f64 = 0.4;
const LIMP_SWAY: f64 = 0.19;

/// A limp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limp {
    /// The leg that hurts.
    pub side: Side,
    /// From 0, none, to 1.
    pub severity: f64,
}

/// How steps differ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepVariation {
    /// From 0, none, to 1, that of people.
    pub variability: f64,
    /// Decides about the variability.
    pub seed: u64,
    /// From side to side.
    pub limp: Option<Limp>,
}

impl StepVariation {
    /// The settings of a step of some number, in which a foot swings, of someone of a height.
    pub fn apply(&self, settings: &GaitSettings, number: usize, swings: Side, height: f64) -> GaitSettings {
        let mut varied = *settings;
        if self.variability > 0.0 {
            let of = |what: u64| self.variability * self.chance(number, what);
            let speed = SPEED_SPREAD * self.variability * self.drift(number);
            let length = 1.0 + LENGTH_OF_SPEED * speed + LENGTH_SPREAD * of(1);
            let time = 1.0 - (1.0 - LENGTH_OF_SPEED) * speed + TIME_SPREAD * of(2);
            stretch(&mut varied, length, time);
            // A step is as wide as both of its footprints are off the path.
            let wider = std::f64::consts::SQRT_2 * WIDTH_SPREAD * height * of(3);
            let widen = |width: &mut f64| *width = (*width + wider).max(0.0);
            widen(&mut varied.walk.attributes.stride_width);
            widen(&mut varied.run.attributes.stride_width);
        }
        if let Some(Limp { side, severity }) = self.limp {
            if swings == side {
                stretch(&mut varied, 1.0, 1.0 + LIMP_TIME * severity);
            } else {
                stretch(&mut varied, 1.0 - LIMP_LENGTH * severity, 1.0 - LIMP_TIME * severity);
                varied.stance_sway += LIMP_SWAY * severity;
            }
        }
        varied
    }

    /// A number about 0 with a spread of 1.
    fn chance(&self, number: usize, what: u64) -> f64 {
        let state = mix_bits(self.seed ^ mix_bits((number as u64).wrapping_mul(GOLDEN) ^ (what << 56)));
        let mut random = Random::new(state);
        // The sum of twelve even ones is nearly normal.
        ((0..12).map(|_| random.unit()).sum::<f64>() - 6.0).clamp(-WIDEST, WIDEST)
    }

    /// The same that changes slowly from step to step.
    fn drift(&self, number: usize) -> f64 {
        let innovation = (1.0 - SPEED_LASTS * SPEED_LASTS).sqrt();
        // Steps before the first count too: their numbers wrap around.
        let past = |ago: usize| SPEED_LASTS.powi(ago as i32) * self.chance(number.wrapping_sub(ago), 4);
        innovation * (0..DRIFT_STEPS).map(past).sum::<f64>()
    }
}

/// Makes steps of both gaits longer and slower by factors.
fn stretch(settings: &mut GaitSettings, length: f64, time: f64) {
    let walk = &mut settings.walk.parameters;
    (walk.step_length, walk.cadence) = (walk.step_length * length, walk.cadence / time);
    walk.speed = walk.step_length * walk.cadence;
    if settings.gait == Gait::Run {
        let run = &mut settings.run.parameters;
        (run.step_length, run.cadence) = (run.step_length * length, run.cadence / time);
        run.speed = run.step_length * run.cadence;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(values: &[f64]) -> f64 {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt() / mean
    }

    #[test]
    fn steps_vary_as_much_as_those_of_people() {
        let natural = GaitSettings::natural(Gait::Walk, 1.8);
        let variation = StepVariation { variability: 1.0, seed: 7, limp: None };
        let steps: Vec<GaitSettings> =
            (0..2000).map(|number| variation.apply(&natural, number, Side::Left, 1.8)).collect();
        let of = |value: fn(&GaitSettings) -> f64| spread(&steps.iter().map(value).collect::<Vec<_>>());
        let length = of(|settings| settings.walk.parameters.step_length);
        let time = of(|settings| 1.0 / settings.walk.parameters.cadence);
        assert!((0.02..0.027).contains(&length), "{length}");
        assert!((0.01..0.02).contains(&time), "{time}");
        // Footprints of both feet make a width.
        let widths: Vec<f64> = steps
            .windows(2)
            .map(|pair| 0.5 * (pair[0].walk.attributes.stride_width + pair[1].walk.attributes.stride_width))
            .collect();
        let width = spread(&widths) * widths.iter().sum::<f64>() / widths.len() as f64;
        assert!((0.018..0.026).contains(&width), "{width}");
    }

    #[test]
    fn a_seed_decides_and_none_changes_nothing() {
        let natural = GaitSettings::natural(Gait::Run, 1.8);
        let of = |variability, seed, number| {
            StepVariation { variability, seed, limp: None }.apply(&natural, number, Side::Left, 1.8)
        };
        assert_eq!(of(0.5, 3, 4), of(0.5, 3, 4));
        assert_ne!(of(0.5, 3, 4), of(0.5, 4, 4));
        assert_ne!(of(0.5, 3, 4), of(0.5, 3, 5));
        assert_eq!(of(0.0, 3, 4), natural);
    }

    #[test]
    fn a_limp_shortens_the_stance_of_its_leg_and_the_other_step() {
        let natural = GaitSettings::natural(Gait::Walk, 1.8);
        let limp = Some(Limp { side: Side::Left, severity: 0.5 });
        let of = |swings| StepVariation { limp, ..StepVariation::default() }.apply(&natural, 0, swings, 1.8);
        let (bad_stands, bad_swings) = (of(Side::Right), of(Side::Left));
        assert!(bad_stands.walk.parameters.cadence > 1.1 * bad_swings.walk.parameters.cadence);
        assert!(bad_stands.walk.parameters.step_length < 0.85 * bad_swings.walk.parameters.step_length);
        assert!(bad_stands.stance_sway > 0.05 && bad_swings.stance_sway == 0.0);
        let times = [bad_stands, bad_swings].map(|settings| 1.0 / settings.walk.parameters.cadence);
        assert!((times[0] + times[1] - 2.0 / natural.walk.parameters.cadence).abs() < 1e-9);
    }
}
