//! How results and errors are told: to people on standard error, to machines as one JSON object on standard output.

use crate::hints::{self, with_hint};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use surefoot::formats::{Import, ReadError, Reason, WriteError, WriteProblem};

/// For whom to print.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Sentences.
    Human,
    /// One JSON object.
    Json,
}

/// Version of the JSON envelope.
pub(crate) const ENVELOPE: u32 = 1;

/// Bad usage or input.
const EXIT_BAD_INPUT: u8 = 2;

/// Done, but a limit of a gate does not hold.
const EXIT_GATE: u8 = 1;

/// Why a command failed.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: String,
    file: Option<PathBuf>,
    line: Option<usize>,
    message: String,
    /// Whether it stands in the result already, so that only the exit code is left to give.
    told: bool,
    exit_code: u8,
}

impl Failure {
    /// A failure that concerns no file.
    pub(crate) fn new(kind: &str, message: impl Into<String>) -> Failure {
        Failure {
            kind: kind.to_string(),
            file: None,
            line: None,
            message: message.into(),
            told: false,
            exit_code: EXIT_BAD_INPUT,
        }
    }

    /// A failure that concerns a file.
    pub(crate) fn of_file(kind: &str, file: impl Into<PathBuf>, message: impl Into<String>) -> Failure {
        Failure { file: Some(file.into()), ..Failure::new(kind, message) }
    }

    /// A failure of parts that the result has told already.
    pub(crate) fn told(kind: &str, message: impl Into<String>) -> Failure {
        Failure { told: true, ..Failure::new(kind, message) }
    }

    /// A result that was told in full, and does not pass a gate.
    pub(crate) fn gate(message: impl Into<String>) -> Failure {
        Failure { exit_code: EXIT_GATE, ..Failure::told("gate", message) }
    }

    /// What went wrong, without the file.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// The failure as the JSON output has it.
    pub(crate) fn to_json(&self) -> Value {
        let file = self.file.as_ref().map(|file| file.display().to_string());
        json!({ "kind": self.kind, "file": file, "line": self.line, "message": self.message })
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{}:{line}: ", file.display())?,
            (Some(file), None) => write!(f, "{}: ", file.display())?,
            (None, _) => {}
        }
        f.write_str(&self.message)?;
        hints::for_error(&self.kind).map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        let ReadError { kind, file, line, message } = error;
        Failure { kind: kind.code().to_string(), file, line, message, told: false, exit_code: EXIT_BAD_INPUT }
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Failure {
        let kind = if matches!(error.problem, WriteProblem::Exists) { "exists" } else { "output" };
        Failure::of_file(kind, error.path, error.problem.to_string())
    }
}

/// Tells a failure, and gives the exit code for it.
pub(crate) fn failure(failure: &Failure, format: Format) -> ExitCode {
    match format {
        Format::Json if failure.told => {}
        // Nobody is left to be told that even this could not be printed.
        Format::Json => drop(print_json(&json!({ "surefoot": ENVELOPE, "error": failure.to_json() }))),
        Format::Human => say(&format!("surefoot: {failure}")),
    }
    ExitCode::from(failure.exit_code)
}

/// Prints a result in its envelope.
pub(crate) fn print_result(command: &str, result: &Value) -> Result<(), Failure> {
    print_json(&json!({ "surefoot": ENVELOPE, "command": command, "result": result }))
}

fn print_json(value: &Value) -> Result<(), Failure> {
    print_bytes(format!("{value:#}\n").as_bytes())
}

/// Writes text for people to standard output.
pub(crate) fn print_text(text: &str) -> Result<(), Failure> {
    print_bytes(printable(text).as_bytes())
}

/// Writes to standard output; a reader that went away (`| head`) is no error.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::new("output", format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Tells people something on standard error.
pub(crate) fn say(text: &str) {
    eprintln!("{}", printable(text));
}

/// Text whose control characters, which may come from a foreign file, cannot steer a terminal.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{FFFD}' } else { c }).collect()
}

/// Tells what an import assumed and found odd, on standard error.
pub(crate) fn tell_import(import: &Import) {
    say(&format!("{}: {}", import.clip.name, assumptions(import)));
    if import.animations.len() > 1 {
        let names = import.animations.join(", ");
        say(&format!("  one of {} animations: {names}; --animation chooses another", import.animations.len()));
    }
    for warning in &import.warnings {
        let line = warning.line.map_or(String::new(), |line| format!(" line {line}:"));
        say(&format!("  warning[{}]{line} {}", warning.code, warning.message));
    }
    for diagnostic in &import.diagnostics {
        say(&format!("  note[{}] {}", diagnostic.code, with_hint(diagnostic)));
    }
}

/// One line with every assumption: `unit=cm (leg 0.87 m), up=Y, ...`.
fn assumptions(import: &Import) -> String {
    let assumed = &import.assumed;
    let mut parts = vec![format!("unit={}", assumed.unit)];
    if let Some(legs) = import.leg_lengths() {
        parts[0] += &format!(" (legs {:.3} m)", legs.left);
    }
    parts.push(format!("up={}", assumed.up.motion));
    parts.push(format!("fps={}", import.clip.frame_rate));
    parts.push(format!("{} frames", import.clip.n_frames()));
    match assumed.dropped_frames {
        0 => {}
        n => parts.push(format!("{n} artificial first frame{} dropped", if n == 1 { "" } else { "s" })),
    }
    parts.join(", ")
}

/// `found`, `declared`, ... in brackets for people.
pub(crate) fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::Given => "as given",
        Reason::Declared => "as the file declares",
        Reason::Found => "found from the motion",
        Reason::Usual => "the usual one, for nothing tells",
    }
}
