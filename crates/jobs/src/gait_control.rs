//! Control over a gait beside its parameters: schedules, motion at the ends, cycles, variability, limps and gaze.

use crate::gait::GaitError;
use surefoot_contact::{Contacts, FootPlan, Take};
use surefoot_gait::{Ends, Gait, GaitSchedule, GaitSettings, Gaze, StepVariation};
use surefoot_geom::{Quat, Transform, Vec3, turn_between};
use surefoot_motion::Side;

/// What may be asked of a gait beside its style, parameters and route.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GaitControl<'a> {
    /// Parameters, attributes and presets over time, in place of the request's own.
    pub schedule: Option<&'a GaitSchedule>,
    /// Whether someone stands at first, or is in full motion.
    pub begin: Ends,
    /// The same at the end.
    pub end: Ends,
    /// How steps differ. For steps that are laid.
    pub variation: StepVariation,
    /// Where the person looks.
    pub gaze: Gaze,
    /// A motion that can be repeated, of some strides; for steps that are laid without a path, schedule or variability.
    pub cycle: Option<Cycle>,
}

/// A motion that can be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Strides, two steps each; 1 to 1000.
    pub strides: usize,
    /// Without the travel: the ground moves below the feet.
    pub in_place: bool,
}

/// How a motion that can be repeated goes on where it ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CycleTravel {
    /// From the first frame to the last, in metres.
    pub offset: Vec3,
    /// The same of the heading, in radians.
    pub turn: f64,
    /// In seconds.
    pub seconds: f64,
    /// By what factor the cadence was changed so that it is a whole number of frames.
    pub cadence_factor: f64,
}

impl Cycle {
    /// By what the cadence is multiplied so that the cycle is a whole number of frames.
    pub(crate) fn cadence_factor(&self, settings: &GaitSettings, frame_rate: f64) -> f64 {
        let cadence = match settings.gait {
            Gait::Walk => settings.walk.parameters.cadence,
            Gait::Run => settings.run.parameters.cadence,
        };
        let frames = 2.0 * self.strides as f64 / cadence * frame_rate;
        frames / frames.round().max(2.0)
    }
}

/// Settings with another cadence and the same steps.
pub(crate) fn with_cadence(settings: &GaitSettings, factor: f64) -> GaitSettings {
    let mut faster = *settings;
    let walk = &mut faster.walk.parameters;
    (walk.cadence, walk.speed) = (factor * walk.cadence, factor * walk.speed);
    let run = &mut faster.run.parameters;
    (run.cadence, run.speed) = (factor * run.cadence, factor * run.speed);
    faster
}

/// How a cycle goes on, by its footprints: its first foot lands again at the end.
pub(crate) fn cycle_travel(plan: &FootPlan, take: &Take, cadence_factor: f64) -> CycleTravel {
    let prints = &plan.footprints;
    let (from, to) = (&prints[1], &prints[prints.len() - 1]);
    let turn = turn_between(from.heading.unwrap_or(0.0), to.heading.unwrap_or(0.0));
    // The rigid move of the footprint moves the pelvis.
    let pelvis = take.clip.world()[0].position(take.body.pelvis);
    let moved = to.position + Quat::from_rotation_y(turn) * (pelvis - from.position);
    let seconds = take.clip.n_frames().saturating_sub(1) as f64 / take.clip.frame_rate;
    CycleTravel { offset: moved - pelvis, turn, seconds, cadence_factor }
}

/// Farthest that a joint of the last frame is from where that of the first frame goes, in metres.
pub(crate) fn seam(take: &Take, travel: &CycleTravel) -> f64 {
    let world = take.clip.world();
    let (first, last) = (&world[0], &world[world.len() - 1]);
    let pelvis = first.position(take.body.pelvis);
    let turn = Quat::from_rotation_y(travel.turn);
    let off = take.clip.skeleton.ids().map(|joint| {
        let moved = pelvis + travel.offset + turn * (first.position(joint) - pelvis);
        moved.distance(last.position(joint))
    });
    off.fold(0.0, f64::max)
}

