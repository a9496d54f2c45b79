//! The formulas that tie the parameters of walking and running to each other and to time (GAIT eqs. 4.1 to 4.11).
//!
//! Each takes and gives SI units (m, m/s, steps/s, s) and goes through the paper's (m/min, steps/min) inside, so that the numbers
//! at each line are the printed ones.
//!
//! Where the print cannot be meant, and where we go beyond it:
//!
//! - Eq. 4.3 is said to give seconds. At 110 steps/min it gives 0.0021, which are minutes (0.125 s): the bracket is the double
//!   support in percent of a stride, and a stride takes 2 / sf minutes.
//! - Eq. 4.8 is printed with `- (0.14952e-3 + level) sf`, by which skilled runners would fly *shorter* below 180 steps/min, and
//!   longer above. Figure 4.14 has the skilled on top throughout, and only `(-0.14952e-3 + level) sf` meets eq. 4.7 at
//!   180 steps/min: to 0.2 ms at every level, where the printed sign misses by 36 ms at either end. We take that.
//! - Eq. 4.8 falls below zero under some 32 steps/min; there is no flight then. Flight is held to [`MAX_FLIGHT_SHARE`] of a step,
//!   which the paper's own range never reaches.
//! - The two level terms, ±0.001 in eq. 4.5 and ±0.0001 in eqs. 4.7 and 4.8, are one number from -1 to 1.
//! - Eq. 4.6 squares the vertical speed at toe-off, and the paper's parabola takes the root again. Where flight is so short, or
//!   the toe-off so high above the impact, that the body falls from the first, that loses the sign, and the parabola would miss the
//!   impact. We keep the [signed speed](take_off_speed), so that flight always ends where the foot strikes.

use std::f64::consts::SQRT_2;
use surefoot_contact::check_frame_rate::GRAVITY;

/// Body height for which the paper gives its formulas of running, in metres.
pub const DEFAULT_HEIGHT: f64 = 1.8;

/// Largest part of a step that is flown. The paper's own fastest run (25 km/h) flies half of each step, a sprint at 36 km/h by its
/// formulas 0.62; only locked, hurried steps would fly more, and they need time on the ground.
pub const MAX_FLIGHT_SHARE: f64 = 0.7;

/// Seconds in a minute, the paper's unit of time for speed and frequency.
const MINUTE: f64 = 60.0;

/// Step frequency that belongs to a step length in natural walking, in steps/s (eq. 4.2).
pub fn walk_cadence(step_length: f64, height: f64) -> f64 {
    step_length / (0.004 * height) / MINUTE // GAIT eq. 4.2
}

/// Step length of natural walking at a speed (eqs. 4.1 and 4.2).
pub fn walk_step_length(speed: f64, height: f64) -> f64 {
    // sl² = v x 0.004 body_height, with v in m/min.
    (speed * MINUTE * 0.004 * height).max(0.0).sqrt()
}

/// How long both feet are on the ground in a walking step, in seconds (eq. 4.3). It vanishes at 181.75 steps/min.
pub fn double_support_time(cadence: f64) -> f64 {
    let sf = cadence * MINUTE;
    let minutes = (-0.16 * sf + 29.08) / (50.0 * sf); // GAIT eq. 4.3
    (minutes * MINUTE).max(0.0)
}

/// How long a leg is on the ground and how long in the air within a stride, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegPhases {
    /// From strike to toe-off.
    pub stance: f64,
    /// From toe-off to the next strike.
    pub swing: f64,
}

/// The phases of a walking leg (eq. 4.4).
pub fn walk_phases(cadence: f64) -> LegPhases {
    let (step, double) = (1.0 / cadence, double_support_time(cadence));
    LegPhases { stance: step + double, swing: step - double } // GAIT eq. 4.4
}

/// The phases of a running leg, given the time of flight (eq. 4.9).
pub fn run_phases(cadence: f64, flight: f64) -> LegPhases {
    let step = 1.0 / cadence;
    LegPhases { stance: step - flight, swing: step + flight } // GAIT eq. 4.9
}

/// The natural relation of speed and step length in running: `sl = offset + slope v`, in SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RunLine {
    offset: f64,
    slope: f64,
}

impl RunLine {
    fn new(height: f64, level: f64) -> RunLine {
        let slope = (0.00465 + 0.001 * level) * (height / DEFAULT_HEIGHT).sqrt(); // GAIT eq. 4.5, per m/min
        RunLine { offset: 0.13944, slope: slope * MINUTE }
    }
}

/// Speed up to which step length rises in running (the paper's v_norm: 400 m/min at 1.8 m), in m/s.
pub fn run_norm_speed(height: f64, level: f64) -> f64 {
    400.0 * (0.00465 + 0.001 * level) * (height / DEFAULT_HEIGHT).sqrt() / 0.00465 / MINUTE
}

/// Longest natural step in running (the paper's sl_norm), at and above [`run_norm_speed`].
pub fn run_norm_step_length(height: f64, level: f64) -> f64 {
    let line = RunLine::new(height, level);
    line.offset + line.slope * run_norm_speed(height, level)
}

