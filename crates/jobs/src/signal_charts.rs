//! Charts of edits: the tool's own figure, as SIGNAL draws it, and the curves that changed most, before and after.

use crate::signal_edits::{Applied, Trace};
use surefoot_motion::{BodyMap, Clip, Skeleton};
use surefoot_picture::{Chart, Curve, Dash};
use surefoot_signal::{Bands, Curves, Edge, Quantity, Selection, Shape, TimeWarp, Track, band_ranges, gains_response};

/// Channels of a clip that are shown before and after.
const MAX_ROWS: usize = 6;

/// The charts of one edit.
pub(crate) fn charts_of(
    tool: &str,
    before: &Clip,
    body: Option<&BodyMap>,
    applied: &Applied,
    selection: &Selection,
) -> Vec<Chart> {
    let after = &applied.take.clip;
    let channels = Curves::read_all(&[before, after]);
    let shown = most_changed(&channels[0], &channels[1], selection);
    let mut charts = match (&applied.trace, shown.first()) {
        (Trace::Gains(gains), Some(&channel)) => equalizer_charts(&channels[0], channel, gains),
        (Trace::Warp { warp, other }, _) => {
            // A knee, as the paper shows it, where there is one.
            let knee = body.map(|body| Selection::of_joints(&before.skeleton, [body.legs.left.knee]));
            warp_charts(before, other, warp, knee.as_ref().unwrap_or(selection))
        }
        (Trace::Shape(shape), _) => vec![shape_chart(shape)],
        (Trace::Keys(frames), Some(_)) => {
            shown.iter().take(2).map(|&channel| displacement_chart(&channels, channel, frames)).collect()
        }
        _ => Vec::new(),
    };
    charts.extend(shown.into_iter().map(|channel| before_after(tool, &channels, channel)));
    charts
}

/// One channel of each joint, those that changed most first. Where frames do not correspond, those that move most.
fn most_changed(before: &Curves, after: &Curves, selection: &Selection) -> Vec<usize> {
    let change = |channel: usize| {
        let (a, b) = (before.channel(channel), after.channel(channel));
        if a.len() == b.len() {
            a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>() / a.len().max(1) as f64
        } else {
            let mean = a.iter().sum::<f64>() / a.len().max(1) as f64;
            a.iter().map(|a| (a - mean) * (a - mean)).sum::<f64>() / a.len().max(1) as f64
        }
    };
    let tracks = before.tracks();
    let mut ranked: Vec<(f64, usize)> = (0..tracks.len())
        .filter(|&channel| selection.covers(tracks[channel]))
        .map(|channel| (change(channel), channel))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut shown: Vec<usize> = Vec::new();
    for (change, channel) in ranked {
        let is_new = shown.iter().all(|&other| tracks[other].joint != tracks[channel].joint);
        if shown.len() < MAX_ROWS && is_new && (change > 0.0 || shown.is_empty()) {
            shown.push(channel);
        }
    }
    shown
}

/// Which colours of the page curves have.
const BLUE: usize = 0;
const ORANGE: usize = 1;
const GREEN: usize = 2;
const GREY: usize = 5;

fn before_after(tool: &str, channels: &[Curves], channel: usize) -> Chart {
    let track = channels[0].tracks()[channel];
    let curve = |name: &str, curves: &Curves, colour| over_time(name, curves, channel, colour);
    Chart {
        title: format!("{tool}: {}", name_of(track, &channels[0].skeleton)),
        x: "seconds".to_string(),
        y: unit_of(track).to_string(),
        curves: vec![curve("before", &channels[0], GREY), curve("after", &channels[1], BLUE)],
    }
}

fn name_of(track: Track, skeleton: &Skeleton) -> String {
    let quantity = match track.quantity {
        Quantity::Rotation(axis) => ["rotation x", "rotation y", "rotation z"][axis],
        Quantity::Translation(axis) => ["offset x", "offset y", "offset z"][axis],
        Quantity::Heading => "heading",
        Quantity::Ground(axis) => ["place x", "place z"][axis],
        Quantity::Height => "height",
    };
    format!("{}, {quantity}", skeleton.name(track.joint))
}

