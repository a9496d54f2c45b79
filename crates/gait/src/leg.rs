//! One leg as angles, and back, on the two-bone IK of [`TwoBone`].
//!
//! ```text
//!        hip o
//!           /|\         line: sagittal angle of the line hip-ankle from straight down, forward positive
//!   thigh  / | \        hip:  sagittal angle of the thigh, the same way; ahead of the line by what the knee's flexion makes it
//!         /  |          knee: flexion, 0 in a straight leg
//!   knee o   |
//!         \  |          out:  angle of the line out of the sagittal plane, toward +X
//!          \ |
//!           \o ankle
//! ```

use super::LegPosture;
use surefoot_geom::{Quat, Vec3};
use surefoot_motion::{BodyProportions, Side, TwoBone};

/// A leg's lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LegLengths {
    pub(super) thigh: f64,
    pub(super) shin: f64,
}

/// Angles of a leg in the frame of the body's heading, in radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LegAngles {
    pub(super) hip: f64,
    pub(super) knee: f64,
    pub(super) out: f64,
}

impl LegLengths {
    pub(super) fn new(proportions: &BodyProportions, side: Side) -> LegLengths {
        LegLengths { thigh: proportions.thigh[side], shin: proportions.shin[side] }
    }

    #[inline]
    fn bones(&self) -> TwoBone {
        TwoBone::new(self.thigh, self.shin)
    }

    /// From hip to ankle with the knee flexed so far. Inlined, for many callers name a constant, whose cosine is then one
    /// too.
    #[inline]
    pub(super) fn reach(&self, knee: f64) -> f64 {
        self.bones().reach(knee)
    }

    /// The angles that put the ankle there, relative to the hip in the frame of the body's heading.
    pub(super) fn angles(&self, ankle: Vec3) -> LegAngles {
        let cos = self.bones().flexion_cosine(ankle.length_squared());
        let sin = (1.0 - cos * cos).sqrt();
        // How far the thigh is ahead of the line from hip to ankle.
        let lead = (self.shin * sin).atan2(self.thigh + self.shin * cos);
        let line = ankle.z.atan2(-ankle.y);
        let planar = (ankle.y * ankle.y + ankle.z * ankle.z).sqrt();
        LegAngles { hip: line + lead, knee: sin.atan2(cos), out: ankle.x.atan2(planar) }
    }

    /// Where angles put the ankle.
    pub(super) fn ankle(&self, angles: LegAngles) -> Vec3 {
        let along = |length: f64, angle: f64| {
            let (sin, cos) = angle.sin_cos();
            Vec3::new(0.0, -length * cos, length * sin)
        };
        let planar = along(self.thigh, angles.hip) + along(self.shin, angles.hip - angles.knee);
        let (sin, cos) = angles.out.sin_cos();
        planar * cos + Vec3::X * (planar.length() * sin)
    }

    /// Thigh and shin between a hip and an ankle; the knee bends forward in the plane that faces `forward`, a level
    /// direction of length 1. An ankle out of reach is pointed at.
    pub(super) fn solve(&self, hip: Vec3, ankle: Vec3, forward: Vec3) -> (Quat, Quat) {
        let offset = ankle - hip;
        // At right angles to the line, in the sagittal plane: never along the leg, however high it is lifted.
        let pole = (Vec3::Y * offset.dot(forward) - forward * offset.y).normalize_or(forward);
        self.bones().solve(offset, pole).rotations()
    }
}

/// The leg between a hip and a foot.
pub(super) fn leg_posture(
    lengths: LegLengths,
    hip: Vec3,
    ankle: Vec3,
    forward: Vec3,
    foot: Quat,
    toe_bend: f64,
) -> LegPosture {
    let (thigh, shin) = lengths.solve(hip, ankle, forward);
    LegPosture { thigh, shin, foot, toe_bend }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_geom::heading_direction;

    const LEG: LegLengths = LegLengths { thigh: 0.45, shin: 0.41 };

    #[test]
    fn angles_and_ankles_are_the_same_thing() {
        for (hip, knee, out) in [(0.4, 0.3, 0.1), (-0.3, 1.2, -0.2), (1.4, 1.9, 0.0), (0.0, 0.02, 0.05)] {
            let angles = LegAngles { hip, knee, out };
            let back = LEG.angles(LEG.ankle(angles));
            for (a, b) in [(hip, back.hip), (knee, back.knee), (out, back.out)] {
                assert!((a - b).abs() < 1e-9, "{angles:?} {back:?}");
            }
        }
    }

    #[test]
    fn solved_legs_end_at_the_ankle_with_the_knee_in_front() {
        let (hip, ankle) = (Vec3::new(0.1, 0.9, 0.2), Vec3::new(0.2, 0.2, -0.1));
        for heading in [0.0, 0.7, -2.0] {
            let forward = heading_direction(heading);
            let (thigh, shin) = LEG.solve(hip, ankle, forward);
            let knee = hip + thigh * Vec3::NEG_Y * LEG.thigh;
            assert!((knee + shin * Vec3::NEG_Y * LEG.shin).distance(ankle) < 1e-12);
            let foot = hip + (ankle - hip) * 0.5;
            assert!((knee - foot).dot(forward) > 0.0);
            assert!((thigh * Vec3::X).distance(shin * Vec3::X) < 1e-12);
        }
    }
}
