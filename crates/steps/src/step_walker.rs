//! The engine of [`super::Steps`]: footprints go in one at a time, frames come out one step later.
//!
//! Reference: STRIDE chapter 5 and 6.2. A plan that is known to its end differs from one that comes footprint by footprint only in
//! which steps are chosen (`choose_plan`).
//!
//! What happens when a footprint comes in, and with it step j:
//!
//! 1. [`super::choose_steps`] and [`super::blend`]: the step by itself, in its supporting frame.
//! 2. Its times: the double support before it is shared with the step before; soft targets of the plan count as much as
//!    they weigh.
//! 3. Frames from the double support to its landing: in the double support blended with the step before; what both
//!    differ by at its ends fades out into either (`join`).
//! 4. [`fit_root`] around the double support.
//! 5. `stances`: the foot that has landed is led through its swing to its place and locked there; so is the other. Now
//!    everything before the lifting of step j is settled; what follows the next join may change, and its feet are locked
//!    after that.
//! 6. `settle`: heights of the ground.
//!
//! With a horizon ([`WalkOptions::horizon`]) steps stay open: a footprint chooses the steps of the last ones again, together
//! with its own, and only the first of them is walked. Frames come as many steps later.
//!
//! Frames leave ([`StepEngine::next_frame`]) when nothing that follows changes them (`write_frames`): pelvis and heels fitted
//! to the legs, knees softened, the knees' rolls and the upper body by Lee and Shin's filter (STRIDE 5.8, 6.2); then joints
//! ([`super::LinearBody::write_pose`]).
//!
//! Departures: the heading of a stance is the mean of the landing step's and the next one's. The paper (5.6) looks one
//! step further, to the step after that, which a walk that answers one step later cannot. Blending in double supports
//! is eased in and out; the paper's is linear. Filters keep their seconds at other frame rates than the paper's 30.
//! Steps are joined over more than their double support, which may be four frames long.

use super::blend::{blend_carried, blend_regressed, blend_steps, blend_turned};
use super::blend_angles::blend_angles;
use super::choose::ChooseMemory;
use super::choose_plan::PlanChooser;
use super::fit_root::fit_root;
use super::join_steps::Gap;
use super::lock_feet::{FootLock, PlantEnd};
use super::reach::{FIT_SPREAD, HEEL_SPREAD, SPREAD};
use super::soften_knees;
use super::splice_upper::{choose_upper, splice_upper};
use super::stance_plane::StancePlane;
use super::step_heights::HeightFit;
use super::taken_step::TakenStep;
use super::walk_frame::{WalkFrame, mix_signs};
use super::walk_options::{Method, Search, WalkOptions};
use super::{Choice, LinearFoot, LinearPose, Made, Place, StepDatabase, StepQuery, StepTimes, Style};
use std::collections::VecDeque;
use std::sync::Arc;
use surefoot_geom::{OrientationFilter, Transform, Vec3};
use surefoot_motion::{BodyMap, PerSide, Pose, Side, Skeleton};
use surefoot_plan::{
    Behaviour, Footprint, FrameContacts, StepEngine, StepError, StepOrigin, StepOutcome, StepParameters, StepSource,
    StepTask, StepTiming, World, ground_between, refuse_jumps, stand_at_start,
};

/// Shortest double support and swing, in seconds.
const MIN_SUPPORT: f64 = 0.03;
const MIN_SWING: f64 = 0.12;
/// Shortest double support, as a share of the blended steps' own.
const SHORTEST_SHARE: f64 = 0.6;
/// ...but no longer than feet take to roll off, in seconds: in the rest of a long one people stand.
const ROLLS_OFF: f64 = 0.15;
/// A walk ends on two flat feet: the last double support lasts at least this long, in seconds, and its foot is flat after this
/// share of it, so that its ball is on its footprint over the middle 60 % of its stance.
const MIN_LAST_SUPPORT: f64 = 0.3;
const LAST_FLAT: f64 = 0.19;
/// Longest that a leg is in the last frame for its foot to lie flat, as a share of a straight one.
const LONGEST_AT_REST: f64 = 0.99;
/// The windows of two double supports leave this share of the swing between them alone.
pub(super) const MAX_WINDOW: f64 = 0.45;
/// The paper's frame rate, which its filter's mask belongs to.
const FILTER_RATE: f64 = 30.0;

/// Most frames of one step and the double support after it, which are in memory at once: more than five minutes at 60 a
/// second.
const MAX_STEP_FRAMES: f64 = 20_000.0;
/// Deepest that a planted foot may be in a terrain, in metres: what a judge allows.
const MAX_DEPTH: f64 = 0.002;
/// Footprints that the query for another may depend on: feet alternate, but for a few.
const LOOKS_BACK: usize = 8;
/// Footprints that a walk without a plan remembers as ground.
const MOST_REMEMBERED: usize = 32;
/// As reports and errors name the synthesizer.
pub(super) const NAME: &str = "steps";

