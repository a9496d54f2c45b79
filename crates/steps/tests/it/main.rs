//! Plans walked with made and recorded steps.

mod step_walker_allocates_nothing;
mod steps_walk;
