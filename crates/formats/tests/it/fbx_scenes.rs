//! What becomes of nodes, scale, axes and keys of an FBX file, shown on small scenes written here as text.

use std::fmt::Write;
use surefoot_formats::AnimationChoice;
use surefoot_formats::fbx::{FbxOptions, read_fbx};
use surefoot_formats::{Document, ErrorKind};
use surefoot_geom::{Axis, Vec3};
use surefoot_motion::WorldPose;

/// FBX counts time in these.
const TICKS_PER_SECOND: f64 = 46_186_158_000.0;

/// A node of a scene.
struct Node {
    name: &'static str,
    /// An index into the list of nodes before this one.
    parent: Option<usize>,
    /// `LimbNode`, `Null`, `Camera`.
    class: &'static str,
    /// Further properties, as lines.
    properties: String,
}

/// Keys of a property's X: times in seconds, values.
struct Curve {
    node: usize,
    property: &'static str,
    keys: Vec<(f64, f64)>,
    /// FBX's own number: 4 straight, 8 bent.
    interpolation: u32,
}

struct Scene {
    settings: String,
    nodes: Vec<Node>,
    curves: Vec<Curve>,
}

const RIGHT_HANDED_Y_UP: &str = r#"
    P: "UpAxis", "int", "Integer", "",1
    P: "UpAxisSign", "int", "Integer", "",1
    P: "FrontAxis", "int", "Integer", "",2
    P: "FrontAxisSign", "int", "Integer", "",1
    P: "CoordAxis", "int", "Integer", "",0
    P: "CoordAxisSign", "int", "Integer", "",1
    P: "UnitScaleFactor", "double", "Number", "",2.54
    P: "TimeMode", "enum", "", "",6"#;

/// The scene as an FBX 7.4 text with one animation, `walk`.
fn write_scene(scene: &Scene) -> String {
    let mut objects = String::new();
    let mut connections = String::new();
    for (i, node) in scene.nodes.iter().enumerate() {
        let (model, name, class) = (100 + i, node.name, node.class);
        let parent = node.parent.map_or(0, |parent| 100 + parent);
        let properties = &node.properties;
        writeln!(
            objects,
            "NodeAttribute: {}, \"NodeAttribute::{name}\", \"{class}\" {{ TypeFlags: \"x\" }}\n\
             Model: {model}, \"Model::{name}\", \"{class}\" {{ Version: 232\n Properties70: {{ {properties} }} }}",
            200 + i
        )
        .expect("text");
        writeln!(connections, "C: \"OO\",{},{model}\nC: \"OO\",{model},{parent}", 200 + i).expect("text");
    }
    writeln!(
        objects,
        "AnimationStack: 300, \"AnimStack::walk\", \"\" {{ }}\nAnimationLayer: 301, \"AnimLayer::base\", \"\" {{ }}"
    )
    .expect("text");
    writeln!(connections, "C: \"OO\",301,300").expect("text");
    for (i, curve) in scene.curves.iter().enumerate() {
        write_curve(&mut objects, &mut connections, i, curve);
    }
    format!(
        "; FBX 7.4.0 project file\nFBXHeaderExtension: {{ FBXHeaderVersion: 1003\n FBXVersion: 7400 }}\n\
         GlobalSettings: {{ Version: 1000\n Properties70: {{ {} }} }}\nObjects: {{\n{objects}}}\nConnections: {{\n{connections}}}\n",
        scene.settings
    )
}

