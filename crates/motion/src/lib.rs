//! Skeletons, poses and clips, the body map that names each joint, and the editing of clips.
//!
//! A [`Clip`] is a contiguous list of [`Poses`] of one [`Skeleton`] at a fixed rate. Algorithms find joints through a [`BodyMap`], never
//! by name. Nothing here touches a file, a clock or the console.

mod align_rest;
pub mod anatomy;
mod append;
mod attach_feet;
mod body_map;
mod body_proportions;
mod change_basis;
mod clip;
mod closest_names;
mod count_frames;
pub mod defects;
mod edit_error;
mod figure;
mod figure_mesh;
mod find_body;
mod fit_feet;
mod frame_rates;
pub mod joint_names;
mod knee_axes;
mod mirror;
mod person;
mod place;
mod pose;
mod poses;
mod resample;
mod rigid_bones;
mod side;
mod skeleton;
mod slice;
mod spread_frames;
mod two_bone;
mod world_poses;

pub use align_rest::{align_rest, align_rest_body};
pub use anatomy::{AnatomicalFrames, NeutralFrom, anatomical_frames};
pub use append::{Seam, append, skeleton_difference};
pub use attach_feet::{AttachedFeet, attach_feet};
pub use body_map::{Arm, BodyMap, BodyPoint, FootShape, Leg};
pub use body_proportions::{BodyProportions, Sole};
pub use change_basis::{change_basis, scale_lengths};
pub use clip::Clip;
pub use closest_names::{closest_names, resembles};
pub use count_frames::count_frames;
pub use edit_error::EditError;
pub use figure::{Capsule, Region, figure};
pub use figure_mesh::{FigureColour, FigurePart, MeshDetail, N_SHARES, figure_mesh};
pub use find_body::{BodyError, BodyPart, BodyProblem, FeetFound, FoundBody, SideEvidence, find_body};
pub use fit_feet::HEEL_BACK;
pub use frame_rates::FRAME_RATES;
pub use knee_axes::{fit_knee_axes, rest_knee_axes};
pub use mirror::{Mirror, mirror};
pub use person::{PersonError, PersonOptions, person};
pub use place::{Placement, place, place_in_place, start_at_origin};
pub use pose::{Pose, PoseMut, PoseRef, WorldPose};
pub use poses::{Poses, PosesIter, PosesIterMut};
pub use resample::{MAX_RESAMPLED_FRAMES, resample, sample_pose};
pub use rigid_bones::{MovedJoint, RigidClip, rigid_bones};
pub use side::{PerSide, Side};
pub use skeleton::{EndSite, Joint, JointId, Skeleton, SkeletonError};
pub use slice::slice;
pub use spread_frames::spread_frames;
pub use two_bone::{TwoBone, TwoBonePose};
pub use world_poses::WorldPoses;
