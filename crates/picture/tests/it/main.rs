//! Pictures as they are written.

mod pictures;
mod walker;
