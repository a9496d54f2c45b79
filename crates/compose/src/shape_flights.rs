//! Flights as recorded people fly: their postures, swinging legs and places of the pelvis over gait's footprints and parabolas.
//!
//! Reference: COMPOSE 3.2, 3.3 and 6.1's last step, foot locking.
//!
//! Gait has decided when feet leave and land, plants them exactly, and moves the root on a parabola of 1 g. That is kept. From the recorded
//! flights that suit (`choose_flights`), blended phase by phase, come
//!
//! 1. the joints of trunk, head and arms, the way the knees point, and how the pelvis is turned,
//! 2. the swinging feet, seen from the pelvis; near lift and landing they go over into gait's, so that nothing slides or jumps,
//! 3. where the pelvis is over the stance: gait's is moved by what recordings are higher, further ahead or further aside on the mean of the
//!    stance. From stance to stance this offset goes along a straight line, so that a parabola stays one; the corners are rounded within
//!    the stances, where legs may push.
//!
//! ```text
//!   share of a flight        ____________            offset     c0 ____
//!                        ___/            \___                  ___/    \____ c1
//!                       |stance|flight|stance|               stance flight stance
//! ```
//!
//! The shares of two flights that share a stance add up to 1 in it; elsewhere what is missing to 1 is gait's.
//!
//! 4. What would be worse than gait's alone is taken back (`is_worse`): legs that do not reach, bodies that fall faster than they could, jerks
//!    of knees. First the pelvis goes back to where gait has it. A flight that is worse even so stays gait's, and its row says so.
//!
//! Departures: the paper blends the frames of example motions whole, and repairs feet by inverse kinematics. Then a root is ballistic only as
//! far as the recordings' noise and the mixed durations let it be.

use crate::choose_flights::{ChosenFlights, FlightQuery, FlightSelection, choose_flights};
use crate::compose_motion::ComposedMotion;
use crate::flight_units::{FlightUnit, Swing, flight_units, swings};
use crate::recorded_flights::{FlightLibrary, FlightRow, N_FLIGHT_ROWS};
use std::ops::Range;
use std::sync::Arc;
use surefoot_contact::Footprint;
use surefoot_geom::{Quat, Vec3, rotation, smoothstep, turn_between};
use surefoot_motion::{PerSide, Side};
use surefoot_plan::{StepOrigin, StepSource};
use surefoot_steps::{LinearBody, LinearPose};

/// Furthest that recordings move the pelvis, in metres: up or down, and over the ground.
const MOST_RISE: f64 = 0.06;
const MOST_ASIDE: f64 = 0.08;
/// Seconds before the first stance and after the last in which the offset comes and goes.
const FADE: f64 = 0.3;
/// Share of a swing at either end in which the foot is gait's.
const HELD: f64 = 0.4;
/// How often the pelvis is taken back where planted legs do not reach, to which share of before, and below which share wholly.
const ROUNDS: usize = 8;
const BACK: f64 = 0.6;
const NOTHING: f64 = 0.15;
/// Extensions at which swinging legs begin to be kept from being straight, and that they never reach.
const BENT: [f64; 2] = [0.93, 0.995];

/// A flight with the recordings that it is made of.
struct ShapedFlight {
    unit: FlightUnit,
    chosen: ChosenFlights,
    /// Blended rows.
    rows: Vec<f64>,
}

/// What does not change while shares are tried.
struct Shaper<'a> {
    body: &'a LinearBody,
    rate: f64,
    selection: FlightSelection,
    swings: PerSide<Vec<Swing>>,
    /// Of each foot, the joints below its ankle, as indices into the others.
    toes: PerSide<Vec<usize>>,
}

