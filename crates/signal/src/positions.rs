//! The equaliser on joint positions: limbs squash and stretch.
//!
//! Reference: SIGNAL 5.1.2 and figure 5.3.
//!
//! Idea: where joints are, not how they are turned, is the signal. A swing that is made larger then lengthens the limb
//! instead of turning it farther.
//!
//! 1. All joints and end sites at or below the root, seen from its place on the ground and its heading, so
//!    that walking and turning are no part of the signal. Heights are those of the world.
//! 2. Their three channels each are equalised, and so are place and heading if a selection has the root trajectory.
//! 3. Poses are rebuilt: every joint is exactly where its channels put it. Its rotation in the world is the original one,
//!    turned as little as takes its children and end sites toward their new places: with one the shortest arc, with
//!    several the best fit, found from no turn at all and damped, so that axes that nothing turns about are left alone.
//!    A joint that has neither turns with its parent.
//!
//! End sites are fixed to their joints: they say where hands and feet point, but do not stretch. The paper does not say
//! how it drew its figures from positions; step 3 is ours.

use crate::bands::BandSplitter;
use crate::curves::{Curves, Quantity, Track, find_root};
use crate::equalize::{BandGains, EqualizeError, EqualizeOptions, check_gains};
use std::sync::Arc;
use surefoot_geom::{Mat3, Quat, Transform, Vec3, rotation};
use surefoot_motion::{Clip, Joint, JointId, Pose, PoseRef, Skeleton, WorldPose};

/// Multiplies the bands of joint positions by their gains, and rebuilds poses that stand there. Groups as in
/// [`crate::equalize`]. With all gains 1 the clip comes back as it was.
pub fn equalize_positions(clip: &Clip, groups: &[BandGains], options: &EqualizeOptions) -> Result<Clip, EqualizeError> {
    check_gains(groups, clip.n_frames())?;
    let has_effect = |group: &BandGains| group.gains.iter().any(|gain| *gain != 1.0) && !group.selection.is_empty();
    if clip.n_frames() < 2 || !groups.iter().any(has_effect) {
        return Ok(clip.clone());
    }
    let root = find_root(&[clip]);
    let tree = Tree::new(&clip.skeleton, root);
    let before = clip.world();
    let mut frames = BodyFrames::read(root, &before);
    let mut channels = PointChannels::read(&tree, &before, &frames, &clip.skeleton);

    let mut splitter = BandSplitter::default();
    for (point, joint) in tree.points.iter().map(|point| point.joint()).enumerate() {
        if let Some(group) = groups.iter().rfind(|group| group.selection.has_joint(joint)) {
            (0..3).for_each(|k| splitter.weigh(channels.channel_mut(point, k), &group.gains, options.edge));
        }
    }
    if let Some(group) = groups.iter().rfind(|group| group.selection.has_travel()) {
        let channels = [&mut frames.x, &mut frames.z, &mut frames.heading];
        channels.into_iter().for_each(|channel| splitter.weigh(channel, &group.gains, options.travel_edge));
    }

    let mut rebuilder = Rebuilder::new(&tree);
    let poses = clip.poses().iter().zip(&before).enumerate().map(|(frame, (pose, world))| {
        let to_world = frames.at(frame);
        rebuilder.places.clear();
        rebuilder
            .places
            .extend((0..tree.points.len()).map(|point| to_world.transform_point(channels.at(point, frame))));
        rebuilder.rebuild(&clip.skeleton, pose, world)
    });
    Ok(clip.with_poses(poses.collect()))
}

/// A joint, or an end site by its number.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Point {
    Joint(JointId),
    EndSite(usize, JointId),
}

impl Point {
    /// Itself, or what it is fixed to.
    fn joint(self) -> JointId {
        match self {
            Point::Joint(joint) | Point::EndSite(_, joint) => joint,
        }
    }

