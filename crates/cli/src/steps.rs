//! `surefoot steps`: step databases.

mod analyze;
pub(crate) mod build;
mod export;
mod prune;

use crate::report::{Failure, Format};

/// Arguments of `steps`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Cut motions into steps and put them into a database, all on one skeleton
    Build(Box<build::Args>),
    /// What a database can do and what it lacks; which steps to record next
    Analyze(analyze::Args),
    /// Write one step of a database as a motion, to look at
    Export(export::Args),
    /// Remove steps that are near-duplicates of others, without losing any step that can be blended
    Prune(prune::Args),
}

/// Runs `steps`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    match &args.command {
        Command::Build(args) => build::run(args, format),
        Command::Analyze(args) => analyze::run(args, format),
        Command::Export(args) => export::run(args, format),
        Command::Prune(args) => prune::run(args, format),
    }
}

/// A length in centimetres, as metres.
fn parse_centimetres(text: &str) -> Result<f64, String> {
    let wrong = || "a length from 0.1 to 100 cm would be right".to_string();
    let length = text.trim_end_matches("cm").trim_end().parse().ok().filter(|cm: &f64| (0.1..=100.0).contains(cm));
    length.map(|cm| cm / 100.0).ok_or_else(wrong)
}
