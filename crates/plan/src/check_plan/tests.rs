//! What people do passes; what nobody does is refused, by its number.

use super::*;
use surefoot_contact::Behaviour;
use surefoot_ground::{Obstacle, Stairs, Terrain};

/// A plan through ball positions, left foot first, feet taking turns.
fn plan_through(positions: &[[f64; 3]]) -> FootPlan {
    let sides = Side::BOTH.into_iter().cycle();
    let footprints = positions.iter().zip(sides).map(|(&at, side)| Footprint::at(side, Vec3::from(at))).collect();
    FootPlan { footprints }
}

fn check(plan: &FootPlan) -> Result<(), PlanError> {
    PlanChecker::default().check(plan)
}

fn adult() -> BodyReach {
    let sole = SoleShape { heel: 0.18, toe: 0.08, half_breadth: 0.05 };
    BodyReach { leg: 0.85, soles: PerSide::new(sole, sole) }
}

#[test]
fn what_people_do_is_feasible() {
    let walk = [[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.0, 0.7], [-0.1, 0.0, 1.4]];
    let stairs = [[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.18, 0.3], [-0.1, 0.36, 0.6]];
    let sidestep = [[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.8, 0.0, 0.0], [0.5, 0.0, 0.0]];
    let sprint = [[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.0, 2.7], [-0.1, 0.0, 5.4]];
    let jump_down = [[0.1, 2.0, 0.0], [-0.1, 2.0, 0.0], [0.1, 0.0, 1.5], [-0.1, 0.0, 1.5]];
    for positions in [walk, stairs, sidestep, sprint, jump_down] {
        assert_eq!(check(&plan_through(&positions)), Ok(()));
    }
    let mut hop = plan_through(&walk);
    hop.footprints[3].side = Side::Left;
    assert_eq!(check(&hop), Ok(()));
}

#[test]
fn one_foot_steps_after_the_other_unless_it_hops() {
    let checker = PlanChecker { body: Some(adult()), ..PlanChecker::default() };
    let mut plan =
        plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.0, 0.3], [-0.1, 0.0, 0.5], [0.1, 0.0, 0.6]]);
    plan.footprints[3] = Footprint::at(Side::Left, Vec3::new(0.1, 0.0, 0.6));
    let expected = Err(PlanError::SameFoot { footprint: 3, side: Side::Left });
    assert_eq!(checker.check(&plan), expected);
    assert_eq!(checker.check_next(&plan.footprints[..3], &plan.footprints[3]), expected);
    plan.footprints[3].support = Some(0.0);
    assert_eq!(checker.check_next(&plan.footprints[..3], &plan.footprints[3]), Ok(()));
    // Either of the standing feet steps first.
    let first = Footprint::at(Side::Right, Vec3::new(-0.1, 0.0, 0.3));
    assert_eq!(checker.check_next(&plan.footprints[..2], &first), Ok(()));
}

#[test]
fn a_behaviour_goes_with_the_times() {
    let plan = plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.0, 0.6]]);
    let check_as = |behaviour: Behaviour, support: Option<f64>| {
        let mut plan = plan.clone();
        (plan.footprints[2].behaviour, plan.footprints[2].support) = (Some(behaviour), support);
        check(&plan)
    };
    for behaviour in Behaviour::ALL {
        assert_eq!(check_as(behaviour, None), Ok(()));
        let in_the_air = behaviour.is_flight();
        assert_eq!(check_as(behaviour, Some(0.2)).is_err(), in_the_air, "{behaviour:?}");
        assert_eq!(check_as(behaviour, Some(0.0)).is_err(), !in_the_air, "{behaviour:?}");
    }
    let error = check_as(Behaviour::Run, Some(0.2)).unwrap_err().to_string();
    assert!(error.starts_with("footprints[2]: a run") && error.contains("set support to 0"), "{error}");
}

