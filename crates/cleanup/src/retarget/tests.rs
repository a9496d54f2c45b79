//! What retargeting promises, on walkers whose contacts and axes are known.

use super::*;
use surefoot_contact::{SyntheticWalk, WalkerOptions, estimate_floor, measure_placement, synthetic_walk};
use surefoot_geom::rotation::{angle_between, exp_map};
use surefoot_geom::{Quat, Random, Transform};
use surefoot_motion::{EndSite, Joint};

fn walk() -> SyntheticWalk {
    synthetic_walk(&WalkerOptions::default())
}

/// Another walk than [`walk`]'s, of somebody with the same proportions.
fn other_walk(height: f64) -> SyntheticWalk {
    let options = WalkerOptions { height, turn_per_step: 0.2, step_length: 0.5, ..WalkerOptions::default() };
    synthetic_walk(&options)
}

fn character(of: &SyntheticWalk) -> Character<'_> {
    Character { skeleton: &of.take.clip.skeleton, body: &of.take.body, poses: of.take.clip.poses() }
}

fn retarget_walk(walk: &SyntheticWalk, to: &Character<'_>) -> Retargeted {
    retarget(&walk.take, to, &RetargetOptions::default()).unwrap()
}

/// The same motion of a skeleton with other axes and names: each joint's axes are turned by `turn(joint)`, and in the rest
/// pose all of them lie parallel, so that offsets point anywhere.
fn with_axes(walk: &SyntheticWalk, mut turn: impl FnMut(&Joint) -> Quat) -> (SyntheticWalk, Vec<Quat>) {
    let old = &walk.take.clip.skeleton;
    let turns: Vec<Quat> = old.joints().iter().map(&mut turn).collect();
    let above = |joint: JointId| old.parent(joint).map_or(Quat::IDENTITY, |parent| turns[parent.index()]);
    let joints = old.ids().map(|id| {
        let offset = above(id).conjugate() * old.joint(id).rest.translation;
        Joint { name: format!("j{}", id.index()), parent: old.parent(id), rest: Transform::from_translation(offset) }
    });
    let sites = old.end_sites().iter();
    let sites =
        sites.map(|site| EndSite { offset: turns[site.parent.index()].conjugate() * site.offset, ..site.clone() });
    let skeleton = Skeleton::new(joints.collect(), sites.collect()).unwrap();
    let mut changed = walk.clone();
    for mut pose in changed.take.clip.poses_mut() {
        for id in old.ids() {
            pose[id].rotation = above(id).conjugate() * pose[id].rotation * turns[id.index()];
            pose[id].translation = above(id).conjugate() * pose[id].translation;
        }
    }
    changed.take.clip.skeleton = Arc::new(skeleton);
    changed.take.body.legs = walk.take.body.legs.map(|mut leg| {
        let into = turns[leg.ankle.index()].conjugate();
        leg.foot.heel = into * leg.foot.heel;
        leg.foot.ball = into * leg.foot.ball;
        leg.foot.toe_tip = into * leg.foot.toe_tip;
        leg.foot.up = into * leg.foot.up;
        leg
    });
    (changed, turns)
}

/// A skeleton in whose rest pose every segment points somewhere else.
fn scrambled(walk: &SyntheticWalk, seed: u64) -> (SyntheticWalk, Vec<Quat>) {
    let mut random = Random::new(seed);
    with_axes(walk, |_| exp_map(random.in_cube() * 3.0))
}

/// Largest distance of a joint from where the source's joint of the same number is, and largest angle between how the two are
/// turned, given how the target's axes lie in the source's.
fn largest_differences(source: &Clip, target: &Clip, turns: &[Quat]) -> (f64, f64) {
    let (mut distance, mut angle) = (0.0_f64, 0.0_f64);
    for (theirs, mine) in source.world().iter().zip(&target.world()) {
        for ((theirs, mine), turn) in theirs.world().iter().zip(mine.world()).zip(turns) {
            distance = distance.max(theirs.translation.distance(mine.translation));
            angle = angle.max(angle_between(theirs.rotation * *turn, mine.rotation));
        }
    }
    (distance, angle)
}

