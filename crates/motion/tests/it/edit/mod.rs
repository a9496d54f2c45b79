//! Editing of clips: each edit keeps what it promises, on any skeleton.

mod align_rest;
mod made_up;
mod mirror;
mod place;
mod time;
