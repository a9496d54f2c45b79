//! Truth by construction: walks with a fault of known size, which each measure must find where it was put.

use super::catalogue::CATALOGUE;
use super::*;
use crate::{
    Contacts, FootPart, HeightDetectOptions, Plant, SyntheticWalk, WalkerOptions, detect_by_height, synthetic_walk,
};
use std::f64::consts::TAU;
use surefoot_geom::{Quat, Vec2, Vec3};
use surefoot_motion::{JointId, PerSide, Placement, Poses, Side, place, resample};

fn walk() -> SyntheticWalk {
    synthetic_walk(&WalkerOptions::default())
}

fn measure(walk: &SyntheticWalk) -> Measures {
    measure_take(&walk.take, &Terrain::flat(0.0), &MeasureOptions::default())
}

/// The value of a metric in SI units.
fn value(measures: &Measures, name: &str) -> f64 {
    measures.metric(name).unwrap_or_else(|| panic!("{name} is measured")).value
}

fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found}, expected {expected}");
}

/// Moves the whole body in each frame by what `shift` says.
fn shift(walk: &mut SyntheticWalk, shift: impl Fn(usize) -> Vec3) {
    for (frame, pose) in walk.take.clip.poses_mut().iter_mut().enumerate() {
        pose.local[0].translation += shift(frame);
    }
}

/// The longest ball plant of the left foot.
fn long_plant(walk: &SyntheticWalk) -> Plant {
    let plants = walk.take.contacts.plants.left.iter().filter(|plant| plant.part == FootPart::Ball);
    plants.max_by_key(|plant| plant.frames.len()).expect("a plant").clone()
}

#[test]
fn skating_by_graph_is_that_of_the_plants_its_detector_finds() {
    let mut walk = walk();
    shift(&mut walk, |frame| Vec3::new(0.004, 0.0001, 0.0) * frame as f64);
    let (poses, rate) = (walk.take.clip.world(), walk.take.clip.frame_rate);
    for floor in [None, Some(0.0)] {
        let options = HeightDetectOptions { floor, ..HeightDetectOptions::default() };
        let contacts = detect_by_height(&poses, &walk.take.body, rate, &options);
        assert!(contacts.plants.left.len() > 1, "{floor:?}");
        let feet = foot_points(&poses, &walk.take.clip.skeleton, &walk.take.body);
        let skating = measure_skating(&feet, &contacts, rate, floor);
        assert_eq!(skating.graph, skating.graph_in_contacts, "{floor:?}");
    }
}

#[test]
fn a_perfect_walk_is_reported_as_perfect() {
    let walk = walk();
    let options = MeasureOptions { plan: Some(&walk.plan), ..MeasureOptions::default() };
    let measures = measure_take(&walk.take, &Terrain::flat(0.0), &options);
    for name in ["drift_max", "drift_vertical_max", "plant_error_max", "off_ground_max", "placement_max", "float_max"] {
        assert!(value(&measures, name) < 1e-6, "{name} is {}", value(&measures, name));
    }
    // GMD and Kimodo look at low feet, planted or not: the low swings of this walker skate for them.
    for name in ["footprints_missed", "plants_unused", "holosoma_skate_ratio", "stretch_max"] {
        assert!(value(&measures, name) < 1e-9, "{name} is {}", value(&measures, name));
    }
    let heading = value(&measures, "heading_error_max");
    assert!(heading < 1e-6, "heading {heading}");
    // Targets are in seconds, feet come and go with frames: at each end up to one may be missing.
    for name in ["swing_error_max", "support_error_max"] {
        assert!(value(&measures, name) < 2.0 / walk.take.clip.frame_rate, "{name} is {}", value(&measures, name));
    }
}

