//! Steps of a take, made or recorded, as curves over their phase: what a gait is fitted by.
//!
//! Every angle is taken from places of joints and the direction of travel, never from what a skeleton calls a joint's rotation, so that
//! steps of different skeletons can be compared. The channels are those of the residuals (`norms`).
//!
//! 1. [`stances`]: when each foot is planted. Contacts of recordings are found by the speed of heels and balls, so that they begin late
//!    and end early; they grow to where the foot is as low as it is in stance, and to where its ball leaves its place.
//! 2. [`measure_steps`]: from a landing to the landing of the other foot. It is a walking step if the foot behind leaves after the
//!    landing, and a running step if the standing foot leaves before the other lands.
//! 3. The phase of [`super::norms`] belongs to the moment at which a foot leaves. A step on the right foot is mirrored.
//! 4. [`steady_steps`]: steps in starts, stops, turns and changes of pace are left out.
//!
//! `tools/derive_gait_norms.py` measures the same for the curves that come with Surefoot.

use super::Gait;
use super::norms::{Channel as C, EVENT_PHASES, N_CHANNELS};
use super::step::left_sign;
use surefoot_contact::{FootPart, Take};
use surefoot_geom::{Vec3, heading_direction, median, turn_between};
use surefoot_motion::{BodyMap, PerSide, Side, WorldPose};

/// Intervals of a measured step.
pub(super) const N_MEASURED: usize = 36;

/// Angles in radians and heights in legs, over the phase of a step; by [`Channel`](C).
pub(super) type StepCurves = [[f64; N_MEASURED + 1]; N_CHANNELS];

/// Whether contacts are exact, or were found in a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactTiming {
    /// As they were made, or set by hand.
    Exact,
    /// Found by the speed of heels and balls.
    Detected,
}

/// A stance shorter than this, or a gap in one, is an error of detection, in seconds.
const SHORTEST: f64 = 0.06;
/// How much earlier than found a foot lands at most, in seconds, and how high its ankle is then above where it stands, in metres.
const LANDS_EARLIER: (f64, f64) = (0.03, 0.02);
/// How much later it leaves at most, in seconds, and how far its ball is then above and beside its place, in metres.
const LEAVES_LATER: (f64, f64, f64) = (0.12, 0.025, 0.03);
/// Shortest and longest step, in seconds.
const STEP_TIMES: (f64, f64) = (0.12, 1.2);
/// Steady steps are so near to the median speed, as a share, and turn by less from their neighbours, in radians (12 degrees).
const STEADY: (f64, f64) = (0.12, 0.21);
/// Of a step, when the foot behind may leave in a walk, and when the standing foot may leave in a run.
const EVENTS: [(f64, f64); 2] = [(0.05, 0.5), (0.35, 0.95)];
/// Pitches of a foot beyond this go on past the vertical, in radians (120 degrees).
const OVERHEAD: f64 = 2.1;

/// One step, with the left foot standing.
#[derive(Clone, Debug)]
pub(super) struct MeasuredStep {
    pub(super) gait: Gait,
    /// Along the ground, in metres a second.
    pub(super) speed: f64,
    /// From foot to foot along the way, in metres.
    pub(super) length: f64,
    /// Across it, from foot to foot, in metres.
    pub(super) width: f64,
    pub(super) duration: f64,
    /// When the foot behind leaves, or the standing foot takes off, as a share of the step.
    pub(super) event: f64,
    /// How far ahead of the hips the ankle is as it lands, in metres.
    pub(super) overstride: f64,
    /// How far the standing foot points outward, in radians.
    pub(super) foot_angle: f64,
    pub(super) curves: StepCurves,
    /// How upright the line from the standing ankle to its hip is, as a cosine, over the phase.
    pub(super) upright: [f64; N_MEASURED + 1],
    /// Lengths of thigh and shin, in metres.
    pub(super) leg: (f64, f64),
    heading: f64,
    frames: (usize, usize),
}

/// Places that are measured, of one frame.
struct Places {
    hips: Vec3,
    neck: Vec3,
    legs: PerSide<[Vec3; 4]>,
    arms: PerSide<Option<[Vec3; 3]>>,
}

