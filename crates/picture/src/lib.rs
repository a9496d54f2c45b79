//! Pictures of motion, drawn without a GPU: contact sheets, strobe pictures, animated GIFs, and the same as SVG.
//!
//! A [`Subject`] (a clip, with its body map and contacts where they are known) and [`RenderOptions`] go in, a picture comes
//! out: [`contact_sheet`], [`strobe`], [`animated_gif`], [`sheet_svg`], [`strobe_svg`]. The person is a body of tapered
//! capsules ([`surefoot_motion::figure`]) on a metre grid that is fixed in the world, the left side blue, the right orange.
//!
//! Figures over time are SVG plots: [`contacts_plot`] and [`cleanup_plot`]. So are diagrams of gait: [`hip_knee_plot`] and
//! [`relations_plot`]. A step database is shown by [`steps_plot`], a motion graph by [`matrix_png`] and [`graph_plot`], a walk along a
//! path by [`followed_path_plot`], trajectories over the ground by [`trajectories_plot`], means of many runs by [`means_plot`] and [`bars_plot`],
//! every value of several metrics by [`strips_plot`].
//!
//! A scene from above, with the path through it: [`top_view`] and [`top_view_svg`].
//!
//! # How a picture comes about
//!
//! 1. `plan_frames` chooses frames and finds out in which direction the body goes; `view` decides from that where the viewer stands.
//! 2. `scene` places capsules, ground marks and the pelvis's path in the world.
//! 3. `framing` finds the scale at which everything fits its panel.
//! 4. `ground` draws grid, marks and soft shadows; `raster` the capsules over it, z-buffered and antialiased; `lettering`
//!    the labels. `svg` writes the same scene as shapes instead.
//!
//! Same input, same options: the same bytes. Nothing here touches a file or a clock.

mod animation;
mod colour;
mod error;
mod framing;
mod ground;
mod image;
mod legend;
mod lettering;
mod matrix;
mod options;
mod paint_shapes;
mod palette;
mod plan_frames;
mod plot;
mod raster;
mod relief;
mod scene;
mod shadow;
mod shapes;
mod sheet;
mod strobe;
mod subject;
mod svg;
mod top_view;
mod view;

pub use animation::{animated_gif, animated_gif_with};
pub use error::PictureError;
pub use image::{Image, encode_png};
pub use matrix::{MatrixPicture, matrix_png};
pub use options::{FrameChoice, RenderOptions};
pub use plot::{
    BarsPlot, BeforeAfter, Chart, CleanedPart, CleanupPlot, ContactTraces, ContactsPlot, Curve, Dash, FollowedPathPlot,
    HipKneePanel, Limit, Limits, MeanBar, MeanLevel, MeanPoint, MeanSeries, MeansPlot, NamedCycle, PerPart, SpacePlot,
    StepsPlot, Strip, StripsPanel, StripsPlot, TrajectoriesPanel, bars_plot, cleanup_plot, contacts_plot,
    followed_path_plot, graph_plot, hip_knee_page, hip_knee_plot, means_plot, relations_plot, steps_plot, strips_plot,
    strips_plot_svg, trajectories_plot,
};
pub use relief::stones_under;
pub use sheet::contact_sheet;
pub use strobe::strobe;
pub use subject::Subject;
pub use svg::{sheet_svg, strobe_svg};
pub use top_view::{TopView, top_view, top_view_svg};
pub use view::View;
