//! What mends or moves recorded motion: footskate cleanup, restoration, retargeting to other skeletons, warping to paths.

pub mod footskate;
mod restore;
mod retarget;
mod warp_path;

pub use restore::{Restored, restore};
pub use retarget::{
    Character, KeptHands, Places, PoseTransfer, RetargetError, RetargetOptions, Retargeted, Touch, Touched, Transfer,
    keep_hands, retarget,
};
pub use warp_path::{ClipPath, PathFit, WarpPathError, WarpPathOptions, WarpedPath, clip_path, warp_path, warp_track};
