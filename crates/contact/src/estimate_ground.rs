//! The ground that a recording was made on, from where its feet were planted.
//!
//! Recordings come without their floors. What is known is where feet were planted, and feet are planted on the ground.
//!
//! 1. Each stance (plants of one foot that overlap or touch in time) has a level: the mean height of its plants, by time.
//! 2. If the stances agree within [`FLAT_SPREAD`], the ground is flat at their median, each weighing as long as it lasts.
//!    Recorded levels of one floor differ by some centimetres, for skeletons are not people.
//! 3. Else the person climbed. Levels within [`SAME_LEVEL`] of each other are one tread, by the gaps between them, and the ground
//!    is a pad of that height under each heel and ball ([`Terrain::patches`]), over the lowest level.
//!
//! Limits: a slope is seen as many treads.

use crate::stances::{gather_plants, touches};
use crate::{Contacts, Plant};
use surefoot_geom::ground_point;
use surefoot_ground::{Patch, Terrain};
use surefoot_motion::Side;

/// Levels of one flat floor differ by less than this, in metres. Recorded ones differ by up to 8 cm; a stair rises by 12
/// to 20 cm, and is climbed with at least two steps.
const FLAT_SPREAD: f64 = 0.11;

/// Stances of one tread differ by less than this from the next higher or lower one, in metres.
const SAME_LEVEL: f64 = 0.04;

/// Radius of a pad under a heel or ball, in metres: less than half of a tread, so that a foot moving up meets no pad
/// that it does not land on.
const PAD: f64 = 0.04;

/// The ground of a take.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundLevels {
    /// To stand on.
    pub terrain: Terrain,
    /// The heights of its levels, lowest first; one if it is flat.
    pub levels: Vec<f64>,
}

/// How high a foot is planted in one of its stances.
struct Level<'a> {
    plants: Vec<&'a Plant>,
    height: f64,
    n_frames: usize,
}

/// The ground under the plants of a clip; `None` if there are none.
pub fn estimate_ground(contacts: &Contacts) -> Option<GroundLevels> {
    let mut stances: Vec<Level<'_>> = Side::BOTH.iter().flat_map(|&side| foot_levels(&contacts.plants[side])).collect();
    stances.sort_by(|a, b| a.height.total_cmp(&b.height));
    if stances.last()?.height - stances.first()?.height < FLAT_SPREAD {
        let level = weighted_median(&stances);
        return Some(GroundLevels { terrain: Terrain::flat(level), levels: vec![level] });
    }
    let treads: Vec<&[Level<'_>]> = stances.chunk_by(|a, b| b.height - a.height < SAME_LEVEL).collect();
    let levels: Vec<f64> = treads.iter().map(|tread| weighted_median(tread)).collect();
    let pads = treads.iter().zip(&levels).flat_map(|(tread, &height)| {
        let plants = tread.iter().flat_map(|stance| &stance.plants);
        plants.map(move |plant| Patch { centre: ground_point(plant.position), radius: PAD, height })
    });
    let terrain = Terrain::patches(levels[0], pads.collect()).unwrap_or_else(|_| Terrain::flat(levels[0]));
    Some(GroundLevels { terrain, levels })
}

/// The levels of a foot's stances. Plants whose places are no numbers tell nothing.
fn foot_levels(plants: &[Plant]) -> impl Iterator<Item = Level<'_>> {
    gather_plants(plants, touches).into_iter().filter_map(|stance| {
        let plants: Vec<&Plant> = stance.plants.iter().filter(|plant| plant.position.is_finite()).collect();
        let n_frames: usize = plants.iter().map(|plant| plant.frames.len()).sum();
        let sum: f64 = plants.iter().map(|plant| plant.position.y * plant.frames.len() as f64).sum();
        (n_frames > 0).then(|| Level { plants, height: sum / n_frames as f64, n_frames })
    })
}

/// The height at which half of the time is spent lower; stances are sorted by height.
fn weighted_median(stances: &[Level<'_>]) -> f64 {
    let total: usize = stances.iter().map(|stance| stance.n_frames).sum();
    let mut seen = 0;
    let middle = stances.iter().find(|stance| {
        seen += stance.n_frames;
        2 * seen >= total
    });
    middle.map_or(0.0, |stance| stance.height)
}
