//! `surefoot gait walk` and `gait run`.

use super::quantity::{
    Setting, parse_body_shape, parse_cadence, parse_direction, parse_frame_rate, parse_length, parse_lock,
    parse_setting, parse_speed, parse_standing, parse_turn,
};
use super::read_own;
use super::tell::{notes, parameters_json, round, told_parameters, value_json};
use crate::edited_motion::body_of;
use crate::import_args::ImportArgs;
use crate::output::{Force, check_distinct, check_svg, output_format};
use crate::report::{Failure, Format, print_result, say, tell_import};
use crate::terrain_arg::TerrainArg;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use surefoot::contact::{DetectOptions, FootPlan, Take};
use surefoot::formats::gltf::BodyMesh;
use surefoot::formats::{Import, own};
use surefoot::gait::equations::DEFAULT_HEIGHT;
use surefoot::gait::{
    AttributeValue, Gait, LayError, LayOptions, Parameter, ParameterError, RunWishes, Style, StyleError, Wishes,
};
use surefoot::ground;
use surefoot::motion::{BodyMap, PersonOptions, Side};
use surefoot::plan::StepError;
use surefoot::{
    ConvertOptions, GaitError, GaitRequest, GaitTake, LoadOptions, Mover, Way, choose_style, convert, gait_attribute,
    load, make_gait, plot_hip_knee,
};

/// Arguments of `gait walk`.
#[derive(clap::Args)]
pub(crate) struct WalkArgs {
    #[command(flatten)]
    make: MakeArgs,
}

/// Arguments of `gait run`.
#[derive(clap::Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    make: MakeArgs,
    /// How high the pelvis rises in flight, in metres [default: as the duration of flight makes it]
    #[arg(long, value_name = "LENGTH", value_parser = parse_length, allow_negative_numbers = true, help_heading = PARAMETERS)]
    flight_height: Option<f64>,
    /// Level of expertise, from -1 (poor) to 1 (skilled): longer steps and flights [default: 0, or the preset's]
    #[arg(long, value_name = "-1..1", allow_hyphen_values = true, help_heading = PARAMETERS)]
    level: Option<f64>,
}

const PARAMETERS: &str = "Parameters (one gives the others, two the third)";
const STYLE: &str = "Style";
const WHO: &str = "Who moves";
const WHERE: &str = "Where to go";
const OUTPUT: &str = "Output";

/// What both gaits share.
#[derive(clap::Args)]
struct MakeArgs {
    /// The motion: bvh, glb or gltf by its ending
    #[arg(long, short, value_name = "FILE", help_heading = OUTPUT)]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
    /// Frames per second of the motion
    #[arg(long, value_name = "FPS", default_value = "60", value_parser = parse_frame_rate, allow_negative_numbers = true, help_heading = OUTPUT)]
    frame_rate: f64,
    /// Write when heels and balls stand
    #[arg(long, visible_alias = "write-contacts", value_name = "FILE.contacts.json", help_heading = OUTPUT)]
    contacts: Option<PathBuf>,
    /// Write the footprints that were walked
    #[arg(long, value_name = "FILE.plan.json", help_heading = OUTPUT)]
    write_plan: Option<PathBuf>,
    /// Draw the hip-knee diagram of a stride
    #[arg(long, value_name = "FILE.svg", help_heading = OUTPUT)]
    plot: Option<PathBuf>,
    /// Lay the diagram of a recording over it; may be given several times
    #[arg(long, value_name = "MOTION", requires = "plot", help_heading = OUTPUT)]
    compare: Vec<PathBuf>,
    #[command(flatten)]
    pace: PaceArgs,
    #[command(flatten)]
    style: StyleArgs,
    #[command(flatten)]
    who: WhoArgs,
    #[command(flatten)]
    way: WayArgs,
    #[command(flatten)]
    import: ImportArgs,
}

#[derive(clap::Args)]
#[command(next_help_heading = PARAMETERS)]
struct PaceArgs {
    /// Speed: 5km/h, 1.4m/s, 83m/min [default: 5 km/h walking and 12 km/h running at 1.8 m, alike at other heights]
    #[arg(long, value_parser = parse_speed, allow_negative_numbers = true)]
    speed: Option<f64>,
    /// From one foot's landing to the other's: 0.7m
    #[arg(long, value_name = "LENGTH", value_parser = parse_length, allow_negative_numbers = true)]
    step_length: Option<f64>,
    /// Steps in a time: 110/min, 1.8/s
    #[arg(long, value_parser = parse_cadence, allow_negative_numbers = true)]
    cadence: Option<f64>,
    /// What stays at its natural value, or the preset's, when another is given: speed, step-length or cadence
    #[arg(long, value_name = "PARAMETER", value_parser = parse_lock)]
    lock: Option<Parameter>,
}

