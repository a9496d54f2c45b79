//! Linear time-domain filters for orientations.
//!
//! Reference: Lee and Shin, "General construction of time-domain filters for orientation data", IEEE TVCG 8(2), 2002.
//!
//! Idea: a mask `a_-k .. a_k` with sum 1 applied to positions moves a point by a weighted sum of the differences
//! between neighbours: `sum_m b_m (p_i+m+1 - p_i+m)`. For rotations the differences become the rotation vectors from
//! one to the next, `w_i = log(q_i^-1 q_i+1)`, and the move a turn: `q_i exp(sum_m b_m w_i+m)`. So the filter does not
//! depend on coordinates, and a filtered curve follows a turned one as it followed the first.
//!
//! ```text
//! b_m =  a_m+1 + ... + a_k     for m >= 0
//! b_m = -(a_-k + ... + a_m)    for m <  0
//! ```

use crate::{Quat, Vec3, rotation};

/// A filter by its mask.
#[derive(Clone, Debug, PartialEq)]
pub struct OrientationFilter {
    /// b_-k .. b_k-1.
    coefficients: Vec<f64>,
}

impl OrientationFilter {
    /// From a mask with an odd number of entries, whose sum is 1.
    pub fn new(mask: &[f64]) -> OrientationFilter {
        assert!(mask.len() % 2 == 1, "a mask of {} entries has no middle", mask.len());
        assert!((mask.iter().sum::<f64>() - 1.0).abs() < 1e-9, "a mask with a sum of {}", mask.iter().sum::<f64>());
        let half = mask.len() / 2;
        let before = (0..half).map(|m| -mask[..=m].iter().sum::<f64>());
        let after = (half..2 * half).map(|m| mask[m + 1..].iter().sum::<f64>());
        OrientationFilter { coefficients: before.chain(after).collect() }
    }

    /// The low-pass filter 1/16 (1, 4, 6, 4, 1) that Lee and Shin suggest.
    pub fn smoothing() -> OrientationFilter {
        OrientationFilter::new(&[1.0, 4.0, 6.0, 4.0, 1.0].map(|value: f64| value / 16.0))
    }

    /// How many neighbours on each side it looks at.
    pub fn reach(&self) -> usize {
        self.coefficients.len() / 2
    }

    /// What steps from neighbours count in a response: m, from `-reach` to `reach - 1`, and b_m.
    #[inline]
    pub fn coefficients(&self) -> impl Iterator<Item = (isize, f64)> + '_ {
        (-(self.reach() as isize)..).zip(self.coefficients.iter().copied())
    }

    /// The turn of a rotation, in its own space. `step(m)` is the rotation vector from neighbour m to neighbour m + 1,
    /// for m from `-reach` to `reach - 1`; 0 is the rotation itself.
    #[inline]
    pub fn response(&self, step: impl Fn(isize) -> Vec3) -> Vec3 {
        self.coefficients().fold(Vec3::ZERO, |sum, (m, b)| sum + step(m) * b)
    }

    /// A complete curve filtered once; its ends are held.
    pub fn apply(&self, rotations: &[Quat]) -> Vec<Quat> {
        let steps: Vec<Vec3> =
            rotations.windows(2).map(|pair| rotation::log_map(pair[0].conjugate() * pair[1])).collect();
        let step = |index: isize| usize::try_from(index).ok().and_then(|index| steps.get(index)).copied();
        let filtered = rotations.iter().enumerate().map(|(index, rotation)| {
            let turn = self.response(|m| step(index as isize + m).unwrap_or(Vec3::ZERO));
            (*rotation * rotation::exp_map(turn)).normalize()
        });
        filtered.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn about_one_axis_it_is_the_filter_of_the_angles() {
        let angles = [0.0, 0.3, -0.2, 0.9, 1.4, 1.1, 0.2, 0.25];
        let curve: Vec<Quat> = angles.iter().map(|&angle| Quat::from_rotation_y(angle)).collect();
        let filtered = OrientationFilter::smoothing().apply(&curve);
        for i in 2..angles.len() - 2 {
            let mean =
                (angles[i - 2] + 4.0 * angles[i - 1] + 6.0 * angles[i] + 4.0 * angles[i + 1] + angles[i + 2]) / 16.0;
            assert!(rotation::angle_between(filtered[i], Quat::from_rotation_y(mean)) < 1e-12);
        }
    }

    #[test]
    fn it_turns_with_its_input_from_both_sides() {
        // Lee and Shin: coordinate-invariance, H(a q b) = a H(q) b.
        let curve: Vec<Quat> = (0..9)
            .map(|i| Quat::from_rotation_x(0.3 * f64::from(i)) * Quat::from_rotation_z((f64::from(i * i)).sin()))
            .collect();
        let (a, b) = (Quat::from_rotation_y(1.1), Quat::from_rotation_x(-0.7));
        let turned: Vec<Quat> = curve.iter().map(|q| a * *q * b).collect();
        let filter = OrientationFilter::smoothing();
        for (plain, turned) in filter.apply(&curve).iter().zip(filter.apply(&turned)) {
            assert!(rotation::angle_between(a * *plain * b, turned) < 1e-12);
        }
    }

    #[test]
    fn what_turns_evenly_stays_as_it_is() {
        let curve: Vec<Quat> = (0..12).map(|i| Quat::from_rotation_z(0.2 * f64::from(i))).collect();
        let filtered = OrientationFilter::smoothing().apply(&curve);
        for i in 2..10 {
            assert!(rotation::angle_between(filtered[i], curve[i]) < 1e-12);
        }
        assert_eq!(OrientationFilter::smoothing().apply(&[]), []);
    }
}