/// Gives the flights of a motion the postures of recorded ones.
pub(crate) fn shape_flights(
    body: &LinearBody,
    rate: f64,
    (library, selection): (&FlightLibrary, FlightSelection),
    prints: &[Footprint],
    motion: &mut ComposedMotion,
    linear: &mut [LinearPose],
) {
    if linear.is_empty() || library.flights().is_empty() {
        return;
    }
    let toes_of = |side: Side| {
        let (skeleton, ankle) = (body.skeleton(), body.body().legs[side].ankle);
        let joints = body.others().iter().enumerate();
        joints.filter(|(_, joint)| skeleton.is_at_or_above(ankle, **joint)).map(|(index, _)| index).collect()
    };
    let shaper = Shaper { body, rate, selection, swings: swings(motion, prints), toes: PerSide::from_fn(toes_of) };
    let end = linear.len() as f64 / rate;
    let mut groups: Vec<Vec<ShapedFlight>> = Vec::new();
    for unit in flight_units(motion, prints, end) {
        let Some(shaped) = shaper.shaped(library, linear, prints, unit) else { continue };
        match groups.last_mut() {
            Some(group) if group.last().is_some_and(|last| last.unit.leave + FADE > shaped.unit.touch) => {
                group.push(shaped);
            }
            _ => groups.push(vec![shaped]),
        }
    }
    for group in groups {
        shaper.shape_group(library, group, motion, linear);
    }
}

