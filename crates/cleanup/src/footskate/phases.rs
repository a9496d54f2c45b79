//! The five phases in a row, for one frame each, and over a complete clip.

use super::FrameMarks;
use super::aim_ankles::{AnkleTargets, aim_ankles};
use super::blend::{Reach as BlendReach, mean_around};
use super::blend_off::{BlendedFrame, blend_off};
use super::calm_pops::{self, Calming, ShapedFrame};
use super::clear_ground::{FinishedFrame, Halves, apply, clear_ground, measure_depths, toe_bend};
use super::frames::Frames;
use super::input_gate::{HoldReason, InputGate};
use super::legs::{LegChange, LegPose, LowerBody, SourceFrame};
use super::mend_glitches::{NEIGHBOURS, find_glitch, is_calmer, mend};
use super::options::{CleanOptions, Reach, Spans};
use super::place_plants::{Place, PlantedFeet, place_plants};
use super::place_root::{AimedFrame, filter_root, follow_feet, project_into_both, project_root, reach_balls};
use super::roll_over::{find_pivot, roll_over};
use super::share_reach::{ReachFrame, share_reach, spread_reach};
use super::solve_leg::{
    LegTurns, RootedFrame, SolvedFrame, Stretching, full_length, hold_knee, knee_turn, leg_roll, reach_target,
    rigid_reach, solve_leg,
};
use surefoot_geom::{Transform, Vec3};
use surefoot_ground::Terrain;
use surefoot_motion::{BodyMap, Clip, PerSide, Pose, PoseMut, PoseRef, Poses, Side, Skeleton};

/// What each phase found, one entry for each frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Phases {
    /// Phase 1: where feet are planted.
    pub planted: Vec<PlantedFeet>,
    /// Phase 2: where ankles must be; and the root's moves before they are smoothed.
    pub aimed: Vec<AimedFrame>,
    /// Phase 3: the root's moves, and how far knees would turn.
    pub rooted: Vec<RootedFrame>,
    /// Phase 4: what planted legs lack.
    pub reaches: Vec<ReachFrame>,
    /// Phase 4: the legs' changes where feet are planted.
    pub solved: Vec<SolvedFrame>,
    /// Phase 5: changes blended off, and how deep feet and toes are then in the ground.
    pub blended: Vec<BlendedFrame>,
    /// Phase 5: all changes.
    pub finished: Vec<FinishedFrame>,
}

/// The phases with everything they need to know beside the frames.
#[derive(Clone, Debug)]
pub(super) struct Engine {
    pub(super) body: LowerBody,
    pub(super) terrain: Terrain,
    pub(super) spans: Spans,
    knee_axes: PerSide<Vec3>,
    frame_rate: f64,
    options: CleanOptions,
}

impl Engine {
    pub(super) fn new(
        skeleton: &Skeleton,
        body: &BodyMap,
        knee_axes: &PerSide<Vec3>,
        frame_rate: f64,
        terrain: &Terrain,
        options: &CleanOptions,
    ) -> Engine {
        Engine {
            body: LowerBody::new(skeleton, body, knee_axes),
            terrain: terrain.clone(),
            spans: Spans::new(options, frame_rate),
            knee_axes: *knee_axes,
            frame_rate,
            options: *options,
        }
    }

