//! Skating of feet by five published definitions, each in a file of its own.
//!
//! They disagree about what is planted, what counts as sliding and what to divide by, so a metric means nothing without its name:
//! [`graph`] (GRAPH 4.1), [`gmd`], [`kimodo`], [`mann`] and [`holosoma`]. All take the ball for the toe joint of their own
//! skeletons.
//!
//! Heights of a ball are over a floor [`BALL_HEIGHT`] below the heights on which it is planted ([`super::standing_ranges`]), because the
//! definitions count from the sole and the joint lies above it; or over a flat floor that is given.

pub mod gmd;
pub mod graph;
pub mod holosoma;
pub mod kimodo;
pub mod mann;

use super::foot_points::FootPoints;
use crate::detect_by_height::{HeightDetectOptions, heights_over_floor, low_groups};
use crate::standing_height::{heights_above_standing, standing_ranges};
use crate::{Contacts, FootPart};
use gmd::GmdSkating;
use graph::GraphSkating;
use holosoma::HolosomaSkating;
use kimodo::KimodoSkating;
use mann::MannSkating;
use std::ops::Range;
use surefoot_motion::{PerSide, Side};

pub use crate::standing_height::BALL_HEIGHT;

/// A ball lower than this many metres counts as down: the height that GMD, Kimodo and most others use.
pub const LOW: f64 = 0.05;

/// Skating by all definitions.
#[derive(Clone, Debug, PartialEq)]
pub struct Skating {
    /// GRAPH 4.1, planted by height and time.
    pub graph: GraphSkating,
    /// The sum of GRAPH 4.1 over the take's own contacts, heels and balls.
    pub graph_in_contacts: GraphSkating,
    /// GMD and OmniControl.
    pub gmd: GmdSkating,
    /// Kimodo.
    pub kimodo: KimodoSkating,
    /// MANN and RSMT.
    pub mann: MannSkating,
    /// Holosoma and OmniRetarget, over the ball plants of the take's contacts.
    pub holosoma: HolosomaSkating,
}

/// One foot, as the definitions look at it.
#[derive(Clone, Debug, PartialEq)]
pub struct SkateTrack {
    /// Its places.
    pub points: FootPoints,
    /// Height of the ball over the floor, frame by frame.
    pub ball_height: Vec<f64>,
    /// Height of the ball over its standing height.
    pub ball_above_standing: Vec<f64>,
    /// Height of the ankle over where it is when the ball is planted.
    pub ankle_above_standing: Vec<f64>,
}

impl SkateTrack {
    /// A foot over the heights it is planted on, or over a flat `floor`.
    pub fn new(points: &FootPoints, frame_rate: f64, floor: Option<f64>) -> SkateTrack {
        let standing = standing_ranges(&points.ball, frame_rate);
        let options = HeightDetectOptions { floor, ball_height: BALL_HEIGHT, ..HeightDetectOptions::default() };
        let ball_height = heights_over_floor(&points.ball, &standing, &options);
        let ball_above_standing = heights_above_standing(&points.ball, &standing);
        let ankle_above_standing = heights_above_standing(&points.ankle, &standing);
        SkateTrack { points: points.clone(), ball_height, ball_above_standing, ankle_above_standing }
    }
}

/// Measures skating by all definitions. `floor` is the height of a flat floor for GRAPH, GMD and Kimodo; without one they look at
/// the heights that each ball is planted on.
pub fn measure_skating(
    feet: &PerSide<FootPoints>,
    contacts: &Contacts,
    frame_rate: f64,
    floor: Option<f64>,
) -> Skating {
    let tracks = PerSide::from_fn(|side| SkateTrack::new(&feet[side], frame_rate, floor));
    let low = HeightDetectOptions { max_height: LOW, ..HeightDetectOptions::default() };
    let by_height = PerSide::from_fn(|side| low_groups(&tracks[side].ball_height, frame_rate, &low));
    Skating {
        graph: graph::measure(&tracks, &by_height),
        graph_in_contacts: graph::measure(&tracks, &PerSide::from_fn(|side| plant_ranges(contacts, side, None))),
        gmd: gmd::measure(&tracks, frame_rate),
        kimodo: kimodo::measure(&tracks, frame_rate),
        mann: mann::measure(&tracks, frame_rate),
        holosoma: holosoma::measure(&tracks, &ball_plants(contacts), frame_rate),
    }
}

/// The frames of a foot's plants: of one part, or of both.
pub(super) fn plant_ranges(contacts: &Contacts, side: Side, part: Option<FootPart>) -> Vec<Range<usize>> {
    let plants = contacts.plants[side].iter().filter(|plant| part.is_none_or(|part| plant.part == part));
    plants.map(|plant| plant.frames.clone()).collect()
}

fn ball_plants(contacts: &Contacts) -> PerSide<Vec<Range<usize>>> {
    PerSide::from_fn(|side| plant_ranges(contacts, side, Some(FootPart::Ball)))
}

/// A share; `None` of nothing.
fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
