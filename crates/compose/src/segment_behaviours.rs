//! Recordings cut into steps by their support pattern (COMPOSE 3.1): who is planted, who lands, and whether anybody is in between.
//!
//! ```text
//! take -> body_tracks -> touch_stances -> find_flights -> label_stances -> Segmentation
//! ```
//!
//! 1. The plants of the detector, grown to when each foot touches.
//! 2. Flights, by the gaps between stances and the fall of the centre of mass.
//! 3. A label for each stance, with its reason.
//!
//! The paper cuts by hand, and names four kinds of jump, walking, running and stairs. Ours is automatic, and also knows hops, turns
//! and shuffles.

use crate::body_tracks::BodyTracks;
use crate::find_flights::find_flights;
use crate::label_stances::{LabelReason, label_stances};
use crate::step_label::{Feet, StepLabel};
use crate::touch_stances::touch_stances;
use std::ops::Range;
use surefoot_contact::Take;
use surefoot_geom::Vec3;
use surefoot_motion::Side;

/// One stance of a recording, with what was done to come to it.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelledStance {
    /// Which foot.
    pub side: Side,
    /// While it touches; half-open.
    pub frames: Range<usize>,
    /// Where the ball is planted.
    pub ball: Vec3,
    /// Where the ankle is.
    pub ankle: Vec3,
    /// Where the foot points, from ankle to ball; 0 is +Z, positive turns toward +X.
    pub heading: Option<f64>,
    /// What was done to come here.
    pub label: StepLabel,
    /// Why it is called so.
    pub reason: LabelReason,
    /// The flight that it ends: an index.
    pub flight: Option<usize>,
    /// The foot's last stance: an index.
    pub previous: Option<usize>,
    /// The planted foot of a step: an index.
    pub support: Option<usize>,
}

/// A time in which nobody is planted.
#[derive(Clone, Debug, PartialEq)]
pub struct Flight {
    /// From take-off to landing; half-open, may be empty where feet were found to overlap.
    pub frames: Range<usize>,
    /// The feet that take off.
    pub take_off: Feet,
    /// The feet that land.
    pub landing: Feet,
    /// Mean vertical acceleration of the centre of mass in it, in multiples of g; -1 is free fall.
    pub fall: f64,
    /// Speed of the pelvis over the ground, in metres a second.
    pub speed: f64,
}

/// What a recording does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Segmentation {
    /// In the order in which they begin.
    pub stances: Vec<LabelledStance>,
    /// In order of time.
    pub flights: Vec<Flight>,
    /// Speed of the pelvis over the ground on the way to each stance, in metres a second.
    pub speeds: Vec<f64>,
}

impl Segmentation {
    /// The flight that a stance ends.
    pub fn flight_of(&self, stance: usize) -> Option<&Flight> {
        self.stances[stance].flight.map(|flight| &self.flights[flight])
    }
}

/// Cuts a take, whose contacts were detected, into stances, and labels them. Total: of a take without contacts, nothing.
pub fn segment_behaviours(take: &Take) -> Segmentation {
    let poses = take.clip.world();
    let tracks = BodyTracks::new(&take.clip, &poses, &take.body);
    let stances = touch_stances(&tracks, &take.contacts);
    let flights = find_flights(&tracks, &stances);
    let labels = label_stances(&tracks, &stances, &flights);
    let speeds = stances.iter().zip(&labels).map(|(stance, label)| {
        let from = label.previous.map_or(0, |previous| stances[previous].frames.end.min(stance.frames.start));
        tracks.pelvis_speed(from, stance.frames.start)
    });
    let speeds = speeds.collect();
    let flights = flights
        .into_iter()
        .map(|found| Flight {
            frames: found.frames,
            take_off: found.take_off,
            landing: found.landing,
            fall: found.fall,
            speed: found.speed,
        })
        .collect();
    let stances = stances
        .into_iter()
        .zip(labels)
        .map(|(stance, found)| LabelledStance {
            side: stance.side,
            frames: stance.frames,
            ball: stance.ball,
            ankle: stance.ankle,
            heading: stance.heading,
            label: found.label,
            reason: found.reason,
            flight: found.flight,
            previous: found.previous,
            support: found.support,
        })
        .collect();
    Segmentation { stances, flights, speeds }
}

#[cfg(test)]
mod tests;
