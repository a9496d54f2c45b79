//! The keyframes of a walking step, from the landing of one foot to the landing of the other (GAIT 4.1.3 and 4.1.4).
//!
//! 1. The end of the step: where the pelvis is when the next foot lands, from both footprints, the knee's flexion at
//!    impact, and how far the foot behind must be on its ball for its leg to reach ([`touchdown`]).
//! 2. The pelvis in between, through the paper's four control points: landing, mid double support, mid-step, next landing.
//!    It is ahead of its mean advance in double support and behind it in mid-step by `X_FACTOR`; low in double support by the
//!    bounciness, high in mid-step by the knee's least flexion; toward the standing foot in mid-step, less with speed.
//!    Where a standing leg does not reach, the control points in the middle are lowered.
//! 3. The standing foot: down from its heel, flat, and up on its ball, from when the leg would not reach any more, or late
//!    in the step.
//! 4. The foot behind: up on its ball until its knee is flexed as in toe-off. Backward it leaves from its heel.
//! 5. The swing, by angles ([`super::swing`]).
//!
//! Departures from the paper:
//!
//! - The curve is that of the pelvis's centre, with heights computed for the stance hip: its own would jump from hip to hip.
//! - All curves are cubic and keep their rates from step to step where the paper's are linear.
//! - Control points lie as if both feet were down for at least `LEAST_BOTH_DOWN` of the step: nearer ones jerk.
//! - In slow, long steps the pelvis waits for the foot behind, which would not reach until it leaves otherwise.
//! - Footprints may lie anywhere, so every rule is written in the directions of the body and of the path; on a straight
//!   level walk they are the paper's.

mod hip_samples;
mod speed_ramp;

use self::hip_samples::Samples;
use self::speed_ramp::Ramp;
use super::WalkAttributes;
use super::body_state::{BodyState, Flow, FootState, landing_pitch, standing_place, to_flat};
use super::equations::DEFAULT_HEIGHT;
use super::foot_plant::FootPlant;
use super::leg::LegLengths;
use super::norms::{Blend, Residual, Times};
use super::poise::Poise;
use super::spline::{Knot, Spline};
use super::step::{
    Beneath, Ground, LegTrack, MIN_KNEE, OVERDONE, PelvisTrack, Step, UpperTrack, at_rest, balanced_lean,
    between_headings, highest_pelvis, lean_of, left_sign, level, pelvis_attitude, without_overshoot,
};
use super::swing::{self, SwingPlan};
use std::f64::consts::PI;
use surefoot_contact::check_frame_rate::GRAVITY;
use surefoot_geom::{Transform, Vec3, ground_point, heading_direction, smoothstep, turn_between};
use surefoot_motion::BodyProportions;
use surefoot_motion::{PerSide, Side};

/// Change of the horizontal velocity (the paper's `x_factor`).
const X_FACTOR: f64 = 1.1;
/// Speed at the landing of a foot, of the mean: what the paper's control points make it in a steady walk.
const FASTEST: f64 = 1.13;
/// Speeds at which a body comes into a step, of the mean of that step, from which on it brakes evenly, and fully so; and the least
/// of that mean to which it brakes.
const BRAKING: (f64, f64) = (1.1, 1.5);
const LEAST_SPEED: f64 = 0.45;
/// The same at the end of the last step, which closes the feet.
const CLOSING_SPEED: f64 = 0.5;
/// Fastest that a body falls in the middle of a step, in g.
const MAX_FALL: f64 = 0.7;
/// Part of a swing that goes back, from which on it is one backward (15 degrees behind the side).
const BACKWARD: f64 = 0.26;
/// How fast a body may sink from a landing until the foot behind leaves, in g, and times at which that is looked at.
const SINKING_FALL: f64 = 0.25;
/// The same of a body that still rises as its foot lands.
const RISEN_FALL: f64 = 0.6;
const SINKING: usize = 4;
/// Rise of a step that counts as level, in metres.
const LEVEL_STEP: f64 = 0.02;
/// How far the body's centre is moved into a turn, of what the lean of the whole body would have it.
const BODY_BANK: f64 = 0.5;
/// Divides the bounce (the paper's 5).
const BOUNCE_DIVISOR: f64 = 5.0;
/// Where the pelvis is between the ankles when a foot lands, as a share of the distance from the foot behind to that in front.
const LANDING_SHARE: f64 = 0.52;
/// How much further forward it is in the fastest walks, in which a body that lands as far behind would have to vault too high; and speeds
/// of a person 1.8 m tall from which on, and from which on fully, in metres a second.
const FAST_SHARE: f64 = 0.04;
const FAST: (f64, f64) = (1.9, 2.7);
/// How far the pelvis's centre shifts toward the standing foot: this share of its distance, less with speed (per m/s).
const SHIFT: (f64, f64) = (0.62, 0.14);
/// Shares of the rise of a climbing step that the pelvis has made in the middle of double support, and of the step.
const RISEN_IN_DOUBLE_SUPPORT: f64 = 0.06;
const RISEN_AT_MIDDLE: f64 = 0.62;
/// From when on a standing leg that does not reach is late in the step, as a share of it; and how much lower the pelvis of a climb lands at
/// most for that, as a share of the height.
const LATE: f64 = 0.7;
const MOST_SUNK: f64 = 0.025;
/// Share of the angle of stairs by which a torso leans forward on the way up.
const STAIR_LEAN: f64 = 0.4;
/// Pitch of a foot that lands on its heel after a full stride, in radians (20 degrees).
const STRIKE_PITCH: f64 = 0.35;
/// Pitch of a foot that lands on its ball on a step far below (-14 degrees).
const BALL_STRIKE_PITCH: f64 = -0.25;
/// Pitch of a foot that lands behind the body after a full stride (-26 degrees).
const BACKWARD_STRIKE_PITCH: f64 = -0.45;
/// Rise or drop of a step at which it is taken on the ball, as a share of the height.
const STAIR: f64 = 0.07;
/// A full stride of one foot as a share of the height.
const FULL_STRIDE: f64 = 0.78;
/// When the sole is flat, as a share of the step.
const FLAT_AT: f64 = 0.22;
/// When the heel lifts at the earliest and at the latest, as shares of the step.
const EARLIEST_HEEL_OFF: f64 = 0.4;
const HEEL_OFF_AT: f64 = 0.78;
/// How much more the knee behind is flexed than the least in stance when the other foot lands, in radians (10 degrees).
const KNEE_BEHIND: f64 = 0.17;
/// Knee of a foot that leaves for a full stride, in radians (38 degrees).
const KNEE_LEAVING: f64 = 0.66;
/// Least flexion of a knee as its foot leaves backward, in radians (11 degrees): a leg that is pulled straight snaps.
const LEAVING_KNEE: f64 = 0.2;
/// Most pitch of a foot on its ball, in radians (65 degrees).
pub(super) const MAX_PITCH: f64 = 1.13;
/// The same of a foot that is planted a stair below the other when that lands (23 degrees).
const PITCH_BELOW: f64 = 0.4;
/// How far the ankle behind may be from its hip along the ground, as a share of the leg (46 degrees).
const FURTHEST_BEHIND: f64 = 0.72;
/// Control points lie at least so far apart: as if both feet were down for this share of the step.
const LEAST_DOUBLE_SUPPORT: f64 = 0.24;
/// When the foot behind leaves at the latest, as a share of the step; and at the earliest, of what is planned.
const LATEST_LIFT: f64 = 0.6;
const LEAST_LIFT: f64 = 0.2;
/// When the hip of the swinging leg may be lowest, as shares of the step.
const LIST_AT: (f64, f64) = (0.15, 0.6);
/// Least and most of a full stride that the size of a swing is measured by, whatever the footprints.
const EFFORTS: (f64, f64) = (0.25, 1.15);
/// Least share of the shift over the standing foot, at any speed.
const LEAST_SHIFT: f64 = 0.15;
/// How fast a foot behind goes up on its ball when it leaves, of its mean rate until then.
pub(super) const LEAVING_SPEED: f64 = 1.4;
/// How long a foot that leaves backward rolls up on its heel at most, in seconds: someone who stood keeps the ball down until then.
const HEEL_ROLL: f64 = 0.15;
/// How much further a foot behind is up on its ball when it leaves a full stride than at the other's landing, in radians.
const ROLL_ON: f64 = 0.1;
/// Least flexion at impact, in radians (6 degrees): straighter knees snap when they take the weight.
const MIN_IMPACT_KNEE: f64 = 0.1;
/// How often control points are lowered.
const ROUNDS: usize = 6;

