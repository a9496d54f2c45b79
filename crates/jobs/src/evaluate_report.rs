//! What `evaluate` reports: distributions first, then every clip.

use crate::evaluate::{
    ClipEvaluation, CourseErrors, CourseMethod, Distribution, EvaluatedClip, EvaluatedCourse, EvaluatedMetric,
    Evaluation, MethodWalk, MotionQuality, Split, climbing_metrics, evaluated_metrics,
};
use crate::outputs::WrittenFile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use surefoot_plan::StepOrigin;
use surefoot_steps::{CandidateStatistics, Method, Region, RegionErrors, Variant};

/// What `evaluate` reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluateReport {
    /// Steps in the database, mirror images among them.
    pub database_steps: usize,
    /// Which steps were left out for the metrics: `actor unknown`, or `actor known` where no actor could be left out.
    pub judged: String,
    /// Metrics of the walks by Stride Space on the level, with their targets.
    pub metrics: Vec<EvaluatedMetricReport>,
    /// Joint errors of every method and ablation, with the actor known and unknown.
    pub methods: Vec<MethodReport>,
    /// The same metrics of the clips that go up and down, which count in nothing above; absent where there are none.
    #[serde(default)]
    pub climbing: Vec<EvaluatedMetricReport>,
    /// Runs, jumps, hops and stairs without the recordings of their actors; absent where there are none.
    #[serde(default)]
    pub courses: Vec<CourseErrorsReport>,
    /// Clips of these that are in no row, with the reason.
    #[serde(default)]
    pub courses_left_out: Vec<CourseLeftOut>,
    /// How many steps of the walks by Stride Space were made in which way, with the judged database.
    pub origins: BTreeMap<String, usize>,
    /// Which candidates were chosen with the actor known (STRIDE 7.4), here and in the paper.
    pub candidates: CandidatesReport,
    /// Every clip.
    pub clips: Vec<EvaluatedClipReport>,
    /// The picture.
    pub picture: Option<String>,
    /// All files that were written.
    pub files: Vec<WrittenFile>,
}

/// Values of clips or footprints.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DistributionReport {
    /// How many there are.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// Half of them are better.
    pub median: f64,
    /// Nine in ten are better.
    pub p90: f64,
    /// None is worse.
    pub worst: f64,
}

impl DistributionReport {
    fn new(spread: &Distribution, unit: f64) -> DistributionReport {
        let Distribution { n, mean, median, p90, worst } = *spread;
        DistributionReport { n, mean: unit * mean, median: unit * median, p90: unit * p90, worst: unit * worst }
    }
}

/// A metric with its target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluatedMetricReport {
    /// What is measured.
    pub name: String,
    /// Its unit; empty for a ratio.
    pub unit: String,
    /// Which steps the database had not seen: `actor known` (the clip's) or `actor unknown` (all of its actor's).
    pub split: String,
    /// What is counted: `clip` or `footprint`.
    pub per: String,
    /// Over all of them.
    pub spread: DistributionReport,
    /// The median of the recordings' own values; absent where they have none.
    pub recording: Option<f64>,
    /// What each should reach.
    pub target: Option<f64>,
    /// The percentage that does.
    pub met_percent: Option<f64>,
}

impl From<&EvaluatedMetric> for EvaluatedMetricReport {
    fn from(metric: &EvaluatedMetric) -> EvaluatedMetricReport {
        EvaluatedMetricReport {
            name: metric.name.to_string(),
            unit: metric.unit.to_string(),
            split: metric.split.name().to_string(),
            per: metric.per.to_string(),
            spread: DistributionReport::new(&metric.spread, 1.0),
            recording: metric.recording,
            target: metric.target,
            met_percent: metric.met.map(|share| 100.0 * share),
        }
    }
}

