//! Ground that is not level: stairs, slopes, stones. Sampled around what is drawn, and found again along lines of sight.
//!
//! Where a terrain is known it is the ground. Where none is, but feet were planted at different heights, there is a stone
//! under each footprint that is not on the level ground, so that nobody stands in empty air.

use crate::subject::{Actor, FARTHEST};
use surefoot_contact::{Contacts, FootPart};
use surefoot_geom::{Vec2, Vec3, ground_point};
use surefoot_ground::{Patch, Terrain};
use surefoot_motion::{BodyMap, Side, Skeleton};

/// Distance of samples, in metres; larger where there would be more than [`MOST_SAMPLES`] along a side.
const SPACING: f64 = 0.02;
const MOST_SAMPLES: f64 = 1000.0;
/// Ground whose samples differ by less than this from the level is level, in metres.
const LEVEL: f64 = 1e-3;
/// Without a terrain: footprints whose heights spread by less than this are on level ground, in metres. Balls of recordings
/// are not planted more exactly.
const STONES_SPREAD: f64 = 0.07;
/// ...and those this near to the level ground are on it.
const STONE_LEAST: f64 = 0.03;
/// Radius of a stone, over leg length.
const STONE: f64 = 0.22;
/// A line of sight that meets ground this far below its surface has met a face: a riser, the side of a stone. In metres.
const FACE: f64 = 1e-3;
/// Neighbouring pixels of ground that differ by this in height are on both sides of an edge, in metres.
const EDGE: f64 = 0.01;
/// Most steps along a line of sight.
const MOST_STEPS: usize = 600;
/// How often the step that meets the ground is halved: to 0.02 mm of the ground.
const N_HALVINGS: usize = 10;

/// The ground around what is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Relief {
    terrain: Terrain,
    base: f64,
    low: Vec2,
    spacing: f64,
    columns: usize,
    rows: usize,
    /// For each sample the largest height of it and those around it: lines of sight above that meet nothing there.
    highest: Vec<f32>,
    /// The least and the largest height.
    pub(crate) range: [f64; 2],
}

/// What a line of sight meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seen {
    pub(crate) point: Vec3,
    pub(crate) is_face: bool,
}

impl Seen {
    /// Whether there is an edge between this and what is seen beside it: a face ends, or something lower is behind.
    pub(crate) fn is_edge_to(&self, other: &Seen) -> bool {
        self.is_face != other.is_face || (!self.is_face && (self.point.y - other.point.y).abs() > EDGE)
    }
}

impl Relief {
    /// The ground within a distance of points; `None` where it is level at `base`.
    pub(crate) fn new(actor: &Actor<'_>, stage: &[Vec2], radius: f64, base: f64) -> Option<Relief> {
        let stones = || {
            let (body, contacts) = actor.contacts()?;
            stones_under(contacts, body, &actor.subject.clip.skeleton, base)
        };
        let terrain = actor.subject.terrain.cloned().or_else(stones)?;
        let low = stage.iter().copied().reduce(Vec2::min)? - radius;
        let high = stage.iter().copied().reduce(Vec2::max)? + radius;
        let spacing = SPACING.max((high - low).max_element() / MOST_SAMPLES);
        let [columns, rows] = [high.x - low.x, high.y - low.y].map(|side| (side / spacing).ceil() as usize + 1);
        let at = |index: usize| low + Vec2::new((index % columns) as f64, (index / columns) as f64) * spacing;
        let heights: Vec<f64> = (0..columns * rows).map(|index| height_of(&terrain, at(index), base)).collect();
        let range = heights
            .iter()
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], &height| [least.min(height), most.max(height)]);
        let is_level = range.iter().all(|height| (height - base).abs() < LEVEL);
        let highest = || spread_largest(&heights, columns);
        (!is_level).then(|| Relief { highest: highest(), terrain, base, low, spacing, columns, rows, range })
    }

    /// The height at a point.
    pub(crate) fn height(&self, at: Vec2) -> f64 {
        height_of(&self.terrain, at, self.base)
    }

    /// Whether a point may lie in the ground.
    fn may_meet(&self, point: Vec3) -> bool {
        let cell = (ground_point(point) - self.low) / self.spacing + 0.5;
        let column = (cell.x.max(0.0) as usize).min(self.columns - 1);
        let row = (cell.y.max(0.0) as usize).min(self.rows - 1);
        point.y <= f64::from(self.highest[row * self.columns + column]) + LEVEL
    }

    /// What a line of sight meets first. It goes through a point, and `toward` leads to the viewer, who is above the ground.
    pub(crate) fn seen(&self, through: Vec3, toward: Vec3) -> Seen {
        let at_height = |height: f64| (height - through.y) / toward.y;
        let [last, first] = self.range.map(at_height);
        let level = Vec2::new(toward.x, toward.z).length() * (first - last);
        let n_steps = ((level / self.spacing).ceil() as usize).clamp(1, MOST_STEPS);
        let point = |step: f64| through + toward * (first + (last - first) * step / n_steps as f64);
        let is_in = |point: Vec3| self.may_meet(point) && point.y <= self.height(ground_point(point)) + 1e-9;
        if let Some(step) = (0..=n_steps).find(|&step| is_in(point(step as f64))) {
            // The ground is met between this step and the one before; the first begins above all ground or on it.
            let (mut out, mut within) = ((step as f64 - 1.0).max(0.0), step as f64);
            for _ in 0..N_HALVINGS {
                let middle = (out + within) / 2.0;
                *(if is_in(point(middle)) { &mut within } else { &mut out }) = middle;
            }
            let met = point(within);
            let height = self.height(ground_point(met));
            let is_face = height - met.y > FACE;
            return Seen { point: Vec3::new(met.x, if is_face { met.y } else { height }, met.z), is_face };
        }
        Seen { point: through + toward * last, is_face: false }
    }
}