/// What a walking step shall do.
#[derive(Clone, Copy, Debug)]
pub(super) struct WalkStep<'a> {
    /// The foot that swings.
    pub(super) side: Side,
    pub(super) to: FootPlant,
    /// The footprint after that, as far as it is known; `None` if the walk ends.
    pub(super) then: Option<FootPlant>,
    /// Seconds from landing to landing.
    pub(super) duration: f64,
    /// Seconds of double support at its start.
    pub(super) double_support: f64,
    /// Seconds of double support after it.
    pub(super) next_double_support: f64,
    pub(super) attributes: &'a WalkAttributes,
    pub(super) blend: Blend,
}

/// The body when a foot lands.
#[derive(Clone, Copy, Debug)]
struct Touchdown {
    pelvis: Transform,
    heading: f64,
    rotation: f64,
    /// How far the body leans into a turn, to the left.
    bank: f64,
    /// Of the foot that lands.
    strike: f64,
    /// Of the foot behind, on its ball.
    behind: f64,
}

pub(super) fn plan_walk(
    proportions: &BodyProportions,
    ground: &Ground<'_>,
    from: &BodyState,
    step: &WalkStep<'_>,
) -> (Step, BodyState) {
    let lift = leaves(proportions, from, step.side, step.double_support, step.duration);
    let plan = Planner { proportions, from, step, lift };
    let here = plan.here();
    let attributes = step.attributes;
    let mut end =
        touchdown(proportions, step.side, &here, &step.to, from.feet[step.side].plant(), attributes, plan.pace());
    let heading_end = from.heading.value + turn_between(from.heading.value, end.heading);
    let next_heading = step.then.map_or(end.heading, |then| between_headings(step.to.heading, then.heading));
    let heading_rate = match step.then {
        Some(_) => {
            (turn_between(from.heading.value, end.heading) + turn_between(end.heading, next_heading))
                / (2.0 * step.duration)
        }
        None => 0.0,
    };
    let duration = step.duration;
    let heading =
        Spline::through(&[from.heading.start(), Knot { time: duration, value: heading_end, rate: heading_rate }]);
    let rotation = Spline::through(&[from.rotation.start(), at_rest(duration, end.rotation)]);
    let drop = left_sign(step.side.opposite()) * attributes.pelvis_list * plan.effort();
    let list_at = lift.clamp(LIST_AT.0 * duration, LIST_AT.1 * duration);
    let list_rate = if step.then.is_some() { -2.0 * drop / duration } else { 0.0 };
    let list = Spline::through(&[
        from.list.start(),
        at_rest(list_at, drop),
        Knot { time: duration, value: 0.0, rate: list_rate },
    ]);
    let next = step.then.map(|then| plan.next_landing(&then));
    let leaving_at = plan.speed_after(&end, next);
    let mut most_rising = f64::INFINITY;
    if let (Some(then), Some(next)) = (step.then, next) {
        let too_high = plan.too_high_to_sink(&end, &then, next, leaving_at);
        end.pelvis.translation.y -= too_high.now;
        // A body that comes down from a run has too little time left for a gentler rise.
        if lift > 0.0 {
            most_rising = too_high.most_rising;
        }
    }
    let gained = (leaving_at - level(from.position.rate)).dot(heading_direction(end.heading));
    let leaned = lean_of(gained / duration, step.to.grade()) + plan.stair_lean();
    let (tilt, sway) = (attributes.torso_tilt + leaned, attributes.torso_sway);
    let lean =
        Spline::through(&[from.lean.start(), at_rest(0.5 * duration, tilt + sway), at_rest(duration, tilt - sway)]);
    let side = Spline::through(&[from.side.start(), at_rest(duration, end.bank)]);

    // The pelvis, lowered until the standing legs reach.
    let path = Spline::constant(Vec3::ZERO);
    let residual = Residual::new(step.side.opposite(), from.blend, step.blend, Times { duration, event: lift });
    let leg = proportions.leg_length(step.side);
    let mut pelvis = PelvisTrack { path, flight: None, leg, heading, rotation, list, lean, side, residual };
    let mut lowered = [0.0; 2];
    let mut stance_pitch = Spline::constant(0.0);
    let mut leaving = Flow::rest(0.0);
    let mut behind_pitch = Spline::constant(0.0);
    let leaving_hip = pelvis.attitude(lift) * proportions.hips[step.side];
    let share = plan.reachable_share(leaving_hip, end.pelvis.translation - from.position.value);
    let mut control = plan.control_points(&pelvis, &end, next, leaving_at, share);
    let mut to_sink = MOST_SUNK * plan.climbs(from.position.value.y, end.pelvis.translation.y) * proportions.height;
    let mut samples = Samples::new(proportions, &pelvis, duration, lift);
    for _ in 0..ROUNDS {
        pelvis.path = plan.path(&control, &end, lowered, most_rising);
        samples.follow(&pelvis);
        stance_pitch = plan.stance_pitch(&samples, &end);
        (behind_pitch, leaving) = plan.behind_pitch(pelvis.path.at(lift) + leaving_hip);
        let mut excess = plan.excess(&samples, &stance_pitch, &behind_pitch);
        // Up a stair the leg does not reach before the end: lower in the middle, the body would rise all the faster. It lands lower.
        let sinks = (OVERDONE * excess[2]).min(to_sink);
        if sinks > 0.0 {
            to_sink -= sinks;
            end.pelvis.translation.y -= sinks;
            control = plan.control_points(&pelvis, &end, next, leaving_at, share);
        }
        excess[1] = excess[1].max(plan.fallen(&pelvis.path)).max(excess[2] - sinks);
        if excess.iter().all(|&excess| excess < 1e-4) {
            break;
        }
        lowered = [lowered[0] + OVERDONE * excess[0], lowered[1] + OVERDONE * excess[1]];
    }
    let stance_end = stance_pitch.knots().last().expect("a curve has a knot").rate;

    let velocity = pelvis.path.knots().last().expect("a path has knots").rate;
    let strike = landing_pitch(end.strike, FLAT_AT * duration);
    let swing_plan = SwingPlan {
        side: step.side,
        from: from.feet[step.side],
        leaves: lift,
        behind: (behind_pitch, leaving),
        to: step.to,
        strike,
        duration,
        clearance: attributes.toe_clearance,
        keys: swing::Keys::Walk { effort: plan.forward_effort(end.heading) },
        passes: Some(here),
    };
    let stance_track = LegTrack {
        plant: here,
        leaves: f64::INFINITY,
        pitch: stance_pitch,
        air: Spline::constant(Default::default()),
        lands: here,
        swing: (0.0, 1.0),
        beneath: Beneath::Ramp,
    };
    let swing_track = swing_plan.track(proportions, ground, &pelvis);
    let legs = PerSide::from_fn(|side| if side == step.side { swing_track } else { stance_track });
    let upper = upper_track(from, step, &end, proportions);
    let done = Step { duration, pelvis, legs, upper, poise: Poise::facing() };
    let after = BodyState {
        position: Flow { value: end.pelvis.translation, rate: velocity },
        heading: Flow { value: heading_end, rate: heading_rate },
        rotation: Flow::rest(end.rotation),
        list: Flow { value: 0.0, rate: list_rate },
        lean: Flow::rest(tilt - sway),
        side: Flow::rest(end.bank),
        feet: PerSide::from_fn(|side| {
            if side == step.side {
                FootState::Planted { plant: step.to, pitch: strike }
            } else {
                FootState::Planted { plant: here, pitch: Flow { value: -end.behind, rate: stance_end } }
            }
        }),
        shoulders: attributes.shoulder_rotation,
        arm_out: attributes.arm_out,
        arms: PerSide::from_fn(|side| Flow::rest(done.upper.arms[side].at(duration))),
        elbows: PerSide::from_fn(|side| Flow::rest(done.upper.elbows[side].at(duration))),
        blend: step.blend,
        look: from.look,
    };
    (done, after)
}

