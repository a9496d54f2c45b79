//! Hands near what they touch: the own body, the other hand, the ground, and things in the world.
//!
//! Retargeting keeps directions, so hands that met on a person of one breadth pass each other, or miss, on one of another. Here a
//! finished motion is compared with its source frame by frame, and the arms of frames in which a hand touches something are solved
//! again. A palm is a point 40 % of a forearm's length beyond the wrist, or half way to the end of the longest finger.
//!
//! 1. Parts that a palm may touch: head, trunk (the ellipse of `keep_arms_out`), thighs, shins, the other forearm, the other palm.
//!    How near it is, from the part's surface, gives a weight: 1 within 4 cm, 0 beyond 12, for a person with arms of 0.53 m. On trunk
//!    and limbs a hand counts that rests for a quarter of a second: arms that swing past the hips touch nothing. On the target a palm belongs at the same place
//!    of the part, as far from its surface. Where the arm is too short for that, the place slides along the trunk or limb until it is
//!    in reach: a hand that rests on the middle of a thigh rests further up on it.
//! 2. Ground: a palm within 12 cm of the floor keeps its height over it.
//! 3. World: a palm that stands still for four tenths of a second, while its shoulder moves, or for a quarter while it is at the ground,
//!    holds on to something; an arm that just hangs down does not. It belongs where the source's is, as places of feet are: scaled with the travel, or the same.
//! 4. Weights are averaged over a fifth of a second, so that no arm jumps, and the palm moves by the weighted mean of what is missing.
//! 5. Palms that meet go halfway each.
//! 6. The arm is solved in closed form: the elbow bends, the shoulder turns, the hand keeps its attitude. An arm that is too short is
//!    straight, and how far it is from its place is reported.
//!
//! Limits: no skeleton says how thick its parts are; those of people of its size are taken. Things in the world are known by hands that
//! stand still alone.

use super::keep_arms_out::Trunk;
use super::palms::{Palms, Reach, move_palm};
use surefoot_contact::Take;
use surefoot_geom::{Vec3, smoothstep};
use surefoot_motion::{BodyMap, JointId, PerSide, Side, Skeleton, WorldPose, count_frames};

/// What a hand touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touched {
    /// Its own head.
    Head,
    /// Its own trunk.
    Trunk,
    /// A thigh, shin or the other forearm of its own.
    Limb,
    /// The other hand.
    Hand,
    /// The ground.
    Ground,
    /// Something in the world.
    World,
}

impl Touched {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Touched::Head => "head",
            Touched::Trunk => "trunk",
            Touched::Limb => "leg or arm",
            Touched::Hand => "other hand",
            Touched::Ground => "ground",
            Touched::World => "something in the world",
        }
    }
}

/// A time in which a hand touches something.
#[derive(Clone, Debug, PartialEq)]
pub struct Touch {
    /// Which hand.
    pub side: Side,
    /// What.
    pub what: Touched,
    /// First frame and first after it.
    pub frames: std::ops::Range<usize>,
    /// Farthest that the palm was from its place before, and is now, in metres.
    pub before: f64,
    /// As `before`.
    pub after: f64,
    /// How far the place slid along trunk or limb at most, because the arm is too short for it, in metres.
    pub slid: f64,
    /// How far the place is beyond what the straight arm reaches at most, in metres.
    pub beyond: f64,
}

/// A motion whose hands were kept.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptHands {
    /// The motion.
    pub take: Take,
    /// What was touched, by time.
    pub touches: Vec<Touch>,
}

