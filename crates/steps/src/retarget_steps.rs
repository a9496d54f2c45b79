//! The steps of a database on another body, so that walks are made there: with its proportions, its soles and its rest pose.
//!
//! Reference: Kulpa, Multon and Arnaldi's morphology-independent representation, which STRIDE 6.1 builds on: feet, hips and the
//! half-planes of the knees say what a leg does, whoever's leg it is. Exact feet, the reach of legs and the ground are then
//! the walker's business as with any database; nothing is corrected after synthesis.
//!
//! With `k` the ratio of the leg lengths, each row of each step becomes:
//!
//! 1. Balls: `k` times as far from the supporting ball. Soles: turned as recorded. Knees: their roll about hip -> ankle as recorded.
//! 2. Pelvis and all joints outside of the legs: turned by whoever calls, as retargeting turns a pose.
//! 3. Hips: over the ground, with `m` the place of the ankles, weighed by the load of the feet, `hips' = m' + k (hips - m)`, so that
//!    thighs and shins lean as recorded, however long the feet are. In height, with `a` that of an ankle over its flat sole,
//!    `y' = k (y - a) + a'`: the body rises and falls as recorded, and not by how far the heels of long feet rise.
//! 4. Extension of the legs: as it comes out, and never beyond what legs reach. The walker puts the pelvis where legs come to it.
//!
//! Lengths of a step are `k` times as large, times the root of `k` (equal Froude numbers: a pendulum of `k` times the length).
//!
//! Limits: a trunk that is longer or heavier leans as the recorded one does.

use super::step_rows::{RowHeadings, RowSigns};
use super::{
    CanonicalStep, DatabaseError, DatabaseParts, LinearBody, LinearFoot, LinearPose, N_ROWS, N_SUPPORT, N_SWING,
};
use super::{RowLayout, StepDatabase, StepTimes};
use std::sync::Arc;
use surefoot_geom::{Quat, Vec3, rotation, smoothstep};
use surefoot_motion::{BodyMap, Clip, PerSide, Pose, PoseRef, Poses, Side, Skeleton, WorldPose, fit_knee_axes};

/// Poses that knee axes and mean rotations are learned from.
const TYPICAL_POSES: usize = 400;

/// A body that steps are brought to.
pub struct StepBody<'a> {
    /// Its joints and their offsets, which are kept.
    pub skeleton: &'a Arc<Skeleton>,
    /// Which joint is which, with the soles that are planted.
    pub body: &'a BodyMap,
    /// A pose of the database's skeleton turned into one of this skeleton, standing anywhere.
    pub turn_pose: &'a dyn Fn(PoseRef<'_>, &WorldPose) -> Pose,
}

impl StepDatabase {
    /// Poses of its steps, spread over all of them, to learn from how its person moves. They lie in supporting frames.
    pub fn typical_poses(&self) -> Poses {
        let n_rows = N_ROWS * self.steps().len();
        let mut rows = RowReader::new(self);
        let every = n_rows.div_ceil(TYPICAL_POSES).max(1);
        // A step that has no common divisor with the rows of a step meets all of its phases.
        let every = if every.is_multiple_of(7) { every + 1 } else { every };
        (0..n_rows).step_by(every).map(|row| rows.read(self, row / N_ROWS, row % N_ROWS).0.clone()).collect()
    }

    /// The same steps on another body.
    pub fn on_body(&self, to: &StepBody<'_>) -> Result<StepDatabase, DatabaseError> {
        let typical = self.typical_poses();
        let turned: Poses =
            typical.iter().map(|pose| (to.turn_pose)(pose, &WorldPose::new(self.body().skeleton(), pose))).collect();
        let clip = Clip::new("steps", to.skeleton.clone(), 60.0, turned);
        let knee_axes = fit_knee_axes(&clip, to.body);
        let means: Vec<Quat> = to
            .skeleton
            .ids()
            .map(|joint| {
                let rotations: Vec<Quat> = clip.poses().iter().map(|pose| pose[joint].rotation).collect();
                rotation::weighted_mean(&rotations, &vec![1.0; rotations.len()])
            })
            .collect();
        let body = LinearBody::new(to.skeleton.clone(), to.body.clone(), &knee_axes, &means);
        let leg = |body: &LinearBody| 0.5 * (body.leg_length(Side::Left) + body.leg_length(Side::Right));
        let scale = leg(&body) / leg(self.body());
        let mut rows = RowReader::new(self);
        let steps = (0..self.steps().len()).map(|step| self.scaled_step(step, scale, &body, to, &mut rows)).collect();
        let parts = DatabaseParts { skeleton: to.skeleton.clone(), body: to.body.clone(), knee_axes, means, steps };
        StepDatabase::new(parts)
    }

