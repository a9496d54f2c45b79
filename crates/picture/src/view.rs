//! Where the viewer stands, and the parallel projection.
//!
//! The projection is parallel, not perspective: every figure of a picture has one scale, a metre is a metre anywhere on the
//! grid, and a capsule's outline is exactly two circles and two lines. All views but the top one look down a little, so that
//! the ground is seen.

use std::f64::consts::FRAC_PI_2;
use surefoot_geom::{Vec2, Vec3, ground_point};

/// Where the viewer stands, relative to where the body faces. In all views but the front one it moves to the right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum View {
    /// Between side and front, from a little above.
    #[default]
    ThreeQuarter,
    /// At the body's right, so that it walks to the picture's right.
    Side,
    /// Ahead of the body, which comes towards the viewer; its left is at the picture's right.
    Front,
    /// Straight above; the body faces the picture's right.
    Top,
}

impl View {
    /// All four.
    pub const ALL: [View; 4] = [View::ThreeQuarter, View::Side, View::Front, View::Top];

    /// `three-quarter`, `side`, `front` or `top`.
    pub fn name(self) -> &'static str {
        match self {
            View::ThreeQuarter => "three-quarter",
            View::Side => "side",
            View::Front => "front",
            View::Top => "top",
        }
    }

    /// Degrees from the body's right towards its front, and degrees above the horizon.
    fn angles(self) -> [f64; 2] {
        match self {
            View::ThreeQuarter => [42.0, 20.0],
            View::Side => [0.0, 7.0],
            View::Front => [90.0, 10.0],
            View::Top => [0.0, 90.0],
        }
    }
}

impl std::fmt::Display for View {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for View {
    type Err = String;

    /// Reads a view's name, in any case.
    fn from_str(text: &str) -> Result<View, String> {
        View::ALL
            .into_iter()
            .find(|view| view.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| format!("`{text}` is no view; three-quarter, side, front or top would be"))
    }
}

/// The directions of a picture in the world; unit, at right angles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axes {
    /// Towards the picture's right.
    pub(crate) right: Vec3,
    /// Towards the picture's top.
    pub(crate) up: Vec3,
    /// Towards the viewer.
    pub(crate) toward: Vec3,
}

impl Axes {
    /// The picture's directions for a body facing `forward`, a unit vector on the ground.
    pub(crate) fn new(view: View, forward: Vec3) -> Axes {
        let [around, above] = view.angles().map(f64::to_radians);
        Axes::of_angles(forward, around, above)
    }

    /// The same from behind the body: a walk still goes to the right.
    pub(crate) fn behind(view: View, forward: Vec3) -> Axes {
        let [around, above] = view.angles().map(f64::to_radians);
        Axes::of_angles(forward, -around, above)
    }

    fn of_angles(forward: Vec3, around: f64, above: f64) -> Axes {
        let left = Vec3::Y.cross(forward);
        // Right and up first: straight from above, "toward" alone would not tell them.
        let ground = forward * around.sin() - left * around.cos();
        let right = Vec3::Y.cross(ground);
        let toward = if above < FRAC_PI_2 { ground * above.cos() + Vec3::Y * above.sin() } else { Vec3::Y };
        Axes { right, up: toward.cross(right), toward }
    }
}

/// A projection onto pixels: x to the right, y down, depth towards the viewer, all in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Camera {
    pub(crate) axes: Axes,
    /// The world point that is drawn at `centre`, with depth 0.
    pub(crate) target: Vec3,
    /// Pixel coordinates of `target`.
    pub(crate) centre: Vec2,
    /// Pixels per metre.
    pub(crate) scale: f64,
}

impl Camera {
    /// Where a world point is drawn, and its depth.
    pub(crate) fn project(&self, point: Vec3) -> Vec3 {
        let from_target = (point - self.target) * self.scale;
        Vec3::new(
            self.centre.x + from_target.dot(self.axes.right),
            self.centre.y - from_target.dot(self.axes.up),
            from_target.dot(self.axes.toward),
        )
    }

