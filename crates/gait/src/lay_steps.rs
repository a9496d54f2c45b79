//! Footprints from parameters: straight on, in a turn, sideways or backward, along a path, over any ground.
//!
//! Walking starts with a shorter step and ends with one that brings the feet together. Running gains its step length step by
//! step and loses it again, for a body cannot gain or lose its speed at once; its last step but one is a walking step, its
//! last closes. A run of few steps does not come to its full length. A single step of either gait is a walking one that does
//! not close. Steps sideways and backward are no longer than people take them, stairs are taken one by one, and sharp
//! corners of a path are turned on the spot.

use super::course::{Advance, Course, longest_step, put_down};
use super::equations::DEFAULT_HEIGHT;
use super::foot_plant::FootPlant;
use super::step::{between_headings, left_sign};
use super::take_step::{FIRST_SWING, STARTING};
use super::{Ends, Gait, GaitSettings, RunParameters};
use std::f64::consts::FRAC_PI_2;
use surefoot_contact::{FootPlan, Footprint};
use surefoot_geom::{Vec3, ground_point, heading_direction, turn_between};
use surefoot_ground::TravelCurve;
use surefoot_ground::{Path, PathError, Terrain};
use surefoot_motion::BodyProportions;
use surefoot_motion::Side;
use surefoot_plan::{SolePrint, SoleShape};

/// Where steps shall go.
#[derive(Clone, Debug, PartialEq)]
pub struct LayOptions<'a> {
    /// How many steps; along a path as many as it takes if `None`, else 10.
    pub n_steps: Option<usize>,
    /// Turn of the body with each step, positive to the left, in radians. Default 0.
    pub turn: f64,
    /// Direction of the path against the body's heading, in radians: 0 forward, a quarter turn to the left, half a turn
    /// backward. Default 0.
    pub direction: f64,
    /// The foot that steps first. Default left.
    pub first: Side,
    /// Where it begins, in metres. Default the origin.
    pub start: Vec3,
    /// Heading at its start, in radians. Default 0.
    pub heading: f64,
    /// A path to follow instead of the start, heading and turn.
    pub path: Option<&'a Path>,
    /// The ground. Default flat at the start's height.
    pub terrain: Option<&'a Terrain>,
    /// Whether someone stands on the first two footprints, or comes by. Default standing.
    pub begin: Ends,
    /// Whether someone stops on the last two, or goes on. Default standing.
    pub end: Ends,
}

impl Default for LayOptions<'_> {
    fn default() -> Self {
        LayOptions {
            n_steps: None,
            turn: 0.0,
            direction: 0.0,
            first: Side::Left,
            start: Vec3::ZERO,
            heading: 0.0,
            path: None,
            terrain: None,
            begin: Ends::Standing,
            end: Ends::Standing,
        }
    }
}

/// Footprints, and how each of them is stepped to.
#[derive(Clone, Debug, PartialEq)]
pub struct LaidSteps {
    /// The footprints with their times.
    pub plan: FootPlan,
    /// The settings of each step, the first for that to `footprints[2]`.
    pub settings: Vec<GaitSettings>,
}

/// What each step is asked to be.
#[derive(Clone, Copy)]
pub struct Pace<'a> {
    /// The settings of a step from its number, the seconds from the first frame to its middle, and the gait of the step before.
    pub settings: &'a dyn Fn(usize, f64, Option<Gait>) -> GaitSettings,
    /// Seconds of standing before the first step.
    pub standing: f64,
    /// Steps go on until this time, where neither their number nor a path says how far. `None`: ten steps.
    pub until: Option<f64>,
}

