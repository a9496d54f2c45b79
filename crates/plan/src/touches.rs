//! Whether a walking person touches anything: no sole and no part of the body shall enter an obstacle or leave the bounds.
//!
//! Reference: GRAPH 1 (a character that collides with the environment is not perceived as realistic).
//!
//! The body is that of capsules which pictures show ([`surefoot_motion::figure`]), arms and head included, and a strip
//! for each sole. An obstacle is a prism: its outline, from below the ground up to its height above it, or without end
//! for a wall. The bounds are a wall without end, seen from within.
//!
//! A tapered capsule is a ball that grows or shrinks evenly from one end to the other, so the gap between it and
//! a prism is the least, over that line, of a distance less a radius. The line is divided where it passes over an outline's
//! edges; outside, the distance from each face is convex along it, and its least is found by golden section; above the
//! top it is a difference of heights. Within, where it only shows how deep a touch is, it is looked at in a few places.
//!
//! Terrain is solid too: legs, trunk, arms and head are looked at against it (`body_in_ground`). Feet are not, which are planted on
//! it; how deep they are is measured as penetration. What is less than `GRAZE` is none: calves are softer than stairs.
//!
//! Limits: frames are looked at, not what is between them. The top of an obstacle on uneven ground is level, its height
//! above the highest of its corners.

use crate::sole_print::HALF_BREADTH;
use std::collections::BTreeMap;
use surefoot_geom::{Vec2, Vec3, ground_point};
use surefoot_ground::{Obstacle, Scene, ScenePart, Terrain, contains, distance_to_outline};
use surefoot_motion::{BodyMap, Capsule, Clip, Region, Side, WorldPose, figure};

mod body_in_ground;
#[cfg(test)]
mod tests;

use body_in_ground::depth_in_ground;

/// What of a person touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TouchedPart {
    /// The sole of a foot.
    Sole(Side),
    /// A part of the body.
    Body(Region),
}

impl TouchedPart {
    fn is_above_feet(self) -> bool {
        !matches!(self, TouchedPart::Sole(_) | TouchedPart::Body(Region::Foot(_)))
    }
}

impl std::fmt::Display for TouchedPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (side, part) = match self {
            TouchedPart::Sole(side) => (Some(side), "sole"),
            TouchedPart::Body(Region::Trunk) => (None, "trunk"),
            TouchedPart::Body(Region::Head) => (None, "head"),
            TouchedPart::Body(Region::Arm(side)) => (Some(side), "arm"),
            TouchedPart::Body(Region::Leg(side)) => (Some(side), "leg"),
            TouchedPart::Body(Region::Foot(side)) => (Some(side), "foot"),
            TouchedPart::Body(Region::Other) => (None, "body"),
        };
        match side {
            Some(side) => write!(f, "{} {part}", side.name()),
            None => f.write_str(part),
        }
    }
}

/// How a part of the body comes near a part of the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// From 0.
    pub frame: usize,
    /// Of the body.
    pub part: TouchedPart,
    /// The bounds, an obstacle or the terrain.
    pub with: ScenePart,
    /// How far it reaches in, in metres; below 0 it is that far away.
    pub depth: f64,
    /// Where `(x, z)` the part of the body is.
    pub at: Vec2,
}

/// What a person touches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TouchReport {
    /// The first frame's deepest.
    pub first: Option<Touch>,
    /// The deepest with each obstacle, the bounds and the terrain, deepest first.
    pub deepest: Vec<Touch>,
    /// Frames in which anything is touched.
    pub n_frames: usize,
    /// The nearest that anything comes without touching, within half a metre; its depth is below 0. `None` if nothing comes
    /// so near.
    pub nearest: Option<Touch>,
}

/// Things farther away are not looked at, in metres.
const LOOK: f64 = 0.5;
/// Reaching in less than this is none, in metres: a nanometre.
const NO_DEPTH: f64 = 1e-9;
/// A body that is less deep in the terrain does not touch it, in metres.
const GRAZE: f64 = 0.02;

/// Looks at every frame of a clip.
pub fn find_touches(scene: &Scene, terrain: Option<&Terrain>, clip: &Clip, body: &BodyMap) -> TouchReport {
    let walls = walls_of(scene, terrain);
    let capsules = figure(&clip.skeleton, Some(body));
    let mut deepest: BTreeMap<usize, Touch> = BTreeMap::new();
    let mut report = TouchReport::default();
    let mut world = WorldPose::default();
    let mut parts = Vec::new();
    for (frame, pose) in clip.poses().iter().enumerate() {
        world.fill(&clip.skeleton, pose);
        place_parts(&mut parts, &capsules, body, &world);
        let (low, high) = plane_box(&parts);
        let mut worst: Option<Touch> = None;
        let mut see = |index: usize, touch: Touch| {
            worst = worst.filter(|worst| worst.depth >= touch.depth).or(Some(touch));
            let known = deepest.entry(index).or_insert(touch);
            if known.depth < touch.depth {
                *known = touch;
            }
        };
        for (index, wall) in walls.iter().enumerate().filter(|(_, wall)| wall.is_near(low, high)) {
            for &(part, solid) in &parts {
                let nearest = report.nearest.map_or(LOOK, |nearest| -nearest.depth);
                let Some((gap, at)) = wall.gap_below(&solid, nearest) else { continue };
                let touch = Touch { frame, part, with: wall.part, depth: -gap, at };
                if touch.depth <= NO_DEPTH {
                    report.nearest = Some(touch);
                } else {
                    see(index, touch);
                }
            }
        }
        for &(part, solid) in parts.iter().filter(|(part, _)| part.is_above_feet()) {
            let found = terrain.and_then(|terrain| depth_in_ground(terrain, &solid)).filter(|found| found.0 > GRAZE);
            if let Some((depth, at)) = found {
                see(walls.len(), Touch { frame, part, with: ScenePart::Terrain, depth, at });
            }
        }
        report.n_frames += usize::from(worst.is_some());
        report.first = report.first.or(worst);
    }
    report.deepest = deepest.into_values().collect();
    report.deepest.sort_by(|a, b| b.depth.total_cmp(&a.depth));
    report
}

