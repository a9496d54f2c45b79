//! A job over all motions of a folder: one request for all of them, one report with the worst first.
//!
//! Each motion is a job of its own on whichever core is free, and what it writes is there when it is done, whole or not at all. So memory holds as many
//! motions as there are cores, a motion that fails stops no other, and a run that is broken off goes on where it was: a line of
//! [`JOURNAL`] for each motion that is done tells what it was made of.
//!
//! Unlike other jobs this one leaves what it wrote when it is cancelled.

use crate::find_motion_files::find_motions;
use crate::folder_page::folder_page;
use crate::job::{Envelope, Job, JobReport, to_json_text};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::outputs::{IfExists, Outputs, WrittenFile, is_standard_stream};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is done, in the folder of the results: a line of JSON for each motion.
pub const JOURNAL: &str = "done.jsonl";
/// The report for programs, in the folder of the results.
pub const FOLDER_REPORT: &str = "report.json";
/// The report for people.
pub const FOLDER_PAGE: &str = "report.html";

/// One motion of a folder.
#[derive(Clone, Copy, Debug)]
pub struct FolderClip<'a> {
    /// Its file.
    pub input: &'a Path,
    /// The same from the folder on.
    pub relative: &'a Path,
    /// Its place in the folder of the results, without an ending.
    pub output: &'a Path,
    /// What to do with results that are there.
    pub if_exists: IfExists,
}

impl FolderClip<'_> {
    /// A file of its results.
    pub(crate) fn output_with(&self, ending: &str) -> PathBuf {
        let mut name = self.output.as_os_str().to_os_string();
        name.push(".");
        name.push(ending);
        name.into()
    }
}

/// A job that can be done for each motion of a folder.
pub trait FolderJob: Job + Clone + Sync {
    /// The name of the job over a folder.
    const FOLDER_COMMAND: &'static str;

    /// The same job for one motion.
    fn for_clip(&self, clip: &FolderClip<'_>) -> Self;

    /// Refuses what makes sense for one motion alone.
    fn check_for_folder(&self) -> Result<(), JobError>;

    /// What the report of the folder tells of one motion's.
    fn summarize(report: &Self::Report) -> ClipSummary;
}

/// What a motion's report amounts to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipSummary {
    /// Figures by name, in the order to show them in.
    pub figures: Vec<ClipFigure>,
    /// What to look at.
    pub warnings: Vec<String>,
}

/// A figure of a motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClipFigure {
    /// Its name, with its unit.
    pub name: String,
    /// Its value.
    pub value: f64,
}

impl ClipFigure {
    /// A figure.
    pub(crate) fn new(name: &str, value: f64) -> ClipFigure {
        ClipFigure { name: name.to_string(), value }
    }
}

/// A job for every motion of a folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound(serialize = "J: Serialize", deserialize = "J: Deserialize<'de>"))]
pub struct FolderRequest<J> {
    /// The folder with the motions, searched with all folders in it.
    pub input: PathBuf,
    /// The folder that the results go to, in the same order; made if it is missing.
    pub output: PathBuf,
    /// What to do with each. Its own files are named by the motions.
    pub each: J,
    /// How many motions are worked on at once. Default: one for each core.
    #[serde(default)]
    pub workers: Option<usize>,
    /// Replace results that are there, and begin again.
    #[serde(default)]
    pub if_exists: IfExists,
    /// Where the report goes as JSON, too.
    #[serde(default)]
    pub report: Option<PathBuf>,
}

/// What became of the motions of a folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FolderReport {
    /// The folder.
    pub input: String,
    /// The folder of the results.
    pub output: String,
    /// How many motions there are.
    pub clips: usize,
    /// How many were done, now or before.
    pub done: usize,
    /// How many of these before: the same motion, the same request, the same version.
    pub resumed: usize,
    /// How many failed.
    pub failed: usize,
    /// How many were done and are not what was requested, such as by a gate.
    pub not_met: usize,
    /// Every motion, the worst first: failed, not met, then by its figures in their order.
    pub worst_first: Vec<ClipRow>,
    /// The reports that were written; the files of each motion are in its row.
    pub files: Vec<WrittenFile>,
}

