//! How a motion is written for engines and characters: options of every command that writes one.

use std::path::PathBuf;
use surefoot::jobs::{MotionOutput, RootMotionRequest};

/// Options of every command that writes a motion.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Characters and engines")]
pub(crate) struct EngineArgs {
    /// Name of the motion inside a glTF, FBX or take [default: the output's name without its ending]
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    name: Option<String>,
    /// Write skeleton and animation alone, without the meshes of the character or our own body
    #[arg(long)]
    animation_only: bool,
    /// Let bones stretch where the motion does [default: in glTF and FBX bones keep their lengths, for humanoid rigs]
    #[arg(long)]
    stretch: bool,
    /// Where the travel is stored: on a root on the ground below the body, nowhere, or on the hips [default: as it is]
    #[arg(long, value_enum, value_name = "WHERE")]
    root_motion: Option<Root>,
    /// Write when feet come down and go up, for engines
    #[arg(long, value_name = "FILE.events.json")]
    write_events: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Root {
    /// On a root on the ground below the body, with its heading
    Ground,
    /// The body stays in place; the speed is printed
    InPlace,
    /// On the hips; a root above them stays at rest
    Hips,
}

impl EngineArgs {
    /// The same output, written as these options ask.
    pub(crate) fn apply(&self, output: MotionOutput) -> MotionOutput {
        MotionOutput {
            name: self.name.clone(),
            animation_only: self.animation_only,
            stretch: self.stretch,
            root_motion: self.root_motion.map(|root| match root {
                Root::Ground => RootMotionRequest::Ground,
                Root::InPlace => RootMotionRequest::InPlace,
                Root::Hips => RootMotionRequest::Hips,
            }),
            write_events: self.write_events.clone(),
            ..output
        }
    }
}

fn parse_name(text: &str) -> Result<String, String> {
    match text.trim().is_empty() || text.chars().any(char::is_control) {
        true => Err("a name has letters and no line ends".to_string()),
        false => Ok(text.to_string()),
    }
}
