//! Retargeting by scale: the motion of one person played by another skeleton.
//!
//! Reference: SKATE, result 2 (Kovar, Schreiner, Gleicher 2002): "a scale factor is applied to the root translation data in
//! the original motion according to the difference in bone lengths ..., and we enforce footplant constraints on the result".
//! The paper's two skeletons differ in lengths alone. Ours may come from different families, with other joints, other rest
//! poses and other axes, so rotations have to be carried over first.
//!
//! Idea: the direction of a limb's segment in the world is what one sees of it. Each joint gets an *anatomical frame*, rigid
//! in its space, that is the identity in an ideal standing person who faces +Z with arms and legs hanging down; a target's
//! joint is turned so that its anatomical frame stands in the world as the source's does. Steps:
//!
//! 1. [`same_rig`]: two skeletons of one family (same names, same axes) need no frames: local rotations are copied, as in
//!    the paper. A skeleton retargeted to itself is unchanged, bit for bit but for rounding.
//! 2. [`Neutral`]: the standing person of each skeleton: the rest pose, or the typical pose of its motion where the rest pose is
//!    no person (families whose segments all lie along one axis).
//! 3. [`Anatomy`]: frames. A limb's is the smallest turn from hanging down to where it points in the standing person; so its
//!    segments point exactly where the source's do, and its hinges bend in the same planes. A foot's is that of its sole.
//!    Head and hands turn as they do from the standing person, and so do trunk and neck between two rest poses; else their
//!    segments point where the source's do.
//! 4. [`pair_joints`]: which joint follows which; chains of different lengths share a turn by the length along them.
//! 5. [`keep_arms_out`]: arms are no deeper in the target's trunk than the source's were in theirs.
//! 6. [`place_hips`]: the midpoint of the hips travels `scale` times as far from where it starts, and stands above the floor
//!    by the scaled legs and the target's own ankles.
//! 7. Contacts keep their frames; a plant moves with the mean of the part over its frames.
//!
//! Departures: the paper's scale factor is the ratio of leg lengths here (thigh plus shin), about the ground point where the
//! motion starts. Joints that have no partner keep the standing person's pose; joints with translations of their own move
//! only between skeletons of one rig.
//!
//! Twist bones share the twist of their limb (`pair_joints`).
//!
//! Limits: hands are kept at what they touch only by [`keep_hands`], which comes after footskate cleanup, and hips not at all; feet
//! stand still only after that cleanup. The ground is level: stairs are scaled with the motion.

mod keep_arms_out;
mod keep_hands;
mod pair_joints;
mod palms;
mod place_hips;
mod pose_transfer;
mod same_rig;
#[cfg(test)]
mod tests;

pub use keep_hands::{KeptHands, Touch, Touched, keep_hands};
use place_hips::{Placing, hips, place_hips};
pub use pose_transfer::PoseTransfer;
use std::ops::Range;
use std::sync::Arc;
use surefoot_contact::{Contacts, FootPart, Plant, Take};
use surefoot_geom::{Vec2, Vec3, ground_point};
use surefoot_motion::anatomy::NeutralFrom;
use surefoot_motion::{BodyMap, Clip, FootShape, JointId, Poses, Side, Skeleton, WorldPose};

/// Who shall play the motion.
#[derive(Clone, Copy, Debug)]
pub struct Character<'a> {
    /// Its joints and their offsets, which are kept.
    pub skeleton: &'a Arc<Skeleton>,
    /// Which joint is which.
    pub body: &'a BodyMap,
    /// Some motion of its own, of any length; needed only where its rest pose is no standing person.
    pub poses: &'a Poses,
}

/// How to retarget.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RetargetOptions {
    /// By how much the trajectory of the hips is scaled. Positive; default (`None`): leg length of the target over that of the source.
    /// Other values give steps that are longer or shorter than the legs ask for, which cleanup has to mend.
    pub scale: Option<f64>,
    /// Height of the source's floor in metres, which the target stands on as well. Default (`None`): where the source's soles
    /// stand, or 0 where they stand nowhere.
    pub floor: Option<f64>,
    /// Where feet are planted. Default: as far apart as the scale says.
    pub places: Places,
    /// The ground point `(x, z)` that travel is scaled about. Default (`None`): where the hips start.
    pub about: Option<Vec2>,
}

