//! `surefoot info`: what a motion file holds, and everything that was assumed about it.

use crate::hints::with_hint;
use crate::import_args::ImportArgs;
use crate::info_table;
use crate::output::Force;
use crate::report::{Failure, Format, print_result, print_text, reason};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use surefoot::formats::{Import, own};
use surefoot::motion::{BodyMap, JointId, Leg, PerSide, Side, Skeleton};

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
    import: ImportArgs,
}

/// Runs `info`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    if info_table::is_single(&args.inputs) {
        return one(&args.inputs[0], args, format);
    }
    if args.body_template {
        return Err(Failure::new("usage", "--body-template needs a single motion file"));
    }
    info_table::run(&args.inputs, &args.import, format)
}

fn one(path: &Path, args: &Args, format: Format) -> Result<(), Failure> {
    let import = args.import.load(path)?;
    if args.body_template {
        return write_template(&import, args, format);
    }
    match format {
        Format::Json => print_result("info", &to_json(path, &import)),
        Format::Human => print_text(&to_text(path, &import, args.joints)),
    }
}

/// Writes the body map that was found, or an empty one to fill in.
fn write_template(import: &Import, args: &Args, format: Format) -> Result<(), Failure> {
    let skeleton = &import.clip.skeleton;
    let template = match &import.body {
        Ok(body) => own::write_body(body, skeleton),
        Err(_) => own::write_blank_body(skeleton),
    };
    match (&args.output, format) {
        (Some(output), _) => args.force.write(output, template.as_bytes()),
        (None, Format::Json) => print_result("info", &json!({ "body_template": template })),
        (None, Format::Human) => print_text(&template),
    }
}

/// Everything as JSON.
pub(crate) fn to_json(path: &Path, import: &Import) -> Value {
    let (clip, assumed) = (&import.clip, &import.assumed);
    let skeleton = &clip.skeleton;
    let legs = import.leg_lengths();
    let joints: Vec<Value> = skeleton
        .joints()
        .iter()
        .map(|joint| {
            let parent = joint.parent.map(|parent| skeleton.name(parent));
            json!({ "name": joint.name, "parent": parent, "parent_index": joint.parent.map(JointId::index) })
        })
        .collect();
    let warnings: Vec<Value> = import
        .warnings
        .iter()
        .map(|warning| json!({ "code": warning.code, "line": warning.line, "message": warning.message }))
        .collect();
    let diagnostics: Vec<Value> = import
        .diagnostics
        .iter()
        .map(|d| json!({ "code": d.code, "detail": d.detail, "message": d.message }))
        .collect();
    json!({
        "file": path.display().to_string(),
        "name": clip.name,
        "frames": clip.n_frames(),
        "dropped_frames": assumed.dropped_frames,
        "frame_rate": clip.frame_rate,
        "declared_frame_rate": assumed.declared_rate,
        "duration": clip.duration(),
        "joints": joints,
        "roots": skeleton.roots().count(),
        "end_sites": skeleton.end_sites().len(),
        "channels": import.n_channels,
        "animations": import.animations,
        "unit": assumed.unit.to_string(),
        "unit_to_metre": assumed.unit.to_metre,
        "unit_reason": assumed.unit_reason.name(),
        "up": assumed.up.motion.name(),
        "rest_up": assumed.up.rest.name(),
        "up_reason": assumed.up_reason.name(),
        "heading": assumed.heading.map(f64::to_degrees),
        "floor": assumed.floor,
        "leg_length": legs.map(|legs| legs.left),
        "leg_lengths": legs.map(|legs| json!({ "left": legs.left, "right": legs.right })),
        "travel": import.travel,
        "has_contacts": import.contacts.is_some(),
        "body": import.body.as_ref().ok().map(|body| body_json(body, skeleton)),
        "body_problem": import.body.as_ref().err().map(ToString::to_string),
        "diagnostics": diagnostics,
        "warnings": warnings,
    })
}

fn body_json(body: &BodyMap, skeleton: &Skeleton) -> Value {
    let name = |joint| skeleton.name(joint);
    let leg = |leg: &Leg| {
        json!({
            "hip": name(leg.hip),
            "knee": name(leg.knee),
            "ankle": name(leg.ankle),
            "ball": leg.ball.map(name),
            "toe": leg.toe.map(|toe| toe.name(skeleton)),
            "sole": {
                "heel": leg.foot.heel.to_array(),
                "ball": leg.foot.ball.to_array(),
                "toe_tip": leg.foot.toe_tip.to_array(),
                "up": leg.foot.up.to_array(),
            },
        })
    };
    let arms = body.arms.map(|arm| {
        arm.map(|arm| {
            json!({
                "clavicle": arm.clavicle.map(name),
                "shoulder": name(arm.shoulder),
                "elbow": name(arm.elbow),
                "wrist": arm.wrist.map(name),
            })
        })
    });
    json!({
        "pelvis": name(body.pelvis),
        "spine": body.spine.iter().map(|&joint| name(joint)).collect::<Vec<_>>(),
        "head": body.head.map(name),
        "left": leg(&body.legs.left),
        "right": leg(&body.legs.right),
        "arms": { "left": arms.left, "right": arms.right },
    })
}