/// The height of a terrain; where it has none that could be drawn, `base`.
fn height_of(terrain: &Terrain, at: Vec2, base: f64) -> f64 {
    Some(terrain.height(at)).filter(|height| height.abs() < FARTHEST).unwrap_or(base)
}

/// For each of the values in rows, the largest of it and its neighbours.
fn spread_largest(values: &[f64], columns: usize) -> Vec<f32> {
    let n_rows = values.len() / columns;
    let around = |index: usize, n: usize| index.saturating_sub(1)..(index + 2).min(n);
    let largest = |index: usize| {
        let (column, row) = (index % columns, index / columns);
        let rows = around(row, n_rows).map(|row| &values[row * columns..][around(column, columns)]);
        rows.flatten().copied().fold(f64::NEG_INFINITY, f64::max) as f32
    };
    (0..values.len()).map(largest).collect()
}

/// Stones under the footprints of a motion whose terrain nobody knows, around them ground that is level at `base`; `None` where
/// all feet are planted on that.
pub fn stones_under(contacts: &Contacts, body: &BodyMap, skeleton: &Skeleton, base: f64) -> Option<Terrain> {
    let plants = Side::BOTH.into_iter().flat_map(|side| contacts.plants[side].iter());
    let balls: Vec<Vec3> = plants
        .filter(|plant| plant.part == FootPart::Ball && plant.position.abs().max_element() < FARTHEST)
        .map(|plant| plant.position)
        .collect();
    let heights = || balls.iter().map(|ball| ball.y);
    let spread = heights().reduce(f64::max)? - heights().reduce(f64::min)?;
    if spread < STONES_SPREAD {
        return None;
    }
    let radius = STONE * body.leg_length(skeleton);
    let high = balls.iter().filter(|ball| (ball.y - base).abs() > STONE_LEAST);
    let stones: Vec<Patch> = high.map(|ball| Patch { centre: ground_point(*ball), radius, height: ball.y }).collect();
    if stones.is_empty() { None } else { Terrain::patches(base, stones).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Subject;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_ground::Stairs;

    #[test]
    fn level_ground_has_no_relief_and_stairs_are_seen_where_they_are() {
        let walk = synthetic_walk(&WalkerOptions { n_steps: 1, ..WalkerOptions::default() });
        let take = &walk.take;
        let relief = |terrain: Option<&Terrain>| {
            let subject = Subject { clip: &take.clip, body: Some(&take.body), contacts: Some(&take.contacts), terrain };
            Relief::new(&Actor::new(subject), &[Vec2::ZERO], 1.0, 0.0)
        };
        assert!(relief(None).is_none() && relief(Some(&Terrain::flat(0.0))).is_none());
        let stairs = Stairs { start: Vec2::new(0.0, 0.2), tread: 0.3, rise: 0.2, n_steps: 2, ..Stairs::default() };
        let relief = relief(Some(&Terrain::stairs(stairs).expect("stairs"))).expect("they are not level");
        assert!((relief.height(Vec2::new(0.0, 0.35)) - 0.2).abs() < 1e-6);
        // From behind and above: the first tread is seen behind the first riser.
        let toward = Vec3::new(0.0, 0.5, -1.0).normalize();
        let tread = relief.seen(Vec3::new(0.0, 0.2, 0.35), toward);
        assert!((tread.point.y - 0.2).abs() < 1e-6 && !tread.is_face, "{tread:?}");
        let riser = relief.seen(Vec3::new(0.0, 0.1, 0.2), toward);
        assert!((riser.point.z - 0.2).abs() < 0.03 && riser.is_face, "{riser:?}");
    }

    #[test]
    fn stones_are_under_feet_that_are_planted_above_the_ground() {
        let walk = synthetic_walk(&WalkerOptions { n_steps: 3, ..WalkerOptions::default() });
        let take = &walk.take;
        let stones = |contacts: &Contacts| stones_under(contacts, &take.body, &take.clip.skeleton, 0.0);
        assert_eq!(stones(&take.contacts), None);
        let mut raised = take.contacts.clone();
        let ball = raised.plants.left.iter_mut().find(|plant| plant.part == FootPart::Ball).expect("a ball");
        ball.position.y += 0.3;
        let (at, height) = (ground_point(ball.position), ball.position.y);
        let terrain = stones(&raised).expect("a stone");
        assert!((terrain.height(at) - height).abs() < 1e-9 && terrain.height(at + 5.0) == 0.0);
    }
}
