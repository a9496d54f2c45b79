//! Motion graphs: recorded clips cut where they resemble each other, and walked along a path.
//!
//! Reference: GRAPH (van Basten, Egges and Geraerts 2010).

pub mod align;
mod motion_set;

pub use motion_set::{MotionSet, MotionSetError};
