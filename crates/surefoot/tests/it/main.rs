//! Jobs on real recordings and on built-in data.

mod animate_plans;
mod bands_of_recordings;
mod behaviours_of_recordings;
mod character;
mod cleanup_of_recordings;
mod contacts_of_recordings;
mod fits_of_recordings;
mod gait_of_the_paper;
mod go;
mod hip_knee_of_recordings;
mod import;
mod measures_of_recordings;
mod mixed_plans;
mod motion_graphs;
mod own_figure;
mod own_files;
mod retarget_recordings;
mod rig_of_recordings;
mod round_trips;
mod signal_blends_of_recordings;
mod signal_edits_of_recordings;
mod signal_shapes_of_recordings;
mod signal_warps_of_recordings;
mod steps_of_recordings;
