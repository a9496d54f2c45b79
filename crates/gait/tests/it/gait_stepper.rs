//! Gait through a stepper: the same frames however footprints are pushed, and refusals that name the footprint.

use crate::gait_checks::{EXACT, Figure};
use allocation_counter::measure;
use std::f64::consts::PI;
use std::sync::Arc;
use surefoot_contact::{Behaviour, FootPlan, Footprint, measure_placement};
use surefoot_gait::{Gait, GaitOptions, GaitSettings, GaitSynthesizer, LayOptions, lay_steps};
use surefoot_geom::{Random, Vec2, Vec3};
use surefoot_ground::{Stairs, Terrain};
use surefoot_motion::{Pose, Side};
use surefoot_plan::{FrameContacts, PlanError, StepError, Stepper, Synthesizer, World, synthesize};

const HEIGHT: f64 = 1.8;

fn synthesizer(gait: Gait) -> GaitSynthesizer {
    let options = GaitOptions { settings: GaitSettings::natural(gait, HEIGHT), frame_rate: 60.0, standing: 0.2 };
    Figure::new(HEIGHT).synthesizer(&options)
}

fn laid(gait: Gait, n_steps: usize, terrain: Option<&Terrain>) -> FootPlan {
    let figure = Figure::new(HEIGHT);
    let options = LayOptions { n_steps: Some(n_steps), terrain, ..LayOptions::default() };
    lay_steps(figure.rig.proportions(), &GaitSettings::natural(gait, HEIGHT), &options).expect("a plan")
}

fn stairs() -> Terrain {
    let stairs = Stairs { start: Vec2::new(0.0, 0.5), tread: 0.28, rise: 0.17, n_steps: 6, ..Stairs::default() };
    Terrain::stairs(stairs).unwrap()
}

type Frames = Vec<(Pose, FrameContacts)>;

fn drain(stepper: &mut Stepper, frames: &mut Frames) {
    let mut pose = stepper.skeleton().rest_pose();
    while let Some(contacts) = stepper.next_frame(&mut pose) {
        frames.push((pose.clone(), contacts));
    }
}

fn start(synthesizer: &GaitSynthesizer, world: &Arc<World>, plan: &FootPlan) -> Stepper {
    synthesizer.start(world.clone(), [plan.footprints[0], plan.footprints[1]]).unwrap()
}

/// All frames of a plan that is pushed at once.
fn at_once(synthesizer: &GaitSynthesizer, world: &Arc<World>, plan: &FootPlan) -> Frames {
    let mut stepper = start(synthesizer, world, plan);
    for print in &plan.footprints[2..] {
        stepper.push(print).unwrap();
    }
    stepper.finish().unwrap();
    let mut frames = Frames::new();
    drain(&mut stepper, &mut frames);
    frames
}

/// The same frames, however footprints are pushed, edited and read.
fn check_orders(synthesizer: &GaitSynthesizer, world: &Arc<World>, plan: &FootPlan) {
    let expected = at_once(synthesizer, world, plan);
    let prints = &plan.footprints;
    let mut frames = Frames::new();
    let mut stepper = start(synthesizer, world, plan);
    for print in &prints[2..] {
        stepper.push(print).unwrap();
        drain(&mut stepper, &mut frames);
    }
    stepper.finish().unwrap();
    drain(&mut stepper, &mut frames);
    assert!(frames == expected, "drained after each push");
    // Back from other footprints, which were read too.
    for from in [2, 5, prints.len() - 1] {
        let mut other = prints[from..].to_vec();
        for print in &mut other {
            print.heading = print.heading.map(|heading| heading + 0.2);
        }
        let replaced = stepper.replace_from(from, &other).unwrap();
        assert!(replaced.first_frame <= frames.len());
        drain(&mut stepper, &mut frames);
        let replaced = stepper.replace_from(from, &prints[from..]).unwrap();
        stepper.finish().unwrap();
        let mut again = expected[..replaced.first_frame].to_vec();
        drain(&mut stepper, &mut again);
        assert!(again == expected, "footprints[{from}] replaced and back");
    }
    // From a copy in the middle.
    let mut stepper = start(synthesizer, world, plan);
    let mut read = Frames::new();
    for print in &prints[2..6] {
        stepper.push(print).unwrap();
    }
    let mut pose = stepper.skeleton().rest_pose();
    for _ in 0..20 {
        let contacts = stepper.next_frame(&mut pose).unwrap();
        read.push((pose.clone(), contacts));
    }
    let mut copy = stepper.clone();
    stepper.push(&prints[6]).unwrap();
    drain(&mut stepper, &mut Frames::new());
    for print in &prints[6..] {
        copy.push(print).unwrap();
    }
    copy.finish().unwrap();
    drain(&mut copy, &mut read);
    assert!(read == expected, "a copy goes on by itself");
}

