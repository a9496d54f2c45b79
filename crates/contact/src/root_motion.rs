//! Travel on a root: the motion of a body over the ground apart from the motion of its hips.
//!
//! Engines move a character by its root, the topmost joint. A root that copies the hips would carry their sway, and the camera
//! and the capsule with it; so the root's path is one of its own:
//!
//! 1. Place and heading of the pelvis over the ground, frame by frame.
//! 2. Both are averaged over one stride, and over half a stride again: sway and bob repeat with the stride, and a mean over
//!    exactly one leaves nothing of them. The stride is the median time between landings of the same foot.
//! 3. Height is that of the ground: between the feet's plants in a straight line over time, averaged the same way.
//!
//! Past its ends a clip is continued by its reflection through the end, so that a body at rest stays at rest; a loop by its own
//! next cycle, laid out where this one ends and turned as it ends: so a root goes on over the seam as it went before. All other joints stay where they are in the world ([`RootMotion::Ground`], [`RootMotion::Hips`]), or the world is moved back under them
//! ([`RootMotion::InPlace`]).

use crate::Contacts;
use std::ops::{Add, Mul, Sub};
use std::sync::Arc;
use surefoot_geom::{Quat, Transform, Vec2, Vec3, direction_heading, wrap_angle};
use surefoot_motion::{BodyMap, Clip, EndSite, Joint, JointId, Poses, Side, Skeleton, WorldPose};

/// Where the travel of a motion is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootMotion {
    /// On a root on the ground below the body, with its heading.
    Ground,
    /// Nowhere: the body stays at the origin.
    InPlace,
    /// On the hips; a root above them stays at rest.
    Hips,
}

impl RootMotion {
    /// As files have it.
    pub fn name(self) -> &'static str {
        match self {
            RootMotion::Ground => "ground",
            RootMotion::InPlace => "in_place",
            RootMotion::Hips => "hips",
        }
    }
}

/// A motion with its travel where it was asked for.
#[derive(Clone, Debug)]
pub struct RootedMotion {
    /// The motion; its skeleton has a root above the pelvis unless the hips carry the travel.
    pub clip: Clip,
    /// The body of its skeleton.
    pub body: BodyMap,
    /// Whether the root was added.
    pub added_root: bool,
    /// Mean speed of the root over the ground, in metres per second.
    pub speed: f64,
    /// Mean turn of the root, in radians per second, positive to the left.
    pub turn: f64,
}

/// Seconds of a stride where no foot lands twice.
const USUAL_STRIDE: f64 = 1.1;
/// Strides of people, in seconds; what is found outside is none.
const STRIDES: [f64; 2] = [0.4, 2.5];

/// Stores the travel of a motion as asked. A motion without frames comes back as it is.
pub fn root_motion(clip: &Clip, body: &BodyMap, contacts: &Contacts, mode: RootMotion, is_loop: bool) -> RootedMotion {
    let unchanged =
        |clip: &Clip| RootedMotion { clip: clip.clone(), body: body.clone(), added_root: false, speed: 0.0, turn: 0.0 };
    if clip.n_frames() == 0 {
        return unchanged(clip);
    }
    let path = ground_path(clip, body, contacts, is_loop);
    let (speed, turn) = rates(&path, clip.frame_rate);
    let top = topmost(&clip.skeleton, body.pelvis);
    let has_root = top != body.pelvis;
    if mode == RootMotion::Hips && !has_root {
        return RootedMotion { speed, turn, ..unchanged(clip) };
    }
    let (clip, body, root) = match has_root {
        true => (clip.clone(), body.clone(), top),
        false => add_root(clip, body),
    };
    let rest = WorldPose::new(&clip.skeleton, &clip.skeleton.rest_pose());
    let rest_rotation = rest[root].rotation;
    let rest_heading = direction_heading(body.facing(&rest)).unwrap_or(0.0);
    let children: Vec<JointId> =
        clip.skeleton.ids().filter(|&joint| clip.skeleton.parent(joint) == Some(root)).collect();
    // Roots beside ours keep their place with the rest of the body.
    let others: Vec<JointId> = clip.skeleton.roots().filter(|&joint| joint != root).collect();
    let world = clip.world();
    let mut poses = clip.poses().clone();
    for ((pose, ground), mut local) in world.iter().zip(&path).zip(&mut poses) {
        let ground = Transform::new(Quat::from_rotation_y(ground.heading - rest_heading), ground.place);
        let (root_world, move_world) = match mode {
            RootMotion::Ground => (ground * Transform::from_rotation(rest_rotation), Transform::IDENTITY),
            RootMotion::InPlace => (Transform::from_rotation(rest_rotation), ground.inverse()),
            RootMotion::Hips => (rest[root], Transform::IDENTITY),
        };
        for &child in &children {
            local[child] = root_world.inverse() * move_world * pose[child];
        }
        others.iter().for_each(|&other| local[other] = move_world * pose[other]);
        local[root] = root_world;
    }
    RootedMotion { clip: clip.with_poses(poses), body, added_root: !has_root, speed, turn }
}