fn limb_segments(body: &BodyMap) -> Vec<[JointId; 2]> {
    let legs = body.legs.iter().flat_map(|(_, leg)| [[leg.hip, leg.knee], [leg.knee, leg.ankle]]);
    let arms = body.arms.iter().filter_map(|(_, arm)| *arm);
    let arms = arms.flat_map(|arm| [Some([arm.shoulder, arm.elbow]), arm.wrist.map(|wrist| [arm.elbow, wrist])]);
    legs.chain(arms.flatten()).collect()
}

/// Largest angle between a limb's segment and the source's, in radians.
fn largest_limb_angle(source: (&Clip, &BodyMap), target: (&Clip, &BodyMap)) -> f64 {
    let directions = |(clip, body): (&Clip, &BodyMap)| -> Vec<Vec3> {
        let poses = clip.world();
        let segments = limb_segments(body);
        let direction = |pose: &WorldPose, [a, b]: [JointId; 2]| (pose.position(b) - pose.position(a)).normalize();
        poses.iter().flat_map(|pose| segments.iter().map(move |&segment| direction(pose, segment))).collect()
    };
    let pairs = directions(source).into_iter().zip(directions(target));
    pairs.fold(0.0, |most, (a, b)| most.max(a.cross(b).length().atan2(a.dot(b))))
}

#[test]
fn a_skeleton_retargeted_to_itself_does_not_change() {
    let plain = walk();
    for walk in [plain.clone(), scrambled(&plain, 7).0] {
        let retargeted = retarget_walk(&walk, &character(&walk));
        assert_eq!(retargeted.transfer, Transfer::Copied);
        let (distance, angle) =
            largest_differences(&walk.take.clip, &retargeted.take.clip, &[Quat::IDENTITY; 64][..walk_joints(&walk)]);
        assert!(distance < 1e-9 && angle < 1e-7, "{distance} m, {angle} rad");
        for (side, plants) in retargeted.take.contacts.plants.iter() {
            for (plant, old) in plants.iter().zip(&walk.take.contacts.plants[side]) {
                assert!(plant.frames == old.frames && plant.position.distance(old.position) < 1e-9);
            }
        }
    }
}

fn walk_joints(walk: &SyntheticWalk) -> usize {
    walk.take.clip.skeleton.n_joints()
}

#[test]
fn a_person_of_another_height_takes_the_scaled_walk() {
    let walk = walk();
    for height in [1.2, 1.5, 2.1] {
        let target = other_walk(height);
        let retargeted = retarget_walk(&walk, &character(&target));
        let ratio = height / 1.8;
        assert!((retargeted.scale - ratio).abs() < 1e-12 && retargeted.transfer == Transfer::Copied);
        let poses = retargeted.take.clip.world();
        let start = walk.take.clip.world_pose(0).position(walk.take.body.pelvis) * Vec3::new(1.0, 0.0, 1.0);
        for (mine, theirs) in poses.iter().zip(&walk.take.clip.world()) {
            for (mine, theirs) in mine.world().iter().zip(theirs.world()) {
                let scaled = start + (theirs.translation - start) * ratio;
                assert!(mine.translation.distance(scaled) < 1e-9);
            }
        }
        let errors = measure_placement(&poses, &retargeted.take.body, &retargeted.take.contacts);
        assert!(errors.len() > 10 && errors.iter().all(|error| error.distance < 1e-9), "plants go with the feet");
        assert!(estimate_floor(&poses, &retargeted.take.body).unwrap().abs() < 1e-9);
    }
}

