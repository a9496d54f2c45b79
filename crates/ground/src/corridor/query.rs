//! Corridors: where a person can walk from one place to another.
//!
//! 1. Start and goal must be free, with the clearance.
//! 2. If they see each other with the clearance: discs along the straight line.
//! 3. Else the shortest path along the axis, between discs that hold them with the clearance. Its discs are the
//!    corridor; where the axis bends in a narrow place, discs are added until the straight line from each centre to the
//!    next keeps the clearance.

use super::attraction::attract;
use super::border::Border;
use super::map::CorridorMap;
use super::relax::{relax, remove_repeated};
use super::route::{Joint, attach, attach_to_nearest, shortest_route};
use super::straighten::straighten;
use super::touching_disc::Foot;
use super::{Disk, MAX_CLEARANCE, QueryError, TOLERANCE};
use crate::polygon::nearest_on_segment;
use crate::{Path, ScenePart};
use std::sync::Arc;
use surefoot_geom::Vec2;

/// Discs of the map that a person can go to straight from a disc, which is that of the place itself or one on the axis.
struct Attachment {
    from: Disk,
    joints: Vec<Joint>,
}

/// Chords of the axis are not divided below this length, in metres.
const SHORTEST_CHORD: f64 = 1e-5;
/// Start and goal nearer than this are one place, in metres.
const SAME_PLACE: f64 = 1e-3;

/// A chain of free discs from a start to a goal.
///
/// The first disc is around the start and the last around the goal. Between them the discs follow the map's backbone,
/// and a person of the clearance can walk from each centre straight to the next.
#[derive(Clone, Debug)]
pub struct Corridor {
    clearance: f64,
    disks: Vec<Disk>,
    pub(super) border: Arc<Border>,
}

/// How a path is drawn through a corridor. Numbers out of their range count as its nearest end, and NaN as the default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathOptions {
    /// Between points of the path at most, in metres, from 0.005 to 1; 0.05 by default, for the eye sees no corners
    /// then.
    pub step: f64,
    /// How much farther than their clearance people keep from walls where there is room, in metres, from 0 to 10; 0.3
    /// by default. With 0 they walk along them.
    pub shyness: f64,
    /// Turns are no tighter than this where there is room, in metres, from 0.05 to 10; 0.5 by default, at which people
    /// still walk on without slowing down to turn on the spot.
    pub turn_radius: f64,
}

impl Default for PathOptions {
    fn default() -> PathOptions {
        PathOptions { step: 0.05, shyness: 0.3, turn_radius: 0.5 }
    }
}

impl PathOptions {
    /// With every number in its range.
    pub(super) fn in_range(&self) -> PathOptions {
        let default = PathOptions::default();
        let number = |value: f64, default: f64| if value.is_nan() { default } else { value };
        PathOptions {
            step: number(self.step, default.step).clamp(0.005, 1.0),
            shyness: number(self.shyness, default.shyness).clamp(0.0, 10.0),
            turn_radius: number(self.turn_radius, default.turn_radius).clamp(0.05, 10.0),
        }
    }
}

impl Corridor {
    /// How far every point of a path through it stays from the outlines, in metres.
    pub fn clearance(&self) -> f64 {
        self.clearance
    }

    /// The discs, from start to goal.
    pub fn disks(&self) -> &[Disk] {
        &self.disks
    }

    /// Along the centres of its discs, in metres.
    pub fn length(&self) -> f64 {
        self.disks.windows(2).map(|pair| pair[0].centre.distance(pair[1].centre)).sum()
    }

    /// This corridor, and after its goal another one that begins there.
    pub fn followed_by(&self, next: &Corridor) -> Corridor {
        let mut disks = self.disks.clone();
        disks.extend(&next.disks);
        disks.dedup_by(|next, before| next.centre == before.centre);
        Corridor { clearance: self.clearance.min(next.clearance), disks, border: Arc::clone(&self.border) }
    }

    /// A smooth path from start to goal that keeps the clearance everywhere: the path that the attraction point draws
    /// (`attraction.rs`), pulled straight where nothing blocks it (`straighten.rs`), and relaxed (`relax.rs`).
    pub fn path(&self, options: &PathOptions) -> Path {
        let options = options.in_range();
        let drawn = attract(self, &options);
        let corners = straighten(&self.border, &drawn, self.kept());
        Path { points: relax(&self.border, &corners, self.kept(), &options) }
    }

    /// The path that the attraction point draws, before it is pulled straight: for pictures of the method.
    pub fn attracted_path(&self, options: &PathOptions) -> Path {
        let mut points = attract(self, &options.in_range()).into_iter().map(|point| point.at).collect();
        remove_repeated(&mut points);
        Path { points }
    }
}

impl CorridorMap {
    /// The corridor of the shortest path along the backbone for a person who keeps a clearance from every outline.
    pub fn query(&self, start: Vec2, goal: Vec2, clearance: f64) -> Result<Corridor, QueryError> {
        self.query_between((ScenePart::Start, start), (ScenePart::Goal, goal), clearance)
    }

