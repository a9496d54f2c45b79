//! What mends or moves recorded motion: footskate cleanup, retargeting to other skeletons, warping to paths.

pub mod footskate;
mod retarget;
mod warp_path;

pub use retarget::{Character, RetargetError, RetargetOptions, Retargeted, Transfer, retarget};
pub use warp_path::{BendError, BendOptions, Bent, ClipPath, PathFit, bend_path, bend_track, clip_path};
