//! The job `graph follow`: a walk along a path through a motion graph, with a verdict.
//!
//! The clips of a graph were recorded on level ground. On a terrain that is level under the path the walk is lifted to its
//! height and measured on it; any other terrain is refused with the place where it is not level.

use crate::build_graph_job::graph_of;
use crate::character::{CharacterReport, LoadedCharacter, add_motion_on};
use crate::contacts_job::check_svg;
use crate::follow_verdict::{Followed, end_distance};
use crate::input_request::{InputRequest, TerrainRequest};
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::level_ground::{level_height, lift_take};
use crate::metric_row::MetricRow;
use crate::motion_graphs::{FollowGraphError, FollowRequest, FollowedPath, follow_graph_on, seeded_start};
use crate::motion_output::{MotionOutput, MotionReport};
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::verdict_report::VerdictReport;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_contact::metrics::{MeasureOptions, Measures, PathDeviation, SearchEffort, measure_take};
use surefoot_formats::{own, read_bytes};
use surefoot_geom::{Vec2, ground_point};
use surefoot_graph::{Abstraction, FollowOptions, GraphRecord, Progress};
use surefoot_ground::Terrain;
use surefoot_picture::{FollowedPathPlot, followed_path_plot};

/// Which path to follow through which graph.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FollowGraphRequest {
    /// The graph; `corpus` is that of the built-in walks.
    pub graph: PathBuf,
    /// Path file to follow.
    pub path: PathBuf,
    /// Where the motion goes.
    pub output: MotionOutput,
    /// The character to animate; its feet are always cleaned. Default: the body of the graph.
    #[serde(default)]
    pub on: Option<InputRequest>,
    /// What of the body is kept on the path.
    #[serde(default)]
    pub abstraction: AbstractionName,
    /// Frames that each search looks ahead. Default 80.
    #[serde(default)]
    pub look_ahead: Option<usize>,
    /// Frames of what a search found that are kept before the next. Default 25.
    #[serde(default)]
    pub commit: Option<usize>,
    /// Node to begin at. Default 0.
    #[serde(default, alias = "start")]
    pub start_node: Option<usize>,
    /// Begin at a random node instead, the same for the same seed.
    #[serde(default)]
    pub seed: Option<u64>,
    /// How far along the path a walk is after each search.
    #[serde(default)]
    pub progress: ProgressName,
    /// Footskate cleanup of the result.
    #[serde(default)]
    pub clean: bool,
    /// Warp the walk to the path afterwards.
    #[serde(default)]
    pub fit_path: bool,
    /// The ground, level under the path. Default: flat at 0.
    #[serde(default)]
    pub terrain: Option<TerrainRequest>,
    /// Where the contacts of the result go.
    #[serde(default)]
    pub write_contacts: Option<PathBuf>,
    /// Where a picture of path, abstraction and pelvis from above goes, as SVG.
    #[serde(default)]
    pub picture: Option<PathBuf>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// The standard method and the abstractions of GRAPH 6.1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AbstractionName {
    /// The pelvis itself, which loses its sway.
    Pelvis,
    /// The mean of knees, ankles and feet.
    Joints,
    /// Middles between the points where the pelvis sways farthest.
    Extrema,
    /// The pelvis's trajectory smoothed over its length.
    #[default]
    Gaussian,
    /// A B-spline through few points of the pelvis's trajectory.
    BSpline,
}

impl From<AbstractionName> for Abstraction {
    fn from(name: AbstractionName) -> Abstraction {
        match name {
            AbstractionName::Pelvis => Abstraction::Pelvis,
            AbstractionName::Joints => Abstraction::Joints,
            AbstractionName::Extrema => Abstraction::Extrema,
            AbstractionName::Gaussian => Abstraction::Gaussian,
            AbstractionName::BSpline => Abstraction::BSpline,
        }
    }
}

/// How far along the path a walk is after each search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProgressName {
    /// To the nearest place of the path.
    #[default]
    Nearest,
    /// As far as it has travelled, as the paper counts: long walks fall behind.
    Travelled,
}

