//! Which recorded flights are blended for a flight of a plan, and by what weights.
//!
//! Reference: COMPOSE 3.2 and 3.3.
//!
//! 1. Candidates have the same feet, and are the [`N_NEAR`] most alike: by where they lead, how the feet turn, and how fast the body comes and
//!    goes.
//! 2. Of them, three whose landings enclose the ball of the foot that lands and have the least sum of distances give weights `w` to the
//!    ball; three whose ankles enclose the ankle give weights to it (3.2).
//! 3. Both are joined, `P = v1 P_foot + v2 P_toe` with `v1 + v2 = 1`, by the least squares that bring ball and ankle to their places
//!    (eq. 1 to 3).
//! 4. Where none enclose it, weights fall with the distance, and the flight is extrapolated.
//!
//! Departures: the paper takes four of sorted orientations for each; orientation is among the features here. Triangles are the smallest
//! polygons, and with as few recorded jumps as there are, the ones most often found. What is left to the footprint is a matter of foot
//! locking, as in the paper.

use crate::recorded_flights::{FlightLibrary, FlightShape, RecordedFlight};
use crate::step_label::Feet;
use surefoot_contact::Behaviour;
use surefoot_geom::{Vec2, Vec3, ground_point};

/// Candidates.
const N_NEAR: usize = 9;
/// Weights that fall with the distance are of so many.
const N_BLENDED: usize = 3;
/// What a metre up or down counts beside one over the ground.
const RISE: f64 = 2.0;
/// What a radian of turning counts, in metres.
const TURN: f64 = 0.4;
/// What a metre a second counts, in metres.
const SPEED: f64 = 0.15;
/// Candidates that are further away than this are of no use, in metres.
const FARTHEST: f64 = 1.0;
/// Landings that are further outside of all recorded ones are left to whoever made the flight, in metres.
const FARTHEST_OUTSIDE: f64 = 0.3;
/// Lighter recordings are left out.
const LIGHTEST: f64 = 0.02;

/// Which recorded flights are blended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlightSelection {
    /// Those whose landings enclose the footprint (3.2, 3.3).
    #[default]
    Enclosing,
    /// The most alike alone, to be compared with.
    Nearest,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FlightQuery {
    pub(crate) behaviour: Behaviour,
    pub(crate) feet: [Feet; 2],
    pub(crate) shape: FlightShape,
    /// From the ball of the first foot that lands to its ankle, along the feet.
    pub(crate) ankle: Vec3,
}

/// Recorded flights by weight; the weights sum to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ChosenFlights {
    /// Heaviest first: indices into [`FlightLibrary::flights`].
    pub(crate) parts: Vec<(usize, f64)>,
    /// How far the landing lies outside of what they enclose, in metres; 0 within.
    pub(crate) outside: f64,
    /// Where they land on the mean, along the feet.
    pub(crate) landing: Vec3,
}

