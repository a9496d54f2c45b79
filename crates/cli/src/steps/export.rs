//! `surefoot steps export`: one step of a database as a motion.

use crate::edited_motion::print_motion;
use crate::motion_args::MotionArgs;
use crate::report::{Failure, Format, print_status};
use crate::run_job::run_job;
use std::path::PathBuf;
use surefoot::jobs::ExportStepRequest;

/// Arguments of `steps export`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Step database [default: that of the built-in corpus]
    #[arg(value_name = "FILE.steps")]
    input: Option<PathBuf>,
    /// Number of the step, from 0, as `steps analyze` reports them
    #[arg(long, value_name = "N")]
    step: usize,
    #[command(flatten)]
    motion: MotionArgs,
}

/// Runs `steps export`.
pub(super) fn run(args: &Args, format: Format) -> Result<(), Failure> {
    let request = ExportStepRequest {
        input: args.input.clone(),
        step: args.step,
        output: args.motion.output()?,
        frame_rate: None,
        write_contacts: args.motion.write_contacts.clone(),
        report: args.motion.report.report.clone(),
        if_exists: args.motion.force.if_exists(),
    };
    run_job(&request, format, |report| {
        let [first, swing, last] = report.seconds;
        print_status(&format!(
            "step {} of the {} foot, {}: {first:.2} s of double support, {swing:.2} s of swing, {last:.2} s of double support",
            report.step, report.foot, report.source
        ));
        print_motion(&report.motion);
        Ok(())
    })
}
