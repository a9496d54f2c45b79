//! How results and errors are reported: to people on standard error, to machines as one JSON object on standard output.

use crate::hints::{self, with_hint};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU8, Ordering};
use surefoot::formats::{ReadError, WriteError};
use surefoot::jobs::{
    ContactsReport, ContactsSource, Envelope, ErrorEnvelope, InputReport, JobError, to_json_text, write_stdout,
};

/// For whom to print.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Sentences.
    Human,
    /// One JSON object.
    Json,
}

/// How much people are shown on standard error.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Errors.
    Quiet,
    /// What was assumed, done and written.
    Usual,
    /// And what a job was asked for, step by step.
    Verbose,
}

/// Set once, before a command runs.
static VERBOSITY: AtomicU8 = AtomicU8::new(Verbosity::Usual as u8);

/// Sets how much [`print_status`] prints.
pub(crate) fn set_verbosity(verbosity: Verbosity) {
    VERBOSITY.store(verbosity as u8, Ordering::Relaxed);
}

/// Whether people are shown this much.
pub(crate) fn is_shown(verbosity: Verbosity) -> bool {
    VERBOSITY.load(Ordering::Relaxed) >= verbosity as u8
}

/// Why a command failed.
#[derive(Debug)]
pub(crate) struct Failure {
    error: JobError,
    /// Whether it is in the result already, so that only the exit code is left to give.
    is_reported: bool,
}

impl Failure {
    /// A failure that concerns no file.
    pub(crate) fn new(kind: &str, message: impl Into<String>) -> Failure {
        JobError::new(kind, message).into()
    }

    /// A failure that concerns a file.
    pub(crate) fn of_file(kind: &str, file: impl Into<PathBuf>, message: impl Into<String>) -> Failure {
        JobError::of_file(kind, file, message).into()
    }

    /// A failure that the result has reported already.
    pub(crate) fn reported(error: JobError) -> Failure {
        Failure { error, is_reported: true }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.error)?;
        hints::for_error(&self.error.kind).map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}

impl From<JobError> for Failure {
    fn from(error: JobError) -> Failure {
        Failure { error, is_reported: false }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        JobError::from(error).into()
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Failure {
        JobError::from(error).into()
    }
}

/// Reports a failure, and gives the exit code for it.
pub(crate) fn failure(failure: &Failure, format: Format) -> ExitCode {
    match format {
        Format::Json if failure.is_reported => {}
        // Nothing is left to report an error that could not be printed.
        Format::Json => drop(print_json(&ErrorEnvelope::new(failure.error.clone()))),
        Format::Human => complain(&format!("surefoot: {failure}")),
    }
    ExitCode::from(failure.error.meaning.exit_code())
}

/// Prints a result in its envelope.
pub(crate) fn print_result<R: Serialize>(command: &str, result: &R) -> Result<(), Failure> {
    print_json(&Envelope::new(command, result))
}

fn print_json<T: Serialize>(value: &T) -> Result<(), Failure> {
    print_bytes(to_json_text(value).as_bytes())
}

/// Writes text for people to standard output.
pub(crate) fn print_text(text: &str) -> Result<(), Failure> {
    print_bytes(printable(text).as_bytes())
}

/// Writes what people want to know of a result that is in files to standard output, unless `--quiet`.
pub(crate) fn print_summary(text: &str) -> Result<(), Failure> {
    if is_shown(Verbosity::Usual) { print_text(text) } else { Ok(()) }
}

/// Writes to standard output; a reader that went away (`| head`) is no error.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    Ok(write_stdout(bytes)?)
}

/// Prints a line on standard error, unless `--quiet`.
pub(crate) fn print_status(text: &str) {
    if is_shown(Verbosity::Usual) {
        print_line(text);
    }
}

/// Prints that a clip of a collection was taken at another rate than it declares.
pub(crate) fn print_corrected_rate(clip: &str, rate: Option<f64>) {
    if let Some(rate) = rate {
        print_status(&format!(
            "{clip}: taken at {rate} fps; at the declared rate nobody falls or walks (--keep-rates)"
        ));
    }
}

/// Prints what only `--verbose` shows.
pub(crate) fn print_verbose(text: &str) {
    if is_shown(Verbosity::Verbose) {
        print_line(text);
    }
}

/// Prints why there is no result.
fn complain(text: &str) {
    print_line(text);
}

/// A line for people. Nothing is lost if nobody reads it: a closed pipe must not cost the output.
fn print_line(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", printable(text));
}

/// Text whose control characters, which may come from a foreign file, cannot steer a terminal.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{FFFD}' } else { c }).collect()
}

/// Prints what was assumed about a motion file and found unusual, on standard error.
pub(crate) fn print_input(input: &InputReport) {
    print_status(&format!("{}: {}", input.name, assumptions(input)));
    if input.animations.len() > 1 {
        let names = input.animations.join(", ");
        print_status(&format!("  one of {} animations: {names}; --animation chooses another", input.animations.len()));
    }
    for warning in &input.warnings {
        let line = warning.line.map_or(String::new(), |line| format!(" line {line}:"));
        print_status(&format!("  warning[{}]{line} {}", warning.code, warning.message));
    }
    for diagnostic in &input.diagnostics {
        print_status(&format!("  note[{}] {}", diagnostic.code, with_hint(diagnostic)));
    }
}

/// Tells where the contacts come from.
pub(crate) fn print_contacts(contacts: &ContactsReport) {
    let how = match contacts.from {
        Some(ContactsSource::Detected) => "detected from the motion; --contacts gives others",
        Some(source) => source.text(),
        None => return print_status("  no body was found: joints go by their names; --body names the parts"),
    };
    print_status(&format!("  contacts: {} plants, {how}", contacts.plants));
}

/// One line with every assumption: `unit=cm (leg 0.87 m), up=Y, ...`.
fn assumptions(input: &InputReport) -> String {
    let mut parts = vec![format!("unit={}", input.unit)];
    if let Some(leg) = input.leg_length {
        parts[0] += &format!(" (legs {leg:.3} m)");
    }
    parts.push(format!("up={}", input.up));
    parts.push(format!("fps={}", input.frame_rate));
    parts.push(format!("{} frames", input.frames));
    match input.dropped_frames {
        0 => {}
        n => parts.push(format!("{n} artificial first frame{} dropped", if n == 1 { "" } else { "s" })),
    }
    parts.join(", ")
}

/// `found`, `declared`, ... in brackets for people.
pub(crate) fn reason(reason: &str) -> &str {
    match reason {
        "given" => "as given",
        "declared" => "as the file declares",
        "found" => "found from the motion",
        _ => "the usual one, for nothing shows another",
    }
}
