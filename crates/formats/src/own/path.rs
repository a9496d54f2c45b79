//! Paths: `*.path.json`, version 1.
//!
//! ```json
//! { "path": 1, "points": [[0, 0], [0, 4], [3, 7]] }
//! ```
//!
//! Points `[x, z]` on the ground, in metres.

use super::fields::Field;
use super::json::parse_json;
use super::text::number;
use crate::{ErrorKind, ReadError};
use surefoot_geom::Vec2;
use surefoot_ground::{Path, PathError};

const VERSION: u32 = 1;

/// Reads a path and checks it ([`Path::check`]).
pub fn read_path(bytes: &[u8]) -> Result<Path, ReadError> {
    let tree = parse_json(bytes)?;
    let root = Field::root(&tree);
    root.expect_version("path", VERSION, "\"path\": 1")?;
    root.expect_object(&["path", "points"])?;
    let list = root.required("points", "\"points\": [[0, 0], [0, 4]]")?;
    let path = Path { points: read_points(&list)? };
    path.check().map_err(|error| {
        let bad_point = match error {
            PathError::TooShort { .. } => None,
            PathError::NotFinite { point } | PathError::Repeated { point } => Some(point),
        };
        let line = bad_point.and_then(|point| list.items("").ok()?.nth(point).map(|field| field.line()));
        ReadError::at(ErrorKind::Path, line.unwrap_or(list.line()), format!("points: {error}"))
    })?;
    Ok(path)
}

/// A list of points `[x, z]`.
pub(super) fn read_points(list: &Field<'_>) -> Result<Vec<Vec2>, ReadError> {
    list.items("a list of points such as [[0, 0], [0, 4]]")?
        .map(|point| point.coordinates::<2>().map(Vec2::from))
        .collect()
}

/// `[x, z]`.
pub(super) fn write_point(point: Vec2) -> String {
    format!("[{}, {}]", number(point.x), number(point.y))
}

/// The path as a file, a line for each point. Panics if a number is not finite.
pub fn write_path(path: &Path) -> String {
    let points: Vec<String> = path.points.iter().map(|&point| format!("\n  {}", write_point(point))).collect();
    format!("{{ \"path\": {VERSION}, \"points\": [{}\n] }}\n", points.join(","))
}