/// Joint errors of a method over the clips, in centimetres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MethodReport {
    /// `actor known` or `actor unknown`.
    pub split: String,
    /// Its name.
    pub method: String,
    /// Whether it is Stride Space with one part changed.
    pub is_ablation: bool,
    /// Over all joints, landing on landing.
    pub by_landing_cm: DistributionReport,
    /// Over all joints, in plain time.
    pub plain_time_cm: DistributionReport,
    /// Means by region, landing on landing.
    pub regions_by_landing_cm: BTreeMap<String, f64>,
    /// Means by region, in plain time.
    pub regions_plain_time_cm: BTreeMap<String, f64>,
    /// Mean error over that of the Gaussian process, landing on landing, over the clips that both walk.
    pub over_gaussian_process: Option<f64>,
    /// The same over that of Stride Space.
    pub over_stride_space: Option<f64>,
    /// What the chosen steps cost in choosing, a step on the mean.
    pub choice_cost: f64,
    /// What postures of successive chosen steps differ by where they meet, before they are joined; a mean.
    pub seam_cm: f64,
    /// 99th percentile of the knees' acceleration over the recording's, median of the clips.
    pub knee_acceleration_ratio: Option<f64>,
    /// Pelvis jerk below 6 Hz over the recording's, median of the clips.
    pub pelvis_jerk_ratio: Option<f64>,
}

impl MethodReport {
    /// `None` if it walked none.
    fn new(evaluation: &Evaluation, split: Split, variant: Variant) -> Option<MethodReport> {
        let errors = evaluation.errors(split, variant)?;
        let over = |other: Method| evaluation.error_ratio(split, variant, other.into());
        Some(MethodReport {
            split: split.name().to_string(),
            method: variant.name().to_string(),
            is_ablation: variant.is_ablation(),
            by_landing_cm: DistributionReport::new(&errors.by_landing, 100.0),
            plain_time_cm: DistributionReport::new(&errors.plain_time, 100.0),
            regions_by_landing_cm: regions_cm(&errors.regions_by_landing),
            regions_plain_time_cm: regions_cm(&errors.regions_plain_time),
            over_gaussian_process: over(Method::GaussianProcess),
            over_stride_space: over(Method::StrideSpace),
            choice_cost: errors.cost.total,
            seam_cm: 100.0 * errors.cost.posture,
            knee_acceleration_ratio: errors.knee_acceleration,
            pelvis_jerk_ratio: errors.pelvis_jerk,
        })
    }
}

/// Runs, jumps, hops or stairs by a method, in centimetres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CourseErrorsReport {
    /// `run`, `jump`, `hop` or `stair`.
    pub behaviour: String,
    /// `recordings blended`, `nearest recording` or `procedural`.
    pub method: String,
    /// Steps of this behaviour in the clips.
    pub steps: usize,
    /// Of these, made of recordings; gait made the others.
    pub of_recordings: usize,
    /// Over all joints, landing on landing, means of clips.
    pub by_landing_cm: DistributionReport,
    /// Means by region.
    pub regions_by_landing_cm: BTreeMap<String, f64>,
    /// Median over that of level walks by Stride Space; absent if none was walked.
    pub over_walking: Option<f64>,
}

/// A clip whose runs, jumps, hops and stairs are in no row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CourseLeftOut {
    /// The clip.
    pub clip: String,
    /// The method that did not make it.
    pub method: String,
    /// Why.
    pub reason: String,
}

impl CourseErrorsReport {
    fn new(errors: &CourseErrors, walking: Option<f64>) -> CourseErrorsReport {
        CourseErrorsReport {
            behaviour: errors.behaviour.name().to_string(),
            method: errors.method.name().to_string(),
            steps: errors.n_steps,
            of_recordings: errors.n_recorded,
            by_landing_cm: DistributionReport::new(&errors.spread, 100.0),
            regions_by_landing_cm: regions_cm(&errors.regions),
            over_walking: walking.map(|walking| errors.spread.median / walking),
        }
    }
}

fn regions_cm(errors: &[f64; Region::ALL.len()]) -> BTreeMap<String, f64> {
    Region::ALL.iter().zip(errors).map(|(region, error)| (region.name().to_string(), 100.0 * error)).collect()
}

