//! The job `plan steps`: footprints along a path, for a person of any height.

use crate::input_request::TerrainRequest;
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::motion_output::MotionOutput;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::plan_path::{blocked_place, check_path_in_scene};
use crate::plan_person_steps::{PersonSteps, PersonStepsError, plan_person_steps};
use crate::scene_picture::{
    ScenePlaces, SceneProblem, check_scene_picture, draw_scene, file_name_of, read_scene, show_problem,
};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_contact::metrics::OffTerrain;
use surefoot_formats::{own, read_bytes};
use surefoot_gait::equations::DEFAULT_HEIGHT;
use surefoot_gait::{PlanStepsError, PlanStepsOptions};
use surefoot_geom::Vec2;
use surefoot_ground::{Place, Scene};
use surefoot_picture::TopView;

/// Along which path to plan steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanStepsRequest {
    /// Path file; `-` is standard input.
    pub path: PathBuf,
    /// Where the foot plan goes; `-` is standard output.
    pub output: PathBuf,
    /// In m/s; who is in a hurry runs. Default: a walk of 5 km/h at 1.8 m, alike at other heights.
    #[serde(default)]
    pub speed: Option<f64>,
    /// Height of the person, in metres. Default 1.8.
    #[serde(default)]
    pub height: Option<f64>,
    /// Scene whose obstacles and bounds no footprint enters or leaves; its start and goal give where the person faces.
    #[serde(default)]
    pub scene: Option<PathBuf>,
    /// The ground. Default: the scene's, or flat at 0.
    #[serde(default)]
    pub terrain: Option<TerrainRequest>,
    /// Where a picture from above goes, as PNG or SVG. What is wrong is shown too, if anything is.
    #[serde(default)]
    pub picture: Option<PathBuf>,
    /// Where the report goes as JSON.
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// What to do with existing outputs.
    #[serde(default)]
    pub if_exists: IfExists,
}

/// What `plan steps` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanStepsReport {
    /// The path.
    pub path: String,
    /// The foot plan.
    pub output: String,
    /// The picture.
    pub picture: Option<String>,
    /// Length of the path.
    pub path_length_m: f64,
    /// How many footprints there are.
    pub footprints: usize,
    /// Length of a step straight ahead.
    pub full_step_m: f64,
    /// Of the shortest step; absent where there is none between start and end.
    pub shortest_step_m: Option<f64>,
    /// Footprints that were moved, so that no foot is planted on the other or on an obstacle.
    pub moved: Vec<MovedFootprint>,
    /// Where the terrain's height field is left; absent if it is not.
    #[serde(default)]
    pub off_terrain: Option<String>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// A footprint that was moved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovedFootprint {
    /// From 0, as in `footprints[5]`.
    pub footprint: usize,
    /// How far.
    pub by_m: f64,
}

impl JobReport for PlanStepsReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

/// An end of a path this near to a scene's start or goal is there, in metres.
const SAME_PLACE: f64 = 0.05;

impl Job for PlanStepsRequest {
    const COMMAND: &'static str = "plan steps";
    type Report = PlanStepsReport;

    fn outputs(&self) -> Vec<&Path> {
        let more = [&self.picture, &self.report].into_iter().flatten();
        std::iter::once(&self.output).chain(more).map(PathBuf::as_path).collect()
    }

    fn inputs(&self) -> Vec<&Path> {
        let files = std::iter::once(&self.path).chain(&self.scene).map(PathBuf::as_path);
        files.chain(self.terrain.as_ref().and_then(TerrainRequest::file)).collect()
    }

    fn run(&self, context: &JobContext) -> Result<PlanStepsReport, JobError> {
        let picture = self.picture.as_deref();
        let mut outputs = Outputs::check_apart(self.outputs(), self.inputs(), self.if_exists)?;
        MotionOutput::refuse_motion_ending(&self.output, "a foot plan", ".plan.json")?;
        picture.map_or(Ok(()), check_scene_picture)?;
        let path = own::read_path(&read_bytes(&self.path)?).map_err(|error| error.in_file(&self.path))?;
        let title = file_name_of(&self.path);
        let mut around = around_path(&path);
        let (made, off_terrain) = match self.make(context, &path) {
            Ok((scene, made, off_terrain)) => {
                around = scene.unwrap_or(around);
                (made, off_terrain)
            }
            Err(SceneProblem { error, at, scene }) => {
                // What is wrong with the scene's file is shown without the path, which was not looked at yet.
                let is_scene_wrong = scene.as_ref().is_some_and(|scene| scene.check().is_err());
                around = scene.map_or(around, |scene| *scene);
                let points: &[Vec2] = if is_scene_wrong { &[] } else { &path.points };
                let name = self.scene.as_deref().filter(|_| is_scene_wrong).map_or(title, file_name_of);
                let view = TopView { path: points, ..TopView::of_scene(&name, &around) };
                return Err(show_problem(outputs, picture, &view, at, *error));
            }
        };
        let steps = &made.steps;
        outputs.add("plan", &self.output, own::write_plan(&steps.plan).into_bytes());
        if let Some(file) = picture {
            let note = format!("{} footprints", steps.plan.footprints.len());
            let footprints = Some((&steps.plan, made.soles));
            let view = TopView { path: &path.points, note: &note, footprints, ..TopView::of_scene(&title, &around) };
            outputs.add("picture", file, draw_scene(file, &view)?);
        }
        let moved = steps.moved.iter().map(|&(footprint, by_m)| MovedFootprint { footprint, by_m });
        let report = PlanStepsReport {
            path: self.path.display().to_string(),
            output: self.output.display().to_string(),
            picture: picture.map(|path| path.display().to_string()),
            path_length_m: path.length(),
            footprints: steps.plan.footprints.len(),
            full_step_m: steps.full_step,
            shortest_step_m: steps.shortest_step,
            moved: moved.collect(),
            off_terrain: off_terrain.map(|place| place.to_string()),
            files: outputs.files(),
        };
        finish(outputs, PlanStepsRequest::COMMAND, report, self.report.as_deref())
    }
}

