//! A page of panels over one time axis.
//!
//! ```text
//!  title, legend
//!              frames 0   50   100
//!  left heel   ====    =====         the timeline: a row of bars for each heel and ball
//!  ...
//!  block: left heel
//!  height      /\___/\___            panels: bands where the part is planted, traces over them
//!  speed       /\___/\___
//!  ...
//!              seconds 0   1   2
//! ```
//!
//! The page grows downward as its parts are added; its size is known, and its head written, when it is finished.

use super::axes::{Spread, TimeAxis, ValueAxis};
use super::trace::{bars, trace_path};
use crate::colour::{self, Colour};
use crate::lettering::text_width;
use crate::svg::{Anchor, Svg, escape, number, put};
use std::fmt::Write;
use std::ops::Range;
use surefoot_contact::{Contacts, FootPart};
use surefoot_geom::Vec2;
use surefoot_motion::Side;

/// Width of a page, and where its panels begin and end, in pixels.
const WIDTH: u32 = 1200;
const LEFT: f64 = 112.0;
const RIGHT: f64 = 1152.0;
/// Where labels begin.
const INDENT: f64 = 14.0;

const TITLE: f64 = 15.0;
const BLOCK: f64 = 12.5;
const SMALL: f64 = 11.0;
const TICK: f64 = 10.0;

/// A row of the timeline, and the bar in it.
const ROW: f64 = 17.0;
const BAR: f64 = 12.0;

/// Width of a key of the legend.
const KEY: f64 = 26.0;

const PANEL: Colour = Colour::hex(0xFF_FF_FF);
/// Traces of what was there before.
pub(super) const BEFORE: Colour = Colour::hex(0x87_92_9F);
/// Traces of the trunk.
pub(super) const TRUNK: Colour = Colour::hex(0x3D_48_55);

/// The colour of a part of a foot.
pub(super) fn part_colour(side: Side, part: FootPart) -> Colour {
    match (side, part) {
        (Side::Left, FootPart::Heel) => colour::LEFT_PLANTED,
        (Side::Left, FootPart::Ball) => colour::LEFT,
        (Side::Right, FootPart::Heel) => colour::RIGHT_PLANTED,
        (Side::Right, FootPart::Ball) => colour::RIGHT,
    }
}

/// The frames in which a part is planted.
pub(super) fn plants_of(contacts: &Contacts, side: Side, part: FootPart) -> Vec<Range<usize>> {
    let plants = contacts.plants[side].iter().filter(|plant| plant.part == part);
    plants.map(|plant| plant.frames.clone()).collect()
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stroke {
    Strong,
    Plain,
    Dashed,
    Dotted,
}

impl Stroke {
    fn attributes(self) -> &'static str {
        match self {
            Stroke::Strong => "stroke-width=\"1.6\"",
            Stroke::Plain => "stroke-width=\"1.2\"",
            Stroke::Dashed => "stroke-width=\"1.1\" stroke-dasharray=\"7 4\"",
            Stroke::Dotted => "stroke-width=\"1.3\" stroke-dasharray=\"1.5 3\"",
        }
    }
}

/// What a line shows.
pub(super) enum Values<'a> {
    /// A number for each frame.
    Each(&'a [f64]),
    /// One for all.
    All(f64),
}

/// A line of a panel.
pub(super) struct Line<'a> {
    pub(super) values: Values<'a>,
    pub(super) colour: Colour,
    pub(super) stroke: Stroke,
}

/// A panel of lines.
pub(super) struct Panel<'a> {
    /// What is shown, and its unit.
    pub(super) label: [&'a str; 2],
    /// In pixels.
    pub(super) height: f64,
    /// Lines, the first at the back.
    pub(super) lines: Vec<Line<'a>>,
    /// Values that the panel spans at any rate.
    pub(super) least: [f64; 2],
    pub(super) spread: Spread,
    /// A short word beside the line at 0, for panels in which 0 is a place.
    pub(super) zero: Option<&'a str>,
    /// Frames to shade, and their colour.
    pub(super) bands: &'a [Range<usize>],
    pub(super) band: Colour,
}

/// The sign in front of a word of the legend.
pub(super) enum Key {
    Line(Colour, Stroke),
    Band(Colour),
    /// Nothing: the words are a note.
    Note,
}

/// A page being written.
pub(super) struct Page {
    svg: Svg,
    time: TimeAxis,
    /// Down to where the page is filled.
    y: f64,
}

impl Page {
    pub(super) fn new(n_frames: usize, frame_rate: f64) -> Page {
        let time = TimeAxis::new(LEFT, RIGHT, n_frames, frame_rate);
        Page { svg: Svg { out: String::new() }, time, y: 0.0 }
    }

