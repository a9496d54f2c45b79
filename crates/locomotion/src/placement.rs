//! How far planted feet are from where they shall stand.

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
}

/// Measures every plant over all of its frames. Panics if the poses are fewer than the contacts' frames.
pub fn measure_placement(poses: &[WorldPose], body: &BodyMap, contacts: &Contacts) -> Vec<PlantError> {
    assert!(poses.len() >= contacts.n_frames, "a pose for each of {} frames", contacts.n_frames);
    let mut errors = Vec::new();
    for side in Side::BOTH {
        for plant in &contacts.plants[side] {
            let distance = poses[plant.frames.clone()].iter().fold(0.0, |most: f64, pose| {
                let place = match plant.part {
                    FootPart::Heel => body.heel(pose, side),
                    FootPart::Ball => body.ball(pose, side),
                };
                most.max(place.distance(plant.position))
            });
            errors.push(PlantError { side, part: plant.part, start: plant.frames.start, distance });
        }
    }
    errors
}
