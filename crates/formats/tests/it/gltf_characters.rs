//! A motion added to a character: every byte that was in the file is in it still, and the motion is where it was asked for.

use serde_json::{Value, json};
use std::f64::consts::FRAC_1_SQRT_2;
use std::path::{Path, PathBuf};
use surefoot_formats::gltf::{
    AddAnimationError, AddOptions, Container, GltfCharacter, GltfOptions, add_animation, read_gltf_file,
};
use surefoot_formats::own::Playback;
use surefoot_formats::{AnimationChoice, Assumed, Import, import};
use surefoot_geom::{Axis, Quat, Random, Vec3};
use surefoot_motion::{Clip, Poses, WorldPose};
use surefoot_recordings::shared_folder;

/// A joint may be off by this, in metres: motion is `f32`, and turns add up along a chain.
const TOLERANCE: f64 = 2e-5;

/// A rig as the usual services give it: an armature of centimetres that stands on its back, a root or none, names with a
/// prefix, two skins on one skeleton, a mesh, a texture, a camera, an unknown extension, extras and an animation.
fn rig(folder: &Path) -> PathBuf {
    let names = ["Hips", "Spine", "Head", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase", "RightUpLeg", "RightLeg"];
    let names = names.into_iter().chain(["RightFoot", "RightToeBase"]);
    let parents = [None, Some(0), Some(1), Some(0), Some(3), Some(4), Some(5), Some(0), Some(7), Some(8), Some(9)];
    let places = [
        [0.0, 0.0, -100.0],
        [0.0, 0.0, -20.0],
        [0.0, 0.0, -40.0],
        [10.0, 0.0, 5.0],
        [0.0, -2.0, 45.0],
        [0.0, 2.0, 42.0],
        [0.0, 15.0, 6.0],
        [-10.0, 0.0, 5.0],
        [0.0, -2.0, 45.0],
        [0.0, 2.0, 42.0],
        [0.0, 15.0, 6.0],
    ];
    let mut nodes = vec![
        json!({ "name": "Armature", "rotation": [FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2],
                "scale": [0.01, 0.01, 0.01], "children": [2] }),
        json!({ "name": "Camera", "camera": 0, "translation": [0, 1, 3] }),
    ];
    for (i, name) in names.enumerate() {
        let children: Vec<usize> =
            (0..parents.len()).filter(|&child| parents[child] == Some(i)).map(|c| c + 2).collect();
        let mut node = json!({ "name": format!("mixamorig:{name}"), "translation": places[i] });
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        nodes.push(node);
    }
    let joints: Vec<usize> = (2..13).collect();
    nodes.push(json!({ "name": "Body", "mesh": 0, "skin": 0 }));
    nodes.push(json!({ "name": "Coat", "mesh": 0, "skin": 1 }));
    let mut bin: Vec<u8> = Vec::new();
    let mut views = Vec::new();
    let mut view = |bytes: Vec<u8>| {
        bin.resize(bin.len().next_multiple_of(4), 0);
        views.push(json!({ "buffer": 0, "byteOffset": bin.len(), "byteLength": bytes.len() }));
        bin.extend(bytes);
        views.len() - 1
    };
    let floats = |numbers: &[f32]| -> Vec<u8> { numbers.iter().flat_map(|n| n.to_le_bytes()).collect() };
    let identity = surefoot_geom::Mat4::IDENTITY.as_mat4().to_cols_array();
    let matrices = view(floats(&identity.repeat(11)));
    let positions = view(floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]));
    let vertex_joints = view(vec![0; 12]);
    let weights = view(floats(&[1.0, 0.0, 0.0, 0.0].repeat(3)));
    let times = view(floats(&[0.0, 0.5]));
    let turns = view(floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8]));
    // The smallest picture there is, of an odd number of bytes.
    let png = base64::Engine::decode(
        &base64::engine::general_purpose::STANDARD,
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    );
    let image = view(png.expect("a picture"));
    let accessor = |view: usize, component: u32, count: usize, shape: &str| json!({ "bufferView": view, "componentType": component, "count": count, "type": shape });
    let mut accessors = vec![
        accessor(matrices, 5126, 11, "MAT4"),
        accessor(positions, 5126, 3, "VEC3"),
        accessor(vertex_joints, 5121, 3, "VEC4"),
        accessor(weights, 5126, 3, "VEC4"),
        accessor(times, 5126, 2, "SCALAR"),
        accessor(turns, 5126, 2, "VEC4"),
    ];
    accessors[1]["min"] = json!([0, 0, 0]);
    accessors[1]["max"] = json!([1, 1, 0]);
    accessors[4]["min"] = json!([0]);
    accessors[4]["max"] = json!([0.5]);
    let root = json!({
        "asset": { "version": "2.0", "generator": "a test", "copyright": "nobody" },
        "extensionsUsed": ["EXT_of_nobody"],
        "extensions": { "EXT_of_nobody": { "z": 1, "a": [1.50, 2e3] } },
        "extras": { "order": "kept" },
        "scene": 0,
        "scenes": [{ "nodes": [0, 1, 13, 14] }],
        "nodes": nodes,
        "cameras": [{ "type": "perspective", "perspective": { "yfov": 0.7, "znear": 0.1 } }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 1, "JOINTS_0": 2, "WEIGHTS_0": 3 }, "material": 0 }] }],
        "materials": [{ "pbrMetallicRoughness": { "baseColorFactor": [1, 0, 0, 1] }, "emissiveTexture": { "index": 0 } }],
        "textures": [{ "source": 0 }],
        "images": [{ "bufferView": image, "mimeType": "image/png" }],
        "skins": [{ "joints": joints, "inverseBindMatrices": 0, "skeleton": 2 }, { "joints": joints, "inverseBindMatrices": 0 }],
        "animations": [{ "name": "idle", "channels": [{ "sampler": 0, "target": { "node": 3, "path": "rotation" } }],
                         "samplers": [{ "input": 4, "output": 5 }] }],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{ "byteLength": bin.len() }],
    });
    let file = folder.join("rig.glb");
    std::fs::write(&file, glb(&root.to_string(), &bin)).expect("a file");
    file
}