/// Where a body is over the ground.
#[derive(Clone, Copy, Debug)]
struct Ground {
    place: Vec3,
    heading: f64,
}

fn topmost(skeleton: &Skeleton, mut joint: JointId) -> JointId {
    while let Some(parent) = skeleton.parent(joint) {
        joint = parent;
    }
    joint
}

fn ground_path(clip: &Clip, body: &BodyMap, contacts: &Contacts, is_loop: bool) -> Vec<Ground> {
    let poses = clip.world();
    let places: Vec<Vec2> = poses.iter().map(|pose| pose.position(body.pelvis)).map(|p| Vec2::new(p.x, p.z)).collect();
    let mut headings: Vec<f64> = Vec::with_capacity(places.len());
    for pose in &poses {
        let last = headings.last().copied();
        let heading = direction_heading(body.facing(pose));
        headings.push(match (heading, last) {
            (Some(heading), Some(last)) => last + wrap_angle(heading - last),
            (Some(heading), None) => heading,
            (None, last) => last.unwrap_or(0.0),
        });
    }
    let heights = ground_heights(clip, body, contacts);
    let stride = stride_frames(contacts, clip.frame_rate);
    let last = places.len() - 1;
    let is_loop = is_loop && last > 1;
    // The next cycle of a loop is laid out where this one ends, turned as it ends.
    let turn = headings[last] - headings[0];
    let next = |place: Vec2| places[last] + turned(place - places[0], turn);
    let before = |place: Vec2| places[0] + turned(place - places[last], -turn);
    let rise = |numbers: &[f64]| numbers[last] - numbers[0];
    let smooth = |numbers: &[f64]| {
        let rise = rise(numbers);
        Smooth { stride, cycle: is_loop.then_some(Cycle { next: &|n| n + rise, before: &|n| n - rise }) }
            .values(numbers)
    };
    let (headings, heights) = (smooth(&headings), smooth(&heights));
    let places = Smooth { stride, cycle: is_loop.then_some(Cycle { next: &next, before: &before }) }.values(&places);
    let ground = places.iter().zip(headings).zip(heights);
    ground.map(|((place, heading), height)| Ground { place: Vec3::new(place.x, height, place.y), heading }).collect()
}

/// A vector `(x, z)` turned by a heading.
fn turned(vector: Vec2, heading: f64) -> Vec2 {
    let (sin, cos) = heading.sin_cos();
    Vec2::new(cos * vector.x + sin * vector.y, cos * vector.y - sin * vector.x)
}

/// How a loop goes on: a value of one cycle in the next, and in the one before.
#[derive(Clone, Copy)]
struct Cycle<'a, T> {
    next: &'a dyn Fn(T) -> T,
    before: &'a dyn Fn(T) -> T,
}

/// An average over a stride and over half of one.
#[derive(Clone, Copy)]
struct Smooth<'a, T> {
    stride: usize,
    /// `None` for a clip that is no loop.
    cycle: Option<Cycle<'a, T>>,
}

