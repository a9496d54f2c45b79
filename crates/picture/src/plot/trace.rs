//! From numbers to a path, as short as it goes without losing a spike.
//!
//! Points are rounded to a tenth of a pixel and written relative to each other. Where a pixel column has more than two frames, only
//! the lowest and the highest of its values are kept, in the order in which they came: the line covers the same pixels.

use super::axes::{TimeAxis, ValueAxis};
use std::fmt::Write;
use std::ops::Range;

/// The path of one number for each frame, broken where one is not finite. Numbers past the last frame are not drawn.
pub(super) fn trace_path(values: &[f64], time: &TimeAxis, axis: &ValueAxis) -> String {
    let n = values.len().min(time.n_frames);
    let columns = (time.right - time.left).ceil().max(1.0) as usize;
    let per_column = if n > 2 * columns { n.div_ceil(columns) } else { 1 };
    let mut pen = Pen::default();
    for start in (0..n).step_by(per_column) {
        for frame in extremes(values, start..(start + per_column).min(n)).into_iter().flatten() {
            pen.draw_to(time.x(frame as f64), axis.y(values[frame]));
        }
        // A gap of any frame in a column is a gap of the line.
        if values[start..(start + per_column).min(n)].iter().any(|value| !value.is_finite()) {
            pen.lift();
        }
    }
    pen.finish()
}

/// The frames of the lowest and the highest finite value, in order; one if they are the same.
fn extremes(values: &[f64], frames: Range<usize>) -> [Option<usize>; 2] {
    let finite = || frames.clone().filter(|&frame| values[frame].is_finite());
    let low = finite().min_by(|&a, &b| values[a].total_cmp(&values[b]));
    let high = finite().max_by(|&a, &b| values[a].total_cmp(&values[b]));
    match (low, high) {
        (Some(low), Some(high)) if low != high => [Some(low.min(high)), Some(low.max(high))],
        _ => [low, None],
    }
}

/// A bar over the frames of one plant, or of several that come too close to be told apart.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bar {
    pub(super) frames: Range<usize>,
    left: f64,
    right: f64,
}

impl Bar {
    pub(super) fn path(&self, top: f64, height: f64) -> String {
        let [left, right, top, height] = [self.left, self.right, top, height].map(in_tenths);
        let width = right - left;
        format!("M{} {}h{}v{}h{}z", tenths(left), tenths(top), tenths(width), tenths(height), tenths(-width))
    }
}

/// Bars over ranges of frames that are in order, each at least a pixel wide, with a gap before the next.
pub(super) fn bars(ranges: &[Range<usize>], time: &TimeAxis) -> Vec<Bar> {
    let mut bars: Vec<Bar> = Vec::new();
    for range in ranges.iter().filter(|range| range.start < range.end.min(time.n_frames)) {
        let frames = range.start..range.end.min(time.n_frames);
        let left = time.x(frames.start as f64 - 0.5);
        let right = (time.x(frames.end as f64 - 0.5) - BAR_GAP).max(left + NARROWEST_BAR);
        match bars.last_mut() {
            Some(before) if left - before.right < BAR_GAP / 2.0 => {
                before.right = before.right.max(right);
                before.frames.end = before.frames.end.max(frames.end);
            }
            _ => bars.push(Bar { frames, left, right }),
        }
    }
    bars
}

/// Between bars that touch in time, in pixels.
const BAR_GAP: f64 = 0.8;
/// A bar that is not narrower can be seen.
const NARROWEST_BAR: f64 = 1.0;

/// A path being written: `M` for the first point of a line, then steps of tenths of a pixel.
#[derive(Default)]
struct Pen {
    out: String,
    at: [i64; 2],
    is_down: bool,
    /// Points of the line so far; a line of one is drawn as a dot.
    n_points: usize,
}

impl Pen {
    fn draw_to(&mut self, x: f64, y: f64) {
        let to = [in_tenths(x), in_tenths(y)];
        if self.is_down {
            let step = [to[0] - self.at[0], to[1] - self.at[1]];
            let command = if self.n_points == 1 { "l" } else { "" };
            self.put(command, step);
        } else {
            self.put("M", to);
            self.n_points = 0;
        }
        self.is_down = true;
        self.n_points += 1;
        self.at = to;
    }

    fn put(&mut self, command: &str, [x, y]: [i64; 2]) {
        let (x, y) = (tenths(x), tenths(y));
        // A minus sign parts two numbers as well as a space does.
        let before_x = if command.is_empty() && !x.starts_with('-') { " " } else { "" };
        let before_y = if y.starts_with('-') { "" } else { " " };
        // Writing to a string cannot fail.
        let _ = write!(self.out, "{command}{before_x}{x}{before_y}{y}");
    }

