//! Findings and shots in words, as STRIDE figure 4.2 has them, and for machines.

use serde_json::{Value, json};
use surefoot::geom::Vec2;
use surefoot::steps::{Extreme, Finding, Moment, Shot, ShotReason, StepKind};

fn verb(moment: Moment) -> &'static str {
    match moment {
        Moment::Start => "start",
        Moment::End => "end",
    }
}

/// `small` and `wide`, `smaller` and `wider`, `smallest` and `widest`.
fn adjective(extreme: Extreme) -> [&'static str; 3] {
    match extreme {
        Extreme::Small => ["small", "smaller", "smallest"],
        Extreme::Wide => ["wide", "wider", "widest"],
    }
}

fn bound(extreme: Extreme) -> &'static str {
    match extreme {
        Extreme::Small => "at most",
        Extreme::Wide => "at least",
    }
}

fn cm(metres: f64) -> String {
    format!("{:.1} cm", metres * 100.0)
}

/// A finding as a sentence.
pub(super) fn finding_sentence(finding: &Finding) -> String {
    let is_fine = finding.is_fine();
    match *finding {
        Finding::Density { moment, extreme, n_steps, needed } => {
            let what = format!("{} {}", verb(moment), adjective(extreme)[0]);
            if is_fine {
                format!("You have a high enough density of steps that {what} ({n_steps}).")
            } else {
                format!("You have only {n_steps} of {needed} steps that {what}.")
            }
        }
        Finding::Width { moment, extreme, found, wanted } => {
            let [small, smaller, smallest] = adjective(extreme);
            let (verb, bound) = (verb(moment), bound(extreme));
            let (found, wanted) = (cm(found), cm(wanted));
            if is_fine {
                format!(
                    "You have steps that {verb} {small} enough: the {smallest} is {found}, {bound} {wanted} is right."
                )
            } else {
                format!(
                    "You should have steps that {verb} {smaller}. The {smallest} width is {found} but should be {bound} {wanted}."
                )
            }
        }
        Finding::Sidesteps { n_steps, needed } => {
            let more = if is_fine { String::new() } else { format!("; you need at least {needed}") };
            format!("Found {n_steps} sidesteps{more}.")
        }
        Finding::SmallSidestep { moment, widths, wanted } => {
            let verb = verb(moment);
            let (min, max, wanted) = (cm(widths.min), cm(widths.max), cm(wanted));
            if is_fine {
                format!("Sidesteps {verb} small enough: from {min} to {max}.")
            } else {
                format!(
                    "You have no sidesteps that {verb} small enough. They {verb} from {min} to {max}; at most {wanted} would be right."
                )
            }
        }
        Finding::DeadEnd { extreme, width, n_dead, n_starting, needed, farthest } => {
            let [_, smaller, smallest] = adjective(extreme);
            let (width, farthest) = (cm(width), cm(farthest));
            if is_fine {
                format!("After the {smallest} end, {width}, {n_starting} steps of the other foot can follow.")
            } else {
                let steps = if n_dead == 1 { "a step ends".to_string() } else { format!("{n_dead} steps end") };
                format!(
                    "Dead end: {steps} with the feet as far apart as {width}, and {n_starting} steps of the other foot start with that \
                     width or {smaller}. You need at least {needed}. The {smallest} start so far is {farthest}."
                )
            }
        }
    }
}

/// A finding for machines.
pub(super) fn finding_json(finding: &Finding) -> Value {
    let mut value = match *finding {
        Finding::Density { moment, extreme, n_steps, needed } => json!({
            "kind": "density", "moment": verb(moment), "extreme": adjective(extreme)[0], "steps": n_steps, "needed": needed,
        }),
        Finding::Width { moment, extreme, found, wanted } => json!({
            "kind": "width", "moment": verb(moment), "extreme": adjective(extreme)[0], "found": found, "wanted": wanted,
        }),
        Finding::Sidesteps { n_steps, needed } => json!({ "kind": "sidesteps", "steps": n_steps, "needed": needed }),
        Finding::SmallSidestep { moment, widths, wanted } => json!({
            "kind": "small_sidestep", "moment": verb(moment), "found": widths.min, "widest": widths.max, "wanted": wanted,
        }),
        Finding::DeadEnd { extreme, width, n_dead, n_starting, needed, farthest } => json!({
            "kind": "dead_end", "extreme": adjective(extreme)[0], "width": width, "steps": n_dead, "starting": n_starting,
            "needed": needed, "farthest_start": farthest,
        }),
    };
    value["fine"] = json!(finding.is_fine());
    value["sentence"] = json!(finding_sentence(finding));
    value
}

