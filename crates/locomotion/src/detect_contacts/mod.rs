//! When heels and balls stand, from the motion alone.

mod options;
mod running;
mod trace;

use crate::{Contacts, FootPart, Plant};
pub use options::DetectOptions;
use std::ops::Range;
use surefoot_geom::median;
use surefoot_motion::{BodyMap, PerSide, Side, WorldPose};
pub use trace::PointTrace;

/// The traces of one foot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FootTraces {
    /// Of the heel.
    pub heel: PointTrace,
    /// Of the ball.
    pub ball: PointTrace,
}

/// Contacts, and what they were found from.
#[derive(Clone, Debug, PartialEq)]
pub struct Detection {
    /// When which part stands.
    pub contacts: Contacts,
    /// Height, speed and limits of each part in each frame.
    pub traces: PerSide<FootTraces>,
}

/// Detects all plants of a motion.
pub fn detect_contacts(poses: &[WorldPose], body: &BodyMap, frame_rate: f64, options: &DetectOptions) -> Detection {
    let mut contacts = Contacts::none(poses.len());
    let traces = PerSide::from_fn(|side| {
        let mut foot = FootTraces::default();
        for part in FootPart::BOTH {
            let trace = PointTrace::new(poses, body, side, part, frame_rate, options);
            let ranges = stays(&trace, frame_rate, options);
            for frames in ranges {
                let position = trace.mean_position(&frames);
                contacts.plants[side].push(Plant { part, frames, position });
            }
            match part {
                FootPart::Heel => foot.heel = trace,
                FootPart::Ball => foot.ball = trace,
            }
        }
        foot
    });
    for side in Side::BOTH {
        contacts.plants[side].sort_by_key(|plant| (plant.frames.start, plant.frames.end));
    }
    Detection { contacts, traces }
}

/// Runs of frames that are slow and low, with one that surely is.
fn stays(trace: &PointTrace, frame_rate: f64, options: &DetectOptions) -> Vec<Range<usize>> {
    let n = trace.position.len();
    let likely = |k: usize| trace.height[k] < options.stay_height && trace.speed[k] < trace.stay_speed[k];
    let sure = |k: usize| trace.height[k] < options.rest_height && trace.speed[k] < trace.rest_speed[k];
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut k = 0;
    while k < n {
        let start = k;
        while k < n && likely(k) {
            k += 1;
        }
        if (start..k).any(sure) {
            match runs.last_mut() {
                Some(last) if ((start - last.end) as f64) < options.longest_gap * frame_rate => last.end = k,
                _ => runs.push(start..k),
            }
        }
        k += 1;
    }
    let trimmed = runs.into_iter().map(|run| trim(trace, run));
    trimmed.filter(|run| run.len() as f64 >= options.shortest_stay * frame_rate).collect()
}

/// Without the ends in which the part still comes to rest, or begins to leave.
fn trim(trace: &PointTrace, run: Range<usize>) -> Range<usize> {
    let slide = median(&mut trace.speed[run.clone()].to_vec()).unwrap_or(0.0);
    let still = |k: &usize| trace.speed[*k] <= (0.1 * slide * trace.peak_speed[*k]).sqrt().max(slide);
    let start = run.clone().find(still).unwrap_or(run.start);
    let end = run.clone().rfind(still).map_or(run.end, |last| last + 1);
    start..end.max(start)
}
