//! The stances of feet with their places: when each foot is planted, where its ball is meanwhile, and where it points.
//!
//! Each is a stance with its place. Two stances between which the ball has not moved are one (a heel that lifts and
//! lands again). Its position is that of the longest ball plant in it; where only a heel is planted, the ball's place in
//! front of it at its height. Its heading is the mean direction from heel to ball on the ground.
//!
//! A foot leaves the ground by its toes, after its ball. Where that decides whether both feet were in the air, a foot
//! counts as gone only when the tip of its toes is: walkers whose balls lift just before the other foot lands do not
//! run.
//!
//! Plants say when a point is still, and that is a poor clock: a foot that comes down softly is still 80 ms later than one that
//! stamps, and meanwhile the body has gone on by 10 cm. So in recordings ([`FootTracks::recorded_stances`]) the swings of
//! steps, during which the other foot is planted, are timed by the speed of the ball: a foot swings while its ball has more than [`SWINGS`] of the swing's fastest speed, and lands
//! [`LANDS_AFTER`] that. In recorded walks the place of the pelvis over a landing foot
//! then varies, from step to step of one walk, by 1.4 cm instead of 2.2 (median of deviations; 371 steps), and between
//! people by 4.0 instead of 5.5; at lift-off by 1.5 instead of 2.2 and 3.1 instead of 5.5.

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
    /// From landing on; half-open. Heel or ball are planted, but for some frames at landing where the swing is timed by speed.
    pub frames: Range<usize>,
    /// Where the ball is planted.
    pub position: Vec3,
    /// Where the foot points, if it lies anywhere but upright.
    pub heading: Option<f64>,
    /// First frame in which the foot is gone: the end of `frames`, or later where its toes were still planted when the other
    /// foot landed.
    pub gone: usize,
    /// When it lands, in frames: between the frame before `frames` and its first where the swing is timed by speed, else that first.
    pub lands_at: f64,
    /// When it is gone, in frames: likewise between the frame before `gone` and that.
    pub gone_at: f64,
}

impl FootStance {
    /// Lands in a frame, and not between two.
    fn land_in(&mut self, frame: usize) {
        (self.frames.start, self.lands_at) = (frame, frame as f64);
    }