    /// Phase 0: fills `mended` with the lower body's joints in a frame that jumps, and returns where they then are; `None` if it does not.
    /// `pose` and `world` are for the work.
    pub(super) fn mend<'a>(
        &self,
        source: &(impl Frames<SourceFrame> + ?Sized),
        recorded: impl Fn(usize) -> Option<PoseRef<'a>>,
        frame: usize,
        scratch: &mut Scratch,
    ) -> Option<SourceFrame> {
        let glitch = find_glitch(source, frame, self.frame_rate).filter(|_| self.options.mend_glitches)?;
        let around = |k: usize| recorded((frame + k).checked_sub(NEIGHBOURS)?);
        let now = around(2)?;
        scratch.pose.copy_from(now);
        mend(&glitch, [around(0)?, around(1)?, now, around(3)?, around(4)?], &self.body, &mut scratch.pose.view_mut());
        let mended = self.body.read(scratch.pose.view(), source.at(frame)?.marks, &mut scratch.world);
        is_calmer(source, frame, &mended).then_some(mended)
    }

    /// Phase 1.
    pub(super) fn place(
        &self,
        source: &(impl Frames<SourceFrame> + ?Sized),
        planted: &(impl Frames<PlantedFeet> + ?Sized),
        frame: usize,
    ) -> PlantedFeet {
        let place = Place { body: &self.body, terrain: &self.terrain, roll: self.options.foot_roll };
        let before = frame.checked_sub(1).and_then(|before| planted.at(before));
        place_plants(source, before, frame, self.spans.plant_average, &place)
    }

    /// Phase 2, and the part of phase 3 that concerns one frame alone.
    pub(super) fn aim(
        &self,
        source: &SourceFrame,
        planted: &(impl Frames<PlantedFeet> + ?Sized),
        frame: usize,
    ) -> AimedFrame {
        let reach = self.reach(self.spans.ankle_blend);
        let targets = aim_ankles(planted, frame, &source.legs, &self.body, &self.terrain, reach);
        let follow = follow_feet(planted, frame, self.spans.ankle_blend, source, &targets) * self.options.root_share();
        let root_move = project_root(source, &targets, follow, |leg, side| self.full_reach(leg, side));
        let ramp = self.spans.ankle_blend / 3;
        let pivots =
            PerSide::from_fn(|side| find_pivot(planted, frame, side, ramp, &source.legs[side], &self.body.legs[side]));
        AimedFrame { targets, pivots, root_move }
    }

    /// The rest of phase 3, and how far knees would turn by phase 4.
    pub(super) fn root(
        &self,
        source: &SourceFrame,
        aimed: &(impl Frames<AimedFrame> + ?Sized),
        frame: usize,
    ) -> RootedFrame {
        let root = filter_root(aimed, frame, self.spans.root_mean());
        let AimedFrame { targets, pivots, .. } = aimed.at(frame).copied().unwrap_or_default();
        let leg = |side| source.legs[side].moved(root.unwrap_or(Vec3::ZERO));
        let targets = PerSide::from_fn(|side| match (targets[side], pivots[side]) {
            (Some(target), Some(pivot)) => {
                Some(roll_over(&target, &pivot, &leg(side), &self.body.legs[side], &self.terrain))
            }
            (target, _) => target,
        });
        let turns = PerSide::from_fn(|side| {
            let (leg, target, axis) = (leg(side), targets[side]?, self.knee_axes[side]);
            let knee = knee_turn(&leg, target.translation, axis, self.options.rho());
            Some(LegTurns { knee, roll: leg_roll(&leg, &target, axis, knee) })
        });
        RootedFrame { root, targets, turns }
    }

    /// Phase 4, first half: what planted legs lack.
    pub(super) fn measure(
        &self,
        source: &SourceFrame,
        rooted: &(impl Frames<RootedFrame> + ?Sized),
        frame: usize,
    ) -> ReachFrame {
        let RootedFrame { root, targets, .. } = rooted.at(frame).copied().unwrap_or_default();
        let legs = PerSide::from_fn(|side| {
            let mean = mean_around(rooted, frame, self.spans.knee_mean(), |rooted| rooted.turns[side]);
            let leg = source.legs[side].moved(root.unwrap_or(Vec3::ZERO));
            let (target, mean) = targets[side].zip(mean)?;
            Some(reach_target(&leg, target.translation, self.knee_axes[side], mean, self.stretching()))
        });
        ReachFrame { root, targets, legs }
    }

    /// Phase 4: what rigid legs lack over whole plants, in the root.
    pub(super) fn spread(&self, reaches: &(impl Frames<ReachFrame> + ?Sized), frame: usize) -> ReachFrame {
        spread_reach(reaches, frame, self.spans.reach_spread, self.spans.reach_quick)
    }

    /// Phase 4, second half.
    pub(super) fn solve(
        &self,
        source: &SourceFrame,
        reaches: &(impl Frames<ReachFrame> + ?Sized),
        frame: usize,
    ) -> SolvedFrame {
        let ReachFrame { targets, legs, .. } = reaches.at(frame).copied().unwrap_or_default();
        let root = share_reach(reaches, frame, self.reach(self.spans.reach_blend), source);
        let root = self.within_reach(source, &targets, root);
        let legs = PerSide::from_fn(|side| {
            let leg = source.legs[side].moved(root.unwrap_or(Vec3::ZERO));
            let (target, reach) = targets[side].zip(legs[side])?;
            Some(solve_leg(&leg, &target, self.knee_axes[side], reach.turns, self.stretching()))
        });
        let toe_bend = PerSide::from_fn(|side| {
            let Some(tip) = source.toes[side] else { return 0.0 };
            let (leg, joints) = (&source.legs[side], &self.body.legs[side]);
            let ankle = targets[side].unwrap_or_else(|| leg.moved(root.unwrap_or(Vec3::ZERO)).ankle);
            toe_bend(&ankle, tip, leg, joints, &self.terrain, self.options.max_lift)
        });
        SolvedFrame { root, legs, toe_bend }
    }

    /// Phase 5, first half.
    pub(super) fn blend(
        &self,
        source: &SourceFrame,
        solved: &(impl Frames<SolvedFrame> + ?Sized),
        frame: usize,
    ) -> BlendedFrame {
        let hold = |side: Side, change: &LegChange| hold_knee(&source.legs[side], change, self.knee_axes[side]);
        let mut blended = blend_off(solved, frame, self.reach(self.spans.fade()), hold);
        let max_lift = self.options.max_lift;
        measure_depths(&mut blended, &source.legs, &source.toes, &self.body, &self.terrain, max_lift);
        blended
    }

    /// Phase 5, second half.
    pub(super) fn finish(
        &self,
        source: &SourceFrame,
        blended: &(impl Frames<BlendedFrame> + ?Sized),
        solved: &(impl Frames<SolvedFrame> + ?Sized),
        frame: usize,
    ) -> FinishedFrame {
        let halves = Halves { feet: self.spans.clearing() / 2, toes: self.spans.blend_off / 3 };
        clear_ground(blended, solved, frame, halves, &source.legs, &self.body, self.stretching())
    }

    /// Before phase 6: where the changes put the legs.
    pub(super) fn shape(&self, source: &SourceFrame, finished: FinishedFrame) -> ShapedFrame {
        ShapedFrame::new(source, finished, &self.body)
    }

    /// Phase 6, first half of a round: whether a leg pops.
    pub(super) fn pops(
        &self,
        shaped: &(impl Frames<ShapedFrame> + ?Sized),
        source: &(impl Frames<SourceFrame> + ?Sized),
        frame: usize,
        round: usize,
    ) -> f64 {
        calm_pops::pops(shaped, source, frame, self.frame_rate, round >= calm_pops::LOOSE_FROM)
    }

    /// Phase 6, second half of a round, `half` frames wide.
    pub(super) fn calm(
        &self,
        source: &SourceFrame,
        shaped: &(impl Frames<ShapedFrame> + ?Sized),
        pops: &(impl Frames<f64> + ?Sized),
        frame: usize,
        round: usize,
    ) -> ShapedFrame {
        let (half, loose) = (self.spans.calming[round], round >= calm_pops::LOOSE_FROM);
        let calming = Calming { body: &self.body, terrain: &self.terrain, stretching: self.stretching(), loose };
        calming.round(shaped, pops, source, frame, half, |targets, root| {
            self.within_reach(source, targets, Some(root)).unwrap_or(root)
        })
    }

    /// The changes put into a pose.
    pub(super) fn apply(&self, pose: &mut PoseMut<'_>, source: &SourceFrame, finished: &FinishedFrame) {
        apply(pose, &source.legs, finished, &self.body);
    }

    /// The root's move where legs that can't stretch reach their targets: the last resort, where two feet ask for more than
    /// [`share_reach`] gives.
    fn within_reach(&self, source: &SourceFrame, targets: &AnkleTargets, root: Option<Vec3>) -> Option<Vec3> {
        if self.options.reach == Reach::Stretch {
            return root;
        }
        let balls = reach_balls(source, targets, |leg, side| rigid_reach(leg, self.knee_axes[side]));
        let place = source.root + root?;
        let place = match (balls.left, balls.right) {
            (None, None) => place,
            (Some(ball), None) | (None, Some(ball)) => project_into_both(place, ball, ball),
            (Some(left), Some(right)) => project_into_both(place, left, right),
        };
        Some(place - source.root)
    }

    /// How far a leg may reach without being stretched.
    fn full_reach(&self, leg: &LegPose, side: Side) -> f64 {
        match self.options.reach {
            Reach::Stretch => full_length(leg, self.knee_axes[side]),
            Reach::Rigid => rigid_reach(leg, self.knee_axes[side]),
        }
    }

    fn reach(&self, span: usize) -> BlendReach {
        BlendReach { span, slope: self.spans.slope }
    }

    fn stretching(&self) -> Stretching {
        match self.options.reach {
            Reach::Stretch => Stretching::From(self.options.rho()),
            Reach::Rigid => Stretching::Never,
        }
    }
}