impl Shaper<'_> {
    fn shaped(
        &self,
        library: &FlightLibrary,
        linear: &[LinearPose],
        prints: &[Footprint],
        unit: FlightUnit,
    ) -> Option<ShapedFlight> {
        let first = &prints[unit.landings[0]];
        let foot_heading = Quat::from_rotation_y(first.heading.unwrap_or(unit.heading));
        let ankle = self.body.ankle(
            first.side,
            &surefoot_steps::LinearFoot {
                ball: Vec3::ZERO,
                rotation: Quat::from_rotation_y(-unit.heading) * foot_heading,
                knee_roll: 0.0,
            },
        );
        let query =
            FlightQuery { behaviour: unit.behaviour, feet: unit.feet, shape: unit.shape(linear, self.rate), ankle };
        let chosen = choose_flights(library, &query, self.selection)?;
        let width = library.width();
        let mut rows = vec![0.0; N_FLIGHT_ROWS * width];
        for (index, weight) in &chosen.parts {
            let own = library.flights()[*index].rows.iter();
            rows.iter_mut().zip(own).for_each(|(sum, number)| *sum += weight * f64::from(*number));
        }
        Some(ShapedFlight { unit, chosen, rows })
    }

    fn frame(&self, time: f64) -> usize {
        (time * self.rate).ceil().max(0.0) as usize
    }

    /// Flights that share stances, or nearly so, are one matter: what the pelvis does in one changes the next.
    fn shape_group(
        &self,
        library: &FlightLibrary,
        mut group: Vec<ShapedFlight>,
        motion: &mut ComposedMotion,
        linear: &mut [LinearPose],
    ) {
        let (first, last) = (&group[0].unit, &group[group.len() - 1].unit);
        let from = self.frame(first.touch - FADE).min(linear.len());
        let to = self.frame(last.leave + FADE).min(linear.len());
        let mut offset = self.offset(&group, linear);
        let make = |offset: &Offset, linear: &[LinearPose]| -> Vec<LinearPose> {
            (from..to).map(|frame| self.made(&group, offset, frame, &linear[frame])).collect()
        };
        let mut made = make(&offset, linear);
        for _ in 0..ROUNDS {
            if !self.take_back(&mut offset, &made, &linear[from..to], from) {
                break;
            }
            made = make(&offset, linear);
        }
        if self.is_worse(&made, &linear[from..to], from) {
            offset.knots.iter_mut().for_each(|knot| knot.share = 0.0);
            made = make(&offset, linear);
        }
        if !self.is_worse(&made, &linear[from..to], from) {
            linear[from..to].clone_from_slice(&made);
            group.drain(..).for_each(|flight| name_sources(library, &flight, motion));
            return;
        }
        // One flight may spoil the others of its group.
        if group.len() > 1 {
            let rest = group.split_off(group.len() / 2);
            self.shape_group(library, group, motion, linear);
            self.shape_group(library, rest, motion, linear);
        }
    }

    /// Takes the pelvis back around stances whose legs do not reach, or whose knees jerk; whether there were any.
    fn take_back(&self, offset: &mut Offset, made: &[LinearPose], gait: &[LinearPose], from: usize) -> bool {
        let [made, gait] = [made, gait].map(|frames| {
            let extensions: Vec<PerSide<f64>> = frames.iter().map(|pose| self.body.extensions(pose)).collect();
            let jerks = self.knee_accelerations(&extensions);
            (extensions, jerks)
        });
        let most_knee = MORE_KNEE * gait.1.iter().fold(0.0, |most: f64, knee| most.max(*knee));
        let mut far = vec![false; offset.knots.len()];
        for index in 0..made.0.len() {
            let time = (from + index) as f64 / self.rate;
            let is_far = |side: Side| {
                let limit = gait.0[index][side].max(MOST_EXTENDED);
                self.in_swing(side, time).is_none() && made.0[index][side] > limit
            };
            let jerks = made.1.get(index).is_some_and(|knee| *knee > most_knee);
            if jerks || Side::BOTH.into_iter().any(is_far) {
                let away = |knot: &Knot| (knot.time - time).abs();
                let nearest = (0..far.len()).min_by(|&a, &b| away(&offset.knots[a]).total_cmp(&away(&offset.knots[b])));
                nearest.into_iter().for_each(|nearest| far[nearest] = true);
            }
        }
        for (knot, _) in offset.knots.iter_mut().zip(&far).filter(|(knot, far)| **far && knot.share > 0.0) {
            knot.share *= BACK;
            if knot.share < NOTHING {
                knot.share = 0.0;
            }
        }
        far.contains(&true)
    }

    /// The larger angular acceleration of both knees, from each frame to the two after it.
    fn knee_accelerations(&self, extensions: &[PerSide<f64>]) -> Vec<f64> {
        let knees: Vec<PerSide<f64>> =
            extensions.iter().map(|of| of.map(|share| 2.0 * share.min(1.0).acos())).collect();
        let of_side = |three: &[PerSide<f64>], side: Side| {
            (three[0][side] - 2.0 * three[1][side] + three[2][side]).abs() * self.rate * self.rate
        };
        knees.windows(3).map(|three| of_side(three, Side::Left).max(of_side(three, Side::Right))).collect()
    }

    /// How far the pelvis is moved, over time.
    fn offset(&self, group: &[ShapedFlight], linear: &[LinearPose]) -> Offset {
        let mut stances: Vec<(Range<f64>, Vec3, f64)> = Vec::new();
        for flight in group {
            let unit = &flight.unit;
            for (times, place, back) in [
                (unit.touch..unit.take_off, unit.from, Vec3::ZERO),
                (unit.landing..unit.leave, unit.to, Quat::from_rotation_y(unit.heading) * flight.chosen.landing),
            ] {
                let mean = self.mean_offset(flight, linear, &times, place - back);
                match stances.last_mut() {
                    // The landing stance of the last flight is the take-off stance of this one.
                    Some((known, sum, count)) if known.end > times.start => {
                        known.end = known.end.max(times.end);
                        *sum += mean;
                        *count += 1.0;
                    }
                    _ => stances.push((times, mean, 1.0)),
                }
            }
        }
        let (first, last) = (&group[0].unit, &group[group.len() - 1].unit);
        let mut knots = vec![Knot { time: first.touch - FADE, value: Vec3::ZERO, half: 0.5 * FADE, share: 1.0 }];
        knots.extend(stances.into_iter().map(|(times, sum, count)| {
            let mean = sum / count;
            let over = Vec3::new(mean.x, 0.0, mean.z).clamp_length_max(MOST_ASIDE);
            Knot {
                time: 0.5 * (times.start + times.end),
                value: Vec3::new(over.x, mean.y.clamp(-MOST_RISE, MOST_RISE), over.z),
                half: 0.5 * (times.end - times.start),
                share: 1.0,
            }
        }));
        knots.push(Knot { time: last.leave + FADE, value: Vec3::ZERO, half: 0.5 * FADE, share: 1.0 });
        Offset { knots }
    }

    fn mean_offset(&self, flight: &ShapedFlight, linear: &[LinearPose], times: &Range<f64>, origin: Vec3) -> Vec3 {
        let frames = self.frame(times.start)..self.frame(times.end).min(linear.len());
        let n_frames = frames.len().max(1) as f64;
        let off = |frame: usize| {
            let own = flight.pose(frame as f64 / self.rate, origin).pelvis.translation;
            own - linear[frame].pelvis.translation
        };
        frames.map(off).sum::<Vec3>() / n_frames
    }

    /// A frame with shares of recorded flights.
    fn made(&self, group: &[ShapedFlight], offset: &Offset, frame: usize, gait: &LinearPose) -> LinearPose {
        let time = frame as f64 / self.rate;
        let mut pose = gait.clone();
        pose.pelvis.translation += offset.at(time);
        let mut recorded: Option<(LinearPose, f64)> = None;
        for flight in group {
            let weight = flight.unit.weight(time);
            if weight <= 0.0 {
                continue;
            }
            let mut own = flight.pose(time, Vec3::ZERO);
            let to_gait = pose.pelvis.translation - own.pelvis.translation;
            own.pelvis.translation += to_gait;
            Side::BOTH.into_iter().for_each(|side| own.feet[side].ball += to_gait);
            recorded = Some(match recorded {
                Some((mut sum, total)) => {
                    sum.mix(&own, weight / (total + weight));
                    (sum, total + weight)
                }
                None => (own, weight),
            });
        }
        let Some((recorded, total)) = recorded else { return pose };
        let total = total.min(1.0);
        let turn = |a: Quat, b: Quat, share: f64| a.slerp(rotation::same_hemisphere(b, a), share);
        pose.pelvis.rotation = turn(pose.pelvis.rotation, recorded.pelvis.rotation, offset.share_at(time) * total);
        let swinging = PerSide::from_fn(|side| self.in_swing(side, time));
        for (index, (own, to)) in pose.others.iter_mut().zip(&recorded.others).enumerate() {
            let of_toe = Side::BOTH.into_iter().find(|&side| self.toes[side].contains(&index));
            let held = of_toe.map_or(1.0, |side| swinging[side].unwrap_or(0.0));
            *own = own.lerp(*to, total * held);
        }
        for side in Side::BOTH {
            let (foot, to) = (&mut pose.feet[side], &recorded.feet[side]);
            foot.knee_roll += total * turn_between(foot.knee_roll, to.knee_roll);
            let Some(free) = swinging[side] else { continue };
            foot.ball = foot.ball.lerp(to.ball, total * free);
            foot.rotation = turn(foot.rotation, to.rotation, total * free);
            self.keep_bent(side, &mut pose, total * free);
        }
        pose
    }

    /// A swinging leg that would be straight, or longer, takes its foot nearer.
    fn keep_bent(&self, side: Side, pose: &mut LinearPose, share: f64) {
        let mut rotations = Vec::new();
        self.body.rotations(pose, &mut rotations);
        let hip = self.body.hip(&pose.pelvis, &rotations, side);
        let way = hip - self.body.ankle(side, &pose.feet[side]);
        let (length, straight) = (way.length(), self.body.leg_length(side));
        let [from, to] = BENT.map(|of| of * straight);
        if length > from {
            let kept = from + (to - from) * (1.0 - ((from - length) / (to - from)).exp());
            pose.feet[side].ball += way * (share * (length - kept) / length);
        }
    }

    /// The share of a swinging foot that is recorded.
    fn in_swing(&self, side: Side, time: f64) -> Option<f64> {
        let swing = *self.swings[side].iter().find(|swing| swing.lift < time && time < swing.land)?;
        let held = HELD * (swing.land - swing.lift);
        Some(smoothstep((time - swing.lift) / held) * smoothstep((swing.land - time) / held))
    }

    /// Whether frames are worse than gait's: in the reach of planted legs, in what the body falls or is pushed, or in jerks of knees.
    fn is_worse(&self, made: &[LinearPose], gait: &[LinearPose], from: usize) -> bool {
        let [made, gait] = [made, gait].map(|frames| self.faults(frames, from));
        made.extension > gait.extension.max(MOST_EXTENDED)
            || made.fall > gait.fall.max(MOST_FALL)
            || made.burst > gait.burst.max(MOST_BURST)
            || made.knee > MORE_KNEE * gait.knee
    }

    fn faults(&self, frames: &[LinearPose], from: usize) -> Faults {
        let mut faults = Faults::default();
        let extensions: Vec<PerSide<f64>> = frames.iter().map(|pose| self.body.extensions(pose)).collect();
        let is_planted = |side: Side, frame: usize| self.in_swing(side, (from + frame) as f64 / self.rate).is_none();
        faults.knee = self.knee_accelerations(&extensions).into_iter().fold(0.0, f64::max);
        for (frame, of) in extensions.iter().enumerate() {
            for side in Side::BOTH {
                if is_planted(side, frame) {
                    faults.extension = faults.extension.max(of[side]);
                }
            }
        }
        // As long as the judge of bodies looks at.
        let reach = (0.05 * self.rate).round().max(1.0) as usize;
        for frame in reach..frames.len().saturating_sub(reach) {
            let at = |frame: usize| frames[frame].pelvis.translation;
            let change = (at(frame + reach) - 2.0 * at(frame) + at(frame - reach)) * (self.rate / reach as f64);
            faults.burst = faults.burst.max(change.x.hypot(change.z));
            if Side::BOTH.into_iter().any(|side| is_planted(side, frame)) {
                faults.fall = faults.fall.max(-change.y * self.rate / reach as f64 / GRAVITY);
            }
        }
        faults
    }
}

