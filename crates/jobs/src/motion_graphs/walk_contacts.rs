//! When feet are planted in a walk through a graph: as in the clips that it is made of.
//!
//! Feet slide in blends, by centimetres within a stance. A detector takes that for the end of the stance, and cleanup would hold the
//! foot for the rest of it alone. The clips know better.
//!
//! 1. The contacts of each clip that the walk uses are detected.
//! 2. A frame of the walk has those of its clip; one of a blend, those of the clip that weighs more in it.
//! 3. Runs of frames are plants, at the mean place of their part. Runs of a moment are none.

use std::collections::BTreeMap;
use surefoot_contact::{Contacts, DetectOptions, FootPart, detect_contacts};
use surefoot_graph::{EdgeMotion, MotionGraph, Walk};
use surefoot_motion::{Clip, Side, count_frames};

/// Plants shorter than this are none, in seconds.
const SHORTEST: f64 = 0.05;

/// The contacts of a walk that was made into a clip, of which the end may have been cut.
pub(super) fn walk_contacts(graph: &MotionGraph, walk: &Walk, clip: &Clip) -> Contacts {
    let frames: Vec<(usize, usize)> =
        walk.edges.iter().flat_map(|&edge| edge_sources(graph, edge)).take(clip.n_frames()).collect();
    let body = graph.set.body();
    let mut of_clips: BTreeMap<usize, Contacts> = BTreeMap::new();
    for &(index, _) in &frames {
        of_clips.entry(index).or_insert_with(|| {
            let clip = &graph.set.clips()[index];
            detect_contacts(&clip.world(), body, clip.frame_rate, &DetectOptions::default()).contacts
        });
    }
    let shortest = count_frames((SHORTEST * clip.frame_rate).ceil());
    let mut ranges = Vec::new();
    for (side, part) in Side::BOTH.into_iter().flat_map(|side| FootPart::BOTH.map(|part| (side, part))) {
        let planted: Vec<bool> =
            frames.iter().map(|(index, frame)| of_clips[index].is_planted(side, part, *frame)).collect();
        let mut from = 0;
        for run in planted.chunk_by(|a, b| a == b) {
            if run[0] && run.len() >= shortest {
                ranges.push((side, part, from..from + run.len()));
            }
            from += run.len();
        }
    }
    Contacts::from_ranges(clip, body, &ranges).unwrap_or_else(|_| Contacts::none(clip.n_frames()))
}

/// The clip and its frame that weighs most in each frame of an edge.
fn edge_sources(graph: &MotionGraph, index: usize) -> Vec<(usize, usize)> {
    let edge = &graph.edges()[index];
    let (from, to) = (graph.nodes()[edge.from].clip, graph.nodes()[edge.to].clip);
    match &edge.motion {
        EdgeMotion::Clip(frames) => frames.clone().map(|frame| (from, frame)).collect(),
        EdgeMotion::Blend { start, entry, .. } => {
            let is_left = |frame: usize| 2 * frame < graph.window;
            let source = |frame| if is_left(frame) { (from, start + frame) } else { (to, entry + frame) };
            (0..graph.window).map(source).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FollowRequest, GraphOptions, corpus_graph, follow_graph};
    use surefoot_geom::{Vec2, Vec3};
    use surefoot_ground::Path;

    /// Seen without any contacts: stretches in which a ball is near the ground and slow. In their middle it stands still.
    #[test]
    fn balls_stand_still_in_the_middle_of_every_stance_through_blends_too() {
        let graph = corpus_graph(&GraphOptions::default()).expect("a graph").graph;
        let points = (0..14).map(|k| Vec2::new(0.8 * (0.35 * f64::from(k)).sin(), 0.5 * f64::from(k)));
        let request = FollowRequest { clean: true, ..FollowRequest::default() };
        let walk = follow_graph(&graph, &Path { points: points.collect() }, &request).expect("a walk");
        assert!(walk.n_blends > 4, "{} blends", walk.n_blends);
        let (take, rate) = (&walk.take, walk.take.clip.frame_rate);
        let poses = take.clip.world();
        let mut n_stances = 0;
        for side in Side::BOTH {
            let ball: Vec<Vec3> = poses.iter().map(|pose| FootPart::Ball.place(&take.body, pose, side)).collect();
            let is_slow = |frame: usize| {
                let (before, after) = (frame.saturating_sub(1), (frame + 1).min(ball.len() - 1));
                ball[before].distance(ball[after]) * rate < 0.3 * (after - before) as f64 && ball[frame].y < 0.025
            };
            let slow: Vec<bool> = (0..ball.len()).map(is_slow).collect();
            let mut from = 0;
            for run in slow.chunk_by(|a, b| a == b) {
                let (start, end) = (from, from + run.len());
                from = end;
                // The walk is cut at its ends.
                if !run[0] || run.len() < 8 || start == 0 || end == slow.len() {
                    continue;
                }
                n_stances += 1;
                let fifth = run.len() / 5;
                let middle = &ball[start + fifth..end - fifth];
                let moved = middle.iter().map(|place| place.distance(middle[middle.len() / 2])).fold(0.0, f64::max);
                assert!(moved < 1e-4, "{side:?} ball, frames {start} to {end}: moves by {:.1} mm", 1000.0 * moved);
            }
        }
        assert!(n_stances >= 8, "{n_stances} stances");
    }
}
