//! A jump from foot plans: from one foot or both, to one foot or both, by way of a lowest point.
//!
//! ```text
//!        standing, or landed          lowest            take-off      flight       landing
//!   pelvis    sinks, F >= 0            at rest            parabola, exactly 1 g       sinks again
//!   feet      flat                     flat, heels rise   tucked, extended            on their balls
//!   trunk     leans forward            most               upright                     forward
//!   arms      back                     furthest back      forward and up              down
//! ```
//!
//! 1. The flight: the pelvis at take-off and at landing from the footprints up, by the posture of recorded people
//!    (`jump_parameters`), its time as the plan has it or by nature. Where the pelvis is over its feet depends on the velocity of the flight
//!    and the other way round: solved by iteration ([`outline_jump`]).
//! 2. The push: the force of the ground is F(s) = (1 - s) (A + B s), s from the lowest point to take-off, so that it ends with
//!    nothing and never pulls. With p and q the integrals of F and of (1 - s) F, A = 12 q - 6 p and B = 24 p - 36 q; both are
//!    positive where q/p is between 0.5 and 0.75. The share is chosen, which gives the time of the push for its height.
//! 3. Before it the body sinks to its lowest point along a quintic, longer where it would fall faster than 1 g. From an
//!    approach the speed along the ground changes evenly from landing to take-off, and the support is as short as that asks.
//! 4. Legs: what is planted is solved from its footprint; in the air by angles (`jump_legs`).
//! 5. After a landing the body sinks as far as its speed asks ([`absorb`]), and then rises, steps or jumps again.
//!
//! The pelvis is ballistic, not the centre of mass, as in running steps: legs that are tucked would move one against the other by
//! centimetres.

use super::body_state::{BodyState, Flow, FootState, landing_pitch};
use super::foot_plant::FootPlant;
use super::height_curve::{End, HeightCurve};
use super::jump_legs::{Legs, free_leg};
use super::jump_parameters::*;
use super::norms::{Blend, Channel, Residual, Times};
use super::poise::{Look, Poise};
use super::spline::{Knot, MAX_KNOTS, Spline};
use super::step::{
    Flight, Ground, PelvisTrack, Step, UpperTrack, at_rest, between_headings, highest_pelvis, left_sign, level,
    pelvis_attitude,
};
use std::f64::consts::FRAC_PI_2;
use surefoot_contact::check_frame_rate::GRAVITY;
use surefoot_geom::{Transform, Vec3, ground_point, heading_direction, turn_between};
use surefoot_motion::{BodyProportions, PerSide, Side};
use surefoot_plan::{Feet, JumpPattern};

/// What a jump shall do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    pub(super) take_off: Feet,
    /// Where feet land; `None` of one that stays in the air.
    pub(super) to: PerSide<Option<FootPlant>>,
    /// Seconds until take-off, if the plan asks for some.
    pub(super) support: Option<f64>,
    /// Seconds in the air, if the plan asks for some.
    pub(super) flight: Option<f64>,
    /// Seconds until a foot that does not push off leaves, if it is planted.
    pub(super) double_support: f64,
}

impl Jump {
    pub(super) fn landing(&self) -> Feet {
        match (self.to.left, self.to.right) {
            (Some(_), Some(_)) => Feet::Both,
            (Some(_), None) => Feet::Left,
            _ => Feet::Right,
        }
    }

    pub(super) fn pattern(&self) -> JumpPattern {
        JumpPattern { take_off: self.take_off, landing: self.landing() }
    }
}

/// A jump's times and places, from when the step before it ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct JumpOutline {
    /// Seconds of sinking, of waiting in the lowest posture, of pushing, and in the air.
    pub(super) sink: f64,
    pub(super) wait: f64,
    pub(super) push: f64,
    pub(super) flight: f64,
    pub(super) off: Vec3,
    pub(super) velocity: Vec3,
    pub(super) landing: Vec3,
    lowest: Flow<Vec3>,
    lowest_acceleration: f64,
    /// How the body faces at take-off, and how far it turns from then to its landing.
    heading: f64,
    turn: f64,
    pub(super) pitch_off: f64,
    pub(super) strike: f64,
    /// How much of a jump it is, for arms and trunk: 0 to 1.
    effort: f64,
    /// Of the lowest point, in radians.
    knee: f64,
    pub(super) rise: f64,
}

