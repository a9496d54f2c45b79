//! Footprints in, frames out: the one interface of every synthesizer that steps from footprint to footprint.
//!
//! A [`Synthesizer`] starts a [`Stepper`] on two standing feet in a [`World`]. The stepper checks each footprint with the one
//! [`PlanChecker`], hands it to the synthesizer's [`StepEngine`], and gives out frames as they become final.
//!
//! ```text
//!   push(footprint) --> checker --> engine.push --> outcome: when it lifts and lands, how the step was made
//!   next_frame(pose) <------------- engine: frames that no later footprint changes
//!   replace_from(k, ..)             back to the checkpoint before k, then push
//! ```
//!
//! Editing: a checkpoint (a copy of the engine) is kept before every few footprints, so that replacing footprint `k` solves
//! again from there and not from the start. Frames that footprint `k` cannot have changed are not given out again. Footprints
//! after the change that stay as they were are solved when frames of them are asked for: what an editor pays for an edit in the
//! middle is a few steps, however long the walk is.
//!
//! Memory: frames that were made and not read are kept once (`made_frames`); checkpoints are without them.
//!
//! Guarantees: `push`, `replace_from` and `finish` leave the stepper as it was if they fail. The same footprints give the same
//! frames and outcomes whether they are pushed at once, one by one or after edits. `next_frame` allocates nothing, but where it
//! solves what an edit left for later.

use crate::check_plan::{PlanChecker, PlanError};
use crate::jump_pattern::JumpPattern;
use crate::step_timing::{StepTiming, step_timing};
use crate::world::World;
use std::sync::Arc;
use surefoot_contact::{Behaviour, Contacts, FootPart, FootPlan, Footprint};
use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, PerSide, Pose, Side, Skeleton};

use made_frames::MadeFrames;

mod made_frames;
#[cfg(test)]
mod tests;

/// What makes motion of footprints: recorded steps, procedural gait.
pub trait Synthesizer {
    /// Its name in reports: `steps`, `gait`.
    fn name(&self) -> &'static str;

    /// Frames per second of what it makes.
    fn frame_rate(&self) -> f64;

    /// A plan that is known to its end, as it is best pushed: with what depends on where it stops. By default as it is.
    fn prepare(&self, plan: &FootPlan) -> FootPlan {
        plan.clone()
    }

    /// Someone who stands on two footprints, one of each foot, and will step when footprints are pushed.
    fn start(&self, world: Arc<World>, standing: [Footprint; 2]) -> Result<Stepper, StepError>;

    /// The same for a plan that is known to its end, whose footprints will be pushed. By default nothing is made of that.
    fn start_plan(&self, world: Arc<World>, plan: &FootPlan) -> Result<Stepper, StepError> {
        let [first, second, ..] = plan.footprints[..] else {
            return Err(StepError::NoSteps { found: plan.footprints.len() });
        };
        self.start(world, [first, second])
    }
}

/// What of a foot is planted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FootContact {
    /// The heel.
    pub heel: bool,
    /// The ball.
    pub ball: bool,
}

impl FootContact {
    /// Whether any of it is.
    pub fn any(self) -> bool {
        self.heel || self.ball
    }

    /// Whether heel and ball are: the foot lies flat.
    pub fn flat(self) -> bool {
        self.heel && self.ball
    }
}

/// What is planted in a frame, and where.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameContacts {
    /// What of each foot is planted.
    pub feet: PerSide<FootContact>,
    /// Where each foot's ball is planted, or was last.
    pub balls: PerSide<Vec3>,
    /// Where each foot's heel is planted, or was last.
    pub heels: PerSide<Vec3>,
}

impl FrameContacts {
    /// Adds what is planted in a frame to contacts that hold all frames before it.
    pub fn mark(&self, contacts: &mut Contacts, frame: usize) {
        for side in Side::BOTH {
            let foot = self.feet[side];
            let parts = [(FootPart::Heel, foot.heel, self.heels[side]), (FootPart::Ball, foot.ball, self.balls[side])];
            for (part, _, position) in parts.into_iter().filter(|(_, planted, _)| *planted) {
                contacts.mark(side, part, frame, position);
            }
        }
    }
}

