//! The engine of [`super::Steps`]: footprints go in one at a time, frames come out one step later.
//!
//! Reference: STRIDE chapter 5 and 6.2; the same frames whether a plan is known completely or comes footprint by footprint.
//!
//! What happens when a footprint comes in, and with it step j:
//!
//! 1. [`super::choose_steps`] and [`blend_steps`]: the step by itself, in its supporting frame.
//! 2. Its times: the double support before it is shared with the step before; wishes of the plan count as much as they
//!    weigh.
//! 3. Frames from the double support to its landing: in the double support blended with the step before; what both
//!    differ by at its ends fades out into either (`join`).
//! 4. [`fit_root`] around the double support.
//! 5. [`FootHolder`]: the foot that has landed is led through its swing to its place and stays there; so does the
//!    other. Now everything before the lifting of step j is settled; what follows the next join may change, and its
//!    feet are held after that.
//! 6. Heights of the ground, and [`Legs::reach_gently`].
//!
//! Frames leave ([`StepEngine::next_frame`]) when the filters need no more of what follows: the knees' rolls and the
//! upper body by Lee and Shin's filter (STRIDE 5.8, 6.2), the reach by its envelope; then joints
//! ([`super::LinearBody::write_pose`]).
//!
//! Departures: the heading of a stance is the mean of the landing step's and the next one's. The paper (5.6) looks one
//! step further, to the step after that, which a walk that answers one step later cannot. Blending in double supports
//! is eased in and out; the paper's is linear. Filters keep their seconds at other frame rates than the paper's 30.
//! Steps are joined over more than their double support, which may be four frames long.

use super::blend::blend_steps;
use super::blend_angles::blend_angles;
use super::choose::{ChooseMemory, choose_steps_with};
use super::fit_root::fit_root;
use super::hold_feet::{FootChange, FootHolder, FootSwing, Standing};
use super::reach::{Legs, SPREAD, envelope};
use super::sole_points::{Ground, cover, lowest_above};
use super::stance_plane::StancePlane;
use super::taken_step::TakenStep;
use super::walk_frame::{Join, WalkFrame, mix};
use super::walk_options::{Method, WalkOptions};
use super::{Choice, LinearFoot, LinearPose, Made, Place, StepDatabase, StepQuery, StepTimes};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use surefoot_geom::{OrientationFilter, Transform, Vec3, rotation, smoothstep, turn_between};
use surefoot_ground::Terrain;
use surefoot_motion::{BodyMap, PerSide, Pose, Side, Skeleton};
use surefoot_plan::{
    Behaviour, FootDown, Footprint, FrameContacts, StepEngine, StepError, StepOrigin, StepOutcome, StepSource,
    StepTask, World, ground_between, refuse_jumps, stand_at_start,
};

/// Shortest double support and swing, in seconds.
const MIN_SUPPORT: f64 = 0.03;
const MIN_SWING: f64 = 0.12;
/// Shortest double support, as a share of the blended steps' own.
const SHORTEST_SHARE: f64 = 0.6;
/// A walk ends on two whole feet: the last double support lasts at least this long, and its foot is flat by the middle
/// of it, or sooner.
const MIN_LAST_SUPPORT: f64 = 0.2;
/// Latest that the last foot is flat after it has landed, in seconds.
const LAST_FLAT: f64 = 0.15;
/// The last foot stands for this many times as long as it takes to come down flat, so that its ball is on its footprint over the
/// middle 60 % of its stance.
const LAST_STANCE: f64 = 6.0;
/// The windows of two double supports leave this share of the swing between them alone.
const MAX_WINDOW: f64 = 0.45;
/// The paper's frame rate, which its filter's mask belongs to.
const FILTER_RATE: f64 = 30.0;

/// Most frames of one step and the double support after it, which are in memory at once: more than five minutes at 60 a
/// second.
const MAX_STEP_FRAMES: f64 = 20_000.0;
/// Deepest that a planted foot may be in a terrain, in metres: what a judge allows.
const MAX_DEPTH: f64 = 0.002;
/// How far above a terrain feet are led in the middle of a swing, in metres.
const CLEARANCE: f64 = 0.008;
/// First and last share of a swing in which that is less, and toes that are in the ground may bend instead.
const NEAR_STANCE: f64 = 0.2;
/// How deep toes may be at the ends of a swing before the foot is raised for them, in metres: bending helps them.
const TOE_SLACK: f64 = 0.015;
/// Longest that a swing takes to come up over something, in seconds.
const RISE: f64 = 0.25;
/// When the pelvis sinks to the height of a lower foot on a terrain: from this share of the swing that leads there to this
/// share of the double support after it.
const SINKS_FROM: f64 = 0.25;
const SINKS_TO: f64 = 0.8;
/// When it rises to that of a higher one: from this share of the swing that leads there to this share of the next swing.
const RISES_FROM: f64 = 0.8;
const RISES_TO: f64 = 0.6;
/// Ground that is this far from a straight line between two footprints, which differ by as much, has edges, in metres.
const EDGE: f64 = 0.1;
/// How far a foot is held back before a higher edge, or led on beyond a lower one, as a share of what is left of its way.
const EDGE_PULL: f64 = 0.9;
/// As reports and errors name the synthesizer.
pub(super) const NAME: &str = "steps";