/// A ball whose size changes evenly on a straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Solid {
    ends: [Vec3; 2],
    radii: [f64; 2],
}

impl Solid {
    fn at(&self, share: f64) -> (Vec3, f64) {
        (self.ends[0].lerp(self.ends[1], share), self.radii[0] + (self.radii[1] - self.radii[0]) * share)
    }

    fn largest_radius(&self) -> f64 {
        self.radii[0].max(self.radii[1])
    }
}

fn place_parts(parts: &mut Vec<(TouchedPart, Solid)>, capsules: &[Capsule], body: &BodyMap, world: &WorldPose) {
    parts.clear();
    parts.extend(capsules.iter().map(|capsule| {
        let ends = [capsule.start, capsule.end].map(|end| world[capsule.joint].transform_point(end));
        (TouchedPart::Body(capsule.region), Solid { ends, radii: [capsule.start_radius, capsule.end_radius] })
    }));
    for side in Side::BOTH {
        let leg = &body.legs[side];
        let joint = |at| world.position(at);
        let length = joint(leg.hip).distance(joint(leg.knee)) + joint(leg.knee).distance(joint(leg.ankle));
        let (heel, ball) = (body.heel(world, side), body.ball(world, side));
        let toes = leg.foot.ball.distance(leg.foot.toe_tip);
        let forward = (ball - heel).normalize_or_zero();
        let radius = HALF_BREADTH * length;
        let ends = [heel + forward * radius, ball + forward * (toes - radius).max(0.0)];
        parts.push((TouchedPart::Sole(side), Solid { ends, radii: [radius; 2] }));
    }
    parts.retain(|(_, solid)| solid.ends.iter().all(|end| end.is_finite()));
}

fn plane_box(parts: &[(TouchedPart, Solid)]) -> (Vec2, Vec2) {
    let mut all = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    for (_, solid) in parts {
        for (end, radius) in solid.ends.iter().zip(solid.radii) {
            all = (
                all.0.min(ground_point(*end) - Vec2::splat(radius)),
                all.1.max(ground_point(*end) + Vec2::splat(radius)),
            );
        }
    }
    all
}

/// Which side of an outline is solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Filled {
    Inside,
    Outside,
}

/// A prism, or all but one.
#[derive(Clone, Debug)]
struct Wall<'a> {
    part: ScenePart,
    outline: &'a [Vec2],
    filled: Filled,
    /// How high it reaches.
    top: f64,
    low: Vec2,
    high: Vec2,
}

fn walls_of<'a>(scene: &'a Scene, terrain: Option<&Terrain>) -> Vec<Wall<'a>> {
    let ground = |outline: &[Vec2]| {
        let heights = outline.iter().map(|&corner| terrain.map_or(0.0, |terrain| terrain.height(corner)));
        heights.fold(f64::NEG_INFINITY, f64::max)
    };
    let obstacle = |(index, obstacle): (usize, &'a Obstacle)| {
        let top = obstacle.height.map_or(f64::INFINITY, |height| ground(&obstacle.outline) + height);
        Wall::new(ScenePart::Obstacle(index), &obstacle.outline, Filled::Inside, top)
    };
    let bounds = Wall::new(ScenePart::Bounds, &scene.bounds, Filled::Outside, f64::INFINITY);
    scene.obstacles.iter().enumerate().map(obstacle).chain([bounds]).collect()
}

