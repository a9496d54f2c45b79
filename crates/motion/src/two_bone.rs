//! Two-bone IK in closed form: legs and arms with a hinge in the middle.
//!
//! ```text
//!   root o                     offset:  from the root to the target of the end
//!        |\                      pole:  where the middle joint should point
//!        | \  upper              axis:  of the hinge; a positive turn about it flexes (right-hand rule,
//!        |  \                           from the upper bone's direction away from the pole)
//! offset |---o middle  -> pole
//!        |  /
//!        | /  lower              flexion: 0 in a straight limb, pi in a folded one
//!        |/
//!    end o
//! ```
//!
//! The law of cosines gives the flexion at which the end is as far from the root as the target is, and the pole the plane
//! in which the limb bends. Recorded hinges are not quite square to their bones: what the bones have along the axis
//! ([`TwoBone::slant`]) no flexion changes, and everything else happens across the axis.
//!
//! Total for finite input, never a NaN:
//! - A target out of reach is pointed at by a straight limb; one that is too near, by a limb as folded as it gets.
//! - A target at the root has no direction: it counts as straight below (-Y).
//! - A pole along the offset, or of length 0, gives no plane: one is chosen that depends on the offset alone.
//! - A bone without length leaves nothing to bend: both bones point at the target.

use surefoot_geom::{Mat3, Quat, Vec3};

/// Least distance from the root to the end of a limb with bones of one length, in metres: nearer, the offset has no direction.
const NEAREST: f64 = 1e-6;

/// Squared sine of the angle between pole and offset below which they count as parallel.
const PARALLEL: f64 = 1e-16;

/// The lengths of a limb of two bones and a hinge, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBone {
    /// From root to middle, across the hinge's axis.
    pub upper: f64,
    /// From middle to end, across the hinge's axis.
    pub lower: f64,
    /// From root to end along the hinge's axis, the same at every flexion; 0 for bones square to it.
    pub slant: f64,
}

/// How a limb is bent to reach a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBonePose {
    /// The hinge's axis, a unit vector.
    pub axis: Vec3,
    /// Direction of the upper bone across the axis, a unit vector.
    pub upper: Vec3,
    /// Direction of the lower bone across the axis, a unit vector.
    pub lower: Vec3,
}

impl TwoBone {
    /// Bones square to their hinge.
    #[inline]
    pub fn new(upper: f64, lower: f64) -> TwoBone {
        TwoBone { upper, lower, slant: 0.0 }
    }

    /// Bones from joint to joint, root to middle and middle to end, each with the hinge's unit axis in its own space.
    pub fn hinged((upper, upper_axis): (Vec3, Vec3), (lower, lower_axis): (Vec3, Vec3)) -> TwoBone {
        let (upper_along, lower_along) = (upper.dot(upper_axis), lower.dot(lower_axis));
        let across = |bone: Vec3, along: f64| (bone.length_squared() - along * along).max(0.0).sqrt();
        TwoBone {
            upper: across(upper, upper_along),
            lower: across(lower, lower_along),
            slant: upper_along + lower_along,
        }
    }

    /// The distance from root to end at a flexion. Inlined, for callers often name a constant, whose cosine is then one too.
    #[inline]
    pub fn reach(&self, flexion: f64) -> f64 {
        let TwoBone { upper, lower, slant } = *self;
        (upper * upper + lower * lower + 2.0 * upper * lower * flexion.cos() + slant * slant).max(0.0).sqrt()
    }

    /// The cosine of the flexion at which root and end are so far apart, or as near to that as it gets; 1, a straight limb,
    /// for a bone without length.
    #[inline]
    pub fn flexion_cosine(&self, distance_squared: f64) -> f64 {
        let TwoBone { upper, lower, slant } = *self;
        let product = 2.0 * upper * lower;
        if product > 0.0 {
            ((distance_squared - slant * slant - upper * upper - lower * lower) / product).clamp(-1.0, 1.0)
        } else {
            1.0
        }
    }

    /// The flexion in `[0, pi]` at which root and end are so far apart, or as near to that as it gets.
    #[inline]
    pub fn flexion(&self, distance: f64) -> f64 {
        self.flexion_cosine(distance * distance).acos()
    }

