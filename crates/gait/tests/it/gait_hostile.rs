//! Whatever is pushed, edited or read, in whatever order and over whatever ground: no panic, no pose that is not finite, and a
//! stepper that is as it was after a refusal.

use crate::gait_checks::Figure;
use proptest::prelude::*;
use std::sync::Arc;
use surefoot_contact::{Behaviour, Footprint};
use surefoot_gait::{Gait, GaitOptions, GaitSettings, GaitSynthesizer};
use surefoot_geom::{Vec2, Vec3};
use surefoot_ground::{Stairs, Terrain};
use surefoot_motion::Side;
use surefoot_plan::{Stepper, Synthesizer, World};

/// What is done to a stepper.
#[derive(Clone, Debug)]
enum Action {
    Push(Hostile),
    /// A natural step, relative to the last footprint.
    Step {
        on: f64,
        turn: f64,
    },
    Replace {
        from: usize,
        by: Vec<Hostile>,
    },
    Read(usize),
    Finish,
    Copy,
}

/// A footprint relative to the last one.
#[derive(Clone, Debug)]
struct Hostile {
    other_side: bool,
    away: [f64; 3],
    heading: Option<f64>,
    times: [Option<f64>; 4],
    behaviour: Option<Behaviour>,
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => -1.5..1.5_f64,
        2 => -0.2..0.2_f64,
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, 1e-300, 1e18, -1e18, 1e300, 40.0]),
    ]
}

fn seconds() -> impl Strategy<Value = Option<f64>> {
    prop_oneof![
        5 => Just(None),
        3 => (0.0..1.5_f64).prop_map(Some),
        1 => prop::sample::select(vec![0.0, -1.0, f64::NAN, f64::INFINITY, 1e-300, 1e-9, 3600.0, 1e9]).prop_map(Some),
    ]
}

fn hostile() -> impl Strategy<Value = Hostile> {
    let behaviour = prop::sample::select(vec![
        None,
        None,
        None,
        Some(Behaviour::Walk),
        Some(Behaviour::Run),
        Some(Behaviour::Jump),
        Some(Behaviour::Stair),
    ]);
    let times = [seconds(), seconds(), seconds(), seconds()];
    (prop::bool::weighted(0.9), [number(), number(), number()], prop::option::of(number()), times, behaviour).prop_map(
        |(other_side, away, heading, times, behaviour)| Hostile { other_side, away, heading, times, behaviour },
    )
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        5 => hostile().prop_map(Action::Push),
        6 => (0.1..0.8_f64, -0.5..0.5_f64).prop_map(|(on, turn)| Action::Step { on, turn }),
        2 => (0..12_usize, prop::collection::vec(hostile(), 0..3)).prop_map(|(from, by)| Action::Replace { from, by }),
        4 => (0..80_usize).prop_map(Action::Read),
        1 => Just(Action::Finish),
        1 => Just(Action::Copy),
    ]
}

fn terrain() -> impl Strategy<Value = Option<Terrain>> {
    let stairs = (-0.4..0.4_f64, 0.1..0.5_f64).prop_map(|(rise, tread)| {
        let stairs = Stairs { start: Vec2::new(0.0, 0.4), tread, rise, n_steps: 20, ..Stairs::default() };
        Terrain::stairs(stairs).ok()
    });
    let plane = (-1.5..1.5_f64, -1.5..1.5_f64)
        .prop_map(|(x, z)| Terrain::plane(Vec3::ZERO, Vec3::new(x, 1.0, z).normalize()).ok());
    let spikes = prop::collection::vec(-0.5..0.5_f64, 100).prop_map(|heights| {
        let origin = Vec2::new(-2.0, -1.0);
        Terrain::height_field(origin, 0.4, 10, 10, heights).ok()
    });
    prop_oneof![3 => Just(None), 1 => stairs, 1 => plane, 1 => spikes]
}

fn footprint(last: &Footprint, hostile: &Hostile, terrain: Option<&Terrain>) -> Footprint {
    let side = if hostile.other_side { last.side.opposite() } else { last.side };
    let mut position = last.position + Vec3::from(hostile.away);
    // Mostly on the ground, or nothing would come further than the checker.
    if let Some(terrain) = terrain.filter(|_| position.is_finite() && hostile.away[1].abs() < 1.0) {
        position = terrain.project(position);
    } else if hostile.away[1].abs() < 0.8 {
        position.y = last.position.y;
    }
    let [swing, support, land, leave] = hostile.times;
    let is_absolute = hostile.away[0] > 1.2;
    Footprint {
        heading: hostile.heading,
        swing: swing.filter(|_| !is_absolute),
        support: support.filter(|_| !is_absolute),
        land: land.filter(|_| is_absolute),
        leave: leave.filter(|_| is_absolute),
        behaviour: hostile.behaviour,
        ..Footprint::at(side, position)
    }
}

