//! Words around the pictures: header, legend, frame labels, and which part of which foot is planted.

use crate::RenderOptions;
use crate::colour::{CARD, Colour, INK, INK_SOFT, LEFT, RIGHT};
use crate::image::{Image, Rect};
use crate::lettering::{draw_text, shorten, text_width};
use crate::scene::{planted_colour, side_colour};
use crate::sheet::grid_note;
use crate::subject::Actor;
use surefoot_contact::FootPart;
use surefoot_geom::Vec2;
use surefoot_motion::Side;

/// Height of a picture's header, in pixels.
pub(crate) const HEADER: u32 = 40;
/// Height of capitals, in pixels: title, and everything else.
const TITLE: f64 = 10.0;
const SMALL: f64 = 7.6;

/// An entry of the legend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) label: &'static str,
    pub(crate) colour: Colour,
    /// A ring, as planted parts have, instead of a disc.
    pub(crate) is_ring: bool,
}

/// What colours mean in a picture of this subject.
pub(crate) fn legend(actor: &Actor<'_>) -> Vec<Entry> {
    let mut entries = Vec::new();
    if actor.subject.body.is_some() {
        entries.push(Entry { label: "left", colour: LEFT, is_ring: false });
        entries.push(Entry { label: "right", colour: RIGHT, is_ring: false });
    }
    if actor.contacts().is_some() {
        entries.push(Entry { label: "planted", colour: planted_colour(Side::Left), is_ring: true });
    }
    entries
}

/// The picture's name.
pub(crate) fn title(actor: &Actor<'_>, options: &RenderOptions) -> String {
    options.title.clone().unwrap_or_else(|| actor.subject.clip.name.clone())
}

/// What follows the name: view, length, rate, grid.
pub(crate) fn subtitle(actor: &Actor<'_>, options: &RenderOptions, spacing: f64) -> String {
    let clip = actor.subject.clip;
    let seconds = clip.duration();
    let rate = (clip.frame_rate * 100.0).round() / 100.0;
    format!("{} view   {seconds:.2} s at {rate} fps   {}", options.view, grid_note(spacing))
}

/// Title at the left, legend at the right, what fits of them.
pub(crate) fn draw_header(image: &mut Image, rect: Rect, actor: &Actor<'_>, options: &RenderOptions, spacing: f64) {
    let baseline = f64::from(rect.y) + f64::from(rect.height) / 2.0 + TITLE / 2.0;
    let right = draw_legend(image, f64::from(rect.x), f64::from(rect.right()), baseline, actor);
    let mut left = f64::from(rect.x) + 2.0;
    for (text, size, ink) in [(title(actor, options), TITLE, INK), (subtitle(actor, options, spacing), SMALL, INK_SOFT)]
    {
        let text = shorten(&text, size, right - left);
        draw_text(image, &text, Vec2::new(left, baseline), size, ink);
        left += text_width(&text, size) + if text.is_empty() { 0.0 } else { 16.0 };
    }
}

/// The legend, ending at `right` and not beginning before `left`; returns where it begins, with some room.
fn draw_legend(image: &mut Image, left: f64, mut right: f64, baseline: f64, actor: &Actor<'_>) -> f64 {
    for entry in legend(actor).iter().rev() {
        let width = text_width(entry.label, SMALL) + 14.0;
        if right - width < left {
            break;
        }
        draw_text(image, entry.label, Vec2::new(right - width + 14.0, baseline), SMALL, INK_SOFT);
        let dot = Vec2::new(right - width + 5.0, baseline - SMALL / 2.0);
        if entry.is_ring {
            image.draw_ring(dot, 3.8, 1.8, entry.colour);
        } else {
            image.draw_disc(dot, 4.6, entry.colour, 1.0);
        }
        right -= width + 14.0;
    }
    right
}

