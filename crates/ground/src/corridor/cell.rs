//! The edge of a feature's Voronoi cell: the centres of all largest discs that touch the feature.
//!
//! Along a wall the feet of discs move from one end to the other; around a corner that points into the free space the
//! foot stays and the discs swing about it. Either way there is one largest disc for every place `s`, its curvature is
//! the largest of those that the other features ask for, and the edge of the cell is this upper envelope:
//!
//! ```text
//!       .------.           the other features touch the discs one after the other;
//!      /  B     `--. C     between s0 (touching B) and s1 (touching C) lies the place
//!     x0     *     x1      where both do: a vertex of the Voronoi diagram
//!     |            |
//!   --s0-----------s1--    this wall
//! ```
//!
//! 1. Discs at places as far apart as a share of their radius.
//! 2. Between two that touch different features: where both do, by solving for equal curvatures; if the largest disc
//!    there touches a third feature, the same on both sides of it.
//! 3. Between two that touch the same feature: more discs until their centres are near each other, and one where the
//!    axis comes nearest to both features.

use super::box_tree::Bounds;
use super::touching_disc::{Feature, Foot, Touch};
use super::walls::Walls;
use surefoot_geom::Vec2;

/// How far apart centres of discs may be, as a share of the radius.
const SHARE: f64 = 0.25;
/// Places nearer to each other than this are one: metres along a wall, radians about a corner.
const SAME_PLACE: f64 = 1e-10;
/// Halvings between two places; places come nearer than [`SAME_PLACE`] much sooner.
const MAX_DEPTH: usize = 60;

/// What discs roll along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Side {
    /// The free side of a wall.
    Wall(u32),
    /// A corner that points into the free space, from the normal of the wall that ends there clockwise to that of the
    /// next.
    Corner {
        /// Which.
        corner: u32,
        /// The normal of the wall before it.
        from: Vec2,
        /// The normal of the wall after it.
        to: Vec2,
        /// The angle between them.
        angle: f64,
    },
}

impl Side {
    pub(super) fn feature(&self) -> Feature {
        match *self {
            Side::Wall(wall) => Feature::Wall(wall),
            Side::Corner { corner, .. } => Feature::Corner(corner),
        }
    }

    /// Where places end; they begin at 0.
    fn end(&self, walls: &Walls) -> f64 {
        match *self {
            Side::Wall(wall) => walls.walls[wall as usize].length,
            Side::Corner { angle, .. } => angle,
        }
    }

    fn foot(&self, walls: &Walls, place: f64) -> Foot {
        match *self {
            Side::Wall(wall) => {
                let wall = &walls.walls[wall as usize];
                let point = if place >= wall.length { wall.b } else { wall.a + wall.along * place };
                Foot { point, toward: wall.normal(), own_corners: [wall.from, wall.to] }
            }
            Side::Corner { corner, from, to, angle } => {
                let toward = if place >= angle { to } else { Vec2::from_angle(-place).rotate(from) };
                Foot { point: walls.corners[corner as usize], toward, own_corners: [corner; 2] }
            }
        }
    }

    /// The place whose foot lies toward a point.
    pub(super) fn place_toward(&self, walls: &Walls, point: Vec2) -> f64 {
        let place = match *self {
            Side::Wall(wall) => {
                let wall = &walls.walls[wall as usize];
                (point - wall.a).dot(wall.along)
            }
            Side::Corner { corner, from, .. } => -from.angle_to(point - walls.corners[corner as usize]),
        };
        place.clamp(0.0, self.end(walls))
    }
}

/// A disc on the edge of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    pub(super) place: f64,
    pub(super) centre: Vec2,
    pub(super) radius: f64,
    /// What discs from here to the next sample touch besides the cell's own feature; `None` if nothing bounds them.
    pub(super) next: Option<Feature>,
}

/// The edge of a cell, from the first place to the last.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) side: Side,
    pub(super) samples: Vec<Sample>,
    /// Around all its discs: walls that do not reach in here do not change it.
    pub(super) bounds: Bounds,
    /// Whether places were asked for that it does not have by itself.
    pub(super) asked: bool,
}

