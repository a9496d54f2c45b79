//! What defines a basic walking stride: velocity, step length and step frequency (GAIT section 4.1).
//!
//! The paper applies its formulas up to a speed of about 200 m/min for a person 1.8 m tall and gives no other limit. Ours:
//!
//! | parameter | range at 1.8 m | at another height h | why |
//! |---|---|---|---|
//! | speed | 0.5 to 12 km/h | x sqrt(h / 1.8), and at most that of the longest natural step | the paper; equal Froude numbers |
//! | step length | 0.18 to 1.26 m | 0.1 to 0.7 h | a natural step at top speed is 1.2 m; legs are some 0.53 h long |
//! | cadence | 20 to 180 steps/min | the same | double support vanishes at 181.75 (eq. 4.3) |
//!
//! For its "proud" walk the paper has a default step length of 0.65 m at 4 km/h. By its eqs. 4.1 and 4.2 that is a step of
//! someone 1.58 m tall; at its default height of 1.8 m it is 0.693 m. We follow the equations.

use super::equations::{DEFAULT_HEIGHT, walk_cadence, walk_step_length};
use super::stride::{Parameter, ParameterError, Stride, StrideRanges, StrideTargets, check_height, solve_stride};
use surefoot_geom::Range;

/// The three parameters of a walk, of which any two give the third: speed = step length x cadence (GAIT eq. 4.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkParameters {
    /// Velocity, in m/s.
    pub speed: f64,
    /// From heel strike to the other foot's heel strike, in metres.
    pub step_length: f64,
    /// Step frequency, in steps/s.
    pub cadence: f64,
}

impl Default for WalkParameters {
    /// 5 km/h of a person 1.8 m tall.
    fn default() -> WalkParameters {
        WalkParameters::natural(WalkParameters::DEFAULT_SPEED, DEFAULT_HEIGHT)
    }
}

impl WalkParameters {
    /// 5 km/h, the speed of the paper's own walk.
    pub const DEFAULT_SPEED: f64 = 5.0 / 3.6;

    /// What can be walked at a body height.
    pub fn ranges(height: f64) -> StrideRanges {
        let scale = (height / DEFAULT_HEIGHT).sqrt();
        let step_length = Range { min: MIN_STEP * height, max: MAX_STEP * height };
        // sl² = v x 0.004 body_height (eqs. 4.1 and 4.2, with v in m/min).
        let longest_natural = step_length.max.powi(2) / (0.004 * height * 60.0);
        StrideRanges {
            speed: Range { min: MIN_SPEED * scale, max: (MAX_SPEED * scale).min(longest_natural) },
            step_length,
            // Small people step quicker.
            cadence: Range { min: MIN_CADENCE, max: MAX_CADENCE / scale.min(1.0) },
        }
    }

    /// The natural walk at a speed.
    pub fn from_speed(speed: f64, height: f64) -> Result<WalkParameters, ParameterError> {
        Self::from_one(StrideTargets { speed: Some(speed), ..StrideTargets::default() }, height)
    }

    /// The natural walk with a step length.
    pub fn from_step_length(step_length: f64, height: f64) -> Result<WalkParameters, ParameterError> {
        Self::from_one(StrideTargets { step_length: Some(step_length), ..StrideTargets::default() }, height)
    }

    /// The natural walk with a cadence, in steps/s.
    pub fn from_cadence(cadence: f64, height: f64) -> Result<WalkParameters, ParameterError> {
        Self::from_one(StrideTargets { cadence: Some(cadence), ..StrideTargets::default() }, height)
    }

    fn from_one(targets: StrideTargets, height: f64) -> Result<WalkParameters, ParameterError> {
        Self::solve(targets, None, None, height)
    }

