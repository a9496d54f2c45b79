//! The built-in corpus: procedural walks that together hold every kind of step, for step databases that need no recording.
//!
//! Its takes are plans of ours, followed by the gait engine ([`GaitSynthesizer`](super::GaitSynthesizer)), so their contacts are exact and nothing is
//! stored: the same takes are made again each time. Two kinds of walks:
//!
//! - Steady ones, as a director would ask an actor for: forward at several lengths and paces, curves and turns, to the sides
//!   and backward, starts and stops, wide and narrow.
//! - Mixed ones, whose footprints fill what is left: places relative to the standing foot from a low-discrepancy sequence over
//!   the ellipse that a leg reaches, so that every start is followed by every kind of end. Each comes with its mirror image.
//!
//! That is what a database of steps asks for whose parameters are where the swinging foot starts and ends, seen
//! from the standing one (STRIDE 3.2), and which cannot reach beyond its longest and shortest steps (STRIDE 4.3).
//!
//! A second group climbs: stairs of several heights and depths, slopes, kerbs, uneven ground. A third, which does not belong into a database of walking
//! steps, lifts its knees, runs, changes between walking and running, jumps and hops.
//!
//! Everything is in proportion to the legs: lengths below are those of our figure of 1.8 m.

mod climbs;
mod jumps;
mod script;
mod spread_steps;
#[cfg(test)]
mod tests;
mod trail;

use super::equations::DEFAULT_HEIGHT;
use super::{Rig, RigError};
use script::{Part, Script};
use std::sync::Arc;
use surefoot_contact::{FootPlan, Take};
use surefoot_geom::{Range, map_in_parallel};
use surefoot_ground::Terrain;
use surefoot_motion::{BodyMap, PersonError, PersonOptions, Poses, Skeleton, person};
use surefoot_plan::StepError;

/// What to make it of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorpusOptions {
    /// Of our own figure, in metres, 0.5 to 2.5. Default 1.8.
    pub height: f64,
    /// Frames a second, 1 to 240: a quarter of an hour of motion is kept in memory. Default 60.
    pub frame_rate: f64,
}

impl Default for CorpusOptions {
    fn default() -> CorpusOptions {
        CorpusOptions { height: DEFAULT_HEIGHT, frame_rate: 60.0 }
    }
}

/// The takes, all of one figure.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// Of the figure.
    pub skeleton: Arc<Skeleton>,
    /// Which joint of it is which, with the soles that are planted on the footprints.
    pub body: BodyMap,
    /// Level walks first. Names are unique.
    pub takes: Vec<CorpusTake>,
}

impl Corpus {
    /// The takes for a database of walking steps: without flight, on level ground first, then up and down.
    pub fn walks(&self) -> impl Iterator<Item = &CorpusTake> {
        self.takes.iter().filter(|take| take.kind.is_walk())
    }
}

/// A take, and what it was made from.
#[derive(Clone, Debug)]
pub struct CorpusTake {
    /// Lower-case letters, digits, `-` and `.`: fit for a file.
    pub name: String,
    /// What it shows, in a few words.
    pub what: String,
    /// What kind of motion it is.
    pub kind: CorpusKind,
    /// The motion with its plants.
    pub take: Take,
    /// The footprints that it is planted on.
    pub plan: FootPlan,
    /// The ground; `None` where it is level at 0.
    pub terrain: Option<Terrain>,
}

/// Kinds of takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CorpusKind {
    /// Straight on.
    Forward,
    /// A turn with each step.
    Curve,
    /// Sharp turns, in a walk or on the spot.
    Turn,
    /// To a side, or aslant.
    Side,
    /// Backward.
    Back,
    /// Again and again from standing to standing.
    StartStop,
    /// Feet far apart.
    Wide,
    /// Feet on a line.
    Narrow,
    /// Feet across each other, to a side or in a turn.
    Cross,
    /// Every step another.
    Mixed,
    /// High knees.
    HighSteps,
    /// Running.
    Run,
    /// From walking to running and back.
    WalkRun,
    /// Up and down stairs.
    Stairs,
    /// Up and down slopes.
    Slope,
    /// Onto a kerb and down again.
    Kerb,
    /// Every step to another height.
    Uneven,
    /// Jumps of every pattern.
    Jump,
    /// Hops on one foot.
    Hop,
}

impl CorpusKind {
    /// All of them, in the corpus's order.
    pub const ALL: [CorpusKind; 19] = [
        CorpusKind::Forward,
        CorpusKind::Curve,
        CorpusKind::Turn,
        CorpusKind::Side,
        CorpusKind::Back,
        CorpusKind::StartStop,
        CorpusKind::Wide,
        CorpusKind::Narrow,
        CorpusKind::Cross,
        CorpusKind::Mixed,
        CorpusKind::HighSteps,
        CorpusKind::Run,
        CorpusKind::WalkRun,
        CorpusKind::Stairs,
        CorpusKind::Slope,
        CorpusKind::Kerb,
        CorpusKind::Uneven,
        CorpusKind::Jump,
        CorpusKind::Hop,
    ];

