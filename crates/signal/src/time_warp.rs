//! Which time of one clip belongs to each time of another.
//!
//! Reference: SIGNAL 5.2.2, where a warp is a list of pairs of samples; and Fritsch 1980, for what lies between.
//!
//! A list of pairs repeats samples and leaves some out: movement read through it stands still and jumps. A [`TimeWarp`]
//! is instead a function with an inverse: continuous with its slope, strictly increasing, from the first frame to the
//! last. It goes through knots, pairs of times that belong together, by cubics whose tangents are limited so that each
//! piece increases:
//!
//! 1. at each knot the slope of the parabola through it and its neighbours;
//! 2. where the two tangents of a piece are, in units of its secant, farther than 3 from zero, both are shortened to 3.
//!    Within that circle the cubic increases, and as no tangent is zero its slope never is either.
//!
//! Departure: the inverse of such a function is no cubic. [`TimeWarp::inverse`] is nevertheless exact: it reads the
//! same cubics from the other side.

/// Which time of B belongs to each time of A: strictly increasing, continuous, from first frame to last. Times in
/// frames.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeWarp {
    /// At least one; increasing in both.
    knots: Vec<[f64; 2]>,
    /// For each knot, the slope of the cubics, along their argument.
    slopes: Vec<f64>,
    /// 0 if the cubics are functions of A's time, 1 if of B's.
    argument: usize,
}

/// Why something is no warp, or none can be found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WarpError {
    /// A warp without any knot.
    #[error("a warp needs at least one knot, a pair of times that belong together")]
    NoKnots,
    /// A knot that is not later than the one before it, or no number.
    #[error("knot {index} at [{}, {}] {problem}", .knot[0], .knot[1])]
    Knot {
        /// Counted from 0.
        index: usize,
        /// Times of A and of B.
        knot: [f64; 2],
        /// What is wrong with it.
        problem: KnotProblem,
    },
    /// An option that cannot be used.
    #[error("`{field}` is {value}; {wanted} would be right")]
    Option {
        /// Its name.
        field: &'static str,
        /// As given.
        value: f64,
        /// What would be right.
        wanted: &'static str,
    },
    /// A weight that cannot be used.
    #[error("the weight of channel {channel} is {weight}; a number from 0 would be right")]
    Weight {
        /// Counted from 0.
        channel: usize,
        /// As given.
        weight: f64,
    },
    /// Clips too long to be compared frame by frame.
    #[error(
        "{} and {} samples are {n_pairs} pairs to compare; at most {max_pairs} are compared. Shorter parts of the clips would do, \
         or anchors, or a coarse-to-fine search", .n_frames[0], .n_frames[1]
    )]
    TooLong {
        /// Samples of both clips, at the rate at which they are compared.
        n_frames: [usize; 2],
        /// Pairs that would be compared.
        n_pairs: usize,
        /// The most.
        max_pairs: usize,
    },
    /// A pair of frames that must correspond, and cannot.
    #[error("anchor {index}, frames {} and {}, {problem}", .anchor[0], .anchor[1])]
    Anchor {
        /// Counted from 0.
        index: usize,
        /// Frames of A and of B.
        anchor: [usize; 2],
        /// What is wrong with it.
        problem: AnchorProblem,
    },
    /// No path keeps to the limit of slopes.
    #[error(
        "frames {} to {} of one clip cannot pass with {} to {} of the other where at most {max_slope} frames pass with one; \
         a larger limit, or clips nearer in length, would do", .from[0], .to[0], .from[1], .to[1]
    )]
    TooSteep {
        /// Frames of both between which the least room is.
        from: [usize; 2],
        /// The frames at the other end.
        to: [usize; 2],
        /// The limit.
        max_slope: usize,
    },
}

/// What is wrong with an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnchorProblem {
    /// A clip has no such frame.
    #[error("is outside; the clips have {} and {} frames", .n_frames[0], .n_frames[1])]
    Outside {
        /// Of A and of B.
        n_frames: [usize; 2],
    },
    /// It is not later than the one before.
    #[error("is not later in both clips than the one before it; anchors must increase in both")]
    NotLater,
}

