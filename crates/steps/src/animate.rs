//! A foot plan becomes a take.
//!
//! Reference: STRIDE A.2, `generate_chain`.
//!
//! Plans that no body can walk are refused before any frame is made: numbers that mean nothing ([`FootPlan::check`]),
//! footprints too far apart for the legs, feet turned too far against each other.

use super::{StepDatabase, StepWalker, WalkOptions, WalkedStep};
use std::sync::Arc;
use surefoot_contact::{Contacts, FootPart, FootPlan, Take};
use surefoot_geom::turn_between;
use surefoot_motion::{Clip, Side};
use surefoot_plan::{PlanChecker, PlanError};

/// Longest way between the balls of both feet, as a share of the legs: with the hips above the middle of them and as
/// low as 0.42 of the legs above the ankles, both just reach.
const LONGEST: f64 = 1.75;
/// Highest step up or down, as a share of the legs.
const HIGHEST: f64 = 0.7;
/// Furthest turn between both feet, in radians (137 degrees), and of one foot in one step (172 degrees).
const MAX_TURN: f64 = 2.4;

/// Why a plan cannot be walked. Footprints are numbered from 0, as in a plan's file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AnimateError {
    /// The plan itself is wrong.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Two footprints are no walk.
    #[error("a walk has at least three footprints: the standing feet and one step; this plan has {found}")]
    NoSteps {
        /// How many there are.
        found: usize,
    },
    /// Farther than the legs reach.
    #[error(
        "footprints[{footprint}] is {distance:.2} m from the other foot; legs of {leg:.2} m walk {limit:.2} m at most"
    )]
    TooFar {
        /// Which.
        footprint: usize,
        /// On the ground, in metres.
        distance: f64,
        /// Length of the legs.
        leg: f64,
        /// The farthest.
        limit: f64,
    },
    /// Higher or lower than the legs reach.
    #[error(
        "footprints[{footprint}] is {rise:+.2} m above the other foot; legs of {leg:.2} m climb {limit:.2} m at most"
    )]
    TooHigh {
        /// Which.
        footprint: usize,
        /// Metres, negative downward.
        rise: f64,
        /// Length of the legs.
        leg: f64,
        /// The highest.
        limit: f64,
    },
    /// Feet turned too far against each other.
    #[error(
        "footprints[{footprint}] is turned by {degrees:.0} degrees against the other foot; hips turn {limit:.0} at most"
    )]
    TurnedTooFar {
        /// Which.
        footprint: usize,
        /// Between both feet.
        degrees: f64,
        /// The furthest.
        limit: f64,
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
    /// The result would have more frames than memory should hold.
    #[error("the walk would have more than {limit} frames; take a lower frame rate or cut the plan in parts")]
    TooLong {
        /// The most.
        limit: usize,
    },
}

impl AnimateError {
    /// The footprint that is wrong, numbered from 0; `None` where the whole plan is.
    pub fn footprint(&self) -> Option<usize> {
        match self {
            AnimateError::Plan(error) => error.footprint(),
            AnimateError::TooFar { footprint, .. }
            | AnimateError::TooHigh { footprint, .. }
            | AnimateError::TurnedTooFar { footprint, .. } => Some(*footprint),
            _ => None,
        }
    }
}

/// Most frames of a walk: nine hours at 30 frames a second.
const MAX_FRAMES: usize = 1_000_000;

/// A walk, and what became of each footprint.
#[derive(Clone, Debug)]
pub struct Animated {
    /// The walk with its plants.
    pub take: Take,
    /// For each footprint but the two standing ones.
    pub steps: Vec<WalkedStep>,
}

/// Whether a body could walk a plan.
pub fn check_plan(database: &StepDatabase, plan: &FootPlan) -> Result<(), AnimateError> {
    PlanChecker::default().check(plan)?;
    let prints = &plan.footprints;
    if prints.len() < 3 {
        return Err(AnimateError::NoSteps { found: prints.len() });
    }
    let body = database.body();
    let leg = Side::BOTH.map(|side| body.leg_length(side)).iter().sum::<f64>() / 2.0;
    let mut standing = surefoot_motion::PerSide::from_fn(|side| usize::from(prints[0].side != side));
    for (index, print) in prints.iter().enumerate().skip(1) {
        let other = &prints[standing[print.side.opposite()]];
        standing[print.side] = index;
        let way = print.position - other.position;
        let (distance, rise) = (way.x.hypot(way.z), way.y);
        let limit = LONGEST * leg;
        if distance.hypot(rise) > limit {
            return Err(AnimateError::TooFar { footprint: index, distance, leg, limit });
        }
        if rise.abs() > HIGHEST * leg {
            return Err(AnimateError::TooHigh { footprint: index, rise, leg, limit: HIGHEST * leg });
        }
        if let (Some(a), Some(b)) = (print.heading, other.heading) {
            let turn = turn_between(b, a).abs();
            if turn > MAX_TURN {
                let (degrees, limit) = (turn.to_degrees(), MAX_TURN.to_degrees());
                return Err(AnimateError::TurnedTooFar { footprint: index, degrees, limit });
            }
        }
    }
    Ok(())
}

