//! Editing a clip together with its contacts.

use crate::{Contacts, Plant, Take};
use std::ops::Range;
use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, EditError, Side, mirror, resample, slice};

/// A part of a take; plants are cut where it is.
pub fn slice_take(take: &Take, frames: Range<usize>) -> Result<Take, EditError> {
    let clip = slice(&take.clip, frames.clone())?;
    let contacts = map_plants(&take.contacts, clip.n_frames(), |range| {
        range.start.max(frames.start) - frames.start..range.end.min(frames.end).saturating_sub(frames.start)
    });
    Ok(Take { clip, contacts })
}

/// A take at another frame rate; a new frame is planted if its time lies within a plant.
pub fn resample_take(take: &Take, frame_rate: f64) -> Result<Take, EditError> {
    let clip = resample(&take.clip, frame_rate)?;
    let ratio = frame_rate / take.clip.frame_rate;
    // A frame that falls on an old one but for rounding counts as that one.
    let contacts = map_plants(&take.contacts, clip.n_frames(), |range| {
        let first = (range.start as f64 * ratio - 1e-6).ceil().max(0.0) as usize;
        let last = ((range.end - 1) as f64 * ratio + 1e-6).floor() as usize;
        first..(last + 1).min(clip.n_frames())
    });
    Ok(Take { clip, contacts })
}

/// A take with left and right exchanged, reflected in the plane x = 0 as [`mirror`] does.
pub fn mirror_take(take: &Take, body: &BodyMap) -> Take {
    let mut contacts = take.contacts.clone();
    contacts.plants = contacts.plants.swapped();
    for side in Side::BOTH {
        for plant in &mut contacts.plants[side] {
            plant.position *= Vec3::new(-1.0, 1.0, 1.0);
        }
    }
    Take { clip: mirror(&take.clip, body), contacts }
}

/// Contacts with every frame range changed; ranges that become empty are gone.
fn map_plants(contacts: &Contacts, n_frames: usize, change: impl Fn(&Range<usize>) -> Range<usize>) -> Contacts {
    let plants = contacts.plants.as_ref().map(|plants| {
        let changed = plants.iter().map(|plant| Plant { frames: change(&plant.frames), ..plant.clone() });
        changed.filter(|plant| !plant.frames.is_empty()).collect()
    });
    Contacts { n_frames, plants }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{WalkerOptions, measure_placement, synthetic_walk};

    /// Largest distance of a planted part from where its plant says, in metres.
    fn worst(take: &Take, body: &BodyMap) -> f64 {
        let errors = measure_placement(&take.clip.world(), body, &take.contacts);
        assert!(!errors.is_empty());
        errors.iter().fold(0.0, |most, error| most.max(error.distance))
    }

    #[test]
    fn contacts_stay_true_through_every_edit() {
        let walk = synthetic_walk(&WalkerOptions::default());
        assert!(worst(&walk.take, &walk.body) < 1e-9);
        let part = slice_take(&walk.take, 80..250).unwrap();
        assert_eq!(part.contacts.n_frames, 170);
        assert!(worst(&part, &walk.body) < 1e-9);
        let coarse = resample_take(&walk.take, 30.0).unwrap();
        assert!(worst(&coarse, &walk.body) < 1e-9, "every second frame is a frame of the source");
        let dense = resample_take(&walk.take, 240.0).unwrap();
        assert!(worst(&dense, &walk.body) < 1e-3, "between frames a planted foot may stray a little");
        let mirrored = mirror_take(&walk.take, &walk.body);
        assert!(worst(&mirrored, &walk.body) < 1e-6);
        assert_eq!(mirrored.contacts.plants.left.len(), walk.take.contacts.plants.right.len());
    }
}
