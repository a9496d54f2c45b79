//! What a person did to come to each stance, and why it is called so.
//!
//! A flight is named by its feet: from one to the same is a hop; both at an end, or far longer than a running stride, is a jump; else a
//! run. A step with a planted foot is named by where it leads: to another level a stair; turned on the spot a turn; nowhere a shuffle;
//! else a walk. The limits are those by which people would say so, and are named below.

use crate::body_tracks::{BodyTracks, planar};
use crate::find_flights::FoundFlight;
use crate::step_label::{Feet, StepLabel};
use crate::touch_stances::TouchStance;
use surefoot_geom::{median, turn_between};

/// A foot found planted this soon is planted in the first frame, in seconds.
const FIRST: f64 = 0.04;
/// Foot to foot for longer than this is a leap, in seconds: runners are in the air for 0.05 to 0.2.
const LEAP: f64 = 0.3;
/// Or longer than this and than [`LEAP_RATIO`] times the median of the recording.
const LEAP_AMONG_RUNS: f64 = 0.22;
const LEAP_RATIO: f64 = 1.7;
/// A single flight of a slow person from foot to foot is a jump if it lasts: in seconds, m/s, and seconds to any other flight.
const LONE_JUMP: f64 = 0.11;
const LONE_SPEED: f64 = 1.8;
const LONE_REACH: f64 = 0.6;
/// A step that rises or falls by more is on a stair, in metres.
pub(crate) const STAIR: f64 = 0.06;
/// A foot that comes down this near to where it was has stayed in place, in metres.
const IN_PLACE: f64 = 0.05;
/// Turns: by this angle in radians, with less travel of the foot and of the pelvis, in metres; the second pair for turns by more.
const TURN: f64 = 25.0 * std::f64::consts::PI / 180.0;
const TURN_TRAVELS: [[f64; 2]; 2] = [[0.3, 0.2], [0.45, 0.15]];
/// A step that travels less is a shuffle, in metres.
const SHUFFLE: f64 = 0.1;

/// Why a stance got its label. Lengths in metres, times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LabelReason {
    /// It is planted in the first frame.
    PlantedAtStart,
    /// The recording begins in the air.
    BeginsInTheAir,
    /// It ends a flight.
    Flight {
        /// Seconds in the air.
        seconds: f64,
        /// Mean vertical acceleration, in multiples of g.
        fall: f64,
        /// Speed of the pelvis over the ground, in metres a second.
        speed: f64,
        /// The feet that take off and land.
        feet: [Feet; 2],
    },
    /// The other foot is planted on the way.
    Step {
        /// From the foot's last stance, over the ground.
        travel: f64,
        /// Above the foot's last stance.
        rise: f64,
        /// Above the planted foot.
        rise_from_support: f64,
        /// Turn of the foot, in radians.
        turn: f64,
    },
    /// A file of labels gives it.
    Given,
}

impl std::fmt::Display for LabelReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LabelReason::PlantedAtStart => write!(f, "planted in the first frame"),
            LabelReason::BeginsInTheAir => write!(f, "the recording begins in the air"),
            LabelReason::Flight { seconds, fall, speed, feet: [from, to] } => write!(
                f,
                "{:.0} ms in the air from {} to {}, falling at {:.2} g, {speed:.2} m/s over the ground",
                seconds * 1000.0,
                from.name(),
                to.name(),
                -fall
            ),
            LabelReason::Step { travel, rise, rise_from_support, turn } => write!(
                f,
                "a foot is planted on the way: {:.0} cm on, {:+.0} cm up from its last stance and {:+.0} cm from the planted foot, turned {:.0} degrees",
                travel * 100.0,
                rise * 100.0,
                rise_from_support * 100.0,
                turn.to_degrees().abs()
            ),
            LabelReason::Given => write!(f, "given by the labels file"),
        }
    }
}

/// A stance's label with its reason, and the stances that it is measured from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StanceLabel {
    pub(crate) label: StepLabel,
    pub(crate) reason: LabelReason,
    pub(crate) flight: Option<usize>,
    /// The foot's last stance.
    pub(crate) previous: Option<usize>,
    /// The planted foot of a step.
    pub(crate) support: Option<usize>,
}

