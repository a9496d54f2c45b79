//! Promises of footskate cleanup, on walks whose plants are known by construction.

use super::*;
use std::f64::consts::{PI, TAU};
use surefoot_contact::{SyntheticWalk, WalkerOptions, measure_placement, synthetic_walk};
use surefoot_geom::{Quat, Transform, Vec2, ground_point};
use surefoot_motion::WorldPose;
use surefoot_motion::{PoseRef, rest_knee_axes};

fn walk(frame_rate: f64) -> SyntheticWalk {
    synthetic_walk(&WalkerOptions { frame_rate, n_steps: 5, turn_per_step: 0.15, ..WalkerOptions::default() })
}

/// A walk whose feet slide, sink and tilt as those of recordings do: its root wanders by centimetres and its legs waver.
fn skated(frame_rate: f64) -> SyntheticWalk {
    let mut walk = walk(frame_rate);
    let rate = walk.take.clip.frame_rate;
    for (frame, mut pose) in walk.take.clip.poses_mut().iter_mut().enumerate() {
        let t = frame as f64 / rate;
        let wave = |period: f64| (TAU * t / period).sin();
        pose[walk.take.body.pelvis].translation += Vec3::new(0.02 * wave(1.7), 0.008 * wave(0.9), 0.03 * wave(1.3));
        for (side, leg) in walk.take.body.legs.iter() {
            let sign = if side == Side::Left { 1.0 } else { -1.0 };
            let turns = [(leg.hip, 0.02 * wave(0.8)), (leg.knee, 0.03 * wave(0.6)), (leg.ankle, 0.05 * wave(0.7))];
            for (joint, angle) in turns {
                let turn = Quat::from_rotation_x(sign * angle) * Quat::from_rotation_z(0.3 * angle);
                pose[joint].rotation = turn * pose[joint].rotation;
            }
        }
    }
    walk
}

/// Farthest that planted points are from their places, and from the ground.
fn plant_errors(cleaned: &Cleaned, body: &BodyMap, terrain: &Terrain) -> (f64, f64) {
    let poses = cleaned.take.clip.world();
    let contacts = &cleaned.take.contacts;
    let errors = measure_placement(&poses, body, contacts);
    let away = errors.iter().fold(0.0, |most: f64, error| most.max(error.distance));
    let plants = contacts.plants.iter().flat_map(|(_, plants)| plants);
    let height =
        |plant: &surefoot_contact::Plant| (plant.position.y - terrain.height(ground_point(plant.position))).abs();
    (away, plants.fold(0.0, |most: f64, plant| most.max(height(plant))))
}

fn largest_move(a: &Clip, b: &Clip) -> f64 {
    let frames = a.world().to_vec().into_iter().zip(b.world().to_vec());
    let moves = frames.flat_map(|(a, b)| {
        a.world().iter().zip(b.world()).map(|(a, b)| a.translation.distance(b.translation)).collect::<Vec<_>>()
    });
    moves.fold(0.0, f64::max)
}

fn clean(walk: &SyntheticWalk, options: &CleanOptions) -> Cleaned {
    clean_footskate(&walk.take, &Terrain::flat(0.0), options)
}

/// Largest change of speed of a leg's ankle from one frame to the next, in metres a second.
fn largest_jolt(clip: &Clip, body: &BodyMap) -> f64 {
    let poses = clip.world();
    let ankles = |pose: &WorldPose| [body.legs.left.ankle, body.legs.right.ankle].map(|joint| pose.position(joint));
    let jolts = poses.windows(3).flat_map(|window| {
        let [a, b, c] = [0, 1, 2].map(|k| ankles(&window[k]));
        [0, 1].map(|leg| (a[leg] - b[leg] * 2.0 + c[leg]).length() * clip.frame_rate)
    });
    jolts.fold(0.0, f64::max)
}

