//! Keys of a displacement: `*.keys.json`, version 1.
//!
//! ```json
//! { "displacement": 1, "fade": 1.0, "flow": "local", "keys": [
//!   { "frame": 120, "turn": "LeftArm", "degrees": [30, 0, 0], "axes": "own" },
//!   { "seconds": 1.5, "move": "Hips", "by": [0, 0.1, 0], "axes": "world" },
//!   { "frame": 200, "reach": "left-hand", "to": [0.3, 1.2, 0.5], "end": "with-limb" },
//!   { "frame": 200, "reach": "right-foot", "by": [0, 0.05, 0], "end": "kept", "extent": [0.3, 0.5] },
//!   { "frame": 260, "pose": "wave.bvh", "pose_frame": 12, "joints": ["right-arm"], "tension": -0.2 },
//!   { "frame": 0, "hold": ["all"] } ] }
//! ```
//!
//! A key is at a frame, counted from 0, or at seconds from the first one. It turns a joint (by an axis times an angle
//! in degrees), moves one (in metres), lets a hand or foot reach a place in the world (`to`) or as far from where it is
//! (`by`), takes the pose of another clip, which is looked for in the folder of this file, or holds joints as they are.
//! `axes`, `end`, `extent` (seconds before and after), `tension`, `continuity` and `bias` may be left out, and so may
//! `fade` (seconds, or "ends") and `flow` ("local" or "smooth"). Which joints a clip has is seen when the keys are
//! applied.

use super::edit_keys::{KEY_FLOWS, LIMBS, MAX_KEY, usual_end};
use super::fields::{Field, shortened};
use super::json::parse_json;
use super::text::number;
use crate::{ErrorKind, ReadError};
use std::fmt::Write;
use std::path::PathBuf;
use surefoot_geom::Vec3;
use surefoot_signal::{
    ChangeWords, EndTurn, FadeWords, JointWords, KeyExtent, KeyTime, KeyWords, KeysFile, MoveAxes, ReachGoal, Tcb,
    TurnAxes,
};

const VERSION: u32 = 1;

/// Longest time that means anything: an hour.
const MAX_SECONDS: f64 = 3600.0;

const TURN_AXES: [(&str, TurnAxes); 3] =
    [("own", TurnAxes::Own), ("parent", TurnAxes::Parent), ("world", TurnAxes::World)];
const MOVE_AXES: [(&str, MoveAxes); 2] = [("parent", MoveAxes::Parent), ("world", MoveAxes::World)];
const ENDS: [(&str, EndTurn); 2] = [("kept", EndTurn::Kept), ("with-limb", EndTurn::WithLimb)];

/// Fields that any key may have.
const COMMON: [&str; 6] = ["frame", "seconds", "extent", "tension", "continuity", "bias"];
/// What a key may do, and the fields that belong to it.
const KINDS: [(&str, &[&str]); 5] = [
    ("turn", &["degrees", "axes"]),
    ("move", &["by", "axes"]),
    ("reach", &["to", "by", "end"]),
    ("pose", &["pose_frame", "joints"]),
    ("hold", &[]),
];

/// Reads keys.
pub fn read_keys(bytes: &[u8]) -> Result<KeysFile, ReadError> {
    let tree = parse_json(bytes)?;
    let root = Field::root(&tree);
    root.expect_version("displacement", VERSION, "\"displacement\": 1")?;
    root.expect_object(&["displacement", "fade", "flow", "keys"])?;
    let list =
        root.required("keys", "\"keys\": [{ \"frame\": 120, \"turn\": \"LeftArm\", \"degrees\": [30, 0, 0] }]")?;
    let mut keys = Vec::new();
    for item in list.items("a list of keys")? {
        keys.push(read_key(&item)?);
    }
    if keys.is_empty() {
        return Err(list.error(ErrorKind::MissingField, "there is no key, so nothing would be displaced"));
    }
    Ok(KeysFile {
        keys,
        fade: root.optional("fade").map(|fade| read_fade(&fade)).transpose()?,
        flow: root.optional("flow").map(|flow| one_of(&flow, &KEY_FLOWS)).transpose()?,
    })
}

