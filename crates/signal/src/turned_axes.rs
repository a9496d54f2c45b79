//! The same person with other axes in its joints, for tests: files put them anywhere.

use surefoot_geom::{Quat, Random, Transform, Vec3, rotation};
use surefoot_motion::{BodyMap, EndSite, FootShape, Joint, JointId, Pose, PoseRef, Skeleton};

/// Turns the axes of every joint below the root by some rotation, and everything that is written in them. All joints
/// stay where they are in the world.
pub(crate) fn turn_axes(
    skeleton: &Skeleton,
    body: &BodyMap,
    pose: PoseRef<'_>,
    seed: u64,
) -> (Skeleton, BodyMap, Pose) {
    let turns = turns(skeleton.n_joints(), seed);
    let turn = |joint: JointId| turns[joint.index()];
    let changed = |joint: JointId, local: Transform| {
        let above = skeleton.parent(joint).map_or(Quat::IDENTITY, turn).conjugate();
        Transform::new((above * local.rotation * turn(joint)).normalize(), above * local.translation)
    };
    let joint = |id: JointId| Joint { rest: changed(id, skeleton.joint(id).rest), ..skeleton.joint(id).clone() };
    let site = |site: &EndSite| EndSite { offset: turn(site.parent).conjugate() * site.offset, ..site.clone() };
    let turned = Skeleton::new(skeleton.ids().map(joint).collect(), skeleton.end_sites().iter().map(site).collect());
    let mut turned_body = body.clone();
    turned_body.legs = body.legs.map(|mut leg| {
        let at = |point: Vec3| turn(leg.ankle).conjugate() * point;
        let FootShape { heel, ball, toe_tip, up } = leg.foot;
        leg.foot = FootShape { heel: at(heel), ball: at(ball), toe_tip: at(toe_tip), up: at(up) };
        leg
    });
    let local = skeleton.ids().map(|id| changed(id, pose[id])).collect();
    (turned.expect("the same tree"), turned_body, Pose { local })
}

fn turns(n: usize, seed: u64) -> Vec<Quat> {
    let mut random = Random::new(seed);
    (0..n).map(|_| rotation::exp_map(random.in_cube() * 1.7)).collect()
}
