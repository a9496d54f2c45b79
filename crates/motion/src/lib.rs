//! Skeletons, poses and clips, the body map that says what each joint is, and the editing of clips.
//!
//! A [`Clip`] is a list of [`Pose`]s of one [`Skeleton`] at a fixed rate. Algorithms find joints through a [`BodyMap`], never
//! by name. Nothing here touches a file, a clock or the console.

mod body_map;
mod change_basis;
mod clip;
pub mod defects;
mod figure;
mod find_body;
mod fit_feet;
pub mod joint_names;
mod pose;
mod side;
mod skeleton;

pub use body_map::{Arm, BodyMap, BodyPoint, FootShape, Leg};
pub use change_basis::{change_basis, scale_lengths};
pub use clip::Clip;
pub use figure::{Capsule, Region, figure};
pub use find_body::{BodyError, BodyPart, BodyProblem, FeetFound, FoundBody, SideEvidence, find_body};
pub use fit_feet::HEEL_BACK;
pub use pose::{Pose, WorldPose};
pub use side::{PerSide, Side};
pub use skeleton::{EndSite, Joint, JointId, Skeleton, SkeletonError};
