//! Walking, running and jumping from a few parameters and many attributes.
//!
//! Reference: GAIT, A. Bruderlin 1995, chapter 4. What the paper leaves for later is ours: starts and stops, turns, steps to
//! any side, changes between walking and running, paths, slopes and stairs, and any foot plan stepped on exactly.
//!
//! Idea: locomotion is planned *step by step*, from the landing of one foot to the landing of the other, and *from above*:
//! parameters give times and lengths, these give a few keyframes from the footprint up, and curves join the keyframes. What
//! is planted is solved from its footprint, so it cannot slide; what swings goes by its angles, as legs do. A step takes the body
//! as the last one left it, positions and rates (`body_state`), and is planned at once from what is asked for then, so that every
//! slider may move at any time and nothing jumps.
//!
//! ```text
//!  targets --> parameters --.                        .--> lay_steps ----> foot plan --> gait_synthesizer --> take
//!                            >- settings with a rig -<                                      |
//!  style, --> attributes ---'                        '--> live: the next footprint ---------+
//!  overrides                                                                                v
//!      frames <-- rig: skeleton <-- step: posture at a time <-- plan_walk, plan_run: keyframes of one step
//! ```
//!
//! In order of reading:
//!
//! 1. [`equations`], `stride`, `walk_parameters`, `run_parameters`: the paper's formulas, and what is asked for, locked or
//!    out of range. `attributes`, `run_overrides`: 15 of walking, 19 of running and how these follow the parameters. `style`:
//!    named gaits. `gait_settings`: all together. `schedule`, `gait_schedule`: all of it over time; `step_variation`: chance and limps.
//! 2. `posture`, `rig`: attitudes of a body, and any skeleton that takes them.
//! 3. `course`, `lay_steps`: where footprints lie.
//! 4. `foot_plant`, `leg`, `spline`, `body_state`: a foot that rolls, a leg as angles, curves, what one step hands to the next.
//! 5. `step`: a step as curves, and the posture at any time of it. `take_step`, `plan_walk`, `plan_run` with its `flight`, `toe_off` and `push`, and
//!    `swing`: its keyframes; `poise`: head and trunk; `steady_stride`: the body in full motion; `over_edges`: those of a swing over stairs. `plan_jump` with `jump_parameters`, `height_curve` and `jump_legs`: a jump;
//!    `jump_steps`: jumps in the engine; `lay_jumps`: their footprints. `norms`, `norm_data`: what recorded people do beside.
//! 6. `gait_synthesizer`, `gait_engine`: footprints become steps and frames, a step behind the footprints that are pushed. `live`: the
//!    same in real time from a control, a step ahead.
//! 7. `measure_steps`, `fit_gait`: a person's gait estimated from a recording; `person_curves`, `mix_styles`: its curves, and several gaits as one.
//!    `hip_knee`: the diagrams by which made and recorded gaits are compared.
//! 8. `corpus`: takes of every kind of step, made again each time.
//!
//! Departures from the paper, each explained where it is made:
//!
//! - Eq. 4.3 gives minutes, not seconds; eq. 4.8 is meant with another sign of its level than is printed; a flight that falls
//!   from the first keeps the sign that eq. 4.6 squares away (`equations`, `toe_off`).
//! - Angles of a walking leg are joined by cubics instead of lines, and curves keep their rates from step to step (`swing`).
//! - The pelvis's centre goes along the curve of the stance hip, which would jump from hip to hip (`plan_walk`).
//! - A walk lands with 12 degrees of knee flexion by default, where the paper names no number; straighter knees snap when
//!   they take the weight (`attributes`). The knee with which a run lands is that of the default overstride: a foot nearer
//!   below the body flexes it more (`plan_run`).
//! - In mid-support of a run the pelvis has made 0.94 of its mean advance, not 0.8. The trailing leg's share when the other foot
//!   lands counts from toe-off to mid-swing and is 0.75. The foot's pitch at toe-off rises with step length, and further
//!   where the leg would not reach. Support is shorter than eqs. 4.7 to 4.9 have it where the leg would not reach or not lift the
//!   body, which is at high speed (`plan_run`).
//! - The height of a running body follows from a force of the ground that never pulls, instead of a spline through three points; legs
//!   leave the ground more flexed than asked where that asks for it (`push`). A target height of flight is met exactly, down to the
//!   least that the leg at toe-off reaches (`plan_run`).
//! - Speeds change evenly over a step, and torsos lean into accelerations, turns and slopes (`plan_walk`, `plan_run`).
//! - Residual curves of recorded people are added to all of it, unless the paper alone is asked for ([`Kinematics`], `norms`). People's
//!   runs have the paper's step lengths at a level of 0.8 ([`NATURAL_LEVEL`]).
//! - An overstride that is not set is no more than 0.4 of a step (`run_overrides`).
//!
//! What the paper observes and our natural runs do not show: up to some 7 km/h they have the loop around heel strike that
//! should be a walk's; the knee is flexed most after three tenths of the support between 8 and 12 km/h, not four; and it flexes no
//! further in support at higher speeds, nor do the recorded people's.

