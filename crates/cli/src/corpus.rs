//! `surefoot corpus`: the built-in takes, what steps they hold, and their files.

use crate::gait::{parse_frame_rate, parse_length};
use crate::output::Force;
use crate::output_folder::{check_folder, write_folder};
use crate::report::{Failure, Format, print_result, print_text, say};
use serde_json::{Value, json};
use std::path::PathBuf;
use surefoot::contact::path_length;
use surefoot::formats::own;
use surefoot::gait::{Corpus, CorpusError, CorpusKind, CorpusOptions, CorpusTake, corpus};
use surefoot::geom::Range;
use surefoot::motion::Side;
use surefoot::plan::{StepCoverage, StepParameters};
use surefoot::{ConvertOptions, OutputFormat, convert};

/// Arguments of `corpus`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write every take with its contacts and its foot plan into this folder; made if it is missing
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Format of the motions
    #[arg(long, value_enum, default_value = "bvh", requires = "output")]
    format: MotionFormat,
    #[command(flatten)]
    force: Force,
    /// Height of the figure, from 0.5 to 2.5 m; steps grow with it
    #[arg(long, value_name = "LENGTH", default_value = "1.8", value_parser = parse_length, allow_negative_numbers = true)]
    height: f64,
    /// Frames per second, from 1 to 240
    #[arg(long, value_name = "FPS", default_value = "60", value_parser = parse_frame_rate, allow_negative_numbers = true)]
    frame_rate: f64,
    /// Tell every take, not only each kind
    #[arg(long)]
    list: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum MotionFormat {
    Bvh,
    Glb,
    Gltf,
}

impl MotionFormat {
    fn output(self) -> OutputFormat {
        match self {
            MotionFormat::Bvh => OutputFormat::Bvh,
            MotionFormat::Glb => OutputFormat::Glb,
            MotionFormat::Gltf => OutputFormat::Gltf,
        }
    }

    fn ending(self) -> &'static str {
        match self {
            MotionFormat::Bvh => "bvh",
            MotionFormat::Glb => "glb",
            MotionFormat::Gltf => "gltf",
        }
    }
}

/// Runs `corpus`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    if let Some(folder) = &args.output {
        check_folder(args.force, folder)?;
    }
    let made = corpus(&CorpusOptions { height: args.height, frame_rate: args.frame_rate }).map_err(failure)?;
    let rows: Vec<Row<'_>> = made.takes.iter().map(|take| Row::of(take, &made)).collect();
    if let Some(folder) = &args.output {
        write_folder(args.force, folder, &files(args, &made)?)?;
    }
    match format {
        Format::Json => print_result("corpus", &to_json(args, &made, &rows)),
        Format::Human => {
            print_text(&table(args, &made, &rows))?;
            if let Some(folder) = &args.output {
                let (n, ending) = (made.takes.len(), args.format.ending());
                say(&format!(
                    "wrote {n} takes to {}, each as .{ending}, .contacts.json and .plan.json",
                    folder.display()
                ));
            }
            Ok(())
        }
    }
}

fn failure(error: CorpusError) -> Failure {
    match error {
        CorpusError::Person(error) => Failure::new("body", format!("--height: {error}")),
        CorpusError::Rig(error) => Failure::new("body", error.to_string()),
        CorpusError::FrameRate { .. } => Failure::new("usage", format!("--frame-rate: {error}")),
        CorpusError::Step { take, error } => Failure::new("infeasible", format!("{take}: {error}")),
    }
}

/// A take in figures.
struct Row<'a> {
    take: &'a CorpusTake,
    steps: Vec<StepParameters>,
    seconds: f64,
    /// From the first foot that leaves to the last that lands.
    moving_seconds: f64,
    /// Way of the pelvis over the ground, in metres.
    way: f64,
    /// Distances of the feet at the ends of steps.
    reach: Range,
}

