//! Walks build up speed before a change of behaviour, and let it die away after it, over as many steps as recorded people take (COMPOSE 4.2).
//!
//! 1. A transition graph has a speed for each step around a change. What is taken from it is its shape: which share of the way from the
//!    speed far from the change to that at its mark a step has.
//! 2. The plan's own speeds at these two steps are those of its footprints and times. Walked steps in between get the graph's share of the
//!    way between these.
//! 3. Feet land where they are asked to, so a step gets its speed by its time: swing and double support are scaled, within [`SCALES`].
//!
//! ```text
//!   speed        graph        plan
//!              ___/\         ____/\      run
//!       ______/           __/            walk
//!       -3 -2 -1 0 1      -3 -2 -1 0 1   steps from the change
//! ```
//!
//! Departure: the paper takes the graph's speeds themselves. A plan's strides say how fast its person is; who walks in long strides before a run would
//! brake for a mean of other people.

use crate::compose_motion::ComposedMotion;
use crate::decide_behaviours::PlannedBehaviour;
use crate::transition_graphs::SpeedProfile;
use std::ops::RangeInclusive;
use surefoot_contact::{Behaviour, Footprint};
use surefoot_geom::{Vec3, ground_point};

/// How much longer or shorter a step may take, as a share of what it took.
const SCALES: RangeInclusive<f64> = 0.75..=1.3;
/// Smaller changes are none.
const LEAST_SCALE: f64 = 0.02;
/// Steps between landings that are nearer in time, in seconds, have no speed: two feet land together.
const LEAST_INTERVAL: f64 = 0.1;

/// Times walked steps around changes of behaviour. Returns whether any time was changed.
pub(crate) fn follow_speeds(
    timed: &mut [Footprint],
    prints: &[Footprint],
    behaviours: &[PlannedBehaviour],
    profile: &SpeedProfile,
    motion: &ComposedMotion,
) -> bool {
    let mut scales = vec![1.0; prints.len()];
    let mut changes: Vec<usize> = profile.targets.iter().flatten().map(|target| target.change).collect();
    changes.dedup();
    for change in changes {
        let of_change = |&index: &usize| profile.targets[index].is_some_and(|target| target.change == change);
        let around: Vec<usize> = (2..prints.len()).filter(of_change).collect();
        scale_around(&around, prints, behaviours, profile, motion, &mut scales);
    }
    let mut is_changed = false;
    for index in 3..prints.len() {
        // Support 0 is a flight, of whatever time.
        let is_open = |print: &Footprint| {
            print.land.is_none()
                && print.leave.is_none()
                && print.swing.is_none()
                && print.support.is_none_or(|support| support == 0.0)
        };
        if (scales[index] - 1.0f64).abs() > LEAST_SCALE && is_open(&prints[index]) && is_open(&prints[index - 1]) {
            is_changed = true;
            scale_step(timed, motion, index, scales[index]);
        }
    }
    is_changed
}

fn scale_around(
    around: &[usize],
    prints: &[Footprint],
    behaviours: &[PlannedBehaviour],
    profile: &SpeedProfile,
    motion: &ComposedMotion,
    scales: &mut [f64],
) {
    let is_walked = |index: usize| behaviours[index].behaviour == Behaviour::Walk;
    let target = |index: usize| profile.targets[index].map_or(0.0, |target| target.speed);
    let steps = |index: usize| profile.targets[index].map_or(0, |target| target.step.abs());
    let walked = || around.iter().copied().filter(|&index| is_walked(index));
    let Some(far) = walked().max_by_key(|&index| steps(index)) else { return };
    // The mark is where the other behaviour differs most.
    let differs = |index: usize| (target(index) - target(far)).abs();
    let others = around.iter().copied().filter(|&index| !is_walked(index));
    let others = others.filter_map(|index| Some((index, speed(prints, motion, index)?)));
    let Some((mark, fast)) = others.max_by(|a, b| differs(a.0).total_cmp(&differs(b.0))) else { return };
    let Some(slow) = speed(prints, motion, far) else { return };
    let (learned, own) = (target(mark) - target(far), fast - slow);
    if learned * own <= 0.0 {
        return;
    }
    for index in walked().filter(|&index| index != far) {
        let Some(now) = speed(prints, motion, index) else { continue };
        let share = ((target(index) - target(far)) / learned).clamp(0.0, 1.0);
        let wanted = slow + share * own;
        scales[index] = (now / wanted.max(1e-3)).clamp(*SCALES.start(), *SCALES.end());
    }
}

