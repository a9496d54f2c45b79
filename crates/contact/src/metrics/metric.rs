//! A measured number as people and machines read it: with a stable name, a unit, a place and a frame.
//!
//! The measures return structs in SI units. A [`Metric`] is one number of them; its [`Definition`] says what it means, what it needs
//! and which thresholds it has, once for all clips ([`super::catalogue`]).

/// The unit that a metric is shown in. Values are kept in SI units, angles in radians, shares as numbers up to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// How many.
    Count,
    /// A plain number.
    One,
    /// A share.
    Percent,
    /// Millimetres.
    Mm,
    /// Centimetres.
    Cm,
    /// Centimetres in each frame.
    CmPerFrame,
    /// Centimetres a second.
    CmPerS,
    /// Metres a second.
    MPerS,
    /// Metres a second cubed.
    MPerS3,
    /// Degrees.
    Deg,
    /// Degrees a second.
    DegPerS,
    /// Degrees a second squared.
    DegPerS2,
    /// Milliseconds.
    Ms,
    /// Square centimetres along metres.
    Cm2M,
}

impl Unit {
    /// As written after a number; empty for counts and plain numbers.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Count | Unit::One => "",
            Unit::Percent => "%",
            Unit::Mm => "mm",
            Unit::Cm => "cm",
            Unit::CmPerFrame => "cm/frame",
            Unit::CmPerS => "cm/s",
            Unit::MPerS => "m/s",
            Unit::MPerS3 => "m/s3",
            Unit::Deg => "deg",
            Unit::DegPerS => "deg/s",
            Unit::DegPerS2 => "deg/s2",
            Unit::Ms => "ms",
            Unit::Cm2M => "cm2 m",
        }
    }

    /// A value in SI units as this unit shows it.
    pub fn shown(self, value: f64) -> f64 {
        match self {
            Unit::Count | Unit::One | Unit::MPerS | Unit::MPerS3 => value,
            Unit::Percent | Unit::Cm | Unit::CmPerFrame | Unit::CmPerS => value * 100.0,
            Unit::Mm | Unit::Ms => value * 1000.0,
            Unit::Deg | Unit::DegPerS | Unit::DegPerS2 => value.to_degrees(),
            Unit::Cm2M => value * 1e4,
        }
    }
}

/// What metrics are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Skating by GRAPH 4.1.
    Graph,
    /// Skating by GMD.
    Gmd,
    /// Skating by Kimodo.
    Kimodo,
    /// Skating by MANN.
    Mann,
    /// Skating by Holosoma.
    Holosoma,
    /// How still plants are.
    Plants,
    /// Soles and ground.
    Ground,
    /// Legs and bones.
    Legs,
    /// Pops and jerks.
    Smoothness,
    /// The wave of the pelvis.
    Sway,
    /// Against a foot plan.
    Plan,
    /// Against a path.
    Path,
    /// What it took to find the motion.
    Search,
    /// Against a reference.
    Reference,
}

impl Family {
    /// In the order of reports.
    pub const ALL: [Family; 14] = [
        Family::Graph,
        Family::Gmd,
        Family::Kimodo,
        Family::Mann,
        Family::Holosoma,
        Family::Plants,
        Family::Ground,
        Family::Legs,
        Family::Smoothness,
        Family::Sway,
        Family::Plan,
        Family::Path,
        Family::Search,
        Family::Reference,
    ];

    /// A heading for it.
    pub fn title(self) -> &'static str {
        match self {
            Family::Graph => "skating (GRAPH 4.1)",
            Family::Gmd => "skating (GMD)",
            Family::Kimodo => "skating (Kimodo)",
            Family::Mann => "skating (MANN)",
            Family::Holosoma => "skating (Holosoma)",
            Family::Plants => "plants",
            Family::Ground => "ground",
            Family::Legs => "legs and bones",
            Family::Smoothness => "smoothness",
            Family::Sway => "sway of the pelvis (GRAPH 4.3)",
            Family::Plan => "foot plan",
            Family::Path => "path",
            Family::Search => "search (GRAPH 4.4)",
            Family::Reference => "reference",
        }
    }

    /// Why a metric of this family can be missing.
    pub fn needs(self) -> &'static str {
        match self {
            Family::Graph | Family::Kimodo | Family::Mann => "it needs frames in which a foot is low",
            Family::Gmd => "it needs a tenth of a second of motion",
            Family::Holosoma | Family::Plants => "it needs planted feet",
            Family::Ground => "it needs frames, and floating needs planted feet",
            Family::Legs | Family::Smoothness => "it needs more frames",
            Family::Sway => "it needs a pelvis that travels half a metre and sways to both sides",
            Family::Plan => "it needs a foot plan, and plants that realise it",
            Family::Path => "it needs a path, and a pelvis that moves 10 cm",
            Family::Search => "it needs the report of the walk through a motion graph",
            Family::Reference => "it needs a reference with joints and frames in common",
        }
    }
}

/// What a metric is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Never changes its meaning: gates and reports refer to it.
    pub name: &'static str,
    /// That it is shown in.
    pub unit: Unit,
    /// The unit that it is reported in.
    pub family: Family,
    /// What it means.
    pub about: &'static str,
    /// What had to be decided for it: heights, speeds, times. Empty if nothing.
    pub threshold: &'static str,
}

/// A measured number.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// What it is.
    pub definition: &'static Definition,
    /// In SI units; finite.
    pub value: f64,
    /// Whose it is: a joint's name, `left ball`, `footprint 3`.
    pub place: Option<String>,
    /// The clip's frame in which it happens, from 0.
    pub frame: Option<usize>,
    /// Frames a second that it was measured at.
    pub frame_rate: f64,
}

impl Metric {
    /// The value as its unit shows it.
    pub fn shown(&self) -> f64 {
        self.definition.unit.shown(self.value)
    }

    /// The name, which is stable.
    pub fn name(&self) -> &'static str {
        self.definition.name
    }

    /// The name of the unit.
    pub fn unit(&self) -> &'static str {
        self.definition.unit.name()
    }
}
