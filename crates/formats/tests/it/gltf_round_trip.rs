//! What is written as glTF comes back: names, end sites, frame rate, contacts, and every joint within 0.1 mm.

use crate::gltf_cases::{Shape, assert_same_motion, random_clip, read, some_contacts};
use base64::Engine;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use surefoot_formats::bvh::{self, BvhOptions};
use surefoot_formats::gltf::{BodyMesh, Container, GltfOptions, GltfWriteError, GltfWriteOptions, write_gltf};
use surefoot_geom::{Mat4, Quat, Vec3};
use surefoot_motion::{Capsule, Clip, Poses, Skeleton, WorldPose, scale_lengths};
use surefoot_recordings::{manifest, shared_folder};

const SHAPE: Shape = Shape { n_joints: 25, n_roots: 1, n_end_sites: 5, n_frames: 40, frame_rate: 120.0 };

fn all_options() -> [GltfWriteOptions; 4] {
    let [with, without] = [BodyMesh::With, BodyMesh::Without];
    let [glb, gltf] = [Container::Glb, Container::Gltf];
    [(glb, with), (glb, without), (gltf, with), (gltf, without)].map(|(container, body_mesh)| GltfWriteOptions {
        container,
        body_mesh,
        ..GltfWriteOptions::default()
    })
}

fn check(clip: &Clip) {
    let contacts = (clip.n_frames() > 1).then(|| some_contacts(clip.n_frames()));
    for options in all_options() {
        let bytes = write_gltf(clip, None, contacts.as_ref(), &options).expect("writable");
        let file = read(&bytes, &GltfOptions::default()).expect("readable");
        assert_same_motion(clip, &file.document);
        assert_eq!(file.document.contacts, contacts);
        assert!(file.document.warnings.is_empty(), "{:?}", file.document.warnings);
        assert_eq!(file.n_animations, usize::from(clip.n_frames() > 0));
    }
}

#[test]
fn random_skeletons_of_every_shape_come_back() {
    for seed in 0..20 {
        check(&random_clip(seed, SHAPE));
        check(&random_clip(seed, Shape { n_roots: 3, ..SHAPE }));
    }
    for n_frames in [0, 1, 2, 3] {
        check(&random_clip(100, Shape { n_frames, ..SHAPE }));
    }
    check(&random_clip(200, Shape { n_joints: 1, n_end_sites: 0, ..SHAPE }));
    check(&random_clip(201, Shape { n_joints: 1, ..SHAPE }));
    check(&random_clip(202, Shape { n_joints: 240, n_frames: 5, ..SHAPE }));
    check(&random_clip(203, Shape { n_joints: 700, n_end_sites: 100, n_frames: 5, ..SHAPE }));
}

#[test]
fn every_frame_rate_comes_back_exactly() {
    for frame_rate in
        [0.5, 1.0, 12.5, 24.0, 24_000.0 / 1001.0, 30.0, 59.94, 60.0, 100.0 / 3.0, 120.0, 1.0 / 0.0083333, 2000.0]
    {
        check(&random_clip(7, Shape { n_joints: 2, n_frames: 2, frame_rate, ..SHAPE }));
        check(&random_clip(8, Shape { n_joints: 2, n_frames: 700, frame_rate, ..SHAPE }));
    }
}

#[test]
fn long_clips_keep_their_frames_though_times_are_rounded() {
    check(&random_clip(9, Shape { n_joints: 2, n_frames: 200_000, frame_rate: 120.0, ..SHAPE }));
}

#[test]
fn a_clip_that_stands_still_keeps_its_frames() {
    let mut clip = random_clip(3, SHAPE);
    let rest = clip.skeleton.rest_pose();
    clip.poses_mut().fill(&rest);
    check(&clip);
}

