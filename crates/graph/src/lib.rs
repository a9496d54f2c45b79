//! Motion graphs: recorded clips cut where they resemble each other, and walked along a path.
//!
//! Reference: GRAPH (van Basten, Egges and Geraerts 2010).

pub mod align;
mod angles;
mod components;
mod distance_matrix;
mod metric;
mod motion_graph;
mod motion_set;
mod pair_kernel;
mod points;
mod transitions;

pub use angles::AngleWeights;
pub use components::Components;
pub use distance_matrix::{Block, DistanceMatrix, Threads};
pub use metric::Metric;
pub use motion_graph::{Edge, EdgeMotion, GraphError, MotionGraph, Node, Pruned};
pub use motion_set::{MotionSet, MotionSetError};
pub use points::{PointWeights, WeightedPoints};
pub use transitions::{Threshold, Transition, find_transitions};
