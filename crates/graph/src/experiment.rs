//! The paper's two studies, on any clips: which metric makes the best graphs, and what of a body should follow a path.
//!
//! Reference: GRAPH 5.2.2 and 5.3 ([`study_metrics`]), 6.2 and 6.3 ([`study_abstractions`]). `docs/EXPERIMENTS.md` has what came out
//! on recordings, beside the paper's own results ([`paper`]).
//!
//! Both build graphs of wanted sizes (`match_edges.rs`), follow paths from start nodes that a seed draws (`runs.rs`), and measure the
//! motions that come out, unedited. Runs are spread over threads; every result but the seconds is the same whatever their number.

mod abstractions;
mod graph_shape;
mod match_edges;
mod metrics;
pub mod paper;
mod runs;
mod zigzag;

pub use abstractions::{
    AbstractionRun, AbstractionsOptions, AbstractionsStudy, ExampleTrajectory, StudyGraph, TestPath, study_abstractions,
};
pub use graph_shape::GraphShape;
pub use match_edges::EdgeMatcher;
pub use metrics::{MetricGraph, MetricsOptions, MetricsStudy, study_metrics};
pub use runs::{RunMetrics, RunWith, Summary};
pub use zigzag::zigzag;

use crate::motion_graph::GraphError;

/// Lengths of paths that tell something, in metres: from two steps to thirty times the paper's.
const TEST_LENGTHS: std::ops::RangeInclusive<f64> = 1.5..=1000.0;

/// Graphs of these sizes can be asked for: the smallest has a path and one back.
fn check_edges(edges: &[usize]) -> Result<(), ExperimentError> {
    edges.iter().find(|edges| **edges < 2).map_or(Ok(()), |&edges| Err(ExperimentError::Edges { edges }))
}

/// Why a study cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExperimentError {
    /// A metric makes no graph of the clips.
    #[error("metric {metric}: {source}")]
    NoGraph {
        /// Its name.
        metric: &'static str,
        /// Why.
        source: GraphError,
    },
    /// Points that are no path.
    #[error("the path: {0}")]
    Path(String),
    /// A path that is no test, or would take days.
    #[error("the path is {length:.2} m long; from {} to {} m would be right", TEST_LENGTHS.start(), TEST_LENGTHS.end())]
    PathLength {
        /// In metres.
        length: f64,
    },
    /// Graphs of so few edges are none.
    #[error("a graph of {edges} edges is none; 2 or more would be right")]
    Edges {
        /// As asked for.
        edges: usize,
    },
    /// Somebody who stands still makes no path.
    #[error("`{clip}` travels {length:.2} m; a test path has {} to {} m", TEST_LENGTHS.start(), TEST_LENGTHS.end())]
    TestLength {
        /// Its name.
        clip: String,
        /// How far its pelvis goes, in metres.
        length: f64,
    },
    /// Nothing to compare the sway with.
    #[error("`{clip}` does not sway: its pelvis has no two extrema to compare with")]
    NoSway {
        /// Its name.
        clip: String,
    },
    /// The caller stopped it.
    #[error("the study was stopped")]
    Stopped,
}

#[cfg(test)]
mod tests;