fn read_fade(field: &Field<'_>) -> Result<FadeWords, ReadError> {
    if field.is_text() {
        return one_of(field, &[("ends", FadeWords::ToEnds)]);
    }
    Ok(FadeWords::Seconds(seconds(field)?))
}

fn seconds(field: &Field<'_>) -> Result<f64, ReadError> {
    let seconds = field.number_within(MAX_SECONDS, "s")?;
    if seconds < 0.0 {
        return Err(field.error(ErrorKind::OutOfRange, format!("{seconds} s; 0 or more would be right")));
    }
    Ok(seconds)
}

fn one_of<T: Copy>(field: &Field<'_>, choices: &[(&str, T)]) -> Result<T, ReadError> {
    let text = field.text()?;
    choices.iter().find(|(word, _)| *word == text).map(|(_, choice)| *choice).ok_or_else(|| {
        let words: Vec<String> = choices.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        field.error(ErrorKind::Type, format!("found \"{}\", needs {}", shortened(text), words.join(" or ")))
    })
}

fn read_key(key: &Field<'_>) -> Result<KeyWords, ReadError> {
    let names = || KINDS.map(|(name, _)| format!("\"{name}\"")).join(", ");
    let example = "an object such as { \"frame\": 120, \"turn\": \"LeftArm\", \"degrees\": [30, 0, 0] }";
    let _ = key.names(example)?;
    let mut given = KINDS.iter().filter(|(name, _)| key.has(name));
    let (kind, of_kind) = match (given.next(), given.next()) {
        (Some(kind), None) => kind,
        (None, _) => {
            let message = format!("a key has one of {}, such as {example}", names());
            return Err(key.error(ErrorKind::MissingField, message));
        }
        (Some((first, _)), Some((second, _))) => {
            let message = format!("a key has one of {}; \"{first}\" and \"{second}\" need a key each", names());
            return Err(key.error(ErrorKind::DuplicateName, message));
        }
    };
    let known: Vec<&str> = COMMON.iter().chain(std::iter::once(kind)).chain(of_kind.iter()).copied().collect();
    key.expect_object(&known)?;
    let at = match (key.optional("frame"), key.optional("seconds")) {
        (Some(frame), None) => KeyTime::Frame(frame.frames()?),
        (None, Some(time)) => KeyTime::Seconds(seconds(&time)?),
        (None, None) => return Err(key.error(ErrorKind::MissingField, "needs `frame`, or `seconds`")),
        (Some(_), Some(_)) => {
            return Err(key.error(ErrorKind::DuplicateName, "has `frame` and `seconds`; one of them is right"));
        }
    };
    Ok(KeyWords { at, change: read_change(key, kind)?, tcb: read_tcb(key)?, extent: read_extent(key)? })
}

fn read_change(key: &Field<'_>, kind: &str) -> Result<ChangeWords, ReadError> {
    let field = key.required(kind, "\"turn\": \"LeftArm\"")?;
    match kind {
        "turn" => {
            let degrees = vector(&key.required("degrees", "\"degrees\": [30, 0, 0]")?, "degrees")?;
            let axes = key.optional("axes").map(|axes| one_of(&axes, &TURN_AXES)).transpose()?.unwrap_or_default();
            Ok(ChangeWords::Turn { joint: joint(&field)?, turn: degrees * 1f64.to_radians(), axes })
        }
        "move" => {
            let by = vector(&key.required("by", "\"by\": [0, 0.1, 0]")?, "m")?;
            let axes = key.optional("axes").map(|axes| one_of(&axes, &MOVE_AXES)).transpose()?.unwrap_or_default();
            Ok(ChangeWords::Move { joint: joint(&field)?, by, axes })
        }
        "reach" => {
            let limb = one_of(&field, &LIMBS)?;
            let goal = match (key.optional("to"), key.optional("by")) {
                (Some(to), None) => ReachGoal::At(vector(&to, "m")?),
                (None, Some(by)) => ReachGoal::By(vector(&by, "m")?),
                _ => {
                    let message = "needs `to`, a place, or `by`, how far from where it is";
                    return Err(key.error(ErrorKind::MissingField, message));
                }
            };
            let end = key.optional("end").map(|end| one_of(&end, &ENDS)).transpose()?.unwrap_or(usual_end(limb));
            Ok(ChangeWords::Reach { limb, goal, end })
        }
        "pose" => {
            let frame = key.optional("pose_frame").map(|frame| frame.frames()).transpose()?.unwrap_or(0);
            let joints = key.optional("joints").map(|joints| words(&joints)).transpose()?;
            Ok(ChangeWords::Pose { clip: PathBuf::from(joint(&field)?), frame, joints })
        }
        _ => Ok(ChangeWords::Hold { joints: Some(words(&field)?) }),
    }
}

