//! A rigid transform: rotation, then translation.

use crate::{Mat4, Quat, Vec3};

/// A rotation followed by a translation. `a * b` applies `b` first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// A unit quaternion.
    pub rotation: Quat,
    /// Metres.
    pub translation: Vec3,
}

impl Transform {
    /// Changes nothing.
    pub const IDENTITY: Transform = Transform { rotation: Quat::IDENTITY, translation: Vec3::ZERO };

    /// A transform from its parts.
    pub fn new(rotation: Quat, translation: Vec3) -> Transform {
        Transform { rotation, translation }
    }

    /// A pure translation.
    pub fn from_translation(translation: Vec3) -> Transform {
        Transform { rotation: Quat::IDENTITY, translation }
    }

    /// A pure rotation.
    pub fn from_rotation(rotation: Quat) -> Transform {
        Transform { rotation, translation: Vec3::ZERO }
    }

    /// Where the transform takes a point.
    #[inline]
    pub fn transform_point(&self, point: Vec3) -> Vec3 {
        self.rotation * point + self.translation
    }

    /// The transform that undoes this one.
    pub fn inverse(&self) -> Transform {
        let rotation = self.rotation.conjugate();
        Transform { rotation, translation: -(rotation * self.translation) }
    }

    /// The same transform as a matrix.
    pub fn to_mat4(self) -> Mat4 {
        Mat4::from_rotation_translation(self.rotation, self.translation)
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.rotation.is_finite() && self.translation.is_finite()
    }
}

impl std::ops::Mul for Transform {
    type Output = Transform;

    #[inline]
    fn mul(self, inner: Transform) -> Transform {
        Transform {
            rotation: self.rotation * inner.rotation,
            translation: self.rotation * inner.translation + self.translation,
        }
    }
}

impl Default for Transform {
    fn default() -> Transform {
        Transform::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_undoes_and_product_applies_the_right_factor_first() {
        let a = Transform::new(Quat::from_rotation_y(0.7), Vec3::new(1.0, 2.0, 3.0));
        let b = Transform::new(Quat::from_rotation_x(-0.3), Vec3::new(-2.0, 0.5, 0.1));
        let p = Vec3::new(0.3, -0.2, 0.9);
        assert!((a * b).transform_point(p).abs_diff_eq(a.transform_point(b.transform_point(p)), 1e-14));
        assert!((a.inverse() * a).transform_point(p).abs_diff_eq(p, 1e-14));
        assert!(a.to_mat4().transform_point3(p).abs_diff_eq(a.transform_point(p), 1e-14));
    }
}
