//! The ground: metre grid, marks, path and shadows, fading out around what stands on it.

use crate::colour::{self, Colour};
use crate::framing::grid_spacing;
use crate::image::{Image, Rect, nearest_on_segment};
use crate::relief::{Relief, Seen};
use crate::scene::{Mark, Scene};
use crate::shadow::{Shadows, cast_shadows};
use crate::view::{Camera, GroundMap};
use surefoot_geom::{Vec2, Vec3, ground_point, smoothstep};

/// Width of the strong and fine grid lines, in pixels.
const LINE: f64 = 1.25;
const FINE_LINE: f64 = 1.0;
/// Fine lines in each space between strong ones are drawn where they are at least so many pixels apart.
const FINE_LINES: f64 = 4.0;
const FINE_CLOSEST: f64 = 14.0;
/// Width of the path's line, in pixels.
const PATH_LINE: f64 = 2.0;
/// Width of the line around a planted part, in pixels, and how strongly the colour fills it.
const RING_LINE: f64 = 1.8;
const RING_FILL: f32 = 0.28;
/// Side of the squares of pixels over which the ground's fading is interpolated.
const CELL: u32 = 8;
/// How much of the ground's light lamp and sky shadows take.
const LAMP_SHADOW: f32 = 0.42;
const SKY_SHADOW: f32 = 0.5;
/// How much darker than level ground faces are: risers, the sides of stones.
const FACE_SHADE: f32 = 0.35;

/// Lines of sight along a side of a pixel that an edge of the ground goes through.
const EDGE_SIGHTS: u32 = 4;

/// Draws the ground over what is in `rect`.
pub(crate) fn draw_ground(image: &mut Image, rect: Rect, camera: &Camera, scene: &Scene) {
    let ground = camera.ground_map();
    let grid = Grid::new(camera.scale, &ground);
    let stage = Stage { points: &scene.stage, radius: scene.stage_radius };
    if let Some(relief) = &scene.relief {
        draw_relief(image, rect, camera, &grid, &stage, relief);
    } else {
        draw_level(image, rect, &ground, &grid, &stage);
    }
    draw_path(image, camera, scene);
    for mark in &scene.marks {
        draw_mark(image, rect, &ground, camera, mark);
    }
    draw_shadows(image, rect, &cast_shadows(rect, camera, &scene.solids, scene.relief.as_ref()));
}

/// Draws ground that is not level, pixel by pixel: faces are darker than what feet are planted on. Pixels across an edge are the mean of
/// several lines of sight, so that edges are not jagged.
fn draw_relief(image: &mut Image, rect: Rect, camera: &Camera, grid: &Grid, stage: &Stage<'_>, relief: &Relief) {
    let ground = camera.ground_map();
    let corner = Vec2::new(f64::from(rect.x), f64::from(rect.y));
    let see = |x: f64, y: f64| {
        let at = ground.at(corner + Vec2::new(x, y));
        relief.seen(Vec3::new(at.x, camera.target.y, at.y), camera.axes.toward)
    };
    let colour_of = |seen: Seen| {
        if seen.is_face {
            colour::GROUND.mix(colour::SHADOW, FACE_SHADE)
        } else {
            grid.colour(ground_point(seen.point))
        }
    };
    let [width, height] = [rect.width as usize, rect.height as usize];
    let centre = |index: usize| see((index % width) as f64 + 0.5, (index / width) as f64 + 0.5);
    let seen: Vec<Seen> = (0..width * height).map(centre).collect();
    for (index, &here) in seen.iter().enumerate() {
        let share = stage.presence(ground_point(here.point));
        if share <= 0.0 {
            continue;
        }
        let (x, y) = (index % width, index / width);
        let differs = |other: usize| here.is_edge_to(&seen[other]);
        let is_edge = (x > 0 && differs(index - 1))
            || (x + 1 < width && differs(index + 1))
            || (y > 0 && differs(index - width))
            || (y + 1 < height && differs(index + width));
        let colour = if is_edge {
            let mut mean = colour_of(here);
            for k in 0..EDGE_SIGHTS * EDGE_SIGHTS {
                let [dx, dy] =
                    [k % EDGE_SIGHTS, k / EDGE_SIGHTS].map(|part| (f64::from(part) + 0.5) / f64::from(EDGE_SIGHTS));
                let one = colour_of(see(x as f64 + dx, y as f64 + dy));
                mean = mean.mix(one, 1.0 / (k + 1) as f32);
            }
            mean
        } else {
            colour_of(here)
        };
        image.blend(rect.x + x as u32, rect.y + y as u32, colour, share);
    }
}

