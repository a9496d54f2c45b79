//! The cheapest path through a band of the grid, by dynamic programming.

use super::costs::{Costs, bend, differ, stretch};
use super::{Band, Correspondence};

/// How much memory the directions of one block may take, in bytes; a block has at least as many rows as there are
/// blocks. Tests have small signals, and shall see many blocks.
const BLOCK_BYTES: usize = if cfg!(test) { 16 } else { 1 << 20 };
/// In a direction: the run in A that leaves this pair began before it. Only where runs have no limit.
const RUN_A_GOES_ON: u8 = 64;
const RUN_B_GOES_ON: u8 = 128;
const WHICH: u8 = 63;

/// By which kind of step a path has come to a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arrival {
    /// A step in both; or the path begins here.
    Both,
    /// The last so many steps were in A alone; 1 stands for any number where runs have no limit.
    RunInA(usize),
    /// In B alone.
    RunInB(usize),
}

/// A grid to be solved.
struct Grid<'a> {
    a: &'a Costs,
    b: &'a Costs,
    band: &'a Band,
    /// How many steps in one signal alone may follow each other; 1 where there is no limit, for then no count is kept.
    depth: usize,
    limited: bool,
    /// For each row the two columns that may not be entered by a step in both: they would pass an anchor by.
    blocked: Vec<[usize; 2]>,
}

/// What is known at each pair of a row.
#[derive(Clone, Default)]
struct Row {
    start: usize,
    /// The least cost of leaving each pair by a step in both.
    leave: Vec<f64>,
    /// For each pair, the least costs after which a step in A alone may follow: arrived by a step in both, and by runs
    /// in A of every length that may go on.
    runs: Vec<f64>,
}

/// The cheapest path, or `None` if there is none in the band.
pub(super) fn cheapest_path(
    costs: &[Costs; 2],
    band: &Band,
    max_slope: Option<usize>,
    anchors: &[[usize; 2]],
) -> Option<Correspondence> {
    let [a, b] = costs;
    let n = a.n_frames;
    let mut blocked = vec![[usize::MAX; 2]; n + 1];
    for &[i, j] in anchors {
        blocked[i][0] = j + 1;
        blocked[i + 1][1] = j;
    }
    let grid =
        Grid { a, b, band, depth: max_slope.map_or(1, |slope| slope - 1), limited: max_slope.is_some(), blocked };
    let widest = band.rows.iter().map(ExactSizeIterator::len).max().unwrap_or(1);
    let block = n.isqrt().max(BLOCK_BYTES / widest).max(1);
    let n_blocks = n.div_ceil(block);

    // Forward, keeping the row before each block.
    let mut kept: Vec<Row> = Vec::with_capacity(n_blocks);
    let mut directions = Directions::default();
    let mut row = Row::default();
    let mut end = None;
    for index in 0..n_blocks {
        kept.push(row.clone());
        (row, end) = grid.sweep(row, index * block..((index + 1) * block).min(n), &mut directions);
    }
    let (cost, mut arrival) = end?;

    // Back, block by block; the last one's directions are known.
    let mut pairs = Vec::with_capacity(a.n_frames + b.n_frames);
    let mut at = [n - 1, b.n_frames - 1];
    pairs.push(at);
    for index in (0..n_blocks).rev() {
        let rows = index * block..((index + 1) * block).min(n);
        if index + 1 < n_blocks {
            grid.sweep(std::mem::take(&mut kept[index]), rows.clone(), &mut directions);
        }
        while at != [0, 0] {
            let step = match arrival {
                Arrival::Both => [1, 1],
                Arrival::RunInA(_) => [1, 0],
                Arrival::RunInB(_) => [0, 1],
            };
            let before = [at[0] - step[0], at[1] - step[1]];
            if before[0] < rows.start {
                break;
            }
            arrival = grid.arrival_before(arrival, directions.at(before));
            at = before;
            pairs.push(at);
        }
    }
    pairs.reverse();
    Some(Correspondence { pairs, cost })
}

/// A direction for each pair of a block: by which kind of arrival leaving it in both is cheapest.
#[derive(Default)]
struct Directions {
    first_row: usize,
    /// For each row the column it starts with and the place of its first direction.
    starts: Vec<[usize; 2]>,
    bytes: Vec<u8>,
}

impl Directions {
    fn clear(&mut self, first_row: usize) {
        self.first_row = first_row;
        self.starts.clear();
        self.bytes.clear();
    }

    fn at(&self, pair: [usize; 2]) -> u8 {
        let [column, place] = self.starts[pair[0] - self.first_row];
        self.bytes[place + pair[1] - column]
    }
}

