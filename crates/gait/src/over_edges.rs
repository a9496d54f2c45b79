//! The swing of a walking foot over edges: stairs, kerbs, ground that is no plane.
//!
//! The profile of the ground under the path is known when the step is planned, so keyframes carry the foot over it
//! instead of being lifted out of it (`step` still does so, as the last guard).
//!
//! ```text
//!    up:      .--o--o.        first up, then forward     down:  o-.         first forward, then down
//!            /    ___|o_                                 ___   \  `o
//!        o  o    |                                          |    `. \
//!        |__|____|                                          |______o_o_
//! ```
//!
//! 1. Four keyframes between leaving and landing move the ball of the foot along its path and pitch the foot; how far along
//!    it is at each depends on the rise ([`PROFILES`]).
//! 2. The leg's angles at them are those between its hip and the ankle; cubic curves join the angles, as in all swings.
//! 3. Heel, ball and toe tip are compared at many times with the highest ground within `REACH` of them along the path, and
//!    the keyframes next to where they come too low are raised, until none does.
//!
//! Limits: edges are cleared along the path of the foot, not to its sides. A foot that is planted closer to a riser than `REACH`
//! has only as much room as there is.

use super::body_state::{Flow, FootState};
use super::foot_plant::FootPlant;
use super::spline::Spline;
use super::step::{Air, LegTrack, OVERDONE, PelvisTrack, left_sign, sole_points};
use super::swing::SwingPlan;
use std::f64::consts::FRAC_PI_2;
use surefoot_geom::{Quat, Vec3, ground_point, heading_direction, smoothstep};
use surefoot_ground::Terrain;
use surefoot_motion::{BodyProportions, Sole};

/// When the keyframes are, as shares of the swing.
const TIMES: [f64; N_KEYS] = [0.2, 0.42, 0.64, 0.84];
const N_KEYS: usize = 4;

/// How far along its path the ball is at the keyframes, and how much of the foot's pitch at leaving is left; up a stair, on the
/// level and down a stair.
struct Profile {
    along: [f64; N_KEYS],
    /// Pitch in radians, between those of leaving and landing.
    pitch: [f64; N_KEYS],
}

const UP: Profile = Profile { along: [0.01, 0.2, 0.6, 0.93], pitch: [-0.7, -0.45, -0.1, 0.0] };
const LEVEL: Profile = Profile { along: [0.1, 0.37, 0.71, 0.95], pitch: [-0.7, -0.4, -0.12, 0.05] };
const DOWN: Profile = Profile { along: [0.14, 0.49, 0.87, 1.0], pitch: [-0.6, -0.4, -0.3, -0.25] };

/// A rise or drop of the swing at which it goes as [`UP`] or [`DOWN`], in metres.
const STAIR: f64 = 0.15;
/// How far a running foot is led outward past the other, as a share of the height (4 cm at 1.8 m).
const PASSING_ASIDE: f64 = 0.023;
/// How far before and behind it an edge is kept clear of, and how high above, in metres.
const REACH: f64 = 0.02;
const CLEAR: f64 = 0.015;
/// First and last share of the swing in which that room is less.
const NEAR_PLANT: f64 = 0.15;
/// Times at which the swing is compared with the ground, and how often it is raised.
const SAMPLES: usize = 40;
const ROUNDS: usize = 12;
/// What is left to the guard, in metres.
const TOLERANCE: f64 = 0.001;
/// A keyframe is raised by no more than this, as a share of how low the foot is, at once.
const MOST_SHARE: f64 = 1.2;
/// How far a keyframe is moved away from a riser, as a share of how low the foot is, and at most, in metres.
const ASIDE: f64 = 0.3;
const MOST_ASIDE: f64 = 0.05;
/// How far below its hip an ankle is at least at a keyframe, as a share of the leg.
const HIGHEST: f64 = 0.42;
/// Ground that bends less than this under a path is even, in metres, and how many places are tested.
const EVEN: f64 = 0.02;
const PLACES: usize = 24;

/// Whether the ground from one plant to the next is a plane, as good as.
pub(super) fn is_even(terrain: &Terrain, from: &FootPlant, to: &FootPlant, sole: &Sole) -> bool {
    let offset = to.ball - from.ball;
    let level = Vec3::new(offset.x, 0.0, offset.z);
    let along = level.normalize_or(heading_direction(to.heading));
    let (back, front) = (sole.heel.z - sole.ball.z, sole.toe_tip.z - sole.ball.z);
    let (first, last) = (back - REACH, level.length() + front + REACH);
    let slope = offset.y / level.length().max(1e-3);
    let height = |at: f64| terrain.height(ground_point(from.ball + along * at));
    let places = || (0..=PLACES).map(|n| first + (last - first) * n as f64 / PLACES as f64);
    places().all(|at| (height(at) - from.plane(from.ball + along * at)).abs() < EVEN)
        || places().all(|at| (height(at) - from.ball.y - slope * at).abs() < EVEN)
}