/// The sides along which discs roll: all walls, and the corners that point into the free space.
pub(super) fn sides(walls: &Walls) -> Vec<Side> {
    let mut sides: Vec<Side> = (0..walls.walls.len() as u32).map(Side::Wall).collect();
    for (wall, next) in walls.walls.iter().zip(&walls.next) {
        let Some(next) = next.map(|next| &walls.walls[next as usize]) else { continue };
        let angle = (-wall.along.perp_dot(next.along)).atan2(wall.along.dot(next.along));
        if angle > SAME_PLACE {
            sides.push(Side::Corner { corner: wall.to, from: wall.normal(), to: next.normal(), angle });
        }
    }
    sides
}

/// The edge of a side's cell. `spacing` is the least distance between centres, and `also` names places that must not be
/// left out.
pub(super) fn trace_cell(walls: &Walls, side: Side, spacing: f64, also: &[f64]) -> Cell {
    let tracer = Tracer { walls, side, spacing, end: side.end(walls) };
    let samples = tracer.trace(also);
    let bounds = samples.iter().fold(Bounds::EMPTY, |bounds, sample| {
        bounds.join(Bounds::around(sample.centre, sample.centre).grow(sample.radius))
    });
    Cell { side, samples, bounds, asked: !also.is_empty() }
}

struct Tracer<'a> {
    walls: &'a Walls,
    side: Side,
    spacing: f64,
    end: f64,
}

impl Tracer<'_> {
    fn trace(&self, also: &[f64]) -> Vec<Sample> {
        let mut places: Vec<f64> = also.iter().copied().filter(|&place| place > 0.0 && place < self.end).collect();
        places.push(self.end);
        places.sort_by(f64::total_cmp);
        let mut here = self.sample(0.0, None);
        let mut samples = vec![here];
        for stop in places {
            while here.place < stop {
                let step = match self.side {
                    Side::Wall(_) => (SHARE * here.radius).max(self.spacing),
                    Side::Corner { .. } => SHARE,
                };
                // The last two steps before a stop are of one length.
                let left = stop - here.place;
                let place = if left <= step { stop } else { here.place + step.min(left / 2.0) };
                let there = self.sample(place, here.next);
                self.fill(here, there, 0, &mut samples);
                samples.push(there);
                here = there;
            }
        }
        samples
    }

    fn sample(&self, place: f64, hint: Option<Feature>) -> Sample {
        let foot = self.side.foot(self.walls, place);
        let touch = match self.inner_corner(place) {
            Some(wall) => Some(Touch { curvature: f64::INFINITY, feature: Feature::Wall(wall) }),
            None => self.walls.largest_disc(&foot, hint),
        };
        let radius = touch.map_or(self.walls.reach, |touch| 1.0 / touch.curvature);
        let next = touch.map(|touch| touch.feature);
        Sample { place, centre: foot.point + foot.toward * radius, radius, next }
    }

    /// The other wall of a corner that points out of the free space, if a place is there: its disc has no size.
    fn inner_corner(&self, place: f64) -> Option<u32> {
        let Side::Wall(index) = self.side else { return None };
        let turns_in = |wall: u32, next: u32| {
            let (wall, next) = (&self.walls.walls[wall as usize], &self.walls.walls[next as usize]);
            wall.along.perp_dot(next.along) > 0.0
        };
        if place >= self.end {
            return self.walls.next[index as usize].filter(|&next| turns_in(index, next));
        }
        let before = (place <= 0.0).then(|| self.walls.before(index)).flatten();
        before.filter(|&before| turns_in(before, index))
    }

    /// Adds what is needed between two samples.
    fn fill(&self, here: Sample, there: Sample, depth: usize, samples: &mut Vec<Sample>) {
        let apart = there.place - here.place;
        if apart < SAME_PLACE || depth > MAX_DEPTH {
            return;
        }
        match (here.next, there.next) {
            (Some(one), Some(two)) if one == two => {
                let near =
                    here.centre.distance(there.centre) <= (SHARE * here.radius.min(there.radius)).max(self.spacing);
                let narrowest = self.narrowest(one);
                let inside = narrowest > here.place + SAME_PLACE && narrowest < there.place - SAME_PLACE;
                if inside {
                    self.split(here, there, narrowest, depth, samples);
                } else if !near {
                    self.split(here, there, here.place + apart / 2.0, depth, samples);
                }
            }
            (Some(one), Some(two)) => {
                let place = self.meet(here.place, there.place, one, two);
                let middle = self.sample(place, Some(one));
                // The third feature may be an end of one of the two walls, as near as the wall itself would be.
                let foot = self.side.foot(self.walls, place);
                let ends = [one, two].map(|feature| self.walls.touch(&foot, feature));
                let ends = ends.into_iter().filter(|touch| touch.curvature > 0.0).map(|touch| Some(touch.feature));
                let mut met = std::iter::once(middle.next).chain(ends);
                if let Some(next) = met.find(|&feature| feature != Some(one) && feature != Some(two)) {
                    return self.split_at(here, there, Sample { next, ..middle }, depth, samples);
                }
                self.fill(here, Sample { next: Some(one), ..middle }, depth + 1, samples);
                samples.push(Sample { next: Some(two), ..middle });
                self.fill(Sample { next: Some(two), ..middle }, there, depth + 1, samples);
            }
            _ => self.split(here, there, here.place + apart / 2.0, depth, samples),
        }
    }

    fn split(&self, here: Sample, there: Sample, place: f64, depth: usize, samples: &mut Vec<Sample>) {
        let middle = self.sample(place, here.next);
        self.split_at(here, there, middle, depth, samples);
    }

    fn split_at(&self, here: Sample, there: Sample, middle: Sample, depth: usize, samples: &mut Vec<Sample>) {
        self.fill(here, middle, depth + 1, samples);
        samples.push(middle);
        self.fill(middle, there, depth + 1, samples);
    }

    /// The place where discs that touch a feature are smallest; NaN if that is nowhere in between. Between walls that
    /// are not parallel discs grow everywhere.
    fn narrowest(&self, feature: Feature) -> f64 {
        match feature {
            Feature::Wall(_) => f64::NAN,
            Feature::Corner(corner) => self.side.place_toward(self.walls, self.walls.corners[corner as usize]),
        }
    }

    /// The place between two others, with discs that touch `one` and `two`, where a disc touches both.
    fn meet(&self, from: f64, to: f64, one: Feature, two: Feature) -> f64 {
        let foot = |place: f64| self.side.foot(self.walls, place);
        // A wall and its own end: where the disc reaches the end. Their curvatures only touch there.
        let end_of = |wall: u32, corner: u32| {
            let wall = &self.walls.walls[wall as usize];
            if wall.from == corner { Some(0.0) } else { (wall.to == corner).then_some(wall.length) }
        };
        let end = match (one, two) {
            (Feature::Wall(wall), Feature::Corner(corner)) | (Feature::Corner(corner), Feature::Wall(wall)) => {
                end_of(wall, corner).map(|end| (wall, end))
            }
            _ => None,
        };
        match end {
            Some((wall, end)) => root(from, to, |place| self.walls.touch_along(&foot(place), wall) - end),
            None => root(from, to, |place| self.curvature(place, two) - self.curvature(place, one)),
        }
    }

    fn curvature(&self, place: f64, feature: Feature) -> f64 {
        match self.inner_corner(place) {
            Some(wall) if feature == Feature::Wall(wall) => f64::INFINITY,
            _ => self.walls.touch(&self.side.foot(self.walls, place), feature).curvature,
        }
    }
}

