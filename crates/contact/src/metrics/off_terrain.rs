//! Where a motion leaves the height field that it is measured on.
//!
//! A height field ends. Beyond its border the ground goes on as high as the border, so that every question has an answer, but
//! nobody has said so: what is measured there is a guess, and is reported as one.

use super::FootPoints;
use crate::FootPlan;
use std::fmt;
use surefoot_geom::ground_point;
use surefoot_ground::Terrain;
use surefoot_motion::PerSide;

/// Where a motion first leaves a height field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffTerrain {
    /// With a footprint, of this number.
    Footprint(usize),
    /// With a heel, ball or toe tip, in this frame.
    Frame(usize),
}

impl OffTerrain {
    /// The first footprint of a plan that no terrain lies under.
    pub fn of_plan(plan: &FootPlan, terrain: &Terrain) -> Option<OffTerrain> {
        let is_off = |at| !terrain.covers(ground_point(at));
        plan.footprints.iter().position(|print| is_off(print.position)).map(OffTerrain::Footprint)
    }

    /// The first frame with a foot that no terrain lies under.
    pub fn of_feet(feet: &PerSide<FootPoints>, terrain: &Terrain) -> Option<OffTerrain> {
        let tracks = feet.iter().flat_map(|(_, foot)| [&foot.heel, &foot.ball, &foot.toe_tip]);
        let first = tracks.filter_map(|track| track.iter().position(|&at| !terrain.covers(ground_point(at))));
        first.min().map(OffTerrain::Frame)
    }
}

impl fmt::Display for OffTerrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OffTerrain::Footprint(index) => write!(f, "footprints[{index}] is outside the height field")?,
            OffTerrain::Frame(frame) => write!(f, "a foot is outside the height field in frame {frame}")?,
        }
        f.write_str(": the ground there is taken to be as high as its border")
    }
}

#[cfg(test)]
mod tests {
    use super::super::foot_points;
    use super::*;
    use crate::{WalkerOptions, synthetic_walk};
    use surefoot_geom::Vec2;

    #[test]
    fn the_first_footprint_and_the_first_frame_beyond_the_border_are_named() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let clip = &walk.take.clip;
        let feet = foot_points(&clip.world(), &clip.skeleton, &walk.take.body);
        let third = walk.plan.footprints[3].position;
        let field =
            |length: f64| Terrain::height_field(Vec2::splat(-length), length, 3, 3, vec![0.0; 9]).expect("a field");
        let short = field(third.x.hypot(third.z) - 0.01);
        let place = OffTerrain::of_plan(&walk.plan, &short);
        assert_eq!(place, Some(OffTerrain::Footprint(3)));
        assert!(place.is_some_and(|place| place.to_string().starts_with("footprints[3] is outside the height field")));
        let Some(OffTerrain::Frame(frame)) = OffTerrain::of_feet(&feet, &short) else { panic!("it is left") };
        assert!(frame > 0 && frame < clip.n_frames());
        let long = field(100.0);
        assert_eq!((OffTerrain::of_plan(&walk.plan, &long), OffTerrain::of_feet(&feet, &long)), (None, None));
        assert_eq!(OffTerrain::of_feet(&feet, &Terrain::flat(0.0)), None);
    }
}
