//! Where one part of a foot rests: runs of slow and low frames, joined and trimmed.

use super::{DetectOptions, PointTrace};
use std::ops::Range;
use surefoot_geom::Vec3;

/// The share of a plant's frames that are no faster than its slide: in the others a part may come to rest or leave.
const SLIDE_QUANTILE: f64 = 0.25;
/// Edges may be this many times as fast as the slide, however small the swing: the noise of a foot that just stands.
const NOISE_FACTOR: f64 = 4.0;
/// Swings that edges are measured by: the slowest steps, and no glitch of a recording. In metres a second.
const SWING_SPEEDS: [f64; 2] = [1.0, 10.0];

/// The stays of one part, in order of time.
pub(super) fn find_stays(trace: &PointTrace, frame_rate: f64, options: &DetectOptions) -> Vec<Range<usize>> {
    let mut stays: Vec<Range<usize>> = Vec::new();
    for run in slow_runs(trace, options) {
        match stays.last_mut() {
            Some(last) if is_same_stay(trace, last, &run, frame_rate, options) => last.end = run.end,
            _ => stays.push(run),
        }
    }
    let trimmed = stays.into_iter().map(|stay| trim(trace, stay, options));
    // What the clip cuts off at both ends may have stood for any time.
    let is_whole_clip = |stay: &Range<usize>| stay.len() == trace.position.len();
    let lasts = |stay: &Range<usize>| stay.len() as f64 >= options.shortest_stay * frame_rate || is_whole_clip(stay);
    trimmed.filter(lasts).collect()
}

/// Hysteresis: runs of frames in which the part may stay, with one in which it may come to rest.
fn slow_runs(trace: &PointTrace, options: &DetectOptions) -> Vec<Range<usize>> {
    let n_frames = trace.position.len();
    let mut runs = Vec::new();
    let mut start = 0;
    let mut rests = false;
    for frame in 0..=n_frames {
        if frame < n_frames && trace.may_stay(frame, options) {
            rests |= trace.may_rest(frame, options);
            continue;
        }
        if rests {
            runs.push(start..frame);
        }
        start = frame + 1;
        rests = false;
    }
    runs
}

/// Whether a part that moved was at rest again in no time, and had never been away far.
fn is_same_stay(
    trace: &PointTrace,
    earlier: &Range<usize>,
    later: &Range<usize>,
    frame_rate: f64,
    options: &DetectOptions,
) -> bool {
    let seconds = (later.start - earlier.end) as f64 / frame_rate;
    let place = trace.position[earlier.end - 1];
    seconds <= options.longest_gap && stays_near(trace, place, earlier.end..later.start + 1, options)
}

fn stays_near(trace: &PointTrace, place: Vec3, mut frames: Range<usize>, options: &DetectOptions) -> bool {
    frames.all(|frame| trace.position[frame].distance(place) < options.same_place)
}

/// A stay without the ends in which the part still comes to rest or begins to leave. What is planted will be frozen: an edge
/// where the part is still fast would become a jolt.
///
/// The two scales of speed, that of the slide and that of the swing, lie far apart: their geometric mean separates them
/// wherever they are. In a recording the slide is noise and the limit 0.1 to 0.4 m/s. In a motion that was made or cleaned
/// there is none, and edges are found to the frame.
fn trim(trace: &PointTrace, stay: Range<usize>, options: &DetectOptions) -> Range<usize> {
    let slide = slide_speed(&trace.speed[stay.clone()]);
    let limit = |frame: usize| {
        let swing = trace.peak_speed[frame].clamp(SWING_SPEEDS[0], SWING_SPEEDS[1]);
        (options.edge_factor * (slide * swing).sqrt()).max(NOISE_FACTOR * slide)
    };
    let is_still = |frame: &usize| trace.speed[*frame] <= limit(*frame);
    let (Some(first), Some(last)) = (stay.clone().find(is_still), stay.clone().rfind(is_still)) else {
        return stay;
    };
    // At the ends of a clip nothing comes or leaves unless it is seen to.
    let n_frames = trace.position.len();
    let stood_before = stay.start == 0 && stays_near(trace, trace.position[first], 0..first, options);
    let stands_after = stay.end == n_frames && stays_near(trace, trace.position[last], last..n_frames, options);
    let start = if stood_before { 0 } else { first };
    let end = if stands_after { n_frames } else { last + 1 };
    start..end
}

/// How fast a part slides while it stands: the speed that the slowest quarter of the frames stays below.
fn slide_speed(speeds: &[f64]) -> f64 {
    let mut speeds = speeds.to_vec();
    let place = (speeds.len().saturating_sub(1) as f64 * SLIDE_QUANTILE) as usize;
    if speeds.is_empty() { 0.0 } else { *speeds.select_nth_unstable_by(place, f64::total_cmp).1 }
}
