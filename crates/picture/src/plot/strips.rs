//! Many values of each of several metrics, each value a dot, beside what they should reach.
//!
//! ```text
//!   joint error, cm        .  : :.: .|   .     .   >     5.55  8.29  28.4    38 %
//!                          0         5                   median p90 worst     met
//! ```
//!
//! Every row has a scale of its own, unless a panel shares one. A scale ends where nearly all values do; the few beyond it are rings
//! at its end. Dots are shifted up and down by their number, so that equal values can be counted.
//!
//! What to draw is a list of shapes, which is painted or written as SVG: both show the same.

use super::axes::{decimals_of, round_step};
use crate::colour::{self, Colour};
use crate::image::Image;
use crate::lettering::{shorten, text_width};
use crate::shapes::{Anchor, Shape};
use crate::{PictureError, paint_shapes, shapes};
use surefoot_geom::Vec2;

/// Values of one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// To the left, with its unit.
    pub name: String,
    /// What is not finite is left out.
    pub values: Vec<f64>,
    /// What values should reach, if anything.
    pub target: Option<f64>,
    /// Whether values above the target are the good ones.
    pub large_is_good: bool,
    /// A value to compare with, such as that of recordings.
    pub reference: Option<f64>,
    /// Marked by tall lines: median and p90.
    pub marks: [f64; 2],
    /// To the right, one for each column.
    pub cells: Vec<String>,
}

