//! Where the pelvis leaves the ground in a running step (GAIT section 4.2.4, eqs. 4.6, 4.10 and 4.11).
//!
//! ```text
//!          y1   H         y2
//!          o--'''''''---.__o  pelvis, over t_flight at speed v
//!         /                 \
//!    rad /                   \
//!       /                     \
//!    x_toe        x1 < x2    strike
//! ```
//!
//! Known are the pelvis at impact (x2, y2), the speed, the toe of the leg that pushes off and its length `rad` from toe to pelvis.
//!
//! - Case I: the time of flight is given. x1 follows from eq. 4.10, y1 from eq. 4.11, the height from eq. 4.6.
//! - Case II: the height is given. Eqs. 4.6 and 4.11 are solved for x1 and y1 together by Newton-Raphson in two dimensions,
//!   with (x2 - x1) / v for the time of flight.
//!
//! Departures:
//!
//! - In case II we solve the parabola that eq. 4.6 is the square of, `y1 + u t - g t² / 2 = y2` with `u = sqrt(2 g H)`, which has
//!   the same solutions less those in which the body falls from the first, and no pole at t = 0.
//! - There may be two solutions. Ours is the one nearest to a time of flight that the caller expects (that of eqs. 4.7 and 4.8).
//! - Newton-Raphson may leave the arc that the leg can reach. As a function of time of flight, what the parabola misses the
//!   impact by is concave there, so its top separates the two solutions, and bisection on either side finds them.

use super::equations::{flight_height, take_off_speed};
use surefoot_contact::check_frame_rate::GRAVITY;

/// What is known of a step before its toe-off. Heights are above the toe; x runs forward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToeOffInputs {
    /// Where the pelvis is at impact, forward, in metres (x2).
    pub x_impact: f64,
    /// How high the pelvis is at impact, in metres (y2).
    pub y_impact: f64,
    /// Forward speed in flight, in m/s; positive.
    pub speed: f64,
    /// Distance from the toe to the pelvis at toe-off, in metres (rad).
    pub reach: f64,
    /// Where the toe is planted, forward, in metres (x_toe).
    pub x_toe: f64,
}

/// What is given of the flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Flight {
    /// Its time, in seconds; positive (the paper's case I).
    Time(f64),
    /// How high it rises above toe-off, in metres, zero or more (the paper's case II). Of two solutions, the one whose time is
    /// nearest to `near` (seconds) is taken.
    Height {
        /// The height (H).
        height: f64,
        /// The expected time of flight.
        near: f64,
    },
}

/// The pelvis at toe-off, and the flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToeOff {
    /// Where the pelvis is, forward, in metres (x1).
    pub x: f64,
    /// How high the pelvis is above the toe, in metres (y1).
    pub y: f64,
    /// Time of flight, in seconds.
    pub flight_time: f64,
    /// How high the flight rises above toe-off, in metres; zero where the body falls from the first (H).
    pub height: f64,
    /// Vertical speed at toe-off, in m/s: the pelvis is at `y + vertical_speed t - g t² / 2`, which ends at the impact.
    pub vertical_speed: f64,
}

impl ToeOff {
    /// Vertical speed at impact, in m/s; negative where the body comes down.
    pub fn impact_speed(&self) -> f64 {
        self.vertical_speed - GRAVITY * self.flight_time
    }
}

/// Why there is no toe-off.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ToeOffError {
    /// The leg is too short for where the pelvis would have to be at the given time.
    #[error(
        "at toe-off the pelvis would be {distance:.3} m from the toe along the ground, and the leg reaches {reach:.3} m; \
         it reaches for flights of {shortest:.3} to {longest:.3} s"
    )]
    OutOfReach {
        /// Horizontal distance from toe to pelvis, in metres.
        distance: f64,
        /// Length of the leg from toe to pelvis, in metres.
        reach: f64,
        /// Shortest flight for which the leg would reach, in seconds.
        shortest: f64,
        /// Longest flight for which the leg would reach, in seconds; negative if the impact is too far behind the toe.
        longest: f64,
    },
    /// No flight of the given height gets from the toe to the impact.
    #[error(
        "no flight that rises {height:.3} m ends at the impact: the best, of {time:.3} s, is {miss:.3} m too low; \
         a higher one or a longer leg would do"
    )]
    TooLow {
        /// The height asked for, in metres.
        height: f64,
        /// Time of the flight that ends highest, in seconds.
        time: f64,
        /// How far below the impact that one ends, in metres.
        miss: f64,
    },
    /// An input is no number, or a speed, time or length is not positive.
    #[error("speed, leg and time of flight must be positive, the height zero or more, and all finite")]
    NoNumber,
}

