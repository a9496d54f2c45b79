//! One channel split into bands of frequencies, an octave each, and put together again.
//!
//! Reference: SIGNAL 5.1.1.
//!
//! Idea: a channel is smoothed again and again, each time twice as widely. What two neighbouring levels differ by is a
//! band; the last level, the paper's "DC", is what is too slow to be told from standing still. Bands and last level
//! together are the channel.
//!
//! 1. `G_0` is the channel. `G_k+1(i) = sum over m of w(m) G_k(i + 2^k m)`, m from -2 to 2, `w = [1 4 6 4 1] / 16`: the
//!    kernel stays as it is, and samples are skipped.
//! 2. `L_k = G_k - G_k+1`. Band 0 is the fastest.
//! 3. A channel of m frames has n bands, where `2^n <= m`.
//!
//! The kernel is the binomial one, so that its transfer function is `cos^4(w / 2)` at `w` radians a frame, and that of
//! level k the product of `cos^4(2^j w / 2)` over the j below k. All are real and not negative: no band shifts anything
//! in time. Bands overlap by far: a sine at the peak of one is to one half in it, and the rest in its neighbours.
//!
//! Departures: the kernel is applied as differences from its middle, `L_k(i) = sum of w(m) (G_k(i) - G_k(i + 2^k m))`.
//! That is the same, but a channel that stands still has bands of exact zeros. A third method to treat edges stands beside the
//! paper's two: [`Edge::PointReflected`], for channels that do not stop at their ends. Kernels may be wider than the channel:
//! it is then reflected again and again.

use std::f64::consts::PI;
use std::ops::RangeInclusive;

/// What is taken for the frames before the first and after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Edge {
    /// The channel backwards, the end frame once: `x(-i) = x(i)`.
    #[default]
    Reflected,
    /// The end frame: `x(-i) = x(0)`.
    Held,
    /// The channel turned about its end by half a turn: `x(-i) = 2 x(0) - x(i)`. What moves evenly goes on moving evenly,
    /// and the end frames are in no band but the last level. For a place on the ground, a heading.
    PointReflected,
}

/// How many bands a channel of so many frames has: n with `2^n <= n_frames`, 0 for no frame or one (SIGNAL 5.1.1).
pub fn count_bands(n_frames: usize) -> usize {
    n_frames.checked_ilog2().unwrap_or(0) as usize
}

/// The weights of neighbours one step away, and two; the middle has the rest.
const NEAR: f64 = 0.25;
const FAR: f64 = 0.0625;

/// The bands of one channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Bands {
    n_frames: usize,
    n_bands: usize,
    /// Band after band, then the last level.
    values: Vec<f64>,
}

impl Bands {
    /// Splits a channel into its [`count_bands`] bands.
    pub fn split(channel: &[f64], edge: Edge) -> Bands {
        BandSplitter::default().split(channel, edge)
    }

    /// How many bands there are beside the last level.
    pub fn n_bands(&self) -> usize {
        self.n_bands
    }

    /// A band, 0 the fastest.
    pub fn band(&self, band: usize) -> &[f64] {
        assert!(band < self.n_bands, "band {band} of {}", self.n_bands);
        self.stored(band)
    }

    /// The last level: what is slower than all bands.
    pub fn dc(&self) -> &[f64] {
        self.stored(self.n_bands)
    }

    /// `G_k`, the channel smoothed k times: the sum of the last level and of all bands from k on.
    pub fn gaussian(&self, k: usize) -> Vec<f64> {
        let mut sum = self.dc().to_vec();
        for band in (k..self.n_bands).rev() {
            for (sum, value) in sum.iter_mut().zip(self.band(band)) {
                *sum += value;
            }
        }
        sum
    }

    /// The channel again.
    pub fn sum(&self) -> Vec<f64> {
        self.gaussian(0)
    }

    fn stored(&self, k: usize) -> &[f64] {
        &self.values[k * self.n_frames..(k + 1) * self.n_frames]
    }
}

/// Splits channels one after another, using its memory again.
#[derive(Clone, Debug, Default)]
pub struct BandSplitter {
    /// The level that was reached, with room on both sides for what is taken for the frames outside.
    padded: Vec<f64>,
    /// How much room there is before the level.
    room: usize,
    details: Vec<f64>,
}