impl JumpOutline {
    pub(super) fn support(&self) -> f64 {
        self.sink + self.wait + self.push
    }
}

/// Rounds in which the velocity of the flight and the postures at its ends agree: the rest is below a millimetre.
const ROUNDS: usize = 24;
/// How much of the difference a guess goes on by: postures at both ends take up to four times as much distance as the flight.
const RELAXED: f64 = 0.33;
/// Speed along the ground from which on a body is in motion, in metres a second.
pub(super) const MOVING: f64 = 0.3;
/// Speed downward from which on a body has landed.
const LANDED: f64 = 0.35;
/// Shortest support in motion, in seconds, and the share of it that is sunk in.
const SHORTEST_SUPPORT: f64 = 0.14;
const SINKING: f64 = 0.42;
/// Fastest fall while a foot is planted, in g.
const MOST_FALL: f64 = 0.85;
/// How far inside of a foot that stands alone the pelvis is, of its hip.
const INWARD: f64 = 0.6;
/// Of the speed at take-off, what a body has at its lowest point; and how far that is from over the feet at most, of the leg.
const FALLING: f64 = 0.3;
const HIPS_BACK: f64 = 0.14;
/// Least of its natural time that a support is hurried to.
const MOST_HURRIED: f64 = 0.45;
/// When in a step a walk's foot behind leaves, as a share.
const GAIT_EVENT: f64 = 0.24;
/// Seconds of such a step.
const GAIT_STEP: f64 = 0.6;
/// Of a turn in the air, what is made on the ground by the push.
const TURNED_ON_GROUND: f64 = 0.15;

/// Places under a body: the middle of balls, or of ankles.
fn middle(feet: Feet, hip: &PerSide<Vec3>, heading: f64, place: impl Fn(Side) -> Vec3) -> Vec3 {
    let left = heading_direction(heading + FRAC_PI_2);
    let over = |side: Side| place(side) - left * (left_sign(side) * INWARD * hip[side].x.abs());
    match feet {
        Feet::Both => 0.5 * (place(Side::Left) + place(Side::Right)),
        Feet::Left => over(Side::Left),
        Feet::Right => over(Side::Right),
    }
}

fn facing(feet: Feet, heading: impl Fn(Side) -> f64) -> f64 {
    match feet {
        Feet::Both => between_headings(heading(Side::Left), heading(Side::Right)),
        Feet::Left => heading(Side::Left),
        Feet::Right => heading(Side::Right),
    }
}

fn sides(feet: Feet) -> impl Iterator<Item = Side> {
    Side::BOTH.into_iter().filter(move |&side| feet.has(side))
}

/// The highest pelvis at a place whose legs are flexed as far as a knee says.
fn height_over(
    proportions: &BodyProportions,
    feet: Feet,
    pelvis: &Transform,
    ankle: impl Fn(Side) -> Vec3,
    knee: f64,
) -> f64 {
    sides(feet).map(|side| highest_pelvis(proportions, side, pelvis, ankle(side), knee)).fold(f64::INFINITY, f64::min)
}

/// The pelvis as it is seen at the start of a jump: with what the step before shows of recorded people's heights, which the jump then
/// takes over.
fn seen(proportions: &BodyProportions, from: &BodyState, feet: Feet) -> Flow<Vec3> {
    let side = landed_side(from, feet);
    let times = Times { duration: GAIT_STEP, event: GAIT_EVENT * GAIT_STEP };
    let residual = Residual::new(side, from.blend, from.blend, times);
    let leg = proportions.leg_length(side);
    let up = |time: f64| residual.at(time).map_or(0.0, |displaced| leg * displaced.even(Channel::Up));
    let rate = (up(1e-3) - up(0.0)) / 1e-3;
    Flow { value: from.position.value + Vec3::Y * up(0.0), rate: from.position.rate + Vec3::Y * rate }
}

