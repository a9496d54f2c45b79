//! When and where feet are planted: plants of heels and balls.

use std::ops::Range;
use surefoot_geom::Vec3;
use surefoot_motion::{BodyMap, Clip, PerSide, Side, WorldPose};

/// The part of a foot that is planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FootPart {
    /// The back of the sole.
    Heel,
    /// The ball, the papers' subtalar joint.
    Ball,
}

impl FootPart {
    /// Heel, then ball.
    pub const BOTH: [FootPart; 2] = [FootPart::Heel, FootPart::Ball];

    /// `heel` or `ball`.
    pub fn name(self) -> &'static str {
        match self {
            FootPart::Heel => "heel",
            FootPart::Ball => "ball",
        }
    }

    /// Where this part of a foot is in a pose.
    pub fn place(self, body: &BodyMap, pose: &WorldPose, side: Side) -> Vec3 {
        match self {
            FootPart::Heel => body.heel(pose, side),
            FootPart::Ball => body.ball(pose, side),
        }
    }
}

/// One uninterrupted contact of a heel or ball with the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Plant {
    /// The planted part.
    pub part: FootPart,
    /// Half-open; not empty.
    pub frames: Range<usize>,
    /// Its place, in the world.
    pub position: Vec3,
}

/// All plants of a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Contacts {
    /// Frames of the clip they belong to.
    pub n_frames: usize,
    /// For each side in order of time; plants of one part do not overlap.
    pub plants: PerSide<Vec<Plant>>,
}

/// Why frame ranges are no contacts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} {} plant [{}, {}] {problem}", .side.name(), .part.name(), .frames.start, .frames.end)]
pub struct ContactsError {
    /// Of the foot.
    pub side: Side,
    /// The planted part.
    pub part: FootPart,
    /// The range that is wrong.
    pub frames: Range<usize>,
    /// What is wrong with it.
    pub problem: RangeProblem,
}

/// Why a range of frames is no plant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RangeProblem {
    /// It is empty or reversed.
    #[error("is empty; the second number is the first frame after the plant")]
    Empty,
    /// It ends after the clip does.
    #[error("ends after the last frame; the clip has {n_frames}, so {n_frames} is the largest end")]
    PastEnd {
        /// Frames of the clip.
        n_frames: usize,
    },
    /// It overlaps the range of the same part that is listed ahead of it, or lies before it.
    #[error("begins before the one ahead of it ends, which is in frame {free_from}; keep order and join what overlaps")]
    Overlap {
        /// The first frame after the range ahead.
        free_from: usize,
    },
}

/// Whether a range can be a plant in a clip of `n_frames` whose earlier plants of the same part all end by `free_from`.
pub fn check_plant_range(frames: &Range<usize>, n_frames: usize, free_from: usize) -> Result<(), RangeProblem> {
    if frames.is_empty() {
        return Err(RangeProblem::Empty);
    }
    if frames.end > n_frames {
        return Err(RangeProblem::PastEnd { n_frames });
    }
    if frames.start < free_from {
        return Err(RangeProblem::Overlap { free_from });
    }
    Ok(())
}

impl Contacts {
    /// No foot is ever planted.
    pub fn none(n_frames: usize) -> Contacts {
        Contacts { n_frames, plants: PerSide::default() }
    }

    /// Marks a part of a foot as planted in a frame, frame by frame in order: lengthens its plant if it goes on at the same
    /// place, or begins one.
    pub fn mark(&mut self, side: Side, part: FootPart, frame: usize, position: Vec3) {
        let plants = &mut self.plants[side];
        match plants.iter_mut().rev().find(|plant| plant.part == part) {
            Some(plant) if plant.frames.end == frame && plant.position == position => plant.frames.end += 1,
            _ => plants.push(Plant { part, frames: frame..frame + 1, position }),
        }
    }

    /// Contacts from frame ranges, as files give them; a plant's position is the mean of the part's own over its frames.
    pub fn from_ranges(
        clip: &Clip,
        body: &BodyMap,
        ranges: &[(Side, FootPart, Range<usize>)],
    ) -> Result<Contacts, ContactsError> {
        let mut contacts = Contacts::none(clip.n_frames());
        let poses = clip.world();
        for (side, part, frames) in ranges {
            let earlier = contacts.plants[*side].iter().rev().find(|plant| plant.part == *part);
            let free_from = earlier.map_or(0, |plant| plant.frames.end);
            check_plant_range(frames, clip.n_frames(), free_from).map_err(|problem| ContactsError {
                side: *side,
                part: *part,
                frames: frames.clone(),
                problem,
            })?;
            let sum: Vec3 = poses[frames.clone()].iter().map(|pose| part.place(body, pose, *side)).sum();
            let position = sum / frames.len() as f64;
            contacts.plants[*side].push(Plant { part: *part, frames: frames.clone(), position });
        }
        for side in Side::BOTH {
            contacts.plants[side].sort_by_key(|plant| (plant.frames.start, plant.frames.end));
        }
        Ok(contacts)
    }

