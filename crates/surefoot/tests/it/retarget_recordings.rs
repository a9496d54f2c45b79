//! Retargeting and path editing of recordings: what must hold between real people, rigs and dialects.

use std::path::Path;
use surefoot::cleanup::{
    Character, RetargetOptions, Retargeted, WarpPathError, WarpPathOptions, clip_path, retarget, warp_path,
};
use surefoot::contact::{DetectOptions, FootPart, Take, estimate_floor};
use surefoot::formats::Import;
use surefoot::geom::{Vec3, direction_heading};
use surefoot::motion::{BodyMap, Clip, JointId, Side, WorldPose};
use surefoot::{LoadOptions, load};
use surefoot_recordings::{largest_move, manifest, shared_folder};

const CMU_WALK: &str = "cmu-bvh/016/16_15.bvh";
const CMU_ASF: &str = "cmu-asfamc/16.asf";
const BANDAI_WALK: &str = "bandai/dataset-1_walk_normal_001.bvh";
const XSENS: &str = "xsens-unity-bvh/NewBVH.txt";
const CESIUM_MAN: &str = "gltf/CesiumMan.glb";

struct Recording {
    import: Import,
    take: Take,
}

fn read(folder: &Path, name: &str) -> Recording {
    let path = folder.join("mocap").join(name);
    let import = load(&path, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let taken = import.clone().into_take(&DetectOptions::default());
    let take = taken.unwrap_or_else(|error| panic!("{name}: {error}")).take;
    Recording { take, import }
}

fn retarget_to(source: &Recording, target: &Recording) -> Retargeted {
    let clip = &target.import.clip;
    let to = Character { skeleton: &clip.skeleton, body: &target.take.body, poses: clip.poses() };
    retarget(&source.take, &to, &RetargetOptions::default()).unwrap()
}

/// The segments of limbs that both bodies have.
fn shared_segments(a: &BodyMap, b: &BodyMap) -> Vec<[[JointId; 2]; 2]> {
    let mut segments = Vec::new();
    for side in Side::BOTH {
        let (x, y) = (&a.legs[side], &b.legs[side]);
        segments.extend([[[x.hip, x.knee], [y.hip, y.knee]], [[x.knee, x.ankle], [y.knee, y.ankle]]]);
        if let (Some(x), Some(y)) = (a.arms[side], b.arms[side]) {
            segments.push([[x.shoulder, x.elbow], [y.shoulder, y.elbow]]);
            if let (Some(wrist_x), Some(wrist_y)) = (x.wrist, y.wrist) {
                segments.push([[x.elbow, wrist_x], [y.elbow, wrist_y]]);
            }
        }
    }
    segments
}

fn angle(a: Vec3, b: Vec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b)).to_degrees()
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut n) = (0.0, 0);
    for value in values {
        sum += value;
        n += 1;
    }
    sum / f64::from(n.max(1))
}

fn trunk(pose: &WorldPose, body: &BodyMap) -> Vec3 {
    let middle = |a: JointId, b: JointId| (pose.position(a) + pose.position(b)) / 2.0;
    let arms = [body.arms.left.expect("an arm"), body.arms.right.expect("an arm")];
    middle(arms[0].shoulder, arms[1].shoulder) - middle(body.legs.left.hip, body.legs.right.hip)
}

fn foot(pose: &WorldPose, body: &BodyMap, side: Side) -> Vec3 {
    body.ball(pose, side) - body.heel(pose, side)
}

