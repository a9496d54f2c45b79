//! A warp between two takes from when their feet strike and lift.
//!
//! SIGNAL 5.2 asks for it ("the steps must coincide so that the feet strike the ground at the same time") and finds it
//! from joint angles. Where contacts are known they say it better than any angle. The warp is used as it is, or its
//! knots are anchors for `find_warp`.
//!
//! Idea: both takes are lists of events (left foot strikes, right foot lifts, ...). Some of them are matched, like with
//! like and in order; the others are skipped, and reported. Each skipped event costs, and so does every stretch between two
//! matched ones in which the pace differs from that of the takes' strides:
//!
//! ```text
//! skipped * number of skipped events  +  sum of   length of the stretch * log(pace there / pace of strides)^2
//! ```
//!
//! where lift-offs count half (in a walk one foot lifts about when the other strikes, now before and now after it;
//! where the order differs only one of the two can be matched, and strikes are what is seen), and with lengths in
//! quarters of a stride, each take's own, for a stride has four events. The cheapest matching is found by dynamic
//! programming over pairs of like events. Stretches steeper than the limit are not allowed.
//!
//! Two takes begin and end anywhere in a step. What lies before the first matched event and after the last is therefore
//! stretched as far as it must be, and costs as many skipped events as one take has more of quarters of a stride there.
//! Who wants no such rush cuts both takes at matched events. What begins before the first frame or ends after the last
//! is no event.

use crate::{TimeWarp, WarpError};
use surefoot_contact::Contacts;
use surefoot_motion::Side;

/// What a foot does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FootEventKind {
    /// It comes down, by heel or ball.
    Strike,
    /// It leaves the ground.
    LiftOff,
}

/// A foot that comes down or leaves the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FootEvent {
    /// The first frame in which the foot is planted, or gone.
    pub frame: usize,
    /// What it does.
    pub kind: FootEventKind,
    /// Which foot.
    pub side: Side,
}

/// When feet come down and leave the ground, in order of time.
pub fn foot_events(contacts: &Contacts) -> Vec<FootEvent> {
    let mut events = Vec::new();
    for side in Side::BOTH {
        for stance in contacts.stances(side) {
            let strike = FootEvent { frame: stance.start, kind: FootEventKind::Strike, side };
            let lift = FootEvent { frame: stance.end, kind: FootEventKind::LiftOff, side };
            let inside = |event: &FootEvent| event.frame > 0 && event.frame + 1 < contacts.n_frames;
            events.extend([strike, lift].into_iter().filter(inside));
        }
    }
    events.sort_unstable();
    events
}

/// How events are matched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegisterOptions {
    /// What it costs to skip a strike; more than 0. At 0.3, a stretch is rather half as fast again than that a strike
    /// is skipped.
    pub skipping: f64,
    /// How many times faster or slower than the pace of strides a stretch between matched events may be; more than 1.
    /// Within a stretch a warp may be half as steep again.
    pub max_slope: f64,
}

impl Default for RegisterOptions {
    fn default() -> RegisterOptions {
        RegisterOptions { skipping: 0.3, max_slope: 3.0 }
    }
}

/// Two takes whose steps were matched.
#[derive(Clone, Debug, PartialEq)]
pub struct RegisteredContacts {
    /// Through matched strikes, lift-offs at some distance from them, and both ends.
    pub warp: TimeWarp,
    /// Events of A and of B that belong together, in order.
    pub matched: Vec<[FootEvent; 2]>,
    /// Events of A that belong to none of B.
    pub skipped_a: Vec<FootEvent>,
    /// Events of B that belong to none of A.
    pub skipped_b: Vec<FootEvent>,
}

impl RegisteredContacts {
    /// The knots of the warp between its ends as anchors for [`crate::find_warp`].
    pub fn anchors(&self) -> Vec<[usize; 2]> {
        let knots = self.warp.knots();
        let inner = knots.get(1..knots.len().saturating_sub(1)).unwrap_or_default();
        inner.iter().map(|knot| knot.map(|time| time as usize)).collect()
    }
}

/// No more events than this are skipped in a row in one take, unless nothing at all can be matched.
const LONGEST_SKIP: usize = 16;
/// How many times faster or slower the stretches at both ends may be.
const END_SLOPE: f64 = 32.0;
/// Knots are not nearer to each other than this share of a quarter of a stride: a frame more or less would be a change
/// of pace.
const KNOT_GAP: f64 = 0.5;
/// Events are known to about this share of a quarter of a stride.
const JITTER: f64 = 0.1;

