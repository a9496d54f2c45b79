//! The root's own error, from feet that should stand still.
//!
//! While a part of a foot is planted, whatever it moves by is an error. Where the legs are right, it is the root's. So the root's
//! trajectory is corrected by the curve `c` that minimises
//!
//! ```text
//! sum_t  |c' + v|^2 / S   +   T^2 |c''|^2 / S   +   |c|^2 / (S L^2)
//! ```
//!
//! with the mean velocity `v` of what is planted, where anything is; feet that roll on one part count little. Where flat feet slide no
//! faster than those of any recording, the root is left alone. `T` ([`SMOOTH`]) smooths over noise and flights. `L` ([`LEAK`]) is how
//! long an error is remembered: a drift leaves no trace of where the body was, so corrections return to nothing, and a slide that
//! goes on evenly is none of the root's.
//!
//! A slide that is a share of the root's own velocity is a wrong scale ([`find_scale`]). Heights are known better than places on the
//! ground: they are those of the surfaces that plants are on ([`correct_height`]).

use std::ops::Range;
use surefoot_contact::{Contacts, Plant};
use surefoot_geom::{BandMatrix, Vec3};
use surefoot_motion::{BodyMap, Side, WorldPose};

/// T, in seconds.
const SMOOTH: f64 = 0.12;
/// L, in seconds.
const LEAK: f64 = 0.7;

/// A foot that is planted with one part rolls: what it moves by counts this much beside that of a flat foot.
const ROLLING: f64 = 0.05;
/// Feet land and leave for this long at both ends of a plant, in seconds.
const EDGE: f64 = 0.03;
/// Flat feet of recordings slide as fast as this, in metres a second: no reason to move the root.
const USUAL_SLIDE: f64 = 0.1;
/// Nor is less time on flat feet than this, in seconds: runners have none.
const LEAST_TIME: f64 = 0.5;
/// Plants of a recorded floor differ by this to both sides, in metres.
const USUAL_STEP: f64 = 0.02;

/// Heights of the root are corrected as smoothly as this, in seconds.
const SMOOTH_HEIGHT: f64 = 0.25;

/// A scale is believed if it differs from 1 by more than this: feet that roll move by a few hundredths of the pelvis's way.
const LEAST_SCALE: f64 = 0.08;
/// ...and by less than this.
const MOST_SCALE: f64 = 0.5;
/// Slower pelvises tell nothing of the scale, in metres a second.
const SLOWEST: f64 = 0.3;
/// Slides are taken over this time, in seconds: the noise of single frames says nothing.
const MOMENT: f64 = 0.2;
/// A scale is believed if it is that of so many moments, to this share of its difference from 1, over this share of the way.
const LEAST_MOMENTS: usize = 4;
const AGREES: f64 = 0.4;
const AGREEING: f64 = 0.7;

/// What planted feet move by from one frame to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slide {
    /// On the mean, in metres.
    by: Vec3,
    /// How surely it is an error: 1 or more if a foot is flat.
    weight: f64,
}

/// What planted feet move by, between each frame and the next.
pub(super) fn slides(poses: &[WorldPose], body: &BodyMap, contacts: &Contacts, frame_rate: f64) -> Vec<Slide> {
    let n_pairs = poses.len().saturating_sub(1);
    let edge = (EDGE * frame_rate).round() as usize;
    let mut sums = vec![Slide::default(); n_pairs];
    for side in Side::BOTH {
        let mut parts = vec![(Vec3::ZERO, 0.0); n_pairs];
        for plant in &contacts.plants[side] {
            let place = |frame: usize| plant.part.place(body, &poses[frame], side);
            let (start, end) = (plant.frames.start + edge, plant.frames.end.saturating_sub(edge));
            for frame in start + 1..end {
                parts[frame - 1].0 += place(frame) - place(frame - 1);
                parts[frame - 1].1 += 1.0;
            }
        }
        for (sum, (moved, count)) in sums.iter_mut().zip(parts) {
            let weight = if count > 1.0 { 1.0 } else { ROLLING * count };
            sum.by += moved * (weight / f64::max(count, 1.0));
            sum.weight += weight;
        }
    }
    for slide in sums.iter_mut().filter(|slide| slide.weight > 0.0) {
        slide.by /= slide.weight;
    }
    sums
}

/// A moment ([`MOMENT`]) in which something is planted.
struct Moment {
    /// What it moves by in all, and the root meanwhile, along the ground.
    by: Vec3,
    way: Vec3,
    /// Frames, each with the weight of its slide.
    weight: f64,
    n_frames: usize,
}

fn moments(slides: &[Slide], roots: &[Vec3], frame_rate: f64) -> Vec<Moment> {
    let ways = roots.windows(2).map(|pair| (pair[1] - pair[0]).with_y(0.0));
    let pairs: Vec<(&Slide, Vec3)> = slides.iter().zip(ways).collect();
    let moment = |pairs: &[(&Slide, Vec3)]| {
        let weight: f64 = pairs.iter().map(|(slide, _)| slide.weight).sum();
        let sum =
            |of: &dyn Fn(&(&Slide, Vec3)) -> Vec3| pairs.iter().map(|pair| of(pair) * pair.0.weight).sum::<Vec3>();
        let scale = pairs.len() as f64 / weight;
        Moment {
            by: sum(&|pair| pair.0.by.with_y(0.0)) * scale,
            way: sum(&|pair| pair.1) * scale,
            weight,
            n_frames: pairs.len(),
        }
    };
    let runs = pairs.chunk_by(|a, b| (a.0.weight > 0.0) == (b.0.weight > 0.0));
    let n_frames = ((MOMENT * frame_rate) as usize).max(1);
    runs.filter(|run| run[0].0.weight > 0.0).flat_map(|run| run.chunks(n_frames)).map(moment).collect()
}

