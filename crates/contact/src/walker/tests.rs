//! What the walker promises, on a range of walks.

use super::*;
use std::f64::consts::PI;
use surefoot_geom::rotation::angle_between;
use surefoot_geom::{Quat, Transform, Vec3, heading_direction};
use surefoot_motion::BodyMap;
use surefoot_motion::WorldPose;

/// Walks of many kinds: short and long, slow and fast, narrow, wide, turning, of a child, coarse in time.
fn walks() -> Vec<WalkerOptions> {
    let base = WalkerOptions::default();
    vec![
        base,
        WalkerOptions { step_length: 0.35, cadence: 1.1, ..base },
        WalkerOptions { step_length: 0.95, cadence: 2.3, n_steps: 14, ..base },
        WalkerOptions { step_width: 0.02, toe_out: -0.1, ..base },
        WalkerOptions { step_width: 0.4, toe_out: 0.3, ..base },
        WalkerOptions { turn_per_step: 0.25, n_steps: 20, ..base },
        WalkerOptions { turn_per_step: -0.6, step_length: 0.4, first: Side::Right, ..base },
        WalkerOptions { height: 1.1, step_length: 0.4, cadence: 2.4, step_width: 0.1, ..base },
        WalkerOptions { frame_rate: 24.0, standing: 0.0, ..base },
        WalkerOptions { frame_rate: 120.0, n_steps: 1, ..base },
        WalkerOptions { n_steps: 2, first: Side::Right, ..base },
        WalkerOptions { n_steps: 0, ..base },
        WalkerOptions { step_length: 0.0, ..base },
    ]
}

fn for_each_walk(check: impl Fn(&WalkerOptions, &SyntheticWalk, &[WorldPose])) {
    for options in walks() {
        let walk = synthetic_walk(&options);
        let poses = walk.take.clip.world();
        check(&options, &walk, &poses);
    }
}

#[test]
fn planted_points_do_not_move() {
    for_each_walk(|options, walk, poses| {
        for (side, plants) in walk.take.contacts.plants.iter() {
            for plant in plants {
                for frame in plant.frames.clone() {
                    let found = plant.part.place(&walk.take.body, &poses[frame], side);
                    let error = found.distance(plant.position);
                    assert!(error < 1e-9, "{options:?} {side:?} {plant:?} frame {frame}: {error}");
                }
            }
        }
    });
}

#[test]
fn whatever_is_not_planted_is_off_the_ground() {
    for_each_walk(|options, walk, poses| {
        for (frame, pose) in poses.iter().enumerate() {
            for side in Side::BOTH {
                for part in FootPart::BOTH {
                    let height = part.place(&walk.take.body, pose, side).y;
                    let planted = walk.take.contacts.is_planted(side, part, frame);
                    // In the frame after a plant and in the one before, a part is as good as at rest.
                    let near = [frame.saturating_sub(1), frame + 1];
                    let at_rest = near.iter().any(|&near| walk.take.contacts.is_planted(side, part, near));
                    assert!(height > -1e-9, "{options:?} frame {frame} {side:?} {part:?}: {height}");
                    assert!(planted || at_rest || height > 1e-9, "{options:?} {frame} {side:?} {part:?}: {height}");
                }
                let toe = walk.take.body.legs[side].toe.expect("a toe");
                let height = pose.point(&walk.take.clip.skeleton, toe).y;
                assert!(height > -1e-9, "{options:?} frame {frame} {side:?} toe tip: {height}");
            }
        }
    });
}

#[test]
fn segments_keep_their_length_and_knees_bend_forward() {
    for_each_walk(|options, walk, poses| {
        let rest = WorldPose::new(&walk.take.clip.skeleton, &walk.take.clip.skeleton.rest_pose());
        for (frame, pose) in poses.iter().enumerate() {
            for (side, leg) in walk.take.body.legs.iter() {
                let joints = [leg.hip, leg.knee, leg.ankle, leg.ball.expect("a ball")];
                for pair in joints.windows(2) {
                    let length = |pose: &WorldPose| pose.position(pair[0]).distance(pose.position(pair[1]));
                    assert!((length(pose) - length(&rest)).abs() < 1e-12, "{options:?} frame {frame} {side:?}");
                }
                let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| pose.position(joint));
                let bend = PI - (hip - knee).angle_between(ankle - knee);
                // 85 degrees is more than any walk needs.
                assert!((0.19..1.48).contains(&bend), "{options:?} frame {frame} {side:?}: bent by {bend}");
                let ahead = (knee - (hip + ankle) / 2.0).dot(walk.take.body.facing(pose));
                assert!(ahead > 0.0, "{options:?} frame {frame} {side:?}: {ahead}");
            }
        }
    });
}

