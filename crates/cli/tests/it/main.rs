//! The command as its users run it.

mod animate;
mod clean;
mod command;
mod contacts;
mod corpus;
mod experiment;
mod gait;
mod graph;
mod measure;
mod plan_go;
mod retarget_bend;
mod signal;
mod steps;