/// Full weight from here on, and none beyond, in metres of a person whose arms are as long as [`USUAL_ARM`].
const NEAR: f64 = 0.04;
const FAR: f64 = 0.12;
/// Half thicknesses of a person's parts, in metres: head, thigh, shin, forearm, palm.
const HEAD: f64 = 0.10;
const THIGH: f64 = 0.075;
const SHIN: f64 = 0.05;
const FOREARM: f64 = 0.035;
const PALM: f64 = 0.02;
/// The middle of a head lies this far above its joint, in metres of a person.
const HEAD_UP: f64 = 0.09;
/// A palm that moves against a part more slowly rests on it; from the second speed on it does not. Metres per second.
const RESTS: f64 = 0.25;
const PASSES: f64 = 0.6;
/// Weights are averaged over this time, in seconds.
const FADE: f64 = 0.2;
/// A palm rests, on a part of the body or on the ground, for at least this long, in seconds.
const REST: f64 = 0.25;
/// A palm stands still below this speed, in m/s. To hold on to something it does for this long, in seconds, while its shoulder moves by
/// this much, in metres. The hands of walkers stand still for up to a third of a second as they swing back.
const STILL: f64 = 0.12;
const HOLD: f64 = 0.4;
const SHOULDER_MOVES: f64 = 0.06;
/// An arm hangs down, and holds nothing, if the cosine of its angle to the vertical is above this: 25 degrees.
const HANGS: f64 = 0.906;
/// Weights above this are a touch that is reported.
const REPORTED: f64 = 0.9;

/// A part of a body as something to touch.
#[derive(Clone, Copy)]
enum Part {
    Head,
    Trunk,
    /// From a joint to another, with half a thickness.
    Limb(JointId, JointId, f64),
}

/// A place on a part.
struct OnPart {
    /// Which way out of it, a unit vector in the world.
    out: Vec3,
    /// How far outside of the surface.
    depth: f64,
    /// How far past the ends of the part.
    beyond: f64,
    /// Along the part.
    share: f64,
}

/// The parts that a hand of one side may touch, in a body; the same list for every body that has them.
fn parts(body: &BodyMap, side: Side) -> Vec<(Touched, Option<Part>)> {
    let mut parts = vec![(Touched::Head, body.head.map(|_| Part::Head)), (Touched::Trunk, Some(Part::Trunk))];
    for other in Side::BOTH {
        let leg = &body.legs[other];
        parts.push((Touched::Limb, Some(Part::Limb(leg.hip, leg.knee, THIGH))));
        parts.push((Touched::Limb, Some(Part::Limb(leg.knee, leg.ankle, SHIN))));
    }
    let forearm = body.arms[side.opposite()].and_then(|arm| Some(Part::Limb(arm.elbow, arm.wrist?, FOREARM)));
    parts.push((Touched::Limb, forearm));
    parts
}

