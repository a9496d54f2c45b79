//! The job `demo`: the main job on built-in data.
//!
//! 1. Foot plans become walks (`demo_walks`): the three cases of STRIDE chapter 7, and stepping stones.
//! 2. A synthetic walk is made to skate, and cleaned (`demo_cleanup`).
//! 3. Inputs for other commands are put beside them (`demo_inputs`).
//!
//! What is reported was measured in the bytes that are written. All files appear together. The folder keeps a list of what
//! the demo wrote, so that a second demo replaces its own files and nobody else's.

use crate::analyze_steps_job::steps_and_flights_of;
use crate::convert::{ConvertOptions, Converted, OutputFormat, convert};
use crate::demo_cleanup::DemoCleanup;
use crate::demo_inputs::demo_inputs;
use crate::demo_marker::{MARKER, check_folder, marker_text};
use crate::demo_page::{CleanupShow, demo_page};
use crate::demo_walks::{DemoWalk, walk_demo_plans};
use crate::job::{Job, JobReport, finish_with_folder};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::load::load_bytes;
use crate::metric_row::MetricChange;
use crate::output_folder::OutputFolder;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::plan_report::PlanReport;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot_contact::{Contacts, FootPart, SyntheticWalk, WalkerOptions, measure_placement, synthetic_walk};
use surefoot_formats::{Import, own};
use surefoot_motion::{BodyMap, Clip};
use surefoot_picture::{FrameChoice, PictureError, RenderOptions, Subject, contact_sheet, encode_png, strobe};

/// Name and content.
pub(crate) type DemoFile = (String, Vec<u8>);

/// The page that shows everything.
const PAGE: &str = "index.html";

/// The folder of a demo without another.
pub const DEMO_FOLDER: &str = "surefoot-demo";

/// Which demo.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DemoRequest {
    /// Folder for the results; made if it is missing. Default: [`DEMO_FOLDER`].
    pub folder: Option<PathBuf>,
    /// Step database for the foot plans. Default: that of the built-in corpus.
    pub db: Option<PathBuf>,
    /// Only one part.
    pub only: Option<DemoPart>,
    /// Where the report goes as JSON.
    pub report: Option<PathBuf>,
    /// What to do with existing files that are not those of an earlier demo.
    pub if_exists: IfExists,
}

/// A part of the demo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DemoPart {
    /// Foot plans that become walks.
    Plans,
    /// A walk that skates, and is cleaned.
    Cleanup,
}

/// What `demo` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DemoReport {
    /// The folder.
    pub folder: String,
    /// The page that shows everything.
    pub page: String,
    /// Foot plans that became walks; absent if only the other part was requested.
    pub plans: Option<Vec<DemoWalkReport>>,
    /// The walk that skates, and what cleanup made of it; absent if only the other part was requested.
    pub cleanup: Option<DemoCleanupReport>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// A foot plan that became a walk, measured in its BVH.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DemoWalkReport {
    /// Of the plan, and of its files.
    pub name: String,
    /// What it shows.
    pub what: String,
    /// The BVH that was read back.
    pub file: String,
    /// Footprints that no foot is planted on in that file.
    pub unmet_in_file: usize,
    /// Farthest of a ball from its footprint over its complete plant in that file.
    #[serde(alias = "largest_ball_error_mm")]
    pub largest_placement_error_in_file_mm: f64,
    /// Farthest of a ball from its own median place in that file.
    #[serde(alias = "largest_drift_mm")]
    pub largest_drift_in_file_mm: f64,
    /// Verdict, footprints and metrics, as `animate` reports them.
    #[serde(flatten)]
    pub synthesis: PlanReport,
}

/// A walk that skates, and is cleaned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DemoCleanupReport {
    /// Footprints of the walk before it skates.
    pub footprints: usize,
    /// How long it is.
    pub seconds: f64,
    /// How exactly it is written, by file.
    pub placement: Vec<DemoPlacement>,
    /// Plants that were detected in the skating walk.
    pub plants: usize,
    /// Metrics of the skating walk and of the cleaned file.
    pub changes: Vec<MetricChange>,
}