fn glb(json: &str, bin: &[u8]) -> Vec<u8> {
    let chunk = |kind: &[u8], bytes: &[u8], pad: u8| {
        let mut bytes = bytes.to_vec();
        bytes.resize(bytes.len().next_multiple_of(4), pad);
        [&(bytes.len() as u32).to_le_bytes(), kind, &bytes[..]].concat()
    };
    let body = [chunk(b"JSON", json.as_bytes(), b' '), chunk(b"BIN\0", bin, 0)].concat();
    [b"glTF", &2u32.to_le_bytes()[..], &(12 + body.len() as u32).to_le_bytes(), &body].concat()
}

/// The JSON and the bytes of a file.
fn parts(file: &Path) -> (Value, Vec<u8>) {
    let bytes = std::fs::read(file).expect("a file");
    if !bytes.starts_with(b"glTF") {
        return (serde_json::from_slice(&bytes).expect("JSON"), Vec::new());
    }
    let n = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let bin = bytes.get(28 + n..).unwrap_or_default().to_vec();
    (serde_json::from_slice(&bytes[20..20 + n]).expect("JSON"), bin)
}

fn character(file: &Path) -> Import {
    let document = surefoot_formats::open(file, &Default::default()).expect("readable");
    import(document, &Default::default()).expect("importable")
}

/// Every joint turned at random, the roots on their way.
fn any_motion(character: &Import, seed: u64) -> Clip {
    let mut random = Random::new(seed);
    let skeleton = character.clip.skeleton.clone();
    let mut poses = Poses::repeat(&skeleton.rest_pose(), 25);
    let roots: Vec<_> = skeleton.roots().collect();
    for (frame, mut pose) in poses.iter_mut().enumerate() {
        for local in pose.local.iter_mut() {
            local.rotation *= Quat::from_scaled_axis(random.in_cube() * 0.4);
        }
        roots.iter().for_each(|&root| pose[root].translation += Vec3::new(0.0, 0.01, 0.05 * frame as f64));
    }
    Clip::new("new", skeleton, 30.0, poses)
}

fn options<'a>(assumed: &Assumed, name: &'a str, container: Container, folder: &'a Path) -> AddOptions<'a> {
    let (to_metre, up) = (assumed.unit.to_metre, assumed.up.rest);
    AddOptions { name, to_metre, up, container, folder: Some(folder), playback: Playback::default() }
}

fn farthest(clip: &Clip, file: &Path, name: &str, assumed: &Assumed) -> f64 {
    let choice = GltfOptions { animation: Some(AnimationChoice::Name(name.into())), frame_rate: None };
    let read = read_gltf_file(file, &choice).expect("readable").document;
    assert_eq!(read.poses.len(), clip.n_frames());
    let mut most = 0.0f64;
    for frame in 0..clip.n_frames() {
        let ours = clip.world_pose(frame);
        let theirs = WorldPose::new(&read.skeleton, read.poses.pose(frame));
        for joint in read.skeleton.ids() {
            let Some(own) = clip.skeleton.find(read.skeleton.name(joint)) else { continue };
            most = most.max(ours.position(own).distance(theirs.position(joint) * assumed.unit.to_metre));
        }
    }
    most
}