/// The foot on which the residual of a step before stands.
fn landed_side(from: &BodyState, feet: Feet) -> Side {
    match feet {
        Feet::Both => from.landed_on(),
        Feet::Left => Side::Left,
        Feet::Right => Side::Right,
    }
}

/// Decides a jump's times, places and speeds.
pub(super) fn outline_jump(proportions: &BodyProportions, from: &BodyState, jump: &Jump) -> JumpOutline {
    let take_off = jump.take_off;
    let leg = proportions.leg_length(Side::Left);
    let hips = 0.5 * (proportions.hips.left + proportions.hips.right);
    let here = from.feet.map(|foot| foot.plant());
    let there = |side: Side| jump.to[side].expect("it lands");
    let landing = jump.landing();
    let stance_heading = facing(take_off, |side| here[side].heading);
    let heading = from.heading.value + turn_between(from.heading.value, stance_heading);
    let turn = turn_between(heading, facing(landing, |side| there(side).heading));
    let lands_facing = heading + turn;
    let ball_off = middle(take_off, &proportions.hips, heading, |side| here[side].ball);
    let ankle_off = |side: Side, pitch: f64| here[side].ankle(&proportions.soles[side], pitch);
    let ankle_to = |side: Side, pitch: f64| there(side).ankle(&proportions.soles[side], pitch);
    let ground = |feet: Feet, height: &dyn Fn(Side) -> f64| sides(feet).map(height).fold(f64::INFINITY, f64::min);
    let rise = ground(landing, &|side| there(side).ball.y) - ground(take_off, &|side| here[side].ball.y);
    let level_flight = match (take_off, landing) {
        (Feet::Both, Feet::Both) => FLIGHT.0,
        _ if jump.pattern().is_hop() => FLIGHT.2,
        _ => FLIGHT.1,
    };

    let (mut off, mut end, mut velocity, mut flight) = (Vec3::ZERO, Vec3::ZERO, Vec3::Y, level_flight);
    let (mut pitch_off, mut strike) = (PITCH_OFF.0, STRIKE.0);
    // Faster, the postures at both ends leave less of the distance to the flight, which makes it slower: the guess goes on by a share.
    let mut guess = velocity;
    for _ in 0..ROUNDS {
        guess += (velocity - guess) * RELAXED;
        let along = level(guess);
        let (speed, direction) = (along.length(), along.normalize_or_zero());
        pitch_off = (PITCH_OFF.0 + PITCH_OFF.1 * speed).min(1.0);
        strike = if rise < -0.2 { STRIKE.0 } else { (STRIKE.0 + STRIKE.1 * speed).min(STRIKE.2) };
        let faster = (GRAVITY * flight - guess.y - LEVEL_LANDING).clamp(0.0, 3.0);
        strike += STRIKE_PER_FALL * faster;
        let knee_landing =
            (KNEE_LANDING + KNEE_PER_RISE * rise.max(0.0) + KNEE_PER_FALL * faster).min(MOST_KNEE_LANDING);
        let ahead = (AHEAD_OFF.0 * speed / guess.y.max(0.8)).min(AHEAD_OFF.1) * leg;
        let attitude = pelvis_attitude(heading, 0.0, LEAN_OFF, 0.0);
        let mut pelvis = Transform::new(attitude, ball_off + direction * ahead - heading_direction(heading) * hips.z);
        pelvis.translation.y =
            height_over(proportions, take_off, &pelvis, |side| ankle_off(side, -pitch_off), KNEE_OFF);
        off = pelvis.translation;
        let ahead = (AHEAD_LANDING.0 + AHEAD_LANDING.1 * speed).max(AHEAD_LANDING.2) * leg;
        let facing = heading_direction(lands_facing);
        let forward = if speed > 0.1 { direction } else { facing };
        let under = middle(landing, &proportions.hips, lands_facing, |side| ankle_to(side, 0.0));
        let attitude = pelvis_attitude(lands_facing, 0.0, LEAN_LANDING, 0.0);
        let mut pelvis = Transform::new(attitude, under + forward * ahead - facing * hips.z);
        pelvis.translation.y = height_over(proportions, landing, &pelvis, |side| ankle_to(side, strike), knee_landing);
        end = pelvis.translation;
        let offset = end - off;
        flight = jump.flight.unwrap_or_else(|| natural_flight(level_flight, ground_point(offset).length(), offset.y));
        velocity = offset / flight + Vec3::Y * (0.5 * GRAVITY * flight);
    }

    let up = velocity.y.max(0.3);
    let numbers = if take_off == Feet::Both { KNEE_LOWEST.0 } else { KNEE_LOWEST.1 };
    let knee = (numbers[0] + numbers[1] * up).clamp(numbers[2], numbers[3]);
    let start = seen(proportions, from, take_off);
    let sinking = -start.rate.y;
    let lean = LEAN_LOWEST * knee;
    let under = middle(take_off, &proportions.hips, heading, |side| ankle_off(side, 0.0));
    let place = under + heading_direction(heading) * (0.05 * leg - hips.z);
    let pelvis = Transform::new(pelvis_attitude(heading, 0.0, lean, 0.0), place);
    let mut bottom = height_over(proportions, take_off, &pelvis, |side| ankle_off(side, 0.0), knee);
    if sinking > LANDED {
        bottom = bottom.min(start.value.y - 0.8 * ABSORBED * sinking);
    }
    bottom = bottom.min(off.y - 0.04);
    let mut push = push_time(up, off.y - bottom);
    let mut sink = sink_time(start.value.y - bottom, sinking);
    // Whoever is in motion takes off before the body is too far ahead, and whoever is in a hurry as soon as the plan says.
    let pace = 0.5 * (level(start.rate).length() + level(velocity).length());
    let is_moving = level(start.rate).length() > MOVING;
    let natural = sink + push;
    let mut wanted = jump.support.unwrap_or(natural).max(MOST_HURRIED * natural);
    if is_moving && jump.support.is_none() {
        wanted = (ground_point(off - start.value).length() / pace.max(1e-3)).clamp(SHORTEST_SUPPORT, natural);
    }
    if wanted < natural - 1e-9 {
        if is_moving {
            (sink, push) = (SINKING * wanted, (1.0 - SINKING) * wanted);
            bottom = off.y - lifted(up, push);
        } else {
            sink = (wanted - push).max(MOST_HURRIED * sink);
        }
    }
    let wait = (wanted - natural).max(0.0);
    let mut acceleration = if wait > 0.0 { 0.0 } else { push_force(up, off.y - bottom, push).0 - GRAVITY };
    acceleration = acceleration.max(0.0);
    let before = if sinking > LANDED { -GRAVITY } else { 0.0 };
    let from_end = End { height: start.value.y, rate: start.rate.y, acceleration: before };
    let to_end = End { height: bottom, rate: 0.0, acceleration };
    // Sinking that would pull takes longer, unless the plan has no time.
    for _ in 0..12 {
        if HeightCurve::between(from_end, to_end, sink).fall() <= MOST_FALL.max(-before / GRAVITY + 1e-6) {
            break;
        }
        sink *= 1.12;
    }
    let off_velocity = level(velocity);
    let lowest = if is_moving && wait == 0.0 {
        let along = Spline::through(&[
            Knot { time: 0.0, value: level(start.value), rate: level(start.rate) },
            Knot { time: sink + push, value: level(off), rate: off_velocity },
        ]);
        Flow { value: along.at(sink) + Vec3::Y * bottom, rate: along.rate(sink) }
    } else {
        // Whoever jumps far begins to fall forward while still sinking, and has the hips behind.
        let back = level(off) - off_velocity * ((0.5 + 0.5 * FALLING) * push) - level(place);
        let place = place + back.clamp_length_max(HIPS_BACK * leg);
        let rate = (level(off - place) * (2.0 / push) - off_velocity).clamp_length_max(0.5 * off_velocity.length());
        let rate = if rate.dot(off_velocity) > 0.0 { rate } else { Vec3::ZERO };
        Flow { value: level(place) + Vec3::Y * bottom, rate: if wait > 0.0 { Vec3::ZERO } else { rate } }
    };
    JumpOutline {
        sink,
        wait,
        push,
        flight,
        off,
        velocity,
        landing: end,
        lowest,
        lowest_acceleration: acceleration,
        heading,
        turn,
        pitch_off,
        strike,
        effort: ((up - 0.9) / 1.6).clamp(0.2, 1.0),
        knee,
        rise,
    }
}

