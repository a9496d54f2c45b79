//! One word for a motion, and why: what a person would object to first.

use crate::stepper::StepOrigin;
use crate::synthesis_report::{FootprintRow, MotionMetrics};
use surefoot_contact::Behaviour;

/// How good a motion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// Nothing to object to.
    Good,
    /// Usable; look at what the reasons name.
    Check,
    /// Something is plainly wrong.
    Poor,
}

impl Grade {
    /// As it is printed.
    pub fn name(self) -> &'static str {
        match self {
            Grade::Good => "good",
            Grade::Check => "check",
            Grade::Poor => "poor",
        }
    }
}

/// A grade with its reasons, worst first.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The worst of the reasons.
    pub grade: Grade,
    /// What was found, in words; empty if the grade is good.
    pub reasons: Vec<String>,
}

/// From which value on a metric asks for a look, and from which it is plainly wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Above this it asks for a look.
    pub check: f64,
    /// Above this it is plainly wrong.
    pub poor: f64,
}

/// Distance of a ball from its footprint over the middle 60 % of its stance, height included, in metres: what engines' gates
/// allow, and what an eye sees.
const PLACEMENT: Limits = Limits { check: 0.001, poor: 0.01 };
/// Depth of a foot in the ground, in metres.
const PENETRATION: Limits = Limits { check: 0.002, poor: 0.02 };
/// Downward acceleration of the pelvis on a planted foot, in g: more than 1 needs a rope.
const FALL: Limits = Limits { check: 1.0, poor: 2.0 };
/// Heading of a foot against its target, in radians (20 and 60 degrees).
const HEADING: Limits = Limits { check: 0.35, poor: 1.05 };
/// Times against their targets, in seconds: a landing that is off by more is off the beat. Times are soft, so it is never poor.
const TIMES: Limits = Limits { check: 0.1, poor: f64::INFINITY };
/// Turn of a knee in a second squared, 99th percentile, in radians, of a walker with legs of [`ADULT_LEG`]: twice what recorded
/// walks show, and four times.
const KNEES: Limits = Limits { check: 350.0, poor: 700.0 };
/// Knees may turn faster in runs, by this factor. Chosen on four recordings at 30 frames a second: runs show 9,500 and 24,700
/// deg/s2, walks 9,800 and 10,700. More runs should settle it.
const RUNNING_KNEES: f64 = 2.0;
/// Legs of an adult, in metres. Shorter legs swing faster: bodies that move alike (equal
/// Froude numbers) have angular accelerations that are inverse to their lengths.
const ADULT_LEG: f64 = 0.85;
/// Distance of the midlines of the shins, in metres, below which legs pass through each other. Recorded walks have some 10 cm, and
/// people who cross their legs 3.
const SHINS: Limits = Limits { check: -0.03, poor: -0.01 };
/// Share of steps that recorded ones did not span, and metres that a step is outside of what was recorded.
const OUTSIDE: Limits = Limits { check: 0.25, poor: f64::INFINITY };
const FAR_OUTSIDE: Limits = Limits { check: 0.1, poor: 0.25 };
/// Metres that a step goes up or down beyond what was recorded: any height that was made up is worth a look, and from more than a
/// stair on nothing recorded is an example.
const HEIGHT_OUTSIDE: Limits = Limits { check: 0.0, poor: 0.25 };

impl Limits {
    /// The same limits for something that is naturally larger.
    fn times(&self, factor: f64) -> Limits {
        Limits { check: factor * self.check, poor: factor * self.poor }
    }

    /// The grade of a value.
    pub fn grade(&self, value: f64) -> Grade {
        // What is no number is no good.
        if value <= self.check {
            Grade::Good
        } else if value <= self.poor {
            Grade::Check
        } else {
            Grade::Poor
        }
    }
}

impl Verdict {
    /// A verdict from reasons and their grades; good ones do not count.
    pub fn of(mut reasons: Vec<(Grade, String)>) -> Verdict {
        reasons.retain(|(grade, _)| *grade != Grade::Good);
        reasons.sort_by_key(|(grade, _)| std::cmp::Reverse(*grade));
        let grade = reasons.first().map_or(Grade::Good, |(grade, _)| *grade);
        Verdict { grade, reasons: reasons.into_iter().map(|(_, reason)| reason).collect() }
    }

