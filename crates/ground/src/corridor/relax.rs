//! A path as a string of beads: pulled straight, pushed off the walls, and bent no more than people turn.
//!
//! ```text
//!        o--o--o            tension moves a bead to the middle of its neighbours; a wall that is nearer
//!       /       \           than people like pushes it away; no move is made that would take the bead,
//!      o  ######  o         or the straight lines to its neighbours, nearer than the clearance
//!     /   ######   \
//! ```
//!
//! 1. Beads along the path, evenly; it keeps the clearance already.
//! 2. Tension and push, bead by bead, to and fro, until they are at rest.
//! 3. Where the string turns tighter than people do, the beads around it move to where it bends least.
//! 4. A uniform cubic B-spline through the string. Where it would come too near something it is drawn nearer to the
//!    string, and onto it at last.
//!
//! The string keeps the clearance at every moment, so whatever comes of the moves, the path does.

use super::attraction::Waypoint;
use super::border::Border;
use super::query::PathOptions;
use surefoot_geom::Vec2;

/// Between beads, in metres: three on the tightest turn of a walking person.
const SPACING: f64 = 0.2;
/// Rounds of tension; a string is mostly at rest after a few, and these are for long bends.
const MAX_PULLS: usize = 40;
/// Rounds of bending less.
const MAX_BENDS: usize = 60;
/// Beads around a tight turn that give way.
const AROUND: usize = 3;
/// How much more than what people like a clearance is known at first, in metres: about as far as beads move.
const FAR: f64 = 0.5;
/// Beads that tell how a path goes on beyond an end.
const FIXED: usize = 3;
/// Moves below this are none, in metres.
const STILL: f64 = 1e-3;
/// Where nothing pushes, beads move this much of the distance to the middle of their neighbours: from 1 to 2.
const FARTHER: f64 = 1.6;
/// Near its ends a string may be as near to walls as the ends are, and this much farther for each metre along it.
const AWAY_FROM_ENDS: f64 = 0.5;

#[derive(Clone, Copy, Debug)]
struct Bead {
    at: Vec2,
    /// No more than the distance to the nearest outline.
    clearance: f64,
    /// The distance that people like.
    liked: f64,
}

/// The points of a smooth path along a path of straight lines, from its first corner to its last.
pub(super) fn relax(border: &Border, corners: &[Waypoint], kept: f64, options: &PathOptions) -> Vec<Vec2> {
    relax_between(border, corners, kept, options, 1)
}

/// The same with a number of beads at either end that do not move.
fn relax_between(border: &Border, corners: &[Waypoint], kept: f64, options: &PathOptions, fixed: usize) -> Vec<Vec2> {
    let beads = thread_beads(border, corners);
    let awake = vec![true; beads.len()];
    let mut string = BeadString { border, kept, beads, awake, fixed };
    for round in 0..MAX_PULLS {
        if !string.each(round % 2 == 1, BeadString::pull) {
            break;
        }
    }
    for round in 0..MAX_BENDS {
        string.wake_tight_turns(options.turn_radius);
        if !string.each(round % 2 == 1, BeadString::bend_less) {
            break;
        }
    }
    string.draw(options.step)
}

/// A smooth path along points that keep the clearance already and are as far from walls as people like, to be put
/// between other points of a path: it begins and ends as they do.
pub(super) fn relax_points(border: &Border, points: &[Vec2], kept: f64, options: &PathOptions) -> Vec<Vec2> {
    let liked = |&at: &Vec2| Waypoint { at, liked: clearance_of(border, at, kept + options.shyness) };
    let mut corners: Vec<Waypoint> = vec![liked(&points[0])];
    for (i, point) in points.iter().enumerate().skip(1) {
        let from = corners[corners.len() - 1].at;
        if !border.is_clear(from, *point, kept) && points[i - 1] != from {
            corners.push(liked(&points[i - 1]));
        }
        if i + 1 == points.len() || from.distance(*point) >= SPACING {
            corners.push(liked(point));
        }
    }
    relax_between(border, &corners, kept, options, FIXED)
}

/// The distance to the nearest outline, or a distance that none is nearer than.
fn clearance_of(border: &Border, at: Vec2, enough: f64) -> f64 {
    border.nearest_within(at, enough).map_or(enough, |nearest| nearest.distance)
}