#[test]
fn frames_are_the_same_however_footprints_are_pushed() {
    for gait in [Gait::Walk, Gait::Run] {
        check_orders(&synthesizer(gait), &Arc::default(), &laid(gait, 12, None));
    }
    let terrain = stairs();
    let plan = laid(Gait::Walk, 12, Some(&terrain));
    check_orders(&synthesizer(Gait::Walk), &Arc::new(World::on(terrain)), &plan);
    // Without headings or times.
    for gait in [Gait::Walk, Gait::Run] {
        let mut plan = laid(gait, 12, None);
        for print in &mut plan.footprints {
            (print.heading, print.swing, print.support) = (None, None, None);
        }
        check_orders(&synthesizer(gait), &Arc::default(), &plan);
    }
}

#[test]
fn reading_frames_allocates_nothing() {
    for gait in [Gait::Walk, Gait::Run] {
        let plan = laid(gait, 10, None);
        let synthesizer = synthesizer(gait);
        let mut stepper = start(&synthesizer, &Arc::default(), &plan);
        let mut pose = stepper.skeleton().rest_pose();
        let mut n_frames = 0;
        for index in 2..=plan.footprints.len() {
            match plan.footprints.get(index) {
                Some(print) => drop(stepper.push(print).unwrap()),
                None => stepper.finish().unwrap(),
            }
            let used = measure(|| {
                while stepper.next_frame(&mut pose).is_some() {
                    n_frames += 1;
                }
            });
            assert_eq!(used.count_total, 0, "after footprints[{index}]");
        }
        assert!(n_frames > 100);
    }
}

/// Outcomes are what the frames show: a foot is planted until it lifts and from when it lands.
#[test]
fn outcomes_are_the_times_of_the_frames() {
    for gait in [Gait::Walk, Gait::Run] {
        let plan = laid(gait, 10, None);
        let synthesizer = synthesizer(gait);
        let mut stepper = start(&synthesizer, &Arc::default(), &plan);
        let mut promised = Vec::new();
        for print in &plan.footprints[2..] {
            promised.push(stepper.push(print).unwrap().clone());
        }
        stepper.finish().unwrap();
        let mut frames = Frames::new();
        drain(&mut stepper, &mut frames);
        for (outcome, promised) in stepper.outcomes().iter().zip(&promised) {
            let print = &plan.footprints[outcome.footprint];
            if outcome.footprint + 1 < plan.footprints.len() {
                assert_eq!(outcome, promised);
                let is_run = print.support == Some(0.0);
                assert_eq!(outcome.behaviour, if is_run { Behaviour::Run } else { Behaviour::Walk });
            }
            let down = |frame: usize| frames[frame].1.feet[print.side].any();
            let (lift, land) = (outcome.lift * 60.0, outcome.land * 60.0);
            let inside = (lift + 1e-6).ceil() as usize..(land - 1e-6).ceil() as usize;
            assert!(inside.clone().all(|frame| !down(frame)), "{outcome:?} swings");
            assert!(down((lift - 1e-6).ceil() as usize - 1) && down(inside.end), "{outcome:?} {inside:?}");
        }
    }
}

