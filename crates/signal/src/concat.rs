//! Clips one after another, each blended into the next.
//!
//! Reference: SIGNAL 5.5: `theta(t) = (1 - a(t)) theta_1(t) + a(t) theta_2(t)` over a transition zone.
//!
//! The end of one clip and the beginning of the next lie over each other for the length of the zone and are blended
//! ([`crate::blend`]), with a weight that goes from the first to the second along a curve. The root trajectory goes on by
//! steps, so that the second clip continues wherever and in whatever direction the first has gone.
//!
//! Where the zone lies is the caller's choice: at the very ends, or where the two motions are most alike
//! (`pose_distance.rs`) within some seconds of them; then what lies beyond is cut off. With a timewarp the two sides of the
//! zone are registered first, and the pace goes over from one to the other like the movement.

use crate::amount::Amount;
use crate::bands::Edge;
use crate::blend::{Blend, BlendError, BlendOptions, Registration, blend, check_clips};
use crate::curves::Curves;
use crate::find_warp::{FindWarpOptions, JointWeights, find_warp};
use crate::pose_distance::{MAX_COMPARISONS, SeenFromRoot};
use crate::root_trajectory::RootTrajectory;
use std::ops::Range;
use surefoot_motion::count_frames;

/// How the weight goes from one clip to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fade {
    /// At an even rate, as the paper has it: a corner at both ends.
    Linear,
    /// With level ends.
    Ease,
}

/// Where the zone lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cut {
    /// At the end of the one and the beginning of the other.
    Ends,
    /// Where both are most alike, within so many seconds of the end of the one and of the beginning of the other.
    Best {
        /// Not negative.
        within_seconds: f64,
    },
}

/// How clips are joined.
#[derive(Clone, Debug, PartialEq)]
pub struct ConcatOptions {
    /// Length of the transition zone in seconds, 0 or more; shortened where a clip is shorter. Default 0.4: about a step.
    pub zone_seconds: f64,
    /// The blend curve. Default: with level ends.
    pub fade: Fade,
    /// Where it lies. Default: at the ends.
    pub cut: Cut,
    /// Whether both sides of the zone are registered in time first, and how. Default: not.
    pub warp: Option<FindWarpOptions>,
}

impl Default for ConcatOptions {
    fn default() -> ConcatOptions {
        ConcatOptions { zone_seconds: 0.4, fade: Fade::Ease, cut: Cut::Ends, warp: None }
    }
}

/// Where two clips were joined.
#[derive(Clone, Debug, PartialEq)]
pub struct Seam {
    /// Frames of the result that are made of both.
    pub frames: Range<usize>,
    /// The frames of the clip before it that went in, and of the one after it.
    pub from: [Range<usize>; 2],
    /// How unlike the two are in the middle of the zone, in metres (root of the mean squared distance of joints).
    pub distance: f64,
}

/// Clips joined.
#[derive(Clone, Debug, PartialEq)]
pub struct Concat {
    /// The motion.
    pub curves: Curves,
    /// One for each pair of neighbours.
    pub seams: Vec<Seam>,
    /// For each clip, its time in frames at each frame of the result; not a number where it has no part in it.
    pub times: Vec<Vec<f64>>,
    /// For each clip, its share at each frame of the result.
    pub shares: Vec<Vec<f64>>,
}

/// Clips one after another. `clips` come from [`Curves::read_all`].
pub fn concat(clips: &[Curves], options: &ConcatOptions) -> Result<Concat, BlendError> {
    check_clips(clips)?;
    let first = &clips[0];
    let n_frames = first.n_frames();
    let frames: Vec<f64> = (0..n_frames).map(|frame| frame as f64).collect();
    let mut joined =
        Concat { curves: first.clone(), seams: Vec::new(), times: vec![frames], shares: vec![vec![1.0; n_frames]] };
    for next in &clips[1..] {
        // Nothing of the seam before may be blended again: its shares are reported for two clips only.
        let free_from = joined.seams.last().map_or(0, |seam| seam.frames.end);
        join(&mut joined, free_from, next, options)?;
    }
    Ok(joined)
}

