//! `surefoot evaluate`: recordings walked again with the steps of others.

use crate::contacts::DetectArgs;
use crate::import_args::ImportArgs;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format, print_corrected_rate, print_status};
use crate::run_job::{print_text_or_status, run_job};
use std::fmt::Write;
use std::path::PathBuf;
use surefoot::jobs::{
    CandidatesRow, EvaluateReport, EvaluateRequest, EvaluatedClipReport, EvaluatedMetricReport, MethodReport, Split,
};
use surefoot::steps::{Method, Region};

/// Arguments of `evaluate`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Motion files (bvh, amc, glb, gltf or fbx), folders or glob patterns [default: the built-in corpus]
    ///
    /// The actor of a clip is the part before the first `_`, `-`, dot or space of its name.
    #[arg(value_name = "CLIPS")]
    clips: Vec<PathBuf>,
    /// Step database; steps of a clip's name, and then of its actor, are left out for it [default: built from the clips, or
    /// the built-in corpus]
    #[arg(long, value_name = "FILE.steps", requires = "clips")]
    db: Option<PathBuf>,
    /// File whose skeleton all clips are brought to [default: that of the first clip that can be used]
    #[arg(long, alias = "skeleton", value_name = "CHARACTER", requires = "clips", conflicts_with = "db")]
    on: Option<PathBuf>,
    /// Keep frame rates as files declare them [default: the likely rate, where nobody falls or walks at the declared one]
    #[arg(long, conflicts_with = "source_rate")]
    keep_rates: bool,
    /// Print every clip, not only the distributions
    #[arg(long)]
    list: bool,
    /// Folder for what can be looked at: every clip's walk, recording and plan
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Draw every clip's value of every metric beside its target
    #[arg(long, alias = "plot", value_name = "FILE.png|.svg")]
    picture: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    #[command(flatten)]
    detect: DetectArgs,
    #[command(flatten)]
    import: ImportArgs,
}

/// Runs `evaluate`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = EvaluateRequest {
        clips: args.clips.clone(),
        db: args.db.clone(),
        on: args.on.clone(),
        read: args.import.request(),
        keep_rates: args.keep_rates,
        detect: args.detect.options().into(),
        output: args.output.clone(),
        picture: args.picture.clone(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| {
        for clip in &report.clips {
            print_corrected_rate(&clip.clip, clip.corrected_rate);
            if let Some(reason) = &clip.left_out {
                print_status(&format!("left out: {}: {reason}", clip.clip));
            }
            for refused in &clip.not_walked {
                let method = refused.method.as_ref().map_or(String::new(), |method| format!(", {method}"));
                print_status(&format!("not walked: {} ({}{method}): {}", clip.clip, refused.split, refused.reason));
            }
        }
        print_text_or_status(&request, &to_text(report, args.list))
    })
}

fn compared(report: &EvaluateReport) -> impl Iterator<Item = &EvaluatedClipReport> {
    report.clips.iter().filter(|clip| clip.left_out.is_none())
}

/// Writing to a string cannot fail.
macro_rules! put {
    ($text:expr, $($arg:tt)*) => {{
        let _ = write!($text, $($arg)*);
    }};
}

fn to_text(report: &EvaluateReport, list: bool) -> String {
    let n_clips = compared(report).count();
    let n_footprints: usize = compared(report).map(|clip| clip.footprints).sum();
    let mut text = format!(
        "{n_clips} clips with {n_footprints} footprints, {} left out; {} steps in the database\n",
        report.clips.len() - n_clips,
        report.database_steps
    );
    text += "actor known: without the clip's steps; actor unknown: without all steps of its actor\n";
    let origins: Vec<String> = report.origins.iter().map(|(name, n)| format!("{n} {name}")).collect();
    put!(text, "steps, {}: {}\n\n", report.judged, origins.join(", "));
    if list {
        list_clips(&mut text, report);
    }
    list_metrics(&mut text, "Stride Space, by clip", &report.metrics, &report.judged);
    let of_clips = |metric: &&EvaluatedMetricReport| metric.per == "clip" && metric.split == report.judged;
    if let Some(metric) = report.climbing.iter().find(of_clips) {
        let n_clips = metric.spread.n;
        let title = format!("\nup and down, {n_clips} clips");
        list_metrics(&mut text, &title, &report.climbing, &report.judged);
    }
    list_methods(&mut text, report);
    list_courses(&mut text, report, list);
    list_candidates(&mut text, report);
    text
}

