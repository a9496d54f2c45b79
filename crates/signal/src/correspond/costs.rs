//! What it costs that two samples, or two segments, correspond.

use super::{CorrespondOptions, Samples};

/// What lengths, angles and values are measured in; the same at every level of detail.
#[derive(Clone, Debug)]
pub(super) struct Scales {
    /// Standard deviation of a row about its mean, root mean square over rows and both signals.
    deviation: f64,
    /// How fast a row changes, in deviations per second, root mean square.
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

/// Weighted squares of all values about the means of their rows.
fn squares_about_mean(signal: &Samples) -> f64 {
    let mut sum = 0.0;
    for (row, weight) in signal.weights.iter().enumerate() {
        let values = || signal.values.iter().skip(row).step_by(signal.n_rows());
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
            let rows = before.iter().zip(at).zip(&signal.weights);
            rows.map(|((before, at), weight)| weight * (at - before).powi(2)).sum::<f64>()
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
    /// What it costs to go on to a sample while the other signal stays: the segment is stretched from a point, and the angle at the
    /// sample before it is bent from a straight line, for a segment that is a point has no direction of its own.
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
    /// `number(sample, column)`; none at all if they all are multiplied by 0.
    fn new(n_frames: usize, width: usize, number: impl Fn(usize, usize) -> f64) -> Table {
        let columns = |frame: usize| (0..width).map(move |column| (frame, column));
        Table { width, numbers: (0..n_frames).flat_map(columns).map(|(frame, column)| number(frame, column)).collect() }
    }

    fn at(&self, frame: usize) -> &[f64] {
        &self.numbers[frame * self.width..(frame + 1) * self.width]
    }
}

impl Costs {
    pub(super) fn of(signal: &Samples, scales: &Scales) -> Costs {
        let (n, n_rows, weights) = (signal.n_frames, signal.n_rows(), &signal.weights);
        let seconds = signal.frame_rate.recip();
        // A frame is as long, as a vertex's first coordinate, as a row typically changes in it.
        let across = scales.speed * seconds;
        let value = |frame: usize, row: usize| signal.at(frame)[row] / scales.deviation;
        let change = |frame: usize, row: usize| value(frame, row) - value(frame - 1, row);
        let turn = |frame: usize, row: usize| {
            if frame == 0 || frame + 1 == n {
                return 0.0;
            }
            (change(frame + 1, row).atan2(across) - change(frame, row).atan2(across)).abs()
        };
        let extremum = |frame: usize, row: usize| {
            if frame == 0 || frame + 1 == n {
                return 0.0;
            }
            let (before, after) = (change(frame, row), change(frame + 1, row));
            f64::from(i8::from(before < 0.0 && after > 0.0) - i8::from(before > 0.0 && after < 0.0))
        };
        let wide = |weight: f64, n_columns: usize| if weight > 0.0 { n_columns } else { 0 };
        let values = Table::new(n, wide(scales.value, n_rows), |frame, row| {
            value(frame, row) * (scales.value * seconds * weights[row]).sqrt()
        });
        let lengths = Table::new(n, wide(scales.stretching, n_rows), |frame, row| {
            if frame == 0 { 0.0 } else { scales.stretching * weights[row] * across.hypot(change(frame, row)) }
        });
        let turns =
            Table::new(n, wide(scales.bending, n_rows), |frame, row| scales.bending * weights[row] * turn(frame, row));
        let extrema = Table::new(n, wide(scales.bending, n_rows), extremum);
        let straight: Vec<f64> = (0..n).map(|frame| turns.at(frame).iter().sum()).collect();
        let bent_before = std::iter::once(0.0).chain(straight.iter().copied());
        let alone = bent_before.take(n).enumerate().map(|(frame, bent)| bent + lengths.at(frame).iter().sum::<f64>());
        let alone = alone.collect();
        Costs { n_frames: n, values, lengths, turns, extrema, alone, straight }
    }
}

/// What it costs, for half a frame, that two samples correspond whose values differ.
pub(super) fn differ(a: &Costs, b: &Costs, i: usize, j: usize) -> f64 {
    let (a, b) = (a.values.at(i), b.values.at(j));
    let mut sums = [0.0; LANES];
    let (chunks_a, chunks_b) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest = chunks_a.remainder().iter().zip(chunks_b.remainder());
    let rest: f64 = rest.map(|(a, b)| (a - b) * (a - b)).sum();
    for (a, b) in chunks_a.zip(chunks_b) {
        for lane in 0..LANES {
            let difference = a[lane] - b[lane];
            sums[lane] += difference * difference;
        }
    }
    (sums.iter().sum::<f64>() + rest) * 0.5
}

/// What it costs to stretch the segment that ends in one sample into the one that ends in the other.
pub(super) fn stretch(a: &Costs, b: &Costs, i: usize, j: usize) -> f64 {
    let (a, b) = (a.lengths.at(i), b.lengths.at(j));
    let mut sums = [0.0; LANES];
    let (chunks_a, chunks_b) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f64 = chunks_a.remainder().iter().zip(chunks_b.remainder()).map(|(a, b)| (a - b).abs()).sum();
    for (a, b) in chunks_a.zip(chunks_b) {
        for lane in 0..LANES {
            sums[lane] += (a[lane] - b[lane]).abs();
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// What it costs to bend the angle at one sample into that at the other. Where one is a minimum and the other a maximum, one angle is
/// taken from the other side: `|(360 - alpha) - beta|` is the sum of both turns.
pub(super) fn bend(a: &Costs, b: &Costs, i: usize, j: usize) -> f64 {
    let (turns_a, turns_b) = (a.turns.at(i), b.turns.at(j));
    let (extrema_a, extrema_b) = (a.extrema.at(i), b.extrema.at(j));
    let width = turns_a.len();
    let (turns_b, extrema_a, extrema_b) = (&turns_b[..width], &extrema_a[..width], &extrema_b[..width]);
    let bent = |k: usize| {
        let (a, b) = (turns_a[k], turns_b[k]);
        // The larger of the two wherever the product is -1, and the difference elsewhere.
        (a - b).abs().max(-(extrema_a[k] * extrema_b[k]) * (a + b))
    };
    let mut sums = [0.0; LANES];
    let whole = width - width % LANES;
    for k in (0..whole).step_by(LANES) {
        for lane in 0..LANES {
            sums[lane] += bent(k + lane);
        }
    }
    sums.iter().sum::<f64>() + (whole..width).map(bent).sum::<f64>()
}

/// Sums are taken side by side, for the vector unit.
const LANES: usize = 4;