/// Seconds of a push that lifts so far to a speed upward, for the share of [`PUSH_SHARE`].
fn push_time(up: f64, lift: f64) -> f64 {
    let (a, b) = ((PUSH_SHARE - 0.5) * GRAVITY, PUSH_SHARE * up);
    (-b + (b * b + 4.0 * a * lift).sqrt()) / (2.0 * a)
}

/// How far such a push lifts in some seconds.
fn lifted(up: f64, seconds: f64) -> f64 {
    ((PUSH_SHARE - 0.5) * GRAVITY * seconds + PUSH_SHARE * up) * seconds
}

/// The force of a push at its start, and how it changes: A and A + B.
fn push_force(up: f64, lift: f64, seconds: f64) -> (f64, f64) {
    let (p, q) = (up / seconds + GRAVITY, lift / (seconds * seconds) + 0.5 * GRAVITY);
    (12.0 * q - 6.0 * p, 18.0 * p - 24.0 * q)
}

/// Seconds of sinking so far: from a landing as fast as it asks, else as in a countermovement.
fn sink_time(depth: f64, speed: f64) -> f64 {
    if speed > LANDED {
        (depth / (ABSORBING * speed)).clamp(0.08, CROUCHING)
    } else {
        (CROUCHING * (depth.max(0.0) / 0.2).sqrt()).clamp(0.3, 0.7)
    }
}