#[test]
fn a_slide_of_known_speed_is_found_by_every_definition() {
    let mut walk = walk();
    let (speed, rate) = (0.3, walk.take.clip.frame_rate);
    shift(&mut walk, |frame| Vec3::new(speed * frame as f64 / rate, 0.0, 0.0));
    let measures = measure(&walk);
    let plant = long_plant(&walk);
    let distance = speed * (plant.frames.len() - 1) as f64 / rate;
    let found = measures.drift.plants.iter().find(|drift| drift.frames == plant.frames && drift.side == Side::Left);
    let found = found.expect("the plant");
    assert_close(found.horizontal, distance / 2.0, 1e-9, "drift is half of the way, from the middle");
    assert_close(found.vertical, 0.0, 1e-9, "height");
    assert_close(found.path, distance, 1e-9, "path");
    assert_close(value(&measures, "skate_speed"), speed, 1e-9, "skate speed");
    assert_close(value(&measures, "holosoma_skate_ratio"), 1.0, 0.0, "all of the planted frames slide");
    assert_close(value(&measures, "holosoma_skate_speed_max"), speed, 1e-9, "Holosoma's speed");
    // Kimodo and GRAPH also look at frames in which the ball is low but leaves or lands.
    assert!(value(&measures, "kimodo_skate_ratio") > 0.99, "{}", value(&measures, "kimodo_skate_ratio"));
    assert!(value(&measures, "gmd_skate_ratio") < 0.3, "0.3 m/s is no skating for GMD");
    let standing = measure_standing(speed);
    assert_close(
        value(&standing, "graph_skate_per_frame"),
        3.0 * speed / rate,
        1e-9,
        "three joints of a standing foot",
    );
    assert_close(value(&standing, "graph_contact_skate_per_frame"), 3.0 * speed / rate, 1e-9, "in contacts");
    assert_close(value(&standing, "kimodo_skate_speed"), speed, 1e-9, "Kimodo's speed");
    assert_close(value(&standing, "mann_skate"), speed / rate, 1e-9, "on the ground the weight is 1");
    assert_close(value(&standing, "gmd_skate_ratio"), 0.0, 0.0, "GMD below its speed");
    // 60 frames are 19 moves at 20 fps; the mean of five is below the speed in the two at each end, for zeros lie beyond.
    assert_close(value(&measure_standing(0.6), "gmd_skate_ratio"), 15.0 / 19.0, 1e-12, "GMD above its speed");
}

/// Somebody who stands, and slides sideways as on ice.
fn measure_standing(speed: f64) -> Measures {
    let mut walk = walk();
    let rate = walk.take.clip.frame_rate;
    *walk.take.clip.poses_mut() = Poses::repeat(walk.take.clip.pose(0), 60);
    let still = |side: Side| {
        let position = walk.take.body.ball(&walk.take.clip.world_pose(0), side);
        vec![Plant { part: FootPart::Ball, frames: 0..60, position }]
    };
    walk.take.contacts = Contacts { n_frames: 60, plants: PerSide::from_fn(still) };
    shift(&mut walk, |frame| Vec3::new(speed * frame as f64 / rate, 0.0, 0.0));
    measure(&walk)
}

#[test]
fn a_foot_fades_out_of_mann_with_its_height() {
    // Half of the weight is gone where 2^(h / 2.5 cm) is 1.5.
    let height = 0.025 * 1.5_f64.log2();
    let tracks = |height: f64| {
        let mut foot = FootPoints::default();
        foot.ball = (0..30).map(|frame| Vec3::new(f64::from(frame) * 0.001, height, 0.0)).collect();
        foot.ankle = foot.ball.clone();
        let mut track = skating::SkateTrack::new(&foot, 30.0, None);
        track.ball_above_standing = vec![height; 30];
        track.ankle_above_standing = vec![height; 30];
        PerSide::new(track.clone(), track)
    };
    let skate = |height: f64| skating::mann::measure(&tracks(height), 30.0).per_frame;
    assert_close(skate(height).expect("low"), 0.0005, 1e-12, "half of a millimetre");
    assert_close(skate(-0.1).expect("below"), 0.001, 1e-12, "below the ground all counts");
    assert_eq!(skate(0.026), None);
}

#[test]
fn a_jump_of_a_joint_is_found_at_its_joint_and_frame() {
    let mut walk = walk();
    let (joint, frame, angle) = (walk.take.body.head.expect("a head"), 77, 0.5);
    let mut pose = walk.take.clip.pose_mut(frame);
    pose[joint].rotation *= Quat::from_rotation_y(angle);
    let before = measure_rotation_steps(&walk.take.clip);
    let (step, change) = (before.step.expect("steps").worst, before.change.expect("changes").worst);
    assert_eq!((step.place, change.place), (joint, joint));
    assert!([frame, frame + 1].contains(&step.frame) && change.frame == frame, "{step:?} {change:?}");
    // There and back again is twice the step; the head turns a little by itself.
    assert_close(step.value, angle, 0.02, "step");
    assert_close(change.value, 2.0 * angle, 0.02, "change");
    let metric = measure(&walk).metric("rotation_change_max").expect("a metric");
    assert_eq!(metric.place.as_deref(), Some(walk.take.clip.skeleton.name(joint)));
}