    /// Puts every plant where its part is on the mean in a motion. Panics if that has fewer frames.
    pub fn place_plants(&mut self, poses: &[WorldPose], body: &BodyMap) {
        for side in Side::BOTH {
            for plant in &mut self.plants[side] {
                let places = poses[plant.frames.clone()].iter().map(|pose| plant.part.place(body, pose, side));
                plant.position = places.sum::<Vec3>() / plant.frames.len() as f64;
            }
        }
    }

    /// Whether a part is planted in a frame.
    pub fn is_planted(&self, side: Side, part: FootPart, frame: usize) -> bool {
        self.plants_within(side, part, frame..frame.saturating_add(1)).next().is_some()
    }

    /// The plants of a part that share a frame with a range, the latest first. Found by their order in time: where heels
    /// and balls take turns, hours of contacts cost no more than minutes.
    pub fn plants_within(&self, side: Side, part: FootPart, frames: Range<usize>) -> impl Iterator<Item = &Plant> {
        let plants = &self.plants[side];
        let n_begun =
            if frames.is_empty() { 0 } else { plants.partition_point(|plant| plant.frames.start < frames.end) };
        let begun = plants[..n_begun].iter().rev().filter(move |plant| plant.part == part);
        // Plants of one part do not overlap: before one that has ended, all have.
        begun.take_while(move |plant| plant.frames.end > frames.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contacts(plants: &[(FootPart, Range<usize>)]) -> Contacts {
        let plant = |(part, frames): &(FootPart, Range<usize>)| Plant {
            part: *part,
            frames: frames.clone(),
            position: Vec3::ZERO,
        };
        let mut left: Vec<Plant> = plants.iter().map(plant).collect();
        left.sort_by_key(|plant| (plant.frames.start, plant.frames.end));
        Contacts { n_frames: 60, plants: PerSide::new(left, Vec::new()) }
    }

    #[test]
    fn a_frame_is_planted_exactly_within_a_plant_of_its_part() {
        use FootPart::{Ball, Heel};
        for plants in [
            vec![],
            vec![(Ball, 0..60)],
            vec![(Heel, 3..10), (Ball, 5..14), (Heel, 20..31), (Ball, 22..36)],
            // A ball that is planted while its heel lifts and lands, and plants that touch.
            vec![(Ball, 2..50), (Heel, 2..9), (Heel, 9..12), (Heel, 30..31)],
            vec![(Heel, 0..1), (Heel, 1..2), (Ball, 0..1), (Ball, 58..60)],
        ] {
            let contacts = contacts(&plants);
            for part in FootPart::BOTH {
                let is_listed = |frame: &usize| plants.iter().any(|plant| plant.0 == part && plant.1.contains(frame));
                for frame in 0..62 {
                    assert_eq!(contacts.is_planted(Side::Left, part, frame), is_listed(&frame), "{plants:?} {frame}");
                    assert!(!contacts.is_planted(Side::Right, part, frame));
                }
                for (start, end) in [(0, 60), (4, 5), (8, 31), (31, 31), (36, 58)] {
                    let found = contacts.plants_within(Side::Left, part, start..end).count();
                    let overlaps = |plant: &&(FootPart, Range<usize>)| {
                        plant.0 == part && plant.1.start.max(start) < plant.1.end.min(end)
                    };
                    assert_eq!(found, plants.iter().filter(overlaps).count(), "{plants:?} {start}..{end}");
                }
            }
        }
    }

    #[test]
    fn ranges_that_are_no_plants_are_reported_why() {
        #[expect(clippy::reversed_empty_ranges)]
        for range in [5..5, 6..5] {
            assert_eq!(check_plant_range(&range, 60, 0), Err(RangeProblem::Empty));
        }
        assert_eq!(check_plant_range(&(5..61), 60, 0), Err(RangeProblem::PastEnd { n_frames: 60 }));
        assert_eq!(check_plant_range(&(5..9), 60, 6), Err(RangeProblem::Overlap { free_from: 6 }));
        assert_eq!(check_plant_range(&(6..60), 60, 6), Ok(()));
        let (side, part, problem) = (Side::Left, FootPart::Heel, RangeProblem::PastEnd { n_frames: 60 });
        let error = ContactsError { side, part, frames: 5..61, problem };
        assert!(error.to_string().starts_with("left heel plant [5, 61] ends after the last frame"), "{error}");
    }
}
