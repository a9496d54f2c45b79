//! Why there is no map, no path, or no place to walk.

use super::{MAX_CLEARANCE, MAX_MAP_REACH, MAX_SPACING, MIN_SPACING, Nearest};
use crate::{PathError, SceneError, ScenePart};
use surefoot_geom::Vec2;
use thiserror::Error;

/// Why a scene has no corridor map.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MapError {
    /// An outline is none, or a height is no height.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// An outline lies too far away for numbers to be exact.
    #[error(
        "{part}: [{:.3}, {:.3}] lies more than {MAX_MAP_REACH} m from the origin; move the scene nearer to it",
        .at.x, .at.y
    )]
    TooFar {
        /// The bounds or an obstacle.
        part: ScenePart,
        /// The point `(x, z)`.
        at: Vec2,
    },
    /// [`CorridorOptions::spacing`](super::CorridorOptions::spacing) is out of range.
    #[error("spacing is {found} m; it must be from {MIN_SPACING} to {MAX_SPACING} m")]
    Spacing {
        /// What it is.
        found: f64,
    },
    /// Obstacles cover all of the bounds.
    #[error("obstacles cover all of the bounds; nobody can stand anywhere")]
    NoRoom,
    /// There is no such obstacle.
    #[error("there is no obstacles[{index}]; the map has {n_obstacles}")]
    NoObstacle {
        /// What was asked for.
        index: usize,
        /// How many there are.
        n_obstacles: usize,
    },
}

/// Why no corridor leads from a start to a goal.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum QueryError {
    /// The clearance is no length.
    #[error("the clearance is {found} m; it must be from 0 to {MAX_CLEARANCE} m")]
    Clearance {
        /// What it is.
        found: f64,
    },
    /// A coordinate is NaN or infinite.
    #[error("{place}: the position must be finite")]
    NotFinite {
        /// The start or the goal.
        place: ScenePart,
    },
    /// Start and goal are the same place: there is no path between them.
    #[error("start and goal are both at [{:.3}, {:.3}]; move one of them", .at.x, .at.y)]
    SamePlace {
        /// Where `(x, z)`.
        at: Vec2,
    },
    /// The start or the goal lies outside the bounds.
    #[error(
        "{place}: [{:.3}, {:.3}] lies {:.3} m outside the bounds; the nearest of them is [{:.3}, {:.3}]",
        .at.x, .at.y, .at.distance(*.nearest), .nearest.x, .nearest.y
    )]
    OutOfBounds {
        /// The start or the goal.
        place: ScenePart,
        /// Where it is, `(x, z)`.
        at: Vec2,
        /// The nearest point of the bounds.
        nearest: Vec2,
    },
    /// The start or the goal lies in an obstacle.
    #[error("{place}: [{:.3}, {:.3}] lies in obstacles[{obstacle}]; move one of them", .at.x, .at.y)]
    Blocked {
        /// The start or the goal.
        place: ScenePart,
        /// Where it is, `(x, z)`.
        at: Vec2,
        /// The first obstacle that it lies in.
        obstacle: usize,
    },
    /// The start or the goal is free, but not for a person of this clearance.
    #[error(
        "{place}: [{:.3}, {:.3}] is {:.3} m from {}; a person with a clearance of {wanted} m does not fit there",
        .at.x, .at.y, .nearest.distance, .nearest.part
    )]
    TooClose {
        /// The start or the goal.
        place: ScenePart,
        /// Where it is, `(x, z)`.
        at: Vec2,
        /// What it is too close to.
        nearest: Nearest,
        /// The clearance.
        wanted: f64,
    },
    /// Every path from start to goal is too narrow somewhere.
    #[error(
        "the goal is closed off: the widest path to it is {width:.3} m wide at [{:.3}, {:.3}], beside {beside}, \
         and must be {wanted:.3} m wide",
        .at.x, .at.y
    )]
    TooNarrow {
        /// The middle `(x, z)` of the narrowest place of the widest path.
        at: Vec2,
        /// How wide that is.
        width: f64,
        /// How wide it would have to be: twice the clearance.
        wanted: f64,
        /// The outline nearest to it.
        beside: ScenePart,
    },
    /// No path leads from the start to the goal, however narrow.
    #[error(
        "the goal is closed off: {wall} keeps it from the start, and is {thickness:.3} m thick at [{:.3}, {:.3}]",
        .at.x, .at.y
    )]
    Separated {
        /// A place `(x, z)` in the wall where it is thinnest.
        at: Vec2,
        /// How thick it is there: the distance between the area of the start and that of the goal.
        thickness: f64,
        /// The outline that stands there.
        wall: ScenePart,
    },
}

/// Why a path cannot be walked in a scene.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BlockedPath {
    /// It is no path.
    #[error(transparent)]
    Path(#[from] PathError),
    /// It leaves the scene.
    #[error("points[{point}] at [{:.3}, {:.3}] lies outside the bounds", .at.x, .at.y)]
    OutOfBounds {
        /// The first point outside, numbered from 0.
        point: usize,
        /// Where it is, `(x, z)`.
        at: Vec2,
    },
    /// It leads through an obstacle.
    #[error("points[{point}] at [{:.3}, {:.3}] lies in obstacles[{obstacle}]", .at.x, .at.y)]
    InObstacle {
        /// The first point inside, numbered from 0.
        point: usize,
        /// Where it is, `(x, z)`.
        at: Vec2,
        /// Which obstacle.
        obstacle: usize,
    },
    /// It leads through an outline between two points.
    #[error(
        "from points[{point}] the path leads through {} at [{:.3}, {:.3}]",
        .nearest.part, .nearest.point.x, .nearest.point.y
    )]
    Through {
        /// The point before it, numbered from 0.
        point: usize,
        /// Where.
        nearest: Nearest,
    },
    /// It comes too near something.
    #[error(
        "from points[{point}] the path is {:.3} m from {} at [{:.3}, {:.3}]; a person needs {wanted} m",
        .nearest.distance, .nearest.part, .nearest.point.x, .nearest.point.y
    )]
    TooClose {
        /// The point before it, numbered from 0.
        point: usize,
        /// What it is too close to.
        nearest: Nearest,
        /// The clearance.
        wanted: f64,
    },
}
