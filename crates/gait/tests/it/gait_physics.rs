//! Bodies that obey physics: no foot pulls, flights are free falls, speeds change as people change them, and turns are leaned into.
//!
//! All of it is measured on the frames of takes, the pelvis after a Gaussian that is at -3 dB at 10 Hz, as motion capture is.

use crate::gait_checks::Figure;
use std::f64::consts::{LN_2, PI};
use std::sync::Arc;
use surefoot_contact::Take;
use surefoot_gait::{
    Gait, GaitOptions, GaitSchedule, GaitSettings, LayOptions, Pace, RunOverrides, RunParameters, RunSettings,
    Schedule, Style, WalkParameters, lay_paced_steps, lay_steps, natural_level,
};
use surefoot_geom::{Vec2, Vec3};
use surefoot_ground::{Path, Stairs, Terrain};
use surefoot_motion::{JointId, Side, WorldPose};
use surefoot_plan::synthesize_take;

const HEIGHT: f64 = 1.8;
const FRAME_RATE: f64 = 120.0;
const GRAVITY: f64 = 9.80665;
/// Enough for a run to come to 22 km/h.
const N_STEPS: usize = 34;
/// Fastest that the pelvis falls on a planted foot, in g.
const MAX_FALL: f64 = 1.0;
/// Largest change of the velocity along the ground within 50 ms, in metres a second: in starts, stops and turns too.
const MAX_BURST: f64 = 1.0;

/// Largest change of an ankle's velocity within a frame of a run, in metres a second: it stops as it lands.
const MOST_ANKLE: f64 = 1.5;

/// A walk or run at a speed in km/h that turns by some degrees with each step, and leads to a side of the body by some.
struct Course {
    gait: Gait,
    kmh: f64,
    turn: f64,
    direction: f64,
    n_steps: usize,
    ground: Option<Terrain>,
}

fn walk(kmh: f64) -> Course {
    Course { gait: Gait::Walk, kmh, turn: 0.0, direction: 0.0, n_steps: N_STEPS, ground: None }
}

fn run(kmh: f64) -> Course {
    Course { gait: Gait::Run, ..walk(kmh) }
}

/// Rises forward by some degrees.
fn slope(degrees: f64) -> Terrain {
    let normal = Vec3::new(0.0, 1.0, -degrees.to_radians().tan()).normalize();
    Terrain::plane(Vec3::ZERO, normal).unwrap()
}

fn stairs(start: f64, tread: f64, rise: f64, n_steps: usize) -> Terrain {
    Terrain::stairs(Stairs { start: Vec2::new(0.0, start), tread, rise, n_steps, ..Stairs::default() }).unwrap()
}

/// A take and what is measured on it.
struct Seen {
    take: Take,
    planted: Vec<bool>,
    /// Of the pelvis: as it is, and smoothed.
    pelvis: Vec<Vec3>,
    smooth: Vec<Vec3>,
}

impl Course {
    fn settings(&self) -> GaitSettings {
        let mut settings = GaitSettings::natural(self.gait, HEIGHT);
        match self.gait {
            Gait::Walk => settings.walk.parameters = WalkParameters::from_speed(self.kmh / 3.6, HEIGHT).unwrap(),
            Gait::Run => {
                let parameters =
                    RunParameters::from_speed(self.kmh / 3.6, HEIGHT, natural_level(self.kmh / 3.6, HEIGHT)).unwrap();
                let attributes = RunOverrides::default().resolve(&parameters, HEIGHT);
                settings.run = RunSettings { parameters, attributes };
            }
        }
        settings
    }

    fn take(&self) -> Seen {
        let (figure, settings) = (Figure::new(HEIGHT), self.settings());
        let options = LayOptions {
            n_steps: Some(self.n_steps),
            turn: self.turn.to_radians(),
            direction: self.direction.to_radians(),
            terrain: self.ground.as_ref(),
            ..LayOptions::default()
        };
        let plan = lay_steps(figure.rig.proportions(), &settings, &options).unwrap();
        let follow = GaitOptions { settings, frame_rate: FRAME_RATE, standing: 0.5 };
        Seen::of(figure.follow(&plan, self.ground.as_ref(), &follow).unwrap())
    }
}

fn world(take: &Take, frame: usize) -> WorldPose {
    WorldPose::new(&take.clip.skeleton, take.clip.pose(frame))
}

