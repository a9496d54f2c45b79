//! The ground that a recording was made on, from where its feet were planted.
//!
//! Recordings come without their floors. What is known is where feet were planted, and feet are planted on the ground. But
//! capture volumes are tilted by a degree or two (a floor that rises by 8 cm over a walk of 4 m is usual), skeletons are not people
//! (plants of one floor scatter by centimetres), and people climb. So each plant gets a height of its own, and plants that share a
//! surface share its height:
//!
//! 1. A plane is fitted to the plants, each weighing as long as it lasts, and again without those that are far off it. It is
//!    believed if it explains the heights clearly better than a level does, and is no steeper than a ramp ([`MAX_TILT`]); stairs
//!    are steeper, and kerbs are not explained.
//! 2. If the heights above that plane (or above none) agree within [`FLOOR_SPREAD`], there is one floor, at their median.
//! 3. Else the person climbed. Heights are gathered into the fewest levels that are no thicker than [`LEVEL_SPREAD`], and of those
//!    into the ones with the least scatter. Levels are not chained: each plant of a level is near all others of it.
//! 4. No plant is moved by more than [`MAX_SHIFT`]: one that is farther from its surface is on a surface of its own, and remains where
//!    it was recorded.
//!
//! Limits: a ramp that leads to a landing is seen as levels; a single kerb of less than [`FLOOR_SPREAD`] as one floor.

use crate::stances::{Stance, gather_plants, touches};
use crate::{Contacts, Plant};
use surefoot_geom::{Vec3, ground_point};
use surefoot_ground::{Patch, Terrain};
use surefoot_motion::{PerSide, Side};

/// Plants of one floor differ by less than this, in metres. Recorded ones differ by up to 8 cm; a stair rises by 12 to 20 cm, and is
/// climbed with at least two steps.
const FLOOR_SPREAD: f64 = 0.11;

/// Plants of one level of a climb differ by no more than this, in metres: half of the rise of a low stair.
const LEVEL_SPREAD: f64 = 0.08;

/// No stance is moved up or down by more than this, in metres.
pub const MAX_SHIFT: f64 = 0.03;

/// Steepest floor, as rise per metre (8 degrees): ramps for wheelchairs rise by 6 to 8 %, stairs by 50 to 70 %.
const MAX_TILT: f64 = 0.14;

/// A floor is level unless it rises by at least this between its farthest plants, in metres.
const LEAST_RISE: f64 = 0.02;

/// A floor is level unless a plane leaves less than this share of the scatter about a level.
const EXPLAINED: f64 = 0.6;

/// Plants that a tilt is believed from: with three of them a plane explains everything.
const LEAST_PLANTS: usize = 6;

/// Radius of a pad under a heel or ball, in metres: less than half of a tread, so that a foot moving up meets no pad
/// that it does not land on.
const PAD: f64 = 0.04;

/// A floor that is not level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloorTilt {
    /// Unit normal, upward.
    pub normal: Vec3,
    /// A point of it in the middle of the plants.
    pub centre: Vec3,
    /// How much higher it is under the highest plant than under the lowest, in metres.
    pub rise: f64,
}

/// The ground of a take.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundLevels {
    /// To stand on: flat, a plane, or pads under the plants of a climb.
    pub terrain: Terrain,
    /// What free feet must be above: the lowest level. Between the treads of a climb nothing is known of the ground.
    pub base: Terrain,
    /// The heights of its levels, lowest first; one if it is a floor (for one that is tilted, in the middle of its plants).
    pub levels: Vec<f64>,
    /// If it is a floor that is not level.
    pub tilt: Option<FloorTilt>,
    /// The height of each plant, as the contacts have them.
    pub heights: PerSide<Vec<f64>>,
}

/// A plant: where it is, and how many frames it lasts.
#[derive(Clone, Copy)]
struct Spot {
    place: Vec3,
    weight: f64,
}

