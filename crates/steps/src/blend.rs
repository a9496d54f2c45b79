//! One step out of several: the weighted sum of their frames.
//!
//! Reference: STRIDE 5.3 (rotations in the exponential map), 5.4 (positions of the feet), 5.5 (times).
//!
//! All steps have the same rows, so row n of the blend is the weighted sum of rows n. Vectors of joints are rotation
//! vectors about one mean and are summed as they are. Pelvis and feet may point anywhere in the supporting frame, so
//! their rotations are blended about the heaviest step's: its rotation times the exponential of the weighted sum of
//! logarithms, each the shorter way round.

use super::canonical::RowLayout;
use super::choose::Choice;
use super::{N_ROWS, N_SUPPORT, N_SWING, StepDatabase, StepQuery, StepTimes};
use surefoot_geom::{Quat, Vec3, rotation, smoothstep, turn_between};
use surefoot_motion::Side;

/// A blended step in its supporting frame.
#[derive(Clone, Debug, Default)]
pub(super) struct BlendedStep {
    /// As those of a canonical step.
    pub(super) rows: Vec<f32>,
    pub(super) times: StepTimes,
    /// Of the supporting foot, and of the swinging one before and after.
    pub(super) headings: [f64; 3],
}

/// Fills `out` with the blend of a choice.
pub(super) fn blend_steps(database: &StepDatabase, choice: &Choice, out: &mut BlendedStep) {
    let layout = database.layout();
    let width = layout.width();
    out.rows.clear();
    out.rows.resize(N_ROWS * width, 0.0);
    let steps = database.steps();
    let parts = choice.parts();
    for part in parts {
        let weight = part.weight as f32;
        for (sum, value) in out.rows.iter_mut().zip(&*steps[part.step].rows) {
            *sum += weight * value;
        }
    }
    let heaviest = choice.heaviest();
    if parts.len() > 1 {
        blend_turns(database, choice, heaviest, &mut out.rows, width);
    }
    let sum = |of: &dyn Fn(usize) -> f64| parts.iter().map(|part| part.weight * of(part.step)).sum::<f64>();
    // Extrapolated durations stay durations.
    let time = |of: fn(&StepTimes) -> f64| sum(&|step| of(&steps[step].times)).max(0.2 * of(&steps[heaviest].times));
    out.times = StepTimes { first: time(|t| t.first), swing: time(|t| t.swing), last: time(|t| t.last) };
    out.headings = std::array::from_fn(|k| {
        let about = steps[heaviest].headings[k];
        about + sum(&|step| turn_between(about, steps[step].headings[k]))
    });
}

/// Rotations of pelvis and feet, and knee rolls, about those of the heaviest step.
fn blend_turns(database: &StepDatabase, choice: &Choice, heaviest: usize, rows: &mut [f32], width: usize) {
    let steps = database.steps();
    let mut before = [Quat::IDENTITY; 3];
    // Ways from the heaviest step's rotation to each other one's, in the row before: past half a circle they go on the
    // same way round.
    let mut ways = [[Vec3::ZERO; 4]; 3];
    for (index, row) in rows.chunks_exact_mut(width).enumerate() {
        let of = |step: usize| &steps[step].rows[index * width..][..width];
        let own = of(heaviest);
        for ((start, before), ways) in RowLayout::QUATS.into_iter().zip(&mut before).zip(&mut ways) {
            let about = quat(&own[start..]);
            let mut sum = Vec3::ZERO;
            let others = choice.parts().iter().zip(ways).filter(|(part, _)| part.step != heaviest);
            for (part, way) in others {
                let short = rotation::log_map(about.conjugate() * quat(&of(part.step)[start..]));
                *way = if index > 0 { same_way_round(short, *way) } else { short };
                sum += *way * part.weight;
            }
            let mut blended = about * rotation::exp_map(sum);
            if index > 0 {
                blended = rotation::same_hemisphere(blended, *before);
            }
            *before = blended;
            row[start..start + 4].copy_from_slice(&blended.as_quat().to_array());
        }
        for roll in RowLayout::ROLLS {
            let about = f64::from(own[roll]);
            let turn = |step: usize| turn_between(about, f64::from(of(step)[roll]));
            let sum: f64 = choice.parts().iter().map(|part| part.weight * turn(part.step)).sum();
            row[roll] = (about + sum) as f32;
        }
    }
}

/// The rotation vector of the same rotation that is nearer to another one: the short way round, or the long one.
fn same_way_round(short: Vec3, before: Vec3) -> Vec3 {
    let angle = short.length();
    if angle < std::f64::consts::FRAC_PI_2 {
        return short;
    }
    let long = short * (1.0 - std::f64::consts::TAU / angle);
    if long.distance_squared(before) < short.distance_squared(before) { long } else { short }
}

fn quat(row: &[f32]) -> Quat {
    Quat::from_xyzw(f64::from(row[0]), f64::from(row[1]), f64::from(row[2]), f64::from(row[3]))
}

impl BlendedStep {
    /// Leads the swinging foot from where it is asked to start to where it is asked to end, and the pelvis half as far:
    /// nothing but rounding inside the hull, and all of the way for a step that only came near.
    pub(super) fn lead_to(&mut self, query: &StepQuery, made: Vec3, width: usize) {
        let side = query.parameters.swing;
        let miss = query.parameters.point() - made;
        let outward = if side == Side::Left { 1.0 } else { -1.0 };
        let from = Vec3::new(outward * miss.x, 0.0, 0.0);
        let to = Vec3::new(outward * miss.y, 0.0, miss.z);
        if from.length().max(to.length()) < 1e-9 {
            return;
        }
        let ball = RowLayout::ball_of(side);
        for (index, row) in self.rows.chunks_exact_mut(width).enumerate() {
            let share = smoothstep((index as f64 - N_SUPPORT as f64) / N_SWING as f64);
            let offset = from.lerp(to, share);
            for k in 0..3 {
                row[ball + k] += offset[k] as f32;
                row[k] += (0.5 * offset[k]) as f32;
            }
        }
    }
}