    /// As users read it.
    pub fn name(self) -> &'static str {
        match self {
            CorpusKind::Forward => "forward",
            CorpusKind::Curve => "curve",
            CorpusKind::Turn => "turn",
            CorpusKind::Side => "side",
            CorpusKind::Back => "back",
            CorpusKind::StartStop => "start-stop",
            CorpusKind::Wide => "wide",
            CorpusKind::Narrow => "narrow",
            CorpusKind::Cross => "cross",
            CorpusKind::Mixed => "mixed",
            CorpusKind::HighSteps => "high-steps",
            CorpusKind::Run => "run",
            CorpusKind::WalkRun => "walk-run",
            CorpusKind::Stairs => "stairs",
            CorpusKind::Slope => "slope",
            CorpusKind::Kerb => "kerb",
            CorpusKind::Uneven => "uneven",
            CorpusKind::Jump => "jump",
            CorpusKind::Hop => "hop",
        }
    }

    /// Whether its steps belong into a database of walking steps: natural walking, up and down too.
    pub fn is_walk(self) -> bool {
        use CorpusKind::{HighSteps, Hop, Jump, Run, WalkRun};
        !matches!(self, HighSteps | Run | WalkRun | Jump | Hop)
    }

    /// Its place in the corpus: level walks, other gaits, climbs, jumps.
    fn group(self) -> usize {
        match self {
            CorpusKind::HighSteps | CorpusKind::Run | CorpusKind::WalkRun => 1,
            CorpusKind::Jump | CorpusKind::Hop => 3,
            _ if self.is_level_walk() => 0,
            _ => 2,
        }
    }

    /// Whether it is natural walking on level ground.
    pub fn is_level_walk(self) -> bool {
        self.is_walk()
            && !matches!(self, CorpusKind::Stairs | CorpusKind::Slope | CorpusKind::Kerb | CorpusKind::Uneven)
    }
}

/// Why there is no corpus.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CorpusError {
    /// No person is built so.
    #[error(transparent)]
    Person(#[from] PersonError),
    /// The skeleton cannot be driven.
    #[error(transparent)]
    Rig(#[from] RigError),
    /// Too few or too many frames.
    #[error("a corpus has from {} to {} frames a second, not {value}", FRAME_RATES.min, FRAME_RATES.max)]
    FrameRate {
        /// As asked for.
        value: f64,
    },
    /// A take cannot be made: a skeleton whose hips or feet are far from a person's.
    #[error("{take}: {error}")]
    Step {
        /// Its name.
        take: String,
        /// Why.
        error: StepError,
    },
}

/// Frames a second that there may be.
const FRAME_RATES: Range = Range { min: 1.0, max: 240.0 };

/// The corpus of our own figure.
pub fn corpus(options: &CorpusOptions) -> Result<Corpus, CorpusError> {
    let (skeleton, rig) = figure(options)?;
    corpus_on(skeleton, &rig, options.frame_rate)
}

/// Its walks alone ([`CorpusKind::is_walk`]), which are all that a step database takes.
pub fn corpus_walks(options: &CorpusOptions) -> Result<Corpus, CorpusError> {
    let (skeleton, rig) = figure(options)?;
    play(skeleton, &rig, options.frame_rate, CorpusKind::is_walk)
}

/// Corpus walks with all that is missing, as [`corpus`] makes it of the same options.
pub fn complete_corpus(mut walks: Corpus, options: &CorpusOptions) -> Result<Corpus, CorpusError> {
    let (skeleton, rig) = figure(options)?;
    let rest = play(skeleton, &rig, options.frame_rate, |kind| !kind.is_walk())?;
    walks.takes.extend(rest.takes);
    walks.takes.sort_by_key(|take| take.kind.group());
    Ok(walks)
}

fn figure(options: &CorpusOptions) -> Result<(Arc<Skeleton>, Rig), CorpusError> {
    let (skeleton, body) = person(&PersonOptions::with_height(options.height))?;
    let rig = Rig::new(&skeleton, &body, &Poses::default())?;
    Ok((Arc::new(skeleton), rig))
}

/// The corpus of any rig; steps are as long as its legs let them be.
pub fn corpus_on(skeleton: Arc<Skeleton>, rig: &Rig, frame_rate: f64) -> Result<Corpus, CorpusError> {
    play(skeleton, rig, frame_rate, |_| true)
}

/// The takes of some kinds, which know nothing of each other.
fn play(
    skeleton: Arc<Skeleton>,
    rig: &Rig,
    frame_rate: f64,
    is_wanted: impl Fn(CorpusKind) -> bool,
) -> Result<Corpus, CorpusError> {
    if !FRAME_RATES.contains(frame_rate) {
        return Err(CorpusError::FrameRate { value: frame_rate });
    }
    let parts: Vec<Part> = Script::new(rig).parts().into_iter().filter(|part| is_wanted(part.kind)).collect();
    let shared = Arc::new(rig.clone());
    let takes = map_in_parallel(&parts, |part| part.play(&skeleton, &shared, frame_rate));
    let takes = takes.into_iter().collect::<Result<_, _>>()?;
    Ok(Corpus { skeleton, body: rig.body().clone(), takes })
}
