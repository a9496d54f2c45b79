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
//! - A gap that is short enough to be seen from end to end is bridged by one cubic, for there is no use in going back to
//!   nothing within it. In a longer one the changes from both sides are added: equation 7's weights jump in the frame from which
//!   the far side is seen first.
//! - Rotations are blended as rotation vectors. From the identity that is slerp itself; between two changes of a few degrees it
//!   differs from slerp by less than their product.

use super::frames::Frames;
use std::ops::{Add, Mul, Sub};
use surefoot_geom::smoothstep;

/// SKATE eq. 3: from 1 to 0 over the unit interval, level at both ends.
pub(super) fn alpha(u: f64) -> f64 {
    1.0 - smoothstep(u)
}

/// From 0 to 0 over the unit interval, with slope 1 at the beginning and level at the end.
fn beta(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * (1.0 - u) * (1.0 - u)
}

/// A change of one or several parameters, as a vector.
pub(super) trait Change: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<f64, Output = Self> {}

impl<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T>> Change for T {}

/// What a frame asks of a change.
pub(super) enum Mark<C> {
    /// It was made, and this is it.
    Made(C),
    /// It was not made here; look further.
    Open,
    /// It was not made here, and nothing may be blended across.
    Barrier,
}

/// How far blends look, in frames.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    /// Frames outward and inward together.
    pub(super) span: usize,
    /// Frames inward that the slope is taken over.
    pub(super) slope: usize,
}

impl Reach {
    /// Frames outward that a change is seen from; what is seen is seen with its slope, so that no frame knows more of an edge than
    /// its neighbour.
    fn outward(&self) -> usize {
        self.span.saturating_sub(self.slope).max(self.span.min(1))
    }
}

/// The change at an open frame, blended off from the nearest changed frames on both sides; `None` if there are none.
pub(super) fn blended<T, C: Change>(
    frames: &(impl Frames<T> + ?Sized),
    frame: usize,
    reach: Reach,
    mark: impl Fn(&T) -> Mark<C>,
) -> Option<C> {
    let back = find_edge(frames, reach, &mark, |k: usize| frame.checked_sub(k));
    let forth = find_edge(frames, reach, &mark, |k: usize| Some(frame + k));
    let outward = reach.outward();
    match (back, forth) {
        (None, None) => None,
        (Some(edge), None) | (None, Some(edge)) => Some(edge.continued(outward)),
        (Some(back), Some(forth)) if back.distance + forth.distance <= outward + 1 => Some(bridge(&back, &forth)),
        // Each has faded to nothing where the other begins, so neither begins or ends with a jump.
        (Some(back), Some(forth)) => Some(back.continued(outward) + forth.continued(outward)),
    }
}

/// The nearest changed frame in one direction.
struct Edge<C> {
    change: C,
    /// How the change goes on outward, for each frame.
    slope: Option<C>,
    /// Frames from here.
    distance: usize,
}

impl<C: Change> Edge<C> {
    /// The change continued to here, and to nothing beyond `span` frames.
    fn continued(&self, span: usize) -> C {
        let length = (span + 1) as f64;
        let u = self.distance as f64 / length;
        let faded = self.change * alpha(u);
        self.slope.map_or(faded, |slope| faded + slope * (length * beta(u)))
    }
}

/// The cubic between two edges.
fn bridge<C: Change>(back: &Edge<C>, forth: &Edge<C>) -> C {
    let gap = (back.distance + forth.distance) as f64;
    let u = back.distance as f64 / gap;
    let mut sum = back.change * alpha(u) + forth.change * (1.0 - alpha(u));
    if let Some(slope) = back.slope {
        sum = sum + slope * (gap * beta(u));
    }
    if let Some(slope) = forth.slope {
        sum = sum + slope * (gap * beta(1.0 - u));
    }
    sum
}

