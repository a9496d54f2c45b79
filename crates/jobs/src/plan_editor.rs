//! A plan under an editor's hands: who moves over it, the frames that an edit changes, and the motion that `animate` would write.
//!
//! ```text
//! EditorLibrary   the built-in steps and what footprints mean, each made when it is first needed
//! EditorCast      the steps on one character
//! PlanEditor      preview: from the checkpoint before the edited footprint to the second one after it, in milliseconds
//!                 solve:   the complete motion with its report, the same frames as `animate`
//! ```
//!
//! A preview keeps the steps that were chosen for the complete plan, but for those at the edited footprint. What is composed has no checkpoints, for
//! the composer makes its motions from their start: there the footprints around the edited one are composed as a plan of their own, with what
//! was decided for the complete one, and the frames between the landings before and after the edited one are shown at the times that they had.
//! So poses may jump at the ends of such a preview, until the complete motion is there.

use crate::animate_job::AnimateWith;
use crate::build_behaviours_job::corpus_behaviours;
use crate::build_steps::{corpus_steps, load_steps_and_flights};
use crate::character::LoadedCharacter;
use crate::composer::compose_on;
use crate::input_request::InputRequest;
use crate::job_error::JobError;
use crate::plan_mover::{MoverError, mover_of_plan};
use crate::plan_report::PlanReport;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use surefoot_compose::{BehaviourDatabase, ComposeSynthesizer, FlightLibrary, surely_walked};
use surefoot_contact::{FootPlan, Footprint, Take};
use surefoot_gait::{CorpusError, CorpusOptions, Rig};
use surefoot_ground::Terrain;
use surefoot_motion::{CharacterMesh, Poses};
use surefoot_picture::stones_under;
use surefoot_plan::{StepError, Stepper, Synthesizer, World, report_synthesis, synthesize_take, synthesize_to_edit};
use surefoot_steps::{StepDatabase, Steps, WalkOptions};
use surefoot_viewer::{Actor, Arrangement, Badge, ContactsFrom, PackedPage, Page, Show, pack_page};

/// Footprints after an edited one whose frames a preview has.
const PREVIEWED: usize = 2;
/// Footprints before and after an edited one that are composed with it.
const COMPOSED_BEFORE: usize = 5;
const COMPOSED_AFTER: usize = 3;
/// Most footprints before it: nobody stands on feet that are a running step apart, so more may be needed than those.
const MOST_COMPOSED_BEFORE: usize = 24;
/// Most seconds of a preview.
const LONGEST_PREVIEW: f64 = 4.0;

type Made<T> = OnceLock<Result<T, JobError>>;

/// What every editor walks on; each part is made when it is first needed.
#[derive(Debug, Default)]
pub struct EditorLibrary {
    steps: Made<Arc<StepDatabase>>,
    behaviours: Made<Arc<BehaviourDatabase>>,
}

impl EditorLibrary {
    /// The steps of the built-in corpus.
    pub fn steps(&self) -> Result<Arc<StepDatabase>, JobError> {
        let make = || corpus_steps(&CorpusOptions::default()).map(Arc::new).map_err(|error| corpus_failure(&error));
        self.steps.get_or_init(make).clone()
    }

    /// What footprints of the built-in corpus mean.
    pub fn behaviours(&self) -> Result<Arc<BehaviourDatabase>, JobError> {
        let make =
            || corpus_behaviours(&CorpusOptions::default()).map(Arc::new).map_err(|error| corpus_failure(&error));
        self.behaviours.get_or_init(make).clone()
    }
}

pub(crate) fn corpus_failure(error: &CorpusError) -> JobError {
    JobError::new("corpus", error.to_string())
}

/// Who moves: steps on one body.
#[derive(Debug)]
pub struct EditorCast {
    library: Arc<EditorLibrary>,
    steps: Steps,
    flights: FlightLibrary,
    rig: Option<Rig>,
    /// What the character looks like, where its file says so.
    mesh: Option<Arc<CharacterMesh>>,
    leg: f64,
    composer: Made<ComposeSynthesizer>,
}

impl EditorCast {
    /// The steps of a database (the built-in one if there is none) on a character (their own body if there is none).
    pub fn load(
        library: Arc<EditorLibrary>,
        db: Option<&Path>,
        on: Option<&InputRequest>,
    ) -> Result<EditorCast, JobError> {
        let (database, flights) = match db {
            Some(path) => load_steps_and_flights(path).map(|(database, flights)| (Arc::new(database), flights))?,
            None => (library.steps()?, FlightLibrary::default()),
        };
        let character = on.map(LoadedCharacter::load).transpose()?;
        let database = match &character {
            Some(character) => Arc::new(character.steps(&database)?),
            None => database,
        };
        let leg = database.parts().body.leg_length(&database.parts().skeleton);
        let steps = Steps::new(database, WalkOptions::default());
        // A mesh that cannot be drawn costs the looks, not the walk.
        let mesh = character.as_ref().and_then(|character| character.import.character_mesh()?.ok()).map(Arc::new);
        let rig = character.map(|character| character.rig);
        Ok(EditorCast { library, steps, flights, rig, mesh, leg, composer: OnceLock::new() })
    }

