//! The legs of a jump: planted, lifted from behind, carried through the air, and between take-off and landing.
//!
//! At both ends of a flight the angles are those of a leg between its hip and an ankle in its place, so that take-offs and
//! landings are exact (`swing`). In between, the leg is tucked: as far as recorded people do, and as far as the ground below asks.
//!
//! A leg that is almost straight flexes by much for little height, so that a knee at take-off and at landing would change its rate
//! within a frame. At take-off the ankle does what the knee would: of several times at which the heel rises, the one whose knee
//! changes its rate least is taken ([`Legs::roll_off`]). Before a landing the knee flexes already, as far as it stays away from straight.

use super::body_state::{Flow, FootState, LANDING_SPEED, to_flat};
use super::foot_plant::FootPlant;
use super::jump_parameters::{FLAT_AFTER, KNEE_LANDING, KNEE_OFF};
use super::leg::LegLengths;
use super::plan_jump::{Jump, JumpOutline};
use super::plan_walk::{LEAVING_SPEED, MAX_PITCH};
use super::spline::{Knot, Spline};
use super::step::{Air, Beneath, Ground, LegTrack, MAX_KNEE, PelvisTrack, at_rest};
use super::swing::{Keys, LOOSE_FOOT, SwingPlan, limited};
use surefoot_geom::Quat;
use surefoot_motion::{BodyProportions, Side};
use surefoot_plan::Feet;

/// A leg that neither pushes nor lands, as angles.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeLeg {
    pub(super) hip: f64,
    pub(super) knee: f64,
}

/// The same after a landing on the other foot.
pub(super) const LANDED_LEG: FreeLeg = FreeLeg { hip: 0.1, knee: 1.05 };
/// In a hop the free leg hangs, its foot behind.
const HOPPING: (FreeLeg, FreeLeg) = (FreeLeg { hip: 0.25, knee: 1.5 }, FreeLeg { hip: 0.4, knee: 1.4 });
/// In a leap it swings through and up.
const LEAPING: (FreeLeg, FreeLeg) = (FreeLeg { hip: 0.25, knee: 1.2 }, FreeLeg { hip: 0.95, knee: 1.25 });
/// The leg that pushed off and stays behind as the other lands.
const TRAILING: FreeLeg = FreeLeg { hip: -0.2, knee: 0.95 };
/// Seconds in which a trailing leg would be under the body, for how fast it moves there.
const TRAILED: f64 = 0.25;
/// When the heel may lift, as shares of the push, and how fast the foot goes up on its ball at its end, of its mean rate: up to 3 a
/// cubic does not overshoot.
const HEEL_OFF_AT: [f64; 4] = [0.1, 0.3, 0.5, 0.65];
const TOE_OFF_SPEED: [f64; 4] = [1.0, 1.6, 2.3, 3.0];
/// When in the push its knee is looked at, as shares.
const KNEE_LOOKS: usize = 10;
/// Fastest change of an angle at either end of a flight, in radians a second.
const MOST_RATE: f64 = 14.0;
/// How straight a knee may be in the air, in radians, and how far a cubic goes on that starts with a rate, of rate and time: 4/27.
const STRAIGHT: f64 = 0.1;
const GOES_ON: f64 = 4.0 / 27.0;
/// How much further the foot of a leg that is left behind is up on its ball, in radians (20 degrees).
const ROLL_ON: f64 = 0.35;
/// Least flexion of a leg behind whose foot leaves, in radians, from 17 to 3 degrees: straighter ones snap out of the ground, but
/// feet need so many seconds to roll.
const KNEES_LEAVING: [f64; 4] = [0.3, 0.2, 0.1, 0.05];
const ROLLING: f64 = 0.06;
/// Soonest that a foot behind leaves, in seconds, and when on the way its leg is measured.
const SOONEST: f64 = 0.008;
const LOOKS: [f64; 5] = [0.2, 0.4, 0.6, 0.8, 1.0];
/// When a leg is tucked most, as a share of the flight; least flexion then, more for each metre of rise; toes point down so far.
const TUCKED_AT: f64 = 0.5;
const TUCKED_KNEE: (f64, f64) = (0.62, 2.2);
const TUCKED_FOOT: f64 = -0.45;
/// How much of the rate at which a leg will flex as it takes the weight it has before.
const MEETING: f64 = 0.85;
/// Flexion of knee and hip that lifts a foot by a metre, about, and rounds in which it is lifted.
const FLEXION_PER_LIFT: f64 = 2.5;
const HIP_PER_LIFT: f64 = 1.5;
const ROUNDS: usize = 6;
const SAMPLES: usize = 12;