/// What became of a motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClipRow {
    /// Its file from the folder on.
    pub clip: String,
    /// How it went.
    pub state: ClipState,
    /// Why it failed, or what was not met.
    #[serde(default)]
    pub error: Option<JobError>,
    /// Its figures.
    pub figures: Vec<ClipFigure>,
    /// What to look at.
    pub warnings: Vec<String>,
    /// The files that were written, from the folder of the results on.
    pub files: Vec<String>,
}

/// How it went with a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClipState {
    /// Nothing was written.
    Failed,
    /// Done, and not what was requested.
    NotMet,
    /// Done.
    Done,
}

/// A line of the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entry {
    /// Of the motion, the request and the version.
    fingerprint: String,
    row: ClipRow,
}

impl JobReport for FolderReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }

    fn not_met(&self) -> Option<JobError> {
        let count = |n: usize, what: &str| (n > 0).then(|| format!("{n} of {} motions {what}", self.clips));
        let parts = [count(self.failed, "failed"), count(self.not_met, "are not what was requested")];
        let text = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
        (!text.is_empty()).then(|| JobError::not_met("folder", format!("{text}; {FOLDER_PAGE} tells why")))
    }
}

impl<J: FolderJob> Job for FolderRequest<J> {
    const COMMAND: &'static str = J::FOLDER_COMMAND;
    type Report = FolderReport;

    fn outputs(&self) -> Vec<&Path> {
        self.report.iter().map(PathBuf::as_path).collect()
    }

    fn run(&self, context: &JobContext) -> Result<FolderReport, JobError> {
        let clips = self.clips()?;
        let report_outputs = Outputs::check(self.outputs(), self.if_exists)?;
        std::fs::create_dir_all(&self.output).map_err(|error| failed_to_write(&self.output, &error))?;
        let journal = Journal::open(&self.output.join(JOURNAL), self.if_exists)?;
        let rows = self.run_all(&clips, &journal, context)?;
        self.finish(rows, report_outputs)
    }
}

/// A motion of the folder by its own path and its places.
struct Paths {
    input: PathBuf,
    relative: PathBuf,
    output: PathBuf,
}

impl<J: FolderJob> FolderRequest<J> {
    /// The motions, and where their results go.
    fn clips(&self) -> Result<Vec<Paths>, JobError> {
        if is_standard_stream(&self.output) {
            return Err(JobError::new("usage", "standard output cannot take the results of a folder; name a folder"));
        }
        if self.output.exists() && !self.output.is_dir() {
            return Err(JobError::of_file("output", &self.output, "is a file; the results of a folder need a folder"));
        }
        if self.workers == Some(0) {
            return Err(JobError::new("usage", "workers: 1 or more would be right").at_field("workers"));
        }
        self.each.check_for_folder()?;
        let results = std::path::absolute(&self.output).ok();
        let is_result = |file: &PathBuf| {
            let file = std::path::absolute(file).ok();
            file.zip(results.as_ref()).is_some_and(|(file, results)| file.starts_with(results))
        };
        // Results within the folder are not worked on again.
        let same = std::path::absolute(&self.input).ok() == results;
        if same {
            let message = "is also the folder of the motions, which would be replaced; name another";
            return Err(JobError::of_file("usage", &self.output, message));
        }
        let found = find_motions(std::slice::from_ref(&self.input))?;
        let relative = |file: &Path| file.strip_prefix(&self.input).unwrap_or(file).to_path_buf();
        let files: Vec<PathBuf> = found.into_iter().filter(|file| !is_result(file)).collect();
        let mut names: BTreeMap<PathBuf, usize> = BTreeMap::new();
        for file in &files {
            *names.entry(relative(file).with_extension("")).or_insert(0) += 1;
        }
        let paths = |input: PathBuf| {
            let relative = relative(&input);
            let stem = relative.with_extension("");
            // Two motions of one name keep their endings apart.
            let name = if names[&stem] > 1 { relative.clone() } else { stem };
            Paths { output: self.output.join(name), relative, input }
        };
        Ok(files.into_iter().map(paths).collect())
    }