impl BandSplitter {
    /// Splits a channel, see [`Bands::split`].
    pub fn split(&mut self, channel: &[f64], edge: Edge) -> Bands {
        let n_bands = count_bands(channel.len());
        let mut values = Vec::with_capacity(channel.len() * (n_bands + 1));
        self.load(channel, n_bands);
        for band in 0..n_bands {
            self.next_level(band, edge);
            values.extend_from_slice(&self.details);
        }
        values.extend_from_slice(&self.padded[self.room..self.room + channel.len()]);
        Bands { n_frames: channel.len(), n_bands, values }
    }

    /// Multiplies the bands of a channel by gains and sums all up again: `channel + sum of (gain_k - 1) L_k`. A channel with all
    /// gains 1 is not touched. Bands without a gain stay as they are; gains without a band have no effect.
    pub fn weigh(&mut self, channel: &mut [f64], gains: &[f64], edge: Edge) {
        let gains = &gains[..gains.len().min(count_bands(channel.len()))];
        let n_bands = gains.iter().rposition(|gain| *gain != 1.0).map_or(0, |last| last + 1);
        self.load(channel, n_bands);
        for (band, gain) in gains[..n_bands].iter().enumerate() {
            self.next_level(band, edge);
            let more = gain - 1.0;
            if more != 0.0 {
                for (value, detail) in channel.iter_mut().zip(&self.details) {
                    *value += more * detail;
                }
            }
        }
    }

    fn load(&mut self, channel: &[f64], n_bands: usize) {
        self.room = if n_bands == 0 { 0 } else { 1 << n_bands };
        self.padded.clear();
        self.padded.resize(channel.len() + 2 * self.room, 0.0);
        self.padded[self.room..self.room + channel.len()].copy_from_slice(channel);
        self.details.clear();
        self.details.resize(channel.len(), 0.0);
    }

    /// Steps 1 and 2: fills the details with `L_k`, and goes from `G_k` to `G_k+1`.
    fn next_level(&mut self, k: usize, edge: Edge) {
        let (step, n) = (1 << k, self.details.len());
        let padded = &mut self.padded[self.room - 2 * step..self.room + n + 2 * step];
        extend(padded, 2 * step, edge);
        fill_details(padded, step, &mut self.details);
        for (level, detail) in padded[2 * step..].iter_mut().zip(&self.details) {
            *level -= detail;
        }
    }
}

/// `L_k(i) = sum of w(m) (G_k(i) - G_k(i + 2^k m))`. `padded` begins two steps before the first frame.
fn fill_details(padded: &[f64], step: usize, details: &mut [f64]) {
    let n = details.len();
    let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|m| &padded[m * step..m * step + n]);
    for (i, detail) in details.iter_mut().enumerate() {
        *detail = ((c[i] - b[i]) + (c[i] - d[i])) * NEAR + ((c[i] - a[i]) + (c[i] - e[i])) * FAR;
    }
}

/// Fills `room` numbers before and after the channel that stands between them.
pub(crate) fn extend(padded: &mut [f64], room: usize, edge: Edge) {
    let n = padded.len() - 2 * room;
    if n == 0 || room == 0 {
        return;
    }
    let (first, last) = (room, room + n - 1);
    let (at_first, at_last) = (padded[first], padded[last]);
    if n == 1 || edge == Edge::Held {
        padded[..first].fill(at_first);
        padded[last + 1..].fill(at_last);
        return;
    }
    let once = room.min(n - 1);
    for i in 1..=once {
        let (before, after) = (padded[first + i], padded[last - i]);
        (padded[first - i], padded[last + i]) = match edge {
            Edge::PointReflected => (2.0 * at_first - before, 2.0 * at_last - after),
            _ => (before, after),
        };
    }
    // Farther out the channel repeats itself, forth and back, and moves on by as much as it did.
    let period = 2 * (n - 1);
    let drift = if edge == Edge::PointReflected { 2.0 * (at_last - at_first) } else { 0.0 };
    for i in once + 1..=room {
        padded[first - i] = padded[first - i + period] - drift;
        padded[last + i] = padded[last + i - period] + drift;
    }
}

/// The transfer function of level `k`: what is left of a sine after so many smoothings, at any frequency up to half the
/// frame rate.
pub fn level_response(k: usize, hz: f64, frame_rate: f64) -> f64 {
    let half = PI * hz / frame_rate;
    (0..k).map(|j| ((1_u64 << j) as f64 * half).cos().powi(4)).product()
}

/// The transfer function of a band: by how much a sine comes through, at any frequency up to half the frame rate.
pub fn band_response(band: usize, hz: f64, frame_rate: f64) -> f64 {
    level_response(band, hz, frame_rate) - level_response(band + 1, hz, frame_rate)
}