#[test]
fn limbs_point_where_the_sources_do_whatever_the_rest_pose() {
    let walk = walk();
    for seed in 1..12 {
        let (target, turns) = scrambled(&other_walk(1.8), seed);
        let there = retarget_walk(&walk, &character(&target));
        assert!(matches!(there.transfer, Transfer::Aligned { to: NeutralFrom::Motion, .. }), "seed {seed}");
        let limbs = largest_limb_angle((&walk.take.clip, &walk.take.body), (&there.take.clip, &there.take.body));
        assert!(limbs < 1e-6, "seed {seed}: limbs are off by {limbs} rad");
        let (distance, angle) = largest_differences(&walk.take.clip, &there.take.clip, &turns);
        assert!(distance < 5e-3, "seed {seed}: a joint is {distance} m off");
        assert!(angle < 0.1, "seed {seed}: a joint is turned by {angle} rad");

        let (source, turns) = scrambled(&walk, seed);
        let back = retarget_walk(&source, &character(&other_walk(1.8)));
        let turns: Vec<Quat> = turns.iter().map(|turn| turn.conjugate()).collect();
        let limbs = largest_limb_angle((&source.take.clip, &source.take.body), (&back.take.clip, &back.take.body));
        let (distance, angle) = largest_differences(&source.take.clip, &back.take.clip, &turns);
        assert!(limbs < 1e-6 && distance < 5e-3 && angle < 0.1, "seed {seed}: {limbs} rad, {distance} m, {angle} rad");
    }
}

#[test]
fn arms_that_hang_at_rest_follow_arms_that_are_stretched_out() {
    let walk = walk();
    // The left arm of the target hangs, the right one is half raised; both are drawn along their own rest direction.
    let (target, turns) = with_axes(&other_walk(1.8), |joint| match joint.name.as_str() {
        "LeftUpperArm" | "LeftLowerArm" | "LeftHand" => Quat::from_rotation_z(std::f64::consts::FRAC_PI_2),
        "RightUpperArm" | "RightLowerArm" | "RightHand" => Quat::from_rotation_z(-0.7),
        _ => Quat::IDENTITY,
    });
    let retargeted = retarget_walk(&walk, &character(&target));
    let rest_poses = Transfer::Aligned { from: NeutralFrom::RestPose, to: NeutralFrom::RestPose };
    assert_eq!(retargeted.transfer, rest_poses);
    let (distance, angle) = largest_differences(&walk.take.clip, &retargeted.take.clip, &turns);
    assert!(distance < 1e-9 && angle < 1e-6, "{distance} m, {angle} rad");
}

/// The walk of a skeleton without one joint of its spine.
fn without_chest(walk: &SyntheticWalk) -> SyntheticWalk {
    let old = &walk.take.clip.skeleton;
    let gone = old.find("Chest").unwrap();
    let new_id = |id: JointId| JointId::new(id.index() - usize::from(id > gone));
    let joints = old.ids().filter(|&id| id != gone).map(|id| {
        let joint = old.joint(id);
        let mut changed = Joint { name: format!("new {}", joint.name), ..joint.clone() };
        if joint.parent == Some(gone) {
            changed.rest.translation += old.joint(gone).rest.translation;
            changed.parent = old.parent(gone);
        }
        changed.parent = changed.parent.map(new_id);
        changed
    });
    let sites = old.end_sites().iter().map(|site| EndSite { parent: new_id(site.parent), ..site.clone() });
    let mut changed = walk.clone();
    changed.take.clip.skeleton = Arc::new(Skeleton::new(joints.collect(), sites.collect()).unwrap());
    changed.take.clip.poses_mut().clear();
    changed.take.contacts = Contacts::none(0);
    let body = &mut changed.take.body;
    body.spine = body.spine.iter().filter(|&&id| id != gone).map(|&id| new_id(id)).collect();
    body.head = body.head.map(new_id);
    body.legs = body.legs.map(|leg| surefoot_motion::Leg {
        hip: new_id(leg.hip),
        knee: new_id(leg.knee),
        ankle: new_id(leg.ankle),
        ball: leg.ball.map(new_id),
        ..leg
    });
    body.arms = body.arms.map(|arm| {
        arm.map(|arm| surefoot_motion::Arm {
            clavicle: arm.clavicle.map(new_id),
            shoulder: new_id(arm.shoulder),
            elbow: new_id(arm.elbow),
            wrist: arm.wrist.map(new_id),
        })
    });
    changed
}