    /// Is gone in a frame, and not between two.
    fn leave_in(&mut self, frame: usize) {
        (self.gone, self.gone_at) = (frame, frame as f64);
    }
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

/// A shorter time without contact is no flight, in seconds: walks whose double support is a frame or two may show none, and
/// people who run are in the air for longer.
const SHORTEST_FLIGHT: f64 = 0.04;

/// Whether a person is in the air between the frame in which one foot is gone and that in which the other one lands: for
/// longer than contacts may be wrong by, 0.04 s.
pub fn is_flight(gone: usize, land: usize, frame_rate: f64) -> bool {
    land as f64 >= gone as f64 + SHORTEST_FLIGHT * frame_rate
}

/// The share of a swing's fastest speed of the ball at which a step's foot leaves, and has nearly landed.
const SWINGS: f64 = 0.35;
/// Seconds from there to the landing.
const LANDS_AFTER: f64 = 0.06;
/// Farthest that speeds move a landing or a lift-off from the plants, in seconds.
const MAX_RETIMED: f64 = 0.1;
/// Feet that swing more slowly than this shuffle, in metres a second: their speed says little.
const SLOWEST_SWING: f64 = 0.8;

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
                let (lands_at, gone_at) = (frames.start as f64, frames.end as f64);
                FootStance { side, gone: frames.end, frames, position, heading, lands_at, gone_at }
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
                let gone = self.toes_gone(stance, landing, take.clip.frame_rate).unwrap_or(stance.frames.end);
                stances[index].leave_in(gone);
            }
        }
        stances
    }

    /// The same with the landings and lift-offs of steps by the speed of the ball, for contacts that were found in a
    /// recording.
    pub fn recorded_stances(&self, take: &Take) -> Vec<FootStance> {
        let mut stances = self.stances(take);
        self.time_steps(&mut stances, take.clip.frame_rate);
        stances
    }

    /// Times the swings of steps by the speed of the ball.
    fn time_steps(&self, stances: &mut [FootStance], frame_rate: f64) {
        let planted = stances.to_vec();
        let margin = count_frames((MAX_RETIMED * frame_rate).round());
        for (index, before) in planted.iter().enumerate() {
            let next = planted[index + 1..].iter().position(|other| other.side == before.side);
            let Some(next) = next.map(|offset| index + 1 + offset) else { continue };
            let (lift, land) = (before.gone, planted[next].frames.start);
            let supports = |other: &FootStance| {
                other.side != before.side && other.frames.start <= lift + margin / 2 && other.gone + margin / 2 >= land
            };
            if !planted.iter().any(supports) {
                continue;
            }
            let Some([lifts, lands]) = self.speed_times(before.side, lift..land, margin, frame_rate) else { continue };
            let earliest = lift.saturating_sub(margin).max(before.frames.start + 1) as f64;
            let latest = (land + margin).min(planted[next].frames.end - 1) as f64;
            let lifts = lifts.clamp(earliest, earliest.max((lift + margin) as f64));
            let lands = lands.clamp(latest.min(land.saturating_sub(margin) as f64), latest);
            let frames = [lifts, lands].map(|time| count_frames(time.ceil()));
            if frames[0] + 2 <= frames[1] {
                (stances[index].gone, stances[index].gone_at) = (frames[0], lifts);
                stances[index].frames.end = stances[index].frames.end.min(frames[0]);
                (stances[next].frames.start, stances[next].lands_at) = (frames[1], lands);
            }
        }
        // Steps keep their double supports: where both feet were planted, or apart by less than a flight, they are planted.
        let least = count_frames((BOTH_DOWN * frame_rate).round()).max(1);
        for index in 0..stances.len() {
            let other = (0..index).rev().find(|&other| stances[other].side != stances[index].side);
            let is_step = |other: &usize| !is_flight(planted[*other].gone, planted[index].frames.start, frame_rate);
            let Some(other) = other.filter(is_step) else { continue };
            let (land, gone) = (stances[index].frames.start, stances[other].gone);
            if land > 0 && gone < land + least {
                let land = ((land + gone).saturating_sub(least) / 2).max(1);
                let latest = stances[index].frames.end - 1;
                stances[index].land_in(land.min(latest));
                stances[other].leave_in(land + least);
            }
        }
    }

    /// When a ball leaves and lands by its speed in a swing and shortly before and after it, in frames and between them.
    fn speed_times(&self, side: Side, swing: Range<usize>, margin: usize, rate: f64) -> Option<[f64; 2]> {
        let balls = &self.balls[side];
        let speed = |frame: usize| {
            let (from, to) = (frame.saturating_sub(1), (frame + 1).min(balls.len() - 1));
            balls[to].distance(balls[from]) * rate / (to - from) as f64
        };
        let fastest = swing.clone().max_by(|&a, &b| speed(a).total_cmp(&speed(b)))?;
        let most = speed(fastest);
        if most < SLOWEST_SWING {
            return None;
        }
        let slow = (fastest..(swing.end + margin).min(balls.len())).find(|&frame| speed(frame) < SWINGS * most)?;
        let still = (swing.start.saturating_sub(margin)..=fastest).rfind(|&frame| speed(frame) < SWINGS * most)?;
        // Where the speed passes the limit, from the slow frame toward the fast one beside it.
        let passes = |slow: usize, fast: usize| (SWINGS * most - speed(slow)) / (speed(fast) - speed(slow)).max(1e-9);
        let lifts = still as f64 + passes(still, still + 1).clamp(0.0, 1.0);
        let slows = slow as f64 - passes(slow, slow - 1).clamp(0.0, 1.0);
        Some([lifts, slows + LANDS_AFTER * rate])
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
        // Toes that never leave in what the clip shows are planted to its end.
        let leaves = (stance.frames.end..toes.len()).find(has_left).unwrap_or(toes.len());
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

/// Recorded balls are planted some centimetres too high or too low. Places whose heights differ by no more than `tolerance` from one
/// to the next, and altogether, are on one level: at their median. Slopes, whose heights go on and on, stay as they are.
pub fn level_places(stances: &mut [FootStance], tolerance: f64) {
    level_heights(stances.iter_mut().map(|stance| &mut stance.position.y).collect(), tolerance);
}

/// The same of heights.
pub fn level_heights(mut sorted: Vec<&mut f64>, tolerance: f64) {
    sorted.sort_by(|a, b| a.total_cmp(b));
    for level in sorted.chunk_by_mut(|a, b| **b - **a <= tolerance) {
        if *level[level.len() - 1] - *level[0] <= tolerance {
            let median = *level[level.len() / 2];
            level.iter_mut().for_each(|height| **height = median);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{WalkerOptions, synthetic_walk};

    #[test]
    fn steps_timed_by_speed_keep_their_order_places_and_double_supports() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let tracks = FootTracks::new(&walk.take);
        let (planted, timed) = (tracks.stances(&walk.take), tracks.recorded_stances(&walk.take));
        assert_eq!(planted.len(), timed.len());
        let rate = walk.take.clip.frame_rate;
        let mut moved = 0;
        for (index, (planted, timed)) in planted.iter().zip(&timed).enumerate() {
            assert_eq!((planted.side, planted.position, planted.heading), (timed.side, timed.position, timed.heading));
            for (a, b) in [(planted.frames.start, timed.frames.start), (planted.gone, timed.gone)] {
                assert!(a.abs_diff(b) as f64 <= MAX_RETIMED * rate + 1.0, "stance {index}: {a} {b}");
                moved += usize::from(a != b);
            }
            assert!(
                timed.frames.start < timed.frames.end && timed.frames.end <= timed.gone,
                "stance {index}: {timed:?}"
            );
        }
        assert!(moved > 0);
        for (index, pair) in timed.windows(2).enumerate().filter(|(_, pair)| pair[0].side != pair[1].side) {
            assert!(pair[1].frames.start < pair[0].gone, "stance {index} is left before the next: {pair:?}");
        }
    }

    #[test]
    fn feet_apart_by_less_than_a_flight_stay_a_double_support_when_steps_are_timed() {
        let walk = synthetic_walk(&WalkerOptions { frame_rate: 120.0, ..WalkerOptions::default() });
        let rate = walk.take.clip.frame_rate;
        let tracks = FootTracks::new(&walk.take);
        // A clip that ends in a stride: the last foot lands, the other one leaves, and does not land again.
        for (last, gap) in [4, 5, 6].into_iter().flat_map(|last| [0, 2, 4].map(|gap| (last, gap))) {
            let mut stances = tracks.stances(&walk.take);
            stances.truncate(last + 1);
            let gone = stances[last].frames.start - gap;
            (stances[last - 1].gone, stances[last - 1].frames.end) = (gone, gone);
            tracks.time_steps(&mut stances, rate);
            let (other, own) = (&stances[last - 1], &stances[last]);
            assert!(own.frames.start < other.gone, "stance {last}, {gap} frames apart: {other:?}, {own:?}");
            assert!(own.frames.start < own.frames.end);
        }
        assert!(is_flight(100, 105, rate) && !is_flight(100, 104, rate) && !is_flight(104, 100, rate));
    }

    #[test]
    fn nearly_level_places_are_on_one_level_and_slopes_stay() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let check = |heights: &[f64], expected: &[f64]| {
            let mut stances = FootTracks::new(&walk.take).stances(&walk.take);
            stances.truncate(heights.len());
            stances.iter_mut().zip(heights).for_each(|(stance, height)| stance.position.y = *height);
            level_places(&mut stances, 0.06);
            let made: Vec<f64> = stances.iter().map(|stance| stance.position.y).collect();
            assert_eq!(made, expected);
        };
        // A floor and a block, both there and back.
        check(&[0.0, 0.03, 0.197, 0.169, 0.18, 0.01], &[0.01, 0.01, 0.18, 0.18, 0.18, 0.01]);
        let slope = [0.0, 0.04, 0.08, 0.12, 0.16];
        check(&slope, &slope);
    }

    #[test]
    fn swings_are_timed_between_frames() {
        // The same walk at three rates: what is between frames at one is at the others too.
        let times = |rate: f64| {
            let walk = synthetic_walk(&WalkerOptions { frame_rate: rate, ..WalkerOptions::default() });
            let stances = FootTracks::new(&walk.take).recorded_stances(&walk.take);
            let rate = walk.take.clip.frame_rate;
            stances.iter().map(|stance| [stance.lands_at / rate, stance.gone_at / rate]).collect::<Vec<_>>()
        };
        let (fine, coarse) = (times(240.0), times(60.0));
        assert_eq!(fine.len(), coarse.len());
        // Whole frames would be off by up to 17 ms, and by 4 on the mean.
        for (event, name) in ["landing", "lift-off"].into_iter().enumerate() {
            let inner = fine.iter().zip(&coarse).skip(2).take(fine.len() - 4);
            let mut offs: Vec<f64> = inner.map(|(a, b)| (a[event] - b[event]).abs()).collect();
            offs.sort_by(f64::total_cmp);
            assert!(offs[offs.len() / 2] < 0.0025, "{name}: {offs:?}");
        }
    }
}