/// Mean distance of joints, in centimetres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegionErrorsReport {
    /// By region of the body.
    #[serde(flatten)]
    pub by_region: BTreeMap<String, f64>,
    /// Over all joints.
    pub all: f64,
    /// Frames that were compared.
    pub frames: usize,
}

impl From<&RegionErrors> for RegionErrorsReport {
    fn from(errors: &RegionErrors) -> RegionErrorsReport {
        RegionErrorsReport {
            by_region: regions_cm(&errors.by_region),
            all: 100.0 * errors.all,
            frames: errors.n_frames,
        }
    }
}

/// Candidates here and in the paper.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CandidatesReport {
    /// In this evaluation.
    pub here: CandidatesRow,
    /// As STRIDE 7.4 has it, of 88 steps made with a database of 184; its weight loss is the largest, not the mean.
    pub paper: CandidatesRow,
}

/// What became of spanning neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CandidatesRow {
    /// Steps inside the hull.
    pub steps: usize,
    /// Their spanning neighbours.
    pub neighbours: usize,
    /// Other steps in a neighbour's region, on the mean.
    pub candidates_per_neighbour: f64,
    /// Neighbours with any.
    pub neighbours_with_candidates: usize,
    /// Replaced ones of those.
    pub replaced_of_those_percent: f64,
    /// Replaced ones of all neighbours.
    pub replaced_of_all_percent: f64,
    /// Weight before over weight after.
    pub weight_loss: f64,
}

/// What the paper has.
const PAPER: CandidatesRow = CandidatesRow {
    steps: 88,
    neighbours: 352,
    candidates_per_neighbour: 7.39,
    neighbours_with_candidates: 144,
    replaced_of_those_percent: 36.1,
    replaced_of_all_percent: 14.7,
    weight_loss: 10.0,
};

impl From<&CandidateStatistics> for CandidatesRow {
    fn from(here: &CandidateStatistics) -> CandidatesRow {
        let ratio = |sum: f64, count: usize| if count == 0 { 0.0 } else { sum / count as f64 };
        CandidatesRow {
            steps: here.n_steps,
            neighbours: here.n_neighbours,
            candidates_per_neighbour: ratio(here.alternatives as f64, here.n_neighbours),
            neighbours_with_candidates: here.with_alternatives,
            replaced_of_those_percent: 100.0 * ratio(here.replaced as f64, here.with_alternatives),
            replaced_of_all_percent: 100.0 * ratio(here.replaced as f64, here.n_neighbours),
            weight_loss: ratio(here.weight_loss, here.replaced),
        }
    }
}

/// A motion by itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MotionQualityReport {
    /// 99th percentile of the knees' acceleration.
    pub knee_acceleration_p99_deg_s2: f64,
    /// Mean jerk of the pelvis below 6 Hz.
    pub pelvis_jerk_6hz_m_s3: f64,
    /// Largest turn of a joint from one frame to the next.
    pub turn_speed_max_deg_s: f64,
    /// Frames in which any heel, ball or toe tip is more than 5 mm in the ground.
    pub in_ground_percent: f64,
    /// The same of the point that is most often in the ground.
    pub in_ground_worst_point_percent: f64,
    /// The deepest point.
    pub deepest_mm: f64,
    /// Least distance of the midlines of both feet.
    pub feet_apart_cm: f64,
    /// Least distance of the midlines of both shins.
    pub shins_apart_cm: f64,
    /// The largest movement of a foot in one frame over those beside it; absent where no foot is fast.
    pub foot_jump: Option<f64>,
    /// Largest downward acceleration of the pelvis with a foot planted; absent of short clips.
    #[serde(default)]
    pub fall_g: Option<f64>,
    /// Largest change of the pelvis's horizontal velocity within 50 ms; absent of short clips.
    #[serde(default)]
    pub burst_m_s: Option<f64>,
}

