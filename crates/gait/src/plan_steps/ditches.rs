//! Ditches: ground across a path that lies deep below both of its edges, and that people step or leap over.
//!
//! ```text
//!  ____ from          to ____      a foot before it and a foot behind it, soles whole on the edges;
//!      |________________|          what is wider than a leap, or has no other edge, is walked through as ground like any other
//! ```

use surefoot_geom::Vec2;
use surefoot_ground::{Terrain, TravelCurve};

/// Deeper than this below the edge, in metres, nobody steps in passing.
const DEEP: f64 = 0.25;
/// The far edge is no higher or lower than this against the near one, in metres.
const LEVEL: f64 = 0.25;
/// Widest that is leapt over, in metres.
const WIDEST: f64 = 1.6;
/// Between looks at the ground, in metres.
const LOOK: f64 = 0.02;
/// From the ball of a foot to its edge before it, and behind it, in metres: toes and heel stay on the ground.
const TOES: f64 = 0.12;
const HEEL: f64 = 0.24;
/// A ditch that is nearer to the beginning or end of a path is left to it, in metres.
const SHORTEST: f64 = 0.25;

/// A ditch: how far along the path it begins and ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ditch {
    from: f64,
    to: f64,
}

/// The ditches across a path, in order.
pub(super) fn ditches(curve: &TravelCurve, terrain: &Terrain) -> Vec<Ditch> {
    let n_looks = (curve.length() / LOOK).ceil() as usize;
    let height = |look: usize| {
        let at: Vec2 = curve.point((look as f64 * LOOK).min(curve.length()));
        terrain.height(at)
    };
    let mut found = Vec::new();
    let widest = (WIDEST / LOOK) as usize;
    let mut look = 1;
    while look <= n_looks {
        let edge = height(look - 1);
        if edge - height(look) < DEEP {
            look += 1;
            continue;
        }
        let end = (look + 1..=(look + widest).min(n_looks)).find(|&end| (height(end) - edge).abs() <= LEVEL);
        if let Some(end) = end {
            found.push(Ditch { from: (look - 1) as f64 * LOOK, to: end as f64 * LOOK });
            look = end;
        }
        look += 1;
    }
    found
}

/// The height of the ground along a path, as if ditches were bridged: what lies below is nothing to shorten steps for.
pub(super) fn bridged_height(found: &[Ditch], curve: &TravelCurve, terrain: &Terrain, arc: f64) -> f64 {
    let height = |arc: f64| terrain.height(curve.point(arc));
    match found.iter().find(|ditch| ditch.from < arc && arc < ditch.to) {
        Some(Ditch { from, to }) => {
            let share = (arc - from) / (to - from);
            height(*from) + share * (height(*to) - height(*from))
        }
        None => height(arc),
    }
}

/// The places of steps with none in a ditch. Each with whether it is leapt to, which is where it is farther than `walked`.
///
/// Of each ditch, the place nearest to its near edge is brought to it, and the next one that is nearest to the far edge to that; the
/// places before and behind are drawn with them, in proportion.
pub(super) fn cross_ditches(arcs: Vec<f64>, found: &[Ditch], walked: f64) -> Vec<(f64, bool)> {
    let mut route: Vec<(f64, bool)> = arcs.into_iter().map(|arc| (arc, false)).collect();
    let mut begins: usize = 0;
    for ditch in found {
        let Some(&(end, _)) = route.last() else { break };
        let start = begins.checked_sub(1).map_or(0.0, |landed| route[landed].0);
        let (take_off, landing) = (ditch.from - TOES, ditch.to + HEEL);
        if take_off < start + SHORTEST || landing > end - SHORTEST || begins + 2 > route.len() {
            continue;
        }
        let nearest = |to: f64, among: std::ops::Range<usize>| {
            let away = |index: &usize| (route[*index].0 - to).abs();
            among.min_by(|a, b| away(a).total_cmp(&away(b)))
        };
        let Some(leaves) = nearest(take_off, begins..route.len() - 2) else { continue };
        let Some(lands) = nearest(landing, leaves + 1..route.len() - 1) else { continue };
        let before = (take_off - start) / (route[leaves].0 - start).max(1e-6);
        let behind = (end - landing) / (end - route[lands].0).max(1e-6);
        route[begins..=leaves].iter_mut().for_each(|(arc, _)| *arc = start + before * (*arc - start));
        route[lands..].iter_mut().for_each(|(arc, _)| *arc = end - behind * (end - *arc));
        route[lands].1 = landing - take_off > walked;
        route.drain(leaves + 1..lands);
        begins = leaves + 2;
    }
    route
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_step_is_in_a_ditch_and_only_wide_ones_are_leapt_over() {
        let arcs: Vec<f64> = (1..=12).map(|step| 0.7 * f64::from(step)).collect();
        let (narrow, wide) = (Ditch { from: 2.0, to: 2.3 }, Ditch { from: 5.0, to: 6.1 });
        let route = cross_ditches(arcs.clone(), &[narrow, wide], 0.9);
        for ditch in [narrow, wide] {
            let is_in = |(arc, _): &&(f64, bool)| *arc > ditch.from - TOES + 1e-9 && *arc < ditch.to + HEEL - 1e-9;
            assert_eq!(route.iter().find(is_in), None, "{ditch:?} {route:?}");
        }
        let leapt: Vec<f64> = route.iter().filter(|(_, is_leap)| *is_leap).map(|(arc, _)| *arc).collect();
        assert_eq!(leapt, [6.1 + HEEL], "{route:?}");
        assert_eq!(route.last().map(|(arc, _)| *arc), arcs.last().copied(), "the end stays");
        for pair in route.windows(2).filter(|pair| !pair[1].1) {
            let step = pair[1].0 - pair[0].0;
            assert!((0.3..1.0).contains(&step), "{step}: {route:?}");
        }
        assert_eq!(cross_ditches(arcs.clone(), &[], 0.9).len(), arcs.len());
    }
}
