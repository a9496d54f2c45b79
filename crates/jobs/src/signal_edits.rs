//! Edits of clips as signals, as one call: joints found by their words, other clips brought onto the same skeleton,
//! contacts taken along, one edit after another.
//!
//! Edits that leave time as it is leave the contacts as they are too: they give where the feet were planted before anything
//! was edited, which is what keeping plants holds them to. Edits of time take them along
//! ([`surefoot_signal::retime_contacts`]).

use crate::signal_charts::charts_of;
use crate::signal_tools::{apply_tool, selection_of};
use crate::{LoadOptions, load};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot_contact::{Contacts, DetectOptions, measure_placement};
use surefoot_formats::{Import, ReadError};
use surefoot_motion::{BodyMap, Clip};
use surefoot_picture::Chart;
use surefoot_signal::{Curves, Edit, Shape, SignalClip, TimeWarp, band_ranges};

/// A motion that was read, to be edited or to edit with: with the contacts of its file, or as detected.
pub fn signal_clip(import: &Import) -> SignalClip {
    match import.clone().into_take(&DetectOptions::default()) {
        Ok(imported) => imported.take.into(),
        Err(_) => {
            let clip = import.clip.clone();
            let contacts = import.contacts.clone().unwrap_or_else(|| Contacts::none(clip.n_frames()));
            SignalClip { clip, contacts, body: None }
        }
    }
}

/// The clips that edits name, each read once.
#[derive(Debug, Default)]
pub struct ClipShelf {
    /// How they are read.
    pub options: LoadOptions,
    read: HashMap<PathBuf, Arc<SignalClip>>,
}

impl ClipShelf {
    /// An empty shelf.
    pub fn new(options: LoadOptions) -> ClipShelf {
        ClipShelf { options, read: HashMap::new() }
    }

    /// A clip, from its file if it was not read yet.
    pub fn take(&mut self, path: &Path) -> Result<Arc<SignalClip>, ReadError> {
        if let Some(clip) = self.read.get(path) {
            return Ok(clip.clone());
        }
        let clip = Arc::new(signal_clip(&load(path, &self.options)?));
        self.read.insert(path.to_path_buf(), clip.clone());
        Ok(clip)
    }
}

/// Whether charts are drawn of what an edit does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charts {
    /// They are, which takes time.
    With,
    /// They are not.
    Without,
}

/// What became of a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct EditedClip {
    /// The motion, and when its feet should be planted.
    pub take: SignalClip,
    /// One for each edit.
    pub reports: Vec<EditReport>,
    /// Whether its last pose is its first, one cycle further on.
    pub is_loop: bool,
}

/// What an edit did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EditReport {
    /// The word for its tool.
    pub tool: &'static str,
    /// In sentences.
    pub notes: Vec<String>,
    /// In numbers, by name.
    pub metrics: Vec<(&'static str, f64)>,
    /// The tool's own charts, and the curves that changed most, before and after.
    pub charts: Vec<Chart>,
    /// Of an equaliser: the frequency in Hz that each band is of, and its gain.
    pub gains: Vec<[f64; 2]>,
    /// Of a warp or blend: a second of the edited clip in each frame, and the second of the other clip that belongs to it.
    pub correspondence: Vec<[f64; 2]>,
}

/// Why an edit was not made.
#[derive(Clone, Debug, PartialEq)]
pub struct EditFailure {
    /// Which of the edits, counted from 0.
    pub edit: usize,
    /// What is wrong.
    pub problem: EditProblem,
}

/// What is wrong with an edit for a clip.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditProblem {
    /// An option that this clip cannot take.
    #[error("{message}")]
    Option {
        /// Its name, as words have it; empty where it is no single option.
        option: &'static str,
        /// What was found, and what would be right.
        message: String,
    },
    /// Another file that cannot be read.
    #[error("{0}")]
    File(ReadError),
}

impl EditProblem {
    pub(crate) fn option(option: &'static str, message: impl Into<String>) -> EditProblem {
        EditProblem::Option { option, message: message.into() }
    }
}

