//! What all signal commands share: a clip in, edits made, feet looked at, pictures drawn, the clip out.

use crate::edited_motion::{EditArgs, Edited, write_motion};
use crate::import_args::ImportArgs;
use crate::output::{check_distinct, check_svg, is_stdout};
use crate::report::{Failure, Format, print_result, say, tell_import};
use crate::terrain_arg::TerrainChoice;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use surefoot::contact::Take;
use surefoot::formats::own::{self, EditWords, WordsError};
use surefoot::formats::{ErrorKind, FloorChoice, Import, ImportOptions, ReadError};
use surefoot::motion::{BodyMap, Side};
use surefoot::picture::{Chart, relations_plot};
use surefoot::signal::Edit;
use surefoot::{
    Charts, ClipShelf, EditFailure, EditProblem, EditReport, EditedClip, LoadOptions, SignalClip, apply_edits,
    plant_slide,
};

/// Options of every signal command.
#[derive(clap::Args)]
pub(super) struct EditedArgs {
    #[command(flatten)]
    pub(super) edit: EditArgs,
    /// Afterwards hold feet where they were planted before anything was edited: footskate cleanup on the original's
    /// contacts
    #[arg(long)]
    pub(super) keep_plants: bool,
    /// Draw the tool's own figure, and the curves that changed most before and after
    #[arg(long, value_name = "FILE.svg")]
    pub(super) plot: Option<PathBuf>,
    /// Write what this command does as a recipe, for `surefoot signal apply`
    #[arg(long, value_name = "FILE.toml")]
    pub(super) write_recipe: Option<PathBuf>,
    #[command(flatten)]
    pub(super) import: ImportArgs,
}

impl EditedArgs {
    /// Refuses what cannot be written, before any work is done, and options that say nothing.
    pub(super) fn check(&self, format: Format) -> Result<(), Failure> {
        self.plot.as_deref().map_or(Ok(()), check_svg)?;
        check_distinct(self.edit.outputs().chain(self.extras()))?;
        for path in self.extras() {
            self.edit.force().check(path, format)?;
        }
        if !self.keep_plants && self.edit.has_ground_options() {
            return Err(Failure::new("usage", "--terrain and --rigid are of no use without --keep-plants"));
        }
        Ok(())
    }

    fn extras(&self) -> impl Iterator<Item = &Path> {
        self.plot.iter().chain(&self.write_recipe).map(PathBuf::as_path)
    }

    /// What --keep-plants adds to edits.
    pub(super) fn keeping(&self) -> Option<EditWords> {
        let terrain = self.edit.terrain_choice().map(|choice| match choice {
            TerrainChoice::Flat(height) => format!("flat:{height}"),
            TerrainChoice::File(path) => path.to_string_lossy().into_owned(),
        });
        let words = || EditWords::new("keep-plants").with("terrain", terrain).with_flag("rigid", self.edit.is_rigid());
        self.keep_plants.then(words)
    }

    /// Reads a motion with its contacts.
    pub(super) fn load(&self, input: &Path) -> Result<Source, Failure> {
        let (mut import, contacts) = self.import.load_with_contacts(input, self.edit.contacts())?;
        let is_given = contacts.is_some();
        import.contacts = contacts;
        let clip = SignalClip::of_import(&import);
        Ok(Source { import, clip, is_given })
    }

    /// Other clips are read with what holds for any file, not with what is known of this one alone.
    pub(super) fn shelf(&self) -> ClipShelf {
        let options = self.import.options().import;
        let floor = match options.floor {
            FloorChoice::ToZero => FloorChoice::ToZero,
            FloorChoice::Keep | FloorChoice::At(_) => FloorChoice::Keep,
        };
        let import = ImportOptions { first_frames: options.first_frames, floor, ..ImportOptions::default() };
        ClipShelf::new(LoadOptions { import, ..LoadOptions::default() })
    }

    pub(super) fn charts(&self) -> Charts {
        if self.plot.is_some() { Charts::With } else { Charts::Without }
    }
}

/// A motion to edit.
pub(super) struct Source {
    pub(super) import: Import,
    pub(super) clip: SignalClip,
    /// Whether contacts came from a file.
    is_given: bool,
}

impl Source {
    /// Tells what was assumed, and where contacts come from.
    pub(super) fn tell(&self) {
        tell_import(&self.import);
        match (&self.clip.body, self.is_given) {
            (Some(_), true) => say(&format!("  contacts: {} plants, as given", self.n_plants())),
            (Some(_), false) => {
                say(&format!(
                    "  contacts: {} plants, detected from the motion; --contacts gives others",
                    self.n_plants()
                ));
            }
            (None, _) => say("  no body was found: joints go by their names; --body names the parts"),
        }
    }

