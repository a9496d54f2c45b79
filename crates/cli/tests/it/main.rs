//! The command as its users run it.

mod animate;
mod characters;
mod clean;
mod command;
mod compose;
mod contacts;
mod corpus;
mod experiment;
mod gait;
mod graph;
mod measure;

mod one_command_line;
mod plan_go;
mod readme;
mod retarget_warp_path;
mod same_plan;
mod signal;
mod steps;