/// Step length of natural running at a speed (eq. 4.5 up to v_norm, constant above).
pub fn run_step_length(speed: f64, height: f64, level: f64) -> f64 {
    let line = RunLine::new(height, level);
    line.offset + line.slope * speed.min(run_norm_speed(height, level)) // GAIT eq. 4.5
}

/// Speed of natural running with a step length, or `None` where the step is longer than [`run_norm_step_length`]. Steps shorter
/// than the 0.139 m of eq. 4.5 at rest give a negative speed.
pub fn run_speed_of_step_length(step_length: f64, height: f64, level: f64) -> Option<f64> {
    let line = RunLine::new(height, level);
    let longest = run_norm_step_length(height, level);
    (step_length <= longest * (1.0 + 1e-12)).then(|| (step_length - line.offset) / line.slope)
}

/// Speed of natural running with a step frequency (eqs. 4.1 and 4.5).
pub fn run_speed_of_cadence(cadence: f64, height: f64, level: f64) -> f64 {
    let line = RunLine::new(height, level);
    let longest = run_norm_step_length(height, level);
    if cadence >= run_norm_speed(height, level) / longest {
        return cadence * longest;
    }
    // v = sf (offset + slope v); below v_norm's frequency, sf x slope stays below one.
    cadence * line.offset / (1.0 - cadence * line.slope)
}

/// How long a running step is flown, in seconds (eqs. 4.7 and 4.8). Between zero and [`MAX_FLIGHT_SHARE`] of the step.
pub fn flight_time(cadence: f64, level: f64) -> f64 {
    let (sf, level) = (cadence * MINUTE, 0.0001 * level);
    let seconds = if sf < 180.0 {
        -0.674698e-3 + (-0.14952e-3 + level) * sf + 0.541846e-5 * sf * sf // GAIT eq. 4.8
    } else {
        let sf = sf.min(230.0);
        -8.925 + (0.130772 + level) * sf - 0.622714e-3 * sf * sf + 0.979107e-6 * sf * sf * sf // GAIT eq. 4.7
    };
    seconds.clamp(0.0, MAX_FLIGHT_SHARE / cadence)
}

/// Vertical speed at toe-off of a flight that lasts `flight` seconds and ends `drop` metres (the paper's y1 - y2) lower.
/// Negative where the body falls from the first.
pub fn take_off_speed(flight: f64, drop: f64) -> f64 {
    0.5 * GRAVITY * flight - drop / flight
}

/// How high a flight rises above toe-off (eq. 4.6); zero where the body falls from the first.
pub fn flight_height(flight: f64, drop: f64) -> f64 {
    // GAIT eq. 4.6: (t - 2 (y1 - y2) / (g t))² g / 8 is u² / 2g, with u the vertical speed at toe-off.
    let u = take_off_speed(flight, drop).max(0.0);
    u * u / (2.0 * GRAVITY)
}