/// A name that is not empty.
fn joint(field: &Field<'_>) -> Result<String, ReadError> {
    match field.text()?.trim() {
        "" => Err(field.error(ErrorKind::Type, "found empty text, needs a name")),
        name => Ok(name.to_string()),
    }
}

/// Groups and joints: a list, or text with commas.
fn words(field: &Field<'_>) -> Result<Vec<String>, ReadError> {
    if field.is_text() {
        return Ok(super::edit_words::split(field.text()?));
    }
    field.items("a list of groups and joints such as [\"arms\", \"Head\"]")?.map(|item| joint(&item)).collect()
}

fn vector(field: &Field<'_>, unit: &str) -> Result<Vec3, ReadError> {
    let wanted = format!("a list of three numbers in {unit}");
    let items = field.items(&wanted)?;
    if items.len() != 3 {
        return Err(field.error(ErrorKind::Type, format!("found a list of {}, needs three numbers", items.len())));
    }
    let mut out = [0.0; 3];
    for (value, item) in out.iter_mut().zip(items) {
        *value = item.number_within(MAX_KEY, unit)?;
    }
    Ok(Vec3::from_array(out))
}

fn read_tcb(key: &Field<'_>) -> Result<Option<Tcb>, ReadError> {
    let read = |name: &str| -> Result<Option<f64>, ReadError> {
        let Some(field) = key.optional(name) else { return Ok(None) };
        let value = field.number()?;
        if !(-1.0..=1.0).contains(&value) {
            return Err(field.error(ErrorKind::OutOfRange, format!("{value}; -1 to 1 would be right")));
        }
        Ok(Some(value))
    };
    let (tension, continuity, bias) = (read("tension")?, read("continuity")?, read("bias")?);
    let is_any = tension.or(continuity).or(bias).is_some();
    Ok(is_any.then(|| Tcb {
        tension: tension.unwrap_or(0.0),
        continuity: continuity.unwrap_or(0.0),
        bias: bias.unwrap_or(0.0),
    }))
}

fn read_extent(key: &Field<'_>) -> Result<Option<KeyExtent>, ReadError> {
    let Some(field) = key.optional("extent") else { return Ok(None) };
    let times: Vec<f64> = field
        .items("seconds before and after the key, such as [0.3, 0.5]")?
        .map(|item| seconds(&item))
        .collect::<Result<_, _>>()?;
    match times[..] {
        [before, after] => Ok(Some(KeyExtent { before, after })),
        _ => Err(field.error(ErrorKind::Type, "needs two numbers, seconds before and after the key")),
    }
}