/// A swing between its two ends, over a terrain.
pub(super) struct OverEdges<'a> {
    pub(super) plan: &'a SwingPlan,
    pub(super) proportions: &'a BodyProportions,
    pub(super) terrain: &'a Terrain,
    pub(super) pelvis: &'a PelvisTrack,
    pub(super) start: Flow<Air>,
    pub(super) end: Flow<Air>,
}

impl OverEdges<'_> {
    /// Leads the track's foot over the edges.
    pub(super) fn lead(&self, track: &mut LegTrack) {
        let mut moved = [Moved::default(); N_KEYS];
        for _ in 0..ROUNDS {
            track.air = self.air(track, &moved);
            let more = self.too_low(track);
            if more.iter().all(|more| more.up < TOLERANCE) {
                break;
            }
            for (moved, more) in moved.iter_mut().zip(more) {
                moved.up += OVERDONE * more.up;
                moved.on = (moved.on + more.on).clamp(-MOST_ASIDE, MOST_ASIDE);
            }
        }
    }

    fn time(&self, share: f64) -> f64 {
        self.plan.leaves + share * (self.plan.duration - self.plan.leaves)
    }

    fn sole(&self) -> &Sole {
        &self.proportions.soles[self.plan.side]
    }

    /// The curve through the keyframes.
    fn air(&self, track: &LegTrack, moved: &[Moved; N_KEYS]) -> Spline<Air> {
        let OverEdges { plan, proportions, pelvis, start, end, .. } = self;
        let ball = |air: &Air, time: f64| self.ankle(air, time) + track.foot_in_air(air, time) * self.sole().ball;
        let (from, to) = (ball(&start.value, plan.leaves), ball(&end.value, plan.duration));
        let rise = ((to.y - from.y) / STAIR).clamp(-1.0, 1.0);
        let slanted = if rise > 0.0 { &UP } else { &DOWN };
        let mix = |level: f64, slanted: f64| level + rise.abs() * (slanted - level);
        // A foot that has lifted its heel for the swing lets it down again; one that goes backward or sideways hardly lifts it.
        let forward = (to - from).dot(heading_direction(plan.to.heading)) / (to - from).length().max(1e-6);
        let forward = smoothstep(2.0 * forward);
        let ahead = level_direction(to - from);
        // A running foot is in the air already, and goes on from there.
        let (over, aside) = match plan.from {
            FootState::Planted { .. } => (0.0, 0.0),
            FootState::Air { share, .. } => (share, PASSING_ASIDE * proportions.height),
        };
        let profile = |values: fn(&Profile) -> &[f64; N_KEYS], ends: (f64, f64), share: f64| {
            between_keys(&std::array::from_fn(|key| mix(values(&LEVEL)[key], values(slanted)[key])), ends, share)
        };
        let gone = profile(|profile| &profile.along, (0.0, 1.0), over);
        let outward = heading_direction(plan.to.heading + FRAC_PI_2) * left_sign(plan.side);
        let mut points = [(plan.leaves, start.value); N_KEYS + 2];
        for key in 0..N_KEYS {
            let time = self.time(TIMES[key]);
            let share = over + (1.0 - over) * TIMES[key];
            let along = (profile(|profile| &profile.along, (0.0, 1.0), share) - gone) / (1.0 - gone).max(1e-3);
            let mut air = start.value + (end.value - start.value) * along;
            let last = mix(LEVEL.pitch[N_KEYS - 1], slanted.pitch[N_KEYS - 1]);
            let pitch = profile(|profile| &profile.pitch, (start.value.pitch, last), share);
            // No further on its toes than it was.
            let pitch = pitch.max(start.value.pitch.min(end.value.pitch).min(-0.25));
            air.pitch += forward * (pitch - air.pitch);
            air.toe_bend = if key == 0 { 0.4 * start.value.toe_bend } else { 0.0 };
            let mut place = from + (to - from) * along;
            place += ahead * moved[key].on + outward * (aside * 4.0 * TIMES[key] * (1.0 - TIMES[key]));
            place.y += moved[key].up + plan.clearance * (1.0 - rise.abs());
            let ankle = place - track.foot_in_air(&air, time) * self.sole().ball;
            let ankle = self.within_reach(ankle, time);
            air.leg = plan.angles(proportions, &pelvis.at(time), pelvis.heading.at(time), ankle);
            points[key + 1] = (time, air);
        }
        points[N_KEYS + 1] = (plan.duration, end.value);
        Spline::clamped(&points, start.rate, end.rate)
    }

    /// An ankle no higher than a leg is drawn up; and of a running leg, which comes down with its body, no further away than it lands.
    fn within_reach(&self, mut ankle: Vec3, time: f64) -> Vec3 {
        let OverEdges { plan, proportions, pelvis, end, .. } = self;
        let hip = pelvis.at(time).transform_point(proportions.hips[plan.side]);
        ankle.y = ankle.y.min(hip.y - HIGHEST * proportions.leg_length(plan.side));
        if matches!(plan.from, FootState::Air { .. }) {
            let most = plan.lengths(proportions).reach(end.value.leg.knee);
            ankle = hip + (ankle - hip).clamp_length_max(most);
        }
        ankle
    }

    fn ankle(&self, air: &Air, time: f64) -> Vec3 {
        let OverEdges { plan, proportions, pelvis, .. } = self;
        let hip = pelvis.at(time).transform_point(proportions.hips[plan.side]);
        hip + Quat::from_rotation_y(pelvis.heading.at(time)) * plan.lengths(proportions).ankle(air.leg)
    }

    /// How the keyframes are to be moved.
    fn too_low(&self, track: &LegTrack) -> [Moved; N_KEYS] {
        let mut most = [Moved::default(); N_KEYS];
        let along = level_direction(track.lands.ball - track.plant.ball);
        for sample in 1..SAMPLES {
            let share = sample as f64 / SAMPLES as f64;
            let time = self.time(share);
            let air = track.air_at(time, self.plan.side, &self.pelvis.residual);
            let (foot, ankle) = (track.foot_in_air(&air, time), self.ankle(&air, time));
            let room = (share.min(1.0 - share) / NEAR_PLANT).min(1.0);
            for point in sole_points(self.sole(), air.toe_bend) {
                let point = ankle + foot * point;
                let height = |ahead: f64| self.terrain.height(ground_point(point + along * (ahead * room)));
                let (behind, before) = (height(-REACH), height(REACH));
                let low = height(0.0).max(behind).max(before) + CLEAR * room - point.y;
                if low > TOLERANCE {
                    raise(&mut most, share, low);
                    // Away from a riser next to which the foot leaves or lands.
                    let away = ASIDE * low * (behind - before).clamp(-low, low) / low;
                    for (key, near) in [(0, share < TIMES[1]), (N_KEYS - 1, share > TIMES[N_KEYS - 2])] {
                        if near && away.abs() > most[key].on.abs() {
                            most[key].on = away;
                        }
                    }
                }
            }
        }
        most
    }
}

