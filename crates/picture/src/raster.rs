//! Tapered capsules as shaded pixels: an exact, z-buffered, antialiased rasteriser.
//!
//! # Idea
//!
//! A tapered capsule is the union of balls whose centre and radius go straight from one end to the other. Seen in parallel
//! along z, the ball at share `t` of the way shows at a pixel `p` the height
//!
//! ```text
//!   f(t) = z(t) + sqrt(q(t)),   q(t) = r(t)^2 - |p - c(t)|^2 = A t^2 + 2 B t + C
//! ```
//!
//! and the surface is the largest f over t in [0, 1]. Where f' = 0, with u = A t + B and D = B^2 - A C,
//!
//! ```text
//!   u^2 = dz^2 D / (dz^2 - A),   u of the sign opposite to dz,   t = (u - B) / A
//! ```
//!
//! so one square root finds t, another the height, and the normal is the ball's own: (p - c(t), sqrt q) / r(t). No triangles,
//! no seams between ends and side.
//!
//! # Steps, for each tile of the picture
//!
//! 1. Rasterise the capsules that touch the tile into a buffer of depth, normal and index, [`SAMPLES`] x [`SAMPLES`] for
//!    each pixel.
//! 2. Shade each covered sample: key light, sky and ground light, darker towards the outline, and darker where something
//!    nearer stands beside it (a shadow of the depth buffer; it tells a limb from what is behind it).
//! 3. Average a pixel's samples as light, and lay the colour over what is there by its share of covered samples.

use crate::colour::{CARD, Colour};
use crate::image::{Image, Rect};
use crate::scene::Solid;
use crate::shadow::key_light;
use crate::view::Camera;

/// Samples along each side of a pixel.
const SAMPLES: usize = 3;
/// Side of a tile in pixels: its buffer stays in the cache.
const TILE: usize = 64;
/// How far a nearer limb darkens what is behind it, in metres, and at most in pixels.
const HALO: f32 = 0.035;
const HALO_PIXELS: f32 = 12.0;
/// A step in depth is seen as one from the first of these on, fully from the second, in metres.
const HALO_STEP: [f32; 2] = [0.025, 0.12];
/// Surfaces of one colour run into each other where they are closer in depth than this, in metres.
const JOIN: f32 = 0.03;
/// No capsule.
const EMPTY: u16 = u16::MAX;

/// Draws capsules over what is in `rect`.
pub(crate) fn draw_solids(image: &mut Image, rect: Rect, camera: &Camera, solids: &[Solid]) {
    let light = Lighting::new(camera);
    // Indices are 16 bits; a picture has at most 512 figures, each of some dozens of capsules.
    for chunk in solids.chunks(usize::from(EMPTY)) {
        let cones: Vec<Cone> = chunk.iter().map(|solid| Cone::new(solid, camera)).collect();
        let mut tile = Tile::new(light.halo.ceil() as usize);
        for y in (rect.y..rect.bottom()).step_by(TILE) {
            for x in (rect.x..rect.right()).step_by(TILE) {
                let width = (TILE as u32).min(rect.right() - x);
                let height = (TILE as u32).min(rect.bottom() - y);
                tile.draw(image, Rect { x, y, width, height }, &cones, &light);
            }
        }
    }
}

/// A tapered capsule in pixels: x right, y down, z towards the viewer.
struct Cone {
    start: [f32; 3],
    /// From start to end.
    way: [f32; 3],
    start_radius: f32,
    /// End radius less start radius.
    growth: f32,
    /// A of the module's equation.
    a: f32,
    /// 1 / A; unused where A is about 0.
    per_a: f32,
    /// dz^2 / (dz^2 - A); 0 where one end's ball holds the other.
    tilt: f32,
    low: [f32; 2],
    high: [f32; 2],
    /// Amounts of light that it reflects.
    albedo: [f32; 3],
    fade: f32,
    figure: u32,
}

impl Cone {
    fn new(solid: &Solid, camera: &Camera) -> Cone {
        let mut start = camera.project(solid.start);
        let way = camera.project(solid.end) - start;
        start.z += solid.layer * camera.scale;
        let radius = solid.start_radius * camera.scale;
        let growth = (solid.end_radius - solid.start_radius) * camera.scale;
        let a = growth * growth - way.truncate().length_squared();
        let apart = way.length_squared() - growth * growth;
        let tilt = if apart > 1e-9 { way.z * way.z / apart } else { 0.0 };
        let reach = |sign: f64| {
            let (first, last) = (start.truncate() + sign * radius, (start + way).truncate() + sign * (radius + growth));
            if sign < 0.0 { first.min(last) } else { first.max(last) }
        };
        let (low, high) = (reach(-1.0), reach(1.0));
        Cone {
            start: start.to_array().map(|value| value as f32),
            way: way.to_array().map(|value| value as f32),
            start_radius: radius as f32,
            growth: growth as f32,
            a: a as f32,
            per_a: (1.0 / a) as f32,
            tilt: tilt as f32,
            low: [low.x as f32, low.y as f32],
            high: [high.x as f32, high.y as f32],
            albedo: solid.colour.to_linear(),
            fade: solid.fade as f32,
            figure: solid.part.figure,
        }
    }

