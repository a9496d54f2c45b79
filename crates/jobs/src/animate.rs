//! A foot plan becomes a walk, with a report on every footprint (STRIDE).
//!
//! 1. A plan whose walk would be too long for memory is refused by its length, before anything is made.
//! 2. [`surefoot_steps::animate`] walks it.
//! 3. Every footprint is measured in the walk that came out: nothing is told that was not looked up in the frames.

use std::ops::Range;
use std::sync::Arc;
use surefoot_contact::{FootPart, FootPlan, Take};
use surefoot_geom::{Vec3, direction_heading, median, turn_between};
use surefoot_motion::{BodyMap, PerSide, Side, WorldPose};
use surefoot_steps::{
    AnimateError, Animated, Choice, Made, StepDatabase, StepSource, WalkOptions, WalkedStep, animate,
};

/// Most frames of a walk in memory: more than an hour at 60 frames a second. Longer ones are for
/// [`surefoot_steps::StepWalker`], which keeps one step at a time.
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
    let walked =
        Walked { database, plan, feet: feet_of(&take, &body), stays: stays_of(plan, &take, &steps), steps: &steps };
    let end = take.clip.n_frames().saturating_sub(1) as f64 / take.clip.frame_rate;
    let footprints = (0..plan.footprints.len()).map(|index| walked.report(index, end)).collect();
    Ok(AnimatedPlan { take, body, footprints })
}

/// About how many frames a plan takes: wished times where they count in full, and those of a typical step.
fn frames_needed(database: &StepDatabase, plan: &FootPlan, options: &WalkOptions) -> f64 {
    let n_steps = database.steps().len().max(1) as f64;
    let mean = |time: fn(&surefoot_steps::StepTimes) -> f64| {
        database.steps().iter().map(|step| time(&step.times)).sum::<f64>() / n_steps
    };
    let (swing, support) = (mean(|times| times.swing), mean(|times| 0.5 * (times.first + times.last)));
    let wished = |own: f64, wish: Option<f64>| wish.map_or(own, |wish| own + options.time_weight * (wish - own));
    let steps = plan.footprints.iter().skip(2);
    let seconds: f64 = steps.map(|print| wished(swing, print.swing) + wished(support, print.support)).sum();
    seconds * options.frame_rate
}

/// Where the ankle and the ball of a foot are in all frames.
#[derive(Default)]
struct FootTrack {
    ankle: Vec<Vec3>,
    ball: Vec<Vec3>,
}

/// Both feet, one pose at a time.
fn feet_of(take: &Take, body: &BodyMap) -> PerSide<FootTrack> {
    let mut feet: PerSide<FootTrack> = PerSide::default();
    let mut world = WorldPose::default();
    for pose in &take.clip.poses {
        world.fill(&take.clip.skeleton, pose);
        for side in Side::BOTH {
            feet[side].ankle.push(world.position(body.legs[side].ankle));
            feet[side].ball.push(body.ball(&world, side));
        }
    }
    feet
}

/// The frames in which each footprint's ball stands: all plants of its foot from its landing to the next one.
fn stays_of(plan: &FootPlan, take: &Take, steps: &[WalkedStep]) -> Vec<Vec<Range<usize>>> {
    // A rounding of the time must not put a plant before its landing.
    let frame_of = |time: f64| (time * take.clip.frame_rate - 1e-6).ceil().max(0.0) as usize;
    let landed = |index: usize| index.checked_sub(2).and_then(|k| steps.get(k)).map_or(0, |step| frame_of(step.landed));
    let mut stays = vec![Vec::new(); plan.footprints.len()];
    for side in Side::BOTH {
        let mut mine = (0..plan.footprints.len()).filter(|&k| plan.footprints[k].side == side).peekable();
        let Some(mut current) = mine.next() else { continue };
        for plant in take.contacts.plants[side].iter().filter(|plant| plant.part == FootPart::Ball) {
            while let Some(next) = mine.next_if(|&next| landed(next) <= plant.frames.start) {
                current = next;
            }
            stays[current].push(plant.frames.clone());
        }
    }
    stays
}

/// What reports are made from.
struct Walked<'a> {
    database: &'a StepDatabase,
    plan: &'a FootPlan,
    steps: &'a [WalkedStep],
    feet: PerSide<FootTrack>,
    stays: Vec<Vec<Range<usize>>>,
}

impl Walked<'_> {
    /// What became of a footprint in a walk that ends at a time.
    fn report(&self, index: usize, end: f64) -> FootprintReport {
        let print = &self.plan.footprints[index];
        let step = index.checked_sub(2).and_then(|k| self.steps.get(k));
        // The double support after a landing belongs to the next step; after the last one both feet stand to the end.
        let support = match (index.checked_sub(1).and_then(|k| self.steps.get(k)), step) {
            (Some(next), _) => Some(next.support_before),
            (None, Some(last)) => Some(end - last.landed),
            (None, None) => None,
        };
        FootprintReport {
            index,
            side: print.side,
            step: step.map(|step| step_report(self.database, step)),
            placement: self.placement(index),
            heading: Wished { made: self.heading(index), wish: print.heading },
            swing: Wished { made: step.map(|step| step.swing), wish: print.swing },
            support: Wished { made: support, wish: print.support },
        }
    }

    fn placement(&self, index: usize) -> Option<Placement> {
        let print = &self.plan.footprints[index];
        let stays = &self.stays[index];
        let ball = &self.feet[print.side].ball;
        let places = || stays.iter().flat_map(|stay| &ball[stay.clone()]);
        let middle = |axis: fn(&Vec3) -> f64| median(&mut places().map(axis).collect::<Vec<f64>>());
        let [x, z] = [middle(|place| place.x)?, middle(|place| place.z)?];
        Some(Placement {
            error: places().fold(0.0, |most, place| most.max(place.distance(print.position))),
            drift: places().fold(0.0, |most, place| most.max((place.x - x).hypot(place.z - z))),
            first_frame: stays.first()?.start,
            n_frames: stays.iter().map(Range::len).sum(),
        })
    }

    /// From ankle to ball in the middle of the longest plant, within half a circle of the wish.
    fn heading(&self, index: usize) -> Option<f64> {
        let print = &self.plan.footprints[index];
        let longest = self.stays[index].iter().max_by_key(|stay| stay.len())?;
        let at = (longest.start + longest.end - 1) / 2;
        let foot = &self.feet[print.side];
        let heading = direction_heading(foot.ball[at] - foot.ankle[at])?;
        let wish = print.heading.unwrap_or(0.0);
        Some(wish + turn_between(wish, heading))
    }
}

fn step_report(database: &StepDatabase, step: &WalkedStep) -> StepReport {
    let blended = step.choice.parts().iter().map(|part| BlendedStep {
        step: part.step,
        weight: part.weight,
        source: database.steps()[part.step].source.clone(),
    });
    StepReport { blended: blended.collect(), choice: step.choice.clone(), landed: step.landed }
}