impl<'a> Wall<'a> {
    fn new(part: ScenePart, outline: &'a [Vec2], filled: Filled, top: f64) -> Wall<'a> {
        let low = outline.iter().fold(Vec2::INFINITY, |low, &point| low.min(point));
        let high = outline.iter().fold(Vec2::NEG_INFINITY, |high, &point| high.max(point));
        Wall { part, outline, filled, top, low, high }
    }

    fn is_near(&self, low: Vec2, high: Vec2) -> bool {
        let reach = Vec2::splat(LOOK);
        self.filled == Filled::Outside || ((self.low - reach).cmple(high).all() && low.cmple(self.high + reach).all())
    }

    fn is_filled(&self, at: Vec2) -> bool {
        contains(self.outline, at) == (self.filled == Filled::Inside)
    }

    /// The gap to a solid and where on its axis that is, if it is below a limit; below 0 it reaches in, by how far.
    fn gap_below(&self, solid: &Solid, limit: f64) -> Option<(f64, Vec2)> {
        let lowest = solid.ends[0].y.min(solid.ends[1].y) - solid.largest_radius();
        if lowest - self.top > limit {
            return None;
        }
        let [from, to] = solid.ends.map(ground_point);
        let is_out = !self.is_filled(from);
        let (away, _) = distance_to_outline(from, to, self.outline);
        if is_out && away - solid.largest_radius() > limit {
            return None;
        }
        let (gap, share) = self.gap(solid);
        (gap < limit).then(|| (gap, ground_point(solid.at(share).0)))
    }

    /// The least gap over the axis of a solid, and where that is.
    fn gap(&self, solid: &Solid) -> (f64, f64) {
        let cuts = self.crossings(solid);
        let mut best = (f64::INFINITY, 0.0);
        for pair in cuts.windows(2) {
            let middle = ground_point(solid.at(0.5 * (pair[0] + pair[1])).0);
            let found = if self.is_filled(middle) {
                self.gap_within(solid, pair[0], pair[1])
            } else {
                self.gap_outside(solid, pair[0], pair[1])
            };
            if found.0 < best.0 {
                best = found;
            }
        }
        best
    }

    /// Where the line passes over an edge of the outline, from 0 to 1, with both of these.
    fn crossings(&self, solid: &Solid) -> Vec<f64> {
        let [from, to] = solid.ends.map(ground_point);
        let offset = to - from;
        let mut cuts = vec![0.0, 1.0];
        for (a, b) in self.edges() {
            let edge = b - a;
            let across = offset.perp_dot(edge);
            let (along_line, along_edge) = ((a - from).perp_dot(edge) / across, (a - from).perp_dot(offset) / across);
            if (0.0..=1.0).contains(&along_line) && (0.0..=1.0).contains(&along_edge) {
                cuts.push(along_line);
            }
        }
        cuts.sort_by(f64::total_cmp);
        cuts
    }

    fn edges(&self) -> impl Iterator<Item = (Vec2, Vec2)> {
        let next = self.outline.iter().cycle().skip(1);
        self.outline.iter().copied().zip(next.copied())
    }

    /// Where the line is outside: for each face its distance less the radius, which is convex.
    fn gap_outside(&self, solid: &Solid, low: f64, high: f64) -> (f64, f64) {
        let faces = self.edges().map(|(a, b)| {
            least_of_convex(low, high, |share| {
                let (at, radius) = solid.at(share);
                let level = distance_to_outline(ground_point(at), ground_point(at), &[a, b]).0;
                level.hypot((at.y - self.top).max(0.0)) - radius
            })
        });
        faces.fold((f64::INFINITY, low), |best, face| if face.0 < best.0 { face } else { best })
    }

    /// Where the line is over the filled side: above the top a difference of heights, which is least at an end of what is
    /// above; below it as deep as the nearest exit.
    fn gap_within(&self, solid: &Solid, low: f64, high: f64) -> (f64, f64) {
        let signed = |share: f64| {
            let (at, radius) = solid.at(share);
            if at.y >= self.top {
                return (at.y - self.top - radius, share);
            }
            let level = distance_to_outline(ground_point(at), ground_point(at), self.outline).0;
            (-level.min(self.top - at.y) - radius, share)
        };
        // The end of what is above the top, if it ends in between.
        let heights = [low, high].map(|share| solid.at(share).0.y - self.top);
        let passes =
            (heights[0] * heights[1] < 0.0).then(|| low + (high - low) * heights[0] / (heights[0] - heights[1]));
        let looks = (0..=DEPTH_LOOKS).map(|look| low + (high - low) * look as f64 / DEPTH_LOOKS as f64);
        let all = looks.chain(passes).map(signed);
        all.fold((f64::INFINITY, low), |best, look| if look.0 < best.0 { look } else { best })
    }
}

/// Places at which a depth is looked up along a line.
const DEPTH_LOOKS: usize = 16;
/// Rounds of golden section: to a hundred-millionth of the line.
const ROUNDS: usize = 40;

/// The least value of a convex function between two places, and where it is.
fn least_of_convex(mut low: f64, mut high: f64, value: impl Fn(f64) -> f64) -> (f64, f64) {
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    let ends = [low, high].map(|share| (value(share), share));
    let mut inner = [high - golden * (high - low), low + golden * (high - low)];
    let mut values = inner.map(&value);
    for _ in 0..ROUNDS {
        if values[0] < values[1] {
            high = inner[1];
            inner = [high - golden * (high - low), inner[0]];
            values = [value(inner[0]), values[0]];
        } else {
            low = inner[0];
            inner = [inner[1], low + golden * (high - low)];
            values = [values[1], value(inner[1])];
        }
    }
    let middle = 0.5 * (low + high);
    [ends[0], ends[1]].into_iter().fold((value(middle), middle), |best, end| if end.0 < best.0 { end } else { best })
}