    /// Whether the two are skin of one figure, with no line between them.
    #[inline]
    fn runs_into(&self, other: &Cone) -> bool {
        self.figure == other.figure && self.albedo == other.albedo
    }

    /// A pixel interval that holds the capsule on the line at height y.
    #[inline]
    fn row(&self, y: f32) -> [f32; 2] {
        // Balls that reach y: |y - c_y(t)| <= r(t), for the larger radius in place of r(t).
        let radius = self.start_radius.max(self.start_radius + self.growth);
        let (from, way) = (y - self.start[1], self.way[1]);
        let (t0, t1) = if way.abs() > 1e-3 {
            let (a, b) = ((from - radius) / way, (from + radius) / way);
            (a.min(b).clamp(0.0, 1.0), a.max(b).clamp(0.0, 1.0))
        } else {
            (0.0, 1.0)
        };
        let (x0, x1) = (self.start[0] + self.way[0] * t0, self.start[0] + self.way[0] * t1);
        [(x0.min(x1) - radius).max(self.low[0]), (x0.max(x1) + radius).min(self.high[0])]
    }

    /// The ball that shows at a pixel coordinate.
    #[inline]
    fn hit(&self, x: f32, y: f32) -> Option<Hit> {
        let (px, py) = (x - self.start[0], y - self.start[1]);
        let b = self.start_radius * self.growth + px * self.way[0] + py * self.way[1];
        let c = self.start_radius * self.start_radius - px * px - py * py;
        let d = b * b - self.a * c;
        if self.a < -1e-3 {
            if d < 0.0 {
                return None;
            }
            let u = -(d * self.tilt).sqrt().copysign(self.way[2]);
            return self.at(((u - b) * self.per_a).clamp(0.0, 1.0), b, c);
        }
        // Seen along its axis: heights have no single peak in t, so compare the ends and the inner peak, if any.
        let inner =
            (d >= 0.0 && self.a > 1e-3).then(|| (-(d * self.tilt).sqrt().copysign(self.way[2]) - b) * self.per_a);
        let shares = [Some(0.0), Some(1.0), inner.filter(|t| (0.0..=1.0).contains(t))];
        shares.into_iter().flatten().filter_map(|t| self.at(t, b, c)).max_by(|one, two| one.depth.total_cmp(&two.depth))
    }

    /// The ball at share `t`, unless the pixel of these B and C misses it.
    #[inline]
    fn at(&self, t: f32, b: f32, c: f32) -> Option<Hit> {
        let q = (self.a * t + 2.0 * b) * t + c;
        if q < 0.0 {
            return None;
        }
        let height = q.sqrt();
        Some(Hit { depth: self.start[2] + self.way[2] * t + height, t, height })
    }

    /// The surface's normal where a pixel coordinate was hit.
    #[inline]
    fn normal(&self, x: f32, y: f32, hit: &Hit) -> [f32; 3] {
        let per_radius = 1.0 / (self.start_radius + self.growth * hit.t).max(1e-6);
        let beside = |at: f32, axis: usize| (at - self.start[axis] - self.way[axis] * hit.t) * per_radius;
        [beside(x, 0), beside(y, 1), hit.height * per_radius]
    }
}

/// Where a pixel's line of sight meets a capsule: depth, share of the way between the ends, and height over the centre line.
struct Hit {
    depth: f32,
    t: f32,
    height: f32,
}

/// Lights in the picture's directions: x right, y up, z towards the viewer.
struct Lighting {
    key: [f32; 3],
    /// Halfway between the key light and the viewer, for the highlight.
    half: [f32; 3],
    sky: [f32; 3],
    paper: [f32; 3],
    /// How far a patch looks around, in pixels.
    halo: f32,
    /// Steps in depth from which something nearer darkens what is behind it, and from which fully, in pixels.
    step: [f32; 2],
    /// Capsules whose surfaces are closer than this in depth run into each other, in pixels.
    join: f32,
}