fn draw_level(image: &mut Image, rect: Rect, ground: &GroundMap, grid: &Grid, stage: &Stage<'_>) {
    let corner = Vec2::new(f64::from(rect.x), f64::from(rect.y));
    for cell_y in (0..rect.height).step_by(CELL as usize) {
        for cell_x in (0..rect.width).step_by(CELL as usize) {
            // The stage fades over many cells, so its corners' presence is enough.
            let presence = [(0, 0), (CELL, 0), (0, CELL), (CELL, CELL)].map(|(dx, dy)| {
                let pixel = Vec2::new(f64::from(cell_x + dx), f64::from(cell_y + dy));
                stage.presence(ground.at(corner + pixel))
            });
            if presence.iter().all(|&share| share <= 0.0) {
                continue;
            }
            for y in cell_y..(cell_y + CELL).min(rect.height) {
                for x in cell_x..(cell_x + CELL).min(rect.width) {
                    let at = ground.at(corner + Vec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5));
                    let share = interpolate(presence, x - cell_x, y - cell_y);
                    image.blend(rect.x + x, rect.y + y, grid.colour(at), share);
                }
            }
        }
    }
}

/// Between a cell's corners (top left, top right, bottom left, bottom right), at a pixel in it.
fn interpolate(corners: [f32; 4], x: u32, y: u32) -> f32 {
    let [x, y] = [x, y].map(|pixel| (pixel as f32 + 0.5) / CELL as f32);
    let top = corners[0] + (corners[1] - corners[0]) * x;
    let bottom = corners[2] + (corners[3] - corners[2]) * x;
    top + (bottom - top) * y
}

fn draw_shadows(image: &mut Image, rect: Rect, shadows: &Shadows) {
    for y in 0..rect.height {
        for x in 0..rect.width {
            let [lamp, sky] = shadows.at(x, y);
            if lamp > 0.0 || sky > 0.0 {
                let light = (1.0 - LAMP_SHADOW * lamp) * (1.0 - SKY_SHADOW * sky);
                image.blend(rect.x + x, rect.y + y, colour::SHADOW, 1.0 - light);
            }
        }
    }
}

/// Grid lines at a scale.
struct Grid {
    spacing: f64,
    /// Metres per pixel across lines of constant X, and of constant Z.
    per_pixel: [f64; 2],
    fine: bool,
}

impl Grid {
    fn new(scale: f64, ground: &GroundMap) -> Grid {
        let spacing = grid_spacing(scale);
        let across = |axis: usize| ground.per_pixel_x[axis].hypot(ground.per_pixel_y[axis]);
        Grid { spacing, per_pixel: [across(0), across(1)], fine: spacing * scale / FINE_LINES >= FINE_CLOSEST }
    }

    /// The ground's colour at a point.
    fn colour(&self, at: Vec2) -> Colour {
        let mut shade = colour::GROUND;
        if self.fine {
            shade = shade.mix(colour::GRID_FINE, self.coverage(at, self.spacing / FINE_LINES, FINE_LINE));
        }
        shade.mix(colour::GRID, self.coverage(at, self.spacing, LINE))
    }

    /// How much of a pixel the lines of one spacing cover. Lines that the view draws together grow fainter instead of
    /// filling the ground.
    fn coverage(&self, at: Vec2, spacing: f64, width: f64) -> f32 {
        let line = |value: f64, per_pixel: f64| {
            let from_line = (value / spacing - (value / spacing).round()).abs() * spacing / per_pixel;
            let crowding = (spacing / per_pixel / 6.0 - 0.5).clamp(0.0, 1.0);
            (width / 2.0 + 0.5 - from_line).clamp(0.0, 1.0).min(width) * crowding
        };
        line(at.x, self.per_pixel[0]).max(line(at.y, self.per_pixel[1])) as f32
    }
}

/// Where the ground is seen.
struct Stage<'a> {
    points: &'a [Vec2],
    radius: f64,
}

