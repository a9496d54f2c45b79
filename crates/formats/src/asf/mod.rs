//! Acclaim skeletons (ASF) and motions (AMC).
//!
//! Reference: Acclaim Skeleton File Definition 1.10 (M. Schafer, 1995), and what Vicon's BodyBuilder makes of it, which
//! is how the CMU database was written. A skeleton is a tree of bones. Each bone starts where its parent ends and
//! reaches `length` along `direction`, which is given in the world, in the rest pose:
//!
//! ```text
//!   root o------->o------->o------->*     o  joint: the bone's start, named like the bone
//!         lhipjoint lfemur   ltibia       *  end site: the end of a bone without children
//! ```
//!
//! A bone turns about axes of its own. With `C` the rotation of `axis` (in the world) and `R` the product of the
//! rotations of `dof`, the bone's rotation relative to its parent is `C R C^-1`. Both products turn about fixed axes in
//! the order listed, so the first listed is the innermost factor: `rx ry rz` is `Rz Ry Rx`.
//!
//! Decisions where the format is silent or its readers differ:
//!
//! 1. Numbers of `axis`, `position` and `orientation` are x, y, z, whatever order `axis` names.
//! 2. The root's `order` says in which order its values stand and its rotations turn. Its translation is never turned
//!    by them, wherever it stands, as in every recording.
//! 3. `position` and `orientation` of the root are the base that all motion is relative to.
//! 4. A bone's `tx ty tz` move its start along its own axes; `l` moves what hangs on its end along its direction.
//! 5. `limits` are kept and never applied: the recording was clipped when it was made.
//! 6. `length` of `:units` is kept and not applied. The definition says to multiply by it; the CMU database, most of
//!    all ASF files there are, means inches divided by it. The importer finds the unit by the length of the legs.
//! 7. Keywords and bone names are compared without regard to case, commas and parentheses are blanks.

mod find_asf;
mod hierarchy;
mod read_amc;
mod read_asf;
mod to_document;
mod words;

pub use find_asf::find_asf_beside;
pub use read_amc::{Amc, read_amc};
pub use read_asf::read_asf;
pub use to_document::{into_document, skeleton_document};

use crate::Warning;
use std::collections::HashMap;
use surefoot_geom::Vec3;
use surefoot_geom::euler::{self, AxisIndex};

/// What angles are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AngleUnit {
    /// A full turn is 360.
    Degrees,
    /// A full turn is 2 pi.
    Radians,
}

impl AngleUnit {
    /// The factor from this unit to radians.
    pub fn to_radians(self) -> f64 {
        match self {
            AngleUnit::Degrees => std::f64::consts::PI / 180.0,
            AngleUnit::Radians => 1.0,
        }
    }

    /// `deg` or `rad`, as ASF spells it.
    pub fn name(self) -> &'static str {
        match self {
            AngleUnit::Degrees => "deg",
            AngleUnit::Radians => "rad",
        }
    }
}

/// What one motion value of a bone does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dof {
    /// Moves along an axis; 0 is X.
    Translation(AxisIndex),
    /// Turns about an axis; 0 is X.
    Rotation(AxisIndex),
    /// Lengthens the bone.
    Length,
}

/// The multipliers of `:units`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// Of masses; 1 unless stated.
    pub mass: f64,
    /// Of lengths; 1 unless stated. Not applied, see the module.
    pub length: f64,
    /// Of `axis`, `orientation` and `limits`; degrees unless stated.
    pub angle: AngleUnit,
}

impl Default for Units {
    fn default() -> Units {
        Units { mass: 1.0, length: 1.0, angle: AngleUnit::Degrees }
    }
}

/// A rotation as three angles about fixed axes, taken in an order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisAngles {
    /// About x, y and z, in the skeleton's angle unit.
    pub angles: Vec3,
    /// Which axis turns first, second and third.
    pub order: [AxisIndex; 3],
}

impl Default for AxisAngles {
    fn default() -> AxisAngles {
        AxisAngles { angles: Vec3::ZERO, order: [0, 1, 2] }
    }
}

impl AxisAngles {
    /// The rotation itself.
    pub fn rotation(&self, unit: AngleUnit) -> surefoot_geom::Quat {
        let [first, second, third] = self.order;
        let angles = self.angles * unit.to_radians();
        euler::compose(&[third, second, first], &[angles[third], angles[second], angles[first]])
    }
}

/// The root: what moves the whole body.
#[derive(Clone, Debug, PartialEq)]
pub struct Root {
    /// Its motion values, in the order of the AMC.
    pub order: Vec<Dof>,
    /// Where it stands before any motion, in the file's unit.
    pub position: Vec3,
    /// How it is turned before any motion.
    pub orientation: AxisAngles,
}

/// A bone.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// As the file spells it.
    pub name: String,
    /// `None` for children of the root; an index into [`Asf::bones`] otherwise.
    pub parent: Option<usize>,
    /// From start to end in the rest pose, in the world; of length one, or zero for a bone of no length.
    pub direction: Vec3,
    /// In the file's unit; not negative.
    pub length: f64,
    /// Its own axes, in the world.
    pub axis: AxisAngles,
    /// Its motion values, in the order of the AMC.
    pub dofs: Vec<Dof>,
    /// Lowest and highest value of each of `dofs`, perhaps infinite; empty where the file gives none.
    pub limits: Vec<(f64, f64)>,
}

/// A skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Asf {
    /// What `:name` says.
    pub name: Option<String>,
    /// What numbers are counted in.
    pub units: Units,
    /// What moves the whole body.
    pub root: Root,
    /// In the order of `:bonedata`.
    pub bones: Vec<Bone>,
    /// Children of the root and of each bone in the order of `:hierarchy`, flattened depth first: every bone once,
    /// parents before children.
    pub depth_first: Vec<usize>,
    /// What was unusual and read all the same.
    pub warnings: Vec<Warning>,
    /// Bone of each name, in lower case; `None` is the root.
    by_name: HashMap<Vec<u8>, Option<usize>>,
}

impl Asf {
    /// Motion values of all bones, without the root's.
    pub fn n_bone_dofs(&self) -> usize {
        self.bones.iter().map(|bone| bone.dofs.len()).sum()
    }

    /// Motion values in a frame.
    pub fn n_dofs(&self) -> usize {
        self.root.order.len() + self.n_bone_dofs()
    }
}
