//! What the options of tools mean that need other clips: blending, timewarping, joining, style transfer.

use super::edit_tools::{read_band_range, read_gains};
use super::edit_words::{Options, WordsError, split};
use crate::ErrorKind;
use std::path::PathBuf;
use surefoot_signal::{
    Amount, BlendEdit, ConcatEdit, ConcatOptions, Cut, Edit, Fade, MAX_SLOPE, PartWords, RegisterBy, RegisterEdit,
    TransferBy, TransferEdit, WarpEdit,
};

/// How frames of clips correspond, from the options that tools share.
fn register(options: &Options<'_>) -> Result<RegisterEdit, WordsError> {
    const BY: [(&str, RegisterBy); 4] = [
        ("movement", RegisterBy::Movement),
        ("paper", RegisterBy::Paper),
        ("contacts", RegisterBy::Contacts),
        ("frames", RegisterBy::Frames),
    ];
    let by = options.choice("register", &BY)?.unwrap_or(RegisterBy::Movement);
    let mut weigh = Vec::new();
    for item in options.list("weigh") {
        let pair = item.split_once('=').and_then(|(joint, weight)| {
            let weight = weight.trim().parse().ok().filter(|weight: &f64| (0.0..=1000.0).contains(weight))?;
            Some((joint.trim().to_string(), weight))
        });
        let right = "joints with a weight from 0 to 1000, such as legs=2,arms=0, would be right";
        weigh.push(pair.ok_or_else(|| options.wrong("weigh", ErrorKind::Type, right))?);
    }
    let right = format!("a whole number from 1 to {MAX_SLOPE}");
    let max_slope = options.number::<usize>("max-slope", &right)?;
    if max_slope.is_some_and(|slope| !(1..=MAX_SLOPE).contains(&slope)) {
        return Err(options.wrong("max-slope", ErrorKind::OutOfRange, format!("{right} would be right")));
    }
    let smoothing_seconds = options.within("smoothing", 0.0..=10.0, " s")?;
    if by == RegisterBy::Frames {
        for name in ["weigh", "max-slope", "smoothing"] {
            if options.has(name) {
                let message = "is of no use where frames correspond as they are";
                return Err(options.wrong(name, ErrorKind::UnknownField, message));
            }
        }
    }
    Ok(RegisterEdit { by, weigh, max_slope, smoothing_seconds })
}

fn clips(options: &Options<'_>, name: &str, example: &str) -> Result<Vec<PathBuf>, WordsError> {
    options.required(name, example)?;
    let paths = options.paths(name);
    if let Some(path) = paths.iter().find(|path| path.as_os_str().is_empty() || path.as_os_str() == "-") {
        let message = format!("\"{}\" is no clip; a motion file such as {example} would be right", path.display());
        return Err(options.wrong(name, ErrorKind::Type, message));
    }
    Ok(paths)
}

pub(super) fn one_clip(options: &Options<'_>, name: &str, example: &str) -> Result<PathBuf, WordsError> {
    match <[PathBuf; 1]>::try_from(clips(options, name, example)?) {
        Ok([path]) => Ok(path),
        Err(_) => Err(options.wrong(name, ErrorKind::Type, "one clip would be right")),
    }
}

pub(super) fn blend(options: &Options<'_>) -> Result<Edit, WordsError> {
    let with = clips(options, "with", "other.bvh")?;
    let amounts = |name: &str| {
        let amounts: Result<Vec<Amount>, String> = read_amounts(&options.list(name), with.len());
        amounts.map_err(|message| options.wrong(name, ErrorKind::Type, message))
    };
    let mut parts = Vec::new();
    for item in options.whole_items("part") {
        let wrong = |message: &str| options.wrong("part", ErrorKind::Type, format!("{item}: {message}"));
        let (which, weights) = item.split_once('=').ok_or_else(|| {
            wrong("joints with weights, such as arms=0.2,0.8, or with bands, such as all@0-2=1,0, would be right")
        })?;
        let (joints, bands) = match which.split_once('@') {
            Some((joints, bands)) => {
                let bands = read_band_range(bands.trim());
                (joints, Some(bands.ok_or_else(|| wrong("bands such as 2 or 0-2 would be right after @"))?))
            }
            None => (which, None),
        };
        let weights = read_amounts(&split(weights), with.len()).map_err(|message| wrong(&message))?;
        if weights.is_empty() {
            return Err(wrong("weights such as 0.2,0.8 would be right after ="));
        }
        parts.push(PartWords { joints: Some(split(joints)), bands, weights });
    }
    let (weights, timing, register) = (amounts("weights")?, amounts("timing")?, register(options)?);
    if register.by == RegisterBy::Frames && !timing.is_empty() {
        let message = "is of no use where frames correspond as they are";
        return Err(options.wrong("timing", ErrorKind::UnknownField, message));
    }
    Ok(Edit::Blend(BlendEdit { with, weights, parts, timing, joints: options.joints(), register }))
}