/// Mean angles between the source and the target, in degrees: of limbs' segments, of soles, of the trunk, of the facing.
fn mean_angles(source: (&Clip, &BodyMap), target: (&Clip, &BodyMap)) -> [f64; 4] {
    let poses: Vec<_> = source.0.world().to_vec().into_iter().zip(target.0.world().to_vec()).collect();
    let segments = shared_segments(source.1, target.1);
    let direction = |pose: &WorldPose, [a, b]: [JointId; 2]| pose.position(b) - pose.position(a);
    let over = |angle_of: &dyn Fn(&WorldPose, &WorldPose) -> f64| mean(poses.iter().map(|(a, b)| angle_of(a, b)));
    [
        over(&|a, b| mean(segments.iter().map(|[x, y]| angle(direction(a, *x), direction(b, *y))))),
        over(&|a, b| mean(Side::BOTH.iter().map(|&side| angle(foot(a, source.1, side), foot(b, target.1, side))))),
        over(&|a, b| angle(trunk(a, source.1), trunk(b, target.1))),
        over(&|a, b| angle(source.1.facing(a), target.1.facing(b))),
    ]
}

/// Steps of a take: from each ball plant to the next of the other foot, on the ground.
fn step_lengths(take: &Take) -> Vec<f64> {
    let balls = take.contacts.plants.iter().flat_map(|(_, plants)| plants);
    let mut balls: Vec<_> = balls.filter(|plant| plant.part == FootPart::Ball).collect();
    balls.sort_by_key(|plant| plant.frames.start);
    let ground = |v: Vec3| v * Vec3::new(1.0, 0.0, 1.0);
    balls.windows(2).map(|pair| ground(pair[1].position - pair[0].position).length()).collect()
}

#[test]
fn every_family_plays_every_other() {
    let Some(folder) = shared_folder() else { return };
    for (from, to) in [
        (CMU_WALK, BANDAI_WALK),
        (CMU_WALK, CMU_ASF),
        (CMU_WALK, XSENS),
        (CMU_WALK, CESIUM_MAN),
        (BANDAI_WALK, CMU_WALK),
        (BANDAI_WALK, XSENS),
        (XSENS, CMU_ASF),
        (XSENS, BANDAI_WALK),
    ] {
        let (source, target) = (read(&folder, from), read(&folder, to));
        let retargeted = retarget_to(&source, &target);
        let clip = &retargeted.take.clip;
        let angles = mean_angles((&source.take.clip, &source.take.body), (clip, &retargeted.take.body));
        let poses = clip.world();
        let source_floor = estimate_floor(&source.take.clip.world(), &source.take.body).expect("a floor");
        let floor = estimate_floor(&poses, &retargeted.take.body).expect("a floor") - source_floor;
        let steps = step_lengths(&retargeted.take);
        let ratios = steps.iter().zip(step_lengths(&source.take)).map(|(new, old)| new / old);
        let step_ratio = mean(ratios) / retargeted.scale;
        println!(
            "{from} -> {to}: scale {:.3}, mean angles (degrees) limbs {:.1e}, soles {:.2}, trunk {:.2}, facing {:.2}; \
             floor {:+.1} mm; {} steps are {step_ratio:.3} of the scaled ones",
            retargeted.scale,
            angles[0],
            angles[1],
            angles[2],
            angles[3],
            floor * 1000.0,
            steps.len()
        );
        let [limbs, soles, trunk, facing] = angles;
        // On the mean: arms that would be in a broader trunk are turned out of it, all others point exactly as the source's.
        assert!(limbs < 2.0, "{from} -> {to}: limbs are off by {limbs} degrees");
        // Exact where the target's soles are known; fitted again to the new motion where it had none of its own.
        assert!(soles < 2.0, "{from} -> {to}: soles are off by {soles} degrees");
        // Hips and shoulders of two upright people may lie off the vertical by so much: where joints were put is not posture.
        assert!(trunk < 10.0, "{from} -> {to}: the trunk is off by {trunk} degrees");
        assert!(facing < 3.0, "{from} -> {to}: the facing is off by {facing} degrees");
        assert!(floor.abs() < 0.02, "{from} -> {to}: the floor is {floor} m off");
        assert!(
            steps.len() > 2 && (step_ratio - 1.0).abs() < 0.06,
            "{from} -> {to}: steps are {step_ratio} of the scaled"
        );
        assert_eq!(retargeted.take.contacts.n_frames, clip.n_frames());
    }
}

