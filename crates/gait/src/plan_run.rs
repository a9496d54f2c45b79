//! The keyframes of a running step, from the landing of one foot to the landing of the other (GAIT 4.2.4 and 4.2.5).
//!
//! ```text
//!        HS            mid-support          TO        flight        next HS
//!   foot on heel or ball   flat       up on its ball    in the air
//!   pelvis  falls ........ lowest ...... rises ........ parabola ......
//!   other leg  0.75 of    thigh upright,  hip flexed most,         lands
//!              mid-swing  knee flexed most  toes below knee
//! ```
//!
//! 1. State constraints: the pelvis at the next landing, bottom-up from the footprint, overstride, knee at impact, and the
//!    shares of rotation, list and lateral displacement at landing ([`landing`]); the pelvis at toe-off, backward from there
//!    along the flight ([`Planner::take_off`], eqs. 4.10 and 4.11: the leg is as long as its knee and foot at toe-off make it).
//! 2. Flight along the parabola. In support the height follows from a force of the ground that never pulls ([`super::push`]); along
//!    the ground the speed changes evenly from one flight to the next. The torso leans into the acceleration, into the
//!    turn and uphill.
//! 3. Phase constraints: the standing foot rolls; the swinging leg goes through its keyframes ([`super::swing`]).
//! 4. Recovery: where the leg at toe-off does not reach (at high speed), the flight begins earlier, its foot comes further
//!    up on its ball, and last the pelvis stays behind; where a standing leg does not reach, or its knee is flexed too far,
//!    mid-support is moved; where the swinging foot meets the ground, its knee is flexed more.
//!
//! Departures from the paper:
//!
//! - At mid-support the pelvis has made 0.94 of its mean advance, not 0.8: with the velocities of both flights given, 0.8 would
//!   have it stop and start again in every step.
//! - The percentage `p` of the trailing leg's angles when the other foot lands is of its motion from toe-off to mid-swing, and
//!   always 0.75: of the angles themselves it is nothing where the thigh is upright.
//! - The knee at impact is that of a foot as far ahead as the default run's (`REFERENCE_OVERSTRIDE`): nearer below the body
//!   it is flexed more, as in figure 4.26.
//! - The pitch of the foot at impact depends on the strike alone, not on the overstride.
//! - In flights shorter than `TURNING_TIME` the pelvis keeps more of its rotation, and takes less list, until it lands.
//! - A target height of flight (case II) is met exactly wherever the leg reaches: of all flights that rise so high, the
//!   longest that begins no higher than the leg at toe-off reaches and than a push lifts, which is the paper's
//!   where the leg is as long as asked ([`flight`]; `toe_off` solves the paper's equations alone).
//! - Where no height is set, a pelvis whose leg would have to pull it down again before toe-off, or that would fall faster than
//!   `FALLING_OFF` from then on, leaves the ground lower, its knee more flexed than asked.
//! - The body's speed in flight is not the mean of the step but what an even acceleration leads to, so that starts, stops and
//!   changes of pace have no bursts.

mod flight;

use self::flight::rising;
pub(super) use self::flight::{RunOutline, decide_flight, outline_run};
use super::body_state::{BodyState, Flow, FootState, landing_pitch, to_flat};
use super::equations::DEFAULT_HEIGHT;
use super::foot_plant::FootPlant;
use super::leg::LegLengths;
use super::norms::{Blend, Residual, Times};
use super::over_edges::is_even;
use super::plan_walk::{LEAVING_SPEED, MAX_PITCH};
use super::poise::Poise;
use super::push::{self, Push};
use super::spline::{Knot, Spline};
use super::step::{
    Air, Beneath, DEEPEST_KNEE, Flight, Ground, LegTrack, MIN_KNEE, OVERDONE, PelvisTrack, Step, UpperTrack, at_rest,
    balanced_lean, between_headings, highest_pelvis, lean_of, left_sign, level, pelvis_attitude, without_overshoot,
};
use super::swing::{self, SwingPlan};
use super::unlocked_knee::unlocked;
use super::{RunAttributes, Strike};
use std::f64::consts::PI;
use surefoot_contact::check_frame_rate::GRAVITY;
use surefoot_geom::{Transform, Vec3, ground_point, heading_direction, turn_between};
use surefoot_motion::BodyProportions;
use surefoot_motion::{PerSide, Side};