/// Seconds until a foot that landed so is flat: what `landing_pitch` was made for.
fn flat_after_of(pitch: Flow<f64>) -> f64 {
    if pitch.rate > 0.0 { (-LANDING_SPEED * pitch.value / pitch.rate).min(FLAT_AFTER) } else { FLAT_AFTER }
}

/// The free leg of a jump at its lowest point, or as the other takes off.
pub(super) fn free_leg(jump: &Jump, at_take_off: bool) -> FreeLeg {
    let (lowest, off) = if jump.pattern().is_hop() { HOPPING } else { LEAPING };
    if at_take_off { off } else { lowest }
}

pub(super) struct Legs<'a> {
    pub(super) proportions: &'a BodyProportions,
    pub(super) pelvis: &'a PelvisTrack,
    pub(super) duration: f64,
}

impl Legs<'_> {
    /// A foot that carries the body, and comes down flat.
    pub(super) fn planted(&self, plant: FootPlant, pitch: Flow<f64>) -> (LegTrack, FootState) {
        // A heel that landed lets the ball down before the middle of the stance; a ball that landed is in its place.
        let flat_at = match pitch.value > 0.0 {
            true => FLAT_AFTER.min(0.42 * self.duration),
            false => flat_after_of(pitch).min(0.8 * self.duration),
        };
        let track = LegTrack {
            plant,
            leaves: f64::INFINITY,
            pitch: to_flat(pitch, flat_at),
            air: Spline::constant(Air::default()),
            lands: plant,
            swing: (0.0, 1.0),
            beneath: Beneath::Ramp,
        };
        (track, FootState::Planted { plant, pitch: Flow::rest(0.0) })
    }

    /// A foot in the air that goes to a free posture.
    pub(super) fn carried(&self, side: Side, from: FootState, free: &FreeLeg) -> (LegTrack, FootState) {
        let FootState::Air { left, air, since, .. } = from else { unreachable!("it is in the air") };
        let end = self.free_air(side, &air.value, free);
        self.in_air(left, (0.0, f64::NEG_INFINITY), Spline::constant(0.0), air, since, end)
    }

    /// A foot behind that leaves, and goes to a free posture.
    pub(super) fn lifting(&self, side: Side, from: FootState, leaves: f64, free: &FreeLeg) -> (LegTrack, FootState) {
        let FootState::Planted { plant, pitch } = from else { unreachable!("it is planted") };
        let least = (-pitch.value).max(0.0);
        let off = (least + ROLL_ON).min(MAX_PITCH);
        let rolled = |leaves: f64| {
            let rate = -LEAVING_SPEED * (off - least) / leaves;
            let start = Knot { time: 0.0, value: pitch.value.min(0.0), rate: pitch.rate.clamp(3.0 * rate, 0.0) };
            Spline::through(&[start, Knot { time: leaves, value: -off, rate }])
        };
        // It leaves before its leg is too short, as far as that leaves it time to roll.
        let reaches = |leaves: f64, knee: f64| {
            let (behind, reach) = (rolled(leaves), LegLengths::new(self.proportions, side).reach(knee));
            LOOKS.into_iter().map(|share| share * leaves).all(|time| {
                let hip = self.pelvis.at(time).transform_point(self.proportions.hips[side]);
                hip.distance(plant.ankle(&self.proportions.soles[side], behind.at(time))) < reach
            })
        };
        let latest = leaves.clamp(SOONEST, 0.6 * self.duration.max(2.0 * SOONEST));
        let leaves_with = |knee: f64| {
            let mut leaves = latest;
            while leaves > SOONEST && !reaches(leaves, knee) {
                leaves = (leaves - 0.01).max(SOONEST);
            }
            leaves
        };
        let [soonest @ .., last] = KNEES_LEAVING.map(leaves_with);
        let leaves = soonest.into_iter().find(|leaves| *leaves >= ROLLING).unwrap_or(last);
        let behind = rolled(leaves);
        let start = self.swing(side, from, leaves, behind, plant, Flow::rest(0.0)).start(self.proportions, self.pelvis);
        let end = self.free_air(side, &start.value, free);
        self.in_air(plant, (leaves, leaves), behind, start, leaves, end)
    }

    fn in_air(
        &self,
        plant: FootPlant,
        (begins, leaves): (f64, f64),
        pitch: Spline<f64>,
        start: Flow<Air>,
        since: f64,
        end: Flow<Air>,
    ) -> (LegTrack, FootState) {
        let knots = [
            Knot { time: begins, value: start.value, rate: start.rate },
            Knot { time: self.duration, value: end.value, rate: end.rate },
        ];
        let track = LegTrack {
            plant,
            leaves,
            pitch,
            air: Spline::through(&knots),
            lands: plant,
            swing: (since, self.duration + 0.5),
            beneath: Beneath::Ramp,
        };
        let share = track.swing_share(self.duration);
        (track, FootState::Air { left: plant, air: end, since: since - self.duration, share, over_edges: false })
    }

    fn free_air(&self, _side: Side, from: &Air, free: &FreeLeg) -> Flow<Air> {
        let mut air = *from;
        air.leg.hip = free.hip;
        air.leg.knee = free.knee;
        air.leg.out *= 0.5;
        air.pitch = free.hip - free.knee + LOOSE_FOOT;
        air.toe_bend = 0.0;
        Flow { value: air, rate: Air::default() }
    }

    fn swing(
        &self,
        side: Side,
        from: FootState,
        leaves: f64,
        behind: Spline<f64>,
        to: FootPlant,
        strike: Flow<f64>,
    ) -> SwingPlan {
        SwingPlan {
            side,
            from,
            leaves,
            behind: (behind, Flow::rest(0.0)),
            to,
            strike,
            duration: self.duration,
            clearance: 0.0,
            keys: Keys::Walk { effort: 1.0 },
            passes: None,
        }
    }

    /// A leg through push and flight; `lands` is where, and how its foot is pitched then.
    #[expect(clippy::too_many_arguments, reason = "one caller, and each is a part of one jump")]
    pub(super) fn leaping(
        &self,
        ground: &Ground<'_>,
        side: Side,
        from: FootState,
        jump: &Jump,
        o: &JumpOutline,
        lands: Option<(FootPlant, Flow<f64>)>,
        turned: f64,
    ) -> (LegTrack, FootState) {
        let (plant, push, duration) = (from.plant(), o.push, self.duration);
        let pushes = matches!(from, FootState::Planted { .. });
        let (to, strike) = lands.unwrap_or((plant, Flow::rest(0.0)));
        let swing = |rolled| self.swing(side, from, if pushes { push } else { 0.0 }, rolled, to, strike);
        let rolled = if pushes { self.roll_off(&swing, plant, o) } else { Spline::constant(0.0) };
        let plan = swing(rolled);
        let mut start = limited(plan.leaving(self.proportions, self.pelvis), MOST_RATE);
        let half = TUCKED_AT * o.flight;
        if pushes {
            start.rate.leg.knee =
                start.rate.leg.knee.max((STRAIGHT - start.value.leg.knee).min(0.0) / (GOES_ON * half));
        }
        let since = match from {
            FootState::Air { since, .. } => since,
            FootState::Planted { .. } => push,
        };
        let mut track = LegTrack {
            plant,
            leaves: if pushes { push } else { f64::NEG_INFINITY },
            pitch: rolled,
            air: Spline::constant(start.value),
            lands: to,
            swing: (since, duration),
            beneath: Beneath::Gap,
        };
        let begins = if pushes { push } else { 0.0 };
        let at_take_off = |lifted: f64| {
            let free = free_leg(jump, true);
            let free = FreeLeg { hip: free.hip + HIP_PER_LIFT * lifted, knee: free.knee + FLEXION_PER_LIFT * lifted };
            (push, self.free_air(side, &start.value, &free).value)
        };
        let mut lifted = [0.0; 2];
        let Some((to, strike)) = lands else {
            // It stays over what the other foot lands on, if that is higher.
            let mut over = plant;
            if let Some(other) = jump.to[side.opposite()].filter(|other| other.ball.y > plant.ball.y) {
                over.ball.y = other.ball.y;
                track.lands = other;
            }
            let mut end = self.trailing(jump, pushes, &start.value, turned);
            let knee = end.value.leg.knee;
            for _ in 0..ROUNDS {
                end.value.leg.knee = (knee + FLEXION_PER_LIFT * lifted[1]).min(MAX_KNEE);
                let mut points = vec![(begins, start.value)];
                if !pushes {
                    points.push(at_take_off(lifted[0]));
                }
                points.push((duration, end.value));
                track.air = Spline::clamped(&points, start.rate, end.rate);
                if !self.lift(ground, side, &track, o, &mut lifted) {
                    break;
                }
            }
            let share = track.swing_share(duration);
            return (track, FootState::Air { left: over, air: end, since: since - duration, share, over_edges: false });
        };
        let mut end = limited(plan.landing(self.proportions, self.pelvis, start.value.heading + turned), MOST_RATE);
        end.rate = end.rate * MEETING;
        end.rate.leg.knee = end.rate.leg.knee.min((end.value.leg.knee - STRAIGHT).max(0.0) / (GOES_ON * half));
        for _ in 0..ROUNDS {
            let mut points = vec![(begins, start.value)];
            if !pushes {
                points.push(at_take_off(lifted[0]));
            }
            points.push((
                push + TUCKED_AT * o.flight,
                self.tucked(&start.value, &end.value, o, lifted[1], turned, pushes),
            ));
            points.push((duration, end.value));
            track.air = Spline::clamped(&points, start.rate, end.rate);
            if !self.lift(ground, side, &track, o, &mut lifted) {
                break;
            }
        }
        (track, FootState::Planted { plant: to, pitch: strike })
    }

    /// How a foot that pushes goes up on its ball: so that its knee changes its rate least, up to and after take-off.
    fn roll_off(&self, swing: &impl Fn(Spline<f64>) -> SwingPlan, plant: FootPlant, o: &JumpOutline) -> Spline<f64> {
        let push = o.push;
        let step = push / KNEE_LOOKS as f64;
        let sole = |side: Side, pitch: f64| plant.ankle(&self.proportions.soles[side], pitch);
        let mut best = (f64::INFINITY, Spline::constant(0.0));
        for (share, speed) in HEEL_OFF_AT.into_iter().flat_map(|share| TOE_OFF_SPEED.map(|speed| (share, speed))) {
            let heel_off = share * push;
            let rolled = Spline::through(&[
                at_rest(0.0, 0.0),
                at_rest(heel_off, 0.0),
                Knot { time: push, value: -o.pitch_off, rate: -speed * o.pitch_off / (push - heel_off) },
            ]);
            let plan = swing(rolled);
            let knee = |look: usize| {
                let time = look as f64 * step;
                let (pelvis, heading) = (self.pelvis.at(time), self.pelvis.heading.at(time));
                plan.angles(self.proportions, &pelvis, heading, sole(plan.side, rolled.at(time))).knee
            };
            let knees: [f64; KNEE_LOOKS + 1] = std::array::from_fn(knee);
            let changes = knees.windows(3).map(|k| (k[2] - 2.0 * k[1] + k[0]).abs() / (step * step));
            // After take-off the knee has as far as it is flexed to come to rest.
            let (last, rate) = (knees[KNEE_LOOKS], (knees[KNEE_LOOKS] - knees[KNEE_LOOKS - 1]) / step);
            let braked = rate.min(0.0).powi(2) / (2.0 * (last - STRAIGHT).max(0.02));
            let worst = changes.fold(braked, f64::max);
            if worst < best.0 {
                best = (worst, rolled);
            }
        }
        best.1
    }

    /// In the middle of the flight.
    fn tucked(&self, start: &Air, end: &Air, o: &JumpOutline, raised: f64, turned: f64, pushes: bool) -> Air {
        let mut air = *start + (*end - *start) * 0.5;
        let least = TUCKED_KNEE.0 + TUCKED_KNEE.1 * o.rise.max(0.0) + FLEXION_PER_LIFT * raised;
        let ends = 0.5 * (KNEE_OFF + KNEE_LANDING);
        air.leg.knee = least.max(ends).min(MAX_KNEE);
        // The thigh goes forward with the shin under it, on its way to the landing.
        air.leg.hip =
            0.25 * start.leg.hip * f64::from(u8::from(pushes)) + 0.6 * end.leg.hip + 0.45 * (air.leg.knee - ends);
        air.pitch = TUCKED_FOOT + 0.3 * end.pitch;
        air.heading = start.heading + 0.5 * turned + 0.5 * (end.heading - start.heading - turned);
        air.toe_bend = 0.0;
        air
    }

    /// A leg that stays behind as the other lands.
    fn trailing(&self, jump: &Jump, pushes: bool, start: &Air, turned: f64) -> Flow<Air> {
        let is_hop = jump.pattern().is_hop();
        let leg = if is_hop && !pushes { HOPPING.0 } else { TRAILING };
        let mut air = *start;
        air.heading += turned;
        let mut end = self.free_air(Side::Left, &air, &leg);
        if jump.take_off != Feet::Both && !is_hop {
            end.rate.leg.hip = (LANDED_LEG.hip - leg.hip) / TRAILED;
            end.rate.leg.knee = (LANDED_LEG.knee - leg.knee) / TRAILED;
        }
        end
    }

    /// Lifts the keyframes at take-off and in flight by how far the foot is in the ground about them; whether it was.
    fn lift(&self, ground: &Ground<'_>, side: Side, track: &LegTrack, o: &JumpOutline, lifted: &mut [f64; 2]) -> bool {
        let lengths = LegLengths::new(self.proportions, side);
        let mut sunk = [0.0_f64; 2];
        for sample in 0..=2 * SAMPLES {
            // From the middle of the push to the landing.
            let share = sample as f64 / SAMPLES as f64 - 1.0;
            let time = if share < 0.0 { o.push * (1.0 + 0.5 * share) } else { o.push + 0.85 * o.flight * share };
            if track.is_planted(time) {
                continue;
            }
            let air = track.air_at(time, side, &self.pelvis.residual);
            let at = self.pelvis.at(time);
            let hip = at.transform_point(self.proportions.hips[side]);
            let ankle = hip + Quat::from_rotation_y(self.pelvis.heading.at(time)) * lengths.ankle(air.leg);
            let foot = track.foot_in_air(&air, time);
            let deep = track.sunk(&self.proportions.soles[side], ground, ankle, foot, air.toe_bend, time);
            let in_flight = usize::from(share > 0.15);
            sunk[in_flight] = sunk[in_flight].max(deep);
        }
        *lifted = [lifted[0] + 1.2 * sunk[0], lifted[1] + 1.2 * sunk[1]];
        sunk.into_iter().any(|sunk| sunk > 1e-3)
    }
}
