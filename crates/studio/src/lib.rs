//! The studio: a server on this computer and a page in the browser, where footprints are dragged and the person steps there.
//!
//! ```text
//! page (web/, and the modules of surefoot-viewer)
//!    |  requests with numbers: JSON          answers: JSON and bytes, binary
//!    v
//! guard        loopback, Host, Origin, a random token in the path
//! socket       one window: jobs with progress and cancel, edits of the plan, autosave
//! plan_session the plan that all windows share: edits are merged, a thread previews and solves
//! run_request  any job of `surefoot::jobs` by its name, its paths confined, its panics caught
//! ```
//!
//! Nothing is computed here: motion comes from jobs and from [`surefoot::jobs::PlanEditor`]. Nothing is written but what a request names;
//! results that nobody saved lie in a scratch folder that goes with the server.

mod assets;
mod autosave;
mod guard;
mod message;
mod open_browser;
mod plan_session;
mod run_request;
mod server;
mod socket;
mod windows;
mod workplace;

pub use server::{Studio, StudioError, StudioOptions};

/// Largest message of a window, in bytes: a plan of thousands of footprints twice.
pub const MAX_MESSAGE_BYTES: usize = 4_000_000;
/// Largest file that can be dropped on the page, in bytes.
pub const MAX_UPLOAD_BYTES: usize = 256_000_000;
/// What lies in the scratch folder, dropped files and results that nobody saved, for another dropped file to be taken. Results themselves
/// are not refused: each panel of a window has two at most, and the later ones replace these.
pub const MAX_SCRATCH_BYTES: u64 = 2_000_000_000;
/// Most windows at once.
pub const MAX_WINDOWS: usize = 16;