/// Shares of the attributes at landing: rotation, list, lateral displacement (the last also at toe-off).
const ROTATION_AT_LANDING: f64 = 0.2;
const LIST_AT_LANDING: f64 = 0.8;
const LATERAL_AT_ENDS: f64 = 0.8;
/// The default run's overstride, as a share of the height.
const REFERENCE_OVERSTRIDE: f64 = 0.083;
/// Fastest that a short flight lets the body fall from the first, in metres a second.
const FALLING_OFF: f64 = 0.3;
/// How much of the error of the speed at which a body comes down is made good by its push-off.
const EVENED: f64 = 0.7;
/// How far the body's centre is moved into a turn, of what the lean of the whole body would have it.
const BODY_BANK: f64 = 0.6;
/// Seconds that the pelvis takes to turn from toe-off to landing.
const TURNING_TIME: f64 = 0.12;
/// Pitch of a foot that lands on its heel or on its ball, in radians (9 and -13 degrees).
const HEEL_STRIKE: f64 = 0.16;
const TOE_STRIKE: f64 = -0.22;
/// From this grade of the ground on, a foot lands flat (14 degrees uphill).
const FLAT_STRIKE_GRADE: f64 = 0.25;
/// When mid-support is, as a share of the support: a little before its half, for recovery is shorter than propulsion.
const MID_SUPPORT: f64 = 0.45;
/// Where the pelvis is then, of where its mean speed would have it (the paper's 0.8).
const BEHIND: f64 = 0.94;
/// Speed from which on it stays behind less, so that no sprint brakes in bursts, in metres a second.
const FASTEST_BRAKED: f64 = 5.0;
/// Furthest that the pelvis sinks in support, as a share of the height: natural runs sink by half of it.
const DEEPEST_DIP: f64 = 0.1;
/// Pitch of the foot at toe-off, in radians: of a step without length, and how much more for each metre of step length of
/// a person 1.8 m tall (42 degrees in the default run).
const OFF_PITCH: (f64, f64) = (0.42, 0.26);
/// When the sole is flat and when the heel lifts, as shares of the support.
const FLAT_AT: f64 = 0.19;
const HEEL_OFF_AT: f64 = 0.5;
/// How far a trailing leg has come from toe-off to mid-swing when the other foot lands.
const TRAILING_SHARE: f64 = 0.75;
/// Most that the knee of such a leg is flexed over the edge of a stair that the body goes down, in radians (126 degrees), and how far its
/// toes hang then at most (-46 degrees).
const MOST_DRAWN_UP: f64 = 2.2;
const HANGING: f64 = -0.8;
/// How far it is above a tread that it has left, in metres.
const CLEAR: f64 = 0.02;
/// When a trailing foot is drawn up over an edge before it, as a share of the flight, and by how much at most, as a share of the leg.
const RAISED_AT: f64 = 0.4;
const MOST_RAISED: f64 = 0.25;
/// In mid-swing the thigh is upright, or a little before, in radians.
const MID_HIP: f64 = 0.06;
/// The toes are below the knee: the shin leans back by so much at toe-off, in radians.
const SHIN_BACK: f64 = 0.28;
/// How far it may be where no longer flight is possible, as a share of the square of the leg (72 degrees).
const FURTHEST_SQUARE: f64 = 0.9;
/// How much further a knee is flexed at impact for each bounciness beyond the natural ones, in radians (9 degrees): a push that never
/// pulls can be hardly deeper than it is by nature.
const BOUNCE_KNEE: f64 = 0.16;
const MOST_NATURAL_BOUNCE: f64 = 1.2;
/// Least flexion at impact, in radians (8 degrees).
const MIN_IMPACT_KNEE: f64 = 0.14;
/// How much of hip and knee flexion in swing the shortest steps keep, at the start and end of a run.
const LEAST_HIP_SWING: f64 = 0.3;
const LEAST_KNEE_SWING: f64 = 0.5;
/// When a foot that is still planted, from a walk or from standing, leaves at the latest, as a share of the support.
const LATEST_LEAVING: f64 = 0.7;
/// How much further up on its ball it is then, in radians (20 degrees).
const ROLL_ON: f64 = 0.35;
/// How fast a foot goes up on its ball at toe-off, of its mean rate since its heel lifted.
const TOE_OFF_SPEED: f64 = 1.6;
/// Times at which the legs are measured.
const SAMPLES: usize = 16;
/// How often mid-support is moved.
const ROUNDS: usize = 6;

/// What a running step shall do.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunStep {
    /// The foot that swings.
    pub(super) side: Side,
    pub(super) to: FootPlant,
    /// The footprint after that, as far as it is known.
    pub(super) then: Option<FootPlant>,
    /// Seconds from landing to landing.
    pub(super) duration: f64,
    /// Seconds in the air at its end, where no height is set.
    pub(super) flight: f64,
    /// How high the flight rises, in metres, if it is set.
    pub(super) height: Option<f64>,
    /// Seconds until the other foot leaves, if it is still planted.
    pub(super) double_support: f64,
    /// How long the step is, of a full one.
    pub(super) effort: f64,
    pub(super) attributes: RunAttributes,
    pub(super) blend: Blend,
}

/// The body when a foot lands from flight.
#[derive(Clone, Copy, Debug)]
struct Landing {
    pelvis: Transform,
    heading: f64,
    rotation: f64,
    list: f64,
    strike: f64,
}