    pub(super) fn contacts_json(&self) -> Value {
        let from = if self.is_given { "given" } else { "detected" };
        json!({ "from": self.clip.body.as_ref().map(|_| from), "plants": self.n_plants() })
    }

    fn n_plants(&self) -> usize {
        Side::BOTH.into_iter().map(|side| self.clip.take.contacts.plants[side].len()).sum()
    }
}

/// Edits with their words, which errors are told in.
pub(super) struct Edits {
    pub(super) words: Vec<EditWords>,
    pub(super) edits: Vec<Edit>,
    /// The recipe that they come from, if it is one.
    pub(super) recipe: Option<PathBuf>,
}

impl Edits {
    /// Of words.
    pub(super) fn read(words: Vec<EditWords>, recipe: Option<PathBuf>) -> Result<Edits, Failure> {
        let mut edits = Vec::new();
        for (index, words) in words.iter().enumerate() {
            let edit = Edit::try_from(words);
            edits.push(edit.map_err(|error| Edits::wrong_words(&error, words, index, recipe.as_deref()))?);
        }
        Ok(Edits { words, edits, recipe })
    }

    fn wrong_words(error: &WordsError, words: &EditWords, index: usize, recipe: Option<&Path>) -> Failure {
        match recipe.filter(|_| words.line.is_some()) {
            Some(path) => in_recipe(path, words, index, &error.option, &error.message),
            None if error.option.is_empty() => Failure::new("usage", error.message.clone()),
            None => Failure::new("usage", format!("--{} {}", error.option, error.message)),
        }
    }

    /// Makes all edits.
    pub(super) fn apply(&self, source: &Source, shelf: &mut ClipShelf, charts: Charts) -> Result<EditedClip, Failure> {
        apply_edits(&source.clip, &self.edits, shelf, charts).map_err(|failure| self.failure(failure))
    }

    fn failure(&self, EditFailure { edit, problem }: EditFailure) -> Failure {
        let words = &self.words[edit];
        let (option, message) = match problem {
            EditProblem::File(error) => return Failure::from(error),
            EditProblem::Option { option, message } => (option, message),
        };
        let given = words.options.iter().find(|words| words.name == option);
        let message = given.map_or(message.clone(), |option| format!("{}: {message}", option.values.join(",")));
        match (&self.recipe, words.line) {
            (Some(path), Some(_)) => in_recipe(path, words, edit, option, &message),
            _ if given.is_none() => Failure::new(words.tool.as_str(), message),
            _ => Failure::new(words.tool.as_str(), format!("--{option} {message}")),
        }
    }
}

/// A failure at its line of a recipe.
fn in_recipe(path: &Path, words: &EditWords, index: usize, option: &str, message: &str) -> Failure {
    let line = words.options.iter().find(|words| words.name == option).and_then(|words| words.line).or(words.line);
    let place = if option.is_empty() { format!("edit[{index}]") } else { format!("edit[{index}].{option}") };
    let kind = ErrorKind::Type;
    let error = ReadError::at(kind, line.unwrap_or(1), format!("{place}: {message}"));
    Failure::from(error.in_file(path))
}

/// How far planted feet slide, before and after, in millimetres.
pub(super) struct Slide {
    before: f64,
    after: f64,
}

impl Slide {
    /// `None` without a body or plants.
    pub(super) fn measure(source: &Source, edited: &Take) -> Option<Slide> {
        let body: &BodyMap = source.clip.body.as_ref()?;
        let has_plants = Side::BOTH.into_iter().any(|side| !edited.contacts.plants[side].is_empty());
        let slide = |take: &Take| plant_slide(&take.clip, body, &take.contacts) * 1000.0;
        has_plants.then(|| Slide { before: slide(&source.clip.take), after: slide(edited) })
    }

    pub(super) fn to_json(slide: Option<&Slide>) -> Value {
        slide.map_or(Value::Null, |slide| json!({ "before_mm": slide.before, "after_mm": slide.after }))
    }

    fn tell(&self) {
        let Slide { before, after } = self;
        let hint = if *after > before + SEEN_SLIDE_MM { "; --keep-plants holds them" } else { "" };
        say(&format!("  planted feet slide by up to {after:.1} mm, {before:.1} mm before{hint}"));
    }
}