/// The body when a foot lands at `to` while the other is planted at `here`; `left` is where the landing foot came from, `seconds` the
/// time of a step.
fn touchdown(
    proportions: &BodyProportions,
    side: Side,
    here: &FootPlant,
    to: &FootPlant,
    left: FootPlant,
    attributes: &WalkAttributes,
    seconds: f64,
) -> Touchdown {
    let heading = between_headings(here.heading, to.heading);
    let forward = heading_direction(heading);
    let turned = turn_between(between_headings(left.heading, here.heading), heading);
    let speed = level(to.ball - left.ball).dot(forward).max(0.0) / (2.0 * seconds);
    let bank = balanced_lean(speed * turned / seconds);
    let stride = level(to.ball - left.ball);
    let effort = stride.dot(to.forward) / (FULL_STRIDE * proportions.height);
    let rise = (to.ball.y - here.ball.y) / (STAIR * proportions.height);
    let strike = if effort > 0.0 {
        let heel = STRIKE_PITCH * effort.min(EFFORTS.1);
        if rise < 0.0 { heel + (BALL_STRIKE_PITCH - heel) * (-rise).min(1.0) } else { heel * (1.0 - rise).max(0.0) }
    } else {
        BACKWARD_STRIKE_PITCH * (-effort).min(1.0)
    };
    // Uphill the sole lands flat, also where the step itself does not rise: the one that closes the feet.
    let uphill = 0.5 * stride.dot(to.forward).max(0.0) * to.grade().max(0.0) / (STAIR * proportions.height);
    let strike = strike.min(STRIKE_PITCH * effort.clamp(0.0, EFFORTS.1) * (1.0 - uphill).max(0.0)).max(strike.min(0.0));
    // No one lands on a heel that has no ground under it.
    let strike = if to.heel_supported { strike.min(to.most_strike(&proportions.soles[side])) } else { strike.min(0.0) };
    // How far apart the feet are along the body, of a natural step.
    let apart = level(to.ball - here.ball).dot(forward) / (0.5 * FULL_STRIDE * proportions.height);
    let rotation = -left_sign(side) * attributes.pelvis_rotation * apart.clamp(-1.2, 1.2);
    let (front_sole, rear_sole) = (&proportions.soles[side], &proportions.soles[side.opposite()]);
    let (front, rear) = (to.ankle(front_sole, strike), here.ankle(rear_sole, 0.0));
    let front_flat = to.ankle(front_sole, 0.0);
    let hips = (proportions.hips.left + proportions.hips.right) / 2.0;
    let plant = standing_place(proportions, &PerSide::from_fn(|s| if s == side { *to } else { *here }), heading);
    // Between standing and walking by how far the feet are apart.
    let share_ahead = LANDING_SHARE + FAST_SHARE * is_fast(speed, proportions);
    let walking = rear + (front_flat - rear) * share_ahead - forward * hips.z;
    let share = apart.abs().min(1.0);
    let inward = heading_direction(heading + 0.5 * PI) * (BODY_BANK * bank.tan() * proportions.leg_length(side));
    let place = plant + (walking - plant) * share + inward;
    let attitude = pelvis_attitude(heading + rotation, 0.0, attributes.torso_tilt, bank);
    let mut pelvis = Transform::new(attitude, place);
    let by_front = highest_pelvis(proportions, side, &pelvis, front, attributes.knee_impact.max(MIN_IMPACT_KNEE));
    // The foot behind rises on its ball as far as its leg needs; if that does not suffice, the pelvis sinks. Backward, the other
    // foot is in front and stays flat.
    let backward = apart < 0.0;
    let more = if backward { 0.0 } else { KNEE_BEHIND * share };
    let knee_behind = (attributes.knee_stance + more).max(MIN_KNEE);
    let low = pelvis;
    let by_rear =
        |pitch: f64| highest_pelvis(proportions, side.opposite(), &low, here.ankle(rear_sole, -pitch), knee_behind);
    // Up a stair, the foot behind does not push the body over a leg that is nearly straight: the knee in front lifts it later.
    let most = MAX_PITCH + (PITCH_BELOW - MAX_PITCH) * rise.clamp(0.0, 1.0);
    let by_front = if rise > 0.0 { by_front.min(by_rear(most)) } else { by_front };
    pelvis.translation.y = by_front;
    let behind = if backward {
        0.0
    } else {
        let hip = pelvis.transform_point(proportions.hips[side.opposite()]);
        let reach = LegLengths::new(proportions, side.opposite()).reach(knee_behind);
        here.pitch_to_reach(rear_sole, hip, reach, (0.0, MAX_PITCH))
    };
    pelvis.translation.y = by_front.min(by_rear(behind));
    Touchdown { pelvis, heading, rotation, bank, strike, behind }
}