const DEFAULT_STEPS: usize = 10;
/// Most steps of a plan.
const MAX_STEPS: usize = 100_000;
/// The first step of a walk, of a full one.
pub(super) const FIRST_STEP: f64 = 0.65;
/// The first step of a run, and how much longer each next one may be and how much shorter while it stops, as shares of the height.
pub(super) const RUN_START: f64 = 0.28;
pub(super) const RUN_GAIN: f64 = 0.12;
pub(super) const RUN_LOSS: f64 = 0.12;
/// Step length, as a share of the height, and cadence of a person 1.8 m tall above which a run is a sprint (22 km/h), and how much longer each of its
/// first steps may be.
const SPRINT: (f64, f64) = (0.95, 3.1);
const SPRINT_GAIN: f64 = 0.105;
/// Of a walking step's time, least that the first running step is timed by: sprinters start no faster than others.
const FIRST_RUN_SHARE: f64 = 0.58;
/// Most that a walking step is longer or shorter than the one before because another is asked for, as a share of the height.
const WALK_CHANGE: f64 = 0.07;
/// The walking step after the last running one, as a share of the height.
pub(super) const RUN_STOP: f64 = 0.34;
/// Largest turn of the path in one step, in radians (52 and 29 degrees).
const MAX_TURN: f64 = 0.9;
pub(super) const MAX_RUN_TURN: f64 = 0.5;
/// Fastest that a running body is turned, as an acceleration in m/s2: a lean of 29 degrees.
const MAX_SIDEWAYS: f64 = 5.5;
/// How short a running step is taken in a corner of a path before it is turned on the spot, of its length.
const SHORTEST_IN_CORNER: f64 = 0.35;
/// Highest rise or drop from one footprint to the next, as a share of the height: one stair at a time.
const MAX_RISE: f64 = 0.13;
/// Nearest that the balls of both feet are planted, in metres; checkers of plans refuse nearer ones.
const FEET_APART: f64 = 0.08;
/// How far apart feet are planted that would be nearer.
const MOVED_APART: f64 = 0.1;
/// How far a foot is beside the other at least around corners of a path, as a share of the stride's width.
const LEAST_BESIDE: f64 = 0.8;
/// How far the outlines of two soles may overlap there, and in what steps and how often a foot is moved until they do not, in metres.
const MOST_OVERLAP: f64 = 0.015;
const MOVE: f64 = 0.02;
const MOST_MOVES: usize = 12;
/// Highest rise or drop that is left to the checker of plans to judge, as a share of the height: about the length of
/// a leg. No body takes a higher step.
const HIGHEST_RISE: f64 = 0.5;
/// Runs down stairs are quicker where treads make their steps shorter: the least share of a step's time; and what a step goes down at least
/// for that, in metres.
const QUICKEST: f64 = 0.7;
const LEVEL: f64 = 0.05;
/// How often a step is shortened, and by what factor, before the ground there counts as too steep.
const MAX_TRIES: usize = 12;
const SHORTER: f64 = 0.85;
/// A step is not shortened below this share of its length.
const SMALLEST_STEP: f64 = 0.2;
/// No step is longer, as a share of the height.
const LONGEST_STEP: f64 = 2.5;
/// Most steps that take the place of one.
const MAX_EXTRA_STEPS: usize = 12;
/// Headings of a path are smoothed over this length, in metres.
const HEADING_REACH: f64 = 0.35;
/// The same of a run, as a share of its step: a corner of 90 degrees is turned in some three steps.
const RUN_HEADING_REACH: f64 = 1.2;

/// Why no footprints can be laid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LayError {
    /// An option is NaN or infinite.
    #[error("the {field} of the steps is {value}; it must be a finite number")]
    Option {
        /// Which.
        field: &'static str,
        /// As given.
        value: f64,
    },
    /// The path cannot be followed.
    #[error(transparent)]
    Path(#[from] PathError),
    /// More steps than a plan should have.
    #[error(
        "about {found} steps are asked for; at most {MAX_STEPS} are laid. Take fewer or longer steps, or cut the path in parts"
    )]
    TooMany {
        /// About how many.
        found: u64,
    },
    /// The ground rises or falls by more than any leg reaches.
    #[error(
        "footprints[{number}] would lie at [{:.2}, {:.2}], where the ground is at {:.2} m: {rise:+.2} m from the footprint before it; \
         no step of this body is higher than {limit:.2} m. Another path, or ground without that edge, would do",
        .at.x, .at.z, .at.y
    )]
    TooSteep {
        /// Of the footprint, from 0.
        number: usize,
        /// Where it would lie.
        at: Vec3,
        /// Height above the footprint before it, in metres.
        rise: f64,
        /// The most.
        limit: f64,
    },
}

/// The plan that gait settings make of a route, with its times.
///
/// The work is bounded: at most `MAX_STEPS` steps, each divided into at most `MAX_EXTRA_STEPS` of which each is shortened at most
/// `MAX_TRIES` times.
pub fn lay_steps(
    proportions: &BodyProportions,
    settings: &GaitSettings,
    options: &LayOptions<'_>,
) -> Result<FootPlan, LayError> {
    let pace = Pace { settings: &|_, _, _| *settings, standing: 0.0, until: None };
    Ok(lay_paced_steps(proportions, &pace, options)?.plan)
}

