//! The synthesizer of COMPOSE: footprints without labels or times become someone who walks, runs, jumps, hops and climbs over them.
//!
//! A plan that is known to its end is decided and made at once ([`Synthesizer::start_plan`]). Footprints that come one by one are decided
//! with the four after them, so that frames come as many steps late.
//!
//! Limits: of footprints that come one by one, the motion is made again from its start for each; that costs some milliseconds where there
//! are a hundred of them.

use crate::choose_flights::FlightSelection;
use crate::compose_motion::{ComposedMotion, Movers, compose_motion, labelled_plan};
use crate::decide_behaviours::{PlannedBehaviour, decide_behaviours, is_walk};
use crate::decision::RecogniseError;
use crate::footprint_features::LOOK_AHEAD;
use crate::recognise::Recogniser;
use crate::recorded_flights::FlightLibrary;
use crate::transition_graphs::{NoRoom, TransitionGraphs};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;
use surefoot_contact::{FootPlan, Footprint};
use surefoot_gait::{GaitOptions, GaitSettings, GaitSynthesizer, Rig};
use surefoot_geom::heading_direction;
use surefoot_motion::{BodyMap, Pose, Side, Skeleton};
use surefoot_plan::{
    BodyReach, FrameContacts, PlanChecker, StepEngine, StepError, StepOutcome, StepTask, Stepper, Synthesizer, World,
};
use surefoot_steps::{Search, Steps};

/// As reports and errors name the synthesizer.
const NAME: &str = "compose";
/// Steps before the last decided one that may still change: the step before it, and the hand-over.
const MAY_CHANGE: usize = 3;
/// Between the feet of someone who stands, in metres.
const APART: f64 = 0.2;

/// Walks on recorded steps, and runs, jumps and hops in between.
#[derive(Clone, Debug)]
pub struct ComposeSynthesizer {
    shared: Arc<Shared>,
}

#[derive(Clone, Debug)]
struct Shared {
    steps: Steps,
    gait: GaitSynthesizer,
    recogniser: Arc<Recogniser>,
    /// Whether recorded steps walk; else gait does.
    walks_recorded: bool,
    flights: Option<Arc<FlightLibrary>>,
    selection: FlightSelection,
    transitions: Arc<TransitionGraphs>,
}

impl ComposeSynthesizer {
    /// With recorded steps, the rig of their body and a model of what footprints mean. Feet turn fully to the headings of plans.
    pub fn new(mut steps: Steps, rig: impl Into<Arc<Rig>>, recogniser: Arc<Recogniser>) -> ComposeSynthesizer {
        (steps.options.heading_weight, steps.options.time_weight) = (1.0, 1.0);
        let rig = rig.into();
        let height = rig.proportions().height;
        let options = GaitOptions {
            settings: GaitSettings::natural(surefoot_gait::Gait::Walk, height),
            frame_rate: steps.options.frame_rate,
            standing: 0.0,
        };
        let gait = GaitSynthesizer::new(steps.database.body().skeleton().clone(), rig, &options);
        ComposeSynthesizer {
            shared: Arc::new(Shared {
                steps,
                gait,
                recogniser,
                walks_recorded: true,
                flights: None,
                selection: FlightSelection::default(),
                transitions: Arc::default(),
            }),
        }
    }

    /// The same with recorded flights on the body of its steps; `None` if they are of another body.
    pub fn with_flights(mut self, flights: FlightLibrary) -> Option<ComposeSynthesizer> {
        if !flights.fits(self.shared.steps.database.body()) {
            return None;
        }
        Arc::make_mut(&mut self.shared).flights = Some(Arc::new(flights));
        Some(self)
    }

    /// The same with another choice of recorded flights.
    pub fn with_flight_selection(mut self, selection: FlightSelection) -> ComposeSynthesizer {
        Arc::make_mut(&mut self.shared).selection = selection;
        self
    }

    /// The same with speeds around changes of behaviour; without, each step takes the time that suits it alone.
    pub fn with_transitions(mut self, transitions: TransitionGraphs) -> ComposeSynthesizer {
        Arc::make_mut(&mut self.shared).transitions = Arc::new(transitions);
        self
    }

