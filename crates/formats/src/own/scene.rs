//! Scenes: `*.scene.json`, version 1.
//!
//! ```json
//! { "scene": 1, "bounds": [[-5, -5], [5, -5], [5, 5], [-5, 5]],
//!   "obstacles": [ { "outline": [[1, 1], [2, 1], [2, 2]], "height": 1.0 } ],
//!   "terrain": { "plane": { "slope": 3, "heading": 90 } },
//!   "start": { "position": [-4, -4], "heading": 0 }, "goal": { "position": [4, 4] } }
//! ```
//!
//! Points `[x, z]` in metres, headings in degrees. `"waypoints": [[0, 2], [1, 3]]` are places that the walk leads through, in order.
//! `obstacles`, `terrain`, `start`, `goal`, `waypoints`, headings and heights may be left out; an obstacle without a height is a wall, and the terrain (a shape as in a terrain file) is level at 0.

use super::fields::Field;
use super::json::parse_json;
use super::path::{read_points, write_point};
use super::terrain::{read_terrain_of_scene, write_shape};
use super::text::{degrees, number};
use crate::{ErrorKind, ReadError};
use surefoot_geom::Vec2;
use surefoot_ground::{MAX_HEIGHT, MAX_OUTLINE_POINTS, Obstacle, Place, Scene, SceneError, ScenePart};

const VERSION: u32 = 1;
/// Most places on a way.
const MAX_WAYPOINTS: usize = 200;

/// Reads a scene and checks it ([`Scene::check`]).
pub fn read_scene(bytes: &[u8]) -> Result<Scene, ReadError> {
    draft_scene(bytes)?.check()
}

/// A scene as its file has it: outlines may cross themselves, and start and goal may lie in obstacles. For those who give
/// another start, or show what is wrong.
#[derive(Clone, Debug)]
pub struct SceneDraft {
    /// As read.
    pub scene: Scene,
    /// Lines of the bounds, the start, the goal, and each obstacle.
    lines: [usize; 3],
    waypoint_lines: Vec<usize>,
    obstacle_lines: Vec<usize>,
}

impl SceneDraft {
    /// The scene, if it can be walked in ([`Scene::check`]).
    pub fn check(self) -> Result<Scene, ReadError> {
        match self.scene.check() {
            Ok(()) => Ok(self.scene),
            Err(error) => Err(self.error(&error)),
        }
    }

    /// The scene, if its outlines are right, wherever start and goal are ([`Scene::check_outlines`]).
    pub fn check_outlines(self) -> Result<Scene, ReadError> {
        match self.scene.check_outlines() {
            Ok(()) => Ok(self.scene),
            Err(error) => Err(self.error(&error)),
        }
    }

    fn error(&self, error: &SceneError) -> ReadError {
        let line = match error.part() {
            ScenePart::Bounds | ScenePart::Terrain => self.lines[0],
            ScenePart::Start => self.lines[1],
            ScenePart::Goal => self.lines[2],
            ScenePart::Waypoint(index) => self.waypoint_lines[index],
            ScenePart::Obstacle(index) => self.obstacle_lines[index],
        };
        ReadError::at(ErrorKind::Scene, line, error.to_string())
    }
}

