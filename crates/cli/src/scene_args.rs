//! What `plan path`, `plan steps` and `go` share: scenes with a start and a goal, and pictures from above.

use crate::output::{Force, is_stdout};
use crate::report::{Failure, Format, say};
use std::path::{Path, PathBuf};
use surefoot::formats::own::{self, SceneDraft};
use surefoot::formats::read_bytes;
use surefoot::geom::Vec2;
use surefoot::ground::{MAX_REACH, PathOptions, Scene, ScenePart};
use surefoot::picture::{TopView, encode_png, top_view, top_view_svg};
use surefoot::{PlanPathError, scene_error_place};

/// Where to start and to go.
#[derive(clap::Args)]
#[command(next_help_heading = "Path")]
pub(crate) struct PlaceArgs {
    /// Where to start, in metres [default: the scene's start]
    #[arg(long, value_name = "X,Z", value_parser = parse_place, allow_hyphen_values = true)]
    pub(crate) start: Option<Vec2>,
    /// Where to go [default: the scene's goal]
    #[arg(long, value_name = "X,Z", value_parser = parse_place, allow_hyphen_values = true)]
    pub(crate) goal: Option<Vec2>,
    /// How much farther than the clearance the path keeps from walls where there is room, 0 to 10 m
    #[arg(long, value_name = "METRES", default_value = "0.3", value_parser = parse_shyness, allow_negative_numbers = true)]
    shyness: f64,
    /// Turns are no tighter than this where there is room, 0.05 to 10 m
    #[arg(long, value_name = "METRES", default_value = "0.5", value_parser = parse_radius, allow_negative_numbers = true)]
    turn_radius: f64,
}

impl PlaceArgs {
    /// How the path is drawn.
    pub(crate) fn drawing(&self) -> PathOptions {
        PathOptions { shyness: self.shyness, turn_radius: self.turn_radius, ..PathOptions::default() }
    }

    /// A failure to find a path, with the option or the file that it came from.
    pub(crate) fn failure(&self, error: &PlanPathError, scene: &Path) -> Failure {
        let option = match error.part() {
            Some(ScenePart::Start) if self.start.is_some() => Some("--start"),
            Some(ScenePart::Goal) if self.goal.is_some() => Some("--goal"),
            _ => None,
        };
        let message = match (error, option) {
            (PlanPathError::Missing(part), _) => format!("{error}; --{part} gives one"),
            // The error begins with the field's name, which is not where the place came from.
            (_, Some(option)) => {
                let text = error.to_string();
                let words = text.split_once(": ").map_or(&*text, |(_, words)| words);
                format!("{option}: {words}")
            }
            _ => error.to_string(),
        };
        Failure::of_file(kind_of(error), scene, message)
    }
}

fn kind_of(error: &PlanPathError) -> &'static str {
    match error {
        PlanPathError::Map(_) => "scene",
        PlanPathError::Missing(_) => "missing",
        PlanPathError::Query(_) => "no_path",
    }
}

/// A picture from above.
#[derive(clap::Args)]
pub(crate) struct PictureArg {
    /// Draw the scene from above: png or svg by its ending. What is wrong is shown too, if anything is
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) picture: Option<PathBuf>,
}

impl PictureArg {
    /// Refuses a picture that cannot be written, before any work is done.
    pub(crate) fn check(&self, force: Force, format: Format) -> Result<(), Failure> {
        let Some(path) = &self.picture else { return Ok(()) };
        if ending(path).is_none() {
            return Err(Failure::of_file("usage", path, "the ending does not tell the picture; .png or .svg would"));
        }
        force.check(path, format)
    }

    /// Draws what there is.
    pub(crate) fn write(&self, view: &TopView<'_>, force: Force, format: Format) -> Result<(), Failure> {
        let Some(path) = &self.picture else { return Ok(()) };
        let failed = |error: surefoot::picture::PictureError| Failure::of_file("picture", path, error.to_string());
        let bytes = match ending(path) {
            Some(Ending::Svg) => top_view_svg(view).into_bytes(),
            _ => encode_png(&top_view(view).map_err(failed)?).map_err(failed)?,
        };
        force.write(path, &bytes)?;
        if format == Format::Human && !is_stdout(path) {
            say(&format!("wrote {}", path.display()));
        }
        Ok(())
    }

