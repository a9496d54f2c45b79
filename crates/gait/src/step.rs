//! One step as curves over its time, and the posture at any time of it.
//!
//! A step begins when a foot lands and ends when the other lands. Everything that moves in it is a curve through the
//! keyframes that its planning fixed (`plan_walk`, `plan_run`): the pelvis, the pitch of feet that are planted, the angles of legs
//! in the air, and the upper body. What is planted is solved exactly from the footprint up. Three guards hold whatever the
//! curves do between their keyframes: the pelvis is kept where the standing legs reach, legs in the air within what joints
//! allow, and a swinging foot is lifted out of the ground.

use super::foot_plant::FootPlant;
use super::leg::{LegAngles, LegLengths, leg_posture};
use super::norms::{Channel, Displaced, Residual};
use super::poise::Poise;
use super::spline::{Knot, Spline};
use super::{ArmPosture, LegPosture, Posture};
use std::ops::{Add, Mul, Sub};
use surefoot_contact::check_frame_rate::GRAVITY;
use surefoot_geom::{Quat, Transform, Vec3, ground_point, smoothstep, turn_between};
use surefoot_ground::Terrain;
use surefoot_motion::{BodyProportions, Sole};
use surefoot_motion::{PerSide, Side};
use surefoot_plan::FootContact;
use surefoot_plan::ground_under_jump;

/// No knee is ever straighter, in radians (2 degrees): a straight knee has no direction to bend.
pub(super) const MIN_KNEE: f64 = 0.035;
/// Most that the knee of a standing leg flexes, in radians (97 degrees).
pub(super) const DEEPEST_KNEE: f64 = 1.7;
/// Furthest that a standing ankle is from its hip along the ground, as a share of the leg (58 degrees).
const FURTHEST: f64 = 0.85;
/// Least height of a hip over a standing foot, in thighs.
const LOWEST_HIP: f64 = 1.05;
/// No knee is ever flexed more, in radians (143 degrees): calf and thigh meet.
pub(super) const MAX_KNEE: f64 = 2.5;
/// How far a thigh goes back and forward, in radians (-60 and 86 degrees).
const HIP_RANGE: (f64, f64) = (-1.05, 1.5);
/// How far a body that stops goes on, in metres.
const SLACK: f64 = 0.15;
/// Share of the torso's lean that the pelvis takes.
const PELVIS_LEAN: f64 = 0.3;
/// The same of its lean to a side.
const PELVIS_SIDE: f64 = 0.6;
/// Furthest that a body leans into a turn, in radians (32 degrees): from there on soles slip.
const MAX_BANK: f64 = 0.56;
/// Share of the balanced lean that a torso takes as it speeds up or slows down, and the least and most of it, in radians (-10 and 20
/// degrees).
const ACCELERATION_LEAN: f64 = 0.7;
const SPEEDING_LEAN: (f64, f64) = (-0.17, 0.35);
/// Shares of the angle of a slope by which a torso leans forward uphill and back downhill.
const UPHILL_LEAN: f64 = 0.5;
const DOWNHILL_LEAN: f64 = 0.25;
/// Share of an arm's swing that the collar bone takes.
const CLAVICLE_SHARE: f64 = 0.1;
/// Between mid-swing heights of the ground under a foot that changes level: above the straight line by this share of the rise,
/// for the edges of steps.
const EDGE_SHARE: f64 = 0.35;
/// How far before and behind an edge of a terrain it is felt, in metres, and how steep the ramp over it is.
const EDGE_SAMPLES: [f64; 3] = [0.05, 0.1, 0.15];
const EDGE_SLOPE: f64 = 1.2;
/// First and last share of a swing in which the ground becomes that of the path.
const NEAR_PLANT: f64 = 0.3;

/// Corrections of a curve's keyframes are made larger by this than what they correct, for it is worst between keyframes.
pub(super) const OVERDONE: f64 = 1.2;

/// A leg in the air: its angles, and those of its foot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Air {
    pub(super) leg: LegAngles,
    pub(super) pitch: f64,
    /// Of the foot in the world.
    pub(super) heading: f64,
    pub(super) toe_bend: f64,
}

