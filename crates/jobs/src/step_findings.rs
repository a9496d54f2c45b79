//! Findings about a step database and the steps to record next, as data and as the sentences of STRIDE figure 4.2.

use serde::{Deserialize, Serialize};
use surefoot_geom::Vec2;
use surefoot_steps::{Extreme, Finding, Shot, ShotReason, StepKind, SwingEvent};

/// Something that a database can do or lacks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingReport {
    /// What was found.
    #[serde(flatten)]
    pub detail: FindingDetail,
    /// Whether nothing is lacking.
    pub fine: bool,
    /// The same for people.
    pub sentence: String,
}

/// What was found. Widths in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FindingDetail {
    /// How many steps lie within a foot's size of an extreme.
    Density {
        /// When.
        #[serde(alias = "moment")]
        event: SwingEventName,
        /// Which extreme.
        extreme: ExtremeName,
        /// Steps there.
        steps: usize,
        /// How many would do.
        needed: usize,
    },
    /// The smallest or widest step.
    Width {
        /// When.
        #[serde(alias = "moment")]
        event: SwingEventName,
        /// Which extreme.
        extreme: ExtremeName,
        /// As it is.
        found: f64,
        /// At most (small) or at least (wide) this would be right.
        wanted: f64,
    },
    /// How many sidesteps there are.
    Sidesteps {
        /// That many.
        steps: usize,
        /// How many would do.
        needed: usize,
    },
    /// The smallest sidestep.
    SmallSidestep {
        /// When.
        #[serde(alias = "moment")]
        event: SwingEventName,
        /// The smallest.
        found: f64,
        /// The widest.
        widest: f64,
        /// The smallest should be at most this.
        wanted: f64,
    },
    /// Steps that end wider or smaller than enough steps of the other foot start.
    DeadEnd {
        /// Which.
        extreme: ExtremeName,
        /// Where the farthest of them ends.
        width: f64,
        /// How many steps end beyond the last start that enough others reach.
        steps: usize,
        /// Steps of the other foot that start there or beyond.
        starting: usize,
        /// How many would do.
        needed: usize,
        /// The farthest start of the other foot.
        farthest_start: f64,
    },
}

/// At which end of the swing the feet are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SwingEventName {
    /// Before the swing.
    Start,
    /// After it.
    End,
}

/// Which end of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtremeName {
    /// Feet near each other.
    Small,
    /// Feet far apart.
    Wide,
}

/// A step to record next. Places are seen from the planted foot, in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShotReport {
    /// `left`, `right` or `either`.
    pub foot: String,
    /// What to ask an actor for.
    pub name: String,
    /// Where the foot starts.
    pub from: FootPlace,
    /// Where it ends.
    pub to: FootPlace,
    /// Heights where it starts and ends, above the standing foot; 0 on the level.
    #[serde(default)]
    pub heights: [f64; 2],
    /// Turn of the body meanwhile, positive toward the stepping foot.
    pub turn_degrees: f64,
    /// How many of this kind are needed.
    pub times: usize,
    /// Share of all steps within reach that can be blended with it and could not before.
    pub gain: f64,
    /// `gap`, `height` for a step of stairs that nobody recorded, or the kind of the finding that it answers.
    pub reason: String,
    /// The point in the space of parameters.
    pub parameters: [f64; 3],
    /// The same for people.
    pub sentence: String,
}

/// A place beside the planted foot.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FootPlace {
    /// Away from the planted foot.
    pub out: f64,
    /// Ahead of it.
    pub ahead: f64,
}

impl From<Vec2> for FootPlace {
    fn from(at: Vec2) -> FootPlace {
        FootPlace { out: at.x, ahead: at.y }
    }
}

impl From<SwingEvent> for SwingEventName {
    fn from(event: SwingEvent) -> SwingEventName {
        match event {
            SwingEvent::Start => SwingEventName::Start,
            SwingEvent::End => SwingEventName::End,
        }
    }
}

impl From<Extreme> for ExtremeName {
    fn from(extreme: Extreme) -> ExtremeName {
        match extreme {
            Extreme::Small => ExtremeName::Small,
            Extreme::Wide => ExtremeName::Wide,
        }
    }
}

impl From<&Finding> for FindingReport {
    fn from(finding: &Finding) -> FindingReport {
        let detail = match *finding {
            Finding::Density { event, extreme, n_steps: steps, needed } => {
                FindingDetail::Density { event: event.into(), extreme: extreme.into(), steps, needed }
            }
            Finding::Width { event, extreme, found, wanted } => {
                FindingDetail::Width { event: event.into(), extreme: extreme.into(), found, wanted }
            }
            Finding::Sidesteps { n_steps: steps, needed } => FindingDetail::Sidesteps { steps, needed },
            Finding::SmallSidestep { event, widths, wanted } => {
                FindingDetail::SmallSidestep { event: event.into(), found: widths.min, widest: widths.max, wanted }
            }
            Finding::DeadEnd { extreme, width, n_dead, n_starting, needed, farthest } => FindingDetail::DeadEnd {
                extreme: extreme.into(),
                width,
                steps: n_dead,
                starting: n_starting,
                needed,
                farthest_start: farthest,
            },
        };
        FindingReport { detail, fine: finding.is_fine(), sentence: finding_sentence(finding) }
    }
}

