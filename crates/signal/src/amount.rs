//! A number that may change over time: how much of an effect, or the weight of a clip.
//!
//! Between two knots the number eases from one value to the other (the cubic 3 t^2 - 2 t^3), so that an effect that is
//! faded in over time leaves no corner in the motion, or goes straight where that is asked for; before the first knot and
//! after the last it stays.

use surefoot_geom::smoothstep;

/// A number over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Amount {
    /// Seconds and value, seconds increasing; never empty.
    knots: Vec<[f64; 2]>,
    between: Between,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Between {
    Eased,
    Straight,
}

/// Why numbers are no amount.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AmountError {
    /// There is no knot.
    #[error("an amount without any value; a number such as 0.5 would be right")]
    Empty,
    /// A number that is none.
    #[error("knot {index} is {time} s: {value}; both must be finite numbers")]
    NotFinite {
        /// Counted from 0.
        index: usize,
        /// As given.
        time: f64,
        /// As given.
        value: f64,
    },
    /// Times out of order.
    #[error("knot {index} at {time} s does not come after {before} s")]
    Order {
        /// Counted from 0.
        index: usize,
        /// Its time.
        time: f64,
        /// The time of the knot before it.
        before: f64,
    },
    /// Text that is neither a number nor knots.
    #[error("`{text}` is no amount; a number such as 0.5, or values over seconds such as 0:0/1.5:1, would be right")]
    Text {
        /// As given.
        text: String,
    },
}

impl Amount {
    /// The same at all times.
    pub fn constant(value: f64) -> Amount {
        Amount { knots: vec![[0.0, value]], between: Between::Eased }
    }

    /// Through values at times in seconds.
    pub fn through(knots: Vec<[f64; 2]>) -> Result<Amount, AmountError> {
        if knots.is_empty() {
            return Err(AmountError::Empty);
        }
        for (index, [time, value]) in knots.iter().copied().enumerate() {
            if !time.is_finite() || !value.is_finite() {
                return Err(AmountError::NotFinite { index, time, value });
            }
            if let Some([before, _]) = index.checked_sub(1).map(|before| knots[before])
                && time <= before
            {
                return Err(AmountError::Order { index, time, before });
            }
        }
        Ok(Amount { knots, between: Between::Eased })
    }

    /// The same values, with straight lines between them.
    pub fn straight(self) -> Amount {
        Amount { between: Between::Straight, ..self }
    }

    /// From text: a number, or `seconds:value` joined by `/`.
    pub fn parse(text: &str) -> Result<Amount, AmountError> {
        let wrong = || AmountError::Text { text: text.to_string() };
        if let Ok(value) = text.trim().parse() {
            return Amount::through(vec![[0.0, value]]);
        }
        let knot = |part: &str| {
            let (time, value) = part.split_once(':')?;
            Some([time.trim().parse().ok()?, value.trim().parse().ok()?])
        };
        let knots: Option<Vec<[f64; 2]>> = text.split('/').map(knot).collect();
        Amount::through(knots.ok_or_else(wrong)?)
    }

    /// Seconds and values, in order.
    pub fn knots(&self) -> &[[f64; 2]] {
        &self.knots
    }

    /// The value if it never changes.
    pub fn as_constant(&self) -> Option<f64> {
        let first = self.knots[0][1];
        self.knots.iter().all(|[_, value]| *value == first).then_some(first)
    }

    /// The value at a time in seconds.
    pub fn at(&self, seconds: f64) -> f64 {
        let after = self.knots.partition_point(|[time, _]| *time <= seconds);
        if after == 0 {
            return self.knots[0][1];
        }
        let [before_time, before] = self.knots[after - 1];
        let Some([after_time, after]) = self.knots.get(after).copied() else { return before };
        let t = (seconds - before_time) / (after_time - before_time);
        before + (after - before) * if self.between == Between::Eased { smoothstep(t) } else { t }
    }
}

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let [[_, value]] = self.knots.as_slice() {
            return write!(f, "{value}");
        }
        for (index, [time, value]) in self.knots.iter().enumerate() {
            write!(f, "{}{time}:{value}", if index == 0 { "" } else { "/" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_meets_its_knots_and_eases_between_them() {
        let amount = Amount::parse("0:0/2:1/3:-1").unwrap();
        for (time, value) in [(-1.0, 0.0), (0.0, 0.0), (1.0, 0.5), (2.0, 1.0), (2.5, 0.0), (9.0, -1.0)] {
            assert!((amount.at(time) - value).abs() < 1e-12, "{time}: {}", amount.at(time));
        }
        assert!((amount.at(1e-4) / 1e-4).abs() < 1e-3, "level at a knot");
        assert_eq!(Amount::parse(&amount.to_string()), Ok(amount));
        assert_eq!(Amount::parse("0.25").unwrap().as_constant(), Some(0.25));
    }

    #[test]
    fn wrong_text_says_what_would_be_right() {
        for text in ["", "x", "0:1/0:2", "1:2/0:3", "nan", "0:inf", "0:1/2"] {
            let error = Amount::parse(text).unwrap_err().to_string();
            assert!(!error.is_empty(), "{text}: {error}");
        }
        assert_eq!(Amount::through(Vec::new()), Err(AmountError::Empty));
    }
}
