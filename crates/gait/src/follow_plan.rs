//! A foot plan becomes a take: every footprint is stood on exactly (the heart of procedural gait).
//!
//! 1. The plan is checked: its own rules, both feet in turn, no foot turned too far from the other.
//! 2. Each step gets its gait and times. What follows the landing tells: a footprint with support (both feet down) is
//!    walked, one with 0 seconds of it is left in flight, which is running; if it does not tell, the manner's gait.
//!    Swing and support are as wished, but no step is shorter than `MIN_STEP_TIME`; else natural for the step's length.
//! 3. Steps are planned one after the other, each knowing the footprint after its own. Here reach is checked: of walking
//!    steps before, of running steps by the leap that came out.
//! 4. All are played frame by frame, and what stands becomes contacts.
//!
//! The last step is always a walking one: after a flight no one stands still.

use super::Gait;
use super::manner::Manner;
use super::moment::Moment;
use super::plan_walk::touchdown;
use super::rig::Rig;
use super::stand::Stand;
use super::step::{FootDown, Ground, Step};
use super::take_step::{FIRST_SWING, SETTLING, STARTING, StepRequest, is_down, take_step};
use std::sync::Arc;
use surefoot_contact::check_frame_rate::GRAVITY;
use surefoot_contact::{Contacts, FootPart, FootPlan, Footprint, Take};
use surefoot_geom::{Vec3, ground_point, turn_between};
use surefoot_ground::Terrain;
use surefoot_motion::BodyProportions;
use surefoot_motion::{Clip, PerSide, Side, Skeleton};
use surefoot_plan::{PlanChecker, PlanError};

/// How a plan is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowOptions {
    /// Walking or running, and how both are done.
    pub manner: Manner,
    /// Frames a second, 1 to 10,000.
    pub frame_rate: f64,
    /// Seconds of standing before and after.
    pub standing: f64,
}

/// Why a plan cannot be followed. Footprints are counted from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FollowError {
    /// It breaks the rules of plans.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A foot steps twice in a row.
    #[error(
        "footprint {number} is the {} foot's again: neither walking nor running takes two steps with one foot",
        side.name()
    )]
    SameFoot {
        /// Of the second.
        number: usize,
        /// Which foot.
        side: Side,
    },
    /// No leg is long enough.
    #[error(
        "footprint {number} is out of reach for a walking step: {distance:.2} m from the last and {rise:+.2} m up; \
         this body's legs are {leg:.2} m long. Run, or put footprints between"
    )]
    TooFar {
        /// Of the footprint.
        number: usize,
        /// On the ground, from the footprint before.
        distance: f64,
        /// Height above the footprint before.
        rise: f64,
        /// Length of the leg.
        leg: f64,
    },
    /// No one jumps like that.
    #[error(
        "footprint {number} is out of reach for a running step: it takes a leap of {speed:.1} m/s upward; \
         4 m/s is a good jump and 5 m/s the most. Put it nearer or lower"
    )]
    TooHighALeap {
        /// Of the footprint.
        number: usize,
        /// Vertical speed at toe-off.
        speed: f64,
    },
    /// A foot that turns further than a hip does.
    #[error(
        "footprint {number} is turned by {degrees:.0} degrees from the other foot; \
         at most {most:.0} are possible in one step"
    )]
    TurnedTooFar {
        /// Of the footprint.
        number: usize,
        /// How far.
        degrees: f64,
        /// How far it may be.
        most: f64,
    },
    /// A body that turns further than it can over one foot.
    #[error("footprint {number} turns the body by {degrees:.0} degrees; at most {most:.0} are possible in one step")]
    TurnsTooFar {
        /// Of the footprint.
        number: usize,
        /// How far.
        degrees: f64,
        /// How far it may be.
        most: f64,
    },
    /// An option is outside of its range.
    #[error("{what} is {value}; it must be from {min} to {max}")]
    Option {
        /// Which one.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The least.
        min: f64,
        /// The most.
        max: f64,
    },
}

