//! Where a body's centre of mass is, and how fast it accelerates: what shows whether anything carries it.

use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, Side, WorldPose};

/// Where the centre of mass of a person is in a pose.
///
/// Shares of the body's mass (Plagenhoef et al. 1983, men): head and trunk 0.558, each thigh 0.105, each shin with its foot
/// 0.062, each arm with its hand 0.058.
pub fn centre_of_mass(pose: &WorldPose, body: &BodyMap) -> Vec3 {
    let at = |joint| pose.position(joint);
    let top = body.spine.last().map_or(at(body.pelvis), |&joint| at(joint));
    let mut sum = 0.558 * (0.45 * at(body.pelvis) + 0.55 * top);
    let mut mass = 0.558;
    for side in Side::BOTH {
        let leg = &body.legs[side];
        sum += 0.105 * (at(leg.hip) + at(leg.knee)) / 2.0 + 0.062 * (0.45 * at(leg.knee) + 0.55 * at(leg.ankle));
        mass += 0.167;
        if let Some(arm) = &body.arms[side] {
            sum += 0.058 * at(arm.elbow);
            mass += 0.058;
        }
    }
    sum / mass
}

/// Second derivative, per frame squared, of the parabola that fits best. 0 or NaN for fewer than three values.
pub fn second_derivative(values: &[f64]) -> f64 {
    // With x centred, x and x^2 - mean(x^2) are orthogonal, so the coefficient of x^2 is a plain projection.
    let n = values.len() as f64;
    let x = |i: usize| i as f64 - (n - 1.0) / 2.0;
    let mean_square = (n * n - 1.0) / 12.0;
    let (mut product, mut square) = (0.0, 0.0);
    for (i, value) in values.iter().enumerate() {
        let basis = x(i) * x(i) - mean_square;
        product += basis * value;
        square += basis * basis;
    }
    2.0 * product / square
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_gives_its_second_derivative() {
        let fall: Vec<f64> = (0..20).map(|i| 1.0 + 0.3 * f64::from(i) - 0.5 * 0.02 * f64::from(i * i)).collect();
        assert!((second_derivative(&fall) + 0.02).abs() < 1e-12);
    }
}
