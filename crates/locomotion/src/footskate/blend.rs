//! Blending changes off: the one curve that phases 2 and 5 share.
//!
//! A change that was made at some frames must fade away before and after them. From an edge, the last changed frame, the
//! change is continued outward over `span` frames:
//!
//! ```text
//!   change                     u = k / (span + 1), k frames outward from the edge
//!     |‾‾‾-._                  edge * alpha(u) + slope * (span + 1) * beta(u)
//!     |      ‾-.___
//!     +--------------> k       alpha = 2u^3 - 3u^2 + 1 (SKATE eq. 3),  beta = u (1 - u)^2
//!    edge      span + 1
//! ```
//!
//! Departures from the paper, each because the printed form makes a visible jolt:
//! - `beta` is new. With `alpha` alone the change stops dead at the edge: inside a plant the foot stands still, so the change
//!   there runs against the recorded foot's own speed, and right outside the foot would move at that full speed at once. The
//!   second Hermite polynomial continues the change with the slope that it has, and the foot leaves and lands softly.
//! - The paper prints `alpha((k + 1) / (span + 1))`, which skips the curve's first, flattest frame. Ours begins at `k`, so
//!   that the edge itself has `alpha(0) = 1`.
//! - In equation 7 the printed weight is that of the wrong side: next to the frame behind, `alpha` is near 1 and would take the
//!   change from ahead.
//! - Rotations are blended as rotation vectors. From the identity that is slerp itself; between two changes of a few degrees it
//!   differs from slerp by less than their product.

use super::frames::Frames;
use std::ops::{Add, Mul, Sub};

/// SKATE eq. 3: from 1 to 0 over the unit interval, level at both ends.
pub(super) fn alpha(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    (2.0 * u - 3.0) * u * u + 1.0
}

/// From 0 to 0 over the unit interval, with slope 1 at the beginning and level at the end.
fn beta(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * (1.0 - u) * (1.0 - u)
}

/// A change of one or several parameters, as a vector.
pub(super) trait Change: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<f64, Output = Self> {}

impl<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T>> Change for T {}

/// What a frame says about a change.
pub(super) enum Mark<C> {
    /// It was made, and this is it.
    Made(C),
    /// It was not made here; look further.
    Open,
    /// It was not made here, and nothing may be blended across.
    Barrier,
}

/// How far blends reach, in frames.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    /// Frames outward.
    pub(super) span: usize,
    /// Frames inward that the slope is taken over.
    pub(super) slope: usize,
}

/// The change at an open frame, blended off from the nearest changed frames on both sides; `None` if there are none.
pub(super) fn blended<T, C: Change>(
    frames: &(impl Frames<T> + ?Sized),
    frame: usize,
    reach: Reach,
    mark: impl Fn(&T) -> Mark<C>,
) -> Option<C> {
    let ahead = |k: usize| Some(frame + k);
    let behind = |k: usize| frame.checked_sub(k);
    let back = one_sided(frames, reach, &mark, behind);
    let forth = one_sided(frames, reach, &mark, ahead);
    match (back, forth) {
        (None, None) => None,
        (Some((change, _)), None) | (None, Some((change, _))) => Some(change),
        (Some((back, j)), Some((forth, k))) => {
            let weight = alpha(j as f64 / (j + k) as f64);
            Some(back * weight + forth * (1.0 - weight))
        }
    }
}

/// The nearest change in one direction, blended off to here, and its distance in frames.
fn one_sided<T, C: Change>(
    frames: &(impl Frames<T> + ?Sized),
    reach: Reach,
    mark: &impl Fn(&T) -> Mark<C>,
    frame_at: impl Fn(usize) -> Option<usize>,
) -> Option<(C, usize)> {
    let mark_at = |k: usize| frame_at(k).and_then(|frame| frames.at(frame)).map_or(Mark::Barrier, mark);
    let mut found = None;
    for k in 1..=reach.span {
        match mark_at(k) {
            Mark::Made(edge) => {
                found = Some((edge, k));
                break;
            }
            Mark::Open => {}
            Mark::Barrier => break,
        }
    }
    let (edge, k) = found?;
    // Never beyond the neighbourhood, where the online form has no frames.
    let (mut slope, mut inner) = (edge - edge, 0);
    for inward in 1..=reach.slope.min(reach.span - k) {
        let Mark::Made(deeper) = mark_at(k + inward) else { break };
        inner = inward;
        slope = edge - deeper;
    }
    if inner > 0 {
        slope = slope * (1.0 / inner as f64);
    }
    let length = (reach.span + 1) as f64;
    let u = k as f64 / length;
    Some((edge * alpha(u) + slope * (length * beta(u)), k))
}

/// The mean of a value over `span` frames to both sides, as far as the frames have it without a break, with the weights of
/// equation 3; `None` where the frame itself has none.
pub(super) fn mean_around<T, C: Change>(
    frames: &(impl Frames<T> + ?Sized),
    frame: usize,
    span: usize,
    value: impl Fn(&T) -> Option<C>,
) -> Option<C> {
    let value_at = |frame: Option<usize>| frame.and_then(|frame| frames.at(frame)).and_then(&value);
    let mut sum = value_at(Some(frame))?;
    let mut total = 1.0;
    let mut add = |frame_at: &dyn Fn(usize) -> Option<usize>| {
        for k in 1..=span {
            let Some(there) = value_at(frame_at(k)) else { break };
            let weight = alpha(k as f64 / (span + 1) as f64);
            sum = sum + there * weight;
            total += weight;
        }
    };
    add(&|k| frame.checked_sub(k));
    add(&|k| Some(frame + k));
    Some(sum * (1.0 / total))
}

/// The mean of a value over `span` frames to both sides, across gaps, with the weights of equation 3. A frame without a value
/// has a mean if the gap that it lies in is no longer than `span`, so that the frames on both sides of it see each other too.
pub(super) fn mean_across<T, C: Change>(
    frames: &(impl Frames<T> + ?Sized),
    frame: usize,
    span: usize,
    value: impl Fn(&T) -> Option<C>,
) -> Option<C> {
    let value_at = |frame: Option<usize>| frame.and_then(|frame| frames.at(frame)).and_then(&value);
    let here = value_at(Some(frame));
    let (mut sum, mut total) = (here, if here.is_some() { 1.0 } else { 0.0 });
    let (mut behind, mut ahead) = (None, None);
    for k in 1..=span {
        let weight = alpha(k as f64 / (span + 1) as f64);
        for (there, nearest) in [(value_at(frame.checked_sub(k)), &mut behind), (value_at(Some(frame + k)), &mut ahead)] {
            let Some(there) = there else { continue };
            nearest.get_or_insert(k);
            sum = Some(sum.map_or(there * weight, |sum| sum + there * weight));
            total += weight;
        }
    }
    let is_bridged = behind.zip(ahead).is_some_and(|(behind, ahead)| behind + ahead <= span + 1);
    if here.is_some() || is_bridged { sum.map(|sum| sum * (1.0 / total)) } else { None }
}
