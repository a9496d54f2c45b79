//! How far joints turn from one frame to the next, and how much that turn changes: where a motion pops.
//!
//! Turns are those of a joint against its parent (of a root against the world). A step is the angle of the turn between two
//! frames. A fast motion has large steps; a pop is a step unlike the one before it, which the change of step shows: the length of
//! the difference of two successive turns as rotation vectors.

use super::worst::{Spread, Worst};
use surefoot_geom::Vec3;
use surefoot_geom::rotation::log_map;
use surefoot_motion::{Clip, JointId};

/// Turns between frames over all joints; angles in radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RotationSteps {
    /// The turn from a frame to the next; the frame is the later one. `None` of fewer than two frames.
    pub step: Option<Spread<JointId>>,
    /// The change from one turn to the next; the frame is the middle of three. `None` of fewer than three frames.
    pub change: Option<Spread<JointId>>,
}

/// Measures all joints of a clip.
pub fn measure_rotation_steps(clip: &Clip) -> RotationSteps {
    let (mut steps, mut changes) = (Vec::new(), Vec::new());
    let mut before: Vec<Vec3> = Vec::new();
    for (k, pair) in clip.poses().pairs().enumerate() {
        let turn = |joint: JointId| log_map(pair[0][joint].rotation.conjugate() * pair[1][joint].rotation);
        let turns: Vec<Vec3> = clip.skeleton.ids().map(turn).collect();
        for joint in clip.skeleton.ids() {
            let turn = turns[joint.index()];
            steps.push(Worst { value: turn.length(), place: joint, frame: k + 1 });
            if let Some(&before) = before.get(joint.index()) {
                changes.push(Worst { value: (turn - before).length(), place: joint, frame: k });
            }
        }
        before = turns;
    }
    RotationSteps { step: Spread::of(&steps), change: Spread::of(&changes) }
}