fn smoothed(points: &[Vec3]) -> Vec<Vec3> {
    let sigma = LN_2.sqrt() / (2.0 * PI * 10.0) * FRAME_RATE;
    let half = (4.0 * sigma).ceil() as isize;
    let weight = |offset: isize| (-0.5 * (offset as f64 / sigma).powi(2)).exp();
    let total: f64 = (-half..=half).map(weight).sum();
    let at = |index: isize| points[index.clamp(0, points.len() as isize - 1) as usize];
    (0..points.len() as isize)
        .map(|n| (-half..=half).map(|offset| at(n + offset) * weight(offset)).sum::<Vec3>() / total)
        .collect()
}

impl Seen {
    fn of(take: Take) -> Seen {
        let mut planted = vec![false; take.clip.n_frames()];
        for plant in take.contacts.plants.iter().flat_map(|(_, plants)| plants) {
            planted[plant.frames.clone()].fill(true);
        }
        let pelvis: Vec<Vec3> =
            (0..planted.len()).map(|frame| world(&take, frame).position(take.body.pelvis)).collect();
        let smooth = smoothed(&pelvis);
        Seen { take, planted, pelvis, smooth }
    }

    /// Largest change of a knee's rate within a frame, in degrees a second.
    fn knee_snap(&self) -> f64 {
        let of = |side: Side| {
            let flexion: Vec<f64> = (0..self.planted.len()).map(|frame| self.flexion(side, frame)).collect();
            let changes = flexion.windows(3).map(|at| (at[2] - 2.0 * at[1] + at[0]).abs() * FRAME_RATE);
            changes.fold(0.0, f64::max)
        };
        of(Side::Left).max(of(Side::Right))
    }

    fn velocity(&self, frame: usize) -> Vec3 {
        (self.smooth[frame + 1] - self.smooth[frame - 1]) * (0.5 * FRAME_RATE)
    }

    /// Fastest fall on a planted foot, in g.
    fn fall(&self) -> f64 {
        let acceleration = |frame: usize| (self.velocity(frame + 1) - self.velocity(frame - 1)).y * 0.5 * FRAME_RATE;
        let frames = (2..self.planted.len() - 2).filter(|&frame| self.planted[frame]);
        frames.map(|frame| -acceleration(frame) / GRAVITY).fold(0.0, f64::max)
    }

    fn burst(&self) -> f64 {
        let lag = (0.05 * FRAME_RATE).round() as usize;
        let level = |v: Vec3| Vec3::new(v.x, 0.0, v.z);
        let frames = 1..self.smooth.len() - 1 - lag;
        frames.map(|frame| level(self.velocity(frame + lag) - self.velocity(frame)).length()).fold(0.0, f64::max)
    }

    /// Frames at which a foot lands, and at which it was planted last.
    fn stances(&self, side: Side) -> Vec<(usize, usize)> {
        let mut mask = vec![false; self.planted.len()];
        for plant in &self.take.contacts.plants[side] {
            mask[plant.frames.clone()].fill(true);
        }
        let starts: Vec<usize> = (1..mask.len()).filter(|&frame| mask[frame] && !mask[frame - 1]).collect();
        let end = |start: usize| (start..mask.len()).find(|&frame| !mask[frame]).unwrap_or(mask.len()) - 1;
        starts.into_iter().map(|start| (start, end(start))).collect()
    }

    fn flexion(&self, side: Side, frame: usize) -> f64 {
        let (at, leg) = (world(&self.take, frame), &self.take.body.legs[side]);
        let (thigh, shin) =
            (at.position(leg.knee) - at.position(leg.hip), at.position(leg.ankle) - at.position(leg.knee));
        thigh.angle_between(shin).to_degrees()
    }
}

fn all_courses() -> Vec<Course> {
    let walks = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0].map(walk);
    let runs = [5.0, 7.0, 9.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0, 22.0, 24.0, 25.0].map(run);
    let turns = [
        (Gait::Walk, 5.0, 40.0),
        (Gait::Walk, 4.0, -30.0),
        (Gait::Run, 9.0, 30.0),
        (Gait::Run, 12.0, -20.0),
        (Gait::Run, 16.0, 10.0),
        // As tight as steps may be, where runs get shorter for it.
        (Gait::Walk, 3.0, 60.0),
        (Gait::Run, 8.0, 60.0),
        (Gait::Run, 12.0, 45.0),
        (Gait::Run, 16.0, 30.0),
    ];
    let turns = turns.map(|(gait, kmh, turn)| Course { gait, turn, ..walk(kmh) });
    walks.into_iter().chain(runs).chain(turns).collect()
}

