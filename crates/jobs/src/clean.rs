//! Footskate cleanup as one call: the ground found, the plants enforced.

use surefoot_cleanup::{
    footskate::CleanOptions, footskate::HoldReason, footskate::clean_footskate, footskate::clean_stream,
};
use surefoot_contact::{Take, estimate_ground};
use surefoot_ground::Terrain;

/// Complete clips, or frame by frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CleanForm {
    /// All frames are known.
    Offline,
    /// As a stream would be cleaned; the result is the same.
    Online,
}

/// A take whose plants are exact.
#[derive(Clone, Debug, PartialEq)]
pub struct CleanTake {
    /// The motion, and where its feet are planted now.
    pub take: Take,
    /// The ground under them.
    pub terrain: Terrain,
    /// The heights of its levels, lowest first, if it was found from the plants.
    pub levels: Option<Vec<f64>>,
    /// Frames in which the last good pose was held, and why.
    pub held: Vec<(usize, HoldReason)>,
}

/// Enforces the plants of a take on a terrain, or on the ground that the plants themselves give ([`estimate_ground`]). `None`
/// if there is neither: without plants and terrain there is nothing to clean.
pub fn clean(take: &Take, terrain: Option<Terrain>, options: &CleanOptions, form: CleanForm) -> Option<CleanTake> {
    let (terrain, levels, options) = match terrain {
        Some(terrain) => (terrain, None, *options),
        None => {
            let ground = estimate_ground(&take.contacts)?;
            // Between the treads of a climb nothing is known of the ground: a foot below one may be beside it.
            let max_lift = if ground.levels.len() > 1 { 0.0 } else { options.max_lift };
            (ground.terrain, Some(ground.levels), CleanOptions { max_lift, ..*options })
        }
    };
    let (take, held) = match form {
        CleanForm::Offline => {
            let cleaned = clean_footskate(take, &terrain, &options);
            (cleaned.take, cleaned.held)
        }
        CleanForm::Online => clean_stream(take, &terrain, &options),
    };
    Some(CleanTake { take, terrain, levels, held })
}
