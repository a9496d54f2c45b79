use crate::edit::made_up::any_clip;
use surefoot_geom::{Quat, Vec3, direction_heading, rotation::angle_between};
use surefoot_motion::{Placement, place, start_at_origin};

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
    assert_eq!(place(&clip, Placement::IDENTITY).poses().len(), clip.poses().len());
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

#[test]
fn a_clip_brought_to_the_origin_starts_there_and_faces_ahead() {
    use crate::{
        edit::mirror::person,
        find_body::families::FAMILIES,
        find_body::people::{Act, Names, Up},
    };
    for family in FAMILIES.iter().filter(|family| family.up == Up::Y) {
        let (clip, body) = person(family, Names::OfFamily, Act::Walk);
        let away = place(&clip, Placement { yaw: 2.0, translation: Vec3::new(5.0, 0.0, -3.0) * family.scale });
        let home = start_at_origin(&away, &body);
        let first = home.world_pose(0);
        let pelvis = first.position(body.pelvis);
        assert!(pelvis.x.hypot(pelvis.z) < 1e-9 * family.scale, "{}", family.title);
        assert!(
            (pelvis.y - clip.world_pose(0).position(body.pelvis).y).abs() < 1e-9 * family.scale,
            "{}",
            family.title
        );
        assert!(direction_heading(body.facing(&first)).unwrap().abs() < 1e-9, "{}", family.title);
    }
}
