//! The ground of an SVG picture: grid, marks, path and shadows, in ground coordinates (world X and Z, metres).

use super::{Svg, fine_number, number, put};
use crate::colour;
use crate::framing::grid_spacing;
use crate::scene::{Mark, Scene};
use crate::shadow::key_light;
use crate::view::Camera;
use std::fmt::Write;
use surefoot_geom::{Vec2, Vec3, ground_point};

/// Fine lines are drawn where they are at least so many pixels apart.
const FINE_CLOSEST: f64 = 14.0;
/// Ground that is not level is drawn as lines over it, this far apart at most, in metres; and between their points.
const DRAPED: f64 = 0.25;
const DRAPED_POINTS: f64 = 0.02;
/// Lines of one kind and direction, at most; the ground around a path has no more that could be seen.
const MOST_LINES: f64 = 2000.0;

/// The matrix that takes ground coordinates relative to the target to the picture.
fn matrix(camera: &Camera) -> String {
    let column = |axis: Vec3| Vec2::new(axis.dot(camera.axes.right), -axis.dot(camera.axes.up)) * camera.scale;
    let (x, z) = (column(Vec3::X), column(Vec3::Z));
    let parts = [x.x, x.y, z.x, z.y, camera.centre.x, camera.centre.y];
    format!("matrix({})", parts.map(fine_number).join(" "))
}

/// Ground coordinates relative to the camera's target: small numbers, few digits.
fn local(camera: &Camera, point: Vec2) -> Vec2 {
    point - ground_point(camera.target)
}

fn points(camera: &Camera, points: &[Vec2]) -> String {
    let written = points.iter().map(|&point| {
        let at = local(camera, point);
        format!("{} {}", fine_number(at.x), fine_number(at.y))
    });
    written.collect::<Vec<String>>().join(" ")
}

/// How softly the ground ends, as a share of the stage's radius.
const STAGE_BLUR: f64 = 0.17;
/// How soft shadows are, as a share of the same.
const SHADOW_BLUR: f64 = 0.02;

/// The mask in which the ground is seen, and the blur of shadows, for a picture of this size in pixels.
pub(super) fn define_stage(svg: &mut Svg, camera: &Camera, scene: &Scene, size: [u32; 2]) {
    let radius = scene.stage_radius;
    // Renderers allocate the whole region of a filter: the picture, and as far beyond it as the widest blur reaches.
    let margin = 3.0 * STAGE_BLUR * radius * camera.scale;
    let [width, height] = size.map(|side| number(f64::from(side) + 2.0 * margin));
    let region = format!("x=\"{0}\" y=\"{0}\" width=\"{width}\" height=\"{height}\"", number(-margin));
    put!(svg, "<defs>");
    for (id, blur) in [("stage-blur", STAGE_BLUR * radius), ("shadow-blur", SHADOW_BLUR * radius)] {
        put!(
            svg,
            "<filter id=\"{id}\" filterUnits=\"userSpaceOnUse\" {region}><feGaussianBlur stdDeviation=\"{}\"/></filter>",
            number(blur * camera.scale)
        );
    }
    // A path of one point needs a little length to have round ends.
    let mut stage = scene.stage.clone();
    if let [only] = stage[..] {
        stage.push(only + Vec2::new(1e-3 * radius, 0.0));
    }
    put!(
        svg,
        "<mask id=\"stage\" maskUnits=\"userSpaceOnUse\" {region}>\
         <g filter=\"url(#stage-blur)\"><polyline transform=\"{}\" points=\"{}\" fill=\"none\" stroke=\"#fff\" \
         stroke-width=\"{}\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/></g></mask>",
        matrix(camera),
        points(camera, &stage),
        fine_number(1.2 * radius)
    );
    put!(svg, "</defs>");
}

