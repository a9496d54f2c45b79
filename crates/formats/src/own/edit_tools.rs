//! The tools of editing clips as signals, and what the options of those mean that need nothing but the clip.

use super::edit_clips::{blend, concat, transfer, warp};
use super::edit_keys::displace;
use super::edit_words::{Options, WordsError};
use crate::ErrorKind;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use surefoot_ground::MAX_HEIGHT;
use surefoot_signal::filters::{
    ButterworthOptions, CleanOptions, DespikeOptions, GaussianOptions, OrientationOptions, SavitzkyGolayOptions,
    Smoothing, Window,
};
use surefoot_signal::{
    BandChoice, ChannelRange, ControlPoint, Edge, Edit, EqualizeEdit, EqualizedSignals, FilterEdit, GainWords,
    GroundWords, KeepPlantsEdit, LoopOptions, MAX_AMOUNT, MAX_GAIN, Preset, Shape, ShapeEdit, ShapeOptions,
    named_shape,
};

/// A tool, its options, and how they are read.
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) options: &'static [&'static str],
    pub(super) read: fn(&Options<'_>) -> Result<Edit, WordsError>,
}

/// All tools.
pub(super) const TOOLS: [Tool; 10] = [
    Tool { name: "equalize", options: &["gain", "preset", "amount", "edge", "positions", "joints"], read: equalize },
    Tool {
        name: "blend",
        options: &["with", "weights", "part", "timing", "joints", "register", "weigh", "max-slope", "smoothing"],
        read: blend,
    },
    Tool { name: "warp", options: &["to", "amount", "register", "weigh", "max-slope", "smoothing"], read: warp },
    Tool {
        name: "shape",
        options: &["shape", "points", "range", "drive", "mix", "components", "limit", "body-limits", "soft", "joints"],
        read: shape,
    },
    Tool { name: "displace", options: &["keys", "turn", "move", "reach", "place", "fade", "flow"], read: displace },
    Tool { name: "concat", options: &["with", "zone", "fade", "cut", "warp", "max-slope", "smoothing"], read: concat },
    Tool { name: "loop", options: &["cycles", "shortest", "longest", "cut", "zone"], read: find_loop },
    Tool {
        name: "filter",
        options: &["despike", "lowpass", "order", "savitzky-golay", "gaussian", "orientation", "joints"],
        read: filter,
    },
    Tool {
        name: "transfer",
        options: &["from", "to", "amount", "timing", "bands", "register", "weigh", "max-slope", "smoothing", "joints"],
        read: transfer,
    },
    Tool { name: "keep-plants", options: &["terrain", "rigid"], read: keep_plants },
];

/// What is taken for frames beyond the ends.
const EDGES: [(&str, Edge); 3] =
    [("reflect", Edge::Reflected), ("hold", Edge::Held), ("point-reflect", Edge::PointReflected)];

fn equalize(options: &Options<'_>) -> Result<Edit, WordsError> {
    let preset = options.parse("preset", |text| {
        let names = || Preset::ALL.map(Preset::name).join(", ");
        Preset::find(text.trim()).ok_or_else(|| format!("one of {} would be right", names()))
    })?;
    let positions = options.flag("positions")?;
    let gains = match (preset, options.has("gain")) {
        (Some(_), true) => {
            return Err(options.wrong(
                "preset",
                ErrorKind::DuplicateName,
                "a preset has gains of its own; give it or `gain`",
            ));
        }
        (None, false) => {
            options.required("gain", "2=1.8,3=1.8; or `preset`, such as exaggerate")?;
            GainWords::Bands(Vec::new())
        }
        (None, true) => GainWords::Bands(read_gains(options, "gain")?),
        (Some(preset), false) => {
            GainWords::Preset(preset, options.within("amount", 0.0..=MAX_AMOUNT, "")?.unwrap_or(1.0))
        }
    };
    if preset.is_none() && options.has("amount") {
        return Err(options.wrong("amount", ErrorKind::UnknownField, "is of no use without `preset`"));
    }
    let is_of_positions = positions || preset.is_some_and(Preset::edits_positions);
    Ok(Edit::Equalize(EqualizeEdit {
        joints: options.joints(),
        gains,
        edge: options.choice("edge", &EDGES)?,
        signals: if is_of_positions { EqualizedSignals::Positions } else { EqualizedSignals::Rotations },
    }))
}

/// `2=1.8`, `2-4=1.5` or `1-3Hz=0`, between commas.
pub(super) fn read_gains(options: &Options<'_>, name: &str) -> Result<Vec<(BandChoice, f64)>, WordsError> {
    let mut gains = Vec::new();
    for item in options.list(name) {
        let wrong = |message: String| {
            let shown = if options.list(name).len() > 1 { format!("{item}: {message}") } else { message };
            options.wrong(name, ErrorKind::Type, shown)
        };
        let pair = item.split_once('=').and_then(|(bands, gain)| Some((bands, gain.trim().parse::<f64>().ok()?)));
        let (bands, gain) =
            pair.ok_or_else(|| wrong("bands with a gain, such as 2=1.8 or 1-3Hz=1.5, would be right".into()))?;
        if !(-MAX_GAIN..=MAX_GAIN).contains(&gain) {
            return Err(wrong(format!("a gain from -{MAX_GAIN} to {MAX_GAIN} would be right")));
        }
        match read_bands(bands.trim()) {
            Some(choices) => gains.extend(choices.into_iter().map(|choice| (choice, gain))),
            None => {
                return Err(wrong(
                    "a band such as 2, bands such as 2-4 or frequencies such as 1-3Hz would be right".into(),
                ));
            }
        }
    }
    Ok(gains)
}