impl<T> Smooth<'_, T>
where
    T: Copy + Default + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T>,
{
    fn values(self, values: &[T]) -> Vec<T> {
        let once = self.mean_over(values, self.stride);
        self.mean_over(&once, self.stride / 2)
    }

    /// The mean over a window of `width` frames around each; half of the outermost frames if it is even.
    fn mean_over(self, values: &[T], width: usize) -> Vec<T> {
        let n = values.len() as i64;
        // Short clips have no room for a window: what lies past both ends would be made up.
        let reach = ((width.max(1) as i64 - 1) as f64 / 2.0).min((n - 1) as f64);
        let whole = reach.floor() as i64;
        let part = reach - whole as f64;
        let at = |frame: i64| self.continued(values, frame);
        (0..n)
            .map(|frame| {
                let inner = (frame - whole..=frame + whole).map(at).fold(T::default(), |sum, value| sum + value);
                let outer = (at(frame - whole - 1) + at(frame + whole + 1)) * part;
                (inner + outer) * (1.0 / (2.0 * whole as f64 + 1.0 + 2.0 * part))
            })
            .collect()
    }

    /// A value of a clip that goes on past its ends.
    fn continued(self, values: &[T], frame: i64) -> T {
        let last = values.len() as i64 - 1;
        if (0..=last).contains(&frame) || last == 0 {
            return values[frame.clamp(0, last) as usize];
        }
        let Some(Cycle { next, before }) = self.cycle else {
            return match frame < 0 {
                true => values[0] + values[0] - values[(-frame).min(last) as usize],
                false => values[last as usize] + values[last as usize] - values[(2 * last - frame).max(0) as usize],
            };
        };
        let (mut cycle, mut value) = (frame.div_euclid(last), values[frame.rem_euclid(last) as usize]);
        while cycle != 0 {
            value = if cycle > 0 { next(value) } else { before(value) };
            cycle -= cycle.signum();
        }
        value
    }
}

/// Frames of a stride: the median between landings of the same foot.
fn stride_frames(contacts: &Contacts, frame_rate: f64) -> usize {
    let mut strides: Vec<f64> = Vec::new();
    for side in Side::BOTH {
        let mut landings: Vec<usize> = Vec::new();
        let mut planted_until = 0;
        let mut plants: Vec<_> = contacts.plants[side].iter().map(|plant| plant.frames.clone()).collect();
        plants.sort_by_key(|frames| frames.start);
        for frames in plants {
            if frames.start > planted_until {
                landings.push(frames.start);
            }
            planted_until = planted_until.max(frames.end);
        }
        strides.extend(landings.windows(2).map(|pair| (pair[1] - pair[0]) as f64 / frame_rate));
    }
    strides.retain(|stride| (STRIDES[0]..=STRIDES[1]).contains(stride));
    strides.sort_by(f64::total_cmp);
    let stride = strides.get(strides.len() / 2).copied().unwrap_or(USUAL_STRIDE);
    (stride * frame_rate).round().max(1.0) as usize
}

/// The height of the ground in each frame: that of the plants, between them in a straight line; without plants that of the
/// lowest foot of all frames.
fn ground_heights(clip: &Clip, body: &BodyMap, contacts: &Contacts) -> Vec<f64> {
    let n = clip.n_frames();
    let mut known: Vec<Option<(f64, usize)>> = vec![None; n];
    for side in Side::BOTH {
        for plant in &contacts.plants[side] {
            for frame in plant.frames.clone().filter(|&frame| frame < n) {
                let (sum, count) = known[frame].unwrap_or((0.0, 0));
                known[frame] = Some((sum + ground_below(clip, body, side, frame, plant.position.y), count + 1));
            }
        }
    }
    let known: Vec<(usize, f64)> = known
        .iter()
        .enumerate()
        .filter_map(|(frame, mean)| mean.map(|(sum, count)| (frame, sum / count as f64)))
        .collect();
    if known.is_empty() {
        let feet = |pose: &WorldPose| Side::BOTH.map(|side| body.heel(pose, side).y.min(body.ball(pose, side).y));
        let lowest = clip.world().iter().flat_map(feet).fold(f64::INFINITY, f64::min);
        return vec![if lowest.is_finite() { lowest } else { 0.0 }; n];
    }
    (0..n)
        .map(|frame| {
            let after = known.partition_point(|(other, _)| *other < frame);
            match (after.checked_sub(1).map(|before| known[before]), known.get(after)) {
                (Some((a, low)), Some(&(b, high))) => low + (high - low) * (frame - a) as f64 / (b - a).max(1) as f64,
                (Some((_, height)), None) | (None, Some(&(_, height))) => height,
                (None, None) => 0.0,
            }
        })
        .collect()
}

