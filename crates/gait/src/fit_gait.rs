//! A gait fitted to a recording: parameters, attributes and residual curves of one person (GAIT figure 4.23 as a tool, SIGNAL 5.4).
//!
//! The paper lays its run beside a recorded one by hand: speed, step length and level are set as recorded, then attributes until the
//! figures agree. Here the made and the recorded steps are measured alike ([`super::measure_steps`]) and what differs is corrected:
//!
//! 1. The steady steps of the recording are found and averaged, left and right alike.
//! 2. Parameters: speed and step length are the recording's, the level of a run is that of its flight (eqs. 4.7 and 4.8).
//! 3. Attributes: stride width and foot angle are the recording's. The others in [`ATTRIBUTE_ROUNDS`] rounds: a gait is made on the
//!    recording's own skeleton and measured, and each attribute is changed by as much as its own measure differs ([`Trait`]): what an
//!    attribute can say, it says, so that it goes on meaning something at other speeds and under the user's own settings.
//! 4. Residual curves, in [`CURVE_ROUNDS`] rounds: the rest is added to the people's mean curves, smooth over a stride, and the
//!    legs' only while they are in the air. The round that came nearest is taken.
//!
//! Limits: a person is taken to be symmetric. Recordings shorter than two steady steps cannot be fitted. The height of a running pelvis
//! follows from knees, overstride and bounciness, never from a curve, since flights are ballistic.

use super::equations::{DEFAULT_HEIGHT, flight_time};
use super::lay_steps::{LayOptions, lay_steps};
use super::measure_steps::{
    ContactTiming, MeasuredStep, N_MEASURED, StepCurves, mean_step, measure_steps, steady_steps,
};
use super::norms::{Channel as C, EVENT_PHASES, N_CHANNELS, N_SAMPLES, PARTNERS, swing_weight};
use super::person_curves::PersonCurves;
use super::{
    AttributeValue, Gait, GaitOptions, GaitSettings, GaitSynthesizer, Rig, RigError, RunParameters, RunTargets,
    StrideTargets, Strike, Style,
};
use std::f64::consts::TAU;
use std::sync::Arc;
use surefoot_contact::Take;
use surefoot_motion::Skeleton;
use surefoot_plan::synthesize_take;

/// Fewest steady steps that a gait is fitted to.
pub const FEWEST_STEPS: usize = 2;
const ATTRIBUTE_ROUNDS: usize = 6;
const CURVE_ROUNDS: usize = 6;
/// How much of a difference is corrected in a first round.
const SHARE: f64 = 0.8;
/// Waves of a residual over a stride; what is faster is noise of the recording.
const HARMONICS: usize = 7;
/// The same of the height of the pelvis, whose acceleration must stay small.
const UP_HARMONICS: usize = 6;
/// Lowest and highest residual of the pelvis, in hundredths of the leg.
const UP_RANGE: (f64, f64) = (-10.0, 3.0);
/// Steps of the made gaits; the first and last gain and lose speed.
const MADE_STEPS: usize = 24;
const MADE_RATE: f64 = 120.0;
/// Phases at which the standing foot is flat, of walks and runs.
const FLAT: [(f64, f64); 2] = [(0.35, 0.55), (0.1, 0.3)];
/// A foot that lands with its toes so far below where they are when it is flat, lands on them, in radians (6 degrees).
const TOES_FIRST: f64 = 0.1;
/// What a difference in height of a leg's length counts as, in radians.
const HEIGHT_WEIGHT: f64 = 3.5;
/// What the error of a part counts while others are being fitted.
const OTHERS_WEIGHT: f64 = 0.5;
/// How often all curves are gone through.
const PASSES: usize = 2;
/// What is corrected together: curves, attributes, and the parts that show whether it helps.
const GROUPS: [(&[C], &[&str], &[&str]); 4] = [
    (
        &[C::Yaw, C::List, C::Lean, C::Side, C::Twist],
        &["torso-tilt", "pelvis-rotation", "pelvis-list"],
        &["pelvis", "trunk"],
    ),
    (
        &[C::Up],
        &["knee-impact", "knee-stance", "knee-toe-off", "overstride", "bounciness", "strike"],
        &[PELVIS_HEIGHT, "thigh", "knee"],
    ),
    (
        &[C::StanceHip, C::StanceKnee, C::StancePitch, C::SwingHip, C::SwingKnee, C::SwingPitch],
        &["knee-swing", "hip-swing"],
        &["thigh", "knee", "foot"],
    ),
    (
        &[C::StanceArm, C::StanceElbow, C::StanceOut, C::SwingArm, C::SwingElbow, C::SwingOut],
        &["arm-swing", "arm-out", "elbow-min", "elbow-max"],
        &["upper arm", "elbow"],
    ),
];
/// Attributes that are as the recording's footprints are: no angle shows whether they help.
const PLACED: [&str; 2] = ["stride-width", "foot-angle"];
const PLACED_ROUNDS: usize = 2;
/// The part whose error is a length.
pub const PELVIS_HEIGHT: &str = "pelvis height";
/// Names of parts of the body in error tables, with their channels.
const PARTS: [(&str, &[C]); 8] = [
    (PELVIS_HEIGHT, &[C::Up]),
    ("thigh", &[C::StanceHip, C::SwingHip]),
    ("knee", &[C::StanceKnee, C::SwingKnee]),
    ("foot", &[C::StancePitch, C::SwingPitch]),
    ("pelvis", &[C::Yaw, C::List]),
    ("trunk", &[C::Lean, C::Side, C::Twist]),
    ("upper arm", &[C::StanceArm, C::SwingArm, C::StanceOut, C::SwingOut]),
    ("elbow", &[C::StanceElbow, C::SwingElbow]),
];