impl Air {
    fn zip(self, other: Air, f: impl Fn(f64, f64) -> f64) -> Air {
        Air {
            leg: LegAngles {
                hip: f(self.leg.hip, other.leg.hip),
                knee: f(self.leg.knee, other.leg.knee),
                out: f(self.leg.out, other.leg.out),
            },
            pitch: f(self.pitch, other.pitch),
            heading: f(self.heading, other.heading),
            toe_bend: f(self.toe_bend, other.toe_bend),
        }
    }
}

impl Add for Air {
    type Output = Air;
    fn add(self, other: Air) -> Air {
        self.zip(other, |a, b| a + b)
    }
}

impl Sub for Air {
    type Output = Air;
    fn sub(self, other: Air) -> Air {
        self.zip(other, |a, b| a - b)
    }
}

impl Mul<f64> for Air {
    type Output = Air;
    fn mul(self, factor: f64) -> Air {
        self.zip(self, |a, _| a * factor)
    }
}

/// The pelvis through a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PelvisTrack {
    pub(super) path: Spline<Vec3>,
    /// After the path: the parabola of a flight.
    pub(super) flight: Option<Flight>,
    /// Length of the legs, which heights of residuals are shares of.
    pub(super) leg: f64,
    /// Of the body.
    pub(super) heading: Spline<f64>,
    /// Of the pelvis against the body's heading, positive to the left.
    pub(super) rotation: Spline<f64>,
    /// Positive lifts the left hip.
    pub(super) list: Spline<f64>,
    /// Of the torso, forward.
    pub(super) lean: Spline<f64>,
    /// Of the body, to the left.
    pub(super) side: Spline<f64>,
    /// What recorded people do beside.
    pub(super) residual: Residual,
}

/// A parabola.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Flight {
    pub(super) start: f64,
    pub(super) position: Vec3,
    pub(super) velocity: Vec3,
}

impl Flight {
    fn at(&self, time: f64) -> Vec3 {
        let t = time - self.start;
        self.position + self.velocity * t - Vec3::Y * (0.5 * GRAVITY * t * t)
    }
}

impl PelvisTrack {
    pub(super) fn at(&self, time: f64) -> Transform {
        self.turns_and_place(time).1
    }

    fn turns_and_place(&self, time: f64) -> (Turns, Transform) {
        let displaced = self.residual.at(time);
        let turns = self.turns(time, &displaced);
        let place = self.planned_place(time) + Vec3::Y * self.up(&displaced, time);
        (turns, Transform::new(turns.pelvis(), place))
    }

    /// Where the pelvis is without its residual.
    fn planned_place(&self, time: f64) -> Vec3 {
        match &self.flight {
            Some(flight) if time > flight.start => flight.at(time),
            _ => self.path.at(time),
        }
    }

    /// In a running step what is left of a walk's residual goes before the foot takes off.
    pub(super) fn up(&self, displaced: &Option<Displaced<'_>>, time: f64) -> f64 {
        let Some(displaced) = displaced else { return 0.0 };
        let left = self.flight.map_or(1.0, |flight| 1.0 - smoothstep(time / flight.start));
        if left > 0.0 { left * self.leg * displaced.even(Channel::Up) } else { 0.0 }
    }

    /// The pelvis as it is turned at a time, for ever.
    pub(super) fn frozen(&self, time: f64) -> PelvisTrack {
        let turns = self.turns(time, &self.residual.at(time));
        PelvisTrack {
            heading: Spline::constant(turns.heading),
            rotation: Spline::constant(turns.rotation),
            list: Spline::constant(turns.list),
            lean: Spline::constant(turns.lean),
            side: Spline::constant(turns.side),
            residual: Residual::none(),
            ..*self
        }
    }

    pub(super) fn attitude(&self, time: f64) -> Quat {
        self.turns(time, &self.residual.at(time)).pelvis()
    }

    fn turns(&self, time: f64, displaced: &Option<Displaced<'_>>) -> Turns {
        let mut turns = Turns {
            heading: self.heading.at(time),
            rotation: self.rotation.at(time),
            list: self.list.at(time),
            lean: self.lean.at(time),
            side: self.side.at(time),
            twist: 0.0,
        };
        turns.twist = turns.rotation;
        if let Some(displaced) = displaced {
            turns.rotation += displaced.mirrored(Channel::Yaw);
            turns.list += displaced.mirrored(Channel::List);
            turns.lean += displaced.even(Channel::Lean);
            turns.side += displaced.mirrored(Channel::Side);
        }
        turns
    }
}

