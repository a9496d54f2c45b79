//! What a synthesizer made of a plan, measured on the poses that it returned.
//!
//! Nothing here is what a synthesizer meant to do. A footprint's stance is the plan's: from `land` to `leave` where the plan
//! gives them, else from landing to leaving as the steps were timed. Where the foot is in it is read from the frames, whether
//! the synthesizer calls them planted or not.
//!
//! ```text
//!   land            mid stance            leave
//!    |----|--------------|------------|-------|
//!     20 %        the middle 60 %       20 %      heels strike before the first mark and toes roll off after the second
//! ```
//!
//! Placement is given at mid stance, the frame in the middle, and as the largest over the middle 60 % of the stance. Distances
//! are in space: a ball above its footprint is off it.
//!
//! The ground is the world's terrain or, where none is known, the plane of the nearer footprint: the one left or the one
//! stepped to. Toe tips may be as far below the ball as they are when the foot is flat at mid stance; skeletons differ.

use crate::jump_pattern::{JumpPattern, ground_under_jump};
use crate::step_timing::step_timing;
use crate::stepper::{StepOrigin, StepOutcome};
use crate::verdict::Verdict;
use crate::world::World;
use std::ops::Range;
use surefoot_contact::metrics::{
    FootPoints, OffTerrain, SolePoint, Worst, foot_points, measure_knees, measure_leg_clearance, measure_pelvis_jerk,
    soles_by_motion,
};
use surefoot_contact::{Behaviour, FootPlan, Footprint, Take};
use surefoot_geom::{Vec3, direction_heading, ground_point, median, turn_between};
use surefoot_motion::{BodyMap, PerSide, Side, Skeleton, WorldPose};

use crate::StepSource;

#[cfg(test)]
mod tests;

/// Share of a stance at either end that placement leaves out.
const STANCE_EDGE: f64 = 0.2;
/// A foot is upright if its level part, from ankle to ball, is a smaller share of it than this (20 degrees from the vertical).
const UPRIGHT: f64 = 0.34;
/// Seconds between the three places that an acceleration of the pelvis is taken from: shorter, frames are noise.
const FALL_LAG: f64 = 0.05;
/// Of the earth, in metres a second squared.
const GRAVITY: f64 = 9.81;
/// A soft target, and what came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Target {
    /// `None` where nothing was asked for.
    pub target: Option<f64>,
    /// `None` where there is nothing to measure.
    pub actual: Option<f64>,
}

impl Target {
    /// How much more there is than was asked for.
    pub fn difference(&self) -> Option<f64> {
        Some(self.actual? - self.target?)
    }
}

/// Where a ball is in the stance of its footprint, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StancePlacement {
    /// Distance from the footprint at mid stance.
    pub mid_stance: f64,
    /// Largest distance from the footprint over the middle 60 % of the stance.
    pub middle_60: f64,
    /// The part of that distance that is height, at its largest.
    pub height: f64,
    /// Farthest that the ball slides over the ground from where it is at mid stance, over the middle 60 % of the stance.
    pub slide: f64,
    /// The frame of `middle_60`.
    pub frame: usize,
}

/// What became of a footprint. Metres, radians, seconds from the first frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FootprintRow {
    /// From 0, as in the plan's file.
    pub index: usize,
    /// The foot.
    pub side: Side,
    /// What was done to come here; `None` for the standing feet.
    pub behaviour: Option<Behaviour>,
    /// The feet of the jump that came here.
    pub jump: Option<JumpPattern>,
    /// How the step was made.
    pub origin: StepOrigin,
    /// Recorded steps that were blended.
    pub sources: Vec<StepSource>,
    /// How far outside of the recorded steps it lies, in metres.
    pub outside: f64,
    /// How far the heights of the recorded steps are from its own, in metres; 0 where these are recorded.
    pub height_outside: f64,
    /// When the foot lands, as the step was timed; 0 for the standing feet.
    pub land: f64,
    /// When it leaves, as the step from here was timed; the end of the motion if it does not leave.
    pub leave: f64,
    /// Whether it is planted to the end of the motion.
    pub planted_at_end: bool,
    /// When it should land; `None` where that was left open, and for the standing feet.
    pub land_target: Option<f64>,
    /// When it should leave.
    pub leave_target: Option<f64>,
    /// Frames of the stance, half-open: from `land_target` to `leave_target` where these are given, else from `land` to `leave`.
    pub frames: Range<usize>,
    /// `None` if the stance has no frame, or if the motion ends before its middle.
    pub placement: Option<StancePlacement>,
    /// Whether the foot had left before the motion begins, or the motion goes on after its end and with it most of the stance.
    pub is_beyond_motion: bool,
    /// Of the foot at mid stance.
    pub heading: Target,
    /// In the air in between.
    pub swing: Target,
    /// Double support after landing.
    pub support: Target,
}

