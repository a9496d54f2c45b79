//! Means with their standard errors: as curves over another number, and as bars (GRAPH figures 8, 9, 11 and 12).
//!
//! ```text
//!   y |      T                 pelvis   ======|=|   3.1
//!     |  T   o   T             joints   ===|=|      1.4
//!     |  o---|---o             gaussian ==|=|       1.1
//!     +------------ x                   +-----------
//! ```
//!
//! Whiskers reach one standard error to each side, as in the paper's captions.

use super::axes::{decimals_of, multiples, round_step};
use super::chart::{Chart, Curve, Dash, MarkedChart, Scales, charts_page, colour_of};
use crate::colour;
use crate::lettering::text_width;
use crate::svg::{Anchor, Svg, escape, number, put};
use std::fmt::Write;
use surefoot_geom::Vec2;

/// A mean at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanPoint {
    /// To the right.
    pub x: f64,
    /// Up; what is not finite leaves a gap.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

/// Means of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanSeries {
    /// In the legend.
    pub name: String,
    /// In order.
    pub points: Vec<MeanPoint>,
    /// Which of the page's colours it has; counted around.
    pub colour: usize,
}

/// A value that all are compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanLevel {
    /// In the legend.
    pub name: String,
    /// Drawn as a dashed line.
    pub value: f64,
}

/// What is drawn of means.
#[derive(Clone, Debug, PartialEq)]
pub struct MeansPlot {
    /// Above everything.
    pub title: String,
    /// What is to the right, with its unit.
    pub x: String,
    /// What is up, with its unit.
    pub y: String,
    /// Curves.
    pub series: Vec<MeanSeries>,
    /// Drawn across, if there is one.
    pub level: Option<MeanLevel>,
}

/// Pixels of a chart of curves.
const CURVES: [f64; 2] = [640.0, 360.0];
/// Curves are shifted beside each other by this share of the range, so that their whiskers can be told apart.
const ASIDE: f64 = 0.006;
/// Half of the cross line of a whisker, as a share of the range.
const CAP: f64 = 0.004;

/// Means as curves with whiskers, as an SVG file.
pub fn means_plot(plot: &MeansPlot) -> String {
    let places = || plot.series.iter().flat_map(|series| &series.points).map(|point| point.x);
    let [low, high] = places().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
    let range = if high > low { high - low } else { 1.0 };
    let mut curves = Vec::new();
    if let Some(MeanLevel { name, value }) = &plot.level {
        let points = if high >= low { vec![[low, *value], [high, *value]] } else { Vec::new() };
        curves.push(Curve { name: name.clone(), points, colour: 5, dash: Dash::Dashed });
    }
    let n = plot.series.len() as f64;
    for (index, series) in plot.series.iter().enumerate() {
        let shift = (index as f64 - (n - 1.0) / 2.0) * ASIDE * range;
        let line: Vec<[f64; 2]> = series.points.iter().map(|point| [point.x + shift, point.mean]).collect();
        let whiskers = series.points.iter().flat_map(|point| whisker(point, shift, CAP * range)).collect();
        let curve = |name: &str, points, dash| Curve { name: name.to_string(), points, colour: series.colour, dash };
        curves.push(curve("", line.clone(), Dash::Dots));
        curves.push(curve("", whiskers, Dash::Solid));
        curves.push(curve(&series.name, line, Dash::Solid));
    }
    let chart = Chart { title: String::new(), x: plot.x.clone(), y: plot.y.clone(), curves };
    charts_page(&plot.title, &[MarkedChart { chart: &chart, marks: Vec::new(), scales: Scales::Own }], 1, CURVES)
}

/// A line from one error below to one above, with cross lines; gaps between them.
fn whisker(point: &MeanPoint, shift: f64, cap: f64) -> [[f64; 2]; 9] {
    let (x, gap) = (point.x + shift, [f64::NAN; 2]);
    let [low, high] = [point.mean - point.error, point.mean + point.error];
    [[x, low], [x, high], gap, [x - cap, low], [x + cap, low], gap, [x - cap, high], [x + cap, high], gap]
}

/// A bar.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanBar {
    /// To its left.
    pub name: String,
    /// Its length, at least 0; what is not finite has no bar.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
    /// Which of the page's colours it has; counted around.
    pub colour: usize,
}

/// Bars below each other.
#[derive(Clone, Debug, PartialEq)]
pub struct BarsPlot {
    /// Above everything.
    pub title: String,
    /// What the bars are, with its unit.
    pub x: String,
    /// From above.
    pub bars: Vec<MeanBar>,
}

/// Pixels of the longest bar, of a row, of a bar's thickness, and around.
const LONGEST: f64 = 560.0;
const ROW: f64 = 34.0;
const THICK: f64 = 20.0;
const MARGIN: f64 = 18.0;
const HEAD: f64 = 46.0;
const BELOW: f64 = 46.0;
/// Right of the longest bar, for its number.
const NUMBER: f64 = 84.0;
/// Ticks are no nearer to each other than this.
const CLOSEST_TICKS: f64 = 60.0;