#[test]
fn a_stretched_bone_is_found_with_its_share() {
    let mut walk = walk();
    let (joint, frame) = (walk.take.body.legs.right.knee, 40);
    walk.take.clip.pose_mut(frame)[joint].translation *= 1.026;
    let stretch = measure_stretch(&walk.take.clip, &walk.take.body);
    for worst in [stretch.of_median, stretch.of_rest] {
        let worst = worst.expect("bones");
        assert_eq!((worst.place, worst.frame), (joint, frame));
        assert_close(worst.value, 0.026, 1e-9, "stretch");
    }
    let measures = measure(&walk);
    assert_eq!(measures.metric("leg_bone_variation_max").and_then(|metric| metric.place), Some("right thigh".into()));
    // A bone that is wrong throughout is constant, and wrong against the rest pose and a reference.
    let source = self::walk();
    for mut pose in walk.take.clip.poses_mut() {
        pose[joint].translation = source.take.clip.pose(0)[joint].translation * 0.9;
    }
    let reference = Reference { clip: &source.take.clip, body: &source.take.body };
    let options = MeasureOptions { reference: Some(reference), ..MeasureOptions::default() };
    let measures = measure_take(&walk.take, &Terrain::flat(0.0), &options);
    assert_close(value(&measures, "stretch_max"), 0.0, 1e-12, "constant");
    assert_close(value(&measures, "stretch_rest_max"), 0.1, 1e-9, "against the rest pose");
    assert_close(value(&measures, "stretch_reference_max"), 0.1, 1e-9, "against the reference");
}

#[test]
fn a_knee_that_swings_as_a_sine_has_that_speed_and_acceleration() {
    let mut walk = walk();
    let clip = &mut walk.take.clip;
    let (rate, amplitude, omega) = (clip.frame_rate, 0.4, TAU * 1.5);
    let knee = walk.take.body.legs.left.knee;
    let still = clip.skeleton.rest_pose();
    // The walker's knees bend about X; half a radian keeps them away from straight.
    let bend = |frame: usize| 0.9 + amplitude * (omega * frame as f64 / rate).sin();
    for (frame, mut pose) in clip.poses_mut().iter_mut().enumerate() {
        pose.copy_from(&still);
        pose[knee].rotation *= Quat::from_rotation_x(bend(frame));
    }
    let poses = clip.world();
    let knees = measure_knees(&poses, &walk.take.body, rate);
    let (speed, acceleration) = (knees.speed.expect("speeds"), knees.acceleration.expect("accelerations"));
    // A sine's differences have the sine of half of the angle between frames in place of that half. The fastest moment is on a
    // frame, half of a frame away from the two differences beside it; the most sudden moment, a quarter of a turn on, is on one.
    let half = omega / rate / 2.0;
    assert_close(speed.worst.value, amplitude * omega * (half.sin() / half) * half.cos(), 1e-9, "speed");
    let largest = amplitude * omega * omega * (half.sin() / half).powi(2);
    assert_close(acceleration.worst.value, largest, 1e-9 * largest, "acceleration");
    assert_eq!((speed.worst.place, acceleration.worst.place), (Side::Left, Side::Left));
    // Half of the values are those of the right knee, which rests.
    assert!(acceleration.p99 < largest && acceleration.p99 > 0.99 * largest, "{}", acceleration.p99);
}

#[test]
fn a_pelvis_on_a_cubic_has_constant_jerk() {
    let mut walk = walk();
    *walk.take.clip.poses_mut() = Poses::repeat(walk.take.clip.pose(0), 50);
    let rate = walk.take.clip.frame_rate;
    let cubic = |frame: usize| Vec3::new(0.0, 0.0, 2.0 * (frame as f64 / rate).powi(3));
    shift(&mut walk, cubic);
    let jerk = measure_pelvis_jerk(&walk.take.clip.world(), &walk.take.body, rate);
    assert_close(jerk.mean.expect("a mean"), 12.0, 1e-6, "mean");
    assert_close(jerk.worst.expect("a worst").value, 12.0, 1e-6, "worst");
    assert!(jerk.mean_6_hz.expect("a smooth mean") > 1.0);
    assert_eq!(measure_pelvis_jerk(&walk.take.clip.world()[..3], &walk.take.body, rate), PelvisJerk::default());
}