#[test]
fn spines_of_different_lengths_share_the_turn() {
    let walk = walk();
    let target = without_chest(&walk);
    let retargeted = retarget_walk(&walk, &character(&target));
    let turned = |clip: &Clip, joint: JointId, frame: usize| clip.world_pose(frame)[joint].rotation;
    for frame in (0..walk.take.clip.n_frames()).step_by(7) {
        let at = |name: &str| turned(&walk.take.clip, walk.take.clip.skeleton.find(name).unwrap(), frame);
        let mine = |name: &str| {
            let name = format!("new {name}");
            turned(&retargeted.take.clip, target.take.clip.skeleton.find(&name).unwrap(), frame)
        };
        for name in ["Hips", "UpperChest", "Head", "LeftHand", "RightFoot"] {
            assert!(angle_between(at(name), mine(name)) < 1e-6, "{name} in frame {frame}");
        }
        let (low, high) = (angle_between(at("Hips"), mine("Spine")), angle_between(at("Hips"), at("UpperChest")));
        assert!(low <= high + 1e-9, "the joint between turns no further than the chest");
    }
    let back = retarget(
        &retargeted.take,
        &Character { skeleton: &walk.take.clip.skeleton, body: &walk.take.body, poses: &Poses::default() },
        &RetargetOptions::default(),
    );
    let (distance, _) =
        largest_differences(&walk.take.clip, &back.unwrap().take.clip, &vec![Quat::IDENTITY; walk_joints(&walk)]);
    assert!(distance < 2e-3, "there and back a joint is {distance} m off");
}

#[test]
fn arms_hang_where_the_source_has_none() {
    let mut source = walk();
    source.take.body.arms = surefoot_motion::PerSide::default();
    let target = scrambled(&other_walk(1.6), 3).0;
    let retargeted = retarget_walk(&source, &character(&target));
    for pose in &retargeted.take.clip.world() {
        for (_, arm) in target.take.body.arms.iter() {
            let arm = arm.unwrap();
            let direction = (pose.position(arm.wrist.unwrap()) - pose.position(arm.shoulder)).normalize();
            assert!(direction.y < -0.95, "{direction}");
        }
    }
}

#[test]
fn a_target_with_other_feet_stands_on_the_same_floor() {
    let walk = walk();
    let mut target = without_chest(&other_walk(1.8));
    // Ankles twice as high above shorter feet.
    let old = target.take.clip.skeleton.clone();
    let mut joints = old.joints().to_vec();
    for side in Side::BOTH {
        let leg = &mut target.take.body.legs[side];
        let taller = |point: Vec3| Vec3::new(point.x, 2.0 * point.y, 0.8 * point.z);
        leg.foot.heel = taller(leg.foot.heel);
        leg.foot.ball = taller(leg.foot.ball);
        leg.foot.toe_tip = taller(leg.foot.toe_tip);
        joints[leg.ball.unwrap().index()].rest.translation = leg.foot.ball;
    }
    target.take.clip.skeleton = Arc::new(Skeleton::new(joints, old.end_sites().to_vec()).unwrap());
    let retargeted = retarget_walk(&walk, &character(&target));
    let floor = estimate_floor(&retargeted.take.clip.world(), &retargeted.take.body).unwrap();
    assert!(floor.abs() < 1e-3, "{floor} m");
}

#[test]
fn what_cannot_be_scaled_is_refused() {
    let walk = walk();
    let to = character(&walk);
    for scale in [0.0, -1.0, f64::NAN] {
        let options = RetargetOptions { scale: Some(scale), ..RetargetOptions::default() };
        let error = retarget(&walk.take, &to, &options).unwrap_err();
        assert!(matches!(error, RetargetError::Scale { .. }));
    }
    let mut flat = walk.clone();
    let joints = walk.take.clip.skeleton.joints().iter();
    let joints = joints.map(|joint| Joint { rest: Transform::IDENTITY, ..joint.clone() });
    flat.take.clip.skeleton = Arc::new(Skeleton::new(joints.collect(), Vec::new()).unwrap());
    let refused =
        |take: &SyntheticWalk, to: &Character<'_>| retarget(&take.take, to, &RetargetOptions::default()).unwrap_err();
    assert_eq!(refused(&walk, &character(&flat)), RetargetError::TargetLegs { length: 0.0 });
    assert_eq!(refused(&flat, &to), RetargetError::SourceLegs { length: 0.0 });
}

