//! Equaliser settings with names.
//!
//! Reference: SIGNAL 5.1.2 and 5.5.
//!
//! The paper names bands by number, of walks of unknown rate. Presets are curves over frequencies in Hz instead, and a
//! clip's gains come of them at its own rate ([`gains_of_curve`]): they mean the same at 30 and at 120 frames a second.
//!
//! | preset | the paper | here |
//! |---|---|---|
//! | exaggerate | "increasing the middle frequencies (bands 2, 3, 4)" | the same: 0.5 to 2 Hz, strides and steps |
//! | nervous | "increasing the high frequency band (band 0)" | the same, as far as it is the body's: 5 to 15 Hz |
//! | tone-down | "increasing the low frequencies (bands 5, 6)": an "attenuated" walk | lowering middle and high ones |
//! | anticipate | "band 5 is negative": "anticipation and follow-through" | the same, and its own bands raised |
//! | cartoon | "increasing the gains for the middle frequency bands" of joint positions | the same |
//!
//! Where the words of the paper and the intended effect part:
//!
//! - What it says of toning down cannot be: bands respond to no sine by less than 0, so that a gain above 1 makes none
//!   smaller (a test says so). Only beside bands that are lowered, or after scaling the whole back, would raised low
//!   bands look attenuated. Lowering middle and high bands leaves the posture and slow shifts of weight as they are.
//! - A negative gain alone moves a joint in the opposite direction beside an action only if the band is two octaves slower than the
//!   action, and it makes the action itself smaller by a third. With the action's own bands raised the move is as deep
//!   as before, and the action stays as large as it was.
//!
//! Gains are tuned on recordings of walks, runs and jumps at 30 and 120 frames a second, until nothing looked broken;
//! knees that were straight bend back by some 5 degrees in walks and 20 in runs, which is for joint limits to mend.

use crate::bands::{Edge, gains_of_curve};
use crate::curves::Curves;
use crate::equalize::{BandGains, EqualizeError, EqualizeOptions, MAX_AMOUNT, equalize};
use crate::positions::equalize_positions;
use crate::selection::Selection;
use surefoot_motion::Clip;

/// Equaliser settings with names. See the head of this file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Preset {
    /// Bigger swings.
    Exaggerate,
    /// A twitch: the fast details of the motion, enlarged.
    Nervous,
    /// Smaller movements about the same posture.
    ToneDown,
    /// A move in the opposite direction before an action and after it.
    Anticipate,
    /// Squash and stretch.
    Cartoon,
}

/// A gain at a frequency in Hz; between two in proportion of octaves, outside as the nearest.
type Point = (f64, f64);

impl Preset {
    /// All of them.
    pub const ALL: [Preset; 5] =
        [Preset::Exaggerate, Preset::Nervous, Preset::ToneDown, Preset::Anticipate, Preset::Cartoon];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Preset::Exaggerate => "exaggerate",
            Preset::Nervous => "nervous",
            Preset::ToneDown => "tone-down",
            Preset::Anticipate => "anticipate",
            Preset::Cartoon => "cartoon",
        }
    }

    /// By its word.
    pub fn find(name: &str) -> Option<Preset> {
        Preset::ALL.into_iter().find(|preset| preset.name() == name)
    }

    /// Whether it edits where joints are, and not how they are turned.
    pub fn edits_positions(self) -> bool {
        self == Preset::Cartoon
    }

    /// What it is best used with: fast bands are those of kinks, and a channel that is reflected has one at each end.
    pub fn options(self) -> EqualizeOptions {
        let edge = if self == Preset::Nervous { Edge::PointReflected } else { Edge::Reflected };
        EqualizeOptions { edge, ..EqualizeOptions::default() }
    }

    fn curve(self) -> &'static [Point] {
        match self {
            Preset::Exaggerate => &[(0.25, 1.0), (0.5, 1.5), (2.0, 1.5), (4.0, 1.2), (8.0, 1.0)],
            // Tremor, at 5 to 15 Hz; the fast side of strides, at 4, is held back, and the noise of markers is not
            // raised.
            Preset::Nervous => &[(1.0, 1.0), (2.0, 1.6), (4.0, -2.5), (8.0, 10.0), (16.0, 4.0), (32.0, 1.0)],
            Preset::ToneDown => &[(0.12, 1.0), (0.5, 0.5), (4.0, 0.5), (8.0, 0.3)],
            Preset::Anticipate => {
                &[(0.06, 1.0), (0.25, -0.2), (0.5, 0.8), (1.0, 1.8), (2.0, 1.8), (4.0, 0.8), (8.0, 0.8), (16.0, 1.0)]
            }
            Preset::Cartoon => &[(0.25, 1.0), (0.5, 1.5), (1.0, 1.7), (2.0, 1.7), (4.0, 1.3), (8.0, 1.0)],
        }
    }

    /// The gain at a frequency.
    pub fn gain_at(self, hz: f64) -> f64 {
        let curve = self.curve();
        let after = curve.partition_point(|(at, _)| *at <= hz);
        match (after.checked_sub(1).map(|before| curve[before]), curve.get(after)) {
            (Some((_, gain)), None) | (None, Some(&(_, gain))) => gain,
            (Some((low, a)), Some(&(high, b))) => a + (b - a) * (hz / low).log2() / (high / low).log2(),
            (None, None) => 1.0,
        }
    }

    /// The gains of a clip's bands. `amount` is how much of the preset: 0 none, 1 all.
    pub fn gains(self, n_frames: usize, frame_rate: f64, amount: f64) -> Result<Vec<f64>, EqualizeError> {
        if !(0.0..=MAX_AMOUNT).contains(&amount) {
            return Err(EqualizeError::Amount { amount });
        }
        Ok(gains_of_curve(n_frames, frame_rate, |hz| 1.0 + amount * (self.gain_at(hz) - 1.0)))
    }
}

