//! The discrete Fourier transform of any number of values.
//!
//! Reference: Smith 2007, appendix on the fast Fourier transform, for both parts.
//!
//! `X_k = sum_j x_j exp(-2 pi i j k / n)`, in a time that grows with `n log n`:
//!
//! 1. Where `n` is a power of two, by halves (radix 2), in place.
//! 2. Else by Bluestein's chirp: as `2 j k = j^2 + k^2 - (k - j)^2`, the sum is a convolution with the chirp `exp(i pi j^2 / n)`, which
//!    two transforms of a power of two compute.
//!
//! Complex numbers are [`Vec2`]: the real part is `x`, and [`Vec2::rotate`] is their product.

use crate::Vec2;
use std::f64::consts::{PI, TAU};

/// A transform of one length, with its factors.
#[derive(Clone, Debug)]
pub struct Fourier {
    n: usize,
    /// `exp(-2 pi i k / m)` for the first half of the power of two `m`.
    factors: Vec<Vec2>,
    /// `exp(-i pi j^2 / n)`; empty where `n` is a power of two.
    chirp: Vec<Vec2>,
    /// The transform of the chirp's conjugate around 0, divided by `m`.
    kernel: Vec<Vec2>,
}

impl Fourier {
    /// For `n` values.
    pub fn new(n: usize) -> Fourier {
        let m = if n.is_power_of_two() { n } else { (2 * n).saturating_sub(1).next_power_of_two() };
        let factors = (0..m / 2).map(|k| Vec2::from_angle(-TAU * k as f64 / m as f64)).collect();
        let mut made = Fourier { n, factors, chirp: Vec::new(), kernel: Vec::new() };
        if n != m {
            // The angle repeats with 2 n: taken as an integer, it loses nothing where j^2 is large.
            let turn = |j: usize| (j as u128 * j as u128 % (2 * n as u128)) as f64;
            made.chirp = (0..n).map(|j| Vec2::from_angle(-PI * turn(j) / n as f64)).collect();
            let mut kernel = vec![Vec2::ZERO; m];
            for (j, chirp) in made.chirp.iter().enumerate() {
                kernel[j] = conjugate(*chirp) / m as f64;
                kernel[(m - j) % m] = kernel[j];
            }
            made.halve(&mut kernel);
            made.kernel = kernel;
        }
        made
    }

    /// Replaces values, as many as it was made for, by their transform. Panics if they are not as many.
    pub fn transform(&self, values: &mut [Vec2]) {
        assert_eq!(values.len(), self.n, "a Fourier transform is made for one number of values");
        if self.chirp.is_empty() {
            return self.halve(values);
        }
        let mut padded = vec![Vec2::ZERO; self.kernel.len()];
        for ((padded, value), chirp) in padded.iter_mut().zip(values.iter()).zip(&self.chirp) {
            *padded = chirp.rotate(*value);
        }
        self.halve(&mut padded);
        // The inverse transform is the transform between two conjugations; the kernel is divided by m already.
        padded.iter_mut().zip(&self.kernel).for_each(|(value, kernel)| *value = conjugate(value.rotate(*kernel)));
        self.halve(&mut padded);
        for ((value, padded), chirp) in values.iter_mut().zip(padded).zip(&self.chirp) {
            *value = chirp.rotate(conjugate(padded));
        }
    }

    /// Radix 2, in place: values in the order of their reversed indices are joined to pairs, pairs to fours, and so on.
    fn halve(&self, values: &mut [Vec2]) {
        let m = values.len();
        if m < 2 {
            return;
        }
        let shift = usize::BITS - m.trailing_zeros();
        for i in 0..m {
            let j = i.reverse_bits() >> shift;
            if i < j {
                values.swap(i, j);
            }
        }
        let mut half = 1;
        while half < m {
            let stride = m / (2 * half);
            for block in values.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                for ((low, high), factor) in low.iter_mut().zip(high).zip(self.factors.iter().step_by(stride)) {
                    let turned = factor.rotate(*high);
                    (*low, *high) = (*low + turned, *low - turned);
                }
            }
            half *= 2;
        }
    }
}

fn conjugate(number: Vec2) -> Vec2 {
    Vec2::new(number.x, -number.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn every_length_gives_the_plain_sum() {
        for n in (0..40).chain([64, 97, 100, 127, 128, 360, 509]) {
            let mut random = Random::new(n as u64);
            let values: Vec<Vec2> = (0..n).map(|_| Vec2::new(random.signed(), random.signed())).collect();
            let mut found = values.clone();
            Fourier::new(n).transform(&mut found);
            for (k, found) in found.iter().enumerate() {
                let angle = |j: usize| -TAU * ((j * k) % n) as f64 / n as f64;
                let sum: Vec2 =
                    values.iter().enumerate().map(|(j, value)| Vec2::from_angle(angle(j)).rotate(*value)).sum();
                assert!(found.distance(sum) < 1e-13 * (1.0 + n as f64), "{n} values, {k}: {found} and {sum}");
            }
        }
    }

    #[test]
    fn a_long_wave_has_one_frequency() {
        let (n, frequency) = (10_007, 1234);
        let mut values: Vec<Vec2> =
            (0..n).map(|j| Vec2::from_angle(TAU * ((j * frequency) % n) as f64 / n as f64)).collect();
        Fourier::new(n).transform(&mut values);
        for (k, value) in values.iter().enumerate() {
            let wanted = if k == frequency { n as f64 } else { 0.0 };
            assert!(value.distance(Vec2::new(wanted, 0.0)) < 1e-9, "{k}: {value}");
        }
    }
}
