//! Style transfer: what makes a styled clip differ from a neutral one of the same action, given to a third clip.
//!
//! Reference: SIGNAL 5.5 and chapter 6 name the project ("non-linear differences in timings [...] as well as distinct patterns
//! in the frequency domain"). How it is done here is ours.
//!
//! Idea: at corresponding frames the styled clip differs from the neutral one in its channels, band by band, in its pace, and in
//! how far it travels. The same differences are added to the third clip. Given the neutral clip itself, the result is the
//! styled one.
//!
//! StyleMatch:
//! - [`StyleMatch::Strides`], for walking and running: by stride phase from foot contacts (`stride_phase.rs`). Strides of each clip
//!   are averaged, so that the clips may be of any length and number of steps, and noise of a single step is no style.
//! - [`StyleMatch::Warps`], for any other action: by timewarps from the clip to the neutral one, and on to the styled one.
//!
//! Steps:
//! 1. for each frame of the clip, its time in the neutral and in the styled clip;
//! 2. the pace: while the neutral clip passes a frame, the styled one passes some others; time is stretched by that ratio;
//! 3. channels: `x + a (s - n)`, the difference weighted band by band where the caller asks for it;
//! 4. the root trajectory: steps likewise. The mean turning of strides is left out: that a styled walk was recorded along a
//!    curve is no style.
//!
//! Limits: joints that turn head over heels have channels about a mean of their own (`curves.rs`), whose difference means nothing;
//! they keep their movement and are reported.

use crate::amount::Amount;
use crate::bands::{BandSplitter, Edge, count_bands};
use crate::curves::{Curves, Reference};
use crate::root_trajectory::{RootStep, RootTrajectory};
use crate::selection::Selection;
use crate::stride_phase::StridePhase;
use crate::time_warp::TimeWarp;
use surefoot_motion::JointId;

/// How frames of the three clips correspond.
#[derive(Clone, Copy, Debug)]
pub enum StyleMatch<'a> {
    /// By phase of the stride.
    Strides {
        /// Of the clip.
        clip: &'a StridePhase,
        /// Of the neutral clip.
        neutral: &'a StridePhase,
        /// Of the styled clip.
        styled: &'a StridePhase,
    },
    /// By timewarps.
    Warps {
        /// From the clip to the neutral one.
        to_neutral: &'a TimeWarp,
        /// From the neutral clip to the styled one.
        to_styled: &'a TimeWarp,
    },
}

/// How much of the style is given.
#[derive(Clone, Debug, PartialEq)]
pub struct TransferOptions {
    /// Which channels; `None` is all, with the root trajectory.
    pub selection: Option<Selection>,
    /// How much of the difference in movement: 0 is nothing, 1 the style, more a caricature of it. Over seconds of the clip.
    pub amount: Amount,
    /// How much of the difference in pace.
    pub timing: Amount,
    /// How much of each band of the difference, 0 the fastest; bands beyond the list count fully. Default: all fully.
    pub bands: Vec<f64>,
}

impl Default for TransferOptions {
    fn default() -> TransferOptions {
        TransferOptions {
            selection: None,
            amount: Amount::constant(1.0),
            timing: Amount::constant(1.0),
            bands: Vec::new(),
        }
    }
}

/// A clip with the style of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Transferred {
    /// The movement.
    pub curves: Curves,
    /// For each frame of the result, its time in the clip, in frames.
    pub times: Vec<f64>,
    /// Joints that kept their movement, because they turn head over heels.
    pub kept: Vec<JointId>,
}

/// Why a style cannot be given.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TransferError {
    /// A clip without frames.
    #[error("the {clip} clip has no frames")]
    NoFrames {
        /// Which.
        clip: &'static str,
    },
    /// Curves that were not read together.
    #[error("the {clip} clip has other channels than the one to edit; read clips of one skeleton together")]
    Channels {
        /// Which.
        clip: &'static str,
    },
    /// Gains for bands that are not there, or no numbers.
    #[error("band {band} of {value}: a clip of {n_frames} frames has bands 0 to {}, with finite gains", n_bands.saturating_sub(1))]
    Band {
        /// Which.
        band: usize,
        /// Its gain.
        value: f64,
        /// How many there are.
        n_bands: usize,
        /// Frames of the clip.
        n_frames: usize,
    },
}

/// However different the paces are, time goes on at no less than this.
const LEAST_PACE: f64 = 0.1;
/// How many samples of a stride are averaged.
const N_PHASES: usize = 128;

