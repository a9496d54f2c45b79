//! Options that override what an import would guess; shared by every command that reads a motion.

use crate::gait::parse_frame_rate;
use crate::output::is_stdout;
use crate::report::Failure;
use clap::Args;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use surefoot::formats::{FloorChoice, UNITS};
use surefoot::geom::Axis;
use surefoot::ground::MAX_HEIGHT;
use surefoot::jobs::{AxisName, FloorRequest, InputRequest, ReadRequest};

/// What the user knows better than the file.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Reading (each overrides a guess)")]
pub(crate) struct ImportArgs {
    /// Unit of the file: cm, m, mm, inch, cmu, foot, dm, or metres per unit [default: by the length of the legs]
    #[arg(long, value_parser = parse_unit)]
    pub(crate) unit: Option<f64>,
    /// Up axis of the file: Y, Z, -Y, ... [default: by posture]
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) up: Option<Axis>,
    /// Frames per second that the recording was really made at: its frames stay, and follow faster or slower [default:
    /// as declared]
    #[arg(long, alias = "fps", value_parser = parse_frame_rate, value_name = "FPS", allow_negative_numbers = true)]
    pub(crate) source_rate: Option<f64>,
    /// Rate to sample a glTF or FBX animation at [default: that of its keys]
    #[arg(long, value_parser = parse_frame_rate, value_name = "FPS", allow_negative_numbers = true)]
    pub(crate) sample_rate: Option<f64>,
    /// Keep an artificial T-pose in frame 0 and frames of zeros after it
    #[arg(long)]
    pub(crate) keep_first: bool,
    /// Move the motion so that its floor is at 0: keep, auto, or the floor's height in metres
    #[arg(long, default_value = "keep", value_parser = parse_floor, allow_hyphen_values = true)]
    pub(crate) floor: FloorChoice,
    /// Body map that overrides the one found (`info --body-template` writes one to start from)
    #[arg(long, value_name = "MAP.toml")]
    pub(crate) body: Option<PathBuf>,
    /// Skeleton of an AMC [default: found beside it, by the subject's number]
    #[arg(long, value_name = "FILE.asf")]
    pub(crate) asf: Option<PathBuf>,
    /// Which animation of a file with several, by name or number from 0 [default: the last that surefoot added, else
    /// the first]
    #[arg(long, value_name = "NAME|N")]
    pub(crate) animation: Option<String>,
}

impl ImportArgs {
    /// The motion of a job's request, with the contacts file that is given for it.
    pub(crate) fn input(&self, path: &Path, contacts: Option<&Path>) -> Result<InputRequest, Failure> {
        check_stdin(path)?;
        let contacts = contacts.map(Path::to_path_buf);
        Ok(InputRequest { file: path.to_path_buf(), read: self.request(), contacts })
    }

    /// Whether any of them is given.
    pub(crate) fn is_any_given(&self) -> bool {
        let numbers = [self.unit, self.source_rate, self.sample_rate];
        let files = [&self.body, &self.asf];
        numbers.iter().any(Option::is_some)
            || files.iter().any(|file| file.is_some())
            || self.up.is_some()
            || self.animation.is_some()
            || self.keep_first
            || self.floor != FloorChoice::Keep
    }

    /// What a job reads files with.
    pub(crate) fn request(&self) -> ReadRequest {
        ReadRequest {
            unit_to_metre: self.unit,
            up: self.up.map(AxisName),
            source_rate: self.source_rate,
            sample_rate: self.sample_rate,
            keep_first: self.keep_first,
            floor: match self.floor {
                FloorChoice::Keep => FloorRequest::Keep,
                FloorChoice::ToZero => FloorRequest::Auto,
                FloorChoice::At(height) => FloorRequest::At(height),
            },
            body: self.body.clone(),
            asf: self.asf.clone(),
            animation: self.animation.clone(),
        }
    }
}

/// Refuses to wait for a motion that nobody passes on.
fn check_stdin(path: &Path) -> Result<(), Failure> {
    if is_stdout(path) && std::io::stdin().is_terminal() {
        let message = "`-` is what another command passes on, and none does: surefoot signal ... -o - | surefoot ... -";
        return Err(Failure::new("usage", message));
    }
    Ok(())
}

/// A known unit's name, or metres per unit.
pub(crate) fn parse_unit(text: &str) -> Result<f64, String> {
    if let Some(unit) = UNITS.iter().find(|unit| unit.name.eq_ignore_ascii_case(text)) {
        return Ok(unit.to_metre);
    }
    let names: Vec<&str> = UNITS.iter().map(|unit| unit.name).collect();
    let wrong = || format!("{} or metres per unit, such as 0.01, would be right", names.join(", "));
    text.parse().ok().filter(|size: &f64| size.is_finite() && (1e-9..1e9).contains(size)).ok_or_else(wrong)
}

fn parse_floor(text: &str) -> Result<FloorChoice, String> {
    match text {
        "keep" => Ok(FloorChoice::Keep),
        "auto" => Ok(FloorChoice::ToZero),
        _ => {
            let wrong = || format!("keep, auto or a height from -{MAX_HEIGHT} to {MAX_HEIGHT} m would be right");
            text.parse().ok().filter(|height: &f64| height.abs() <= MAX_HEIGHT).map(FloorChoice::At).ok_or_else(wrong)
        }
    }
}