#[derive(clap::Args)]
#[command(next_help_heading = STYLE)]
struct StyleArgs {
    /// A named walk or run (`surefoot gait list presets`)
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Your own named walks and runs
    #[arg(long, value_name = "FILE.toml", requires = "preset")]
    presets: Option<PathBuf>,
    /// Set an attribute (`surefoot gait list`): arm-swing=1.4, arm-out=30deg; may be given several times
    #[arg(long, value_name = "ATTRIBUTE=VALUE", value_parser = parse_setting)]
    set: Vec<Setting>,
}

#[derive(clap::Args)]
#[command(next_help_heading = WHO)]
struct WhoArgs {
    /// Height of our own figure, from 0.5 to 2.5 m [default: 1.8]
    #[arg(long, value_name = "LENGTH", value_parser = parse_length, allow_negative_numbers = true)]
    height: Option<f64>,
    /// Its proportions, as factors on an adult's: leg=1.05,shin=1,arm=0.95,foot=1,shoulders=1,hips=1,head=1
    #[arg(long, value_name = "PART=FACTOR,..", value_parser = parse_body_shape)]
    body_shape: Option<PersonOptions>,
    /// The skeleton of a file moves instead: bvh, asf, amc, glb, gltf or fbx
    #[arg(long, value_name = "FILE", conflicts_with_all = ["height", "body_shape"])]
    on: Option<PathBuf>,
}

#[derive(clap::Args)]
#[command(next_help_heading = WHERE)]
struct WayArgs {
    /// How many steps, the last of which closes the feet [default: 10, or as many as the path takes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_STEPS))]
    steps: Option<u32>,
    /// Turn with each step, in degrees, positive to the left [default: 0]
    #[arg(long, value_name = "DEG", value_parser = parse_turn, allow_hyphen_values = true)]
    turn: Option<f64>,
    /// Where the way goes from where the body faces: forward, back, left, right, or degrees to the left [default: forward]
    #[arg(long, value_parser = parse_direction, allow_hyphen_values = true)]
    direction: Option<f64>,
    /// The foot that steps first [default: left]
    #[arg(long, value_enum)]
    first: Option<Foot>,
    /// A path to follow
    #[arg(long, value_name = "FILE.path.json", conflicts_with_all = ["turn", "direction"])]
    path: Option<PathBuf>,
    /// Footprints to step on exactly. Those that tell no times are taken at the natural pace of their lengths
    #[arg(
        long,
        value_name = "FILE.plan.json",
        conflicts_with_all = ["path", "steps", "turn", "direction", "first", "speed", "step_length", "cadence", "lock"]
    )]
    plan: Option<PathBuf>,
    #[command(flatten)]
    terrain: TerrainArg,
    /// Seconds of standing before and after
    #[arg(long, value_name = "S", default_value = "0.5", value_parser = parse_standing, allow_negative_numbers = true)]
    standing: f64,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Foot {
    Left,
    Right,
}

/// Most steps of a command: more than an hour of walking.
const MAX_STEPS: i64 = 10_000;

impl WalkArgs {
    /// Runs `gait walk`.
    pub(super) fn run(&self, format: Format) -> Result<(), Failure> {
        let wishes = RunWishes { stride: self.make.pace.wishes(), ..RunWishes::default() };
        self.make.run(Gait::Walk, wishes, format)
    }
}

impl RunArgs {
    /// Runs `gait run`.
    pub(super) fn run(&self, format: Format) -> Result<(), Failure> {
        let stride = self.make.pace.wishes();
        self.make.run(Gait::Run, RunWishes { stride, flight_height: self.flight_height, level: self.level }, format)
    }
}

impl PaceArgs {
    fn wishes(&self) -> Wishes {
        Wishes { speed: self.speed, step_length: self.step_length, cadence: self.cadence }
    }
}

/// The files that say where to go and who does.
struct Inputs {
    style: Style,
    set: Vec<(String, AttributeValue)>,
    terrain: Option<ground::Terrain>,
    path: Option<ground::Path>,
    plan: Option<FootPlan>,
    /// A skeleton from a file, with its body.
    import: Option<(Import, BodyMap)>,
}