#[test]
fn jerk_below_six_hertz_has_half_the_power_at_six_and_none_of_the_noise() {
    let mut walk = walk();
    let rate = walk.take.clip.frame_rate;
    *walk.take.clip.poses_mut() = Poses::repeat(walk.take.clip.pose(0), 600);
    let still = walk.take.clip.poses().clone();
    let mut measured = |hertz: f64| {
        let place = |frame: usize| Vec3::X * (std::f64::consts::TAU * hertz * frame as f64 / rate).sin();
        *walk.take.clip.poses_mut() = still.clone();
        shift(&mut walk, place);
        let jerk = measure_pelvis_jerk(&walk.take.clip.world(), &walk.take.body, rate);
        jerk.mean_6_hz.expect("a smooth mean") / jerk.mean.expect("a mean")
    };
    // The share of a wave that a Gaussian of -3 dB at 6 Hz leaves is 2^(-(f/6)^2 / 2), but for the ends of the clip.
    for hertz in [1.0, 6.0, 9.0] {
        let wanted = (-0.5 * (hertz / 6.0f64).powi(2)).exp2();
        assert_close(measured(hertz), wanted, 0.02 * wanted, "share");
    }
    assert!(measured(24.0) < 0.02);
    let n_needed = (0.1 * rate).ceil() as usize + 1;
    let of = |n: usize, rate: f64| measure_pelvis_jerk(&walk.take.clip.world()[..n], &walk.take.body, rate).mean_6_hz;
    assert!(of(n_needed, rate).is_some_and(f64::is_finite));
    assert_eq!([of(4, rate), of(100, 1e300), of(100, f64::NAN), of(100, 0.0)], [None; 4]);
}

#[test]
fn soles_in_the_ground_and_above_it_are_measured_from_the_terrain() {
    let walk = walk();
    let at = |terrain: &Terrain| measure_take(&walk.take, terrain, &MeasureOptions::default());
    let high = at(&Terrain::flat(0.02));
    assert!(value(&high, "penetration_max") >= 0.02 - 1e-9, "{}", value(&high, "penetration_max"));
    assert_close(value(&high, "penetration_share"), 1.0, 0.0, "some sole is always down");
    assert_close(value(&high, "off_ground_max"), 0.02, 1e-6, "planted points");
    assert_close(value(&high, "float_max"), 0.0, 0.0, "nothing floats");
    let low = at(&Terrain::flat(-0.01));
    assert!(value(&low, "float_max") <= 0.01 + 1e-6);
    assert_close(value(&low, "off_ground_max"), 0.01, 1e-6, "planted points");
    let [high, low] = [high, low].map(|measures| measures.ground.deepest.expect("feet"));
    assert_close(high.value - low.value, 0.03, 1e-12, "the deepest point over both");
    assert_eq!((high.place, high.frame), (low.place, low.frame));
    // A slope of 45 degrees through a plant lifts the ground by as much as a foot is ahead of it.
    let slope = Terrain::plane(Vec3::ZERO, Vec3::new(0.0, 1.0, -1.0)).expect("a slope");
    let furthest = walk.plan.footprints.iter().map(|footprint| footprint.position.z).fold(0.0, f64::max);
    assert!(value(&at(&slope), "off_ground_max") >= furthest - 1e-6);
}

#[test]
fn a_leg_is_as_straight_as_its_hip_is_far_from_its_ankle() {
    let mut walk = walk();
    let (knee, frame) = (walk.take.body.legs.left.knee, 30);
    let straight = walk.take.clip.skeleton.rest_pose()[knee].rotation;
    walk.take.clip.pose_mut(frame)[knee].rotation = straight;
    let legs = measure_legs(&walk.take.clip.world(), &walk.take.body);
    let worst = legs.extension.left.expect("a leg");
    assert_eq!(worst.frame, frame);
    assert_close(worst.value, 1.0, 1e-3, "straight");
    assert!(legs.extension.right.expect("a leg").value < 0.9951, "the walker's own limit");
}

