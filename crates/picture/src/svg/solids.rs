//! The capsules of an SVG picture: exact outlines, a gradient for each colour, parts painted from far to near.

use super::{Svg, number, put};
use crate::colour::{CARD, Colour};
use crate::scene::{Part, Solid};
use crate::view::Camera;
use std::collections::BTreeMap;
use std::fmt::Write;
use surefoot_geom::{Vec2, Vec3};

/// Thickness of the line around a part, in pixels, to either side of its edge.
const OUTLINE: f64 = 1.1;

/// The name of a colour's gradient.
fn gradient_id(solid: &Solid) -> String {
    format!("c{}-{:02}", &solid.colour.css()[1..], percent(solid.fade))
}

fn percent(share: f64) -> u32 {
    (share.clamp(0.0, 1.0) * 100.0).round() as u32
}

/// A colour that fades into the background.
fn faded(colour: Colour, solid: &Solid) -> String {
    colour.mix(CARD, percent(solid.fade) as f32 / 100.0).css()
}

/// One gradient for each colour and fading in use: light from above left.
pub(super) fn define_gradients<'a>(svg: &mut Svg, solids: impl IntoIterator<Item = &'a Solid>) {
    let used: BTreeMap<String, &Solid> = solids.into_iter().map(|solid| (gradient_id(solid), solid)).collect();
    put!(svg, "<defs>");
    for (id, solid) in used {
        let (white, black) = (Colour::hex(0xFF_FF_FF), Colour::hex(0x00_00_00));
        let stops = [(0, solid.colour.mix(white, 0.3)), (45, solid.colour), (100, solid.colour.mix(black, 0.24))];
        put!(svg, "<linearGradient id=\"{id}\" x1=\"0.1\" y1=\"0\" x2=\"0.9\" y2=\"1\">");
        for (place, colour) in stops {
            put!(svg, "<stop offset=\"{place}%\" stop-color=\"{}\"/>", faded(colour, solid));
        }
        put!(svg, "</linearGradient>");
    }
    put!(svg, "</defs>");
}

pub(super) fn draw_solids(svg: &mut Svg, camera: &Camera, solids: &[Solid]) {
    let mut parts: BTreeMap<Part, Vec<&Solid>> = BTreeMap::new();
    for solid in solids {
        parts.entry(solid.part).or_default().push(solid);
    }
    let mut parts: Vec<Vec<&Solid>> = parts.into_values().collect();
    parts.sort_by(|a, b| depth(camera, a).total_cmp(&depth(camera, b)));
    for part in parts {
        let Some(first) = part.first() else { continue };
        let path: String = part.iter().map(|solid| outline(camera, solid)).collect();
        let dark = first.colour.mix(Colour::hex(0x10_18_20), 0.55);
        // The line is painted first, so that the filling hides what of it is inside the part.
        put!(
            svg,
            "<path d=\"{path}\" fill=\"url(#{})\" stroke=\"{}\" stroke-width=\"{}\" paint-order=\"stroke\"/>",
            gradient_id(first),
            faded(dark, first),
            number(2.0 * OUTLINE)
        );
    }
}

/// The mean depth of a part's capsules, by their length.
fn depth(camera: &Camera, solids: &[&Solid]) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for solid in solids {
        let weight = solid.start.distance(solid.end) + solid.start_radius;
        let middle = camera.project((solid.start + solid.end) / 2.0).z + solid.layer * camera.scale;
        sum += middle * weight;
        total += weight;
    }
    sum / f64::max(total, 1e-12)
}

/// The outline of a capsule: the line around both end circles, or the larger circle where it hides the other.
fn outline(camera: &Camera, solid: &Solid) -> String {
    let [from, to] = [solid.start, solid.end].map(|point: Vec3| camera.project_flat(point));
    let [from_radius, to_radius] = [solid.start_radius, solid.end_radius].map(|radius| radius * camera.scale);
    let line = to - from;
    let length = line.length();
    if length <= (from_radius - to_radius).abs() + 1e-9 {
        let (centre, radius) = if from_radius >= to_radius { (from, from_radius) } else { (to, to_radius) };
        return circle(centre, radius);
    }
    // The touching lines' normals make this angle with the line from start to end: cos = (r0 - r1) / length.
    let along = line / length;
    let cosine = (from_radius - to_radius) / length;
    let sine = (1.0 - cosine * cosine).sqrt();
    let normal = |sign: f64| along * cosine + along.perp() * (sine * sign);
    let corners = [
        from + normal(1.0) * from_radius,
        to + normal(1.0) * to_radius,
        to + normal(-1.0) * to_radius,
        from + normal(-1.0) * from_radius,
    ];
    // The wider end shows more than half of its circle.
    let large = [u8::from(to_radius > from_radius), u8::from(from_radius > to_radius)];
    let mut path = String::new();
    let at = |point: Vec2| format!("{} {}", number(point.x), number(point.y));
    let arc = |radius: f64, large: u8| format!("A{r} {r} 0 {large} 0", r = number(radius));
    let _ = write!(path, "M{}L{}", at(corners[0]), at(corners[1]));
    let _ = write!(path, "{} {}", arc(to_radius, large[0]), at(corners[2]));
    let _ = write!(path, "L{}{} {}Z", at(corners[3]), arc(from_radius, large[1]), at(corners[0]));
    path
}

fn circle(centre: Vec2, radius: f64) -> String {
    let (x, y, r) = (number(centre.x - radius), number(centre.y), number(radius));
    let across = number(2.0 * radius);
    format!("M{x} {y}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0Z")
}