/// Slopes, stairs and single kerbs, up and down, from start to stop.
fn uneven_courses() -> Vec<Course> {
    let mut all = Vec::new();
    for degrees in [5.0, 10.0, -5.0, -10.0] {
        for mut course in [walk(3.0), walk(5.0), run(9.0), run(12.0)] {
            (course.n_steps, course.ground) = (18, Some(slope(degrees)));
            all.push(course);
        }
    }
    for kmh in [7.0, 9.0] {
        for (tread, rise) in [(0.32, 0.15), (0.28, 0.17), (0.32, -0.15), (0.28, -0.17)] {
            all.push(Course { n_steps: 14, ground: Some(stairs(1.2, tread, rise, 8)), ..run(kmh) });
        }
    }
    for kmh in [2.5, 4.0, 5.0] {
        for (tread, rise) in [(0.32, 0.15), (0.28, 0.17), (0.32, -0.15), (0.28, -0.17)] {
            all.push(Course { n_steps: 14, ground: Some(stairs(1.2, tread, rise, 8)), ..walk(kmh) });
        }
        for rise in [0.1, 0.17, -0.1, -0.17] {
            all.push(Course { n_steps: 10, ground: Some(stairs(2.2, 2.0, rise, 1)), ..walk(kmh) });
        }
    }
    all
}

