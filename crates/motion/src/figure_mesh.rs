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
//! A capsule moves with its joint, and bends where it meets others: around the joint's own pivot its vertices are shared with
//! the parent, around a child's pivot with the child, half and half on the plane through the pivot. Both capsules that meet
//! there share the same way, so that a bent knee is a mitre and a stretched limb stays closed:
//!
//! ```text
//!   thigh  1 ........ 1  0.5  0 ........ 0        shares of the thigh; those of the shin are what is left to 1
//!          ----------------|----------------      the pivot; shares change over one radius to both sides
//! ```
//!
//! Capsules of one colour make one part.

use crate::{BodyMap, Capsule, JointId, Region, Side, Skeleton, WorldPose, figure};
use std::f64::consts::FRAC_PI_2;
use surefoot_geom::{Transform, Vec3, smoothstep};

/// How round a capsule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshDetail {
    /// Vertices around it, at least 3.
    pub n_sides: usize,
    /// Rings on each end, from its pole to its cone, at least 2.
    pub n_rings: usize,
}

impl MeshDetail {
    /// Round enough at the size of a screen.
    pub const FINE: MeshDetail = MeshDetail { n_sides: 14, n_rings: 5 };
    /// For people who are small on the screen, or many.
    pub const COARSE: MeshDetail = MeshDetail { n_sides: 7, n_rings: 2 };
}

/// Joints that may share a vertex: the capsule's own, its parent and a child.
pub const N_SHARES: usize = 3;
/// Thinner capsules cannot be seen, and their triangles have no area.
const THINNEST: f64 = 1e-5;

/// What a part shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FigureColour {
    /// The material's name.
    pub name: &'static str,
    /// Linear red, green and blue.
    pub rgb: [f64; 3],
}

/// Left cool, right warm, the middle plain: sides can be told apart from any direction, by the colour-blind too.
const COLOURS: [FigureColour; 4] = [
    FigureColour { name: "left", rgb: [0.08, 0.24, 0.62] },
    FigureColour { name: "right", rgb: [0.80, 0.30, 0.06] },
    FigureColour { name: "trunk", rgb: [0.46, 0.46, 0.49] },
    FigureColour { name: "head", rgb: [0.64, 0.60, 0.56] },
];

fn colour(region: Region) -> usize {
    match region {
        Region::Arm(side) | Region::Leg(side) | Region::Foot(side) => usize::from(side == Side::Right),
        Region::Trunk | Region::Other => 2,
        Region::Head => 3,
    }
}

/// Triangles of one colour, in the skeleton's rest pose.
pub struct FigurePart {
    /// What it shows.
    pub colour: FigureColour,
    /// In metres.
    pub positions: Vec<[f32; 3]>,
    /// Unit vectors that point outward, one for each position.
    pub normals: Vec<[f32; 3]>,
    /// The joints that move each vertex, with shares that add up to 1; shares of 0 name no joint.
    pub shares: Vec<[(usize, f32); N_SHARES]>,
    /// Three for each triangle, counter-clockwise from outside.
    pub indices: Vec<u32>,
}

/// The body around a skeleton, one part for each colour in use.
pub fn figure_mesh(skeleton: &Skeleton, body: Option<&BodyMap>, detail: MeshDetail) -> Vec<FigurePart> {
    let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
    let empty = |colour| FigurePart { colour, positions: vec![], normals: vec![], shares: vec![], indices: vec![] };
    let mut parts = COLOURS.map(empty);
    for capsule in figure(skeleton, body) {
        if let Some(profile) = Profile::new(&capsule, detail) {
            let binding = Binding::new(skeleton, &capsule);
            parts[colour(capsule.region)].add(&profile, &binding, &rest[capsule.joint]);
        }
    }
    parts.into_iter().filter(|part| !part.indices.is_empty()).collect()
}