pub(super) fn draw_ground(svg: &mut Svg, camera: &Camera, scene: &Scene) {
    let spacing = grid_spacing(camera.scale);
    let (low, high) = bounds(scene);
    put!(svg, "<g mask=\"url(#stage)\">");
    let corners = [low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
    put!(svg, "<path d=\"{}Z\" fill=\"{}\"/>", pixel_path(camera, &corners), colour::GROUND.css());
    let fine = scene.relief.as_ref().map_or(spacing / 4.0, |_| (spacing / 4.0).min(DRAPED));
    if fine * camera.scale >= FINE_CLOSEST || scene.relief.is_some() {
        draw_lines(svg, camera, scene, fine, colour::GRID_FINE.css().as_str(), 1.0);
    }
    draw_lines(svg, camera, scene, spacing, colour::GRID.css().as_str(), 1.25);
    put!(svg, "</g>");
    draw_marks(svg, camera, scene);
    draw_shadows(svg, camera, scene);
}

/// The box around the stage, fading included.
fn bounds(scene: &Scene) -> (Vec2, Vec2) {
    let start = scene.stage.first().copied().unwrap_or_default();
    let (low, high) = scene.stage.iter().fold((start, start), |(low, high), &at| (low.min(at), high.max(at)));
    let reach = Vec2::splat(1.1 * scene.stage_radius);
    (low - reach, high + reach)
}

fn draw_lines(svg: &mut Svg, camera: &Camera, scene: &Scene, spacing: f64, ink: &str, width: f64) {
    let (low, high) = bounds(scene);
    let mut lines = String::new();
    for axis in 0..2 {
        let first = (low[axis] / spacing).ceil();
        let n = ((high[axis] / spacing).floor() - first + 1.0).clamp(0.0, MOST_LINES) as usize;
        for i in 0..n {
            let (mut from, mut to) = (low, high);
            from[axis] = (first + i as f64) * spacing;
            to[axis] = from[axis];
            lines.push_str(&line_over(camera, scene, from, to));
        }
    }
    put!(svg, "<path d=\"{lines}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"{}\"/>", number(width));
}

/// A straight line over the ground, which follows its heights.
fn line_over(camera: &Camera, scene: &Scene, from: Vec2, to: Vec2) -> String {
    let Some(relief) = &scene.relief else { return pixel_path(camera, &[from, to]) };
    let n_parts = (from.distance(to) / DRAPED_POINTS).ceil().clamp(1.0, MOST_LINES);
    let all = (0..=n_parts as usize).map(|part| {
        let at = from.lerp(to, part as f64 / n_parts);
        Vec3::new(at.x, relief.height(at), at.y)
    });
    // Points between others of the same height say nothing.
    let mut points: Vec<Vec3> = Vec::new();
    for point in all {
        if let [.., before, last] = points[..]
            && (before.y - last.y).abs() < 1e-6
            && (last.y - point.y).abs() < 1e-6
        {
            points.pop();
        }
        points.push(point);
    }
    pixel_path_in_space(camera, &points)
}

fn pixel_path_in_space(camera: &Camera, points: &[Vec3]) -> String {
    let mut path = String::new();
    for (i, point) in points.iter().enumerate() {
        let at = camera.project_flat(*point);
        let _ = write!(path, "{}{} {}", if i == 0 { 'M' } else { 'L' }, number(at.x), number(at.y));
    }
    path
}

/// A line through ground points, in pixels: lines must not be foreshortened as marks are.
fn pixel_path(camera: &Camera, points: &[Vec2]) -> String {
    let level: Vec<Vec3> = points.iter().map(|point| Vec3::new(point.x, camera.target.y, point.y)).collect();
    pixel_path_in_space(camera, &level)
}

fn draw_marks(svg: &mut Svg, camera: &Camera, scene: &Scene) {
    if scene.path.len() > 1 {
        put!(
            svg,
            "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>",
            pixel_path_in_space(
                camera,
                &scene.path.iter().map(|at| Vec3::new(at.x, scene.height_at(*at), at.y)).collect::<Vec<_>>()
            ),
            colour::PATH.css()
        );
    }
    if scene.marks.is_empty() {
        return;
    }
    for mark in &scene.marks {
        let mut lifted = *camera;
        lifted.centre.y -= (mark.height() - camera.target.y) * camera.axes.up.y * camera.scale;
        put!(svg, "<g transform=\"{}\" fill=\"none\" stroke-linecap=\"round\">", matrix(&lifted));
        match *mark {
            Mark::Planted { at, radius, colour, .. } => {
                let at = local(camera, at);
                put!(
                    svg,
                    "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{css}\" fill-opacity=\"0.28\" stroke=\"{css}\" \
                     stroke-width=\"0.014\" stroke-opacity=\"0.9\"/>",
                    fine_number(at.x),
                    fine_number(at.y),
                    fine_number(radius - 0.007),
                    css = colour.css()
                );
            }
            Mark::Footprint { heel, ball, toe, breadth, colour, .. } => {
                let along = (toe - heel).normalize_or_zero() * (0.7 * breadth);
                put!(svg, "<g stroke=\"{}\" opacity=\"0.5\">", colour.css());
                for (from, to, width) in [(heel + along, ball, 1.5 * breadth), (ball, toe - along, 1.9 * breadth)] {
                    let ends = points(camera, &[from, to]);
                    put!(svg, "<polyline points=\"{ends}\" stroke-width=\"{}\"/>", fine_number(width));
                }
                put!(svg, "</g>");
            }
        }
        put!(svg, "</g>");
    }
}

/// Each capsule's axis along the light onto the ground, as thick as the capsule; all as one blurred shape.
fn draw_shadows(svg: &mut Svg, camera: &Camera, scene: &Scene) {
    let light = key_light(&camera.axes);
    let onto_ground = |point: Vec3| {
        let height = scene.height_at(ground_point(point));
        let shadow = point - light * ((point.y - height) / light.y);
        // Drawn in the plane of the target, where a line of sight through the shadow meets it.
        let toward = camera.axes.toward;
        ground_point(shadow + toward * ((camera.target.y - height) / toward.y))
    };
    put!(
        svg,
        "<g filter=\"url(#shadow-blur)\" opacity=\"0.3\"><g transform=\"{}\" stroke=\"{}\" stroke-linecap=\"round\" \
         fill=\"none\">",
        matrix(camera),
        colour::SHADOW.css()
    );
    for solid in
        scene.solids.iter().filter(|solid| solid.start.y.max(solid.end.y) > scene.height_at(ground_point(solid.start)))
    {
        let (from, mut to) = (onto_ground(solid.start), onto_ground(solid.end));
        if from == to {
            to.x += 1e-4;
        }
        put!(
            svg,
            "<polyline points=\"{}\" stroke-width=\"{}\" opacity=\"{}\"/>",
            points(camera, &[from, to]),
            fine_number(solid.start_radius + solid.end_radius),
            number(1.0 - solid.fade)
        );
    }
    put!(svg, "</g></g>");
}
