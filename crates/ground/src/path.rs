//! A path over the ground.

use surefoot_geom::Vec2;

/// A line of straight pieces over the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Points `(x, z)` in order, at least two.
    pub points: Vec<Vec2>,
}

/// Why points are no path. Points are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathError {
    /// Fewer than two.
    TooShort {
        /// How many there are.
        found: usize,
    },
    /// A coordinate is NaN or infinite.
    NotFinite {
        /// Whose.
        point: usize,
    },
    /// A point repeats the one before it: there is no direction between them.
    Repeated {
        /// The later one.
        point: usize,
    },
}

impl std::fmt::Display for PathError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PathError::TooShort { found } => write!(f, "a path has at least two points; this one has {found}"),
            PathError::NotFinite { point } => write!(f, "points[{point}] has a number that is not finite"),
            PathError::Repeated { point } => {
                write!(f, "points[{point}] repeats points[{}]; leave one of them out", point - 1)
            }
        }
    }
}

impl std::error::Error for PathError {}

/// Points closer than this are one: a thousandth of a millimetre.
const SAME_POINT: f64 = 1e-6;

impl Path {
    /// Whether the points make a path.
    pub fn check(&self) -> Result<(), PathError> {
        if let Some(point) = self.points.iter().position(|point| !point.is_finite()) {
            return Err(PathError::NotFinite { point });
        }
        if self.points.len() < 2 {
            return Err(PathError::TooShort { found: self.points.len() });
        }
        match self.points.windows(2).position(|pair| pair[0].distance(pair[1]) < SAME_POINT) {
            Some(before) => Err(PathError::Repeated { point: before + 1 }),
            None => Ok(()),
        }
    }

    /// From the first point to the last along the path, in metres.
    pub fn length(&self) -> f64 {
        self.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(points: &[[f64; 2]]) -> Path {
        Path { points: points.iter().map(|&point| Vec2::from(point)).collect() }
    }

    #[test]
    fn a_path_has_two_points_apart_and_finite() {
        let good = path(&[[0.0, 0.0], [0.0, 4.0], [3.0, 8.0]]);
        assert_eq!(good.check(), Ok(()));
        assert_eq!(good.length(), 9.0);
        assert_eq!(path(&[[0.0, 0.0]]).check(), Err(PathError::TooShort { found: 1 }));
        assert_eq!(path(&[[0.0, 0.0], [1.0, f64::NAN]]).check(), Err(PathError::NotFinite { point: 1 }));
        assert_eq!(path(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]]).check(), Err(PathError::Repeated { point: 2 }));
    }
}