    /// Bends the limb so that its end is at `offset` from its root, the middle toward `pole`. Neither needs to be of length 1.
    pub fn solve(&self, offset: Vec3, pole: Vec3) -> TwoBonePose {
        let distance = offset.length();
        let line = if distance > 0.0 { offset / distance } else { Vec3::NEG_Y };
        let side = bend_direction(line, pole);
        if self.slant == 0.0 {
            return self.solve_across(line, side, distance);
        }
        // The axis leans against the offset by what the bones have along it, and the line across the axis leans as much.
        let lean = (self.slant / distance.max(NEAREST)).clamp(-1.0, 1.0);
        let (upright, hinge) = ((1.0 - lean * lean).sqrt(), side.cross(line));
        let reach = (distance * distance - self.slant * self.slant).max(0.0).sqrt();
        let pose = self.solve_across(line * upright - hinge * lean, side, reach);
        TwoBonePose { axis: hinge * upright + line * lean, ..pose }
    }

    /// The triangle across the hinge's axis: `line` and `side` are unit vectors at right angles.
    fn solve_across(&self, line: Vec3, side: Vec3, distance: f64) -> TwoBonePose {
        let TwoBone { upper, lower, .. } = *self;
        let axis = side.cross(line);
        let has_bones = upper > 0.0 && lower > 0.0;
        if !has_bones {
            return TwoBonePose { axis, upper: line, lower: line };
        }
        let longest = upper + lower;
        let reach = distance.clamp((upper - lower).abs().max(NEAREST).min(longest), longest);
        // The law of cosines gives how far down the line the middle is, and how far beside it.
        let along = (upper * upper - lower * lower + reach * reach) / (2.0 * reach);
        let beside = (upper * upper - along * along).max(0.0).sqrt();
        TwoBonePose {
            axis,
            upper: (line * along + side * beside).normalize_or(line),
            lower: (line * (reach - along) - side * beside).normalize_or(line),
        }
    }
}

impl TwoBonePose {
    /// Rotations in the world of an upper and a lower bone that point along -Y in their own space and flex about +X.
    pub fn rotations(&self) -> (Quat, Quat) {
        let attitude = |bone: Vec3| Quat::from_mat3(&Mat3::from_cols(self.axis, -bone, self.axis.cross(-bone)));
        (attitude(self.upper), attitude(self.lower))
    }
}

