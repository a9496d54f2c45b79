//! The distances between all pairs of frame windows of a set.
//!
//! Reference: GRAPH 3 and figure 2.
//!
//! A frame window begins at a frame. Comparing two windows of L frames again for each pair would look at each
//! pair of frames L times. Instead the numbers of frame pairs (`pair_kernel.rs`) are computed once, and summed along diagonals:
//!
//! ```text
//! S(i, j) = S(i-1, j-1) - q(i-1, j-1) + q(i+L-1, j+L-1)        one row of S from the row above it
//! ```
//!
//! Steps, for each pair of clips, the first not after the second:
//! 1. bands of 64 rows, each in tiles of columns that stay in the cache, are computed on their own, so that any number of threads
//!    gives the same result; sums begin again in each tile, so that rounding does not add up;
//! 2. of a clip with itself only the half above the diagonal is computed, and copied to the other.
//!
//! Distances are kept as `f32`: four bytes for a pair of frame windows, and seven digits are far more than a threshold needs.

use crate::metric::Metric;
use crate::motion_set::MotionSet;
use crate::pair_kernel::{KernelJob, LANES, PairKernel};
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Mutex;

/// Distances between the frame windows of two clips.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The clips; the first is not after the second.
    pub clips: [usize; 2],
    /// Frame windows of the first.
    pub n_rows: usize,
    /// Frame windows of the second.
    pub n_columns: usize,
    values: Vec<f32>,
}

impl Block {
    /// Between two frame windows, counted in their clips.
    pub fn at(&self, row: usize, column: usize) -> f32 {
        self.values[row * self.n_columns + column]
    }

    /// One frame window of the first clip against all of the second.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.n_columns..(row + 1) * self.n_columns]
    }

    /// All of them, row by row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }
}

/// Distances between all frame windows of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceMatrix {
    /// Frames of a window.
    pub window: usize,
    /// For each pair of clips that both have frame windows, by the first and then the second.
    pub blocks: Vec<Block>,
}

/// How many threads may help; the result is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// The caller's alone.
    One,
    /// So many, at least one.
    Count(usize),
}

/// Rows of a band.
const BAND: usize = 64;
/// Columns of a tile.
const TILE: usize = 256;

impl DistanceMatrix {
    /// Compares all frame windows of a set, each of so many frames (at least one).
    pub fn new(set: &MotionSet, metric: &Metric, window: usize, threads: Threads) -> DistanceMatrix {
        DistanceMatrix::new_until(set, metric, window, threads, &|| false).expect("nobody stops it")
    }

    /// [`DistanceMatrix::new`], or `None` as soon as `is_stopped` is true: it is asked before each band of rows, by every
    /// thread.
    pub fn new_until(
        set: &MotionSet,
        metric: &Metric,
        window: usize,
        threads: Threads,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Option<DistanceMatrix> {
        assert!(window > 0, "a window has frames");
        let n_windows: Vec<usize> =
            set.clips().iter().map(|clip| (clip.n_frames() + 1).saturating_sub(window)).collect();
        let mut blocks = Vec::new();
        for first in 0..n_windows.len() {
            for second in first..n_windows.len() {
                let (n_rows, n_columns) = (n_windows[first], n_windows[second]);
                if n_rows > 0 && n_columns > 0 {
                    let values = vec![0.0; n_rows * n_columns];
                    blocks.push(Block { clips: [first, second], n_rows, n_columns, values });
                }
            }
        }
        let starts: Vec<[usize; 2]> = blocks.iter().map(|block| block.clips.map(|clip| set.start(clip))).collect();
        let bands = blocks.iter_mut().zip(&starts).flat_map(|(block, starts)| bands_of(block, *starts));
        let bands = FillBands { bands: bands.collect(), window, threads, is_stopped };
        metric.with_kernel(set, window, bands)?;
        for block in blocks.iter_mut().filter(|block| block.clips[0] == block.clips[1]) {
            mirror(block);
        }
        Some(DistanceMatrix { window, blocks })
    }

    /// How many pairs of frame windows are compared, each pair once.
    pub fn n_pairs(&self) -> usize {
        let pairs = |block: &Block| match block.clips {
            [a, b] if a == b => block.n_rows * (block.n_rows + 1) / 2,
            _ => block.n_rows * block.n_columns,
        };
        self.blocks.iter().map(pairs).sum()
    }

    /// The distance below which a share of all pairs lies (GRAPH 5.2.3), 0 for none of them. `share` from 0 to 1.
    pub fn quantile(&self, share: f64) -> f32 {
        let mut all: Vec<f32> = Vec::with_capacity(self.n_pairs());
        for block in &self.blocks {
            for row in 0..block.n_rows {
                let from = if block.clips[0] == block.clips[1] { row } else { 0 };
                all.extend_from_slice(&block.row(row)[from..]);
            }
        }
        let wanted = (share.clamp(0.0, 1.0) * all.len() as f64).ceil() as usize;
        if wanted == 0 {
            return 0.0;
        }
        *all.select_nth_unstable_by(wanted - 1, f32::total_cmp).1
    }
}

/// Some rows of a block.
struct Band<'a> {
    rows: Range<usize>,
    n_columns: usize,
    /// The first frames of both clips.
    starts: [usize; 2],
    /// Only columns from the first row on are wanted.
    is_half: bool,
    out: &'a mut [f32],
}

