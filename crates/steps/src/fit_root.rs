//! A pelvis that does not jump from step to step.
//!
//! Reference: STRIDE 5.7, figures 5.9 and 5.10.
//!
//! Steps are blended one by one, so that the pelvis of one need not go on where that of the step before ended. In a
//! window around their double support its way is a cubic Bezier curve: the first and last control points are its places
//! at the ends of the window, the middle ones lie at thirds of the window along its speeds there.
//!
//! Departure: the paper slerps the rotation through the window, which changes its speed at both ends from one frame to
//! the next. Ours goes along the same kind of curve, in the rotation vectors from its first rotation.

use surefoot_geom::{Quat, Transform, Vec3, rotation};

/// A cubic Bezier curve with control points at thirds: it has the given ends and, per window, the given slopes.
fn bezier([first, last]: [Vec3; 2], slopes: [Vec3; 2], t: f64) -> Vec3 {
    let controls = [first, first + slopes[0] / 3.0, last - slopes[1] / 3.0, last];
    let u = 1.0 - t;
    controls[0] * (u * u * u)
        + controls[1] * (3.0 * u * u * t)
        + controls[2] * (3.0 * u * t * t)
        + controls[3] * (t * t * t)
}

/// Replaces the pelvis between the second and the last but one of a window's frames. At least four frames, or nothing
/// is done.
pub(super) fn fit_root(pelvis: &mut [&mut Transform]) {
    let n = pelvis.len();
    if n < 4 {
        return;
    }
    let span = (n - 3) as f64;
    let [before, first, last, after] = [0, 1, n - 2, n - 1].map(|index| *pelvis[index]);
    let turned = |to: Quat| rotation::log_map(first.rotation.conjugate() * to);
    let places = [first.translation, last.translation];
    let slopes = [first.translation - before.translation, after.translation - last.translation].map(|way| way * span);
    let turns = [Vec3::ZERO, turned(last.rotation)];
    let turn_slopes = [-turned(before.rotation), turned(after.rotation) - turns[1]].map(|way| way * span);
    for (index, pelvis) in pelvis.iter_mut().enumerate().take(n - 2).skip(2) {
        let t = (index - 1) as f64 / span;
        pelvis.translation = bezier(places, slopes, t);
        pelvis.rotation = first.rotation * rotation::exp_map(bezier(turns, turn_slopes, t));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pelvis_that_moves_on_evenly_stays_as_it_is_and_a_jump_is_gone() {
        let at = |frame: f64| Transform::new(Quat::from_rotation_y(0.02 * frame), Vec3::new(0.0, 1.0, 0.05 * frame));
        let mut even: Vec<Transform> = (0..12).map(|frame| at(f64::from(frame))).collect();
        let expected = even.clone();
        fit_root(&mut even.iter_mut().collect::<Vec<_>>());
        for (made, wanted) in even.iter().zip(&expected) {
            assert!(made.translation.distance(wanted.translation) < 1e-12);
            assert!(rotation::angle_between(made.rotation, wanted.rotation) < 1e-9);
        }
        let mut jump = expected.clone();
        for pelvis in &mut jump[6..] {
            pelvis.translation.y -= 0.05;
        }
        fit_root(&mut jump.iter_mut().collect::<Vec<_>>());
        let largest = jump.windows(2).map(|pair| (pair[1].translation.y - pair[0].translation.y).abs());
        assert!(largest.fold(0.0, f64::max) < 0.012);
    }
}