/// Movements longer than this share of the longest step are long, and shorter than that are short.
const LONG: f64 = 1.1;
const SHORT: f64 = 0.45;
/// Turns smaller than this go without saying, in degrees.
const LEAST_TURN: f64 = 12.0;

/// What an actor would be told in a few words.
pub(super) fn shot_name(shot: &Shot, longest: f64) -> String {
    let share = shot.to.distance(shot.from) / longest;
    let size = match share {
        _ if share > LONG => "long ",
        _ if share < SHORT => "short ",
        _ => "",
    };
    let way = match shot.kind {
        StepKind::Forward => "step forward",
        StepKind::Backward => "step backward",
        StepKind::Outward => "sidestep outward",
        StepKind::Inward => "sidestep inward",
    };
    let crossing = match (shot.from.x < 0.0 && shot.crosses(), shot.to.x < 0.0 && shot.crosses()) {
        (_, true) => ", across the standing foot",
        (true, false) => ", out of crossed feet",
        _ => "",
    };
    let degrees = shot.turn.to_degrees();
    let turn = match degrees.abs() {
        turn if turn < LEAST_TURN => String::new(),
        turn => {
            let toward = if degrees > 0.0 { "toward the stepping foot" } else { "toward the standing foot" };
            format!(", turning {turn:.0} degrees {toward}")
        }
    };
    format!("{size}{way}{crossing}{turn}")
}

/// `60 cm behind and 12 cm out`.
fn place(at: Vec2) -> String {
    let (out, ahead) = ((at.x * 100.0).round(), (at.y * 100.0).round());
    let along =
        (ahead != 0.0).then(|| format!("{:.0} cm {}", ahead.abs(), if ahead > 0.0 { "ahead" } else { "behind" }));
    let aside = (out != 0.0).then(|| format!("{:.0} cm {}", out.abs(), if out > 0.0 { "out" } else { "past it" }));
    let parts: Vec<String> = along.into_iter().chain(aside).collect();
    if parts.is_empty() { "at the same place".to_string() } else { parts.join(", ") }
}

/// A shot as a sentence.
pub(super) fn shot_sentence(shot: &Shot, longest: f64) -> String {
    let foot = shot.swing.map_or("either foot".to_string(), |side| format!("the {} foot", side.name()));
    let name = shot_name(shot, longest);
    let times = if shot.n_times > 1 { format!("{} times: ", shot.n_times) } else { String::new() };
    let why = match &shot.reason {
        ShotReason::Gap => String::new(),
        ShotReason::Finding(Finding::DeadEnd { width, .. }) => format!("; goes on from feet {} apart", cm(*width)),
        ShotReason::Finding(Finding::Width { moment, extreme, wanted, .. }) => {
            format!("; {}s with the feet {} {} apart", verb(*moment), bound(*extreme), cm(*wanted))
        }
        ShotReason::Finding(_) => "; a sidestep that is missing".to_string(),
    };
    format!(
        "{times}{name}, with {foot}: seen from the standing foot, from {} to {}; feet {:.0} cm apart, then {:.0}{why} (+{:.1} %)",
        place(shot.from),
        place(shot.to),
        shot.from.length() * 100.0,
        shot.to.length() * 100.0,
        shot.gain * 100.0
    )
}

/// A shot for machines.
pub(super) fn shot_json(shot: &Shot, longest: f64) -> Value {
    let reason = match &shot.reason {
        ShotReason::Gap => json!("gap"),
        ShotReason::Finding(finding) => finding_json(finding)["kind"].clone(),
    };
    json!({
        "foot": shot.swing.map_or("either", |side| side.name()),
        "name": shot_name(shot, longest),
        "from": { "out": shot.from.x, "ahead": shot.from.y },
        "to": { "out": shot.to.x, "ahead": shot.to.y },
        "turn_degrees": shot.turn.to_degrees(),
        "times": shot.n_times,
        "gain": shot.gain,
        "reason": reason,
        "parameters": shot.point().to_array(),
        "sentence": shot_sentence(shot, longest),
    })
}
