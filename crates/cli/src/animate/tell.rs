//! What is printed about an animated plan: a summary, and `--explain`.

use crate::report::say;
use std::fmt::Write;
use std::path::Path;
use surefoot::PlanReport;
use surefoot::jobs::{FootprintReport, TargetReport};
use surefoot::plan::SynthesisReport;
use surefoot::steps::{Choice, Made, Neighbour, StepDatabase};

const CM: f64 = 100.0;

/// A few lines for people, the verdict first.
pub(super) fn tell(plan: &Path, database: &StepDatabase, db: Option<&Path>, report: &PlanReport) {
    report.verdict_lines().iter().for_each(|line| say(line));
    let whose = db.map_or("the built-in corpus".to_string(), |path| path.display().to_string());
    say(&format!(
        "{}: {} footprints, walked in {:.2} s with {} steps of {whose}",
        plan.display(),
        report.footprints,
        report.seconds,
        database.steps().len()
    ));
    let outside = report.farthest_outside_cm;
    let outside = if outside > 0.0 { format!(", at most {outside:.1} cm outside the database") } else { String::new() };
    say(&format!("  steps: {}{outside}", report.origins_in_words()));
    say(&format!(
        "  every ball is within {:.4} mm of its footprint in the middle of its stance{}",
        report.largest_placement_error_mm,
        match report.missed {
            0 => String::new(),
            n => format!("; {n} footprints were missed"),
        }
    ));
    let largest = |target: fn(&FootprintReport) -> TargetReport| {
        report.each.iter().filter_map(|print| target(print).difference).map(f64::abs).reduce(f64::max)
    };
    let mut met = Vec::new();
    if let Some(degrees) = largest(|print| print.heading_degrees) {
        met.push(format!("headings within {degrees:.1} degrees"));
    }
    if let Some(time) = largest(|print| print.swing_seconds) {
        met.push(format!("swing times within {time:.2} s"));
    }
    if let Some(time) = largest(|print| print.support_seconds) {
        met.push(format!("support times within {time:.2} s"));
    }
    if !met.is_empty() {
        say(&format!("  soft targets met: {}", met.join(", ")));
    }
}

/// Every footprint's choice. `choices` begin with that of the third footprint.
pub(super) fn explain(database: &StepDatabase, report: &SynthesisReport, choices: &[Choice]) -> String {
    let mut text = String::new();
    for row in &report.footprints {
        let _ = write!(text, "footprints[{}] {}", row.index, row.side.name());
        match row.index.checked_sub(2).and_then(|step| choices.get(step)) {
            None => text += ": standing\n",
            Some(choice) => explain_choice(&mut text, database, choice, row.land),
        }
    }
    text
}

fn explain_choice(text: &mut String, database: &StepDatabase, choice: &Choice, land: f64) {
    let outside = CM * choice.outside;
    let _ = match choice.made {
        Made::Inside => writeln!(text, ": blended of steps that span it; lands at {land:.2} s"),
        Made::Extrapolated => {
            writeln!(text, ": extrapolated, {outside:.1} cm outside the database; lands at {land:.2} s")
        }
        Made::Led => writeln!(
            text,
            ": the nearest step, IK-corrected {outside:.1} cm outside the database; lands at {land:.2} s"
        ),
    };
    let name = |step: usize| database.steps()[step].source.name();
    for Neighbour { spanning, distance, replaced_by } in choice.neighbours.iter().flatten() {
        let (own, weight) = (name(spanning.step), spanning.weight);
        let _ = write!(text, "  neighbour {own}, weight {weight:.3}, D_high {distance:.3}");
        let _ = match replaced_by {
            Some((other, distance)) => writeln!(text, "; replaced by {}, D_high {distance:.3}", name(*other)),
            None if choice.parts().iter().any(|part| part.step == spanning.step) => writeln!(text, "; stays"),
            None => writeln!(text, "; gives way"),
        };
    }
    for part in choice.parts() {
        let _ = writeln!(text, "  blended   {}, weight {:.3}", name(part.step), part.weight);
    }
}
