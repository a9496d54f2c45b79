//! Editing a clip together with its contacts.

use crate::{Contacts, Plant, Take};
use std::ops::Range;
use surefoot_geom::Vec3;
use surefoot_motion::{EditError, Side, mirror, resample, slice};

/// A part of a take; plants are cut where it is.
pub fn slice_take(take: &Take, frames: Range<usize>) -> Result<Take, EditError> {
    let clip = slice(&take.clip, frames.clone())?;
    Ok(Take { clip, body: take.body.clone(), contacts: slice_contacts(&take.contacts, frames) })
}

/// A take at another frame rate; a new frame is planted if its time lies within a plant.
pub fn resample_take(take: &Take, frame_rate: f64) -> Result<Take, EditError> {
    let clip = resample(&take.clip, frame_rate)?;
    let contacts = resample_contacts(&take.contacts, clip.n_frames(), frame_rate / take.clip.frame_rate);
    Ok(Take { clip, body: take.body.clone(), contacts })
}

/// The contacts of a part of a clip, which lies within it; plants are cut where it is.
pub fn slice_contacts(contacts: &Contacts, frames: Range<usize>) -> Contacts {
    map_plants(contacts, frames.len(), |range| {
        range.start.max(frames.start) - frames.start..range.end.min(frames.end).saturating_sub(frames.start)
    })
}

/// The contacts of a clip at `ratio` times its frame rate, which then has `n_frames`; a new frame is planted if its time
/// lies within a plant.
pub fn resample_contacts(contacts: &Contacts, n_frames: usize, ratio: f64) -> Contacts {
    // A frame that falls on an old one but for rounding counts as that one.
    map_plants(contacts, n_frames, |range| {
        let first = (range.start as f64 * ratio - 1e-6).ceil().max(0.0) as usize;
        let last = ((range.end - 1) as f64 * ratio + 1e-6).floor() as usize;
        first..(last + 1).min(n_frames)
    })
}

/// A take with left and right exchanged, reflected in the plane x = 0 as [`mirror`] does.
pub fn mirror_take(take: &Take) -> Take {
    let mut contacts = take.contacts.clone();
    contacts.plants = contacts.plants.swapped();
    for side in Side::BOTH {
        for plant in &mut contacts.plants[side] {
            plant.position *= Vec3::new(-1.0, 1.0, 1.0);
        }
    }
    Take { clip: mirror(&take.clip, &take.body), body: take.body.clone(), contacts }
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

    /// Largest distance of a planted part from the place of its plant, in metres.
    fn worst(take: &Take) -> f64 {
        let errors = measure_placement(&take.clip.world(), &take.body, &take.contacts);
        assert!(!errors.is_empty());
        errors.iter().fold(0.0, |most, error| most.max(error.distance))
    }

    #[test]
    fn contacts_stay_true_through_every_edit() {
        let walk = synthetic_walk(&WalkerOptions::default());
        assert!(worst(&walk.take) < 1e-9);
        let part = slice_take(&walk.take, 80..250).unwrap();
        assert_eq!(part.contacts.n_frames, 170);
        assert!(worst(&part) < 1e-9);
        let coarse = resample_take(&walk.take, 30.0).unwrap();
        assert!(worst(&coarse) < 1e-9, "every second frame is a frame of the source");
        let dense = resample_take(&walk.take, 240.0).unwrap();
        assert!(worst(&dense) < 1e-3, "between frames a planted foot may stray a little");
        let mirrored = mirror_take(&walk.take);
        assert!(worst(&mirrored) < 1e-6);
        assert_eq!(mirrored.contacts.plants.left.len(), walk.take.contacts.plants.right.len());
    }
}
