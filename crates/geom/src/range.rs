//! A closed range of numbers.

/// From the least to the greatest value that is taken, both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
}

impl Range {
    /// Whether a value lies within, but for rounding.
    pub fn contains(&self, value: f64) -> bool {
        let slack = 1e-9 * self.max.abs().max(self.min.abs());
        (self.min - slack..=self.max + slack).contains(&value)
    }
}