/// No clip has more bands: a row of `2^n` frames has n.
const MAX_BAND: usize = 63;

/// `2`, `2-4`, `1.5Hz` or `1-3Hz`.
fn read_bands(text: &str) -> Option<Vec<BandChoice>> {
    let lower = text.to_ascii_lowercase();
    if let Some(range) = lower.strip_suffix("hz") {
        let number = |text: &str| text.trim().parse().ok().filter(|hz: &f64| hz.is_finite() && *hz >= 0.0);
        let (from, to) = match range.split_once('-') {
            Some((from, to)) => (number(from)?, number(to)?),
            None => (number(range)?, number(range)?),
        };
        return (from <= to).then(|| vec![BandChoice::Hertz(from..=to)]);
    }
    Some(read_band_range(text)?.map(BandChoice::Number).collect())
}

/// `2` or `2-4`.
pub(super) fn read_band_range(text: &str) -> Option<RangeInclusive<usize>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last): (usize, usize) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (first <= last && last <= MAX_BAND).then_some(first..=last)
}

fn shape(options: &Options<'_>) -> Result<Edit, WordsError> {
    let shape = match (options.text("shape"), options.text("points")) {
        (Some(text), None) => {
            let (name, number) = text.split_once(':').map_or((&*text, None), |(name, number)| (name, Some(number)));
            let number = number.map(|number| {
                let right = "a number behind the colon, such as undulate:4, would be right";
                number.trim().parse::<f64>().map_err(|_| options.wrong("shape", ErrorKind::Type, right))
            });
            let shape = named_shape(name.trim(), number.transpose()?);
            Some(shape.map_err(|error| options.wrong("shape", ErrorKind::Type, error))?)
        }
        (None, Some(text)) => {
            Some(read_points(&text).map_err(|message| options.wrong("points", ErrorKind::Type, message))?)
        }
        (Some(_), Some(_)) => {
            let message = "a shape has points of its own; give one of both";
            return Err(options.wrong("points", ErrorKind::DuplicateName, message));
        }
        (None, None) => None,
    };
    let limits = options.list("limit");
    let body_limits = options.flag("body-limits")?;
    let is_limited = body_limits || !limits.is_empty();
    if shape.is_none() && !is_limited {
        options.required("shape", "undulate; or `points`, `limit` or `body-limits`")?;
    }
    let of_shape = ["range", "drive", "mix", "components"];
    if let Some(name) = of_shape.into_iter().find(|name| shape.is_none() && options.has(name)) {
        return Err(options.wrong(name, ErrorKind::UnknownField, "is of no use without `shape` or `points`"));
    }
    if options.has("soft") && !is_limited {
        return Err(options.wrong("soft", ErrorKind::UnknownField, "is of no use without `limit` or `body-limits`"));
    }
    let usual = ShapeOptions::default();
    let shape_options = ShapeOptions {
        range: options.parse("range", read_range)?.unwrap_or(usual.range),
        drive: options.amount("drive")?.unwrap_or(usual.drive),
        mix: options.amount("mix")?.unwrap_or(usual.mix),
        components: options.parse("components", read_components)?.unwrap_or(usual.components),
    };
    Ok(Edit::Shape(ShapeEdit {
        joints: options.joints(),
        shape: shape.map(|shape| (shape, shape_options)),
        limits,
        body_limits,
        soft: options.within("soft", 0.0..=180.0, " degrees")?.unwrap_or(0.0).to_radians(),
    }))
}

/// `-1:-1/0:0.3/1:1`.
fn read_points(text: &str) -> Result<Shape, String> {
    let right = || "values from -1 to 1 with what becomes of them, such as -1:-1/0:0.3/1:1, would be right".to_string();
    let point = |part: &str| {
        let (x, y) = part.split_once(':')?;
        Some(ControlPoint::new(x.trim().parse().ok()?, y.trim().parse().ok()?))
    };
    let points: Option<Vec<ControlPoint>> = text.split(['/', ',']).map(point).collect();
    Shape::through(points.ok_or_else(right)?).map_err(|error| error.to_string())
}

