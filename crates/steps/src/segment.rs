//! Takes cut into steps.
//!
//! Reference: STRIDE chapter 3 and 4.1.
//!
//! ```text
//!   swing foot    ======A======|            |======B======     = the foot stands
//!   support foot        |=========C===================|
//!                       ^      ^            ^         ^
//!                       start  lift         land      end      a step goes from `start` to `end`:
//!                       double    swing       double            both double supports belong to it
//! ```
//!
//! A step begins when both feet have come to stand, goes on while one of them swings, and ends when the supporting foot
//! leaves. Its three places are those of the supporting foot (C) and of the swinging one before and after (A and B).
//! Neighbouring steps share a double support; that is where they are joined again.
//!
//! What is not a walking step is refused with its reason, so that nothing is lost without a word. Steps up and down are steps like
//! others ([`super::step_heights`]); differences in height within [`SegmentOptions::level`] are taken as the error of a recording.
//!
//! Departure: the paper reads the places in the middle of each double support. Ours are the plants' positions, which do
//! not depend on one frame; a ball that has not come down by then has no place yet.

use std::ops::Range;
use surefoot_contact::Take;
use surefoot_contact::{FootStance, FootTracks, level_places};
use surefoot_geom::Vec3;
use surefoot_motion::Side;

/// What counts as a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentOptions {
    /// Longest double support that is kept, in seconds: of longer ones the part next to the swing. Default 0.5, beyond
    /// which a person stands rather than walks.
    pub longest_support: f64,
    /// Longest swing, in seconds. Default 1.5: feet that are lifted for longer do not walk.
    pub longest_swing: f64,
    /// Three places whose heights differ by no more than this are on the level, in metres. Default 0.06, below the lowest stair:
    /// recorded balls are planted some centimetres too high or too low. Where contacts are exact, 0 keeps every slope.
    pub level: f64,
    /// Highest that a foot is above or below the supporting one, as a share of the leg. Default 0.6: nobody walks up a table.
    pub highest_step: f64,
    /// Longest step from the supporting foot, as a share of the leg. Default 1.25, above STRIDE 4.3's longest stride of
    /// 1.0.
    pub longest_step: f64,
}

impl Default for SegmentOptions {
    fn default() -> SegmentOptions {
        SegmentOptions { longest_support: 0.5, longest_swing: 1.5, level: 0.06, highest_step: 0.6, longest_step: 1.25 }
    }
}

/// Shortest double support at an end of the clip that shows enough of it, in seconds.
const SHORTEST_SEEN: f64 = 0.06;
/// Feet nearer than this stand on one another, in metres, and the supporting frame has no direction.
const NEAREST: f64 = 0.02;

/// A step of a take.
#[derive(Clone, Debug, PartialEq)]
pub struct StepSpan {
    /// The foot that swings.
    pub swing: Side,
    /// From the beginning of the first double support to the end of the second, half-open.
    pub frames: Range<usize>,
    /// First frame in which the foot is up, toes and all.
    pub lift: usize,
    /// First frame in which it is down again.
    pub land: usize,
    /// When it starts, lifts, lands and ends, in frames and between them: no later than the frames above, and less than one earlier.
    pub times: [f64; 4],
    /// First frame in which neither its heel nor its ball stands, at `lift` or shortly before; the same of the
    /// supporting foot at the end. In between it rolls over its toes.
    pub released: usize,
    /// See `released`.
    pub support_released: usize,
    /// Where the supporting foot's ball stands.
    pub support: Vec3,
    /// Where the swinging foot's ball stood, and where it stands after. On the level all three are at one height.
    pub from: Vec3,
    /// See `from`.
    pub to: Vec3,
    /// Headings of the supporting foot, and of the swinging one before and after.
    pub headings: [f64; 3],
}

impl StepSpan {
    /// Whether the feet stand at one height.
    pub fn is_level(&self) -> bool {
        self.from.y == self.support.y && self.to.y == self.support.y
    }
}

/// Why a swing of a foot is no step for a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, thiserror::Error)]
pub enum Refusal {
    /// The other foot leaves or lands while this one is in the air.
    #[error("both feet were in the air, or the supporting foot moved (running, hopping, turning on a foot)")]
    NoSupport,
    /// The clip begins or ends in it.
    #[error("cut off by the beginning or end of the clip")]
    CutOff,
    /// Up or down by more than a person walks.
    #[error("higher or lower than legs walk")]
    TooHigh,
    /// The foot was held up.
    #[error("the foot was in the air for too long")]
    TooSlow,
    /// Farther than legs reach.
    #[error("longer than legs reach, so feet must have slid")]
    TooLong,
    /// Feet on one another.
    #[error("the feet stood on one another")]
    TooNear,
    /// The contacts left no room for a swing or a support.
    #[error("shorter than two frames")]
    TooShort,
}

/// The steps of a take, and what was none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Segments {
    /// In order of time.
    pub steps: Vec<StepSpan>,
    /// Frames in the air, and why they make no step.
    pub refused: Vec<(Range<usize>, Refusal)>,
}