impl Part {
    /// Where a palm is on the part; `None` for one in its very middle. Nothing else ends here: what fades out must stay to be found.
    fn find(self, pose: &WorldPose, skeleton: &Skeleton, body: &BodyMap, size: f64, palm: Vec3) -> Option<OnPart> {
        let (from, surface, beyond, share) = match self {
            Part::Head => (palm - head_centre(pose, skeleton, body, size)?, HEAD * size, 0.0, 0.0),
            Part::Trunk => {
                let trunk = Trunk::new(pose, body)?;
                let place = trunk.place(palm);
                let level = place.x * trunk.left + place.z * trunk.ahead;
                let beyond = trunk.height * (place.share - 1.0).max(TRUNK_BEGINS - place.share).max(0.0);
                (level, level.length() / place.rho().max(1e-6), beyond, place.share)
            }
            Part::Limb(from, to, thickness) => {
                let (from, to) = (pose.position(from), pose.position(to));
                let along = to - from;
                let share = ((palm - from).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
                (palm - from - share * along, thickness * size, 0.0, share)
            }
        };
        Some(OnPart { out: from.try_normalize()?, depth: from.length() - surface, beyond, share })
    }

    /// The same place of the part on another body, and how far it slid along the part to be in reach.
    fn place(
        self,
        on: &OnPart,
        depth: f64,
        pose: &WorldPose,
        skeleton: &Skeleton,
        body: &BodyMap,
        (size, reach): (f64, Reach),
    ) -> Option<(Vec3, f64)> {
        match self {
            Part::Head => Some((head_centre(pose, skeleton, body, size)? + on.out * (HEAD * size + depth), 0.0)),
            Part::Trunk => {
                let trunk = Trunk::new(pose, body)?;
                let level = on.out.reject_from_normalized(trunk.up).try_normalize()?;
                let at = |share: f64| {
                    let inside = trunk.hips + trunk.up * (share * trunk.height);
                    inside + level * (1.0 / trunk.place(inside + level).rho().max(1e-6) + depth)
                };
                let slid = reach.slide(at(on.share), trunk.up) / trunk.height.max(1e-6);
                let share = (on.share + slid).clamp(on.share.min(TRUNK_BEGINS), on.share.max(1.0));
                Some((at(share), (share - on.share).abs() * trunk.height))
            }
            Part::Limb(from, to, thickness) => {
                let (from, to) = (pose.position(from), pose.position(to));
                let (along, length) = (to - from, from.distance(to).max(1e-6));
                let place = from + on.share * along + on.out * (thickness * size + depth);
                let slid = reach.slide(place, along / length) / length;
                let share = (on.share + slid).clamp(0.0, 1.0);
                Some((place + (share - on.share) * along, (share - on.share).abs() * length))
            }
        }
    }
}

/// A trunk begins this share of its height below the hips.
const TRUNK_BEGINS: f64 = -0.1;

fn head_centre(pose: &WorldPose, skeleton: &Skeleton, body: &BodyMap, size: f64) -> Option<Vec3> {
    let head = body.head?;
    let below = skeleton.parent(head).map_or(pose.position(body.pelvis), |neck| pose.position(neck));
    let up = (pose.position(head) - below).try_normalize().unwrap_or(Vec3::Y);
    Some(pose.position(head) + HEAD_UP * size * up)
}

/// A place that a palm belongs to in a frame.
#[derive(Clone, Copy)]
struct Goal {
    what: Touched,
    weight: f64,
    place: Vec3,
    /// How far the place slid along the part to be in reach, in metres.
    slid: f64,
    /// How far it is out of reach, in metres.
    beyond: f64,
}

/// Keeps the hands of a retargeted and cleaned take at what the source's touch. `world_place` gives the place in the target's world of
/// one in the source's; `floor` is where both stand.
pub fn keep_hands(source: &Take, target: &Take, floor: f64, world_place: &dyn Fn(Vec3) -> Vec3) -> KeptHands {
    let mut take = target.clone();
    let from = Palms::new(&source.clip.skeleton, &source.body);
    let to = Palms::new(&target.clip.skeleton, &target.body);
    let n = source.clip.n_frames().min(target.clip.n_frames());
    let poses: Vec<WorldPose> = source.clip.world().iter().take(n).cloned().collect();
    let rate = source.clip.frame_rate;
    let weights = Side::BOTH.map(|side| source_weights(&poses, source, &from, side, floor));
    let [left, right] = weights;
    let weights = PerSide::new(left, right).map(|list| list.map(|list| smooth_all(&list, rate)));
    let meet = smooth(&meeting(&poses, &from), rate);
    let mut found: PerSide<Vec<FrameTouches>> = PerSide::from_fn(|_| vec![Vec::new(); n]);
    let skeleton = take.clip.skeleton.clone();
    let body = take.body.clone();
    let mut world = WorldPose::default();
    for frame in 0..n {
        let mut pose = take.clip.pose_mut(frame);
        world.fill(&skeleton, pose.view());
        let mut goals = PerSide::from_fn(|_| Vec::new());
        for side in Side::BOTH {
            let (Some(weights), Some(_)) = (&weights[side], to.offset[side]) else { continue };
            let at = SourceFrame { pose: &poses[frame], take: source, palms: &from, side };
            goals[side] = at.goals(weights, frame, (&world, &skeleton, &body, &to), floor, world_place);
            let before = to.place(&world, side).unwrap_or_default();
            move_palm(&skeleton, &mut pose, &mut world, &to, side, before + missing(&goals[side], before));
        }
        // Hands that meet share the way.
        if let (true, Some([a, b]), Some([left, right])) =
            (meet[frame] > 0.0, both(&from, &poses[frame]), both(&to, &world))
        {
            let apart = (a - b) * (to.size / from.size);
            let middle = 0.5 * (left + right);
            for (side, sign, palm) in [(Side::Left, 0.5, left), (Side::Right, -0.5, right)] {
                let goal = Goal {
                    what: Touched::Hand,
                    weight: meet[frame],
                    place: middle + sign * apart,
                    slid: 0.0,
                    beyond: 0.0,
                };
                goals[side].push(goal);
                move_palm(&skeleton, &mut pose, &mut world, &to, side, palm + goal.weight * (goal.place - palm));
            }
        }
        let untouched = target.clip.world_pose(frame);
        for side in Side::BOTH {
            let (Some(before), Some(after)) = (to.place(&untouched, side), to.place(&world, side)) else { continue };
            let told = goals[side].iter().filter(|goal| goal.weight > REPORTED);
            let distance = |goal: &Goal, palm: Vec3| match goal.what {
                Touched::Ground => (palm.y - goal.place.y).abs(),
                _ => palm.distance(goal.place),
            };
            let reach = to.reach(&world, side);
            let short = |goal: &Goal| reach.map_or(0.0, |reach| reach.beyond(goal.place));
            found[side][frame] = told
                .map(|goal| (Goal { beyond: short(goal), ..*goal }, distance(goal, before), distance(goal, after)))
                .collect();
        }
    }
    let touches = list_touches(&found);
    KeptHands { take, touches }
}

fn both(palms: &Palms, pose: &WorldPose) -> Option<[Vec3; 2]> {
    Some([palms.place(pose, Side::Left)?, palms.place(pose, Side::Right)?])
}

/// By part, ground and world, the weight in each frame.
type Weights = Vec<Vec<f64>>;

fn smooth_all(weights: &[Vec<f64>], rate: f64) -> Weights {
    weights.iter().map(|weights| smooth(weights, rate)).collect()
}

/// Averaged twice, which leaves no corner.
fn smooth(weights: &[f64], rate: f64) -> Vec<f64> {
    let reach = count_frames((FADE * rate / 4.0).round());
    let once = |weights: &[f64]| -> Vec<f64> {
        let n = weights.len();
        let window = |frame: usize| &weights[frame.saturating_sub(reach)..(frame + reach + 1).min(n)];
        (0..n).map(|frame| window(frame).iter().sum::<f64>() / window(frame).len() as f64).collect()
    };
    once(&once(weights))
}

fn near(depth: f64, size: f64) -> f64 {
    smoothstep((FAR - depth / size) / (FAR - NEAR))
}

/// `None` for a hand that is none.
fn source_weights(poses: &[WorldPose], take: &Take, palms: &Palms, side: Side, floor: f64) -> Option<Weights> {
    palms.offset[side]?;
    let n = poses.len();
    let (skeleton, body, rate, size) = (&*take.clip.skeleton, &take.body, take.clip.frame_rate, palms.size);
    let step = count_frames((rate / 30.0).round()).max(1);
    let palm: Vec<Vec3> = poses.iter().map(|pose| palms.place(pose, side).unwrap_or_default()).collect();
    let speed = |places: &dyn Fn(usize) -> Vec3, frame: usize| {
        let (a, b) = (frame.saturating_sub(step), (frame + step).min(n - 1));
        places(b).distance(places(a)) * rate / (b - a).max(1) as f64
    };
    let mut weights: Weights = Vec::new();
    for (what, part) in parts(body, side) {
        let rests = matches!(what, Touched::Trunk | Touched::Limb);
        let mut of_part = vec![0.0; n];
        for frame in 0..n {
            let on = part.and_then(|part| part.find(&poses[frame], skeleton, body, size, palm[frame]));
            let Some(on) = on else { continue };
            let mut weight = near(on.depth + on.beyond - PALM * size, size);
            if weight > 0.0 && rests {
                // Against the point of the part that is nearest.
                let carried = |other: usize| match part {
                    Some(Part::Limb(from, to, _)) => {
                        palm[other] - poses[other].position(from).lerp(poses[other].position(to), on.share)
                    }
                    _ => palm[other] - poses[other].position(body.pelvis),
                };
                weight *= smoothstep((PASSES - speed(&carried, frame) / size) / (PASSES - RESTS));
            }
            of_part[frame] = weight;
        }
        if rests {
            drop_passing(&mut of_part, REST * rate);
        }
        weights.push(of_part);
    }
    let height = |frame: usize| palm[frame].y - floor;
    weights.push((0..n).map(|frame| near(height(frame) - PALM * size, size)).collect());
    weights.push(holds(
        &palm,
        poses,
        body.arms[side]?.shoulder,
        (rate, size),
        &|frame| height(frame) < FAR * size,
        &speed,
    ));
    Some(weights)
}

/// Leaves out runs of frames that are shorter than a rest: hands that swing past a thigh are slow where they turn.
fn drop_passing(weights: &mut [f64], least: f64) {
    let mut start = 0;
    while start < weights.len() {
        let is_near = |weight: &&f64| **weight > 0.0;
        let length = weights[start..].iter().take_while(is_near).count();
        let rests = weights[start..start + length].iter().filter(|weight| **weight > 0.5).count();
        if (rests as f64) < least {
            weights[start..start + length].fill(0.0);
        }
        start += length.max(1);
    }
}

/// Speed of a point in a frame.
type Speed<'a> = dyn Fn(&dyn Fn(usize) -> Vec3, usize) -> f64 + 'a;

/// 1 in frames in which a palm holds on to something in the world.
fn holds(
    palm: &[Vec3],
    poses: &[WorldPose],
    shoulder: JointId,
    (rate, size): (f64, f64),
    at_ground: &dyn Fn(usize) -> bool,
    speed: &Speed<'_>,
) -> Vec<f64> {
    let n = palm.len();
    let is_still = |frame: usize| speed(&|other| palm[other], frame) < STILL * size;
    let mut weights = vec![0.0; n];
    let mut frame = 0;
    while frame < n {
        let end = (frame..n).find(|&other| !is_still(other)).unwrap_or(n);
        let long = |least: f64| (end - frame) as f64 >= least * rate;
        if long(REST) && (frame..end).all(at_ground) {
            weights[frame..end].fill(1.0);
        } else if long(HOLD) {
            let from = poses[frame].position(shoulder);
            let moved = (frame..end).map(|other| poses[other].position(shoulder).distance(from)).fold(0.0, f64::max);
            let wandered = (frame..end).map(|other| palm[other].distance(palm[frame])).fold(0.0, f64::max);
            let hangs =
                |other: usize| (poses[other].position(shoulder) - palm[other]).normalize_or_zero().dot(Vec3::Y) > HANGS;
            let hanging = (frame..end).filter(|&other| hangs(other)).count();
            if moved > SHOULDER_MOVES * size && moved > 3.0 * wandered && 2 * hanging < end - frame {
                weights[frame..end].fill(1.0);
            }
        }
        frame = end.max(frame + 1);
    }
    weights
}

fn meeting(poses: &[WorldPose], palms: &Palms) -> Vec<f64> {
    let of = |pose: &WorldPose| {
        both(palms, pose).map_or(0.0, |[a, b]| near(a.distance(b) - 2.0 * PALM * palms.size, palms.size))
    };
    poses.iter().map(of).collect()
}

/// What a hand of the source touches in a frame.
struct SourceFrame<'a> {
    pose: &'a WorldPose,
    take: &'a Take,
    palms: &'a Palms,
    side: Side,
}

