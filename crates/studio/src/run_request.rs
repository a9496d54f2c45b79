//! Any job by its name: the request is confined to the folder, a panic is an error, and the answer may carry what a viewer shows.

use crate::workplace::Workplace;
use serde_json::Value;
use serde_json::value::RawValue;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use surefoot::jobs::{self, Envelope, Job, JobContext, JobError, JobReport, MotionStream, RenderRequest, show_motions};
use surefoot::viewer::PackedPage;

/// What a job and what it shows come to.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    /// The report in its envelope; absent where nothing but showing was asked for.
    pub(crate) envelope: Option<Box<RawValue>>,
    /// Why the result is not what was requested, if it is not.
    pub(crate) not_met: Option<JobError>,
    /// What a viewer shows.
    pub(crate) page: Option<PackedPage>,
}

/// Runs a job by the name of its command, then shows motions; either may be absent.
pub(crate) fn run_request(
    place: &Workplace,
    job: Option<(&str, Value)>,
    show: Option<Value>,
    context: &JobContext,
) -> Result<Answer, JobError> {
    caught(|| {
        let mut answer = Answer::default();
        if let Some((name, mut request)) = job {
            place.confine(&mut request)?;
            let (envelope, not_met) = run_job(name, request, context)?;
            answer = Answer { envelope: Some(raw(&place.unname(&envelope))?), not_met, page: None };
        }
        context.check()?;
        if let Some(mut show) = show {
            place.confine(&mut show)?;
            if let Value::Object(fields) = &mut show {
                fields.insert("output".to_string(), "shown.html".into());
            }
            answer.page = Some(show_motions(&read::<RenderRequest>(show)?)?);
        }
        Ok(answer)
    })
}

/// The motions of a request as a stream; paths must have been confined.
pub(crate) fn open_stream(mut show: Value, people: Option<usize>) -> Result<MotionStream, JobError> {
    if let Value::Object(fields) = &mut show {
        fields.insert("output".to_string(), "shown.html".into());
    }
    MotionStream::open(&read::<RenderRequest>(show)?, people)
}

/// What a closure returns; a panic is an error of the job, and the server lives on.
pub(crate) fn caught<T>(run: impl FnOnce() -> Result<T, JobError>) -> Result<T, JobError> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| Err(panicked(&*panic)))
}

fn panicked(panic: &(dyn Any + Send)) -> JobError {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    let message = format!(
        "the job failed in a way that it never should: {}; nothing was written, and the studio goes on",
        text.unwrap_or("no reason was given")
    );
    JobError::new("internal", message)
}

fn read<T: serde::de::DeserializeOwned>(request: Value) -> Result<T, JobError> {
    serde_json::from_value(request).map_err(|error| JobError::new("request", error.to_string()))
}

fn raw(json: &str) -> Result<Box<RawValue>, JobError> {
    RawValue::from_string(json.to_string()).map_err(|error| JobError::new("report", error.to_string()))
}

type Ran = (String, Option<JobError>);

fn run<J: Job>(request: Value, context: &JobContext) -> Result<Ran, JobError> {
    let report = read::<J>(request)?.run(context)?;
    let not_met = report.not_met();
    let envelope = serde_json::to_string(&Envelope::new(J::COMMAND, report));
    Ok((envelope.map_err(|error| JobError::new("report", error.to_string()))?, not_met))
}

macro_rules! run_named {
    ($name:expr, $request:expr, $context:expr, $($job:ident)+) => {{
        $(if $name == jobs::$job::COMMAND { return run::<jobs::$job>($request, $context); })+
        let known = [$(jobs::$job::COMMAND),+].join(", ");
        Err(JobError::new("usage", format!("there is no job \"{}\"; there are {known}", $name)))
    }};
}

fn run_job(name: &str, request: Value, context: &JobContext) -> Result<Ran, JobError> {
    #[cfg(test)]
    if name == "panic" {
        panic!("as asked for");
    }
    run_named!(name, request, context,
        AnalyzeStepsRequest AnimateRequest CleanRequest ContactsRequest ConvertRequest CorpusRequest ExportStepRequest ExtractRequest FitGaitRequest FollowGraphRequest
        GaitJumpRequest GaitListRequest GaitRunRequest GaitWalkRequest GoRequest InfoRequest InspectGraphRequest MeasureRequest
        PlanPathRequest PlanStepsRequest RecogniseRequest RenderRequest RepairPlanRequest RetargetRequest SignalRequest WarpPathRequest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_that_panics_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = Workplace::new(folder.path(), Vec::new()).expect("a workplace");
        let answer = run_request(&place, Some(("panic", Value::Null)), None, &JobContext::silent());
        assert_eq!(answer.expect_err("it panics").kind, "internal");
        let answer =
            run_request(&place, Some(("gait list", Value::Object(Default::default()))), None, &JobContext::silent());
        assert!(answer.expect("it goes on").envelope.expect("a report").get().contains("speed"));
    }
}
