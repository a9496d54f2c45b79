//! What warping promises, on walkers whose contacts are known.

use super::*;
use surefoot_contact::{SyntheticWalk, WalkerOptions, measure_placement, synthetic_walk};
use surefoot_geom::{direction_heading, ground_point};
use surefoot_motion::BodyMap;
use surefoot_motion::{Clip, WorldPose, place};

fn walk(options: &WalkerOptions) -> SyntheticWalk {
    synthetic_walk(options)
}

fn straight() -> SyntheticWalk {
    walk(&WalkerOptions::default())
}

fn path(points: &[[f64; 2]]) -> Path {
    Path { points: points.iter().map(|&point| Vec2::from(point)).collect() }
}

fn warp(walk: &SyntheticWalk, path: &Path) -> WarpedPath {
    warp_path(&walk.take, path, &WarpPathOptions::default()).unwrap()
}

/// Largest distance between a joint of one clip and the same one of the other.
fn largest_move(a: &Clip, b: &Clip) -> f64 {
    assert_eq!(a.n_frames(), b.n_frames());
    let frames = a.world().to_vec().into_iter().zip(b.world().to_vec());
    let joints = frames.flat_map(|(a, b)| a.world().to_vec().into_iter().zip(b.world().to_vec()));
    joints.fold(0.0, |most, (a, b)| most.max(a.translation.distance(b.translation)))
}

fn pelvis(pose: &WorldPose, body: &BodyMap) -> Vec2 {
    ground_point(pose.position(body.pelvis))
}

#[test]
fn warping_to_the_clips_own_path_changes_nothing() {
    for options in [
        WalkerOptions::default(),
        WalkerOptions { turn_per_step: 0.4, n_steps: 20, ..WalkerOptions::default() },
        WalkerOptions { standing: 6.0, frame_rate: 120.0, ..WalkerOptions::default() },
        WalkerOptions { step_length: 0.9, cadence: 3.0, frame_rate: 12.0, ..WalkerOptions::default() },
    ] {
        let walk = walk(&options);
        let own = clip_path(&walk.take.clip, &walk.take.body, &WarpPathOptions::default()).unwrap();
        assert!(own.arcs.windows(2).all(|pair| pair[0] <= pair[1]), "arc length never decreases");
        for fit in [PathFit::Stop, PathFit::ScalePath, PathFit::StretchSteps] {
            let options = WarpPathOptions { fit, ..WarpPathOptions::default() };
            let warped = warp_path(&walk.take, &own.to_path(), &options).unwrap();
            let moved = largest_move(&warped.take.clip, &walk.take.clip);
            assert!(moved < 1e-9, "{fit:?} moves joints by {moved} m");
            for (warped, plant) in warped.take.contacts.plants.left.iter().zip(&walk.take.contacts.plants.left) {
                assert!(warped.frames == plant.frames && warped.position.distance(plant.position) < 1e-9);
            }
        }
    }
}

#[test]
fn a_motion_on_a_straight_path_is_the_motion_moved_as_a_whole() {
    let walk = straight();
    let warped = warp(&walk, &path(&[[3.0, -2.0], [3.0 + 20.0, -2.0]]));
    let first = pelvis(&walk.take.clip.world_pose(0), &walk.take.body);
    let from = (Vec3::new(first.x, 0.0, first.y), 0.0);
    let placement = surefoot_motion::Placement::between(from, (Vec3::new(3.0, 0.0, -2.0), PI / 2.0));
    let moved = largest_move(&warped.take.clip, &place(&walk.take.clip, placement));
    assert!(moved < 5e-3, "a way that is straight but for sway: {moved} m");
    assert!(warped.fastest_turn.0 < 0.02, "{:?}", warped.fastest_turn);
    let errors = measure_placement(&warped.take.clip.world(), &walk.take.body, &warped.take.contacts);
    assert!(errors.iter().all(|error| error.distance < 2e-3), "plants go with the feet: {errors:?}");
}

#[test]
fn the_pelvis_follows_a_circle_with_the_body_facing_along_it() {
    let walk = straight();
    let radius = 2.0;
    // A circle to the left: it starts at the origin toward +Z and turns toward +X.
    let circle = (0..=2000).map(|i| f64::from(i) * 0.002 * PI);
    let points = circle.map(|angle| Vec2::new(radius * (1.0 - angle.cos()), radius * angle.sin())).collect();
    let warped = warp(&walk, &Path { points });
    let poses = warped.take.clip.world();
    let mut arc = 0.0;
    for (frame, pose) in poses.iter().enumerate() {
        let at = pelvis(pose, &walk.take.body);
        let off = (at - Vec2::new(radius, 0.0)).length() - radius;
        assert!(off.abs() < 0.05, "frame {frame} is {off} m off, more than a walker sways");
        arc += if frame > 0 { at.distance(pelvis(&poses[frame - 1], &walk.take.body)) } else { 0.0 };
        let facing = direction_heading(walk.take.body.facing(pose)).unwrap();
        let along = (at.y / radius).atan2(1.0 - at.x / radius);
        let inside = (0.6..4.0).contains(&arc);
        assert!(!inside || (facing - along).abs() < 0.25, "frame {frame}: faces {facing}, the way goes {along}");
    }
    assert!((warped.walked - warped.own_length).abs() < 1e-9 && warped.cut_frames == 0);
}

#[test]
fn heights_and_step_times_stay() {
    let walk = straight();
    let warped = warp(&walk, &path(&[[0.0, 0.0], [0.0, 2.0], [4.0, 2.0]]));
    for (warped, pose) in warped.take.clip.world().iter().zip(walk.take.clip.world().to_vec()) {
        for (warped, joint) in warped.world().iter().zip(pose.world()) {
            assert!((warped.translation.y - joint.translation.y).abs() < 1e-9);
        }
    }
    let frames = |take: &Take| take.contacts.plants.right.iter().map(|p| p.frames.clone()).collect::<Vec<_>>();
    assert_eq!(frames(&warped.take), frames(&walk.take));
}

