//! What the filter of a walk takes out of trunk and arms.

use super::steps_walk::{DATABASE, random_plan};
use std::sync::Arc;
use surefoot_geom::{Quat, rotation};
use surefoot_motion::{Clip, JointId};
use surefoot_plan::{World, synthesize};
use surefoot_steps::{Steps, WalkOptions};

fn walk(seed: u64, filters: bool) -> Clip {
    let options = WalkOptions { filters, frame_rate: 30.0, ..WalkOptions::default() };
    let steps = Steps::new(DATABASE.clone(), options);
    synthesize(&steps, &Arc::new(World::default()), &random_plan(seed, 0.0), "walk").unwrap().take.clip
}

/// Root mean square of how much the turn from frame to frame changes, in radians.
fn jerks(turns: &[Quat]) -> f64 {
    let steps: Vec<_> = turns.windows(2).map(|pair| rotation::log_map(pair[0].conjugate() * pair[1])).collect();
    let changes = steps.windows(2).map(|pair| pair[0].distance_squared(pair[1]));
    (changes.sum::<f64>() / steps.len() as f64).sqrt()
}

fn local(clip: &Clip, joint: JointId) -> Vec<Quat> {
    clip.poses().iter().map(|pose| pose[joint].rotation).collect()
}

#[test]
fn the_upper_body_is_calmer_with_its_filter() {
    let body = DATABASE.body();
    let upper: Vec<JointId> = body.upper_body().map(|index| body.others()[index]).collect();
    assert!(upper.len() > 5, "{upper:?}");
    let [filtered, raw] = [true, false].map(|filters| {
        let walks: Vec<Clip> = (0..4).map(|seed| walk(seed, filters)).collect();
        let all = walks.iter().flat_map(|clip| upper.iter().map(|&joint| jerks(&local(clip, joint))));
        all.sum::<f64>()
    });
    assert!(filtered < 0.92 * raw, "{filtered} {raw}");
}