/// The same where each step has settings of its own. A step is no longer or shorter than the one before than people make it.
pub fn lay_paced_steps(
    proportions: &BodyProportions,
    pace: &Pace<'_>,
    options: &LayOptions<'_>,
) -> Result<LaidSteps, LayError> {
    check(options)?;
    let first = (pace.settings)(0, pace.standing, None);
    let reach = match first.gait {
        Gait::Walk => HEADING_REACH,
        // Runners turn over several steps.
        Gait::Run => HEADING_REACH.max(RUN_HEADING_REACH * first.run.parameters.step_length),
    };
    let curve = options.path.map(|path| TravelCurve::new(&path.points, reach));
    let mut layer = Layer { proportions, pace, options, curve, steps: Vec::new() };
    let mut laid = layer.lay()?;
    if options.path.is_some() {
        keep_beside(&mut laid, proportions, options.terrain);
    }
    keep_apart(&mut laid.plan, proportions, options.terrain);
    Ok(laid)
}

/// Moves footprints outward that a corner of the path would put in front of or across the other foot: people go around a corner
/// rather than cross their legs, and turn on the spot with their heels apart. Beside is square to halfway between where both feet point.
fn keep_beside(laid: &mut LaidSteps, proportions: &BodyProportions, terrain: Option<&Terrain>) {
    for index in 2..laid.plan.footprints.len() {
        let (other, print) = (laid.plan.footprints[index - 1], &mut laid.plan.footprints[index]);
        let settings = &laid.settings[index - 2];
        let width = match settings.gait {
            Gait::Walk => settings.walk.attributes.stride_width,
            Gait::Run => settings.run.attributes.stride_width,
        };
        let heading = print.heading.unwrap_or(0.0);
        let halfway = between_headings(other.heading.unwrap_or(heading), heading);
        let outward = heading_direction(halfway + FRAC_PI_2) * left_sign(print.side);
        let mut missing = (LEAST_BESIDE * width - (print.position - other.position).dot(outward)).max(0.0);
        let sole = |side: Side, at: Vec3, heading: f64| {
            SolePrint::new(&SoleShape::of(proportions, side), ground_point(at), heading)
        };
        let standing = sole(other.side, other.position, other.heading.unwrap_or(heading));
        let overlaps =
            |missing: f64| sole(print.side, print.position + outward * missing, heading).gap(&standing) < -MOST_OVERLAP;
        for _ in 0..MOST_MOVES {
            if !overlaps(missing) {
                break;
            }
            missing += MOVE;
        }
        if missing > 0.0 {
            let moved = print.position + outward * missing;
            print.position = put_down(moved, heading, terrain, proportions, print.side).ball;
        }
    }
}

/// Moves footprints outward that would be on the other foot: of very narrow walks, and of steps sideways.
fn keep_apart(plan: &mut FootPlan, proportions: &BodyProportions, terrain: Option<&Terrain>) {
    for index in 1..plan.footprints.len() {
        let (other, print) = (plan.footprints[index - 1], &mut plan.footprints[index]);
        let away = Vec3::new(print.position.x - other.position.x, 0.0, print.position.z - other.position.z);
        if away.length() >= FEET_APART || print.side == other.side {
            continue;
        }
        let heading = print.heading.unwrap_or(0.0);
        let outward = heading_direction(heading + FRAC_PI_2) * left_sign(print.side);
        let (out, along) = (away.dot(outward), away.reject_from(outward).length());
        let moved = print.position + outward * ((MOVED_APART * MOVED_APART - along * along).sqrt() - out);
        print.position = put_down(moved, heading, terrain, proportions, print.side).ball;
    }
}

fn check(options: &LayOptions<'_>) -> Result<(), LayError> {
    let numbers = [
        ("turn", options.turn),
        ("direction", options.direction),
        ("heading", options.heading),
        ("start's x", options.start.x),
        ("start's y", options.start.y),
        ("start's z", options.start.z),
    ];
    if let Some((field, value)) = numbers.into_iter().find(|(_, value)| !value.is_finite()) {
        return Err(LayError::Option { field, value });
    }
    if let Some(n_steps) = options.n_steps.filter(|&n_steps| n_steps > MAX_STEPS) {
        return Err(LayError::TooMany { found: n_steps as u64 });
    }
    options.path.map_or(Ok(()), |path| Ok(path.check()?))
}

struct Layer<'a> {
    proportions: &'a BodyProportions,
    pace: &'a Pace<'a>,
    options: &'a LayOptions<'a>,
    curve: Option<TravelCurve>,
    /// The settings of the steps, as far as they are known.
    steps: Vec<GaitSettings>,
}

