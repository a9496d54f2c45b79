//! A motion graph as clips in time with the transitions between them.
//!
//! ```text
//!             .----.   .-------.            blends within a clip are arcs above it
//!  straight  ==o====o===o=====o====o===
//!                \        /                 blends between clips lead from where one is left to where the other is entered
//!  left      =====o======o=========o===
//! ```
//!
//! A graph of thousands of blends drawn completely would be a black page: the nearest few hundred are drawn, and reported. What was pruned
//! from a clip is pale.

use crate::colour::{self, Colour};
use crate::svg::{Anchor, Svg, escape, number, put};
use std::fmt::Write;
use surefoot_geom::Vec2;
use surefoot_graph::{EdgeMotion, GraphRecord};

/// Most blends that are drawn.
const MAX_BLENDS: usize = 240;
/// Of the page, in pixels.
const WIDTH: f64 = 1100.0;
/// Least room for names, and of a letter of them.
const NAMES: f64 = 110.0;
const LETTER: f64 = 6.6;
/// Longest name that is not cut.
const MAX_NAME: usize = 40;
const MARGIN: f64 = 20.0;
const HEAD: f64 = 64.0;
/// Height of a clip's row, with room for arcs, and of its bar.
const ROW: f64 = 84.0;
const BAR: f64 = 9.0;
/// Highest arc above a bar.
const ARC: f64 = 44.0;

const TITLE: f64 = 15.0;
const SMALL: f64 = 11.0;
const TICK: f64 = 10.0;

const COLOURS: [Colour; 6] = [
    colour::LEFT,
    Colour::hex(0xE0_7A_10),
    Colour::hex(0x1F_8A_5F),
    Colour::hex(0x8A_4F_BF),
    Colour::hex(0xC2_2F_55),
    Colour::hex(0x5B_66_75),
];
const PALE: Colour = Colour::hex(0xD9_DE_E4);

struct Blend {
    from: [usize; 2],
    to: [usize; 2],
    distance: f32,
}

/// The graph as an SVG file.
pub fn graph_plot(title: &str, record: &GraphRecord) -> String {
    let graph = &record.graph;
    let clips = graph.set.clips();
    let height = HEAD + ROW * clips.len() as f64 + 2.0 * MARGIN;
    let mut svg = Svg::new(WIDTH as u32, height.ceil() as u32, colour::CARD);
    let longest = clips.iter().map(surefoot_motion::Clip::n_frames).max().unwrap_or(1).max(1);
    let names: Vec<String> = clips.iter().map(|clip| short_name(&clip.name)).collect();
    let letters = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let left = MARGIN + NAMES.max(letters as f64 * LETTER + 10.0);
    let scale = (WIDTH - left - MARGIN) / longest as f64;
    let at = |[clip, frame]: [usize; 2]| Vec2::new(left + frame as f64 * scale, HEAD + ROW * (clip as f64 + 0.75));
    let mut blends = blends_of(record);
    blends.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    let n_blends = blends.len();
    blends.truncate(MAX_BLENDS);
    draw_head(&mut svg, title, record, n_blends);
    put!(svg, "<g fill=\"none\" stroke-width=\"0.8\" stroke-opacity=\"0.45\">");
    // The nearest on top.
    for blend in blends.iter().rev() {
        draw_blend(&mut svg, at(blend.from), at(blend.to), COLOURS[blend.from[0] % COLOURS.len()]);
    }
    put!(svg, "</g>");
    for (clip, name) in names.iter().enumerate() {
        draw_clip(&mut svg, record, clip, left, scale);
        let frames: Vec<usize> = graph.nodes().iter().filter(|node| node.clip == clip).map(|node| node.frame).collect();
        let label = at([clip, 0]);
        let text = if frames.is_empty() { "dead end".to_string() } else { format!("{} nodes", frames.len()) };
        svg.text(Vec2::new(left - 10.0, label.y + 4.0), SMALL, Anchor::End, colour::INK, name);
        svg.text(Vec2::new(left - 10.0, label.y + 17.0), TICK, Anchor::End, colour::INK_SOFT, &text);
        for frame in frames {
            let Vec2 { x, y } = at([clip, frame]);
            let (x, top) = (number(x), number(y - BAR / 2.0));
            put!(
                svg,
                "<rect x=\"{x}\" y=\"{top}\" width=\"0.7\" height=\"{BAR}\" fill=\"#fff\" fill-opacity=\"0.8\"/>"
            );
        }
    }
    draw_seconds(&mut svg, longest as f64 / graph.set.frame_rate(), left, height);
    svg.finish()
}

/// A name, or as much of it as there is room for.
fn short_name(name: &str) -> String {
    if name.chars().count() <= MAX_NAME {
        return name.to_string();
    }
    name.chars().take(MAX_NAME - 2).chain("..".chars()).collect()
}

