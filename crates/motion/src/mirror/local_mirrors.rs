//! How each joint's axes are mirrored into its partner's.
//!
//! Let `M` be the reflection x -> -x of the world and `R` the world rotations of a pose. The mirrored pose has `R'_j =
//! M R_s S_j` for each joint `j` with partner `s`, where the constant `S_j` takes the axes of `j` to the mirrored axes
//! of `s`. Where a rig's axes are the world's at rest, `S_j = M`; in general it is whatever makes a symmetric pose `B`
//! of the skeleton its own mirror image: `S_j = B_s^-1 N B_j`, with `N` the reflection in that pose's sagittal plane.
//! Mirroring twice changes nothing if `S_s` is the inverse of `S_j`, which for a joint on the midline means that `S_j`
//! is a reflection.
//!
//! 1. If the rest pose is symmetric it is `B`, and all is exact.
//! 2. Otherwise (families whose segments all lie along one axis at rest) `B` is the mean pose of the motion, which is
//!    nearly symmetric. What must be exact is then made exact: offsets of children are taken onto their partners'
//!    offsets, and axes onto axes where one is near, because rigs are built so. What is left to the mean pose is the
//!    roll of a segment about its own line, which moves no joint.
//!
//! `S = M K` is kept as the rotation `K`: a quaternion conjugated by `M` is `(x, -y, -z, w)`.

use crate::{BodyMap, JointId, Pose, PoseRef, Poses, Side, Skeleton, WorldPose, spread_frames};
use surefoot_geom::{Axis, Mat3, Quat, Vec3, rotation};

/// Joints of a symmetric rest pose lie this close to their mirror images, as a share of the leg's length; people are a
/// little uneven.
const SYMMETRIC: f64 = 0.05;
/// A normal within this cosine (10 degrees) of an axis is taken to be that axis.
const NEAR_AXIS: f64 = 0.985;
/// Without offsets to tell, a normal of the mean pose within this cosine (30 degrees) of an axis is taken to be that axis: the mean
/// of a short clip is far from symmetric.
const ROUGHLY_AXIS: f64 = 0.87;
/// Signs of axes are meant if the estimate is turned from them by less than half of what parts them from other signs.
const NEAR_SIGNS: f64 = std::f64::consts::FRAC_PI_4;
/// And if they take offsets to offsets within this share of their length.
const SAME_OFFSET: f64 = 0.02;
/// Frames whose mean is taken.
const MAX_FRAMES: usize = 64;

/// `M q M`.
pub(super) fn reflect(q: Quat) -> Quat {
    Quat::from_xyzw(q.x, -q.y, -q.z, q.w)
}

/// `M v`.
pub(super) fn reflect_point(v: Vec3) -> Vec3 {
    Vec3::new(-v.x, v.y, v.z)
}

/// The rotation `K` of each joint; the identity for joints without a partner.
pub(super) fn find_local_mirrors(
    skeleton: &Skeleton,
    body: &BodyMap,
    partners: &[Option<JointId>],
    poses: &Poses,
) -> Vec<Quat> {
    let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
    if let Some(normal) =
        sagittal_normal(&rest, body).map(snap_to_axis).filter(|&n| is_symmetric(&rest, body, partners, n))
    {
        return mirrors_of_pose(&rest, partners, normal);
    }
    let mean = if poses.is_empty() { rest } else { WorldPose::new(skeleton, &mean_pose(skeleton, poses)) };
    let normal = sagittal_normal(&mean, body).unwrap_or(Vec3::X);
    let estimates = mirrors_of_pose(&mean, partners, normal);
    let (children, end_sites) = (skeleton.children(), skeleton.end_sites_by_joint());
    Refinement { skeleton, children, end_sites, partners }.refine(&estimates)
}

/// From the right leg to the left one.
fn sagittal_normal(pose: &WorldPose, body: &BodyMap) -> Option<Vec3> {
    let joints = |side: Side| [body.legs[side].hip, body.legs[side].knee, body.legs[side].ankle];
    let sum: Vec3 =
        joints(Side::Left).iter().zip(joints(Side::Right)).map(|(&l, r)| pose.position(l) - pose.position(r)).sum();
    sum.try_normalize()
}

