//! What footskate cleanup may do, and over how many frames.

use super::calm_pops;
use super::mend_glitches::NEIGHBOURS;
use std::f64::consts::PI;

/// The paper's frame rate: its neighbourhoods are given in frames at this rate.
const PAPER_RATE: f64 = 30.0;

/// What footskate cleanup may do. Neighbourhoods are times, so that one setting serves every frame rate. Numbers outside of their
/// ranges count as the nearest end, and what is no number switches its option off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CleanOptions {
    /// L1: a plant's position is the mean over this time from its beginning on (and never past its end), in seconds. 0 or
    /// more; longer plants the foot nearer to its place on average, and delays the online form. Default 10/30.
    pub plant_average: f64,
    /// L2: rotations of a flat foot are blended off over this time while heel or ball alone is planted, in seconds. 0 or more;
    /// at 0 a foot jumps when its heel lifts. Default 7/30.
    pub ankle_blend: f64,
    /// L3: moves of the root are averaged over this time to both sides, in seconds. 0 or more; at 0 the pelvis pops when
    /// feet land and leave. Default 7/30.
    pub root_filter: f64,
    /// L4: whatever was changed is blended off over this time before and after, in seconds. 0 or more; at 0 legs jump when
    /// feet land and leave. Default 7/30.
    pub blend_off: f64,
    /// L5: moves of the root for legs that lack length begin and end over this time before and after a plant, in seconds. 0 or
    /// more; at 0 the pelvis pops when feet land and leave. Default 4/30.
    pub reach_blend: f64,
    /// Rho of equation 10: a knee straighter than this angle between thigh and shin is turned less, and not at all when
    /// straight, in radians. 0 to pi; pi switches the damping off, and knees pop. Default 2.8, the paper's.
    pub knee_damping_from: f64,
    /// What a foot does about its own long axis while heel and ball are planted. Default flat.
    pub foot_roll: FootRoll,
    /// What to do where a leg is too short. Default stretch.
    pub reach: Reach,
    /// Where plants are. Default averaged.
    pub plant_positions: PlantPositions,
    /// How much of its planted feet's moves the root takes over before it is moved for reach, 0 to 1. At 0, as in the paper, it
    /// stays unless a leg is too short, and knees take up every millimetre that a foot is moved; at 1 the pelvis
    /// follows floors that differ from step to step. Default 0.5.
    pub root_follows: f64,
    /// Feet and toes deeper in the ground than this are taken to be beside it, and left alone, in metres. For ground that is
    /// only guessed (the pads of [`surefoot_contact::estimate_ground`]), in which a foot beside a step would be put upon it. Default
    /// infinite.
    pub max_lift: f64,
    /// Whether frames in which the recording itself jumps, and is back in the next, are mended. Default true.
    pub mend_glitches: bool,
    /// What to do where legs would pop and did not in the recording. Default calm.
    pub pops: Pops,
    /// A root that is faster than this jumped: the last good pose is held, in metres a second. Default 50, five times as
    /// fast as a sprinter.
    pub teleport_speed: f64,
}

impl Default for CleanOptions {
    fn default() -> CleanOptions {
        CleanOptions {
            plant_average: 10.0 / PAPER_RATE,
            ankle_blend: 7.0 / PAPER_RATE,
            root_filter: 7.0 / PAPER_RATE,
            blend_off: 7.0 / PAPER_RATE,
            reach_blend: 4.0 / PAPER_RATE,
            knee_damping_from: 2.8,
            foot_roll: FootRoll::Flat,
            reach: Reach::Stretch,
            plant_positions: PlantPositions::Averaged,
            root_follows: 0.5,
            max_lift: f64::INFINITY,
            mend_glitches: true,
            pops: Pops::Calm,
            teleport_speed: 50.0,
        }
    }
}

/// The roll of a foot whose heel and ball are both planted: the paper leaves the choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FootRoll {
    /// The sole lies on the ground, as the soles of people do.
    Flat,
    /// As near to the recorded orientation as heel and ball allow (equation 2).
    Keep,
}

/// What to do where a leg is too short for the place of its foot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Thigh and shin stretch a little, as in the paper.
    Stretch,
    /// Nothing stretches; the root takes up what knees can't, for rigs that can't stretch.
    Rigid,
}

/// What to do where legs would pop and did not in the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pops {
    /// Nothing; the stream is half a second less behind.
    Keep,
    /// Legs are solved again, and plants stay exact. A few pops are left, where nothing but a plant could give way.
    Calm,
    /// And where that does not help, plants give way by millimetres. No pops are left.
    Yield,
}