/// A foot's footprint.
#[derive(Clone, Copy, Debug, Default)]
struct Print {
    ball: Vec3,
    /// What the foot is planted on; on a terrain it is pitched to the ground under the heel when its heading is known.
    plane: StancePlane,
    /// Target of its heading.
    heading: Option<f64>,
    /// Target of the double support after landing.
    support: Option<f64>,
    /// When a standing foot shall leave, in seconds from the first frame.
    leave: Option<f64>,
}

impl Print {
    fn standing(print: &Footprint) -> Print {
        let Footprint { position, normal, heading, support, leave, .. } = *print;
        Print { ball: position, plane: StancePlane::new(position, normal), heading, support, leave }
    }

    fn of(task: &StepTask<'_>) -> Print {
        Print { support: task.timing.support(), leave: None, ..Print::standing(task.print()) }
    }
}

/// A walk in the making.
pub(super) struct StepWalker {
    database: Arc<StepDatabase>,
    options: WalkOptions,
    world: Arc<World>,
    prints: PerSide<Option<Print>>,
    /// The last step, and the footprint that it leads to.
    step: Option<TakenStep>,
    holders: PerSide<FootHolder>,
    /// How each foot was changed when it stood last, and the frame from which on it does not stand.
    leaving: PerSide<FootChange>,
    released: PerSide<Option<usize>>,
    /// Frames below this number have their foot in its place, if it stands.
    held: PerSide<usize>,
    /// The pelvis's height over the level when all is done that is known.
    level: f64,
    /// Of the legs in the last settled frame, before its reach.
    extensions: Option<PerSide<f64>>,
    frames: VecDeque<WalkFrame>,
    /// Number of the first of `frames`.
    first: usize,
    /// Frames below this number are settled, and below `filled` have their turns.
    settled: usize,
    filled: usize,
    /// The next frame to hand out.
    next: usize,
    finished: bool,
    filter: OrientationFilter,
    /// Frames from one entry of the filter's mask to the next.
    stride: usize,
    /// Frames that the envelope looks to either side.
    half: usize,
    upper: Vec<usize>,
    pool: Vec<WalkFrame>,
    spare: Option<TakenStep>,
    memory: ChooseMemory,
    row: Vec<f32>,
    other: LinearPose,
    gap: LinearPose,
    out: WalkFrame,
}

impl Clone for StepWalker {
    /// What is kept for later use only is not copied, but room for it is made, so that frames of the copy cost no memory.
    fn clone(&self) -> StepWalker {
        let mut copy = StepWalker {
            database: self.database.clone(),
            options: self.options,
            world: self.world.clone(),
            prints: self.prints,
            step: self.step.clone(),
            holders: self.holders.clone(),
            leaving: self.leaving,
            released: self.released,
            held: self.held,
            level: self.level,
            extensions: self.extensions,
            frames: self.frames.clone(),
            first: self.first,
            settled: self.settled,
            filled: self.filled,
            next: self.next,
            finished: self.finished,
            filter: self.filter.clone(),
            stride: self.stride,
            half: self.half,
            upper: self.upper.clone(),
            pool: Vec::new(),
            spare: None,
            memory: ChooseMemory::default(),
            row: Vec::new(),
            other: LinearPose::default(),
            gap: LinearPose::default(),
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
            world,
            prints,
            step: None,
            holders: PerSide::from_fn(|side| FootHolder::new(side, rate)),
            leaving: PerSide::default(),
            released: PerSide::default(),
            held: PerSide::default(),
            level: 0.5 * (standing[0].position.y + standing[1].position.y),
            extensions: None,
            frames: VecDeque::new(),
            first: 0,
            settled: 0,
            filled: 0,
            next: 0,
            finished: false,
            filter: OrientationFilter::smoothing(),
            stride: ((rate / FILTER_RATE).round() as usize).max(1),
            half: ((SPREAD * rate).round() as usize).max(1),
            upper,
            pool: Vec::new(),
            spare: None,
            memory: ChooseMemory::default(),
            row: Vec::new(),
            other: LinearPose::default(),
            gap: LinearPose::default(),
            out,
            database,
        };
        for (index, print) in standing.iter().enumerate() {
            walker.check_stance(index, print, print.heading)?;
        }
        Ok(walker)
    }

