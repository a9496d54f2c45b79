//! Spikes: a joint jumps away for a frame or a few, and comes back.
//!
//! Idea, after Hampel 1974 (a robust scale decides what is an outlier) and with the notion of a spike that
//! `surefoot_motion::defects` has: frames are outliers when they lie far from the line between the frame before and the
//! frame after, while these two agree. Far is judged by four measures together: an absolute one, below which nobody
//! would see a spike; how far a body could go and come back in that time, so that the roll of toes at 30 frames a
//! second is no spike; the joint's usual distance from such a line around that time (a median, which the spike itself
//! does not move), so that hands that tremble or strike are left alone; and how far the two neighbours are apart.
//!
//! 1. For runs of one frame, then two, up to the longest: the distance of each frame of the run from the line.
//! 2. A run is a spike if all of its frames are far. It is mended: a cubic through the two good frames on each side
//!    replaces it, or a line where there are not two.
//! 3. Runs at the ends have a neighbour on one side only. They are judged by the jump to it against the usual step from
//!    frame to frame, by twice the absolute measure, and go on as the frames beside them.
//!
//! A joint's three rotation numbers are one point, and so are its three translations, so that a spike is mended in all
//! of them or in none. All frames that are not mended stay as they are, to the bit.

use super::{FilterError, check};
use crate::curves::{Curves, Quantity, Track};
use crate::selection::Selection;
use std::ops::Range;
use surefoot_geom::median;
use surefoot_motion::{JointId, count_frames};

/// What is a spike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DespikeOptions {
    /// Rotations must jump at least this far, in radians. 0 to pi, default 0.2 (11 degrees).
    pub min_angle: f64,
    /// Positions must jump at least this far, in metres. 0 to 10, default 0.05.
    pub min_distance: f64,
    /// And by this many times the usual. 1 to 1000, default 8.
    pub factor: f64,
    /// The longest stay away, in seconds; one frame always is. 0 to 1, default 0.03: what takes longer may be meant.
    pub longest_seconds: f64,
}

impl Default for DespikeOptions {
    fn default() -> DespikeOptions {
        DespikeOptions { min_angle: 0.2, min_distance: 0.05, factor: 8.0, longest_seconds: 0.03 }
    }
}

/// A spike that was mended.
#[derive(Clone, Debug, PartialEq)]
pub struct Mended {
    /// The joint that jumped.
    pub joint: JointId,
    /// The first of the numbers that did.
    pub quantity: Quantity,
    /// The outlier frames.
    pub frames: Range<usize>,
    /// How far they were off at most, in radians or metres.
    pub jump: f64,
}

/// No joint of a person turns faster and faster than this, in radians a second squared: what throwers reach.
const MAX_ANGULAR_ACCELERATION: f64 = 1000.0;
/// No pelvis is moved by more than ten times gravity, in metres a second squared.
const MAX_ACCELERATION: f64 = 100.0;
/// The frames beside a spike lie closer together than this part of its jump.
const AGREEMENT: f64 = 0.5;
/// An end has one neighbour only, and must jump farther: by this factor.
const END_FACTOR: f64 = 2.0;
/// The usual is found in this time to each side, in seconds.
const USUAL_SECONDS: f64 = 0.25;
/// And in at least as many frames.
const USUAL_FRAMES: usize = 8;

/// Mends the spikes of the selected channels, and returns which, in order of joints and time.
pub fn despike(
    curves: &mut Curves,
    selection: &Selection,
    options: &DespikeOptions,
) -> Result<Vec<Mended>, FilterError> {
    check("min_angle", options.min_angle, 0.0..=std::f64::consts::PI)?;
    check("min_distance", options.min_distance, 0.0..=10.0)?;
    check("factor", options.factor, 1.0..=1000.0)?;
    check("longest_seconds", options.longest_seconds, 0.0..=1.0)?;
    let longest = count_frames(options.longest_seconds * curves.frame_rate).max(1);
    let around = count_frames(USUAL_SECONDS * curves.frame_rate).max(USUAL_FRAMES);
    let mut mended = Vec::new();
    for channels in points(curves.tracks()) {
        let track = curves.tracks()[channels.start];
        if selection.covers(track) {
            let (least, acceleration) = if track.quantity.is_angle() {
                (options.min_angle, MAX_ANGULAR_ACCELERATION)
            } else {
                (options.min_distance, MAX_ACCELERATION)
            };
            let per_frame = acceleration / curves.frame_rate.powi(2);
            let limits = Limits { least, per_frame, factor: options.factor, longest, around };
            let spikes = mend_point(curves, channels, &limits);
            let mended_at = |(frames, jump)| Mended { joint: track.joint, quantity: track.quantity, frames, jump };
            mended.extend(spikes.into_iter().map(mended_at));
        }
    }
    Ok(mended)
}

