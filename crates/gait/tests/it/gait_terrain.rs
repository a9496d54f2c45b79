//! Gait over stairs, slopes and rough ground: no point of a foot is in the ground.

use crate::gait_checks::Figure;
use std::sync::Arc;
use surefoot_gait::{Gait, GaitOptions, GaitSettings, LayOptions, lay_steps};
use surefoot_geom::{Random, Vec2, Vec3};
use surefoot_ground::{Stairs, Terrain};
use surefoot_plan::{World, synthesize};

/// Deepest that a heel, ball or toe tip is under the ground, in metres.
const DEEPEST: f64 = 0.002;

fn slope(degrees: f64, toward: f64) -> Terrain {
    let tilt = degrees.to_radians().tan();
    // Rises toward a heading.
    let up = surefoot_geom::heading_direction(toward) * -tilt + Vec3::Y;
    Terrain::plane(Vec3::ZERO, up.normalize()).unwrap()
}

fn rough(height: f64, seed: u64) -> Terrain {
    let mut random = Random::new(seed);
    let heights = (0..40 * 80).map(|_| random.range(-height, height)).collect();
    Terrain::height_field(Vec2::new(-4.0, -2.0), 0.2, 40, 80, heights).unwrap()
}

fn flight(rise: f64, start: f64) -> Terrain {
    let stairs = Stairs { start: Vec2::new(0.0, start), tread: 0.28, rise, n_steps: 6, ..Stairs::default() };
    Terrain::stairs(stairs).unwrap()
}

#[test]
fn no_foot_is_in_the_ground() {
    let mut grounds = Vec::new();
    for start in [0.45, 0.5, 0.6, 0.7] {
        grounds.push((format!("stairs up at {start}"), flight(0.17, start)));
        grounds.push((format!("stairs down at {start}"), flight(-0.17, start)));
    }
    for degrees in [10.0, 15.0] {
        for (name, toward) in [("up", 0.0), ("down", std::f64::consts::PI), ("across", 1.57), ("aslant", 0.8)] {
            grounds.push((format!("slope of {degrees} {name}"), slope(degrees, toward)));
        }
    }
    for seed in 0..4 {
        grounds.push((format!("rough ground {seed}"), rough(0.03, seed)));
    }
    let mut broken = Vec::new();
    for gait in [Gait::Walk, Gait::Run] {
        for (name, terrain) in &grounds {
            if gait == Gait::Run && name.starts_with("stairs down") {
                continue;
            }
            for height in [1.6, 1.8] {
                let figure = Figure::new(height);
                let settings = GaitSettings::natural(gait, height);
                let lay = LayOptions { n_steps: Some(12), terrain: Some(terrain), ..LayOptions::default() };
                let plan = lay_steps(figure.rig.proportions(), &settings, &lay).expect("a plan");
                let options = GaitOptions { settings, frame_rate: 60.0, standing: 0.2 };
                let world = Arc::new(World::on(terrain.clone()));
                let what = format!("{gait:?} {height} m, {name}");
                match synthesize(&figure.synthesizer(&options), &world, &plan, "gait") {
                    Err(error) => println!("{what:40} refused: {error}"),
                    Ok(made) => {
                        let deepest = made.report.metrics.penetration.unwrap();
                        let (side, point) = deepest.place;
                        let depth = 1000.0 * deepest.value;
                        let text = format!("{what:40} {depth:6.2} mm {side:?} {point:?} frame {}", deepest.frame);
                        println!("{text} {:?}", made.report.verdict.reasons);
                        if deepest.value > DEEPEST {
                            broken.push(text);
                        }
                    }
                }
            }
        }
    }
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
}