/// A capsule as rings around an axis.
struct Profile {
    /// Unit length.
    axis: Vec3,
    rings: Vec<Ring>,
    n_sides: usize,
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
    fn new(capsule: &Capsule, detail: MeshDetail) -> Option<Profile> {
        let n_rings = detail.n_rings.max(2);
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
            arc(centre, radius, -FRAC_PI_2, FRAC_PI_2, 2 * n_rings - 1).collect()
        } else {
            let lean = (difference / length).asin();
            let first = arc(start, start_radius, -FRAC_PI_2, lean, n_rings);
            // Where shares stop changing, so that only the ends bend.
            let along = |from_start: f64| {
                let share = from_start / length;
                let radius = start_radius - difference * share;
                Ring { centre: start.lerp(end, share), radius, lean }
            };
            let inner = [start_radius.min(length / 3.0), length - end_radius.min(length / 3.0)].map(along);
            first.chain(inner).chain(arc(end, end_radius, lean, FRAC_PI_2, n_rings)).collect()
        };
        Some(Profile { axis, rings, n_sides: detail.n_sides.max(3) })
    }
}

/// `n` rings on a sphere, evenly from one lean to another.
fn arc(centre: Vec3, radius: f64, from: f64, to: f64, n: usize) -> impl Iterator<Item = Ring> {
    (0..n).map(move |i| Ring { centre, radius, lean: from + (to - from) * i as f64 / (n - 1) as f64 })
}

/// Which joints move a capsule.
struct Binding {
    joint: usize,
    /// Towards which the capsule points.
    axis: Vec3,
    /// The joint above, how far below its pivot the sharing ends.
    parent: Option<(usize, f64)>,
    /// The joint below, its pivot, and how far from it the sharing begins.
    child: Option<(usize, Vec3, f64)>,
}

impl Binding {
    fn new(skeleton: &Skeleton, capsule: &Capsule) -> Binding {
        let Capsule { joint, start, end, start_radius, end_radius, .. } = *capsule;
        let axis = (end - start).try_normalize().unwrap_or(Vec3::Y);
        let is_long = start.distance(end) > start_radius.max(end_radius);
        let parent = skeleton.parent(joint).filter(|_| is_long && start.length() < start_radius);
        let pivot = |child: JointId| skeleton.joint(child).rest.translation;
        let mut children = skeleton.ids().filter(|&child| skeleton.parent(child) == Some(joint));
        let child = children.find(|&child| is_long && pivot(child).distance(end) < end_radius);
        Binding {
            joint: joint.index(),
            axis,
            parent: parent.map(|parent| (parent.index(), start_radius.max(THINNEST))),
            child: child.map(|child| (child.index(), pivot(child), end_radius.max(THINNEST))),
        }
    }

    /// Shares of the joints in a vertex, which is given in the joint's space.
    fn shares(&self, vertex: Vec3) -> [(usize, f32); N_SHARES] {
        // 0 a radius before the pivot, half on it, 1 a radius after it.
        let after = |pivot: Vec3, radius: f64| smoothstep(0.5 + 0.5 * (vertex - pivot).dot(self.axis) / radius);
        let parent = self.parent.map_or(0.0, |(_, radius)| 1.0 - after(Vec3::ZERO, radius));
        let child = self.child.map_or(0.0, |(_, pivot, radius)| after(pivot, radius));
        let others = (parent + child).max(1.0);
        let [parent, child] = [parent / others, child / others];
        [
            (self.joint, (1.0 - parent - child) as f32),
            (self.parent.map_or(self.joint, |(joint, _)| joint), parent as f32),
            (self.child.map_or(self.joint, |(joint, ..)| joint), child as f32),
        ]
    }
}

