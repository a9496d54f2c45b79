//! The swing of a leg, by its angles (GAIT 4.1.4 and 4.2.5).
//!
//! Keyframes of hip, knee and foot, joined by cubic curves that begin as the foot leaves and end as it will be planted:
//!
//! | walking | running |
//! |---|---|
//! | leaving, as the standing leg is | as the last step left it; from a walk or standing, leaving |
//! | a third of the path: knee flexed most, shin trailing | mid-support: thigh upright, knee flexed most |
//! | two thirds: toes lowest over the ground, as high as the clearance asks | other foot leaves: hip flexed most, toes below the knee |
//! | landing, as the leg will be planted | landing |
//!
//! At both ends, and where toes pass over the ground, the angles are those of a leg between its hip and an ankle in its
//! place, so that landings are exact. Where a part of the foot would meet the ground, the knee of the keyframe next to that
//! is flexed more, or its ankle raised (the paper's recovery). A run from a walk or from standing leaves mid-support out, as
//! the paper does; a foot that goes backward or sideways is lifted at a third of its path instead of trailing.
//!
//! Departure: the paper interpolates linearly in walking, which jerks at every keyframe. Here all angles go through theirs
//! with continuous rates, and the rates at both ends are those of the standing leg, up to `LEAVING_RATE` and `LANDING_RATE`.

use super::body_state::{Flow, FootState};
use super::foot_plant::FootPlant;
use super::leg::{LegAngles, LegLengths};
use super::over_edges::{OverEdges, is_even};
use super::spline::Spline;
use super::step::{Air, Beneath, Ground, LegTrack, MAX_KNEE, MIN_KNEE, OVERDONE, PelvisTrack, left_sign};
use super::unlocked_knee::unlocked;
use std::f64::consts::FRAC_PI_2;
use surefoot_geom::{Quat, Transform, Vec3, ground_point, heading_direction, smoothstep, turn_between};
use surefoot_motion::BodyProportions;
use surefoot_motion::Side;

/// Time over which rates are measured, in seconds.
const DELTA: f64 = 1e-4;
/// Fastest change of an angle at the start and at the end of a swing, in radians a second: beyond what any natural gait has.
const LEAVING_RATE: f64 = 40.0;
const LANDING_RATE: f64 = 40.0;
/// Fastest that a knee extends before it lands, in radians a second: sprinters' knees.
const EXTENDING_RATE: f64 = 20.0;
/// When the knee is flexed most, as a share of a walking swing; how far it is flexed in a full stride, in radians (66
/// degrees); and how much of its path the hip has gone by then.
const FLEXED_AT: f64 = 0.34;
const FLEXED_KNEE: f64 = 1.15;
const FLEXED_HIP_SHARE: f64 = 0.66;
/// When the toes pass lowest over the ground, as a share of a walking swing; how much of its path the ankle has gone by then,
/// and the pitch of the foot, in radians (-9 degrees).
const PASSING_AT: f64 = 0.66;
const PASSING: (f64, f64) = (0.67, -0.16);
/// The same of a foot that goes backward or sideways, at `FLEXED_AT`.
const LIFTED: (f64, f64) = (0.3, -0.3);
/// From this effort on a swing is a forward one.
const FORWARD_FROM: f64 = 0.45;
/// How far a running leg is led outward past the other, in radians (3 degrees).
const PASSING_OUT: f64 = 0.05;
/// Of a foot in the air against the shin, in radians.
pub(super) const LOOSE_FOOT: f64 = 0.08;
/// A knee flexed by so many radians lifts the foot by a metre, about.
pub(super) const FLEXION_PER_LIFT: f64 = 2.5;
/// The part of a swing in which a foot that meets the ground is lifted by its keyframes.
const OPEN_SWING: (f64, f64) = (0.25, 0.8);
/// How near a swinging foot passes the planted one, from line to line, as a share of the height (7.2 cm at 1.8 m), and how far outward its
/// leg is led for that at most in walking and in running, where it is folded, in radians.
const APART: f64 = 0.04;
const MOST_ASIDE: (f64, f64) = (0.3, 0.24);
/// Knees from which on such a leg is folded, and from which it begins to be, in radians (126 and 97 degrees).
const FOLDED: f64 = 2.2;
const FOLDING: f64 = 1.7;
/// The same of hips (40 and 66 degrees).
const RAISED: (f64, f64) = (0.7, 1.15);
/// Feet that swing higher above the planted one do not meet it, as a share of the height.
const HIGH: f64 = 0.22;
/// From how far behind a foot goes around the planted one, wherever it was, in metres.
const BEHIND: f64 = 0.25;
/// Times at which the swing is compared with the ground.
const SAMPLES: usize = 12;
/// How often the middle is raised.
const ROUNDS: usize = 6;

