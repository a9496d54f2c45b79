//! A tapered capsule seen in parallel: where a line of sight meets it, exactly.
//!
//! # Idea
//!
//! A tapered capsule is the union of balls whose centre and radius go straight from one end to the other. Seen in parallel
//! along z, the ball at share `t` of the axis shows at a pixel `p` the height
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

use crate::scene::Solid;
use crate::view::Camera;

/// Coordinates that [`Cone::hit_row`] looks at together.
pub(super) const LANES: usize = 16;
/// Below this A a capsule is seen from the side; around 0, in square pixels, dividing by it would lose all digits.
const FLATTEST: f32 = -1e-3;

/// What [`Cone::hit_row`] found.
pub(super) struct RowHits {
    /// Minus infinity where there is nothing.
    pub(super) depth: [f32; LANES],
    t: [f32; LANES],
}

impl RowHits {
    pub(super) fn new() -> RowHits {
        RowHits { depth: [f32::NEG_INFINITY; LANES], t: [0.0; LANES] }
    }
}

/// A tapered capsule in pixels: x right, y down, z towards the viewer.
pub(super) struct Cone {
    start: [f32; 3],
    /// From start to end.
    offset: [f32; 3],
    start_radius: f32,
    /// End radius less start radius.
    growth: f32,
    /// A of the module's equation.
    a: f32,
    /// 1 / A; unused where A is about 0.
    per_a: f32,
    /// dz^2 / (dz^2 - A); 0 where one end's ball holds the other.
    tilt: f32,
    /// A box around it.
    pub(super) low: [f32; 2],
    pub(super) high: [f32; 2],
    /// Amounts of light that it reflects.
    pub(super) albedo: [f32; 3],
    /// How far it recedes into the background.
    pub(super) fade: f32,
    /// Which figure of the picture it belongs to.
    pub(super) figure: u32,
}