/// A foot's footprint.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Print {
    pub(super) ball: Vec3,
    /// What the foot is planted on; on a terrain it is pitched to the ground under the heel when its heading is known.
    pub(super) plane: StancePlane,
    /// Target of its heading.
    pub(super) heading: Option<f64>,
    /// Target of the double support after landing.
    pub(super) support: Option<f64>,
    /// When a standing foot shall leave, in seconds from the first frame.
    pub(super) leave: Option<f64>,
}

impl Print {
    fn standing(print: &Footprint) -> Print {
        let Footprint { position, normal, heading, support, leave, .. } = *print;
        Print { ball: position, plane: StancePlane::new(position, normal), heading, support, leave }
    }

    fn of(fall: &Footfall) -> Print {
        Print { support: fall.timing.support(), leave: None, ..Print::standing(&fall.print) }
    }
}

/// A footprint to step to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footfall {
    index: usize,
    print: Footprint,
    timing: StepTiming,
}

/// What was chosen for a footprint before it came.
#[derive(Clone, Debug)]
pub(super) struct PlannedChoice {
    parameters: StepParameters,
    heights: [f64; 2],
    choice: Choice,
}

impl PlannedChoice {
    /// Whether a step is the one that was planned, as far as rounding goes.
    fn is_for(&self, query: &StepQuery) -> bool {
        self.parameters.swing == query.parameters.swing
            && self.parameters.point().distance(query.parameters.point()) < 1e-6
            && self.heights.iter().zip(query.heights).all(|(own, asked)| (own - asked).abs() < 1e-6)
    }
}

/// A walk in the making.
pub(super) struct StepWalker {
    pub(super) database: Arc<StepDatabase>,
    pub(super) options: WalkOptions,
    /// Whom the walk is like.
    pub(super) style: Option<Arc<Style>>,
    /// What was chosen for the footprints of a plan that is known to its end, from the third on.
    pub(super) planned: Arc<[PlannedChoice]>,
    /// Steps of the last footprints, which may be chosen again when the next comes: as many as the horizon.
    pub(super) open: Vec<(Footfall, TakenStep)>,
    /// What becomes of the last footprints, as far as the last one may have changed it.
    pub(super) latest: Vec<StepOutcome>,
    pub(super) world: Arc<World>,
    pub(super) prints: PerSide<Option<Print>>,
    /// The footprints of a plan that is known to its end, for as long as the walk keeps to it; and the last ones that were walked.
    pub(super) plan: Arc<[Footprint]>,
    pub(super) walked: Vec<Footprint>,
    /// The last step, and the footprint that it leads to.
    pub(super) step: Option<TakenStep>,
    pub(super) locks: PerSide<FootLock>,
    /// How each foot was changed when it stood last, and the frame from which on it does not stand.
    pub(super) leaving: PerSide<PlantEnd>,
    pub(super) released: PerSide<Option<usize>>,
    /// Frames below this number have their foot in its place, if it stands.
    pub(super) locked: PerSide<usize>,
    /// The pelvis's height over the level when all is done that is known.
    pub(super) level: f64,
    pub(super) frames: VecDeque<WalkFrame>,
    /// Number of the first of `frames`.
    pub(super) first: usize,
    /// Frames below this number are settled, below `fitted` and `risen` have pelvis and heels fitted to the
    /// legs, below `reached` have both feet in reach, and below `filled` have their turns.
    pub(super) settled: usize,
    pub(super) fitted: usize,
    pub(super) risen: usize,
    pub(super) reached: usize,
    pub(super) filled: usize,
    /// The next frame to hand out.
    pub(super) next: usize,
    pub(super) finished: bool,
    pub(super) filter: OrientationFilter,
    /// Frames from one entry of the filter's mask to the next.
    pub(super) stride: usize,
    /// Frames that the pelvis's fit, heels and the reach look to either side.
    pub(super) fit_half: usize,
    pub(super) heel_half: usize,
    /// Frames around plants in which knees are softened.
    pub(super) knee_half: usize,
    pub(super) half: usize,
    pub(super) upper: Vec<usize>,
    pub(super) pool: Vec<WalkFrame>,
    pub(super) spare: Option<TakenStep>,
    pub(super) memory: ChooseMemory,
    pub(super) row: Vec<f32>,
    pub(super) other: LinearPose,
    pub(super) gap_from: LinearPose,
    pub(super) gaps: [Gap; 2],
    pub(super) out: WalkFrame,
}

