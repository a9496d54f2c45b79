//! What the demo puts beside its results: inputs for the commands of the README, so that each of them runs as printed.

use crate::convert::OutputFormat;
use crate::demo_job::{DemoFile, written};
use crate::demo_plans::stairs_plan;
use crate::gait::{GaitRequest, GaitRoute, Mover, make_gait};
use crate::job_error::JobError;
use std::sync::Arc;
use surefoot_formats::own;
use surefoot_gait::{Gait, Kinematics, LayOptions, RunTargets, Style};
use surefoot_motion::PersonOptions;

/// Height of the other figure, in metres.
const OTHER_HEIGHT: f64 = 1.55;

/// An L: straight on, then to the left.
const L_PATH: &str = r#"{ "path": 1, "points": [[0, 0], [0, 2.4], [0.2, 2.8], [0.6, 3], [3, 3]] }
"#;

/// Larger arms and shoulders, and feet that stay planted.
const RECIPE: &str = r#"# Edits for `surefoot signal apply louder.recipe.toml CLIPS.. -o FOLDER`.
recipe = 1

[[edit]]
tool = "equalize"
gain = { "0.5-3Hz" = 1.4 }
joints = "arms"

[[edit]]
tool = "keep-plants"
"#;

/// What a cleaned walk must keep to.
const GATE: &str = r#"# Limits for `surefoot measure ... --gate clean.gate.toml`; a metric beyond its limit is exit code 1.
gate = 1

[limits]
drift_max = 0.01                                    # mm: how far planted heels and balls slide
off_ground_max = 0.01                               # mm: how far they are from the ground
stretch_reference_max = 2.6                         # %: how much legs were stretched
rotation_step_max = { times_reference = 1.3 }       # pops: at most 1.3 times those of the reference
knee_acceleration_p99 = { times_reference = 1.1 }
plants = { min = 4 }
"#;

/// Names and contents.
pub(crate) fn demo_inputs() -> Result<Vec<DemoFile>, JobError> {
    let text = |name: &str, text: &str| (name.to_string(), text.as_bytes().to_vec());
    let (stairs, terrain) = stairs_plan();
    Ok(vec![
        ("other.glb".to_string(), other_figure()?),
        text("stairs.plan.json", &own::write_plan(&stairs)),
        text("stairs.terrain.json", &own::write_terrain(&terrain)),
        text("l.path.json", L_PATH),
        text("room.scene.json", include_str!("../../../examples/room.scene.json")),
        text("hall.scene.json", include_str!("../../../examples/hall.scene.json")),
        text("louder.recipe.toml", RECIPE),
        text("clean.gate.toml", GATE),
    ])
}

/// A shorter figure that takes two steps, to be animated by other motions.
fn other_figure() -> Result<Vec<u8>, JobError> {
    let style = Style::natural(Gait::Walk);
    let options = LayOptions { n_steps: Some(2), ..LayOptions::default() };
    let request = GaitRequest {
        mover: Mover::Own(PersonOptions::with_height(OTHER_HEIGHT)),
        style: &style,
        targets: RunTargets::default(),
        lock: None,
        set: &[],
        kinematics: Kinematics::Normative,
        route: GaitRoute::Steps(&options),
        world: Arc::default(),
        frame_rate: 30.0,
        standing: 0.2,
        control: Default::default(),
    };
    let take = make_gait(&request).map_err(|error| JobError::new("demo", error.to_string()))?.take;
    written(&take.clip, Some(&take.body), Some(&take.contacts), OutputFormat::Glb)
}
