//! What is written as glTF comes back: names, end sites, frame rate, contacts, and every joint within 0.1 mm.

mod gltf_cases;

use gltf_cases::{Shape, assert_same_motion, largest_distance, random_clip, read, some_contacts};
use std::path::Path;
use std::sync::Arc;
use surefoot_formats::bvh::{self, BvhOptions};
use surefoot_formats::gltf::{BodyMesh, Container, GltfOptions, GltfWriteError, GltfWriteOptions, write_gltf};
use surefoot_geom::{Quat, Vec3};
use surefoot_motion::{Clip, Pose, Skeleton};

const SHAPE: Shape = Shape { n_joints: 25, n_roots: 1, n_end_sites: 5, n_frames: 40, frame_rate: 120.0 };

fn all_options() -> [GltfWriteOptions; 4] {
    let [with, without] = [BodyMesh::With, BodyMesh::Without];
    let [glb, gltf] = [Container::Glb, Container::Gltf];
    [(glb, with), (glb, without), (gltf, with), (gltf, without)]
        .map(|(container, body_mesh)| GltfWriteOptions { container, body_mesh })
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
    clip.poses.fill(rest);
    check(&clip);
}

#[test]
fn what_cannot_be_written_is_refused_by_name() {
    let options = GltfWriteOptions::default();
    let clip = random_clip(1, SHAPE);
    let refuse = |clip: &Clip| write_gltf(clip, None, None, &options).err().expect("refused");
    let mut broken = clip.clone();
    broken.poses[3].local[2].translation = Vec3::new(f64::NAN, 0.0, 0.0);
    assert!(refuse(&broken).to_string().contains("frame 3"));
    broken.poses[3].local[2].translation = Vec3::splat(1e60);
    assert!(matches!(refuse(&broken), GltfWriteError::NotFinite { .. }));
    let mut broken = clip.clone();
    broken.poses[0].local[0].rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    assert!(matches!(refuse(&broken), GltfWriteError::NotFinite { .. }));
    let mut broken = clip.clone();
    broken.poses[1].local.pop();
    assert_eq!(refuse(&broken), GltfWriteError::PoseSize { frame: 1, found: 24, expected: 25 });
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let broken = Clip { frame_rate: rate, ..clip.clone() };
        assert!(matches!(refuse(&broken), GltfWriteError::FrameRate { .. }));
    }
    let empty = Arc::new(Skeleton::new(vec![], vec![]).expect("a skeleton"));
    let broken = Clip { skeleton: empty, poses: vec![], ..clip.clone() };
    assert_eq!(refuse(&broken), GltfWriteError::NoJoints);
    let error = write_gltf(&clip, None, Some(&some_contacts(39)), &options).err().expect("refused");
    assert_eq!(error, GltfWriteError::ContactFrames { contacts: 39, clip: 40 });
}

/// A recording as a clip in metres.
fn load_bvh(path: &Path, unit_to_metre: f64) -> Clip {
    let bytes = std::fs::read(path).expect("the recording");
    let document = bvh::read_bvh(&bytes).expect("readable").into_document();
    let mut joints = document.skeleton.joints().to_vec();
    joints.iter_mut().for_each(|joint| joint.rest.translation *= unit_to_metre);
    let mut end_sites = document.skeleton.end_sites().to_vec();
    end_sites.iter_mut().for_each(|site| site.offset *= unit_to_metre);
    let skeleton = Skeleton::new(joints, end_sites).expect("parents first");
    let mut poses: Vec<Pose> = document.poses;
    poses.iter_mut().flat_map(|pose| &mut pose.local).for_each(|local| local.translation *= unit_to_metre);
    let frame_rate = document.frame_rate.expect("a rate");
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    Clip { name, skeleton: Arc::new(skeleton), frame_rate, poses }
}

#[test]
fn recordings_come_back_within_a_tenth_of_a_millimetre_and_keep_their_end_sites() {
    let Some(shared) = std::env::var_os("SUREFOOT_SHARED") else {
        println!("skipped: SUREFOOT_SHARED is not set");
        return;
    };
    let folder = Path::new(&shared).join("mocap");
    let mut reader = csv::Reader::from_path(folder.join("MANIFEST.csv")).expect("the manifest");
    let (mut n_files, mut n_frames, mut largest) = (0, 0, 0.0f64);
    for row in reader.deserialize::<std::collections::HashMap<String, String>>() {
        let row = row.expect("a row");
        let is_bvh = row["file"].ends_with(".bvh");
        let (true, Ok(unit)) = (is_bvh, row["unit_to_metre"].parse::<f64>()) else { continue };
        let clip = load_bvh(&folder.join(&row["file"]), unit);
        let bytes = write_gltf(&clip, None, None, &GltfWriteOptions::default()).expect("writable");
        let document = read(&bytes, &GltfOptions::default()).expect("readable").document;
        assert_same_motion(&clip, &document);
        let skeletons = [&*clip.skeleton, &document.skeleton];
        largest = largest.max(largest_distance(skeletons, [&clip.poses, &document.poses]));
        n_frames += clip.n_frames();
        n_files += 1;
        if n_files % 20 == 1 {
            check_bvh_again(&clip, document);
        }
    }
    println!("{n_files} recordings, {n_frames} frames: the joint that moved most moved by {:.4} mm", 1e3 * largest);
    assert!(n_files > 100);
}

/// BVH to glTF to BVH: the text's hierarchy is the same.
fn check_bvh_again(clip: &Clip, document: surefoot_formats::Document) {
    let hierarchy = |clip: &Clip| {
        let text = String::from_utf8(bvh::write_bvh(clip, &BvhOptions::default()).bytes).expect("text");
        text.split("MOTION").next().expect("a hierarchy").to_string()
    };
    let again = Clip {
        name: clip.name.clone(),
        skeleton: Arc::new(document.skeleton),
        frame_rate: clip.frame_rate,
        poses: document.poses,
    };
    assert_eq!(hierarchy(clip), hierarchy(&again));
}