    /// Where a world point is drawn.
    pub(crate) fn project_flat(&self, point: Vec3) -> Vec2 {
        self.project(point).truncate()
    }

    /// The map from pixels to the level plane through the target.
    pub(crate) fn ground_map(&self) -> GroundMap {
        // Pixels of one metre along the world's X and Z: the columns of the map to invert.
        let column = |axis: Vec3| Vec2::new(axis.dot(self.axes.right), -axis.dot(self.axes.up)) * self.scale;
        let (x, z) = (column(Vec3::X), column(Vec3::Z));
        let determinant = x.x * z.y - z.x * x.y;
        let per_pixel_x = Vec2::new(z.y, -x.y) / determinant;
        let per_pixel_y = Vec2::new(-z.x, x.x) / determinant;
        let origin = ground_point(self.target) - per_pixel_x * self.centre.x - per_pixel_y * self.centre.y;
        GroundMap { origin, per_pixel_x, per_pixel_y }
    }
}

/// From pixels to ground coordinates (world X and Z).
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroundMap {
    origin: Vec2,
    /// Ground metres for one pixel to the right.
    pub(crate) per_pixel_x: Vec2,
    /// Ground metres for one pixel down.
    pub(crate) per_pixel_y: Vec2,
}

impl GroundMap {
    /// The same map for the level plane at another height.
    pub(crate) fn lifted(&self, camera: &Camera, height: f64) -> GroundMap {
        let toward = camera.axes.toward;
        let along = (height - camera.target.y) / toward.y;
        GroundMap { origin: self.origin + ground_point(toward) * along, ..*self }
    }

    /// The ground point seen at a pixel coordinate.
    pub(crate) fn at(&self, pixel: Vec2) -> Vec2 {
        self.origin + self.per_pixel_x * pixel.x + self.per_pixel_y * pixel.y
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn camera(view: View, forward: Vec3) -> Camera {
        let axes = Axes::new(view, forward);
        Camera { axes, target: Vec3::new(1.0, 0.2, -3.0), centre: Vec2::new(120.0, 200.0), scale: 90.0 }
    }

    #[test]
    fn a_walk_goes_right_and_its_left_side_is_where_each_view_has_it() {
        let (forward, left) = (Vec3::Z, Vec3::X);
        for view in View::ALL {
            let Axes { right, up, toward } = Axes::new(view, forward);
            for (a, b) in [(right, up), (up, toward), (toward, right)] {
                assert!(a.dot(b).abs() < 1e-12 && (a.length() - 1.0).abs() < 1e-12, "{view}");
            }
            assert!(right.cross(up).abs_diff_eq(toward, 1e-12), "{view}");
            match view {
                View::Side => assert!(forward.dot(right) > 0.99 && left.dot(toward) < -0.9),
                View::ThreeQuarter => assert!(forward.dot(right) > 0.6 && forward.dot(toward) > 0.5),
                View::Front => assert!(left.dot(right) > 0.99 && forward.dot(toward) > 0.9),
                View::Top => assert!(forward.dot(right) > 0.99 && left.dot(up) > 0.99),
            }
        }
    }

    #[test]
    fn the_ground_map_undoes_the_projection() {
        for view in View::ALL {
            let camera = camera(view, Vec3::new(0.6, 0.0, 0.8));
            for (x, z) in [(0.0, 0.0), (3.5, -2.0), (-40.0, 17.0)] {
                let pixel = camera.project_flat(Vec3::new(x, camera.target.y, z));
                assert!(camera.ground_map().at(pixel).abs_diff_eq(Vec2::new(x, z), 1e-9), "{view}");
            }
        }
    }

    #[test]
    fn names_are_read_back() {
        for view in View::ALL {
            assert_eq!(view.name().to_uppercase().parse(), Ok(view));
        }
        assert!("behind".parse::<View>().is_err());
    }
}
