//! What may enter: poses that are numbers, and roots that do not jump.
//!
//! A frame that fails is replaced by the last good one, and its plants go on; a plant that began meanwhile begins in the next
//! good frame. A root that jumped is believed once it has
//! stayed at the new place for [`SETTLED`] frames (somebody was put elsewhere); its plants then begin again.

use super::legs::{LowerBody, SourceFrame};
use super::{FrameMarks, PlantMark};
use surefoot_geom::{Transform, Vec3};
use surefoot_motion::{PerSide, Pose, PoseMut, PoseRef, Skeleton};

/// Frames that a jump must last to be believed.
const SETTLED: usize = 3;

/// Why the last good pose was held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldReason {
    /// A joint's rotation or place was no number, or the pose has another number of joints than the skeleton.
    NotFinite,
    /// The root moved faster than anybody does.
    Jumped,
}

impl HoldReason {
    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            HoldReason::NotFinite => "not a pose of numbers",
            HoldReason::Jumped => "the root jumped",
        }
    }
}

/// Watches what comes in.
#[derive(Clone, Debug)]
pub(super) struct InputGate {
    /// The last good pose; the rest pose at first.
    good: Pose,
    good_marks: FrameMarks,
    /// The last mark of each part, other than planted, in the frames held since; planted if there was none.
    missed: FrameMarks,
    /// Where the root was in the last good frame.
    root: Option<Vec3>,
    /// Where a jumped root was seen last, and how often in a row.
    jumped_to: Option<(Vec3, usize)>,
    /// Farthest move of a root in one frame.
    limit: f64,
}

impl InputGate {
    pub(super) fn new(skeleton: &Skeleton, teleport_speed: f64, frame_rate: f64) -> InputGate {
        InputGate {
            good: skeleton.rest_pose(),
            good_marks: FrameMarks::default(),
            missed: NOTHING_MISSED,
            root: None,
            jumped_to: None,
            limit: teleport_speed / frame_rate,
        }
    }

    /// The frame as it may enter; `pose` is replaced where it may not. `world` is as long as the body's joints.
    pub(super) fn admit(
        &mut self,
        pose: &mut PoseMut<'_>,
        marks: FrameMarks,
        body: &LowerBody,
        world: &mut [Transform],
    ) -> (SourceFrame, Option<HoldReason>) {
        let marks = clear(marks);
        let is_pose = pose.local.iter().all(is_rigid);
        if !is_pose {
            return (self.hold(pose, marks, body, world), Some(HoldReason::NotFinite));
        }
        let frame = body.read(pose.view(), catch_up(self.missed, marks), world);
        if self.root.is_some_and(|root| root.distance(frame.root) > self.limit) {
            let stays = |(place, n): (Vec3, usize)| (place.distance(frame.root) <= self.limit).then_some(n + 1);
            let n = self.jumped_to.and_then(stays).unwrap_or(1);
            self.jumped_to = Some((frame.root, n));
            if n < SETTLED {
                return (self.hold(pose, marks, body, world), Some(HoldReason::Jumped));
            }
            self.remember(pose.view(), frame.marks, frame.root);
            return (SourceFrame { marks: anew(frame.marks), ..frame }, None);
        }
        self.remember(pose.view(), frame.marks, frame.root);
        (frame, None)
    }

    fn remember(&mut self, pose: PoseRef<'_>, marks: FrameMarks, root: Vec3) {
        self.good.local.copy_from_slice(pose.local);
        self.good_marks = marks;
        self.missed = NOTHING_MISSED;
        self.root = Some(root);
        self.jumped_to = None;
    }

    fn hold(
        &mut self,
        pose: &mut PoseMut<'_>,
        marks: FrameMarks,
        body: &LowerBody,
        world: &mut [Transform],
    ) -> SourceFrame {
        self.missed =
            merge_marks(self.missed, marks, |missed, mark| if mark == PlantMark::Planted { missed } else { mark });
        pose.copy_from(&self.good);
        let goes_on = |mark: PlantMark| match mark {
            PlantMark::Begins | PlantMark::BeginsAbove(_) => PlantMark::Planted,
            mark => mark,
        };
        body.read(pose.view(), map_marks(self.good_marks, goes_on), world)
    }
}

/// Finite, with a rotation that is one.
fn is_rigid(joint: &Transform) -> bool {
    joint.is_finite() && (joint.rotation.length_squared() - 1.0).abs() < MAX_SCALE
}

/// How far the square of a rotation's length may be from 1.
const MAX_SCALE: f64 = 1e-3;

/// Marks without places that are no numbers.
fn clear(marks: FrameMarks) -> FrameMarks {
    map_marks(marks, |mark| match mark {
        PlantMark::At(place) if !place.is_finite() => PlantMark::Planted,
        PlantMark::BeginsAbove(height) if !height.is_finite() => PlantMark::Begins,
        mark => mark,
    })
}

/// Marks whose plants begin in this frame.
fn anew(marks: FrameMarks) -> FrameMarks {
    map_marks(marks, |mark| if mark == PlantMark::Planted { PlantMark::Begins } else { mark })
}

/// No frame was held, or all plants just went on.
const NOTHING_MISSED: FrameMarks = FrameMarks {
    heel: PerSide { left: PlantMark::Planted, right: PlantMark::Planted },
    ball: PerSide { left: PlantMark::Planted, right: PlantMark::Planted },
};

/// The marks of a good frame after held ones: a part that is planted where a missed frame put it remains there, and one that was
/// free meanwhile, or became planted, is planted again.
fn catch_up(missed: FrameMarks, marks: FrameMarks) -> FrameMarks {
    merge_marks(missed, marks, |missed, mark| match (missed, mark) {
        (PlantMark::Free | PlantMark::Begins, PlantMark::Planted) => PlantMark::Begins,
        (PlantMark::At(_) | PlantMark::BeginsAbove(_), PlantMark::Planted) => missed,
        (_, mark) => mark,
    })
}

fn map_marks(marks: FrameMarks, change: impl Fn(PlantMark) -> PlantMark) -> FrameMarks {
    merge_marks(marks, marks, |mark, _| change(mark))
}

fn merge_marks(a: FrameMarks, b: FrameMarks, merge: impl Fn(PlantMark, PlantMark) -> PlantMark) -> FrameMarks {
    FrameMarks {
        heel: PerSide::from_fn(|side| merge(a.heel[side], b.heel[side])),
        ball: PerSide::from_fn(|side| merge(a.ball[side], b.ball[side])),
    }
}