impl From<ProgressName> for Progress {
    fn from(name: ProgressName) -> Progress {
        match name {
            ProgressName::Nearest => Progress::Nearest,
            ProgressName::Travelled => Progress::Travelled,
        }
    }
}

/// What `graph follow` reports. Lengths in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FollowGraphReport {
    /// In a word, and why.
    pub verdict: VerdictReport,
    /// Why the path is lost, if it is.
    pub lost_path: Option<String>,
    /// The graph.
    pub graph: String,
    /// The path file.
    pub path: String,
    /// The character; absent if none was named.
    pub on: Option<CharacterReport>,
    /// The motion that was written.
    #[serde(flatten)]
    pub motion: MotionReport,
    /// The contacts file.
    pub contacts_output: Option<String>,
    /// The picture.
    pub picture: Option<String>,
    /// What of the body was kept on the path.
    pub abstraction: AbstractionName,
    /// Frames that each search looked ahead.
    pub look_ahead: usize,
    /// Frames that were kept of each search.
    pub commit: usize,
    /// How far along the path a walk was taken to be.
    pub progress: ProgressName,
    /// The node it began at.
    pub start: usize,
    /// Clip of that node.
    pub start_clip: String,
    /// Frame of that clip.
    pub start_frame: usize,
    /// Edges in order.
    pub edges: Vec<usize>,
    /// Blends that are played.
    pub blends: usize,
    /// Edges that were tried in all searches.
    pub tried: usize,
    /// How long the search took on the machine that it ran on.
    pub search_seconds: f64,
    /// Searches that were cut short.
    pub searches_cut_short: usize,
    /// Sum over all frames of the squared distance from the path, in square metres, in the search.
    pub search_deviation: f64,
    /// Of the pelvis from the path in the result; absent if it hardly moves.
    pub deviation: Option<PathDeviationReport>,
    /// How far the last frame's pelvis is from the path's end.
    pub end_distance: f64,
    /// What warping to the path did.
    pub fitted: Option<PathFittedReport>,
    /// Height of the ground under the path.
    pub ground_height: f64,
    /// Whether footskate cleanup was requested.
    pub clean_requested: bool,
    /// Whether feet were cleaned; not so although requested where no foot is ever planted.
    pub cleaned: bool,
    /// Farthest that a planted heel or ball strays over the ground from its median place.
    pub drift: f64,
    /// By height and time (GRAPH 4.1).
    pub skating: SkatingReport,
    /// The same of the graph's own clips, to compare with.
    pub source_skating_per_frame: Option<f64>,
    /// All metrics of the result on its ground.
    pub metrics: Vec<MetricRow>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// Deviation from a path, in metres (GRAPH 4.2).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathDeviationReport {
    /// Squared distance integrated along the trajectory, in cubic metres.
    pub integral: f64,
    /// Mean distance at the same travelled distance.
    pub mean: f64,
    /// Largest distance at the same travelled distance.
    pub max: f64,
    /// Mean distance to the nearest point of the path.
    pub nearest_mean: f64,
    /// Largest distance to the nearest point of the path.
    pub nearest_max: f64,
    /// Length of the pelvis's trajectory.
    pub walked: f64,
    /// Length of the path.
    pub path: f64,
}

impl From<PathDeviation> for PathDeviationReport {
    fn from(deviation: PathDeviation) -> PathDeviationReport {
        let PathDeviation { integral, mean, max, nearest_mean, nearest_max, walked, path } = deviation;
        PathDeviationReport { integral, mean, max, nearest_mean, nearest_max, walked, path }
    }
}

/// What warping to the path did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathFittedReport {
    /// Frames that were cut because the path ended.
    pub cut_frames: usize,
    /// The fastest turn that it added.
    pub fastest_turn_degrees_per_second: f64,
    /// The frame in which that is.
    pub fastest_turn_frame: usize,
}

/// Skating by height and time (GRAPH 4.1), in metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkatingReport {
    /// Sum over all frames, both legs and three joints.
    pub total: f64,
    /// For each planted frame of a foot; absent if none is ever planted.
    pub per_frame: Option<f64>,
}