/// The steps of a jump, up to its landing.
pub(super) fn plan_jump(
    proportions: &BodyProportions,
    ground: &Ground<'_>,
    from: &BodyState,
    jump: &Jump,
    outline: &JumpOutline,
) -> (Vec<Step>, BodyState) {
    let o = outline;
    let free = free_leg(jump, false);
    let arms = ArmKeys::of(jump, o);
    let down = Sink {
        feet: jump.take_off,
        seconds: o.sink,
        to: o.lowest,
        acceleration: o.lowest_acceleration,
        heading: o.heading,
        lean: LEAN_LOWEST * o.knee,
        arms: arms.lowest,
        elbows: arms.elbow,
        double_support: jump.double_support,
        free,
    };
    let (step, mut state) = sink(proportions, from, &down);
    let mut steps = vec![step];
    if o.wait > 0.0 {
        let still = Flow { value: o.lowest.value, rate: Vec3::ZERO };
        let waiting = Sink { seconds: o.wait, to: still, acceleration: 0.0, ..down };
        let (step, waited) = sink(proportions, &state, &waiting);
        steps.push(step);
        state = waited;
    }
    let (step, after) = leap(proportions, ground, &state, jump, o, &arms);
    steps.push(step);
    (steps, after)
}

/// Where arms are, forward, against the trunk.
struct ArmKeys {
    lowest: PerSide<f64>,
    off: PerSide<f64>,
    flight: PerSide<f64>,
    landing: PerSide<f64>,
    elbow: f64,
}