/// Takes the travel out of a cycle, at an even rate: a turn about the centre of its curve, or a move.
pub(crate) fn take_out_travel(take: &mut Take, travel: &CycleTravel) {
    let n_frames = take.clip.n_frames();
    let pelvis = take.clip.world()[0].position(take.body.pelvis);
    let undo = |frame: f64| {
        let share = frame / (n_frames.max(2) - 1) as f64;
        let back = Quat::from_rotation_y(-share * travel.turn);
        let level = Vec3::new(travel.offset.x, 0.0, travel.offset.z);
        // Along the arc whose chord the travel is.
        let half = 0.5 * travel.turn;
        let along = match half.abs() < 1e-9 {
            true => level * share,
            false => Quat::from_rotation_y((share - 1.0) * half) * level * ((share * half).sin() / half.sin()),
        };
        let moved = along + Vec3::Y * (share * travel.offset.y);
        Transform::new(back, pelvis - back * (pelvis + moved))
    };
    let skeleton = take.clip.skeleton.clone();
    let roots: Vec<_> = skeleton.ids().filter(|&joint| skeleton.parent(joint).is_none()).collect();
    for (frame, mut pose) in take.clip.poses_mut().iter_mut().enumerate() {
        let undo = undo(frame as f64);
        for &root in &roots {
            pose[root] = undo * pose[root];
        }
    }
    // A plant is where it is in its middle.
    let Contacts { plants, .. } = &mut take.contacts;
    for side in Side::BOTH {
        for plant in &mut plants[side] {
            let middle = 0.5 * (plant.frames.start + plant.frames.end - 1) as f64;
            plant.position = undo(middle).transform_point(plant.position);
        }
    }
}

