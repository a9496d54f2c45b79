//! The job `go`: a scene becomes a walking person, with a verdict on the walk and what it touches.

use crate::analyze_steps_job::steps_and_flights_of;
use crate::animate_job::{shown, step_failure};
use crate::build_graph_job::graph_of;
use crate::character::{CharacterReport, LoadedCharacter, add_motion_on};
use crate::follow_graph_job::AbstractionName;
use crate::follow_verdict::Followed;
use crate::gait::GaitError;
use crate::gait_report::rise_note;
use crate::go::{GoError, GoOptions, GraphWalk, SceneWalk, Synthesis, go};
use crate::input_request::{InputRequest, TerrainRequest};
use crate::job::{Job, JobReport, finish};
use crate::job_context::JobContext;
use crate::job_error::JobError;
use crate::motion_graphs::FollowRequest;
use crate::motion_output::{MotionOutput, MotionReport};
use crate::outputs::{IfExists, Outputs, WrittenFile};
use crate::plan_path_job::PlacesRequest;
use crate::plan_report::{MotionMetricsReport, PlanReport};
use crate::request_limits::check_range;
use crate::scene_picture::{check_scene_picture, draw_scene, file_name_of, read_scene, show_problem};
use crate::verdict_report::{GradeName, VerdictReport};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use surefoot_compose::FlightLibrary;
use surefoot_contact::metrics::{MeasureOptions, measure_take};
use surefoot_formats::own;
use surefoot_gait::equations::DEFAULT_HEIGHT;
use surefoot_geom::{Vec2, ground_point};
use surefoot_graph::MotionSet;
use surefoot_ground::{Scene, Terrain};
use surefoot_motion::FRAME_RATES;
use surefoot_picture::TopView;
use surefoot_plan::{Touch, TouchReport};

/// Which scene to walk through, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoRequest {
    /// Scene file; `-` is standard input.
    pub scene: PathBuf,
    /// Where the motion goes.
    pub output: MotionOutput,
    /// Who makes the motion.
    #[serde(default)]
    pub with: SynthesizerName,
    /// The character to animate. Default: the body of the database or graph, or our own figure.
    #[serde(default)]
    pub on: Option<InputRequest>,
    /// The ground instead of the scene's own.
    #[serde(default)]
    pub terrain: Option<TerrainRequest>,
    /// With steps: step database. Default: that of the built-in corpus.
    #[serde(default)]
    pub db: Option<PathBuf>,
    /// With a graph: motion graph. Default: that of the built-in corpus.
    #[serde(default)]
    pub graph: Option<PathBuf>,
    /// With a graph: how it follows the path.
    #[serde(default)]
    pub follow: SceneFollowRequest,
    /// With gait: height of our own figure, 0.5 to 2.5 m. Default 1.8.
    #[serde(default)]
    pub height: Option<f64>,
    /// In metres a second: who is in a hurry runs; a graph has its own. Default: a natural walk.
    #[serde(default)]
    pub speed: Option<f64>,
    /// Frames per second of the motion; a graph has its own. Default 60.
    #[serde(default)]
    pub frame_rate: Option<f64>,
    /// How far from every outline the path keeps, in metres. Default: half a person, and how far the walk strays.
    #[serde(default)]
    pub clearance: Option<f64>,
    /// From where to where, and how the path is drawn.
    #[serde(default)]
    pub places: PlacesRequest,
    /// Where the contacts of the motion go.
    #[serde(default)]
    pub write_contacts: Option<PathBuf>,
    /// Where the planned path goes.
    #[serde(default)]
    pub write_path: Option<PathBuf>,
    /// Where the footprints go: as planned, or as the graph's walk took them.
    #[serde(default)]
    pub write_plan: Option<PathBuf>,
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

/// Who makes the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SynthesizerName {
    /// Recorded or built-in steps blended, feet exactly on planned footprints.
    #[default]
    Steps,
    /// A motion graph that follows the path.
    Graph,
    /// Procedural gait, feet exactly on planned footprints.
    Gait,
}

impl SynthesizerName {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            SynthesizerName::Steps => "steps",
            SynthesizerName::Graph => "graph",
            SynthesizerName::Gait => "gait",
        }
    }
}

/// How a graph follows the path of a scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SceneFollowRequest {
    /// Footskate cleanup of the result.
    pub clean: bool,
    /// Warp the walk to the path afterwards.
    pub fit_path: bool,
    /// What of the body is kept on the path. Default: gaussian.
    pub abstraction: Option<AbstractionName>,
}

