//! The flights of a motion that gait made: from the stance that each takes off from to the end of the stance that it lands in.

use crate::compose_motion::ComposedMotion;
use crate::recorded_flights::{FlightShape, FlightTimes, LONGEST, mean_heading};
use crate::step_label::Feet;
use surefoot_contact::{Behaviour, Footprint};
use surefoot_geom::{Quat, Vec3, turn_between};
use surefoot_motion::{PerSide, Side};
use surefoot_plan::TOGETHER;
use surefoot_steps::LinearPose;

/// A flight of a motion.
#[derive(Clone, Debug)]
pub(crate) struct FlightUnit {
    /// The footprints that it lands on.
    pub(crate) landings: Vec<usize>,
    pub(crate) behaviour: Behaviour,
    pub(crate) feet: [Feet; 2],
    /// When its take-off stance, or the part of it that counts, begins; it takes off, lands, and its landing stance ends.
    pub(crate) touch: f64,
    pub(crate) take_off: f64,
    pub(crate) landing: f64,
    pub(crate) leave: f64,
    /// Between the feet that take off, and those that land.
    pub(crate) from: Vec3,
    pub(crate) to: Vec3,
    pub(crate) heading: f64,
    pub(crate) turn: f64,
}

impl FlightUnit {
    pub(crate) fn times(&self) -> FlightTimes {
        FlightTimes {
            before: self.take_off - self.touch,
            air: self.landing - self.take_off,
            after: self.leave - self.landing,
        }
    }

    /// Where it leads, with the velocities that frames have.
    pub(crate) fn shape(&self, linear: &[LinearPose], rate: f64) -> FlightShape {
        let turn = Quat::from_rotation_y(-self.heading);
        let velocity = |time: f64| {
            let last = linear.len() - 1;
            let at = ((time * rate) as usize).min(last);
            let (a, b) = (at.saturating_sub(2), (at + 2).min(last));
            let way = linear[b].pelvis.translation - linear[a].pelvis.translation;
            turn * Vec3::new(way.x, 0.0, way.z) * (rate / (b - a).max(1) as f64)
        };
        FlightShape {
            to: turn * (self.to - self.from),
            turn: self.turn,
            velocities: [velocity(self.touch), velocity(self.leave)],
        }
    }
}

/// A foot between two footprints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Swing {
    pub(crate) lift: f64,
    pub(crate) land: f64,
}

/// All swings of a motion.
pub(crate) fn swings(motion: &ComposedMotion, prints: &[Footprint]) -> PerSide<Vec<Swing>> {
    let mut swings: PerSide<Vec<Swing>> = PerSide::default();
    for (index, print) in prints.iter().enumerate().skip(2) {
        let outcome = &motion.outcomes[index - 2];
        swings[print.side].push(Swing { lift: outcome.lift, land: outcome.land });
    }
    swings
}

/// The flights of a motion, in order.
pub(crate) fn flight_units(motion: &ComposedMotion, prints: &[Footprint], end: f64) -> Vec<FlightUnit> {
    let mut units: Vec<FlightUnit> = Vec::new();
    for index in 2..prints.len() {
        let outcome = &motion.outcomes[index - 2];
        if !outcome.behaviour.is_flight() {
            continue;
        }
        if let Some(last) = units.last_mut()
            && last.feet[1] == Feet::Both
            && last.landings == [index - 1]
            && (outcome.land - last.landing).abs() <= TOGETHER + 1e-6
        {
            last.landings.push(index);
            last.landing = last.landing.min(outcome.land);
            continue;
        }
        units.extend(begun(motion, prints, index));
    }
    units.into_iter().filter_map(|unit| finished(motion, prints, unit, end)).collect()
}

fn begun(motion: &ComposedMotion, prints: &[Footprint], index: usize) -> Option<FlightUnit> {
    let outcome = &motion.outcomes[index - 2];
    let feet = match outcome.jump {
        Some(jump) => [jump.take_off, jump.landing].map(feet_of),
        None => [prints[index - 1].side, prints[index].side].map(Feet::from),
    };
    let (mut touch, mut take_off) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for side in sides(feet[0]) {
        let before = (0..index).rev().find(|&before| prints[before].side == side)?;
        let next = (index..prints.len()).find(|&next| prints[next].side == side)?;
        touch = touch.max(motion.landing(before));
        take_off = take_off.max(motion.outcomes[next - 2].lift);
    }
    Some(FlightUnit {
        landings: vec![index],
        behaviour: outcome.behaviour,
        feet,
        touch: touch.max(take_off - LONGEST),
        take_off,
        landing: outcome.land,
        leave: outcome.land,
        from: Vec3::ZERO,
        to: Vec3::ZERO,
        heading: 0.0,
        turn: 0.0,
    })
}

/// Fills in where it leads, once it is known on which feet it lands.
fn finished(motion: &ComposedMotion, prints: &[Footprint], mut unit: FlightUnit, end: f64) -> Option<FlightUnit> {
    let first = unit.landings[0];
    let from: Vec<&Footprint> = sides(unit.feet[0])
        .filter_map(|side| prints[..first].iter().rev().find(|before| before.side == side))
        .collect();
    let to: Vec<&Footprint> = unit.landings.iter().map(|&landing| &prints[landing]).collect();
    let last = *unit.landings.last()?;
    let leaves = sides(unit.feet[1]).map(|side| {
        let next = (last + 1..prints.len()).find(|&next| prints[next].side == side);
        next.map_or(end, |next| motion.outcomes[next - 2].lift)
    });
    unit.leave = leaves.fold(f64::INFINITY, f64::min).min(unit.landing + LONGEST);
    let middle = |of: &[&Footprint]| of.iter().map(|print| print.position).sum::<Vec3>() / of.len().max(1) as f64;
    let headings = |of: &[&Footprint]| {
        let headings: Vec<f64> = of.iter().filter_map(|print| print.heading).collect();
        mean_heading(headings.into_iter())
    };
    (unit.from, unit.to) = (middle(&from), middle(&to));
    let (before, after) = (headings(&from)?, headings(&to)?);
    unit.heading = mean_heading([before, after].into_iter())?;
    unit.turn = turn_between(before, after);
    let is_timed = unit.touch < unit.take_off && unit.take_off < unit.landing && unit.landing < unit.leave;
    is_timed.then_some(unit)
}

fn feet_of(feet: surefoot_plan::Feet) -> Feet {
    match feet {
        surefoot_plan::Feet::Left => Feet::Left,
        surefoot_plan::Feet::Right => Feet::Right,
        surefoot_plan::Feet::Both => Feet::Both,
    }
}

fn sides(feet: Feet) -> impl Iterator<Item = Side> {
    Side::BOTH.into_iter().filter(move |&side| feet.has(side))
}