/// How exactly a walk is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DemoPlacement {
    /// The file.
    pub file: String,
    /// Farthest of a ball from its footprint over its complete plant.
    #[serde(alias = "largest_ball_error_mm")]
    pub largest_placement_error_mm: f64,
}

impl JobReport for DemoReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }

    fn not_met(&self) -> Option<JobError> {
        self.plans.iter().flatten().find_map(|plan| Some(plan.synthesis.not_met()?.in_file(&plan.file)))
    }
}

impl Job for DemoRequest {
    const COMMAND: &'static str = "demo";
    type Report = DemoReport;

    fn outputs(&self) -> Vec<&Path> {
        self.report.iter().map(PathBuf::as_path).collect()
    }

    fn run(&self, context: &JobContext) -> Result<DemoReport, JobError> {
        let outputs = Outputs::check(self.outputs(), self.if_exists)?;
        let folder_path = self.folder.as_deref().unwrap_or(Path::new(DEMO_FOLDER));
        let mut folder = OutputFolder::check(folder_path, IfExists::Replace)?;
        let walks = if self.only == Some(DemoPart::Cleanup) { None } else { Some(self.walks(context)?) };
        context.advance(9, 11, "cleanup")?;
        let cleanup = if self.only == Some(DemoPart::Plans) { None } else { Some(CleanupPart::new()?) };
        context.advance(10, 11, "files")?;
        let walk_files = walks.iter().flatten().flat_map(|(walk, _)| &walk.files);
        let cleanup_files: Vec<&DemoFile> =
            cleanup.iter().flat_map(|part| part.files.iter().chain(&part.cleanup.files)).collect();
        let shown: Vec<(&DemoWalk, &DemoWalkReport)> =
            walks.iter().flatten().map(|(walk, report)| (walk, report)).collect();
        let cleanup_show = cleanup.as_ref().map(|part| CleanupShow {
            cleanup: &part.cleanup,
            changes: &part.report.changes,
            files: &cleanup_files,
        });
        let page = (PAGE.to_string(), demo_page(&shown, cleanup_show.as_ref())?.into_bytes());
        let inputs = demo_inputs()?;
        let files: Vec<&DemoFile> =
            walk_files.chain(cleanup_files.iter().copied()).chain(&inputs).chain([&page]).collect();
        check_folder(folder_path, files.iter().map(|(name, _)| name.as_str()), self.if_exists)?;
        for (name, bytes) in &files {
            folder.add(role_of(name), name, bytes.clone());
        }
        let report = DemoReport {
            folder: folder_path.display().to_string(),
            page: folder_path.join(PAGE).display().to_string(),
            plans: walks.as_ref().map(|walks| walks.iter().map(|(_, report)| report.clone()).collect()),
            cleanup: cleanup.as_ref().map(|part| part.report.clone()),
            files: folder.files(),
        };
        folder.add("list", MARKER, marker_text(folder_path, &files).into_bytes());
        context.check()?;
        finish_with_folder(outputs.replacing(), Some(folder), DemoRequest::COMMAND, report, self.report.as_deref())
    }
}

impl DemoRequest {
    fn walks(&self, context: &JobContext) -> Result<Vec<(DemoWalk, DemoWalkReport)>, JobError> {
        let (database, flights) = steps_and_flights_of(self.db.as_deref())?;
        let mut done = 0;
        let mut begin = |name: &str| {
            done += 1;
            context.advance(done, 11, name)
        };
        let walks = walk_demo_plans((&Arc::new(database), &flights), &mut begin)?;
        let read_back = |walk: DemoWalk| {
            let report = walk.read_back()?;
            Ok((walk, report))
        };
        walks.into_iter().map(read_back).collect()
    }
}

/// The synthetic walk, and what cleanup makes of it.
struct CleanupPart {
    files: Vec<DemoFile>,
    cleanup: DemoCleanup,
    report: DemoCleanupReport,
}

