//! A page of charts of one number over another, each with axes, curves, marks and a legend of its own.
//!
//! ```text
//!  title
//!  chart title           chart title
//!   y |  ---.             y |     /
//!     | (    )  HSR         |   /
//!     |  `--'               | /
//!     +---------- x         +---------- x
//!   -- a   - - b           -- c
//! ```

use super::axes::{decimals_of, multiples, round_step, unsigned_zero};
use crate::colour::{self, Colour};
use crate::lettering::text_width;
use crate::svg::{Anchor, Svg, escape, number, put};
use std::fmt::Write;
use surefoot_geom::Vec2;

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dash {
    /// One line.
    #[default]
    Solid,
    /// Dashes: what is only compared with.
    Dashed,
    /// Points alone, each a dot.
    Dots,
}

/// A curve of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// In the legend; curves without a name are not in it.
    pub name: String,
    /// Points in order; one that is not finite leaves a gap.
    pub points: Vec<[f64; 2]>,
    /// Which of the page's colours it has; counted around.
    pub colour: usize,
    /// How it is drawn.
    pub dash: Dash,
}

/// A chart: curves over two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Above it.
    pub title: String,
    /// What is to the right, with its unit.
    pub x: String,
    /// What is up, with its unit.
    pub y: String,
    /// Curves, the first at the back.
    pub curves: Vec<Curve>,
}

/// A labelled point of a chart.
pub(super) struct Mark {
    pub(super) at: [f64; 2],
    pub(super) label: String,
    pub(super) colour: usize,
    /// The direction in which the label stands off, in the chart's own numbers.
    pub(super) away: [f64; 2],
}

/// Whether the numbers of both axes are as long as each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scales {
    /// Each axis fills its side.
    Own,
    /// A unit to the right is as long as one up.
    Same,
}

/// A chart with its marks.
pub(super) struct MarkedChart<'a> {
    pub(super) chart: &'a Chart,
    pub(super) marks: Vec<Mark>,
    pub(super) scales: Scales,
}

/// Colours of curves: apart from each other for every common kind of colour blindness, also in print.
const COLOURS: [Colour; 6] = [
    colour::LEFT,
    Colour::hex(0xE0_7A_10),
    Colour::hex(0x1F_8A_5F),
    Colour::hex(0x8A_4F_BF),
    Colour::hex(0xC2_2F_55),
    Colour::hex(0x5B_66_75),
];

/// Around the charts and between them, in pixels.
const MARGIN: f64 = 18.0;
/// Left of a chart, for the numbers and the name of its axis.
const LEFT: f64 = 58.0;
/// Below a chart, for the same.
const BELOW: f64 = 40.0;
/// Above a chart, for its title.
const ABOVE: f64 = 26.0;
/// The page's own title.
const HEAD: f64 = 42.0;
/// A line of a legend.
const LEGEND_ROW: f64 = 16.0;
/// A key of a legend.
const KEY: f64 = 26.0;

const TITLE: f64 = 15.0;
const BLOCK: f64 = 12.5;
const SMALL: f64 = 11.0;
const TICK: f64 = 10.0;

/// Ticks are no nearer to each other than this, in pixels.
const CLOSEST_TICKS: f64 = 44.0;
/// Share of the range that stays free around the curves.
const FREE: f64 = 0.06;
/// Numbers beyond this are drawn at it; sums of such numbers stay finite.
const LARGEST: f64 = 1e12;

/// The page as an SVG file: charts of `size` pixels inside their axes, `columns` abreast.
pub(super) fn charts_page(title: &str, charts: &[MarkedChart<'_>], columns: usize, size: [f64; 2]) -> String {
    let columns = columns.clamp(1, charts.len().max(1));
    let rows = charts.len().div_ceil(columns);
    let legend_rows = charts.iter().map(|chart| legend_rows(chart.chart, size[0])).max().unwrap_or(0);
    let cell = [LEFT + size[0] + MARGIN, ABOVE + size[1] + BELOW + LEGEND_ROW * legend_rows as f64 + MARGIN];
    let width = MARGIN + cell[0] * columns as f64;
    let height = HEAD + cell[1] * rows as f64;
    let mut svg = Svg::new(width.ceil() as u32, height.ceil() as u32, colour::CARD);
    put!(
        svg,
        "<text x=\"{MARGIN}\" y=\"27\" font-size=\"{TITLE}\" font-weight=\"600\" fill=\"{}\">{}</text>",
        colour::INK.css(),
        escape(title)
    );
    for (index, chart) in charts.iter().enumerate() {
        let corner = Vec2::new(
            MARGIN + LEFT + cell[0] * (index % columns) as f64,
            HEAD + ABOVE + cell[1] * (index / columns) as f64,
        );
        draw_chart(&mut svg, chart, Frame::new(chart, corner, size));
    }
    svg.finish()
}

/// Where numbers are drawn on the page.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// Pixels of the upper left corner and of width and height.
    pub(super) corner: Vec2,
    pub(super) size: [f64; 2],
    /// Numbers at the left and bottom, and at the right and top.
    pub(super) low: [f64; 2],
    pub(super) high: [f64; 2],
}

