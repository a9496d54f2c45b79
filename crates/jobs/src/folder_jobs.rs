//! Which jobs can be done for every motion of a folder, and what the report tells of each motion.

use crate::clean_job::{CleanReport, CleanRequest};
use crate::contacts_job::{ContactsJobReport, ContactsRequest};
use crate::convert_job::{ConvertReport, ConvertRequest};
use crate::folder_job::{ClipFigure, ClipSummary, FolderClip, FolderJob};
use crate::input_request::InputRequest;
use crate::job_error::JobError;
use crate::measure_job::MeasureRequest;
use crate::measure_report::MeasureReport;
use crate::metric_row::MetricChange;
use crate::motion_output::{MotionFormat, MotionOutput};
use crate::retarget_job::{RetargetReport, RetargetRequest};
use std::path::PathBuf;

/// The ending of contacts files.
const CONTACTS: &str = "contacts.json";

fn input(of: &InputRequest, clip: &FolderClip<'_>) -> InputRequest {
    InputRequest { file: clip.input.to_path_buf(), ..of.clone() }
}

fn output(of: &MotionOutput, clip: &FolderClip<'_>) -> MotionOutput {
    let format = of.format.unwrap_or(MotionFormat::Bvh);
    MotionOutput { file: clip.output_with(format.ending()), format: Some(format), ..of.clone() }
}

/// Refuses options that name a file which all motions would share.
fn refuse(named: &[(&str, bool)]) -> Result<(), JobError> {
    named.iter().find(|(_, is_given)| *is_given).map_or(Ok(()), |(option, _)| {
        let message = format!("{option} is for one motion; a folder has many");
        Err(JobError::new("usage", message).at_field(option.trim_start_matches('-').replace('-', "_")))
    })
}

impl FolderJob for CleanRequest {
    const FOLDER_COMMAND: &'static str = "clean folder";

    fn for_clip(&self, clip: &FolderClip<'_>) -> CleanRequest {
        CleanRequest {
            input: input(&self.input, clip),
            output: output(&self.output, clip),
            write_contacts: Some(clip.output_with(CONTACTS)),
            report: None,
            if_exists: clip.if_exists,
            ..self.clone()
        }
    }

    fn check_for_folder(&self) -> Result<(), JobError> {
        refuse(&[
            ("--contacts", self.input.contacts.is_some()),
            ("--write-contacts", self.write_contacts.is_some()),
            ("--picture", self.picture.is_some()),
            ("--write-events", self.output.write_events.is_some()),
        ])
    }

    fn summarize(report: &CleanReport) -> ClipSummary {
        let metric = |name: &str| report.metrics.iter().find(|metric| metric.name == name);
        let after = |name: &str| metric(name).map_or(0.0, |metric| metric.after);
        let ratio =
            |metric: &MetricChange| metric.before.filter(|before| *before > 0.0).map(|before| metric.after / before);
        let cleanup = report.written.cleanup.as_ref();
        let dead: usize =
            cleanup.map_or(0, |cleanup| cleanup.dead_frames.iter().map(|dead| dead.end - dead.start).sum());
        let drift = metric("drift_max").and_then(|metric| metric.before).unwrap_or(0.0);
        let figures = vec![
            ClipFigure::new("introduced pops", after("introduced_pops")),
            ClipFigure::new("knee p99, ratio", metric("knee_acceleration_p99").and_then(ratio).unwrap_or(0.0)),
            ClipFigure::new("stretch, %", after("stretch_max")),
            ClipFigure::new("drift, mm", after("drift_max")),
            ClipFigure::new("drift before, mm", drift),
            ClipFigure::new("plants", report.contacts.plants as f64),
            ClipFigure::new("dead frames", dead as f64),
        ];
        ClipSummary { figures, warnings: report.warnings.clone() }
    }
}

impl FolderJob for ContactsRequest {
    const FOLDER_COMMAND: &'static str = "contacts folder";

    fn for_clip(&self, clip: &FolderClip<'_>) -> ContactsRequest {
        let output = Some(clip.output_with(CONTACTS));
        ContactsRequest {
            input: input(&self.input, clip),
            output,
            report: None,
            if_exists: clip.if_exists,
            ..self.clone()
        }
    }

    fn check_for_folder(&self) -> Result<(), JobError> {
        refuse(&[("--picture", self.picture.is_some())])
    }

