//! The body state when a foot lands, or standing: what one step hands to the next.

use super::foot_plant::FootPlant;
use super::norms::{Blend, Residual, Times};
use super::poise::{Gaze, Look, Looker, Poise, PoiseOptions};
use super::spline::{Knot, Spline};
use super::step::{
    Air, Beneath, LegTrack, PelvisTrack, Step, UpperTrack, between_headings, highest_pelvis, pelvis_attitude,
};
use surefoot_geom::{Transform, Vec3, heading_direction, turn_between};
use surefoot_motion::BodyProportions;
use surefoot_motion::{PerSide, Side};

/// Knees of a person who stands, in radians (6 degrees).
const STANDING_KNEE: f64 = 0.105;
/// Least flexion of knees of a body that sways as it comes to rest, in radians (4.5 degrees), and when it is looked at, as shares of the time.
const SWAYING_KNEE: f64 = 0.08;
const SWAYS: [f64; 4] = [0.1, 0.22, 0.4, 0.65];
/// Hips stand before the ankles in quiet standing, as a share of the height.
const HIPS_BEFORE_ANKLES: f64 = 0.02;

/// A value and its rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Flow<T> {
    pub(super) value: T,
    pub(super) rate: T,
}

impl<T: Copy> Flow<T> {
    pub(super) fn start(self) -> Knot<T> {
        Knot { time: 0.0, value: self.value, rate: self.rate }
    }
}

impl Flow<f64> {
    pub(super) fn rest(value: f64) -> Flow<f64> {
        Flow { value, rate: 0.0 }
    }
}

/// What a foot does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FootState {
    /// It is planted, pitched so far.
    Planted { plant: FootPlant, pitch: Flow<f64> },
    /// It swings, away from a plant, since some time ago; a share of its swing is over, as the step before timed it, which
    /// may have planned it to go over edges of the ground.
    Air { left: FootPlant, air: Flow<Air>, since: f64, share: f64, over_edges: bool },
}

impl FootState {
    /// Where it is planted, or was last.
    pub(super) fn plant(&self) -> FootPlant {
        match *self {
            FootState::Planted { plant, .. } => plant,
            FootState::Air { left, .. } => left,
        }
    }
}

/// The body at the start of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BodyState {
    pub(super) position: Flow<Vec3>,
    pub(super) heading: Flow<f64>,
    pub(super) rotation: Flow<f64>,
    pub(super) list: Flow<f64>,
    pub(super) lean: Flow<f64>,
    /// To the left.
    pub(super) side: Flow<f64>,
    pub(super) feet: PerSide<FootState>,
    pub(super) shoulders: f64,
    pub(super) arm_out: f64,
    pub(super) arms: PerSide<Flow<f64>>,
    pub(super) elbows: PerSide<Flow<f64>>,
    /// What the step before took of the residuals of recorded people.
    pub(super) blend: Blend,
    /// Where the head points.
    pub(super) look: Look,
}

/// How the upper body is held in standing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bearing {
    pub(super) lean: f64,
    pub(super) shoulders: f64,
    pub(super) arm_out: f64,
    pub(super) elbow: f64,
    pub(super) gaze: Gaze,
}

/// When the foot of a last landing is flat, as a share of the stay after it: before the middle 60 % of its stance, over which its
/// ball shall be on its footprint.
const LAST_FLAT: f64 = 0.15;

impl BodyState {
    /// Standing on both feet.
    pub(super) fn standing(proportions: &BodyProportions, feet: &PerSide<FootPlant>, bearing: &Bearing) -> BodyState {
        let heading = between_headings(feet.left.heading, feet.right.heading);
        let mut pelvis = Transform::new(pelvis_attitude(heading, 0.0, bearing.lean, 0.0), Vec3::ZERO);
        pelvis.translation = standing_place(proportions, feet, heading);
        let ankle = |side: Side| feet[side].ankle(&proportions.soles[side], 0.0);
        let height = |side| highest_pelvis(proportions, side, &pelvis, ankle(side), STANDING_KNEE);
        pelvis.translation.y = height(Side::Left).min(height(Side::Right));
        BodyState {
            position: Flow { value: pelvis.translation, rate: Vec3::ZERO },
            heading: Flow::rest(heading),
            rotation: Flow::rest(0.0),
            list: Flow::rest(0.0),
            lean: Flow::rest(bearing.lean),
            side: Flow::rest(0.0),
            feet: feet.map(|plant| FootState::Planted { plant, pitch: Flow::rest(0.0) }),
            shoulders: bearing.shoulders,
            arm_out: bearing.arm_out,
            arms: PerSide::from_fn(|_| Flow::rest(0.0)),
            elbows: PerSide::from_fn(|_| Flow::rest(bearing.elbow)),
            blend: Blend::STANDING,
            look: bearing.gaze.look(&looker(proportions, heading, pelvis.translation), 0.0),
        }
    }

    /// The side on which the residual of what comes next stands: that of the foot that landed last.
    pub(super) fn landed_on(&self) -> Side {
        let pitch = |side: Side| match self.feet[side] {
            FootState::Planted { pitch, .. } => pitch.value,
            FootState::Air { .. } => f64::NEG_INFINITY,
        };
        if pitch(Side::Left) >= pitch(Side::Right) { Side::Left } else { Side::Right }
    }

    /// The body as one who looks.
    pub(super) fn looker(&self, proportions: &BodyProportions) -> Looker {
        looker(proportions, self.heading.value, self.position.value)
    }

    /// How far the body will have turned soon, for those who look there.
    pub(super) fn ahead(&self) -> f64 {
        Gaze::ahead_of(self.heading.rate)
    }