    /// The complete file.
    pub(super) fn finish(mut self) -> String {
        self.time_axis();
        let mut file = Svg::new(WIDTH, self.y.ceil() as u32, colour::CARD);
        file.out.push_str(&self.svg.out);
        file.finish()
    }

    /// Title and subject on the left, the legend below.
    pub(super) fn header(&mut self, title: &str, name: &str, n_frames: usize, legend: &[(Key, &str)]) {
        let length = match self.time.frame_rate {
            Some(rate) => format!("{n_frames} frames at {} fps, {:.2} s", number(rate), n_frames as f64 / rate),
            None => format!("{n_frames} frames"),
        };
        put!(
            self.svg,
            "<text x=\"{INDENT}\" y=\"27\" font-size=\"{TITLE}\" fill=\"{}\"><tspan font-weight=\"600\">{}</tspan>\
             <tspan dx=\"10\">{}</tspan><tspan dx=\"12\" font-size=\"{SMALL}\" fill=\"{}\">{}</tspan></text>",
            colour::INK.css(),
            escape(title),
            escape(&shortened(name)),
            colour::INK_SOFT.css(),
            escape(&length)
        );
        let mut x = INDENT;
        for (key, label) in legend {
            self.key(key, x, 45.0);
            x += if matches!(key, Key::Note) { 0.0 } else { KEY + 6.0 };
            self.svg.text(Vec2::new(x, 49.0), SMALL, Anchor::Start, colour::INK_SOFT, label);
            // The built-in font is a little wider than most, which leaves room here.
            x += text_width(label, 8.0) + 18.0;
        }
        self.y = 62.0;
    }

    fn key(&mut self, key: &Key, x: f64, y: f64) {
        let (left, right, middle) = (number(x), number(x + KEY), number(y));
        match key {
            Key::Line(colour, stroke) => put!(
                self.svg,
                "<path d=\"M{left} {middle}H{right}\" stroke=\"{}\" {}/>",
                colour.css(),
                stroke.attributes()
            ),
            Key::Band(colour) => put!(
                self.svg,
                "<rect x=\"{left}\" y=\"{}\" width=\"{KEY}\" height=\"10\" fill=\"{}\"/>",
                number(y - 5.0),
                colour.css()
            ),
            Key::Note => {}
        }
    }

    /// All four plants, with frame numbers above them.
    pub(super) fn timeline(&mut self, contacts: &Contacts) {
        let ticks = self.time.frame_ticks();
        self.svg.text(Vec2::new(INDENT, self.y + 10.0), TICK, Anchor::Start, colour::INK_SOFT, "frame");
        for (label, x) in &ticks {
            self.svg.text(Vec2::new(*x, self.y + 10.0), TICK, Anchor::Middle, colour::INK_SOFT, label);
        }
        let top = self.y + 15.0;
        let bottom = top + 4.0 * ROW + 2.0;
        self.card(top, bottom);
        self.uprights(top, bottom, &ticks);
        let mut row = top + 1.0;
        for side in Side::BOTH {
            for part in FootPart::BOTH {
                let label = format!("{} {}", side.name(), part.name());
                let colour = part_colour(side, part);
                self.svg.text(Vec2::new(LEFT - 8.0, row + 12.5), SMALL, Anchor::End, colour, &label);
                put!(self.svg, "<g fill=\"{}\">", colour.css());
                for bar in bars(&plants_of(contacts, side, part), &self.time) {
                    let path = bar.path(row + (ROW - BAR) / 2.0, BAR);
                    let tip = self.describe_frames(&label, &bar.frames);
                    put!(self.svg, "<path d=\"{path}\"><title>{tip}</title></path>");
                }
                put!(self.svg, "</g>");
                row += ROW;
            }
        }
        self.y = bottom + 6.0;
    }

    /// What a viewer shows when pointed at a plant: its frames as a contacts file has them, and its time.
    fn describe_frames(&self, label: &str, frames: &Range<usize>) -> String {
        let time = self.time.frame_rate.map_or(String::new(), |rate| {
            format!(", {:.3} s to {:.3} s", frames.start as f64 / rate, frames.end as f64 / rate)
        });
        format!("{label} [{}, {}]{time}", frames.start, frames.end)
    }

    /// A heading with a note, for the panels below it.
    pub(super) fn block(&mut self, title: &str, ink: Colour, note: &str) {
        self.y += 22.0;
        put!(
            self.svg,
            "<text x=\"{INDENT}\" y=\"{}\" font-size=\"{BLOCK}\" fill=\"{}\"><tspan font-weight=\"600\">{}</tspan>\
             <tspan dx=\"12\" font-size=\"{SMALL}\" fill=\"{}\">{}</tspan></text>",
            number(self.y),
            ink.css(),
            escape(title),
            colour::INK_SOFT.css(),
            escape(note)
        );
        self.y += 6.0;
    }

