//! Frames that are no motion: a body that freezes in mid-step, or is suddenly elsewhere.
//!
//! Recordings begin with zeros at the origin, end with the last good frame repeated, or repeat a frame while markers are lost. Feet
//! in such frames stand still wherever they are, often in the air, and must not be taken for planted.
//!
//! A person who stands still is no dead segment, even one that was made without any noise: what tells them apart is how the
//! stillness begins and ends.
//!
//! 1. Frozen frames: runs of [`LEAST_FRAMES`] or more in which neither pelvis nor legs move at all. They are dead if at either end the limbs stop or
//!    start within one frame, faster than [`ABRUPT`] against the pelvis. The pelvis alone tells nothing: a stiff figure that is thrown up
//!    starts at once too.
//! 2. Teleports: the pelvis moves faster than [`TELEPORT`] from one frame to the next. No plant goes on across one.

use std::ops::Range;
use surefoot_motion::{BodyMap, WorldPose};

/// Shortest run of frames that is called frozen.
const LEAST_FRAMES: usize = 3;

/// Joints that move by less than this in a frame are still, in metres: far below the noise of any recording, above that of rounding.
const STILL: f64 = 1e-7;

/// A body with a joint that starts from rest against its pelvis, or comes to rest, by more than this in one frame is cut off, in metres a
/// second: feet that land lose as much within several frames.
const ABRUPT: f64 = 0.5;

/// ...while the pelvis moves by more than this, in metres a second: who moves a foot alone may do so from rest.
const CARRIED: f64 = 0.1;

/// Nobody moves that fast, in metres a second: twice a sprinter's speed.
const TELEPORT: f64 = 20.0;

/// Why frames are no motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadReason {
    /// The same pose again and again, cut off from the motion around it.
    Frozen,
    /// The body is suddenly elsewhere: the first frame there.
    Teleport,
}

impl DeadReason {
    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            DeadReason::Frozen => "frozen: the same pose in every frame",
            DeadReason::Teleport => "teleport: the body is suddenly elsewhere",
        }
    }
}

/// Frames that are no motion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadSegment {
    /// Half-open; not empty.
    pub frames: Range<usize>,
    /// Why.
    pub reason: DeadReason,
}

/// The frames of a motion that are none, in order of time.
pub fn find_dead_segments(poses: &[WorldPose], body: &BodyMap, frame_rate: f64) -> Vec<DeadSegment> {
    let steps: Vec<Step> = poses.windows(2).map(|pair| Step::between(&pair[0], &pair[1], body)).collect();
    let is_abrupt = |step: &Step| {
        let (limbs, pelvis) = (step.limbs * frame_rate, step.pelvis * frame_rate);
        (limbs > ABRUPT && pelvis > CARRIED) || pelvis > TELEPORT
    };
    let mut segments = Vec::new();
    let mut start = 0;
    for frame in 0..poses.len() {
        let goes_on = steps.get(frame).is_some_and(|step| step.limbs.max(step.pelvis) <= STILL);
        if goes_on {
            continue;
        }
        let run = start..frame + 1;
        start = frame + 1;
        let before = run.start.checked_sub(1).map(|before| &steps[before]);
        if run.len() >= LEAST_FRAMES && [before, steps.get(frame)].into_iter().flatten().any(is_abrupt) {
            segments.push(DeadSegment { frames: run, reason: DeadReason::Frozen });
        }
    }
    let is_teleport = |frame: &usize| steps[frame - 1].pelvis * frame_rate > TELEPORT;
    let teleports = (1..poses.len()).filter(is_teleport);
    segments.extend(teleports.map(|frame| DeadSegment { frames: frame..frame + 1, reason: DeadReason::Teleport }));
    segments.sort_by_key(|segment| (segment.frames.start, segment.frames.end));
    segments
}

/// What moves between two frames, in metres; what is no number counts as 0.
struct Step {
    pelvis: f64,
    /// The farthest that a joint of the legs moves against the pelvis.
    limbs: f64,
}