/// What is wrong with a knot.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum KnotProblem {
    /// A time is no number.
    #[error("is not finite; both must be times in frames")]
    NotFinite,
    /// Time of A does not go on.
    #[error("is not later in A than the knot before it, at {before}; knots must increase in both")]
    NotLaterInA {
        /// A's time at the knot before.
        before: f64,
    },
    /// Time of B does not go on.
    #[error("is not later in B than the knot before it, at {before}; knots must increase in both")]
    NotLaterInB {
        /// B's time at the knot before.
        before: f64,
    },
}

/// Tangents within this many secants of zero, both together, let a cubic increase (Fritsch 1980).
const LARGEST_TANGENTS: f64 = 3.0;

impl TimeWarp {
    /// The whole of A at an even pace on the whole of B. A clip of one frame, or none, has one time, which belongs to
    /// the first of the other.
    pub fn linear(n_frames_a: usize, n_frames_b: usize) -> TimeWarp {
        let last = |n_frames: usize| n_frames.saturating_sub(1) as f64;
        let end = [last(n_frames_a), last(n_frames_b)];
        let knots = if end[0] > 0.0 && end[1] > 0.0 { vec![[0.0; 2], end] } else { vec![[0.0; 2]] };
        TimeWarp::through(knots)
    }

    /// Through pairs of times of A and B, which must increase in both; the error names the knot that does not. The
    /// first and the last are the ends of the warp.
    pub fn from_knots(knots: Vec<[f64; 2]>) -> Result<TimeWarp, WarpError> {
        if knots.is_empty() {
            return Err(WarpError::NoKnots);
        }
        for (index, knot) in knots.iter().enumerate() {
            let before = index.checked_sub(1).map_or([f64::NEG_INFINITY; 2], |index| knots[index]);
            let problem = if !knot.iter().all(|time| time.is_finite()) {
                KnotProblem::NotFinite
            } else if knot[0] <= before[0] {
                KnotProblem::NotLaterInA { before: before[0] }
            } else if knot[1] <= before[1] {
                KnotProblem::NotLaterInB { before: before[1] }
            } else {
                continue;
            };
            return Err(WarpError::Knot { index, knot: *knot, problem });
        }
        Ok(TimeWarp::through(knots))
    }

    /// Through knots that are known to increase.
    fn through(knots: Vec<[f64; 2]>) -> TimeWarp {
        let slopes = tangents(&knots);
        TimeWarp { knots, slopes, argument: 0 }
    }

    /// The time of B that belongs to a time of A. Before the first knot and after the last it is theirs.
    pub fn b_at(&self, a: f64) -> f64 {
        self.read(0, a)
    }

    /// The time of A that belongs to a time of B: the inverse of [`TimeWarp::b_at`].
    pub fn a_at(&self, b: f64) -> f64 {
        self.read(1, b)
    }

    /// How many frames of B pass with one of A, at a time of A; outside the knots, as at the nearest. Always more than
    /// zero. A warp of one knot has the slope 1.
    pub fn slope_at(&self, a: f64) -> f64 {
        if self.argument == 0 { self.cubic_slope(a) } else { self.cubic_slope(self.b_at(a)).recip() }
    }

    /// The least and the largest of all slopes.
    pub fn slope_range(&self) -> [f64; 2] {
        let pieces = (1..self.knots.len()).flat_map(|after| self.piece_before(after).steepest_and_flattest());
        let [least, most] =
            pieces.fold([f64::INFINITY, 0.0f64], |[least, most], slope| [least.min(slope), most.max(slope)]);
        match (self.knots.len(), self.argument) {
            (1, _) => [1.0; 2],
            (_, 0) => [least, most],
            _ => [most.recip(), least.recip()],
        }
    }

    /// The pairs of times of A and B that it goes through.
    pub fn knots(&self) -> &[[f64; 2]] {
        &self.knots
    }

    /// Which time of A belongs to each time of B. Exact: where this one leads from a to b, that one leads from b to a.
    pub fn inverse(&self) -> TimeWarp {
        TimeWarp {
            knots: self.knots.iter().map(|&[a, b]| [b, a]).collect(),
            slopes: self.slopes.clone(),
            argument: 1 - self.argument,
        }
    }

