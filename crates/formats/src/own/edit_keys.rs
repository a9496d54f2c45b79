//! What the options of displacement mean: keys, in a file of their own or in a word each.

use super::edit_clips::one_clip;
use super::edit_words::{Options, WordsError};
use crate::ErrorKind;
use surefoot_geom::Vec3;
use surefoot_motion::Side;
use surefoot_signal::{
    ChangeWords, DisplaceEdit, Edit, EndTurn, FadeWords, KeyFlow, KeyTime, KeyWords, Limb, MoveAxes, ReachGoal,
    TurnAxes,
};

pub(super) fn displace(options: &Options<'_>) -> Result<Edit, WordsError> {
    let file = options.has("keys").then(|| one_clip(options, "keys", "reach.keys.json")).transpose()?;
    let mut keys = Vec::new();
    for name in ["turn", "move", "reach", "place"] {
        for item in options.whole_items(name) {
            let wrong = |message: String| options.wrong(name, ErrorKind::Type, format!("{item}: {message}"));
            keys.push(read_key(name, item).map_err(wrong)?);
        }
    }
    if file.is_none() && keys.is_empty() {
        options.required("keys", "reach.keys.json; or `turn`, `move`, `reach` or `place`")?;
    }
    let fade = |text: &str| match text.trim() {
        "ends" => Ok(FadeWords::ToEnds),
        seconds => {
            let seconds = seconds.parse().ok().filter(|seconds| (0.0..=3600.0).contains(seconds));
            seconds.map(FadeWords::Seconds).ok_or_else(|| "seconds, or `ends`, would be right".to_string())
        }
    };
    Ok(Edit::Displace(DisplaceEdit {
        file,
        keys,
        fade: options.parse("fade", fade)?,
        flow: options.choice("flow", &KEY_FLOWS)?,
    }))
}

/// How displacements go from key to key.
pub(super) const KEY_FLOWS: [(&str, KeyFlow); 2] = [("local", KeyFlow::Local), ("smooth", KeyFlow::Smooth)];

/// Hands and feet.
pub(super) const LIMBS: [(&str, Limb); 4] = [
    ("left-hand", Limb::Hand(Side::Left)),
    ("right-hand", Limb::Hand(Side::Right)),
    ("left-foot", Limb::Foot(Side::Left)),
    ("right-foot", Limb::Foot(Side::Right)),
];

/// What a hand or foot does that reaches, unless something else is said.
pub(super) fn usual_end(limb: Limb) -> EndTurn {
    match limb {
        Limb::Hand(_) => EndTurn::WithLimb,
        Limb::Foot(_) => EndTurn::Kept,
    }
}

/// `120:LeftArm=30,0,0` or `1.5s:left-hand=0,0.1,0`: when, what, and three numbers.
fn read_key(option: &str, text: &str) -> Result<KeyWords, String> {
    let (example, what) = match option {
        "turn" => ("120:LeftArm=30,0,0", "a joint and degrees about its axes"),
        "move" => ("120:Hips=0,0.1,0", "a joint and metres"),
        "reach" => ("120:left-hand=0,0.1,0", "a hand or foot and metres from where it is"),
        _ => ("120:left-hand=0.3,1.2,0.5", "a hand or foot and a place in metres"),
    };
    let right = || format!("a frame (or seconds, 1.5s), {what}, such as {example}, would be right");
    let (at, rest) = text.split_once(':').ok_or_else(right)?;
    let (name, numbers) = rest.rsplit_once('=').ok_or_else(right)?;
    let name = name.trim();
    let at = match at.trim().strip_suffix('s') {
        Some(seconds) => {
            KeyTime::Seconds(seconds.parse().ok().filter(|s: &f64| s.is_finite() && *s >= 0.0).ok_or_else(right)?)
        }
        None => KeyTime::Frame(at.trim().parse().map_err(|_| right())?),
    };
    let numbers: Option<Vec<f64>> = numbers.split(',').map(|number| number.trim().parse().ok()).collect();
    let numbers = numbers.filter(|numbers| numbers.iter().all(|number| number.abs() <= MAX_KEY)).ok_or_else(right)?;
    let vector = Vec3::from_array(<[f64; 3]>::try_from(numbers).map_err(|_| right())?);
    let limb = || LIMBS.iter().find(|(word, _)| *word == name).map(|(_, limb)| *limb).ok_or_else(right);
    let reach = |limb: Limb, goal| ChangeWords::Reach { limb, goal, end: usual_end(limb) };
    let change = match option {
        "turn" => {
            let turn = vector * 1f64.to_radians();
            ChangeWords::Turn { joint: name.to_string(), turn, axes: TurnAxes::Own }
        }
        "move" => ChangeWords::Move { joint: name.to_string(), by: vector, axes: MoveAxes::World },
        "reach" => reach(limb()?, ReachGoal::By(vector)),
        _ => reach(limb()?, ReachGoal::At(vector)),
    };
    Ok(KeyWords { at, change, tcb: None, extent: None })
}

/// Degrees or metres past this are slips of the keyboard.
pub(super) const MAX_KEY: f64 = 1e6;
