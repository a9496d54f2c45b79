//! What was made, in words and as JSON.

use serde_json::{Value, json};
use surefoot::GaitTake;
use surefoot::gait::equations::double_support_time;
use surefoot::gait::{AttributeValue, Gait, Parameter};
use surefoot::natural_gait;

/// Flights that differ by more than this from what was asked are told, in metres.
const MISSED_FLIGHT: f64 = 0.001;

/// What to look at.
pub(super) fn notes(made: &GaitTake, is_planned: bool) -> Vec<String> {
    let gait = made.manner.gait;
    let speed = speed_of(made);
    let natural = natural_gait(speed, made.height);
    let mut notes = Vec::new();
    if !is_planned && natural != gait {
        let speed = Parameter::Speed.show(speed);
        notes.push(format!("at {speed} people of this height rather {natural}; `surefoot gait {natural}` does"));
    }
    notes.extend(flight_note(made));
    notes
}

/// Says so if flights do not rise as high as asked.
fn flight_note(made: &GaitTake) -> Option<String> {
    let (asked, rise) = (made.manner.run.parameters.flight_height?, made.flight?.height);
    let (why, change) = match rise - asked {
        more if more > MISSED_FLIGHT => ("legs do not reach far enough for less", "shorter steps"),
        more if more < -MISSED_FLIGHT => ("legs or steps are too short for more", "a lower cadence"),
        _ => return None,
    };
    Some(format!(
        "flights rise {} m, not {} m as asked: at this speed and step length {why}; {change} would help",
        round(rise, 3),
        round(asked, 3)
    ))
}

fn speed_of(made: &GaitTake) -> f64 {
    match made.manner.gait {
        Gait::Walk => made.manner.walk.parameters.speed,
        Gait::Run => made.manner.run.parameters.speed,
    }
}

/// The parameters in a line.
pub(super) fn told_parameters(made: &GaitTake) -> String {
    let stride = |speed, step_length, cadence| {
        let [speed, step_length, cadence] =
            [(Parameter::Speed, speed), (Parameter::StepLength, step_length), (Parameter::Cadence, cadence)]
                .map(|(parameter, value)| parameter.show(value));
        format!("{speed}, steps of {step_length}, {cadence}")
    };
    match made.manner.gait {
        Gait::Walk => {
            let walk = &made.manner.walk.parameters;
            let both_down = round(double_support_time(walk.cadence), 3);
            format!("{}, double support {both_down} s", stride(walk.speed, walk.step_length, walk.cadence))
        }
        Gait::Run => {
            let run = &made.manner.run.parameters;
            let mut text = stride(run.speed, run.step_length, run.cadence);
            if let Some(flight) = made.flight {
                text +=
                    &format!(", flights of {} s that rise {} m", round(flight.duration, 3), round(flight.height, 3));
            }
            format!("{text}, level {}", run.level)
        }
    }
}

pub(super) fn parameters_json(made: &GaitTake) -> Value {
    match made.manner.gait {
        Gait::Walk => {
            let walk = &made.manner.walk.parameters;
            json!({
                "speed_km_per_hour": Parameter::Speed.to_user(walk.speed),
                "step_length": walk.step_length,
                "cadence_per_minute": Parameter::Cadence.to_user(walk.cadence),
                "double_support_seconds": double_support_time(walk.cadence),
            })
        }
        Gait::Run => {
            let run = &made.manner.run.parameters;
            json!({
                "speed_km_per_hour": Parameter::Speed.to_user(run.speed),
                "step_length": run.step_length,
                "cadence_per_minute": Parameter::Cadence.to_user(run.cadence),
                "natural_flight_seconds": run.flight_height.is_none().then(|| run.natural_flight_time()),
                "flight_height": run.flight_height,
                "level": run.level,
            })
        }
    }
}

/// A value as JSON has it.
pub(super) fn value_json(value: AttributeValue) -> Value {
    match value {
        AttributeValue::Number(number) => json!(round(number, 9)),
        AttributeValue::Strike(strike) => json!(strike.name()),
    }
}

/// Without the digits that turning degrees into radians and back leaves behind.
pub(super) fn round(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}
