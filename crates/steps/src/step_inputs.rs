//! What the rows of a step depend on: the numbers that [`super::step_model`] explains them by, and the frame that it sees
//! them in.
//!
//! The supporting frame of STRIDE 3.2 has its x axis toward the foot that lifts. That is right for finding steps, whose
//! three parameters it gives; but of two steps that differ a little in width one is turned against the other in it, and
//! where feet are side by side it says nothing of where the body faces. What a body does is nearly linear in where its feet
//! are seen from the body. So rows are explained in the *facing frame*: the supporting ball at the origin, the mean heading
//! of the feet ahead.
//!
//! Beside the dimensions of STRIDE 5.1 and 8.1 (two places instead of three lengths, two turns of the feet instead of three
//! headings, three durations, two heights) it is known where the supporting foot came from in the step before: a body that has just
//! started is behind one that walks on. The step after is left out: it explains next to nothing, and live use does not know
//! it.

use super::canonical::supporting_frame;
use super::step_rows::RowLayout;
use super::{CanonicalStep, StepTimes};
use std::collections::BTreeMap;
use surefoot_geom::{Quat, Vec3, turn_between};
use surefoot_motion::Side;
use surefoot_plan::StepParameters;

/// Places of the swinging foot before and after (x, z each), its turns against the supporting one before and after, three
/// durations.
pub(super) const N_OWN: usize = 9;
/// Numbers of a place.
pub(super) const N_PLACE: usize = 2;

/// What a step's rows depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepInputs {
    /// In metres, radians and seconds.
    pub(super) numbers: [f64; N_OWN],
    /// Of the swinging foot before and after, above the supporting one.
    pub(super) heights: [f64; 2],
    /// Where the supporting foot was before (x, z), if that is known.
    pub(super) before: Option<[f64; N_PLACE]>,
    /// Heading of the facing frame in the supporting one.
    pub(super) facing: f64,
}

impl StepInputs {
    /// `before` is the supporting foot's earlier place in the supporting frame.
    pub(super) fn new(
        parameters: &StepParameters,
        headings: &[f64; 3],
        times: &StepTimes,
        heights: [f64; 2],
        before: Option<Vec3>,
    ) -> StepInputs {
        let [support, from, to] = *headings;
        let turns = [turn_between(support, from), turn_between(support, to)];
        let facing = support + 0.25 * (turns[0] + turns[1]);
        let seen = |place: Vec3| {
            let place = Quat::from_rotation_y(-facing) * place;
            [place.x, place.z]
        };
        let [[from_x, from_z], [to_x, to_z]] = places(parameters).map(seen);
        let numbers = [from_x, from_z, to_x, to_z, turns[0], turns[1], times.first, times.swing, times.last];
        StepInputs { numbers, heights, before: before.map(seen), facing }
    }

    /// Of a step of a database.
    pub(super) fn of(step: &CanonicalStep, before: Option<Vec3>) -> StepInputs {
        StepInputs::new(&step.parameters, &step.headings, &step.times, step.heights, before)
    }
}

/// Where the swinging foot starts and ends, in the supporting frame.
fn places(parameters: &StepParameters) -> [Vec3; 2] {
    let (point, outward) = (parameters.point(), if parameters.swing == Side::Left { 1.0 } else { -1.0 });
    [Vec3::new(outward * point.x, 0.0, 0.0), Vec3::new(outward * point.y, 0.0, point.z)]
}

/// Turns the places of rows about the vertical.
pub(super) fn turn_places(rows: &mut [f32], width: usize, angle: f64) {
    let (sine, cosine) = angle.sin_cos();
    for row in rows.chunks_exact_mut(width) {
        for k in RowLayout::PLACES {
            let (x, z) = (f64::from(row[k]), f64::from(row[k + 2]));
            (row[k], row[k + 2]) = ((cosine * x + sine * z) as f32, (cosine * z - sine * x) as f32);
        }
    }
}

/// Where the supporting foot of each step was in the step before it, in its supporting frame; `None` for steps that no
/// other of the same take leads to.
pub(super) fn places_before(all: &[CanonicalStep]) -> Vec<Option<Vec3>> {
    let mut takes: BTreeMap<(&str, bool), Vec<usize>> = BTreeMap::new();
    for (index, step) in all.iter().enumerate() {
        takes.entry((&step.source.take, step.source.mirrored)).or_default().push(index);
    }
    let mut befores = vec![None; all.len()];
    for mut steps in takes.into_values() {
        steps.sort_by_key(|&step| all[step].source.frames.start);
        for pair in steps.windows(2) {
            let (before, step) = (&all[pair[0]], &all[pair[1]]);
            // They share a double support.
            let follows = step.source.frames.start < before.source.frames.end && step.swing() != before.swing();
            if follows {
                let [from, to] = places(&before.parameters);
                // The foot that lifts now supported the step before, at the origin of its frame.
                let frame = supporting_frame(step.swing(), to, Vec3::ZERO, 0.0);
                befores[pair[1]] = Some(frame.inverse().transform_point(from));
            }
        }
    }
    befores
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_seen_the_same_from_every_frame() {
        // A walk straight ahead, its feet 0.2 m apart sideways and 0.6 m ahead of each other: seen from the body, whatever
        // the supporting frame.
        let facing_of = |side: Side| supporting_frame(side, Vec3::ZERO, Vec3::new(0.2, 0.0, -0.6), 0.0);
        let frame = facing_of(Side::Left);
        let into = frame.inverse();
        let [from, to] = [Vec3::new(0.2, 0.0, -0.6), Vec3::new(0.2, 0.0, 0.6)].map(|p| into.transform_point(p));
        let yaw = surefoot_geom::rotation::twist_angle(frame.rotation, Vec3::Y);
        let parameters = StepParameters::from_places(Side::Left, from, to);
        let times = StepTimes { first: 0.1, swing: 0.4, last: 0.1 };
        let before = into.transform_point(Vec3::new(0.0, 0.0, -1.2));
        let inputs = StepInputs::new(&parameters, &[turn_between(yaw, 0.0); 3], &times, [0.1, -0.2], Some(before));
        let expected = [0.2, -0.6, 0.2, 0.6, 0.0, 0.0, 0.1, 0.4, 0.1];
        for (k, (a, b)) in inputs.numbers.iter().zip(expected).enumerate() {
            assert!((a - b).abs() < 1e-12, "{k}: {a} {b}");
        }
        let [x, z] = inputs.before.expect("it was given");
        assert!(x.abs() < 1e-12 && (z + 1.2).abs() < 1e-12, "{x} {z}");
    }
}
