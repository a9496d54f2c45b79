//! Labels that a person gives: they override what was found, or what was found is compared with them.

use crate::label_stances::LabelReason;
use crate::segment_behaviours::{Flight, Segmentation};
use crate::step_label::{Feet, StepLabel};
use std::ops::Range;
use surefoot_geom::Vec3;
use surefoot_motion::Side;

/// A label for a stance of a recording: that of the foot which shares most frames with it.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenLabel {
    /// Which foot.
    pub side: Side,
    /// Its frames; half-open.
    pub frames: Range<usize>,
    /// What it is.
    pub label: StepLabel,
    /// Take-off and landing, for run, jump and hop.
    pub feet: Option<[Feet; 2]>,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// Where the ball is planted, in metres.
    pub ball: Option<Vec3>,
    /// Where the foot points, in radians.
    pub heading: Option<f64>,
}

/// The labels of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenClip {
    /// File of the recording, without folder.
    pub file: String,
    /// True frames per second, if known better than by the recording.
    pub frame_rate: Option<f64>,
    /// The recording repeats its last pose from this frame on.
    pub still_from: Option<usize>,
    /// In the order in which the stances begin.
    pub labels: Vec<GivenLabel>,
}

/// Why a label cannot be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OverrideError {
    /// No stance of that foot is there.
    #[error("the {} foot is not planted there", .side.name())]
    NoStance {
        /// Which foot.
        side: Side,
    },
    /// A flight without feet.
    #[error("a {} needs take_off and landing: left, right or both", .label.name())]
    NoFeet {
        /// The label.
        label: StepLabel,
    },
    /// The feet contradict the label.
    #[error("from {} to {} is no {}", .feet[0].name(), .feet[1].name(), .label.name())]
    WrongFeet {
        /// The label.
        label: StepLabel,
        /// Take-off and landing.
        feet: [Feet; 2],
    },
}

/// Gives a stance its label.
pub fn override_label(of: &mut Segmentation, given: &GivenLabel) -> Result<(), OverrideError> {
    let shared =
        |frames: &Range<usize>| frames.end.min(given.frames.end).saturating_sub(frames.start.max(given.frames.start));
    let candidates = (0..of.stances.len()).filter(|&index| of.stances[index].side == given.side);
    let index = candidates
        .max_by_key(|&index| shared(&of.stances[index].frames))
        .filter(|&index| shared(&of.stances[index].frames) > 0)
        .ok_or(OverrideError::NoStance { side: given.side })?;
    let label = given.label;
    if label.is_flight() {
        let feet = given.feet.ok_or(OverrideError::NoFeet { label })?;
        check_feet(label, feet)?;
        let start = of.stances[index].frames.start;
        let flight = of.stances[index].flight.unwrap_or_else(|| {
            let left = of.stances[..index].iter().map(|stance| stance.frames.end.min(start)).max().unwrap_or(start);
            of.flights.push(Flight {
                frames: left..start,
                take_off: feet[0],
                landing: feet[1],
                fall: -1.0,
                speed: of.speeds[index],
            });
            of.flights.len() - 1
        });
        [of.flights[flight].take_off, of.flights[flight].landing] = feet;
        (of.stances[index].flight, of.stances[index].support) = (Some(flight), None);
    } else {
        of.stances[index].flight = None;
    }
    (of.stances[index].label, of.stances[index].reason) = (label, LabelReason::Given);
    Ok(())
}

/// Whether a flight between these feet can be called so.
fn check_feet(label: StepLabel, feet: [Feet; 2]) -> Result<(), OverrideError> {
    let is_one = feet[0] != Feet::Both && feet[1] != Feet::Both;
    let fits = match label {
        StepLabel::Hop => is_one && feet[0] == feet[1],
        StepLabel::Run => is_one && feet[0] != feet[1],
        _ => !is_one || feet[0] != feet[1],
    };
    if fits { Ok(()) } else { Err(OverrideError::WrongFeet { label, feet }) }
}