    /// As [`CorridorMap::query`], between places that errors call by other names.
    pub fn query_between(
        &self,
        (start_part, start): (ScenePart, Vec2),
        (goal_part, goal): (ScenePart, Vec2),
        clearance: f64,
    ) -> Result<Corridor, QueryError> {
        if !(0.0..=MAX_CLEARANCE).contains(&clearance) {
            return Err(QueryError::Clearance { found: clearance });
        }
        let first = self.check_place(start_part, start, clearance)?;
        let last = self.check_place(goal_part, goal, clearance)?;
        if start.distance(goal) < SAME_PLACE {
            return Err(QueryError::SamePlace { at: start });
        }
        let kept = clearance - TOLERANCE;
        let disks = match self.straight_route(first, last, kept) {
            Some(disks) => disks,
            None => self.route_along_axis(first, last, kept)?,
        };
        Ok(Corridor { clearance, disks, border: Arc::clone(&self.border) })
    }

    /// The free disc around a place, if it holds a person.
    fn check_place(&self, place: ScenePart, at: Vec2, clearance: f64) -> Result<Disk, QueryError> {
        if !at.is_finite() {
            return Err(QueryError::NotFinite { place });
        }
        let nearest = self.border.nearest(at);
        if !self.outlines.in_bounds(at) {
            return Err(QueryError::OutOfBounds { place, at, nearest: nearest.point });
        }
        if let Some(obstacle) = self.outlines.obstacle_at(at) {
            return Err(QueryError::Blocked { place, at, obstacle });
        }
        if nearest.distance < clearance - TOLERANCE {
            return Err(QueryError::TooClose { place, at, nearest, wanted: clearance });
        }
        Ok(Disk { centre: at, radius: nearest.distance })
    }

    /// Discs along the straight line, if it is free.
    fn straight_route(&self, first: Disk, last: Disk, kept: f64) -> Option<Vec<Disk>> {
        if !self.border.is_clear(first.centre, last.centre, kept) {
            return None;
        }
        let length = first.centre.distance(last.centre);
        let mut disks = vec![first];
        let mut along = 0.0;
        loop {
            along += (0.25 * disks[disks.len() - 1].radius).max(self.spacing());
            if along >= length {
                break;
            }
            let centre = first.centre.lerp(last.centre, along / length);
            disks.push(Disk { centre, radius: self.border.nearest(centre).distance });
        }
        disks.push(last);
        Some(disks)
    }

    fn route_along_axis(&self, first: Disk, last: Disk, kept: f64) -> Result<Vec<Disk>, QueryError> {
        let [start, goal] = [first, last].map(|place| self.attach(place, kept));
        let ends = [start.from, goal.from].map(|disk| disk.centre);
        let route = shortest_route(&self.graph, ends, [&start.joints, &goal.joints], kept)
            .ok_or_else(|| self.closed_off(ends, [&start.joints, &goal.joints], kept))?;
        let mut disks = vec![first, start.from];
        let backbone = route.disks(&self.graph);
        disks.push(backbone[0]);
        for pair in backbone.windows(2) {
            self.add_chord(pair[0], pair[1], kept, &mut disks)?;
        }
        disks.extend([goal.from, last]);
        disks.dedup_by(|next, before| next.centre == before.centre);
        Ok(disks)
    }

    /// Where a place joins the axis. A place that is just as far from a wall as its clearance is held by one disc
    /// alone: the one that touches the same point of the wall. That one is added if no disc of the map will do.
    fn attach(&self, place: Disk, kept: f64) -> Attachment {
        let joints = attach(&self.graph, place.centre, kept);
        let middle = if joints.is_empty() { self.onto_axis(place.centre) } else { None };
        let Some(from) = middle else { return Attachment { from: place, joints } };
        let mut joints = attach(&self.graph, from.centre, kept);
        if joints.is_empty() {
            joints = attach_to_nearest(&self.graph, &self.border, from.centre, kept);
        }
        Attachment { from, joints }
    }

    /// The second of two discs that follow each other on the axis, and others between them where the straight line from
    /// one to the other would come too near something: the axis bends there.
    fn add_chord(&self, one: Disk, two: Disk, kept: f64, disks: &mut Vec<Disk>) -> Result<(), QueryError> {
        let length = one.centre.distance(two.centre);
        let surely_free = (one.radius + two.radius - length) / 2.0 >= kept;
        let nearest = || self.border.nearest_to_line(one.centre, two.centre, kept);
        let Some(nearest) = (!surely_free).then(nearest).flatten() else {
            disks.push(two);
            return Ok(());
        };
        let at = one.centre.midpoint(two.centre);
        match self.onto_axis(at) {
            Some(middle) if length > SHORTEST_CHORD && middle.centre.distance(at) < 0.25 * length => {
                self.add_chord(one, middle, kept, disks)?;
                self.add_chord(middle, two, kept, disks)
            }
            _ => {
                let (width, wanted) = (2.0 * nearest.distance, 2.0 * (kept + TOLERANCE));
                Err(QueryError::TooNarrow { at, width, wanted, beside: nearest.part })
            }
        }
    }

    /// The disc of the axis that touches the same point of a wall as the largest disc around a place.
    fn onto_axis(&self, place: Vec2) -> Option<Disk> {
        let (index, distance) = self.walls.nearest(place, self.walls.reach)?;
        let wall = &self.walls.walls[index];
        let point = nearest_on_segment(place, wall.a, wall.b);
        let toward = (place - point) / distance;
        let touch = self.walls.largest_disc(&Foot { point, toward, own_corners: [wall.from, wall.to] }, None)?;
        let radius = 1.0 / touch.curvature;
        (distance > 0.0).then_some(Disk { centre: point + toward * radius, radius })
    }
}

impl Corridor {
    /// The clearance as computed with.
    pub(super) fn kept(&self) -> f64 {
        self.clearance - TOLERANCE
    }
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