/// Lowest that hips go above the higher ankle in walking, as a share of the leg.
const LOWEST_HIPS: f64 = 0.42;
/// Fastest that a runner leaves the ground upward, in metres a second: a jump of 1.3 m, as none has been measured.
const FASTEST_LEAP: f64 = 5.0;
/// Furthest turn between both feet, in radians (137 degrees).
const MAX_TURN: f64 = 2.4;
/// Furthest turn of the body in one step, in radians (80 degrees).
const MAX_BODY_TURN: f64 = 1.4;
/// Furthest that an ankle is from its hip along the ground when a foot lands, as a share of the leg.
const FURTHEST: f64 = 0.8;
/// Shortest step, in seconds.
const MIN_STEP_TIME: f64 = 0.12;
/// Shortest double support, in seconds.
const MIN_SUPPORT: f64 = 0.02;

/// The take that walks or runs a plan.
pub fn follow_plan(
    skeleton: Arc<Skeleton>,
    rig: &Rig,
    plan: &FootPlan,
    terrain: Option<&Terrain>,
    options: &FollowOptions,
) -> Result<Take, FollowError> {
    check_option("the frame rate", options.frame_rate, 1.0, 10_000.0)?;
    check_option("the time of standing", options.standing, 0.0, 600.0)?;
    let follower = Follower { build: rig.build(), ground: Ground { terrain }, plan, manner: &options.manner };
    let stands = follower.stands()?;
    let steps = follower.steps(&stands, options.standing)?;
    Ok(play(rig, &follower.ground, &steps, skeleton, options.frame_rate))
}

/// A flight of a run, as it was planned: what frames tell only as exactly as they are dense.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedFlight {
    /// From toe-off to landing, in seconds.
    pub duration: f64,
    /// How high the pelvis rises above where it left the ground, in metres.
    pub height: f64,
}

/// The flights of the take that [`follow_plan`] makes, in order, without its frames.
pub fn planned_flights(
    build: &BodyProportions,
    plan: &FootPlan,
    terrain: Option<&Terrain>,
    manner: &Manner,
) -> Result<Vec<PlannedFlight>, FollowError> {
    let follower = Follower { build, ground: Ground { terrain }, plan, manner };
    let steps = follower.steps(&follower.stands()?, 0.0)?;
    let flights = steps.iter().filter_map(|step| {
        let flight = step.pelvis.flight?;
        let (duration, up) = (step.duration - flight.start, flight.velocity.y.max(0.0));
        let rising = duration.min(up / GRAVITY);
        Some(PlannedFlight { duration, height: (up - 0.5 * GRAVITY * rising) * rising })
    });
    Ok(flights.collect())
}

fn check_option(what: &'static str, value: f64, min: f64, max: f64) -> Result<(), FollowError> {
    if (min..=max).contains(&value) { Ok(()) } else { Err(FollowError::Option { what, value, min, max }) }
}

struct Follower<'a> {
    build: &'a BodyProportions,
    ground: Ground<'a>,
    plan: &'a FootPlan,
    manner: &'a Manner,
}

