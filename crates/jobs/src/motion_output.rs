//! A motion as an output of a job: its format, its bytes, and what is reported of it.

use crate::convert::{ConvertOptions, Converted, OutputFormat, convert};
use crate::job_error::JobError;
use crate::outputs::{Outputs, is_standard_stream};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_contact::{Contacts, Take};
use surefoot_formats::gltf::BodyMesh;
use surefoot_formats::{Import, own};
use surefoot_motion::{BodyMap, Clip};

/// A format that motions are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MotionFormat {
    /// Biovision hierarchy.
    Bvh,
    /// glTF in one binary file.
    Glb,
    /// glTF as text, its numbers embedded.
    Gltf,
    /// For other jobs of ours: everything that is known, to the last bit.
    Take,
}

impl MotionFormat {
    /// The format of a file's ending, in any case.
    pub fn from_ending(ending: &str) -> Option<MotionFormat> {
        if ending.eq_ignore_ascii_case(own::TAKE_ENDING) {
            return Some(MotionFormat::Take);
        }
        OutputFormat::from_ending(ending).map(|format| match format {
            OutputFormat::Bvh => MotionFormat::Bvh,
            OutputFormat::Glb => MotionFormat::Glb,
            OutputFormat::Gltf => MotionFormat::Gltf,
        })
    }

    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            MotionFormat::Bvh => "bvh",
            MotionFormat::Glb => "glb",
            MotionFormat::Gltf => "gltf",
            MotionFormat::Take => own::TAKE_ENDING,
        }
    }

    /// The format as a file for other programs; `None` for a take.
    pub fn as_file(self) -> Option<OutputFormat> {
        match self {
            MotionFormat::Bvh => Some(OutputFormat::Bvh),
            MotionFormat::Glb => Some(OutputFormat::Glb),
            MotionFormat::Gltf => Some(OutputFormat::Gltf),
            MotionFormat::Take => None,
        }
    }
}

/// Where a motion is written, and as what.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MotionOutput {
    /// The file; `-` is standard output.
    pub file: PathBuf,
    /// Its format. Default: by the ending of the file; a take for standard output.
    #[serde(default)]
    pub format: Option<MotionFormat>,
}

impl MotionOutput {
    /// A file whose ending is its format.
    pub fn new(file: impl Into<PathBuf>) -> MotionOutput {
        MotionOutput { file: file.into(), format: None }
    }

    /// The format, or an error with what would be right.
    pub fn format(&self) -> Result<MotionFormat, JobError> {
        let ending = || self.file.extension().and_then(|ending| ending.to_str());
        let by_ending = || match is_standard_stream(&self.file) {
            true => Some(MotionFormat::Take),
            false => ending().and_then(MotionFormat::from_ending),
        };
        self.format.or_else(by_ending).ok_or_else(|| {
            let message = "the ending names no motion format; .bvh, .glb, .gltf or .take would, or --to";
            JobError::of_file("usage", &self.file, message)
        })
    }

    /// All files that a job writes: the motion, and what else is asked for.
    pub(crate) fn paths_with<'a>(&'a self, more: &[&'a Option<PathBuf>]) -> Vec<&'a Path> {
        std::iter::once(&self.file).chain(more.iter().copied().flatten()).map(PathBuf::as_path).collect()
    }

    /// Refuses a file of our own, such as a foot plan, under the ending of a motion: no program could open it.
    pub(crate) fn refuse_motion_ending(file: &Path, what: &str, ending: &str) -> Result<(), JobError> {
        let found = file.extension().and_then(|ending| ending.to_str());
        match found.and_then(MotionFormat::from_ending) {
            Some(format) => {
                let message = format!("{what} is no {} file; the ending {ending} would be right", format.ending());
                Err(JobError::of_file("usage", file, message))
            }
            None => Ok(()),
        }
    }

    /// Adds the motion to the outputs of a job. `like` is the motion whose skeleton it has.
    pub fn add_to(
        &self,
        outputs: &mut Outputs,
        (clip, body, contacts): (&Clip, Option<&BodyMap>, &Contacts),
        like: &Import,
    ) -> Result<MotionReport, JobError> {
        let converted = match self.format()?.as_file() {
            None => {
                let contacts = body.map(|_| contacts.clone());
                let body = body.cloned().map_or_else(|| like.body.clone(), Ok);
                let clip = clip.clone();
                as_take(&Import { clip, body, contacts, ..like.clone() })
            }
            Some(format) => {
                let bvh_channels = like.bvh_channels.as_deref();
                let options = ConvertOptions { body_mesh: BodyMesh::With, bvh_channels, ..ConvertOptions::default() };
                convert(clip, body, body.map(|_| contacts), format, &options)
                    .map_err(|error| JobError::of_file("output", &self.file, error.to_string()))?
            }
        };
        Ok(self.add_converted(outputs, clip, converted))
    }

    /// Adds a motion that was made, not read.
    pub fn add_made(&self, outputs: &mut Outputs, take: &Take) -> Result<MotionReport, JobError> {
        let made = Import::of_made(take.clone());
        self.add_to(outputs, (&take.clip, Some(&take.body), &take.contacts), &made)
    }

    /// Adds a motion that is converted already.
    pub fn add_converted(&self, outputs: &mut Outputs, clip: &Clip, converted: Converted) -> MotionReport {
        let report = MotionReport {
            output: self.file.display().to_string(),
            frames: clip.n_frames(),
            frame_rate: clip.frame_rate,
            bytes: converted.bytes.len() as u64,
            convention: converted.convention,
            widened: converted.widened,
        };
        outputs.add("motion", &self.file, converted.bytes);
        report
    }
}

/// A motion for another job of ours.
pub fn as_take(import: &Import) -> Converted {
    let convention = format!("a take, {} fps", import.clip.frame_rate);
    Converted { bytes: own::write_take(import), convention, widened: Vec::new() }
}

/// A motion that was written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MotionReport {
    /// The file.
    pub output: String,
    /// How many frames it has.
    pub frames: usize,
    /// Frames per second.
    pub frame_rate: f64,
    /// Its size.
    pub bytes: u64,
    /// What a reader of the file must know, in words.
    pub convention: String,
    /// Names of joints whose BVH channels could not be kept.
    pub widened: Vec<String>,
}
