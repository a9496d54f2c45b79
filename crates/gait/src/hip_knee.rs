//! Hip-knee diagrams: the sagittal angles of a leg over a stride (GAIT figures 4.11, 4.12 and 4.24 to 4.26).
//!
//! The diagram plots the hip against the knee over one stride of the right leg, from heel strike to heel strike. It is a
//! closed loop whose shape separates walking from running and whose size shows the speed, so that a generated gait can be laid
//! over a recorded one, whatever the skeletons.
//!
//! 1. [`leg_angles`]: both angles in every frame. The hip is the thigh's angle from the vertical of the world in the
//!    sagittal plane of the body's heading, flexion positive: as planar recordings measure it, and free of what each skeleton
//!    calls a pelvis. The knee is the angle from the thigh's direction to the shin's about the knee's own axis: 0
//!    for a straight leg, positive flexed, negative bent in the wrong direction.
//! 2. [`gait_events`]: heel strikes and toe offs. A foot that strikes with its toes counts as well. Contacts end when the ball
//!    leaves; the foot rolls on over its toes, so that toe off is when these take off: when they are faster than half
//!    of the body, or have moved away.
//! 3. [`find_strides`], [`sample_cycle`]: from strike to strike of one leg, at [`N_PHASES`] phases.
//! 4. [`mean_cycle`], [`compare_cycles`].
//!
//! Left strides are reported as if they were of the right leg: a person is taken to be symmetric.
//!
//! # Recordings shorter than a stride
//!
//! Recorded runs often have three steps, of which detection sees two completely. Where no foot strikes twice, a single step makes
//! a cycle: from the strike of one leg to that of the other, the first leg goes through the first half of its stride and
//! the second through the second half of its own. Both ends of both halves are the same moments of the cycle, so that what is
//! left between them is asymmetry or change of pace; it is spread over the halves, which closes the loop.
//!
//! Limits: contacts decide when a foot strikes. Detected ones begin when the foot is still, a few hundredths of a second late.

use std::f64::consts::TAU;
use std::ops::Range;
use surefoot_contact::{Contacts, Take};
use surefoot_geom::{Vec3, median};
use surefoot_motion::fit_knee_axes;
use surefoot_motion::{BodyMap, PerSide, Side, WorldPose};

/// Phases that a cycle is sampled at.
pub const N_PHASES: usize = 100;

/// Half of the time over which the body's heading is the mean of where it faces, in seconds: about a stride in all, so that
/// the pelvis's own rotation cancels.
const HEADING_REACH: f64 = 0.5;

/// Stances of a foot that are less than this many seconds apart are one. No swing is so short.
const SHORTEST_SWING: f64 = 0.12;

/// Toes that are faster than this share of the body have taken off: those of recorded walkers and runners wander about half as
/// fast while they are planted, and go from there to the speed of the swing within three hundredths of a second.
const TOE_OFF_SPEED: f64 = 0.5;

/// Toes that are this far from where they were when the ball left, in metres, have taken off, however slowly.
const TOE_OFF_DISTANCE: f64 = 0.03;

/// Half of the time over which speeds are taken, in seconds.
const SPEED_REACH: f64 = 1.0 / 60.0;

/// Strides whose speed is further than this share from the median are starts, stops or changes of pace.
const STEADY: f64 = 0.1;

/// The sagittal angles of a leg, in radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LegAngles {
    /// Of the thigh from the vertical, positive forward.
    pub hip: f64,
    /// Of the shin from the thigh's direction, positive flexed.
    pub knee: f64,
}

/// The angles of a leg in every frame.
pub fn leg_angles(take: &Take, side: Side) -> Vec<LegAngles> {
    let poses = take.clip.world();
    angles_of(take, &poses, side)
}

fn angles_of(take: &Take, poses: &[WorldPose], side: Side) -> Vec<LegAngles> {
    let body = &take.body;
    let leg = &body.legs[side];
    let forward = headings(poses, body, take.clip.frame_rate);
    let axis = flexing_axis(take, poses, side);
    let angles = poses.iter().zip(&forward).map(|(pose, forward)| {
        let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| pose.position(joint));
        let (thigh, shin) = (knee - hip, ankle - knee);
        let axis = pose[leg.hip].rotation * axis;
        let across = |limb: Vec3| limb - axis * limb.dot(axis);
        let (thigh_across, shin_across) = (across(thigh), across(shin));
        LegAngles {
            hip: thigh.dot(*forward).atan2(-thigh.y),
            knee: axis.dot(thigh_across.cross(shin_across)).atan2(thigh_across.dot(shin_across)),
        }
    });
    angles.collect()
}

