//! A signed coordinate axis, for foreign conventions of "up" and "forward".

use crate::Vec3;

/// One of the six signed coordinate axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// +X
    X,
    /// +Y
    Y,
    /// +Z
    Z,
    /// -X
    NegX,
    /// -Y
    NegY,
    /// -Z
    NegZ,
}

impl Axis {
    /// All six, positive ones first.
    pub const ALL: [Axis; 6] = [Axis::X, Axis::Y, Axis::Z, Axis::NegX, Axis::NegY, Axis::NegZ];

    /// The axis as a unit vector.
    pub fn to_vec3(self) -> Vec3 {
        match self {
            Axis::X => Vec3::X,
            Axis::Y => Vec3::Y,
            Axis::Z => Vec3::Z,
            Axis::NegX => Vec3::NEG_X,
            Axis::NegY => Vec3::NEG_Y,
            Axis::NegZ => Vec3::NEG_Z,
        }
    }

    /// The axis that a direction comes closest to; ties go to the first in [`Axis::ALL`].
    pub fn nearest(direction: Vec3) -> Axis {
        let mut best = Axis::X;
        for axis in Axis::ALL {
            if direction.dot(axis.to_vec3()) > direction.dot(best.to_vec3()) {
                best = axis;
            }
        }
        best
    }

    /// The axis as people write it: `X`, `-Z`.
    pub fn name(self) -> &'static str {
        match self {
            Axis::X => "X",
            Axis::Y => "Y",
            Axis::Z => "Z",
            Axis::NegX => "-X",
            Axis::NegY => "-Y",
            Axis::NegZ => "-Z",
        }
    }
}

impl std::fmt::Display for Axis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Axis {
    type Err = String;

    /// Reads `X`, `+y`, `-Z`.
    fn from_str(text: &str) -> Result<Axis, String> {
        let name = text.strip_prefix('+').unwrap_or(text);
        Axis::ALL
            .into_iter()
            .find(|axis| axis.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| format!("`{text}` is no axis; X, Y, Z, -X, -Y or -Z would be"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_nearest_round_trip() {
        for axis in Axis::ALL {
            assert_eq!(axis.name().to_lowercase().parse(), Ok(axis));
            assert_eq!(Axis::nearest(axis.to_vec3() + Vec3::splat(0.1)), axis);
        }
        assert_eq!("+z".parse(), Ok(Axis::Z));
        assert!("up".parse::<Axis>().is_err());
    }
}
