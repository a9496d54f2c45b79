//! What can be measured of a skeleton in any unit and with any axis up: lengths, reaches and bends.

use crate::joint_names::{NameFacts, NamedPart, read_joint_name};
use crate::{BodyPoint, JointId, Skeleton, WorldPose, spread_frames};
use surefoot_geom::{Vec3, median};

/// At most this many frames are looked at, spread evenly: medians of more change nothing.
const MAX_FRAMES: usize = 48;
/// Points closer than this share of the body's reach are one place: 6 mm in a grown person. Real limbs are longer, and
/// placeholder joints (`LHipJoint`, `__UpLeg_L`) are not always exactly zero.
const COINCIDENT: f64 = 0.004;
/// A chain is followed over this many distinct places, enough for a leg with two twist joints in each segment.
const MAX_CHAIN: usize = 12;
/// Joints that call themselves helpers, heels or attachments count this much of their reach when a chain must choose
/// where to go on.
const HELPER_REACH: f64 = 0.3;

/// A skeleton with the figures that recognition asks for again and again.
pub(super) struct Measures<'a> {
    pub(super) skeleton: &'a Skeleton,
    pub(super) children: Vec<Vec<JointId>>,
    pub(super) names: Vec<NameFacts>,
    pub(super) rest: &'a WorldPose,
    /// Frames of the motion, or the rest pose alone where there are none; never empty.
    pub(super) frames: Vec<&'a WorldPose>,
    /// For each joint the distance from its parent, the median over the frames; 0 for roots.
    pub(super) length: Vec<f64>,
    /// For each joint the longest path to the end of a chain below it.
    reach: Vec<f64>,
    /// The longest reach of a joint with several children: a measure of the whole body without a placed dummy root.
    pub(super) size: f64,
    sites: Vec<Vec<usize>>,
    depth: Vec<u32>,
}

/// One place of a chain, and the length of the chain to it from the joint that the chain hangs on.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChainPoint {
    pub(super) point: BodyPoint,
    pub(super) arc: f64,
}

