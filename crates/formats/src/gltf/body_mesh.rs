//! A skinned mesh of tapered capsules, so that a viewer which shows only meshes shows a person.
//!
//! A tapered capsule is two spheres and the cone that touches both. It is turned from a profile, a row of rings from
//! pole to pole; on the cone the surface leans by the angle whose sine is the difference of the radii over the
//! distance:
//!
//! ```text
//!         .--~~--..__
//!       /       .    `~-.        start sphere: normals from -90 degrees up to the lean,
//!      (   start .   end )       end sphere: from the lean up to 90 degrees
//!       \       .    _.-'
//!         `--~~--''~~
//! ```
//!
//! Each capsule moves with one joint. Capsules of one colour make one primitive.

use std::f64::consts::FRAC_PI_2;
use surefoot_geom::{Transform, Vec3};
use surefoot_motion::{BodyMap, Capsule, Region, Side, Skeleton, WorldPose, figure};

/// Vertices around a capsule: round enough at the size of a screen.
const N_SIDES: usize = 14;
/// Rings on each end of a capsule, from its pole to its cone.
const N_RINGS: usize = 5;
/// Thinner capsules cannot be seen, and their triangles have no area.
const THINNEST: f64 = 1e-5;

/// What a primitive shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Colour {
    /// The material's name.
    pub(super) name: &'static str,
    /// Linear red, green and blue.
    pub(super) rgb: [f64; 3],
}

/// Left cool, right warm, the middle plain: sides can be told apart from any direction, by the colour-blind too.
const COLOURS: [Colour; 4] = [
    Colour { name: "left", rgb: [0.08, 0.24, 0.62] },
    Colour { name: "right", rgb: [0.80, 0.30, 0.06] },
    Colour { name: "trunk", rgb: [0.46, 0.46, 0.49] },
    Colour { name: "head", rgb: [0.64, 0.60, 0.56] },
];

fn colour(region: Region) -> usize {
    match region {
        Region::Arm(side) | Region::Leg(side) | Region::Foot(side) => usize::from(side == Side::Right),
        Region::Trunk | Region::Other => 2,
        Region::Head => 3,
    }
}

/// Triangles of one colour, in the skeleton's rest pose.
pub(super) struct Primitive {
    pub(super) colour: Colour,
    pub(super) positions: Vec<[f32; 3]>,
    pub(super) normals: Vec<[f32; 3]>,
    /// The joint that moves each vertex.
    pub(super) joints: Vec<usize>,
    /// Three for each triangle, counter-clockwise from outside.
    pub(super) indices: Vec<u32>,
}

/// The body around a skeleton, one primitive for each colour in use.
pub(super) fn body_mesh(skeleton: &Skeleton, body: Option<&BodyMap>) -> Vec<Primitive> {
    let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
    let empty = |colour| Primitive { colour, positions: vec![], normals: vec![], joints: vec![], indices: vec![] };
    let mut primitives = COLOURS.map(empty);
    for capsule in figure(skeleton, body) {
        if let Some(profile) = Profile::new(&capsule) {
            primitives[colour(capsule.region)].add(&profile, capsule.joint.index(), &rest[capsule.joint]);
        }
    }
    primitives.into_iter().filter(|primitive| !primitive.indices.is_empty()).collect()
}

/// A capsule as rings around an axis.
struct Profile {
    /// Unit length.
    axis: Vec3,
    rings: Vec<Ring>,
}

/// Points at one distance from the axis, with normals that lean by one angle.
struct Ring {
    /// Centre of the sphere that the ring lies on.
    centre: Vec3,
    radius: f64,
    /// Angle of the normal from the plane across the axis; positive leans along the axis.
    lean: f64,
}

impl Profile {
    /// `None` for a capsule that is too thin to see, or not finite.
    fn new(capsule: &Capsule) -> Option<Profile> {
        let Capsule { start, end, start_radius, end_radius, .. } = *capsule;
        let is_finite = start.is_finite() && end.is_finite() && start_radius.is_finite() && end_radius.is_finite();
        if !is_finite || start_radius.max(end_radius) < THINNEST {
            return None;
        }
        let length = start.distance(end);
        let axis = (end - start).try_normalize().unwrap_or(Vec3::Y);
        let (start_radius, end_radius) = (start_radius.max(THINNEST), end_radius.max(THINNEST));
        let difference = start_radius - end_radius;
        // One sphere inside the other: only the larger shows.
        let rings = if length - difference.abs() < THINNEST {
            let (centre, radius) = if difference > 0.0 { (start, start_radius) } else { (end, end_radius) };
            arc(centre, radius, -FRAC_PI_2, FRAC_PI_2, 2 * N_RINGS - 1).collect()
        } else {
            let lean = (difference / length).asin();
            let first = arc(start, start_radius, -FRAC_PI_2, lean, N_RINGS);
            first.chain(arc(end, end_radius, lean, FRAC_PI_2, N_RINGS)).collect()
        };
        Some(Profile { axis, rings })
    }
}

/// `n` rings on a sphere, evenly from one lean to another.
fn arc(centre: Vec3, radius: f64, from: f64, to: f64, n: usize) -> impl Iterator<Item = Ring> {
    (0..n).map(move |i| Ring { centre, radius, lean: from + (to - from) * i as f64 / (n - 1) as f64 })
}