/// How far made steps are from recorded ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartError {
    /// Of the body: `thigh`, `knee` and so on.
    pub part: &'static str,
    /// Root mean square over a stride of the natural gait at the same speed, in radians; of `pelvis height` in legs.
    pub natural: f64,
    /// The same of the fitted gait.
    pub fitted: f64,
}

/// How the pelvis turns over a stride in the natural gait at the same speed, beside the recorded one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PelvisAgreement {
    /// Root mean square of the difference in list, in radians.
    pub list_rms: f64,
    /// How alike lists, and turns about the vertical, come and go: 1 for the same course, whatever its size.
    pub list_correlation: f64,
    /// See `list_correlation`.
    pub yaw_correlation: f64,
}

/// A gait that moves as the person in a recording does.
#[derive(Clone, Debug, PartialEq)]
pub struct GaitFit {
    /// With its residual curves; applies like any other style.
    pub style: Style,
    /// Steady steps that it was fitted to.
    pub n_steps: usize,
    /// Steps of the gait in the recording.
    pub n_found: usize,
    /// Cadence, in steps a second.
    pub cadence: f64,
    /// Double support of a walking step, or flight of a running one, in seconds.
    pub overlap: f64,
    /// What is left, part by part.
    pub errors: Vec<PartError>,
    /// Of the natural gait.
    pub pelvis: PelvisAgreement,
}

/// Why no gait can be fitted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FitError {
    /// The recording has no strides.
    #[error(
        "no gait can be fitted: {FEWEST_STEPS} steps of a walk or a run are needed, straight on at one speed, each from one foot's landing to \
         the other's; found {n_walking} walking and {n_running} running steps, of which {n_steady} are steady"
    )]
    NoStrides {
        /// Walking steps that were found.
        n_walking: usize,
        /// Running steps that were found.
        n_running: usize,
        /// The most that are alike.
        n_steady: usize,
    },
    /// The skeleton cannot be driven.
    #[error(transparent)]
    Rig(#[from] RigError),
    /// No gait can be made at the pace of the recording.
    #[error("no {gait} can be made at the recording's {speed:.2} m/s with steps of {length:.2} m: {why}")]
    Pace {
        /// Of the steps.
        gait: Gait,
        /// Of the recording, in m/s.
        speed: f64,
        /// Of its steps, in metres.
        length: f64,
        /// What is in the way.
        why: String,
    },
}