impl CleanupPart {
    fn new() -> Result<CleanupPart, JobError> {
        let walk = synthetic_walk(&WalkerOptions { turn_per_step: 0.12, ..WalkerOptions::default() });
        let files = walk_files(&walk)?;
        let cleanup = DemoCleanup::of(&walk)?;
        let mut placement = Vec::new();
        for name in ["walk.bvh", "walk.glb"] {
            let import = load_bytes(name, bytes_of(&files, name))?;
            let largest_placement_error_mm = largest_error(&walk, &import)?;
            placement.push(DemoPlacement { file: name.to_string(), largest_placement_error_mm });
        }
        let report = DemoCleanupReport {
            footprints: walk.plan.footprints.len(),
            seconds: walk.take.clip.duration(),
            placement,
            plants: cleanup.n_plants(),
            changes: cleanup.read_back()?,
        };
        Ok(CleanupPart { files, cleanup, report })
    }
}

/// What a file holds, by its name.
fn role_of(name: &str) -> &'static str {
    let roles = [
        (".plan.json", "plan"),
        (".contacts.json", "contacts"),
        (".report.json", "report"),
        (".bvh", "motion"),
        (".glb", "motion"),
        (".png", "picture"),
        (".svg", "picture"),
        (".html", "page"),
    ];
    roles.into_iter().find(|(ending, _)| name.ends_with(ending)).map_or("input", |(_, role)| role)
}

/// The content of a file; empty if there is none of that name.
pub(crate) fn bytes_of<'a>(files: &'a [DemoFile], name: &str) -> &'a [u8] {
    files.iter().find(|(file, _)| file == name).map_or(&[], |(_, bytes)| bytes)
}

/// A motion in a format, with its body and contacts where that has a place for them.
pub(crate) fn written(
    clip: &Clip,
    body: Option<&BodyMap>,
    contacts: Option<&Contacts>,
    format: OutputFormat,
) -> Result<Vec<u8>, JobError> {
    let converted = convert(clip, body, contacts, format, &ConvertOptions::default());
    converted.and_then(Converted::into_bytes).map_err(|error| JobError::new("output", error.to_string()))
}

/// Every file of the walk.
fn walk_files(walk: &SyntheticWalk) -> Result<Vec<DemoFile>, JobError> {
    let take = &walk.take;
    let in_format = |format| written(&take.clip, Some(&take.body), Some(&take.contacts), format);
    let subject = Subject { clip: &take.clip, body: Some(&take.body), contacts: Some(&take.contacts), terrain: None };
    let options = RenderOptions::default();
    let along = RenderOptions { frames: FrameChoice::EvenlyAlongPath(8), ..RenderOptions::default() };
    let draw = || -> Result<[Vec<u8>; 2], PictureError> {
        Ok([encode_png(&contact_sheet(&subject, &options)?)?, encode_png(&strobe(&subject, &along)?)?])
    };
    let [sheet, strobe] = draw().map_err(|error| JobError::new("picture", error.to_string()))?;
    Ok(vec![
        ("walk.plan.json".into(), own::write_plan(&walk.plan).into_bytes()),
        ("walk.contacts.json".into(), own::write_contacts(&take.contacts).into_bytes()),
        ("walk.bvh".into(), in_format(OutputFormat::Bvh)?),
        ("walk.glb".into(), in_format(OutputFormat::Glb)?),
        ("walk-sheet.png".into(), sheet),
        ("walk-strobe.png".into(), strobe),
    ])
}

/// Largest distance, over all frames of all ball plants, of the ball of a written walk from its footprint. Millimetres.
fn largest_error(walk: &SyntheticWalk, import: &Import) -> Result<f64, JobError> {
    let body = import.body.as_ref().map_err(|error| JobError::new("body", error.to_string()))?;
    let contacts = &walk.take.contacts;
    if import.clip.n_frames() != contacts.n_frames {
        let message = format!("{} frames were written and {} read back", contacts.n_frames, import.clip.n_frames());
        return Err(JobError::new("demo", message));
    }
    let errors = measure_placement(&import.clip.world(), body, contacts);
    let balls = errors.iter().filter(|error| error.part == FootPart::Ball);
    Ok(1000.0 * balls.fold(0.0, |most: f64, error| most.max(error.distance)))
}