#[test]
fn absolute_and_relative_times_are_the_same_flights() {
    let synthesizer = synthesizer(Gait::Walk);
    let mut relative = laid(Gait::Run, 9, None);
    let made = synthesize(&synthesizer, &Arc::default(), &relative, "run").unwrap();
    let n_flights = |report: &surefoot_plan::SynthesisReport| {
        report.footprints.iter().filter(|row| row.behaviour == Some(Behaviour::Run)).count()
    };
    assert!(n_flights(&made.report) >= 5);
    for (print, row) in relative.footprints.iter_mut().zip(&made.report.footprints) {
        (print.swing, print.support) = (None, None);
        (print.land, print.leave) = (Some(row.land), Some(row.leave));
    }
    relative.footprints[0].land = None;
    relative.footprints[1].land = None;
    let again = synthesize(&synthesizer, &Arc::default(), &relative, "run").unwrap();
    assert_eq!(n_flights(&made.report), n_flights(&again.report));
    // Times are kept from the first landing on; how long someone stands before it is the synthesizer's.
    let since = |report: &surefoot_plan::SynthesisReport, index: usize| {
        let (first, row) = (&report.footprints[2], &report.footprints[index]);
        [row.land - first.land, row.leave - first.land]
    };
    for index in 2..relative.footprints.len() {
        let [a, b] = [since(&made.report, index), since(&again.report, index)];
        assert!((a[0] - b[0]).abs() < 1e-6 && (a[1] - b[1]).abs() < 0.03, "footprints[{index}] {a:?} {b:?}");
    }
}

#[test]
fn what_gait_does_not_do_is_refused_by_its_number() {
    let plan = laid(Gait::Walk, 6, None);
    let synthesizer = synthesizer(Gait::Walk);
    let world = Arc::default();
    let refusal = |change: &dyn Fn(&mut Vec<Footprint>)| {
        let mut plan = plan.clone();
        change(&mut plan.footprints);
        synthesize(&synthesizer, &world, &plan, "walk").unwrap_err()
    };
    // Nobody comes to rest on one foot.
    let hop = refusal(&|prints| {
        prints.truncate(5);
        prints[4].side = prints[3].side;
        prints[4].support = Some(0.0);
    });
    assert!(matches!(hop, StepError::Unsupported { footprint: 4, .. }), "{hop}");
    let leap = refusal(&|prints| {
        prints[4].support = Some(0.0);
        prints[4].swing = Some(0.8);
        prints[4].position.y += 1.6;
    });
    assert!(matches!(leap, StepError::Leap { footprint: 4, .. }), "{leap}");
    let far = refusal(&|prints| prints[4].position.z += 1.5);
    assert!(matches!(far, StepError::Plan(PlanError::OutOfReach { footprint: 4, .. })), "{far}");
    // A leap can be run on from, but not stopped after.
    let stop = refusal(&|prints| {
        prints.truncate(5);
        prints[4].support = Some(0.0);
        prints[4].position.z += 1.3;
    });
    assert!(matches!(stop, StepError::Plan(PlanError::OutOfReach { footprint: 4, .. })), "{stop}");
}

/// Nobody turns half around between two steps, whichever footprint says so, and nobody runs backward as fast as forward.
#[test]
fn who_suddenly_faces_backward_is_refused_by_number() {
    let facing = |gait: Gait, length: f64, headings: &dyn Fn(usize) -> Option<f64>| {
        let footprints = (0..14_usize).map(|index| {
            let (side, x) = if index % 2 == 0 { (Side::Left, 0.1) } else { (Side::Right, -0.1) };
            let position = Vec3::new(x, 0.0, length * index.saturating_sub(1) as f64);
            Footprint { heading: headings(index), ..Footprint::at(side, position) }
        });
        let plan = FootPlan { footprints: footprints.collect() };
        synthesize(&synthesizer(gait), &Arc::default(), &plan, "backward")
    };
    // Only the standing feet and the seventh footprint say where they point.
    let sparse = |index: usize| match index {
        0 | 1 => Some(0.0),
        7 => Some(PI),
        _ => None,
    };
    for gait in [Gait::Walk, Gait::Run] {
        let error = facing(gait, 0.6, &sparse).unwrap_err();
        assert!(matches!(error, StepError::Plan(PlanError::TurnedTooFar { footprint: 7, .. })), "{gait}: {error}");
    }
    // By 0.7 rad a step: from the ninth on the way leads backward.
    let slowly = |index: usize| Some((0.7 * index.saturating_sub(6) as f64).min(PI));
    let error = facing(Gait::Run, 0.9, &slowly).unwrap_err();
    assert!(matches!(error, StepError::RunsAside { footprint: 9, .. }), "{error}");
    assert_eq!(error.footprint(), Some(9));
    for gait in [Gait::Walk, Gait::Run] {
        let made = facing(gait, 0.5, &slowly).unwrap_or_else(|error| panic!("{gait}: {error}"));
        let poses = made.take.clip.poses();
        let lowest =
            (0..poses.len()).map(|frame| poses.pose(frame).local[0].translation.y).fold(f64::INFINITY, f64::min);
        assert!(lowest > 0.6, "{gait}: the pelvis at {lowest} m");
    }
}

