//! `surefoot graph`: motion graphs.

mod build;
mod follow;
mod inspect;

use crate::report::{Failure, Format};

/// Arguments of `graph`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Cut motions where they resemble each other, and make a graph of the pieces in which walks never end
    Build(Box<build::Args>),
    /// What a graph is like: its size, degrees and blends; its distances and blends as pictures
    Inspect(inspect::Args),
    /// Walk along a path through a graph
    Follow(Box<follow::Args>),
}

/// Runs `graph`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    match &args.command {
        Command::Build(args) => build::run(args, format),
        Command::Inspect(args) => inspect::run(args, format),
        Command::Follow(args) => follow::run(args, format),
    }
}

/// `1 clip` or `3 clips`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