/// Gives a clip the style in which `styled` differs from `neutral`. The three come from [`Curves::read_all`].
pub fn transfer(
    clip: &Curves,
    neutral: &Curves,
    styled: &Curves,
    correspondence: StyleMatch<'_>,
    options: &TransferOptions,
) -> Result<Transferred, TransferError> {
    check(clip, neutral, styled, options)?;
    let style = match correspondence {
        StyleMatch::Strides { clip: phase, neutral: of_neutral, styled: of_styled } => {
            stride_style(clip, phase, (neutral, of_neutral), (styled, of_styled))
        }
        StyleMatch::Warps { to_neutral, to_styled } => warped_style(clip, neutral, styled, to_neutral, to_styled),
    };
    let seconds = |frame: usize| frame as f64 / clip.frame_rate;
    let n_frames = clip.n_frames();
    let amounts: Vec<f64> = (0..n_frames).map(|frame| options.amount.at(seconds(frame))).collect();
    let mut edited = clip.clone();
    let mut splitter = BandSplitter::default();
    let kept: Vec<JointId> =
        clip.skeleton.ids().filter(|joint| matches!(clip.reference(*joint), Reference::Local(_))).collect();
    for (channel, track) in clip.tracks().iter().enumerate() {
        let is_chosen = options.selection.as_ref().is_none_or(|selection| selection.covers(*track));
        if !is_chosen || track.quantity.is_travel() || (track.quantity.is_angle() && kept.contains(&track.joint)) {
            continue;
        }
        let mut difference = style.channels[channel].clone();
        splitter.weigh(&mut difference, &options.bands, Edge::Reflected);
        for ((value, difference), amount) in edited.channel_mut(channel).iter_mut().zip(&difference).zip(&amounts) {
            *value += amount * difference;
        }
    }
    let trajectory = RootTrajectory::of(clip);
    let mut steps = trajectory.steps();
    if options.selection.as_ref().is_none_or(Selection::has_travel) {
        for (frame, step) in steps.iter_mut().enumerate() {
            let amount = (amounts[frame] + amounts[frame + 1]) / 2.0;
            step.turn += amount * style.steps[frame].turn;
            step.shift += amount * style.steps[frame].shift;
        }
        RootTrajectory::from_steps(trajectory.places[0], trajectory.headings[0], &steps).write(&mut edited);
    }
    let times = paced_times(&style.paces, |frame| options.timing.at(seconds(frame)));
    Ok(Transferred { curves: edited.sample(&times), times, kept })
}

fn check(clip: &Curves, neutral: &Curves, styled: &Curves, options: &TransferOptions) -> Result<(), TransferError> {
    for (name, curves) in [("edited", clip), ("neutral", neutral), ("styled", styled)] {
        if curves.n_frames() == 0 {
            return Err(TransferError::NoFrames { clip: name });
        }
        if curves.tracks() != clip.tracks() {
            return Err(TransferError::Channels { clip: name });
        }
    }
    let n_bands = count_bands(clip.n_frames());
    let wrong = options.bands.iter().enumerate().find(|(band, gain)| *band >= n_bands || !gain.is_finite());
    match wrong {
        Some((band, value)) => Err(TransferError::Band { band, value: *value, n_bands, n_frames: clip.n_frames() }),
        None => Ok(()),
    }
}

/// What a style adds, at the clip's own frames.
struct Style {
    /// For each channel, a number for each frame.
    channels: Vec<Vec<f64>>,
    /// From each frame to the next.
    steps: Vec<RootStep>,
    /// How long the styled clip takes for what the neutral one does in a frame, from each frame to the next.
    paces: Vec<f64>,
}

fn warped_style(
    clip: &Curves,
    neutral: &Curves,
    styled: &Curves,
    to_neutral: &TimeWarp,
    to_styled: &TimeWarp,
) -> Style {
    let of_neutral: Vec<f64> = (0..clip.n_frames()).map(|frame| to_neutral.b_at(frame as f64)).collect();
    let of_styled: Vec<f64> = of_neutral.iter().map(|time| to_styled.b_at(*time)).collect();
    let (n, s) = (neutral.sample(&of_neutral), styled.sample(&of_styled));
    let difference = |channel: usize| s.channel(channel).iter().zip(n.channel(channel)).map(|(s, n)| s - n).collect();
    let steps =
        RootTrajectory::of(&s).steps().iter().zip(RootTrajectory::of(&n).steps()).map(|(s, n)| less(*s, n)).collect();
    let pace = |frame: usize| {
        let (of_styled, of_neutral) =
            (of_styled[frame] - of_styled[frame - 1], of_neutral[frame] - of_neutral[frame - 1]);
        if of_neutral > 0.0 { of_styled / of_neutral } else { 1.0 }
    };
    Style {
        channels: (0..clip.tracks().len()).map(difference).collect(),
        steps,
        paces: (1..clip.n_frames()).map(pace).collect(),
    }
}

