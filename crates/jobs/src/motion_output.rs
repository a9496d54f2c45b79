//! A motion as an output of a job: its format, its bytes, and what is reported of it.

use crate::convert::{CharacterTarget, ConvertOptions, Converted, OutputFormat, convert};
use crate::job_error::JobError;
use crate::outputs::{Outputs, is_standard_stream};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_contact::{Contacts, RootMotion, Take, root_motion};
use surefoot_formats::gltf::BodyMesh;
use surefoot_formats::own::Playback;
use surefoot_formats::{Import, own};
use surefoot_motion::{BodyMap, Clip, rigid_bones};

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
    /// Autodesk FBX, binary.
    Fbx,
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
            OutputFormat::Fbx => MotionFormat::Fbx,
        })
    }

    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            MotionFormat::Bvh => "bvh",
            MotionFormat::Glb => "glb",
            MotionFormat::Gltf => "gltf",
            MotionFormat::Fbx => "fbx",
            MotionFormat::Take => own::TAKE_ENDING,
        }
    }

    /// Whether engines make rigs of its files.
    fn holds_rigs(self) -> bool {
        matches!(self, MotionFormat::Glb | MotionFormat::Gltf | MotionFormat::Fbx)
    }

    /// The format as a file for other programs; `None` for a take.
    pub fn as_file(self) -> Option<OutputFormat> {
        match self {
            MotionFormat::Bvh => Some(OutputFormat::Bvh),
            MotionFormat::Glb => Some(OutputFormat::Glb),
            MotionFormat::Gltf => Some(OutputFormat::Gltf),
            MotionFormat::Fbx => Some(OutputFormat::Fbx),
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
    /// The name of the motion inside the file. Default: the file's own, without its ending; a take keeps the motion's.
    #[serde(default)]
    pub name: Option<String>,
    /// Leave out the meshes of the character, or our own body: skeleton and animation alone.
    #[serde(default)]
    pub animation_only: bool,
    /// Let bones stretch in a glTF or FBX, where the motion does. Default: bones keep their lengths, as humanoid rigs want.
    #[serde(default)]
    pub stretch: bool,
    /// Where the travel is stored. Default: as the motion has it.
    #[serde(default)]
    pub root_motion: Option<RootMotionRequest>,
    /// The last frame is followed by the first: noted for engines, and for the root's path.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_loop: bool,
    /// Where the foot events go as JSON.
    #[serde(default)]
    pub write_events: Option<PathBuf>,
}

/// Where the travel of a motion is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RootMotionRequest {
    /// On a root on the ground below the body, with its heading.
    Ground,
    /// Nowhere: the body stays at the origin, and the speed is reported.
    InPlace,
    /// On the hips; a root above them stays at rest.
    Hips,
}

impl From<RootMotionRequest> for RootMotion {
    fn from(request: RootMotionRequest) -> RootMotion {
        match request {
            RootMotionRequest::Ground => RootMotion::Ground,
            RootMotionRequest::InPlace => RootMotion::InPlace,
            RootMotionRequest::Hips => RootMotion::Hips,
        }
    }
}

impl MotionOutput {
    /// A file whose ending is its format.
    pub fn new(file: impl Into<PathBuf>) -> MotionOutput {
        MotionOutput { file: file.into(), ..MotionOutput::default() }
    }

    /// The format, or an error with what would be right.
    pub fn format(&self) -> Result<MotionFormat, JobError> {
        let ending = || self.file.extension().and_then(|ending| ending.to_str());
        let by_ending = || match is_standard_stream(&self.file) {
            true => Some(MotionFormat::Take),
            false => ending().and_then(MotionFormat::from_ending),
        };
        self.format.or_else(by_ending).ok_or_else(|| {
            let message = "the ending names no motion format; .bvh, .glb, .gltf, .fbx or .take would, or --to";
            JobError::of_file("usage", &self.file, message)
        })
    }

    /// Whether bones are to keep their lengths: in formats that rigs are kept in, unless stretch is asked for.
    pub fn keeps_bone_lengths(&self) -> Result<bool, JobError> {
        Ok(self.format()?.holds_rigs() && !self.stretch)
    }

