//! Why an edit of a clip cannot be done.

/// A request that no clip can satisfy.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditError {
    /// A frame rate that is not a positive number, or that would give more frames than anyone can use.
    #[error("{frame_rate} frames per second cannot be made of {duration} s; at most {max_frames} frames can")]
    FrameRate {
        /// What was asked for.
        frame_rate: f64,
        /// Of the clip, in seconds.
        duration: f64,
        /// The most frames that an edit makes.
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
