//! `surefoot gait`: walking and running from a few parameters and many attributes.

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
    /// Make a walk, as bvh, glb or gltf
    Walk(make::WalkArgs),
    /// Make a run, as bvh, glb or gltf
    Run(make::RunArgs),
    /// Parameters, attributes and presets, with their ranges, defaults and units
    List(list::Args),
}

/// Runs `gait`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    match &args.command {
        Command::Walk(args) => args.run(format),
        Command::Run(args) => args.run(format),
        Command::List(args) => list::run(args, format),
    }
}
