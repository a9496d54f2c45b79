//! Footprints along a path, between obstacles and over any ground.
//!
//! Reference: GRAPH 2.1 and 2.3 put a path planner before the animation; Choi et al. (its reference \[40\]) plan
//! footprints. Lengths, times, widths and angles are GAIT's, at the settings' speed (eqs. 4.1 to 4.3).
//!
//! Idea: each place of the path allows steps of some length, less where it bends and where the ground is steep. The path
//! is measured in such steps, and footprints are laid evenly in that measure, left and right in turn.
//!
//! 1. How long a step may be, along the path (`Pace`): the foot on the outside of a bend of radius `R` goes
//!    `(R + w / 2) / R` as far as the body, for a stride's width `w`, and shall not go farther than on a straight line; and
//!    no step turns the body farther than `MOST_TURN`.
//!    Who runs takes the run's steps: the first ones shorter, the last ones too, and the last but one is walked.
//! 2. Ditches across the path (`ditches`) are not stepped into: a step leads from one edge to the other, a leap if it is longer than
//!    people walk.
//! 3. The courses: where the body is with each step. It turns on the spot before, if it first faces elsewhere by more
//!    than one step turns, and after, if it shall at last; the first step of the path is shorter; the last step brings
//!    the feet together.
//! 4. A footprint beside each course, toes turned out. If its sole would be on an obstacle, out of the bounds or on the
//!    other foot, the nearest place that will do and that the leg reaches; or an error that says where.
//!
//! Departures: GAIT has the cadence fall with the step length. Here the cadence stays that of the speed in bends, as
//! people keep their rhythm, so that they slow down as their steps become shorter.
//!
//! Limits: footprints are moved one by one: a place that could only be passed by planning several steps
//! together is refused.

use crate::lay_steps::{RUN_GAIN, RUN_LOSS, RUN_START, RUN_STOP};
use crate::take_step::FIRST_SWING;
use crate::{Gait, GaitSettings, settle_foot};
use std::f64::consts::FRAC_PI_2;
use surefoot_contact::{Behaviour, FootPlan, Footprint};
use surefoot_geom::{Vec2, Vec3, ground_point, heading_direction, turn_between};
use surefoot_ground::TravelCurve;
use surefoot_ground::{Path, PathError, Scene, ScenePart, Terrain};
use surefoot_motion::BodyProportions;
use surefoot_motion::{PerSide, Side};
use surefoot_plan::{SolePrint, SoleShape};

mod ditches;
mod footing;
mod pace;
#[cfg(test)]
mod tests;

use ditches::{bridged_height, cross_ditches, ditches};
use footing::Footing;
use pace::Pace;

/// Where steps go, and where not.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlanStepsOptions<'a> {
    /// Obstacles and bounds. Its terrain, start and goal do not count here.
    pub scene: Option<&'a Scene>,
    /// The ground; level at 0 if `None`.
    pub terrain: Option<&'a Terrain>,
    /// Where the person faces at first, if not along the path.
    pub start_heading: Option<f64>,
    /// Where the person faces at last, if not along the path.
    pub goal_heading: Option<f64>,
    /// The foot that steps first. `None`: the left, or the one on the inside of a turn on the spot.
    pub first: Option<Side>,
}

/// A foot plan along a path.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedSteps {
    /// The footprints, with headings and times.
    pub plan: FootPlan,
    /// Footprints that could not stay beside the path, and how far they were moved, in metres.
    pub moved: Vec<(usize, f64)>,
    /// A step on a straight line, in metres.
    pub full_step: f64,
    /// The shortest that a step was made along the path, but for the first; `None` if that is the only one.
    pub shortest_step: Option<f64>,
}

