//! A scene from above: bounds, obstacles, the map, the corridor, the path, footprints, the pelvis trajectory, and marked places.
//!
//! ```text
//!  title, note
//!  .--------------------------.
//!  |  o start   ###           |      x to the right and z down, as seen from above: left feet are at the left
//!  |     \____  ###   goal o  |      of who walks
//!  '--------------------------'
//!  legend            scale bar
//! ```
//!
//! What to draw is a list of shapes in pixels, which is then painted or written as SVG: both show the same.

use crate::colour::{self, Colour};
use crate::lettering::text_width;
use crate::shapes::{Anchor, Shape};
use crate::{Image, PictureError};
use surefoot_contact::FootPlan;
use surefoot_geom::{Vec2, ground_point};
use surefoot_ground::{Disk, Scene};
use surefoot_motion::{PerSide, Side};
use surefoot_plan::{SolePrint, SoleShape};

/// What to draw.
#[derive(Clone, Debug)]
pub struct TopView<'a> {
    /// Above everything.
    pub title: &'a str,
    /// After the title.
    pub note: &'a str,
    /// Bounds and obstacles.
    pub scene: &'a Scene,
    /// Where the walk starts, if known.
    pub start: Option<Vec2>,
    /// Where it shall end.
    pub goal: Option<Vec2>,
    /// Lines of the map: the middle of every corridor.
    pub map: &'a [Vec<Vec2>],
    /// The free discs of the corridor.
    pub corridor: &'a [Disk],
    /// The path's points.
    pub path: &'a [Vec2],
    /// Where feet are planted, with the soles of both feet.
    pub footprints: Option<(&'a FootPlan, PerSide<SoleShape>)>,
    /// Where the pelvis is.
    pub pelvis: &'a [Vec2],
    /// Places that are wrong, each with a few words.
    pub marks: &'a [(Vec2, String)],
}

impl<'a> TopView<'a> {
    /// A scene by itself.
    pub fn of_scene(title: &'a str, scene: &'a Scene) -> TopView<'a> {
        TopView {
            title,
            note: "",
            scene,
            start: scene.start.map(|place| place.position),
            goal: scene.goal.map(|place| place.position),
            map: &[],
            corridor: &[],
            path: &[],
            footprints: None,
            pelvis: &[],
            marks: &[],
        }
    }
}

/// Widest and highest that the scene is drawn, in pixels.
const ROOM: Vec2 = Vec2::new(1040.0, 1040.0);
/// Least width and height of a scene in the picture, in pixels: a long narrow one leaves room for words.
const LEAST: Vec2 = Vec2::new(640.0, 80.0);
const MARGIN: f64 = 26.0;
const HEAD: f64 = 46.0;
const FOOT: f64 = 44.0;
const TITLE: f64 = 10.5;
const SMALL: f64 = 7.8;

const FLOOR: Colour = colour::CARD;
const CORRIDOR: Colour = Colour::hex(0xDC_EF_E4);
const OBSTACLE: Colour = Colour::hex(0x9A_A5_B3);
const LOW_OBSTACLE: Colour = Colour::hex(0xC3_CB_D4);
const EDGE: Colour = Colour::hex(0x5D_69_77);
const MAP: Colour = Colour::hex(0xB9_C9_DB);
const PATH: Colour = Colour::hex(0x1B_8A_6B);
const PELVIS: Colour = Colour::hex(0x3A_32_46);
const MARK: Colour = Colour::hex(0xD9_1E_2B);
const PLACE: Colour = Colour::hex(0x7A_3F_A6);

/// Obstacles below this are drawn lighter, in metres: one sees over them.
const LOW: f64 = 1.0;

/// The picture as pixels.
pub fn top_view(view: &TopView<'_>) -> Result<Image, PictureError> {
    let (size, shapes) = compose(view);
    let mut image = Image::new(size.x as u64, size.y as u64, colour::PAGE)?;
    shapes.iter().for_each(|shape| crate::paint_shapes::paint(&mut image, shape));
    Ok(image)
}

/// The picture as an SVG file.
pub fn top_view_svg(view: &TopView<'_>) -> String {
    let (size, shapes) = compose(view);
    let mut svg = crate::svg::Svg::new(size.x as u32, size.y as u32, colour::PAGE);
    shapes.iter().for_each(|shape| crate::shapes::write(&mut svg, shape));
    svg.finish()
}

/// From the ground to pixels.
#[derive(Clone, Copy, Debug)]
struct Frame {
    low: Vec2,
    scale: f64,
    corner: Vec2,
}

impl Frame {
    fn place(&self, at: Vec2) -> Vec2 {
        self.corner + (at - self.low) * self.scale
    }

