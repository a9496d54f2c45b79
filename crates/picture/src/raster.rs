//! Tapered capsules as shaded pixels: an exact, z-buffered, antialiased rasteriser. Capsules are not cut into triangles: where a
//! line of sight meets one is solved for ([`cone`]).
//!
//! # Steps, for each tile of the picture
//!
//! 1. Rasterise the capsules that touch the tile into a buffer of depth, normal and index, [`SAMPLES`] x [`SAMPLES`] for
//!    each pixel.
//! 2. Shade each covered sample: key light, sky and ground light, darker towards the outline, and darker where something
//!    nearer is beside it (a shadow of the depth buffer; it tells a limb from what is behind it).
//! 3. Average a pixel's samples as light, and lay the colour over what is there by its share of covered samples.

mod cone;
mod light;

use crate::colour::Colour;
use crate::image::{Image, Rect};
use crate::scene::Solid;
use crate::view::Camera;
use cone::{Cone, Hit, LANES, RowHits};
use light::{Lighting, dot};

/// Samples along each side of a pixel.
const SAMPLES: usize = 3;
/// Side of a tile in pixels: its buffer stays in the cache.
const TILE: usize = 64;
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
        let stride = self.stride;
        let samples = |value: f32| ((value * SAMPLES as f32).max(0.0) as usize).min(stride);
        let place = |sample: usize, from: f32| from + (sample as f32 + 0.5) / SAMPLES as f32;
        let [y0, y1] = [samples(cone.low[1] - origin[1]), samples(cone.high[1] - origin[1] + 1.0)];
        let mut hits = RowHits::new();
        for row in y0..y1 {
            let y = place(row, origin[1]);
            let [left, right] = cone.row(y);
            let [x0, x1] = [samples(left - origin[0]), samples(right - origin[0] + 1.0)];
            if !cone.is_seen_from_the_side() {
                for column in x0..x1 {
                    let x = place(column, origin[0]);
                    if let Some(hit) = cone.hit(x, y) {
                        self.keep_nearest(row * self.stride + column, index, cone, [x, y], &hit);
                    }
                }
                continue;
            }
            for first in (x0..x1).step_by(LANES) {
                cone.hit_row(place(first, origin[0]), 1.0 / SAMPLES as f32, y, &mut hits);
                for i in 0..LANES.min(x1 - first) {
                    let at = row * self.stride + first + i;
                    if hits.depth[i] > self.depth[at] {
                        self.keep_nearest(at, index, cone, [place(first + i, origin[0]), y], &cone.lane(&hits, i));
                    }
                }
            }
        }
    }

    #[inline]
    fn keep_nearest(&mut self, at: usize, index: u16, cone: &Cone, [x, y]: [f32; 2], hit: &Hit) {
        if hit.depth > self.depth[at] {
            self.depth[at] = hit.depth;
            self.index[at] = index;
            self.normal[at] = cone.normal(x, y, hit);
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
        let rows = (0..SAMPLES).map(|row| &self.index[first + row * self.stride..][..SAMPLES]);
        if rows.flatten().all(|&index| index == EMPTY) {
            return None;
        }
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

    /// What a look around a patch shows: its normal, rounded towards capsules of the same colour that it runs into, so that
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
    use crate::colour::{CARD, LEFT};
    use crate::scene::Part;
    use crate::view::{Axes, View};
    use surefoot_geom::{Vec2, Vec3};

    /// Looks at the origin in the middle of a picture of 200 pixels, 100 to the metre.
    pub(super) fn camera() -> Camera {
        let axes = Axes::new(View::ThreeQuarter, Vec3::Z);
        Camera { axes, target: Vec3::ZERO, centre: Vec2::splat(100.0), scale: 100.0 }
    }

    pub(super) fn solid(start: Vec3, end: Vec3, start_radius: f64, end_radius: f64) -> Solid {
        let part = Part { figure: 0, limb: 0 };
        Solid { start, end, start_radius, end_radius, colour: LEFT, fade: 0.0, layer: 0.0, part }
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