/// Where the pelvis leaves the ground.
pub fn solve_toe_off(flight: Flight, inputs: &ToeOffInputs) -> Result<ToeOff, ToeOffError> {
    let ToeOffInputs { x_impact, y_impact, speed, reach, x_toe } = *inputs;
    let (first, second) = match flight {
        Flight::Time(time) => (time, 0.0),
        Flight::Height { height, near } => (near, height),
    };
    let all_finite = [x_impact, y_impact, speed, reach, x_toe, first, second].iter().all(|value| value.is_finite());
    if !all_finite || speed <= 0.0 || reach <= 0.0 || first <= 0.0 || second < 0.0 {
        return Err(ToeOffError::NoNumber);
    }
    match flight {
        Flight::Time(time) => toe_off_at(time, inputs),
        Flight::Height { height, near } => {
            let time = match newton(height, near, inputs) {
                Some(time) => time,
                None => bisect_flight(height, near, inputs)?,
            };
            let toe_off = toe_off_at(time, inputs)?;
            Ok(ToeOff { height, ..toe_off })
        }
    }
}

/// Case I.
fn toe_off_at(time: f64, inputs: &ToeOffInputs) -> Result<ToeOff, ToeOffError> {
    let x = inputs.x_impact - inputs.speed * time; // GAIT eq. 4.10
    let y = inputs.arc_height(x).ok_or_else(|| {
        let (shortest, longest) = inputs.reachable_times();
        let distance = (x - inputs.x_toe).abs();
        ToeOffError::OutOfReach { distance, reach: inputs.reach, shortest: shortest.max(0.0), longest }
    })?;
    let drop = y - inputs.y_impact;
    let height = flight_height(time, drop); // GAIT eq. 4.6
    Ok(ToeOff { x, y, flight_time: time, height, vertical_speed: take_off_speed(time, drop) })
}

impl ToeOffInputs {
    /// Height of the pelvis on the arc about the toe, if the leg reaches.
    fn arc_height(&self, x: f64) -> Option<f64> {
        let square = self.reach.powi(2) - (x - self.x_toe).powi(2);
        (square >= 0.0).then(|| square.sqrt()) // GAIT eq. 4.11
    }

    /// Times of flight between which the leg reaches.
    fn reachable_times(&self) -> (f64, f64) {
        let ahead = self.x_impact - self.x_toe;
        ((ahead - self.reach) / self.speed, (ahead + self.reach) / self.speed)
    }
}

/// Case II by Newton-Raphson in x1 and y1, started on the arc at the expected time. `None` where it leaves the arc or does not
/// settle.
fn newton(height: f64, near: f64, inputs: &ToeOffInputs) -> Option<f64> {
    let ToeOffInputs { x_impact, y_impact, speed, reach, x_toe } = *inputs;
    let u = (2.0 * GRAVITY * height).sqrt();
    let mut x = x_impact - speed * near;
    let mut y = inputs.arc_height(x)?;
    for _ in 0..MAX_NEWTON {
        let time = (x_impact - x) / speed;
        let arc = y * y + (x - x_toe).powi(2) - reach * reach; // GAIT eq. 4.11
        let parabola = y + u * time - 0.5 * GRAVITY * time * time - y_impact; // the root of GAIT eq. 4.6
        if arc.abs() < TOLERANCE && parabola.abs() < TOLERANCE {
            return Some(time);
        }
        // The Jacobian's rows: of the arc, of the parabola.
        let (arc_x, arc_y) = (2.0 * (x - x_toe), 2.0 * y);
        let (parabola_x, parabola_y) = ((GRAVITY * time - u) / speed, 1.0);
        let determinant = arc_x * parabola_y - arc_y * parabola_x;
        x -= (arc * parabola_y - parabola * arc_y) / determinant;
        y -= (parabola * arc_x - arc * parabola_x) / determinant;
        // Outside of the arc there is no leg, below the toe no pelvis, and past the expected time lies the other solution. A
        // determinant of zero ends here too.
        let kept = y > 0.0 && x < x_impact && (x - x_toe).abs() <= reach;
        let strayed = ((x_impact - x) / speed - near).abs() > MAX_STRAY * near;
        if !kept || strayed {
            return None;
        }
    }
    None
}

