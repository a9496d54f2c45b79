//! Where balls are while they must carry the body, whatever the motion's own contacts declare.
//!
//! A motion that declares a stance of nine frames is exact over nine frames. Here stances are found from the plan's order and the
//! paths of the balls alone, as `judge.py stance` finds them:
//!
//! ```text
//!   ball speed    ___                       ___
//!                /   \                     /   \        a foot swings in the frames around its peak in which the ball is over
//!   left   _____/     \___________________/     \__     20 % as fast
//!   right  _________________/^^^^^^\_______________
//!                           |-60 %-|                    the left footprint is judged while the right foot swings past
//! ```
//!
//! 1. Frames are dealt to footprints in the plan's order such that the distances of both balls from their footprints add up to the
//!    least, with 5 cm for a radian of heading, and up to 10 cm for a change of footprint while the ball is slow.
//! 2. Where its footprint changes a foot swings.
//! 3. A footprint is judged in its single support, the other foot's swing to the footprint that the plan has next: at the middle of
//!    it, and over its middle 60 %. Those without one, first and last, are judged over the half of their stance that is away from
//!    their swing; with flights, in the frames around the slowest in which the ball has under 5 % of its fastest speed.
//!
//! Distances are over the ground, heights are given apart.

use super::foot_points::planar;
use super::soles_by_motion::SoleTrack;
use crate::standing_height::speeds;
use crate::{FootPlan, Footprint};
use std::ops::Range;
use surefoot_geom::{Vec3, direction_heading, wrap_angle};
use surefoot_motion::{PerSide, Side, count_frames};

/// Metres that a radian of heading counts.
const PER_RADIAN: f64 = 0.05;
/// Metres that a change of footprint costs while the ball is planted.
const CHANGE: f64 = 0.1;
/// The fastest moment of a swing is this near to where the nearer footprint changes, in seconds.
const NEAR_CHANGE: f64 = 0.25;
/// A swing lasts while the ball has this share of its peak speed.
const SWINGING: f64 = 0.2;
/// Share of a single support at either end that the middle 60 % leave out.
const EDGE: f64 = 0.2;
/// Where feet fly, a foot is planted below this share of its fastest speed.
const STILL: f64 = 0.05;
/// A plan whose supports are shorter than this as a rule has flights, in seconds.
const SHORTEST_SUPPORT: f64 = 0.005;
/// Without supports in the plan: swings that begin so long before the other foot's end as a rule are flights, in seconds.
const OVERLAP: f64 = 0.02;

/// A footprint in mid stance; metres.
#[derive(Clone, Debug, PartialEq)]
pub struct MidStance {
    /// The frames in which the foot carries the body.
    pub frames: Range<usize>,
    /// The middle one.
    pub mid: usize,
    /// Distance of the ball from the footprint over the ground in that frame.
    pub mid_error: f64,
    /// Largest distance over the middle 60 % of the frames.
    pub middle_60: f64,
    /// Height of the ball over the footprint, where that differs most over the middle 60 %.
    pub height: f64,
    /// The middle 60 % of the frames.
    pub middle: Range<usize>,
}