/// How a step was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepOrigin {
    /// The feet were there from the start.
    Standing,
    /// Recorded steps that span the footprint were blended.
    Blended,
    /// It lies outside of the recorded steps, which were extrapolated.
    Extrapolated,
    /// Recorded steps that span the footprint were blended, but none of them goes up or down like that: the height was made up.
    HeightExtrapolated,
    /// The nearest recorded step was brought to the footprint by inverse kinematics.
    IkCorrected,
    /// It was made from parameters alone.
    Procedural,
}

impl StepOrigin {
    /// Those of steps that are made of recorded ones, in the order in which they are printed.
    pub const RECORDED: [StepOrigin; 4] =
        [StepOrigin::Blended, StepOrigin::HeightExtrapolated, StepOrigin::Extrapolated, StepOrigin::IkCorrected];

    /// As reports have it.
    pub fn name(self) -> &'static str {
        match self {
            StepOrigin::Standing => "standing",
            StepOrigin::Blended => "blended",
            StepOrigin::Extrapolated => "extrapolated",
            StepOrigin::HeightExtrapolated => "height-extrapolated",
            StepOrigin::IkCorrected => "ik-corrected",
            StepOrigin::Procedural => "procedural",
        }
    }
}

/// A recorded step in a blend, and how much of it there is.
#[derive(Clone, Debug, PartialEq)]
pub struct StepSource {
    /// Where it was recorded, in words.
    pub name: Arc<str>,
    /// Weights of a blend sum to 1.
    pub weight: f64,
}

/// What becomes of a footprint, known when it is accepted; of an engine that looks ahead, later footprints may change it as
/// long as no frame of the step was given out. Seconds from the first frame.
#[derive(Clone, Debug, PartialEq)]
pub struct StepOutcome {
    /// Its number in the plan, from 0.
    pub footprint: usize,
    /// What is done to come there.
    pub behaviour: Behaviour,
    /// How.
    pub origin: StepOrigin,
    /// When the foot lifts from its footprint before.
    pub lift: f64,
    /// When it lands.
    pub land: f64,
    /// The recorded steps, heaviest first; none for procedural steps.
    pub sources: Vec<StepSource>,
    /// How far the footprint lies outside of what is recorded, in metres; 0 within.
    pub outside: f64,
    /// How far the heights of the recorded steps are from what is asked for, in metres; 0 where these are recorded.
    pub height_outside: f64,
    /// Of a jump: the feet that it takes off from and lands on.
    pub jump: Option<JumpPattern>,
}

