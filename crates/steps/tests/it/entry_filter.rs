//! Steps are filtered before they enter a database: what is wrong in a recording is not in its walks.

use crate::steps_walk::CORPUS;
use surefoot_contact::Take;
use surefoot_geom::{Quat, Vec3};
use surefoot_steps::{BuildOptions, StepCollector, StepDatabase};

fn database_of(take: &Take, filters: bool) -> StepDatabase {
    let options = BuildOptions { mirror: false, filters, ..BuildOptions::default() };
    let mut collector = StepCollector::new(take.clip.skeleton.clone(), take.body.clone(), take, options);
    let _ = collector.add("walk", take);
    collector.finish().expect("a walk has steps")
}

/// A take whose pelvis jumps by 3 cm and 0.1 rad for two frames, several times a second, as where a marker is lost.
fn with_lost_markers(take: &Take) -> Take {
    let mut noisy = take.clone();
    for frame in (0..take.clip.n_frames()).filter(|frame| frame % 14 < 2) {
        let pelvis = &mut noisy.clip.pose_mut(frame)[take.body.pelvis];
        pelvis.translation += Vec3::Y * 0.03;
        pelvis.rotation *= Quat::from_rotation_z(0.1);
    }
    noisy
}

/// The largest second difference of the numbers of a pelvis from row to row, over all steps.
fn roughness(database: &StepDatabase) -> f32 {
    let width = database.layout().width();
    let rows_of = |step: &surefoot_steps::CanonicalStep| -> Vec<Vec<f32>> {
        step.rows.chunks_exact(width).map(|row| row[..6].to_vec()).collect()
    };
    let bends = database.steps().iter().flat_map(|step| {
        let rows = rows_of(step);
        let bend =
            |k: usize| (0..6).map(|n| (rows[k + 1][n] - 2.0 * rows[k][n] + rows[k - 1][n]).abs()).collect::<Vec<_>>();
        (11..37).flat_map(bend).collect::<Vec<f32>>()
    });
    bends.fold(0.0, f32::max)
}

#[test]
fn a_lost_marker_is_in_no_step_that_was_filtered() {
    let take = &CORPUS.walks().find(|take| take.kind == surefoot_gait::CorpusKind::Forward).unwrap().take;
    let noisy = with_lost_markers(take);
    let [clean, filtered, raw] =
        [(take, true), (&noisy, true), (&noisy, false)].map(|(take, filters)| roughness(&database_of(take, filters)));
    assert!(raw > 5.0 * clean, "the filter is not what hides it: {raw} {clean}");
    assert!(filtered < 0.5 * raw, "filtered {filtered}, raw {raw}, clean {clean}");
}