/// Finds every footprint's mid stance in a motion; `None` where a foot has no footprint, or the motion fewer frames than the plan
/// footprints.
pub fn measure_mid_stances(plan: &FootPlan, soles: &PerSide<SoleTrack>, frame_rate: f64) -> Option<Vec<MidStance>> {
    let prints = &plan.footprints;
    let n_frames = soles.left.ball.len();
    let of = |side: Side| (0..prints.len()).filter(|&index| prints[index].side == side).collect::<Vec<usize>>();
    let order = PerSide::from_fn(of);
    if Side::BOTH.into_iter().any(|side| order[side].is_empty()) || prints.len() > n_frames {
        return None;
    }
    let pace = PerSide::from_fn(|side| speeds(&soles[side].ball, frame_rate));
    let dealt = frames_by_print(prints, soles, &pace, &order);
    let swings = PerSide::from_fn(|side| swings_between(&pace[side], &dealt[side], frame_rate));
    let flies = has_flights(prints, &swings, frame_rate);
    let stance = |index: usize| {
        let side = prints[index].side;
        let (mine, other) = (&order[side], side.opposite());
        let k = mine.iter().position(|&print| print == index).expect("each footprint is its foot's");
        let ball = &soles[side].ball;
        let (first, end) = (dealt[side][k], dealt[side][k + 1]);
        let mut since = if k > 0 { swings[side][k - 1].end } else { 0 };
        let mut until = swings[side].get(k).map_or(n_frames, |swing| swing.start);
        if since >= until {
            // Footprints so near in time that the ball never slows: where it is nearest.
            let away = |frame: &usize| planar(ball[*frame] - prints[index].position);
            since = (first..end).min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(first);
            until = since + 1;
        }
        let after = mine.get(k + 1).copied().unwrap_or(prints.len());
        let during =
            order[other][1..].iter().zip(&swings[other]).filter(|(print, _)| (index + 1..after).contains(*print));
        let frames = if flies {
            slowest_stance(&pace[side], first..end)
        } else {
            single_support(since..until, during.map(|(_, swing)| swing.clone()), n_frames)
        };
        mid_stance(&prints[index], ball, frames)
    };
    Some((0..prints.len()).map(stance).collect())
}

/// For each foot the first frame of each footprint, and the motion's end.
fn frames_by_print(
    prints: &[Footprint],
    soles: &PerSide<SoleTrack>,
    pace: &PerSide<Vec<f64>>,
    order: &PerSide<Vec<usize>>,
) -> PerSide<Vec<usize>> {
    let n_frames = soles.left.ball.len();
    let mut cost = vec![vec![0.0; n_frames]; prints.len()];
    let mut change = vec![vec![0.0; n_frames]; prints.len()];
    for (side, sole) in soles.iter() {
        let headings: Vec<f64> = sole
            .ball
            .iter()
            .zip(&sole.ankle)
            .map(|(ball, ankle)| direction_heading(*ball - *ankle).unwrap_or(0.0))
            .collect();
        let fastest = pace[side].iter().copied().fold(1e-9, f64::max);
        for (k, &index) in order[side].iter().enumerate() {
            let print = &prints[index];
            // Once this footprint is on, and until the foot's next one is; the first from the beginning.
            let rows = if k > 0 { index } else { 0 }..order[side].get(k + 1).copied().unwrap_or(prints.len());
            for frame in 0..n_frames {
                let turned = print.heading.map_or(0.0, |heading| wrap_angle(headings[frame] - heading).abs());
                let away = planar(sole.ball[frame] - print.position) + PER_RADIAN * turned;
                cost[rows.clone()].iter_mut().for_each(|row| row[frame] += away);
                change[index][frame] = if k > 0 { CHANGE * (1.0 - pace[side][frame] / fastest) } else { 0.0 };
            }
        }
    }
    let starts = split_in_order(&cost, &change);
    PerSide::from_fn(|side| {
        let later = order[side][1..].iter().map(|&index| starts[index]);
        std::iter::once(0).chain(later).chain([n_frames]).collect()
    })
}

/// The frames at which successive rows begin, each after the last, such that cost of rows and changes adds up to the least.
fn split_in_order(cost: &[Vec<f64>], change: &[Vec<f64>]) -> Vec<usize> {
    let (n_rows, n_frames) = (cost.len(), cost[0].len());
    let mut total = vec![f64::INFINITY; n_rows];
    let mut came = vec![vec![false; n_frames]; n_rows];
    total[0] = cost[0][0];
    for frame in 1..n_frames {
        for row in (0..n_rows).rev() {
            let from_before = if row > 0 { total[row - 1] } else { f64::INFINITY } + change[row][frame];
            came[row][frame] = from_before < total[row];
            total[row] = from_before.min(total[row]) + cost[row][frame];
        }
    }
    let mut starts = vec![0; n_rows];
    let mut row = n_rows - 1;
    for frame in (1..n_frames).rev() {
        if came[row][frame] {
            starts[row] = frame;
            row -= 1;
        }
    }
    starts
}

