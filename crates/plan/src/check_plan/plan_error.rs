//! Why a plan cannot be stepped: which footprint, what was found, what would do.

use surefoot_contact::Behaviour;
use surefoot_motion::Side;

/// The times that a footprint may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepTime {
    /// In the air before it.
    Swing,
    /// Double support after landing.
    Support,
    /// When it is landed on.
    Land,
    /// When it is left.
    Leave,
}

impl StepTime {
    /// As a plan's file calls it.
    pub fn name(self) -> &'static str {
        match self {
            StepTime::Swing => "swing",
            StepTime::Support => "support",
            StepTime::Land => "land",
            StepTime::Leave => "leave",
        }
    }

    /// What may be asked for, in words.
    fn allowed(self) -> &'static str {
        match self {
            StepTime::Swing => "above 0 and at most an hour",
            StepTime::Support | StepTime::Land | StepTime::Leave => "from 0 to an hour",
        }
    }
}

/// Why a plan cannot be stepped. Footprints are numbered from 0, as in a plan's file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// Fewer than two footprints.
    #[error("a plan has at least two footprints, the standing feet; this one has {found}")]
    TooShort {
        /// How many there are.
        found: usize,
    },
    /// A number is NaN or infinite.
    #[error("footprints[{footprint}] has a number that is not finite")]
    NotFinite {
        /// Whose.
        footprint: usize,
    },
    /// A normal that is no upward unit vector.
    #[error("footprints[{footprint}]: normal {normal:?} must be a unit vector that points up, such as [0, 1, 0]")]
    Normal {
        /// Whose.
        footprint: usize,
        /// As given.
        normal: [f64; 3],
    },
    /// Ground that nobody stands on.
    #[error(
        "footprints[{footprint}]: the ground there is {degrees:.0} degrees steep; feet are planted on {limit:.0} at most"
    )]
    TooSteep {
        /// Which.
        footprint: usize,
        /// Of the ground.
        degrees: f64,
        /// The steepest.
        limit: f64,
    },
    /// A time out of its range.
    #[error("footprints[{footprint}]: {} of {seconds} s; it must be {}", .what.name(), .what.allowed())]
    Duration {
        /// Whose.
        footprint: usize,
        /// Which time.
        what: StepTime,
        /// As asked.
        seconds: f64,
    },
    /// Absolute and relative times together.
    #[error(
        "footprints[{footprint}] has absolute times (land, leave) and relative ones (swing, support); give one of the two"
    )]
    TwoTimings {
        /// Whose.
        footprint: usize,
    },
    /// A stance without duration.
    #[error(
        "footprints[{footprint}] is left at {leave} s but landed on at {land} s; `leave` must be later than `land`"
    )]
    LeavesBeforeLanding {
        /// Whose.
        footprint: usize,
        /// Seconds.
        land: f64,
        /// Seconds.
        leave: f64,
    },
    /// A landing before what comes before it.
    #[error(
        "footprints[{footprint}] is landed on at {land} s; footprints are in order of time, so it must be after {after} s"
    )]
    OutOfOrder {
        /// Whose.
        footprint: usize,
        /// Seconds.
        land: f64,
        /// Seconds.
        after: f64,
    },
    /// The first two footprints are of one foot.
    #[error("footprints[1] is the {} foot again; the first two are the standing feet, one left and one right", .side.name())]
    OneStandingFoot {
        /// Of the foot.
        side: Side,
    },
    /// The same footprint twice in a row.
    #[error(
        "footprints[{footprint}] repeats footprints[{}]: the same foot at the same place; remove it, or put a \
         footprint of the other foot between",
        footprint - 1
    )]
    Doubled {
        /// The second.
        footprint: usize,
    },
    /// The same foot twice in a row while the other is planted.
    #[error(
        "footprints[{footprint}] is the {} foot again, without a flight before it; put a footprint of the {} foot between, or \
         give this one to it",
        .side.name(), .side.opposite().name()
    )]
    SameFoot {
        /// The second.
        footprint: usize,
        /// Of the foot.
        side: Side,
    },
    /// A run or a jump that lands while the other foot is planted.
    #[error(
        "footprints[{footprint}]: a {} lands from a flight, but its times have a double support of {support:.3} s; set support \
         to 0, or leave the behaviour out",
        .behaviour.name()
    )]
    FlightWithSupport {
        /// Whose.
        footprint: usize,
        /// As given.
        behaviour: Behaviour,
        /// Seconds.
        support: f64,
    },
    /// A walking step that lands from a flight.
    #[error(
        "footprints[{footprint}]: a {} step lands while the other foot is planted, but its times have a flight before it; give it \
         a double support (support above 0), or leave the behaviour out",
        .behaviour.name()
    )]
    WalkWithoutSupport {
        /// Whose.
        footprint: usize,
        /// As given.
        behaviour: Behaviour,
    },
    /// One foot on the other.
    #[error(
        "footprints[{footprint}] is {apart:.3} m from the other foot, which is planted there; keep them {limit} m apart"
    )]
    OnOtherFoot {
        /// Whose.
        footprint: usize,
        /// Between the balls, in metres.
        apart: f64,
        /// The nearest allowed.
        limit: f64,
    },
    /// Too far from the footprint before.
    #[error(
        "footprints[{footprint}] is {distance:.2} m from footprints[{}]; the longest step or jump is {limit} m",
        footprint - 1
    )]
    TooFar {
        /// The later one.
        footprint: usize,
        /// On the ground, in metres.
        distance: f64,
        /// The longest allowed.
        limit: f64,
    },
    /// Too far above the footprint before.
    #[error("footprints[{footprint}] is {rise:.2} m above footprints[{}]; the highest step up is {limit} m", footprint - 1)]
    TooHigh {
        /// The later one.
        footprint: usize,
        /// Metres.
        rise: f64,
        /// The highest allowed.
        limit: f64,
    },
    /// Too far below the footprint before.
    #[error("footprints[{footprint}] is {drop:.2} m below footprints[{}]; the deepest jump down is {limit} m", footprint - 1)]
    TooDeep {
        /// The later one.
        footprint: usize,
        /// Metres.
        drop: f64,
        /// The deepest allowed.
        limit: f64,
    },
    /// Further than the legs reach in a walking step.
    #[error(
        "footprints[{footprint}] is out of reach for a walking step: {distance:.2} m from the other foot and {rise:+.2} m up; \
         legs of {leg:.2} m step {}. Put footprints between, or let gait run there (support 0)",
        reach(*distance, *longest, *highest)
    )]
    OutOfReach {
        /// Which.
        footprint: usize,
        /// On the ground, in metres.
        distance: f64,
        /// Above the other foot, in metres.
        rise: f64,
        /// Length of the legs.
        leg: f64,
        /// Longest step on level ground.
        longest: f64,
        /// Highest step up or down at this distance.
        highest: f64,
    },
    /// Feet turned too far against each other.
    #[error(
        "footprints[{footprint}] is turned by {degrees:.1} degrees against the other foot; hips turn {limit:.1} at most"
    )]
    TurnedTooFar {
        /// Which.
        footprint: usize,
        /// Between both feet.
        degrees: f64,
        /// The furthest.
        limit: f64,
    },
    /// The body turned too far in one step.
    #[error(
        "footprints[{footprint}] turns the body by {degrees:.0} degrees; at most {limit:.0} are possible in one step"
    )]
    TurnsTooFar {
        /// Which.
        footprint: usize,
        /// Of the body.
        degrees: f64,
        /// The furthest.
        limit: f64,
    },
    /// The foot would have to move too fast.
    #[error(
        "footprints[{footprint}] asks the {} foot to travel {distance:.2} m in {swing} s, {:.1} m/s; \
         the fastest is {limit} m/s, so give it {:.2} s or more",
        .side.name(), distance / swing, distance / limit
    )]
    TooFast {
        /// Where it lands.
        footprint: usize,
        /// Of the foot.
        side: Side,
        /// From its last footprint, in metres.
        distance: f64,
        /// Seconds.
        swing: f64,
        /// The fastest allowed.
        limit: f64,
    },
    /// Above or below the ground.
    #[error("footprints[{footprint}] is at a height of {height:.3} m, but the terrain there is at {ground:.3} m")]
    OffTerrain {
        /// Which.
        footprint: usize,
        /// Of the footprint.
        height: f64,
        /// Of the terrain there.
        ground: f64,
    },
    /// Ground between two footprints that a foot is not lifted over.
    #[error(
        "footprints[{footprint}]: the ground on the path there is {height:.2} m above both footprints; feet are lifted over \
         {limit:.2} m at most. Put footprints on it or beside it"
    )]
    GroundBetween {
        /// Which is stepped to.
        footprint: usize,
        /// Metres.
        height: f64,
        /// The highest.
        limit: f64,
    },
    /// In an obstacle.
    #[error("footprints[{footprint}] is inside obstacles[{obstacle}]; move it out")]
    InObstacle {
        /// Which.
        footprint: usize,
        /// Which obstacle, from 0.
        obstacle: usize,
    },
    /// Outside of the bounds.
    #[error("footprints[{footprint}] is outside of the scene's bounds; move it in")]
    OutOfBounds {
        /// Which.
        footprint: usize,
    },
}