    /// All files that a job writes: the motion, and what else is asked for.
    pub(crate) fn paths_with<'a>(&'a self, more: &[&'a Option<PathBuf>]) -> Vec<&'a Path> {
        let events = self.write_events.iter();
        std::iter::once(&self.file).chain(events).chain(more.iter().copied().flatten()).map(PathBuf::as_path).collect()
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

    /// Adds the motion to the outputs of a job. `like` is the motion whose skeleton it has; if that came from a character's
    /// glTF, a glTF is that file with the motion in it.
    pub fn add_to(
        &self,
        outputs: &mut Outputs,
        (clip, body, contacts): (&Clip, Option<&BodyMap>, &Contacts),
        like: &Import,
    ) -> Result<MotionReport, JobError> {
        let options = ConvertOptions { bvh_channels: like.bvh_channels.as_deref(), ..ConvertOptions::default() };
        self.add_converted(outputs, (clip, body, body.map(|_| contacts)), like, &options)
    }

    /// [`MotionOutput::add_to`] with options of the format; those that are ours to choose are chosen here.
    pub fn add_converted(
        &self,
        outputs: &mut Outputs,
        (clip, body, contacts): (&Clip, Option<&BodyMap>, Option<&Contacts>),
        like: &Import,
        options: &ConvertOptions<'_>,
    ) -> Result<MotionReport, JobError> {
        let format = self.format()?;
        let ready = self.prepare((clip, body, contacts), format)?;
        let PreparedMotion { clip, body, contacts, playback, mut notes } = ready;
        if let Some(events) = &self.write_events {
            let planted = contacts.as_ref().ok_or_else(|| {
                JobError::of_file("usage", events, "events need foot contacts, and the motion has no body with feet")
            })?;
            outputs.add("events", events, own::write_events(&clip, planted, &playback).into_bytes());
        }
        let converted = match format.as_file() {
            None => {
                // Feet of a body in place slide by design; plants with a place would be wrong.
                let contacts = contacts.filter(|_| playback.root_motion != Some(RootMotion::InPlace.name()));
                let body = body.map_or_else(|| like.body.clone(), Ok);
                let contacts = contacts.filter(|_| body.is_ok());
                as_take(&Import { clip: clip.clone(), body, contacts, ..like.clone() })
            }
            Some(format) => {
                let mesh = like.character.as_deref().filter(|_| !self.animation_only);
                let (kept, left_out) = match (mesh, format) {
                    (None, _) | (_, OutputFormat::Bvh) => (None, None),
                    (Some(file), OutputFormat::Glb | OutputFormat::Gltf) if !ends_in(file, "fbx") => (Some(file), None),
                    (Some(file), _) => (None, Some(file)),
                };
                if let Some(file) = left_out {
                    notes.push(format!(
                        "the meshes of {} are left out, a body of our own is in their place: only a glTF character that is \
                         written as .glb or .gltf keeps its meshes",
                        file.display()
                    ));
                }
                let character = kept.map(|file| CharacterTarget {
                    file,
                    assumed: &like.assumed,
                    folder: (!is_standard_stream(&self.file)).then(|| self.file.parent().unwrap_or(Path::new(""))),
                });
                let bvh_channels = options.bvh_channels.filter(|channels| channels.len() == clip.skeleton.n_joints());
                let body_mesh = if self.animation_only { BodyMesh::Without } else { options.body_mesh };
                let options = ConvertOptions { bvh_channels, body_mesh, playback, character, ..options.clone() };
                convert(&clip, body.as_ref(), contacts.as_ref(), format, &options)
                    .map_err(|error| JobError::of_file("output", &self.file, error.to_string()))?
            }
        };
        notes.extend(converted.notes);
        let report = MotionReport {
            output: self.file.display().to_string(),
            frames: clip.n_frames(),
            frame_rate: clip.frame_rate,
            bytes: converted.content.n_bytes(),
            convention: converted.convention,
            widened: converted.widened,
            name: clip.name.clone(),
            speed_m_s: playback.speed,
            notes,
        };
        outputs.add("motion", &self.file, converted.content);
        Ok(report)
    }

    /// Name, root and bones as they are to be written.
    fn prepare(
        &self,
        (clip, body, contacts): (&Clip, Option<&BodyMap>, Option<&Contacts>),
        format: MotionFormat,
    ) -> Result<PreparedMotion, JobError> {
        // A take is passed on as it is; files for other programs are named as they are called.
        let has_own_name = format == MotionFormat::Take || is_standard_stream(&self.file);
        let stem = self.file.file_stem().filter(|_| !has_own_name);
        let name = self.name.clone().or_else(|| stem.map(|stem| stem.to_string_lossy().into_owned()));
        let mut ready = PreparedMotion {
            clip: name.map_or_else(|| clip.clone(), |name| clip.clone().with_name(name)),
            body: body.cloned(),
            contacts: contacts.cloned(),
            playback: Playback { is_loop: self.is_loop, ..Playback::default() },
            notes: Vec::new(),
        };
        if let Some(mode) = self.root_motion {
            let body = body.ok_or_else(|| {
                JobError::of_file("usage", &self.file, "--root-motion needs a body, and none was found in the motion")
            })?;
            let none = Contacts::none(clip.n_frames());
            let rooted = root_motion(&ready.clip, body, contacts.unwrap_or(&none), mode.into(), self.is_loop);
            ready.playback.root_motion = Some(RootMotion::from(mode).name());
            ready.playback.speed = Some(rooted.speed);
            if mode == RootMotionRequest::InPlace {
                let turn = rooted.turn.to_degrees();
                let turn = if turn.abs() > 0.5 { format!(", turning at {turn:.1} degrees/s") } else { String::new() };
                ready.notes.push(format!("in place: move it at {:.3} m/s on average{turn}", rooted.speed));
            }
            if rooted.added_root {
                ready.notes.push(format!("`{}` was added above the hips", rooted.clip.skeleton.joints()[0].name));
            }
            (ready.clip, ready.body) = (rooted.clip, Some(rooted.body));
        }
        if let Some(body) = ready.body.as_ref().filter(|_| format.holds_rigs() && !self.stretch) {
            let rigid = rigid_bones(&ready.clip, body);
            if let Some(moved) = rigid.farthest.filter(|moved| moved.distance > NOTEWORTHY) {
                ready.notes.push(format!(
                    "bones keep their lengths, which moves `{}` by up to {:.1} mm (frame {}); --stretch lets them stretch",
                    rigid.clip.skeleton.name(moved.joint),
                    moved.distance * 1000.0,
                    moved.frame
                ));
            }
            ready.clip = rigid.clip;
        }
        Ok(ready)
    }

    /// Adds a motion that was made, not read.
    pub fn add_made(&self, outputs: &mut Outputs, take: &Take) -> Result<MotionReport, JobError> {
        let made = Import::of_made(take.clone());
        self.add_to(outputs, (&take.clip, Some(&take.body), &take.contacts), &made)
    }
}

fn ends_in(file: &Path, ending: &str) -> bool {
    file.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

/// Joints that moved farther than this are worth a note, in metres.
const NOTEWORTHY: f64 = 1e-4;

/// A motion as it is to be written.
struct PreparedMotion {
    clip: Clip,
    body: Option<BodyMap>,
    contacts: Option<Contacts>,
    playback: Playback,
    notes: Vec<String>,
}

/// A motion for another job of ours.
pub fn as_take(import: &Import) -> Converted {
    let convention = format!("a take, {} fps", import.clip.frame_rate);
    Converted { content: own::write_take(import).into(), notes: Vec::new(), convention, widened: Vec::new() }
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
    /// The name of the motion inside the file.
    #[serde(default)]
    pub name: String,
    /// Mean speed over the ground, where the travel was put on a root or taken out.
    #[serde(default)]
    pub speed_m_s: Option<f64>,
    /// What a user should know, in sentences.
    #[serde(default)]
    pub notes: Vec<String>,
}