    /// Learns what footprints mean, if that was not done yet.
    pub fn composer(&self) -> Result<ComposeSynthesizer, JobError> {
        let steps = (&self.steps, &self.flights);
        let make = || compose_on(steps, &*self.library.behaviours()?, self.rig.clone(), None);
        self.composer.get_or_init(make).clone()
    }
}

/// Frames that an edit changed.
#[derive(Clone, Debug)]
pub struct Preview {
    /// The number of the first of them.
    pub first_frame: usize,
    /// From that one on.
    pub poses: Poses,
}

/// A motion as `animate` would write it.
#[derive(Debug)]
pub struct Solved {
    /// The motion.
    pub take: Take,
    /// Verdict, footprints and metrics.
    pub report: PlanReport,
    /// What a viewer shows.
    pub page: PackedPage,
}

/// A plan that is edited.
pub struct PlanEditor {
    cast: Arc<EditorCast>,
    world: Arc<World>,
    with: AnimateWith,
    /// The walk of the plan that was solved last, with the plan as it was pushed; `None` where recorded steps do not walk it all.
    live: Option<(Stepper, FootPlan)>,
    /// What was composed last; `None` where it was walked.
    composed: Option<Composed>,
}

/// A composed motion, as far as a preview of an edit needs it.
struct Composed {
    synthesizer: Box<dyn Synthesizer>,
    /// As it was requested.
    plan: FootPlan,
    /// With what was decided.
    decided: FootPlan,
    /// When each footprint is landed on, in seconds.
    lands: Vec<f64>,
    /// Length of a leg, in metres.
    leg: f64,
}

impl PlanEditor {
    /// Nothing is solved yet. Without a terrain the ground is as high as each footprint.
    pub fn new(cast: Arc<EditorCast>, terrain: Option<Terrain>, with: AnimateWith) -> PlanEditor {
        let world = Arc::new(World { terrain, ..World::default() });
        PlanEditor { cast, world, with, live: None, composed: None }
    }

    /// The frames around an edit; `None` where only [`PlanEditor::solve`] knows them. The edit is the difference to the plan that was
    /// solved or previewed last.
    pub fn preview(&mut self, plan: &FootPlan) -> Result<Option<Preview>, JobError> {
        let is_walk = self.with == AnimateWith::Steps
            || (self.with == AnimateWith::Compose && surely_walked(&plan.footprints, self.cast.leg).is_some());
        if !is_walk || self.live.is_none() {
            return Ok(self.composed.as_ref().and_then(|composed| composed.preview(&self.world, plan)));
        }
        let Some((stepper, pushed)) = self.live.as_mut() else { return Ok(None) };
        let prepared = self.cast.steps.prepare(plan);
        let (old, new) = (&pushed.footprints, &prepared.footprints);
        let edited = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        if edited < 2 || (edited == new.len() && old.len() == new.len()) || new.len() < 3 {
            return Ok(None);
        }
        // The end of a walk leads to the same frames as its last footprint does.
        let from = edited.min(new.len() - 1);
        let replaced = stepper.replace_from(from, &new[from..]).map_err(|error| step_failure(&error))?;
        let until = stepper.outcomes().get(from + PREVIEWED - 2).or(stepper.outcomes().last());
        let until = until.map_or(0, |outcome| (outcome.land * stepper.frame_rate()).ceil() as usize);
        let most = replaced.first_frame + (LONGEST_PREVIEW * stepper.frame_rate()) as usize;
        let mut poses = Poses::default();
        let mut pose = stepper.skeleton().rest_pose();
        while stepper.n_frames() < until.min(most) && stepper.next_frame(&mut pose).is_some() {
            poses.push(&pose);
        }
        *pushed = prepared;
        Ok(Some(Preview { first_frame: replaced.first_frame, poses }))
    }

