//! Motion graphs: recorded clips cut where they resemble each other, and walked along a path.
//!
//! Reference: GRAPH (van Basten, Egges and Geraerts 2010).

mod abstraction;
pub mod align;
mod angles;
mod components;
mod distance_matrix;
pub mod experiment;
mod follow;
mod graph_record;
mod graph_stats;
mod metric;
mod motion_graph;
mod motion_set;
mod pair_kernel;
mod points;
mod transitions;
mod walk_track;

pub use abstraction::{Abstraction, GaussianOptions, abstract_tracks, abstract_trajectory, smooth_trajectory};
pub use angles::AngleWeights;
pub use components::Components;
pub use distance_matrix::{Block, DistanceMatrix, Threads};
pub use follow::{FollowOptions, Progress, Tracks, Walk, follow_path};
pub use graph_record::GraphRecord;
pub use graph_stats::GraphStats;
pub use metric::Metric;
pub use motion_graph::{Edge, EdgeMotion, GraphError, GraphPartsError, MotionGraph, Node, Pruned};
pub use motion_set::{MotionSet, MotionSetError};
pub use points::{PointWeights, WeightedPoints};
pub use transitions::{Threshold, Transition, find_transitions};
