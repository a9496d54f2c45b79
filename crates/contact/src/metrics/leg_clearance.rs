//! How near legs come to each other: least distances of the midlines of both shins and of both feet.

use super::soles_by_motion::SoleTrack;
use super::worst::Worst;
use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, PerSide, Side, WorldPose};

/// Least distances over a motion, in metres, each with its frame; `None` of no frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LegClearance {
    /// Of the lines from heel to toe tip. Under 4 cm feet go through each other.
    pub feet: Option<Worst<()>>,
    /// Of the lines from knee to ankle. Under 5 cm shins go through each other.
    pub shins: Option<Worst<()>>,
}

/// Measures both legs.
pub fn measure_leg_clearance(poses: &[WorldPose], body: &BodyMap, soles: &PerSide<SoleTrack>) -> LegClearance {
    let knee = |side: Side, frame: usize| poses[frame].position(body.legs[side].knee);
    let shin = |side: Side, frame: usize| [knee(side, frame), soles[side].ankle[frame]];
    let foot = |side: Side, frame: usize| [soles[side].heel[frame], soles[side].tip()[frame]];
    let least = |segment: &dyn Fn(Side, usize) -> [Vec3; 2]| {
        let apart = |frame: usize| Worst {
            value: segment_distance(segment(Side::Left, frame), segment(Side::Right, frame)),
            place: (),
            frame,
        };
        (0..poses.len()).map(apart).reduce(|best, next| if next.value < best.value { next } else { best })
    };
    LegClearance { feet: least(&foot), shins: least(&shin) }
}

/// The least distance of two segments.
pub fn segment_distance(one: [Vec3; 2], other: [Vec3; 2]) -> f64 {
    let [a, b] = nearest_points(one, other);
    a.distance(b)
}

/// The points of two segments that are nearest to each other.
pub fn nearest_points([p, q]: [Vec3; 2], [r, s]: [Vec3; 2]) -> [Vec3; 2] {
    const TINY: f64 = 1e-12;
    let (u, v, w) = (q - p, s - r, p - r);
    let (a, b, c, d, e) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let at = ((b * e - c * d) / (a * c - b * b).max(TINY)).clamp(0.0, 1.0);
    let on = ((b * at + e) / c.max(TINY)).clamp(0.0, 1.0);
    let at = ((b * on - d) / a.max(TINY)).clamp(0.0, 1.0);
    [p + u * at, r + v * on]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_as_far_apart_as_their_nearest_points() {
        let (o, x, y, z) = (Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z);
        let cases = [
            ([o, x], [y, x + y], 1.0),
            ([o, x], [0.5 * x + 0.2 * y - z, 0.5 * x + 0.2 * y + z], 0.2),
            ([o, x], [2.0 * x, 3.0 * x], 1.0),
            ([o, o], [0.3 * z, 0.3 * z], 0.3),
        ];
        for (a, b, expected) in cases {
            assert!((segment_distance(a, b) - expected).abs() < 1e-9, "{a:?} {b:?}: {}", segment_distance(a, b));
            assert!((segment_distance(b, a) - expected).abs() < 1e-9, "{b:?} {a:?}");
        }
    }
}
