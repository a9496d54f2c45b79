//! A place to walk in: bounds, obstacles, where to start and where to go.

use crate::{OutlineError, Terrain, check_outline, contains};
use surefoot_geom::Vec2;

/// A place with obstacles.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The outline `(x, z)` of where people may walk.
    pub bounds: Vec<Vec2>,
    /// The obstacles.
    pub obstacles: Vec<Obstacle>,
    /// The ground below; `None` for the level floor at 0.
    pub terrain: Option<Terrain>,
    /// Where the walk begins.
    pub start: Option<Place>,
    /// Where the walk ends.
    pub goal: Option<Place>,
    /// Places `(x, z)` that it leads through on its way, in order.
    pub waypoints: Vec<Vec2>,
}

/// Something that nobody walks through.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// Its outline `(x, z)` on the ground.
    pub outline: Vec<Vec2>,
    /// In metres, above 0; `None` for a wall too high to step over.
    pub height: Option<f64>,
}

/// Where a person stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// `(x, z)`.
    pub position: Vec2,
    /// The direction they face, if that matters; 0 is +Z, positive turns toward +X.
    pub heading: Option<f64>,
}

/// A part of a scene; its name is the path in a scene's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScenePart {
    /// The bounds.
    Bounds,
    /// An obstacle, numbered from 0.
    Obstacle(usize),
    /// The start.
    Start,
    /// The goal.
    Goal,
    /// A place on the way, numbered from 0.
    Waypoint(usize),
    /// The ground.
    Terrain,
}

impl std::fmt::Display for ScenePart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ScenePart::Bounds => f.write_str("bounds"),
            ScenePart::Obstacle(index) => write!(f, "obstacles[{index}]"),
            ScenePart::Start => f.write_str("start"),
            ScenePart::Goal => f.write_str("goal"),
            ScenePart::Waypoint(index) => write!(f, "waypoints[{index}]"),
            ScenePart::Terrain => f.write_str("terrain"),
        }
    }
}

/// Why a scene cannot be walked in.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneError {
    /// The bounds or an obstacle are no simple polygon.
    Outline(ScenePart, OutlineError),
    /// An obstacle's height is not above 0, or a number of a place is not finite.
    Number(ScenePart),
    /// The start or goal lies outside the bounds.
    OutOfBounds(ScenePart),
    /// The start or goal lies in an obstacle.
    Blocked(ScenePart, usize),
}

impl SceneError {
    /// What is wrong.
    pub fn part(&self) -> ScenePart {
        match *self {
            SceneError::Outline(part, _)
            | SceneError::Number(part)
            | SceneError::OutOfBounds(part)
            | SceneError::Blocked(part, _) => part,
        }
    }
}

impl std::fmt::Display for SceneError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: ", self.part())?;
        match self {
            SceneError::Outline(_, error) => error.fmt(f),
            SceneError::Number(ScenePart::Obstacle(_)) => f.write_str("the height must be finite and above 0"),
            SceneError::Number(_) => f.write_str("position and heading must be finite"),
            SceneError::OutOfBounds(_) => f.write_str("lies outside the bounds; move it in, or widen them"),
            SceneError::Blocked(_, obstacle) => write!(f, "lies in obstacles[{obstacle}]; move one of them"),
        }
    }
}

impl std::error::Error for SceneError {}

impl Scene {
    /// Whether bounds and obstacles are simple polygons, and start, goal and the places between are free.
    pub fn check(&self) -> Result<(), SceneError> {
        self.check_outlines()?;
        self.check_place(ScenePart::Start, self.start)?;
        self.check_place(ScenePart::Goal, self.goal)?;
        let place = |&position: &Vec2| Some(Place { position, heading: None });
        let mut waypoints = self.waypoints.iter().enumerate();
        waypoints.try_for_each(|(index, waypoint)| self.check_place(ScenePart::Waypoint(index), place(waypoint)))
    }

    /// Whether bounds and obstacles are simple polygons, whatever start and goal are.
    pub fn check_outlines(&self) -> Result<(), SceneError> {
        check_outline(&self.bounds).map_err(|error| SceneError::Outline(ScenePart::Bounds, error))?;
        for (index, obstacle) in self.obstacles.iter().enumerate() {
            let part = ScenePart::Obstacle(index);
            check_outline(&obstacle.outline).map_err(|error| SceneError::Outline(part, error))?;
            if obstacle.height.is_some_and(|height| !height.is_finite() || height <= 0.0) {
                return Err(SceneError::Number(part));
            }
        }
        Ok(())
    }

    fn check_place(&self, part: ScenePart, place: Option<Place>) -> Result<(), SceneError> {
        let Some(Place { position, heading }) = place else { return Ok(()) };
        if !position.is_finite() || heading.is_some_and(|heading| !heading.is_finite()) {
            return Err(SceneError::Number(part));
        }
        if !contains(&self.bounds, position) {
            return Err(SceneError::OutOfBounds(part));
        }
        match self.obstacles.iter().position(|obstacle| contains(&obstacle.outline, position)) {
            Some(obstacle) => Err(SceneError::Blocked(part, obstacle)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(centre: Vec2, half: f64) -> Vec<Vec2> {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|corner| centre + Vec2::from(corner) * half).to_vec()
    }

    fn place(x: f64, z: f64) -> Option<Place> {
        Some(Place { position: Vec2::new(x, z), heading: None })
    }

    fn good() -> Scene {
        let obstacle = Obstacle { outline: square(Vec2::ZERO, 1.0), height: Some(1.0) };
        Scene {
            bounds: square(Vec2::ZERO, 5.0),
            obstacles: vec![obstacle],
            terrain: None,
            start: place(-4.0, 0.0),
            goal: place(4.0, 0.0),
            waypoints: vec![Vec2::new(0.0, 3.0)],
        }
    }

    #[test]
    fn each_part_that_is_wrong_is_named() {
        assert_eq!(good().check(), Ok(()));
        let check = |change: fn(&mut Scene), text: &str| {
            let mut scene = good();
            change(&mut scene);
            let error = scene.check().unwrap_err().to_string();
            assert!(error.starts_with(text), "{error}");
        };
        check(|scene| scene.bounds.truncate(2), "bounds: an outline has at least three points");
        check(|scene| scene.obstacles[0].outline.swap(0, 1), "obstacles[0]: the edges");
        check(|scene| scene.obstacles[0].height = Some(0.0), "obstacles[0]: the height");
        check(|scene| scene.start = place(6.0, 0.0), "start: lies outside");
        check(|scene| scene.goal = place(0.5, 0.5), "goal: lies in obstacles[0]");
        check(|scene| scene.goal = place(f64::NAN, 0.5), "goal: position");
        check(|scene| scene.waypoints.push(Vec2::ZERO), "waypoints[1]: lies in obstacles[0]");
    }
}