/// When the foot behind leaves, in a step of some seconds that both feet shall be down for a part of; 0 if it is in the air. In slow steps
/// the body waits for it; who walks faster than that goes on, and it leaves as its leg gets too short.
pub(super) fn leaves(
    proportions: &BodyProportions,
    from: &BodyState,
    side: Side,
    double_support: f64,
    duration: f64,
) -> f64 {
    let FootState::Planted { plant, .. } = from.feet[side] else { return 0.0 };
    let attitude = pelvis_attitude(from.heading.value + from.rotation.value, 0.0, 0.0, 0.0);
    let hip = from.position.value + attitude * proportions.hips[side];
    let away = hip - plant.ankle(&proportions.soles[side], -MAX_PITCH);
    lift_time(proportions, (double_support, duration), (away, from.position.rate), side)
}

/// The same of a hip that is so far away from the furthest place of its ankle, and moves so fast.
fn lift_time(
    proportions: &BodyProportions,
    (double_support, duration): (f64, f64),
    (away, rate): (Vec3, Vec3),
    side: Side,
) -> f64 {
    let planned = double_support.min(LATEST_LIFT * duration);
    let (away, rate) = (ground_point(away), ground_point(rate));
    let fast = is_fast(rate.length(), proportions);
    if fast == 0.0 {
        return planned;
    }
    let most = FURTHEST_BEHIND * LegLengths::new(proportions, side).reach(MIN_KNEE);
    // |away + rate t| = most.
    let (along, square) = (away.dot(rate), rate.length_squared());
    let root = along * along - square * (away.length_squared() - most * most);
    let reached = if root > 0.0 { (root.sqrt() - along) / square } else { 0.0 };
    planned + fast * (planned.min(reached.max(LEAST_LIFT * planned)) - planned)
}

/// How far a walk is one of the fastest, from 0 to 1.
fn is_fast(speed: f64, proportions: &BodyProportions) -> f64 {
    smoothstep((speed / (proportions.height / DEFAULT_HEIGHT).sqrt() - FAST.0) / (FAST.1 - FAST.0))
}

/// Whether a foot leaves for a place behind it, from its heel; sideways it leaves from its ball.
fn is_backward(from: &FootPlant, to: &FootPlant) -> bool {
    let offset = level(to.ball - from.ball);
    offset.dot(from.forward) < -BACKWARD * offset.length()
}

