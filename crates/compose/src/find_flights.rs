//! When nobody carries the body: flights between stances, proved by the fall of the centre of mass.
//!
//! Contacts alone are a poor witness. A walker's ball leaves some milliseconds before the other heel is found to rest, and a runner's toes
//! drag while the body already flies. What is in the air falls at 1 g, what stands on a foot does not. So for each landing:
//!
//! 1. The gap since the last foot left, or how long both feet touch.
//! 2. It ends a flight if the body falls in it, the more clearly the shorter the gap is, or if a body this fast leaves no time
//!    with both feet planted.
//! 3. Feet that leave, or land, within [`TOGETHER`] do so together.
//!
//! Tried and left: moving the edges of stances to where the body begins and ends to fall. The acceleration of a body is smoothed over 84
//! ms, and its edges agree less with labels made by eye than those of the feet (edges within 40 ms: 90.0 against 91.3 %).

use crate::body_tracks::BodyTracks;
use crate::step_label::Feet;
use crate::touch_stances::TouchStance;
use std::ops::Range;

/// Feet that leave or land this near in time do it together, in seconds.
pub(crate) const TOGETHER: f64 = 0.06;
/// Mean fall in a gap that is a flight, in multiples of g.
const FALLS: f64 = -0.5;
/// The same for a gap shorter than [`SHORT_GAP`], in which a walker's body falls a little too.
const FALLS_BRIEFLY: f64 = -0.6;
const SHORT_GAP: f64 = 0.03;
/// Feet may be found planted together for this long, in seconds, while the body falls by [`FALLS_FREELY`].
const FALSE_OVERLAP: f64 = 0.065;
const FALLS_FREELY: f64 = -0.8;
/// Faster than this nobody walks without a double support, in metres a second.
const RUNS: f64 = 2.2;
/// And faster than this, nobody walks with one shorter than [`BRIEF_OVERLAP`], in seconds.
const RUNS_FAST: f64 = 2.5;
const BRIEF_OVERLAP: f64 = 0.05;
/// A time in the air.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FoundFlight {
    /// From the last foot that leaves to the first that lands; may be empty.
    pub(crate) frames: Range<usize>,
    pub(crate) take_off: Feet,
    pub(crate) landing: Feet,
    /// Stances that end with the take-off, and that begin with the landing: indices.
    pub(crate) from: Vec<usize>,
    pub(crate) to: Vec<usize>,
    /// Mean fall, in multiples of g.
    pub(crate) fall: f64,
    /// Speed of the pelvis over the ground, in metres a second.
    pub(crate) speed: f64,
}

/// The flights between stances, in order of time.
pub(crate) fn find_flights(tracks: &BodyTracks, stances: &[TouchStance]) -> Vec<FoundFlight> {
    let mut flights: Vec<FoundFlight> = Vec::new();
    for index in 0..stances.len() {
        if flights.last().is_some_and(|flight| flight.to.contains(&index)) {
            continue;
        }
        if let Some(flight) = flight_before(tracks, stances, index) {
            flights.push(flight);
        }
    }
    flights
}

/// The flight that ends with the landing of a stance, if one does.
fn flight_before(tracks: &BodyTracks, stances: &[TouchStance], index: usize) -> Option<FoundFlight> {
    let land = stances[index].frames.start;
    let together = tracks.frames(TOGETHER);
    if land == 0 {
        return None;
    }
    // Of each foot the last stance before.
    let last_of =
        |side| (0..index).rev().find(|&other| stances[other].side == side && stances[other].frames.start < land);
    let side = stances[index].side;
    let (own, other) = (last_of(side), last_of(side.opposite()));
    let before: Vec<usize> = own.into_iter().chain(other).collect();
    let left = before.iter().map(|&stance| stances[stance].frames.end).max()?;
    let margin = tracks.frames(BRIEF_OVERLAP);
    let speed = tracks.pelvis_speed(left.min(land).saturating_sub(margin), left.max(land) + margin);
    let fall = is_flight(tracks, left, land, speed)?;
    let from: Vec<usize> = before.into_iter().filter(|&stance| stances[stance].frames.end + together >= left).collect();
    let left = left.min(land);
    // The other foot lands together with this one if it was in the air, too.
    let also = (index + 1..stances.len()).find(|&other| stances[other].side != side);
    let also = also.filter(|&also| stances[also].frames.start <= land + together);
    let to: Vec<usize> = std::iter::once(index).chain(also).collect();
    let feet = |of: &[usize]| match of {
        [_, _, ..] => Feet::Both,
        of => Feet::from(of.first().map_or(side, |&stance| stances[stance].side)),
    };
    Some(FoundFlight { frames: left..land, take_off: feet(&from), landing: feet(&to), from, to, fall, speed })
}

/// How the body falls between the frame in which the last foot leaves and that of the landing, if that is a flight.
fn is_flight(tracks: &BodyTracks, left: usize, land: usize, speed: f64) -> Option<f64> {
    if left <= land {
        let gap = (land - left) as f64 / tracks.frame_rate;
        let fall = tracks.mean_fall(left..land);
        let limit = if gap < SHORT_GAP { FALLS_BRIEFLY } else { FALLS };
        return (fall < limit || speed > RUNS).then_some(fall);
    }
    let overlap = (left - land) as f64 / tracks.frame_rate;
    let fall = tracks.fall[land..left.min(tracks.n_frames())].iter().copied().fold(f64::INFINITY, f64::min);
    let is_false = overlap <= FALSE_OVERLAP && fall < FALLS_FREELY;
    (is_false || (overlap <= BRIEF_OVERLAP && speed > RUNS_FAST)).then_some(fall)
}
