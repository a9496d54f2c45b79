//! The engine behind a stepper of gait: a step is planned when the footprint after it is known.
//!
//! ```text
//!   footprint   k-1         k          k+1
//!               pushed      pushed     pushed
//!   step to     planned     planned    timed; its flight is decided
//!               with k      with k+1   waits for k+2 or the end
//! ```
//!
//! When a footprint is pushed, the step before it is planned for good, and with it the body at its landing is known. That is
//! enough to time the step to the new footprint, and to decide its flight: what a plan is refused for is known here, and
//! later footprints change nothing of it.
//!
//! A footprint without a heading takes the nearest heading that was given before it; if none was, the direction of travel, from
//! the footprint before to the one after, no further than `MAX_TRAVEL_TURN` from the other foot.

use super::Gait;
use super::body_state::{Bearing, BodyState, FootState};
use super::equations::DEFAULT_HEIGHT;
use super::foot_plant::FootPlant;
use super::gait_settings::GaitSettings;
use super::gait_settings::{MAX_FLIGHT, MIN_FLIGHT};
use super::gait_synthesizer::GaitOptions;
use super::jump_steps::PendingLeap;
use super::plan_walk::leaves;
use super::rig::Rig;
use super::steady_stride::{HalfStride, Moved, SteadyStride, lead_in};
use super::step::{Ground, Step, between_headings, level};
use super::take_step::{FIRST_SWING, SETTLING, STARTING, StepRequest, is_planted, outline_leap, take_step};
use std::collections::VecDeque;
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;
use surefoot_contact::{Behaviour, Footprint};
use surefoot_geom::{Vec3, direction_heading, turn_between};
use surefoot_motion::{BodyMap, FRAME_RATES, PerSide, Pose, Side, Skeleton};
use surefoot_plan::{
    BodyReach, FrameContacts, Overlap, PlanLimits, StepEngine, StepError, StepOrigin, StepOutcome, StepTask,
    StepTiming, World,
};

/// As reports and errors name the synthesizer.
pub(super) const NAME: &str = "gait";

/// Fastest that a runner leaves the ground upward, in metres a second: a jump of 1.3 m, as none has been measured.
const FASTEST_LEAP: f64 = 5.0;
/// Furthest that a foot without a given heading is turned against the other one, in radians (69 degrees).
const MAX_TRAVEL_TURN: f64 = 1.2;
/// How much faster than a body comes the mean speed of a running step without times is at most, of a person 1.8 m tall, in metres a second:
/// those who start to run gain less.
const FASTEST_GAIN: f64 = 0.7;
/// Longest that such a step is made for that, of its natural time.
const LONGEST_LEAP: f64 = 1.6;
/// Furthest that a running step of any length leads away from where the body faces, in radians (69 degrees), and the longest beyond, as a
/// share of the height (0.72 m at 1.8 m): longer ones no leg lands on that pushes off forward.
const FURTHEST_ASIDE: f64 = 1.2;
const LONGEST_ASIDE: f64 = 0.4;
/// Shortest step, in seconds.
const MIN_STEP_TIME: f64 = 0.12;
/// Shortest that a first step is made to land when the plan says, of its natural time.
const SHORTEST_START: f64 = 0.5;
/// Seconds in which the weight goes over to the stance foot after a jump to both feet.
const AFTER_JUMP: f64 = 0.3;
/// Shortest double support, in seconds.
const MIN_SUPPORT: f64 = 0.02;
/// Furthest that a planted sole is in the ground, in metres.
const MAX_DEPTH: f64 = 0.002;
/// A rounding of the time must not cost a landing its frame, in seconds.
const ROUNDING: f64 = 1e-9;

/// Who moves, and how; shared by all copies of an engine.
#[derive(Clone, Debug)]
pub(super) struct Mover {
    pub(super) skeleton: Arc<Skeleton>,
    pub(super) rig: Arc<Rig>,
    pub(super) options: GaitOptions,
    /// Of each step, where they differ; the last go on for steps beyond.
    pub(super) steps: Vec<GaitSettings>,
    pub(super) begin: Ends,
    pub(super) end: Ends,
}

/// How a motion begins or ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ends {
    /// Someone stands.
    #[default]
    Standing,
    /// Someone is in full motion: the first frame is that in which the second footprint is landed on, the last that in which the last
    /// one is.
    Moving,
}

