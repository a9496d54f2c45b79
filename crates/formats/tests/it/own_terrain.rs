//! Terrain files: what is written is read back as it was, what is wrong is reported with its field and line.

use proptest::prelude::*;
use surefoot_formats::own::{read_scene, read_terrain, write_terrain};
use surefoot_formats::{ErrorKind, ReadError};
use surefoot_geom::{Vec2, Vec3};
use surefoot_ground::{HeightField, Patch, Patches, Plane, Stairs, Terrain, TerrainShape};

fn any_shape() -> impl Strategy<Value = TerrainShape> {
    let point = || [-100.0..100.0f64, -100.0..100.0].prop_map(Vec2::from);
    let height = || -10.0..10.0f64;
    let plane = ([-100.0..100.0f64, -9.0..9.0, -100.0..100.0], [-1.0..1.0f64, 0.5..2.0, -1.0..1.0])
        .prop_map(|(point, normal)| Plane { point: Vec3::from(point), normal: Vec3::from(normal) });
    let optional = || prop::option::of(0.1..10.0f64);
    let stairs = (point(), -7.0..7.0f64, 0.1..2.0f64, -1.0..1.0f64, 1..50usize, height(), optional(), optional());
    let stairs = stairs.prop_map(|(start, heading, tread, rise, n_steps, before, after, width)| Stairs {
        start,
        heading,
        tread,
        rise,
        n_steps,
        before,
        after,
        width,
    });
    let field = (point(), 0.01..10.0f64, 2..9usize, 2..9usize).prop_flat_map(move |(origin, spacing, n_x, n_z)| {
        let heights = prop::collection::vec(height(), n_x * n_z);
        heights.prop_map(move |heights| HeightField { origin, spacing, n_x, n_z, heights })
    });
    let patch = (point(), 0.01..10.0f64, height());
    let patch = patch.prop_map(|(centre, radius, height)| Patch { centre, radius, height });
    let patches = (height(), prop::collection::vec(patch, 0..9));
    prop_oneof![
        height().prop_map(|height| TerrainShape::Flat { height }),
        plane.prop_map(TerrainShape::Plane),
        stairs.prop_map(TerrainShape::Stairs),
        field.prop_map(TerrainShape::HeightField),
        patches.prop_map(|(base, patches)| TerrainShape::Patches(Patches { base, patches })),
    ]
}

proptest! {
    #[test]
    fn a_terrain_comes_back(shape in any_shape()) {
        let terrain = Terrain::new(shape).unwrap();
        let text = write_terrain(&terrain);
        let back = read_terrain(text.as_bytes()).unwrap();
        // Headings are written in degrees, which are rounded once.
        match (terrain.to_shape(), back.to_shape()) {
            (TerrainShape::Stairs(before), TerrainShape::Stairs(after)) => {
                prop_assert!((before.heading - after.heading).abs() < 1e-14);
                prop_assert_eq!(Stairs { heading: 0.0, ..before }, Stairs { heading: 0.0, ..after });
            }
            (before, after) => prop_assert_eq!(before, after),
        }
        prop_assert_eq!(write_terrain(&back), text);
    }
}

fn read(shape: &str) -> Result<Terrain, ReadError> {
    read_terrain(format!("{{ \"terrain\": 1,\n{shape} }}").as_bytes())
}

