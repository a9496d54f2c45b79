//! What the reader makes of hierarchies, scales, keys and names, on files small enough to work out by hand.

use base64::Engine;
use serde_json::{Value, json};
use surefoot_formats::AnimationChoice;
use surefoot_formats::gltf::{GltfOptions, read_gltf};
use surefoot_formats::{Document, ErrorKind, ReadError};
use surefoot_geom::{Axis, Quat, Vec3};
use surefoot_motion::WorldPose;

/// A file in the making: nodes and skins as JSON, keys as numbers.
struct Builder {
    nodes: Value,
    skins: Value,
    accessors: Vec<Value>,
    views: Vec<Value>,
    bytes: Vec<u8>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

impl Builder {
    fn new(nodes: Value, joints: &[usize]) -> Builder {
        let skins = if joints.is_empty() { json!([]) } else { json!([{ "joints": joints }]) };
        let empty = || Vec::new();
        let (accessors, views, samplers, channels) = (empty(), empty(), empty(), empty());
        Builder { nodes, skins, accessors, views, bytes: vec![], samplers, channels }
    }

    fn accessor(&mut self, shape: &str, n: usize, numbers: &[f32]) -> usize {
        self.views.push(json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": 4 * numbers.len() }));
        self.bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        let count = numbers.len() / n;
        self.accessors
            .push(json!({ "bufferView": self.views.len() - 1, "componentType": 5126, "count": count, "type": shape }));
        self.accessors.len() - 1
    }

    fn channel(mut self, node: usize, path: &str, interpolation: &str, times: &[f32], values: &[f32]) -> Builder {
        let input = self.accessor("SCALAR", 1, times);
        let (shape, n) = if path == "rotation" { ("VEC4", 4) } else { ("VEC3", 3) };
        let output = self.accessor(shape, n, values);
        self.channels.push(json!({ "sampler": self.samplers.len(), "target": { "node": node, "path": path } }));
        self.samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        self
    }

    fn json(&self) -> Value {
        let data = base64::engine::general_purpose::STANDARD.encode(&self.bytes);
        let animations = if self.channels.is_empty() {
            json!([])
        } else {
            json!([{ "channels": self.channels, "samplers": self.samplers }])
        };
        json!({
            "asset": { "version": "2.0" },
            "nodes": self.nodes,
            "skins": self.skins,
            "meshes": [{ "primitives": [] }],
            "animations": animations,
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{ "byteLength": self.bytes.len(), "uri": format!("data:;base64,{data}") }],
        })
    }

    fn read(&self) -> Document {
        read_json(&self.json(), &GltfOptions::default()).expect("readable")
    }
}

fn read_json(json: &Value, options: &GltfOptions) -> Result<Document, ReadError> {
    let none = &mut |uri: &str| Err(ReadError::new(ErrorKind::Io, format!("no file {uri}")));
    read_gltf(json.to_string().as_bytes(), none, options).map(|file| file.document)
}

fn codes(document: &Document) -> Vec<&'static str> {
    document.warnings.iter().map(|warning| warning.code).collect()
}

/// World positions of all joints in a frame, or at rest.
fn positions(document: &Document, frame: Option<usize>) -> Vec<Vec3> {
    let rest = document.skeleton.rest_pose();
    let pose = frame.map_or(rest.view(), |frame| document.poses.pose(frame));
    WorldPose::new(&document.skeleton, pose).world().iter().map(|transform| transform.translation).collect()
}

fn assert_near(found: &[Vec3], expected: &[[f64; 3]]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.distance(Vec3::from_array(*expected)) < 1e-6, "{found}, not {expected:?}");
    }
}

/// Half of a quarter turn's quaternion: sine and cosine of 45 degrees.
const H: f64 = std::f64::consts::FRAC_1_SQRT_2;
const HF: f32 = std::f32::consts::FRAC_1_SQRT_2;

