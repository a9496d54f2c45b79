//! The ground that a sole covers: a strip with round ends, as broad as the foot is at its ball.
//!
//! ```text
//!      .---------------.
//!     ( back     ball   front )      from heel to toe tip; a footprint's position is the ball
//!      `---------------'
//! ```

use surefoot_contact::Footprint;
use surefoot_geom::{Vec2, Vec3, ground_point, heading_direction};
use surefoot_ground::{contains, distance_to_outline, segment_distance};
use surefoot_motion::{BodyProportions, FootShape, PerSide, Side};

/// Half the breadth of a sole over the length of the leg, as in the body of capsules that pictures show.
pub(crate) const HALF_BREADTH: f64 = 0.0566;

/// The lengths of a sole, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoleShape {
    /// From the ball back to the heel.
    pub heel: f64,
    /// From the ball on to the toe tip.
    pub toe: f64,
    /// Half of its breadth.
    pub half_breadth: f64,
}

impl SoleShape {
    /// Of a foot of a body.
    pub fn of(build: &BodyProportions, side: Side) -> SoleShape {
        let sole = &build.soles[side];
        SoleShape {
            heel: (sole.ball.z - sole.heel.z).max(0.0),
            toe: (sole.toe_tip.z - sole.ball.z).max(0.0),
            half_breadth: HALF_BREADTH * build.leg_length(side),
        }
    }

    /// Of a foot as a body map has it, on a leg of a length.
    pub fn of_foot(foot: &FootShape, leg: f64) -> SoleShape {
        let along = |from: Vec3, to: Vec3| (to - from).reject_from_normalized(foot.up).length();
        SoleShape {
            heel: along(foot.heel, foot.ball),
            toe: along(foot.ball, foot.toe_tip),
            half_breadth: HALF_BREADTH * leg,
        }
    }

    /// Of both feet.
    pub fn both(build: &BodyProportions) -> PerSide<SoleShape> {
        PerSide::from_fn(|side| SoleShape::of(build, side))
    }

    /// How far the middle of the sole is behind the ball.
    pub fn middle(&self) -> f64 {
        0.5 * (self.heel - self.toe)
    }
}

/// A sole on the ground: all points within `half_breadth` of the way from `back` to `front`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolePrint {
    /// Centre `(x, z)` of the round end at the heel.
    pub back: Vec2,
    /// Centre of the round end at the toes.
    pub front: Vec2,
    /// In metres.
    pub half_breadth: f64,
}

impl SolePrint {
    /// The sole of a foot whose ball is planted at a place.
    pub fn new(shape: &SoleShape, ball: Vec2, heading: f64) -> SolePrint {
        let forward = ground_point(heading_direction(heading));
        let along = |distance: f64| (distance - shape.half_breadth).max(0.0);
        let (back, front) = (ball - forward * along(shape.heel), ball + forward * along(shape.toe));
        SolePrint { back, front, half_breadth: shape.half_breadth }
    }

    /// The sole of a footprint; one without a heading faces +Z.
    pub fn of(shape: &SoleShape, footprint: &Footprint) -> SolePrint {
        SolePrint::new(shape, ground_point(footprint.position), footprint.heading.unwrap_or(0.0))
    }

    /// Between two soles, in metres; below 0 where they overlap.
    pub fn gap(&self, other: &SolePrint) -> f64 {
        let between = segment_distance((self.back, self.front), (other.back, other.front));
        between - self.half_breadth - other.half_breadth
    }

    /// From the sole to an area, in metres; below 0 where it reaches into it, by how far.
    pub fn gap_to_area(&self, outline: &[Vec2]) -> f64 {
        self.beside_line(outline, !contains(outline, self.back))
    }

    /// From the sole to the edge of an area that it shall stay in, in metres; below 0 where it reaches out of it, by how
    /// far.
    pub fn room_in_area(&self, outline: &[Vec2]) -> f64 {
        self.beside_line(outline, contains(outline, self.back))
    }

    /// Where the sole's middle line is on the wrong side, or crosses the outline, it is as deep as its nearer end.
    fn beside_line(&self, outline: &[Vec2], is_right: bool) -> f64 {
        let (distance, _) = distance_to_outline(self.back, self.front, outline);
        if distance > 0.0 && is_right {
            return distance - self.half_breadth;
        }
        let depth = |end: Vec2| distance_to_outline(end, end, outline).0;
        -self.half_breadth - depth(self.back).min(depth(self.front)).max(distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soles_are_as_far_from_areas_as_their_nearest_point() {
        let shape = SoleShape { heel: 0.18, toe: 0.08, half_breadth: 0.05 };
        let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(Vec2::from);
        let print = |x: f64, z: f64| SolePrint::new(&shape, Vec2::new(x, z), 0.0);
        // Facing +Z, the toes reach 0.08 m before the ball and the heel 0.18 m behind it.
        assert!((print(0.5, -0.2).gap_to_area(&square) - 0.12).abs() < 1e-12);
        assert!((print(0.5, 1.2).gap_to_area(&square) - 0.02).abs() < 1e-12);
        assert!((print(1.06, 0.5).gap_to_area(&square) - 0.01).abs() < 1e-12);
        assert!((print(1.04, 0.5).gap_to_area(&square) + 0.01).abs() < 1e-12);
        assert!(print(0.5, 0.5).gap_to_area(&square) < -0.3, "in the middle of it");
        assert!((print(0.5, 0.5).room_in_area(&square) - 0.32).abs() < 1e-12);
        assert!(print(0.97, 0.5).room_in_area(&square) < 0.0 && print(1.5, 0.5).room_in_area(&square) < -0.4);
        assert!((print(0.0, 0.0).gap(&print(0.12, 0.05)) - 0.02).abs() < 1e-12);
    }
}
