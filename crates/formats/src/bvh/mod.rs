//! BVH, the Biovision hierarchy.

/// What a motion value does to its joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Replaces one axis of OFFSET; 0 is X.
    Position(usize),
    /// Turns about an axis, in degrees; 0 is X.
    Rotation(usize),
    /// Read and ignored; 0 is X.
    Scale(usize),
}