impl From<&MotionQuality> for MotionQualityReport {
    fn from(motion: &MotionQuality) -> MotionQualityReport {
        MotionQualityReport {
            knee_acceleration_p99_deg_s2: motion.knee_acceleration.to_degrees(),
            pelvis_jerk_6hz_m_s3: motion.pelvis_jerk,
            turn_speed_max_deg_s: motion.turn_speed.to_degrees(),
            in_ground_percent: 100.0 * motion.penetration.share,
            in_ground_worst_point_percent: 100.0 * motion.penetration.worst_point_share,
            deepest_mm: 1000.0 * motion.penetration.deepest,
            feet_apart_cm: 100.0 * motion.feet_apart,
            shins_apart_cm: 100.0 * motion.shins_apart,
            foot_jump: motion.foot_jump,
            fall_g: motion.fall,
            burst_m_s: motion.burst,
        }
    }
}

/// A clip's plan walked by a method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WalkReport {
    /// `actor known` or `actor unknown`.
    pub split: String,
    /// How it was walked.
    pub method: String,
    /// Joints against the recording, landing on landing.
    pub by_landing_cm: RegionErrorsReport,
    /// Joints against the recording, in plain time.
    pub plain_time_cm: RegionErrorsReport,
    /// Largest distance of a ball from its footprint at mid stance.
    pub mid_stance_max_mm: Option<f64>,
    /// Largest distance of a ball from its footprint over the middle 60 % of a stance.
    pub middle_60_max_mm: Option<f64>,
    /// How much higher the pelvis is than in the recording.
    pub pelvis_bias_cm: Option<f64>,
    /// Knee acceleration over the recording's.
    pub knee_acceleration_ratio: Option<f64>,
    /// Pelvis jerk below 6 Hz over the recording's.
    pub pelvis_jerk_ratio: Option<f64>,
    /// Of the walk by itself.
    pub motion: MotionQualityReport,
}

impl WalkReport {
    fn new(split: Split, variant: Variant, walk: &MethodWalk, recording: &MotionQuality) -> WalkReport {
        let metrics = &walk.metrics;
        let largest = |errors: &[f64]| errors.iter().copied().reduce(f64::max).map(|error| 1000.0 * error);
        let ratio = |of: fn(&MotionQuality) -> f64| {
            let own = of(recording);
            (own > 0.0).then(|| of(&metrics.motion) / own)
        };
        WalkReport {
            split: split.name().to_string(),
            method: variant.name().to_string(),
            by_landing_cm: (&walk.by_landing).into(),
            plain_time_cm: (&walk.plain_time).into(),
            mid_stance_max_mm: largest(&metrics.mid_stance),
            middle_60_max_mm: largest(&metrics.middle_60),
            pelvis_bias_cm: metrics.pelvis_bias.map(|bias| 100.0 * bias),
            knee_acceleration_ratio: ratio(|motion| motion.knee_acceleration),
            pelvis_jerk_ratio: ratio(|motion| motion.pelvis_jerk),
            motion: (&metrics.motion).into(),
        }
    }
}

/// A plan that was not walked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotWalkedReport {
    /// `actor known` or `actor unknown`.
    pub split: String,
    /// By which method; absent where no method could.
    pub method: Option<String>,
    /// Why not.
    pub reason: String,
}

/// A clip, compared or left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluatedClipReport {
    /// Its name.
    pub clip: String,
    /// Frames per second that were taken instead of the declared ones, which the motion contradicts.
    #[serde(default)]
    pub corrected_rate: Option<f64>,
    /// Why it was left out, if it was; then the rest is empty.
    #[serde(default)]
    pub left_out: Option<String>,
    /// Whether it goes up or down.
    #[serde(default)]
    pub climbs: bool,
    /// In its plan.
    #[serde(default)]
    pub footprints: usize,
    /// The recording itself.
    #[serde(default)]
    pub recording: Option<MotionQualityReport>,
    /// Its walks, by split and method.
    #[serde(default)]
    pub walks: Vec<WalkReport>,
    /// What was not walked, and why.
    #[serde(default)]
    pub not_walked: Vec<NotWalkedReport>,
}

impl EvaluatedClipReport {
    /// Its walk with a split and method, by their names.
    pub fn walk(&self, split: &str, method: &str) -> Option<&WalkReport> {
        self.walks.iter().find(|walk| walk.split == split && walk.method == method)
    }
}