impl Places {
    fn of(body: &BodyMap, pose: &WorldPose) -> Places {
        let legs = PerSide::from_fn(|side| {
            let leg = &body.legs[side];
            let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| pose.position(joint));
            [hip, knee, ankle, body.ball(pose, side)]
        });
        let arms = body.arms.as_ref().map(|arm| {
            let arm = arm.as_ref()?;
            let wrist = arm.wrist?;
            Some([arm.shoulder, arm.elbow, wrist].map(|joint| pose.position(joint)))
        });
        let hips = 0.5 * (legs.left[0] + legs.right[0]);
        let neck = match (&arms.left, &arms.right) {
            (Some(left), Some(right)) => 0.5 * (left[0] + right[0]),
            _ => body.head.or(body.spine.last().copied()).map_or(hips + Vec3::Y, |joint| pose.position(joint)),
        };
        Places { hips, neck, legs, arms }
    }

    fn between(&self, other: &Places, share: f64) -> Places {
        let mix = |a: Vec3, b: Vec3| a.lerp(b, share);
        Places {
            hips: mix(self.hips, other.hips),
            neck: mix(self.neck, other.neck),
            legs: PerSide::from_fn(|side| std::array::from_fn(|at| mix(self.legs[side][at], other.legs[side][at]))),
            arms: PerSide::from_fn(|side| {
                let (a, b) = (self.arms[side]?, other.arms[side]?);
                Some(std::array::from_fn(|at| mix(a[at], b[at])))
            }),
        }
    }
}

/// One stance of a foot, as frames from landing to leaving.
#[derive(Clone, Copy, Debug)]
struct Stance {
    side: Side,
    start: usize,
    end: usize,
}

/// The stances of both feet in order of landing.
fn stances(take: &Take, places: &[Places], timing: ContactTiming) -> Vec<Stance> {
    let rate = take.clip.frame_rate;
    let n_frames = places.len();
    let mut found = Vec::new();
    for side in Side::BOTH {
        let mut planted = vec![false; n_frames];
        for plant in &take.contacts.plants[side] {
            if matches!(plant.part, FootPart::Heel | FootPart::Ball) {
                planted[plant.frames.start..plant.frames.end.min(n_frames)].fill(true);
            }
        }
        let mut own: Vec<Stance> = Vec::new();
        let mut at = 0;
        while at < n_frames {
            if !planted[at] {
                at += 1;
                continue;
            }
            let start = at;
            while at < n_frames && planted[at] {
                at += 1;
            }
            match own.last_mut() {
                Some(last) if ((start - last.end) as f64) < SHORTEST * rate => last.end = at,
                _ => own.push(Stance { side, start, end: at }),
            }
        }
        own.retain(|stance| (stance.end - stance.start) as f64 >= SHORTEST * rate);
        if timing == ContactTiming::Detected {
            own.iter_mut().for_each(|stance| grow(stance, places, rate));
        }
        found.extend(own);
    }
    found.sort_by_key(|stance| stance.start);
    found
}

/// A detected stance from where its foot comes down to where its ball leaves.
fn grow(stance: &mut Stance, places: &[Places], rate: f64) {
    let ankle = |frame: usize| places[frame].legs[stance.side][2];
    let ball = |frame: usize| places[frame].legs[stance.side][3];
    let (first, last) = (stance.start, stance.end);
    let early = (((last - first) / 2).max(3) + first).min(last);
    let mut heights: Vec<f64> = (first..early).map(|frame| ankle(frame).y).collect();
    let low = median(&mut heights).unwrap_or(ankle(first).y) + LANDS_EARLIER.1;
    let (mut start, mut end) = (first, last);
    while start > 0 && ((first - start) as f64) < LANDS_EARLIER.0 * rate && ankle(start - 1).y < low {
        start -= 1;
    }
    let from = first.max(last.saturating_sub((SHORTEST * rate) as usize));
    let place = (from..last).map(ball).sum::<Vec3>() / (last - from).max(1) as f64;
    let (longest, up, away) = LEAVES_LATER;
    while end < places.len() && ((end - last) as f64) < longest * rate {
        let offset = ball(end) - place;
        if offset.y >= up || offset.x.hypot(offset.z) >= away {
            break;
        }
        end += 1;
    }
    (stance.start, stance.end) = (start, end);
}