impl PlanStepsRequest {
    /// The scene, if one is named, the steps through it, and where they leave its terrain.
    fn make(
        &self,
        context: &JobContext,
        path: &surefoot_ground::Path,
    ) -> Result<(Option<Scene>, PersonSteps, Option<OffTerrain>), SceneProblem> {
        let scene = self.scene.as_deref().map(|file| read_scene(file, ScenePlaces::default())).transpose()?;
        let terrain = self.terrain.as_ref().map(TerrainRequest::load).transpose()?;
        let terrain = terrain.or_else(|| scene.as_ref().and_then(|scene| scene.terrain.clone()));
        let boxed = || scene.clone().map(Box::new);
        if let Some(scene) = &scene {
            check_path_in_scene(scene, path).map_err(|error| {
                let file = self.scene.as_deref().map_or_else(String::new, |file| format!(" ({})", file.display()));
                let at = blocked_place(&error);
                let error = JobError::of_file("path", &self.path, format!("{error}{file}"));
                SceneProblem { error: Box::new(error), at, scene: boxed() }
            })?;
        }
        context.advance(1, 2, "steps")?;
        // A scene's headings count for a path that begins or ends where it does.
        let heading = |place: Option<Place>, end: Option<&Vec2>| {
            place.filter(|place| end.is_some_and(|end| end.distance(place.position) < SAME_PLACE))?.heading
        };
        let options = PlanStepsOptions {
            scene: scene.as_ref(),
            terrain: terrain.as_ref(),
            start_heading: heading(scene.as_ref().and_then(|scene| scene.start), path.points.first()),
            goal_heading: heading(scene.as_ref().and_then(|scene| scene.goal), path.points.last()),
            first: None,
        };
        let made = plan_person_steps(self.height.unwrap_or(DEFAULT_HEIGHT), self.speed, path, &options);
        let made = made.map_err(|error| {
            let at = match &error {
                PersonStepsError::Steps(PlanStepsError::Blocked { at, .. }) => Some(*at),
                _ => None,
            };
            SceneProblem { error: Box::new(self.failure(&error)), at, scene: boxed() }
        })?;
        context.check()?;
        let off_terrain = terrain.and_then(|terrain| OffTerrain::of_plan(&made.steps.plan, &terrain));
        Ok((scene, made, off_terrain))
    }

    fn failure(&self, error: &PersonStepsError) -> JobError {
        let message = error.to_string();
        match error {
            PersonStepsError::Person(_) => JobError::new("body", format!("--height: {message}")).at_field("height"),
            PersonStepsError::Speed(_) => JobError::new("parameter", format!("--speed: {message}")).at_field("speed"),
            PersonStepsError::Rig(_) => JobError::new("body", message),
            PersonStepsError::Steps(PlanStepsError::TooMany { .. }) => {
                JobError::of_file("too_long", &self.path, message)
            }
            PersonStepsError::Steps(_) => JobError::of_file("infeasible", &self.path, message),
            PersonStepsError::Plan(error) => {
                JobError { footprint: error.footprint(), ..JobError::of_file("infeasible", &self.path, message) }
            }
        }
    }
}

/// A scene without obstacles, for the picture of a path.
fn around_path(path: &surefoot_ground::Path) -> Scene {
    let low = path.points.iter().fold(Vec2::INFINITY, |low, &point| low.min(point)) - Vec2::splat(0.5);
    let high = path.points.iter().fold(Vec2::NEG_INFINITY, |high, &point| high.max(point)) + Vec2::splat(0.5);
    let bounds = vec![low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
    Scene { bounds, obstacles: Vec::new(), terrain: None, start: None, goal: None, waypoints: Vec::new() }
}
