//! Where feet are asked to be planted, and when.
//!
//! Whether a person could do it is for `surefoot_plan::PlanChecker` to check.

use surefoot_geom::Vec3;
use surefoot_motion::Side;

/// What a person does to come to a footprint. Normally left to be inferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Behaviour {
    /// Both feet are planted when the foot lands.
    Walk,
    /// The other foot has left when the foot lands.
    Run,
    /// A flight from one foot or both, to one foot or both.
    Jump,
    /// A step up or down a stair.
    Stair,
    /// A flight from one foot to the same.
    Hop,
    /// Planted from the start: what the first two footprints are.
    Stand,
}

impl Behaviour {
    /// In the order of the documentation.
    pub const ALL: [Behaviour; 6] =
        [Behaviour::Walk, Behaviour::Run, Behaviour::Jump, Behaviour::Stair, Behaviour::Hop, Behaviour::Stand];

    /// Whether the person is in the air on the way.
    pub fn is_flight(self) -> bool {
        matches!(self, Behaviour::Run | Behaviour::Jump | Behaviour::Hop)
    }

    /// As plan files have it.
    pub fn name(self) -> &'static str {
        match self {
            Behaviour::Walk => "walk",
            Behaviour::Run => "run",
            Behaviour::Jump => "jump",
            Behaviour::Stair => "stair",
            Behaviour::Hop => "hop",
            Behaviour::Stand => "stand",
        }
    }
}

/// A place for a foot. Side and position are hard constraints; heading and times are soft targets.
///
/// Times are given in one of two forms. `land` and `leave` are absolute: flight is a gap between stances, a two-footed
/// landing two equal `land`s, a hop two stances of one foot with a gap between them. `swing` and `support` are relative to the
/// steps around, so that inserting a footprint shifts what follows. `surefoot_plan::step_timing` reads both in one place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// Which foot.
    pub side: Side,
    /// Where the ball is planted.
    pub position: Vec3,
    /// Upward normal of the ground there, a unit vector; +Y on level ground.
    pub normal: Vec3,
    /// Direction from heel to toe; 0 is +Z, positive turns toward +X.
    pub heading: Option<f64>,
    /// When the foot lands, in seconds from the first frame.
    pub land: Option<f64>,
    /// When it leaves, in seconds from the first frame.
    pub leave: Option<f64>,
    /// Seconds in the air before it.
    pub swing: Option<f64>,
    /// Seconds of double support after landing here; 0 means that the other foot has left by then, so that the landing
    /// ends a flight.
    pub support: Option<f64>,
    /// What to do to come here, if it shall not be inferred.
    pub behaviour: Option<Behaviour>,
    /// Whether repair must leave it where it is.
    pub is_fixed: bool,
}

impl Footprint {
    /// A footprint on level ground that leaves everything else open.
    pub fn at(side: Side, position: Vec3) -> Footprint {
        Footprint {
            side,
            position,
            normal: Vec3::Y,
            heading: None,
            land: None,
            leave: None,
            swing: None,
            support: None,
            behaviour: None,
            is_fixed: false,
        }
    }
}

/// Footprints in the order they are taken; the first two are the standing feet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FootPlan {
    /// In order of time.
    pub footprints: Vec<Footprint>,
}

impl FootPlan {
    /// Where a foot was planted before it came to a footprint; `None` for its first.
    pub fn previous_of_side(&self, index: usize) -> Option<&Footprint> {
        let side = self.footprints[index].side;
        self.footprints[..index].iter().rev().find(|footprint| footprint.side == side)
    }
}
