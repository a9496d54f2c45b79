//! The job `compose build`: motions become a database of behaviours, step by step labelled by their support pattern (COMPOSE 3.1).

use crate::build_steps::read_take;
use crate::find_motion_files::find_motions;
use crate::input_request::ReadRequest;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::load::LoadOptions;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use surefoot_compose::{
    BehaviourClip, BehaviourDatabase, GivenClip, GivenLabel, Segmentation, override_label, segment_behaviours,
};
use surefoot_contact::DetectOptions;
use surefoot_formats::{DeclaredRate, FloorChoice, ImportOptions, own, read_bytes};
use surefoot_gait::{Corpus, CorpusError, CorpusOptions, corpus};
use surefoot_steps::actor_of;

/// Which motions to cut into steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildBehavioursRequest {
    /// Motion files, folders and glob patterns.
    pub clips: Vec<PathBuf>,
    /// How to read them. The floor is always put at 0.
    #[serde(default)]
    pub read: ReadRequest,
    /// Keep frame rates as files declare them, also where the motion contradicts them.
    #[serde(default)]
    pub keep_rates: bool,
    /// A file of labels, which override what is found. Its frame rates override those of the files.
    #[serde(default)]
    pub labels: Option<PathBuf>,
    /// Where the database goes; `-` is standard output.
    pub output: PathBuf,
    /// Where the labels go, to be edited and given back.
    #[serde(default)]
    pub write_labels: Option<PathBuf>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// What `compose build` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildBehavioursReport {
    /// The database.
    pub output: String,
    /// Steps by label; both feet of a jump are one.
    pub steps: BTreeMap<String, usize>,
    /// Jumps by take-off and landing: `both to left`.
    pub jumps: BTreeMap<String, usize>,
    /// What became of each file.
    pub clips: Vec<BehaviourClipReport>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// What became of one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BehaviourClipReport {
    /// The file.
    pub file: String,
    /// Frames per second that were taken instead of the declared ones.
    pub corrected_rate: Option<f64>,
    /// Every stance, in the order in which they begin.
    pub stances: Vec<StanceReport>,
    /// Why it was left out.
    pub error: Option<JobError>,
}

/// A stance with its label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StanceReport {
    /// `left` or `right`.
    pub foot: String,
    /// Its frames; half-open.
    pub frames: [usize; 2],
    /// When it lands and leaves, in seconds.
    pub seconds: [f64; 2],
    /// What was done to come to it.
    pub label: String,
    /// The feet that take off, if nobody is planted on the way.
    pub take_off: Option<String>,
    /// The feet that land.
    pub landing: Option<String>,
    /// Why it is called so.
    pub reason: String,
}

impl JobReport for BuildBehavioursReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for BuildBehavioursRequest {
    const COMMAND: &'static str = "compose build";
    type Report = BuildBehavioursReport;

    fn outputs(&self) -> Vec<&Path> {
        std::iter::once(&self.output).chain(&self.write_labels).chain(&self.report).map(PathBuf::as_path).collect()
    }

    fn inputs(&self) -> Vec<&Path> {
        self.labels.iter().map(PathBuf::as_path).collect()
    }

    fn run(&self, context: &JobContext) -> Result<BuildBehavioursReport, JobError> {
        let reading = behaviour_reading(&self.read, self.keep_rates)?;
        let mut outputs = Outputs::check_apart(self.outputs(), self.inputs(), self.if_exists)?;
        let given = self.labels.as_deref().map(read_labels).transpose()?;
        let files = find_motions(&self.clips)?;
        let mut begin = context.each_file(files.len());
        let (mut clips, mut rows) = (Vec::new(), Vec::new());
        for file in &files {
            begin(file)?;
            let labels = given.as_ref().and_then(|given| labels_of(given, file));
            match segment_file(file, &reading, labels) {
                Ok(mut read) => {
                    if let (Some(labels), Some(path)) = (labels, &self.labels) {
                        give_labels(&mut read.clip.segmentation, labels).map_err(|error| error.in_file(path))?;
                    }
                    rows.push(BehaviourClipReport {
                        file: file.display().to_string(),
                        corrected_rate: read.corrected_rate,
                        stances: stance_rows(&read.clip),
                        error: None,
                    });
                    clips.push((file_name(file), read.clip));
                }
                Err(error) => rows.push(BehaviourClipReport {
                    file: file.display().to_string(),
                    corrected_rate: None,
                    stances: Vec::new(),
                    error: Some(error),
                }),
            }
        }
        if let Some(given) = &given {
            check_all_used(given, &files, self.labels.as_deref())?;
        }
        if clips.is_empty() {
            let first = rows.iter().find_map(|row| row.error.clone());
            return Err(first.unwrap_or_else(|| JobError::new("usage", "no clip could be used").at_field("clips")));
        }
        if let Some(path) = &self.write_labels {
            let given: Vec<GivenClip> = clips.iter().map(|(file, clip)| as_given(file, clip)).collect();
            outputs.add("labels", path, own::write_step_labels(&given).into_bytes());
        }
        let database = BehaviourDatabase::new(clips.into_iter().map(|(_, clip)| clip).collect())
            .map_err(|error| JobError::new("steps", error.to_string()))?;
        outputs.add("behaviours", &self.output, own::write_behaviours(&database));
        let name = |[from, to]: [surefoot_compose::Feet; 2]| format!("{} to {}", from.name(), to.name());
        let report = BuildBehavioursReport {
            output: self.output.display().to_string(),
            steps: database.counts().into_iter().map(|(label, count)| (label.name().to_string(), count)).collect(),
            jumps: database.jumps().into_iter().map(|(feet, count)| (name(feet), count)).collect(),
            clips: rows,
            files: outputs.files(),
        };
        finish(outputs, BuildBehavioursRequest::COMMAND, report, self.report.as_deref())
    }
}

