//! Steppers over an engine that is simple enough to see through: ten frames a step, final one footprint later.

use super::*;
use proptest::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use surefoot_geom::Transform;
use surefoot_motion::{PersonOptions, person};

/// Writes where the ball goes into the root; refuses what lies at a negative x. Steps are flights unless the motion ends with
/// them.
#[derive(Clone)]
struct Slide {
    skeleton: Arc<Skeleton>,
    body: BodyMap,
    places: Vec<Vec3>,
    n_out: usize,
    is_finished: bool,
    work: Arc<Work>,
}

/// What all copies of an engine did together.
#[derive(Default)]
struct Work {
    n_pushed: AtomicUsize,
    /// The most frames that a copy was made with, and that nobody had read.
    most_unread: AtomicUsize,
}

const FRAMES_A_STEP: usize = 10;
/// After the last step.
const FRAMES_OF_REST: usize = 3;

impl Slide {
    fn n_final(&self) -> usize {
        match self.is_finished {
            true => FRAMES_A_STEP * (self.places.len() - 1) + FRAMES_OF_REST,
            false => FRAMES_A_STEP * self.places.len().saturating_sub(2),
        }
    }
}

impl StepEngine for Slide {
    fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    fn body(&self) -> &BodyMap {
        &self.body
    }

    fn frame_rate(&self) -> f64 {
        20.0
    }

    fn push(&mut self, task: &StepTask<'_>) -> Result<StepOutcome, StepError> {
        assert!(!self.is_finished, "nothing is pushed after the end");
        self.work.n_pushed.fetch_add(1, Ordering::Relaxed);
        let (footprint, print) = (task.index(), task.print());
        if print.position.x < -1.0 {
            let (what, synthesizer, instead) = ("the far side", "slide", "stay near");
            return Err(StepError::Unsupported { footprint, what, synthesizer, instead });
        }
        self.places.push(print.position);
        let land = 0.5 * (self.places.len() - 1) as f64;
        let (behaviour, origin) = (Behaviour::Run, StepOrigin::Procedural);
        let (lift, sources) = (land - 0.4, Vec::new());
        Ok(StepOutcome {
            footprint,
            behaviour,
            origin,
            lift,
            land,
            sources,
            outside: 0.0,
            height_outside: 0.0,
            jump: None,
        })
    }

    fn ending(&self) -> Result<Option<StepOutcome>, StepError> {
        let land = 0.5 * (self.places.len() - 1) as f64 + 0.1;
        let (footprint, behaviour, origin) = (self.places.len(), Behaviour::Walk, StepOrigin::Procedural);
        let walked = StepOutcome {
            footprint,
            behaviour,
            origin,
            lift: land - 0.4,
            land,
            sources: Vec::new(),
            outside: 0.0,
            height_outside: 0.0,
            jump: None,
        };
        Ok((self.places.len() > 1).then_some(walked))
    }

    fn finish(&mut self) {
        self.is_finished = true;
    }

    fn next_frame(&mut self, pose: &mut Pose) -> Option<FrameContacts> {
        if self.n_out >= self.n_final() {
            return None;
        }
        let last = self.places.len() - 1;
        let step = (self.n_out / FRAMES_A_STEP).min(last);
        let next = (step + 1).min(last);
        // The end of a step looks ahead to the footprint after it, as real engines do.
        let share = (self.n_out % FRAMES_A_STEP) as f64 / FRAMES_A_STEP as f64;
        let ahead = self.places.get(step + 2).copied().unwrap_or(Vec3::ZERO);
        let place = self.places[step].lerp(self.places[next], share) + ahead * (0.01 * share);
        pose.local[0] = Transform { translation: place, ..Transform::IDENTITY };
        self.n_out += 1;
        Some(FrameContacts::default())
    }

    fn clone_box(&self) -> Box<dyn StepEngine> {
        self.work.most_unread.fetch_max(self.n_final() - self.n_out, Ordering::Relaxed);
        Box::new(self.clone())
    }
}

fn print(index: usize) -> Footprint {
    let side = Side::BOTH[index % 2];
    Footprint::at(side, Vec3::new(if side == Side::Left { 0.1 } else { -0.1 }, 0.0, 0.3 * index as f64))
}

fn start() -> Stepper {
    start_counted(&Arc::default())
}

