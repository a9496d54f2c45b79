//! From a scene to a walking person as one call (GRAPH 1, figure 1): path, footprints, motion, and a look at what is touched.
//!
//! 1. A path is planned with the clearance that the synthesiser needs.
//! 2. Steps and gait: footprints are planned along it and walked. Graph: the path itself is followed; if the walk touches
//!    something or misses the goal, the search begins at another node of the graph, a bounded number of times and always
//!    in the same order.
//! 3. Every frame is looked at: nothing of the body shall enter an obstacle or leave the bounds. Who walks on footprints
//!    and touches something all the same, which happens where the path bends in a narrow gap, takes another path with more
//!    clearance, if that was left to us and there is one.

use crate::build_behaviours_job::corpus_behaviours;
use crate::character::{LoadedCharacter, usual_leg_length};
use crate::composer::compose_on;
use crate::job_error::JobError;
use crate::level_ground::{level_height, lift_take};
use crate::plan_editor::corpus_failure;
use crate::{
    FollowGraphError, FollowRequest, FollowedPath, GaitError, GaitRequest, GaitRoute, Mover, PathRequest,
    PlanPathError, PlannedPath, follow_graph_on, make_gait, plan_path,
};
use std::sync::Arc;
use surefoot_compose::{ComposeSynthesizer, FlightLibrary};
use surefoot_contact::{Behaviour, FootPlan, Footprint, Take};
use surefoot_gait::equations::DEFAULT_HEIGHT;
use surefoot_gait::{
    CorpusOptions, Gait, GaitSettings, Kinematics, NATURAL_LEVEL, ParameterError, Rig, RigError, RunOverrides,
    RunParameters, RunSettings, RunTargets, StrideTargets, Style, WalkParameters,
};
use surefoot_gait::{PlanStepsError, PlanStepsOptions, PlannedSteps, plan_steps};
use surefoot_geom::{Vec2, ground_point};
use surefoot_graph::MotionGraph;
use surefoot_ground::{PathOptions, Scene, Terrain};
use surefoot_motion::{BodyMap, PerSide, PersonError, PersonOptions, Poses, Skeleton, WorldPose, person};
use surefoot_plan::{
    BodyReach, SoleShape, StepError, SynthesisReport, TouchReport, World, extract_plan, find_touches, synthesize,
};
use surefoot_steps::{StepDatabase, Steps, WalkOptions};

/// Who makes the motion.
#[derive(Clone, Copy, Debug)]
pub enum Synthesis<'a> {
    /// Recorded steps blended so that feet are planted on planned footprints.
    Steps(&'a Arc<StepDatabase>),
    /// Procedural gait over planned footprints, of our own figure of a height in metres.
    Gait(f64),
    /// A motion graph that follows the path.
    Graph(&'a MotionGraph, &'a FollowRequest),
}

/// The walk that is requested.
#[derive(Clone, Copy, Debug)]
pub struct GoOptions<'a> {
    /// Where to start; the scene's start if `None`.
    pub start: Option<Vec2>,
    /// Where to go; the scene's goal if `None`.
    pub goal: Option<Vec2>,
    /// How far from every outline the path stays, in metres; [`default_clearance`] if `None`.
    pub clearance: Option<f64>,
    /// How the path is drawn.
    pub drawing: PathOptions,
    /// In m/s: who is faster than people walk runs. A natural walk if `None`. Graphs walk as fast as their clips.
    pub speed: Option<f64>,
    /// Frames a second. Graphs have their own.
    pub frame_rate: f64,
    /// Who makes the motion.
    pub synthesis: Synthesis<'a>,
    /// With steps: recorded runs and leaps on the body of the steps. Default: none, and gait makes them.
    pub flights: Option<&'a FlightLibrary>,
    /// The character to animate. Default: the body of the database or graph, or our own figure. A database has to be on its body
    /// ([`LoadedCharacter::steps`]).
    pub character: Option<&'a LoadedCharacter>,
}

