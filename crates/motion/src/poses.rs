//! The poses of a motion in one contiguous array, frame after frame: what numpy and a GPU can view without a copy.

use crate::{Pose, PoseMut, PoseRef};
use std::ops::Range;
use surefoot_geom::Transform;

/// Any number of poses of one skeleton, frames x joints.
///
/// The number of joints is that of the first pose; every other pose must have as many.
#[derive(Clone, Debug, Default)]
pub struct Poses {
    /// `n_frames * n_joints` of them, frame-major.
    transforms: Vec<Transform>,
    n_frames: usize,
    /// 0 as long as there is no frame.
    n_joints: usize,
}

impl Poses {
    /// From frame-major transforms. Panics unless there are `n_frames * n_joints`.
    pub fn from_transforms(transforms: Vec<Transform>, n_frames: usize, n_joints: usize) -> Poses {
        let n = transforms.len();
        assert!(Some(n) == n_frames.checked_mul(n_joints), "{n} transforms are not {n_frames} x {n_joints}");
        Poses { transforms, n_frames, n_joints: if n_frames == 0 { 0 } else { n_joints } }
    }

    /// The same pose `n_frames` times.
    pub fn repeat<'a>(pose: impl Into<PoseRef<'a>>, n_frames: usize) -> Poses {
        let local = pose.into().local;
        Poses::from_transforms(local.repeat(n_frames), n_frames, local.len())
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.n_frames
    }

    /// Whether there is no frame.
    pub fn is_empty(&self) -> bool {
        self.n_frames == 0
    }

    /// How many joints each pose has; 0 without poses.
    pub fn n_joints(&self) -> usize {
        self.n_joints
    }

    /// All transforms, frame-major.
    pub fn transforms(&self) -> &[Transform] {
        &self.transforms
    }

    /// All transforms for changing.
    pub fn transforms_mut(&mut self) -> &mut [Transform] {
        &mut self.transforms
    }

    /// One frame. Panics if there is no such frame.
    #[inline]
    pub fn pose(&self, frame: usize) -> PoseRef<'_> {
        let start = frame * self.n_joints;
        assert!(frame < self.n_frames, "frame {frame} of {}", self.n_frames);
        PoseRef { local: &self.transforms[start..start + self.n_joints] }
    }

    /// One frame for changing. Panics if there is no such frame.
    #[inline]
    pub fn pose_mut(&mut self, frame: usize) -> PoseMut<'_> {
        let start = frame * self.n_joints;
        assert!(frame < self.n_frames, "frame {frame} of {}", self.n_frames);
        PoseMut { local: &mut self.transforms[start..start + self.n_joints] }
    }

    /// One frame, if there is such.
    pub fn get(&self, frame: usize) -> Option<PoseRef<'_>> {
        (frame < self.n_frames).then(|| self.pose(frame))
    }

    /// The first frame.
    pub fn first(&self) -> Option<PoseRef<'_>> {
        self.get(0)
    }

    /// The last frame.
    pub fn last(&self) -> Option<PoseRef<'_>> {
        self.get(self.n_frames.checked_sub(1)?)
    }

    /// All frames in order.
    pub fn iter(&self) -> PosesIter<'_> {
        PosesIter { poses: self, frames: 0..self.n_frames }
    }

    /// All frames in order, for changing.
    pub fn iter_mut(&mut self) -> PosesIterMut<'_> {
        let as_pose: fn(_) -> _ = |local| PoseMut { local };
        self.transforms.chunks_exact_mut(self.n_joints.max(1)).map(as_pose)
    }

    /// Frames beside each other: (0, 1), (1, 2) and so on.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = [PoseRef<'_>; 2]> + '_ {
        (1..self.n_frames.max(1)).map(|frame| [self.pose(frame - 1), self.pose(frame)])
    }

    /// A copy of a half-open range of frames. Panics if it does not lie within.
    pub fn slice(&self, frames: Range<usize>) -> Poses {
        let Range { start, end } = frames;
        assert!(start <= end && end <= self.n_frames, "frames {start} to {end} of {}", self.n_frames);
        let transforms = self.transforms[start * self.n_joints..end * self.n_joints].to_vec();
        Poses::from_transforms(transforms, end - start, self.n_joints)
    }

    /// Adds a frame at the end. Panics if it has another number of joints.
    pub fn push<'a>(&mut self, pose: impl Into<PoseRef<'a>>) {
        let local = pose.into().local;
        self.adopt(local.len());
        self.transforms.extend_from_slice(local);
        self.n_frames += 1;
    }

    /// Adds all frames of other poses at the end. Panics if they have another number of joints.
    pub fn append(&mut self, poses: &Poses) {
        if !poses.is_empty() {
            self.adopt(poses.n_joints);
            self.transforms.extend_from_slice(&poses.transforms);
            self.n_frames += poses.n_frames;
        }
    }

    /// Puts other poses before frame `frame`. Panics if they have another number of joints or there is no such place.
    pub fn insert(&mut self, frame: usize, poses: &Poses) {
        assert!(frame <= self.n_frames, "before frame {frame} of {}", self.n_frames);
        if !poses.is_empty() {
            self.adopt(poses.n_joints);
            let start = frame * self.n_joints;
            self.transforms.splice(start..start, poses.transforms.iter().copied());
            self.n_frames += poses.n_frames;
        }
    }

    /// Makes every frame this pose. Panics if it has another number of joints.
    pub fn fill<'a>(&mut self, pose: impl Into<PoseRef<'a>>) {
        let pose = pose.into();
        self.iter_mut().for_each(|mut each| each.copy_from(pose));
    }

    /// Drops all frames.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Keeps at most the first `n_frames`.
    pub fn truncate(&mut self, n_frames: usize) {
        if n_frames < self.n_frames {
            self.transforms.truncate(n_frames * self.n_joints);
            self.n_frames = n_frames;
        }
    }

    /// Drops the first `n_frames`, or all if there are fewer.
    pub fn drop_first(&mut self, n_frames: usize) {
        let n_frames = n_frames.min(self.n_frames);
        self.transforms.drain(..n_frames * self.n_joints);
        self.n_frames -= n_frames;
    }

    /// An empty list takes over any number of joints; others keep theirs.
    fn adopt(&mut self, n_joints: usize) {
        if self.n_frames == 0 {
            self.n_joints = n_joints;
        }
        assert!(n_joints == self.n_joints, "a pose of {n_joints} joints among poses of {}", self.n_joints);
    }
}

