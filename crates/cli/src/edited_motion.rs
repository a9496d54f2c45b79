//! What every command that edits a motion shares: contacts in, cleanup after, the motion out.

use crate::import_args::ImportArgs;
use crate::output::{Force, check_distinct, is_stdout};
use crate::report::{Failure, Format, say};
use crate::terrain_arg::{TerrainArg, TerrainChoice};
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use surefoot::cleanup::{footskate::CleanOptions, footskate::Reach};
use surefoot::contact::{Contacts, DetectOptions, Take, detect_contacts, measure_placement};
use surefoot::formats::gltf::BodyMesh;
use surefoot::formats::{Import, own};
use surefoot::ground::Terrain;
use surefoot::motion::{BodyMap, Clip};
use surefoot::{CleanForm, ConvertOptions, Converted, OutputFormat, clean, convert};

/// Options of commands that edit a motion and keep its feet on the ground.
#[derive(clap::Args)]
pub(crate) struct EditArgs {
    /// Output: bvh, glb or gltf by its ending; take, or `-` for standard output, passes everything on to another
    /// command
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
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
}

/// Where contacts come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContactSource {
    /// A file, or the motion's own.
    Given,
    /// Detected from the motion.
    Detected,
}

impl ContactSource {
    fn name(self) -> &'static str {
        match self {
            ContactSource::Given => "given",
            ContactSource::Detected => "detected",
        }
    }
}

/// A motion that is ready to be edited.
pub(crate) struct Source {
    /// As read.
    pub(crate) import: Import,
    /// Which joint is which.
    pub(crate) body: BodyMap,
    /// With its contacts.
    pub(crate) take: Take,
    /// How these were found.
    pub(crate) contacts: ContactSource,
    /// The ground that the user names. Read once, for it may come from standard input.
    pub(crate) terrain: Option<Terrain>,
}

/// A motion that is ready to be written.
pub(crate) struct Edited {
    /// Cleaned, if that was wanted.
    pub(crate) take: Take,
    /// What its feet stand on; `None` if it was not cleaned.
    pub(crate) terrain: Option<Terrain>,
    /// The heights of its levels, if it was found from the plants.
    pub(crate) levels: Option<Vec<f64>>,
    /// What cleanup did, for the JSON output; null without it.
    cleanup: Value,
}

impl Edited {
    /// A take that was not cleaned.
    pub(crate) fn as_it_is(take: Take) -> Edited {
        Edited { take, terrain: None, levels: None, cleanup: Value::Null }
    }
}

/// Held frames that are told one by one.
const MAX_HELD_TOLD: usize = 5;

impl EditArgs {
    /// Refuses outputs that cannot be written, before any work is done.
    pub(crate) fn check(&self, format: Format) -> Result<(), Failure> {
        MotionFormat::of_output(&self.output)?;
        check_distinct(self.outputs())?;
        self.force.check(&self.output, format)?;
        self.write_contacts.as_deref().map_or(Ok(()), |path| self.force.check(path, format))
    }

    /// Reads the motion to edit.
    pub(crate) fn load(&self, input: &Path, reading: &ImportArgs) -> Result<Source, Failure> {
        let terrain = self.terrain.load()?;
        let (import, contacts) = reading.load_with_contacts(input, self.contacts.as_deref())?;
        let body = body_of(input, &import)?;
        if import.clip.n_frames() == 0 {
            return Err(Failure::of_file("empty", input, "holds a skeleton but no motion; a clip has frames"));
        }
        let source = if contacts.is_some() { ContactSource::Given } else { ContactSource::Detected };
        let contacts = contacts.unwrap_or_else(|| detect(&import, &body));
        let take = Take { clip: import.clip.clone(), contacts };
        Ok(Source { import, body, take, contacts: source, terrain })
    }