/// Room to mend a frame in.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    pub(super) pose: Pose,
    pub(super) world: Vec<Transform>,
}

impl Scratch {
    pub(super) fn new(engine: &Engine, skeleton: &Skeleton) -> Scratch {
        Scratch { pose: skeleton.rest_pose(), world: vec![Transform::IDENTITY; engine.body.n_joints()] }
    }
}

/// A complete clip's answer.
pub(super) struct Run {
    pub(super) poses: Poses,
    pub(super) phases: Phases,
    pub(super) held: Vec<(usize, HoldReason)>,
}

/// All phases over a clip, one after the other.
pub(super) fn run(
    clip: &Clip,
    marks: &[FrameMarks],
    body: &BodyMap,
    knee_axes: &PerSide<Vec3>,
    terrain: &Terrain,
    options: &CleanOptions,
) -> Run {
    let engine = Engine::new(&clip.skeleton, body, knee_axes, clip.frame_rate, terrain, options);
    let n = clip.n_frames();
    let mut poses = clip.poses().clone();
    let mut held = Vec::new();
    let mut source = admit_all(&engine, clip, &mut poses, marks, options, &mut held);
    mend_all(&engine, &clip.skeleton, &mut poses, &mut source);
    let mut planted: Vec<PlantedFeet> = Vec::with_capacity(n);
    for frame in 0..n {
        let feet = engine.place(&source, &planted, frame);
        planted.push(feet);
    }
    let aimed: Vec<AimedFrame> = (0..n).map(|frame| engine.aim(&source[frame], &planted, frame)).collect();
    let rooted: Vec<RootedFrame> = (0..n).map(|frame| engine.root(&source[frame], &aimed, frame)).collect();
    let reaches: Vec<ReachFrame> = (0..n).map(|frame| engine.measure(&source[frame], &rooted, frame)).collect();
    let spread: Vec<ReachFrame> = (0..n).map(|frame| engine.spread(&reaches, frame)).collect();
    let solved: Vec<SolvedFrame> = (0..n).map(|frame| engine.solve(&source[frame], &spread, frame)).collect();
    let blended: Vec<BlendedFrame> = (0..n).map(|frame| engine.blend(&source[frame], &solved, frame)).collect();
    let cleared = (0..n).map(|frame| engine.finish(&source[frame], &blended, &solved, frame));
    let mut shaped: Vec<ShapedFrame> =
        cleared.enumerate().map(|(frame, finished)| engine.shape(&source[frame], finished)).collect();
    for round in (0..calm_pops::N_ROUNDS).filter(|&round| engine.spans.calming[round] > 0) {
        let pops: Vec<f64> = (0..n).map(|frame| engine.pops(&shaped, &source, frame, round)).collect();
        if pops.iter().any(|&pops| pops > 0.0) {
            shaped = (0..n).map(|frame| engine.calm(&source[frame], &shaped, &pops, frame, round)).collect();
        }
    }
    let finished: Vec<FinishedFrame> = shaped.into_iter().map(|shaped| shaped.finished).collect();
    for (frame, mut pose) in poses.iter_mut().enumerate() {
        engine.apply(&mut pose, &source[frame], &finished[frame]);
    }
    Run { poses, phases: Phases { planted, aimed, rooted, reaches: spread, solved, blended, finished }, held }
}

