//! Where a walk through a graph goes: what of the body follows the path, frame by frame.

use crate::follow::{Tracks, Walk};
use crate::motion_graph::{EdgeMotion, MotionGraph, blend_share};
use surefoot_geom::{Transform, Vec2, Vec3, ground_point};

impl Walk {
    /// The abstraction that followed the path, a point for each frame of [`Walk::to_clip`]. `tracks` are those of the search.
    pub fn track(&self, graph: &MotionGraph, tracks: &Tracks) -> Vec<Vec2> {
        let Tracks(tracks) = tracks;
        let point = |placed: Transform, clip: usize, frame: usize| {
            let track = &tracks[clip];
            let at = track[frame.min(track.len() - 1)];
            ground_point(placed.transform_point(Vec3::new(at.x, 0.0, at.y)))
        };
        let mut placed = self.placement.to_transform();
        let mut points = Vec::new();
        for &index in &self.edges {
            let edge = &graph.edges()[index];
            let (from, to) = (graph.nodes()[edge.from].clip, graph.nodes()[edge.to].clip);
            let next = placed * graph.edge_placement(index).to_transform();
            match &edge.motion {
                EdgeMotion::Clip(frames) => points.extend(frames.clone().map(|frame| point(placed, from, frame))),
                EdgeMotion::Blend { start, entry, .. } => points.extend((0..graph.window).map(|frame| {
                    let share = blend_share(frame, graph.window);
                    point(placed, from, start + frame).lerp(point(next, to, entry + frame), share)
                })),
            }
            placed = next;
        }
        points
    }

    /// Blends among its edges.
    pub fn n_blends(&self, graph: &MotionGraph) -> usize {
        let is_blend = |edge: &&usize| matches!(graph.edges()[**edge].motion, EdgeMotion::Blend { .. });
        self.edges.iter().filter(is_blend).count()
    }
}