/// Largest acceleration of a knee's angle, in radians a second squared.
fn largest_knee_acceleration(clip: &Clip, body: &BodyMap) -> f64 {
    let poses = clip.world();
    let angle = |pose: &WorldPose, side: Side| {
        let leg = &body.legs[side];
        let knee = pose.position(leg.knee);
        (pose.position(leg.hip) - knee).angle_between(pose.position(leg.ankle) - knee)
    };
    let rate = clip.frame_rate * clip.frame_rate;
    let frames = poses.windows(3).flat_map(|window| {
        Side::BOTH.map(|side| {
            let [a, b, c] = [0, 1, 2].map(|k| angle(&window[k], side));
            (a - 2.0 * b + c).abs() * rate
        })
    });
    frames.fold(0.0, f64::max)
}

#[test]
fn planted_points_do_not_move_on_any_ground() {
    let field = (0..41 * 41).map(|i| 0.03 * ((i % 41) as f64 * 0.4).sin() * ((i / 41) as f64 * 0.3).cos());
    let grounds = [
        Terrain::flat(0.0),
        Terrain::flat(-0.02),
        Terrain::plane(Vec3::ZERO, Vec3::new(0.05, 1.0, 0.08)).expect("a gentle slope"),
        Terrain::height_field(Vec2::new(-10.0, -10.0), 0.5, 41, 41, field.collect()).expect("gentle hills"),
    ];
    for (n, terrain) in grounds.iter().enumerate() {
        for rate in [30.0, 120.0] {
            for roll in [FootRoll::Flat, FootRoll::Keep] {
                let walk = skated(rate);
                let options = CleanOptions { foot_roll: roll, ..CleanOptions::default() };
                let cleaned = clean_footskate(&walk.take, terrain, &options);
                let (away, above) = plant_errors(&cleaned, &walk.take.body, terrain);
                assert!(away < 1e-9, "ground {n} at {rate} Hz: {away} m");
                assert!(above < 1e-6, "ground {n} at {rate} Hz: {above} m off the ground");
            }
        }
    }
}

#[test]
fn free_feet_and_toes_stay_out_of_the_ground() {
    let walk = skated(60.0);
    for terrain in [Terrain::flat(0.0), Terrain::flat(0.03)] {
        let cleaned = clean_footskate(&walk.take, &terrain, &CleanOptions::default());
        let skeleton = &cleaned.take.clip.skeleton;
        for (frame, pose) in cleaned.take.clip.world().iter().enumerate() {
            for side in Side::BOTH {
                let toe = walk.take.body.legs[side].toe.map(|toe| pose.point(skeleton, toe));
                for point in [walk.take.body.heel(pose, side), walk.take.body.ball(pose, side)].into_iter().chain(toe) {
                    assert!(point.y > terrain.height(ground_point(point)) - 1e-6, "{side:?} in frame {frame}: {point}");
                }
            }
        }
    }
}

#[test]
fn a_clean_walk_stays_as_it_is() {
    for rate in [30.0, 60.0, 120.0] {
        let walk = walk(rate);
        for reach in [Reach::Stretch, Reach::Rigid] {
            let cleaned = clean(&walk, &CleanOptions { reach, ..CleanOptions::default() });
            let moved = largest_move(&walk.take.clip, &cleaned.take.clip);
            assert!(moved < 1e-5, "{reach:?} at {rate} Hz moves joints by {moved} m");
        }
    }
}

#[test]
fn cleaning_twice_equals_cleaning_once() {
    let walk = skated(60.0);
    for reach in [Reach::Stretch, Reach::Rigid] {
        let options = CleanOptions { reach, ..CleanOptions::default() };
        let once = clean(&walk, &options);
        let twice = clean_footskate(&once.take, &Terrain::flat(0.0), &options);
        let moved = largest_move(&once.take.clip, &twice.take.clip);
        assert!(moved < 1e-5, "{reach:?}: {moved} m");
    }
}

#[test]
fn a_stream_gives_the_same_bits_as_a_clip() {
    for rate in [24.0, 30.0, 60.0, 120.0] {
        let walk = skated(rate);
        let terrain = Terrain::flat(0.005);
        for (reach, roll) in [(Reach::Stretch, FootRoll::Flat), (Reach::Rigid, FootRoll::Keep)] {
            let options = CleanOptions { reach, foot_roll: roll, ..CleanOptions::default() };
            let offline = clean_footskate(&walk.take, &terrain, &options);
            let (online, held) = clean_stream(&walk.take, &terrain, &options);
            assert!(held.is_empty());
            assert!(offline.take == online, "{reach:?} at {rate} Hz");
        }
    }
}

