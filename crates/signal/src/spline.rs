//! Interpolating cubic splines through points at any distances, with tension, continuity and bias at each.
//!
//! Reference: D. H. U. Kochanek, R. H. Bartels, "Interpolating splines with local tension, continuity, and bias
//! control", SIGGRAPH 1984: what SIGNAL 5.3 and 5.4 draw shape functions and displacement curves with.
//!
//! Idea: between two points runs a cubic that is fixed by both values and by the slopes there, so that a point moves
//! the curve no farther than two points away. The paper's slopes are those of the chords to both neighbours, mixed by
//! three numbers:
//!
//! | | -1 | 0 | 1 |
//! |---|---|---|---|
//! | tension | slack | | level at the point |
//! | continuity | corner to the outside | none | corner to the inside |
//! | bias | reaches for the next point early | | overshoots the point |
//!
//! ```text
//! in  = ((1 - t)(1 - c)(1 + b) before + (1 - t)(1 + c)(1 - b) after) / (x[i + 1] - x[i - 1])
//! out = ((1 - t)(1 + c)(1 + b) before + (1 - t)(1 - c)(1 - b) after) / (x[i + 1] - x[i - 1])
//! ```
//!
//! with the rises `before` and `after` from and to the neighbours. This has the paper's correction for unequal
//! distances in it: with all three numbers 0 the slope is that of the chord from neighbour to neighbour, the same on
//! both sides.
//!
//! # Which slope by default
//!
//! Such a curve swings beyond its points: two equal keys, meant to hold a pose, have a bulge between them, and a shape
//! function may leave its limits between two points that lie on them. [`Slope::Auto`] is therefore the chord's slope
//! held back as far as needed for the curve to stay between the values of neighbours (level at a peak or beside an
//! equal neighbour, else at most three times the lesser of both chords' slopes, which keeps a cubic monotone: Fritsch
//! and Carlson 1980). Whoever gives tension, continuity and bias at a point gets the paper's slopes there.
//!
//! # Continuity
//!
//! The slope is continuous where a point's continuity is 0. [`Spline::smooth`] makes the curvature continuous as well.
//! Then every point moves the complete curve, and a lone key is no longer its curve's peak, so that it is an option and
//! not the default: at 60 frames a second and more nobody sees that acceleration jumps at a key, but everybody that a
//! pose is exceeded.
//!
//! Outside its points the curve goes on straight.

use surefoot_geom::smooth_rates;

/// A point that a curve passes, exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControlPoint {
    /// Where.
    pub x: f64,
    /// The value there.
    pub y: f64,
    /// How the curve passes it.
    pub slope: Slope,
}

impl ControlPoint {
    /// A point with [`Slope::Auto`].
    pub fn new(x: f64, y: f64) -> ControlPoint {
        ControlPoint { x, y, slope: Slope::Auto }
    }

    /// A point with a given slope.
    pub fn sloped(x: f64, y: f64, slope: f64) -> ControlPoint {
        ControlPoint { x, y, slope: Slope::Given(slope) }
    }
}

/// How a curve passes a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Slope {
    /// Smoothly, without leaving the range of values between two neighbours.
    #[default]
    Auto,
    /// As Kochanek and Bartels have it; may overshoot.
    Tcb(Tcb),
    /// With this slope on both sides.
    Given(f64),
}

/// The numbers of Kochanek and Bartels, each from -1 to 1; farther out curves loop back. The paper's animators used
/// tensions of -0.1 to -0.4 more than anything else.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tcb {
    /// How tight: 1 levels the curve at the point, -1 makes it swing twice as far. Default 0.
    pub tension: f64,
    /// How much of a corner: -1 a corner, 0 none, 1 a corner to the other side. Default 0.
    pub continuity: f64,
    /// Whether the curve follows what came before (1) or what comes after (-1). Default 0.
    pub bias: f64,
}

impl Tcb {
    /// The first number that is not from -1 to 1, with its name.
    pub(crate) fn wrong(&self) -> Option<(&'static str, f64)> {
        let numbers = [("tension", self.tension), ("continuity", self.continuity), ("bias", self.bias)];
        numbers.into_iter().find(|(_, value)| !(-1.0..=1.0).contains(value))
    }
}

/// The slopes at both ends of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// As the curve comes in: its curvature vanishes, but it stays between neighbours.
    Free,
    /// Level, so that the curve stays at its end values outside.
    Level,
}