#[test]
fn nodes_above_the_root_are_baked_into_it_with_their_scale_and_motion() {
    let nodes = json!([
        { "name": "world", "scale": [10, 10, 10], "children": [1] },
        // A matrix that turns X to Y and moves by (0, 0, 1).
        { "name": "armature", "matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1], "children": [2] },
        { "name": "hips", "translation": [0.1, 0, 0], "children": [3] },
        { "name": "foot", "translation": [0.2, 0, 0] },
    ]);
    let document = Builder::new(nodes.clone(), &[2, 3]).read();
    assert_eq!(document.skeleton.n_joints(), 2);
    assert_near(&positions(&document, None), &[[0.0, 1.0, 10.0], [0.0, 3.0, 10.0]]);
    assert!(codes(&document).is_empty());
    assert_eq!((document.unit_to_metre, document.up, document.frame_rate), (Some(1.0), Some(Axis::Y), None));
    // The armature's parent slides along X: so does everything.
    let slide =
        Builder::new(nodes, &[2, 3]).channel(0, "translation", "LINEAR", &[0.0, 0.1], &[0., 0., 0., 5., 0., 0.]);
    let document = slide.read();
    let last = document.poses.len() - 1;
    assert_near(&positions(&document, Some(last)), &[[5.0, 1.0, 10.0], [5.0, 3.0, 10.0]]);
}

#[test]
fn uneven_and_moving_scales_keep_positions_and_are_reported() {
    let nodes = json!([
        { "scale": [1, 2, 3], "rotation": [0, 0, H, H], "children": [1] },
        { "translation": [1, 1, 1], "rotation": [H, 0, 0, H], "children": [2] },
        { "translation": [1, 1, 1] },
    ]);
    let document = Builder::new(nodes, &[0, 1, 2]).read();
    // Node 1 at Rz (1, 2, 3) = (-2, 1, 3); node 2 further by Rz S Rx (1, 1, 1) = Rz (1, -2, 3) = (2, 1, 3).
    assert_near(&positions(&document, None), &[[0.0; 3], [-2.0, 1.0, 3.0], [0.0, 2.0, 6.0]]);
    assert_eq!(codes(&document), ["scale_ignored"]);

    let nodes = json!([{ "children": [1] }, { "translation": [1, 0, 0] }]);
    let grow = Builder::new(nodes, &[0, 1]).channel(0, "scale", "LINEAR", &[0.0, 1.0], &[1., 1., 1., 2., 2., 2.]);
    let document = grow.read();
    assert_near(&positions(&document, Some(0)), &[[0.0; 3], [1.0, 0.0, 0.0]]);
    assert_near(&positions(&document, Some(document.poses.len() - 1)), &[[0.0; 3], [2.0, 0.0, 0.0]]);
    assert_eq!(codes(&document), ["scale_ignored"]);

    // A mirror keeps positions too.
    let nodes = json!([{ "scale": [-1, 1, 1], "children": [1] }, { "translation": [1, 2, 3] }]);
    let document = Builder::new(nodes, &[0, 1]).read();
    assert_near(&positions(&document, None), &[[0.0; 3], [-1.0, 2.0, 3.0]]);
    assert_eq!(codes(&document), ["scale_ignored"]);
}

#[test]
fn nodes_between_joints_are_joints_and_leaves_are_end_sites() {
    let nodes = json!([
        { "name": "armature", "children": [1, 7] },
        { "name": "hips", "children": [2, 4, 5, 6] },
        { "name": "between", "translation": [0, 1, 0], "children": [3] },
        { "name": "head", "scale": [2, 2, 2], "children": [8, 9] },
        { "name": "shown", "mesh": 0 },
        { "name": "hips_End", "translation": [0, 0, 1] },
        { "name": "deep", "children": [10] },
        { "name": "prop" },
        { "name": "top", "translation": [0, 0.5, 0] },
        { "translation": [0.5, 0, 0] },
        { "name": "deeper" },
    ]);
    let document = Builder::new(nodes.clone(), &[3, 1]).read();
    let names: Vec<&str> = document.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["hips", "between", "head"]);
    let sites: Vec<_> = document.skeleton.end_sites().iter().map(|site| (site.name.as_deref(), site.offset)).collect();
    assert_eq!(sites, [(None, Vec3::Z), (Some("top"), Vec3::Y), (None, Vec3::X)]);
    // A leaf that an animation moves about cannot be an end site.
    let moving = Builder::new(nodes, &[3, 1]).channel(8, "translation", "STEP", &[0.0], &[0., 9., 0.]);
    let document = moving.read();
    assert_eq!(document.skeleton.joints()[3].name, "top");
    assert_eq!(document.skeleton.end_sites().len(), 2);
    assert_near(&positions(&document, Some(0))[3..], &[[0.0, 19.0, 0.0]]);
}

