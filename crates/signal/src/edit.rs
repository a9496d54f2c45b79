//! Edits as values: what a command line, a recipe or a slider asks for, before it is known of which clip.
//!
//! Joints are words and other clips are paths; both are looked up when the edit is applied, for each clip again. So one
//! edit serves a hundred clips of different people. Nothing here reads a file: whoever applies an edit brings the clips
//! that it names.

use crate::amount::Amount;
use crate::bands::Edge;
use crate::concat::ConcatOptions;
use crate::displace::{EndTurn, KeyExtent, KeyFlow, MoveAxes, ReachGoal, TurnAxes};
use crate::equalize::BandChoice;
use crate::filters;
use crate::find_loop::LoopOptions;
use crate::find_warp::{FindWarpOptions, Finish};
use crate::presets::Preset;
use crate::reach_key::Limb;
use crate::shape::{Shape, ShapeOptions};
use crate::spline::Tcb;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use surefoot_geom::Vec3;

/// Groups and joints by name, as [`crate::Selection::parse`] takes them; `None` is every joint.
pub type JointWords = Option<Vec<String>>;

/// One edit of a clip.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Bands made larger or smaller.
    Equalize(EqualizeEdit),
    /// Mixed with other clips.
    Blend(BlendEdit),
    /// At the pace of another clip.
    Warp(WarpEdit),
    /// Values replaced by a function of themselves.
    Shape(ShapeEdit),
    /// Changed smoothly by a few keys.
    Displace(DisplaceEdit),
    /// Followed by other clips.
    Concat(ConcatEdit),
    /// One cycle of it, or several.
    Loop(LoopOptions),
    /// Cleaned.
    Filter(FilterEdit),
    /// With the style of another clip.
    Transfer(TransferEdit),
    /// Feet held where they are planted.
    KeepPlants(KeepPlantsEdit),
}

/// Gains for bands of frequencies (SIGNAL 5.1).
#[derive(Clone, Debug, PartialEq)]
pub struct EqualizeEdit {
    /// Which joints.
    pub joints: JointWords,
    /// How much of each band.
    pub gains: GainWords,
    /// What is taken for frames beyond the ends; `None` is what the preset wants, or reflection.
    pub edge: Option<Edge>,
    /// What is edited.
    pub signals: EqualizedSignals,
}

/// How gains are given.
#[derive(Clone, Debug, PartialEq)]
pub enum GainWords {
    /// For bands by number or frequency; the others stay.
    Bands(Vec<(BandChoice, f64)>),
    /// By name, and how much of it.
    Preset(Preset, f64),
}

/// What an equaliser edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EqualizedSignals {
    /// How joints are turned.
    Rotations,
    /// Where joints are: limbs squash and stretch (figure 5.3).
    Positions,
}

/// How frames of two clips are found to correspond (SIGNAL 5.2.2).
#[derive(Clone, Debug, PartialEq)]
pub struct RegisterEdit {
    /// By what.
    pub by: RegisterBy,
    /// How much joints count, later ones over earlier ones; all others 1.
    pub weigh: Vec<(String, f64)>,
    /// How many frames of one clip may pass with one of the other; `None` is the usual limit.
    pub max_slope: Option<usize>,
    /// How far the path found is smoothed, in seconds, instead of fitting the warp between frames.
    pub smoothing_seconds: Option<f64>,
}

impl Default for RegisterEdit {
    fn default() -> RegisterEdit {
        RegisterEdit { by: RegisterBy::Movement, weigh: Vec::new(), max_slope: None, smoothing_seconds: None }
    }
}

impl RegisterEdit {
    /// How a warp is found from the movement.
    pub fn find_warp_options(&self) -> FindWarpOptions {
        let mut options = match self.by {
            RegisterBy::Paper => FindWarpOptions::paper(),
            RegisterBy::Movement | RegisterBy::Contacts | RegisterBy::Frames => FindWarpOptions::default(),
        };
        options.correspond.max_slope = self.max_slope.or(options.correspond.max_slope);
        if let Some(seconds) = self.smoothing_seconds {
            options.finish = Finish::Smooth { seconds };
        }
        options
    }
}