/// Why a footprint or a plan is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// It breaks the rules of plans.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The synthesizer does not do that.
    #[error("footprints[{footprint}] asks for {what}, which {synthesizer} does not do; {instead}")]
    Unsupported {
        /// Which.
        footprint: usize,
        /// What is asked for.
        what: &'static str,
        /// Who cannot.
        synthesizer: &'static str,
        /// What would do.
        instead: &'static str,
    },
    /// What leads to a footprint contradicts it, or is not known.
    #[error("{problem}")]
    Behaviour {
        /// Which.
        footprint: usize,
        /// What is wrong, with the footprint's number, and what would do.
        problem: String,
    },
    /// A leap that nobody makes.
    #[error(
        "footprints[{footprint}] takes a leap of {speed:.1} m/s upward; {limit:.1} m/s is the most. \
         Put it nearer or lower"
    )]
    Leap {
        /// Where it lands.
        footprint: usize,
        /// Upward at take-off, in metres a second.
        speed: f64,
        /// The fastest.
        limit: f64,
    },
    /// A flight along the ground that nobody makes.
    #[error(
        "footprints[{footprint}] takes a flight of {speed:.1} m/s along the ground, {limit:.1} m/s is the most from there. \
         Put it nearer, give it more time in the air, or take off from a run"
    )]
    LeapAlong {
        /// Where it lands.
        footprint: usize,
        /// In metres a second.
        speed: f64,
        /// The fastest.
        limit: f64,
    },
    /// A running step to the side or backward that nobody runs.
    #[error(
        "footprints[{footprint}] asks for a running step of {length:.2} m, {degrees:.0} degrees off where the body faces; sideways and \
         backward {limit:.2} m is the most. Put it nearer, turn the feet along the way, or walk there"
    )]
    RunsAside {
        /// Which.
        footprint: usize,
        /// From the other foot, in metres.
        length: f64,
        /// Between where it leads and where the body faces.
        degrees: f64,
        /// The longest.
        limit: f64,
    },
    /// A foot that is planted here would be in the ground: an edge or a bump blocks it.
    #[error(
        "footprints[{footprint}]: heel or toes of the foot planted there would be {:.0} mm in the ground; move it away \
         from the edge, or turn it",
        1000.0 * depth
    )]
    InGround {
        /// Which.
        footprint: usize,
        /// Metres.
        depth: f64,
    },
    /// An option is out of its range.
    #[error("{what} is {value}; it must be from {min} to {max}")]
    Option {
        /// Which.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The least.
        min: f64,
        /// The most.
        max: f64,
    },
    /// More frames than memory should hold.
    #[error("the motion would have more than {limit} frames; take a lower frame rate or cut the plan in parts")]
    TooLong {
        /// The most.
        limit: usize,
    },
    /// Nothing to step to.
    #[error("a plan has at least three footprints, the standing feet and one step; this one has {found}")]
    NoSteps {
        /// How many there are.
        found: usize,
    },
    /// A footprint that is not there to be replaced, or one of the standing feet.
    #[error(
        "footprints[{footprint}] cannot be replaced: this stepper has {n_footprints} footprints, and the first two, the \
         standing feet, are those it was started on"
    )]
    NoSuchFootprint {
        /// As asked.
        footprint: usize,
        /// How many there are.
        n_footprints: usize,
    },
    /// Pushed after the end.
    #[error("footprints[{footprint}] comes after the motion was finished; `replace_from` reopens it")]
    Finished {
        /// Its number.
        footprint: usize,
    },
}

impl StepError {
    /// The footprint that is wrong, numbered from 0; `None` where it is something else.
    pub fn footprint(&self) -> Option<usize> {
        match self {
            StepError::Plan(error) => error.footprint(),
            StepError::Unsupported { footprint, .. }
            | StepError::Behaviour { footprint, .. }
            | StepError::Leap { footprint, .. }
            | StepError::LeapAlong { footprint, .. }
            | StepError::RunsAside { footprint, .. }
            | StepError::InGround { footprint, .. }
            | StepError::NoSuchFootprint { footprint, .. }
            | StepError::Finished { footprint } => Some(*footprint),
            StepError::Option { .. } | StepError::TooLong { .. } | StepError::NoSteps { .. } => None,
        }
    }
}

/// A step to be made, as an engine sees it.
#[derive(Clone, Copy, Debug)]
pub struct StepTask<'a> {
    /// All footprints so far; the last is the one to come to.
    pub prints: &'a [Footprint],
    /// What its times shall be.
    pub timing: StepTiming,
    /// Whether the plan and the unspecified gait make it a flight.
    pub is_flight: bool,
    /// Whether that is a jump or a hop rather than a running step.
    pub is_jump: bool,
}

impl StepTask<'_> {
    /// The number of the footprint.
    pub fn index(&self) -> usize {
        self.prints.len() - 1
    }

    /// The footprint.
    pub fn print(&self) -> &Footprint {
        &self.prints[self.index()]
    }
}

