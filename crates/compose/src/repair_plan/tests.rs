//! Plans that nobody can step, by construction, and what they become.

use super::*;
use std::convert::Infallible;
use surefoot_ground::Terrain;

const LEGS: f64 = 0.85;

fn limits() -> StepLimits {
    StepLimits::default().scaled(LEGS)
}

fn print(side: Side, z: f64, y: f64) -> Footprint {
    let x = if side == Side::Left { 0.1 } else { -0.1 };
    Footprint { heading: Some(0.0), ..Footprint::at(side, Vec3::new(x, y, z)) }
}

/// Two standing feet, then alternating ones at places and heights.
fn steps(places: &[[f64; 2]]) -> FootPlan {
    let standing = [print(Side::Left, 0.0, 0.0), print(Side::Right, 0.0, 0.0)];
    let others = places.iter().enumerate().map(|(k, [z, y])| print([Side::Left, Side::Right][k % 2], *z, *y));
    FootPlan { footprints: standing.into_iter().chain(others).collect() }
}

fn all(behaviour: Behaviour) -> impl FnMut(&[Footprint]) -> Result<Vec<Behaviour>, Infallible> {
    move |prints| {
        let of = |index: usize| if index < 2 { Behaviour::Stand } else { behaviour };
        Ok((0..prints.len()).map(of).collect())
    }
}

/// Repaired, and possible.
fn repaired(plan: &FootPlan, behaviour: Behaviour) -> RepairedPlan {
    let repaired = repair_plan(plan, &World::default(), &limits(), all(behaviour)).expect("a repaired plan");
    let kinds = all(behaviour)(&repaired.plan.footprints).expect("behaviours");
    assert_eq!(first_problem(&repaired.plan, &kinds, &limits()), None, "{:?}", repaired.plan);
    for print in plan.footprints.iter().filter(|print| print.is_fixed).chain(&plan.footprints[..2]) {
        let is_same = |other: &Footprint| other.side == print.side && other.position == print.position;
        assert!(repaired.plan.footprints.iter().any(is_same), "{print:?} was moved");
    }
    // Repairing again changes nothing.
    let again = repair_plan(&repaired.plan, &World::default(), &limits(), all(behaviour)).expect("a plan");
    assert_eq!(again.changes, Vec::new());
    repaired
}

#[test]
fn a_plan_that_can_be_stepped_is_left_alone() {
    let plan = steps(&[[0.5, 0.0], [1.0, 0.2], [1.5, 0.3]]);
    let found = repaired(&plan, Behaviour::Walk);
    assert_eq!(found.summary(), None);
    assert_eq!((found.plan, found.changes), (plan, Vec::new()));
}

#[test]
fn a_stair_that_is_too_high_is_lowered_backward() {
    // 1 m up in the last of four steps: each takes 0.425 m at most.
    let plan = steps(&[[0.3, 0.0], [0.6, 0.0], [0.9, 0.0], [1.2, 1.0]]);
    let found = repaired(&plan, Behaviour::Stair);
    let heights: Vec<f64> = found.plan.footprints.iter().map(|print| print.position.y).collect();
    let l = 0.5 * LEGS;
    for (height, expected) in heights.iter().zip([0.0, 0.0, 0.0, 1.0 - 2.0 * l, 1.0 - l, 1.0]) {
        assert!((height - expected).abs() < 1e-9, "{heights:?}");
    }
    assert_eq!(found.changes.iter().map(|change| change.footprint).collect::<Vec<_>>(), [3, 4]);
    let text = found.changes[1].to_string();
    assert!(text.contains("footprints[4] raised by 0.57 m: stair to footprints[5]: 1.00 m up"), "{text}");
    let summary = found.summary().expect("a summary");
    assert_eq!(summary, "footprints[3] raised by 0.15 m; footprints[4] raised by 0.57 m");
}

#[test]
fn a_drop_that_is_too_deep_is_raised_backward() {
    let plan = steps(&[[0.3, 0.0], [0.6, 0.0], [0.9, -0.7]]);
    let found = repaired(&plan, Behaviour::Stair);
    assert!((found.plan.footprints[3].position.y - (0.5 * LEGS - 0.7)).abs() < 1e-9);
}

#[test]
fn a_step_that_is_too_long_is_shared_among_the_previous_ones() {
    let plan = steps(&[[0.5, 0.0], [1.0, 0.0], [1.5, 0.0], [3.0, 0.0]]);
    let found = repaired(&plan, Behaviour::Walk);
    let places: Vec<f64> = found.plan.footprints.iter().map(|print| print.position.z).collect();
    assert_eq!(found.plan.footprints.len(), plan.footprints.len());
    assert!((places[5] - 3.0).abs() < 1e-9, "the goal stays: {places:?}");
    let steps: Vec<f64> = places[2..].windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!((steps[0] - steps[1]).abs() < 0.02, "{steps:?}");
}

#[test]
fn fixed_footprints_stay_and_a_deadlock_gets_new_footprints() {
    let mut plan = steps(&[[0.5, 0.0], [1.0, 0.0], [1.5, 0.0], [4.5, 0.0]]);
    plan.footprints[4].is_fixed = true;
    let found = repaired(&plan, Behaviour::Walk);
    let n_new = found.plan.footprints.len() - plan.footprints.len();
    assert!(n_new > 0 && n_new.is_multiple_of(2), "{n_new}");
    assert!(found.changes.iter().all(|change| change.given.is_none()), "{:?}", found.changes);
    for pair in found.plan.footprints.windows(2) {
        assert_ne!(pair[0].side, pair[1].side);
    }
    // Height, too.
    let mut plan = steps(&[[0.3, 0.0], [0.6, 1.5]]);
    plan.footprints[2].is_fixed = true;
    assert!(repaired(&plan, Behaviour::Stair).plan.footprints.len() > 5);
}