#[test]
fn no_foot_is_carried_over_a_wall() {
    let ridge = |height: f64| {
        // A wall 0.1 m thick across the path, at z = 0.55 to 0.65.
        let heights = (0..21).flat_map(|row| [if row == 12 { height } else { 0.0 }; 3]).collect();
        Terrain::height_field(surefoot_geom::Vec2::new(-1.0, 0.0), 0.05, 3, 21, heights).expect("a field")
    };
    let plan = plan_through(&[[-0.92, 0.0, 0.0], [-0.98, 0.0, 0.0], [-0.92, 0.0, 0.5], [-0.98, 0.0, 0.8]]);
    let checker = |height: f64| PlanChecker::new(Arc::new(World::on(ridge(height))), adult());
    assert_eq!(checker(0.3).check(&plan), Ok(()));
    let error = checker(0.5).check(&plan).unwrap_err();
    assert!(matches!(error, PlanError::GroundBetween { footprint: 3, .. }), "{error}");
    let next = checker(0.5).check_next(&plan.footprints[..3], &plan.footprints[3]);
    assert_eq!(next, Err(error));
    let bodiless = PlanChecker { body: None, ..checker(0.5) };
    assert_eq!(bodiless.check(&plan), Ok(()), "how high a foot is lifted depends on the leg");
}

#[test]
fn ground_too_steep_to_stand_on_is_refused_with_its_slope() {
    let cliff =
        Terrain::height_field(surefoot_geom::Vec2::ZERO, 1.0, 2, 2, vec![0.0, 0.0, 12.0, 12.0]).expect("a field");
    let checker = PlanChecker { world: Arc::new(World::on(cliff)), ..PlanChecker::default() };
    let plan = plan_through(&[[0.6, 6.0, 0.5], [0.4, 6.0, 0.5]]);
    let error = checker.check(&plan).unwrap_err().to_string();
    assert!(error.contains("85 degrees steep") && error.contains("78 at most"), "{error}");
}

#[test]
fn the_first_footprint_out_of_reach_is_named() {
    let far = plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.0, 0.6], [-0.1, 0.0, 50.0]]);
    assert_eq!(check(&far).unwrap_err().footprint(), Some(3));
    assert!(matches!(check(&far), Err(PlanError::TooFar { .. })));
    let up = plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 3.0, 0.6]]);
    assert!(matches!(check(&up), Err(PlanError::TooHigh { footprint: 2, .. })));
    let down = plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, -5.0, 0.6]]);
    assert!(matches!(check(&down), Err(PlanError::TooDeep { footprint: 2, .. })));
}

#[test]
fn legs_limit_walking_steps_and_not_flights() {
    let checker = PlanChecker { body: Some(adult()), ..PlanChecker::default() };
    let mut plan = plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.0, 1.5]]);
    assert!(matches!(checker.check(&plan), Err(PlanError::OutOfReach { footprint: 2, .. })));
    let running = PlanChecker { unspecified: Gait::Run, ..checker.clone() };
    assert_eq!(running.check(&plan), Ok(()));
    plan.footprints[2].support = Some(0.0);
    assert_eq!(checker.check(&plan), Ok(()));
    let high = plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.6, 0.3]]);
    let error = checker.check(&high).unwrap_err();
    assert!(matches!(error, PlanError::OutOfReach { footprint: 2, .. }));
    assert!(error.to_string().contains("legs of 0.85 m step 0.47 m up or down at this distance"), "{error}");
}

#[test]
fn a_swing_faster_than_any_runner_is_refused_with_the_time_it_needs() {
    let mut plan = plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.0, 0.7], [-0.1, 0.0, 1.7]]);
    plan.footprints[0].swing = Some(1e-6);
    plan.footprints[3].swing = Some(0.11);
    assert_eq!(check(&plan), Ok(()));
    plan.footprints[3].swing = Some(0.09);
    let error = check(&plan).unwrap_err();
    assert_eq!(error.footprint(), Some(3));
    assert!(error.to_string().contains("give it 0.10 s or more"), "{error}");
}