    /// Takes the next footprint; its step can be looked at in `self.step` after that.
    fn take_footprint(&mut self, task: &StepTask<'_>) -> Result<(), StepError> {
        refuse_jumps(task, NAME)?;
        if task.is_flight {
            return Err(StepError::Unsupported {
                footprint: task.index(),
                what: "a flight",
                synthesizer: NAME,
                instead: "give it a double support (support above 0), or let gait run it",
            });
        }
        let before = self.step.take();
        let step = match self.take_step(task, before.as_ref()) {
            Ok(step) => step,
            Err(error) => {
                self.step = before;
                return Err(error);
            }
        };
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
        self.hold_feet(before.as_ref(), Some(&step), to);
        self.lift_pelvis(before.as_ref(), &step);
        self.settle(before.as_ref(), left, self.settles_at(Some(&step), to));
        self.prints[step.swing] = Some(Print::of(task));
        self.spare = before;
        self.step = Some(step);
        self.make_room();
        Ok(())
    }

    /// Takes the next footprint and returns what its step is blended of.
    pub(super) fn choose_next(&mut self, task: &StepTask<'_>) -> Result<Choice, StepError> {
        self.take_footprint(task)?;
        Ok(self.step.as_ref().expect("a step was taken").choice.clone())
    }

    /// So that frames which leave find room.
    fn make_room(&mut self) {
        self.pool.reserve(self.frames.len());
    }

    /// The first frame at or after a time; a rounding of the time must not cost a landing its frame.
    fn frame_at(&self, time: f64) -> usize {
        (time * self.options.frame_rate - 1e-6).ceil().max(0.0) as usize
    }

    fn time_of(&self, number: usize) -> f64 {
        number as f64 / self.options.frame_rate
    }

    fn frame_mut(&mut self, number: usize) -> &mut WalkFrame {
        &mut self.frames[number - self.first]
    }

    /// 1. and 2.: the step by itself, and when it happens.
    fn take_step(&mut self, task: &StepTask<'_>, before: Option<&TakenStep>) -> Result<TakenStep, StepError> {
        let print = task.print();
        let swing = print.side;
        let [support, from] = [swing.opposite(), swing].map(|side| self.prints[side].expect("both feet stand"));
        let flat = |ball: Vec3| Vec3::new(ball.x, 0.0, ball.z);
        // A foot without a target for its heading points as the step before left it.
        let heading = |side: Side, print: &Print| print.heading.or_else(|| before.map(|step| step.heading_after(side)));
        let place = |side: Side, print: &Print| Place { ball: flat(print.ball), heading: heading(side, print) };
        let targets = self.time_targets(task, before, &support, &from);
        let to = Place { ball: flat(print.position), heading: print.heading };
        let times = [targets.support, targets.swing, task.timing.support()];
        let query = StepQuery::new(swing, place(swing.opposite(), &support), place(swing, &from), to, times);
        let method = self.options.method;
        let choose = method.choose(&self.options.choose);
        let choice = choose_steps_with(&self.database, &query, &choose, &mut self.memory);
        let mut blend = self.spare.take().map(|step| step.blend).unwrap_or_default();
        blend_steps(&self.database, &choice, &mut blend);
        if method == Method::Angles {
            blend_angles(&self.database, &choice, &mut blend);
        }
        if method.leads_body() {
            blend.lead_to(&query, choice.point, self.database.layout().width());
        }
        let start = before.map_or(0.0, |before| before.land);
        let first = before.map_or(blend.times.first, |before| 0.5 * (before.blend.times.last + blend.times.first));
        let (lift, land) = self.lift_and_land(start, first, blend.times.swing, &targets);
        let heights = [support.ball.y, from.ball.y, print.position.y];
        let planes = [from.plane, StancePlane::new(print.position, print.normal)];
        let frame = query.frame;
        let terrain = self.world.terrain.as_ref();
        let unevenness = terrain.map_or(0.0, |terrain| ground_between(terrain, from.ball, print.position).unevenness);
        let yaw = query.yaw();
        let step = TakenStep { blend, choice, swing, frame, yaw, start, lift, land, heights, planes, unevenness };
        self.check_length(task, &step)?;
        self.check_stance(task.index(), print, print.heading.or(Some(step.heading_after(swing))))?;
        Ok(step)
    }

    /// What a step's times shall be. Relative and absolute ones come as one [`surefoot_plan::StepTiming`]; only the first
    /// step has no landing before it to count from, and counts from the first frame.
    fn time_targets(
        &self,
        task: &StepTask<'_>,
        before: Option<&TakenStep>,
        support: &Print,
        from: &Print,
    ) -> TimeTargets {
        let timing = &task.timing;
        let (both_down, interval) = match before {
            Some(step) => (self.prints[step.swing].expect("it has landed").support, timing.interval),
            None => (support.support.or(from.support).or(from.leave), timing.interval.or(task.print().land)),
        };
        let rest = |part: Option<f64>| Some((interval? - part?).max(0.0));
        TimeTargets {
            support: both_down.or_else(|| rest(timing.swing)),
            swing: timing.swing.or_else(|| rest(both_down)),
            interval,
        }
    }

