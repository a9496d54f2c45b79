//! What it costs that two samples, or two segments, correspond.

use super::{CorrespondOptions, Samples};

/// What lengths, angles and values are measured in; the same at every level of detail.
#[derive(Clone, Debug)]
pub(super) struct Scales {
    /// Standard deviation of a channel about its mean, root mean square over channels and both signals.
    deviation: f64,
    /// How fast a channel changes, in deviations per second, root mean square.
    speed: f64,
    stretching: f64,
    bending: f64,
    value: f64,
}

impl Scales {
    pub(super) fn of(signals: &[Samples; 2], options: &CorrespondOptions) -> Scales {
        let n_frames: usize = signals.iter().map(|signal| signal.n_frames).sum();
        let n_steps: usize = signals.iter().map(|signal| signal.n_frames.saturating_sub(1)).sum();
        let variance = signals.iter().map(squares_about_mean).sum::<f64>() / n_frames.max(1) as f64;
        let deviation = if variance > 0.0 { variance.sqrt() } else { 1.0 };
        let rate = signals[0].frame_rate;
        let changes = signals.iter().map(squares_of_changes).sum::<f64>() / n_steps.max(1) as f64;
        let speed = if changes > 0.0 { changes.sqrt() * rate / deviation } else { 1.0 };
        Scales { deviation, speed, stretching: options.stretching, bending: options.bending, value: options.value }
    }
}

/// Weighted squares of all values about the means of their channels.
fn squares_about_mean(signal: &Samples) -> f64 {
    let mut sum = 0.0;
    for (channel, weight) in signal.weights.iter().enumerate() {
        let values = || signal.values.iter().skip(channel).step_by(signal.n_channels());
        let mean = values().sum::<f64>() / signal.n_frames as f64;
        sum += weight * values().map(|value| (value - mean).powi(2)).sum::<f64>();
    }
    sum
}

/// Weighted squares of all changes from a sample to the next.
fn squares_of_changes(signal: &Samples) -> f64 {
    let pairs = (1..signal.n_frames).map(|frame| (signal.at(frame - 1), signal.at(frame)));
    pairs
        .map(|(before, at)| {
            let channels = before.iter().zip(at).zip(&signal.weights);
            channels.map(|((before, at), weight)| weight * (at - before).powi(2)).sum::<f64>()
        })
        .sum()
}

/// All that one signal adds to the costs, sample by sample, with weights multiplied in.
pub(super) struct Costs {
    pub(super) n_frames: usize,
    /// Compared by squares.
    values: Table,
    /// Lengths of the segments that end in each sample.
    lengths: Table,
    /// How far the signal turns at each sample: 180 degrees less the angle.
    turns: Table,
    /// 1 where a sample is a local minimum, -1 at a local maximum, else 0.
    extrema: Table,
    /// What it costs to go on to a sample while the other signal stays: the segment is stretched from a point, and the
    /// angle at the sample before it is bent from a straight line, for a segment that is a point has no direction of
    /// its own.
    pub(super) alone: Vec<f64>,
    /// What it costs to bend the angle at a sample from a straight line.
    pub(super) straight: Vec<f64>,
}

/// Some numbers for each sample.
struct Table {
    width: usize,
    numbers: Vec<f64>,
}

impl Table {
    /// Zeros; of no width if they would all be multiplied by 0.
    fn new(n_frames: usize, n_channels: usize, cost: f64) -> Table {
        let width = if cost > 0.0 { n_channels } else { 0 };
        Table { width, numbers: vec![0.0; n_frames * width] }
    }

    fn at(&self, frame: usize) -> &[f64] {
        &self.numbers[frame * self.width..(frame + 1) * self.width]
    }

    fn at_mut(&mut self, frame: usize) -> &mut [f64] {
        &mut self.numbers[frame * self.width..(frame + 1) * self.width]
    }
}