#[test]
fn numbers_that_mean_nothing_are_refused() {
    let good = plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0]]);
    assert_eq!(check(&good), Ok(()));
    let changed = |change: fn(&mut Footprint)| {
        let mut plan = good.clone();
        change(&mut plan.footprints[1]);
        check(&plan).unwrap_err()
    };
    assert_eq!(changed(|f| f.position.x = f64::NAN), PlanError::NotFinite { footprint: 1 });
    assert_eq!(changed(|f| f.heading = Some(f64::INFINITY)), PlanError::NotFinite { footprint: 1 });
    assert_eq!(changed(|f| f.normal.x = f64::NAN), PlanError::NotFinite { footprint: 1 });
    assert!(matches!(changed(|f| f.normal = Vec3::ZERO), PlanError::Normal { footprint: 1, .. }));
    assert!(matches!(changed(|f| f.normal = Vec3::X), PlanError::Normal { .. }));
    assert!(matches!(changed(|f| f.swing = Some(0.0)), PlanError::Duration { what: StepTime::Swing, .. }));
    assert!(matches!(changed(|f| f.support = Some(-0.1)), PlanError::Duration { what: StepTime::Support, .. }));
    assert!(matches!(changed(|f| f.land = Some(1e300)), PlanError::Duration { what: StepTime::Land, .. }));
    assert!(matches!(changed(|f| (f.land, f.swing) = (Some(1.0), Some(0.4))), PlanError::TwoTimings { footprint: 1 }));
    assert!(matches!(changed(|f| (f.land, f.leave) = (Some(1.0), Some(0.9))), PlanError::LeavesBeforeLanding { .. }));
    assert!(matches!(changed(|f| f.side = Side::Left), PlanError::OneStandingFoot { .. }));
    assert_eq!(check(&FootPlan::default()), Err(PlanError::TooShort { found: 0 }));
}

#[test]
fn doubled_and_overlapping_footprints_are_refused() {
    let walk = plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.0, 0.7]]);
    let mut doubled = walk.clone();
    doubled.footprints.push(walk.footprints[2]);
    assert_eq!(check(&doubled), Err(PlanError::Doubled { footprint: 3 }));
    doubled.footprints[3].support = Some(0.0);
    assert_eq!(check(&doubled), Ok(()), "a hop on the spot");
    let mut on_top = walk.clone();
    on_top.footprints.push(Footprint { side: Side::Right, ..walk.footprints[2] });
    assert!(matches!(check(&on_top), Err(PlanError::OnOtherFoot { footprint: 3, .. })));
}

#[test]
fn times_go_forward() {
    let mut plan = plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.0, 0.7], [-0.1, 0.0, 1.4]]);
    (plan.footprints[2].land, plan.footprints[3].land) = (Some(1.0), Some(1.6));
    assert_eq!(check(&plan), Ok(()));
    plan.footprints[3].land = Some(0.8);
    assert!(matches!(check(&plan), Err(PlanError::OutOfOrder { footprint: 3, .. })));
    plan.footprints[3].land = Some(1.6);
    plan.footprints[1].leave = Some(1.7);
    assert!(matches!(check(&plan), Err(PlanError::OutOfOrder { footprint: 3, .. })));
}

#[test]
fn times_go_forward_over_footprints_without_any() {
    let mut plan = plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.0, 0.5], [-0.1, 0.0, 1.0]]);
    plan.footprints[2].land = Some(5.0);
    let more = [(Side::Left, 1.5, None), (Side::Right, 2.0, None), (Side::Left, 2.5, Some(1.0))];
    for (side, z, land) in more {
        let x = if side == Side::Left { 0.1 } else { -0.1 };
        plan.footprints.push(Footprint { land, ..Footprint::at(side, Vec3::new(x, 0.0, z)) });
    }
    let wrong = Err(PlanError::OutOfOrder { footprint: 6, land: 1.0, after: 5.0 });
    assert_eq!(check(&plan), wrong);
    assert_eq!(PlanChecker::default().check_next(&plan.footprints[..6], &plan.footprints[6]), wrong);
}

