//! A verdict as reports have it: `good`, `check` or `poor`, and why.

use serde::{Deserialize, Serialize};
use surefoot_plan::{Grade, Verdict};

/// How good a motion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GradeName {
    /// Nothing to object to.
    Good,
    /// Usable; look at what the reasons name.
    Check,
    /// Something is plainly wrong.
    Poor,
}

/// A grade with its reasons, worst first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerdictReport {
    /// The worst of the reasons.
    pub grade: GradeName,
    /// What was found, in words; empty if the grade is good.
    pub reasons: Vec<String>,
}

impl From<Grade> for GradeName {
    fn from(grade: Grade) -> GradeName {
        match grade {
            Grade::Good => GradeName::Good,
            Grade::Check => GradeName::Check,
            Grade::Poor => GradeName::Poor,
        }
    }
}

impl From<&Verdict> for VerdictReport {
    fn from(verdict: &Verdict) -> VerdictReport {
        VerdictReport { grade: verdict.grade.into(), reasons: verdict.reasons.clone() }
    }
}

impl GradeName {
    /// As it is printed.
    pub fn name(self) -> &'static str {
        match self {
            GradeName::Good => Grade::Good.name(),
            GradeName::Check => Grade::Check.name(),
            GradeName::Poor => Grade::Poor.name(),
        }
    }
}

impl std::fmt::Display for VerdictReport {
    /// `good`, or `check: ` and the reasons.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.grade.name())?;
        if self.reasons.is_empty() { Ok(()) } else { write!(f, ": {}", self.reasons.join("; ")) }
    }
}
