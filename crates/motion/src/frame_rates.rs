//! The frame rates that can be asked for: one range for every command, request and synthesizer.

use std::ops::RangeInclusive;

/// Frames per second of a motion that is made, resampled or read at another rate than its file declares. Slower than 1, no step
/// has a frame of its own; faster than 1000, frames only cost memory. A file's own rate may be any.
pub const FRAME_RATES: RangeInclusive<f64> = 1.0..=1000.0;
