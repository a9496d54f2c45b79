//! A foot plan for longer or shorter legs.

use surefoot_contact::{FootPlan, Footprint};
use surefoot_geom::Vec3;

/// A plan that is larger by a factor, about the middle of its standing feet: all distances and heights grow by the factor, all
/// times by its root, so that a body that is larger by as much moves alike (equal Froude numbers). Normals and headings stay.
pub fn scale_plan(plan: &FootPlan, factor: f64) -> FootPlan {
    let about = match plan.footprints[..] {
        [first, second, ..] => 0.5 * (first.position + second.position),
        _ => plan.footprints.first().map_or(Vec3::ZERO, |first| first.position),
    };
    let slower = factor.sqrt();
    let scaled = |print: &Footprint| Footprint {
        position: about + factor * (print.position - about),
        land: print.land.map(|time| time * slower),
        leave: print.leave.map(|time| time * slower),
        swing: print.swing.map(|time| time * slower),
        support: print.support.map(|time| time * slower),
        ..*print
    };
    FootPlan { footprints: plan.footprints.iter().map(scaled).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_motion::Side;

    #[test]
    fn a_plan_that_is_scaled_there_and_back_is_the_plan() {
        let print = |side, x, z, swing| Footprint { swing, ..Footprint::at(side, Vec3::new(x, 0.3, z)) };
        let plan = FootPlan {
            footprints: vec![
                print(Side::Left, 1.1, 2.0, None),
                print(Side::Right, 0.9, 2.0, None),
                print(Side::Left, 1.1, 2.6, Some(0.4)),
            ],
        };
        let half = scale_plan(&plan, 0.5);
        assert!((half.footprints[2].position - Vec3::new(1.05, 0.3, 2.3)).length() < 1e-12);
        assert!((half.footprints[2].swing.unwrap() - 0.4 * 0.5_f64.sqrt()).abs() < 1e-12);
        for (a, b) in scale_plan(&half, 2.0).footprints.iter().zip(&plan.footprints) {
            assert!(a.position.distance(b.position) < 1e-12);
        }
    }
}
