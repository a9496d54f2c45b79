//! One figure in every file: the same names in BVH and GLB, and the same soles in what is read back from a GLB.

use serde_json::Value;
use std::sync::Arc;
use surefoot_contact::{SyntheticWalk, WalkerOptions, synthetic_walk};
use surefoot_formats::bvh::{BvhOptions, read_bvh, write_bvh};
use surefoot_formats::gltf::{BodyMesh, Container, GltfOptions, GltfWriteOptions, read_gltf, write_gltf};
use surefoot_formats::{Document, Import, ImportOptions, import};
use surefoot_geom::Vec3;
use surefoot_motion::{BodyPoint, Clip, Side, Skeleton};

fn walk() -> SyntheticWalk {
    synthetic_walk(&WalkerOptions { n_steps: 4, ..WalkerOptions::default() })
}

fn gltf(walk: &SyntheticWalk) -> Vec<u8> {
    let options =
        GltfWriteOptions { container: Container::Gltf, body_mesh: BodyMesh::Without, ..GltfWriteOptions::default() };
    let take = &walk.take;
    write_gltf(&take.clip, Some(&take.body), Some(&take.contacts), &options).expect("a figure")
}

fn read(bytes: &[u8]) -> Document {
    read_gltf(bytes, &mut |uri| panic!("no file {uri} here"), &GltfOptions::default()).expect("a glTF").document
}

fn imported(bytes: &[u8], options: &ImportOptions) -> Import {
    import(read(bytes), options).expect("a motion")
}

/// Names of all joints and end sites, each behind its parent's: files order them differently.
fn names(skeleton: &Skeleton) -> Vec<String> {
    let joints = skeleton.ids().map(|id| (skeleton.parent(id), skeleton.name(id).to_string()));
    let site = |index: usize| (Some(skeleton.end_sites()[index].parent), BodyPoint::EndSite(index).name(skeleton));
    let sites = (0..skeleton.end_sites().len()).map(site);
    let mut names: Vec<String> = joints
        .chain(sites)
        .map(|(parent, name)| format!("{}/{name}", parent.map_or("", |parent| skeleton.name(parent))))
        .collect();
    names.sort();
    names
}

/// The promise: whoever reads the one file finds the names of the other.
fn check_names(clip: &Clip) {
    let bvh = write_bvh(clip, &BvhOptions::default()).bytes;
    let bvh = read_bvh(&bvh).expect("a BVH").into_document();
    let glb = write_gltf(clip, None, None, &GltfWriteOptions::default()).expect("a GLB");
    assert_eq!(names(&bvh.skeleton), names(&read(&glb).skeleton), "{}", clip.name);
}

#[test]
fn a_figure_has_the_same_names_in_bvh_and_glb() {
    let clip = walk().take.clip;
    check_names(&clip);
    let mut joints = clip.skeleton.joints().to_vec();
    for (joint, name) in joints.iter_mut().zip(["", " Hips {1}", "two\nlines", "Spine", "Spine", "tab\there"]) {
        joint.name = name.to_string();
    }
    let odd = Skeleton::new(joints, clip.skeleton.end_sites().to_vec()).expect("the same tree");
    check_names(&clip.with_skeleton(Arc::new(odd)).with_name("odd names"));
}

#[test]
fn soles_come_back_from_a_gltf_to_the_last_bit() {
    let mut walk = walk();
    // Shoes that nobody could guess from the motion.
    for side in Side::BOTH {
        let foot = &mut walk.take.body.legs[side].foot;
        foot.heel -= Vec3::new(0.001, 0.02, 0.03);
        foot.toe_tip += Vec3::new(0.0, -0.02, 1.0 / 30.0);
    }
    let back = imported(&gltf(&walk), &ImportOptions::default()).body.expect("a body");
    for side in Side::BOTH {
        assert_eq!(back.legs[side].foot, walk.take.body.legs[side].foot, "{side:?}");
    }
    // In another unit they would be of another size than the motion.
    let options = ImportOptions { unit_to_metre: Some(0.5), ..ImportOptions::default() };
    let scaled = imported(&gltf(&walk), &options).body.expect("a body");
    assert_ne!(scaled.legs.left.foot.heel, walk.take.body.legs.left.foot.heel);
}

/// A figure whose stored soles were changed.
fn changed(change: impl Fn(&mut Value)) -> Import {
    let mut json: Value = serde_json::from_slice(&gltf(&walk())).expect("text");
    change(&mut json["animations"][0]["extras"]["surefoot"]);
    imported(json.to_string().as_bytes(), &ImportOptions::default())
}

#[test]
fn files_without_soles_are_read_as_before_and_broken_soles_are_reported() {
    let old = changed(|notes| drop(notes.as_object_mut().expect("notes").remove("soles")));
    assert!(old.body.is_ok() && old.contacts.is_some() && old.warnings.is_empty());
    let fitted = old.body.expect("a body").legs.left.foot;
    for (broken, why) in [("{ \"soles\": 2, \"left\": 1, \"right\": 1 }", "broken"), ("[]", "broken")] {
        let import = changed(|notes| notes["soles"] = serde_json::from_str(broken).expect("JSON"));
        check_left_out(&import, why, broken);
        assert_eq!(import.body.expect("a body").legs.left.foot, fitted, "{broken}");
    }
    let wrong: [(&str, &[f64], &str); 4] = [
        ("heel", &[0.0, -3.0, 0.0], "farther"),
        ("toe_tip", &[0.0, 1e300, 0.0], "farther"),
        ("up", &[0.0, 0.5, 0.0], "up"),
        ("up", &[0.0, 0.0], "broken"),
    ];
    for (point, value, why) in wrong {
        check_left_out(&changed(|notes| notes["soles"]["left"][point] = value.into()), why, point);
    }
    let import = changed(|notes| notes["soles"]["soles"] = 2.into());
    check_left_out(&import, "version", "version");
    // Soles of another joint are nobody's here.
    let import = changed(|notes| notes["soles"]["left"]["ankle"] = "Paw".into());
    assert!(import.warnings.is_empty());
    assert_eq!(import.body.expect("a body").legs.left.foot, fitted);
}

fn check_left_out(import: &Import, why: &str, what: &str) {
    let reported: Vec<_> = import.warnings.iter().filter(|warning| warning.code == "soles_ignored").collect();
    assert!(reported.len() == 1 && reported[0].message.contains(why), "{what}: {:?}", import.warnings);
    assert!(import.contacts.is_some() && import.body.is_ok(), "{what}");
}
