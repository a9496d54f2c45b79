//! Blending the angles of all joints and nothing else: what STRIDE 5.3 shows not to be enough.
//!
//! Kept beside [`super::blend`] to be compared with it ([`super::evaluate`]): weights of a linear space applied to
//! rotations put feet near their places, not on them (STRIDE figures 5.4 and 5.5).

use super::blend::BlendedStep;
use super::{Choice, LinearPose, N_ROWS, StepDatabase};
use surefoot_geom::{Quat, Vec3, rotation, turn_between};
use surefoot_motion::{PerSide, Poses, WorldPose};
use surefoot_plan::FootDown;

/// Replaces the rows of a blended step by those of its steps' blended angles.
pub(super) fn blend_angles(database: &StepDatabase, choice: &Choice, out: &mut BlendedStep) {
    let (body, layout) = (database.body(), database.layout());
    let width = layout.width();
    let skeleton = body.skeleton();
    let heaviest = choice.parts().iter().position(|part| part.step == choice.heaviest()).unwrap_or(0);
    let mut linear = LinearPose::default();
    let mut rotations = Vec::new();
    let mut world = WorldPose::default();
    let mut rolls: Option<PerSide<f64>> = None;
    for row in 0..N_ROWS {
        let poses: Poses = choice
            .parts()
            .iter()
            .map(|part| {
                let rows = &database.steps()[part.step].rows;
                let _ = layout.read(&rows[row * width..][..width], &mut linear);
                let mut pose = skeleton.rest_pose();
                body.rotations(&linear, &mut rotations);
                body.write_pose(&linear, &rotations, &mut pose);
                pose
            })
            .collect();
        let mut blended = poses.pose(heaviest).to_pose();
        for (joint, local) in blended.local.iter_mut().enumerate() {
            let about = local.rotation;
            let (mut turn, mut place) = (Vec3::ZERO, Vec3::ZERO);
            for (pose, part) in poses.iter().zip(choice.parts()) {
                turn += rotation::log_map(about.conjugate() * pose.local[joint].rotation) * part.weight;
                place += pose.local[joint].translation * part.weight;
            }
            local.rotation = about * rotation::exp_map(turn);
            local.translation = place;
        }
        world.fill(skeleton, &blended);
        let mut pose = body.linearize(blended.view(), &world);
        // Rolls without a jump, as blended rows have them.
        let before = *rolls.get_or_insert(pose.feet.map(|foot| foot.knee_roll));
        for side in surefoot_motion::Side::BOTH {
            let roll = &mut pose.feet[side].knee_roll;
            *roll = before[side] + turn_between(before[side], *roll);
        }
        rolls = Some(pose.feet.map(|foot| foot.knee_roll));
        let down = layout.read(&out.rows[row * width..][..width], &mut linear);
        let votes = down.map(|[heel, ball]| FootDown { heel: heel > 0.5, ball: ball > 0.5 });
        keep_hemisphere(&mut pose, &linear);
        layout.write(&pose, votes, &mut out.rows[row * width..][..width]);
    }
}

/// Quaternions in the hemispheres of another pose, whose neighbours agree.
fn keep_hemisphere(pose: &mut LinearPose, of: &LinearPose) {
    let same = |q: Quat, reference: Quat| rotation::same_hemisphere(q, reference);
    pose.pelvis.rotation = same(pose.pelvis.rotation, of.pelvis.rotation);
    for side in surefoot_motion::Side::BOTH {
        pose.feet[side].rotation = same(pose.feet[side].rotation, of.feet[side].rotation);
    }
}