/// The axis about which a knee flexes, in the hip joint's space. The axis that fits a clip's bends points to whichever side
/// makes them positive; flexion is what turns the shin backward, about an axis to the body's left.
fn flexing_axis(take: &Take, poses: &[WorldPose], side: Side) -> Vec3 {
    let body = &take.body;
    let axis = fit_knee_axes(&take.clip, body)[side];
    let leftward: f64 = poses
        .iter()
        .map(|pose| {
            let left = pose.position(body.legs.left.hip) - pose.position(body.legs.right.hip);
            left.dot(pose[body.legs[side].hip].rotation * axis)
        })
        .sum();
    if leftward < 0.0 { -axis } else { axis }
}

/// The direction on the ground that the body heads for in every frame: the mean of where it faces over about a stride.
fn headings(poses: &[WorldPose], body: &BodyMap, frame_rate: f64) -> Vec<Vec3> {
    let reach = (HEADING_REACH * frame_rate).round() as usize;
    let mut sums = vec![Vec3::ZERO];
    for pose in poses {
        sums.push(sums[sums.len() - 1] + body.facing(pose));
    }
    let mean = |frame: usize| {
        let (first, last) = (frame.saturating_sub(reach), (frame + reach + 1).min(poses.len()));
        (sums[last] - sums[first]).normalize_or_zero()
    };
    (0..poses.len()).map(mean).collect()
}

/// What a foot does at a moment of a stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FootEvent {
    /// It comes down, by heel or toes.
    Strike,
    /// It leaves the ground.
    ToeOff,
}

/// A foot's coming or going.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GaitEvent {
    /// The first frame in which the foot is planted, or is up again.
    pub frame: usize,
    /// Of the foot.
    pub side: Side,
    /// What it does.
    pub event: FootEvent,
}

/// When feet come and go, in order of time. What a clip begins or ends with has no event.
pub fn gait_events(take: &Take) -> Vec<GaitEvent> {
    events_of(take, &take.clip.world())
}

fn events_of(take: &Take, poses: &[WorldPose]) -> Vec<GaitEvent> {
    let frame_rate = take.clip.frame_rate;
    let mut events = strikes(&take.contacts, frame_rate);
    for side in Side::BOTH {
        let stances = complete_stances(&take.contacts, side, frame_rate);
        for (index, stance) in stances.iter().enumerate() {
            let next = stances.get(index + 1).map_or(poses.len(), |next| next.start);
            if let Some(frame) = toe_off(take, poses, side, stance.end..next) {
                events.push(GaitEvent { frame, side, event: FootEvent::ToeOff });
            }
        }
    }
    events.sort_by_key(|event| event.frame);
    events
}

/// Heel strikes, in order of time.
fn strikes(contacts: &Contacts, frame_rate: f64) -> Vec<GaitEvent> {
    let of_side = |side: Side| {
        let stances = complete_stances(contacts, side, frame_rate).into_iter().filter(|stance| stance.start > 0);
        stances.map(move |stance| GaitEvent { frame: stance.start, side, event: FootEvent::Strike })
    };
    let mut strikes: Vec<GaitEvent> = Side::BOTH.into_iter().flat_map(of_side).collect();
    strikes.sort_by_key(|strike| strike.frame);
    strikes
}

/// The first frame of a swing in which the toes have taken off.
fn toe_off(take: &Take, poses: &[WorldPose], side: Side, swing: Range<usize>) -> Option<usize> {
    let body = &take.body;
    let leg = &body.legs[side];
    let toes = |frame: usize| match leg.toe {
        Some(toe) => poses[frame].point(&take.clip.skeleton, toe),
        None => poses[frame][leg.ankle].transform_point(leg.foot.toe_tip),
    };
    let pelvis = |frame: usize| poses[frame].position(body.pelvis);
    let reach = ((SPEED_REACH * take.clip.frame_rate).round() as usize).max(1);
    let last = poses.len().checked_sub(1)?;
    let first = swing.start;
    swing.clone().find(|&frame| {
        let (before, after) = (frame.saturating_sub(reach), (frame + reach).min(last));
        let moved = toes(after).distance(toes(before));
        moved > TOE_OFF_SPEED * pelvis(after).distance(pelvis(before))
            || toes(frame).distance(toes(first)) > TOE_OFF_DISTANCE
    })
}