#[test]
fn footprints_that_are_moved_turned_or_added_are_reported() {
    let mut walk = walk();
    walk.plan.footprints[3].position += Vec3::new(0.003, 0.0, 0.004);
    walk.plan.footprints[4].position.y -= 0.02;
    walk.plan.footprints[5].heading = walk.plan.footprints[5].heading.map(|heading| heading + TAU + 0.1);
    walk.plan.footprints[6].swing = walk.plan.footprints[6].swing.map(|swing| swing + 0.2);
    let mut extra = walk.plan.footprints[7];
    extra.position.x += 3.0;
    walk.plan.footprints.push(extra);
    let options = MeasureOptions { plan: Some(&walk.plan), ..MeasureOptions::default() };
    for stances in [StancesFrom::Contacts, StancesFrom::Motion] {
        let options = MeasureOptions { stances, ..options };
        let measures = measure_take(&walk.take, &Terrain::flat(0.0), &options);
        let placement = measures.placement.as_ref().expect("a plan");
        let print = |index: usize| placement.footprints[index].as_ref().expect("realised");
        assert_close(print(3).median, 0.005, 1e-6, "moved");
        assert_close(print(4).height, 0.02, 1e-6, "lowered");
        assert_close(print(5).heading.expect("a target"), -0.1, 1e-6, "turned");
        assert_close(print(6).swing.expect("a target"), -0.2, 0.034, "delayed");
        assert_eq!((placement.n_missed(), placement.footprints.last()), (1, Some(&None)));
        assert_close(value(&measures, "footprints_missed"), 1.0, 0.0, "missed");
        let metric = measures.metric("heading_error_max").expect("a metric");
        assert_eq!(metric.place.as_deref(), Some("footprints[5]"));
        let exact = stances == StancesFrom::Contacts;
        assert_eq!(placement.n_unused, exact.then_some(0));
        assert!(!exact || (print(3).max - 0.005).abs() < 1e-6 && (print(3).mean - 0.005).abs() < 1e-6);
    }
}

#[test]
fn the_pelvis_deviates_from_a_path_by_as_much_as_it_was_moved() {
    let mut walk = walk();
    walk.take.clip.poses_mut().truncate(200);
    // A pelvis that glides along a line beside the path.
    let first = walk.take.clip.pose(0).to_pose();
    for (frame, mut pose) in walk.take.clip.poses_mut().iter_mut().enumerate() {
        pose.copy_from(&first);
        pose.local[0].translation = Vec3::new(0.05, 0.9, 0.01 * frame as f64);
    }
    let poses = walk.take.clip.world();
    let start = poses[0].position(walk.take.body.pelvis);
    let line = |x: f64, length: f64| Path {
        points: vec![Vec2::new(start.x - x, start.z), Vec2::new(start.x - x, start.z + length)],
    };
    let deviation = measure_path_deviation(&poses, &walk.take.body, &line(0.05, 1.99)).expect("a way");
    for distance in [deviation.mean, deviation.max, deviation.nearest_mean, deviation.nearest_max] {
        assert_close(distance, 0.05, 1e-9, "distance");
    }
    assert_close(deviation.integral, 0.05 * 0.05 * 2.0, 1e-4, "squared over the way");
    assert_close(deviation.walked, 1.99, 1e-9, "walked");
    // Past the path's end the distance is from its end.
    let short = measure_path_deviation(&poses, &walk.take.body, &line(0.0, 1.0)).expect("a way");
    assert_close(short.max, 0.99, 1e-9, "past the end");
    assert_eq!(measure_path_deviation(&poses[..5], &walk.take.body, &line(0.0, 1.0)), None);
    assert_eq!(measure_path_deviation(&[], &walk.take.body, &line(0.0, 1.0)), None);
}

fn against(walk: &SyntheticWalk, reference: &SyntheticWalk) -> Measures {
    let reference = Reference { clip: &reference.take.clip, body: &reference.take.body };
    let options = MeasureOptions { reference: Some(reference), ..MeasureOptions::default() };
    measure_take(&walk.take, &Terrain::flat(0.0), &options)
}