impl JobReport for FollowGraphReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }

    fn not_met(&self) -> Option<JobError> {
        self.lost_path.as_ref().map(|lost| JobError::not_met("lost_path", lost.clone()).in_file(&self.path))
    }
}

impl Job for FollowGraphRequest {
    const COMMAND: &'static str = "graph follow";
    type Report = FollowGraphReport;

    fn outputs(&self) -> Vec<&Path> {
        self.output.paths_with(&[&self.write_contacts, &self.picture, &self.report])
    }

    fn inputs(&self) -> Vec<&Path> {
        let files = [self.graph.as_path(), &self.path].into_iter();
        let on = self.on.iter().flat_map(InputRequest::files);
        files.chain(on).chain(self.terrain.as_ref().and_then(TerrainRequest::file)).collect()
    }

    fn run(&self, context: &JobContext) -> Result<FollowGraphReport, JobError> {
        self.output.format()?;
        self.picture.as_deref().map_or(Ok(()), check_svg)?;
        let mut outputs = Outputs::check_apart(self.outputs(), self.inputs(), self.if_exists)?;
        let path = own::read_path(&read_bytes(&self.path)?).map_err(|error| error.in_file(&self.path))?;
        let terrain = self.terrain.as_ref().map(TerrainRequest::load).transpose()?.unwrap_or_default();
        let height = level_height(&terrain, &path).map_err(|error| error.in_file(&self.path))?;
        let character = self.on.as_ref().map(LoadedCharacter::load).transpose()?;
        let record = graph_of(Some(&self.graph))?;
        let request = self.follow_request(&record)?;
        context.advance(1, 3, "search")?;
        let on = character.as_ref().map(LoadedCharacter::character);
        let followed = follow_graph_on(&record.graph, &path, &request, on.as_ref());
        let mut followed = followed.map_err(|error| self.failure(&error))?;
        followed.take = lift_take(&followed.take, height);
        context.advance(2, 3, "metrics")?;
        let measures = measure(&followed, &path, &terrain);
        let motion = add_motion_on(character.as_ref(), &self.output, &mut outputs, &followed.take)?;
        outputs.add_contacts(self.write_contacts.as_deref(), &followed.take.contacts);
        if let Some(file) = &self.picture {
            outputs.add("picture", file, self.draw(&followed, &path.points, height).into_bytes());
        }
        context.check()?;
        let judged = Followed {
            measures: &measures,
            end_distance: end_distance(&followed.take.clip, &followed.take.body, &path),
            clip: &followed.take.clip,
            source: &record.graph.set,
            fastest_turn: followed.fitted.map(|fitted| fitted.fastest_turn),
            cut_short: followed.walk.cut_short,
            ground_height: height,
        };
        let mut report = self.report_on(&record, &request, &followed, &judged, (motion, outputs.files()));
        report.on = character.map(|character| character.report(None));
        finish(outputs, FollowGraphRequest::COMMAND, report, self.report.as_deref())
    }
}

fn measure(followed: &FollowedPath, path: &surefoot_ground::Path, terrain: &Terrain) -> Measures {
    let search = SearchEffort { tried: followed.walk.tried as u64, seconds: Some(followed.search_time.as_secs_f64()) };
    let options = MeasureOptions { path: Some(path), search: Some(search), ..MeasureOptions::default() };
    measure_take(&followed.take, terrain, &options)
}

impl FollowGraphRequest {
    fn follow_request(&self, record: &GraphRecord) -> Result<FollowRequest, JobError> {
        let start = match (self.start_node, self.seed) {
            (Some(_), Some(_)) => {
                let message = "a start node and a seed are given; one of them would do";
                return Err(JobError::new("usage", message).at_field("seed"));
            }
            (Some(node), None) => node,
            (None, Some(seed)) => seeded_start(&record.graph, seed),
            (None, None) => 0,
        };
        let usual = FollowOptions::default();
        let follow = FollowOptions {
            look_ahead: self.look_ahead.unwrap_or(usual.look_ahead),
            commit: self.commit.unwrap_or(usual.commit),
            start,
            progress: self.progress.into(),
            ..usual
        };
        let (clean, fit_path, rigid) = (self.clean, self.fit_path, self.output.keeps_bone_lengths()?);
        Ok(FollowRequest { abstraction: self.abstraction.into(), follow, clean, rigid, fit_path })
    }

