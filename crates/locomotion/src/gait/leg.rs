//! One leg as angles, and back: the law of cosines between hip, knee and ankle.
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
use super::rig::Build;
use surefoot_geom::{Mat3, Quat, Vec3};
use surefoot_motion::Side;

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
    pub(super) fn new(build: &Build, side: Side) -> LegLengths {
        LegLengths { thigh: build.thigh[side], shin: build.shin[side] }
    }

    /// From hip to ankle with the knee flexed so far.
    pub(super) fn reach(&self, knee: f64) -> f64 {
        let LegLengths { thigh, shin } = *self;
        (thigh * thigh + shin * shin + 2.0 * thigh * shin * knee.cos()).max(0.0).sqrt()
    }

    /// The flexion with which the ankle is so far from the hip.
    pub(super) fn knee(&self, reach: f64) -> f64 {
        let LegLengths { thigh, shin } = *self;
        ((reach * reach - thigh * thigh - shin * shin) / (2.0 * thigh * shin)).clamp(-1.0, 1.0).acos()
    }

    /// How far the thigh is ahead of the line from hip to ankle.
    fn lead(&self, knee: f64) -> f64 {
        (self.shin * knee.sin()).atan2(self.thigh + self.shin * knee.cos())
    }

    /// The angles that put the ankle there, relative to the hip in the frame of the body's heading.
    pub(super) fn angles(&self, ankle: Vec3) -> LegAngles {
        let knee = self.knee(ankle.length());
        let line = ankle.z.atan2(-ankle.y);
        LegAngles { hip: line + self.lead(knee), knee, out: ankle.x.atan2(ankle.y.hypot(ankle.z)) }
    }

    /// Where angles put the ankle.
    pub(super) fn ankle(&self, angles: LegAngles) -> Vec3 {
        let line = angles.hip - self.lead(angles.knee);
        let planar = Vec3::new(0.0, -line.cos(), line.sin()) * angles.out.cos();
        (planar + Vec3::X * angles.out.sin()) * self.reach(angles.knee)
    }

    /// Thigh and shin between a hip and an ankle; the knee bends forward in the plane that faces `heading`. An ankle out of
    /// reach is pointed at.
    pub(super) fn solve(&self, hip: Vec3, ankle: Vec3, heading: f64) -> (Quat, Quat) {
        let way = ankle - hip;
        let length = way.length();
        let down = if length > 0.0 { way / length } else { Vec3::NEG_Y };
        let turned = Quat::from_rotation_y(heading);
        let level = turned.conjugate() * way;
        let planar = level.y.hypot(level.z);
        // At right angles to the line in the sagittal plane: never along the leg, however high it is lifted.
        let pole = if planar > 0.0 { Vec3::new(0.0, level.z, -level.y) / planar } else { Vec3::Z };
        let side = (turned * pole).reject_from_normalized(down).normalize_or(Vec3::Z);
        // The law of cosines gives how far down the line the knee stands, and how far before it.
        let reach = length.clamp((self.thigh - self.shin).abs().max(1e-6), self.thigh + self.shin);
        let along = (self.thigh * self.thigh - self.shin * self.shin + reach * reach) / (2.0 * reach);
        let before = (self.thigh * self.thigh - along * along).max(0.0).sqrt();
        let thigh = (down * along + side * before) / self.thigh;
        let shin = (down * (reach - along) - side * before) / self.shin;
        let hinge = side.cross(down);
        let attitude = |along: Vec3| Quat::from_mat3(&Mat3::from_cols(hinge, -along, hinge.cross(-along)));
        (attitude(thigh), attitude(shin))
    }
}

/// The leg between a hip and a foot.
pub(super) fn leg_posture(
    lengths: LegLengths,
    hip: Vec3,
    ankle: Vec3,
    heading: f64,
    foot: Quat,
    toe_bend: f64,
) -> LegPosture {
    let (thigh, shin) = lengths.solve(hip, ankle, heading);
    LegPosture { thigh, shin, foot, toe_bend }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let (thigh, shin) = LEG.solve(hip, ankle, heading);
            let knee = hip + thigh * Vec3::NEG_Y * LEG.thigh;
            assert!((knee + shin * Vec3::NEG_Y * LEG.shin).distance(ankle) < 1e-12);
            let forward = Quat::from_rotation_y(heading) * Vec3::Z;
            let foot = hip + (ankle - hip) * 0.5;
            assert!((knee - foot).dot(forward) > 0.0);
            assert!((thigh * Vec3::X).distance(shin * Vec3::X) < 1e-12);
        }
    }
}
