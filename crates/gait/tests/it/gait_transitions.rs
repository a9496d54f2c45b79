//! Plans that change: from walk to run and back, round corners, sideways, backward, up and down.

use crate::gait_checks::{Figure, Watch};
use std::f64::consts::PI;
use surefoot_contact::{FootPlan, Footprint};
use surefoot_gait::{Gait, GaitOptions, GaitSettings, LayOptions, lay_steps};
use surefoot_geom::{Random, Vec2, Vec3, heading_direction};
use surefoot_ground::{Stairs, Terrain};
use surefoot_motion::Side;

const FRAME_RATE: f64 = 120.0;

/// Follows a plan and says what is wrong with the motion.
fn follow(name: &str, figure: &Figure, gait: Gait, plan: &FootPlan, terrain: Option<&Terrain>) -> Result<(), String> {
    let settings = GaitSettings::natural(gait, figure.rig.proportions().height);
    let options = GaitOptions { settings, frame_rate: FRAME_RATE, standing: 0.2 };
    let take = figure.follow(plan, terrain, &options).map_err(|error| format!("{name}: {error}"))?;
    let seen = Watch::take(figure, terrain, &take);
    println!("{name:44} {}", seen.row());
    if seen.broken().is_empty() { Ok(()) } else { Err(format!("{name}: {}", seen.broken().join("; "))) }
}

/// Footprints one after the other, each with the offset, the turn and whether a flight follows.
struct Walker {
    position: Vec3,
    heading: f64,
    side: Side,
    plan: FootPlan,
}

impl Walker {
    fn new() -> Walker {
        let mut walker =
            Walker { position: Vec3::ZERO, heading: 0.0, side: Side::Left, plan: FootPlan { footprints: Vec::new() } };
        walker.print(None);
        walker.print(None);
        walker
    }

    fn print(&mut self, support: Option<f64>) {
        let sign = if self.side == Side::Left { 1.0 } else { -1.0 };
        let position = self.position + heading_direction(self.heading + 0.5 * PI) * (0.06 * sign);
        let heading = Some(self.heading);
        self.plan.footprints.push(Footprint { heading, support, ..Footprint::at(self.side, position) });
        self.side = self.side.opposite();
    }

    fn step(&mut self, length: f64, turn: f64, support: Option<f64>) {
        self.heading += turn;
        self.position += heading_direction(self.heading - 0.5 * turn) * length;
        self.print(support);
    }
}