#[test]
fn a_stream_with_spans_of_nothing_gives_the_same_bits_too() {
    let walk = skated(30.0);
    let usual = CleanOptions::default();
    let options = [
        CleanOptions { plant_average: 0.0, ..usual },
        CleanOptions { ankle_blend: 0.0, ..usual },
        CleanOptions { root_filter: 0.0, ..usual },
        CleanOptions { blend_off: 0.0, ..usual },
        CleanOptions { plant_average: 0.0, ankle_blend: 0.0, root_filter: 0.0, blend_off: 0.0, ..usual },
        CleanOptions { root_filter: 0.1, blend_off: 0.5, reach: Reach::Rigid, ..usual },
    ];
    for (n, options) in options.iter().enumerate() {
        let offline = clean(&walk, options);
        let (online, _) = clean_stream(&walk.take, &Terrain::flat(0.0), options);
        assert!(offline.take == online, "case {n}");
    }
}

#[test]
fn options_out_of_range_count_as_the_nearest_end_and_no_numbers_as_off() {
    let walk = skated(30.0);
    let (usual, nan, infinite) = (CleanOptions::default(), f64::NAN, f64::INFINITY);
    let pairs = [
        (CleanOptions { root_follows: nan, ..usual }, CleanOptions { root_follows: 0.0, ..usual }),
        (CleanOptions { root_follows: -3.0, ..usual }, CleanOptions { root_follows: 0.0, ..usual }),
        (CleanOptions { root_follows: infinite, ..usual }, CleanOptions { root_follows: 1.0, ..usual }),
        (CleanOptions { knee_damping_from: nan, ..usual }, CleanOptions { knee_damping_from: PI, ..usual }),
        (CleanOptions { knee_damping_from: 9.0, ..usual }, CleanOptions { knee_damping_from: PI, ..usual }),
        (CleanOptions { plant_average: nan, ..usual }, CleanOptions { plant_average: 0.0, ..usual }),
        (CleanOptions { blend_off: nan, ..usual }, CleanOptions { blend_off: -1.0, ..usual }),
        (CleanOptions { max_lift: nan, ..usual }, usual),
        (CleanOptions { teleport_speed: nan, ..usual }, usual),
    ];
    for (n, (odd, meant)) in pairs.iter().enumerate() {
        let cleaned = clean(&walk, odd);
        assert!(cleaned.take.clip.poses().iter().all(|pose| pose.local.iter().all(Transform::is_finite)), "case {n}");
        assert!(cleaned == clean(&walk, meant), "case {n}");
    }
}

#[test]
fn the_stream_is_as_far_behind_as_its_spans_add_up() {
    let walk = skated(30.0);
    let clip = &walk.take.clip;
    let marks = frame_marks(&walk.take.contacts, PlantPositions::Averaged);
    let (options, terrain) = (CleanOptions::default(), Terrain::flat(0.0));
    let axes = rest_knee_axes(&clip.skeleton, &walk.take.body);
    let mut cleaner = Cleaner::new(&clip.skeleton, &walk.take.body, &axes, clip.frame_rate, &terrain, &options);
    // Two frames to see a glitch, L1 to L5, and three rounds of calming.
    let delay = 2 + 10 + 7 + 7 + 4 + 7 + (3 + 5 + 7);
    assert_eq!(cleaner.delay(), delay);
    let mut out = clip.pose(0).to_pose();
    for (frame, pose) in clip.poses().iter().enumerate() {
        let status = cleaner.push(pose, &marks[frame], &mut out);
        assert_eq!(status.finished, frame.checked_sub(delay));
    }
    let rest = std::iter::from_fn(|| cleaner.finish(&mut out)).collect::<Vec<_>>();
    assert_eq!(rest, (clip.n_frames() - delay..clip.n_frames()).collect::<Vec<_>>());
}

