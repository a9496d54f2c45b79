//! `surefoot experiment`: the paper's two studies of motion graphs, on recordings of your own (GRAPH 5.2 and 6.2).

use crate::import_args::ImportArgs;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format, print_status, print_summary, print_text};
use crate::run_job::run_job;
use std::path::PathBuf;
use surefoot::jobs::{AbstractionsStudyRequest, MetricsStudyRequest, StudyClips, StudyRequest};

/// Arguments of `experiment`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    study: Study,
}

#[derive(clap::Subcommand)]
enum Study {
    /// Three metrics, four sizes of graphs, one long path: which strays, skates and searches least (tables 2 to 5)
    Metrics(Box<MetricsArgs>),
    /// Five techniques to follow a path, seven sizes of graphs, three recorded paths: which keeps the pelvis's sway (tables
    /// 1 and 6, figures 7 to 12)
    Abstractions(Box<AbstractionsArgs>),
}

/// What both studies have.
#[derive(clap::Args)]
struct Common {
    /// Motion files for the graphs (bvh, amc, glb, gltf or fbx), folders or glob patterns: walks of one person
    #[arg(value_name = "CLIPS", required = true)]
    clips: Vec<PathBuf>,
    /// Write tables and figures into this folder; made if it is missing
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    /// Put the mirror image of each clip into the graphs too
    #[arg(long)]
    mirror: bool,
    /// Draws the start nodes
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Frames of a window and of a blend, from 1 to 1000
    #[arg(long, value_name = "FRAMES", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    window: u16,
    /// How many runs go on at once; more than there are cores makes searches seem slow [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Arguments of `experiment metrics`.
#[derive(clap::Args)]
struct MetricsArgs {
    #[command(flatten)]
    common: Common,
    /// Runs for each graph, from random start nodes
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: u32,
    /// Path to follow [default: a zigzag of 33 m]
    #[arg(long, value_name = "FILE.path.json")]
    path: Option<PathBuf>,
    /// Edges of the graphs, instead of the paper's; smaller in proportion where a metric cannot give as many
    #[arg(long, value_name = "N,N,..", value_delimiter = ',', num_args = 1.., default_value = "261,638,1018,1265")]
    edges: Vec<usize>,
    #[command(flatten)]
    import: ImportArgs,
}

/// Arguments of `experiment abstractions`.
#[derive(clap::Args)]
struct AbstractionsArgs {
    #[command(flatten)]
    common: Common,
    /// Recordings of the same person that are not among the clips, whose trajectories are the paths to follow: one straight,
    /// one of low and one of high curvature
    #[arg(long, value_names = ["STRAIGHT", "LOW", "HIGH"], num_args = 3, required = true)]
    test: Vec<PathBuf>,
    /// Runs for each graph, path and technique, from random start nodes
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: u32,
    /// Edges of the graphs, instead of the paper's; smaller in proportion where the clips cannot give as many
    #[arg(long, value_name = "N,N,..", value_delimiter = ',', num_args = 1.., default_value = "114,528,925,1300,1468,1563,1584")]
    edges: Vec<usize>,
    #[command(flatten)]
    import: ImportArgs,
}

/// Runs `experiment`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    match &args.study {
        Study::Metrics(args) => {
            let study = args.common.request(&args.import, args.runs, &args.edges);
            let request = MetricsStudyRequest { study, path: args.path.clone() };
            run_job(&request, format, |report| print_report(&request.study, &report.corpus, &report.tables))
        }
        Study::Abstractions(args) => {
            let study = args.common.request(&args.import, args.runs, &args.edges);
            let tests = <[PathBuf; 3]>::try_from(args.test.clone())
                .map_err(|_| Failure::new("usage", "--test takes three recordings: STRAIGHT, LOW and HIGH"))?;
            let request = AbstractionsStudyRequest { study, tests };
            run_job(&request, format, |report| print_report(&request.study, &report.corpus, &report.tables))
        }
    }
}

impl Common {
    fn request(&self, import: &ImportArgs, runs: u32, edges: &[usize]) -> StudyRequest {
        StudyRequest {
            clips: self.clips.clone(),
            read: import.request(),
            mirror: self.mirror,
            seed: Some(self.seed),
            window: Some(usize::from(self.window)),
            runs: Some(runs as usize),
            edges: Some(edges.to_vec()),
            threads: self.threads.map(usize::from),
            output: self.output.clone(),
            report: self.report.report.clone(),
            if_exists: self.force.if_exists(),
        }
    }
}

fn print_report(study: &StudyRequest, clips: &StudyClips, tables: &str) -> Result<(), Failure> {
    clips.notes.iter().for_each(|note| print_status(note));
    clips.left_out.iter().for_each(|out| print_status(&format!("left out: {}", out.why)));
    // The folder has the tables too.
    if study.output.is_some() { print_summary(tables) } else { print_text(tables) }
}
