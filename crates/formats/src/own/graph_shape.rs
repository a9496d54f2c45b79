//! What a motion graph looks like in its file, version 1, and what must hold of it.
//!
//! The shapes are those of the file and stay as they are; a change of them is a new version.

use super::stored_body::{StoredBody, StoredEndSite, StoredJoint, Three, read_skeleton, vector};
use super::stored_tracks::{StoredTrack, check_size, count, read_poses, store_tracks};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use surefoot_graph::{
    AngleWeights, Edge, EdgeMotion, GraphRecord, Metric, MotionGraph, MotionSet, Node, PointWeights, Pruned,
};
use surefoot_motion::{Clip, Placement, Skeleton};

/// Lengths past this mean nothing, in metres.
const MAX_NUMBER: f64 = 1e6;
/// Frames a second of anything that moves: times become numbers of frames, and must not become endless ones.
const FRAME_RATES: std::ops::RangeInclusive<f64> = 1e-3..=1e5;

/// The complete file.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredGraph {
    joints: Vec<StoredJoint>,
    end_sites: Vec<StoredEndSite>,
    body: StoredBody,
    frame_rate: f64,
    clips: Vec<StoredClip>,
    window: u64,
    metric: StoredMetric,
    limit: f32,
    /// Clip and frame.
    nodes: Vec<[u64; 2]>,
    edges: Vec<StoredEdge>,
    /// Nodes and edges.
    pruned: [u64; 2],
    dead_clips: Vec<u64>,
}

#[derive(Serialize, Deserialize)]
struct StoredClip {
    name: String,
    n_frames: u64,
    /// Seven for each joint.
    tracks: Vec<StoredTrack>,
}

#[derive(Serialize, Deserialize)]
enum StoredMetric {
    /// Hip, knee, shoulder, elbow, velocity.
    Angles([f64; 5]),
    /// Hip, knee, ankle, ball, toe, other.
    Points([f64; 6]),
    Components(Option<u64>),
}

#[derive(Serialize, Deserialize)]
struct StoredEdge {
    from: u64,
    to: u64,
    /// `None`: the frames between its nodes.
    blend: Option<StoredBlend>,
}

/// First frames are those of the nodes.
#[derive(Serialize, Deserialize)]
struct StoredBlend {
    yaw: f64,
    translation: Three,
    distance: f32,
}

impl StoredGraph {
    pub(super) fn of(record: &GraphRecord) -> StoredGraph {
        let GraphRecord { graph, metric, limit, pruned } = record;
        let set = &graph.set;
        StoredGraph {
            joints: set.skeleton().joints().iter().map(StoredJoint::of).collect(),
            end_sites: set.skeleton().end_sites().iter().map(StoredEndSite::of).collect(),
            body: StoredBody::of(set.body()),
            frame_rate: set.frame_rate(),
            clips: set.clips().iter().map(StoredClip::of).collect(),
            window: graph.window as u64,
            metric: StoredMetric::of(metric),
            limit: *limit,
            nodes: graph.nodes().iter().map(|node| [node.clip as u64, node.frame as u64]).collect(),
            edges: graph.edges().iter().map(StoredEdge::of).collect(),
            pruned: [pruned.nodes as u64, pruned.edges as u64],
            dead_clips: pruned.dead_clips.iter().map(|clip| *clip as u64).collect(),
        }
    }

    /// The graph, or what is wrong. `n_bytes` is the length of the contents.
    pub(super) fn into_record(self, n_bytes: usize) -> Result<GraphRecord, String> {
        if !FRAME_RATES.contains(&self.frame_rate) {
            return Err(format!("a frame rate of {} is none", self.frame_rate));
        }
        let skeleton = Arc::new(read_skeleton(self.joints, self.end_sites, MAX_NUMBER)?);
        let body = self.body.into_body(&skeleton, MAX_NUMBER)?;
        let n_frames = self.clips.iter().fold(0u64, |sum, clip| sum.saturating_add(clip.n_frames));
        check_size(n_frames, skeleton.n_joints(), n_bytes)?;
        let clips = self.clips.into_iter().enumerate().map(|(index, clip)| {
            clip.into_clip(&skeleton, self.frame_rate).map_err(|what| format!("clip {index}: {what}"))
        });
        let set = MotionSet::new(clips.collect::<Result<_, _>>()?, body).map_err(|error| error.to_string())?;
        let n_clips = set.clips().len();
        let nodes = self.nodes.into_iter().map(|[clip, frame]| Ok(Node { clip: count(clip)?, frame: count(frame)? }));
        let nodes: Vec<Node> = nodes.collect::<Result<_, String>>()?;
        let window = count(self.window)?;
        let edges = self.edges.into_iter().enumerate();
        let edges = edges
            .map(|(index, edge)| edge.into_edge(&nodes, window).map_err(|what| format!("edge {index}: {what}")))
            .collect::<Result<_, _>>()?;
        let graph = MotionGraph::from_parts(set, window, nodes, edges).map_err(|error| error.to_string())?;
        if !(self.limit.is_finite() && self.limit >= 0.0) {
            return Err(format!("a threshold of {} is none", self.limit));
        }
        let dead_clips: Vec<usize> = self.dead_clips.into_iter().map(count).collect::<Result<_, _>>()?;
        if let Some(clip) = dead_clips.iter().find(|clip| **clip >= n_clips) {
            return Err(format!("there is no clip {clip}; there are {n_clips}"));
        }
        let [nodes, edges] = self.pruned;
        let pruned = Pruned { nodes: count(nodes)?, edges: count(edges)?, dead_clips };
        Ok(GraphRecord { graph, metric: self.metric.into_metric()?, limit: self.limit, pruned })
    }
}