impl ArmKeys {
    /// Both arms swing with a jump from both feet; from one foot, the arm opposite to the leg that swings goes forward.
    fn of(jump: &Jump, o: &JumpOutline) -> ArmKeys {
        let both = |value: f64| PerSide::from_fn(|_| value);
        if jump.take_off == Feet::Both {
            return ArmKeys {
                lowest: both(-0.1 - 0.55 * o.effort),
                off: both(0.35 + 1.15 * o.effort),
                flight: both(0.45 + 1.25 * o.effort),
                landing: both(0.25 + 0.45 * o.effort),
                elbow: 0.75,
            };
        }
        let swing = if jump.pattern().is_hop() { 0.15 } else { 0.6 };
        let by_foot = |middle: f64, swing: f64| {
            PerSide::from_fn(|side| if jump.take_off.has(side) { middle + swing } else { middle - swing })
        };
        ArmKeys {
            lowest: by_foot(-0.15, -0.3 * swing),
            off: by_foot(0.1 + 0.3 * o.effort, swing),
            flight: by_foot(0.15 + 0.3 * o.effort, 0.8 * swing),
            landing: by_foot(0.1, 0.3 * swing),
            elbow: 0.95,
        }
    }
}

/// A body that sinks, or waits, on the feet that carry it.
#[derive(Clone, Copy)]
struct Sink {
    feet: Feet,
    seconds: f64,
    to: Flow<Vec3>,
    acceleration: f64,
    heading: f64,
    lean: f64,
    arms: PerSide<f64>,
    elbows: f64,
    double_support: f64,
    free: super::jump_legs::FreeLeg,
}

fn sink(proportions: &BodyProportions, from: &BodyState, sink: &Sink) -> (Step, BodyState) {
    let duration = sink.seconds;
    let start = seen(proportions, from, sink.feet);
    let acceleration = if start.rate.y < -LANDED { -GRAVITY } else { 0.0 };
    let height = HeightCurve::between(
        End { height: start.value.y, rate: start.rate.y, acceleration },
        End { height: sink.to.value.y, rate: sink.to.rate.y, acceleration: sink.acceleration },
        duration,
    );
    let along = Spline::through(&[
        Knot { time: 0.0, value: level(start.value), rate: level(start.rate) },
        Knot { time: duration, value: level(sink.to.value), rate: level(sink.to.rate) },
    ]);
    let path = path(&along, 0.0, &height, duration);
    let to = |from: Flow<f64>, value: f64| Spline::through(&[from.start(), at_rest(duration, value)]);
    let landed = landed_side(from, sink.feet);
    let pelvis = PelvisTrack {
        path,
        flight: None,
        // The height has its residual already.
        leg: 0.0,
        heading: to(from.heading, sink.heading),
        rotation: to(from.rotation, 0.0),
        list: to(from.list, 0.0),
        lean: to(from.lean, sink.lean),
        side: to(from.side, 0.0),
        // What is left of a gait goes at the pace that it had.
        residual: Residual::new(landed, from.blend, Blend::STANDING, Times { duration, event: GAIT_EVENT * duration }),
    };
    let legs = Legs { proportions, pelvis: &pelvis, duration };
    let tracks = PerSide::from_fn(|side| match from.feet[side] {
        FootState::Planted { plant, pitch } if sink.feet.has(side) => legs.planted(plant, pitch),
        FootState::Planted { .. } => legs.lifting(side, from.feet[side], sink.double_support, &sink.free),
        FootState::Air { .. } => legs.carried(side, from.feet[side], &sink.free),
    });
    let upper = UpperTrack {
        shoulders: Spline::constant(from.shoulders),
        arm_out: Spline::constant(from.arm_out),
        arms: PerSide::from_fn(|side| to(from.arms[side], sink.arms[side])),
        elbows: PerSide::from_fn(|side| to(from.elbows[side], sink.elbows)),
    };
    let after = BodyState {
        position: sink.to,
        heading: Flow::rest(sink.heading),
        rotation: Flow::rest(0.0),
        list: Flow::rest(0.0),
        lean: Flow::rest(sink.lean),
        side: Flow::rest(0.0),
        feet: tracks.map(|track| track.1),
        shoulders: from.shoulders,
        arm_out: from.arm_out,
        arms: sink.arms.map(Flow::rest),
        elbows: PerSide::from_fn(|_| Flow::rest(sink.elbows)),
        blend: Blend::STANDING,
        look: Look::default(),
    };
    (
        Step {
            duration,
            pelvis,
            legs: tracks.map(|track| track.0),
            upper,
            poise: Poise::to_facing(duration, from.look),
        },
        after,
    )
}

