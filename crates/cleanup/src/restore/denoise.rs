//! Each joint's curve without its own noise.
//!
//! References: Eilers 2003, after Whittaker 1923 (the smoother); Craven 1979 (how smooth: generalised cross-validation).
//!
//! A curve `y` becomes the `x` that minimises
//!
//! ```text
//! sum_t w_t |x_t - y_t|^2  +  lambda sum_t |x_t+3 - 3 x_t+2 + 3 x_t+1 - x_t|^2
//! ```
//!
//! 1. Fourth differences hardly see a motion, but all of its noise. Their median over the clip is the joint's usual noise, their median
//!    around a frame the noise there. Where that stands out (a burst), the frame weighs less, as its variance is larger.
//! 2. `lambda` is the one that would predict left-out frames best.
//! 3. Rounded angles have no such noise: they repeat a value and step to the next. There `lambda` is the least that leaves residuals as
//!    large as rounding.
//! 4. Frames whose noise is that of any recording are left alone.
//!
//! Rotations are quaternions of one sign along the clip, smoothed as four numbers and brought back to length 1: the smoother is linear, so it
//! commutes with turning the curve as a whole.
//!
//! Limits: noise that is as slow as the motion is motion to this; what of it moves planted feet is taken out later.

use surefoot_geom::{BandMatrix, Quat, Transform, Vec4, median};

/// Fewer frames are left alone.
pub(super) const LEAST_FRAMES: usize = 12;

/// Noise around a frame is taken over this time to both sides, in seconds, and over at least two frames: longer than a foot takes to
/// land, shorter than a burst.
const AROUND: f64 = 0.05;

/// What stands out from the usual noise by more than this factor is a burst.
const BURST: f64 = 2.5;

/// Less noise than this is rounding: 0.02 degrees, 0.2 mm.
const LEAST_NOISE: [f64; 2] = [0.000_35, 0.000_2];
/// Less noise than this is that of any recording, and left alone: 0.12 degrees, 0.3 mm. Twice as much is filtered.
const SEEN_NOISE: [f64; 2] = [0.002, 0.000_3];

/// A curve was rounded if in so many of its frames it begins or ceases to repeat the value before...
const ALTERNATES: f64 = 0.1;
/// ...by more than this, in metres or as a part of a quaternion (0.01 degrees): digits that a file cuts off are no rounding...
const LEAST_STEP: f64 = 1e-4;
/// ...and smoothing then leaves residuals of this share of a step: those of rounding about one to three axes have 0.29 to 0.5 of it.
const ROUNDED_REST: f64 = 0.4;

/// The smallest lambda, and the factor to the next.
const FIRST_LAMBDA: f64 = 1e-3;
const LAMBDA_STEP: f64 = 5.0;
const ROUNDED_LAMBDA_STEP: f64 = 4.0;

/// Slower motion than this is never smoothed away, in hertz.
const LEAST_CUT: f64 = 2.5;

/// Sum of squared coefficients of fourth differences (1, -4, 6, -4, 1).
const FOURTH_GAIN: f64 = 70.0;

/// The median of the squared length of a normal vector with three axes of variance 1.
const MEDIAN_CHI_SQUARED_3: f64 = 2.366;

/// What of a joint's transform is smoothed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Channel {
    Rotation,
    Translation,
}

/// Smooths one channel of a joint in place, and returns its usual noise: the standard deviation along each axis, in radians or metres.
pub(super) fn denoise(locals: &mut [Transform], channel: Channel, frame_rate: f64) -> f64 {
    let curve = read(locals, channel);
    let Some(noise) = Noise::of(&curve, channel, frame_rate) else { return 0.0 };
    let smooth = match rounding_step(&curve, channel) {
        Some(step) => smooth_steps(&curve, step, frame_rate),
        None => smoothest_prediction(&curve, &noise, frame_rate),
    };
    for (frame, local) in locals.iter_mut().enumerate() {
        let value = curve[frame].lerp(smooth[frame], noise.shows[frame]);
        match channel {
            Channel::Rotation => local.rotation = Quat::from_vec4(value).normalize(),
            Channel::Translation => local.translation = value.truncate(),
        }
    }
    noise.usual
}