    fn place(self, world: &WorldPose, skeleton: &Skeleton) -> Vec3 {
        match self {
            Point::Joint(joint) => world.position(joint),
            Point::EndSite(site, joint) => world[joint].transform_point(skeleton.end_sites()[site].offset),
        }
    }
}

/// What moves with the body: the root and everything below.
struct Tree {
    /// Joints, parents first, then end sites.
    points: Vec<Point>,
    n_joints: usize,
    /// For each joint of these the points that hang on it.
    below: Vec<Vec<usize>>,
    /// For each joint of these its parent among them.
    parents: Vec<Option<usize>>,
}

impl Tree {
    fn new(skeleton: &Skeleton, top: JointId) -> Tree {
        let joints: Vec<JointId> = skeleton.ids().filter(|joint| skeleton.is_at_or_above(top, *joint)).collect();
        let mut number = vec![None; skeleton.n_joints()];
        joints.iter().enumerate().for_each(|(index, joint)| number[joint.index()] = Some(index));
        let parents: Vec<Option<usize>> =
            joints.iter().map(|joint| skeleton.parent(*joint).and_then(|parent| number[parent.index()])).collect();
        let mut below = vec![Vec::new(); joints.len()];
        for (index, parent) in parents.iter().enumerate() {
            parent.iter().for_each(|parent: &usize| below[*parent].push(index));
        }
        let n_joints = joints.len();
        let mut points: Vec<Point> = joints.into_iter().map(Point::Joint).collect();
        for (site, end) in skeleton.end_sites().iter().enumerate() {
            if let Some(joint) = number[end.parent.index()] {
                below[joint].push(points.len());
                points.push(Point::EndSite(site, end.parent));
            }
        }
        Tree { points, n_joints, below, parents }
    }
}

/// Place and heading do not depend on it.
const FRAME_RATE: f64 = 120.0;

/// The root's place on the ground and its heading, for each frame.
struct BodyFrames {
    x: Vec<f64>,
    z: Vec<f64>,
    heading: Vec<f64>,
}

impl BodyFrames {
    /// As [`Curves`] has them, of this joint alone.
    fn read(root: JointId, world: &[WorldPose]) -> BodyFrames {
        let joint = Joint { name: String::new(), parent: None, rest: Transform::IDENTITY };
        let skeleton = Arc::new(Skeleton::new(vec![joint], Vec::new()).expect("one joint without a parent"));
        let poses = world.iter().map(|pose| Pose { local: vec![pose[root]] }).collect();
        let curves = Curves::read(&Clip::new("", skeleton, FRAME_RATE, poses));
        let channel = |quantity| {
            let found = curves.find(Track { joint: curves.root(), quantity });
            // A body that tumbles has no heading.
            found.map_or_else(|| vec![0.0; curves.n_frames()], |channel| curves.channel(channel).to_vec())
        };
        BodyFrames {
            x: channel(Quantity::Ground(0)),
            z: channel(Quantity::Ground(1)),
            heading: channel(Quantity::Heading),
        }
    }

    /// From the body to the world.
    fn at(&self, frame: usize) -> Transform {
        let place = Vec3::new(self.x[frame], 0.0, self.z[frame]);
        Transform::new(Quat::from_rotation_y(self.heading[frame]), place)
    }
}

/// Three channels for each point.
struct PointChannels {
    n_frames: usize,
    values: Vec<f64>,
}

impl PointChannels {
    fn read(tree: &Tree, world: &[WorldPose], frames: &BodyFrames, skeleton: &Skeleton) -> PointChannels {
        let n_frames = world.len();
        let mut channels = PointChannels { n_frames, values: vec![0.0; 3 * n_frames * tree.points.len()] };
        for (frame, pose) in world.iter().enumerate() {
            let to_body = frames.at(frame).inverse();
            for (index, point) in tree.points.iter().enumerate() {
                let place = to_body.transform_point(point.place(pose, skeleton));
                (0..3).for_each(|k| channels.channel_mut(index, k)[frame] = place[k]);
            }
        }
        channels
    }

