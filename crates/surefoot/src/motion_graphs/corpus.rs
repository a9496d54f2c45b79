//! A graph of walks of our own, for those who bring no recordings.
//!
//! As the paper's database (GRAPH 5.2.2): clips of one person, each with a curvature of its own, straight ahead, in curves and in
//! tight curves both ways. They are made by the gait engine as the built-in corpus is, at a natural pace for their steps, which
//! are shorter in tighter curves. Starts and stops are cut off: a graph of them would stand still where it may.

use super::{BuildGraphError, BuiltGraph, GraphOptions, build_graph};
use std::sync::Arc;
use surefoot_graph::MotionSet;
use surefoot_locomotion::gait::{
    FollowOptions, Gait, LayOptions, Manner, Rig, WalkParameters, equations, follow_plan, lay_steps,
};
use surefoot_locomotion::{FootPart, Take, slice_take};
use surefoot_motion::{PersonOptions, Side, Skeleton, person};

/// Turn with each step in degrees, and length of a step in metres.
const CURVES: [(&str, f64, f64); 5] =
    [("straight", 0.0, 0.70), ("wide", 9.0, 0.68), ("curve", 20.0, 0.60), ("tight", 36.0, 0.48), ("sharp", 50.0, 0.40)];

/// Steps that a clip keeps.
const KEPT_STEPS: usize = 10;
/// Steps before and after, which start and stop.
const CUT_STEPS: usize = 3;

/// The graph of [`corpus_motions`].
pub fn corpus_graph(options: &GraphOptions) -> Result<BuiltGraph, BuildGraphError> {
    build_graph(corpus_motions(), options)
}

/// Walks straight ahead and in four curves both ways, of our own figure, at 30 frames a second.
pub fn corpus_motions() -> MotionSet {
    let (skeleton, body) = person(&PersonOptions::default()).expect("our own figure");
    let rig = Rig::new(&skeleton, &body, &[]).expect("our own figure can walk");
    let skeleton = Arc::new(skeleton);
    let mut clips = Vec::new();
    for (name, degrees, length) in CURVES {
        for (sign, side) in [(1.0, "left"), (-1.0, "right")] {
            let mut take = walk(&skeleton, &rig, sign * f64::to_radians(degrees), length);
            if degrees == 0.0 {
                take.clip.name = name.to_string();
                clips.push(take.clip);
                break;
            }
            take.clip.name = format!("{name}-{side}");
            clips.push(take.clip);
        }
    }
    MotionSet::new(clips, rig.body().clone()).expect("clips of one figure")
}

fn walk(skeleton: &Arc<Skeleton>, rig: &Rig, turn: f64, step_length: f64) -> Take {
    let height = equations::DEFAULT_HEIGHT;
    let mut manner = Manner::natural(Gait::Walk, height);
    manner.walk.parameters = WalkParameters::from_step_length(step_length, height).expect("a step that people take");
    let n_steps = Some(KEPT_STEPS + 2 * CUT_STEPS);
    let plan = lay_steps(rig.build(), &manner, &LayOptions { n_steps, turn, ..LayOptions::default() });
    let options = FollowOptions { manner, frame_rate: super::GRAPH_FRAME_RATE, standing: 0.0 };
    let take = follow_plan(skeleton.clone(), rig, &plan, None, &options).expect("steps that our own figure can take");
    let mut landings: Vec<usize> = Side::BOTH
        .into_iter()
        .flat_map(|side| take.contacts.plants[side].iter())
        .filter(|plant| plant.part == FootPart::Ball && plant.frames.start > 0)
        .map(|plant| plant.frames.start)
        .collect();
    landings.sort_unstable();
    slice_take(&take, landings[CUT_STEPS - 1]..landings[CUT_STEPS - 1 + KEPT_STEPS]).expect("landings within the take")
}
