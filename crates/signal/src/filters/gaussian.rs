//! Gaussian smoothing: a weighted mean of neighbours that never overshoots.

use super::{FilterError, check};
use crate::bands::{Edge, extend};

/// How wide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaussianOptions {
    /// Standard deviation in seconds, 0 to 10. Default 0.03: half of the amplitude is left at `0.187 / sigma`, here 6.2
    /// Hz. Less than a quarter of a frame does nothing.
    pub sigma_seconds: f64,
    /// What is taken for the frames outside. Default point-reflected: the ends stay, and do not flatten.
    pub edge: Edge,
}

impl Default for GaussianOptions {
    fn default() -> GaussianOptions {
        GaussianOptions { sigma_seconds: 0.03, edge: Edge::PointReflected }
    }
}

/// Weights farther out than this many standard deviations are left off: below 1/3000 of the one in the middle.
const REACH: f64 = 4.0;

/// A filter for channels of one frame rate; uses its memory again.
#[derive(Clone, Debug)]
pub struct Gaussian {
    /// Of the neighbours, from 1 away on; the middle has the rest.
    weights: Vec<f64>,
    edge: Edge,
    padded: Vec<f64>,
    out: Vec<f64>,
}

impl Gaussian {
    /// The filter for a frame rate.
    pub fn new(options: &GaussianOptions, frame_rate: f64) -> Result<Gaussian, FilterError> {
        check("sigma_seconds", options.sigma_seconds, 0.0..=10.0)?;
        let sigma = options.sigma_seconds * frame_rate;
        let reach = if sigma < 0.25 { 0 } else { (REACH * sigma + 0.5).floor() as usize };
        let mut weights: Vec<f64> = (1..=reach).map(|i| (-0.5 * (i as f64 / sigma).powi(2)).exp()).collect();
        let sum = 1.0 + 2.0 * weights.iter().sum::<f64>();
        weights.iter_mut().for_each(|weight| *weight /= sum);
        Ok(Gaussian { weights, edge: options.edge, padded: Vec::new(), out: Vec::new() })
    }

    /// Smooths a channel.
    pub fn apply(&mut self, channel: &mut [f64]) {
        let (n, room) = (channel.len(), self.weights.len());
        if room == 0 || n < 2 {
            return;
        }
        self.padded.clear();
        self.padded.resize(n + 2 * room, 0.0);
        self.padded[room..room + n].copy_from_slice(channel);
        extend(&mut self.padded, room, self.edge);
        self.out.clear();
        self.out.resize(n, 0.0);
        // Neighbour by neighbour, so that the inner loop runs along the channel; as differences, so that a channel that stands
        // still does.
        for (i, weight) in (1..).zip(&self.weights) {
            let (before, after) = (&self.padded[room - i..], &self.padded[room + i..]);
            for (out, (at, (before, after))) in self.out.iter_mut().zip(channel.iter().zip(before.iter().zip(after))) {
                *out += weight * ((before - at) + (after - at));
            }
        }
        channel.iter_mut().zip(&self.out).for_each(|(value, more)| *value += more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filters::reference::{check_channel, test_channel};

    fn smoothed(channel: &[f64], sigma_frames: f64, edge: Edge) -> Vec<f64> {
        let mut channel = channel.to_vec();
        Gaussian::new(&GaussianOptions { sigma_seconds: sigma_frames / 50.0, edge }, 50.0).unwrap().apply(&mut channel);
        channel
    }

    /// Against scipy.ndimage.gaussian_filter1d(x, sigma, mode="mirror" or "nearest"), version 1.17.
    #[test]
    fn it_is_scipys() {
        let cases = [
            (
                0.8,
                Edge::Reflected,
                [
                    0.29659574705165,
                    0.33970916412638,
                    0.53824366998845,
                    0.23966442269367,
                    0.9288418635887,
                    0.78901237768264,
                    2.0097263566049,
                    3.7047772499127,
                    3.7040511982585,
                ],
            ),
            (
                0.8,
                Edge::Held,
                [
                    0.27451852124701,
                    0.33779913949027,
                    0.53820616645673,
                    0.23966442269367,
                    0.9288418635887,
                    0.78901237768264,
                    2.0097263566049,
                    3.7137879030361,
                    3.7955718728437,
                ],
            ),
            (
                12.0,
                Edge::Reflected,
                [
                    0.42864537698429,
                    0.42827502684479,
                    0.42719548654433,
                    0.40811074281465,
                    0.58967640142333,
                    0.60746923647002,
                    2.3995101939034,
                    4.5209789457481,
                    4.5213146485239,
                ],
            ),
            (
                12.0,
                Edge::Held,
                [
                    0.34054333621333,
                    0.34211858054316,
                    0.34337923254372,
                    0.35504703327239,
                    0.58700172837034,
                    0.60534086191868,
                    2.3995101939034,
                    4.2268358046419,
                    4.2042035979764,
                ],
            ),
        ];
        for (sigma, edge, wanted) in cases {
            check_channel(&smoothed(&test_channel(), sigma, edge), &wanted);
        }
    }

    #[test]
    fn ends_turned_about_stay_and_even_motion_goes_on() {
        let channel = test_channel();
        let out = smoothed(&channel, 3.0, Edge::PointReflected);
        assert!((out[0] - channel[0]).abs() < 1e-12 && (out[239] - channel[239]).abs() < 1e-12);
        let line: Vec<f64> = (0..9).map(|i| 3.0 - 0.1 * f64::from(i)).collect();
        for (a, b) in smoothed(&line, 6.0, Edge::PointReflected).iter().zip(&line) {
            assert!((a - b).abs() < 1e-12, "wider than the channel: {a} {b}");
        }
    }

    #[test]
    fn too_narrow_does_nothing_and_wrong_is_refused() {
        let channel = test_channel();
        assert_eq!(smoothed(&channel, 0.1, Edge::Held), channel);
        for sigma in [-1.0, f64::NAN, 11.0] {
            let error = Gaussian::new(&GaussianOptions { sigma_seconds: sigma, ..GaussianOptions::default() }, 50.0);
            assert!(error.unwrap_err().to_string().starts_with("sigma_seconds is"));
        }
    }
}
