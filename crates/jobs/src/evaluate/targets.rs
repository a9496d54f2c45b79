//! What a good synthesizer should reach on recordings that it has not seen, and how far it is from that.
//!
//! Each metric is a distribution over clips or footprints of the walks by Stride Space, with a target where there is one. A
//! recording does not meet every target itself, so its own median is beside.

use super::{Better, ClipEvaluation, Distribution, Evaluation, MethodWalk, MotionQuality, Split, share_meeting};
use surefoot_steps::Method;

/// A metric of the walks by Stride Space, in the unit that it is printed in.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluatedMetric {
    /// In a few words.
    pub name: &'static str,
    /// Such as `cm`; empty for a ratio.
    pub unit: &'static str,
    /// What the database had not seen.
    pub split: Split,
    /// What is counted: `clip` or `footprint`.
    pub per: &'static str,
    /// Whether small or large values are good.
    pub better: Better,
    /// Over all of them.
    pub spread: Distribution,
    /// The median of the recordings' own values, where they have any.
    pub recording: Option<f64>,
    /// What each should reach.
    pub target: Option<f64>,
    /// The share that does.
    pub met: Option<f64>,
    /// Every value, in the order of the clips.
    pub values: Vec<f64>,
}

/// Ball from its footprint, in millimetres.
const BALL: f64 = 0.1;
/// Joints from the recording's, in centimetres, with other clips of the actor in the database and without.
const KNOWN: f64 = 3.7;
const UNKNOWN: f64 = 5.0;
/// Joint error over that of a Gaussian process with the same inputs.
const OVER_REGRESSION: f64 = 0.88;
/// Knee acceleration over the recording's.
const KNEES: f64 = 1.05;
/// Pelvis height against the recording, in centimetres.
const PELVIS: f64 = 0.5;
/// Frames with a foot point in the ground, in percent.
const IN_GROUND: f64 = 1.0;
/// Midlines of feet and shins, in centimetres: nearer, they go through each other.
const FEET: f64 = 4.0;
const SHINS: f64 = 5.0;
/// A foot's movement in one frame over those beside it.
const JUMP: f64 = 1.5;

/// Fastest that a pelvis falls with a foot planted, in g: from there on the ground would have to pull.
const FALL: f64 = 1.0;

/// All metrics of the walks on the level, in the order in which they are printed; those without a value are left out.
pub fn evaluated_metrics(evaluation: &Evaluation) -> Vec<EvaluatedMetric> {
    metrics_of(Table { evaluation, split: evaluation.judged_split(), climbs: false })
}

/// The same metrics of the clips that go up and down.
pub fn climbing_metrics(evaluation: &Evaluation) -> Vec<EvaluatedMetric> {
    metrics_of(Table { evaluation, split: evaluation.judged_split(), climbs: true })
}