/// The curves of a pelvis at one time.
#[derive(Clone, Copy, Debug)]
struct Turns {
    heading: f64,
    rotation: f64,
    list: f64,
    lean: f64,
    side: f64,
    /// The rotation that the shoulders go against.
    twist: f64,
}

impl Turns {
    fn pelvis(&self) -> Quat {
        pelvis_attitude(self.heading + self.rotation, self.list, self.lean, self.side)
    }
}

/// The pelvis under a torso that leans forward and to the left.
pub(super) fn pelvis_attitude(turn: f64, list: f64, lean: f64, side: f64) -> Quat {
    Quat::from_rotation_y(turn)
        * Quat::from_rotation_z(list - PELVIS_SIDE * side)
        * Quat::from_rotation_x(PELVIS_LEAN * lean)
}

/// How far a body leans to the left in a turn, by its acceleration to the left: as far as balance asks.
pub(super) fn balanced_lean(acceleration: f64) -> f64 {
    (acceleration / GRAVITY).atan().clamp(-MAX_BANK, MAX_BANK)
}

/// How much further a torso leans forward by its acceleration forward and by the grade of the ground.
pub(super) fn lean_of(acceleration: f64, grade: f64) -> f64 {
    let speeding = (ACCELERATION_LEAN * (acceleration / GRAVITY).atan()).clamp(SPEEDING_LEAN.0, SPEEDING_LEAN.1);
    let share = if grade > 0.0 { UPHILL_LEAN } else { DOWNHILL_LEAN };
    speeding + share * grade.atan()
}

/// A vector without its height.
pub(super) fn level(v: Vec3) -> Vec3 {
    Vec3::new(v.x, 0.0, v.z)
}

/// One leg through a step: it may be planted at first, and is in the air afterwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LegTrack {
    /// Where it is planted, or was last.
    pub(super) plant: FootPlant,
    /// The foot leaves at this time; not after 0 if it is never planted.
    pub(super) leaves: f64,
    /// Of the foot that is planted.
    pub(super) pitch: Spline<f64>,
    pub(super) air: Spline<Air>,
    /// Where it lands next.
    pub(super) lands: FootPlant,
    /// When it began to swing and when it lands, for the slope of the ground; may lie outside the step.
    pub(super) swing: (f64, f64),
    /// What is beneath it in the air.
    pub(super) beneath: Beneath,
}

/// The ground beneath a foot in the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beneath {
    /// A ramp from one plant to the next, and over the edges of a terrain.
    Ramp,
    /// The terrain as it is: the foot's curve was planned over its edges.
    Terrain,
    /// A jump's: without a terrain each plant is a platform ([`ground_under_jump`]).
    Gap,
}

impl LegTrack {
    pub(super) fn is_planted(&self, time: f64) -> bool {
        time < self.leaves
    }

    /// The leg in the air, within what a leg can do whatever its curve does between keyframes.
    pub(super) fn air_at(&self, time: f64, side: Side, residual: &Residual) -> Air {
        let mut air = self.air.at(time);
        if self.beneath != Beneath::Terrain
            && let Some(displaced) = residual.at(time)
        {
            let [hip, knee, pitch] = displaced.leg(side, self.swing_share(time));
            air.leg.hip += hip;
            air.leg.knee += knee;
            air.pitch += pitch;
        }
        air.leg.hip = air.leg.hip.clamp(HIP_RANGE.0, HIP_RANGE.1);
        air.leg.knee = air.leg.knee.clamp(MIN_KNEE, MAX_KNEE);
        air.toe_bend = air.toe_bend.max(0.0);
        air
    }
}

/// Arms and shoulders through a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct UpperTrack {
    /// Shoulders against the pelvis, as a factor.
    pub(super) shoulders: Spline<f64>,
    pub(super) arm_out: Spline<f64>,
    /// Of each arm, forward.
    pub(super) arms: PerSide<Spline<f64>>,
    pub(super) elbows: PerSide<Spline<f64>>,
}

/// A step, ready to be played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) duration: f64,
    pub(super) pelvis: PelvisTrack,
    pub(super) legs: PerSide<LegTrack>,
    pub(super) upper: UpperTrack,
    /// Head and trunk; `take_step` and settling decide about it.
    pub(super) poise: Poise,
}

