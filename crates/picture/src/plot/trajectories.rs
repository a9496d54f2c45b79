//! Trajectories over the ground seen from above, and how far they are to the side of one of them (GRAPH figures 7 and 10).
//!
//! Sway is a few centimetres on a trajectory of metres. A panel that is true to scale shows where somebody goes; beside it, one over the
//! distance travelled, with its own scale to the side, shows the sway. Trajectories are given; nothing is computed here.

use super::chart::{Chart, MarkedChart, Scales, charts_page};

/// A panel of a page of trajectories.
#[derive(Clone, Debug, PartialEq)]
pub struct TrajectoriesPanel {
    /// What is drawn.
    pub chart: Chart,
    /// Whether a metre to the right is as long as one up: a view from above.
    pub is_from_above: bool,
}

/// Pixels of a panel, and panels abreast.
const SIZE: [f64; 2] = [560.0, 250.0];
const COLUMNS: usize = 2;

/// The panels as an SVG file, two abreast.
pub fn trajectories_plot(title: &str, panels: &[TrajectoriesPanel]) -> String {
    let mut charts: Vec<MarkedChart<'_>> = Vec::with_capacity(panels.len());
    for TrajectoriesPanel { chart, is_from_above } in panels {
        let scales = if *is_from_above { Scales::Same } else { Scales::Own };
        charts.push(MarkedChart { chart, marks: Vec::new(), scales });
    }
    charts_page(title, &charts, COLUMNS, SIZE)
}
