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

    /// Whether the chosen steps are carried to the query by what the database knows of all steps.
    pub(super) fn carries(self) -> bool {
        self == Method::StrideSpace
    }

    /// Whether the body follows its feet to places that the blend does not reach.
    pub(super) fn leads_body(self) -> bool {
        matches!(self, Method::StrideSpace | Method::Regions | Method::WithoutSelection | Method::GaussianProcess)
    }
}

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
    /// Default [`Method::StrideSpace`].
    pub method: Method,
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
            method: Method::StrideSpace,
        }
    }
}
