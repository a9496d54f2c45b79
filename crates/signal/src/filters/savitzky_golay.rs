//! Savitzky-Golay: each number becomes that of the polynomial which fits its neighbours best.
//!
//! Reference: Savitzky 1964. At the ends the polynomial of the first or last window is read where it is needed.
//!
//! Idea: polynomials that are orthonormal over the window, `p_0 .. p_order`, make the fit a sum: the fitted number at
//! place t is `sum over i of x_i sum over k of p_k(i) p_k(t)`. On a symmetric grid they come one from the other, `p_k+1
//! ~ i p_k - b p_k-1`.

use super::{FilterError, check};
use surefoot_motion::count_frames;

/// How long a window is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Window {
    /// In seconds; the nearest odd number of frames is taken, at least one more than the order.
    Seconds(f64),
    /// In frames, odd.
    Frames(usize),
}

/// What to fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SavitzkyGolayOptions {
    /// Longer than the order in frames, at most 60 s or 10,001 frames. Default 0.15 s. Of a clip that is shorter, all.
    pub window: Window,
    /// Of the polynomials, 0 to 10. Default 3: peaks keep their height as far as they are cubic within the window.
    pub order: usize,
}

impl Default for SavitzkyGolayOptions {
    fn default() -> SavitzkyGolayOptions {
        SavitzkyGolayOptions { window: Window::Seconds(0.15), order: 3 }
    }
}

const MAX_ORDER: usize = 10;
const MAX_SECONDS: f64 = 60.0;
const MAX_FRAMES: usize = 10_001;

/// A filter for channels of one length; uses its memory again.
#[derive(Clone, Debug)]
pub struct SavitzkyGolay {
    /// For the middle of the window.
    middle: Vec<f64>,
    /// For each place before the middle.
    before: Vec<Vec<f64>>,
    out: Vec<f64>,
}

impl SavitzkyGolay {
    /// The filter for a frame rate and a length.
    pub fn new(options: &SavitzkyGolayOptions, frame_rate: f64, n_frames: usize) -> Result<SavitzkyGolay, FilterError> {
        check("order", options.order as f64, 0.0..=MAX_ORDER as f64)?;
        let wanted = window_frames(options, frame_rate)?;
        let longest = if n_frames % 2 == 1 { n_frames } else { n_frames.saturating_sub(1) };
        let window = wanted.min(longest);
        // The polynomial of an order goes through as many points: nothing would change.
        if window <= options.order + 1 {
            return Ok(SavitzkyGolay { middle: Vec::new(), before: Vec::new(), out: Vec::new() });
        }
        let basis = orthonormal_polynomials(window, options.order);
        let weights =
            |place: usize| -> Vec<f64> { (0..window).map(|i| basis.iter().map(|p| p[i] * p[place]).sum()).collect() };
        let half = window / 2;
        Ok(SavitzkyGolay { middle: weights(half), before: (0..half).map(weights).collect(), out: Vec::new() })
    }

    /// Filters a channel. A channel shorter than the window that this was made for stays as it is.
    pub fn apply(&mut self, channel: &mut [f64]) {
        let (n, window) = (channel.len(), self.middle.len());
        if window == 0 || n < window {
            return;
        }
        let half = window / 2;
        // Weights sum up to 1: differences from the number itself leave a channel that stands still as it is.
        let fitted = |from: &[f64], weights: &[f64], at: f64| {
            at + from.iter().zip(weights).map(|(value, weight)| weight * (value - at)).sum::<f64>()
        };
        self.out.clear();
        self.out.extend((0..half).map(|i| fitted(&channel[..window], &self.before[i], channel[i])));
        self.out.extend(channel.windows(window).map(|from| fitted(from, &self.middle, from[half])));
        for i in (0..half).rev() {
            let weights = &self.before[i];
            let from = &channel[n - window..];
            let at = channel[n - 1 - i];
            let sum: f64 = from.iter().rev().zip(weights).map(|(value, weight)| weight * (value - at)).sum();
            self.out.push(at + sum);
        }
        channel.copy_from_slice(&self.out);
    }
}

fn window_frames(options: &SavitzkyGolayOptions, frame_rate: f64) -> Result<usize, FilterError> {
    let least = (options.order + 1) | 1;
    match options.window {
        Window::Seconds(seconds) => {
            check("window in seconds", seconds, 0.0..=MAX_SECONDS)?;
            Ok((2 * count_frames((seconds * frame_rate / 2.0).floor()) + 1).clamp(least, MAX_FRAMES))
        }
        Window::Frames(frames) => {
            let in_range = frames % 2 == 1 && (least..=MAX_FRAMES).contains(&frames);
            let wanted = format!("an odd number from {least} to {MAX_FRAMES}, above the order {},", options.order);
            let error = FilterError::OutOfRange { field: "window in frames", value: frames as f64, wanted };
            if in_range { Ok(frames) } else { Err(error) }
        }
    }
}

