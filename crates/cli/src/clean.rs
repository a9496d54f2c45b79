//! `surefoot clean`: planted feet that remain planted.

use crate::character_args::{CharacterArgs, print_character};
use crate::edited_motion::{EditArgs, print_cleanup, print_motion};
use crate::folder::run_folder;
use crate::import_args::ImportArgs;
use crate::report::{Failure, Format, print_contacts, print_input, print_status};
use crate::run_job::run_job;
use std::path::PathBuf;
use surefoot::jobs::{
    CleanReport, CleanRequest, CleanupReport, CleanupRequest, DeadMotion, MetricChange, PopsRequest, RestoreReport,
    RollRequest, TiltedFloor,
};

/// Arguments of `clean`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Motion file: bvh, amc, glb, gltf or fbx; or a folder, of which every motion is cleaned into the folder --output
    input: PathBuf,
    #[command(flatten)]
    edit: EditArgs,
    /// Clean frame by frame, as a stream would be, some frames behind; the result is the same
    #[arg(long)]
    online: bool,
    /// Restore first: joint noise, drift of the root and a wrong scale are taken out, for motion from video or other bodies
    #[arg(long, conflicts_with = "online")]
    restore: bool,
    /// Draw heights and drift of heels and balls, knees and pelvis, before and after
    #[arg(long, alias = "plot", value_name = "FILE.svg")]
    picture: Option<PathBuf>,
    /// What to do where legs would pop and did not in the recording
    #[arg(long, value_enum, value_name = "WHAT", default_value = "yield")]
    pops: PopsArg,
    /// What becomes of frames that are no motion: frozen or thrown elsewhere
    #[arg(long, value_enum, value_name = "WHAT", default_value = "keep")]
    dead: Dead,
    /// Limits on metrics of the result: exit code 1 if one does not hold
    #[arg(long, value_name = "FILE.toml")]
    gate: Option<PathBuf>,
    #[command(flatten)]
    character: CharacterArgs,
    #[command(flatten)]
    method: MethodArgs,
    #[command(flatten)]
    import: ImportArgs,
}

