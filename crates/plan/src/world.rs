//! What feet are planted on and bodies must not enter: terrain, obstacles and bounds.

use surefoot_geom::{Vec2, Vec3, ground_point};
use surefoot_ground::{Obstacle, Scene, Terrain};

/// The surroundings of a motion. The default is empty: no terrain is known, so the ground is as high as each footprint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct World {
    /// The ground. `None`: unknown, and every footprint is taken to lie on it.
    pub terrain: Option<Terrain>,
    /// What nobody walks through.
    pub obstacles: Vec<Obstacle>,
    /// The outline `(x, z)` that nobody leaves; `None` for open ground.
    pub bounds: Option<Vec<Vec2>>,
}

impl World {
    /// Ground alone.
    pub fn on(terrain: Terrain) -> World {
        World { terrain: Some(terrain), ..World::default() }
    }

    /// The surroundings that a scene describes.
    pub fn of_scene(scene: &Scene) -> World {
        World { terrain: scene.terrain.clone(), obstacles: scene.obstacles.clone(), bounds: Some(scene.bounds.clone()) }
    }

    /// The upward normal of the ground at a point; `None` where no terrain is known.
    pub fn normal_at(&self, point: Vec3) -> Option<Vec3> {
        self.terrain.as_ref().map(|terrain| terrain.normal(ground_point(point)))
    }
}