impl Clone for StepWalker {
    /// What is kept for later use only is not copied, but room for it is made, so that frames of the copy cost no memory.
    fn clone(&self) -> StepWalker {
        let mut copy = StepWalker {
            database: self.database.clone(),
            options: self.options,
            style: self.style.clone(),
            planned: self.planned.clone(),
            open: self.open.clone(),
            latest: self.latest.clone(),
            world: self.world.clone(),
            prints: self.prints,
            plan: self.plan.clone(),
            walked: self.walked.clone(),
            step: self.step.clone(),
            locks: self.locks.clone(),
            leaving: self.leaving,
            released: self.released,
            locked: self.locked,
            level: self.level,
            frames: self.frames.clone(),
            first: self.first,
            settled: self.settled,
            fitted: self.fitted,
            risen: self.risen,
            reached: self.reached,
            filled: self.filled,
            next: self.next,
            finished: self.finished,
            filter: self.filter.clone(),
            stride: self.stride,
            fit_half: self.fit_half,
            heel_half: self.heel_half,
            knee_half: self.knee_half,
            half: self.half,
            upper: self.upper.clone(),
            pool: Vec::new(),
            spare: None,
            memory: ChooseMemory::default(),
            row: Vec::new(),
            other: LinearPose::default(),
            gap_from: LinearPose::default(),
            gaps: Default::default(),
            out: WalkFrame::with_room(self.database.body().others().len()),
        };
        copy.make_room();
        copy
    }
}

impl StepWalker {
    /// A walk that begins on two footprints, one of each foot.
    pub(super) fn new(
        database: Arc<StepDatabase>,
        options: WalkOptions,
        style: Option<Arc<Style>>,
        world: Arc<World>,
        standing: [Footprint; 2],
    ) -> Result<StepWalker, StepError> {
        let rate = options.frame_rate;
        let upper = database.body().upper_body().collect();
        let mut prints = PerSide::default();
        for print in stand_at_start(standing) {
            prints[print.side] = Some(Print::standing(&print));
        }
        let out = WalkFrame::with_room(database.body().others().len());
        let walker = StepWalker {
            options,
            style,
            planned: Arc::new([]),
            open: Vec::new(),
            latest: Vec::new(),
            world,
            prints,
            plan: Arc::new([]),
            walked: standing.to_vec(),
            step: None,
            locks: PerSide::from_fn(|side| FootLock::new(side, rate)),
            leaving: PerSide::default(),
            released: PerSide::default(),
            locked: PerSide::default(),
            level: 0.5 * (standing[0].position.y + standing[1].position.y),
            frames: VecDeque::new(),
            first: 0,
            settled: 0,
            fitted: 0,
            risen: 0,
            reached: 0,
            filled: 0,
            next: 0,
            finished: false,
            filter: if options.filters { OrientationFilter::smoothing() } else { OrientationFilter::new(&[1.0]) },
            stride: ((rate / FILTER_RATE).round() as usize).max(1),
            knee_half: ((soften_knees::WINDOW * rate).round() as usize).max(1),
            heel_half: ((HEEL_SPREAD * rate).round() as usize).max(1),
            fit_half: ((FIT_SPREAD * rate).round() as usize).max(1),
            half: ((SPREAD * rate).round() as usize).max(1),
            upper,
            pool: Vec::new(),
            spare: None,
            memory: ChooseMemory::default(),
            row: Vec::new(),
            other: LinearPose::default(),
            gap_from: LinearPose::default(),
            gaps: Default::default(),
            out,
            database,
        };
        for (index, print) in standing.iter().enumerate() {
            walker.check_stance(index, print, print.heading)?;
        }
        Ok(walker)
    }

    /// Refuses what recorded walking steps do not show.
    fn check(task: &StepTask<'_>) -> Result<Footfall, StepError> {
        refuse_jumps(task, NAME)?;
        if task.is_flight {
            return Err(StepError::Unsupported {
                footprint: task.index(),
                what: "a flight",
                synthesizer: NAME,
                instead: "give it a double support (support above 0), or let gait run it",
            });
        }
        Ok(Footfall { index: task.index(), print: *task.print(), timing: task.timing })
    }

    /// Takes the next footprint; its step can be looked at in `self.step` after that.
    fn take_footprint(&mut self, task: &StepTask<'_>) -> Result<(), StepError> {
        let fall = StepWalker::check(task)?;
        let before = self.step.take();
        let step = self.take_step(&fall, before.as_ref(), None);
        self.step = before;
        self.walk_step(&fall, step?);
        Ok(())
    }