/// Strips below each other.
#[derive(Clone, Debug, PartialEq)]
pub struct StripsPanel {
    /// Above them.
    pub title: String,
    /// What is in the cells.
    pub columns: Vec<String>,
    /// From above.
    pub strips: Vec<Strip>,
    /// Whether all strips have the same scale.
    pub is_shared: bool,
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct StripsPlot {
    /// Above everything.
    pub title: String,
    /// Below the title.
    pub note: String,
    /// From above.
    pub panels: Vec<StripsPanel>,
}

/// Pixels: of names, scales, cells and what is around.
const MARGIN: f64 = 26.0;
const NAMES: f64 = 300.0;
const SCALE: f64 = 470.0;
const CELL: f64 = 62.0;
const ROW: f64 = 34.0;
const HEAD: f64 = 62.0;
const PANEL_HEAD: f64 = 34.0;
const FOOT: f64 = 40.0;
/// Heights of capitals.
const TITLE: f64 = 10.5;
const SMALL: f64 = 7.4;
const TINY: f64 = 5.6;
/// A scale ends a little after this share of the values.
const SHOWN: f64 = 0.95;
/// Rows of dots beside each other, and pixels between them.
const LANES: usize = 7;
const LANE: f64 = 1.7;

const GOOD: Colour = colour::LEFT;
const BAD: Colour = colour::RIGHT;
const PLAIN: Colour = colour::OTHER;
const TARGET: Colour = Colour::hex(0x1B_8A_6B);
const REFERENCE: Colour = Colour::hex(0x7A_3F_A6);

/// The plot as pixels.
pub fn strips_plot(plot: &StripsPlot) -> Result<Image, PictureError> {
    let (size, drawn) = compose(plot);
    let mut image = Image::new(size.x as u64, size.y as u64, colour::CARD)?;
    drawn.iter().for_each(|shape| paint_shapes::paint(&mut image, shape));
    Ok(image)
}

/// The plot as an SVG file.
pub fn strips_plot_svg(plot: &StripsPlot) -> String {
    let (size, drawn) = compose(plot);
    let mut svg = crate::svg::Svg::new(size.x as u32, size.y as u32, colour::CARD);
    drawn.iter().for_each(|shape| shapes::write(&mut svg, shape));
    svg.finish()
}

fn compose(plot: &StripsPlot) -> (Vec2, Vec<Shape>) {
    let n_columns = plot.panels.iter().map(|panel| panel.columns.len()).max().unwrap_or(0);
    let width = 2.0 * MARGIN + NAMES + SCALE + CELL * n_columns as f64 + 12.0;
    let mut drawn = vec![
        words(Vec2::new(MARGIN, 32.0), &plot.title, TITLE, colour::INK, Anchor::Start),
        words(Vec2::new(MARGIN, 50.0), &plot.note, SMALL, colour::INK_SOFT, Anchor::Start),
    ];
    let mut top = HEAD;
    for panel in &plot.panels {
        draw_panel(&mut drawn, panel, top);
        top += PANEL_HEAD + ROW * panel.strips.len() as f64;
    }
    draw_legend(&mut drawn, top + 24.0);
    (Vec2::new(width, top + FOOT).ceil(), drawn)
}

fn draw_panel(drawn: &mut Vec<Shape>, panel: &StripsPanel, top: f64) {
    let base = top + PANEL_HEAD - 8.0;
    drawn.push(words(Vec2::new(MARGIN, base), &panel.title, SMALL, colour::INK, Anchor::Start));
    for (column, name) in panel.columns.iter().enumerate() {
        drawn.push(words(Vec2::new(cell_right(column), base), name, SMALL, colour::INK_SOFT, Anchor::End));
    }
    let shared = panel.is_shared.then(|| panel.strips.iter().map(scale_end).fold(0.0, f64::max));
    for (row, strip) in panel.strips.iter().enumerate() {
        let y = top + PANEL_HEAD + ROW * (row as f64 + 0.5);
        draw_strip(drawn, strip, y, shared.unwrap_or_else(|| scale_end(strip)));
    }
}

fn cell_right(column: usize) -> f64 {
    MARGIN + NAMES + SCALE + 12.0 + CELL * (column as f64 + 1.0)
}

/// Where the scale of a strip ends: what nearly all values, the target and the marks need, or 1.
fn scale_end(strip: &Strip) -> f64 {
    let mut sorted: Vec<f64> = strip.values.iter().copied().filter(|value| value.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let shown = sorted.get((SHOWN * sorted.len() as f64) as usize).or(sorted.last()).copied().unwrap_or(0.0);
    let marks = strip.marks.into_iter().chain(strip.target).chain(strip.reference).filter(|mark| mark.is_finite());
    let end = marks.fold(shown, f64::max) * 1.1;
    if end > 0.0 { end } else { 1.0 }
}

fn draw_strip(drawn: &mut Vec<Shape>, strip: &Strip, y: f64, end: f64) {
    let left = MARGIN + NAMES;
    let x = |value: f64| left + (value / end).clamp(0.0, 1.0) * SCALE;
    let name = shorten(&strip.name, SMALL, NAMES - 14.0);
    drawn.push(words(Vec2::new(left - 14.0, y + 3.5), &name, SMALL, colour::INK, Anchor::End));
    line(drawn, Vec2::new(left, y + 10.0), Vec2::new(left + SCALE, y + 10.0), colour::GRID_FINE, 1.0);
    let step = round_step(end / 5.0);
    for k in 0..=5 {
        let value = step * f64::from(k);
        if value <= end {
            line(drawn, Vec2::new(x(value), y - 9.0), Vec2::new(x(value), y + 10.0), colour::GRID_FINE, 0.8);
            let label = format!("{value:.*}", decimals_of(step));
            let half = text_width(&label, TINY) / 2.0;
            drawn.push(words(Vec2::new(x(value) - half, y + 19.0), &label, TINY, colour::INK_SOFT, Anchor::Start));
        }
    }
    let colour_of = |value: f64| match strip.target {
        None => PLAIN,
        Some(target) if value == target || (value > target) == strip.large_is_good => GOOD,
        Some(_) => BAD,
    };
    for (number, &value) in strip.values.iter().enumerate().filter(|(_, value)| value.is_finite()) {
        let colour = colour_of(value);
        let lane = (number * 3 % LANES) as f64 - (LANES - 1) as f64 / 2.0;
        let centre = Vec2::new(x(value), y - 2.5 + LANE * lane);
        drawn.push(if value > end {
            Shape::Ring { centre, radius: 2.6, colour, width: 1.2 }
        } else {
            Shape::Disc { centre, radius: 2.0, colour }
        });
    }
    if let Some(reference) = strip.reference.filter(|reference| reference.is_finite()) {
        line(drawn, Vec2::new(x(reference), y - 10.0), Vec2::new(x(reference), y + 5.0), REFERENCE, 2.0);
    }
    for mark in strip.marks.into_iter().filter(|mark| mark.is_finite()) {
        line(drawn, Vec2::new(x(mark), y - 10.0), Vec2::new(x(mark), y + 5.0), colour::INK, 1.6);
    }
    if let Some(target) = strip.target {
        line(drawn, Vec2::new(x(target), y - 12.0), Vec2::new(x(target), y + 11.0), TARGET, 2.0);
    }
    for (column, cell) in strip.cells.iter().enumerate() {
        drawn.push(words(Vec2::new(cell_right(column), y + 3.5), cell, SMALL, colour::INK, Anchor::End));
    }
}

fn draw_legend(drawn: &mut Vec<Shape>, y: f64) {
    let mut x = MARGIN;
    let disc = |colour| move |at: Vec2| Shape::Disc { centre: at, radius: 2.6, colour };
    let bar = |colour| {
        move |at: Vec2| Shape::Line { points: vec![at - Vec2::Y * 6.0, at + Vec2::Y * 6.0], colour, width: 2.0 }
    };
    let ring = |at: Vec2| Shape::Ring { centre: at, radius: 2.6, colour: PLAIN, width: 1.2 };
    let entries: [(&dyn Fn(Vec2) -> Shape, &str); 7] = [
        (&disc(GOOD), "meets the target"),
        (&disc(BAD), "does not"),
        (&disc(PLAIN), "has none"),
        (&ring, "beyond the scale"),
        (&bar(colour::INK), "median, p90"),
        (&bar(TARGET), "target"),
        (&bar(REFERENCE), "median of the recordings"),
    ];
    for (symbol, name) in entries {
        drawn.push(symbol(Vec2::new(x + 4.0, y - 3.5)));
        drawn.push(words(Vec2::new(x + 14.0, y), name, SMALL, colour::INK_SOFT, Anchor::Start));
        x += 14.0 + text_width(name, SMALL) + 24.0;
    }
}

fn line(drawn: &mut Vec<Shape>, from: Vec2, to: Vec2, colour: Colour, width: f64) {
    drawn.push(Shape::Line { points: vec![from, to], colour, width });
}

fn words(at: Vec2, words: &str, size: f64, colour: Colour, anchor: Anchor) -> Shape {
    Shape::Text { at, words: words.to_string(), size, colour, anchor, halo: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(values: Vec<f64>) -> StripsPlot {
        let strip = Strip {
            name: "joint error, cm".to_string(),
            marks: [2.0, 4.0],
            target: Some(3.0),
            large_is_good: false,
            reference: None,
            cells: vec!["2.00".to_string()],
            values,
        };
        let panel = StripsPanel {
            title: "metrics".to_string(),
            columns: vec!["median".to_string()],
            strips: vec![strip],
            is_shared: false,
        };
        StripsPlot { title: "A plot".to_string(), note: "of values".to_string(), panels: vec![panel] }
    }

    #[test]
    fn every_value_is_a_dot_by_whether_it_meets_its_target_and_few_are_beyond_the_scale() {
        let many: Vec<f64> = (0..100).map(|k| 0.05 * f64::from(k)).chain([f64::NAN, 90.0]).collect();
        let (_, drawn) = compose(&plot(many));
        let count = |wanted: Colour| {
            let is_it = |shape: &&Shape| matches!(shape, Shape::Disc { colour, .. } if *colour == wanted);
            drawn.iter().filter(is_it).count()
        };
        assert_eq!(
            (count(GOOD), count(BAD)),
            (61 + 1, 39 + 1),
            "61 of 101 values are at most 3, and two are the legend's"
        );
        let rings = drawn.iter().filter(|shape| matches!(shape, Shape::Ring { .. })).count();
        assert_eq!(rings, 1 + 1, "90 is beyond the scale, and one is the legend's");
    }

    #[test]
    fn both_forms_are_the_same_bytes_every_time_and_nothing_at_all_can_be_drawn() {
        let some = plot(vec![1.0, 2.0, 5.0]);
        assert_eq!(strips_plot_svg(&some), strips_plot_svg(&some));
        assert_eq!(strips_plot(&some).expect("small"), strips_plot(&some).expect("small"));
        let none = plot(vec![]);
        assert!(strips_plot(&none).is_ok() && strips_plot_svg(&none).contains("joint error"));
        let bare = StripsPlot { title: String::new(), note: String::new(), panels: vec![] };
        assert!(strips_plot(&bare).is_ok());
    }
}
