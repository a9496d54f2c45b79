//! Sheets and strobes as SVG: the same scenes as the pixel pictures, drawn as shapes.
//!
//! A capsule seen in parallel is exactly two circles and the two lines that touch both. The capsules of one part of the body
//! are one shape with one outline: the line is painted before the filling, so that it vanishes inside the part. Parts are painted from
//! the furthest to the nearest, by the middle of each; where two parts pass through each other that is an approximation.
//! The ground is drawn in its own coordinates, under the matrix that takes them to the picture.

mod ground;
mod solids;

use crate::colour::{self, Colour};
use crate::image::Rect;
use crate::legend::{HEADER, footfall, frame_label, legend, subtitle, title};
use crate::lettering::text_width;
use crate::scene::Scene;
use crate::sheet::{CORNER, Panel, plan_sheet};
use crate::strobe::plan_strobe;
use crate::subject::Actor;
use crate::view::Camera;
use crate::{PictureError, RenderOptions, Subject};
use std::fmt::Write;
use surefoot_geom::Vec2;

/// Font sizes whose capitals are about as high as those of the pixel pictures.
const TITLE: f64 = 14.0;
const SMALL: f64 = 11.0;

/// A contact sheet of the chosen frames, as an SVG file.
pub fn sheet_svg(subject: &Subject<'_>, options: &RenderOptions) -> Result<String, PictureError> {
    let actor = Actor::new(*subject);
    let sheet = plan_sheet(&actor, options)?;
    let mut svg = Svg::new(sheet.width, sheet.height, colour::PAGE);
    // Every panel looks at its own ground from the same place, so one mask serves all.
    if let Some(first) = sheet.panels.first() {
        let mut local = first.camera;
        local.centre -= corner(first.rect);
        ground::define_stage(&mut svg, &local, &first.scene, options.panel);
    }
    solids::define_gradients(&mut svg, sheet.panels.iter().flat_map(|panel| &panel.scene.solids));
    if options.labels {
        svg.header(&actor, options, sheet.spacing);
    }
    for panel in &sheet.panels {
        svg.panel(panel, &actor, options);
    }
    Ok(svg.finish())
}

/// A strobe picture of the chosen frames, as an SVG file.
pub fn strobe_svg(subject: &Subject<'_>, options: &RenderOptions) -> Result<String, PictureError> {
    let actor = Actor::new(*subject);
    let strobe = plan_strobe(&actor, options)?;
    let mut svg = Svg::new(strobe.width, strobe.height, colour::CARD);
    ground::define_stage(&mut svg, &strobe.camera, &strobe.scene, [strobe.width, strobe.height]);
    solids::define_gradients(&mut svg, &strobe.scene.solids);
    svg.scene(&strobe.camera, &strobe.scene);
    if options.labels {
        svg.header(&actor, options, strobe.spacing);
        for (at, time) in &strobe.times {
            svg.text(*at, SMALL, Anchor::Middle, colour::INK_SOFT, time);
        }
    }
    Ok(svg.finish())
}

fn corner(rect: Rect) -> Vec2 {
    Vec2::new(f64::from(rect.x), f64::from(rect.y))
}

/// Which part of a text is at its place.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// An SVG file being written.
pub(crate) struct Svg {
    pub(crate) out: String,
}

/// Writing to a `String` cannot fail, so its `Result` says nothing.
macro_rules! put {
    ($svg:expr, $($arg:tt)*) => {{
        let _ = writeln!($svg.out, $($arg)*);
    }};
}
pub(crate) use put;

