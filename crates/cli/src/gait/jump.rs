//! `surefoot gait jump`: jumps and hops from nothing.

use super::make::WhoArgs;
use super::print_report::print_report;
use super::{parse_frame_rate, parse_length};
use crate::import_args::ImportArgs;
use crate::motion_args::MotionArgs;
use crate::report::{Failure, Format};
use crate::run_job::run_job;
use std::path::PathBuf;
use surefoot::jobs::{ApproachName, CourseRequest, FeetName, GaitJumpRequest, GaitMotionRequest, JumpCourse};

/// Arguments of `gait jump`.
#[derive(clap::Args)]
pub(crate) struct JumpArgs {
    #[command(flatten)]
    motion: MotionArgs,
    /// Frames per second of the motion, 1 to 1000 [default: 60]
    #[arg(long, value_name = "FPS", value_parser = parse_frame_rate, allow_negative_numbers = true)]
    frame_rate: Option<f64>,
    /// Write the footprints that were jumped on
    #[arg(long, value_name = "FILE.plan.json")]
    write_plan: Option<PathBuf>,
    /// Draw a contact sheet as png
    #[arg(long, value_name = "FILE.png")]
    picture: Option<PathBuf>,
    /// The feet that take off. From one foot to the other, several jumps change feet [default: both]
    #[arg(long, value_enum)]
    take_off: Option<Feet>,
    /// The feet that land first; the same foot as --take-off hops [default: both]
    #[arg(long, value_enum)]
    landing: Option<Feet>,
    /// Of each jump over the ground, 0 to 4 m [default: 0.6]
    #[arg(long, value_name = "LENGTH", value_parser = parse_length, allow_negative_numbers = true)]
    distance: Option<f64>,
    /// How much higher each landing is, -1 to 0.8 m [default: 0]
    #[arg(long, value_name = "LENGTH", value_parser = parse_length, allow_negative_numbers = true)]
    rise: Option<f64>,
    /// How many jumps, 1 to 100 [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    count: Option<u32>,
    /// Turn in each jump, in degrees, positive to the left, -180 to 180; -100 to 100 from one foot [default: 0]
    #[arg(long, value_name = "DEG", allow_hyphen_values = true)]
    turn: Option<f64>,
    /// Where jumps lead from where the body faces, in degrees to the left: 90 is left, 180 back [default: 0]
    #[arg(long, value_name = "DEG", allow_hyphen_values = true)]
    direction: Option<f64>,
    /// What comes before the first jump; a run takes off from one foot [default: stand]
    #[arg(long, value_enum)]
    approach: Option<Approach>,
    /// Seconds of standing before and after, 0 to 600 [default: 0.5]
    #[arg(long, value_name = "S")]
    standing: Option<f64>,
    #[command(flatten)]
    who: WhoArgs,
    #[command(flatten)]
    import: ImportArgs,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Feet {
    Left,
    Right,
    Both,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Approach {
    Stand,
    Walk,
    Run,
}

impl JumpArgs {
    /// Runs `gait jump`.
    pub(super) fn run(&self, format: Format) -> Result<(), Failure> {
        let feet = |feet: Feet| match feet {
            Feet::Left => FeetName::Left,
            Feet::Right => FeetName::Right,
            Feet::Both => FeetName::Both,
        };
        let jump = JumpCourse {
            take_off: self.take_off.map(feet),
            landing: self.landing.map(feet),
            distance: self.distance,
            rise: self.rise,
            count: self.count,
            turn_degrees: self.turn,
            direction_degrees: self.direction,
            approach: self.approach.map(|approach| match approach {
                Approach::Stand => ApproachName::Stand,
                Approach::Walk => ApproachName::Walk,
                Approach::Run => ApproachName::Run,
            }),
        };
        let request = GaitJumpRequest(GaitMotionRequest {
            output: self.motion.output()?,
            frame_rate: self.frame_rate,
            height: self.who.height,
            body_shape: self.who.body_shape,
            on: self.who.character(&self.import)?,
            course: CourseRequest { jump: Some(jump), standing: self.standing, ..CourseRequest::default() },
            write_contacts: self.motion.write_contacts.clone(),
            write_plan: self.write_plan.clone(),
            picture: self.picture.clone(),
            report: self.motion.report.report.clone(),
            if_exists: self.motion.force.if_exists(),
            ..GaitMotionRequest::default()
        });
        run_job(&request, format, |report| print_report(report, true))
    }
}
