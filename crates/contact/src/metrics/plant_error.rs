//! How far planted feet are from the places of their contacts.

use crate::{Contacts, FootPart};
use surefoot_motion::{BodyMap, Side, WorldPose};

/// The placement of one plant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlantError {
    /// Which foot.
    pub side: Side,
    /// Which part of it.
    pub part: FootPart,
    /// The plant's first frame.
    pub start: usize,
    /// Largest distance from the plant's position over all of its frames, in metres.
    pub distance: f64,
    /// The frame of that distance.
    pub frame: usize,
}

/// Measures every plant over all of its frames. Panics if the poses are fewer than the contacts' frames.
pub fn measure_placement(poses: &[WorldPose], body: &BodyMap, contacts: &Contacts) -> Vec<PlantError> {
    assert!(poses.len() >= contacts.n_frames, "a pose for each of {} frames", contacts.n_frames);
    let mut errors = Vec::new();
    for side in Side::BOTH {
        for plant in &contacts.plants[side] {
            let mut error = PlantError {
                side,
                part: plant.part,
                start: plant.frames.start,
                distance: 0.0,
                frame: plant.frames.start,
            };
            for frame in plant.frames.clone() {
                let distance = plant.part.place(body, &poses[frame], side).distance(plant.position);
                if distance > error.distance {
                    (error.distance, error.frame) = (distance, frame);
                }
            }
            errors.push(error);
        }
    }
    errors
}
