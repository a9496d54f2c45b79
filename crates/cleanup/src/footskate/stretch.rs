//! How much legs may stretch.
//!
//! The paper's legs stretch by whatever the damping of the knees leaves over, 2.6 % at worst in its experiments. Ours stretch as
//! asked up to [`SOFT_FROM`] and approach [`MAX_STRETCH`] smoothly beyond; what then is missing the root and the knee make up for.
//! Longest and shortest of a bone then differ by less than the paper's 2.6 %.

/// Stretches up to this are left alone.
pub(super) const SOFT_FROM: f64 = 0.009;

/// No leg stretches or shrinks by more than this share, unless it cannot reach at all.
pub const MAX_STRETCH: f64 = 0.0125;

/// A stretch within its limit.
pub(super) fn soft_limit(stretch: f64) -> f64 {
    let size = stretch.abs();
    if size <= SOFT_FROM {
        return stretch;
    }
    let room = MAX_STRETCH - SOFT_FROM;
    (SOFT_FROM + room * ((size - SOFT_FROM) / room).tanh()).copysign(stretch)
}