impl Svg {
    pub(crate) fn new(width: u32, height: u32, background: Colour) -> Svg {
        let mut svg = Svg { out: String::new() };
        put!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"Inter, Helvetica, Arial, sans-serif\">"
        );
        put!(svg, "<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>", background.css());
        svg
    }

    pub(crate) fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }

    pub(crate) fn text(&mut self, at: Vec2, size: f64, anchor: Anchor, ink: Colour, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escape(text);
        put!(
            self,
            "<text x=\"{}\" y=\"{}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{}\">{text}</text>",
            number(at.x),
            number(at.y),
            ink.css()
        );
    }

    fn header(&mut self, actor: &Actor<'_>, options: &RenderOptions, spacing: f64) {
        let baseline = f64::from(HEADER) / 2.0 + 5.0;
        // Fonts differ, so name and note are one text that flows.
        put!(
            self,
            "<text x=\"14\" y=\"{}\" font-size=\"{TITLE}\" fill=\"{}\">{}<tspan dx=\"14\" font-size=\"{SMALL}\" \
             fill=\"{}\" xml:space=\"preserve\">{}</tspan></text>",
            number(baseline),
            colour::INK.css(),
            escape(&title(actor, options)),
            colour::INK_SOFT.css(),
            escape(&subtitle(actor, options, spacing))
        );
        let mut right = self.width() - 14.0;
        for entry in legend(actor).iter().rev() {
            // The built-in font is a little wider than most, which leaves room here.
            let left = right - text_width(entry.label, 8.4) - 14.0;
            self.text(Vec2::new(left + 14.0, baseline), SMALL, Anchor::Start, colour::INK_SOFT, entry.label);
            let (x, y) = (number(left + 5.0), number(baseline - 4.0));
            if entry.is_ring {
                put!(
                    self,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"3.8\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"/>",
                    entry.colour.css()
                );
            } else {
                put!(self, "<circle cx=\"{x}\" cy=\"{y}\" r=\"4.6\" fill=\"{}\"/>", entry.colour.css());
            }
            right = left - 14.0;
        }
    }

    /// The picture's width, as written in its first line.
    fn width(&self) -> f64 {
        let after = self.out.split("width=\"").nth(1).unwrap_or_default();
        after.split('"').next().and_then(|text| text.parse().ok()).unwrap_or_default()
    }

    fn panel(&mut self, panel: &Panel, actor: &Actor<'_>, options: &RenderOptions) {
        let Rect { x, y, width, height } = panel.rect;
        put!(self, "<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">");
        put!(self, "<rect width=\"{width}\" height=\"{height}\" rx=\"{CORNER}\" fill=\"{}\"/>", colour::CARD.css());
        let mut local = panel.camera;
        local.centre -= corner(panel.rect);
        self.scene(&local, &panel.scene);
        if options.labels {
            let [name, time] = frame_label(actor, panel.moment.frame);
            self.text(Vec2::new(10.0, 18.0), SMALL, Anchor::Start, colour::INK, &name);
            self.text(Vec2::new(f64::from(width) - 10.0, 18.0), SMALL, Anchor::End, colour::INK_SOFT, &time);
            for dot in footfall(actor, panel.moment.frame) {
                let (x, y) = (number(dot.offset.x), number(f64::from(height) + dot.offset.y));
                let (radius, css) = (number(dot.radius - 0.5), dot.colour.css());
                let fill = if dot.is_planted { css.as_str() } else { "none" };
                put!(self, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{css}\"/>");
            }
        }
        put!(self, "</svg>");
    }

    fn scene(&mut self, camera: &Camera, scene: &Scene) {
        ground::draw_ground(self, camera, scene);
        solids::draw_solids(self, camera, &scene.solids);
    }
}

/// A number with two decimals at most, as short as it goes.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

/// A number with enough digits for coordinates that a matrix will magnify.
fn fine_number(value: f64) -> String {
    let text = format!("{value:.5}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

/// Text as XML wants it; characters that XML forbids are left out.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') => {}
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_text_is_safe() {
        assert_eq!(
            [number(1.0), number(-0.001), number(2.345), number(10.5)],
            ["1", "0", "2.35", "10.5"].map(String::from)
        );
        assert_eq!(escape("a<b & \"c\"\u{0}"), "a&lt;b &amp; &quot;c&quot;");
    }
}
