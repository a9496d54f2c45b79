//! Rigid transforms of joints out of nodes that may also scale, and sit below other nodes.
//!
//! A glTF node moves, turns and stretches; a joint of ours moves and turns. Positions are kept exactly whatever the
//! file does: the world's linear part is carried along in full, and a joint's translation is where its parent's full
//! transform puts it, seen from its parent's rigid one:
//!
//! ```text
//! Q = Q_parent q                  world rotation, stretches left out
//! L = L_parent R(q) S             world linear part, stretches in
//! t' = Q_parent^-1 L_parent t     translation of the joint
//! ```
//!
//! For a uniform scale s above, t' is s t. What is lost under a non-uniform or moving scale is the shape of what
//! hangs on the joint: end sites keep the offset they have at rest. Nodes above a root go into the root.

use super::choose_joints::Choice;
use super::motion::{Motion, NodeCurves};
use super::tree::{NodeTransform, Tree};
use std::collections::HashMap;
use surefoot_geom::{Mat3, Quat, Transform, Vec3};

/// A stretch that differs from uniform, or moves, by less than this share is an exporter's rounding.
const STRETCH_TOLERANCE: f64 = 1e-3;

/// All that is needed to pose the joints at any time.
pub(super) struct Baker<'a> {
    /// In the order of [`Choice::chain`].
    links: Vec<Link<'a>>,
    /// For each joint its link.
    joint_links: Vec<usize>,
    /// Whether any link stretches; most files do not, and keep their numbers to the last digit.
    has_stretch: bool,
}

/// A joint, or a node above one.
struct Link<'a> {
    parent: Option<usize>,
    is_joint: bool,
    rest: NodeTransform,
    curves: Option<&'a NodeCurves>,
}

/// Where a link stands, with all that is above it.
#[derive(Clone, Copy)]
struct State {
    /// World rotation, stretches left out.
    rotation: Quat,
    /// World linear part, stretches in.
    linear: Mat3,
    /// The rigid transform from the link's space to that of the next joint above, or the world.
    to_joint: Transform,
}

impl<'a> Baker<'a> {
    /// Joints of `choice`, at rest in `rests`, moved by `motion`.
    pub(super) fn new(tree: &Tree, choice: &Choice, rests: &[NodeTransform], motion: &'a Motion) -> Baker<'a> {
        let link_of: HashMap<usize, usize> =
            choice.chain.iter().enumerate().map(|(link, &node)| (node, link)).collect();
        let mut links: Vec<Link<'a>> = choice
            .chain
            .iter()
            .map(|&node| Link {
                parent: tree.parents[node].and_then(|parent| link_of.get(&parent).copied()),
                is_joint: false,
                rest: rests[node],
                curves: motion.curves.get(&node),
            })
            .collect();
        let joint_links: Vec<usize> = choice.joints.iter().map(|node| link_of[node]).collect();
        joint_links.iter().for_each(|&link| links[link].is_joint = true);
        let has_stretch = links.iter().any(|link| {
            link.rest.stretch != Mat3::IDENTITY || link.curves.is_some_and(|curves| curves.scale.is_some())
        });
        Baker { links, joint_links, has_stretch }
    }

    /// How many transforms one pose takes to find.
    pub(super) fn n_links(&self) -> usize {
        self.links.len()
    }

    /// Local transforms of all joints at rest, and the offsets of `end_sites`: pairs of a joint and a translation in
    /// its node.
    pub(super) fn rest(&self, end_sites: &[(usize, Vec3)]) -> (Vec<Transform>, Vec<Vec3>) {
        let states = self.states(|link| link.rest);
        let offset = |&(joint, translation): &(usize, Vec3)| {
            self.rigid_offset(Some(&states[self.joint_links[joint]]), translation)
        };
        (self.locals(&states), end_sites.iter().map(offset).collect())
    }

    /// Local transforms of all joints at a time; see [`super::curve::Curve::at`] for `snap`.
    pub(super) fn pose(&self, time: f64, snap: f64) -> Vec<Transform> {
        self.locals(&self.states(|link| link.at(time, snap)))
    }

    fn locals(&self, states: &[State]) -> Vec<Transform> {
        self.joint_links.iter().map(|&link| states[link].to_joint).collect()
    }

    fn states(&self, transform: impl Fn(&Link<'_>) -> NodeTransform) -> Vec<State> {
        let mut states: Vec<State> = Vec::with_capacity(self.links.len());
        for link in &self.links {
            let node = transform(link);
            let parent = link.parent.map(|parent| &states[parent]);
            let local = Transform::new(node.rotation, self.rigid_offset(parent, node.translation));
            let is_below_joint = link.parent.is_some_and(|parent| self.links[parent].is_joint);
            let to_joint = match parent {
                Some(parent) if !is_below_joint => parent.to_joint * local,
                _ => local,
            };
            let (rotation, linear) = match parent {
                _ if !self.has_stretch => (Quat::IDENTITY, Mat3::IDENTITY),
                Some(parent) => (parent.rotation * node.rotation, parent.linear * linear_part(&node)),
                None => (node.rotation, linear_part(&node)),
            };
            states.push(State { rotation, linear, to_joint });
        }
        states
    }

    /// A translation in the parent's space, as its rigid transform sees it.
    fn rigid_offset(&self, parent: Option<&State>, translation: Vec3) -> Vec3 {
        match parent.filter(|_| self.has_stretch) {
            Some(parent) => parent.rotation.conjugate() * (parent.linear * translation),
            None => translation,
        }
    }

    /// How many links stretch in a way that a rigid joint cannot follow: not uniformly, or not the same at all times.
    pub(super) fn n_distorted(&self) -> usize {
        self.links.iter().filter(|link| link.is_distorted()).count()
    }
}

impl Link<'_> {
    fn at(&self, time: f64, snap: f64) -> NodeTransform {
        let Some(curves) = self.curves else {
            return self.rest;
        };
        let scale = curves.scale.as_ref().map(|curve| Mat3::from_diagonal(curve.at(time, snap)));
        NodeTransform {
            translation: curves.translation.as_ref().map_or(self.rest.translation, |curve| curve.at(time, snap)),
            rotation: curves.rotation.as_ref().map_or(self.rest.rotation, |curve| curve.at(time, snap)),
            stretch: scale.unwrap_or(self.rest.stretch),
        }
    }

    fn is_distorted(&self) -> bool {
        let size = self.rest.stretch.x_axis.x;
        let is_steady = |scale: &Vec3| (*scale - size).abs().max_element() <= STRETCH_TOLERANCE * size.abs();
        let moves = self.curves.and_then(|curves| curves.scale.as_ref()).is_some_and(|curve| {
            // Tangents of splines stand beside the values.
            let n = curve.interpolation.n_values();
            !curve.values.iter().skip(n / 2).step_by(n).all(is_steady)
        });
        moves
            || size <= 0.0
            || !self.rest.stretch.abs_diff_eq(Mat3::from_diagonal(Vec3::splat(size)), STRETCH_TOLERANCE * size)
    }
}

fn linear_part(node: &NodeTransform) -> Mat3 {
    Mat3::from_quat(node.rotation) * node.stretch
}