impl Frame {
    fn new(chart: &MarkedChart<'_>, corner: Vec2, size: [f64; 2]) -> Frame {
        let points = chart.chart.curves.iter().flat_map(|curve| &curve.points);
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in points.filter(|point| is_finite(point)) {
            for axis in 0..2 {
                let value = point[axis].clamp(-LARGEST, LARGEST);
                low[axis] = low[axis].min(value);
                high[axis] = high[axis].max(value);
            }
        }
        for axis in 0..2 {
            if low[axis] > high[axis] {
                (low[axis], high[axis]) = (0.0, 1.0);
            }
            let spread = (high[axis] - low[axis]).max(1e-9 * high[axis].abs()).max(1e-6);
            low[axis] -= FREE * spread;
            high[axis] += FREE * spread;
        }
        if chart.scales == Scales::Same {
            let scale = (0..2).map(|axis| (high[axis] - low[axis]) / size[axis]).fold(0.0, f64::max);
            for axis in 0..2 {
                let (middle, half) = ((low[axis] + high[axis]) / 2.0, scale * size[axis] / 2.0);
                (low[axis], high[axis]) = (middle - half, middle + half);
            }
        }
        Frame { corner, size, low, high }
    }

    pub(super) fn place(&self, point: [f64; 2]) -> Vec2 {
        let share =
            |axis: usize| (point[axis].clamp(-LARGEST, LARGEST) - self.low[axis]) / (self.high[axis] - self.low[axis]);
        Vec2::new(self.corner.x + share(0) * self.size[0], self.corner.y + (1.0 - share(1)) * self.size[1])
    }

    /// Round numbers of an axis, with their texts.
    fn ticks(&self, axis: usize) -> Vec<(f64, String)> {
        let step = round_step(CLOSEST_TICKS * (self.high[axis] - self.low[axis]) / self.size[axis]);
        let decimals = decimals_of(step);
        let values = multiples(step, self.low[axis], self.high[axis]);
        values.map(|value| (value, unsigned_zero(format!("{value:.decimals$}")))).collect()
    }
}

fn is_finite(point: &[f64; 2]) -> bool {
    point.iter().all(|value| value.is_finite())
}

pub(super) fn colour_of(index: usize) -> Colour {
    COLOURS[index % COLOURS.len()]
}

fn draw_chart(svg: &mut Svg, chart: &MarkedChart<'_>, frame: Frame) {
    draw_axes(svg, chart.chart, &frame);
    for curve in &chart.chart.curves {
        draw_curve(svg, curve, &frame);
    }
    draw_marks(svg, chart, &frame);
    draw_legend(svg, chart.chart, &frame);
}