/// What `go` reports. Lengths in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GoReport {
    /// Verdict, footprints and metrics. Walks through a graph have no planned footprints to list.
    #[serde(flatten)]
    pub synthesis: PlanReport,
    /// The scene.
    pub scene: String,
    /// Who made the motion.
    pub with: SynthesizerName,
    /// The character; absent if none was named.
    pub on: Option<CharacterReport>,
    /// Length of the path.
    pub path_length_m: f64,
    /// The clearance that was planned with.
    pub clearance_m: f64,
    /// The least distance of the path from an outline.
    pub least_clearance_m: f64,
    /// Footprints that were moved so that no foot is on the other or on an obstacle; absent for graphs.
    pub moved_footprints: Option<usize>,
    /// Farthest that one of them was moved.
    pub farthest_move_m: Option<f64>,
    /// How the graph was walked.
    pub graph: Option<GraphWalkReport>,
    /// What the body touches.
    pub touches: TouchesReport,
    /// Why the request is not met, if it is not: what is touched, a goal that is missed.
    pub not_met: Option<String>,
    /// The motion that was written.
    pub motion: MotionReport,
    /// The contacts file.
    pub contacts_output: Option<String>,
    /// The path file.
    pub path_output: Option<String>,
    /// The footprints.
    pub plan_output: Option<String>,
    /// The picture.
    pub picture: Option<String>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// How a graph was walked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphWalkReport {
    /// The node that it begins at.
    pub start_node: usize,
    /// From the pelvis at its end to the goal.
    pub goal_distance_m: f64,
    /// Whether that is near enough.
    pub reached_goal: bool,
    /// All walks that were tried.
    pub tried: Vec<GraphTryReport>,
    /// Edges of the graph in the order in which they are played.
    #[serde(default)]
    pub edges: Vec<usize>,
    /// Blends that are played.
    pub blends: usize,
    /// Farthest of the pelvis from the path; absent if it hardly moves.
    pub largest_path_distance_m: Option<f64>,
}

/// A walk through a graph that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphTryReport {
    /// The node that it begins at.
    pub node: usize,
    /// The deepest that it touches anything; 0 if nothing.
    pub deepest_mm: f64,
    /// From the pelvis at its end to the goal.
    pub goal_distance_m: f64,
}

/// What a body touches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TouchesReport {
    /// Frames in which something is touched.
    pub frames: usize,
    /// The first touch.
    pub first: Option<TouchRow>,
    /// The deepest touch of each thing, deepest first.
    pub deepest: Vec<TouchRow>,
    /// What comes nearest without being touched; its depth is negative.
    pub nearest: Option<TouchRow>,
}

/// A part of the body in something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TouchRow {
    /// When.
    pub frame: usize,
    /// Which part of the body.
    pub part: String,
    /// With what: `obstacles[3]`, `bounds`.
    pub with: String,
    /// How deep.
    pub depth_mm: f64,
    /// Where `[x, z]`.
    pub at: [f64; 2],
}

impl From<&Touch> for TouchRow {
    fn from(touch: &Touch) -> TouchRow {
        TouchRow {
            frame: touch.frame,
            part: touch.part.to_string(),
            with: touch.with.to_string(),
            depth_mm: 1000.0 * touch.depth,
            at: touch.at.to_array(),
        }
    }
}

impl std::fmt::Display for TouchRow {
    /// `left arm 12 mm in obstacles[3], frame 40`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:.0} mm in {}, frame {}", self.part, self.depth_mm, self.with, self.frame)
    }
}

impl From<&TouchReport> for TouchesReport {
    fn from(touches: &TouchReport) -> TouchesReport {
        TouchesReport {
            frames: touches.n_frames,
            first: touches.first.as_ref().map(TouchRow::from),
            deepest: touches.deepest.iter().map(TouchRow::from).collect(),
            nearest: touches.nearest.as_ref().map(TouchRow::from),
        }
    }
}

impl JobReport for GoReport {
    fn files(&self) -> &[WrittenFile] {
        &self.files
    }

    fn not_met(&self) -> Option<JobError> {
        let touched = self.not_met.as_ref().map(|reason| JobError::not_met("gate", reason.clone()));
        touched.or_else(|| self.synthesis.not_met()).map(|error| error.in_file(&self.scene))
    }
}