/// An animation's title, time, legend and footfall sign, in its corners.
pub(crate) fn draw_movie_labels(image: &mut Image, actor: &Actor<'_>, options: &RenderOptions, frame: Option<usize>) {
    let rect = image.bounds();
    let (left, right) = (10.0, f64::from(rect.width) - 10.0);
    let [name, time] = frame_label(actor, frame);
    let time = if frame.is_some() { time } else { name };
    let time_width = text_width(&time, SMALL);
    let title = shorten(&title(actor, options), SMALL, right - left - time_width - 8.0);
    draw_text(image, &title, Vec2::new(left, 18.0), SMALL, INK);
    if right - time_width >= left {
        draw_text(image, &time, Vec2::new(right - time_width, 18.0), SMALL, INK_SOFT);
    }
    // To the right of the footfall sign.
    draw_legend(image, 44.0, right, f64::from(rect.height) - 10.0, actor);
    draw_footfall(image, rect, actor, frame);
}

/// `frame 12` and `0.10 s`, for a frame of a clip; the rest pose has no time.
pub(crate) fn frame_label(actor: &Actor<'_>, frame: Option<usize>) -> [String; 2] {
    match frame {
        Some(frame) => [format!("frame {frame}"), format!("{:.2} s", frame as f64 / actor.subject.clip.frame_rate)],
        None => ["rest pose".to_string(), String::new()],
    }
}

/// Frame at a panel's top left, time at its top right.
pub(crate) fn draw_panel_label(image: &mut Image, rect: Rect, actor: &Actor<'_>, frame: Option<usize>) {
    let [name, time] = frame_label(actor, frame);
    let (left, right) = (f64::from(rect.x) + 10.0, f64::from(rect.right()) - 10.0);
    let baseline = f64::from(rect.y) + 18.0;
    let time_width = text_width(&time, SMALL);
    let name = shorten(&name, SMALL, right - left - time_width - 8.0);
    draw_text(image, &name, Vec2::new(left, baseline), SMALL, INK);
    if right - time_width >= left {
        draw_text(image, &time, Vec2::new(right - time_width, baseline), SMALL, INK_SOFT);
    }
}

/// A dot of the footfall sign: place from the panel's bottom left, radius, colour, and whether it is planted.
pub(crate) struct FootDot {
    pub(crate) offset: Vec2,
    pub(crate) radius: f64,
    pub(crate) colour: Colour,
    pub(crate) is_planted: bool,
}

/// Both feet seen from above, ball over heel, where contacts are known: full where the part is planted.
pub(crate) fn footfall(actor: &Actor<'_>, frame: Option<usize>) -> Vec<FootDot> {
    let (Some((_, contacts)), Some(frame)) = (actor.contacts(), frame) else { return Vec::new() };
    let mut dots = Vec::new();
    for (side, x) in [(Side::Left, 15.0), (Side::Right, 27.0)] {
        for (part, y, radius) in [(FootPart::Ball, -22.0, 4.0), (FootPart::Heel, -12.5, 3.0)] {
            let is_planted = contacts.is_planted(side, part, frame);
            let colour = if is_planted { planted_colour(side) } else { side_colour(side) };
            dots.push(FootDot { offset: Vec2::new(x, y), radius, colour, is_planted });
        }
    }
    dots
}

pub(crate) fn draw_footfall(image: &mut Image, rect: Rect, actor: &Actor<'_>, frame: Option<usize>) {
    let corner = Vec2::new(f64::from(rect.x), f64::from(rect.bottom()));
    for dot in footfall(actor, frame) {
        let at = corner + dot.offset;
        if dot.is_planted {
            image.draw_disc(at, dot.radius, dot.colour, 1.0);
        } else {
            image.draw_ring(at, dot.radius - 0.6, 1.0, dot.colour.mix(CARD, 0.45));
        }
    }
}

/// A time under a figure.
pub(crate) fn draw_time(image: &mut Image, at: Vec2, text: &str) {
    let left = at.x - text_width(text, SMALL) / 2.0;
    draw_text(image, text, Vec2::new(left, at.y), SMALL, INK_SOFT);
}