/// Keys as a file, a line for each. Panics if a number is not finite.
pub fn write_keys(file: &KeysFile) -> String {
    let mut out = format!("{{ \"displacement\": {VERSION}");
    // Writing to a string cannot fail.
    match file.fade {
        Some(FadeWords::ToEnds) => out.push_str(", \"fade\": \"ends\""),
        Some(FadeWords::Seconds(seconds)) => drop(write!(out, ", \"fade\": {}", number(seconds))),
        None => {}
    }
    if let Some(flow) = file.flow {
        let _ = write!(out, ", \"flow\": \"{}\"", word_of(&KEY_FLOWS, flow));
    }
    out.push_str(", \"keys\": [");
    for (index, key) in file.keys.iter().enumerate() {
        let fields: Vec<String> = fields_of(key).iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
        let _ = write!(out, "{}\n  {{ {} }}", if index == 0 { "" } else { "," }, fields.join(", "));
    }
    out.push_str("\n] }\n");
    out
}

fn word_of<T: PartialEq + Copy>(choices: &[(&'static str, T)], choice: T) -> &'static str {
    choices.iter().find(|(_, candidate)| *candidate == choice).map_or("", |(word, _)| *word)
}

fn fields_of(key: &KeyWords) -> Vec<(&'static str, String)> {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let three = |vector: Vec3| format!("[{}]", vector.to_array().map(number).join(", "));
    let list =
        |joints: &JointWords| serde_json::Value::from(joints.clone().unwrap_or_else(|| vec!["all".into()])).to_string();
    let mut fields = vec![match key.at {
        KeyTime::Frame(frame) => ("frame", frame.to_string()),
        KeyTime::Seconds(seconds) => ("seconds", number(seconds)),
    }];
    match &key.change {
        ChangeWords::Turn { joint, turn, axes } => fields.extend([
            ("turn", text(joint)),
            ("degrees", format!("[{}]", turn.to_array().map(super::text::degrees).join(", "))),
            ("axes", text(word_of(&TURN_AXES, *axes))),
        ]),
        ChangeWords::Move { joint, by, axes } => {
            fields.extend([("move", text(joint)), ("by", three(*by)), ("axes", text(word_of(&MOVE_AXES, *axes)))]);
        }
        ChangeWords::Reach { limb, goal, end } => {
            let (how, place) = match goal {
                ReachGoal::At(place) => ("to", place),
                ReachGoal::By(by) => ("by", by),
            };
            let end = text(word_of(&ENDS, *end));
            fields.extend([("reach", text(word_of(&LIMBS, *limb))), (how, three(*place)), ("end", end)]);
        }
        ChangeWords::Pose { clip, frame, joints } => {
            fields.extend([("pose", text(&clip.to_string_lossy())), ("pose_frame", frame.to_string())]);
            fields.extend(joints.as_ref().map(|_| ("joints", list(joints))));
        }
        ChangeWords::Hold { joints } => fields.push(("hold", list(joints))),
    }
    if let Some(Tcb { tension, continuity, bias }) = key.tcb {
        fields.extend([("tension", number(tension)), ("continuity", number(continuity)), ("bias", number(bias))]);
    }
    if let Some(KeyExtent { before, after }) = key.extent {
        fields.push(("extent", format!("[{}, {}]", number(before), number(after))));
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r#"{ "displacement": 1, "fade": 0.5, "flow": "smooth", "keys": [
        { "frame": 120, "turn": "LeftArm", "degrees": [30, 0, -12.5], "axes": "world" },
        { "seconds": 1.5, "move": "Hips", "by": [0, 0.1, 0] },
        { "frame": 200, "reach": "left-hand", "to": [0.3, 1.2, 0.5] },
        { "frame": 200, "reach": "right-foot", "by": [0, 0.05, 0], "end": "with-limb", "extent": [0.3, 0.5] },
        { "frame": 260, "pose": "wave.bvh", "pose_frame": 12, "joints": ["right-arm"], "tension": -0.2 },
        { "frame": 0, "hold": "all, travel" } ] }"#;

    #[test]
    fn every_kind_of_key_is_read_and_comes_back() {
        let file = read_keys(WHOLE.as_bytes()).unwrap();
        assert_eq!((file.fade, file.keys.len()), (Some(FadeWords::Seconds(0.5)), 6));
        let ChangeWords::Reach { end, .. } = file.keys[2].change else { panic!("a hand") };
        assert_eq!(end, EndTurn::WithLimb);
        assert_eq!(file.keys[5].change, ChangeWords::Hold { joints: Some(vec!["all".into(), "travel".into()]) });
        let text = write_keys(&file);
        assert_eq!(read_keys(text.as_bytes()).unwrap(), file, "{text}");
        assert_eq!(write_keys(&read_keys(text.as_bytes()).unwrap()), text);
    }

    #[test]
    fn what_is_no_key_is_reported_with_its_line() {
        let key = |key: &str| format!("{{ \"displacement\": 1, \"keys\": [\n{key} ] }}");
        for (text, kind, line, part) in [
            ("{ \"displacement\": 1 }".to_string(), ErrorKind::MissingField, 1, "`keys` is missing"),
            ("{ \"displacement\": 1, \"keys\": [] }".to_string(), ErrorKind::MissingField, 1, "there is no key"),
            ("{ \"displacement\": 2, \"keys\": [] }".to_string(), ErrorKind::Version, 1, "version 2"),
            ("{ \"contacts\": 1 }".to_string(), ErrorKind::MissingField, 1, "this is a contacts file"),
            (key("3"), ErrorKind::Type, 2, "an object such as"),
            (key("{ \"frame\": 1 }"), ErrorKind::MissingField, 2, "keys[0]: a key has one of \"turn\", \"move\""),
            (key("{ \"frame\": 1, \"turn\": \"A\", \"hold\": \"all\" }"), ErrorKind::DuplicateName, 2, "a key each"),
            (key("{ \"turn\": \"A\", \"degrees\": [1, 2, 3] }"), ErrorKind::MissingField, 2, "needs `frame`"),
            (key("{ \"frame\": 1.5, \"hold\": \"all\" }"), ErrorKind::Type, 2, "keys[0].frame: found 1.5"),
            (key("{ \"frame\": 1, \"seconds\": 1, \"hold\": \"all\" }"), ErrorKind::DuplicateName, 2, "one of them"),
            (key("{ \"seconds\": -1, \"hold\": \"all\" }"), ErrorKind::OutOfRange, 2, "0 or more"),
            (key("{ \"frame\": 1, \"turn\": \"A\" }"), ErrorKind::MissingField, 2, "`degrees` is missing"),
            (key("{ \"frame\": 1, \"turn\": \"A\", \"by\": [1] }"), ErrorKind::UnknownField, 2, "unknown field `by`"),
            (key("{ \"frame\": 1, \"turn\": \"A\", \"degrees\": [1] }"), ErrorKind::Type, 2, "needs three numbers"),
            (key("{ \"frame\": 1, \"turn\": \" \", \"degrees\": [1, 2, 3] }"), ErrorKind::Type, 2, "needs a name"),
            (key("{ \"frame\": 1, \"reach\": \"nose\", \"to\": [1, 2, 3] }"), ErrorKind::Type, 2, "\"left-hand\" or"),
            (key("{ \"frame\": 1, \"reach\": \"left-foot\" }"), ErrorKind::MissingField, 2, "needs `to`"),
            (key("{ \"frame\": 1, \"hold\": [3] }"), ErrorKind::Type, 2, "keys[0].hold[0]"),
            (key("{ \"frame\": 1, \"hold\": \"all\",\n\"bias\": 2 }"), ErrorKind::OutOfRange, 3, "-1 to 1"),
            (key("{ \"frame\": 1, \"hold\": \"all\", \"extent\": [1] }"), ErrorKind::Type, 2, "two numbers"),
            (key("{ \"frame\": 1, \"move\": \"A\", \"by\": [0, 1e9, 0] }"), ErrorKind::OutOfRange, 2, "too large"),
        ] {
            let error = read_keys(text.as_bytes()).unwrap_err();
            assert_eq!((error.kind, error.line), (kind, Some(line)), "{text}: {error}");
            assert!(error.message.contains(part), "{text}: {error}");
        }
    }
}