    /// The walk for some targets.
    ///
    /// - One target: the others follow naturally (eqs. 4.1 and 4.2).
    /// - Two: the third follows (eq. 4.1).
    /// - Three: they must agree within 1 %.
    /// - None: `base`, which is 5 km/h if it is not given.
    ///
    /// A `lock` holds a parameter that has no target at its value in `base`, as the paper's panel does.
    pub fn solve(
        targets: StrideTargets,
        lock: Option<Parameter>,
        base: Option<WalkParameters>,
        height: f64,
    ) -> Result<WalkParameters, ParameterError> {
        check_height(height)?;
        let natural = |parameter, value: f64| {
            let step_length = match parameter {
                Parameter::StepLength => value,
                // GAIT eq. 4.2: sl = sf x 0.004 body_height, with sf in steps/min.
                Parameter::Cadence => value * 60.0 * 0.004 * height,
                _ => walk_step_length(value, height),
            };
            let cadence = walk_cadence(step_length, height);
            let speed = if parameter == Parameter::Speed { value } else { step_length * cadence };
            Ok(Stride { speed, step_length, cadence: speed / step_length })
        };
        let base = base.unwrap_or_else(|| WalkParameters::natural(Self::DEFAULT_SPEED, height));
        let base = Stride { speed: base.speed, step_length: base.step_length, cadence: base.cadence };
        let condition = format!(" for a person {} tall", Parameter::BodyHeight.show(height));
        let Stride { speed, step_length, cadence } =
            solve_stride(targets, lock, base, &Self::ranges(height), &condition, natural)?;
        Ok(WalkParameters { speed, step_length, cadence })
    }

    fn natural(speed: f64, height: f64) -> WalkParameters {
        let step_length = walk_step_length(speed, height);
        WalkParameters { speed, step_length, cadence: speed / step_length }
    }
}

/// Slowest walk at 1.8 m: 0.5 km/h, a step of 0.24 m every 1.8 s.
const MIN_SPEED: f64 = 0.5 / 3.6;

/// Fastest walk at 1.8 m: the paper's 200 m/min.
const MAX_SPEED: f64 = 200.0 / 60.0;

/// Shortest step, as a part of body height: about the length of a foot less its toes.
const MIN_STEP: f64 = 0.1;

/// Longest step, as a part of body height.
const MAX_STEP: f64 = 0.7;

/// Three seconds to a step, in steps/s.
const MIN_CADENCE: f64 = 20.0 / 60.0;