impl FigurePart {
    /// Appends a capsule in a joint's space, seen from the world.
    fn add(&mut self, profile: &Profile, binding: &Binding, to_world: &Transform) {
        let across = profile.axis.any_orthonormal_vector();
        let other = profile.axis.cross(across);
        let first = self.positions.len() as u32;
        for ring in &profile.rings {
            for side in 0..profile.n_sides {
                let (sine, cosine) = (std::f64::consts::TAU * side as f64 / profile.n_sides as f64).sin_cos();
                let around = across * cosine + other * sine;
                let normal = around * ring.lean.cos() + profile.axis * ring.lean.sin();
                let local = ring.centre + normal * ring.radius;
                let position = to_world.transform_point(local);
                self.positions.push(position.as_vec3().to_array());
                self.normals.push((to_world.rotation * normal).normalize().as_vec3().to_array());
                self.shares.push(binding.shares(local));
            }
        }
        let n_sides = profile.n_sides as u32;
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
    use crate::{PersonOptions, person};
    use surefoot_geom::Quat;

    fn check(start_radius: f64, end_radius: f64, end: Vec3, expected_volume: f64) {
        let start = Vec3::new(0.3, -0.2, 0.1);
        let region = Region::Trunk;
        let capsule = Capsule { joint: JointId::new(0), start, end: start + end, start_radius, end_radius, region };
        let mut part =
            FigurePart { colour: COLOURS[0], positions: vec![], normals: vec![], shares: vec![], indices: vec![] };
        let profile = Profile::new(&capsule, MeshDetail::FINE).expect("thick enough");
        let binding = Binding { joint: 0, axis: Vec3::Y, parent: None, child: None };
        part.add(&profile, &binding, &Transform::IDENTITY);
        let point = |i: u32| Vec3::from_array(part.positions[i as usize].map(f64::from));
        let normal = |i: u32| Vec3::from_array(part.normals[i as usize].map(f64::from));
        let mut volume = 0.0;
        for t in part.indices.chunks(3) {
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
    fn a_bent_or_stretched_knee_shows_no_gap() {
        let (skeleton, body) = person(&PersonOptions::default()).expect("a person");
        let rest = WorldPose::new(&skeleton, &skeleton.rest_pose());
        let [hip, knee, ankle] = [body.legs.left.hip, body.legs.left.knee, body.legs.left.ankle];
        let mesh = figure_mesh(&skeleton, Some(&body), MeshDetail::FINE);
        for (bend, stretch) in [(0.0, 1.0), (0.9, 1.0), (1.8, 1.0), (0.5, 1.1)] {
            let mut pose = skeleton.rest_pose();
            pose.local[knee.index()].rotation *= Quat::from_rotation_x(bend);
            pose.local[ankle.index()].translation *= stretch;
            pose.local[knee.index()].translation *= stretch;
            let bent = WorldPose::new(&skeleton, &pose);
            let skinned = |part: &FigurePart, vertex: usize| -> Vec3 {
                let place = Vec3::from_array(part.positions[vertex].map(f64::from));
                let moved = |joint: usize| {
                    bent.world()[joint].transform_point(rest.world()[joint].inverse().transform_point(place))
                };
                part.shares[vertex].iter().map(|&(joint, share)| moved(joint) * f64::from(share)).sum()
            };
            // Vertices of both capsules on the plane through the pivot, where their halves meet.
            let (mut thigh, mut shin) = (Vec::new(), Vec::new());
            for part in &mesh {
                for vertex in 0..part.positions.len() {
                    let shares = part.shares[vertex];
                    assert!((shares.iter().map(|(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-6);
                    let share_of = |joint: JointId| {
                        shares.iter().filter(|(other, _)| *other == joint.index()).map(|(_, share)| share).sum::<f32>()
                    };
                    if [hip, knee].into_iter().all(|joint| (0.3..0.7).contains(&share_of(joint))) {
                        let list = if shares[0].0 == hip.index() { &mut thigh } else { &mut shin };
                        list.push(skinned(part, vertex));
                    }
                }
            }
            let gap = |a: &[Vec3], b: &[Vec3]| {
                let nearest = |p: &Vec3| b.iter().map(|q| p.distance(*q)).fold(f64::INFINITY, f64::min);
                a.iter().map(nearest).fold(0.0, f64::max)
            };
            assert!(thigh.len() >= MeshDetail::FINE.n_sides && shin.len() >= MeshDetail::FINE.n_sides);
            assert!(gap(&thigh, &shin) < 0.03 && gap(&shin, &thigh) < 0.03, "{bend} {}", gap(&thigh, &shin));
        }
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
        assert!(Profile::new(&capsule(0.0, Vec3::X), MeshDetail::FINE).is_none());
        assert!(Profile::new(&capsule(f64::NAN, Vec3::X), MeshDetail::FINE).is_none());
        assert!(Profile::new(&capsule(0.1, Vec3::splat(f64::INFINITY)), MeshDetail::FINE).is_none());
    }
}