impl StoredClip {
    fn of(clip: &Clip) -> StoredClip {
        StoredClip { name: clip.name.clone(), n_frames: clip.n_frames() as u64, tracks: store_tracks(clip) }
    }

    fn into_clip(self, skeleton: &Arc<Skeleton>, frame_rate: f64) -> Result<Clip, String> {
        let poses = read_poses(&self.tracks, count(self.n_frames)?, skeleton.n_joints(), MAX_NUMBER)?;
        Ok(Clip::new(self.name, skeleton.clone(), frame_rate, poses))
    }
}

impl StoredMetric {
    fn of(metric: &Metric) -> StoredMetric {
        match *metric {
            Metric::Angles(AngleWeights { hip, knee, shoulder, elbow, velocity }) => {
                StoredMetric::Angles([hip, knee, shoulder, elbow, velocity])
            }
            Metric::Points(PointWeights { hip, knee, ankle, ball, toe, other }) => {
                StoredMetric::Points([hip, knee, ankle, ball, toe, other])
            }
            Metric::Components(n) => StoredMetric::Components(n.map(|n| n as u64)),
        }
    }

    fn into_metric(self) -> Result<Metric, String> {
        let weights: &[f64] = match &self {
            StoredMetric::Angles(weights) => weights,
            StoredMetric::Points(weights) => weights,
            StoredMetric::Components(_) => &[],
        };
        if let Some(weight) = weights.iter().find(|weight| !(0.0..=MAX_NUMBER).contains(*weight)) {
            return Err(format!("a weight of {weight} is none"));
        }
        Ok(match self {
            StoredMetric::Angles([hip, knee, shoulder, elbow, velocity]) => {
                Metric::Angles(AngleWeights { hip, knee, shoulder, elbow, velocity })
            }
            StoredMetric::Points([hip, knee, ankle, ball, toe, other]) => {
                Metric::Points(PointWeights { hip, knee, ankle, ball, toe, other })
            }
            StoredMetric::Components(Some(0)) => return Err("0 principal components are none".to_string()),
            StoredMetric::Components(n) => Metric::Components(n.map(count).transpose()?),
        })
    }
}

impl StoredEdge {
    fn of(edge: &Edge) -> StoredEdge {
        let blend = match &edge.motion {
            EdgeMotion::Clip(_) => None,
            EdgeMotion::Blend { placement: Placement { yaw, translation }, distance, .. } => {
                Some(StoredBlend { yaw: *yaw, translation: translation.to_array(), distance: *distance })
            }
        };
        StoredEdge { from: edge.from as u64, to: edge.to as u64, blend }
    }

    fn into_edge(self, nodes: &[Node], window: usize) -> Result<Edge, String> {
        let (from, to) = (count(self.from)?, count(self.to)?);
        let node = |index: usize| nodes.get(index).ok_or_else(|| format!("there is no node {index}"));
        let (first, last) = (node(from)?.frame, node(to)?.frame);
        let motion = match self.blend {
            None => EdgeMotion::Clip(first..last),
            Some(StoredBlend { yaw, translation, distance }) => {
                let entry = last.checked_sub(window).ok_or("it enters a clip before its first frame")?;
                let [yaw, ..] = vector([yaw, 0.0, 0.0], MAX_NUMBER, "a turn")?.to_array();
                let translation = vector(translation, MAX_NUMBER, "a shift")?;
                EdgeMotion::Blend { start: first, entry, placement: Placement { yaw, translation }, distance }
            }
        };
        Ok(Edge { from, to, motion })
    }
}
