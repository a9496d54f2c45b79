//! How a plan is walked: by which method, with which weights and windows.

use super::{ChooseOptions, Selection};

/// By which method a plan is walked. All but the first are there to be compared with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Stride Space: positions and angles blended, blend candidates selected, feet exact.
    #[default]
    StrideSpace,
    /// The same with candidates selected region by region, as in STRIDE 5.1.
    Regions,
    /// The same with the spanning neighbours as they are.
    WithoutSelection,
    /// Angles of the spanning neighbours blended, feet wherever they come to be.
    Angles,
    /// The nearest recorded step, feet wherever they come to be.
    Nearest,
    /// The nearest recorded step, its feet pulled to their places by inverse kinematics.
    PinnedNearest,
    /// Rows by a Gaussian process over all steps with the same inputs; the rest as Stride Space.
    GaussianProcess,
}

impl Method {
    /// In the order in which they are printed.
    pub const ALL: [Method; 7] = [
        Method::StrideSpace,
        Method::Regions,
        Method::WithoutSelection,
        Method::Angles,
        Method::Nearest,
        Method::PinnedNearest,
        Method::GaussianProcess,
    ];

    /// A few words for it.
    pub fn name(self) -> &'static str {
        match self {
            Method::StrideSpace => "Stride Space",
            Method::Regions => "Stride Space, by regions",
            Method::WithoutSelection => "without candidate selection",
            Method::Angles => "angles blended alone",
            Method::Nearest => "nearest step",
            Method::PinnedNearest => "nearest step, feet pinned",
            Method::GaussianProcess => "Gaussian process",
        }
    }

    /// How it chooses steps.
    pub(super) fn choose(self, options: &ChooseOptions) -> ChooseOptions {
        let selection = match self {
            Method::StrideSpace | Method::GaussianProcess => options.selection,
            Method::Regions => Selection::Regions,
            Method::WithoutSelection | Method::Angles => Selection::Neighbours,
            Method::Nearest | Method::PinnedNearest => Selection::Nearest,
        };
        ChooseOptions { selection, ..*options }
    }

    /// Whether feet are brought to their places.
    pub(super) fn locks_feet(self) -> bool {
        !matches!(self, Method::Angles | Method::Nearest)
    }

    /// Whether the chosen steps are carried to what is asked for: headings, and what the database knows of all steps.
    pub(super) fn carries(self) -> bool {
        self == Method::StrideSpace
    }

    /// Whether the body follows its feet to places that the blend does not reach.
    pub(super) fn leads_body(self) -> bool {
        matches!(self, Method::StrideSpace | Method::Regions | Method::WithoutSelection | Method::GaussianProcess)
    }
}

/// Over how many footprints steps are chosen together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// All of a plan that is known to its end; as many as [`WalkOptions::horizon`] lets them be in live use.
    #[default]
    Plan,
    /// A plan that is known to its end is walked like one that comes footprint by footprint. To measure live use.
    Live,
    /// Each footprint by itself, as in STRIDE: neither the step before nor its person counts.
    Footprint,
}

/// Footprints that live use may look ahead at most: each of them delays frames by a step.
pub const MAX_HORIZON: usize = 2;

/// How a plan is walked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkOptions {
    /// Frames a second of the result, 1 to 1,000. Default 60.
    pub frame_rate: f64,
    /// Which steps are blended.
    pub choose: ChooseOptions,
    /// How much a wished heading counts beside the one that the blended steps have, 0 to 1. Default 0.8; 1 turns feet
    /// fully.
    pub heading_weight: f64,
    /// How much wished times count beside those that the blended steps have, 0 to 1. Default 1.
    pub time_weight: f64,
    /// Seconds on either side of a double support in which the pelvis is smoothed. Default 0.15.
    pub root_window: f64,
    /// Seconds on either side of a double support over which two steps are joined. Default 0.15.
    pub join_window: f64,
    /// How much of what is the chosen steps' own stays in a walk, 0 to 1, beside what their parameters and their person
    /// explain. Default 0.3; at 1 steps differ as recordings do.
    pub individuality: f64,
    /// How much of what is a person's own stays, 0 to 1, where no style is asked for; of a style all does. Default 0.3.
    pub personality: f64,
    /// How much of what is a person's own stays where a style is asked for, 0 to 1. Default 1.
    pub style_share: f64,
    /// Default [`Method::StrideSpace`].
    pub method: Method,
    /// Over how many footprints steps are chosen together. Default [`Search::Plan`].
    pub search: Search,
    /// Footprints that live use looks ahead, 0 to [`MAX_HORIZON`], before it chooses a step for good. Frames come as many
    /// steps later. Default 0.
    pub horizon: usize,
    /// Whether the blend is carried to the query by what the database knows of all steps (`step_model`). Default true; the
    /// paper does without.
    pub carries: bool,
    /// Whether trunk and arms are of one recorded step instead of the blend (`splice_upper`, STRIDE 7.2). Default false.
    pub splice_upper: bool,
    /// Whether the walk is filtered (STRIDE 5.7, 5.8): the upper body, the pelvis around double supports, and feet where the parts of
    /// a step meet. Default true.
    pub filters: bool,
    /// Whether legs are as long as in the blended steps, by the pelvis's height and by heels that rise. Default true; the
    /// paper does without.
    pub fits_legs: bool,
}

impl Default for WalkOptions {
    fn default() -> WalkOptions {
        WalkOptions {
            frame_rate: 60.0,
            choose: ChooseOptions::default(),
            heading_weight: 0.8,
            time_weight: 1.0,
            root_window: 0.15,
            join_window: 0.15,
            individuality: 0.3,
            personality: 0.3,
            style_share: 1.0,
            method: Method::StrideSpace,
            search: Search::Plan,
            horizon: 0,
            carries: true,
            splice_upper: false,
            filters: true,
            fits_legs: true,
        }
    }
}