/// Ahead and to the side a leg may be nearly straight; the further backward, the less.
fn least_leaving_knee(from: &FootPlant, to: &FootPlant) -> f64 {
    let offset = level(to.ball - from.ball);
    let ahead = offset.dot(from.forward) / offset.length().max(1e-6);
    LEAVING_KNEE + (MIN_KNEE - LEAVING_KNEE) * smoothstep(1.0 + ahead)
}

struct Planner<'a> {
    proportions: &'a BodyProportions,
    from: &'a BodyState,
    step: &'a WalkStep<'a>,
    /// When the foot behind leaves.
    lift: f64,
}

impl Planner<'_> {
    fn stance(&self) -> Side {
        self.step.side.opposite()
    }

    fn here(&self) -> FootPlant {
        self.from.feet[self.stance()].plant()
    }

    /// How large the swing is, of a full stride.
    fn effort(&self) -> f64 {
        let offset = self.step.to.ball - self.from.feet[self.step.side].plant().ball;
        (ground_point(offset).length() / (FULL_STRIDE * self.proportions.height)).clamp(EFFORTS.0, EFFORTS.1)
    }

    /// The part of it that goes forward; none backward or sideways.
    fn forward_effort(&self, heading: f64) -> f64 {
        let offset = self.step.to.ball - self.from.feet[self.step.side].plant().ball;
        (offset.dot(heading_direction(heading)) / (FULL_STRIDE * self.proportions.height)).clamp(0.0, 1.5)
    }

    /// Seconds of a step at the pace after this one: a first step takes longer, until its foot leaves.
    fn pace(&self) -> f64 {
        let WalkStep { duration, next_double_support, .. } = *self.step;
        (duration - self.lift + next_double_support).min(duration)
    }

    /// The velocity along the ground at the end of the step: between those of this step and of the next, and faster than both, for a
    /// walk is fastest in double support.
    fn speed_after(&self, end: &Touchdown, next: Option<Vec3>) -> Vec3 {
        let Planner { from, step, .. } = self;
        let Some(next) = next else {
            return level(end.pelvis.translation - from.position.value) * (CLOSING_SPEED / step.duration);
        };
        let after = level(next - end.pelvis.translation) / self.pace();
        let here = level(end.pelvis.translation - from.position.value) / step.duration;
        // From standing, the second step gives the speed.
        let share = (level(from.position.rate).length() / after.length().max(1e-3)).min(1.0);
        let usual = after + (here - after) * (0.5 * share);
        // From a run, or into a stop, the speed falls evenly.
        let direction = here.normalize_or_zero();
        let arriving = from.position.rate.dot(direction) / FASTEST;
        let even = 2.0 * here.length() - arriving;
        let slowed = usual.dot(direction) - even.max(LEAST_SPEED * here.length());
        let braking =
            smoothstep((arriving - BRAKING.0 * here.length()) / ((BRAKING.1 - BRAKING.0) * here.length()).max(1e-6));
        (usual - direction * (braking * slowed.max(0.0))) * FASTEST
    }

    /// How far the middle of the step is too high for a body that falls no faster than [`MAX_FALL`] from then on.
    fn fallen(&self, path: &Spline<Vec3>) -> f64 {
        let [_, low, high, end] = path.knots() else { return 0.0 };
        let gap = end.time - high.time;
        let mean = 6.0 * (end.value.y - high.value.y) / (gap * gap);
        let after = mean - (4.0 * high.rate.y + 2.0 * end.rate.y) / gap;
        let gap = high.time - low.time;
        let before = 6.0 * (high.value.y - low.value.y) / (gap * gap) - (4.0 * low.rate.y + 2.0 * high.rate.y) / gap;
        // Lower down, a body that falls faster still before would do so all the more.
        let worst = if high.value.y > end.value.y && before > after { after } else { 0.0 };
        // A wave of a period of a step that falls so fast is so high.
        let beyond = -worst - MAX_FALL * GRAVITY;
        0.7 * beyond.max(0.0) * (self.step.duration / (2.0 * PI)).powi(2)
    }

    /// How far the pelvis is too high at the end of the step for the leg behind, which must reach it until its foot leaves: uphill, up
    /// stairs and sideways the body would have to fall in double support. So the knee in front is flexed more when its foot lands.
    fn too_high_to_sink(&self, end: &Touchdown, then: &FootPlant, next: Vec3, leaving_at: Vec3) -> TooHigh {
        let Planner { proportions, step, .. } = self;
        let finish = end.pelvis.translation;
        let (sole, here) = (&proportions.soles[self.stance()], self.here());
        let reach = LegLengths::new(proportions, self.stance()).reach(MIN_KNEE);
        let hip = end.pelvis.rotation * proportions.hips[self.stance()];
        let away = finish + hip - here.ankle(sole, -MAX_PITCH);
        let times = (step.next_double_support, self.pace());
        let lift = lift_time(proportions, times, (away, leaving_at), self.stance());
        let share = self.shift_share(next - finish, self.pace());
        // A body that slows down is further at first than on its way to the next landing.
        let ahead = leaving_at - level(next - finish) * (X_FACTOR / self.pace());
        let ahead = if ahead.dot(leaving_at) > 0.0 { ahead } else { Vec3::ZERO };
        // Nor does one that climbs sink.
        let sinks = 1.0 - self.climbs(finish.y, next.y);
        let place = |time: f64| self.place_after(end, next, time, share) + ahead * time;
        let most = if is_backward(&here, then) { end.behind } else { MAX_PITCH.max(end.behind) };
        let off = here.pitch_to_reach(sole, place(lift) + hip, reach, (end.behind, most));
        let too_high: [f64; SINKING] = std::array::from_fn(|n| {
            let u = (n + 1) as f64 / SINKING as f64;
            // As the curve of the foot behind goes from rest to its leaving.
            let pitch = end.behind + (off - end.behind) * u * u * (3.0 - LEAVING_SPEED + (LEAVING_SPEED - 2.0) * u);
            let away = place(u * lift) + hip - here.ankle(sole, -pitch);
            let over = away.y - (reach * reach - ground_point(away).length_squared()).max(0.0).sqrt();
            over - sinks * 0.5 * SINKING_FALL * GRAVITY * (u * lift).powi(2)
        });
        let now = too_high.into_iter().fold(0.0, f64::max);
        let rates = too_high.iter().enumerate().map(|(n, over)| {
            let time = (n + 1) as f64 / SINKING as f64 * lift;
            (now - over) / time + 0.5 * (RISEN_FALL - SINKING_FALL) * GRAVITY * time
        });
        TooHigh { now, most_rising: rates.fold(f64::INFINITY, f64::min).max(0.0) }
    }

    /// Where the pelvis will be, some time after this step, on the way to the next landing; without its height.
    fn place_after(&self, end: &Touchdown, next: Vec3, time: f64, share: f64) -> Vec3 {
        let Planner { proportions, step, .. } = self;
        let finish = end.pelvis.translation;
        let front = step.to.ankle(&proportions.soles[step.side], 0.0);
        let left = heading_direction(end.heading + 0.5 * PI);
        let along = finish + level(next - finish) * (time * X_FACTOR / self.pace());
        along + left * (share * (front - finish).dot(left) * (PI * time / step.duration).sin())
    }

    /// How much of its distance to the standing foot the pelvis shifts, in a step of an offset and some seconds.
    fn shift_share(&self, offset: Vec3, seconds: f64) -> f64 {
        let speed = ground_point(offset).length() / seconds;
        (SHIFT.0 - SHIFT.1 * speed / (self.proportions.height / DEFAULT_HEIGHT).sqrt()).clamp(LEAST_SHIFT, SHIFT.0)
    }

    /// The control points between both landings, as high as they are at first.
    fn control_points(
        &self,
        track: &PelvisTrack,
        end: &Touchdown,
        next: Option<Vec3>,
        leaving_at: Vec3,
        reachable_share: f64,
    ) -> ControlPoints {
        let Planner { proportions, from, step, .. } = self;
        let (duration, lift) = (step.duration, self.lift);
        let (start, finish) = (from.position.value, end.pelvis.translation);
        let double_support = lift.max(LEAST_DOUBLE_SUPPORT * duration);
        let mid_both = 0.5 * double_support;
        let mid_step = double_support + 0.5 * (duration - double_support);
        let offset = finish - start;
        // The foot behind must reach until it leaves: in slow long steps the body waits for it, and the second point keeps
        // between the first and the end.
        let at_leaving = (double_support / duration).min(reachable_share + (double_support - lift) / duration);
        let after = mid_step / (duration * X_FACTOR);
        let along = [0.5 * at_leaving * X_FACTOR, after.max(at_leaving + 0.4 * (1.0 - at_leaving)).min(0.9)];
        let along = if at_leaving < double_support / duration { along } else { [along[0], after] };
        let ramp = Ramp::new(offset, level(from.position.rate) / FASTEST, leaving_at / FASTEST, duration);
        // The paper's share of the distance in a steady walk; what a start or stop departs from that.
        let place = |share: f64, time: f64| start + offset * share + ramp.aside(time);
        let base = [place(along[0], mid_both), place(along[1], mid_step)];
        // The shift over the standing foot.
        let share = self.shift_share(offset, duration);
        let ankle = self.here().ankle(&proportions.soles[self.stance()], 0.0);
        let left = heading_direction(track.heading.at(mid_step) + 0.5 * PI);
        let shift = left * (share * (ankle - base[1]).dot(left));
        // Heights.
        let pelvis = Transform::new(track.attitude(mid_step), base[1] + shift);
        let knee = step.attributes.knee_stance.max(MIN_KNEE);
        let mut high = highest_pelvis(proportions, self.stance(), &pelvis, ankle, knee);
        // Up a stair the body rises evenly through the step, and does not sink again before it lands.
        let even = start.y + RISEN_AT_MIDDLE * (finish.y - start.y);
        high -= self.climbs(start.y, finish.y) * (high - even).max(0.0);
        let sine = (PI * mid_both / duration).sin();
        let mut points = [base[0] + shift * sine, base[1] + shift];
        points[1].y = high;
        let (beyond, beyond_after) = match next {
            Some(next) => {
                let next_down = step.next_double_support.max(LEAST_DOUBLE_SUPPORT * duration);
                (self.place_after(end, next, 0.5 * next_down, share), duration - mid_step + 0.5 * next_down)
            }
            None => {
                let plants = PerSide::from_fn(|side| if side == step.side { step.to } else { self.here() });
                (standing_place(proportions, &plants, end.heading), 2.0 * (duration - mid_step))
            }
        };
        let next_impact = next.map(|next| next.y);
        ControlPoints { times: [mid_both, mid_step], points, beyond, beyond_after, next_impact, leaving_at }
    }

    /// How high the pelvis is in the middle of double support, before it is so high in mid-step and at the end. A body that comes down from
    /// a flight goes on down at first, braked by the leg to less than half of its fall; one that comes up goes on up.
    fn first_height(&self, high: f64, end: f64, mid_both: f64) -> f64 {
        let Flow { value, rate } = self.from.position;
        let impact = value.y;
        let falling = 0.4 * rate.y.min(0.0) * mid_both;
        let rising = rate.y.max(0.0) * mid_both;
        let low = self.low(impact, high, end).min(impact + falling);
        let is_level = self.rise().abs() < LEVEL_STEP;
        if rising > 0.0 && is_level { low.max(impact + 0.7 * rising) } else { low + 0.5 * rising }
    }

    /// How low the pelvis is in double support, between an impact and a mid-step so high; uphill, where the
    /// next impact is higher, it does not sink for that.
    fn low(&self, impact: f64, high: f64, next_impact: f64) -> f64 {
        // On stairs it does sink: the foot below would snap up.
        let is_slope = self.step.to.grade() != 0.0;
        let bounce = high - if is_slope { impact.max(next_impact) } else { impact };
        let low = impact - self.step.attributes.bounciness * bounce.max(0.0) / BOUNCE_DIVISOR;
        let even = impact + RISEN_IN_DOUBLE_SUPPORT * (next_impact - impact);
        low + self.climbs(impact, next_impact) * (even - low)
    }

    /// How far a step is a climb, by how much higher the pelvis is at its end than at its start: from 0 on the level to 1.
    fn climbs(&self, start: f64, end: f64) -> f64 {
        ((end - start) / (STAIR * self.proportions.height)).clamp(0.0, 1.0)
    }

    /// How far a torso leans up stairs, whose treads are level.
    fn stair_lean(&self) -> f64 {
        let offset = self.step.to.ball - self.from.feet[self.step.side].plant().ball;
        if self.step.to.grade() != 0.0 {
            return 0.0;
        }
        STAIR_LEAN * offset.y.max(0.0).atan2(ground_point(offset).length().max(0.2))
    }

    /// How much higher the foot lands than the standing one.
    fn rise(&self) -> f64 {
        self.step.to.ball.y - self.here().ball.y
    }

    /// The pelvis through the four control points, the two in the middle lowered.
    fn path(&self, control: &ControlPoints, end: &Touchdown, lowered: [f64; 2], most_rising: f64) -> Spline<Vec3> {
        let Planner { from, step, .. } = self;
        let (start, finish) = (from.position.value, end.pelvis.translation);
        let [mut first, mut second] = control.points;
        second.y -= lowered[1];
        first.y = self.first_height(second.y, finish.y, control.times[0]) - lowered[0];
        let mut beyond = control.beyond;
        beyond.y = control.next_impact.map_or(finish.y, |next| self.low(finish.y, second.y + self.rise(), next));
        let rate = control.leaving_at + Vec3::Y * ((beyond.y - second.y) / control.beyond_after).min(most_rising);
        let (offset, duration) = (finish - start, step.duration);
        Spline::clamped(
            &[(0.0, start), (control.times[0], first), (control.times[1], second), (duration, finish)],
            without_overshoot(from.position.rate, offset, duration),
            without_overshoot(rate, offset, duration),
        )
    }

    /// How much of its distance the pelvis may have gone when the foot behind leaves, for the leg to reach it; `leaving_hip` is
    /// from the pelvis to the hip then.
    fn reachable_share(&self, leaving_hip: Vec3, offset: Vec3) -> f64 {
        let Planner { proportions, from, step, .. } = self;
        let FootState::Planted { plant, .. } = from.feet[step.side] else { return 1.0 };
        let ankle = plant.ankle(&proportions.soles[step.side], -MAX_PITCH);
        let most = FURTHEST_BEHIND * LegLengths::new(proportions, step.side).reach(MIN_KNEE);
        let reaches = |share: f64| {
            let away = from.position.value + offset * share + leaving_hip - ankle;
            ground_point(away).length_squared() <= most * most
        };
        (1..=20).map(|n| f64::from(n) / 20.0).take_while(|&share| reaches(share)).last().unwrap_or(0.02)
    }

    /// Where the pelvis will be at the landing after this one, about.
    fn next_landing(&self, then: &FootPlant) -> Vec3 {
        let Planner { proportions, step, .. } = self;
        let next = touchdown(proportions, self.stance(), &step.to, then, self.here(), step.attributes, self.pace());
        next.pelvis.translation
    }

    /// The standing foot: flat after its landing, and on its ball in time for the end of the step.
    fn stance_pitch(&self, samples: &Samples, end: &Touchdown) -> Spline<f64> {
        let Planner { proportions, from, step, .. } = self;
        let duration = step.duration;
        let FootState::Planted { plant, pitch } = from.feet[self.stance()] else {
            unreachable!("a step begins with a foot that is planted");
        };
        let flat = FLAT_AT * duration;
        let down = to_flat(pitch, flat);
        if end.behind <= 0.0 {
            return down;
        }
        // The heel lifts when the leg would not reach any more, or late in the step.
        let ankle = plant.ankle(&proportions.soles[self.stance()], 0.0);
        let reach = LegLengths::new(proportions, self.stance()).reach(step.attributes.knee_stance.max(MIN_KNEE));
        let mut rise = HEEL_OFF_AT * duration;
        let mut before = (0.0, f64::NEG_INFINITY);
        for (&time, hips) in samples.times.iter().zip(&samples.hips) {
            let beyond = hips[self.stance()].distance(ankle) - reach;
            if beyond > 0.0 && time > EARLIEST_HEEL_OFF * duration && before.1 <= 0.0 {
                let share = if before.1.is_finite() { -before.1 / (beyond - before.1) } else { 1.0 };
                rise = (before.0 + share * (time - before.0)).clamp(EARLIEST_HEEL_OFF * duration, rise);
                break;
            }
            before = (time, beyond);
        }
        let rate = -2.0 * end.behind / (duration - rise);
        let mut knots = [at_rest(0.0, 0.0); 4];
        let down = down.knots();
        knots[..down.len()].copy_from_slice(down);
        knots[down.len()] = at_rest(rise, 0.0);
        knots[down.len() + 1] = Knot { time: duration, value: -end.behind, rate };
        Spline::through(&knots[..down.len() + 2])
    }

    /// The foot behind, until it leaves from below a hip; and how its pitch changes then.
    fn behind_pitch(&self, hip: Vec3) -> (Spline<f64>, Flow<f64>) {
        let Planner { proportions, from, step, .. } = self;
        let lift = self.lift;
        let FootState::Planted { plant, pitch } = from.feet[step.side] else {
            return (Spline::constant(0.0), Flow::rest(0.0));
        };
        let along = (step.to.ball - plant.ball).dot(plant.forward);
        if is_backward(&plant, &step.to) && pitch.value >= 0.0 {
            // Backward it leaves from the heel.
            let off = STRIKE_PITCH * (-along / (FULL_STRIDE * proportions.height)).min(1.0);
            let begins = (lift - HEEL_ROLL).max(0.0);
            let rate = LEAVING_SPEED * (off - pitch.value).max(0.0) / (lift - begins);
            let start = Knot { rate: 0.0, ..pitch.start() };
            let end = Knot { time: lift, value: off.max(pitch.value), rate };
            return (Spline::through(&[start, at_rest(begins, pitch.value), end]), Flow { value: end.value, rate });
        }
        let forward = (along / (FULL_STRIDE * proportions.height)).clamp(0.15, 1.0);
        let reach = LegLengths::new(proportions, step.side).reach(KNEE_LEAVING * forward.sqrt());
        let least = (-pitch.value).max(0.0) + ROLL_ON * forward;
        let off = plant.pitch_to_reach(&proportions.soles[step.side], hip, reach, (least, MAX_PITCH));
        let rate = -LEAVING_SPEED * (off + pitch.value.min(0.0)).max(0.05) / lift;
        let mut start = pitch.start();
        start.rate = start.rate.clamp(3.0 * rate, 0.0);
        (Spline::through(&[start, Knot { time: lift, value: -off, rate }]), Flow { value: -off, rate })
    }

    /// How far the pelvis is too high in the first and in the second half of the step, and shortly before its end.
    fn excess(&self, samples: &Samples, stance: &Spline<f64>, behind: &Spline<f64>) -> [f64; 3] {
        let Planner { proportions, from, step, .. } = self;
        let mut excess = [0.0_f64; 3];
        let (lift, attributes) = (self.lift, step.attributes);
        let here = self.here();
        let leg = |side: Side, knee: f64| LegLengths::new(proportions, side).reach(knee);
        let reach_standing = leg(self.stance(), attributes.knee_stance.max(MIN_KNEE));
        let reach_landing = leg(self.stance(), attributes.knee_impact.min(attributes.knee_stance).max(MIN_KNEE));
        let reach_behind = leg(step.side, least_leaving_knee(&from.feet[step.side].plant(), &step.to));
        for (&time, hips) in samples.times.iter().zip(&samples.hips).skip(1) {
            // How much higher the hip is than the leg reaches over its ankle.
            let over = |side: Side, ankle: Vec3, reach: f64| {
                let away = hips[side] - ankle;
                away.y - (reach * reach - away.x * away.x - away.z * away.z).max(0.0).sqrt()
            };
            let reach = if time < FLAT_AT * step.duration { reach_landing } else { reach_standing };
            let mut most = over(self.stance(), here.ankle(&proportions.soles[self.stance()], stance.at(time)), reach);
            if time < lift {
                let plant = from.feet[step.side].plant();
                let ankle = plant.ankle(&proportions.soles[step.side], behind.at(time));
                most = most.max(over(step.side, ankle, reach_behind));
            }
            let half = usize::from(time > lift.max(LEAST_DOUBLE_SUPPORT * step.duration));
            let part = if time > LATE * step.duration { 2 } else { half };
            excess[part] = excess[part].max(most);
        }
        excess
    }
}