pub(super) fn draw_axes(svg: &mut Svg, chart: &Chart, frame: &Frame) {
    let Vec2 { x: left, y: top } = frame.corner;
    let (right, bottom) = (left + frame.size[0], top + frame.size[1]);
    put!(
        svg,
        "<text x=\"{}\" y=\"{}\" font-size=\"{BLOCK}\" font-weight=\"600\" fill=\"{}\">{}</text>",
        number(left),
        number(top - 9.0),
        colour::INK.css(),
        escape(&chart.title)
    );
    put!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"0.6\"/>",
        number(left),
        number(top),
        number(frame.size[0]),
        number(frame.size[1]),
        colour::GRID.css()
    );
    let mut lines = String::new();
    let mut zeros = String::new();
    for (value, label) in frame.ticks(0) {
        let x = frame.place([value, frame.low[1]]).x;
        let line = format!("M{} {}V{}", number(x), number(top), number(bottom));
        if value == 0.0 {
            zeros.push_str(&line)
        } else {
            lines.push_str(&line)
        }
        svg.text(Vec2::new(x, bottom + 13.0), TICK, Anchor::Middle, colour::INK_SOFT, &label);
    }
    for (value, label) in frame.ticks(1) {
        let y = frame.place([frame.low[0], value]).y;
        let line = format!("M{} {}H{}", number(left), number(y), number(right));
        if value == 0.0 {
            zeros.push_str(&line)
        } else {
            lines.push_str(&line)
        }
        svg.text(Vec2::new(left - 6.0, y + 3.5), TICK, Anchor::End, colour::INK_SOFT, &label);
    }
    for (path, ink, width) in [(lines, colour::GRID_FINE, 0.6), (zeros, colour::GRID, 0.9)] {
        if !path.is_empty() {
            put!(svg, "<path d=\"{path}\" stroke=\"{}\" stroke-width=\"{width}\"/>", ink.css());
        }
    }
    let middle = Vec2::new((left + right) / 2.0, (top + bottom) / 2.0);
    svg.text(Vec2::new(middle.x, bottom + 29.0), SMALL, Anchor::Middle, colour::INK, &chart.x);
    let (x, y) = (number(left - 40.0), number(middle.y));
    put!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{SMALL}\" text-anchor=\"middle\" fill=\"{}\" \
         transform=\"rotate(-90 {x} {y})\">{}</text>",
        colour::INK.css(),
        escape(&chart.y)
    );
}

fn stroke(dash: Dash) -> &'static str {
    match dash {
        Dash::Solid => "stroke-width=\"1.7\"",
        Dash::Dashed => "stroke-width=\"1.5\" stroke-dasharray=\"6 4\"",
        // A line of no length with round ends is a dot.
        Dash::Dots => "stroke-width=\"4\" stroke-linecap=\"round\"",
    }
}

fn draw_curve(svg: &mut Svg, curve: &Curve, frame: &Frame) {
    let mut path = String::new();
    let mut is_down = false;
    for point in &curve.points {
        if !is_finite(point) {
            is_down = false;
            continue;
        }
        let at = frame.place(*point);
        let command = if is_down { 'L' } else { 'M' };
        // Writing to a string cannot fail.
        let _ = write!(path, "{command}{} {}", number(at.x), number(at.y));
        if curve.dash == Dash::Dots {
            path.push_str("h0");
        } else {
            is_down = true;
        }
    }
    if !path.is_empty() {
        put!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" {} stroke-linejoin=\"round\"/>",
            colour_of(curve.colour).css(),
            stroke(curve.dash)
        );
    }
}

/// From a mark to the middle of its label, in pixels, and how much further each try is where something overlaps.
const LABEL_DISTANCE: f64 = 16.0;
const LABEL_STEP: f64 = 6.0;
const LABEL_TRIES: usize = 8;
/// Turns away from the direction asked for, in the order in which they are tried, in radians.
const LABEL_TURNS: [f64; 7] = [0.0, 0.6, -0.6, 1.2, -1.2, 2.0, -2.0];

/// Left, top, right and bottom, in pixels.
type Room = [f64; 4];

fn room_around(middle: Vec2, half: Vec2) -> Room {
    [middle.x - half.x, middle.y - half.y, middle.x + half.x, middle.y + half.y]
}

fn draw_marks(svg: &mut Svg, chart: &MarkedChart<'_>, frame: &Frame) {
    let marks: Vec<&Mark> = chart.marks.iter().filter(|mark| is_finite(&mark.at)).collect();
    let curves = chart.chart.curves.iter().flat_map(|curve| &curve.points).filter(|point| is_finite(point));
    let curves: Vec<Room> = curves.map(|point| room_around(frame.place(*point), Vec2::splat(1.0))).collect();
    let mut taken: Vec<Room> =
        marks.iter().map(|mark| room_around(frame.place(mark.at), Vec2::splat(MARK_RADIUS))).collect();
    for mark in marks {
        let at = frame.place(mark.at);
        let middle = label_place(mark, frame, &taken, &curves);
        taken.push(room_around(middle, label_half(mark)));
        draw_mark(svg, mark, at, middle);
    }
}

/// The dot of a mark.
const MARK_RADIUS: f64 = 3.4;

/// Half of a label's width and height.
fn label_half(mark: &Mark) -> Vec2 {
    Vec2::new(text_width(&mark.label, 7.0) / 2.0 + 1.0, 5.5)
}