/// What gains on bands do to a sine: 1 where nothing changes. Zero phase, so that this is all.
pub fn gains_response(gains: &[f64], hz: f64, frame_rate: f64) -> f64 {
    let more = gains.iter().enumerate().map(|(band, gain)| (gain - 1.0) * band_response(band, hz, frame_rate));
    1.0 + more.sum::<f64>()
}

/// A band in Hz.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BandRange {
    /// Its number; 0 is the fastest.
    pub band: usize,
    /// Where it responds most.
    pub peak_hz: f64,
    /// By how much it responds there: 1 for band 0, near 0.5 for the others.
    pub peak: f64,
    /// Between these it responds by at least half of that. Band 0 ends at half the frame rate.
    pub half_hz: (f64, f64),
}

/// The bands of a channel of so many frames, the fastest first.
pub fn band_ranges(n_frames: usize, frame_rate: f64) -> Vec<BandRange> {
    (0..count_bands(n_frames)).map(|band| band_range(band, frame_rate)).collect()
}

fn band_range(band: usize, frame_rate: f64) -> BandRange {
    let at = |hz: f64| band_response(band, hz, frame_rate);
    // The main lobe ends where level k has its first zero.
    let end = frame_rate * 0.5_f64.min(1.0 / (1_u64 << band) as f64);
    let peak_hz = if band == 0 { end } else { highest(at, 0.0, end) };
    let peak = at(peak_hz);
    let low = crossing(at, 0.0, peak_hz, peak / 2.0);
    let high = if band == 0 { end } else { crossing(at, end, peak_hz, peak / 2.0) };
    BandRange { band, peak_hz, peak, half_hz: (low, high) }
}

/// Rounds of narrowing a search: below rounding.
const ROUNDS: usize = 80;

/// Where a function with one peak is highest, by golden sections.
fn highest(at: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    for _ in 0..ROUNDS {
        let width = GOLDEN * (high - low);
        if at(high - width) < at(low + width) { low = high - width } else { high = low + width }
    }
    (low + high) / 2.0
}

/// Where a function comes up to `wanted` on its way from `below` to `above`, by halving.
fn crossing(at: impl Fn(f64) -> f64, mut below: f64, mut above: f64, wanted: f64) -> f64 {
    for _ in 0..ROUNDS {
        let middle = (below + above) / 2.0;
        if at(middle) < wanted { below = middle } else { above = middle }
    }
    (below + above) / 2.0
}

/// Which bands a range of frequencies means: those that peak in it, or the one that peaks nearest to its middle (in
/// octaves) where none does. Empty only for a channel without bands.
pub fn choose_bands(n_frames: usize, frame_rate: f64, range_hz: RangeInclusive<f64>) -> Vec<usize> {
    let ranges = band_ranges(n_frames, frame_rate);
    let inside: Vec<usize> =
        ranges.iter().filter(|range| range_hz.contains(&range.peak_hz)).map(|range| range.band).collect();
    if !inside.is_empty() {
        return inside;
    }
    let middle = (range_hz.start().max(1e-9) * range_hz.end().max(1e-9)).sqrt();
    let away = |range: &BandRange| (range.peak_hz / middle).log2().abs();
    let nearest = ranges.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
    nearest.map(|range| range.band).into_iter().collect()
}

/// Gains that do the same at any frame rate: each band has the gain that a curve over frequencies has in the band's
/// middle, which is the mean of its transfer function in octaves.
pub fn gains_of_curve(n_frames: usize, frame_rate: f64, gain_at: impl Fn(f64) -> f64) -> Vec<f64> {
    (0..count_bands(n_frames)).map(|band| gain_at(middle_hz(band, frame_rate))).collect()
}

