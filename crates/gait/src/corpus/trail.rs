//! A foot plan step by step.

use crate::step::left_sign;
use std::f64::consts::FRAC_PI_2;
use surefoot_contact::{FootPlan, Footprint};
use surefoot_geom::{Vec3, heading_direction};
use surefoot_motion::Side;

/// Between the feet in standing, which is wider than in walking.
pub(super) const STANCE: f64 = 0.16;

/// Footprints one after the other, each from the one before.
///
/// ```text
///             o  landing: `across` to its own side of the standing foot, `along` in front of it,
///       o        both in the heading that the body has after its turn
/// ```
pub(super) struct Trail {
    prints: Vec<Footprint>,
    /// The foot that steps next.
    pub(super) side: Side,
    heading: f64,
    scale: f64,
    toe_out: f64,
}

impl Trail {
    /// Feet side by side at the origin; lengths are times a scale, toes out by an angle.
    pub(super) fn new(first: Side, scale: f64, toe_out: f64) -> Trail {
        let mut trail = Trail { prints: Vec::new(), side: first, heading: 0.0, scale, toe_out };
        for side in [first, first.opposite()] {
            let left = 0.5 * STANCE * scale * left_sign(side);
            trail.put(side, Vec3::new(left, 0.0, 0.0), None);
        }
        trail
    }

    fn put(&mut self, side: Side, position: Vec3, support: Option<f64>) {
        let heading = Some(self.heading + left_sign(side) * self.toe_out);
        self.prints.push(Footprint { heading, support, ..Footprint::at(side, position) });
    }

    fn land(&mut self, across: f64, along: f64, turn: f64, support: Option<f64>) {
        self.heading += turn;
        let here = self.prints[self.prints.len() - 1].position;
        let left = heading_direction(self.heading + FRAC_PI_2);
        let forward = heading_direction(self.heading);
        let offset = left * (left_sign(self.side) * across) + forward * along;
        self.put(self.side, here + offset * self.scale, support);
        self.side = self.side.opposite();
    }

    pub(super) fn step(&mut self, across: f64, along: f64, turn: f64) {
        self.land(across, along, turn, None);
    }

    /// A step to a distance from the origin, in metres whatever the scale.
    pub(super) fn step_to(&mut self, across: f64, distance: f64) {
        let here = self.prints[self.prints.len() - 1].position.dot(heading_direction(self.heading));
        self.step(across, (distance - here) / self.scale, 0.0);
    }

    /// The last footprint at a height; the next ones go on from it.
    pub(super) fn raise(&mut self, height: f64) {
        let scale = self.scale;
        if let Some(print) = self.prints.last_mut() {
            print.position.y = height * scale;
        }
    }

    /// A running step: the footprint is left in flight.
    pub(super) fn leap(&mut self, across: f64, along: f64) {
        self.land(across, along, 0.0, Some(0.0));
    }

    /// Times of the last footprint, in seconds at 1.8 m.
    pub(super) fn hurry(&mut self, support: f64, swing: Option<f64>) {
        let scale = self.scale.sqrt();
        if let Some(print) = self.prints.last_mut() {
            (print.support, print.swing) = (Some(support * scale), swing.map(|swing| swing * scale));
        }
    }

    /// Feet side by side.
    pub(super) fn close(&mut self) {
        self.step(STANCE, 0.0, 0.0);
    }

    pub(super) fn plan(self) -> FootPlan {
        FootPlan { footprints: self.prints }
    }
}