/// The middle of a mark's label: as near as there is room that no label has and no curve passes, else that no label has.
fn label_place(mark: &Mark, frame: &Frame, taken: &[Room], curves: &[Room]) -> Vec2 {
    let at = frame.place(mark.at);
    let further = frame.place([mark.at[0] + mark.away[0], mark.at[1] + mark.away[1]]) - at;
    let away = if further.is_finite() { further.normalize_or(Vec2::X) } else { Vec2::X };
    let candidates = (0..LABEL_TRIES).flat_map(|attempt| {
        let distance = LABEL_DISTANCE + LABEL_STEP * attempt as f64;
        LABEL_TURNS.into_iter().map(move |turn| at + Vec2::from_angle(turn).rotate(away) * distance)
    });
    let half = label_half(mark);
    let is_free = |middle: &Vec2, of: &[Room]| !of.iter().any(|other| overlap(&room_around(*middle, half), other));
    let inside =
        room_around(frame.corner + Vec2::from_array(frame.size) / 2.0, Vec2::from_array(frame.size) / 2.0 - half);
    let is_inside =
        |middle: &Vec2| middle.x > inside[0] && middle.y > inside[1] && middle.x < inside[2] && middle.y < inside[3];
    let free: Vec<Vec2> = candidates.filter(|middle| is_inside(middle) && is_free(middle, taken)).collect();
    let clear = free.iter().find(|middle| is_free(middle, curves));
    *clear.or(free.first()).unwrap_or(&(at + away * LABEL_DISTANCE))
}

fn draw_mark(svg: &mut Svg, mark: &Mark, at: Vec2, middle: Vec2) {
    let ink = colour_of(mark.colour).css();
    if middle.distance(at) > LABEL_DISTANCE + 1.0 {
        let (from, to) = ([at.x, at.y].map(number), [middle.x, middle.y].map(number));
        put!(svg, "<path d=\"M{} {}L{} {}\" stroke=\"{ink}\" stroke-width=\"0.6\"/>", from[0], from[1], to[0], to[1]);
    }
    put!(
        svg,
        "<circle cx=\"{}\" cy=\"{}\" r=\"{MARK_RADIUS}\" fill=\"{ink}\" stroke=\"#ffffff\" stroke-width=\"1\"/>",
        number(at.x),
        number(at.y)
    );
    // A pale outline below the letters keeps them readable on the curves they cross.
    for look in ["fill=\"none\" stroke=\"#ffffff\" stroke-width=\"2.6\"", &format!("fill=\"{ink}\"")] {
        put!(
            svg,
            "<text x=\"{}\" y=\"{}\" font-size=\"{TICK}\" text-anchor=\"middle\" {look}>{}</text>",
            number(middle.x),
            number(middle.y + 3.5),
            escape(&mark.label)
        );
    }
}

fn overlap(a: &Room, b: &Room) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/// Where each named curve is in the legend: its row, and pixels from the left.
fn legend_places(chart: &Chart, width: f64) -> Vec<(&Curve, usize, f64)> {
    let (mut row, mut x) = (0, 0.0);
    let mut places = Vec::new();
    for curve in chart.curves.iter().filter(|curve| !curve.name.is_empty()) {
        let needed = KEY + 6.0 + text_width(&curve.name, 8.0) + 14.0;
        if x > 0.0 && x + needed > width {
            (row, x) = (row + 1, 0.0);
        }
        places.push((curve, row, x));
        x += needed;
    }
    places
}

fn legend_rows(chart: &Chart, width: f64) -> usize {
    legend_places(chart, width).last().map_or(0, |place| place.1 + 1)
}

fn draw_legend(svg: &mut Svg, chart: &Chart, frame: &Frame) {
    let top = frame.corner.y + frame.size[1] + BELOW + 4.0;
    for (curve, row, x) in legend_places(chart, frame.size[0]) {
        let (x, y) = (frame.corner.x + x, top + LEGEND_ROW * row as f64);
        let path = match curve.dash {
            Dash::Dots => format!("M{} {}h0", number(x + KEY / 2.0), number(y)),
            _ => format!("M{} {}H{}", number(x), number(y), number(x + KEY)),
        };
        put!(svg, "<path d=\"{path}\" stroke=\"{}\" {}/>", colour_of(curve.colour).css(), stroke(curve.dash));
        svg.text(Vec2::new(x + KEY + 6.0, y + 4.0), SMALL, Anchor::Start, colour::INK_SOFT, &curve.name);
    }
}
