//! Where soles may be placed in a scene, and which places are tried instead of one where they may not.

use surefoot_geom::Vec2;
use surefoot_ground::{Scene, ScenePart};
use surefoot_plan::SolePrint;

/// Between a sole and an outline at least, in metres.
const MARGIN: f64 = 0.005;
/// How far a footprint is moved inward, outward and along at most, in metres, and in what steps.
const INWARD: i32 = 6;
const OUTWARD: i32 = 32;
const ALONG: i32 = 24;
const CELL: f64 = 0.01;

/// The outlines of a scene with a box around each.
pub(super) struct Footing<'a> {
    bounds: Option<&'a [Vec2]>,
    obstacles: Vec<(Vec2, Vec2, &'a [Vec2])>,
}

impl<'a> Footing<'a> {
    pub(super) fn new(scene: Option<&'a Scene>) -> Footing<'a> {
        let Some(scene) = scene else { return Footing { bounds: None, obstacles: Vec::new() } };
        let boxed = |outline: &'a [Vec2]| {
            let low = outline.iter().fold(Vec2::INFINITY, |low, &point| low.min(point));
            let high = outline.iter().fold(Vec2::NEG_INFINITY, |high, &point| high.max(point));
            (low, high, outline)
        };
        let obstacles = scene.obstacles.iter().map(|obstacle| boxed(&obstacle.outline)).collect();
        Footing { bounds: Some(&scene.bounds), obstacles }
    }

    /// What a sole is on or leaves, if anything.
    pub(super) fn blocked(&self, sole: &SolePrint) -> Option<ScenePart> {
        let reach = Vec2::splat(sole.half_breadth + MARGIN);
        let (low, high) = (sole.back.min(sole.front) - reach, sole.back.max(sole.front) + reach);
        let on = |&(from, to, outline): &(Vec2, Vec2, &[Vec2])| {
            from.cmple(high).all() && low.cmple(to).all() && sole.gap_to_area(outline) < MARGIN
        };
        match self.obstacles.iter().position(on) {
            Some(index) => Some(ScenePart::Obstacle(index)),
            None => self.bounds.filter(|bounds| sole.room_in_area(bounds) < MARGIN).map(|_| ScenePart::Bounds),
        }
    }
}

/// How far outward and along a footprint is moved, nearest first: none at all, then every place within a step's reach.
pub(super) fn offsets() -> impl Iterator<Item = [f64; 2]> {
    let far = |out: i32, along: i32| out * out + along * along;
    std::iter::once([0.0, 0.0]).chain(std::iter::once(()).flat_map(move |()| {
        let cells = (-INWARD..=OUTWARD).flat_map(|out| (-ALONG..=ALONG).step_by(2).map(move |along| (out, along)));
        let mut cells: Vec<(i32, i32)> = cells.filter(|&cell| cell != (0, 0)).collect();
        // Outward before inward and on before back, where both are as far.
        cells.sort_by_key(|&(out, along)| (far(out, along), -out, -along));
        cells.into_iter().map(|(out, along)| [out, along].map(|cells| f64::from(cells) * CELL))
    }))
}