#[test]
fn what_cannot_be_written_is_refused_by_name() {
    let options = GltfWriteOptions::default();
    let clip = random_clip(1, SHAPE);
    let refuse = |clip: &Clip| write_gltf(clip, None, None, &options).expect_err("refused");
    let mut broken = clip.clone();
    broken.pose_mut(3).local[2].translation = Vec3::new(f64::NAN, 0.0, 0.0);
    assert!(refuse(&broken).to_string().contains("frame 3"));
    broken.pose_mut(3).local[2].translation = Vec3::splat(1e60);
    assert!(matches!(refuse(&broken), GltfWriteError::NotFinite { .. }));
    let mut broken = clip.clone();
    broken.pose_mut(0).local[0].rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    assert!(matches!(refuse(&broken), GltfWriteError::NotFinite { .. }));
    let mut broken = clip.clone();
    let more = clip.skeleton.joints().iter().chain(clip.skeleton.joints().last()).cloned().collect();
    broken.skeleton = Arc::new(Skeleton::new(more, vec![]).expect("a skeleton"));
    assert_eq!(refuse(&broken), GltfWriteError::PoseSize { frame: 0, found: 25, expected: 26 });
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let broken = clip.clone().with_frame_rate(rate);
        assert!(matches!(refuse(&broken), GltfWriteError::FrameRate { .. }));
    }
    let empty = Arc::new(Skeleton::new(vec![], vec![]).expect("a skeleton"));
    let broken = Clip::new(clip.name.clone(), empty, clip.frame_rate, Poses::default());
    assert_eq!(refuse(&broken), GltfWriteError::NoJoints);
    let error = write_gltf(&clip, None, Some(&some_contacts(39)), &options).expect_err("refused");
    assert_eq!(error, GltfWriteError::ContactFrames { contacts: 39, clip: 40 });
}