impl PartialEq for Poses {
    fn eq(&self, other: &Poses) -> bool {
        self.n_frames == other.n_frames && self.transforms == other.transforms
    }
}

impl FromIterator<Pose> for Poses {
    fn from_iter<I: IntoIterator<Item = Pose>>(poses: I) -> Poses {
        let mut all = Poses::default();
        let poses = poses.into_iter();
        let n_expected = poses.size_hint().0;
        for pose in poses {
            if all.is_empty() {
                all.transforms.reserve(n_expected.saturating_mul(pose.local.len()));
            }
            all.push(&pose);
        }
        all
    }
}

impl<'a> FromIterator<PoseRef<'a>> for Poses {
    fn from_iter<I: IntoIterator<Item = PoseRef<'a>>>(poses: I) -> Poses {
        let mut all = Poses::default();
        poses.into_iter().for_each(|pose| all.push(pose));
        all
    }
}

/// Frames of [`Poses`] in order.
#[derive(Clone, Debug)]
pub struct PosesIter<'a> {
    poses: &'a Poses,
    frames: Range<usize>,
}

/// Frames of [`Poses`] in order, for changing.
pub type PosesIterMut<'a> =
    std::iter::Map<std::slice::ChunksExactMut<'a, Transform>, fn(&'a mut [Transform]) -> PoseMut<'a>>;

impl<'a> Iterator for PosesIter<'a> {
    type Item = PoseRef<'a>;

    #[inline]
    fn next(&mut self) -> Option<PoseRef<'a>> {
        self.frames.next().map(|frame| self.poses.pose(frame))
    }

    fn nth(&mut self, n: usize) -> Option<PoseRef<'a>> {
        self.frames.nth(n).map(|frame| self.poses.pose(frame))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.frames.size_hint()
    }
}

impl DoubleEndedIterator for PosesIter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.frames.next_back().map(|frame| self.poses.pose(frame))
    }
}

impl ExactSizeIterator for PosesIter<'_> {}

impl<'a> IntoIterator for &'a Poses {
    type Item = PoseRef<'a>;
    type IntoIter = PosesIter<'a>;

    fn into_iter(self) -> PosesIter<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Poses {
    type Item = PoseMut<'a>;
    type IntoIter = PosesIterMut<'a>;

    fn into_iter(self) -> PosesIterMut<'a> {
        self.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_geom::Vec3;

    /// Each pose has two joints at its number.
    fn numbered(numbers: &[u8]) -> Poses {
        let pose = |&n: &u8| Pose { local: vec![Transform::from_translation(Vec3::X * f64::from(n)); 2] };
        numbers.iter().map(pose).collect()
    }

    #[test]
    fn editing_keeps_the_order_and_the_length() {
        let mut poses = numbered(&[0, 1, 2, 3]);
        poses.insert(1, &numbered(&[7, 8]));
        assert_eq!(poses, numbered(&[0, 7, 8, 1, 2, 3]));
        poses.drop_first(2);
        poses.truncate(3);
        poses.push(numbered(&[9]).pose(0));
        assert_eq!((&poses, poses.len(), poses.n_joints()), (&numbered(&[8, 1, 2, 9]), 4, 2));
        assert_eq!(poses.slice(1..3), numbered(&[1, 2]));
        assert_eq!(poses.pairs().len(), 3);
        assert_eq!(poses.iter().rev().collect::<Poses>(), numbered(&[9, 2, 1, 8]));
        assert_eq!(poses.transforms().len(), 8);
        poses.clear();
        assert_eq!((poses.pairs().len(), poses.first(), poses.last()), (0, None, None));
        poses.append(&numbered(&[5]));
        assert_eq!(poses, numbered(&[5]));
    }

    #[test]
    #[should_panic(expected = "a pose of 1 joints among poses of 2")]
    fn poses_of_different_skeletons_do_not_mix() {
        numbered(&[1]).push(&Pose { local: vec![Transform::IDENTITY] });
    }
}