/// The lower body of every frame; poses that may not enter are replaced.
fn admit_all(
    engine: &Engine,
    clip: &Clip,
    poses: &mut Poses,
    marks: &[FrameMarks],
    options: &CleanOptions,
    held: &mut Vec<(usize, HoldReason)>,
) -> Vec<SourceFrame> {
    let mut gate = InputGate::new(&clip.skeleton, options.teleport_speed, clip.frame_rate);
    let mut world = vec![Transform::IDENTITY; engine.body.n_joints()];
    let frames = poses.iter_mut().zip(marks).enumerate();
    frames
        .map(|(frame, (mut pose, marks))| {
            let (source, reason) = gate.admit(&mut pose, *marks, &engine.body, &mut world);
            held.extend(reason.map(|reason| (frame, reason)));
            source
        })
        .collect()
}

/// Frames that jump, mended in order of time.
fn mend_all(engine: &Engine, skeleton: &Skeleton, poses: &mut Poses, source: &mut [SourceFrame]) {
    let mut scratch = Scratch::new(engine, skeleton);
    for frame in 0..source.len() {
        if let Some(mended) = engine.mend(source, |frame| poses.get(frame), frame, &mut scratch) {
            poses.pose_mut(frame).copy_from(&scratch.pose);
            source[frame] = mended;
        }
    }
}