/// How long a flight lasts that rises `height` above toe-off and ends `drop` metres below it (the inverse of eq. 4.6).
/// `None` where it would have to end above its highest point.
pub fn flight_time_of_height(height: f64, drop: f64) -> Option<f64> {
    let fall = height + drop;
    // Up from toe-off, then down: sqrt(2H/g) + sqrt(2(H + y1 - y2)/g).
    (height >= 0.0 && fall >= 0.0).then(|| SQRT_2 * (height.sqrt() + fall.sqrt()) / GRAVITY.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected}");
    }

    /// km/h to m/s, steps/min to steps/s.
    fn kmh(speed: f64) -> f64 {
        speed / 3.6
    }
    fn spm(cadence: f64) -> f64 {
        cadence / 60.0
    }

    #[test]
    fn a_walk_at_5_kmh_is_the_formulas() {
        let length = walk_step_length(kmh(5.0), 1.8);
        close(length, 0.6_f64.sqrt(), 1e-12);
        close(walk_cadence(length, 1.8) * 60.0, 107.582870, 1e-5);
        close(walk_cadence(length, 1.8) * length, kmh(5.0), 1e-12);
        close(double_support_time(walk_cadence(length, 1.8)), 0.1323639, 1e-6);
        // The limits of section 4.2.6 and of the 15 attributes' default height.
        close(walk_step_length(200.0 / 60.0, 1.8), 1.2, 1e-12);
        close(walk_cadence(1.2, 1.8) * 60.0, 166.6667, 1e-4);
    }

    #[test]
    fn double_support_is_in_minutes_as_printed_and_vanishes_at_fast_steps() {
        for (sf, seconds) in [
            (40.0, 0.6804),
            (60.0, 0.3896),
            (80.0, 0.2442),
            (100.0, 0.15696),
            (110.0, 0.1252364),
            (150.0, 0.04064),
            (181.75, 0.0),
            (200.0, 0.0),
        ] {
            close(double_support_time(spm(sf)), seconds, 1e-6);
        }
    }

    #[test]
    fn phases_add_up_to_a_stride() {
        let walk = walk_phases(spm(110.0));
        close(walk.stance, 0.545455 + 0.125236, 1e-6);
        close(walk.stance + walk.swing, 2.0 / spm(110.0), 1e-12);
        let run = run_phases(spm(187.0), 0.156);
        close(run.stance, 0.320856 - 0.156, 1e-6);
        close(run.stance + run.swing, 2.0 / spm(187.0), 1e-12);
    }

    #[test]
    fn running_steps_are_those_of_the_papers_panel_and_of_its_limits() {
        for (speed, level, length, cadence) in [
            (2.0, 0.0, 0.29444, 113.2093),
            (12.0, 0.0, 1.06944, 187.0138),
            (12.0, -1.0, 0.86944, 230.0331),
            (12.0, 1.0, 1.26944, 157.5498),
            (24.0, 0.0, 1.99944, 200.0560),
            (25.0, 0.0, 1.99944, 208.3917),
            (36.0, 0.0, 1.99944, 300.0840),
            (36.0, 1.0, 2.885462, 207.9390),
        ] {
            let found = run_step_length(kmh(speed), 1.8, level);
            close(found, length, 1e-5);
            close(kmh(speed) / found * 60.0, cadence, 1e-3);
        }
        close(run_norm_speed(1.8, 0.0) * 60.0, 400.0, 1e-9);
        close(run_norm_speed(1.8, -1.0) * 60.0, 313.978495, 1e-6);
        close(run_norm_speed(1.8, 1.0) * 60.0, 486.021505, 1e-6);
        close(run_step_length(kmh(12.0), 1.7, 0.0), 1.043238, 1e-6);
        close(run_step_length(kmh(12.0), 1.9, 0.0), 1.094924, 1e-6);
    }

    #[test]
    fn running_speed_comes_back_from_step_length_and_from_cadence() {
        for height in [1.2, 1.8, 2.1] {
            for level in [-1.0, 0.0, 0.5, 1.0] {
                for speed in [2.0, 5.0, 12.0, 18.0, 24.0, 36.0].map(kmh) {
                    let length = run_step_length(speed, height, level);
                    close(run_speed_of_cadence(speed / length, height, level), speed, 1e-9);
                    let back = run_speed_of_step_length(length, height, level).expect("a natural step");
                    close(back, speed.min(run_norm_speed(height, level)), 1e-9);
                }
                assert_eq!(run_speed_of_step_length(3.5, height, level), None);
            }
        }
    }

    #[test]
    fn flight_times_are_those_of_figure_4_14() {
        for (sf, poor, middle, skilled) in [
            (10.0, 0.0, 0.0, 0.0),
            (40.0, 0.0, 0.002014, 0.006014),
            (100.0, 0.028558, 0.038558, 0.048558),
            (160.0, 0.098115, 0.114115, 0.130115),
            (180.0, 0.130178, 0.148178, 0.166178),
            (187.0139, 0.137564, 0.156266, 0.174967),
            (190.0, 0.138400, 0.157400, 0.176400),
            (210.0, 0.121943, 0.142943, 0.163943),
            (230.0, 0.100784, 0.123784, 0.146784),
            (280.0, 0.100784, 0.123784, 0.146784),
        ] {
            for (level, seconds) in [(-1.0, poor), (0.0, middle), (1.0, skilled)] {
                close(flight_time(spm(sf), level), seconds, 1e-6);
            }
        }
    }

    #[test]
    fn flight_meets_at_180_and_leaves_time_on_the_ground() {
        for level in [-1.0, 0.0, 1.0] {
            close(flight_time(spm(179.999_999), level), flight_time(spm(180.0), level), 2.2e-4);
            for sf in 1..700 {
                let (step, flight) = (1.0 / spm(f64::from(sf)), flight_time(spm(f64::from(sf)), level));
                assert!((0.0..=MAX_FLIGHT_SHARE * step + 1e-12).contains(&flight), "{sf} steps/min");
            }
        }
    }

    #[test]
    fn flight_height_and_time_are_each_others_inverse_and_the_parabola_ends_at_impact() {
        // Level flight: H = g t² / 8.
        close(flight_height(0.156, 0.0), 9.80665 * 0.156 * 0.156 / 8.0, 1e-12);
        // As printed: (0.156 - 2 x 0.076 / (9.80665 x 0.156))² x 9.80665 / 8.
        close(flight_height(0.156, 0.076), 0.003933, 1e-6);
        for flight in [0.02, 0.1, 0.156, 0.4] {
            for drop in [-0.1, -0.02, 0.0, 0.03, 0.1] {
                let speed = take_off_speed(flight, drop);
                close(speed * flight - 0.5 * GRAVITY * flight * flight, -drop, 1e-12);
                let height = flight_height(flight, drop);
                let lands_falling = (0.0..=GRAVITY * flight).contains(&speed);
                if lands_falling {
                    close(flight_time_of_height(height, drop).expect("it lands"), flight, 1e-9);
                }
            }
        }
        assert_eq!(flight_height(0.02, 0.1), 0.0, "it falls from the first");
        assert_eq!(flight_time_of_height(0.01, -0.02), None);
        assert_eq!(flight_time_of_height(-0.01, 0.1), None);
    }
}
