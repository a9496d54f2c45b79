//! Durations as counts of frames, whatever the frame rate is.

/// More frames than any clip has, and few enough that a few of them can be added without overflow.
const MAX_FRAMES: f64 = (1u64 << 40) as f64;

/// A number of frames, already rounded as the caller likes, as a count: 0 for a NaN or a negative number, and never more than
/// can be added to the frames of a clip. A plain `as usize` gives `usize::MAX` at a frame rate of 1e300, and the next sum overflows.
pub fn count_frames(frames: f64) -> usize {
    // `as` takes a NaN to 0.
    frames.clamp(0.0, MAX_FRAMES) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_is_a_count() {
        for (frames, count) in
            [(f64::NAN, 0), (-3.0, 0), (2.0, 2), (2.9, 2), (f64::INFINITY, 1 << 40), (1e300, 1 << 40)]
        {
            assert_eq!(count_frames(frames), count, "{frames}");
        }
    }
}
