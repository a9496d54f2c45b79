//! The jobs `signal` and `signal apply`: clips edited as signals, one clip or many.

use crate::cleanup_step::{EditedReport, add_edited};
use crate::contacts_job::check_svg;
use crate::find_motion_files::find_motion_files;
use crate::input_report::InputReport;
use crate::input_request::{FloorRequest, InputRequest, ReadRequest};
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::load::LoadOptions;
use crate::motion_output::{MotionFormat, MotionOutput};
use crate::motion_source::{ContactsReport, ContactsSource};
use crate::outputs::{IfExists, Outputs, WrittenFile, is_standard_stream};
use crate::signal_edits::{Charts, ClipShelf, EditReport, EditedClip, apply_edits, plant_slide, signal_clip};
use crate::signal_words::{Edits, EditsRequest};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use surefoot_formats::{FirstFrames, FloorChoice, Import, ImportOptions, own};
use surefoot_motion::Side;
use surefoot_picture::{Chart, relations_plot};
use surefoot_signal::SignalClip;

/// Which clip to edit, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignalRequest {
    /// The motion.
    pub input: InputRequest,
    /// What to do with it.
    pub edits: EditsRequest,
    /// Where the result goes.
    pub output: MotionOutput,
    /// Report gains by frequency and corresponding seconds, too.
    #[serde(default)]
    pub traces: bool,
    /// Where the contacts of the result go.
    #[serde(default)]
    pub write_contacts: Option<PathBuf>,
    /// Where the tools' own charts and the curves that changed most go, as SVG.
    #[serde(default)]
    pub picture: Option<PathBuf>,
    /// Where the edits go as a recipe.
    #[serde(default)]
    pub write_recipe: Option<PathBuf>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// What `signal` reports of one clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignalReport {
    /// The motion that was read.
    pub input: InputReport,
    /// Its contacts.
    pub contacts: ContactsReport,
    /// What each edit did.
    pub edits: Vec<SignalEditReport>,
    /// How far planted feet slide, before and after; absent without a body or plants.
    pub slide: Option<SlideReport>,
    /// The charts.
    pub picture: Option<String>,
    /// The recipe that was written.
    pub recipe: Option<String>,
    /// The motion that was written.
    pub written: EditedReport,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// What an edit did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignalEditReport {
    /// The name of its tool.
    pub tool: String,
    /// In sentences.
    pub notes: Vec<String>,
    /// In numbers, by name.
    pub metrics: BTreeMap<String, f64>,
    /// Of an equaliser, if it was asked for: the frequency in Hz that each band is of, the fastest first, and its gain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gains: Vec<[f64; 2]>,
    /// Of a warp or blend, if it was asked for: seconds of the edited clip, and those of the other that belong to them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub correspondence: Vec<[f64; 2]>,
}

impl From<&EditReport> for SignalEditReport {
    fn from(report: &EditReport) -> SignalEditReport {
        let metrics = report.metrics.iter().map(|(name, value)| (name.to_string(), *value));
        SignalEditReport {
            tool: report.tool.to_string(),
            notes: report.notes.clone(),
            metrics: metrics.collect(),
            gains: Vec::new(),
            correspondence: Vec::new(),
        }
    }
}

/// How far planted feet slide.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlideReport {
    /// In the motion that was read.
    pub before_mm: f64,
    /// In the result.
    pub after_mm: f64,
}

impl JobReport for SignalReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for SignalRequest {
    const COMMAND: &'static str = "signal";
    type Report = SignalReport;

    fn outputs(&self) -> Vec<&Path> {
        self.output.paths_with(&[&self.write_contacts, &self.picture, &self.write_recipe, &self.report])
    }

    fn run(&self, context: &JobContext) -> Result<SignalReport, JobError> {
        self.output.format()?;
        self.picture.as_deref().map_or(Ok(()), check_svg)?;
        let mut outputs = Outputs::check(self.outputs(), self.if_exists)?;
        let mut edits = self.edits.read()?;
        edits.suit(&self.output)?;
        let charts = if self.picture.is_some() { Charts::With } else { Charts::Without };
        let source = Source::load(&self.input)?;
        context.advance(1, 2, "edits")?;
        let edited = edits.apply(&source.clip, &mut shelf(&self.input.read), charts)?;
        context.check()?;
        if let Some(path) = &self.picture {
            outputs.add("picture", path, draw(&source, &edited).into_bytes());
        }
        if let Some(path) = &self.write_recipe {
            let folder = if is_standard_stream(path) { Path::new("") } else { path.parent().unwrap_or(Path::new("")) };
            outputs.add("recipe", path, edits.recipe_text(folder).into_bytes());
        }
        let mut report = source.add_to(&mut outputs, &edited, &self.output, self.write_contacts.as_deref())?;
        let shown = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        if self.traces {
            for (report, edit) in report.edits.iter_mut().zip(&edited.reports) {
                report.gains.clone_from(&edit.gains);
                report.correspondence.clone_from(&edit.correspondence);
            }
        }
        report.picture = shown(&self.picture);
        report.recipe = shown(&self.write_recipe);
        finish(outputs, SignalRequest::COMMAND, report, self.report.as_deref())
    }
}

