//! The engine of [`super::Steps`]: footprints go in one at a time, frames come out one step later.
//!
//! Reference: STRIDE chapter 5 and 6.2. A plan that is known to its end differs from one that comes footprint by footprint only in
//! which steps are chosen (`choose_plan`).
//!
//! What happens when a footprint comes in, and with it step j:
//!
//! 1. `take_step`, with what `look_ahead` has chosen: the step by itself, in its supporting frame.
//! 2. Its times: the double support before it is shared with the step before; soft targets of the plan count as much as
//!    they weigh.
//! 3. `make_frames`: frames from the double support to its landing: in the double support blended with the step before; what both
//!    differ by at its ends fades out into either (`join`).
//! 4. `fit_root` around the double support.
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

use super::choose::ChooseMemory;
use super::join_steps::Gap;
use super::lock_feet::{FootLock, PlantEnd};
use super::look_ahead::PlannedChoice;
use super::reach::{FIT_SPREAD, HEEL_SPREAD, SPREAD};
use super::soften_knees;
use super::stance_plane::StancePlane;
use super::taken_step::TakenStep;
use super::walk_frame::WalkFrame;
use super::walk_options::WalkOptions;
use super::{LinearPose, Made, StepDatabase, Style};
use std::collections::VecDeque;
use std::sync::Arc;
use surefoot_geom::{OrientationFilter, Vec3};
use surefoot_motion::{BodyMap, PerSide, Pose, Side, Skeleton};
use surefoot_plan::{
    Behaviour, Footprint, FrameContacts, StepEngine, StepError, StepOrigin, StepOutcome, StepSource, StepTask,
    StepTiming, World, refuse_jumps, stand_at_start,
};

/// The paper's frame rate, which its filter's mask belongs to.
const FILTER_RATE: f64 = 30.0;

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
    pub(super) fn standing(print: &Footprint) -> Print {
        let Footprint { position, normal, heading, support, leave, .. } = *print;
        Print { ball: position, plane: StancePlane::new(position, normal), heading, support, leave }
    }

    pub(super) fn of(fall: &Footfall) -> Print {
        Print { support: fall.timing.support(), leave: None, ..Print::standing(&fall.print) }
    }
}

/// A footprint to step to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footfall {
    pub(super) index: usize,
    pub(super) print: Footprint,
    pub(super) timing: StepTiming,
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
    pub(super) fn check(task: &StepTask<'_>) -> Result<Footfall, StepError> {
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
    pub(super) fn take_footprint(&mut self, task: &StepTask<'_>) -> Result<(), StepError> {
        let fall = StepWalker::check(task)?;
        let before = self.step.take();
        let step = self.take_step(&fall, before.as_ref(), None);
        self.step = before;
        self.walk_step(&fall, step?);
        Ok(())
    }

    /// Makes the frames of a step, after which it is chosen for good.
    pub(super) fn walk_step(&mut self, fall: &Footfall, step: TakenStep) {
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

    /// So that frames which leave find room.
    pub(super) fn make_room(&mut self) {
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

/// What became of a footprint.
pub(super) fn outcome(database: &StepDatabase, fall: &Footfall, step: &TakenStep) -> StepOutcome {
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