/// Case II by bisection on either side of the flight that ends highest.
fn bisect_flight(height: f64, near: f64, inputs: &ToeOffInputs) -> Result<f64, ToeOffError> {
    let u = (2.0 * GRAVITY * height).sqrt();
    // How far above the impact a flight ends.
    let excess = |time: f64| {
        let y = inputs.arc_height(inputs.x_impact - inputs.speed * time).unwrap_or(0.0);
        y + u * time - 0.5 * GRAVITY * time * time - inputs.y_impact
    };
    let (shortest, longest) = inputs.reachable_times();
    let shortest = shortest.max(0.0);
    if longest <= shortest {
        let distance = (inputs.x_impact - inputs.x_toe).abs();
        return Err(ToeOffError::OutOfReach { distance, reach: inputs.reach, shortest, longest });
    }
    let top = highest(excess, shortest, longest);
    if excess(top) < 0.0 {
        return Err(ToeOffError::TooLow { height, time: top, miss: -excess(top) });
    }
    let early = (excess(shortest) < 0.0).then(|| root(excess, shortest, top));
    let late = (excess(longest) < 0.0).then(|| root(excess, longest, top));
    let distance = |time: &f64| (time - near).abs();
    let times = [early, late].into_iter().flatten().filter(|&time| time > 0.0);
    times.min_by(|a, b| distance(a).total_cmp(&distance(b))).ok_or(ToeOffError::TooLow { height, time: top, miss: 0.0 })
}

/// Where a concave function is largest within an interval, by ternary search.
fn highest(function: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..MAX_BISECT {
        let third = (high - low) / 3.0;
        if function(low + third) < function(high - third) {
            low += third;
        } else {
            high -= third;
        }
    }
    0.5 * (low + high)
}

/// Where a function crosses zero between a place where it is negative and one where it is not.
fn root(function: impl Fn(f64) -> f64, mut negative: f64, mut positive: f64) -> f64 {
    for _ in 0..MAX_BISECT {
        let middle = 0.5 * (negative + positive);
        if function(middle) < 0.0 {
            negative = middle;
        } else {
            positive = middle;
        }
    }
    positive
}

/// Newton-Raphson doubles its digits each time; what has not settled by then will not.
const MAX_NEWTON: usize = 20;

/// Metres (and square metres) that count as zero: far below what anyone sees, far above what rounding makes of a metre.
const TOLERANCE: f64 = 1e-13;

/// How far Newton-Raphson may go from the expected time, as a part of it, before bisection looks for the nearer solution.
const MAX_STRAY: f64 = 0.5;