impl Job for GoRequest {
    const COMMAND: &'static str = "go";
    type Report = GoReport;

    fn outputs(&self) -> Vec<&Path> {
        self.output.paths_with(&[&self.write_contacts, &self.write_path, &self.write_plan, &self.picture, &self.report])
    }

    fn inputs(&self) -> Vec<&Path> {
        let files = std::iter::once(self.scene.as_path());
        let on = self.on.iter().flat_map(InputRequest::files);
        files.chain(on).chain(self.terrain.as_ref().and_then(TerrainRequest::file)).collect()
    }

    fn run(&self, context: &JobContext) -> Result<GoReport, JobError> {
        self.check()?;
        let mut outputs = Outputs::check_apart(self.outputs(), self.inputs(), self.if_exists)?;
        let (title, picture) = (file_name_of(&self.scene), self.picture.as_deref());
        let mut scene = match read_scene(&self.scene, self.places.places()) {
            Ok(scene) => scene,
            Err(problem) => {
                let Some(scene) = &problem.scene else { return Err(*problem.error) };
                let view = TopView::of_scene(&title, scene);
                return Err(show_problem(outputs, picture, &view, problem.at, *problem.error));
            }
        };
        if let Some(terrain) = &self.terrain {
            scene.terrain = Some(terrain.load()?);
        }
        let character = self.on.as_ref().map(LoadedCharacter::load).transpose()?;
        let character = character.as_ref();
        context.advance(1, 3, "walk")?;
        let (walk, verdict) = match self.walk(&scene, character)? {
            Ok(walked) => walked,
            Err(error) => {
                let (places, view) = (self.places.places(), TopView::of_scene(&title, &scene));
                let view = TopView { start: places.start.or(view.start), goal: places.goal.or(view.goal), ..view };
                return Err(show_problem(outputs, picture, &view, error.place(), self.failure(&error)));
            }
        };
        context.advance(2, 3, "files")?;
        let motion = add_motion_on(character, &self.output, &mut outputs, &walk.take)?;
        let texts = [
            ("contacts", &self.write_contacts, own::write_contacts(&walk.take.contacts)),
            ("path", &self.write_path, own::write_path(&walk.planned.path)),
            ("plan", &self.write_plan, own::write_plan(&walk.footprints)),
        ];
        for (role, file, text) in texts {
            if let Some(file) = file {
                outputs.add(role, file, text.into_bytes());
            }
        }
        if let Some(file) = picture {
            outputs.add("picture", file, self.draw(file, &title, &scene, &walk)?);
        }
        context.check()?;
        let report = self.report_on(&walk, character, verdict, motion, outputs.files());
        finish(outputs, GoRequest::COMMAND, report, self.report.as_deref())
    }
}

/// A walk, and the report on it.
type Walked = (SceneWalk, PlanReport);

impl GoRequest {
    /// Refuses what cannot be, before any file is read. Options that mean nothing with the chosen synthesizer are mistakes.
    fn check(&self) -> Result<(), JobError> {
        self.output.format()?;
        self.picture.as_deref().map_or(Ok(()), check_scene_picture)?;
        self.places.check()?;
        check_range("clearance", self.clearance, 0.0..=100.0)?;
        check_range("frame_rate", self.frame_rate, FRAME_RATES)?;
        let given = [
            ("--db", self.db.is_some(), SynthesizerName::Steps),
            ("--graph", self.graph.is_some(), SynthesizerName::Graph),
            ("--clean", self.follow.clean, SynthesizerName::Graph),
            ("--fit-path", self.follow.fit_path, SynthesizerName::Graph),
            ("--abstraction", self.follow.abstraction.is_some(), SynthesizerName::Graph),
            ("--height", self.height.is_some(), SynthesizerName::Gait),
        ];
        if let Some((option, _, with)) = given.into_iter().find(|(_, given, with)| *given && *with != self.with) {
            let (name, own) = (with.name(), self.with.name());
            return Err(JobError::new("usage", format!("{option} goes with --with {name}, not with --with {own}")));
        }
        if self.on.is_some() && self.height.is_some() {
            let message = "--height is that of our own figure, not of the character in a file";
            return Err(JobError::new("usage", message).at_field("on"));
        }
        for (option, is_given) in [("--speed", self.speed.is_some()), ("--frame-rate", self.frame_rate.is_some())] {
            if is_given && self.with == SynthesizerName::Graph {
                let message = format!("{option} does not go with --with graph: its clips have their own");
                return Err(JobError::new("usage", message));
            }
        }
        Ok(())
    }

