//! What a gait came to: speed, step length and cadence, measured on the poses that are written.

use serde::{Deserialize, Serialize};
use surefoot_contact::Take;
use surefoot_geom::{Vec2, ground_point};
use surefoot_plan::{FootprintRow, SynthesisReport};

/// Steps at either end that start and stop, where there are enough others.
const ENDS: usize = 2;
/// Fewest landings between them.
const ENOUGH: usize = 4;

/// What a stretch of a motion came to, over its strides, each from a landing of a foot to its next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MadeGait {
    /// Of the pelvis along the ground, in m/s.
    pub speed: f64,
    /// Half of what the pelvis covers in a stride, in metres.
    pub step_length: f64,
    /// Steps a second.
    pub cadence: f64,
    /// Speed of the fastest stride, in m/s.
    pub fastest: f64,
}

/// A part of a motion in one gait.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GaitSpan {
    /// As plans name behaviours: `walk`, `run`, `jump`.
    pub gait: String,
    /// The landing before its first step, in seconds from the first frame.
    pub from: f64,
    /// Its last landing.
    pub to: f64,
    /// Of the pelvis along the ground over it.
    pub speed_km_per_hour: f64,
}

/// Reads where the pelvis is between frames.
struct Track {
    places: Vec<Vec2>,
    rate: f64,
}

impl Track {
    fn new(take: &Take) -> Track {
        let poses = take.clip.world();
        let places = poses.iter().map(|pose| ground_point(pose.position(take.body.pelvis))).collect();
        Track { places, rate: take.clip.frame_rate }
    }

    fn at(&self, time: f64) -> Vec2 {
        let last = self.places.len() - 1;
        let frame = (time * self.rate).clamp(0.0, last as f64);
        let (before, share) = ((frame as usize).min(last), frame.fract());
        self.places[before].lerp(self.places[(before + 1).min(last)], share)
    }
}

/// What a motion came to in full motion; `None` if no foot lands twice.
pub(crate) fn measure_made(take: &Take, report: &SynthesisReport) -> Option<MadeGait> {
    let rows = &report.footprints;
    let all = strides(rows, &Track::new(take));
    // Without those that start and stop.
    let steady = match all.len() >= 2 * ENDS + ENOUGH {
        true => &all[ENDS..all.len() - ENDS],
        false => &all[..],
    };
    let fastest = all.iter().map(|(distance, seconds)| distance / seconds).max_by(f64::total_cmp)?;
    let distance: f64 = steady.iter().map(|stride| stride.0).sum();
    let seconds: f64 = steady.iter().map(|stride| stride.1).sum();
    let n_steps = 2.0 * steady.len() as f64;
    Some(MadeGait { speed: distance / seconds, step_length: distance / n_steps, cadence: n_steps / seconds, fastest })
}

/// Distance and duration of every stride.
fn strides(rows: &[FootprintRow], track: &Track) -> Vec<(f64, f64)> {
    let next = |row: &FootprintRow| rows[row.index + 1..].iter().find(|other| other.side == row.side);
    // The second of the standing feet has landed where the motion begins with it.
    let first = usize::from(rows.get(2).is_some_and(|row| row.land - row.swing.actual.unwrap_or(0.0) > 0.3)) + 1;
    let strides = rows.iter().skip(first).filter_map(|row| {
        let next = next(row)?;
        let seconds = next.land - row.land;
        (seconds > 1e-6).then(|| (track.at(row.land).distance(track.at(next.land)), seconds))
    });
    strides.collect()
}

/// Which gait when.
pub(crate) fn measure_spans(take: &Take, report: &SynthesisReport) -> Vec<GaitSpan> {
    let track = Track::new(take);
    let mut spans: Vec<GaitSpan> = Vec::new();
    let rows = &report.footprints;
    for pair in rows.windows(2).skip(1) {
        let Some(behaviour) = pair[1].behaviour else { continue };
        let gait = behaviour.name();
        match spans.last_mut().filter(|span| span.gait == gait) {
            Some(span) => span.to = pair[1].land,
            None => {
                let (gait, from, to) = (gait.to_string(), pair[0].land, pair[1].land);
                spans.push(GaitSpan { gait, from, to, speed_km_per_hour: 0.0 });
            }
        }
    }
    for span in &mut spans {
        // Along the way, stride by stride.
        let lands = rows.iter().map(|row| row.land).filter(|land| (span.from..=span.to).contains(land));
        let lands: Vec<f64> = lands.collect();
        let way: f64 = lands.windows(2).map(|pair| track.at(pair[0]).distance(track.at(pair[1]))).sum();
        span.speed_km_per_hour = 3.6 * way / (span.to - span.from).max(1e-6);
    }
    spans
}