/// Where the feet of a retargeted motion are planted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Places {
    /// As far apart as the scale says: a small person takes small steps.
    #[default]
    Scaled,
    /// Where the source's are: for stairs, stepping stones and partners. Heights of the body are scaled, its travel is not;
    /// legs that are too short for a step do not reach.
    Kept,
}

/// How rotations were carried over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// Both skeletons are of one rig: local rotations are the source's.
    Copied,
    /// By anatomical frames: segments point where the source's do.
    Aligned {
        /// Where the source's standing person comes from.
        from: NeutralFrom,
        /// Where the target's standing person comes from.
        to: NeutralFrom,
    },
}

/// A retargeted take, and what was decided for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Retargeted {
    /// The target's motion, with the source's contacts; the soles of its map are fitted to this motion if the target had
    /// none.
    pub take: Take,
    /// By how much the trajectory was scaled.
    pub scale: f64,
    /// Height of the floor that both stand on, in metres.
    pub floor: f64,
    /// Where the feet are planted.
    pub places: Places,
    /// The ground point that travel was scaled about.
    pub about: Vec2,
    /// How rotations were carried over.
    pub transfer: Transfer,
    /// Joints of the target that no joint of the source moves: they keep the pose of the standing person.
    pub idle: Vec<JointId>,
    /// One sentence for each thing that was decided.
    pub notes: Vec<String>,
}

/// Why a motion cannot be retargeted.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RetargetError {
    /// The legs of the source have no length to compare.
    #[error("the legs of the motion are {length} m long at rest; legs must have a length")]
    SourceLegs {
        /// Thigh plus shin, in metres.
        length: f64,
    },
    /// The legs of the target have no length to compare.
    #[error("the legs of the target are {length} m long at rest; legs must have a length")]
    TargetLegs {
        /// Thigh plus shin, in metres.
        length: f64,
    },
    /// The scale is no positive number.
    #[error("a scale of {scale} is none; a positive number is")]
    Scale {
        /// As given.
        scale: f64,
    },
}

/// Plays a take on another skeleton. `body` is the map of the take's own skeleton.
pub fn retarget(take: &Take, to: &Character<'_>, options: &RetargetOptions) -> Result<Retargeted, RetargetError> {
    let body = &take.body;
    let clip = &take.clip;
    let scale = find_scale(clip, body, to, options)?;
    let source = clip.world();
    let floor = options.floor.or_else(|| surefoot_contact::estimate_floor(&source, body)).unwrap_or(0.0);
    let pose_transfer = PoseTransfer::new((&clip.skeleton, body, clip.poses()), to, scale);
    let mut poses: Poses =
        clip.poses().iter().zip(&source).map(|(pose, world)| pose_transfer.turn_pose(pose, world)).collect();
    let mut to_body = to.body.clone();
    let travel = if options.places == Places::Kept { 1.0 } else { scale };
    let start = || source.first().map_or(Vec2::ZERO, |pose| ground_point(hips(pose, body)));
    let about = options.about.unwrap_or_else(start);
    let placing = Placing { scale, travel, floor, about };
    let mut placed = place_hips(&source, body, &mut poses, (to.skeleton, &to_body), &placing);
    if to.poses.is_empty() {
        // Only now has the target frames in which it stands; its soles came from the rest pose.
        to_body.fit_feet(to.skeleton, &placed, Vec3::Y);
        placed = place_hips(&source, body, &mut poses, (to.skeleton, &to_body), &placing);
    }
    let contacts = match options.places {
        Places::Scaled => carry_contacts(&take.contacts, (&source, body), (&placed, &to_body), scale),
        Places::Kept => keep_balls(&take.contacts, (&source, body), &to_body),
    };
    let clip = Clip::new(clip.name.clone(), to.skeleton.clone(), clip.frame_rate, poses);
    let (transfer, idle) = (pose_transfer.transfer(), pose_transfer.idle());
    let notes = write_notes(to, scale, options.places, transfer, &idle);
    let take = Take { clip, body: to_body, contacts };
    Ok(Retargeted { take, scale, floor, places: options.places, about, transfer, idle, notes })
}

impl Retargeted {
    /// Where something that stands in the source's world stands in the target's.
    pub fn world_place(&self, place: Vec3) -> Vec3 {
        match self.places {
            Places::Kept => place,
            Places::Scaled => {
                let about = Vec3::new(self.about.x, self.floor, self.about.y);
                about + self.scale * (place - about)
            }
        }
    }
}

