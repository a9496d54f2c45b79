//! Blending the angles of all joints and nothing else: what STRIDE 5.3 shows not to be enough.
//!
//! Kept beside [`super::blend`] to be compared with it ([`super::evaluate`]): weights of a linear space applied to
//! rotations put feet near their places, not on them (STRIDE figures 5.4 and 5.5).

use super::blend::BlendedStep;
use super::step_rows::RowHeadings;
use super::{Choice, LinearPose, N_ROWS, StepDatabase};
use surefoot_geom::{Vec3, rotation};
use surefoot_motion::{Poses, WorldPose};
use surefoot_plan::FootContact;

/// Replaces the rows of a blended step by those of its steps' blended angles.
pub(super) fn blend_angles(database: &StepDatabase, choice: &Choice, out: &mut BlendedStep) {
    let (body, layout) = (database.body(), database.layout());
    let width = layout.width();
    let skeleton = body.skeleton();
    let heaviest = choice.parts().iter().position(|part| part.step == choice.heaviest()).unwrap_or(0);
    let swing = database.steps()[choice.heaviest()].swing();
    let mut linear = LinearPose::default();
    let mut rotations = Vec::new();
    let mut world = WorldPose::default();
    for row in 0..N_ROWS {
        let poses: Poses = choice
            .parts()
            .iter()
            .map(|part| {
                let step = &database.steps()[part.step];
                let headings = RowHeadings::new(step.swing(), step.headings, row as f64);
                let _ = layout.read(&step.rows[row * width..][..width], &headings, &mut linear);
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
        let pose = body.linearize(blended.view(), &world);
        let out_row = &mut out.rows[row * width..][..width];
        let headings = RowHeadings::new(swing, out.headings, row as f64);
        let signs = layout.read(out_row, &headings, &mut linear);
        let votes = signs.planted.map(|[heel, ball]| FootContact { heel: heel > 0.5, ball: ball > 0.5 });
        layout.write(body, &pose, votes, &headings, out_row);
    }
}
