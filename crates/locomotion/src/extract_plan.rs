//! The footprints that a recording really took.
//!
//! GRAPH and STRIDE both begin with them: a plan that is extracted, animated and compared with its recording tells how good a
//! synthesiser is.
//!
//! 1. The stances of each foot: frames in which its heel or ball stands. Two between which the ball has not moved are one (a heel
//!    that lifts and lands again).
//! 2. A footprint for each, in the order in which they begin; the feet that stand in the first frame, in the order in which they
//!    leave. Its position is that of the longest ball plant in the stance; where only a heel stands, the ball's place in front of it
//!    at its height. Its heading is the mean direction from heel to ball on the ground.
//! 3. Swing: from the end of the foot's stance before. Support: from landing until the first of both feet leaves; 0 if the other
//!    foot is in the air. What the clip does not show is left out: the swings of the first footprints, and a support that
//!    lasts to the end.
//! 4. A plan begins with both feet. A foot that is in the air at first begins with the footprint that it takes first; if the other
//!    foot steps again before that (a hop), it begins below where its ball is in the first frame, at the height of the other foot.

use crate::stances::{Stance, gather_plants, touches};
use crate::{FootPart, FootPlan, Footprint, Plant, Take};
use std::ops::Range;
use surefoot_geom::{Vec3, direction_heading};
use surefoot_motion::{BodyMap, PerSide, Side, WorldPose};

/// A ball that stays nearer than this to where it stood has not moved, in metres: less than a foot is lifted in any step.
const SAME_PLACE: f64 = 0.02;

/// The plan that a take walks. Empty if no foot ever stands. Panics if the contacts are of a longer clip.
pub fn extract_plan(take: &Take, body: &BodyMap) -> FootPlan {
    let (contacts, clip) = (&take.contacts, &take.clip);
    assert!(contacts.n_frames <= clip.n_frames(), "a pose for each of {} frames", contacts.n_frames);
    let feet = Feet::new(take, body);
    let mut stances: Vec<FootStance<'_>> = Vec::new();
    for side in Side::BOTH {
        stances.extend(feet.stances(side, &contacts.plants[side]));
    }
    stances.sort_by_key(|stance| (stance.frames.start, stance.frames.end));
    let mut footprints: Vec<Footprint> = (0..stances.len()).map(|index| feet.footprint(&stances, index)).collect();
    if let Some(first) =
        footprints.first().copied().filter(|first| footprints.get(1).is_none_or(|second| second.side == first.side))
    {
        footprints.insert(1, feet.waiting(first));
    }
    FootPlan { footprints }
}

/// One stay of a foot, and the plants in it.
struct FootStance<'a> {
    side: Side,
    frames: Range<usize>,
    plants: &'a [Plant],
}

/// Where heels and balls are in every frame.
struct Feet {
    balls: PerSide<Vec<Vec3>>,
    heels: PerSide<Vec<Vec3>>,
    n_frames: usize,
    frame_rate: f64,
}

impl Feet {
    fn new(take: &Take, body: &BodyMap) -> Feet {
        let (clip, n_frames) = (&take.clip, take.contacts.n_frames);
        let mut feet =
            Feet { balls: PerSide::default(), heels: PerSide::default(), n_frames, frame_rate: clip.frame_rate };
        let mut world = WorldPose::default();
        for pose in &clip.poses[..n_frames] {
            world.fill(&clip.skeleton, pose);
            for side in Side::BOTH {
                feet.balls[side].push(body.ball(&world, side));
                feet.heels[side].push(body.heel(&world, side));
            }
        }
        feet
    }

    fn stances<'a>(&self, side: Side, plants: &'a [Plant]) -> impl Iterator<Item = FootStance<'a>> {
        let stances = gather_plants(plants, |end, start| self.is_same_stance(side, end, start));
        stances.into_iter().map(move |Stance { frames, plants }| FootStance { side, frames, plants })
    }

    /// Whether a stance that ended goes on with a plant: they touch, or the ball stayed where it was in between.
    fn is_same_stance(&self, side: Side, end: usize, start: usize) -> bool {
        let balls = &self.balls[side];
        touches(end, start) || balls[end..=start].iter().all(|ball| ball.distance(balls[end - 1]) < SAME_PLACE)
    }

    fn footprint(&self, stances: &[FootStance<'_>], index: usize) -> Footprint {
        let stance = &stances[index];
        let (position, heading) = self.place(stance);
        let before = stances[..index].iter().rev().find(|other| other.side == stance.side);
        let swing = before.map(|before| (stance.frames.start - before.frames.end) as f64 / self.frame_rate);
        Footprint { side: stance.side, position, heading, swing, support: self.support(stances, index) }
    }

    /// Where the ball of a stance stands, and where the foot points.
    fn place(&self, stance: &FootStance<'_>) -> (Vec3, Option<f64>) {
        let longest = |part: FootPart| {
            let of_part = stance.plants.iter().filter(move |plant| plant.part == part);
            // Of equals the first.
            of_part.rev().max_by_key(|plant| plant.frames.len())
        };
        let (balls, heels) = (&self.balls[stance.side], &self.heels[stance.side]);
        let toward_ball = |frames: &Range<usize>| {
            let way: Vec3 = frames.clone().map(|frame| balls[frame] - heels[frame]).sum::<Vec3>() / frames.len() as f64;
            Vec3::new(way.x, 0.0, way.z)
        };
        if let Some(ball) = longest(FootPart::Ball) {
            return (ball.position, direction_heading(toward_ball(&ball.frames)));
        }
        let heel = longest(FootPart::Heel).expect("a stance has a plant");
        let way = toward_ball(&heel.frames);
        let lengths = heel.frames.clone().map(|frame| balls[frame].distance(heels[frame]));
        let sole = lengths.sum::<f64>() / heel.frames.len() as f64;
        (heel.position + way.normalize_or_zero() * sole, direction_heading(way))
    }

    /// Seconds with both feet down after landing, if the clip shows the landing and what ends it.
    fn support(&self, stances: &[FootStance<'_>], index: usize) -> Option<f64> {
        let FootStance { side, frames, .. } = &stances[index];
        if frames.start == 0 {
            return None;
        }
        let others = stances[..index].iter().rev().filter(|other| other.side != *side);
        let end = others.map(|other| other.frames.end).next().unwrap_or(0).min(frames.end);
        (end < self.n_frames).then(|| end.saturating_sub(frames.start) as f64 / self.frame_rate)
    }

    /// The place of a foot that is in the air at first, for as long as the other one hops.
    fn waiting(&self, other: Footprint) -> Footprint {
        let side = other.side.opposite();
        let (ball, heel) = (self.balls[side][0], self.heels[side][0]);
        let heading = direction_heading(Vec3::new(ball.x - heel.x, 0.0, ball.z - heel.z));
        Footprint { side, position: Vec3::new(ball.x, other.position.y, ball.z), heading, swing: None, support: None }
    }
}

#[cfg(test)]
mod tests;
