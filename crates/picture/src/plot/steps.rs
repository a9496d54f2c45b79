//! The steps of a database (STRIDE figures 4.1 and 4.3), for both feet on one page.
//!
//! ```text
//!  title, legend
//!   ends of left steps        ends of right steps       discs where the foot may come down, around the standing one
//!   tetrahedra of the left    tetrahedra of the right   the spaces that they span, seen aslant
//! ```
//!
//! The upper charts are the projection onto the p2/p3 plane. It is drawn so that the side on which the foot starts is
//! its own: left steps to the left. Their dots are the darker the farther apart the feet were at the start, which is
//! the dimension that the projection leaves out.

use super::chart::{Chart, Frame, draw_axes};
use crate::colour::{self, Colour};
use crate::svg::{Anchor, Svg, escape, number, put};
use std::fmt::Write;
use surefoot_geom::{Vec2, Vec3};
use surefoot_motion::{PerSide, Side};

/// The space of the steps that swing one foot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpacePlot {
    /// Start width, end width and end length of each step, in metres.
    pub points: Vec<Vec3>,
    /// Edges of the tetrahedra, as indices into the points.
    pub edges: Vec<[u32; 2]>,
    /// Those of them on the hull.
    pub hull_edges: Vec<[u32; 2]>,
    /// How many tetrahedra there are.
    pub n_tetrahedra: usize,
}

/// What to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct StepsPlot<'a> {
    /// Above everything.
    pub title: &'a str,
    /// Of both feet.
    pub spaces: PerSide<SpacePlot>,
    /// Radius within which steps are alike, in metres.
    pub foot: f64,
    /// The longest step, in metres.
    pub longest_step: f64,
}

/// Pixels of a chart, around the charts, left of each and below it.
const SIZE: f64 = 480.0;
/// Height of a view of the space.
const TALL: f64 = 360.0;
const MARGIN: f64 = 18.0;
const LEFT: f64 = 58.0;
const BELOW: f64 = 46.0;
const ABOVE: f64 = 26.0;
const HEAD: f64 = 62.0;

const TITLE: f64 = 15.0;
const BLOCK: f64 = 12.5;
const SMALL: f64 = 11.0;
const TICK: f64 = 10.0;

const DISC: Colour = Colour::hex(0xF5_C5_18);
const REACH: Colour = Colour::hex(0x2F_6F_D0);
const NEAR: Colour = Colour::hex(0xF2_A9_7E);
const FAR: Colour = Colour::hex(0x5A_16_4B);
const EDGE: Colour = Colour::hex(0x9D_B4_CC);
const HULL: Colour = Colour::hex(0x1D_4F_91);

const CM: f64 = 100.0;

/// The plot as an SVG file.
pub fn steps_plot(plot: &StepsPlot<'_>) -> String {
    let cell = [LEFT + SIZE + MARGIN, ABOVE + SIZE + BELOW];
    let [width, height] =
        [MARGIN + 2.0 * cell[0], HEAD + cell[1] + ABOVE + TALL + MARGIN].map(|length| length.ceil() as u32);
    let mut svg = Svg::new(width, height, colour::CARD);
    let ink = colour::INK.css();
    let title = escape(plot.title);
    put!(svg, "<text x=\"{MARGIN}\" y=\"27\" font-size=\"{TITLE}\" font-weight=\"600\" fill=\"{ink}\">{title}</text>");
    draw_legend(&mut svg, plot);
    for (column, side) in Side::BOTH.into_iter().enumerate() {
        let x = MARGIN + LEFT + cell[0] * column as f64;
        draw_ends(&mut svg, plot, side, Vec2::new(x, HEAD + ABOVE));
        draw_space(&mut svg, plot, side, Vec2::new(x, HEAD + ABOVE + cell[1]));
    }
    svg.finish()
}