/// Fits the walk of a recording, its run, or both: whatever it has steady steps of.
pub fn fit_gaits(take: &Take, timing: ContactTiming, name: &str) -> Result<Vec<GaitFit>, FitError> {
    let steps = measure_steps(take, timing);
    let of = |gait: Gait| steps.iter().filter(|step| step.gait == gait).count();
    let steady = [Gait::Walk, Gait::Run].map(|gait| (gait, steady_steps(&steps, gait)));
    if steady.iter().all(|(_, steps)| steps.len() < FEWEST_STEPS) {
        let n_steady = steady.iter().map(|(_, steps)| steps.len()).max().unwrap_or(0);
        return Err(FitError::NoStrides { n_walking: of(Gait::Walk), n_running: of(Gait::Run), n_steady });
    }
    let rig = Rig::new(&take.clip.skeleton, &take.body, take.clip.poses())?;
    let figure = Figure { skeleton: take.clip.skeleton.clone(), rig: Arc::new(rig) };
    let enough = steady.iter().filter(|(_, steps)| steps.len() >= FEWEST_STEPS);
    enough.map(|(gait, steps)| figure.fit(*gait, steps, of(*gait), name)).collect()
}

/// A style and its steps.
struct Fitted {
    style: Style,
    made: MeasuredStep,
}

/// The body that gaits are made on.
struct Figure {
    skeleton: Arc<Skeleton>,
    rig: Arc<Rig>,
}

impl Figure {
    fn fit(&self, gait: Gait, steps: &[&MeasuredStep], n_found: usize, name: &str) -> Result<GaitFit, FitError> {
        let target = mean_step(steps).expect("some steps");
        let height = self.rig.proportions().height;
        let natural = Style {
            name: name.to_string(),
            what: format!("fitted to {} steps of {name}", steps.len()),
            height,
            targets: targets_of(&target),
            ..Style::natural(gait)
        };
        let natural = self.with_possible_pace(natural);
        let pace_error = |why: String| FitError::Pace { gait, speed: target.speed, length: target.length, why };
        let made = self.make(&natural).map_err(pace_error)?;
        let before = part_errors(&target, &made);
        let pelvis = PelvisAgreement {
            list_rms: root_mean_square(&difference(&target, &made, C::List)),
            list_correlation: correlation(&stride(&target.curves, C::List), &stride(&made.curves, C::List)),
            yaw_correlation: correlation(&stride(&target.curves, C::Yaw), &stride(&made.curves, C::Yaw)),
        };

        let mut best = Fitted { style: natural, made };
        // Ankles are less far apart than balls by as much as feet point outward, so that widths follow angles.
        for _ in 0..PLACED_ROUNDS {
            let style = corrected_attributes(&best, &target, &PLACED, height, 1.0);
            if let Ok(made) = self.make(&style) {
                best = Fitted { style, made };
            }
        }
        for (_, traits, parts) in GROUPS {
            self.improve(&mut best, &target, parts, ATTRIBUTE_ROUNDS, |best, share| {
                Some(corrected_attributes(best, &target, traits, height, share))
            });
        }
        let speed = target.speed * (DEFAULT_HEIGHT / height).sqrt();
        best.style.curves = Some(PersonCurves::mean(gait, speed));
        for _ in 0..PASSES {
            for (channels, _, parts) in GROUPS {
                self.improve(&mut best, &target, parts, CURVE_ROUNDS, |best, share| {
                    let curves = corrected_curves(best, &target, channels, share);
                    Some(Style { curves: Some(curves?), ..best.style.clone() })
                });
            }
        }
        let Fitted { style, made } = best;
        let after = part_errors(&target, &made);
        let errors =
            before.iter().zip(&after).map(|(&(part, natural), &(_, fitted))| PartError { part, natural, fitted });
        let overlap = if gait == Gait::Run { 1.0 - target.event } else { target.event } * target.duration;
        Ok(GaitFit {
            style,
            n_steps: steps.len(),
            n_found,
            cadence: 1.0 / target.duration,
            overlap,
            errors: errors.collect(),
            pelvis,
        })
    }

