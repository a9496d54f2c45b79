//! Why a goal cannot be reached, and where.
//!
//! If some path leads there, the widest one is too narrow in some place: that place. If none does, the place where the
//! wall between the area of the start and that of the goal is thinnest.

use super::border::{Gap, gap_between};
use super::box_tree::{Bounds, BoxTree};
use super::graph::Graph;
use super::map::CorridorMap;
use super::route::{Joint, bottleneck};
use super::touching_disc::Foot;
use super::walls::Wall;
use super::{QueryError, TOLERANCE};
use crate::ScenePart;
use surefoot_geom::Vec2;

impl CorridorMap {
    /// What keeps a person of a clearance from going from one place to another; nothing leads there.
    pub(super) fn closed_off(&self, ends: [Vec2; 2], joints: [&[Joint]; 2], kept: f64) -> QueryError {
        match bottleneck(&self.graph, ends, joints) {
            Some(disk) => QueryError::TooNarrow {
                at: disk.centre,
                width: 2.0 * disk.radius,
                wanted: 2.0 * (kept + TOLERANCE),
                beside: self.border.nearest(disk.centre).part,
            },
            None => self.thinnest_wall(ends),
        }
    }

    fn thinnest_wall(&self, ends: [Vec2; 2]) -> QueryError {
        let areas = areas(&self.graph);
        let area_of = |place: Vec2| {
            let mut area = None;
            self.graph.disks_around(place, 0.0, |edge, _| area = Some(areas[self.graph.edges[edge].from]));
            area
        };
        let [start, goal] = ends.map(area_of);
        let before: Vec<Option<usize>> =
            (0..self.walls.walls.len()).map(|wall| area_of(self.before_wall(wall)?)).collect();
        let walls_of = |area: Option<usize>| -> Vec<Wall> {
            let of_area = self.walls.walls.iter().zip(&before).filter(|&(_, &before)| before == area && area.is_some());
            of_area.map(|(wall, _)| *wall).collect()
        };
        let (near_start, near_goal) = (walls_of(start), walls_of(goal));
        let tree = BoxTree::new(&near_goal.iter().map(Wall::bounds).collect::<Vec<Bounds>>());
        let mut best: Option<Gap> = None;
        let within = |best: Option<Gap>| best.map_or(f64::INFINITY, |best| (best.width + 1e-9).powi(2));
        for one in &near_start {
            tree.search(one.bounds(), within(best), |other, _| {
                let two = &near_goal[other];
                let gap = gap_between((one.a, one.b), (two.a, two.b));
                // Of many places as thin, the one along which the wall is so for longest.
                let thinner = |best: Gap| gap.width < best.width - 1e-9;
                let longer = |best: Gap| gap.width < best.width + 1e-9 && gap.length > best.length;
                if best.is_none_or(|best| thinner(best) || longer(best)) {
                    best = Some(gap);
                }
                within(best)
            });
        }
        let points = best.map_or(ends, |gap| gap.points);
        let at = points[0].midpoint(points[1]);
        let wall = match self.outlines.obstacle_at(at) {
            Some(obstacle) => ScenePart::Obstacle(obstacle),
            None => self.border.nearest(at).part,
        };
        QueryError::Separated { at, thickness: points[0].distance(points[1]), wall }
    }

    /// The centre of the largest disc that touches a wall in its middle.
    fn before_wall(&self, index: usize) -> Option<Vec2> {
        let wall = &self.walls.walls[index];
        let foot = Foot { point: wall.a.midpoint(wall.b), toward: wall.normal(), own_corners: [wall.from, wall.to] };
        let touch = self.walls.largest_disc(&foot, None)?;
        Some(foot.point + foot.toward / touch.curvature)
    }
}

/// The number of the area of each node: those that paths connect, however narrow, have the same one.
fn areas(graph: &Graph) -> Vec<usize> {
    let mut area = vec![usize::MAX; graph.nodes.len()];
    for first in 0..graph.nodes.len() {
        let mut left = vec![first];
        while let Some(node) = left.pop() {
            if area[node] == usize::MAX {
                area[node] = first;
                let edges = graph.at[node].iter().map(|&edge| &graph.edges[edge as usize]);
                left.extend(edges.flat_map(|edge| [edge.from, edge.to]));
            }
        }
    }
    area
}