/// Cuts a take into steps.
pub fn segment_steps(take: &Take, options: &SegmentOptions) -> Segments {
    let body = &take.body;
    let mut stays = FootTracks::new(take).recorded_stances(take);
    level_places(&mut stays, options.level);
    let leg = body.leg_length(&take.clip.skeleton);
    let mut segments = Segments::default();
    for (index, before) in stays.iter().enumerate() {
        let Some(after) = stays[index + 1..].iter().find(|stay| stay.side == before.side) else { continue };
        let air = before.gone..after.frames.start;
        match step_between(take, &stays, before, after, leg, options) {
            Ok(step) => segments.steps.push(step),
            Err(reason) => segments.refused.push((air, reason)),
        }
    }
    segments.steps.sort_by_key(|step| step.lift);
    segments
}

fn step_between(
    take: &Take,
    stays: &[FootStance],
    before: &FootStance,
    after: &FootStance,
    leg: f64,
    options: &SegmentOptions,
) -> Result<StepSpan, Refusal> {
    let (rate, n_frames) = (take.clip.frame_rate, take.contacts.n_frames);
    let (lift, land) = (before.gone, after.frames.start);
    let holds = |stay: &&FootStance| stay.side != before.side && stay.frames.start < lift && stay.gone > land;
    let support = stays.iter().find(holds).ok_or(Refusal::NoSupport)?;
    let start = before.frames.start.max(support.frames.start);
    let end = after.frames.end.min(support.gone).min(n_frames);
    let longest = (options.longest_support * rate).round() as usize;
    let frames = start.max(lift.saturating_sub(longest))..end.min(land + longest);
    let seen = (SHORTEST_SEEN * rate).ceil() as usize;
    if (start == 0 && lift < seen) || (end == n_frames && n_frames - land < seen) {
        return Err(Refusal::CutOff);
    }
    if lift < frames.start + 1 || support.frames.end < frames.start + 1 || land < lift + 2 || frames.end < land + 1 {
        return Err(Refusal::TooShort);
    }
    if (land - lift) as f64 > options.longest_swing * rate {
        return Err(Refusal::TooSlow);
    }
    let mut places = [support.position, before.position, after.position];
    let heights = places.map(|place| place.y);
    let spread = heights.iter().fold(f64::MIN, |a, &b| a.max(b)) - heights.iter().fold(f64::MAX, |a, &b| a.min(b));
    if spread <= options.level {
        places.iter_mut().for_each(|place| place.y = support.position.y);
    }
    if places.iter().any(|place| (place.y - support.position.y).abs() > options.highest_step * leg) {
        return Err(Refusal::TooHigh);
    }
    let apart = |place: Vec3| (place.x - support.position.x).hypot(place.z - support.position.z);
    let reaches = [apart(before.position), apart(after.position)];
    if reaches.iter().any(|&reach| reach > options.longest_step * leg) {
        return Err(Refusal::TooLong);
    }
    if reaches[0] < NEAREST {
        return Err(Refusal::TooNear);
    }
    let headings = [support, before, after].map(|stay| stay.heading.unwrap_or(0.0));
    // What was cut off begins and ends with a frame.
    let begins = [before, support].into_iter().find(|stay| stay.frames.start == frames.start);
    let begins = begins.map_or(frames.start as f64, |stay| stay.lands_at);
    let ends = if support.gone == frames.end { support.gone_at } else { frames.end as f64 };
    let times = [begins, before.gone_at, after.lands_at, ends];
    let released = before.frames.end.clamp(frames.start, lift);
    let support_released = support.frames.end.min(frames.end);
    let [support, from, to] = places;
    Ok(StepSpan {
        swing: before.side,
        frames,
        lift,
        land,
        times,
        released,
        support_released,
        support,
        from,
        to,
        headings,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_plan::extract_recorded_plan;

    #[test]
    fn the_steps_of_a_walk_are_those_of_its_plan() {
        let walk = synthetic_walk(&WalkerOptions::default());
        let plan = extract_recorded_plan(&walk.take);
        let segments = segment_steps(&walk.take, &SegmentOptions::default());
        assert!(segments.steps.len() >= 6, "{segments:?}");
        for step in &segments.steps {
            let index = plan.footprints.iter().position(|print| print.position == step.to).unwrap();
            let print = &plan.footprints[index];
            assert_eq!((print.side, print.heading), (step.swing, Some(step.headings[2])));
            assert_eq!(plan.footprints[index - 1].position, step.support);
            assert_eq!(plan.previous_of_side(index).unwrap().position, step.from);
            let [start, lift, land, end] = step.times;
            assert!((print.swing.unwrap() - (land - lift) / walk.take.clip.frame_rate).abs() < 1e-9);
            let frames = [step.frames.start, step.lift, step.land, step.frames.end];
            let within =
                [start, lift, land, end].into_iter().zip(frames).all(|(time, frame)| time.ceil() as usize == frame);
            assert!(within, "{step:?}");
        }
    }
}