    /// Corrects a style round by round for as long as that brings its steps nearer; where a round does not, the next one corrects by half.
    fn improve(
        &self,
        best: &mut Fitted,
        target: &MeasuredStep,
        parts: &[&str],
        rounds: usize,
        corrected: impl Fn(&Fitted, f64) -> Option<Style>,
    ) {
        let error_of = |made: &MeasuredStep| total(&part_errors(target, made), parts);
        let (mut share, mut least) = (SHARE, error_of(&best.made));
        for _ in 0..rounds {
            let Some(style) = corrected(best, share) else { return };
            match self.make(&style).ok().map(|made| (error_of(&made), made)) {
                Some((error, made)) if error < least => {
                    *best = Fitted { style, made };
                    least = error;
                }
                _ => share *= 0.5,
            }
        }
    }

    /// A style whose step length is left out where no one takes such steps at its speed.
    fn with_possible_pace(&self, style: Style) -> Style {
        if style.check().is_ok() {
            return style;
        }
        let mut freer = style.clone();
        freer.targets.stride.step_length = None;
        if freer.check().is_ok() { freer } else { style }
    }

    /// The mean step of a gait at its full speed.
    fn make(&self, style: &Style) -> Result<MeasuredStep, String> {
        let proportions = self.rig.proportions();
        let height = proportions.height;
        let settings = style.settings(height).map_err(|error| error.to_string())?;
        let options = LayOptions { n_steps: Some(MADE_STEPS), ..LayOptions::default() };
        let plan = lay_steps(proportions, &settings, &options).map_err(|error| error.to_string())?;
        let options = GaitOptions { settings, frame_rate: MADE_RATE, standing: 0.1 };
        let synthesizer = GaitSynthesizer::new(self.skeleton.clone(), self.rig.clone(), &options);
        let made =
            synthesize_take(&synthesizer, &Default::default(), &plan, "fit").map_err(|error| error.to_string())?;
        let steps = measure_steps(&made.take, ContactTiming::Exact);
        let own: Vec<&MeasuredStep> = steps.iter().filter(|step| step.gait == style.gait).collect();
        let fastest = own.iter().map(|step| step.speed).fold(0.0, f64::max);
        let full: Vec<&MeasuredStep> = own.into_iter().filter(|step| step.speed > 0.97 * fastest).collect();
        let full = if full.len() > 3 { &full[1..full.len() - 1] } else { &full[..] };
        mean_step(full).ok_or_else(|| "no complete step came out".to_string())
    }
}

/// Speed and step length as recorded, and the level at which a run flies for so long.
fn targets_of(step: &MeasuredStep) -> RunTargets {
    let stride = StrideTargets { speed: Some(step.speed), step_length: Some(step.length), cadence: None };
    if step.gait == Gait::Walk {
        return RunTargets { stride, ..RunTargets::default() };
    }
    let (cadence, flight) = (1.0 / step.duration, (1.0 - step.event) * step.duration);
    let (least, most) = (flight_time(cadence, -1.0), flight_time(cadence, 1.0));
    let share = if most > least { ((flight - least) / (most - least)).clamp(0.0, 1.0) } else { 0.5 };
    let range = RunParameters::LEVELS;
    let level = range.min + share * (range.max - range.min);
    RunTargets { stride, flight_height: None, level: Some((100.0 * level).round() / 100.0) }
}

/// An attribute, and what of a step shows it.
struct Trait {
    name: &'static str,
    measure: fn(&MeasuredStep) -> f64,
    correction: Correction,
}

/// How an attribute follows its measure.
#[derive(Clone, Copy, PartialEq)]
enum Correction {
    /// It grows by the difference.
    Add,
    /// It grows in proportion.
    Scale,
}
use Correction::{Add, Scale};