impl MakeArgs {
    fn run(&self, gait: Gait, wishes: RunWishes, format: Format) -> Result<(), Failure> {
        self.check_outputs(format)?;
        let inputs = self.read(gait)?;
        let made = self.make(&inputs, wishes)?;
        let mut notes = notes(&made, inputs.plan.is_some());
        if self.pace.lock.is_some() && wishes.stride.count() == 0 {
            notes
                .push("--lock holds one of speed, step length and cadence while another is given; none is".to_string());
        }
        let plot = self.draw(gait, &made, &mut notes)?;
        if format == Format::Human {
            self.tell(&inputs, &made, &notes);
        }
        let written = self.write(&inputs, &made, plot.as_deref(), format)?;
        if format == Format::Json {
            print_result(&format!("gait {gait}"), &self.to_json(&inputs, &made, &notes, &written))?;
        }
        Ok(())
    }

    /// Refuses outputs that cannot be written, before any work is done.
    fn check_outputs(&self, format: Format) -> Result<(), Failure> {
        output_format(&self.output)?;
        self.plot.as_deref().map_or(Ok(()), check_svg)?;
        check_distinct(self.outputs())?;
        self.outputs().try_for_each(|path| self.force.check(path, format))
    }

    fn outputs(&self) -> impl Iterator<Item = &Path> {
        let more = [&self.contacts, &self.write_plan, &self.plot].into_iter().flatten();
        std::iter::once(&self.output).chain(more).map(PathBuf::as_path)
    }

    fn read(&self, gait: Gait) -> Result<Inputs, Failure> {
        if self.who.on.is_none() && self.import.is_any_given() {
            let message = "options for reading, such as --unit and --body, go with a file to read: --on names it";
            return Err(Failure::new("usage", message));
        }
        let users = read_own(self.style.presets.as_deref(), own::read_styles)?.unwrap_or_default();
        let style = match &self.style.preset {
            None => Style { name: gait.to_string(), ..Style::natural(gait) },
            Some(name) => choose_style(name, gait, &users)
                .map_err(|error| Failure::new("style", format!("--preset {name}: {error}")))?,
        };
        let set = self.style.set.iter().map(|setting| check_unit(setting, gait)).collect::<Result<_, _>>()?;
        let path = read_own(self.way.path.as_deref(), own::read_path)?;
        let plan = read_own(self.way.plan.as_deref(), own::read_plan)?;
        let import = self.who.on.as_deref().map(|file| {
            let import = self.import.load(file)?;
            let body = body_of(file, &import)?;
            Ok::<_, Failure>((import, body))
        });
        Ok(Inputs { style, set, terrain: self.way.terrain.load()?, path, plan, import: import.transpose()? })
    }

    fn make(&self, inputs: &Inputs, wishes: RunWishes) -> Result<GaitTake, Failure> {
        let mover = match &inputs.import {
            None => {
                let shape = self.who.body_shape.unwrap_or_default();
                Mover::Own(PersonOptions { height: self.who.height.unwrap_or(shape.height), ..shape })
            }
            Some((import, body)) => {
                Mover::Skeleton { skeleton: import.clip.skeleton.clone(), body, poses: import.clip.poses() }
            }
        };
        let options = LayOptions {
            n_steps: self.way.steps.map(|steps| steps as usize),
            turn: self.way.turn.unwrap_or(0.0).to_radians(),
            direction: self.way.direction.unwrap_or(0.0).to_radians(),
            first: match self.way.first {
                None | Some(Foot::Left) => Side::Left,
                Some(Foot::Right) => Side::Right,
            },
            path: inputs.path.as_ref(),
            ..LayOptions::default()
        };
        let request = GaitRequest {
            mover,
            style: &inputs.style,
            wishes,
            lock: self.pace.lock,
            set: &inputs.set,
            way: inputs.plan.as_ref().map_or(Way::Steps(&options), Way::Plan),
            terrain: inputs.terrain.as_ref(),
            frame_rate: self.frame_rate,
            standing: self.way.standing,
        };
        make_gait(&request).map_err(|error| self.failure(error))
    }