/// What frames of a body may have wrong with them.
#[derive(Clone, Copy, Debug, Default)]
struct Faults {
    /// Of a planted leg, as a share of a straight one.
    extension: f64,
    /// Downward acceleration with a foot planted, in g.
    fall: f64,
    /// Change of the velocity over the ground within 50 ms, in metres a second.
    burst: f64,
    /// Angular acceleration of a knee, in radians per second squared.
    knee: f64,
}

const GRAVITY: f64 = surefoot_contact::check_frame_rate::GRAVITY;
/// Legs may come out as straight as this, bodies fall and be pushed by so much, whatever gait's do.
const MOST_EXTENDED: f64 = 0.995;
const MOST_FALL: f64 = 0.9;
const MOST_BURST: f64 = 0.9;
/// Knees may be jerked by so much more than gait's.
const MORE_KNEE: f64 = 1.25;

fn name_sources(library: &FlightLibrary, flight: &ShapedFlight, motion: &mut ComposedMotion) {
    let sources: Vec<StepSource> = flight
        .chosen
        .parts
        .iter()
        .map(|(index, weight)| StepSource { name: Arc::clone(&library.flights()[*index].name), weight: *weight })
        .collect();
    for &landing in &flight.unit.landings {
        let outcome = &mut motion.outcomes[landing - 2];
        outcome.origin = if flight.chosen.outside > 0.0 { StepOrigin::Extrapolated } else { StepOrigin::Blended };
        outcome.outside = flight.chosen.outside;
        outcome.sources.clone_from(&sources);
    }
}