fn write_curve(objects: &mut String, connections: &mut String, index: usize, curve: &Curve) {
    let (node, keys, n) = (400 + index, 500 + index, curve.keys.len());
    let list = |values: Vec<String>| values.join(",");
    let times = list(curve.keys.iter().map(|key| format!("{}", (key.0 * TICKS_PER_SECOND).round() as i64)).collect());
    let values = list(curve.keys.iter().map(|key| key.1.to_string()).collect());
    let rest = if curve.property == "Lcl Scaling" { 1 } else { 0 };
    writeln!(
        objects,
        "AnimationCurveNode: {node}, \"AnimCurveNode::c\", \"\" {{ Properties70: {{\n P: \"d|X\", \"Number\", \"\", \"A\",{rest}\n \
         P: \"d|Y\", \"Number\", \"\", \"A\",{rest}\n P: \"d|Z\", \"Number\", \"\", \"A\",{rest} }} }}\n\
         AnimationCurve: {keys}, \"AnimCurve::\", \"\" {{ Default: {rest}\n KeyVer: 4008\n KeyTime: *{n} {{ a: {times} }}\n \
         KeyValueFloat: *{n} {{ a: {values} }}\n KeyAttrFlags: *1 {{ a: {} }}\n KeyAttrDataFloat: *4 {{ a: 0,0,0,0 }}\n \
         KeyAttrRefCount: *1 {{ a: {n} }} }}",
        curve.interpolation
    )
    .expect("text");
    let model = 100 + curve.node;
    writeln!(
        connections,
        "C: \"OO\",{node},301\nC: \"OP\",{node},{model}, \"{}\"\nC: \"OP\",{keys},{node}, \"d|X\"",
        curve.property
    )
    .expect("text");
}

/// A line that sets one of a node's own vectors: `Translation`, `Rotation` or `Scaling`.
fn local(what: &str, [x, y, z]: [f64; 3]) -> String {
    format!("P: \"Lcl {what}\", \"Lcl {what}\", \"\", \"A\",{x},{y},{z}\n")
}

fn bone(name: &'static str, parent: Option<usize>, properties: String) -> Node {
    Node { name, parent, class: "LimbNode", properties }
}

fn read(scene: &Scene) -> Document {
    read_fbx(write_scene(scene).as_bytes(), &FbxOptions::default()).expect("a scene")
}

fn codes(document: &Document) -> Vec<&'static str> {
    document.warnings.iter().map(|warning| warning.code).collect()
}

fn position(document: &Document, frame: usize, joint: &str) -> Vec3 {
    let pose = WorldPose::new(&document.skeleton, document.poses.pose(frame));
    pose.position(document.skeleton.find(joint).expect("a joint"))
}

/// Evenly spaced keys that rise by one each second.
fn ramp(n_keys: usize, rate: f64) -> Vec<(f64, f64)> {
    (0..n_keys).map(|i| i as f64 / rate).map(|time| (time, time)).collect()
}

fn moving_x(node: usize, keys: Vec<(f64, f64)>) -> Curve {
    Curve { node, property: "Lcl Translation", keys, interpolation: 4 }
}

/// An armature ten times too large that turns Z up to Y up and moves, three bones with a plain node between two of
/// them, and a camera.
fn armature_scene() -> Scene {
    Scene {
        settings: RIGHT_HANDED_Y_UP.to_string(),
        nodes: vec![
            Node {
                name: "Armature",
                parent: None,
                class: "Null",
                properties: local("Rotation", [-90.0, 0.0, 0.0]) + &local("Scaling", [10.0; 3]),
            },
            bone("hip", Some(0), local("Translation", [0.0, 0.0, 1.0])),
            Node {
                name: "between",
                parent: Some(1),
                class: "Null",
                properties: local("Translation", [0.0, 0.0, -0.1]),
            },
            bone("knee", Some(2), local("Translation", [0.0, 0.0, -0.3])),
            Node { name: "camera", parent: Some(1), class: "Camera", properties: String::new() },
        ],
        curves: vec![moving_x(0, ramp(121, 120.0))],
    }
}

