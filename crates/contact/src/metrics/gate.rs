//! Limits on figures: what turns a measurement into pass or fail.

use super::figure::{Definition, Figure};

/// The limits on one figure. All that are given must hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Of which figure.
    pub figure: &'static Definition,
    /// The figure is no smaller, in the unit that it is shown in.
    pub min: Option<f64>,
    /// The figure is no larger, in the unit that it is shown in.
    pub max: Option<f64>,
    /// The figure is no larger than this many times the reference's own.
    pub times_reference: Option<f64>,
}

/// A list of limits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gate {
    /// In the order in which they are told.
    pub limits: Vec<Limit>,
}

impl Gate {
    /// Whether a limit compares with the reference's own figures.
    pub fn needs_reference(&self) -> bool {
        self.limits.iter().any(|limit| limit.times_reference.is_some())
    }
}

/// Why a limit does not hold; numbers in the unit that the figure is shown in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GateProblem {
    /// The figure could not be measured.
    Absent,
    /// The figure is too small.
    Below {
        /// The figure.
        value: f64,
        /// The smallest allowed.
        limit: f64,
    },
    /// The figure is too large.
    Above {
        /// The figure.
        value: f64,
        /// The largest allowed.
        limit: f64,
    },
    /// The figure is too many times the reference's.
    AboveReference {
        /// The figure.
        value: f64,
        /// The reference's.
        reference: f64,
        /// How many times that is allowed.
        times: f64,
    },
    /// The reference's figure could not be measured.
    ReferenceAbsent,
}

/// A limit that does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct GateFailure {
    /// On which figure.
    pub figure: &'static Definition,
    /// As measured, with its place and frame; `None` if it could not be.
    pub measured: Option<Figure>,
    /// Why.
    pub problem: GateProblem,
}

impl std::fmt::Display for GateFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (name, needs) = (self.figure.name, self.figure.family.needs());
        let with_unit = |value: f64| match self.figure.unit.name() {
            "" => format!("{value}"),
            unit => format!("{value} {unit}"),
        };
        match self.problem {
            GateProblem::Absent => write!(f, "{name} could not be measured: {needs}"),
            GateProblem::ReferenceAbsent => write!(f, "{name} could not be measured in the reference: {needs}"),
            GateProblem::Below { value, limit } => {
                write!(f, "{name} is {}, at least {limit} is asked for", with_unit(value))
            }
            GateProblem::Above { value, limit } => {
                write!(f, "{name} is {}, at most {limit} is allowed", with_unit(value))
            }
            GateProblem::AboveReference { value, reference, times } => write!(
                f,
                "{name} is {}, {:.3} times the reference's {reference}; at most {times} times is allowed",
                with_unit(value),
                value / reference
            ),
        }
    }
}

/// Which limits do not hold, given the figures of a motion and of its reference (empty where there is none).
pub fn check_gate(gate: &Gate, figures: &[Figure], reference: &[Figure]) -> Vec<GateFailure> {
    gate.limits.iter().flat_map(|limit| check_limit(limit, figures, reference)).collect()
}

fn check_limit(limit: &Limit, figures: &[Figure], reference: &[Figure]) -> Vec<GateFailure> {
    let named = |list: &[Figure]| list.iter().find(|figure| figure.name() == limit.figure.name).cloned();
    let measured = named(figures);
    let Some(value) = measured.as_ref().map(Figure::shown) else {
        return vec![GateFailure { figure: limit.figure, measured: None, problem: GateProblem::Absent }];
    };
    let below = limit.min.filter(|&min| value < min).map(|limit| GateProblem::Below { value, limit });
    let above = limit.max.filter(|&max| value > max).map(|limit| GateProblem::Above { value, limit });
    let beside = limit.times_reference.and_then(|times| match named(reference).as_ref().map(Figure::shown) {
        None => Some(GateProblem::ReferenceAbsent),
        Some(reference) if value > times * reference => Some(GateProblem::AboveReference { value, reference, times }),
        Some(_) => None,
    });
    let problems = [below, above, beside].into_iter().flatten();
    problems.map(|problem| GateFailure { figure: limit.figure, measured: measured.clone(), problem }).collect()
}
