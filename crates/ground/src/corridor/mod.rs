//! Ways through a scene: the Corridor Map Method of Geraerts and Overmars (GRAPH 2.1, its reference \[1\]).

mod attraction;
mod border;
mod box_tree;
mod cell;
mod closed_off;
mod error;
mod graph;
mod map;
mod medial_axis;
mod outlines;
mod query;
mod relax;
mod replan;
mod route;
mod straighten;
#[cfg(test)]
mod test_scenes;
mod touching_disc;
mod walls;

use surefoot_geom::Vec2;

pub use border::Nearest;
pub use error::{BlockedPath, MapError, QueryError};
pub use map::{CorridorMap, CorridorOptions};
pub use query::{Corridor, PathOptions};
pub use replan::Replan;

/// A disc in which nothing stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disk {
    /// `(x, z)`.
    pub centre: Vec2,
    /// In metres.
    pub radius: f64,
}

/// How far from the origin a map reaches, in metres: nanometres are exact there.
pub const MAX_MAP_REACH: f64 = 1e4;
/// Widest clearance of a query, in metres.
pub const MAX_CLEARANCE: f64 = 1e3;
/// Range of [`CorridorOptions::spacing`], in metres. A finer map has more discs than a person notices; a coarser one is no
/// longer smooth where it is narrow.
pub const MIN_SPACING: f64 = 0.005;
/// See [`MIN_SPACING`].
pub const MAX_SPACING: f64 = 1.0;

/// Clearances are kept up to this, in metres: the map stands on a grid of a nanometre, and a person fits through a gap that is
/// exactly as wide as they are.
const TOLERANCE: f64 = 1e-8;
