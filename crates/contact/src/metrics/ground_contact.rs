//! Feet and the ground: how deep soles go into it, how high planted feet hover above it.
//!
//! Heel, ball and toe tip are looked at, each over the terrain straight below it. The ground is as high as the ball joint when
//! it stands, so a sole on the ground is at 0.
//!
//! - Penetration: in all frames, how deep the points are below the ground.
//! - Floating: in frames in which a heel or ball of the foot is planted, the height of the lowest of the three points.
//! - Off the ground: the distance of planted points themselves from the ground, up or down.

use super::foot_points::FootPoints;
use super::off_terrain::OffTerrain;
use super::skating::plant_ranges;
use super::worst::Worst;
use crate::frame_runs::mask_of;
use crate::order_statistics::mean;
use crate::{Contacts, FootPart};
use surefoot_geom::{Vec3, ground_point};
use surefoot_ground::Terrain;
use surefoot_motion::{PerSide, Side};

/// Points deeper than this are in the ground, in metres: half of what an eye sees, and far above rounding.
pub const TOLERANCE: f64 = 0.001;

/// A point of the sole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolePoint {
    /// The back.
    Heel,
    /// The ball.
    Ball,
    /// The front.
    ToeTip,
}

impl SolePoint {
    /// `heel`, `ball` or `toe tip`.
    pub fn name(self) -> &'static str {
        match self {
            SolePoint::Heel => "heel",
            SolePoint::Ball => "ball",
            SolePoint::ToeTip => "toe tip",
        }
    }
}

/// Feet over the ground; heights and depths in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroundContact {
    /// Share of all frames in which a point of either sole is more than [`TOLERANCE`] in the ground; `None` of no frames.
    pub penetrating_share: Option<f64>,
    /// The deepest point; its value is negative if no point ever reaches the ground.
    pub deepest: Option<Worst<(Side, SolePoint)>>,
    /// The highest that a planted foot hovers, by its lowest point; negative if all of them are in the ground.
    pub floating: Option<Worst<Side>>,
    /// The mean height of the lowest points of planted feet.
    pub mean_floating: Option<f64>,
    /// The planted point that is furthest from the ground.
    pub off_ground: Option<Worst<(Side, FootPart)>>,
    /// Where the terrain's height field is left.
    pub off_terrain: Option<OffTerrain>,
}

/// Measures both feet over a terrain.
pub fn measure_ground_contact(feet: &PerSide<FootPoints>, contacts: &Contacts, terrain: &Terrain) -> GroundContact {
    let heights = feet.as_ref().map(|foot| sole_heights(foot, terrain));
    let n_frames = heights.left.len().max(heights.right.len());
    let is_deep = |side: Side, frame: usize| heights[side].get(frame).is_some_and(|h| lowest(h) < -TOLERANCE);
    let n_deep = (0..n_frames).filter(|&frame| Side::BOTH.into_iter().any(|side| is_deep(side, frame))).count();
    let floating = floating(&heights, contacts);
    let hovers: Vec<f64> = floating.iter().map(|worst| worst.value).collect();
    GroundContact {
        penetrating_share: (n_frames > 0).then(|| n_deep as f64 / n_frames as f64),
        deepest: Worst::of(depths(&heights)),
        mean_floating: mean(&hovers),
        floating: Worst::of(floating),
        off_ground: off_ground(&heights, contacts),
        off_terrain: OffTerrain::of_feet(feet, terrain),
    }
}

/// Heights of heel, ball and toe tip over the ground, frame by frame.
fn sole_heights(foot: &FootPoints, terrain: &Terrain) -> Vec<[f64; 3]> {
    let height = |place: Vec3| place.y - terrain.height(ground_point(place));
    let points = foot.heel.iter().zip(&foot.ball).zip(&foot.toe_tip);
    points.map(|((&heel, &ball), &toe_tip)| [heel, ball, toe_tip].map(height)).collect()
}

fn lowest(heights: &[f64; 3]) -> f64 {
    heights.iter().copied().fold(f64::INFINITY, f64::min)
}

fn depths(heights: &PerSide<Vec<[f64; 3]>>) -> Vec<Worst<(Side, SolePoint)>> {
    let mut depths = Vec::new();
    for (side, frames) in heights.iter() {
        for (frame, [heel, ball, toe_tip]) in frames.iter().enumerate() {
            let points = [(SolePoint::Heel, heel), (SolePoint::Ball, ball), (SolePoint::ToeTip, toe_tip)];
            depths.extend(points.map(|(point, height)| Worst { value: -height, place: (side, point), frame }));
        }
    }
    depths
}

fn floating(heights: &PerSide<Vec<[f64; 3]>>, contacts: &Contacts) -> Vec<Worst<Side>> {
    let mut floating = Vec::new();
    for (side, frames) in heights.iter() {
        let planted = mask_of(&plant_ranges(contacts, side, None), frames.len());
        let planted_frames = frames.iter().enumerate().filter(|&(frame, _)| planted[frame]);
        floating.extend(planted_frames.map(|(frame, heights)| Worst { value: lowest(heights), place: side, frame }));
    }
    floating
}

fn off_ground(heights: &PerSide<Vec<[f64; 3]>>, contacts: &Contacts) -> Option<Worst<(Side, FootPart)>> {
    let plants = Side::BOTH.into_iter().flat_map(|side| contacts.plants[side].iter().map(move |plant| (side, plant)));
    Worst::of(plants.flat_map(|(side, plant)| {
        plant.frames.clone().map(move |frame| {
            let [heel, ball, _] = heights[side][frame];
            let height: f64 = if plant.part == FootPart::Heel { heel } else { ball };
            Worst { value: height.abs(), place: (side, plant.part), frame }
        })
    }))
}