/// Channels of `p_k(i)`, k from 0 to the order.
fn orthonormal_polynomials(window: usize, order: usize) -> Vec<Vec<f64>> {
    let half = (window / 2) as f64;
    let mut basis: Vec<Vec<f64>> = vec![vec![(1.0 / window as f64).sqrt(); window]];
    for k in 0..order {
        let last = &basis[k];
        // Between -1 and 1, so that numbers stay of one size.
        let mut next: Vec<f64> = last.iter().enumerate().map(|(i, p)| (i as f64 - half) / half.max(1.0) * p).collect();
        // Twice is enough to be orthogonal to rounding.
        for _ in 0..2 {
            for p in &basis {
                let along: f64 = next.iter().zip(p).map(|(a, b)| a * b).sum();
                next.iter_mut().zip(p).for_each(|(a, b)| *a -= along * b);
            }
        }
        let length = next.iter().map(|a| a * a).sum::<f64>().sqrt();
        next.iter_mut().for_each(|a| *a /= length);
        basis.push(next);
    }
    basis
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filters::reference::{check_channel, test_channel};

    fn fitted(channel: &[f64], frames: usize, order: usize) -> Vec<f64> {
        let mut channel = channel.to_vec();
        let options = SavitzkyGolayOptions { window: Window::Frames(frames), order };
        SavitzkyGolay::new(&options, 60.0, channel.len()).unwrap().apply(&mut channel);
        channel
    }

    /// Against scipy.signal.savgol_filter(x, window, order, mode="interp"), version 1.17. Of window 59 and order 4
    /// scipy is off by 2e-10 in the middle; rational numbers agree with what is here.
    #[test]
    fn it_is_scipys() {
        let cases = [
            (
                5,
                2,
                [
                    0.20889641799158,
                    0.35618017454564,
                    0.56132601040934,
                    0.24095458145819,
                    0.94703912367413,
                    0.78606697185831,
                    1.9884533996415,
                    3.8037700655196,
                    3.749861914923,
                ],
            ),
            (
                11,
                3,
                [
                    0.15197259149202,
                    0.41384556264792,
                    0.64265432469097,
                    0.24023442305948,
                    0.96293419976568,
                    0.75312881665765,
                    1.967703354055,
                    3.7157282633654,
                    3.8370502464516,
                ],
            ),
            (
                21,
                5,
                [
                    0.21815379584462,
                    0.35229262510918,
                    0.57921621265285,
                    0.24068757534324,
                    1.0020860585912,
                    0.70860832835735,
                    1.9192073877045,
                    3.7330761118388,
                    3.8071748605365,
                ],
            ),
            (
                59,
                4,
                [
                    0.6949782259609,
                    0.66101464342118,
                    0.62481139470428,
                    0.33322870589026,
                    0.48190676521179,
                    0.56233532560995,
                    2.5108495034947,
                    3.8795350973051,
                    3.6213990769513,
                ],
            ),
            (
                7,
                0,
                [
                    0.75275834113052,
                    0.75275834113052,
                    0.75275834113052,
                    0.2336424617816,
                    0.88994536742477,
                    0.74164531710196,
                    2.0513650745178,
                    4.0870887063912,
                    4.0870887063912,
                ],
            ),
        ];
        for (window, order, wanted) in cases {
            check_channel(&fitted(&test_channel(), window, order), &wanted);
        }
    }

    #[test]
    fn weights_are_those_of_the_paper() {
        // Savitzky and Golay's table I: five points, quadratic, [-3 12 17 12 -3] / 35.
        let filter =
            SavitzkyGolay::new(&SavitzkyGolayOptions { window: Window::Frames(5), order: 2 }, 60.0, 9).unwrap();
        for (weight, wanted) in filter.middle.iter().zip([-3.0, 12.0, 17.0, 12.0, -3.0]) {
            assert!((weight - wanted / 35.0).abs() < 1e-14);
        }
    }

    #[test]
    fn polynomials_of_its_order_stay_as_they_are_to_the_ends() {
        let channel: Vec<f64> =
            (0..301).map(|i| f64::from(i) / 100.0).map(|t| 1.0 + t - t * t + 0.3 * t * t * t).collect();
        for window in [5, 31, 201, 301] {
            for (a, b) in fitted(&channel, window, 3).iter().zip(&channel) {
                assert!((a - b).abs() < 1e-10, "window {window}: {a} {b}");
            }
        }
        assert_eq!(fitted(&[0.1; 40], 9, 4), [0.1; 40]);
    }

    #[test]
    fn channels_shorter_than_the_window_are_fitted_at_once_or_left() {
        for n in 0..=4 {
            let channel: Vec<f64> = (0..n).map(|i| (i * i * i) as f64).collect();
            assert_eq!(fitted(&channel, 9, 3), channel);
        }
        let channel = [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0];
        assert!(fitted(&channel, 99, 2).iter().all(|value| (-0.1..1.1).contains(value)));
    }

    #[test]
    fn windows_in_seconds_are_odd_and_wrong_ones_refused() {
        let options = |window, order| SavitzkyGolayOptions { window, order };
        let frames = |seconds: f64, rate: f64| window_frames(&options(Window::Seconds(seconds), 3), rate).unwrap();
        assert_eq!([frames(0.15, 120.0), frames(0.15, 30.0), frames(0.0, 120.0), frames(0.1, 60.0)], [19, 5, 5, 7]);
        let refuse = |window, order| window_frames(&options(window, order), 120.0).unwrap_err().to_string();
        assert!(refuse(Window::Frames(8), 3).starts_with("window in frames is 8; an odd number from 5 to 10001"));
        assert!(refuse(Window::Frames(3), 3).contains("above the order 3"));
        assert!(refuse(Window::Seconds(-1.0), 3).starts_with("window in seconds is -1"));
        let error = SavitzkyGolay::new(&options(Window::Frames(31), 11), 120.0, 100).unwrap_err().to_string();
        assert_eq!(error, "order is 11; a number from 0 to 10 would be right");
    }
}