/// Why points are no curve.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SplineError {
    /// There is no point.
    #[error("a curve without points; at least one is needed")]
    Empty,
    /// A number that is none.
    #[error("points[{index}].{field} is {value}; it must be a finite number")]
    NotFinite {
        /// Which point, counted from 0.
        index: usize,
        /// `x`, `y`, or that of the slope.
        field: &'static str,
        /// As given.
        value: f64,
    },
    /// Points out of order.
    #[error("points[{index}].x is {x}, which does not come after {before}")]
    Order {
        /// Which point, counted from 0.
        index: usize,
        /// Its place.
        x: f64,
        /// The place of the point before.
        before: f64,
    },
    /// Tension, continuity or bias out of range.
    #[error("points[{index}].{field} is {value}; -1 to 1 would be right")]
    Tcb {
        /// Which point, counted from 0.
        index: usize,
        /// `tension`, `continuity` or `bias`.
        field: &'static str,
        /// As given.
        value: f64,
    },
    /// A point that does not exist.
    #[error("there is no point {index}: the curve has {n_points}, counted from 0")]
    NoPoint {
        /// As given.
        index: usize,
        /// How many there are.
        n_points: usize,
    },
}

/// A piece of the curve: a cubic in the distance from `x`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    x: f64,
    /// Coefficients of the distance's powers, from 0 to 3.
    terms: [f64; 4],
}

impl Piece {
    #[inline]
    fn at(&self, x: f64) -> f64 {
        let t = x - self.x;
        let [a, b, c, d] = self.terms;
        a + t * (b + t * (c + t * d))
    }
}

/// A curve through points. See the head of this file.
#[derive(Clone, Debug, PartialEq)]
pub struct Spline {
    points: Vec<ControlPoint>,
    ends: Ends,
    is_smooth: bool,
    /// Slopes on both sides of each point.
    slopes: Vec<[f64; 2]>,
    /// Before the first point, between each two, and after the last. Each begins at a point, so that the curve is
    /// exact there.
    pieces: Vec<Piece>,
}

impl Spline {
    /// Through points in order of their places.
    pub fn new(points: Vec<ControlPoint>, ends: Ends) -> Result<Spline, SplineError> {
        check(&points)?;
        let slopes = local_slopes(&points, ends);
        Ok(Spline::of_slopes(points, ends, false, slopes))
    }

    /// Through points with continuous curvature and level ends; the points' own slopes are not looked at.
    pub fn smooth(points: Vec<ControlPoint>) -> Result<Spline, SplineError> {
        check(&points)?;
        let slopes = smooth_slopes(&points);
        Ok(Spline::of_slopes(points, Ends::Level, true, slopes))
    }

    fn of_slopes(points: Vec<ControlPoint>, ends: Ends, is_smooth: bool, slopes: Vec<[f64; 2]>) -> Spline {
        let pieces = pieces(&points, &slopes, |point| point.y, 0.0);
        Spline { points, ends, is_smooth, slopes, pieces }
    }

    /// The points, in order.
    pub fn points(&self) -> &[ControlPoint] {
        &self.points
    }

    /// Adds a point, at its place in the order, and returns its number. There must be none at its place.
    pub fn add(&mut self, point: ControlPoint) -> Result<usize, SplineError> {
        let index = self.points.partition_point(|other| other.x < point.x);
        let mut points = self.points.clone();
        points.insert(index, point);
        self.replace(points)?;
        Ok(index)
    }

    /// Deletes a point; the last one cannot be.
    pub fn remove(&mut self, index: usize) -> Result<ControlPoint, SplineError> {
        self.check_index(index)?;
        let mut points = self.points.clone();
        let removed = points.remove(index);
        self.replace(points)?;
        Ok(removed)
    }

    /// Puts another point in the place of one; it must stay between its neighbours.
    pub fn set(&mut self, index: usize, point: ControlPoint) -> Result<(), SplineError> {
        self.check_index(index)?;
        let mut points = self.points.clone();
        points[index] = point;
        self.replace(points)
    }

    fn check_index(&self, index: usize) -> Result<(), SplineError> {
        let n_points = self.points.len();
        if index < n_points { Ok(()) } else { Err(SplineError::NoPoint { index, n_points }) }
    }

