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

/// All metrics, in the order in which they are printed; those without a value are left out.
pub fn evaluated_metrics(evaluation: &Evaluation) -> Vec<EvaluatedMetric> {
    let table = Table { evaluation, split: evaluation.judged_split() };
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
    ];
    placement.into_iter().chain(errors).chain([regression]).chain(motion).flatten().collect()
}

/// Where metrics come from.
#[derive(Clone, Copy)]
struct Table<'a> {
    evaluation: &'a Evaluation,
    split: Split,
}

impl<'a> Table<'a> {
    fn walks(self) -> impl Iterator<Item = (&'a ClipEvaluation, &'a MethodWalk)> {
        self.evaluation.walks(self.split, Method::StrideSpace)
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
