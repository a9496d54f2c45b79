//! The paper's two studies, on any clips: which metric makes the best graphs, and what of a body should follow a path.
//!
//! Reference: GRAPH 5.2.2 and 5.3 ([`study_metrics`]), 6.2 and 6.3 ([`study_abstractions`]). `docs/EXPERIMENTS.md` has what came out
//! on recordings, beside the paper's own figures ([`paper`]).
//!
//! Both build graphs of wanted sizes (`match_edges.rs`), follow paths from start nodes that a seed draws (`runs.rs`), and measure the
//! motions that come out, unedited. Runs are spread over threads; every figure but the seconds is the same whatever their number.

mod abstractions;
mod graph_shape;
mod match_edges;
mod metrics;
pub mod paper;
mod runs;
mod zigzag;

pub use abstractions::{
    AbstractionRun, AbstractionsOptions, AbstractionsStudy, ExampleWay, StudyGraph, TestWay, study_abstractions,
};
pub use graph_shape::GraphShape;
pub use match_edges::EdgeMatcher;
pub use metrics::{MetricGraph, MetricsOptions, MetricsStudy, study_metrics};
pub use runs::{RunFigures, RunWith, Summary};
pub use zigzag::zigzag;

use crate::motion_graph::GraphError;

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
    /// Somebody who stands still makes no path.
    #[error("`{clip}` travels {length:.2} m; a test path needs at least {needed} m")]
    ShortTest {
        /// Its name.
        clip: String,
        /// How far its pelvis goes, in metres.
        length: f64,
        /// How far it would have to.
        needed: f64,
    },
    /// Nothing to compare the sway with.
    #[error("`{clip}` does not sway: its pelvis has no two extrema to compare with")]
    NoSway {
        /// Its name.
        clip: String,
    },
}

#[cfg(test)]
mod tests;
