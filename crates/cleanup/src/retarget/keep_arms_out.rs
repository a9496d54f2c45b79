//! Arms that stay out of a broader trunk.
//!
//! A hand that passed the hip of a slim person passes through that of a broad one whose shoulders are no broader. No skeleton says
//! how broad its trunk is, so it is drawn as an ellipse that goes from hips to shoulders, and an arm is kept no deeper in it than the
//! source's was in the source's own:
//!
//! ```text
//!        shoulders      a = 0.85 x half their distance          rho^2 = (x / a)^2 + (z / b)^2
//!        \         /
//!         |  o    | <- elbow, wrist: x to the side, z ahead     rho' >= min(1, rho of the source)
//!        /         \
//!          hips         a = 1.5 x half their distance, b = 0.6 a
//! ```
//!
//! 1. The elbow is pushed out of the ellipse, and the upper arm turned to it about the shoulder.
//! 2. The wrist is pushed out, and the forearm turned to it about the elbow.
//!
//! Both turns are the smallest that do it, and go to nothing where nothing is pushed: no frame pops. Hands turn with their
//! forearms.
//!
//! Limits: bellies and clothes are unknown. A hand that rests on the source's own body rests on the target's.

use surefoot_geom::{Quat, Vec3, rotation, smoothstep};
use surefoot_motion::{Arm, BodyMap, JointId, PoseMut, Side, Skeleton, WorldPose};

/// Half the breadth of a trunk over half the distance of its shoulders and of its hips, and its depth over its breadth.
const AT_SHOULDERS: f64 = 0.85;
const AT_HIPS: f64 = 1.5;
const DEPTH: f64 = 0.6;
/// How far below the hips and below the shoulders the trunk ends, as shares of its height, and how far that fades.
const FROM: f64 = -0.25;
const TO: f64 = 0.85;
const FADES: f64 = 0.2;
/// Changes smaller than this are none, in trunks.
const TOLERANCE: f64 = 1e-9;

/// The trunk of a pose.
pub(super) struct Trunk {
    pub(super) hips: Vec3,
    pub(super) up: Vec3,
    pub(super) height: f64,
    pub(super) left: Vec3,
    pub(super) ahead: Vec3,
    breadths: [f64; 2],
}

/// Where a point is in a trunk.
pub(super) struct Place {
    /// From hips to shoulders, in heights.
    pub(super) share: f64,
    /// To the side and ahead, in metres, and the breadth there.
    pub(super) x: f64,
    pub(super) z: f64,
    pub(super) breadth: f64,
}

impl Place {
    pub(super) fn rho(&self) -> f64 {
        (self.x / self.breadth).hypot(self.z / (DEPTH * self.breadth))
    }
}

impl Trunk {
    /// `None` for a body without arms or height.
    pub(super) fn new(pose: &WorldPose, body: &BodyMap) -> Option<Trunk> {
        let (left, right) = (body.arms.left?, body.arms.right?);
        let shoulders = [left, right].map(|arm| pose.position(arm.shoulder));
        let hips = [body.legs.left.hip, body.legs.right.hip].map(|hip| pose.position(hip));
        let middle = |pair: [Vec3; 2]| 0.5 * (pair[0] + pair[1]);
        let along = middle(shoulders) - middle(hips);
        let up = along.try_normalize()?;
        let across = (shoulders[0] - shoulders[1]).normalize_or_zero() + (hips[0] - hips[1]).normalize_or_zero();
        let left = across.reject_from_normalized(up).try_normalize()?;
        let half = |pair: [Vec3; 2]| 0.5 * pair[0].distance(pair[1]);
        let breadths = [AT_HIPS * half(hips), AT_SHOULDERS * half(shoulders)];
        let is_broad = breadths.iter().all(|breadth| *breadth > 0.0);
        is_broad.then(|| Trunk {
            hips: middle(hips),
            up,
            height: along.length(),
            left,
            ahead: left.cross(up),
            breadths,
        })
    }

    pub(super) fn place(&self, point: Vec3) -> Place {
        let from = point - self.hips;
        let share = from.dot(self.up) / self.height;
        let [low, high] = self.breadths;
        let breadth = low + (high - low) * share.clamp(0.0, 1.0);
        Place { share, x: from.dot(self.left), z: from.dot(self.ahead), breadth }
    }

