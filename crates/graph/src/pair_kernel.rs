//! What a distance between frames is made of: sums over a window of something about pairs of frames.
//!
//! Every metric of GRAPH 5.1 over a window is a function of a few numbers, each a sum over the window of a number that two frames
//! have together (a product, an angle), and of sums that each frame has alone. A kernel gives these numbers for one frame and
//! eight others at once, because eight make a loop that the compiler turns into vector instructions; `distance_matrix.rs` adds
//! them up along diagonals and lets the kernel finish.

/// So many columns are computed at once.
pub(crate) const LANES: usize = 8;

/// One number for each of [`LANES`] columns.
pub(crate) type Lanes = [f64; LANES];

/// A metric that is ready to compare frames.
pub(crate) trait PairKernel: Sync {
    /// How many numbers a pair of frames has.
    fn n_sums(&self) -> usize;

    /// The numbers of one frame and of the frames `panel * LANES` and on: `out` holds [`PairKernel::n_sums`]. Frames past the last
    /// have numbers of no meaning.
    fn fill(&self, frame: usize, panel: usize, out: &mut [Lanes]);

    /// The distance of the windows that begin at two frames, from the sums of their pairs' numbers.
    fn finish(&self, a: usize, b: usize, sums: &[f64]) -> f64;
}

/// What is done with a metric that is ready, whichever it is.
pub(crate) trait KernelJob {
    type Output;

    fn run(self, kernel: &impl PairKernel) -> Self::Output;
}

/// Rows of numbers, one for each frame, laid out so that eight frames are read at once.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Panels {
    n_numbers: usize,
    /// For each panel, for each number, its value in each of the panel's frames.
    values: Vec<Lanes>,
}

impl Panels {
    /// Of rows, each `n_numbers` long, frame after frame.
    pub(crate) fn of(rows: &[f64], n_numbers: usize) -> Panels {
        let n_frames = rows.len() / n_numbers.max(1);
        let mut values = vec![[0.0; LANES]; n_frames.div_ceil(LANES) * n_numbers];
        for (frame, row) in rows.chunks_exact(n_numbers.max(1)).enumerate() {
            for (number, value) in row.iter().enumerate() {
                values[frame / LANES * n_numbers + number][frame % LANES] = *value;
            }
        }
        Panels { n_numbers, values }
    }

    /// The numbers of a panel's frames.
    pub(crate) fn panel(&self, panel: usize) -> &[Lanes] {
        &self.values[panel * self.n_numbers..(panel + 1) * self.n_numbers]
    }
}

/// The products of a row with the eight frames of a panel.
#[inline]
pub(crate) fn multiply(row: &[f64], panel: &[Lanes]) -> Lanes {
    let mut sums = [0.0; LANES];
    for (a, b) in row.iter().zip(panel) {
        for lane in 0..LANES {
            sums[lane] += a * b[lane];
        }
    }
    sums
}

/// Sums of a number over all windows of a list of frames, from sums of everything before each frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WindowSums {
    before: Vec<f64>,
    window: usize,
}

impl WindowSums {
    pub(crate) fn of(numbers: impl IntoIterator<Item = f64>, window: usize) -> WindowSums {
        let mut before = vec![0.0];
        for number in numbers {
            before.push(before[before.len() - 1] + number);
        }
        WindowSums { before, window }
    }

    /// Over the window that begins at a frame.
    #[inline]
    pub(crate) fn at(&self, frame: usize) -> f64 {
        self.before[frame + self.window] - self.before[frame]
    }
}