fn metrics_of(table: Table<'_>) -> Vec<EvaluatedMetric> {
    let errors =
        [(Split::ActorKnown, KNOWN), (Split::ActorUnknown, UNKNOWN)].into_iter().flat_map(|(split, target)| {
            let table = Table { split, ..table };
            [
                table.per_clip("joint error, by landing", "cm", Some(target), |_, walk| {
                    Some(100.0 * walk.by_landing.all)
                }),
                table.per_clip("joint error, plain time", "cm", Some(target), |_, walk| {
                    Some(100.0 * walk.plain_time.all)
                }),
            ]
        });
    let regression = table.per_clip("joint error over Gaussian process", "", Some(OVER_REGRESSION), |clip, walk| {
        Some(walk.by_landing.all / clip.walk(table.split, Method::GaussianProcess)?.by_landing.all)
    });
    let placement = [
        table.per_footprint("ball from footprint, mid stance", |walk| &walk.metrics.mid_stance),
        table.per_footprint("ball from footprint, middle 60 %", |walk| &walk.metrics.middle_60),
    ];
    let motion = [
        table.over_recording("knee p99 acceleration over recording", Some(KNEES), |motion| motion.knee_acceleration),
        table.over_recording("pelvis jerk below 6 Hz over recording", None, |motion| motion.pelvis_jerk),
        table.per_clip("pelvis height against recording", "cm", Some(PELVIS), |_, walk| {
            Some(100.0 * walk.metrics.pelvis_bias?.abs())
        }),
        table.of_motion("frames with a foot point 5 mm in ground", "%", Better::Small, Some(IN_GROUND), |motion| {
            Some(100.0 * motion.penetration.share)
        }),
        table.of_motion("deepest foot point in ground", "mm", Better::Small, None, |motion| {
            Some(1000.0 * motion.penetration.deepest)
        }),
        table.of_motion("least distance of feet", "cm", Better::Large, Some(FEET), |motion| {
            Some(100.0 * motion.feet_apart)
        }),
        table.of_motion("least distance of shins", "cm", Better::Large, Some(SHINS), |motion| {
            Some(100.0 * motion.shins_apart)
        }),
        table
            .of_motion("foot movement over neighbour frames", "", Better::Small, Some(JUMP), |motion| motion.foot_jump),
        table.of_motion("fall of the pelvis on a planted foot", "g", Better::Small, Some(FALL), |motion| motion.fall),
        table.of_motion("speed change of the pelvis in 50 ms", "m/s", Better::Small, None, |motion| motion.burst),
    ];
    placement.into_iter().chain(errors).chain([regression]).chain(motion).flatten().collect()
}

/// Where metrics come from.
#[derive(Clone, Copy)]
struct Table<'a> {
    evaluation: &'a Evaluation,
    split: Split,
    /// Whether the clips are those that go up and down.
    climbs: bool,
}

impl<'a> Table<'a> {
    fn walks(self) -> impl Iterator<Item = (&'a ClipEvaluation, &'a MethodWalk)> {
        self.evaluation.walks_where(self.split, Method::StrideSpace.into(), self.climbs)
    }

    /// A metric of which small values are good.
    fn row(
        self,
        name: &'static str,
        unit: &'static str,
        values: Vec<f64>,
        target: Option<f64>,
    ) -> Option<EvaluatedMetric> {
        Some(EvaluatedMetric {
            name,
            unit,
            split: self.split,
            per: "clip",
            better: Better::Small,
            spread: Distribution::of(&values, Better::Small)?,
            recording: None,
            target,
            met: target.and_then(|target| share_meeting(&values, target, Better::Small)),
            values,
        })
    }

    fn per_clip(
        self,
        name: &'static str,
        unit: &'static str,
        target: Option<f64>,
        of: impl Fn(&ClipEvaluation, &MethodWalk) -> Option<f64>,
    ) -> Option<EvaluatedMetric> {
        let values = self.walks().map(|(clip, walk)| of(clip, walk).unwrap_or(f64::NAN)).collect();
        self.row(name, unit, values, target)
    }

    fn per_footprint(self, name: &'static str, of: impl Fn(&MethodWalk) -> &Vec<f64>) -> Option<EvaluatedMetric> {
        let values = self.walks().flat_map(|(_, walk)| of(walk).iter().map(|error| 1000.0 * error)).collect();
        Some(EvaluatedMetric { per: "footprint", ..self.row(name, "mm", values, Some(BALL))? })
    }

    fn over_recording(
        self,
        name: &'static str,
        target: Option<f64>,
        of: impl Fn(&MotionQuality) -> f64,
    ) -> Option<EvaluatedMetric> {
        self.per_clip(name, "", target, |clip, walk| {
            let own = of(&clip.recording);
            (own > 0.0).then(|| of(&walk.metrics.motion) / own)
        })
    }