    fn walk(&self, scene: &Scene, character: Option<&LoadedCharacter>) -> Result<Result<Walked, GoError>, JobError> {
        let places = self.places.places();
        let walk = |synthesis: Synthesis<'_>, flights: Option<&FlightLibrary>| {
            let request = GoOptions {
                start: places.start,
                goal: places.goal,
                clearance: self.clearance,
                drawing: self.places.drawing(),
                speed: self.speed,
                frame_rate: self.frame_rate.unwrap_or(60.0),
                synthesis,
                flights,
                character,
            };
            go(scene, &request)
        };
        let planned = |walk: SceneWalk| {
            let report = walk.report.as_ref().expect("who walks on footprints has a report on them");
            let report = PlanReport::new(report, &walk.take.clip);
            (walk, report)
        };
        Ok(match self.with {
            SynthesizerName::Steps => {
                let (database, flights) = steps_and_flights_of(self.db.as_deref())?;
                let database = match character {
                    Some(character) => character.steps(&database)?,
                    None => database,
                };
                walk(Synthesis::Steps(&Arc::new(database)), Some(&flights)).map(planned)
            }
            SynthesizerName::Gait => walk(Synthesis::Gait(self.height.unwrap_or(DEFAULT_HEIGHT)), None).map(planned),
            SynthesizerName::Graph => {
                let graph = graph_of(self.graph.as_deref())?.graph;
                let usual = FollowRequest::default();
                let follow = FollowRequest {
                    clean: self.follow.clean,
                    rigid: self.output.keeps_bone_lengths()?,
                    fit_path: self.follow.fit_path,
                    abstraction: self.follow.abstraction.map_or(usual.abstraction, Into::into),
                    ..usual
                };
                walk(Synthesis::Graph(&graph, &follow), None).map(|walk| {
                    let report = judge_graph_walk(&walk, scene, &graph.set);
                    (walk, report)
                })
            }
        })
    }

    fn failure(&self, error: &GoError) -> JobError {
        let message = error.to_string();
        match error {
            GoError::Path(error) => self.places.failure(error, &self.scene),
            GoError::Speed(_) => JobError::new("parameter", format!("--speed: {message}")),
            GoError::Person(_) => JobError::new("body", format!("--height: {message}")),
            GoError::Rig(_) => match &self.db {
                Some(file) => JobError::of_file("body", file, message),
                None => JobError::new("body", message),
            },
            GoError::Uneven(error) => error.clone().in_file(&self.scene),
            GoError::Run(error) => error.clone(),
            GoError::Animate(error) => step_failure(error, &self.scene),
            GoError::Gait(GaitError::Step(error)) => step_failure(error, &self.scene),
            GoError::Steps(_) | GoError::Gait(_) | GoError::Graph(_) => {
                JobError::of_file("infeasible", &self.scene, message)
            }
        }
    }

    fn draw(&self, file: &Path, title: &str, scene: &Scene, walk: &SceneWalk) -> Result<Vec<u8>, JobError> {
        let poses = walk.take.clip.world();
        let pelvis: Vec<Vec2> = poses.iter().map(|pose| ground_point(pose.position(walk.take.body.pelvis))).collect();
        let marks: Vec<(Vec2, String)> =
            walk.touches.deepest.iter().map(|touch| (touch.at, TouchRow::from(touch).to_string())).collect();
        let note = format!(
            "{:.2} m with {}; touches {}{}",
            walk.planned.path.length(),
            self.with.name(),
            match marks.len() {
                0 => "nothing".to_string(),
                1 => "one thing".to_string(),
                n => format!("{n} things"),
            },
            walk.missed_goal().map_or(String::new(), |missed| format!("; ends {missed:.2} m from the goal"))
        );
        let points = &walk.planned.path.points;
        let view = TopView {
            note: &note,
            start: points.first().copied(),
            goal: points.last().copied(),
            corridor: walk.planned.corridor.disks(),
            path: points,
            footprints: Some((&walk.footprints, walk.soles)),
            pelvis: &pelvis,
            marks: &marks,
            ..TopView::of_scene(title, scene)
        };
        draw_scene(file, &view)
    }

    fn report_on(
        &self,
        walk: &SceneWalk,
        character: Option<&LoadedCharacter>,
        mut synthesis: PlanReport,
        motion: MotionReport,
        files: Vec<WrittenFile>,
    ) -> GoReport {
        let touches = TouchesReport::from(&walk.touches);
        let touched = touches.deepest.first().map(|deepest| format!("touches something: {deepest}"));
        let missed = walk.missed_goal().map(|missed| format!("ends {missed:.2} m from the goal"));
        let wrong: Vec<String> = touched.into_iter().chain(missed).collect();
        let not_met = (!wrong.is_empty()).then(|| format!("the walk {}", wrong.join(", and ")));
        if let Some(reason) = &not_met {
            synthesis.verdict.grade = GradeName::Poor;
            synthesis.verdict.reasons.insert(0, reason.clone());
        }
        if self.with == SynthesizerName::Gait && synthesis.verdict.grade != GradeName::Good {
            let own = self.height.unwrap_or(DEFAULT_HEIGHT);
            let height = character.map_or(own, |character| character.rig.proportions().height);
            let note = rise_note(&walk.footprints, height);
            synthesis.verdict.reasons.extend(note);
        }
        let moved = walk.steps.as_ref().map(|steps| &steps.moved);
        GoReport {
            synthesis,
            scene: self.scene.display().to_string(),
            with: self.with,
            on: character.map(|character| character.report(None)),
            path_length_m: walk.planned.path.length(),
            clearance_m: walk.clearance,
            least_clearance_m: walk.planned.least_clearance,
            moved_footprints: moved.map(Vec::len),
            farthest_move_m: moved.and_then(|moved| moved.iter().map(|moved| moved.1).reduce(f64::max)),
            graph: walk.graph.as_ref().map(|graph| GraphWalkReport::new(graph, walk.missed_goal())),
            touches,
            not_met,
            motion,
            contacts_output: shown(&self.write_contacts),
            path_output: shown(&self.write_path),
            plan_output: shown(&self.write_plan),
            picture: shown(&self.picture),
            files,
        }
    }
}

