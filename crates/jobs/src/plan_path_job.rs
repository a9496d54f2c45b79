//! The job `plan path`: a smooth path through a scene, from start to goal with a clearance.

use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::plan_path::{PathRequest, PlanPathError, PlannedPath, plan_path};
use crate::request_limits::check_range;
use crate::scene_picture::{ScenePlaces, check_scene_picture, draw_scene, file_name_of, read_scene, show_problem};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use surefoot_formats::own;
use surefoot_geom::Vec2;
use surefoot_ground::{MAX_REACH, PathOptions, Scene, ScenePart};
use surefoot_picture::TopView;

/// Which path to plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanPathRequest {
    /// Scene file; `-` is standard input.
    pub scene: PathBuf,
    /// Where the path goes; `-` is standard output.
    pub output: PathBuf,
    /// How far from every outline the path keeps, in metres. Default 0.3.
    #[serde(default)]
    pub clearance: Option<f64>,
    /// From where to where, and how it is drawn.
    #[serde(default)]
    pub places: PlacesRequest,
    /// Report the path and the discs of its corridor, too.
    #[serde(default)]
    pub corridor: bool,
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

/// From where to where a path leads, and how it is drawn. Lengths in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlacesRequest {
    /// Where to start, `[x, z]`. Default: the scene's start.
    pub start: Option<[f64; 2]>,
    /// Where to go. Default: the scene's goal.
    pub goal: Option<[f64; 2]>,
    /// How much farther than the clearance the path keeps from walls where there is room. Default 0.3.
    pub shyness: Option<f64>,
    /// Turns are no tighter than this where there is room. Default 0.5.
    pub turn_radius: Option<f64>,
}

/// Clearance of a path without another, in metres.
pub const USUAL_CLEARANCE: f64 = 0.3;

impl PlacesRequest {
    /// Refuses numbers out of range.
    pub fn check(&self) -> Result<(), JobError> {
        let places = [("places.start", self.start), ("places.goal", self.goal)];
        for (field, place) in places {
            for number in place.into_iter().flatten() {
                check_range(field, Some(number), -MAX_REACH..=MAX_REACH)?;
            }
        }
        check_range("places.shyness", self.shyness, 0.0..=10.0)?;
        check_range("places.turn_radius", self.turn_radius, 0.05..=10.0)
    }

    /// The places that are given.
    pub fn places(&self) -> ScenePlaces {
        ScenePlaces { start: self.start.map(Vec2::from), goal: self.goal.map(Vec2::from) }
    }

    /// How the path is drawn.
    pub fn drawing(&self) -> PathOptions {
        let usual = PathOptions::default();
        PathOptions {
            shyness: self.shyness.unwrap_or(usual.shyness),
            turn_radius: self.turn_radius.unwrap_or(usual.turn_radius),
            ..usual
        }
    }

    /// Why no path was found, with the option or the file that it came from.
    pub fn failure(&self, error: &PlanPathError, scene: &Path) -> JobError {
        let option = match error.part() {
            Some(ScenePart::Start) if self.start.is_some() => Some("--start"),
            Some(ScenePart::Goal) if self.goal.is_some() => Some("--goal"),
            _ => None,
        };
        let message = match (error, option) {
            (PlanPathError::Missing(part), _) => format!("{error}; --{part} gives one"),
            // The error begins with the field's name, which is not where the place came from.
            (_, Some(option)) => {
                let text = error.to_string();
                let words = text.split_once(": ").map_or(&*text, |(_, words)| words);
                format!("{option}: {words}")
            }
            _ => error.to_string(),
        };
        let kind = match error {
            PlanPathError::Map(_) => "scene",
            PlanPathError::Missing(_) => "missing",
            PlanPathError::Query(_) => "no_path",
        };
        JobError::of_file(kind, scene, message)
    }
}

/// What `plan path` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanPathReport {
    /// The scene.
    pub scene: String,
    /// The path.
    pub output: String,
    /// The picture.
    pub picture: Option<String>,
    /// Length of the path.
    pub length_m: f64,
    /// How many points it has.
    pub points: usize,
    /// The clearance that was requested.
    pub clearance_m: f64,
    /// The least distance of the path from an outline.
    pub least_clearance_m: f64,
    /// Free discs of the corridor.
    pub discs: usize,
    /// Length of the corridor.
    pub corridor_length_m: f64,
    /// Obstacles of the scene.
    pub obstacles: usize,
    /// Points `[x, z]` of the path, if they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<[f64; 2]>,
    /// Free discs `[x, z, radius]` of the corridor, if they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub corridor: Vec<[f64; 3]>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

