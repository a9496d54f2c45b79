//! The corridor map of a scene: built once, asked many times, and brought up to date where an obstacle comes or goes.

use super::border::Border;
use super::cell::Cell;
use super::graph::Graph;
use super::medial_axis::{join_cells, trace_cells};
use super::outlines::Outlines;
use super::walls::Walls;
use super::{BlockedPath, Disk, MAX_MAP_REACH, MAX_SPACING, MIN_SPACING, MapError, Nearest, TOLERANCE};
use crate::{Obstacle, Path, Scene, ScenePart};
use std::sync::Arc;
use surefoot_geom::Vec2;

/// How a map is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorridorOptions {
    /// How near discs of the map lie to each other in narrow places, in metres; in wide ones they are a quarter of
    /// their radius apart. From [`MIN_SPACING`] to [`MAX_SPACING`]; 0.05 is finer than what a walking person could
    /// tell.
    pub spacing: f64,
}

impl Default for CorridorOptions {
    fn default() -> CorridorOptions {
        CorridorOptions { spacing: 0.05 }
    }
}

/// Where people can walk in a scene, and how wide it is there.
#[derive(Clone, Debug)]
pub struct CorridorMap {
    scene: Scene,
    options: CorridorOptions,
    pub(super) outlines: Outlines,
    pub(super) walls: Walls,
    cells: Vec<Cell>,
    pub(super) graph: Graph,
    pub(super) border: Arc<Border>,
}

impl CorridorMap {
    /// The map of a scene. Start and goal of the scene do not matter to it.
    pub fn new(scene: &Scene, options: &CorridorOptions) -> Result<CorridorMap, MapError> {
        CorridorMap::build(scene.clone(), *options, None)
    }

    /// The map with one obstacle more, numbered after the others. It is the map that [`CorridorMap::new`] makes of such
    /// a scene, made faster: only the cells that the obstacle reaches are traced again. The axis is the same to a tenth
    /// of a micrometre; in symmetrical places its discs may lie a little farther on along it.
    pub fn with_obstacle(&self, obstacle: Obstacle) -> Result<CorridorMap, MapError> {
        let mut scene = self.scene.clone();
        scene.obstacles.push(obstacle);
        CorridorMap::build(scene, self.options, Some(self))
    }

    /// The map without an obstacle; those after it move up by one number. See [`CorridorMap::with_obstacle`].
    pub fn without_obstacle(&self, index: usize) -> Result<CorridorMap, MapError> {
        let n_obstacles = self.scene.obstacles.len();
        if index >= n_obstacles {
            return Err(MapError::NoObstacle { index, n_obstacles });
        }
        let mut scene = self.scene.clone();
        scene.obstacles.remove(index);
        CorridorMap::build(scene, self.options, Some(self))
    }

    fn build(scene: Scene, options: CorridorOptions, old: Option<&CorridorMap>) -> Result<CorridorMap, MapError> {
        check(&scene, options)?;
        let outlines = Outlines::new(&scene);
        let walls = Walls::new(&outlines);
        if walls.walls.is_empty() {
            return Err(MapError::NoRoom);
        }
        let cells = trace_cells(&walls, options.spacing, old.map(|old| (&old.walls, old.cells.as_slice())));
        let graph = Graph::new(&join_cells(&walls, &cells));
        let border = Arc::new(Border::new(&scene));
        Ok(CorridorMap { scene, options, outlines, walls, cells, graph, border })
    }

    pub(super) fn spacing(&self) -> f64 {
        self.options.spacing
    }

    /// The scene that it is the map of.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The paths of the map between its forks and ends, as discs whose centres are as far from the outlines as can be:
    /// the medial axis of the free space, for pictures.
    pub fn backbones(&self) -> impl Iterator<Item = &[Disk]> {
        self.graph.edges.iter().map(|edge| edge.disks.as_slice())
    }

    /// What a place is nearest to. Whether it is free is another question: see [`CorridorMap::is_free`].
    pub fn nearest(&self, place: Vec2) -> Nearest {
        self.border.nearest(place)
    }

    /// Whether a place lies in the bounds and in no obstacle.
    pub fn is_free(&self, place: Vec2) -> bool {
        self.outlines.is_free(place)
    }

    /// Whether a person of a clearance can walk a path; the least distance of the path from an outline if so.
    /// Clearances count as kept if less than 20 nanometres are missing.
    pub fn check_path(&self, path: &Path, clearance: f64) -> Result<f64, BlockedPath> {
        path.check()?;
        self.check_point(path, 0)?;
        let mut least = f64::INFINITY;
        for (point, pair) in path.points.windows(2).enumerate() {
            self.check_point(path, point + 1)?;
            // What touches is found again after something else was touched.
            let within = least.max(f64::MIN_POSITIVE.sqrt());
            if let Some(nearest) = self.border.nearest_to_line(pair[0], pair[1], within) {
                // Without a clearance a path may touch an outline, and may not pass through it.
                if nearest.distance == 0.0 && self.passes_through(pair[0], pair[1]) {
                    return Err(BlockedPath::Through { point, nearest });
                }
                if nearest.distance < clearance - 2.0 * TOLERANCE {
                    return Err(BlockedPath::TooClose { point, nearest, wanted: clearance });
                }
                least = nearest.distance;
            }
        }
        Ok(least)
    }

    /// Whether a straight line that touches an outline has places that are not free. Its ends are.
    fn passes_through(&self, from: Vec2, to: Vec2) -> bool {
        // A corner that is only touched is one place.
        let is_free = |look: u32| self.is_free(from.lerp(to, f64::from(look) / f64::from(LOOKS)));
        self.border.crosses(from, to) || (1..LOOKS).any(|look| !is_free(look) && !is_free(look + 1))
    }

    fn check_point(&self, path: &Path, point: usize) -> Result<(), BlockedPath> {
        let at = path.points[point];
        if !self.outlines.in_bounds(at) {
            return Err(BlockedPath::OutOfBounds { point, at });
        }
        match self.outlines.obstacle_at(at) {
            Some(obstacle) => Err(BlockedPath::InObstacle { point, at, obstacle }),
            None => Ok(()),
        }
    }
}

/// Places along a line that goes exactly through corners of an outline, where no edge is crossed between its ends.
const LOOKS: u32 = 64;

fn check(scene: &Scene, options: CorridorOptions) -> Result<(), MapError> {
    if !(MIN_SPACING..=MAX_SPACING).contains(&options.spacing) {
        return Err(MapError::Spacing { found: options.spacing });
    }
    scene.check_outlines()?;
    let far = |outline: &[Vec2]| outline.iter().copied().find(|point| point.abs().max_element() > MAX_MAP_REACH);
    if let Some(at) = far(&scene.bounds) {
        return Err(MapError::TooFar { part: ScenePart::Bounds, at });
    }
    for (index, obstacle) in scene.obstacles.iter().enumerate() {
        if let Some(at) = far(&obstacle.outline) {
            return Err(MapError::TooFar { part: ScenePart::Obstacle(index), at });
        }
    }
    Ok(())
}