impl GraphWalkReport {
    fn new(graph: &GraphWalk, missed_goal: Option<f64>) -> GraphWalkReport {
        let taken = graph.tried[graph.taken];
        let tried = graph.tried.iter().map(|walk| GraphTryReport {
            node: walk.start,
            deepest_mm: 1000.0 * walk.depth,
            goal_distance_m: walk.missed,
        });
        GraphWalkReport {
            start_node: taken.start,
            goal_distance_m: taken.missed,
            reached_goal: missed_goal.is_none(),
            tried: tried.collect(),
            edges: graph.edges.clone(),
            blends: graph.n_blends,
            largest_path_distance_m: graph.strayed,
        }
    }
}

/// The report on a walk through a graph, which has no planned footprints: verdict and metrics.
fn judge_graph_walk(walk: &SceneWalk, scene: &Scene, source: &MotionSet) -> PlanReport {
    let flat = Terrain::default();
    let terrain = scene.terrain.as_ref().unwrap_or(&flat);
    let options = MeasureOptions { path: Some(&walk.planned.path), ..MeasureOptions::default() };
    let measures = measure_take(&walk.take, terrain, &options);
    let graph = walk.graph.as_ref().expect("a walk through a graph");
    let judged = Followed {
        measures: &measures,
        end_distance: graph.tried[graph.taken].missed,
        clip: &walk.take.clip,
        source,
        fastest_turn: graph.fastest_turn,
        cut_short: graph.cut_short,
        ground_height: graph.ground_height,
    };
    let metrics = MotionMetricsReport {
        penetration_mm: measures.ground.deepest.as_ref().map(|worst| 1000.0 * worst.value),
        penetrating_share: measures.ground.penetrating_share.unwrap_or(0.0),
        slide_mm: None,
        fall_g: None,
        knee_acceleration_p99_degrees_s2: measures.knees.acceleration.map(|spread| spread.p99.to_degrees()),
        pelvis_jerk_m_s3: measures.jerk.mean,
        pelvis_jerk_6hz_m_s3: measures.jerk.mean_6_hz,
        shins_apart_cm: None,
    };
    let verdict = VerdictReport::from(&judged.verdict());
    PlanReport::of_path(verdict, metrics, walk.footprints.footprints.len(), &walk.take.clip)
}