/// Speed of the middle between the feet, from the landing before to this one.
fn speed(prints: &[Footprint], motion: &ComposedMotion, index: usize) -> Option<f64> {
    let interval = motion.landing(index) - motion.landing(index - 1);
    let middle = |index: usize| -> Vec3 { 0.5 * (prints[index].position + prints[index - 1].position) };
    let way = ground_point(middle(index) - middle(index - 1)).length();
    (interval > LEAST_INTERVAL).then(|| way / interval)
}

/// A step takes longer or shorter: from the landing before to its own.
fn scale_step(timed: &mut [Footprint], motion: &ComposedMotion, index: usize, scale: f64) {
    let (before, outcome) = (motion.landing(index - 1), &motion.outcomes[index - 2]);
    let (support, swing) = (outcome.lift - before, outcome.land - outcome.lift);
    if support > 0.0 {
        timed[index - 1].support = Some(scale * support);
        timed[index].swing = Some(scale * swing);
    } else {
        // The foot was in the air already when the other one landed.
        timed[index].swing = Some(swing + (scale - 1.0) * (outcome.land - before));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transition_graphs::TargetSpeed;
    use surefoot_motion::Side;
    use surefoot_plan::{StepOrigin, StepOutcome};

    #[test]
    fn speed_dies_away_over_the_learned_steps_and_given_times_stay() {
        // Two running steps of 1.2 m and three walking steps of 0.6 m, each in half a second.
        let along = [0.0, 0.0, 1.2, 2.4, 3.0, 3.6, 4.2];
        let side = |index: usize| if index.is_multiple_of(2) { Side::Left } else { Side::Right };
        let prints: Vec<Footprint> =
            along.iter().enumerate().map(|(index, z)| Footprint::at(side(index), Vec3::new(0.0, 0.0, *z))).collect();
        let planned = |behaviour| PlannedBehaviour { behaviour, feet: None, reason: String::new() };
        let kinds = [
            Behaviour::Stand,
            Behaviour::Stand,
            Behaviour::Run,
            Behaviour::Run,
            Behaviour::Walk,
            Behaviour::Walk,
            Behaviour::Walk,
        ];
        let behaviours: Vec<PlannedBehaviour> = kinds.into_iter().map(planned).collect();
        let outcome = |footprint: usize| StepOutcome {
            footprint,
            behaviour: kinds[footprint],
            origin: StepOrigin::Procedural,
            lift: 0.5 * footprint as f64 - 0.4,
            land: 0.5 * footprint as f64,
            sources: Vec::new(),
            outside: 0.0,
            height_outside: 0.0,
            jump: None,
        };
        let motion = ComposedMotion { outcomes: (2..7).map(outcome).collect(), ..ComposedMotion::default() };
        let target = |speed: f64, step: i32| Some(TargetSpeed { speed, change: 4, step });
        let targets =
            vec![None, None, target(2.0, -2), target(3.0, -1), target(2.0, 0), target(1.2, 1), target(1.0, 2)];
        let profile = SpeedProfile { targets, no_room: Vec::new() };
        let mut timed = prints.clone();
        assert!(follow_speeds(&mut timed, &prints, &behaviours, &profile, &motion));
        // From 1.2 m/s far away to 2.4 at the mark, half of the way: 1.8 m/s, and 1.8 it is already.
        assert_eq!(timed[4].swing, None);
        // A tenth of the way: 1.32 m/s instead of 1.2.
        assert!((timed[5].swing.expect("a time") - 0.4 / 1.1).abs() < 1e-9, "{:?}", timed[5].swing);
        assert!((timed[4].support.expect("a time") - 0.1 / 1.1).abs() < 1e-9);
        assert_eq!(timed[6].swing, None);
        let mut flown = prints.clone();
        flown[3].support = Some(0.0);
        let mut again = flown.clone();
        assert!(follow_speeds(&mut again, &flown, &behaviours, &profile, &motion));
        assert_eq!(again[5].swing, timed[5].swing, "that a step is a flight is no time");
        let mut given = prints.clone();
        given[5].swing = Some(0.4);
        let mut timed = given.clone();
        assert!(!follow_speeds(&mut timed, &given, &behaviours, &profile, &motion));
        assert_eq!(timed, given);
    }
}
