//! What recorded flights look like in a step database, version 4, and what must hold of them.
//!
//! The shapes are those of the file and stay as they are; a change of them is a new version.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use surefoot_compose::{Feet, FlightLibrary, FlightShape, FlightTimes, RecordedFlight};
use surefoot_contact::Behaviour;
use surefoot_geom::Vec3;

/// A flight.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredFlight<'a> {
    name: String,
    actor: String,
    /// Index in [`FLIGHTS`].
    behaviour: u8,
    /// Take-off and landing, indices in [`Feet::ALL`].
    feet: [u8; 2],
    /// Before, in the air, after.
    times: [f64; 3],
    to: [f64; 3],
    turn: f64,
    velocities: [[f64; 3]; 2],
    ankle: [f64; 3],
    rows: Cow<'a, [f32]>,
}

const FLIGHTS: [Behaviour; 3] = [Behaviour::Run, Behaviour::Jump, Behaviour::Hop];

impl<'a> StoredFlight<'a> {
    pub(super) fn of(flight: &'a RecordedFlight) -> StoredFlight<'a> {
        let place = |feet: Feet| Feet::ALL.iter().position(|of| *of == feet).map_or(0, |index| index as u8);
        let FlightTimes { before, air, after } = flight.times;
        StoredFlight {
            name: flight.name.to_string(),
            actor: flight.actor.clone(),
            behaviour: FLIGHTS.iter().position(|of| *of == flight.behaviour).map_or(0, |index| index as u8),
            feet: flight.feet.map(place),
            times: [before, air, after],
            to: flight.shape.to.to_array(),
            turn: flight.shape.turn,
            velocities: flight.shape.velocities.map(|velocity| velocity.to_array()),
            ankle: flight.ankle.to_array(),
            rows: Cow::Borrowed(&flight.rows),
        }
    }

    fn into_flight(self) -> Option<RecordedFlight> {
        let [from, to] = self.feet.map(|feet| Feet::ALL.get(usize::from(feet)).copied());
        let [before, air, after] = self.times;
        Some(RecordedFlight {
            name: self.name.into(),
            actor: self.actor,
            behaviour: *FLIGHTS.get(usize::from(self.behaviour))?,
            feet: [from?, to?],
            times: FlightTimes { before, air, after },
            shape: FlightShape {
                to: Vec3::from_array(self.to),
                turn: self.turn,
                velocities: self.velocities.map(Vec3::from_array),
            },
            ankle: Vec3::from_array(self.ankle),
            rows: self.rows.into(),
        })
    }
}

/// The flights of a body with as many joints outside of its legs, or what is wrong.
pub(super) fn into_library(stored: Vec<StoredFlight<'_>>, n_others: usize) -> Result<FlightLibrary, String> {
    let flights = stored.into_iter().enumerate().map(|(index, flight)| {
        flight.into_flight().ok_or_else(|| format!("flight {index}: it has no such behaviour or feet"))
    });
    FlightLibrary::new(flights.collect::<Result<_, _>>()?, n_others)
        .ok_or_else(|| "a recorded flight has too few or too many numbers, or one that means nothing".to_string())
}