#[test]
fn a_motionless_target_with_an_unusual_rest_pose_is_reported_and_finite() {
    let walk = walk();
    let (mut target, _) = scrambled(&walk, 5);
    target.take.clip.poses_mut().clear();
    let retargeted = retarget_walk(&walk, &character(&target));
    assert!(matches!(retargeted.transfer, Transfer::Aligned { to: NeutralFrom::UnusualRestPose, .. }));
    assert!(retargeted.notes.iter().any(|note| note.contains("may be twisted")), "{:?}", retargeted.notes);
    assert!(retargeted.take.clip.poses().iter().all(|pose| pose.local.iter().all(Transform::is_finite)));
    let limbs = largest_limb_angle((&walk.take.clip, &walk.take.body), (&retargeted.take.clip, &retargeted.take.body));
    assert!(limbs < 1e-6, "{limbs} rad");
}

#[test]
fn a_foot_that_is_flat_is_flat_on_another_of_the_same_rig() {
    // Somebody whose ankles' axes lie otherwise in the soles: the same rig, and other feet.
    let (walk, mut other) = (walk(), other_walk(1.6));
    let pitch = exp_map(Vec3::new(0.15, 0.0, 0.05));
    for side in Side::BOTH {
        let foot = &mut other.take.body.legs[side].foot;
        for point in [&mut foot.heel, &mut foot.ball, &mut foot.toe_tip, &mut foot.up] {
            *point = pitch * *point;
        }
    }
    let played = retarget_walk(&walk, &character(&other));
    assert_eq!(played.transfer, Transfer::Copied);
    let up = |take: &Take, frame: usize, side: Side| {
        let pose = &take.clip.world()[frame];
        pose[take.body.legs[side].ankle].rotation * take.body.legs[side].foot.up
    };
    for frame in [0, 20, 45, 70] {
        for side in Side::BOTH {
            let (theirs, mine) = (up(&walk.take, frame, side), up(&played.take, frame, side));
            assert!(theirs.distance(mine) < 1e-9, "{frame} {side:?}: {theirs} {mine}");
        }
    }
}

/// A skeleton with one more joint, below another.
fn with_joint(walk: &SyntheticWalk, parent: JointId, offset: Vec3) -> (Arc<Skeleton>, JointId) {
    let old = &walk.take.clip.skeleton;
    let mut joints = old.joints().to_vec();
    joints.push(Joint { name: "Twist".to_string(), parent: Some(parent), rest: Transform::from_translation(offset) });
    (Arc::new(Skeleton::new(joints, old.end_sites().to_vec()).unwrap()), JointId::new(old.n_joints()))
}

