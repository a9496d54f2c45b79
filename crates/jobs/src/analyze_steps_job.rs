//! The job `steps analyze`: what a step database can do, what it lacks, and which steps to record next (STRIDE 4.3).

use crate::build_steps::{corpus_steps, load_steps_and_flights};
use crate::contacts_job::check_svg;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::plan_editor::corpus_failure;
use crate::plot_steps::{hull_edges, plot_steps};
use crate::request_limits::check_range;
use crate::step_findings::{FindingReport, ShotReport};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use surefoot_compose::FlightLibrary;
use surefoot_formats::own;
use surefoot_gait::CorpusOptions;
use surefoot_motion::Side;
use surefoot_steps::{AnalyzeOptions, StepAnalysis, StepDatabase, analyze_steps};

/// Which step database to analyse.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AnalyzeStepsRequest {
    /// The database. Default: that of the built-in corpus.
    pub input: Option<PathBuf>,
    /// Size of a foot, in metres: steps nearer than this are alike. Default 0.15.
    pub foot: Option<f64>,
    /// The longest step over the height of the hips. Default 1.
    pub stride_ratio: Option<f64>,
    /// How many steps to record next are listed, up to 100. Default 12.
    pub shots: Option<usize>,
    /// Report where every step lies, too.
    pub points: bool,
    /// Where the database goes, such as the built-in one for other jobs.
    pub write_steps: Option<PathBuf>,
    /// Where a picture of where steps end goes, as SVG.
    pub picture: Option<PathBuf>,
    /// Where the report goes as JSON.
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    pub if_exists: IfExists,
}

/// What `steps analyze` reports. Lengths in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalyzeStepsReport {
    /// The database; absent for the built-in corpus.
    pub input: Option<String>,
    /// Its name for people.
    pub name: String,
    /// How many steps it has.
    pub steps: usize,
    /// How many joints its skeleton has.
    pub joints: usize,
    /// Height of the hips of the standing body.
    pub trochanter_height: f64,
    /// The longest step that the body can make.
    pub longest_step: f64,
    /// Steps of the left foot.
    pub left: SideStepsReport,
    /// Steps of the right foot.
    pub right: SideStepsReport,
    /// What to record next, the most helpful first.
    pub shots: Vec<ShotReport>,
    /// The picture.
    pub picture: Option<String>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// The steps of one foot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideStepsReport {
    /// How many, mirror images included.
    pub steps: usize,
    /// How many of them are mirror images.
    pub mirrored: usize,
    /// How many go up.
    #[serde(default)]
    pub up: usize,
    /// How many go down.
    #[serde(default)]
    pub down: usize,
    /// How far their feet go up at most, and down below 0, in centimetres; `null` if all steps are level.
    #[serde(default)]
    pub rises_cm: Option<[f64; 2]>,
    /// Share of the steps within a person's reach that can be blended.
    pub coverage: f64,
    /// Volume of the hull in the space of parameters, in cubic metres.
    pub hull_volume: f64,
    /// Tetrahedra of the Delaunay triangulation.
    pub tetrahedra: usize,
    /// Everything found, in the paper's order.
    pub findings: Vec<FindingReport>,
    /// Where every step lies, if it was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<StepPointReport>,
    /// Edges of the hull, if points were asked for: between two of them, by their place in the list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hull_edges: Vec<[usize; 2]>,
}

/// A step in the space of parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepPointReport {
    /// Its number in the database.
    pub step: usize,
    /// Its three lengths: how far apart the feet start, how far in that direction the foot ends, and how far square to it.
    pub parameters: [f64; 3],
    /// Its take and frames.
    pub source: String,
    /// How far the foot goes up.
    pub rise: f64,
}

impl JobReport for AnalyzeStepsReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for AnalyzeStepsRequest {
    const COMMAND: &'static str = "steps analyze";
    type Report = AnalyzeStepsReport;

    fn outputs(&self) -> Vec<&Path> {
        [&self.write_steps, &self.picture, &self.report].into_iter().flatten().map(PathBuf::as_path).collect()
    }