#[test]
fn nodes_above_the_bones_are_baked_into_the_root_with_their_motion_and_scale() {
    let document = read(&armature_scene());
    let names: Vec<&str> = document.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["hip", "between", "knee"]);
    for (frame, x) in [(0, 0.0), (60, 0.5), (120, 1.0)] {
        for (joint, y) in [("hip", 10.0), ("between", 9.0), ("knee", 6.0)] {
            let found = position(&document, frame, joint);
            assert!(found.abs_diff_eq(Vec3::new(x, y, 0.0), 1e-6), "{joint} {frame}: {found}");
        }
    }
    assert_eq!(document.up, Some(Axis::Y));
    assert!(document.unit_to_metre.is_some_and(|unit| (unit - 0.0254).abs() < 1e-12), "{:?}", document.unit_to_metre);
    assert_eq!((document.name.as_deref(), document.animations.as_slice()), (Some("walk"), &["walk".to_string()][..]));
}

#[test]
fn the_spacing_of_the_keys_beats_the_declared_rate() {
    let document = read(&armature_scene());
    assert_eq!((document.frame_rate, document.poses.len()), (Some(120.0), 121));
    assert_eq!(codes(&document), ["frame_rate_from_keys"]);
    let bytes = write_scene(&armature_scene());
    let half =
        read_fbx(bytes.as_bytes(), &FbxOptions { frame_rate: Some(60.0), ..FbxOptions::default() }).expect("a scene");
    assert_eq!((half.frame_rate, half.poses.len(), codes(&half)), (Some(60.0), 61, vec![]));
    assert!(position(&half, 30, "hip").abs_diff_eq(position(&document, 60, "hip"), 1e-9));
}

#[test]
fn a_skeleton_of_plain_nodes_is_read_and_reported() {
    let mut scene = armature_scene();
    for node in scene.nodes.iter_mut().filter(|node| node.class == "LimbNode") {
        node.class = "Null";
    }
    let document = read(&scene);
    let names: Vec<&str> = document.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["Armature", "hip", "between", "knee"]);
    assert_eq!(codes(&document), ["no_bones", "frame_rate_from_keys"]);
    assert!(position(&document, 0, "knee").abs_diff_eq(Vec3::new(0.0, 6.0, 0.0), 1e-6));
}

#[test]
fn scale_that_a_joint_cannot_hold_is_reported() {
    let mut scene = armature_scene();
    scene.curves = vec![moving_x(1, ramp(31, 30.0))];
    assert_eq!(codes(&read(&scene)), [] as [&str; 0]);
    scene.curves.push(Curve {
        node: 1,
        property: "Lcl Scaling",
        keys: ramp(31, 30.0).iter().map(|key| (key.0, 1.0 + key.1)).collect(),
        interpolation: 4,
    });
    let document = read(&scene);
    assert_eq!(codes(&document), ["scale_ignored", "scale_ignored"]);
    // The keys of one axis take the others to zero, so the hip lies at the armature; it is scaled along X only, so what
    // hangs on its Z stays.
    let knee = position(&document, 30, "knee");
    assert!(knee.abs_diff_eq(Vec3::new(10.0, -4.0, 0.0), 1e-5), "{knee}");
}

/// Asks ufbx itself, whose matrices know every rule, for the place of a node.
fn place_by_matrix(text: &str, node: &str) -> Vec3 {
    let Ok(scene) = ufbx::load_memory(text.as_bytes(), ufbx::LoadOpts::default()) else { panic!("{node}") };
    let matrix = &ufbx::find_node(&scene, node).expect("a node").node_to_world;
    Vec3::new(matrix.m03, matrix.m13, matrix.m23)
}

#[test]
fn joints_inherit_scale_by_the_three_modes_of_the_format() {
    for modes in 0..81 {
        let mode = |place: u32| {
            let inherit = modes / 3u32.pow(place) % 3;
            let inherit = format!("P: \"InheritType\", \"enum\", \"\", \"\",{inherit}\n");
            local("Translation", [0.0, 3.0, 1.0]) + &local("Scaling", [2.0; 3]) + &inherit
        };
        let nodes = vec![
            bone("a", None, mode(0)),
            bone("b", Some(0), mode(1)),
            bone("c", Some(1), mode(2)),
            bone("d", Some(2), mode(3)),
            bone("e", Some(3), mode(0)),
        ];
        let scene = Scene { settings: RIGHT_HANDED_Y_UP.to_string(), nodes, curves: vec![] };
        let document = read(&scene);
        let rest = WorldPose::new(&document.skeleton, &document.skeleton.rest_pose());
        for id in document.skeleton.ids() {
            let expected = place_by_matrix(&write_scene(&scene), document.skeleton.name(id));
            assert!(
                rest.position(id).abs_diff_eq(expected, 1e-9),
                "modes {modes}, {id:?}: {} {expected}",
                rest.position(id)
            );
        }
    }
}

