//! Step databases as one call each: from motion files, from the built-in corpus, and as files (STRIDE chapter 4).

use crate::character::missing_parts;
use crate::job_error::JobError;
use crate::{LoadOptions, load};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot_cleanup::{Character, RetargetError, RetargetOptions, retarget};
use surefoot_compose::{FlightLibrary, flights_of_take, segment_behaviours};
use surefoot_contact::{DetectOptions, Take};
use surefoot_formats::{
    DeclaredRate, ErrorKind, FloorChoice, Import, ImportOptions, Overwrite, ReadError, Reason, WriteError, own,
    read_bytes, write_atomic,
};
use surefoot_gait::{Corpus, CorpusError, CorpusOptions, CorpusTake, corpus_walks};
use surefoot_motion::{BodyError, BodyMap, Poses, Skeleton};
use surefoot_steps::{BuildOptions, DatabaseError, Refusal, SegmentOptions, StepCollector, StepDatabase, TakeSteps};

/// How to build a database from motion files.
#[derive(Clone, Debug, Default)]
pub struct BuildStepsOptions {
    /// How to read the files. The floor is always put at 0.
    pub load: LoadOptions,
    /// Whether frame rates are kept as files declare them where the motion contradicts them. Default no: the likely rate is
    /// taken ([`DeclaredRate::Correct`]), for a clip at twice its speed spoils all blends.
    pub keep_rates: bool,
    /// The file whose skeleton all steps are brought to, of any format, with or without motion. Default: the first clip
    /// that can be used.
    pub skeleton: Option<PathBuf>,
    /// How to find out when feet are planted, in files without contacts.
    pub detect: DetectOptions,
    /// What counts as a step, and whether mirror images are added.
    pub build: BuildOptions,
}

impl BuildStepsOptions {
    /// How the files are read.
    pub(crate) fn reading(&self) -> LoadOptions {
        let declared_rate = if self.keep_rates { DeclaredRate::Keep } else { DeclaredRate::Correct };
        let import = ImportOptions { floor: FloorChoice::ToZero, declared_rate, ..self.load.import.clone() };
        LoadOptions { import, ..self.load.clone() }
    }
}

/// What became of one file.
#[derive(Clone, Debug)]
pub struct ClipSteps {
    /// As given.
    pub path: PathBuf,
    /// Frames per second that were taken instead of the declared ones.
    pub corrected_rate: Option<f64>,
    /// What of a body was not found in it and does not move in its steps: `arms and no head`.
    pub missing: Option<String>,
    /// Its steps and refusals, or why it could not be used.
    pub outcome: Result<TakeSteps, ClipError>,
}

/// Why a clip could not be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ClipError {
    /// It could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It has no motion.
    #[error("{}: holds a skeleton but no motion; a clip has frames", .path.display())]
    NoFrames {
        /// The file.
        path: PathBuf,
    },
    /// It could not be played by the common skeleton.
    #[error("{}: {error}", .path.display())]
    Retarget {
        /// The file.
        path: PathBuf,
        /// Why.
        error: RetargetError,
    },
}

/// A database, and where its steps come from.
#[derive(Clone, Debug)]
pub struct BuiltSteps {
    /// The steps.
    pub database: StepDatabase,
    /// Recorded runs, jumps and hops.
    pub flights: FlightLibrary,
    /// The file whose skeleton they have.
    pub skeleton: PathBuf,
    /// Each file, in the order given.
    pub clips: Vec<ClipSteps>,
}

impl BuiltSteps {
    /// Steps before mirroring.
    pub fn n_steps(&self) -> usize {
        self.used().map(|take| take.n_steps).sum()
    }

    /// Swings that are no steps, by reason.
    pub fn refused(&self) -> BTreeMap<Refusal, usize> {
        let mut all = BTreeMap::new();
        for (&reason, &count) in self.used().flat_map(|take| &take.refused) {
            *all.entry(reason).or_insert(0) += count;
        }
        all
    }

    /// Files that could not be used, with the reason.
    pub fn failed(&self) -> impl Iterator<Item = (&Path, &ClipError)> {
        self.clips.iter().filter_map(|clip| Some((clip.path.as_path(), clip.outcome.as_ref().err()?)))
    }

    fn used(&self) -> impl Iterator<Item = &TakeSteps> {
        self.clips.iter().filter_map(|clip| clip.outcome.as_ref().ok())
    }
}

/// Why there is no database.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BuildStepsError {
    /// The file whose skeleton was asked for is of no use.
    #[error(transparent)]
    Skeleton(ClipError),
    /// No file could be used.
    #[error("no clip could be used; the first: {}", .clips.first().map_or("none was given".to_string(), ToString::to_string))]
    NoClip {
        /// Why not, for each.
        clips: Vec<ClipError>,
    },
    /// The steps make no database.
    #[error("{error}")]
    Database {
        /// Why not.
        error: DatabaseError,
        /// What became of each file.
        clips: Vec<ClipSteps>,
    },
    /// The caller stopped it between two files.
    #[error(transparent)]
    Stopped(JobError),
}