/// The part of the pole across a unit vector, as a unit vector.
fn bend_direction(line: Vec3, pole: Vec3) -> Vec3 {
    let across = pole.reject_from_normalized(line);
    let is_plane = across.length_squared() > PARALLEL * pole.length_squared();
    if is_plane { across.normalize_or(line.any_orthonormal_vector()) } else { line.any_orthonormal_vector() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    /// Where the end is, from the root.
    fn end(bones: &TwoBone, pose: &TwoBonePose) -> Vec3 {
        pose.upper * bones.upper + pose.lower * bones.lower + pose.axis * bones.slant
    }

    /// What every answer promises: unit vectors, bones across the axis, a hinge that only flexes.
    fn check(bones: &TwoBone, pose: &TwoBonePose) {
        for unit in [pose.axis, pose.upper, pose.lower] {
            assert!((unit.length() - 1.0).abs() < 1e-7, "{bones:?} {pose:?}");
        }
        for bone in [pose.upper, pose.lower] {
            assert!(bone.dot(pose.axis).abs() < 1e-7, "{bones:?} {pose:?}");
        }
        assert!(pose.upper.cross(pose.lower).dot(pose.axis) > -1e-7, "{bones:?} {pose:?}");
        let (upper, lower) = pose.rotations();
        assert!((upper * Vec3::NEG_Y).distance(pose.upper) < 1e-6 && (lower * Vec3::NEG_Y).distance(pose.lower) < 1e-6);
        assert!((upper * Vec3::X).distance(lower * Vec3::X) < 1e-6);
    }

    fn vector(size: f64) -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-size..size).prop_map(Vec3::from_array)
    }

    proptest! {
        #[test]
        fn ends_meet_targets_within_reach_with_the_middle_toward_the_pole(
            (upper, lower, slant) in (0.1..0.6f64, 0.1..0.6f64, -0.05..0.05f64),
            share in 0.01..0.99f64,
            (offset, pole) in (vector(1.0), vector(1.0)),
        ) {
            prop_assume!(offset.length() > 0.1 && offset.cross(pole).length() > 0.05);
            let bones = TwoBone { upper, lower, slant };
            let (nearest, farthest) = (bones.reach(PI), bones.reach(0.0));
            let offset = offset.normalize() * (nearest + share * (farthest - nearest)).max(0.06);
            let pose = bones.solve(offset, pole);
            check(&bones, &pose);
            prop_assert!(end(&bones, &pose).distance(offset) < 1e-9);
            prop_assert!(pose.upper.angle_between(pose.lower) - bones.flexion(offset.length()) < 1e-6);
            if slant == 0.0 {
                prop_assert!(pose.upper.dot(pole.reject_from(offset)) > 0.0);
            }
        }

        #[test]
        fn flexion_and_reach_are_inverse((upper, lower, slant) in (0.1..0.6f64, 0.1..0.6f64, -0.1..0.1f64), bend in 0.01..3.13f64) {
            let bones = TwoBone { upper, lower, slant };
            prop_assert!((bones.flexion(bones.reach(bend)) - bend).abs() < 1e-9);
        }

        #[test]
        fn a_hinged_limb_keeps_its_lengths(upper in vector(0.5), lower in vector(0.5), axis in vector(1.0)) {
            prop_assume!(axis.length() > 0.1);
            let axis = axis.normalize();
            let bones = TwoBone::hinged((upper, axis), (lower, axis));
            let turned = |angle: f64| (upper + Quat::from_axis_angle(axis, angle) * lower).length();
            let farthest = (0..=360).map(|degrees| turned(f64::from(degrees).to_radians())).fold(0.0, f64::max);
            prop_assert!((bones.reach(0.0) - farthest).abs() < 1e-3 && farthest <= bones.reach(0.0) + 1e-9);
        }

        #[test]
        fn nothing_finite_gives_a_nan(
            lengths in prop::array::uniform3(prop::sample::select(vec![0.0, 1e-12, 0.3, 0.3, 0.5, -1.0, 1e6])),
            offset in prop::array::uniform3(prop::sample::select(vec![0.0, -0.0, 1e-300, 1e-9, 0.3, -0.8, 1e6])),
            pole in prop::array::uniform3(prop::sample::select(vec![0.0, -0.0, 1e-300, 1e-9, 0.3, -0.8, 1e6])),
        ) {
            let [upper, lower, slant] = lengths;
            let bones = TwoBone { upper, lower, slant };
            let pose = bones.solve(Vec3::from_array(offset), Vec3::from_array(pole));
            check(&bones, &pose);
            let distance = Vec3::from_array(offset).length();
            prop_assert!(bones.flexion(distance).is_finite() && bones.reach(1.0).is_finite());
        }
    }

    #[test]
    fn a_leg_bends_forward_about_x() {
        let bones = TwoBone::new(0.4, 0.3);
        let pose = bones.solve(Vec3::NEG_Y * 0.5, Vec3::Z);
        assert!(pose.axis.distance(Vec3::X) < 1e-15);
        // A right angle at the knee of the triangle 3, 4, 5.
        assert!((bones.flexion(0.5) - FRAC_PI_2).abs() < 1e-15);
        assert!(pose.upper.distance(Vec3::new(0.0, -0.8, 0.6)) < 1e-15, "{pose:?}");
        assert!(pose.lower.distance(Vec3::new(0.0, -0.6, -0.8)) < 1e-15, "{pose:?}");
    }

    #[test]
    fn targets_out_of_reach_are_pointed_at() {
        let bones = TwoBone::new(0.45, 0.4);
        let offset = Vec3::new(0.3, -2.0, 0.5);
        let pose = bones.solve(offset, Vec3::Z);
        assert!(end(&bones, &pose).distance(offset.normalize() * 0.85) < 1e-12);
        assert_eq!(bones.flexion(offset.length()), 0.0);
        let near = bones.solve(offset * 1e-3, Vec3::Z);
        assert!(end(&bones, &near).distance(offset.normalize() * 0.05) < 1e-9, "as folded as it gets");
        assert_eq!(bones.flexion(1e-3), PI);
    }

    #[test]
    fn a_target_at_the_root_counts_as_straight_below() {
        let bones = TwoBone::new(0.45, 0.4);
        assert!(end(&bones, &bones.solve(Vec3::ZERO, Vec3::Z)).distance(Vec3::NEG_Y * 0.05) < 1e-9);
        let alike = TwoBone::new(0.4, 0.4);
        assert!(end(&alike, &alike.solve(Vec3::ZERO, Vec3::Z)).length() < 1e-5);
    }

    #[test]
    fn a_pole_that_gives_no_plane_is_replaced() {
        let bones = TwoBone::new(0.45, 0.4);
        let offset = Vec3::new(0.1, -0.7, 0.2);
        for pole in [Vec3::ZERO, offset, offset * -3.0, offset * 1e-12] {
            let pose = bones.solve(offset, pole);
            check(&bones, &pose);
            assert!(end(&bones, &pose).distance(offset) < 1e-9, "{pole}");
        }
    }
}