#[test]
fn left_handed_axes_are_mirrored() {
    let left_handed = RIGHT_HANDED_Y_UP
        .replace("\"FrontAxisSign\", \"int\", \"Integer\", \"\",1", "\"FrontAxisSign\", \"int\", \"Integer\", \"\",-1");
    let hip = local("Translation", [1.0, 2.0, 3.0]);
    let knee = local("Translation", [1.0, 0.0, 0.0]) + &local("Rotation", [0.0, 0.0, 90.0]);
    let foot = local("Translation", [0.0, 1.0, 1.0]);
    let scene = Scene {
        settings: left_handed,
        nodes: vec![bone("hip", None, hip), bone("knee", Some(0), knee), bone("foot", Some(1), foot)],
        curves: vec![],
    };
    let document = read(&scene);
    assert_eq!(codes(&document), ["no_motion"]);
    let rest = WorldPose::new(&document.skeleton, &document.skeleton.rest_pose());
    let found: Vec<Vec3> = document.skeleton.ids().map(|id| rest.position(id)).collect();
    // In the file's axes: (1, 2, 3), (2, 2, 3), and a step of (0, 1, 1) turned a quarter about Z: (1, 2, 4). Its front
    // is -Z.
    let mirrored = [Vec3::new(1.0, 2.0, -3.0), Vec3::new(2.0, 2.0, -3.0), Vec3::new(1.0, 2.0, -4.0)];
    for (found, expected) in found.iter().zip(mirrored) {
        assert!(found.abs_diff_eq(expected, 1e-9), "{found} is not {expected}");
    }
}

#[test]
fn animations_are_found_by_name_and_number() {
    let bytes = write_scene(&armature_scene());
    let choose = |animation| {
        let options = FbxOptions { animation: Some(animation), ..FbxOptions::default() };
        read_fbx(bytes.as_bytes(), &options).map(|document| document.poses.len())
    };
    assert_eq!(choose(AnimationChoice::Index(0)), Ok(121));
    assert_eq!(choose(AnimationChoice::Name("walk".into())), Ok(121));
    for missing in [AnimationChoice::Index(1), AnimationChoice::Name("run".into())] {
        let error = choose(missing).expect_err("no such animation");
        assert_eq!(error.kind, ErrorKind::NoAnimation);
        assert!(error.message.contains("walk"), "{}", error.message);
    }
}

#[test]
fn what_is_no_motion_is_refused_by_kind() {
    let kind = |bytes: &[u8]| read_fbx(bytes, &FbxOptions::default()).expect_err("refused").kind;
    assert_eq!(kind(b""), ErrorKind::Empty);
    assert_eq!(kind(b"HIERARCHY\nROOT Hips\n"), ErrorKind::Fbx);
    assert_eq!(kind(b"v 1 2 3\nf 1 1 1\n"), ErrorKind::Fbx);
    let camera = Node { name: "camera", parent: None, class: "Camera", properties: String::new() };
    let no_skeleton = Scene { settings: RIGHT_HANDED_Y_UP.to_string(), nodes: vec![camera], curves: vec![] };
    assert_eq!(kind(write_scene(&no_skeleton).as_bytes()), ErrorKind::Fbx);
    let mut endless = armature_scene();
    endless.curves = vec![moving_x(0, vec![(0.0, 0.0), (1e8, 1.0)])];
    assert_eq!(kind(write_scene(&endless).as_bytes()), ErrorKind::Limit);
}
