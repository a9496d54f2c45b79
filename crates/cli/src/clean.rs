//! `surefoot clean`: feet that are meant to stand stand still.

use crate::edited_motion::{EditArgs, Edited, Source, clean_take};
use crate::import_args::ImportArgs;
use crate::output::{check_distinct, check_svg};
use crate::report::{ENVELOPE, Failure, Format, print_result, say, tell_import};
use serde_json::{Value, json};
use std::path::PathBuf;
use surefoot::CleanForm;
use surefoot::cleanup::{footskate::CleanOptions, footskate::FootRoll, footskate::MAX_STRETCH, footskate::Spans};
use surefoot::contact::Take;
use surefoot::contact::{
    metrics::Figure, metrics::MeasureOptions, metrics::Measures, metrics::Reference, metrics::measure_take,
};
use surefoot::ground::Terrain;
use surefoot::picture::{CleanupPlot, cleanup_plot};

/// Arguments of `clean`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Motion file: bvh, amc, glb, gltf or fbx
    input: PathBuf,
    #[command(flatten)]
    edit: EditArgs,
    /// Clean frame by frame, as a stream would be, some frames behind; the result is the same
    #[arg(long)]
    online: bool,
    /// Write every measure before and after
    #[arg(long, value_name = "FILE.json")]
    report: Option<PathBuf>,
    /// Draw heights and drift of heels and balls, knees and pelvis, before and after
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    method: MethodArgs,
    #[command(flatten)]
    import: ImportArgs,
}

/// How it is done.
#[derive(clap::Args)]
#[command(next_help_heading = "Method (times in seconds)")]
struct MethodArgs {
    /// What a foot does about its long axis while heel and ball stand
    #[arg(long, value_enum, default_value = "flat")]
    roll: Roll,
    /// A plant is where the foot is on the mean over this time from its beginning on [default: 0.333]
    #[arg(long, value_name = "S", value_parser = parse_time)]
    plant_average: Option<f64>,
    /// Turns of a flat foot fade over this time while heel or ball alone stands [default: 0.233]
    #[arg(long, value_name = "S", value_parser = parse_time)]
    ankle_blend: Option<f64>,
    /// Moves of the pelvis are averaged over this time to both sides [default: 0.233]
    #[arg(long, value_name = "S", value_parser = parse_time)]
    root_filter: Option<f64>,
    /// Changes fade over this time before and after a plant [default: 0.233]
    #[arg(long, value_name = "S", value_parser = parse_time)]
    blend_off: Option<f64>,
    /// Knees straighter than this turn less, in degrees from 0 to 180 [default: 160.4]
    #[arg(long, value_name = "DEG", value_parser = parse_angle)]
    knee_damping_from: Option<f64>,
    /// How much of its planted feet's moves the pelvis takes over, 0 to 1 [default: 0.5]
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    root_follows: Option<f64>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Roll {
    /// The sole lies on the ground
    Flat,
    /// As recorded
    Keep,
}

/// The figures that people are told; the report has all.
const TOLD: [&str; 7] = [
    "drift_max",
    "penetration_max",
    "stretch_max",
    "leg_extension_max",
    "knee_acceleration_p99",
    "rotation_step_max",
    "pelvis_jerk_mean",
];

/// Legs stretch by less than this wherever they can reach.
const REACHED: f64 = 1.05 * MAX_STRETCH;

/// Runs `clean`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    args.edit.check(format)?;
    args.plot.as_deref().map_or(Ok(()), check_svg)?;
    let extras = || args.report.iter().chain(&args.plot).map(PathBuf::as_path);
    check_distinct(args.edit.outputs().chain(extras()))?;
    for path in extras() {
        args.edit.force().check(path, format)?;
    }
    let source = args.edit.load(&args.input, &args.import)?;
    let options = options(args);
    let form = if args.online { CleanForm::Online } else { CleanForm::Offline };
    if format == Format::Human {
        tell_import(&source.import);
        source.tell_contacts();
        if args.online {
            let delay = Spans::new(&options, source.take.clip.frame_rate).delay();
            say(&format!("  as a stream, {delay} frames ({:.2} s) behind", delay as f64 / source.take.clip.frame_rate));
        }
    }
    let edited = clean_take(&source.take, source.terrain.clone(), &options, form, format);
    let comparison = Comparison::new(&source, &edited);
    if format == Format::Human {
        say(&comparison.table());
        comparison.tell_stretch();
    }
    write_extras(args, &source, &edited, &comparison)?;
    let written = args.edit.write(&edited, Some(&source.body), &source.import, format)?;
    if format == Format::Json {
        let result = json!({
            "input": crate::info::to_json(&args.input, &source.import),
            "contacts": source.contacts_json(),
            "figures": comparison.to_json(),
            "written": written,
        });
        print_result("clean", &result)?;
    }
    Ok(())
}