/// The steps of a take in order of time.
pub(super) fn measure_steps(take: &Take, timing: ContactTiming) -> Vec<MeasuredStep> {
    let poses = take.clip.world();
    let places: Vec<Places> = poses.iter().map(|pose| Places::of(&take.body, pose)).collect();
    let order = stances(take, &places, timing);
    let mut steps = Vec::new();
    for (index, pair) in order.windows(2).enumerate() {
        let [standing, landing] = [pair[0], pair[1]];
        let seconds = (landing.start - standing.start) as f64 / take.clip.frame_rate;
        let is_complete = standing.start > 0 && standing.end < places.len() && landing.start > standing.start;
        if standing.side == landing.side || !is_complete || !(STEP_TIMES.0..STEP_TIMES.1).contains(&seconds) {
            continue;
        }
        let behind = order[..index].iter().rev().find(|stance| stance.side == landing.side);
        let (gait, leaves) = if standing.end < landing.start {
            (Gait::Run, standing.end)
        } else {
            match behind {
                Some(behind) if behind.end > standing.start => (Gait::Walk, behind.end),
                _ => continue,
            }
        };
        steps.push(measure_step(take, &places, (standing, landing), gait, leaves));
    }
    steps
}

fn measure_step(
    take: &Take,
    places: &[Places],
    (standing, landing): (Stance, Stance),
    gait: Gait,
    leaves: usize,
) -> MeasuredStep {
    let (start, end) = (standing.start, landing.start);
    let n_frames = (end - start) as f64;
    let duration = n_frames / take.clip.frame_rate;
    let event = (leaves - start) as f64 / n_frames;
    // Where it leads: over a stride around the step, so that the sway to both sides is even.
    let reach = (end - start) / 2;
    let (low, high) = (start.saturating_sub(reach), (end + reach).min(places.len() - 1));
    let travel = places[high].hips - places[low].hips;
    let heading = travel.x.atan2(travel.z);
    let (forward, left) = (heading_direction(heading), heading_direction(heading + std::f64::consts::FRAC_PI_2));
    let phase_event = EVENT_PHASES[gait as usize];
    let at_phase = |phase: f64| {
        let share = if phase < phase_event {
            event * phase / phase_event
        } else {
            event + (1.0 - event) * (phase - phase_event) / (1.0 - phase_event)
        };
        let place = start as f64 + share * n_frames;
        let frame = (place as usize).min(places.len() - 2);
        places[frame].between(&places[frame + 1], place - frame as f64)
    };
    let leg = {
        let [hip, knee, ankle, _] = places[start].legs.left;
        (hip.distance(knee), knee.distance(ankle))
    };
    let ground = places[(start + leaves.max(start + 1).min(end)) / 2].legs[standing.side][3].y;
    let (mut curves, mut upright) = ([[0.0; N_MEASURED + 1]; N_CHANNELS], [0.0; N_MEASURED + 1]);
    for n in 0..=N_MEASURED {
        let at = at_phase(n as f64 / N_MEASURED as f64);
        let values = angles(&at, standing.side, heading, ground, leg.0 + leg.1);
        let [hip, _, ankle, _] = at.legs[standing.side];
        upright[n] = (hip.y - ankle.y) / hip.distance(ankle).max(1e-6);
        for (curve, value) in curves.iter_mut().zip(values) {
            curve[n] = value;
        }
    }
    curves.iter_mut().for_each(unwrap);
    let moved = places[end].hips - places[start].hips;
    let middle = |stance: Stance| places[(stance.start + stance.end) / 2].legs[stance.side];
    let (here, there) = (middle(standing), middle(landing));
    let between = there[2] - here[2];
    let foot = here[3] - here[2];
    MeasuredStep {
        gait,
        speed: moved.x.hypot(moved.z) / duration,
        length: moved.x.hypot(moved.z),
        width: left_sign(landing.side) * between.dot(left),
        duration,
        event,
        overstride: (places[end].legs[landing.side][2] - places[end].hips).dot(forward),
        foot_angle: left_sign(standing.side) * foot.dot(left).atan2(foot.dot(forward)),
        curves,
        upright,
        leg,
        heading,
        frames: (start, end),
    }
}

/// Angles go on past half a turn.
fn unwrap(curve: &mut [f64; N_MEASURED + 1]) {
    for n in 1..curve.len() {
        curve[n] = curve[n - 1] + turn_between(curve[n - 1], curve[n]);
    }
}

