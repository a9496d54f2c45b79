//! What leads to a footprint, with its reason; and why it may be refused. Values, made before any frame.

use crate::step_label::Feet;
use surefoot_contact::Behaviour;
use surefoot_motion::Side;

/// What leads to a footprint, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// What the person does to come to the footprint.
    pub behaviour: Behaviour,
    /// The feet that take off and land, of run, jump and hop.
    pub feet: Option<[Feet; 2]>,
    /// Why.
    pub reason: DecisionReason,
}

/// Why a footprint means a behaviour. Lengths in metres.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionReason {
    /// Whether the plan gives the behaviour.
    pub is_given: bool,
    /// How sure it is by the footprint and its neighbours alone: from 0 to 1.
    pub share: f64,
    /// The next likely behaviour, with its share.
    pub runner_up: Option<(Behaviour, f64)>,
    /// From the foot's last footprint, over the ground.
    pub stride: Option<f64>,
    /// From the other foot's last footprint, over the ground.
    pub step: Option<f64>,
    /// Above the foot's last footprint.
    pub rise: Option<f64>,
    /// By the paper's limits: which limit decided.
    pub limit: Option<String>,
}

impl std::fmt::Display for DecisionReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_given {
            write!(f, "the plan gives it; ")?;
        }
        match (self.stride, self.step) {
            (Some(stride), Some(step)) => {
                write!(f, "the foot travels {stride:.2} m and lands {step:.2} m from the other")?;
            }
            (Some(stride), None) => write!(f, "the foot travels {stride:.2} m")?,
            (None, Some(step)) => write!(f, "the foot lands {step:.2} m from the other")?,
            (None, None) => write!(f, "the first footprint")?,
        }
        if let Some(rise) = self.rise.filter(|rise| rise.abs() >= 0.03) {
            write!(f, ", {:.0} cm {}", rise.abs() * 100.0, if rise > 0.0 { "up" } else { "down" })?;
        }
        if let Some(limit) = &self.limit {
            return write!(f, "; {limit}");
        }
        write!(f, "; {:.0} % by recorded steps with such neighbours", self.share * 100.0)?;
        match self.runner_up {
            Some((behaviour, share)) if share >= 0.01 => write!(f, ", {} {:.0} %", behaviour.name(), share * 100.0),
            _ => Ok(()),
        }
    }
}

/// Why footprints cannot be given a behaviour.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecogniseError {
    /// The plan gives a behaviour that its footprints contradict.
    #[error("footprints[{footprint}]: behaviour {} contradicts the footprints: {why}", .behaviour.name())]
    Contradiction {
        /// 0-based.
        footprint: usize,
        /// As given.
        behaviour: Behaviour,
        /// What would be right.
        why: &'static str,
    },
    /// Recordings that were learned from lack it.
    #[error(
        "footprints[{footprint}]: no recorded {} on the {} foot; nearest: {} ({:.0} % by recorded steps with such neighbours); leave the \
         behaviour open, add recordings of it, or use --with gait",
        .behaviour.name(),
        .side.name(),
        .nearest.0.name(),
        100.0 * .nearest.1
    )]
    NotLearned {
        /// 0-based.
        footprint: usize,
        /// As given.
        behaviour: Behaviour,
        /// The foot.
        side: Side,
        /// What recorded people would do, and how sure that is: from 0 to 1.
        nearest: (Behaviour, f64),
    },
}