impl From<&EvaluatedClip> for EvaluatedClipReport {
    fn from(EvaluatedClip { name, corrected_rate, outcome }: &EvaluatedClip) -> EvaluatedClipReport {
        let clip = name.clone();
        match outcome {
            Err(reason) => EvaluatedClipReport {
                clip,
                corrected_rate: *corrected_rate,
                left_out: Some(reason.clone()),
                climbs: false,
                footprints: 0,
                recording: None,
                walks: Vec::new(),
                not_walked: Vec::new(),
            },
            Ok(compared) => EvaluatedClipReport { corrected_rate: *corrected_rate, ..compared_clip(clip, compared) },
        }
    }
}

fn compared_clip(clip: String, compared: &ClipEvaluation) -> EvaluatedClipReport {
    let (mut walks, mut not_walked) = (Vec::new(), Vec::new());
    for (split, walked) in
        [(Split::ActorKnown, Some(&compared.known)), (Split::ActorUnknown, compared.unknown.as_ref())]
    {
        let mut refuse = |variant: Option<Variant>, reason: &String| {
            let method = variant.map(|variant| variant.name().to_string());
            not_walked.push(NotWalkedReport { split: split.name().to_string(), method, reason: reason.clone() });
        };
        match walked {
            None => (),
            Some(Err(reason)) => refuse(None, reason),
            Some(Ok(walked)) => {
                for (variant, walk) in Variant::all().into_iter().zip(&walked.walks) {
                    match walk {
                        Ok(walk) => walks.push(WalkReport::new(split, variant, walk, &compared.recording)),
                        // There may be no such database: nobody refused the plan.
                        Err(_) if variant.takes_other_steps() => (),
                        Err(reason) => refuse(Some(variant), reason),
                    }
                }
            }
        }
    }
    EvaluatedClipReport {
        clip,
        corrected_rate: None,
        left_out: None,
        climbs: compared.climbs,
        footprints: compared.n_footprints,
        recording: Some((&compared.recording).into()),
        walks,
        not_walked,
    }
}

/// The first reason of each clip that a method did not make.
fn courses_left_out(evaluation: &Evaluation) -> Vec<CourseLeftOut> {
    let left_out = |course: &EvaluatedCourse| {
        let (method, reason) = CourseMethod::ALL
            .iter()
            .zip(&course.made)
            .find_map(|(method, made)| Some((method, made.as_ref().err()?)))?;
        Some(CourseLeftOut { clip: course.name.clone(), method: method.name().to_string(), reason: reason.clone() })
    };
    evaluation.courses.iter().filter_map(left_out).collect()
}

impl EvaluateReport {
    pub(crate) fn new(evaluation: &Evaluation, picture: Option<String>, files: Vec<WrittenFile>) -> EvaluateReport {
        let judged = evaluation.judged_split();
        let methods = Split::ALL.into_iter().flat_map(|split| {
            Variant::all().into_iter().filter_map(move |variant| MethodReport::new(evaluation, split, variant))
        });
        let walking = evaluation.errors(judged, Method::StrideSpace).map(|errors| errors.by_landing.median);
        let courses = evaluation.course_errors();
        EvaluateReport {
            database_steps: evaluation.n_database_steps,
            judged: judged.name().to_string(),
            metrics: evaluated_metrics(evaluation).iter().map(EvaluatedMetricReport::from).collect(),
            methods: methods.collect(),
            climbing: climbing_metrics(evaluation).iter().map(EvaluatedMetricReport::from).collect(),
            courses: courses.iter().map(|errors| CourseErrorsReport::new(errors, walking)).collect(),
            courses_left_out: courses_left_out(evaluation),
            origins: StepOrigin::RECORDED
                .iter()
                .zip(evaluation.made(judged))
                .map(|(origin, n)| (origin.name().to_string(), n))
                .collect(),
            candidates: CandidatesReport { here: (&evaluation.candidates(Split::ActorKnown)).into(), paper: PAPER },
            clips: evaluation.clips.iter().map(EvaluatedClipReport::from).collect(),
            picture,
            files,
        }
    }
}
