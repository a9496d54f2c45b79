//! Frames in a row, whole or through a moving window: what the phases look at.
//!
//! A phase asks for frames by their numbers and gets none outside of the clip. Offline the row is a slice; online it is a
//! buffer that forgets the oldest frame for each new one. Since a phase never looks further than its own neighbourhood, both
//! give it the same frames, and the results are the same to the last bit.

/// Frames by number.
pub(super) trait Frames<T> {
    /// The frame, if there is one.
    fn at(&self, frame: usize) -> Option<&T>;
}

impl<T> Frames<T> for [T] {
    fn at(&self, frame: usize) -> Option<&T> {
        self.get(frame)
    }
}

impl<T> Frames<T> for Vec<T> {
    fn at(&self, frame: usize) -> Option<&T> {
        self.get(frame)
    }
}

/// The newest frames of a stream.
#[derive(Clone, Debug)]
pub(super) struct FrameBuffer<T> {
    /// Frame `n` lies at `n % items.len()`.
    items: Vec<T>,
    /// Number of the next frame.
    end: usize,
}

impl<T: Clone> FrameBuffer<T> {
    /// Room for `capacity` frames, at least one; `blank` fills it until they come.
    pub(super) fn new(capacity: usize, blank: &T) -> FrameBuffer<T> {
        FrameBuffer { items: vec![blank.clone(); capacity.max(1)], end: 0 }
    }

    /// How many frames were ever pushed.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// The frame, if it is still there, to be changed.
    pub(super) fn at_mut(&mut self, frame: usize) -> Option<&mut T> {
        let n = self.items.len();
        let is_held = frame < self.end && frame + n >= self.end;
        is_held.then(|| &mut self.items[frame % n])
    }

    /// Takes a frame in and forgets the oldest.
    pub(super) fn push(&mut self, item: T) {
        *self.next_slot() = item;
    }

    /// The slot of the next frame, to be filled in place; it holds the oldest frame's value.
    pub(super) fn next_slot(&mut self) -> &mut T {
        let slot = self.end % self.items.len();
        self.end += 1;
        &mut self.items[slot]
    }
}

impl<T> Frames<T> for FrameBuffer<T> {
    fn at(&self, frame: usize) -> Option<&T> {
        let is_held = frame < self.end && frame + self.items.len() >= self.end;
        is_held.then(|| &self.items[frame % self.items.len()])
    }
}
