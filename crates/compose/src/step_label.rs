//! What a person does to come to a footprint, and the feet that take part in a flight.

use surefoot_contact::Behaviour;
use surefoot_motion::Side;

/// The semantic label of a recorded step (COMPOSE 3.1), finer than a [`Behaviour`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StepLabel {
    /// Planted in the first frame.
    Stand,
    /// A step with a planted foot that covers ground on one level.
    Walk,
    /// A flight from one foot to the other, one of several.
    Run,
    /// A flight that both feet begin or end, or a long one from foot to foot.
    Jump,
    /// A flight from one foot to the same.
    Hop,
    /// A step with a planted foot to a higher level.
    StairUp,
    /// A step with a planted foot to a lower level.
    StairDown,
    /// A step with a planted foot that turns more than it travels.
    Turn,
    /// A step with a planted foot that hardly travels.
    Shuffle,
    /// Its beginning is not in the recording: the clip begins in the air.
    Unknown,
}

impl StepLabel {
    /// In the order of the documentation.
    pub const ALL: [StepLabel; 10] = [
        StepLabel::Stand,
        StepLabel::Walk,
        StepLabel::Run,
        StepLabel::Jump,
        StepLabel::Hop,
        StepLabel::StairUp,
        StepLabel::StairDown,
        StepLabel::Turn,
        StepLabel::Shuffle,
        StepLabel::Unknown,
    ];

    /// As files have it.
    pub fn name(self) -> &'static str {
        match self {
            StepLabel::Stand => "stand",
            StepLabel::Walk => "walk",
            StepLabel::Run => "run",
            StepLabel::Jump => "jump",
            StepLabel::Hop => "hop",
            StepLabel::StairUp => "stair_up",
            StepLabel::StairDown => "stair_down",
            StepLabel::Turn => "turn",
            StepLabel::Shuffle => "shuffle",
            StepLabel::Unknown => "unknown",
        }
    }

    /// The label of a name.
    pub fn of_name(name: &str) -> Option<StepLabel> {
        StepLabel::ALL.into_iter().find(|label| label.name() == name)
    }

    /// Turns and shuffles are walked, both directions of stairs are one behaviour; `None` for what is not known.
    pub fn behaviour(self) -> Option<Behaviour> {
        match self {
            StepLabel::Stand => Some(Behaviour::Stand),
            StepLabel::Walk | StepLabel::Turn | StepLabel::Shuffle => Some(Behaviour::Walk),
            StepLabel::Run => Some(Behaviour::Run),
            StepLabel::Jump => Some(Behaviour::Jump),
            StepLabel::Hop => Some(Behaviour::Hop),
            StepLabel::StairUp | StepLabel::StairDown => Some(Behaviour::Stair),
            StepLabel::Unknown => None,
        }
    }

    /// Whether nobody is planted on the way.
    pub fn is_flight(self) -> bool {
        matches!(self, StepLabel::Run | StepLabel::Jump | StepLabel::Hop)
    }
}

/// The feet that take off or land.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feet {
    /// The left one alone.
    Left,
    /// The right one alone.
    Right,
    /// Both together.
    Both,
}

impl Feet {
    /// In the order of the documentation.
    pub const ALL: [Feet; 3] = [Feet::Left, Feet::Right, Feet::Both];

    /// As files have it.
    pub fn name(self) -> &'static str {
        match self {
            Feet::Left => "left",
            Feet::Right => "right",
            Feet::Both => "both",
        }
    }

    /// The feet of a name.
    pub fn of_name(name: &str) -> Option<Feet> {
        Feet::ALL.into_iter().find(|feet| feet.name() == name)
    }

    /// The one foot, if it is one.
    pub fn side(self) -> Option<Side> {
        match self {
            Feet::Left => Some(Side::Left),
            Feet::Right => Some(Side::Right),
            Feet::Both => None,
        }
    }

    /// Whether a foot is one of them.
    pub fn has(self, side: Side) -> bool {
        self.side().is_none_or(|one| one == side)
    }

    /// Seen in a mirror.
    pub fn mirrored(self) -> Feet {
        self.side().map_or(Feet::Both, |side| Feet::from(side.opposite()))
    }
}

impl From<Side> for Feet {
    fn from(side: Side) -> Feet {
        match side {
            Side::Left => Feet::Left,
            Side::Right => Feet::Right,
        }
    }
}