fn start_counted(work: &Arc<Work>) -> Stepper {
    let work = work.clone();
    let (skeleton, body) = person(&PersonOptions::default()).expect("a person");
    let skeleton = Arc::new(skeleton);
    Stepper::start(PlanChecker::default(), [print(0), print(1)], |[_, second]| {
        let places = vec![second.position];
        Ok(Box::new(Slide { skeleton, body, places, n_out: 0, is_finished: false, work }))
    })
    .expect("both feet")
}

fn drain(stepper: &mut Stepper, into: &mut Vec<Vec3>) {
    let mut pose = stepper.skeleton().rest_pose();
    while stepper.next_frame(&mut pose).is_some() {
        into.push(pose.local[0].translation);
    }
}

/// All frames of a plan, pushed one by one and drained after each.
fn frames_of(prints: &[Footprint]) -> Vec<Vec3> {
    let (mut stepper, mut frames) = (start(), Vec::new());
    for print in prints {
        stepper.push(print).expect("a good footprint");
        drain(&mut stepper, &mut frames);
    }
    stepper.finish().expect("an end");
    drain(&mut stepper, &mut frames);
    frames
}

#[test]
fn an_edited_plan_gives_the_frames_of_the_plan_it_became() {
    let prints: Vec<Footprint> = (2..22).map(print).collect();
    for from in 2..22 {
        for is_drained in [false, true] {
            let (mut stepper, mut frames) = (start(), Vec::new());
            for print in &prints {
                stepper.push(print).expect("a good footprint");
                if is_drained {
                    drain(&mut stepper, &mut frames);
                }
            }
            stepper.finish().expect("an end");
            drain(&mut stepper, &mut frames);
            let mut edited = prints.clone();
            edited[from - 2].position.z += 0.05;
            let replaced = stepper.replace_from(from, &edited[from - 2..]).expect("a good edit");
            frames.truncate(replaced.first_frame);
            assert!(frames.len() + 2 * FRAMES_A_STEP > FRAMES_A_STEP * (from - 2), "most frames before {from} stay");
            drain(&mut stepper, &mut frames);
            stepper.finish().expect("an end");
            drain(&mut stepper, &mut frames);
            assert_eq!(frames, frames_of(&edited), "from {from}, drained {is_drained}");
            assert_eq!(stepper.n_frames(), frames.len());
        }
    }
}

#[test]
fn a_refused_footprint_or_edit_changes_nothing() {
    let mut stepper = start();
    for index in 2..9 {
        stepper.push(&print(index)).expect("a good footprint");
    }
    let bad = [
        Footprint { position: Vec3::new(f64::NAN, 0.0, 0.0), ..print(9) },
        Footprint { position: Vec3::new(0.0, 0.0, 10.0), ..print(9) },
        Footprint { position: Vec3::new(-1.2, 0.0, 2.4), ..print(9) },
        Footprint { heading: Some(f64::INFINITY), ..print(9) },
    ];
    assert!(matches!(stepper.push(&print(8)), Err(StepError::Plan(PlanError::Doubled { footprint: 9 }))));
    for print in &bad {
        let error = stepper.push(print).expect_err("a bad footprint");
        assert_eq!(error.footprint(), Some(9), "{error}");
        let error = stepper.replace_from(5, &[super::tests::print(5), *print]).expect_err("a bad edit");
        assert_eq!(error.footprint(), Some(6), "{error}");
    }
    for from in [0, 1, 10] {
        assert!(matches!(stepper.replace_from(from, &[]), Err(StepError::NoSuchFootprint { .. })));
    }
    assert_eq!((stepper.footprints().len(), stepper.outcomes().len()), (9, 7));
    let mut frames = Vec::new();
    stepper.finish().expect("an end");
    drain(&mut stepper, &mut frames);
    assert_eq!(frames, frames_of(&(2..9).map(print).collect::<Vec<_>>()));
    assert!(matches!(stepper.push(&print(9)), Err(StepError::Finished { footprint: 9 })));
}

#[test]
fn a_clone_goes_on_by_itself() {
    let mut stepper = start();
    for index in 2..8 {
        stepper.push(&print(index)).expect("a good footprint");
    }
    let mut other = stepper.clone();
    other.replace_from(4, &[Footprint::at(Side::Left, Vec3::new(0.2, 0.0, 1.1))]).expect("a good edit");
    let mut frames = Vec::new();
    stepper.finish().expect("an end");
    drain(&mut stepper, &mut frames);
    assert_eq!(frames, frames_of(&(2..8).map(print).collect::<Vec<_>>()));
}