    fn places(&self, points: &[Vec2]) -> Vec<Vec2> {
        points.iter().filter(|point| point.is_finite()).map(|&point| self.place(point)).collect()
    }
}

/// The size of the picture and what is in it, from the back to the front.
fn compose(view: &TopView<'_>) -> (Vec2, Vec<Shape>) {
    let (low, high) = extent(view);
    let scale = (ROOM / (high - low)).min_element();
    let drawn = (high - low) * scale;
    let room = drawn.max(LEAST);
    let corner = Vec2::new(MARGIN, HEAD) + 0.5 * (room - drawn);
    let frame = Frame { low, scale, corner };
    let size = (room + Vec2::new(2.0 * MARGIN, HEAD + FOOT)).ceil();
    let mut shapes = Vec::new();
    draw_ground(&mut shapes, view, &frame);
    draw_trajectory(&mut shapes, view, &frame);
    draw_feet(&mut shapes, view, &frame);
    draw_places(&mut shapes, view, &frame, size);
    draw_words(&mut shapes, view, size);
    draw_scale(&mut shapes, scale, size);
    (size, shapes)
}

/// Everything that has a place, with a little room; a metre if there is nothing.
fn extent(view: &TopView<'_>) -> (Vec2, Vec2) {
    let obstacles = view.scene.obstacles.iter().flat_map(|obstacle| &obstacle.outline);
    let marks = view.marks.iter().map(|(at, _)| at);
    let all = view.scene.bounds.iter().chain(obstacles).chain(view.path).chain(view.pelvis).chain(marks);
    let points = all.chain(view.start.iter()).chain(view.goal.iter()).filter(|point| point.is_finite());
    let (low, high) =
        points.fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), &point| (low.min(point), high.max(point)));
    if low.x > high.x {
        return (Vec2::ZERO, Vec2::ONE);
    }
    let room = 0.01 * (high - low).max_element().max(1.0);
    (low - Vec2::splat(room), high + Vec2::splat(room))
}

fn draw_ground(shapes: &mut Vec<Shape>, view: &TopView<'_>, frame: &Frame) {
    let area = |points: &[Vec2], fill: Colour, width: f64| Shape::Area {
        points: frame.places(points),
        fill,
        edge: EDGE,
        width,
    };
    shapes.push(area(&view.scene.bounds, FLOOR, 2.0));
    for disk in view.corridor {
        let (centre, radius) = (frame.place(disk.centre), disk.radius * frame.scale);
        shapes.push(Shape::Disc { centre, radius, colour: CORRIDOR });
    }
    for line in view.map {
        shapes.push(Shape::Line { points: frame.places(line), colour: MAP, width: 1.2 });
    }
    for obstacle in &view.scene.obstacles {
        let fill = if obstacle.height.is_some_and(|height| height < LOW) { LOW_OBSTACLE } else { OBSTACLE };
        shapes.push(area(&obstacle.outline, fill, 1.2));
    }
}

fn draw_trajectory(shapes: &mut Vec<Shape>, view: &TopView<'_>, frame: &Frame) {
    if view.path.len() > 1 {
        shapes.push(Shape::Line { points: frame.places(view.path), colour: PATH, width: 2.4 });
    }
}

fn draw_feet(shapes: &mut Vec<Shape>, view: &TopView<'_>, frame: &Frame) {
    if let Some((plan, soles)) = &view.footprints {
        for print in plan.footprints.iter().filter(|print| print.position.is_finite()) {
            let sole = SolePrint::of(&soles[print.side], print);
            let colour = if print.side == Side::Left { colour::LEFT } else { colour::RIGHT };
            let width = (2.0 * sole.half_breadth * frame.scale).max(1.5);
            let points = vec![frame.place(sole.back), frame.place(sole.front)];
            shapes.push(Shape::Line { points, colour, width });
            let ball = frame.place(ground_point(print.position));
            shapes.push(Shape::Disc { centre: ball, radius: 0.22 * width, colour: FLOOR });
        }
    }
    if view.pelvis.len() > 1 {
        shapes.push(Shape::Line { points: frame.places(view.pelvis), colour: PELVIS, width: 1.3 });
    }
}

