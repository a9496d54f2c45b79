//! Clips edited as signals: all degrees of freedom at once, by the methods of SIGNAL.
//!
//! Reference: SIGNAL (Bruderlin 1995), chapter 5.
//!
//! A clip becomes [`Curves`]: rows of numbers, one for each degree of freedom, that are continuous and have no bounds. Each
//! tool edits rows, of all joints or of a [`Selection`], and the rows become a clip of valid rotations again.
//!
//! | tool | file | SIGNAL |
//! |---|---|---|
//! | equaliser | `bands.rs`, `equalize.rs`, `positions.rs` | 5.1 |
//! | multitarget interpolation | `blend.rs` | 5.2.1 |
//! | timewarping | `find_warp.rs`, `correspond/`, `smooth_path.rs`, `fit_warp.rs`, `time_warp.rs`, `apply_warp.rs`, `register_contacts.rs` | 5.2.2 |
//! | waveshaping | `shape.rs`, `joint_limits.rs` | 5.3, 3.3.3 |
//! | displacement mapping | `displace.rs` | 5.4 |
//! | concatenation, looping | `concat.rs`, `find_loop.rs` | 5.5 |
//! | cleaning filters | `filters/` | |
//! | style transfer | `transfer.rs` | 5.5, 6 |

mod amount;
mod apply_warp;
mod correspond;
mod curves;
mod find_warp;
mod fit_warp;
mod register_contacts;
mod selection;
mod smooth_path;
mod time_warp;

pub use amount::{Amount, AmountError};
pub use apply_warp::{apply_path, apply_warp};
pub use correspond::{CorrespondOptions, Correspondence, MAX_SLOPE, Search, correspond};
pub use curves::{Curves, Quantity, Reference, Track};
pub use find_warp::{FindWarpOptions, Finish, FoundWarp, JointWeights, find_warp};
pub use register_contacts::{
    FootEvent, FootEventKind, RegisterOptions, RegisteredContacts, foot_events, register_contacts,
};
pub use selection::{GROUPS, Selection, SelectionError};
pub use time_warp::{AnchorProblem, KnotProblem, TimeWarp, WarpError};
