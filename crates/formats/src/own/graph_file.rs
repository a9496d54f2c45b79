//! Motion graphs: `*.graph`, version 1.
//!
//! A graph holds its clips, frame by frame, so it is no text: `graph_shape` in the envelope of `sealed`.

use super::graph_shape::StoredGraph;
use super::sealed::Seal;
use crate::{ErrorKind, ReadError};
use surefoot_graph::GraphRecord;

pub(super) const SEAL: Seal = Seal {
    magic: *b"\x89GRAPH\r\n",
    version: 1,
    what: "motion graph",
    made_by: "`surefoot graph build` makes one from motion files",
    remedy: "build it again",
    nonsense: ErrorKind::Graph,
};

/// Writes a motion graph with its clips.
pub fn write_graph(record: &GraphRecord) -> Vec<u8> {
    SEAL.close(&StoredGraph::of(record))
}

/// Reads a motion graph.
pub fn read_graph(bytes: &[u8]) -> Result<GraphRecord, ReadError> {
    let (stored, n_bytes) = SEAL.open::<StoredGraph>(bytes)?;
    stored.into_record(n_bytes).map_err(|what| ReadError::new(ErrorKind::Graph, what))
}