#[test]
fn hostile_frames_hold_the_last_good_pose_and_pass() {
    let walk = skated(60.0);
    let good = clean(&walk, &CleanOptions::default());
    let mut hurt = walk.take.clone();
    let pelvis = walk.take.body.pelvis;
    hurt.clip.pose_mut(20)[walk.take.body.legs.left.knee].rotation = Quat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0);
    hurt.clip.pose_mut(21)[pelvis].translation.x = f64::INFINITY;
    hurt.clip.pose_mut(40)[pelvis].translation += Vec3::new(0.0, 30.0, 0.0);
    hurt.clip.pose_mut(50)[pelvis].rotation = Quat::from_xyzw(f64::INFINITY, 0.0, 0.0, 1.0);
    let cleaned = clean_footskate(&hurt, &Terrain::flat(0.0), &CleanOptions::default());
    let held: Vec<usize> = cleaned.held.iter().map(|(frame, _)| *frame).collect();
    assert_eq!(held, [20, 21, 40, 50]);
    assert_eq!(cleaned.held[2].1, HoldReason::Jumped);
    let all_finite = |pose: PoseRef<'_>| pose.local.iter().all(Transform::is_finite);
    assert!(cleaned.take.clip.poses().iter().all(all_finite));
    let n = cleaned.take.clip.n_frames();
    let after = |clip: &Clip| clip.with_poses(clip.poses().slice(n - 20..clip.n_frames()));
    let moved = largest_move(&after(&good.take.clip), &after(&cleaned.take.clip));
    // The axes of the knees are fitted to all good frames, and those differ by a few.
    assert!(moved < 1e-5, "{moved} m long after the last hostile frame");
    let (online, _) = clean_stream(&hurt, &Terrain::flat(0.0), &CleanOptions::default());
    assert!(online == cleaned.take);
}

/// The plants of one ball of a standing person, the second of which begins in a frame that is held.
fn replanted(n_frames: usize, begins: usize) -> SyntheticWalk {
    let mut walk = synthetic_walk(&WalkerOptions { standing: 2.0, n_steps: 2, ..WalkerOptions::default() });
    walk.take.clip.poses_mut().truncate(n_frames);
    let slid = Vec3::new(0.0, 0.0, 0.03);
    for mut pose in walk.take.clip.poses_mut().iter_mut().skip(begins) {
        pose[walk.take.body.pelvis].translation += slid;
    }
    walk.take.contacts = Contacts::none(n_frames);
    let first = walk.take.body.ball(&walk.take.clip.world_pose(0), Side::Left);
    let plant = |frames, position| surefoot_contact::Plant { part: FootPart::Ball, frames, position };
    walk.take.contacts.plants.left = vec![plant(0..begins, first), plant(begins..n_frames, first + slid)];
    walk
}

#[test]
fn a_plant_that_begins_in_a_held_frame_begins_in_the_next_good_one() {
    let (n_frames, begins) = (100, 50);
    for positions in [PlantPositions::Averaged, PlantPositions::Given] {
        for n_held in [1, 2, 5] {
            let mut walk = replanted(n_frames, begins);
            for mut pose in walk.take.clip.poses_mut().iter_mut().take(begins + n_held).skip(begins) {
                pose[walk.take.body.pelvis].translation.x = f64::NAN;
            }
            let targets = walk.take.contacts.plants.left.clone();
            let cleaned = clean(&walk, &CleanOptions { plant_positions: positions, ..CleanOptions::default() });
            assert_eq!(cleaned.held.len(), n_held);
            for frame in (0..n_frames).filter(|frame| !(begins..begins + n_held).contains(frame)) {
                let target = targets[usize::from(frame >= begins)].position;
                let ball = walk.take.body.ball(&cleaned.take.clip.world_pose(frame), Side::Left);
                assert!(
                    ball.distance(target) < 1e-9,
                    "{positions:?}, {n_held} held, frame {frame}: {ball} for {target}"
                );
            }
            let found = &cleaned.take.contacts.plants.left[1];
            assert!(
                found.position.distance(targets[1].position) < 1e-9,
                "the contacts tell where it stands: {found:?}"
            );
        }
    }
}