/// Channels that are one point.
fn points(tracks: &[Track]) -> Vec<Range<usize>> {
    let begins = |quantity: Quantity| match quantity {
        Quantity::Rotation(k) | Quantity::Translation(k) | Quantity::Ground(k) => k == 0,
        Quantity::Heading | Quantity::Height => true,
    };
    let starts: Vec<usize> = (0..tracks.len()).filter(|channel| begins(tracks[*channel].quantity)).collect();
    let ends = starts.iter().skip(1).copied().chain([tracks.len()]);
    starts.iter().zip(ends).map(|(start, end)| *start..end).collect()
}

struct Limits {
    least: f64,
    /// The greatest acceleration, in frames.
    per_frame: f64,
    factor: f64,
    /// In frames.
    longest: usize,
    /// In frames.
    around: usize,
}

impl Limits {
    /// How far away a run of frames must be: to be seen, and farther than there and back at the greatest acceleration.
    fn least(&self, run: &Range<usize>) -> f64 {
        self.least.max(self.per_frame * ((run.len() + 1) as f64).powi(2) / 8.0)
    }
}

type Point = [f64; 3];

fn distance(a: Point, b: Point) -> f64 {
    [0, 1, 2].map(|k| (a[k] - b[k]).powi(2)).iter().sum::<f64>().sqrt()
}

fn between(a: Point, b: Point, t: f64) -> Point {
    [0, 1, 2].map(|k| a[k] + (b[k] - a[k]) * t)
}

fn mend_point(curves: &mut Curves, channels: Range<usize>, limits: &Limits) -> Vec<(Range<usize>, f64)> {
    let n = curves.n_frames();
    let mut path: Vec<Point> = vec![[0.0; 3]; n];
    for (k, channel) in channels.clone().enumerate() {
        path.iter_mut().zip(curves.channel(channel)).for_each(|(point, value)| point[k] = *value);
    }
    let mut spikes: Vec<(Range<usize>, f64)> = Vec::new();
    let mut is_outlier = vec![false; n];
    for length in 1..=limits.longest {
        let mut start = 1;
        while start + length < n {
            let run = start..start + length;
            let jump =
                (!is_outlier[start - 1..=run.end].contains(&true)).then(|| find_jump(&path, &run, limits)).flatten();
            if let Some(jump) = jump {
                is_outlier[run.clone()].fill(true);
                spikes.push((run, jump));
            }
            start += 1;
        }
    }
    for is_last in [false, true] {
        let runs = (1..=limits.longest.min(n / 2)).map(|length| if is_last { n - length..n } else { 0..length });
        let found = runs.filter(|run| !is_outlier[run.clone()].contains(&true));
        let found = found.filter_map(|run| find_end_jump(&path, &run, limits).map(|jump| (run, jump)));
        if let Some((run, jump)) = found.collect::<Vec<_>>().pop() {
            is_outlier[run.clone()].fill(true);
            spikes.push((run, jump));
        }
    }
    spikes.sort_by_key(|(run, _)| run.start);
    for (run, _) in &spikes {
        mend_run(&mut path, &is_outlier, run);
        for (k, channel) in channels.clone().enumerate() {
            run.clone().for_each(|frame| curves.channel_mut(channel)[frame] = path[frame][k]);
        }
    }
    spikes
}

/// How far the frames of a run are off, if it is a spike.
fn find_jump(path: &[Point], run: &Range<usize>, limits: &Limits) -> Option<f64> {
    let apart = distance(path[run.start - 1], path[run.end]);
    let off = offsets(path, run);
    let (least, most) = off.fold((f64::MAX, 0.0_f64), |(least, most), off| (least.min(off), most.max(off)));
    let far = limits.least(run);
    if most <= far || least <= AGREEMENT * far || apart >= AGREEMENT * least {
        return None;
    }
    let usual = usual_offset(path, run, limits.around);
    (least > AGREEMENT * limits.factor * usual && most > limits.factor * usual).then_some(most)
}