/// `own`, `mean`, `-30..90deg` or `0..0.2m`.
fn read_range(text: &str) -> Result<ChannelRange, String> {
    let right = || "own, mean, degrees such as -30..90deg or metres such as -0.1..0.1m would be right".to_string();
    let text = text.trim();
    let range = |text: &str| {
        let (low, high) = text.split_once("..")?;
        let (low, high): (f64, f64) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        (low.is_finite() && high.is_finite() && low < high).then_some((low, high))
    };
    match text {
        "own" => Ok(ChannelRange::Own),
        "mean" => Ok(ChannelRange::AboutMean),
        _ => match (text.strip_suffix("deg"), text.strip_suffix('m')) {
            (Some(degrees), _) => {
                let (low, high) = range(degrees).ok_or_else(right)?;
                Ok(ChannelRange::Angles { low: low.to_radians(), high: high.to_radians() })
            }
            (None, Some(metres)) => {
                let (low, high) = range(metres).ok_or_else(right)?;
                Ok(ChannelRange::Lengths { low, high })
            }
            (None, None) => Err(right()),
        },
    }
}

/// `x`, `xz`, ...
fn read_components(text: &str) -> Result<[bool; 3], String> {
    let text = text.trim().to_ascii_lowercase();
    if text.is_empty() || !text.chars().all(|letter| "xyz,".contains(letter)) {
        return Err("some of x, y and z, such as xz, would be right".to_string());
    }
    Ok(['x', 'y', 'z'].map(|letter| text.contains(letter)))
}

fn find_loop(options: &Options<'_>) -> Result<Edit, WordsError> {
    let usual = LoopOptions::default();
    let cut = |text: &str| {
        let parts =
            text.split_once("..").and_then(|(from, to)| Some((from.trim().parse().ok()?, to.trim().parse().ok()?)));
        parts.ok_or_else(|| {
            "two frames, the first of the cycle and the first of the next, such as 12..74, would be right".to_string()
        })
    };
    let number = options.number::<usize>("cycles", "a whole number such as 3")?;
    Ok(Edit::Loop(LoopOptions {
        min_seconds: options.within("shortest", 0.01..=3600.0, " s")?.unwrap_or(usual.min_seconds),
        max_seconds: options.within("longest", 0.01..=3600.0, " s")?.unwrap_or(usual.max_seconds),
        cut: options.parse("cut", cut)?,
        zone_seconds: options.within("zone", 0.0..=60.0, " s")?.unwrap_or(usual.zone_seconds),
        cycles: number.unwrap_or(usual.cycles),
    }))
}

fn filter(options: &Options<'_>) -> Result<Edit, WordsError> {
    let mut smoothing = Vec::new();
    let order = options.number::<usize>("order", "a whole number such as 2")?;
    if let Some(cutoff_hz) = options.number::<f64>("lowpass", "a frequency in Hz, such as 6,")? {
        let usual = ButterworthOptions::default();
        smoothing.push(Smoothing::Butterworth(ButterworthOptions { cutoff_hz, order: order.unwrap_or(usual.order) }));
    }
    if let Some(seconds) =
        options.number::<f64>("savitzky-golay", "the length of the window in seconds, such as 0.15,")?
    {
        let usual = SavitzkyGolayOptions::default();
        let order = order.unwrap_or(usual.order);
        smoothing.push(Smoothing::SavitzkyGolay(SavitzkyGolayOptions { window: Window::Seconds(seconds), order }));
    }
    if let Some(sigma_seconds) = options.number::<f64>("gaussian", "a standard deviation in seconds, such as 0.03,")? {
        smoothing.push(Smoothing::Gaussian(GaussianOptions { sigma_seconds, ..GaussianOptions::default() }));
    }
    if let Some(passes) = options.number::<usize>("orientation", "how many times it is applied, such as 4,")? {
        smoothing.push(Smoothing::Orientation(OrientationOptions { passes }));
    }
    if order.is_some() && !options.has("lowpass") && !options.has("savitzky-golay") {
        return Err(options.wrong(
            "order",
            ErrorKind::UnknownField,
            "is of no use without `lowpass` or `savitzky-golay`",
        ));
    }
    let despike = options.flag("despike")?.then(DespikeOptions::default);
    if despike.is_none() && smoothing.is_empty() {
        let message = "no filter is named; despike, lowpass, savitzky-golay, gaussian and orientation are there";
        return Err(WordsError { kind: ErrorKind::MissingField, option: String::new(), message: message.into() });
    }
    Ok(Edit::Filter(FilterEdit { joints: options.joints(), options: CleanOptions { despike, smoothing } }))
}

fn keep_plants(options: &Options<'_>) -> Result<Edit, WordsError> {
    let ground = options.parse("terrain", |text| match text.strip_prefix("flat") {
        Some("") => Ok(GroundWords::Flat(0.0)),
        Some(rest) if rest.starts_with(':') => {
            let height = rest[1..].parse().ok().filter(|height: &f64| height.abs() <= MAX_HEIGHT);
            let right = || format!("a height from -{MAX_HEIGHT} to {MAX_HEIGHT} m, such as flat:0.03, would be right");
            height.map(GroundWords::Flat).ok_or_else(right)
        }
        _ if text.is_empty() => Err("flat, flat:0.03 or a FILE.terrain.json would be right".to_string()),
        _ => Ok(GroundWords::File(PathBuf::from(text))),
    })?;
    Ok(Edit::KeepPlants(KeepPlantsEdit { ground, rigid: options.flag("rigid")? }))
}
