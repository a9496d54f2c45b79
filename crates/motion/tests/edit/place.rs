use crate::made_up::any_clip;
use surefoot_geom::{Quat, Vec3, direction_heading, rotation::angle_between};
use surefoot_motion::{Placement, place};

#[test]
fn every_joint_moves_and_turns_rigidly() {
    let clip = any_clip(20, 15, 5);
    let placement = Placement::about(Vec3::new(1.0, 0.0, 2.0), 0.7, Vec3::new(0.5, 0.1, -3.0));
    let placed = place(&clip, placement);
    for frame in 0..clip.n_frames() {
        let (old, new) = (clip.world_pose(frame), placed.world_pose(frame));
        for joint in clip.skeleton.ids() {
            let centre = Vec3::new(1.0, 0.0, 2.0);
            let turned = Quat::from_rotation_y(0.7) * (old.position(joint) - centre) + centre;
            assert!(new.position(joint).distance(turned + Vec3::new(0.5, 0.1, -3.0)) < 1e-12);
            assert!(angle_between(new[joint].rotation, Quat::from_rotation_y(0.7) * old[joint].rotation) < 1e-12);
        }
    }
    assert_eq!(place(&clip, Placement::IDENTITY).poses.len(), clip.poses.len());
}

#[test]
fn a_placement_between_two_places_brings_one_to_the_other() {
    let (from, to) = ((Vec3::new(1.0, 0.9, 2.0), 0.4), (Vec3::new(-3.0, 7.0, 0.5), -2.0));
    let transform = Placement::between(from, to).to_transform();
    let moved = transform.transform_point(from.0);
    assert!((moved - Vec3::new(-3.0, 0.9, 0.5)).length() < 1e-12, "heights stay: {moved}");
    let facing = transform.rotation * surefoot_geom::heading_direction(from.1);
    assert!((direction_heading(facing).unwrap() - to.1).abs() < 1e-12);
}