impl Cone {
    pub(super) fn new(solid: &Solid, camera: &Camera) -> Cone {
        let mut start = camera.project(solid.start);
        let offset = camera.project(solid.end) - start;
        start.z += solid.layer * camera.scale;
        let radius = solid.start_radius * camera.scale;
        let growth = (solid.end_radius - solid.start_radius) * camera.scale;
        let a = growth * growth - offset.truncate().length_squared();
        let apart = offset.length_squared() - growth * growth;
        let tilt = if apart > 1e-9 { offset.z * offset.z / apart } else { 0.0 };
        let reach = |sign: f64| {
            let (first, last) =
                (start.truncate() + sign * radius, (start + offset).truncate() + sign * (radius + growth));
            if sign < 0.0 { first.min(last) } else { first.max(last) }
        };
        let (low, high) = (reach(-1.0), reach(1.0));
        Cone {
            start: start.to_array().map(|value| value as f32),
            offset: offset.to_array().map(|value| value as f32),
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
    pub(super) fn runs_into(&self, other: &Cone) -> bool {
        self.figure == other.figure && self.albedo == other.albedo
    }

    /// A pixel interval that holds the capsule on the line at height y.
    #[inline]
    pub(super) fn row(&self, y: f32) -> [f32; 2] {
        // Balls that reach y: |y - c_y(t)| <= r(t), for the larger radius in place of r(t).
        let radius = self.start_radius.max(self.start_radius + self.growth);
        let (from, offset) = (y - self.start[1], self.offset[1]);
        let (t0, t1) = if offset.abs() > 1e-3 {
            let (a, b) = ((from - radius) / offset, (from + radius) / offset);
            (a.min(b).clamp(0.0, 1.0), a.max(b).clamp(0.0, 1.0))
        } else {
            (0.0, 1.0)
        };
        let (x0, x1) = (self.start[0] + self.offset[0] * t0, self.start[0] + self.offset[0] * t1);
        [(x0.min(x1) - radius).max(self.low[0]), (x0.max(x1) + radius).min(self.high[0])]
    }

    /// Whether heights have one peak along the axis, which holds unless it is seen along its axis.
    #[inline]
    pub(super) fn is_seen_from_the_side(&self) -> bool {
        self.a < FLATTEST
    }

    /// The balls that show at [`LANES`] pixel coordinates, `step` apart, of a capsule that is seen from the side. Without a
    /// branch, so that the compiler makes vector instructions of it.
    #[inline]
    pub(super) fn hit_row(&self, x: f32, step: f32, y: f32, hits: &mut RowHits) {
        let (px, py) = (x - self.start[0], y - self.start[1]);
        let b_first = self.start_radius * self.growth + py * self.offset[1];
        let c_first = self.start_radius * self.start_radius - py * py;
        let lean = -self.tilt.sqrt().copysign(self.offset[2]);
        for i in 0..LANES {
            let px = px + i as f32 * step;
            let b = b_first + px * self.offset[0];
            let c = c_first - px * px;
            let d = b * b - self.a * c;
            let t = ((lean * d.max(0.0).sqrt() - b) * self.per_a).clamp(0.0, 1.0);
            let q = (self.a * t + 2.0 * b) * t + c;
            let depth = self.start[2] + self.offset[2] * t + q.max(0.0).sqrt();
            hits.depth[i] = if d.min(q) >= 0.0 { depth } else { f32::NEG_INFINITY };
            hits.t[i] = t;
        }
    }

    /// The hit in one lane of a row, where there is one.
    #[inline]
    pub(super) fn lane(&self, hits: &RowHits, i: usize) -> Hit {
        let (depth, t) = (hits.depth[i], hits.t[i]);
        Hit { depth, t, height: depth - self.start[2] - self.offset[2] * t }
    }

    /// The ball that shows at a pixel coordinate.
    #[inline]
    pub(super) fn hit(&self, x: f32, y: f32) -> Option<Hit> {
        let (px, py) = (x - self.start[0], y - self.start[1]);
        let b = self.start_radius * self.growth + px * self.offset[0] + py * self.offset[1];
        let c = self.start_radius * self.start_radius - px * px - py * py;
        let d = b * b - self.a * c;
        if self.is_seen_from_the_side() {
            if d < 0.0 {
                return None;
            }
            let u = -(d * self.tilt).sqrt().copysign(self.offset[2]);
            return self.at(((u - b) * self.per_a).clamp(0.0, 1.0), b, c);
        }
        // Seen along its axis: heights have no single peak in t, so compare the ends and the inner peak, if any.
        let inner = (d >= 0.0 && self.a > -FLATTEST)
            .then(|| (-(d * self.tilt).sqrt().copysign(self.offset[2]) - b) * self.per_a);
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
        Some(Hit { depth: self.start[2] + self.offset[2] * t + height, t, height })
    }

    /// The surface's normal where a pixel coordinate was hit.
    #[inline]
    pub(super) fn normal(&self, x: f32, y: f32, hit: &Hit) -> [f32; 3] {
        let per_radius = 1.0 / (self.start_radius + self.growth * hit.t).max(1e-6);
        let beside = |at: f32, axis: usize| (at - self.start[axis] - self.offset[axis] * hit.t) * per_radius;
        [beside(x, 0), beside(y, 1), hit.height * per_radius]
    }
}

/// Where a pixel's line of sight meets a capsule: depth, share of the distance between the ends, and height over the centre line.
pub(super) struct Hit {
    pub(super) depth: f32,
    t: f32,
    height: f32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::tests::{camera, solid};
    use surefoot_geom::Random;

    /// The largest height of many balls along the capsule.
    fn highest_ball(cone: &Cone, x: f32, y: f32) -> Option<f32> {
        let balls = (0..=20_000).filter_map(|i| {
            let t = i as f32 / 20_000.0;
            let (px, py) = (x - cone.start[0] - cone.offset[0] * t, y - cone.start[1] - cone.offset[1] * t);
            let radius = cone.start_radius + cone.growth * t;
            let q = radius * radius - px * px - py * py;
            (q >= 0.0).then(|| cone.start[2] + cone.offset[2] * t + q.sqrt())
        });
        balls.max_by(f32::total_cmp)
    }

    #[test]
    fn a_capsule_is_the_union_of_its_balls() {
        let mut random = Random::new(1);
        let toward = camera().axes.toward;
        for case in 0..120 {
            let start = 0.5 * random.in_cube();
            // Every third is seen along its axis or nearly so, every fifth has one end inside the other.
            let end = match case % 3 {
                0 => start + toward * (random.unit() - 0.5) + random.in_cube() * 0.025,
                _ => 0.5 * random.in_cube(),
            };
            let radius = 0.05 + 0.2 * random.unit();
            let end_radius =
                if case % 5 == 0 { radius + start.distance(end) * 1.1 } else { 0.05 + 0.2 * random.unit() };
            let cone = Cone::new(&solid(start, end, radius, end_radius), &camera());
            for _ in 0..20 {
                let [x, y] =
                    [0, 1].map(|axis| cone.low[axis] + (cone.high[axis] - cone.low[axis]) * random.unit() as f32);
                let truth = highest_ball(&cone, x, y);
                let found = cone.hit(x, y);
                let mut row = RowHits::new();
                if cone.is_seen_from_the_side() {
                    cone.hit_row(x, 0.1, y, &mut row);
                    let by_row = (row.depth[0] > f32::NEG_INFINITY).then(|| cone.lane(&row, 0));
                    assert_eq!(by_row.is_some(), found.is_some(), "case {case}");
                    for (one, two) in by_row.iter().zip(&found) {
                        assert!((one.depth - two.depth).abs() < 0.01 && (one.height - two.height).abs() < 0.01);
                    }
                }
                if let (Some(truth), Some(found)) = (truth, &found) {
                    assert!((truth - found.depth).abs() < 0.05, "case {case}: {truth} and {}", found.depth);
                    let normal = cone.normal(x, y, found);
                    assert!(
                        (normal.iter().map(|part| part * part).sum::<f32>() - 1.0).abs() < 1e-2,
                        "case {case}: {normal:?}"
                    );
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
}
