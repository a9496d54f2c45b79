//! Palms: where they are, how far they reach, and the arm solved in closed form so that one is at a place.

use super::keep_arms_out::turn_to;
use surefoot_geom::{Quat, Vec3};
use surefoot_motion::{Arm, BodyMap, JointId, PerSide, PoseMut, Side, Skeleton, WorldPose};

/// Upper arm and forearm of a person, in metres.
const USUAL_ARM: f64 = 0.53;
/// Palms beyond the wrist, as a share of the forearm.
const PALM_SHARE: f64 = 0.4;

/// A palm in each frame, and what it takes to know where.
pub(super) struct Palms {
    /// In the wrist's space.
    pub(super) offset: PerSide<Option<(Arm, JointId, Vec3)>>,
    /// Size of the arms against a person's.
    pub(super) size: f64,
}

impl Palms {
    pub(super) fn new(skeleton: &Skeleton, body: &BodyMap) -> Palms {
        let rest = WorldPose::new(skeleton, &skeleton.rest_pose());
        let mut lengths = Vec::new();
        let offset = PerSide::from_fn(|side| {
            let arm = body.arms[side]?;
            let wrist = arm.wrist?;
            let [upper, fore] = [(arm.shoulder, arm.elbow), (arm.elbow, wrist)]
                .map(|(from, to)| rest.position(from).distance(rest.position(to)));
            lengths.push(upper + fore);
            let forward = (rest.position(wrist) - rest.position(arm.elbow)).normalize_or_zero();
            let beyond = |place: Vec3| (place - rest.position(wrist)).dot(forward);
            let fingers = skeleton.ids().filter(|&joint| skeleton.is_at_or_above(wrist, joint));
            let tips = fingers.map(|joint| beyond(rest.position(joint)));
            let sites = skeleton.end_sites().iter().filter(|site| skeleton.is_at_or_above(wrist, site.parent));
            let sites = sites.map(|site| beyond(rest[site.parent].transform_point(site.offset)));
            let longest = tips.chain(sites).fold(0.0, f64::max);
            // Stubs that some writers put at the wrist are no fingers.
            let reach = if longest > 0.5 * fore { 0.5 * longest } else { PALM_SHARE * fore };
            Some((arm, wrist, rest[wrist].rotation.conjugate() * (reach * forward)))
        });
        let size = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64 / USUAL_ARM;
        Palms { offset, size: if size > 0.0 { size } else { 1.0 } }
    }

    pub(super) fn place(&self, pose: &WorldPose, side: Side) -> Option<Vec3> {
        let (_, wrist, offset) = self.offset[side]?;
        Some(pose[wrist].transform_point(offset))
    }

    /// From where, and how far, a palm reaches while the hand keeps its attitude.
    pub(super) fn reach(&self, pose: &WorldPose, side: Side) -> Option<Reach> {
        let (arm, wrist, offset) = self.offset[side]?;
        let [shoulder, elbow, hand] = [arm.shoulder, arm.elbow, wrist].map(|joint| pose.position(joint));
        let length = (shoulder.distance(elbow) + elbow.distance(hand)) * STRAIGHT;
        Some(Reach { centre: shoulder + pose[wrist].rotation * offset, length })
    }
}

/// The ball that a palm reaches.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    /// Its middle.
    pub(super) centre: Vec3,
    /// Its radius.
    pub(super) length: f64,
}

impl Reach {
    /// How far a place is out of reach; 0 for one that is within it.
    pub(super) fn beyond(self, place: Vec3) -> f64 {
        (place.distance(self.centre) - self.length).max(0.0)
    }

    /// How far a place has to slide along a unit vector to be in reach, or as near to it as it comes; 0 for one that is.
    pub(super) fn slide(self, place: Vec3, along: Vec3) -> f64 {
        let from = place - self.centre;
        let out = from.length_squared() - self.length * self.length;
        if out <= 0.0 {
            return 0.0;
        }
        // |from + t along| = length, the nearer of both; the nearest of all where there is none.
        let middle = from.dot(along);
        let root = (middle * middle - out).max(0.0).sqrt();
        -middle + middle.signum() * root
    }
}

/// Solves an arm so that its palm is at a place; the hand keeps its attitude.
pub(super) fn move_palm(
    skeleton: &Skeleton,
    pose: &mut PoseMut<'_>,
    world: &mut WorldPose,
    palms: &Palms,
    side: Side,
    place: Vec3,
) {
    let Some((arm, wrist, offset)) = palms.offset[side] else { return };
    let attitude = world[wrist].rotation;
    let goal = place - attitude * offset;
    if goal.distance(world.position(wrist)) < 1e-9 {
        return;
    }
    let [shoulder, elbow, hand] = [arm.shoulder, arm.elbow, wrist].map(|joint| world.position(joint));
    let (upper, lower) = (shoulder.distance(elbow), elbow.distance(hand));
    let wanted = (goal - shoulder).length().clamp((upper - lower).abs() + 1e-3, (upper + lower) * STRAIGHT);
    bend(skeleton, pose, world, arm, wrist, wanted);
    let reached = shoulder + (goal - shoulder).normalize_or_zero() * wanted;
    turn_to(skeleton, pose, world, [arm.shoulder, wrist], reached);
    let above = skeleton.parent(wrist).map_or(Quat::IDENTITY, |parent| world[parent].rotation);
    pose[wrist].rotation = (above.conjugate() * attitude).normalize();
    world.fill(skeleton, pose.view());
}

/// Arms are not stretched further than this share of their length.
const STRAIGHT: f64 = 0.999;

/// Bends the elbow in the plane that it is bent in, until the wrist is at a distance from the shoulder.
fn bend(skeleton: &Skeleton, pose: &mut PoseMut<'_>, world: &mut WorldPose, arm: Arm, wrist: JointId, distance: f64) {
    let [shoulder, elbow, hand] = [arm.shoulder, arm.elbow, wrist].map(|joint| world.position(joint));
    let (back, on) = (shoulder - elbow, hand - elbow);
    let (a, b) = (back.length(), on.length());
    if a * b <= 0.0 {
        return;
    }
    // A straight arm bends about its own hinge: across the forearm, as little from the body's side as can be.
    let across = back.cross(on).try_normalize().unwrap_or_else(|| on.normalize_or_zero().any_orthonormal_vector());
    let angle = |cosine: f64| cosine.clamp(-1.0, 1.0).acos();
    let now = angle(back.dot(on) / (a * b));
    let wanted = angle((a * a + b * b - distance * distance) / (2.0 * a * b));
    let turned = Quat::from_axis_angle(across, wanted - now) * world[arm.elbow].rotation;
    let above = skeleton.parent(arm.elbow).map_or(Quat::IDENTITY, |parent| world[parent].rotation);
    pose[arm.elbow].rotation = (above.conjugate() * turned).normalize();
    world.fill(skeleton, pose.view());
}