    /// A panel below all others.
    pub(super) fn panel(&mut self, panel: &Panel<'_>) {
        let (top, bottom) = (self.y, self.y + panel.height);
        self.card(top, bottom);
        let bands: String = bars(panel.bands, &self.time).iter().map(|bar| bar.path(top, panel.height)).collect();
        if !bands.is_empty() {
            put!(self.svg, "<path d=\"{bands}\" fill=\"{}\"/>", panel.band.mix(PANEL, 0.86).css());
        }
        self.uprights(top, bottom, &self.time.second_ticks());
        let all = panel.lines.iter().flat_map(|line| match &line.values {
            Values::Each(values) => values[..values.len().min(self.time.n_frames)].to_vec(),
            Values::All(value) => vec![*value],
        });
        let axis = ValueAxis::new(all, panel.least, panel.spread, [top, bottom]);
        self.value_ticks(&axis, panel);
        for line in &panel.lines {
            self.line(line, &axis);
        }
        let middle = (top + bottom) / 2.0;
        self.svg.text(Vec2::new(INDENT, middle - 2.0), SMALL, Anchor::Start, colour::INK, panel.label[0]);
        self.svg.text(Vec2::new(INDENT, middle + 11.0), TICK, Anchor::Start, colour::INK_SOFT, panel.label[1]);
        self.y = bottom + 7.0;
    }

    fn line(&mut self, line: &Line<'_>, axis: &ValueAxis) {
        let path = match &line.values {
            Values::Each(values) => trace_path(values, &self.time, axis),
            Values::All(value) if value.is_finite() => {
                format!("M{LEFT} {}H{RIGHT}", number(axis.y(*value)))
            }
            Values::All(_) => String::new(),
        };
        if !path.is_empty() {
            put!(
                self.svg,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" {} stroke-linejoin=\"round\"/>",
                line.colour.css(),
                line.stroke.attributes()
            );
        }
    }

    fn value_ticks(&mut self, axis: &ValueAxis, panel: &Panel<'_>) {
        let ticks = axis.ticks();
        let lines: String = ticks.iter().map(|(_, y)| format!("M{LEFT} {}H{RIGHT}", number(*y))).collect();
        put!(self.svg, "<path d=\"{lines}\" stroke=\"{}\" stroke-width=\"0.6\"/>", colour::GRID_FINE.css());
        for (label, y) in &ticks {
            self.svg.text(Vec2::new(LEFT - 6.0, y + 3.5), TICK, Anchor::End, colour::INK_SOFT, label);
        }
        if let Some(word) = panel.zero {
            let y = axis.y(0.0);
            put!(
                self.svg,
                "<path d=\"M{LEFT} {0}H{RIGHT}\" stroke=\"{1}\" stroke-width=\"0.9\"/>",
                number(y),
                colour::INK_SOFT.css()
            );
            self.svg.text(Vec2::new(RIGHT + 5.0, y + 3.5), TICK, Anchor::Start, colour::INK_SOFT, word);
        }
    }

    /// What a panel is drawn on.
    fn card(&mut self, top: f64, bottom: f64) {
        put!(
            self.svg,
            "<rect x=\"{LEFT}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"0.6\"/>",
            number(top),
            number(RIGHT - LEFT),
            number(bottom - top),
            PANEL.css(),
            colour::GRID.css()
        );
    }

    /// Upright lines at the marks of an axis.
    fn uprights(&mut self, top: f64, bottom: f64, ticks: &[(String, f64)]) {
        let lines: String =
            ticks.iter().map(|&(_, x)| format!("M{} {}V{}", number(x), number(top), number(bottom))).collect();
        if !lines.is_empty() {
            put!(self.svg, "<path d=\"{lines}\" stroke=\"{}\" stroke-width=\"0.6\"/>", colour::GRID_FINE.css());
        }
    }

    /// Seconds, below the last panel.
    fn time_axis(&mut self) {
        let ticks = self.time.second_ticks();
        if !ticks.is_empty() {
            self.svg.text(Vec2::new(INDENT, self.y + 8.0), TICK, Anchor::Start, colour::INK_SOFT, "time, s");
        }
        for (label, x) in ticks {
            self.svg.text(Vec2::new(x, self.y + 8.0), TICK, Anchor::Middle, colour::INK_SOFT, &label);
        }
        self.y += 22.0;
    }
}

/// A name that leaves room for what follows it.
fn shortened(name: &str) -> String {
    if name.chars().count() <= LONGEST_NAME {
        return name.to_string();
    }
    name.chars().take(LONGEST_NAME - 1).chain(['…']).collect()
}

/// Most characters of a clip's name on a page.
const LONGEST_NAME: usize = 64;