/// The ground below a plant, which is that of a joint: the sole is below it.
fn ground_below(clip: &Clip, body: &BodyMap, side: Side, frame: usize, height: f64) -> f64 {
    let leg = &body.legs[side];
    let pose = clip.world_pose(frame);
    height.min(pose[leg.ankle].transform_point(leg.foot.ball).y)
}

fn rates(path: &[Ground], frame_rate: f64) -> (f64, f64) {
    let seconds = (path.len().max(2) - 1) as f64 / frame_rate;
    let flat = |ground: &Ground| Vec2::new(ground.place.x, ground.place.z);
    let length: f64 = path.windows(2).map(|pair| flat(&pair[0]).distance(flat(&pair[1]))).sum();
    (length / seconds, (path[path.len() - 1].heading - path[0].heading) / seconds)
}

/// Names for a root, the first that is free.
const NAMES: [&str; 3] = ["root", "root_motion", "surefoot_root"];

/// Puts a root above the pelvis, at the origin.
fn add_root(clip: &Clip, body: &BodyMap) -> (Clip, BodyMap, JointId) {
    let skeleton = &clip.skeleton;
    let shifted = |joint: JointId| JointId::new(joint.index() + 1);
    let root = JointId::new(0);
    let is_free = |name: &&&str| skeleton.joints().iter().all(|joint| !joint.name.eq_ignore_ascii_case(name));
    let name = NAMES.iter().find(is_free).unwrap_or(&NAMES[0]);
    let mut joints = vec![Joint { name: (*name).to_string(), parent: None, rest: Transform::IDENTITY }];
    joints.extend(skeleton.ids().map(|id| {
        let joint = skeleton.joint(id);
        let parent = joint.parent.map(shifted).or((id == body.pelvis).then_some(root));
        Joint { parent, ..joint.clone() }
    }));
    let sites = skeleton.end_sites().iter().map(|site| EndSite { parent: shifted(site.parent), ..site.clone() });
    let rooted = Skeleton::new(joints, sites.collect()).expect("a root in front keeps parents first");
    let mut poses = Poses::default();
    let mut local = Vec::with_capacity(rooted.n_joints());
    for pose in clip.poses() {
        local.clear();
        local.push(Transform::IDENTITY);
        local.extend_from_slice(pose.local);
        poses.push(surefoot_motion::PoseRef { local: &local });
    }
    let clip = Clip::new(clip.name.clone(), Arc::new(rooted), clip.frame_rate, poses);
    (clip, body.with_joints(shifted), root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Take, WalkerOptions, synthetic_walk};

    fn walk() -> Take {
        synthetic_walk(&WalkerOptions::default()).take
    }

    fn rooted(take: &Take, mode: RootMotion) -> RootedMotion {
        root_motion(&take.clip, &take.body, &take.contacts, mode, false)
    }

    /// The largest distance from a mean over a stride in the middle of a clip, across the way.
    fn sway(places: &[Vec3]) -> f64 {
        let (first, last) = (places[0], places[places.len() - 1]);
        let across = (last - first).cross(Vec3::Y).normalize_or_zero();
        let sides: Vec<f64> = places.iter().map(|place| (*place - first).dot(across)).collect();
        let mean = sides.iter().sum::<f64>() / sides.len() as f64;
        sides.iter().map(|side| (side - mean).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn a_root_on_the_ground_moves_no_joint_and_has_no_sway() {
        let take = walk();
        let rooted = rooted(&take, RootMotion::Ground);
        assert!(rooted.added_root);
        let mut roots = Vec::new();
        for (before, after) in take.clip.world().iter().zip(rooted.clip.world().iter()) {
            for joint in take.clip.skeleton.ids() {
                let moved = before.position(joint).distance(after.position(JointId::new(joint.index() + 1)));
                assert!(moved < 1e-9, "{moved}");
            }
            roots.push(after.position(JointId::new(0)));
        }
        assert!(roots.iter().all(|root| root.y.abs() < 0.02), "on the ground");
        let n = roots.len();
        let middle = n / 4..3 * n / 4;
        let hips: Vec<Vec3> = take.clip.world().iter().map(|pose| pose.position(take.body.pelvis)).collect();
        let [root_sway, hip_sway] = [&roots, &hips].map(|places| sway(&places[middle.clone()]));
        assert!(hip_sway > 0.005 && root_sway < 0.1 * hip_sway, "{root_sway} {hip_sway}");
        // Below the body at all times, with a step's length to spare.
        let apart = roots.iter().zip(&hips).map(|(root, hip)| Vec2::new(root.x - hip.x, root.z - hip.z).length());
        assert!(apart.fold(0.0, f64::max) < 0.2);
        let travelled = roots[0].distance(roots[n - 1]);
        assert!((rooted.speed - travelled / take.clip.duration()).abs() < 0.02 * rooted.speed, "{}", rooted.speed);
    }

    #[test]
    fn in_place_the_body_stays_and_the_speed_is_what_it_lost() {
        let take = walk();
        let [ground, still] = [RootMotion::Ground, RootMotion::InPlace].map(|mode| rooted(&take, mode));
        assert_eq!(ground.speed, still.speed);
        for pose in &still.clip.world() {
            let hips = pose.position(still.body.pelvis);
            assert!(Vec2::new(hips.x, hips.z).length() < 0.2, "{hips}");
            assert!(pose.position(JointId::new(0)).length() < 1e-12);
        }
    }

    #[test]
    fn hips_take_the_travel_of_a_root_back_without_moving_a_joint() {
        let take = walk();
        let ground = rooted(&take, RootMotion::Ground);
        let contacts = take.contacts.clone();
        let hips = root_motion(&ground.clip, &ground.body, &contacts, RootMotion::Hips, false);
        assert!(!hips.added_root);
        for (before, after) in ground.clip.world().iter().zip(hips.clip.world().iter()) {
            for joint in ground.clip.skeleton.ids().skip(1) {
                assert!(before.position(joint).distance(after.position(joint)) < 1e-9);
            }
            assert_eq!(after.position(JointId::new(0)), Vec3::ZERO);
        }
        // Without a root there is nothing to take back.
        assert_eq!(rooted(&take, RootMotion::Hips).clip, take.clip);
    }

    #[test]
    fn the_root_of_a_loop_goes_straight_on_at_one_speed() {
        let take = walk();
        // A cycle of pelvis alone: numbers with a period, and a step forward with each.
        let numbers: Vec<f64> =
            (0..=60).map(|i| 0.02 * i as f64 + 0.03 * (std::f64::consts::TAU * i as f64 / 60.0).sin()).collect();
        let smoothed = {
            let cycle = Cycle { next: &|n| n + 1.2, before: &|n| n - 1.2 };
            Smooth { stride: 60, cycle: Some(cycle) }.values(&numbers)
        };
        let steps: Vec<f64> = smoothed.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(steps.iter().all(|step| (step - 0.02).abs() < 1e-3), "{steps:?}");
        assert!((smoothed[60] - smoothed[0] - 1.2).abs() < 1e-9);
        assert!(stride_frames(&take.contacts, take.clip.frame_rate) > 10);
    }

    #[test]
    fn the_root_of_a_loop_that_turns_goes_on_over_the_seam() {
        // One cycle of a walk around a circle, with sway across it.
        let at = |frame: f64| {
            let (angle, sway) = (0.4 * frame / 60.0, 0.03 * (std::f64::consts::TAU * frame / 60.0).sin());
            Vec2::new((3.0 + sway) * angle.cos(), (3.0 + sway) * angle.sin())
        };
        let places: Vec<Vec2> = (0..=60).map(|frame| at(f64::from(frame))).collect();
        let turn = |place: Vec2, angle: f64| Vec2::from_angle(angle).rotate(place);
        let (next, before) = (|place| turn(place, 0.4), |place| turn(place, -0.4));
        let cycle = Some(Cycle { next: &next, before: &before });
        let smooth = Smooth { stride: 60, cycle }.values(&places);
        assert!(turn(smooth[0], 0.4).distance(smooth[60]) < 1e-12);
        let steps: Vec<f64> = smooth.windows(2).map(|pair| pair[1].distance(pair[0])).collect();
        // Around a bend sway leaves a ripple of its second power; the seam is no rougher than the rest.
        let largest = steps.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
        assert!((steps[59] - steps[0]).abs() < 1.1 * largest && largest < 1e-3 * steps[0], "{steps:?}");
    }
}
