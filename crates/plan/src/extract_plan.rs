//! The footprints that a recording really took.
//!
//! GRAPH and STRIDE both begin with them: a plan that is extracted, animated and compared with its recording shows how good a
//! synthesiser is.
//!
//! 1. The stances of each foot, with their places (foot_stances.rs).
//! 2. A footprint for each, in the order in which they begin; the feet that are planted in the first frame, in the order in which they
//!    leave.
//! 3. Swing: from the end of the foot's stance before. Support: from landing until the first of both feet leaves; 0 if the other
//!    foot is in the air, for longer than contacts may be wrong by ([`is_flight`]). What the clip does not show is left out: the swings of the first footprints, and a support that
//!    lasts to the end.
//! 4. Two feet that land together after a flight are a jump, which is said of both: without it, the second would be a step.
//! 5. A plan begins with both feet. A foot that is in the air at first begins with the footprint that it takes first; if the other
//!    foot steps again before that (a hop), it begins below where its ball is in the first frame, at the height of the other foot.

use crate::jump_pattern::TOGETHER;
use surefoot_contact::{Behaviour, FootPlan, Footprint, Take};
use surefoot_contact::{FootStance, FootTracks, is_flight, level_places};
use surefoot_geom::{Vec3, direction_heading};

/// The plan that a take walks. Empty if no foot is ever planted. Panics if the contacts are of a longer clip.
pub fn extract_plan(take: &Take) -> FootPlan {
    let tracks = FootTracks::new(take);
    plan_of(take, &tracks, &tracks.stances(take))
}

/// The same for contacts that were found in a recording: steps are timed by the speed of the feet, and footprints that are
/// nearly on one level are on it, since recorded balls are planted some centimetres too high or too low.
pub fn extract_recorded_plan(take: &Take) -> FootPlan {
    let tracks = FootTracks::new(take);
    let mut stances = tracks.recorded_stances(take);
    level_places(&mut stances, LEVEL);
    plan_of(take, &tracks, &stances)
}

/// Largest difference in height of footprints on one level, in metres: below the lowest stair.
const LEVEL: f64 = 0.06;

fn plan_of(take: &Take, tracks: &FootTracks, stances: &[FootStance]) -> FootPlan {
    let (n_frames, frame_rate) = (take.contacts.n_frames, take.clip.frame_rate);
    let footprint = |index: usize| {
        let stance: &FootStance = &stances[index];
        let before = stances[..index].iter().rev().find(|other| other.side == stance.side);
        let swing = before.map(|before| (stance.lands_at - before.gone_at).max(0.0) / frame_rate);
        let support = support_frames(stances, index, n_frames, frame_rate).map(|frames| frames / frame_rate);
        Footprint { heading: stance.heading, swing, support, ..Footprint::at(stance.side, stance.position) }
    };
    let mut footprints: Vec<Footprint> = (0..stances.len()).map(footprint).collect();
    for index in 1..footprints.len() {
        let is_flown = footprints[index - 1].support == Some(0.0) && footprints[index - 1].behaviour.is_none();
        let [first, second] = [&stances[index - 1], &stances[index]];
        if is_flown && first.side != second.side && second.lands_at - first.lands_at <= TOGETHER * frame_rate {
            for print in &mut footprints[index - 1..=index] {
                print.behaviour = Some(Behaviour::Jump);
            }
        }
    }
    if let Some(first) =
        footprints.first().copied().filter(|first| footprints.get(1).is_none_or(|second| second.side == first.side))
    {
        footprints.insert(1, waiting(tracks, first));
    }
    FootPlan { footprints }
}

/// Frames with both feet planted after landing, if the clip shows the landing and what ends it.
fn support_frames(stances: &[FootStance], index: usize, n_frames: usize, frame_rate: f64) -> Option<f64> {
    let FootStance { side, frames, lands_at, .. } = &stances[index];
    if frames.start == 0 {
        return None;
    }
    let mut others = stances[..index].iter().rev().filter(|other| other.side != *side);
    let (gone, gone_at) = others.next().map_or((0, 0.0), |other| (other.gone, other.gone_at));
    let (end, end_at) = if gone <= frames.end { (gone, gone_at) } else { (frames.end, frames.end as f64) };
    let both = || (end_at - lands_at).max(SHORTEST * frame_rate);
    (end < n_frames).then(|| if is_flight(end, frames.start, frame_rate) { 0.0 } else { both() })
}

/// Shortest double support, in seconds: what is no flight has one.
const SHORTEST: f64 = 1e-3;

/// The place of a foot that is in the air at first, for as long as the other one hops.
fn waiting(tracks: &FootTracks, other: Footprint) -> Footprint {
    let side = other.side.opposite();
    let (ball, heel) = (tracks.balls[side][0], tracks.heels[side][0]);
    let heading = direction_heading(Vec3::new(ball.x - heel.x, 0.0, ball.z - heel.z));
    Footprint { heading, ..Footprint::at(side, Vec3::new(ball.x, other.position.y, ball.z)) }
}

#[cfg(test)]
mod tests;