/// The skeleton that all steps are brought to.
pub(crate) struct Common {
    pub(crate) skeleton: Arc<Skeleton>,
    pub(crate) body: BodyMap,
    pub(crate) poses: Poses,
}

/// Builds a database from motion files, of any formats and people.
///
/// 1. Each file is read, and its floor put at 0.
/// 2. Where its feet are planted is detected, unless it has contacts.
/// 3. It is retargeted to the common skeleton, unless it is of the same.
/// 4. Its steps are cut out, brought to normal form and collected.
///
/// `progress` is called before each file. Files that cannot be used are listed in the result and left out.
pub fn build_steps(
    paths: &[PathBuf],
    options: &BuildStepsOptions,
    progress: &mut dyn FnMut(&Path),
) -> Result<BuiltSteps, BuildStepsError> {
    build_steps_until(paths, options, &mut |path| {
        progress(path);
        Ok(())
    })
}

/// [`build_steps`], stopped where `begin` fails, which is called before each file.
pub(crate) fn build_steps_until(
    paths: &[PathBuf],
    options: &BuildStepsOptions,
    begin: &mut dyn FnMut(&Path) -> Result<(), JobError>,
) -> Result<BuiltSteps, BuildStepsError> {
    let reading = options.reading();
    let mut common = match &options.skeleton {
        Some(path) => Some(read_skeleton(path, &reading).map_err(BuildStepsError::Skeleton)?),
        None => None,
    };
    let mut skeleton = options.skeleton.clone();
    let mut collector: Option<StepCollector> = None;
    let (mut clips, mut flights) = (Vec::new(), Vec::new());
    for (path, name) in paths.iter().zip(take_names(paths)) {
        begin(path).map_err(BuildStepsError::Stopped)?;
        let (mut corrected_rate, mut missing) = (None, None);
        let played = read_take(path, &reading, &options.detect).and_then(|read| {
            corrected_rate = read.corrected_rate;
            missing = missing_parts(&read.take.body);
            play(path, read.take, &mut common)
        });
        let outcome = played.map(|take| {
            let new = || StepCollector::new(take.clip.skeleton.clone(), take.body.clone(), &take, options.build);
            skeleton.get_or_insert_with(|| path.clone());
            let collector = collector.get_or_insert_with(new);
            flights.extend(flights_of_take(collector.body(), &name, &take, &segment_behaviours(&take)));
            collector.add(&name, &take).clone()
        });
        clips.push(ClipSteps { path: path.clone(), corrected_rate, missing, outcome });
    }
    let (Some(collector), Some(skeleton)) = (collector, skeleton) else {
        let clips = clips.into_iter().filter_map(|clip| clip.outcome.err()).collect();
        return Err(BuildStepsError::NoClip { clips });
    };
    match collector.finish() {
        Ok(database) => {
            let flights = FlightLibrary::of_sound(flights, database.body().others().len());
            Ok(BuiltSteps { database, flights, skeleton, clips })
        }
        Err(error) => Err(BuildStepsError::Database { error, clips }),
    }
}

fn body_of(path: &Path, import: &Import) -> Result<BodyMap, ClipError> {
    Ok(import.body.clone().map_err(|error| no_body(path, &error))?)
}

fn no_body(path: &Path, error: &BodyError) -> ReadError {
    ReadError::new(ErrorKind::Body, format!("no body was found in it: {error}")).in_file(path)
}

pub(crate) fn read_skeleton(path: &Path, reading: &LoadOptions) -> Result<Common, ClipError> {
    let import = load(path, reading)?;
    let body = body_of(path, &import)?;
    Ok(Common { skeleton: import.clip.skeleton.clone(), body, poses: import.clip.into_poses() })
}

/// A take as it was read.
pub(crate) struct ReadTake {
    pub(crate) take: Take,
    /// Frames per second that were taken instead of the declared ones.
    pub(crate) corrected_rate: Option<f64>,
}

pub(crate) fn read_take(path: &Path, reading: &LoadOptions, detect: &DetectOptions) -> Result<ReadTake, ClipError> {
    let import = load(path, reading)?;
    let corrected_rate = (import.assumed.rate_reason == Reason::Found).then_some(import.clip.frame_rate);
    let take = import.into_take(detect).map_err(|error| no_body(path, &error))?.take;
    if take.clip.n_frames() == 0 {
        return Err(ClipError::NoFrames { path: path.to_path_buf() });
    }
    Ok(ReadTake { take, corrected_rate })
}

