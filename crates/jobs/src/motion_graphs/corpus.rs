//! A graph of walks of our own, for those who bring no recordings.
//!
//! As the paper's database (GRAPH 5.2.2): clips of one person, each with a curvature of its own, straight ahead, in curves and in
//! tight curves to both sides. Footprints are laid by the scripts below and walked by the gait engine at one cadence, with steps that
//! are shorter in tighter curves. Starts and stops are cut off: a graph of them would stand still where it may.
//!
//! Tight curves lie between straight pieces, as people walk them. Circles that close within two steps would be of no use: an
//! abstraction of them is a point, and a search that lets points follow a path finds that circling on the spot strays least.

use super::{BuildGraphError, BuiltGraph, GRAPH_FRAME_RATE, GraphOptions, build_graph};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;
use surefoot_contact::{FootPart, FootPlan, Footprint, Take, slice_take};
use surefoot_gait::{Gait, GaitOptions, GaitSettings, GaitSynthesizer, LayOptions, Rig, equations, lay_steps};
use surefoot_geom::{Vec3, heading_direction};
use surefoot_graph::MotionSet;
use surefoot_motion::{PersonOptions, Poses, Side, Skeleton, person};
use surefoot_plan::synthesize_take;

/// Steps of a kind: how many, how far each turns in degrees, and how long it is in metres.
type Steps = (usize, f64, f64);

/// What is walked to the left and to the right.
const CURVES: [(&str, &[Steps]); 4] = [
    // Radius 4.5 m.
    ("wide", &[(6, 9.0, 0.70)]),
    // 1.9 m.
    ("curve", &[(1, 0.0, 0.70), (5, 19.0, 0.63), (1, 0.0, 0.70)]),
    // 0.9 m.
    ("tight", &[(1, 0.0, 0.70), (1, 18.0, 0.62), (3, 34.0, 0.53), (1, 18.0, 0.62), (1, 0.0, 0.70)]),
    // 0.5 m.
    ("sharp", &[(1, 0.0, 0.70), (1, 26.0, 0.55), (2, 50.0, 0.43), (1, 26.0, 0.55), (1, 0.0, 0.70)]),
];
const STRAIGHT: [Steps; 1] = [(6, 0.0, 0.70)];

/// Steps before and after, which start and stop.
const CUT_STEPS: usize = 3;
/// Between the feet, in metres.
const WIDTH: f64 = 0.1;

/// The graph of [`corpus_motions`].
pub fn corpus_graph(options: &GraphOptions) -> Result<BuiltGraph, BuildGraphError> {
    build_graph(corpus_motions(), options)
}

/// Walks straight ahead and in four curves to both sides, of our own figure, at 30 frames a second.
pub fn corpus_motions() -> MotionSet {
    let (skeleton, body) = person(&PersonOptions::default()).expect("our own figure");
    let rig = Rig::new(&skeleton, &body, &Poses::default()).expect("our own figure can walk");
    let skeleton = Arc::new(skeleton);
    let mut takes = vec![walk(&skeleton, &rig, "straight", &STRAIGHT, 1.0)];
    for (name, script) in CURVES {
        for (sign, side) in [(1.0, "left"), (-1.0, "right")] {
            takes.push(walk(&skeleton, &rig, &format!("{name}-{side}"), script, sign));
        }
    }
    let clips = takes.into_iter().map(|take| take.clip).collect();
    MotionSet::new(clips, rig.body().clone()).expect("clips of one figure")
}

fn walk(skeleton: &Arc<Skeleton>, rig: &Rig, name: &str, script: &[Steps], sign: f64) -> Take {
    let settings = GaitSettings::natural(Gait::Walk, equations::DEFAULT_HEIGHT);
    let plan = lay_script(rig, &settings, script, sign);
    let options = GaitOptions { settings, frame_rate: GRAPH_FRAME_RATE, standing: 0.0 };
    let synthesizer = GaitSynthesizer::new(skeleton.clone(), rig.clone(), &options);
    let made = synthesize_take(&synthesizer, &Arc::default(), &plan, name);
    let take = made.expect("steps that our own figure can take").take;
    let mut landings: Vec<usize> = Side::BOTH
        .into_iter()
        .flat_map(|side| take.contacts.plants[side].iter())
        .filter(|plant| plant.part == FootPart::Ball && plant.frames.start > 0)
        .map(|plant| plant.frames.start)
        .collect();
    landings.sort_unstable();
    let (first, last) = (landings[CUT_STEPS - 1], landings[landings.len() - CUT_STEPS]);
    slice_take(&take, first..last).expect("landings within the take")
}

/// The footprints of a script, with straight steps before and after.
fn lay_script(rig: &Rig, settings: &GaitSettings, script: &[Steps], sign: f64) -> FootPlan {
    // Starts and stops are those of a straight walk, and so are the times of every step.
    let n_inner: usize = script.iter().map(|(n_steps, ..)| n_steps).sum();
    let n_steps = Some(n_inner + 2 * CUT_STEPS);
    let options = LayOptions { n_steps, ..LayOptions::default() };
    let mut plan = lay_steps(rig.proportions(), settings, &options).expect("a few straight steps on level ground");
    let before = 2 + CUT_STEPS;
    let middle = plan.footprints[before - 1].position * Vec3::new(0.0, 0.0, 1.0);
    let after: Vec<f64> =
        plan.footprints[before + n_inner - 1..].windows(2).map(|p| (p[1].position - p[0].position).z).collect();
    let (mut position, mut heading) = (middle, 0.0);
    let turns = script.iter().flat_map(|(n, degrees, length)| (0..*n).map(|_| (sign * degrees.to_radians(), *length)));
    let steps: Vec<(f64, f64)> = turns.chain(after.into_iter().map(|length| (0.0, length))).collect();
    let toe_out = settings.walk.attributes.foot_angle;
    for ((turn, length), print) in steps.into_iter().zip(&mut plan.footprints[before..]) {
        position += heading_direction(heading + 0.5 * turn) * length;
        heading += turn;
        let side = if print.side == Side::Left { 1.0 } else { -1.0 };
        let place = position + heading_direction(heading + FRAC_PI_2) * (0.5 * WIDTH * side);
        *print = Footprint { position: place, heading: Some(heading + side * toe_out), ..*print };
    }
    plan
}
