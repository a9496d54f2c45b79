//! Editing of clips: each edit keeps what it promises, on any skeleton.

mod align_rest;
pub(crate) mod made_up;
mod mirror;
mod place;
mod time;