fn join(joined: &mut Concat, free_from: usize, next: &Curves, options: &ConcatOptions) -> Result<(), BlendError> {
    let before = &joined.curves;
    let [zone, next_zone] = find_zone(before, free_from, next, options)?;
    let distance = {
        let middle = |zone: &Range<usize>| (zone.start + zone.end - 1) / 2;
        let tail = frames_of(before, &zone);
        let head = frames_of(next, &next_zone);
        let [seen, seen_next] = [&tail, &head].map(SeenFromRoot::of);
        seen.distance(middle(&zone) - zone.start, &seen_next, middle(&next_zone) - next_zone.start, 0)
    };
    let mixed = blend_zone(before, &zone, next, &next_zone, options)?;
    let n_mixed = mixed.curves.n_frames();
    let rest = frames_of(next, &(next_zone.end..next.n_frames()));
    let trajectory = continued_trajectory(before, zone.start, &mixed.curves, next, next_zone.end);
    let mut curves = before.first_frames(zone.start).followed_by(&mixed.curves).followed_by(&rest);
    trajectory.write(&mut curves);
    let n_frames = curves.n_frames();
    for (times, shares) in joined.times.iter_mut().zip(&mut joined.shares) {
        let sources: Vec<(f64, f64)> = mixed.times[0]
            .iter()
            .zip(&mixed.shares[0])
            .map(|(time, share)| (*time + zone.start as f64, *share))
            .collect();
        let (old_times, old_shares) = (times.clone(), shares.clone());
        times.truncate(zone.start);
        shares.truncate(zone.start);
        for (time, share) in sources {
            let frame = (time.round() as usize).min(old_times.len() - 1);
            times.push(old_times[frame]);
            shares.push(share * old_shares[frame]);
        }
        times.resize(n_frames, f64::NAN);
        shares.resize(n_frames, 0.0);
    }
    let nothing = std::iter::repeat_n((f64::NAN, 0.0), zone.start);
    let in_zone =
        mixed.times[1].iter().zip(&mixed.shares[1]).map(|(time, share)| (time + next_zone.start as f64, *share));
    let after = (next_zone.end..next.n_frames()).map(|frame| (frame as f64, 1.0));
    let (times, shares) = nothing.chain(in_zone).chain(after).unzip();
    joined.times.push(times);
    joined.shares.push(shares);
    joined.seams.push(Seam { frames: zone.start..zone.start + n_mixed, from: [zone, next_zone], distance });
    joined.curves = curves;
    Ok(())
}

fn frames_of(curves: &Curves, frames: &Range<usize>) -> Curves {
    curves.sample(&frames.clone().map(|frame| frame as f64).collect::<Vec<f64>>())
}

/// The frames of both clips that lie over each other: as many of each.
fn find_zone(
    before: &Curves,
    free_from: usize,
    next: &Curves,
    options: &ConcatOptions,
) -> Result<[Range<usize>; 2], BlendError> {
    let rate = before.frame_rate;
    let free = before.n_frames() - free_from.min(before.n_frames() - 1);
    let wanted = count_frames((options.zone_seconds * rate).round()) + 1;
    let length = wanted.min(free).min(next.n_frames()).max(1);
    let at_ends = [before.n_frames() - length..before.n_frames(), 0..length];
    let Cut::Best { within_seconds } = options.cut else { return Ok(at_ends) };
    let within = count_frames((within_seconds * rate).round());
    let slack = within.min(free - length);
    let next_slack = within.min(next.n_frames() - length);
    let n_pairs = (slack + 1) as f64 * (next_slack + 1) as f64;
    let work = n_pairs * length as f64 * before.skeleton.n_joints() as f64;
    if work > MAX_COMPARISONS {
        let (frames, next_frames, limit) = (slack + length, next_slack + length, MAX_COMPARISONS);
        return Err(BlendError::TooMuchWork { frames, next_frames, work, limit });
    }
    let tail = frames_of(before, &(before.n_frames() - length - slack..before.n_frames()));
    let head = frames_of(next, &(0..length + next_slack));
    let [seen, seen_next] = [&tail, &head].map(SeenFromRoot::of);
    let half = length / 2;
    let mut best = (f64::INFINITY, 0, 0);
    for start in 0..=slack {
        for next_start in 0..=next_slack {
            let distance = seen.distance(start + half, &seen_next, next_start + half, half);
            // Of equals the one that keeps most of both clips.
            let lost = (slack - start + next_start) as f64;
            let cost = distance * (1.0 + 1e-9 * lost);
            if cost < best.0 {
                best = (cost, start, next_start);
            }
        }
    }
    let start = before.n_frames() - length - slack + best.1;
    Ok([start..start + length, best.2..best.2 + length])
}

/// Both sides of the zone as one: all of the first in its first frame, all of the second in its last.
fn blend_zone(
    before: &Curves,
    zone: &Range<usize>,
    next: &Curves,
    next_zone: &Range<usize>,
    options: &ConcatOptions,
) -> Result<Blend, BlendError> {
    let sides = [frames_of(before, zone), frames_of(next, next_zone)];
    let seconds = (zone.len() - 1) as f64 / before.frame_rate;
    if zone.len() == 1 {
        return blend(&sides, Registration::Frames, &BlendOptions::constant(&[0.5, 0.5]));
    }
    let weight = |from: f64, to: f64| {
        let amount = Amount::through(vec![[0.0, from], [seconds, to]]).expect("a zone lasts");
        if options.fade == Fade::Linear { amount.straight() } else { amount }
    };
    let weights = vec![weight(1.0, 0.0), weight(0.0, 1.0)];
    let blended = BlendOptions { weights, parts: Vec::new(), timing: None, edge: Edge::Reflected };
    match &options.warp {
        None => blend(&sides, Registration::Frames, &blended),
        Some(how) => {
            let weights = JointWeights::even(&before.skeleton);
            let found = find_warp(&sides[0], &sides[1], &weights, how)?;
            blend(&sides, Registration::Warped(&[found.warp]), &blended)
        }
    }
}

