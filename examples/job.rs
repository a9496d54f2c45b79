//! Runs a job and reads its report: footskate cleanup of a clip, as `surefoot clean IN -o OUT` does it.
//!
//! `cargo run --example job -- skating.bvh clean.glb`

use surefoot::jobs::{CancelFlag, CleanRequest, InputRequest, Job, JobContext, JobError, JobReport, MotionOutput};

fn main() -> Result<(), JobError> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(input), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err(JobError::new("usage", "a motion file to clean and a file to write are needed"));
    };
    let request =
        CleanRequest { input: InputRequest::new(input), output: MotionOutput::new(output), ..CleanRequest::default() };

    // A server would keep the flag, and cancel the job from another thread.
    let cancel = CancelFlag::default();
    let context = JobContext::silent()
        .with_cancel(cancel)
        .with_progress(|progress| eprintln!("{} of {}: {}", progress.done, progress.total, progress.item));

    let report = request.run(&context)?;
    println!("{} frames, {} plants", report.input.frames, report.contacts.plants);
    for metric in report.metrics.iter().filter(|metric| metric.name.starts_with("drift")) {
        println!("{}: {:?} -> {:.4} {}", metric.name, metric.before, metric.after, metric.unit);
    }
    for file in report.files() {
        println!("wrote {}, {} bytes", file.file, file.bytes);
    }
    Ok(())
}
