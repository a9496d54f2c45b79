//! How far planted heels and balls move while they should stand still.
//!
//! Drift is the largest distance within a plant from the plant's own median position, over the ground and in height; the path is
//! the length of the path that the point takes over the ground meanwhile. Skate speed is the paths of all plants divided by the time
//! that their points are planted: a plant of `n` frames lasts `n - 1` frame times.

use super::foot_points::{FootPoints, moves, planar};
use super::worst::Worst;
use crate::order_statistics::quantile;
use crate::{Contacts, FootPart};
use std::ops::Range;
use surefoot_geom::Vec3;
use surefoot_motion::{PerSide, Side};

/// The drift of one plant; lengths in metres.
#[derive(Clone, Debug, PartialEq)]
pub struct PlantDrift {
    /// Of the foot.
    pub side: Side,
    /// The planted part.
    pub part: FootPart,
    /// Half-open.
    pub frames: Range<usize>,
    /// Largest distance over the ground from the median position.
    pub horizontal: f64,
    /// The frame of that distance.
    pub frame: usize,
    /// Largest distance in height from the median.
    pub vertical: f64,
    /// The frame of that distance.
    pub vertical_frame: usize,
    /// Length of the root trajectory.
    pub path: f64,
}

/// The drift of all plants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drift {
    /// Left before right, heels before balls, then in order of time.
    pub plants: Vec<PlantDrift>,
    /// Seconds that the points are planted, added over all plants.
    pub planted_seconds: f64,
}

/// A part of a foot.
pub type FootPlace = (Side, FootPart);

impl Drift {
    /// The largest drift over the ground.
    pub fn worst(&self) -> Option<Worst<FootPlace>> {
        let of =
            |plant: &PlantDrift| Worst { value: plant.horizontal, place: (plant.side, plant.part), frame: plant.frame };
        Worst::of(self.plants.iter().map(of))
    }

    /// The largest drift in height.
    pub fn worst_vertical(&self) -> Option<Worst<FootPlace>> {
        let of = |plant: &PlantDrift| Worst {
            value: plant.vertical,
            place: (plant.side, plant.part),
            frame: plant.vertical_frame,
        };
        Worst::of(self.plants.iter().map(of))
    }

    /// Path lengths of all plants over the ground by the time that they last, in metres a second; `None` if no plant lasts.
    pub fn skate_speed(&self) -> Option<f64> {
        let paths: f64 = self.plants.iter().map(|plant| plant.path).sum();
        (self.planted_seconds > 0.0).then(|| paths / self.planted_seconds)
    }
}

/// Measures every plant.
pub fn measure_drift(feet: &PerSide<FootPoints>, contacts: &Contacts, frame_rate: f64) -> Drift {
    let mut drift = Drift::default();
    for side in Side::BOTH {
        for part in FootPart::BOTH {
            for plant in contacts.plants[side].iter().filter(|plant| plant.part == part) {
                let track = match part {
                    FootPart::Heel => &feet[side].heel,
                    FootPart::Ball => &feet[side].ball,
                };
                drift.plants.push(drift_of(track, side, part, plant.frames.clone()));
                drift.planted_seconds += plant.frames.len().saturating_sub(1) as f64 / frame_rate;
            }
        }
    }
    drift
}

fn drift_of(track: &[Vec3], side: Side, part: FootPart, frames: Range<usize>) -> PlantDrift {
    let places = &track[frames.clone()];
    let middle = median_place(places);
    let away = |distance: fn(Vec3) -> f64| {
        let all = places.iter().enumerate();
        let worst = Worst::of(all.map(|(k, &place)| Worst {
            value: distance(place - middle),
            place: (),
            frame: frames.start + k,
        }));
        worst.map_or((0.0, frames.start), |worst| (worst.value, worst.frame))
    };
    let (horizontal, frame) = away(planar);
    let (vertical, vertical_frame) = away(|offset| offset.y.abs());
    let path = moves(places).map(planar).sum();
    PlantDrift { side, part, frames, horizontal, frame, vertical, vertical_frame, path }
}

/// The median of each coordinate.
pub(super) fn median_place(places: &[Vec3]) -> Vec3 {
    let axis = |axis: usize| {
        let values: Vec<f64> = places.iter().map(|place| place[axis]).collect();
        quantile(&values, 0.5).unwrap_or(0.0)
    };
    Vec3::new(axis(0), axis(1), axis(2))
}
