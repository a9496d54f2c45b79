//! A foot plan becomes a walk, with a report on every footprint (STRIDE).
//!
//! 1. A plan whose walk would be too long for memory is refused by its length, before anything is made.
//! 2. [`surefoot_locomotion::steps::animate`] walks it.
//! 3. Every footprint is measured in the walk that came out: nothing is told that was not looked up in the frames.

use std::sync::Arc;
use surefoot_geom::Vec3;
use surefoot_locomotion::measures::{FootPoints, FootprintError, StaysFrom, measure_footprints};
use surefoot_locomotion::steps::{
    AnimateError, Animated, Choice, Made, StepDatabase, StepSource, WalkOptions, WalkedStep, animate,
};
use surefoot_locomotion::{FootPart, FootPlan, Take};
use surefoot_motion::{BodyMap, PerSide, Side, WorldPose};

/// Most frames of a walk in memory: more than an hour at 60 frames a second. Longer ones are for
/// [`surefoot_locomotion::steps::StepWalker`], which keeps one step at a time.
pub const MAX_ANIMATE_FRAMES: usize = 250_000;

/// A walk with a report on each footprint.
#[derive(Clone, Debug)]
pub struct AnimatedPlan {
    /// The walk with its plants.
    pub take: Take,
    /// Of its skeleton.
    pub body: BodyMap,
    /// One for each footprint of the plan.
    pub footprints: Vec<FootprintReport>,
}

/// A wish, and what came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wished {
    /// `None` where there is nothing to measure.
    pub made: Option<f64>,
    /// `None` where nobody wished for anything.
    pub wish: Option<f64>,
}

impl Wished {
    /// How much more was made than wished for.
    pub fn difference(&self) -> Option<f64> {
        Some(self.made? - self.wish?)
    }
}

/// What became of a footprint. Metres, radians, seconds.
#[derive(Clone, Debug)]
pub struct FootprintReport {
    /// From 0, as in the plan's file.
    pub index: usize,
    /// The foot.
    pub side: Side,
    /// How the step to it was made; `None` for the two standing feet.
    pub step: Option<StepReport>,
    /// Of the ball while it stands; `None` if the foot never stood there.
    pub placement: Option<Placement>,
    /// Of the foot.
    pub heading: Wished,
    /// In the air on the way.
    pub swing: Wished,
    /// With both feet down after landing.
    pub support: Wished,
}

/// How exactly a ball stands on its footprint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Largest distance from the footprint over all frames in which the ball stands, in any direction.
    pub error: f64,
    /// Largest distance over the ground from its median place.
    pub drift: f64,
    /// First frame.
    pub first_frame: usize,
    /// Frames in which it stands.
    pub n_frames: usize,
}

/// How a step was made.
#[derive(Clone, Debug)]
pub struct StepReport {
    /// What was chosen, and what was not.
    pub choice: Choice,
    /// The steps that were blended.
    pub blended: Vec<BlendedStep>,
    /// When the foot landed, from the first frame.
    pub landed: f64,
}

/// A recorded step and how much of it.
#[derive(Clone, Debug)]
pub struct BlendedStep {
    /// Index into the database's steps.
    pub step: usize,
    /// Weights sum to 1.
    pub weight: f64,
    /// Where it was recorded.
    pub source: StepSource,
}

impl AnimatedPlan {
    /// Footprints that no ball stood on.
    pub fn n_missed(&self) -> usize {
        self.footprints.iter().filter(|print| print.placement.is_none()).count()
    }

    /// Largest distance of a ball from its footprint over all plants, in metres.
    pub fn largest_error(&self) -> f64 {
        self.placements().fold(0.0, |most, placement| most.max(placement.error))
    }

    /// Largest drift of a ball within a plant, in metres.
    pub fn largest_drift(&self) -> f64 {
        self.placements().fold(0.0, |most, placement| most.max(placement.drift))
    }

    /// How many steps were made in a way.
    pub fn n_made(&self, made: Made) -> usize {
        self.steps().filter(|step| step.choice.made == made).count()
    }

    /// The steps, without the standing feet.
    pub fn steps(&self) -> impl Iterator<Item = &StepReport> {
        self.footprints.iter().filter_map(|print| print.step.as_ref())
    }

    /// The farthest that any step lies outside what the database spans, in metres.
    pub fn farthest_outside(&self) -> f64 {
        self.steps().fold(0.0, |most, step| most.max(step.choice.outside))
    }

    fn placements(&self) -> impl Iterator<Item = &Placement> {
        self.footprints.iter().filter_map(|print| print.placement.as_ref())
    }
}

/// Walks a plan with the steps of a database, and measures every footprint.
pub fn animate_plan(
    database: &Arc<StepDatabase>,
    plan: &FootPlan,
    options: &WalkOptions,
) -> Result<AnimatedPlan, AnimateError> {
    if frames_needed(database, plan, options) > MAX_ANIMATE_FRAMES as f64 {
        return Err(AnimateError::TooLong { limit: MAX_ANIMATE_FRAMES });
    }
    let Animated { take, steps } = animate(database, plan, options)?;
    let body = database.body().body().clone();
    let feet = feet_of(&take, &body);
    let realised = measure_footprints(plan, &feet, &take.contacts, take.clip.frame_rate, StaysFrom::Contacts);
    let footprints = (0..plan.footprints.len())
        .map(|index| report(database, plan, &take, &steps, &feet, &realised.footprints, index))
        .collect();
    Ok(AnimatedPlan { take, body, footprints })
}

