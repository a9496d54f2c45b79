//! Labels of steps: `*.labels.json`, version 1. They override what a segmentation found, or are compared with it.
//!
//! ```json
//! { "labels": 1, "clips": [ { "file": "13_40.bvh", "fps": 120, "stances": [
//!   { "foot": "left", "start": 0, "end": 157, "kind": "stand" },
//!   { "foot": "left", "start": 205, "end": 319, "kind": "jump", "take_off": "both", "landing": "both" } ] } ] }
//! ```
//!
//! Frames count from 0 after an artificial T-pose, half-open. `confidence` (1 unless given), `ball_m` and `heading_deg` are read too.
//! Further fields that the independent labels of recordings have are passed over; unknown ones are errors.

use crate::{ErrorKind, ReadError};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::fmt::Write;
use surefoot_compose::{Feet, GivenClip, GivenLabel, StepLabel};
use surefoot_geom::Vec3;
use surefoot_motion::Side;

const VERSION: u32 = 1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredLabels {
    labels: u32,
    clips: Vec<StoredClip>,
    #[serde(rename = "together_ms")]
    _together: Option<IgnoredAny>,
    #[serde(rename = "left_out")]
    _left_out: Option<IgnoredAny>,
    #[serde(rename = "counts")]
    _counts: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredClip {
    file: String,
    fps: Option<f64>,
    still_from: Option<usize>,
    stances: Vec<StoredStance>,
    #[serde(rename = "description")]
    _description: Option<IgnoredAny>,
    #[serde(rename = "frames")]
    _frames: Option<IgnoredAny>,
    #[serde(rename = "dropped_first")]
    _dropped: Option<IgnoredAny>,
    #[serde(rename = "metres_per_unit")]
    _unit: Option<IgnoredAny>,
    #[serde(rename = "flat")]
    _flat: Option<IgnoredAny>,
}

/// Without `deny_unknown_fields`: a stance may carry measurements beside what is read here.
#[derive(Deserialize)]
struct StoredStance {
    foot: String,
    start: usize,
    end: usize,
    kind: String,
    take_off: Option<String>,
    landing: Option<String>,
    confidence: Option<f64>,
    ball_m: Option<[f64; 3]>,
    heading_deg: Option<f64>,
}

/// Reads a file of labels.
pub fn read_step_labels(bytes: &[u8]) -> Result<Vec<GivenClip>, ReadError> {
    let stored: StoredLabels = serde_json::from_slice(bytes).map_err(|error| {
        let kind = if error.is_eof() { ErrorKind::UnexpectedEof } else { ErrorKind::Json };
        ReadError::at(kind, error.line(), format!("these are no labels of steps: {error}"))
    })?;
    if stored.labels != VERSION {
        let message = format!("the labels have version {}; this program reads version {VERSION}", stored.labels);
        return Err(ReadError::new(ErrorKind::Version, message));
    }
    let clips = stored.clips.into_iter().enumerate().map(|(index, clip)| {
        if let Some(rate) = clip.fps.filter(|rate| !(rate.is_finite() && *rate > 0.0 && *rate <= 1000.0)) {
            return Err(wrong(index, None, &format!("fps {rate}; frames per second are above 0, such as 120")));
        }
        let labels = clip.stances.into_iter().enumerate();
        let labels =
            labels.map(|(stance, stored)| read_label(stored).map_err(|what| wrong(index, Some(stance), &what)));
        Ok(GivenClip {
            file: clip.file,
            frame_rate: clip.fps,
            still_from: clip.still_from,
            labels: labels.collect::<Result<_, _>>()?,
        })
    });
    clips.collect()
}

fn wrong(clip: usize, stance: Option<usize>, what: &str) -> ReadError {
    let place = stance.map_or_else(String::new, |stance| format!(".stances[{stance}]"));
    ReadError::new(ErrorKind::Type, format!("clips[{clip}]{place}: {what}"))
}

fn read_label(stored: StoredStance) -> Result<GivenLabel, String> {
    let side = Side::BOTH.into_iter().find(|side| side.name() == stored.foot);
    let side = side.ok_or_else(|| format!("foot \"{}\"; needs \"left\" or \"right\"", stored.foot))?;
    let label = StepLabel::of_name(&stored.kind).ok_or_else(|| {
        let names = StepLabel::ALL.map(StepLabel::name).join(", ");
        format!("kind \"{}\"; needs one of {names}", stored.kind)
    })?;
    if stored.start >= stored.end {
        return Err(format!("frames {}..{} end before they begin", stored.start, stored.end));
    }
    let feet = |name: &str| {
        Feet::of_name(name).ok_or_else(|| format!("feet \"{name}\"; needs \"left\", \"right\" or \"both\""))
    };
    let feet = match (stored.take_off, stored.landing) {
        (Some(from), Some(to)) => Some([feet(&from)?, feet(&to)?]),
        (None, None) => None,
        _ => return Err("take_off and landing go together".to_string()),
    };
    let confidence = stored.confidence.unwrap_or(1.0);
    if !(0.0..=1.0).contains(&confidence) {
        return Err(format!("confidence {confidence}; from 0 to 1"));
    }
    let frames = stored.start..stored.end;
    let (ball, heading) = (stored.ball_m.map(Vec3::from), stored.heading_deg.map(f64::to_radians));
    Ok(GivenLabel { side, frames, label, feet, confidence, ball, heading })
}

/// Writes a file of labels, a line for each stance.
pub fn write_step_labels(clips: &[GivenClip]) -> String {
    let mut out = format!("{{ \"labels\": {VERSION}, \"clips\": [");
    for (index, clip) in clips.iter().enumerate() {
        let file = serde_json::Value::from(clip.file.as_str());
        let rate = clip.frame_rate.map_or_else(String::new, |rate| format!(", \"fps\": {rate}"));
        let comma = if index == 0 { "" } else { "," };
        // Writing to a string cannot fail.
        let _ = write!(out, "{comma}\n{{ \"file\": {file}{rate}, \"stances\": [");
        for (index, label) in clip.labels.iter().enumerate() {
            let GivenLabel { side, frames, label, feet, confidence, ball, heading } = label;
            let comma = if index == 0 { "" } else { "," };
            let (foot, kind) = (side.name(), label.name());
            let _ = write!(
                out,
                "{comma}\n  {{ \"foot\": \"{foot}\", \"start\": {}, \"end\": {}, \"kind\": \"{kind}\"",
                frames.start, frames.end
            );
            if let Some([from, to]) = feet {
                let _ = write!(out, ", \"take_off\": \"{}\", \"landing\": \"{}\"", from.name(), to.name());
            }
            if *confidence < 1.0 {
                let _ = write!(out, ", \"confidence\": {confidence}");
            }
            if let Some(ball) = ball {
                let _ = write!(out, ", \"ball_m\": [{:.4}, {:.4}, {:.4}]", ball.x, ball.y, ball.z);
            }
            if let Some(heading) = heading {
                let _ = write!(out, ", \"heading_deg\": {:.2}", heading.to_degrees());
            }
            out.push_str(" }");
        }
        out.push_str("\n] }");
    }
    out.push_str("\n] }\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let text = r#"{ "labels": 1, "clips": [ { "file": "a \"b\".bvh", "fps": 60, "stances": [
            { "foot": "left", "start": 0, "end": 9, "kind": "stand", "confidence": 0.5 },
            { "foot": "right", "start": 3, "end": 7, "kind": "jump", "take_off": "left", "landing": "both", "ball_m": [1, 2, -3], "heading_deg": -30, "notes": "x" } ] } ] }"#;
        let clips = read_step_labels(text.as_bytes()).expect("labels");
        assert_eq!(clips[0].labels[1].feet, Some([Feet::Left, Feet::Both]));
        assert_eq!(read_step_labels(write_step_labels(&clips).as_bytes()), Ok(clips));
    }

    #[test]
    fn wrong_labels_are_refused_with_their_place() {
        let of = |stance: &str| format!("{{\"labels\": 1, \"clips\": [{{\"file\": \"a\", \"stances\": [{stance}]}}]}}");
        for (text, part) in [
            (of(r#"{"foot": "middle", "start": 0, "end": 9, "kind": "walk"}"#), "clips[0].stances[0]: foot"),
            (of(r#"{"foot": "left", "start": 9, "end": 9, "kind": "walk"}"#), "end before"),
            (of(r#"{"foot": "left", "start": 0, "end": 9, "kind": "wlk"}"#), "needs one of stand"),
            (of(r#"{"foot": "left", "start": 0, "end": 9, "kind": "run", "take_off": "left"}"#), "go together"),
            (of(r#"{"foot": "left", "start": 0, "end": 9}"#), "kind"),
            (r#"{"labels": 2, "clips": []}"#.to_string(), "version 2"),
            (r#"{"labels": 1, "clips": [], "extra": 1}"#.to_string(), "extra"),
            (String::new(), "no labels"),
        ] {
            let error = read_step_labels(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
