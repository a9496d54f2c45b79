//! An animation as it is written: a channel for each rotation, and for each translation that moves.

use super::extras::Extras;
use super::numbers::{Numbers, fields};
use super::write::{FLOAT, key_time};
use serde_json::{Map, Value, json};
use surefoot_geom::rotation::make_continuous;
use surefoot_geom::{Quat, Vec3};

/// The motion of one node.
pub(super) struct Track {
    /// Its index in the file.
    pub(super) node: usize,
    /// One for each frame.
    pub(super) rotations: Vec<Quat>,
    /// One for each frame, or one for all of them; none if the node keeps the translation it has.
    pub(super) translations: Vec<Vec3>,
}

/// Adds the numbers of an animation, and returns its JSON. `n` is the number of frames, at least one.
pub(super) fn write_animation(
    numbers: &mut Numbers,
    tracks: &mut [Track],
    (n, frame_rate): (usize, f64),
    name: &str,
    extras: &Extras,
) -> Value {
    let mut channels = Channels { samplers: Vec::new(), channels: Vec::new() };
    let times = add_times(numbers, n, frame_rate);
    // A single key at the beginning, for what does not move.
    let first = tracks.iter().any(|track| n > 1 && track.translations.len() == 1);
    let first = if first { add_times(numbers, 1, frame_rate) } else { times };

    let view = numbers.begin_view();
    let start = numbers.bin.len();
    for track in tracks.iter_mut() {
        let offset = numbers.bin.len() - start;
        make_continuous(&mut track.rotations);
        track.rotations.iter().for_each(|rotation| numbers.put_floats(&rotation.as_quat().to_array()));
        let output = numbers.add_accessor(view, offset, FLOAT, n, "VEC4", Map::new());
        channels.add(track.node, "rotation", [times, output]);
    }
    numbers.end_view(view, None);
    if tracks.iter().any(|track| !track.translations.is_empty()) {
        let view = numbers.begin_view();
        let start = numbers.bin.len();
        for track in tracks.iter().filter(|track| !track.translations.is_empty()) {
            let offset = numbers.bin.len() - start;
            track.translations.iter().for_each(|place| numbers.put_floats(&place.as_vec3().to_array()));
            let count = track.translations.len();
            let output = numbers.add_accessor(view, offset, FLOAT, count, "VEC3", Map::new());
            channels.add(track.node, "translation", [if count == n { times } else { first }, output]);
        }
        numbers.end_view(view, None);
    }

    let mut animation = json!({ "channels": channels.channels, "samplers": channels.samplers });
    animation["extras"] = serde_json::to_value(extras).unwrap_or_default();
    if !name.is_empty() {
        animation["name"] = json!(name);
    }
    animation
}

fn add_times(numbers: &mut Numbers, n: usize, frame_rate: f64) -> usize {
    let times: Vec<f32> = (0..n).map(|frame| key_time(frame, frame_rate)).collect();
    let view = numbers.begin_view();
    numbers.put_floats(&times);
    numbers.end_view(view, None);
    let span = json!({ "min": [f64::from(times[0])], "max": [f64::from(times[n - 1])] });
    numbers.add_accessor(view, 0, FLOAT, n, "SCALAR", fields(span))
}

/// Channels and their samplers, one for one.
struct Channels {
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

impl Channels {
    /// A channel from accessors of times and values.
    fn add(&mut self, node: usize, path: &str, [input, output]: [usize; 2]) {
        self.channels.push(json!({ "sampler": self.samplers.len(), "target": { "node": node, "path": path } }));
        self.samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
    }
}