#[test]
fn without_a_skin_the_scene_is_the_skeleton() {
    let nodes = json!([
        { "name": "root", "children": [1, 2, 3] },
        { "name": "still mesh", "mesh": 0 },
        { "name": "moving mesh", "mesh": 0 },
        { "name": "leaf" },
        { "name": "of another scene" },
    ]);
    let builder = Builder::new(nodes, &[]).channel(2, "rotation", "STEP", &[0.0], &[0., 0., 0., 1.]);
    let mut json = builder.json();
    let names = |json: &Value| -> Vec<String> {
        let document = read_json(json, &GltfOptions::default()).expect("readable");
        document.skeleton.joints().iter().map(|joint| joint.name.clone()).collect()
    };
    assert_eq!(names(&json), ["root", "moving mesh", "leaf", "of another scene"]);
    json["scenes"] = json!([{ "nodes": [4] }, { "nodes": [0] }]);
    assert_eq!(names(&json), ["of another scene"]);
    json["scene"] = json!(1);
    assert_eq!(names(&json), ["root", "moving mesh", "leaf"]);
    json["scenes"] = json!([{}, {}]);
    let error = read_json(&json, &GltfOptions::default()).expect_err("an empty scene");
    assert_eq!(error.kind, ErrorKind::NoJoints);
}

#[test]
fn several_skins_are_one_skeleton_and_several_trees_several_roots() {
    let nodes =
        json!([{ "name": "a", "children": [1] }, { "name": "b" }, { "name": "c", "children": [3] }, { "name": "d" }]);
    let mut json = Builder::new(nodes, &[]).json();
    json["skins"] = json!([{ "joints": [0, 1] }, { "joints": [1, 0] }, { "joints": [3, 2] }]);
    let document = read_json(&json, &GltfOptions::default()).expect("readable");
    let names: Vec<&str> = document.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c", "d"]);
    assert_eq!(document.skeleton.roots().count(), 2);
}

#[test]
fn each_interpolation_gives_its_own_frames() {
    let nodes = || json!([{ "children": [1] }, {}]);
    let x = |document: &Document| -> Vec<f64> {
        document.poses.iter().map(|pose| (1e6 * pose.local[0].translation.x).round() / 1e6).collect()
    };
    let times = [0.5, 0.6, 0.7];
    let values = [0., 0., 0., 1., 0., 0., 3., 0., 0.];
    let options = GltfOptions { frame_rate: Some(20.0), ..GltfOptions::default() };
    let read = |interpolation: &str, values: &[f32]| {
        let builder = Builder::new(nodes(), &[0, 1]).channel(0, "translation", interpolation, &times, values);
        read_json(&builder.json(), &options).expect("readable")
    };
    assert_eq!(x(&read("LINEAR", &values)), [0.0, 0.5, 1.0, 2.0, 3.0]);
    assert_eq!(x(&read("STEP", &values)), [0.0, 0.0, 1.0, 1.0, 3.0]);
    // Tangents of 10 a second on either side of each key: in the middle of a span of h seconds h (10 - 10) / 8 = 0
    // more.
    let key = |value: f32| [10., 0., 0., value, 0., 0., 10., 0., 0.];
    let spline = [key(0.0), key(1.0), key(3.0)].concat();
    assert_eq!(x(&read("CUBICSPLINE", &spline)), [0.0, 0.5, 1.0, 2.0, 3.0]);
    // Leaving at 40 a second, arriving at 0: the middle is 1/2 + 40 h / 8 = 1.
    let key = |value: f32| [0., 0., 0., value, 0., 0., 40., 0., 0.];
    let spline = [key(0.0), key(1.0), key(3.0)].concat();
    assert_eq!(x(&read("CUBICSPLINE", &spline)), [0.0, 1.0, 1.0, 2.5, 3.0]);
}