/// All channels of one moment, as if the left foot stood.
fn angles(at: &Places, stance: Side, heading: f64, ground: f64, leg_length: f64) -> [f64; N_CHANNELS] {
    let (forward, left) = (heading_direction(heading), heading_direction(heading + std::f64::consts::FRAC_PI_2));
    let sign = left_sign(stance);
    let across = |line: Vec3| {
        let turn = turn_between(heading, (-line.z).atan2(line.x));
        (sign * turn, sign * line.y.atan2(line.x.hypot(line.z)))
    };
    let mut out = [0.0; N_CHANNELS];
    let mut put = |channel: C, value: f64| out[channel as usize] = value;
    put(C::Up, (at.hips.y - ground) / leg_length);
    let (yaw, list) = across(at.legs.left[0] - at.legs.right[0]);
    put(C::Yaw, yaw);
    put(C::List, list);
    if let (Some(own), Some(other)) = (at.arms.left, at.arms.right) {
        put(C::Twist, across(own[0] - other[0]).0);
    }
    let trunk = at.neck - at.hips;
    put(C::Lean, trunk.dot(forward).atan2(trunk.y));
    put(C::Side, sign * trunk.dot(left).atan2(trunk.y));
    let roles = [
        (stance, [C::StanceHip, C::StanceKnee, C::StancePitch], [C::StanceArm, C::StanceElbow, C::StanceOut]),
        (stance.opposite(), [C::SwingHip, C::SwingKnee, C::SwingPitch], [C::SwingArm, C::SwingElbow, C::SwingOut]),
    ];
    for (side, of_leg, of_arm) in roles {
        let [hip, knee, ankle, ball] = at.legs[side];
        let (thigh, shin, foot) = (knee - hip, ankle - knee, ball - ankle);
        let pitch = foot.y.atan2(foot.dot(forward));
        put(of_leg[0], thigh.dot(forward).atan2(-thigh.y));
        put(of_leg[1], thigh.angle_between(shin));
        put(of_leg[2], if pitch > OVERHEAD { pitch - std::f64::consts::TAU } else { pitch });
        if let Some([shoulder, elbow, wrist]) = at.arms[side] {
            let (upper, fore) = (elbow - shoulder, wrist - elbow);
            put(of_arm[0], upper.dot(forward).atan2(-upper.y));
            put(of_arm[1], upper.angle_between(fore));
            put(of_arm[2], (left_sign(side) * upper.dot(left)).atan2(-upper.y));
        }
    }
    out
}

/// Steps of a gait at the speed of most, that lead where their neighbours lead.
pub(super) fn steady_steps(steps: &[MeasuredStep], gait: Gait) -> Vec<&MeasuredStep> {
    let own: Vec<&MeasuredStep> = steps.iter().filter(|step| step.gait == gait).collect();
    let Some(usual) = median(&mut own.iter().map(|step| step.speed).collect::<Vec<f64>>()) else { return own };
    let events = EVENTS[gait as usize];
    let is_steady = |step: &&&MeasuredStep| {
        let near = |other: &&&MeasuredStep| {
            other.frames.0.abs_diff(step.frames.1) < 3 || other.frames.1.abs_diff(step.frames.0) < 3
        };
        let turns = own.iter().filter(near).all(|other| turn_between(step.heading, other.heading).abs() < STEADY.1);
        (step.speed - usual).abs() < STEADY.0 * usual && turns && (events.0..events.1).contains(&step.event)
    };
    own.iter().filter(is_steady).copied().collect()
}

/// The mean of steps; `None` of none.
pub(super) fn mean_step(steps: &[&MeasuredStep]) -> Option<MeasuredStep> {
    let mut mean = (*steps.first()?).clone();
    let share = 1.0 / steps.len() as f64;
    let of = |get: fn(&MeasuredStep) -> f64| share * steps.iter().map(|step| get(step)).sum::<f64>();
    mean.speed = of(|step| step.speed);
    mean.length = of(|step| step.length);
    mean.width = of(|step| step.width);
    mean.duration = of(|step| step.duration);
    mean.event = of(|step| step.event);
    mean.overstride = of(|step| step.overstride);
    mean.foot_angle = of(|step| step.foot_angle);
    for channel in 0..N_CHANNELS {
        for n in 0..=N_MEASURED {
            mean.curves[channel][n] = share * steps.iter().map(|step| step.curves[channel][n]).sum::<f64>();
        }
    }
    Some(mean)
}