impl SourceFrame<'_> {
    fn goals(
        &self,
        weights: &Weights,
        frame: usize,
        (world, skeleton, body, to): (&WorldPose, &Skeleton, &BodyMap, &Palms),
        floor: f64,
        world_place: &dyn Fn(Vec3) -> Vec3,
    ) -> Vec<Goal> {
        let Some(palm) = self.palms.place(self.pose, self.side) else { return Vec::new() };
        let (Some(own), Some(reach)) = (to.place(world, self.side), to.reach(world, self.side)) else {
            return Vec::new();
        };
        let (mine, theirs) = (parts(body, self.side), parts(&self.take.body, self.side));
        let mut goals = Vec::new();
        for ((what, part), ((_, from), weights)) in mine.into_iter().zip(theirs.into_iter().zip(weights)) {
            let (Some(part), Some(from), true) = (part, from, weights[frame] > 0.0) else { continue };
            let on = from.find(self.pose, &self.take.clip.skeleton, &self.take.body, self.palms.size, palm);
            let Some(on) = on else { continue };
            let depth = on.depth * to.size / self.palms.size;
            if let Some((place, slid)) = part.place(&on, depth, world, skeleton, body, (to.size, reach)) {
                goals.push(Goal { what, weight: weights[frame], place, slid, beyond: 0.0 });
            }
        }
        let [ground, held] = [weights.len() - 2, weights.len() - 1].map(|index| weights[index][frame]);
        if held > 0.0 {
            goals.push(Goal { what: Touched::World, weight: held, place: world_place(palm), slid: 0.0, beyond: 0.0 });
        }
        if ground > 0.0 {
            let height = floor + (palm.y - floor) * to.size / self.palms.size;
            goals.push(Goal {
                what: Touched::Ground,
                weight: ground,
                place: own.with_y(height),
                slid: 0.0,
                beyond: 0.0,
            });
        }
        goals
    }
}