/// The ground under the plants of a clip; `None` if there are none. A plant whose place is no number gets no height that is one.
pub fn estimate_ground(contacts: &Contacts) -> Option<GroundLevels> {
    let spots: Vec<Spot> = Side::BOTH.iter().flat_map(|&side| &contacts.plants[side]).filter_map(spot).collect();
    if spots.is_empty() {
        return None;
    }
    let floor = fit_tilt(&spots).unwrap_or(Floor::LEVEL);
    let mut rises: Vec<(f64, f64)> =
        spots.iter().map(|spot| (spot.place.y - floor.height(spot.place), spot.weight)).collect();
    rises.sort_by(|a, b| a.0.total_cmp(&b.0));
    let spread = rises[rises.len() - 1].0 - rises[0].0;
    if spread < FLOOR_SPREAD {
        return Some(one_floor(contacts, &spots, floor.raised(weighted_median(&rises))));
    }
    let stances = Side::BOTH.iter().flat_map(|&side| gather_plants(&contacts.plants[side], touches));
    let level = |stance: Stance<'_>| {
        let weight: f64 = stance.plants.iter().filter_map(spot).map(|spot| spot.weight).sum();
        (weight > 0.0).then(|| (stance_height(stance.plants), weight))
    };
    let mut rises: Vec<(f64, f64)> = stances.filter_map(level).collect();
    rises.sort_by(|a, b| a.0.total_cmp(&b.0));
    Some(climb(contacts, &gather_levels(&rises)))
}

/// Plants whose places are no numbers tell nothing.
fn spot(plant: &Plant) -> Option<Spot> {
    plant.position.is_finite().then(|| Spot { place: plant.position, weight: plant.frames.len() as f64 })
}

/// A floor that is a plane: its height at a place is `level + slope . place`.
#[derive(Clone, Copy)]
struct Floor {
    level: f64,
    /// Rise per metre along x and z; y is 0.
    slope: Vec3,
}

impl Floor {
    const LEVEL: Floor = Floor { level: 0.0, slope: Vec3::ZERO };

    fn height(&self, place: Vec3) -> f64 {
        self.level + self.slope.dot(place)
    }

    fn raised(self, by: f64) -> Floor {
        Floor { level: self.level + by, ..self }
    }

    fn scatter(&self, spots: &[Spot]) -> f64 {
        spots.iter().map(|spot| spot.weight * (spot.place.y - self.height(spot.place)).powi(2)).sum()
    }
}

/// The plane that the plants are on, if they are on one that is tilted.
fn fit_tilt(spots: &[Spot]) -> Option<Floor> {
    if spots.len() < LEAST_PLANTS {
        return None;
    }
    let first = fit_plane(spots)?;
    let near = |floor: &Floor| -> Vec<Spot> {
        let is_near = |spot: &&Spot| (spot.place.y - floor.height(spot.place)).abs() < MAX_SHIFT;
        spots.iter().filter(is_near).copied().collect()
    };
    let kept = near(&first);
    let floor = if 2 * kept.len() > spots.len() { fit_plane(&kept)? } else { first };
    let heights: Vec<f64> = spots.iter().map(|spot| floor.height(spot.place)).collect();
    let rise =
        heights.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b)) - heights.iter().fold(f64::INFINITY, |a, &b| a.min(b));
    let total: f64 = spots.iter().map(|spot| spot.weight).sum();
    let mean = spots.iter().map(|spot| spot.place.y * spot.weight).sum::<f64>() / total;
    let explains = floor.scatter(spots) < EXPLAINED * EXPLAINED * Floor::LEVEL.raised(mean).scatter(spots);
    (explains && rise >= LEAST_RISE && floor.slope.length() <= MAX_TILT).then_some(floor)
}

