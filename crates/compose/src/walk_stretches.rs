//! Where a plan is walked: stretches of footprints that recorded steps lead through, between flights.
//!
//! ```text
//!   run    run     walk      walk    walk    walk       jump
//!   i-2    i-1      i        i+1     i+2      j          j+1
//!          first    second   pushed ...       pushed
//!          `- both planted -'`- gait goes over `- recorded steps go over
//!              the walk begins  into the walk     into gait
//! ```
//!
//! A walk begins on two planted feet. After a landing on one foot these are it and the first footprint that is walked to; after a
//! landing on both feet, these. While the first pushed foot swings, the body goes over from what was before; while the last one swings,
//! to what comes after. A stretch without room for both is walked by gait.

use crate::decide_behaviours::{PlannedBehaviour, is_walk};
use crate::step_label::Feet;
use std::ops::Range;
use surefoot_contact::Footprint;

/// Footprints that are walked in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WalkStretch {
    /// The feet that it begins on, in the order in which they leave.
    pub(crate) pair: [usize; 2],
    /// Those that are stepped to.
    pub(crate) pushes: Range<usize>,
    /// A flight comes before it.
    pub(crate) is_after_flight: bool,
    /// A flight comes after it.
    pub(crate) is_before_flight: bool,
}

/// The stretches of a plan.
pub(crate) fn walk_stretches(prints: &[Footprint], behaviours: &[PlannedBehaviour]) -> Vec<WalkStretch> {
    let mut stretches = Vec::new();
    let mut index = 2;
    while index < prints.len() {
        let start = index;
        while index < prints.len() && is_walk(behaviours[index].behaviour) {
            index += 1;
        }
        stretches.extend(stretch_of(prints, behaviours, start..index));
        index = index.max(start + 1);
    }
    stretches
}

fn stretch_of(prints: &[Footprint], behaviours: &[PlannedBehaviour], walked: Range<usize>) -> Option<WalkStretch> {
    let (start, end) = (walked.start, walked.end);
    let is_after_flight = start > 2;
    let is_before_flight = end < prints.len();
    let landed_on_both = start > 2 && behaviours[start - 1].feet.is_some_and(|feet| feet[1] == Feet::Both);
    let first = if !is_after_flight || landed_on_both { start } else { start + 1 };
    let pair = [first - 2, first - 1];
    let least = 1 + usize::from(is_after_flight && is_before_flight);
    let alternate = (first..end).all(|index| prints[index].side != prints[index - 1].side);
    let is_pair = prints[pair[0]].side != prints[pair[1]].side;
    (first + least <= end && is_pair && (alternate || !is_after_flight)).then_some(WalkStretch {
        pair,
        pushes: first..end,
        is_after_flight,
        is_before_flight,
    })
}