/// A path of knots: along the ground from some time of a curve on, and a height.
fn path(along: &Spline<Vec3>, since: f64, height: &HeightCurve, duration: f64) -> Spline<Vec3> {
    let knots: [Knot<Vec3>; MAX_KNOTS] = std::array::from_fn(|n| {
        let time = duration * n as f64 / (MAX_KNOTS - 1) as f64;
        let (value, rate) = height.at(time);
        Knot { time, value: along.at(since + time) + Vec3::Y * value, rate: along.rate(since + time) + Vec3::Y * rate }
    });
    Spline::through(&knots)
}

/// The push and the flight, up to the landing.
fn leap(
    proportions: &BodyProportions,
    ground: &Ground<'_>,
    from: &BodyState,
    jump: &Jump,
    o: &JumpOutline,
    arms: &ArmKeys,
) -> (Step, BodyState) {
    let (push, duration) = (o.push, o.push + o.flight);
    let start = from.position;
    let height = HeightCurve::between(
        End { height: start.value.y, rate: 0.0, acceleration: o.lowest_acceleration },
        End { height: o.off.y, rate: o.velocity.y, acceleration: -GRAVITY },
        push,
    );
    let along = Spline::through(&[
        Knot { time: 0.0, value: level(start.value), rate: level(start.rate) },
        Knot { time: push, value: level(o.off), rate: level(o.velocity) },
    ]);
    let heading = from.heading.value;
    let turned = o.turn + turn_between(heading, o.heading);
    let end = heading + turned;
    let spin = (1.0 - TURNED_ON_GROUND) * turned / o.flight;
    let lean_landing = LEAN_LANDING + 0.25 * o.rise.clamp(0.0, 0.8) + 0.1 * (-o.rise).clamp(0.0, 1.0);
    let stance = if jump.take_off.has(Side::Left) { Side::Left } else { Side::Right };
    let pelvis = PelvisTrack {
        path: path(&along, 0.0, &height, push),
        flight: Some(Flight { start: push, position: o.off, velocity: o.velocity }),
        leg: proportions.leg_length(stance),
        heading: Spline::through(&[
            from.heading.start(),
            Knot { time: push, value: heading + TURNED_ON_GROUND * turned, rate: spin },
            Knot { time: duration, value: end, rate: 0.4 * spin },
        ]),
        rotation: Spline::constant(0.0),
        list: Spline::constant(0.0),
        lean: Spline::through(&[from.lean.start(), at_rest(push, LEAN_OFF), at_rest(duration, lean_landing)]),
        side: Spline::constant(0.0),
        residual: Residual::none(),
    };
    let velocity = o.velocity - Vec3::Y * (GRAVITY * o.flight);
    let strike = |side: Side| {
        let to = jump.to[side].expect("it lands");
        let flat_after = FLAT_AFTER * (LEVEL_LANDING / -velocity.y).clamp(0.5, 1.0);
        landing_pitch(o.strike.min(to.most_strike(&proportions.soles[side])), flat_after)
    };
    let legs = Legs { proportions, pelvis: &pelvis, duration };
    let tracks = PerSide::from_fn(|side| {
        let lands = jump.to[side].map(|to| (to, strike(side)));
        legs.leaping(ground, side, from.feet[side], jump, o, lands, turned)
    });
    let mid = push + 0.45 * o.flight;
    let through = |from: Flow<f64>, [off, flight, landing]: [f64; 3]| {
        Spline::clamped(&[(0.0, from.value), (push, off), (mid, flight), (duration, landing)], from.rate, 0.0)
    };
    let upper = UpperTrack {
        shoulders: Spline::constant(from.shoulders),
        arm_out: Spline::constant(from.arm_out),
        arms: PerSide::from_fn(|side| {
            through(from.arms[side], [arms.off[side], arms.flight[side], arms.landing[side]])
        }),
        elbows: PerSide::from_fn(|side| through(from.elbows[side], [arms.elbow, 0.85 * arms.elbow, 0.8])),
    };
    let flow =
        |spline: &Spline<f64>| Flow { value: spline.at(duration), rate: spline.knots().last().map_or(0.0, |k| k.rate) };
    let after = BodyState {
        position: Flow { value: o.landing, rate: velocity },
        heading: flow(&pelvis.heading),
        rotation: Flow::rest(0.0),
        list: Flow::rest(0.0),
        lean: flow(&pelvis.lean),
        side: Flow::rest(0.0),
        feet: tracks.map(|track| track.1),
        shoulders: from.shoulders,
        arm_out: from.arm_out,
        arms: PerSide::from_fn(|side| flow(&upper.arms[side])),
        elbows: PerSide::from_fn(|side| flow(&upper.elbows[side])),
        blend: Blend::STANDING,
        look: Look::default(),
    };
    (
        Step {
            duration,
            pelvis,
            legs: tracks.map(|track| track.0),
            upper,
            poise: Poise::to_facing(duration, from.look),
        },
        after,
    )
}

