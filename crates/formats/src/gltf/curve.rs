//! Key frames of one channel, and their value at any time.
//!
//! Reference: glTF 2.0, appendix C. Departures: the interpolation of rotations takes the shorter arc whatever the
//! signs of the keys (the specification says so, several exporters rely on it), and a time within [`snap`](Curve::at)
//! of a key takes the key as it is, because key times are rounded to `f32` and a step must not come a frame late for
//! it.

use std::rc::Rc;
use surefoot_geom::{Quat, Vec3};

/// What happens between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Interpolation {
    Step,
    Linear,
    CubicSpline,
}

impl Interpolation {
    /// `None` for a name that does not exist; no name means linear.
    pub(super) fn from_name(name: Option<&str>) -> Option<Interpolation> {
        Some(match name {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::CubicSpline,
            Some(_) => return None,
        })
    }

    /// Values stored for each key: cubic splines have a tangent on either side.
    pub(super) fn n_values(self) -> usize {
        if self == Interpolation::CubicSpline { 3 } else { 1 }
    }
}

/// A value that keys can hold.
pub(super) trait Keyed: Copy {
    /// `self` at 0, `other` at 1.
    fn mix(self, other: Self, t: f64) -> Self;
    /// A weighted sum, brought back to what the value can be.
    fn sum(values: [Self; 4], weights: [f64; 4]) -> Self;
}

impl Keyed for Vec3 {
    fn mix(self, other: Vec3, t: f64) -> Vec3 {
        self.lerp(other, t)
    }

    fn sum(v: [Vec3; 4], w: [f64; 4]) -> Vec3 {
        v[0] * w[0] + v[1] * w[1] + v[2] * w[2] + v[3] * w[3]
    }
}

impl Keyed for Quat {
    fn mix(self, other: Quat, t: f64) -> Quat {
        surefoot_geom::rotation::slerp(self, other, t).normalize()
    }

    fn sum(v: [Quat; 4], w: [f64; 4]) -> Quat {
        let sum = v[0] * w[0] + v[1] * w[1] + v[2] * w[2] + v[3] * w[3];
        // A spline may pass through zero, where it has no direction.
        super::tree::to_unit(sum).map_or(v[0], |unit| unit.rotation)
    }
}

/// The keys of one channel.
#[derive(Clone)]
pub(super) struct Curve<T> {
    /// Strictly rising; not empty.
    pub(super) times: Rc<[f64]>,
    /// [`Interpolation::n_values`] for each time.
    pub(super) values: Rc<[T]>,
    pub(super) interpolation: Interpolation,
}

impl<T: Keyed> Curve<T> {
    /// The value at a time; before the first key and after the last theirs. A key within `snap` seconds is taken as it is.
    pub(super) fn at(&self, time: f64, snap: f64) -> T {
        let next = self.times.partition_point(|&key| key <= time + snap);
        if next == 0 {
            return self.value(0);
        }
        let key = next - 1;
        if next == self.times.len() || time - self.times[key] <= snap {
            return self.value(key);
        }
        let span = self.times[next] - self.times[key];
        let t = (time - self.times[key]) / span;
        match self.interpolation {
            Interpolation::Step => self.value(key),
            Interpolation::Linear => self.value(key).mix(self.value(next), t),
            Interpolation::CubicSpline => self.spline(key, span, t),
        }
    }

    fn value(&self, key: usize) -> T {
        match self.interpolation {
            Interpolation::CubicSpline => self.values[3 * key + 1],
            Interpolation::Step | Interpolation::Linear => self.values[key],
        }
    }

    /// The cubic Hermite spline after a key. Tangents are stored per second, an arriving one before each value and a
    /// leaving one behind it.
    fn spline(&self, key: usize, span: f64, t: f64) -> T {
        let leaving = self.values[3 * key + 2];
        let arriving = self.values[3 * (key + 1)];
        let (t2, t3) = (t * t, t * t * t);
        let weights = [2.0 * t3 - 3.0 * t2 + 1.0, span * (t3 - 2.0 * t2 + t), -2.0 * t3 + 3.0 * t2, span * (t3 - t2)];
        T::sum([self.value(key), leaving, self.value(key + 1), arriving], weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_geom::rotation::angle_between;

    fn curve<T: Clone>(times: &[f64], values: &[T], interpolation: Interpolation) -> Curve<T> {
        Curve { times: times.into(), values: values.into(), interpolation }
    }

    fn x(value: f64) -> Vec3 {
        Vec3::new(value, 0.0, 0.0)
    }

    #[test]
    fn times_outside_the_keys_hold_the_ends() {
        for interpolation in [Interpolation::Step, Interpolation::Linear] {
            let curve = curve(&[1.0, 2.0], &[x(3.0), x(5.0)], interpolation);
            assert_eq!((curve.at(0.0, 0.0), curve.at(9.0, 0.0)), (x(3.0), x(5.0)));
        }
    }

    #[test]
    fn steps_hold_lines_mix_and_near_keys_snap() {
        let step = curve(&[0.0, 1.0], &[x(0.0), x(10.0)], Interpolation::Step);
        assert_eq!(step.at(0.9, 1e-6), x(0.0));
        assert_eq!(step.at(1.0 - 1e-7, 1e-6), x(10.0));
        let line = curve(&[0.0, 1.0, 3.0], &[x(0.0), x(10.0), x(20.0)], Interpolation::Linear);
        assert_eq!(line.at(0.25, 1e-6), x(2.5));
        assert_eq!(line.at(2.0, 1e-6), x(15.0));
        assert_eq!(line.at(1.0 + 1e-7, 1e-6), x(10.0));
    }

    #[test]
    fn a_spline_reproduces_the_cubic_it_was_made_from() {
        let value = |t: f64| 2.0 * t * t * t - t * t + 3.0 * t - 1.0;
        let slope = |t: f64| 6.0 * t * t - 2.0 * t + 3.0;
        let times = [0.5, 1.5, 4.0];
        let values: Vec<Vec3> = times.iter().flat_map(|&t| [x(slope(t)), x(value(t)), x(slope(t))]).collect();
        let spline = curve(&times, &values, Interpolation::CubicSpline);
        for i in 0..=35 {
            let t = 0.5 + 0.1 * f64::from(i);
            assert!((spline.at(t, 0.0).x - value(t)).abs() < 1e-9, "{t}");
        }
    }

    #[test]
    fn rotations_take_the_shorter_arc_and_stay_one_long() {
        let [a, b] = [0.0, 1.0].map(Quat::from_rotation_y);
        let flipped = curve(&[0.0, 1.0], &[a, -b], Interpolation::Linear);
        assert!(angle_between(flipped.at(0.3, 0.0), Quat::from_rotation_y(0.3)) < 1e-12);
        let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let spline = curve(&[0.0, 1.0], &[zero, a, zero, zero, b, zero], Interpolation::CubicSpline);
        let middle = spline.at(0.5, 0.0);
        assert!(middle.is_normalized() && angle_between(middle, Quat::from_rotation_y(0.5)) < 1e-12);
        // Through zero: any rotation will do, but it must be one.
        let through = curve(&[0.0, 1.0], &[zero, a, zero, zero, -a, zero], Interpolation::CubicSpline);
        assert!(through.at(0.5, 0.0).is_normalized());
    }
}
