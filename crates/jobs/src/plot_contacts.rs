//! The plot of a detection: the timeline of all plants, with the heights and speeds they were found from and their limits.

use surefoot_contact::{DetectOptions, Detection, PointTrace};
use surefoot_motion::PerSide;
use surefoot_picture::{ContactTraces, ContactsPlot, Limit, Limits, PerPart, contacts_plot};

/// The plot as an SVG file. `options` are those that were detected with.
pub fn plot_contacts(name: &str, frame_rate: f64, detection: &Detection, options: &DetectOptions) -> String {
    let traces =
        PerSide::from_fn(|side| PerPart::from_fn(|part| part_traces(detection.traces[side].of(part), options)));
    contacts_plot(&ContactsPlot { name, frame_rate, contacts: &detection.contacts, traces })
}

fn part_traces(trace: &PointTrace, options: &DetectOptions) -> ContactTraces {
    let frames = 0..trace.position.len();
    let rest_speed = frames.clone().map(|frame| trace.rest_speed(frame, options)).collect();
    ContactTraces {
        height: frames.map(|frame| trace.height(frame)).collect(),
        height_limits: Limits { enter: Limit::Fixed(options.rest_height), leave: Limit::Fixed(options.planted_height) },
        speed: trace.speed.clone(),
        speed_limits: Limits { enter: Limit::Varying(rest_speed), leave: Limit::Varying(trace.planted_speed.clone()) },
    }
}