fn stride_style(
    clip: &Curves,
    phase: &StridePhase,
    (neutral, of_neutral): (&Curves, &StridePhase),
    (styled, of_styled): (&Curves, &StridePhase),
) -> Style {
    let (n, s) = (MeanStride::of(neutral, of_neutral), MeanStride::of(styled, of_styled));
    let phases: Vec<f64> = (0..clip.n_frames()).map(|frame| phase.at(frame as f64)).collect();
    let channel = |channel: usize| {
        phases.iter().map(|phase| s.channel_at(channel, *phase) - n.channel_at(channel, *phase)).collect()
    };
    let step = |frame: usize| {
        let (from, to) = (phases[frame - 1], phases[frame]);
        let at = |stride: &MeanStride| stride.step_over(from, to);
        less(at(&s), at(&n))
    };
    let pace = of_styled.stride_frames() / of_neutral.stride_frames() * neutral.frame_rate / styled.frame_rate;
    Style {
        channels: (0..clip.tracks().len()).map(channel).collect(),
        steps: (1..clip.n_frames()).map(step).collect(),
        paces: vec![pace; clip.n_frames() - 1],
    }
}

fn less(a: RootStep, b: RootStep) -> RootStep {
    RootStep { turn: a.turn - b.turn, shift: a.shift - b.shift }
}

/// The mean of a clip's strides.
struct MeanStride {
    /// For each channel, a number for each of [`MOMENTS`].
    channels: Vec<Vec<f64>>,
    /// From each sample to the next, around.
    steps: Vec<RootStep>,
}

impl MeanStride {
    fn of(curves: &Curves, phase: &StridePhase) -> MeanStride {
        let whole = phase.whole();
        let n_strides = (whole.end() - whole.start()).floor().max(1.0) as usize;
        // The last sample closes the last stride.
        let n_phases = n_strides * N_PHASES + 1;
        let first = whole.start();
        let times: Vec<f64> = (0..n_phases).map(|k| phase.frame_at(first + k as f64 / N_PHASES as f64)).collect();
        let sampled = curves.sample(&times);
        // Strides may begin at any phase; samples are counted from phase 0.
        let turn = (first.fract() * N_PHASES as f64).round() as usize;
        let channels =
            (0..curves.tracks().len()).map(|channel| mean_cycle(sampled.channel(channel), n_strides, turn)).collect();
        let steps = RootTrajectory::of(&sampled).steps();
        let mean_turn = steps.iter().map(|step| step.turn).sum::<f64>() / steps.len() as f64;
        let mean = |sample: usize| {
            let own = (0..n_strides).map(|stride| steps[stride * N_PHASES + sample]);
            let sum = own.fold(RootStep::default(), |sum, step| RootStep {
                turn: sum.turn + step.turn - mean_turn,
                shift: sum.shift + step.shift,
            });
            RootStep { turn: sum.turn / n_strides as f64, shift: sum.shift / n_strides as f64 }
        };
        let mut steps: Vec<RootStep> = (0..N_PHASES).map(mean).collect();
        steps.rotate_right(turn);
        MeanStride { channels, steps }
    }

    fn channel_at(&self, channel: usize, phase: f64) -> f64 {
        let place = (phase - phase.floor()) * N_PHASES as f64;
        let sample = (place.floor() as usize).min(N_PHASES - 1);
        let (a, b) = (self.channels[channel][sample], self.channels[channel][(sample + 1) % N_PHASES]);
        a + (b - a) * (place - sample as f64)
    }

    /// The step from one phase to another not far off.
    fn step_over(&self, from: f64, to: f64) -> RootStep {
        let middle = (from + to) / 2.0;
        let sample = (((middle - middle.floor()) * N_PHASES as f64).floor() as usize).min(N_PHASES - 1);
        let share = (to - from) * N_PHASES as f64;
        let step = self.steps[sample];
        RootStep { turn: step.turn * share, shift: step.shift * share }
    }
}

/// The mean of cycles of [`MOMENTS`] that follow each other, closed: what its end misses of its beginning is spread over it.
fn mean_cycle(channel: &[f64], n_cycles: usize, turn: usize) -> Vec<f64> {
    let missing = (channel[n_cycles * N_PHASES] - channel[0]) / n_cycles as f64;
    let mean = |sample: usize| {
        let sum: f64 = (0..n_cycles).map(|cycle| channel[cycle * N_PHASES + sample]).sum();
        sum / n_cycles as f64 - missing * (sample as f64 / N_PHASES as f64 - 0.5)
    };
    let mut cycle: Vec<f64> = (0..N_PHASES).map(mean).collect();
    cycle.rotate_right(turn);
    cycle
}

