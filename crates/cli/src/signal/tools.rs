//! The options of each tool, as words: what they mean is read where recipes are read.

use super::edit_clip::{EditedArgs, edit_clip};
use crate::report::{Failure, Format};
use std::path::{Path, PathBuf};
use surefoot::formats::own::EditWords;

/// Arguments of a tool.
#[derive(clap::Args)]
pub(super) struct ToolArgs<T: clap::Args + ToolWords> {
    /// Motion file: bvh, amc, glb, gltf, fbx or take; `-` is what another command passes on
    input: PathBuf,
    #[command(flatten)]
    tool: T,
    #[command(flatten)]
    edited: EditedArgs,
}

/// The options of a tool as a recipe would have them.
pub(super) trait ToolWords {
    fn words(&self) -> EditWords;

    /// Whether feet are locked afterwards without being asked for.
    fn keeps_plants(&self) -> bool {
        false
    }

    /// Takes the motion that `--to` named before it named a format. Most tools never had one.
    fn take_old_to(&self, _words: EditWords, _file: &Path) -> Option<EditWords> {
        None
    }
}

impl<T: clap::Args + ToolWords> ToolArgs<T> {
    pub(super) fn run(&self, format: Format) -> Result<(), Failure> {
        let words = self.tool.words();
        let words = match self.edited.edit.old_to() {
            None => words,
            Some(file) => match self.tool.take_old_to(words, file) {
                Some(words) => words,
                None => return self.edited.edit.check_to(),
            },
        };
        let edits = self.edited.edits(None, Some(&words), self.tool.keeps_plants());
        edit_clip(&self.input, edits, &self.edited, format)
    }
}

/// Which joints.
#[derive(clap::Args)]
pub(super) struct JointsArg {
    /// Only these joints: groups, names, or `Name..` for a joint and all below it, such as legs,arms,LeftForeArm
    #[arg(long, value_name = "JOINTS")]
    joints: Option<String>,
}

/// How frames of two clips correspond.
#[derive(clap::Args)]
#[command(next_help_heading = "Registration in time")]
pub(super) struct RegisterArgs {
    /// What decides which frames correspond: the movement, foot contacts with the movement between them, the paper's own
    /// path, or nothing (frame by frame) [default: movement]
    #[arg(long, value_parser = ["movement", "contacts", "paper", "frames"])]
    register: Option<String>,
    #[command(flatten)]
    search: SearchArgs,
}

/// How the movement of two clips is compared.
#[derive(clap::Args)]
pub(super) struct SearchArgs {
    /// How much joints count, such as legs=2,arms=0; all others count 1
    #[arg(long, value_name = "JOINTS=WEIGHT,..")]
    weigh: Option<String>,
    #[command(flatten)]
    path: PathArgs,
}

/// The path of a warp.
#[derive(clap::Args)]
pub(super) struct PathArgs {
    /// How many frames of one clip may pass with one of the other, 1 to 32
    #[arg(long, value_name = "FRAMES", allow_negative_numbers = true)]
    max_slope: Option<String>,
    /// Smooth the path that is found over so many seconds [default: fitted between frames instead]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    smoothing: Option<String>,
}

impl RegisterArgs {
    fn add_to(&self, words: EditWords) -> EditWords {
        self.search.add_to(words.with("register", &self.register))
    }
}

impl SearchArgs {
    fn add_to(&self, words: EditWords) -> EditWords {
        self.path.add_to(words.with("weigh", &self.weigh))
    }
}

impl PathArgs {
    fn add_to(&self, words: EditWords) -> EditWords {
        words.with("max-slope", &self.max_slope).with("smoothing", &self.smoothing)
    }
}

fn shown(paths: &[PathBuf]) -> impl Iterator<Item = String> {
    paths.iter().map(|path| path.to_string_lossy().into_owned())
}

