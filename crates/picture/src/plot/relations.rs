//! How the parameters of gait hang together: step length, speed, step frequency and flight (GAIT figures 4.13, 4.14, 4.27
//! and 4.28), as one page of charts. The curves are given; nothing is computed here.

use super::chart::{Chart, MarkedChart, Scales, charts_page};

/// Pixels of a chart, and charts abreast.
const SIZE: [f64; 2] = [470.0, 300.0];
const COLUMNS: usize = 2;

/// The charts as an SVG file, two abreast.
pub fn relations_plot(title: &str, charts: &[Chart]) -> String {
    let marked: Vec<MarkedChart<'_>> =
        charts.iter().map(|chart| MarkedChart { chart, marks: Vec::new(), scales: Scales::Own }).collect();
    charts_page(title, &marked, COLUMNS, SIZE)
}