impl Lighting {
    fn new(camera: &Camera) -> Lighting {
        let axes = &camera.axes;
        let seen = |v: surefoot_geom::Vec3| [v.dot(axes.right), v.dot(axes.up), v.dot(axes.toward)].map(|c| c as f32);
        let key = key_light(axes);
        let metre = camera.scale as f32;
        Lighting {
            key: seen(key),
            half: seen((key + axes.toward).normalize()),
            sky: seen(surefoot_geom::Vec3::Y),
            paper: CARD.to_linear(),
            halo: (HALO * metre).clamp(1.0, HALO_PIXELS),
            step: HALO_STEP.map(|step| step * metre),
            join: JOIN * metre,
        }
    }

    /// Light that leaves a surface with this normal towards the viewer, `open` of the sky and lamp reaching it.
    #[inline]
    fn shade(&self, cone: &Cone, normal: [f32; 3], open: f32) -> [f32; 3] {
        let normal = [normal[0], -normal[1], normal[2]];
        let key = dot(normal, self.key).max(0.0);
        let sky = 0.5 + 0.5 * dot(normal, self.sky);
        // The outline is darker than a rough ball's would be: it draws the line that separates it from the paper.
        let grazing = 1.0 - normal[2].clamp(0.0, 1.0);
        let outline = 1.0 - 0.5 * grazing * grazing * grazing;
        let diffuse = (0.34 + 0.27 * sky + 0.62 * key) * outline * open;
        let shine = 0.10 * dot(normal, self.half).max(0.0).powi(20) * open;
        std::array::from_fn(|i| {
            let lit = cone.albedo[i] * diffuse + shine;
            // Mixed as roots: as light, a pale orange would turn pink.
            let mixed = lit.max(0.0).sqrt() * (1.0 - cone.fade) + self.paper[i].sqrt() * cone.fade;
            if cone.fade > 0.0 { mixed * mixed } else { lit }
        })
    }
}

#[inline]
fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The buffers of one tile, used again for the next.
struct Tile {
    /// Pixels around the tile that its halos look at.
    apron: usize,
    /// Samples in a row.
    stride: usize,
    depth: Vec<f32>,
    index: Vec<u16>,
    normal: Vec<[f32; 3]>,
}

impl Tile {
    fn new(apron: usize) -> Tile {
        let stride = (TILE + 2 * apron) * SAMPLES;
        let n = stride * stride;
        Tile { apron, stride, depth: vec![0.0; n], index: vec![EMPTY; n], normal: vec![[0.0; 3]; n] }
    }

    fn draw(&mut self, image: &mut Image, rect: Rect, cones: &[Cone], light: &Lighting) {
        let origin = [rect.x as f32 - self.apron as f32, rect.y as f32 - self.apron as f32];
        let side = (TILE + 2 * self.apron) as f32;
        let touches =
            |cone: &Cone| (0..2).all(|axis| cone.high[axis] >= origin[axis] && cone.low[axis] <= origin[axis] + side);
        let mut is_clear = true;
        for (index, cone) in cones.iter().enumerate().filter(|(_, cone)| touches(cone)) {
            if is_clear {
                self.depth.fill(f32::NEG_INFINITY);
                self.index.fill(EMPTY);
                is_clear = false;
            }
            self.rasterise(cone, index as u16, origin);
        }
        if !is_clear {
            self.resolve(image, rect, cones, light);
        }
    }

    /// Step 1 for one capsule.
    fn rasterise(&mut self, cone: &Cone, index: u16, origin: [f32; 2]) {
        let samples = |value: f32| ((value * SAMPLES as f32).max(0.0) as usize).min(self.stride);
        let place = |sample: usize, from: f32| from + (sample as f32 + 0.5) / SAMPLES as f32;
        let [y0, y1] = [samples(cone.low[1] - origin[1]), samples(cone.high[1] - origin[1] + 1.0)];
        for row in y0..y1 {
            let y = place(row, origin[1]);
            let [left, right] = cone.row(y);
            let [x0, x1] = [samples(left - origin[0]), samples(right - origin[0] + 1.0)];
            for column in x0..x1 {
                let x = place(column, origin[0]);
                let Some(hit) = cone.hit(x, y) else { continue };
                let at = row * self.stride + column;
                if hit.depth > self.depth[at] {
                    self.depth[at] = hit.depth;
                    self.index[at] = index;
                    self.normal[at] = cone.normal(x, y, &hit);
                }
            }
        }
    }