/// The trajectory of the one up to the zone, then through the zone, then as the next one goes on.
fn continued_trajectory(
    before: &Curves,
    zone_start: usize,
    mixed: &Curves,
    next: &Curves,
    next_from: usize,
) -> RootTrajectory {
    let trajectory = RootTrajectory::of(before);
    let mut steps = trajectory.steps();
    steps.truncate(zone_start);
    steps.extend(RootTrajectory::of(mixed).steps());
    steps.extend_from_slice(&RootTrajectory::of(next).steps()[next_from - 1..]);
    RootTrajectory::from_steps(trajectory.places[0], trajectory.headings[0], &steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_motion::{Clip, Placement, place, slice};

    fn largest_step(clip: &Clip) -> f64 {
        let poses = clip.world();
        let moved = poses.windows(2).flat_map(|pair| pair[0].world().iter().zip(pair[1].world()));
        moved.map(|(a, b)| a.translation.distance(b.translation)).fold(0.0, f64::max)
    }

    #[test]
    fn a_walk_cut_in_two_and_moved_apart_goes_on() {
        let walk = synthetic_walk(&WalkerOptions { turn_per_step: 0.2, ..WalkerOptions::default() }).take.clip;
        let overlap = 24;
        let cut = walk.n_frames() / 2;
        let first = slice(&walk, 0..cut + overlap).unwrap();
        let second = slice(&walk, cut..walk.n_frames()).unwrap();
        let moved = place(&second, Placement { yaw: 2.0, translation: surefoot_geom::Vec3::new(7.0, 0.0, -3.0) });
        let curves = Curves::read_all(&[&first, &moved]);
        let zone_seconds = (overlap - 1) as f64 / walk.frame_rate;
        for fade in [Fade::Linear, Fade::Ease] {
            let options = ConcatOptions { zone_seconds, fade, ..ConcatOptions::default() };
            let joined = concat(&curves, &options).unwrap();
            let made = joined.curves.to_clip("joined");
            assert_eq!(made.n_frames(), walk.n_frames());
            for (a, b) in made.world().iter().zip(&walk.world()) {
                for (a, b) in a.world().iter().zip(b.world()) {
                    assert!(a.translation.distance(b.translation) < 1e-9);
                }
            }
            assert_eq!(joined.seams[0].frames, cut..cut + overlap);
            assert!(joined.seams[0].distance < 1e-9);
        }
    }

    #[test]
    fn the_best_cut_is_found_where_both_are_alike() {
        let walk = synthetic_walk(&WalkerOptions { n_steps: 12, ..WalkerOptions::default() }).take.clip;
        let cut = walk.n_frames() / 2;
        // Both know what lies around the cut, so that it can be met again exactly.
        let first = slice(&walk, 0..cut + 40).unwrap();
        let second = slice(&walk, cut - 20..walk.n_frames()).unwrap();
        let curves = Curves::read_all(&[&first, &second]);
        let options = ConcatOptions { cut: Cut::Best { within_seconds: 0.5 }, ..ConcatOptions::default() };
        let joined = concat(&curves, &options).unwrap();
        assert!(joined.seams[0].distance < 1e-6, "{}", joined.seams[0].distance);
        assert_eq!(joined.curves.n_frames(), walk.n_frames());
        assert!(largest_step(&joined.curves.to_clip("joined")) < 1.01 * largest_step(&walk));
    }

    #[test]
    fn short_clips_and_many_clips_join() {
        let walk = synthetic_walk(&WalkerOptions::default()).take.clip;
        let parts: Vec<Clip> =
            [0..1, 0..3, 40..120, 119..120, 60..90].into_iter().map(|part| slice(&walk, part).unwrap()).collect();
        let curves = Curves::read_all(&parts.iter().collect::<Vec<_>>());
        let joined = concat(&curves, &ConcatOptions::default()).unwrap();
        assert_eq!(joined.seams.len(), 4);
        let n_frames = joined.curves.n_frames();
        for (times, shares) in joined.times.iter().zip(&joined.shares) {
            assert_eq!((times.len(), shares.len()), (n_frames, n_frames));
        }
        for frame in 0..n_frames {
            let sum: f64 = joined.shares.iter().map(|shares| shares[frame]).sum();
            assert!((sum - 1.0).abs() < 1e-9, "frame {frame}: {sum}");
        }
        assert!(joined.curves.to_poses().iter().all(|pose| pose.local.iter().all(|joint| joint.rotation.is_finite())));
        let none = curves[0].first_frames(0);
        assert_eq!(
            concat(&[curves[0].clone(), none], &ConcatOptions::default()),
            Err(BlendError::NoFrames { index: 1 })
        );
    }
}