/// A walk through a scene.
#[derive(Clone, Debug)]
pub struct SceneWalk {
    /// Where it leads.
    pub planned: PlannedPath,
    /// The clearance that was asked for, in metres; ours if that was left to us, or more if it was touched with ours.
    pub clearance: f64,
    /// The footprints that were planned; `None` for graphs.
    pub steps: Option<PlannedSteps>,
    /// Where feet are planted: as planned, or as extracted from the walk.
    pub footprints: FootPlan,
    /// The soles that are planted on them.
    pub soles: PerSide<SoleShape>,
    /// The motion with its plants.
    pub take: Take,
    /// Every planned footprint and the motion, measured; `None` for graphs, which follow the path.
    pub report: Option<SynthesisReport>,
    /// What a graph's walk was.
    pub graph: Option<GraphWalk>,
    /// What the body touches.
    pub touches: TouchReport,
}

impl SceneWalk {
    /// How far from the goal it ends, in metres, if that is too far to have come there. Who walks on footprints ends at
    /// the goal; a graph may have no clips that turn as the path does.
    pub fn missed_goal(&self) -> Option<f64> {
        let graph = self.graph.as_ref()?;
        Some(graph.tried[graph.taken].missed).filter(|&missed| missed > NEAR_GOAL)
    }
}

/// How a graph was walked.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphWalk {
    /// The walks that were tried, in order: all but the last touched something or missed the goal.
    pub tried: Vec<GraphTry>,
    /// Which of them was taken: the last if that is right, else the one that touches least, or comes nearest to the goal.
    pub taken: usize,
    /// Edges of the graph in the order in which they were played.
    pub edges: Vec<usize>,
    /// Blends that were played.
    pub n_blends: usize,
    /// Largest distance of the pelvis from the path, in metres; `None` if it hardly moves.
    pub strayed: Option<f64>,
    /// The fastest turn that warping to the path added, in radians a second, and its frame.
    pub fastest_turn: Option<(f64, usize)>,
    /// Searches that were cut short.
    pub cut_short: usize,
    /// Of the level ground under it, in metres.
    pub ground_height: f64,
}

/// A walk through a graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphTry {
    /// The node that it begins at.
    pub start: usize,
    /// The deepest that it touches anything, in metres; 0 if nothing.
    pub depth: f64,
    /// From the pelvis at its end to the goal, in metres.
    pub missed: f64,
}