fn thread_beads(border: &Border, corners: &[Waypoint]) -> Vec<Bead> {
    let bead = |at: Vec2, liked: f64| Bead { at, clearance: clearance_of(border, at, liked + FAR), liked };
    let mut beads = vec![bead(corners[0].at, corners[0].liked)];
    for pair in corners.windows(2) {
        let n = (pair[0].at.distance(pair[1].at) / SPACING).ceil().max(1.0) as usize;
        for i in 1..=n {
            let share = i as f64 / n as f64;
            let at = if i == n { pair[1].at } else { pair[0].at.lerp(pair[1].at, share) };
            beads.push(bead(at, pair[0].liked + (pair[1].liked - pair[0].liked) * share));
        }
    }
    let last = beads.len() - 1;
    let ends = [beads[0].clearance, beads[last].clearance];
    for (i, bead) in beads.iter_mut().enumerate() {
        let away = [i, last - i].map(|n| AWAY_FROM_ENDS * SPACING * n as f64);
        bead.liked = bead.liked.min(ends[0] + away[0]).min(ends[1] + away[1]);
    }
    beads
}

/// Removes points that are hardly apart from the one before them, and never the last.
pub(super) fn remove_repeated(points: &mut Vec<Vec2>) {
    let Some(&last) = points.last() else { return };
    points.dedup_by(|next, before| next.distance(*before) < 2e-6);
    while points.len() > 1 && points[points.len() - 1].distance(last) < 2e-6 {
        points.pop();
    }
    points.push(last);
}

struct BeadString<'a> {
    border: &'a Border,
    /// The clearance that beads and the lines between them keep.
    kept: f64,
    beads: Vec<Bead>,
    /// Beads that may move: others rest, and so do their neighbours.
    awake: Vec<bool>,
    /// How many beads at either end stay where they are.
    fixed: usize,
}