    /// Makes the frames of a step, after which it is chosen for good.
    fn walk_step(&mut self, fall: &Footfall, step: TakenStep) {
        let before = self.step.take();
        let from = self.frame_at(step.start);
        debug_assert_eq!(self.first + self.frames.len(), from);
        let to = self.frame_at(step.land);
        for number in from..to {
            self.add_frame(number, before.as_ref(), Some(&step));
        }
        if let Some(before) = &before {
            self.join(before, &step);
            self.fit_root(before, &step);
        }
        let left = before.as_ref().and_then(|before| self.released[before.swing]);
        self.lock_feet(before.as_ref(), Some(&step), to);
        self.lift_pelvis(before.as_ref(), &step);
        self.settle(before.as_ref(), left, self.settles_at(Some(&step), to));
        self.prints[step.swing] = Some(Print::of(fall));
        self.remember(fall);
        self.spare = before;
        self.step = Some(step);
        self.make_room();
    }

    /// Keeps a footprint as ground for the swings after it.
    fn remember(&mut self, fall: &Footfall) {
        // A walk that was edited does not keep to its plan.
        if self.plan.get(fall.index).is_none_or(|planned| planned.position != fall.print.position) {
            self.plan = Arc::new([]);
        }
        if self.walked.len() >= MOST_REMEMBERED {
            self.walked.remove(0);
        }
        self.walked.push(fall.print);
    }

    /// The footprints of a foot that are known.
    pub(super) fn known_prints(&self, side: Side) -> impl Iterator<Item = &Footprint> {
        let known = if self.plan.is_empty() { &self.walked[..] } else { &self.plan[..] };
        known.iter().filter(move |print| print.side == side)
    }

    /// How many footprints steps are kept open for: none where a plan is known, or chosen footprint by footprint.
    fn horizon(&self) -> usize {
        let searches = self.options.method.carries() && self.options.search != Search::Footprint;
        if searches && self.planned.is_empty() { self.options.horizon } else { 0 }
    }

    /// Takes a footprint, chooses the open steps together with its own, and walks the first where more are open than the
    /// horizon has.
    fn push_ahead(&mut self, task: &StepTask<'_>) -> Result<StepOutcome, StepError> {
        let fall = StepWalker::check(task)?;
        let falls: Vec<Footfall> = self.open.iter().map(|(fall, _)| *fall).chain([fall]).collect();
        let mut choices = self.choose_open(task.prints, falls[0].index).into_iter();
        let (standing, before) = (self.prints, self.step.take());
        let mut open: Vec<(Footfall, TakenStep)> = Vec::with_capacity(falls.len());
        for fall in &falls {
            let last = open.last().map(|(_, step)| step).or(before.as_ref());
            let step = match self.take_step(fall, last, choices.next()) {
                Ok(step) => step,
                Err(error) => {
                    (self.prints, self.step) = (standing, before);
                    return Err(error);
                }
            };
            self.prints[step.swing] = Some(Print::of(fall));
            open.push((*fall, step));
        }
        (self.prints, self.step) = (standing, before);
        self.latest.clear();
        self.latest.extend(open.iter().map(|(fall, step)| outcome(&self.database, fall, step)));
        if open.len() > self.horizon() {
            let (fall, step) = open.remove(0);
            self.walk_step(&fall, step);
        }
        self.open = open;
        Ok(self.latest[self.latest.len() - 1].clone())
    }

    /// The blends of the steps from a footprint to the last, after the step that was walked last.
    fn choose_open(&mut self, prints: &[Footprint], from: usize) -> Vec<Choice> {
        // No more than steps are seen in the light of.
        let first = from.saturating_sub(LOOKS_BACK);
        let mut prints = prints[first..].to_vec();
        if let ([one, other, ..], 0) = (&mut prints[..], first) {
            [*one, *other] = stand_at_start([*one, *other]);
        }
        let queries = (from - first..prints.len()).map_while(|index| query_of(&prints, index));
        let queries: Vec<StepQuery> = queries.collect();
        let options = self.options.method.choose(&self.options.choose);
        let chooser = PlanChooser { database: &self.database, style: self.style.as_ref(), options };
        let before = self.step.as_ref().map(|step| (&step.choice, step.yaw));
        chooser.choose_ahead(before, &queries, &mut self.memory)
    }

    /// Takes the next footprint and returns what its step is blended of.
    pub(super) fn choose_next(&mut self, task: &StepTask<'_>) -> Result<Choice, StepError> {
        self.take_footprint(task)?;
        Ok(self.step.as_ref().expect("a step was taken").choice.clone())
    }

    /// Chooses the steps for all footprints of a plan, which will be pushed.
    pub(super) fn plan_choices(&mut self, prints: &[Footprint]) {
        self.plan = prints.into();
        let method = self.options.method;
        if !method.carries() || self.options.search == Search::Footprint {
            return;
        }
        let queries = queries_of(prints);
        let options = method.choose(&self.options.choose);
        let chooser = PlanChooser { database: &self.database, style: self.style.as_ref(), options };
        let WalkOptions { search, horizon, .. } = self.options;
        let choices = chooser.choose(&queries, search, horizon, &mut self.memory);
        let planned = queries.iter().zip(choices);
        let planned = planned.map(|(&StepQuery { parameters, heights, .. }, choice)| PlannedChoice {
            parameters,
            heights,
            choice,
        });
        self.planned = planned.collect();
    }