/// Of both gaits.
const TRAITS: [Trait; 9] = [
    Trait { name: "torso-tilt", measure: |step| mean(&step.curves, C::Lean), correction: Add },
    Trait { name: "pelvis-rotation", measure: |step| amplitude(&step.curves, C::Yaw), correction: Add },
    Trait { name: "pelvis-list", measure: |step| amplitude(&step.curves, C::List), correction: Add },
    Trait { name: "arm-swing", measure: |step| spread(&step.curves, C::StanceArm), correction: Scale },
    Trait { name: "arm-out", measure: |step| mean(&step.curves, C::StanceOut), correction: Add },
    Trait { name: "elbow-min", measure: |step| extremes(&step.curves, C::StanceElbow).0, correction: Add },
    Trait { name: "elbow-max", measure: |step| extremes(&step.curves, C::StanceElbow).1, correction: Add },
    Trait { name: "foot-angle", measure: |step| step.foot_angle, correction: Add },
    Trait { name: "stride-width", measure: |step| step.width, correction: Add },
];
const WALK_TRAITS: [Trait; 3] = [
    Trait { name: "knee-impact", measure: |step| step.curves[C::StanceKnee as usize][0], correction: Add },
    Trait { name: "knee-stance", measure: |step| least_of(&step.curves, C::StanceKnee, (0.3, 0.9)), correction: Add },
    Trait { name: "bounciness", measure: |step| spread(&step.curves, C::Up), correction: Scale },
];
const RUN_TRAITS: [Trait; 6] = [
    Trait { name: "knee-impact", measure: |step| step.curves[C::StanceKnee as usize][0], correction: Add },
    Trait { name: "knee-toe-off", measure: |step| step.curves[C::StanceKnee as usize][TOE_OFF], correction: Add },
    Trait { name: "knee-swing", measure: |step| extremes(&step.curves, C::SwingKnee).1, correction: Add },
    Trait { name: "hip-swing", measure: |step| extremes(&step.curves, C::SwingHip).1, correction: Add },
    Trait { name: "overstride", measure: |step| step.overstride, correction: Add },
    Trait { name: "bounciness", measure: |step| spread(&step.curves, C::Up), correction: Scale },
];
/// Where the standing foot takes off in a measured run.
const TOE_OFF: usize = (EVENT_PHASES[1] * N_MEASURED as f64) as usize;

/// A channel over a stride: this step and the next, which is its mirror image.
fn stride(curves: &StepCurves, channel: C) -> Vec<f64> {
    let (partner, sign) = PARTNERS[channel as usize];
    let own = curves[channel as usize][..N_MEASURED].iter().copied();
    own.chain(curves[partner as usize][..N_MEASURED].iter().map(|value| f64::from(sign) * value)).collect()
}

fn mean(curves: &StepCurves, channel: C) -> f64 {
    stride(curves, channel).iter().sum::<f64>() / (2 * N_MEASURED) as f64
}

fn extremes(curves: &StepCurves, channel: C) -> (f64, f64) {
    let values = stride(curves, channel);
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)))
}

fn spread(curves: &StepCurves, channel: C) -> f64 {
    let (low, high) = extremes(curves, channel);
    high - low
}

fn amplitude(curves: &StepCurves, channel: C) -> f64 {
    0.5 * spread(curves, channel)
}

fn least_of(curves: &StepCurves, channel: C, (from, to): (f64, f64)) -> f64 {
    let at = |phase: f64| (phase * N_MEASURED as f64) as usize;
    curves[channel as usize][at(from)..at(to)].iter().fold(f64::INFINITY, |least, &value| least.min(value))
}

/// The style with every attribute changed by what its measure shows, within its range.
fn corrected_attributes(
    Fitted { style, made }: &Fitted,
    target: &MeasuredStep,
    traits: &[&str],
    height: f64,
    share: f64,
) -> Style {
    let Ok(settings) = style.settings(height) else { return style.clone() };
    let own: &[Trait] = if style.gait == Gait::Walk { &WALK_TRAITS } else { &RUN_TRAITS };
    let mut attributes = style.attributes.clone();
    let mut put = |name: &str, value: AttributeValue| {
        attributes.retain(|(set, _)| set != name);
        attributes.push((name.to_string(), value));
    };
    for info in style.gait.catalogue().into_iter().filter(|info| traits.contains(&info.name)) {
        let current = match style.gait {
            Gait::Walk => settings.walk.attributes.get(info.name),
            Gait::Run => settings.run.attributes.get(info.name),
        };
        if info.name == "strike" {
            put(info.name, AttributeValue::Strike(strike_of(target)));
            continue;
        }
        let (Some(found), Ok(AttributeValue::Number(current))) =
            (TRAITS.iter().chain(own).find(|found| found.name == info.name), current)
        else {
            continue;
        };
        let (wanted, is) = ((found.measure)(target), (found.measure)(made));
        let corrected = match found.correction {
            Add => current + share * info.unit.to_user(wanted - is),
            Scale if is > 1e-6 => current * (wanted / is).clamp(0.5, 2.0).powf(share),
            Scale => current,
        };
        let range = info.range_at(height);
        if corrected.is_finite() {
            put(info.name, AttributeValue::Number(corrected.clamp(range.min, range.max)));
        }
    }
    Style { attributes, ..style.clone() }
}

