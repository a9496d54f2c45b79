//! Contact sheets of generated walks: two figures for each step, on the ground that they were made for.

use crate::job_error::JobError;
use crate::scene_picture::{PictureEnding, picture_ending};
use std::path::Path;
use surefoot_contact::Take;
use surefoot_ground::Terrain;
use surefoot_picture::{self as picture, FrameChoice, PictureError, RenderOptions, Subject};

/// Panels of a sheet, most.
const MAX_PANELS: usize = 64;

/// How a walk of so many footprints is drawn.
pub fn walk_sheet_options(n_footprints: usize) -> RenderOptions {
    let n_panels = (2 * n_footprints).clamp(8, MAX_PANELS);
    RenderOptions { frames: FrameChoice::Evenly(n_panels), columns: 8, ..RenderOptions::default() }
}

/// A contact sheet as PNG or SVG by the ending of its file.
pub(crate) fn draw_walk_sheet(
    path: &Path,
    take: &Take,
    terrain: Option<&Terrain>,
    n_footprints: usize,
) -> Result<Vec<u8>, JobError> {
    let subject = Subject { clip: &take.clip, body: Some(&take.body), contacts: Some(&take.contacts), terrain };
    let options = walk_sheet_options(n_footprints);
    let draw = || -> Result<Vec<u8>, PictureError> {
        match picture_ending(path) {
            Some(PictureEnding::Png) => picture::encode_png(&picture::contact_sheet(&subject, &options)?),
            _ => Ok(picture::sheet_svg(&subject, &options)?.into_bytes()),
        }
    };
    draw().map_err(|error| JobError::of_file("picture", path, error.to_string()))
}
