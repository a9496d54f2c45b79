//! Footskate cleanup as one call: the ground found, the plants enforced.

use surefoot_cleanup::{
    footskate::CleanOptions, footskate::HoldReason, footskate::PlantPositions, footskate::clean_footskate,
    footskate::clean_stream,
};
use surefoot_contact::{FloorTilt, GroundLevels, Take, estimate_ground};
use surefoot_geom::{Quat, Vec3, ground_point};
use surefoot_ground::Terrain;
use surefoot_motion::Side;

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
    /// The floor that the plants were found on, if it is not level.
    pub tilt: Option<FloorTilt>,
    /// Whether that floor was levelled: the motion turned as a whole.
    pub levelled: bool,
    /// Frames in which the last good pose was held, and why.
    pub held: Vec<(usize, HoldReason)>,
}

/// What becomes of a floor that is not level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TiltedFloor {
    /// Feet are planted on it as it is, and hardly move.
    #[default]
    Keep,
    /// The motion is turned as a whole until it is level.
    Level,
}

/// Enforces the plants of a take on a terrain, or on the ground that the plants themselves give ([`estimate_ground`]); a floor that is
/// not level is kept. `None` if there is neither: without plants and terrain there is nothing to clean.
pub fn clean(take: &Take, terrain: Option<Terrain>, options: &CleanOptions, form: CleanForm) -> Option<CleanTake> {
    match terrain {
        Some(terrain) if options.plant_positions == PlantPositions::Given => {
            Some(run(&on_terrain(take, &terrain), &terrain, options, form))
        }
        Some(terrain) => Some(run(take, &terrain, options, form)),
        None => clean_on_estimate(take, TiltedFloor::Keep, options, form),
    }
}

/// Enforces the plants of a take on the ground that they give; `None` without plants.
pub fn clean_on_estimate(
    take: &Take,
    tilted: TiltedFloor,
    options: &CleanOptions,
    form: CleanForm,
) -> Option<CleanTake> {
    let ground = estimate_ground(&take.contacts)?;
    let Some(tilt) = ground.tilt.filter(|_| tilted != TiltedFloor::Keep) else {
        return Some(clean_on(take, ground, options, form));
    };
    let level = level_take(take, &tilt, &ground);
    let flat = Terrain::flat(tilt.centre.y);
    let heights = level.contacts.plants.as_ref().map(|plants| plants.iter().map(|plant| plant.position.y).collect());
    let ground = GroundLevels { terrain: flat.clone(), base: flat, heights, ..ground };
    Some(CleanTake { levelled: true, ..clean_on(&level, ground, options, form) })
}

/// A take whose plants stay where they are over the ground, at its height.
fn on_terrain(take: &Take, terrain: &Terrain) -> Take {
    let mut take = take.clone();
    for side in Side::BOTH {
        for plant in &mut take.contacts.plants[side] {
            plant.position.y = terrain.height(ground_point(plant.position));
        }
    }
    take
}

/// Each plant as much above the lowest ground as its surface is; or where it is given, at the height of its surface.
fn clean_on(take: &Take, ground: GroundLevels, options: &CleanOptions, form: CleanForm) -> CleanTake {
    let mut take = take.clone();
    let is_given = options.plant_positions == PlantPositions::Given;
    for side in Side::BOTH {
        for (plant, height) in take.contacts.plants[side].iter_mut().zip(&ground.heights[side]) {
            let base = if is_given { 0.0 } else { ground.base.height(ground_point(plant.position)) };
            plant.position.y = height - base;
        }
    }
    let plant_positions = if is_given { PlantPositions::Given } else { PlantPositions::AboveTerrain };
    let options = CleanOptions { plant_positions, ..*options };
    let cleaned = run(&take, &ground.base, &options, form);
    CleanTake { terrain: ground.terrain, levels: Some(ground.levels), tilt: ground.tilt, ..cleaned }
}

/// The take turned about the middle of its floor until that is level, with its plants at their heights.
fn level_take(take: &Take, tilt: &FloorTilt, ground: &GroundLevels) -> Take {
    let turn = Quat::from_rotation_arc(tilt.normal, Vec3::Y);
    let turned = |place: Vec3| tilt.centre + turn * (place - tilt.centre);
    let mut take = take.clone();
    let skeleton = take.clip.skeleton.clone();
    for mut pose in take.clip.poses_mut() {
        for root in skeleton.roots() {
            let joint = &mut pose[root];
            joint.translation = turned(joint.translation);
            joint.rotation = (turn * joint.rotation).normalize();
        }
    }
    for side in Side::BOTH {
        for (plant, &height) in take.contacts.plants[side].iter_mut().zip(&ground.heights[side]) {
            plant.position = turned(Vec3 { y: height, ..plant.position });
        }
    }
    take
}

fn run(take: &Take, terrain: &Terrain, options: &CleanOptions, form: CleanForm) -> CleanTake {
    let (take, held) = match form {
        CleanForm::Offline => {
            let cleaned = clean_footskate(take, terrain, options);
            (cleaned.take, cleaned.held)
        }
        CleanForm::Online => clean_stream(take, terrain, options),
    };
    CleanTake { take, terrain: terrain.clone(), levels: None, tilt: None, levelled: false, held }
}