#[test]
fn a_motion_beside_its_reference_is_wrong_globally_and_right_relative_to_its_root() {
    let reference = walk();
    let same = against(&reference, &reference);
    for name in ["position_error_max", "root_error_max", "l2p", "l2q", "npss", "stretch_reference_max"] {
        assert!(value(&same, name) < 1e-12, "{name} of the motion itself is {}", value(&same, name));
    }
    let mut moved = reference.clone();
    shift(&mut moved, |_| Vec3::new(0.03, 0.0, 0.04));
    let beside = against(&moved, &reference);
    for name in ["position_error_mean", "position_error_legs", "position_error_spine", "position_error_arms"] {
        assert_close(value(&beside, name), 0.05, 1e-9, name);
    }
    assert_close(value(&beside, "root_error_max"), 0.0, 1e-9, "root-relative");
    assert_close(value(&beside, "l2q"), 0.0, 1e-9, "rotations");
    assert!(value(&beside, "l2p") > 0.1);
    // One arm turned: only arms are wrong.
    let mut turned = reference.clone();
    let shoulder = turned.take.body.arms.left.expect("an arm").shoulder;
    for mut pose in turned.take.clip.poses_mut() {
        pose[shoulder].rotation *= Quat::from_rotation_z(0.3);
    }
    let turned = against(&turned, &reference);
    assert!(value(&turned, "root_error_arms") > 0.01 && value(&turned, "root_error_legs") < 1e-12);
    assert!(value(&turned, "l2q") > 0.1 && value(&turned, "npss") > 0.0);
}

#[test]
fn a_reference_of_another_rate_or_sign_is_the_same_motion() {
    let reference = walk();
    let mut faster = reference.clone();
    faster.take.clip = resample(&reference.take.clip, 120.0).expect("a rate");
    faster.take.contacts = Contacts::none(faster.take.clip.n_frames());
    let measures = against(&faster, &reference);
    assert!(value(&measures, "position_error_max") < 0.005, "{}", value(&measures, "position_error_max"));
    let mut negated = reference.clone();
    for pose in negated.take.clip.poses_mut() {
        for joint in pose.local {
            joint.rotation = -joint.rotation;
        }
    }
    for name in ["l2q", "npss"] {
        assert!(value(&against(&negated, &reference), name) < 1e-12, "{name}");
        assert!(value(&against(&reference, &negated), name) < 1e-12, "{name}");
    }
}

#[test]
fn a_reference_of_another_skeleton_is_paired_by_the_parts_of_the_body() {
    let tall = synthetic_walk(&WalkerOptions { height: 1.9, ..WalkerOptions::default() });
    let skeleton = &tall.take.clip.skeleton;
    let all = pair_joints(skeleton, &tall.take.body, skeleton, &tall.take.body);
    assert_eq!(all.len(), skeleton.n_joints());
    assert!(all.iter().all(|pair| pair.joint == pair.reference));
    // A skeleton with one joint more at its end has another tree.
    let mut joints = skeleton.joints().to_vec();
    joints.push(joints[joints.len() - 1].clone());
    let other = Skeleton::new(joints, Vec::new()).expect("a skeleton");
    let parts = pair_joints(skeleton, &tall.take.body, &other, &tall.take.body);
    assert!(parts.len() >= 14 && parts.iter().all(|pair| pair.joint == pair.reference), "{}", parts.len());
    assert!(is_same_skeleton(skeleton, skeleton) && !is_same_skeleton(skeleton, &other));
    assert!(!is_same_skeleton(skeleton, &walk().take.clip.skeleton), "longer legs");
    for region in BodyRegion::ALL {
        assert!(parts.iter().any(|pair| pair.region == region), "{}", region.name());
    }
}

#[test]
fn place_and_heading_of_a_motion_change_no_metric() {
    let walk = walk();
    let mut turned = walk.clone();
    turned.take.clip = place(&walk.take.clip, Placement { yaw: 2.1, translation: Vec3::new(3.0, 0.0, -7.0) });
    let ranges = ranges_of(&walk.take.contacts);
    turned.take.contacts = Contacts::from_ranges(&turned.take.clip, &walk.take.body, &ranges).expect("contacts");
    let (before, after) = (measure(&walk), measure(&turned));
    for metric in &before.metrics() {
        let again = after.metric(metric.name()).expect("the same metrics");
        let tolerance = 1e-6 * metric.value.abs().max(1.0);
        assert_close(again.value, metric.value, tolerance, metric.name());
    }
}

fn ranges_of(contacts: &Contacts) -> Vec<(Side, FootPart, std::ops::Range<usize>)> {
    let plants = Side::BOTH.into_iter().flat_map(|side| contacts.plants[side].iter().map(move |plant| (side, plant)));
    plants.map(|(side, plant)| (side, plant.part, plant.frames.clone())).collect()
}

