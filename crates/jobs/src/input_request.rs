//! Which motion to read and what the caller knows better than its file: the serialisable form of [`LoadOptions`].

use crate::job_error::JobError;
use crate::load::{LoadOptions, load, load_contacts};
use crate::load_terrain::load_terrain;
use crate::motion_source::ContactsSource;
use crate::request_limits::check_range;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_contact::Contacts;
use surefoot_formats::{AnimationChoice, DeclaredRate, FirstFrames, FloorChoice, Import, ImportOptions};
use surefoot_geom::Axis;
use surefoot_ground::{MAX_HEIGHT, Terrain};
use surefoot_motion::FRAME_RATES;

/// A motion file, and what overrides each guess about it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputRequest {
    /// The file; `-` is standard input.
    pub file: PathBuf,
    /// How to read it.
    #[serde(default)]
    pub read: ReadRequest,
    /// Its foot contacts. Default: those that the motion's file carries; where a job needs some, else as detected.
    #[serde(default)]
    pub contacts: Option<PathBuf>,
}

impl InputRequest {
    /// A file read with defaults.
    pub fn new(file: impl Into<PathBuf>) -> InputRequest {
        InputRequest { file: file.into(), ..InputRequest::default() }
    }

    /// The files that it names.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let more = [&self.contacts, &self.read.body, &self.read.asf];
        std::iter::once(&self.file).chain(more.into_iter().flatten()).map(PathBuf::as_path)
    }

    /// Reads the motion.
    pub fn load(&self) -> Result<Import, JobError> {
        self.read.load(&self.file)
    }

    /// Reads the motion, and its contacts: of a file of their own, or those that the motion's file carries.
    pub fn load_with_contacts(&self) -> Result<(Import, Option<(Contacts, ContactsSource)>), JobError> {
        let import = self.load()?;
        let contacts = match &self.contacts {
            Some(contacts) => Some((load_contacts(contacts, &import)?, ContactsSource::Given)),
            None => import.contacts.clone().map(|contacts| (contacts, ContactsSource::File)),
        };
        Ok((import, contacts))
    }
}

/// What the caller knows better than a file. The default guesses everything and reports it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadRequest {
    /// Metres per unit of the file. Default: by the length of the legs.
    pub unit_to_metre: Option<f64>,
    /// The axis that points up: `Y`, `-Z`. Default: by posture.
    pub up: Option<AxisName>,
    /// Frames per second that the recording was really made at; its frames stay. Default: as declared.
    pub source_rate: Option<f64>,
    /// Rate to sample a glTF or FBX animation at. Default: that of its keys.
    pub sample_rate: Option<f64>,
    /// Keep an artificial T-pose in frame 0 and frames of zeros after it.
    pub keep_first: bool,
    /// What to do with the floor's height.
    pub floor: FloorRequest,
    /// A body map that overrides the one found.
    pub body: Option<PathBuf>,
    /// Skeleton of an AMC. Default: found beside it, by the subject's number.
    pub asf: Option<PathBuf>,
    /// Which of several animations, by name or by number from 0. Default: the first.
    pub animation: Option<String>,
}

/// What to do with the floor's height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FloorRequest {
    /// Leave the motion where it is.
    #[default]
    Keep,
    /// Move the motion so that the estimated floor is at 0.
    Auto,
    /// The floor is at this height, in metres; move the motion so that it is at 0.
    At(f64),
}

/// An axis by its name: `X`, `-Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AxisName(pub Axis);

impl TryFrom<String> for AxisName {
    type Error = String;

    fn try_from(name: String) -> Result<AxisName, String> {
        name.parse().map(AxisName)
    }
}

impl From<AxisName> for String {
    fn from(AxisName(axis): AxisName) -> String {
        axis.name().to_string()
    }
}

impl ReadRequest {
    /// Reads a motion file.
    pub fn load(&self, file: &Path) -> Result<Import, JobError> {
        Ok(load(file, &self.checked_options()?)?)
    }

    /// What the loader takes, if all numbers are in range.
    pub fn checked_options(&self) -> Result<LoadOptions, JobError> {
        check_range("unit_to_metre", self.unit_to_metre, 1e-9..=1e9)?;
        check_range("source_rate", self.source_rate, FRAME_RATES)?;
        check_range("sample_rate", self.sample_rate, FRAME_RATES)?;
        if let FloorRequest::At(height) = self.floor {
            check_range("floor", Some(height), -MAX_HEIGHT..=MAX_HEIGHT)?;
        }
        Ok(self.options())
    }

    /// What the loader takes.
    pub fn options(&self) -> LoadOptions {
        let animation = self.animation.as_ref().map(|choice| match choice.parse() {
            Ok(index) => AnimationChoice::Index(index),
            Err(_) => AnimationChoice::Name(choice.clone()),
        });
        LoadOptions {
            asf: self.asf.clone(),
            animation,
            sample_rate: self.sample_rate,
            body: self.body.clone(),
            import: ImportOptions {
                unit_to_metre: self.unit_to_metre,
                up: self.up.map(|AxisName(axis)| axis),
                frame_rate: self.source_rate,
                declared_rate: DeclaredRate::Keep,
                first_frames: if self.keep_first { FirstFrames::Keep } else { FirstFrames::DropArtificial },
                floor: self.floor.into(),
                body_file: None,
            },
        }
    }
}

impl From<FloorRequest> for FloorChoice {
    fn from(floor: FloorRequest) -> FloorChoice {
        match floor {
            FloorRequest::Keep => FloorChoice::Keep,
            FloorRequest::Auto => FloorChoice::ToZero,
            FloorRequest::At(height) => FloorChoice::At(height),
        }
    }
}

/// The ground that a request names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TerrainRequest {
    /// A level floor at a height in metres.
    Flat(f64),
    /// A terrain file.
    File(PathBuf),
}

impl TerrainRequest {
    /// Its file, if it has one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            TerrainRequest::Flat(_) => None,
            TerrainRequest::File(path) => Some(path),
        }
    }

    /// The ground.
    pub fn load(&self) -> Result<Terrain, JobError> {
        match self {
            TerrainRequest::Flat(height) => {
                check_range("terrain", Some(*height), -MAX_HEIGHT..=MAX_HEIGHT)?;
                Ok(Terrain::flat(*height))
            }
            TerrainRequest::File(path) => Ok(load_terrain(path)?),
        }
    }
}