    /// The time on the other side that belongs to a time of `side`.
    fn read(&self, side: usize, time: f64) -> f64 {
        let (first, last) = (self.knots[0], self.knots[self.knots.len() - 1]);
        if time.is_nan() || time <= first[side] {
            return first[1 - side];
        }
        if time >= last[side] {
            return last[1 - side];
        }
        let piece = self.piece_at(side, time);
        let found = if side == self.argument { piece.value(time) } else { piece.argument_of(time) };
        // Rounding must not lead past a knot.
        let [from, to] = [&piece.from, &piece.to].map(|knot| knot[usize::from(side == self.argument)]);
        found.clamp(from, to)
    }

    /// The slope of the cubics at a time of their argument.
    fn cubic_slope(&self, time: f64) -> f64 {
        let (first, last) = (self.knots[0][self.argument], self.knots[self.knots.len() - 1][self.argument]);
        match self.knots.len() {
            1 => 1.0,
            _ if time >= last => self.slopes[self.slopes.len() - 1],
            _ => self.piece_at(self.argument, time.max(first)).slope(time.max(first)),
        }
    }

    /// The piece around a time of `side`. There are at least two knots, and the time lies before the last.
    fn piece_at(&self, side: usize, time: f64) -> Piece {
        let after = self.knots.partition_point(|knot| knot[side] <= time).clamp(1, self.knots.len() - 1);
        self.piece_before(after)
    }

    /// The piece that ends in a knot.
    fn piece_before(&self, after: usize) -> Piece {
        let from_to = [after - 1, after].map(|index| {
            let knot = self.knots[index];
            [knot[self.argument], knot[1 - self.argument]]
        });
        Piece { from: from_to[0], to: from_to[1], slopes: [self.slopes[after - 1], self.slopes[after]] }
    }
}

/// The cubic between two knots, each an argument and a value.
struct Piece {
    from: [f64; 2],
    to: [f64; 2],
    slopes: [f64; 2],
}

impl Piece {
    /// Rise of the secant, and the tangents at both ends over the length of the piece.
    fn shape(&self) -> (f64, f64, [f64; 2]) {
        let (run, rise) = (self.to[0] - self.from[0], self.to[1] - self.from[1]);
        (run, rise, self.slopes.map(|slope| slope * run))
    }

    fn value(&self, argument: f64) -> f64 {
        let (run, rise, [m0, m1]) = self.shape();
        let along = argument - self.from[0];
        let t = along / run;
        // Written as a straight line and what the cubic adds to it, so that an even pace of whole frames gives whole
        // frames.
        self.from[1] + along * (rise / run) + t * (1.0 - t) * ((m0 - rise) * (1.0 - t) - (m1 - rise) * t)
    }

    fn slope(&self, argument: f64) -> f64 {
        let (run, rise, [m0, m1]) = self.shape();
        let t = (argument - self.from[0]) / run;
        let [u, v] = [m0 - rise, m1 - rise];
        (rise + u * (1.0 - t) * (1.0 - 3.0 * t) - v * t * (2.0 - 3.0 * t)) / run
    }

    /// The slopes at both ends and where the slope turns, between which all others are.
    fn steepest_and_flattest(&self) -> [f64; 3] {
        let (run, rise, [m0, m1]) = self.shape();
        let [u, v] = [m0 - rise, m1 - rise];
        let t = (2.0 * u + v) / (3.0 * (u + v));
        let inner = if t > 0.0 && t < 1.0 { self.slope(self.from[0] + t * run) } else { self.slopes[0] };
        [self.slopes[0], self.slopes[1], inner]
    }

    /// Where the cubic, which increases, has a value: by Newton's steps, halving the interval where one leads out of
    /// it.
    fn argument_of(&self, value: f64) -> f64 {
        let (mut low, mut high) = (self.from[0], self.to[0]);
        let mut at = low + (high - low) * (value - self.from[1]) / (self.to[1] - self.from[1]);
        for _ in 0..64 {
            let error = self.value(at) - value;
            if error == 0.0 {
                break;
            }
            *(if error > 0.0 { &mut high } else { &mut low }) = at;
            let newton = at - error / self.slope(at);
            let next = if newton > low && newton < high { newton } else { low + (high - low) / 2.0 };
            if (next - at).abs() <= f64::EPSILON * next.abs() {
                break;
            }
            at = next;
        }
        at
    }
}