#[test]
fn what_may_be_left_out_has_its_default() {
    let at = Vec2::new(0.0, 1.0);
    assert_eq!(read(r#""flat": { "height": 0.5 }"#), Ok(Terrain::flat(0.5)));
    let toward_z = read(r#""plane": { "slope": 45 }"#).unwrap();
    assert!((toward_z.height(at) - 1.0).abs() < 1e-12);
    let toward_x = read(r#""plane": { "point": [0, 2, 0], "slope": 45, "heading": 90 }"#).unwrap();
    assert!((toward_x.height(Vec2::new(1.0, 5.0)) - 3.0).abs() < 1e-12);
    assert_eq!(read(r#""plane": { "normal": [0, 1, -1] }"#).unwrap().height(at), 1.0);
    let stairs = read(r#""stairs": { "start": [0, 0], "tread": 0.28, "rise": 0.17, "steps": 5 }"#);
    assert_eq!(stairs.unwrap(), Terrain::stairs(Stairs::default()).unwrap());
    assert_eq!(read(r#""patches": { "discs": [] }"#).unwrap(), Terrain::patches(0.0, Vec::new()).unwrap());
    let field = read("\"height_field\": { \"origin\": [0, 0], \"spacing\": 1, \"heights\": [[0, 1], [2, 4], [0, 0]] }");
    assert_eq!(field.unwrap().height(Vec2::new(1.0, 1.0)), 4.0);
}

#[test]
fn a_scene_carries_the_same_shapes() {
    let scene = |terrain: &str| {
        read_scene(format!("{{\"scene\": 1, \"bounds\": [[0,0],[9,0],[9,9]],\n\"terrain\": {terrain}}}").as_bytes())
    };
    assert_eq!(scene(r#"{ "flat": { "height": 1 } }"#).unwrap().terrain, Some(Terrain::flat(1.0)));
    let error = scene(r#"{ "flat": { "height": 1e5 } }"#).unwrap_err();
    assert_eq!((error.line, error.kind), (Some(2), ErrorKind::OutOfRange));
    assert!(error.message.starts_with("terrain.flat.height: "), "{error}");
    let error = scene(r#"{ "terrain": 1, "flat": { "height": 1 } }"#).unwrap_err();
    assert!(error.message.starts_with("terrain: unknown field `terrain`"), "{error}");
}

#[test]
fn mistakes_are_reported_with_field_line_and_what_would_be_right() {
    use ErrorKind::{MissingField, Nonfinite, OutOfRange, Type, UnknownField, Version};
    let check = |shape: &str, kind: ErrorKind, line: usize, part: &str| {
        let error = read(shape).unwrap_err();
        assert_eq!((error.kind, error.line), (kind, Some(line)), "{error}");
        assert!(error.message.contains(part), "{error}");
    };
    let terrain = ErrorKind::Terrain;
    check("\"flat\": {}", MissingField, 2, "flat: the field `height` is missing, such as \"height\": 0");
    check("\"flat\": { \"height\": 1e999 }", Nonfinite, 2, "flat.height");
    check("\"flat\": 0", Type, 2, "flat: found a number, needs an object with `height`");
    check("\"flatt\": { \"height\": 0 }", UnknownField, 2, "did you mean `flat`?");
    check("\"flat\": { \"height\": 0 },\n\"plane\": { \"slope\": 3 }", terrain, 1, "`flat` and `plane` are too many");
    check("\"plane\": {}", MissingField, 2, "plane: the field `slope` is missing");
    check("\"plane\": { \"slope\": 3,\n\"normal\": [0,1,0] }", terrain, 2, "either a `normal`, or a `slope`");
    check("\"plane\": { \"heading\": 3, \"normal\": [0,1,0] }", terrain, 2, "either a `normal`, or a `slope`");
    check("\"plane\": {\n\"slope\": 85 }", terrain, 3, "plane.slope: leans 85.0 degrees from straight up; at most 80");
    check("\"plane\": {\n\"normal\": [1, 0, 0] }", terrain, 3, "plane.normal: leans 90.0 degrees");
    check("\"plane\": { \"normal\": [0, 0, 0] }", terrain, 2, "[0, 1, 0] would be the normal of level ground");
    check("\"plane\": { \"slope\": 300 }", OutOfRange, 2, "at most 90 degrees");
    let stairs = |rest: &str| format!("\"stairs\": {{ \"start\": [0, 0], \"rise\": 0.2,\n{rest} }}");
    check(&stairs("\"tread\": 0.3"), MissingField, 2, "`steps` is missing");
    check(&stairs("\"tread\": 0, \"steps\": 3"), terrain, 3, "stairs.tread: found 0; a number from 0.001");
    check(
        &stairs("\"tread\": 0.3, \"steps\": 2.5"),
        terrain,
        3,
        "stairs.steps: found 2.5, needs a whole number from 1",
    );
    check(&stairs("\"tread\": 0.3, \"steps\": 1e12"), terrain, 3, "stairs.steps");
    check(&stairs("\"tread\": 0.3, \"steps\": 3, \"width\": 0"), terrain, 3, "stairs.width: found 0");
    let field =
        |heights: &str| format!("\"height_field\": {{ \"origin\": [0, 0], \"spacing\": 1, \"heights\": {heights} }}");
    check(
        &field("[[0, 0],\n[0]]"),
        terrain,
        3,
        "height_field.heights[1]: found 1 heights, needs 2 as in the first row",
    );
    check(&field("[[0, 0]]"), terrain, 2, "found 1 rows of 2, needs at least 2 of 2");
    check(&field("[]"), terrain, 2, "found 0 rows of 0");
    check(&field("[[0, 0],\n[0, \"x\"]]"), Type, 3, "height_field.heights[1][1]: found the text \"x\"");
    check(&field("[0, 0]"), Type, 2, "heights[0]: found a number, needs a list of rows");
    let disc =
        |rest: &str| format!("\"patches\": {{ \"discs\": [ {{ \"centre\": [0, 0], \"height\": 0,\n{rest} }} ] }}");
    check(&disc("\"radius\": 0"), terrain, 3, "patches.discs[0].radius: found 0; a number from 0.001 to 10000 m");
    check(&disc("\"raduis\": 1"), UnknownField, 3, "did you mean `radius`?");
    check("", ErrorKind::Json, 2, "leave out the comma");
    let error = read_terrain(b"{ \"terrain\": 2 }").unwrap_err();
    assert_eq!(error.kind, Version);
    let error = read_terrain(b"{ \"terrain\": 1 }").unwrap_err();
    assert!(error.message.contains("the shape is missing: `flat`, `plane`"), "{error}");
    let error = read_terrain(b"{ \"path\": 1 }").unwrap_err();
    assert!(error.message.contains("this is a path (it has `path`), not a terrain"), "{error}");
}