    /// The complete motion.
    pub fn solve(&mut self, plan: &FootPlan) -> Result<Solved, JobError> {
        let cast = self.cast.clone();
        let mover = mover_of_plan(&cast.steps, self.with, (&self.world, plan), || cast.composer());
        let mover = mover.map_err(|error| match error {
            MoverError::Job(error) => error,
            MoverError::Step(error) => step_failure(&error),
        })?;
        let (made, stepper) =
            synthesize_to_edit(&*mover.synthesizer, &self.world, plan, "walk").map_err(|error| step_failure(&error))?;
        let name = mover.synthesizer.name();
        let report = report_synthesis(name, &made.plan, &self.world, &made.outcomes, &made.take);
        let report = PlanReport::new(&report, &made.take.clip).with_reasons(mover.decided.as_deref());
        let page = self.page(&made.take, &made.plan, &report)?;
        self.live = mover.is_walk.then(|| (stepper, mover.synthesizer.prepare(plan)));
        let lands = [0.0; 2].into_iter().chain(made.outcomes.iter().map(|outcome| outcome.land)).collect();
        self.composed = (!mover.is_walk).then(|| Composed {
            synthesizer: mover.synthesizer,
            plan: plan.clone(),
            decided: made.plan.clone(),
            lands,
            leg: self.cast.leg,
        });
        Ok(Solved { take: made.take, report, page })
    }

    fn page(&self, take: &Take, plan: &FootPlan, report: &PlanReport) -> Result<PackedPage, JobError> {
        let lowest = plan.footprints.iter().map(|print| print.position.y).fold(0.0, f64::min);
        let stones = match &self.world.terrain {
            Some(_) => None,
            None => stones_under(&take.contacts, &take.body, &take.clip.skeleton, lowest),
        };
        let actor = Actor {
            name: "plan",
            clip: &take.clip,
            body: Some(&take.body),
            mesh: self.cast.mesh.as_deref(),
            contacts: Some(&take.contacts),
            contacts_from: ContactsFrom::Given,
        };
        let show = Show {
            name: String::new(),
            about: String::new(),
            actors: vec![actor],
            arrangement: Arrangement::Overlay,
            terrain: self.world.terrain.as_ref().or(stones.as_ref()),
            floor: lowest,
            obstacles: &[],
            plan: Some(plan),
            verdict: Some(Badge {
                grade: report.verdict.grade.name().to_string(),
                reasons: report.verdict.reasons.clone(),
            }),
            facts: Vec::new(),
            links: Vec::new(),
        };
        pack_page(&Page { title: "plan".to_string(), shows: vec![show] })
            .map_err(|error| JobError::new("picture", error.to_string()))
    }
}

impl Composed {
    /// The frames between the landings around an edited footprint; `None` where footprints were added or taken away, or nothing before it
    /// can be stood on.
    fn preview(&self, world: &Arc<World>, plan: &FootPlan) -> Option<Preview> {
        let (old, new) = (&self.plan.footprints, &plan.footprints);
        let n = new.len();
        let edited = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        if old.len() != n || self.decided.footprints.len() != n || self.lands.len() != n || !(3..n).contains(&edited) {
            return None;
        }
        // Two different feet to stand on.
        let can_stand = |&first: &usize| {
            let [one, other] = [new[first], new[first + 1]];
            one.side != other.side && one.position.distance(other.position) < self.leg
        };
        let last_first = edited.saturating_sub(COMPOSED_BEFORE);
        let first = (edited.saturating_sub(MOST_COMPOSED_BEFORE)..=last_first).rev().find(can_stand)?;
        let until = (edited + 1 + COMPOSED_AFTER).min(n);
        let print = |index: usize| {
            let decided = &self.decided.footprints[index];
            let print = Footprint {
                behaviour: new[index].behaviour.or(decided.behaviour),
                heading: new[index].heading.or(decided.heading),
                land: None,
                leave: None,
                ..new[index]
            };
            match index < first + 2 {
                true => Footprint { behaviour: None, swing: None, support: None, ..print },
                false => print,
            }
        };
        let around = FootPlan { footprints: (first..until).map(print).collect() };
        // What cannot be stepped to by itself, the complete plan may well have.
        let made = synthesize_take(&*self.synthesizer, world, &around, "preview").ok()?;
        let rate = made.take.clip.frame_rate;
        let land = |index: usize| made.outcomes.get(index.checked_sub(first + 2)?).map(|outcome| outcome.land);
        let last = (edited + 1).min(until - 1);
        let (from, to) = (land(edited - 1).or((edited - 1 < first + 2).then_some(0.0))?, land(last)?);
        // At the times that they had, so that what follows stays where it is.
        let (shown_from, shown_to) = (self.lands[edited - 1], self.lands[last]);
        let n_frames = (((shown_to - shown_from).min(LONGEST_PREVIEW)) * rate).round().max(1.0) as usize;
        let poses = made.take.clip.poses();
        let mut shown = Poses::default();
        for frame in 0..=n_frames {
            let at = from + (to - from) * frame as f64 / n_frames as f64;
            let index = ((at * rate).round() as usize).min(poses.len() - 1);
            shown.push(poses.pose(index));
        }
        Some(Preview { first_frame: (shown_from * rate).round() as usize, poses: shown })
    }
}

