//! Where one part of a foot rests: runs of slow and low frames, joined and trimmed.

use super::trace::quantile;
use super::{DetectOptions, PointTrace};
use std::ops::Range;
use surefoot_geom::Vec3;
use surefoot_motion::count_frames;

/// The share of a plant's frames that are no faster than its slide: in the others a part may come to rest or leave.
const SLIDE_QUANTILE: f64 = 0.25;
/// Edges may be this many times as fast as the slide, however small the swing: the noise of a planted foot.
const NOISE_FACTOR: f64 = 4.0;
/// Slides below this are errors of rounding: positions of ten metres in double precision, 240 times a second. In metres a second.
const LEAST_SLIDE: f64 = 1e-12;
/// Swings that edges are measured by: the slowest steps, and no glitch of a recording. In metres a second.
const SWING_SPEEDS: [f64; 2] = [1.0, 10.0];

/// How far a recording throws a standing part in a glitch; what moves further was somewhere else. In metres.
const GLITCH: f64 = 0.1;

/// The plants of one part, in order of time.
pub(super) fn find_plants(trace: &PointTrace, frame_rate: f64, options: &DetectOptions) -> Vec<Range<usize>> {
    let mut plants: Vec<Range<usize>> = Vec::new();
    for run in slow_runs(trace, options) {
        match plants.last_mut() {
            Some(last) if is_same_plant(trace, last, &run, frame_rate, options) => last.end = run.end,
            _ => plants.push(run),
        }
    }
    let n_frames = trace.position.len();
    let trimmed = plants.iter().enumerate().map(|(index, plant)| {
        let before = index.checked_sub(1).map_or(0, |before| plants[before].end);
        let after = plants.get(index + 1).map_or(n_frames, |after| after.start);
        trim(trace, plant.clone(), before..after, frame_rate, options)
    });
    // What the clip cuts off at both ends may have been planted for any time.
    let is_whole_clip = |plant: &Range<usize>| plant.len() == n_frames;
    let lasts =
        |plant: &Range<usize>| plant.len() as f64 >= options.shortest_plant * frame_rate || is_whole_clip(plant);
    trimmed.filter(lasts).collect()
}

/// Hysteresis: runs of frames in which the part may remain planted, with one in which it may come to rest.
fn slow_runs(trace: &PointTrace, options: &DetectOptions) -> Vec<Range<usize>> {
    let n_frames = trace.position.len();
    let mut runs = Vec::new();
    let mut start = 0;
    let mut rests = false;
    for frame in 0..=n_frames {
        if frame < n_frames && trace.may_stay_planted(frame, options) {
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
fn is_same_plant(
    trace: &PointTrace,
    earlier: &Range<usize>,
    later: &Range<usize>,
    frame_rate: f64,
    options: &DetectOptions,
) -> bool {
    let seconds = (later.start - earlier.end) as f64 / frame_rate;
    let place = trace.position[earlier.end - 1];
    let is_near = |reach: f64| remains_near(trace, place, earlier.end..later.start + 1, reach);
    (seconds < options.shortest_swing && is_near(GLITCH))
        || (seconds <= options.longest_gap && is_near(options.same_place))
}

fn remains_near(trace: &PointTrace, place: Vec3, mut frames: Range<usize>, reach: f64) -> bool {
    frames.all(|frame| trace.position[frame].distance(place) < reach)
}

/// A plant without the ends in which the part still comes to rest or begins to leave. What is planted will be frozen: an edge
/// where the part is still fast would become a jolt.
///
/// The two scales of speed, that of the slide and that of the swing, lie far apart: their geometric mean separates them
/// wherever they are. In a recording the slide is noise and the limit 0.1 to 0.4 m/s. In a motion that was made or cleaned
/// there is none, and edges are found to the frame. The frames of `room` are in no other plant.
fn trim(
    trace: &PointTrace,
    plant: Range<usize>,
    room: Range<usize>,
    frame_rate: f64,
    options: &DetectOptions,
) -> Range<usize> {
    let slide = slide_speed(&trace.speed[plant.clone()]);
    let limit = |frame: usize| {
        let swing = trace.peak_speed[frame].clamp(SWING_SPEEDS[0], SWING_SPEEDS[1]);
        (options.edge_factor * (slide * swing).sqrt()).max(NOISE_FACTOR * slide)
    };
    let heights: Vec<f64> = trace.position[plant.clone()].iter().map(|place| place.y).collect();
    let level = quantile(heights, 0.5).unwrap_or(0.0);
    let is_still =
        |frame: &usize| trace.speed[*frame] <= limit(*frame) && trace.position[*frame].y <= level + options.edge_height;
    let (Some(first), Some(last)) = (plant.clone().find(is_still), plant.clone().rfind(is_still)) else {
        return plant;
    };
    // At the ends of a clip nothing comes or leaves unless it is seen to, or was planted elsewhere.
    let n_frames = trace.position.len();
    let most = count_frames(options.longest_gap * frame_rate);
    let is_near =
        |place: usize, frames: Range<usize>| remains_near(trace, trace.position[place], frames, options.same_place);
    let stood_before = room.start == 0 && plant.start <= most && is_near(first, 0..first);
    let stands_after = room.end == n_frames && n_frames - plant.end <= most && is_near(last, last..n_frames);
    let start = if stood_before { 0 } else { first };
    let end = if stands_after { n_frames } else { last + 1 };
    start..end
}

/// How fast a part slides while it is planted. Frames that repeat the one before do not show it.
fn slide_speed(speeds: &[f64]) -> f64 {
    let moving: Vec<f64> = speeds.iter().copied().filter(|&speed| speed > 0.0).collect();
    quantile(moving, SLIDE_QUANTILE).unwrap_or(0.0).max(LEAST_SLIDE)
}