    /// So that frames which leave find room.
    fn make_room(&mut self) {
        self.pool.reserve(self.frames.len());
    }

    /// The first frame at or after a time; a rounding of the time must not cost a landing its frame.
    pub(super) fn frame_at(&self, time: f64) -> usize {
        (time * self.options.frame_rate - 1e-6).ceil().max(0.0) as usize
    }

    pub(super) fn time_of(&self, number: usize) -> f64 {
        number as f64 / self.options.frame_rate
    }

    pub(super) fn frame_mut(&mut self, number: usize) -> &mut WalkFrame {
        &mut self.frames[number - self.first]
    }

    /// 1. and 2.: the step by itself, and when it happens.
    fn take_step(
        &mut self,
        fall: &Footfall,
        before: Option<&TakenStep>,
        chosen: Option<Choice>,
    ) -> Result<TakenStep, StepError> {
        let print = &fall.print;
        let swing = print.side;
        let [support, from] = [swing.opposite(), swing].map(|side| self.prints[side].expect("both feet stand"));
        // A foot without a target for its heading points as the step before left it.
        let heading = |side: Side, print: &Print| print.heading.or_else(|| before.map(|step| step.heading_after(side)));
        let place = |side: Side, print: &Print| Place { ball: print.ball, heading: heading(side, print) };
        let targets = self.time_targets(fall, before, &support, &from);
        let to = Place { ball: print.position, heading: print.heading };
        let times = [targets.support, targets.swing, fall.timing.support()];
        let mut query = StepQuery::new(swing, place(swing.opposite(), &support), place(swing, &from), to, times);
        if let Some(before) = before.filter(|before| before.swing != swing) {
            query = query.after(before.planes[0].ball);
        }
        let method = self.options.method;
        let choose = method.choose(&self.options.choose);
        let planned = self.planned.get(fall.index - 2).filter(|planned| planned.is_for(&query));
        let choice = match chosen.or(planned.map(|planned| planned.choice.clone())) {
            Some(choice) => choice,
            None => {
                let database = self.database.clone();
                let chooser = PlanChooser { database: &database, style: self.style.as_ref(), options: choose };
                if !method.carries() || self.options.search == Search::Footprint {
                    chooser.choose_alone(&query, &mut self.memory)
                } else {
                    let before = before.map(|before| (&before.choice, before.yaw));
                    chooser.choose_ahead(before, &[query], &mut self.memory).swap_remove(0)
                }
            }
        };
        let mut blend = self.spare.take().map(|step| step.blend).unwrap_or_default();
        let mut carried = None;
        if method.carries() && self.options.carries {
            let style = self.style.as_deref();
            carried = Some(blend_carried(&self.database, &query, &choice, style, &self.options, &mut blend));
        } else if method.carries() {
            blend_turned(&self.database, &query, &choice, &self.options, &mut blend);
        } else if method == Method::GaussianProcess {
            blend_regressed(&self.database, &query, &choice, &self.options, &mut blend);
        } else {
            blend_steps(&self.database, &choice, &mut blend);
        }
        if method == Method::Angles {
            blend_angles(&self.database, &choice, &mut blend);
        }
        let upper = (method.carries() && self.options.splice_upper).then(|| {
            let of_style = self.style.as_ref().map(|style| style.space(swing));
            let space = of_style.filter(|space| !space.steps().is_empty()).unwrap_or(self.database.space(swing));
            let before = before.and_then(|before| before.upper);
            choose_upper(&self.database, space, &query, &choose, before, &mut self.memory)
        });
        if let Some(upper) = upper {
            splice_upper(&self.database, upper, carried.as_ref(), &mut blend.rows);
        }
        if method.leads_body() {
            blend.lead_to(&query, self.database.layout().width());
        }
        let start = before.map_or(0.0, |before| before.land);
        let first = before.map_or(blend.times.first, |before| 0.5 * (before.blend.times.last + blend.times.first));
        // Feet do not roll off at many times their own pace; only a walk that begins there has them rolled off already.
        let least = before.map_or(0.0, |_| (SHORTEST_SHARE * first).min(ROLLS_OFF));
        let (lift, land) = self.lift_and_land(start, [first, blend.times.swing], least, &targets);
        let skipped = before.map_or((blend.times.first - (lift - start)).max(0.0), |_| 0.0);
        let heights = [support.ball.y, from.ball.y, print.position.y];
        let planes = [from.plane, StancePlane::new(print.position, print.normal)];
        // Blended rows are over their base line, and get heights when all else is done.
        let on_ground = Vec3::new(query.frame.translation.x, 0.0, query.frame.translation.z);
        let frame = Transform::new(query.frame.rotation, on_ground);
        let fit = HeightFit::new(self.database.steps(), &choice, query.heights);
        let terrain = self.world.terrain.as_ref();
        let unevenness = terrain.map_or(0.0, |terrain| ground_between(terrain, from.ball, print.position).unevenness);
        let yaw = query.yaw();
        let step = TakenStep {
            blend,
            choice,
            upper,
            swing,
            frame,
            yaw,
            start,
            skipped,
            lift,
            land,
            heights,
            fit,
            planes,
            unevenness,
        };
        self.check_length(fall, &step)?;
        self.check_stance(fall.index, print, print.heading.or(Some(step.heading_after(swing))))?;
        Ok(step)
    }