    fn run(&self, context: &JobContext) -> Result<AnalyzeStepsReport, JobError> {
        let options = self.options()?;
        self.picture.as_deref().map_or(Ok(()), check_svg)?;
        let mut outputs = Outputs::check(self.outputs(), self.if_exists)?;
        let (database, flights) = steps_and_flights_of(self.input.as_deref())?;
        context.advance(1, 2, "analysis")?;
        let analysis = analyze_steps(&database, &options);
        context.check()?;
        let name = self.input.as_ref().map_or("the built-in corpus".to_string(), |path| {
            path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
        });
        if let Some(picture) = &self.picture {
            let svg = plot_steps(&format!("Steps of {name}"), &database, &analysis, &options);
            outputs.add("picture", picture, svg.into_bytes());
        }
        if let Some(file) = &self.write_steps {
            outputs.add("steps", file, own::write_steps_and_flights(&database, &flights));
        }
        let shown = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let longest = analysis.longest_step;
        let report = AnalyzeStepsReport {
            input: shown(&self.input),
            name,
            steps: database.steps().len(),
            joints: database.parts().skeleton.n_joints(),
            trochanter_height: analysis.trochanter_height,
            longest_step: longest,
            left: side_report(&database, &analysis, Side::Left, self.points),
            right: side_report(&database, &analysis, Side::Right, self.points),
            shots: analysis.shots.iter().map(|shot| ShotReport::new(shot, longest)).collect(),
            picture: shown(&self.picture),
            files: outputs.files(),
        };
        finish(outputs, AnalyzeStepsRequest::COMMAND, report, self.report.as_deref())
    }
}

impl AnalyzeStepsRequest {
    fn options(&self) -> Result<AnalyzeOptions, JobError> {
        check_range("foot", self.foot, 0.001..=1.0)?;
        check_range("stride_ratio", self.stride_ratio, 0.3..=2.0)?;
        check_range("shots", self.shots.map(|shots| shots as f64), 0.0..=100.0)?;
        let usual = AnalyzeOptions::default();
        Ok(AnalyzeOptions {
            foot: self.foot.unwrap_or(usual.foot),
            stride_ratio: self.stride_ratio.unwrap_or(usual.stride_ratio),
            n_shots: self.shots.unwrap_or(usual.n_shots),
            ..usual
        })
    }
}

fn side_report(database: &StepDatabase, analysis: &StepAnalysis, side: Side, with_points: bool) -> SideStepsReport {
    let of = &analysis.sides[side];
    let (points, hull_edges) = if with_points { points_of(database, side) } else { Default::default() };
    SideStepsReport {
        steps: of.n_steps,
        mirrored: of.n_mirrored,
        up: of.n_up,
        down: of.n_down,
        rises_cm: of.rises.map(|rises| [100.0 * rises.min, 100.0 * rises.max]),
        coverage: of.coverage,
        hull_volume: of.hull_volume,
        tetrahedra: database.space(side).delaunay().tetrahedra().len(),
        findings: of.findings.iter().map(FindingReport::from).collect(),
        points,
        hull_edges,
    }
}

/// Every step of a foot, and the edges of their hull.
fn points_of(database: &StepDatabase, side: Side) -> (Vec<StepPointReport>, Vec<[usize; 2]>) {
    let space = database.space(side);
    let place_of: HashMap<usize, usize> = space.steps().iter().enumerate().map(|(at, &step)| (step, at)).collect();
    let point = |&step: &usize| {
        let of = &database.steps()[step];
        let source = of.source.name().to_string();
        StepPointReport { step, parameters: of.point().to_array(), source, rise: of.rise() }
    };
    let edges =
        hull_edges(space.delaunay()).into_iter().map(|edge| edge.map(|vertex| place_of[&space.step_of(vertex)]));
    (space.steps().iter().map(point).collect(), edges.collect())
}

/// The step database of a file, or that of the built-in corpus.
pub fn steps_of(path: Option<&Path>) -> Result<StepDatabase, JobError> {
    Ok(steps_and_flights_of(path)?.0)
}

/// The same with its recorded flights, of which the corpus has none.
pub(crate) fn steps_and_flights_of(path: Option<&Path>) -> Result<(StepDatabase, FlightLibrary), JobError> {
    match path {
        Some(path) => Ok(load_steps_and_flights(path)?),
        None => {
            let steps = corpus_steps(&CorpusOptions::default()).map_err(|error| corpus_failure(&error))?;
            Ok((steps, FlightLibrary::default()))
        }
    }
}
