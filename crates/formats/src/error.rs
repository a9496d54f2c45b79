//! What readers report when a file is broken ([`ReadError`]) or unusual ([`Warning`]).

use std::path::PathBuf;

macro_rules! error_kinds {
    ($($(#[doc = $doc:literal])+ $name:ident = $code:literal,)+) => {
        /// What is wrong with a file. The code is part of the command's JSON output and stays as it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ErrorKind { $($(#[doc = $doc])+ $name,)+ }

        impl ErrorKind {
            /// The kind as a word for machines.
            pub fn code(self) -> &'static str {
                match self { $(ErrorKind::$name => $code,)+ }
            }
        }
    };
}

error_kinds! {
    /// The file could not be opened or read.
    Io = "io",
    /// The file's format is none we read.
    Format = "format",
    /// The file has no content.
    Empty = "empty",
    /// The file is cut off.
    UnexpectedEof = "unexpected_eof",
    /// A word that does not belong where it stands.
    Syntax = "syntax",
    /// Bytes that are no text.
    Encoding = "encoding",
    /// A size or depth past what we take.
    Limit = "limit",
    /// A word that is no number.
    Number = "number",
    /// NaN or infinity.
    Nonfinite = "nonfinite",
    /// A number too large to mean anything.
    OutOfRange = "out_of_range",
    /// Something follows the end.
    Trailing = "trailing",
    /// A part that may stand once stands twice.
    DuplicateSection = "duplicate_section",
    /// Two things of one name where names must differ.
    DuplicateName = "duplicate_name",
    /// A loop among parents.
    Cycle = "cycle",
    /// One child of two parents.
    TwoParents = "two_parents",

    /// Not a BVH file.
    NotBvh = "not_bvh",
    /// BVH: no ROOT.
    NoRoot = "no_root",
    /// BVH: no MOTION.
    NoMotion = "no_motion",
    /// BVH: braces that do not match.
    Brace = "brace",
    /// BVH: a joint without a name.
    MissingName = "missing_name",
    /// BVH: a joint without OFFSET.
    MissingOffset = "missing_offset",
    /// BVH: OFFSET without three numbers.
    OffsetCount = "offset_count",
    /// BVH: a channel that does not exist.
    UnknownChannel = "unknown_channel",
    /// BVH: CHANNELS with a count that is not that of its names.
    ChannelCount = "channel_count",
    /// BVH: a position channel twice.
    DuplicateChannel = "duplicate_channel",
    /// BVH: an End Site with channels.
    EndsiteChannels = "endsite_channels",
    /// BVH: a bad number of frames.
    Frames = "frames",
    /// BVH: a bad frame time.
    FrameTime = "frame_time",
    /// BVH: a row with more or fewer values than channels.
    RowWidth = "row_width",

    /// Not an ASF file.
    NotAsf = "not_asf",
    /// ASF: a direction of no length.
    Direction = "direction",
    /// ASF: a bad length.
    Length = "length",
    /// ASF: a bad list of degrees of freedom.
    Dof = "dof",
    /// ASF or AMC: a bone that does not exist.
    UnknownBone = "unknown_bone",
    /// ASF: a bone that hangs on nothing.
    OrphanBone = "orphan_bone",
    /// Not an AMC file.
    NotAmc = "not_amc",
    /// glTF: no node that could be a joint.
    NoJoints = "no_joints",
    /// AMC: no skeleton was given or found.
    NoSkeleton = "no_skeleton",
    /// AMC: a bad frame number.
    FrameNumber = "frame_number",
    /// AMC: a frame without one of the bones.
    MissingBone = "missing_bone",
    /// AMC: a bone twice in one frame.
    DuplicateBone = "duplicate_bone",
    /// AMC: more or fewer values than degrees of freedom.
    ValueCount = "value_count",

    /// GLB: a bad header.
    GlbHeader = "glb_header",
    /// GLB: a bad chunk.
    GlbChunk = "glb_chunk",
    /// Text that is no JSON.
    Json = "json",
    /// glTF: an accessor that reaches past its view.
    AccessorRange = "accessor_range",
    /// glTF: an accessor of the wrong type for its use.
    AccessorType = "accessor_type",
    /// glTF: a view or buffer that reaches past its bytes.
    BufferRange = "buffer_range",
    /// glTF: an index to something that does not exist.
    Index = "index",
    /// glTF: sparse values out of place.
    Sparse = "sparse",
    /// glTF: key times that do not rise.
    Times = "times",
    /// glTF: a quaternion of no length.
    Quaternion = "quaternion",
    /// glTF: a sampler with more or fewer values than keys.
    SamplerCount = "sampler_count",
    /// glTF: an unknown interpolation.
    Interpolation = "interpolation",
    /// glTF: a buffer outside the file's folder.
    Uri = "uri",
    /// glTF: a required extension that we do not have.
    Extension = "extension",
    /// glTF or FBX: no animation of that name or number.
    NoAnimation = "no_animation",
    /// Not a readable FBX file.
    Fbx = "fbx",

    /// Own files: a value of the wrong type.
    Type = "type",
    /// Own files: a field that must be there.
    MissingField = "missing_field",
    /// Own files: a field that does not exist.
    UnknownField = "unknown_field",
    /// Own files: a version that we do not read.
    Version = "version",
    /// Foot plan: a foot that is neither left nor right.
    Foot = "foot",
    /// Foot plan: a time that is not positive.
    Duration = "duration",
    /// Foot plan: fewer footprints than two feet need.
    PlanTooShort = "plan_too_short",
    /// Foot plan: a footprint that nobody can reach.
    Infeasible = "infeasible",
    /// Contacts: ranges that overlap or pass the end.
    Contacts = "contacts",
    /// Path: points that make no way.
    Path = "path",
    /// Scene: an outline that is no simple polygon, or a place outside the bounds or inside an obstacle.
    Scene = "scene",
    /// Terrain: numbers that make no ground.
    Terrain = "terrain",
    /// Body file: a joint that the skeleton does not have, or a part that must be named.
    Body = "body",
    /// Step database, motion graph or take: bytes that are not those that were written.
    Checksum = "checksum",
    /// Step database: numbers that make no database.
    Steps = "steps",
    /// Motion graph: numbers that make no graph.
    Graph = "graph",
    /// Take: numbers that make no motion.
    Take = "take",
}

/// Why a file was refused. The path is added last, by whoever opened it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// What is wrong.
    pub kind: ErrorKind,
    /// The file.
    pub file: Option<PathBuf>,
    /// 1-based, of the offending word.
    pub line: Option<usize>,
    /// The footprint of a plan that is wrong, counted from 0.
    pub footprint: Option<usize>,
    /// What was found, and what would be right.
    pub message: String,
}

impl ReadError {
    /// An error that no line can be named for.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> ReadError {
        ReadError { kind, file: None, line: None, footprint: None, message: message.into() }
    }

    /// An error at a line.
    pub fn at(kind: ErrorKind, line: usize, message: impl Into<String>) -> ReadError {
        ReadError { line: Some(line), ..ReadError::new(kind, message) }
    }

    /// The same error, of a file. A file named already stays.
    pub fn in_file(mut self, path: impl Into<PathBuf>) -> ReadError {
        self.file.get_or_insert_with(|| path.into());
        self
    }
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}", file.display())?;
            if let Some(line) = self.line {
                write!(f, ":{line}")?;
            }
            f.write_str(": ")?;
        } else if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}

/// Something unusual that a reader read all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// A word for machines; `docs/DIAGNOSTICS.md` lists them all.
    pub code: &'static str,
    /// 1-based, where one can be named.
    pub line: Option<usize>,
    /// What was found, and what was made of it.
    pub message: String,
}