fn unit_of(track: Track) -> &'static str {
    if track.quantity.is_angle() { "degrees" } else { "cm" }
}

fn in_unit(track: Track, value: f64) -> f64 {
    if track.quantity.is_angle() { value.to_degrees() } else { value * 100.0 }
}

fn over_time(name: &str, curves: &Curves, channel: usize, colour: usize) -> Curve {
    series(name, curves.channel(channel), curves.tracks()[channel], curves.frame_rate, colour)
}

fn series(name: &str, values: &[f64], track: Track, frame_rate: f64, colour: usize) -> Curve {
    let points = values.iter().enumerate();
    Curve {
        name: name.to_string(),
        points: points.map(|(frame, value)| [frame as f64 / frame_rate, in_unit(track, *value)]).collect(),
        colour,
        dash: Dash::Solid,
    }
}

/// Levels and bands of one channel (figure 5.1), and what the gains do.
fn equalizer_charts(before: &Curves, channel: usize, gains: &[f64]) -> Vec<Chart> {
    let track = before.tracks()[channel];
    let name = name_of(track, &before.skeleton);
    let bands = Bands::split(before.channel(channel), Edge::Reflected);
    let ranges = band_ranges(before.n_frames(), before.frame_rate);
    let curve = |name: &str, values: &[f64], colour| series(name, values, track, before.frame_rate, colour);
    let page =
        |title: String, curves: Vec<Curve>| Chart { title, x: "seconds".into(), y: unit_of(track).into(), curves };
    let low = bands.n_bands().min(3);
    let levels = page(
        format!("levels of {name}"),
        vec![curve("G0", before.channel(channel), GREY), curve(&format!("G{low}"), &bands.gaussian(low), BLUE)],
    );
    let shown = ranges.iter().filter(|range| range.band % 2 == 0).take(3);
    let colours = [GREY, BLUE, ORANGE];
    let of_band = |(index, range): (usize, &surefoot_signal::BandRange)| {
        curve(&format!("L{} ({:.2} Hz)", range.band, range.peak_hz), bands.band(range.band), colours[index])
    };
    let split = page(format!("bands of {name}"), shown.enumerate().map(of_band).collect());
    let points = gains.iter().enumerate().map(|(band, gain)| [band as f64, *gain]).collect::<Vec<_>>();
    let gain = |dash, name: &str, points: Vec<[f64; 2]>| Curve { name: name.into(), points, colour: BLUE, dash };
    let by_band = Chart {
        title: "gain of each band, the fastest first".to_string(),
        x: "band".to_string(),
        y: "gain".to_string(),
        curves: vec![
            level(0.0, gains.len().saturating_sub(1) as f64),
            gain(Dash::Solid, "", points.clone()),
            gain(Dash::Dots, "", points),
        ],
    };
    let highest = (before.frame_rate / 2.0).min(HIGHEST_HZ);
    let response = |step: usize| {
        let hz = highest * step as f64 / RESPONSE_STEPS as f64;
        [hz, gains_response(gains, hz, before.frame_rate)]
    };
    let by_hz = Chart {
        title: "what becomes of a sine".to_string(),
        x: "Hz".to_string(),
        y: "gain".to_string(),
        curves: vec![level(0.0, highest), gain(Dash::Solid, "", (0..=RESPONSE_STEPS).map(response).collect())],
    };
    vec![levels, split, by_band, by_hz]
}

/// Bodies move hardly any faster.
const HIGHEST_HZ: f64 = 16.0;
const RESPONSE_STEPS: usize = 320;

/// A gain of 1.
fn level(from: f64, to: f64) -> Curve {
    Curve { name: String::new(), points: vec![[from, 1.0], [to, 1.0]], colour: GREY, dash: Dash::Dashed }
}