#[test]
fn a_body_that_is_put_elsewhere_is_believed_after_three_frames() {
    let mut walk = skated(60.0);
    for mut pose in walk.take.clip.poses_mut().iter_mut().skip(60) {
        pose[walk.take.body.pelvis].translation.x += 20.0;
    }
    let cleaned = clean(&walk, &CleanOptions::default());
    let held: Vec<usize> = cleaned.held.iter().map(|(frame, _)| *frame).collect();
    assert_eq!(held, [60, 61]);
    let last = cleaned.take.clip.world_pose(cleaned.take.clip.n_frames() - 1);
    assert!(last.position(walk.take.body.pelvis).x > 15.0);
}

#[test]
fn plants_from_outside_are_met_exactly() {
    let mut walk = skated(60.0);
    for (n, plant) in walk.take.contacts.plants.left.iter_mut().enumerate() {
        plant.position += Vec3::new(0.01, 0.002, -0.015) * (1.0 + 0.2 * (n / 2) as f64);
    }
    let targets = walk.take.contacts.clone();
    let cleaned = clean(&walk, &CleanOptions { plant_positions: PlantPositions::Given, ..CleanOptions::default() });
    let poses = cleaned.take.clip.world();
    for error in measure_placement(&poses, &walk.take.body, &targets) {
        assert!(error.distance < 1e-9, "{error:?}");
    }
}

#[test]
fn rigid_legs_keep_their_lengths() {
    let walk = skated(60.0);
    let options = CleanOptions { reach: Reach::Rigid, ..CleanOptions::default() };
    let terrain = Terrain::flat(-0.03);
    let cleaned = clean_footskate(&walk.take, &terrain, &options);
    assert!(plant_errors(&cleaned, &walk.take.body, &terrain).0 < 1e-9);
    for (before, after) in walk.take.clip.poses().iter().zip(cleaned.take.clip.poses()) {
        for (_, leg) in walk.take.body.legs.iter() {
            for joint in [leg.knee, leg.ankle] {
                assert!(before[joint].translation.distance(after[joint].translation) < 1e-12);
            }
        }
    }
}

#[test]
fn legs_stretch_no_more_than_the_papers() {
    for height in [0.0, -0.02, 0.02] {
        let cleaned = clean_footskate(&skated(60.0).take, &Terrain::flat(height), &CleanOptions::default());
        let legs = cleaned.phases.finished.iter().flat_map(|frame| [frame.legs.left, frame.legs.right]);
        let most = legs.fold(0.0, |most: f64, leg| most.max(leg.stretch.abs()));
        assert!(most <= 0.026, "{most} on ground at {height}");
    }
}

#[test]
fn without_knee_damping_knees_pop() {
    // The ground is so low that legs are all but straight, and the source wavers.
    let walk = skated(120.0);
    let knees = |rho: f64| {
        // What the damping does, not what the averaging of turns would hide.
        let options =
            CleanOptions { knee_damping_from: rho, root_filter: 0.0, pops: Pops::Keep, ..CleanOptions::default() };
        let cleaned = clean_footskate(&walk.take, &Terrain::flat(-0.03), &options);
        largest_knee_acceleration(&cleaned.take.clip, &walk.take.body)
    };
    let (damped, undamped) = (knees(2.8), knees(PI));
    assert!(undamped > 1.5 * damped, "{undamped} against {damped} rad/s2");
}

#[test]
fn without_the_root_filter_the_pelvis_pops() {
    let walk = skated(60.0);
    let largest_step = |seconds: f64| {
        let options = CleanOptions { root_filter: seconds, pops: Pops::Keep, ..CleanOptions::default() };
        let cleaned = clean_footskate(&walk.take, &Terrain::flat(-0.02), &options);
        let roots: Vec<Vec3> = cleaned.phases.finished.iter().map(|frame| frame.root).collect();
        roots.windows(2).fold(0.0, |most: f64, pair| most.max(pair[0].distance(pair[1])))
    };
    let (filtered, bare) = (largest_step(CleanOptions::default().root_filter), largest_step(0.0));
    assert!(bare > 2.0 * filtered, "{bare} against {filtered} m in one frame");
}