/// Least squares, along the directions in which the plants are spread by more than [`PLACE_NOISE`]. Plants that are on a plane give it
/// back exactly.
fn fit_plane(spots: &[Spot]) -> Option<Floor> {
    let total: f64 = spots.iter().map(|spot| spot.weight).sum();
    let centre = spots.iter().map(|spot| spot.place * spot.weight).sum::<Vec3>() / total;
    let (mut xx, mut xz, mut zz, mut rises) = (0.0, 0.0, 0.0, Vec3::ZERO);
    for spot in spots {
        let (from, weight) = (spot.place - centre, spot.weight / total);
        xx += from.x * from.x * weight;
        xz += from.x * from.z * weight;
        zz += from.z * from.z * weight;
        rises += Vec3::new(from.x, 0.0, from.z) * (from.y * weight);
    }
    // The longer axis of the spread, and the one across it, each with its variance.
    let angle = 0.5 * (2.0 * xz).atan2(xx - zz);
    let axis = Vec3::new(angle.cos(), 0.0, angle.sin());
    let across = Vec3::new(-axis.z, 0.0, axis.x);
    let variance = |axis: Vec3| axis.x * axis.x * xx + 2.0 * axis.x * axis.z * xz + axis.z * axis.z * zz;
    let along = |axis: Vec3| match variance(axis) {
        spread if spread > PLACE_NOISE * PLACE_NOISE => axis * (axis.dot(rises) / spread),
        _ => Vec3::ZERO,
    };
    let slope = along(axis) + along(across);
    slope.is_finite().then(|| Floor { level: centre.y - slope.dot(centre), slope })
}

/// A spread of less than this tells nothing of the slope along it, in metres: the width of a gait.
const PLACE_NOISE: f64 = 0.15;

/// One floor under all plants.
fn one_floor(contacts: &Contacts, spots: &[Spot], floor: Floor) -> GroundLevels {
    let total: f64 = spots.iter().map(|spot| spot.weight).sum();
    let middle = spots.iter().map(|spot| spot.place * spot.weight).sum::<Vec3>() / total;
    let centre = Vec3::new(middle.x, floor.height(Vec3::new(middle.x, 0.0, middle.z)), middle.z);
    let heights: Vec<f64> = spots.iter().map(|spot| floor.height(spot.place)).collect();
    let rise =
        heights.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b)) - heights.iter().fold(f64::INFINITY, |a, &b| a.min(b));
    let normal = Vec3::new(-floor.slope.x, 1.0, -floor.slope.z).normalize();
    let tilt = (floor.slope != Vec3::ZERO).then_some(FloorTilt { normal, centre, rise });
    let terrain = match tilt {
        Some(tilt) => Terrain::plane(tilt.centre, tilt.normal).unwrap_or_else(|_| Terrain::flat(centre.y)),
        None => Terrain::flat(floor.level),
    };
    let surface = |_: &[Plant], plant: &Plant| floor.height(plant.position);
    let heights = contacts.plants.as_ref().map(|plants| plant_heights(plants, surface));
    // Plants that remain below the floor are on what is then the lowest ground.
    let below = Side::BOTH.iter().flat_map(|&side| {
        let pairs = contacts.plants[side].iter().zip(&heights[side]);
        pairs
            .filter(|(plant, _)| plant.position.is_finite())
            .map(|(plant, height)| height - floor.height(plant.position))
    });
    let lower = below.fold(0.0, f64::min);
    let base = match tilt {
        Some(tilt) => {
            Terrain::plane(tilt.centre + Vec3::Y * lower, tilt.normal).unwrap_or_else(|_| Terrain::flat(centre.y))
        }
        None => Terrain::flat(floor.level + lower),
    };
    GroundLevels { terrain, base, levels: vec![centre.y], tilt, heights }
}

/// Levels under the plants of a climb.
fn climb(contacts: &Contacts, levels: &[Level]) -> GroundLevels {
    let level_of = |height: f64| {
        levels.iter().find(|level| height <= level.highest).or(levels.last()).map_or(height, |level| level.height)
    };
    let surface = |stance: &[Plant], _: &Plant| level_of(stance_height(stance));
    let heights = contacts.plants.as_ref().map(|plants| plant_heights(plants, surface));
    let pads = Side::BOTH.iter().flat_map(|&side| {
        let known = contacts.plants[side].iter().zip(&heights[side]).filter(|(plant, _)| plant.position.is_finite());
        known.map(|(plant, &height)| Patch { centre: ground_point(plant.position), radius: PAD, height })
    });
    let all = heights.iter().flat_map(|(_, heights)| heights).filter(|height| height.is_finite());
    let lowest = all.fold(levels[0].height, |lowest, &height| lowest.min(height));
    let base = Terrain::flat(lowest);
    let terrain = Terrain::patches(lowest, pads.collect()).unwrap_or_else(|_| base.clone());
    GroundLevels { terrain, base, levels: levels.iter().map(|level| level.height).collect(), tilt: None, heights }
}

