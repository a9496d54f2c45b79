//! Surefoot animates people who walk, run, jump and climb so that their feet land exactly where they are asked to.
//!
//! This crate is the library's face: it re-exports the parts, and offers the main jobs as a few calls each.
//!
//! Cargo features choose the parts; all are on by default. Without them a game has motion, ground, contacts, plans, the
//! synthesizers, cleanup, signals and graphs, and no file or picture code:
//!
//! | feature | adds |
//! |---|---|
//! | `formats` | every motion file, and our own files |
//! | `fbx` | FBX, through the C library ufbx |
//! | `picture` | contact sheets, strobes, GIF, SVG, plots |
//! | `viewer` | pages that play motion in a browser |
//! | `jobs` | each command as a request that runs to a report |
//!
//! ```no_run
//! use surefoot::{LoadOptions, load};
//!
//! let import = load("walk.bvh".as_ref(), &LoadOptions::default())?;
//! println!("{} frames at {} fps, {:.2} m travelled", import.clip.n_frames(), import.clip.frame_rate, import.travel);
//! # Ok::<(), surefoot::formats::ReadError>(())
//! ```
//!
//! Everything inside is right-handed, Y up, metres, seconds, radians. A character at heading 0 faces +Z; a positive heading
//! turns toward +X, its left.

pub use surefoot_cleanup as cleanup;
pub use surefoot_compose as compose;
pub use surefoot_contact as contact;
#[cfg(feature = "formats")]
pub use surefoot_formats as formats;
pub use surefoot_gait as gait;
pub use surefoot_geom as geom;
pub use surefoot_graph as graph;
pub use surefoot_ground as ground;
#[cfg(feature = "jobs")]
pub use surefoot_jobs as jobs;
pub use surefoot_motion as motion;
#[cfg(feature = "picture")]
pub use surefoot_picture as picture;
pub use surefoot_plan as plan;
pub use surefoot_signal as signal;
pub use surefoot_steps as steps;
#[cfg(feature = "viewer")]
pub use surefoot_viewer as viewer;

#[cfg(feature = "jobs")]
pub use surefoot_jobs::{
    BuildGraphError, BuildStepsError, BuildStepsOptions, BuiltGraph, BuiltSteps, Charts, CleanForm, CleanTake,
    ClipError, ClipEvaluation, ClipShelf, ClipSteps, ConvertError, ConvertOptions, Converted, DemoPlan, EditFailure,
    EditProblem, EditReport, EditedClip, EvaluateOptions, EvaluatedClip, Evaluation, ExperimentClips, Flights,
    FollowGraphError, FollowRequest, FollowedPath, FootprintReport, GRAPH_FRAME_RATE, GaitError, GaitRequest,
    GaitRoute, GaitTake, GatherError, GatheredMotions, GoError, GoOptions, GraphOptions, GraphTry, GraphWalk, LeftOut,
    LoadOptions, MAX_EXPERIMENT_FRAMES, MAX_FOLLOW_FRAMES, MAX_GAIT_FRAMES, MAX_GRAPH_FRAMES, MAX_WINDOW, MirrorImages,
    Mover, OutputFormat, PathFitted, PathRequest, PersonSteps, PersonStepsError, PlanPathError, PlanReport,
    PlannedPath, SceneWalk, SourceMotion, StyleChoiceError, Synthesis, TEST_NAMES, Target, animate_plan, apply_edits,
    blocked_place, build_graph, build_steps, check_path_in_scene, choose_style, clean, convert, corpus_graph,
    corpus_motions, corpus_steps, default_clearance, demo_plans, evaluate_clips, evaluate_corpus, follow_graph,
    follows_parameters, gait_attribute, gather_motions, go, load, load_contacts, load_experiment, load_graph,
    load_motions, load_steps, load_terrain, make_gait, natural_gait, natural_gait_attribute, plan_path,
    plan_person_steps, plant_slide, plot_abstractions, plot_contacts, plot_examples, plot_gait_relations,
    plot_hip_knee, plot_steps, plot_techniques, save_graph, save_steps, scene_error_place, seeded_start, signal_clip,
    speed_settings, technique_name,
};

/// The Rust of the documentation pages is compiled and run with the tests.
#[cfg(all(doctest, feature = "jobs"))]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/ANIMATE.md")]
#[doc = include_str!("../../../docs/CLEANUP.md")]
#[doc = include_str!("../../../docs/GAIT.md")]
#[doc = include_str!("../../../docs/GRAPH.md")]
#[doc = include_str!("../../../docs/PLAN.md")]
#[doc = include_str!("../../../docs/SIGNAL.md")]
#[doc = include_str!("../../../docs/STEPS.md")]
struct Pages;