impl Mover {
    pub(super) fn new(skeleton: Arc<Skeleton>, rig: Arc<Rig>, options: &GaitOptions) -> Mover {
        let (begin, end) = (Ends::Standing, Ends::Standing);
        Mover { skeleton, rig, options: *options, steps: Vec::new(), begin, end }
    }

    /// The settings of the step to a footprint, of the first one for the standing feet.
    fn settings(&self, footprint: usize) -> &GaitSettings {
        let index = footprint.saturating_sub(2);
        self.steps.get(index).or(self.steps.last()).unwrap_or(&self.options.settings)
    }

    /// How the body is held in standing, before the step to a footprint or after it.
    pub(super) fn bearing(&self, footprint: usize) -> Bearing {
        self.settings(footprint).bearing()
    }
}

/// A motion in the making.
#[derive(Clone, Debug)]
pub(super) struct GaitEngine {
    pub(super) mover: Arc<Mover>,
    pub(super) world: Arc<World>,
    pub(super) state: State,
    /// Steps that are planned and not yet played to their end; shared between copies.
    pub(super) steps: VecDeque<Arc<Step>>,
    /// When the first of them begins, in seconds from the first frame.
    began: f64,
    /// The number of the next frame, and of all frames once the motion is finished.
    frame: usize,
    n_frames: Option<usize>,
    /// Outcomes that the last push has changed.
    pub(super) latest: Vec<StepOutcome>,
}

/// What pushes change, beside the steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// The standing feet until the first footprint, on which it depends where they point and how long they stand.
    pub(super) standing: Option<[Footprint; 2]>,
    /// The last heading that a footprint gave.
    pub(super) given_heading: Option<f64>,
    /// The body at the end of the steps that are planned, and when that is.
    pub(super) body_state: BodyState,
    pub(super) planned_until: f64,
    /// The last footprint, whose step is timed but not planned.
    pub(super) pending: Option<Pending>,
    /// A jump to the last footprint, or the last two: timed but not planned, as above.
    pub(super) leap: Option<PendingLeap>,
    /// The body has just landed from a jump, and absorbs that first.
    pub(super) has_landed: bool,
    /// Once the motion is finished and goes on: when feet leave that are planted, or were last.
    pub(super) leaves: PerSide<Option<f64>>,
}

/// A step that waits for the footprint after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    target: Target,
    request: StepRequest,
}

/// Where a step leads, and what the plan asks of it.
#[derive(Clone, Copy, Debug)]
struct Target {
    index: usize,
    print: Footprint,
    timing: StepTiming,
    /// Where the footprint before it is.
    from: Vec3,
    before: Before,
    /// Seconds by which it lands later than its pace, after a jump.
    late: f64,
}

/// How the landing before went on: what the next step's times depend on.
#[derive(Clone, Copy, Debug)]
struct Before {
    /// Seconds of double support.
    double_support: f64,
    /// Seconds in the air, if the step was a running one.
    flight: f64,
}

/// How a motion starts.
#[derive(Clone, Copy, Debug)]
struct Start {
    /// Seconds in which nothing moves.
    standing: f64,
    /// Seconds in which the weight goes over to the stance foot.
    double_support: f64,
}

impl Before {
    /// Landings keep the plan's times, whatever part of a step its own leg lets it fly.
    fn after(request: &StepRequest) -> Before {
        match request.gait {
            Gait::Walk => Before { double_support: request.overlap, flight: 0.0 },
            Gait::Run => Before { double_support: STARTING, flight: request.overlap },
        }
    }
}

impl GaitEngine {
    pub(super) fn start(
        mover: Arc<Mover>,
        world: Arc<World>,
        standing: [Footprint; 2],
    ) -> Result<GaitEngine, StepError> {
        let GaitOptions { frame_rate, standing: seconds, .. } = mover.options;
        check_option("the frame rate", frame_rate, *FRAME_RATES.start(), *FRAME_RATES.end())?;
        check_option("the time of standing", seconds, 0.0, 600.0)?;
        let given_heading = standing[1].heading.or(standing[0].heading);
        let body_state = stand_still(&mover, &world, &standing, given_heading.unwrap_or_else(|| facing_of(&standing)));
        for (index, print) in standing.iter().enumerate() {
            check_sole(&mover, &world, index, print.side, &body_state.feet[print.side].plant())?;
        }
        let standing = Some(standing);
        let state = State {
            standing,
            given_heading,
            body_state,
            planned_until: 0.0,
            pending: None,
            leaves: PerSide::default(),
            leap: None,
            has_landed: false,
        };
        let latest = Vec::new();
        Ok(GaitEngine { mover, world, state, steps: VecDeque::new(), began: 0.0, frame: 0, n_frames: None, latest })
    }