impl Follower<'_> {
    fn stands(&self) -> Result<Vec<Stand>, FollowError> {
        PlanChecker::default().check(self.plan)?;
        let prints = &self.plan.footprints;
        // The standing feet may be told in either order, so that either may step first.
        for (index, pair) in prints.windows(2).enumerate().skip(2) {
            if pair[0].side == pair[1].side {
                return Err(FollowError::SameFoot { number: index + 2, side: pair[1].side });
            }
        }
        let normal = |p: Vec3| self.ground.terrain.map_or(Vec3::Y, |terrain| terrain.normal(ground_point(p)));
        let stands: Vec<Stand> = (0..prints.len())
            .map(|index| {
                let Footprint { position, side, .. } = prints[index];
                let stand = Stand::new(position, self.heading(index), normal(position));
                self.ground.terrain.map_or(stand, |terrain| stand.with_heel_on(terrain, &self.build.soles[side]))
            })
            .collect();
        for (index, pair) in stands.windows(2).enumerate() {
            let turn = turn_between(pair[0].heading, pair[1].heading).abs();
            if turn > MAX_TURN {
                let (degrees, most) = (turn.to_degrees(), MAX_TURN.to_degrees());
                return Err(FollowError::TurnedTooFar { number: index + 2, degrees, most });
            }
        }
        // The body faces between its feet.
        let facing: Vec<f64> =
            stands.windows(2).map(|pair| super::step::between_headings(pair[0].heading, pair[1].heading)).collect();
        for (index, pair) in facing.windows(2).enumerate() {
            let turn = turn_between(pair[0], pair[1]).abs();
            if turn > MAX_BODY_TURN {
                let (degrees, most) = (turn.to_degrees(), MAX_BODY_TURN.to_degrees());
                return Err(FollowError::TurnsTooFar { number: index + 3, degrees, most });
            }
        }
        Ok(stands)
    }

    /// The footprint's own heading, else where the way goes.
    fn heading(&self, index: usize) -> f64 {
        let prints = &self.plan.footprints;
        prints[index].heading.unwrap_or_else(|| {
            let told = prints[..index].iter().rev().chain(&prints[index + 1..]).find_map(|print| print.heading);
            let (before, after) = (index.saturating_sub(2), (index + 2).min(prints.len() - 1));
            let way = prints[after].position - prints[before].position;
            told.or_else(|| surefoot_geom::direction_heading(Vec3::new(way.x, 0.0, way.z))).unwrap_or(0.0)
        })
    }

    fn steps(&self, stands: &[Stand], standing: f64) -> Result<Vec<Step>, FollowError> {
        let prints = &self.plan.footprints;
        let bearing = self.manner.bearing();
        let feet = PerSide::from_fn(|side| stands[usize::from(prints[0].side != side)]);
        let mut moment = Moment::standing(self.build, &feet, &bearing);
        let mut steps = Vec::with_capacity(stands.len());
        if standing > 0.0 {
            let (step, after) = moment.settle(self.build, &bearing, standing);
            steps.push(step);
            moment = after;
        }
        let mut both_down = STARTING;
        // Of the last running step.
        let mut flight = 0.0;
        for index in 2..stands.len() {
            let (side, to) = (prints[index].side, stands[index]);
            let gait = self.gait(index);
            let length = prints[index].position.distance(prints[index - 1].position);
            let natural = self.manner.natural_step_time(gait, length, self.build.height);
            let was_down = is_down(&moment, side);
            let duration = match prints[index].swing {
                Some(swing) if was_down => swing + both_down,
                Some(swing) => swing - flight,
                None if index == 2 => natural + STARTING - self.manner.both_down(natural),
                None if gait == Gait::Run && was_down => natural.max(self.manner.first_run_step_time()),
                None => natural,
            };
            let duration = duration.max(MIN_STEP_TIME);
            // A first step takes longer than its pace.
            let pace = match prints[index].swing {
                Some(swing) if index == 2 => swing / FIRST_SWING,
                None if index == 2 => natural,
                _ => duration,
            };
            let overlap = match (gait, prints[index].support) {
                (Gait::Walk, Some(support)) => support.max(MIN_SUPPORT),
                (Gait::Walk, None) => self.manner.both_down(pace),
                (Gait::Run, _) => self.manner.flight(pace),
            };
            let then = stands.get(index + 1).copied();
            let request = StepRequest { gait, side, to, then, duration, both_down, overlap };
            self.check_reach(index, &moment, &request)?;
            let (step, after) = take_step(self.build, &self.ground, &moment, &request, self.manner);
            if let Some(leap) = step.pelvis.flight.filter(|flight| flight.velocity.y > FASTEST_LEAP) {
                return Err(FollowError::TooHighALeap { number: index + 1, speed: leap.velocity.y });
            }
            // Landings keep the plan's times, whatever part of a step its own leg lets it fly.
            (both_down, flight) = match gait {
                Gait::Walk => (overlap, 0.0),
                Gait::Run => (STARTING, overlap),
            };
            steps.push(step);
            moment = after;
        }
        let (step, _) = moment.settle(self.build, &bearing, SETTLING + standing);
        steps.push(step);
        Ok(steps)
    }

    /// What follows a footprint's landing tells.
    fn gait(&self, index: usize) -> Gait {
        let print = &self.plan.footprints[index];
        if index + 1 == self.plan.footprints.len() {
            return Gait::Walk;
        }
        match print.support {
            Some(support) if support > 0.0 => Gait::Walk,
            Some(_) => Gait::Run,
            None => self.manner.gait,
        }
    }

    fn check_reach(&self, index: usize, moment: &Moment, request: &StepRequest) -> Result<(), FollowError> {
        if request.gait == Gait::Run {
            return Ok(());
        }
        let side = request.side;
        let here = moment.feet[side.opposite()].stand();
        let end =
            touchdown(self.build, side, &here, &request.to, moment.feet[side].stand(), &self.manner.walk.attributes);
        let ankles =
            [here.ankle(&self.build.soles[side.opposite()], 0.0), request.to.ankle(&self.build.soles[side], 0.0)];
        let hips = end.pelvis.translation.y + 0.5 * (self.build.hips.left.y + self.build.hips.right.y);
        let leg = self.build.leg_length(side);
        let away = ankles.map(|ankle| ankle - end.pelvis.translation);
        let level = away.map(|away| away.x.hypot(away.z)).into_iter().fold(0.0, f64::max);
        if hips - ankles[0].y.max(ankles[1].y) < LOWEST_HIPS * leg || level > FURTHEST * leg {
            let way = request.to.ball - here.ball;
            let (distance, rise) = (way.x.hypot(way.z), way.y);
            return Err(FollowError::TooFar { number: index + 1, distance, rise, leg });
        }
        Ok(())
    }
}