    /// What a step's times shall be. Relative and absolute ones come as one [`surefoot_plan::StepTiming`]; only the first
    /// step has no landing before it to count from, and counts from the first frame.
    fn time_targets(&self, fall: &Footfall, before: Option<&TakenStep>, support: &Print, from: &Print) -> TimeTargets {
        let timing = &fall.timing;
        let (both_down, interval) = match before {
            Some(step) => (self.prints[step.swing].expect("it has landed").support, timing.interval),
            None => (support.support.or(from.support).or(from.leave), timing.interval.or(fall.print.land)),
        };
        let rest = |part: Option<f64>| Some((interval? - part?).max(0.0));
        TimeTargets {
            support: both_down.or_else(|| rest(timing.swing)),
            swing: timing.swing.or_else(|| rest(both_down)),
            interval,
        }
    }

    /// When a step's foot lifts and lands, from the times that the blended steps have, what was asked for, and the least that the
    /// double support may last.
    fn lift_and_land(
        &self,
        start: f64,
        [own_support, own_swing]: [f64; 2],
        least: f64,
        targets: &TimeTargets,
    ) -> (f64, f64) {
        let weight = self.options.time_weight;
        let met = |own: f64, target: Option<f64>| target.map_or(own, |target| own + weight * (target - own));
        let scale = match targets {
            TimeTargets { support: None, swing: None, interval: Some(interval) } => {
                met(own_support + own_swing, Some(*interval)) / (own_support + own_swing)
            }
            _ => 1.0,
        };
        let support = met(scale * own_support, targets.support);
        let swing = met(scale * own_swing, targets.swing);
        // A short double support takes from the swing, and the landing stays.
        let taken = (least.max(MIN_SUPPORT) - support).clamp(0.0, (swing - MIN_SWING).max(0.0));
        let lift = start + support.max(MIN_SUPPORT).max(support + taken);
        (lift, lift + (swing - taken).max(MIN_SWING))
    }

    /// Refuses footprints on a terrain at which heel or toes would be in the ground.
    fn check_stance(&self, index: usize, print: &Footprint, heading: Option<f64>) -> Result<(), StepError> {
        let (Some(terrain), Some(heading)) = (&self.world.terrain, heading) else { return Ok(()) };
        let body = self.database.body();
        let plane = StancePlane::new(print.position, print.normal).on_terrain(body, print.side, heading, terrain);
        let depth = plane.depth_in(body, print.side, heading, terrain);
        if depth > MAX_DEPTH { Err(StepError::InGround { footprint: index, depth }) } else { Ok(()) }
    }

    /// Refuses steps of so many frames that memory could not hold them, before any is made.
    fn check_length(&self, fall: &Footfall, step: &TakenStep) -> Result<(), StepError> {
        let seconds = step.land - step.start + self.support_after(fall.timing.support(), &step.blend.times);
        if seconds * self.options.frame_rate <= MAX_STEP_FRAMES {
            return Ok(());
        }
        Err(StepError::Unsupported {
            footprint: fall.index,
            what: "a step of more than 20,000 frames",
            synthesizer: NAME,
            instead: "give it shorter times or take a lower frame rate",
        })
    }

    fn last_support(&self, step: &TakenStep) -> f64 {
        self.support_after(self.prints[step.swing].and_then(|print| print.support), &step.blend.times)
    }

    /// The double support after a step with which the walk ends.
    fn support_after(&self, target: Option<f64>, times: &StepTimes) -> f64 {
        let own = times.last;
        target.map_or(own, |target| own + self.options.time_weight * (target - own)).max(MIN_LAST_SUPPORT)
    }