fn check_options(options: &WalkOptions) -> Result<(), AnimateError> {
    let checks = [
        ("the frame rate", options.frame_rate, 1.0, 1000.0),
        ("the weight of headings", options.heading_weight, 0.0, 1.0),
        ("the weight of times", options.time_weight, 0.0, 1.0),
        ("the root's window", options.root_window, 0.0, 1.0),
        ("the limit of extrapolation", options.choose.max_extrapolation, 0.0, 10.0),
        ("the power of choosing", options.choose.power, 1.0, 4.0),
        ("the limit of straying", options.choose.max_stray, 0.0, f64::MAX),
        ("the join's window", options.join_window, 0.0, 1.0),
        ("the weight of locations", options.choose.weights.location, 0.0, 1e6),
        ("the weight of orientations", options.choose.weights.orientation, 0.0, 1e6),
        ("the weight of timings", options.choose.weights.timing, 0.0, 1e6),
    ];
    match checks.into_iter().find(|(_, value, min, max)| !(min..=max).contains(&value)) {
        Some((what, value, min, max)) => Err(AnimateError::Option { what, value, min, max }),
        None => Ok(()),
    }
}

/// Walks a plan with the steps of a database.
pub fn animate(database: &Arc<StepDatabase>, plan: &FootPlan, options: &WalkOptions) -> Result<Animated, AnimateError> {
    check_options(options)?;
    check_plan(database, plan)?;
    let plan = stand_at_ends(plan);
    let [first, second, rest @ ..] = &plan.footprints[..] else { unreachable!("the plan was checked") };
    let mut walker = StepWalker::new(database.clone(), *options, [*first, *second]);
    let mut poses = Vec::new();
    let mut contacts = Contacts::none(0);
    let skeleton = database.body().skeleton().clone();
    let mut pose = skeleton.rest_pose();
    let mut drain = |walker: &mut StepWalker| {
        while let Some(frame) = walker.next_frame(&mut pose) {
            if poses.len() == MAX_FRAMES {
                return Err(AnimateError::TooLong { limit: MAX_FRAMES });
            }
            for side in Side::BOTH {
                let down = frame.down[side];
                let parts =
                    [(FootPart::Heel, down.heel, frame.heels[side]), (FootPart::Ball, down.ball, frame.balls[side])];
                for (part, _, position) in parts.into_iter().filter(|(_, stands, _)| *stands) {
                    contacts.mark(side, part, poses.len(), position);
                }
            }
            poses.push(pose.clone());
        }
        Ok(())
    };
    for print in rest {
        walker.push(print);
        drain(&mut walker)?;
    }
    walker.finish();
    drain(&mut walker)?;
    contacts.n_frames = poses.len();
    for side in Side::BOTH {
        contacts.plants[side].sort_by_key(|plant| (plant.frames.start, plant.frames.end));
    }
    let clip = Clip { name: "walk".to_string(), skeleton, frame_rate: options.frame_rate, poses };
    Ok(Animated { take: Take { clip, contacts }, steps: walker.walked().to_vec() })
}

/// Feet this near to each other stand, at the ends of a plan that says nothing of them, in metres: nearer than feet are
/// in walking.
const STANDING_APART: f64 = 0.4;
/// Double support of someone who stands before or after a walk, in seconds.
const STANDING: f64 = 0.45;

/// The plan with double supports as of standing at its ends, where feet stand side by side and nobody wished for
/// anything: steps that start and stop are taken there. [`animate`] does so by itself.
pub fn stand_at_ends(plan: &FootPlan) -> FootPlan {
    let mut plan = plan.clone();
    let prints = &mut plan.footprints;
    let n = prints.len();
    if n < 2 {
        return plan;
    }
    let side_by_side = |a: usize, b: usize| prints[a].position.distance(prints[b].position) < STANDING_APART;
    let (starts, stops) = (side_by_side(0, 1), side_by_side(n - 2, n - 1));
    if starts && prints[0].support.is_none() {
        prints[1].support = prints[1].support.or(Some(STANDING));
    }
    if stops {
        prints[n - 1].support = prints[n - 1].support.or(Some(STANDING));
    }
    plan
}