/// What was in one file is in the other, where it was; new things come behind.
fn assert_kept(before: &Path, after: &Path) {
    let ((old, old_bin), (new, new_bin)) = (parts(before), parts(after));
    for (key, value) in old.as_object().expect("an object") {
        match value.as_array().filter(|_| key != "scenes" && key != "extensionsUsed") {
            Some(list) if key == "buffers" => {
                assert_eq!(list.len(), new[key].as_array().expect("a list").len(), "{key}")
            }
            Some(list) => assert_eq!(new[key].as_array().map(|new| &new[..list.len()]), Some(&list[..]), "{key}"),
            None => assert_eq!(value, &new[key], "{key}"),
        }
    }
    let order = |value: &Value| value.as_object().map(|object| object.keys().cloned().collect::<Vec<_>>());
    assert_eq!(order(&old), order(&new).map(|keys| keys[..old.as_object().map_or(0, serde_json::Map::len)].to_vec()));
    assert!(new_bin.starts_with(&old_bin), "bytes of the chunk");
    let animations: Vec<String> = character(before).animations;
    for name in animations {
        let read = |file: &Path| {
            let choice = GltfOptions { animation: Some(AnimationChoice::Name(name.clone())), frame_rate: None };
            read_gltf_file(file, &choice).expect("readable").document
        };
        let (old, new) = (read(before), read(after));
        assert_eq!((old.poses, old.skeleton, old.frame_rate), (new.poses, new.skeleton, new.frame_rate), "{name}");
    }
}

fn write(folder: &Path, name: &str, added: &surefoot_formats::gltf::AddedAnimation) -> PathBuf {
    let file = folder.join(name);
    added.content.write_to_file(&mut std::fs::File::create(&file).expect("a file")).expect("written");
    assert_eq!(added.content.n_bytes(), std::fs::metadata(&file).expect("a file").len());
    file
}

fn check_character(file: &Path) {
    let folder = tempfile::tempdir().expect("a folder");
    let imported = character(file);
    let clip = any_motion(&imported, 3);
    let open = || GltfCharacter::open(file).expect("a character");
    let options = options(&imported.assumed, "new", Container::Glb, folder.path());
    let added = add_animation(&open(), &clip, (None, None), &options).expect("added");
    let out = write(folder.path(), "out.glb", &added);
    if file.extension().is_some_and(|ending| ending == "glb") {
        assert_kept(file, &out);
    }
    assert!(farthest(&clip, &out, "new", &imported.assumed) < TOLERANCE, "{}", file.display());
    // As text, in another folder: everything inside.
    let text = AddOptions { container: Container::Gltf, ..options.clone() };
    let added = add_animation(&open(), &clip, (None, None), &text).expect("added");
    let text = write(folder.path(), "out.gltf", &added);
    assert!(farthest(&clip, &text, "new", &imported.assumed) < TOLERANCE);
    let (json, _) = parts(&text);
    for object in ["buffers", "images"].into_iter().flat_map(|key| json[key].as_array().cloned().unwrap_or_default()) {
        assert!(object["uri"].as_str().is_none_or(|uri| uri.starts_with("data:")), "stands alone");
    }
    // Again under the same name: as large as before, and the second motion.
    let again = GltfCharacter::open(&out).expect("a character");
    let other = any_motion(&imported, 4);
    let added = add_animation(&again, &other, (None, None), &options).expect("added");
    assert!(added.notes.iter().any(|note| note.contains("replaced")), "{:?}", added.notes);
    let twice = write(folder.path(), "twice.glb", &added);
    let sizes = [&out, &twice].map(|file| std::fs::metadata(file).expect("a file").len());
    assert!(sizes[0].abs_diff(sizes[1]) < 64, "{sizes:?}");
    assert!(farthest(&other, &twice, "new", &imported.assumed) < TOLERANCE);
    if file.extension().is_some_and(|ending| ending == "glb") {
        assert_kept(file, &twice);
    }
}

#[test]
fn every_byte_of_a_rig_comes_back_with_one_animation_more() {
    let folder = tempfile::tempdir().expect("a folder");
    check_character(&rig(folder.path()));
}