/// The keyframes between leaving and landing.
#[derive(Clone, Copy, Debug)]
pub(super) enum Keys {
    /// How far forward the swing goes, of a full stride.
    Walk { effort: f64 },
    /// Times from the start of the step: mid-support and toe-off of the other foot.
    Run { mid: f64, mid_hip: f64, mid_knee: f64, off: f64, off_hip: f64, off_knee: f64 },
}

/// What a swing is planned from.
#[derive(Clone, Copy, Debug)]
pub(super) struct SwingPlan {
    pub(super) side: Side,
    pub(super) from: FootState,
    /// When it leaves; 0 if it is in the air already.
    pub(super) leaves: f64,
    /// Its pitch until then.
    pub(super) behind: (Spline<f64>, Flow<f64>),
    pub(super) to: FootPlant,
    /// Pitch at landing.
    pub(super) strike: Flow<f64>,
    /// When it lands.
    pub(super) duration: f64,
    pub(super) clearance: f64,
    pub(super) keys: Keys,
    /// The planted foot that it passes, if it passes one.
    pub(super) passes: Option<FootPlant>,
}

impl SwingPlan {
    pub(super) fn track(&self, proportions: &BodyProportions, ground: &Ground<'_>, pelvis: &PelvisTrack) -> LegTrack {
        let from = self.from.plant();
        let start = self.start(proportions, pelvis);
        // The share that is over goes on from that of the step before, which did not know how long this one would be.
        let since = match self.from {
            FootState::Planted { .. } => self.leaves,
            FootState::Air { share, .. } => -self.duration * share / (1.0 - share).max(0.1),
        };
        let mut track = LegTrack {
            plant: from,
            leaves: if matches!(self.from, FootState::Planted { .. }) { self.leaves } else { f64::NEG_INFINITY },
            pitch: self.behind.0,
            air: Spline::constant(start.value),
            lands: self.to,
            swing: (since, self.duration),
            beneath: Beneath::Ramp,
        };
        let end = self.end(proportions, pelvis, start.value.heading);
        if let Some(terrain) = ground.terrain
            && match self.from {
                FootState::Air { over_edges, .. } => over_edges,
                FootState::Planted { .. } => {
                    matches!(self.keys, Keys::Walk { .. })
                        && !is_even(terrain, &from, &self.to, &proportions.soles[self.side])
                }
            }
        {
            track.beneath = Beneath::Terrain;
            OverEdges { plan: self, proportions, terrain, pelvis, start, end }.lead(&mut track);
            return track;
        }
        let ankle = |air: &Air, time: f64| self.ankle(proportions, pelvis, air, time);
        let ankles = (ankle(&start.value, self.leaves), ankle(&end.value, self.duration));
        let swing = Swing { plan: self, proportions, ground, pelvis, start, end, ankles };
        let beside = swing.beside();
        let leg = proportions.leg_length(self.side);
        let most_aside = if matches!(self.keys, Keys::Walk { .. }) { MOST_ASIDE.0 } else { MOST_ASIDE.1 };
        let (mut raised, mut aside) = ([0.0; 2], [0.0; 2]);
        for _ in 0..ROUNDS {
            track.air = unlocked(swing.air(&track, raised, aside));
            let (sunk, close) = swing.worst(&track, &beside);
            if sunk[0].max(sunk[1]) < 1e-3 && close[0].max(close[1]) < 1e-3 {
                break;
            }
            for key in 0..2 {
                raised[key] += OVERDONE * sunk[key].max(0.0);
                aside[key] = (aside[key] + OVERDONE * close[key] / leg).min(most_aside);
            }
        }
        track
    }

    pub(super) fn lengths(&self, proportions: &BodyProportions) -> LegLengths {
        LegLengths::new(proportions, self.side)
    }

