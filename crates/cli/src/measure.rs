//! `surefoot measure`: how good a motion is, and whether it passes a gate.

use crate::folder::{folder_without_output, run_folder};
use crate::import_args::ImportArgs;
use crate::measure_table;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format, print_input, print_text};
use crate::run_job::run_job;
use crate::terrain_arg::TerrainArg;
use std::path::PathBuf;
use surefoot::jobs::{MeasureRequest, SkatingDefinition, StancesRequest};

/// Arguments of `measure`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Motion file; or a folder, with --output another folder for a report of each motion
    #[arg(value_name = "CLIP")]
    input: PathBuf,
    /// Folder for the reports, where a folder is measured
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Foot contacts of the motion [default: those that its file carries, or as detected]
    #[arg(long, value_name = "FILE.contacts.json")]
    contacts: Option<PathBuf>,
    /// Footprints that the feet should be planted on
    #[arg(long, value_name = "FILE.plan.json")]
    plan: Option<PathBuf>,
    /// What realises a footprint: a plant of the contacts, or wherever the ball rests near it in the motion
    #[arg(long, alias = "stays", value_enum, value_name = "FROM", default_value = "contacts", requires = "plan")]
    stances: StancesArg,
    /// Path that the pelvis should follow
    #[arg(long, value_name = "FILE.path.json")]
    path: Option<PathBuf>,
    /// Report of the walk through a motion graph that this motion is: what `graph follow --json` printed
    #[arg(long, value_name = "FILE.json")]
    walk: Option<PathBuf>,
    /// Motion that this one should be like, such as the one it was made from (for a folder, a folder of them with the same names); read with the same options. If its skeleton is
    /// the same, its soles are taken for both
    #[arg(long, value_name = "CLIP")]
    reference: Option<PathBuf>,
    #[command(flatten)]
    terrain: TerrainArg,
    /// Whose definition of skating to show; give it again for more
    #[arg(long, value_enum, value_name = "NAME", default_value = "graph")]
    definition: Vec<DefinitionArg>,
    /// Limits on metrics: exit code 1 if one does not hold
    #[arg(long, value_name = "FILE.toml")]
    gate: Option<PathBuf>,
    /// List every plant, footprint and compared joint
    #[arg(long)]
    details: bool,
    #[command(flatten)]
    report: ReportArg,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    import: ImportArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum DefinitionArg {
    Graph,
    Gmd,
    Kimodo,
    Mann,
    Holosoma,
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum StancesArg {
    Contacts,
    Motion,
}

/// Runs `measure`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = MeasureRequest {
        input: args.import.input(&args.input, args.contacts.as_deref())?,
        plan: args.plan.clone(),
        stances: match args.stances {
            StancesArg::Contacts => StancesRequest::Contacts,
            StancesArg::Motion => StancesRequest::Motion,
        },
        path: args.path.clone(),
        walk: args.walk.clone(),
        reference: args.reference.clone(),
        terrain: args.terrain.request(),
        definitions: args.definition.iter().copied().map(SkatingDefinition::from).collect(),
        gate: args.gate.clone(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    match (args.input.is_dir(), args.output.as_deref()) {
        (true, None) => return Err(folder_without_output(&args.input)),
        (true, Some(output)) => {
            let options = (args.report.report.clone(), args.force.if_exists());
            return run_folder(request, (&args.input, output), options, format);
        }
        (false, Some(output)) => {
            let message = "--output is the folder for a folder's reports; --report is the file for one motion's";
            return Err(Failure::of_file("usage", output, message));
        }
        (false, None) => {}
    }
    run_job(&request, format, |report| {
        print_input(&report.subject.input);
        report.reference.iter().for_each(|reference| print_input(&reference.input));
        print_text(&measure_table::to_text(report, args.details))
    })
}

impl From<DefinitionArg> for SkatingDefinition {
    fn from(definition: DefinitionArg) -> SkatingDefinition {
        match definition {
            DefinitionArg::Graph => SkatingDefinition::Graph,
            DefinitionArg::Gmd => SkatingDefinition::Gmd,
            DefinitionArg::Kimodo => SkatingDefinition::Kimodo,
            DefinitionArg::Mann => SkatingDefinition::Mann,
            DefinitionArg::Holosoma => SkatingDefinition::Holosoma,
            DefinitionArg::All => SkatingDefinition::All,
        }
    }
}