/// Matches the strikes and lift-offs of both takes. Takes without events, or of one frame, belong to each other at an
/// even pace.
pub fn register_contacts(
    a: &Contacts,
    b: &Contacts,
    options: &RegisterOptions,
) -> Result<RegisteredContacts, WarpError> {
    let check = |field: &'static str, value: f64, least: f64, wanted: &'static str| {
        let fits = value.is_finite() && value > least;
        if fits { Ok(()) } else { Err(WarpError::Option { field, value, wanted }) }
    };
    check("skipping", options.skipping, 0.0, "a number above 0")?;
    check("max_slope", options.max_slope, 1.0, "a number above 1")?;
    let events = [foot_events(a), foot_events(b)];
    let last = [a, b].map(|contacts| contacts.n_frames.saturating_sub(1));
    let matching = Matching::new(&events, last, options);
    let chain = if last.contains(&0) { Vec::new() } else { matching.cheapest_chain() };

    let matched: Vec<[FootEvent; 2]> = chain.iter().map(|&[i, j]| [events[0][i], events[1][j]]).collect();
    let [skipped_a, skipped_b] = [0, 1].map(|side| {
        let is_matched = |index: &usize| chain.iter().any(|pair| pair[side] == *index);
        let indices = (0..events[side].len()).filter(|index| !is_matched(index));
        indices.map(|index| events[side][index]).collect::<Vec<FootEvent>>()
    });
    let warp = if matched.is_empty() {
        TimeWarp::linear(a.n_frames, b.n_frames)
    } else {
        let ends = [[0; 2], last];
        let mut knots: Vec<[usize; 2]> = matching.knots(&matched).into_iter().chain(ends).collect();
        knots.sort_unstable();
        TimeWarp::from_knots(knots.into_iter().map(|knot| knot.map(|frame| frame as f64)).collect())?
    };
    Ok(RegisteredContacts { warp, matched, skipped_a, skipped_b })
}

/// The search for the cheapest chain of matched events.
struct Matching<'a> {
    events: &'a [Vec<FootEvent>; 2],
    last: [usize; 2],
    /// Quarters of a stride, in frames.
    quarters: [f64; 2],
    /// For each index of an event, how much all events before it count.
    before: [Vec<f64>; 2],
    options: &'a RegisterOptions,
}

/// How a pair of events is reached at the least cost.
#[derive(Clone, Copy)]
struct Reached {
    cost: f64,
    /// The pair before it, or none if it is the first.
    from: Option<[usize; 2]>,
}

