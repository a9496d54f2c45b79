//! `surefoot steps prune`: a database without near-duplicates.

use crate::output::{Force, is_stdout};
use crate::report::{Failure, Format, print_result, say};
use serde_json::json;
use std::path::PathBuf;
use surefoot::formats::own;
use surefoot::load_steps;
use surefoot::motion::Side;
use surefoot::steps::{PruneOptions, prune_steps};

/// Arguments of `steps prune`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Step database
    #[arg(value_name = "FILE.steps")]
    input: PathBuf,
    /// The thinner database; `-` is standard output
    #[arg(long, short, value_name = "FILE.steps")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    /// Steps nearer than this are alike, in centimetres of foot placement; 19 degrees of a foot's heading or 0.33 s
    /// count as 10
    #[arg(long, value_name = "CM", default_value = "10", value_parser = super::parse_centimetres)]
    within: f64,
}

/// Runs `steps prune`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    args.force.check(&args.output, format)?;
    let database = load_steps(&args.input)?;
    let pruned = prune_steps(&database, &PruneOptions { within: args.within });
    let bytes = own::write_steps(&pruned);
    args.force.write(&args.output, &bytes)?;
    let (before, after) = (database.steps().len(), pruned.steps().len());
    let on_hull = |side: Side| pruned.space(side).delaunay().hull_vertices().len();
    let n_hull = on_hull(Side::Left) + on_hull(Side::Right);
    match format {
        Format::Json => {
            let result = json!({
                "input": args.input.display().to_string(),
                "output": args.output.display().to_string(),
                "within": args.within,
                "steps_before": before,
                "steps": after,
                "on_hull": n_hull,
                "bytes": bytes.len(),
            });
            print_result("steps prune", &result)?;
        }
        Format::Human => {
            say(&format!("{after} of {before} steps stay; {n_hull} of them span the hulls, which are as before"));
            if !is_stdout(&args.output) {
                say(&format!("wrote {}: {:.1} MB", args.output.display(), bytes.len() as f64 / 1e6));
            }
        }
    }
    Ok(())
}
