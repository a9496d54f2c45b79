//! The job `gait list`: which parameters, attributes and named gaits there are, with what is natural and what is accepted.

use crate::contacts_job::check_svg;
use crate::gait::{follows_parameters, natural_gait_attribute};
use crate::gait_report::AttributeName;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::plot_gait::plot_gait_relations;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use surefoot_formats::{own, read_bytes};
use surefoot_gait::equations::DEFAULT_HEIGHT;
use surefoot_gait::{
    AttributeInfo, AttributeUnit, Gait, GaitSettings, HEIGHTS, Parameter, RunParameters, Strike, Style, WalkParameters,
};
use surefoot_geom::Range;

/// What to list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GaitListRequest {
    /// Only one part. Default: all.
    pub only: Option<GaitListPart>,
    /// Body height that ranges and defaults are for, in metres. Default 1.8.
    pub height: Option<f64>,
    /// A file of named walks and runs, listed before ours.
    pub presets: Option<PathBuf>,
    /// Where a picture of how speed, step length, cadence and flight depend on each other goes, as SVG.
    pub picture: Option<PathBuf>,
    /// Where the report goes as JSON.
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    pub if_exists: IfExists,
}

/// A part of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GaitListPart {
    /// Parameters and attributes of walking.
    Walk,
    /// Parameters and attributes of running.
    Run,
    /// Named walks and runs.
    Presets,
}

/// What `gait list` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GaitListReport {
    /// Body height that ranges and defaults are for, in metres.
    pub height: f64,
    /// Of walking.
    pub walk: Option<GaitCatalogue>,
    /// Of running.
    pub run: Option<GaitCatalogue>,
    /// Named walks and runs.
    pub presets: Option<Vec<PresetReport>>,
    /// The picture.
    pub picture: Option<String>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// What a gait can be asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GaitCatalogue {
    /// Speed, step length, cadence; of a run also flight and level.
    pub parameters: Vec<ParameterRow>,
    /// Its style.
    pub attributes: Vec<AttributeRow>,
}

/// A parameter, in its unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterRow {
    /// As users write it: `step-length`.
    pub name: String,
    /// What it is, in a few words.
    pub what: String,
    /// `km/h`, `m`, `steps/min`, or nothing.
    pub unit: String,
    /// The least that is accepted.
    pub min: f64,
    /// The most that is accepted.
    pub max: f64,
    /// The natural value; absent where it follows from the others.
    pub default: Option<f64>,
}

/// An attribute, in its unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttributeRow {
    /// As users write it: `arm-swing`.
    pub name: String,
    /// What it does, in a few words.
    pub what: String,
    /// `deg`, `m`, or nothing.
    pub unit: String,
    /// The least that is accepted, of a number.
    pub min: Option<f64>,
    /// The most that is accepted, of a number.
    pub max: Option<f64>,
    /// The words that are accepted, of a word.
    pub values: Option<Vec<String>>,
    /// The natural value.
    pub default: Option<AttributeName>,
    /// Whether it follows the parameters until it is set.
    pub follows_parameters: bool,
}

/// A named walk or run; what it does not set is natural.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PresetReport {
    /// Its name.
    pub name: String,
    /// `walk` or `run`.
    pub gait: String,
    /// How it looks.
    pub what: String,
    /// Body height that it was made for, in metres.
    pub height: f64,
    /// Speed.
    pub speed_km_per_hour: Option<f64>,
    /// In metres.
    pub step_length: Option<f64>,
    /// Steps a minute.
    pub cadence_per_minute: Option<f64>,
    /// Of a run, in metres.
    pub flight_height: Option<f64>,
    /// Of a run: expertise.
    pub level: Option<f64>,
    /// What stays when another parameter is given.
    pub lock: Option<String>,
    /// The attributes that it sets.
    pub set: BTreeMap<String, AttributeName>,
}

impl JobReport for GaitListReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for GaitListRequest {
    const COMMAND: &'static str = "gait list";
    type Report = GaitListReport;

    fn outputs(&self) -> Vec<&Path> {
        self.picture.iter().chain(&self.report).map(PathBuf::as_path).collect()
    }

