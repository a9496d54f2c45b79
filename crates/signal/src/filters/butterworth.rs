//! Zero-phase Butterworth low-pass: once forward, once backward.
//!
//! References: the bilinear transform of the analogue prototype, with poles at `-sin a +- i cos a`, `a = (2k + 1) pi /
//! 2n`, as in textbooks of digital filters; Winter 2009 for two passes and the correction of their cut-off.
//!
//! Idea: a Butterworth filter of order n has the flattest pass band there is, but delays. The same filter run backward
//! over its own output delays the other way, and squares the response: `1 / (1 + (w / w_c)^2n)` in all, with w the
//! analogue frequency `tan(pi f / rate)`. At the cut-off that would be a half; so that it is 0.707 (-3 dB), as
//! everybody takes a cut-off to be, each pass is given a higher one, `w_c / (sqrt 2 - 1)^(1 / 2n)`.
//!
//! 1. Second-order sections, one of first order for an odd n: stable also for low cut-offs, where one long polynomial
//!    is not.
//! 2. The line from the first number to the last is taken off, and added again in the end: it would pass as it is.
//! 3. The channel is continued beyond its ends, turned about them by half a turn, as long as the filter rings; sections
//!    start in the state in which they would be if the first number had come in for ever.
//! 4. Forward, backward.

use super::{FilterError, check};
use crate::bands::{Edge, extend};
use std::f64::consts::{PI, SQRT_2};
use surefoot_motion::count_frames;

/// Steeper filters ring more than any motion needs.
pub const MAX_ORDER: usize = 10;

/// What to keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ButterworthOptions {
    /// Where 0.707 of the amplitude is left after both passes, in Hz. Above 0, below half the frame rate. Default 6,
    /// which is usual for walking; 10 to 15 for running and for hands.
    pub cutoff_hz: f64,
    /// Of one pass, 1 to 10. Default 2, which is what others call a fourth-order zero-lag filter. Higher ones cut more
    /// steeply, and overshoot beside sharp edges.
    pub order: usize,
}

impl Default for ButterworthOptions {
    fn default() -> ButterworthOptions {
        ButterworthOptions { cutoff_hz: 6.0, order: 2 }
    }
}

/// `y = b0 x + b1 x' + b2 x'' - a1 y' - a2 y''`, with a gain of 1 for what stands still.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Section {
    b: [f64; 3],
    a: [f64; 2],
}

/// A filter for channels of one frame rate; uses its memory again.
#[derive(Clone, Debug)]
pub struct Butterworth {
    sections: Vec<Section>,
    ring_frames: usize,
    padded: Vec<f64>,
}

impl Butterworth {
    /// The filter for a frame rate.
    pub fn new(options: &ButterworthOptions, frame_rate: f64) -> Result<Butterworth, FilterError> {
        check("order", options.order as f64, 1.0..=MAX_ORDER as f64)?;
        let cutoff = options.cutoff_hz;
        if !(cutoff > 0.0 && cutoff < frame_rate / 2.0) {
            let wanted = format!("more than 0 and less than {} Hz, half the frame rate,", frame_rate / 2.0);
            return Err(FilterError::OutOfRange { field: "cutoff_hz", value: cutoff, wanted });
        }
        let n = options.order;
        let correction = (SQRT_2 - 1.0).powf(0.5 / n as f64);
        let w = (PI * cutoff / frame_rate).tan() / correction;
        let mut sections: Vec<Section> = (0..n / 2).map(|k| second_order(w, k, n)).collect();
        if n % 2 == 1 {
            sections.push(first_order(w));
        }
        // Slow poles decay by about e^-1 in rate / (2 pi cut-off) frames, and by less in steep filters.
        let ring_frames = count_frames((RINGING * (n as f64).sqrt() * frame_rate / cutoff).ceil());
        Ok(Butterworth { sections, ring_frames, padded: Vec::new() })
    }

    /// Filters a channel. Channels of one frame and channels that stand still stay as they are.
    pub fn apply(&mut self, channel: &mut [f64]) {
        let n = channel.len();
        if n < 2 {
            return;
        }
        let (first, slope) = (channel[0], (channel[n - 1] - channel[0]) / (n - 1) as f64);
        let line = |i: usize| first + slope * i as f64;
        let room = self.ring_frames.min(MAX_PERIODS * n);
        self.padded.clear();
        self.padded.resize(n + 2 * room, 0.0);
        for (i, (slot, value)) in self.padded[room..].iter_mut().zip(channel.iter()).enumerate() {
            *slot = value - line(i);
        }
        extend(&mut self.padded, room, Edge::PointReflected);
        for _ in 0..2 {
            self.sections.iter().for_each(|section| section.run(&mut self.padded));
            self.padded.reverse();
        }
        for (i, (value, slot)) in channel.iter_mut().zip(&self.padded[room..]).enumerate() {
            *value = line(i) + slot;
        }
    }
}

/// Time for which a filter is taken to ring, in periods of its cut-off, times the root of its order.
const RINGING: f64 = 3.0;
/// But no longer than this many lengths of the channel.
const MAX_PERIODS: usize = 4;

fn second_order(w: f64, k: usize, n: usize) -> Section {
    let damping = 2.0 * ((2 * k + 1) as f64 * PI / (2 * n) as f64).sin();
    let scale = 1.0 + damping * w + w * w;
    let b = w * w / scale;
    Section { b: [b, 2.0 * b, b], a: [2.0 * (w * w - 1.0) / scale, (1.0 - damping * w + w * w) / scale] }
}