impl Grid<'_> {
    /// Goes through some rows after the one given, noting directions; gives the last row, and how the last pair of the
    /// grid was arrived at, if it was.
    fn sweep(
        &self,
        mut before: Row,
        rows: std::ops::Range<usize>,
        directions: &mut Directions,
    ) -> (Row, Option<(f64, Arrival)>) {
        directions.clear(rows.start);
        let mut row = Row::default();
        let mut end = None;
        for i in rows {
            end = self.fill_row(i, &before, &mut row, directions);
            std::mem::swap(&mut before, &mut row);
        }
        (before, end)
    }

    fn fill_row(&self, i: usize, before: &Row, row: &mut Row, directions: &mut Directions) -> Option<(f64, Arrival)> {
        let (a, b, depth) = (self.a, self.b, self.depth);
        let columns = self.band.rows[i].clone();
        directions.starts.push([columns.start, directions.bytes.len()]);
        row.start = columns.start;
        row.leave.clear();
        row.runs.clear();
        // Costs after which a step in B alone may follow, at the pair to the left; and those of runs that arrive.
        let mut left = vec![f64::INFINITY; depth];
        let mut runs_in_a = vec![f64::INFINITY; depth];
        let mut runs_in_b = vec![f64::INFINITY; depth];
        let mut end = None;
        for j in columns {
            let difference = differ(a, b, i, j);
            let leaving = j.checked_sub(before.start + 1).and_then(|k| before.leave.get(k)).copied();
            let both = match leaving {
                _ if i == 0 && j == 0 => difference,
                Some(leaving) if leaving.is_finite() && !self.blocked[i].contains(&j) => {
                    leaving + stretch(a, b, i, j) + 2.0 * difference
                }
                _ => f64::INFINITY,
            };
            let above = j.checked_sub(before.start).and_then(|k| before.runs.get(k * depth..(k + 1) * depth));
            for run in 0..depth {
                runs_in_a[run] = above.map_or(f64::INFINITY, |above| above[run] + a.alone[i] + difference);
                runs_in_b[run] = left[run] + b.alone[j] + difference;
            }
            // How the pair is left in both, at the least cost.
            let mut leave = if both.is_finite() { both + bend(a, b, i, j) } else { f64::INFINITY };
            let mut direction = 0;
            for run in 0..depth {
                for (arrived, which) in
                    [(runs_in_a[run] + a.straight[i], 1 + run), (runs_in_b[run] + b.straight[j], 1 + depth + run)]
                {
                    if arrived < leave {
                        (leave, direction) = (arrived, which as u8);
                    }
                }
            }
            if self.limited {
                if depth > 0 {
                    left[0] = both;
                    left[1..].copy_from_slice(&runs_in_b[..depth - 1]);
                    row.runs.push(both);
                    row.runs.extend_from_slice(&runs_in_a[..depth - 1]);
                }
            } else {
                if runs_in_a[0] < both {
                    direction |= RUN_A_GOES_ON;
                }
                if runs_in_b[0] < both {
                    direction |= RUN_B_GOES_ON;
                }
                left[0] = both.min(runs_in_b[0]);
                row.runs.push(both.min(runs_in_a[0]));
            }
            row.leave.push(leave);
            directions.bytes.push(direction);
            if i + 1 == a.n_frames && j + 1 == b.n_frames {
                end = cheapest_arrival(both, &runs_in_a, &runs_in_b);
            }
        }
        end
    }

    /// How the pair before was arrived at, given how this one was and the direction noted there.
    fn arrival_before(&self, arrival: Arrival, direction: u8) -> Arrival {
        match arrival {
            Arrival::Both => match (direction & WHICH) as usize {
                0 => Arrival::Both,
                which if which <= self.depth => Arrival::RunInA(which),
                which => Arrival::RunInB(which - self.depth),
            },
            Arrival::RunInA(run) if self.limited => {
                if run > 1 {
                    Arrival::RunInA(run - 1)
                } else {
                    Arrival::Both
                }
            }
            Arrival::RunInB(run) if self.limited => {
                if run > 1 {
                    Arrival::RunInB(run - 1)
                } else {
                    Arrival::Both
                }
            }
            Arrival::RunInA(_) if direction & RUN_A_GOES_ON != 0 => Arrival::RunInA(1),
            Arrival::RunInB(_) if direction & RUN_B_GOES_ON != 0 => Arrival::RunInB(1),
            Arrival::RunInA(_) | Arrival::RunInB(_) => Arrival::Both,
        }
    }
}

/// How the last pair was arrived at, at the least cost; `None` if it was not.
fn cheapest_arrival(both: f64, runs_in_a: &[f64], runs_in_b: &[f64]) -> Option<(f64, Arrival)> {
    let in_a = runs_in_a.iter().enumerate().map(|(run, cost)| (*cost, Arrival::RunInA(run + 1)));
    let in_b = runs_in_b.iter().enumerate().map(|(run, cost)| (*cost, Arrival::RunInB(run + 1)));
    let all = std::iter::once((both, Arrival::Both)).chain(in_a).chain(in_b);
    all.min_by(|one, other| one.0.total_cmp(&other.0)).filter(|(cost, _)| cost.is_finite())
}
