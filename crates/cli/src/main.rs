//! The `surefoot` command.
//!
//! Data goes to files or standard output, everything else to standard error. Exit codes: 0 done, 1 done but a gate failed or
//! the request was not met, 2 bad usage or input. With `--json` results and errors are one JSON object on standard output.
//! Arguments become the request of a job (`surefoot::jobs`), and its report is printed: nothing is computed here.

mod animate;
mod character_args;
mod clean;
mod compose;
mod contacts;
mod convert;
mod corpus;
mod demo;
mod edited_motion;
mod engine_args;
mod evaluate;
mod experiment;
mod folder;
mod gait;
mod go;
mod graph;
mod hints;
mod import_args;
mod info;
mod info_table;
mod measure;
mod measure_table;
mod motion_args;
mod output;
mod plan;
mod render;
mod report;
mod retarget;
mod run_job;
mod scene_args;
mod shell;
mod signal;
mod steps;
#[cfg(feature = "studio")]
mod studio;
mod terrain_arg;
mod warp_path;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Animates people so that their feet land exactly where they are asked to.
#[derive(Parser)]
#[command(name = "surefoot", version, max_term_width = 120, arg_required_else_help = true)]
struct Cli {
    /// Print one JSON object for machines on standard output
    #[arg(long, global = true)]
    json: bool,
    /// Print nothing but errors, and results that go to no file
    #[arg(long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Print more on standard error: the request of the job, each step, the time it took
    #[arg(long, short, global = true)]
    verbose: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The main job on built-in data: foot plans become walks, as BVH, GLB, pictures and one page; a walk is made to skate, and cleaned
    Demo(demo::Args),
    /// What a motion file holds: skeleton, body map, unit, axes, rate, length, and everything that was assumed
    Info(info::Args),
    /// Convert a motion file: bvh, amc (with asf), glb, gltf or fbx in; bvh, glb, gltf or fbx out
    Convert(convert::Args),
    /// When heels and balls are planted: detect the plants of a motion, as a contacts file or a table
    Contacts(contacts::Args),
    /// Scenes, paths and foot plans: a path through a scene, footprints along a path, the footprints that a motion took
    Plan(Box<plan::Args>),
    /// From a scene to a walking person: path, footprints, motion, a picture from above, and a check that nothing is touched
    Go(Box<go::Args>),
    /// Footskate cleanup: planted feet stay planted, exactly, without popping knees
    Clean(clean::Args),
    /// Play a motion on another character: turned, scaled and cleaned so that planted feet stay planted
    Retarget(retarget::Args),
    /// Warp a motion to another path: the same steps, cleaned so that planted feet stay planted
    #[command(alias = "bend")]
    WarpPath(warp_path::Args),
    /// A foot plan becomes a walk: recorded or built-in steps blended so that every foot is planted exactly on its footprint
    Animate(animate::Args),
    /// How near animated plans come to recordings whose steps or actors were left out: metrics beside targets, and other methods
    Evaluate(evaluate::Args),
    /// Studies of motion graphs: which metric, and what should follow a path; the paper's tables and figures on your recordings
    Experiment(experiment::Args),
    /// Walking and running from nothing: a figure of our own or any skeleton, from a few parameters and many attributes
    Gait(Box<gait::Args>),
    /// The built-in takes: every kind of step, made again each time; what there is, and as files
    Corpus(corpus::Args),
    /// Clips edited as signals: equalise, blend, warp in time, shape, join, loop, clean, restyle; by command or by recipe
    Signal(signal::Args),
    /// Step databases, which walks are blended from: build them from motions, see what they can do, thin them
    Steps(steps::Args),
    /// Behaviours from footprints: recordings cut into walks, runs, jumps, hops and stairs, what was learned of them, and what footprints mean
    Compose(Box<compose::Args>),
    /// Motion graphs: motions cut where they resemble each other, and walked along any path
    Graph(graph::Args),
    /// A picture of a motion: contact sheet, strobe or animation, as png, gif or svg
    Render(render::Args),
    /// The studio: a page in the browser where footprints are dragged and the person steps there, clips are cleaned and gaits are made
    #[cfg(feature = "studio")]
    Studio(studio::Args),
    /// How good a motion is: skating, drift, ground, legs, pops; against a foot plan, a path or a reference; with a gate
    Measure(measure::Args),
    /// Print completions for a shell
    Completions(shell::CompletionArgs),
    /// Write man pages into a folder
    Man(shell::ManArgs),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Help and version are printed as they are; wrong usage as JSON, if that was asked for.
        Err(error) if error.use_stderr() && std::env::args().any(|arg| arg == "--json") => {
            let failure = report::Failure::new("usage", error.to_string().trim_end());
            return report::failure(&failure, report::Format::Json);
        }
        Err(error) => error.exit(),
    };
    let format = if cli.json { report::Format::Json } else { report::Format::Human };
    report::set_verbosity(match (cli.quiet, cli.verbose) {
        (true, _) => report::Verbosity::Quiet,
        (false, true) => report::Verbosity::Verbose,
        (false, false) => report::Verbosity::Usual,
    });
    let result = match &cli.command {
        Command::Demo(args) => demo::run(args, format),
        Command::Info(args) => info::run(args, format),
        Command::Convert(args) => convert::run(args, format),
        Command::Contacts(args) => contacts::run(args, format),
        Command::Plan(args) => plan::run(args, format),
        Command::Go(args) => go::run(args, format),
        Command::Clean(args) => clean::run(args, format),
        Command::Retarget(args) => retarget::run(args, format),
        Command::WarpPath(args) => warp_path::run(args, format),
        Command::Animate(args) => animate::run(args, format),
        Command::Evaluate(args) => evaluate::run(args, format),
        Command::Experiment(args) => experiment::run(args, format),
        Command::Gait(args) => gait::run(args, format),
        Command::Corpus(args) => corpus::run(args, format),
        Command::Signal(args) => signal::run(args, format),
        Command::Steps(args) => steps::run(args, format),
        Command::Compose(args) => compose::run(args, format),
        Command::Graph(args) => graph::run(args, format),
        Command::Render(args) => render::run(args, format),
        #[cfg(feature = "studio")]
        Command::Studio(args) => studio::run(args, format),
        Command::Measure(args) => measure::run(args, format),
        Command::Completions(args) => shell::completions(args),
        Command::Man(args) => shell::man(args, format),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report::failure(&error, format),
    }
}
