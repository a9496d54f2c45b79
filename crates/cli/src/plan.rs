//! `surefoot plan`: paths and foot plans.

mod path;
mod steps;

use crate::contacts::{DetectArgs, feet};
use crate::import_args::ImportArgs;
use crate::output::{Force, is_stdout};
use crate::report::{Failure, Format, print_result, say, tell_import};
use serde_json::json;
use std::path::PathBuf;
use surefoot::contact::{FootPlan, Take, detect_contacts};
use surefoot::formats::own;
use surefoot::motion::Side;
use surefoot::plan::extract_plan;

/// Arguments of `plan`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// A smooth path through a scene of obstacles, from start to goal with a clearance
    Path(path::Args),
    /// Footprints along a path: left and right in turn, shorter steps in bends, on no obstacle
    Steps(steps::Args),
    /// The footprints that a motion really took, with headings, swing and support times
    Extract(Box<ExtractArgs>),
}

/// Arguments of `plan extract`.
#[derive(clap::Args)]
struct ExtractArgs {
    /// Motion file: bvh, amc, glb, gltf or fbx
    input: PathBuf,
    /// Foot plan; `-` is standard output
    #[arg(long, short, value_name = "FILE.plan.json")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    /// When feet stand [default: as the motion's file tells, or detected]
    #[arg(long, value_name = "FILE.contacts.json")]
    contacts: Option<PathBuf>,
    #[command(flatten)]
    detect: DetectArgs,
    #[command(flatten)]
    import: ImportArgs,
}

/// Runs `plan`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    match &args.command {
        Command::Path(args) => path::run(args, format),
        Command::Steps(args) => steps::run(args, format),
        Command::Extract(args) => extract(args, format),
    }
}

fn extract(args: &ExtractArgs, format: Format) -> Result<(), Failure> {
    args.force.check(&args.output, format)?;
    let (import, given) = args.import.load_with_contacts(&args.input, args.contacts.as_deref())?;
    if format == Format::Human {
        tell_import(&import);
    }
    let body = feet(&import, &args.input)?;
    let source = match (&given, &args.contacts) {
        (Some(_), Some(_)) => "given",
        (Some(_), None) => "in the motion's file",
        (None, _) => "detected",
    };
    let contacts = given.unwrap_or_else(|| {
        let poses = import.clip.world();
        detect_contacts(&poses, body, import.clip.frame_rate, &args.detect.options()).contacts
    });
    let plan = extract_plan(&Take { clip: import.clip.clone(), contacts });
    // What nobody could walk is not written: no command would read it.
    surefoot::plan::PlanChecker::default().check(&plan).map_err(|error| {
        Failure::of_file(
            "infeasible",
            &args.input,
            format!("the contacts ({source}) are no plan that can be walked: {error}"),
        )
    })?;
    args.force.write(&args.output, own::write_plan(&plan).as_bytes())?;
    tell(args, &plan, source, format)
}

fn tell(args: &ExtractArgs, plan: &FootPlan, source: &str, format: Format) -> Result<(), Failure> {
    let n_of = |side: Side| plan.footprints.iter().filter(|footprint| footprint.side == side).count();
    let steps = || plan.footprints.iter().skip(2);
    let mean = |times: &mut dyn Iterator<Item = f64>| {
        let times: Vec<f64> = times.collect();
        (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64)
    };
    let swing = mean(&mut steps().filter_map(|footprint| footprint.swing));
    let support = mean(&mut steps().filter_map(|footprint| footprint.support));
    match format {
        Format::Json => {
            let result = json!({
                "output": args.output.display().to_string(),
                "contacts": source,
                "footprints": plan.footprints.len(),
                "left": n_of(Side::Left),
                "right": n_of(Side::Right),
                "mean_swing_seconds": swing,
                "mean_support_seconds": support,
            });
            print_result("plan extract", &result)
        }
        Format::Human => {
            let seconds = |time: Option<f64>| time.map_or("unknown".to_string(), |time| format!("{time:.2} s"));
            say(&format!(
                "{} footprints (left {}, right {}), contacts {source}; mean swing {}, mean support {}",
                plan.footprints.len(),
                n_of(Side::Left),
                n_of(Side::Right),
                seconds(swing),
                seconds(support)
            ));
            if !is_stdout(&args.output) {
                say(&format!("wrote {}", args.output.display()));
            }
            Ok(())
        }
    }
}
