//! Where generated motions go: options and words that `animate`, `go` and `gait` share.

use crate::edited_motion::{motion_output, parse_format, print_motion};
use crate::engine_args::EngineArgs;
use crate::output::{Force, ReportArg};
use crate::report::{Failure, print_status, print_verbose};
use std::path::PathBuf;
use surefoot::jobs::{FootprintReport, MotionFormat, MotionOutput, MotionReport, PlanReport, TargetReport};

/// Outputs of commands that make motion.
#[derive(clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct MotionArgs {
    /// The motion: bvh, glb, gltf, fbx or take by its ending; `-` is standard output, as a take or in the format of --to
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Format of the motion, where its ending does not name it: bvh, glb, gltf, fbx or take
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    to: Option<MotionFormat>,
    #[command(flatten)]
    pub(crate) force: Force,
    #[command(flatten)]
    pub(crate) report: ReportArg,
    /// Write when heels and balls are planted
    #[arg(long, alias = "contacts", value_name = "FILE.contacts.json")]
    pub(crate) write_contacts: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
}

impl MotionArgs {
    /// Where the motion goes, and as what.
    pub(crate) fn output(&self) -> Result<MotionOutput, Failure> {
        Ok(self.engine.apply(motion_output(&self.output, self.to)?))
    }
}

/// Prints how good a motion is: the verdict first, then placement, penetration, smoothness and what was extrapolated.
pub(crate) fn print_synthesis(report: &PlanReport, motion: &MotionReport) {
    print_status(&format!("verdict: {}", report.verdict));
    if let Some(placement) = report.largest_placement_error_mm {
        let missed = if report.missed > 0 { format!("; {} have no stance", report.missed) } else { String::new() };
        print_status(&format!(
            "  placement: every ball within {placement:.4} mm of its footprint over the middle 60 % of its stance{missed}"
        ));
    }
    let metrics = &report.metrics;
    if let Some(depth) = metrics.penetration_mm {
        let share = 100.0 * metrics.penetrating_share;
        print_status(&format!(
            "  penetration: {:.1} mm at most, deeper than 2 mm in {share:.0} % of the frames",
            depth.max(0.0)
        ));
    }
    let smoothness = [
        metrics.knee_acceleration_p99_degrees_s2.map(|knees| format!("knees {knees:.0} deg/s2 (99th percentile)")),
        metrics.pelvis_jerk_6hz_m_s3.map(|jerk| format!("pelvis jerk {jerk:.0} m/s3 below 6 Hz")),
        metrics.fall_g.map(|fall| format!("pelvis falls at {:.2} g at most", fall.max(0.0))),
    ];
    let smoothness: Vec<String> = smoothness.into_iter().flatten().collect();
    if !smoothness.is_empty() {
        print_status(&format!("  smoothness: {}", smoothness.join(", ")));
    }
    if let Some(jerk) = metrics.pelvis_jerk_m_s3 {
        print_verbose(&format!("  pelvis jerk, unsmoothed: {jerk:.0} m/s3"));
    }
    if !report.origins.is_empty() {
        let outside = report.farthest_outside_cm;
        let outside =
            if outside > 0.0 { format!(", at most {outside:.1} cm outside the database") } else { String::new() };
        print_status(&format!("  steps: {}{outside}", report.origins_in_words()));
    }
    print_targets(report);
    print_motion(motion);
}

/// Prints how near soft targets were met.
fn print_targets(report: &PlanReport) {
    let largest = |target: fn(&FootprintReport) -> TargetReport| {
        report.each.iter().filter_map(|print| target(print).difference).map(f64::abs).reduce(f64::max)
    };
    let met = [
        largest(|print| print.heading_degrees).map(|degrees| format!("headings within {degrees:.1} degrees")),
        largest(|print| print.land_seconds).map(|time| format!("landings within {time:.2} s")),
        largest(|print| print.leave_seconds).map(|time| format!("leavings within {time:.2} s")),
        largest(|print| print.swing_seconds).map(|time| format!("swing times within {time:.2} s")),
        largest(|print| print.support_seconds).map(|time| format!("support times within {time:.2} s")),
    ];
    let met: Vec<String> = met.into_iter().flatten().collect();
    if !met.is_empty() {
        print_status(&format!("  soft targets met: {}", met.join(", ")));
    }
}