    /// The angles of a leg between the pelvis and an ankle.
    pub(super) fn angles(
        &self,
        proportions: &BodyProportions,
        pelvis: &Transform,
        heading: f64,
        ankle: Vec3,
    ) -> LegAngles {
        let hip = pelvis.transform_point(proportions.hips[self.side]);
        let mut offset = Quat::from_rotation_y(-heading) * (ankle - hip);
        let reach = self.lengths(proportions).reach(MIN_KNEE);
        if offset.length() > reach {
            offset *= reach / offset.length();
        }
        self.lengths(proportions).angles(offset)
    }

    /// Where angles put the ankle at a time.
    pub(super) fn ankle(&self, proportions: &BodyProportions, pelvis: &PelvisTrack, air: &Air, time: f64) -> Vec3 {
        let hip = pelvis.at(time).transform_point(proportions.hips[self.side]);
        hip + Quat::from_rotation_y(pelvis.heading.at(time)) * self.lengths(proportions).ankle(air.leg)
    }

    /// How the leg is when it leaves, or as the step found it; with the rates that a swing takes over.
    pub(super) fn start(&self, proportions: &BodyProportions, pelvis: &PelvisTrack) -> Flow<Air> {
        match self.from {
            FootState::Air { air, .. } => air,
            FootState::Planted { .. } => limited(self.leaving(proportions, pelvis), LEAVING_RATE),
        }
    }

    /// The same with the rates of the planted leg.
    pub(super) fn leaving(&self, proportions: &BodyProportions, pelvis: &PelvisTrack) -> Flow<Air> {
        let (plant, time) = match self.from {
            FootState::Air { air, .. } => return air,
            FootState::Planted { plant, .. } => (plant, self.leaves),
        };
        let at = |time: f64| {
            let pitch = self.behind.0.at(time);
            let ankle = plant.ankle(&proportions.soles[self.side], pitch);
            let leg = self.angles(proportions, &pelvis.at(time), pelvis.heading.at(time), ankle);
            Air { leg, pitch, heading: plant.heading, toe_bend: plant.toe_bend(pitch) }
        };
        let value = at(time);
        Flow { value, rate: (value - at(time - DELTA)) * (1.0 / DELTA) }
    }

    /// How the leg is when it lands, and becomes planted; with the rates that a swing meets.
    pub(super) fn end(&self, proportions: &BodyProportions, pelvis: &PelvisTrack, heading: f64) -> Flow<Air> {
        limited(self.landing(proportions, pelvis, heading), LANDING_RATE)
    }

    /// The same with the rates of the planted leg.
    pub(super) fn landing(&self, proportions: &BodyProportions, pelvis: &PelvisTrack, heading: f64) -> Flow<Air> {
        let time = self.duration;
        // As if the foot had been planted a moment before: the body's motion goes on through the landing.
        let at = |before: f64| {
            let pitch = self.strike.value - self.strike.rate * before;
            let ankle = self.to.ankle(&proportions.soles[self.side], pitch);
            let (pelvis_at, body) = (pelvis.at(time - before), pelvis.heading.at(time - before));
            Air {
                leg: self.angles(proportions, &pelvis_at, body, ankle),
                pitch,
                heading: heading + turn_between(heading, self.to.heading),
                toe_bend: self.to.toe_bend(pitch),
            }
        };
        let value = at(0.0);
        Flow { value, rate: (value - at(DELTA)) * (1.0 / DELTA) }
    }
}

/// A swing between its two ends.
struct Swing<'a> {
    plan: &'a SwingPlan,
    proportions: &'a BodyProportions,
    ground: &'a Ground<'a>,
    pelvis: &'a PelvisTrack,
    start: Flow<Air>,
    end: Flow<Air>,
    /// Where the ankle is then.
    ankles: (Vec3, Vec3),
}

