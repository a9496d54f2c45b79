//! Soft shadows of capsules on the ground.
//!
//! Looked at from the light, a shadow is the capsule's own outline: on the plane square to the light, a ground point's
//! distance to the capsule's axis says how deep in the shadow it is. The further the capsule is from the ground point, the
//! wider the light's disc blurs the edge, so a foot's shadow is sharp and a head's soft. A second, wide light straight above
//! darkens the ground right under low parts: it shows whether a foot touches.

use crate::image::Rect;
use crate::relief::Relief;
use crate::scene::Solid;
use crate::view::{Axes, Camera, GroundMap};
use surefoot_geom::{Vec2, Vec3, ground_point, smoothstep};

/// Where the lamp is: left of the viewer, above, and on the viewer's side of the scene. Seen from above, where a shadow is not
/// foreshortened, it stands higher.
pub(crate) fn key_light(axes: &Axes) -> Vec3 {
    let viewer = Vec3::new(axes.toward.x, 0.0, axes.toward.z);
    let lean = 0.12 + 0.38 * viewer.length();
    (Vec3::Y - lean * axes.right + 0.7 * lean * viewer).normalize()
}

/// A light that throws shadows.
struct Lamp {
    /// Unit, towards the light.
    direction: Vec3,
    /// Half of the blurred edge for each metre between capsule and shadow, and at the least, in metres.
    blur: f64,
    sharpest: f64,
    /// Metres from the ground over which the shadow fades by a factor e; infinite for the sun.
    fading: f64,
}

/// Side of the squares of pixels for which shadows are computed; in between they are interpolated, being soft.
const CELL: u32 = 2;

/// The share of light kept from each point of a rectangle: by the lamp, and by the sky right above.
pub(crate) struct Shadows {
    lamp: ShadowMap,
    sky: ShadowMap,
}

impl Shadows {
    /// Lamp's and sky's share kept from a pixel, counted from the rectangle's corner.
    #[inline]
    pub(crate) fn at(&self, x: u32, y: u32) -> [f32; 2] {
        [self.lamp.at(x, y), self.sky.at(x, y)]
    }
}

/// Shadows of all solids on the ground at the camera's target height.
pub(crate) fn cast_shadows(rect: Rect, camera: &Camera, solids: &[Solid], relief: Option<&Relief>) -> Shadows {
    let lamp = Lamp { direction: key_light(&camera.axes), blur: 0.07, sharpest: 0.014, fading: f64::INFINITY };
    let sky = Lamp { direction: Vec3::Y, blur: 0.5, sharpest: 0.02, fading: 0.09 };
    let floor = Floor::new(rect, camera, relief);
    Shadows { lamp: cast(rect, camera, solids, &lamp, &floor), sky: cast(rect, camera, solids, &sky, &floor) }
}

fn cast(rect: Rect, camera: &Camera, solids: &[Solid], lamp: &Lamp, floor: &Floor<'_>) -> ShadowMap {
    let mut map = ShadowMap::new(rect);
    for solid in solids {
        if let Some(caster) = Caster::new(solid, camera, lamp, floor) {
            caster.darken(floor, lamp, &mut map);
        }
    }
    map
}

/// What shadows fall on, relative to the camera's target.
struct Floor<'a> {
    relief: Option<&'a Relief>,
    target: Vec3,
    ground: GroundMap,
    /// What is seen at the corners of cells, row by row, where the ground is not level.
    seen: Vec<Vec3>,
    /// The least and the largest height.
    range: [f64; 2],
}