    /// An error, with the file or option that it came from.
    fn failure(&self, error: GaitError) -> Failure {
        let message = error.to_string();
        let of = |kind: &str, file: &Option<PathBuf>| match file {
            Some(file) => Failure::of_file(kind, file, message.clone()),
            None => Failure::new(kind, message.clone()),
        };
        match error {
            GaitError::Person(error) if error.field == "height" => Failure::new("body", format!("--height: {message}")),
            GaitError::Person(_) => Failure::new("body", format!("--body-shape: {message}")),
            GaitError::Rig(_) => of("body", &self.who.on),
            GaitError::Style(StyleError::Parameter(ParameterError::OutOfRange {
                parameter: Parameter::BodyHeight,
                ..
            })) => match &self.who.on {
                Some(file) => Failure::of_file("body", file, format!("{message}; --unit gives another size")),
                None => Failure::new("body", message),
            },
            GaitError::Style(_) => Failure::new("parameter", message),
            GaitError::Set(_) => Failure::new("attribute", format!("--set: {message}")),
            GaitError::Lay(LayError::TooSteep { .. }) => Failure::new("infeasible", message),
            GaitError::Lay(LayError::TooMany { .. }) => Failure::new("too_long", message),
            GaitError::Lay(_) => Failure::new("usage", message),
            GaitError::Step(StepError::TooLong { .. }) | GaitError::TooLong { .. } => Failure::new("too_long", message),
            GaitError::Step(StepError::Option { .. }) => Failure::new("usage", message),
            GaitError::Step(_) | GaitError::Missed(_) if self.way.plan.is_some() => of("infeasible", &self.way.plan),
            GaitError::Step(_) | GaitError::Missed(_) if self.way.path.is_some() => of("infeasible", &self.way.path),
            GaitError::Step(_) => {
                let less = "less speed, shorter steps, a smaller turn or another ground would do";
                Failure::new("infeasible", format!("{message}; {less} (--speed, --step-length, --turn, --terrain)"))
            }
            GaitError::Missed(_) => Failure::new("infeasible", message),
        }
    }

    /// The hip-knee diagram, over those of recordings.
    fn draw(&self, gait: Gait, made: &GaitTake, notes: &mut Vec<String>) -> Result<Option<String>, Failure> {
        let Some(path) = &self.plot else { return Ok(None) };
        let mut takes = vec![(made.take.clip.name.clone(), made.take.clone())];
        let draw = |takes: &[(String, Take)]| {
            let named: Vec<_> = takes.iter().map(|(name, take)| (&**name, take)).collect();
            plot_hip_knee(&format!("Hip and knee in a stride: {gait}"), &named)
        };
        if draw(&takes).is_none() {
            let message =
                "a diagram needs a whole stride, which this motion has not; 8 steps or more would do (--steps)";
            return Err(Failure::of_file("usage", path, message));
        }
        for file in &self.compare {
            let recording = read_recording(file)?;
            if draw(std::slice::from_ref(&recording)).is_none() {
                notes.push(format!("{} has no stride that could be compared", file.display()));
            }
            takes.push(recording);
        }
        Ok(draw(&takes))
    }

    /// Tells what was assumed and made.
    fn tell(&self, inputs: &Inputs, made: &GaitTake, notes: &[String]) {
        let style = &inputs.style;
        if let Some((import, _)) = &inputs.import {
            tell_import(import);
        }
        let whose = if inputs.import.is_some() { "this skeleton" } else { "our own figure" };
        say(&format!("{}: {}, {} m tall", style.name, whose, round(made.height, 3)));
        if !style.what.is_empty() && self.style.preset.is_some() {
            say(&format!("  {}", style.what));
        }
        if inputs.plan.is_none() {
            say(&format!("  {}", told_parameters(made)));
        }
        if !made.set.is_empty() {
            let catalogue = style.gait.catalogue();
            let set = made.set.iter().map(|(name, value)| {
                let unit = catalogue.iter().find(|info| info.name == *name).map_or("", |info| info.unit.name());
                format!("{name} {value} {unit}").trim_end().to_string()
            });
            say(&format!("  set: {}", set.collect::<Vec<_>>().join(", ")));
        }
        let clip = &made.take.clip;
        let n_steps = made.plan.footprints.len().saturating_sub(2);
        let assumed = if self.way.steps.is_none() && self.way.path.is_none() && self.way.plan.is_none() {
            " (--steps, --path or --plan ask for others)"
        } else {
            ""
        };
        say(&format!("  {n_steps} steps in {:.2} s{assumed}", clip.n_frames() as f64 / clip.frame_rate));
        say(&format!("  planted feet stand within {:.4} mm of their places", 1000.0 * made.largest_error));
        notes.iter().for_each(|note| say(&format!("  note[gait] {note}")));
    }

