//! Footskate cleanup: feet that are meant to stand stand still, exactly, without popping knees or pelvis.
//!
//! Reference: SKATE, Kovar, Schreiner, Gleicher, "Footskate cleanup for motion capture editing", 2002.
//!
//! Idea: a leg is solved in closed form so that its foot stays where it is planted; what that leaves unsmooth, when plants
//! begin and end, is spread over the frames around. Each frame depends on a fixed neighbourhood only, so the same work can be
//! done on a stream, a second or so behind ([`Cleaner`]).
//!
//! 0. `mend_glitches`: frames in which the recording itself jumps.
//! 1. `place_plants`: the place of each plant (4.1).
//! 2. `aim_ankles`: where the ankles must then be (4.2).
//! 3. `place_root`: where the root must be for the legs to reach (4.3).
//! 4. `roll_over`: feet on one part take the pitch that suits their legs; `share_reach`: the root takes what knees can't; `solve_leg`: hips, knees, ankles, and what is left
//!    by stretching (4.4), within the limits of `stretch`.
//! 5. `blend_off`: changes fade away around the plants; `clear_ground`: no foot or toe is left in the ground (4.5).
//! 6. `calm_pops`: what pops all the same is solved again.
//!
//! [`clean_footskate`] returns what each phase found, frame by frame ([`Phases`]). Departures from the paper are listed at the head
//! of each phase's file; each was made because the printed form popped on recordings, most of all where the floors of single
//! steps differ by centimetres, which the paper's motions did not. Limits: heel and ball are the only points that can be
//! planted; hands and toe tips are not. Where the edge of a step lies between heel and ball, one of them may be off the ground.

mod aim_ankles;
mod blend;
mod blend_off;
mod calm_pops;
mod clear_ground;
mod frames;
mod input_gate;
mod legs;
mod mend_glitches;
mod options;
mod phases;
mod place_plants;
mod place_root;
mod roll_over;
mod share_reach;
mod solve_leg;
mod stream;
mod stretch;
#[cfg(test)]
mod tests;

pub use aim_ankles::AnkleTargets;
pub use blend_off::BlendedFrame;
pub use clear_ground::FinishedFrame;
pub use input_gate::HoldReason;
pub use legs::LegChange;
pub use options::{CleanOptions, FootRoll, PlantPositions, Pops, Reach, Spans};
pub use phases::Phases;
pub use place_plants::{PlantedFeet, PlantedFoot};
pub use place_root::AimedFrame;
pub use roll_over::Pivot;
pub use share_reach::{LegReach, ReachFrame};
pub use solve_leg::{LegTurns, RootedFrame, SolvedFrame};
pub use stream::{Cleaner, Status, clean_stream};
pub use stretch::MAX_STRETCH;

use surefoot_contact::{Contacts, FootPart, Take};
use surefoot_geom::Vec3;
use surefoot_ground::Terrain;
use surefoot_motion::{BodyMap, Clip, PerSide, Side, fit_knee_axes};

/// Whether a part of a foot is planted in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum PlantMark {
    /// It does not.
    #[default]
    Free,
    /// It is planted, at the place of the frame before if it was planted there.
    Planted,
    /// It is planted again, even if it was planted in the frame before.
    Begins,
    /// It is planted again, this much above the terrain.
    BeginsAbove(f64),
    /// It is planted exactly here.
    At(Vec3),
}

/// The contact flags of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameMarks {
    /// Of the heels.
    pub heel: PerSide<PlantMark>,
    /// Of the balls.
    pub ball: PerSide<PlantMark>,
}

/// The contact flags of every frame.
pub fn frame_marks(contacts: &Contacts, positions: PlantPositions) -> Vec<FrameMarks> {
    let mut marks = vec![FrameMarks::default(); contacts.n_frames];
    for side in Side::BOTH {
        for plant in &contacts.plants[side] {
            for frame in plant.frames.clone() {
                let mark = match positions {
                    PlantPositions::Given => PlantMark::At(plant.position),
                    PlantPositions::Averaged if frame == plant.frames.start => PlantMark::Begins,
                    PlantPositions::AboveTerrain if frame == plant.frames.start => {
                        PlantMark::BeginsAbove(plant.position.y)
                    }
                    PlantPositions::Averaged | PlantPositions::AboveTerrain => PlantMark::Planted,
                };
                match plant.part {
                    FootPart::Heel => marks[frame].heel[side] = mark,
                    FootPart::Ball => marks[frame].ball[side] = mark,
                }
            }
        }
    }
    marks
}

/// A cleaned take, and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Cleaned {
    /// The motion with exact plants; the contacts' positions are where the feet are planted now.
    pub take: Take,
    /// What each phase found.
    pub phases: Phases,
    /// Frames that were no poses or jumped away, in which the last good pose was held.
    pub held: Vec<(usize, HoldReason)>,
}

/// What every form of cleanup begins with: the contact flags of each frame, and the axes of the knees. Panics if contacts and
/// clip differ in their numbers of frames.
fn prepare(take: &Take, options: &CleanOptions) -> (Vec<FrameMarks>, PerSide<Vec3>) {
    let Take { clip, body, contacts } = take;
    assert_eq!(clip.n_frames(), contacts.n_frames, "contacts for each frame of the clip");
    (frame_marks(contacts, options.plant_positions), fit_knee_axes(clip, body))
}

/// Enforces the plants of a take. Panics if contacts and clip differ in their numbers of frames.
pub fn clean_footskate(take: &Take, terrain: &Terrain, options: &CleanOptions) -> Cleaned {
    let Take { clip, body, contacts } = take;
    let (marks, knee_axes) = prepare(take, options);
    let phases::Run { poses, phases, held } = phases::run(clip, &marks, body, &knee_axes, terrain, options);
    let clip = clip.with_poses(poses);
    let contacts = settle(contacts, &clip, body, &held);
    Cleaned { take: Take { clip, body: body.clone(), contacts }, phases, held }
}

/// The contacts with the places where parts are planted now, by the first frame of each plant that was not held: in held ones the
/// feet are where they were before. `held` is in order of time.
fn settle(contacts: &Contacts, clip: &Clip, body: &BodyMap, held: &[(usize, HoldReason)]) -> Contacts {
    let is_good = |frame: &usize| held.binary_search_by_key(frame, |(held, _)| *held).is_err();
    let mut contacts = contacts.clone();
    for side in Side::BOTH {
        for plant in &mut contacts.plants[side] {
            let frame = plant.frames.clone().find(is_good).unwrap_or(plant.frames.start);
            plant.position = plant.part.place(body, &clip.world_pose(frame), side);
        }
    }
    contacts
}