impl Matching<'_> {
    fn new<'a>(events: &'a [Vec<FootEvent>; 2], last: [usize; 2], options: &'a RegisterOptions) -> Matching<'a> {
        let quarters = match [stride(&events[0]), stride(&events[1])] {
            [Some(a), Some(b)] => [a / 4.0, b / 4.0],
            // Without strides, at the even pace of the whole.
            _ => last.map(|last| last as f64 / (events[0].len().max(events[1].len()) + 1) as f64),
        };
        let before = events.each_ref().map(|events| {
            let mut sum = 0.0;
            let counts = events.iter().map(|event| if event.kind == FootEventKind::Strike { 1.0 } else { 0.5 });
            std::iter::once(0.0)
                .chain(counts.map(|count| {
                    sum += count;
                    sum
                }))
                .collect()
        });
        Matching { events, last, quarters, before, options }
    }

    /// Indices of matched events, in order.
    fn cheapest_chain(&self) -> Vec<[usize; 2]> {
        let [n, m] = [self.events[0].len(), self.events[1].len()];
        let mut reached: Vec<Option<Reached>> = vec![None; n * m];
        let mut end = Reached { cost: self.skip([0, 0], [n, m]), from: None };
        for i in 0..n {
            for j in 0..m {
                let [a, b] = [self.events[0][i], self.events[1][j]];
                if (a.kind, a.side) != (b.kind, b.side) {
                    continue;
                }
                let Some(best) = self.reach([i, j], &reached) else { continue };
                reached[i * m + j] = Some(best);
                let to_end = self.end_stretch([a.frame, b.frame], self.last);
                let cost = to_end.map(|stretch| best.cost + stretch + self.skip([i + 1, j + 1], [n, m]));
                if let Some(cost) = cost.filter(|cost| *cost < end.cost) {
                    end = Reached { cost, from: Some([i, j]) };
                }
            }
        }
        let mut chain = Vec::new();
        let mut at = end.from;
        while let Some([i, j]) = at {
            chain.push([i, j]);
            at = reached[i * m + j].and_then(|reached| reached.from);
        }
        chain.reverse();
        chain
    }

    /// The cheapest path to a pair, from the start or from an earlier pair.
    fn reach(&self, [i, j]: [usize; 2], reached: &[Option<Reached>]) -> Option<Reached> {
        let m = self.events[1].len();
        let to = [self.events[0][i].frame, self.events[1][j].frame];
        let from_start = self.end_stretch([0, 0], to);
        let from_start = from_start.map(|stretch| Reached { cost: stretch + self.skip([0, 0], [i, j]), from: None });
        let mut best = from_start;
        for from_i in i.saturating_sub(LONGEST_SKIP + 1)..i {
            for from_j in j.saturating_sub(LONGEST_SKIP + 1)..j {
                let Some(before) = reached[from_i * m + from_j] else { continue };
                let from = [self.events[0][from_i].frame, self.events[1][from_j].frame];
                let Some(stretch) = self.stretch(from, to) else { continue };
                let cost = before.cost + stretch + self.skip([from_i + 1, from_j + 1], [i, j]);
                if best.is_none_or(|best| cost < best.cost) {
                    best = Some(Reached { cost, from: Some([from_i, from_j]) });
                }
            }
        }
        best
    }

    /// What it costs to skip the events from one index of each take to before another.
    fn skip(&self, from: [usize; 2], to: [usize; 2]) -> f64 {
        let skipped = [0, 1].map(|side| self.before[side][to[side]] - self.before[side][from[side]]);
        self.options.skipping * (skipped[0] + skipped[1])
    }

    /// Frames of the matched events that are knots: strikes, and what is far enough from others.
    fn knots(&self, matched: &[[FootEvent; 2]]) -> Vec<[usize; 2]> {
        let mut knots: Vec<[usize; 2]> = Vec::new();
        for kind in [FootEventKind::Strike, FootEventKind::LiftOff] {
            for pair in matched.iter().filter(|pair| pair[0].kind == kind) {
                let knot = pair.map(|event| event.frame);
                let is_apart = |other: &[usize; 2]| {
                    (0..2).all(|side| knot[side].abs_diff(other[side]) as f64 >= KNOT_GAP * self.quarters[side])
                };
                if knots.iter().all(is_apart) {
                    knots.push(knot);
                }
            }
        }
        knots
    }

    /// How many quarters of a stride pass in both takes.
    fn lengths(&self, from: [usize; 2], to: [usize; 2]) -> [f64; 2] {
        [0, 1].map(|side| (to[side] - from[side]) as f64 / self.quarters[side])
    }

    /// What the pace of a stretch costs; none if it is too steep. Events at the same time in both takes have no stretch
    /// between them.
    fn stretch(&self, from: [usize; 2], to: [usize; 2]) -> Option<f64> {
        let [a, b] = self.lengths(from, to);
        if a == 0.0 && b == 0.0 {
            return Some(0.0);
        }
        let fits = a.max(b) <= a.min(b) * self.options.max_slope;
        fits.then(|| (a + b) / 2.0 * ((b + JITTER) / (a + JITTER)).ln().powi(2))
    }

    /// What a stretch at the beginning or end costs.
    fn end_stretch(&self, from: [usize; 2], to: [usize; 2]) -> Option<f64> {
        let [a, b] = self.lengths(from, to);
        (a.max(b) <= a.min(b) * END_SLOPE).then(|| self.options.skipping * (a - b).abs())
    }
}