impl FindingDetail {
    /// The name of its kind.
    pub fn kind(&self) -> &'static str {
        match self {
            FindingDetail::Density { .. } => "density",
            FindingDetail::Width { .. } => "width",
            FindingDetail::Sidesteps { .. } => "sidesteps",
            FindingDetail::SmallSidestep { .. } => "small_sidestep",
            FindingDetail::DeadEnd { .. } => "dead_end",
        }
    }
}

impl ShotReport {
    /// Of a shot; `longest` is the longest step of the body, in metres.
    pub fn new(shot: &Shot, longest: f64) -> ShotReport {
        let reason = match &shot.reason {
            ShotReason::Gap => "gap",
            ShotReason::Height => "height",
            ShotReason::Finding(finding) => FindingReport::from(finding).detail.kind(),
        };
        ShotReport {
            foot: shot.swing.map_or("either", |side| side.name()).to_string(),
            name: shot_name(shot, longest),
            from: shot.from.into(),
            to: shot.to.into(),
            heights: shot.heights,
            turn_degrees: shot.turn.to_degrees(),
            times: shot.n_times,
            gain: shot.gain,
            reason: reason.to_string(),
            parameters: shot.point().to_array(),
            sentence: shot_sentence(shot, longest),
        }
    }
}

fn verb(event: SwingEvent) -> &'static str {
    match event {
        SwingEvent::Start => "start",
        SwingEvent::End => "end",
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
fn finding_sentence(finding: &Finding) -> String {
    let is_fine = finding.is_fine();
    match *finding {
        Finding::Density { event, extreme, n_steps, needed } => {
            let what = format!("{} {}", verb(event), adjective(extreme)[0]);
            if is_fine {
                format!("You have a high enough density of steps that {what} ({n_steps}).")
            } else {
                format!("You have only {n_steps} of {needed} steps that {what}.")
            }
        }
        Finding::Width { event, extreme, found, wanted } => {
            let [small, smaller, smallest] = adjective(extreme);
            let (verb, bound) = (verb(event), bound(extreme));
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
        Finding::SmallSidestep { event, widths, wanted } => {
            let verb = verb(event);
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

/// Movements longer than this share of the longest step are long, and shorter than that are short.
const LONG: f64 = 1.1;
const SHORT: f64 = 0.45;
/// Turns smaller than this are not mentioned, in degrees.
const LEAST_TURN: f64 = 12.0;

/// What to ask an actor for, in a few words.
fn shot_name(shot: &Shot, longest: f64) -> String {
    let share = shot.to.distance(shot.from) / longest;
    let size = match share {
        _ if share > LONG => "long ",
        _ if share < SHORT => "short ",
        _ => "",
    };
    let direction = match shot.kind {
        StepKind::Forward => "step forward",
        StepKind::Backward => "step backward",
        StepKind::Outward => "sidestep outward",
        StepKind::Inward => "sidestep inward",
    };
    let crossing = match (shot.from.x < 0.0 && shot.crosses(), shot.to.x < 0.0 && shot.crosses()) {
        (_, true) => ", across the planted foot",
        (true, false) => ", out of crossed feet",
        _ => "",
    };
    let degrees = shot.turn.to_degrees();
    let turn = match degrees.abs() {
        turn if turn < LEAST_TURN => String::new(),
        turn => {
            let toward = if degrees > 0.0 { "toward the stepping foot" } else { "toward the planted foot" };
            format!(", turning {turn:.0} degrees {toward}")
        }
    };
    format!("{size}{direction}{crossing}{turn}")
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
fn shot_sentence(shot: &Shot, longest: f64) -> String {
    let foot = shot.swing.map_or("either foot".to_string(), |side| format!("the {} foot", side.name()));
    let name = shot_name(shot, longest);
    let times = if shot.n_times > 1 { format!("{} times: ", shot.n_times) } else { String::new() };
    let why = match &shot.reason {
        ShotReason::Gap => String::new(),
        ShotReason::Height => {
            let [from, to] = shot.heights.map(|height| format!("{:+.0} cm", 100.0 * height));
            let up = if shot.heights[1] > shot.heights[0] { "up" } else { "down" };
            return format!(
                "{times}a step {up} stairs, with {foot}: from {} to {}, from {from} to {to} of height",
                place(shot.from),
                place(shot.to)
            );
        }
        ShotReason::Finding(Finding::DeadEnd { width, .. }) => format!("; goes on from feet {} apart", cm(*width)),
        ShotReason::Finding(Finding::Width { event, extreme, wanted, .. }) => {
            format!("; {}s with the feet {} {} apart", verb(*event), bound(*extreme), cm(*wanted))
        }
        ShotReason::Finding(_) => "; a sidestep that is missing".to_string(),
    };
    format!(
        "{times}{name}, with {foot}: seen from the planted foot, from {} to {}; feet {:.0} cm apart, then {:.0}{why} (+{:.1} %)",
        place(shot.from),
        place(shot.to),
        shot.from.length() * 100.0,
        shot.to.length() * 100.0,
        shot.gain * 100.0
    )
}
