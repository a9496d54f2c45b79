//! The job `convert`: a motion in another format, unit, rate or convention.

use crate::convert::{ConvertOptions, Target};
use crate::input_report::InputReport;
use crate::input_request::{AxisName, InputRequest};
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::motion_output::{MotionFormat, MotionOutput, MotionReport};
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::request_limits::check_range;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_contact::{Contacts, DetectOptions, Take, mirror_take, resample_contacts, slice_contacts};
use surefoot_formats::Import;
use surefoot_formats::gltf::BodyMesh;
use surefoot_motion::{EditError, FRAME_RATES, resample, slice};
use surefoot_signal::SignalClip;

/// What to convert, and to what.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConvertRequest {
    /// The motion.
    pub input: InputRequest,
    /// Where it goes.
    pub output: MotionOutput,
    /// The program that the file is for: sets unit and axes of a BVH.
    #[serde(default)]
    pub target: Option<Program>,
    /// Metres per unit of a written BVH. Default: the program's, or 0.01.
    #[serde(default)]
    pub write_unit: Option<f64>,
    /// Up axis of a written BVH. Default: the program's, or Y.
    #[serde(default)]
    pub write_up: Option<AxisName>,
    /// Frames per second of the output. Default: those of the input.
    #[serde(default)]
    pub frame_rate: Option<f64>,
    /// Keep only these frames, half-open; they count from 0 after dropped first ones.
    #[serde(default)]
    pub slice: Option<(usize, usize)>,
    /// Exchange left and right, reflected in the plane x = 0.
    #[serde(default)]
    pub mirror: bool,
    /// Leave out the body of capsules that lets every viewer show a person in a glTF.
    #[serde(default)]
    pub no_mesh: bool,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// A program that reads motions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Program {
    /// Metres, Y up.
    Blender,
    /// Centimetres, Z up.
    Unreal,
    /// Metres, Y up.
    Unity,
    /// Metres, Y up.
    Godot,
}

impl From<Program> for Target {
    fn from(program: Program) -> Target {
        match program {
            Program::Blender => Target::Blender,
            Program::Unreal => Target::Unreal,
            Program::Unity => Target::Unity,
            Program::Godot => Target::Godot,
        }
    }
}

/// What `convert` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConvertReport {
    /// The motion that was read.
    pub input: InputReport,
    /// The motion that was written.
    #[serde(flatten)]
    pub written: MotionReport,
    /// Whether the output holds the contacts; a BVH has no place for them.
    pub contacts_written: bool,
    /// Whether the input had contacts.
    pub has_contacts: bool,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

impl JobReport for ConvertReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for ConvertRequest {
    const COMMAND: &'static str = "convert";
    type Report = ConvertReport;

    fn outputs(&self) -> Vec<&Path> {
        self.output.paths_with(&[&self.report])
    }

    fn run(&self, context: &JobContext) -> Result<ConvertReport, JobError> {
        let format = self.output.format()?;
        self.check_options(format)?;
        let mut outputs = Outputs::check(self.outputs(), self.if_exists)?;
        let (import, contacts) = self.input.load_with_contacts()?;
        context.check()?;
        let contacts = contacts.map(|(contacts, _)| contacts).or_else(|| self.detect(&import));
        let has_contacts = contacts.is_some();
        let take = self.edit(&import, contacts)?;
        let contacts = has_contacts.then_some(&take.contacts);
        context.check()?;
        let options = ConvertOptions {
            unit_to_metre: self.write_unit,
            up: self.write_up.map(|AxisName(axis)| axis),
            target: self.target.map(Target::from),
            body_mesh: if self.no_mesh { BodyMesh::Without } else { BodyMesh::With },
            bvh_channels: import.bvh_channels.as_deref(),
            ..ConvertOptions::default()
        };
        let motion = (&take.clip, import.body.as_ref().ok(), contacts);
        let written = self.output.add_converted(&mut outputs, motion, &import, &options)?;
        let report = ConvertReport {
            input: InputReport::new(&self.input.file, &import),
            written,
            contacts_written: has_contacts && !matches!(format, MotionFormat::Bvh | MotionFormat::Fbx),
            has_contacts,
            files: outputs.files(),
        };
        finish(outputs, ConvertRequest::COMMAND, report, self.report.as_deref())
    }
}

impl ConvertRequest {
    /// Refuses options that the format has no use for, rather than leaving them out in silence.
    fn check_options(&self, format: MotionFormat) -> Result<(), JobError> {
        check_range("frame_rate", self.frame_rate, FRAME_RATES)?;
        check_range("write_unit", self.write_unit, 1e-9..=1e9)?;
        let (is_bvh, is_take) = (format == MotionFormat::Bvh, format == MotionFormat::Take);
        let useless = [
            ("--write-unit", !is_bvh && self.write_unit.is_some(), "glTF and takes are in metres, FBX in centimetres"),
            ("--write-up", !is_bvh && self.write_up.is_some(), "glTF, FBX and takes have Y up"),
            ("--no-mesh", is_bvh && self.no_mesh, "a BVH has no mesh"),
            ("--no-mesh", is_take && self.no_mesh, "a take has no mesh"),
            ("--for", is_take && self.target.is_some(), "a take is for our own commands"),
        ];
        match useless.into_iter().find(|(_, is_given, _)| *is_given) {
            Some((option, _, why)) => {
                Err(JobError::of_file("usage", &self.output.file, format!("{option} is of no use: {why}")))
            }
            None => Ok(()),
        }
    }

    /// Contacts that events and a root on the ground need, where the input has none.
    fn detect(&self, import: &Import) -> Option<Contacts> {
        let needed = self.output.write_events.is_some() || self.output.root_motion.is_some();
        let detected = || import.clone().into_take_with(None, &DetectOptions::default()).ok();
        needed.then(detected).flatten().map(|detected| detected.take.contacts)
    }

    /// Slices, mirrors and resamples, in that order. Only mirroring needs a body.
    fn edit(&self, import: &Import, contacts: Option<Contacts>) -> Result<SignalClip, JobError> {
        let refused = |error: EditError| JobError::of_file("usage", &self.input.file, error.to_string());
        let mut clip = import.clip.clone();
        let mut contacts = contacts.unwrap_or_else(|| Contacts::none(clip.n_frames()));
        if let Some((from, to)) = self.slice {
            clip = slice(&clip, from..to).map_err(refused)?;
            contacts = slice_contacts(&contacts, from..to);
        }
        if self.mirror {
            let body = import.body.clone().map_err(|error| {
                JobError::of_file("body", &self.input.file, format!("mirroring needs a body map: {error}"))
            })?;
            Take { clip, contacts, .. } = mirror_take(&Take { clip, body, contacts });
        }
        if let Some(rate) = self.frame_rate.filter(|&rate| rate != clip.frame_rate) {
            let ratio = rate / clip.frame_rate;
            clip = resample(&clip, rate).map_err(refused)?;
            contacts = resample_contacts(&contacts, clip.n_frames(), ratio);
        }
        Ok(SignalClip { clip, contacts, body: import.body.as_ref().ok().cloned() })
    }
}