/// Ratio of leg lengths, or what was asked for.
fn find_scale(
    clip: &Clip,
    body: &BodyMap,
    to: &Character<'_>,
    options: &RetargetOptions,
) -> Result<f64, RetargetError> {
    let is_length = |length: f64| length.is_finite() && length > 0.0;
    let from_leg = body.leg_length(&clip.skeleton);
    let to_leg = to.body.leg_length(to.skeleton);
    if !is_length(from_leg) {
        return Err(RetargetError::SourceLegs { length: from_leg });
    }
    if !is_length(to_leg) {
        return Err(RetargetError::TargetLegs { length: to_leg });
    }
    let scale = options.scale.unwrap_or(to_leg / from_leg);
    if is_length(scale) { Ok(scale) } else { Err(RetargetError::Scale { scale }) }
}

/// Contacts of the same frames. A plant moves with the mean of its part, so that one who stood beside it still does.
fn carry_contacts(
    contacts: &Contacts,
    (source, body): (&[WorldPose], &BodyMap),
    (placed, to_body): (&[WorldPose], &BodyMap),
    scale: f64,
) -> Contacts {
    let mut carried = contacts.clone();
    for side in Side::BOTH {
        for plant in &mut carried.plants[side] {
            let old = mean_position(source, body, side, plant.part, &plant.frames);
            let new = mean_position(placed, to_body, side, plant.part, &plant.frames);
            plant.position = new + (plant.position - old) * scale;
        }
    }
    carried
}

/// Contacts whose balls are where the source's are: footprints are places of balls. A heel is as far behind its ball as the target's
/// sole is long; where both are planted at once, behind the place of the ball's plant, so that the foot can stand on both.
fn keep_balls(contacts: &Contacts, (source, body): (&[WorldPose], &BodyMap), to_body: &BodyMap) -> Contacts {
    let mut kept = contacts.clone();
    let length = |foot: &FootShape| foot.heel.distance(foot.ball);
    for side in Side::BOTH {
        let own = length(&to_body.legs[side].foot);
        let longer = own - length(&body.legs[side].foot);
        let balls: Vec<_> =
            contacts.plants[side].iter().filter(|plant| plant.part == FootPart::Ball).cloned().collect();
        for plant in kept.plants[side].iter_mut().filter(|plant| plant.part == FootPart::Heel) {
            let overlap =
                |ball: &Plant| ball.frames.start.max(plant.frames.start)..ball.frames.end.min(plant.frames.end);
            let with = balls.iter().find(|ball| !overlap(ball).is_empty());
            let frames = with.map_or_else(|| plant.frames.clone(), overlap);
            let [heel, ball] = FootPart::BOTH.map(|part| mean_position(source, body, side, part, &frames));
            let ahead = (ball - heel).with_y(0.0).normalize_or_zero();
            match with.filter(|_| ahead != Vec3::ZERO) {
                Some(with) => plant.position = (with.position - own * ahead).with_y(plant.position.y),
                None => plant.position -= longer * ahead,
            }
        }
    }
    kept
}

fn mean_position(poses: &[WorldPose], body: &BodyMap, side: Side, part: FootPart, frames: &Range<usize>) -> Vec3 {
    let within = poses.get(frames.clone()).unwrap_or_default();
    within.iter().map(|pose| part.place(body, pose, side)).sum::<Vec3>() / within.len().max(1) as f64
}

/// Joints that are named in a note; fingers are many.
const MOST_NAMES: usize = 8;

fn write_notes(to: &Character<'_>, scale: f64, places: Places, transfer: Transfer, idle: &[JointId]) -> Vec<String> {
    let mut notes = match places {
        Places::Scaled => vec![format!("travel is scaled by {scale:.4}")],
        Places::Kept => vec![format!("heights are scaled by {scale:.4}; feet are planted where the source's are")],
    };
    match transfer {
        Transfer::Copied => notes.push("both skeletons are of one rig: rotations are copied".to_string()),
        Transfer::Aligned { from, to } => {
            notes.push("the skeletons differ: limbs point where the source's do".to_string());
            notes.push(format!("the source's neutral pose is {}", from.describe()));
            notes.push(format!("the target's neutral pose is {}", to.describe()));
        }
    }
    if !idle.is_empty() {
        let names: Vec<&str> = idle.iter().take(MOST_NAMES).map(|&joint| to.skeleton.name(joint)).collect();
        let more = idle.len() - names.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        notes.push(format!("nothing moves {}{more}", names.join(", ")));
    }
    notes
}
