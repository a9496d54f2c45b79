//! What all signal commands share: a clip in, edits made, feet looked at, pictures drawn, the clip out.

use crate::edited_motion::{EditArgs, print_motion};
use crate::import_args::ImportArgs;
use crate::report::{Failure, Format, print_contacts, print_input, print_status};
use crate::run_job::run_job;
use crate::terrain_arg::TerrainChoice;
use std::path::{Path, PathBuf};
use surefoot::formats::own::EditWords;
use surefoot::jobs::{EditsRequest, SignalReport, SignalRequest, ToolRequest};

/// Options of every signal command.
#[derive(clap::Args)]
pub(super) struct EditedArgs {
    #[command(flatten)]
    pub(super) edit: EditArgs,
    /// Afterwards lock feet where they were planted before anything was edited: footskate cleanup on the original's
    /// contacts
    #[arg(long)]
    pub(super) keep_plants: bool,
    /// Draw the tool's own chart, and the curves that changed most before and after
    #[arg(long, alias = "plot", value_name = "FILE.svg")]
    pub(super) picture: Option<PathBuf>,
    /// Write what this command does as a recipe, for `surefoot signal apply`
    #[arg(long, value_name = "FILE.toml")]
    pub(super) write_recipe: Option<PathBuf>,
    #[command(flatten)]
    pub(super) import: ImportArgs,
}

impl EditedArgs {
    /// Refuses options without effect.
    pub(super) fn check(&self, keeps_plants: bool) -> Result<(), Failure> {
        if !(self.keep_plants || keeps_plants) && self.edit.has_ground_options() {
            return Err(Failure::new("usage", "--terrain and --rigid are of no use without --keep-plants"));
        }
        Ok(())
    }

    /// Edits, and what --keep-plants adds to them.
    pub(super) fn edits(&self, recipe: Option<&Path>, words: Option<&EditWords>, keep_plants: bool) -> EditsRequest {
        let tools = words.into_iter().map(ToolRequest::from);
        let keeping = self.keeping(keep_plants);
        let tools = tools.chain(keeping.as_ref().map(ToolRequest::from)).collect();
        EditsRequest { recipe: recipe.map(Path::to_path_buf), tools }
    }

    fn keeping(&self, keep_plants: bool) -> Option<EditWords> {
        let terrain = self.edit.terrain_choice().map(|choice| match choice {
            TerrainChoice::Flat(height) => format!("flat:{height}"),
            TerrainChoice::File(path) => path.to_string_lossy().into_owned(),
        });
        let words = || EditWords::new("keep-plants").with("terrain", terrain).with_flag("rigid", self.edit.is_rigid());
        (self.keep_plants || keep_plants).then(words)
    }
}

/// Makes edits of one clip.
pub(super) fn edit_clip(input: &Path, edits: EditsRequest, args: &EditedArgs, format: Format) -> Result<(), Failure> {
    args.check(edits.tools.iter().any(|tool| tool.tool == "keep-plants"))?;
    let request = SignalRequest {
        input: args.import.input(input, args.edit.contacts())?,
        edits,
        output: args.edit.output()?,
        traces: false,
        write_contacts: args.edit.write_contacts(),
        picture: args.picture.clone(),
        write_recipe: args.write_recipe.clone(),
        report: args.edit.report(),
        if_exists: args.edit.if_exists(),
    };
    run_job(&request, format, |report| {
        print_input(&report.input);
        print_contacts(&report.contacts);
        print_edits(report);
        print_motion(&report.written.motion);
        Ok(())
    })
}

/// Slides that differ by less are seen by nobody.
const SEEN_SLIDE_MM: f64 = 2.0;

/// Tells what edits did.
fn print_edits(report: &SignalReport) {
    for edit in &report.edits {
        edit.notes.iter().for_each(|note| print_status(&format!("  {}: {note}", edit.tool)));
    }
    let keeps = report.edits.last().is_some_and(|edit| edit.tool == "keep-plants");
    if let Some(slide) = report.slide.filter(|_| !keeps) {
        let (before, after) = (slide.before_mm, slide.after_mm);
        let hint = if after > before + SEEN_SLIDE_MM { "; --keep-plants locks them" } else { "" };
        print_status(&format!("  planted feet slide by up to {after:.1} mm, {before:.1} mm before{hint}"));
    }
}