/// The curve as four numbers a frame; quaternions of one sign.
fn read(locals: &[Transform], channel: Channel) -> Vec<Vec4> {
    let mut before = Vec4::W;
    let value = |local: &Transform| match channel {
        Channel::Translation => local.translation.extend(0.0),
        Channel::Rotation => {
            let turn = Vec4::from(local.rotation);
            before = if turn.dot(before) < 0.0 { -turn } else { turn };
            before
        }
    };
    locals.iter().map(value).collect()
}

/// The noise of a curve.
struct Noise {
    /// Its usual standard deviation along each axis.
    usual: f64,
    /// What each frame counts: its variance against the usual one.
    weights: Vec<f64>,
    /// The variance along an axis against that of third differences, which the motion has a part in: no less smoothing makes sense.
    least_lambda: f64,
    /// 0 in frames whose noise nobody sees, which are left alone, to 1 in those that are filtered.
    shows: Vec<f64>,
}

impl Noise {
    /// `None` for a curve that does not move.
    fn of(curve: &[Vec4], channel: Channel, frame_rate: f64) -> Option<Noise> {
        let fourth = |w: &[Vec4]| (w[0] - w[1] * 4.0 + w[2] * 6.0 - w[3] * 4.0 + w[4]).length();
        // A quaternion moves by half of the angle.
        let (unit, least, seen) = match channel {
            Channel::Rotation => (2.0, LEAST_NOISE[0], SEEN_NOISE[0]),
            Channel::Translation => (1.0, LEAST_NOISE[1], SEEN_NOISE[1]),
        };
        let scale = unit / (FOURTH_GAIN * MEDIAN_CHI_SQUARED_3).sqrt();
        let sizes: Vec<f64> = curve.windows(5).map(|w| scale * fourth(w)).collect();
        if curve.iter().all(|value| *value == curve[0]) {
            return None;
        }
        let usual = median(&mut sizes.clone())?;
        let base = usual.max(least);
        let reach = ((AROUND * frame_rate).round() as usize).max(2);
        let mut near = Vec::new();
        let mut noise_at = |frame: usize| {
            // The middle of difference k is frame k + 2.
            let (first, last) = ((frame + 2).saturating_sub(2 * 2 + reach), (frame + reach).saturating_sub(1));
            near.clear();
            near.extend_from_slice(&sizes[first.min(sizes.len() - 1)..last.clamp(1, sizes.len())]);
            median(&mut near).unwrap_or(base)
        };
        let noise: Vec<f64> = (0..curve.len()).map(&mut noise_at).collect();
        let weight = |here: &f64| if *here > BURST * base { (base / here).powi(2) } else { 1.0 };
        let shows = |here: &f64| (here.max(usual) / seen - 1.0).clamp(0.0, 1.0);
        let third = |w: &[Vec4]| unit * (w[3] - w[2] * 3.0 + w[1] * 3.0 - w[0]).length();
        let usual_third = median(&mut curve.windows(4).map(third).collect::<Vec<f64>>())?.max(base);
        Some(Noise {
            usual,
            weights: noise.iter().map(weight).collect(),
            least_lambda: MEDIAN_CHI_SQUARED_3 * (base / usual_third).powi(2),
            shows: noise.iter().map(shows).collect(),
        })
    }
}