    /// A stay of some time in which nothing moves any more: from standing to standing, or from a last landing.
    pub(super) fn settle(&self, proportions: &BodyProportions, bearing: &Bearing, duration: f64) -> (Step, BodyState) {
        let plants = self.feet.map(|foot| foot.plant());
        let mut end = BodyState::standing(proportions, &plants, bearing);
        let heading = self.heading.value + turn_between(self.heading.value, end.heading.value);
        end.heading.value = heading;
        let to =
            |from: Flow<f64>, value: f64| Spline::through(&[from.start(), Knot { time: duration, value, rate: 0.0 }]);
        let legs = PerSide::from_fn(|side| {
            let pitch = match self.feet[side] {
                FootState::Planted { pitch, .. } => pitch,
                FootState::Air { .. } => Flow::rest(0.0),
            };
            LegTrack {
                plant: plants[side],
                leaves: f64::INFINITY,
                pitch: to_flat(pitch, LAST_FLAT * duration),
                air: Spline::constant(Air::default()),
                lands: plants[side],
                swing: (0.0, 1.0),
                beneath: Beneath::Ramp,
            }
        });
        let path = Spline::through(&[
            self.position.start(),
            Knot { time: duration, value: end.position.value, rate: Vec3::ZERO },
        ]);
        let mut pelvis = PelvisTrack {
            path,
            flight: None,
            leg: proportions.leg_length(Side::Left),
            heading: to(self.heading, heading),
            rotation: to(self.rotation, 0.0),
            list: to(self.list, 0.0),
            lean: to(self.lean, end.lean.value),
            side: to(self.side, 0.0),
            residual: Residual::new(self.landed_on(), self.blend, Blend::STANDING, Times { duration, event: 0.0 }),
        };
        pelvis.path = unlocked_path(proportions, &pelvis, &legs, duration);
        let upper = UpperTrack {
            shoulders: to(Flow::rest(self.shoulders), end.shoulders),
            arm_out: to(Flow::rest(self.arm_out), end.arm_out),
            arms: PerSide::from_fn(|side| to(self.arms[side], 0.0)),
            elbows: PerSide::from_fn(|side| to(self.elbows[side], bearing.elbow)),
        };
        let (poise, look) = Poise::new(&PoiseOptions {
            gaze: bearing.gaze,
            duration,
            from: self.look,
            ahead: [self.ahead(), 0.0],
            ends: [self.looker(proportions), end.looker(proportions)],
            sway: 0.0,
        });
        end.look = look;
        (Step { duration, pelvis, legs, upper, poise }, end)
    }
}

/// The path of a pelvis that comes to rest, lowered where it sways so far that a knee would lock.
fn unlocked_path(
    proportions: &BodyProportions,
    pelvis: &PelvisTrack,
    legs: &PerSide<LegTrack>,
    duration: f64,
) -> Spline<Vec3> {
    let knots = pelvis.path.knots();
    let (start, end) = (knots[0], knots[knots.len() - 1]);
    let mut points = [(start.time, start.value); 6];
    let mut is_lowered = false;
    for (point, share) in points[1..5].iter_mut().zip(SWAYS) {
        let time = share * duration;
        let at = pelvis.at(time);
        let highest = |side: Side| {
            let ankle = legs[side].plant.ankle(&proportions.soles[side], legs[side].pitch.at(time));
            highest_pelvis(proportions, side, &at, ankle, SWAYING_KNEE)
        };
        let excess = at.translation.y - highest(Side::Left).min(highest(Side::Right));
        is_lowered |= excess > 0.0;
        *point = (time, pelvis.path.at(time) - Vec3::Y * excess.max(0.0));
    }
    points[5] = (end.time, end.value);
    if is_lowered { Spline::clamped(&points, start.rate, end.rate) } else { pelvis.path }
}

fn looker(proportions: &BodyProportions, heading: f64, pelvis: Vec3) -> Looker {
    Looker { heading, pelvis, height: proportions.height }
}

/// How fast a foot that has landed comes down at first, of its mean rate.
pub(super) const LANDING_SPEED: f64 = 1.2;

/// The pitch of a foot that has just landed and will be flat after some seconds: it comes down somewhat faster at first.
pub(super) fn landing_pitch(strike: f64, flat_after: f64) -> Flow<f64> {
    Flow { value: strike, rate: -LANDING_SPEED * strike / flat_after }
}

/// The pitch of a standing foot that comes down flat, without passing through.
pub(super) fn to_flat(pitch: Flow<f64>, by: f64) -> Spline<f64> {
    if pitch.value == 0.0 {
        return Spline::constant(0.0);
    }
    // A curve that starts toward 0 at up to three times its mean rate does not overshoot; one that starts away from 0 at up to
    // twice that goes on by less than a third.
    let mean = -pitch.value / by;
    let rate = pitch.rate.clamp((-2.0 * mean).min(3.0 * mean), (-2.0 * mean).max(3.0 * mean));
    Spline::through(&[Knot { time: 0.0, value: pitch.value, rate }, Knot { time: by, value: 0.0, rate: 0.0 }])
}

/// Where the pelvis is over two feet that are planted, without its height.
pub(super) fn standing_place(proportions: &BodyProportions, feet: &PerSide<FootPlant>, heading: f64) -> Vec3 {
    let ankle = |side: Side| feet[side].ankle(&proportions.soles[side], 0.0);
    let middle = (ankle(Side::Left) + ankle(Side::Right)) / 2.0;
    let hips = (proportions.hips.left + proportions.hips.right) / 2.0;
    let forward = heading_direction(heading);
    middle + forward * (HIPS_BEFORE_ANKLES * proportions.height - hips.z)
}
