//! Clips edited as signals: all degrees of freedom at once, by the methods of SIGNAL.
//!
//! Reference: SIGNAL (Bruderlin 1995), chapter 5.
//!
//! A clip becomes [`Curves`]: channels, one for each degree of freedom, that are continuous and have no bounds. Each
//! tool edits channels, of all joints or of a [`Selection`], and the channels become a clip of valid rotations again.
//!
//! | tool | file | SIGNAL |
//! |---|---|---|
//! | equaliser | `bands.rs`, `equalize.rs`, `presets.rs`, `positions.rs` | 5.1 |
//! | multitarget interpolation | `blend.rs` | 5.2.1 |
//! | timewarping | `find_warp.rs`, `correspond/`, `fit_warp.rs`, `smooth_path.rs`, `register_contacts.rs` | 5.2.2 |
//! | | `time_warp.rs`, `apply_warp.rs` | 5.2.2 |
//! | waveshaping | `shape.rs`, `shape_library.rs`, `spline.rs` | 5.3, 3.3.3 |
//! | joint limits | `joint_angles.rs`, `joint_limits.rs`, `limit_table.rs` | 5.3 |
//! | displacement mapping | `displace.rs`, `displacements.rs`, `reach_key.rs` | 5.4 |
//! | concatenation, looping | `concat.rs`, `find_loop.rs` | 5.5 |
//! | cleaning filters | `filters/` | |
//! | style transfer | `transfer.rs` | 5.5, 6 |

mod amount;
mod apply_warp;
mod bands;
mod blend;
mod body_parts;
mod concat;
mod correspond;
mod curves;
mod displace;
mod displace_error;
mod displacements;
mod edit;
mod equalize;
pub mod filters;
mod find_loop;
mod find_warp;
mod fit_warp;
mod joint_angles;
mod joint_limits;
mod limit_table;
mod match_clips;
mod pose_distance;
mod positions;
mod presets;
mod reach_key;
mod register_contacts;
mod retime_contacts;
mod root_trajectory;
mod selection;
mod shape;
mod shape_library;
mod signal_clip;
mod smooth_path;
mod spline;
mod stride_phase;
mod time_warp;
mod transfer;
#[cfg(test)]
mod turned_axes;
mod vote_contacts;

pub use amount::{Amount, AmountError};
pub use apply_warp::{apply_path, apply_warp};
pub use bands::{
    BandRange, BandSplitter, Bands, Edge, band_ranges, band_response, choose_bands, count_bands, gains_of_curve,
    gains_response, level_response,
};
pub use blend::{Blend, BlendError, BlendOptions, PartWeights, Registration, blend};
pub use concat::{Concat, ConcatOptions, Cut, Fade, Seam, concat};
pub use correspond::{CorrespondOptions, Correspondence, MAX_SLOPE, Search, correspond};
pub use curves::{Curves, Quantity, Reference, Track};
pub use displace::{
    DisplaceKey, DisplaceOptions, Displaced, EndTurn, KeyChange, KeyExtent, KeyFlow, MoveAxes, ReachGoal, Reached,
    TurnAxes, displace,
};
pub use displace_error::DisplaceError;
pub use edit::{
    BlendEdit, ChangeWords, ConcatEdit, DisplaceEdit, Edit, EqualizeEdit, EqualizedSignals, FadeWords, FilterEdit,
    GainWords, GroundWords, JointWords, KeepPlantsEdit, KeyTime, KeyWords, KeysFile, PartWords, RegisterBy,
    RegisterEdit, ShapeEdit, TransferBy, TransferEdit, WarpEdit,
};
pub use equalize::{
    BandChoice, BandGains, EqualizeError, EqualizeOptions, MAX_AMOUNT, MAX_GAIN, equalize, gains_of_choices,
};
pub use find_loop::{Closed, Loop, LoopError, LoopOptions, find_loop};
pub use find_warp::{FindWarpOptions, Finish, FoundWarp, JointWeights, find_warp};
pub use joint_angles::{JointAngle, JointAngles, JointAxes, JointKind};
pub use joint_limits::{CappedAngle, JointLimit, JointLimitError, LimitOptions, Limited, limit_joints};
pub use limit_table::anatomical_limits;
pub use match_clips::{MatchError, MatchedClip, match_clip};
pub use positions::equalize_positions;
pub use presets::{Preset, apply_preset};
pub use reach_key::Limb;
pub use register_contacts::{
    FootEvent, FootEventKind, RegisterOptions, RegisteredContacts, foot_events, register_contacts,
};
pub use retime_contacts::retime_contacts;
pub use selection::{GROUPS, Selection, SelectionError};
pub use shape::{
    ChannelAmounts, ChannelRange, ChannelSpan, Limit, Limits, Shape, ShapeError, ShapeOptions, shape_channel,
    shape_channels,
};
pub use shape_library::{NamedShape, NamedShapeError, SHAPES, ShapeNumber, named_shape};
pub use signal_clip::SignalClip;
pub use spline::{ControlPoint, Ends, Slope, Spline, SplineError, Tcb};
pub use stride_phase::StridePhase;
pub use time_warp::{AnchorProblem, KnotProblem, TimeWarp, WarpError};
pub use transfer::{StyleMatch, TransferError, TransferOptions, Transferred, transfer};
pub use vote_contacts::{Voter, vote_contacts};