fn bands_of(block: &mut Block, starts: [usize; 2]) -> Vec<Band<'_>> {
    let (n_columns, is_half) = (block.n_columns, block.clips[0] == block.clips[1]);
    let band = |(index, out): (usize, _)| {
        let out: &mut [f32] = out;
        let first = index * BAND;
        Band { rows: first..first + out.len() / n_columns, n_columns, starts, is_half, out }
    };
    block.values.chunks_mut(BAND * n_columns).enumerate().map(band).collect()
}

/// All bands, whatever the metric.
struct FillBands<'a> {
    bands: Vec<Band<'a>>,
    window: usize,
    threads: Threads,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
}

impl KernelJob for FillBands<'_> {
    /// `None` if it was stopped.
    type Output = Option<()>;

    fn run(self, kernel: &impl PairKernel) -> Option<()> {
        let FillBands { bands, window, threads, is_stopped } = self;
        let n_threads = match threads {
            Threads::One => 1,
            Threads::Count(count) => count.clamp(1, bands.len().max(1)),
        };
        // Bands are handed out one by one: those near the end of a half are short.
        let left = Mutex::new(bands.into_iter());
        let work = || {
            let mut scratch = Scratch::default();
            while !is_stopped() {
                let next = left.lock().map_or(None, |mut left| left.next());
                let Some(band) = next else { return Some(()) };
                fill_band(band, kernel, window, &mut scratch);
            }
            None
        };
        if n_threads == 1 {
            return work();
        }
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
        })
    }
}

/// Memory that tiles use again.
#[derive(Default)]
struct Scratch {
    /// For each number of pairs, rows of them.
    pairs: Vec<Vec<f64>>,
    /// For each number of pairs, a row of sums and the row above it.
    sums: Vec<[Vec<f64>; 2]>,
}

fn fill_band(band: Band<'_>, kernel: &impl PairKernel, window: usize, scratch: &mut Scratch) {
    let from = if band.is_half { band.rows.start } else { 0 };
    let Band { rows, n_columns, starts, out, .. } = band;
    for first in (from..n_columns).step_by(TILE) {
        let columns = first..(first + TILE).min(n_columns);
        fill_tile(kernel, window, (rows.clone(), columns.clone()), starts, scratch, |row, column, distance| {
            out[(row - rows.start) * n_columns + column] = distance as f32;
        });
    }
}

/// The distances of some rows and columns of a block.
fn fill_tile(
    kernel: &impl PairKernel,
    window: usize,
    (rows, columns): (Range<usize>, Range<usize>),
    starts: [usize; 2],
    scratch: &mut Scratch,
    mut out: impl FnMut(usize, usize, f64),
) {
    let n_sums = kernel.n_sums();
    // Frames of the set, and panels that cover the columns' frames.
    let row_frames = starts[0] + rows.start..starts[0] + rows.end + window - 1;
    let column_frames = starts[1] + columns.start..starts[1] + columns.end + window - 1;
    let panels = column_frames.start / LANES..column_frames.end.div_ceil(LANES);
    let stride = panels.len() * LANES;
    let offset = column_frames.start - panels.start * LANES;
    scratch.pairs.resize(n_sums, Vec::new());
    scratch.sums.resize(n_sums, [Vec::new(), Vec::new()]);
    for pairs in &mut scratch.pairs {
        pairs.resize(row_frames.len() * stride, 0.0);
    }
    let mut lanes = vec![[0.0; LANES]; n_sums];
    for (row, frame) in row_frames.clone().enumerate() {
        for (index, panel) in panels.clone().enumerate() {
            kernel.fill(frame, panel, &mut lanes);
            for (pairs, lanes) in scratch.pairs.iter_mut().zip(&lanes) {
                let place = row * stride + index * LANES;
                pairs[place..place + LANES].copy_from_slice(lanes);
            }
        }
    }
    let mut sums = vec![0.0; n_sums];
    for row in 0..rows.len() {
        for (pairs, rows) in scratch.pairs.iter().zip(&mut scratch.sums) {
            let at = |row: usize, column: usize| pairs[row * stride + offset + column];
            let [current, above] = rows;
            std::mem::swap(current, above);
            current.resize(columns.len(), 0.0);
            let whole = |column: usize| (0..window).map(|k| at(row + k, column + k)).sum::<f64>();
            if row == 0 {
                current.iter_mut().enumerate().for_each(|(column, sum)| *sum = whole(column));
                continue;
            }
            current[0] = whole(0);
            let gone = &pairs[(row - 1) * stride + offset..];
            let come = &pairs[(row + window - 1) * stride + offset + window..];
            for column in 1..columns.len() {
                current[column] = above[column - 1] - gone[column - 1] + come[column - 1];
            }
        }
        for column in 0..columns.len() {
            sums.iter_mut().zip(&scratch.sums).for_each(|(sum, rows)| *sum = rows[0][column]);
            let (a, b) = (row_frames.start + row, column_frames.start + column);
            out(rows.start + row, columns.start + column, kernel.finish(a, b, &sums));
        }
    }
}