/// What a synthesizer does for a stepper. Footprints that arrive here have passed the checker.
pub trait StepEngine: Send + Sync {
    /// Whose poses [`StepEngine::next_frame`] writes.
    fn skeleton(&self) -> &Arc<Skeleton>;
    /// Which joint of it is which.
    fn body(&self) -> &BodyMap;
    /// Frames a second.
    fn frame_rate(&self) -> f64;
    /// Makes the step to a footprint. Leaves the engine as it was if it fails.
    fn push(&mut self, task: &StepTask<'_>) -> Result<StepOutcome, StepError>;
    /// What becomes of the last footprints as of now, in their order, where the last one pushed may have changed what was
    /// reported of those before it: an engine that looks ahead. By default nothing changes.
    fn latest_outcomes(&self) -> &[StepOutcome] {
        &[]
    }
    /// Whether the motion can end on the last two footprints: the outcome of the last step where ending there makes it
    /// another one (a flight becomes a walking step), or the footprint that nobody can stop on. By default it can, and the
    /// step stays as it was pushed.
    fn ending(&self) -> Result<Option<StepOutcome>, StepError> {
        Ok(None)
    }
    /// When feet leave, or have left, their last footprints in a motion that ends before it comes to rest, in seconds from the first
    /// frame. By default it comes to rest.
    fn leaves_after_end(&self) -> PerSide<Option<f64>> {
        PerSide::default()
    }
    /// Comes to rest on the last two footprints. Called once, after the last push, if [`StepEngine::ending`] allows it.
    fn finish(&mut self);
    /// Writes the next frame that no later footprint changes, if there is one. Allocates nothing.
    fn next_frame(&mut self, pose: &mut Pose) -> Option<FrameContacts>;
    /// A copy that goes on by itself.
    fn clone_box(&self) -> Box<dyn StepEngine>;
}

/// Footprints between two checkpoints: an edit makes at most this many steps more than it must.
const CHECKPOINT_EVERY: usize = 4;
/// Footprints after a changed one whose steps it leads to or from: they are solved at once, so that an edit is refused if one
/// of them is.
const AROUND_CHANGE: usize = 2;

/// A motion in the making.
pub struct Stepper {
    engine: Box<dyn StepEngine>,
    checker: PlanChecker,
    /// All that passed the checker. The engine knows the standing feet and those that have an outcome.
    prints: Vec<Footprint>,
    outcomes: Vec<StepOutcome>,
    /// The last outcome as it was pushed, where the ending made another one of it.
    before_ending: Option<StepOutcome>,
    /// The first is of the start.
    checkpoints: Vec<Checkpoint>,
    keeps_checkpoints: bool,
    /// Frames that the engine has made, of which `made` are not yet given out.
    n_made: usize,
    made: MadeFrames,
    /// Frames that were given out.
    n_frames: usize,
    is_finished: bool,
}

/// The engine before a footprint; shared, so that clones of a stepper are cheap.
#[derive(Clone)]
struct Checkpoint {
    n_prints: usize,
    n_made: usize,
    engine: Arc<dyn StepEngine>,
}

/// What an edit did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The first frame that may differ. Frames before it stay; the next that is given out is this one.
    pub first_frame: usize,
}

impl Clone for Stepper {
    fn clone(&self) -> Stepper {
        Stepper {
            engine: self.engine.clone_box(),
            checker: self.checker.clone(),
            prints: self.prints.clone(),
            outcomes: self.outcomes.clone(),
            before_ending: self.before_ending.clone(),
            checkpoints: self.checkpoints.clone(),
            keeps_checkpoints: self.keeps_checkpoints,
            n_made: self.n_made,
            made: self.made.clone(),
            n_frames: self.n_frames,
            is_finished: self.is_finished,
        }
    }
}

impl std::fmt::Debug for Stepper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stepper").field("footprints", &self.prints.len()).field("frames", &self.n_frames).finish()
    }
}

impl Stepper {
    /// A stepper for a synthesizer's engine. `start` makes the engine on the standing feet, which have passed the checker
    /// and have the terrain's normals.
    pub fn start(
        checker: PlanChecker,
        standing: [Footprint; 2],
        start: impl FnOnce([Footprint; 2]) -> Result<Box<dyn StepEngine>, StepError>,
    ) -> Result<Stepper, StepError> {
        let prints = standing.map(|print| checker.settled(&print)).to_vec();
        checker.check_next(&[], &prints[0])?;
        checker.check_next(&prints[..1], &prints[1])?;
        let engine = start([prints[0], prints[1]])?;
        let at_start = Checkpoint { n_prints: prints.len(), n_made: 0, engine: Arc::from(engine.clone_box()) };
        Ok(Stepper {
            engine,
            checker,
            prints,
            outcomes: Vec::new(),
            before_ending: None,
            checkpoints: vec![at_start],
            keeps_checkpoints: true,
            n_made: 0,
            made: MadeFrames::default(),
            n_frames: 0,
            is_finished: false,
        })
    }