/// By what frames of clips correspond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegisterBy {
    /// The movement of all joints: dynamic programming, then smoothed.
    Movement,
    /// The paper's own costs and path, frame by frame.
    Paper,
    /// Foot contacts, with the movement between them.
    Contacts,
    /// Not at all: frame by frame as they are.
    Frames,
}

/// Clips mixed (SIGNAL 5.2.1).
#[derive(Clone, Debug, PartialEq)]
pub struct BlendEdit {
    /// The other clips.
    pub with: Vec<PathBuf>,
    /// The share of each clip, the edited one first; of the others alone, it has the rest. None: all alike.
    pub weights: Vec<Amount>,
    /// Shares for some joints or bands.
    pub parts: Vec<PartWords>,
    /// Shares in the timing, in the same way. None: as in the movement.
    pub timing: Vec<Amount>,
    /// Which joints are mixed; the others stay the edited clip's. `None` is all, with the root trajectory.
    pub joints: JointWords,
    /// How frames correspond.
    pub register: RegisterEdit,
}

/// Shares for some joints or bands.
#[derive(Clone, Debug, PartialEq)]
pub struct PartWords {
    /// Which joints.
    pub joints: JointWords,
    /// Which bands; `None` is all.
    pub bands: Option<RangeInclusive<usize>>,
    /// As those of all.
    pub weights: Vec<Amount>,
}

/// The pace of another clip (SIGNAL 5.2.2, 5.6).
#[derive(Clone, Debug, PartialEq)]
pub struct WarpEdit {
    /// The clip whose pace is taken.
    pub to: PathBuf,
    /// How much of it: 0 is the clip's own pace, 1 the other's.
    pub amount: Amount,
    /// How frames correspond.
    pub register: RegisterEdit,
}

/// A shaping function, and limits of joints after it (SIGNAL 5.3).
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeEdit {
    /// Which joints.
    pub joints: JointWords,
    /// The function with its range, drive, mix and components.
    pub shape: Option<(Shape, ShapeOptions)>,
    /// Limits, as [`crate::JointLimit::parse`] takes them.
    pub limits: Vec<String>,
    /// Whether joints keep the limits that bodies have, under those named.
    pub body_limits: bool,
    /// From how far before a limit angles bend towards it, in radians.
    pub soft: f64,
}

/// Keys at a few frames (SIGNAL 5.4).
#[derive(Clone, Debug, PartialEq)]
pub struct DisplaceEdit {
    /// A file of keys, which come before the others.
    pub file: Option<PathBuf>,
    /// Keys.
    pub keys: Vec<KeyWords>,
    /// How long displacements fade; `None` is as the file says, or the usual time.
    pub fade: Option<FadeWords>,
    /// How they go from key to key; likewise.
    pub flow: Option<KeyFlow>,
}

/// Keys as a file has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeysFile {
    /// Keys.
    pub keys: Vec<KeyWords>,
    /// How long displacements fade.
    pub fade: Option<FadeWords>,
    /// How they go from key to key.
    pub flow: Option<KeyFlow>,
}

/// How long displacements fade.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FadeWords {
    /// To the first and the last frame, as in the paper.
    ToEnds,
    /// Seconds.
    Seconds(f64),
}

/// What shall be different at some moment; [`crate::DisplaceKey`] in words.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyWords {
    /// When.
    pub at: KeyTime,
    /// What.
    pub change: ChangeWords,
    /// Tension, continuity and bias.
    pub tcb: Option<Tcb>,
    /// How long the displacement takes to come and go.
    pub extent: Option<KeyExtent>,
}

/// When a key is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeyTime {
    /// A frame, counted from 0.
    Frame(usize),
    /// Seconds from the first frame; the nearest frame is taken.
    Seconds(f64),
}