#[test]
fn every_byte_of_characters_of_others_comes_back() {
    let Some(shared) = shared_folder() else { return };
    for name in
        ["CesiumMan.glb", "RiggedFigure.glb", "RobotExpressive.glb", "Fox.glb", "CesiumMan-separate/CesiumMan.gltf"]
    {
        check_character(&shared.join("mocap/gltf").join(name));
    }
}

#[test]
fn what_another_animation_moves_is_said_to_stand_still() {
    let Some(shared) = shared_folder() else { return };
    let file = shared.join("mocap/gltf/CesiumMan.glb");
    let folder = tempfile::tempdir().expect("a folder");
    let imported = character(&file);
    let options = options(&imported.assumed, "still", Container::Glb, folder.path());
    let still = imported.clip.with_poses(surefoot_motion::Poses::repeat(&imported.clip.skeleton.rest_pose(), 3));
    let added = add_animation(&GltfCharacter::open(&file).expect("a character"), &still, (None, None), &options);
    let (json, _) = parts(&write(folder.path(), "out.glb", &added.expect("added")));
    let moved = |animation: &Value| -> std::collections::BTreeSet<u64> {
        let channels = animation["channels"].as_array().expect("channels").iter();
        let moves = channels.filter(|channel| channel["target"]["path"] == "translation");
        moves.filter_map(|channel| channel["target"]["node"].as_u64()).collect()
    };
    let [old, new] = [0, 1].map(|index| moved(&json["animations"][index]));
    assert!(old.len() > 10 && new.is_superset(&old), "{old:?} {new:?}");
}

#[test]
fn a_root_is_added_above_the_hips_and_moves_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = rig(folder.path());
    let imported = character(&file);
    let body = imported.body.as_ref().expect("a body");
    let clip = any_motion(&imported, 5);
    let contacts = surefoot_contact::Contacts::none(clip.n_frames());
    let rooted = surefoot_contact::root_motion(&clip, body, &contacts, surefoot_contact::RootMotion::Ground, false);
    assert!(rooted.added_root);
    let options = options(&imported.assumed, "new", Container::Glb, folder.path());
    let character = GltfCharacter::open(&file).expect("a character");
    let added = add_animation(&character, &rooted.clip, (None, None), &options).expect("added");
    let out = write(folder.path(), "out.glb", &added);
    assert!(farthest(&rooted.clip, &out, "new", &imported.assumed) < TOLERANCE);
    let (json, _) = parts(&out);
    assert_eq!((&json["nodes"][0]["children"], &json["nodes"][15]["children"]), (&json!([15]), &json!([2])));
    assert_eq!((&json["skins"][0]["joints"][11], &json["skins"][0]["skeleton"]), (&json!(15), &json!(15)));
    let read = read_gltf_file(&out, &GltfOptions::default()).expect("readable").document;
    assert_eq!(read.skeleton.name(read.skeleton.roots().next().expect("a root")), "root");
    // The animation that was there moves what it moved.
    let choice = GltfOptions { animation: Some(AnimationChoice::Name("idle".into())), frame_rate: None };
    let [old, new] = [&file, &out].map(|file| read_gltf_file(file, &choice).expect("readable").document);
    let [old, new] =
        [&old, &new].map(|d| WorldPose::new(&d.skeleton, d.poses.last().expect("frames")).world().to_vec());
    let off =
        |a: &surefoot_geom::Transform| new.iter().map(|b| a.translation.distance(b.translation)).fold(1.0, f64::min);
    assert!(old.iter().map(off).fold(0.0, f64::max) < 1e-6);
}

