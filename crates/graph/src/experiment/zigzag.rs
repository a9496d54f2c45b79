//! The long test path of GRAPH 5.2.2: a zigzag of 33 m that needs both straight and curved walking.
//!
//! The paper does not print it. Here it has six straight legs, and turns of 60 degrees to one side and the other by turns. Corners
//! are rounded to a radius of 1 m, as those of a path planner are.
//!
//! ```text
//!    /\    /\    /      each leg 4.6 m
//!   /  \  /  \  /
//!  /    \/    \/
//! ```

use surefoot_geom::Vec2;
use surefoot_ground::Path;

/// Legs of the zigzag.
const LEGS: usize = 6;
/// Each corner turns by this, in radians.
const TURN: f64 = std::f64::consts::FRAC_PI_3;
/// Radius of a corner, in metres.
const RADIUS: f64 = 1.0;
/// Pieces that a corner is drawn with.
const PIECES: usize = 24;

/// The zigzag, begun at the origin, of a length in metres of at least 6.
pub fn zigzag(length: f64) -> Path {
    // A chord of a corner is a little shorter than its arc; the legs make up for it.
    let chord = 2.0 * RADIUS * (TURN / (2 * PIECES) as f64).sin();
    let corners = (LEGS - 1) as f64 * PIECES as f64 * chord;
    let leg = (length.max(corners + 0.5) - corners) / LEGS as f64;
    let mut points = vec![Vec2::ZERO];
    let mut heading = -TURN / 2.0;
    let mut go = |heading: f64, far: f64| {
        let last = points[points.len() - 1];
        points.push(last + Vec2::new(heading.sin(), heading.cos()) * far);
    };
    for number in 0..LEGS {
        go(heading, leg);
        if number + 1 == LEGS {
            break;
        }
        let side = if number % 2 == 0 { 1.0 } else { -1.0 };
        let bend = side * TURN / PIECES as f64;
        for _ in 0..PIECES {
            go(heading + bend / 2.0, chord);
            heading += bend;
        }
    }
    Path { points }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_zigzag_is_as_long_as_asked_and_turns_gently() {
        for length in [6.0, 20.0, 33.0] {
            let path = zigzag(length);
            assert_eq!(path.check(), Ok(()));
            assert!((path.length() - length).abs() < 1e-9, "{}", path.length());
        }
        let points = zigzag(33.0).points;
        for three in points.windows(3) {
            assert!((three[1] - three[0]).angle_to(three[2] - three[1]).abs() < 0.05);
        }
        assert!(points.iter().all(|point| point.x.abs() < 4.0), "it goes to and fro");
    }
}
