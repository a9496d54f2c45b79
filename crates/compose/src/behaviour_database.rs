//! What many recordings do, step by step (COMPOSE 3.1): m = {p_sup, p_start, p_end, v_root, label}.
//!
//! A [`BehaviourDatabase`] keeps each recording's stances in the world; a step in the paper's form, relative to its support, is
//! derived from them ([`BehaviourDatabase::steps`]). Everything else that COMPOSE learns (limits, patterns, transitions, the
//! recogniser) is computed from the same stances.

use crate::segment_behaviours::{LabelledStance, Segmentation};
use crate::step_label::{Feet, StepLabel};
use std::collections::BTreeMap;
use surefoot_geom::{Vec3, turn_between};
use surefoot_motion::Side;

/// One recording.
#[derive(Clone, Debug, PartialEq)]
pub struct BehaviourClip {
    /// Of the recording, without folder and ending.
    pub name: String,
    /// Who is recorded.
    pub actor: String,
    /// Frames per second.
    pub frame_rate: f64,
    /// How many frames there are.
    pub n_frames: usize,
    /// Thigh plus shin, in metres.
    pub leg_length: f64,
    /// Its stances and flights.
    pub segmentation: Segmentation,
}

/// A foot as the paper has it: ankle, heading and ball, (x^b, y^b, z^b, theta, x^t, y^t, z^t).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootPlace {
    /// The paper's foot joint.
    pub ankle: Vec3,
    /// About the vertical; 0 if the foot points nowhere.
    pub heading: f64,
    /// The paper's toe joint.
    pub ball: Vec3,
}

impl FootPlace {
    fn of(stance: &LabelledStance) -> FootPlace {
        FootPlace { ankle: stance.ankle, heading: stance.heading.unwrap_or(0.0), ball: stance.ball }
    }

    /// Seen from a support: its ball is the origin, its heading +Z.
    pub fn relative_to(&self, support: &FootPlace) -> FootPlace {
        FootPlace {
            ankle: turned(self.ankle - support.ball, -support.heading),
            heading: turn_between(support.heading, self.heading),
            ball: turned(self.ball - support.ball, -support.heading),
        }
    }
}

/// A vector turned about the vertical; positive turns +Z toward +X.
pub(crate) fn turned(vector: Vec3, angle: f64) -> Vec3 {
    let (sin, cos) = angle.sin_cos();
    Vec3::new(vector.x * cos + vector.z * sin, vector.y, vector.z * cos - vector.x * sin)
}

/// A recorded step.
#[derive(Clone, Debug, PartialEq)]
pub struct BehaviourStep {
    /// Index of its recording.
    pub clip: usize,
    /// Index of the stance that it ends with.
    pub stance: usize,
    /// The acting foot.
    pub side: Side,
    /// What it is.
    pub label: StepLabel,
    /// Take-off and landing, if nobody is planted in between.
    pub feet: Option<[Feet; 2]>,
    /// Where the supporting foot is, in the world. Of a flight: the foot that leaves last, and the acting one if it is alone.
    pub support: FootPlace,
    /// Where the acting foot starts, seen from the support.
    pub start: FootPlace,
    /// Where it ends, seen from the support.
    pub end: FootPlace,
    /// Speed of the root over the ground, in metres a second.
    pub root_speed: f64,
}

/// The steps of recordings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BehaviourDatabase {
    clips: Vec<BehaviourClip>,
}

/// Why clips are no database.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("clip {clip}: {problem}")]
pub struct BehaviourDatabaseError {
    /// Its index.
    pub clip: usize,
    /// What is wrong.
    pub problem: String,
}

impl BehaviourDatabase {
    /// A database of clips that make sense: finite, in order, and referring to what is there.
    pub fn new(clips: Vec<BehaviourClip>) -> Result<BehaviourDatabase, BehaviourDatabaseError> {
        for (clip, content) in clips.iter().enumerate() {
            check_clip(content).map_err(|problem| BehaviourDatabaseError { clip, problem })?;
        }
        Ok(BehaviourDatabase { clips })
    }

    /// The recordings.
    pub fn clips(&self) -> &[BehaviourClip] {
        &self.clips
    }

    /// Without the recordings of an actor.
    pub fn without_actor(&self, actor: &str) -> BehaviourDatabase {
        BehaviourDatabase { clips: self.clips.iter().filter(|clip| clip.actor != actor).cloned().collect() }
    }

    /// The actors, in order of their names.
    pub fn actors(&self) -> Vec<&str> {
        let mut actors: Vec<&str> = self.clips.iter().map(|clip| clip.actor.as_str()).collect();
        actors.sort_unstable();
        actors.dedup();
        actors
    }