    /// The steps that are planned and not yet played.
    pub(super) fn steps(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().map(|step| &**step)
    }

    /// Stands for some seconds before the first step.
    pub(super) fn stand(&mut self, seconds: f64) {
        self.state.standing = None;
        if seconds > 0.0 {
            self.add(self.state.body_state.settle(self.mover.rig.proportions(), &self.mover.bearing(2), seconds));
        }
    }

    pub(super) fn add(&mut self, (step, after): (Step, BodyState)) {
        self.state.planned_until += step.duration;
        self.steps.push_back(Arc::new(step));
        self.state.body_state = after;
    }

    /// Turns the standing feet toward the first footprint, if they do not say where they point, and stands until the first
    /// step begins. Returns how the step begins.
    fn place(&mut self, first: &Footprint, timing: &StepTiming, gait: Gait) -> Option<Before> {
        let standing = self.state.standing?;
        let own = standing.iter().find(|print| print.side == first.side);
        if self.state.given_heading.is_none() {
            let travel = own.and_then(|own| travel_heading(own.position, first.position));
            let heading = first.heading.or(travel).unwrap_or_else(|| facing_of(&standing));
            self.state.body_state = stand_still(&self.mover, &self.world, &standing, heading);
        }
        if self.mover.begin == Ends::Moving {
            return Some(self.lead_in(&standing, first, timing, gait));
        }
        let leave = own.and_then(|own| own.leave).or_else(|| Some(first.land? - timing.swing?));
        let swing = self.natural_first_swing(gait, first.position.distance(standing[1].position));
        let start = self.time_start(leave, first.land, swing);
        self.stand(start.standing);
        Some(Before { double_support: start.double_support, flight: 0.0 })
    }

    /// How long someone stands, and shifts the weight over, so that the first foot leaves and lands when the plan says. Times
    /// of plans count from the first frame, so they decide about the standing before it.
    fn time_start(&self, leave: Option<f64>, land: Option<f64>, natural_swing: f64) -> Start {
        if let Some(leave) = leave {
            let double_support = leave.clamp(MIN_SUPPORT, STARTING);
            return Start { standing: (leave - double_support).max(0.0), double_support };
        }
        let Some(land) = land else {
            return Start { standing: self.mover.options.standing, double_support: STARTING };
        };
        let natural = STARTING + natural_swing;
        let share = (land / natural).clamp(SHORTEST_START, 1.0);
        Start { standing: (land - natural).max(0.0), double_support: share * STARTING }
    }

    /// Seconds that the foot swings in a first step of a length, by nature.
    fn natural_first_swing(&self, gait: Gait, length: f64) -> f64 {
        let settings = self.mover.settings(2);
        let natural = settings.natural_step_time(gait, length, self.mover.rig.proportions().height);
        natural - settings.double_support(natural)
    }

    /// Plans the step that waits, with the footprint after it; `None` if the motion ends.
    pub(super) fn plan_pending(&mut self, next: Option<&Footprint>) {
        self.plan_leap();
        let Some(Pending { target, request }) = self.state.pending.take() else { return };
        let to = self.plant(&target.print, &self.feet_of(target.print.side), next.map(|next| (target.from, next)));
        let then = next.map(|next| {
            let feet = Headings { own: self.feet_of(next.side).own, other: to.heading };
            self.plant(next, &feet, None)
        });
        let request = StepRequest { to, then, ..request };
        let ground = Ground { terrain: self.world.terrain.as_ref() };
        let (proportions, body_state) = (self.mover.rig.proportions(), &self.state.body_state);
        self.add(take_step(proportions, &ground, body_state, &request, self.mover.settings(target.index)));
    }

    /// Where a foot is that steps next, and where the other points.
    pub(super) fn feet_of(&self, side: Side) -> Headings {
        let feet = self.state.body_state.feet.map(|foot| foot.plant());
        Headings { own: feet[side].ball, other: feet[side.opposite()].heading }
    }

