//! What is told about an animated plan: to people, as `--explain`, and as JSON.

use super::made_name;
use crate::report::say;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;
use surefoot::contact::FootPlan;
use surefoot::steps::{Made, Neighbour, StepDatabase};
use surefoot::{AnimatedPlan, FootprintReport, StepReport, Wished};

const MM: f64 = 1000.0;
const CM: f64 = 100.0;

/// The ways in which steps are made.
const MADE: [Made; 3] = [Made::Inside, Made::Extrapolated, Made::Led];

/// A few lines for people.
pub(super) fn tell(plan: &Path, database: &StepDatabase, db: Option<&Path>, walk: &AnimatedPlan) {
    let clip = &walk.take.clip;
    let whose = db.map_or("the built-in corpus".to_string(), |path| path.display().to_string());
    say(&format!(
        "{}: {} footprints, walked in {:.2} s with {} steps of {whose}",
        plan.display(),
        walk.footprints.len(),
        clip.n_frames() as f64 / clip.frame_rate,
        database.steps().len()
    ));
    let ways = MADE.map(|made| (walk.n_made(made), made_name(made)));
    let ways: Vec<String> = ways.iter().filter(|way| way.0 > 0).map(|(n, name)| format!("{n} {name}")).collect();
    let outside = walk.farthest_outside();
    let outside =
        if outside > 0.0 { format!(", at most {:.1} cm outside the database", CM * outside) } else { String::new() };
    say(&format!("  steps: {}{outside}", ways.join(", ")));
    say(&format!(
        "  every ball stays within {:.4} mm of its footprint over its whole plant (drift {:.4} mm){}",
        MM * walk.largest_error(),
        MM * walk.largest_drift(),
        match walk.n_missed() {
            0 => String::new(),
            n => format!("; {n} footprints were missed"),
        }
    ));
    let largest = |wished: fn(&FootprintReport) -> Wished| {
        let differences = walk.footprints.iter().filter_map(|print| wished(print).difference());
        differences.map(f64::abs).reduce(f64::max)
    };
    let mut wishes = Vec::new();
    if let Some(turn) = largest(|print| print.heading) {
        wishes.push(format!("headings within {:.1} degrees", turn.to_degrees()));
    }
    if let Some(time) = largest(|print| print.swing) {
        wishes.push(format!("swing times within {time:.2} s"));
    }
    if let Some(time) = largest(|print| print.support) {
        wishes.push(format!("support times within {time:.2} s"));
    }
    if !wishes.is_empty() {
        say(&format!("  wishes met: {}", wishes.join(", ")));
    }
}

/// Every footprint's choice.
pub(crate) fn explain(database: &StepDatabase, walk: &AnimatedPlan) -> String {
    let mut text = String::new();
    for print in &walk.footprints {
        let _ = write!(text, "footprints[{}] {}", print.index, print.side.name());
        match &print.step {
            None => text += ": stands\n",
            Some(step) => explain_step(&mut text, database, step),
        }
    }
    text
}

fn explain_step(text: &mut String, database: &StepDatabase, step: &StepReport) {
    let choice = &step.choice;
    let _ = match choice.made {
        Made::Inside => writeln!(text, ": blended of steps that span it; lands at {:.2} s", step.landed),
        Made::Extrapolated => writeln!(
            text,
            ": extrapolated, {:.1} cm outside the database; lands at {:.2} s",
            CM * choice.outside,
            step.landed
        ),
        Made::Led => writeln!(
            text,
            ": the nearest step, led {:.1} cm outside the database; lands at {:.2} s",
            CM * choice.outside,
            step.landed
        ),
    };
    for Neighbour { spanning, distance, replaced_by } in choice.neighbours.iter().flatten() {
        let _ = write!(
            text,
            "  neighbour {}, weight {:.3}, D_high {distance:.3}",
            source(database, spanning.step),
            spanning.weight
        );
        let _ = match replaced_by {
            Some((other, distance)) => {
                writeln!(text, "; replaced by {}, D_high {distance:.3}", source(database, *other))
            }
            None if step.blended.iter().any(|part| part.step == spanning.step) => writeln!(text, "; stays"),
            None => writeln!(text, "; gives way"),
        };
    }
    for part in &step.blended {
        let _ = writeln!(text, "  blended   {}, weight {:.3}", source(database, part.step), part.weight);
    }
}

/// `take 12..80`, and whether mirrored.
fn source(database: &StepDatabase, step: usize) -> String {
    let source = &database.steps()[step].source;
    let mirrored = if source.mirrored { " mirrored" } else { "" };
    format!("{} {}..{}{mirrored}", source.take, source.frames.start, source.frames.end)
}

/// What became of a plan.
pub(crate) fn report_json(database: &StepDatabase, plan: &FootPlan, walk: &AnimatedPlan) -> Value {
    let clip = &walk.take.clip;
    json!({
        "footprints": walk.footprints.len(),
        "steps": plan.footprints.len().saturating_sub(2),
        "database_steps": database.steps().len(),
        "seconds": clip.n_frames() as f64 / clip.frame_rate,
        "frame_rate": clip.frame_rate,
        "missed": walk.n_missed(),
        "largest_placement_error_mm": MM * walk.largest_error(),
        "largest_drift_mm": MM * walk.largest_drift(),
        "made": MADE.iter().map(|&made| (made_name(made).to_string(), walk.n_made(made).into()))
            .collect::<serde_json::Map<String, Value>>(),
        "farthest_outside_cm": CM * walk.farthest_outside(),
        "each": walk.footprints.iter().map(|print| print_json(database, print)).collect::<Vec<_>>(),
    })
}

fn print_json(database: &StepDatabase, print: &FootprintReport) -> Value {
    let step = print.step.as_ref();
    let source = |step: usize| {
        let source = &database.steps()[step].source;
        json!({
            "step": step,
            "take": &*source.take,
            "frames": [source.frames.start, source.frames.end],
            "mirrored": source.mirrored,
        })
    };
    let neighbour = |Neighbour { spanning, distance, replaced_by }: &Neighbour| {
        json!({
            "spanning": source(spanning.step),
            "weight": spanning.weight,
            "distance": distance,
            "replaced_by": replaced_by.map(|(step, distance)| json!({ "by": source(step), "distance": distance })),
        })
    };
    let blended = |part: &surefoot::BlendedStep| {
        let mut value = source(part.step);
        value["weight"] = part.weight.into();
        value
    };
    json!({
        "footprint": print.index,
        "foot": print.side.name(),
        "made": step.map_or("stands", |step| made_name(step.choice.made)),
        "outside_cm": step.map(|step| CM * step.choice.outside),
        "landed_seconds": step.map(|step| step.landed),
        "placement_error_mm": print.placement.map(|placement| MM * placement.error),
        "drift_mm": print.placement.map(|placement| MM * placement.drift),
        "plant_frames": print.placement.map(|placement| [placement.first_frame, placement.n_frames]),
        "heading_degrees": wished_json(print.heading, f64::to_degrees),
        "swing_seconds": wished_json(print.swing, |seconds| seconds),
        "support_seconds": wished_json(print.support, |seconds| seconds),
        "blended": step.map(|step| step.blended.iter().map(blended).collect::<Vec<_>>()),
        "neighbours": step.map(|step| step.choice.neighbours.iter().flatten().map(neighbour).collect::<Vec<_>>()),
    })
}

fn wished_json(wished: Wished, unit: fn(f64) -> f64) -> Value {
    json!({
        "made": wished.made.map(unit),
        "wish": wished.wish.map(unit),
        "difference": wished.difference().map(unit),
    })
}