fn list_courses(text: &mut String, report: &EvaluateReport, list: bool) {
    if report.courses.is_empty() {
        return;
    }
    put!(
        text,
        "\n{:<32}{:>7}{:>8}{:>8}{:>8}{:>7}{:>7}",
        "cm, actor unknown",
        "clips",
        "steps",
        "of rec.",
        "mean",
        "median",
        "p90"
    );
    for region in Region::ALL {
        put!(text, "{:>8}", region.name());
    }
    put!(text, "{:>9}\n", "to walks");
    for row in &report.courses {
        let errors = &row.by_landing_cm;
        put!(
            text,
            "  {:<30}{:>7}{:>8}{:>8}{:>8.2}{:>7.2}{:>7.2}",
            format!("{}: {}", row.behaviour, row.method),
            errors.n,
            row.steps,
            row.of_recordings,
            errors.mean,
            errors.median,
            errors.p90
        );
        for region in Region::ALL {
            put!(text, "{:>8.2}", row.regions_by_landing_cm.get(region.name()).copied().unwrap_or(f64::NAN));
        }
        put!(text, "{:>9}\n", row.over_walking.map_or("-".to_string(), |over| format!("{over:.2}")));
    }
    put!(
        text,
        "  joint error by landing over runs, jumps, hops and stairs, means of clips; of rec.: steps that recordings made;\n  \
         to walks: median over that of level walks by Stride Space, actor unknown; {} clips in no row\n",
        report.courses_left_out.len()
    );
    for left_out in report.courses_left_out.iter().filter(|_| list) {
        put!(text, "  in no row: {} ({}): {}\n", left_out.clip, left_out.method, left_out.reason);
    }
}

/// The table of targets.
fn list_metrics(text: &mut String, title: &str, metrics: &[EvaluatedMetricReport], judged: &str) {
    let mut row = |indent: &str, name: &str, cells: [&str; 7]| {
        let [unit, median, p90, worst, recorded, target, met] = cells;
        let name = format!("{indent}{name}");
        put!(text, "{name:<42}{unit:>5}{median:>9}{p90:>9}{worst:>9}{recorded:>10}{target:>8}{met:>7}\n");
    };
    row("", title, ["unit", "median", "p90", "worst", "recorded", "target", "met"]);
    for metric in metrics {
        let split = if metric.split == judged { String::new() } else { format!(", {}", metric.split) };
        let per = if metric.per == "clip" { "" } else { " *" };
        let name = format!("{}{split}{per}", metric.name);
        let unit = if metric.unit.is_empty() { "x" } else { &metric.unit };
        let spread = &metric.spread;
        let recorded = metric.recording.map_or("-".to_string(), number);
        let target = metric.target.map_or("-".to_string(), |target| format!("{target}"));
        let met = metric.met_percent.map_or("-".to_string(), |met| format!("{met:.0} %"));
        let [median, p90, worst] = [spread.median, spread.p90, spread.worst].map(number);
        row("  ", &name, [unit, &median, &p90, &worst, &recorded, &target, &met]);
    }
    text.push_str("  * by footprint; recorded: median of the recordings' own values\n");
}

/// With as many decimals as are of use.
fn number(value: f64) -> String {
    match value.abs() {
        size if size < 0.005 => format!("{value:.4}"),
        size if size < 100.0 => format!("{value:.2}"),
        _ => format!("{value:.0}"),
    }
}

fn list_methods(text: &mut String, report: &EvaluateReport) {
    for split in Split::ALL {
        let methods: Vec<&MethodReport> = report.methods.iter().filter(|method| method.split == split.name()).collect();
        if methods.is_empty() {
            continue;
        }
        put!(
            text,
            "\n{:<34}{:>7}{:>8}{:>7}{:>7}{:>8}",
            format!("cm, {}, {} clips", split.name(), methods[0].by_landing_cm.n),
            "mean",
            "median",
            "p90",
            "worst",
            "time"
        );
        for region in Region::ALL {
            put!(text, "{:>8}", region.name());
        }
        put!(text, "{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}\n", "to GP", "to SS", "acc", "jerk", "cost", "seam");
        let n_clips = methods[0].by_landing_cm.n;
        for method in methods {
            let errors = &method.by_landing_cm;
            let fewer = if errors.n < n_clips { format!(" ({})", errors.n) } else { String::new() };
            put!(
                text,
                "  {:<32}{:>7.2}{:>8.2}{:>7.2}{:>7.2}{:>8.2}",
                format!("{}{}{fewer}", if method.is_ablation { "- " } else { "" }, method.method),
                errors.mean,
                errors.median,
                errors.p90,
                errors.worst,
                method.plain_time_cm.median
            );
            for region in Region::ALL {
                put!(text, "{:>8.2}", method.regions_by_landing_cm.get(region.name()).copied().unwrap_or(f64::NAN));
            }
            let percent = |over: Option<f64>| {
                over.map_or("-".to_string(), |over| format!("{:+.0} %", (100.0 * (over - 1.0)).round() + 0.0))
            };
            let [over_process, over_main] = [method.over_gaussian_process, method.over_stride_space].map(percent);
            let ratio = |value: Option<f64>| value.map_or("-".to_string(), |value| format!("{value:.2}"));
            let [knees, jerk] = [method.knee_acceleration_ratio, method.pelvis_jerk_ratio].map(ratio);
            put!(
                text,
                "{over_process:>8}{over_main:>8}{knees:>8}{jerk:>8}{:>8.3}{:>8.2}\n",
                method.choice_cost,
                method.seam_cm
            );
        }
    }
    text.push_str(
        "  joint error by landing; time: median in plain time; regions: means; (n): clips, if fewer\n  \
         to GP, to SS: mean against the Gaussian process and Stride Space, over the clips that both walk\n  \
         rows with -: Stride Space with one part changed; acc, jerk: knees and pelvis over the recording, medians\n  \
         cost: of the chosen steps; seam: cm that postures of successive steps differ by before they are joined\n",
    );
}

