//! What `gait walk` and `gait run` report.

use crate::character::CharacterReport;
use crate::gait::{GaitTake, natural_gait};
use crate::job::JobReport;
use crate::job_error::JobError;
use crate::made_gait::{GaitSpan, MadeGait};
use crate::motion_output::MotionReport;
use crate::outputs::WrittenFile;
use crate::plan_report::PlanReport;
use crate::plot_gait::HipKneeReport;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use surefoot_contact::{FootPlan, Footprint};
use surefoot_gait::equations::double_support_time;
use surefoot_gait::{AttributeValue, Gait, GaitSettings, Parameter};

/// What `gait walk` and `gait run` report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GaitReport {
    /// Verdict, footprints and metrics.
    #[serde(flatten)]
    pub synthesis: PlanReport,
    /// `walk` or `run`.
    pub gait: String,
    /// Name of the style: the preset's, or the gait's; `jump` for jumps.
    pub style: String,
    /// What the style is, in words; may be empty.
    pub about: String,
    /// The preset that was requested.
    pub preset: Option<String>,
    /// The character that was animated; absent for our own figure.
    pub on: Option<CharacterReport>,
    /// Body height that the parameters hold for, in metres.
    pub height: f64,
    /// Speed, step length and cadence; absent for plans, which have their own.
    pub parameters: Option<GaitParametersReport>,
    /// What came of it, measured on the poses that were written; absent if no foot lands twice.
    #[serde(default)]
    pub made: Option<MadeGaitReport>,
    /// Which gait when.
    #[serde(default)]
    pub spans: Vec<GaitSpan>,
    /// Of a cycle: how it goes on where it ends.
    #[serde(default)]
    pub cycle: Option<CycleReport>,
    /// All attributes of the gait, in their units.
    pub attributes: BTreeMap<String, AttributeName>,
    /// Attributes that the style or the request set.
    pub set: Vec<String>,
    /// What to look at.
    pub notes: Vec<String>,
    /// The motion that was written.
    pub motion: MotionReport,
    /// The contacts file.
    pub contacts_output: Option<String>,
    /// The footprints.
    pub plan_output: Option<String>,
    /// The picture.
    pub picture: Option<String>,
    /// Hip-knee diagrams of the motion and of the recordings that it is compared with, if they were asked for as numbers. A motion
    /// without a stride has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagrams: Vec<HipKneeReport>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

impl JobReport for GaitReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }

    fn not_met(&self) -> Option<JobError> {
        self.synthesis.not_met()
    }
}

/// Value of an attribute: a number in its unit, or a word.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AttributeName {
    /// In the attribute's unit.
    Number(f64),
    /// How a foot strikes.
    Word(String),
}

impl From<AttributeValue> for AttributeName {
    fn from(value: AttributeValue) -> AttributeName {
        match value {
            // Without the digits that turning degrees into radians and back leaves behind.
            AttributeValue::Number(number) => AttributeName::Number(round(number, 9)),
            AttributeValue::Strike(strike) => AttributeName::Word(strike.name().to_string()),
        }
    }
}

/// What a gait came to in full motion, measured on the poses that were written.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MadeGaitReport {
    /// Of the pelvis along the ground, over the strides that neither start nor stop.
    pub speed_km_per_hour: f64,
    /// Half of what the pelvis covers in a stride, in metres.
    pub step_length: f64,
    /// Steps a minute.
    pub cadence_per_minute: f64,
    /// Speed of the fastest stride.
    pub fastest_km_per_hour: f64,
}

impl From<&MadeGait> for MadeGaitReport {
    fn from(made: &MadeGait) -> MadeGaitReport {
        MadeGaitReport {
            speed_km_per_hour: Parameter::Speed.to_user(made.speed),
            step_length: made.step_length,
            cadence_per_minute: Parameter::Cadence.to_user(made.cadence),
            fastest_km_per_hour: Parameter::Speed.to_user(made.fastest),
        }
    }
}

/// How a cycle goes on where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CycleReport {
    /// From the first frame to the last.
    pub seconds: f64,
    /// What the root travels in it, also where that was taken out, in metres.
    pub offset: [f64; 3],
    /// The same of its heading, positive to the left.
    pub turn_degrees: f64,
    /// Whether the travel was taken out.
    pub in_place: bool,
    /// By what factor the cadence was changed so that the cycle is a whole number of frames.
    pub cadence_factor: f64,
}