/// How far a pelvis is too high when a foot lands, and how fast it may rise then without being too high later.
struct TooHigh {
    now: f64,
    most_rising: f64,
}

/// What the pelvis's path goes through between both landings, but for what its middle is lowered.
struct ControlPoints {
    /// Mid double support and mid-step.
    times: [f64; 2],
    points: [Vec3; 2],
    /// Where it goes on to after the step, the next first control point or the place of standing, but for its height;
    /// and in how many seconds from mid-step.
    beyond: Vec3,
    beyond_after: f64,
    /// How high the pelvis is at the landing after this one.
    next_impact: Option<f64>,
    /// Velocity along the ground at the end of the step.
    leaving_at: Vec3,
}

/// Arms swing with the opposite leg (GAIT 4.1.4): forward by its hip angle, backward by the angle of the line from hip to ankle.
fn upper_track(from: &BodyState, step: &WalkStep<'_>, end: &Touchdown, proportions: &BodyProportions) -> UpperTrack {
    let attributes = step.attributes;
    let duration = step.duration;
    let to = |from: Flow<f64>, value: f64| Spline::through(&[from.start(), at_rest(duration, value)]);
    let here = from.feet[step.side.opposite()].plant();
    let angle = |side: Side, plant: &FootPlant, pitch: f64| {
        let hip = end.pelvis.transform_point(proportions.hips[side]);
        let ankle = plant.ankle(&proportions.soles[side], pitch) - hip;
        let forward = ankle.dot(heading_direction(end.heading));
        forward.atan2(-ankle.y)
    };
    let front = angle(step.side, &step.to, end.strike);
    let rear = angle(step.side.opposite(), &here, -end.behind);
    // The arm opposite the leg that lands is in front.
    let swings = PerSide::from_fn(|side| attributes.arm_swing * if side == step.side { rear } else { front });
    // How far forward an arm is, from 0 to 1: legs swing to some 0.45 rad (26 degrees) either way.
    let forwardness = |swing: f64| (0.5 + 0.5 * swing / (attributes.arm_swing * 0.45).max(0.05)).clamp(0.0, 1.0);
    UpperTrack {
        shoulders: to(Flow::rest(from.shoulders), attributes.shoulder_rotation),
        arm_out: to(Flow::rest(from.arm_out), attributes.arm_out),
        arms: PerSide::from_fn(|side| to(from.arms[side], swings[side])),
        elbows: PerSide::from_fn(|side| {
            let range = attributes.elbow_max - attributes.elbow_min;
            to(from.elbows[side], attributes.elbow_min + range * forwardness(swings[side]))
        }),
    }
}
