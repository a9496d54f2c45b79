//! Where the hips go: as far as the legs are long, and as high as they reach.
//!
//! The midpoint of the hips stands for the body, because pelvis joints sit anywhere between hips and navel. With `k` the
//! scale, `o` the ground point where it starts, `f` the floor and `a` the height of an ankle above its sole:
//!
//! ```text
//! x', z' = o + k (x, z - o)          y' = f + k (y - f - a_source) + a_target
//! ```
//!
//! so that a foot that is flat on the floor is so on legs of any length. Proportions that differ (thigh to shin, foot
//! to leg) leave a constant: the complete motion is lifted by the median, over all frames, of what the lowest sole lacks.

use surefoot_contact::sole_height;
use surefoot_geom::{Quat, Vec2, Vec3, ground_point, median};
use surefoot_motion::anatomy::find_carrier;
use surefoot_motion::{BodyMap, FootShape, JointId, PoseMut, Poses, Side, Skeleton, WorldPose};

/// How the hips of a source are scaled.
pub(super) struct Placing {
    /// Of heights, and of distances over the ground.
    pub(super) scale: f64,
    pub(super) travel: f64,
    pub(super) floor: f64,
    /// The ground point that travel is scaled about.
    pub(super) about: Vec2,
}

/// Moves poses of the target, wherever they stand, so that their hips travel as the source's, and gives their world poses.
pub(super) fn place_hips(
    source: &[WorldPose],
    body: &BodyMap,
    poses: &mut Poses,
    (skeleton, to_body): (&Skeleton, &BodyMap),
    placing: &Placing,
) -> Vec<WorldPose> {
    let &Placing { scale, travel, floor, about: origin } = placing;
    let ankle_excess = ankle_height(to_body) - scale * ankle_height(body);
    let travel = HipTravel { body, scale, travel, floor, origin, ankle_excess };
    let carrier = find_carrier(skeleton, to_body);
    let mut lacking = Vec::with_capacity(poses.len());
    for (theirs, mut pose) in source.iter().zip(poses.iter_mut()) {
        let mut world = WorldPose::new(skeleton, pose.view());
        shift_joint(skeleton, &world, &mut pose, carrier, travel.hips_of(theirs) - hips(&world, to_body));
        world.fill(skeleton, pose.view());
        lacking.push(travel.sole_of(theirs) - lowest_sole(&world, to_body));
    }
    let lift = Vec3::Y * median(&mut lacking).unwrap_or(0.0);
    let lifted = poses.iter_mut().map(|mut pose| {
        let mut world = WorldPose::new(skeleton, pose.view());
        shift_joint(skeleton, &world, &mut pose, carrier, lift);
        world.fill(skeleton, pose.view());
        world
    });
    lifted.collect()
}

/// How the hips of a source travel when scaled.
struct HipTravel<'a> {
    body: &'a BodyMap,
    scale: f64,
    travel: f64,
    floor: f64,
    origin: Vec2,
    /// Height of an ankle above its sole, of the target's less the scaled source's.
    ankle_excess: f64,
}

impl HipTravel<'_> {
    fn hips_of(&self, source: &WorldPose) -> Vec3 {
        let hips = hips(source, self.body);
        let ground = self.origin + self.travel * (ground_point(hips) - self.origin);
        let height = self.floor + self.scale * (hips.y - self.floor) + self.ankle_excess;
        Vec3::new(ground.x, height, ground.y)
    }

    fn sole_of(&self, source: &WorldPose) -> f64 {
        self.floor + self.scale * (lowest_sole(source, self.body) - self.floor)
    }
}

/// Moves a joint, and all below it, in the world.
fn shift_joint(skeleton: &Skeleton, world: &WorldPose, pose: &mut PoseMut<'_>, joint: JointId, shift: Vec3) {
    let above = skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| world[parent].rotation);
    pose[joint].translation += above.conjugate() * shift;
}

/// The midpoint of the hips.
pub(super) fn hips(pose: &WorldPose, body: &BodyMap) -> Vec3 {
    (pose.position(body.legs.left.hip) + pose.position(body.legs.right.hip)) / 2.0
}

fn lowest_sole(pose: &WorldPose, body: &BodyMap) -> f64 {
    sole_height(pose, body, Side::Left).min(sole_height(pose, body, Side::Right))
}

/// Height of the ankles above their soles, the mean of both.
fn ankle_height(body: &BodyMap) -> f64 {
    let height = |foot: &FootShape| -foot.heel.dot(foot.up);
    (height(&body.legs.left.foot) + height(&body.legs.right.foot)) / 2.0
}