/// Weights of all clips, or of all but the first.
fn read_amounts(items: &[String], n_others: usize) -> Result<Vec<Amount>, String> {
    let amounts: Result<Vec<Amount>, _> = items.iter().map(|item| Amount::parse(item)).collect();
    let amounts = amounts.map_err(|error| error.to_string())?;
    if amounts.is_empty() || amounts.len() == n_others || amounts.len() == n_others + 1 {
        return Ok(amounts);
    }
    let n = amounts.len();
    Err(format!(
        "{n} weights for {n_others} other clips; {n_others}, or {} with the edited clip's first, would be right",
        n_others + 1
    ))
}

pub(super) fn warp(options: &Options<'_>) -> Result<Edit, WordsError> {
    let to = one_clip(options, "to", "other.bvh")?;
    let amount = options.amount("amount")?.unwrap_or_else(|| Amount::constant(1.0));
    let register = register(options)?;
    if register.by == RegisterBy::Frames {
        return Err(options.wrong("register", ErrorKind::Type, "movement, contacts or paper would be right"));
    }
    let is_complete = amount.as_constant() == Some(1.0);
    if register.by == RegisterBy::Paper && !is_complete {
        return Err(options.wrong(
            "amount",
            ErrorKind::Type,
            "by the paper's own path only the complete warp, 1, can be applied",
        ));
    }
    Ok(Edit::Warp(WarpEdit { to, amount, register }))
}

pub(super) fn concat(options: &Options<'_>) -> Result<Edit, WordsError> {
    let usual = ConcatOptions::default();
    let within = |text: &str| -> Option<Cut> {
        match text.trim().split_once(':') {
            None if text.trim() == "ends" => Some(Cut::Ends),
            None if text.trim() == "best" => Some(Cut::Best { within_seconds: BEST_WITHIN }),
            Some(("best", seconds)) => {
                let within_seconds = seconds.parse().ok().filter(|seconds| (0.0..=60.0).contains(seconds))?;
                Some(Cut::Best { within_seconds })
            }
            _ => None,
        }
    };
    let right = || "ends, best or best:SECONDS, such as best:1.5, would be right".to_string();
    let warp = options.flag("warp")?;
    let register = register(options)?;
    if !warp && (register.max_slope.is_some() || register.smoothing_seconds.is_some()) {
        let name = if options.has("max-slope") { "max-slope" } else { "smoothing" };
        return Err(options.wrong(name, ErrorKind::UnknownField, "is of no use without `warp`"));
    }
    Ok(Edit::Concat(ConcatEdit {
        with: clips(options, "with", "next.bvh")?,
        options: ConcatOptions {
            zone_seconds: options.within("zone", 0.0..=60.0, " s")?.unwrap_or(usual.zone_seconds),
            fade: options.choice("fade", &[("ease", Fade::Ease), ("linear", Fade::Linear)])?.unwrap_or(usual.fade),
            cut: options.parse("cut", |text| within(text).ok_or_else(right))?.unwrap_or(usual.cut),
            warp: warp.then(|| register.find_warp_options()),
        },
    }))
}

/// How far from the ends the best place for a transition is looked for, in seconds.
const BEST_WITHIN: f64 = 1.0;

pub(super) fn transfer(options: &Options<'_>) -> Result<Edit, WordsError> {
    let by = match options.text("register").as_deref().map(str::trim) {
        None => TransferBy::Either,
        Some("strides") => TransferBy::Strides,
        Some("movement") => TransferBy::Movement,
        Some(_) => {
            return Err(options.wrong("register", ErrorKind::Type, "one of strides, movement would be right"));
        }
    };
    let whole = || Amount::constant(1.0);
    let register = if by == TransferBy::Movement { register(options)? } else { RegisterEdit::default() };
    Ok(Edit::Transfer(TransferEdit {
        from: one_clip(options, "from", "neutral.bvh")?,
        to: one_clip(options, "to", "styled.bvh")?,
        joints: options.joints(),
        amount: options.amount("amount")?.unwrap_or_else(whole),
        timing: options.amount("timing")?.unwrap_or_else(whole),
        bands: read_gains(options, "bands")?,
        by,
        register,
    }))
}
