//! How a running job talks to whoever started it: progress out, a cancel flag in, and the only clock.

use crate::job_error::JobError;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How far a job is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Parts that are done.
    pub done: u64,
    /// Parts that there are.
    pub total: u64,
    /// What is being worked on, such as a file's name; may be empty.
    pub item: String,
}

/// Stops a job from another thread. Clones share one flag.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// Asks the job to stop; it does so at its next check, and writes nothing.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Who receives progress, on whichever thread it is made.
type ProgressReceiver = dyn Fn(&Progress) + Send + Sync;

/// What a job is given besides its request. The result does not depend on it.
#[derive(Clone, Default)]
pub struct JobContext {
    progress: Option<Arc<ProgressReceiver>>,
    cancel: CancelFlag,
}

impl JobContext {
    /// No progress, no cancelling.
    pub fn silent() -> JobContext {
        JobContext::default()
    }

    /// The same context with a receiver of progress.
    pub fn with_progress(self, progress: impl Fn(&Progress) + Send + Sync + 'static) -> JobContext {
        JobContext { progress: Some(Arc::new(progress)), ..self }
    }

    /// The same context with a cancel flag.
    pub fn with_cancel(self, cancel: CancelFlag) -> JobContext {
        JobContext { cancel, ..self }
    }

    /// Reports progress, and stops the job if that was asked for.
    pub fn advance(&self, done: u64, total: u64, item: &str) -> Result<(), JobError> {
        self.report(done, total, item);
        self.check()
    }

    /// Reports progress from where a job cannot stop.
    pub fn report(&self, done: u64, total: u64, item: &str) {
        if let Some(progress) = &self.progress {
            progress(&Progress { done, total, item: item.to_string() });
        }
    }

    /// For work on `total` files: called before each, it reports progress, and an error if the job was cancelled.
    pub fn each_file(&self, total: usize) -> impl FnMut(&Path) -> Result<(), JobError> + '_ {
        let mut done = 0;
        move |path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            done += 1;
            self.advance(done - 1, total as u64, &name)
        }
    }

    /// An error if the job was cancelled.
    pub fn check(&self) -> Result<(), JobError> {
        if self.cancel.is_cancelled() { Err(JobError::cancelled()) } else { Ok(()) }
    }

    /// The time now. Durations in reports are measured here and nowhere above.
    pub fn now(&self) -> Instant {
        Instant::now()
    }
}

impl std::fmt::Debug for JobContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JobContext").field("cancel", &self.cancel).finish_non_exhaustive()
    }
}