impl Swing<'_> {
    /// The curve through the keyframes, those in the middle raised.
    fn air(&self, track: &LegTrack, raised: [f64; 2], aside: [f64; 2]) -> Spline<Air> {
        let Swing { plan, start, end, .. } = self;
        let aside = aside.map(|out| left_sign(plan.side) * out);
        let (begin, duration) = (plan.leaves, plan.duration);
        let blend = |time: f64| start.value + (end.value - start.value) * ((time - begin) / (duration - begin));
        match plan.keys {
            Keys::Walk { effort } => {
                let time = |share: f64| begin + share * (duration - begin);
                let passing = self.over_ground(track, PASSING, time(PASSING_AT), raised[1]);
                let mut flexed = blend(time(FLEXED_AT));
                let hips = end.value.leg.hip - start.value.leg.hip;
                flexed.leg.hip = start.value.leg.hip + FLEXED_HIP_SHARE * hips + 0.5 * FLEXION_PER_LIFT * raised[0];
                flexed.leg.knee = (FLEXED_KNEE * effort.sqrt()).max(passing.leg.knee) + FLEXION_PER_LIFT * raised[0];
                flexed.leg.knee = flexed.leg.knee.min(MAX_KNEE);
                flexed.pitch = flexed.leg.hip - flexed.leg.knee + LOOSE_FOOT;
                flexed.toe_bend = 0.0;
                // Forward the knee flexes and the shin trails; in any other direction the foot is lifted straight up.
                if effort < FORWARD_FROM {
                    let lifted = self.over_ground(track, LIFTED, time(FLEXED_AT), raised[0]);
                    flexed = lifted + (flexed - lifted) * smoothstep(effort / FORWARD_FROM);
                }
                let mut passing = passing;
                flexed.leg.out += unless_folded(aside[0], &flexed.leg);
                passing.leg.out += unless_folded(aside[1], &passing.leg);
                let points = [
                    (begin, start.value),
                    (time(FLEXED_AT), flexed),
                    (time(PASSING_AT), passing),
                    (duration, end.value),
                ];
                Spline::clamped(&points, start.rate, end.rate)
            }
            Keys::Run { mid, mid_hip, mid_knee, off, off_hip, off_knee } => {
                let key = |time: f64, hip: f64, knee: f64, raised: f64, aside: f64| {
                    let mut air = blend(time);
                    air.leg.out += left_sign(plan.side) * PASSING_OUT;
                    air.leg.hip = hip;
                    // It must be straight again in time.
                    let most =
                        (end.value.leg.knee + EXTENDING_RATE * (duration - time)).clamp(knee, MAX_KNEE.max(knee));
                    air.leg.knee = (knee + FLEXION_PER_LIFT * raised).min(most);
                    air.leg.out += unless_folded(aside, &air.leg);
                    air.pitch = hip - air.leg.knee + LOOSE_FOOT;
                    air.toe_bend = 0.0;
                    air
                };
                let flexed = (off, key(off, off_hip, off_knee, raised[1], aside[1]));
                // From standing, and from a walk, the first part of the swing is left out.
                if matches!(plan.from, FootState::Planted { .. }) {
                    let points = [(begin, start.value), flexed, (duration, end.value)];
                    return Spline::clamped(&points, start.rate, end.rate);
                }
                let mid = (mid, key(mid, mid_hip, mid_knee, raised[0], aside[0]));
                let points = [(begin, start.value), mid, flexed, (duration, end.value)];
                Spline::clamped(&points, start.rate, end.rate)
            }
        }
    }

    /// A foot so far along its path and pitched so, as high over the ground as the clearance asks.
    fn over_ground(&self, track: &LegTrack, (share, pitch): (f64, f64), time: f64, raised: f64) -> Air {
        let Swing { plan, proportions, ground, pelvis, start, end, ankles: (left, lands) } = self;
        let mut air = start.value + (end.value - start.value) * share;
        air.pitch = pitch;
        air.toe_bend = 0.0;
        let foot = track.foot_in_air(&air, time);
        let mut ankle = *left + (*lands - *left) * share;
        let sunk = track.sunk(&proportions.soles[plan.side], ground, ankle, foot, 0.0, time);
        ankle.y += plan.clearance + sunk + raised;
        air.leg = plan.angles(proportions, &pelvis.at(time), pelvis.heading.at(time), ankle);
        air
    }

    /// The planted foot that the swing passes on its own side.
    fn beside(&self) -> Option<Beside> {
        let Swing { plan, proportions, pelvis, .. } = self;
        let plant = plan.passes?;
        let sole = &proportions.soles[plan.side.opposite()];
        let (heel, toe) = (plant.heel(sole), plant.ball + plant.forward * (sole.toe_tip.z - sole.ball.z));
        let is_own_side = |foot: &FootPlant, time: f64| {
            (foot.ball - plant.ball).dot(outward(plan.side, pelvis.heading.at(time))) > 0.0
        };
        let from = plan.from.plant();
        let ahead = heading_direction(pelvis.heading.at(plan.duration));
        let behind = (plant.ball - from.ball).dot(ahead);
        // The first step of a run is too short to go around.
        if matches!((plan.keys, plan.from), (Keys::Run { .. }, FootState::Planted { .. })) {
            return None;
        }
        let passes = (behind > BEHIND || is_own_side(&from, plan.leaves)) && is_own_side(&plan.to, plan.duration);
        passes.then_some(Beside { heel, toe })
    }

    /// How far the swinging foot is in the ground at worst, around each of the two keyframes in the middle, and how much too near it passes
    /// the planted one.
    fn worst(&self, track: &LegTrack, beside: &Option<Beside>) -> ([f64; 2], [f64; 2]) {
        let Swing { plan, proportions, ground, pelvis, .. } = self;
        let (mut worst, mut nearest) = ([f64::NEG_INFINITY; 2], [0.0_f64; 2]);
        let between = match plan.keys {
            Keys::Walk { .. } => 0.5 * (FLEXED_AT + PASSING_AT),
            Keys::Run { mid, off, .. } => (0.5 * (mid + off) - plan.leaves) / (plan.duration - plan.leaves),
        };
        let sole = &proportions.soles[plan.side];
        for sample in 0..=SAMPLES {
            let share = OPEN_SWING.0 + (OPEN_SWING.1 - OPEN_SWING.0) * sample as f64 / SAMPLES as f64;
            let time = plan.leaves + (plan.duration - plan.leaves) * share;
            let air = track.air_at(time, plan.side, &pelvis.residual);
            let foot = track.foot_in_air(&air, time);
            let ankle = plan.ankle(proportions, pelvis, &air, time);
            let sunk = track.sunk(sole, ground, ankle, foot, air.toe_bend, time);
            let key = usize::from(share > between);
            worst[key] = worst[key].max(sunk);
            if let Some(beside) = beside.as_ref().filter(|beside| ankle.y - beside.toe.y < HIGH * proportions.height) {
                let apart = APART * proportions.height;
                let outward = outward(plan.side, pelvis.heading.at(time));
                let close = [ankle, ankle + foot * sole.ball].map(|point| apart - beside.distance(point, outward));
                nearest[key] = nearest[key].max(close[0].max(close[1]).min(2.0 * apart));
            }
        }
        (worst, nearest)
    }
}