/// Options of `equalize`.
#[derive(clap::Args)]
pub(super) struct EqualizeArgs {
    /// Gains of bands: 2=1.8 (0 is the fastest), 2-4=1.5, or by frequency, 1-3Hz=1.5; 1 changes nothing, 0 takes a band
    /// away, below 0 it is turned around
    #[arg(long, value_name = "BANDS=GAIN,..", required_unless_present = "preset")]
    gain: Option<String>,
    /// Gains by name
    #[arg(long, conflicts_with = "gain", value_parser = ["exaggerate", "nervous", "tone-down", "anticipate", "cartoon"])]
    preset: Option<String>,
    /// How much of a preset: 0 is none, 1 all of it [default: 1]
    #[arg(long, value_name = "AMOUNT", requires = "preset", allow_negative_numbers = true)]
    amount: Option<String>,
    /// What is taken for frames beyond the ends; point-reflect goes on as the motion does [default: reflect, or what
    /// the preset wants]
    #[arg(long, value_parser = ["reflect", "hold", "point-reflect"])]
    edge: Option<String>,
    /// Edit where joints are instead of how they are turned: limbs squash and stretch
    #[arg(long)]
    positions: bool,
    #[command(flatten)]
    joints: JointsArg,
}

impl ToolWords for EqualizeArgs {
    fn words(&self) -> EditWords {
        EditWords::new("equalize")
            .with("gain", &self.gain)
            .with("preset", &self.preset)
            .with("amount", &self.amount)
            .with("edge", &self.edge)
            .with_flag("positions", self.positions)
            .with("joints", &self.joints.joints)
    }
}

pub(super) const EQUALIZE_EXAMPLES: &str = "\
Examples:
  surefoot signal equalize walk.bvh --preset exaggerate -o big.bvh --keep-plants
  surefoot signal equalize walk.bvh --gain 2=1.8,3=1.8 --joints arms -o swing.glb --picture bands.svg
  surefoot signal equalize walk.bvh --gain 8-60Hz=0 -o smooth.bvh";

/// Options of `blend`.
#[derive(clap::Args)]
pub(super) struct BlendArgs {
    /// Another clip; give it again for more
    #[arg(long, value_name = "CLIP", required = true)]
    with: Vec<PathBuf>,
    /// Shares of the other clips, such as 0.3 (the edited clip has the rest), or of all, such as 0.7,0.3; over seconds
    /// as 0:0/2:1 [default: all alike]
    #[arg(long, value_name = "SHARES", allow_hyphen_values = true)]
    weights: Option<String>,
    /// Shares for some joints, such as arms=0.2,0.8, or for some bands, such as all@0-2=1,0; give it again for more
    #[arg(long, value_name = "JOINTS[@BANDS]=SHARES")]
    part: Vec<String>,
    /// Shares in the timing, as --weights has them [default: as in the movement]
    #[arg(long, value_name = "SHARES", allow_negative_numbers = true)]
    timing: Option<String>,
    #[command(flatten)]
    joints: JointsArg,
    #[command(flatten)]
    register: RegisterArgs,
}

impl ToolWords for BlendArgs {
    fn words(&self) -> EditWords {
        let words = EditWords::new("blend")
            .with("with", shown(&self.with))
            .with("weights", &self.weights)
            .with("part", &self.part)
            .with("timing", &self.timing)
            .with("joints", &self.joints.joints);
        self.register.add_to(words)
    }
}

pub(super) const BLEND_EXAMPLES: &str = "\
Examples:
  surefoot signal blend slow.bvh --with fast.bvh -o between.bvh --keep-plants
  surefoot signal blend walk.bvh --with run.bvh --weights 0:0/3:1 -o faster.glb
  surefoot signal blend walk.bvh --with happy.bvh --weights 0 --part arms=1 -o arms.bvh
  surefoot signal blend march.bvh --with stagger.bvh --weights 0 --timing 0.5 -o pace.bvh";

/// Options of `warp`.
#[derive(clap::Args)]
pub(super) struct WarpArgs {
    /// The clip whose pace is taken
    #[arg(long, value_name = "CLIP", required_unless_present = "to")]
    pace: Option<PathBuf>,
    /// How much of it: 0 is the clip's own pace, 1 the other's; over seconds as 0:0/2:1 [default: 1]
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    amount: Option<String>,
    #[command(flatten)]
    register: RegisterArgs,
}

impl ToolWords for WarpArgs {
    fn words(&self) -> EditWords {
        let words = EditWords::new("warp").with("to", shown(self.pace.as_slice())).with("amount", &self.amount);
        self.register.add_to(words)
    }

    fn take_old_to(&self, words: EditWords, file: &Path) -> Option<EditWords> {
        self.pace.is_none().then(|| words.with("to", shown(&[file.to_path_buf()])))
    }
}

