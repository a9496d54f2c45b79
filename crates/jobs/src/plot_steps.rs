//! The plot of a step database: figure 4.3 of STRIDE for both feet, and their tetrahedra.

use surefoot_geom::delaunay::Delaunay;
use surefoot_motion::PerSide;
use surefoot_picture::{SpacePlot, StepsPlot, steps_plot};
use surefoot_steps::{AnalyzeOptions, StepAnalysis, StepDatabase};

/// The plot as an SVG file. `analysis` is that of the database, made with `options`.
pub fn plot_steps(title: &str, database: &StepDatabase, analysis: &StepAnalysis, options: &AnalyzeOptions) -> String {
    let spaces = PerSide::from_fn(|side| {
        let delaunay = database.space(side).delaunay();
        let n_tetrahedra = delaunay.tetrahedra().len();
        let hull_edges = hull_edges(delaunay);
        SpacePlot { points: delaunay.points().to_vec(), edges: delaunay.edges(), hull_edges, n_tetrahedra }
    });
    steps_plot(&StepsPlot { title, spaces, foot: options.foot, longest_step: analysis.longest_step })
}

/// The edges of the hull, each once.
pub(crate) fn hull_edges(delaunay: &Delaunay) -> Vec<[u32; 2]> {
    let on_hull = delaunay.hull_facets().flat_map(|facet| {
        let [a, b, c] = delaunay.facet_vertices(facet);
        [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)])
    });
    let mut edges: Vec<[u32; 2]> = on_hull.collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}