    fn replace(&mut self, points: Vec<ControlPoint>) -> Result<(), SplineError> {
        *self = if self.is_smooth { Spline::smooth(points)? } else { Spline::new(points, self.ends)? };
        Ok(())
    }

    /// The value at a place: exactly that of a point at the point.
    pub fn at(&self, x: f64) -> f64 {
        self.pieces[self.piece_at(x)].at(x)
    }

    /// Values at `0, 1, 2, ...`, as many as `out` has.
    pub fn fill(&self, out: &mut [f64]) {
        let mut from = 0;
        for (index, piece) in self.pieces.iter().enumerate() {
            let end = self.points.get(index).map_or(out.len(), |next| (next.x.ceil().max(0.0) as usize).min(out.len()));
            for (place, value) in out.iter_mut().enumerate().take(end).skip(from) {
                *value = piece.at(place as f64);
            }
            from = from.max(end);
        }
    }

    fn piece_at(&self, x: f64) -> usize {
        self.points.partition_point(|point| point.x <= x)
    }

    /// How far the curve lies above the line `y = x`, as a function that is quick on values near each other. Where
    /// points lie on that line it is exactly 0.
    pub(crate) fn above_diagonal(&self) -> Lift<'_> {
        Lift {
            points: &self.points,
            pieces: pieces(&self.points, &self.slopes, |point| point.y - point.x, 1.0),
            last: 0,
        }
    }
}

/// How far a spline lies above the diagonal.
pub(crate) struct Lift<'a> {
    points: &'a [ControlPoint],
    pieces: Vec<Piece>,
    /// The piece that was asked for last.
    last: usize,
}

impl Lift<'_> {
    #[inline]
    pub(crate) fn at(&mut self, x: f64) -> f64 {
        let starts = |piece: usize| piece == 0 || self.points[piece - 1].x <= x;
        let ends = |piece: usize| self.points.get(piece).is_none_or(|next| x < next.x);
        if !(starts(self.last) && ends(self.last)) {
            self.last = self.points.partition_point(|point| point.x <= x);
        }
        self.pieces[self.last].at(x)
    }
}

fn check(points: &[ControlPoint]) -> Result<(), SplineError> {
    if points.is_empty() {
        return Err(SplineError::Empty);
    }
    for (index, point) in points.iter().enumerate() {
        let given = if let Slope::Given(slope) = point.slope { slope } else { 0.0 };
        let numbers = [("x", point.x), ("y", point.y), ("slope", given)];
        if let Some((field, value)) = numbers.into_iter().find(|(_, value)| !value.is_finite()) {
            return Err(SplineError::NotFinite { index, field, value });
        }
        if let Slope::Tcb(tcb) = point.slope
            && let Some((field, value)) = tcb.wrong()
        {
            return Err(SplineError::Tcb { index, field, value });
        }
        if let Some(before) = index.checked_sub(1).map(|before| points[before].x)
            && point.x <= before
        {
            return Err(SplineError::Order { index, x: point.x, before });
        }
    }
    Ok(())
}

/// Slopes before and after each point, each by its own settings.
fn local_slopes(points: &[ControlPoint], ends: Ends) -> Vec<[f64; 2]> {
    let n = points.len();
    let mut slopes: Vec<[f64; 2]> = (0..n)
        .map(|i| match (points[i].slope, i == 0 || i + 1 == n) {
            (Slope::Given(slope), _) => [slope; 2],
            (_, true) => [0.0; 2],
            (Slope::Auto, false) => [auto_slope(points, i); 2],
            (Slope::Tcb(tcb), false) => tcb_slopes(points, i, tcb),
        })
        .collect();
    if n > 1 && ends == Ends::Free {
        let chord = |i: usize| (points[i + 1].y - points[i].y) / (points[i + 1].x - points[i].x);
        for (end, inner, chord) in [(0, slopes[1][0], chord(0)), (n - 1, slopes[n - 2][1], chord(n - 2))] {
            // Of two points each is the other's neighbour, and both ends are free.
            let inner = if n == 2 && !matches!(points[n - 1 - end].slope, Slope::Given(_)) { chord } else { inner };
            let free = (3.0 * chord - inner) / 2.0;
            slopes[end] = match points[end].slope {
                Slope::Given(slope) => [slope; 2],
                Slope::Auto => [held_back(free, chord, chord); 2],
                Slope::Tcb(tcb) => [(1.0 - tcb.tension) * free; 2],
            };
        }
    }
    slopes
}

