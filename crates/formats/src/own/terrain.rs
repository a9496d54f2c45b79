//! Terrain: `*.terrain.json`, version 1. One of these shapes, in metres and degrees:
//!
//! ```json
//! { "terrain": 1, "flat": { "height": 0 } }
//! { "terrain": 1, "plane": { "point": [0, 0, 0], "slope": 10, "heading": 0 } }
//! { "terrain": 1, "plane": { "point": [0, 0, 0], "normal": [0, 1, 0.1] } }
//! { "terrain": 1, "stairs": { "start": [0, 1], "heading": 0, "tread": 0.28, "rise": 0.17, "steps": 5,
//!                             "before": 0, "after": 0.85, "width": 1.2 } }
//! { "terrain": 1, "height_field": { "origin": [-1, -1], "spacing": 0.5, "heights": [[0, 0, 0], [0, 0.1, 0]] } }
//! { "terrain": 1, "patches": { "base": 0, "discs": [ { "centre": [0, 0.4], "radius": 0.2, "height": 0.1 } ] } }
//! ```
//!
//! A plane rises by `slope` toward `heading`, or has a `normal`. Stairs lead toward `heading` from the edge of their first step;
//! a negative `rise` leads down. Heights stand in rows along x, one row behind the other along z. May be left out: `point` and
//! every `heading`, `before` and `base` (0), `after` (the last step goes on), `width` (no end to the sides). A scene may carry
//! the same shapes in its field `terrain`, without the version.

use super::fields::{Field, listed};
use super::json::parse_json;
use super::path::write_point;
use super::text::{degrees, number};
use crate::{ErrorKind, ReadError};
use surefoot_geom::{Vec2, Vec3};
use surefoot_ground::{
    HeightField, MAX_HEIGHT, MAX_REACH, MAX_STEPS, Patch, Patches, Plane, Stairs, Terrain, TerrainError, TerrainShape,
};

const VERSION: u32 = 1;

/// The field that gives a shape, and what a small one looks like.
const SHAPES: [(&str, &str); 5] = [
    ("flat", "\"flat\": { \"height\": 0 }"),
    ("plane", "\"plane\": { \"point\": [0, 0, 0], \"slope\": 10, \"heading\": 0 }"),
    ("stairs", "\"stairs\": { \"start\": [0, 1], \"tread\": 0.28, \"rise\": 0.17, \"steps\": 5 }"),
    ("height_field", "\"height_field\": { \"origin\": [0, 0], \"spacing\": 1, \"heights\": [[0, 0], [0, 0]] }"),
    ("patches", "\"patches\": { \"discs\": [ { \"centre\": [0, 0.4], \"radius\": 0.2, \"height\": 0.1 } ] }"),
];

/// A slope past a quarter turn is no slope.
const MAX_SLOPE: f64 = 90.0;

/// Reads a terrain and checks it ([`Terrain::new`]).
pub fn read_terrain(bytes: &[u8]) -> Result<Terrain, ReadError> {
    let tree = parse_json(bytes)?;
    let root = Field::root(&tree);
    root.expect_version("terrain", VERSION, "\"terrain\": 1")?;
    let known: Vec<&str> = std::iter::once("terrain").chain(SHAPES.map(|(name, _)| name)).collect();
    root.expect_object(&known)?;
    read_one_shape(&root)
}

/// Reads the terrain that a scene carries.
pub(super) fn read_terrain_of_scene(field: &Field<'_>) -> Result<Terrain, ReadError> {
    field.expect_object(&SHAPES.map(|(name, _)| name))?;
    read_one_shape(field)
}

fn read_one_shape(object: &Field<'_>) -> Result<Terrain, ReadError> {
    let given: Vec<&str> = SHAPES.iter().map(|&(name, _)| name).filter(|name| object.has(name)).collect();
    match given[..] {
        [name] => read_shape(&object.required(name, "")?, name),
        [] => {
            let message = format!("the shape is missing: {}, such as {}", listed(&SHAPES.map(|s| s.0)), SHAPES[0].1);
            Err(object.error(ErrorKind::MissingField, message))
        }
        _ => {
            let message = format!("{} are too many shapes; a terrain has one", listed(&given));
            Err(object.error(ErrorKind::Terrain, message))
        }
    }
}

fn read_shape(field: &Field<'_>, name: &str) -> Result<Terrain, ReadError> {
    let shape = match name {
        "flat" => read_flat(field),
        "plane" => read_plane(field),
        "stairs" => read_stairs(field),
        "height_field" => read_height_field(field),
        _ => read_patches(field),
    };
    Terrain::new(shape?).map_err(|error| refuse(field, &error))
}