impl Layer<'_> {
    fn lay(&mut self) -> Result<LaidSteps, LayError> {
        let lengths = self.lengths()?;
        let mut course = Course { position: self.options.start, heading: self.options.heading };
        let mut arc = 0.0;
        if let Some(curve) = &self.curve {
            course = on_curve(curve, 0.0);
        }
        let n_steps = lengths.len();
        let mut footprints = Vec::with_capacity(n_steps + 2);
        let mut settings = Vec::with_capacity(n_steps);
        let mut side = self.options.first;
        let mut pace_before = 1.0;
        let mut before: Option<(Gait, f64)> = None;
        for standing in [side, side.opposite()] {
            footprints.push(self.first_footprint(&course, standing, &lengths));
        }
        let mut carried = 0.0;
        for (index, &length) in lengths.iter().enumerate() {
            let gait = self.gait_of(index, n_steps);
            let runs_on = gait == Gait::Run && index + 1 < n_steps && self.gait_of(index + 1, n_steps) == Gait::Run;
            let mut left = length + std::mem::take(&mut carried);
            // A path is walked to its end, with more steps where its corners or the ground make them shorter.
            for _ in 0..MAX_EXTRA_STEPS {
                let last = footprints[footprints.len() - 1].position.y;
                // After a corner, or the last stair, a runner gains length with each step, as at the start.
                let longest = match before {
                    Some((Gait::Run, before)) => {
                        (before + RUN_GAIN * self.proportions.height).max(RUN_START * self.proportions.height)
                    }
                    _ => f64::INFINITY,
                };
                let asked = if gait == Gait::Run { left.min(length).min(longest) } else { left };
                let (next, taken, plant) = self.next_place(&course, arc, asked, side, (index, gait), last);
                before = Some((gait, taken));
                self.check_rise(footprints.len(), &plant, last)?;
                (course, arc, left) = (next, arc + taken, left - taken);
                let mut print = footprint(side, &plant);
                let is_run_down = gait == Gait::Run && plant.ball.y < last - LEVEL;
                let pace = if is_run_down { (taken / length).sqrt().clamp(QUICKEST, 1.0) } else { 1.0 };
                (print.swing, print.support) = self.times(index, n_steps, (pace_before, pace));
                pace_before = pace;
                footprints.push(print);
                settings.push(self.steps[index]);
                side = side.opposite();
                if self.curve.is_none() || left <= SMALLEST_STEP * length {
                    break;
                }
                // A runner takes no small step for what is left, but goes it with the next.
                if runs_on && left < taken {
                    carried = left;
                    break;
                }
            }
        }
        Ok(LaidSteps { plan: FootPlan { footprints }, settings })
    }

    /// Beside the start; of someone who comes by, the first foot is a step behind it, and both have their times.
    fn first_footprint(&self, course: &Course, side: Side, lengths: &[f64]) -> Footprint {
        let gait = self.gait_of(0, lengths.len());
        if self.options.begin == Ends::Standing {
            return footprint(side, &self.plant(course, side, 0.0, (0, Gait::Walk)));
        }
        // The step to here was as long as the one after the next.
        let length = lengths[usize::from(lengths.len() > 1)];
        let mut place = *course;
        if side == self.options.first {
            let by = self.advance(length, (0, gait));
            place.heading -= by.turn;
            place.position -= heading_direction(course.heading - 0.5 * by.turn + by.direction) * length;
        }
        let mut print = footprint(side, &self.plant(&place, side, length, (0, gait)));
        let before = usize::from(side != self.options.first && lengths.len() > 1);
        let (own, other) = (self.overlap(before, lengths.len()), self.overlap(0, lengths.len()));
        print.swing = Some(self.time(before, lengths.len()) - other);
        print.support = Some(own.max(0.0));
        print
    }

    /// The settings of the first steps, each from the time at which it comes.
    fn pace_steps(&mut self, n_steps: usize) {
        let mut time = match self.options.begin {
            Ends::Standing => self.pace.standing + STARTING,
            Ends::Moving => 0.0,
        };
        time += self.steps.iter().map(|settings| settings.step_time(settings.gait)).sum::<f64>();
        while self.steps.len() < n_steps {
            let before = self.steps.last();
            let half = before.map_or(0.25, |before| 0.5 * before.step_time(before.gait));
            let settings = (self.pace.settings)(self.steps.len(), time + half, before.map(|before| before.gait));
            time += settings.step_time(settings.gait);
            self.steps.push(settings);
        }
    }

    /// Whether a leg could be long enough for a step.
    fn check_rise(&self, number: usize, plant: &FootPlant, last: f64) -> Result<(), LayError> {
        let (rise, limit) = (plant.ball.y - last, HIGHEST_RISE * self.proportions.height);
        // Not `rise.abs() > limit`: a NaN must be refused as well.
        match rise.abs() <= limit {
            true => Ok(()),
            false => Err(LayError::TooSteep { number, at: plant.ball, rise, limit }),
        }
    }

    /// The next place on the path and the footprint there, no further than the ground and the turn of the path let one step go; and how
    /// far that is.
    fn next_place(
        &self,
        course: &Course,
        arc: f64,
        length: f64,
        side: Side,
        step: (usize, Gait),
        last: f64,
    ) -> (Course, f64, FootPlant) {
        let most_turn = match step.1 {
            Gait::Walk => MAX_TURN,
            Gait::Run => MAX_RUN_TURN,
        };
        let mut tried = length;
        let mut n_tries = 0;
        loop {
            let mut next = *course;
            let mut taken = tried;
            match &self.curve {
                Some(curve) => {
                    let ahead = on_curve(curve, arc + tried);
                    let turn = turn_between(course.heading, ahead.heading);
                    if turn.abs() > most_turn {
                        // A corner is run through with shorter steps, or turned on the spot.
                        if step.1 == Gait::Run && tried * SHORTER > SHORTEST_IN_CORNER * length {
                            tried *= SHORTER;
                            continue;
                        }
                        next.heading += most_turn * turn.signum();
                        taken = 0.0;
                    } else {
                        next = Course { position: ahead.position, heading: course.heading + turn };
                    }
                }
                None => next.advance(&self.advance(tried, step)),
            }
            let plant = self.plant(&next, side, taken, step);
            let rise = (plant.ball.y - last).abs();
            n_tries += 1;
            // A step of no length, which closes the feet, gets no shorter however often it is tried.
            let is_shortest = tried <= SMALLEST_STEP * length || n_tries == MAX_TRIES;
            if rise <= MAX_RISE * self.proportions.height || is_shortest {
                return (next, taken, plant);
            }
            tried *= SHORTER;
        }
    }

    /// How far each step goes.
    fn lengths(&mut self) -> Result<Vec<f64>, LayError> {
        if self.curve.is_none() {
            let n_steps = match (self.options.n_steps, self.pace.until) {
                (Some(n_steps), _) => n_steps,
                (None, None) => DEFAULT_STEPS,
                (None, Some(until)) => self.n_steps_until(until)?,
            };
            return Ok(self.lengths_of(n_steps));
        }
        // As many steps as come nearest to the full length, and then all alike.
        let distance = self.curve.as_ref().map_or(0.0, TravelCurve::length);
        let n_steps = match self.options.n_steps {
            Some(n_steps) => n_steps.max(1),
            None => self.n_steps_for(distance)?,
        };
        let lengths = self.lengths_of(n_steps);
        let total: f64 = lengths.iter().sum();
        Ok(lengths.into_iter().map(|length| length * distance / total.max(1e-9)).collect())
    }

    /// How many steps it takes to go as far.
    fn n_steps_for(&mut self, distance: f64) -> Result<usize, LayError> {
        self.pace_steps(2);
        let shortest = self.full(0).min(self.full(1)).max(1e-3);
        let about = distance / shortest;
        if about.is_nan() || about >= MAX_STEPS as f64 {
            return Err(LayError::TooMany { found: about as u64 });
        }
        let mut n_steps = if self.pace.until.is_some() { 2 } else { (about as usize).max(2) };
        // Each step more is about as long as a full one, so few are missing: those that start and stop are shorter. Steps that get
        // longer over time are found by going on, no further than the longest would.
        while n_steps <= MAX_STEPS {
            let missing = distance - self.lengths_of(n_steps).iter().sum::<f64>();
            if missing <= 0.0 {
                return Ok(n_steps);
            }
            n_steps += ((missing / (LONGEST_STEP * self.proportions.height)) as usize).max(1);
        }
        Err(LayError::TooMany { found: about as u64 })
    }

    /// How many steps are begun by a time, with those that then stop.
    fn n_steps_until(&mut self, until: f64) -> Result<usize, LayError> {
        let mut time = self.pace.standing;
        for n_steps in 0..MAX_STEPS {
            if time >= until {
                let is_run = n_steps > 0 && self.steps[n_steps - 1].gait == Gait::Run;
                let stopping = match (self.options.end, is_run) {
                    (Ends::Moving, _) => 0,
                    (Ends::Standing, false) => 1,
                    (Ends::Standing, true) => {
                        let length = self.full(n_steps - 1) / self.proportions.height;
                        ((length - RUN_STOP) / RUN_LOSS).ceil().max(0.0) as usize + 2
                    }
                };
                return Ok((n_steps + stopping).max(2));
            }
            self.pace_steps(n_steps + 1);
            time += self.steps[n_steps].step_time(self.steps[n_steps].gait);
        }
        Err(LayError::TooMany { found: MAX_STEPS as u64 })
    }

    /// A full step of some number.
    fn full(&self, index: usize) -> f64 {
        let settings = &self.steps[index];
        let length = match settings.gait {
            Gait::Walk => settings.walk.parameters.step_length,
            Gait::Run => {
                let time = settings.step_time(Gait::Run);
                let turned = MAX_SIDEWAYS * time * time / self.options.turn.abs().max(1e-9);
                settings.run.parameters.step_length.min(turned)
            }
        };
        longest_step(self.options.direction, length, self.proportions.height)
    }

    /// The lengths of steps of which the last closes the feet, unless the motion goes on.
    fn lengths_of(&mut self, n_steps: usize) -> Vec<f64> {
        self.pace_steps(n_steps.max(2));
        let height = self.proportions.height;
        let mut lengths: Vec<f64> = Vec::with_capacity(n_steps);
        for index in 0..n_steps {
            let (full, before) = (self.full(index), lengths.last().copied());
            let shift = if index > 0 && self.steps[index - 1].gait == Gait::Walk {
                WALK_CHANGE * height
            } else {
                f64::INFINITY
            };
            lengths.push(match (self.steps[index].gait, before) {
                (_, None) if self.options.begin == Ends::Moving => full,
                (Gait::Walk, None) => FIRST_STEP * full,
                (Gait::Run, None) => full.min(RUN_START * height),
                (Gait::Walk, Some(before)) => self.walked(index, full, before, shift),
                (Gait::Run, Some(before)) => full.min((before + self.run_gain(index) * height).max(RUN_START * height)),
            });
        }
        if self.options.end == Ends::Moving {
            return lengths;
        }
        // Backward from the stop.
        let mut is_tail = true;
        for index in (0..n_steps).rev() {
            let after = n_steps - 1 - index;
            is_tail &= self.steps[index].gait == Gait::Run;
            if after == 0 && n_steps > 1 {
                lengths[index] = 0.0;
            } else if self.steps[index].gait == Gait::Run {
                let most = match is_tail {
                    true => RUN_STOP + RUN_LOSS * after.saturating_sub(1) as f64,
                    false => lengths[index + 1] / height + RUN_LOSS,
                };
                lengths[index] = lengths[index].min(most * height);
            }
        }
        lengths
    }

    /// A walking step after another: where its target changes, no more than people change a step; limps and chance are theirs.
    fn walked(&self, index: usize, full: f64, before: f64, most: f64) -> f64 {
        // The step before may have been a first one, or one of a limp: what counts is how far it was from its own target.
        let was = if index == 1 && self.options.begin == Ends::Standing { self.full(0) } else { before };
        let alike = if index > 1 { self.full(index - 2) } else { full };
        if (full - alike).abs() <= most { full } else { full.clamp(was - most, was + most) }
    }

    /// Whether steps are as long and follow as fast as those of sprinters.
    fn is_sprint(&self, index: usize) -> bool {
        let RunParameters { step_length, cadence, .. } = self.steps[index].run.parameters;
        let height = self.proportions.height;
        step_length > SPRINT.0 * height && cadence * (height / DEFAULT_HEIGHT).sqrt() > SPRINT.1
    }

    /// How much longer each step of a run may be than the one before, as a share of the height. Sprinters gain less with each, for their speed to change no faster.
    fn run_gain(&self, index: usize) -> f64 {
        if self.is_sprint(index) { SPRINT_GAIN } else { RUN_GAIN }
    }

    /// Runs end with two walking steps.
    fn gait_of(&self, index: usize, n_steps: usize) -> Gait {
        let is_ending = self.options.end == Ends::Standing && index + 2 >= n_steps;
        if is_ending { Gait::Walk } else { self.steps[index].gait }
    }

    fn advance(&self, length: f64, (index, gait): (usize, Gait)) -> Advance {
        let settings = &self.steps[index];
        let (width, toe_out) = match (settings.gait, gait) {
            (Gait::Run, Gait::Run) => (settings.run.attributes.stride_width, settings.run.attributes.foot_angle),
            _ => (settings.walk.attributes.stride_width, settings.walk.attributes.foot_angle),
        };
        let turn = if length > 0.0 { self.options.turn } else { 0.0 };
        Advance { length, turn, direction: self.options.direction, width, toe_out }
    }

    fn plant(&self, course: &Course, side: Side, length: f64, step: (usize, Gait)) -> FootPlant {
        let by = self.advance(length, step);
        let mut plant = course.plant(side, &by, None, self.proportions);
        plant = put_down(plant.ball, plant.heading, self.options.terrain, self.proportions, side);
        plant
    }

    /// Seconds of a step.
    fn time(&self, index: usize, n_steps: usize) -> f64 {
        let (settings, gait) = (&self.steps[index], self.gait_of(index, n_steps));
        match (settings.gait, gait) {
            // The walking steps that end a run are taken at its pace, a little slower.
            (Gait::Run, Gait::Walk) => 1.25 * settings.step_time(Gait::Run),
            (Gait::Run, Gait::Run) if index == 0 && self.options.begin == Ends::Standing && self.is_sprint(0) => {
                settings.step_time(gait).max(FIRST_RUN_SHARE * settings.step_time(Gait::Walk))
            }
            // A body that comes from walking has to gain speed.
            (_, Gait::Run) if index > 0 && self.gait_of(index - 1, n_steps) == Gait::Walk => {
                settings.first_run_step_time()
            }
            _ => settings.step_time(gait),
        }
    }

    /// Seconds of double support after a step; negative in the air.
    fn overlap(&self, index: usize, n_steps: usize) -> f64 {
        self.overlap_of(index, n_steps, self.time(index, n_steps))
    }

    fn overlap_of(&self, index: usize, n_steps: usize, time: f64) -> f64 {
        match self.gait_of(index, n_steps) {
            Gait::Walk => self.steps[index].double_support(time),
            Gait::Run => -self.steps[index].flight(time),
        }
    }

    /// Swing and support of the footprint that a step leads to; the step before it and it take these shares of their times.
    fn times(&self, index: usize, n_steps: usize, (before, share): (f64, f64)) -> (Option<f64>, Option<f64>) {
        let swing = match (index, self.options.begin) {
            (0, Ends::Standing) => FIRST_SWING * self.time(0, n_steps),
            (0, Ends::Moving) => self.time(0, n_steps) - self.overlap(usize::from(n_steps > 1), n_steps),
            _ => {
                let overlap = self.overlap_of(index - 1, n_steps, before * self.time(index - 1, n_steps));
                share * self.time(index, n_steps) - overlap
            }
        };
        let is_last = index + 1 == n_steps && self.options.end == Ends::Standing;
        (Some(swing), (!is_last).then(|| self.overlap(index, n_steps).max(0.0)))
    }
}

