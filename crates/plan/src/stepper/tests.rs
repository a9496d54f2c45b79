//! Steppers over an engine that is simple enough to see through: ten frames a step, final one footprint later.

use super::*;
use surefoot_geom::Transform;
use surefoot_motion::{PersonOptions, person};

/// Writes where the ball goes into the root; refuses what lies at a negative x.
#[derive(Clone)]
struct Slide {
    skeleton: Arc<Skeleton>,
    body: BodyMap,
    places: Vec<Vec3>,
    n_out: usize,
    is_finished: bool,
}

const FRAMES_A_STEP: usize = 10;

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
        let (footprint, print) = (task.index(), task.print());
        if print.position.x < -1.0 {
            let (what, synthesizer, instead) = ("the far side", "slide", "stay near");
            return Err(StepError::Unsupported { footprint, what, synthesizer, instead });
        }
        self.places.push(print.position);
        let land = 0.5 * (self.places.len() - 1) as f64;
        let (behaviour, origin) = (Behaviour::Walk, StepOrigin::Procedural);
        Ok(StepOutcome { footprint, behaviour, origin, lift: land - 0.4, land, sources: Vec::new(), outside: 0.0 })
    }

    fn finish(&mut self) {
        self.is_finished = true;
    }

    fn next_frame(&mut self, pose: &mut Pose) -> Option<FrameContacts> {
        let step = self.n_out / FRAMES_A_STEP;
        let n_final = if self.is_finished { self.places.len() - 1 } else { self.places.len().saturating_sub(2) };
        if step >= n_final {
            return None;
        }
        // The end of a step looks ahead to the footprint after it, as real engines do.
        let share = (self.n_out % FRAMES_A_STEP) as f64 / FRAMES_A_STEP as f64;
        let ahead = self.places.get(step + 2).copied().unwrap_or(Vec3::ZERO);
        let place = self.places[step].lerp(self.places[step + 1], share) + ahead * (0.01 * share);
        pose.local[0] = Transform { translation: place, ..Transform::IDENTITY };
        self.n_out += 1;
        Some(FrameContacts::default())
    }

    fn clone_box(&self) -> Box<dyn StepEngine> {
        Box::new(self.clone())
    }
}

fn print(index: usize) -> Footprint {
    let side = Side::BOTH[index % 2];
    Footprint::at(side, Vec3::new(if side == Side::Left { 0.1 } else { -0.1 }, 0.0, 0.3 * index as f64))
}

fn start() -> Stepper {
    let (skeleton, body) = person(&PersonOptions::default()).expect("a person");
    let skeleton = Arc::new(skeleton);
    Stepper::start(PlanChecker::default(), [print(0), print(1)], |[_, second]| {
        let places = vec![second.position];
        Ok(Box::new(Slide { skeleton, body, places, n_out: 0, is_finished: false }))
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
