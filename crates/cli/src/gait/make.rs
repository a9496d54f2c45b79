//! `surefoot gait walk` and `gait run`.

use super::print_report::print_report;
use super::quantity::{
    Setting, Timed, parse_body_shape, parse_cadences, parse_direction, parse_frame_rate, parse_gaze, parse_length,
    parse_lengths, parse_levels, parse_limp, parse_lock, parse_names, parse_point, parse_setting, parse_speeds,
    parse_standing, parse_turn, parse_variability,
};
use crate::character_args::ScalePlanArg;
use crate::import_args::{ImportArgs, parse_unit};
use crate::motion_args::MotionArgs;
use crate::report::{Failure, Format};
use crate::run_job::run_job;
use crate::terrain_arg::TerrainArg;
use std::path::PathBuf;
use surefoot::jobs::InputRequest;
use surefoot::jobs::{
    BodyShapeRequest, CourseRequest, EndName, FootName, GaitControlRequest, GaitMotionRequest, GaitRunRequest,
    GaitWalkRequest, MAX_GAIT_STEPS, PaceParameter, PaceRequest, StyleRequest,
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
    /// Level of expertise, from -1 (poor) to 1 (skilled): longer steps and flights [default: 0.8, less above 15 km/h, or the preset's; 0 with --plain]
    #[arg(long, value_name = "-1..1", value_parser = parse_levels, allow_hyphen_values = true, help_heading = PARAMETERS)]
    level: Option<Timed<f64>>,
}

const PARAMETERS: &str = "Parameters (one gives the others, two the third)";
const STYLE: &str = "Style";
const WHO: &str = "Who moves";
const WHERE: &str = "Where to go";
const OUTPUT: &str = "Output";

/// What both gaits share.
#[derive(clap::Args)]
struct MakeArgs {
    #[command(flatten)]
    motion: MotionArgs,
    /// Frames per second of the motion, 1 to 1000 [default: 60]
    #[arg(long, value_name = "FPS", value_parser = parse_frame_rate, allow_negative_numbers = true, help_heading = OUTPUT)]
    frame_rate: Option<f64>,
    /// Write the footprints that were stepped on
    #[arg(long, value_name = "FILE.plan.json", help_heading = OUTPUT)]
    write_plan: Option<PathBuf>,
    /// Draw the hip-knee diagram of a stride as svg, or a contact sheet as png
    #[arg(long, alias = "plot", value_name = "FILE", help_heading = OUTPUT)]
    picture: Option<PathBuf>,
    /// Lay the diagram of a recording over it; may be given several times
    #[arg(long, value_name = "MOTION", requires = "picture", help_heading = OUTPUT)]
    compare: Vec<PathBuf>,
    #[command(flatten)]
    pace: PaceArgs,
    #[command(flatten)]
    style: StyleArgs,
    #[command(flatten)]
    who: WhoArgs,
    #[command(flatten)]
    route: RouteArgs,
    #[command(flatten)]
    import: ImportArgs,
}

#[derive(clap::Args)]
#[command(next_help_heading = PARAMETERS)]
struct PaceArgs {
    /// Speed: 5km/h, 1.4m/s, 83m/min; over time 0:4/5:12, seconds and values [default: 5 km/h walking and 12 km/h running at 1.8 m, alike at other heights]
    #[arg(long, value_parser = parse_speeds, allow_hyphen_values = true)]
    speed: Option<Timed<f64>>,
    /// From one foot's landing to the other's: 0.7m
    #[arg(long, value_name = "LENGTH", value_parser = parse_lengths, allow_hyphen_values = true)]
    step_length: Option<Timed<f64>>,
    /// Steps in a time: 110/min, 1.8/s
    #[arg(long, value_parser = parse_cadences, allow_hyphen_values = true)]
    cadence: Option<Timed<f64>>,
    /// What stays at its natural value, or the preset's, when another is given: speed, step-length or cadence
    #[arg(long, value_name = "PARAMETER", value_parser = parse_lock)]
    lock: Option<PaceParameter>,
}