impl BeadString<'_> {
    /// Moves every bead that is awake; whether any moved.
    fn each(&mut self, backward: bool, place: impl Fn(&Self, usize) -> Option<Bead>) -> bool {
        let n = self.beads.len();
        let mut moved = false;
        for i in self.fixed..n.saturating_sub(self.fixed) {
            let i = if backward { n - 1 - i } else { i };
            if !std::mem::take(&mut self.awake[i]) {
                continue;
            }
            let Some(bead) = place(self, i) else { continue };
            self.beads[i] = bead;
            self.awake[i - 1..=i + 1].fill(true);
            moved = true;
        }
        moved
    }

    /// Toward the middle of its neighbours, and off the wall.
    fn pull(&self, i: usize) -> Option<Bead> {
        let bead = self.beads[i];
        let (before, after) = (self.beads[i - 1].at, self.beads[i + 1].at);
        let middle = before.midpoint(after);
        // A bead that would only slide along the string stays: that would change nothing and take many rounds.
        let aside = (middle - bead.at).perp_dot((after - before).normalize_or_zero());
        if aside.abs() < STILL && bead.clearance >= bead.liked {
            return None;
        }
        // A little farther than the middle: long bends straighten in fewer rounds.
        let beyond = bead.at.lerp(middle, FARTHER);
        if bead.clearance - bead.at.distance(beyond) >= bead.liked {
            return self.moved_to(i, beyond);
        }
        let push = self.border.nearest_within(middle, bead.liked).map_or(Vec2::ZERO, |nearest| {
            (middle - nearest.point).normalize_or_zero() * (0.5 * (bead.liked - nearest.distance))
        });
        self.moved_to(i, middle + push)
    }

    /// Toward where the string bends least: where its third differences are the same on both sides.
    fn bend_less(&self, i: usize) -> Option<Bead> {
        if i < 2 || i + 2 >= self.beads.len() {
            return None;
        }
        let at = |i: usize| self.beads[i].at;
        let least = (4.0 * (at(i - 1) + at(i + 1)) - at(i - 2) - at(i + 2)) / 6.0;
        self.moved_to(i, least)
    }

    fn wake_tight_turns(&mut self, turn_radius: f64) {
        self.awake.fill(false);
        for i in 1..self.beads.len() - 1 {
            let (before, after) = (self.beads[i].at - self.beads[i - 1].at, self.beads[i + 1].at - self.beads[i].at);
            let length = 0.5 * (before.length() + after.length());
            if before.angle_to(after).abs() * turn_radius > length {
                let around = i.saturating_sub(AROUND)..(i + AROUND + 1).min(self.awake.len());
                self.awake[around].fill(true);
            }
        }
    }

    /// A bead in another place, if it is another one and keeps the clearance.
    fn moved_to(&self, i: usize, next: Vec2) -> Option<Bead> {
        let bead = self.beads[i];
        let far = next.distance(bead.at);
        if far <= STILL {
            return None;
        }
        let mut clearance = bead.clearance - far;
        if clearance < self.kept + SPACING {
            clearance = clearance_of(self.border, next, bead.liked.max(self.kept + SPACING));
        }
        let free = |other: &Bead| {
            (clearance + other.clearance - next.distance(other.at)) / 2.0 >= self.kept
                || self.border.is_clear(next, other.at, self.kept)
        };
        let keeps = clearance >= self.kept && free(&self.beads[i - 1]) && free(&self.beads[i + 1]);
        keeps.then_some(Bead { at: next, clearance, ..bead })
    }

    /// The string as a curve.
    fn draw(&self, step: f64) -> Vec<Vec2> {
        let n = self.beads.len() - 1;
        // How much of the spline there is at each bead; the rest is the string itself.
        let mut share = vec![1.0; n + 1];
        let mut spans: Vec<Vec<Vec2>> = vec![Vec::new(); n];
        let mut changed = vec![true; n];
        while changed.contains(&true) {
            let drawn: Vec<usize> = (0..n).filter(|&span| std::mem::take(&mut changed[span])).collect();
            for &span in &drawn {
                spans[span] = self.draw_span(span, &share, step);
            }
            for &span in &drawn {
                if (share[span] > 0.0 || share[span + 1] > 0.0) && !self.is_free(span, &spans[span]) {
                    for bead in [span, span + 1] {
                        share[bead] = if share[bead] > 0.2 { share[bead] / 2.0 } else { 0.0 };
                        changed[bead.saturating_sub(1)..(bead + 1).min(n)].fill(true);
                    }
                }
            }
        }
        let mut points = vec![self.beads[0].at];
        points.extend(spans.iter().flat_map(|span| &span[1..]));
        remove_repeated(&mut points);
        points
    }

    /// Whether the curve from one bead to the next keeps the clearance.
    fn is_free(&self, span: usize, points: &[Vec2]) -> bool {
        let ends = [&self.beads[span], &self.beads[span + 1]];
        let surely = |pair: &[Vec2], bead: &Bead| {
            let far = pair[0].distance_squared(bead.at).max(pair[1].distance_squared(bead.at));
            bead.clearance > self.kept && far < (bead.clearance - self.kept).powi(2)
        };
        points
            .windows(2)
            .all(|pair| ends.iter().any(|bead| surely(pair, bead)) || self.border.is_clear(pair[0], pair[1], self.kept))
    }

    /// The points of the curve from one bead to the next.
    fn draw_span(&self, span: usize, share: &[f64], step: f64) -> Vec<Vec2> {
        let at = |i: usize| self.beads[i].at;
        let last = self.beads.len() - 1;
        let (b, c) = (at(span), at(span + 1));
        // Beyond its ends the string goes straight on, so that the spline begins and ends in them.
        let a = if span == 0 { 2.0 * b - c } else { at(span - 1) };
        let d = if span + 1 == last { 2.0 * c - b } else { at(span + 2) };
        let n = (b.distance(c) / step).ceil().max(1.0) as usize;
        let point = |i: usize| {
            let t = i as f64 / n as f64;
            let u = 1.0 - t;
            let spline = (a * u.powi(3)
                + b * (3.0 * t.powi(3) - 6.0 * t.powi(2) + 4.0)
                + c * (3.0 * u.powi(3) - 6.0 * u.powi(2) + 4.0)
                + d * t.powi(3))
                / 6.0;
            b.lerp(c, t).lerp(spline, share[span] * u + share[span + 1] * t)
        };
        let mut points: Vec<Vec2> = (0..=n).map(point).collect();
        if span == 0 {
            points[0] = b;
        }
        if span + 1 == last {
            points[n] = c;
        }
        points
    }
}