fn options(args: &Args) -> CleanOptions {
    let usual = args.edit.clean_options();
    let method = &args.method;
    CleanOptions {
        foot_roll: match method.roll {
            Roll::Flat => FootRoll::Flat,
            Roll::Keep => FootRoll::Keep,
        },
        plant_average: method.plant_average.unwrap_or(usual.plant_average),
        ankle_blend: method.ankle_blend.unwrap_or(usual.ankle_blend),
        root_filter: method.root_filter.unwrap_or(usual.root_filter),
        blend_off: method.blend_off.unwrap_or(usual.blend_off),
        knee_damping_from: method.knee_damping_from.unwrap_or(usual.knee_damping_from),
        root_follows: method.root_follows.unwrap_or(usual.root_follows),
        ..usual
    }
}

/// The report and the plot, where asked.
fn write_extras(args: &Args, source: &Source, edited: &Edited, comparison: &Comparison) -> Result<(), Failure> {
    if let Some(path) = &args.report {
        let report = json!({
            "surefoot": ENVELOPE,
            "command": "clean",
            "result": {
                "input": args.input.display().to_string(),
                "contacts": source.contacts_json(),
                "figures": comparison.to_json(),
            },
        });
        args.edit.force().write(path, format!("{report:#}\n").as_bytes())?;
    }
    if let Some(path) = &args.plot {
        let ground = |at| comparison.terrain.height(at);
        let (before, after) = (&source.take.clip, &edited.take.clip);
        let plot = CleanupPlot::measure(before, after, &source.body, &edited.take.contacts, ground);
        args.edit.force().write(path, cleanup_plot(&plot).as_bytes())?;
    }
    Ok(())
}

/// Every measure before and after, on the same ground and with the same plants.
struct Comparison {
    terrain: Terrain,
    /// Whether the terrain is a guess that knows no more than where feet stood: nothing is then in the ground or out of it.
    is_climb: bool,
    before: Vec<Figure>,
    after: Vec<Figure>,
}

impl Comparison {
    fn new(source: &Source, edited: &Edited) -> Comparison {
        let terrain = edited.terrain.clone().unwrap_or_default();
        let is_climb = edited.levels.as_ref().is_some_and(|levels| levels.len() > 1);
        let measures = |take: &Take| -> Measures {
            let reference = Reference { clip: &source.take.clip, body: &source.body };
            let options = MeasureOptions { reference: Some(reference), ..MeasureOptions::default() };
            measure_take(take, &terrain, &options)
        };
        let [before, after] = [&source.take, &edited.take].map(|take| measures(take).figures());
        Comparison { terrain, is_climb, before, after }
    }

    /// Figures of both, by their common name.
    fn pairs(&self) -> impl Iterator<Item = (Option<&Figure>, &Figure)> {
        self.after.iter().map(|after| (self.before.iter().find(|before| before.name() == after.name()), after))
    }

    fn table(&self) -> String {
        let is_told = |name: &str| TOLD.contains(&name) && !(self.is_climb && name == "penetration_max");
        let told = self.pairs().filter(|(_, after)| is_told(after.name()));
        let rows = told.map(|(before, after)| {
            let before = before.map_or("-".to_string(), |before| format!("{:.4}", before.shown()));
            format!("  {:<24} {before:>12} -> {:<12.4} {}", after.name(), after.shown(), after.unit())
        });
        rows.collect::<Vec<String>>().join("\n")
    }

    /// Warns of legs that cannot reach where their feet are planted.
    fn tell_stretch(&self) {
        let too_long = |figure: &&Figure| figure.name() == "stretch_max" && figure.value > REACHED;
        if let Some(figure) = self.after.iter().find(too_long) {
            let place = figure.place.as_deref().unwrap_or("a leg");
            let frame = figure.frame.map_or(String::new(), |frame| format!(" in frame {frame}"));
            say(&format!(
                "  warning[stretch] {place} is stretched by {:.1} %{frame}: a foot is planted out of reach; check the contacts, \
                 or the terrain",
                figure.shown()
            ));
        }
    }

    fn to_json(&self) -> Vec<Value> {
        let figure = |(before, after): (Option<&Figure>, &Figure)| {
            json!({
                "name": after.name(),
                "unit": after.unit(),
                "before": before.map(Figure::shown),
                "after": after.shown(),
                "place": after.place,
                "frame": after.frame,
                "frame_rate": after.frame_rate,
                "threshold": after.definition.threshold,
                "about": after.definition.about,
            })
        };
        self.pairs().map(figure).collect()
    }
}

fn parse_time(text: &str) -> Result<f64, String> {
    let wrong = || "a time from 0 to 10 seconds would be right".to_string();
    text.parse().ok().filter(|time: &f64| (0.0..=10.0).contains(time)).ok_or_else(wrong)
}

fn parse_angle(text: &str) -> Result<f64, String> {
    let wrong = || "an angle from 0 to 180 degrees would be right".to_string();
    let angle = text.parse().ok().filter(|angle: &f64| (0.0..=180.0).contains(angle));
    angle.map(f64::to_radians).ok_or_else(wrong)
}

fn parse_share(text: &str) -> Result<f64, String> {
    let wrong = || "a share from 0 to 1 would be right".to_string();
    text.parse().ok().filter(|share: &f64| (0.0..=1.0).contains(share)).ok_or_else(wrong)
}
