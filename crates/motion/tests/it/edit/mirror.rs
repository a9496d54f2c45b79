//! Mirroring, on people of all families.

use crate::find_body::families::FAMILIES;
use crate::find_body::people::{Act, Family, Names, Rest, build};
use std::sync::Arc;
use surefoot_geom::{Quat, Transform, Vec3, rotation::angle_between};
use surefoot_motion::{BodyMap, Clip, JointId, Mirror, Pose, Side, Skeleton, WorldPose, find_body, mirror};

fn to_local(skeleton: &Skeleton, pose: &WorldPose) -> Pose {
    let local = skeleton.ids().map(|joint| match skeleton.parent(joint) {
        Some(parent) => pose[parent].inverse() * pose[joint],
        None => pose[joint],
    });
    Pose { local: local.collect() }
}

pub(crate) fn person(family: &Family, names: Names, act: Act) -> (Clip, BodyMap) {
    let person = build(family, names, act);
    let body = find_body(&person.skeleton, &person.poses).unwrap().map;
    let poses = person.poses.iter().map(|pose| to_local(&person.skeleton, pose)).collect();
    let clip = Clip::new(family.title.to_string(), Arc::new(person.skeleton), 30.0, poses);
    (clip, body)
}

fn reflected(point: Vec3) -> Vec3 {
    Vec3::new(-point.x, point.y, point.z)
}

/// On a symmetric skeleton every joint stands where its partner's reflection does, and is turned as it is.
#[test]
fn joints_stand_where_their_partners_are_reflected() {
    for family in FAMILIES {
        let family = Family { uneven: 0.0, ..*family };
        for names in [Names::OfFamily, Names::Anonymous] {
            let (clip, body) = person(&family, names, Act::Walk);
            let mirrored = mirror(&clip, &body);
            let partners = Mirror::new(&clip.skeleton, &body, clip.poses());
            for frame in 0..clip.n_frames() {
                let (old, new) = (clip.world_pose(frame), mirrored.world_pose(frame));
                for joint in clip.skeleton.ids() {
                    let Some(partner) = partners.partner(joint) else { continue };
                    let error = new.position(joint).distance(reflected(old.position(partner))) / family.scale;
                    let name = clip.skeleton.name(joint);
                    assert!(error < 1e-9, "{} {name}: {error} m", family.title);
                    let q = old[partner].rotation;
                    let turned = angle_between(new[joint].rotation, Quat::from_xyzw(q.x, -q.y, -q.z, q.w));
                    // The builder's axes of both sides are mirror images; on the midline only those that are the
                    // world's.
                    let is_even = joint != partner || family.rest == Rest::Standing;
                    assert!(!is_even || turned < 1e-9, "{} {name}: turned by {turned}", family.title);
                }
                let balls = |pose: &WorldPose, side: Side| body.ball(pose, side) / family.scale;
                let error = balls(&new, Side::Left).distance(reflected(balls(&old, Side::Right)));
                assert!(error < 1e-3, "{}: ball {error} m", family.title);
            }
        }
    }
}

#[test]
fn mirroring_twice_changes_nothing() {
    for family in FAMILIES {
        for act in [Act::Walk, Act::Crouch, Act::Crawl] {
            let (clip, body) = person(family, Names::OfFamily, act);
            let mirror = Mirror::new(&clip.skeleton, &body, clip.poses());
            for pose in clip.poses() {
                let twice = mirror.mirror_pose(mirror.mirror_pose(pose).view());
                for (a, b) in pose.local.iter().zip(&twice.local) {
                    assert!(angle_between(a.rotation, b.rotation) < 1e-9, "{}", family.title);
                    assert!(a.translation.distance(b.translation) / family.scale < 1e-9, "{}", family.title);
                }
            }
        }
    }
}

#[test]
fn every_joint_of_both_sides_has_a_partner() {
    for family in FAMILIES {
        for names in [Names::OfFamily, Names::Anonymous] {
            let (clip, body) = person(family, names, Act::Walk);
            let mirror = Mirror::new(&clip.skeleton, &body, clip.poses());
            let standing = build(family, Names::OfFamily, Act::Walk).skeleton;
            for joint in clip.skeleton.ids() {
                let partner = mirror.partner(joint).unwrap_or_else(|| panic!("{}: {joint:?} has none", family.title));
                assert_eq!(mirror.partner(partner), Some(joint), "{}", family.title);
                // By name, from the skeleton that has them.
                let side = |joint: JointId| surefoot_motion::joint_names::read_joint_name(standing.name(joint)).side;
                assert_eq!(
                    side(partner),
                    side(joint).map(Side::opposite),
                    "{}: {}",
                    family.title,
                    standing.name(joint)
                );
            }
        }
    }
}

/// A rig whose axes are rolled at random, each side on its own: positions still mirror exactly.
#[test]
fn rigs_with_any_axes_mirror_by_their_rest_pose() {
    let family = Family { uneven: 0.0, ..FAMILIES[0] };
    let (clip, body) = person(&family, Names::OfFamily, Act::Walk);
    let mut random = surefoot_geom::Random::new(5);
    let bases: Vec<Quat> = clip.skeleton.ids().map(|_| crate::edit::made_up::random_rotation(&mut random)).collect();
    let rebase = |joint: JointId, transform: Transform| {
        let outer = clip.skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| bases[parent.index()].conjugate());
        Transform::new(outer * transform.rotation * bases[joint.index()], outer * transform.translation)
    };
    let joints = clip.skeleton.ids().map(|id| {
        let mut joint = clip.skeleton.joint(id).clone();
        joint.rest = rebase(id, joint.rest);
        joint
    });
    let skeleton = Arc::new(Skeleton::new(joints.collect(), Vec::new()).unwrap());
    let poses =
        clip.poses().iter().map(|pose| Pose { local: clip.skeleton.ids().map(|id| rebase(id, pose[id])).collect() });
    let rolled = Clip::new(clip.name.clone(), skeleton, clip.frame_rate, poses.collect());
    let (plain, mirrored) = (mirror(&clip, &body), mirror(&rolled, &body));
    for frame in 0..clip.n_frames() {
        let (a, b) = (plain.world_pose(frame), mirrored.world_pose(frame));
        for joint in clip.skeleton.ids() {
            assert!(a.position(joint).distance(b.position(joint)) < 1e-9 * family.scale);
            assert!(angle_between(a[joint].rotation * bases[joint.index()], b[joint].rotation) < 1e-9);
        }
    }
}
