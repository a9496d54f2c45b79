//! Where feet shall stand.

use surefoot_geom::Vec3;
use surefoot_motion::Side;

/// A place for a foot. Position and side are demands; heading and times are wishes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// Which foot.
    pub side: Side,
    /// Where the ball stands.
    pub position: Vec3,
    /// Direction from heel to toe; 0 is +Z, positive turns toward +X.
    pub heading: Option<f64>,
    /// Seconds in the air on the way here.
    pub swing: Option<f64>,
    /// Seconds with both feet down after landing here.
    pub support: Option<f64>,
}

/// Footprints in the order they are taken; the first two are the standing feet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FootPlan {
    /// In order of time.
    pub footprints: Vec<Footprint>,
}