/// About how many frames a plan takes: wished times where they count in full, and those of a typical step.
fn frames_needed(database: &StepDatabase, plan: &FootPlan, options: &WalkOptions) -> f64 {
    let n_steps = database.steps().len().max(1) as f64;
    let mean = |time: fn(&surefoot_locomotion::steps::StepTimes) -> f64| {
        database.steps().iter().map(|step| time(&step.times)).sum::<f64>() / n_steps
    };
    let (swing, support) = (mean(|times| times.swing), mean(|times| 0.5 * (times.first + times.last)));
    let wished = |own: f64, wish: Option<f64>| wish.map_or(own, |wish| own + options.time_weight * (wish - own));
    let steps = plan.footprints.iter().skip(2);
    let seconds: f64 = steps.map(|print| wished(swing, print.swing) + wished(support, print.support)).sum();
    seconds * options.frame_rate
}

/// Ankles, heels and balls in all frames, one pose at a time.
fn feet_of(take: &Take, body: &BodyMap) -> PerSide<FootPoints> {
    let mut feet: PerSide<FootPoints> = PerSide::default();
    let mut world = WorldPose::default();
    for pose in &take.clip.poses {
        world.fill(&take.clip.skeleton, pose);
        for side in Side::BOTH {
            let foot = &mut feet[side];
            foot.ankle.push(world.position(body.legs[side].ankle));
            foot.heel.push(body.heel(&world, side));
            foot.ball.push(body.ball(&world, side));
        }
    }
    feet
}

fn report(
    database: &StepDatabase,
    plan: &FootPlan,
    take: &Take,
    steps: &[WalkedStep],
    feet: &PerSide<FootPoints>,
    realised: &[Option<FootprintError>],
    index: usize,
) -> FootprintReport {
    let print = &plan.footprints[index];
    let step = index.checked_sub(2).and_then(|k| steps.get(k));
    let end = take.clip.n_frames().saturating_sub(1) as f64 / take.clip.frame_rate;
    // The double support after a landing belongs to the next step; after the last one both feet stand to the end.
    let support = match (index.checked_sub(1).and_then(|k| steps.get(k)), step) {
        (Some(next), _) => Some(next.support_before),
        (None, Some(last)) => Some(end - last.landed),
        (None, None) => None,
    };
    let found = realised[index].as_ref();
    let placement = found.map(|found| {
        let until = later_of_side(plan, realised, index).map_or(usize::MAX, |next| next.frames.start);
        placement(print.position, take, print.side, feet, found, until)
    });
    let middle = found.map(|found| (found.frames.start + found.frames.end - 1) / 2);
    let way = middle.map(|at| feet[print.side].ball[at] - feet[print.side].ankle[at]);
    let heading = way.and_then(surefoot_geom::direction_heading);
    let nearest = |heading: f64, wish: f64| wish + wrap_angle(heading - wish);
    FootprintReport {
        index,
        side: print.side,
        step: step.map(|step| step_report(database, step)),
        placement,
        heading: Wished {
            made: heading.map(|heading| print.heading.map_or(heading, |wish| nearest(heading, wish))),
            wish: print.heading,
        },
        swing: Wished { made: step.map(|step| step.swing), wish: print.swing },
        support: Wished { made: support, wish: print.support },
    }
}

/// The same angle in [-pi, pi).
fn wrap_angle(angle: f64) -> f64 {
    use std::f64::consts::{PI, TAU};
    (angle + PI).rem_euclid(TAU) - PI
}

/// The next footprint of the same foot that was stood on.
fn later_of_side<'a>(
    plan: &FootPlan,
    realised: &'a [Option<FootprintError>],
    index: usize,
) -> Option<&'a FootprintError> {
    let side = plan.footprints[index].side;
    (index + 1..plan.footprints.len()).find(|&k| plan.footprints[k].side == side).and_then(|k| realised[k].as_ref())
}

/// Over all plants of the ball from its first frame on the footprint to its first on the next one.
fn placement(
    wish: Vec3,
    take: &Take,
    side: Side,
    feet: &PerSide<FootPoints>,
    found: &FootprintError,
    until: usize,
) -> Placement {
    let (mut error, mut n_frames) = (0.0f64, 0);
    let plants = take.contacts.plants[side].iter().filter(|plant| plant.part == FootPart::Ball);
    // Plants are in order of their beginnings.
    let from = found.frames.start;
    for plant in plants.skip_while(|plant| plant.frames.start < from).take_while(|plant| plant.frames.start < until) {
        n_frames += plant.frames.len();
        for frame in plant.frames.clone() {
            error = error.max(feet[side].ball[frame].distance(wish));
        }
    }
    Placement { error, drift: found.drift, first_frame: from, n_frames }
}

fn step_report(database: &StepDatabase, step: &WalkedStep) -> StepReport {
    let blended = step.choice.parts().iter().map(|part| BlendedStep {
        step: part.step,
        weight: part.weight,
        source: database.steps()[part.step].source.clone(),
    });
    StepReport { blended: blended.collect(), choice: step.choice.clone(), landed: step.landed }
}