/// Why there are no footprints.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanStepsError {
    /// The path is none.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A foot finds no place.
    #[error(
        "footprints[{footprint}], the {} foot's at [{:.3}, {:.3}], finds no free place: {}; \
         a path farther away from it would do",
        .side.name(), .at.x, .at.y, describe_part(*.part)
    )]
    Blocked {
        /// Its number in the plan, from 0.
        footprint: usize,
        /// Which foot.
        side: Side,
        /// Where `(x, z)` it would be.
        at: Vec2,
        /// What is there; `None` if it is the other foot.
        part: Option<ScenePart>,
    },
    /// More steps than a plan should have.
    #[error("the path would take about {found} steps; at most {MAX_STEPS} are planned. Cut it in parts")]
    TooMany {
        /// About how many.
        found: u64,
    },
    /// A heading is NaN or infinite.
    #[error("the heading at the {0} must be finite")]
    Heading(ScenePart),
}

fn describe_part(part: Option<ScenePart>) -> String {
    match part {
        Some(ScenePart::Bounds) => "the bounds are too near".to_string(),
        Some(part) => format!("{part} blocks it"),
        None => "the other foot blocks it".to_string(),
    }
}

/// Most steps of a plan: some 75 km.
const MAX_STEPS: u64 = 100_000;
/// Farthest that the body turns with one step, in radians (29 degrees).
const MOST_TURN: f64 = 0.5;
/// The first step from standing, of a full one.
const FIRST_STEP: f64 = 0.65;
/// Headings of a path are smoothed over this length, in metres: a body does not turn with every bend of a line.
const HEADING_REACH: f64 = 0.3;
/// Steps are divided where the ground rises or falls more than this from one to the next, as a share of the height.
const MOST_RISE: f64 = 0.13;
/// Turns below this are none, in radians (2 degrees).
const NO_TURN: f64 = 0.035;
/// Longest step with a foot planted, of the height.
const LONGEST_WALKED: f64 = 0.5;
/// Feet that come less high or deep climb no stair, in metres.
const NO_STAIR: f64 = 0.06;
/// Fewer steps along a path are walked, however much of a hurry there is.
const FEWEST_RUN: usize = 4;
/// The walking step that ends a run takes so much longer than a running one.
const SLOWER: f64 = 1.25;

/// Footprints along a path, at the speed of the settings' gait. The first two are the standing feet, side by side at its start;
/// the last two stand side by side at its end.
pub fn plan_steps(
    proportions: &BodyProportions,
    settings: &GaitSettings,
    path: &Path,
    options: &PlanStepsOptions<'_>,
) -> Result<PlannedSteps, PlanStepsError> {
    path.check()?;
    for (place, heading) in [(ScenePart::Start, options.start_heading), (ScenePart::Goal, options.goal_heading)] {
        if heading.is_some_and(|heading| !heading.is_finite()) {
            return Err(PlanStepsError::Heading(place));
        }
    }
    let planner = Planner {
        proportions,
        settings,
        options,
        curve: TravelCurve::new(&path.points, HEADING_REACH),
        soles: SoleShape::both(proportions),
        footing: Footing::new(options.scene),
    };
    let (courses, first) = planner.courses()?;
    planner.lay(&courses, first)
}

/// Where the body is with a step.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Course {
    /// Between the feet, below the middle of the soles.
    at: Vec2,
    heading: f64,
    /// How far along the path.
    arc: f64,
    /// Between the middles of both soles.
    width: f64,
    /// What leads here.
    by: By,
}

/// How a step is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    Walk,
    Run,
    /// From one foot to the other.
    Leap,
}

struct Planner<'a> {
    proportions: &'a BodyProportions,
    settings: &'a GaitSettings,
    options: &'a PlanStepsOptions<'a>,
    curve: TravelCurve,
    soles: PerSide<SoleShape>,
    footing: Footing<'a>,
}