impl<'a> Measures<'a> {
    pub(super) fn new(skeleton: &'a Skeleton, rest: &'a WorldPose, poses: &'a [WorldPose]) -> Measures<'a> {
        let mut frames = sample_frames(skeleton, poses);
        if frames.is_empty() {
            frames.push(rest);
        }
        let mut sites = vec![Vec::new(); skeleton.n_joints()];
        for (index, site) in skeleton.end_sites().iter().enumerate() {
            sites[site.parent.index()].push(index);
        }
        let length = skeleton
            .ids()
            .map(|id| skeleton.parent(id).map_or(0.0, |parent| median_distance(&frames, parent, id)))
            .collect();
        let names = skeleton.joints().iter().map(|joint| read_joint_name(&joint.name)).collect();
        let children = skeleton.children();
        let mut depth: Vec<u32> = Vec::with_capacity(skeleton.n_joints());
        for joint in skeleton.joints() {
            depth.push(joint.parent.map_or(0, |parent| depth[parent.index()] + 1));
        }
        let mut measures =
            Measures { skeleton, children, names, rest, frames, length, reach: Vec::new(), size: 0.0, sites, depth };
        measures.fill_reach();
        measures
    }

    fn fill_reach(&mut self) {
        let n = self.skeleton.n_joints();
        self.reach = (0..n).map(|j| self.sites[j].iter().map(|&s| self.site_length(s)).fold(0.0, f64::max)).collect();
        for id in self.skeleton.ids().rev() {
            if let Some(parent) = self.skeleton.parent(id) {
                let through = self.length[id.index()] + self.reach[id.index()];
                let reach = &mut self.reach[parent.index()];
                *reach = reach.max(through);
            }
        }
        let branching = (0..n).filter(|&j| self.children[j].len() > 1).map(|j| self.reach[j]).fold(0.0, f64::max);
        self.size = if branching > 0.0 { branching } else { self.reach.iter().copied().fold(0.0, f64::max) };
    }

    fn site_length(&self, site: usize) -> f64 {
        let length = self.skeleton.end_sites()[site].offset.length();
        if length.is_finite() { length } else { 0.0 }
    }

    pub(super) fn facts(&self, joint: JointId) -> NameFacts {
        self.names[joint.index()]
    }

    /// How many joints are above one.
    pub(super) fn depth(&self, joint: JointId) -> u32 {
        self.depth[joint.index()]
    }

    /// The chain from a joint's parent through the joint to the farthest end below it.
    pub(super) fn reach_through(&self, joint: JointId) -> f64 {
        self.length[joint.index()] + self.reach[joint.index()]
    }

    /// How much a child promises as the continuation of a limb.
    fn promise(&self, joint: JointId) -> f64 {
        let facts = self.facts(joint);
        let minor = facts.is_helper || matches!(facts.part, Some(NamedPart::Heel | NamedPart::Attachment));
        self.reach_through(joint) * if minor { HELPER_REACH } else { 1.0 }
    }

    /// Where a limb goes on after a joint: the child or end site with the longest chain below it; ties go to the first
    /// child.
    pub(super) fn continuation(&self, joint: JointId) -> Option<BodyPoint> {
        let mut best: Option<(f64, BodyPoint)> = None;
        let mut offer = |promise: f64, point: BodyPoint| {
            if best.is_none_or(|(most, _)| promise > most) {
                best = Some((promise, point));
            }
        };
        for &child in &self.children[joint.index()] {
            offer(self.promise(child), BodyPoint::Joint(child));
        }
        for &site in &self.sites[joint.index()] {
            offer(self.site_length(site), BodyPoint::EndSite(site));
        }
        best.map(|(_, point)| point)
    }

    /// The distinct places of the limb that starts with `start`, at most [`MAX_CHAIN`]. Of joints in one place the
    /// deepest stands for all: whatever moves the next segment, it does.
    pub(super) fn chain(&self, start: JointId) -> Vec<ChainPoint> {
        let apart = self.size * COINCIDENT;
        let mut arc = self.length[start.index()];
        let mut chain = vec![ChainPoint { point: BodyPoint::Joint(start), arc }];
        let mut at = start;
        while let Some(next) = self.continuation(at) {
            let step = match next {
                BodyPoint::Joint(joint) => self.length[joint.index()],
                BodyPoint::EndSite(site) => self.site_length(site),
            };
            arc += step;
            let is_joint = matches!(next, BodyPoint::Joint(_));
            match chain.last_mut() {
                Some(last) if step <= apart => {
                    if is_joint && !self.is_tip(next) {
                        last.point = next;
                    }
                }
                _ => chain.push(ChainPoint { point: next, arc }),
            }
            match next {
                BodyPoint::Joint(joint) if chain.len() < MAX_CHAIN => at = joint,
                _ => break,
            }
        }
        chain
    }

    /// Whether a point only ends a chain: an end site, or a leaf joint whose name says so.
    pub(super) fn is_tip(&self, point: BodyPoint) -> bool {
        match point {
            BodyPoint::EndSite(_) => true,
            BodyPoint::Joint(joint) => self.facts(joint).is_end && self.children[joint.index()].is_empty(),
        }
    }

    pub(super) fn position(&self, pose: &WorldPose, point: BodyPoint) -> Vec3 {
        pose.point(self.skeleton, point)
    }

    /// The median angle by which the chain `a`, `b`, `c` turns at `b`; 0 is straight on. `None` if two of the points
    /// coincide in every frame.
    pub(super) fn bend(&self, a: BodyPoint, b: BodyPoint, c: BodyPoint) -> Option<f64> {
        let mut angles: Vec<f64> = self
            .frames
            .iter()
            .filter_map(|pose| {
                let [a, b, c] = [a, b, c].map(|point| self.position(pose, point));
                angle_of(b - a, c - b)
            })
            .collect();
        median(&mut angles)
    }

    /// The joint's name, in quotes for messages.
    pub(super) fn quoted(&self, joint: JointId) -> String {
        format!("`{}`", self.skeleton.name(joint))
    }
}

/// Frames to look at: evenly spread, and only those in which every number is finite.
fn sample_frames<'a>(skeleton: &Skeleton, poses: &'a [WorldPose]) -> Vec<&'a WorldPose> {
    let usable: Vec<&WorldPose> = poses.iter().filter(|pose| pose.world().len() == skeleton.n_joints()).collect();
    let picked = spread_frames(usable.len(), MAX_FRAMES).map(|frame| usable[frame]);
    picked.filter(|pose| pose.world().iter().all(surefoot_geom::Transform::is_finite)).collect()
}

fn median_distance(frames: &[&WorldPose], a: JointId, b: JointId) -> f64 {
    let mut distances: Vec<f64> = frames.iter().map(|pose| pose.position(a).distance(pose.position(b))).collect();
    median(&mut distances).unwrap_or(0.0)
}

/// The angle between two directions; `None` if one has no length.
pub(super) fn angle_of(a: Vec3, b: Vec3) -> Option<f64> {
    let (a, b) = (a.try_normalize()?, b.try_normalize()?);
    Some(a.cross(b).length().atan2(a.dot(b)))
}