/// The ground under the feet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground<'a> {
    pub(super) terrain: Option<&'a Terrain>,
}

impl Ground<'_> {
    /// How high the ground is under a foot on its path from one plant to the next. A terrain's edges are ramps, so that a foot is
    /// lifted over them in time; without a terrain only the plants are known.
    fn under_swing_path(&self, from: &FootPlant, to: &FootPlant, point: Vec3) -> f64 {
        let offset = Vec3::new(to.ball.x - from.ball.x, 0.0, to.ball.z - from.ball.z);
        if let Some(terrain) = self.terrain {
            let along = offset.normalize_or_zero();
            let height = |ahead: f64| terrain.height(ground_point(point + along * ahead));
            let near = EDGE_SAMPLES.iter().flat_map(|&d| [height(d), height(-d)].map(|h| h - EDGE_SLOPE * d));
            return near.fold(height(0.0), f64::max);
        }
        let rise = to.ball.y - from.ball.y;
        if rise == 0.0 {
            return from.ball.y;
        }
        let share = ((point - from.ball).dot(offset) / offset.length_squared().max(1e-6)).clamp(0.0, 1.0);
        let edge = EDGE_SHARE * rise.abs() * (4.0 * share * (1.0 - share));
        (from.ball.y + share * rise + edge).min(from.ball.y.max(to.ball.y))
    }

    /// The same at a part of the swing: as a foot leaves and as it lands, the ground is that under its plant.
    pub(super) fn under_swing(&self, from: &FootPlant, to: &FootPlant, point: Vec3, share: f64) -> f64 {
        let (leaving, landing) = (smoothstep(share / NEAR_PLANT), smoothstep((1.0 - share) / NEAR_PLANT));
        let weight = leaving.min(landing);
        let is_level = || from.ball.y == to.ball.y && from.slope == to.slope && from.slope == Quat::IDENTITY;
        if weight >= 1.0 || (self.terrain.is_none() && is_level()) {
            return self.under_swing_path(from, to, point);
        }
        let plant = if share < 0.5 { from } else { to }.plane(point);
        let near = plant + weight * (self.under_swing_path(from, to, point) - plant);
        self.terrain.map_or(near, |terrain| near.max(terrain.height(ground_point(point))))
    }
}

impl Step {
    /// The posture at a time within the step, and what is planted.
    pub(super) fn posture(
        &self,
        proportions: &BodyProportions,
        ground: &Ground<'_>,
        time: f64,
    ) -> (Posture, PerSide<FootContact>) {
        let (turns, mut pelvis) = self.pelvis.turns_and_place(time);
        let facing = Quat::from_rotation_y(turns.heading);
        let standing = PerSide::from_fn(|side| self.legs[side].standing_at(&proportions.soles[side], time));
        hold(proportions, &mut pelvis, &standing);
        let legs = PerSide::from_fn(|side| match &standing[side] {
            Some(foot) => foot.leg(proportions, side, &pelvis, facing),
            None => (self.swinging_leg(proportions, ground, side, &pelvis, facing, time), FootContact::default()),
        });
        let posture =
            Posture { pelvis, legs: legs.map(|(leg, _)| leg), ..self.upper_body(time, &turns, pelvis.translation) };
        (posture, legs.map(|(_, down)| down))
    }

    fn swinging_leg(
        &self,
        proportions: &BodyProportions,
        ground: &Ground<'_>,
        side: Side,
        pelvis: &Transform,
        facing: Quat,
        time: f64,
    ) -> LegPosture {
        let track = &self.legs[side];
        let lengths = LegLengths::new(proportions, side);
        let hip = pelvis.transform_point(proportions.hips[side]);
        let air = track.air_at(time, side, &self.pelvis.residual);
        let turned = Quat::from_rotation_y(air.heading);
        let foot = track.foot_over_slope(turned, air.pitch, time);
        let mut ankle = hip + facing * lengths.ankle(air.leg);
        ankle.y += track.sunk(&proportions.soles[side], ground, ankle, foot, air.toe_bend, time).max(0.0);
        leg_posture(lengths, hip, ankle, knee_direction(facing, turned * Vec3::Z), foot, air.toe_bend)
    }

