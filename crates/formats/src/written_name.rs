//! The name under which a joint is written: the same in every format, so that a figure has the same joints in all its files.

use surefoot_motion::{JointId, Skeleton};

/// A joint's name as every reader takes it as one: no braces, no line ends, no spaces around it, not empty.
pub(crate) fn written_name(skeleton: &Skeleton, joint: JointId) -> String {
    let name = skeleton.name(joint);
    let cleaned: String = name.chars().map(|c| if c.is_control() || "{}".contains(c) { '_' } else { c }).collect();
    match cleaned.trim() {
        "" => format!("joint{}", joint.index()),
        name => name.to_string(),
    }
}
