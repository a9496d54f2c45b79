//! Cleanup of a stream: a frame in, a finished frame out, L1 + L2 + L3 + L4 + L5 frames behind (SKATE 4.6, figure 7).
//!
//! ```text
//!   frames ---> [ L1 + 1 ] ---> [ 2 L2 + 1 ] ---> [ 2 L3 + 1 ] ---> [ 2 L4 + 1 ] ---> finished frame
//!               recorded        planted           aimed             solved
//! ```
//!
//! Each buffer holds just what the next entry of the one behind it needs. Phases that smooth twice share their span: L3 is that
//! of the root's moves and then of the knees' turns, L4 that of fading and then of lifting, each with a buffer between.
//! Everything is allocated when the stream is made; pushing a frame allocates nothing. The phases are those of the offline form,
//! over windows instead of complete clips, so the results are the same to the last bit.

use super::blend_off::BlendedFrame;
use super::calm_pops::{N_ROUNDS, ShapedFrame, search_span};
use super::frames::{FrameBuffer, Frames};
use super::input_gate::{HoldReason, InputGate};
use super::legs::SourceFrame;
use super::mend_glitches::NEIGHBOURS;
use super::options::{CleanOptions, Spans};
use super::phases::{Engine, Scratch};
use super::place_plants::PlantedFeet;
use super::place_root::AimedFrame;
use super::share_reach::ReachFrame;
use super::solve_leg::{RootedFrame, SolvedFrame};
use super::{FrameMarks, prepare, settle};
use surefoot_contact::Take;
use surefoot_geom::{Quat, Transform, Vec3};
use surefoot_ground::Terrain;
use surefoot_motion::{BodyMap, PerSide, Pose, PoseRef, Poses, Skeleton};

/// Cleans a stream of frames.
#[derive(Clone, Debug)]
pub struct Cleaner {
    engine: Engine,
    gate: InputGate,
    /// Recorded poses, until they are finished.
    poses: FrameBuffer<Pose>,
    source: FrameBuffer<SourceFrame>,
    planted: FrameBuffer<PlantedFeet>,
    aimed: FrameBuffer<AimedFrame>,
    rooted: FrameBuffer<RootedFrame>,
    reaches: FrameBuffer<ReachFrame>,
    spread: FrameBuffer<ReachFrame>,
    solved: FrameBuffer<SolvedFrame>,
    blended: FrameBuffer<BlendedFrame>,
    /// Before each round of calming and after the last.
    shaped: [FrameBuffer<ShapedFrame>; N_ROUNDS + 1],
    /// What pops before each round.
    pops: [FrameBuffer<f64>; N_ROUNDS],
    /// Frames pushed, and after the end one for each call of [`Cleaner::finish`].
    clock: usize,
    n_finished: usize,
    world: Vec<Transform>,
    scratch: Scratch,
    n_mended: usize,
}

/// Stands for a joint of a frame that has another number of joints than the skeleton.
const NOT_A_POSE: Transform = Transform { rotation: Quat::NAN, translation: Vec3::NAN };

/// What became of a pushed frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// The number of the finished frame that came out; `None` while the buffers fill.
    pub finished: Option<usize>,
    /// Why the pushed frame was replaced by the last good one, if it was.
    pub held: Option<HoldReason>,
}

