//! Why an edit of a clip cannot be done.

/// A request that no clip can satisfy.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditError {
    /// A frame rate that is not a positive number.
    #[error("{frame_rate} frames per second cannot be made of a clip of {duration} s; a positive number would do")]
    FrameRate {
        /// What was asked for.
        frame_rate: f64,
        /// Of the clip, in seconds.
        duration: f64,
    },
    /// More frames than the clip is worth, or than anyone can use.
    #[error(
        "{frame_rate} frames per second of {duration} s would be {n_frames} frames; at most {max_frames} are made of this clip. \
         {:.3} frames per second or fewer would do, or a part of the clip; check the file's own frame rate", rate_within(*.max_frames, *.duration)
    )]
    TooManyFrames {
        /// What was asked for.
        frame_rate: f64,
        /// Of the clip, in seconds.
        duration: f64,
        /// What that would be.
        n_frames: f64,
        /// The most frames that are made of this clip.
        max_frames: usize,
    },
    /// A range of frames that is reversed or reaches past the end.
    #[error("frames {start}..{end} are not in a clip of {n_frames} frames")]
    Range {
        /// First frame.
        start: usize,
        /// First frame after.
        end: usize,
        /// Frames of the clip.
        n_frames: usize,
    },
    /// Two clips of different skeletons.
    #[error("`{second}` has another skeleton than `{first}`: {difference}")]
    Skeletons {
        /// Name of the first clip.
        first: String,
        /// Name of the second.
        second: String,
        /// The first difference.
        difference: String,
    },
    /// Two clips of different frame rates.
    #[error("`{second}` has {second_rate} frames per second, `{first}` has {first_rate}; resample one of them")]
    Rates {
        /// Name of the first clip.
        first: String,
        /// Name of the second.
        second: String,
        /// Its frames per second.
        first_rate: f64,
        /// Its frames per second.
        second_rate: f64,
    },
}

/// The rate at which so many frames last so long, rounded down to what is printed.
fn rate_within(max_frames: usize, duration: f64) -> f64 {
    (1000.0 * max_frames.saturating_sub(1) as f64 / duration).floor() / 1000.0
}