impl Floor<'_> {
    fn new<'a>(rect: Rect, camera: &Camera, relief: Option<&'a Relief>) -> Floor<'a> {
        let (ground, target) = (camera.ground_map(), camera.target);
        let map = ShadowMap::new(rect);
        let seen = |index: usize, relief: &Relief| {
            let at = ground.at(map.corner(index / map.columns, index % map.columns));
            relief.seen(Vec3::new(at.x, target.y, at.y), camera.axes.toward).point - target
        };
        let corners = |relief| (0..map.dark.len()).map(|index| seen(index, relief)).collect();
        Floor {
            relief,
            target,
            ground,
            seen: relief.map_or_else(Vec::new, corners),
            range: relief.map_or([0.0; 2], |relief| relief.range.map(|height| height - target.y)),
        }
    }

    /// The height of the ground under a point, both relative to the target.
    fn under(&self, point: Vec3) -> f64 {
        self.relief.map_or(0.0, |relief| relief.height(ground_point(point + self.target)) - self.target.y)
    }

    /// What is seen at the corner of a cell.
    fn at(&self, map: &ShadowMap, row: usize, column: usize) -> Vec3 {
        match self.seen.get(row * map.columns + column) {
            Some(point) => *point,
            None => {
                let at = self.ground.at(map.corner(row, column));
                Vec3::new(at.x - self.target.x, 0.0, at.y - self.target.z)
            }
        }
    }
}

/// One light's shadows at the corners of cells.
struct ShadowMap {
    rect: Rect,
    columns: usize,
    dark: Vec<f32>,
}

impl ShadowMap {
    fn new(rect: Rect) -> ShadowMap {
        let [columns, rows] = [rect.width, rect.height].map(|side| side.div_ceil(CELL) as usize + 1);
        ShadowMap { rect, columns, dark: vec![0.0; columns * rows] }
    }

    /// The pixel of a cell's corner.
    fn corner(&self, row: usize, column: usize) -> Vec2 {
        let corner = Vec2::new(f64::from(self.rect.x), f64::from(self.rect.y));
        corner + Vec2::new(column as f64, row as f64) * f64::from(CELL)
    }

    /// The map's columns or rows within an interval of pixels that begins at `origin`.
    fn range(&self, low: f64, high: f64, origin: u32, n: usize) -> std::ops::Range<usize> {
        let cell = |pixel: f64| ((pixel - f64::from(origin)) / f64::from(CELL)).clamp(0.0, n as f64);
        cell(low).floor() as usize..cell(high).ceil() as usize
    }

    #[inline]
    fn at(&self, x: u32, y: u32) -> f32 {
        let (column, row) = ((x / CELL) as usize, (y / CELL) as usize);
        let share = |pixel: u32| ((pixel % CELL) as f32 + 0.5) / CELL as f32;
        let first = row * self.columns + column;
        let mix = |from: f32, to: f32, share: f32| from + (to - from) * share;
        let above = mix(self.dark[first], self.dark[first + 1], share(x));
        let next = first + self.columns;
        let below = mix(self.dark[next], self.dark[next + 1], share(x));
        mix(above, below, share(y))
    }
}

/// A capsule as the lamp sees it.
struct Caster {
    /// Ends on the plane square to the light.
    ends: [Vec2; 2],
    /// Ends' distances along the light from the ground plane's point under the target.
    along: [f64; 2],
    radii: [f64; 2],
    /// Pixels that the shadow may touch.
    low: Vec2,
    high: Vec2,
    strength: f64,
}

/// Two directions square to the light and to one another.
fn plane_axes(direction: Vec3) -> [Vec3; 2] {
    let (one, two) = direction.any_orthonormal_pair();
    [one, two]
}