impl Cleaner {
    /// A stream for one person. The axes that knees bend about are in the space of each hip: [`surefoot_motion::rest_knee_axes`], or
    /// [`surefoot_motion::fit_knee_axes`] of some recording.
    pub fn new(
        skeleton: &Skeleton,
        body: &BodyMap,
        knee_axes: &PerSide<Vec3>,
        frame_rate: f64,
        terrain: &Terrain,
        options: &CleanOptions,
    ) -> Cleaner {
        let engine = Engine::new(skeleton, body, knee_axes, frame_rate, terrain, options);
        let spans = engine.spans;
        let rest = skeleton.rest_pose();
        let mut world = vec![Transform::IDENTITY; engine.body.n_joints()];
        let blank = engine.body.read(rest.view(), FrameMarks::default(), &mut world);
        Cleaner {
            gate: InputGate::new(skeleton, options.teleport_speed, frame_rate),
            poses: FrameBuffer::new(spans.delay() + NEIGHBOURS + 1, &rest),
            source: FrameBuffer::new(spans.delay() + search_span(frame_rate) + 2, &blank),
            planted: FrameBuffer::new(2 * spans.ankle_blend + 2, &PlantedFeet::default()),
            aimed: FrameBuffer::new(2 * spans.root_mean() + 1, &AimedFrame::default()),
            rooted: FrameBuffer::new(2 * spans.knee_mean() + 1, &RootedFrame::default()),
            reaches: FrameBuffer::new(2 * spans.reach_spread + 1, &ReachFrame::default()),
            spread: FrameBuffer::new(2 * spans.reach_blend + 1, &ReachFrame::default()),
            solved: FrameBuffer::new(2 * spans.blend_off + 1, &SolvedFrame::default()),
            blended: FrameBuffer::new(2 * spans.clearing() + 1, &BlendedFrame::default()),
            shaped: std::array::from_fn(|round| {
                let behind = spans.calming.get(round).map_or(0, |&half| Spans::calming_delay(half));
                FrameBuffer::new(2 * behind + 1, &ShapedFrame::default())
            }),
            pops: spans.calming.map(|half| FrameBuffer::new(4 * half + 1, &0.0)),
            clock: 0,
            n_finished: 0,
            scratch: Scratch::new(&engine, skeleton),
            n_mended: 0,
            world,
            engine,
        }
    }

    /// How many frames the output is behind.
    pub fn delay(&self) -> usize {
        self.engine.spans.delay()
    }

    /// Takes a frame in. If one is finished, `out` becomes it; it must have as many joints as the skeleton.
    ///
    /// A pose that is no pose (not finite, the wrong number of joints) or whose root jumped away is replaced by the last good
    /// one, and the status reports it.
    pub fn push(&mut self, pose: PoseRef<'_>, marks: &FrameMarks, out: &mut Pose) -> Status {
        let slot = self.poses.next_slot();
        if pose.local.len() == slot.local.len() {
            slot.copy_from(pose);
        } else {
            slot.local.fill(NOT_A_POSE);
        }
        let (source, held) = self.gate.admit(&mut slot.view_mut(), *marks, &self.engine.body, &mut self.world);
        self.source.push(source);
        Status { finished: self.tick(out), held }
    }

    /// After the last frame: one more finished frame with each call, then `None`.
    pub fn finish(&mut self, out: &mut Pose) -> Option<usize> {
        while self.n_finished < self.source.end() {
            if let Some(frame) = self.tick(out) {
                return Some(frame);
            }
        }
        None
    }

