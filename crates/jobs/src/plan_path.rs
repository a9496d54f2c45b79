//! A path through a scene as one call: its corridor map, the corridor from start to goal, and a smooth path (GRAPH 2.1).

use surefoot_geom::Vec2;
use surefoot_ground::{
    BlockedPath, Corridor, CorridorMap, CorridorOptions, MapError, OutlineError, Path, PathOptions, QueryError, Scene,
    SceneError, ScenePart, join_paths,
};

/// The path that is requested.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathRequest {
    /// Where to start, `(x, z)`; the scene's start if `None`.
    pub start: Option<Vec2>,
    /// Where to go; the scene's goal if `None`.
    pub goal: Option<Vec2>,
    /// How far from every outline the path stays, in metres.
    pub clearance: f64,
    /// How it is drawn.
    pub drawing: PathOptions,
}

/// A path, and how it was found.
#[derive(Clone, Debug)]
pub struct PlannedPath {
    /// From start to goal.
    pub path: Path,
    /// The free discs that it leads through.
    pub corridor: Corridor,
    /// The least distance of the path from an outline, in metres.
    pub least_clearance: f64,
    /// The map that it was found in.
    pub map: CorridorMap,
}

/// Why there is no path.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanPathError {
    /// The scene has no map.
    #[error(transparent)]
    Map(#[from] MapError),
    /// Start or goal is not given.
    #[error("the scene has no {0}, and none is given")]
    Missing(ScenePart),
    /// No path leads there.
    #[error(transparent)]
    Query(#[from] QueryError),
}

impl PlanPathError {
    /// The place `(x, z)` that it is about, to be shown in a picture.
    pub fn place(&self) -> Option<Vec2> {
        match self {
            PlanPathError::Map(MapError::Scene(error)) => outline_place(error),
            PlanPathError::Map(MapError::TooFar { at, .. }) => Some(*at),
            PlanPathError::Map(_) | PlanPathError::Missing(_) => None,
            PlanPathError::Query(error) => query_place(error),
        }
    }

    /// The start or the goal, if it is that which is wrong.
    pub fn part(&self) -> Option<ScenePart> {
        match self {
            PlanPathError::Missing(part) => Some(*part),
            PlanPathError::Query(
                QueryError::NotFinite { place }
                | QueryError::OutOfBounds { place, .. }
                | QueryError::Blocked { place, .. }
                | QueryError::TooClose { place, .. },
            ) => Some(*place),
            _ => None,
        }
    }
}

fn query_place(error: &QueryError) -> Option<Vec2> {
    match error {
        QueryError::SamePlace { at }
        | QueryError::OutOfBounds { at, .. }
        | QueryError::Blocked { at, .. }
        | QueryError::TooClose { at, .. }
        | QueryError::TooNarrow { at, .. }
        | QueryError::Separated { at, .. } => Some(*at),
        QueryError::Clearance { .. } | QueryError::NotFinite { .. } => None,
    }
}

fn outline_place(error: &SceneError) -> Option<Vec2> {
    match error {
        SceneError::Outline(_, OutlineError::Touches { at, .. }) => Some(*at),
        _ => None,
    }
}

/// The place `(x, z)` of what is wrong with a scene, to be shown in a picture.
pub fn scene_error_place(scene: &Scene, error: &SceneError) -> Option<Vec2> {
    let place = match error.part() {
        ScenePart::Start => scene.start,
        ScenePart::Goal => scene.goal,
        ScenePart::Waypoint(index) => return scene.waypoints.get(index).copied(),
        ScenePart::Bounds | ScenePart::Obstacle(_) | ScenePart::Terrain => None,
    };
    place.map(|place| place.position).or_else(|| outline_place(error))
}

/// The place `(x, z)` where a path cannot be walked, to be shown in a picture.
pub fn blocked_place(error: &BlockedPath) -> Option<Vec2> {
    match error {
        BlockedPath::OutOfBounds { at, .. } | BlockedPath::InObstacle { at, .. } => Some(*at),
        BlockedPath::TooClose { nearest, .. } | BlockedPath::Through { nearest, .. } => Some(nearest.point),
        BlockedPath::Path(_) => None,
    }
}

/// Waypoints nearer than this to the place before them, in metres, are reached with it.
const REACHED: f64 = 0.05;

/// Start, places on the way, goal.
fn legs(scene: &Scene, start: Vec2, goal: Vec2) -> Vec<(ScenePart, Vec2)> {
    let mut places = vec![(ScenePart::Start, start)];
    for (index, &at) in scene.waypoints.iter().enumerate() {
        let is_reached = places.last().is_some_and(|(_, before)| before.distance(at) < REACHED);
        if !is_reached {
            places.push((ScenePart::Waypoint(index), at));
        }
    }
    if places.len() > 1 && places.last().is_some_and(|(_, before)| before.distance(goal) < REACHED) {
        places.pop();
    }
    places.push((ScenePart::Goal, goal));
    places
}

/// Finds a path through a scene. For many paths through one scene make a [`CorridorMap`] once, and ask that.
pub fn plan_path(scene: &Scene, request: &PathRequest) -> Result<PlannedPath, PlanPathError> {
    let given = |given: Option<Vec2>, own: Option<surefoot_ground::Place>, part: ScenePart| {
        given.or(own.map(|place| place.position)).ok_or(PlanPathError::Missing(part))
    };
    let start = given(request.start, scene.start, ScenePart::Start)?;
    let goal = given(request.goal, scene.goal, ScenePart::Goal)?;
    let map = CorridorMap::new(scene, &CorridorOptions::default())?;
    let legs = legs(scene, start, goal);
    let corridors = legs.windows(2).map(|leg| map.query_between(leg[0], leg[1], request.clearance));
    let corridors = corridors.collect::<Result<Vec<_>, _>>()?;
    let paths: Vec<Path> = corridors.iter().map(|corridor| corridor.path(&request.drawing)).collect();
    let path = join_paths(&paths, |piece| map.check_path(piece, request.clearance).is_ok());
    let corridor = corridors[1..].iter().fold(corridors[0].clone(), |all, next| all.followed_by(next));
    let least_clearance = map.check_path(&path, 0.0).unwrap_or(0.0);
    Ok(PlannedPath { path, corridor, least_clearance, map })
}

/// Whether a path stays in a scene, out of its obstacles.
pub fn check_path_in_scene(scene: &Scene, path: &Path) -> Result<(), BlockedPath> {
    let Ok(map) = CorridorMap::new(scene, &CorridorOptions::default()) else { return Ok(()) };
    map.check_path(path, 0.0).map(|_| ())
}