    fn channel_mut(&mut self, point: usize, k: usize) -> &mut [f64] {
        &mut self.values[(3 * point + k) * self.n_frames..][..self.n_frames]
    }

    fn at(&self, point: usize, frame: usize) -> Vec3 {
        Vec3::from_array([0, 1, 2].map(|k| self.values[(3 * point + k) * self.n_frames + frame]))
    }
}

/// Step 3.
struct Rebuilder<'a> {
    tree: &'a Tree,
    /// Where the points of the frame shall be.
    places: Vec<Vec3>,
    /// How far the joints of the frame are turned in the world.
    turns: Vec<Quat>,
    /// Transforms of the joints of the frame in the world.
    world: Vec<Transform>,
}

impl<'a> Rebuilder<'a> {
    fn new(tree: &'a Tree) -> Rebuilder<'a> {
        Rebuilder { tree, places: Vec::new(), turns: Vec::new(), world: Vec::new() }
    }

    fn rebuild(&mut self, skeleton: &Skeleton, pose: PoseRef<'_>, before: &WorldPose) -> Pose {
        let mut out = pose.to_pose();
        self.turns.clear();
        self.world.clear();
        for index in 0..self.tree.n_joints {
            let joint = self.tree.points[index].joint();
            let turn = self.turn(skeleton, index, before);
            let at = Transform::new((turn * before[joint].rotation).normalize(), self.places[index]);
            let parent = match self.tree.parents[index] {
                Some(parent) => Some(self.world[parent]),
                // Above the body nothing moves.
                None => skeleton.parent(joint).map(|parent| before[parent]),
            };
            out[joint] = parent.map_or(at, |parent| parent.inverse() * at);
            self.turns.push(turn);
            self.world.push(at);
        }
        out
    }

    /// The least turn that takes what hangs on a joint toward its new places.
    fn turn(&self, skeleton: &Skeleton, index: usize, before: &WorldPose) -> Quat {
        let origin = before.position(self.tree.points[index].joint());
        let pair = |point: &usize| {
            let was = self.tree.points[*point].place(before, skeleton) - origin;
            (was, self.places[*point] - self.places[index])
        };
        let mut pairs = self.tree.below[index].iter().map(pair).filter(|(was, _)| was.length() > SAME_PLACE);
        match (pairs.next(), pairs.next()) {
            (None, _) => self.tree.parents[index].map_or(Quat::IDENTITY, |parent| self.turns[parent]),
            (Some((was, is)), None) => rotation::between_directions(was, is),
            (Some(first), Some(second)) => best_turn([first, second].into_iter().chain(pairs)),
        }
    }
}

/// Points nearer to their joint than this, in metres, say nothing about its direction.
const SAME_PLACE: f64 = 1e-6;
/// Rounds of the fit of several children; two or three are usual.
const FIT_ROUNDS: usize = 20;
/// Damping of the fit, as a share of all that pulls.
const DAMPING: f64 = 1e-3;

/// The turn with the least sum of squared distances between turned vectors and wanted ones: Newton's steps from no turn
/// at all.
fn best_turn(pairs: impl Iterator<Item = (Vec3, Vec3)>) -> Quat {
    let mut moment = Mat3::ZERO;
    for (was, is) in pairs {
        moment += outer(is, was);
    }
    let mut turn = Quat::IDENTITY;
    for _ in 0..FIT_ROUNDS {
        let pull = moment * Mat3::from_quat(turn).transpose();
        let trace = pull.x_axis.x + pull.y_axis.y + pull.z_axis.z;
        let torque =
            Vec3::new(pull.y_axis.z - pull.z_axis.y, pull.z_axis.x - pull.x_axis.z, pull.x_axis.y - pull.y_axis.x);
        let stiffness = Mat3::IDENTITY * (trace + DAMPING * trace.abs()) - (pull + pull.transpose()) * 0.5;
        let newton = if stiffness.determinant().abs() > 1e-30 { stiffness.inverse() * torque } else { Vec3::ZERO };
        // Far from the fit the surface may curve in the other direction; then follow the slope.
        let step = if newton.dot(torque) > 0.0 { newton } else { torque / (trace.abs() + 1e-12) };
        turn = (rotation::exp_map(step.clamp_length_max(1.0)) * turn).normalize();
        // What is left after a step is less than the damping's share of it.
        if step.length_squared() < 1e-14 {
            break;
        }
    }
    turn
}

/// `a b^T`.
fn outer(a: Vec3, b: Vec3) -> Mat3 {
    Mat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::Selection;
    use surefoot_contact::{WalkerOptions, synthetic_walk};

    fn walk() -> Clip {
        synthetic_walk(&WalkerOptions { turn_per_step: 0.3, n_steps: 5, ..WalkerOptions::default() }).take.clip
    }

    fn everywhere(clip: &Clip, gains: &[f64]) -> Vec<BandGains> {
        vec![BandGains { selection: Selection::everything(&clip.skeleton), gains: gains.to_vec() }]
    }

    /// Where every joint of the rebuilt clip must stand: the channels, equalised one by one from the definition.
    fn wanted(clip: &Clip, joint: JointId, gains: &[f64]) -> Vec<Vec3> {
        let world = clip.world();
        let curves = Curves::read(clip);
        let mut frames = BodyFrames::read(curves.root(), &world);
        let heading = curves.find(Track { joint: curves.root(), quantity: Quantity::Heading }).unwrap();
        assert_eq!(frames.heading, curves.channel(heading));
        let mut channels: Vec<Vec<f64>> = (0..3)
            .map(|k| {
                (0..world.len()).map(|f| frames.at(f).inverse().transform_point(world[f].position(joint))[k]).collect()
            })
            .collect();
        let mut splitter = BandSplitter::default();
        let options = EqualizeOptions::default();
        channels.iter_mut().for_each(|channel| splitter.weigh(channel, gains, options.edge));
        for channel in [&mut frames.x, &mut frames.z, &mut frames.heading] {
            splitter.weigh(channel, gains, options.travel_edge);
        }
        (0..world.len())
            .map(|f| frames.at(f).transform_point(Vec3::new(channels[0][f], channels[1][f], channels[2][f])))
            .collect()
    }

    #[test]
    fn every_joint_is_exactly_where_its_channels_put_it() {
        let clip = walk();
        let gains = [1.0, 1.2, 1.5, 1.8, 1.8, 0.7, -0.5];
        let out = equalize_positions(&clip, &everywhere(&clip, &gains), &EqualizeOptions::default()).unwrap();
        let world = out.world();
        for joint in clip.skeleton.ids() {
            for (frame, place) in wanted(&clip, joint, &gains).into_iter().enumerate() {
                let off = world[frame].position(joint).distance(place);
                assert!(off < 1e-12, "{} frame {frame}: {off}", clip.skeleton.name(joint));
            }
        }
        let turns = |pose: PoseRef<'_>| pose.local.iter().all(|local| (local.rotation.length() - 1.0).abs() < 1e-12);
        assert!(out.poses().iter().all(turns));
    }

    #[test]
    fn limbs_stretch_and_point_at_what_hangs_on_them() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let (clip, leg) = (&walk.take.clip, walk.take.body.legs.left);
        let out = equalize_positions(clip, &everywhere(clip, &[1.0, 1.0, 1.0, 1.6, 1.6]), &EqualizeOptions::default());
        let out = out.unwrap();
        let lengths: Vec<f64> = out.poses().iter().map(|pose| pose[leg.ankle].translation.length()).collect();
        let (least, most) = lengths.iter().fold((f64::MAX, 0.0_f64), |(a, b), x| (a.min(*x), b.max(*x)));
        assert!(most > 1.02 * least, "{least} to {most}");
        for (was, is) in clip.poses().iter().zip(out.poses()) {
            let turned = rotation::between_directions(was[leg.ankle].translation, is[leg.ankle].translation);
            assert!(rotation::angle_between(turned, Quat::IDENTITY) < 1e-7, "in the knee's own space");
        }
    }