/// How far a run at the first or the last frame is off, if it is a spike.
fn find_end_jump(path: &[Point], run: &Range<usize>, limits: &Limits) -> Option<f64> {
    let inside = inside_of(path.len(), run)?;
    let nearest = if run.start == 0 { run.end - 1 } else { run.start };
    let jump = distance(path[inside.0], path[nearest]);
    // Frames that belong together: all of them are about as far away.
    let is_away = run.clone().all(|frame| distance(path[inside.0], path[frame]) > AGREEMENT * jump);
    if jump <= END_FACTOR * limits.least(run) || !is_away {
        return None;
    }
    let (from, to) = (inside.0.min(inside.1), inside.0.max(inside.1));
    let around = from.saturating_sub(limits.around)..(to + limits.around).min(path.len() - 1);
    let own = |frame: usize| run.contains(&frame) || run.contains(&(frame + 1));
    let mut steps: Vec<f64> =
        around.filter(|frame| !own(*frame)).map(|frame| distance(path[frame], path[frame + 1])).collect();
    (jump > limits.factor * median(&mut steps)?).then_some(jump)
}

/// The good frame beside a run at an end, and the next one.
fn inside_of(n: usize, run: &Range<usize>) -> Option<(usize, usize)> {
    if run.start == 0 {
        (run.end + 1 < n).then_some((run.end, run.end + 1))
    } else {
        (run.end == n && run.start >= 2).then(|| (run.start - 1, run.start - 2))
    }
}

/// How far each frame of a run is from the line between its neighbours.
fn offsets<'a>(path: &'a [Point], run: &Range<usize>) -> impl Iterator<Item = f64> + 'a {
    let (start, end) = (run.start, run.end);
    let (before, after) = (path[start - 1], path[end]);
    let part = move |frame: usize| (frame + 1 - start) as f64 / (end + 1 - start) as f64;
    (start..end).map(move |frame| distance(path[frame], between(before, after, part(frame))))
}

/// The median of how far runs of the same length around this one are off.
fn usual_offset(path: &[Point], run: &Range<usize>, around: usize) -> f64 {
    let length = run.len();
    let first = run.start.saturating_sub(around).max(1);
    let last = (run.start + around).min(path.len() - 1 - length);
    // Not those that the spike itself is part of.
    let touches = |start: usize| start <= run.end && start + length >= run.start;
    let mut others: Vec<f64> = (first..=last)
        .filter(|start| !touches(*start))
        .map(|start| offsets(path, &(start..start + length)).fold(0.0, f64::max))
        .collect();
    median(&mut others).unwrap_or(0.0)
}

/// Replaces a run by what its neighbours say.
fn mend_run(path: &mut [Point], is_outlier: &[bool], run: &Range<usize>) {
    let good = |frame: usize| is_outlier.get(frame) == Some(&false);
    if run.start == 0 || run.end == path.len() {
        if let Some((near, next)) = inside_of(path.len(), run) {
            let beyond = |frame: usize| (frame as f64 - near as f64) / (next as f64 - near as f64);
            run.clone().for_each(|frame| path[frame] = between(path[near], path[next], beyond(frame)));
        }
        return;
    }
    let (before, after) = (run.start - 1, run.end);
    let is_cubic = before > 0 && good(before - 1) && good(after + 1);
    for frame in run.clone() {
        path[frame] = if is_cubic {
            let places = [before - 1, before, after, after + 1];
            lagrange(places.map(|place| (place as f64, path[place])), frame as f64)
        } else {
            between(path[before], path[after], (frame - before) as f64 / (after - before) as f64)
        };
    }
}