    fn summarize(report: &ContactsJobReport) -> ClipSummary {
        let drift = report.plants.iter().fold(0.0, |most: f64, plant| most.max(plant.drift_mm));
        let figures = vec![
            ClipFigure::new("drift, mm", drift),
            ClipFigure::new("steps", (report.steps.left + report.steps.right) as f64),
            ClipFigure::new("plants", report.plants.len() as f64),
            ClipFigure::new("flight, share", report.flight_share),
        ];
        ClipSummary { figures, warnings: Vec::new() }
    }
}

impl FolderJob for MeasureRequest {
    const FOLDER_COMMAND: &'static str = "measure folder";

    fn for_clip(&self, clip: &FolderClip<'_>) -> MeasureRequest {
        // A folder of references has each under the name of its motion.
        let reference = |path: &PathBuf| if path.is_dir() { path.join(clip.relative) } else { path.clone() };
        MeasureRequest {
            input: input(&self.input, clip),
            reference: self.reference.as_ref().map(reference),
            report: Some(clip.output_with("measure.json")),
            if_exists: clip.if_exists,
            ..self.clone()
        }
    }

    fn check_for_folder(&self) -> Result<(), JobError> {
        refuse(&[
            ("--contacts", self.input.contacts.is_some()),
            ("--plan", self.plan.is_some()),
            ("--walk", self.walk.is_some()),
        ])
    }

    fn summarize(report: &MeasureReport) -> ClipSummary {
        let value = |name: &str| {
            let metric = report.metrics.iter().find(|metric| metric.name == name);
            metric.map_or(0.0, |metric| metric.value)
        };
        let shown = ["introduced_pops", "drift_max", "penetration_max", "knee_acceleration_p99", "stretch_max"];
        let failures = report.gate.iter().flat_map(|gate| &gate.failures);
        ClipSummary {
            figures: shown.into_iter().map(|name| ClipFigure::new(name, value(name))).collect(),
            warnings: failures.map(|failure| failure.message.clone()).collect(),
        }
    }
}

impl FolderJob for RetargetRequest {
    const FOLDER_COMMAND: &'static str = "retarget folder";

    fn for_clip(&self, clip: &FolderClip<'_>) -> RetargetRequest {
        RetargetRequest {
            input: input(&self.input, clip),
            output: output(&self.output, clip),
            report: None,
            if_exists: clip.if_exists,
            ..self.clone()
        }
    }

    fn check_for_folder(&self) -> Result<(), JobError> {
        refuse(&[
            ("--contacts", self.input.contacts.is_some()),
            ("--write-contacts", self.write_contacts.is_some()),
            ("--write-events", self.output.write_events.is_some()),
        ])
    }

    fn summarize(report: &RetargetReport) -> ClipSummary {
        let cleanup = report.written.cleanup.as_ref();
        let error = |of: fn(&crate::CleanupReport) -> f64| cleanup.map_or(0.0, of);
        let figures = vec![
            ClipFigure::new("plant error, mm", error(|cleanup| cleanup.largest_plant_error_mm)),
            ClipFigure::new("before cleanup, mm", error(|cleanup| cleanup.largest_plant_error_before_mm)),
            ClipFigure::new("joints not reached", report.idle.len() as f64),
            ClipFigure::new("scale", report.scale),
        ];
        ClipSummary { figures, warnings: report.missing.iter().chain(&report.notes).cloned().collect() }
    }
}

impl FolderJob for ConvertRequest {
    const FOLDER_COMMAND: &'static str = "convert folder";

    fn for_clip(&self, clip: &FolderClip<'_>) -> ConvertRequest {
        ConvertRequest {
            input: input(&self.input, clip),
            output: output(&self.output, clip),
            report: None,
            if_exists: clip.if_exists,
            ..self.clone()
        }
    }

    fn check_for_folder(&self) -> Result<(), JobError> {
        refuse(&[
            ("--contacts", self.input.contacts.is_some()),
            ("--slice", self.slice.is_some()),
            ("--write-events", self.output.write_events.is_some()),
        ])
    }

    fn summarize(report: &ConvertReport) -> ClipSummary {
        let figures = vec![
            ClipFigure::new("widened channels", report.written.widened.len() as f64),
            ClipFigure::new("frames", report.written.frames as f64),
            ClipFigure::new("frames a second", report.written.frame_rate),
        ];
        ClipSummary { figures, warnings: report.written.notes.clone() }
    }
}