/// Where a function changes its sign: by false position (Illinois), halved where that makes no progress. If the sign is
/// the same at both ends, then rounding hides that it is 0 at one of them.
fn root(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (mut a, mut b) = (from, to);
    let (mut at_a, mut at_b) = (f(a), f(b));
    if at_a.is_nan() || at_b.is_nan() {
        return a.midpoint(b);
    }
    if at_a == 0.0 || at_b == 0.0 || (at_a < 0.0) == (at_b < 0.0) {
        return if at_a.abs() <= at_b.abs() { a } else { b };
    }
    for round in 0..200 {
        let by_line = b - at_b * (b - a) / (at_b - at_a);
        let halve = round % 3 == 2 || !by_line.is_finite() || by_line <= a.min(b) || by_line >= a.max(b);
        let middle = if halve { a.midpoint(b) } else { by_line };
        if middle == a || middle == b {
            break;
        }
        let value = f(middle);
        if value == 0.0 {
            return middle;
        }
        if (value < 0.0) == (at_b < 0.0) {
            at_a /= 2.0;
        } else {
            (a, at_a) = (b, at_b);
        }
        (b, at_b) = (middle, value);
        if (b - a).abs() < 1e-14 * (1.0 + b.abs()) {
            break;
        }
    }
    b
}