/// How far a leg is led outward: one that is folded, or has its thigh level, would be turned round.
fn unless_folded(aside: f64, leg: &LegAngles) -> f64 {
    let folded = smoothstep((FOLDED - leg.knee) / (FOLDED - FOLDING));
    aside * folded * smoothstep((RAISED.1 - leg.hip) / (RAISED.1 - RAISED.0))
}

/// Where a leg's own side is of a body that faces a heading.
fn outward(side: Side, heading: f64) -> Vec3 {
    heading_direction(heading + FRAC_PI_2) * left_sign(side)
}

/// A planted foot that is passed.
struct Beside {
    heel: Vec3,
    toe: Vec3,
}

impl Beside {
    /// How far a point is from the foot over the ground; negative beside it where it should not pass.
    fn distance(&self, point: Vec3, outward: Vec3) -> f64 {
        let (along, from) = (ground_point(self.toe - self.heel), ground_point(point - self.heel));
        let share = (from.dot(along) / along.length_squared().max(1e-9)).clamp(0.0, 1.0);
        let away = from - along * share;
        if away.dot(ground_point(outward)) < 0.0 && share > 0.0 && share < 1.0 { -away.length() } else { away.length() }
    }
}

/// With rates up to a limit, in radians a second.
pub(super) fn limited(Flow { value, rate }: Flow<Air>, most: f64) -> Flow<Air> {
    let limit = |rate: f64| rate.clamp(-most, most);
    let rate = Air {
        leg: LegAngles { hip: limit(rate.leg.hip), knee: limit(rate.leg.knee), out: limit(rate.leg.out) },
        pitch: limit(rate.pitch),
        heading: limit(rate.heading),
        toe_bend: limit(rate.toe_bend),
    };
    Flow { value, rate }
}