/// How far a palm is to move: the weighted mean of what is missing, no more than the strongest asks for.
fn missing(goals: &[Goal], palm: Vec3) -> Vec3 {
    // Height over the ground is asked of the height alone.
    let (mut sum, mut total) = (Vec3::ZERO, Vec3::ZERO);
    for goal in goals {
        let axes = if goal.what == Touched::Ground { Vec3::Y } else { Vec3::ONE };
        sum += axes * goal.weight * (goal.place - palm);
        total += axes * goal.weight;
    }
    sum / total.max(Vec3::ONE)
}

/// What a hand touches in a frame, and how far it was off before and after.
type FrameTouches = Vec<(Goal, f64, f64)>;

/// Runs of frames of each hand and thing.
fn list_touches(found: &PerSide<Vec<FrameTouches>>) -> Vec<Touch> {
    let mut touches: Vec<Touch> = Vec::new();
    for side in Side::BOTH {
        let begin = touches.len();
        for (frame, told) in found[side].iter().enumerate() {
            for (goal, before, after) in told {
                let open =
                    touches[begin..].iter_mut().find(|touch| touch.what == goal.what && touch.frames.end + 1 >= frame);
                match open {
                    Some(touch) => {
                        touch.frames.end = frame + 1;
                        (touch.before, touch.after) = (touch.before.max(*before), touch.after.max(*after));
                        touch.slid = touch.slid.max(goal.slid);
                        touch.beyond = touch.beyond.max(goal.beyond);
                    }
                    None => touches.push(Touch {
                        side,
                        what: goal.what,
                        frames: frame..frame + 1,
                        before: *before,
                        after: *after,
                        slid: goal.slid,
                        beyond: goal.beyond,
                    }),
                }
            }
        }
    }
    touches.sort_by_key(|touch| (touch.frames.start, touch.what));
    touches
}