/// Just below where double support vanishes, in steps/s.
const MAX_CADENCE: f64 = 180.0 / 60.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn target(kmh: Option<f64>, step_length: Option<f64>, spm: Option<f64>) -> StrideTargets {
        StrideTargets { speed: kmh.map(|v| v / 3.6), step_length, cadence: spm.map(|c| c / 60.0) }
    }

    /// Solves and compares km/h, m and steps/min.
    fn check(targets: StrideTargets, lock: Option<Parameter>, height: f64, expected: [f64; 3]) -> WalkParameters {
        let found = WalkParameters::solve(targets, lock, None, height).unwrap();
        let shown = [found.speed * 3.6, found.step_length, found.cadence * 60.0];
        for (found, expected) in shown.into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-4 * expected.max(1.0), "{shown:?}, expected {expected:?}");
        }
        assert!((found.step_length * found.cadence - found.speed).abs() < 1e-12);
        found
    }

    #[test]
    fn one_target_is_completed_naturally() {
        check(StrideTargets::default(), None, 1.8, [5.0, 0.774597, 107.5829]);
        check(target(Some(4.0), None, None), None, 1.8, [4.0, 0.692820, 96.2250]);
        check(target(None, Some(0.75), None), None, 1.8, [4.6875, 0.75, 104.1667]);
        check(target(None, None, Some(100.0)), None, 1.8, [4.32, 0.72, 100.0]);
        check(target(Some(4.0), None, None), None, 1.7, [4.0, 0.673300, 99.0148]);
        // The paper's 0.65 m at 4 km/h belong to another height.
        check(target(Some(4.0), None, None), None, 1.584375, [4.0, 0.65, 102.5641]);
    }

    #[test]
    fn natural_walks_reach_the_limits() {
        check(target(Some(12.0), None, None), None, 1.8, [12.0, 1.2, 166.6667]);
        check(target(Some(0.5), None, None), None, 1.8, [0.5, 0.244949, 34.0207]);
        for height in [0.5, 0.9, 1.2, 1.48, 1.8, 2.2, 3.0] {
            let ranges = WalkParameters::ranges(height);
            for speed in [ranges.speed.min, ranges.speed.max] {
                let found = WalkParameters::from_speed(speed, height).unwrap();
                assert!(super::super::equations::double_support_time(found.cadence) > 0.0);
            }
        }
    }

    #[test]
    fn a_lock_holds_one_while_another_moves() {
        // The paper's proud walk, and its figure 4.3.
        check(target(Some(4.0), Some(0.75), None), Some(Parameter::Speed), 1.8, [4.0, 0.75, 88.8889]);
        let long = WalkParameters::from_step_length(0.75, 1.8).unwrap();
        let found =
            WalkParameters::solve(target(Some(3.0), None, None), Some(Parameter::StepLength), Some(long), 1.8).unwrap();
        assert_eq!(found.step_length, 0.75);
        assert!((found.cadence * 60.0 - 66.6667).abs() < 1e-3);
        let kept = WalkParameters::solve(StrideTargets::default(), Some(Parameter::Speed), Some(found), 1.8).unwrap();
        assert_eq!(kept, found);
    }

    #[test]
    fn three_must_agree() {
        check(target(Some(4.0), Some(0.75), Some(89.0)), None, 1.8, [4.0, 0.75, 88.8889]);
        let error =
            |lock| WalkParameters::solve(target(Some(4.0), Some(0.75), Some(100.0)), lock, None, 1.8).unwrap_err();
        assert_eq!(
            error(None).to_string(),
            "steps of 0.75 m at 100 steps/min do not make 4 km/h; release the speed (4.5 km/h would do) or the step length \
             (0.6667 m would do) or the cadence (88.89 steps/min would do)"
        );
        assert!(
            error(Some(Parameter::Speed))
                .to_string()
                .ends_with("release the step length (0.6667 m would do) or the cadence (88.89 steps/min would do)")
        );
    }

    #[test]
    fn what_is_out_of_range_is_reported_with_the_range() {
        let fails = |targets, lock, height, text: &str| {
            let error = WalkParameters::solve(targets, lock, None, height).unwrap_err();
            assert_eq!(error.to_string(), text);
        };
        fails(
            target(Some(15.0), None, None),
            None,
            1.8,
            "the speed of 15 km/h is out of range: 0.5 to 12 km/h for a person 1.8 m tall",
        );
        fails(
            target(None, Some(1.5), None),
            None,
            1.7,
            "the step length of 1.5 m is out of range: 0.17 to 1.19 m for a person 1.7 m tall",
        );
        fails(
            target(Some(10.0), Some(0.5), None),
            None,
            1.8,
            "a speed of 10 km/h with a step length of 0.5 m needs a cadence of 333.3 steps/min, which is out of range: \
             20 to 180 steps/min for a person 1.8 m tall; change or release the speed or the step length",
        );
        fails(
            target(None, None, Some(15.0)),
            None,
            1.8,
            "the cadence of 15 steps/min is out of range: 20 to 180 steps/min for a person 1.8 m tall",
        );
        fails(StrideTargets::default(), None, 0.2, "the body height of 0.2 m is out of range: 0.5 to 3 m");
        fails(target(Some(f64::NAN), None, None), None, 1.8, "the speed must be a finite number");
        fails(
            target(Some(4.0), None, None),
            Some(Parameter::Level),
            1.8,
            "the level cannot be locked; speed, step-length and cadence can",
        );
    }
}
