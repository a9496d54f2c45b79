//! Knees that go over from stance to swing, and from swing to stance, without a jolt.
//!
//! While a foot is planted its knee follows from hip and ankle; in the air it follows from the recorded swing. Both meet at
//! lift-off and landing, where legs are nearly straight and a millimetre is degrees. So around both the flexion of the
//! knee in the air is replaced by the cubic that has the values and slopes of both sides ([`WINDOW`] seconds), and the foot
//! is moved along its leg as far as that takes:
//!
//! ```text
//!   flexion   \                /
//!              \..           ./      ...  the cubic, in the air
//!                \          :/
//!                 \________/:
//!                  planted    planted feet are not touched
//! ```

/// Seconds before a landing and after a lift-off in which knees are softened.
pub(super) const WINDOW: f64 = 0.1;
/// Least flexion, in radians: about that of the longest leg that is asked for.
const LEAST: f64 = 0.07;

/// Furthest that a foot is moved for its knee, in metres for each second away from its plant: feet do not jump where they leave.
pub(super) const MOST_SOFTENED: f64 = 0.4;

/// The flexion in a frame in the air, and how many frames the nearest plant is away. `at` gives flexion and whether the foot is
/// planted, of frames around; `window` is [`WINDOW`] in frames. `None` where a frame is far from every plant.
pub(super) fn softened(window: usize, at: impl Fn(isize) -> (f64, bool)) -> Option<(f64, usize)> {
    let window = window as isize;
    let flexion = |k: isize| at(k).0;
    let planted = |k: isize| at(k).1;
    let landing = (1..2 * window).find(|&k| planted(k));
    let release = (1..2 * window).find(|&k| planted(-k)).map(|k| -k);
    // Both windows of a short swing meet in its middle.
    let half = match (release, landing) {
        (Some(from), Some(to)) if to - from < 2 * window => (to - from + 1) / 2,
        _ => window,
    };
    let forward = |k: isize| -1.5 * flexion(k) + 2.0 * flexion(k + 1) - 0.5 * flexion(k + 2);
    let backward = |k: isize| 1.5 * flexion(k) - 2.0 * flexion(k - 1) + 0.5 * flexion(k - 2);
    let middle = |k: isize| 0.5 * (flexion(k + 1) - flexion(k - 1));
    let near = |k: &isize| k.abs() < half;
    let (from, to, slopes) = match (release.filter(near), landing.filter(near)) {
        (Some(from), _) => (from, from + half, [backward(from), middle(from + half)]),
        (None, Some(to)) => (to - half, to, [middle(to - half), forward(to)]),
        (None, None) => return None,
    };
    let length = (to - from) as f64;
    let u = -from as f64 / length;
    let (u2, u3) = (u * u, u * u * u);
    let value = (2.0 * u3 - 3.0 * u2 + 1.0) * flexion(from)
        + (u3 - 2.0 * u2 + u) * length * slopes[0]
        + (3.0 * u2 - 2.0 * u3) * flexion(to)
        + (u3 - u2) * length * slopes[1];
    let nearest = (-from).min(to);
    Some((value.max(LEAST), nearest as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A knee that straightens in the air until its foot lands in frame 20 and is bent from there on.
    fn knee(frame: isize) -> (f64, bool) {
        let k = frame as f64;
        if frame < 20 { (0.2 + 0.05 * (20.0 - k), false) } else { (0.2 + 0.03 * (k - 20.0), true) }
    }

    #[test]
    fn a_kink_at_landing_is_spread_over_the_window() {
        let soft = |frame: isize| match knee(frame) {
            (flexion, true) => flexion,
            (flexion, false) => softened(12, |k| knee(frame + k)).map_or(flexion, |(flexion, _)| flexion),
        };
        let kink = |of: &dyn Fn(isize) -> f64| {
            (3..27).map(|k| (of(k + 1) - 2.0 * of(k) + of(k - 1)).abs()).fold(0.0, f64::max)
        };
        assert!((kink(&|k| knee(k).0) - 0.08).abs() < 1e-9);
        assert!(kink(&soft) < 0.03, "{}", kink(&soft));
        assert_eq!(soft(5), knee(5).0);
    }
}