impl Step {
    fn between(a: &WorldPose, b: &WorldPose, body: &BodyMap) -> Step {
        let pelvis = b.position(body.pelvis) - a.position(body.pelvis);
        let joints = body.legs.iter().flat_map(|(_, leg)| [leg.hip, leg.knee, leg.ankle]);
        let moved = |joint| (b.position(joint) - a.position(joint) - pelvis).length();
        let limbs = joints.map(moved).fold(0.0, f64::max);
        Step { pelvis: 0f64.max(pelvis.length()), limbs }
    }
}

/// A range of frames without the dead ones: the longest part that is left, if any.
pub(crate) fn without_dead(frames: &Range<usize>, segments: &[DeadSegment]) -> Option<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = frames.start;
    for segment in segments {
        if segment.frames.end <= start || segment.frames.start >= frames.end {
            continue;
        }
        parts.push(start..segment.frames.start.max(start));
        start = match segment.reason {
            DeadReason::Frozen => segment.frames.end,
            // The frame of a teleport is a frame like others, somewhere else.
            DeadReason::Teleport => segment.frames.start.max(start),
        };
    }
    parts.push(start..frames.end.max(start));
    parts.into_iter().filter(|part| !part.is_empty()).max_by_key(ExactSizeIterator::len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{WalkerOptions, detect_contacts, synthetic_walk};
    use surefoot_motion::Side;

    fn dead(change: impl Fn(&mut surefoot_motion::Clip)) -> (Vec<DeadSegment>, usize) {
        let mut walk =
            synthetic_walk(&WalkerOptions { frame_rate: 60.0, n_steps: 5, standing: 0.5, ..WalkerOptions::default() });
        change(&mut walk.take.clip);
        let poses = walk.take.clip.world();
        let found = find_dead_segments(&poses, &walk.take.body, 60.0);
        let contacts = detect_contacts(&poses, &walk.take.body, 60.0, &crate::DetectOptions::default()).contacts;
        let plants = || Side::BOTH.iter().flat_map(|&side| &contacts.plants[side]);
        let in_dead = |frames: &Range<usize>| {
            found.iter().any(|dead| {
                dead.reason == DeadReason::Frozen && dead.frames.start < frames.end && frames.start < dead.frames.end
            })
        };
        assert!(!plants().any(|plant| in_dead(&plant.frames)), "no plant lies in dead frames");
        (found, walk.take.clip.n_frames())
    }

    fn freeze(clip: &mut surefoot_motion::Clip, frames: Range<usize>) {
        let pose = clip.pose(frames.start).to_pose();
        for frame in frames {
            clip.pose_mut(frame).local.copy_from_slice(&pose.local);
        }
    }

    #[test]
    fn a_person_who_stands_still_is_alive() {
        assert_eq!(dead(|_| ()).0, []);
    }

    #[test]
    fn a_tail_that_is_frozen_in_a_step_is_dead() {
        let (found, n) = dead(|clip| freeze(clip, 110..clip.n_frames()));
        assert_eq!(found, [DeadSegment { frames: 110..n, reason: DeadReason::Frozen }]);
    }

    #[test]
    fn a_dropout_is_dead() {
        let (found, _) = dead(|clip| freeze(clip, 90..100));
        assert_eq!(found, [DeadSegment { frames: 90..100, reason: DeadReason::Frozen }]);
    }

    #[test]
    fn a_teleport_is_found_where_the_body_arrives() {
        let (found, _) = dead(|clip| {
            let skeleton = clip.skeleton.clone();
            for frame in 80..clip.n_frames() {
                for root in skeleton.roots() {
                    clip.pose_mut(frame)[root].translation.x += 2.0;
                }
            }
        });
        assert_eq!(found, [DeadSegment { frames: 80..81, reason: DeadReason::Teleport }]);
    }
}