    fn upper_body(&self, time: f64, turns: &Turns, pelvis: Vec3) -> Posture {
        let displaced = self.pelvis.residual.at(time);
        let twist = displaced.as_ref().map_or(0.0, |displaced| displaced.mirrored(Channel::Twist));
        let turn = turns.heading - self.upper.shoulders.at(time) * turns.twist + twist;
        let side = turns.side + self.poise.sway.at(time);
        let chest = Quat::from_rotation_y(turn) * Quat::from_rotation_z(-side) * Quat::from_rotation_x(turns.lean);
        let arm_out = self.upper.arm_out.at(time);
        let arms = PerSide::from_fn(|side| {
            let sign = left_sign(side);
            let [forward, elbow, outward] = displaced.as_ref().map_or([0.0; 3], |displaced| displaced.arm(side));
            let out = Quat::from_rotation_z(sign * (arm_out + outward));
            let swing = self.upper.arms[side].at(time) + forward;
            ArmPosture {
                clavicle: Quat::from_rotation_y(-sign * CLAVICLE_SHARE * swing),
                upper_arm: out * Quat::from_rotation_x(-swing),
                elbow: (self.upper.elbows[side].at(time) + elbow).max(0.0),
            }
        });
        Posture { chest, head: self.poise.head(time, turns.heading, pelvis), arms, ..Posture::default() }
    }
}

/// A planted foot, at one time.
struct StandingFoot<'a> {
    plant: &'a FootPlant,
    pitch: f64,
    foot: Quat,
    ankle: Vec3,
}

impl StandingFoot<'_> {
    fn leg(
        &self,
        proportions: &BodyProportions,
        side: Side,
        pelvis: &Transform,
        facing: Quat,
    ) -> (LegPosture, FootContact) {
        let hip = pelvis.transform_point(proportions.hips[side]);
        let forward = knee_direction(facing, self.plant.forward);
        let toe_bend = self.plant.toe_bend(self.pitch);
        let leg = leg_posture(LegLengths::new(proportions, side), hip, self.ankle, forward, self.foot, toe_bend);
        (leg, FootContact { heel: self.pitch >= 0.0 && self.plant.heel_supported, ball: self.pitch <= 0.0 })
    }
}

/// A knee bends halfway between where the body faces and where its foot points.
fn knee_direction(facing: Quat, foot: Vec3) -> Vec3 {
    let body = facing * Vec3::Z;
    (body + foot).normalize_or(body)
}

/// Keeps the pelvis where the standing legs reach: near enough along the ground, neither too low nor too high.
fn hold(proportions: &BodyProportions, pelvis: &mut Transform, standing: &PerSide<Option<StandingFoot<'_>>>) {
    let standing = || standing.iter().filter_map(|(side, foot)| Some((side, foot.as_ref()?)));
    let hips = proportions.hips.map(|hip| pelvis.rotation * hip);
    for (side, foot) in standing() {
        let away = ground_point(pelvis.translation + hips[side] - foot.ankle);
        let (level, most) = (away.length(), FURTHEST * proportions.leg_length(side));
        if level > most {
            pelvis.translation -= Vec3::new(away.x, 0.0, away.y) * (1.0 - most / level);
        }
    }
    // A thigh must hang down without its knee in the ground.
    let room = LOWEST_HIP * proportions.thigh.left.max(proportions.thigh.right) - hips.left.y.min(hips.right.y);
    for (side, foot) in standing() {
        let reach = LegLengths::new(proportions, side).reach(DEEPEST_KNEE);
        let lowest = pelvis_over(foot.ankle, pelvis.translation, hips[side], reach);
        pelvis.translation.y = pelvis.translation.y.max(lowest).max(foot.plant.ball.y + room);
    }
    for (side, foot) in standing() {
        let reach = LegLengths::new(proportions, side).reach(MIN_KNEE);
        let highest = pelvis_over(foot.ankle, pelvis.translation, hips[side], reach);
        pelvis.translation.y = pelvis.translation.y.min(highest);
    }
}