pub(super) const WARP_EXAMPLES: &str = "\
Examples:
  surefoot signal warp march.bvh --pace stagger.bvh -o march-at-the-drunken-pace.bvh --picture warp.svg
  surefoot signal warp march.bvh --pace stagger.bvh --amount 0.5 --register contacts -o half.glb --keep-plants";

/// Options of `shape`.
#[derive(clap::Args)]
pub(super) struct ShapeArgs {
    /// A function by name, some with a number: identity, clip:0.7, soft-clip:0.7, flatten:0.5, exaggerate:1.5,
    /// exaggerate-middle, calm-middle:0.3, undulate:3, bump:0.25, step:0.2, quantise:4, dead-zone:0.25
    #[arg(long, value_name = "NAME[:NUMBER]", required_unless_present_any = ["points", "limit", "body_limits"])]
    shape: Option<String>,
    /// A function through points of your own, from -1 to 1: -1:-1/0:0.3/1:1
    #[arg(long, value_name = "X:Y/..", conflicts_with = "shape", allow_hyphen_values = true)]
    points: Option<String>,
    /// What -1 and 1 are: own (each row's own extremes), mean (as far from its mean), degrees such as -30..90deg, or
    /// metres such as 0..0.2m [default: own]
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    range: Option<String>,
    /// Factor on what goes in, over seconds as 0:1/2:0.5 [default: 1]
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    drive: Option<String>,
    /// How much of the change is made, over seconds as 0:0/2:1 [default: 1]
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    mix: Option<String>,
    /// Only these components of rotations and offsets, such as xz
    #[arg(long, value_name = "XYZ")]
    components: Option<String>,
    /// Cap angles of joints, in degrees: LeftLeg.x=0..120, knees.flexion=0..120, left-elbow.twist=..80; axes are x
    /// (flexion), z (abduction) and y (twist); give it again for more
    #[arg(long, value_name = "JOINT.AXIS=LOW..HIGH", allow_hyphen_values = true)]
    limit: Vec<String>,
    /// Cap angles where bodies have their limits
    #[arg(long)]
    body_limits: bool,
    /// From how many degrees before a limit angles bend towards it, instead of stopping dead [default: 0]
    #[arg(long, value_name = "DEG", allow_negative_numbers = true)]
    soft: Option<String>,
    #[command(flatten)]
    joints: JointsArg,
}

impl ToolWords for ShapeArgs {
    fn words(&self) -> EditWords {
        EditWords::new("shape")
            .with("shape", &self.shape)
            .with("points", &self.points)
            .with("range", &self.range)
            .with("drive", &self.drive)
            .with("mix", &self.mix)
            .with("components", &self.components)
            .with("limit", &self.limit)
            .with_flag("body-limits", self.body_limits)
            .with("soft", &self.soft)
            .with("joints", &self.joints.joints)
    }
}

pub(super) const SHAPE_EXAMPLES: &str = "\
Examples:
  surefoot signal shape wave.bvh --shape soft-clip:0.6 --joints right-arm -o capped.bvh --picture shape.svg
  surefoot signal shape reach.bvh --shape undulate:4 --joints arms --mix 0:0/1:1 -o wobbly.glb
  surefoot signal shape walk.bvh --points -1:-1/0:0.4/1:1 --joints trunk -o leaning.bvh
  surefoot signal shape dance.bvh --body-limits --limit knees.flexion=5..120 --soft 15 -o human.bvh";

/// Options of `displace`.
#[derive(clap::Args)]
pub(super) struct DisplaceArgs {
    /// A file of keys
    #[arg(long, value_name = "FILE.keys.json", required_unless_present_any = ["turn", "move_by", "reach", "place"])]
    keys: Option<PathBuf>,
    /// Turn a joint at a frame (or at seconds, 1.5s) by degrees about its axes; give it again for more
    #[arg(long, value_name = "FRAME:JOINT=X,Y,Z")]
    turn: Vec<String>,
    /// Move a joint at a frame by metres; give it again for more
    #[arg(long = "move", value_name = "FRAME:JOINT=X,Y,Z")]
    move_by: Vec<String>,
    /// Let left-hand, right-hand, left-foot or right-foot be elsewhere at a frame, by metres; give it again for more
    #[arg(long, value_name = "FRAME:LIMB=X,Y,Z")]
    reach: Vec<String>,
    /// Put left-hand, right-hand, left-foot or right-foot at a place in the world, in metres; give it again for more
    #[arg(long, value_name = "FRAME:LIMB=X,Y,Z")]
    place: Vec<String>,
    /// How long displacements fade before the first key of a joint and after the last, in seconds, or `ends` for the
    /// ends of the clip [default: 1]
    #[arg(long, value_name = "S|ends", allow_negative_numbers = true)]
    fade: Option<String>,
    /// How displacements go from key to key: smooth has continuous acceleration, but goes beyond the keys [default:
    /// local]
    #[arg(long, value_parser = ["local", "smooth"])]
    flow: Option<String>,
}