#[test]
fn no_joint_jumps() {
    for_each_walk(|options, walk, _| {
        let clip = &walk.take.clip;
        for (frame, pair) in clip.poses().pairs().enumerate() {
            for id in clip.skeleton.ids() {
                let speed = angle_between(pair[0][id].rotation, pair[1][id].rotation) * clip.frame_rate;
                // Feet and knees of people reach 600 degrees a second in walking; long fast steps take more.
                assert!(speed < 17.0, "{options:?} frame {frame} {}: {speed} rad/s", clip.skeleton.name(id));
            }
        }
    });
}

#[test]
fn the_knee_speeds_up_no_more_than_people_s_do() {
    let options = WalkerOptions { frame_rate: 120.0, ..WalkerOptions::default() };
    let clip = synthetic_walk(&options).take.clip;
    let knee = clip.skeleton.find("LeftLowerLeg").expect("a knee");
    let angles: Vec<f64> = clip.poses().iter().map(|pose| angle_between(pose[knee].rotation, Quat::IDENTITY)).collect();
    let rate = clip.frame_rate;
    let most = angles.windows(3).map(|a| ((a[2] - 2.0 * a[1] + a[0]) * rate * rate).abs()).fold(0.0, f64::max);
    // A pop of one degree in one frame would be 251 rad/s^2.
    assert!(most < 230.0, "{most} rad/s^2");
}

#[test]
fn it_begins_and_ends_at_rest_with_both_feet_flat() {
    for_each_walk(|options, walk, poses| {
        let clip = &walk.take.clip;
        let n = clip.n_frames();
        let still = (options.standing * options.frame_rate).floor() as usize;
        for frame in (1..=still).chain(n - still + 1..n) {
            for id in clip.skeleton.ids() {
                let moved = poses[frame][id].translation.distance(poses[frame - 1][id].translation);
                assert!(moved < 1e-12, "{options:?} frame {frame} of {n}: {moved}");
            }
        }
        for frame in [0, n - 1] {
            for side in Side::BOTH {
                for part in FootPart::BOTH {
                    assert!(walk.take.contacts.is_planted(side, part, frame), "{options:?} frame {frame}");
                }
            }
        }
    });
}

#[test]
fn the_plan_is_where_the_feet_are_planted() {
    for_each_walk(|options, walk, poses| {
        assert_eq!(walk.plan.footprints.len(), options.n_steps + 2);
        for side in Side::BOTH {
            let wanted = walk.plan.footprints.iter().filter(|footprint| footprint.side == side);
            let plants = walk.take.contacts.plants[side].iter().filter(|plant| plant.part == FootPart::Ball);
            let pairs: Vec<_> = wanted.zip(plants.clone()).collect();
            assert_eq!(pairs.len(), plants.count());
            for (footprint, plant) in pairs {
                assert_eq!(footprint.position, plant.position);
                let pose = &poses[plant.frames.start];
                let along = walk.take.body.ball(pose, side) - walk.take.body.heel(pose, side);
                let heading = heading_direction(footprint.heading.expect("a heading"));
                // The sole may still be coming down in its first frame, but it points in the right direction.
                assert!(along.cross(heading).length() < 1e-9 * along.length() && along.dot(heading) > 0.0);
            }
        }
    });
}

#[test]
fn the_pelvis_moves_at_step_length_times_cadence() {
    for options in [WalkerOptions::default(), WalkerOptions { step_length: 0.5, cadence: 1.5, ..Default::default() }] {
        let walk = synthetic_walk(&options);
        let schedule = Schedule::new(&options);
        let frame_at = |time: f64| (time * options.frame_rate).round() as usize;
        // Whole strides in the steady part, so that turns of the pelvis cancel out.
        let first = frame_at(schedule.first_support + 2.5 * schedule.step_time);
        let last = frame_at(schedule.first_support + 5.5 * schedule.step_time);
        let z = |frame: usize| walk.take.clip.pose(frame)[walk.take.body.pelvis].translation.z;
        let speed = (z(last) - z(first)) / ((last - first) as f64 / options.frame_rate);
        assert!((speed - options.speed()).abs() < 1e-9, "{speed}");
    }
}

/// The same pose seen in a mirror: left and right exchanged.
fn mirrored(body: &BodyMap, pose: &WorldPose, joint: surefoot_motion::JointId) -> Transform {
    let mut partner = joint;
    let chains = body.legs.map(|leg| vec![leg.hip, leg.knee, leg.ankle, leg.ball.expect("a ball")]);
    let arms = body.arms.map(|arm| {
        let arm = arm.expect("an arm");
        vec![arm.clavicle.expect("a clavicle"), arm.shoulder, arm.elbow, arm.wrist.expect("a wrist")]
    });
    let left: Vec<_> = chains.left.into_iter().chain(arms.left).collect();
    let right: Vec<_> = chains.right.into_iter().chain(arms.right).collect();
    for (&l, &r) in left.iter().zip(&right) {
        if joint == l {
            partner = r;
        } else if joint == r {
            partner = l;
        }
    }
    let Transform { rotation: q, translation: t } = pose[partner];
    Transform::new(Quat::from_xyzw(q.x, -q.y, -q.z, q.w), Vec3::new(-t.x, t.y, t.z))
}