    /// Keeps no further checkpoints, for motions that are made once: pushes cost a little less, and an edit solves again from
    /// the last checkpoint before this call.
    pub fn without_checkpoints(mut self) -> Stepper {
        self.keeps_checkpoints = false;
        self
    }

    /// Steps to a footprint next.
    pub fn push(&mut self, print: &Footprint) -> Result<&StepOutcome, StepError> {
        self.solve()?;
        self.accept(print)?;
        if let Err(error) = self.solve_next() {
            self.prints.pop();
            return Err(error);
        }
        Ok(&self.outcomes[self.outcomes.len() - 1])
    }

    /// Comes to rest on the last two footprints: after this the rest of the frames is given out. Fails where nobody can stop
    /// on them, such as after a long leap; the last outcome may change, for who stops does not fly.
    pub fn finish(&mut self) -> Result<(), StepError> {
        if self.is_finished {
            return Ok(());
        }
        self.solve()?;
        if let (Some(ending), Some(last)) = (self.engine.ending()?, self.outcomes.last_mut()) {
            self.before_ending = Some(std::mem::replace(last, ending));
        }
        self.engine.finish();
        self.is_finished = true;
        Ok(())
    }

    /// Replaces footprint `from` and all after it. A finished motion is open again.
    ///
    /// Those that should stay are handed in again: the ones at the end of `prints` that the stepper ended with before. They are
    /// checked at once, and solved when frames of them are asked for ([`Stepper::next_frame`]), or all by [`Stepper::solve`],
    /// `push` and `finish`. So the edit costs a few steps. In the rare case that one of them cannot be stepped to any more, for
    /// the body now comes from elsewhere, these refuse it, and frames end before it.
    pub fn replace_from(&mut self, from: usize, prints: &[Footprint]) -> Result<Replaced, StepError> {
        if !(2..=self.prints.len()).contains(&from) {
            return Err(StepError::NoSuchFootprint { footprint: from, n_footprints: self.prints.len() });
        }
        let is_kept = |(old, new): &(&Footprint, &Footprint)| **old == self.checker.settled(new);
        let n_kept = self.prints[from..].iter().rev().zip(prints.iter().rev()).take_while(is_kept).count();
        let n_at_once = (prints.len() - n_kept + AROUND_CHANGE).min(prints.len());
        let mut again = self.rewound(from)?;
        let first_frame = again.n_frames;
        for print in &prints[..n_at_once] {
            again.push(print)?;
        }
        for print in &prints[n_at_once..] {
            again.accept(print)?;
        }
        *self = again;
        Ok(Replaced { first_frame })
    }

    /// Solves what an edit left for later, so that all footprints have their outcome.
    pub fn solve(&mut self) -> Result<(), StepError> {
        while self.n_solved() < self.prints.len() {
            self.solve_next()?;
        }
        Ok(())
    }

    /// Writes the next frame that no later footprint changes, if there is one. Allocates nothing, unless an edit left steps
    /// for later. A pose that has not the joints of this stepper's skeleton is replaced by one that has.
    pub fn next_frame(&mut self, pose: &mut Pose) -> Option<FrameContacts> {
        if pose.local.len() != self.engine.skeleton().n_joints() {
            *pose = self.engine.skeleton().rest_pose();
        }
        let contacts = match self.made.next(pose) {
            Some(contacts) => contacts,
            None => loop {
                if let Some(contacts) = self.engine.next_frame(pose) {
                    self.n_made += 1;
                    break contacts;
                }
                if self.n_solved() == self.prints.len() {
                    return None;
                }
                self.solve_next().ok()?;
            },
        };
        self.n_frames += 1;
        Some(contacts)
    }

    /// The footprints so far, standing ones included, with the terrain's normals.
    pub fn footprints(&self) -> &[Footprint] {
        &self.prints
    }

    /// What becomes of the footprints that were stepped to: that of `footprints()[2]` first. After an edit those of the last
    /// footprints are missing until they are solved ([`Stepper::solve`]).
    pub fn outcomes(&self) -> &[StepOutcome] {
        &self.outcomes
    }

    /// When feet leave their last footprints in a motion that ends before it comes to rest ([`StepEngine::leaves_after_end`]).
    pub fn leaves_after_end(&self) -> PerSide<Option<f64>> {
        self.engine.leaves_after_end()
    }