    /// Changes of behaviour that a plan leaves too few steps for.
    pub fn no_room(&self, plan: &FootPlan, decided: &[PlannedBehaviour]) -> Vec<NoRoom> {
        self.shared.transitions.speed_profile(&plan.footprints, decided, self.shared.body_reach().leg).no_room
    }

    /// What leads to each footprint of a plan.
    pub fn decide(&self, plan: &FootPlan) -> Result<Vec<PlannedBehaviour>, RecogniseError> {
        decide_behaviours(&self.shared.recogniser, &plan.footprints, &self.shared.body_reach())
    }

    /// A plan that is not understood, as steppers refuse it.
    pub fn refusal(error: &RecogniseError) -> StepError {
        let (RecogniseError::Contradiction { footprint, .. } | RecogniseError::NotLearned { footprint, .. }) = error;
        StepError::Behaviour { footprint: *footprint, problem: error.to_string() }
    }

    /// The same without any recorded step: gait alone, which needs no recording of a behaviour that a plan gives.
    pub fn of_gait(&self) -> ComposeSynthesizer {
        let recogniser = Arc::new((*self.shared.recogniser).clone().taking_unlearned());
        let shared = Shared { walks_recorded: false, flights: None, recogniser, ..(*self.shared).clone() };
        ComposeSynthesizer { shared: Arc::new(shared) }
    }

    /// Whether all of a plan is walked, as decided.
    pub fn is_pure_walk(behaviours: &[PlannedBehaviour]) -> bool {
        behaviours.iter().skip(2).all(|planned| is_walk(planned.behaviour))
    }
}

impl Shared {
    fn body_reach(&self) -> BodyReach {
        BodyReach::of(self.gait.rig().proportions())
    }

    /// Frames of footprints, as if nothing came after them.
    fn compose(&self, world: &Arc<World>, plan: &FootPlan) -> Result<ComposedMotion, StepError> {
        let decided = decide_behaviours(&self.recogniser, &plan.footprints, &self.body_reach())
            .map_err(|error| ComposeSynthesizer::refusal(&error))?;
        let labelled = labelled_plan(plan, &decided);
        compose_motion(
            &Movers {
                steps: &self.steps,
                gait: &self.gait,
                walks_recorded: self.walks_recorded,
                flights: self.flights.as_deref(),
                selection: self.selection,
                transitions: &self.transitions,
                leg: self.body_reach().leg,
            },
            world,
            &labelled,
            &decided,
        )
    }
}

impl Synthesizer for ComposeSynthesizer {
    fn name(&self) -> &'static str {
        NAME
    }

    fn frame_rate(&self) -> f64 {
        self.shared.steps.options.frame_rate
    }

    /// With behaviours, and headings where they are open.
    fn prepare(&self, plan: &FootPlan) -> FootPlan {
        self.decide(plan).map_or_else(|_| plan.clone(), |decided| labelled_plan(plan, &decided))
    }

    fn start(&self, world: Arc<World>, standing: [Footprint; 2]) -> Result<Stepper, StepError> {
        // Steps that were chosen must not depend on footprints that come later.
        let mut live = self.clone();
        let shared = Arc::make_mut(&mut live.shared);
        shared.steps.options.search = Search::Live;
        // A change of behaviour is known too late for the steps before it.
        shared.transitions = Arc::default();
        live.start_with(world, standing, ComposedMotion::default())
    }

    fn start_plan(&self, world: Arc<World>, plan: &FootPlan) -> Result<Stepper, StepError> {
        let [first, second, ..] = plan.footprints[..] else {
            return Err(StepError::NoSteps { found: plan.footprints.len() });
        };
        let motion = self.shared.compose(&world, plan)?;
        self.start_with(world, [first, second], motion)
    }
}

impl ComposeSynthesizer {
    fn start_with(
        &self,
        world: Arc<World>,
        standing: [Footprint; 2],
        motion: ComposedMotion,
    ) -> Result<Stepper, StepError> {
        let body = self.shared.body_reach();
        // What is open may be a flight: how far someone reaches is checked when it is decided.
        let checker = PlanChecker { unspecified: surefoot_plan::Gait::Run, ..PlanChecker::new(world.clone(), body) };
        Stepper::start(checker, standing, |standing| {
            Ok(Box::new(ComposeEngine {
                shared: self.shared.clone(),
                world,
                prints: standing.to_vec(),
                motion: Arc::new(motion),
                next: 0,
                is_finished: false,
                latest: Vec::new(),
            }))
        })
    }
}