    /// When a step's foot lifts and lands, from the times that the blended steps have and what was asked for.
    fn lift_and_land(&self, start: f64, own_support: f64, own_swing: f64, targets: &TimeTargets) -> (f64, f64) {
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
        // Feet do not roll off at many times their own pace: a short double support takes from the swing, and the landing stays.
        let least = (SHORTEST_SHARE * own_support).max(MIN_SUPPORT);
        let taken = (least - support).clamp(0.0, (swing - MIN_SWING).max(0.0));
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
    fn check_length(&self, task: &StepTask<'_>, step: &TakenStep) -> Result<(), StepError> {
        let seconds = step.land - step.start + self.support_after(task.timing.support(), &step.blend.times);
        if seconds * self.options.frame_rate <= MAX_STEP_FRAMES {
            return Ok(());
        }
        Err(StepError::Unsupported {
            footprint: task.index(),
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
        match (before, step) {
            (Some(before), Some(step)) if number < self.frame_at(step.lift) => {
                let votes = before.sample(layout, time, step.lift, &mut self.row, &mut frame.pose);
                let others = step.sample(layout, time, step.land, &mut self.row, &mut self.other);
                let share = self.join_of(before, step).share(time);
                mix(&mut frame.pose, &self.other, share);
                frame.votes = PerSide::from_fn(|side| {
                    std::array::from_fn(|k| votes[side][k] + share * (others[side][k] - votes[side][k]))
                });
            }
            (_, Some(step)) => frame.votes = step.sample(layout, time, step.land, &mut self.row, &mut frame.pose),
            (Some(before), None) => {
                let last = before.land + self.last_support(before);
                frame.votes = before.sample(layout, time, last, &mut self.row, &mut frame.pose);
                // Nobody leaves, and the foot that has landed comes to lie flat.
                frame.votes[before.swing.opposite()][1] = 1.0;
                if time > before.land + flat_after(last - before.land) {
                    frame.votes[before.swing][1] = 1.0;
                }
            }
            (None, None) => unreachable!("a frame is of some step"),
        }
        self.frames.push_back(frame);
    }

    fn join_of(&self, before: &TakenStep, step: &TakenStep) -> Join {
        let window = self.options.join_window;
        Join {
            from: step.start - window.min(MAX_WINDOW * (before.land - before.lift)),
            to: step.lift + window.min(MAX_WINDOW * (step.land - step.lift)),
        }
    }

    /// 3., the rest: what two steps differ by at the ends of their double support fades out into both.
    fn join(&mut self, before: &TakenStep, step: &TakenStep) {
        let join = self.join_of(before, step);
        let (from, to) = (self.frame_at(join.from).max(self.settled), self.frame_at(join.to));
        let to = to.min(self.first + self.frames.len());
        self.spread(before, step, step.start, |time| join.share(time), from..self.frame_at(step.start));
        self.spread(before, step, step.lift, |time| join.share(time) - 1.0, self.frame_at(step.lift)..to);
    }

    /// Adds a share of the way from one step to the next at a time to some frames, whose feet are not held yet.
    fn spread(
        &mut self,
        before: &TakenStep,
        step: &TakenStep,
        at: f64,
        share: impl Fn(f64) -> f64,
        frames: std::ops::Range<usize>,
    ) {
        let layout = self.database.layout();
        let mut gap = std::mem::take(&mut self.gap);
        let _ = before.sample(layout, at, step.lift, &mut self.row, &mut gap);
        let _ = step.sample(layout, at, step.land, &mut self.row, &mut self.other);
        let turns = PerSide::from_fn(|side| {
            rotation::log_map(self.other.feet[side].rotation * gap.feet[side].rotation.conjugate())
        });
        let rolls = PerSide::from_fn(|side| turn_between(gap.feet[side].knee_roll, self.other.feet[side].knee_roll));
        let balls = PerSide::from_fn(|side| self.other.feet[side].ball - gap.feet[side].ball);
        let pelvis = self.other.pelvis.translation - gap.pelvis.translation;
        let pelvis_turn = rotation::log_map(self.other.pelvis.rotation * gap.pelvis.rotation.conjugate());
        for (from, to) in gap.others.iter_mut().zip(&self.other.others) {
            *from = *to - *from;
        }
        let rate = self.options.frame_rate;
        for (number, frame) in
            frames.clone().zip(self.frames.range_mut(frames.start - self.first..frames.end - self.first))
        {
            let share = share(number as f64 / rate);
            frame.pose.pelvis.translation += pelvis * share;
            frame.pose.pelvis.rotation = rotation::exp_map(pelvis_turn * share) * frame.pose.pelvis.rotation;
            for side in Side::BOTH {
                let foot = &mut frame.pose.feet[side];
                foot.knee_roll += share * rolls[side];
                foot.ball += balls[side] * share;
                foot.rotation = (rotation::exp_map(turns[side] * share) * foot.rotation).normalize();
            }
            for (vector, gap) in frame.pose.others.iter_mut().zip(&gap.others) {
                *vector += *gap * share;
            }
        }
        self.gap = gap;
    }

    /// 4.: the pelvis around the double support of two steps.
    fn fit_root(&mut self, before: &TakenStep, step: &TakenStep) {
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

    /// 5.: feet that land, stand and leave.
    fn hold_feet(&mut self, before: Option<&TakenStep>, step: Option<&TakenStep>, to: usize) {
        if !self.options.method.holds_feet() {
            return;
        }
        let from = before.map_or(0, |before| self.frame_at(before.land));
        for side in Side::BOTH {
            let lands = before.is_none_or(|before| before.swing == side);
            let lift = step.filter(|step| step.swing == side).map(|step| self.frame_at(step.lift));
            let until = lift.unwrap_or(to);
            if lands {
                self.put_ball_down(side, from..until, lift.is_none());
                let landing = self.arrive(side, before, step, from..until);
                if let Some(before) = before {
                    self.lead_swing(before, landing);
                }
                self.held[side] = from;
            }
            // A foot that rolled off stays after all where the other one swings again.
            let stays = step.is_some() && lift.is_none();
            if lands || stays {
                self.released[side] = None;
            }
            if self.released[side].is_none() {
                // Not before the other foot is in the air.
                let earliest = step.filter(|_| stays).map_or(from, |step| self.frame_at(step.lift));
                self.released[side] = self.roll_off(side, from..until, lands, earliest).or(lift);
            }
        }
        let end = self.settles_at(step, to);
        for side in Side::BOTH {
            self.stand(side, end);
            if let (None, Some(released)) = (step, self.released[side]) {
                // It rolls over its toes, and the walk ends before it swings.
                let change = self.leaving[side];
                for frame in self.frames.range_mut(released - self.first..to - self.first) {
                    change.apply(&mut frame.pose.feet[side]);
                }
            }
        }
    }

    /// The frame before which everything is settled once a step is taken: from the lifting of its foot on the next one
    /// may change it.
    fn settles_at(&self, step: Option<&TakenStep>, to: usize) -> usize {
        step.map_or(to, |step| self.released[step.swing].unwrap_or_else(|| self.frame_at(step.lift)))
    }

    /// Every stance has a ball that stands: where the blended steps agree on it too late or never, from the middle of
    /// the frames in which the foot supports, or from the first frame of a foot that leaves. At a few frames a second
    /// there may be none.
    fn put_ball_down(&mut self, side: Side, frames: std::ops::Range<usize>, supports: bool) {
        if frames.is_empty() {
            return;
        }
        let middle = if supports { (frames.start + frames.end) / 2 } else { frames.start };
        let stands = |frame: &WalkFrame| frame.votes[side][1] > STANDS;
        if self.frames.range(frames.start - self.first..=(middle - self.first)).any(stands) {
            return;
        }
        for frame in self.frames.range_mut(middle - self.first..frames.end - self.first) {
            if stands(frame) {
                break;
            }
            frame.votes[side][1] = 1.0;
        }
    }

    /// When the blended steps stand neither on their heels nor on their balls any more: they roll over their toes. Not
    /// before their balls have stood.
    fn roll_off(&self, side: Side, frames: std::ops::Range<usize>, lands: bool, earliest: usize) -> Option<usize> {
        let votes = |number: usize| self.frames[number - self.first].votes[side];
        let stood = if lands { frames.clone().find(|&number| votes(number)[1] > STANDS)? } else { frames.start };
        let longest = (TOES_STAND * self.options.frame_rate).round() as usize;
        let from = (stood + 1).max(frames.end.saturating_sub(longest)).max(earliest);
        (from..frames.end).find(|&number| votes(number).iter().sum::<f64>() <= STANDS)
    }

    fn arrive(
        &mut self,
        side: Side,
        before: Option<&TakenStep>,
        step: Option<&TakenStep>,
        frames: std::ops::Range<usize>,
    ) -> FootChange {
        let print = self.prints[side].expect("both feet stand");
        let landed = before.map(|before| before.heading_after(side));
        let next = step.map(|step| step.heading_before(side));
        let own = match (landed, next) {
            (Some(landed), Some(next)) => landed + 0.5 * turn_between(landed, next),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => 0.0,
        };
        let weight = self.options.heading_weight;
        let heading = print.heading.map_or(own, |target| own + weight * turn_between(own, target));
        if let Some(terrain) = &self.world.terrain {
            let plane = print.plane.on_terrain(self.database.body(), side, heading, terrain);
            self.prints[side] = Some(Print { plane, ..print });
        }
        let ball = Vec3::new(print.ball.x, 0.0, print.ball.z);
        let range = frames.start - self.first..frames.end - self.first;
        let body = self.database.body();
        let seen = self.frames.range(range).map(|frame| (frame.pose.feet[side], voted(frame.votes[side], false)));
        self.holders[side].arrive(body, Standing { ball, heading }, &seen)
    }

    fn lead_swing(&mut self, before: &TakenStep, landing: FootChange) {
        let to = self.frame_at(before.land);
        let from = self.released[before.swing].unwrap_or(to);
        let rate = self.options.frame_rate;
        let duration = (to - from + 1) as f64 / rate;
        let swing = FootSwing { leaving: self.leaving[before.swing], landing, duration };
        for number in from..to {
            swing.lead((number - from + 1) as f64 / rate, &mut self.frame_mut(number).pose.feet[before.swing]);
        }
    }

    /// Holds a foot for as long as it stands, but not from frame `end` on.
    fn stand(&mut self, side: Side, end: usize) {
        let from = self.held[side];
        let to = self.released[side].map_or(end, |released| released.min(end)).max(from);
        self.held[side] = to;
        let body = self.database.body();
        let print = self.prints[side].expect("both feet stand");
        let holder = &mut self.holders[side];
        let leaving = &mut self.leaving[side];
        for frame in self.frames.range_mut(from - self.first..to - self.first) {
            let votes = voted(frame.votes[side], holder.was_flat());
            let foot = &mut frame.pose.feet[side];
            (*leaving, frame.contacts.down[side]) = holder.hold(body, foot, votes);
            frame.contacts.balls[side] = print.ball;
            frame.contacts.heels[side] = print.plane.place(holder.heel());
        }
    }

    /// 6.: the pelvis goes over from the height of one supporting foot to that of the next.
    fn lift_pelvis(&mut self, before: Option<&TakenStep>, step: &TakenStep) {
        let change = step.heights[0] - self.level;
        let (from, to) = match before {
            Some(before) => self.lift_window(before, step, change),
            None => (0.0, step.middle()),
        };
        self.add_lift(from, to, change);
    }

    /// When the pelvis rises or sinks between two steps. It is above the supporting foot in the middle of each swing where
    /// nothing else is known. On a terrain it sinks before the lower foot lands, which its leg would not reach else, and
    /// rises when the lower foot has done its part.
    fn lift_window(&self, before: &TakenStep, step: &TakenStep, change: f64) -> (f64, f64) {
        if self.world.terrain.is_none() {
            return (before.middle(), step.middle());
        }
        let at = |from: f64, to: f64, share: f64| from + share * (to - from);
        if change < 0.0 {
            (at(before.lift, before.land, SINKS_FROM), at(step.start, step.lift, SINKS_TO))
        } else {
            (at(before.lift, before.land, RISES_FROM), at(step.lift, step.land, RISES_TO))
        }
    }

    /// Adds a change of the pelvis's height that is complete from a time on.
    fn add_lift(&mut self, from: f64, to: f64, change: f64) {
        let (from, to) = (self.frame_at(from).max(self.settled), self.frame_at(to));
        for number in from..self.first + self.frames.len() {
            let share = (number - from) as f64 / to.saturating_sub(from).max(1) as f64;
            self.frame_mut(number).lift += change * smoothstep(share);
        }
        self.level += change;
    }

    /// Feet get the ground that they are over, and everything before frame `end` is done but for the filters. `before`
    /// swings its foot in those frames, from frame `left` on.
    fn settle(&mut self, before: Option<&TakenStep>, left: Option<usize>, end: usize) {
        let swing = before.map(|step| {
            let from = left.unwrap_or(0).clamp(self.settled, end.max(self.settled));
            (step, from..self.frame_at(step.land).clamp(from, end.max(from)))
        });
        self.lay_feet(swing.as_ref(), end);
        if self.options.method.holds_feet() {
            if let Some((step, frames)) = swing.clone() {
                self.clear_swing(step, frames);
            }
            self.bend_toes(swing.as_ref(), end);
        }
        let database = self.database.clone();
        for number in self.settled..end {
            let frame = &mut self.frames[number - self.first];
            let legs = Legs::new(database.body(), &frame.pose, &frame.rotations);
            let extensions = legs.extensions();
            let before = self.extensions.replace(extensions).unwrap_or(extensions);
            let speeds = PerSide::from_fn(|side| (extensions[side] - before[side]).abs() * self.options.frame_rate);
            frame.reach = legs.reach_gently(&speeds);
        }
        self.settled = self.settled.max(end);
        self.fill_turns();
    }

    /// Pelvis and feet from the level to where they are.
    fn lay_feet(&mut self, swing: Option<&(&TakenStep, Range<usize>)>, end: usize) {
        let database = self.database.clone();
        if let Some((step, frames)) = swing {
            self.shape_swing(step, frames.clone());
        }
        for number in self.settled..end {
            let (prints, time) = (self.prints, self.time_of(number));
            let landing = swing.map(|(step, _)| prints[step.swing].expect("it has landed").plane);
            let frame = &mut self.frames[number - self.first];
            frame.pose.pelvis.translation.y += frame.lift;
            for side in Side::BOTH {
                let foot = &mut frame.pose.feet[side];
                match swing {
                    Some((step, frames)) if step.swing == side && frames.contains(&number) => {
                        swing_over(step, &landing.unwrap_or_default(), time, foot);
                    }
                    _ => prints[side].unwrap_or_default().plane.lay(foot),
                }
            }
            database.body().rotations(&frame.pose, &mut frame.rotations);
        }
    }

    /// Edges between two footprints: a foot goes up before it goes on, and on before it goes down.
    fn shape_swing(&mut self, step: &TakenStep, frames: Range<usize>) {
        let (side, rise) = (step.swing, step.heights[2] - step.heights[1]);
        let most = EDGE_PULL * (step.unevenness / EDGE).min(1.0) * (rise.abs() / EDGE).min(1.0);
        let last = self.first + self.frames.len() - 1;
        if most == 0.0 || frames.is_empty() || frames.end > last {
            return;
        }
        let ball_at = |number: usize| self.frames[number - self.first].pose.feet[side].ball;
        // Frames before the swing are laid already; only their place over the ground counts.
        let ends = [ball_at(frames.start.saturating_sub(1).max(self.first)), ball_at(frames.end)];
        let n = frames.len() as f64;
        for (index, number) in frames.enumerate() {
            let share = (index + 1) as f64 / (n + 1.0);
            let (to, pull) = match rise > 0.0 {
                true => (ends[0], 1.0 - smoothstep((share - 0.05) / 0.45)),
                false => (ends[1], smoothstep((share - 0.25) / 0.4)),
            };
            let ball = &mut self.frame_mut(number).pose.feet[side].ball;
            let pulled = ball.lerp(to, most * pull);
            *ball = Vec3::new(pulled.x, ball.y, pulled.z);
        }
    }

    /// Raises a swinging foot where heel, ball or toe tip would be too low.
    fn clear_swing(&mut self, step: &TakenStep, frames: Range<usize>) {
        let (database, world, side) = (self.database.clone(), self.world.clone(), step.swing);
        let (body, n) = (database.body(), frames.len());
        let planes = [step.planes[0], self.prints[side].expect("it has landed").plane];
        let ground = ground_under(world.terrain.as_ref(), &planes);
        let room = if world.terrain.is_some() { CLEARANCE } else { 0.0 };
        let needed: Vec<f64> = frames
            .clone()
            .enumerate()
            .map(|(index, number)| {
                let frame = &self.frames[number - self.first];
                let near = (index + 1).min(n - index) as f64 / (NEAR_STANCE * n as f64).max(1.0);
                let (toes, middle) = (body.toes(side), near.min(1.0));
                let points = body.sole_points(side, &frame.pose.feet[side], toes.rotation(&frame.rotations));
                let drop = toes.drop() + TOE_SLACK * (1.0 - middle);
                room * middle - lowest_above(&points, drop, &ground)
            })
            .collect();
        let widest = ((RISE * self.options.frame_rate).round() as usize).max(1);
        for (number, raise) in frames.zip(cover(&needed, widest)) {
            self.frame_mut(number).pose.feet[side].ball.y += raise;
        }
    }

    /// Toes of both feet out of the ground.
    fn bend_toes(&mut self, swing: Option<&(&TakenStep, Range<usize>)>, end: usize) {
        let (database, world) = (self.database.clone(), self.world.clone());
        let body = database.body();
        for side in Side::BOTH {
            let toes = body.toes(side);
            let Some(joint) = toes.joint else { continue };
            let plane = self.prints[side].unwrap_or_default().plane;
            for number in self.settled..end {
                let from = match swing {
                    Some((step, frames)) if step.swing == side && frames.contains(&number) => step.planes[0],
                    _ => plane,
                };
                let planes = [from, plane];
                let ground = ground_under(world.terrain.as_ref(), &planes);
                let frame = self.frame_mut(number);
                toes.bend_out(&frame.pose.feet[side], &mut frame.rotations[joint], &ground);
            }
        }
    }

    /// The turns of the upper body from each settled frame to the one a filter step ahead.
    fn fill_turns(&mut self) {
        while self.filled + self.stride < self.settled {
            let (here, ahead) = (self.filled - self.first, self.filled + self.stride - self.first);
            let mut turns = std::mem::take(&mut self.frames[here].turns);
            turns.clear();
            let (now, then) = (&self.frames[here].rotations, &self.frames[ahead].rotations);
            turns.extend(self.upper.iter().map(|&joint| rotation::log_map(now[joint].conjugate() * then[joint])));
            self.frames[here].turns = turns;
            self.filled += 1;
        }
    }

    /// Filters a frame and turns it into joints.
    fn write_frame(&mut self, number: usize, pose: &mut Pose) -> FrameContacts {
        let last = self.settled - 1;
        let at = |offset: isize| {
            &self.frames[(number as isize + offset).clamp(self.first as isize, last as isize) as usize - self.first]
        };
        let here = at(0);
        let out = &mut self.out;
        (out.pose.pelvis, out.pose.feet) = (here.pose.pelvis, here.pose.feet);
        out.pose.others.clone_from(&here.pose.others);
        out.rotations.clone_from(&here.rotations);
        let stride = self.stride as isize;
        for (index, &joint) in self.upper.iter().enumerate() {
            let turn = self.filter.response(|m| {
                let from = number as isize + m * stride;
                let known = from >= self.first as isize && from < self.filled as isize;
                if known { self.frames[from as usize - self.first].turns[index] } else { Vec3::ZERO }
            });
            out.rotations[joint] = here.rotations[joint] * rotation::exp_map(turn);
        }
        for side in Side::BOTH {
            let own = here.pose.feet[side].knee_roll;
            let turn = |m: isize| turn_between(own, at(m * stride).pose.feet[side].knee_roll);
            out.pose.feet[side].knee_roll = own + (turn(-2) + 4.0 * turn(-1) + 4.0 * turn(1) + turn(2)) / 16.0;
        }
        out.pose.pelvis.translation += envelope(self.half, |k| at(k).reach);
        let body = self.database.body();
        // The envelope is smooth, and may be short of a move to the side.
        let rest = Legs::new(body, &out.pose, &out.rotations).reach_barely();
        out.pose.pelvis.translation += rest;
        body.write_pose(&out.pose, &out.rotations, pose);
        here.contacts
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

/// How long the last foot takes to come down flat, in a double support of some seconds.
fn flat_after(last_support: f64) -> f64 {
    (0.5 * last_support).min(LAST_FLAT)
}

/// Share of the blended steps that must stand for their blend to stand: more than half, so that feet are let go before
/// they are fast.
const STANDS: f64 = 0.75;

/// Longest that feet roll over their toes before the other foot lands, in seconds.
const TOES_STAND: f64 = 0.15;

/// What the blended steps say stands. A ball that has stood, with its heel, leaves before the heel only where nearly
/// all do so.
fn voted([heel, ball]: [f64; 2], was_flat: bool) -> FootDown {
    let stays = was_flat && ball > 1.0 - STANDS;
    FootDown { heel: heel > STANDS, ball: ball > STANDS || heel <= STANDS || stays }
}

/// A swinging foot from the level to over its way from one plane to another: it rises early and sinks late, so that it
/// clears edges.
fn swing_over(step: &TakenStep, to: &StancePlane, time: f64, foot: &mut LinearFoot) {
    let (from, rise) = (&step.planes[0], to.ball.y - step.planes[0].ball.y);
    let share = step.swing_share(time);
    let along = if rise > 0.0 { share / 0.7 } else { (share - 0.3) / 0.7 };
    from.lay_between(to, smoothstep(along), smoothstep(share), foot);
    foot.ball.y += 0.25 * rise.abs() * (std::f64::consts::PI * share).sin().powi(2);
}

/// What a foot must stay out of on its way from one plane to another.
fn ground_under<'a>(terrain: Option<&'a Terrain>, planes: &'a [StancePlane; 2]) -> Ground<'a> {
    terrain.map_or(Ground::Planes(&planes[0], &planes[1]), Ground::Terrain)
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
        self.take_footprint(task)?;
        let step = self.step.as_ref().expect("a step was taken");
        Ok(outcome(&self.database, task, step))
    }

    /// Both feet stay down for the last step's double support.
    fn finish(&mut self) {
        if self.finished {
            return;
        }
        self.finished = true;
        let Some(step) = self.step.take() else { return };
        let last = self.last_support(&step);
        let at_rest = self.frame_at(step.land + last) + 1;
        let to = at_rest.max(self.frame_at(step.land + LAST_STANCE * flat_after(last)));
        for number in self.first + self.frames.len()..to {
            self.add_frame(number, Some(&step), None);
        }
        let left = self.released[step.swing];
        self.hold_feet(Some(&step), None, to);
        let [support, _, landed] = step.heights;
        self.add_lift(step.middle(), self.time_of(at_rest), 0.5 * (landed - support));
        self.settle(Some(&step), left, to);
        self.step = Some(step);
        self.make_room();
    }

    fn next_frame(&mut self, pose: &mut Pose) -> Option<FrameContacts> {
        let around = (self.filter.reach() * self.stride).max(2 * self.half);
        let ready = if self.finished { self.settled } else { self.settled.saturating_sub(around) };
        if self.next >= ready {
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

/// What became of a footprint.
fn outcome(database: &StepDatabase, task: &StepTask<'_>, step: &TakenStep) -> StepOutcome {
    let choice = &step.choice;
    let mut parts = choice.parts().to_vec();
    parts.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let source = |part: &super::WeightedStep| StepSource {
        name: database.steps()[part.step].source.name(),
        weight: part.weight,
    };
    StepOutcome {
        footprint: task.index(),
        behaviour: task.print().behaviour.unwrap_or(Behaviour::Walk),
        origin: match choice.made {
            Made::Inside => StepOrigin::Blended,
            Made::Extrapolated => StepOrigin::Extrapolated,
            Made::Led => StepOrigin::IkCorrected,
        },
        lift: step.lift,
        land: step.land,
        sources: parts.iter().map(source).collect(),
        outside: choice.outside,
    }
}