#[test]
fn a_short_path_stops_the_motion_is_scaled_or_is_stretched_over() {
    let walk = straight();
    let short = path(&[[0.0, 0.0], [2.0, 0.0]]);
    let with = |fit| warp_path(&walk.take, &short, &WarpPathOptions { fit, ..WarpPathOptions::default() }).unwrap();
    let last =
        |warped: &WarpedPath| pelvis(&warped.take.clip.world_pose(warped.take.clip.n_frames() - 1), &walk.take.body).x;
    let stopped = with(PathFit::Stop);
    assert!(stopped.cut_frames > 0 && stopped.take.contacts.n_frames == stopped.take.clip.n_frames());
    assert!((last(&stopped) - 2.0).abs() < 0.05, "{}", last(&stopped));
    let scaled = with(PathFit::ScalePath);
    assert!((last(&scaled) - scaled.own_length).abs() < 1e-6 && scaled.path_scale > 2.0);
    let stretched = with(PathFit::StretchSteps);
    assert!((last(&stretched) - 2.0).abs() < 1e-6 && stretched.stretch < 0.5, "{}", last(&stretched));
    assert_eq!(stretched.take.clip.n_frames(), walk.take.clip.n_frames());
}

#[test]
fn standing_before_and_after_neither_spins_nor_drifts() {
    let walk = walk(&WalkerOptions { standing: 5.0, ..WalkerOptions::default() });
    let warped = warp(&walk, &path(&[[0.0, 0.0], [1.0, 1.0], [1.0, 8.0]]));
    let poses = warped.take.clip.world();
    let facing = |frame: usize| direction_heading(walk.take.body.facing(&poses[frame])).unwrap();
    let n_standing = (4.0 * warped.take.clip.frame_rate) as usize;
    for frames in [0..n_standing, poses.len() - n_standing..poses.len()] {
        let turned = frames.clone().map(|frame| (facing(frame) - facing(frames.start)).abs()).fold(0.0, f64::max);
        let moved = frames
            .clone()
            .map(|f| pelvis(&poses[f], &walk.take.body).distance(pelvis(&poses[frames.start], &walk.take.body)));
        let moved = moved.fold(0.0, f64::max);
        assert!(turned < 0.02 && moved < 0.02, "{frames:?}: turned by {turned}, moved by {moved} m");
    }
}

#[test]
fn a_clip_that_goes_nowhere_and_paths_that_are_none_are_refused() {
    let mut still = straight();
    let first = still.take.clip.pose(0).to_pose();
    still.take.clip.poses_mut().fill(&first);
    let error = warp_path(&still.take, &path(&[[0.0, 0.0], [1.0, 0.0]]), &WarpPathOptions::default());
    assert!(matches!(error, Err(WarpPathError::HardlyTravels { .. })), "{error:?}");
    let walk = straight();
    let refuse = |path: &Path, options: &WarpPathOptions| warp_path(&walk.take, path, options).err().unwrap();
    let error = refuse(&path(&[[0.0, 0.0]]), &WarpPathOptions::default());
    assert!(matches!(error, WarpPathError::Path(PathError::TooShort { .. })), "{error}");
    let error = refuse(&path(&[[0.0, 0.0], [0.1, 0.0]]), &WarpPathOptions::default());
    assert!(error.to_string().starts_with("the path is 0.10 m long"), "{error}");
    for far in [1e7, 1e300] {
        let error = refuse(&path(&[[0.0, 0.0], [far, 0.0], [far, far]]), &WarpPathOptions::default());
        assert!(matches!(error, WarpPathError::PathTooLong { .. }), "{error}");
    }
    for (name, options) in [
        ("smoothing", WarpPathOptions { smoothing: -1.0, ..WarpPathOptions::default() }),
        ("corner_reach", WarpPathOptions { corner_reach: f64::NAN, ..WarpPathOptions::default() }),
        ("heading_reach", WarpPathOptions { heading_reach: 0.0, ..WarpPathOptions::default() }),
    ] {
        let error = refuse(&path(&[[0.0, 0.0], [9.0, 0.0]]), &options);
        assert!(error.to_string().starts_with(name), "{error}");
    }
    let mut empty = straight();
    empty.take.contacts = surefoot_contact::Contacts::none(0);
    empty.take.clip.poses_mut().clear();
    assert!(warp_path(&empty.take, &path(&[[0.0, 0.0], [1.0, 0.0]]), &WarpPathOptions::default()).is_err());
}

#[test]
fn a_track_that_is_given_comes_to_lie_on_the_path() {
    let walk = synthetic_walk(&WalkerOptions { n_steps: 12, turn_per_step: 0.2, ..WalkerOptions::default() });
    let poses = walk.take.clip.world();
    let track: Vec<Vec2> = poses.iter().map(|pose| ground_point(pose.position(walk.take.body.pelvis))).collect();
    let path = Path { points: vec![Vec2::new(1.0, 2.0), Vec2::new(9.0, 10.0)] };
    let warped = warp_track(&walk.take, &track, &path, &WarpPathOptions::default()).expect("a walk");
    let along = Vec2::new(1.0, 1.0).normalize();
    for pose in &warped.take.clip.world() {
        let from = ground_point(pose.position(walk.take.body.pelvis)) - path.points[0];
        assert!(from.perp_dot(along).abs() < 0.003, "{from}");
    }
}