fn middle_hz(band: usize, frame_rate: f64) -> f64 {
    /// Steps of the sums.
    const PER_OCTAVE: usize = 16;
    // From half the frame rate down to where nothing is left of the band.
    let steps = (0..PER_OCTAVE * (band + 5)).map(|step| (step as f64 + 0.5) / PER_OCTAVE as f64);
    let (mut sum, mut weights) = (0.0, 0.0);
    for octaves in steps {
        let weight = band_response(band, frame_rate / 2.0 * (-octaves).exp2(), frame_rate);
        sum += weight * octaves;
        weights += weight;
    }
    frame_rate / 2.0 * (-sum / weights).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::TAU;

    const EDGES: [Edge; 3] = [Edge::Reflected, Edge::Held, Edge::PointReflected];

    /// Where the channel is at any frame, said plainly and slowly: the definition that `extend` must agree with.
    fn outside(channel: &[f64], i: isize, edge: Edge) -> f64 {
        let last = channel.len() as isize - 1;
        if (0..=last).contains(&i) {
            return channel[i as usize];
        }
        let (end, mirrored) = if i < 0 { (0, -i) } else { (last, 2 * last - i) };
        match edge {
            _ if last == 0 => channel[0],
            Edge::Held => channel[end as usize],
            Edge::Reflected => outside(channel, mirrored, edge),
            Edge::PointReflected => 2.0 * channel[end as usize] - outside(channel, mirrored, edge),
        }
    }

    /// SIGNAL 5.1.1 as it stands in the paper.
    fn by_the_paper(channel: &[f64], edge: Edge) -> (Vec<Vec<f64>>, Vec<f64>) {
        let (mut level, mut bands) = (channel.to_vec(), Vec::new());
        for k in 0..count_bands(channel.len()) {
            let at = |i: usize| {
                let value = |m: isize| outside(&level, i as isize + (m << k), edge);
                [1.0, 4.0, 6.0, 4.0, 1.0].iter().zip(-2..).map(|(w, m)| w / 16.0 * value(m)).sum::<f64>()
            };
            let next: Vec<f64> = (0..channel.len()).map(at).collect();
            bands.push(level.iter().zip(&next).map(|(a, b)| a - b).collect());
            level = next;
        }
        (bands, level)
    }

    fn any_channel() -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(-10.0..10.0f64, 0..70)
    }

    fn any_edge() -> impl Strategy<Value = Edge> {
        prop::sample::select(EDGES.to_vec())
    }

    proptest! {
        #[test]
        fn bands_are_the_papers_and_their_sum_is_the_channel(channel in any_channel(), edge in any_edge()) {
            let split = Bands::split(&channel, edge);
            let (bands, dc) = by_the_paper(&channel, edge);
            prop_assert_eq!(split.n_bands(), bands.len());
            for (k, band) in bands.iter().enumerate() {
                for (a, b) in split.band(k).iter().zip(band) {
                    prop_assert!((a - b).abs() < 1e-12, "band {k}: {a} {b}");
                }
            }
            for (a, b) in split.dc().iter().zip(&dc).chain(split.sum().iter().zip(&channel)) {
                prop_assert!((a - b).abs() < 1e-12, "{a} {b}");
            }
        }

        #[test]
        fn weighing_is_the_sum_of_bands_times_gains(
            channel in any_channel(), gains in prop::collection::vec(-3.0..3.0f64, 0..9), edge in any_edge(),
        ) {
            let split = Bands::split(&channel, edge);
            let mut weighed = channel.clone();
            BandSplitter::default().weigh(&mut weighed, &gains, edge);
            for (i, value) in weighed.iter().enumerate() {
                let sum: f64 = (0..split.n_bands())
                    .map(|k| gains.get(k).unwrap_or(&1.0) * split.band(k)[i])
                    .sum::<f64>() + split.dc()[i];
                prop_assert!((value - sum).abs() < 1e-11, "{value} {sum}");
            }
        }

        #[test]
        fn gains_of_one_touch_nothing(channel in any_channel(), edge in any_edge()) {
            let mut weighed = channel.clone();
            BandSplitter::default().weigh(&mut weighed, &[1.0; 12], edge);
            prop_assert_eq!(weighed, channel);
        }
    }

    #[test]
    fn the_number_of_bands_is_the_papers() {
        for (n_frames, wanted) in [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (127, 6), (128, 7), (1200, 10)] {
            assert_eq!(count_bands(n_frames), wanted, "{n_frames} frames");
        }
    }

    #[test]
    fn sines_come_through_as_the_transfer_function_says() {
        // Whole periods between the reflections, so that a cosine goes on as a cosine.
        let n = 1025;
        for periods in [1, 3, 8, 20, 51, 96, 200, 333, 511, 512] {
            let hz = f64::from(periods) / 2.0;
            let rate = (n - 1) as f64;
            let channel: Vec<f64> = (0..n).map(|i| (TAU * hz * i as f64 / rate).cos()).collect();
            let split = Bands::split(&channel, Edge::Reflected);
            for band in 0..split.n_bands() {
                let response = band_response(band, hz, rate);
                for (a, b) in split.band(band).iter().zip(&channel) {
                    assert!((a - response * b).abs() < 1e-12, "band {band} at {hz} Hz: {a}, not {}", response * b);
                }
            }
            let rest = level_response(split.n_bands(), hz, rate);
            assert!(split.dc().iter().zip(&channel).all(|(a, b)| (a - rest * b).abs() < 1e-12));
        }
    }

    #[test]
    fn what_does_not_move_has_no_bands_and_what_moves_evenly_has_none_when_turned_about_its_ends() {
        for edge in EDGES {
            let split = Bands::split(&[0.1; 77], edge);
            assert!((0..6).all(|band| split.band(band).iter().all(|value| *value == 0.0)));
        }
        let line: Vec<f64> = (0..300).map(|i| 0.3 - 0.7 * f64::from(i)).collect();
        let split = Bands::split(&line, Edge::PointReflected);
        assert!((0..8).all(|band| split.band(band).iter().all(|value| value.abs() < 1e-11)));
    }

    #[test]
    fn the_ends_of_a_channel_turned_about_them_stay_whatever_the_gains() {
        let channel: Vec<f64> = (0..200).map(|i| (f64::from(i) * 0.11).sin() + f64::from(i)).collect();
        let mut weighed = channel.clone();
        BandSplitter::default().weigh(&mut weighed, &[5.0, -3.0, 2.0, 0.0, 4.0, 2.0], Edge::PointReflected);
        assert!((weighed[0] - channel[0]).abs() < 1e-12 && (weighed[199] - channel[199]).abs() < 1e-12);
        assert!((weighed[60] - channel[60]).abs() > 0.1);
    }

    #[test]
    fn bands_in_hertz_are_an_octave_apart_and_follow_the_frame_rate() {
        let at_120 = band_ranges(1200, 120.0);
        assert_eq!(at_120.len(), 10);
        assert_eq!((at_120[0].peak_hz, at_120[0].peak, at_120[0].half_hz.1), (60.0, 1.0, 60.0));
        // cos^4(pi f / rate) = 1/2.
        assert!((at_120[0].half_hz.0 - 120.0 / PI * 0.5_f64.powf(0.25).acos()).abs() < 1e-9);
        for pair in at_120[2..].windows(2) {
            let octave = pair[0].peak_hz / pair[1].peak_hz;
            assert!((1.9..2.1).contains(&octave), "{pair:?}");
            assert!(pair[1].half_hz.0 < pair[1].peak_hz && pair[1].peak_hz < pair[1].half_hz.1);
            let at_half = band_response(pair[1].band, pair[1].half_hz.1, 120.0);
            assert!((at_half - pair[1].peak / 2.0).abs() < 1e-9 && (0.49..0.51).contains(&pair[1].peak));
        }
        // The middle bands of the paper's walk at 30 frames a second are the stride, the step and half the stride.
        let at_30 = band_ranges(300, 30.0);
        for (band, hz) in [(2, 2.0), (3, 1.0), (4, 0.5)] {
            assert!((at_30[band].peak_hz / hz - 1.0).abs() < 0.05, "{:?}", at_30[band]);
            assert!((at_120[band + 2].peak_hz / at_30[band].peak_hz - 1.0).abs() < 0.02);
        }
    }

    #[test]
    fn bands_are_chosen_by_hertz() {
        assert_eq!(choose_bands(1200, 120.0, 0.4..=2.5), [4, 5, 6]);
        assert_eq!(choose_bands(300, 30.0, 0.4..=2.5), [2, 3, 4]);
        // Narrower than any band: the nearest.
        assert_eq!(choose_bands(1200, 120.0, 1.2..=1.25), [5]);
        assert_eq!(choose_bands(1200, 120.0, 0.0..=0.001), [9]);
        assert!(choose_bands(1, 120.0, 0.0..=60.0).is_empty());
    }

    #[test]
    fn gains_of_a_curve_do_the_same_at_any_rate() {
        // A hill of 0.8, two octaves to each side of 1 Hz.
        let curve = |hz: f64| 1.0 + 0.8 * (1.0 - hz.log2().abs() / 2.0).max(0.0);
        let respond =
            |rate: f64, hz: f64| gains_response(&gains_of_curve((10.0 * rate) as usize, rate, curve), hz, rate);
        for hz in [0.2, 0.5, 1.0, 2.0, 4.0] {
            let at_120 = respond(120.0, hz);
            for rate in [25.0, 30.0, 60.0, 100.0, 240.0] {
                assert!((respond(rate, hz) - at_120).abs() < 0.06, "{hz} Hz at {rate}: {} {at_120}", respond(rate, hz));
            }
        }
        assert!(respond(120.0, 1.0) > 1.5 && respond(120.0, 10.0) < 1.1);
    }
}