#[derive(clap::Args)]
#[command(next_help_heading = STYLE)]
struct StyleArgs {
    /// A named walk or run (`surefoot gait list presets`), or a fitted one (`surefoot gait fit`). Several are mixed by their weights:
    /// --preset a.gait.toml:0.7 --preset tired:0.3. Over time: 0:normal/5:tired
    #[arg(long, value_name = "NAME|FILE.toml[:WEIGHT]")]
    preset: Vec<String>,
    /// Your own named walks and runs
    #[arg(long, value_name = "FILE.toml", requires = "preset")]
    presets: Option<PathBuf>,
    /// By the paper's equations alone, without what recorded people do beside
    #[arg(long)]
    plain: bool,
    /// Set an attribute (`surefoot gait list`): arm-swing=1.4, arm-out=30deg, over time arm-swing=0:1/4:2; may be given several times
    #[arg(long, value_name = "ATTRIBUTE=VALUE", value_parser = parse_setting)]
    set: Vec<Setting>,
    /// How much steps vary from stride to stride, 0 to 1, which is that of people [default: 0]
    #[arg(long, value_name = "0..1", value_parser = parse_variability, allow_hyphen_values = true)]
    variability: Option<f64>,
    /// Decides about the variability [default: 0]
    #[arg(long, value_name = "N", requires = "variability")]
    seed: Option<u64>,
    /// A leg that hurts, and how much from 0 to 1: left:0.4
    #[arg(long, value_name = "SIDE:0..1", value_parser = parse_limp)]
    limp: Option<(FootName, f64)>,
    /// A point that the person looks at, in metres [default: ahead, into turns]
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_point, allow_hyphen_values = true, conflicts_with = "gaze")]
    look_at: Option<[f64; 3]>,
    /// How far aside the person looks, -70 to 70 degrees, positive to the left
    #[arg(long, value_name = "DEG", value_parser = parse_gaze, allow_hyphen_values = true)]
    gaze: Option<f64>,
}

#[derive(clap::Args)]
#[command(next_help_heading = WHO)]
pub(super) struct WhoArgs {
    /// Height of our own figure, from 0.5 to 2.5 m [default: 1.8]
    #[arg(long, value_name = "LENGTH", value_parser = parse_length, allow_negative_numbers = true)]
    pub(super) height: Option<f64>,
    /// Its proportions, as factors on an adult's: leg=1.05,shin=1,arm=0.95,foot=1,shoulders=1,hips=1,head=1
    #[arg(long, value_name = "PART=FACTOR,..", value_parser = parse_body_shape)]
    pub(super) body_shape: Option<BodyShapeRequest>,
    /// Animate the character of a file instead: bvh, asf, amc, glb, gltf or fbx
    #[arg(long, value_name = "FILE", conflicts_with_all = ["height", "body_shape"])]
    on: Option<PathBuf>,
    /// Body map of the character that overrides the one found, as --body does
    #[arg(long, value_name = "MAP.toml", requires = "on", conflicts_with = "body")]
    on_body: Option<PathBuf>,
    /// Unit of the character's file, as --unit
    #[arg(long, value_name = "UNIT", requires = "on", value_parser = parse_unit, conflicts_with = "unit")]
    on_unit: Option<f64>,
    #[command(flatten)]
    scale_plan: ScalePlanArg,
}

impl WhoArgs {
    /// The character, read as the options for reading say.
    pub(super) fn character(&self, import: &ImportArgs) -> Result<Option<InputRequest>, Failure> {
        let Some(file) = &self.on else { return Ok(None) };
        let mut input = import.input(file, None)?;
        input.read.body = self.on_body.clone().or(input.read.body);
        input.read.unit_to_metre = self.on_unit.or(input.read.unit_to_metre);
        Ok(Some(input))
    }
}