fn read_flat(field: &Field<'_>) -> Result<TerrainShape, ReadError> {
    field.expect_object(&["height"])?;
    Ok(TerrainShape::Flat { height: height(&field.required("height", "\"height\": 0")?)? })
}

fn read_plane(field: &Field<'_>) -> Result<TerrainShape, ReadError> {
    field.expect_object(&["point", "slope", "heading", "normal"])?;
    let point = field.optional("point").map(|point| point.coordinates::<3>()).transpose()?;
    let point = Vec3::from(point.unwrap_or_default());
    let plane = match (field.optional("normal"), field.optional("slope")) {
        (Some(normal), None) if !field.has("heading") => {
            Plane { point, normal: Vec3::from(normal.coordinates::<3>()?) }
        }
        (None, Some(slope)) => {
            let slope = slope.number_within(MAX_SLOPE, "degrees")?.to_radians();
            Plane::rising(point, slope, optional_heading(field)?)
        }
        (None, None) => return field.required("slope", "\"slope\": 10, \"heading\": 0").and(Err(no_plane(field))),
        _ => return Err(no_plane(field)),
    };
    Ok(TerrainShape::Plane(plane))
}

fn no_plane(field: &Field<'_>) -> ReadError {
    field.error(ErrorKind::Terrain, "a plane has either a `normal`, or a `slope` and a `heading`")
}

fn read_stairs(field: &Field<'_>) -> Result<TerrainShape, ReadError> {
    field.expect_object(&["start", "heading", "tread", "rise", "steps", "before", "after", "width"])?;
    let start =
        field.required("start", "\"start\": [0, 1], a point on the edge of the first step")?.coordinates::<2>()?;
    let length = |name, example| field.required(name, example)?.number_within(MAX_REACH, "m");
    Ok(TerrainShape::Stairs(Stairs {
        start: Vec2::from(start),
        heading: optional_heading(field)?,
        tread: length("tread", "\"tread\": 0.28, the depth of a step in metres")?,
        rise: length("rise", "\"rise\": 0.17, the height of a step in metres")?,
        n_steps: read_n_steps(&field.required("steps", "\"steps\": 5")?)?,
        before: field.optional("before").map_or(Ok(0.0), |before| height(&before))?,
        after: field.optional("after").map(|after| height(&after)).transpose()?,
        width: field.optional("width").map(|width| width.number_within(MAX_REACH, "m")).transpose()?,
    }))
}

fn read_n_steps(field: &Field<'_>) -> Result<usize, ReadError> {
    let steps = field.number()?;
    if steps.fract() != 0.0 || !(1.0..=MAX_STEPS as f64).contains(&steps) {
        let message = format!("found {steps}, needs a whole number from 1 to {MAX_STEPS}");
        return Err(field.error(ErrorKind::Terrain, message));
    }
    Ok(steps as usize)
}

fn read_height_field(field: &Field<'_>) -> Result<TerrainShape, ReadError> {
    field.expect_object(&["origin", "spacing", "heights"])?;
    let origin = field.required("origin", "\"origin\": [-1, -1]")?.coordinates::<2>()?;
    let spacing = field.required("spacing", "\"spacing\": 0.5")?.number_within(MAX_REACH, "m")?;
    let list = field.required("heights", "\"heights\": [[0, 0, 0], [0, 0.1, 0]]")?;
    let rows = list.items(ROWS)?;
    let n_z = rows.len();
    let mut n_x = None;
    let mut heights = Vec::new();
    for row in rows {
        let row_heights = row.items(ROWS)?;
        let length = *n_x.get_or_insert(row_heights.len());
        if row_heights.len() != length {
            let message = format!("found {} heights, needs {length} as in the first row", row_heights.len());
            return Err(row.error(ErrorKind::Terrain, message));
        }
        for value in row_heights {
            heights.push(height(&value)?);
        }
    }
    let n_x = n_x.unwrap_or(0);
    if n_x < 2 || n_z < 2 {
        let message = format!("found {n_z} rows of {n_x}, needs at least 2 of 2");
        return Err(list.error(ErrorKind::Terrain, message));
    }
    Ok(TerrainShape::HeightField(HeightField { origin: Vec2::from(origin), spacing, n_x, n_z, heights }))
}

const ROWS: &str = "a list of rows of heights such as [[0, 0, 0], [0, 0.1, 0]]";

fn read_patches(field: &Field<'_>) -> Result<TerrainShape, ReadError> {
    field.expect_object(&["base", "discs"])?;
    let base = field.optional("base").map_or(Ok(0.0), |base| height(&base))?;
    let example = "\"discs\": [ { \"centre\": [0, 0.4], \"radius\": 0.2, \"height\": 0.1 } ]";
    let patches =
        field.required("discs", example)?.items(example)?.map(|disc| read_disc(&disc)).collect::<Result<_, _>>()?;
    Ok(TerrainShape::Patches(Patches { base, patches }))
}