    /// What walks and recordings both have.
    fn of_motion(
        self,
        name: &'static str,
        unit: &'static str,
        better: Better,
        target: Option<f64>,
        of: impl Fn(&MotionQuality) -> Option<f64>,
    ) -> Option<EvaluatedMetric> {
        let row = self.per_clip(name, unit, target, |_, walk| of(&walk.metrics.motion))?;
        let own: Vec<f64> = self.walks().filter_map(|(clip, _)| of(&clip.recording)).collect();
        Some(EvaluatedMetric {
            better,
            spread: Distribution::of(&row.values, better)?,
            met: target.and_then(|target| share_meeting(&row.values, target, better)),
            recording: Distribution::of(&own, better).map(|spread| spread.median),
            ..row
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::{EvaluatedClip, SplitEvaluation, WalkMetrics};
    use surefoot_steps::{CandidateStatistics, ChoiceCost, RegionErrors, Variant};

    /// A clip whose walks are off by some metres, and whose feet are as far apart.
    fn clip(error: f64) -> EvaluatedClip {
        let all = |all: f64| RegionErrors { by_region: [all; 5], all, n_frames: 10 };
        let motion = MotionQuality { feet_apart: error, knee_acceleration: 2.0, ..MotionQuality::default() };
        let walk = |error: f64| MethodWalk {
            by_landing: all(error),
            plain_time: all(2.0 * error),
            cost: ChoiceCost::default(),
            metrics: WalkMetrics {
                motion,
                mid_stance: vec![0.0, 0.001 * error],
                middle_60: vec![0.0; 2],
                pelvis_bias: Some(-error),
            },
        };
        let split = SplitEvaluation {
            walks: Variant::all()
                .map(|variant| Ok(walk(if variant == Method::StrideSpace.into() { error } else { 2.0 * error }))),
            made: [1, 0, 0, 0],
            candidates: CandidateStatistics::default(),
            walk: None,
        };
        let recording = MotionQuality { knee_acceleration: 1.0, feet_apart: 0.05, ..MotionQuality::default() };
        let outcome = ClipEvaluation {
            n_footprints: 2,
            climbs: false,
            recording,
            known: Ok(split),
            unknown: None,
            motions: None,
        };
        EvaluatedClip { name: format!("{error}"), corrected_rate: None, outcome: Ok(outcome) }
    }

    #[test]
    fn metrics_are_of_clips_or_footprints_in_their_units_and_count_who_meets_them() {
        let mut evaluation =
            Evaluation { clips: [0.01, 0.03, 0.06].map(clip).to_vec(), n_database_steps: 9, courses: Vec::new() };
        evaluation.clips.push(EvaluatedClip {
            name: "none".to_string(),
            corrected_rate: None,
            outcome: Err("no walk".to_string()),
        });
        assert_eq!(evaluation.judged_split(), Split::ActorKnown, "no actor was left out");
        let metrics = evaluated_metrics(&evaluation);
        let metric = |name: &str| metrics.iter().find(|metric| metric.name == name).expect("a metric");
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        let error = metric("joint error, by landing");
        assert_eq!((error.split, error.spread.n, error.met), (Split::ActorKnown, 3, Some(2.0 / 3.0)));
        close(error.spread.median, 3.0);
        close(metric("joint error, plain time").spread.worst, 12.0);
        close(metric("joint error over Gaussian process").spread.worst, 0.5);
        let placement = metric("ball from footprint, mid stance");
        assert_eq!((placement.per, placement.spread.n, placement.met), ("footprint", 6, Some(1.0)));
        close(metric("knee p99 acceleration over recording").spread.median, 2.0);
        close(metric("pelvis height against recording").spread.worst, 6.0);
        let feet = metric("least distance of feet");
        close(feet.spread.worst, 1.0);
        assert_eq!((feet.met, feet.recording), (Some(1.0 / 3.0), Some(5.0)));
        assert!(!metrics.iter().any(|metric| metric.name.starts_with("foot movement")), "no foot is fast");
    }
}