#[test]
fn a_motion_of_another_skeleton_and_a_broken_skin_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = rig(folder.path());
    let imported = character(&file);
    let clip = any_motion(&imported, 6);
    let options = options(&imported.assumed, "new", Container::Glb, folder.path());
    let mut joints = clip.skeleton.joints().to_vec();
    joints[4].name = "LeftShin".into();
    let other = surefoot_motion::Skeleton::new(joints, Vec::new()).expect("a skeleton");
    let character = GltfCharacter::open(&file).expect("a character");
    let refused = add_animation(&character, &clip.clone().with_skeleton(other.into()), (None, None), &options);
    assert_eq!(refused.unwrap_err(), AddAnimationError::Joint { joint: "LeftShin".into() });

    let (mut json, bin) = parts(&file);
    json["accessors"][0]["count"] = json!(7);
    let broken = folder.path().join("broken.glb");
    std::fs::write(&broken, glb(&json.to_string(), &bin)).expect("a file");
    let character = GltfCharacter::open(&broken).expect("a character");
    let added = add_animation(&character, &clip, (None, None), &options).expect("added");
    assert!(added.notes[0].contains("skin 0 is broken: 7 bind matrices for 11 joints"), "{:?}", added.notes);
    // A bind matrix that is no number, and one that leaves nothing of the mesh.
    let (json, mut bin) = parts(&file);
    let view = &json["bufferViews"][json["accessors"][0]["bufferView"].as_u64().expect("a view") as usize];
    let fourth = view["byteOffset"].as_u64().unwrap_or(0) as usize + 3 * 64;
    for part in [f32::NAN.to_le_bytes(), 0.0f32.to_le_bytes()] {
        // The first column.
        (0..3).for_each(|row| bin[fourth + 4 * row..][..4].copy_from_slice(&part));
        std::fs::write(&broken, glb(&json.to_string(), &bin)).expect("a file");
        let character = GltfCharacter::open(&broken).expect("a character");
        let added = add_animation(&character, &clip, (None, None), &options).expect("added");
        assert!(added.notes[0].contains("the bind matrix of `mixamorig:LeftUpLeg` is not finite"), "{:?}", added.notes);
    }
    // Uneven scale above a joint: positions are kept by translations.
    let (mut json, bin) = parts(&file);
    json["nodes"][5]["scale"] = json!([1.0, 2.0, 1.0]);
    std::fs::write(&broken, glb(&json.to_string(), &bin)).expect("a file");
    let imported = self::character(&broken);
    let clip = any_motion(&imported, 7);
    let character = GltfCharacter::open(&broken).expect("a character");
    let uneven = self::options(&imported.assumed, "new", Container::Glb, folder.path());
    let added = add_animation(&character, &clip, (None, None), &uneven).expect("added");
    assert!(added.notes.is_empty(), "{:?}", added.notes);
    // A scale of nothing leaves no way back, and the distance is told.
    json["nodes"][5]["scale"] = json!([1.0, 0.0, 1.0]);
    std::fs::write(&broken, glb(&json.to_string(), &bin)).expect("a file");
    let character = GltfCharacter::open(&broken).expect("a character");
    let added = add_animation(&character, &clip, (None, None), &uneven).expect("added");
    assert!(added.notes.iter().any(|note| note.contains("scale unevenly")), "{:?}", added.notes);
    assert_eq!(imported.assumed.up.rest, Axis::Y);
}

#[test]
fn a_file_of_more_than_two_gigabytes_is_refused_by_its_header() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("huge.glb");
    let out = std::fs::File::create(&file).expect("a file");
    out.set_len(2 << 30).expect("a hole");
    drop(out);
    let mut head = std::fs::File::options().write(true).open(&file).expect("a file");
    std::io::Write::write_all(&mut head, &[b"glTF", &2u32.to_le_bytes()[..], &(2u32 << 30).to_le_bytes()].concat())
        .unwrap();
    let error = GltfCharacter::open(&file).unwrap_err();
    assert!(error.message.contains("2.00 GiB"), "{error}");
    let error = surefoot_formats::read_bytes(&file).unwrap_err();
    assert!(error.message.contains("2.00 GiB"), "{error}");
}

#[test]
fn joints_given_as_matrices_are_written_as_parts_that_can_be_animated() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = rig(folder.path());
    let (mut json, bin) = parts(&file);
    for node in 2..13 {
        let place = json["nodes"][node]["translation"].clone();
        let matrix = json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, place[0], place[1], place[2], 1]);
        let fields = json["nodes"][node].as_object_mut().expect("a node");
        fields.remove("translation");
        fields.insert("matrix".into(), matrix);
    }
    let given = folder.path().join("matrices.glb");
    std::fs::write(&given, glb(&json.to_string(), &bin)).expect("a file");
    let imported = character(&given);
    let clip = any_motion(&imported, 8);
    let options = options(&imported.assumed, "new", Container::Glb, folder.path());
    let opened = GltfCharacter::open(&given).expect("a character");
    let added = add_animation(&opened, &clip, (None, None), &options).expect("added");
    assert!(added.notes.iter().any(|note| note.contains("11 joints are given as matrices")), "{:?}", added.notes);
    let out = write(folder.path(), "out.glb", &added);
    let (written, _) = parts(&out);
    for node in 2..13 {
        let fields = &written["nodes"][node];
        assert!(fields["matrix"].is_null() && fields["rotation"].is_array(), "{fields}");
        assert_eq!(
            (&fields["name"], &fields["children"]),
            (&json["nodes"][node]["name"], &json["nodes"][node]["children"])
        );
    }
    assert!(farthest(&clip, &out, "new", &imported.assumed) < TOLERANCE);
}
