//! Vectors, rotations, transforms, angles, easing, seeded random numbers, spectra, small solvers, and work spread over threads.
//!
//! Everything is right-handed, Y up, metres, seconds, radians, in `f64`. A character at heading 0 faces +Z; a positive
//! heading turns toward +X, its left. The vector types are glam's, named once here so that no other crate chooses again.

mod angle;
mod axis;
mod band_matrix;
pub mod delaunay;
mod ease;
pub mod euler;
mod fourier;
mod median;
mod orientation_filter;
mod parallel;
mod random;
mod range;
pub mod rotation;
mod smooth_rates;
mod transform;

pub use angle::{nearest_turn, turn_between, wrap_angle};
pub use axis::Axis;
pub use band_matrix::{BandFactor, BandMatrix};
pub use ease::{smootherstep, smoothstep};
pub use fourier::Fourier;
pub use median::median;
pub use orientation_filter::OrientationFilter;
pub use parallel::map_in_parallel;
pub use random::{GOLDEN, Random, check_case, check_cases, mix_bits};
pub use range::Range;
pub use smooth_rates::smooth_rates;
pub use transform::Transform;

/// A point or direction in the plane.
pub type Vec2 = glam::DVec2;
/// A point or direction in space.
pub type Vec3 = glam::DVec3;
/// A rotation as a unit quaternion, stored `x, y, z, w`.
pub type Quat = glam::DQuat;
/// A 3 x 3 matrix, stored by columns.
pub type Mat3 = glam::DMat3;
/// A 4 x 4 matrix, stored by columns.
pub type Mat4 = glam::DMat4;
/// Four numbers: a row or column of a [`Mat4`].
pub type Vec4 = glam::DVec4;

/// The point of the ground plane below or above a point: its X and Z.
pub fn ground_point(point: Vec3) -> Vec2 {
    Vec2::new(point.x, point.z)
}

/// The direction that a heading faces: heading 0 is +Z, a positive heading turns toward +X.
pub fn heading_direction(heading: f64) -> Vec3 {
    Vec3::new(heading.sin(), 0.0, heading.cos())
}

/// The heading of a direction's ground component, in `(-pi, pi]`; `None` if it points straight up or down.
pub fn direction_heading(direction: Vec3) -> Option<f64> {
    let ground = ground_point(direction);
    (ground.length_squared() > 1e-18 * direction.length_squared().max(1e-30)).then(|| direction.x.atan2(direction.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ground_point_keeps_x_and_z_and_forgets_the_height() {
        assert_eq!(ground_point(Vec3::new(1.0, 2.0, 3.0)), Vec2::new(1.0, 3.0));
    }
}