    fn write(&self, inputs: &Inputs, made: &GaitTake, plot: Option<&str>, format: Format) -> Result<Value, Failure> {
        let take = &made.take;
        let bvh_channels = inputs.import.as_ref().and_then(|(import, _)| import.bvh_channels.as_deref());
        let options = ConvertOptions { body_mesh: BodyMesh::With, bvh_channels, ..ConvertOptions::default() };
        let output_format = output_format(&self.output)?;
        let converted = convert(&take.clip, Some(&made.take.body), Some(&take.contacts), output_format, &options)
            .map_err(|error| Failure::of_file("output", &self.output, error.to_string()))?;
        let contacts = own::write_contacts(&take.contacts);
        let plan = own::write_plan(&made.plan);
        let more = [(&self.contacts, Some(&*contacts)), (&self.write_plan, Some(&*plan)), (&self.plot, plot)];
        self.force.write(&self.output, &converted.bytes)?;
        if format == Format::Human {
            if !converted.widened.is_empty() {
                let names = converted.widened.join(", ");
                say(&format!("  note[channels] the motion does not fit the channels of {names}; they were widened"));
            }
            let n_frames = take.clip.n_frames();
            say(&format!("wrote {}: {n_frames} frames, {}", self.output.display(), converted.convention));
        }
        for (path, text) in more {
            let (Some(path), Some(text)) = (path, text) else { continue };
            self.force.write(path, text.as_bytes())?;
            if format == Format::Human {
                say(&format!("wrote {}", path.display()));
            }
        }
        let shown = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        Ok(json!({
            "output": self.output.display().to_string(),
            "contacts_output": shown(&self.contacts),
            "plan_output": shown(&self.write_plan),
            "plot_output": shown(&self.plot),
            "frames": take.clip.n_frames(),
            "frame_rate": take.clip.frame_rate,
            "bytes": converted.bytes.len(),
            "convention": converted.convention,
            "widened": converted.widened,
        }))
    }

    fn to_json(&self, inputs: &Inputs, made: &GaitTake, notes: &[String], written: &Value) -> Value {
        let catalogue = inputs.style.gait.catalogue();
        let attributes: Map<String, Value> = catalogue
            .iter()
            .filter_map(|info| Some((info.name.to_string(), value_json(gait_attribute(&made.manner, info.name)?))))
            .collect();
        json!({
            "gait": inputs.style.gait.name(),
            "preset": self.style.preset,
            "on": self.who.on.as_ref().map(|path| path.display().to_string()),
            "height": made.height,
            "parameters": if inputs.plan.is_some() { Value::Null } else { parameters_json(made) },
            "attributes": attributes,
            "set": made.set.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
            "footprints": made.plan.footprints.len(),
            "steps": made.plan.footprints.len().saturating_sub(2),
            "seconds": made.take.clip.n_frames() as f64 / made.take.clip.frame_rate,
            "flights": made.flight.map(|flight| json!({
                "count": flight.count, "median_seconds": flight.duration, "median_height": flight.height,
            })),
            "largest_plant_error_mm": 1000.0 * made.largest_error,
            "notes": notes,
            "written": written,
        })
    }
}

/// A unit that was typed must be the attribute's own.
fn check_unit(setting: &Setting, gait: Gait) -> Result<(String, AttributeValue), Failure> {
    let info = gait.catalogue().into_iter().find(|info| info.name == setting.name);
    if let (Some(info), Some(unit)) = (info, setting.unit)
        && info.unit != unit
    {
        let needed = info.show_range(DEFAULT_HEIGHT);
        let message = format!("--set: {} is not given in {}: it takes {needed}", setting.name, unit.name());
        return Err(Failure::new("attribute", message));
    }
    Ok((setting.name.clone(), setting.value))
}

/// A recording with its contacts, to compare with.
fn read_recording(file: &Path) -> Result<(String, Take), Failure> {
    let import = load(file, &LoadOptions::default())?;
    let taken = import.into_take(&DetectOptions::default()).map_err(|error| surefoot::jobs::no_body(file, error))?;
    let name = file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    Ok((name, taken.take))
}
