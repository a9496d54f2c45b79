//! The recordings that tests and benches read, and the measure that round trips are judged by.
//!
//! The recordings are not part of the project. The folder that holds them is named by the variable `SUREFOOT_SHARED`: tests
//! that need it are skipped where it is unset, and fail where it is set and a file is missing.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use surefoot_motion::{Clip, WorldPose};

/// One row of a manifest, by the name of the column.
pub type Row = HashMap<String, String>;

/// The folder that `SUREFOOT_SHARED` names. Where it names none, prints on the console that what needs it is skipped.
pub fn shared_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("SUREFOOT_SHARED").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped what needs recordings: SUREFOOT_SHARED names no folder");
    }
    folder
}

/// The rows of the `MANIFEST.csv` in a folder. Panics if it cannot be read: a test without its manifest checks nothing.
pub fn manifest(folder: &Path) -> Vec<Row> {
    let path = folder.join("MANIFEST.csv");
    let mut reader = csv::Reader::from_path(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let rows = reader.deserialize().map(|row| row.unwrap_or_else(|error| panic!("{}: {error}", path.display())));
    rows.collect()
}

/// The largest distance between a joint or end site of one clip and the same one of the other, over all frames, in metres.
/// Panics if the clips differ in their numbers of frames, joints or end sites.
pub fn largest_move(a: &Clip, b: &Clip) -> f64 {
    let counts = |clip: &Clip| (clip.n_frames(), clip.skeleton.n_joints(), clip.skeleton.end_sites().len());
    assert_eq!(counts(a), counts(b), "frames, joints and end sites");
    let frames = a.poses().iter().zip(b.poses());
    frames
        .flat_map(|(pose_a, pose_b)| {
            let places =
                [(a, pose_a), (b, pose_b)].map(|(clip, pose)| places(clip, &WorldPose::new(&clip.skeleton, pose)));
            let [a, b] = places;
            a.into_iter().zip(b).map(|(a, b)| a.distance(b))
        })
        // Not `f64::max`, which would pass over a NaN.
        .fold(0.0, |largest, distance| if distance <= largest { largest } else { distance })
}

/// Where all joints are, then all end sites.
fn places(clip: &Clip, pose: &WorldPose) -> Vec<surefoot_geom::Vec3> {
    let joints = pose.world().iter().map(|joint| joint.translation);
    let sites = clip.skeleton.end_sites().iter().map(|site| pose[site.parent].transform_point(site.offset));
    joints.chain(sites).collect()
}
