//! How contacts were found: the timeline of all plants, and heights and speeds with their limits.

use super::PerPart;
use super::axes::Spread;
use super::page::{Key, Line, Page, Panel, Stroke, Values, part_colour, plants_of};
use crate::colour::{self, Colour};
use crate::svg::number;
use surefoot_contact::{Contacts, FootPart};
use surefoot_motion::{PerSide, Side};

/// What the plot shows.
#[derive(Clone, Debug)]
pub struct ContactsPlot<'a> {
    /// Of the clip, for the title.
    pub name: &'a str,
    /// Frames a second.
    pub frame_rate: f64,
    /// The plants.
    pub contacts: &'a Contacts,
    /// What they were found from.
    pub traces: PerSide<PerPart<ContactTraces>>,
}

/// Height and speed of a heel or ball, one number for each frame; gaps where one is not finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactTraces {
    /// Above the local floor, in metres.
    pub height: Vec<f64>,
    /// In metres.
    pub height_limits: Limits,
    /// In metres a second.
    pub speed: Vec<f64>,
    /// In metres a second.
    pub speed_limits: Limits,
}

/// Hysteresis: a plant begins below one limit and ends above the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Below it a plant may begin.
    pub enter: Limit,
    /// Above it a plant ends.
    pub leave: Limit,
}

/// A limit of a detector.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Limit {
    /// There is none.
    #[default]
    None,
    /// The same in all frames.
    Fixed(f64),
    /// One for each frame.
    Varying(Vec<f64>),
}

/// Height of a panel, in pixels.
const PANEL: f64 = 80.0;

/// Heights and speeds up to these are drawn evenly, larger ones ever closer: about the limits of detectors, which are then
/// well apart from the floor and from swings. In millimetres and metres a second.
const HEIGHT_KNEE: f64 = 30.0;
const SPEED_KNEE: f64 = 0.3;

const MILLIMETRES: f64 = 1000.0;

/// The plot as an SVG file, 1200 pixels wide.
pub fn contacts_plot(plot: &ContactsPlot<'_>) -> String {
    let mut page = Page::new(plot.contacts.n_frames, plot.frame_rate);
    let legend = [
        (Key::Band(colour::INK_SOFT.mix(Colour::hex(0xFF_FF_FF), 0.75)), "planted"),
        (Key::Line(colour::INK, Stroke::Strong), "height above the local floor, and speed"),
        (Key::Line(colour::INK, Stroke::Dotted), "below it a plant may begin"),
        (Key::Line(colour::INK, Stroke::Dashed), "above it a plant ends"),
        (Key::Note, "Both axes are finer near 0."),
    ];
    page.header("Foot contacts", plot.name, plot.contacts.n_frames, &legend);
    page.timeline(plot.contacts);
    for side in Side::BOTH {
        for part in FootPart::BOTH {
            draw_part(&mut page, plot, side, part);
        }
    }
    page.finish()
}

fn draw_part(page: &mut Page, plot: &ContactsPlot<'_>, side: Side, part: FootPart) {
    let traces = plot.traces[side].of(part);
    let plants = plants_of(plot.contacts, side, part);
    let colour = part_colour(side, part);
    let heights = scaled(&traces.height, MILLIMETRES);
    let height_limits = traces.height_limits.scaled(MILLIMETRES);
    let note = [
        count_plants(plants.len()),
        height_limits.describe("height", "mm"),
        traces.speed_limits.describe("speed", "m/s"),
    ];
    let note: Vec<&str> = note.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    page.block(&format!("{} {}", side.name(), part.name()), colour, &note.join("  ·  "));
    let panel = |label, lines, least, knee, zero| Panel {
        label,
        height: PANEL,
        lines,
        least,
        spread: Spread::Soft(knee),
        zero,
        bands: &plants,
        band: colour,
    };
    let height_lines = lines(&heights, &height_limits, colour);
    page.panel(&panel(["height", "mm"], height_lines, [-10.0, 60.0], HEIGHT_KNEE, Some("floor")));
    let speed_lines = lines(&traces.speed, &traces.speed_limits, colour);
    page.panel(&panel(["speed", "m/s"], speed_lines, [0.0, 0.5], SPEED_KNEE, None));
}

fn lines<'a>(values: &'a [f64], limits: &'a Limits, colour: Colour) -> Vec<Line<'a>> {
    let limit = |limit: &'a Limit, stroke| {
        let values = match limit {
            Limit::None => return None,
            Limit::Fixed(value) => Values::All(*value),
            Limit::Varying(values) => Values::Each(values),
        };
        Some(Line { values, colour: colour::INK, stroke })
    };
    let limits = [limit(&limits.enter, Stroke::Dotted), limit(&limits.leave, Stroke::Dashed)];
    let trace = Line { values: Values::Each(values), colour, stroke: Stroke::Strong };
    limits.into_iter().flatten().chain([trace]).collect()
}

fn count_plants(n_plants: usize) -> String {
    if n_plants == 1 { "1 plant".to_string() } else { format!("{n_plants} plants") }
}

impl Limits {
    fn scaled(&self, factor: f64) -> Limits {
        let scale = |limit: &Limit| match limit {
            Limit::None => Limit::None,
            Limit::Fixed(value) => Limit::Fixed(value * factor),
            Limit::Varying(values) => Limit::Varying(scaled(values, factor)),
        };
        Limits { enter: scale(&self.enter), leave: scale(&self.leave) }
    }

    /// `height begins below 30 mm, ends above 50 mm`; empty if there are no limits.
    fn describe(&self, what: &str, unit: &str) -> String {
        let parts = [("begins below", &self.enter), ("ends above", &self.leave)];
        let parts: Vec<String> =
            parts.iter().filter_map(|(words, limit)| Some(format!("{words} {} {unit}", limit.describe()?))).collect();
        if parts.is_empty() { String::new() } else { format!("{what}: {}", parts.join(", ")) }
    }
}

impl Limit {
    /// `30`, or `0.15 to 0.8`.
    fn describe(&self) -> Option<String> {
        let values = match self {
            Limit::None => return None,
            Limit::Fixed(value) => std::slice::from_ref(value),
            Limit::Varying(values) => values,
        };
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let (low, high) = (finite().reduce(f64::min)?, finite().reduce(f64::max)?);
        let (low, high) = (number(low), number(high));
        Some(if low == high { low } else { format!("{low} to {high}") })
    }
}

/// Numbers in another unit.
pub(super) fn scaled(values: &[f64], factor: f64) -> Vec<f64> {
    values.iter().map(|value| value * factor).collect()
}
