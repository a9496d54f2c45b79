//! How a walking body gains or loses its speed over a step.

use super::super::step::level;
use surefoot_geom::Vec3;

/// How a body gains or loses its speed over a step: beside an even advance, at a speed that changes as a power of the time, or
/// smoothly where no power does.
pub(super) struct Ramp {
    offset: Vec3,
    rates: (Vec3, Vec3),
    duration: f64,
    power: Option<f64>,
}

/// Largest power of the time: later and faster starts are no people's.
const STEEPEST_RAMP: f64 = 5.0;

impl Ramp {
    /// From one velocity to another over an offset.
    pub(super) fn new(offset: Vec3, before: Vec3, after: Vec3, duration: f64) -> Ramp {
        let offset = level(offset);
        let beside = offset - before * duration;
        let gained = (after - before) * duration;
        let along = beside.dot(gained);
        let power = beside.length() / offset.length().max(1e-6) > 0.02 && along > 0.0;
        let power = power.then(|| (gained.length_squared() / along).clamp(1.0, STEEPEST_RAMP));
        Ramp { offset, rates: (before, after), duration, power }
    }

    /// How far the body is from where an even advance would have it.
    pub(super) fn aside(&self, time: f64) -> Vec3 {
        let Ramp { offset, rates: (before, after), duration, power } = *self;
        let u = time / duration;
        let place = match power {
            Some(power) => before * time + (offset - before * duration) * u.powf(power),
            None => {
                let v = 1.0 - u;
                offset * (u * u * (3.0 - 2.0 * u)) + before * (time * v * v) - after * (duration * u * u * v)
            }
        };
        place - offset * u
    }
}