/// The body when a foot leaves for flight.
#[derive(Clone, Copy, Debug)]
struct TakeOff {
    position: Vec3,
    velocity: Vec3,
    /// Of the foot, on its ball.
    pitch: f64,
}

/// The keyframes of a step whose flight is decided.
pub(super) fn plan_run(
    proportions: &BodyProportions,
    ground: &Ground<'_>,
    from: &BodyState,
    step: &RunStep,
) -> (Step, BodyState) {
    let planner = Planner { proportions, from, step };
    let attributes = step.attributes;
    let (duration, support, mid) = (step.duration, planner.support(), MID_SUPPORT * planner.support());
    let landing = planner.landing();
    let (mut pelvis, heading_rate) = planner.turns(&landing);
    let heading_end = pelvis.heading.at(duration);

    let off = planner.take_off(&pelvis, &landing);
    pelvis.flight = Some(Flight { start: support, position: off.position, velocity: off.velocity });
    let stance_pitch = planner.stance_pitch(&off);
    let (behind_pitch, leaving) = planner.behind_pitch();
    let mut moved = 0.0;
    for _ in 0..ROUNDS {
        pelvis.path = planner.path(&pelvis, &off, moved);
        let excess = planner.excess(&pelvis, &stance_pitch, &behind_pitch);
        if excess.abs() < 1e-4 {
            break;
        }
        moved += OVERDONE * excess;
    }

    let velocity = off.velocity - Vec3::Y * (GRAVITY * step.flight);
    let strike = landing_pitch(landing.strike, FLAT_AT * support);
    let hip_swing = planner.hip_swing();
    let keys = swing::Keys::Run {
        mid,
        mid_hip: MID_HIP,
        mid_knee: planner.knee_swing(),
        off: support,
        off_hip: hip_swing,
        off_knee: hip_swing + SHIN_BACK,
    };
    let swing_plan = SwingPlan {
        side: step.side,
        from: from.feet[step.side],
        leaves: planner.leaves(),
        behind: (behind_pitch, leaving),
        to: step.to,
        strike,
        duration,
        clearance: 0.0,
        keys,
        passes: Some(from.feet[step.side.opposite()].plant()),
    };
    let swing_track = swing_plan.track(proportions, ground, &pelvis);
    let (stance_track, trailing) = planner.trailing(ground, &pelvis, stance_pitch);
    let legs = PerSide::from_fn(|side| if side == step.side { swing_track } else { stance_track });
    let upper = planner.upper_track(&pelvis, &off);
    let done = Step { duration, pelvis, legs, upper, poise: Poise::facing() };
    let flow = |spline: &Spline<f64>| {
        spline.knots().last().map(|knot| Flow { value: knot.value, rate: knot.rate }).expect("a knot")
    };
    let after = BodyState {
        position: Flow { value: landing.pelvis.translation, rate: velocity },
        heading: Flow { value: heading_end, rate: heading_rate },
        rotation: flow(&done.pelvis.rotation),
        list: flow(&done.pelvis.list),
        lean: flow(&done.pelvis.lean),
        side: flow(&done.pelvis.side),
        feet: PerSide::from_fn(|side| {
            if side == step.side {
                FootState::Planted { plant: step.to, pitch: strike }
            } else {
                let share = stance_track.swing_share(duration);
                let over_edges = stance_track.beneath == Beneath::Terrain;
                FootState::Air { left: planner.here(), air: trailing, since: support - duration, share, over_edges }
            }
        }),
        shoulders: attributes.shoulder_rotation,
        arm_out: attributes.arm_out,
        arms: PerSide::from_fn(|side| flow(&done.upper.arms[side])),
        elbows: PerSide::from_fn(|side| flow(&done.upper.elbows[side])),
        blend: step.blend,
        look: from.look,
    };
    (done, after)
}

