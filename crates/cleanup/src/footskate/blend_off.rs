//! Phase 5, first half: changes fade away around the frames that needed them (SKATE 4.5).
//!
//! What a frame left alone takes over the changes of its neighbours, blended off ([`super::blend`]): the root in a frame without
//! plants, a leg in a frame in which its foot is free. All parameters of a leg change in the same frames, so they are blended
//! together, each on its own scale.

use super::blend::{Mark, Reach, blended};
use super::frames::Frames;
use super::legs::LegChange;
use super::solve_leg::SolvedFrame;
use super::stretch::soft_limit;
use surefoot_geom::Vec3;
use surefoot_motion::{PerSide, Side};

/// The changes of a frame before feet and toes are cleared of the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BlendedFrame {
    /// The root's move.
    pub root: Vec3,
    /// Each leg's change.
    pub legs: PerSide<LegChange>,
    /// Whether each foot is planted.
    pub planted: PerSide<bool>,
    /// How deep each free foot is in the ground, in metres; 0 if it is not.
    pub depth: PerSide<f64>,
    /// How far the toes of each free foot must be bent up to be out of the ground, in radians.
    pub toe_bend: PerSide<f64>,
}

/// The root's move and the legs' changes of one frame; depths are left at 0. `hold` keeps a knee from folding over.
pub(super) fn blend_off(
    frames: &(impl Frames<SolvedFrame> + ?Sized),
    frame: usize,
    reach: Reach,
    hold: impl Fn(Side, &LegChange) -> LegChange,
) -> BlendedFrame {
    let now = frames.at(frame).copied().unwrap_or_default();
    let mark = |solved: &SolvedFrame| solved.root.map_or(Mark::Open, Mark::Made);
    let root = now.root.or_else(|| blended(frames, frame, reach, mark)).unwrap_or(Vec3::ZERO);
    let legs = PerSide::from_fn(|side| {
        let mark = |solved: &SolvedFrame| solved.legs[side].map_or(Mark::Open, Mark::Made);
        let change = now.legs[side].or_else(|| {
            let change = blended(frames, frame, reach, mark)?;
            Some(hold(side, &LegChange { stretch: soft_limit(change.stretch), ..change }))
        });
        change.unwrap_or_default()
    });
    let planted = now.legs.map(|leg| leg.is_some());
    BlendedFrame { root, legs, planted, ..BlendedFrame::default() }
}