fn draw_places(shapes: &mut Vec<Shape>, view: &TopView<'_>, frame: &Frame, size: Vec2) {
    for at in view.scene.waypoints.iter().filter(|at| at.is_finite()) {
        let centre = frame.place(*at);
        shapes.push(Shape::Ring { centre, radius: 6.0, colour: PLACE, width: 1.8 });
    }
    for (at, name) in [(view.start, "start"), (view.goal, "goal")] {
        let Some(at) = at.filter(|at| at.is_finite()) else { continue };
        let centre = frame.place(at);
        shapes.push(Shape::Ring { centre, radius: 8.0, colour: PLACE, width: 2.2 });
        shapes.push(Shape::Disc { centre, radius: 3.0, colour: PLACE });
        label(shapes, centre, name, PLACE, size);
    }
    for (at, words) in view.marks.iter().filter(|(at, _)| at.is_finite()) {
        let centre = frame.place(*at);
        shapes.push(Shape::Ring { centre, radius: 13.0, colour: MARK, width: 3.0 });
        let arm = Vec2::splat(6.0);
        for arm in [arm, Vec2::new(-arm.x, arm.y)] {
            let points = vec![centre - arm, centre + arm];
            shapes.push(Shape::Line { points, colour: MARK, width: 2.4 });
        }
        label(shapes, centre, words, MARK, size);
    }
}

/// Words beside a place, on the side where they fit.
fn label(shapes: &mut Vec<Shape>, centre: Vec2, words: &str, colour: Colour, size: Vec2) {
    let width = text_width(words, SMALL);
    let is_right = centre.x + 18.0 + width < size.x - 4.0 || centre.x < 0.5 * size.x;
    let (x, anchor) = if is_right { (centre.x + 17.0, Anchor::Start) } else { (centre.x - 17.0, Anchor::End) };
    let at = Vec2::new(x, centre.y + 0.5 * SMALL);
    shapes.push(Shape::Text { at, words: words.to_string(), size: SMALL, colour, anchor, halo: true });
}

fn draw_words(shapes: &mut Vec<Shape>, view: &TopView<'_>, size: Vec2) {
    let mut text = |at: Vec2, words: &str, size: f64, colour: Colour| {
        let (words, anchor) = (words.to_string(), Anchor::Start);
        shapes.push(Shape::Text { at, words, size, colour, anchor, halo: false });
    };
    let baseline = 0.5 * HEAD + 5.0;
    text(Vec2::new(MARGIN, baseline), view.title, TITLE, colour::INK);
    let after = MARGIN + text_width(view.title, TITLE) + 18.0;
    text(Vec2::new(after, baseline), view.note, SMALL, colour::INK_SOFT);
    let entries = [
        ("obstacle", OBSTACLE, true),
        ("lower than 1 m", LOW_OBSTACLE, view.scene.obstacles.iter().any(|o| o.height.is_some_and(|h| h < LOW))),
        ("map", MAP, !view.map.is_empty()),
        ("corridor", CORRIDOR, !view.corridor.is_empty()),
        ("path", PATH, view.path.len() > 1),
        ("left foot", colour::LEFT, view.footprints.is_some()),
        ("right foot", colour::RIGHT, view.footprints.is_some()),
        ("pelvis", PELVIS, view.pelvis.len() > 1),
    ];
    let (mut x, y) = (MARGIN, size.y - 0.5 * FOOT);
    for (name, colour, _) in entries.into_iter().filter(|entry| entry.2) {
        let centre = Vec2::new(x + 5.0, y);
        shapes.push(Shape::Disc { centre, radius: 5.5, colour });
        shapes.push(Shape::Ring { centre, radius: 5.5, colour: EDGE, width: 0.7 });
        let at = Vec2::new(x + 15.0, y + 0.5 * SMALL);
        let words = name.to_string();
        shapes.push(Shape::Text {
            at,
            words,
            size: SMALL,
            colour: colour::INK_SOFT,
            anchor: Anchor::Start,
            halo: false,
        });
        x += 15.0 + text_width(name, SMALL) + 15.0;
    }
}

/// A bar of a round length, about a sixth of the picture.
fn draw_scale(shapes: &mut Vec<Shape>, scale: f64, size: Vec2) {
    let target = size.x / 6.0 / scale;
    let power = 10.0_f64.powf(target.log10().floor());
    let length = [5.0, 2.0, 1.0].into_iter().map(|n| n * power).find(|&length| length <= target).unwrap_or(power);
    let (right, y) = (size.x - MARGIN, size.y - 0.5 * FOOT);
    let left = right - length * scale;
    let line = |from: Vec2, to: Vec2| Shape::Line { points: vec![from, to], colour: colour::INK, width: 2.0 };
    shapes.push(line(Vec2::new(left, y), Vec2::new(right, y)));
    for x in [left, right] {
        shapes.push(line(Vec2::new(x, y - 5.0), Vec2::new(x, y + 5.0)));
    }
    let words = format!("{} m", crate::svg::number(length));
    let at = Vec2::new(left - 8.0, y + 0.5 * SMALL);
    shapes.push(Shape::Text { at, words, size: SMALL, colour: colour::INK, anchor: Anchor::End, halo: false });
}

#[cfg(test)]
mod tests;