    pub(crate) fn judge(rows: &[FootprintRow], metrics: &MotionMetrics) -> Verdict {
        let mut reasons = Vec::new();
        let n_missed = rows.iter().filter(|row| row.placement.is_none() && !row.is_beyond_motion).count();
        if n_missed > 0 {
            reasons.push((Grade::Poor, format!("{n_missed} footprints have no stance")));
        }
        let placement = rows.iter().filter_map(|row| Some((row.index, row.placement?)));
        let worst = placement.max_by(|(_, a), (_, b)| a.middle_60.total_cmp(&b.middle_60));
        if let Some((index, placement)) = worst {
            let text = format!(
                "footprints[{index}] is missed by {:.1} mm over the middle 60 % of its stance",
                1000.0 * placement.middle_60
            );
            reasons.push((PLACEMENT.grade(placement.middle_60), text));
        }
        reasons.extend(times(rows));
        if let Some(deepest) = &metrics.penetration {
            let text = format!(
                "the {} {} is {:.1} mm in the ground in frame {}",
                deepest.place.0.name(),
                deepest.place.1.name(),
                1000.0 * deepest.value,
                deepest.frame
            );
            reasons.push((PENETRATION.grade(deepest.value), text));
        }
        if let Some(fall) = &metrics.fall {
            let text = format!("the pelvis falls at {:.2} g on a planted foot in frame {}", fall.value, fall.frame);
            reasons.push((FALL.grade(fall.value), text));
        }
        if let Some(knees) = metrics.knee_acceleration_p99 {
            let text = format!("knees accelerate by {:.0} deg/s2 (99th percentile)", knees.to_degrees());
            reasons.push((knee_limits(rows, metrics.leg).grade(knees), text));
        }
        if let Some(shins) = &metrics.shins_apart {
            let text = format!("shins pass {:.1} cm from each other in frame {}", 100.0 * shins.value, shins.frame);
            reasons.push((SHINS.grade(-shins.value), text));
        }
        if let Some(place) = metrics.off_terrain {
            reasons.push((Grade::Check, place.to_string()));
        }
        let headings = rows.iter().filter_map(|row| Some((row.index, row.heading.difference()?.abs())));
        if let Some((index, error)) = headings.max_by(|(_, a), (_, b)| a.total_cmp(b)) {
            let text = format!("footprints[{index}] points {:.0} degrees beside its heading", error.to_degrees());
            reasons.push((HEADING.grade(error), text));
        }
        reasons.push(outside(rows));
        if let Some(row) = rows.iter().max_by(|a, b| a.outside.total_cmp(&b.outside)) {
            let text = format!("footprints[{}] is {:.0} cm outside the recorded steps", row.index, 100.0 * row.outside);
            reasons.push((FAR_OUTSIDE.grade(row.outside), text));
        }
        if let Some(row) = rows.iter().max_by(|a, b| a.height_outside.total_cmp(&b.height_outside)) {
            let off = 100.0 * row.height_outside;
            let text = format!("footprints[{}] is {off:.0} cm above or below any recorded step like it", row.index);
            reasons.push((HEIGHT_OUTSIDE.grade(row.height_outside), text));
        }
        Verdict::of(reasons)
    }
}

/// The time that is missed by most.
fn times(rows: &[FootprintRow]) -> Option<(Grade, String)> {
    let each = rows.iter().flat_map(|row| {
        let times = [
            ("lands", row.landing(), ["late", "early"]),
            ("is left", row.leaving(), ["late", "early"]),
            ("has a swing", row.swing, ["too long", "too short"]),
            ("has a support", row.support, ["too long", "too short"]),
        ];
        times.into_iter().filter_map(|(what, time, ends)| Some((row.index, what, time.difference()?, ends)))
    });
    let (index, what, error, ends) = each.max_by(|(_, _, a, _), (_, _, b, _)| a.abs().total_cmp(&b.abs()))?;
    let end = ends[usize::from(error < 0.0)];
    Some((TIMES.grade(error.abs()), format!("footprints[{index}] {what} {:.2} s {end}", error.abs())))
}

/// What knees of these legs may do in these steps.
fn knee_limits(rows: &[FootprintRow], leg: f64) -> Limits {
    let is_run = rows.iter().any(|row| row.behaviour == Some(Behaviour::Run));
    let size = if leg > 0.0 { (ADULT_LEG / leg).max(1.0) } else { 1.0 };
    KNEES.times(size * if is_run { RUNNING_KNEES } else { 1.0 })
}

/// Steps that no recording spans.
fn outside(rows: &[FootprintRow]) -> (Grade, String) {
    let of = |origin: StepOrigin| rows.iter().filter(|row| row.origin == origin).count();
    let extrapolated = of(StepOrigin::Extrapolated) + of(StepOrigin::HeightExtrapolated);
    let corrected = of(StepOrigin::IkCorrected);
    let n_steps = rows.iter().filter(|row| row.origin != StepOrigin::Standing).count().max(1);
    let share = (extrapolated + corrected) as f64 / n_steps as f64;
    let text = format!(
        "{extrapolated} of {n_steps} steps were extrapolated and {corrected} IK-corrected: the recorded steps do not span them"
    );
    (OUTSIDE.grade(share), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_reason_gives_the_grade_and_comes_first() {
        let good = Verdict::of(vec![(Grade::Good, "fine".into())]);
        assert_eq!((good.grade, good.reasons.len()), (Grade::Good, 0));
        let mixed = Verdict::of(vec![(Grade::Check, "so so".into()), (Grade::Poor, "bad".into())]);
        assert_eq!((mixed.grade, mixed.reasons), (Grade::Poor, vec!["bad".to_string(), "so so".to_string()]));
    }

    #[test]
    fn what_is_no_number_is_poor() {
        assert_eq!(PLACEMENT.grade(f64::NAN), Grade::Poor);
        assert_eq!(PLACEMENT.grade(0.0005), Grade::Good);
        assert_eq!(PLACEMENT.grade(0.005), Grade::Check);
    }
}