/// The pelvis bottom-up from the footprint that a foot lands on, leaning sideways into a turn.
fn landing(proportions: &BodyProportions, here: &FootPlant, step: &RunStep, bank: f64) -> Landing {
    let RunStep { side, to, flight, attributes, .. } = *step;
    let heading = between_headings(here.heading, to.heading);
    let strike = match attributes.strike {
        // Uphill runners land on the whole sole.
        Strike::Heel => {
            let strike = HEEL_STRIKE * (1.0 - to.grade() / FLAT_STRIKE_GRADE).clamp(0.0, 1.0);
            strike.min(to.most_strike(&proportions.soles[side]))
        }
        Strike::Toe => TOE_STRIKE,
    };
    let swing_sign = left_sign(side);
    // In a short flight the pelvis has no time to turn so far.
    let share = (flight / TURNING_TIME).min(1.0);
    let rotation = -swing_sign * (1.0 - share * (1.0 - ROTATION_AT_LANDING)) * attributes.pelvis_rotation;
    let list = swing_sign * share * LIST_AT_LANDING * attributes.pelvis_list;
    let attitude = pelvis_attitude(heading + rotation, list, attributes.torso_tilt, bank);
    let hips = attitude * ((proportions.hips.left + proportions.hips.right) / 2.0);
    let ankle = to.ankle(&proportions.soles[side], strike);
    let offset = Vec3::new(to.ball.x - here.ball.x, 0.0, to.ball.z - here.ball.z);
    let forward = heading_direction(heading);
    // Along the path that the feet take; across it, over the middle between them.
    let along = offset.project_onto(forward).normalize_or(forward);
    let left = heading_direction(heading + 0.5 * PI);
    let rear = here.ankle(&proportions.soles[side.opposite()], 0.0);
    let across = 0.5 * (rear - ankle).dot(left)
        + swing_sign * LATERAL_AT_ENDS * attributes.lateral_displacement
        + BODY_BANK * bank.tan() * proportions.leg_length(side);
    let place = ankle - along * attributes.overstride + left * across - hips;
    let mut pelvis = Transform::new(attitude, place);
    let bounced = BOUNCE_KNEE * (attributes.bounciness - MOST_NATURAL_BOUNCE).max(0.0);
    let knee = attributes.knee_impact.max(MIN_IMPACT_KNEE) + bounced;
    // As high as the knee asks with the foot ahead as in the default run: a foot nearer below the body flexes the knee more.
    let (reach, ahead) = (LegLengths::new(proportions, side).reach(knee), REFERENCE_OVERSTRIDE * proportions.height);
    let usual = ankle.y + (reach * reach - ahead * ahead).max(0.0).sqrt() - (attitude * proportions.hips[side]).y;
    pelvis.translation.y = highest_pelvis(proportions, side, &pelvis, ankle, knee).min(usual);
    Landing { pelvis, heading, rotation, list, strike }
}

/// The smallest pitch from `least` on at which a leg that shortens with it reaches; the largest if none does.
fn smallest_pitch(least: f64, reaches: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (least, MAX_PITCH.max(least));
    if reaches(low) {
        return low;
    }
    if !reaches(high) {
        return high;
    }
    for _ in 0..26 {
        let middle = 0.5 * (low + high);
        if reaches(middle) { high = middle } else { low = middle }
    }
    high
}

struct Planner<'a> {
    proportions: &'a BodyProportions,
    from: &'a BodyState,
    step: &'a RunStep,
}