impl FootprintRow {
    /// When the foot lands, against when it should.
    pub fn landing(&self) -> Target {
        Target { target: self.land_target, actual: Some(self.land) }
    }

    /// When the foot leaves, against when it should.
    pub fn leaving(&self) -> Target {
        Target { target: self.leave_target, actual: (!self.planted_at_end).then_some(self.leave) }
    }
}

/// The flights of a motion: from when the last foot leaves until the next one lands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flights {
    /// How many.
    pub count: usize,
    /// Median duration, in seconds.
    pub duration: f64,
    /// Median rise of the pelvis above where it was when the last foot left, in metres, as the frames show it.
    pub height: f64,
}

/// Metrics of the complete motion. SI units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionMetrics {
    /// The deepest point of a foot in the ground; negative if none reaches it.
    pub penetration: Option<Worst<(Side, SolePoint)>>,
    /// Share of frames with a point of a foot more than 2 mm in the ground.
    pub penetrating_share: f64,
    /// Farthest that a planted ball slides ([`StancePlacement::slide`]), and the footprint.
    pub slide: Option<Worst<usize>>,
    /// `None` without any.
    pub flights: Option<Flights>,
    /// Largest downward acceleration of the pelvis while a foot is in stance, in g.
    pub fall: Option<Worst<()>>,
    /// 99th percentile of how knees accelerate, in radians a second squared.
    pub knee_acceleration_p99: Option<f64>,
    /// Mean jerk of the pelvis, in metres a second cubed.
    pub pelvis_jerk: Option<f64>,
    /// The same of the motion below 6 Hz.
    pub pelvis_jerk_6_hz: Option<f64>,
    /// Least distance of the shins' midlines, in metres.
    pub shins_apart: Option<Worst<()>>,
    /// Where the terrain's height field is left, past which the ground is taken to be as high as its border.
    pub off_terrain: Option<OffTerrain>,
    /// Length of the legs, in metres: what smoothness is judged by.
    pub leg: f64,
}

/// What a synthesizer made of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct SynthesisReport {
    /// `steps`, `gait`, ...
    pub synthesizer: &'static str,
    /// A row for each footprint.
    pub footprints: Vec<FootprintRow>,
    /// Of the complete motion.
    pub metrics: MotionMetrics,
    /// In a word, and why.
    pub verdict: Verdict,
}

impl SynthesisReport {
    /// Largest distance of a ball from its footprint over the middle 60 % of all stances, in metres.
    pub fn largest_miss(&self) -> f64 {
        self.footprints.iter().filter_map(|row| row.placement).fold(0.0, |most, at| most.max(at.middle_60))
    }

    /// How many steps were made by a method.
    pub fn n_of(&self, origin: StepOrigin) -> usize {
        self.footprints.iter().filter(|row| row.origin == origin).count()
    }
}

/// Measures what was made of a plan. `outcomes` are those of its steps, the first of `plan.footprints[2]`.
pub fn report_synthesis(
    synthesizer: &'static str,
    plan: &FootPlan,
    world: &World,
    outcomes: &[StepOutcome],
    take: &Take,
) -> SynthesisReport {
    let body = &take.body;
    let poses = take.clip.world();
    let reader = Reader {
        plan,
        world,
        outcomes,
        rate: take.clip.frame_rate,
        n_frames: take.clip.n_frames(),
        feet: foot_points(&poses, &take.clip.skeleton, body),
        poses: &poses,
        body,
    };
    let rows: Vec<FootprintRow> = (0..plan.footprints.len()).map(|index| reader.row(index)).collect();
    let mut metrics = reader.ground_metrics(&rows);
    metrics.slide = Worst::of(rows.iter().filter_map(|row| {
        let placement = row.placement?;
        Some(Worst { value: placement.slide, place: row.index, frame: placement.frame })
    }));
    metrics.flights = reader.flights(&rows);
    metrics.fall = reader.fall(&rows);
    metrics.leg = leg_length(&take.clip.skeleton, body);
    metrics.knee_acceleration_p99 = measure_knees(&poses, body, reader.rate).acceleration.map(|spread| spread.p99);
    let jerk = measure_pelvis_jerk(&poses, body, reader.rate);
    (metrics.pelvis_jerk, metrics.pelvis_jerk_6_hz) = (jerk.mean, jerk.mean_6_hz);
    let soles = soles_by_motion(&poses, &take.clip.skeleton, body, reader.rate);
    metrics.shins_apart = measure_leg_clearance(&poses, body, &soles).shins;
    metrics.off_terrain = reader.off_terrain();
    let verdict = Verdict::judge(&rows, &metrics);
    SynthesisReport { synthesizer, footprints: rows, metrics, verdict }
}