impl Caster {
    /// `None` for a capsule whose shadow has faded, or that is wholly under the ground.
    fn new(solid: &Solid, camera: &Camera, lamp: &Lamp, floor: &Floor<'_>) -> Option<Caster> {
        let points = [solid.start - camera.target, solid.end - camera.target];
        let radii = [solid.start_radius, solid.end_radius];
        let under = floor.under(0.5 * (points[0] + points[1]));
        let clearance = ((points[0].y - radii[0]).min(points[1].y - radii[1]) - under).max(0.0);
        let strength = (1.0 - solid.fade) * (-clearance / lamp.fading).exp();
        if strength < 0.02 || (points[0].y - under < -radii[0] && points[1].y - under < -radii[1]) {
            return None;
        }
        let [one, two] = plane_axes(lamp.direction);
        let ends = points.map(|point| Vec2::new(point.dot(one), point.dot(two)));
        let along = points.map(|point| point.dot(lamp.direction));
        let mut low = Vec2::INFINITY;
        let mut high = Vec2::NEG_INFINITY;
        let falls = points.into_iter().zip(radii).flat_map(|end| floor.range.map(|level| (end, level)));
        for ((point, radius), level) in falls {
            let distance = (point.y - level).max(0.0) / lamp.direction.y;
            let foot = point - lamp.direction * ((point.y - level) / lamp.direction.y);
            let pixel = camera.project_flat(camera.target + foot);
            // A slanting light draws the shadow out by at most 1 / sin of its height.
            let reach = (radius + lamp.sharpest + lamp.blur * distance) / lamp.direction.y * camera.scale;
            low = low.min(pixel - Vec2::splat(reach));
            high = high.max(pixel + Vec2::splat(reach));
        }
        Some(Caster { ends, along, radii, low, high, strength })
    }

    fn darken(&self, floor: &Floor<'_>, lamp: &Lamp, map: &mut ShadowMap) {
        let [one, two] = plane_axes(lamp.direction);
        let (columns, rows) = (map.columns, map.dark.len() / map.columns);
        let offset = self.ends[1] - self.ends[0];
        let per_length = 1.0 / offset.length_squared().max(1e-12);
        for row in map.range(self.low.y, self.high.y, map.rect.y, rows) {
            for column in map.range(self.low.x, self.high.x, map.rect.x, columns) {
                let point = floor.at(map, row, column);
                let seen = Vec2::new(point.dot(one), point.dot(two)) - self.ends[0];
                let share = (seen.dot(offset) * per_length).clamp(0.0, 1.0);
                let distance = seen.distance(offset * share);
                let gap = self.along[0] + (self.along[1] - self.along[0]) * share - point.dot(lamp.direction);
                let radius = self.radii[0] + (self.radii[1] - self.radii[0]) * share;
                // Ground above the capsule is lit.
                if !floor.seen.is_empty() && gap < -radius {
                    continue;
                }
                let blur = lamp.sharpest + lamp.blur * gap.max(0.0);
                let inside = smoothstep((radius + blur - distance) / (2.0 * blur));
                // A capsule smaller than the lamp's disc covers only part of it.
                let cover = (1.3 * radius / blur).min(1.0);
                let dark = (inside * cover * self.strength) as f32;
                let cell = &mut map.dark[row * columns + column];
                *cell = cell.max(dark);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::LEFT;
    use crate::scene::Part;
    use crate::view::View;

    #[test]
    fn a_ball_darkens_the_ground_below_it_less_the_higher_it_is() {
        let axes = Axes::new(View::Top, Vec3::Z);
        let camera = Camera { axes, target: Vec3::ZERO, centre: Vec2::splat(100.0), scale: 200.0 };
        let rect = Rect { x: 0, y: 0, width: 200, height: 200 };
        let under = |height: f64| {
            let at = Vec3::new(0.0, height, 0.0);
            let part = Part { figure: 0, limb: 0 };
            let ball = Solid {
                start: at,
                end: at,
                start_radius: 0.05,
                end_radius: 0.05,
                colour: LEFT,
                fade: 0.0,
                layer: 0.0,
                part,
            };
            let shadows = cast_shadows(rect, &camera, &[ball], None);
            assert_eq!(shadows.at(2, 2), [0.0; 2], "far from the ball");
            shadows.at(100, 100)[1]
        };
        let darkness = [0.05, 0.1, 0.2, 0.4].map(under);
        assert!(darkness[0] > 0.8, "{darkness:?}");
        assert!(darkness.windows(2).all(|w| w[0] > w[1] || w[1] == 0.0), "{darkness:?}");
        assert_eq!(under(-0.5), 0.0, "below the ground");
    }
}