    /// The files that are written.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(self.output.as_path()).chain(self.write_contacts.as_deref())
    }

    /// Where the motion goes.
    pub(crate) fn output(&self) -> &Path {
        &self.output
    }

    /// The file of contacts, if one is given.
    pub(crate) fn contacts(&self) -> Option<&Path> {
        self.contacts.as_deref()
    }

    /// The ground that the user names, unread.
    pub(crate) fn terrain_choice(&self) -> Option<&TerrainChoice> {
        self.terrain.terrain.as_ref()
    }

    /// Whether legs keep their lengths.
    pub(crate) fn is_rigid(&self) -> bool {
        self.rigid
    }

    /// Whether anything is said of how feet are kept on the ground.
    pub(crate) fn has_ground_options(&self) -> bool {
        self.rigid || self.terrain.terrain.is_some()
    }

    /// Whether outputs may be replaced.
    pub(crate) fn force(&self) -> Force {
        self.force
    }

    /// What cleanup may do by the options that all commands share.
    pub(crate) fn clean_options(&self) -> CleanOptions {
        let reach = if self.rigid { Reach::Rigid } else { Reach::Stretch };
        CleanOptions { reach, ..CleanOptions::default() }
    }

    /// Writes the result, and its contacts where asked; tells both. `like` is the motion whose skeleton it has.
    pub(crate) fn write(
        &self,
        edited: &Edited,
        body: Option<&BodyMap>,
        like: &Import,
        format: Format,
    ) -> Result<Value, Failure> {
        let mut written = write_motion(&self.output, self.force, &edited.take, body, like, format)?;
        if let Some(path) = &self.write_contacts {
            self.force.write(path, own::write_contacts(&edited.take.contacts).as_bytes())?;
        }
        written["contacts_output"] = json!(self.write_contacts.as_ref().map(|path| path.display().to_string()));
        written["cleanup"] = edited.cleanup.clone();
        Ok(written)
    }
}

/// How a motion is written.
pub(crate) enum MotionFormat {
    /// For other programs.
    File(OutputFormat),
    /// For another command of ours, with all that is known.
    Take,
}

impl MotionFormat {
    /// The format of a file's ending, in any case.
    pub(crate) fn from_ending(ending: &str) -> Option<MotionFormat> {
        let is_take = ending.eq_ignore_ascii_case(own::TAKE_ENDING);
        if is_take { Some(MotionFormat::Take) } else { OutputFormat::from_ending(ending).map(MotionFormat::File) }
    }

    /// By the ending of a file; `-` is for another command. A terminal is refused: nobody can read a take there.
    pub(crate) fn of_output(path: &Path) -> Result<MotionFormat, Failure> {
        if is_stdout(path) && std::io::stdout().is_terminal() {
            let message = "a motion in bytes is nothing to read on a terminal; `| surefoot signal ... -` passes it on, \
                           and a name that ends in .bvh, .glb, .gltf or .take writes a file";
            return Err(Failure::new("usage", message));
        }
        if is_stdout(path) {
            return Ok(MotionFormat::Take);
        }
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.and_then(MotionFormat::from_ending).ok_or_else(|| {
            let message = "the ending does not tell the format; .bvh, .glb, .gltf or .take would";
            Failure::of_file("usage", path, message)
        })
    }
}

/// A motion for another command of ours.
pub(crate) fn as_take(import: &Import) -> Converted {
    let convention = format!("a take, {} fps", import.clip.frame_rate);
    Converted { bytes: own::write_take(import), convention, widened: Vec::new() }
}

/// Writes one motion, and tells it. `like` is the motion whose skeleton it has.
pub(crate) fn write_motion(
    path: &Path,
    force: Force,
    take: &Take,
    body: Option<&BodyMap>,
    like: &Import,
    format: Format,
) -> Result<Value, Failure> {
    let converted = match MotionFormat::of_output(path)? {
        MotionFormat::Take => {
            let clip = take.clip.clone();
            let contacts = body.map(|_| take.contacts.clone());
            let body = body.cloned().map_or_else(|| like.body.clone(), Ok);
            as_take(&Import { clip, body, contacts, ..like.clone() })
        }
        MotionFormat::File(output_format) => {
            let bvh_channels = like.bvh_channels.as_deref();
            let options = ConvertOptions { body_mesh: BodyMesh::With, bvh_channels, ..ConvertOptions::default() };
            let contacts = body.map(|_| &take.contacts);
            convert(&take.clip, body, contacts, output_format, &options)
                .map_err(|error| Failure::of_file("output", path, error.to_string()))?
        }
    };
    force.write(path, &converted.bytes)?;
    let n_frames = take.clip.n_frames();
    if format == Format::Human {
        if !converted.widened.is_empty() {
            let names = converted.widened.join(", ");
            say(&format!("  note[channels] the motion does not fit the channels of {names}; they were widened"));
        }
        if !is_stdout(path) {
            say(&format!("wrote {}: {n_frames} frames, {}", path.display(), converted.convention));
        }
    }
    Ok(json!({
        "output": path.display().to_string(),
        "frames": n_frames,
        "frame_rate": take.clip.frame_rate,
        "bytes": converted.bytes.len(),
        "convention": converted.convention,
        "widened": converted.widened,
    }))
}

