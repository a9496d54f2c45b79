//! Ranges of the numbers in requests: refused where they enter, with the field and what would be right.

use crate::job_error::JobError;
use std::ops::RangeInclusive;

/// Refuses a number outside its range; NaN is outside of every range. An absent number is fine.
pub fn check_range(field: &str, value: Option<f64>, range: RangeInclusive<f64>) -> Result<(), JobError> {
    match value {
        Some(value) if !range.contains(&value) => {
            let message = format!("{field}: found {value}; {} to {} would be right", range.start(), range.end());
            Err(JobError::new("usage", message).at_field(field))
        }
        _ => Ok(()),
    }
}