/// The height of each plant of a foot. The plants of a stance, heel and ball, go to their surface if the stance is near it; else the
/// stance is on a surface of its own, as high above the other as it is on the mean.
fn plant_heights(plants: &[Plant], surface: impl Fn(&[Plant], &Plant) -> f64) -> Vec<f64> {
    let mut heights = Vec::with_capacity(plants.len());
    for stance in gather_plants(plants, touches) {
        let known = || stance.plants.iter().filter_map(|plant| spot(plant).map(|spot| (plant, spot)));
        let total: f64 = known().map(|(_, spot)| spot.weight).sum();
        let above =
            known().map(|(plant, spot)| spot.weight * (plant.position.y - surface(stance.plants, plant))).sum::<f64>()
                / total;
        let offset = if above.abs() > SHIFT { above } else { 0.0 };
        // A foot on an edge, or on its toes, has its parts at different heights.
        let near = |plant: &Plant| {
            let height = surface(stance.plants, plant) + offset;
            if (height - plant.position.y).abs() > SHIFT { plant.position.y } else { height }
        };
        heights.extend(stance.plants.iter().map(near));
    }
    heights
}

/// The mean height of a stance's plants, by time.
fn stance_height(stance: &[Plant]) -> f64 {
    let known = || stance.iter().filter_map(spot);
    known().map(|spot| spot.place.y * spot.weight).sum::<f64>() / known().map(|spot| spot.weight).sum::<f64>()
}

/// Plants are moved by less than they may be, in metres: where a plant is depends by millimetres on how its frames are averaged.
const SHIFT: f64 = MAX_SHIFT - 0.004;

/// A level of a climb.
struct Level {
    /// Its plants' median.
    height: f64,
    /// The highest of them.
    highest: f64,
}

/// The fewest levels that are no thicker than [`LEVEL_SPREAD`], and of those the ones with the least scatter, by dynamic programming
/// over the heights in order.
fn gather_levels(rises: &[(f64, f64)]) -> Vec<Level> {
    let n = rises.len();
    // Sums of weights, heights and squares up to each, with heights from the lowest on, which keeps their digits.
    let from = rises[0].0;
    let mut sums = vec![(0.0, 0.0, 0.0)];
    for &(height, weight) in rises {
        let (w, h, s): (f64, f64, f64) = sums[sums.len() - 1];
        let height = height - from;
        sums.push((w + weight, h + height * weight, s + height * height * weight));
    }
    let scatter = |a: usize, b: usize| {
        let (w, h, s) = (sums[b].0 - sums[a].0, sums[b].1 - sums[a].1, sums[b].2 - sums[a].2);
        s - h * h / w
    };
    // For the first heights: how many levels they need, the scatter, and where the last level begins.
    let mut best: Vec<(usize, f64, usize)> = vec![(0, 0.0, 0)];
    for end in 1..=n {
        let starts = (0..end).rev().take_while(|&start| rises[end - 1].0 - rises[start].0 <= LEVEL_SPREAD);
        let choices = starts.map(|start| (best[start].0 + 1, best[start].1 + scatter(start, end), start));
        let choice = choices.min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        best.push(choice.unwrap_or((best[end - 1].0 + 1, best[end - 1].1, end - 1)));
    }
    let mut levels = Vec::new();
    let mut end = n;
    while end > 0 {
        let start = best[end].2;
        levels.push(Level { height: weighted_median(&rises[start..end]), highest: rises[end - 1].0 });
        end = start;
    }
    levels.reverse();
    levels
}