fn snap_to_axis(direction: Vec3) -> Vec3 {
    snap_within(direction, NEAR_AXIS)
}

/// The nearest axis, if the direction comes within this cosine of it.
fn snap_within(direction: Vec3, cosine: f64) -> Vec3 {
    let axis = Axis::nearest(direction).to_vec3();
    if direction.dot(axis) >= cosine { axis } else { direction }
}

/// Whether the body's joints lie where their partners' mirror images do.
fn is_symmetric(pose: &WorldPose, body: &BodyMap, partners: &[Option<JointId>], normal: Vec3) -> bool {
    let tolerance = SYMMETRIC * body.leg_length_in(pose);
    let hips = [Side::Left, Side::Right].map(|side| pose.position(body.legs[side].hip));
    let centre = (hips[0] + hips[1]) / 2.0;
    let mirrored = |point: Vec3| point - normal * (2.0 * (point - centre).dot(normal));
    let legs = body.legs.iter().flat_map(|(_, leg)| [Some(leg.hip), Some(leg.knee), Some(leg.ankle), leg.ball]);
    let arms =
        body.arms.iter().filter_map(|(_, arm)| *arm).flat_map(|arm| [Some(arm.shoulder), Some(arm.elbow), arm.wrist]);
    let trunk = body.spine.iter().copied().chain([body.pelvis]).map(Some);
    legs.chain(arms).chain(trunk).flatten().all(|joint| {
        let Some(partner) = partners[joint.index()] else { return true };
        mirrored(pose.position(joint)).distance(pose.position(partner)) <= tolerance
    })
}

/// `K` of each joint for a pose that is its own mirror image in a plane with this normal.
fn mirrors_of_pose(pose: &WorldPose, partners: &[Option<JointId>], normal: Vec3) -> Vec<Quat> {
    let to_normal = rotation::between_directions(Vec3::X, normal);
    let mut mirrors = vec![Quat::IDENTITY; partners.len()];
    for (index, partner) in partners.iter().enumerate() {
        let Some(partner) = partner.filter(|partner| index <= partner.index()) else { continue };
        let (mine, theirs) = (pose.world()[index].rotation, pose[partner].rotation);
        // M S with S = theirs^-1 (Q M Q^-1) mine, Q turning X to the normal.
        let mirror = (reflect(theirs.conjugate() * to_normal) * to_normal.conjugate() * mine).normalize();
        mirrors[partner.index()] = reflect(mirror.conjugate());
        mirrors[index] = mirror;
    }
    mirrors
}

fn mean_pose(skeleton: &Skeleton, poses: &Poses) -> Pose {
    let frames: Vec<PoseRef<'_>> = spread_frames(poses.len(), MAX_FRAMES).map(|frame| poses.pose(frame)).collect();
    let weights = vec![1.0; frames.len()];
    let mean = |joint: JointId| {
        let rotations: Vec<Quat> = frames.iter().map(|pose| pose[joint].rotation).collect();
        let mut transform = skeleton.joint(joint).rest;
        transform.rotation = rotation::weighted_mean(&rotations, &weights);
        transform
    };
    Pose { local: skeleton.ids().map(mean).collect() }
}

/// Makes estimates exact where the skeleton's offsets say how.
struct Refinement<'a> {
    skeleton: &'a Skeleton,
    children: Vec<Vec<JointId>>,
    end_sites: Vec<Vec<usize>>,
    partners: &'a [Option<JointId>],
}