fn first_order(w: f64) -> Section {
    let b = w / (1.0 + w);
    Section { b: [b, b, 0.0], a: [(w - 1.0) / (1.0 + w), 0.0] }
}

impl Section {
    /// Transposed direct form, from the state of standing at the first number.
    fn run(&self, channel: &mut [f64]) {
        let ([b0, b1, b2], [a1, a2]) = (self.b, self.a);
        let first = channel.first().copied().unwrap_or(0.0);
        let mut second = (b2 - a2) * first;
        let mut state = (b1 - a1) * first + second;
        for value in channel {
            let x = *value;
            let y = b0 * x + state;
            state = b1 * x - a1 * y + second;
            second = b2 * x - a2 * y;
            *value = y;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filters::reference::{check_channel, test_channel};
    use std::f64::consts::TAU;

    fn filter(cutoff_hz: f64, order: usize, rate: f64) -> Butterworth {
        Butterworth::new(&ButterworthOptions { cutoff_hz, order }, rate).unwrap()
    }

    /// Against `scipy.signal.sosfiltfilt(butter(order, corrected, output="sos"), x - chord, padlen=ring_frames) +
    /// chord`, version 1.17, where the corrected cut-off is `rate / pi atan(tan(pi cutoff / rate) / (sqrt 2 - 1)^(1 / 2
    /// order))`.
    #[test]
    fn it_is_scipys() {
        let cases = [
            (
                100.0,
                6.0,
                2,
                [
                    0.25244129542895,
                    0.44692513929006,
                    0.62917252099439,
                    0.22613032277133,
                    0.93491394799634,
                    0.70498263417066,
                    1.9966803938937,
                    3.9490399046577,
                    3.8870925474358,
                ],
            ),
            (
                120.0,
                10.0,
                5,
                [
                    0.2524412599711,
                    0.48324649831715,
                    0.69627314079368,
                    0.2542176093213,
                    0.99964052081352,
                    0.72371742659277,
                    1.9222539775431,
                    3.8862934299736,
                    3.8870925178551,
                ],
            ),
            (
                30.0,
                3.0,
                1,
                [
                    0.25244129544237,
                    0.37599109578487,
                    0.57495037808034,
                    0.23774375273823,
                    0.94575433071265,
                    0.73493094777679,
                    1.9862888821188,
                    3.8204899655718,
                    3.887092547429,
                ],
            ),
            (
                60.0,
                20.0,
                4,
                [
                    0.25247172790854,
                    0.21988480787585,
                    0.51282190379248,
                    0.24035191709964,
                    0.83352680489973,
                    0.91663062350094,
                    2.1291485032305,
                    3.5290144042581,
                    3.8878567502043,
                ],
            ),
        ];
        for (rate, cutoff, order, wanted) in cases {
            let mut channel = test_channel();
            filter(cutoff, order, rate).apply(&mut channel);
            check_channel(&channel, &wanted);
        }
    }

    #[test]
    fn sines_come_through_as_the_formula_says_and_not_late() {
        let (rate, n) = (120.0, 2400);
        for order in [1, 2, 3, 4, 7] {
            for hz in [0.5, 2.0, 6.0, 9.0, 20.0] {
                let channel: Vec<f64> = (0..n).map(|i| (TAU * hz * f64::from(i) / rate).sin()).collect();
                let mut out = channel.clone();
                filter(6.0, order, rate).apply(&mut out);
                let w = (PI * hz / rate).tan() / (PI * 6.0 / rate).tan() * (SQRT_2 - 1.0).powf(0.5 / order as f64);
                let response = 1.0 / (1.0 + w.powi(2 * order as i32));
                if hz == 6.0 {
                    assert!((response - SQRT_2 / 2.0).abs() < 1e-12, "-3 dB at the cut-off");
                }
                for i in 800..1600 {
                    assert!(
                        (out[i] - response * channel[i]).abs() < 1e-6,
                        "order {order}, {hz} Hz: {} {}",
                        out[i],
                        channel[i]
                    );
                }
            }
        }
    }

    #[test]
    fn even_motion_and_standing_stay_and_short_channels_are_channels() {
        let line: Vec<f64> = (0..50).map(|i| 2.0 + 0.3 * f64::from(i)).collect();
        let mut out = line.clone();
        filter(1.0, 4, 120.0).apply(&mut out);
        assert!(out.iter().zip(&line).all(|(a, b)| (a - b).abs() < 1e-12));
        for n in 0..6 {
            let mut still = vec![0.1; n];
            filter(0.01, 3, 120.0).apply(&mut still);
            assert_eq!(still, vec![0.1; n]);
            let mut channel: Vec<f64> = (0..n).map(|i| (i * i) as f64).collect();
            filter(59.0, 10, 120.0).apply(&mut channel);
            assert!(channel.iter().all(|value| value.is_finite()));
        }
    }

    #[test]
    fn wrong_options_are_refused_by_name() {
        let refuse = |cutoff_hz, order| {
            Butterworth::new(&ButterworthOptions { cutoff_hz, order }, 120.0).unwrap_err().to_string()
        };
        let error = refuse(60.0, 2);
        assert_eq!(error, "cutoff_hz is 60; more than 0 and less than 60 Hz, half the frame rate, would be right");
        assert!(refuse(0.0, 2).starts_with("cutoff_hz is 0") && refuse(f64::NAN, 2).starts_with("cutoff_hz is NaN"));
        assert_eq!(refuse(6.0, 0), "order is 0; a number from 1 to 10 would be right");
    }
}