/// Sinks after a landing, as far as its speed asks and the legs let it, to where nothing moves downward any more.
pub(super) fn absorb(proportions: &BodyProportions, from: &BodyState) -> (Step, BodyState) {
    let is_planted = |side: Side| matches!(from.feet[side], FootState::Planted { .. });
    let feet = match (is_planted(Side::Left), is_planted(Side::Right)) {
        (true, true) => Feet::Both,
        (true, false) => Feet::Left,
        _ => Feet::Right,
    };
    let plants = from.feet.map(|foot| foot.plant());
    let start = from.position;
    let speed = (-start.rate.y).max(0.0);
    let heading = from.heading.value + turn_between(from.heading.value, facing(feet, |side| plants[side].heading));
    let ankle = |side: Side| plants[side].ankle(&proportions.soles[side], 0.0);
    let seconds_for = |depth: f64| sink_time(depth, speed.max(LANDED + 0.01));
    let mut depth = (ABSORBED * speed).max(0.03);
    let mut seconds = seconds_for(depth);
    // Along the ground the body stops over its feet; where it has another step to go, that takes up the rest.
    let under = middle(feet, &proportions.hips, heading, ankle);
    let hips = 0.5 * (proportions.hips.left + proportions.hips.right);
    let stop = level(under + heading_direction(heading) * (0.02 * proportions.height - hips.z));
    let along = level(start.rate);
    let room = level(stop - start.value).dot(along.normalize_or_zero()).max(0.05);
    let braking = if feet == Feet::Both { along.length_squared() / (2.0 * room) } else { 2.0 };
    let slowed = |seconds: f64| {
        let brake = along.normalize_or_zero() * braking.min(12.0).min(along.length() / seconds);
        (level(start.value) + along * seconds - brake * (0.5 * seconds * seconds), along - brake * seconds)
    };
    let lean = from.lean.value + 0.9 * depth;
    let pelvis = Transform::new(pelvis_attitude(heading, 0.0, lean, 0.0), slowed(seconds).0);
    let lowest = height_over(proportions, feet, &pelvis, ankle, KNEE_ABSORBED);
    depth = depth.min((start.value.y - lowest).max(0.03));
    seconds = seconds_for(depth).max(if speed > 0.1 { 0.06 } else { 0.15 });
    let (place, rate) = slowed(seconds);
    let acceleration = if speed > LANDED { 0.5 * GRAVITY } else { 0.0 };
    let down = Sink {
        feet,
        seconds,
        to: Flow { value: place + Vec3::Y * (start.value.y - depth), rate },
        acceleration,
        heading,
        lean,
        arms: from.arms.map(|arm| arm.value - 0.1),
        elbows: 0.7,
        double_support: 0.0,
        free: super::jump_legs::LANDED_LEG,
    };
    sink(proportions, from, &down)
}