impl LegTrack {
    /// The foot at a time, if it is planted then.
    fn standing_at(&self, sole: &Sole, time: f64) -> Option<StandingFoot<'_>> {
        self.is_planted(time).then(|| {
            let pitch = self.pitch.at(time);
            let (foot, ankle) = self.plant.foot_and_ankle(sole, pitch);
            StandingFoot { plant: &self.plant, pitch, foot, ankle }
        })
    }

    /// The slope under a swinging foot turns from that of the last plant to that of the next.
    fn slope(&self, time: f64) -> Quat {
        if self.plant.slope == self.lands.slope {
            return self.plant.slope;
        }
        self.plant.slope.slerp(self.lands.slope, smoothstep(self.swing_share(time)))
    }

    /// How much of the swing is over.
    pub(super) fn swing_share(&self, time: f64) -> f64 {
        let (start, end) = self.swing;
        ((time - start) / (end - start).max(1e-6)).clamp(0.0, 1.0)
    }

    /// How far a swinging foot's lowest point is below the ground; negative above it.
    pub(super) fn sunk(
        &self,
        sole: &Sole,
        ground: &Ground<'_>,
        ankle: Vec3,
        foot: Quat,
        toe_bend: f64,
        time: f64,
    ) -> f64 {
        let share = self.swing_share(time);
        let below = |point: Vec3| match ground.terrain {
            Some(terrain) if self.beneath == Beneath::Terrain => {
                terrain.height(surefoot_geom::ground_point(point)) - point.y
            }
            None if self.beneath == Beneath::Gap => {
                ground_under_jump(self.plant.ball, self.lands.ball, point) - point.y
            }
            _ => ground.under_swing(&self.plant, &self.lands, point, share) - point.y,
        };
        sole_points(sole, toe_bend)
            .into_iter()
            .map(|point| below(ankle + foot * point))
            .fold(f64::NEG_INFINITY, f64::max)
    }

    pub(super) fn foot_in_air(&self, air: &Air, time: f64) -> Quat {
        self.foot_over_slope(Quat::from_rotation_y(air.heading), air.pitch, time)
    }

    /// The attitude of a foot in the air that is turned and pitched so.
    fn foot_over_slope(&self, turned: Quat, pitch: f64, time: f64) -> Quat {
        self.slope(time) * turned * Quat::from_rotation_x(-pitch)
    }
}

/// Heel, ball and toe tip in the foot's frame.
pub(super) fn sole_points(sole: &Sole, toe_bend: f64) -> [Vec3; 3] {
    if toe_bend == 0.0 {
        return [sole.heel, sole.ball, sole.toe_tip];
    }
    let toes = Quat::from_rotation_x(-toe_bend) * (sole.toe_tip - sole.ball);
    [sole.heel, sole.ball, sole.ball + toes]
}

/// The height of the pelvis at which a leg's knee is flexed as asked, with the ankle in its place; the hip is level with the
/// ankle where that is out of reach. Inlined as [`LegLengths::reach`] is.
#[inline]
pub(super) fn highest_pelvis(
    proportions: &BodyProportions,
    side: Side,
    pelvis: &Transform,
    ankle: Vec3,
    knee: f64,
) -> f64 {
    let reach = LegLengths::new(proportions, side).reach(knee);
    pelvis_over(ankle, pelvis.translation, pelvis.rotation * proportions.hips[side], reach)
}

/// The same of a leg that reaches so far, with the hip's offset from the pelvis.
fn pelvis_over(ankle: Vec3, pelvis: Vec3, hip: Vec3, reach: f64) -> f64 {
    let away = ground_point(pelvis + hip - ankle);
    ankle.y + (reach * reach - away.length_squared()).max(0.0).sqrt() - hip.y
}

/// A velocity at an end of a path that takes some time, no faster along the ground than a curve can take up without overshooting.
/// Faster ones come only where a step is asked to be much slower than the one before.
pub(super) fn without_overshoot(velocity: Vec3, offset: Vec3, time: f64) -> Vec3 {
    let (speed, most) = (ground_point(velocity).length(), (3.0 * ground_point(offset).length() + SLACK) / time);
    let share = if speed > most { most / speed } else { 1.0 };
    Vec3::new(share * velocity.x, velocity.y, share * velocity.z)
}

/// 1 for the left side, -1 for the right.
pub(super) fn left_sign(side: Side) -> f64 {
    match side {
        Side::Left => 1.0,
        Side::Right => -1.0,
    }
}

/// The direction halfway between two, along the shorter arc.
pub(super) fn between_headings(a: f64, b: f64) -> f64 {
    a + 0.5 * turn_between(a, b)
}

/// A knot at rest.
pub(super) fn at_rest(time: f64, value: f64) -> Knot<f64> {
    Knot { time, value, rate: 0.0 }
}