/// The chord's slope, held back.
fn auto_slope(points: &[ControlPoint], i: usize) -> f64 {
    let [before, point, after] = [points[i - 1], points[i], points[i + 1]];
    let (gap_before, gap_after) = (point.x - before.x, after.x - point.x);
    let (rise_before, rise_after) = (point.y - before.y, after.y - point.y);
    // The sum of both gaps, not the gap of the sum: on the diagonal rises are gaps, and the slope is exactly 1.
    let chord = (rise_before + rise_after) / (gap_before + gap_after);
    held_back(chord, rise_before / gap_before, rise_after / gap_after)
}

/// Slopes up to this many times the chord's keep a cubic between its end values.
const STEEPEST: f64 = 3.0;

/// A slope that does not let the curve leave the range of either neighbour.
fn held_back(slope: f64, before: f64, after: f64) -> f64 {
    if before * after <= 0.0 {
        return 0.0;
    }
    let most = STEEPEST * before.abs().min(after.abs());
    if slope * before <= 0.0 { 0.0 } else { slope.clamp(-most, most) }
}

fn tcb_slopes(points: &[ControlPoint], i: usize, Tcb { tension, continuity, bias }: Tcb) -> [f64; 2] {
    let [before, point, after] = [points[i - 1], points[i], points[i + 1]];
    let gap = (point.x - before.x) + (after.x - point.x);
    let (before, after) = (point.y - before.y, after.y - point.y);
    let mixed = |continuity: f64| {
        let (source, goal) = ((1.0 + continuity) * (1.0 + bias), (1.0 - continuity) * (1.0 - bias));
        (1.0 - tension) * (source * before + goal * after) / gap
    };
    [mixed(-continuity), mixed(continuity)]
}

fn smooth_slopes(points: &[ControlPoint]) -> Vec<[f64; 2]> {
    let places: Vec<(f64, f64)> = points.iter().map(|point| (point.x, point.y)).collect();
    let mut rates = vec![0.0; places.len()];
    smooth_rates(&places, &mut rates, &mut vec![0.0; places.len()]);
    rates.into_iter().map(|rate| [rate; 2]).collect()
}