/// Absolute times count from the first frame, whatever the standing before it.
#[test]
fn absolute_times_are_met() {
    let print = |side: Side, z: f64, land: Option<f64>, leave: Option<f64>| {
        let x = if side == Side::Left { 0.1 } else { -0.1 };
        Footprint { land, leave, ..Footprint::at(side, Vec3::new(x, 0.0, z)) }
    };
    let (left, right) = (Side::Left, Side::Right);
    let timed = [
        print(left, 0.0, None, Some(0.5)),
        print(right, 0.0, None, Some(1.1)),
        print(left, 0.6, Some(0.9), Some(1.6)),
        print(right, 1.2, Some(1.5), Some(2.2)),
        print(left, 1.8, Some(2.1), Some(2.8)),
        print(right, 1.8, Some(2.7), None),
    ];
    let lands_of = |prints: &[Footprint]| {
        let plan = FootPlan { footprints: prints.to_vec() };
        let synthesis = synthesize(&synthesizer(Gait::Walk), &Arc::default(), &plan, "walk").expect("a walk");
        let rows = synthesis.report.footprints;
        (rows.iter().map(|row| row.land).collect::<Vec<f64>>(), rows.iter().map(|row| row.leave).collect::<Vec<f64>>())
    };
    let (lands, leaves) = lands_of(&timed);
    let last_two = timed.len() - 2;
    for (index, print) in timed.iter().enumerate() {
        assert!(print.land.is_none_or(|land| (lands[index] - land).abs() < 1e-6), "{lands:?}");
        let is_met = print.leave.is_none_or(|leave| (leaves[index] - leave).abs() < 1e-6);
        assert!(is_met || index >= last_two, "{leaves:?}");
    }
    // Landings alone, and one landing after steps that leave it open.
    let slow = timed.map(|print| Footprint { land: print.land.map(|land| 2.0 * land), leave: None, ..print });
    assert!(
        lands_of(&slow).0.iter().zip(&slow).all(|(met, print)| print.land.is_none_or(|land| (met - land).abs() < 1e-6))
    );
    let mut open = timed.map(|print| Footprint { land: None, leave: None, ..print });
    open[4].land = Some(5.0);
    assert!((lands_of(&open).0[4] - 5.0).abs() < 1e-6);
    // Who cannot be in time takes what a step takes, and is not left behind for ever.
    let mut early = timed.map(|print| Footprint { leave: None, ..print });
    early[2].land = Some(0.1);
    let lands = lands_of(&early).0;
    assert!(lands[2] > 0.2 && (lands[3] - 1.5).abs() < 1e-6, "{lands:?}");
}

#[test]
fn who_stops_walks_the_last_step() {
    let mut plan = laid(Gait::Run, 6, None);
    let last = plan.footprints.len() - 1;
    plan.footprints[last].support = Some(0.0);
    let synthesizer = synthesizer(Gait::Run);
    let mut stepper = start(&synthesizer, &Arc::default(), &plan);
    for print in &plan.footprints[2..] {
        stepper.push(print).unwrap();
    }
    assert_eq!(stepper.outcomes()[last - 2].behaviour, Behaviour::Run);
    stepper.finish().unwrap();
    assert_eq!(stepper.outcomes()[last - 2].behaviour, Behaviour::Walk);
}