/// The settings of each step of a plan that was given, from when it is about to come.
pub(crate) fn settings_along(
    plan: &FootPlan,
    schedule: &GaitSchedule,
    standing: f64,
    height: f64,
) -> Result<Vec<GaitSettings>, GaitError> {
    let mut time = standing;
    let mut gait = None;
    let mut steps = Vec::with_capacity(plan.footprints.len());
    for print in plan.footprints.iter().skip(2) {
        let settings = schedule.at(time, gait, height)?;
        gait = Some(settings.gait);
        let step = match (print.swing, print.support) {
            (Some(swing), support) => swing + support.unwrap_or(0.0),
            _ => 60.0 / 110.0,
        };
        time = print.land.unwrap_or(time + step);
        steps.push(settings);
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gait::{GaitRequest, GaitRoute, GaitTake, Mover, make_gait};
    use std::sync::Arc;
    use surefoot_gait::{Kinematics, LayOptions, Limp, RunTargets, Schedule, StrideTargets, Style};

    use surefoot_motion::{PersonOptions, WorldPose};

    fn made_with(
        gait: Gait,
        speed: f64,
        options: &LayOptions<'_>,
        control: GaitControl<'_>,
    ) -> Result<GaitTake, GaitError> {
        make_gait(&GaitRequest {
            mover: Mover::Own(PersonOptions::default()),
            style: &Style::natural(gait),
            targets: RunTargets {
                stride: StrideTargets { speed: Some(speed / 3.6), ..StrideTargets::default() },
                ..RunTargets::default()
            },
            lock: None,
            set: &[],
            kinematics: Kinematics::Normative,
            route: GaitRoute::Steps(options),
            world: Arc::default(),
            frame_rate: 60.0,
            standing: 0.3,
            control,
        })
    }

    fn steps(n_steps: usize) -> LayOptions<'static> {
        LayOptions { n_steps: Some(n_steps), ..LayOptions::default() }
    }

    /// A cycle's last frame is its first, moved; and so is the way from the last frame but one to it that before the first.
    #[test]
    fn cycles_go_on_where_they_end_in_posture_and_velocity() {
        for (gait, speed) in
            [(Gait::Walk, 3.0), (Gait::Walk, 5.0), (Gait::Walk, 7.0), (Gait::Run, 9.0), (Gait::Run, 14.0)]
        {
            for (turn, limp) in [(0.0, None), (0.1, None), (0.0, Some(Limp { side: Side::Left, severity: 0.5 }))] {
                let options = LayOptions { turn, ..LayOptions::default() };
                let variation = StepVariation { limp, ..StepVariation::default() };
                let cycle = Some(Cycle { strides: 1, in_place: false });
                let control = GaitControl { cycle, variation, ..GaitControl::default() };
                let made = match made_with(gait, speed, &options, control) {
                    Ok(made) => made,
                    // Strides of limping runs do not always repeat; then there is no cycle, and it says so.
                    Err(error) if gait == Gait::Run && limp.is_some() => {
                        assert!(error.to_string().contains("does not close"), "{error}");
                        continue;
                    }
                    Err(error) => panic!("{gait} {speed} {turn}: {error}"),
                };
                let travel = made.cycle.unwrap();
                // Two cycles show what comes after the seam.
                let cycle = Some(Cycle { strides: 2, in_place: false });
                let name = format!("{gait} {speed} {turn} {limp:?}");
                let world = made.take.clip.world();
                let moved = |pose: &WorldPose, joint| {
                    let pelvis = world[0].position(made.take.body.pelvis);
                    let about = pose.position(joint) - pelvis;
                    pelvis + travel.offset + Quat::from_rotation_y(travel.turn) * about
                };
                let last = world.len() - 1;
                assert!((travel.seconds * 60.0 - last as f64).abs() < 1e-9);
                for joint in made.take.clip.skeleton.ids() {
                    let off = moved(&world[0], joint).distance(world[last].position(joint));
                    assert!(off < 1e-6, "{name}: {} off by {off}", made.take.clip.skeleton.name(joint));
                    // The same velocity: the step over the seam is between those beside it.
                    let over = moved(&world[1], joint) - world[last].position(joint);
                    let before = world[last].position(joint) - world[last - 1].position(joint);
                    let beyond = moved(&world[2], joint) - moved(&world[1], joint);
                    let bend = (over - before).length();
                    let usual = (beyond - over)
                        .length()
                        .max((before - (world[last - 1].position(joint) - world[last - 2].position(joint))).length());
                    assert!(
                        bend < 2.0 * usual + 0.01,
                        "{name}: {} {bend} {usual}",
                        made.take.clip.skeleton.name(joint)
                    );
                }
                if turn == 0.0 && limp.is_none() {
                    let twice =
                        made_with(gait, speed, &options, GaitControl { cycle, ..GaitControl::default() }).unwrap();
                    assert!(twice.take.clip.n_frames() > 2 * last - 2);
                }
            }
        }
    }

    #[test]
    fn a_cycle_in_place_stays_where_it_is() {
        for turn in [0.0, 0.2] {
            let options = LayOptions { turn, ..LayOptions::default() };
            let cycle = Some(Cycle { strides: 2, in_place: true });
            let made = made_with(Gait::Run, 12.0, &options, GaitControl { cycle, ..GaitControl::default() }).unwrap();
            let world = made.take.clip.world();
            for joint in made.take.clip.skeleton.ids() {
                let off = world[0].position(joint).distance(world[world.len() - 1].position(joint));
                assert!(off < 1e-6, "{off}");
            }
            let pelvis = |pose: &WorldPose| pose.position(made.take.body.pelvis);
            let farthest = world.iter().map(|pose| (pelvis(pose) - pelvis(&world[0])).length()).fold(0.0, f64::max);
            assert!(farthest < 0.25, "{farthest}");
        }
    }

    #[test]
    fn motions_begin_and_end_at_full_speed() {
        for (gait, speed) in [(Gait::Walk, 5.0), (Gait::Run, 12.0)] {
            let control = GaitControl { begin: Ends::Moving, end: Ends::Moving, ..GaitControl::default() };
            let made = made_with(gait, speed, &steps(6), control).unwrap();
            assert!(made.largest_error < 1e-9, "{gait}");
            let (world, rate) = (made.take.clip.world(), made.take.clip.frame_rate);
            let place = |frame: usize| world[frame].position(made.take.body.pelvis);
            let n = world.len();
            for at in [0, n - 4] {
                let found = 3.6 * place(at).distance(place(at + 3)) * rate / 3.0;
                assert!((found - speed).abs() < 0.3 * speed, "{gait}: {found} at {at}");
            }
            let made_speed = 3.6 * made.made.unwrap().speed;
            assert!((made_speed - speed).abs() < 0.02 * speed, "{gait}: {made_speed}");
        }
    }

    #[test]
    fn a_schedule_walks_runs_and_walks_and_says_when() {
        let speeds = [(0.0, 4.0), (4.0, 11.0), (8.0, 4.0)].map(|(time, speed)| (time, speed / 3.6)).to_vec();
        let schedule = GaitSchedule {
            speed: Some(Schedule::new(speeds).unwrap()),
            ..GaitSchedule::of_style(Style::natural(Gait::Walk))
        };
        let control = GaitControl { schedule: Some(&schedule), ..GaitControl::default() };
        let made = made_with(Gait::Walk, 5.0, &LayOptions::default(), control).unwrap();
        let gaits: Vec<&str> = made.spans.iter().map(|span| &*span.gait).collect();
        assert_eq!(gaits, ["walk", "run", "walk"]);
        assert!(made.take.clip.n_frames() as f64 / 60.0 > 8.0);
        let fastest = 3.6 * made.made.unwrap().fastest;
        assert!((10.0..11.5).contains(&fastest), "{fastest}");
        let fall = made.report.metrics.fall.unwrap().value;
        assert!(fall < 1.1, "{fall}");
    }

    #[test]
    fn a_limp_is_shorter_on_the_bad_leg_and_sways_over_it() {
        let limp = Some(Limp { side: Side::Left, severity: 0.6 });
        let variation = StepVariation { limp, ..StepVariation::default() };
        let made = made_with(Gait::Walk, 4.0, &steps(12), GaitControl { variation, ..GaitControl::default() }).unwrap();
        assert!(made.largest_error < 1e-9);
        let rows = &made.report.footprints[5..11];
        let mean = |side: Side, of: &dyn Fn(usize) -> f64| {
            let values: Vec<f64> = rows.iter().filter(|row| row.side == side).map(|row| of(row.index)).collect();
            values.iter().sum::<f64>() / values.len() as f64
        };
        let rows_all = &made.report.footprints;
        let stance = |index: usize| rows_all[index].leave - rows_all[index].land;
        assert!(mean(Side::Left, &stance) < 0.9 * mean(Side::Right, &stance));
        let prints = &made.plan.footprints;
        let length = |index: usize| prints[index].position.z - prints[index - 1].position.z;
        assert!(mean(Side::Right, &length) < 0.85 * mean(Side::Left, &length));
    }

    #[test]
    fn variability_moves_footprints_by_its_seed_and_feet_stay_on_them() {
        let with = |seed: u64, variability: f64| {
            let variation = StepVariation { variability, seed, limp: None };
            made_with(Gait::Walk, 5.0, &steps(20), GaitControl { variation, ..GaitControl::default() }).unwrap()
        };
        let (a, again, b) = (with(1, 1.0), with(1, 1.0), with(2, 1.0));
        assert!(a.plan == again.plan && a.take == again.take);
        assert_ne!(a.plan, b.plan);
        assert!(a.largest_error < 1e-9 && b.largest_error < 1e-9);
    }

    #[test]
    fn heads_turn_into_a_curve_before_bodies_do_and_look_at_points() {
        let options = LayOptions { turn: 0.3, n_steps: Some(10), ..LayOptions::default() };
        let head_turn = |made: &GaitTake, frame: usize| {
            let (body, world) = (&made.take.body, &made.take.clip.world()[frame]);
            let rest = WorldPose::new(&made.take.clip.skeleton, &made.take.clip.skeleton.rest_pose());
            let facing = |joint| {
                let forward = world[joint].rotation * rest[joint].rotation.conjugate() * Vec3::Z;
                surefoot_geom::direction_heading(Vec3::new(forward.x, 0.0, forward.z)).unwrap_or(0.0)
            };
            turn_between(facing(body.pelvis), facing(body.head.unwrap()))
        };
        let made = made_with(Gait::Walk, 4.0, &options, GaitControl::default()).unwrap();
        let middle = made.take.clip.n_frames() / 2;
        let turned = (middle..middle + 60).map(|frame| head_turn(&made, frame)).sum::<f64>() / 60.0;
        assert!((10.0..40.0).contains(&turned.to_degrees()), "{}", turned.to_degrees());
        let gaze = Gaze::Turned(0.7);
        let made = made_with(Gait::Walk, 4.0, &steps(10), GaitControl { gaze, ..GaitControl::default() }).unwrap();
        let turned = (middle..middle + 60).map(|frame| head_turn(&made, frame)).sum::<f64>() / 60.0;
        assert!((turned - 0.7).abs() < 0.05, "{turned}");
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        let refused =
            |options: &LayOptions<'_>, control| made_with(Gait::Walk, 5.0, options, control).unwrap_err().to_string();
        let cycle = Some(Cycle { strides: 1, in_place: false });
        let variation = StepVariation { variability: 1.0, ..StepVariation::default() };
        assert!(refused(&steps(4), GaitControl { cycle, variation, ..GaitControl::default() }).contains("variability"));
        let variation = StepVariation { variability: f64::NAN, ..StepVariation::default() };
        assert!(refused(&steps(4), GaitControl { variation, ..GaitControl::default() }).contains("0, none, to 1"));
        let gaze = Gaze::At(Vec3::splat(f64::NAN));
        assert!(refused(&steps(4), GaitControl { gaze, ..GaitControl::default() }).contains("finite"));
        let cycle = Some(Cycle { strides: 0, in_place: false });
        assert!(refused(&steps(4), GaitControl { cycle, ..GaitControl::default() }).contains("1 to 1000"));
    }
}