/// A foot's stances, joined where a short time of doubt parts them.
fn complete_stances(contacts: &Contacts, side: Side, frame_rate: f64) -> Vec<Range<usize>> {
    let mut stances: Vec<Range<usize>> = Vec::new();
    for stance in contacts.stances(side) {
        match stances.last_mut() {
            Some(last) if ((stance.start - last.end) as f64) < SHORTEST_SWING * frame_rate => last.end = stance.end,
            _ => stances.push(stance),
        }
    }
    stances
}

/// What a cycle is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleSource {
    /// From a strike of a leg to the next of the same.
    Stride,
    /// From a strike of a leg to the next of the other; each gives half of the cycle.
    Step,
}

/// Frames that make a cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct StrideFrames {
    /// The leg that strikes first.
    pub side: Side,
    /// From its strike to the strike that ends the cycle, which is the first frame of the next.
    pub frames: Range<usize>,
    /// What they are.
    pub source: CycleSource,
}

/// The strides of a clip in order of time; if no foot strikes twice, its steps.
///
/// A stride counts only if the other foot strikes within it: hops and stumbles are none.
pub fn find_strides(contacts: &Contacts, frame_rate: f64) -> Vec<StrideFrames> {
    let strikes = strikes(contacts, frame_rate);
    let between = |first: &GaitEvent, last: &GaitEvent, source: CycleSource| StrideFrames {
        side: first.side,
        frames: first.frame..last.frame,
        source,
    };
    let alternate = |strikes: &[GaitEvent]| {
        strikes.windows(2).all(|pair| pair[0].side != pair[1].side && pair[0].frame < pair[1].frame)
    };
    let spans = |n_strikes: usize, source: CycleSource| -> Vec<StrideFrames> {
        let runs = strikes.windows(n_strikes).filter(|run| alternate(run));
        runs.map(|run| between(&run[0], &run[n_strikes - 1], source)).collect()
    };
    let strides = spans(3, CycleSource::Stride);
    if strides.is_empty() { spans(2, CycleSource::Step) } else { strides }
}

/// A number of every frame at the phases of a cycle. `series` has it for each side: as the leg on that side is, or as that
/// side sees the body, so that a left cycle can be reported as a right one.
///
/// Panics if a series ends before the frame that ends the cycle.
pub fn sample_cycle(stride: &StrideFrames, series: &PerSide<Vec<f64>>) -> [f64; N_PHASES] {
    let own = &series[stride.side];
    let Range { start, end } = stride.frames.clone();
    let at = |values: &[f64], share: f64| {
        let place = start as f64 + share * (end - start) as f64;
        let frame = (place.floor() as usize).clamp(start, end - 1);
        let rest = place - frame as f64;
        values[frame] * (1.0 - rest) + values[frame + 1] * rest
    };
    let phase = |index: usize| index as f64 / N_PHASES as f64;
    match stride.source {
        CycleSource::Stride => std::array::from_fn(|index| at(own, phase(index))),
        CycleSource::Step => {
            let other = &series[stride.side.opposite()];
            // Own at the end and other at the beginning are the middle of the cycle; the reverse its beginning.
            let middle = other[start] - own[end];
            let around = own[start] - other[end];
            std::array::from_fn(|index| {
                let phase = phase(index);
                if phase < 0.5 {
                    let share = 2.0 * phase;
                    at(own, share) - around / 2.0 * (1.0 - share) + middle / 2.0 * share
                } else {
                    let share = 2.0 * phase - 1.0;
                    at(other, share) - middle / 2.0 * (1.0 - share) + around / 2.0 * share
                }
            })
        }
    }
}

/// The phases of a cycle at which feet come and go, from 0 to 1, as if it were of the right leg: HSR is 0.
///
/// In walking the order is HSR, TOL, HSL, TOR; in running HSR, TOR, HSL, TOL. An event that contacts do not show is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CycleEvents {
    /// Toe off of the other leg.
    pub other_toe_off: Option<f64>,
    /// Heel strike of the other leg.
    pub other_strike: Option<f64>,
    /// Toe off of this leg.
    pub toe_off: Option<f64>,
}