/// The cubic through four points.
fn lagrange(points: [(f64, Point); 4], at: f64) -> Point {
    let mut sum = [0.0; 3];
    for (i, (x, point)) in points.iter().enumerate() {
        let others = points.iter().enumerate().filter(|(j, _)| *j != i);
        let weight: f64 = others.map(|(_, (other, _))| (at - other) / (x - other)).product();
        (0..3).for_each(|k| sum[k] += weight * point[k]);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_geom::{Quat, Vec3, rotation};
    use surefoot_motion::Clip;
    use surefoot_motion::defects::find_spikes;

    fn walk(frame_rate: f64) -> Clip {
        synthetic_walk(&WalkerOptions { frame_rate, ..WalkerOptions::default() }).take.clip
    }

    fn mend(clip: &Clip) -> (Clip, Vec<Mended>) {
        let mut curves = Curves::read(clip);
        let selection = Selection::everything(&clip.skeleton);
        let mended = despike(&mut curves, &selection, &DespikeOptions::default()).unwrap();
        (clip.with_poses(curves.to_poses()), mended)
    }

    /// The mended clip is the clip before it was broken, but for a little where it was.
    fn check_mended(whole: &Clip, broken: &Clip, joint: JointId, frames: Range<usize>, within: f64) {
        let (out, mended) = mend(broken);
        assert!(mended.iter().all(|spike| spike.joint == joint && spike.frames == frames), "{mended:?}");
        assert!(!mended.is_empty());
        for (frame, (was, is)) in whole.poses().iter().zip(out.poses()).enumerate() {
            for (was, is) in was.local.iter().zip(is.local) {
                let off = rotation::angle_between(was.rotation, is.rotation) + was.translation.distance(is.translation);
                let limit = if frames.contains(&frame) { within } else { 1e-9 };
                assert!(off <= limit, "frame {frame}: {off}");
            }
        }
    }

    #[test]
    fn motion_without_spikes_stays_to_the_bit() {
        for rate in [24.0, 30.0, 60.0, 120.0, 240.0] {
            let clip = walk(rate);
            let before = Curves::read(&clip);
            let mut after = before.clone();
            let selection = Selection::everything(&clip.skeleton);
            assert_eq!(despike(&mut after, &selection, &DespikeOptions::default()).unwrap(), [], "{rate}");
            assert_eq!(after, before);
        }
    }

    #[test]
    fn spikes_of_one_frame_and_of_several_are_mended() {
        let joint = JointId::new(6);
        for (rate, frames, within) in [(30.0, 40..41, 0.05), (60.0, 80..81, 0.02), (120.0, 150..153, 0.01)] {
            let clip = walk(rate);
            for angle in [0.7, 1.0, 2.5] {
                let mut broken = clip.clone();
                for frame in frames.clone() {
                    broken.pose_mut(frame)[joint].rotation *= Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), angle);
                }
                check_mended(&clip, &broken, joint, frames.clone(), within);
                let (out, _) = mend(&broken);
                assert_eq!(find_spikes(&out), [], "nor does the importer find any");
            }
        }
    }

    #[test]
    fn first_and_last_frames_that_are_off_are_mended() {
        let clip = walk(120.0);
        let (joint, n) = (JointId::new(6), clip.n_frames());
        for frames in [0..1, 0..3, n - 1..n, n - 2..n] {
            let mut broken = clip.clone();
            for frame in frames.clone() {
                broken.pose_mut(frame)[joint].rotation = Quat::from_rotation_z(1.6);
            }
            check_mended(&clip, &broken, joint, frames, 0.02);
        }
    }

    #[test]
    fn jumps_of_the_place_are_mended() {
        let clip = walk(60.0);
        let root = Curves::read(&clip).root();
        let mut broken = clip.clone();
        broken.pose_mut(100)[root].translation += Vec3::new(0.0, 0.4, 0.0);
        check_mended(&clip, &broken, root, 100..101, 1e-3);
        broken = clip.clone();
        broken.pose_mut(100)[root].translation += Vec3::new(3.0, 0.0, -2.0);
        check_mended(&clip, &broken, root, 100..101, 1e-3);
    }

    #[test]
    fn what_jumps_and_stays_and_what_trembles_are_no_spikes() {
        let clip = walk(60.0);
        let joint = JointId::new(6);
        let mut stays = clip.clone();
        for mut pose in stays.poses_mut().iter_mut().skip(100) {
            pose[joint].rotation *= Quat::from_rotation_x(0.8);
        }
        assert_eq!(mend(&stays).1, []);
        let mut trembles = clip.clone();
        for (frame, mut pose) in trembles.poses_mut().iter_mut().enumerate() {
            let sign = if frame % 2 == 0 { 0.3 } else { -0.3 };
            pose[joint].rotation *= Quat::from_rotation_x(sign);
        }
        assert_eq!(mend(&trembles).1, []);
        let mut slow = clip.clone();
        for (frame, mut pose) in slow.poses_mut().iter_mut().enumerate() {
            // A knock of an eighth of a second.
            let t = (frame as f64 - 100.0) / 7.5;
            pose[joint].rotation *= Quat::from_rotation_x(0.8 * (1.0 - t * t).max(0.0).powi(2));
        }
        assert_eq!(mend(&slow).1, []);
    }

    #[test]
    fn short_clips_and_wrong_options() {
        for n in 0..5 {
            let mut clip = walk(30.0);
            clip.poses_mut().truncate(n);
            assert_eq!(mend(&clip).1, []);
        }
        let clip = walk(30.0);
        let options = DespikeOptions { factor: f64::NAN, ..DespikeOptions::default() };
        let error = despike(&mut Curves::read(&clip), &Selection::all(&clip.skeleton), &options).unwrap_err();
        assert_eq!(error.to_string(), "factor is NaN; a number from 1 to 1000 would be right");
    }
}