/// Everything for people.
fn to_text(path: &Path, import: &Import, list_joints: bool) -> String {
    let (clip, assumed) = (&import.clip, &import.assumed);
    let skeleton = &clip.skeleton;
    let mut out = Lines(format!("{}\n", path.display()));
    out.line("motion", &motion_text(import));
    if import.animations.len() > 1 {
        out.line("animations", &import.animations.join(", "));
    }
    let n_roots = skeleton.roots().count();
    let roots = if n_roots == 1 { String::new() } else { format!(", {n_roots} roots") };
    let channels = if import.n_channels > 0 { format!(", {} channels", import.n_channels) } else { String::new() };
    let counts = format!("{} joints, {} end sites{roots}{channels}", skeleton.n_joints(), skeleton.end_sites().len());
    out.line("skeleton", &counts);
    let legs = import.leg_lengths();
    let legs = legs.map_or(String::new(), |legs| format!(", legs of {:.3} and {:.3} m", legs.left, legs.right));
    out.line("unit", &format!("{} ({}{legs})", assumed.unit, reason(assumed.unit_reason)));
    let rest =
        if assumed.up.rest == assumed.up.motion { String::new() } else { format!(", rest pose {}", assumed.up.rest) };
    out.line("up", &format!("{}{rest} ({})", assumed.up.motion, reason(assumed.up_reason)));
    if let Some(heading) = assumed.heading {
        out.line(
            "facing",
            &format!("heading {:.0} degrees at the start (0 is +Z, positive to the left)", heading.to_degrees()),
        );
    }
    if let Some(floor) = assumed.floor {
        out.line("floor", &format!("soles stand at {:.1} cm", floor * 100.0));
    }
    if import.body.is_ok() && clip.n_frames() > 1 {
        let travel = import.travel;
        out.line("travel", &format!("{travel:.2} m, {:.2} m/s on average", travel / clip.duration()));
    }
    match &import.body {
        Ok(body) => body_lines(&mut out, body, skeleton),
        Err(error) => out.line("body", &format!("none: {error}")),
    }
    if import.contacts.is_some() {
        out.line("contacts", "in the file");
    }
    for warning in &import.warnings {
        let line = warning.line.map_or(String::new(), |line| format!("line {line}: "));
        out.line("warning", &format!("[{}] {line}{}", warning.code, warning.message));
    }
    for diagnostic in &import.diagnostics {
        out.line("note", &format!("[{}] {}", diagnostic.code, with_hint(diagnostic)));
    }
    if list_joints {
        joint_lines(&mut out, skeleton);
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

fn motion_text(import: &Import) -> String {
    let (clip, assumed) = (&import.clip, &import.assumed);
    let mut text =
        format!("{} frames at {} fps, {:.2} s", clip.n_frames(), short_rate(clip.frame_rate), clip.duration());
    match assumed.dropped_frames {
        0 => {}
        1 => text += ", after 1 artificial first frame was dropped",
        n => text += &format!(", after {n} artificial first frames were dropped"),
    }
    if assumed.declared_rate.is_none() && clip.n_frames() > 1 {
        text += " (rate: the usual one, for nothing tells; --fps gives another)";
    }
    text
}

/// A rate without the noise of its last digits.
pub(crate) fn short_rate(rate: f64) -> String {
    let text = format!("{rate:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn body_lines(out: &mut Lines, body: &BodyMap, skeleton: &Skeleton) {
    let chain = |names: Vec<String>| names.join(" > ");
    let name = |joint| skeleton.name(joint).to_string();
    let mut trunk = vec![name(body.pelvis)];
    trunk.extend(body.spine.iter().map(|&joint| name(joint)));
    trunk.extend(body.head.map(name));
    out.line("trunk", &chain(trunk));
    for (side, leg) in PerSide::from_fn(|side| &body.legs[side]).iter() {
        let mut joints = vec![name(leg.hip), name(leg.knee), name(leg.ankle)];
        joints.extend(leg.ball.map(name));
        joints.extend(leg.toe.map(|toe| toe.name(skeleton)));
        out.line(&format!("{} leg", side.name()), &chain(joints));
    }
    for side in Side::BOTH {
        if let Some(arm) = &body.arms[side] {
            let joints = [arm.clavicle, Some(arm.shoulder), Some(arm.elbow), arm.wrist];
            out.line(&format!("{} arm", side.name()), &chain(joints.into_iter().flatten().map(name).collect()));
        }
    }
}

fn joint_lines(out: &mut Lines, skeleton: &Skeleton) {
    let mut depths: Vec<usize> = Vec::new();
    for joint in skeleton.joints() {
        let depth = joint.parent.map_or(0, |parent| depths[parent.index()] + 1);
        depths.push(depth);
        out.line(if depth == 0 { "joints" } else { "" }, &format!("{}{}", "  ".repeat(depth.min(30)), joint.name));
    }
}