/// Steps become frames, and what stands in them becomes contacts.
fn play(rig: &Rig, ground: &Ground<'_>, steps: &[Step], skeleton: Arc<Skeleton>, frame_rate: f64) -> Take {
    let total: f64 = steps.iter().map(|step| step.duration).sum();
    let n_frames = (total * frame_rate + 1e-9).floor() as usize + 1;
    let mut poses = Vec::with_capacity(n_frames);
    let mut contacts = Contacts::none(n_frames);
    let (mut index, mut began) = (0, 0.0);
    let mut pose = rig.rest_pose().clone();
    for frame in 0..n_frames {
        let time = frame as f64 / frame_rate;
        // A rounding of the time must not cost a landing its frame.
        while index + 1 < steps.len() && time + 1e-9 >= began + steps[index].duration {
            began += steps[index].duration;
            index += 1;
        }
        let step = &steps[index];
        let (posture, down) = step.posture(rig.build(), ground, time - began);
        rig.pose(&posture, &mut pose);
        poses.push(pose.clone());
        for side in Side::BOTH {
            mark(&mut contacts, rig.build(), side, frame, down[side], &step.legs[side].stand);
        }
    }
    for side in Side::BOTH {
        contacts.plants[side].sort_by_key(|plant| (plant.frames.start, plant.frames.end));
    }
    let clip = Clip { name: "gait".to_string(), skeleton, frame_rate, poses };
    Take { clip, contacts }
}

/// Lengthens the plants that go on and begins those that begin.
fn mark(contacts: &mut Contacts, build: &BodyProportions, side: Side, frame: usize, down: FootDown, stand: &Stand) {
    let parts = [(FootPart::Heel, down.heel, stand.heel(&build.soles[side])), (FootPart::Ball, down.ball, stand.ball)];
    for (part, _, position) in parts.into_iter().filter(|(_, planted, _)| *planted) {
        contacts.mark(side, part, frame, position);
    }
}