/// Why there is no walk.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GoError {
    /// No path.
    #[error(transparent)]
    Path(#[from] PlanPathError),
    /// A speed that nobody walks.
    #[error(transparent)]
    Speed(#[from] ParameterError),
    /// No person is built so.
    #[error(transparent)]
    Person(#[from] PersonError),
    /// The body of the database cannot be measured.
    #[error(transparent)]
    Rig(#[from] RigError),
    /// No footprints.
    #[error(transparent)]
    Steps(#[from] PlanStepsError),
    /// The footprints cannot be walked with recorded steps.
    #[error(transparent)]
    Animate(#[from] StepError),
    /// The footprints cannot be walked by procedural gait.
    #[error(transparent)]
    Gait(#[from] GaitError),
    /// The path cannot be followed through the graph.
    #[error(transparent)]
    Graph(#[from] FollowGraphError),
    /// Graphs walk on level ground.
    #[error("{}", .0.message)]
    Uneven(JobError),
    /// Who runs or leaps cannot be made.
    #[error("{}", .0.message)]
    Run(JobError),
}

impl GoError {
    /// The place `(x, z)` that it is about, to be shown in a picture.
    pub fn place(&self) -> Option<Vec2> {
        match self {
            GoError::Path(error) => error.place(),
            GoError::Steps(PlanStepsError::Blocked { at, .. }) => Some(*at),
            _ => None,
        }
    }
}

/// Half the breadth of a walking person with swinging arms, over their height.
const HALF_PERSON: f64 = 0.3 / 1.8;
/// Who walks on footprints along a path strays from it by this much, in metres.
const STEPS_STRAY: f64 = 0.07;
/// What is added to that, if something is touched all the same.
const MORE_CLEARANCE: [f64; 3] = [0.03, 0.06, 0.1];
/// Who follows it through a graph, by this much.
const GRAPH_STRAY: f64 = 0.25;
/// A graph's walk that ends within this of the goal has come there, in metres: half a step.
const NEAR_GOAL: f64 = 0.35;
/// Nodes of a graph that a walk is begun at, at most.
const MAX_TRIES: usize = 12;

/// The clearance that a synthesiser needs so that nothing is touched: half a person with swinging arms, and how far the
/// walk strays from the path. In metres, for a person of a height.
pub fn default_clearance(synthesis: &Synthesis<'_>, height: f64) -> f64 {
    let stray = match synthesis {
        Synthesis::Graph(_, request) if !request.fit_path => GRAPH_STRAY,
        _ => STEPS_STRAY,
    };
    HALF_PERSON * height + stray
}

/// Who walks: a body measured.
struct Walker {
    rig: Rig,
    height: f64,
    /// Of a person of the usual build with legs as long: steps are as long as legs ask for, not heads.
    stride_height: f64,
}

impl Walker {
    fn new(skeleton: &Skeleton, body: &BodyMap, poses: &Poses) -> Result<Walker, RigError> {
        let rig = Rig::new(skeleton, body, poses)?;
        let height = rig.proportions().height;
        Ok(Walker { height, stride_height: height, rig })
    }

    fn of(synthesis: &Synthesis<'_>, character: Option<&LoadedCharacter>) -> Result<Walker, GoError> {
        if let Some(character) = character {
            let stride_height = DEFAULT_HEIGHT * character.leg_length() / usual_leg_length();
            let height = character.rig.proportions().height;
            return Ok(Walker { height, stride_height, rig: character.rig.clone() });
        }
        match synthesis {
            Synthesis::Steps(database) => {
                let body = database.body();
                Ok(Walker::new(body.skeleton(), body.body(), &Poses::default())?)
            }
            Synthesis::Gait(height) => {
                let (skeleton, body) = person(&PersonOptions::with_height(*height))?;
                Ok(Walker {
                    height: *height,
                    stride_height: *height,
                    ..Walker::new(&skeleton, &body, &Poses::default())?
                })
            }
            Synthesis::Graph(graph, _) => {
                let clip = graph.set.clips().first();
                let none = Poses::default();
                let poses = clip.map_or(&none, |clip| clip.poses());
                Ok(Walker::new(graph.set.skeleton(), graph.set.body(), poses)?)
            }
        }
    }
}

/// Faster than this people run, in metres a second at 1.8 m (7.9 km/h): about a Froude number of 0.5, v^2 over g and the leg.
const RUNS_FROM: f64 = 2.2;

/// The gait settings of somebody at a speed in m/s, for a person of a height: a walk, and in a hurry a run.
pub fn speed_settings(speed: Option<f64>, height: f64) -> Result<GaitSettings, ParameterError> {
    let mut settings = GaitSettings::natural(Gait::Walk, height);
    let Some(speed) = speed else { return Ok(settings) };
    if speed > RUNS_FROM * (height / DEFAULT_HEIGHT).sqrt() {
        let run = RunParameters::from_speed(speed, height, NATURAL_LEVEL)?;
        settings.gait = Gait::Run;
        settings.run = RunSettings { parameters: run, attributes: RunOverrides::default().resolve(&run, height) };
    } else {
        settings.walk.parameters = WalkParameters::from_speed(speed, height)?;
    }
    Ok(settings)
}

/// Walks from a start to a goal through a scene.
pub fn go(scene: &Scene, request: &GoOptions<'_>) -> Result<SceneWalk, GoError> {
    let walker = Walker::of(&request.synthesis, request.character)?;
    let usual = default_clearance(&request.synthesis, walker.height);
    let walk = walk_at(scene, request, &walker, request.clearance.unwrap_or(usual))?;
    if walk.touches.first.is_none() || request.clearance.is_some() || walk.graph.is_some() {
        return Ok(walk);
    }
    let mut wider = MORE_CLEARANCE.iter().filter_map(|more| walk_at(scene, request, &walker, usual + more).ok());
    let free = wider.find(|walk| walk.touches.first.is_none());
    Ok(free.unwrap_or(walk))
}

/// Walks with a clearance.
fn walk_at(scene: &Scene, request: &GoOptions<'_>, walker: &Walker, clearance: f64) -> Result<SceneWalk, GoError> {
    let path_request = PathRequest { start: request.start, goal: request.goal, clearance, drawing: request.drawing };
    let planned = plan_path(scene, &path_request)?;
    let journey = Journey { scene, request, planned, clearance, walker };
    match request.synthesis {
        Synthesis::Steps(database) => journey.with_steps(database),
        Synthesis::Gait(height) => journey.with_gait(height),
        Synthesis::Graph(graph, follow) => journey.with_graph(graph, follow),
    }
}

struct Journey<'a> {
    scene: &'a Scene,
    request: &'a GoOptions<'a>,
    planned: PlannedPath,
    clearance: f64,
    walker: &'a Walker,
}

impl Journey<'_> {
    fn terrain(&self) -> Option<&Terrain> {
        self.scene.terrain.as_ref()
    }

    fn plan(&self) -> Result<PlannedSteps, GoError> {
        let settings = speed_settings(self.request.speed, self.walker.stride_height)?;
        // Headings belong to the scene's own places.
        let heading = |given: Option<Vec2>, place: Option<surefoot_ground::Place>| {
            place.filter(|place| given.is_none_or(|at| at == place.position)).and_then(|place| place.heading)
        };
        let options = PlanStepsOptions {
            scene: Some(self.scene),
            terrain: self.terrain(),
            start_heading: heading(self.request.start, self.scene.start),
            goal_heading: heading(self.request.goal, self.scene.goal),
            first: None,
        };
        Ok(plan_steps(self.walker.rig.proportions(), &settings, &self.planned.path, &options)?)
    }

    fn with_steps(self, database: &Arc<StepDatabase>) -> Result<SceneWalk, GoError> {
        let steps = self.plan()?;
        let options = WalkOptions { frame_rate: self.request.frame_rate, ..WalkOptions::default() };
        // The soles that footprints were planned with.
        let reach = BodyReach::of(self.walker.rig.proportions());
        let walker = Steps { reach, ..Steps::new(database.clone(), options) };
        let world = Arc::new(World::of_scene(self.scene));
        let flies = |print: &Footprint| print.behaviour.is_some_and(Behaviour::is_flight);
        let walk = if steps.plan.footprints.iter().any(flies) {
            synthesize(&self.composer(&walker)?, &world, &steps.plan, "walk")?
        } else {
            synthesize(&walker, &world, &steps.plan, "walk")?
        };
        Ok(self.finish(walk.take, Some(steps), Some(walk.report), None))
    }

    /// Who runs and leaps between recorded steps.
    fn composer(&self, steps: &Steps) -> Result<ComposeSynthesizer, GoError> {
        let behaviours =
            corpus_behaviours(&CorpusOptions::default()).map_err(|error| GoError::Run(corpus_failure(&error)))?;
        let rig = self.request.character.map(|character| character.rig.clone());
        let none = FlightLibrary::default();
        let flights = self.request.flights.unwrap_or(&none);
        compose_on((steps, flights), &behaviours, rig, None).map_err(GoError::Run)
    }

    fn with_gait(self, height: f64) -> Result<SceneWalk, GoError> {
        let steps = self.plan()?;
        let gait = speed_settings(self.request.speed, self.walker.stride_height)?.gait;
        let name = if gait == Gait::Run { "run" } else { "walk" };
        let style = Style { name: name.to_string(), ..Style::natural(gait) };
        let stride = StrideTargets { speed: self.request.speed, ..StrideTargets::default() };
        let made = make_gait(&GaitRequest {
            mover: self
                .request
                .character
                .map_or_else(|| Mover::Own(PersonOptions::with_height(height)), LoadedCharacter::mover),
            style: &style,
            targets: RunTargets { stride, ..RunTargets::default() },
            lock: None,
            set: &[],
            kinematics: Kinematics::Normative,
            route: GaitRoute::Plan(&steps.plan),
            world: Arc::new(World::of_scene(self.scene)),
            frame_rate: self.request.frame_rate,
            standing: 0.5,
            control: Default::default(),
        })?;
        Ok(self.finish(made.take, Some(steps), Some(made.report), None))
    }

    fn with_graph(self, graph: &MotionGraph, follow: &FollowRequest) -> Result<SceneWalk, GoError> {
        let height = self.terrain().map_or(Ok(0.0), |terrain| level_height(terrain, &self.planned.path));
        let height = height.map_err(GoError::Uneven)?;
        let n_nodes = graph.nodes().len().max(1);
        let n_tries = MAX_TRIES.min(n_nodes);
        let mut tried: Vec<GraphTry> = Vec::new();
        let mut best: Option<(usize, FollowedPath)> = None;
        for attempt in 0..n_tries {
            // Nodes evenly over the graph, the requested one first.
            let start = (follow.follow.start + attempt * n_nodes / n_tries) % n_nodes;
            let mut from_start = *follow;
            from_start.follow.start = start;
            let on = self.request.character.map(LoadedCharacter::character);
            let mut followed = follow_graph_on(graph, &self.planned.path, &from_start, on.as_ref())?;
            followed.take = lift_take(&followed.take, height);
            let walk = self.judge(start, &followed);
            tried.push(walk);
            let is_better = |old: &GraphTry| (walk.depth, walk.missed) < (old.depth, old.missed);
            if best.as_ref().is_none_or(|(old, _)| is_better(&tried[*old])) {
                best = Some((attempt, followed));
            }
            if walk.depth == 0.0 && walk.missed <= NEAR_GOAL {
                break;
            }
        }
        let (taken, followed) = best.expect("at least one was tried");
        let strayed = followed.deviation.map(|deviation| deviation.nearest_max);
        let walk = GraphWalk {
            tried,
            taken,
            edges: followed.walk.edges,
            n_blends: followed.n_blends,
            strayed,
            fastest_turn: followed.fitted.map(|fitted| fitted.fastest_turn),
            cut_short: followed.walk.cut_short,
            ground_height: height,
        };
        Ok(self.finish(followed.take, None, None, Some(walk)))
    }

    fn judge(&self, start: usize, followed: &FollowedPath) -> GraphTry {
        let clip = &followed.take.clip;
        let report = find_touches(self.scene, self.terrain(), clip, &followed.take.body);
        let depth = report.deepest.first().map_or(0.0, |touch| touch.depth);
        let goal = self.planned.path.points[self.planned.path.points.len() - 1];
        let pelvis = |pose| ground_point(WorldPose::new(&clip.skeleton, pose).position(followed.take.body.pelvis));
        GraphTry { start, depth, missed: clip.poses().last().map_or(0.0, |pose| pelvis(pose).distance(goal)) }
    }

    fn finish(
        self,
        take: Take,
        steps: Option<PlannedSteps>,
        report: Option<SynthesisReport>,
        graph: Option<GraphWalk>,
    ) -> SceneWalk {
        let touches = find_touches(self.scene, self.terrain(), &take.clip, &take.body);
        let footprints = steps.as_ref().map_or_else(|| extract_plan(&take), |steps| steps.plan.clone());
        SceneWalk {
            soles: SoleShape::both(self.walker.rig.proportions()),
            planned: self.planned,
            clearance: self.clearance,
            steps,
            footprints,
            take,
            report,
            graph,
            touches,
        }
    }
}