#[cfg(test)]
mod tests {
    use super::super::{Character, Places, RetargetOptions, Retargeted, retarget};
    use super::*;
    use std::sync::Arc;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_motion::{PersonOptions, Poses, person};

    fn walk() -> Take {
        synthetic_walk(&WalkerOptions::default()).take
    }

    /// Puts palms of the source where `place` says, frame by frame.
    fn put_palms(take: &mut Take, place: impl Fn(usize, Side, &WorldPose) -> Option<Vec3>) {
        let (skeleton, body) = (take.clip.skeleton.clone(), take.body.clone());
        let palms = Palms::new(&skeleton, &body);
        for frame in 0..take.clip.n_frames() {
            let mut world = take.clip.world_pose(frame);
            let standing = world.clone();
            for side in Side::BOTH {
                if let Some(place) = place(frame, side, &standing) {
                    move_palm(&skeleton, &mut take.clip.pose_mut(frame), &mut world, &palms, side, place);
                }
            }
        }
    }

    /// A broad person with short arms plays the take.
    fn on_another(take: &Take, places: Places) -> Retargeted {
        let options = PersonOptions { shoulders: 1.3, hips: 1.5, arm: 0.93, ..PersonOptions::default() };
        let (skeleton, body) = person(&options).expect("a person");
        let (skeleton, none) = (Arc::new(skeleton), Poses::default());
        let to = Character { skeleton: &skeleton, body: &body, poses: &none };
        retarget(take, &to, &RetargetOptions { places, ..RetargetOptions::default() }).expect("retargeted")
    }

