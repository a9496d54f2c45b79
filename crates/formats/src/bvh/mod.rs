//! BVH, the Biovision hierarchy: a tree of joints with offsets and channels, then rows of numbers.
//!
//! No two programs write quite the same BVH, and the format says nothing about unit, up axis or which direction is forward. This
//! module reads the dialects that its tests list into a [`Bvh`], which holds what the file says and nothing else;
//! [`Bvh::into_document`] turns its channels into transforms. The reader is iterative (a chain of any depth is fine), keeps
//! lines for its errors, and never allocates more than a few times the bytes that are really there.

mod number;
mod poses;
mod read_hierarchy;
mod read_motion;
mod words;
mod write;

use crate::plain_text::text_within;
use crate::{ErrorKind, ReadError, Warning};
use surefoot_geom::Vec3;
pub use write::{BvhOptions, BvhText, write_bvh};

/// What a motion value does to its joint. The number is an axis: 0 is X, 1 is Y, 2 is Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Replaces one axis of OFFSET.
    Position(usize),
    /// Turns about an axis, in degrees; rotations multiply in the order they are listed.
    Rotation(usize),
    /// Read and ignored.
    Scale(usize),
}

impl Channel {
    /// The channel as files name it.
    pub fn name(self) -> &'static str {
        match self {
            Channel::Position(axis) => ["Xposition", "Yposition", "Zposition"][axis],
            Channel::Rotation(axis) => ["Xrotation", "Yrotation", "Zrotation"][axis],
            Channel::Scale(axis) => ["Xscale", "Yscale", "Zscale"][axis],
        }
    }
}

/// A ROOT or JOINT.
#[derive(Clone, Debug, PartialEq)]
pub struct BvhJoint {
    /// As the file spells it; may hold spaces and may repeat.
    pub name: String,
    /// `None` for a ROOT. Parents come before children.
    pub parent: Option<usize>,
    /// In the file's unit and axes.
    pub offset: Vec3,
    /// In the order of the file.
    pub channels: Vec<Channel>,
}

/// An End Site.
#[derive(Clone, Debug, PartialEq)]
pub struct BvhEndSite {
    /// A few programs name theirs.
    pub name: Option<String>,
    /// The joint it ends.
    pub parent: usize,
    /// In the file's unit and axes.
    pub offset: Vec3,
}

/// A BVH file as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Bvh {
    /// Parents before children, in file order, which is also the order of the columns.
    pub joints: Vec<BvhJoint>,
    /// In file order.
    pub end_sites: Vec<BvhEndSite>,
    /// Seconds; `None` where a file of one frame says 0.
    pub frame_time: Option<f64>,
    /// Rows of [`Bvh::width`] values, degrees and the file's unit.
    pub values: Vec<f64>,
    /// Complete rows.
    pub n_frames: usize,
    /// What was unusual and read all the same.
    pub warnings: Vec<Warning>,
}

impl Bvh {
    /// Values in one frame.
    pub fn width(&self) -> usize {
        self.joints.iter().map(|joint| joint.channels.len()).sum()
    }

    /// The joints without a parent.
    pub fn n_roots(&self) -> usize {
        self.joints.iter().filter(|joint| joint.parent.is_none()).count()
    }
}

/// Most joints a file may have: twenty times the largest production rigs, and small enough that work quadratic in joints
/// stays harmless.
pub const MAX_JOINTS: usize = 20_000;

/// Reads a BVH file.
pub fn read_bvh(bytes: &[u8]) -> Result<Bvh, ReadError> {
    let text = text_within(bytes)?.trim_ascii_end();
    let mut words = words::Words::new(text);
    read_hierarchy::check_header(&mut words)?;
    if let Some(nul) = text.iter().position(|&b| b == 0) {
        let line = 1 + words::count_line_ends(&text[..nul]);
        return Err(ReadError::at(ErrorKind::Encoding, line, "a NUL byte in the text; the file is damaged or no BVH"));
    }
    let hierarchy = read_hierarchy::read_hierarchy(&mut words)?;
    read_motion::read_motion(words, hierarchy)
}