/// The swing between each two successive footprints of a foot.
fn swings_between(pace: &[f64], bounds: &[usize], frame_rate: f64) -> Vec<Range<usize>> {
    let near = count_frames((NEAR_CHANGE * frame_rate).round_ties_even());
    let swing = |three: &[usize]| {
        let &[before, at, after] = three else { unreachable!("windows of three") };
        let low = at.saturating_sub(near).max((before + at) / 2);
        let high = (at + near + 1).min((at + after).div_ceil(2)).max(low + 1).min(pace.len());
        let peak = (low..high).fold(low.min(pace.len() - 1), |best, t| if pace[t] > pace[best] { t } else { best });
        let is_slow = |frame: &usize| pace[*frame] < SWINGING * pace[peak];
        let first = (before..=peak).rev().find(is_slow).map_or(before, |frame| frame + 1);
        let end = (peak..after).find(is_slow).unwrap_or(after);
        first..end.max(first + 1)
    };
    bounds.windows(3).map(swing).collect()
}

/// Whether feet leave before the others land, as a rule: by the plan's supports, or else by the swings.
fn has_flights(prints: &[Footprint], swings: &PerSide<Vec<Range<usize>>>, frame_rate: f64) -> bool {
    let supports: Vec<f64> = prints.iter().filter_map(|print| print.support).collect();
    if !supports.is_empty() {
        return super::quantile(&supports, 0.5).is_some_and(|median| median < SHORTEST_SUPPORT);
    }
    let mut all: Vec<(usize, usize, Side)> = Vec::new();
    for (side, swings) in swings.iter() {
        all.extend(swings.iter().map(|swing| (swing.start, swing.end, side)));
    }
    all.sort_by_key(|(start, end, side)| (*start, *end, *side == Side::Right));
    let gaps: Vec<f64> = all
        .windows(2)
        .filter(|pair| pair[0].2 != pair[1].2)
        .map(|pair| (pair[1].0 as f64 - pair[0].1 as f64) / frame_rate)
        .collect();
    super::quantile(&gaps, 0.5).is_some_and(|median| median < -OVERLAP)
}

/// The frames in which a foot carries the body alone; if it never does, those of its stance in which it rests.
fn single_support(stance: Range<usize>, during: impl Iterator<Item = Range<usize>>, n_frames: usize) -> Range<usize> {
    let longest = during.reduce(|best, next| if next.len() > best.len() { next } else { best });
    let Range { start: first, end } = longest.unwrap_or_else(|| {
        // Before the first step and after the last: the half away from the swing.
        let half = (stance.end - stance.start) / 2;
        let (from_start, to_end) = (stance.start == 0, stance.end == n_frames);
        let late = if to_end && !from_start { half } else { 0 };
        let early = if from_start && !to_end { half } else { 0 };
        stance.start + late..stance.end - early
    });
    let first = first.min(n_frames - 1);
    first..end.max(first + 1).min(n_frames)
}

/// The frames around the slowest of a range in which a foot has under 5 % of its fastest speed.
fn slowest_stance(pace: &[f64], range: Range<usize>) -> Range<usize> {
    let slowest = range.clone().fold(range.start, |best, frame| if pace[frame] < pace[best] { frame } else { best });
    let limit = (STILL * pace.iter().copied().fold(0.0, f64::max)).max(pace[slowest]);
    let is_fast = |frame: &usize| pace[*frame] > limit;
    let first = (range.start..=slowest).rev().find(is_fast).map_or(range.start, |frame| frame + 1);
    first..(slowest..range.end).find(is_fast).unwrap_or(range.end)
}

