//! What a footprint among others looks like, in numbers: the only thing that a recogniser sees.
//!
//! No times and no kinds: places, headings and feet of the footprints before and of the four after. Lengths are over the leg
//! length (COMPOSE figure 7: people of other heights do other things on the same footprints), and left and right are mirrored onto
//! each other, so that whatever is learned for one foot holds for the other.
//!
//! ```text
//!        q .......... other foot's last footprint
//!     p ............. own last footprint
//!           *  ...... the footprint: seen from p, from q, and paired with the ones just before and after it in the plan
//! ```

use crate::behaviour_database::turned;
use crate::body_tracks::planar;
use surefoot_geom::{Vec3, turn_between};
use surefoot_motion::Side;

/// A footprint as the recogniser sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BarePrint {
    /// Which foot.
    pub(crate) side: Side,
    /// Where the ball is.
    pub(crate) ball: Vec3,
    /// Where the foot points; of a plan that leaves it open, where it leads.
    pub(crate) heading: f64,
}

/// How many footprints ahead are looked at (COMPOSE 5).
pub const LOOK_AHEAD: usize = 4;
/// How many before.
const LOOK_BACK: usize = 3;
/// What is not there.
const ABSENT: f64 = -9.0;

/// Numbers of a pair of footprints that may be one landing of both feet.
const N_PAIR: usize = 12;
/// Numbers of a neighbour.
const N_NEIGHBOUR: usize = 6;
/// How many numbers describe a footprint.
pub(crate) const N_FEATURES: usize = 23 + 2 * N_PAIR + N_NEIGHBOUR * (LOOK_BACK + LOOK_AHEAD);

/// How many numbers describe two footprints in a row.
pub(crate) const N_LINK: usize = 3 * N_PAIR + 4;

/// The numbers of two footprints in a row.
pub(crate) type LinkFeatures = [f64; N_LINK];

/// The numbers of a footprint.
pub(crate) type Features = [f64; N_FEATURES];

/// The footprints of a plan, with what each is measured from.
pub(crate) struct PrintList<'a> {
    prints: &'a [BarePrint],
    leg_length: f64,
    /// The foot's last footprint, and that of the other foot, of each.
    before: Vec<[Option<usize>; 2]>,
}

