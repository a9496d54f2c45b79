//! A followed path from above: the path, what followed it, and the pelvis (GRAPH figures 1 and 10).

use super::chart::{Chart, Curve, Dash, MarkedChart, Scales, charts_page};
use surefoot_geom::Vec2;

/// Trajectories over the ground, in metres.
#[derive(Clone, Copy, Debug)]
pub struct FollowedPathPlot<'a> {
    /// Above everything.
    pub title: &'a str,
    /// What should be followed.
    pub path: &'a [Vec2],
    /// The abstraction that the search kept on the path, with its name.
    pub track: (&'a str, &'a [Vec2]),
    /// Where the pelvis went.
    pub pelvis: &'a [Vec2],
}

/// The plot as an SVG file.
pub fn followed_path_plot(plot: &FollowedPathPlot<'_>) -> String {
    // Seen from above with the first heading, +Z, up: +X is to the left.
    let points = |trajectory: &[Vec2]| trajectory.iter().map(|point| [-point.x, point.y]).collect();
    let curve = |name: &str, trajectory: &[Vec2], colour, dash| Curve {
        name: name.to_string(),
        points: points(trajectory),
        colour,
        dash,
    };
    let chart = Chart {
        title: String::new(),
        x: "to the right, -X (m)".to_string(),
        y: "ahead, Z (m)".to_string(),
        curves: vec![
            curve("path", plot.path, 5, Dash::Dashed),
            curve("pelvis", plot.pelvis, 1, Dash::Solid),
            curve(plot.track.0, plot.track.1, 0, Dash::Solid),
        ],
    };
    charts_page(
        plot.title,
        &[MarkedChart { chart: &chart, marks: Vec::new(), scales: Scales::Same }],
        1,
        [620.0, 620.0],
    )
}
