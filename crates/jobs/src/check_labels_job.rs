//! The job `compose check`: how well steps found in recordings agree with labels that somebody else gave.

use crate::build_behaviours_job::{behaviour_reading, labels_of, read_labels, segment_file};
use crate::find_motion_files::find_motions;
use crate::input_request::ReadRequest;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_compose::{LabelAgreement, compare_labels};
use surefoot_contact::Behaviour;

/// Which motions to compare with which labels.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckLabelsRequest {
    /// Motion files, folders and glob patterns. Those without labels are passed over.
    pub clips: Vec<PathBuf>,
    /// How to read them.
    #[serde(default)]
    pub read: ReadRequest,
    /// The labels.
    pub labels: PathBuf,
    /// Only recordings of these actors; all if there are none.
    #[serde(default)]
    pub actors: Vec<String>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// What `compose check` reports. Only labels of confidence 0.7 and above count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckLabelsReport {
    /// Recordings with labels.
    pub clips: usize,
    /// Labels that count.
    pub labels: usize,
    /// Those for which a stance was found.
    pub found: usize,
    /// Those with the same behaviour.
    pub same_behaviour: usize,
    /// Those with the same label, turns and directions of stairs told apart.
    pub same_label: usize,
    /// Those that start within 40 ms.
    pub same_start: usize,
    /// Those that end within 40 ms.
    pub same_end: usize,
    /// Those with the same behaviour, start and end.
    pub same_all: usize,
    /// Jumps and hops.
    pub jumps: usize,
    /// Those with the same take-off and landing.
    pub same_feet: usize,
    /// Stances that no label has.
    pub extra: usize,
    /// Labels by behaviour, and as what they were found.
    pub confusion: ConfusionReport,
    /// What differs.
    pub differing: Vec<DifferingLabel>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// How often one behaviour was taken for another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfusionReport {
    /// Names of rows and columns; the last column is `none`.
    pub behaviours: Vec<String>,
    /// A row for each true behaviour, a column for each found one, and one for none.
    pub counts: Vec<Vec<usize>>,
}

impl ConfusionReport {
    /// The behaviours in the order of rows.
    pub const ORDER: [Behaviour; 6] =
        [Behaviour::Stand, Behaviour::Walk, Behaviour::Run, Behaviour::Jump, Behaviour::Hop, Behaviour::Stair];

    /// From a function of the true and the found behaviour.
    pub fn of(count: impl Fn(Behaviour, Option<Behaviour>) -> usize) -> ConfusionReport {
        let columns = || ConfusionReport::ORDER.into_iter().map(Some).chain([None]);
        ConfusionReport {
            behaviours: ConfusionReport::ORDER.iter().map(|behaviour| behaviour.name().to_string()).collect(),
            counts: ConfusionReport::ORDER.map(|row| columns().map(|column| count(row, column)).collect()).to_vec(),
        }
    }

    /// A table for people.
    pub fn table(&self) -> String {
        let mut text = format!("{:>12}", "");
        for name in self.behaviours.iter().map(String::as_str).chain(["none"]) {
            text += &format!("{name:>7}");
        }
        text.push('\n');
        for (name, row) in self.behaviours.iter().zip(&self.counts) {
            text += &format!("{name:>12}");
            for count in row {
                text += &format!("{count:>7}");
            }
            text.push('\n');
        }
        text
    }
}

/// A label that a stance does not agree with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DifferingLabel {
    /// The recording.
    pub clip: String,
    /// Index of the label.
    pub label: usize,
    /// `left` or `right`.
    pub foot: String,
    /// Frames of the label; half-open.
    pub frames: [usize; 2],
    /// What it is called.
    pub given: String,
    /// What was found there.
    pub found: Option<String>,
    /// Milliseconds by which start and end are found late.
    pub late_ms: [f64; 2],
    /// Why it is called so.
    pub reason: Option<String>,
}

impl JobReport for CheckLabelsReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for CheckLabelsRequest {
    const COMMAND: &'static str = "compose check";
    type Report = CheckLabelsReport;

    fn outputs(&self) -> Vec<&Path> {
        self.report.iter().map(PathBuf::as_path).collect()
    }

    fn inputs(&self) -> Vec<&Path> {
        vec![&self.labels]
    }

    fn run(&self, context: &JobContext) -> Result<CheckLabelsReport, JobError> {
        let reading = behaviour_reading(&self.read, false)?;
        let outputs = Outputs::check_apart(self.outputs(), self.inputs(), self.if_exists)?;
        let given = read_labels(&self.labels)?;
        let files = find_motions(&self.clips)?;
        let mut begin = context.each_file(files.len());
        let (mut sum, mut differing, mut clips) = (LabelAgreement::default(), Vec::new(), 0);
        for file in &files {
            begin(file)?;
            let Some(labels) = labels_of(&given, file) else { continue };
            let clip = segment_file(file, &reading, Some(labels))?.clip;
            if !self.actors.is_empty() && !self.actors.contains(&clip.actor) {
                continue;
            }
            clips += 1;
            let agreement = compare_labels(&clip.segmentation, labels, clip.frame_rate);
            differing.extend(agreement.differing.iter().map(|&(label, stance, late)| {
                let (of, found) = (&labels.labels[label], stance.map(|stance| &clip.segmentation.stances[stance]));
                DifferingLabel {
                    clip: clip.name.clone(),
                    label,
                    foot: of.side.name().to_string(),
                    frames: [of.frames.start, of.frames.end],
                    given: of.label.name().to_string(),
                    found: found.map(|found| found.label.name().to_string()),
                    late_ms: late.map(|seconds| (seconds * 1000.0).round()),
                    reason: found.map(|found| found.reason.to_string()),
                }
            }));
            sum.add(&agreement);
        }
        if clips == 0 {
            let message = "none of the clips has labels in this file";
            return Err(JobError::of_file("labels", &self.labels, message));
        }
        let count = |given: Behaviour, found| sum.confusion.get(&(given, found)).copied().unwrap_or(0);
        let report = CheckLabelsReport {
            clips,
            labels: sum.n_labels,
            found: sum.n_found,
            same_behaviour: sum.n_behaviour,
            same_label: sum.n_label,
            same_start: sum.n_start,
            same_end: sum.n_end,
            same_all: sum.n_all,
            jumps: sum.n_flights,
            same_feet: sum.n_feet,
            extra: sum.n_extra,
            confusion: ConfusionReport::of(count),
            differing,
            files: outputs.files(),
        };
        finish(outputs, CheckLabelsRequest::COMMAND, report, self.report.as_deref())
    }
}