    fn run(&self, context: &JobContext) -> Result<GaitListReport, JobError> {
        let height = self.height.unwrap_or(DEFAULT_HEIGHT);
        if !HEIGHTS.contains(height) {
            let range = Parameter::BodyHeight.show_range(HEIGHTS);
            let message = format!("--height: {height} m; bodies of {range} are taken");
            return Err(JobError::new("parameter", message).at_field("height"));
        }
        self.picture.as_deref().map_or(Ok(()), check_svg)?;
        let mut outputs = Outputs::check(self.outputs(), self.if_exists)?;
        let users = match &self.presets {
            Some(file) => own::read_styles(&read_bytes(file)?).map_err(|error| error.in_file(file))?,
            None => Vec::new(),
        };
        context.check()?;
        let is_listed = |part: GaitListPart| self.only.is_none_or(|only| only == part);
        let presets = || users.iter().chain(&own::presets()).map(PresetReport::from).collect();
        if let Some(file) = &self.picture {
            outputs.add("picture", file, plot_gait_relations().into_bytes());
        }
        let report = GaitListReport {
            height,
            walk: is_listed(GaitListPart::Walk).then(|| GaitCatalogue::of(Gait::Walk, height)),
            run: is_listed(GaitListPart::Run).then(|| GaitCatalogue::of(Gait::Run, height)),
            presets: is_listed(GaitListPart::Presets).then(presets),
            picture: self.picture.as_ref().map(|file| file.display().to_string()),
            files: outputs.files(),
        };
        finish(outputs, GaitListRequest::COMMAND, report, self.report.as_deref())
    }
}

impl GaitCatalogue {
    /// Of a person of a height.
    fn of(gait: Gait, height: f64) -> GaitCatalogue {
        GaitCatalogue { parameters: parameters(gait, height), attributes: attributes(gait, height) }
    }
}

fn parameters(gait: Gait, height: f64) -> Vec<ParameterRow> {
    let settings = GaitSettings::natural(gait, height);
    let (ranges, stride) = match gait {
        Gait::Walk => {
            let walk = settings.walk.parameters;
            (WalkParameters::ranges(height), [walk.speed, walk.step_length, walk.cadence])
        }
        Gait::Run => {
            let run = settings.run.parameters;
            (RunParameters::ranges(height, run.level), [run.speed, run.step_length, run.cadence])
        }
    };
    let ranges = [ranges.speed, ranges.step_length, ranges.cadence];
    let stride = ranges.into_iter().zip(stride.map(Some));
    let mut rows: Vec<ParameterRow> = Parameter::STRIDE
        .into_iter()
        .zip(stride)
        .map(|(parameter, (range, default))| ParameterRow::new(parameter, range, default))
        .collect();
    if gait == Gait::Run {
        let heights = RunParameters::flight_heights(settings.run.parameters.cadence);
        rows.push(ParameterRow::new(Parameter::FlightHeight, heights, None));
        rows.push(ParameterRow::new(Parameter::Level, RunParameters::LEVELS, Some(0.0)));
    }
    rows
}

impl ParameterRow {
    /// Range and default in SI units.
    fn new(parameter: Parameter, range: Range, default: Option<f64>) -> ParameterRow {
        let what = match parameter {
            Parameter::Speed => "how fast; also in m/s and m/min",
            Parameter::StepLength => "from one foot's landing to the other's",
            Parameter::Cadence => "step frequency; also in steps/s",
            Parameter::FlightHeight => "how high the pelvis rises in flight",
            Parameter::Level => "of expertise: the skilled step longer and fly longer",
            Parameter::BodyHeight => "of the body",
        };
        ParameterRow {
            name: parameter.name().to_string(),
            what: what.to_string(),
            unit: parameter.unit().to_string(),
            min: parameter.to_user(range.min),
            max: parameter.to_user(range.max),
            default: default.map(|value| parameter.to_user(value)),
        }
    }
}

fn attributes(gait: Gait, height: f64) -> Vec<AttributeRow> {
    let row = |info: &AttributeInfo| {
        let (range, is_word) = (info.range_at(height), info.unit == AttributeUnit::Strike);
        AttributeRow {
            name: info.name.to_string(),
            what: info.what.to_string(),
            unit: info.unit.name().to_string(),
            min: (!is_word).then_some(range.min),
            max: (!is_word).then_some(range.max),
            values: is_word.then(|| [Strike::Heel, Strike::Toe].map(|strike| strike.name().to_string()).to_vec()),
            default: natural_gait_attribute(gait, info.name, height).map(AttributeName::from),
            follows_parameters: gait == Gait::Run && follows_parameters(info.name),
        }
    };
    gait.catalogue().into_iter().map(row).collect()
}

impl From<&Style> for PresetReport {
    fn from(style: &Style) -> PresetReport {
        let stride = &style.targets.stride;
        let user = |parameter: Parameter, value: Option<f64>| value.map(|value| parameter.to_user(value));
        let set = style.attributes.iter().map(|(name, value)| (name.clone(), AttributeName::from(*value)));
        PresetReport {
            name: style.name.clone(),
            gait: style.gait.name().to_string(),
            what: style.what.clone(),
            height: style.height,
            speed_km_per_hour: user(Parameter::Speed, stride.speed),
            step_length: stride.step_length,
            cadence_per_minute: user(Parameter::Cadence, stride.cadence),
            flight_height: style.targets.flight_height,
            level: style.targets.level,
            lock: style.lock.map(|parameter| parameter.name().to_string()),
            set: set.collect(),
        }
    }
}