fn read_disc(field: &Field<'_>) -> Result<Patch, ReadError> {
    field.expect_object(&["centre", "radius", "height"])?;
    Ok(Patch {
        centre: Vec2::from(field.required("centre", "\"centre\": [0, 0.4]")?.coordinates::<2>()?),
        radius: field.required("radius", "\"radius\": 0.2")?.number_within(MAX_REACH, "m")?,
        height: height(&field.required("height", "\"height\": 0.1")?)?,
    })
}

fn height(field: &Field<'_>) -> Result<f64, ReadError> {
    field.number_within(MAX_HEIGHT, "m")
}

fn optional_heading(field: &Field<'_>) -> Result<f64, ReadError> {
    field.optional("heading").map_or(Ok(0.0), |heading| heading.heading())
}

/// The library's objection, at the field of the file that it is about.
fn refuse(shape: &Field<'_>, error: &TerrainError) -> ReadError {
    let blame = |field: &Field<'_>| field.error(ErrorKind::Terrain, &error.problem);
    let named = |object: &Field<'_>, name: &str| object.optional(name).map(|field| blame(&field));
    let found = match (error.field.name, error.field.index) {
        ("n_steps", _) => named(shape, "steps"),
        ("normal", _) => named(shape, "normal").or_else(|| named(shape, "slope")),
        ("patches", _) => named(shape, "discs"),
        (name, None) | (name @ "heights", _) => named(shape, name),
        (name, Some(index)) => shape.optional("discs").and_then(|discs| {
            let disc = discs.items("").ok()?.nth(index)?;
            named(&disc, name)
        }),
    };
    found.unwrap_or_else(|| shape.error(ErrorKind::Terrain, error))
}

/// The terrain as a file, a line for each disc and each row of heights.
pub fn write_terrain(terrain: &Terrain) -> String {
    format!("{{ \"terrain\": {VERSION}, {} }}\n", write_shape(&terrain.to_shape()))
}

/// The field that gives a terrain's shape: `"flat": { "height": 0 }`.
pub(super) fn write_shape(shape: &TerrainShape) -> String {
    match shape {
        TerrainShape::Flat { height } => format!("\"flat\": {{ \"height\": {} }}", number(*height)),
        TerrainShape::Plane(Plane { point, normal }) => {
            format!("\"plane\": {{ \"point\": {}, \"normal\": {} }}", write_triple(*point), write_triple(*normal))
        }
        TerrainShape::Stairs(stairs) => write_stairs(stairs),
        TerrainShape::HeightField(field) => {
            let rows: Vec<String> =
                field.heights.chunks(field.n_x.max(1)).map(|row| format!("[{}]", joined(row))).collect();
            let (origin, spacing) = (write_point(field.origin), number(field.spacing));
            let rows = rows.join(",\n    ");
            format!(
                "\"height_field\": {{ \"origin\": {origin}, \"spacing\": {spacing}, \"heights\": [\n    {rows} ] }}"
            )
        }
        TerrainShape::Patches(Patches { base, patches }) => {
            let discs: Vec<String> = patches.iter().map(write_disc).collect();
            format!("\"patches\": {{ \"base\": {}, \"discs\": [{} ] }}", number(*base), discs.join(","))
        }
    }
}

fn write_stairs(stairs: &Stairs) -> String {
    let mut fields = vec![
        format!("\"start\": {}", write_point(stairs.start)),
        format!("\"heading\": {}", degrees(stairs.heading)),
        format!("\"tread\": {}", number(stairs.tread)),
        format!("\"rise\": {}", number(stairs.rise)),
        format!("\"steps\": {}", stairs.n_steps),
        format!("\"before\": {}", number(stairs.before)),
    ];
    let optional = [("after", stairs.after), ("width", stairs.width)];
    fields.extend(optional.iter().filter_map(|&(name, value)| Some(format!("\"{name}\": {}", number(value?)))));
    format!("\"stairs\": {{ {} }}", fields.join(", "))
}

fn write_disc(patch: &Patch) -> String {
    let (centre, radius, height) = (write_point(patch.centre), number(patch.radius), number(patch.height));
    format!("\n    {{ \"centre\": {centre}, \"radius\": {radius}, \"height\": {height} }}")
}

fn write_triple(triple: Vec3) -> String {
    format!("[{}]", joined(&triple.to_array()))
}

fn joined(numbers: &[f64]) -> String {
    numbers.iter().map(|&value| number(value)).collect::<Vec<_>>().join(", ")
}