impl CycleEvents {
    /// GAIT's names of the events of a right stride with their phases, in order of phase; `HSR` at 0 is the first.
    pub fn named(&self) -> Vec<(&'static str, f64)> {
        let found =
            [("HSR", Some(0.0)), ("TOL", self.other_toe_off), ("HSL", self.other_strike), ("TOR", self.toe_off)];
        let mut named: Vec<(&str, f64)> = found.into_iter().filter_map(|(name, at)| Some((name, at?))).collect();
        named.sort_by(|a, b| a.1.total_cmp(&b.1));
        named
    }
}

/// One cycle of a leg.
#[derive(Clone, Debug, PartialEq)]
pub struct StrideCycle {
    /// [`N_PHASES`] angles, from strike to strike; the one after the last is the first.
    pub angles: Vec<LegAngles>,
    /// When feet come and go in it.
    pub events: CycleEvents,
    /// Mean speed of the pelvis over the ground, in metres a second.
    pub speed: f64,
    /// Ground covered by the pelvis in a step, in metres.
    pub step_length: f64,
    /// Steps a second.
    pub cadence: f64,
    /// What it was taken from.
    pub source: CycleSource,
}

impl StrideCycle {
    /// The angles at any phase; whole cycles more or less make no difference.
    pub fn at(&self, phase: f64) -> LegAngles {
        let place = phase.rem_euclid(1.0) * N_PHASES as f64;
        let index = (place.floor() as usize).min(N_PHASES - 1);
        let (from, to) = (self.angles[index], self.angles[(index + 1) % N_PHASES]);
        let rest = place - index as f64;
        LegAngles { hip: from.hip + (to.hip - from.hip) * rest, knee: from.knee + (to.knee - from.knee) * rest }
    }
}

/// The cycles of both legs of a take, in order of time: see [`find_strides`].
pub fn stride_cycles(take: &Take) -> Vec<StrideCycle> {
    let body = &take.body;
    let frame_rate = take.clip.frame_rate;
    let poses = take.clip.world();
    let angles = PerSide::from_fn(|side| angles_of(take, &poses, side));
    let series = |of: fn(&LegAngles) -> f64| angles.as_ref().map(|angles| angles.iter().map(of).collect::<Vec<f64>>());
    let (hips, knees) = (series(|angles| angles.hip), series(|angles| angles.knee));
    let events = events_of(take, &poses);
    let cycle = |stride: StrideFrames| {
        let (hip, knee) = (sample_cycle(&stride, &hips), sample_cycle(&stride, &knees));
        let [from, to] = [stride.frames.start, stride.frames.end].map(|frame| poses[frame].position(body.pelvis));
        let travel = Vec3::new(to.x - from.x, 0.0, to.z - from.z).length();
        let seconds = stride.frames.len() as f64 / frame_rate;
        let n_steps = if stride.source == CycleSource::Stride { 2.0 } else { 1.0 };
        StrideCycle {
            angles: hip.iter().zip(knee).map(|(&hip, knee)| LegAngles { hip, knee }).collect(),
            events: events_within(&stride, &events),
            speed: travel / seconds,
            step_length: travel / n_steps,
            cadence: n_steps / seconds,
            source: stride.source,
        }
    };
    find_strides(&take.contacts, frame_rate).into_iter().map(cycle).collect()
}

/// Where events lie in a cycle. In a step, both legs show the same cycle half of it apart.
fn events_within(stride: &StrideFrames, events: &[GaitEvent]) -> CycleEvents {
    let Range { start, end } = stride.frames.clone();
    let mut found = CycleEvents::default();
    for event in events.iter().filter(|event| event.frame >= start && event.frame < end) {
        let share = (event.frame - start) as f64 / (end - start) as f64;
        let is_own = event.side == stride.side;
        match (stride.source, event.event) {
            (CycleSource::Stride, FootEvent::ToeOff) if is_own => found.toe_off = Some(share),
            (CycleSource::Stride, FootEvent::ToeOff) => found.other_toe_off = Some(share),
            (CycleSource::Stride, FootEvent::Strike) if !is_own => found.other_strike = Some(share),
            (_, FootEvent::Strike) => {}
            (CycleSource::Step, FootEvent::ToeOff) => {
                let half = share / 2.0;
                let (own, other) = if is_own { (half, half + 0.5) } else { (half + 0.5, half) };
                (found.toe_off, found.other_toe_off) = (Some(own), Some(other));
            }
        }
    }
    if stride.source == CycleSource::Step {
        found.other_strike = Some(0.5);
    }
    found
}

