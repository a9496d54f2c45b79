//! What footskate cleanup changed: heights and drifts of heels and balls before and after (SKATE figures 8 to 10), knees and
//! pelvis.

use super::PerPart;
use super::axes::Spread;
use super::contacts::scaled;
use super::page::{BEFORE, Key, Line, Page, Panel, Stroke, TRUNK, Values, part_colour, plants_of};
use crate::colour::{self, Colour};
use std::ops::Range;
use surefoot_contact::{Contacts, FootPart};
use surefoot_motion::{PerSide, Side};

/// What the plot shows. [`CleanupPlot::measure`] takes it from two clips.
#[derive(Clone, Debug)]
pub struct CleanupPlot<'a> {
    /// Of the clip, for the title.
    pub name: &'a str,
    /// Frames a second.
    pub frame_rate: f64,
    /// The plants that were enforced.
    pub contacts: &'a Contacts,
    /// Heels and balls.
    pub feet: PerSide<PerPart<CleanedPart>>,
    /// Bend of each knee in radians, 0 for a straight leg.
    pub knees: PerSide<BeforeAfter>,
    /// Height of the pelvis in the world, in metres.
    pub pelvis: BeforeAfter,
}

/// A heel or ball.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CleanedPart {
    /// Above the ground, in metres.
    pub height: BeforeAfter,
    /// Horizontally from the place of its plant, in metres. Shown only in frames of its plants.
    pub drift: BeforeAfter,
}

/// One number for each frame before and after; gaps where one is not finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BeforeAfter {
    /// Of the source.
    pub before: Vec<f64>,
    /// Of the result.
    pub after: Vec<f64>,
}

/// Heights of panels, in pixels.
const HEIGHT_PANEL: f64 = 84.0;
const DRIFT_PANEL: f64 = 58.0;
const BODY_PANEL: f64 = 66.0;

/// Heights up to this are drawn evenly, larger ones ever closer: feet slip by centimetres and swing by decimetres. In
/// millimetres.
const HEIGHT_KNEE: f64 = 20.0;

const MILLIMETRES: f64 = 1000.0;

/// The plot as an SVG file, 1200 pixels wide.
pub fn cleanup_plot(plot: &CleanupPlot<'_>) -> String {
    let mut page = Page::new(plot.contacts.n_frames, plot.frame_rate);
    let legend = [
        (Key::Band(colour::INK_SOFT.mix(Colour::hex(0xFF_FF_FF), 0.75)), "planted"),
        (Key::Line(BEFORE, Stroke::Plain), "before"),
        (Key::Line(colour::LEFT, Stroke::Strong), "after, left"),
        (Key::Line(colour::RIGHT, Stroke::Strong), "after, right"),
        (Key::Line(TRUNK, Stroke::Strong), "after, pelvis"),
        (Key::Note, "Heights are above the ground right below, on an axis that is finer near 0."),
    ];
    page.header("Footskate cleanup", plot.name, plot.contacts.n_frames, &legend);
    page.timeline(plot.contacts);
    for side in Side::BOTH {
        for part in FootPart::BOTH {
            draw_part(&mut page, plot, side, part);
        }
    }
    draw_body(&mut page, plot);
    page.finish()
}

fn draw_part(page: &mut Page, plot: &CleanupPlot<'_>, side: Side, part: FootPart) {
    let cleaned = plot.feet[side].of(part);
    let plants = plants_of(plot.contacts, side, part);
    let colour = part_colour(side, part);
    let height = cleaned.height.scaled(MILLIMETRES);
    let drift = cleaned.drift.scaled(MILLIMETRES).within(&plants);
    let planted_height = height.within(&plants);
    let note = [
        planted_height.describe("largest height off the ground while planted", "mm"),
        drift.describe("largest drift while planted", "mm"),
    ];
    let note = if plants.is_empty() { "never planted".to_string() } else { note.join("  ·  ") };
    page.block(&format!("{} {}", side.name(), part.name()), colour, &note);
    page.panel(&Panel {
        label: ["height", "mm"],
        height: HEIGHT_PANEL,
        lines: height.lines(colour),
        least: [-10.0, 50.0],
        spread: Spread::Soft(HEIGHT_KNEE),
        zero: Some("ground"),
        bands: &plants,
        band: colour,
    });
    page.panel(&Panel {
        label: ["drift", "mm"],
        height: DRIFT_PANEL,
        lines: drift.lines(colour),
        least: [0.0, 1.0],
        spread: Spread::Linear,
        zero: None,
        bands: &plants,
        band: colour,
    });
}