    /// A point that is no deeper in the trunk than `least`.
    fn pushed_out(&self, point: Vec3, least: f64) -> Vec3 {
        let place = self.place(point);
        let within = smoothstep((place.share - FROM) / FADES) * smoothstep((TO - place.share) / FADES);
        let (rho, wanted) = (place.rho(), least.min(1.0));
        if within == 0.0 || rho >= wanted - TOLERANCE || rho < TOLERANCE {
            return point;
        }
        let more = within * (wanted / rho - 1.0);
        point + more * (place.x * self.left + place.z * self.ahead)
    }
}

/// Keeps the arms of a pose as far out of its trunk as the source's arms are out of theirs. `world` is the pose's and is kept so.
pub(super) fn keep_arms_out(
    (source, body): (&WorldPose, &BodyMap),
    (skeleton, to_body): (&Skeleton, &BodyMap),
    pose: &mut PoseMut<'_>,
    world: &mut WorldPose,
) {
    let (Some(theirs), Some(mine)) = (Trunk::new(source, body), Trunk::new(world, to_body)) else { return };
    for side in Side::BOTH {
        let (Some(arm), Some(from)) = (to_body.arms[side], body.arms[side]) else { continue };
        let least = |joint: JointId| theirs.place(source.position(joint)).rho();
        let Arm { shoulder, elbow, wrist, .. } = arm;
        turn_to(skeleton, pose, world, [shoulder, elbow], mine.pushed_out(world.position(elbow), least(from.elbow)));
        if let (Some(wrist), Some(theirs)) = (wrist, from.wrist) {
            turn_to(skeleton, pose, world, [elbow, wrist], mine.pushed_out(world.position(wrist), least(theirs)));
        }
    }
}

/// Turns a joint so that the one below it points at a place.
pub(super) fn turn_to(
    skeleton: &Skeleton,
    pose: &mut PoseMut<'_>,
    world: &mut WorldPose,
    [joint, end]: [JointId; 2],
    place: Vec3,
) {
    let (from, at) = (world.position(end) - world.position(joint), place - world.position(joint));
    if from.distance(at) <= TOLERANCE {
        return;
    }
    let turned = rotation::between_directions(from, at) * world[joint].rotation;
    let above = skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| world[parent].rotation);
    pose[joint].rotation = (above.conjugate() * turned).normalize();
    world.fill(skeleton, pose.view());
}

#[cfg(test)]
mod tests {
    use super::super::{Character, PoseTransfer, RetargetOptions, retarget};
    use super::*;
    use std::sync::Arc;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_motion::{PersonOptions, Poses, person};

    #[test]
    fn hanging_arms_stay_out_of_broad_hips() {
        let mut walk = synthetic_walk(&WalkerOptions::default()).take;
        let body = walk.body.clone();
        for mut pose in walk.clip.poses_mut() {
            for (side, sign) in [(Side::Left, -1.0), (Side::Right, 1.0)] {
                let arm = body.arms[side].expect("an arm");
                pose[arm.shoulder].rotation = Quat::from_rotation_z(sign * 1.75);
            }
        }
        let broad = PersonOptions { hips: 1.6, shoulders: 0.8, ..PersonOptions::default() };
        let (skeleton, to_body) = person(&broad).expect("a person");
        let (skeleton, none) = (Arc::new(skeleton), Poses::default());
        let to = Character { skeleton: &skeleton, body: &to_body, poses: &none };
        let kept = retarget(&walk, &to, &RetargetOptions::default()).expect("retargeted").take;
        let transfer = PoseTransfer::new((&walk.clip.skeleton, &body, walk.clip.poses()), &to, 1.0);
        let rho = |pose: &WorldPose, body: &BodyMap, side: Side| {
            let wrist = body.arms[side].expect("an arm").wrist.expect("a wrist");
            Trunk::new(pose, body).expect("a trunk").place(pose.position(wrist)).rho()
        };
        let mut n_deeper = 0;
        for (frame, (theirs, mine)) in walk.clip.world().iter().zip(&kept.clip.world()).enumerate() {
            let turned = WorldPose::new(&skeleton, &transfer.turn_joints(walk.clip.pose(frame), theirs));
            for side in Side::BOTH {
                let wanted = rho(theirs, &body, side).min(1.0);
                n_deeper += usize::from(rho(&turned, &to_body, side) < 0.95 * wanted);
                // The forearm keeps its length, so the wrist comes near to where it is pushed.
                assert!(rho(mine, &kept.body, side) > 0.95 * wanted, "frame {frame}: {}", rho(mine, &kept.body, side));
            }
        }
        assert!(n_deeper > 10, "{n_deeper} hands would have been in the hips");
    }
}
