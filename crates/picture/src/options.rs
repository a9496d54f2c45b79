//! What a picture shows and how large it is.

use crate::image::{MAX_SIDE, MIN_SIDE, check_size};
use crate::{PictureError, View};
use std::ops::Range;

/// Which frames a sheet or strobe shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameChoice {
    /// So many, evenly spaced in time, the first and the last among them. A shorter clip gives all its frames once.
    Evenly(usize),
    /// So many, evenly spaced along the pelvis trajectory over the ground; in time where it hardly moves.
    EvenlyAlongPath(usize),
    /// These, in this order.
    Chosen(Vec<usize>),
}

/// How to draw; [`Default`] makes a sheet of 12 figures, six in a row, seen from a three-quarter view.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderOptions {
    /// Where the viewer stands.
    pub view: View,
    /// Which frames a sheet or strobe shows; an animation shows all of `range`. At most 512.
    pub frames: FrameChoice,
    /// The part of the clip that evenly spaced frames and animations come from, half-open; `None` is all of it.
    pub range: Option<Range<usize>>,
    /// Width and height of one panel of a sheet, in pixels: 32 to 16384. The default, 220 x 300, makes a sheet of 12 as
    /// wide as a README.
    pub panel: [u32; 2],
    /// Panels in a row of a sheet; at least 1.
    pub columns: u32,
    /// Width of a strobe picture in pixels; its height follows from what it shows.
    pub strobe_width: u32,
    /// Width and height of an animation in pixels.
    pub movie: [u32; 2],
    /// Most pictures a second of an animation, 1 to 50; a clip of a lower rate is shown frame by frame. Browsers slow
    /// down what is faster.
    pub movie_rate: f64,
    /// Height of the ground in the world, in metres. Recordings often stand a few centimetres off 0.
    pub ground_height: f64,
    /// Whether to write name, frame, time and legend.
    pub labels: bool,
    /// What to call the picture; `None` is the clip's name.
    pub title: Option<String>,
}

impl Default for RenderOptions {
    fn default() -> RenderOptions {
        RenderOptions {
            view: View::ThreeQuarter,
            frames: FrameChoice::Evenly(12),
            range: None,
            panel: [220, 300],
            columns: 6,
            strobe_width: 1400,
            movie: [400, 400],
            movie_rate: 25.0,
            ground_height: 0.0,
            labels: true,
            title: None,
        }
    }
}

impl RenderOptions {
    /// Refuses what cannot be drawn, before anything is computed or allocated.
    pub(crate) fn check(&self) -> Result<(), PictureError> {
        if !self.ground_height.is_finite() {
            return Err(PictureError::NotFinite { name: "ground height", value: self.ground_height });
        }
        if !(1.0..=50.0).contains(&self.movie_rate) {
            return Err(PictureError::MovieRate { rate: self.movie_rate });
        }
        for [width, height] in [self.panel, self.movie] {
            check_size(width.into(), height.into())?;
        }
        if !(MIN_SIDE..=MAX_SIDE).contains(&self.strobe_width) {
            return Err(PictureError::Size { width: self.strobe_width.into(), height: MIN_SIDE.into() });
        }
        Ok(())
    }
}