    /// A row for each motion, in their order.
    fn run_all(&self, clips: &[Paths], journal: &Journal, context: &JobContext) -> Result<Vec<Row>, JobError> {
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let rows: Mutex<Vec<Option<Row>>> = Mutex::new(clips.iter().map(|_| None).collect());
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(clip) = clips.get(number) else { return Ok(()) };
                let row = self.run_one(clip, journal)?;
                let name = row.row.clip.clone();
                rows.lock().expect("workers do not fail here")[number] = Some(row);
                context.advance(done.fetch_add(1, Ordering::Relaxed) as u64 + 1, clips.len() as u64, &name)?;
            }
        };
        let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
        let n_workers = self.workers.unwrap_or_else(cores).clamp(1, clips.len().max(1));
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..n_workers).map(|_| scope.spawn(work)).collect();
            let ended = workers.into_iter().map(|worker| match worker.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            ended.collect::<Result<Vec<()>, JobError>>()
        })?;
        let rows = rows.into_inner().expect("workers do not fail here");
        Ok(rows.into_iter().flatten().collect())
    }

    /// One motion, done now or before. Only a journal that cannot be written ends the whole job.
    fn run_one(&self, paths: &Paths, journal: &Journal) -> Result<Row, JobError> {
        let clip = FolderClip {
            input: &paths.input,
            relative: &paths.relative,
            output: &paths.output,
            if_exists: IfExists::Refuse,
        };
        let job = self.each.for_clip(&clip);
        let name = paths.relative.to_string_lossy().into_owned();
        let fingerprint = fingerprint(&job, &paths.input);
        let is_there = |file: &String| self.output.join(file).is_file();
        let before = journal.before.get(&name).filter(|entry| Some(&entry.fingerprint) == fingerprint.as_ref());
        if let Some(entry) = before.filter(|entry| entry.row.files.iter().all(is_there)) {
            return Ok(Row { row: entry.row.clone(), is_resumed: true });
        }
        // What a run that was broken off had written, but not noted, is ours.
        let is_ours = journal.was_there && !journal.before.contains_key(&name);
        let if_exists = if is_ours { IfExists::Replace } else { self.if_exists };
        let job = self.each.for_clip(&FolderClip { if_exists, ..clip });
        let made_room = paths.output.parent().map_or(Ok(()), std::fs::create_dir_all);
        let run = || match made_room {
            Ok(()) => catch_unwind(AssertUnwindSafe(|| job.run(&JobContext::silent()))).unwrap_or_else(|_| {
                let message = "could not be worked on: an error of the program itself, worth a report with this file";
                Err(JobError::of_file("internal", &paths.input, message))
            }),
            Err(error) => Err(failed_to_write(&paths.output, &error)),
        };
        let row = self.row(name, run());
        if let Some(fingerprint) = fingerprint.filter(|_| row.state != ClipState::Failed) {
            journal.add(&Entry { fingerprint, row: row.clone() })?;
        }
        Ok(Row { row, is_resumed: false })
    }

    fn row(&self, clip: String, result: Result<J::Report, JobError>) -> ClipRow {
        let report = match result {
            Ok(report) => report,
            Err(error) => {
                let (figures, warnings, files) = (Vec::new(), Vec::new(), Vec::new());
                return ClipRow { clip, state: ClipState::Failed, error: Some(error), figures, warnings, files };
            }
        };
        let ClipSummary { figures, warnings } = J::summarize(&report);
        let local = |written: &WrittenFile| {
            let path = Path::new(&written.file);
            path.strip_prefix(&self.output).unwrap_or(path).to_string_lossy().into_owned()
        };
        let error = report.not_met();
        let state = if error.is_some() { ClipState::NotMet } else { ClipState::Done };
        ClipRow { clip, state, error, figures, warnings, files: report.files().iter().map(local).collect() }
    }

    /// The reports, the worst motion first.
    fn finish(&self, rows: Vec<Row>, mut report_outputs: Outputs) -> Result<FolderReport, JobError> {
        let count = |state: ClipState| rows.iter().filter(|row| row.row.state == state).count();
        let (failed, not_met) = (count(ClipState::Failed), count(ClipState::NotMet));
        let (clips, resumed) = (rows.len(), rows.iter().filter(|row| row.is_resumed).count());
        let mut worst_first: Vec<ClipRow> = rows.into_iter().map(|row| row.row).collect();
        worst_first.sort_by(|a, b| {
            let figures = a.figures.iter().zip(&b.figures).map(|(a, b)| b.value.total_cmp(&a.value));
            let worse = figures.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then);
            a.state.cmp(&b.state).then(worse).then(a.clip.cmp(&b.clip))
        });
        let mut report = FolderReport {
            input: self.input.display().to_string(),
            output: self.output.display().to_string(),
            clips,
            done: clips - failed,
            resumed,
            failed,
            not_met,
            worst_first,
            files: Vec::new(),
        };
        let (page, json) = (self.output.join(FOLDER_PAGE), self.output.join(FOLDER_REPORT));
        let mut outputs = Outputs::check([page.as_path(), json.as_path()], IfExists::Replace)?;
        outputs.add("page", &page, folder_page(J::FOLDER_COMMAND, &report).into_bytes());
        report.files = outputs.files();
        let text = to_json_text(&Envelope::new(J::FOLDER_COMMAND, &report));
        outputs.add("report", &json, text.clone().into_bytes());
        report.files = outputs.files();
        outputs.write()?;
        if let Some(file) = &self.report {
            report_outputs.add("report", file, text.into_bytes());
            report_outputs.write()?;
        }
        Ok(report)
    }
}