#[test]
fn an_edit_in_the_middle_takes_a_few_steps_whatever_follows() {
    let prints: Vec<Footprint> = (2..400).map(print).collect();
    for is_read in [false, true] {
        let work = Arc::default();
        let (mut stepper, mut frames) = (start_counted(&work), Vec::new());
        for print in &prints {
            stepper.push(print).expect("a good footprint");
            if is_read {
                drain(&mut stepper, &mut frames);
            }
        }
        let made = work.most_unread.load(Ordering::Relaxed);
        assert!(made <= (CHECKPOINT_EVERY + 1) * FRAMES_A_STEP, "copies have {made} unread frames");
        let before = work.n_pushed.swap(0, Ordering::Relaxed);
        assert_eq!(before, prints.len());
        let mut edited = prints.clone();
        edited[198].position.z += 0.05;
        let replaced = stepper.replace_from(200, &edited[198..]).expect("a good edit");
        let most = CHECKPOINT_EVERY + 1 + AROUND_CHANGE;
        assert!(work.n_pushed.load(Ordering::Relaxed) <= most, "{} steps", work.n_pushed.load(Ordering::Relaxed));
        assert_eq!(replaced.first_frame, if is_read { FRAMES_A_STEP * 197 } else { 0 });
        assert_eq!(stepper.footprints().len(), 400);
        // What is read of the change is solved, and not more.
        let mut pose = stepper.skeleton().rest_pose();
        let until = FRAMES_A_STEP * 205;
        while stepper.n_frames() < until && stepper.next_frame(&mut pose).is_some() {}
        assert!(work.n_pushed.load(Ordering::Relaxed) <= most + 6, "{}", work.n_pushed.load(Ordering::Relaxed));
        stepper.solve().expect("all can be stepped to");
        let mut fresh = start();
        for print in &edited {
            fresh.push(print).expect("a good footprint");
        }
        assert_eq!(stepper.outcomes(), fresh.outcomes());
    }
}

#[test]
fn a_kept_footprint_that_is_refused_later_is_named_and_ends_the_frames() {
    /// Refuses to step where the one before it was moved to.
    struct Moody(Box<dyn StepEngine>);
    impl StepEngine for Moody {
        fn skeleton(&self) -> &Arc<Skeleton> {
            self.0.skeleton()
        }
        fn body(&self) -> &BodyMap {
            self.0.body()
        }
        fn frame_rate(&self) -> f64 {
            self.0.frame_rate()
        }
        fn push(&mut self, task: &StepTask<'_>) -> Result<StepOutcome, StepError> {
            let footprint = task.index();
            if footprint == 12 && task.prints[5].position.y > 0.0 {
                return Err(StepError::Leap { footprint, speed: 9.0, limit: 5.0 });
            }
            self.0.push(task)
        }
        fn finish(&mut self) {
            self.0.finish();
        }
        fn next_frame(&mut self, pose: &mut Pose) -> Option<FrameContacts> {
            self.0.next_frame(pose)
        }
        fn clone_box(&self) -> Box<dyn StepEngine> {
            Box::new(Moody(self.0.clone_box()))
        }
    }
    let prints: Vec<Footprint> = (2..20).map(print).collect();
    let inner = start().engine;
    let mut stepper = Stepper::start(PlanChecker::default(), [print(0), print(1)], |_| Ok(Box::new(Moody(inner))))
        .expect("both feet");
    for print in &prints {
        stepper.push(print).expect("a good footprint");
    }
    let mut edited = prints.clone();
    edited[3].position.y = 0.1;
    stepper.replace_from(5, &edited[3..]).expect("nothing near it is refused");
    let mut frames = Vec::new();
    drain(&mut stepper, &mut frames);
    assert_eq!(frames.len(), FRAMES_A_STEP * 9, "up to the refused footprint");
    for error in [stepper.solve(), stepper.finish(), stepper.push(&print(20)).map(drop)] {
        assert_eq!(error.expect_err("refused").footprint(), Some(12));
    }
    stepper.replace_from(5, &prints[3..]).expect("the edit undone");
    stepper.finish().expect("an end");
}