impl Costs {
    pub(super) fn of(signal: &Samples, scales: &Scales) -> Costs {
        let (n, n_channels) = (signal.n_frames, signal.n_channels());
        let seconds = signal.frame_rate.recip();
        let mut values = Table::new(n, n_channels, scales.value);
        let mut lengths = Table::new(n, n_channels, scales.stretching);
        let mut turns = Table::new(n, n_channels, scales.bending);
        let mut extrema = Table::new(n, n_channels, scales.bending);
        let weigh = |cost: f64| -> Vec<f64> { signal.weights.iter().map(|weight| weight * cost).collect() };
        let [by_stretching, by_bending] = [weigh(scales.stretching), weigh(scales.bending)];
        let by_value: Vec<f64> =
            weigh(scales.value * seconds).iter().map(|weight| weight.sqrt() / scales.deviation).collect();
        // A frame is as long, as a vertex's first coordinate, as a channel typically changes in it.
        let across = scales.speed * seconds;
        let steepness = (scales.deviation * across).recip();
        // How steep the segments before and after a sample are, and their angles.
        let mut before = vec![[0.0f64; 2]; n_channels];
        let mut after = before.clone();
        for frame in 0..n {
            let here = signal.at(frame);
            for (value, (channel, weight)) in values.at_mut(frame).iter_mut().zip(here.iter().zip(&by_value)) {
                *value = channel * weight;
            }
            for (length, ([steep, _], weight)) in
                lengths.at_mut(frame).iter_mut().zip(before.iter().zip(&by_stretching))
            {
                *length = if frame == 0 { 0.0 } else { weight * across * (1.0 + steep * steep).sqrt() };
            }
            if frame + 1 == n {
                break;
            }
            for (steep, (channel, next)) in after.iter_mut().zip(here.iter().zip(signal.at(frame + 1))) {
                let rise = (next - channel) * steepness;
                *steep = [rise, if scales.bending > 0.0 { rise.atan() } else { 0.0 }];
            }
            if frame > 0 && scales.bending > 0.0 {
                let segments = before.iter().zip(&after);
                let numbers = turns.at_mut(frame).iter_mut().zip(extrema.at_mut(frame));
                for ((turn, extremum), (([falls, from], [rises, to]), weight)) in numbers.zip(segments.zip(&by_bending))
                {
                    *turn = weight * (to - from).abs();
                    *extremum =
                        f64::from(i8::from(*falls < 0.0 && *rises > 0.0) - i8::from(*falls > 0.0 && *rises < 0.0));
                }
            }
            std::mem::swap(&mut before, &mut after);
        }
        let straight: Vec<f64> = (0..n).map(|frame| turns.at(frame).iter().sum()).collect();
        let bent_before = std::iter::once(0.0).chain(straight.iter().copied());
        let alone = bent_before.take(n).enumerate().map(|(frame, bent)| bent + lengths.at(frame).iter().sum::<f64>());
        let alone = alone.collect();
        Costs { n_frames: n, values, lengths, turns, extrema, alone, straight }
    }
}

/// What it costs, for half a frame, that two samples correspond whose values differ.
pub(super) fn differ(a: &Costs, b: &Costs, i: usize, j: usize) -> f64 {
    0.5 * sum_of(a.values.at(i), b.values.at(j), |a, b| (a - b) * (a - b))
}

/// What it costs to stretch the segment that ends in one sample into the one that ends in the other.
pub(super) fn stretch(a: &Costs, b: &Costs, i: usize, j: usize) -> f64 {
    sum_of(a.lengths.at(i), b.lengths.at(j), |a, b| (a - b).abs())
}

/// What it costs to bend the angle at one sample into that at the other. Where one is a minimum and the other a
/// maximum, one angle is taken from the other side: `|(360 - alpha) - beta|` is the sum of both turns, which is their
/// difference and twice the smaller one.
pub(super) fn bend(a: &Costs, b: &Costs, i: usize, j: usize) -> f64 {
    let plain = sum_of(a.turns.at(i), b.turns.at(j), |a, b| (a - b).abs());
    let (turns_a, rest_turns_a) = a.turns.at(i).as_chunks::<LANES>();
    let (turns_b, rest_turns_b) = b.turns.at(j).as_chunks::<LANES>();
    let (extrema_a, rest_extrema_a) = a.extrema.at(i).as_chunks::<LANES>();
    let (extrema_b, rest_extrema_b) = b.extrema.at(j).as_chunks::<LANES>();
    let against = |turn_a: f64, turn_b: f64, extremum_a: f64, extremum_b: f64| {
        let smaller = if turn_a < turn_b { turn_a } else { turn_b };
        let opposite = -extremum_a * extremum_b;
        2.0 * smaller * if opposite > 0.0 { opposite } else { 0.0 }
    };
    let mut sums = [0.0; LANES];
    for ((turns_a, turns_b), (extrema_a, extrema_b)) in turns_a.iter().zip(turns_b).zip(extrema_a.iter().zip(extrema_b))
    {
        for lane in 0..LANES {
            sums[lane] += against(turns_a[lane], turns_b[lane], extrema_a[lane], extrema_b[lane]);
        }
    }
    let rest = rest_turns_a.iter().zip(rest_turns_b).zip(rest_extrema_a.iter().zip(rest_extrema_b));
    let rest =
        rest.map(|((turn_a, turn_b), (extremum_a, extremum_b))| against(*turn_a, *turn_b, *extremum_a, *extremum_b));
    plain + sums.iter().sum::<f64>() + rest.sum::<f64>()
}

/// Sums are taken side by side, for the vector unit.
const LANES: usize = 4;

/// The sum of what numbers of both give.
#[inline]
fn sum_of(a: &[f64], b: &[f64], of: impl Fn(f64, f64) -> f64) -> f64 {
    let ((chunks_a, rest_a), (chunks_b, rest_b)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sums = [0.0; LANES];
    for (a, b) in chunks_a.iter().zip(chunks_b) {
        for lane in 0..LANES {
            sums[lane] += of(a[lane], b[lane]);
        }
    }
    sums.iter().sum::<f64>() + rest_a.iter().zip(rest_b).map(|(a, b)| of(*a, *b)).sum::<f64>()
}