fn draw_body(page: &mut Page, plot: &CleanupPlot<'_>) {
    let bends = PerSide::from_fn(|side: Side| plot.knees[side].scaled(1f64.to_degrees()));
    let pelvis = plot.pelvis.scaled(MILLIMETRES);
    let note = [
        bends.left.describe_change("left knee", "degrees"),
        bends.right.describe_change("right knee", "degrees"),
        pelvis.describe_change("pelvis", "mm"),
    ];
    page.block("Legs and pelvis", TRUNK, &format!("largest change: {}", note.join("  ·  ")));
    let panel = |label, lines, least| Panel {
        label,
        height: BODY_PANEL,
        lines,
        least,
        spread: Spread::Linear,
        zero: None,
        bands: &[],
        band: TRUNK,
    };
    for side in Side::BOTH {
        let label = if side == Side::Left { "left knee" } else { "right knee" };
        let least = bends[side].range(10.0);
        page.panel(&panel([label, "bend, degrees"], bends[side].lines(part_colour(side, FootPart::Ball)), least));
    }
    page.panel(&panel(["pelvis", "height, mm"], pelvis.lines(TRUNK), pelvis.range(40.0)));
}

impl BeforeAfter {
    fn scaled(&self, factor: f64) -> BeforeAfter {
        BeforeAfter { before: scaled(&self.before, factor), after: scaled(&self.after, factor) }
    }

    /// Only the frames of plants; gaps elsewhere.
    fn within(&self, plants: &[Range<usize>]) -> BeforeAfter {
        let masked = |values: &[f64]| {
            let mut out = vec![f64::NAN; values.len()];
            for plant in plants {
                let frames = plant.start.min(values.len())..plant.end.min(values.len());
                if !frames.is_empty() {
                    out[frames.clone()].copy_from_slice(&values[frames]);
                }
            }
            out
        };
        BeforeAfter { before: masked(&self.before), after: masked(&self.after) }
    }

    fn lines(&self, colour: Colour) -> Vec<Line<'_>> {
        vec![
            Line { values: Values::Each(&self.before), colour: BEFORE, stroke: Stroke::Plain },
            Line { values: Values::Each(&self.after), colour, stroke: Stroke::Strong },
        ]
    }

    /// A range that is at least so wide, around the middle of the values; the axis widens it to hold them all.
    fn range(&self, least_width: f64) -> [f64; 2] {
        let finite = || self.before.iter().chain(&self.after).copied().filter(|value| value.is_finite());
        let (low, high) = (finite().reduce(f64::min).unwrap_or(0.0), finite().reduce(f64::max).unwrap_or(0.0));
        let middle = low / 2.0 + high / 2.0;
        [middle - least_width / 2.0, middle + least_width / 2.0]
    }

    /// `largest drift: 31 mm before, 0.002 after`.
    fn describe(&self, what: &str, unit: &str) -> String {
        let largest =
            |values: &[f64]| values.iter().map(|value| value.abs()).filter(|value| value.is_finite()).reduce(f64::max);
        match (largest(&self.before), largest(&self.after)) {
            (Some(before), Some(after)) => {
                format!("{what}: {} {unit} before, {} after", size_text(before), size_text(after))
            }
            _ => format!("{what}: unknown"),
        }
    }

    /// `left knee 3.1 degrees`.
    fn describe_change(&self, what: &str, unit: &str) -> String {
        let changes = self.before.iter().zip(&self.after).map(|(before, after)| (after - before).abs());
        match changes.filter(|change| change.is_finite()).reduce(f64::max) {
            Some(change) => format!("{what} {} {unit}", size_text(change)),
            None => format!("{what} unknown"),
        }
    }
}

/// A size for people: three digits, and no more decimals than anybody cares about.
fn size_text(size: f64) -> String {
    let decimals = match size {
        _ if size == 0.0 => return "0".to_string(),
        _ if size < 0.001 => return "less than 0.001".to_string(),
        _ if size < 1.0 => 3,
        _ if size < 10.0 => 2,
        _ if size < 100.0 => 1,
        _ => 0,
    };
    format!("{size:.decimals$}")
}