/// The cycles at a steady pace: those whose speed is within a tenth of the median.
pub fn steady_cycles(cycles: &[StrideCycle]) -> Vec<StrideCycle> {
    let mut speeds: Vec<f64> = cycles.iter().map(|cycle| cycle.speed).collect();
    let Some(usual) = median(&mut speeds) else { return Vec::new() };
    cycles.iter().filter(|cycle| (cycle.speed - usual).abs() <= STEADY * usual).cloned().collect()
}

/// The mean of cycles, phase by phase; `None` of none.
pub fn mean_cycle(cycles: &[StrideCycle]) -> Option<StrideCycle> {
    let first = cycles.first()?;
    let mean = |of: &dyn Fn(&StrideCycle) -> f64| cycles.iter().map(of).sum::<f64>() / cycles.len() as f64;
    let event = |of: fn(&CycleEvents) -> Option<f64>| mean_phase(cycles.iter().filter_map(|cycle| of(&cycle.events)));
    Some(StrideCycle {
        angles: (0..N_PHASES)
            .map(|index| LegAngles {
                hip: mean(&|cycle| cycle.angles[index].hip),
                knee: mean(&|cycle| cycle.angles[index].knee),
            })
            .collect(),
        events: CycleEvents {
            other_toe_off: event(|events| events.other_toe_off),
            other_strike: event(|events| events.other_strike),
            toe_off: event(|events| events.toe_off),
        },
        speed: mean(&|cycle| cycle.speed),
        step_length: mean(&|cycle| cycle.step_length),
        cadence: mean(&|cycle| cycle.cadence),
        source: first.source,
    })
}

/// The mean of phases as directions, so that 0.99 and 0.01 are near each other.
fn mean_phase(phases: impl Iterator<Item = f64>) -> Option<f64> {
    let sum = phases.fold(None, |sum: Option<[f64; 2]>, phase| {
        let (sine, cosine) = (phase * TAU).sin_cos();
        let [x, y] = sum.unwrap_or_default();
        Some([x + cosine, y + sine])
    });
    sum.map(|[x, y]| (y.atan2(x) / TAU).rem_euclid(1.0))
}

/// How far apart two closed loops are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CycleDifference {
    /// Root mean square distance between points of equal phase in the plane of the diagram, in radians, at the best shift.
    pub rms: f64,
    /// Root mean square difference of the hips alone, in radians, at that shift.
    pub hip_rms: f64,
    /// The same of the knees.
    pub knee_rms: f64,
    /// The second cycle's phase that goes with the first one's phase 0, from -0.5 to 0.5.
    pub shift: f64,
}

impl CycleDifference {
    /// [`Self::rms`] in degrees.
    pub fn rms_degrees(&self) -> f64 {
        self.rms.to_degrees()
    }
}

/// Compares two loops, with the second one shifted in phase so that they are as near as can be: strikes are detected a few
/// hundredths of a cycle early or late.
pub fn compare_cycles(a: &StrideCycle, b: &StrideCycle) -> CycleDifference {
    let at_shift = |shift: usize| {
        let (mut hip, mut knee) = (0.0, 0.0);
        for (index, angles) in a.angles.iter().enumerate() {
            let other = b.angles[(index + shift) % N_PHASES];
            hip += (angles.hip - other.hip).powi(2);
            knee += (angles.knee - other.knee).powi(2);
        }
        let [hip, knee] = [hip, knee].map(|sum| sum / N_PHASES as f64);
        let signed = if 2 * shift > N_PHASES { shift as f64 - N_PHASES as f64 } else { shift as f64 };
        CycleDifference {
            rms: (hip + knee).sqrt(),
            hip_rms: hip.sqrt(),
            knee_rms: knee.sqrt(),
            shift: signed / N_PHASES as f64,
        }
    };
    let others = (1..N_PHASES).map(at_shift);
    others.fold(at_shift(0), |best, other| if other.rms < best.rms { other } else { best })
}

#[cfg(test)]
mod tests;