#[test]
fn channels_of_different_spans_hold_their_ends() {
    let nodes = json!([{ "children": [1] }, {}]);
    let builder = Builder::new(nodes, &[0, 1])
        .channel(0, "translation", "LINEAR", &[0.0, 0.1, 0.2, 0.3], &[0., 0., 0., 1., 0., 0., 2., 0., 0., 3., 0., 0.])
        .channel(1, "rotation", "LINEAR", &[0.1, 0.2], &[0., 0., 0., 1., 0., 0., HF, HF]);
    let document = builder.read();
    assert_eq!(document.frame_rate, Some(10.0));
    let turns: Vec<f64> =
        document.poses.iter().map(|pose| pose.local[1].rotation.angle_between(Quat::IDENTITY)).collect();
    for (found, expected) in turns.iter().zip([0.0, 0.0, 0.5, 0.5]) {
        assert!((found - expected * std::f64::consts::PI).abs() < 1e-6, "{turns:?}");
    }
}

#[test]
fn unusual_files_are_reported_by_their_codes() {
    let nodes = json!([{ "children": [1] }, { "rotation": [0, 0, 0, 3] }]);
    let still = [0., 0., 0., 0., 0., 0.];
    let base = || Builder::new(nodes.clone(), &[0, 1]);
    let plain = || Builder::new(json!([{}]), &[0]);
    assert_eq!(codes(&base().read()), ["quat_normalized"]);
    let odd_times = [0.0, 0.123_456, 0.2, 0.234_567];
    let values = [0.0; 12];
    assert_eq!(codes(&plain().channel(0, "translation", "LINEAR", &odd_times, &values).read()), ["keys_resampled"]);
    let twice = plain().channel(0, "translation", "LINEAR", &[0., 1.], &still).channel(
        0,
        "translation",
        "LINEAR",
        &[0., 1.],
        &still,
    );
    assert_eq!(codes(&twice.read()), ["channel_repeated"]);
    // Only something that is no joint moves.
    let elsewhere = Builder::new(json!([{}, {}]), &[0]).channel(1, "translation", "LINEAR", &[0., 1.], &still);
    let document = elsewhere.read();
    assert_eq!((codes(&document), document.poses.len()), (vec!["no_motion"], 0));
}

#[test]
fn broken_values_are_refused_by_kind() {
    let check = |json: &Value, kind: ErrorKind| {
        let error = read_json(json, &GltfOptions::default()).expect_err("refused");
        assert_eq!(error.kind, kind, "{error}");
    };
    let build = |path: &str, times: &[f32], values: &[f32]| {
        Builder::new(json!([{}]), &[0]).channel(0, path, "LINEAR", times, values).json()
    };
    check(&build("translation", &[0.0], &[f32::NAN, 0., 0.]), ErrorKind::Nonfinite);
    check(&build("scale", &[0.0], &[f32::INFINITY, 0., 0.]), ErrorKind::Nonfinite);
    check(&build("translation", &[0.0], &[1e20, 0., 0.]), ErrorKind::OutOfRange);
    check(&build("rotation", &[0.0], &[0.; 4]), ErrorKind::Quaternion);
    check(&build("rotation", &[0.0], &[f32::NAN; 4]), ErrorKind::Quaternion);
    check(&build("translation", &[f32::NAN], &[0.; 3]), ErrorKind::Times);
    check(&build("translation", &[-0.5], &[0.; 3]), ErrorKind::Times);
    check(&build("translation", &[0.5, 0.5], &[0.; 6]), ErrorKind::Times);
    check(&build("translation", &[], &[]), ErrorKind::Times);
    check(&build("translation", &[0.5, 0.6], &[0.; 3]), ErrorKind::SamplerCount);
    check(&Builder::new(json!([{ "rotation": [0, 0, 0, 0] }]), &[0]).json(), ErrorKind::Quaternion);
    check(&Builder::new(json!([{ "translation": [1e300, 0, 0] }]), &[0]).json(), ErrorKind::OutOfRange);
    check(&Builder::new(json!([{ "translation": [1, 0] }]), &[0]).json(), ErrorKind::Json);
    check(&Builder::new(json!([]), &[]).json(), ErrorKind::NoJoints);
    let mut json = Builder::new(json!([{}]), &[0]).json();
    json["asset"]["version"] = json!("1.0");
    check(&json, ErrorKind::Version);
    json["asset"]["version"] = json!("2.1");
    json["extensionsRequired"] = json!(["KHR_materials_unlit"]);
    assert!(read_json(&json, &GltfOptions::default()).is_ok());
    json["extensionsRequired"] = json!(["EXT_meshopt_compression"]);
    check(&json, ErrorKind::Extension);
}

