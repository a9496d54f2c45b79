//! Motion graphs as DOT, for Graphviz and everything else that reads it.

use std::fmt::Write;
use surefoot_graph::{EdgeMotion, GraphRecord};

/// A graph as DOT: a cluster for each clip, nodes named by clip and frame, edges with their frames, blends with their distance.
pub fn write_graph_dot(record: &GraphRecord) -> String {
    let graph = &record.graph;
    let mut dot = String::from("digraph motion {\n  rankdir=LR;\n  node [shape=point, width=0.08];\n");
    // Writing to a string cannot fail.
    let mut put = |line: String| {
        let _ = writeln!(dot, "{line}");
    };
    for (clip, motion) in graph.set.clips().iter().enumerate() {
        put(format!("  subgraph cluster_{clip} {{\n    label=\"{}\";", escape(&motion.name)));
        for (index, node) in graph.nodes().iter().enumerate().filter(|(_, node)| node.clip == clip) {
            put(format!("    n{index} [tooltip=\"{} {}\"];", escape(&motion.name), node.frame));
        }
        put("  }".to_string());
    }
    for (index, edge) in graph.edges().iter().enumerate() {
        let (from, to, frames) = (edge.from, edge.to, graph.edge_frames(index));
        put(match &edge.motion {
            EdgeMotion::Clip(_) => format!("  n{from} -> n{to} [frames={frames}];"),
            EdgeMotion::Blend { distance, .. } => {
                format!("  n{from} -> n{to} [frames={frames}, distance={distance}, style=dashed, constraint=false];")
            }
        });
    }
    dot.push_str("}\n");
    dot
}

/// Text within quotation marks.
fn escape(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !c.is_control()).collect();
    plain.replace('\\', "\\\\").replace('"', "\\\"")
}