/// Means as bars with whiskers, as an SVG file.
pub fn bars_plot(plot: &BarsPlot) -> String {
    let widest = plot.bars.iter().map(|bar| text_width(&bar.name, 8.6)).fold(40.0, f64::max);
    let left = MARGIN + widest + 10.0;
    let bottom = HEAD + ROW * plot.bars.len() as f64;
    let mut svg =
        Svg::new((left + LONGEST + NUMBER + MARGIN).ceil() as u32, (bottom + BELOW).ceil() as u32, colour::CARD);
    put!(
        svg,
        "<text x=\"{MARGIN}\" y=\"27\" font-size=\"15\" font-weight=\"600\" fill=\"{}\">{}</text>",
        colour::INK.css(),
        escape(&plot.title)
    );
    let reach = |bar: &MeanBar| if bar.mean.is_finite() { bar.mean + bar.error.max(0.0) } else { 0.0 };
    let most = plot.bars.iter().map(reach).fold(0.0, f64::max).max(1e-9);
    let x = |value: f64| left + value.max(0.0) / most * LONGEST;
    draw_scale(&mut svg, most, [HEAD - 4.0, bottom], &x);
    svg.text(Vec2::new(left + LONGEST / 2.0, bottom + 34.0), 11.0, Anchor::Middle, colour::INK, &plot.x);
    for (row, bar) in plot.bars.iter().enumerate() {
        draw_bar(&mut svg, bar, HEAD + ROW * (row as f64 + 0.5), left, &x);
    }
    svg.finish()
}

fn draw_scale(svg: &mut Svg, most: f64, [top, bottom]: [f64; 2], x: &dyn Fn(f64) -> f64) {
    let step = round_step(CLOSEST_TICKS * most / LONGEST);
    let mut lines = String::new();
    for value in multiples(step, 0.0, most) {
        // Writing to a string cannot fail.
        let _ = write!(lines, "M{} {}V{}", number(x(value)), number(top), number(bottom));
        let label = format!("{value:.*}", decimals_of(step));
        svg.text(Vec2::new(x(value), bottom + 14.0), 10.0, Anchor::Middle, colour::INK_SOFT, &label);
    }
    put!(svg, "<path d=\"{lines}\" stroke=\"{}\" stroke-width=\"0.6\"/>", colour::GRID_FINE.css());
}

fn draw_bar(svg: &mut Svg, bar: &MeanBar, y: f64, left: f64, x: &dyn Fn(f64) -> f64) {
    svg.text(Vec2::new(left - 8.0, y + 4.0), 11.0, Anchor::End, colour::INK, &bar.name);
    if !bar.mean.is_finite() {
        svg.text(Vec2::new(left + 6.0, y + 4.0), 10.0, Anchor::Start, colour::INK_SOFT, "no runs");
        return;
    }
    put!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{THICK}\" fill=\"{}\"/>",
        number(left),
        number(y - THICK / 2.0),
        number(x(bar.mean) - left),
        colour_of(bar.colour).css()
    );
    let [low, high] = [x(bar.mean - bar.error), x(bar.mean + bar.error)];
    let cap = |at: f64| format!("M{} {}v8", number(at), number(y - 4.0));
    put!(
        svg,
        "<path d=\"M{} {}H{}{}{}\" stroke=\"{}\" stroke-width=\"1.3\"/>",
        number(low),
        number(y),
        number(high),
        cap(low),
        cap(high),
        colour::INK.css()
    );
    let label = format!("{:.2} ± {:.2}", bar.mean, bar.error);
    svg.text(Vec2::new(high + 8.0, y + 4.0), 10.0, Anchor::Start, colour::INK_SOFT, &label);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: f64, mean: f64) -> MeanPoint {
        MeanPoint { x, mean, error: 0.5 }
    }

    #[test]
    fn every_series_has_a_line_dots_whiskers_and_a_place_in_the_legend() {
        let series = |name: &str, colour| MeanSeries {
            name: name.to_string(),
            points: vec![point(1.0, 2.0), point(2.0, f64::NAN), point(3.0, 4.0)],
            colour,
        };
        let plot = MeansPlot {
            title: "t < 1".to_string(),
            x: "x".to_string(),
            y: "y".to_string(),
            series: vec![series("first", 0), series("second", 1)],
            level: Some(MeanLevel { name: "recorded".to_string(), value: 3.0 }),
        };
        let svg = means_plot(&plot);
        for word in ["first", "second", "recorded", "t &lt; 1"] {
            assert_eq!(svg.matches(word).count(), 1, "{word}");
        }
        assert!(!svg.contains("NaN"));
        let empty = MeansPlot { series: vec![], level: None, ..plot };
        assert!(means_plot(&empty).ends_with("</svg>\n"));
    }

    #[test]
    fn bars_are_as_long_as_their_means() {
        let bar = |name: &str, mean| MeanBar { name: name.to_string(), mean, error: 0.0, colour: 0 };
        let bars = vec![bar("half", 1.0), bar("whole", 2.0), bar("none", f64::NAN)];
        let svg = bars_plot(&BarsPlot { title: String::new(), x: String::new(), bars });
        assert!(svg.contains("width=\"280\"") && svg.contains("width=\"560\"") && svg.contains("no runs"), "{svg}");
        assert!(bars_plot(&BarsPlot { title: String::new(), x: String::new(), bars: vec![] }).ends_with("</svg>\n"));
    }
}