/// For each frame of the result, its time in the clip.
fn paced_times(paces: &[f64], amount: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut knots = vec![[0.0, 0.0]];
    for (frame, pace) in paces.iter().enumerate() {
        let pace = (1.0 + amount(frame) * (pace - 1.0)).max(LEAST_PACE);
        knots.push([(frame + 1) as f64, knots[frame][1] + pace]);
    }
    let end = knots[knots.len() - 1][1];
    let pace = TimeWarp::from_knots(knots).expect("time goes on");
    let n_frames = (end + 1e-6).floor() as usize + 1;
    (0..n_frames).map(|frame| pace.a_at(frame as f64)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{SyntheticWalk, WalkerOptions, synthetic_walk};

    fn walk(n_steps: usize, step_length: f64, cadence: f64) -> SyntheticWalk {
        synthetic_walk(&WalkerOptions { n_steps, step_length, cadence, ..WalkerOptions::default() })
    }

    #[test]
    fn the_neutral_clip_itself_becomes_the_styled_one() {
        let (neutral, styled) = (walk(8, 0.6, 1.6), walk(8, 0.75, 2.0));
        let clips = [&neutral.take.clip, &neutral.take.clip, &styled.take.clip];
        let curves = Curves::read_all(&clips);
        let n = curves[1].n_frames();
        let (own, to_styled) = (TimeWarp::linear(n, n), TimeWarp::linear(n, curves[2].n_frames()));
        let how = StyleMatch::Warps { to_neutral: &own, to_styled: &to_styled };
        let made = transfer(&curves[0], &curves[1], &curves[2], how, &TransferOptions::default()).unwrap();
        let (made, wanted) = (made.curves.to_clip("made"), styled.take.clip);
        assert_eq!(made.n_frames(), wanted.n_frames());
        let pairs = made.world().to_vec().into_iter().zip(wanted.world().to_vec());
        // Between frames both are read through cubics.
        for (frame, (a, b)) in pairs.enumerate() {
            for (a, b) in a.world().iter().zip(b.world()) {
                assert!(a.translation.distance(b.translation) < 0.01, "frame {frame}");
            }
        }
    }

    #[test]
    fn strides_give_their_length_and_pace_to_a_walk_of_another_length() {
        let (neutral, styled, clip) = (walk(8, 0.6, 1.6), walk(11, 0.72, 1.92), walk(15, 0.6, 1.6));
        let curves = Curves::read_all(&[&clip.take.clip, &neutral.take.clip, &styled.take.clip]);
        let phases =
            [&clip, &neutral, &styled].map(|walk| StridePhase::from_contacts(&walk.take.contacts).expect("a walk"));
        let how = StyleMatch::Strides { clip: &phases[0], neutral: &phases[1], styled: &phases[2] };
        let made = transfer(&curves[0], &curves[1], &curves[2], how, &TransferOptions::default()).unwrap();
        let lasted = made.curves.n_frames() as f64 / curves[0].n_frames() as f64;
        assert!((lasted * 1.2 - 1.0).abs() < 0.03, "{lasted}");
        let mean_speed = |curves: &Curves| {
            let trajectory = RootTrajectory::of(curves);
            let middle = trajectory.places.len() / 3..trajectory.places.len() * 2 / 3;
            let length = trajectory.places[middle.start].distance(trajectory.places[middle.end]);
            length / middle.len() as f64 * curves.frame_rate
        };
        let (speed, wanted) = (mean_speed(&made.curves), 0.72 * 1.92);
        assert!((speed / wanted - 1.0).abs() < 0.05, "{speed} {wanted}");
        let none = TransferOptions {
            amount: Amount::constant(0.0),
            timing: Amount::constant(0.0),
            ..TransferOptions::default()
        };
        let same = transfer(&curves[0], &curves[1], &curves[2], how, &none).unwrap();
        assert_eq!(same.curves.n_frames(), curves[0].n_frames());
        let (a, b) = (RootTrajectory::of(&same.curves), RootTrajectory::of(&curves[0]));
        assert!(a.places.iter().zip(&b.places).all(|(a, b)| a.distance(*b) < 1e-9));
    }

    #[test]
    fn wrong_bands_are_named() {
        let clip = walk(4, 0.6, 1.6);
        let curves = Curves::read(&clip.take.clip);
        let n = curves.n_frames();
        let own = TimeWarp::linear(n, n);
        let how = StyleMatch::Warps { to_neutral: &own, to_styled: &own };
        let options = TransferOptions { bands: vec![1.0; 30], ..TransferOptions::default() };
        let error = transfer(&curves, &curves, &curves, how, &options).unwrap_err().to_string();
        assert!(error.contains("has bands 0 to"), "{error}");
    }
}