    /// Steps 2 and 3. A pixel's samples of one capsule are shaded once, with their mean normal.
    fn resolve(&self, image: &mut Image, rect: Rect, cones: &[Cone], light: &Lighting) {
        for y in 0..rect.height {
            for x in 0..rect.width {
                let first = ((y as usize + self.apron) * self.stride + x as usize + self.apron) * SAMPLES;
                if let Some((colour, share)) = self.pixel(first, cones, light) {
                    image.blend(rect.x + x, rect.y + y, colour, share);
                }
            }
        }
    }

    /// The colour of the pixel whose first sample is at `first`, and how much of it is covered.
    #[inline]
    fn pixel(&self, first: usize, cones: &[Cone], light: &Lighting) -> Option<(Colour, f32)> {
        let mut patches: [Patch; SAMPLES * SAMPLES] = [Patch::default(); SAMPLES * SAMPLES];
        let mut n_patches = 0;
        let mut n_covered = 0;
        for sample in 0..SAMPLES * SAMPLES {
            let at = first + sample / SAMPLES * self.stride + sample % SAMPLES;
            let index = self.index[at];
            if index == EMPTY {
                continue;
            }
            n_covered += 1;
            let known = patches[..n_patches].iter().position(|patch| self.index[patch.at] == index);
            let patch = known.unwrap_or_else(|| {
                n_patches += 1;
                n_patches - 1
            });
            patches[patch].add(at, self.normal[at]);
        }
        if n_covered == 0 {
            return None;
        }
        let mut sum = [0.0; 3];
        for patch in &patches[..n_patches] {
            let cone = &cones[usize::from(self.index[patch.at])];
            let (normal, open) = self.surroundings(patch, cone, cones, light);
            let lit = light.shade(cone, normal, open);
            sum = std::array::from_fn(|i| sum[i] + lit[i] * patch.n);
        }
        let n = n_covered as f32;
        Some((Colour::from_linear(sum.map(|light| light / n)), n / (SAMPLES * SAMPLES) as f32))
    }

    /// What a look around a patch tells: its normal, rounded towards capsules of the same colour that it runs into, so that
    /// a body of capsules has no creases; and how little is covered by something nearer, 1 in the open.
    #[inline]
    fn surroundings(&self, patch: &Patch, cone: &Cone, cones: &[Cone], light: &Lighting) -> ([f32; 3], f32) {
        let own = patch.normal.map(|sum| sum / patch.n);
        let (mut normal, mut covered, mut n) = (own, 0.0, 0);
        let mut is_alone = true;
        for ring in RINGS {
            for (dx, dy) in ring {
                // The apron is at least as wide as the halo, so the tap is in the buffer.
                let offset = [dx, dy].map(|part| (part * light.halo * SAMPLES as f32) as isize);
                let tap = (patch.at as isize + offset[1] * self.stride as isize + offset[0]) as usize;
                let index = self.index[tap];
                let step = self.depth[tap] - self.depth[patch.at];
                let is_other = index != EMPTY && index != self.index[patch.at];
                let joins = is_other && step.abs() < light.join && cones[usize::from(index)].runs_into(cone);
                // Where all around is the same capsule its own, exact normal stays.
                let seen = if joins { self.normal[tap] } else { own };
                normal = std::array::from_fn(|i| normal[i] + seen[i]);
                covered += ((step - light.step[0]) / (light.step[1] - light.step[0])).clamp(0.0, 1.0);
                is_alone &= !is_other;
                n += 1;
            }
            if is_alone {
                break;
            }
        }
        let length = dot(normal, normal).sqrt().max(1e-6);
        (normal.map(|part| part / length), 1.0 - 0.55 * covered / n as f32)
    }
}

/// Directions in which a patch looks around, over the halo's width: the widest ring first, which alone decides whether
/// there is anything to see.
const RINGS: [[(f32, f32); 8]; 3] = [
    [(1.0, 0.0), (0.71, 0.71), (0.0, 1.0), (-0.71, 0.71), (-1.0, 0.0), (-0.71, -0.71), (0.0, -1.0), (0.71, -0.71)],
    [
        (0.61, 0.25),
        (0.25, 0.61),
        (-0.25, 0.61),
        (-0.61, 0.25),
        (-0.61, -0.25),
        (-0.25, -0.61),
        (0.25, -0.61),
        (0.61, -0.25),
    ],
    [(0.33, 0.0), (0.23, 0.23), (0.0, 0.33), (-0.23, 0.23), (-0.33, 0.0), (-0.23, -0.23), (0.0, -0.33), (0.23, -0.23)],
];

/// The samples of one capsule within a pixel.
#[derive(Clone, Copy, Default)]
struct Patch {
    /// One of them.
    at: usize,
    n: f32,
    /// Sum over the samples.
    normal: [f32; 3],
}