#[test]
fn clips_of_few_frames_or_broken_poses_have_finite_metrics() {
    let whole = walk();
    for n_frames in [0, 1, 2, 3, 4, 7] {
        let mut short = whole.clone();
        short.take.clip.poses_mut().truncate(n_frames);
        short.take.contacts = Contacts::none(n_frames);
        let measures = against(&short, &whole);
        assert!(measures.metrics().iter().all(|metric| metric.value.is_finite()));
        assert!(measures.metric("drift_max").is_none());
        assert!(against(&whole, &short).metrics().iter().all(|metric| metric.value.is_finite()));
    }
    for broken in [f64::NAN, f64::INFINITY, 1e300] {
        let mut walk = whole.clone();
        for frame in [0, 10, 11, 60, 100] {
            walk.take.clip.pose_mut(frame)[JointId::new(0)].translation = Vec3::splat(broken);
            walk.take.clip.pose_mut(frame + 1)[walk.take.body.legs.left.knee].rotation =
                Quat::from_xyzw(broken, 0.0, 0.0, 1.0);
        }
        let path = Path { points: vec![Vec2::ZERO, Vec2::new(0.0, 2.0)] };
        let reference = Reference { clip: &whole.take.clip, body: &whole.take.body };
        let (plan, reference) = (Some(&walk.plan), Some(reference));
        let options = MeasureOptions { plan, reference, path: Some(&path), ..MeasureOptions::default() };
        let measures = measure_take(&walk.take, &Terrain::flat(0.0), &options);
        assert!(measures.metrics().iter().all(|metric| metric.value.is_finite()));
    }
}

#[test]
fn every_metric_of_the_catalogue_can_be_measured() {
    let walk = walk();
    let path = Path { points: vec![Vec2::ZERO, Vec2::new(0.0, 5.0)] };
    let reference = Reference { clip: &walk.take.clip, body: &walk.take.body };
    let options = MeasureOptions {
        plan: Some(&walk.plan),
        path: Some(&path),
        search: Some(SearchEffort { tried: 9, seconds: Some(0.5) }),
        reference: Some(reference),
        ..MeasureOptions::default()
    };
    let metrics = measure_take(&walk.take, &Terrain::flat(0.0), &options).metrics();
    let names: Vec<&str> = metrics.iter().map(Metric::name).collect();
    let all: Vec<&str> = CATALOGUE.iter().map(|definition| definition.name).collect();
    assert_eq!(names, all);
}

#[test]
fn a_limit_holds_or_is_reported_with_what_was_measured() {
    let measures = measure(&walk());
    let metrics = measures.metrics();
    let metric = |name: &str| catalogue::find_metric(name).expect("a metric");
    let limit = |name: &str| Limit { metric: metric(name), min: None, max: None, times_reference: None };
    let check = |limit: Limit| {
        let failures = check_gate(&Gate { limits: vec![limit] }, &metrics, &metrics);
        failures.first().map(|failure| failure.problem)
    };
    let n_plants = value(&measures, "plants");
    assert_eq!(check(Limit { min: Some(n_plants), max: Some(n_plants), ..limit("plants") }), None);
    let few = check(Limit { min: Some(n_plants + 1.0), ..limit("plants") });
    assert_eq!(few, Some(GateProblem::Below { value: n_plants, limit: n_plants + 1.0 }));
    // Limits are in the unit that the metric is shown in.
    assert_eq!(check(Limit { max: Some(99.6), ..limit("leg_extension_max") }), None);
    let straight = check(Limit { max: Some(0.996), ..limit("leg_extension_max") });
    assert!(matches!(straight, Some(GateProblem::Above { limit: 0.996, .. })));
    assert_eq!(check(Limit { times_reference: Some(1.0), ..limit("knee_speed_max") }), None);
    let faster = check(Limit { times_reference: Some(0.9), ..limit("knee_speed_max") });
    assert!(matches!(faster, Some(GateProblem::AboveReference { times: 0.9, .. })));
    assert_eq!(check(Limit { max: Some(1.0), ..limit("placement_max") }), Some(GateProblem::Absent));
    let alone = Gate { limits: vec![Limit { times_reference: Some(1.0), ..limit("plants") }] };
    assert_eq!(check_gate(&alone, &metrics, &[])[0].problem, GateProblem::ReferenceAbsent);
    let text =
        check_gate(&Gate { limits: vec![Limit { max: Some(1.0), ..limit("l2q") }] }, &metrics, &[])[0].to_string();
    assert_eq!(text, "l2q could not be measured: it needs a reference with joints and frames in common");
}