    /// Shows where something is wrong, if a picture was asked for, and returns what is.
    pub(crate) fn show(
        &self,
        view: &TopView<'_>,
        at: Option<Vec2>,
        what: Failure,
        (force, format): (Force, Format),
    ) -> Failure {
        let marks: Vec<(Vec2, String)> = at.map(|at| (at, short_words(&what))).into_iter().collect();
        let view = TopView { marks: &marks, ..view.clone() };
        match self.write(&view, force, format) {
            Ok(()) => what,
            Err(other) => other,
        }
    }
}

/// The beginning of a failure, which fits into a picture: what is before a semicolon, and less at a comma if that is long.
fn short_words(failure: &Failure) -> String {
    const LONGEST: usize = 75;
    let message = failure.message();
    let clause = message.split("; ").next().unwrap_or_default();
    if clause.chars().count() <= LONGEST {
        return clause.to_string();
    }
    // Commas between words, and not those of places.
    let is_word = |at: usize| clause[at + 2..].starts_with(char::is_alphabetic);
    let cut = clause.match_indices(", ").map(|(at, _)| at).filter(|&at| is_word(at)).find(|&at| at > LONGEST / 3);
    cut.map_or(clause, |at| &clause[..at]).chars().take(2 * LONGEST).collect()
}

enum Ending {
    Png,
    Svg,
}

fn ending(path: &Path) -> Option<Ending> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    match ending.as_str() {
        "png" => Some(Ending::Png),
        "svg" => Some(Ending::Svg),
        _ => None,
    }
}

/// Reads a scene. What is wrong with its outlines, or with those of its places that count, is told and shown.
pub(crate) fn read_scene(
    path: &Path,
    places: &PlaceArgs,
    picture: &PictureArg,
    outputs: (Force, Format),
) -> Result<Scene, Failure> {
    let mut draft = own::draft_scene(&read_bytes(path)?).map_err(|error| error.in_file(path))?;
    // Places of the file that others are given for do not count.
    if places.start.is_some() {
        draft.scene.start = None;
    }
    if places.goal.is_some() {
        draft.scene.goal = None;
    }
    check_scene(path, draft, picture, outputs)
}

/// The scene, or what is wrong with it, told and shown.
pub(crate) fn check_scene(
    path: &Path,
    draft: SceneDraft,
    picture: &PictureArg,
    outputs: (Force, Format),
) -> Result<Scene, Failure> {
    let scene = draft.scene.clone();
    draft.check().map_err(|error| {
        let at = scene.check().err().and_then(|error| scene_error_place(&scene, &error));
        let title = name_of(path);
        picture.show(&TopView::of_scene(&title, &scene), at, error.in_file(path).into(), outputs)
    })
}

/// A file's name without its folders.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn parse_place(text: &str) -> Result<Vec2, String> {
    let wrong = || "two numbers such as 1.5,-2 would be right".to_string();
    let (x, z) = text.split_once(',').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(wrong);
    let place = Vec2::new(number(x)?, number(z)?);
    if place.abs().max_element() > MAX_REACH {
        return Err(format!("too far away to mean anything; at most {MAX_REACH} m"));
    }
    Ok(place)
}

fn parse_within(text: &str, [least, most]: [f64; 2]) -> Result<f64, String> {
    let number = text.trim_end_matches('m').trim().parse().ok().filter(|number: &f64| (least..=most).contains(number));
    number.ok_or_else(|| format!("a length from {least} to {most} m would be right"))
}

fn parse_shyness(text: &str) -> Result<f64, String> {
    parse_within(text, [0.0, 10.0])
}

fn parse_radius(text: &str) -> Result<f64, String> {
    parse_within(text, [0.05, 10.0])
}

/// A clearance in metres.
pub(crate) fn parse_clearance(text: &str) -> Result<f64, String> {
    parse_within(text, [0.0, 100.0])
}