struct Reader<'a> {
    plan: &'a FootPlan,
    world: &'a World,
    outcomes: &'a [StepOutcome],
    rate: f64,
    n_frames: usize,
    feet: PerSide<FootPoints>,
    poses: &'a [WorldPose],
    body: &'a BodyMap,
}

impl Reader<'_> {
    fn outcome(&self, index: usize) -> Option<&StepOutcome> {
        self.outcomes.get(index.checked_sub(2)?)
    }

    /// The first frame at or after a time; a rounding of the time must not cost a frame.
    fn frame_at(&self, time: f64) -> usize {
        ((time * self.rate - 1e-6).ceil().max(0.0) as usize).min(self.n_frames)
    }

    fn row(&self, index: usize) -> FootprintRow {
        let print = &self.plan.footprints[index];
        let outcome = self.outcome(index);
        let end = self.n_frames as f64 / self.rate;
        let (land, left) = (self.land(index), self.leave(index));
        let leave = left.unwrap_or(end);
        let land_target = outcome.and(print.land);
        let (from, to) = (land_target.unwrap_or(land), print.leave.unwrap_or(leave));
        let frames = self.frames_between(from, to.min(end));
        let edge = STANCE_EDGE * (to - from);
        let middle = self.frames_between(from + edge, (to - edge).min(end));
        // Of a stance that goes on after the motion, its middle may not be there.
        let is_seen = 0.5 * (from + to) < end;
        let timing = step_timing(&self.plan.footprints, index);
        FootprintRow {
            index,
            side: print.side,
            behaviour: outcome.map(|outcome| outcome.behaviour),
            jump: outcome.and_then(|outcome| outcome.jump),
            origin: outcome.map_or(StepOrigin::Standing, |outcome| outcome.origin),
            sources: outcome.map_or(Vec::new(), |outcome| outcome.sources.clone()),
            outside: outcome.map_or(0.0, |outcome| outcome.outside),
            height_outside: outcome.map_or(0.0, |outcome| outcome.height_outside),
            land,
            leave,
            planted_at_end: left.is_none(),
            land_target,
            leave_target: print.leave,
            placement: self.placement(index, &frames, middle).filter(|_| is_seen),
            is_beyond_motion: !is_seen || left.is_some_and(|left| left <= 0.0),
            heading: Target { target: print.heading, actual: self.heading(index, &frames) },
            swing: Target { target: timing.swing, actual: outcome.map(|outcome| outcome.land - outcome.lift) },
            support: Target { target: timing.support(), actual: self.support(index) },
            frames,
        }
    }

    fn land(&self, index: usize) -> f64 {
        self.outcome(index).map_or(0.0, |outcome| outcome.land)
    }

    /// When the foot lifts to its next footprint; `None` if it never does.
    fn leave(&self, index: usize) -> Option<f64> {
        let prints = &self.plan.footprints;
        let next = (index + 1..prints.len()).find(|&next| prints[next].side == prints[index].side)?;
        self.outcome(next).map(|outcome| outcome.lift)
    }

    /// Both feet planted from the landing until the other one leaves.
    fn support(&self, index: usize) -> Option<f64> {
        let prints = &self.plan.footprints;
        self.outcome(index)?;
        let other = (0..index).rev().find(|&other| prints[other].side != prints[index].side)?;
        Some((self.leave(other)? - self.land(index)).max(0.0))
    }

    fn frames_between(&self, from: f64, to: f64) -> Range<usize> {
        let start = self.frame_at(from);
        start..self.frame_at(to).max(start)
    }

    /// `middle` is the middle 60 % of the stance; where that has no frame, mid stance is all there is.
    fn placement(&self, index: usize, frames: &Range<usize>, middle: Range<usize>) -> Option<StancePlacement> {
        let print = &self.plan.footprints[index];
        let ball = &self.feet[print.side].ball;
        let away = |frame: usize| ball[frame] - print.position;
        let mid_stance = mid_stance(frames)?;
        let middle = if middle.is_empty() { mid_stance..mid_stance + 1 } else { middle };
        let frame = middle.clone().max_by(|&a, &b| away(a).length().total_cmp(&away(b).length()))?;
        let slid = |frame: usize| {
            let moved = ball[frame] - ball[mid_stance];
            moved.x.hypot(moved.z)
        };
        Some(StancePlacement {
            mid_stance: away(mid_stance).length(),
            middle_60: away(frame).length(),
            height: middle.clone().map(|frame| away(frame).y.abs()).fold(0.0, f64::max),
            slide: middle.map(slid).fold(0.0, f64::max),
            frame,
        })
    }

    fn pelvis_height(&self, frame: usize) -> f64 {
        self.poses[frame].position(self.body.pelvis).y
    }

    /// Of the foot at mid stance, within half a turn of the target.
    fn heading(&self, index: usize, frames: &Range<usize>) -> Option<f64> {
        let print = &self.plan.footprints[index];
        let at = mid_stance(frames)?;
        let heading = direction_heading(self.foot_direction(print.side, at)?)?;
        let near = print.heading.unwrap_or(0.0);
        Some(near + turn_between(near, heading))
    }

    /// Where a foot points: from heel to ball. When a heel rises far, it passes over the ball and that direction flips; the axis
    /// across the sole, about which it pitches, does not. So a foot that is upright or past it points across that axis.
    fn foot_direction(&self, side: Side, frame: usize) -> Option<Vec3> {
        let foot = &self.feet[side];
        let forward = |frame: usize| foot.ball[frame] - foot.heel[frame];
        let level = |frame: usize| forward(frame).x.hypot(forward(frame).z);
        let shape = &self.body.legs[side].foot;
        let across = (shape.ball - shape.heel).cross(shape.up);
        let ahead = Vec3::Y.cross(self.poses.get(frame)?[self.body.legs[side].ankle].rotation * across);
        let is_upright = level(frame) < UPRIGHT * forward(frame).length() || forward(frame).dot(ahead) <= 0.0;
        Some(if is_upright { ahead } else { forward(frame) })
    }

    fn ground_metrics(&self, rows: &[FootprintRow]) -> MotionMetrics {
        let mut deepest: Option<Worst<(Side, SolePoint)>> = None;
        let mut is_deep = vec![false; self.n_frames];
        for side in Side::BOTH {
            let foot = &self.feet[side];
            let low_toes = self.toe_allowance(rows, side);
            for (frame, is_deep) in is_deep.iter_mut().enumerate() {
                let points = [
                    (SolePoint::Heel, foot.heel[frame], 0.0),
                    (SolePoint::Ball, foot.ball[frame], 0.0),
                    (SolePoint::ToeTip, foot.toe_tip[frame], low_toes),
                ];
                for (point, place, lower) in points {
                    let depth = self.ground(rows, side, frame, place) - lower - place.y;
                    *is_deep |= depth > 0.002;
                    if deepest.is_none_or(|known| depth > known.value) && depth.is_finite() {
                        deepest = Some(Worst { value: depth, place: (side, point), frame });
                    }
                }
            }
        }
        let n_deep = is_deep.iter().filter(|deep| **deep).count();
        let penetrating_share = n_deep as f64 / self.n_frames.max(1) as f64;
        MotionMetrics { penetration: deepest, penetrating_share, ..MotionMetrics::default() }
    }

    fn off_terrain(&self) -> Option<OffTerrain> {
        let terrain = self.world.terrain.as_ref()?;
        OffTerrain::of_plan(self.plan, terrain).or_else(|| OffTerrain::of_feet(&self.feet, terrain))
    }

    /// How far toe tips are below the ball when the foot is flat, the median at mid stance; 0 if they are not.
    fn toe_allowance(&self, rows: &[FootprintRow], side: Side) -> f64 {
        let foot = &self.feet[side];
        let mine = rows.iter().filter(|row| row.side == side);
        let mut drops: Vec<f64> = mine
            .filter_map(|row| {
                let at = mid_stance(&row.frames)?;
                let normal = self.plan.footprints[row.index].normal;
                Some((foot.ball[at] - foot.toe_tip[at]).dot(normal))
            })
            .collect();
        median(&mut drops).unwrap_or(0.0).max(0.0)
    }

    /// The height of the ground below a point of a foot.
    fn ground(&self, rows: &[FootprintRow], side: Side, frame: usize, place: Vec3) -> f64 {
        if let Some(terrain) = &self.world.terrain {
            return terrain.height(ground_point(place));
        }
        let mine = || rows.iter().filter(|row| row.side == side);
        let last = mine().rfind(|row| row.frames.start <= frame).or_else(|| mine().next());
        let next = mine().find(|row| row.frames.start > frame);
        if let (Some(last), Some(next)) = (last, next.filter(|next| next.jump.is_some()))
            && frame >= last.frames.end
        {
            let [from, to] = [last, next].map(|row| self.plan.footprints[row.index].position);
            return ground_under_jump(from, to, place);
        }
        // As high as the nearest footprint of the foot, whichever of the plan's that is.
        let prints = self.plan.footprints.iter().filter(|print| print.side == side);
        let away = |print: &Footprint| ground_point(place - print.position).length_squared();
        let nearest = prints.min_by(|a, b| away(a).total_cmp(&away(b)));
        nearest.map_or(f64::NEG_INFINITY, |print| plane_height(print, place))
    }

    /// Both feet in the air before a landing.
    fn flights(&self, rows: &[FootprintRow]) -> Option<Flights> {
        let (mut durations, mut heights) = (Vec::new(), Vec::new());
        for (index, row) in rows.iter().enumerate().skip(2) {
            let left = rows[..index].iter().map(|before| before.leave).fold(0.0, f64::max);
            if left >= row.land {
                continue;
            }
            durations.push(row.land - left);
            let height = |frame: usize| self.pelvis_height(frame);
            let last = self.n_frames.saturating_sub(1);
            let (whole, share) = ((left * self.rate).floor(), (left * self.rate).fract());
            let (a, b) = ((whole as usize).min(last), (whole as usize + 1).min(last));
            let start = height(a) + share * (height(b) - height(a));
            let highest = (b..self.frame_at(row.land).min(last).max(b)).map(height).fold(start, f64::max);
            heights.push(highest - start);
        }
        Some(Flights { count: durations.len(), duration: median(&mut durations)?, height: median(&mut heights)? })
    }

    fn fall(&self, rows: &[FootprintRow]) -> Option<Worst<()>> {
        let lag = ((FALL_LAG * self.rate).round() as usize).max(1);
        let seconds = lag as f64 / self.rate;
        let mut is_planted = vec![false; self.n_frames];
        for row in rows {
            is_planted[row.frames.clone()].fill(true);
        }
        let height = |frame: usize| self.pelvis_height(frame);
        let falls = (lag..self.n_frames.saturating_sub(lag)).filter(|&frame| is_planted[frame]).map(|frame| {
            let bend = height(frame + lag) - 2.0 * height(frame) + height(frame - lag);
            Worst { value: -bend / (seconds * seconds) / GRAVITY, place: (), frame }
        });
        Worst::of(falls)
    }
}

/// The frame in the middle of a stance.
fn mid_stance(frames: &Range<usize>) -> Option<usize> {
    (!frames.is_empty()).then(|| frames.start + frames.len() / 2)
}

/// Thigh plus shin, the mean of both legs.
fn leg_length(skeleton: &Skeleton, body: &BodyMap) -> f64 {
    let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
    let length = |side: Side| {
        let leg = &body.legs[side];
        let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| rest.position(joint));
        hip.distance(knee) + knee.distance(ankle)
    };
    0.5 * (length(Side::Left) + length(Side::Right))
}

/// The height of a footprint's plane at a point.
fn plane_height(print: &Footprint, at: Vec3) -> f64 {
    let (normal, away) = (print.normal, at - print.position);
    print.position.y - (normal.x * away.x + normal.z * away.z) / normal.y
}
