//! Steps that fill a step database evenly: where each lands, and in which order.
//!
//! 1. Places around the standing foot come from a low-discrepancy sequence (the generalised golden ratio in three dimensions,
//!    whose points fill a box evenly however many are taken); those that no leg reaches, or on the other foot, are left out.
//! 2. The end of one step is the start of the next, so the order makes the steps. From what is left, the next place is
//!    always that whose step lies furthest from all steps so far, in the parameters of the database (STRIDE 3.2). Places in the
//!    sequence's own order would not do: a place would tell the next one.

use surefoot_geom::Vec3;
use surefoot_motion::Side;
use surefoot_plan::parameters_of;

/// How far a step goes in front, behind and to its side, in metres at 1.8 m. The swinging foot goes up to twice as far.
const FURTHEST_FRONT: f64 = 0.9;
const FURTHEST_BACK: f64 = 0.5;
const FURTHEST_SIDE: f64 = 0.7;
/// The closest that a foot is put down beside the other, and before or behind it.
const CLOSEST_BESIDE: f64 = 0.1;
const CLOSEST_IN_LINE: f64 = -0.03;
/// Further than a foot is long: one can stand before the other.
const FOOT: f64 = 0.3;
/// Largest turns outward and inward, in radians (50 and 25 degrees): a hip turns less inward.
const OUTWARD: f64 = 0.87;
const INWARD: f64 = 0.44;
/// How much less the longest steps turn.
const LONG_TURN_LOSS: f64 = 0.6;
/// The root of x^4 = x + 1, whose powers are the shares that the sequence goes on by.
const GOLDEN_3D: f64 = 1.220_744_084_605_759_5;

/// Where a step lands, seen from the standing foot, in the heading that the body has then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    /// To the side of the foot that steps.
    pub(super) across: f64,
    /// In front.
    pub(super) along: f64,
    /// Turn of the body, positive toward the side of the foot that steps.
    pub(super) outward: f64,
}

/// Walks of so many steps each, all from a stance.
pub(super) fn spread_steps(n_walks: usize, n_steps: usize, stance: Place) -> Vec<Vec<Place>> {
    let mut left: Vec<Place> = places().take(n_walks * n_steps).collect();
    let mut taken: Vec<Vec3> = Vec::with_capacity(left.len());
    let mut walk = || {
        let mut before = stance;
        let mut next = || {
            let room = |place: &Place| {
                let step = step_between(&before, place);
                taken.iter().map(|other| other.distance_squared(step)).fold(f64::INFINITY, f64::min)
            };
            let rooms = left.iter().map(room).enumerate();
            // Of equals the first.
            let (index, _) = rooms.fold((0, -1.0), |best, next| if next.1 > best.1 { next } else { best });
            let place = left.remove(index);
            taken.push(step_between(&before, &place));
            before = place;
            place
        };
        (0..n_steps).map(|_| next()).collect()
    };
    (0..n_walks).map(|_| walk()).collect()
}

/// The parameters of a step from where the last one landed.
fn step_between(before: &Place, place: &Place) -> Vec3 {
    // As the left foot swings: its side is +X.
    let from = Vec3::new(before.across, 0.0, -before.along);
    let (sin, cos) = place.outward.sin_cos();
    let to = Vec3::new(place.across * cos + place.along * sin, 0.0, place.along * cos - place.across * sin);
    parameters_of(Side::Left, from, to)
}

fn places() -> impl Iterator<Item = Place> {
    (0_u32..).filter_map(|number| {
        let share = |power: i32| (0.5 + f64::from(number) * GOLDEN_3D.powi(-power)).fract();
        let along = -FURTHEST_BACK + (FURTHEST_FRONT + FURTHEST_BACK) * share(1);
        let across = CLOSEST_IN_LINE + (FURTHEST_SIDE - CLOSEST_IN_LINE) * share(2);
        let furthest = if along < 0.0 { FURTHEST_BACK } else { FURTHEST_FRONT };
        let is_within_reach = (along / furthest).hypot(across / FURTHEST_SIDE) <= 1.0;
        let is_on_the_other = across < CLOSEST_BESIDE && along.abs() < FOOT;
        let turn = 2.0 * share(3) - 1.0;
        let most = if turn > 0.0 { OUTWARD } else { INWARD };
        let outward = turn * most * (1.0 - LONG_TURN_LOSS * (along.hypot(across) / FURTHEST_FRONT).min(1.0));
        (is_within_reach && !is_on_the_other).then_some(Place { across, along, outward })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_used_once_and_within_reach() {
        let stance = Place { across: 0.16, along: 0.0, outward: 0.0 };
        let walks = spread_steps(3, 5, stance);
        let mut found: Vec<Place> = walks.concat();
        let mut expected: Vec<Place> = places().take(15).collect();
        for list in [&mut found, &mut expected] {
            list.sort_by(|a, b| a.along.total_cmp(&b.along));
        }
        assert_eq!(found, expected);
        assert!(found.iter().all(|place| place.along.hypot(place.across) < 1.0));
    }
}