    /// 3.: one frame of one step or, in a double support, of two.
    fn add_frame(&mut self, number: usize, before: Option<&TakenStep>, step: Option<&TakenStep>) {
        let layout = self.database.layout();
        let time = self.time_of(number);
        let mut frame = self.pool.pop().unwrap_or_default();
        frame.clear();
        frame.lift = self.level;
        frame.level_share = [before, step].into_iter().flatten().map(|step| step.fit.share).fold(1.0, f64::min);
        if !self.options.fits_legs {
            frame.level_share = 0.0;
        }
        match (before, step) {
            (Some(before), Some(step)) if number < self.frame_at(step.lift) => {
                frame.signs = before.sample(layout, time, step.lift, &mut self.row, &mut frame.pose);
                let others = step.sample(layout, time, step.land, &mut self.row, &mut self.other);
                let share = self.join_of(before, step).share(time);
                frame.pose.mix(&self.other, share);
                mix_signs(&mut frame.signs, &others, share);
            }
            (_, Some(step)) => frame.signs = step.sample(layout, time, step.land, &mut self.row, &mut frame.pose),
            (Some(before), None) => {
                let last = before.land + self.last_support(before);
                let at = comes_to_rest(time - before.land, last - before.land, before.blend.times.last);
                let share = at / (last - before.land);
                frame.signs = before.sample_last(layout, share, &mut self.row, &mut frame.pose);
                // Nobody leaves: a foot that lies flat goes on, and the foot that has landed comes to.
                frame.signs.planted[before.swing.opposite()] = [1.0, 1.0];
                if time > before.land + flat_after(last - before.land) {
                    frame.signs.planted[before.swing][1] = 1.0;
                }
            }
            (None, None) => unreachable!("a frame is of some step"),
        }
        self.frames.push_back(frame);
    }

    /// Whether a foot that was behind can lie flat where the walk ends, without its leg pulling the pelvis down.
    fn stands_flat_at_end(&self, side: Side) -> bool {
        let (Some(frame), Some(print)) = (self.frames.back(), self.prints[side]) else { return true };
        let body = self.database.body();
        let heading = print.heading.unwrap_or_else(|| body.foot_heading(frame.pose.feet[side].rotation));
        let ball = Vec3::new(print.ball.x, print.ball.y - self.level, print.ball.z);
        let foot = LinearFoot { ball, rotation: body.flat(heading), knee_roll: 0.0 };
        let mut rotations = Vec::new();
        body.rotations(&frame.pose, &mut rotations);
        let hip = body.hip(&frame.pose.pelvis, &rotations, side);
        hip.distance(body.ankle(side, &foot)) <= LONGEST_AT_REST * body.leg_length(side)
    }

    /// 4.: the pelvis around the double support of two steps.
    fn fit_root(&mut self, before: &TakenStep, step: &TakenStep) {
        if !self.options.filters {
            return;
        }
        let window = self.options.root_window;
        let back = window.min(MAX_WINDOW * (before.land - before.lift));
        let on = window.min(MAX_WINDOW * (step.land - step.lift));
        let from = self.frame_at(step.start - back).max(self.first);
        let to = (self.frame_at(step.lift + on) + 1).min(self.first + self.frames.len());
        let range = from - self.first..to - self.first;
        let mut pelvis: Vec<&mut Transform> =
            self.frames.range_mut(range).map(|frame| &mut frame.pose.pelvis).collect();
        fit_root(&mut pelvis);
    }
}

/// What a step's times shall be, in seconds; `None` is left to the blended steps.
#[derive(Clone, Copy, Debug)]
struct TimeTargets {
    /// With both feet down before the swing.
    support: Option<f64>,
    swing: Option<f64>,
    /// From the landing before to this one.
    interval: Option<f64>,
}

/// Seconds into the last double support of a walk that lasts `length`, in which the body comes to rest: it goes on at the pace of
/// the blended steps, whose own double support lasts `own`, and slows down.
fn comes_to_rest(time: f64, length: f64, own: f64) -> f64 {
    let u = (time / length).clamp(0.0, 1.0);
    // Beyond 3 the cubic would go past its end and back.
    let pace = (length / own).min(3.0);
    length * (pace * u * (1.0 - u).powi(2) + u * u * (3.0 - 2.0 * u))
}

/// How long the last foot takes to come down flat, in a double support of some seconds.
fn flat_after(last_support: f64) -> f64 {
    LAST_FLAT * last_support
}

impl StepEngine for StepWalker {
    fn skeleton(&self) -> &Arc<Skeleton> {
        self.database.body().skeleton()
    }

    fn body(&self) -> &BodyMap {
        self.database.body().body()
    }

    fn frame_rate(&self) -> f64 {
        self.options.frame_rate
    }

    fn push(&mut self, task: &StepTask<'_>) -> Result<StepOutcome, StepError> {
        if self.horizon() > 0 {
            return self.push_ahead(task);
        }
        let fall = StepWalker::check(task)?;
        self.take_footprint(task)?;
        let step = self.step.as_ref().expect("a step was taken");
        Ok(outcome(&self.database, &fall, step))
    }

    fn latest_outcomes(&self) -> &[StepOutcome] {
        &self.latest
    }