/// The nearest change in one direction, with the slope that it has there. Never looks beyond the neighbourhood, where the
/// online form has no frames.
fn find_edge<T, C: Change>(
    frames: &(impl Frames<T> + ?Sized),
    reach: Reach,
    mark: &impl Fn(&T) -> Mark<C>,
    frame_at: impl Fn(usize) -> Option<usize>,
) -> Option<Edge<C>> {
    let mark_at = |k: usize| frame_at(k).and_then(|frame| frames.at(frame)).map_or(Mark::Barrier, mark);
    let outward = reach.outward();
    if outward == 0 {
        return None;
    }
    let mut distance = 1;
    let change = loop {
        match mark_at(distance) {
            Mark::Made(change) => break change,
            Mark::Open if distance < outward => distance += 1,
            Mark::Open | Mark::Barrier => return None,
        }
    };
    let mut slope = None;
    for inward in 1..=reach.slope.min(reach.span - distance) {
        let Mark::Made(deeper) = mark_at(distance + inward) else { break };
        slope = Some((change - deeper) * (1.0 / inward as f64));
    }
    Some(Edge { change, slope, distance })
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
        for (there, nearest) in [(value_at(frame.checked_sub(k)), &mut behind), (value_at(Some(frame + k)), &mut ahead)]
        {
            let Some(there) = there else { continue };
            nearest.get_or_insert(k);
            sum = Some(sum.map_or(there * weight, |sum| sum + there * weight));
            total += weight;
        }
    }
    let is_bridged = behind.zip(ahead).is_some_and(|(behind, ahead)| behind + ahead <= span + 1);
    if here.is_some() || is_bridged { sum.map(|sum| sum * (1.0 / total)) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(frame: &Option<f64>) -> Mark<f64> {
        frame.map_or(Mark::Open, Mark::Made)
    }

    /// The complete curve: made changes, and blends between them.
    fn curve(frames: &[Option<f64>], reach: Reach) -> Vec<f64> {
        let value =
            |(frame, made): (usize, &Option<f64>)| made.or_else(|| blended(frames, frame, reach, mark)).unwrap_or(0.0);
        frames.iter().enumerate().map(value).collect()
    }

    #[test]
    fn alpha_is_the_cubic_of_equation_3() {
        for (u, value) in [(0.0, 1.0), (0.25, 0.84375), (0.5, 0.5), (1.0, 0.0), (2.0, 0.0), (-1.0, 1.0)] {
            assert!((alpha(u) - value).abs() < 1e-15);
        }
    }

    #[test]
    fn blends_leave_the_edge_with_the_slope_that_it_has() {
        let mut frames = vec![None; 100];
        for (frame, made) in frames.iter_mut().enumerate().take(60).skip(40) {
            *made = Some(1.0 + 0.01 * (frame as f64 - 50.0));
        }
        let curve = curve(&frames, Reach { span: 20, slope: 3 });
        let speeds: Vec<f64> = curve.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let jolts = speeds.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        assert!(jolts.fold(0.0, f64::max) < 0.025, "no kink at either edge");
        assert_eq!((curve[22], curve[77]), (0.0, 0.0));
    }

    #[test]
    fn a_short_gap_is_bridged_and_a_long_one_is_not() {
        let gap = |n: usize| {
            let made = std::iter::repeat_n(Some(1.0), 10);
            let frames: Vec<Option<f64>> = made.clone().chain(std::iter::repeat_n(None, n)).chain(made).collect();
            curve(&frames, Reach { span: 20, slope: 3 })[10 + n / 2]
        };
        assert!((gap(8) - 1.0).abs() < 1e-12);
        assert!(gap(38) < 0.3);
    }

    #[test]
    fn a_mean_bridges_gaps_no_longer_than_itself() {
        let made = std::iter::repeat_n(Some(2.0), 5);
        let frames: Vec<Option<f64>> = made.clone().chain([None; 4]).chain(made).collect();
        assert_eq!(mean_across(&frames, 6, 4, |frame| *frame), Some(2.0));
        assert_eq!(mean_across(&frames, 6, 3, |frame| *frame), None);
        assert_eq!(mean_around(&frames, 6, 4, |frame| *frame), None);
    }
}