/// The flights to blend, if any has the same feet and is near enough.
pub(crate) fn choose_flights(
    library: &FlightLibrary,
    query: &FlightQuery,
    selection: FlightSelection,
) -> Option<ChosenFlights> {
    let of = library.flights();
    let is_like = |flight: &RecordedFlight| {
        flight.feet == query.feet && (flight.behaviour == Behaviour::Run) == (query.behaviour == Behaviour::Run)
    };
    let mut near: Vec<(f64, usize)> = (0..of.len())
        .filter(|&index| is_like(&of[index]))
        .map(|index| (distance(&of[index].shape, &query.shape), index))
        .filter(|(distance, _)| *distance < FARTHEST)
        .collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    near.truncate(N_NEAR);
    let &(_, nearest) = near.first()?;
    let ball = |index: usize| ground_point(of[index].shape.to);
    let ankle = |index: usize| ground_point(of[index].shape.to + of[index].ankle);
    let (to, to_ankle) = (ground_point(query.shape.to), ground_point(query.shape.to + query.ankle));
    if selection == FlightSelection::Nearest {
        let outside = ball(nearest).distance(to);
        return Some(ChosenFlights { parts: vec![(nearest, 1.0)], outside, landing: of[nearest].shape.to });
    }
    let toe = enclosing(&near, &ball, to);
    let foot = enclosing(&near, &ankle, to_ankle);
    let (weights, is_outside) = match (toe, foot) {
        (Some(toe), Some(foot)) => (joined(&foot, &toe, &ball, &ankle, [to, to_ankle]), false),
        (Some(only), None) | (None, Some(only)) => (only, false),
        (None, None) => (by_distance(&near), true),
    };
    let outside = if is_outside { blended(&weights, &ball).distance(to) } else { 0.0 };
    if outside > FARTHEST_OUTSIDE {
        return None;
    }
    let mut parts: Vec<(usize, f64)> = weights.into_iter().filter(|(_, weight)| *weight > LIGHTEST).collect();
    parts.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let total: f64 = parts.iter().map(|(_, weight)| weight).sum();
    parts.iter_mut().for_each(|(_, weight)| *weight /= total);
    let landing = parts.iter().map(|(index, weight)| of[*index].shape.to * *weight).sum();
    Some(ChosenFlights { parts, outside, landing })
}

fn distance(a: &FlightShape, b: &FlightShape) -> f64 {
    let to = (a.to - b.to) * Vec3::new(1.0, RISE, 1.0);
    let speeds: f64 = a.velocities.iter().zip(b.velocities).map(|(a, b)| a.distance_squared(b)).sum();
    (to.length_squared() + (TURN * (a.turn - b.turn)).powi(2) + SPEED * SPEED * speeds).sqrt()
}

fn by_distance(near: &[(f64, usize)]) -> Vec<(usize, f64)> {
    let least = near[0].0.max(0.02);
    let weights: Vec<(usize, f64)> =
        near.iter().take(N_BLENDED).map(|(distance, index)| (*index, (least / distance.max(least)).powi(2))).collect();
    let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
    weights.into_iter().map(|(index, weight)| (index, weight / total)).collect()
}

fn blended(weights: &[(usize, f64)], place: &dyn Fn(usize) -> Vec2) -> Vec2 {
    weights.iter().map(|(index, weight)| place(*index) * *weight).sum()
}

/// The three that enclose a point and are nearest together (3.2), with their weights.
fn enclosing(near: &[(f64, usize)], place: &dyn Fn(usize) -> Vec2, at: Vec2) -> Option<Vec<(usize, f64)>> {
    let mut best: Option<(f64, Vec<(usize, f64)>)> = None;
    for i in 0..near.len() {
        for j in i + 1..near.len() {
            for k in j + 1..near.len() {
                let sum = near[i].0 + near[j].0 + near[k].0;
                if best.as_ref().is_some_and(|(least, _)| *least <= sum) {
                    continue;
                }
                let of = [near[i].1, near[j].1, near[k].1];
                if let Some(weights) = within(of.map(place), at) {
                    best = Some((sum, of.into_iter().zip(weights).collect()));
                }
            }
        }
    }
    best.map(|(_, weights)| weights)
}

/// The weights of three corners at a point between them.
fn within([a, b, c]: [Vec2; 3], at: Vec2) -> Option<[f64; 3]> {
    let (u, v, w) = (b - a, c - a, at - a);
    let area = u.perp_dot(v);
    if area.abs() < 1e-6 {
        return None;
    }
    let (second, third) = (w.perp_dot(v) / area, u.perp_dot(w) / area);
    let weights = [1.0 - second - third, second, third];
    weights.iter().all(|weight| *weight >= -1e-9).then(|| weights.map(|weight| weight.max(0.0)))
}