impl<'a> PrintList<'a> {
    pub(crate) fn new(prints: &'a [BarePrint], leg_length: f64) -> PrintList<'a> {
        let mut last: [Option<usize>; 2] = [None; 2];
        let before = prints.iter().enumerate().map(|(index, print)| {
            let own = usize::from(print.side == Side::Right);
            let before = [last[own], last[1 - own]];
            last[own] = Some(index);
            before
        });
        let before = before.collect();
        PrintList { prints, leg_length, before }
    }

    pub(crate) fn own(&self, index: usize) -> Option<usize> {
        self.before[index][0]
    }

    pub(crate) fn other(&self, index: usize) -> Option<usize> {
        self.before[index][1]
    }

    /// From the foot's last footprint, over the leg length.
    pub(crate) fn stride(&self, index: usize) -> Option<Vec3> {
        self.own(index).map(|own| (self.prints[index].ball - self.prints[own].ball) / self.leg_length)
    }

    /// From the other foot's last footprint.
    pub(crate) fn step(&self, index: usize) -> Option<Vec3> {
        self.other(index).map(|other| (self.prints[index].ball - self.prints[other].ball) / self.leg_length)
    }

    /// How far a foot points away from the other; 0 if there is none.
    pub(crate) fn turn_from_other(&self, index: usize) -> f64 {
        self.other(index)
            .map_or(0.0, |other| turn_between(self.prints[other].heading, self.prints[index].heading).abs())
    }

    /// How far two footprints are apart along their mean heading and across it.
    pub(crate) fn apart(&self, a: usize, b: usize) -> [f64; 2] {
        let (a, b) = (&self.prints[a], &self.prints[b]);
        let heading = a.heading + turn_between(a.heading, b.heading) / 2.0;
        let offset = turned(b.ball - a.ball, -heading) / self.leg_length;
        [offset.z.abs(), offset.x.abs()]
    }

    /// Where a foot is beside another, across and along that one's heading, mirrored as if that one were the left foot: the right one is then
    /// at positive numbers across.
    pub(crate) fn beside(&self, from: usize, to: usize) -> [f64; 2] {
        let (from, to) = (&self.prints[from], &self.prints[to]);
        let offset = turned(to.ball - from.ball, -from.heading) / self.leg_length;
        [if from.side == Side::Left { -offset.x } else { offset.x }, offset.z]
    }

    /// Whether two footprints that follow each other may be one landing, in numbers: apart along and across, how differently their feet
    /// travelled and how far, how far their feet were apart before, whether they lie in one line with how they travelled.
    fn pair(&self, first: Option<usize>, second: usize) -> [f64; N_PAIR] {
        let mut numbers = [ABSENT; N_PAIR];
        let Some(first) = first.filter(|_| second < self.prints.len()) else { return numbers };
        let is_pair = self.prints[first].side != self.prints[second].side;
        numbers[0] = f64::from(u8::from(is_pair));
        if !is_pair {
            return numbers;
        }
        [numbers[1], numbers[2]] = self.apart(first, second);
        numbers[7] = turn_between(self.prints[first].heading, self.prints[second].heading).abs();
        let (Some(a), Some(b)) = (self.stride(first), self.stride(second)) else { return numbers };
        numbers[3] = planar(a - b);
        numbers[4] = (planar(a) + planar(b)) / 2.0;
        if let (Some(own), Some(other)) = (self.own(first), self.own(second)) {
            numbers[5] = self.apart(own, other)[0];
            numbers[6] = self.apart(own, other)[1];
            numbers[8] = self.regroups([own, other], [first, second]);
        }
        numbers[9] = planar(a - b) / (0.1 + numbers[4]);
        numbers[10] = (a.y.abs() + b.y.abs()) / 2.0;
        let turn =
            |of: usize| self.own(of).map_or(0.0, |own| turn_between(self.prints[own].heading, self.prints[of].heading));
        numbers[11] = (turn(first) - turn(second)).abs();
        numbers
    }

    /// How differently two feet lie to each other before and after, as each pair sees it: 0 where they moved as one.
    fn regroups(&self, [a, b]: [usize; 2], [c, d]: [usize; 2]) -> f64 {
        let seen = |from: usize, to: usize| {
            let (from, to) = (&self.prints[from], &self.prints[to]);
            let heading = from.heading + turn_between(from.heading, to.heading) / 2.0;
            turned(to.ball - from.ball, -heading)
        };
        (seen(c, d) - seen(a, b)).length() / self.leg_length
    }

    /// Whether a footprint and the next one may be one landing: of two feet, and not the standing ones.
    pub(crate) fn may_be_one(&self, index: usize) -> bool {
        index >= 1 && self.prints.get(index + 1).is_some_and(|next| next.side != self.prints[index].side)
    }

    /// The numbers of two footprints that may be one landing.
    pub(crate) fn link_features(&self, index: usize) -> LinkFeatures {
        let mut numbers = [ABSENT; N_LINK];
        // The pairs that it would be instead, where it is none.
        let pairs = [
            self.pair(Some(index), index + 1),
            self.pair(index.checked_sub(1).filter(|before| *before > 0), index),
            self.pair(Some(index + 1), index + 2),
        ];
        for (place, pair) in pairs.iter().enumerate() {
            numbers[place * N_PAIR..(place + 1) * N_PAIR].copy_from_slice(pair);
        }
        let step = |of: usize| self.step(of).map_or(ABSENT, planar);
        let rest = [step(index), step(index + 1), self.turn_from_other(index), self.turn_from_other(index + 1)];
        numbers[3 * N_PAIR..].copy_from_slice(&rest);
        numbers
    }

    pub(crate) fn features(&self, index: usize) -> Features {
        let n = self.prints.len();
        let print = &self.prints[index];
        let mut numbers: Vec<f64> = Vec::with_capacity(N_FEATURES);
        let inward = if print.side == Side::Left { -1.0 } else { 1.0 };
        let seen = |offset: Vec3| turned(offset, -print.heading);
        numbers.push(index.min(3) as f64);
        numbers.push((n - 1 - index).min(LOOK_AHEAD) as f64);
        let (stride, step) = (self.stride(index), self.step(index));
        for offset in [stride, step] {
            match offset {
                Some(offset) => {
                    let seen = seen(offset);
                    numbers.extend([planar(offset), offset.y, seen.z, -inward * seen.x]);
                }
                None => numbers.extend([ABSENT; 4]),
            }
        }
        let rises = [stride, step].map(|offset| offset.map_or(0.0, |offset| offset.y.abs()));
        numbers.push(rises[0].max(rises[1]));
        let is_side = |other: Option<usize>| {
            other
                .and_then(|other| self.prints.get(other))
                .map_or(ABSENT, |other| f64::from(u8::from(other.side == print.side)))
        };
        // Two standing feet are there at once: which is listed last means nothing.
        let before = index.checked_sub(1).filter(|_| index != 2 || self.prints[0].side == self.prints[1].side);
        numbers.extend([
            is_side(before),
            is_side(index.checked_sub(2)),
            is_side(Some(index + 1)),
            is_side(Some(index + 2)),
        ]);
        let turn = |other: Option<usize>| {
            other.map_or(ABSENT, |other| turn_between(self.prints[other].heading, print.heading).abs())
        };
        numbers.extend([turn(self.own(index)), turn(self.other(index))]);
        let waiting = match (self.own(index), self.other(index)) {
            (Some(own), Some(other)) => self.apart(own, other),
            _ => [ABSENT; 2],
        };
        numbers.extend(waiting);
        let ahead = (index..n.min(index + 1 + LOOK_AHEAD)).filter_map(|index| self.stride(index)).map(planar);
        numbers.push(ahead.fold(ABSENT, f64::max));
        // A foot that was in the air all the while has far to go.
        let other_next = (index + 1..n.min(index + 1 + LOOK_AHEAD)).find(|&next| self.prints[next].side != print.side);
        let other_goes = other_next.and_then(|next| self.stride(next)).map_or(ABSENT, planar);
        numbers.extend([
            other_goes,
            other_next.and_then(|next| self.step(next)).map_or(ABSENT, planar),
            other_next.map_or(ABSENT, |next| (next - index) as f64),
        ]);
        numbers.extend(self.pair(Some(index), index + 1));
        numbers.extend(self.pair(index.checked_sub(1), index));
        let neighbours =
            (1..=LOOK_BACK).map(|back| index.checked_sub(back)).chain((1..=LOOK_AHEAD).map(|on| Some(index + on)));
        for neighbour in neighbours {
            let neighbour = neighbour.filter(|&neighbour| neighbour < n);
            let (stride, step) = (
                neighbour.and_then(|neighbour| self.stride(neighbour)),
                neighbour.and_then(|neighbour| self.step(neighbour)),
            );
            numbers.push(stride.map_or(ABSENT, planar));
            numbers.push(step.map_or(ABSENT, planar));
            numbers.push(stride.map_or(ABSENT, |stride| stride.y.abs().max(step.map_or(0.0, |step| step.y.abs()))));
            numbers.push(
                neighbour
                    .and_then(|neighbour| Some(self.apart(neighbour, self.other(neighbour)?)[0]))
                    .unwrap_or(ABSENT),
            );
            numbers.push(
                neighbour.map_or(ABSENT, |neighbour| f64::from(u8::from(self.prints[neighbour].side == print.side))),
            );
            numbers.push(neighbour.map_or(ABSENT, |neighbour| {
                self.own(neighbour)
                    .map_or(ABSENT, |own| turn_between(self.prints[own].heading, self.prints[neighbour].heading).abs())
            }));
        }
        numbers.try_into().expect("as many numbers as there are features")
    }
}