fn natural(last: &Footprint, on: f64, turn: f64, terrain: Option<&Terrain>) -> Footprint {
    let heading = last.heading.unwrap_or(0.0) + turn;
    let sign = if last.side == Side::Left { -1.0 } else { 1.0 };
    let forward = surefoot_geom::heading_direction(heading);
    let left = surefoot_geom::heading_direction(heading + 0.5 * std::f64::consts::PI);
    let position = last.position + forward * on + left * (0.18 * sign);
    let position = terrain.map_or(position, |terrain| terrain.project(position));
    Footprint { heading: Some(heading), ..Footprint::at(last.side.opposite(), position) }
}

/// Reads some frames; all of them are finite.
fn read(stepper: &mut Stepper, n_frames: usize) {
    let mut pose = stepper.skeleton().rest_pose();
    for _ in 0..n_frames {
        let Some(contacts) = stepper.next_frame(&mut pose) else { return };
        assert!(pose.local.iter().all(surefoot_geom::Transform::is_finite), "a pose that is not finite");
        assert!(Side::BOTH.iter().all(|&side| contacts.balls[side].is_finite() && contacts.heels[side].is_finite()));
    }
}

fn state(stepper: &Stepper) -> (Vec<Footprint>, Vec<surefoot_plan::StepOutcome>, usize) {
    (stepper.footprints().to_vec(), stepper.outcomes().to_vec(), stepper.n_frames())
}

/// The next frames of a copy.
fn ahead(stepper: &Stepper) -> Vec<surefoot_motion::Pose> {
    let mut copy = stepper.clone();
    let mut pose = copy.skeleton().rest_pose();
    std::iter::from_fn(|| copy.next_frame(&mut pose).map(|_| pose.clone())).take(30).collect()
}

fn run(synthesizer: &GaitSynthesizer, terrain: Option<&Terrain>, actions: &[Action]) {
    let world = Arc::new(World { terrain: terrain.cloned(), ..World::default() });
    let standing = [(Side::Left, 0.1), (Side::Right, -0.1)].map(|(side, x)| {
        let position = Vec3::new(x, 0.0, 0.0);
        let position = terrain.map_or(position, |terrain| terrain.project(position));
        Footprint { heading: Some(0.0), ..Footprint::at(side, position) }
    });
    let Ok(mut stepper) = synthesizer.start(world, standing) else { return };
    for action in actions {
        let (before, frames) = (state(&stepper), ahead(&stepper));
        let last = before.0[before.0.len() - 1];
        let refused = match action {
            Action::Push(hostile) => stepper.push(&footprint(&last, hostile, terrain)).is_err(),
            Action::Step { on, turn } => stepper.push(&natural(&last, *on, *turn, terrain)).is_err(),
            Action::Replace { from, by } => {
                let mut prints: Vec<Footprint> = Vec::new();
                for hostile in by {
                    let last = prints.last().or(before.0.get(from.wrapping_sub(1))).unwrap_or(&last);
                    prints.push(footprint(last, hostile, terrain));
                }
                stepper.replace_from(*from, &prints).is_err()
            }
            Action::Read(n_frames) => {
                read(&mut stepper, *n_frames);
                false
            }
            Action::Finish => stepper.finish().is_err(),
            Action::Copy => {
                stepper = stepper.clone();
                false
            }
        };
        if refused {
            assert!(state(&stepper) == before && ahead(&stepper) == frames, "changed by a refusal: {action:?}");
        }
    }
    let _ = stepper.finish();
    read(&mut stepper, 3000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn nothing_that_is_pushed_breaks_a_stepper(
        is_run in any::<bool>(),
        ground in terrain(),
        actions in prop::collection::vec(action(), 1..24),
    ) {
        let gait = if is_run { Gait::Run } else { Gait::Walk };
        let options = GaitOptions { settings: GaitSettings::natural(gait, 1.8), frame_rate: 30.0, standing: 0.1 };
        run(&Figure::new(1.8).synthesizer(&options), ground.as_ref(), &actions);
    }
}

#[test]
fn options_out_of_range_are_refused() {
    let standing =
        [(Side::Left, 0.1), (Side::Right, -0.1)].map(|(side, x)| Footprint::at(side, Vec3::new(x, 0.0, 0.0)));
    for (frame_rate, seconds) in [(0.0, 0.0), (f64::NAN, 0.0), (60.0, -1.0), (60.0, f64::INFINITY), (1e9, 0.0)] {
        let options = GaitOptions { settings: GaitSettings::natural(Gait::Walk, 1.8), frame_rate, standing: seconds };
        let refused = Figure::new(1.8).synthesizer(&options).start(Arc::default(), standing);
        assert!(matches!(refused, Err(surefoot_plan::StepError::Option { .. })));
    }
}