impl Moment {
    /// How flat the feet are, from [`ROLLING`] for one that rolls to 2 for two that are flat.
    fn flatness(&self) -> f64 {
        self.weight / self.n_frames as f64
    }
}

/// Whether flat feet slide more than those of recordings do.
pub(super) fn is_drifting(slides: &[Slide], roots: &[Vec3], frame_rate: f64) -> bool {
    let is_flat = |moment: &Moment| moment.flatness() > 0.5;
    let flat: Vec<Moment> = moments(slides, roots, frame_rate).into_iter().filter(is_flat).collect();
    let total: f64 = flat.iter().map(|moment| moment.weight).sum();
    let speed = |moment: &Moment| moment.by.length() * frame_rate / moment.n_frames as f64;
    let squares: f64 = flat.iter().map(|moment| moment.weight * speed(moment).powi(2)).sum();
    total > LEAST_TIME * frame_rate && squares > USUAL_SLIDE.powi(2) * total
}

/// How much larger the root's trajectory should be for planted feet to stand still; `None` if they tell nothing, or it is right.
pub(super) fn find_scale(slides: &[Slide], roots: &[Vec3], frame_rate: f64) -> Option<f64> {
    let fast = |moment: &Moment| moment.way.length() * frame_rate > SLOWEST * moment.n_frames as f64;
    // Of each moment, how much more the root should have moved, and how far it did.
    let share = |moment: Moment| {
        (-moment.by.dot(moment.way) / moment.way.length_squared(), moment.way.length() * moment.flatness())
    };
    let mut shares: Vec<(f64, f64)> = moments(slides, roots, frame_rate).into_iter().filter(fast).map(share).collect();
    shares.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = shares.iter().map(|share| share.1).sum();
    let mut seen = 0.0;
    let middle = shares.iter().find(|share| {
        seen += share.1;
        2.0 * seen >= total
    })?;
    let agrees = |share: &&(f64, f64)| (share.0 - middle.0).abs() < AGREES * middle.0.abs();
    let agreeing = shares.iter().filter(agrees);
    let (count, way) = agreeing.fold((0, 0.0), |(count, way), share| (count + 1, way + share.1));
    let is_wrong = middle.0.abs() > LEAST_SCALE && middle.0.abs() < MOST_SCALE;
    (is_wrong && count >= LEAST_MOMENTS && way > AGREEING * total).then_some(1.0 + middle.0)
}

/// The correction of the root along the ground in each frame; `runs` are those of the frames that are motion.
pub(super) fn correct_drift(slides: &[Slide], runs: &[Range<usize>], n_frames: usize, frame_rate: f64) -> Vec<Vec3> {
    let mut matrix = BandMatrix::new(n_frames);
    let mut right = vec![Vec3::ZERO; n_frames];
    let (smooth, leak) = (SMOOTH * frame_rate, 1.0 / (LEAK * frame_rate));
    (0..n_frames).for_each(|frame| matrix.add_square(frame, &[1.0], leak * leak));
    let inner = |run: &Range<usize>| run.start + 2..run.end;
    runs.iter().flat_map(inner).for_each(|frame| matrix.add_square(frame - 2, &[1.0, -2.0, 1.0], smooth * smooth));
    for frame in runs.iter().flat_map(|run| run.start..run.end - 1) {
        let Slide { by, weight } = slides[frame];
        matrix.add_square(frame, &[-1.0, 1.0], weight);
        right[frame] += by.with_y(0.0) * weight;
        right[frame + 1] -= by.with_y(0.0) * weight;
    }
    matrix.factor().solve(&mut right);
    right
}

/// The correction of the root's height, in each frame, that brings plants to the heights that `surface` gives: exactly if it is
/// `known`, else as near as those of recordings are.
pub(super) fn correct_height(
    poses: &[WorldPose],
    body: &BodyMap,
    contacts: &Contacts,
    frame_rate: f64,
    known: bool,
    surface: impl Fn(Side, usize, &Plant) -> f64,
) -> Vec<f64> {
    let n_frames = poses.len();
    let mut matrix = BandMatrix::new(n_frames);
    let mut right = vec![0.0; n_frames];
    let smooth = (SMOOTH_HEIGHT * frame_rate).powi(4);
    // Hardly anything, so that what no plant tells is no correction.
    (0..n_frames).for_each(|frame| matrix.add_square(frame, &[1.0], 1e-6));
    (2..n_frames).for_each(|frame| matrix.add_square(frame - 2, &[1.0, -2.0, 1.0], smooth));
    for side in Side::BOTH {
        for (index, plant) in contacts.plants[side].iter().enumerate() {
            let height = surface(side, index, plant);
            if !height.is_finite() {
                continue;
            }
            for frame in plant.frames.clone() {
                let off = height - plant.part.place(body, &poses[frame], side).y;
                let usual = if known { 0.0 } else { off.clamp(-USUAL_STEP, USUAL_STEP) };
                matrix.add_square(frame, &[1.0], 1.0);
                right[frame] += off - usual;
            }
        }
    }
    matrix.factor().solve(&mut right);
    right
}