fn on_curve(curve: &TravelCurve, arc: f64) -> Course {
    let point = curve.point(arc);
    Course { position: Vec3::new(point.x, 0.0, point.y), heading: curve.heading(arc) }
}

fn footprint(side: Side, plant: &FootPlant) -> Footprint {
    Footprint { heading: Some(plant.heading), ..Footprint::at(side, plant.ball) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rig;
    use surefoot_geom::Vec2;
    use surefoot_motion::{PersonOptions, person};

    fn laid(gait: Gait, options: &LayOptions<'_>) -> Result<FootPlan, LayError> {
        let (skeleton, body) = person(&PersonOptions::default()).expect("a person");
        let rig = Rig::new(&skeleton, &body, &surefoot_motion::Poses::default()).expect("legs");
        lay_steps(rig.proportions(), &GaitSettings::natural(gait, 1.8), options)
    }

    /// Ground that is level, and `height` high where a test of `(x, z)` says so.
    fn raised(height: f64, is_high: impl Fn(f64, f64) -> bool) -> Terrain {
        let (origin, spacing, n_x, n_z) = (Vec2::new(-1.0, -1.0), 0.05, 41, 261);
        let at =
            |sample: usize| (origin.x + spacing * (sample % n_x) as f64, origin.y + spacing * (sample / n_x) as f64);
        let heights = (0..n_x * n_z).map(at).map(|(x, z)| if is_high(x, z) { height } else { 0.0 }).collect();
        Terrain::height_field(origin, spacing, n_x, n_z, heights).expect("a height field")
    }

    fn laid_on(gait: Gait, ground: &Terrain, n_steps: usize) -> Result<FootPlan, LayError> {
        laid(gait, &LayOptions { terrain: Some(ground), n_steps: Some(n_steps), ..LayOptions::default() })
    }

    #[test]
    fn a_step_that_closes_the_feet_beside_a_cliff_ends_in_an_error() {
        // Its length is 0, and shortening it does not help.
        let ground = raised(2.8, |x, z| x < 0.0 && z > 0.2);
        let error = laid_on(Gait::Walk, &ground, 2).expect_err("no step of 2.8 m");
        assert!(matches!(error, LayError::TooSteep { number: 3, .. }), "{error}");
        assert!(error.to_string().contains("2.80 m"), "{error}");
    }

    #[test]
    fn feet_go_around_the_corners_of_a_path_instead_of_across_each_other() {
        let (skeleton, body) = person(&PersonOptions::default()).expect("a person");
        let rig = Rig::new(&skeleton, &body, &surefoot_motion::Poses::default()).expect("legs");
        for (gait, angle, tenth) in [Gait::Walk, Gait::Run]
            .into_iter()
            .flat_map(|gait| [30.0, 45.0, 90.0, -45.0, -90.0].map(|angle: f64| (gait, angle)))
            .flat_map(|(gait, angle)| (0..8).map(move |tenth| (gait, angle, tenth)))
        {
            let (corner, ahead) = (3.0 + 0.1 * f64::from(tenth), heading_direction(angle.to_radians()));
            let end = Vec2::new(4.0 * ahead.x, corner + 4.0 * ahead.z);
            let path = Path { points: vec![Vec2::ZERO, Vec2::new(0.0, corner), end] };
            let plan = laid(gait, &LayOptions { path: Some(&path), ..LayOptions::default() }).expect("a plan");
            for pair in plan.footprints[1..].windows(2) {
                let heading = pair.iter().map(|print| print.heading.expect("a heading"));
                let halfway = 0.5 * heading.sum::<f64>();
                let outward = heading_direction(halfway + FRAC_PI_2) * left_sign(pair[1].side);
                let beside = (pair[1].position - pair[0].position).dot(outward);
                let soles =
                    [0, 1].map(|n: usize| SolePrint::of(&SoleShape::of(rig.proportions(), pair[n].side), &pair[n]));
                let gap = soles[0].gap(&soles[1]);
                assert!(beside > 0.04 && gap > -0.02, "{gait}, {angle} degrees at {corner} m: {beside} m, {gap} m");
            }
        }
    }

    #[test]
    fn walls_on_the_path_are_stepped_over_or_named() {
        let mut n_refused = 0;
        for (tenth, depth) in (0..60).flat_map(|tenth| [0.1, 3.0].map(|depth| (tenth, depth))) {
            let from = 0.3 + 0.1 * f64::from(tenth);
            let ground = raised(2.8, |_, z| (from..from + depth).contains(&z));
            for gait in [Gait::Walk, Gait::Run] {
                match laid_on(gait, &ground, 10) {
                    Ok(plan) => assert!(plan.footprints.iter().all(|print| print.position.is_finite())),
                    Err(LayError::TooSteep { at, rise, limit, .. }) => {
                        n_refused += 1;
                        assert!(at.is_finite() && rise.abs() > limit, "{at} {rise}");
                    }
                    Err(other) => panic!("{other}"),
                }
            }
        }
        assert!(n_refused > 50, "{n_refused} of 240: no path leads onto a wall 3 m deep");
    }

    #[test]
    fn options_that_are_no_numbers_and_endless_paths_are_refused() {
        let error_of = |options: &LayOptions<'_>| laid(Gait::Walk, options).expect_err("refused").to_string();
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(error_of(&LayOptions { turn: number, ..LayOptions::default() }).contains("turn"));
            assert!(error_of(&LayOptions { start: Vec3::Z * number, ..LayOptions::default() }).contains("start"));
        }
        assert!(
            error_of(&LayOptions { n_steps: Some(usize::MAX), ..LayOptions::default() }).contains("at most 100000")
        );
        for length in [1e6, 1e300] {
            let path = Path { points: vec![Vec2::ZERO, Vec2::new(0.0, length)] };
            assert!(error_of(&LayOptions { path: Some(&path), ..LayOptions::default() }).contains("at most 100000"));
        }
        let nowhere = Path { points: vec![] };
        assert!(laid(Gait::Run, &LayOptions { path: Some(&nowhere), ..LayOptions::default() }).is_err());
    }
}
