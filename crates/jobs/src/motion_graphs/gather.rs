//! Clips of any people, files and frame rates brought to one skeleton and one rate, for a graph.
//!
//! 1. Each clip is placed on a floor at height 0, for blends mix heights: the floor that is found or given.
//! 2. A clip of another skeleton than the first one's is played by that skeleton ([`retarget`]).
//! 3. A clip of another frame rate is resampled.
//!
//! Each change is a sentence; a clip that cannot be used is left out with its name and the reason.

use crate::build_steps::take_names;
use crate::character::missing_parts;
use crate::job_error::JobError;
use crate::{LoadOptions, load};
use std::path::{Path, PathBuf};
use surefoot_cleanup::{Character, RetargetError, RetargetOptions, retarget};
use surefoot_contact::{Contacts, Take};
use surefoot_formats::{FloorChoice, ImportOptions, ReadError};
use surefoot_graph::MotionSet;
use surefoot_motion::{BodyError, BodyMap, Clip, EditError, FRAME_RATES, resample, skeleton_difference};

/// Frames a second of graphs, where nothing else is asked for: the paper's.
pub const GRAPH_FRAME_RATE: f64 = 30.0;

/// Most frames of a study, which keeps the distances of three metrics: they take 2.5 to 5 GB.
pub const MAX_EXPERIMENT_FRAMES: usize = 20_000;

/// A clip for a graph, as it was read.
#[derive(Clone, Debug)]
pub struct SourceMotion {
    /// In notes and tables; no other clip should have it.
    pub name: String,
    /// In metres, its floor at height 0.
    pub clip: Clip,
    /// Which joint is which, or why that is not known.
    pub body: Result<BodyMap, BodyError>,
}

/// Clips of one skeleton and one frame rate, and what was done for that.
#[derive(Clone, Debug)]
pub struct GatheredMotions {
    /// The clips.
    pub set: MotionSet,
    /// A sentence for each change, which begins with the clip's name.
    pub notes: Vec<String>,
    /// Clips that could not be used.
    pub left_out: Vec<LeftOut>,
}

/// A clip that could not be used.
#[derive(Clone, Debug)]
pub struct LeftOut {
    /// Its name, or the path of its file.
    pub name: String,
    /// Why.
    pub why: GatherError,
}

/// Why a clip, or all of them, could not be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GatherError {
    /// Its file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It has no motion.
    #[error("{name}: holds a skeleton but no motion; a clip has frames")]
    NoFrames {
        /// The clip.
        name: String,
    },
    /// Nobody knows its joints.
    #[error("{name}: no body was found in it: {source}")]
    Body {
        /// The clip.
        name: String,
        /// Why.
        source: BodyError,
    },
    /// It cannot be played by the first clip's skeleton.
    #[error("{name}: its skeleton is not that of {first}, and cannot be matched to it: {source}")]
    Retarget {
        /// The clip.
        name: String,
        /// The first clip.
        first: String,
        /// Why.
        source: RetargetError,
    },
    /// It cannot have that frame rate.
    #[error("{name}: {source}")]
    Rate {
        /// The clip.
        name: String,
        /// Why.
        source: EditError,
    },
    /// It is what a study tests on.
    #[error("{name}: a test path is taken from it, so graphs must not have it")]
    IsTest {
        /// The clip.
        name: String,
    },
    /// More than memory holds.
    #[error(
        "the clips have {n_frames} frames, which would all be compared with each other by each metric; at most \
         {MAX_EXPERIMENT_FRAMES} would do: take fewer clips"
    )]
    TooLarge {
        /// Of all clips.
        n_frames: usize,
    },
    /// No rate for clips.
    #[error("frame_rate: found {value}; {} to {} would be right", FRAME_RATES.start(), FRAME_RATES.end())]
    FrameRate {
        /// As given.
        value: f64,
    },
    /// There is nothing left.
    #[error("no clip could be used; the first: {first}")]
    NoClip {
        /// What was wrong with the first, in words.
        first: String,
    },
    /// The caller stopped it between two files.
    #[error(transparent)]
    Stopped(JobError),
}

impl From<GatherError> for JobError {
    fn from(error: GatherError) -> JobError {
        match error {
            GatherError::Read(error) => error.into(),
            GatherError::Stopped(error) => error,
            other => JobError::new("clips", other.to_string()),
        }
    }
}

/// Called before each file; an error stops the work.
pub(crate) type BeginFile<'a> = dyn FnMut(&Path) -> Result<(), JobError> + 'a;

/// Reads motion files of any formats and people, and gathers them. `progress` is called before each file.
pub fn load_motions(
    paths: &[PathBuf],
    options: &LoadOptions,
    frame_rate: f64,
    progress: &mut dyn FnMut(&Path),
) -> Result<GatheredMotions, GatherError> {
    load_motions_until(paths, options, frame_rate, &mut |path| {
        progress(path);
        Ok(())
    })
}