    /// The plant on a footprint. `around` is where the footprint before it is, and the one after it.
    pub(super) fn plant(&self, print: &Footprint, feet: &Headings, around: Option<(Vec3, &Footprint)>) -> FootPlant {
        let heading = print.heading.or(self.state.given_heading).unwrap_or_else(|| {
            let ahead = around.and_then(|(before, after)| travel_heading(before, after.position));
            let travel = ahead.or_else(|| travel_heading(feet.own, print.position)).unwrap_or(feet.other);
            feet.other + turn_between(feet.other, travel).clamp(-MAX_TRAVEL_TURN, MAX_TRAVEL_TURN)
        });
        stand_on(&self.mover, &self.world, print, heading)
    }

    /// The gait and times of a step from the body as it is.
    fn time_step(&self, target: &Target, gait: Gait) -> StepRequest {
        let Target { index, print, timing, from, before, late } = *target;
        let (settings, proportions) = (self.mover.settings(index), self.mover.rig.proportions());
        let natural = settings.natural_step_time(gait, print.position.distance(from), proportions.height);
        let is_first = index == 2 && self.mover.begin == Ends::Standing;
        let was_planted = is_planted(&self.state.body_state, print.side);
        let own = match timing.swing {
            Some(swing) if was_planted => swing + before.double_support,
            Some(swing) => swing - before.flight,
            None if is_first => natural - settings.double_support(natural) + before.double_support,
            None if gait == Gait::Run && was_planted => natural.max(settings.first_run_step_time()),
            None if gait == Gait::Run => natural.max(self.leap_time(&print).min(LONGEST_LEAP * natural)) + late,
            None => natural,
        };
        // Who is late catches up, but not by steps that are shorter than both the plan's and natural ones.
        let shortest = match timing.interval {
            Some(interval) => interval.min(own),
            None if is_first => SHORTEST_START * own,
            None => own,
        };
        let duration = print.land.map_or(own, |land| (land - self.state.planned_until).max(shortest));
        let duration = duration.max(MIN_STEP_TIME);
        // A first step takes longer than its pace.
        let pace = match timing.swing {
            Some(swing) if is_first => swing / FIRST_SWING,
            None if is_first => natural,
            _ => duration,
        };
        let overlap = match (gait, timing.overlap) {
            (Gait::Walk, Some(Overlap::Support(seconds))) => seconds.max(MIN_SUPPORT),
            (Gait::Walk, Some(Overlap::Flight(_))) => MIN_SUPPORT,
            (Gait::Walk, None) => settings.double_support(pace),
            (Gait::Run, Some(Overlap::Flight(Some(seconds)))) => seconds.clamp(MIN_FLIGHT, MAX_FLIGHT * duration),
            (Gait::Run, _) => settings.flight(pace),
        };
        let (side, double_support) = (print.side, before.double_support);
        let to = self.plant(&print, &self.feet_of(side), None);
        StepRequest { gait, side, to, then: None, duration, double_support, overlap, flight: None }
    }

    /// Shortest time of a running step to a footprint for a body that comes as fast as it does: a step much longer than the one before is
    /// a leap, which flies longer, and not a sprint of one step.
    fn leap_time(&self, print: &Footprint) -> f64 {
        let state = &self.state.body_state;
        let offset = level(print.position - state.feet[print.side.opposite()].plant().ball);
        let speed = state.position.rate.dot(offset.normalize_or_zero()).max(0.0);
        let scale = (self.mover.rig.proportions().height / DEFAULT_HEIGHT).sqrt();
        offset.length() / (speed + FASTEST_GAIN * scale)
    }

    /// Times the step to a footprint and decides its flight.
    fn accept(&mut self, target: Target, gait: Gait) -> Result<StepOutcome, StepError> {
        let mut request = self.time_step(&target, gait);
        check_sole(&self.mover, &self.world, target.index, request.side, &request.to)?;
        self.check_heading(&target, &request)?;
        let mut leaves_at = self.leaves(&request);
        if gait == Gait::Run {
            let (proportions, settings) = (self.mover.rig.proportions(), self.mover.settings(target.index));
            let outline = outline_leap(proportions, &self.state.body_state, &request, settings);
            if outline.leap > FASTEST_LEAP {
                let (footprint, speed, limit) = (target.index, outline.leap, FASTEST_LEAP);
                return Err(StepError::Leap { footprint, speed, limit });
            }
            (request.flight, leaves_at) = (Some(outline.flight), outline.leaves);
        }
        self.state.pending = Some(Pending { target, request });
        Ok(self.outcome(&target, &request, leaves_at))
    }

