//! Seeded numbers that look random: SplitMix64 (Steele, Lea and Flood 2014), the same on every machine.
//!
//! For test data, benches and choices that a seed decides. Not for secrets.

use crate::Vec3;

/// A step of Vigna's SplitMix64 (Steele 2014): states that differ little give numbers that differ in about half of
/// their bits, and no two states give the same.
pub fn mix_bits(state: u64) -> u64 {
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The difference of successive states in SplitMix64: the golden ratio in 64 bits.
pub const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// A sequence of numbers that a seed decides.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed. Every seed will do, 0 as well.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix_bits(self.0)
    }

    /// In `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// In `[-1, 1)`.
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// From `min` to `max`.
    pub fn range(&mut self, min: f64, max: f64) -> f64 {
        min + (max - min) * self.unit()
    }

    /// In `0..n`; 0 if there is nothing to choose from. The excess of small indices is below `n / 2^64`.
    pub fn index(&mut self, n: usize) -> usize {
        (self.next_u64() % (n as u64).max(1)) as usize
    }

    /// True in this share of all draws.
    pub fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    /// A point in the cube from -1 to 1.
    pub fn in_cube(&mut self) -> Vec3 {
        Vec3::from_array(std::array::from_fn(|_| self.signed()))
    }
}

/// Checks a property on many cases, for tests: calls `check` with the numbers of the seeds from 0 on. A case that panics ends the test
/// with its seed, and [`check_case`] runs it again alone.
pub fn check_cases(n_cases: u64, check: impl Fn(&mut Random)) {
    (0..n_cases).for_each(|seed| check_case(seed, &check));
}

/// Checks a property on the case of one seed.
pub fn check_case(seed: u64, check: impl Fn(&mut Random)) {
    let run = std::panic::AssertUnwindSafe(|| check(&mut Random::new(seed)));
    if let Err(reason) = std::panic::catch_unwind(run) {
        let reason = reason.downcast_ref::<String>().map(String::as_str).or(reason.downcast_ref::<&str>().copied());
        panic!("the case of seed {seed} fails: {}", reason.unwrap_or("it panics"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_those_of_splitmix64() {
        // Of the generator as published, begun with 0 and with 1234567.
        assert_eq!(Random::new(0).next_u64(), 0xE220_A839_7B1D_CDAF);
        let mut random = Random::new(1_234_567);
        let drawn = [(); 3].map(|()| random.next_u64());
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn a_case_that_fails_is_reported_by_its_seed() {
        let failing = || check_cases(20, |random| assert!(random.unit() < 0.5, "too large"));
        let reason = std::panic::catch_unwind(failing).unwrap_err();
        let reason = reason.downcast_ref::<String>().unwrap();
        let seed = (0..20).find(|&seed| Random::new(seed).unit() >= 0.5).unwrap();
        assert!(reason.starts_with(&format!("the case of seed {seed} fails: too large")), "{reason}");
    }

    #[test]
    fn numbers_spread_over_their_range() {
        let mut random = Random::new(7);
        let mut counts = [0; 10];
        for _ in 0..10_000 {
            counts[random.index(10)] += 1;
            assert!((0.0..1.0).contains(&random.unit()));
            assert!((-1.0..1.0).contains(&random.signed()));
            assert!((2.0..=3.0).contains(&random.range(2.0, 3.0)));
            assert!(random.in_cube().abs().max_element() <= 1.0);
        }
        assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
        assert_eq!(random.index(0), 0);
        assert!(!random.chance(0.0) && random.chance(1.0));
    }
}
