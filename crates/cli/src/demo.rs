//! `surefoot demo`: the main job on built-in data.
//!
//! 1. Foot plans become walks ([`plans`]): the three cases of STRIDE chapter 7 and stepping stones, with the steps of the built-in corpus
//!    or of a database.
//! 2. A synthetic walk is made to skate, and cleaned ([`cleanup`]).
//!
//! Everything is written, drawn and read back; what is told was measured in the files that were read back. [`page`] shows it all.

mod cleanup;
mod page;
mod plans;

use crate::output::Force;
use crate::report::{Failure, Format, print_result, print_text};
use cleanup::{Change, Cleanup};
use plans::PlanWalk;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use surefoot::contact::{Contacts, FootPart, SyntheticWalk, WalkerOptions, measure_placement, synthetic_walk};
use surefoot::formats::{Import, own};
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
    /// Step database for the foot plans [default: the built-in corpus]
    #[arg(long, value_name = "FILE.steps")]
    db: Option<PathBuf>,
    /// Only one part [default: both]
    #[arg(long, value_enum)]
    only: Option<Part>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Foot plans that become walks
    Plans,
    /// A walk that skates, and is cleaned
    Cleanup,
}

/// Name and content.
type DemoFile = (String, Vec<u8>);

/// The page that shows everything.
const PAGE: &str = "index.html";

/// The synthetic walk, and what cleanup makes of it.
struct CleanupPart {
    walk: SyntheticWalk,
    files: Vec<DemoFile>,
    cleanup: Cleanup,
}

/// What was found in the files that were read back.
struct CleanupFindings {
    /// Farthest of a ball from its footprint in each file of the walk, in millimetres.
    placements: Vec<(&'static str, f64)>,
    /// Figures of the skating walk and of the cleaned one.
    changes: Vec<Change>,
}

/// Runs `demo`.
pub(crate) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    std::fs::create_dir_all(&args.folder)
        .map_err(|error| Failure::of_file("output", &args.folder, error.to_string()))?;
    let plans = if args.only == Some(Part::Cleanup) { Vec::new() } else { plans::walk_all(args.db.as_deref())? };
    let cleanup = if args.only == Some(Part::Plans) { None } else { Some(CleanupPart::new()?) };
    let of_plans = plans.iter().flat_map(|walk| &walk.files);
    let of_cleanup = cleanup.iter().flat_map(|part| part.files.iter().chain(&part.cleanup.files));
    let files: Vec<&DemoFile> = of_plans.chain(of_cleanup).collect();
    for name in files.iter().map(|(name, _)| name.as_str()).chain([PAGE]) {
        args.force.check(&args.folder.join(name), Format::Human)?;
    }
    for (name, bytes) in &files {
        args.force.write(&args.folder.join(name), bytes)?;
    }
    let placements: Vec<plans::ReadBack> =
        plans.iter().map(|walk| walk.read_back(&args.folder)).collect::<Result<_, _>>()?;
    let findings = cleanup.as_ref().map(|part| part.read_back(&args.folder)).transpose()?;
    let shown: Vec<(&PlanWalk, &plans::ReadBack)> = plans.iter().zip(&placements).collect();
    let page = page::to_html(&shown, cleanup.as_ref().zip(findings.as_ref()));
    args.force.write(&args.folder.join(PAGE), page.as_bytes())?;
    let names: Vec<(&str, usize)> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.len())).collect();
    let names: Vec<(&str, usize)> = names.into_iter().chain([(PAGE, page.len())]).collect();
    match format {
        Format::Json => {
            let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            let mut result = json!({ "folder": args.folder.display().to_string(), "files": names });
            if args.only != Some(Part::Cleanup) {
                result["plans"] = shown.iter().map(|(walk, back)| walk.to_json(back)).collect();
            }
            if let Some(findings) = &findings {
                result["placement"] = placements_json(findings);
                result["cleanup"] = changes_json(findings);
            }
            print_result("demo", &result)?;
        }
        Format::Human => {
            let mut text = String::new();
            shown.iter().for_each(|(walk, back)| walk.tell(back, &mut text));
            if let Some((part, findings)) = cleanup.as_ref().zip(findings.as_ref()) {
                part.tell(findings, &mut text);
            }
            tell_files(&args.folder, &names, &mut text);
            print_text(&text)?;
        }
    }
    Ok(())
}

impl CleanupPart {
    fn new() -> Result<CleanupPart, Failure> {
        let walk = synthetic_walk(&WalkerOptions { turn_per_step: 0.12, ..WalkerOptions::default() });
        let cleanup = Cleanup::of(&walk)?;
        Ok(CleanupPart { files: walk_files(&walk)?, cleanup, walk })
    }

    fn read_back(&self, folder: &Path) -> Result<CleanupFindings, Failure> {
        let mut placements = Vec::new();
        for name in ["walk.bvh", "walk.glb"] {
            let import = load(&folder.join(name), &LoadOptions::default())?;
            placements.push((name, largest_error(&self.walk, &import)?));
        }
        Ok(CleanupFindings { placements, changes: self.cleanup.read_back(folder)? })
    }

    fn tell(&self, findings: &CleanupFindings, text: &mut String) {
        let clip = &self.walk.take.clip;
        let n_footprints = self.walk.plan.footprints.len();
        let _ = writeln!(
            text,
            "walk: a synthetic walk over {n_footprints} footprints in {:.2} s, to be made skate and cleaned",
            clip.duration()
        );
        for (name, mm) in &findings.placements {
            let _ =
                writeln!(text, "  {name}: over every whole plant the ball stays within {mm:.4} mm of its footprint");
        }
        let _ = writeln!(
            text,
            "the same walk made to skate, its {} plants detected, cleaned, and read back from cleaned.bvh",
            self.cleanup.n_plants()
        );
        for Change { before, after } in &findings.changes {
            let _ = writeln!(
                text,
                "  {:<24} {:>12.4} -> {:<12.4} {}",
                after.name(),
                before.shown(),
                after.shown(),
                after.unit()
            );
        }
    }
}

fn placements_json(findings: &CleanupFindings) -> Value {
    let placement = |(name, mm): &(&str, f64)| json!({ "file": name, "largest_ball_error_mm": mm });
    findings.placements.iter().map(placement).collect()
}

fn changes_json(findings: &CleanupFindings) -> Value {
    let change = |Change { before, after }: &Change| json!({ "name": after.name(), "unit": after.unit(), "before": before.shown(), "after": after.shown() });
    findings.changes.iter().map(change).collect()
}

fn tell_files(folder: &Path, files: &[(&str, usize)], text: &mut String) {
    let _ = writeln!(text, "written to {}:", folder.display());
    for (name, n_bytes) in files {
        let _ = writeln!(text, "  {name:<32} {n_bytes:>9} bytes");
    }
    let _ = writeln!(text, "open {} to see it all", folder.join(PAGE).display());
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
    let in_format = |format| written(clip, Some(&walk.take.body), Some(contacts), format);
    let subject = Subject { clip, body: Some(&walk.take.body), contacts: Some(contacts) };
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
    let errors = measure_placement(&import.clip.world(), body, contacts);
    let balls = errors.iter().filter(|error| error.part == FootPart::Ball);
    Ok(1000.0 * balls.fold(0.0, |most: f64, error| most.max(error.distance)))
}