impl Primitive {
    /// Appends a capsule that is rigid in a joint's space, seen from the world.
    fn add(&mut self, profile: &Profile, joint: usize, to_world: &Transform) {
        let across = profile.axis.any_orthonormal_vector();
        let other = profile.axis.cross(across);
        let first = self.positions.len() as u32;
        for ring in &profile.rings {
            for side in 0..N_SIDES {
                let (sine, cosine) = (std::f64::consts::TAU * side as f64 / N_SIDES as f64).sin_cos();
                let around = across * cosine + other * sine;
                let normal = around * ring.lean.cos() + profile.axis * ring.lean.sin();
                let position = to_world.transform_point(ring.centre + normal * ring.radius);
                self.positions.push(position.as_vec3().to_array());
                self.normals.push((to_world.rotation * normal).normalize().as_vec3().to_array());
                self.joints.push(joint);
            }
        }
        let n_sides = N_SIDES as u32;
        for ring in 0..profile.rings.len() as u32 - 1 {
            for side in 0..n_sides {
                let next = (side + 1) % n_sides;
                let [a, b] = [side, next].map(|side| first + ring * n_sides + side);
                let [c, d] = [a, b].map(|below| below + n_sides);
                // At either pole a ring is one point, and one of the two triangles would be flat.
                if ring > 0 {
                    self.indices.extend([a, b, d]);
                }
                if ring + 2 < profile.rings.len() as u32 {
                    self.indices.extend([a, d, c]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_motion::JointId;

    fn check(start_radius: f64, end_radius: f64, end: Vec3, expected_volume: f64) {
        let start = Vec3::new(0.3, -0.2, 0.1);
        let region = Region::Trunk;
        let capsule = Capsule { joint: JointId::new(0), start, end: start + end, start_radius, end_radius, region };
        let mut primitive =
            Primitive { colour: COLOURS[0], positions: vec![], normals: vec![], joints: vec![], indices: vec![] };
        let profile = Profile::new(&capsule).expect("thick enough");
        primitive.add(&profile, 0, &Transform::IDENTITY);
        let point = |i: u32| Vec3::from_array(primitive.positions[i as usize].map(f64::from));
        let normal = |i: u32| Vec3::from_array(primitive.normals[i as usize].map(f64::from));
        let mut volume = 0.0;
        for t in primitive.indices.chunks(3) {
            let [a, b, c] = [point(t[0]), point(t[1]), point(t[2])];
            volume += a.dot(b.cross(c)) / 6.0;
            let face = (b - a).cross(c - a);
            assert!(face.length() > 0.0, "flat triangle {t:?}");
            for &i in t {
                assert!(face.normalize().dot(normal(i)) > 0.6, "a normal that points elsewhere");
                assert!((normal(i).length() - 1.0).abs() < 1e-6);
            }
        }
        let share = volume / expected_volume;
        assert!((0.85..1.0).contains(&share), "volume {share} of the smooth one");
    }

    #[test]
    fn capsules_are_closed_face_outward_and_fill_their_volume() {
        let sphere = |r: f64| 4.0 / 3.0 * std::f64::consts::PI * r * r * r;
        check(0.1, 0.1, Vec3::new(0.0, 0.5, 0.0), sphere(0.1) + std::f64::consts::PI * 0.01 * 0.5);
        check(0.1, 0.1, Vec3::ZERO, sphere(0.1));
        check(0.2, 0.05, Vec3::new(0.05, 0.0, 0.0), sphere(0.2));
        check(0.05, 0.2, Vec3::new(0.0, 0.0, -0.05), sphere(0.2));
        // A cone between spheres: Simpson's rule over a fine slicing gives the volume of the round body.
        let (a, b, length): (f64, f64, f64) = (0.1, 0.06, 0.4);
        let lean = ((a - b) / length).asin();
        let radius = |z: f64| -> f64 {
            if z < a * lean.sin() {
                (a * a - z * z).max(0.0).sqrt()
            } else if z > length + b * lean.sin() {
                (b * b - (z - length) * (z - length)).max(0.0).sqrt()
            } else {
                (a - z * lean.sin()) / lean.cos()
            }
        };
        let n = 20_000;
        let dz = (a + length + b) / f64::from(n);
        let tapered: f64 =
            (0..n).map(|i| radius(-a + (f64::from(i) + 0.5) * dz).powi(2) * std::f64::consts::PI * dz).sum();
        check(a, b, Vec3::new(0.0, 0.0, length), tapered);
    }

    #[test]
    fn what_cannot_be_seen_is_left_out() {
        let capsule = |radius: f64, end: Vec3| Capsule {
            joint: JointId::new(0),
            start: Vec3::ZERO,
            end,
            start_radius: radius,
            end_radius: radius,
            region: Region::Other,
        };
        assert!(Profile::new(&capsule(0.0, Vec3::X)).is_none());
        assert!(Profile::new(&capsule(f64::NAN, Vec3::X)).is_none());
        assert!(Profile::new(&capsule(0.1, Vec3::splat(f64::INFINITY))).is_none());
    }
}
