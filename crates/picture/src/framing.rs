//! The scale at which a scene fits its panel, and the grid that suits the scale.

use crate::scene::Scene;
use crate::view::{Axes, Camera};
use surefoot_geom::{Vec2, Vec3};

/// A box in the picture's own directions, in metres relative to a scene's target: x to the right, y up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) low: Vec2,
    pub(crate) high: Vec2,
}

impl Extent {
    pub(crate) const EMPTY: Extent = Extent { low: Vec2::INFINITY, high: Vec2::NEG_INFINITY };

    /// Grows to hold a ball around a point.
    fn add(&mut self, axes: &Axes, point: Vec3, radius: f64) {
        let flat = Vec2::new(point.dot(axes.right), point.dot(axes.up));
        self.low = self.low.min(flat - Vec2::splat(radius));
        self.high = self.high.max(flat + Vec2::splat(radius));
    }

    /// Grows to hold a scene seen from a target.
    pub(crate) fn add_scene(&mut self, axes: &Axes, scene: &Scene, target: Vec3) {
        for solid in &scene.solids {
            self.add(axes, solid.start - target, solid.start_radius);
            self.add(axes, solid.end - target, solid.end_radius);
        }
        let at_ground = |point: Vec2| Vec3::new(point.x, scene.height_at(point), point.y) - target;
        for &point in scene.path.iter().chain(&scene.stage) {
            self.add(axes, at_ground(point), 0.0);
        }
    }

    /// Grows around its middle until it is at least so wide and so high.
    pub(crate) fn widen(&mut self, side: f64) {
        let missing = (Vec2::splat(side) - (self.high - self.low)).max(Vec2::ZERO) / 2.0;
        if missing.is_finite() {
            (self.low, self.high) = (self.low - missing, self.high + missing);
        }
    }

    /// Width and height, never zero: a single point gets a box of its own.
    pub(crate) fn size(&self) -> Vec2 {
        let size = self.high - self.low;
        if !size.is_finite() {
            return Vec2::ONE;
        }
        size.max(Vec2::splat(size.max_element() * 0.05)).max(Vec2::splat(SMALLEST))
    }

    fn middle(&self) -> Vec2 {
        let middle = (self.low + self.high) / 2.0;
        if middle.is_finite() { middle } else { Vec2::ZERO }
    }
}

/// A scene is never taken for smaller than this, in metres.
const SMALLEST: f64 = 1e-3;

/// The box of pixels that figures must stay in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) low: Vec2,
    pub(crate) high: Vec2,
}

/// Pixels per metre and the target's place in the frame at which an extent just fits, centred.
pub(crate) fn fit(extent: &Extent, frame: &Frame) -> (f64, Vec2) {
    let room = (frame.high - frame.low).max(Vec2::ONE);
    let scale = (room / extent.size()).min_element();
    let middle = extent.middle() * scale;
    let centre = (frame.low + frame.high) / 2.0 - Vec2::new(middle.x, -middle.y);
    (scale, centre)
}

/// A camera that shows `target` where [`fit`] put it.
pub(crate) fn camera(axes: Axes, target: Vec3, (scale, centre): (f64, Vec2)) -> Camera {
    Camera { axes, target, centre, scale }
}

/// Distance between the grid's strong lines, in metres: 1, unless that would be too dense to see or too wide to fit; then a
/// power of ten.
pub(crate) fn grid_spacing(scale: f64) -> f64 {
    // Closer than this many pixels the lines grow together; wider apart none may be in the panel.
    const CLOSEST: f64 = 24.0;
    const WIDEST: f64 = 1200.0;
    let mut spacing: f64 = 1.0;
    while spacing * scale < CLOSEST && spacing < 1e9 {
        spacing *= 10.0;
    }
    while spacing * scale > WIDEST && spacing > 1e-6 {
        spacing /= 10.0;
    }
    spacing
}

/// A spacing as people write it: `1 m`, `10 m`, `0.1 m`.
pub(crate) fn spacing_name(spacing: f64) -> String {
    let digits = (-spacing.log10()).ceil().max(0.0) as usize;
    format!("{spacing:.digits$} m")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_is_one_metre_for_people_and_a_power_of_ten_for_giants_and_ants() {
        for (scale, name) in
            [(40.0, "1 m"), (150.0, "1 m"), (1000.0, "1 m"), (3.0, "10 m"), (0.5, "100 m"), (5e3, "0.1 m")]
        {
            assert_eq!(spacing_name(grid_spacing(scale)), name, "at {scale} pixels a metre");
        }
    }

    #[test]
    fn nothing_to_show_still_has_a_scale() {
        let frame = Frame { low: Vec2::ZERO, high: Vec2::new(100.0, 200.0) };
        let (scale, centre) = fit(&Extent::EMPTY, &frame);
        assert!(scale.is_finite() && scale > 0.0 && centre == Vec2::new(50.0, 100.0));
    }
}
