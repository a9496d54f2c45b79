//! `surefoot gait`: walking and running from a few parameters and many attributes.

mod fit;
mod jump;
mod list;
mod make;
mod print_report;
mod quantity;

pub(crate) use quantity::{parse_frame_rate, parse_length, parse_speed};

use crate::report::{Failure, Format};

/// Arguments of `gait`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Make a walk, as bvh, glb, gltf or fbx
    Walk(make::WalkArgs),
    /// Make a run, as bvh, glb, gltf or fbx
    Run(make::RunArgs),
    /// Make jumps or hops, as bvh, glb or gltf
    Jump(jump::JumpArgs),
    /// Estimate a person's walk or run from a recording, for --preset
    Fit(fit::Args),
    /// Parameters, attributes and presets, with their ranges, defaults and units
    List(list::Args),
}

/// Runs `gait`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    match &args.command {
        Command::Walk(args) => args.run(format),
        Command::Run(args) => args.run(format),
        Command::Jump(args) => args.run(format),
        Command::Fit(args) => fit::run(args, format),
        Command::List(args) => list::run(args, format),
    }
}
