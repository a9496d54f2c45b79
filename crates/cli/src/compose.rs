//! `surefoot compose`: behaviours from footprints.

mod build;
mod check;
mod patterns;
mod recognise;
mod repair;
mod score;
mod transitions;

use crate::report::{Failure, Format};
use surefoot::jobs::MethodName;

/// Arguments of `compose`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Motions become a database of behaviours: every step labelled by its support pattern, with the reason
    Build(build::Args),
    /// How well the steps found in recordings agree with labels that somebody else gave
    Check(check::Args),
    /// What was learned of footprint patterns: limits of distance by behaviour, of stairs, and of feet that jump together
    Patterns(patterns::Args),
    /// Which behaviour leads to each footprint of a plan, and why
    Recognise(recognise::Args),
    /// Footprints that nobody could step are moved to where somebody can
    Repair(repair::Args),
    /// How often footprints alone are understood: plans of labelled stances, by recordings of other actors
    Score(score::Args),
    /// How the speed of recorded people changes from one behaviour to another, step by step
    Transitions(transitions::Args),
}

/// How footprints are recognised.
#[derive(clap::Args)]
struct MethodArg {
    /// How footprints are recognised: by a learned sequence model, or by the paper's limits of distance and angle
    #[arg(long, value_enum, default_value = "sequence")]
    method: Method,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Method {
    Sequence,
    Limits,
}

impl MethodArg {
    fn name(&self) -> MethodName {
        match self.method {
            Method::Sequence => MethodName::Sequence,
            Method::Limits => MethodName::Limits,
        }
    }
}

/// Runs `compose`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    match &args.command {
        Command::Build(args) => build::run(args, format),
        Command::Check(args) => check::run(args, format),
        Command::Patterns(args) => patterns::run(args, format),
        Command::Recognise(args) => recognise::run(args, format),
        Command::Repair(args) => repair::run(args, format),
        Command::Score(args) => score::run(args, format),
        Command::Transitions(args) => transitions::run(args, format),
    }
}