#[test]
fn a_twist_bone_takes_its_share_of_the_twist_of_the_hand() {
    let mut source = with_axes(&walk(), |_| Quat::IDENTITY).0;
    let plain = other_walk(1.8);
    let arm = plain.take.body.arms.left.unwrap();
    let rest = WorldPose::new(&plain.take.clip.skeleton, &plain.take.clip.skeleton.rest_pose());
    let along = rest[arm.elbow].inverse().transform_point(rest.position(arm.wrist.unwrap()));
    let (skeleton, twist) = with_joint(&plain, arm.elbow, 0.5 * along);
    // The source's hand is twisted by a radian about its forearm.
    let theirs = source.take.body.arms.left.unwrap();
    let hand = theirs.wrist.unwrap();
    let source_skeleton = source.take.clip.skeleton.clone();
    for mut pose in source.take.clip.poses_mut() {
        let world = WorldPose::new(&source_skeleton, pose.view());
        let axis = (world.position(hand) - world.position(theirs.elbow)).normalize();
        let turned = Quat::from_axis_angle(axis, 1.0) * world[hand].rotation;
        pose[hand].rotation = world[source_skeleton.parent(hand).unwrap()].rotation.conjugate() * turned;
    }
    let to = Character { skeleton: &skeleton, body: &plain.take.body, poses: &Poses::default() };
    let there = retarget(&source.take, &to, &RetargetOptions::default()).unwrap().take.clip;
    let plain_to = character(&plain);
    let without = retarget(&source.take, &plain_to, &RetargetOptions::default()).unwrap().take.clip;
    for (frame, (pose, bare)) in there.world().iter().zip(&without.world()).enumerate() {
        let angle = angle_between(pose[arm.elbow].rotation, pose[twist].rotation);
        let of_hand = {
            let turn = bare[arm.elbow].rotation.conjugate() * bare[arm.wrist.unwrap()].rotation;
            let (_, twist) = surefoot_geom::rotation::swing_twist(turn, along.normalize());
            angle_between(twist, Quat::IDENTITY)
        };
        assert!(of_hand > 0.5 && (angle - 0.5 * of_hand).abs() < 0.1, "frame {frame}: {angle} of {of_hand}");
    }
}

#[test]
fn places_are_kept_when_asked_for() {
    let walk = walk();
    let target = other_walk(1.6);
    let options = RetargetOptions { places: Places::Kept, ..RetargetOptions::default() };
    let kept = retarget(&walk.take, &character(&target), &options).unwrap();
    assert!((kept.scale - 1.6 / 1.8).abs() < 1e-12);
    for (side, plants) in kept.take.contacts.plants.iter() {
        for (plant, old) in plants.iter().zip(&walk.take.contacts.plants[side]) {
            // Balls are where they were; heels are as far behind them as the soles are long.
            let sole = |body: &BodyMap| body.legs[side].foot.heel.distance(body.legs[side].foot.ball);
            let shorter =
                if plant.part == FootPart::Heel { sole(&walk.take.body) - sole(&kept.take.body) } else { 0.0 };
            assert!((plant.position.distance(old.position) - shorter).abs() < 1e-9, "{plant:?} {old:?}");
            assert!(plant.part == FootPart::Heel || plant.position == old.position);
        }
    }
    // A source whose heels slid by a centimetre before its balls came down gives no foot two places that do not fit its sole.
    let mut slid = walk.take.clone();
    for plants in [&mut slid.contacts.plants.left, &mut slid.contacts.plants.right] {
        plants.iter_mut().filter(|plant| plant.part == FootPart::Heel).for_each(|plant| plant.position.z -= 0.01);
    }
    let kept_slid = retarget(&slid, &character(&target), &options).unwrap().take;
    for (side, plants) in kept_slid.contacts.plants.iter() {
        let sole = kept_slid.body.legs[side].foot.heel.distance(kept_slid.body.legs[side].foot.ball);
        let [heels, balls] =
            FootPart::BOTH.map(|part| plants.iter().filter(move |plant| plant.part == part).collect::<Vec<_>>());
        for heel in heels {
            for ball in &balls {
                let together = heel.frames.start.max(ball.frames.start) < heel.frames.end.min(ball.frames.end);
                let apart = (heel.position - ball.position).with_y(0.0).length();
                assert!(!together || (apart - sole).abs() < 1e-9, "{apart} {sole}");
            }
        }
    }
    let travel = |clip: &Clip, body: &BodyMap| {
        let [first, last] = [0, clip.n_frames() - 1].map(|frame| clip.world_pose(frame).position(body.pelvis));
        (last - first).length()
    };
    let (mine, theirs) = (travel(&kept.take.clip, &kept.take.body), travel(&walk.take.clip, &walk.take.body));
    assert!((mine - theirs).abs() < 0.02, "{mine} {theirs}");
}