fn mid_stance(print: &Footprint, ball: &[Vec3], frames: Range<usize>) -> MidStance {
    let mid = (frames.start + frames.end - 1) / 2;
    let edge = (EDGE * frames.len() as f64) as usize;
    let middle = frames.start + edge..frames.end - edge;
    let away = |frame: usize| planar(ball[frame] - print.position);
    let heights = middle.clone().map(|frame| ball[frame].y - print.position.y);
    MidStance {
        mid_error: away(mid),
        middle_60: middle.clone().map(away).fold(0.0, f64::max),
        height: heights.fold(0.0, |worst: f64, height| if height.abs() > worst.abs() { height } else { worst }),
        frames,
        mid,
        middle,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::soles_by_motion;
    use crate::{WalkerOptions, synthetic_walk};

    /// A walker with known contacts, and the footprints where its balls are planted.
    fn walk() -> (FootPlan, PerSide<SoleTrack>, f64) {
        let walk = synthetic_walk(&WalkerOptions::default());
        let take = walk.take;
        let stances = crate::FootTracks::new(&take).stances(&take);
        let footprints = stances
            .iter()
            .map(|stance| Footprint { heading: stance.heading, ..Footprint::at(stance.side, stance.position) });
        let rate = take.clip.frame_rate;
        let soles = soles_by_motion(&take.clip.world(), &take.clip.skeleton, &take.body, rate);
        (FootPlan { footprints: footprints.collect() }, soles, rate)
    }

    #[test]
    fn balls_on_their_footprints_are_found_there_and_shifted_footprints_are_missed_by_the_shift() {
        let (mut plan, soles, rate) = walk();
        let found = measure_mid_stances(&plan, &soles, rate).expect("a walk");
        assert_eq!(found.len(), plan.footprints.len());
        for (index, stance) in found.iter().enumerate() {
            assert!(stance.mid_error < 1e-6 && stance.middle_60 < 1e-6, "{index}: {stance:?}");
            assert!(stance.frames.contains(&stance.mid) && stance.middle.contains(&stance.mid), "{index}: {stance:?}");
        }
        plan.footprints[3].position += Vec3::new(0.03, 0.01, 0.04);
        let moved = measure_mid_stances(&plan, &soles, rate).expect("a walk");
        assert!((moved[3].mid_error - 0.05).abs() < 1e-6 && (moved[3].height + 0.01).abs() < 1e-6, "{:?}", moved[3]);
        assert!(moved[2].mid_error < 1e-6 && moved[4].mid_error < 1e-6, "{moved:?}");
    }

    #[test]
    fn a_foot_that_slips_in_mid_stance_is_noticed_whatever_contacts_declare() {
        let (plan, mut soles, rate) = walk();
        let stance = measure_mid_stances(&plan, &soles, rate).expect("a walk")[4].clone();
        let ball = &mut soles[plan.footprints[4].side].ball;
        ball[stance.mid + 1].x += 0.02;
        let found = measure_mid_stances(&plan, &soles, rate).expect("a walk");
        assert!((found[4].middle_60 - 0.02).abs() < 1e-6, "{:?}", found[4]);
    }

    #[test]
    fn plans_of_one_foot_and_motions_shorter_than_their_plan_have_none() {
        let (plan, soles, rate) = walk();
        let left = plan.footprints.iter().copied().filter(|print| print.side == Side::Left).collect();
        assert_eq!(measure_mid_stances(&FootPlan { footprints: left }, &soles, rate), None);
        let two = PerSide::from_fn(|side| SoleTrack {
            ankle: soles[side].ankle[..2].to_vec(),
            ball: soles[side].ball[..2].to_vec(),
            ..SoleTrack::default()
        });
        assert_eq!(measure_mid_stances(&plan, &two, rate), None);
    }
}