fn step_failure(error: &StepError) -> JobError {
    JobError::from(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo_plans::demo_plans;
    use surefoot_motion::Side;

    fn cast() -> Arc<EditorCast> {
        static CAST: OnceLock<Arc<EditorCast>> = OnceLock::new();
        CAST.get_or_init(|| Arc::new(EditorCast::load(Arc::default(), None, None).expect("the built-in steps"))).clone()
    }

    #[test]
    fn a_preview_has_the_frames_up_to_which_nothing_changed_and_the_new_ones() {
        let mut plan = demo_plans().swap_remove(0).plan;
        let mut editor = PlanEditor::new(cast(), None, AnimateWith::Compose);
        let before = editor.solve(&plan).expect("a walk");
        plan.footprints[6].position.x += 0.04;
        let preview = editor.preview(&plan).expect("near enough").expect("it is walked");
        assert!(
            preview.first_frame > 60 && preview.poses.len() > 30,
            "{} {}",
            preview.first_frame,
            preview.poses.len()
        );
        let after = editor.solve(&plan).expect("a walk");
        let planted = after.report.each[6].placement.expect("it is stepped on");
        assert!(planted.middle_60_mm < 0.1, "{planted:?}");
        // What a preview leaves out is what no window shows differently: frames before the edit.
        for frame in 0..preview.first_frame.min(40) {
            let [a, b] = [&before, &after].map(|solved| solved.take.clip.poses().pose(frame).local[0].translation);
            assert!(a.distance(b) < 0.02, "frame {frame}: {a} {b}");
        }
    }

    #[test]
    fn where_somebody_runs_the_frames_around_an_edit_are_previewed() {
        let mut plan = FootPlan::default();
        for step in 0..12u8 {
            let side = if step % 2 == 0 { Side::Left } else { Side::Right };
            let across = if side == Side::Left { 0.08 } else { -0.08 };
            let ahead = f64::from(step.saturating_sub(1)) * if step < 4 { 0.6 } else { 0.9 };
            let mut print = Footprint::at(side, surefoot_geom::Vec3::new(across, 0.0, ahead));
            print.behaviour = (step >= 5).then_some(surefoot_contact::Behaviour::Run);
            plan.footprints.push(print);
        }
        let mut editor = PlanEditor::new(cast(), None, AnimateWith::Compose);
        let before = editor.solve(&plan).expect("a run");
        assert_eq!(before.report.each[8].behaviour.as_deref(), Some("run"));
        plan.footprints[8].position.x += 0.06;
        let preview = editor.preview(&plan).expect("near enough").expect("frames of it");
        let lands = |index: usize| before.report.each[index].land_seconds.actual.expect("a landing");
        let rate = before.take.clip.frame_rate;
        assert!((preview.first_frame as f64 - lands(7) * rate).abs() <= 1.0, "{}", preview.first_frame);
        let n = (lands(9) - lands(7)) * rate;
        assert!((preview.poses.len() as f64 - n).abs() <= 2.0, "{} of {n} frames", preview.poses.len());
        // The foot is planted where it was dragged to.
        let ball = before.take.body.legs.left.ball.expect("a ball");
        let landed = (lands(8) * rate).round() as usize + 2 - preview.first_frame;
        let ball_at = |pose: surefoot_motion::PoseRef<'_>| {
            surefoot_motion::WorldPose::new(&before.take.clip.skeleton, pose).position(ball)
        };
        let shown = ball_at(preview.poses.pose(landed));
        let old = ball_at(before.take.clip.poses().pose(landed + preview.first_frame));
        assert!((shown.x - old.x - 0.06).abs() < 0.03, "{shown} was {old}");
        // Of footprints that were added only the complete motion knows.
        plan.footprints.truncate(11);
        assert!(editor.preview(&plan).expect("a plan").is_none());
    }

    #[test]
    fn the_motion_is_that_of_animate() {
        let plan = demo_plans().swap_remove(0).plan;
        let solved = PlanEditor::new(cast(), None, AnimateWith::Compose).solve(&plan).expect("a walk");
        let steps = &cast().steps;
        let same = surefoot_plan::synthesize(steps, &Arc::new(World::default()), &plan, "walk").expect("a walk");
        assert_eq!(solved.take.clip.transforms(), same.take.clip.transforms());
    }

    #[test]
    fn what_cannot_be_stepped_to_is_named_and_the_next_edit_goes_on() {
        let good = demo_plans().swap_remove(0).plan;
        let mut editor = PlanEditor::new(cast(), None, AnimateWith::Steps);
        editor.solve(&good).expect("a walk");
        let mut far = good.clone();
        far.footprints[5].position.z += 9.0;
        assert_eq!(editor.preview(&far).expect_err("nine metres").footprint, Some(5));
        assert_eq!(editor.solve(&far).expect_err("nine metres").footprint, Some(5));
        let mut near = good;
        near.footprints[5].position.z += 0.02;
        assert!(editor.preview(&near).expect("near").is_some());
        assert_eq!(near.footprints[5].side, Side::Right);
    }
}