/// The numbers of an accessor of `f32` in a text file of ours.
fn floats(file: &Value, accessor: &Value) -> Vec<f32> {
    let accessor = &file["accessors"][accessor.as_u64().expect("an index") as usize];
    let view = &file["bufferViews"][accessor["bufferView"].as_u64().expect("an index") as usize];
    let uri = file["buffers"][0]["uri"].as_str().expect("a URI");
    let data = uri.split_once(',').expect("data").1;
    let bytes = base64::engine::general_purpose::STANDARD.decode(data).expect("base64");
    let [start, length] = ["byteOffset", "byteLength"].map(|field| view[field].as_u64().expect("a number") as usize);
    bytes[start..][..length].chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

#[test]
fn the_skin_leaves_the_body_where_it_is_at_rest() {
    let clip = random_clip(5, SHAPE);
    let options = GltfWriteOptions { container: Container::Gltf, ..GltfWriteOptions::default() };
    let bytes = write_gltf(&clip, None, None, &options).expect("writable");
    let file: Value = serde_json::from_slice(&bytes).expect("JSON");
    assert_eq!(file["asset"]["generator"], "Surefoot");
    let skin = &file["skins"][0];
    assert_eq!(skin["joints"].as_array().map(Vec::len), Some(SHAPE.n_joints));
    let matrices = floats(&file, &skin["inverseBindMatrices"]);
    let rest = WorldPose::new(&clip.skeleton, &clip.skeleton.rest_pose());
    for (matrix, world) in matrices.chunks_exact(16).zip(rest.world()) {
        let matrix: [f64; 16] = std::array::from_fn(|i| f64::from(matrix[i]));
        let product = world.to_mat4() * Mat4::from_cols_array(&matrix);
        assert!(product.abs_diff_eq(Mat4::IDENTITY, 1e-5), "{product}");
    }
    // Every vertex lies on a capsule, as the capsule lies in the rest pose.
    let capsules = surefoot_motion::figure(&clip.skeleton, None);
    let outside = |point: Vec3| {
        let distance = |capsule: &Capsule| {
            let [a, b] = [capsule.start, capsule.end].map(|end| rest[capsule.joint].transform_point(end));
            let along = ((point - a).dot(b - a) / (b - a).length_squared().max(1e-12)).clamp(0.0, 1.0);
            point.distance(a.lerp(b, along)) - capsule.start_radius.max(capsule.end_radius)
        };
        capsules.iter().map(distance).fold(f64::MAX, f64::min)
    };
    let mut n_vertices = 0;
    for primitive in file["meshes"][0]["primitives"].as_array().expect("primitives") {
        for position in floats(&file, &primitive["attributes"]["POSITION"]).chunks_exact(3) {
            let point = Vec3::new(position[0].into(), position[1].into(), position[2].into());
            assert!(outside(point) < 1e-5, "{point} is on no capsule");
            n_vertices += 1;
        }
    }
    assert!(n_vertices > 20 * capsules.len(), "{n_vertices} vertices");
}

#[test]
fn rotations_are_written_for_all_joints_without_a_jump_of_sign_and_translations_for_those_that_move() {
    let mut clip = random_clip(6, Shape { n_frames: 200, n_joints: 4, ..SHAPE });
    let rest = clip.skeleton.rest_pose();
    for (frame, mut pose) in clip.poses_mut().iter_mut().enumerate() {
        pose.copy_from(&rest);
        let sign = if frame % 3 == 0 { -1.0 } else { 1.0 };
        pose.local[1].rotation = Quat::from_rotation_x(0.05 * frame as f64) * sign;
        pose.local[3].translation.x += 0.001 * frame as f64;
    }
    let options = GltfWriteOptions { container: Container::Gltf, ..GltfWriteOptions::default() };
    let bytes = write_gltf(&clip, None, None, &options).expect("writable");
    let file: Value = serde_json::from_slice(&bytes).expect("JSON");
    let animation = &file["animations"][0];
    let driven = |path: &str| -> Vec<u64> {
        let channels = animation["channels"].as_array().expect("channels").iter();
        channels.filter(|c| c["target"]["path"] == path).filter_map(|c| c["target"]["node"].as_u64()).collect()
    };
    assert_eq!(driven("rotation"), [0, 1, 2, 3]);
    assert_eq!(driven("translation"), [0, 3]);
    // All rotations share one view, joint after joint.
    let rotations = floats(&file, &animation["samplers"][0]["output"]);
    let quats: Vec<Quat> =
        rotations.chunks_exact(4).map(|q| Quat::from_array([0, 1, 2, 3].map(|i| q[i].into()))).collect();
    for joint in quats.chunks_exact(200) {
        assert!(joint.windows(2).all(|pair| pair[0].dot(pair[1]) > 0.99));
    }
}

/// A recording as a clip in metres.
fn load_bvh(path: &Path, unit_to_metre: f64) -> Clip {
    let bytes = std::fs::read(path).expect("the recording");
    let mut document = bvh::read_bvh(&bytes).expect("readable").into_document();
    let skeleton = scale_lengths(&document.skeleton, &mut document.poses, unit_to_metre);
    let frame_rate = document.frame_rate.expect("a rate");
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    Clip::new(name, Arc::new(skeleton), frame_rate, document.poses)
}

#[test]
fn recordings_come_back_within_a_tenth_of_a_millimetre_and_keep_their_end_sites() {
    let Some(shared) = shared_folder() else { return };
    let folder = shared.join("mocap");
    let (mut n_files, mut n_frames, mut largest) = (0, 0, 0.0f64);
    for row in manifest(&folder) {
        let is_bvh = row["file"].ends_with(".bvh");
        let (true, Ok(unit)) = (is_bvh, row["unit_to_metre"].parse::<f64>()) else { continue };
        let clip = load_bvh(&folder.join(&row["file"]), unit);
        let bytes = write_gltf(&clip, None, None, &GltfWriteOptions::default()).expect("writable");
        let document = read(&bytes, &GltfOptions::default()).expect("readable").document;
        largest = largest.max(assert_same_motion(&clip, &document));
        n_frames += clip.n_frames();
        n_files += 1;
        if n_files % 20 == 1 {
            check_bvh_again(&clip, document);
        }
    }
    println!("{n_files} recordings, {n_frames} frames: the joint that moved most moved by {:.4} mm", 1e3 * largest);
    assert!(n_files > 100);
}

/// BVH to glTF to BVH: the text's hierarchy is the same, but for channels of translations that moved by nanometres.
fn check_bvh_again(clip: &Clip, document: surefoot_formats::Document) {
    let hierarchy = |clip: &Clip| -> Vec<String> {
        let text = String::from_utf8(bvh::write_bvh(clip, &BvhOptions::default()).bytes).expect("text");
        let lines = text.lines().take_while(|line| *line != "MOTION");
        lines.filter(|line| !line.contains("CHANNELS")).map(str::to_string).collect()
    };
    let again = Clip::new(clip.name.clone(), Arc::new(document.skeleton), clip.frame_rate, document.poses);
    assert_eq!(hierarchy(clip), hierarchy(&again));
}