/// Cleans a take on a terrain, or on the ground that its plants tell; tells how the feet stand then.
pub(crate) fn clean_take(
    take: &Take,
    terrain: Option<Terrain>,
    options: &CleanOptions,
    form: CleanForm,
    format: Format,
) -> Edited {
    let body = &take.body;
    let Some(cleaned) = clean(take, terrain, options, form) else {
        if format == Format::Human {
            say("  nothing to clean: no foot is ever planted; --contacts gives plants, --terrain a ground");
        }
        return Edited::as_it_is(take.clone());
    };
    let settled = &cleaned.take.contacts;
    let [before, after] = [&take.clip, &cleaned.take.clip].map(|clip| largest_error_mm(clip, body, settled));
    if format == Format::Human {
        if let Some(levels) = &cleaned.levels {
            let heights: Vec<String> = levels.iter().map(|level| format!("{level:.3}")).collect();
            say(&format!("  ground at {} m, where the feet stand; --terrain gives another", heights.join(", ")));
        }
        for (frame, reason) in cleaned.held.iter().take(MAX_HELD_TOLD) {
            say(&format!("  warning[held] frame {frame}: {}; the last good pose was held", reason.name()));
        }
        if cleaned.held.len() > MAX_HELD_TOLD {
            say(&format!("  ...and {} more frames", cleaned.held.len() - MAX_HELD_TOLD));
        }
        say(&format!("  cleaned: planted feet stand within {after:.4} mm of their places, {before:.1} mm before"));
    }
    let cleanup = json!({
        "ground_levels": cleaned.levels,
        "largest_plant_error_before_mm": before,
        "largest_plant_error_mm": after,
        "held": cleaned.held.iter().map(|(frame, reason)| json!([frame, reason.name()])).collect::<Vec<_>>(),
    });
    Edited { take: cleaned.take, terrain: Some(cleaned.terrain), levels: cleaned.levels, cleanup }
}

impl Source {
    /// The contacts as the JSON output has them.
    pub(crate) fn contacts_json(&self) -> Value {
        json!({ "from": self.contacts.name(), "plants": self.n_plants() })
    }

    /// Tells where the contacts come from.
    pub(crate) fn tell_contacts(&self) {
        let how = match self.contacts {
            ContactSource::Given => "as given",
            ContactSource::Detected => "detected from the motion; --contacts gives others",
        };
        say(&format!("  contacts: {} plants, {how}", self.n_plants()));
    }

    fn n_plants(&self) -> usize {
        self.take.contacts.plants.iter().map(|(_, plants)| plants.len()).sum()
    }
}

/// The body map of a motion, or why there is none.
pub(crate) fn body_of(path: &Path, import: &Import) -> Result<BodyMap, Failure> {
    let message = |error| format!("no body was found in it: {error}; --body names the joints");
    import.body.clone().map_err(|error| Failure::of_file("body", path, message(error)))
}

/// Farthest that a planted part is from where it shall stand, in millimetres.
fn largest_error_mm(clip: &Clip, body: &BodyMap, contacts: &Contacts) -> f64 {
    let errors = measure_placement(&clip.world(), body, contacts);
    errors.iter().fold(0.0, |most: f64, plant| most.max(plant.distance)) * 1000.0
}

fn detect(import: &Import, body: &BodyMap) -> Contacts {
    let poses = import.clip.world();
    detect_contacts(&poses, body, import.clip.frame_rate, &DetectOptions::default()).contacts
}