    /// How many frames were given out: the number of the next one.
    pub fn n_frames(&self) -> usize {
        self.n_frames
    }

    /// Whose poses are written.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        self.engine.skeleton()
    }

    /// Which joint of the skeleton is which.
    pub fn body(&self) -> &BodyMap {
        self.engine.body()
    }

    /// Frames a second.
    pub fn frame_rate(&self) -> f64 {
        self.engine.frame_rate()
    }

    /// What feet are planted on.
    pub fn world(&self) -> &Arc<World> {
        &self.checker.world
    }

    /// How many footprints the engine knows.
    fn n_solved(&self) -> usize {
        2 + self.outcomes.len()
    }

    /// Takes a footprint that passes the checker; the engine does not know it yet.
    fn accept(&mut self, print: &Footprint) -> Result<(), StepError> {
        if self.is_finished {
            return Err(StepError::Finished { footprint: self.prints.len() });
        }
        let print = self.checker.settled(print);
        self.checker.check_next(&self.prints, &print)?;
        self.prints.push(print);
        Ok(())
    }

    /// Makes the step to the first footprint that the engine does not know.
    fn solve_next(&mut self) -> Result<(), StepError> {
        let index = self.n_solved();
        let is_due = self.checkpoints.last().is_none_or(|last| index >= last.n_prints + CHECKPOINT_EVERY);
        let checkpoint = (self.keeps_checkpoints && is_due).then(|| self.checkpoint());
        let prints = &self.prints[..=index];
        let timing = step_timing(prints, index);
        let is_flight = self.checker.is_flight(&prints[index], &timing);
        let is_jump = self.checker.is_jump(&prints[..index], &prints[index], &timing);
        let outcome = self.engine.push(&StepTask { prints, timing, is_flight, is_jump })?;
        self.checkpoints.extend(checkpoint);
        self.outcomes.push(outcome);
        self.refresh_outcomes();
        Ok(())
    }

    /// Takes over what the engine has changed its mind about.
    fn refresh_outcomes(&mut self) {
        for latest in self.engine.latest_outcomes() {
            self.outcomes[latest.footprint - 2].clone_from(latest);
        }
    }

    /// The engine as it is, without frames that nobody has read.
    fn checkpoint(&mut self) -> Checkpoint {
        self.n_made += self.made.take_from(&mut *self.engine, self.n_made);
        Checkpoint { n_prints: self.n_solved(), n_made: self.n_made, engine: Arc::from(self.engine.clone_box()) }
    }

    /// This stepper as it was before a footprint was pushed, its frames given out as far as they were then final.
    fn rewound(&self, from: usize) -> Result<Stepper, StepError> {
        let is_before = |checkpoint: &&Checkpoint| checkpoint.n_prints <= from;
        let n_kept = self.checkpoints.iter().take_while(is_before).count();
        let checkpoint = &self.checkpoints[n_kept - 1];
        let n_outcomes = checkpoint.n_prints - 2;
        let mut outcomes = self.outcomes[..n_outcomes].to_vec();
        if let (Some(pushed), Some(last)) = (&self.before_ending, outcomes.last_mut())
            && n_outcomes == self.outcomes.len()
        {
            *last = pushed.clone();
        }
        let mut again = Stepper {
            engine: checkpoint.engine.clone_box(),
            checker: self.checker.clone(),
            prints: self.prints[..checkpoint.n_prints].to_vec(),
            outcomes,
            before_ending: None,
            checkpoints: self.checkpoints[..n_kept].to_vec(),
            keeps_checkpoints: self.keeps_checkpoints,
            n_made: checkpoint.n_made,
            made: self.made.before(checkpoint.n_made),
            n_frames: self.n_frames.min(checkpoint.n_made),
            is_finished: false,
        };
        again.refresh_outcomes();
        for print in &self.prints[checkpoint.n_prints..from] {
            again.push(print)?;
        }
        // What is final now was given out already, and does not depend on what is replaced.
        let mut pose = self.engine.skeleton().rest_pose();
        while again.n_frames < self.n_frames && again.next_frame(&mut pose).is_some() {}
        Ok(again)
    }
}