/// The labels of stances, one for each.
pub(crate) fn label_stances(tracks: &BodyTracks, stances: &[TouchStance], flights: &[FoundFlight]) -> Vec<StanceLabel> {
    let of_flights = label_flights(tracks, flights);
    let label = |index: usize| {
        let stance = &stances[index];
        let previous = (0..index).rev().find(|&other| stances[other].side == stance.side);
        let begins = stance.frames.start <= tracks.frames(FIRST) && previous.is_none();
        if begins && !flights.iter().any(|flight| flight.to.contains(&index)) {
            let (label, reason) = (StepLabel::Stand, LabelReason::PlantedAtStart);
            return StanceLabel { label, reason, flight: None, previous, support: None };
        }
        if let Some(flight) = flights.iter().position(|flight| flight.to.contains(&index)) {
            let found = &flights[flight];
            let seconds = found.frames.len() as f64 / tracks.frame_rate;
            let feet = [found.take_off, found.landing];
            let reason = LabelReason::Flight { seconds, fall: found.fall, speed: found.speed, feet };
            let label = of_flights[flight];
            return StanceLabel { label, reason, flight: Some(flight), previous, support: None };
        }
        let is_support =
            |&other: &usize| stances[other].side != stance.side && stances[other].frames.start < stance.frames.start;
        match (0..index).rev().find(is_support) {
            Some(support) => label_step(tracks, stances, index, previous, support),
            None => {
                let (label, reason) = (StepLabel::Unknown, LabelReason::BeginsInTheAir);
                StanceLabel { label, reason, flight: None, previous, support: None }
            }
        }
    };
    (0..stances.len()).map(label).collect()
}

fn label_flights(tracks: &BodyTracks, flights: &[FoundFlight]) -> Vec<StepLabel> {
    let seconds = |flight: &FoundFlight| flight.frames.len() as f64 / tracks.frame_rate;
    let is_stride = |flight: &FoundFlight| match (flight.take_off.side(), flight.landing.side()) {
        (Some(from), Some(to)) => from != to,
        _ => false,
    };
    let mut strides: Vec<f64> = flights.iter().filter(|flight| is_stride(flight)).map(seconds).collect();
    let usual = median(&mut strides).unwrap_or(0.0);
    let label = |index: usize| {
        let flight = &flights[index];
        if flight.take_off == Feet::Both || flight.landing == Feet::Both {
            return StepLabel::Jump;
        }
        if !is_stride(flight) {
            return StepLabel::Hop;
        }
        let time = seconds(flight);
        let reach = tracks.frames(LONE_REACH);
        let is_near = |other: &FoundFlight| {
            is_stride(other)
                && other.frames != flight.frames
                && other.frames.start < flight.frames.end + reach
                && flight.frames.start < other.frames.end + reach
        };
        let is_alone = !flights.iter().any(is_near);
        let is_leap = time > LEAP
            || (time > LEAP_AMONG_RUNS && time > LEAP_RATIO * usual)
            || (is_alone && flight.speed < LONE_SPEED && time > LONE_JUMP);
        if is_leap { StepLabel::Jump } else { StepLabel::Run }
    };
    (0..flights.len()).map(label).collect()
}

fn label_step(
    tracks: &BodyTracks,
    stances: &[TouchStance],
    index: usize,
    previous: Option<usize>,
    support: usize,
) -> StanceLabel {
    let stance = &stances[index];
    let own = previous.map(|previous| &stances[previous]);
    let travel = own.map_or_else(|| planar(stance.ball - stances[support].ball), |own| planar(stance.ball - own.ball));
    let rise_from_support = stance.ball.y - stances[support].ball.y;
    let rise = own.map_or(rise_from_support, |own| stance.ball.y - own.ball.y);
    let turn = own.and_then(|own| Some(turn_between(own.heading?, stance.heading?))).unwrap_or(0.0);
    let last = tracks.n_frames() - 1;
    let pelvis = own.map_or(0.0, |own| {
        planar(tracks.pelvis[stance.frames.start.min(last)] - tracks.pelvis[own.frames.end.min(last)])
    });
    let climb = if rise.abs() >= rise_from_support.abs() { rise } else { rise_from_support };
    let turns = |[foot, body]: [f64; 2]| turn.abs() >= TURN && travel < foot && pelvis < body;
    let label = if climb.abs() > STAIR && travel > IN_PLACE {
        if climb > 0.0 { StepLabel::StairUp } else { StepLabel::StairDown }
    } else if TURN_TRAVELS.into_iter().any(turns) {
        StepLabel::Turn
    } else if travel < SHUFFLE {
        StepLabel::Shuffle
    } else {
        StepLabel::Walk
    };
    let reason = LabelReason::Step { travel, rise, rise_from_support, turn };
    StanceLabel { label, reason, flight: None, previous, support: Some(support) }
}
