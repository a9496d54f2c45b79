//! Seeds made into numbers that look random.

/// A step of Vigna's SplitMix64 (Steele 2014): states that differ little give numbers that differ in about half of
/// their bits, and no two states give the same.
pub fn mix_bits(state: u64) -> u64 {
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// What states are apart in SplitMix64: the golden ratio in 64 bits.
pub const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_those_of_splitmix64() {
        // Of the generator as published, begun with 0 and with 1234567.
        assert_eq!(mix_bits(GOLDEN), 0xE220_A839_7B1D_CDAF);
        assert_eq!(mix_bits(GOLDEN.wrapping_add(1_234_567)), 6_457_827_717_110_365_317);
    }
}