#[derive(clap::Args)]
#[command(next_help_heading = WHERE)]
struct RouteArgs {
    /// How many steps, the last of which closes the feet [default: 10, or as many as the path takes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_GAIT_STEPS)))]
    steps: Option<u32>,
    /// Turn with each step, in degrees, positive to the left [default: 0]
    #[arg(long, value_name = "DEG", value_parser = parse_turn, allow_hyphen_values = true)]
    turn: Option<f64>,
    /// Where the steps lead from where the body faces: forward, back, left, right, or degrees to the left [default: forward]
    #[arg(long, value_parser = parse_direction, allow_hyphen_values = true)]
    direction: Option<f64>,
    /// The foot that steps first [default: left]
    #[arg(long, value_enum)]
    first: Option<Foot>,
    /// A path to follow
    #[arg(long, value_name = "FILE.path.json", conflicts_with_all = ["turn", "direction"])]
    path: Option<PathBuf>,
    /// Footprints to step on exactly. Those without times are taken at the natural pace of their lengths
    #[arg(
        long,
        value_name = "FILE.plan.json",
        conflicts_with_all = ["path", "steps", "turn", "direction", "first", "speed", "step_length", "cadence", "lock"]
    )]
    plan: Option<PathBuf>,
    #[command(flatten)]
    terrain: TerrainArg,
    /// How the motion begins [default: standing]
    #[arg(long, value_enum)]
    begin: Option<End>,
    /// How the motion ends [default: standing]
    #[arg(long, value_enum)]
    end: Option<End>,
    /// A stride that can be repeated: the last frame goes on as the first
    #[arg(long, conflicts_with_all = ["path", "plan", "steps", "begin", "end", "standing"])]
    cycle: bool,
    /// Strides of it, 1 to 1000 [default: 1]
    #[arg(long, value_name = "N", requires = "cycle", value_parser = clap::value_parser!(u32).range(1..=1000))]
    cycles: Option<u32>,
    /// Takes the travel out of it, for programs that move the character themselves
    #[arg(long, requires = "cycle")]
    in_place: bool,
    /// Seconds of standing before and after [default: 0.5]
    #[arg(long, value_name = "S", value_parser = parse_standing, allow_negative_numbers = true)]
    standing: Option<f64>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Foot {
    Left,
    Right,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum End {
    Standing,
    Moving,
}

impl From<End> for EndName {
    fn from(end: End) -> EndName {
        match end {
            End::Standing => EndName::Standing,
            End::Moving => EndName::Moving,
        }
    }
}

/// Whether a preset is one of a time: `0:normal/5:tired`. A weight follows a name: `tired:0.3`.
fn is_schedule(preset: &str) -> bool {
    preset.split_once(':').is_some_and(|(time, _)| time.trim().trim_end_matches('s').parse::<f64>().is_ok())
}

impl StyleArgs {
    /// Presets over time.
    fn scheduled_presets(&self) -> Result<Vec<(f64, String)>, Failure> {
        let Some(text) = self.preset.iter().find(|preset| is_schedule(preset)) else { return Ok(Vec::new()) };
        if self.preset.len() > 1 {
            let message = "--preset: presets over time go alone; 0:normal/5:tired has all of them";
            return Err(Failure::new("usage", message));
        }
        let names = parse_names(text).map_err(|error| Failure::new("usage", format!("--preset {text}: {error}")))?;
        Ok(names.points().to_vec())
    }
}

/// A value alone, or a schedule.
fn alone<T: Clone>(values: &Option<Timed<T>>) -> Option<T> {
    values.as_ref().filter(|values| values.is_constant()).map(|values| values.points()[0].1.clone())
}

/// The points of a schedule; none of a value alone.
fn points<T: Clone>(values: &Option<Timed<T>>) -> Vec<(f64, T)> {
    values.as_ref().filter(|values| !values.is_constant()).map_or_else(Vec::new, |values| values.points().to_vec())
}

impl WalkArgs {
    /// Runs `gait walk`.
    pub(super) fn run(&self, format: Format) -> Result<(), Failure> {
        let request = GaitWalkRequest(self.make.request(PaceRequest::default(), &None)?);
        run_job(&request, format, |report| print_report(report, self.make.route.is_given()))
    }
}

impl RunArgs {
    /// Runs `gait run`.
    pub(super) fn run(&self, format: Format) -> Result<(), Failure> {
        let flight =
            PaceRequest { flight_height: self.flight_height, level: alone(&self.level), ..PaceRequest::default() };
        let request = GaitRunRequest(self.make.request(flight, &self.level)?);
        run_job(&request, format, |report| print_report(report, self.make.route.is_given()))
    }
}

impl RouteArgs {
    /// Whether any option gives how far to go.
    fn is_given(&self) -> bool {
        self.steps.is_some() || self.path.is_some() || self.plan.is_some() || self.cycle
    }

    fn request(&self) -> CourseRequest {
        CourseRequest {
            steps: self.steps,
            turn_degrees: self.turn,
            direction_degrees: self.direction,
            first: self.first.map(|foot| match foot {
                Foot::Left => FootName::Left,
                Foot::Right => FootName::Right,
            }),
            path: self.path.clone(),
            plan: self.plan.clone(),
            standing: self.standing,
            jump: None,
        }
    }
}

impl MakeArgs {
    fn request(&self, flight: PaceRequest, level: &Option<Timed<f64>>) -> Result<GaitMotionRequest, Failure> {
        if self.who.on.is_none() && self.import.is_any_given() {
            let message = if self.import.source_rate.is_some() {
                "--frame-rate is the rate of the motion; --source-rate (--fps) is that of a character's file: --on names it"
            } else {
                "options for reading, such as --unit and --body, go with a file to read: --on names it"
            };
            return Err(Failure::new("usage", message));
        }
        let PaceArgs { speed, step_length, cadence, lock } = &self.pace;
        let set = |setting: &Setting| Some((setting.name.clone(), alone(&Some(setting.values.clone()))?));
        let scheduled = |setting: &Setting| {
            let points = points(&Some(setting.values.clone()));
            (!points.is_empty()).then(|| (setting.name.clone(), points))
        };
        let control = GaitControlRequest {
            speed: points(speed),
            step_length: points(step_length),
            cadence: points(cadence),
            level: points(level),
            preset: self.style.scheduled_presets()?,
            set: self.style.set.iter().filter_map(scheduled).collect(),
            begin: self.route.begin.map(EndName::from),
            end: self.route.end.map(EndName::from),
            variability: self.style.variability,
            seed: self.style.seed,
            limp: self.style.limp,
            look_at: self.style.look_at,
            gaze_degrees: self.style.gaze,
            cycles: self.route.cycle.then(|| self.route.cycles.unwrap_or(1)),
            in_place: self.route.in_place,
        };
        Ok(GaitMotionRequest {
            output: self.motion.output()?,
            frame_rate: self.frame_rate,
            pace: PaceRequest {
                speed: alone(speed),
                step_length: alone(step_length),
                cadence: alone(cadence),
                lock: *lock,
                ..flight
            },
            control,
            style: StyleRequest {
                preset: self.style.preset.iter().filter(|preset| !is_schedule(preset)).cloned().collect(),
                presets: self.style.presets.clone(),
                plain: self.style.plain,
                set: self.style.set.iter().filter_map(set).collect(),
            },
            height: self.who.height,
            body_shape: self.who.body_shape,
            on: self.who.character(&self.import)?,
            scale_plan: self.who.scale_plan.request(),
            course: self.route.request(),
            terrain: self.route.terrain.request(),
            write_contacts: self.motion.write_contacts.clone(),
            write_plan: self.write_plan.clone(),
            picture: self.picture.clone(),
            compare: self.compare.clone(),
            diagrams: false,
            report: self.motion.report.report.clone(),
            if_exists: self.motion.force.if_exists(),
        })
    }
}