    /// An error, with the file or the option that it came from.
    fn failure(&self, error: &FollowGraphError) -> JobError {
        let message = error.to_string();
        match error {
            FollowGraphError::Option { option, value, range } => {
                let message = format!("--{} {value}: {range} would be right", option.replace('_', "-"));
                JobError::new("usage", message).at_field(*option)
            }
            FollowGraphError::Path(_) => JobError::of_file("path", &self.path, message),
            FollowGraphError::TooLong { .. } => JobError::of_file("too_long", &self.path, message),
            // There is no motion to write, but the request was a good one: a lost path, too.
            FollowGraphError::StandsStill { .. } => JobError::not_met("lost_path", message).in_file(&self.graph),
            FollowGraphError::Retarget(_) => {
                let file = self.on.as_ref().map_or(&self.graph, |on| &on.file);
                JobError::of_file("retarget", file, message)
            }
            FollowGraphError::WarpPath(_) | FollowGraphError::Edit(_) => JobError::of_file("warp", &self.path, message),
        }
    }

    fn draw(&self, followed: &FollowedPath, path: &[Vec2], height: f64) -> String {
        let poses = followed.take.clip.world();
        let pelvis: Vec<Vec2> =
            poses.iter().map(|pose| ground_point(pose.position(followed.take.body.pelvis))).collect();
        let title = match &self.terrain {
            None => "A path followed through a motion graph".to_string(),
            Some(_) => format!("A path followed through a motion graph, on ground {height:.2} m high"),
        };
        followed_path_plot(&FollowedPathPlot {
            title: &title,
            path,
            track: (Abstraction::from(self.abstraction).name(), &followed.track),
            pelvis: &pelvis,
        })
    }

    fn report_on(
        &self,
        record: &GraphRecord,
        request: &FollowRequest,
        followed: &FollowedPath,
        judged: &Followed<'_>,
        (motion, files): (MotionReport, Vec<WrittenFile>),
    ) -> FollowGraphReport {
        let shown = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let FollowOptions { look_ahead, commit, start, .. } = request.follow;
        let node = record.graph.nodes()[start];
        let walk = &followed.walk;
        FollowGraphReport {
            verdict: VerdictReport::from(&judged.verdict()),
            lost_path: judged.lost_path(),
            graph: self.graph.display().to_string(),
            path: self.path.display().to_string(),
            on: None,
            motion,
            contacts_output: shown(&self.write_contacts),
            picture: shown(&self.picture),
            abstraction: self.abstraction,
            look_ahead,
            commit,
            progress: self.progress,
            start,
            start_clip: record.graph.set.clips()[node.clip].name.clone(),
            start_frame: node.frame,
            edges: walk.edges.clone(),
            blends: followed.n_blends,
            tried: walk.tried,
            search_seconds: followed.search_time.as_secs_f64(),
            searches_cut_short: walk.cut_short,
            search_deviation: walk.deviation,
            deviation: judged.measures.path.map(PathDeviationReport::from),
            end_distance: judged.end_distance,
            fitted: followed.fitted.map(|fitted| PathFittedReport {
                cut_frames: fitted.cut_frames,
                fastest_turn_degrees_per_second: fitted.fastest_turn.0.to_degrees(),
                fastest_turn_frame: fitted.fastest_turn.1,
            }),
            ground_height: judged.ground_height,
            clean_requested: self.clean || self.on.is_some(),
            cleaned: followed.is_clean,
            drift: followed.drift,
            skating: SkatingReport { total: followed.skating.total, per_frame: followed.skating.per_frame() },
            source_skating_per_frame: followed.source_skating.per_frame(),
            metrics: judged.measures.metrics().iter().map(MetricRow::from).collect(),
            files,
        }
    }
}