#[test]
fn options_choose_the_animation_and_the_rate() {
    let mut json = Builder::new(json!([{}]), &[0]).channel(0, "translation", "LINEAR", &[0., 1.], &[0.; 6]).json();
    let first = json["animations"][0].clone();
    json["animations"] = json!([first, first]);
    json["animations"][1]["name"] = json!("second");
    let read =
        |animation: Option<AnimationChoice>, frame_rate| read_json(&json, &GltfOptions { animation, frame_rate });
    let name = |name: &str| Some(AnimationChoice::Name(name.into()));
    let document = read(None, None).expect("readable");
    assert_eq!(
        (document.name.as_deref(), &document.animations[..]),
        (None, &["animation0".to_string(), "second".into()][..])
    );
    assert_eq!(read(name("second"), None).expect("readable").name.as_deref(), Some("second"));
    assert!(read(name("animation0"), None).is_ok());
    for missing in [name("third"), Some(AnimationChoice::Index(2))] {
        assert_eq!(read(missing, None).expect_err("none").kind, ErrorKind::NoAnimation);
    }
    assert_eq!(read(None, Some(7.0)).expect("readable").poses.len(), 8);
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e6] {
        assert_eq!(read(None, Some(rate)).expect_err("no rate").kind, ErrorKind::OutOfRange);
    }
}

#[test]
fn foreign_or_unfit_notes_do_no_harm() {
    let mut json = Builder::new(json!([{}]), &[0]).channel(0, "translation", "LINEAR", &[0., 0.5, 1.], &[0.; 9]).json();
    let range = |end: usize| json!({ "heel": [[0, end]], "ball": [] });
    let none = json!({ "heel": [], "ball": [] });
    let positions = json!({ "left": { "heel": [[0, 0, 0]], "ball": [] }, "right": none });
    let notes = |end: usize, frames: usize| {
        let contacts = json!({ "contacts": 1, "frames": frames, "left": range(end), "right": none });
        json!({ "surefoot": { "frame_rate": 2, "contacts": contacts, "positions": positions } })
    };
    let mut read = |extras: Value| {
        json["animations"][0]["extras"] = extras;
        let document = read_json(&json, &GltfOptions::default()).expect("readable");
        (document.contacts.is_some(), codes(&document), document.frame_rate)
    };
    assert_eq!(read(notes(3, 3)), (true, vec![], Some(2.0)));
    assert_eq!(read(notes(4, 3)), (false, vec!["contacts_ignored"], Some(2.0)));
    assert_eq!(read(notes(3, 4)), (false, vec!["contacts_ignored"], Some(2.0)));
    for foreign in [
        json!(5),
        json!("x"),
        json!(null),
        json!([1]),
        json!({ "surefoot": 1 }),
        json!({ "surefoot": { "frame_rate": -1 } }),
    ] {
        assert_eq!(read(foreign), (false, vec![], Some(24.0)));
    }
}

#[test]
fn buffers_beside_the_file_are_asked_for_by_their_decoded_name() {
    let mut json = Builder::new(json!([{}]), &[0]).channel(0, "translation", "LINEAR", &[0., 1.], &[1.; 6]).json();
    json["buffers"][0]["uri"] = json!("a%20b.bin");
    let mut asked = Vec::new();
    let mut bytes: Vec<u8> = [0.0f32, 1.0].iter().flat_map(|number| number.to_le_bytes()).collect();
    bytes.resize(32, 0);
    let file = read_gltf(
        json.to_string().as_bytes(),
        &mut |uri| {
            asked.push(uri.to_string());
            Ok(bytes.clone())
        },
        &GltfOptions::default(),
    );
    assert_eq!(file.expect("readable").n_keys, 2);
    assert_eq!(asked, ["a b.bin"]);
    let gone = read_json(&json, &GltfOptions::default()).expect_err("no file");
    assert_eq!(gone.kind, ErrorKind::Io);
}
