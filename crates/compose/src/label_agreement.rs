//! How well a segmentation agrees with labels that somebody else gave.
//!
//! Each label is matched with the stance of its foot that shares most frames with it, each stance once. Only labels that are
//! sure count.

use crate::override_labels::GivenClip;
use crate::segment_behaviours::Segmentation;
use crate::step_label::{Feet, StepLabel};
use std::collections::BTreeMap;
use surefoot_contact::Behaviour;

/// Labels of this confidence count.
pub const SURE: f64 = 0.7;
/// Edges agree within this, in seconds.
pub const EDGE_TOLERANCE: f64 = 0.04;

/// Counts of labels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LabelAgreement {
    /// Labels that are sure.
    pub n_labels: usize,
    /// A stance was found for them.
    pub n_found: usize,
    /// With the same behaviour; turns and shuffles are walked, stairs up and down are one.
    pub n_behaviour: usize,
    /// With the same label.
    pub n_label: usize,
    /// With the same start and end, within [`EDGE_TOLERANCE`].
    pub n_start: usize,
    /// Ends that agree.
    pub n_end: usize,
    /// With behaviour, start and end.
    pub n_all: usize,
    /// Jumps and hops among the labels, and those with the same take-off and landing.
    pub n_flights: usize,
    /// Take-off and landing agree.
    pub n_feet: usize,
    /// Found stances that no label has, sure or not.
    pub n_extra: usize,
    /// How often a label was found as what; `None` for what is missing or unknown.
    pub confusion: BTreeMap<(Behaviour, Option<Behaviour>), usize>,
    /// What does not agree: index of the label, index of the stance, seconds by which start and end differ.
    pub differing: Vec<(usize, Option<usize>, [f64; 2])>,
}

impl LabelAgreement {
    /// Adds the counts of another clip; what differs there is left out.
    pub fn add(&mut self, other: &LabelAgreement) {
        let LabelAgreement {
            n_labels,
            n_found,
            n_behaviour,
            n_label,
            n_start,
            n_end,
            n_all,
            n_flights,
            n_feet,
            n_extra,
            ..
        } = other;
        self.n_labels += n_labels;
        self.n_found += n_found;
        self.n_behaviour += n_behaviour;
        self.n_label += n_label;
        self.n_start += n_start;
        self.n_end += n_end;
        self.n_all += n_all;
        self.n_flights += n_flights;
        self.n_feet += n_feet;
        self.n_extra += n_extra;
        for (&cell, count) in &other.confusion {
            *self.confusion.entry(cell).or_insert(0) += count;
        }
    }
}

/// Compares a segmentation with the labels of its recording.
pub fn compare_labels(found: &Segmentation, given: &GivenClip, frame_rate: f64) -> LabelAgreement {
    let mut agreement = LabelAgreement::default();
    let mut used = vec![false; found.stances.len()];
    for (index, label) in given.labels.iter().enumerate() {
        let shared = |stance: usize| {
            let frames = &found.stances[stance].frames;
            frames.end.min(label.frames.end).saturating_sub(frames.start.max(label.frames.start))
        };
        let candidates = (0..used.len()).filter(|&stance| !used[stance] && found.stances[stance].side == label.side);
        // Of equals the first.
        let stance = candidates.rev().max_by_key(|&stance| shared(stance)).filter(|&stance| shared(stance) > 0);
        if let Some(stance) = stance {
            used[stance] = true;
        }
        let Some(behaviour) = label.label.behaviour().filter(|_| label.confidence >= SURE) else { continue };
        agreement.n_labels += 1;
        let is_flight = matches!(label.label, StepLabel::Jump | StepLabel::Hop);
        agreement.n_flights += usize::from(is_flight);
        let as_what = stance.and_then(|stance| found.stances[stance].label.behaviour());
        *agreement.confusion.entry((behaviour, as_what)).or_insert(0) += 1;
        let Some(stance) = stance else {
            agreement.differing.push((index, None, [0.0; 2]));
            continue;
        };
        let (of, frames) = (&found.stances[stance], &found.stances[stance].frames);
        let seconds = |found: usize, given: usize| (found as f64 - given as f64) / frame_rate;
        let start = seconds(frames.start, label.frames.start);
        let is_still = given.still_from.is_some_and(|still| label.frames.end >= still);
        let end = if is_still { 0.0 } else { seconds(frames.end, label.frames.end) };
        let is_near = |seconds: f64| seconds.abs() <= EDGE_TOLERANCE + 1e-9;
        let is_same = as_what == Some(behaviour);
        let feet: Option<[Feet; 2]> = found.flight_of(stance).map(|flight| [flight.take_off, flight.landing]);
        agreement.n_found += 1;
        agreement.n_behaviour += usize::from(is_same);
        agreement.n_label += usize::from(of.label == label.label);
        agreement.n_start += usize::from(is_near(start));
        agreement.n_end += usize::from(is_near(end));
        agreement.n_feet += usize::from(is_flight && feet == label.feet);
        let agrees = is_same && is_near(start) && is_near(end);
        agreement.n_all += usize::from(agrees);
        if !agrees || (is_flight && feet != label.feet) {
            agreement.differing.push((index, Some(stance), [start, end]));
        }
    }
    agreement.n_extra = used.iter().filter(|used| !**used).count();
    agreement
}