fn list_candidates(text: &mut String, report: &EvaluateReport) {
    put!(text, "\n{:<46}{:>12}{:>12}\n", "candidates (STRIDE 7.4)", "here", "paper");
    let (here, paper) = (candidates(&report.candidates.here), candidates(&report.candidates.paper));
    for ((what, here), (_, paper)) in here.iter().zip(&paper) {
        put!(text, "  {what:<44}{here:>12}{paper:>12}\n");
    }
    let loss = format!("up to {:.0}", report.candidates.paper.weight_loss);
    let here = report.candidates.here.weight_loss;
    put!(text, "  {:<44}{here:>12.1}{loss:>12}\n", "weight before over after, mean");
}

fn list_clips(text: &mut String, report: &EvaluateReport) {
    let (known, main) = (Split::ActorKnown.name(), Method::StrideSpace.name());
    let judged = &report.judged;
    put!(text, "{:<24}{:>6}", "clip", "steps");
    for head in [
        "known", "unkn", "time", "GP", "knees", "jerk", "pelvis", "ground", "deep", "feet", "(rec)", "mid", "60 %",
        "move",
    ] {
        put!(text, "{head:>8}");
    }
    text.push('\n');
    for clip in compared(report) {
        put!(text, "  {:<22}{:>6}", clip.clip, clip.footprints.saturating_sub(2));
        let error = |split: &str, method: &str| clip.walk(split, method).map(|walk| walk.by_landing_cm.all);
        let walk = clip.walk(judged, main);
        let cells = [
            error(known, main),
            error(Split::ActorUnknown.name(), main),
            walk.map(|walk| walk.plain_time_cm.all),
            error(judged, Method::GaussianProcess.name()),
            walk.and_then(|walk| walk.knee_acceleration_ratio),
            walk.and_then(|walk| walk.pelvis_jerk_ratio),
            walk.and_then(|walk| walk.pelvis_bias_cm),
            walk.map(|walk| walk.motion.in_ground_percent),
            walk.map(|walk| walk.motion.deepest_mm),
            walk.map(|walk| walk.motion.feet_apart_cm),
            clip.recording.map(|recording| recording.feet_apart_cm),
            walk.and_then(|walk| walk.mid_stance_max_mm),
            walk.and_then(|walk| walk.middle_60_max_mm),
            walk.and_then(|walk| walk.motion.foot_jump),
        ];
        for cell in cells {
            put!(text, "{:>8}", cell.map_or("-".to_string(), |value| format!("{value:.2}")));
        }
        text.push('\n');
    }
    put!(
        text,
        "  known, unkn, time, GP: joint error in cm, with the actor known, unknown, in plain time, by the Gaussian process\n"
    );
    put!(
        text,
        "  knees, jerk: over the recording; pelvis: cm higher; ground: % of frames, deep: mm; feet: least cm apart\n"
    );
    put!(
        text,
        "  mid, 60 %: ball from footprint, largest, mm; move: foot movement over neighbour frames; all but known: {judged}\n\n"
    );
}

/// The first five numbers of STRIDE 7.4; the sixth is a mean here and the largest in the paper.
fn candidates(row: &CandidatesRow) -> [(&'static str, String); 5] {
    [
        ("steps inside the hull", row.steps.to_string()),
        ("candidates for each neighbour", format!("{:.2}", row.candidates_per_neighbour)),
        ("neighbours with any", format!("{} of {}", row.neighbours_with_candidates, row.neighbours)),
        ("  replaced of those, %", format!("{:.1}", row.replaced_of_those_percent)),
        ("  replaced of all, %", format!("{:.1}", row.replaced_of_all_percent)),
    ]
}