/// The height at which half of the time is spent lower; heights are sorted, each with its weight.
fn weighted_median(rises: &[(f64, f64)]) -> f64 {
    let total: f64 = rises.iter().map(|rise| rise.1).sum();
    let mut seen = 0.0;
    let middle = rises.iter().find(|rise| {
        seen += rise.1;
        2.0 * seen >= total
    });
    middle.map_or(0.0, |rise| rise.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FootPart;

    /// Plants of a second each, left and right in turn.
    fn planted(places: &[Vec3]) -> Contacts {
        let mut contacts = Contacts::none(places.len() * 60);
        for (n, &position) in places.iter().enumerate() {
            let plant = Plant { part: FootPart::Ball, frames: n * 60..n * 60 + 60, position };
            contacts.plants[if n % 2 == 0 { Side::Left } else { Side::Right }].push(plant);
        }
        contacts
    }

    /// A walk along z, half a metre at a step, whose plants are at these heights, with 5 mm of noise.
    fn walk(heights: impl Fn(f64) -> f64, n: usize) -> Contacts {
        let place = |k: usize| {
            let z = 0.5 * k as f64;
            let noise = 0.005 * (7.3 * k as f64).sin();
            Vec3::new(if k.is_multiple_of(2) { 0.1 } else { -0.1 }, heights(z) + noise, z)
        };
        planted(&(0..n).map(place).collect::<Vec<_>>())
    }

    fn largest_shift(contacts: &Contacts, ground: &GroundLevels) -> f64 {
        let shifts = Side::BOTH.iter().flat_map(|&side| {
            contacts.plants[side]
                .iter()
                .zip(&ground.heights[side])
                .map(|(plant, height)| (plant.position.y - height).abs())
        });
        shifts.fold(0.0, f64::max)
    }

    #[test]
    fn a_level_floor_is_one_level() {
        let ground = estimate_ground(&walk(|_| 0.02, 12)).expect("plants");
        assert!(ground.tilt.is_none() && ground.levels.len() == 1);
        assert!((ground.levels[0] - 0.02).abs() < 0.006);
    }

    #[test]
    fn a_floor_that_rises_by_six_centimetres_is_a_plane() {
        let contacts = walk(|z| 0.06 * z / 4.0, 9);
        let ground = estimate_ground(&contacts).expect("plants");
        let tilt = ground.tilt.expect("a tilt");
        assert!((tilt.rise - 0.06).abs() < 0.008, "{tilt:?}");
        assert!(largest_shift(&contacts, &ground) < 0.01);
    }

    #[test]
    fn a_scattered_floor_is_not_tilted() {
        let heights = [0.02, -0.02, 0.015, -0.01, 0.02, -0.02, 0.01, -0.015, 0.02, -0.01];
        let ground = estimate_ground(&walk(|z| heights[(2.0 * z) as usize], 10)).expect("plants");
        assert!(ground.tilt.is_none(), "{:?}", ground.tilt);
    }

    #[test]
    fn treads_of_eighteen_and_thirty_two_centimetres_stay_apart() {
        // Levels that are chained by what lies between would make one of both.
        let contacts =
            planted(&[0.0, 0.0, 0.18, 0.19, 0.215, 0.25, 0.285, 0.31, 0.32, 0.0].map(|y| Vec3::new(0.1, y, 2.0 * y)));
        let ground = estimate_ground(&contacts).expect("plants");
        let near = |height: f64| ground.levels.iter().any(|level| (level - height).abs() < 0.03);
        assert!(near(0.0) && near(0.18) && near(0.32), "{:?}", ground.levels);
        assert!(largest_shift(&contacts, &ground) <= MAX_SHIFT + 1e-12);
    }

    #[test]
    fn stairs_are_levels_and_no_ramp() {
        let contacts = walk(|z| 0.17 * (2.0 * z).round(), 6);
        let ground = estimate_ground(&contacts).expect("plants");
        assert!(ground.tilt.is_none());
        assert_eq!(ground.levels.len(), 6, "{:?}", ground.levels);
    }

    #[test]
    fn no_plant_is_moved_by_more_than_three_centimetres() {
        for seed in 0..200 {
            let height = |k: usize| 0.2 * (f64::from(seed) * 12.9 + k as f64 * 78.2).sin() * f64::from(seed % 5) / 4.0;
            let places: Vec<Vec3> = (0..15).map(|k| Vec3::new(0.0, height(k), 0.4 * k as f64)).collect();
            let contacts = planted(&places);
            let ground = estimate_ground(&contacts).expect("plants");
            assert!(largest_shift(&contacts, &ground) <= MAX_SHIFT + 1e-12, "seed {seed}");
        }
    }
}