    /// Moves every phase on by one frame where it can.
    fn tick(&mut self, out: &mut Pose) -> Option<usize> {
        self.clock += 1;
        let spans = self.engine.spans;
        let n = self.source.end();
        let mut behind = spans.mending;
        if self.n_mended + behind < self.clock && self.n_mended < n {
            self.mend(self.n_mended);
            self.n_mended += 1;
        }
        behind += spans.plant_average;
        let frame = self.planted.end();
        if frame + behind < self.clock && frame < n {
            let feet = self.engine.place(&self.source, &self.planted, frame);
            self.planted.push(feet);
        }
        behind += spans.ankle_blend;
        let frame = self.aimed.end();
        if let Some(source) = self.source.at(frame).filter(|_| frame + behind < self.clock) {
            let aimed = self.engine.aim(source, &self.planted, frame);
            self.aimed.push(aimed);
        }
        behind += spans.root_mean();
        let frame = self.rooted.end();
        if let Some(source) = self.source.at(frame).filter(|_| frame + behind < self.clock) {
            let rooted = self.engine.root(source, &self.aimed, frame);
            self.rooted.push(rooted);
        }
        behind += spans.knee_mean();
        let frame = self.reaches.end();
        if let Some(source) = self.source.at(frame).filter(|_| frame + behind < self.clock) {
            let reach = self.engine.measure(source, &self.rooted, frame);
            self.reaches.push(reach);
        }
        behind += spans.reach_spread;
        let frame = self.spread.end();
        if frame + behind < self.clock && frame < n {
            let spread = self.engine.spread(&self.reaches, frame);
            self.spread.push(spread);
        }
        behind += spans.reach_blend;
        let frame = self.solved.end();
        if let Some(source) = self.source.at(frame).filter(|_| frame + behind < self.clock) {
            let solved = self.engine.solve(source, &self.spread, frame);
            self.solved.push(solved);
        }
        behind += spans.fade();
        let frame = self.blended.end();
        if let Some(source) = self.source.at(frame).filter(|_| frame + behind < self.clock) {
            let blended = self.engine.blend(source, &self.solved, frame);
            self.blended.push(blended);
        }
        behind += spans.clearing();
        let frame = self.shaped[0].end();
        if let Some(source) = self.source.at(frame).filter(|_| frame + behind < self.clock) {
            let finished = self.engine.finish(source, &self.blended, &self.solved, frame);
            let shaped = self.engine.shape(source, finished);
            self.shaped[0].push(shaped);
        }
        for (round, half) in spans.calming.into_iter().enumerate() {
            behind += Spans::calming_delay(half);
            self.calm(round, half, behind, n);
        }
        let frame = self.n_finished;
        let source = self.source.at(frame).filter(|_| frame + behind < self.clock)?;
        let finished = self.shaped[N_ROUNDS].at(frame)?.finished;
        out.copy_from(self.poses.at(frame)?);
        self.engine.apply(&mut out.view_mut(), source, &finished);
        self.n_finished += 1;
        Some(frame)
    }

    /// Mends a frame that jumps.
    fn mend(&mut self, frame: usize) {
        let recorded = |frame: usize| self.poses.at(frame).map(Pose::view);
        let Some(mended) = self.engine.mend(&self.source, recorded, frame, &mut self.scratch) else { return };
        if let (Some(pose), Some(source)) = (self.poses.at_mut(frame), self.source.at_mut(frame)) {
            pose.copy_from(&self.scratch.pose);
            *source = mended;
        }
    }

    /// Moves a round of calming on by one frame where it can.
    fn calm(&mut self, round: usize, half: usize, behind: usize, n: usize) {
        let pop = self.pops[round].end();
        let seen = behind.saturating_sub(2 * half);
        if half > 0 && pop < n && pop + seen < self.clock {
            let pops = self.engine.pops(&self.shaped[round], &self.source, pop, round);
            self.pops[round].push(pops);
        }
        let frame = self.shaped[round + 1].end();
        if let Some(source) = self.source.at(frame).filter(|_| frame + behind < self.clock) {
            let calmed = match half {
                0 => self.shaped[round].at(frame).copied().unwrap_or_default(),
                _ => self.engine.calm(source, &self.shaped[round], &self.pops[round], frame, round),
            };
            self.shaped[round + 1].push(calmed);
        }
    }
}

/// Cleans a complete take as a stream, and returns the frames in which the last good pose was held. The result is that of
/// [`super::clean_footskate`], bit for bit.
pub fn clean_stream(take: &Take, terrain: &Terrain, options: &CleanOptions) -> (Take, Vec<(usize, HoldReason)>) {
    let Take { clip, body, contacts } = take;
    let (marks, knee_axes) = prepare(take, options);
    let mut cleaner = Cleaner::new(&clip.skeleton, body, &knee_axes, clip.frame_rate, terrain, options);
    let (mut poses, mut held) = (Poses::default(), Vec::new());
    let mut out = clip.skeleton.rest_pose();
    for (frame, (pose, marks)) in clip.poses().iter().zip(&marks).enumerate() {
        let status = cleaner.push(pose, marks, &mut out);
        held.extend(status.held.map(|reason| (frame, reason)));
        if status.finished.is_some() {
            poses.push(&out);
        }
    }
    while cleaner.finish(&mut out).is_some() {
        poses.push(&out);
    }
    let clip = clip.with_poses(poses);
    let contacts = settle(contacts, &clip, body, &held);
    (Take { clip, body: body.clone(), contacts }, held)
}