/// [`load_motions`], stopped where `begin` fails, which is called before each file.
pub(crate) fn load_motions_until(
    paths: &[PathBuf],
    options: &LoadOptions,
    frame_rate: f64,
    begin: &mut BeginFile<'_>,
) -> Result<GatheredMotions, GatherError> {
    check_rate(frame_rate)?;
    let reading = on_floor(options);
    let mut gathering = Gathering::new(frame_rate);
    for (path, name) in paths.iter().zip(take_names(paths)) {
        begin(path).map_err(GatherError::Stopped)?;
        match load(path, &reading) {
            Ok(import) => gathering.add(SourceMotion { name, clip: import.clip, body: import.body }),
            Err(error) => gathering.leave_out(path.display().to_string(), error.into()),
        }
    }
    gathering.finish()
}

/// Reads clips onto a floor at height 0: where the caller puts it, else where it is found.
pub(crate) fn on_floor(options: &LoadOptions) -> LoadOptions {
    let floor = match options.import.floor {
        FloorChoice::Keep => FloorChoice::ToZero,
        given => given,
    };
    LoadOptions { import: ImportOptions { floor, ..options.import.clone() }, ..options.clone() }
}

/// Brings clips to the skeleton of the first that can be used and to one frame rate.
pub fn gather_motions(clips: Vec<SourceMotion>, frame_rate: f64) -> Result<GatheredMotions, GatherError> {
    check_rate(frame_rate)?;
    let mut gathering = Gathering::new(frame_rate);
    clips.into_iter().for_each(|clip| gathering.add(clip));
    gathering.finish()
}

fn check_rate(value: f64) -> Result<(), GatherError> {
    if FRAME_RATES.contains(&value) { Ok(()) } else { Err(GatherError::FrameRate { value }) }
}

/// What has been gathered so far.
struct Gathering {
    frame_rate: f64,
    clips: Vec<Clip>,
    body: Option<BodyMap>,
    notes: Vec<String>,
    left_out: Vec<LeftOut>,
}

impl Gathering {
    fn new(frame_rate: f64) -> Gathering {
        Gathering { frame_rate, clips: Vec::new(), body: None, notes: Vec::new(), left_out: Vec::new() }
    }

    fn leave_out(&mut self, name: String, why: GatherError) {
        self.left_out.push(LeftOut { name, why });
    }

    fn add(&mut self, motion: SourceMotion) {
        let name = motion.name.clone();
        let n_notes = self.notes.len();
        if let Err(why) = self.take_in(motion) {
            self.notes.truncate(n_notes);
            self.leave_out(name, why);
        }
    }

    fn take_in(&mut self, motion: SourceMotion) -> Result<(), GatherError> {
        let SourceMotion { name, mut clip, body } = motion;
        clip.name.clone_from(&name);
        if clip.n_frames() == 0 {
            return Err(GatherError::NoFrames { name });
        }
        let body = body.map_err(|source| GatherError::Body { name: name.clone(), source })?;
        let (clip, body) = self.match_skeleton(clip, body)?;
        let clip = self.match_rate(clip)?;
        self.body.get_or_insert(body);
        self.clips.push(clip);
        Ok(())
    }

    fn match_skeleton(&mut self, mut clip: Clip, body: BodyMap) -> Result<(Clip, BodyMap), GatherError> {
        let (Some(first), Some(first_body)) = (self.clips.first(), &self.body) else { return Ok((clip, body)) };
        if skeleton_difference(&first.skeleton, &clip.skeleton).is_none() {
            clip.skeleton = first.skeleton.clone();
            return Ok((clip, first_body.clone()));
        }
        let character = Character { skeleton: &first.skeleton, body: first_body, poses: first.poses() };
        let options = RetargetOptions { floor: Some(0.0), ..RetargetOptions::default() };
        let name = clip.name.clone();
        let contacts = Contacts::none(clip.n_frames());
        let played = retarget(&Take { clip, body: body.clone(), contacts }, &character, &options)
            .map_err(|source| GatherError::Retarget { name: name.clone(), first: first.name.clone(), source })?;
        let missing = missing_parts(&body).map(|parts| format!("WARNING: no {parts} found in it, which does not move"));
        let how = played.notes.into_iter().chain(missing).collect::<Vec<_>>().join("; ");
        self.notes.push(format!("{name}: played by the skeleton of {}: {how}", first.name));
        Ok((played.take.clip.with_name(name), first_body.clone()))
    }

    fn match_rate(&mut self, clip: Clip) -> Result<Clip, GatherError> {
        if clip.frame_rate == self.frame_rate {
            return Ok(clip);
        }
        let resampled =
            resample(&clip, self.frame_rate).map_err(|source| GatherError::Rate { name: clip.name.clone(), source })?;
        self.notes.push(format!(
            "{}: resampled from {} to {} frames per second",
            clip.name, clip.frame_rate, self.frame_rate
        ));
        Ok(resampled)
    }

    fn finish(self) -> Result<GatheredMotions, GatherError> {
        let Gathering { clips, body, notes, left_out, .. } = self;
        let Some(body) = body else {
            let first = left_out.first().map_or("none was given".to_string(), |clip| clip.why.to_string());
            return Err(GatherError::NoClip { first });
        };
        let set = MotionSet::new(clips, body).expect("clips of one skeleton and one rate");
        Ok(GatheredMotions { set, notes, left_out })
    }
}