impl FlightUnit {
    /// The share of a time that is the flight's: it rises in the take-off stance and falls in the landing stance.
    fn weight(&self, time: f64) -> f64 {
        let rises = smoothstep((time - self.touch) / (self.take_off - self.touch));
        let falls = smoothstep((time - self.landing) / (self.leave - self.landing));
        rises * (1.0 - falls)
    }
}

impl ShapedFlight {
    /// The blended recordings at a time, taking off from an origin.
    fn pose(&self, time: f64, origin: Vec3) -> LinearPose {
        let width = self.rows.len() / N_FLIGHT_ROWS;
        let at = self.unit.times().row_at(time - self.unit.touch);
        let row = (at as usize).min(N_FLIGHT_ROWS - 2);
        let u = at - row as f64;
        let take = |row: usize| &self.rows[row * width..][..width];
        let (before, after) = (take(row.saturating_sub(1)), take((row + 2).min(N_FLIGHT_ROWS - 1)));
        let (here, next) = (take(row), take(row + 1));
        // Catmull and Rom's cubic.
        let shares = [
            0.5 * u * (u * (2.0 - u) - 1.0),
            0.5 * (u * u * (3.0 * u - 5.0) + 2.0),
            0.5 * u * (u * (4.0 - 3.0 * u) + 1.0),
            0.5 * u * u * (u - 1.0),
        ];
        let numbers: Vec<f64> = (0..width)
            .map(|number| {
                shares[0] * before[number]
                    + shares[1] * here[number]
                    + shares[2] * next[number]
                    + shares[3] * after[number]
            })
            .collect();
        FlightRow::read(&numbers, origin, self.unit.heading)
    }
}

