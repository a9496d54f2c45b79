//! The AMC and the BVH of one trial put hips, knees and ankles in the same places: two readers of two formats, and a
//! conversion between them that nobody here wrote, agree.

use std::path::Path;
use surefoot_formats::asf::{find_asf_beside, into_document, read_amc, read_asf};
use surefoot_formats::{Document, bvh};
use surefoot_motion::WorldPose;
use surefoot_recordings::shared_folder;

/// The unit of the CMU database in metres, the same in both formats.
const UNIT: f64 = 0.0254 / 0.45;

/// Both formats print about six digits: angles to 1e-4 degrees, which is a few micrometres at the ankle.
const TOLERANCE: f64 = 1e-5;

/// The same joints in both skeletons.
const JOINTS: [(&str, &str); 9] = [
    ("root", "Hips"),
    ("lfemur", "LeftUpLeg"),
    ("ltibia", "LeftLeg"),
    ("lfoot", "LeftFoot"),
    ("ltoes", "LeftToeBase"),
    ("rfemur", "RightUpLeg"),
    ("rtibia", "RightLeg"),
    ("rfoot", "RightFoot"),
    ("rtoes", "RightToeBase"),
];

fn load(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn read_trial(mocap: &Path, amc: &str) -> Document {
    let amc = mocap.join("cmu-asfamc").join(amc);
    let asf = find_asf_beside(&amc).expect("a skeleton beside the motion");
    let asf = read_asf(&load(&asf)).expect("a skeleton");
    let amc = read_amc(&load(&amc), &asf).expect("a motion");
    into_document(&asf, &amc)
}

fn world_poses(document: &Document) -> Vec<WorldPose> {
    document.poses.iter().map(|pose| WorldPose::new(&document.skeleton, pose)).collect()
}

/// The largest distance in metres between the joints of a pair, over all frames.
fn largest_distance(amc: &Document, bvh: &Document, pair: (&str, &str)) -> f64 {
    let a = amc.skeleton.find(pair.0).expect("a joint of the AMC");
    let b = bvh.skeleton.find(pair.1).expect("a joint of the BVH");
    // The conversion put a T-pose before the first frame.
    let frames = world_poses(amc).into_iter().zip(world_poses(bvh).into_iter().skip(1));
    frames.map(|(amc, bvh)| amc.position(a).distance(bvh.position(b)) * UNIT).fold(0.0, f64::max)
}

#[test]
fn amc_and_bvh_of_a_trial_agree_on_the_legs() {
    let Some(shared) = shared_folder() else { return };
    let mocap = shared.join("mocap");
    for (amc, bvh) in [
        ("02_01.amc", "002/02_01.bvh"),
        ("02_01_crlf.amc", "002/02_01.bvh"),
        ("16_11.amc", "016/16_11.bvh"),
        ("16_35.amc", "016/16_35.bvh"),
        ("127_04.amc", "127/127_04.bvh"),
    ] {
        let from_amc = read_trial(&mocap, amc);
        let from_bvh = bvh::read_bvh(&load(&mocap.join("cmu-bvh").join(bvh))).expect("a BVH file").into_document();
        assert_eq!(from_amc.warnings, [], "{amc}");
        assert_eq!(from_amc.poses.len() + 1, from_bvh.poses.len(), "{amc}");
        assert_eq!((from_amc.skeleton.n_joints(), from_amc.n_channels), (31, 62), "{amc}");
        for pair in JOINTS {
            let distance = largest_distance(&from_amc, &from_bvh, pair);
            println!("{amc} {}: {:.3} mm", pair.0, distance * 1e3);
            assert!(distance < TOLERANCE, "{amc} {}: {distance} m", pair.0);
        }
    }
}
