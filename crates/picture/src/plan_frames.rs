//! Which frames to draw, and in which direction the body goes.

use crate::subject::{Actor, FARTHEST};
use crate::{FrameChoice, PictureError, RenderOptions};
use std::ops::Range;
use surefoot_geom::{Vec2, Vec3};

/// Most figures in one picture.
const MAX_FIGURES: usize = 512;
/// A body that ends up closer than this to where it began has not travelled, in metres.
const TRAVEL: f64 = 0.5;
/// Poses looked at to find out where the body faces.
const FACING_SAMPLES: usize = 32;

/// The frames that the options ask for; a single `None`, the rest pose, for a clip without frames.
pub(crate) fn plan_frames(actor: &Actor<'_>, options: &RenderOptions) -> Result<Vec<Option<usize>>, PictureError> {
    let n_asked = match &options.frames {
        FrameChoice::Evenly(n) | FrameChoice::EvenlyAlongPath(n) => *n,
        FrameChoice::Chosen(frames) => frames.len(),
    };
    if n_asked == 0 {
        return Err(PictureError::NoFrames);
    }
    if n_asked > MAX_FIGURES {
        return Err(PictureError::TooManyFrames { n: n_asked, max: MAX_FIGURES });
    }
    let range = plan_range(actor, options)?;
    let frames = match &options.frames {
        FrameChoice::Chosen(frames) => {
            let n_frames = actor.subject.clip.n_frames();
            if let Some(&frame) = frames.iter().find(|&&frame| frame >= n_frames) {
                return Err(PictureError::NoSuchFrame { frame, n_frames });
            }
            return Ok(frames.iter().copied().map(Some).collect());
        }
        FrameChoice::Evenly(n) => evenly(range, *n),
        FrameChoice::EvenlyAlongPath(n) => evenly_along_path(actor, range, *n),
    };
    Ok(if frames.is_empty() { vec![None] } else { frames.into_iter().map(Some).collect() })
}

/// The part of the clip that is drawn; empty only for a clip without frames.
pub(crate) fn plan_range(actor: &Actor<'_>, options: &RenderOptions) -> Result<Range<usize>, PictureError> {
    let n_frames = actor.subject.clip.n_frames();
    let range = options.range.clone().unwrap_or(0..n_frames);
    if range.end > n_frames {
        return Err(PictureError::NoSuchFrame { frame: range.end - 1, n_frames });
    }
    if range.is_empty() && n_frames > 0 {
        return Err(PictureError::NoFrames);
    }
    Ok(range)
}

/// At most `n` frames of a range, evenly spaced, first and last included.
pub(crate) fn evenly(range: Range<usize>, n: usize) -> Vec<usize> {
    if range.len() <= n {
        return range.collect();
    }
    if n == 1 {
        return vec![range.start + range.len() / 2];
    }
    let step = (range.len() - 1) as f64 / (n - 1) as f64;
    (0..n).map(|i| range.start + (i as f64 * step).round() as usize).collect()
}

/// At most `n` frames at even distances along the pelvis trajectory.
fn evenly_along_path(actor: &Actor<'_>, range: Range<usize>, n: usize) -> Vec<usize> {
    let mut travelled = 0.0;
    let mut last = None;
    let distances: Vec<f64> = range
        .clone()
        .map(|frame| {
            let here = actor.pelvis_ground(&actor.moment(Some(frame)).pose);
            travelled += last.map_or(0.0, |last: Vec2| last.distance(here));
            last = Some(here);
            travelled
        })
        .collect();
    if travelled < TRAVEL || n < 2 {
        return evenly(range, n);
    }
    let mut frames: Vec<usize> = (0..n)
        .map(|i| {
            let distance = travelled * i as f64 / (n - 1) as f64;
            let index = distances.partition_point(|&passed| passed < distance).min(range.len() - 1);
            range.start + index
        })
        .collect();
    frames.dedup();
    frames
}

/// What "forward" means to a picture's views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forward {
    /// Where the body faces, or the direction in which it travels where the two agree: for pictures that follow the body.
    OfBody,
    /// The direction in which it travels, or its opposite where the body goes backward: for pictures of the complete path.
    OfPath,
}

/// The ground direction that views are relative to: the net travel if that is over half a metre, else where the body faces,
/// else +Z. A body that steps sideways is seen from its own front all the same unless the picture is about its path, and
/// one that walks backward never faces the picture's left.
pub(crate) fn forward_direction(actor: &Actor<'_>, range: Range<usize>, kind: Forward) -> Vec3 {
    let facing = mean_facing(actor, range.clone());
    let travel = net_travel(actor, range);
    match (travel, facing) {
        (Some(travel), Some(facing)) => {
            let agreement = travel.dot(facing);
            match kind {
                // 45 degrees: nearer to its side than to its front.
                Forward::OfBody if agreement < std::f64::consts::FRAC_1_SQRT_2 => facing,
                Forward::OfPath if agreement < -0.5 => -travel,
                _ => travel,
            }
        }
        (Some(direction), None) | (None, Some(direction)) => direction,
        (None, None) => Vec3::Z,
    }
}

fn net_travel(actor: &Actor<'_>, range: Range<usize>) -> Option<Vec3> {
    let (first, last) = (range.start, range.end.checked_sub(1)?);
    let [from, to] = [first, last].map(|frame| actor.pelvis_ground(&actor.moment(Some(frame)).pose));
    let offset = to - from;
    (offset.length() > TRAVEL).then(|| Vec3::new(offset.x, 0.0, offset.y).normalize())
}

/// The mean over some frames, or of the rest pose; `None` without a body or for one that turns all around.
fn mean_facing(actor: &Actor<'_>, range: Range<usize>) -> Option<Vec3> {
    let body = actor.subject.body?;
    let frames = evenly(range, FACING_SAMPLES);
    let facing_at = |frame| {
        let facing = body.facing(&actor.moment(frame).pose);
        if facing.is_finite() { facing } else { Vec3::ZERO }
    };
    let sum: Vec3 =
        if frames.is_empty() { facing_at(None) } else { frames.iter().map(|&frame| facing_at(Some(frame))).sum() };
    // A sum of directions much shorter than their number has no direction of its own.
    let mean = sum / frames.len().max(1) as f64;
    if mean.length() > 0.3 { Some(mean.normalize()) } else { facing_at(frames.first().copied()).try_normalize() }
}

/// The pelvis trajectory over the ground, at most `n` points.
pub(crate) fn pelvis_path(actor: &Actor<'_>, range: Range<usize>, n: usize, height: f64) -> Vec<Vec3> {
    evenly(range, n)
        .into_iter()
        .map(|frame| {
            let ground = actor.pelvis_ground(&actor.moment(Some(frame)).pose);
            Vec3::new(ground.x, height.clamp(-FARTHEST, FARTHEST), ground.y)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_frames_begin_with_the_first_and_end_with_the_last() {
        assert_eq!(evenly(0..100, 4), [0, 33, 66, 99]);
        assert_eq!(evenly(10..13, 12), [10, 11, 12]);
        assert_eq!(evenly(0..7, 1), [3]);
        assert!(evenly(0..0, 5).is_empty());
        for n in 2..40 {
            let frames = evenly(5..517, n);
            assert!(frames.len() == n && frames[0] == 5 && frames[n - 1] == 516);
            assert!(frames.windows(2).all(|w| w[0] < w[1]));
        }
    }
}
