//! A live gait whose every slider moves at random keeps every promise, and never jumps.

mod gait_checks;

use gait_checks::{Figure, Random, Watch, random_direction, random_manner};
use surefoot_geom::Vec3;
use surefoot_ground::Terrain;
use surefoot_locomotion::gait::{Control, Gait, LiveGait, Manner};

const FRAME_RATE: f64 = 120.0;

/// What the sliders do in a test.
#[derive(Clone, Copy, PartialEq)]
enum Sliders {
    /// Natural gaits that start, stop, turn and change into each other.
    Natural,
    /// All that there is, within its range.
    All,
}

fn play(seed: u64, seconds: f64, sliders: Sliders, terrain: Option<Terrain>) -> Result<(), String> {
    let random = &mut Random(seed);
    let height = random.within(1.2, 2.1);
    let figure = Figure::new(height);
    let mut control =
        Control { manner: Manner::natural(Gait::Walk, height), go: false, turn: 0.0, direction: 0.0 };
    let mut live = LiveGait::new(figure.rig.clone(), control, Vec3::ZERO, 0.0, terrain.clone());
    let mut watch = Watch::new(&figure, terrain.as_ref(), FRAME_RATE);
    let mut pose = figure.rig.rest_pose().clone();
    let n_frames = (seconds * FRAME_RATE) as usize;
    let mut last_change = 0;
    let mut changes = Vec::new();
    for frame in 0..n_frames {
        if random.chance(0.6 / FRAME_RATE) {
            match random.below(5) {
                0 if sliders == Sliders::All => control.manner = random_manner(random, height),
                0 | 1 => control.manner.gait = if random.chance(0.5) { Gait::Walk } else { Gait::Run },
                2 => control.go = random.chance(0.75),
                3 => control.turn = random.within(-0.5, 0.5),
                _ if sliders == Sliders::All => control.direction = random_direction(random),
                _ => control.turn = 0.0,
            }
            live.set_control(control);
            last_change = frame;
            changes.push((frame, control.manner.gait, control.go));
        }
        live.advance(1.0 / FRAME_RATE);
        let down = live.pose(&mut pose);
        watch.live(&pose, down);
    }
    let seen = &watch.seen;
    let before = |frame: usize| changes.iter().rev().filter(|change| change.0 <= frame).take(3).copied().collect::<Vec<_>>();
    println!(
        "seed {seed}: turn {:.0} deg/s {} f{} | speed {:.1} | accel {:.0} f{} {:?} | jolt {:.2} {} f{} {:?} | last change f{last_change} | {}",
        seen.spin.value,
        seen.spin.place,
        seen.spin.frame,
        seen.speed.value,
        seen.acceleration.value,
        seen.acceleration.frame,
        before(seen.acceleration.frame),
        seen.jolt.value,
        seen.jolt.place,
        seen.jolt.frame,
        before(seen.jolt.frame),
        seen.broken().join("; "),
    );
    let mut broken = seen.broken();
    // No one's toes are faster than a sprinter's.
    if seen.speed.value > 30.0 {
        broken.push(format!("{} at {:.0} m/s in frame {}", seen.speed.place, seen.speed.value, seen.speed.frame));
    }
    if broken.is_empty() { Ok(()) } else { Err(format!("seed {seed}: {}", broken.join("; "))) }
}

fn check(seeds: std::ops::Range<u64>, seconds: f64, sliders: Sliders, terrain: Option<&Terrain>) {
    let broken: Vec<String> =
        seeds.filter_map(|seed| play(seed, seconds, sliders, terrain.cloned()).err()).collect();
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
        let mut control = Control { manner: Manner::natural(gait, 1.75), go: true, turn: 0.1, direction: 0.0 };
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
        let mut control = Control { manner: Manner::natural(from, 1.8), go: true, turn: 0.0, direction: 0.0 };
        let mut live = LiveGait::new(figure.rig.clone(), control, Vec3::ZERO, 0.0, None);
        let mut pose = figure.rig.rest_pose().clone();
        live.advance(4.0 + 0.13 * f64::from(part));
        then(&mut control);
        live.set_control(control);
        let mut watch = Watch::new(&figure, None, FRAME_RATE);
        for _ in 0..480 {
            live.advance(1.0 / FRAME_RATE);
            let down = live.pose(&mut pose);
            watch.live(&pose, down);
        }
        let seen = &watch.seen;
        println!(
            "{name:24} {part} turn {:6.0} {:14} f{:3} flexion {:4.0} speed {:5.1} accel {:6.0} f{:3} jolt {:6.2} {:14} f{:3} {}",
            seen.spin.value,
            seen.spin.place,
            seen.spin.frame,
            seen.flexion.value,
            seen.speed.value,
            seen.acceleration.value,
            seen.acceleration.frame,
            seen.jolt.value,
            seen.jolt.place,
            seen.jolt.frame,
            seen.broken().join("; ")
        );
        broken.extend(seen.broken().into_iter().map(|what| format!("{name}, {part}: {what}")));
        if seen.speed.value > 30.0 {
            broken.push(format!("{name}, {part}: {} at {:.0} m/s", seen.speed.place, seen.speed.value));
        }
    }
}

#[test]
fn each_change_alone_is_smooth() {
    let mut broken = Vec::new();
    let all = &mut broken;
    change("walk on", Gait::Walk, |_| (), all);
    change("run on", Gait::Run, |_| (), all);
    change("walk to run", Gait::Walk, |control| control.manner.gait = Gait::Run, all);
    change("run to walk", Gait::Run, |control| control.manner.gait = Gait::Walk, all);
    change("walk to stand", Gait::Walk, |control| control.go = false, all);
    change("run to stand", Gait::Run, |control| control.go = false, all);
    change("walk turns", Gait::Walk, |control| control.turn = 0.5, all);
    change("run turns", Gait::Run, |control| control.turn = 0.5, all);
    change("walk to the side", Gait::Walk, |control| control.direction = 1.57, all);
    change("walk backward", Gait::Walk, |control| control.direction = 3.14, all);
    let slow = surefoot_locomotion::gait::WalkParameters::from_speed(0.6, 1.8).unwrap();
    let fast = surefoot_locomotion::gait::WalkParameters::from_speed(2.2, 1.8).unwrap();
    change("walk slower", Gait::Walk, |control| control.manner.walk.parameters = slow, all);
    change("walk faster", Gait::Walk, |control| control.manner.walk.parameters = fast, all);
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
}