#[test]
fn a_step_is_the_mirror_image_of_the_step_before() {
    // A step takes 30 frames exactly.
    let options = WalkerOptions { cadence: 2.0, frame_rate: 60.0, n_steps: 14, ..Default::default() };
    let walk = synthetic_walk(&options);
    let poses = walk.take.clip.world();
    let start = ((options.standing + 6.5 / options.cadence) * options.frame_rate) as usize;
    for frame in start..start + 60 {
        for id in walk.take.clip.skeleton.ids() {
            let found = &poses[frame + 30][id];
            let wanted = mirrored(&walk.take.body, &poses[frame], id);
            let ahead = Vec3::Z * options.step_length;
            assert!(
                found.translation.distance(wanted.translation + ahead) < 1e-9,
                "{}",
                walk.take.clip.skeleton.name(id)
            );
            assert!(angle_between(found.rotation, wanted.rotation) < 1e-9, "{}", walk.take.clip.skeleton.name(id));
        }
    }
}

#[test]
fn starting_with_the_other_foot_is_the_mirror_image() {
    let left = synthetic_walk(&WalkerOptions { turn_per_step: 0.2, ..Default::default() });
    let right = synthetic_walk(&WalkerOptions { turn_per_step: -0.2, first: Side::Right, ..Default::default() });
    assert_eq!(left.take.contacts.plants.left.len(), right.take.contacts.plants.right.len());
    for frame in 0..left.take.clip.n_frames() {
        let (a, b) = (left.take.clip.world_pose(frame), right.take.clip.world_pose(frame));
        for id in left.take.clip.skeleton.ids() {
            assert!(mirrored(&left.take.body, &b, id).translation.distance(a[id].translation) < 1e-9, "frame {frame}");
        }
    }
}

#[test]
fn the_body_is_found_by_shape_and_motion() {
    let walk = synthetic_walk(&WalkerOptions::default());
    let mut found = surefoot_motion::find_body(&walk.take.clip.skeleton, &walk.take.clip.world()).expect("a body").map;
    // Heels are a guess in any skeleton; joints are not.
    for side in Side::BOTH {
        found.legs[side].foot = walk.take.body.legs[side].foot;
    }
    assert_eq!(found, walk.take.body);
}

#[test]
fn the_head_stays_level() {
    for_each_walk(|options, walk, poses| {
        let head = walk.take.body.head.expect("a head");
        for pose in poses {
            assert!((pose[head].rotation * Vec3::Y).distance(Vec3::Y) < 1e-9, "{options:?}");
        }
    });
}

#[test]
fn detected_ranges_give_the_same_contacts() {
    let walk = synthetic_walk(&WalkerOptions::default());
    let ranges: Vec<_> = walk
        .take
        .contacts
        .plants
        .iter()
        .flat_map(|(side, plants)| plants.iter().map(move |plant| (side, plant.part, plant.frames.clone())))
        .collect();
    let again = Contacts::from_ranges(&walk.take.clip, &walk.take.body, &ranges).expect("good ranges");
    for side in Side::BOTH {
        for (a, b) in again.plants[side].iter().zip(&walk.take.contacts.plants[side]) {
            assert_eq!((a.part, &a.frames), (b.part, &b.frames));
            assert!(a.position.distance(b.position) < 1e-9);
        }
    }
}

/// Every corner of the ranges of the options; few of these are walks to look at, but their feet are planted.
#[test]
fn planted_points_do_not_move_in_the_wildest_walk() {
    let base = WalkerOptions { n_steps: 7, frame_rate: 30.0, ..Default::default() };
    for corner in 0..128 {
        let pick = |bit: usize, low: f64, high: f64| if corner >> bit & 1 == 0 { low } else { high };
        let height = pick(0, 0.5, 2.5);
        let options = WalkerOptions {
            height,
            step_length: pick(1, 0.0, 0.6 * height),
            step_width: pick(2, 0.0, 0.3 * height),
            cadence: pick(3, 0.2, 4.0),
            turn_per_step: pick(4, -0.8, 0.8),
            toe_out: pick(5, -0.5, 0.5),
            standing: pick(6, 0.0, 0.3),
            ..base
        };
        let walk = synthetic_walk(&options);
        for (side, plants) in walk.take.contacts.plants.iter() {
            for plant in plants {
                for frame in plant.frames.clone() {
                    let pose = walk.take.clip.world_pose(frame);
                    let error = plant.part.place(&walk.take.body, &pose, side).distance(plant.position);
                    assert!(error < 1e-9, "{options:?} frame {frame}: {error}");
                }
            }
        }
    }
}

#[test]
#[should_panic(expected = "step_length is 3")]
fn an_option_out_of_range_is_refused() {
    synthetic_walk(&WalkerOptions { step_length: 3.0, ..Default::default() });
}