fn blends_of(record: &GraphRecord) -> Vec<Blend> {
    let nodes = record.graph.nodes();
    let blend = |edge: &surefoot_graph::Edge| match &edge.motion {
        EdgeMotion::Clip(_) => None,
        EdgeMotion::Blend { distance, .. } => {
            let [from, to] = [edge.from, edge.to].map(|node| [nodes[node].clip, nodes[node].frame]);
            Some(Blend { from, to, distance: *distance })
        }
    };
    record.graph.edges().iter().filter_map(blend).collect()
}

fn draw_head(svg: &mut Svg, title: &str, record: &GraphRecord, n_blends: usize) {
    let title = escape(title);
    let ink = colour::INK.css();
    put!(svg, "<text x=\"{MARGIN}\" y=\"28\" font-size=\"{TITLE}\" font-weight=\"600\" fill=\"{ink}\">{title}</text>");
    let shown = if n_blends > MAX_BLENDS {
        format!("the nearest {MAX_BLENDS} of {n_blends} blends")
    } else {
        format!("{n_blends} blends")
    };
    let text = format!(
        "{} nodes, {} edges by {}; {shown}, each in the colour of the clip that it leaves; pale: what was pruned",
        record.graph.nodes().len(),
        record.graph.edges().len(),
        record.metric.name()
    );
    svg.text(Vec2::new(MARGIN, 48.0), SMALL, Anchor::Start, colour::INK_SOFT, &text);
}

/// An arc within a clip, or a line with soft ends between two.
fn draw_blend(svg: &mut Svg, from: Vec2, to: Vec2, colour: Colour) {
    let (x0, x1) = (number(from.x), number(to.x));
    let css = colour.css();
    if from.y == to.y {
        let y = number(from.y - BAR / 2.0);
        let peak = number(from.y - BAR / 2.0 - (8.0 + (to.x - from.x).abs() * 0.18).min(ARC) * 4.0 / 3.0);
        put!(svg, "<path d=\"M{x0} {y}C{x0} {peak} {x1} {peak} {x1} {y}\" stroke=\"{css}\"/>");
        return;
    }
    let sign = (to.y - from.y).signum();
    let (y0, y1) = (from.y + sign * BAR / 2.0, to.y - sign * BAR / 2.0);
    let bend = (y1 - y0) * 0.4;
    let [y0, y1, c0, c1] = [y0, y1, y0 + bend, y1 - bend].map(number);
    put!(svg, "<path d=\"M{x0} {y0}C{x0} {c0} {x1} {c1} {x1} {y1}\" stroke=\"{css}\"/>");
}

/// The bar of a clip: pale, and in its colour where edges play its frames.
fn draw_clip(svg: &mut Svg, record: &GraphRecord, clip: usize, x: f64, scale: f64) {
    let graph = &record.graph;
    let y = HEAD + ROW * (clip as f64 + 0.75) - BAR / 2.0;
    let mut bar = |from: usize, to: usize, colour: Colour| {
        let [x, y, width] = [x + from as f64 * scale, y, (to - from) as f64 * scale].map(number);
        put!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{BAR}\" rx=\"2\" fill=\"{}\"/>", colour.css());
    };
    bar(0, graph.set.clips()[clip].n_frames(), PALE);
    for edge in graph.edges() {
        if let EdgeMotion::Clip(frames) = &edge.motion
            && graph.nodes()[edge.from].clip == clip
        {
            bar(frames.start, frames.end, COLOURS[clip % COLOURS.len()]);
        }
    }
}

/// Seconds below everything.
fn draw_seconds(svg: &mut Svg, seconds: f64, left: f64, height: f64) {
    let step = [0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0].into_iter().find(|step| seconds / step <= 16.0);
    let step = step.unwrap_or(3600.0);
    let y = height - MARGIN + 4.0;
    for k in 0..=(seconds / step) as usize {
        let x = left + k as f64 * step / seconds * (WIDTH - left - MARGIN);
        let [x1, top, bottom] = [x, HEAD, y - 12.0].map(number);
        let css = colour::GRID_FINE.css();
        put!(svg, "<path d=\"M{x1} {top}V{bottom}\" stroke=\"{css}\" stroke-width=\"0.5\" stroke-dasharray=\"2 4\"/>");
        let text = format!("{} s", number(k as f64 * step));
        svg.text(Vec2::new(x, y), TICK, Anchor::Middle, colour::INK_SOFT, &text);
    }
}

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn names_are_whole_or_cut_where_it_shows() {
        assert_eq!(short_name("dataset-1_walk-right_normal_001"), "dataset-1_walk-right_normal_001");
        let cut = short_name(&"ä".repeat(60));
        assert!(cut.chars().count() == 40 && cut.ends_with(".."), "{cut}");
    }
}