/// Enough to narrow a second down to rounding, also by thirds.
const MAX_BISECT: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    /// A step at 12 km/h: the toe at 0, the pelvis 0.62 m on at impact.
    const STEP: ToeOffInputs =
        ToeOffInputs { x_impact: 0.62, y_impact: 0.93, speed: 12.0 / 3.6, reach: 1.0, x_toe: 0.0 };

    /// A toe-off lies on the arc, its parabola ends at the impact, and its height is eq. 4.6's.
    fn check(toe_off: &ToeOff, inputs: &ToeOffInputs) {
        let ToeOff { x, y, flight_time, height, vertical_speed } = *toe_off;
        let close =
            |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found} for {expected}: {inputs:?}");
        close((x - inputs.x_toe).hypot(y), inputs.reach);
        close(x + inputs.speed * flight_time, inputs.x_impact);
        close(y + vertical_speed * flight_time - 0.5 * GRAVITY * flight_time * flight_time, inputs.y_impact);
        close(height, vertical_speed.max(0.0).powi(2) / (2.0 * GRAVITY));
        assert!(flight_time > 0.0);
    }

    #[test]
    fn the_time_gives_the_height() {
        let found = solve_toe_off(Flight::Time(0.156), &STEP).unwrap();
        check(&found, &STEP);
        // x1 = 0.62 - 12/3.6 x 0.156 = 0.1; y1 = sqrt(1 - 0.01); H by eq. 4.6 with y1 - y2 = 0.0649874.
        assert!((found.x - 0.1).abs() < 1e-12 && (found.y - 0.994987).abs() < 1e-6);
        assert!((found.height - 0.006186).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn the_height_gives_the_time_back_over_a_sweep() {
        let mut n_solved = 0;
        for speed in [2.0, 5.0, 12.0, 20.0, 36.0] {
            for ahead in [0.1, 0.3, 0.62, 0.9, 1.3, 1.8] {
                for y_impact in [0.75, 0.85, 0.93] {
                    for time in [0.03, 0.08, 0.12, 0.156, 0.2] {
                        let inputs = ToeOffInputs {
                            x_impact: 3.0 + ahead,
                            y_impact,
                            speed: speed / 3.6,
                            reach: 1.02,
                            x_toe: 3.0,
                        };
                        let Ok(first) = solve_toe_off(Flight::Time(time), &inputs) else { continue };
                        check(&first, &inputs);
                        // What falls from the first has no height to give.
                        if first.vertical_speed < 1e-3 {
                            continue;
                        }
                        let flight = Flight::Height { height: first.height, near: time * 1.01 };
                        let again = solve_toe_off(flight, &inputs).unwrap();
                        check(&again, &inputs);
                        assert!(
                            (again.flight_time - time).abs() < 1e-6 * time.max(1.0)
                                || n_roots_within(&first, &inputs, time) > 1,
                            "{time} s came back as {} s: {inputs:?}",
                            again.flight_time
                        );
                        n_solved += 1;
                    }
                }
            }
        }
        assert!(n_solved > 100, "{n_solved}");
    }

    /// How many solutions of the same height lie within 2 % of a time.
    fn n_roots_within(toe_off: &ToeOff, inputs: &ToeOffInputs, time: f64) -> usize {
        let u = toe_off.vertical_speed;
        let excess = |t: f64| {
            inputs
                .arc_height(inputs.x_impact - inputs.speed * t)
                .map(|y| y + u * t - 0.5 * GRAVITY * t * t - inputs.y_impact)
        };
        let samples: Vec<f64> = (0..=400).filter_map(|i| excess(time * (0.98 + 1e-4 * f64::from(i)))).collect();
        samples.windows(2).filter(|pair| (pair[0] < 0.0) != (pair[1] < 0.0)).count()
    }

    #[test]
    fn a_far_guess_is_no_matter() {
        let near = solve_toe_off(Flight::Height { height: 0.03, near: 0.156 }, &STEP).unwrap();
        check(&near, &STEP);
        for guess in [1e-6, 0.02, 0.3, 0.48, 5.0] {
            let found = solve_toe_off(Flight::Height { height: 0.03, near: guess }, &STEP).unwrap();
            check(&found, &STEP);
            assert!(found.flight_time > 0.0 && (found.height - 0.03).abs() < 1e-12);
        }
    }

    #[test]
    fn what_cannot_be_is_reported() {
        let far = ToeOffInputs { x_impact: 2.0, ..STEP };
        let error = solve_toe_off(Flight::Time(0.15), &far).unwrap_err();
        assert_eq!(
            error.to_string(),
            "at toe-off the pelvis would be 1.500 m from the toe along the ground, and the leg reaches 1.000 m; \
             it reaches for flights of 0.300 to 0.900 s"
        );
        let high = ToeOffInputs { y_impact: 1.3, ..STEP };
        let error = solve_toe_off(Flight::Height { height: 0.01, near: 0.15 }, &high).unwrap_err();
        assert!(matches!(error, ToeOffError::TooLow { height: 0.01, .. }), "{error}");
        assert!(error.to_string().starts_with("no flight that rises 0.010 m ends at the impact"), "{error}");
        let behind = ToeOffInputs { x_impact: -2.0, ..STEP };
        let error = solve_toe_off(Flight::Height { height: 0.01, near: 0.15 }, &behind).unwrap_err();
        assert!(matches!(error, ToeOffError::OutOfReach { .. }), "{error}");
        for broken in [
            ToeOffInputs { speed: 0.0, ..STEP },
            ToeOffInputs { reach: -1.0, ..STEP },
            ToeOffInputs { x_impact: f64::NAN, ..STEP },
        ] {
            assert_eq!(solve_toe_off(Flight::Time(0.1), &broken), Err(ToeOffError::NoNumber));
        }
        assert_eq!(solve_toe_off(Flight::Time(0.0), &STEP), Err(ToeOffError::NoNumber));
        assert_eq!(solve_toe_off(Flight::Height { height: -0.1, near: 0.1 }, &STEP), Err(ToeOffError::NoNumber));
    }
}
