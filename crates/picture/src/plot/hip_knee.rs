//! Hip-knee diagrams: the sagittal hip angle over the knee angle of one stride (GAIT figures 4.11, 4.12 and 4.24 to 4.26).
//!
//! Knee flexion is to the right and hip flexion up, in degrees, both at the same scale, so that a stride goes
//! counterclockwise around its loop as it does in the paper, and a distance in the diagram is what
//! [`surefoot_gait::compare_cycles`] gives. Heel strikes and toe offs are marked by the paper's names.

use super::chart::{Chart, Curve, Dash, Mark, MarkedChart, Scales, charts_page};
use surefoot_gait::StrideCycle;

/// A cycle with its name and look.
#[derive(Clone, Debug)]
pub struct NamedCycle<'a> {
    /// In the legend.
    pub name: String,
    /// What is drawn.
    pub cycle: &'a StrideCycle,
    /// How.
    pub dash: Dash,
}

/// A diagram of a page.
#[derive(Clone, Debug)]
pub struct HipKneePanel<'a> {
    /// Above it.
    pub title: String,
    /// Loops laid over each other, the first at the back.
    pub cycles: Vec<NamedCycle<'a>>,
}

/// Pixels of a diagram that has a page for itself, and of one among others.
const ALONE: [f64; 2] = [640.0, 520.0];
const AMONG: [f64; 2] = [380.0, 330.0];
/// Diagrams abreast.
const COLUMNS: usize = 3;

/// One diagram of cycles laid over each other, as an SVG file.
pub fn hip_knee_plot(title: &str, cycles: &[NamedCycle<'_>]) -> String {
    page(title, &[HipKneePanel { title: String::new(), cycles: cycles.to_vec() }], ALONE)
}

/// A page of diagrams, as an SVG file.
pub fn hip_knee_page(title: &str, panels: &[HipKneePanel<'_>]) -> String {
    page(title, panels, AMONG)
}

fn page(title: &str, panels: &[HipKneePanel<'_>], size: [f64; 2]) -> String {
    let charts: Vec<Chart> = panels.iter().map(chart_of).collect();
    let marked = charts.iter().zip(panels).map(|(chart, panel)| MarkedChart {
        chart,
        marks: panel.cycles.iter().enumerate().flat_map(|(index, named)| marks_of(index, named.cycle)).collect(),
        scales: Scales::Same,
    });
    charts_page(title, &marked.collect::<Vec<_>>(), COLUMNS, size)
}

fn chart_of(panel: &HipKneePanel<'_>) -> Chart {
    let curve = |(colour, named): (usize, &NamedCycle<'_>)| {
        let angles = &named.cycle.angles;
        // The first once more closes the loop.
        let points = angles.iter().chain(angles.first()).map(|at| [at.knee.to_degrees(), at.hip.to_degrees()]);
        Curve { name: named.name.clone(), points: points.collect(), colour, dash: named.dash }
    };
    Chart {
        title: panel.title.clone(),
        x: "knee flexion, degrees".to_string(),
        y: "hip flexion, degrees".to_string(),
        curves: panel.cycles.iter().enumerate().map(curve).collect(),
    }
}

/// The events of a cycle, with labels that stand outside of its loop.
fn marks_of(colour: usize, cycle: &StrideCycle) -> Vec<Mark> {
    let n = cycle.angles.len().max(1) as f64;
    let middle = [
        cycle.angles.iter().map(|at| at.knee.to_degrees()).sum::<f64>() / n,
        cycle.angles.iter().map(|at| at.hip.to_degrees()).sum::<f64>() / n,
    ];
    let mark = |(name, phase): (&str, f64)| {
        let angles = cycle.at(phase);
        let at = [angles.knee.to_degrees(), angles.hip.to_degrees()];
        Mark { at, label: name.to_string(), colour, away: [at[0] - middle[0], at[1] - middle[1]] }
    };
    cycle.events.named().into_iter().map(mark).collect()
}