    /// A foot points where the body can turn it, whichever footprint gave the heading, and runners go about where they face.
    fn check_heading(&self, target: &Target, request: &StepRequest) -> Result<(), StepError> {
        if self.state.given_heading.is_none() {
            return Ok(());
        }
        let (footprint, heading) = (target.index, request.to.heading);
        let feet = self.state.body_state.feet.map(|foot| foot.plant());
        let (own, other) = (feet[request.side], feet[request.side.opposite()]);
        PlanLimits::default().check_step_turn(footprint, other.heading, Some(own.heading), heading)?;
        let (way, limit) = (request.to.ball - other.ball, LONGEST_ASIDE * self.mover.rig.proportions().height);
        let (length, facing) = (level(way).length(), between_headings(other.heading, heading));
        let aside = direction_heading(level(way)).map_or(0.0, |way| turn_between(facing, way).abs());
        if request.gait == Gait::Run && aside > FURTHEST_ASIDE && length > limit {
            return Err(StepError::RunsAside { footprint, length, degrees: aside.to_degrees(), limit });
        }
        Ok(())
    }

    /// When the foot of a walking step leaves.
    fn leaves(&self, request: &StepRequest) -> f64 {
        let StepRequest { side, double_support, duration, .. } = *request;
        leaves(self.mover.rig.proportions(), &self.state.body_state, side, double_support, duration)
    }

    /// `leaves` is when the foot leaves in the step, if it is planted.
    fn outcome(&self, target: &Target, request: &StepRequest, leaves: f64) -> StepOutcome {
        let behaviour = match (request.gait, target.print.behaviour) {
            (Gait::Walk, Some(Behaviour::Stair)) => Behaviour::Stair,
            (Gait::Walk, _) => Behaviour::Walk,
            (Gait::Run, _) => Behaviour::Run,
        };
        let lift = match self.state.body_state.feet[request.side] {
            FootState::Air { since, .. } => since,
            FootState::Planted { .. } => leaves,
        };
        StepOutcome {
            footprint: target.index,
            behaviour,
            origin: StepOrigin::Procedural,
            lift: self.state.planned_until + lift,
            land: self.state.planned_until + request.duration,
            sources: Vec::new(),
            outside: 0.0,
            height_outside: 0.0,
            jump: None,
        }
    }

    /// The flight that waits, as the walking step that it is where the motion ends; `None` if the last step is no flight.
    fn last_step_walked(&self) -> Option<Pending> {
        let Pending { target, request } = self.state.pending.filter(|pending| pending.request.gait == Gait::Run)?;
        let walked = self.time_step(&target, Gait::Walk);
        Some(Pending { target, request: StepRequest { to: request.to, ..walked } })
    }
}

/// Motions that begin and end in full motion.
impl GaitEngine {
    /// Brings the body into the motion in which it steps on the first footprints, and returns how the second one was landed on.
    fn lead_in(&mut self, standing: &[Footprint; 2], first: &Footprint, timing: &StepTiming, gait: Gait) -> Before {
        let (mover, plants) = (&self.mover, self.state.body_state.feet.map(|foot| foot.plant()));
        let [own, other] = if standing[0].side == first.side { *standing } else { [standing[1], standing[0]] };
        let to = self.plant(first, &self.feet_of(first.side), None);
        let overlap_of = |gait: Gait, support: Option<f64>, settings: &GaitSettings, time: f64| match gait {
            Gait::Walk => support.filter(|seconds| *seconds > 0.0).unwrap_or_else(|| settings.double_support(time)),
            Gait::Run => settings.flight(time),
        };
        let length = first.position.distance(other.position);
        let half = |index: usize, print: &Footprint, gait: Gait, swing: Option<f64>| {
            let settings = mover.settings(index);
            let natural = settings.natural_step_time(gait, length, mover.rig.proportions().height);
            let time = if swing.is_some() { settings.step_time(gait) } else { natural };
            HalfStride {
                gait,
                time,
                swing,
                overlap: overlap_of(gait, print.support, settings, time),
                settings: *settings,
            }
        };
        let gait_before = match other.support {
            Some(0.0) => Gait::Run,
            Some(_) => Gait::Walk,
            None => gait,
        };
        let stride = SteadyStride {
            side: first.side,
            plants: [plants[own.side], plants[other.side], to],
            halves: [half(2, first, gait, timing.swing), half(3, &other, gait_before, other.swing)],
        };
        let (body_state, overlap) = lead_in(mover.rig.proportions(), &stride);
        self.state.body_state = body_state;
        self.state.standing = None;
        match gait_before {
            Gait::Walk => Before { double_support: overlap, flight: 0.0 },
            Gait::Run => Before { double_support: STARTING, flight: overlap },
        }
    }