/// Copies the half above the diagonal to the other; a frame window has no distance from itself.
fn mirror(block: &mut Block) {
    let n = block.n_rows;
    for row in 0..n {
        block.values[row * n + row] = 0.0;
        for column in row + 1..n {
            block.values[column * n + row] = block.values[row * n + column];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AngleWeights;
    use crate::align::{CloudSums, PairSums, aligned_distance};
    use crate::components::Components;
    use crate::points::{PointWeights, WeightedPoints};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_geom::rotation;
    use surefoot_motion::{JointId, Side, slice};

    fn set() -> MotionSet {
        let walk = |turn_per_step: f64, cut: Range<usize>| {
            let walk = synthetic_walk(&WalkerOptions { turn_per_step, frame_rate: 30.0, ..WalkerOptions::default() });
            (slice(&walk.take.clip, cut).unwrap(), walk.take.body)
        };
        let (straight, body) = walk(0.0, 10..95);
        let (curve, _) = walk(0.25, 20..90);
        let (short, _) = walk(0.1, 0..4);
        MotionSet::new(vec![straight, short, curve], body).unwrap()
    }

    /// The distance of two windows straight from the paper's formulas.
    fn direct(
        (set, components): (&MotionSet, &Components),
        metric: &Metric,
        window: usize,
        a: (usize, usize),
        b: (usize, usize),
    ) -> f64 {
        let (clip_a, clip_b) = (&set.clips()[a.0], &set.clips()[b.0]);
        match metric {
            Metric::Angles(weights) => {
                let body = set.body();
                let mut joints: Vec<(JointId, f64)> = Vec::new();
                for side in Side::BOTH {
                    let (leg, arm) = (&body.legs[side], body.arms[side].unwrap());
                    joints.extend([(leg.hip, weights.hip), (leg.knee, weights.knee)]);
                    joints.extend([(arm.shoulder, weights.shoulder), (arm.elbow, weights.elbow)]);
                }
                let velocity = |clip: &surefoot_motion::Clip, frame: usize, joint: JointId| {
                    let (before, after) = (frame.saturating_sub(1), (frame + 1).min(clip.n_frames() - 1));
                    let turn = clip.pose(before)[joint].rotation.conjugate() * clip.pose(after)[joint].rotation;
                    rotation::log_map(turn) * clip.frame_rate / (after - before) as f64
                };
                let mut sum = 0.0;
                for k in 0..window {
                    for &(joint, weight) in &joints {
                        let (qa, qb) = (clip_a.pose(a.1 + k)[joint].rotation, clip_b.pose(b.1 + k)[joint].rotation);
                        let apart = velocity(clip_a, a.1 + k, joint) - velocity(clip_b, b.1 + k, joint);
                        sum += weight * rotation::log_map(qb.conjugate() * qa).length_squared();
                        sum += weights.velocity * weight * apart.length_squared();
                    }
                }
                sum
            }
            Metric::Points(weights) => {
                let points = WeightedPoints::of(set.skeleton(), set.body(), weights);
                let cloud = |clip: &surefoot_motion::Clip, from: usize| {
                    let frames = (0..window).map(|k| clip.world_pose(from + k));
                    frames.flat_map(|pose| points.cloud(set.skeleton(), &pose).collect::<Vec<_>>()).collect::<Vec<_>>()
                };
                let (pa, pb) = (cloud(clip_a, a.1), cloud(clip_b, b.1));
                let pairs = PairSums::of(pa.iter().zip(&pb).map(|(a, b)| (a.0, b.0, a.1)));
                let total = pa.iter().map(|(_, weight)| weight).sum();
                aligned_distance(&CloudSums::of(pa), &CloudSums::of(pb), &pairs, total)
            }
            Metric::Components(n) => {
                let n = n.unwrap_or(components.n_components());
                let squares = (0..window).flat_map(|k| {
                    let pa = components.project(clip_a.pose(a.1 + k), n);
                    let pb = components.project(clip_b.pose(b.1 + k), n);
                    let weighed = pa.into_iter().zip(pb).zip(components.variances.clone());
                    weighed.map(|((a, b), weight)| weight * (a - b) * (a - b)).collect::<Vec<f64>>()
                });
                (squares.sum::<f64>() / window as f64).sqrt()
            }
        }
    }

    /// How far distances of a tile are from those of complete windows.
    struct CompareTile<'a> {
        set: &'a MotionSet,
        metric: Metric,
        components: &'a Components,
    }

    impl KernelJob for CompareTile<'_> {
        type Output = f64;

        fn run(self, kernel: &impl PairKernel) -> f64 {
            let (rows, columns) = (3..61, 1..60);
            let starts = [self.set.start(0), self.set.start(2)];
            let mut worst = 0.0f64;
            fill_tile(kernel, 10, (rows, columns), starts, &mut Scratch::default(), |row, column, found| {
                if (row * 7 + column) % 13 == 0 {
                    let wanted = direct((self.set, self.components), &self.metric, 10, (0, row), (2, column));
                    worst = worst.max((found - wanted).abs());
                }
            });
            worst
        }
    }

    #[test]
    fn sums_along_diagonals_are_those_of_whole_windows() {
        let set = set();
        let components = Components::of(&set);
        for metric in [Metric::angles(), Metric::points(), Metric::components(), Metric::Components(Some(5))] {
            let worst = metric.with_kernel(&set, 10, CompareTile { set: &set, metric, components: &components });
            assert!(worst < 1e-9, "{}: {worst}", metric.name());
        }
    }

    #[test]
    fn the_matrix_does_not_depend_on_threads_and_skips_short_clips() {
        let set = set();
        for metric in [Metric::angles(), Metric::points(), Metric::components()] {
            let one = DistanceMatrix::new(&set, &metric, 10, Threads::One);
            assert_eq!(one.blocks.iter().map(|block| block.clips).collect::<Vec<_>>(), [[0, 0], [0, 2], [2, 2]]);
            for count in [2, 3, 16] {
                assert_eq!(DistanceMatrix::new(&set, &metric, 10, Threads::Count(count)), one);
            }
            let own = &one.blocks[0];
            assert!((0..own.n_rows).all(|row| own.at(row, row) == 0.0));
            assert!((0..own.n_rows).all(|row| own.at(row, 5) == own.at(5, row)));
            let (low, high) = (one.quantile(0.1), one.quantile(0.9));
            assert!(low < high && one.quantile(0.0) == 0.0);
            let below: usize =
                one.blocks.iter().map(|block| block.values().iter().filter(|d| **d <= low).count()).sum();
            assert!(below > 0);
        }
    }

    #[test]
    fn without_weights_there_are_no_distances() {
        let angles = AngleWeights { hip: 0.0, knee: 0.0, shoulder: 0.0, elbow: 0.0, velocity: 1.0 };
        let points = PointWeights { hip: 0.0, knee: 0.0, ankle: 0.0, ball: 0.0, toe: 0.0, other: 0.0 };
        for metric in [Metric::Angles(angles), Metric::Points(points), Metric::Components(Some(0))] {
            let matrix = DistanceMatrix::new(&set(), &metric, 10, Threads::One);
            assert!(matrix.blocks.iter().all(|block| block.values().iter().all(|distance| *distance == 0.0)));
        }
    }

    #[test]
    fn it_stops_between_bands_when_asked_to() {
        let (set, metric) = (set(), Metric::angles());
        for threads in [Threads::One, Threads::Count(3)] {
            let asked = AtomicUsize::new(0);
            let is_stopped = || asked.fetch_add(1, Ordering::Relaxed) >= 2;
            assert_eq!(DistanceMatrix::new_until(&set, &metric, 10, threads, &is_stopped), None);
            // Each thread asks once more than it works.
            assert!(asked.into_inner() <= 5);
        }
    }

    #[test]
    fn points_see_no_difference_where_a_walk_happens() {
        let set = set();
        let moved = surefoot_motion::place(
            &set.clips()[0],
            surefoot_motion::Placement { yaw: 2.0, translation: surefoot_geom::Vec3::new(9.0, 0.0, 4.0) },
        );
        let pair = MotionSet::new(vec![set.clips()[0].clone(), moved], set.body().clone()).unwrap();
        let matrix = DistanceMatrix::new(&pair, &Metric::Points(PointWeights::default()), 10, Threads::One);
        let between = &matrix.blocks[1];
        assert!((0..between.n_rows).all(|row| between.at(row, row) < 1e-9));
    }
}