    fn lift(&mut self) {
        if self.is_down && self.n_points == 1 {
            self.out.push_str("h.1");
        }
        self.is_down = false;
    }

    fn finish(mut self) -> String {
        self.lift();
        self.out
    }
}

fn in_tenths(pixels: f64) -> i64 {
    (pixels * 10.0).round() as i64
}

/// Tenths as a decimal: `1.2`, `-.3`, `4`.
fn tenths(value: i64) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let (whole, rest) = (value.unsigned_abs() / 10, value.unsigned_abs() % 10);
    match (whole, rest) {
        (_, 0) => format!("{sign}{whole}"),
        (0, _) => format!("{sign}.{rest}"),
        _ => format!("{sign}{whole}.{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::axes::Spread;
    use super::*;

    fn axes(n_frames: usize, values: &[f64]) -> (TimeAxis, ValueAxis) {
        let time = TimeAxis::new(0.0, 100.0, n_frames, 30.0);
        (time, ValueAxis::new(values.iter().copied(), [0.0, 1.0], Spread::Linear, [0.0, 100.0]))
    }

    /// The points of a path, line by line.
    fn points(path: &str) -> Vec<Vec<[f64; 2]>> {
        let mut lines = Vec::new();
        for line in path.split('M').filter(|line| !line.is_empty()) {
            let spaced = line.replace('-', " -").replace('l', " ").replace('h', " h ");
            let numbers: Vec<f64> = spaced.split_whitespace().map_while(|word| word.parse().ok()).collect();
            let mut at = [0.0; 2];
            let steps = numbers.as_chunks::<2>().0.iter();
            lines.push(
                steps
                    .map(|step| {
                        at = [at[0] + step[0], at[1] + step[1]];
                        at
                    })
                    .collect(),
            );
        }
        lines
    }

    #[test]
    fn a_short_trace_passes_through_every_point() {
        let values = [0.0, 1.0, -0.5, 0.25, 0.25];
        let (time, axis) = axes(5, &values);
        let [line] = &points(&trace_path(&values, &time, &axis))[..] else { panic!("one line") };
        assert_eq!(line.len(), 5);
        for (frame, point) in line.iter().enumerate() {
            assert!((point[0] - time.x(frame as f64)).abs() < 0.06 && (point[1] - axis.y(values[frame])).abs() < 0.06);
        }
    }

    #[test]
    fn numbers_that_are_not_finite_leave_gaps() {
        let values = [f64::NAN, 0.0, 1.0, f64::INFINITY, 0.5, f64::NAN, 0.2, 0.3];
        let (time, axis) = axes(8, &values);
        let path = trace_path(&values, &time, &axis);
        assert_eq!(points(&path).iter().map(Vec::len).collect::<Vec<_>>(), [2, 1, 2]);
        assert!(path.contains("h.1"), "a single point is a dot: {path}");
        assert!(!path.contains("NaN") && !path.contains("inf"));
        assert_eq!(trace_path(&[f64::NAN; 9], &time, &axis), "");
    }

    #[test]
    fn a_long_trace_is_thinned_and_keeps_every_spike() {
        let mut values = vec![0.0; 100_000];
        values[54_321] = 1.0;
        values[98_765] = -1.0;
        let (time, axis) = axes(values.len(), &values);
        let path = trace_path(&values, &time, &axis);
        let line = points(&path).concat();
        assert!(line.len() <= 200 && path.len() < 2000, "{} {}", line.len(), path.len());
        for (frame, value) in [(54_321.0, 1.0), (98_765.0, -1.0)] {
            let place = [time.x(frame), axis.y(value)];
            assert!(line.iter().any(|p| (p[0] - place[0]).abs() < 0.06 && (p[1] - place[1]).abs() < 0.06), "{frame}");
        }
    }

    #[test]
    fn every_plant_is_a_bar_of_its_own_unless_there_is_no_room() {
        let (time, _) = axes(100, &[]);
        let ranges = [0..10, 10..20, 25..26, 99..100];
        let found = bars(&ranges, &time);
        assert_eq!(found.iter().map(|bar| bar.frames.clone()).collect::<Vec<_>>(), ranges);
        assert_eq!(found[1].path(5.0, 4.0), "M10 5h9.2v4h-9.2z");
        let long = TimeAxis::new(0.0, 100.0, 1_000_000, 30.0);
        let many: Vec<Range<usize>> = (0..100_000).map(|index| 10 * index..10 * index + 5).collect();
        assert!(bars(&many, &long).len() <= 101);
        let odd = Range { start: 30, end: 20 };
        assert_eq!(bars(&[odd, 200..300], &time), []);
        let past_the_end = std::slice::from_ref(&(90..4000usize)).to_vec();
        assert_eq!(bars(&past_the_end, &time), [Bar { frames: 90..100, left: 90.0, right: 100.0 - BAR_GAP }]);
    }
}
