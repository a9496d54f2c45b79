//! `surefoot info`: what a motion file holds, and everything that was assumed about it.

use crate::hints::with_hint;
use crate::import_args::ImportArgs;
use crate::info_table;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, Format, print_text, reason};
use crate::run_job::run_job;
use std::fmt::Write;
use std::path::PathBuf;
use surefoot::jobs::{ArmReport, BodyReport, InfoReport, InfoRequest, InputReport, JointReport, LegReport};

/// Arguments of `info`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Motion file, folder or glob pattern; several give a table
    #[arg(required = true, value_name = "CLIP|FOLDER|GLOB")]
    inputs: Vec<PathBuf>,
    /// Write the body map as a file to start from for --body, instead of the report
    #[arg(long)]
    body_template: bool,
    /// List every joint with its parent
    #[arg(long)]
    joints: bool,
    /// Where --body-template goes [default: standard output]
    #[arg(long, short, value_name = "FILE", requires = "body_template")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    report: ReportArg,
    #[command(flatten)]
    import: ImportArgs,
}

/// Runs `info`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = InfoRequest {
        inputs: args.inputs.clone(),
        read: args.import.request(),
        body_template: args.body_template,
        output: args.output.clone(),
        report: args.report.report.clone(),
        if_exists: args.force.if_exists(),
    };
    run_job(&request, format, |report| match report {
        InfoReport::File(input) => print_text(&to_text(input, args.joints)),
        InfoReport::Template(template) if template.files.is_empty() => print_text(&template.body_template),
        InfoReport::Template(_) => Ok(()),
        InfoReport::Files(files) => print_text(&info_table::to_text(&files.files)),
    })
}

/// Everything for people.
fn to_text(input: &InputReport, list_joints: bool) -> String {
    let mut out = Lines(format!("{}\n", input.file));
    out.line("motion", &motion_text(input));
    if input.animations.len() > 1 {
        out.line("animations", &input.animations.join(", "));
    }
    let roots = if input.roots == 1 { String::new() } else { format!(", {} roots", input.roots) };
    let channels = if input.channels > 0 { format!(", {} channels", input.channels) } else { String::new() };
    let counts = format!("{} joints, {} end sites{roots}{channels}", input.joints.len(), input.end_sites);
    out.line("skeleton", &counts);
    let legs =
        input.leg_lengths.map_or(String::new(), |legs| format!(", legs of {:.3} and {:.3} m", legs.left, legs.right));
    out.line("unit", &format!("{} ({}{legs})", input.unit, reason(&input.unit_reason)));
    let rest = if input.rest_up == input.up { String::new() } else { format!(", rest pose {}", input.rest_up) };
    out.line("up", &format!("{}{rest} ({})", input.up, reason(&input.up_reason)));
    if let Some(heading) = input.heading {
        out.line("facing", &format!("heading {heading:.0} degrees at the start (0 is +Z, positive to the left)"));
    }
    if let Some(floor) = input.floor {
        out.line("floor", &format!("soles are at {:.1} cm", floor * 100.0));
    }
    if input.body.is_some() && input.frames > 1 {
        let travel = input.travel;
        out.line("travel", &format!("{travel:.2} m, {:.2} m/s on average", travel / input.duration));
    }
    match &input.body {
        Some(body) => body_lines(&mut out, body),
        None => out.line("body", &format!("none: {}", input.body_problem.as_deref().unwrap_or_default())),
    }
    if input.has_contacts {
        out.line("contacts", "in the file");
    }
    note_lines(&mut out, input);
    if list_joints {
        joint_lines(&mut out, &input.joints);
    }
    out.0
}

/// Lines of a label and a text.
struct Lines(String);

impl Lines {
    fn line(&mut self, label: &str, text: &str) {
        writeln!(self.0, "  {label:<10} {text}").expect("a String takes all that is written");
    }
}

fn note_lines(out: &mut Lines, input: &InputReport) {
    for warning in &input.warnings {
        let line = warning.line.map_or(String::new(), |line| format!("line {line}: "));
        out.line("warning", &format!("[{}] {line}{}", warning.code, warning.message));
    }
    for diagnostic in &input.diagnostics {
        out.line("note", &format!("[{}] {}", diagnostic.code, with_hint(diagnostic)));
    }
}

fn motion_text(input: &InputReport) -> String {
    let mut text = format!("{} frames at {} fps, {:.2} s", input.frames, short_rate(input.frame_rate), input.duration);
    match input.dropped_frames {
        0 => {}
        1 => text += ", after 1 artificial first frame was dropped",
        n => text += &format!(", after {n} artificial first frames were dropped"),
    }
    if input.declared_frame_rate.is_none() && input.frames > 1 {
        text += " (rate: the usual one, for nothing shows another; --source-rate gives one)";
    }
    text
}

/// A rate without the noise of its last digits.
pub(crate) fn short_rate(rate: f64) -> String {
    let text = format!("{rate:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn body_lines(out: &mut Lines, body: &BodyReport) {
    let trunk = std::iter::once(&body.pelvis).chain(&body.spine).chain(&body.head);
    out.line("trunk", &chain(trunk));
    for (side, LegReport { hip, knee, ankle, ball, toe, .. }) in [("left", &body.left), ("right", &body.right)] {
        out.line(&format!("{side} leg"), &chain([hip, knee, ankle].into_iter().chain(ball).chain(toe)));
    }
    for (side, arm) in [("left", &body.arms.left), ("right", &body.arms.right)] {
        if let Some(ArmReport { clavicle, shoulder, elbow, wrist }) = arm {
            out.line(&format!("{side} arm"), &chain(clavicle.iter().chain([shoulder, elbow]).chain(wrist)));
        }
    }
}

fn chain<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(String::as_str).collect::<Vec<_>>().join(" > ")
}

fn joint_lines(out: &mut Lines, joints: &[JointReport]) {
    let mut depths: Vec<usize> = Vec::new();
    for joint in joints {
        let depth = joint.parent_index.map_or(0, |parent| depths[parent] + 1);
        depths.push(depth);
        out.line(if depth == 0 { "joints" } else { "" }, &format!("{}{}", "  ".repeat(depth.min(30)), joint.name));
    }
}