/// A motion to edit.
struct Source {
    input: InputReport,
    import: Import,
    clip: SignalClip,
    contacts_from: ContactsSource,
}

impl Source {
    fn load(input: &InputRequest) -> Result<Source, JobError> {
        let (mut import, known) = input.load_with_contacts()?;
        let report = InputReport::new(&input.file, &import);
        let contacts_from = known.as_ref().map_or(ContactsSource::Detected, |(_, from)| *from);
        import.contacts = known.map(|(contacts, _)| contacts);
        let clip = signal_clip(&import);
        Ok(Source { input: report, import, clip, contacts_from })
    }

    /// Adds the edited clip to the outputs.
    fn add_to(
        self,
        outputs: &mut Outputs,
        edited: &EditedClip,
        output: &MotionOutput,
        write_contacts: Option<&Path>,
    ) -> Result<SignalReport, JobError> {
        let body = self.clip.body.as_ref();
        let slide = self.slide(&edited.take);
        let edits = edited.reports.iter().map(SignalEditReport::from).collect();
        let SignalClip { clip, contacts, .. } = &edited.take;
        let is_loop = output.is_loop || edited.is_loop;
        let output = MotionOutput { is_loop, ..output.clone() };
        let written = add_edited(outputs, &output, write_contacts, (clip, body, contacts), &self.import)?;
        Ok(SignalReport {
            contacts: ContactsReport::new(body.map(|_| self.contacts_from), &self.clip.contacts),
            input: self.input,
            edits,
            slide,
            picture: None,
            recipe: None,
            written,
            files: outputs.files(),
        })
    }

    fn slide(&self, edited: &SignalClip) -> Option<SlideReport> {
        let body = self.clip.body.as_ref()?;
        let has_plants = Side::BOTH.into_iter().any(|side| !edited.contacts.plants[side].is_empty());
        let slide = |take: &SignalClip| plant_slide(&take.clip, body, &take.contacts) * 1000.0;
        has_plants.then(|| SlideReport { before_mm: slide(&self.clip), after_mm: slide(edited) })
    }
}

fn draw(source: &Source, edited: &EditedClip) -> String {
    let charts: Vec<Chart> = edited.reports.iter().flat_map(|report| report.charts.iter().cloned()).collect();
    let tools: Vec<&str> = edited.reports.iter().map(|report| report.tool).collect();
    relations_plot(&format!("{}: {}", source.import.clip.name, tools.join(", then ")), &charts)
}

/// Other clips are read with what holds for any file, not with what is known of the edited one alone.
fn shelf(read: &ReadRequest) -> ClipShelf {
    let floor = match read.floor {
        FloorRequest::Auto => FloorChoice::ToZero,
        FloorRequest::Keep | FloorRequest::At(_) => FloorChoice::Keep,
    };
    let first_frames = if read.keep_first { FirstFrames::Keep } else { FirstFrames::DropArtificial };
    let import = ImportOptions { first_frames, floor, ..ImportOptions::default() };
    ClipShelf::new(LoadOptions { import, ..LoadOptions::default() })
}

/// Which clips to edit into a folder, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignalBatchRequest {
    /// Motion files, folders and glob patterns.
    pub inputs: Vec<PathBuf>,
    /// How to read them.
    #[serde(default)]
    pub read: ReadRequest,
    /// What to do with each.
    pub edits: EditsRequest,
    /// The folder of results; it is created if needed.
    pub output: PathBuf,
    /// What clips are written as. Default: as they were, and glb where that cannot be written.
    #[serde(default)]
    pub format: Option<MotionFormat>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// What `signal apply` reports of many clips.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignalBatchReport {
    /// The recipe's file.
    pub recipe: Option<String>,
    /// Each clip, edited or not.
    pub clips: Vec<BatchClip>,
    /// How many were not edited.
    pub failed: usize,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// A clip that was edited or refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum BatchClip {
    /// What was done.
    Edited(Box<SignalReport>),
    /// Why it was not.
    Refused {
        /// The file.
        input: String,
        /// What is wrong with it.
        error: JobError,
    },
}

impl JobReport for SignalBatchReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }

    fn not_met(&self) -> Option<JobError> {
        let message = || format!("{} of {} clips were not edited", self.failed, self.clips.len());
        (self.failed > 0).then(|| JobError::new("clips", message()))
    }
}

impl Job for SignalBatchRequest {
    const COMMAND: &'static str = "signal apply";
    type Report = SignalBatchReport;

    fn outputs(&self) -> Vec<&Path> {
        std::iter::once(&self.output).chain(&self.report).map(PathBuf::as_path).collect()
    }

