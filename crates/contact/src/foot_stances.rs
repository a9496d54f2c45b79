//! The stances of feet with their places: when each foot is planted, where its ball is meanwhile, and where it points.
//!
//! Each is a stance with its place. Two stances between which the ball has not moved are one (a heel that lifts and
//! lands again). Its position is that of the longest ball plant in it; where only a heel is planted, the ball's place in
//! front of it at its height. Its heading is the mean direction from heel to ball on the ground.
//!
//! A foot leaves the ground by its toes, after its ball. Where that decides whether both feet were in the air, a foot
//! counts as gone only when the tip of its toes is: walkers whose balls lift just before the other foot lands do not
//! run.

use crate::stances::{Stance, gather_plants, touches};
use crate::{FootPart, Plant, Take};
use std::ops::Range;
use surefoot_geom::{Vec3, direction_heading};
use surefoot_motion::{PerSide, Side, count_frames};

/// A ball that remains nearer than this to its place has not moved, in metres: less than a foot is lifted in any
/// step.
const SAME_PLACE: f64 = 0.02;

/// One stance of a foot.
#[derive(Clone, Debug, PartialEq)]
pub struct FootStance {
    /// Which foot.
    pub side: Side,
    /// Half-open.
    pub frames: Range<usize>,
    /// Where the ball is planted.
    pub position: Vec3,
    /// Where the foot points, if it lies anywhere but upright.
    pub heading: Option<f64>,
    /// First frame in which the foot is gone: the end of `frames`, or later where its toes were still planted when the other
    /// foot landed.
    pub gone: usize,
}

/// Toes have left when their tip is this far above where it was while the ball was planted, or this far from it on the
/// ground, in metres: more than a tip wanders while a foot rolls over it in recordings, and less than the foot of a
/// runner has risen when the other one lands.
const TOES_LIFT: f64 = 0.05;
const TOES_SLIDE: f64 = 0.12;
/// Longest that toes are planted after the ball, in seconds.
const TOES_STAND: f64 = 0.15;
/// How long toes that are planted when the other foot lands remain so at least, in seconds.
const BOTH_DOWN: f64 = 0.03;

/// Where heels and balls are in every frame.
pub struct FootTracks {
    /// Of the balls.
    pub balls: PerSide<Vec<Vec3>>,
    /// Of the heels.
    pub heels: PerSide<Vec<Vec3>>,
    toes: PerSide<Vec<Vec3>>,
}

impl FootTracks {
    /// Panics if the contacts are of a longer clip.
    pub fn new(take: &Take) -> FootTracks {
        let (clip, body, n_frames) = (&take.clip, &take.body, take.contacts.n_frames);
        assert!(n_frames <= clip.n_frames(), "a pose for each of {n_frames} frames");
        let mut tracks = FootTracks { balls: PerSide::default(), heels: PerSide::default(), toes: PerSide::default() };
        for world in clip.world().iter().take(n_frames) {
            for side in Side::BOTH {
                tracks.balls[side].push(body.ball(world, side));
                tracks.heels[side].push(body.heel(world, side));
                let leg = &body.legs[side];
                let toe = leg.toe.map(|toe| world.point(&clip.skeleton, toe));
                tracks.toes[side].push(toe.unwrap_or_else(|| world[leg.ankle].transform_point(leg.foot.toe_tip)));
            }
        }
        tracks
    }

    /// The stances of both feet, in the order in which they begin; those of the first frame in the order in which they
    /// end.
    pub fn stances(&self, take: &Take) -> Vec<FootStance> {
        let mut stances: Vec<FootStance> = Vec::new();
        for side in Side::BOTH {
            let gathered =
                gather_plants(&take.contacts.plants[side], |end, start| self.is_same_stance(side, end, start));
            stances.extend(gathered.into_iter().map(|Stance { frames, plants }| {
                let (position, heading) = self.place(side, plants);
                FootStance { side, gone: frames.end, frames, position, heading }
            }));
        }
        stances.sort_by_key(|stance| (stance.frames.start, stance.frames.end));
        for index in 0..stances.len() {
            let stance = &stances[index];
            let landing = stances[index + 1..].iter().find(|other| other.side != stance.side);
            let again = stances[index + 1..].iter().find(|other| other.side == stance.side);
            let Some(landing) = landing.map(|landing| landing.frames.start).filter(|&start| start >= stance.frames.end)
            else {
                continue;
            };
            if again.is_none_or(|again| again.frames.start > landing) {
                stances[index].gone =
                    self.toes_gone(stance, landing, take.clip.frame_rate).unwrap_or(stance.frames.end);
            }
        }
        stances
    }

    /// When toes left, if they were still planted when the other foot landed.
    fn toes_gone(&self, stance: &FootStance, landing: usize, frame_rate: f64) -> Option<usize> {
        let toes = &self.toes[stance.side];
        let stood = toes[stance.frames.end - 1];
        let longest = stance.frames.end + count_frames((TOES_STAND * frame_rate).round());
        let has_left = |frame: &usize| {
            let offset = toes[*frame] - stood;
            offset.y > TOES_LIFT || offset.x.hypot(offset.z) > TOES_SLIDE
        };
        let leaves = (stance.frames.end..toes.len()).find(has_left)?;
        let least = landing + count_frames((BOTH_DOWN * frame_rate).round()).max(1);
        (landing <= leaves.min(longest)).then(|| leaves.min(longest).max(least))
    }

    /// Whether a stance that ended goes on with a plant: they touch, or the ball stayed where it was in between.
    fn is_same_stance(&self, side: Side, end: usize, start: usize) -> bool {
        let balls = &self.balls[side];
        touches(end, start) || balls[end..=start].iter().all(|ball| ball.distance(balls[end - 1]) < SAME_PLACE)
    }

    /// Where the ball of a stance is planted, and where the foot points.
    fn place(&self, side: Side, plants: &[Plant]) -> (Vec3, Option<f64>) {
        let longest = |part: FootPart| {
            let of_part = plants.iter().filter(move |plant| plant.part == part);
            // Of equals the first.
            of_part.rev().max_by_key(|plant| plant.frames.len())
        };
        let (balls, heels) = (&self.balls[side], &self.heels[side]);
        let toward_ball = |frames: &Range<usize>| {
            let offset: Vec3 =
                frames.clone().map(|frame| balls[frame] - heels[frame]).sum::<Vec3>() / frames.len() as f64;
            Vec3::new(offset.x, 0.0, offset.z)
        };
        if let Some(ball) = longest(FootPart::Ball) {
            return (ball.position, direction_heading(toward_ball(&ball.frames)));
        }
        let heel = longest(FootPart::Heel).expect("a stance has a plant");
        let offset = toward_ball(&heel.frames);
        let lengths = heel.frames.clone().map(|frame| balls[frame].distance(heels[frame]));
        let sole = lengths.sum::<f64>() / heel.frames.len() as f64;
        (heel.position + offset.normalize_or_zero() * sole, direction_heading(offset))
    }
}