/// A value between those at the keyframes, and at both ends of a swing.
fn between_keys(values: &[f64; N_KEYS], ends: (f64, f64), share: f64) -> f64 {
    let (mut before, mut after) = ((0.0, ends.0), (1.0, ends.1));
    for key in TIMES.into_iter().zip(*values) {
        if key.0 <= share {
            before = key;
        } else {
            after = key;
            break;
        }
    }
    before.1 + (after.1 - before.1) * (share - before.0) / (after.0 - before.0).max(1e-9)
}

/// How a keyframe is moved.
#[derive(Clone, Copy, Debug, Default)]
struct Moved {
    up: f64,
    /// Along the path.
    on: f64,
}

fn level_direction(offset: Vec3) -> Vec3 {
    Vec3::new(offset.x, 0.0, offset.z).normalize_or_zero()
}

/// Shares a lift at a time between the keyframes around it, by how much each moves the curve there.
fn raise(most: &mut [Moved; N_KEYS], share: f64, low: f64) {
    let after = TIMES.iter().position(|&time| time >= share).unwrap_or(N_KEYS);
    let begin = if after == 0 { 0.0 } else { TIMES[after - 1] };
    let end = if after == N_KEYS { 1.0 } else { TIMES[after] };
    let weight = smoothstep((share - begin) / (end - begin));
    let weights = [if after == 0 { 0.0 } else { 1.0 - weight }, if after == N_KEYS { 0.0 } else { weight }];
    let square = weights[0] * weights[0] + weights[1] * weights[1];
    for (key, weight) in [(after.wrapping_sub(1), weights[0]), (after, weights[1])] {
        if weight > 0.0 {
            most[key].up = most[key].up.max(low * (weight / square).min(MOST_SHARE));
        }
    }
}
