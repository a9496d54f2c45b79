//! Why keys are no displacement.

/// Why keys are no displacement.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DisplaceError {
    /// A frame that the clip does not have.
    #[error("keys[{key}].frame is {frame}, but the clip has {n_frames} frames{}", last_frame(*n_frames))]
    Frame {
        /// Which key, counted from 0.
        key: usize,
        /// As given.
        frame: usize,
        /// How many there are.
        n_frames: usize,
    },
    /// A joint that the skeleton does not have.
    #[error("keys[{key}].joint is {joint}, but there are only {n_joints} joints, counted from 0")]
    Joint {
        /// Which key, counted from 0.
        key: usize,
        /// As given.
        joint: usize,
        /// How many there are.
        n_joints: usize,
    },
    /// Numbers that are none.
    #[error("keys[{key}].{field} is {value:?}; three finite numbers would be right")]
    NotFinite {
        /// Which key, counted from 0.
        key: usize,
        /// `turn`, `by` or `goal`.
        field: &'static str,
        /// As given.
        value: [f64; 3],
    },
    /// A pose of another skeleton.
    #[error("keys[{key}].pose has {found} joints, but the clip's skeleton has {n_joints}")]
    PoseSize {
        /// Which key, counted from 0.
        key: usize,
        /// How many the pose has.
        found: usize,
        /// How many it should have.
        n_joints: usize,
    },
    /// A pose with numbers that are none.
    #[error(
        "keys[{key}].pose has no rotation and translation for joint `{joint}`; \
         a unit quaternion and finite numbers would be right"
    )]
    PoseJoint {
        /// Which key, counted from 0.
        key: usize,
        /// Whose.
        joint: String,
    },
    /// A time that is none.
    #[error("{field} is {seconds}; 0 or a positive number of seconds would be right")]
    Seconds {
        /// `fade`, or that of a key.
        field: String,
        /// As given.
        seconds: f64,
    },
    /// Two keys for one joint at one frame.
    #[error(
        "keys[{key}] and keys[{other}] both {what} joint `{joint}` at frame {frame}; \
         one of them, or another frame, would be right; a second displacement may be applied to the result"
    )]
    Twice {
        /// The later key, counted from 0.
        key: usize,
        /// The earlier one.
        other: usize,
        /// `turn` or `move`.
        what: &'static str,
        /// Whose.
        joint: String,
        /// Where.
        frame: usize,
    },
    /// A key that reaches without a body.
    #[error("keys[{key}].limb needs a body map, and no body was found; give one, or turn joints")]
    NoBody {
        /// Which key, counted from 0.
        key: usize,
    },
    /// A limb that the body does not have.
    #[error("keys[{key}].limb is the {limb}, which this body does not have")]
    NoLimb {
        /// Which key, counted from 0.
        key: usize,
        /// In words.
        limb: String,
    },
    /// A limb that cannot reach anything.
    #[error("keys[{key}].limb is the {limb}, which has no length in this skeleton")]
    NoLength {
        /// Which key, counted from 0.
        key: usize,
        /// In words.
        limb: String,
    },
    /// Tension, continuity or bias of a key that are none.
    #[error("keys[{key}].{field} is {value}; -1 to 1 would be right")]
    Tcb {
        /// Which key, counted from 0.
        key: usize,
        /// `tension`, `continuity` or `bias`.
        field: &'static str,
        /// As given.
        value: f64,
    },
}

fn last_frame(n_frames: usize) -> String {
    n_frames.checked_sub(1).map_or(String::new(), |last| format!(", 0 to {last}"))
}