#[test]
fn without_blending_legs_jolt_when_feet_land_and_leave() {
    let walk = skated(60.0);
    let jolt = |seconds: f64| {
        let cleaned = clean(&walk, &CleanOptions { blend_off: seconds, pops: Pops::Keep, ..CleanOptions::default() });
        largest_jolt(&cleaned.take.clip, &walk.take.body)
    };
    let source = largest_jolt(&walk.take.clip, &walk.take.body);
    let (blended, bare) = (jolt(CleanOptions::default().blend_off), jolt(0.0));
    assert!(blended < 1.3 * source, "{blended} against the source's {source} m/s");
    assert!(bare > 2.0 * blended, "{bare} against {blended} m/s");
}

#[test]
fn without_ankle_blending_feet_jolt_when_heels_lift() {
    let walk = skated(60.0);
    let largest_turn = |seconds: f64| {
        let cleaned = clean(&walk, &CleanOptions { ankle_blend: seconds, pops: Pops::Keep, ..CleanOptions::default() });
        let ankle = walk.take.body.legs.left.ankle;
        let turns: Vec<Quat> = cleaned.take.clip.world().iter().map(|pose| pose[ankle].rotation).collect();
        let change = |w: &[Quat]| {
            let step = |a: Quat, b: Quat| surefoot_geom::rotation::log_map(b * a.conjugate());
            (step(w[1], w[2]) - step(w[0], w[1])).length()
        };
        turns.windows(3).fold(0.0, |most: f64, w| most.max(change(w)))
    };
    let (blended, bare) = (largest_turn(CleanOptions::default().ankle_blend), largest_turn(0.0));
    assert!(bare > 1.3 * blended, "{bare} against {blended} rad");
}

/// A walk in which a foot, or the body as a whole, jumps aside for one frame while it stands.
fn with_glitch(whole_body: bool) -> (SyntheticWalk, usize) {
    let mut walk = skated(120.0);
    let plant = walk.take.contacts.plants.left.iter().find(|plant| plant.frames.len() > 40).expect("a long plant");
    let frame = plant.frames.start + 20;
    let mut pose = walk.take.clip.pose_mut(frame);
    match whole_body {
        true => pose[walk.take.body.pelvis].translation += Vec3::new(0.02, 0.015, 0.01),
        false => {
            let knee = &mut pose[walk.take.body.legs.left.knee].rotation;
            *knee = Quat::from_rotation_x(0.06) * *knee;
        }
    }
    (walk, frame)
}

fn pops(before: &Clip, after: &Clip, body: &BodyMap) -> usize {
    use surefoot_contact::metrics::measure_introduced_pops;
    let (now, was) = (after.world(), before.world());
    measure_introduced_pops(&now, body, (&was, body), before.frame_rate).expect("as many frames").count
}

#[test]
fn a_glitch_of_the_recording_reaches_no_knee() {
    for whole_body in [false, true] {
        for reach in [Reach::Stretch, Reach::Rigid] {
            let ((walk, frame), clear) = (with_glitch(whole_body), skated(120.0));
            let options = CleanOptions { reach, ..CleanOptions::default() };
            let (hurt, well) = (clean(&walk, &options), clean(&clear, &options));
            let near = |clip: &Clip| clip.with_poses(clip.poses().slice(frame - 5..frame + 6));
            let moved = largest_move(&near(&hurt.take.clip), &near(&well.take.clip));
            assert!(moved < 1e-3, "{reach:?}, whole body {whole_body}: {moved} m from what it is without the glitch");
            assert!(plant_errors(&hurt, &walk.take.body, &Terrain::flat(0.0)).0 < 1e-9);
            let (online, _) = clean_stream(&walk.take, &Terrain::flat(0.0), &options);
            assert!(online == hurt.take);
        }
    }
}

