//! A motion: poses of one skeleton at a fixed rate.

use crate::{PoseMut, PoseRef, Poses, Skeleton, WorldPose, WorldPoses};
use std::fmt;
use std::sync::{Arc, OnceLock};
use surefoot_geom::Transform;

/// Poses of one skeleton at a fixed frame rate.
#[derive(Clone)]
pub struct Clip {
    /// What to call it; usually the file's name without its ending.
    pub name: String,
    /// Shared between clips of one person. Another one must have as many joints.
    pub skeleton: Arc<Skeleton>,
    /// Frames per second; positive and finite.
    pub frame_rate: f64,
    /// Each as long as the skeleton.
    poses: Poses,
    /// Forward kinematics of the poses, once somebody asked for it; shared by clones until either is changed.
    world: Arc<OnceLock<CachedWorld>>,
}

/// World poses, with the skeleton they are of.
struct CachedWorld {
    skeleton: Arc<Skeleton>,
    poses: WorldPoses,
}

impl Clip {
    /// A clip. Panics if the poses have not one transform for each joint of the skeleton.
    pub fn new(name: impl Into<String>, skeleton: Arc<Skeleton>, frame_rate: f64, poses: Poses) -> Clip {
        assert_fits(&poses, &skeleton);
        Clip { name: name.into(), skeleton, frame_rate, poses, world: Arc::default() }
    }

    /// How many frames there are.
    pub fn n_frames(&self) -> usize {
        self.poses.len()
    }

    /// The same clip with other poses. Panics if they do not fit the skeleton.
    pub fn with_poses(&self, poses: Poses) -> Clip {
        Clip::new(self.name.clone(), self.skeleton.clone(), self.frame_rate, poses)
    }

    /// The same clip under another name.
    pub fn with_name(self, name: impl Into<String>) -> Clip {
        Clip { name: name.into(), ..self }
    }

    /// The same clip at another frame rate: the same poses, faster or slower.
    pub fn with_frame_rate(self, frame_rate: f64) -> Clip {
        Clip { frame_rate, ..self }
    }

    /// The same poses of another skeleton. Panics if it has another number of joints.
    pub fn with_skeleton(self, skeleton: Arc<Skeleton>) -> Clip {
        assert_fits(&self.poses, &skeleton);
        Clip { skeleton, ..self }
    }

    /// Time from the first frame to the last, in seconds; 0 for a clip of no frame or one.
    pub fn duration(&self) -> f64 {
        self.n_frames().saturating_sub(1) as f64 / self.frame_rate
    }

    /// All poses.
    pub fn poses(&self) -> &Poses {
        &self.poses
    }

    /// All poses for changing; they must keep their number of joints.
    pub fn poses_mut(&mut self) -> &mut Poses {
        self.forget_world();
        &mut self.poses
    }

    /// The poses alone.
    pub fn into_poses(self) -> Poses {
        self.poses
    }

    /// One frame.
    pub fn pose(&self, frame: usize) -> PoseRef<'_> {
        self.poses.pose(frame)
    }

    /// One frame for changing.
    pub fn pose_mut(&mut self, frame: usize) -> PoseMut<'_> {
        self.forget_world();
        self.poses.pose_mut(frame)
    }

    /// All transforms, frames x joints, frame-major.
    pub fn transforms(&self) -> &[Transform] {
        self.poses.transforms()
    }

    /// Forward kinematics of one frame.
    pub fn world_pose(&self, frame: usize) -> WorldPose {
        match self.world.get().filter(|world| world.is_of(&self.skeleton)) {
            Some(world) => world.poses.pose(frame).clone(),
            None => WorldPose::new(&self.skeleton, self.pose(frame)),
        }
    }

    /// Forward kinematics of every frame: computed at the first call, then shared with every later one until the clip is
    /// changed.
    pub fn world(&self) -> WorldPoses {
        let world = self.world.get_or_init(|| CachedWorld {
            skeleton: self.skeleton.clone(),
            poses: WorldPoses::new(&self.skeleton, &self.poses),
        });
        if world.is_of(&self.skeleton) { world.poses.clone() } else { WorldPoses::new(&self.skeleton, &self.poses) }
    }

    fn forget_world(&mut self) {
        match Arc::get_mut(&mut self.world) {
            Some(world) => drop(world.take()),
            None => self.world = Arc::default(),
        }
    }
}

