//! Every text and byte format of motion, and the only crate that reads or writes one.
//!
//! ```text
//! bytes --reader--> Document --import--> Clip, BodyMap and what was assumed --writer--> bytes
//!                   (file's unit,        (metres, Y up)
//!                    axes, names)
//! ```
//!
//! Readers report what a file has and refuse what is broken; [`import()`] decides what it means. Foreign axes, units and
//! names end here.

pub mod asf;
pub mod bvh;
mod content;
mod document;
mod error;
pub mod fbx;
pub mod gltf;
mod import;
mod open;
pub mod own;
mod plain_text;
mod quote;
mod write_atomic;
mod write_together;
mod written_name;

pub use content::Content;
pub use document::{AnimationChoice, Document, Format, StoredSole};
pub use error::{ErrorKind, ReadError, Warning};
pub use import::{
    Assumed, ContactsOrigin, DeclaredRate, Diagnostic, FirstFrames, FloorChoice, Import, ImportOptions, ImportedTake,
    Reason, UNITS, Unit, UpAxes, import, import_again,
};
pub use open::{OpenOptions, READABLE, open, open_bytes, read_bytes};
pub use write_atomic::{Overwrite, WriteError, WriteProblem, write_atomic};
pub use write_together::{Staged, check_writable, stage_atomic};