    /// Every clip into a folder. One that cannot be edited is reported, and the others are written all the same: together when
    /// the last is done, or none. Until then they wait under temporary names, for a hundred clips are not kept in memory.
    fn run(&self, context: &JobContext) -> Result<SignalBatchReport, JobError> {
        if is_standard_stream(&self.output) {
            let message = "standard output takes one clip; name a folder for several";
            return Err(JobError::new("usage", message).at_field("output"));
        }
        if self.output.exists() && !self.output.is_dir() {
            return Err(JobError::of_file("usage", &self.output, "is a file; several clips go into a folder"));
        }
        let inputs = find_motion_files(&self.inputs)?;
        let outputs: Vec<PathBuf> = inputs.iter().map(|input| self.output_of(input)).collect();
        // Two clips of one name would overwrite each other.
        Outputs::check_distinct(outputs.iter().chain(&self.report).map(PathBuf::as_path))?;
        let edits = self.edits.read()?;
        let new_folders: Vec<&Path> = self.output.ancestors().take_while(|folder| !folder.exists()).collect();
        let written = self.create_folder().and_then(|()| self.edit_all(context, &edits, inputs.iter().zip(&outputs)));
        if written.is_err() {
            // What has files in it stays.
            new_folders.into_iter().for_each(|folder| drop(std::fs::remove_dir(folder)));
        }
        written
    }
}

impl SignalBatchRequest {
    fn create_folder(&self) -> Result<(), JobError> {
        std::fs::create_dir_all(&self.output)
            .map_err(|error| JobError::of_file("output", &self.output, error.to_string()))
    }

    fn edit_all<'a>(
        &self,
        context: &JobContext,
        edits: &Edits,
        clips: impl ExactSizeIterator<Item = (&'a PathBuf, &'a PathBuf)> + Clone,
    ) -> Result<SignalBatchReport, JobError> {
        let named = clips.clone().map(|(_, output)| output).chain(&self.report);
        let mut outputs = Outputs::check(named.map(PathBuf::as_path), self.if_exists)?;
        let mut shelf = shelf(&self.read);
        let mut report = SignalBatchReport {
            recipe: self.edits.recipe.as_ref().map(|path| path.display().to_string()),
            clips: Vec::new(),
            failed: 0,
            files: Vec::new(),
        };
        let n_clips = clips.len() as u64;
        for (done, (input, output)) in clips.enumerate() {
            let name = input.file_name().unwrap_or_default().to_string_lossy().into_owned();
            context.advance(done as u64, n_clips, &name)?;
            match self.edit_one(input, output, edits, &mut shelf) {
                Ok((edited, files)) => {
                    outputs.stage(files)?;
                    report.clips.push(BatchClip::Edited(Box::new(edited)));
                }
                Err(error) => {
                    report.failed += 1;
                    report.clips.push(BatchClip::Refused { input: input.display().to_string(), error });
                }
            }
        }
        context.check()?;
        report.files = outputs.files();
        finish(outputs, SignalBatchRequest::COMMAND, report, self.report.as_deref())
    }

    fn edit_one(
        &self,
        input: &Path,
        output: &Path,
        edits: &Edits,
        shelf: &mut ClipShelf,
    ) -> Result<(SignalReport, Outputs), JobError> {
        let mut outputs = Outputs::check([output], self.if_exists)?;
        let source =
            Source::load(&InputRequest { file: input.to_path_buf(), read: self.read.clone(), contacts: None })?;
        let output = MotionOutput::new(output);
        let mut edits = edits.clone();
        edits.suit(&output)?;
        let edited = edits.apply(&source.clip, shelf, Charts::Without)?;
        let report = source.add_to(&mut outputs, &edited, &output, None)?;
        Ok((report, outputs))
    }

    /// The name of a clip in the folder of results.
    fn output_of(&self, input: &Path) -> PathBuf {
        let own_ending = || {
            let ending = input.extension()?.to_str()?.to_ascii_lowercase();
            MotionFormat::from_ending(&ending).map(|_| ending)
        };
        let given = self.format.map(|format| match format {
            MotionFormat::Bvh => "bvh".to_string(),
            MotionFormat::Glb => "glb".to_string(),
            MotionFormat::Gltf => "gltf".to_string(),
            MotionFormat::Fbx => "fbx".to_string(),
            MotionFormat::Take => own::TAKE_ENDING.to_string(),
        });
        let ending = given.or_else(own_ending).unwrap_or_else(|| "glb".to_string());
        let stem = if is_standard_stream(input) {
            "clip".into()
        } else {
            input.file_stem().unwrap_or_default().to_os_string()
        };
        self.output.join(Path::new(&stem)).with_added_extension(ending)
    }
}

impl Edits {
    /// Makes all edits.
    fn apply(&self, clip: &SignalClip, shelf: &mut ClipShelf, charts: Charts) -> Result<EditedClip, JobError> {
        apply_edits(clip, &self.edits, shelf, charts).map_err(|failure| self.refused(failure))
    }
}