    /// All steps in the paper's form. Stances at the start of a recording are none.
    pub fn steps(&self) -> Vec<BehaviourStep> {
        let steps = self.clips.iter().enumerate().flat_map(|(index, clip)| {
            let stances = 0..clip.segmentation.stances.len();
            stances.filter_map(move |stance| step_of(index, &clip.segmentation, stance))
        });
        steps.collect()
    }

    /// How many steps there are of each label. Both feet of a jump are one.
    pub fn counts(&self) -> BTreeMap<StepLabel, usize> {
        let mut counts = BTreeMap::new();
        for clip in &self.clips {
            let mut seen = Vec::new();
            for stance in &clip.segmentation.stances {
                if stance.flight.is_some_and(|flight| seen.contains(&flight)) {
                    continue;
                }
                seen.extend(stance.flight);
                *counts.entry(stance.label).or_insert(0) += 1;
            }
        }
        counts
    }

    /// How many jumps there are of each take-off and landing.
    pub fn jumps(&self) -> BTreeMap<[Feet; 2], usize> {
        let mut counts = BTreeMap::new();
        for clip in &self.clips {
            let of = &clip.segmentation;
            for (index, flight) in of.flights.iter().enumerate() {
                let ends = |stance: &&LabelledStance| stance.flight == Some(index) && stance.label == StepLabel::Jump;
                if of.stances.iter().any(|stance| ends(&stance)) {
                    *counts.entry([flight.take_off, flight.landing]).or_insert(0) += 1;
                }
            }
        }
        counts
    }
}

fn step_of(clip: usize, of: &Segmentation, index: usize) -> Option<BehaviourStep> {
    let stance = &of.stances[index];
    let start = &of.stances[stance.previous?];
    let flight = of.flight_of(index);
    let other_before = || of.stances[..index].iter().rev().find(|other| other.side != stance.side);
    let support = match (stance.support, flight) {
        (Some(support), _) => &of.stances[support],
        (None, Some(flight)) if flight.take_off == Feet::from(stance.side) => start,
        _ => other_before().unwrap_or(start),
    };
    let support = FootPlace::of(support);
    Some(BehaviourStep {
        clip,
        stance: index,
        side: stance.side,
        label: stance.label,
        feet: flight.map(|flight| [flight.take_off, flight.landing]),
        support,
        start: FootPlace::of(start).relative_to(&support),
        end: FootPlace::of(stance).relative_to(&support),
        root_speed: of.speeds[index],
    })
}

/// Lengths past this mean nothing, in metres.
const FAR: f64 = 1e6;

fn check_clip(clip: &BehaviourClip) -> Result<(), String> {
    let of = &clip.segmentation;
    let is_length = |value: f64| value.is_finite() && value > 0.0 && value < FAR;
    if !is_length(clip.frame_rate) || !is_length(clip.leg_length) {
        return Err(format!("frame rate {} and leg length {} must be positive", clip.frame_rate, clip.leg_length));
    }
    if of.speeds.len() != of.stances.len() {
        return Err(format!("{} speeds for {} stances", of.speeds.len(), of.stances.len()));
    }
    let is_near = |place: Vec3| place.is_finite() && place.abs().max_element() < FAR;
    for (index, (stance, speed)) in of.stances.iter().zip(&of.speeds).enumerate() {
        let refers = |other: Option<usize>| other.is_none_or(|other| other < index);
        let is_right = stance.frames.start < stance.frames.end
            && stance.frames.end <= clip.n_frames
            && is_near(stance.ball)
            && is_near(stance.ankle)
            && stance.heading.is_none_or(f64::is_finite)
            && speed.is_finite()
            && refers(stance.previous)
            && refers(stance.support)
            && stance.previous.is_none_or(|previous| of.stances[previous].side == stance.side)
            && stance.flight.is_none_or(|flight| flight < of.flights.len())
            && stance.label.is_flight() == stance.flight.is_some();
        if !is_right {
            return Err(format!("stance {index} makes no sense"));
        }
    }
    if !of.stances.is_sorted_by_key(|stance| stance.frames.start) {
        return Err("stances are not in the order in which they begin".to_string());
    }
    let good = |flight: &crate::Flight| {
        flight.frames.start <= flight.frames.end
            && flight.frames.end <= clip.n_frames
            && flight.fall.is_finite()
            && flight.speed.is_finite()
    };
    match of.flights.iter().position(|flight| !good(flight)) {
        Some(flight) => Err(format!("flight {flight} makes no sense")),
        None => Ok(()),
    }
}