    #[test]
    fn gains_of_one_and_clips_of_one_frame_come_back_as_they_were() {
        let mut clip = walk();
        let same = equalize_positions(&clip, &everywhere(&clip, &[1.0; 7]), &EqualizeOptions::default()).unwrap();
        assert_eq!(same, clip);
        for n in [1, 0] {
            clip.poses_mut().truncate(n);
            let out = equalize_positions(&clip, &everywhere(&clip, &[2.0; 7]), &EqualizeOptions::default()).unwrap();
            assert_eq!(out, clip);
        }
        clip = walk();
        clip.poses_mut().truncate(2);
        let out = equalize_positions(&clip, &everywhere(&clip, &[2.0]), &EqualizeOptions::default()).unwrap();
        assert!(out.poses().iter().all(|pose| pose.local.iter().all(|at| at.translation.is_finite())));
    }

    #[test]
    fn a_clip_that_stands_still_stands_still() {
        let mut clip = walk();
        let first = clip.pose(0).to_pose();
        clip.poses_mut().iter_mut().for_each(|mut pose| pose.copy_from(&first));
        let out = equalize_positions(&clip, &everywhere(&clip, &[3.0; 6]), &EqualizeOptions::default()).unwrap();
        for (was, is) in clip.poses().iter().zip(out.poses()) {
            for (was, is) in was.local.iter().zip(is.local) {
                assert!(was.translation.distance(is.translation) < 1e-12);
                assert!(rotation::angle_between(was.rotation, is.rotation) < 1e-12);
            }
        }
    }

