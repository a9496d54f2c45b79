//! Why a picture is refused.

/// Why a picture is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PictureError {
    /// More pixels than any viewer shows, or none.
    #[error(
        "a picture of {width} x {height} pixels is refused; {min} to {max_side} a side and {max_pixels} in all would do",
        min = crate::image::MIN_SIDE,
        max_side = crate::image::MAX_SIDE,
        max_pixels = crate::image::MAX_PIXELS
    )]
    Size {
        /// Pixels across.
        width: u64,
        /// Pixels down.
        height: u64,
    },
    /// A chosen frame, or the end of the range, lies past the clip's end.
    #[error("frame {frame} is asked for, but the clip has {n_frames}")]
    NoSuchFrame {
        /// What was asked for.
        frame: usize,
        /// Frames of the clip.
        n_frames: usize,
    },
    /// Nothing to draw was asked for.
    #[error("no frames are asked for; choose at least one")]
    NoFrames,
    /// More figures or moving pictures than one file can sensibly hold.
    #[error("{n} frames are asked for in one picture; at most {max} would do")]
    TooManyFrames {
        /// What was asked for.
        n: usize,
        /// The most.
        max: usize,
    },
    /// An option that must be a finite number is not.
    #[error("{name} is {value}; a finite number would do")]
    NotFinite {
        /// The option's name.
        name: &'static str,
        /// What it is.
        value: f64,
    },
    /// An animation cannot have so many pictures a second.
    #[error("an animation of {rate} pictures a second; 1 to 50 would do")]
    MovieRate {
        /// How many.
        rate: f64,
    },
    /// An encoder refused the picture.
    #[error("the {format} encoder failed: {reason}")]
    Encoding {
        /// `PNG` or `GIF`.
        format: &'static str,
        /// Its own words.
        reason: String,
    },
}
