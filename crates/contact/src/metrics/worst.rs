//! The largest of many values, and where it is.

use crate::order_statistics::quantile;

/// The largest value, with its place (a side, a joint, ...) and its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worst<P> {
    /// In SI units.
    pub value: f64,
    /// Whose it is.
    pub place: P,
    /// Frame of the clip, from 0.
    pub frame: usize,
}

/// The largest of many values, and the 99th percentile of all: one spike moves the first, only many move the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread<P> {
    /// The largest.
    pub worst: Worst<P>,
    /// 99 % of the values are no larger.
    pub p99: f64,
}

impl<P> Worst<P> {
    /// The first of the largest; values that are not finite do not count. `None` where none is left.
    pub fn of(values: impl IntoIterator<Item = Worst<P>>) -> Option<Worst<P>> {
        let finite = values.into_iter().filter(|worst| worst.value.is_finite());
        finite.reduce(|best, next| if next.value > best.value { next } else { best })
    }
}

impl<P: Copy> Spread<P> {
    /// The spread of finite values; `None` where there is none.
    pub(super) fn of(values: &[Worst<P>]) -> Option<Spread<P>> {
        let worst = Worst::of(values.iter().copied())?;
        let sizes: Vec<f64> = values.iter().map(|worst| worst.value).collect();
        Some(Spread { worst, p99: quantile(&sizes, 0.99)? })
    }
}