/// The parameters of a gait.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GaitParametersReport {
    /// Speed.
    pub speed_km_per_hour: f64,
    /// In metres.
    pub step_length: f64,
    /// Steps a minute.
    pub cadence_per_minute: f64,
    /// Of a walk: double support in each step.
    pub double_support_seconds: Option<f64>,
    /// Of a run without a flight height: time in the air in each step.
    pub natural_flight_seconds: Option<f64>,
    /// Of a run: how high the pelvis should rise in flight, in metres.
    pub flight_height: Option<f64>,
    /// Of a run: level of expertise.
    pub level: Option<f64>,
}

impl From<&GaitSettings> for GaitParametersReport {
    fn from(settings: &GaitSettings) -> GaitParametersReport {
        let of = |speed: f64, step_length: f64, cadence: f64| GaitParametersReport {
            speed_km_per_hour: Parameter::Speed.to_user(speed),
            step_length,
            cadence_per_minute: Parameter::Cadence.to_user(cadence),
            double_support_seconds: None,
            natural_flight_seconds: None,
            flight_height: None,
            level: None,
        };
        match settings.gait {
            Gait::Walk => {
                let walk = &settings.walk.parameters;
                let double_support_seconds = Some(double_support_time(walk.cadence));
                GaitParametersReport { double_support_seconds, ..of(walk.speed, walk.step_length, walk.cadence) }
            }
            Gait::Run => {
                let run = &settings.run.parameters;
                GaitParametersReport {
                    natural_flight_seconds: run.flight_height.is_none().then(|| run.natural_flight_time()),
                    flight_height: run.flight_height,
                    level: Some(run.level),
                    ..of(run.speed, run.step_length, run.cadence)
                }
            }
        }
    }
}

/// Flights that differ by more than this from what was asked are reported, in metres.
const MISSED_FLIGHT: f64 = 0.001;

/// What to look at.
pub(crate) fn gait_notes(made: &GaitTake, is_planned: bool) -> Vec<String> {
    let gait = made.settings.gait;
    let speed = match gait {
        Gait::Walk => made.settings.walk.parameters.speed,
        Gait::Run => made.settings.run.parameters.speed,
    };
    let natural = natural_gait(speed, made.height);
    let mut notes = Vec::new();
    if !is_planned && !made.is_scheduled && natural != gait {
        let speed = Parameter::Speed.show(speed);
        notes.push(format!("at {speed} people of this height rather {natural}; `surefoot gait {natural}` does"));
    }
    if !is_planned && !made.is_scheduled {
        notes.extend(speed_note(made, speed));
    }
    notes.extend(flight_note(made));
    notes.extend(rise_note(&made.plan, made.height));
    notes
}

/// Highest rise from one footprint to the next that people climb without ado, as a share of their height: 0.29 m for 1.8 m.
const EASY_RISE: f64 = 0.16;

/// A note if footprints rise higher than stairs of a body's size: knees are then bent further than in any walk.
pub(crate) fn rise_note(plan: &FootPlan, height: f64) -> Option<String> {
    let rise = |pair: &[Footprint]| (pair[1].position.y - pair[0].position.y).abs();
    let highest = plan.footprints.windows(2).map(rise).fold(0.0, f64::max);
    (highest > EASY_RISE * height).then(|| {
        format!(
            "steps of {highest:.2} m are {:.0} % of the body's height of {height:.2} m; up to {:.2} m are climbed with ease, a \
             taller body or lower steps would do",
            100.0 * highest / height,
            EASY_RISE * height
        )
    })
}

/// Speeds that fall short by more than this share of what was asked are reported.
const SLOWER: f64 = 0.05;

/// A note if what was made is not what was asked for: too few steps to gain the speed, a limp, or steps sideways and backward, which
/// are shorter.
fn speed_note(made: &GaitTake, asked: f64) -> Option<String> {
    let found = made.made?;
    let is_off = |speed: f64| (speed - asked).abs() > SLOWER * asked;
    let [speed, fastest, asked_kmh] = [found.speed, found.fastest, asked].map(|speed| Parameter::Speed.to_user(speed));
    if is_off(found.fastest) && found.fastest < asked {
        return Some(format!(
            "its fastest stride makes {fastest:.1} km/h, not {asked_kmh:.1} as asked: steps that start, stop, turn, climb, limp or go \
             sideways are shorter; more steps, or a lower speed, would do"
        ));
    }
    is_off(found.speed).then(|| {
        format!(
            "it makes {speed:.1} km/h, not {asked_kmh:.1} as asked: the course, the ground or a limp changes its steps"
        )
    })
}

/// A note if flights do not rise as high as asked.
fn flight_note(made: &GaitTake) -> Option<String> {
    let (asked, rise) = (made.settings.run.parameters.flight_height?, made.flight?.height);
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

fn round(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}
