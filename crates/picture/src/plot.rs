//! Plots as SVG: how contacts were found, what footskate cleanup changed, and the diagrams of gait.
//!
//! [`contacts_plot`] and [`cleanup_plot`] take plain numbers, one for each frame, and give a page of panels over one time
//! axis. The timeline of all four plants is on top; below it each part of each foot has a block of its own, with its plants
//! shaded, so that a question such as "why is this no plant?" is answered in one place.
//!
//! # Why not a plotting library
//!
//! plotters and kuva draw a chart; they have no timeline bars, no axis shared down a page, no axis that is fine near 0 (below),
//! and no thinning, without which a minute of motion is a file of many megabytes. With all that written by hand, what is left of
//! a library is lines and text, which `svg` has already. Text is left to the viewer's fonts and placed so that its width does
//! not matter: the same input gives the same bytes everywhere.
//!
//! # How a page comes about
//!
//! 1. `axes`: frames to pixels, values to pixels, and round numbers to mark both with. Heights and speeds use an axis that
//!    is linear near 0 and logarithmic far out, because a foot swings a hundred times higher and faster than it slips.
//! 2. `trace`: numbers to a path. Long clips keep the lowest and highest of each pixel column, so that no spike is lost.
//! 3. `page`: title, legend, timeline, blocks and panels, one below the other.
//!
//! [`hip_knee_plot`] and [`relations_plot`] show one number over another instead of over time; their pages are `chart`'s.
//! [`steps_plot`] shows the steps of a database in the plane and in space, [`graph_plot`] a motion graph as clips with the transitions
//! between them, [`followed_path_plot`] a walk along a path from above, [`trajectories_plot`] trajectories over the ground, [`means_plot`] and
//! [`bars_plot`] means of many runs with their errors. [`strips_plot`] shows every value of several metrics beside their targets.
//!
//! Numbers that are not finite leave gaps. Nothing here fails: a clip without frames is a page without traces.

mod axes;
mod chart;
mod cleanup;
mod contacts;
mod followed_path;
mod graph;
mod hip_knee;
mod measure_cleanup;
mod page;
mod relations;
mod steps;
mod strips;
mod studies;
mod trace;
mod trajectories;

pub use chart::{Chart, Curve, Dash};
pub use cleanup::{BeforeAfter, CleanedPart, CleanupPlot, cleanup_plot};
pub use contacts::{ContactTraces, ContactsPlot, Limit, Limits, contacts_plot};
pub use followed_path::{FollowedPathPlot, followed_path_plot};
pub use graph::graph_plot;
pub use hip_knee::{HipKneePanel, NamedCycle, hip_knee_page, hip_knee_plot};
pub use relations::relations_plot;
pub use steps::{SpacePlot, StepsPlot, steps_plot};
pub use strips::{Strip, StripsPanel, StripsPlot, strips_plot, strips_plot_svg};
pub use studies::{BarsPlot, MeanBar, MeanLevel, MeanPoint, MeanSeries, MeansPlot, bars_plot, means_plot};
pub use trajectories::{TrajectoriesPanel, trajectories_plot};

use surefoot_contact::FootPart;

/// One value for the heel of a foot and one for its ball.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PerPart<T> {
    /// Of the heel.
    pub heel: T,
    /// Of the ball.
    pub ball: T,
}

impl<T> PerPart<T> {
    /// The value of a part.
    pub fn of(&self, part: FootPart) -> &T {
        match part {
            FootPart::Heel => &self.heel,
            FootPart::Ball => &self.ball,
        }
    }

    /// One value for each part.
    pub fn from_fn(mut make: impl FnMut(FootPart) -> T) -> PerPart<T> {
        PerPart { heel: make(FootPart::Heel), ball: make(FootPart::Ball) }
    }
}

#[cfg(test)]
mod tests;
