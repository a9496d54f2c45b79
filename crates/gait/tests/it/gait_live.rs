//! A live gait whose every slider moves at random keeps every promise, and never jumps.

use crate::gait_checks::{Figure, Seen, Watch, Worst, random_direction, random_settings};
use std::f64::consts::PI;
use surefoot_gait::{Control, Gait, GaitSettings, LiveGait, WalkParameters};
use surefoot_geom::{Random, Vec3};
use surefoot_ground::Terrain;

const FRAME_RATE: f64 = 120.0;

/// What no joint is faster than, in metres a second: the toes of the natural sprint at 36 km/h reach 35.
const MAX_SPEED: f64 = 60.0;
/// What pushes a person who changes a natural gait, in metres per second squared: runners who land and turn have 3 to 4 g, and a jump
/// of a centimetre in one frame has 144.
const MAX_ACCELERATION: f64 = 200.0;

/// A joint that was somewhere else at once.
fn jumped(seen: &Seen) -> Option<String> {
    let Worst { value, frame, place } = &seen.speed;
    (*value > MAX_SPEED).then(|| format!("{place} at {value:.0} m/s in frame {frame}"))
}

/// What the sliders do in a test.
#[derive(Clone, Copy, PartialEq)]
enum Sliders {
    /// Natural gaits that start, stop, turn and change into each other.
    Natural,
    /// All that there is, within its range.
    All,
}

fn play(seed: u64, seconds: f64, sliders: Sliders, terrain: Option<&Terrain>) -> Result<(), String> {
    let random = &mut Random::new(seed);
    let height = random.range(1.2, 2.1);
    let figure = Figure::new(height);
    let mut control =
        Control { settings: GaitSettings::natural(Gait::Walk, height), go: false, turn: 0.0, direction: 0.0 };
    let mut live = LiveGait::new(figure.rig.clone(), control, Vec3::ZERO, 0.0, terrain.cloned());
    let mut watch = Watch::new(&figure, terrain, FRAME_RATE);
    let mut pose = figure.rig.rest_pose().clone();
    let n_frames = (seconds * FRAME_RATE) as usize;
    for _ in 0..n_frames {
        if random.chance(0.6 / FRAME_RATE) {
            match random.index(5) {
                0 if sliders == Sliders::All => control.settings = random_settings(random, height),
                0 | 1 => control.settings.gait = if random.chance(0.5) { Gait::Walk } else { Gait::Run },
                2 => control.go = random.chance(0.75),
                3 => control.turn = random.range(-0.5, 0.5),
                _ if sliders == Sliders::All => control.direction = random_direction(random),
                _ => control.turn = 0.0,
            }
            live.set_control(control);
        }
        live.advance(1.0 / FRAME_RATE);
        let down = live.pose(&mut pose);
        watch.live(pose.view(), down);
    }
    let seen = &watch.seen;
    println!("seed {seed}: {}", seen.row());
    let mut broken = seen.broken();
    broken.extend(jumped(seen));
    if broken.is_empty() { Ok(()) } else { Err(format!("seed {seed}: {}", broken.join("; "))) }
}