/// The take on the common skeleton, which is that of the first one if none was given.
pub(crate) fn play(path: &Path, take: Take, common: &mut Option<Common>) -> Result<Take, ClipError> {
    let Some(to) = common else {
        let (skeleton, poses) = (take.clip.skeleton.clone(), take.clip.poses().clone());
        *common = Some(Common { skeleton, body: take.body.clone(), poses });
        return Ok(take);
    };
    if take.clip.skeleton == to.skeleton && take.body == to.body {
        return Ok(take);
    }
    let character = Character { skeleton: &to.skeleton, body: &to.body, poses: &to.poses };
    let options = RetargetOptions { floor: Some(0.0), ..RetargetOptions::default() };
    let played = retarget(&take, &character, &options)
        .map_err(|error| ClipError::Retarget { path: path.to_path_buf(), error })?;
    if to.poses.is_empty() {
        // A skeleton without motion has its soles fitted to the first motion that it plays, and keeps them.
        to.body = played.take.body.clone();
        to.poses = played.take.clip.poses().clone();
    }
    Ok(played.take)
}

/// A name for each file: as short as it can be while no two are alike, and without the folders that only one machine
/// has.
pub(crate) fn take_names(paths: &[PathBuf]) -> Vec<String> {
    let last = |path: &Path, n: usize| {
        let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        parts[parts.len().saturating_sub(n)..].join("/")
    };
    let stem = |path: &PathBuf| path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let longest = paths.iter().map(|path| path.components().count()).max().unwrap_or(0);
    let name = |path: &PathBuf| {
        let others = || paths.iter().filter(|other| *other != path);
        if others().all(|other| stem(other) != stem(path)) {
            return stem(path);
        }
        let is_own = |name: &String, n: usize| others().all(|other| last(other, n) != *name);
        let longer = (1..longest).map(|n| (last(path, n), n)).find(|(name, n)| is_own(name, *n));
        longer.map_or_else(|| last(path, longest), |(name, _)| name)
    };
    paths.iter().map(name).collect()
}

/// The database of the built-in corpus: its walks, on level ground and up and down.
pub fn corpus_steps(options: &CorpusOptions) -> Result<StepDatabase, CorpusError> {
    corpus_walks(options).map(|made| steps_of_corpus(&made))
}

/// The same of a corpus that is made already.
pub(crate) fn steps_of_corpus(made: &Corpus) -> StepDatabase {
    let typical = &made.walks().next().expect("the corpus has walks").take;
    // Its contacts are exact, so that every slope is one.
    let segment = SegmentOptions { level: 0.0, ..SegmentOptions::default() };
    // On the level it walks to both sides alike; of climbs it has one side or the other.
    let options = |mirror: bool| BuildOptions { mirror, segment, ..BuildOptions::default() };
    let mut collector = StepCollector::new(made.skeleton.clone(), made.body.clone(), typical, options(false));
    let named: Vec<(String, &CorpusTake)> = made.walks().map(|take| (corpus_take(&take.name), take)).collect();
    let takes = |of_level: bool| -> Vec<(&str, &Take)> {
        let wanted = named.iter().filter(|(_, take)| take.kind.is_level_walk() == of_level);
        wanted.map(|(name, take)| (&**name, &take.take)).collect()
    };
    collector.add_all(&takes(true), |_| true);
    // The steps between stairs are careful ones, and walks on the level show those better.
    collector = collector.with_options(options(true));
    collector.add_all(&takes(false), |step| !step.is_level());
    collector.finish().expect("the corpus has steps of both feet")
}

/// The name of a corpus's take in its database, where one person walks all of them.
pub(crate) fn corpus_take(name: &str) -> String {
    format!("corpus-{name}")
}

/// Reads a step database.
pub fn load_steps(path: &Path) -> Result<StepDatabase, ReadError> {
    Ok(load_steps_and_flights(path)?.0)
}

/// Reads a step database and the recorded flights in it.
pub(crate) fn load_steps_and_flights(path: &Path) -> Result<(StepDatabase, FlightLibrary), ReadError> {
    own::read_steps_and_flights(&read_bytes(path)?).map_err(|error| error.in_file(path))
}

/// Writes a step database with the flights of its recordings, completely or not at all.
pub fn save_steps(path: &Path, built: &BuiltSteps, overwrite: Overwrite) -> Result<(), WriteError> {
    write_atomic(path, &own::write_steps_and_flights(&built.database, &built.flights), overwrite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_have_short_names_of_their_own() {
        let names = |paths: &[&str]| take_names(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(names(&["a/b/walk.bvh", "a/c/run.bvh"]), ["walk", "run"]);
        assert_eq!(names(&["a/b/walk.bvh", "a/b/walk.amc", "x.bvh"]), ["walk.bvh", "walk.amc", "x"]);
        assert_eq!(names(&["a/b/walk.bvh", "a/c/walk.bvh"]), ["b/walk.bvh", "c/walk.bvh"]);
    }
}
