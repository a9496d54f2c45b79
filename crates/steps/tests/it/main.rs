//! Plans walked with made and recorded steps.

mod choosing;
mod edges;
mod entry_filter;
mod filters;
mod heights;
mod legs;
mod step_walker_allocates_nothing;
mod stepper_edits;
mod steps_walk;
mod styles;
mod terrain;