    #[test]
    fn joints_that_are_not_chosen_stay_where_they_are() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let (clip, leg) = (&walk.take.clip, walk.take.body.legs.left);
        let selection = Selection::of_joints(&clip.skeleton, [leg.ankle]);
        let groups = [BandGains { selection, gains: vec![2.0; 6] }];
        let out = equalize_positions(clip, &groups, &EqualizeOptions::default()).unwrap();
        let mut moved = 0.0_f64;
        for (was, is) in clip.world().iter().zip(&out.world()) {
            for joint in clip.skeleton.ids() {
                let by = was.position(joint).distance(is.position(joint));
                moved = moved.max(by);
                assert!(joint == leg.ankle || by < 1e-12, "{}: {by}", clip.skeleton.name(joint));
            }
        }
        assert!(moved > 0.05);
    }

    #[test]
    fn several_children_are_fitted_and_free_axes_left_alone() {
        let vectors = [Vec3::new(0.1, 0.0, 0.02), Vec3::new(-0.1, 0.01, 0.0), Vec3::new(0.0, 0.2, -0.03)];
        for angle in [0.0, 0.3, 1.2, 2.5] {
            let turn = Quat::from_axis_angle(Vec3::new(1.0, 2.0, -0.5).normalize(), angle);
            let found = best_turn(vectors.iter().map(|v| (*v, turn * *v * 1.3)));
            assert!(rotation::angle_between(found, turn) < 1e-8, "{angle}");
        }
        // Two children in one line: nothing says how far to turn about it.
        let turn = Quat::from_rotation_z(0.4);
        let line = [Vec3::X * 0.1, Vec3::X * -0.12];
        let found = best_turn(line.iter().map(|v| (*v, turn * *v)));
        assert!(rotation::angle_between(found, turn) < 1e-8);
        assert!(best_turn([(Vec3::X, Vec3::ZERO), (Vec3::Y, Vec3::ZERO)].into_iter()).is_finite());
        assert!(best_turn([(Vec3::X, -Vec3::X), (Vec3::Y, -Vec3::Y)].into_iter()).is_finite());
    }
}