/// The smooth curve whose lambda predicts left-out frames best.
fn smoothest_prediction(curve: &[Vec4], noise: &Noise, frame_rate: f64) -> Vec<Vec4> {
    let (slowest, weights) = (slowest_lambda(frame_rate), &noise.weights);
    let mut best = (f64::INFINITY, curve.to_vec());
    let mut lambda = noise.least_lambda.clamp(FIRST_LAMBDA, slowest);
    while lambda <= slowest {
        let smooth = smoothed(curve, weights, lambda);
        let rest: f64 = curve.iter().zip(&smooth).zip(weights).map(|((y, x), w)| w * (*y - *x).length_squared()).sum();
        let score = rest / (1.0 - kept_share(lambda)).powi(2);
        if score < best.0 {
            best = (score, smooth);
        } else if score > 2.0 * best.0 {
            break;
        }
        lambda *= LAMBDA_STEP;
    }
    best.1
}

/// The step that a curve was rounded to, if it was: it repeats values, and goes on by a step, again and again.
fn rounding_step(curve: &[Vec4], channel: Channel) -> Option<f64> {
    let step_of = |part: &dyn Fn(&Vec4) -> Vec4| {
        let steps: Vec<f64> = curve.windows(2).map(|pair| (part(&pair[1]) - part(&pair[0])).length()).collect();
        let moves = |step: f64| step > LEAST_STEP;
        let changes = steps.windows(2).filter(|pair| moves(pair[0]) != moves(pair[1])).count();
        let mut moving: Vec<f64> = steps.into_iter().filter(|&step| moves(step)).collect();
        (changes as f64 > ALTERNATES * curve.len() as f64).then(|| median(&mut moving)).flatten()
    };
    let whole = step_of(&|value| *value);
    // The numbers of a quaternion are not rounded one by one.
    if channel == Channel::Rotation {
        return whole;
    }
    let axes = [Vec4::X, Vec4::Y, Vec4::Z].map(|axis| step_of(&move |value: &Vec4| *value * axis));
    whole.or(axes.into_iter().flatten().max_by(f64::total_cmp))
}

/// The least smooth curve that is as far from a rounded one as rounding puts it.
fn smooth_steps(curve: &[Vec4], step: f64, frame_rate: f64) -> Vec<Vec4> {
    let weights = vec![1.0; curve.len()];
    let slowest = slowest_lambda(frame_rate);
    let mut lambda = FIRST_LAMBDA;
    loop {
        let smooth = smoothed(curve, &weights, lambda);
        let rest: f64 = curve.iter().zip(&smooth).map(|(y, x)| (*y - *x).length_squared()).sum();
        lambda *= ROUNDED_LAMBDA_STEP;
        if (rest / curve.len() as f64).sqrt() > ROUNDED_REST * step || lambda > slowest {
            return smooth;
        }
    }
}

/// The lambda that smooths away all but the slowest motion.
fn slowest_lambda(frame_rate: f64) -> f64 {
    (2.0 * (std::f64::consts::PI * LEAST_CUT / frame_rate).min(1.0).sin()).powi(-6)
}

/// The share of a curve's freedom that the smoother keeps: the mean of its gain over all frequencies.
fn kept_share(lambda: f64) -> f64 {
    const SAMPLES: usize = 256;
    let gain = |k: usize| {
        let half_angle = std::f64::consts::FRAC_PI_2 * (k as f64 + 0.5) / SAMPLES as f64;
        1.0 / (1.0 + lambda * (2.0 * half_angle.sin()).powi(6))
    };
    (0..SAMPLES).map(gain).sum::<f64>() / SAMPLES as f64
}

fn smoothed(curve: &[Vec4], weights: &[f64], lambda: f64) -> Vec<Vec4> {
    let mut matrix = BandMatrix::new(curve.len());
    weights.iter().enumerate().for_each(|(frame, &weight)| matrix.add_square(frame, &[1.0], weight));
    (3..curve.len()).for_each(|frame| matrix.add_square(frame - 3, &[-1.0, 3.0, -3.0, 1.0], lambda));
    let mut values: Vec<Vec4> = curve.iter().zip(weights).map(|(value, &weight)| *value * weight).collect();
    matrix.factor().solve(&mut values);
    values
}