#[test]
fn walks_and_runs_turn_into_each_other() {
    let figure = Figure::new(1.8);
    let mut broken = Vec::new();
    let mut random = Random::new(7);
    for case in 0..150 {
        let mut walker = Walker::new();
        let mut length: f64 = 0.5;
        for _ in 0..12 {
            let runs = random.chance(0.5);
            // No one is a runner at once.
            let target = if runs { random.range(0.7, 1.4) } else { random.range(0.4, 0.8) };
            length += (target - length).clamp(-0.3, 0.3);
            let turn = if random.chance(0.3) { random.range(-0.4, 0.4) } else { 0.0 };
            walker.step(length, turn, Some(if runs { 0.0 } else { 0.12 }));
        }
        walker.step(0.3, 0.0, None);
        broken.extend(follow(&format!("mixed {case}"), &figure, Gait::Walk, &walker.plan, None).err());
    }
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn plans_without_times_are_followed() {
    let figure = Figure::new(1.7);
    let mut broken = Vec::new();
    for gait in [Gait::Walk, Gait::Run] {
        for length in [0.2, 0.4, 0.6, 0.8, 1.0] {
            let mut walker = Walker::new();
            for step in 0..6 {
                walker.step(length * [0.6, 0.8, 1.0, 1.0, 0.8, 0.5][step], 0.0, None);
            }
            broken.extend(follow(&format!("{gait:?} {length} m"), &figure, gait, &walker.plan, None).err());
        }
        for degrees in [-60.0_f64, -30.0, 30.0, 60.0] {
            let mut walker = Walker::new();
            for step in 0..8 {
                walker.step(0.5, if step % 3 == 2 { degrees.to_radians() } else { 0.0 }, None);
            }
            broken.extend(follow(&format!("{gait:?} corners of {degrees}"), &figure, gait, &walker.plan, None).err());
        }
    }
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn one_step_and_no_step_are_plans() {
    let figure = Figure::new(1.8);
    let mut broken = Vec::new();
    let none = follow("no steps", &figure, Gait::Walk, &Walker::new().plan, None);
    assert!(none.is_err_and(|error| error.contains("at least three footprints")));
    for n_steps in [1, 2, 3] {
        let mut walker = Walker::new();
        for _ in 0..n_steps {
            walker.step(0.5, 0.0, None);
        }
        broken.extend(follow(&format!("{n_steps} steps"), &figure, Gait::Walk, &walker.plan, None).err());
    }
    // On the spot, and turning on it.
    for turn in [0.0, 0.5, 1.0] {
        let mut walker = Walker::new();
        for _ in 0..6 {
            walker.step(0.0, turn, None);
        }
        broken.extend(follow(&format!("on the spot, turning {turn}"), &figure, Gait::Walk, &walker.plan, None).err());
    }
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn walks_go_sideways_and_backward() {
    let figure = Figure::new(1.8);
    let mut broken = Vec::new();
    for degrees in [0.0_f64, 45.0, 90.0, 135.0, 180.0, -45.0, -90.0, -135.0] {
        for length in [0.15, 0.25, 0.35] {
            for first in Side::BOTH {
                let mut settings = GaitSettings::natural(Gait::Walk, 1.8);
                settings.walk.parameters.step_length = length;
                let options =
                    LayOptions { direction: degrees.to_radians(), n_steps: Some(6), first, ..LayOptions::default() };
                let plan = lay_steps(figure.rig.proportions(), &settings, &options).expect("a plan");
                let name = format!("toward {degrees}, {length} m, {first:?} first");
                broken.extend(follow(&name, &figure, Gait::Walk, &plan, None).err());
            }
        }
    }
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn stairs_and_slopes_are_walked() {
    let mut broken = Vec::new();
    for height in [1.6, 1.8, 2.0] {
        let figure = Figure::new(height);
        for (rise, tread) in
            [(0.15, 0.32), (0.17, 0.3), (0.17, 0.28), (0.2, 0.28), (-0.15, 0.32), (-0.17, 0.3), (-0.2, 0.28)]
        {
            let start = Vec2::new(0.0, 0.45);
            let stairs = Stairs { start, tread, rise, n_steps: 6, ..Stairs::default() };
            let terrain = Terrain::stairs(stairs).unwrap();
            let mut settings = GaitSettings::natural(Gait::Walk, height);
            settings.walk.parameters.step_length = tread;
            let options = LayOptions { n_steps: Some(11), terrain: Some(&terrain), ..LayOptions::default() };
            let plan = lay_steps(figure.rig.proportions(), &settings, &options).expect("a plan");
            let name = format!("{height} m, stairs {rise} / {tread}");
            broken.extend(follow(&name, &figure, Gait::Walk, &plan, Some(&terrain)).err());
        }
        for degrees in [-15.0_f64, -8.0, 8.0, 15.0] {
            for (gait, turn) in [(Gait::Walk, 0.0), (Gait::Walk, 0.3), (Gait::Run, 0.0)] {
                let angle = degrees.to_radians();
                let terrain = Terrain::plane(Vec3::ZERO, Vec3::new(0.0, angle.cos(), -angle.sin())).unwrap();
                let settings = GaitSettings::natural(gait, height);
                let options = LayOptions { n_steps: Some(8), turn, terrain: Some(&terrain), ..LayOptions::default() };
                let plan = lay_steps(figure.rig.proportions(), &settings, &options).expect("a plan");
                let name = format!("{height} m, {gait:?} up {degrees}, turn {turn}");
                broken.extend(follow(&name, &figure, gait, &plan, Some(&terrain)).err());
            }
        }
    }
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
}

/// Furthest that a joint turns in a frame of a sixtieth of a second on stairs, in degrees.
const MOST_TURN: f64 = 20.0;

#[test]
fn no_joint_snaps_on_stairs() {
    let mut broken = Vec::new();
    for height in [1.6, 1.8, 2.0] {
        let figure = Figure::new(height);
        for (rise, tread) in [(0.17, 0.28), (0.17, 0.4), (0.15, 0.3), (-0.17, 0.28), (-0.17, 0.4), (-0.15, 0.3)] {
            for (pace, length) in [("natural", None), ("a tread a step", Some(tread))] {
                for start in [0.45, 0.55, 0.65] {
                    let stairs = Stairs { start: Vec2::new(0.0, start), tread, rise, n_steps: 6, ..Stairs::default() };
                    let terrain = Terrain::stairs(stairs).unwrap();
                    let mut settings = GaitSettings::natural(Gait::Walk, height);
                    settings.walk.parameters.step_length = length.unwrap_or(settings.walk.parameters.step_length);
                    let options = LayOptions { n_steps: Some(12), terrain: Some(&terrain), ..LayOptions::default() };
                    let plan = lay_steps(figure.rig.proportions(), &settings, &options).expect("a plan");
                    let follow = GaitOptions { settings, frame_rate: 60.0, standing: 0.2 };
                    let take = figure.follow(&plan, Some(&terrain), &follow).unwrap();
                    let seen = Watch::take(&figure, Some(&terrain), &take);
                    let name = format!("{height} m, stairs {rise} / {tread} at {start}, {pace}");
                    println!("{name:55} {:5.1} {}", seen.spin.value / 60.0, seen.row());
                    let turn = seen.spin.value / 60.0;
                    if turn > MOST_TURN || !seen.broken().is_empty() {
                        let spin = &seen.spin;
                        broken.push(format!("{name}: {} turns {turn:.1} degrees in frame {}", spin.place, spin.frame));
                        broken.extend(seen.broken());
                    }
                }
            }
        }
    }
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
}