/// What legs reach, in words: the limit that is passed.
fn reach(distance: f64, longest: f64, highest: f64) -> String {
    if distance > longest {
        format!("{longest:.2} m on level ground")
    } else {
        format!("{:.2} m up or down at this distance", highest.max(0.0))
    }
}

impl PlanError {
    /// The footprint that is wrong, numbered from 0; `None` where the plan as a whole is.
    pub fn footprint(&self) -> Option<usize> {
        match self {
            PlanError::TooShort { .. } => None,
            PlanError::OneStandingFoot { .. } => Some(1),
            PlanError::NotFinite { footprint }
            | PlanError::Normal { footprint, .. }
            | PlanError::TooSteep { footprint, .. }
            | PlanError::Duration { footprint, .. }
            | PlanError::TwoTimings { footprint }
            | PlanError::LeavesBeforeLanding { footprint, .. }
            | PlanError::OutOfOrder { footprint, .. }
            | PlanError::Doubled { footprint }
            | PlanError::SameFoot { footprint, .. }
            | PlanError::FlightWithSupport { footprint, .. }
            | PlanError::WalkWithoutSupport { footprint, .. }
            | PlanError::OnOtherFoot { footprint, .. }
            | PlanError::TooFar { footprint, .. }
            | PlanError::TooHigh { footprint, .. }
            | PlanError::TooDeep { footprint, .. }
            | PlanError::OutOfReach { footprint, .. }
            | PlanError::TurnedTooFar { footprint, .. }
            | PlanError::TurnsTooFar { footprint, .. }
            | PlanError::TooFast { footprint, .. }
            | PlanError::OffTerrain { footprint, .. }
            | PlanError::GroundBetween { footprint, .. }
            | PlanError::InObstacle { footprint, .. }
            | PlanError::OutOfBounds { footprint } => Some(*footprint),
        }
    }
}
