//! The numbers of jumps: postures and times, and what nobody does.
//!
//! They were chosen by eye and by `judge.py body` beside 83 flights of CMU recordings (58 from both feet to both, 14 hops, 11 of the
//! other patterns): round numbers near what those show, not medians or fits of them. Times in the air, the lowest knee and how far the
//! pelvis is ahead of its feet are nearest to the recordings; leans, rates and shares are a matter of looks. Knees at take-off and landing
//! are flexed enough for a knee not to change its rate within a frame.

use surefoot_contact::check_frame_rate::GRAVITY;

/// Fastest upward at take-off that is made, in metres a second, from both feet and from one: 0.66 and 0.52 m of height.
pub(super) const FASTEST_UP: (f64, f64) = (3.6, 3.2);
/// Fastest along the ground in the air, in metres a second, from standing and from an approach.
pub(super) const FASTEST_ALONG: (f64, f64) = (3.6, 9.0);
/// Seconds in the air of a jump on the spot from both feet, of one from one foot to another or to both, and of a hop.
pub(super) const FLIGHT: (f64, f64, f64) = (0.36, 0.28, 0.21);
/// How much longer it is in the air, as seconds for each metre along the ground, at right angles to the above.
const FLIGHT_PER_METRE: f64 = 0.2;
/// How far above its landing a body rises at least, in metres.
const LEAST_FALL: f64 = 0.05;
/// Of the height of a jump on level ground, what is left in a jump far down.
const DOWN_SHARE: f64 = 0.5;

/// Knee at take-off and at a level landing, in radians.
pub(super) const KNEE_OFF: f64 = 0.4;
pub(super) const KNEE_LANDING: f64 = 0.46;
/// Speed downward of a landing on level ground, in metres a second; how much further the knee is flexed, and the foot pitched, for each
/// metre a second more.
pub(super) const LEVEL_LANDING: f64 = 1.9;
pub(super) const KNEE_PER_FALL: f64 = 0.1;
pub(super) const STRIKE_PER_FALL: f64 = -0.09;
/// How much further it is flexed for each metre that the landing is higher: the pelvis need not rise as far as the feet.
pub(super) const KNEE_PER_RISE: f64 = 1.7;
pub(super) const MOST_KNEE_LANDING: f64 = 1.5;
/// Pitch of the foot at take-off: of a jump straight up, and how much more for each metre a second along the ground.
pub(super) const PITCH_OFF: (f64, f64) = (0.7, 0.1);
/// Pitch of a foot that lands on its ball from a jump straight up, how much less for each metre a second along the ground, and least.
pub(super) const STRIKE: (f64, f64, f64) = (-0.38, 0.16, -0.03);
/// Seconds from a landing on the ball until the foot is flat, at most.
pub(super) const FLAT_AFTER: f64 = 0.1;
/// How far the pelvis is ahead of the balls at take-off, of the leg, for each of speed along the ground over speed upward; and most.
pub(super) const AHEAD_OFF: (f64, f64) = (0.27, 0.36);
/// How far it is ahead of the ankles at landing, of the leg: straight down, for each metre a second along the ground, and least.
pub(super) const AHEAD_LANDING: (f64, f64, f64) = (0.04, -0.17, -0.42);
/// The lowest knee before take-off: at rest, for each metre a second upward, least and most; from both feet and from one.
pub(super) const KNEE_LOWEST: ([f64; 4], [f64; 4]) = ([0.75, 0.27, 0.75, 1.6], [0.6, 0.28, 0.65, 1.3]);
/// Seconds of the countermovement down from standing.
pub(super) const CROUCHING: f64 = 0.5;
/// How far a landing is absorbed, in metres for each metre a second downward, and how fast that goes, of the speed of landing.
pub(super) const ABSORBED: f64 = 0.085;
pub(super) const ABSORBING: f64 = 0.54;
/// Lowest knee of an absorbed landing, in radians.
pub(super) const KNEE_ABSORBED: f64 = 1.66;
/// Where in the push the force is, as the share q/p of `plan_jump`: 0.5 to 0.75 never pulls.
pub(super) const PUSH_SHARE: f64 = 0.58;

/// Lean of the trunk at the lowest point (of a knee flexed by a radian), at take-off, at landing, in radians.
pub(super) const LEAN_LOWEST: f64 = 0.55;
pub(super) const LEAN_OFF: f64 = 0.16;
pub(super) const LEAN_LANDING: f64 = 0.2;

/// Seconds in the air for a distance and a rise of the pelvis, both in metres; `level` is the time of a jump on the spot.
pub(super) fn natural_flight(level: f64, distance: f64, rise: f64) -> f64 {
    let seconds = level.hypot(FLIGHT_PER_METRE * distance);
    let share = 1.0 - (1.0 - DOWN_SHARE) * (-rise / 0.5).clamp(0.0, 1.0);
    let apex = (share * GRAVITY * seconds * seconds / 8.0).max(rise + LEAST_FALL);
    (2.0 * apex / GRAVITY).sqrt() + (2.0 * (apex - rise) / GRAVITY).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_flight_on_the_spot_takes_its_time_and_others_take_longer() {
        assert!((natural_flight(0.36, 0.0, 0.0) - 0.36).abs() < 1e-12);
        assert!(natural_flight(0.36, 2.0, 0.0) > 0.5);
        for rise in [0.4, -0.4] {
            assert!(natural_flight(0.36, 0.5, rise) > 0.36, "{rise}");
        }
        // It comes down on what it jumps onto.
        let (rise, flight) = (0.6, natural_flight(0.36, 0.5, 0.6));
        assert!(rise / flight - 0.5 * GRAVITY * flight < -0.9);
    }
}