/// Reads a scene without a check of its outlines and places.
pub fn draft_scene(bytes: &[u8]) -> Result<SceneDraft, ReadError> {
    let tree = parse_json(bytes)?;
    let root = Field::root(&tree);
    root.expect_version("scene", VERSION, "\"scene\": 1")?;
    root.expect_object(&["scene", "bounds", "obstacles", "terrain", "start", "goal", "waypoints"])?;
    let bounds = read_outline(&root.required("bounds", "\"bounds\": [[-5, -5], [5, -5], [5, 5], [-5, 5]]")?)?;
    let list = root.optional("obstacles");
    let fields: Vec<Field<'_>> = match &list {
        Some(list) => list
            .items("a list of obstacles such as [ { \"outline\": [[1, 1], [2, 1], [2, 2]], \"height\": 1 } ]")?
            .collect(),
        None => Vec::new(),
    };
    let obstacles = fields.iter().map(read_obstacle).collect::<Result<Vec<_>, _>>()?;
    let terrain = root.optional("terrain").map(|terrain| read_terrain_of_scene(&terrain)).transpose()?;
    let start = root.optional("start").map(|place| read_place(&place)).transpose()?;
    let goal = root.optional("goal").map(|place| read_place(&place)).transpose()?;
    let waypoint_list = root.optional("waypoints");
    let waypoint_fields: Vec<Field<'_>> = match &waypoint_list {
        Some(list) => list.items("a list of places such as [[0, 2], [1, 3]]")?.collect(),
        None => Vec::new(),
    };
    if let Some(field) = waypoint_fields.get(MAX_WAYPOINTS) {
        let message = format!("a scene has at most {MAX_WAYPOINTS} waypoints; this one has {}", waypoint_fields.len());
        return Err(field.error(ErrorKind::Limit, message));
    }
    let waypoint = |field: &Field<'_>| Ok(Vec2::from(field.coordinates::<2>()?));
    let waypoints = waypoint_fields.iter().map(waypoint).collect::<Result<Vec<_>, ReadError>>()?;
    let lines = ["bounds", "start", "goal"].map(|name| root.optional(name).map_or(root.line(), |field| field.line()));
    let obstacle_lines = fields.iter().map(Field::line).collect();
    let waypoint_lines = waypoint_fields.iter().map(Field::line).collect();
    let scene = Scene { bounds, obstacles, terrain, start, goal, waypoints };
    Ok(SceneDraft { scene, lines, waypoint_lines, obstacle_lines })
}

/// An outline of bounded length; its shape is checked with the complete scene.
fn read_outline(list: &Field<'_>) -> Result<Vec<Vec2>, ReadError> {
    let points = read_points(list)?;
    if points.len() > MAX_OUTLINE_POINTS {
        let message = format!("an outline has at most {MAX_OUTLINE_POINTS} points; this one has {}", points.len());
        return Err(list.error(ErrorKind::Limit, message));
    }
    Ok(points)
}

fn read_obstacle(field: &Field<'_>) -> Result<Obstacle, ReadError> {
    field.expect_object(&["outline", "height"])?;
    let outline = read_outline(&field.required("outline", "\"outline\": [[1, 1], [2, 1], [2, 2]]")?)?;
    let height = field.optional("height").map(|height| height.number_within(MAX_HEIGHT, "m")).transpose()?;
    Ok(Obstacle { outline, height })
}

fn read_place(field: &Field<'_>) -> Result<Place, ReadError> {
    field.expect_object(&["position", "heading"])?;
    let position = Vec2::from(field.required("position", "\"position\": [4, 4]")?.coordinates::<2>()?);
    let heading = field.optional("heading").map(|heading| heading.heading()).transpose()?;
    Ok(Place { position, heading })
}

/// The scene as a file, a line for each obstacle. Panics if a number is not finite.
pub fn write_scene(scene: &Scene) -> String {
    let mut fields = vec![format!("\"scene\": {VERSION}"), format!("\"bounds\": {}", write_outline(&scene.bounds))];
    if !scene.obstacles.is_empty() {
        let obstacles: Vec<String> = scene.obstacles.iter().map(write_obstacle).collect();
        fields.push(format!("\"obstacles\": [\n    {} ]", obstacles.join(",\n    ")));
    }
    if let Some(terrain) = &scene.terrain {
        fields.push(format!("\"terrain\": {{ {} }}", write_shape(&terrain.to_shape())));
    }
    for (name, place) in [("start", scene.start), ("goal", scene.goal)] {
        if let Some(Place { position, heading }) = place {
            let heading = heading.map(|heading| format!(", \"heading\": {}", degrees(heading))).unwrap_or_default();
            fields.push(format!("\"{name}\": {{ \"position\": {}{heading} }}", write_point(position)));
        }
    }
    if !scene.waypoints.is_empty() {
        fields.push(format!("\"waypoints\": {}", write_outline(&scene.waypoints)));
    }
    format!("{{ {} }}\n", fields.join(",\n  "))
}

fn write_outline(points: &[Vec2]) -> String {
    let points: Vec<String> = points.iter().map(|&point| write_point(point)).collect();
    format!("[{}]", points.join(", "))
}

fn write_obstacle(obstacle: &Obstacle) -> String {
    let height = obstacle.height.map(|height| format!(", \"height\": {}", number(height))).unwrap_or_default();
    format!("{{ \"outline\": {}{height} }}", write_outline(&obstacle.outline))
}
