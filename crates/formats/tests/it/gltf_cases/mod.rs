//! Clips made by a seeded generator, and the comparison that a round trip must pass.

// Each test program uses its own part of this module.
#![allow(dead_code)]

use std::sync::Arc;
use surefoot_contact::{Contacts, FootPart, Plant};
use surefoot_formats::Document;
use surefoot_formats::gltf::{GltfFile, GltfOptions, read_gltf};
use surefoot_formats::{ErrorKind, ReadError};
use surefoot_geom::{Quat, Random, Transform, Vec3};
use surefoot_motion::{Clip, EndSite, Joint, JointId, PerSide, Pose, Poses, Skeleton};
use surefoot_recordings::largest_move;

/// What a round trip may move a joint by, in metres.
pub(crate) const TOLERANCE: f64 = 1e-4;

/// A file that must not ask for any other.
pub(crate) fn read(bytes: &[u8], options: &GltfOptions) -> Result<GltfFile, ReadError> {
    read_gltf(bytes, &mut |uri| Err(ReadError::new(ErrorKind::Io, format!("no file {uri} here"))), options)
}

fn random_rotation(random: &mut Random) -> Quat {
    let q = Quat::from_xyzw(random.signed(), random.signed(), random.signed(), random.signed());
    if q.length() > 0.1 { q.normalize() } else { Quat::IDENTITY }
}

/// What a clip should have.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) n_joints: usize,
    pub(crate) n_roots: usize,
    pub(crate) n_end_sites: usize,
    pub(crate) n_frames: usize,
    pub(crate) frame_rate: f64,
}

/// A clip of random joints that turn, and of which some move in their parent's space.
pub(crate) fn random_clip(seed: u64, shape: Shape) -> Clip {
    let mut random = Random::new(seed);
    let joints: Vec<Joint> = (0..shape.n_joints)
        .map(|i| Joint {
            // Names repeat in real files, and hold anything.
            name: ["Hips", "left \"foot\"", "Bip01 L Thigh", "joint\u{e9}\u{4e00}", ""][random.index(5)].to_string()
                + &i.to_string(),
            parent: (i >= shape.n_roots).then(|| JointId::new(random.index(i))),
            rest: Transform::new(random_rotation(&mut random), random.in_cube() * 0.3),
        })
        .collect();
    let end_sites = (0..shape.n_end_sites)
        .map(|i| EndSite {
            name: (i % 2 == 0).then(|| format!("tip {i}")),
            parent: JointId::new(random.index(shape.n_joints)),
            offset: random.in_cube() * 0.1,
        })
        .collect();
    let skeleton = Skeleton::new(joints, end_sites).expect("parents first");
    let slides: Vec<bool> = (0..shape.n_joints).map(|i| i < shape.n_roots || random.index(4) == 0).collect();
    let poses = (0..shape.n_frames).map(|_| random_pose(&mut random, &skeleton, &slides)).collect();
    Clip::new(format!("clip {seed}"), Arc::new(skeleton), shape.frame_rate, poses)
}

fn random_pose(random: &mut Random, skeleton: &Skeleton, slides: &[bool]) -> Pose {
    let mut pose = skeleton.rest_pose();
    for (i, local) in pose.local.iter_mut().enumerate() {
        local.rotation = random_rotation(random);
        if slides[i] {
            local.translation += random.in_cube() * if i == 0 { 10.0 } else { 0.05 };
        }
    }
    pose
}

/// Contacts that a clip of some frames might have.
pub(crate) fn some_contacts(n_frames: usize) -> Contacts {
    let plant = |part, start: usize, end: usize| Plant {
        part,
        frames: start..end,
        position: Vec3::new(0.1 * start as f64, 0.0, -1.0 / 3.0),
    };
    let half = n_frames / 2;
    let left =
        vec![plant(FootPart::Heel, 0, half), plant(FootPart::Ball, 0, half + 1), plant(FootPart::Heel, half, n_frames)];
    let right = vec![plant(FootPart::Ball, half, n_frames)];
    Contacts { n_frames, plants: PerSide::new(left, right) }
}

/// Some poses of a document as a clip.
fn clip_of(document: &Document, poses: Poses) -> Clip {
    let skeleton = Arc::new(document.skeleton.clone());
    Clip::new("", skeleton, document.frame_rate.unwrap_or(30.0), poses)
}

/// Everything that must survive: names, parents, end sites, rate, and where each joint is in each frame and at rest.
/// Returns how far the joint that moved most has moved, in metres.
pub(crate) fn assert_same_motion(clip: &Clip, document: &Document) -> f64 {
    let names = |skeleton: &Skeleton| -> Vec<(String, Option<JointId>)> {
        skeleton.joints().iter().map(|joint| (joint.name.clone(), joint.parent)).collect()
    };
    assert_eq!(names(&clip.skeleton), names(&document.skeleton));
    let sites = |skeleton: &Skeleton| -> Vec<(Option<String>, JointId)> {
        skeleton.end_sites().iter().map(|site| (site.name.clone(), site.parent)).collect()
    };
    assert_eq!(sites(&clip.skeleton), sites(&document.skeleton));
    assert_eq!(document.poses.len(), clip.n_frames());
    if clip.n_frames() > 0 {
        assert_eq!(document.frame_rate, Some(clip.frame_rate));
    }
    let moved = largest_move(clip, &clip_of(document, document.poses.clone()));
    assert!(moved < TOLERANCE, "{}: a joint moved by {moved} m", clip.name);
    let rest = clip.with_poses(Poses::repeat(&clip.skeleton.rest_pose(), 1));
    let moved_at_rest = largest_move(&rest, &clip_of(document, Poses::repeat(&document.skeleton.rest_pose(), 1)));
    assert!(moved_at_rest < 1e-12, "{}: a joint moved by {moved_at_rest} m at rest", clip.name);
    moved
}