    fn keep(take: &Take, played: &Retargeted) -> KeptHands {
        keep_hands(take, &played.take, played.floor, &|place| played.world_place(place))
    }

    /// The largest change of a palm's velocity from frame to frame, in metres.
    fn roughest(take: &Take) -> f64 {
        let palms = Palms::new(&take.clip.skeleton, &take.body);
        let places: Vec<Vec3> =
            take.clip.world().iter().map(|pose| palms.place(pose, Side::Left).expect("a hand")).collect();
        places.windows(3).map(|w| (w[0] - 2.0 * w[1] + w[2]).length()).fold(0.0, f64::max)
    }

    fn chest(pose: &WorldPose, body: &BodyMap) -> Vec3 {
        let trunk = Trunk::new(pose, body).expect("a trunk");
        trunk.hips + 0.6 * trunk.height * trunk.up + 0.32 * trunk.ahead
    }

    #[test]
    fn hands_that_meet_on_one_person_meet_on_another() {
        let mut take = walk();
        let body = take.body.clone();
        let n = take.clip.n_frames();
        // They meet in the middle of the clip, and are apart by 30 cm at its ends.
        put_palms(&mut take, |frame, side, pose| {
            let trunk = Trunk::new(pose, &body)?;
            let apart = 0.02 + 0.13 * (1.0 - (std::f64::consts::PI * frame as f64 / n as f64).sin()).powi(2);
            Some(chest(pose, &body) + trunk.left * if side == Side::Left { apart } else { -apart })
        });
        let played = on_another(&take, Places::Scaled);
        let kept = keep(&take, &played);
        let touch = kept.touches.iter().find(|touch| touch.what == Touched::Hand).expect("hands that touch");
        assert!(touch.before > 0.03 && touch.after < 0.01, "{touch:?}");
        assert!(roughest(&kept.take) < roughest(&played.take) + 0.002, "{} m", roughest(&kept.take));
    }

    #[test]
    fn a_hand_on_the_hip_is_on_a_broader_hip() {
        let mut take = walk();
        let body = take.body.clone();
        put_palms(&mut take, |_, side, pose| {
            let trunk = Trunk::new(pose, &body).filter(|_| side == Side::Left)?;
            Some(trunk.hips + 0.35 * trunk.height * trunk.up + 0.19 * trunk.left)
        });
        let played = on_another(&take, Places::Scaled);
        let kept = keep(&take, &played);
        let touch = kept.touches.iter().find(|touch| touch.what == Touched::Trunk).expect("a hand on the trunk");
        assert!(touch.side == Side::Left && touch.after < 0.01 && touch.before > touch.after, "{touch:?}");
        assert!(touch.frames.len() > take.clip.n_frames() / 2, "{touch:?}");
    }

