//! What every command that edits a motion shares: contacts in, cleanup after, the motion out.

use crate::engine_args::EngineArgs;
use crate::output::{Force, ReportArg, is_stdout};
use crate::report::{Failure, print_status};
use crate::terrain_arg::{TerrainArg, TerrainChoice, print_off_terrain};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use surefoot::jobs::{CleanupReport, CleanupRequest, EditedReport, IfExists, MotionFormat, MotionOutput, MotionReport};

/// Options of commands that edit a motion and keep its feet on the ground.
#[derive(clap::Args)]
pub(crate) struct EditArgs {
    /// Output: bvh, glb, gltf, fbx or take by its ending; `-` is standard output, as a take for another command or in
    /// the format of --to
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Format of the output, where its ending does not name it: bvh, glb, gltf, fbx or take
    #[arg(long, value_name = "FORMAT", value_parser = parse_to)]
    to: Option<To>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    /// Foot contacts of the motion [default: those that its file carries, or as detected]
    #[arg(long, value_name = "FILE.contacts.json")]
    contacts: Option<PathBuf>,
    /// Write the contacts of the result, for later edits
    #[arg(long, value_name = "FILE.contacts.json")]
    write_contacts: Option<PathBuf>,
    /// Lower the pelvis where a leg is too short, instead of stretching the leg, for rigs that cannot
    #[arg(long)]
    rigid: bool,
    #[command(flatten)]
    terrain: TerrainArg,
    #[command(flatten)]
    engine: EngineArgs,
}

/// What `--to` names: a format; or a file, where `--to` used to name another motion.
#[derive(Clone, Debug)]
pub(crate) enum To {
    Format(MotionFormat),
    File(PathBuf),
}

impl EditArgs {
    /// Where the motion goes, and as what. A terminal is refused: nobody can read bytes there.
    pub(crate) fn output(&self) -> Result<MotionOutput, Failure> {
        Ok(self.engine.apply(motion_output(&self.output, self.format())?))
    }

    /// The output as it was typed.
    pub(crate) fn output_path(&self) -> &Path {
        &self.output
    }

    /// The format that is named.
    pub(crate) fn format(&self) -> Option<MotionFormat> {
        match self.to {
            Some(To::Format(format)) => Some(format),
            _ => None,
        }
    }

    /// The motion that `--to` names, as it did before it named a format.
    pub(crate) fn old_to(&self) -> Option<&Path> {
        match &self.to {
            Some(To::File(path)) => Some(path),
            _ => None,
        }
    }

    /// Refuses a file where `--to` never named one.
    pub(crate) fn check_to(&self) -> Result<(), Failure> {
        match self.old_to() {
            Some(path) => Err(Failure::of_file("usage", path, "--to names a format: bvh, glb, gltf, fbx or take")),
            None => Ok(()),
        }
    }

    /// The file of contacts, if one is given.
    pub(crate) fn contacts(&self) -> Option<&Path> {
        self.contacts.as_deref()
    }

    /// Where the contacts of the result go.
    pub(crate) fn write_contacts(&self) -> Option<PathBuf> {
        self.write_contacts.clone()
    }

    /// Where the report goes.
    pub(crate) fn report(&self) -> Option<PathBuf> {
        self.report.report.clone()
    }

    /// Whether outputs may be replaced.
    pub(crate) fn if_exists(&self) -> IfExists {
        self.force.if_exists()
    }

    /// The ground that the user names, unread.
    pub(crate) fn terrain_choice(&self) -> Option<&TerrainChoice> {
        self.terrain.terrain.as_ref()
    }

    /// Whether legs keep their lengths.
    pub(crate) fn is_rigid(&self) -> bool {
        self.rigid
    }

    /// Whether any option is given for how feet are kept on the ground.
    pub(crate) fn has_ground_options(&self) -> bool {
        self.rigid || self.terrain.terrain.is_some()
    }