    fn scaled_step(
        &self,
        step: usize,
        scale: f64,
        body: &LinearBody,
        to: &StepBody<'_>,
        rows: &mut RowReader,
    ) -> CanonicalStep {
        let old = &self.steps()[step];
        let layout = RowLayout { n_others: body.others().len() };
        let mut written = vec![0.0; N_ROWS * layout.width()];
        let time_scale = scale.sqrt();
        for (index, row) in written.chunks_exact_mut(layout.width()).enumerate() {
            let (pose, signs) = rows.read(self, step, index);
            let world = WorldPose::new(self.body().skeleton(), pose);
            let turned = (to.turn_pose)(pose.view(), &world);
            let pose = carry_pose((self.body(), &rows.linear), (body, &turned), scale, load(old.swing(), index));
            let headings = RowHeadings::new(old.swing(), old.headings, index as f64);
            let planted = signs.planted.map(|planted| planted.map(|share| share as f32));
            layout.write_planted(body, &pose, planted, &headings, row);
            layout.limit_extension(row);
        }
        CanonicalStep {
            source: old.source.clone(),
            parameters: old.parameters.scaled(scale),
            headings: old.headings,
            heights: old.heights.map(|height| height * scale),
            times: StepTimes {
                first: old.times.first * time_scale,
                swing: old.times.swing * time_scale,
                last: old.times.last * time_scale,
            },
            rows: written.into(),
        }
    }
}

/// Reads rows of a database as poses.
struct RowReader {
    linear: LinearPose,
    rotations: Vec<Quat>,
    pose: Pose,
}

impl RowReader {
    fn new(database: &StepDatabase) -> RowReader {
        let pose = database.body().skeleton().rest_pose();
        RowReader { linear: LinearPose::default(), rotations: Vec::new(), pose }
    }

    fn read(&mut self, database: &StepDatabase, step: usize, row: usize) -> (&Pose, RowSigns) {
        let (layout, step) = (database.layout(), &database.steps()[step]);
        let numbers = &step.rows[row * layout.width()..][..layout.width()];
        let headings = RowHeadings::new(step.swing(), step.headings, row as f64);
        let signs = layout.read(numbers, &headings, &mut self.linear);
        database.body().rotations(&self.linear, &mut self.rotations);
        database.body().write_pose(&self.linear, &self.rotations, &mut self.pose);
        (&self.pose, signs)
    }
}

/// Share of the body's weight that each foot bears in a row of a step. It goes over in double supports, so that a step and the
/// next agree on the support that they share.
fn load(swing: Side, row: usize) -> PerSide<f64> {
    let support = N_SUPPORT as f64;
    let lifted = smoothstep(row as f64 / support);
    let landed = smoothstep((row as f64 - support - N_SWING as f64) / support);
    let mut load = PerSide::new(0.0, 0.0);
    load[swing] = 1.0 - lifted + landed;
    load[swing.opposite()] = 1.0 - load[swing];
    load
}

/// A linear pose on another body; `turned` has the rotations of its pelvis and of all joints outside of its legs.
fn carry_pose(
    (from, pose): (&LinearBody, &LinearPose),
    (to, turned): (&LinearBody, &Pose),
    scale: f64,
    load: PerSide<f64>,
) -> LinearPose {
    let world = WorldPose::new(to.skeleton(), turned);
    let mut carried = to.linearize(turned.view(), &world);
    for side in Side::BOTH {
        let foot = pose.feet[side];
        carried.feet[side].ball = foot.ball * scale;
        carried.feet[side].rotation = foot.rotation;
        carried.feet[side].knee_roll = foot.knee_roll;
    }
    let ankles = |body: &LinearBody, pose: &LinearPose| -> Vec3 {
        Side::BOTH.into_iter().map(|side| body.ankle(side, &pose.feet[side]) * load[side]).sum()
    };
    let hips = |body: &LinearBody, pose: &LinearPose| -> Vec3 {
        let mut rotations = Vec::new();
        body.rotations(pose, &mut rotations);
        0.5 * Side::BOTH.into_iter().map(|side| body.hip(&pose.pelvis, &rotations, side)).sum::<Vec3>()
    };
    let mut place = ankles(to, &carried) + scale * (hips(from, pose) - ankles(from, pose));
    let flat = |body: &LinearBody| -> f64 {
        let foot = LinearFoot { rotation: body.flat(0.0), ..LinearFoot::default() };
        Side::BOTH.into_iter().map(|side| 0.5 * body.ankle(side, &foot).y).sum()
    };
    place.y = scale * (hips(from, pose).y - flat(from)) + flat(to);
    carried.pelvis.translation += place - hips(to, &carried);
    carried
}