/// Eq. 1 to 3: shares of both blends, by the least squares over ball and ankle.
fn joined(
    foot: &[(usize, f64)],
    toe: &[(usize, f64)],
    ball: &dyn Fn(usize) -> Vec2,
    ankle: &dyn Fn(usize) -> Vec2,
    [to, to_ankle]: [Vec2; 2],
) -> Vec<(usize, f64)> {
    // With v2 = 1 - v1: v1 (foot - toe) = target - toe, for ball and ankle.
    let pairs = [(ball, to), (ankle, to_ankle)].map(|(place, target)| {
        let (of_foot, of_toe) = (blended(foot, place), blended(toe, place));
        (of_foot - of_toe, target - of_toe)
    });
    let square: f64 = pairs.iter().map(|(way, _)| way.length_squared()).sum();
    let along: f64 = pairs.iter().map(|(way, gap)| way.dot(*gap)).sum();
    let share = if square > 1e-12 { (along / square).clamp(0.0, 1.0) } else { 0.5 };
    let mut weights: Vec<(usize, f64)> = foot.iter().map(|(index, weight)| (*index, share * weight)).collect();
    for (index, weight) in toe {
        match weights.iter_mut().find(|(known, _)| known == index) {
            Some((_, known)) => *known += (1.0 - share) * weight,
            None => weights.push((*index, (1.0 - share) * weight)),
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorded_flights::{FlightRow, FlightTimes, N_FLIGHT_ROWS};

    fn library(landings: &[[f64; 2]]) -> FlightLibrary {
        let flight = |[x, z]: &[f64; 2]| RecordedFlight {
            name: "take 0..9".into(),
            actor: "a".to_string(),
            behaviour: Behaviour::Jump,
            feet: [Feet::Both, Feet::Both],
            times: FlightTimes { before: 0.3, air: 0.3, after: 0.3 },
            shape: FlightShape { to: Vec3::new(*x, 0.0, *z), ..FlightShape::default() },
            ankle: Vec3::new(0.0, 0.08, -0.12),
            rows: vec![0.0; N_FLIGHT_ROWS * FlightRow::width(2)].into(),
        };
        FlightLibrary::new(landings.iter().map(flight).collect(), 2).expect("sound")
    }

    fn query(x: f64, z: f64) -> FlightQuery {
        FlightQuery {
            behaviour: Behaviour::Jump,
            feet: [Feet::Both, Feet::Both],
            shape: FlightShape { to: Vec3::new(x, 0.0, z), ..FlightShape::default() },
            ankle: Vec3::new(0.0, 0.08, -0.12),
        }
    }

    #[test]
    fn the_three_around_a_landing_are_blended_to_it() {
        let library = library(&[[-0.3, 0.8], [0.3, 0.8], [0.0, 1.4], [0.0, 1.9], [0.6, 1.5]]);
        let chosen = choose_flights(&library, &query(0.05, 1.0), FlightSelection::Enclosing).expect("flights");
        let to: Vec3 = chosen.parts.iter().map(|(index, weight)| library.flights()[*index].shape.to * *weight).sum();
        assert!(to.distance(Vec3::new(0.05, 0.0, 1.0)) < 0.02, "{to} {chosen:?}");
        assert_eq!(chosen.outside, 0.0);
        assert!((chosen.parts.iter().map(|(_, weight)| weight).sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn outside_of_all_the_nearest_are_blended_and_other_feet_never() {
        let library = library(&[[-0.3, 0.8], [0.3, 0.8], [0.0, 1.4]]);
        let chosen = choose_flights(&library, &query(0.0, 1.6), FlightSelection::Enclosing).expect("flights");
        assert!(chosen.outside > 0.1 && chosen.parts[0].0 == 2, "{chosen:?}");
        assert_eq!(choose_flights(&library, &query(0.0, 9.0), FlightSelection::Enclosing), None);
        let other = FlightQuery { feet: [Feet::Left, Feet::Both], ..query(0.0, 1.0) };
        assert_eq!(choose_flights(&library, &other, FlightSelection::Enclosing), None);
    }
}