/// How long a stride usually takes, from an event to the next like it, in frames: the median.
fn stride(events: &[FootEvent]) -> Option<f64> {
    let next = |(index, event): (usize, &FootEvent)| {
        let like = |later: &&FootEvent| (later.kind, later.side) == (event.kind, event.side);
        events[index + 1..].iter().find(like).map(|later| later.frame - event.frame)
    };
    let mut strides: Vec<usize> = events.iter().enumerate().filter_map(next).collect();
    strides.sort_unstable();
    strides.get(strides.len() / 2).map(|stride| *stride as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::Range;
    use surefoot_contact::{FootPart, Plant, WalkerOptions, synthetic_walk};
    use surefoot_geom::Vec3;
    use surefoot_motion::PerSide;

    /// Matched events are alike and in order, all others are reported, and the warp leads from one to the other.
    fn check(a: &Contacts, b: &Contacts) -> RegisteredContacts {
        let registered = register_contacts(a, b, &RegisterOptions::default()).unwrap();
        for pair in &registered.matched {
            assert_eq!((pair[0].kind, pair[0].side), (pair[1].kind, pair[1].side));
            let [from, to] = pair.map(|event| event.frame as f64);
            let off = (registered.warp.b_at(from) - to).abs();
            let is_knot = registered.anchors().contains(&pair.map(|event| event.frame));
            assert!(off < if is_knot { 1e-9 } else { 8.0 }, "{from} leads to {}", registered.warp.b_at(from));
        }
        let n_knots = registered.anchors().len();
        assert!(2 * n_knots >= registered.matched.len(), "{n_knots} of {}", registered.matched.len());
        for (side, contacts, skipped) in [(0, a, &registered.skipped_a), (1, b, &registered.skipped_b)] {
            let matched = registered.matched.iter().map(|pair| pair[side]);
            let mut all: Vec<FootEvent> = matched.chain(skipped.iter().copied()).collect();
            all.sort_unstable();
            assert_eq!(all, foot_events(contacts));
            assert!(registered.matched.is_sorted_by_key(|pair| pair[side].frame));
        }
        let (first, last) = (registered.warp.knots()[0], registered.warp.knots()[registered.warp.knots().len() - 1]);
        assert_eq!(first, [0.0; 2]);
        if a.n_frames > 1 && b.n_frames > 1 {
            assert_eq!(last, [a, b].map(|contacts| (contacts.n_frames - 1) as f64));
        }
        assert!(registered.anchors().is_sorted_by(|one, next| one[0] < next[0] && one[1] < next[1]));
        registered
    }

    fn walk(n_steps: usize, cadence: f64) -> Contacts {
        synthetic_walk(&WalkerOptions { n_steps, cadence, ..WalkerOptions::default() }).take.contacts
    }

    fn contacts(n_frames: usize, left: &[Range<usize>], right: &[Range<usize>]) -> Contacts {
        let plants = |ranges: &[Range<usize>]| {
            let plant =
                |frames: &Range<usize>| Plant { part: FootPart::Ball, frames: frames.clone(), position: Vec3::ZERO };
            ranges.iter().map(plant).collect()
        };
        Contacts { n_frames, plants: PerSide::new(plants(left), plants(right)) }
    }

    #[test]
    fn the_same_steps_at_another_cadence_all_belong_together() {
        for (slow, fast) in [(1.2, 1.9), (1.85, 1.85), (2.4, 1.5)] {
            let registered = check(&walk(8, slow), &walk(8, fast));
            assert!(registered.matched.len() >= 14, "{}", registered.matched.len());
            assert!(registered.skipped_a.is_empty() && registered.skipped_b.is_empty());
        }
    }

    #[test]
    fn steps_that_one_take_has_more_are_skipped_and_reported() {
        let registered = check(&walk(6, 1.8), &walk(8, 1.8));
        let n = registered.matched.len();
        assert!(n >= 8, "{n} matched");
        assert_eq!(registered.skipped_b.len(), registered.skipped_a.len() + 4);
        let swapped = check(&walk(8, 1.8), &walk(6, 1.8));
        assert_eq!(swapped.matched.len(), n);
    }

    #[test]
    fn a_foot_that_taps_once_more_is_skipped() {
        let left = [0..20, 40..60, 80..100];
        let right = [0..40, 60..80, 100..120];
        let plain = contacts(130, &left, &right);
        let tapping = contacts(130, &[0..20, 40..47, 52..60, 80..100], &right);
        let registered = check(&plain, &tapping);
        assert_eq!(registered.matched.len(), foot_events(&plain).len());
        assert_eq!(registered.skipped_a, []);
        assert_eq!(registered.skipped_b.iter().map(|event| event.frame).collect::<Vec<_>>(), [47, 52]);
        // Events of both feet in one frame are one knot.
        assert_eq!(registered.anchors(), [20, 40, 60, 80, 100, 120].map(|frame| [frame, frame]));
    }

    #[test]
    fn takes_without_steps_belong_together_at_an_even_pace() {
        for (a, b) in [(0, 0), (1, 50), (60, 40)] {
            let registered = check(&Contacts::none(a), &Contacts::none(b));
            assert_eq!(registered.warp, TimeWarp::linear(a, b));
        }
        let all = std::slice::from_ref(&(0..50));
        let standing = contacts(50, all, all);
        let registered = check(&standing, &walk(4, 1.8));
        assert!(registered.matched.is_empty() && registered.skipped_b.len() > 4);
    }

    #[test]
    fn options_out_of_range_are_named() {
        let none = Contacts::none(10);
        for (options, wanted) in [
            (RegisterOptions { skipping: 0.0, ..RegisterOptions::default() }, "`skipping` is 0; a number above 0"),
            (
                RegisterOptions { max_slope: f64::NAN, ..RegisterOptions::default() },
                "`max_slope` is NaN; a number above 1",
            ),
        ] {
            let error = register_contacts(&none, &none, &options).unwrap_err().to_string();
            assert!(error.starts_with(wanted), "{error}");
        }
    }
}