/// Where nothing says where feet point, they point along the path.
#[test]
fn feet_without_headings_point_where_they_go() {
    let mut plan = laid(Gait::Walk, 8, None);
    let turned = surefoot_geom::Quat::from_rotation_y(0.8);
    for print in &mut plan.footprints {
        (print.heading, print.position) = (None, turned * print.position);
    }
    let made = synthesize(&synthesizer(Gait::Walk), &Arc::default(), &plan, "walk").unwrap();
    for row in &made.report.footprints {
        let heading = row.heading.actual.unwrap();
        assert!((heading - 0.8).abs() < 0.15, "footprints[{}] points to {heading}", row.index);
    }
}

/// Steps as a reader sees them, each from the foot before.
fn describe(prints: &[Footprint]) -> String {
    let rows = prints.windows(2).map(|pair| {
        let (offset, heading) = (pair[1].position - pair[0].position, pair[0].heading.unwrap());
        let turn = surefoot_geom::Quat::from_rotation_y(-heading) * offset;
        let turned = (pair[1].heading.unwrap() - heading).to_degrees();
        format!("   {:?} left {:.2} on {:.2} up {:.2} turned {turned:.0}", pair[1].side, turn.x, turn.z, turn.y)
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// Every walking step that the one checker lets pass is taken: feet are planted on their footprints.
#[test]
fn every_step_within_the_shared_limits_is_taken() {
    let synthesizer = synthesizer(Gait::Walk);
    let mut random = Random::new(17);
    let (mut n_taken, mut n_missed, mut worst) = (0, 0, 0.0_f64);
    for _ in 0..400 {
        let mut side = Side::Left;
        let mut prints = vec![
            Footprint { heading: Some(0.0), ..Footprint::at(Side::Left, Vec3::new(0.1, 0.0, 0.0)) },
            Footprint { heading: Some(0.0), ..Footprint::at(Side::Right, Vec3::new(-0.1, 0.0, 0.0)) },
        ];
        let mut stepper = synthesizer.start(Arc::default(), [prints[0], prints[1]]).unwrap();
        let mut tries = 0;
        while prints.len() < 7 && tries < 60 {
            tries += 1;
            let (other, reach) = (prints[prints.len() - 1], 1.5);
            let away = surefoot_geom::heading_direction(random.range(-3.2, 3.2)) * random.range(0.03, reach);
            let rise = if random.chance(0.5) { random.range(-0.5, 0.5) } else { 0.0 };
            let heading = other.heading.unwrap() + random.range(-2.4, 2.4);
            let position = other.position + away + Vec3::Y * rise;
            let mut print = Footprint { heading: Some(heading), ..Footprint::at(side, position) };
            if random.chance(0.3) {
                let tilt = Vec3::new(random.range(-0.3, 0.3), 1.0, random.range(-0.3, 0.3));
                print.normal = tilt.normalize();
            }
            if random.chance(0.3) {
                (print.swing, print.support) = (Some(random.range(0.2, 1.5)), Some(random.range(0.02, 0.6)));
            }
            if stepper.push(&print).is_ok() {
                prints.push(print);
                side = side.opposite();
            }
        }
        let plan = FootPlan { footprints: prints };
        if plan.footprints.len() < 4 {
            continue;
        }
        n_taken += plan.footprints.len() - 2;
        let made = synthesize(&synthesizer, &Arc::default(), &plan, "walk").unwrap();
        for plant in measure_placement(&made.take.clip.world(), &made.take.body, &made.take.contacts) {
            worst = worst.max(plant.distance);
            if plant.distance > EXACT {
                n_missed += 1;
                let rows = || made.report.footprints.iter();
                let row = rows().rfind(|row| row.side == plant.side && row.land * 60.0 < plant.frame as f64 + 0.5);
                let index = row.map_or(0, |row| row.index);
                let near = describe(&plan.footprints[..(index + 2).min(plan.footprints.len())]);
                println!("{:.2} mm at footprints[{index}] {plant:?}\n{near}\n", 1000.0 * plant.distance);
            }
        }
    }
    assert!(n_taken > 1000 && n_missed == 0, "{n_missed} of {n_taken} steps, worst {:.3} mm", 1000.0 * worst);
}