    /// What cleanup may do by the options that all commands share.
    pub(crate) fn cleanup(&self) -> CleanupRequest {
        CleanupRequest { rigid: self.rigid, terrain: self.terrain.request(), ..CleanupRequest::default() }
    }
}

/// Where a motion goes, and as what. Bytes on a terminal are refused.
pub(crate) fn motion_output(path: &Path, format: Option<MotionFormat>) -> Result<MotionOutput, Failure> {
    let is_text = matches!(format, Some(MotionFormat::Bvh | MotionFormat::Gltf));
    if is_stdout(path) && !is_text && std::io::stdout().is_terminal() {
        let message = "a motion in bytes is nothing to read on a terminal; `| surefoot signal ... -` passes it on, and a \
                       name that ends in .bvh, .glb, .gltf, .fbx or .take writes a file";
        return Err(Failure::new("usage", message));
    }
    Ok(MotionOutput { format, ..MotionOutput::new(path) })
}

/// A format by its name.
pub(crate) fn parse_format(text: &str) -> Result<MotionFormat, String> {
    MotionFormat::from_ending(text).ok_or_else(|| "bvh, glb, gltf, fbx or take would be right".to_string())
}

/// A format by its name, or an existing file.
fn parse_to(text: &str) -> Result<To, String> {
    let file = |wrong| if Path::new(text).exists() { Ok(To::File(text.into())) } else { Err(wrong) };
    parse_format(text).map(To::Format).or_else(file)
}

/// Tells what was written as a motion.
pub(crate) fn print_motion(motion: &MotionReport) {
    if !motion.widened.is_empty() {
        let names = motion.widened.join(", ");
        print_status(&format!("  note[channels] the motion does not fit the channels of {names}; they were widened"));
    }
    motion.notes.iter().for_each(|note| print_status(&format!("  note: {note}")));
    if motion.output != "-" {
        print_status(&format!("  {} frames, {}", motion.frames, motion.convention));
    }
}

/// Held frames that are listed one by one.
const MAX_HELD_LISTED: usize = 5;

/// Prints what cleanup did, and how the feet are planted then.
pub(crate) fn print_cleanup(written: &EditedReport) {
    let Some(cleanup) = &written.cleanup else {
        return print_status(
            "  nothing to clean: no foot is ever planted; --contacts gives plants, --terrain a ground",
        );
    };
    let CleanupReport {
        ground_levels,
        tilt,
        dead_frames,
        largest_plant_error_before_mm: before,
        largest_plant_error_mm: after,
        held,
        off_terrain,
    } = cleanup;
    print_off_terrain(off_terrain.as_deref());
    if let Some(levels) = ground_levels {
        let heights: Vec<String> = levels.iter().map(|level| format!("{level:.3}")).collect();
        print_status(&format!(
            "  ground at {} m, where the feet are planted; --terrain gives another",
            heights.join(", ")
        ));
    }
    if let Some(tilt) = tilt {
        let done = if tilt.levelled { "levelled" } else { "kept; --tilted-floor level levels it" };
        print_status(&format!(
            "  the floor is tilted by {:.1} degrees, {:.1} cm over the plants: {done}",
            tilt.slope,
            tilt.rise * 100.0
        ));
    }
    for dead in dead_frames.iter().take(MAX_HELD_LISTED) {
        print_status(&format!(
            "  warning[dead] frames {} to {} are no motion ({}): nothing is planted in them",
            dead.start,
            dead.end - 1,
            dead.reason
        ));
    }
    for (frame, reason) in held.iter().take(MAX_HELD_LISTED) {
        print_status(&format!("  warning[held] frame {frame}: {reason}; the last good pose was held"));
    }
    if held.len() > MAX_HELD_LISTED {
        print_status(&format!("  ...and {} more frames", held.len() - MAX_HELD_LISTED));
    }
    print_status(&format!("  cleaned: planted feet are within {after:.4} mm of their places, {before:.1} mm before"));
}