/// Which part of the foot lands first.
fn strike_of(step: &MeasuredStep) -> Strike {
    let pitch = &step.curves[C::StancePitch as usize];
    if pitch[0] < flat_pitch(step) - TOES_FIRST { Strike::Toe } else { Strike::Heel }
}

/// Pitch of the line from ankle to ball of a foot that is flat.
fn flat_pitch(step: &MeasuredStep) -> f64 {
    let (from, to) = FLAT[step.gait as usize];
    let at = |phase: f64| (phase * N_MEASURED as f64) as usize;
    let flat = &step.curves[C::StancePitch as usize][at(from)..at(to)];
    flat.iter().sum::<f64>() / flat.len() as f64
}

/// What a channel should be more than it is, over a stride.
fn difference(target: &MeasuredStep, made: &MeasuredStep, channel: C) -> Vec<f64> {
    let offset = match channel {
        C::StancePitch | C::SwingPitch => flat_pitch(target) - flat_pitch(made),
        _ => 0.0,
    };
    let (wanted, is) = (stride(&target.curves, channel), stride(&made.curves, channel));
    let mut more: Vec<f64> = wanted.iter().zip(&is).map(|(wanted, is)| wanted - is - offset).collect();
    if PARTNERS[channel as usize].1 < 0.0 {
        // A constant turn of the body is none of the gait.
        let mean = more.iter().sum::<f64>() / more.len() as f64;
        more.iter_mut().for_each(|value| *value -= mean);
    }
    more
}

/// How much higher a walking pelvis should be over a stride, in legs, so that the standing knee is flexed as recorded. As the other foot lands,
/// the knee in front decides.
fn higher(target: &MeasuredStep, made: &MeasuredStep) -> Vec<f64> {
    let (thigh, shin) = made.leg;
    let reach = |knee: f64| (thigh * thigh + shin * shin + 2.0 * thigh * shin * knee.cos()).sqrt() / (thigh + shin);
    let knee = C::StanceKnee as usize;
    let more =
        |n: usize| (reach(target.curves[knee][n]) - reach(made.curves[knee][n])) / made.upright[n].max(LEAST_UPRIGHT);
    let one = (0..N_MEASURED).map(|n| {
        let late = ((n as f64 / N_MEASURED as f64 - LATE.0) / (LATE.1 - LATE.0)).clamp(0.0, 1.0);
        more(n) * (1.0 - late) + more(0) * late
    });
    let one: Vec<f64> = one.collect();
    [&one[..], &one[..]].concat()
}

/// Phases between which the next landing takes over the height of a walking pelvis.
const LATE: (f64, f64) = (0.7, 0.9);
/// Legs that lean further are taken as if they leaned so, as a cosine.
const LEAST_UPRIGHT: f64 = 0.5;