mod attributes;
mod body_state;
mod corpus;
mod course;
pub mod equations;
mod fit_gait;
mod foot_plant;
mod gait_engine;
mod gait_schedule;
mod gait_settings;
mod gait_synthesizer;
mod height_curve;
mod hip_knee;
mod jump_legs;
mod jump_parameters;
mod jump_steps;
mod lay_jumps;
mod lay_steps;
mod leg;
mod live;
mod measure_steps;
mod mix_styles;
mod norm_data;
mod norms;
mod over_edges;
mod person_curves;
mod plan_jump;
mod plan_run;
mod plan_steps;
mod plan_walk;
mod poise;
mod posture;
mod push;
mod rig;
mod run_overrides;
mod run_parameters;
mod schedule;
mod spline;
mod steady_stride;
mod step;
mod step_variation;
mod stride;
mod style;
mod swing;
mod take_step;
mod toe_off;
mod unlocked_knee;
mod walk_parameters;

#[cfg(test)]
mod tests;

pub use attributes::{
    AttributeError, AttributeInfo, AttributeUnit, AttributeValue, RunAttributes, Strike, WalkAttributes,
};
pub use corpus::{
    Corpus, CorpusError, CorpusKind, CorpusOptions, CorpusTake, complete_corpus, corpus, corpus_on, corpus_walks,
};
pub(crate) use course::settle_foot;
pub use fit_gait::{FEWEST_STEPS, FitError, GaitFit, PELVIS_HEIGHT, PartError, fit_gaits};
pub use gait_engine::Ends;
pub use gait_schedule::{GaitSchedule, SettingsError, resolve_settings, transition_speed};
pub use gait_settings::{GaitSettings, RunSettings, WalkSettings};
pub use gait_synthesizer::{GaitOptions, GaitSynthesizer, PlannedFlight};
pub use hip_knee::{
    CycleDifference, CycleEvents, CycleSource, FootEvent, GaitEvent, LegAngles, N_PHASES, StrideCycle, StrideFrames,
    compare_cycles, find_strides, gait_events, leg_angles, mean_cycle, sample_cycle, steady_cycles, stride_cycles,
};
pub use lay_jumps::{Approach, JumpOptions, LayJumpError, lay_jumps};
pub use lay_steps::{LaidSteps, LayError, LayOptions, Pace, lay_paced_steps, lay_steps};
pub use live::{Control, LiveGait};
pub use measure_steps::ContactTiming;
pub use mix_styles::{MixError, mix_styles};
pub use norms::Kinematics;
pub use person_curves::PersonCurves;
pub use plan_steps::{PlanStepsError, PlanStepsOptions, PlannedSteps, plan_steps};
pub use poise::Gaze;
pub use posture::{ArmPosture, LegPosture, Posture};
pub use rig::{Rig, RigError};
pub use run_overrides::{MAX_OVERSTRIDE_SHARE, NOMINAL_DROP, RunOverrides};
pub use run_parameters::{NATURAL_LEVEL, RunParameters, RunTargets, natural_level};
pub use schedule::{MAX_SCHEDULE_POINTS, MAX_SCHEDULE_SECONDS, Schedule, ScheduleError};
pub use step_variation::{Limp, StepVariation};
pub use stride::{HEIGHTS, Parameter, ParameterError, StrideRanges, StrideTargets};
pub use style::{Gait, Style, StyleError};
pub use toe_off::{Flight, ToeOff, ToeOffError, ToeOffInputs, solve_toe_off};
pub use walk_parameters::WalkParameters;