impl CachedWorld {
    /// Whether the world poses are those of another skeleton too: only parents matter.
    fn is_of(&self, skeleton: &Arc<Skeleton>) -> bool {
        let parents = |skeleton: &Skeleton, n: usize| skeleton.joints()[n].parent;
        Arc::ptr_eq(&self.skeleton, skeleton)
            || self.skeleton.n_joints() == skeleton.n_joints()
                && (0..skeleton.n_joints()).all(|n| parents(&self.skeleton, n) == parents(skeleton, n))
    }
}

fn assert_fits(poses: &Poses, skeleton: &Skeleton) {
    let (found, n_joints) = (poses.n_joints(), skeleton.n_joints());
    assert!(poses.is_empty() || found == n_joints, "poses of {found} joints for a skeleton of {n_joints}");
}

impl PartialEq for Clip {
    /// By what it is, not by what was computed from it.
    fn eq(&self, other: &Clip) -> bool {
        (&self.name, &self.skeleton, self.frame_rate, &self.poses)
            == (&other.name, &other.skeleton, other.frame_rate, &other.poses)
    }
}

impl fmt::Debug for Clip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Clip { name, skeleton, frame_rate, poses, world: _ } = self;
        f.debug_struct("Clip")
            .field("name", name)
            .field("skeleton", skeleton)
            .field("frame_rate", frame_rate)
            .field("poses", poses)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Joint, JointId, Pose};
    use surefoot_geom::Vec3;

    /// Two joints, the second 1 m above the first, which moves by 1 m a frame.
    fn clip(n_frames: usize) -> Clip {
        let at = |translation| Transform::from_translation(translation);
        let joint = |parent, rest| Joint { name: String::new(), parent, rest };
        let joints = vec![joint(None, at(Vec3::ZERO)), joint(Some(JointId::new(0)), at(Vec3::Y))];
        let skeleton = Arc::new(Skeleton::new(joints, Vec::new()).unwrap());
        let poses = (0..n_frames).map(|frame| Pose { local: vec![at(Vec3::X * frame as f64), at(Vec3::Y)] }).collect();
        Clip::new("moves", skeleton, 30.0, poses)
    }

    fn is_shared(a: &WorldPoses, b: &WorldPoses) -> bool {
        std::ptr::eq(a.transforms(), b.transforms())
    }

    #[test]
    fn forward_kinematics_is_computed_once_and_shared_by_clones_until_one_is_changed() {
        let a = clip(5);
        let mut b = a.clone();
        assert!(is_shared(&a.world(), &a.world()) && is_shared(&a.world(), &b.world()));
        b.pose_mut(2).local[0].translation.z = 7.0;
        assert!(!is_shared(&a.world(), &b.world()));
        assert_eq!(b.world().pose(2).position(JointId::new(1)), Vec3::new(2.0, 1.0, 7.0));
        assert_eq!(a.world().pose(2).position(JointId::new(1)), Vec3::new(2.0, 1.0, 0.0));
        b.poses_mut().truncate(1);
        assert_eq!(b.world().len(), 1);
        assert_eq!(a.world().transforms().len(), 10);
    }

    #[test]
    fn another_tree_has_another_world_and_what_is_cached_is_no_part_of_a_clip() {
        let mut a = clip(3);
        let b = a.clone();
        let _ = a.world();
        assert_eq!((&a, format!("{a:?}")), (&b, format!("{:?}", clip(3))));
        let mut joints = a.skeleton.joints().to_vec();
        joints[1].parent = None;
        a.skeleton = Arc::new(Skeleton::new(joints, Vec::new()).unwrap());
        assert_eq!(a.world().pose(2).position(JointId::new(1)), Vec3::Y);
        assert_eq!(a.world_pose(2), *a.world().pose(2));
    }

    #[test]
    fn a_change_of_one_world_pose_leaves_the_others_alone() {
        let clip = clip(3);
        let mut poses = clip.world().to_vec();
        poses[1].world_mut()[0].translation = Vec3::NAN;
        assert!(
            poses[0].position(JointId::new(1)).is_finite()
                && clip.world().transforms().iter().all(Transform::is_finite)
        );
    }

    #[test]
    #[should_panic(expected = "poses of 1 joints for a skeleton of 2")]
    fn poses_of_another_skeleton_are_refused() {
        let clip = clip(1);
        clip.with_poses(Poses::repeat(&Pose { local: vec![Transform::IDENTITY] }, 1));
    }
}
