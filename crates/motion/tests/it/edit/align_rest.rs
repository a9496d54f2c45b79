use crate::edit::made_up::any_clip;
use surefoot_geom::{Quat, rotation::angle_between};
use surefoot_motion::{BodyPoint, WorldPose, align_rest};

#[test]
fn no_joint_moves_and_no_joint_is_rotated_at_rest() {
    for seed in 0..40 {
        let clip = any_clip(seed, 25, 6);
        let aligned = align_rest(&clip);
        let rest = WorldPose::new(&clip.skeleton, &clip.skeleton.rest_pose());
        let new_rest = WorldPose::new(&aligned.skeleton, &aligned.skeleton.rest_pose());
        for joint in clip.skeleton.ids() {
            assert_eq!(aligned.skeleton.joint(joint).rest.rotation, Quat::IDENTITY);
            assert!(rest.position(joint).distance(new_rest.position(joint)) < 1e-12, "seed {seed}");
        }
        for frame in 0..clip.n_frames() {
            let (old, new) = (clip.world_pose(frame), aligned.world_pose(frame));
            for joint in clip.skeleton.ids() {
                assert!(old.position(joint).distance(new.position(joint)) < 1e-12, "seed {seed}");
                let wanted = old[joint].rotation * rest[joint].rotation.conjugate();
                assert!(angle_between(new[joint].rotation, wanted) < 1e-12, "seed {seed}");
            }
            for site in (0..clip.skeleton.end_sites().len()).map(BodyPoint::EndSite) {
                let moved = old.point(&clip.skeleton, site).distance(new.point(&aligned.skeleton, site));
                assert!(moved < 1e-12, "seed {seed}");
            }
        }
    }
}

#[test]
fn aligning_twice_changes_nothing() {
    let once = align_rest(&any_clip(3, 20, 4));
    let twice = align_rest(&once);
    for (a, b) in once.poses().iter().flat_map(|p| p.local).zip(twice.poses().iter().flat_map(|p| p.local)) {
        assert!(angle_between(a.rotation, b.rotation) < 1e-14 && a.translation.distance(b.translation) < 1e-14);
    }
}