/// How it is done.
#[derive(clap::Args)]
#[command(next_help_heading = "Method (times in seconds)")]
struct MethodArgs {
    /// What a foot does about its long axis while heel and ball are planted
    #[arg(long, value_enum, default_value = "flat")]
    roll: Roll,
    /// A plant is where the foot is on the mean over this time from its beginning on [default: 0.333]
    #[arg(long, value_name = "S", value_parser = parse_time)]
    plant_average: Option<f64>,
    /// Turns of a flat foot fade over this time while heel or ball alone is planted [default: 0.233]
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
    /// How much of its planted feet's moves the pelvis takes over, 0 to 1 [default: 0.5, on a --terrain 1]
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    root_follows: Option<f64>,
    /// What becomes of a floor that is not level, where no --terrain is given
    #[arg(long, value_enum, default_value = "keep")]
    tilted_floor: Tilted,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum PopsArg {
    /// Nothing
    Keep,
    /// Legs are solved again; plants stay exact
    Calm,
    /// And where that does not help, plants give way by millimetres
    Yield,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Dead {
    /// They stay; nothing is planted in them
    Keep,
    /// The longest part without them is kept
    Cut,
    /// Frozen frames, up to half a second, become motion from the pose before to the one after
    Bridge,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Tilted {
    /// Turn the motion as a whole until the floor is level
    Level,
    /// Plant feet on the tilted floor
    Keep,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Roll {
    /// The sole lies on the ground
    Flat,
    /// As recorded
    Keep,
}

/// The metrics that people are shown; the report has all.
const SHOWN: [&str; 7] = [
    "drift_max",
    "penetration_max",
    "stretch_max",
    "leg_extension_max",
    "knee_acceleration_p99",
    "rotation_step_max",
    "pelvis_jerk_mean",
];

/// Runs `clean`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    args.edit.check_to()?;
    let request = CleanRequest {
        input: args.import.input(&args.input, args.edit.contacts())?,
        on: args.character.request(),
        output: args.edit.output()?,
        cleanup: cleanup(args),
        online: args.online,
        restore: args.restore,
        write_contacts: args.edit.write_contacts(),
        picture: args.picture.clone(),
        dead: match args.dead {
            Dead::Keep => DeadMotion::Keep,
            Dead::Cut => DeadMotion::Cut,
            Dead::Bridge => DeadMotion::Bridge,
        },
        pops: match args.pops {
            PopsArg::Keep => PopsRequest::Keep,
            PopsArg::Calm => PopsRequest::Calm,
            PopsArg::Yield => PopsRequest::Yield,
        },
        gate: args.gate.clone(),
        report: args.edit.report(),
        if_exists: args.edit.if_exists(),
    };
    if args.input.is_dir() {
        let paths = (args.input.as_path(), args.edit.output_path());
        return run_folder(request, paths, (args.edit.report(), args.edit.if_exists()), format);
    }
    run_job(&request, format, |report| {
        print_report(report);
        Ok(())
    })
}

fn cleanup(args: &Args) -> CleanupRequest {
    let method = &args.method;
    CleanupRequest {
        roll: match method.roll {
            Roll::Flat => RollRequest::Flat,
            Roll::Keep => RollRequest::Keep,
        },
        plant_average: method.plant_average,
        ankle_blend: method.ankle_blend,
        root_filter: method.root_filter,
        blend_off: method.blend_off,
        knee_damping_from: method.knee_damping_from,
        root_follows: method.root_follows,
        tilted_floor: match method.tilted_floor {
            Tilted::Level => TiltedFloor::Level,
            Tilted::Keep => TiltedFloor::Keep,
        },
        ..args.edit.cleanup()
    }
}

fn print_report(report: &CleanReport) {
    print_input(&report.input);
    print_character(report.on.as_ref());
    print_contacts(&report.contacts);
    if let Some(delay) = report.delay_frames {
        print_status(&format!(
            "  as a stream, {delay} frames ({:.2} s) behind",
            delay as f64 / report.input.frame_rate
        ));
    }
    if let Some([start, end]) = report.kept_frames {
        print_status(&format!("  frames {start} to {} were kept; the rest is no motion", end - 1));
    }
    for [start, end] in &report.bridged_frames {
        print_status(&format!("  frames {start} to {} were frozen, and bridged", end - 1));
    }
    if let Some(restored) = &report.restored {
        print_status(&restored_line(restored));
    }
    print_cleanup(&report.written);
    print_status(&table(report));
    for warning in &report.warnings {
        print_status(&format!("  warning: {warning}"));
    }
    print_motion(&report.written.motion);
}

fn restored_line(restored: &RestoreReport) -> String {
    let scaled =
        if restored.scale == 1.0 { String::new() } else { format!(", which was scaled by {:.3}", restored.scale) };
    format!(
        "  restored: noise of {:.2} degrees in joints and {:.1} mm in the root{scaled}; the root moved by up to {:.0} mm and \
         lifted by {:.0} mm",
        restored.joint_noise_degrees, restored.root_noise_mm, restored.drift_mm, restored.lift_mm
    )
}

fn table(report: &CleanReport) -> String {
    let is_climb = report.written.cleanup.as_ref().is_some_and(CleanupReport::is_climb);
    let is_shown = |name: &str| SHOWN.contains(&name) && !(is_climb && name == "penetration_max");
    let row = |metric: &MetricChange| {
        let before = metric.before.map_or("-".to_string(), |before| format!("{before:.4}"));
        format!("  {:<24} {before:>12} -> {:<12.4} {}", metric.name, metric.after, metric.unit)
    };
    report.metrics.iter().filter(|metric| is_shown(&metric.name)).map(row).collect::<Vec<String>>().join("\n")
}

fn parse_time(text: &str) -> Result<f64, String> {
    let wrong = || "a time from 0 to 10 seconds would be right".to_string();
    text.parse().ok().filter(|time: &f64| (0.0..=10.0).contains(time)).ok_or_else(wrong)
}

fn parse_angle(text: &str) -> Result<f64, String> {
    let wrong = || "an angle from 0 to 180 degrees would be right".to_string();
    text.parse().ok().filter(|angle: &f64| (0.0..=180.0).contains(angle)).ok_or_else(wrong)
}

fn parse_share(text: &str) -> Result<f64, String> {
    let wrong = || "a share from 0 to 1 would be right".to_string();
    text.parse().ok().filter(|share: &f64| (0.0..=1.0).contains(share)).ok_or_else(wrong)
}
