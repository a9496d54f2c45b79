//! `surefoot retarget`: the motion of one person played by another character, its feet kept on the ground.

use crate::edited_motion::{EditArgs, print_cleanup, print_motion};
use crate::folder::run_folder;
use crate::import_args::{ImportArgs, parse_unit};
use crate::report::{Failure, Format, print_contacts, print_input, print_status};
use crate::run_job::run_job;
use std::path::PathBuf;
use surefoot::jobs::{InputRequest, ReadRequest, RetargetReport, RetargetRequest};

/// Arguments of `retarget`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Motion file: bvh, amc, glb, gltf or fbx; or a folder, of which every motion is retargeted into the folder --output
    input: PathBuf,
    /// Character to animate, a file with its skeleton: bvh, asf, amc, glb, gltf or fbx
    #[arg(long, value_name = "CHARACTER")]
    on: Option<PathBuf>,
    #[command(flatten)]
    edit: EditArgs,
    /// Leave the result as it is retargeted, without footskate cleanup
    #[arg(long, conflicts_with_all = ["terrain", "rigid"])]
    no_clean: bool,
    /// Scale of the root trajectory [default: leg length of the character over that of the source]
    #[arg(long, value_name = "FACTOR", value_parser = parse_scale)]
    scale: Option<f64>,
    /// Plant feet where the source's are, instead of as far apart as the character's legs ask for
    #[arg(long)]
    keep_places: bool,
    /// Keep hands at what they touch: own body, other hand, ground, and things that they hold on to
    #[arg(long)]
    keep_hands: bool,
    /// Body map of the character that overrides the one found
    #[arg(long, alias = "to-body", value_name = "MAP.toml")]
    on_body: Option<PathBuf>,
    /// Unit of the character's file: cm, m, mm, inch, ..., or metres per unit [default: by the length of the legs]
    #[arg(long, value_name = "UNIT", requires = "on", value_parser = parse_unit)]
    on_unit: Option<f64>,
    #[command(flatten)]
    import: ImportArgs,
}

/// Runs `retarget`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let on = match (&args.on, args.edit.old_to()) {
        (Some(on), None) => on.clone(),
        (None, Some(to)) => to.to_path_buf(),
        (Some(_), Some(_)) => return args.edit.check_to(),
        (None, None) => return Err(Failure::new("usage", "--on names the character to animate")),
    };
    let read = ReadRequest { body: args.on_body.clone(), unit_to_metre: args.on_unit, ..ReadRequest::default() };
    let request = RetargetRequest {
        input: args.import.input(&args.input, args.edit.contacts())?,
        on: InputRequest { file: on, read, contacts: None },
        output: args.edit.output()?,
        scale: args.scale,
        keep_places: args.keep_places,
        keep_hands: args.keep_hands,
        cleanup: (!args.no_clean).then(|| args.edit.cleanup()),
        write_contacts: args.edit.write_contacts(),
        report: args.edit.report(),
        if_exists: args.edit.if_exists(),
    };
    if args.input.is_dir() {
        let paths = (args.input.as_path(), args.edit.output_path());
        return run_folder(request, paths, (args.edit.report(), args.edit.if_exists()), format);
    }
    run_job(&request, format, |report| {
        print_report(report, args.no_clean);
        Ok(())
    })
}

fn print_report(report: &RetargetReport, no_clean: bool) {
    print_input(&report.input);
    print_contacts(&report.contacts);
    print_input(&report.on);
    if let Some(missing) = &report.missing {
        print_status(&format!("  WARNING: {missing}"));
    }
    report.notes.iter().for_each(|note| print_status(&format!("  {note}")));
    for touch in report.touches.iter().flatten() {
        let slid = if touch.slid_mm >= 1.0 {
            format!("; the arm is short, so the place is {:.0} mm further along", touch.slid_mm)
        } else {
            String::new()
        };
        let beyond = if touch.beyond_mm >= 1.0 {
            format!("; it is {:.0} mm beyond what the arm reaches", touch.beyond_mm)
        } else {
            String::new()
        };
        print_status(&format!(
            "  {} hand on {}, frames {}..{}: within {:.1} mm of its place, {:.1} mm before{slid}{beyond}",
            touch.hand, touch.what, touch.start, touch.end, touch.after_mm, touch.before_mm
        ));
    }
    if report.touches.as_ref().is_some_and(Vec::is_empty) {
        print_status("  hands touch nothing");
    }
    if !no_clean {
        print_cleanup(&report.written);
    }
    print_motion(&report.written.motion);
}

/// A positive factor of a sane size.
fn parse_scale(text: &str) -> Result<f64, String> {
    let wrong = || "a factor from 0.01 to 100 would be right".to_string();
    text.parse().ok().filter(|scale: &f64| (0.01..=100.0).contains(scale)).ok_or_else(wrong)
}