/// The cubics through `value` of each point, with its slopes less `tilt`.
fn pieces(points: &[ControlPoint], slopes: &[[f64; 2]], value: impl Fn(&ControlPoint) -> f64, tilt: f64) -> Vec<Piece> {
    let straight = |point: &ControlPoint, slope: f64| Piece { x: point.x, terms: [value(point), slope, 0.0, 0.0] };
    let first = straight(&points[0], slopes[0][0] - tilt);
    let between = points.windows(2).zip(slopes.windows(2)).map(|(pair, slopes)| {
        let gap = pair[1].x - pair[0].x;
        let (from, to) = (slopes[0][1] - tilt, slopes[1][0] - tilt);
        let chord = (value(&pair[1]) - value(&pair[0])) / gap;
        let terms =
            [value(&pair[0]), from, (3.0 * chord - 2.0 * from - to) / gap, (from + to - 2.0 * chord) / (gap * gap)];
        Piece { x: pair[0].x, terms }
    });
    let end = points.len() - 1;
    let last = straight(&points[end], slopes[end][1] - tilt);
    std::iter::once(first).chain(between).chain([last]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spline(points: &[(f64, f64)], slope: Slope, ends: Ends) -> Spline {
        Spline::new(points.iter().map(|&(x, y)| ControlPoint { x, y, slope }).collect(), ends).unwrap()
    }

    /// The slope just before and just after a place.
    fn sides(spline: &Spline, x: f64) -> (f64, f64) {
        let h = 1e-6;
        ((spline.at(x) - spline.at(x - h)) / h, (spline.at(x + h) - spline.at(x)) / h)
    }

    /// Points at places that are at least 0.1 apart.
    fn any_points() -> impl Strategy<Value = Vec<(f64, f64)>> {
        prop::collection::vec((0.1..2.0f64, -3.0..3.0f64), 1..9).prop_map(|steps| {
            let mut x = -1.0;
            let place = |(gap, y): (f64, f64)| {
                x += gap;
                (x, y)
            };
            steps.into_iter().map(place).collect()
        })
    }

    fn any_tcb() -> impl Strategy<Value = Tcb> {
        (-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64).prop_map(|(tension, continuity, bias)| Tcb {
            tension,
            continuity,
            bias,
        })
    }

    proptest! {
        #[test]
        fn every_point_is_met_exactly(points in any_points(), tcb in any_tcb()) {
            for ends in [Ends::Free, Ends::Level] {
                for slope in [Slope::Auto, Slope::Tcb(tcb), Slope::Given(tcb.bias)] {
                    let spline = spline(&points, slope, ends);
                    for &(x, y) in &points {
                        prop_assert_eq!(spline.at(x), y);
                        prop_assert!((spline.at(x - 1e-9) - y).abs() < 1e-6, "no jump at {}", x);
                    }
                }
            }
            let smooth = Spline::smooth(points.iter().map(|&(x, y)| ControlPoint::new(x, y)).collect()).unwrap();
            for &(x, y) in &points {
                prop_assert_eq!(smooth.at(x), y);
            }
        }

        #[test]
        fn slopes_are_continuous_unless_continuity_says_otherwise(points in any_points(), tcb in any_tcb()) {
            let even = Tcb { continuity: 0.0, ..tcb };
            for slope in [Slope::Auto, Slope::Tcb(Tcb::default()), Slope::Tcb(even)] {
                let spline = spline(&points, slope, Ends::Free);
                for &(x, _) in &points {
                    let (before, after) = sides(&spline, x);
                    prop_assert!((before - after).abs() < 1e-2, "{:?} at {}: {} {}", slope, x, before, after);
                }
            }
        }

        #[test]
        fn automatic_curves_stay_between_neighbours(points in any_points()) {
            for ends in [Ends::Free, Ends::Level] {
                let spline = spline(&points, Slope::Auto, ends);
                for pair in points.windows(2) {
                    let (low, high) = (pair[0].1.min(pair[1].1), pair[0].1.max(pair[1].1));
                    for step in 0..=50 {
                        let x = pair[0].0 + (pair[1].0 - pair[0].0) * f64::from(step) / 50.0;
                        let y = spline.at(x);
                        prop_assert!(y >= low - 1e-12 && y <= high + 1e-12, "{} at {} beyond {:?}", y, x, pair);
                    }
                }
            }
        }

        #[test]
        fn the_diagonal_is_met_to_the_last_bit(
            places in prop::collection::vec(0.01..2.0f64, 1..9),
            at in -30.0..30.0f64,
        ) {
            let mut x = -3.0;
            let points: Vec<(f64, f64)> = places.iter().map(|gap| { x += gap; (x, x) }).collect();
            for slope in [Slope::Auto, Slope::Tcb(Tcb::default()), Slope::Given(1.0)] {
                if points.len() == 1 && !matches!(slope, Slope::Given(_)) {
                    continue;
                }
                let spline = spline(&points, slope, Ends::Free);
                prop_assert_eq!(spline.above_diagonal().at(at), 0.0);
            }
        }

        #[test]
        fn the_lift_is_the_curve_less_the_diagonal(points in any_points(), tcb in any_tcb(), at in -5.0..20.0f64) {
            let spline = spline(&points, Slope::Tcb(tcb), Ends::Free);
            let mut lift = spline.above_diagonal();
            for x in [at, at + 0.1, at - 3.0, at] {
                prop_assert!((lift.at(x) - (spline.at(x) - x)).abs() < 1e-9 * (1.0 + spline.at(x).abs()));
            }
        }

        #[test]
        fn frames_are_filled_with_the_values_at_them(points in any_points(), stretch in 1.0..20.0f64) {
            let points: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x * stretch, y)).collect();
            let spline = spline(&points, Slope::Auto, Ends::Level);
            let mut out = vec![f64::NAN; 40];
            spline.fill(&mut out);
            for (x, y) in out.iter().enumerate() {
                prop_assert_eq!(*y, spline.at(x as f64));
            }
        }
    }

    #[test]
    fn slopes_are_those_of_the_paper() {
        // Worked by hand from the formulas for unit distances, before = 2 and after = -1.
        let points = [(0.0, 0.0), (1.0, 2.0), (2.0, 1.0)];
        let cases = [
            (Tcb::default(), (0.5, 0.5)),
            (Tcb { tension: 1.0, ..Tcb::default() }, (0.0, 0.0)),
            (Tcb { tension: -1.0, ..Tcb::default() }, (1.0, 1.0)),
            (Tcb { continuity: -1.0, ..Tcb::default() }, (2.0, -1.0)),
            (Tcb { continuity: 1.0, ..Tcb::default() }, (-1.0, 2.0)),
            (Tcb { bias: 1.0, ..Tcb::default() }, (2.0, 2.0)),
            (Tcb { bias: -1.0, ..Tcb::default() }, (-1.0, -1.0)),
        ];
        for (tcb, wanted) in cases {
            let found = sides(&spline(&points, Slope::Tcb(tcb), Ends::Free), 1.0);
            assert!((found.0 - wanted.0).abs() < 1e-4 && (found.1 - wanted.1).abs() < 1e-4, "{tcb:?}: {found:?}");
        }
        // Unequal distances: the chord from neighbour to neighbour.
        let found = sides(&spline(&[(0.0, 0.0), (1.0, 2.0), (4.0, 1.0)], Slope::Tcb(Tcb::default()), Ends::Free), 1.0);
        assert!((found.0 - 0.25).abs() < 1e-4 && (found.1 - 0.25).abs() < 1e-4, "{found:?}");
    }

    #[test]
    fn equal_neighbours_hold_and_the_paper_bulges() {
        let points = [(0.0, 0.0), (1.0, 1.0), (2.0, 1.0), (3.0, 0.0)];
        assert_eq!(spline(&points, Slope::Auto, Ends::Level).at(1.5), 1.0);
        assert!(spline(&points, Slope::Tcb(Tcb::default()), Ends::Level).at(1.5) > 1.1);
    }

    #[test]
    fn smooth_curves_have_continuous_curvature_and_level_ends() {
        let points = [(0.0, 0.0), (1.0, 2.0), (1.5, -1.0), (4.0, 0.5)];
        let spline = Spline::smooth(points.iter().map(|&(x, y)| ControlPoint::new(x, y)).collect()).unwrap();
        let h = 1e-4;
        let curvature = |x: f64| (spline.at(x + h) - 2.0 * spline.at(x) + spline.at(x - h)) / (h * h);
        for x in [1.0, 1.5] {
            let (before, after) = (curvature(x - 1.1 * h), curvature(x + 1.1 * h));
            assert!((before - after).abs() < 0.1, "{x}: {before} {after}");
        }
        assert_eq!((spline.at(-7.0), spline.at(9.0)), (0.0, 0.5));
    }

    #[test]
    fn points_are_added_moved_and_deleted() {
        let mut spline = spline(&[(0.0, 0.0), (2.0, 1.0)], Slope::Auto, Ends::Free);
        assert_eq!(spline.add(ControlPoint::new(1.0, 5.0)), Ok(1));
        assert_eq!(spline.at(1.0), 5.0);
        spline.set(1, ControlPoint::new(1.5, -5.0)).unwrap();
        assert_eq!(spline.at(1.5), -5.0);
        assert_eq!(spline.remove(1).unwrap().y, -5.0);
        assert_eq!(spline.at(1.0), 0.5);
        let before = spline.clone();
        assert!(matches!(spline.set(1, ControlPoint::new(-1.0, 0.0)), Err(SplineError::Order { index: 1, .. })));
        assert!(matches!(spline.remove(2), Err(SplineError::NoPoint { index: 2, n_points: 2 })));
        assert!(matches!(spline.add(ControlPoint::new(2.0, 0.0)), Err(SplineError::Order { .. })));
        assert_eq!(spline, before, "what is refused changes nothing");
    }

    #[test]
    fn what_is_no_curve_is_refused_by_name() {
        let new = |points: Vec<ControlPoint>| Spline::new(points, Ends::Free).unwrap_err().to_string();
        assert!(new(Vec::new()).contains("at least one"));
        let error = new(vec![ControlPoint::new(0.0, 0.0), ControlPoint::new(1.0, f64::NAN)]);
        assert!(error.contains("points[1].y"), "{error}");
        let slack = Slope::Tcb(Tcb { tension: -2.0, ..Tcb::default() });
        let error = new(vec![ControlPoint { x: 0.0, y: 0.0, slope: slack }]);
        assert!(error.contains("points[0].tension") && error.contains("-1 to 1"), "{error}");
    }
}