/// Slides that differ by less are seen by nobody.
const SEEN_SLIDE_MM: f64 = 2.0;

/// Tells what edits did.
pub(super) fn tell_edits(reports: &[EditReport], slide: Option<&Slide>) {
    for report in reports {
        for note in &report.notes {
            say(&format!("  {}: {note}", report.tool));
        }
    }
    let keeps = reports.last().is_some_and(|report| report.tool == "keep-plants");
    if let Some(slide) = slide.filter(|_| !keeps) {
        slide.tell();
    }
}

/// What edits did, as the JSON output has it.
pub(super) fn reports_json(reports: &[EditReport]) -> Vec<Value> {
    let figures = |report: &EditReport| -> Map<String, Value> {
        report.figures.iter().map(|(name, value)| (name.to_string(), json!(value))).collect()
    };
    let report =
        |report: &EditReport| json!({ "tool": report.tool, "notes": report.notes, "figures": figures(report) });
    reports.iter().map(report).collect()
}

/// Runs a tool on one clip.
pub(super) fn edit_clip(input: &Path, words: EditWords, args: &EditedArgs, format: Format) -> Result<(), Failure> {
    args.edit.check(format)?;
    args.check(format)?;
    let words = std::iter::once(words).chain(args.keeping()).collect();
    run_edits("signal", input, &Edits::read(words, None)?, args, format)
}

/// Makes edits of one clip, and writes all that is asked for.
pub(super) fn run_edits(
    command: &str,
    input: &Path,
    edits: &Edits,
    args: &EditedArgs,
    format: Format,
) -> Result<(), Failure> {
    let source = args.load(input)?;
    if format == Format::Human {
        source.tell();
    }
    let edited = edits.apply(&source, &mut args.shelf(), args.charts())?;
    let slide = Slide::measure(&source, &edited.take);
    if format == Format::Human {
        tell_edits(&edited.reports, slide.as_ref());
    }
    if let Some(path) = &args.plot {
        let charts: Vec<Chart> = edited.reports.iter().flat_map(|report| report.charts.iter().cloned()).collect();
        let page = relations_plot(&title(&source, &edited.reports), &charts);
        args.edit.force().write(path, page.as_bytes())?;
    }
    if let Some(path) = &args.write_recipe {
        write_recipe(path, edits, args)?;
    }
    let body = source.clip.body.as_ref();
    let written = args.edit.write(&Edited::as_it_is(edited.take), body, &source.import, format)?;
    if format == Format::Json {
        let result = json!({
            "input": input.display().to_string(),
            "contacts": source.contacts_json(),
            "edits": reports_json(&edited.reports),
            "slide": Slide::to_json(slide.as_ref()),
            "plot": args.plot.as_ref().map(|path| path.display().to_string()),
            "recipe": args.write_recipe.as_ref().map(|path| path.display().to_string()),
            "written": written,
        });
        print_result(command, &result)?;
    }
    Ok(())
}

fn title(source: &Source, reports: &[EditReport]) -> String {
    let tools: Vec<&str> = reports.iter().map(|report| report.tool).collect();
    format!("{}: {}", source.import.clip.name, tools.join(", then "))
}

/// Writes the edits as a recipe.
fn write_recipe(path: &Path, edits: &Edits, args: &EditedArgs) -> Result<(), Failure> {
    let folder = if is_stdout(path) { Path::new("") } else { path.parent().unwrap_or(Path::new("")) };
    let words: Vec<EditWords> = edits.words.iter().map(|words| words.clone().for_folder(folder)).collect();
    args.edit.force().write(path, own::write_recipe(&words).as_bytes())
}

/// Makes edits of one of several clips, and writes it.
pub(super) fn edit_one(
    input: &Path,
    output: &Path,
    edits: &Edits,
    args: &EditedArgs,
    shelf: &mut ClipShelf,
) -> Result<Value, Failure> {
    let source = args.load(input)?;
    let edited = edits.apply(&source, shelf, Charts::Without)?;
    let slide = Slide::measure(&source, &edited.take);
    let body = source.clip.body.as_ref();
    let written = write_motion(output, args.edit.force(), &edited.take, body, &source.import, Format::Json)?;
    Ok(json!({
        "input": input.display().to_string(),
        "contacts": source.contacts_json(),
        "edits": reports_json(&edited.reports),
        "slide": Slide::to_json(slide.as_ref()),
        "written": written,
    }))
}
