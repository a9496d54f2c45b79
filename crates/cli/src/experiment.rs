//! `surefoot experiment`: the paper's two studies of motion graphs, on recordings of your own (GRAPH 5.2 and 6.2).

mod abstractions;
mod metrics;
mod table;

use crate::import_args::ImportArgs;
use crate::info_table::gather;
use crate::output::{Force, progress};
use crate::output_folder::{check_folder, write_folder};
use crate::report::{Failure, Format, print_result, print_text, say};
use serde_json::{Value, json};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Instant;
use surefoot::graph::Threads;
use surefoot::graph::experiment::{ExperimentError, RunWith, Summary};
use surefoot::{ExperimentClips, GatherError, MirrorImages, load_experiment};

/// Arguments of `experiment`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    study: Study,
}

#[derive(clap::Subcommand)]
enum Study {
    /// Three metrics, four sizes of graphs, one long path: which strays, skates and searches least (tables 2 to 5)
    Metrics(metrics::Args),
    /// Five ways to follow a path, seven sizes of graphs, three recorded paths: which keeps the pelvis's sway (tables 1 and
    /// 6, figures 7 to 12)
    Abstractions(abstractions::Args),
}

/// Runs `experiment`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    match &args.study {
        Study::Metrics(args) => metrics::run(args, format),
        Study::Abstractions(args) => abstractions::run(args, format),
    }
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
    #[command(flatten)]
    import: ImportArgs,
}

impl Common {
    /// Reads the clips, and tells what was done to them.
    fn load(&self, tests: &[PathBuf], format: Format) -> Result<ExperimentClips, Failure> {
        if let Some(folder) = &self.output {
            check_folder(self.force, folder)?;
        }
        let mut files = Vec::new();
        for input in &self.clips {
            gather(input, &mut files)?;
        }
        if files.is_empty() {
            let inputs: Vec<String> = self.clips.iter().map(|clip| clip.display().to_string()).collect();
            return Err(Failure::new("usage", format!("there is no motion file in {}", inputs.join(", "))));
        }
        let bar = progress((files.len() + tests.len()) as u64);
        let images = if self.mirror { MirrorImages::With } else { MirrorImages::Without };
        let mut begin = |path: &Path| {
            bar.set_message(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
            bar.inc(1);
        };
        let loaded = load_experiment(&files, tests, images, &self.import.options(), &mut begin);
        bar.finish_and_clear();
        let loaded = loaded.map_err(gather_failure)?;
        if format == Format::Human {
            loaded.notes.iter().for_each(|note| say(note));
            loaded.left_out.iter().for_each(|out| say(&format!("left out: {}", out.why)));
        }
        Ok(loaded)
    }

    fn threads(&self) -> Threads {
        let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
        Threads::Count(self.threads.map_or_else(cores, usize::from))
    }

    /// Runs a study with a clock and a bar.
    fn study<T>(&self, make: impl FnOnce(&RunWith<'_>) -> Result<T, ExperimentError>) -> Result<T, Failure> {
        // Its length is known when the first run is done.
        let bar = progress(2);
        let begun = Instant::now();
        let told = |n: usize| {
            bar.set_length(n as u64);
            bar.inc(1);
        };
        let clock = || begun.elapsed().as_secs_f64();
        let made = make(&RunWith { threads: self.threads(), clock: &clock, progress: &told });
        bar.finish_and_clear();
        made.map_err(|error| Failure::new("experiment", error.to_string()))
    }

    /// Writes the folder, and tells the tables.
    fn tell(
        &self,
        command: &str,
        text: &str,
        mut result: Value,
        mut files: Vec<(String, Vec<u8>)>,
        format: Format,
    ) -> Result<(), Failure> {
        if let Some(folder) = &self.output {
            files.push(("tables.md".to_string(), text.as_bytes().to_vec()));
            files.push(("result.json".to_string(), format!("{result:#}\n").into_bytes()));
            write_folder(self.force, folder, &files)?;
            result["folder"] = folder.display().to_string().into();
        }
        match format {
            Format::Json => print_result(command, &result),
            Format::Human => {
                print_text(text)?;
                if let Some(folder) = &self.output {
                    say(&format!("wrote {} files to {}", files.len(), folder.display()));
                }
                Ok(())
            }
        }
    }
}

fn gather_failure(error: GatherError) -> Failure {
    match error {
        GatherError::Read(error) => error.into(),
        other => Failure::new("clips", other.to_string()),
    }
}

/// The clips of the graphs, one line.
fn corpus_line(clips: &ExperimentClips) -> String {
    let names: Vec<&str> = clips.set.clips().iter().map(|clip| clip.name.as_str()).collect();
    format!(
        "{} frames of {} clips at {} frames per second: {}.\n",
        clips.set.n_frames(),
        names.len(),
        clips.set.frame_rate(),
        names.join(", ")
    )
}

fn corpus_json(clips: &ExperimentClips) -> Value {
    let clip = |clip: &surefoot::motion::Clip| json!({ "name": clip.name, "frames": clip.n_frames() });
    json!({
        "clips": clips.set.clips().iter().map(clip).collect::<Vec<_>>(),
        "frames": clips.set.n_frames(),
        "frame_rate": clips.set.frame_rate(),
        "left_out": clips.left_out.iter().map(|out| json!({ "name": out.name, "why": out.why.to_string() })).collect::<Vec<_>>(),
    })
}

/// Mean, error and number of runs, with the mean multiplied into a unit.
fn summary_json(summary: Option<Summary>, unit: f64) -> Value {
    summary.map_or(
        Value::Null,
        |summary| json!({ "mean": unit * summary.mean, "standard_error": unit * summary.error(), "median": unit * summary.median, "n": summary.n }),
    )
}