fn check(seeds: std::ops::Range<u64>, seconds: f64, sliders: Sliders, terrain: Option<&Terrain>) {
    let broken: Vec<String> = seeds.filter_map(|seed| play(seed, seconds, sliders, terrain).err()).collect();
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn natural_gaits_start_stop_turn_and_change() {
    check(0..20, 60.0, Sliders::Natural, None);
}

#[test]
fn all_sliders_move_at_random() {
    check(100..140, 60.0, Sliders::All, None);
}

#[test]
fn slopes_are_walked_live() {
    let angle = 10.0_f64.to_radians();
    let terrain = Terrain::plane(Vec3::ZERO, Vec3::new(0.0, angle.cos(), -angle.sin())).unwrap();
    check(200..206, 30.0, Sliders::Natural, Some(&terrain));
}

#[test]
fn who_shall_stand_comes_to_rest_and_stays() {
    for gait in [Gait::Walk, Gait::Run] {
        let figure = Figure::new(1.75);
        let mut control = Control { settings: GaitSettings::natural(gait, 1.75), go: true, turn: 0.1, direction: 0.0 };
        let mut live = LiveGait::new(figure.rig.clone(), control, Vec3::ZERO, 0.0, None);
        let mut pose = figure.rig.rest_pose().clone();
        live.advance(6.3);
        assert!(!live.is_standing());
        control.go = false;
        live.set_control(control);
        live.advance(6.0);
        assert!(live.is_standing(), "{gait:?}");
        live.pose(&mut pose);
        let at_rest = pose.clone();
        live.advance(3.0);
        live.pose(&mut pose);
        for (now, then) in pose.local.iter().zip(&at_rest.local) {
            assert!(now.translation.distance(then.translation) < 1e-9, "{gait:?}");
        }
        control.go = true;
        live.set_control(control);
        live.advance(2.0);
        assert!(!live.is_standing());
    }
}

/// One change after some seconds of a natural gait, at any part of a step.
fn change(name: &str, from: Gait, then: impl Fn(&mut Control), broken: &mut Vec<String>) {
    for part in 0..5 {
        let figure = Figure::new(1.8);
        let mut control = Control { settings: GaitSettings::natural(from, 1.8), go: true, turn: 0.0, direction: 0.0 };
        let mut live = LiveGait::new(figure.rig.clone(), control, Vec3::ZERO, 0.0, None);
        let mut pose = figure.rig.rest_pose().clone();
        live.advance(4.0 + 0.13 * f64::from(part));
        then(&mut control);
        live.set_control(control);
        let mut watch = Watch::new(&figure, None, FRAME_RATE);
        for _ in 0..480 {
            live.advance(1.0 / FRAME_RATE);
            let down = live.pose(&mut pose);
            watch.live(pose.view(), down);
        }
        let seen = &watch.seen;
        println!("{name:24} {part} {}", seen.row());
        broken.extend(seen.broken().into_iter().map(|what| format!("{name}, {part}: {what}")));
        broken.extend(jumped(seen).map(|what| format!("{name}, {part}: {what}")));
        let Worst { value, frame, .. } = seen.acceleration;
        if value > MAX_ACCELERATION {
            broken.push(format!("{name}, {part}: pelvis at {value:.0} m/s2 in frame {frame}"));
        }
    }
}

#[test]
fn each_change_alone_is_smooth() {
    let mut broken = Vec::new();
    let all = &mut broken;
    change("walk on", Gait::Walk, |_| (), all);
    change("run on", Gait::Run, |_| (), all);
    change("walk to run", Gait::Walk, |control| control.settings.gait = Gait::Run, all);
    change("run to walk", Gait::Run, |control| control.settings.gait = Gait::Walk, all);
    change("walk to stand", Gait::Walk, |control| control.go = false, all);
    change("run to stand", Gait::Run, |control| control.go = false, all);
    change("walk turns", Gait::Walk, |control| control.turn = 0.5, all);
    change("run turns", Gait::Run, |control| control.turn = 0.5, all);
    change("walk to the side", Gait::Walk, |control| control.direction = 0.5 * PI, all);
    change("walk backward", Gait::Walk, |control| control.direction = PI, all);
    let slow = WalkParameters::from_speed(0.6, 1.8).unwrap();
    let fast = WalkParameters::from_speed(2.2, 1.8).unwrap();
    change("walk slower", Gait::Walk, |control| control.settings.walk.parameters = slow, all);
    change("walk faster", Gait::Walk, |control| control.settings.walk.parameters = fast, all);
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn turns_and_directions_that_are_no_numbers_are_none() {
    let figure = Figure::new(1.8);
    let play = |turn: f64, direction: f64| {
        let control = Control { settings: GaitSettings::natural(Gait::Walk, 1.8), go: true, turn, direction };
        let mut live = LiveGait::new(figure.rig.clone(), control, Vec3::ZERO, 0.0, None);
        live.advance(3.0);
        live.place()
    };
    let straight = play(0.0, 0.0);
    for none in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(play(none, 0.0), straight, "turn {none}");
        assert_eq!(play(0.0, none), straight, "direction {none}");
    }
}
