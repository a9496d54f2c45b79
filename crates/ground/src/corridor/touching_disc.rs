//! The largest free disc that touches the border in a given point.
//!
//! A disc that touches the border in a foot `f` and lies toward a unit vector `u` has its centre at `f + r u`. Another
//! wall keeps it small; how small is known in closed form, best as a curvature `k = 1 / r`, for that is 0 where nothing
//! is in the way:
//!
//! - a point `q`: `k = 2 (q - f) . u / |q - f|^2`;
//! - a line with the unit normal `m` toward `f`, at the distance `h` of `f`: `k = |u - m|^2 / (2 h)`.
//!
//! ```text
//!         \  wall            the disc shrinks until no wall is nearer to its centre than its foot:
//!       .--\.                1. a disc far too large, or one that a neighbour's disc suggests
//!      (  x \)               2. the wall nearest to the centre; none nearer than the foot: done
//!       `-|--'               3. the disc that touches this wall instead; back to 2
//!   ------f-------
//! ```
//!
//! Each round gives a smaller disc, and about two are needed.

use super::walls::{Wall, Walls};
use surefoot_geom::Vec2;

/// A part of the border that a disc touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Feature {
    /// A wall between its ends.
    Wall(u32),
    /// A corner.
    Corner(u32),
}

/// Where a disc touches the border, and toward where it lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    pub(super) point: Vec2,
    /// Of length 1.
    pub(super) toward: Vec2,
    /// Corners that are in the foot or at the ends of its wall: no disc touches them elsewhere.
    pub(super) own_corners: [u32; 2],
}

/// A disc's curvature and what it touches besides its foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Touch {
    pub(super) curvature: f64,
    pub(super) feature: Feature,
}

/// Numbers of walls are nanometres exact; a disc is the largest one if nothing reaches further into it, in metres.
const INSIDE: f64 = 1e-12;
/// More rounds than discs ever need; the limit is there for what rounding may do.
const MAX_ROUNDS: usize = 200;

impl Walls {
    /// The disc in a foot that touches a feature as well, or an end of it; its curvature is 0 or less if there is none.
    pub(super) fn touch(&self, foot: &Foot, feature: Feature) -> Touch {
        match feature {
            Feature::Wall(wall) => wall_touch(foot, &self.walls[wall as usize], wall),
            Feature::Corner(corner) => {
                Touch { curvature: point_curvature(foot, self.corners[corner as usize]), feature }
            }
        }
    }

    /// How far along a wall's line, from its first end, the disc of a foot touches that line.
    pub(super) fn touch_along(&self, foot: &Foot, wall: u32) -> f64 {
        let wall = &self.walls[wall as usize];
        let curvature = line_curvature(foot, wall);
        (foot.point + foot.toward / curvature - wall.a).dot(wall.along)
    }

    /// The largest free disc in a foot; `None` if nothing bounds it, which walls around a free space do not let happen.
    /// `hint` is a feature that may touch it.
    pub(super) fn largest_disc(&self, foot: &Foot, hint: Option<Feature>) -> Option<Touch> {
        let least = 1.0 / self.reach;
        let mut best = hint.map(|feature| self.touch(foot, feature)).filter(|touch| touch.curvature > least);
        for _ in 0..MAX_ROUNDS {
            let radius = 1.0 / best.map_or(least, |touch| touch.curvature);
            let within = radius - INSIDE * (1.0 + radius);
            if within <= 0.0 {
                break;
            }
            let Some((nearest, _)) = self.nearest(foot.point + foot.toward * radius, within) else { break };
            let touch = wall_touch(foot, &self.walls[nearest], nearest as u32);
            if touch.curvature <= best.map_or(least, |touch| touch.curvature) {
                break;
            }
            best = Some(touch);
        }
        best
    }
}

fn point_curvature(foot: &Foot, point: Vec2) -> f64 {
    let apart = point - foot.point;
    let squared = apart.length_squared();
    if squared == 0.0 { 0.0 } else { 2.0 * apart.dot(foot.toward) / squared }
}

fn line_curvature(foot: &Foot, wall: &Wall) -> f64 {
    let signed = (foot.point - wall.a).dot(wall.normal());
    let normal = if signed < 0.0 { -wall.normal() } else { wall.normal() };
    // |u - m|^2 / 2 is 1 - u . m, and stays exact where the two are almost the same.
    let bend = (foot.toward - normal).length_squared() / 2.0;
    if bend == 0.0 { 0.0 } else { bend / signed.abs() }
}

/// The disc of a foot that touches a wall: between its ends, or in the end that the disc of the wall's line lies
/// beyond.
fn wall_touch(foot: &Foot, wall: &Wall, index: u32) -> Touch {
    let curvature = line_curvature(foot, wall);
    let along = if curvature > 0.0 { (foot.point + foot.toward / curvature - wall.a).dot(wall.along) } else { 0.0 };
    if curvature > 0.0 && along > 0.0 && along < wall.length {
        return Touch { curvature, feature: Feature::Wall(index) };
    }
    let (corner, end) = if curvature > 0.0 {
        if along <= 0.0 { (wall.from, wall.a) } else { (wall.to, wall.b) }
    } else if point_curvature(foot, wall.a) > point_curvature(foot, wall.b) {
        (wall.from, wall.a)
    } else {
        (wall.to, wall.b)
    };
    let own = foot.own_corners.contains(&corner);
    let curvature = if own { 0.0 } else { point_curvature(foot, end) };
    Touch { curvature, feature: Feature::Corner(corner) }
}

#[cfg(test)]
mod tests {
    use super::super::outlines::Outlines;
    use super::super::test_scenes::{N_KINDS, random_scene};
    use super::*;
    use crate::polygon::nearest_on_segment;
    use surefoot_geom::Random;

    /// The promise: no wall reaches into the disc, and one that is not in the foot touches it.
    #[test]
    fn discs_are_free_and_touch_twice() {
        for seed in 0..N_KINDS * 10 {
            let walls = Walls::new(&Outlines::new(&random_scene(seed)));
            let mut random = Random::new(seed);
            for wall in &walls.walls {
                let point = wall.a + wall.along * wall.length * random.unit();
                let foot = Foot { point, toward: wall.normal(), own_corners: [wall.from, wall.to] };
                let touch = walls.largest_disc(&foot, None).expect("the bounds are around it");
                let radius = 1.0 / touch.curvature;
                let centre = point + foot.toward * radius;
                let distance = |other: &Wall| centre.distance(nearest_on_segment(centre, other.a, other.b));
                let nearest = walls.walls.iter().map(distance).fold(f64::INFINITY, f64::min);
                assert!((nearest - radius).abs() < 1e-9, "seed {seed}: {nearest} instead of {radius}");
                let reached = match touch.feature {
                    Feature::Wall(other) => distance(&walls.walls[other as usize]),
                    Feature::Corner(corner) => centre.distance(walls.corners[corner as usize]),
                };
                assert!((reached - radius).abs() < 1e-9, "seed {seed}: {touch:?} is not touched");
            }
        }
    }
}