/// The behaviours of the built-in corpus: walks, climbs, runs, jumps and hops of one figure.
pub fn corpus_behaviours(options: &CorpusOptions) -> Result<BehaviourDatabase, CorpusError> {
    corpus(options).map(|made| behaviours_of_corpus(&made))
}

/// The same of a corpus that is made already.
pub(crate) fn behaviours_of_corpus(made: &Corpus) -> BehaviourDatabase {
    let clips = made.takes.iter().map(|made| BehaviourClip {
        name: made.name.clone(),
        actor: "corpus".to_string(),
        frame_rate: made.take.clip.frame_rate,
        n_frames: made.take.clip.n_frames(),
        leg_length: made.take.body.leg_length(&made.take.clip.skeleton),
        segmentation: segment_behaviours(&made.take),
    });
    BehaviourDatabase::new(clips.collect()).expect("the corpus makes sense")
}

/// How files of behaviours are read: floor at 0, likely frame rates.
pub(crate) fn behaviour_reading(read: &ReadRequest, keep_rates: bool) -> Result<LoadOptions, JobError> {
    let load = read.checked_options()?;
    let declared_rate = if keep_rates { DeclaredRate::Keep } else { DeclaredRate::Correct };
    let import = ImportOptions { floor: FloorChoice::ToZero, declared_rate, ..load.import.clone() };
    Ok(LoadOptions { import, ..load })
}

/// Reads a file of labels.
pub(crate) fn read_labels(path: &Path) -> Result<Vec<GivenClip>, JobError> {
    let bytes = read_bytes(path)?;
    Ok(own::read_step_labels(&bytes).map_err(|error| error.in_file(path))?)
}

/// The labels of a motion file, by its name.
pub(crate) fn labels_of<'a>(given: &'a [GivenClip], file: &Path) -> Option<&'a GivenClip> {
    let name = file_name(file);
    given.iter().find(|clip| clip.file == name)
}

fn file_name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A recording, cut into steps.
pub(crate) struct SegmentedFile {
    pub(crate) clip: BehaviourClip,
    pub(crate) corrected_rate: Option<f64>,
}

/// Reads a motion and cuts it into steps, at the rate of its labels if they have one.
pub(crate) fn segment_file(
    file: &Path,
    reading: &LoadOptions,
    labels: Option<&GivenClip>,
) -> Result<SegmentedFile, JobError> {
    let mut reading = reading.clone();
    if let Some(rate) = labels.and_then(|labels| labels.frame_rate) {
        reading.import.frame_rate = Some(rate);
    }
    let read = read_take(file, &reading, &DetectOptions::default())?;
    let (take, name) = (read.take, file.file_stem().unwrap_or_default().to_string_lossy().into_owned());
    let clip = BehaviourClip {
        actor: actor_of(&name).to_string(),
        name,
        frame_rate: take.clip.frame_rate,
        n_frames: take.clip.n_frames(),
        leg_length: take.body.leg_length(&take.clip.skeleton),
        segmentation: segment_behaviours(&take),
    };
    Ok(SegmentedFile { clip, corrected_rate: read.corrected_rate })
}

fn give_labels(of: &mut Segmentation, given: &GivenClip) -> Result<(), JobError> {
    for (index, label) in given.labels.iter().enumerate() {
        override_label(of, label).map_err(|error| {
            let place = format!("{} stances[{index}]", given.file);
            JobError::new("labels", format!("{place}, frames {:?}: {error}", label.frames)).at_field(place)
        })?;
    }
    Ok(())
}

/// Labels of a clip that is not there are a mistake of somebody.
fn check_all_used(given: &[GivenClip], files: &[PathBuf], path: Option<&Path>) -> Result<(), JobError> {
    let is_there = |clip: &&GivenClip| files.iter().any(|file| file_name(file) == clip.file);
    match given.iter().find(|clip| !is_there(clip)) {
        Some(clip) => {
            let error =
                JobError::new("labels", format!("there are labels for {}, which is none of the clips", clip.file));
            Err(path.map_or(error.clone(), |path| error.in_file(path)))
        }
        None => Ok(()),
    }
}

fn stance_rows(clip: &BehaviourClip) -> Vec<StanceReport> {
    let of = &clip.segmentation;
    let row = |index: usize| {
        let stance = &of.stances[index];
        let flight = of.flight_of(index);
        let seconds = |frame: usize| frame as f64 / clip.frame_rate;
        StanceReport {
            foot: stance.side.name().to_string(),
            frames: [stance.frames.start, stance.frames.end],
            seconds: [seconds(stance.frames.start), seconds(stance.frames.end)],
            label: stance.label.name().to_string(),
            take_off: flight.map(|flight| flight.take_off.name().to_string()),
            landing: flight.map(|flight| flight.landing.name().to_string()),
            reason: stance.reason.to_string(),
        }
    };
    (0..of.stances.len()).map(row).collect()
}

fn as_given(file: &str, clip: &BehaviourClip) -> GivenClip {
    let of = &clip.segmentation;
    let label = |index: usize| {
        let stance = &of.stances[index];
        GivenLabel {
            side: stance.side,
            frames: stance.frames.clone(),
            label: stance.label,
            feet: of.flight_of(index).map(|flight| [flight.take_off, flight.landing]),
            confidence: 1.0,
            ball: Some(stance.ball),
            heading: stance.heading,
        }
    };
    GivenClip {
        file: file.to_string(),
        frame_rate: Some(clip.frame_rate),
        still_from: None,
        labels: (0..of.stances.len()).map(label).collect(),
    }
}
