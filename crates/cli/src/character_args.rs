//! The character to animate: options and words that every command with `--on` shares.

use crate::import_args::parse_unit;
use crate::report::print_status;
use std::path::PathBuf;
use surefoot::jobs::{CharacterReport, InputRequest, ReadRequest, ScalePlanRequest};

/// The character to animate.
#[derive(clap::Args)]
#[command(next_help_heading = "Who moves")]
pub(crate) struct CharacterArgs {
    /// Character to animate, a file with its skeleton: bvh, asf, amc, glb, gltf or fbx
    #[arg(long, value_name = "CHARACTER")]
    on: Option<PathBuf>,
    /// Body map of the character that overrides the one found
    #[arg(long, value_name = "MAP.toml", requires = "on")]
    on_body: Option<PathBuf>,
    /// Unit of the character's file: cm, m, mm, inch, ..., or metres per unit [default: by the length of the legs]
    #[arg(long, value_name = "UNIT", requires = "on", value_parser = parse_unit)]
    on_unit: Option<f64>,
}

impl CharacterArgs {
    /// As jobs have it.
    pub(crate) fn request(&self) -> Option<InputRequest> {
        let read = ReadRequest { body: self.on_body.clone(), unit_to_metre: self.on_unit, ..ReadRequest::default() };
        self.on.as_ref().map(|file| InputRequest { file: file.clone(), read, contacts: None })
    }
}

/// How a plan is scaled before it is walked.
#[derive(clap::Args)]
pub(crate) struct ScalePlanArg {
    /// Scale the plan before it is walked: to the legs of the character, or by a factor; times follow by its root
    #[arg(long, value_name = "FACTOR", num_args = 0..=1, require_equals = true, default_missing_value = "legs", value_parser = parse_scale_plan)]
    scale_plan: Option<ScalePlanRequest>,
}

impl ScalePlanArg {
    /// As jobs have it.
    pub(crate) fn request(&self) -> Option<ScalePlanRequest> {
        self.scale_plan
    }
}

fn parse_scale_plan(text: &str) -> Result<ScalePlanRequest, String> {
    if text == "legs" {
        return Ok(ScalePlanRequest::ByLegs);
    }
    let wrong = || "nothing, or a factor from 0.01 to 100 after `=`, would be right".to_string();
    let factor = text.parse().ok().filter(|factor: &f64| (0.01..=100.0).contains(factor)).ok_or_else(wrong)?;
    Ok(ScalePlanRequest::By(factor))
}

/// Prints who was animated, and what of it is not moved.
pub(crate) fn print_character(character: Option<&CharacterReport>) {
    let Some(on) = character else { return };
    print_status(&format!("  on {}: {:.2} m tall, legs of {:.2} m", on.input.file, on.height, on.leg_length));
    if let Some(factor) = on.plan_scale {
        print_status(&format!("  the plan is scaled by {factor:.4}"));
    }
    if let Some(missing) = &on.missing {
        print_status(&format!(
            "  WARNING: no {missing} found in {}: what is missing keeps its rest pose; --on-body names the joints",
            on.input.file
        ));
    }
}