fn draw_legend(svg: &mut Svg, plot: &StepsPlot<'_>) {
    let foot = number(plot.foot * CM);
    let longest = format!("{:.0}", plot.longest_step * CM);
    let entries = [
        (format!("the foot comes down; {foot} cm around, steps are alike"), 330.0),
        ("the standing foot".to_string(), 130.0),
        (format!("the longest step, {longest} cm"), 175.0),
        ("feet near each other at the start".to_string(), 215.0),
        ("far apart".to_string(), 80.0),
        ("hull of the tetrahedra".to_string(), 100.0),
    ];
    let looks = [
        format!("r=\"6\" fill=\"{}\" fill-opacity=\"0.5\" stroke=\"{}\" stroke-width=\"0.5\"", DISC.css(), DISC.css()),
        format!("r=\"5\" fill=\"#ffffff\" stroke=\"{}\"", colour::INK.css()),
        format!("r=\"5.5\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"", REACH.css()),
        format!("r=\"3\" fill=\"{}\"", NEAR.css()),
        format!("r=\"3\" fill=\"{}\"", FAR.css()),
        format!("r=\"2\" fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"", HULL.css(), HULL.css()),
    ];
    let mut x = MARGIN + 6.0;
    for ((label, width), look) in entries.into_iter().zip(looks) {
        put!(svg, "<circle cx=\"{}\" cy=\"46\" {look}/>", number(x));
        svg.text(Vec2::new(x + 11.0, 50.0), SMALL, Anchor::Start, colour::INK_SOFT, &label);
        x += width;
    }
}

fn finite(space: &SpacePlot) -> impl Iterator<Item = Vec3> + '_ {
    space.points.iter().copied().filter(|point| point.is_finite())
}

/// The farthest that a chart of ends has to show, in metres.
fn extent(plot: &StepsPlot<'_>) -> f64 {
    let reaches =
        Side::BOTH.into_iter().flat_map(|side| finite(&plot.spaces[side])).map(|point| point.y.hypot(point.z));
    let longest = if plot.longest_step.is_finite() { plot.longest_step } else { 1.0 };
    1.06 * reaches.fold(longest, |most, reach| most.max(reach + plot.foot))
}

/// Figure 4.3.
fn draw_ends(svg: &mut Svg, plot: &StepsPlot<'_>, side: Side, corner: Vec2) {
    let space = &plot.spaces[side];
    let half = extent(plot) * CM;
    let frame = Frame { corner, size: [SIZE; 2], low: [-half; 2], high: [half; 2] };
    let chart = Chart {
        title: format!("Where {} steps end: {} steps", side.name(), space.points.len()),
        x: format!("to the side, cm (p2 is positive to the {}, where the foot starts)", side.name()),
        y: "end length p3, cm".to_string(),
        curves: Vec::new(),
    };
    draw_axes(svg, &chart, &frame);
    let outward = if side == Side::Left { -1.0 } else { 1.0 };
    let place = |point: Vec3| frame.place([outward * point.y * CM, point.z * CM]);
    let radius = |metres: f64| number(metres * CM * SIZE / (2.0 * half));
    let id = format!("ends-{}", side.name());
    put!(
        svg,
        "<clipPath id=\"{id}\"><rect x=\"{}\" y=\"{}\" width=\"{SIZE}\" height=\"{SIZE}\"/></clipPath><g clip-path=\"url(#{id})\">",
        number(corner.x),
        number(corner.y)
    );
    let disc = DISC.css();
    put!(
        svg,
        "<g fill=\"{disc}\" fill-opacity=\"0.10\" stroke=\"{disc}\" stroke-opacity=\"0.35\" stroke-width=\"0.5\">"
    );
    let r = radius(plot.foot);
    for point in finite(space) {
        let at = place(point);
        put!(svg, "<circle cx=\"{}\" cy=\"{}\" r=\"{r}\"/>", number(at.x), number(at.y));
    }
    put!(svg, "</g>");
    for (near, dots) in by_start(space, plot.longest_step) {
        let path: String = dots.into_iter().map(place).fold(String::new(), |mut path, at| {
            // Writing to a string cannot fail. A line of no length with round ends is a dot.
            let _ = write!(path, "M{} {}h0", number(at.x), number(at.y));
            path
        });
        let ink = NEAR.mix(FAR, near).css();
        put!(svg, "<path d=\"{path}\" stroke=\"{ink}\" stroke-width=\"4\" stroke-linecap=\"round\"/>");
    }
    let middle = place(Vec3::ZERO);
    let (x, y) = (number(middle.x), number(middle.y));
    put!(
        svg,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"/>",
        radius(plot.longest_step),
        REACH.css()
    );
    put!(
        svg,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"#ffffff\" stroke=\"{}\"/></g>",
        radius(plot.foot / 2.0),
        colour::INK.css()
    );
}

/// Classes of start widths, small first, each with its share from near to far.
const CLASSES: usize = 6;

fn by_start(space: &SpacePlot, longest: f64) -> Vec<(f32, Vec<Vec3>)> {
    let mut classes: Vec<(f32, Vec<Vec3>)> =
        (0..CLASSES).map(|class| (class as f32 / (CLASSES - 1) as f32, Vec::new())).collect();
    for point in finite(space) {
        let class = (point.x / longest.max(1e-9) * CLASSES as f64) as usize;
        classes[class.min(CLASSES - 1)].1.push(point);
    }
    classes.retain(|class| !class.1.is_empty());
    classes
}

/// Directions on the page, right and down, of the three parameters: end width and end length lie as on the floor of a
/// room, start width is up.
const UP: [f64; 2] = [0.0, -1.0];
const FLOOR: [[f64; 2]; 2] = [[0.87, 0.36], [0.87, -0.36]];

/// The tetrahedra, seen aslant.
fn draw_space(svg: &mut Svg, plot: &StepsPlot<'_>, side: Side, corner: Vec2) {
    let space = &plot.spaces[side];
    let title = format!("Space of {} steps: {} tetrahedra", side.name(), space.n_tetrahedra);
    let (x, y) = (number(corner.x), number(corner.y - 9.0));
    let ink = colour::INK.css();
    put!(svg, "<text x=\"{x}\" y=\"{y}\" font-size=\"{BLOCK}\" font-weight=\"600\" fill=\"{ink}\">{title}</text>");
    put!(
        svg,
        "<rect x=\"{x}\" y=\"{}\" width=\"{SIZE}\" height=\"{TALL}\" fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"0.6\"/>",
        number(corner.y),
        colour::GRID.css()
    );
    // The box around both spaces, so that they can be compared, in whole half metres.
    let all = || Side::BOTH.into_iter().flat_map(|side| finite(&plot.spaces[side]));
    let low = (all().fold(Vec3::ZERO, Vec3::min) * 2.0).floor() / 2.0;
    let high = ((all().fold(Vec3::splat(0.5), Vec3::max)) * 2.0).ceil() / 2.0;
    let raw = |point: Vec3| {
        let [p1, p2, p3] = point.to_array();
        Vec2::from(UP) * p1 + Vec2::from(FLOOR[0]) * p2 + Vec2::from(FLOOR[1]) * p3
    };
    let corners = (0..8).map(|k| Vec3::select([k & 1 > 0, k & 2 > 0, k & 4 > 0].into(), high, low)).map(raw);
    let corners: Vec<Vec2> = corners.collect();
    let min = corners.iter().copied().reduce(Vec2::min).unwrap_or_default();
    let max = corners.iter().copied().reduce(Vec2::max).unwrap_or_default();
    let room = Vec2::new(0.86 * SIZE, 0.80 * TALL);
    let scale = (room / (max - min).max(Vec2::splat(1e-9))).min_element();
    let shift = corner + Vec2::new(SIZE, TALL) / 2.0 - (min + max) / 2.0 * scale;
    let place = |point: Vec3| raw(point) * scale + shift;
    draw_room(svg, low, high, &place);
    let path = |edges: &[[u32; 2]]| {
        let ends =
            edges.iter().filter_map(|&[a, b]| Some((space.points.get(a as usize)?, space.points.get(b as usize)?)));
        ends.filter(|(a, b)| a.is_finite() && b.is_finite()).fold(String::new(), |mut path, (a, b)| {
            let (a, b) = (place(*a), place(*b));
            let _ = write!(path, "M{:.1} {:.1}L{:.1} {:.1}", a.x, a.y, b.x, b.y);
            path
        })
    };
    for (edges, ink, look) in [(&space.edges, EDGE, "0.45\" stroke-opacity=\"0.45"), (&space.hull_edges, HULL, "1.1")] {
        let path = path(edges);
        if !path.is_empty() {
            put!(svg, "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{look}\"/>", ink.css());
        }
    }
    for (near, dots) in by_start(space, plot.longest_step) {
        let path: String = dots.into_iter().map(place).fold(String::new(), |mut path, at| {
            let _ = write!(path, "M{:.1} {:.1}h0", at.x, at.y);
            path
        });
        let ink = NEAR.mix(FAR, near).css();
        put!(svg, "<path d=\"{path}\" stroke=\"{ink}\" stroke-width=\"3\" stroke-linecap=\"round\"/>");
    }
}

/// Floor and upright edge of the box, with marks every half metre.
fn draw_room(svg: &mut Svg, low: Vec3, high: Vec3, place: &dyn Fn(Vec3) -> Vec2) {
    let steps = |from: f64, to: f64| (0..=((to - from) * 2.0).round() as i64).map(move |k| from + k as f64 / 2.0);
    let mut lines = String::new();
    let mut line = |a: Vec3, b: Vec3| {
        let (a, b) = (place(a), place(b));
        let _ = write!(lines, "M{} {}L{} {}", number(a.x), number(a.y), number(b.x), number(b.y));
    };
    for y in steps(low.y, high.y) {
        line(Vec3::new(low.x, y, low.z), Vec3::new(low.x, y, high.z));
    }
    for z in steps(low.z, high.z) {
        line(Vec3::new(low.x, low.y, z), Vec3::new(low.x, high.y, z));
    }
    line(Vec3::new(low.x, low.y, low.z), Vec3::new(high.x, low.y, low.z));
    put!(svg, "<path d=\"{lines}\" stroke=\"{}\" stroke-width=\"0.6\"/>", colour::GRID_FINE.css());
    let mut label = |at: Vec3, shift: [f64; 2], anchor: Anchor, text: &str| {
        svg.text(place(at) + Vec2::from(shift), TICK, anchor, colour::INK_SOFT, text);
    };
    let cm = |metres: f64| format!("{:.0}", metres * CM + 0.0);
    for y in steps(low.y, high.y) {
        label(Vec3::new(low.x, y, low.z), [-4.0, 13.0], Anchor::End, &cm(y));
    }
    for z in steps(low.z, high.z) {
        label(Vec3::new(low.x, high.y, z), [4.0, 13.0], Anchor::Start, &cm(z));
    }
    for x in steps(low.x, high.x).skip(1) {
        label(Vec3::new(x, low.y, low.z), [-6.0, 3.0], Anchor::End, &cm(x));
    }
    let middle = (low + high) / 2.0;
    label(Vec3::new(low.x, middle.y, low.z), [-34.0, 30.0], Anchor::Middle, "end width p2, cm");
    label(Vec3::new(low.x, high.y, middle.z), [34.0, 32.0], Anchor::Middle, "end length p3, cm");
    label(Vec3::new(high.x, low.y, low.z), [0.0, -10.0], Anchor::Start, "start width p1, cm");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(spaces: PerSide<SpacePlot>) -> String {
        steps_plot(&StepsPlot { title: "A <database>", spaces, foot: 0.15, longest_step: 0.95 })
    }

    #[test]
    fn every_step_is_a_disc_and_a_dot_in_each_view() {
        let points = vec![Vec3::new(0.2, 0.3, 0.6), Vec3::new(0.7, -0.6, 0.1), Vec3::new(0.1, 0.2, -0.3), Vec3::ONE];
        let edges = vec![[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        let space = SpacePlot { points, hull_edges: edges.clone(), edges, n_tetrahedra: 1 };
        let page = plot(PerSide::new(space.clone(), space));
        let count = |word: &str| page.matches(word).count();
        // A legend of six, and for each foot four discs, the longest step and the standing foot.
        assert_eq!(count("<circle"), 6 + 2 * (4 + 2));
        assert_eq!(count("h0"), 2 * 2 * 4);
        assert!(page.contains("A &lt;database&gt;") && page.contains("Space of left steps: 1 tetrahedra"));
        assert!(!page.contains("NaN") && !page.contains("inf"));
    }

    #[test]
    fn empty_spaces_and_broken_numbers_are_drawn_without_them() {
        let broken = SpacePlot {
            points: vec![Vec3::NAN, Vec3::new(0.2, 0.2, 0.2)],
            edges: vec![[0, 1], [1, 7]],
            hull_edges: vec![],
            n_tetrahedra: 0,
        };
        let page = plot(PerSide::new(SpacePlot::default(), broken));
        assert!(!page.contains("NaN") && page.matches("h0").count() == 2, "{page}");
    }
}
