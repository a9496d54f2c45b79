//! How often footprints alone were understood: decisions against labels.

use crate::decision::Decision;
use crate::label_agreement::SURE;
use crate::override_labels::GivenClip;
use crate::step_label::StepLabel;
use std::collections::BTreeMap;
use surefoot_contact::{Behaviour, Footprint};

/// Counts of footprints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecognitionScore {
    /// Footprints whose label is sure.
    pub n_prints: usize,
    /// With the right behaviour.
    pub n_right: usize,
    /// Jumps, and hops, among them.
    pub n_jumps: usize,
    /// With the right behaviour, take-off and landing.
    pub n_feet: usize,
    /// What was taken for what.
    pub confusion: BTreeMap<(Behaviour, Behaviour), usize>,
    /// Footprints that are wrong: indices.
    pub wrong: Vec<usize>,
}

/// The plan that labels make: foot, place and heading, in the order in which stances begin. `None` if a label has no place.
pub fn plan_of_labels(clip: &GivenClip) -> Option<Vec<Footprint>> {
    let print = |label: &crate::GivenLabel| {
        Some(Footprint { heading: label.heading, ..Footprint::at(label.side, label.ball?) })
    };
    clip.labels.iter().map(print).collect()
}

impl RecognitionScore {
    /// Counts the decisions of a plan.
    pub fn count(&mut self, clip: &GivenClip, decisions: &[Decision]) {
        self.wrong.clear();
        for (index, (label, decision)) in clip.labels.iter().zip(decisions).enumerate() {
            let Some(behaviour) = label.label.behaviour().filter(|_| label.confidence >= SURE) else { continue };
            let is_right = behaviour == decision.behaviour;
            self.n_prints += 1;
            self.n_right += usize::from(is_right);
            *self.confusion.entry((behaviour, decision.behaviour)).or_insert(0) += 1;
            if label.label == StepLabel::Jump {
                self.n_jumps += 1;
                self.n_feet += usize::from(is_right && label.feet == decision.feet);
            }
            if !is_right || (label.label == StepLabel::Jump && label.feet != decision.feet) {
                self.wrong.push(index);
            }
        }
    }
}