/// Where plants are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlantPositions {
    /// Where the recorded point is on the mean, brought to the ground.
    Averaged,
    /// Where the recorded point is on the mean, as much above the terrain as the y of its contact says: for ground that is known under
    /// the plants alone.
    AboveTerrain,
    /// Exactly at the places of the contacts.
    Given,
}

/// The neighbourhoods of [`CleanOptions`] in frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spans {
    /// Frames after a glitch that it is told by.
    pub mending: usize,
    /// L1.
    pub plant_average: usize,
    /// L2.
    pub ankle_blend: usize,
    /// L3.
    pub root_filter: usize,
    /// L4.
    pub blend_off: usize,
    /// L5.
    pub reach_blend: usize,
    /// Frames to both sides that what rigid legs lack is spread over.
    pub reach_spread: usize,
    /// Frames to both sides of which their root takes up at once what stands out; no more than the above.
    pub reach_quick: usize,
    /// Frames that the slope of a change is taken over; see `blend`.
    pub slope: usize,
    /// Half the widths of the rounds in which pops are calmed.
    pub calming: [usize; calm_pops::N_ROUNDS],
}

/// Time that slopes are taken over, in seconds: three frames at 120 Hz, so that a single noisy frame steers none.
const SLOPE_TIME: f64 = 0.025;

/// What rigid legs lack goes into the pelvis over this time to both sides, in seconds...
const REACH_SPREAD: f64 = 0.1;
/// ...and at once what stands out from its mean over this.
const REACH_QUICK: f64 = 0.034;

/// Longest neighbourhood in frames, so that no option makes buffers without bound.
const MAX_SPAN: f64 = 100_000.0;

impl Spans {
    /// The neighbourhoods at a frame rate. Times that are negative or no numbers count as 0.
    pub fn new(options: &CleanOptions, frame_rate: f64) -> Spans {
        let frames = |seconds: f64| (seconds * frame_rate).round().clamp(0.0, MAX_SPAN) as usize;
        Spans {
            mending: if options.mend_glitches { NEIGHBOURS } else { 0 },
            plant_average: frames(options.plant_average),
            ankle_blend: frames(options.ankle_blend),
            root_filter: frames(options.root_filter),
            blend_off: frames(options.blend_off),
            reach_blend: frames(options.reach_blend),
            reach_spread: if options.reach == Reach::Rigid { frames(REACH_SPREAD) } else { 0 },
            reach_quick: frames(REACH_QUICK),
            slope: frames(SLOPE_TIME).max(1),
            calming: std::array::from_fn(|round| match options.pops {
                Pops::Yield => frames(calm_pops::ROUNDS[round]).max(1),
                Pops::Calm if round < calm_pops::LOOSE_FROM => frames(calm_pops::ROUNDS[round]).max(1),
                Pops::Calm | Pops::Keep => 0,
            }),
        }
    }

    /// The part of L3 that the root's moves are averaged over.
    pub(super) fn root_mean(&self) -> usize {
        self.root_filter - self.knee_mean()
    }

    /// The part of L3 that the knees' turns are averaged over.
    pub(super) fn knee_mean(&self) -> usize {
        self.root_filter / 3
    }

    /// The part of L4 that changes are blended off over.
    pub(super) fn fade(&self) -> usize {
        self.blend_off - self.clearing()
    }

    /// The part of L4 that lifts out of the ground are smoothed over; even.
    pub(super) fn clearing(&self) -> usize {
        (self.blend_off + 4) / 8 * 2
    }

    /// How many frames a round of calming is behind: one to see a pop, and the envelope of what it sees.
    pub(super) fn calming_delay(half: usize) -> usize {
        if half == 0 { 0 } else { 2 * half + 1 }
    }

    /// How many frames the online form is behind.
    pub fn delay(&self) -> usize {
        let calming: usize = self.calming.into_iter().map(Spans::calming_delay).sum();
        let smoothing = self.root_filter + self.reach_spread + self.reach_blend + self.blend_off;
        self.mending + self.plant_average + self.ankle_blend + smoothing + calming
    }
}

impl CleanOptions {
    /// Rho within its range; pi, which damps nothing, if it is no number.
    pub(super) fn rho(&self) -> f64 {
        if self.knee_damping_from.is_nan() { PI } else { self.knee_damping_from.clamp(0.0, PI) }
    }

    /// The root's share within its range; 0 if it is no number.
    pub(super) fn root_share(&self) -> f64 {
        if self.root_follows.is_nan() { 0.0 } else { self.root_follows.clamp(0.0, 1.0) }
    }
}
