//! Limits on metrics: what turns a measurement into pass or fail.

use super::metric::{Definition, Metric};

/// The limits on one metric. All that are given must hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Of which metric.
    pub metric: &'static Definition,
    /// The metric is no smaller, in the unit that it is shown in.
    pub min: Option<f64>,
    /// The metric is no larger, in the unit that it is shown in.
    pub max: Option<f64>,
    /// The metric is no larger than this many times the reference's own.
    pub times_reference: Option<f64>,
}

/// A list of limits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gate {
    /// In the order of reports.
    pub limits: Vec<Limit>,
}

impl Gate {
    /// Whether a limit compares with the reference's own metrics.
    pub fn needs_reference(&self) -> bool {
        self.limits.iter().any(|limit| limit.times_reference.is_some())
    }
}

/// Why a limit does not hold; numbers in the unit that the metric is shown in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GateProblem {
    /// The metric could not be measured.
    Absent,
    /// The metric is too small.
    Below {
        /// The metric.
        value: f64,
        /// The smallest allowed.
        limit: f64,
    },
    /// The metric is too large.
    Above {
        /// The metric.
        value: f64,
        /// The largest allowed.
        limit: f64,
    },
    /// The metric is too many times the reference's.
    AboveReference {
        /// The metric.
        value: f64,
        /// The reference's.
        reference: f64,
        /// How many times that is allowed.
        times: f64,
    },
    /// The reference's metric could not be measured.
    ReferenceAbsent,
}

/// A limit that does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct GateFailure {
    /// On which metric.
    pub metric: &'static Definition,
    /// As measured, with its place and frame; `None` if it could not be.
    pub measured: Option<Metric>,
    /// Why.
    pub problem: GateProblem,
}

impl std::fmt::Display for GateFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (name, needs) = (self.metric.name, self.metric.family.needs());
        let with_unit = |value: f64| match self.metric.unit.name() {
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

/// Which limits do not hold, given the metrics of a motion and of its reference (empty where there is none).
pub fn check_gate(gate: &Gate, metrics: &[Metric], reference: &[Metric]) -> Vec<GateFailure> {
    gate.limits.iter().flat_map(|limit| check_limit(limit, metrics, reference)).collect()
}

fn check_limit(limit: &Limit, metrics: &[Metric], reference: &[Metric]) -> Vec<GateFailure> {
    let named = |list: &[Metric]| list.iter().find(|metric| metric.name() == limit.metric.name).cloned();
    let measured = named(metrics);
    let Some(value) = measured.as_ref().map(Metric::shown) else {
        return vec![GateFailure { metric: limit.metric, measured: None, problem: GateProblem::Absent }];
    };
    let below = limit.min.filter(|&min| value < min).map(|limit| GateProblem::Below { value, limit });
    let above = limit.max.filter(|&max| value > max).map(|limit| GateProblem::Above { value, limit });
    let beside = limit.times_reference.and_then(|times| match named(reference).as_ref().map(Metric::shown) {
        None => Some(GateProblem::ReferenceAbsent),
        Some(reference) if value > times * reference => Some(GateProblem::AboveReference { value, reference, times }),
        Some(_) => None,
    });
    let problems = [below, above, beside].into_iter().flatten();
    problems.map(|problem| GateFailure { metric: limit.metric, measured: measured.clone(), problem }).collect()
}