impl From<ReadError> for EditProblem {
    fn from(error: ReadError) -> EditProblem {
        EditProblem::File(error)
    }
}

/// What a tool made of a clip; what its charts are drawn of.
pub(crate) struct Applied {
    pub(crate) take: SignalClip,
    pub(crate) notes: Vec<String>,
    pub(crate) metrics: Vec<(&'static str, f64)>,
    pub(crate) trace: Trace,
}

impl Applied {
    pub(crate) fn new(take: SignalClip) -> Applied {
        Applied { take, notes: Vec::new(), metrics: Vec::new(), trace: Trace::None }
    }
}

/// What a tool's own chart shows.
pub(crate) enum Trace {
    None,
    /// Gains of an equaliser, and what its bands are of.
    Gains(Vec<f64>),
    /// A warp from the edited clip to another, whose rows are beside it.
    Warp {
        warp: TimeWarp,
        other: Box<Curves>,
    },
    /// A function of values.
    Shape(Shape),
    /// The frames of keys.
    Keys(Vec<usize>),
}

/// Makes edits one after another.
pub fn apply_edits(
    clip: &SignalClip,
    edits: &[Edit],
    shelf: &mut ClipShelf,
    charts: Charts,
) -> Result<EditedClip, EditFailure> {
    let body = clip.body.as_ref();
    let mut take = clip.clone();
    let mut reports = Vec::new();
    let mut is_loop = false;
    for (index, edit) in edits.iter().enumerate() {
        let failed = |problem| EditFailure { edit: index, problem };
        let applied = apply_tool(&take, edit, shelf, is_loop).map_err(failed)?;
        is_loop = matches!(edit, Edit::Loop(_)) || is_loop && matches!(edit, Edit::KeepPlants(_));
        let charts = match charts {
            Charts::With => {
                let selection = selection_of(edit, &take.clip.skeleton, body).map_err(failed)?;
                charts_of(edit.tool(), &take.clip, body, &applied, &selection)
            }
            Charts::Without => Vec::new(),
        };
        let (gains, correspondence) = numbers_of(&take.clip, &applied.trace);
        let (notes, metrics) = (applied.notes, applied.metrics);
        reports.push(EditReport { tool: edit.tool(), notes, metrics, charts, gains, correspondence });
        take = applied.take;
    }
    Ok(EditedClip { take, reports, is_loop })
}

/// What the chart of a tool is drawn of, as numbers: gains by frequency, or which seconds correspond.
fn numbers_of(before: &Clip, trace: &Trace) -> (Vec<[f64; 2]>, Vec<[f64; 2]>) {
    match trace {
        Trace::Gains(gains) => {
            let ranges = band_ranges(before.n_frames(), before.frame_rate);
            (ranges.iter().zip(gains).map(|(range, gain)| [range.peak_hz, *gain]).collect(), Vec::new())
        }
        Trace::Warp { warp, other } => {
            let last = other.n_frames().saturating_sub(1) as f64;
            let pair = |frame: usize| {
                [frame as f64, warp.b_at(frame as f64).clamp(0.0, last)].map(|at| at / before.frame_rate)
            };
            (Vec::new(), (0..before.n_frames()).map(pair).collect())
        }
        Trace::None | Trace::Shape(_) | Trace::Keys(_) => Default::default(),
    }
}

/// How far planted feet slide: the farthest that a heel or ball is from its mean place while it should be planted, in
/// metres. 0 without plants.
pub fn plant_slide(clip: &Clip, body: &BodyMap, contacts: &Contacts) -> f64 {
    let ranges = surefoot_formats::own::ContactRanges::from(contacts).ranges;
    let Ok(here) = Contacts::from_ranges(clip, body, &ranges) else { return 0.0 };
    let errors = measure_placement(&clip.world(), body, &here);
    errors.iter().fold(0.0, |most, plant| most.max(plant.distance))
}