    #[test]
    fn a_hand_that_holds_on_to_something_stays_at_it() {
        let mut take = walk();
        let rate = take.clip.frame_rate;
        let middle = take.clip.n_frames() / 2;
        let hold = (0.4 * rate) as usize;
        // A rail beside the body, held for 0.8 s.
        let pose = take.clip.world_pose(middle);
        let trunk = Trunk::new(&pose, &take.body).expect("a trunk");
        let rail = trunk.hips + 0.15 * Vec3::Y + 0.36 * trunk.left + 0.1 * trunk.ahead;
        put_palms(&mut take, |frame, side, _| {
            (side == Side::Left && (middle - hold..middle + hold).contains(&frame)).then_some(rail)
        });
        let played = on_another(&take, Places::Kept);
        let kept = keep(&take, &played);
        let palms = Palms::new(&kept.take.clip.skeleton, &kept.take.body);
        let fade = (FADE * rate) as usize;
        for frame in middle - hold + fade..middle + hold - fade {
            let palm = palms.place(&kept.take.clip.world_pose(frame), Side::Left).expect("a hand");
            assert!(palm.distance(rail) < 0.01, "frame {frame}: {} m", palm.distance(rail));
        }
        let touch = kept.touches.iter().find(|touch| touch.what == Touched::World).expect("a hand that holds on");
        assert!(touch.before > 0.02, "{touch:?}");
    }

    #[test]
    fn a_rail_that_the_arm_does_not_reach_is_reported() {
        let mut take = walk();
        let rate = take.clip.frame_rate;
        let (middle, hold) = (take.clip.n_frames() / 2, (0.4 * rate) as usize);
        let pose = take.clip.world_pose(middle);
        let trunk = Trunk::new(&pose, &take.body).expect("a trunk");
        let rail = trunk.hips + 0.15 * Vec3::Y + 0.36 * trunk.left + 0.1 * trunk.ahead;
        put_palms(&mut take, |frame, side, _| {
            (side == Side::Left && (middle - hold..middle + hold).contains(&frame)).then_some(rail)
        });
        let options = PersonOptions { arm: 0.7, ..PersonOptions::default() };
        let (skeleton, body) = person(&options).expect("a person");
        let (skeleton, none) = (Arc::new(skeleton), Poses::default());
        let to = Character { skeleton: &skeleton, body: &body, poses: &none };
        let options = RetargetOptions { places: Places::Kept, ..RetargetOptions::default() };
        let kept = keep(&take, &retarget(&take, &to, &options).expect("retargeted"));
        let touch = kept.touches.iter().find(|touch| touch.what == Touched::World).expect("a hand that holds on");
        // What is missing is what is out of reach, and nothing else.
        assert!(touch.beyond > 0.01 && (touch.after - touch.beyond).abs() < 0.01, "{touch:?}");
    }

    #[test]
    fn a_hand_on_a_thigh_slides_up_it_where_the_arm_is_too_short() {
        let mut take = walk();
        let body = take.body.clone();
        let beside = |pose: &WorldPose| {
            let (trunk, leg) = (Trunk::new(pose, &body).expect("a trunk"), body.legs.left);
            pose.position(leg.hip).lerp(pose.position(leg.knee), 0.4) + 0.11 * trunk.left
        };
        put_palms(&mut take, |_, side, pose| (side == Side::Left).then(|| beside(pose)));
        let options = PersonOptions { arm: 0.9, ..PersonOptions::default() };
        let (skeleton, short) = person(&options).expect("a person");
        let (skeleton, none) = (Arc::new(skeleton), Poses::default());
        let to = Character { skeleton: &skeleton, body: &short, poses: &none };
        let played = retarget(&take, &to, &RetargetOptions::default()).expect("retargeted");
        let kept = keep(&take, &played);
        let on_limb = |touch: &&Touch| touch.what == Touched::Limb && touch.side == Side::Left;
        let touch = kept.touches.iter().find(on_limb).expect("a hand on a thigh");
        assert!(touch.slid > 0.03 && touch.after < 0.015, "{touch:?}");
    }

    #[test]
    fn arms_that_swing_or_hang_hold_on_to_nothing() {
        let take = walk();
        for seconds in [1.0, 3.0] {
            // Slower walkers swing their arms more slowly.
            let mut slow = take.clone();
            slow.clip.frame_rate /= seconds;
            let played = on_another(&slow, Places::Kept);
            let kept = keep(&slow, &played);
            assert!(kept.touches.iter().all(|touch| touch.what != Touched::World), "{:?}", kept.touches);
        }
    }
}
