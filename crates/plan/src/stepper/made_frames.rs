//! Frames that are final and that nobody has read yet, taken out of an engine before it is kept as a checkpoint.
//!
//! An engine that is copied with its unread frames costs as much as they do, with each copy. Here they are kept once, in parts
//! that all copies of a stepper share.

use super::{FrameContacts, StepEngine};
use std::collections::VecDeque;
use std::sync::Arc;
use surefoot_motion::{Pose, Poses};

/// Frames in the order in which they are given out.
#[derive(Clone, Default)]
pub(super) struct MadeFrames {
    parts: VecDeque<Arc<Part>>,
    /// Frames of the first part that were given out.
    n_given: usize,
}

#[derive(Default)]
struct Part {
    poses: Poses,
    contacts: Vec<FrameContacts>,
    /// The number of the frame after its last one.
    end: usize,
}

impl MadeFrames {
    /// Takes all final frames out of an engine, of which the first has number `first`; returns how many these are.
    pub(super) fn take_from(&mut self, engine: &mut dyn StepEngine, first: usize) -> usize {
        let mut part = Part::default();
        let mut pose = engine.skeleton().rest_pose();
        while let Some(contacts) = engine.next_frame(&mut pose) {
            part.poses.push(&pose);
            part.contacts.push(contacts);
        }
        let n_frames = part.contacts.len();
        if n_frames > 0 {
            part.end = first + n_frames;
            self.parts.push_back(Arc::new(part));
        }
        n_frames
    }

    /// Writes the next frame, if there is one. Allocates nothing.
    pub(super) fn next(&mut self, pose: &mut Pose) -> Option<FrameContacts> {
        let part = self.parts.front()?;
        pose.copy_from(part.poses.pose(self.n_given));
        let contacts = part.contacts[self.n_given];
        self.n_given += 1;
        if self.n_given == part.contacts.len() {
            self.parts.pop_front();
            self.n_given = 0;
        }
        Some(contacts)
    }

    /// Without the frames from a number on, which is one at which an engine was emptied.
    pub(super) fn before(&self, end: usize) -> MadeFrames {
        let parts: VecDeque<_> = self.parts.iter().filter(|part| part.end <= end).cloned().collect();
        let n_given = if parts.is_empty() { 0 } else { self.n_given };
        MadeFrames { parts, n_given }
    }
}
