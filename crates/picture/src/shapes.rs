//! Flat shapes in pixels, and how they are written as SVG. [`crate::paint_shapes`] paints the same: a picture that is composed of them
//! comes in both forms.

use crate::colour::{self, Colour};
use crate::svg::{Svg, escape, number, put};
use std::fmt::Write;
use surefoot_geom::Vec2;

/// Which part of a text is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    End,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    /// A filled outline with its line.
    Area {
        points: Vec<Vec2>,
        fill: Colour,
        edge: Colour,
        width: f64,
    },
    /// Straight pieces with round ends.
    Line {
        points: Vec<Vec2>,
        colour: Colour,
        width: f64,
    },
    Disc {
        centre: Vec2,
        radius: f64,
        colour: Colour,
    },
    Ring {
        centre: Vec2,
        radius: f64,
        colour: Colour,
        width: f64,
    },
    /// Capitals are `size` high; a halo keeps words apart from what is behind them.
    Text {
        at: Vec2,
        words: String,
        size: f64,
        colour: Colour,
        anchor: Anchor,
        halo: bool,
    },
}

/// Font size over the height of capitals.
const FONT: f64 = 1.4;

pub(crate) fn write(svg: &mut Svg, shape: &Shape) {
    match shape {
        Shape::Area { points, fill, edge, width } => put!(
            svg,
            "<path d=\"{}Z\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"/>",
            path(points),
            fill.css(),
            edge.css()
        ),
        Shape::Line { points, colour, width } => put!(
            svg,
            "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\"/>",
            path(points),
            colour.css(),
            number(*width)
        ),
        Shape::Disc { centre, radius, colour } => put!(
            svg,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>",
            number(centre.x),
            number(centre.y),
            number(*radius),
            colour.css()
        ),
        Shape::Ring { centre, radius, colour, width } => put!(
            svg,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\"/>",
            number(centre.x),
            number(centre.y),
            number(*radius),
            colour.css()
        ),
        Shape::Text { at, words, size, colour, anchor, halo } => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::End => "end",
            };
            let halo = if *halo {
                format!(" stroke=\"{}\" stroke-width=\"3\" paint-order=\"stroke\"", colour::CARD.css())
            } else {
                String::new()
            };
            put!(
                svg,
                "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{anchor}\" fill=\"{}\"{halo}>{}</text>",
                number(at.x),
                number(at.y),
                number(size * FONT),
                colour.css(),
                escape(words)
            );
        }
    }
}

fn path(points: &[Vec2]) -> String {
    let mut path = String::new();
    for (i, point) in points.iter().enumerate() {
        path.push(if i == 0 { 'M' } else { 'L' });
        path.push_str(&number(point.x));
        path.push(' ');
        path.push_str(&number(point.y));
    }
    path
}