impl Refinement<'_> {
    fn refine(&self, estimates: &[Quat]) -> Vec<Quat> {
        let mut mirrors = estimates.to_vec();
        for id in self.skeleton.ids() {
            match self.partners[id.index()] {
                Some(partner) if partner == id => {
                    let normal = self.midline_normal(id, estimates[id.index()]);
                    mirrors[id.index()] = to_rotation(reflection(normal));
                }
                Some(partner) if id < partner => {
                    let mirror = self.across(id, estimates[id.index()]);
                    mirrors[id.index()] = mirror;
                    mirrors[partner.index()] = reflect(mirror.conjugate());
                }
                _ => {}
            }
        }
        mirrors
    }

    /// Offsets of a joint's children and end sites with those of their partners.
    fn offset_pairs(&self, joint: JointId) -> impl Iterator<Item = (Vec3, Vec3)> + '_ {
        let offset = |child: JointId| self.skeleton.joint(child).rest.translation;
        let children = self.children[joint.index()].iter();
        let joints = children
            .filter_map(move |&child| self.partners[child.index()].map(|partner| (offset(child), offset(partner))));
        let end = |index: &usize| self.skeleton.end_sites()[*index].offset;
        let partner = self.partners[joint.index()].unwrap_or(joint);
        let sites = self.end_sites[joint.index()].iter().zip(&self.end_sites[partner.index()]);
        joints.chain(sites.map(move |(mine, theirs)| (end(mine), end(theirs))))
    }

    /// The normal of a midline joint's own mirror plane: across its paired children, otherwise the estimate square to
    /// its longest child.
    fn midline_normal(&self, joint: JointId, estimate: Quat) -> Vec3 {
        let estimated = normal_of(to_mirror(estimate));
        let mut across = Vec3::ZERO;
        let mut along = Vec3::ZERO;
        for (mine, theirs) in self.offset_pairs(joint) {
            let difference = mine - theirs;
            across += if difference.dot(estimated) < 0.0 { -difference } else { difference };
            let middle = (mine + theirs) / 2.0;
            along = if middle.length() > along.length() { middle } else { along };
        }
        let square = estimated - along * (estimated.dot(along) / along.length_squared().max(f64::MIN_POSITIVE));
        match across.try_normalize() {
            Some(across) => snap_to_axis(across),
            None => snap_within(square.try_normalize().unwrap_or(Vec3::X), ROUGHLY_AXIS),
        }
    }

    /// The mirror of a joint beside the midline: the estimate, turned so that its longest child's offset meets the
    /// partner's, or the signs of axes that do the same.
    fn across(&self, joint: JointId, estimate: Quat) -> Quat {
        let longest = self.offset_pairs(joint).max_by(|a, b| a.0.length().total_cmp(&b.0.length()));
        let mirror = to_mirror(estimate);
        let meets = |mirror: Mat3| {
            longest.is_none_or(|(mine, theirs)| (mirror * mine).distance(theirs) <= SAME_OFFSET * mine.length())
        };
        let signs = [Vec3::new(-1.0, 1.0, 1.0), Vec3::new(1.0, -1.0, 1.0), Vec3::new(1.0, 1.0, -1.0), Vec3::NEG_ONE];
        let near = signs
            .map(Mat3::from_diagonal)
            .into_iter()
            .find(|&signs| angle_from(signs, mirror) < NEAR_SIGNS && meets(signs));
        if let Some(signs) = near {
            return to_rotation(signs);
        }
        let turn = longest.map_or(Quat::IDENTITY, |(mine, theirs)| rotation::between_directions(mirror * mine, theirs));
        to_rotation(Mat3::from_quat(turn) * mirror)
    }
}

/// The angle of the rotation that takes one mirror to another.
fn angle_from(a: Mat3, b: Mat3) -> f64 {
    rotation::angle_between(to_rotation(a), to_rotation(b))
}

/// `S = M K`.
fn to_mirror(mirror: Quat) -> Mat3 {
    reflection(Vec3::X) * Mat3::from_quat(mirror)
}

/// `K = M S`.
fn to_rotation(mirror: Mat3) -> Quat {
    Quat::from_mat3(&(reflection(Vec3::X) * mirror)).normalize()
}

fn reflection(normal: Vec3) -> Mat3 {
    let outer = Mat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z);
    Mat3::IDENTITY - outer * 2.0
}

/// The normal of the reflection nearest to an improper rotation: `(I - S) / 2` is about `n n^T`, whose longest column
/// is along `n`.
fn normal_of(mirror: Mat3) -> Vec3 {
    let outer = Mat3::IDENTITY - mirror;
    let columns = [outer.x_axis, outer.y_axis, outer.z_axis];
    let longest = columns
        .into_iter()
        .fold(Vec3::ZERO, |best, column| if column.length() > best.length() { column } else { best });
    longest.try_normalize().unwrap_or(Vec3::X)
}