/// The slope at each knot: the parabola's through it and its neighbours, limited so that both pieces increase.
fn tangents(knots: &[[f64; 2]]) -> Vec<f64> {
    let n = knots.len();
    let runs: Vec<f64> = knots.windows(2).map(|pair| pair[1][0] - pair[0][0]).collect();
    let secants: Vec<f64> = knots.windows(2).zip(&runs).map(|(pair, run)| (pair[1][1] - pair[0][1]) / run).collect();
    if n <= 2 {
        return vec![secants.first().copied().unwrap_or(1.0); n];
    }
    let end = |near: usize, far: usize| {
        let parabola = secants[near] + (secants[near] - secants[far]) * runs[near] / (runs[near] + runs[far]);
        parabola.clamp(secants[near] / LARGEST_TANGENTS, secants[near] * LARGEST_TANGENTS)
    };
    let mut slopes = vec![end(0, 1); n];
    for k in 1..n - 1 {
        slopes[k] = (secants[k - 1] * runs[k] + secants[k] * runs[k - 1]) / (runs[k - 1] + runs[k]);
    }
    slopes[n - 1] = end(n - 2, n - 3);
    for (k, secant) in secants.iter().enumerate() {
        let length = (slopes[k] / secant).hypot(slopes[k + 1] / secant);
        if length > LARGEST_TANGENTS {
            slopes[k] *= LARGEST_TANGENTS / length;
            slopes[k + 1] *= LARGEST_TANGENTS / length;
        }
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_geom::{Random, check_cases};

    /// A warp increases everywhere, goes through its knots, has the slope it says, and its inverse leads back.
    fn check(warp: &TimeWarp) {
        let knots = warp.knots();
        let (first, last) = (knots[0], knots[knots.len() - 1]);
        for knot in knots {
            assert!((warp.b_at(knot[0]) - knot[1]).abs() < 1e-9, "{knot:?} {}", warp.b_at(knot[0]));
            assert!((warp.a_at(knot[1]) - knot[0]).abs() < 1e-9, "{knot:?} {}", warp.a_at(knot[1]));
        }
        assert_eq!([warp.b_at(first[0] - 1.0), warp.b_at(last[0] + 1.0)], [first[1], last[1]]);
        assert_eq!([warp.a_at(first[1] - 1.0), warp.a_at(last[1] + 1.0)], [first[0], last[0]]);
        let inverse = warp.inverse();
        assert_eq!(&inverse.inverse(), warp);
        // A steep place is short in A, a flat one in B.
        let between = |from: f64, to: f64| (0..=200).map(move |k| from + (to - from) * f64::from(k) / 200.0);
        let seen = knots.windows(2).flat_map(|ends| {
            let [from, to] = [ends[0], ends[1]];
            between(from[0], to[0]).chain(between(from[1], to[1]).map(|b| warp.a_at(b)))
        });
        let seen: Vec<f64> = seen.map(|a| warp.slope_at(a)).collect();
        let steps = 400;
        let [least, most] = warp.slope_range();
        let extremes = [seen.iter().copied().fold(f64::INFINITY, f64::min), seen.iter().copied().fold(0.0, f64::max)];
        assert!(
            extremes[0] < least * 1.01 + 1e-9 && extremes[1] > most * 0.99,
            "{extremes:?}, range {least} to {most}"
        );
        let time = |k: usize| first[0] + (last[0] - first[0]) * k as f64 / steps as f64;
        for k in 0..steps {
            let (a, next) = (time(k), time(k + 1));
            let (b, slope) = (warp.b_at(a), warp.slope_at(a));
            assert!(warp.b_at(next) > b, "stands still at {a}: {warp:?}");
            assert!(slope > 0.0 && slope.is_finite(), "slope {slope} at {a}");
            let within = least * (1.0 - 1e-9)..=most * (1.0 + 1e-9);
            assert!(within.contains(&slope), "slope {slope} at {a}, range {within:?}");
            assert_eq!([inverse.a_at(a), warp.a_at(b)], [b, inverse.b_at(b)]);
            let back = warp.a_at(b);
            assert!((warp.b_at(back) - b).abs() < 1e-9 * (1.0 + b.abs()), "{a} leads to {b}, back to {back}");
            assert!((inverse.slope_at(b) * warp.slope_at(back) - 1.0).abs() < 1e-9);
            let middle = (a + next) / 2.0;
            let width = (next - a) * 1e-4;
            let measured = (warp.b_at(middle + width) - warp.b_at(middle - width)) / (2.0 * width);
            // What is measured is the mean of the slopes over the interval, so it lies between them. They are far apart where the
            // inverse passes a nearly flat place of the cubics: its slope is the reciprocal of theirs, and no width is small there.
            let slopes = [middle - width, middle, middle + width].map(|at| warp.slope_at(at));
            let [least, most] = [slopes.iter().copied().reduce(f64::min), slopes.iter().copied().reduce(f64::max)];
            let (least, most) = (least.expect("three slopes"), most.expect("three slopes"));
            let rounding = 1e-5 * (1.0 + slopes[1]);
            // Not across a knot, where the second derivative jumps.
            if !knots.iter().any(|knot| (knot[0] - middle).abs() <= width) {
                assert!(
                    measured > least - rounding && measured < most + rounding,
                    "slopes {slopes:?}, measured {measured} at {middle}"
                );
            }
        }
    }

    /// Through any knots, neighbours of which are up to 400 times steeper than each other.
    fn any_warp(random: &mut Random) -> TimeWarp {
        let mut at = [(); 2].map(|()| random.range(-10.0, 10.0));
        let mut knots = vec![at];
        for _ in 0..1 + random.index(11) {
            at = at.map(|time| time + random.range(0.05, 20.0));
            knots.push(at);
        }
        TimeWarp::from_knots(knots).unwrap()
    }

    #[test]
    fn a_warp_through_any_knots_increases_and_has_an_inverse() {
        check_cases(256, |random| {
            let warp = any_warp(random);
            check(&warp);
            check(&warp.inverse());
        });
    }

    #[test]
    fn a_linear_warp_leads_from_first_to_last_frame() {
        let warp = TimeWarp::linear(11, 31);
        check(&warp);
        assert_eq!([0.0, 2.5, 10.0].map(|a| warp.b_at(a)), [0.0, 7.5, 30.0]);
        assert_eq!(warp.slope_at(4.0), 3.0);
        assert_eq!(TimeWarp::linear(50, 50).b_at(17.0), 17.0);
    }

    #[test]
    fn knots_on_a_line_or_a_parabola_give_the_line_and_the_parabola() {
        let line = TimeWarp::from_knots(vec![[0.0, 1.0], [1.0, 3.0], [5.0, 11.0], [6.0, 13.0]]).unwrap();
        let parabola =
            TimeWarp::from_knots((0..9).map(|k| f64::from(k).mul_add(0.5, 3.0)).map(|a| [a, a * a]).collect());
        let parabola = parabola.unwrap();
        for k in 0..40 {
            let a = 0.15 * f64::from(k);
            assert!((line.b_at(a) - (1.0 + 2.0 * a)).abs() < 1e-12);
            let a = 3.0 + 0.1 * f64::from(k);
            assert!((parabola.b_at(a) - a * a).abs() < 1e-9);
        }
    }

    #[test]
    fn clips_of_one_frame_have_one_time() {
        for (a, b) in [(0, 0), (1, 1), (0, 9), (1, 9), (9, 1)] {
            let warp = TimeWarp::linear(a, b);
            assert_eq!(warp.knots(), [[0.0, 0.0]]);
            assert_eq!([warp.b_at(3.0), warp.a_at(3.0), warp.b_at(f64::NAN), warp.slope_at(2.0)], [0.0, 0.0, 0.0, 1.0]);
            assert_eq!(warp.inverse().slope_at(0.0), 1.0);
        }
    }

    #[test]
    fn the_knot_that_is_wrong_is_named() {
        let wrong = |knots: &[[f64; 2]]| TimeWarp::from_knots(knots.to_vec()).unwrap_err();
        assert_eq!(wrong(&[]), WarpError::NoKnots);
        let error = wrong(&[[0.0, 0.0], [4.0, 5.0], [4.0, 6.0]]).to_string();
        assert!(error.starts_with("knot 2 at [4, 6] is not later in A than the knot before it, at 4"), "{error}");
        let error = wrong(&[[0.0, 0.0], [4.0, 5.0], [6.0, 4.5], [7.0, 8.0]]);
        let problem = KnotProblem::NotLaterInB { before: 5.0 };
        assert_eq!(error, WarpError::Knot { index: 2, knot: [6.0, 4.5], problem });
        assert!(matches!(wrong(&[[f64::NAN, 0.0]]), WarpError::Knot { index: 0, problem: KnotProblem::NotFinite, .. }));
    }
}