/// A motion in the making.
#[derive(Clone)]
struct ComposeEngine {
    shared: Arc<Shared>,
    world: Arc<World>,
    prints: Vec<Footprint>,
    /// Of the plan, if it is known, or of the footprints so far.
    motion: Arc<ComposedMotion>,
    next: usize,
    is_finished: bool,
    latest: Vec<StepOutcome>,
}

impl ComposeEngine {
    /// Whether the motion is of a plan that begins with the footprints so far.
    fn is_planned(&self) -> bool {
        self.motion.prints.starts_with(&self.prints)
    }

    /// Frames before this one are not changed by later footprints.
    fn n_final(&self) -> usize {
        if self.is_finished {
            return self.motion.frames.len();
        }
        let Some(last) = self.prints.len().checked_sub(LOOK_AHEAD + MAY_CHANGE) else { return 0 };
        let rate = self.shared.steps.options.frame_rate;
        ((self.motion.landing(last) * rate) as usize).min(self.motion.frames.len())
    }

    fn made(&self) -> Result<ComposedMotion, StepError> {
        self.shared.compose(&self.world, &FootPlan { footprints: self.prints.clone() })
    }

    /// The motion as far as it is known. Where nobody could stop on the last footprint, the other foot comes beside it: frames that far on
    /// are not given out.
    fn made_so_far(&self) -> Result<ComposedMotion, StepError> {
        self.made().or_else(|error| {
            let Some(last) = self.prints.last() else { return Err(error) };
            let side = last.side.opposite();
            let to_left = heading_direction(last.heading.unwrap_or(0.0) + FRAC_PI_2);
            let across = if side == Side::Left { APART } else { -APART };
            let mut footprints = self.prints.clone();
            footprints
                .push(Footprint { heading: last.heading, ..Footprint::at(side, last.position + across * to_left) });
            self.shared.compose(&self.world, &FootPlan { footprints }).map_err(|_| error)
        })
    }
}

impl StepEngine for ComposeEngine {
    fn skeleton(&self) -> &Arc<Skeleton> {
        self.shared.steps.database.body().skeleton()
    }

    fn body(&self) -> &BodyMap {
        self.shared.steps.database.body().body()
    }

    fn frame_rate(&self) -> f64 {
        self.shared.steps.options.frame_rate
    }

    fn push(&mut self, task: &StepTask<'_>) -> Result<StepOutcome, StepError> {
        self.latest.clear();
        self.prints.push(*task.print());
        if !self.is_planned() {
            match self.made_so_far() {
                Ok(motion) => self.motion = Arc::new(motion),
                Err(error) => {
                    self.prints.pop();
                    return Err(error);
                }
            }
            let open = task.index().saturating_sub(LOOK_AHEAD + MAY_CHANGE).max(2);
            self.latest = self.motion.outcomes[open - 2..task.index() - 2].to_vec();
        }
        Ok(self.motion.outcomes[task.index() - 2].clone())
    }

    fn latest_outcomes(&self) -> &[StepOutcome] {
        &self.latest
    }

    fn ending(&self) -> Result<Option<StepOutcome>, StepError> {
        if self.prints.len() < 3 || self.motion.prints == self.prints {
            return Ok(None);
        }
        // The plan goes on, but the motion ends here.
        Ok(self.made()?.outcomes.pop())
    }

    fn finish(&mut self) {
        if self.prints.len() > 2
            && self.motion.prints != self.prints
            && let Ok(motion) = self.made()
        {
            self.motion = Arc::new(motion);
        }
        self.is_finished = true;
    }

    fn next_frame(&mut self, pose: &mut Pose) -> Option<FrameContacts> {
        if self.next >= self.n_final() {
            return None;
        }
        let frame = &self.motion.frames[self.next];
        pose.copy_from(&frame.pose);
        self.next += 1;
        Some(frame.contacts)
    }

    fn clone_box(&self) -> Box<dyn StepEngine> {
        Box::new(self.clone())
    }
}
