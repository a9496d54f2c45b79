//! Editing of clips: each edit keeps what it promises, on any skeleton.

mod align_rest;
#[path = "../find_body/families.rs"]
mod families;
mod made_up;
mod mirror;
#[path = "../find_body/people.rs"]
#[allow(dead_code, reason = "the tests of find_body use all of it")]
mod people;
mod place;
mod time;
