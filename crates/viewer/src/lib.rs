//! The viewer of motion in a browser, and pages that play motion from disk.
//!
//! The viewer is plain ES modules and WebGL2 in `web/`, embedded here ([`MODULES`], [`STYLE`], [`PAGE`]). Takes become a [`Page`] of
//! [`Show`]s, and [`page_html`] packs the modules and the motion into one self-contained file.
//!
//! ```text
//! clip, contacts, plan, terrain, obstacles --pack_show--> JSON + bytes --page_html--> one HTML file
//! ```
//!
//! 1. `pack_motion` rounds joints, closed-loop, within a tenth of a millimetre; `pack_integers` makes few bytes of the steps.
//! 2. `pack_mesh` and `ground_mesh` make triangles of bodies, ground and obstacles; `series` what is plotted;
//!    `pack_character` takes a character's own mesh along.
//! 3. `page_html` deflates the bytes, escapes what strangers named, and fills in the page; [`pack_page`] leaves that to a server.
//!
//! While something is edited, [`live_frames`] replaces the frames that changed.
//!
//! The page computes no metric and no motion: it plays, draws and reads values back.

mod ground_mesh;
mod live_frames;
mod pack_character;
mod pack_integers;
mod pack_mesh;
mod pack_motion;
mod pack_show;
mod page_html;
mod series;
mod show;
mod web;

pub use live_frames::{live_frames, live_pose};
pub use page_html::{PackedPage, pack_page, page_html, plain_name};
pub use show::{Actor, Arrangement, Badge, ContactsFrom, Fact, Page, Show};
pub use web::{MAIN, MODULES, PAGE, STYLE, TRANSPORT};

/// Joints times frames of the longest motion that a page takes: four hours of thirty joints at 60 frames a second would not be
/// opened by any browser.
pub const MAX_JOINT_FRAMES: usize = 4_000_000;

/// Largest page, in bytes.
pub const MAX_PAGE_BYTES: usize = 100_000_000;

/// Why there is no page.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ViewerError {
    /// Nobody moves.
    #[error("nothing to show")]
    Empty,
    /// A motion without frames or joints.
    #[error("{0} has no frames to show")]
    NoMotion(String),
    /// A motion of too many frames.
    #[error("{name} has {frames} frames, and a page takes {most} of this skeleton; --slice takes a part")]
    TooLong {
        /// Of the actor.
        name: String,
        /// How many it has.
        frames: usize,
        /// How many it may have.
        most: usize,
    },
    /// A number of a motion is none.
    #[error("{name} has a number that is not finite in frame {frame}")]
    NotFinite {
        /// Of the actor.
        name: String,
        /// From 0.
        frame: usize,
    },
    /// Everything together is too large.
    #[error("the page would have {bytes} bytes, more than {MAX_PAGE_BYTES}; show fewer motions, or parts by --slice")]
    TooLarge {
        /// Of the page.
        bytes: usize,
    },
    /// The document could not be written.
    #[error("the page's document could not be written: {0}")]
    Document(String),
}
