//! Body maps, persons and the editing of clips.

mod edit;
mod find_body;
mod hostile;
mod person;