impl Patch {
    #[inline]
    fn add(&mut self, at: usize, normal: [f32; 3]) {
        self.at = at;
        self.n += 1.0;
        self.normal = std::array::from_fn(|i| self.normal[i] + normal[i]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::colour::LEFT;
    use crate::scene::Part;
    use crate::view::{Axes, View};
    use surefoot_geom::{Vec2, Vec3};

    /// Numbers in [0, 1) that are the same in every run.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as f64 / f64::from(1u32 << 31)
        }

        fn point(&mut self) -> Vec3 {
            Vec3::new(self.next(), self.next(), self.next()) - 0.5
        }
    }

    fn camera() -> Camera {
        let axes = Axes::new(View::ThreeQuarter, Vec3::Z);
        Camera { axes, target: Vec3::ZERO, centre: Vec2::splat(100.0), scale: 100.0 }
    }

    fn solid(start: Vec3, end: Vec3, start_radius: f64, end_radius: f64) -> Solid {
        let part = Part { figure: 0, limb: 0 };
        Solid { start, end, start_radius, end_radius, colour: LEFT, fade: 0.0, layer: 0.0, part }
    }

    /// The largest height of many balls along the capsule.
    fn highest_ball(cone: &Cone, x: f32, y: f32) -> Option<f32> {
        let balls = (0..=20_000).filter_map(|i| {
            let t = i as f32 / 20_000.0;
            let (px, py) = (x - cone.start[0] - cone.way[0] * t, y - cone.start[1] - cone.way[1] * t);
            let radius = cone.start_radius + cone.growth * t;
            let q = radius * radius - px * px - py * py;
            (q >= 0.0).then(|| cone.start[2] + cone.way[2] * t + q.sqrt())
        });
        balls.max_by(f32::total_cmp)
    }

    #[test]
    fn a_capsule_is_the_union_of_its_balls() {
        let mut numbers = Numbers(1);
        let toward = camera().axes.toward;
        for case in 0..120 {
            let start = numbers.point();
            // Every third is seen along its axis or nearly so, every fifth has one end inside the other.
            let end = match case % 3 {
                0 => start + toward * (numbers.next() - 0.5) + numbers.point() * 0.05,
                _ => numbers.point(),
            };
            let radius = 0.05 + 0.2 * numbers.next();
            let end_radius =
                if case % 5 == 0 { radius + start.distance(end) * 1.1 } else { 0.05 + 0.2 * numbers.next() };
            let cone = Cone::new(&solid(start, end, radius, end_radius), &camera());
            for _ in 0..20 {
                let [x, y] =
                    [0, 1].map(|axis| cone.low[axis] + (cone.high[axis] - cone.low[axis]) * numbers.next() as f32);
                let truth = highest_ball(&cone, x, y);
                let found = cone.hit(x, y);
                if let (Some(truth), Some(found)) = (truth, &found) {
                    assert!((truth - found.depth).abs() < 0.05, "case {case}: {truth} and {}", found.depth);
                    let normal = cone.normal(x, y, found);
                    assert!((dot(normal, normal) - 1.0).abs() < 1e-2, "case {case}: {normal:?}");
                    let [left, right] = cone.row(y);
                    assert!(left <= x && x <= right, "case {case}");
                } else {
                    // Only at the very rim may rounding decide whether there is a ball.
                    let near = [(0.3, 0.0), (-0.3, 0.0), (0.0, 0.3), (0.0, -0.3)];
                    let mixed =
                        near.iter().any(|(dx, dy)| highest_ball(&cone, x + dx, y + dy).is_some() != truth.is_some());
                    assert!(truth.is_some() == found.is_some() || mixed, "case {case} at {x} {y}");
                }
            }
        }
    }

    #[test]
    fn the_nearer_of_two_balls_is_seen_across_tiles() {
        let camera = camera();
        let far = solid(Vec3::ZERO, Vec3::ZERO, 0.5, 0.5);
        let near = Solid { colour: crate::colour::RIGHT, ..solid(camera.axes.toward, camera.axes.toward, 0.2, 0.2) };
        for solids in [[far, near], [near, far]] {
            let mut image = Image::new(200, 200, CARD).expect("small");
            let all = image.bounds();
            draw_solids(&mut image, all, &camera, &solids);
            for (x, y, orange) in
                [(100, 100, true), (115, 100, true), (100, 85, true), (60, 100, false), (100, 140, false)]
            {
                let [r, _, b] = image.pixel(x, y);
                assert_eq!(r > b, orange, "at {x} {y}");
            }
            assert_eq!(image.pixel(100, 160), CARD.0);
        }
    }
}