/// The path of a warp, and the channel that moves most before it and after (figure 5.8).
fn warp_charts(before: &Clip, other: &Curves, warp: &TimeWarp, selection: &Selection) -> Vec<Chart> {
    let rate = other.frame_rate;
    let end = |n_frames: usize| n_frames.saturating_sub(1) as f64 / rate;
    let (a_end, b_end) = (end(before.n_frames()), end(other.n_frames()));
    let path = (0..before.n_frames()).map(|frame| [frame as f64 / rate, warp.b_at(frame as f64) / rate]);
    let straight =
        Curve { name: "even pace".into(), points: vec![[0.0, 0.0], [a_end, b_end]], colour: GREY, dash: Dash::Dashed };
    let path = Chart {
        title: "which time belongs to which".to_string(),
        x: "seconds of the edited clip".to_string(),
        y: "seconds of the other".to_string(),
        curves: vec![straight, Curve { name: "warp".into(), points: path.collect(), colour: BLUE, dash: Dash::Solid }],
    };
    let clip_of_other = other.to_clip("other");
    let channels = Curves::read_all(&[before, &clip_of_other]);
    let still = channels[0].sample(&vec![0.0; channels[0].n_frames()]);
    let Some(&channel) = most_changed(&still, &channels[0], selection).first() else { return vec![path] };
    let name = name_of(channels[0].tracks()[channel], &channels[0].skeleton);
    let times: Vec<f64> = (0..other.n_frames()).map(|frame| warp.a_at(frame as f64)).collect();
    let warped = channels[0].sample(&times);
    let page = |title: &str, curves: Vec<Curve>| Chart {
        title: format!("{name}, {title}"),
        x: "seconds".to_string(),
        y: unit_of(channels[0].tracks()[channel]).to_string(),
        curves,
    };
    vec![
        path,
        page(
            "each at its own pace",
            vec![over_time("other", &channels[1], channel, GREEN), over_time("edited", &channels[0], channel, BLUE)],
        ),
        page(
            "at the other's pace",
            vec![
                over_time("other", &channels[1], channel, GREEN),
                over_time("edited, warped", &warped, channel, ORANGE),
            ],
        ),
    ]
}

/// What was added to a channel, and where its keys are (figure 5.13).
fn displacement_chart(channels: &[Curves], channel: usize, keys: &[usize]) -> Chart {
    let track = channels[0].tracks()[channel];
    let added: Vec<f64> = channels[1]
        .channel(channel)
        .iter()
        .zip(channels[0].channel(channel))
        .map(|(after, before)| after - before)
        .collect();
    let key =
        |&frame: &usize| [frame as f64 / channels[0].frame_rate, in_unit(track, added[frame.min(added.len() - 1)])];
    let keys =
        Curve { name: "keys".to_string(), points: keys.iter().map(key).collect(), colour: ORANGE, dash: Dash::Dots };
    Chart {
        title: format!("displacement of {}", name_of(track, &channels[0].skeleton)),
        x: "seconds".to_string(),
        y: unit_of(track).to_string(),
        curves: vec![series("displacement", &added, track, channels[0].frame_rate, BLUE), keys],
    }
}

/// The function of a shape (figure 5.11).
fn shape_chart(shape: &Shape) -> Chart {
    let place = |step: usize| -1.0 + 2.0 * step as f64 / 200.0;
    let curve =
        |name: &str, colour, dash, points: Vec<[f64; 2]>| Curve { name: name.to_string(), points, colour, dash };
    let points = shape.points().iter().map(|point| [point.x, point.y]).collect();
    Chart {
        title: "the shaping function".to_string(),
        x: "value, -1 to 1 over the range".to_string(),
        y: "becomes".to_string(),
        curves: vec![
            curve("as it is", GREY, Dash::Dashed, vec![[-1.0, -1.0], [1.0, 1.0]]),
            curve("shape", BLUE, Dash::Solid, (0..=200).map(|step| [place(step), shape.at(place(step))]).collect()),
            curve("points", BLUE, Dash::Dots, points),
        ],
    }
}
