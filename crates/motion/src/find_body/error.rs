//! Why a skeleton has no body map: what was found, and what is missing.

use super::limbs::LimbPair;
use super::measure::Measures;
use crate::joint_names::NamedPart;
use std::fmt;

/// A part of the body that recognition looks for, from the trunk down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodyPart {
    /// The lowest joint above both hips.
    Pelvis,
    /// The joints that swing the thighs.
    Hips,
    /// The joints that bend the shins.
    Knees,
    /// The joints that turn the feet.
    Ankles,
}

impl BodyPart {
    /// In plural, as messages say it.
    pub fn name(self) -> &'static str {
        match self {
            BodyPart::Pelvis => "pelvis",
            BodyPart::Hips => "hips",
            BodyPart::Knees => "knees",
            BodyPart::Ankles => "ankles",
        }
    }
}

/// What is wrong with a skeleton that has no body map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyProblem {
    /// No pair of mirrored limbs that could be legs: a camera, a prop, an upper body.
    NoLegs,
    /// The legs end at the knees or before: an upper-body recording, or feet that hang elsewhere in the tree.
    NoFeet,
    /// The spine lies across the legs and the arms reach the ground: an animal.
    FourLegged,
    /// Four or more like limbs on one joint: a hand, a spider.
    TooManyLegs {
        /// How many.
        count: usize,
    },
}

/// A refusal that lists what was found and what is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyError {
    /// What is wrong.
    pub problem: BodyProblem,
    /// The parts that were found, with the names of their joints.
    pub found: Vec<(BodyPart, Vec<String>)>,
    /// The parts that were not.
    pub missing: Vec<BodyPart>,
    /// How many joints the skeleton has.
    pub n_joints: usize,
}

impl BodyError {
    pub(super) fn without_legs(m: &Measures<'_>) -> BodyError {
        // Without limbs only a name can tell the pelvis.
        let named = m.skeleton.ids().find(|&id| m.facts(id).part == Some(NamedPart::Pelvis));
        let found = named.map(|id| (BodyPart::Pelvis, vec![m.skeleton.name(id).to_string()]));
        let mut missing = vec![BodyPart::Pelvis, BodyPart::Hips, BodyPart::Knees, BodyPart::Ankles];
        missing.retain(|part| named.is_none() || *part != BodyPart::Pelvis);
        let (found, n_joints) = (found.into_iter().collect(), m.skeleton.n_joints());
        BodyError { problem: BodyProblem::NoLegs, found, missing, n_joints }
    }

    pub(super) fn without_feet(m: &Measures<'_>, legs: &LimbPair) -> BodyError {
        BodyError::from_legs(m, legs, BodyProblem::NoFeet)
    }

    pub(super) fn not_a_person(m: &Measures<'_>, legs: &LimbPair, problem: BodyProblem) -> BodyError {
        BodyError::from_legs(m, legs, problem)
    }

    fn from_legs(m: &Measures<'_>, legs: &LimbPair, problem: BodyProblem) -> BodyError {
        let mut found = vec![(BodyPart::Pelvis, vec![m.skeleton.name(legs.parent).to_string()])];
        let mut missing = Vec::new();
        let places = legs.limbs.each_ref().map(|limb| [Some(limb.hip), limb.knee, limb.ankle]);
        for (i, part) in [BodyPart::Hips, BodyPart::Knees, BodyPart::Ankles].into_iter().enumerate() {
            let joints = [0, 1].map(|side| places[side][i].and_then(|place| legs.limbs[side].joint(place)));
            match joints {
                [Some(a), Some(b)] => {
                    found.push((part, [a, b].map(|joint| m.skeleton.name(joint).to_string()).to_vec()));
                }
                _ => missing.push(part),
            }
        }
        BodyError { problem, found, missing, n_joints: m.skeleton.n_joints() }
    }
}

impl fmt::Display for BodyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problem {
            BodyProblem::NoLegs => write!(f, "no legs: none of {} joints begin a pair of like limbs", self.n_joints)?,
            BodyProblem::NoFeet => write!(f, "no feet: the legs end before an ankle joint")?,
            BodyProblem::FourLegged => write!(f, "not a person: it goes on four legs")?,
            BodyProblem::TooManyLegs { count } => write!(f, "not a person: {count} like limbs hang on one joint")?,
        }
        for (part, names) in &self.found {
            let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            write!(f, "; found {} {}", part.name(), quoted.join(", "))?;
        }
        if !self.missing.is_empty() {
            let names: Vec<&str> = self.missing.iter().map(|part| part.name()).collect();
            write!(f, "; missing {}", names.join(", "))?;
        }
        Ok(())
    }
}

impl std::error::Error for BodyError {}
