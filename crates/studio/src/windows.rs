//! The windows that are open: who gets what is sent to all.

use crate::MAX_WINDOWS;
use crate::message::Packed;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Messages that may wait for a window; one that takes no more is taken to be gone.
const MOST_WAITING: usize = 256;

/// Frames of a stream that may wait for a window.
const MOST_STREAMED: usize = 2;

/// Every open window by its number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Windows {
    open: Arc<Mutex<Open>>,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    senders: BTreeMap<u64, Sender<Packed>>,
}

impl Windows {
    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new window, unless there are too many.
    pub(crate) fn add(&self) -> Option<(u64, Receiver<Packed>)> {
        let mut open = self.open();
        if open.senders.len() >= MAX_WINDOWS {
            return None;
        }
        let (sender, receiver) = channel(MOST_WAITING);
        open.next += 1;
        let number = open.next;
        open.senders.insert(number, sender);
        Some((number, receiver))
    }

    /// A window was closed.
    pub(crate) fn remove(&self, window: u64) {
        self.open().senders.remove(&window);
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.open().senders.len()
    }

    /// To one window; one that takes nothing any more is dropped, and its page connects again.
    pub(crate) fn send(&self, window: u64, message: Packed) {
        let mut open = self.open();
        if open.senders.get(&window).is_some_and(|sender| sender.try_send(message).is_err()) {
            open.senders.remove(&window);
        }
    }

    /// To one window, unless several messages wait for it already: of a stream the newest frames count. Returns whether there is such
    /// a window still.
    pub(crate) fn send_if_free(&self, window: u64, message: Packed) -> bool {
        let open = self.open();
        let Some(sender) = open.senders.get(&window) else { return false };
        if sender.max_capacity() - sender.capacity() < MOST_STREAMED {
            let _ = sender.try_send(message);
        }
        true
    }

    /// To all windows.
    pub(crate) fn send_all(&self, message: &Packed) {
        self.open().senders.retain(|_, sender| sender.try_send(message.clone()).is_ok());
    }
}