/// A corner of the offset.
#[derive(Clone, Copy, Debug)]
struct Knot {
    time: f64,
    value: Vec3,
    /// Half of the time in which it is rounded.
    half: f64,
    /// The share of the value, and of the pelvis's rotation, that is taken.
    share: f64,
}

impl Knot {
    fn taken(&self) -> Vec3 {
        self.share * self.value
    }
}

/// Straight lines with rounded corners.
struct Offset {
    knots: Vec<Knot>,
}

impl Offset {
    /// The share of the pelvis's rotation at a time.
    fn share_at(&self, time: f64) -> f64 {
        let knots = &self.knots;
        let after = knots.iter().position(|knot| knot.time > time).unwrap_or(knots.len() - 1).max(1);
        let (a, b) = (&knots[after - 1], &knots[after]);
        a.share + (b.share - a.share) * smoothstep((time - a.time) / (b.time - a.time).max(1e-6))
    }

    fn at(&self, time: f64) -> Vec3 {
        let knots = &self.knots;
        let slope = |index: usize| match (knots.get(index), knots.get(index + 1)) {
            (Some(a), Some(b)) => (b.taken() - a.taken()) / (b.time - a.time).max(1e-6),
            _ => Vec3::ZERO,
        };
        for (index, knot) in knots.iter().enumerate() {
            let into = time - knot.time + knot.half;
            if into >= 0.0 && into < 2.0 * knot.half {
                let before = if index == 0 { Vec3::ZERO } else { slope(index - 1) };
                let along = knot.taken() + before * (time - knot.time);
                return along + (slope(index) - before) * (into * into / (4.0 * knot.half));
            }
        }
        let Some(after) = knots.iter().position(|knot| knot.time > time).filter(|&after| after > 0) else {
            return Vec3::ZERO;
        };
        knots[after - 1].taken() + slope(after - 1) * (time - knots[after - 1].time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_is_straight_between_stances_and_smooth_everywhere() {
        let knot = |time: f64, x: f64, half: f64| Knot { time, value: Vec3::new(x, 0.0, 0.0), half, share: 1.0 };
        let offset = Offset {
            knots: vec![knot(0.0, 0.0, 0.1), knot(0.4, 0.05, 0.1), knot(0.8, -0.02, 0.1), knot(1.2, 0.0, 0.1)],
        };
        let step = 1e-3;
        let at = |index: i32| offset.at(f64::from(index) * step).x;
        for index in -200..1500 {
            let bend = (at(index - 1) - 2.0 * at(index) + at(index + 1)) / (step * step);
            assert!(bend.abs() < 2.0, "{index}: {bend}");
            let in_flight = (510..690).contains(&index);
            assert!(!in_flight || bend.abs() < 1e-6, "{index}: {bend}");
        }
        assert_eq!((at(-150), at(1350)), (0.0, 0.0));
    }
}