impl Row<'_> {
    fn of<'a>(take: &'a CorpusTake, made: &Corpus) -> Row<'a> {
        let steps = StepParameters::of_plan(&take.plan);
        let clip = &take.take.clip;
        let way = path_length(&clip.world(), &made.body, clip.frame_rate);
        let stances = Side::BOTH.map(|side| take.take.contacts.stances(side));
        let left = stances.iter().filter_map(|stances| stances.first()).map(|stance| stance.end).min();
        let landed = stances.iter().filter_map(|stances| stances.last()).map(|stance| stance.start).max();
        let moving = landed.unwrap_or(0).saturating_sub(left.unwrap_or(0)).max(1);
        let reaches = || steps.iter().map(StepParameters::reach);
        let reach = Range { min: reaches().fold(f64::INFINITY, f64::min), max: reaches().fold(0.0, f64::max) };
        let moving_seconds = moving as f64 / clip.frame_rate;
        Row { take, seconds: clip.n_frames() as f64 / clip.frame_rate, moving_seconds, way, reach, steps }
    }
}

/// Steps of the takes that a database of walking steps is made of.
fn walking_steps(rows: &[Row<'_>]) -> Vec<StepParameters> {
    let walks = rows.iter().filter(|row| row.take.kind.is_level_walk());
    walks.flat_map(|row| row.steps.iter().copied()).collect()
}

fn table(args: &Args, made: &Corpus, rows: &[Row<'_>]) -> String {
    let mut text = String::new();
    let n_steps: usize = rows.iter().map(|row| row.steps.len()).sum();
    let seconds: f64 = rows.iter().map(|row| row.seconds).sum();
    let n_takes = made.takes.len();
    text += &format!(
        "{n_takes} takes with {n_steps} steps, {seconds:.0} s at {} fps, of a figure of {} m\n\n",
        args.frame_rate, args.height
    );
    text +=
        &format!("{:<24}{:>6}{:>7}{:>9}{:>8}{:>7}  feet apart m\n", "", "takes", "steps", "seconds", "way m", "m/s");
    let line = |name: &str, rows: &[&Row<'_>]| {
        let sum = |value: fn(&Row<'_>) -> f64| -> f64 { rows.iter().map(|row| value(row)).sum() };
        let n_steps: usize = rows.iter().map(|row| row.steps.len()).sum();
        let min = rows.iter().map(|row| row.reach.min).fold(f64::INFINITY, f64::min);
        let max = rows.iter().map(|row| row.reach.max).fold(0.0, f64::max);
        let [seconds, moving, way] = [sum(|row| row.seconds), sum(|row| row.moving_seconds), sum(|row| row.way)];
        format!(
            "{name:<24}{:>6}{n_steps:>7}{seconds:>9.1}{way:>8.1}{:>7.2}{min:>8.2}..{max:<5.2}",
            rows.len(),
            way / moving
        )
    };
    for kind in CorpusKind::ALL {
        let of_kind: Vec<&Row<'_>> = rows.iter().filter(|row| row.take.kind == kind).collect();
        text += line(kind.name(), &of_kind).trim_end();
        text += "\n";
        if args.list {
            for row in of_kind {
                let line = line(&format!("  {}", row.take.name), &[row]);
                text += &format!("{line}  {}\n", row.take.what);
            }
        }
    }
    if let Some(coverage) = StepCoverage::of(&walking_steps(rows)) {
        text += &coverage_table(&coverage);
    }
    text
}

/// Name, range and counts of a parameter.
type Parameter<'a> = (&'static str, Range, &'a [(f64, usize)]);

/// The three parameters of a step database, and what steps there are.
fn parameters(coverage: &StepCoverage) -> [Parameter<'_>; 3] {
    let [starts, widths, lengths] = &coverage.counts;
    [
        ("start width", coverage.start_width, starts),
        ("end width", coverage.end_width, widths),
        ("end length", coverage.end_length, lengths),
    ]
}

fn coverage_table(coverage: &StepCoverage) -> String {
    let StepCoverage { n_steps, n_left, .. } = coverage;
    let mut text = format!(
        "\n{n_steps} walking steps on level ground ({n_left} of the left foot), as a step database sees them:\n\n"
    );
    let bins = parameters(coverage);
    let lowest = |counts: &[(f64, usize)]| counts.first().map_or(0.0, |bin| bin.0);
    let first = bins.iter().map(|bin| lowest(bin.2)).fold(0.0, f64::min);
    let index = |low: f64| ((low - first) / StepCoverage::BIN).round() as usize;
    let n_bins = bins.iter().filter_map(|bin| bin.2.last()).map(|bin| index(bin.0) + 1).max().unwrap_or(0);
    text += &format!("{:<12}{:>14} ", "metres", "range");
    for bin in 0..n_bins {
        text += &format!("{:>6.1}", first + bin as f64 * StepCoverage::BIN);
    }
    text += "\n";
    for (name, range, counts) in bins {
        text += &format!("{name:<12}{:>6.2}..{:<6.2} ", range.min, range.max);
        for bin in 0..n_bins {
            let count = counts.iter().find(|(low, _)| index(*low) == bin).map_or(0, |(_, count)| *count);
            text += &format!("{:>6}", if count == 0 { "-".to_string() } else { count.to_string() });
        }
        text += "\n";
    }
    text
}

fn to_json(args: &Args, made: &Corpus, rows: &[Row<'_>]) -> Value {
    let take = |row: &Row<'_>| {
        let CorpusTake { name, what, kind, take, .. } = row.take;
        json!({
            "name": name,
            "what": what,
            "kind": kind.name(),
            "level_walk": kind.is_level_walk(),
            "steps": row.steps.len(),
            "frames": take.clip.n_frames(),
            "seconds": row.seconds,
            "way": row.way,
            "mean_speed": row.way / row.moving_seconds,
            "least_feet_apart": row.reach.min,
            "most_feet_apart": row.reach.max,
        })
    };
    let coverage = StepCoverage::of(&walking_steps(rows));
    let coverage = coverage.map(|coverage| {
        let parameter = |(name, range, counts): Parameter<'_>| {
            let counts: Vec<Value> =
                counts.iter().map(|(from, count)| json!({ "from": from, "steps": count })).collect();
            json!({ "name": name.replace(' ', "_"), "min": range.min, "max": range.max, "counts": counts })
        };
        json!({
            "steps": coverage.n_steps,
            "left_steps": coverage.n_left,
            "bin": StepCoverage::BIN,
            "parameters": parameters(&coverage).map(parameter),
        })
    });
    json!({
        "height": args.height,
        "frame_rate": args.frame_rate,
        "steps": rows.iter().map(|row| row.steps.len()).sum::<usize>(),
        "takes": rows.iter().map(take).collect::<Vec<_>>(),
        "coverage": coverage,
        "joints": made.skeleton.joints().len(),
        "folder": args.output.as_ref().map(|folder| folder.display().to_string()),
    })
}

/// Name and content of every file.
fn files(args: &Args, made: &Corpus) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut files = Vec::with_capacity(3 * made.takes.len());
    for CorpusTake { name, take, plan, terrain, .. } in &made.takes {
        let at = |ending: &str| format!("{name}.{ending}");
        let path = at(args.format.ending());
        let options = ConvertOptions::default();
        let converted = convert(&take.clip, Some(&made.body), Some(&take.contacts), args.format.output(), &options)
            .map_err(|error| Failure::of_file("output", &path, error.to_string()))?;
        files.push((path, converted.bytes));
        files.push((at("contacts.json"), own::write_contacts(&take.contacts).into_bytes()));
        files.push((at("plan.json"), own::write_plan(plan).into_bytes()));
        if let Some(terrain) = terrain {
            files.push((at("terrain.json"), own::write_terrain(terrain).into_bytes()));
        }
    }
    Ok(files)
}