    /// Ends with the landing of the step that waits, on the way to a footprint that is not there: the stride before is repeated.
    fn go_on(&mut self) {
        let Some(Pending { target, request }) = self.state.pending else { return };
        let feet = self.state.body_state.feet.map(|foot| foot.plant());
        let moved = Moved::between(&feet[request.side], &request.to);
        let next = moved.plant(&feet[request.side.opposite()]);
        let print = Footprint {
            heading: Some(next.heading),
            normal: target.print.normal,
            ..Footprint::at(request.side.opposite(), next.ball)
        };
        self.plan_pending(Some(&print));
        let end = self.state.planned_until;
        let flight = self.steps.back().and_then(|step| Some(step.duration - step.pelvis.flight?.start));
        let leaves = match flight {
            None => [end + request.duration + request.overlap, end + request.overlap],
            Some(flight) => [end + request.duration - flight, end - flight],
        };
        self.state.leaves = PerSide::from_fn(|side| Some(leaves[usize::from(side != request.side)]));
    }
}

impl StepEngine for GaitEngine {
    fn skeleton(&self) -> &Arc<Skeleton> {
        &self.mover.skeleton
    }

    fn body(&self) -> &BodyMap {
        self.mover.rig.body()
    }

    fn frame_rate(&self) -> f64 {
        self.mover.options.frame_rate
    }

    fn push(&mut self, task: &StepTask<'_>) -> Result<StepOutcome, StepError> {
        self.latest.clear();
        if task.is_jump {
            return self.push_jump(task);
        }
        let (index, print) = (task.index(), *task.print());
        let (n_steps, saved) = (self.steps.len(), self.state);
        let gait = if task.is_flight { Gait::Run } else { Gait::Walk };
        let started = self.place(&print, &task.timing, gait);
        let pending = self.state.pending.map(|pending| Before::after(&pending.request));
        let leapt = self.state.leap.map(|leap| Before { double_support: AFTER_JUMP, flight: leap.flight() });
        let before = started.or(pending).or(leapt).expect("a step follows standing or a step");
        self.plan_pending(Some(&print));
        self.recover(print.side, task);
        self.state.given_heading = print.heading.or(self.state.given_heading);
        let late = if leapt.is_some() { self.late_after_leap() } else { 0.0 };
        let target = Target { index, print, timing: task.timing, from: task.prints[index - 1].position, before, late };
        self.accept(target, gait).inspect_err(|_| {
            self.steps.truncate(n_steps);
            self.state = saved;
        })
    }

    fn latest_outcomes(&self) -> &[StepOutcome] {
        &self.latest
    }

    fn ending(&self) -> Result<Option<StepOutcome>, StepError> {
        self.check_last_leap()?;
        if self.mover.end == Ends::Moving {
            return Ok(None);
        }
        let Some(Pending { target, request }) = self.last_step_walked() else { return Ok(None) };
        let other = self.state.body_state.feet[request.side.opposite()].plant();
        let other = Footprint { heading: Some(other.heading), ..Footprint::at(request.side.opposite(), other.ball) };
        let body = BodyReach::of(self.mover.rig.proportions());
        PlanLimits::default().check_walking_step(target.index, &body, &other, &target.print)?;
        Ok(Some(self.outcome(&target, &request, self.leaves(&request))))
    }