impl Stage<'_> {
    /// 1 near the stage's points, 0 beyond its radius.
    fn presence(&self, at: Vec2) -> f32 {
        let nearest = match self.points {
            [] => return 0.0,
            [only] => at.distance(*only),
            points => points
                .windows(2)
                .map(|pair| at.distance_squared(nearest_on_segment(at, pair[0], pair[1])))
                .fold(f64::INFINITY, f64::min)
                .sqrt(),
        };
        smoothstep((self.radius - nearest) / (0.65 * self.radius).max(1e-9)) as f32
    }
}

fn draw_path(image: &mut Image, camera: &Camera, scene: &Scene) {
    let project = |point: &Vec2| camera.project_flat(Vec3::new(point.x, scene.height_at(*point), point.y));
    let points: Vec<Vec2> = scene.path.iter().map(project).collect();
    for pair in points.windows(2) {
        image.draw_segment(pair[0], pair[1], PATH_LINE, colour::PATH);
    }
}

fn draw_mark(image: &mut Image, rect: Rect, ground: &GroundMap, camera: &Camera, mark: &Mark) {
    let height = mark.height();
    let ground = &ground.lifted(camera, height);
    // Distances on the ground become pixels by the mean of the two foreshortenings; at the edges of thin marks seen from the
    // side this blurs by a fraction of a pixel.
    let metres_per_pixel = (ground.per_pixel_x.perp_dot(ground.per_pixel_y)).abs().sqrt();
    let pixels = |metres: f64| metres / metres_per_pixel;
    let bounds = |points: &[Vec2], reach: f64| {
        let mut low = Vec2::INFINITY;
        let mut high = Vec2::NEG_INFINITY;
        for point in points {
            let pixel = camera.project_flat(Vec3::new(point.x, height, point.y));
            low = low.min(pixel - Vec2::splat(reach * camera.scale + 2.0));
            high = high.max(pixel + Vec2::splat(reach * camera.scale + 2.0));
        }
        let panel_low = Vec2::new(f64::from(rect.x), f64::from(rect.y));
        (low.max(panel_low), high.min(panel_low + Vec2::new(f64::from(rect.width), f64::from(rect.height))))
    };
    match *mark {
        Mark::Planted { at, radius, colour, .. } => {
            let (low, high) = bounds(&[at], radius);
            // In pixels across the ring, so that its line is as wide seen from the side as from above.
            let from_ring = |pixel: Vec2| {
                let offset = ground.at(pixel) - at;
                let outward = offset.normalize_or(Vec2::X);
                let per_pixel = outward.dot(ground.per_pixel_x).hypot(outward.dot(ground.per_pixel_y));
                (offset.length() - radius) / per_pixel.max(1e-9)
            };
            image.fill_shape(low, high, colour, RING_FILL, from_ring);
            image.fill_shape(low, high, colour, 1.0, |pixel| from_ring(pixel).abs() - RING_LINE / 2.0);
        }
        Mark::Footprint { heel, ball, toe, breadth, colour, .. } => {
            let (low, high) = bounds(&[heel, ball, toe], breadth);
            image.fill_shape(low, high, colour, 0.5, |pixel| {
                pixels(sole_distance(ground.at(pixel), heel, ball, toe, breadth))
            });
        }
    }
}

/// Signed distance to the outline of a sole: narrow at the heel, broad at the ball, narrower at the toes.
fn sole_distance(at: Vec2, heel: Vec2, ball: Vec2, toe: Vec2, breadth: f64) -> f64 {
    let (heel_radius, toe_radius) = (0.72 * breadth, 0.7 * breadth);
    let along = (toe - heel).normalize_or_zero();
    let (heel, toe) = (heel + along * heel_radius, toe - along * toe_radius);
    tapered_distance(at, heel, ball, heel_radius, breadth).min(tapered_distance(at, ball, toe, breadth, toe_radius))
}

/// Signed distance to discs along a segment whose radius goes from one value to another; a little short beside the taper.
fn tapered_distance(at: Vec2, from: Vec2, to: Vec2, from_radius: f64, to_radius: f64) -> f64 {
    let offset = to - from;
    let share = ((at - from).dot(offset) / offset.length_squared().max(1e-12)).clamp(0.0, 1.0);
    at.distance(from + offset * share) - (from_radius + (to_radius - from_radius) * share)
}
