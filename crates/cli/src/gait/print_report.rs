//! What was made, in words: the verdict first.

use crate::character_args::print_character;
use crate::motion_args::print_synthesis;
use crate::report::{Failure, print_input, print_status};
use surefoot::gait::{Gait, Parameter};
use surefoot::jobs::{AttributeName, GaitParametersReport, GaitReport, MadeGaitReport};

/// Prints what was assumed and made. `is_course_given`: whether anything was asked for about how far to go.
pub(super) fn print_report(report: &GaitReport, is_course_given: bool) -> Result<(), Failure> {
    print_synthesis(&report.synthesis, &report.motion);
    if let Some(on) = &report.on {
        print_input(&on.input);
        print_character(Some(on));
    }
    let whose = if report.on.is_some() { "the character of a file" } else { "our own figure" };
    print_status(&format!("  {}: {whose}, {} m tall", report.style, round(report.height, 3)));
    if !report.about.is_empty() && report.preset.is_some() {
        print_status(&format!("  {}", report.about));
    }
    if let Some(made) = &report.made {
        print_status(&format!("  {}", made_text(report, made)));
    }
    if let Some(parameters) = report.parameters.as_ref().filter(|_| !is_changing(report)) {
        print_status(&format!("  {}", parameters_text(parameters)));
    }
    if is_changing(report) {
        let spans = report.spans.iter().map(|span| {
            format!("{} {:.1} to {:.1} s at {:.1} km/h", span.gait, span.from, span.to, span.speed_km_per_hour)
        });
        print_status(&format!("  {}", spans.collect::<Vec<_>>().join(", ")));
    }
    if let Some(cycle) = &report.cycle {
        let [x, y, z] = cycle.offset.map(|offset| round(offset, 4));
        let place = if cycle.in_place { ", taken out" } else { "" };
        let adjusted = 100.0 * (cycle.cadence_factor - 1.0);
        print_status(&format!(
            "  a cycle of {:.4} s: the root moves by [{x}, {y}, {z}] m and turns by {} degrees{place}; its cadence was changed by {adjusted:+.2} %",
            cycle.seconds,
            round(cycle.turn_degrees, 3),
        ));
    }
    if !report.set.is_empty() {
        print_status(&format!("  set: {}", settings_text(report)));
    }
    let (steps, seconds) = (report.synthesis.steps, report.synthesis.seconds);
    let assumed = if is_course_given { "" } else { " (--steps, --path or --plan ask for others)" };
    print_status(&format!("  {steps} steps in {seconds:.2} s{assumed}"));
    report.notes.iter().for_each(|note| print_status(&format!("  note[gait] {note}")));
    Ok(())
}

/// Whether gaits take turns, other than the walking steps that end a run.
fn is_changing(report: &GaitReport) -> bool {
    report.spans.len() > 2 || report.spans.first().is_some_and(|span| span.gait != report.gait)
}

/// What was made, in a line.
fn made_text(report: &GaitReport, made: &MadeGaitReport) -> String {
    let speed = Parameter::Speed.show(made.speed_km_per_hour / Parameter::Speed.to_user(1.0));
    let length = Parameter::StepLength.show(made.step_length);
    let cadence = Parameter::Cadence.show(made.cadence_per_minute / Parameter::Cadence.to_user(1.0));
    let mut text = format!("made: {speed}, steps of {length}, {cadence}");
    if let Some(flights) = &report.synthesis.flights {
        let (duration, height) = (round(flights.median_seconds, 3), round(flights.median_height, 3));
        text += &format!(", flights of {duration} s that rise {height} m");
    }
    text
}

/// The parameters in a line.
fn parameters_text(parameters: &GaitParametersReport) -> String {
    let speed = Parameter::Speed.show(parameters.speed_km_per_hour / Parameter::Speed.to_user(1.0));
    let length = Parameter::StepLength.show(parameters.step_length);
    let cadence = Parameter::Cadence.show(parameters.cadence_per_minute / Parameter::Cadence.to_user(1.0));
    let mut text = format!("asked: {speed}, steps of {length}, {cadence}");
    if let Some(double_support) = parameters.double_support_seconds {
        text += &format!(", double support {} s", round(double_support, 3));
    }
    if let Some(level) = parameters.level {
        text += &format!(", level {level}");
    }
    text
}

fn settings_text(report: &GaitReport) -> String {
    let gait = if report.gait == Gait::Run.name() { Gait::Run } else { Gait::Walk };
    let catalogue = gait.catalogue();
    let set = report.set.iter().filter_map(|name| {
        let unit = catalogue.iter().find(|info| info.name == *name).map_or("", |info| info.unit.name());
        let value = match report.attributes.get(name)? {
            AttributeName::Number(number) => number.to_string(),
            AttributeName::Word(word) => word.clone(),
        };
        Some(format!("{name} {value} {unit}").trim_end().to_string())
    });
    set.collect::<Vec<_>>().join(", ")
}

/// Without digits that nobody reads.
fn round(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}