#[test]
fn a_pose_of_another_skeleton_is_replaced() {
    let mut stepper = start();
    for index in 2..6 {
        stepper.push(&print(index)).expect("a good footprint");
    }
    let mut pose = Pose { local: Vec::new() };
    assert!(stepper.next_frame(&mut pose).is_some());
    assert_eq!(pose.local.len(), stepper.skeleton().n_joints());
}

/// What a caller may do, in any order.
#[derive(Clone, Debug)]
enum Act {
    Push(f64),
    /// Replaces from a share of the footprints on: some new ones, and a number of the old ones kept behind them.
    Replace(f64, Vec<f64>, usize),
    Finish,
    Read(usize),
    Clone,
    WithoutCheckpoints,
    Solve,
}

fn any_act() -> impl Strategy<Value = Act> {
    let moved = || -0.05..0.05f64;
    prop_oneof![
        6 => moved().prop_map(Act::Push),
        4 => (0.0..1.0f64, prop::collection::vec(moved(), 0..3), 0..20usize).prop_map(|(at, new, kept)| Act::Replace(at, new, kept)),
        2 => Just(Act::Finish),
        3 => (0..40usize).prop_map(Act::Read),
        1 => Just(Act::Clone),
        1 => Just(Act::WithoutCheckpoints),
        1 => Just(Act::Solve),
    ]
}

/// The footprint after some, moved to the side.
fn moved(index: usize, by: f64) -> Footprint {
    let print = print(index);
    Footprint { position: print.position + Vec3::X * by, ..print }
}

/// A stepper, what its caller has read, and the footprints as the caller knows them.
struct Caller {
    stepper: Stepper,
    frames: Vec<Vec3>,
    prints: Vec<Footprint>,
    is_finished: bool,
}

impl Caller {
    fn act(&mut self, act: &Act) {
        match act {
            Act::Push(by) => {
                let print = moved(self.prints.len() + 2, *by);
                assert_eq!(self.stepper.push(&print).is_ok(), !self.is_finished);
                self.prints.extend((!self.is_finished).then_some(print));
            }
            Act::Replace(at, new, n_kept) => {
                let from = (at * (self.prints.len() + 1) as f64) as usize;
                let first_kept = (from + new.len()).min(self.prints.len());
                let kept = self.prints[first_kept..].iter().take(*n_kept).copied();
                let new = new.iter().enumerate().map(|(k, &by)| moved(from + 2 + k, by));
                let tail: Vec<Footprint> = new.chain(kept).collect();
                let replaced = self.stepper.replace_from(from + 2, &tail).expect("a good edit");
                assert!(replaced.first_frame <= self.frames.len());
                self.frames.truncate(replaced.first_frame);
                self.prints.truncate(from);
                self.prints.extend(tail);
                self.is_finished = false;
            }
            Act::Finish => {
                self.stepper.finish().expect("an end");
                self.is_finished = true;
            }
            Act::Read(n) => {
                let mut pose = self.stepper.skeleton().rest_pose();
                for _ in 0..*n {
                    let frame = self.stepper.next_frame(&mut pose);
                    self.frames.extend(frame.map(|_| pose.local[0].translation));
                }
            }
            Act::Clone => self.stepper = self.stepper.clone(),
            Act::WithoutCheckpoints => self.stepper = self.stepper.clone().without_checkpoints(),
            Act::Solve => self.stepper.solve().expect("all can be stepped to"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// Whatever order of pushes, edits, ends, copies and reads led to some footprints: frames and outcomes are theirs.
    #[test]
    fn nothing_is_left_of_the_order_in_which_footprints_came(acts in prop::collection::vec(any_act(), 1..40)) {
        let mut caller = Caller { stepper: start(), frames: Vec::new(), prints: Vec::new(), is_finished: false };
        for act in &acts {
            caller.act(act);
        }
        let Caller { mut stepper, mut frames, prints, is_finished } = caller;
        prop_assert_eq!(&stepper.footprints()[2..], &prints[..]);
        let mut fresh = start();
        for print in &prints {
            fresh.push(print).expect("a good footprint");
        }
        if is_finished {
            fresh.finish().expect("an end");
        }
        stepper.solve().expect("all can be stepped to");
        prop_assert_eq!(stepper.outcomes(), fresh.outcomes());
        stepper.finish().expect("an end");
        drain(&mut stepper, &mut frames);
        prop_assert_eq!(frames.len(), stepper.n_frames());
        prop_assert_eq!(frames, frames_of(&prints));
    }
}