#[test]
fn hops_and_jumps_on_both_feet_get_landings_of_their_own_kind() {
    let hop = |z: f64| print(Side::Left, z, 0.0);
    let plan = FootPlan { footprints: vec![hop(0.0), print(Side::Right, 0.0, 0.0), hop(4.0)] };
    let found = repaired(&plan, Behaviour::Hop);
    assert!(found.plan.footprints[2..].iter().all(|print| print.side == Side::Left));
    let both = |z: f64| [print(Side::Left, z, 0.0), print(Side::Right, z, 0.0)];
    let plan = FootPlan { footprints: both(0.0).into_iter().chain(both(5.0)).collect() };
    let found = repaired(&plan, Behaviour::Jump);
    for pair in found.plan.footprints.chunks(2) {
        assert_ne!(pair[0].side, pair[1].side);
        assert!((pair[0].position.z - pair[1].position.z).abs() < 1e-9, "{pair:?}");
    }
    // What can be shared is shared by both feet.
    let plan = FootPlan { footprints: both(0.0).into_iter().chain(both(0.5)).chain(both(3.0)).collect() };
    let found = repaired(&plan, Behaviour::Jump);
    assert_eq!(found.plan.footprints.len(), 6);
    assert!((found.plan.footprints[2].position.z - found.plan.footprints[3].position.z).abs() < 1e-9);
}

#[test]
fn too_little_time_is_prolonged_for_all_that_is_later() {
    let mut plan = steps(&[[0.6, 0.0], [1.2, 0.0], [1.8, 0.0]]);
    plan.footprints[3].swing = Some(0.1);
    let found = repaired(&plan, Behaviour::Walk);
    let needed = 1.2 / (7.0 * LEGS);
    assert!((found.plan.footprints[3].swing.unwrap() - needed).abs() < 1e-6, "{:?}", found.plan.footprints[3]);
    for (index, (land, leave)) in [(0.0, 0.5), (0.0, 1.0), (0.55, 1.5), (1.5, 2.0), (2.0, 3.0)].into_iter().enumerate()
    {
        let print = &mut plan.footprints[index];
        (print.swing, print.leave) = (None, Some(leave));
        print.land = (index >= 2).then_some(land);
    }
    let found = repaired(&plan, Behaviour::Walk);
    let later = 0.6 / (7.0 * LEGS) - 0.05;
    assert!((found.plan.footprints[4].land.unwrap() - (2.0 + later)).abs() < 1e-6, "{:?}", found.plan);
    assert!((found.plan.footprints[0].leave.unwrap() - 0.5).abs() < 1e-9);
}

#[test]
fn a_foot_on_the_other_is_moved_aside() {
    let mut plan = steps(&[[0.5, 0.0], [0.5, 0.0], [1.0, 0.0]]);
    plan.footprints[3].position = plan.footprints[2].position;
    let found = repaired(&plan, Behaviour::Walk);
    assert!(found.plan.footprints[3].position.x < plan.footprints[2].position.x);
}

#[test]
fn footprints_stay_on_their_terrain_and_what_does_not_help_is_refused_by_its_number() {
    let plan = steps(&[[0.5, 0.0], [1.0, 0.0], [1.5, 0.0], [3.0, 0.0]]);
    let world = World::on(Terrain::flat(0.0));
    let found = repair_plan(&plan, &world, &limits(), all(Behaviour::Walk)).expect("a plan");
    assert!(found.plan.footprints.iter().all(|print| print.position.y == 0.0));
    // A step up that the terrain does not have cannot be repaired.
    let plan = steps(&[[0.5, 0.0], [1.0, 2.0]]);
    let error = repair_plan(&plan, &world, &limits(), all(Behaviour::Stair)).unwrap_err();
    assert!(matches!(error, RepairError::Stuck { footprint: 3, .. }), "{error}");
    assert!(error.to_string().starts_with("footprints[3]: a stair"), "{error}");
    assert!(error.to_string().contains("2.00 m up"), "{error}");
}

#[test]
fn random_plans_become_possible_or_are_refused() {
    surefoot_geom::check_cases(60, |random| {
        let kinds = [Behaviour::Walk, Behaviour::Stair, Behaviour::Run];
        let kind = kinds[random.index(3)];
        let mut place = [0.0, 0.0];
        let places: Vec<[f64; 2]> = (0..3 + random.index(8))
            .map(|_| {
                place[0] += random.range(0.1, 2.5);
                place[1] += if random.chance(0.3) { random.range(-0.9, 0.9) } else { 0.0 };
                place
            })
            .collect();
        let mut plan = steps(&places);
        for print in &mut plan.footprints {
            print.is_fixed = random.chance(0.3);
        }
        let found = repaired(&plan, kind);
        let given: Vec<usize> = found.changes.iter().filter_map(|change| change.given).collect();
        assert!(given.iter().all(|&given| given >= 2 && !plan.footprints[given].is_fixed));
        let last = |plan: &FootPlan| plan.footprints.last().map(|print| print.position);
        assert_eq!(last(&found.plan), last(&plan), "the goal stays");
    });
}