impl Planner<'_> {
    fn stance(&self) -> Side {
        self.step.side.opposite()
    }

    fn here(&self) -> FootPlant {
        self.from.feet[self.stance()].plant()
    }

    fn support(&self) -> f64 {
        self.step.duration - self.step.flight
    }

    fn landing(&self) -> Landing {
        landing(self.proportions, &self.here(), self.step, self.bank())
    }

    /// How far the body leans into the turn of this step, positive to the left.
    fn bank(&self) -> f64 {
        let Planner { from, step, .. } = self;
        let heading = between_headings(self.here().heading, step.to.heading);
        let speed = ground_point(step.to.ball - self.here().ball).length() / step.duration;
        balanced_lean(speed * turn_between(from.heading.value, heading) / step.duration)
    }

    /// The horizontal velocity in flight with which the body, at an even acceleration from now to toe-off, comes to its landing. The
    /// error of the speed at which it came is made good in part, for else every second step would be too fast.
    fn pace(&self, landing: &Landing) -> Vec3 {
        let Planner { from, step, .. } = self;
        let (support, flight) = (self.support(), step.flight);
        let offset = level(landing.pelvis.translation - from.position.value);
        let mean = offset / step.duration;
        let even = (offset * (2.0 / support) - level(from.position.rate)) / (1.0 + 2.0 * flight / support);
        mean + (even - mean) * EVENED
    }

    /// The torso's lean beside its tilt: into the acceleration, and uphill.
    fn leaned(&self, landing: &Landing) -> f64 {
        let Planner { from, step, .. } = self;
        let gained = (self.pace(landing) - level(from.position.rate)).dot(heading_direction(landing.heading));
        lean_of(gained / step.duration, step.to.grade())
    }

    /// The height of the body in support.
    fn push_start(&self) -> push::Start {
        let position = &self.from.position;
        push::Start { height: position.value.y, rate: position.rate.y, seconds: self.support() }
    }

    /// Whether both feet carry the body at first.
    fn is_carried(&self) -> bool {
        matches!(self.from.feet[self.step.side], FootState::Planted { .. })
    }

    /// The pelvis without its path, and how fast the body turns at the end.
    fn turns(&self, landing: &Landing) -> (PelvisTrack, f64) {
        let Planner { from, step, .. } = self;
        let attributes = step.attributes;
        let (duration, support) = (step.duration, self.support());
        let heading_end = from.heading.value + turn_between(from.heading.value, landing.heading);
        let next_heading = step.then.map_or(landing.heading, |then| between_headings(step.to.heading, then.heading));
        let heading_rate = (turn_between(from.heading.value, landing.heading)
            + turn_between(landing.heading, next_heading))
            / (2.0 * duration);
        let heading =
            Spline::through(&[from.heading.start(), Knot { time: duration, value: heading_end, rate: heading_rate }]);
        // The side that swings is turned forward most, and level, at toe-off; in mid-support its hip is lowest.
        let swing_sign = left_sign(step.side);
        let mid = MID_SUPPORT * support;
        let rotation_off = -swing_sign * attributes.pelvis_rotation;
        let rotation = Spline::through(&[
            from.rotation.start(),
            Knot { time: mid, value: 0.0, rate: (rotation_off - from.rotation.value) / support },
            at_rest(support, rotation_off),
            Knot { time: duration, value: landing.rotation, rate: -landing.rotation / mid },
        ]);
        let list = Spline::through(&[
            from.list.start(),
            at_rest(mid, -swing_sign * attributes.pelvis_list),
            Knot { time: support, value: 0.0, rate: swing_sign * attributes.pelvis_list / (duration - mid) },
            Knot {
                time: duration,
                value: landing.list,
                rate: swing_sign * attributes.pelvis_list * (1.0 - LIST_AT_LANDING) / mid,
            },
        ]);
        let (tilt, sway) = (attributes.torso_tilt + self.leaned(landing), attributes.torso_sway);
        let lean = Spline::through(&[
            from.lean.start(),
            at_rest(mid, tilt + sway),
            at_rest(support, tilt - sway),
            at_rest(duration, tilt),
        ]);
        let side = Spline::through(&[from.side.start(), at_rest(duration, self.bank())]);
        let path = Spline::constant(Vec3::ZERO);
        let residual = Residual::new(self.stance(), from.blend, step.blend, Times { duration, event: support });
        let leg = self.proportions.leg_length(self.stance());
        let pelvis = PelvisTrack { path, flight: None, leg, heading, rotation, list, lean, side, residual };
        (pelvis, heading_rate)
    }

    /// Short steps, at the start and end of a run, need less of the swing.
    fn hip_swing(&self) -> f64 {
        self.step.attributes.hip_swing * (LEAST_HIP_SWING + (1.0 - LEAST_HIP_SWING) * self.step.effort)
    }

    fn knee_swing(&self) -> f64 {
        self.step.attributes.knee_swing * (LEAST_KNEE_SWING + (1.0 - LEAST_KNEE_SWING) * self.step.effort)
    }

    /// When the other foot leaves, if it is still planted.
    fn leaves(&self) -> f64 {
        match self.from.feet[self.step.side] {
            FootState::Planted { plant, pitch } => {
                let most = self.step.double_support.min(LATEST_LEAVING * self.support());
                // A foot far behind leaves before its leg is too short.
                let Planner { proportions, from, step } = self;
                let off = ((-pitch.value).max(0.0) + ROLL_ON).min(MAX_PITCH);
                let ankle = plant.ankle(&proportions.soles[step.side], -off);
                let reach = LegLengths::new(proportions, step.side).reach(MIN_KNEE);
                let attitude = pelvis_attitude(from.heading.value + from.rotation.value, 0.0, 0.0, 0.0);
                let hip = from.position.value + attitude * proportions.hips[step.side];
                let end = (step.to.ball - self.here().ball) / step.duration;
                let reaches = |time: f64| {
                    let share = time / step.duration;
                    let speed = from.position.rate * (1.0 - share) + end * share;
                    let mut away = hip + speed * time - ankle;
                    away.y = hip.y - ankle.y;
                    away.length() <= reach
                };
                let mut leaves = most;
                while leaves > 0.15 * most && !reaches(leaves) {
                    leaves -= 0.05 * most;
                }
                leaves
            }
            FootState::Air { .. } => 0.0,
        }
    }

    /// Of the foot at toe-off: a hidden attribute that rises with the step's length.
    fn target_pitch(&self) -> f64 {
        let length = self.step.to.ball.distance(self.here().ball) * DEFAULT_HEIGHT / self.proportions.height;
        (OFF_PITCH.0 + OFF_PITCH.1 * length).min(MAX_PITCH)
    }

    /// Backward from the landing along the flight (eqs. 4.10 and 4.11).
    fn take_off(&self, track: &PelvisTrack, landing: &Landing) -> TakeOff {
        let (flight, end) = (self.step.flight, landing.pelvis.translation);
        let (mut position, pitch) = self.extended(track, landing);
        position.y = match self.step.height {
            Some(height) => position.y.min(rising(end.y, flight, height)),
            // No higher than a flight of this time comes down from to its landing, nor than a push that never pulls lifts.
            None => {
                let fallen = (0.5 * GRAVITY * flight + FALLING_OFF) * flight;
                let (_, highest) = Push::heights(self.push_start(), end.y, flight);
                let highest = if self.is_carried() { f64::INFINITY } else { highest };
                position.y.min(end.y + fallen).min(highest)
            }
        };
        let mut velocity = (end - position) / flight;
        velocity.y += 0.5 * GRAVITY * flight;
        TakeOff { position, velocity, pitch }
    }

    /// The pelvis at toe-off over a leg as long as its knee and foot make it, and the pitch of the foot.
    fn extended(&self, track: &PelvisTrack, landing: &Landing) -> (Vec3, f64) {
        let Planner { proportions, from, step } = self;
        let (start, end) = (from.position.value, landing.pelvis.translation);
        let mut at = track.at(self.support());
        at.translation = end - self.pace(landing) * step.flight;
        // The landing is on the other foot's side; now the body is on this foot's.
        let left = heading_direction(track.heading.at(self.support()) + 0.5 * PI);
        let shift = 2.0 * LATERAL_AT_ENDS * step.attributes.lateral_displacement;
        at.translation += left * (left_sign(self.stance()) * shift);
        let target = self.target_pitch();
        let sole = &proportions.soles[self.stance()];
        let knee = step.attributes.knee_toe_off.max(MIN_KNEE);
        // Far enough from the vertical to be seen, and high enough to fly.
        let hip = at.rotation * proportions.hips[self.stance()];
        let reaches = |place: Vec3, pitch: f64, knee: f64| {
            let away = place + hip - self.here().ankle(sole, -pitch);
            let reach = LegLengths::new(proportions, self.stance()).reach(knee);
            away.x * away.x + away.z * away.z <= FURTHEST_SQUARE * reach * reach
        };
        let mut pitch = target;
        if !reaches(at.translation, pitch, knee) {
            pitch = smallest_pitch(target, |pitch| reaches(at.translation, pitch, knee));
        }
        let mut share = 1.0;
        while share > 0.05 && !reaches(start + (at.translation - start) * share, pitch, knee) {
            share -= 0.05;
        }
        at.translation = start + (at.translation - start) * share;
        let ankle = self.here().ankle(sole, -pitch);
        at.translation.y = highest_pelvis(proportions, self.stance(), &at, ankle, knee);
        (at.translation, pitch)
    }

    /// The pelvis in support: its height by the force of the ground, along the ground at a speed that changes evenly, a little behind
    /// that in the middle, for the foot ahead brakes before the foot behind pushes.
    fn path(&self, track: &PelvisTrack, off: &TakeOff, lowered: f64) -> Spline<Vec3> {
        let Planner { from, step, .. } = self;
        let support = self.support();
        let start = from.position.value;
        let offset = level(off.position - start);
        let arriving = level(without_overshoot(from.position.rate, off.position - start, support));
        let along = Spline::through(&[
            Knot { time: 0.0, value: level(start), rate: arriving },
            Knot { time: support, value: level(off.position), rate: level(off.velocity) },
        ]);
        // Further over the standing foot than at both ends.
        let left = heading_direction(track.heading.at(MID_SUPPORT * support) + 0.5 * PI);
        let shift = (1.0 - LATERAL_AT_ENDS) * step.attributes.lateral_displacement;
        let braked = (arriving.dot(offset) * support / offset.length_squared().max(1e-6)).clamp(0.0, 1.0);
        let braked = braked * (FASTEST_BRAKED / arriving.length().max(1e-6)).min(1.0);
        let aside = left * (left_sign(self.stance()) * shift) - offset * (MID_SUPPORT * (1.0 - BEHIND) * braked);
        let carried =
            if self.is_carried() { push::Carried::Before } else { push::Carried::of_times(support, step.flight) };
        let push = Push::new(self.push_start(), (off.position.y, off.velocity.y), carried, step.attributes.bounciness);
        let knots = push.knots().map(|height| {
            let s = height.time / support;
            let (bump, rate) = (16.0 * s * s * (1.0 - s) * (1.0 - s), 32.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / support);
            let aside = aside - Vec3::Y * lowered;
            Knot {
                time: height.time,
                value: along.at(height.time) + Vec3::Y * height.value + aside * bump,
                rate: along.rate(height.time) + Vec3::Y * height.rate + aside * rate,
            }
        });
        Spline::through(&knots)
    }

    fn stance_pitch(&self, off: &TakeOff) -> Spline<f64> {
        let FootState::Planted { pitch, .. } = self.from.feet[self.stance()] else {
            unreachable!("a step begins with a foot that is planted");
        };
        let support = self.support();
        let down = to_flat(pitch, FLAT_AT * support);
        let mut knots = [at_rest(0.0, 0.0); 4];
        let down = down.knots();
        knots[..down.len()].copy_from_slice(down);
        let rise = HEEL_OFF_AT * support;
        knots[down.len()] = at_rest(rise, 0.0);
        knots[down.len() + 1] =
            Knot { time: support, value: -off.pitch, rate: -TOE_OFF_SPEED * off.pitch / (support - rise) };
        Spline::through(&knots[..down.len() + 2])
    }

    /// The other foot, if it is still planted: from a walk or from standing.
    fn behind_pitch(&self) -> (Spline<f64>, Flow<f64>) {
        let FootState::Planted { pitch, .. } = self.from.feet[self.step.side] else {
            return (Spline::constant(0.0), Flow::rest(0.0));
        };
        let leaves = self.leaves();
        let least = (-pitch.value).max(0.0);
        let off = (least + ROLL_ON).min(MAX_PITCH);
        let rate = -LEAVING_SPEED * (off - least) / leaves;
        let start = Knot { time: 0.0, value: pitch.value.min(0.0), rate: pitch.rate.clamp(3.0 * rate, 0.0) };
        (Spline::through(&[start, Knot { time: leaves, value: -off, rate }]), Flow { value: -off, rate })
    }

    /// How far the pelvis is too high for a standing leg, or too low for its knee (negative).
    fn excess(&self, pelvis: &PelvisTrack, stance: &Spline<f64>, behind: &Spline<f64>) -> f64 {
        let Planner { proportions, from, step } = self;
        let (mut high, mut low) = (0.0_f64, 0.0_f64);
        let ends = from.position.value.y.min(pelvis.at(self.support()).translation.y);
        let deepest = ends - DEEPEST_DIP * proportions.height;
        for sample in 1..SAMPLES {
            let time = self.support() * sample as f64 / SAMPLES as f64;
            let at = pelvis.at(time);
            let ankle = self.here().ankle(&proportions.soles[self.stance()], stance.at(time));
            let mut limit = highest_pelvis(proportions, self.stance(), &at, ankle, MIN_KNEE);
            low = low.max(deepest - at.translation.y);
            low = low.max(highest_pelvis(proportions, self.stance(), &at, ankle, DEEPEST_KNEE) - at.translation.y);
            if time < self.leaves() {
                let plant = from.feet[step.side].plant();
                let ankle = plant.ankle(&proportions.soles[step.side], behind.at(time));
                limit = limit.min(highest_pelvis(proportions, step.side, &at, ankle, MIN_KNEE));
            }
            high = high.max(at.translation.y - limit);
        }
        if high > 0.0 { high } else { -low }
    }

    /// The standing leg, and what becomes of it in the air: moving to its mid-swing when the other foot lands.
    fn trailing(&self, ground: &Ground<'_>, pelvis: &PelvisTrack, pitch: Spline<f64>) -> (LegTrack, Flow<Air>) {
        let Planner { proportions, step, .. } = self;
        let support = self.support();
        let plan = SwingPlan {
            side: self.stance(),
            from: self.from.feet[self.stance()],
            leaves: support,
            behind: (pitch, Flow::rest(0.0)),
            to: self.here(),
            strike: Flow::rest(0.0),
            duration: step.duration,
            clearance: 0.0,
            keys: swing::Keys::Walk { effort: 1.0 },
            passes: None,
        };
        let lands = step.then.unwrap_or(step.to);
        let over_edges = ground.terrain.is_some_and(|terrain| {
            step.then.is_some_and(|then| !is_even(terrain, &self.here(), &then, &proportions.soles[self.stance()]))
        });
        let start = plan.start(proportions, pelvis);
        let mut mid = start.value;
        mid.leg.hip = MID_HIP;
        mid.leg.knee = self.knee_swing();
        mid.pitch = mid.leg.hip - mid.leg.knee + swing::LOOSE_FOOT;
        if over_edges {
            // The body goes down a stair, and the foot is still over the one above: drawn up, its toes not hanging.
            let down = (self.here().ball.y - step.to.ball.y).max(0.0);
            mid.leg.knee = (mid.leg.knee + swing::FLEXION_PER_LIFT * down).min(MOST_DRAWN_UP.max(mid.leg.knee));
            if down > 0.0 {
                mid.pitch = mid.pitch.max(HANGING);
            }
        }
        mid.toe_bend = 0.0;
        let ahead = (mid - start.value) * (1.0 / (step.flight + MID_SUPPORT * support));
        let mut end = Flow { value: start.value + (mid - start.value) * TRAILING_SHARE, rate: ahead };
        let mut track = LegTrack {
            plant: self.here(),
            leaves: support,
            pitch,
            air: Spline::constant(start.value),
            lands,
            swing: (support, 2.0 * step.duration),
            beneath: if over_edges { Beneath::Terrain } else { Beneath::Ramp },
        };
        if over_edges {
            // A short step on a stair: the foot does not go back again, where a riser may be, and is clear of the tread.
            let sole = &proportions.soles[self.stance()];
            let left = plan.ankle(proportions, pelvis, &start.value, support);
            let mut ankle = plan.ankle(proportions, pelvis, &end.value, step.duration);
            let forward = heading_direction(pelvis.heading.at(step.duration));
            ankle += forward * (left - ankle).dot(forward).max(0.0);
            let foot = track.foot_in_air(&end.value, step.duration);
            let sunk = track.sunk(sole, ground, ankle, foot, end.value.toe_bend, step.duration);
            ankle.y += (sunk + CLEAR).max(0.0);
            let (at, heading) = (pelvis.at(step.duration), pelvis.heading.at(step.duration));
            end.value.leg = plan.angles(proportions, &at, heading, ankle);
            end.rate = (end.value - start.value) * (1.0 / (step.flight + MID_SUPPORT * support));
        }
        track.air = unlocked(Spline::through(&[
            Knot { time: support, value: start.value, rate: start.rate },
            Knot { time: step.duration, value: end.value, rate: end.rate },
        ]));
        if over_edges {
            self.raise_trailing(ground, pelvis, &plan, (&start, &end), &mut track);
        }
        (track, end)
    }

    /// Draws up a trailing foot in the middle of its flight, as far as an edge before its toes asks.
    fn raise_trailing(
        &self,
        ground: &Ground<'_>,
        pelvis: &PelvisTrack,
        plan: &SwingPlan,
        (start, end): (&Flow<Air>, &Flow<Air>),
        track: &mut LegTrack,
    ) {
        let Planner { proportions, step, .. } = self;
        let (support, sole) = (self.support(), &proportions.soles[self.stance()]);
        let ankle_of = |air: &Air, time: f64| plan.ankle(proportions, pelvis, air, time);
        let middle = support + RAISED_AT * step.flight;
        let unraised = track.air.at(middle);
        let highest = MOST_RAISED * proportions.leg_length(self.stance());
        let mut raised = 0.0_f64;
        for _ in 0..ROUNDS {
            let sunk = (1..SAMPLES).map(|sample| {
                let time = support + step.flight * sample as f64 / SAMPLES as f64;
                let air = track.air_at(time, self.stance(), &pelvis.residual);
                track.sunk(sole, ground, ankle_of(&air, time), track.foot_in_air(&air, time), air.toe_bend, time)
            });
            let sunk = sunk.fold(f64::NEG_INFINITY, f64::max);
            if sunk < 1e-3 || raised >= highest {
                return;
            }
            raised = (raised + OVERDONE * sunk).min(highest);
            let mut air = unraised;
            let ankle = ankle_of(&unraised, middle) + Vec3::Y * raised;
            air.leg = plan.angles(proportions, &pelvis.at(middle), pelvis.heading.at(middle), ankle);
            let points = [(support, start.value), (middle, air), (step.duration, end.value)];
            track.air = unlocked(Spline::clamped(&points, start.rate, end.rate));
        }
    }

    /// Arms swing with the opposite leg: forward by its hip angle, backward by the angle of the line from hip to ankle, both
    /// at toe-off.
    fn upper_track(&self, pelvis: &PelvisTrack, off: &TakeOff) -> UpperTrack {
        let Planner { proportions, from, step } = self;
        let attributes = step.attributes;
        let (support, duration) = (self.support(), step.duration);
        let to = |from: Flow<f64>, value: f64| Spline::through(&[from.start(), at_rest(duration, value)]);
        let at = pelvis.at(support);
        let hip = at.transform_point(proportions.hips[self.stance()]);
        let ankle = self.here().ankle(&proportions.soles[self.stance()], -off.pitch) - hip;
        let rear = ankle.dot(heading_direction(pelvis.heading.at(support))).atan2(-ankle.y);
        let swings =
            PerSide::from_fn(|side| attributes.arm_swing * if side == step.side { rear } else { self.hip_swing() });
        let elbows =
            PerSide::from_fn(|side| if side == step.side { attributes.elbow_min } else { attributes.elbow_max });
        // Through their extremes at toe-off and on to the middle.
        let through = |from: Flow<f64>, extreme: f64, other: f64| {
            let back = (other - extreme) / duration;
            let end = extreme + 0.5 * back * step.flight;
            Spline::through(&[from.start(), at_rest(support, extreme), Knot { time: duration, value: end, rate: back }])
        };
        UpperTrack {
            shoulders: to(Flow::rest(from.shoulders), attributes.shoulder_rotation),
            arm_out: to(Flow::rest(from.arm_out), attributes.arm_out),
            arms: PerSide::from_fn(|side| through(from.arms[side], swings[side], swings[side.opposite()])),
            elbows: PerSide::from_fn(|side| through(from.elbows[side], elbows[side], elbows[side.opposite()])),
        }
    }
}