impl ToolWords for DisplaceArgs {
    fn words(&self) -> EditWords {
        EditWords::new("displace")
            .with("keys", self.keys.iter().map(|path| path.to_string_lossy().into_owned()))
            .with("turn", &self.turn)
            .with("move", &self.move_by)
            .with("reach", &self.reach)
            .with("place", &self.place)
            .with("fade", &self.fade)
            .with("flow", &self.flow)
    }
}

pub(super) const DISPLACE_EXAMPLES: &str = "\
Examples:
  surefoot signal displace drink.bvh --reach 120:right-hand=0,0.15,0.1 -o higher.bvh --picture keys.svg
  surefoot signal displace walk.bvh --turn 1.5s:Head=0,40,0 --fade 0.5 -o look.glb
  surefoot signal displace walk.bvh --keys wave.keys.json -o wave.bvh --keep-plants
A file of keys:
  { \"displacement\": 1, \"keys\": [
    { \"frame\": 120, \"turn\": \"LeftArm\", \"degrees\": [30, 0, 0] },
    { \"frame\": 200, \"reach\": \"left-hand\", \"to\": [0.3, 1.2, 0.5] },
    { \"frame\": 300, \"pose\": \"wave.bvh\", \"pose_frame\": 12, \"joints\": [\"right-arm\"] } ] }";

/// Options of `concat`.
#[derive(clap::Args)]
pub(super) struct ConcatArgs {
    /// The next clip; give it again for those that follow
    #[arg(long, value_name = "CLIP", required = true)]
    with: Vec<PathBuf>,
    /// Length of the transition, in seconds [default: 0.4]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    zone: Option<String>,
    /// How one goes over into the next [default: ease]
    #[arg(long, value_parser = ["ease", "linear"])]
    fade: Option<String>,
    /// Where: at the ends, or where the clips are most alike within some seconds of them, such as best:1.5 [default:
    /// ends]
    #[arg(long, value_name = "ends|best[:S]")]
    cut: Option<String>,
    /// Register both sides of the transition in time, so that steps fall together
    #[arg(long)]
    warp: bool,
    #[command(flatten)]
    path: PathArgs,
}

impl ToolWords for ConcatArgs {
    fn words(&self) -> EditWords {
        let words = EditWords::new("concat")
            .with("with", shown(&self.with))
            .with("zone", &self.zone)
            .with("fade", &self.fade)
            .with("cut", &self.cut)
            .with_flag("warp", self.warp);
        self.path.add_to(words)
    }
}

pub(super) const CONCAT_EXAMPLES: &str = "\
Examples:
  surefoot signal concat walk.bvh --with jump.bvh --with walk.bvh -o on.bvh --keep-plants
  surefoot signal concat walk.bvh --with run.bvh --cut best --zone 0.6 --warp -o on.glb";

/// Options of `loop`.
#[derive(clap::Args)]
pub(super) struct LoopArgs {
    /// One cycle for an engine: as without --cycles, and its feet stand still, over the seam too (--keep-plants)
    #[arg(long, conflicts_with = "cycles")]
    cycle: bool,
    /// How many cycles the result has [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    cycles: Option<String>,
    /// Shortest cycle, in seconds [default: 0.6]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    shortest: Option<String>,
    /// Longest cycle, in seconds [default: as the clip allows]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    longest: Option<String>,
    /// The first frame of the cycle and the first of the next, instead of the best ones
    #[arg(long, value_name = "FROM..TO")]
    cut: Option<String>,
    /// How long the two ends are blended, in seconds [default: 0.3]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    zone: Option<String>,
}

impl ToolWords for LoopArgs {
    fn words(&self) -> EditWords {
        EditWords::new("loop")
            .with("cycles", &self.cycles)
            .with("shortest", &self.shortest)
            .with("longest", &self.longest)
            .with("cut", &self.cut)
            .with("zone", &self.zone)
    }

    fn keeps_plants(&self) -> bool {
        self.cycle
    }
}

pub(super) const LOOP_EXAMPLES: &str = "\
Examples:
  surefoot signal loop walk.bvh --cycle -o cycle.glb --root-motion ground
  surefoot signal loop run.bvh --shortest 0.5 --longest 0.9 --cycles 4 -o run.bvh";

/// Options of `filter`.
#[derive(clap::Args)]
pub(super) struct FilterArgs {
    /// Mend frames that jump away and back, before anything spreads them
    #[arg(long)]
    despike: bool,
    /// Zero-phase Butterworth low-pass with its cut-off in Hz; 6 for walking, 10 to 15 for running and hands
    #[arg(long, value_name = "HZ", allow_negative_numbers = true)]
    lowpass: Option<String>,
    /// Savitzky-Golay over a window in seconds, such as 0.15: keeps the heights of peaks
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    savitzky_golay: Option<String>,
    /// Order of the low-pass [default: 2], or of Savitzky-Golay's polynomials [default: 3]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    order: Option<String>,
    /// Gaussian with its standard deviation in seconds, such as 0.03: never overshoots
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    gaussian: Option<String>,
    /// Lee and Shin's filter for rotations, this many times: for joints that spin
    #[arg(long, value_name = "TIMES", allow_negative_numbers = true)]
    orientation: Option<String>,
    #[command(flatten)]
    joints: JointsArg,
}

impl ToolWords for FilterArgs {
    fn words(&self) -> EditWords {
        EditWords::new("filter")
            .with_flag("despike", self.despike)
            .with("lowpass", &self.lowpass)
            .with("savitzky-golay", &self.savitzky_golay)
            .with("order", &self.order)
            .with("gaussian", &self.gaussian)
            .with("orientation", &self.orientation)
            .with("joints", &self.joints.joints)
    }
}

pub(super) const FILTER_EXAMPLES: &str = "\
Examples:
  surefoot signal filter take.bvh --despike --lowpass 6 -o clean.bvh
  surefoot signal filter take.bvh --savitzky-golay 0.15 --joints arms,head -o clean.glb --picture filter.svg";

/// Options of `transfer`.
#[derive(clap::Args)]
pub(super) struct TransferArgs {
    /// The neutral clip
    #[arg(long, value_name = "CLIP")]
    from: PathBuf,
    /// The styled clip of the same action
    #[arg(long, value_name = "CLIP", required_unless_present = "to")]
    style: Option<PathBuf>,
    /// How much of the difference in movement: 1 is the style, more a caricature of it; over seconds as 0:0/2:1
    /// [default: 1]
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    amount: Option<String>,
    /// How much of the difference in pace [default: 1]
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    timing: Option<String>,
    /// How much of bands of the difference, such as 0-2=0 or 0-1Hz=1.5
    #[arg(long, value_name = "BANDS=SHARE,..")]
    bands: Option<String>,
    #[command(flatten)]
    joints: JointsArg,
    /// What decides which frames of the clips correspond: strides of feet, or the movement [default: strides, if all
    /// have them]
    #[arg(long, value_parser = ["strides", "movement"], help_heading = "Registration in time")]
    register: Option<String>,
    #[command(flatten)]
    search: SearchArgs,
}

impl ToolWords for TransferArgs {
    fn words(&self) -> EditWords {
        let words = EditWords::new("transfer")
            .with("from", shown(std::slice::from_ref(&self.from)))
            .with("to", shown(self.style.as_slice()))
            .with("amount", &self.amount)
            .with("timing", &self.timing)
            .with("bands", &self.bands)
            .with("joints", &self.joints.joints)
            .with("register", &self.register);
        self.search.add_to(words)
    }

    fn take_old_to(&self, words: EditWords, file: &Path) -> Option<EditWords> {
        self.style.is_none().then(|| words.with("to", shown(&[file.to_path_buf()])))
    }
}

pub(super) const TRANSFER_EXAMPLES: &str = "\
Examples:
  surefoot signal transfer walk.bvh --from neutral.bvh --style tired.bvh -o tired-walk.bvh --keep-plants
  surefoot signal transfer turn.bvh --from neutral.bvh --style proud.bvh --amount 1.5 --timing 0 -o proud.glb";