impl JobReport for PlanPathReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }
}

impl Job for PlanPathRequest {
    const COMMAND: &'static str = "plan path";
    type Report = PlanPathReport;

    fn outputs(&self) -> Vec<&Path> {
        let more = [&self.picture, &self.report].into_iter().flatten();
        std::iter::once(&self.output).chain(more).map(PathBuf::as_path).collect()
    }

    fn inputs(&self) -> Vec<&Path> {
        vec![&self.scene]
    }

    fn run(&self, context: &JobContext) -> Result<PlanPathReport, JobError> {
        check_range("clearance", self.clearance, 0.0..=100.0)?;
        self.places.check()?;
        let mut outputs = Outputs::check_apart(self.outputs(), self.inputs(), self.if_exists)?;
        self.picture.as_deref().map_or(Ok(()), check_scene_picture)?;
        let (title, picture) = (file_name_of(&self.scene), self.picture.as_deref());
        let places = self.places.places();
        let scene = match read_scene(&self.scene, places) {
            Ok(scene) => scene,
            Err(problem) => {
                let Some(scene) = &problem.scene else { return Err(*problem.error) };
                let view = TopView::of_scene(&title, scene);
                return Err(show_problem(outputs, picture, &view, problem.at, *problem.error));
            }
        };
        let request = PathRequest {
            start: places.start,
            goal: places.goal,
            clearance: self.clearance.unwrap_or(USUAL_CLEARANCE),
            drawing: self.places.drawing(),
        };
        context.advance(1, 2, "path")?;
        let planned = match plan_path(&scene, &request) {
            Ok(planned) => planned,
            Err(error) => {
                let failure = self.places.failure(&error, &self.scene);
                let view = view_of(&title, &scene, places);
                return Err(show_problem(outputs, picture, &view, error.place(), failure));
            }
        };
        context.check()?;
        outputs.add("path", &self.output, own::write_path(&planned.path).into_bytes());
        if let Some(path) = picture {
            outputs.add("picture", path, draw(path, &planned, &view_of(&title, &scene, places))?);
        }
        let discs = planned.corridor.disks();
        let report = PlanPathReport {
            scene: self.scene.display().to_string(),
            output: self.output.display().to_string(),
            picture: picture.map(|path| path.display().to_string()),
            length_m: planned.path.length(),
            points: planned.path.points.len(),
            clearance_m: request.clearance,
            least_clearance_m: planned.least_clearance,
            discs: discs.len(),
            corridor_length_m: planned.corridor.length(),
            obstacles: scene.obstacles.len(),
            path: planned.path.points.iter().filter(|_| self.corridor).map(Vec2::to_array).collect(),
            corridor: discs
                .iter()
                .filter(|_| self.corridor)
                .map(|disc| [disc.centre.x, disc.centre.y, disc.radius])
                .collect(),
            files: outputs.files(),
        };
        finish(outputs, PlanPathRequest::COMMAND, report, self.report.as_deref())
    }
}

/// The scene with the start and the goal that count.
fn view_of<'a>(title: &'a str, scene: &'a Scene, places: ScenePlaces) -> TopView<'a> {
    let view = TopView::of_scene(title, scene);
    TopView { start: places.start.or(view.start), goal: places.goal.or(view.goal), ..view }
}

fn draw(path: &Path, planned: &PlannedPath, view: &TopView<'_>) -> Result<Vec<u8>, JobError> {
    let centres = |disks: &[surefoot_ground::Disk]| disks.iter().map(|disk| disk.centre).collect();
    let map: Vec<Vec<Vec2>> = planned.map.backbones().map(centres).collect();
    let note = format!("{:.2} m, at least {:.3} m from everything", planned.path.length(), planned.least_clearance);
    let view = TopView {
        note: &note,
        map: &map,
        corridor: planned.corridor.disks(),
        path: &planned.path.points,
        ..view.clone()
    };
    draw_scene(path, &view)
}
