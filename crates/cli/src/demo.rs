//! `surefoot demo`: the main job on built-in data.
//!
//! A foot plan is walked by the synthetic walker, whose feet stand exactly where the plan says; the walk is written in every
//! format, drawn, and read back, and the report says how far every foot is from its footprint in the file that was read back.

use crate::output::Force;
use crate::report::{Failure, Format, print_result};
use serde_json::json;
use std::path::PathBuf;
use surefoot::formats::{Import, own};
use surefoot::locomotion::{FootPart, SyntheticWalk, WalkerOptions, measure_placement, synthetic_walk};
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

/// Runs `demo`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    std::fs::create_dir_all(&args.folder)
        .map_err(|error| Failure::of_file("output", &args.folder, error.to_string()))?;
    let walk = synthetic_walk(&WalkerOptions { turn_per_step: 0.12, ..WalkerOptions::default() });
    let files = results(&walk)?;
    for (name, _) in &files {
        args.force.check(&args.folder.join(name), Format::Human)?;
    }
    for (name, bytes) in &files {
        args.force.write(&args.folder.join(name), bytes)?;
    }
    let placements = ["walk.bvh", "walk.glb"].map(|name| -> Result<_, Failure> {
        let import = load(&args.folder.join(name), &LoadOptions::default())?;
        Ok((name, largest_error(&walk, &import)?))
    });
    let mut worst = Vec::new();
    for placement in placements {
        worst.push(placement?);
    }
    match format {
        Format::Json => {
            let names: Vec<&String> = files.iter().map(|(name, _)| name).collect();
            let errors: Vec<_> =
                worst.iter().map(|(name, mm)| json!({ "file": name, "largest_ball_error_mm": mm })).collect();
            print_result(
                "demo",
                &json!({ "folder": args.folder.display().to_string(), "files": names, "placement": errors }),
            )?;
        }
        Format::Human => tell(args, &walk, &files, &worst),
    }
    Ok(())
}

fn tell(args: &Args, walk: &SyntheticWalk, files: &[(String, Vec<u8>)], worst: &[(&str, f64)]) {
    let clip = &walk.take.clip;
    let n_footprints = walk.plan.footprints.len();
    println!("a plan of {n_footprints} footprints, walked in {:.2} s at {} fps", clip.duration(), clip.frame_rate);
    for (name, mm) in worst {
        println!("  {name}: over every whole plant the ball stays within {mm:.4} mm of its footprint");
    }
    println!("written to {}:", args.folder.display());
    for (name, bytes) in files {
        println!("  {name:<20} {:>8} bytes", bytes.len());
    }
}

/// Every file of the demo.
fn results(walk: &SyntheticWalk) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let (clip, contacts) = (&walk.take.clip, &walk.take.contacts);
    let written = |format: OutputFormat| {
        let converted = convert(clip, Some(&walk.body), Some(contacts), format, &ConvertOptions::default());
        converted.map(|converted| converted.bytes).map_err(|error| Failure::new("output", error.to_string()))
    };
    let subject = Subject { clip, body: Some(&walk.body), contacts: Some(contacts) };
    let options = RenderOptions::default();
    let along = RenderOptions { frames: FrameChoice::EvenlyAlongPath(8), ..RenderOptions::default() };
    let picture = |image| encode_png(&image).map_err(|error| Failure::new("picture", error.to_string()));
    let fail = |error: surefoot::picture::PictureError| Failure::new("picture", error.to_string());
    Ok(vec![
        ("walk.plan.json".into(), own::write_plan(&walk.plan).into_bytes()),
        ("walk.contacts.json".into(), own::write_contacts(contacts).into_bytes()),
        ("walk.bvh".into(), written(OutputFormat::Bvh)?),
        ("walk.glb".into(), written(OutputFormat::Glb)?),
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
