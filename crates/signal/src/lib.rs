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
//! | timewarping | `correspond.rs`, `time_warp.rs`, `apply_warp.rs`, `register_contacts.rs` | 5.2.2 |
//! | waveshaping | `shape.rs`, `joint_limits.rs` | 5.3, 3.3.3 |
//! | displacement mapping | `displace.rs` | 5.4 |
//! | concatenation, looping | `concat.rs`, `find_loop.rs` | 5.5 |
//! | cleaning filters | `filters/` | |
//! | style transfer | `transfer.rs` | 5.5, 6 |

mod amount;
mod body_parts;
mod curves;
mod displace;
mod displace_error;
mod displacements;
mod joint_angles;
mod joint_limits;
mod limit_table;
mod reach_key;
mod selection;
mod shape;
mod shape_library;
mod spline;
#[cfg(test)]
mod turned_axes;

pub use amount::{Amount, AmountError};
pub use curves::{Curves, Quantity, Reference, Track};
pub use displace::{
    Change, DisplaceKey, DisplaceOptions, Displaced, EndTurn, Extent, Flow, Goal, MoveAxes, Reached, TurnAxes, displace,
};
pub use displace_error::DisplaceError;
pub use joint_angles::{JointAngle, JointAngles, JointAxes, JointKind};
pub use joint_limits::{CappedAngle, JointLimit, JointLimitError, LimitOptions, Limited, limit_joints};
pub use limit_table::{MARGIN, anatomical_limits};
pub use reach_key::Limb;
pub use selection::{GROUPS, Selection, SelectionError};
pub use shape::{Limit, Limits, RowAmounts, RowRange, RowSpan, Shape, ShapeError, ShapeOptions, shape_row, shape_rows};
pub use shape_library::{NamedShape, NamedShapeError, SHAPES, ShapeNumber, named_shape};
pub use spline::{ControlPoint, Ends, Slope, Spline, SplineError, Tcb};
