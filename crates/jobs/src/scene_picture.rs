//! Scenes as jobs read them, and pictures of them from above, which also show what is wrong.

use crate::job_error::JobError;
use crate::outputs::{Outputs, is_standard_stream};
use crate::plan_path::scene_error_place;
use std::path::Path;
use surefoot_formats::{own, read_bytes};
use surefoot_geom::Vec2;
use surefoot_ground::Scene;
use surefoot_picture::{TopView, encode_png, top_view, top_view_svg};

/// What is wrong with a scene or a path in it, and where.
#[derive(Clone, Debug)]
pub struct SceneProblem {
    /// What.
    pub error: Box<JobError>,
    /// Where `(x, z)`, if it has a place.
    pub at: Option<Vec2>,
    /// The scene as far as it could be read, to be drawn.
    pub scene: Option<Box<Scene>>,
}

impl From<JobError> for SceneProblem {
    fn from(error: JobError) -> SceneProblem {
        SceneProblem { error: Box::new(error), at: None, scene: None }
    }
}

/// Which places of a scene's file count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScenePlaces {
    /// Given instead of the scene's start.
    pub start: Option<Vec2>,
    /// Given instead of its goal.
    pub goal: Option<Vec2>,
}

/// Reads and checks a scene. Places of the file that others are given for do not count.
pub fn read_scene(path: &Path, places: ScenePlaces) -> Result<Scene, SceneProblem> {
    let bytes = read_bytes(path).map_err(JobError::from)?;
    let mut draft = own::draft_scene(&bytes).map_err(|error| JobError::from(error.in_file(path)))?;
    if places.start.is_some() {
        draft.scene.start = None;
    }
    if places.goal.is_some() {
        draft.scene.goal = None;
    }
    let scene = draft.scene.clone();
    draft.check().map_err(|error| {
        let at = scene.check().err().and_then(|error| scene_error_place(&scene, &error));
        SceneProblem { error: Box::new(error.in_file(path).into()), at, scene: Some(Box::new(scene.clone())) }
    })
}

/// Refuses a picture that is neither PNG nor SVG; on standard output it is SVG.
pub fn check_scene_picture(path: &Path) -> Result<(), JobError> {
    if is_standard_stream(path) || picture_ending(path).is_some() {
        return Ok(());
    }
    Err(JobError::of_file("usage", path, "the ending names no picture format; .png or .svg would"))
}

/// A picture from above, as PNG or SVG by the ending of its file.
pub fn draw_scene(path: &Path, view: &TopView<'_>) -> Result<Vec<u8>, JobError> {
    let failed = |error: surefoot_picture::PictureError| JobError::of_file("picture", path, error.to_string());
    match picture_ending(path) {
        Some(PictureEnding::Png) => encode_png(&top_view(view).map_err(failed)?).map_err(failed),
        Some(PictureEnding::Svg) | None => Ok(top_view_svg(view).into_bytes()),
    }
}

/// Draws what is wrong, if a picture is requested, and writes that alone. Returns the error, which names the picture.
pub(crate) fn show_problem(
    mut outputs: Outputs,
    picture: Option<&Path>,
    view: &TopView<'_>,
    at: Option<Vec2>,
    mut error: JobError,
) -> JobError {
    let Some(path) = picture else { return error };
    let marks: Vec<(Vec2, String)> = at.map(|at| (at, short_words(&error.message))).into_iter().collect();
    let view = TopView { marks: &marks, ..view.clone() };
    let written = draw_scene(path, &view).and_then(|bytes| {
        outputs.add("picture", path, bytes);
        outputs.write()
    });
    match written {
        Ok(()) if is_standard_stream(path) => error,
        Ok(()) => {
            error.message = format!("{}; wrote {}, which shows it", error.message, path.display()).into();
            error
        }
        Err(other) => other,
    }
}

/// The beginning of an error, which fits into a picture: what is before a semicolon, and less at a comma if that is long.
pub fn short_words(message: &str) -> String {
    const LONGEST: usize = 75;
    let clause = message.split("; ").next().unwrap_or_default();
    if clause.chars().count() <= LONGEST {
        return clause.to_string();
    }
    // Commas between words, and not those of places.
    let is_word = |at: usize| clause[at + 2..].starts_with(char::is_alphabetic);
    let cut = clause.match_indices(", ").map(|(at, _)| at).filter(|&at| is_word(at)).find(|&at| at > LONGEST / 3);
    cut.map_or(clause, |at| &clause[..at]).chars().take(2 * LONGEST).collect()
}

/// A file's name without its folders.
pub fn file_name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The kind of a picture by its ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PictureEnding {
    Png,
    Svg,
}

/// The kind of a picture; `None` for another ending and for standard output.
pub(crate) fn picture_ending(path: &Path) -> Option<PictureEnding> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    match ending.as_str() {
        "png" => Some(PictureEnding::Png),
        "svg" => Some(PictureEnding::Svg),
        _ => None,
    }
}
