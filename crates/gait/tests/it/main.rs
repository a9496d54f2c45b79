//! Gaits live and planned, over their whole range.

mod gait_checks;
mod gait_fit;
mod gait_hostile;
mod gait_jumps;
mod gait_limits;
mod gait_live;
mod gait_physics;
mod gait_stepper;
mod gait_sweep;
mod gait_terrain;
mod gait_transitions;
mod live_gait_allocates_nothing;
mod rig_allocates_nothing;