/// Fails with all courses on which a planted foot pulls or a speed changes in a burst.
#[track_caller]
fn check_physics(courses: Vec<Course>) {
    let mut broken = Vec::new();
    for course in courses {
        let seen = course.take();
        let (fall, burst) = (seen.fall(), seen.burst());
        let Course { gait, kmh, turn, n_steps, ground, .. } = &course;
        let ground = ground.as_ref().map_or(String::new(), |ground| format!(" on {:?}", ground.to_shape()));
        let line = format!("{gait} {kmh} km/h, turn {turn}, {n_steps} steps{ground}: {fall:.2} g, {burst:.2} m/s");
        println!("{line}");
        if fall > MAX_FALL || burst > MAX_BURST {
            broken.push(line);
        }
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn no_planted_foot_pulls_and_no_speed_changes_in_bursts() {
    check_physics(all_courses());
}

#[test]
fn nor_in_a_few_steps_from_start_to_stop() {
    let short = |course: Course, n_steps: usize| Course { n_steps, ..course };
    let walks = [3.0, 5.0, 7.0].into_iter().flat_map(|kmh| [1, 2, 3, 5].map(|n_steps| short(walk(kmh), n_steps)));
    let runs = [9.0, 14.0].into_iter().flat_map(|kmh| [4, 6, 9].map(|n_steps| short(run(kmh), n_steps)));
    check_physics(walks.chain(runs).collect());
}

#[test]
fn nor_on_slopes_stairs_and_kerbs() {
    check_physics(uneven_courses());
}

#[test]
fn feet_and_shins_pass_each_other_at_a_distance_also_in_turns() {
    let turns = [(5.0, 20.0), (5.0, 40.0), (4.0, -30.0), (3.0, 60.0)].map(|(kmh, turn)| Course { turn, ..walk(kmh) });
    let runs = [(9.0, 0.0), (9.0, 30.0), (12.0, -20.0), (16.0, 30.0)].map(|(kmh, turn)| Course { turn, ..run(kmh) });
    for course in turns.into_iter().chain(runs) {
        let seen = Course { n_steps: 14, ..course }.take();
        let nearest = (0..seen.planted.len()).map(|frame| ankles_apart(&seen, frame)).fold(f64::INFINITY, f64::min);
        assert!(nearest > 0.05, "{} {} km/h, turn {}: {nearest:.3} m", course.gait, course.kmh, course.turn);
    }
}

#[test]
fn knees_of_runs_up_stairs_are_no_rougher_than_on_the_level() {
    for (kmh, rise) in [(7.0, 0.15), (9.0, 0.15), (9.0, 0.17)] {
        let seen = Course { n_steps: 14, ground: Some(stairs(1.2, 0.32, rise, 8)), ..run(kmh) }.take();
        let mut found: Vec<f64> = Vec::new();
        for side in Side::BOTH {
            let flexion: Vec<f64> = (0..seen.planted.len()).map(|frame| seen.flexion(side, frame)).collect();
            let change = |at: &[f64]| (at[2] - 2.0 * at[1] + at[0]).abs() * FRAME_RATE * FRAME_RATE;
            found.extend(flexion.windows(3).map(change));
        }
        found.sort_by(f64::total_cmp);
        let p99 = found[found.len() * 99 / 100];
        assert!(p99 < 26_000.0, "{kmh} km/h up {rise} m: {p99:.0} deg/s2");
    }
}

#[test]
fn legs_of_runs_on_stairs_neither_snap_nor_kick() {
    // Down stairs thighs went up to 60 degrees behind, knees changed their rate by 60,000 degrees a second within a frame; up, feet jumped by 18 cm.
    for (kmh, tread, rise) in
        [(7.0, 0.32, -0.15), (9.0, 0.32, -0.15), (8.0, 0.28, -0.17), (9.0, 0.28, -0.17), (9.0, 0.32, 0.15)]
    {
        let seen = Course { n_steps: 14, ground: Some(stairs(1.2, tread, rise, 8)), ..run(kmh) }.take();
        let snap = seen.knee_snap();
        assert!(snap < 800.0, "{kmh} km/h, {rise} m: a knee changes its rate by {snap:.0} deg/s in a frame");
        for side in Side::BOTH {
            let leg = &seen.take.body.legs[side];
            let behind = |frame: usize| {
                let at = world(&seen.take, frame);
                let thigh = at.position(leg.knee) - at.position(leg.hip);
                -thigh.z.atan2(-thigh.y).to_degrees()
            };
            let most = (0..seen.planted.len()).map(behind).fold(f64::NEG_INFINITY, f64::max);
            assert!(most < 35.0, "{kmh} km/h, {rise} m: the {side:?} thigh is {most:.0} degrees behind");
        }
    }
}

#[test]
fn feet_of_a_run_that_begins_do_not_jump() {
    // The residual of the first trailing leg jumped by 16 mm in a frame, as its other foot landed.
    for kmh in [7.0, 9.0, 12.0] {
        let seen = Course { n_steps: 8, ..run(kmh) }.take();
        for side in Side::BOTH {
            let leg = &seen.take.body.legs[side];
            let ankle = |frame: usize| world(&seen.take, frame).position(leg.ankle);
            for frame in 1..(1.9 * FRAME_RATE) as usize {
                let change = (ankle(frame + 1) - 2.0 * ankle(frame) + ankle(frame - 1)).length() * FRAME_RATE;
                assert!(
                    change < MOST_ANKLE,
                    "{kmh} km/h: the {side:?} ankle changes by {change:.2} m/s in frame {frame}"
                );
            }
        }
    }
}

/// How far the ankle of each foot is from the other foot, from ankle to ball, over the ground.
fn ankles_apart(seen: &Seen, frame: usize) -> f64 {
    let at = world(&seen.take, frame);
    let level = |v: Vec3| Vec3::new(v.x, 0.0, v.z);
    let of = |side: Side| {
        let leg = &seen.take.body.legs[side];
        (level(at.position(leg.ankle)), level(at[leg.ankle].transform_point(leg.foot.ball)))
    };
    let apart = |point: Vec3, (from, to): (Vec3, Vec3)| {
        let share = ((point - from).dot(to - from) / (to - from).length_squared().max(1e-9)).clamp(0.0, 1.0);
        point.distance(from + (to - from) * share)
    };
    apart(of(Side::Left).0, of(Side::Right)).min(apart(of(Side::Right).0, of(Side::Left)))
}

#[test]
fn steps_to_any_side_fall_no_faster() {
    for direction in [20.0, 45.0, 90.0, -90.0, 135.0, 180.0] {
        for kmh in [2.0, 4.0, 6.0] {
            let seen = Course { direction, ..walk(kmh) }.take();
            let (fall, burst) = (seen.fall(), seen.burst());
            assert!(fall <= MAX_FALL && burst <= MAX_BURST, "{kmh} km/h to {direction}: {fall:.2} g, {burst:.2} m/s");
        }
    }
}

#[test]
fn knees_do_not_snap_as_a_foot_leaves_backward() {
    // Legs were pulled straight by the body that went away from them, and snapped by 1,900 deg/s as their feet left.
    for (kmh, direction) in [(4.0, 180.0), (5.0, 180.0), (4.0, 135.0), (5.0, 135.0), (4.0, 90.0)] {
        let snap = Course { direction, n_steps: 16, ..walk(kmh) }.take().knee_snap();
        assert!(snap < 500.0, "{kmh} km/h to {direction}: {snap:.0} deg/s in a frame");
    }
}

#[test]
fn nor_where_walks_become_runs_and_runs_become_walks() {
    let figure = Figure::new(HEIGHT);
    for points in [[(0.0, 4.0), (5.0, 12.0), (10.0, 4.0)], [(0.0, 5.0), (3.0, 9.0), (6.0, 5.0)]] {
        let speed = Schedule::new(points.map(|(time, kmh)| (time, kmh / 3.6)).to_vec()).unwrap();
        let schedule = GaitSchedule { speed: Some(speed), ..GaitSchedule::of_style(Style::natural(Gait::Walk)) };
        let settings = |_: usize, time: f64, before: Option<Gait>| schedule.at(time, before, HEIGHT).unwrap();
        let pace = Pace { settings: &settings, standing: 0.5, until: Some(schedule.last_time()) };
        let laid = lay_paced_steps(figure.rig.proportions(), &pace, &LayOptions::default()).unwrap();
        let options = GaitOptions { settings: laid.settings[0], frame_rate: FRAME_RATE, standing: 0.5 };
        let synthesizer = figure.synthesizer(&options).with_steps(laid.settings);
        let seen = Seen::of(synthesize_take(&synthesizer, &Arc::default(), &laid.plan, "gait").unwrap().take);
        assert!(seen.planted.iter().any(|planted| !planted), "{points:?}: no flight");
        let (fall, burst) = (seen.fall(), seen.burst());
        assert!(fall <= MAX_FALL && burst <= MAX_BURST, "{points:?}: {fall:.2} g, {burst:.2} m/s");
    }
}

#[test]
fn nor_around_corners_of_paths() {
    let figure = Figure::new(HEIGHT);
    let corners: [&[[f64; 2]]; 3] = [
        &[[0.0, 0.0], [0.0, 4.0], [3.0, 7.0]],
        &[[0.0, 0.0], [0.0, 4.0], [-3.0, 7.0], [-3.0, 11.0]],
        &[[0.0, 0.0], [0.0, 4.0], [4.0, 4.0], [4.0, 8.0]],
    ];
    for (number, points) in corners.into_iter().enumerate() {
        let path = Path { points: points.iter().map(|&[x, z]| Vec2::new(x, z)).collect() };
        for course in [walk(3.0), walk(5.0), run(9.0), run(12.0)] {
            let settings = course.settings();
            let options = LayOptions { path: Some(&path), ..LayOptions::default() };
            let plan = lay_steps(figure.rig.proportions(), &settings, &options).unwrap();
            let follow = GaitOptions { settings, frame_rate: FRAME_RATE, standing: 0.5 };
            let seen = Seen::of(figure.follow(&plan, None, &follow).unwrap());
            let (fall, burst) = (seen.fall(), seen.burst());
            // A run at 12 km/h around 90 degrees: docs/GAIT.md.
            let most = if number == 2 && course.kmh > 10.0 { 1.15 } else { MAX_BURST };
            let name = format!("{} {} km/h on path {number}", course.gait, course.kmh);
            assert!(fall <= MAX_FALL && burst <= most, "{name}: {fall:.2} g, {burst:.2} m/s");
        }
    }
}

#[test]
fn flights_fall_freely() {
    for kmh in [7.0, 9.0, 12.0, 16.0, 25.0] {
        let seen = run(kmh).take();
        let mut n_flown = 0;
        for frame in 2..seen.planted.len() - 2 {
            if (frame - 2..=frame + 2).any(|near| seen.planted[near]) {
                continue;
            }
            let [before, now, after] = [frame - 1, frame, frame + 1].map(|at| seen.pelvis[at].y);
            let fall = (2.0 * now - before - after) * FRAME_RATE * FRAME_RATE;
            assert!((fall - GRAVITY).abs() < 1e-6, "{kmh} km/h: {fall} m/s2 in frame {frame}");
            n_flown += 1;
        }
        assert!(n_flown > 40, "{kmh} km/h: {n_flown} frames");
    }
}

#[test]
fn a_walk_at_5_km_h_bobs_as_people_do() {
    let seen = walk(5.0).take();
    let landings: Vec<usize> = seen.stances(Side::Left).iter().map(|(start, _)| *start).collect();
    for stride in landings[1..landings.len() - 2].windows(2) {
        let heights = || seen.pelvis[stride[0]..=stride[1]].iter().map(|place| place.y);
        let bob = heights().fold(f64::NEG_INFINITY, f64::max) - heights().fold(f64::INFINITY, f64::min);
        assert!((0.03..=0.05).contains(&bob), "{bob} m");
    }
}

#[test]
fn knees_of_walks_keep_their_rate_through_a_landing() {
    // Of 900 deg/s within a frame at a sixtieth of a second, before.
    for kmh in [3.0, 4.0, 5.0, 6.0] {
        let seen = walk(kmh).take();
        for side in Side::BOTH {
            for (landing, _) in seen.stances(side) {
                let at = |frame: usize| seen.flexion(side, frame);
                let rate = |frame: usize| (at(frame + 1) - at(frame)) * FRAME_RATE;
                let change = (rate(landing) - rate(landing - 2)).abs();
                assert!(
                    change < 350.0,
                    "{kmh} km/h: the {side:?} knee changes by {change:.0} deg/s in frame {landing}"
                );
            }
        }
    }
}

#[test]
fn thighs_of_runs_are_behind_the_vertical_at_toe_off() {
    for kmh in [8.0, 9.0, 10.0, 11.0, 12.0] {
        let seen = run(kmh).take();
        let mut angles: Vec<f64> = Vec::new();
        for side in Side::BOTH {
            let leg = &seen.take.body.legs[side];
            for (_, last) in seen.stances(side) {
                let at = world(&seen.take, last);
                let thigh = at.position(leg.knee) - at.position(leg.hip);
                angles.push(thigh.z.atan2(-thigh.y).to_degrees());
            }
        }
        angles.sort_by(f64::total_cmp);
        let median = angles[angles.len() / 2];
        assert!((-30.0..=-10.0).contains(&median), "{kmh} km/h: {median:.1} degrees");
    }
}

/// How far the head is to the left of the pelvis, as an angle, over some frames.
fn side_lean(seen: &Seen, head: JointId, frames: std::ops::Range<usize>) -> f64 {
    let n = frames.len() as f64;
    let lean = |frame: usize| {
        let at = world(&seen.take, frame);
        let (velocity, trunk) = (seen.velocity(frame), at.position(head) - at.position(seen.take.body.pelvis));
        let left = Vec3::new(velocity.z, 0.0, -velocity.x).normalize();
        trunk.dot(left).atan2(trunk.y)
    };
    frames.map(lean).sum::<f64>() / n
}

#[test]
fn runs_lean_into_turns_about_as_far_as_balance_asks() {
    for (kmh, turn) in [(9.0, 30.0), (12.0, 20.0), (12.0, -20.0), (16.0, 10.0)] {
        let seen = Course { turn, ..run(kmh) }.take();
        let head = seen.take.body.head.unwrap();
        let landings = seen.stances(Side::Left);
        let (first, last) = (landings[landings.len() / 2 - 1].0, landings[landings.len() / 2].0);
        let turned = {
            let (a, b) = (seen.velocity(first), seen.velocity(last));
            (a.z * b.x - a.x * b.z).atan2(a.x * b.x + a.z * b.z)
        };
        let speed = (first..last).map(|frame| seen.velocity(frame).length()).sum::<f64>() / (last - first) as f64;
        let balanced = (speed * turned * FRAME_RATE / (last - first) as f64 / GRAVITY).atan();
        let share = side_lean(&seen, head, first..last) / balanced;
        assert!(
            (0.6..=1.3).contains(&share),
            "{kmh} km/h, turn {turn}: {share:.2} of {:.1} degrees",
            balanced.to_degrees()
        );
    }
}

#[test]
fn a_start_leans_forward() {
    for kmh in [9.0, 14.0] {
        let seen = run(kmh).take();
        let head = seen.take.body.head.unwrap();
        let lean = |frame: usize| {
            let at = world(&seen.take, frame);
            let trunk = at.position(head) - at.position(seen.take.body.pelvis);
            trunk.z.atan2(trunk.y).to_degrees()
        };
        let (landing, _) = seen.stances(Side::Left)[0];
        let most = (landing / 2..landing).map(lean).fold(0.0, f64::max);
        assert!(most > lean(1) + 5.0, "{kmh} km/h: {most:.1} degrees, standing {:.1}", lean(1));
    }
}