impl Planner<'_> {
    fn runs(&self) -> bool {
        self.settings.gait == Gait::Run
    }

    fn full_step(&self) -> f64 {
        if self.runs() { self.settings.run.parameters.step_length } else { self.settings.walk.parameters.step_length }
    }

    fn width(&self) -> f64 {
        self.settings.walk.attributes.stride_width
    }

    /// How long the steps of a path are, of a full one, if there are `n`.
    fn shares(&self, n: usize) -> Vec<f64> {
        let share = |step: usize| {
            if !self.runs() {
                return if step == 0 { FIRST_STEP } else { 1.0 };
            }
            let (height, after) = (self.proportions.height, n - 1 - step);
            let gained = (RUN_START + RUN_GAIN * step as f64) * height;
            let lost = (RUN_STOP + RUN_LOSS * after as f64) * height;
            (gained.min(lost) / self.full_step()).min(1.0)
        };
        (0..n).map(share).collect()
    }

    /// Feet that are planted or turn on the spot are as far apart as their soles need, toes turned out.
    fn standing_width(&self) -> f64 {
        let shape = &self.soles.left;
        let aslant = (shape.heel + shape.toe) * self.settings.walk.attributes.foot_angle.sin().abs();
        self.width().max(2.0 * shape.half_breadth + aslant + 2.0 * FEET_APART)
    }

    /// Where the body is with each footprint from the second standing one on, and the foot that steps first.
    fn courses(&self) -> Result<(Vec<Course>, Side), PlanStepsError> {
        let found = self.options.terrain.map_or_else(Vec::new, |terrain| ditches(&self.curve, terrain));
        let bridged = self.options.terrain.map(|terrain| |arc: f64| bridged_height(&found, &self.curve, terrain, arc));
        let ground = bridged.as_ref().map(|ground| ground as &dyn Fn(f64) -> f64);
        let pace = Pace::new(&self.curve, ground, self.full_step(), self.width(), self.proportions.height);
        let n_steps = pace.n_steps().ceil() as u64;
        if n_steps > MAX_STEPS {
            return Err(PlanStepsError::TooMany { found: n_steps });
        }
        let arcs = pace.arcs(|n| self.shares(n));
        let n_arcs = arcs.len();
        let arcs = self.divide_rises(cross_ditches(arcs, &found, LONGEST_WALKED * self.proportions.height));
        let begin = Course { width: self.standing_width(), ..self.course(0.0) };
        let facing = self.options.start_heading.unwrap_or(begin.heading);
        let mut courses = self.turn_on_the_spot(facing, begin);
        let turned = turn_between(facing, begin.heading);
        let runs = self.runs() && n_arcs >= FEWEST_RUN;
        let by = |index: usize, is_leap: bool| match () {
            () if is_leap => By::Leap,
            () if runs && index + 1 < arcs.len() => By::Run,
            () => By::Walk,
        };
        let route = arcs.iter().enumerate();
        let route: Vec<Course> = route
            .map(|(index, &(arc, is_leap))| {
                let by = by(index, is_leap);
                let width = if by == By::Run { self.settings.run.attributes.stride_width } else { self.width() };
                Course { by, width, ..self.course(arc) }
            })
            .collect();
        // Who steps off turns with that step too, as far as with any other.
        if let [.., before, _] = courses[..]
            && turn_between(before.heading, route[0].heading).abs() <= MOST_TURN
        {
            courses.pop();
        }
        courses.extend(route);
        if let Some(facing) = self.options.goal_heading {
            let last = courses.len() - 1;
            let [before, end] = [courses[last - 1], courses[last]];
            // And who arrives; the rest is turned on the spot, evenly.
            let turn = turn_between(before.heading, facing);
            courses[last].heading = before.heading + turn / (turn.abs() / MOST_TURN).ceil().max(1.0);
            let standing = Course { heading: before.heading + turn, width: self.standing_width(), ..end };
            courses.extend(self.turn_on_the_spot(courses[last].heading, standing).into_iter().skip(1));
        }
        // The last step brings the feet together.
        let last = courses.len() - 1;
        courses[last].width = self.standing_width();
        courses.push(Course { by: By::Walk, ..courses[last] });
        let inner = if turned < -NO_TURN { Side::Right } else { Side::Left };
        Ok((courses, self.options.first.unwrap_or(inner)))
    }

    fn course(&self, arc: f64) -> Course {
        let back = 0.5 * (self.soles.left.middle() + self.soles.right.middle());
        let heading = self.curve.heading(arc);
        let at = self.curve.point(arc) - ground_point(heading_direction(heading)) * back;
        Course { at, heading, arc, width: self.width(), by: By::Walk }
    }

    /// From facing some direction to a course, both included, with as many steps as it takes.
    fn turn_on_the_spot(&self, facing: f64, to: Course) -> Vec<Course> {
        let turn = turn_between(facing, to.heading);
        if turn.abs() < NO_TURN {
            return vec![to];
        }
        let n = (turn.abs() / MOST_TURN).ceil();
        let back = |step: usize| to.heading - turn * (1.0 - step as f64 / n);
        (0..=n as usize).map(|step| Course { heading: back(step), ..to }).collect()
    }

    /// More places where the ground rises or falls too far for one step.
    fn divide_rises(&self, arcs: Vec<(f64, bool)>) -> Vec<(f64, bool)> {
        let Some(terrain) = self.options.terrain else { return arcs };
        let height = |arc: f64| terrain.height(self.curve.point(arc));
        let mut divided = Vec::with_capacity(arcs.len());
        let mut before = 0.0;
        for (arc, is_leap) in arcs {
            let mut n = 1;
            let at = |k: usize, n: usize| before + (arc - before) * k as f64 / n as f64;
            let rises = |n: usize| {
                (0..n).any(|k| (height(at(k + 1, n)) - height(at(k, n))).abs() > MOST_RISE * self.proportions.height)
            };
            while n < 4 && !is_leap && rises(n) {
                n += 1;
            }
            divided.extend((1..n).map(|k| (at(k, n), false)));
            divided.push((arc, is_leap));
            before = arc;
        }
        divided
    }

    fn lay(&self, courses: &[Course], first: Side) -> Result<PlannedSteps, PlanStepsError> {
        let mut laid = Laid { footprints: Vec::with_capacity(courses.len() + 1), moved: Vec::new() };
        // The standing feet are named so that the first to step comes first.
        self.put(&mut laid, courses[0], courses[0], first)?;
        let mut side = first.opposite();
        for k in 0..courses.len() {
            let before = courses[k.saturating_sub(1)];
            self.put(&mut laid, before, courses[k], side)?;
            side = side.opposite();
        }
        self.give_times(&mut laid.footprints, &courses[1..]);
        let lengths = courses.windows(2).map(|pair| pair[1].arc - pair[0].arc).filter(|&length| length > 1e-9);
        Ok(PlannedSteps {
            plan: FootPlan { footprints: laid.footprints },
            moved: laid.moved,
            full_step: self.full_step(),
            shortest_step: lengths.skip(1).min_by(f64::total_cmp),
        })
    }

    /// Gives times and flights to the footprints of the courses, of which the first is the third. Where anything is flown, it is said of every
    /// footprint on the level what leads to it.
    fn give_times(&self, footprints: &mut [Footprint], courses: &[Course]) {
        let flies = courses.iter().any(|course| course.by != By::Walk);
        let (n, runs) = (footprints.len(), courses.iter().any(|course| course.by == By::Run));
        let times: Vec<f64> = (0..courses.len()).map(|step| self.step_time(courses, step, runs)).collect();
        // Both feet planted after each step; less than nothing in the air.
        let overlaps: Vec<f64> =
            courses.iter().zip(&times).map(|(course, &time)| self.overlap(course.by, time)).collect();
        let rise = |step: usize| footprints[step + 2].position.y - footprints[step].position.y;
        let is_level: Vec<bool> = (0..courses.len()).map(|step| rise(step).abs() < NO_STAIR).collect();
        for (step, course) in courses.iter().enumerate() {
            let footprint = &mut footprints[step + 2];
            match course.by {
                // How long somebody is in the air is a matter of the distance.
                By::Leap => (footprint.behaviour, footprint.support) = (Some(Behaviour::Jump), Some(0.0)),
                By::Run => footprint.behaviour = Some(Behaviour::Run),
                By::Walk if flies && is_level[step] => footprint.behaviour = Some(Behaviour::Walk),
                By::Walk => {}
            }
            if course.by == By::Leap {
                continue;
            }
            footprint.swing = match step.checked_sub(1) {
                None if course.by == By::Walk => Some(self.settings.walk_times(true)[0]),
                None => Some(FIRST_SWING * times[0]),
                // The foot that leapt is in the air for all of the leap.
                Some(before) if courses[before].by == By::Leap => None,
                Some(before) => Some(times[step] - overlaps[before]),
            };
            footprint.support = (step + 3 < n).then_some(overlaps[step].max(0.0));
        }
    }

    /// Seconds of a step.
    fn step_time(&self, courses: &[Course], step: usize, runs: bool) -> f64 {
        let walked = self.settings.step_time(Gait::Walk);
        match courses[step].by {
            By::Run if step > 0 && courses[step - 1].by == By::Walk => self.settings.first_run_step_time(),
            By::Run => self.settings.step_time(Gait::Run),
            By::Walk if runs => walked.min(SLOWER * self.settings.step_time(Gait::Run)),
            By::Walk | By::Leap => walked,
        }
    }

    fn overlap(&self, by: By, time: f64) -> f64 {
        match by {
            By::Run => -self.settings.flight(time),
            By::Walk => self.settings.double_support(time),
            By::Leap => 0.0,
        }
    }

    /// Adds the footprint of a course.
    fn put(&self, laid: &mut Laid, before: Course, course: Course, side: Side) -> Result<(), PlanStepsError> {
        let sign = if side == Side::Left { 1.0 } else { -1.0 };
        let heading = course.heading + sign * self.settings.walk.attributes.foot_angle;
        let left = ground_point(heading_direction(course.heading + FRAC_PI_2));
        let shape = &self.soles[side];
        let middle = course.at + left * (0.5 * sign * course.width);
        let target = middle + ground_point(heading_direction(heading)) * shape.middle();
        let other = laid.footprints.last();
        let between = before.heading + 0.5 * turn_between(before.heading, course.heading);
        let outward = ground_point(heading_direction(between + FRAC_PI_2)) * sign;
        let settle = |place: Vec2| settle_foot(place, heading, self.options.terrain, self.proportions, side);
        let will_do = |ball: Vec3| {
            let sole = SolePrint::new(shape, ground_point(ball), heading);
            let leaps = course.by == By::Leap;
            let steps_well = other.is_none_or(|other| leaps || self.steps_well(laid, other, ball, outward, &sole));
            steps_well && self.footing.blocked(&sole).is_none()
        };
        let mut tried = footing::offsets().map(|[out, along]| {
            let forward = Vec2::new(-outward.y, outward.x) * sign;
            (out.hypot(along), settle(target + outward * out + forward * along))
        });
        let Some((away, position)) = tried.find(|&(_, ball)| will_do(ball)) else {
            let sole = SolePrint::new(shape, ground_point(settle(target)), heading);
            let footprint = laid.footprints.len();
            return Err(PlanStepsError::Blocked { footprint, side, at: target, part: self.footing.blocked(&sole) });
        };
        if away > 0.0 {
            laid.moved.push((laid.footprints.len(), away));
        }
        laid.footprints.push(Footprint { heading: Some(heading), ..Footprint::at(side, position) });
        Ok(())
    }

    /// Whether a step from where the other foot is planted is one that people take: within reach, on its own side, and not on
    /// the other foot.
    fn steps_well(&self, laid: &Laid, other: &Footprint, ball: Vec3, outward: Vec2, sole: &SolePrint) -> bool {
        let [step, stride] =
            [1.1 * self.full_step() + 0.25 * self.proportions.height / 1.8, 2.2 * self.full_step() + 0.3];
        let away = |from: &Footprint| ground_point(ball - from.position);
        // Who runs is on one line, but never with one foot on the other's side.
        let beside = if self.runs() { 0.25 } else { 0.5 } * self.width();
        let standing = SolePrint::of(&self.soles[other.side], other);
        let last = laid.footprints.iter().rev().nth(1);
        // After a leap the foot that took off is far behind.
        let has_leapt =
            other.behaviour == Some(Behaviour::Jump) || last.is_some_and(|last| away(last).length() > stride);
        away(other).length() <= step
            && (has_leapt || last.is_none_or(|last| away(last).length() <= stride))
            && away(other).dot(outward) >= beside
            && sole.gap(&standing) >= FEET_APART
    }
}

/// Between the soles of both feet at least, in metres.
const FEET_APART: f64 = 0.005;

struct Laid {
    footprints: Vec<Footprint>,
    moved: Vec<(usize, f64)>,
}