    fn finish(&mut self) {
        if self.state.standing.is_some() {
            self.stand(self.mover.options.standing);
        }
        if self.mover.end == Ends::Moving && self.state.pending.is_some() {
            self.go_on();
        } else {
            let last = self.state.pending.map_or(2, |pending| pending.target.index);
            self.state.pending = self.last_step_walked().or(self.state.pending);
            self.plan_pending(None);
            self.absorb_landing();
            let seconds = SETTLING + self.mover.options.standing;
            self.add(self.state.body_state.settle(self.mover.rig.proportions(), &self.mover.bearing(last), seconds));
        }
        self.n_frames = Some((self.state.planned_until * self.frame_rate() + ROUNDING).floor() as usize + 1);
    }

    fn leaves_after_end(&self) -> PerSide<Option<f64>> {
        self.state.leaves
    }

    fn next_frame(&mut self, pose: &mut Pose) -> Option<FrameContacts> {
        if self.n_frames.is_some_and(|n_frames| self.frame >= n_frames) {
            return None;
        }
        let time = self.frame as f64 / self.frame_rate();
        while time + ROUNDING >= self.began + self.steps.front()?.duration {
            if self.steps.len() == 1 {
                // The motion ends with the last step; before it does, the next frame belongs to a step that is not planned.
                self.n_frames?;
                break;
            }
            self.began += self.steps.pop_front()?.duration;
        }
        let (step, proportions) = (self.steps.front()?, self.mover.rig.proportions());
        let ground = Ground { terrain: self.world.terrain.as_ref() };
        let (posture, feet) = step.posture(proportions, &ground, time - self.began);
        self.mover.rig.pose(&posture, pose);
        self.frame += 1;
        Some(FrameContacts {
            feet,
            balls: step.legs.map(|leg| leg.plant.ball),
            heels: PerSide::from_fn(|side| step.legs[side].plant.heel(&proportions.soles[side])),
        })
    }

    fn clone_box(&self) -> Box<dyn StepEngine> {
        Box::new(self.clone())
    }
}

/// What a foot's heading depends on where it is not given.
pub(super) struct Headings {
    /// Where the foot is that steps.
    pub(super) own: Vec3,
    /// Where the other foot points.
    pub(super) other: f64,
}

fn check_option(what: &'static str, value: f64, min: f64, max: f64) -> Result<(), StepError> {
    if (min..=max).contains(&value) { Ok(()) } else { Err(StepError::Option { what, value, min, max }) }
}

/// The body on its standing feet; a foot without a heading points as given.
pub(super) fn stand_still(mover: &Mover, world: &World, standing: &[Footprint; 2], heading: f64) -> BodyState {
    let feet = PerSide::from_fn(|side| {
        let print = &standing[usize::from(standing[0].side != side)];
        stand_on(mover, world, print, print.heading.unwrap_or(heading))
    });
    BodyState::standing(mover.rig.proportions(), &feet, &mover.bearing(2))
}

fn stand_on(mover: &Mover, world: &World, print: &Footprint, heading: f64) -> FootPlant {
    let plant = FootPlant::new(print.position, heading, print.normal);
    let sole = &mover.rig.proportions().soles[print.side];
    let Some(terrain) = &world.terrain else { return plant };
    plant.with_heel_on(terrain, sole).fitted_to(terrain, sole)
}

/// A sole lies on the ground, and not in a riser.
pub(super) fn check_sole(
    mover: &Mover,
    world: &World,
    footprint: usize,
    side: Side,
    plant: &FootPlant,
) -> Result<(), StepError> {
    let sole = &mover.rig.proportions().soles[side];
    let depth = world.terrain.as_ref().map_or(0.0, |terrain| plant.depth_in(terrain, sole));
    if depth <= MAX_DEPTH {
        return Ok(());
    }
    let (what, instead) = ("a heel or toes inside the ground", "move or turn it to where all of the sole has room");
    Err(StepError::Unsupported { footprint, what, synthesizer: NAME, instead })
}

/// The direction from a place to another over the ground.
pub(super) fn travel_heading(from: Vec3, to: Vec3) -> Option<f64> {
    direction_heading(Vec3::new(to.x - from.x, 0.0, to.z - from.z))
}

/// Where someone faces whose feet are side by side.
pub(super) fn facing_of(standing: &[Footprint; 2]) -> f64 {
    let [left, right] = Side::BOTH.map(|side| standing[usize::from(standing[0].side != side)].position);
    travel_heading(right, left).map_or(0.0, |leftward| leftward - FRAC_PI_2)
}