/// Equalises a clip by a preset; `amount` is how much of it, 0 to 10, ordinarily 1. Its own options are
/// [`Preset::options`].
pub fn apply_preset(
    clip: &Clip,
    preset: Preset,
    selection: &Selection,
    amount: f64,
    options: &EqualizeOptions,
) -> Result<Clip, EqualizeError> {
    let gains = preset.gains(clip.n_frames(), clip.frame_rate, amount)?;
    let groups = [BandGains { selection: selection.clone(), gains }];
    if preset.edits_positions() {
        return equalize_positions(clip, &groups, options);
    }
    let mut curves = Curves::read(clip);
    equalize(&mut curves, &groups, options)?;
    Ok(clip.with_poses(curves.to_poses()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bands::{BandSplitter, gains_response};
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_geom::rotation;

    const RATES: [f64; 6] = [24.0, 30.0, 60.0, 100.0, 120.0, 240.0];

    /// What a preset does to a sine in a clip of ten seconds.
    fn response(preset: Preset, hz: f64, rate: f64) -> f64 {
        gains_response(&preset.gains((10.0 * rate) as usize, rate, 1.0).unwrap(), hz, rate)
    }

    #[test]
    fn presets_do_what_their_names_say_at_any_rate() {
        for rate in RATES {
            let [exaggerate, nervous, tone_down, anticipate, cartoon] =
                Preset::ALL.map(|preset| move |hz: f64| response(preset, hz, rate));
            let check = |name: &str, value: f64, range: std::ops::Range<f64>| {
                assert!(range.contains(&value), "{name} at {rate} frames a second: {value}, not in {range:?}");
            };
            // The strides and steps of a walk, its posture, and its details.
            check("exaggerated stride", exaggerate(1.0), 1.3..1.6);
            check("exaggerated step", exaggerate(2.0), 1.3..1.6);
            check("exaggerated posture", exaggerate(0.1), 0.99..1.05);
            check("nervous stride", nervous(1.0), 0.8..1.2);
            check("nervous twitch", nervous(9.0), 4.0..9.0);
            check("toned-down stride", tone_down(1.0), 0.4..0.65);
            check("toned-down step", tone_down(2.0), 0.4..0.6);
            check("toned-down posture", tone_down(0.05), 0.9..1.01);
            check("toned-down details", tone_down(8.0), 0.2..0.5);
            check("what an action rises from", anticipate(0.2), 0.1..0.7);
            check("an action", anticipate(1.5), 1.4..1.8);
            check("squash and stretch", cartoon(1.5), 1.4..1.7);
        }
    }

    #[test]
    fn presets_mean_the_same_at_any_rate() {
        for preset in Preset::ALL {
            for hz in [0.1, 0.25, 0.5, 1.0, 2.0, 4.0] {
                let at_120 = response(preset, hz, 120.0);
                for rate in RATES {
                    let here = response(preset, hz, rate);
                    // At 4 Hz bands of 24 and 30 frames a second end.
                    let limit = if hz < 4.0 { 0.12 } else { 0.2 } * at_120.abs().max(1.0);
                    assert!((here - at_120).abs() < limit, "{preset:?} {hz} Hz at {rate}: {here}, {at_120} at 120");
                }
            }
        }
    }

    #[test]
    fn anticipation_moves_in_the_other_direction_before_an_action_and_after_it() {
        for rate in RATES {
            let n = (6.0 * rate) as usize;
            // Half a second, as a knock at a door.
            let action = |i: usize| (-0.5 * ((i as f64 / rate - 3.0) / 0.2).powi(2)).exp();
            let mut channel: Vec<f64> = (0..n).map(action).collect();
            let gains = Preset::Anticipate.gains(n, rate, 1.0).unwrap();
            BandSplitter::default().weigh(&mut channel, &gains, Edge::Reflected);
            let at = |seconds: f64| channel[(seconds * rate) as usize];
            assert!(at(2.45) < -0.1 && at(3.55) < -0.1, "{rate}: {} {}", at(2.45), at(3.55));
            assert!((0.85..1.5).contains(&at(3.0)) && at(1.0).abs() < 0.08, "{rate}: {} {}", at(3.0), at(1.0));
        }
    }

    #[test]
    fn none_of_a_preset_is_the_clip_and_amounts_have_limits() {
        let clip = synthetic_walk(&WalkerOptions { n_steps: 3, ..WalkerOptions::default() }).take.clip;
        let selection = Selection::all(&clip.skeleton);
        for preset in Preset::ALL {
            let apply = |amount| apply_preset(&clip, preset, &selection, amount, &EqualizeOptions::default());
            for (was, is) in clip.poses().iter().zip(apply(0.0).unwrap().poses()) {
                for (was, is) in was.local.iter().zip(is.local) {
                    assert!(rotation::angle_between(was.rotation, is.rotation) < 1e-12);
                    assert!(was.translation.distance(is.translation) < 1e-12);
                }
            }
            assert_ne!(apply(1.0).unwrap(), clip);
            let error = apply(f64::NAN).unwrap_err().to_string();
            assert!(error.starts_with("the amount is NaN; a number from 0 to 10"), "{error}");
            assert_eq!(Preset::find(preset.name()), Some(preset));
        }
        assert_eq!(Preset::find("shout"), None);
        for n in 0..4 {
            let short = clip.with_poses(clip.poses().slice(0..n));
            for preset in Preset::ALL {
                let out = apply_preset(&short, preset, &selection, 2.0, &EqualizeOptions::default()).unwrap();
                assert!(out.poses().iter().all(|pose| pose.local.iter().all(|at| at.translation.is_finite())));
            }
        }
    }
}