#[test]
fn a_recorded_person_retargeted_to_themselves_does_not_change() {
    let Some(folder) = shared_folder() else { return };
    for name in [
        CMU_WALK,
        BANDAI_WALK,
        XSENS,
        CESIUM_MAN,
        "cmu-fbx/02_01.fbx",
        "cmu-asfamc/02_01.amc",
        "gltf/RobotExpressive.glb",
    ] {
        let source = read(&folder, name);
        let retargeted = retarget_to(&source, &source);
        let moved = largest_move(&source.take.clip, &retargeted.take.clip);
        assert!(moved < 1e-9, "{name}: a joint moved by {moved} m");
    }
}

#[test]
fn people_of_one_database_need_no_alignment() {
    let Some(folder) = shared_folder() else { return };
    let (source, target) = (read(&folder, CMU_WALK), read(&folder, "cmu-bvh/002/02_01.bvh"));
    let retargeted = retarget_to(&source, &target);
    assert_eq!(retargeted.transfer, surefoot::cleanup::Transfer::Copied, "{:?}", retargeted.notes);
}

#[test]
fn a_recording_warped_to_its_own_path_does_not_change() {
    let Some(folder) = shared_folder() else { return };
    let (mut n_warped, mut n_refused) = (0, 0);
    for row in manifest(&folder.join("mocap")).iter().filter(|row| row["file"].ends_with(".bvh")).step_by(5) {
        let Ok(import) = load(&folder.join("mocap").join(&row["file"]), &LoadOptions::default()) else { continue };
        let Ok(body) = import.body.clone() else { continue };
        let contacts = surefoot::contact::Contacts::none(import.clip.n_frames());
        let take = Take { clip: import.clip, body, contacts };
        let own = match clip_path(&take.clip, &take.body, &WarpPathOptions::default()) {
            Ok(own) => own,
            Err(error) => {
                assert!(matches!(error, WarpPathError::HardlyTravels { .. }), "{}: {error}", row["file"]);
                assert!(import.travel < 3.0, "{} travels {} m", row["file"], import.travel);
                n_refused += 1;
                continue;
            }
        };
        let warped = warp_path(&take, &own.to_path(), &WarpPathOptions::default()).unwrap();
        let moved = largest_move(&take.clip, &warped.take.clip);
        assert!(moved < 1e-6, "{}: a joint moved by {moved} m", row["file"]);
        n_warped += 1;
    }
    println!("{n_warped} recordings warped to their own paths, {n_refused} refused because they hardly travel");
    assert!(n_warped >= 15);
}

#[test]
fn a_recorded_walk_follows_a_path_and_faces_along_it() {
    let Some(folder) = shared_folder() else { return };
    let source = read(&folder, CMU_WALK);
    // A circle of 2 m to the left.
    let points = (0..=90).map(|i| f64::from(i).to_radians() * 1.5);
    let points = points.map(|turn| surefoot::geom::Vec2::new(2.0 * (1.0 - turn.cos()), 2.0 * turn.sin())).collect();
    let path = surefoot::ground::Path { points };
    let warped = warp_path(&source.take, &path, &WarpPathOptions::default()).unwrap();
    let poses = warped.take.clip.world();
    let track: Vec<Vec3> = poses.iter().map(|pose| pose.position(source.take.body.pelvis)).collect();
    let off = track.iter().map(|at| ((at.x - 2.0).hypot(at.z) - 2.0).abs()).fold(0.0, f64::max);
    let facing = mean(poses.iter().map(|pose| {
        let at = pose.position(source.take.body.pelvis);
        let along = at.z.atan2(2.0 - at.x);
        (direction_heading(source.take.body.facing(pose)).expect("a facing") - along).to_degrees().abs()
    }));
    println!("on a circle of 2 m: at most {:.1} cm off it, facing {facing:.1} degrees off its direction", off * 100.0);
    assert!(off < 0.08, "{off} m");
    assert!(facing < 10.0, "{facing} degrees");
    assert_eq!(warped.take.contacts.plants.left.len(), source.take.contacts.plants.left.len());
}