#[test]
fn without_calming_legs_pop_where_plants_flicker() {
    // A ball that is planted for four frames out of eight, some millimetres off its path.
    let mut walk = skated(120.0);
    let n = walk.take.clip.n_frames();
    let ranges: Vec<_> = (0..n / 60).map(|k| (Side::Left, FootPart::Ball, 60 * k + 20..60 * k + 24)).collect();
    walk.take.contacts = Contacts::from_ranges(&walk.take.clip, &walk.take.body, &ranges).expect("short plants");
    for reach in [Reach::Stretch, Reach::Rigid] {
        let count = |how: Pops| {
            let options =
                CleanOptions { reach, pops: how, blend_off: 0.02, root_filter: 0.02, ..CleanOptions::default() };
            let cleaned = clean(&walk, &options);
            let (online, _) = clean_stream(&walk.take, &Terrain::flat(0.0), &options);
            assert!(online == cleaned.take, "{reach:?}");
            let (away, _) = plant_errors(&cleaned, &walk.take.body, &Terrain::flat(0.0));
            // Plants in the middle of a swing give way by centimetres, if they may.
            assert!(how == Pops::Yield || away < 1e-9, "{reach:?}, {how:?}: {away} m");
            pops(&walk.take.clip, &cleaned.take.clip, &walk.take.body)
        };
        let [bare, calm, yielding] = [Pops::Keep, Pops::Calm, Pops::Yield].map(count);
        assert!(bare > 0 && calm < bare, "{reach:?}: {calm} pops, {bare} without calming");
        assert_eq!(yielding, 0, "{reach:?}");
    }
}

#[test]
fn any_plants_at_all_give_finite_poses() {
    let walk = skated(30.0);
    let n = walk.take.clip.n_frames();
    let always = |parts: &[FootPart]| {
        let ranges: Vec<_> =
            Side::BOTH.iter().flat_map(|&side| parts.iter().map(move |&part| (side, part, 0..n))).collect();
        Contacts::from_ranges(&walk.take.clip, &walk.take.body, &ranges).expect("one plant of each part")
    };
    let flicker = {
        let ranges: Vec<_> = (0..n / 2).map(|k| (Side::Left, FootPart::Ball, 2 * k..2 * k + 1)).collect();
        Contacts::from_ranges(&walk.take.clip, &walk.take.body, &ranges).expect("plants of one frame")
    };
    let cases =
        [Contacts::none(n), always(&[FootPart::Heel]), always(&[FootPart::Ball]), always(&FootPart::BOTH), flicker];
    for (case, contacts) in cases.into_iter().enumerate() {
        let take = Take { contacts, ..walk.take.clone() };
        for terrain in [Terrain::flat(0.0), Terrain::flat(3.0), Terrain::flat(-3.0)] {
            let cleaned = clean_footskate(&take, &terrain, &CleanOptions::default());
            let finite = |pose: PoseRef<'_>| pose.local.iter().all(Transform::is_finite);
            assert!(cleaned.take.clip.poses().iter().all(finite), "case {case}");
        }
    }
}

#[test]
fn empty_and_tiny_clips_are_cleaned_too() {
    let walk = skated(30.0);
    for n in [0, 1, 2, 3] {
        let clip = walk.take.clip.with_poses(walk.take.clip.poses().slice(0..n));
        let take = Take { clip, body: walk.take.body.clone(), contacts: Contacts::none(n) };
        let cleaned = clean_footskate(&take, &Terrain::flat(0.0), &CleanOptions::default());
        assert_eq!(cleaned.take.clip.n_frames(), n);
        let (online, _) = clean_stream(&take, &Terrain::flat(0.0), &CleanOptions::default());
        assert!(online == cleaned.take);
    }
}

#[test]
fn a_stream_holds_the_last_good_pose_where_a_frame_has_other_joints() {
    let walk = skated(60.0);
    let clip = &walk.take.clip;
    let knee_axes = rest_knee_axes(&clip.skeleton, &walk.take.body);
    let ground = Terrain::flat(0.0);
    let options = CleanOptions::default();
    let mut cleaner = Cleaner::new(&clip.skeleton, &walk.take.body, &knee_axes, clip.frame_rate, &ground, &options);
    let mut out = clip.skeleton.rest_pose();
    for (frame, pose) in clip.poses().iter().enumerate() {
        let local = if frame == 50 { &pose.local[..3] } else { pose.local };
        let status = cleaner.push(PoseRef { local }, &FrameMarks::default(), &mut out);
        assert_eq!(status.held, (frame == 50).then_some(HoldReason::NotFinite), "frame {frame}");
        assert!(out.local.iter().all(Transform::is_finite) && out.local.len() == clip.skeleton.n_joints());
    }
}