#[test]
fn a_hop_may_pass_where_the_other_foot_was() {
    let mut plan = plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.0, 0.3], [-0.1, 0.0, 0.6]]);
    let hop = |z: f64, x: f64| Footprint { support: Some(0.0), ..Footprint::at(Side::Left, Vec3::new(x, 0.0, z)) };
    // The right foot stood at (-0.1, 0.6), and is in the air.
    plan.footprints.extend([hop(0.9, 0.1), hop(0.6, -0.1)]);
    assert_eq!(check(&plan), Ok(()));
    assert_eq!(PlanChecker::default().check_next(&plan.footprints[..5], &plan.footprints[5]), Ok(()));
    // From standing, the other foot is planted.
    plan.footprints.truncate(2);
    assert!(matches!(check(&plan), Ok(())));
    plan.footprints.push(Footprint { side: Side::Right, ..plan.footprints[0] });
    assert!(matches!(check(&plan), Err(PlanError::OnOtherFoot { footprint: 2, .. })));
}

#[test]
fn footprints_lie_on_the_terrain_and_out_of_obstacles() {
    let terrain = Terrain::stairs(Stairs {
        start: surefoot_geom::Vec2::new(0.0, 0.5),
        heading: 0.0,
        tread: 0.3,
        rise: 0.17,
        n_steps: 3,
        ..Stairs::default()
    })
    .expect("stairs");
    let world = Arc::new(World::on(terrain));
    let checker = PlanChecker { world, ..PlanChecker::default() };
    let on = plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.17, 0.65]]);
    assert_eq!(checker.check(&on), Ok(()));
    let off = plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.0, 0.65]]);
    let error = checker.check(&off).unwrap_err();
    assert_eq!(error.footprint(), Some(2));
    assert!(error.to_string().contains("the terrain there is at 0.170 m"), "{error}");
    let square = [(-0.5, 0.5), (0.5, 0.5), (0.5, 1.5), (-0.5, 1.5)].map(surefoot_geom::Vec2::from).to_vec();
    let world = World { obstacles: vec![Obstacle { outline: square.clone(), height: None }], ..World::default() };
    let checker = PlanChecker { world: Arc::new(world), ..PlanChecker::default() };
    assert_eq!(checker.check(&on), Err(PlanError::InObstacle { footprint: 2, obstacle: 0 }));
    let world = World { bounds: Some(square), ..World::default() };
    let checker = PlanChecker { world: Arc::new(world), ..PlanChecker::default() };
    assert_eq!(checker.check(&on), Err(PlanError::OutOfBounds { footprint: 0 }));
}

#[test]
fn one_by_one_is_as_all_at_once() {
    let mut random = 7_u64;
    let mut next = || {
        random = surefoot_geom::mix_bits(random.wrapping_add(surefoot_geom::GOLDEN));
        (random >> 11) as f64 / (1_u64 << 53) as f64
    };
    let checker = PlanChecker { body: Some(adult()), ..PlanChecker::default() };
    let mut n_refused = 0;
    for _ in 0..400 {
        let mut plan = FootPlan::default();
        for index in 0..8 {
            let side = if next() < 0.1 { Side::Left } else { Side::BOTH[index % 2] };
            let at = Vec3::new(0.3 * next(), 0.2 * next(), 0.5 * index as f64 + 0.6 * next());
            let heading = (next() < 0.7).then(|| 1.2 * next());
            let support = (next() < 0.3).then(|| 0.2 * (next() - 0.2).max(0.0));
            let land = (support.is_none() && next() < 0.2).then(|| 2.0 * next() + index as f64);
            plan.footprints.push(Footprint { heading, support, land, ..Footprint::at(side, at) });
        }
        let whole = checker.check(&plan);
        let mut piecewise = Ok(());
        for index in 0..plan.footprints.len() {
            piecewise = checker.check_next(&plan.footprints[..index], &plan.footprints[index]);
            if piecewise.is_err() {
                break;
            }
        }
        n_refused += usize::from(whole.is_err());
        assert_eq!(whole, piecewise);
    }
    assert!((40..360).contains(&n_refused), "{n_refused}");
}
