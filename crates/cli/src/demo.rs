//! `surefoot demo`: the main job on built-in data.
//!
//! A foot plan is walked by the synthetic walker, whose feet stand exactly where the plan says; the walk is written in every
//! format, drawn, and read back, and the report says how far every foot is from its footprint in the file that was read back.
//! Then the same walk is made to skate, and cleaned ([`cleanup`]).

mod cleanup;

use crate::output::Force;
use crate::report::{Failure, Format, print_result};
use cleanup::{Change, Cleanup};
use serde_json::{Value, json};
use std::path::PathBuf;
use surefoot::formats::{Import, own};
use surefoot::locomotion::{Contacts, FootPart, SyntheticWalk, WalkerOptions, measure_placement, synthetic_walk};
use surefoot::motion::{BodyMap, Clip};
use surefoot::picture::{FrameChoice, RenderOptions, Subject, contact_sheet, encode_png, strobe};
use surefoot::{ConvertOptions, LoadOptions, OutputFormat, convert, load};

/// Arguments of `demo`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder for the results; made if it is missing
    #[arg(default_value = "surefoot-demo")]
    folder: PathBuf,
    #[command(flatten)]
    force: Force,
}

/// Name and content.
type DemoFile = (String, Vec<u8>);

/// What the demo found in the files that it read back.
struct Findings {
    /// Farthest of a ball from its footprint in each file of the walk, in millimetres.
    placements: Vec<(&'static str, f64)>,
    /// Figures of the skating walk and of the cleaned one.
    changes: Vec<Change>,
}

/// Runs `demo`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    std::fs::create_dir_all(&args.folder)
        .map_err(|error| Failure::of_file("output", &args.folder, error.to_string()))?;
    let walk = synthetic_walk(&WalkerOptions { turn_per_step: 0.12, ..WalkerOptions::default() });
    let cleanup = Cleanup::of(&walk)?;
    let files: Vec<DemoFile> = walk_files(&walk)?.into_iter().chain(cleanup.files.iter().cloned()).collect();
    for (name, _) in &files {
        args.force.check(&args.folder.join(name), Format::Human)?;
    }
    for (name, bytes) in &files {
        args.force.write(&args.folder.join(name), bytes)?;
    }
    let mut placements = Vec::new();
    for name in ["walk.bvh", "walk.glb"] {
        let import = load(&args.folder.join(name), &LoadOptions::default())?;
        placements.push((name, largest_error(&walk, &import)?));
    }
    let findings = Findings { placements, changes: cleanup.read_back(&args.folder)? };
    match format {
        Format::Json => print_result("demo", &to_json(args, &files, &findings))?,
        Format::Human => {
            tell_walk(&walk, &findings);
            tell_cleanup(&cleanup, &findings);
            tell_files(args, &files);
        }
    }
    Ok(())
}

fn to_json(args: &Args, files: &[DemoFile], findings: &Findings) -> Value {
    let names: Vec<&String> = files.iter().map(|(name, _)| name).collect();
    let placement = |(name, mm): &(&str, f64)| json!({ "file": name, "largest_ball_error_mm": mm });
    let change = |Change { before, after }: &Change| json!({ "name": after.name(), "unit": after.unit(), "before": before.shown(), "after": after.shown() });
    json!({
        "folder": args.folder.display().to_string(),
        "files": names,
        "placement": findings.placements.iter().map(placement).collect::<Vec<_>>(),
        "cleanup": findings.changes.iter().map(change).collect::<Vec<_>>(),
    })
}

fn tell_walk(walk: &SyntheticWalk, findings: &Findings) {
    let clip = &walk.take.clip;
    let n_footprints = walk.plan.footprints.len();
    println!("a plan of {n_footprints} footprints, walked in {:.2} s at {} fps", clip.duration(), clip.frame_rate);
    for (name, mm) in &findings.placements {
        println!("  {name}: over every whole plant the ball stays within {mm:.4} mm of its footprint");
    }
}

fn tell_cleanup(cleanup: &Cleanup, findings: &Findings) {
    println!(
        "the same walk made to skate, its {} plants detected, cleaned, and read back from cleaned.bvh",
        cleanup.n_plants()
    );
    for Change { before, after } in &findings.changes {
        println!("  {:<24} {:>12.4} -> {:<12.4} {}", after.name(), before.shown(), after.shown(), after.unit());
    }
}

fn tell_files(args: &Args, files: &[DemoFile]) {
    println!("written to {}:", args.folder.display());
    for (name, bytes) in files {
        println!("  {name:<24} {:>8} bytes", bytes.len());
    }
}

/// A motion in a format, with its body and contacts where that has a place for them.
fn written(
    clip: &Clip,
    body: Option<&BodyMap>,
    contacts: Option<&Contacts>,
    format: OutputFormat,
) -> Result<Vec<u8>, Failure> {
    let converted = convert(clip, body, contacts, format, &ConvertOptions::default());
    converted.map(|converted| converted.bytes).map_err(|error| Failure::new("output", error.to_string()))
}

/// Every file of the walk.
fn walk_files(walk: &SyntheticWalk) -> Result<Vec<DemoFile>, Failure> {
    let (clip, contacts) = (&walk.take.clip, &walk.take.contacts);
    let in_format = |format| written(clip, Some(&walk.body), Some(contacts), format);
    let subject = Subject { clip, body: Some(&walk.body), contacts: Some(contacts) };
    let options = RenderOptions::default();
    let along = RenderOptions { frames: FrameChoice::EvenlyAlongPath(8), ..RenderOptions::default() };
    let picture = |image| encode_png(&image).map_err(|error| Failure::new("picture", error.to_string()));
    let fail = |error: surefoot::picture::PictureError| Failure::new("picture", error.to_string());
    Ok(vec![
        ("walk.plan.json".into(), own::write_plan(&walk.plan).into_bytes()),
        ("walk.contacts.json".into(), own::write_contacts(contacts).into_bytes()),
        ("walk.bvh".into(), in_format(OutputFormat::Bvh)?),
        ("walk.glb".into(), in_format(OutputFormat::Glb)?),
        ("walk-sheet.png".into(), picture(contact_sheet(&subject, &options).map_err(fail)?)?),
        ("walk-strobe.png".into(), picture(strobe(&subject, &along).map_err(fail)?)?),
    ])
}

/// Largest distance, over all frames of all ball plants, of the ball of a written walk from its footprint. Millimetres.
fn largest_error(walk: &SyntheticWalk, import: &Import) -> Result<f64, Failure> {
    let body = import.body.as_ref().map_err(|error| Failure::new("body", error.to_string()))?;
    let contacts = &walk.take.contacts;
    if import.clip.n_frames() != contacts.n_frames {
        let message = format!("{} frames were written and {} read back", contacts.n_frames, import.clip.n_frames());
        return Err(Failure::new("demo", message));
    }
    let errors = measure_placement(&import.clip.world_poses(), body, contacts);
    let balls = errors.iter().filter(|error| error.part == FootPart::Ball);
    Ok(1000.0 * balls.fold(0.0, |most: f64, error| most.max(error.distance)))
}