/// What shall be different.
#[derive(Clone, Debug, PartialEq)]
pub enum ChangeWords {
    /// A joint is turned.
    Turn {
        /// By name.
        joint: String,
        /// Axis times angle, in radians.
        turn: Vec3,
        /// Whose axes.
        axes: TurnAxes,
    },
    /// A joint is moved.
    Move {
        /// By name.
        joint: String,
        /// In metres.
        by: Vec3,
        /// Whose axes.
        axes: MoveAxes,
    },
    /// A hand or foot is put somewhere.
    Reach {
        /// Which.
        limb: Limb,
        /// Where.
        goal: ReachGoal,
        /// What the hand or foot itself does.
        end: EndTurn,
    },
    /// The pose of another clip.
    Pose {
        /// The clip.
        clip: PathBuf,
        /// Its frame.
        frame: usize,
        /// Which joints.
        joints: JointWords,
    },
    /// Nothing is displaced here.
    Hold {
        /// Which joints.
        joints: JointWords,
    },
}

/// Clips one after another (SIGNAL 5.5).
#[derive(Clone, Debug, PartialEq)]
pub struct ConcatEdit {
    /// Those that follow.
    pub with: Vec<PathBuf>,
    /// The transition.
    pub options: ConcatOptions,
}

/// Cleaning filters.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterEdit {
    /// Which joints.
    pub joints: JointWords,
    /// Which filters.
    pub options: filters::CleanOptions,
}

/// The style in which two clips differ (SIGNAL 5.5).
#[derive(Clone, Debug, PartialEq)]
pub struct TransferEdit {
    /// The neutral clip.
    pub from: PathBuf,
    /// The styled clip of the same action.
    pub to: PathBuf,
    /// Which joints; `None` is all, with the root trajectory.
    pub joints: JointWords,
    /// How much of the difference in movement.
    pub amount: Amount,
    /// How much of the difference in pace.
    pub timing: Amount,
    /// How much of bands of the difference.
    pub bands: Vec<(BandChoice, f64)>,
    /// How frames of the clips correspond.
    pub by: TransferBy,
    /// How they do by movement.
    pub register: RegisterEdit,
}

/// How frames of three clips correspond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferBy {
    /// By strides if all three have them, else by movement.
    Either,
    /// By phase of the stride.
    Strides,
    /// By timewarps.
    Movement,
}

/// Footskate cleanup on the contacts that the motion had before it was edited.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeepPlantsEdit {
    /// What feet are planted on; `None` is the ground that the plants give.
    pub ground: Option<GroundWords>,
    /// Whether the pelvis is lowered where a leg is too short, instead of stretching the leg.
    pub rigid: bool,
}

/// The ground as a user names it.
#[derive(Clone, Debug, PartialEq)]
pub enum GroundWords {
    /// Level, at a height in metres.
    Flat(f64),
    /// A terrain file.
    File(PathBuf),
}

impl Edit {
    /// The word for its tool.
    pub fn tool(&self) -> &'static str {
        match self {
            Edit::Equalize(_) => "equalize",
            Edit::Blend(_) => "blend",
            Edit::Warp(_) => "warp",
            Edit::Shape(_) => "shape",
            Edit::Displace(_) => "displace",
            Edit::Concat(_) => "concat",
            Edit::Loop(_) => "loop",
            Edit::Filter(_) => "filter",
            Edit::Transfer(_) => "transfer",
            Edit::KeepPlants(_) => "keep-plants",
        }
    }

    /// The joints that it is for, where it is for some.
    pub fn joints(&self) -> &JointWords {
        match self {
            Edit::Equalize(edit) => &edit.joints,
            Edit::Shape(edit) => &edit.joints,
            Edit::Filter(edit) => &edit.joints,
            Edit::Transfer(edit) => &edit.joints,
            Edit::Blend(edit) => &edit.joints,
            Edit::Warp(_) | Edit::Displace(_) | Edit::Concat(_) | Edit::Loop(_) | Edit::KeepPlants(_) => &None,
        }
    }
}