    /// Both feet stay down for the last step's double support.
    fn finish(&mut self) {
        if self.finished {
            return;
        }
        for (fall, step) in std::mem::take(&mut self.open) {
            self.walk_step(&fall, step);
        }
        self.finished = true;
        let Some(step) = self.step.take() else { return };
        let last = self.last_support(&step);
        let to = self.frame_at(step.land + last) + 1;
        for number in self.first + self.frames.len()..to {
            self.add_frame(number, Some(&step), None);
        }
        if !self.stands_flat_at_end(step.swing.opposite()) {
            // A leg that would be too short keeps its heel up.
            let range = self.frame_at(step.land) - self.first..;
            self.frames.range_mut(range).for_each(|frame| frame.signs.planted[step.swing.opposite()] = [0.0, 1.0]);
        }
        let left = self.released[step.swing];
        self.lock_feet(Some(&step), None, to);
        let [support, _, landed] = step.heights;
        self.add_lift(step.middle(), self.time_of(to), 0.5 * (landed - support));
        self.settle(Some(&step), left, to);
        self.step = Some(step);
        self.make_room();
    }

    fn next_frame(&mut self, pose: &mut Pose) -> Option<FrameContacts> {
        // What the filters and stages look back at.
        let around = (self.filter.reach() * self.stride).max(2 * self.half).max(self.fit_half).max(self.knee_half + 3);
        if self.next >= self.ready() {
            return None;
        }
        let contacts = self.write_frame(self.next, pose);
        self.next += 1;
        while self.first + around < self.next {
            let frame = self.frames.pop_front().expect("frames that were written are there");
            self.pool.push(frame);
            self.first += 1;
        }
        Some(contacts)
    }

    fn clone_box(&self) -> Box<dyn StepEngine> {
        Box::new(self.clone())
    }
}

/// The queries for the footprints of a plan after the standing ones. Plans that are refused end where they are.
pub(super) fn queries_of(prints: &[Footprint]) -> Vec<StepQuery> {
    (2..prints.len()).map_while(|index| query_of(prints, index)).collect()
}

/// The query for a footprint of a plan; `None` before both feet have one.
fn query_of(prints: &[Footprint], index: usize) -> Option<StepQuery> {
    let place = |print: &Footprint| Place { ball: print.position, heading: print.heading };
    let print = &prints[index];
    let last = |side: Side| prints[..index].iter().rev().find(|other| other.side == side);
    let (support, from) = (last(print.side.opposite())?, last(print.side)?);
    let times = [prints[index - 1].support, print.swing, print.support];
    let query = StepQuery::new(print.side, place(support), place(from), place(print), times);
    // The support landed before, from where it was before that.
    let earlier = prints[..index].iter().filter(|other| other.side != print.side).rev().nth(1);
    Some(earlier.map_or(query, |earlier| query.after(earlier.position)))
}

/// What became of a footprint.
fn outcome(database: &StepDatabase, fall: &Footfall, step: &TakenStep) -> StepOutcome {
    let choice = &step.choice;
    let mut parts = choice.parts().to_vec();
    parts.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let source = |part: &super::WeightedStep| StepSource {
        name: database.steps()[part.step].source.name(),
        weight: part.weight,
    };
    StepOutcome {
        footprint: fall.index,
        behaviour: fall.print.behaviour.unwrap_or(Behaviour::Walk),
        origin: match choice.made {
            Made::Inside if step.fit.outside() > 0.0 => StepOrigin::HeightExtrapolated,
            Made::Inside => StepOrigin::Blended,
            Made::Extrapolated => StepOrigin::Extrapolated,
            Made::IkCorrected => StepOrigin::IkCorrected,
        },
        lift: step.lift,
        land: step.land,
        sources: parts.iter().map(source).collect(),
        outside: choice.outside,
        height_outside: step.fit.outside(),
        jump: None,
    }
}

#[cfg(test)]
mod tests {
    use super::comes_to_rest;

    #[test]
    fn a_walk_goes_on_at_its_pace_and_ends_at_rest() {
        for (length, own) in [(0.3, 0.12), (0.3, 0.3), (0.5, 0.2)] {
            let speed = |time: f64| (comes_to_rest(time + 1e-6, length, own) - comes_to_rest(time, length, own)) / 1e-6;
            assert!((speed(0.0) - length / own).abs() < 1e-3, "{length} {own}: {}", speed(0.0));
            assert!(speed(length - 1e-6).abs() < 1e-3, "{length} {own}");
            assert!((comes_to_rest(length, length, own) - length).abs() < 1e-12);
            let slows = (0..99).all(|k| speed(f64::from(k + 1) * length / 100.0) > -1e-9);
            assert!(slows, "{length} {own}: it goes back");
        }
    }
}