/// A motion's row, and whether it was done before.
struct Row {
    row: ClipRow,
    is_resumed: bool,
}

fn failed_to_write(path: &Path, error: &std::io::Error) -> JobError {
    JobError::of_file("output", path, error.to_string())
}

/// What is done, and what was before.
struct Journal {
    before: BTreeMap<String, Entry>,
    was_there: bool,
    file: Mutex<(PathBuf, File)>,
}

impl Journal {
    /// Reads what is done, unless all is to be done again. A line that was broken off is no line.
    fn open(path: &Path, if_exists: IfExists) -> Result<Journal, JobError> {
        let failed = |error: std::io::Error| failed_to_write(path, &error);
        let was_there = path.is_file();
        let text = match if_exists {
            IfExists::Refuse if was_there => std::fs::read_to_string(path).map_err(failed)?,
            _ => String::new(),
        };
        let entries = text.lines().filter_map(|line| serde_json::from_str::<Entry>(line).ok());
        let before: BTreeMap<String, Entry> = entries.map(|entry| (entry.row.clip.clone(), entry)).collect();
        let mut file = File::create(path).map_err(failed)?;
        for entry in before.values() {
            writeln!(file, "{}", line_of(entry)).map_err(failed)?;
        }
        Ok(Journal { before, was_there, file: Mutex::new((path.to_path_buf(), file)) })
    }

    fn add(&self, entry: &Entry) -> Result<(), JobError> {
        let mut guard = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (path, file) = &mut *guard;
        writeln!(file, "{}", line_of(entry)).and_then(|()| file.flush()).map_err(|error| failed_to_write(path, &error))
    }
}

fn line_of(entry: &Entry) -> String {
    serde_json::to_string(entry).expect("rows are plain data with text keys")
}

/// Of a motion's bytes, what is done with it, and by which version; `None` if it cannot be read.
fn fingerprint<J: Job>(job: &J, input: &Path) -> Option<String> {
    let bytes = std::fs::read(input).ok()?;
    let request = serde_json::to_string(job).ok()?;
    let parts = [bytes.as_slice(), request.as_bytes(), env!("CARGO_PKG_VERSION").as_bytes()];
    // FNV-1a: the same on every machine, and no secret is at stake.
    let hash = parts
        .iter()
        .flat_map(|part| part.iter())
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    Some(format!("{hash:016x}-{}", bytes.len()))
}