/// The curves with what differs added, smooth; of legs only while they swing.
fn corrected_curves(
    Fitted { style, made }: &Fitted,
    target: &MeasuredStep,
    channels: &[C],
    share: f64,
) -> Option<PersonCurves> {
    let (curves, gait) = (style.curves?, style.gait);
    let mut values = curves.values();
    for (index, channel) in C::ALL.into_iter().enumerate() {
        let is_up = channel == C::Up;
        if !channels.contains(&channel) || (is_up && gait == Gait::Run) {
            continue;
        }
        let mut more = if is_up { higher(target, made) } else { difference(target, made, channel) };
        for (n, more) in more.iter_mut().enumerate().take(N_MEASURED) {
            *more *= swing_weight(gait, channel, n as f64 / N_MEASURED as f64, made.event);
        }
        let partner = PARTNERS[index].0;
        for (n, more) in more.iter_mut().skip(N_MEASURED).enumerate() {
            *more *= swing_weight(gait, partner, n as f64 / N_MEASURED as f64, made.event);
        }
        let smooth = low_pass(&more, if is_up { UP_HARMONICS } else { HARMONICS });
        for (n, value) in values[index].iter_mut().enumerate() {
            let more = smooth[n * N_MEASURED / N_SAMPLES];
            *value += share * if is_up { 100.0 * more } else { more.to_degrees() };
            if is_up {
                *value = value.clamp(UP_RANGE.0, UP_RANGE.1);
            }
        }
    }
    PersonCurves::new(curves.speed(), &values)
}

/// The waves of a cycle up to some number of them.
fn low_pass(cycle: &[f64], harmonics: usize) -> Vec<f64> {
    let n = cycle.len() as f64;
    let mut out = vec![cycle.iter().sum::<f64>() / n; cycle.len()];
    for harmonic in 1..=harmonics {
        let angle = |at: usize| TAU * (harmonic * at) as f64 / n;
        let (mut cos, mut sin) = (0.0, 0.0);
        for (at, value) in cycle.iter().enumerate() {
            cos += 2.0 / n * value * angle(at).cos();
            sin += 2.0 / n * value * angle(at).sin();
        }
        out.iter_mut().enumerate().for_each(|(at, out)| *out += cos * angle(at).cos() + sin * angle(at).sin());
    }
    out
}

/// Root mean square of each part's difference over a stride.
fn part_errors(target: &MeasuredStep, made: &MeasuredStep) -> Vec<(&'static str, f64)> {
    let of = |channels: &[C]| {
        let all: Vec<f64> = channels.iter().flat_map(|&channel| difference(target, made, channel)).collect();
        root_mean_square(&all)
    };
    PARTS.iter().map(|&(part, channels)| (part, of(channels))).collect()
}

fn root_mean_square(values: &[f64]) -> f64 {
    (values.iter().map(|value| value * value).sum::<f64>() / values.len() as f64).sqrt()
}

/// Of two cycles, whose means do not count; 0 if one of them is constant.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let centred = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter().map(|value| value - mean).collect::<Vec<f64>>()
    };
    let (a, b) = (centred(a), centred(b));
    let product = a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>() / a.len() as f64;
    let size = root_mean_square(&a) * root_mean_square(&b);
    if size > 0.0 { product / size } else { 0.0 }
}

/// One number for all parts, of which those that are being fitted count most.
fn total(errors: &[(&'static str, f64)], fitted: &[&str]) -> f64 {
    let weight = |part: &str| {
        let of_unit = if part == PELVIS_HEIGHT { HEIGHT_WEIGHT } else { 1.0 };
        of_unit * if fitted.contains(&part) { 1.0 } else { OTHERS_WEIGHT }
    };
    errors.iter().map(|&(part, error)| weight(part) * error).sum()
}

impl Style {
    /// All settings of a person of a height who moves so; the other gait is natural.
    pub fn settings(&self, height: f64) -> Result<GaitSettings, super::StyleError> {
        let mut settings = GaitSettings::natural(self.gait, height);
        match self.gait {
            Gait::Walk => {
                let (parameters, attributes) = self.apply_walk(StrideTargets::default(), height)?;
                (settings.walk.parameters, settings.walk.attributes) = (parameters, attributes);
            }
            Gait::Run => {
                let (parameters, overrides) = self.apply_run(RunTargets::default(), height)?;
                settings.run.parameters = parameters;
                settings.run.attributes = overrides.resolve(&parameters, height);
            }
        }
        settings.person[self.gait as usize] = self.curves;
        Ok(settings)
    }
}

const _: () = assert!(N_MEASURED.is_multiple_of(N_SAMPLES) && N_CHANNELS == C::ALL.len());
