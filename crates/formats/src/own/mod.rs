//! Files of our own: foot plans, contacts, paths, terrains, scenes and keys of displacements (JSON), body maps, gates, styles of
//! gait and recipes (TOML), and step databases, motion graphs and takes (binary, see `sealed`).
//!
//! ```text
//! bytes --text--> str --json or toml--> tree of values, each with its line --fields--> checked shape --> library type
//! ```
//!
//! Each file names its kind and version in its first field. Unknown fields are errors, so that a misspelt option is never
//! silently dropped. Every error names the line and the field (`footprints[3].position[1]`) and gives what would be right.
//! The stored shapes are private to this module; library types know nothing of them.

mod behaviours_file;
mod body;
mod body_names;
mod body_order;
mod contacts;
mod edit_clips;
mod edit_keys;
mod edit_tools;
mod edit_words;
mod events;
mod fields;
mod flights_shape;
mod gate;
mod graph_dot;
mod graph_file;
mod graph_shape;
#[cfg(test)]
mod hostile_files_tests;
mod json;
mod keys;
mod path;
mod plan;
mod recipe;
mod recipe_paths;
mod scene;
mod sealed;
mod step_labels;
mod steps_file;
mod steps_shape;
mod stored_body;
#[cfg(test)]
mod stored_scalars;
mod stored_tracks;
mod stream;
mod stream_shape;
mod styles;
mod terrain;
mod text;
mod toml_tree;
mod tree;
mod walk_report;
mod write_body;

pub use behaviours_file::{read_behaviours, write_behaviours};
pub use body::read_body;
pub(crate) use contacts::VERSION as CONTACTS_VERSION;
pub use contacts::{ContactRanges, read_contacts, write_contacts};
pub use edit_words::{EditWords, OptionWords, WordsError};
pub use events::{FootEvent, Playback, foot_events, write_events};
pub use gate::read_gate;
pub use graph_dot::write_graph_dot;
pub use graph_file::{read_graph, write_graph};
pub use keys::{read_keys, write_keys};
pub use path::{read_path, write_path};
pub use plan::{plan_error_kind, read_plan, read_plan_to_repair, write_plan};
pub use recipe::{read_recipe, write_recipe};
pub use scene::{SceneDraft, draft_scene, read_scene, write_scene};
pub use step_labels::{read_step_labels, write_step_labels};
pub use steps_file::{read_steps, read_steps_and_flights, write_steps, write_steps_and_flights};
pub use stream::{TAKE_ENDING, is_take, read_take, write_take};
pub use styles::{presets, read_styles, write_styles};
pub use terrain::{read_terrain, write_terrain};
pub use walk_report::read_walk_report;
pub use write_body::{write_blank_body, write_body};
