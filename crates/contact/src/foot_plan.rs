//! Where feet shall stand, and whether a person could step there at all.
//!
//! [`FootPlan::check`] refuses only what no person does: it is a net for typing errors and wrong units, not a judgement of
//! style. Running, jumping, stairs, sidesteps, crossing feet and hops on one foot all pass.

use surefoot_geom::Vec3;
use surefoot_motion::Side;

/// What a person does to come to a footprint. Normally left to be inferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Behaviour {
    /// Both feet are down when the foot lands.
    Walk,
    /// The other foot has left when the foot lands.
    Run,
    /// A flight from one foot or both, to one foot or both.
    Jump,
    /// A step up or down a stair.
    Stair,
}

impl Behaviour {
    /// In the order of the documentation.
    pub const ALL: [Behaviour; 4] = [Behaviour::Walk, Behaviour::Run, Behaviour::Jump, Behaviour::Stair];

    /// As plan files have it.
    pub fn name(self) -> &'static str {
        match self {
            Behaviour::Walk => "walk",
            Behaviour::Run => "run",
            Behaviour::Jump => "jump",
            Behaviour::Stair => "stair",
        }
    }
}

/// A place for a foot. Side and position are hard constraints; heading and times are soft targets.
///
/// Times are given in one of two ways. `land` and `leave` are absolute: flight is a gap between stances, a two-footed
/// landing two equal `land`s, a hop two stances of one foot with a gap between them. `swing` and `support` are relative to the
/// steps around, so that inserting a footprint shifts what follows. `surefoot_plan::step_timing` reads both in one place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// Which foot.
    pub side: Side,
    /// Where the ball is planted.
    pub position: Vec3,
    /// Upward normal of the ground there, a unit vector; +Y on level ground.
    pub normal: Vec3,
    /// Direction from heel to toe; 0 is +Z, positive turns toward +X.
    pub heading: Option<f64>,
    /// When the foot lands, in seconds from the first frame.
    pub land: Option<f64>,
    /// When it leaves, in seconds from the first frame.
    pub leave: Option<f64>,
    /// Seconds in the air on the way here.
    pub swing: Option<f64>,
    /// Seconds with both feet down after landing here; 0 means that the other foot has left by then, so that the landing
    /// ends a flight.
    pub support: Option<f64>,
    /// What to do to come here, if it shall not be inferred.
    pub behaviour: Option<Behaviour>,
}

impl Footprint {
    /// A footprint on level ground that leaves everything else open.
    pub fn at(side: Side, position: Vec3) -> Footprint {
        Footprint {
            side,
            position,
            normal: Vec3::Y,
            heading: None,
            land: None,
            leave: None,
            swing: None,
            support: None,
            behaviour: None,
        }
    }
}

/// Footprints in the order they are taken; the first two are the standing feet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FootPlan {
    /// In order of time.
    pub footprints: Vec<Footprint>,
}

/// How far and how fast a person can step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanLimits {
    /// Longest distance on the ground from one footprint to the next, in metres. Default 4: a sprinter's longest steps
    /// reach 2.8, and a jump of 4 m is a good one without training. Larger values let wrong units pass (centimetres, feet).
    pub max_step: f64,
    /// Highest rise from one footprint to the next, in metres. Default 1.7, above the highest recorded standing jump onto
    /// a box.
    pub max_rise: f64,
    /// Deepest drop from one footprint to the next, in metres. Default 4, a jump from a wall that a trained person walks
    /// away from.
    pub max_drop: f64,
    /// Highest mean speed of a foot between two of its footprints, in metres a second. Default 17: the fastest runners move at
    /// 12.4, and their feet are in the air for three quarters of the time in which they cover the same way.
    pub max_foot_speed: f64,
}

impl Default for PlanLimits {
    fn default() -> PlanLimits {
        PlanLimits { max_step: 4.0, max_rise: 1.7, max_drop: 4.0, max_foot_speed: 17.0 }
    }
}

/// The times that a footprint may wish for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepTime {
    /// In the air on the way to it.
    Swing,
    /// With both feet down after landing.
    Support,
}

impl StepTime {
    /// `swing` or `support`, as a plan's file calls it.
    pub fn name(self) -> &'static str {
        match self {
            StepTime::Swing => "swing",
            StepTime::Support => "support",
        }
    }

    /// What may be asked for, in words.
    fn allowed(self) -> &'static str {
        match self {
            StepTime::Swing => "above 0",
            StepTime::Support => "0 or more",
        }
    }
}

/// Why a plan cannot be walked. Footprints are numbered from 0, as in a plan's file.
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
    /// A swing that is not positive, or a negative support.
    #[error("footprints[{footprint}]: {} of {seconds} s; it must be {}", .what.name(), .what.allowed())]
    Duration {
        /// Whose.
        footprint: usize,
        /// Which time.
        what: StepTime,
        /// As asked.
        seconds: f64,
    },
    /// The first two footprints are of one foot.
    #[error("footprints[1] is the {} foot again; the first two are the standing feet, one left and one right", .side.name())]
    OneStandingFoot {
        /// Of the foot.
        side: Side,
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
}

impl PlanError {
    /// The footprint that is wrong, numbered from 0; `None` where the whole plan is.
    pub fn footprint(&self) -> Option<usize> {
        match *self {
            PlanError::TooShort { .. } => None,
            PlanError::OneStandingFoot { .. } => Some(1),
            PlanError::NotFinite { footprint }
            | PlanError::Duration { footprint, .. }
            | PlanError::TooFar { footprint, .. }
            | PlanError::TooHigh { footprint, .. }
            | PlanError::TooDeep { footprint, .. }
            | PlanError::TooFast { footprint, .. } => Some(footprint),
        }
    }
}

impl FootPlan {
    /// Whether a person could take these steps in this order; the first footprint that nobody could reach is named.
    pub fn check(&self, limits: &PlanLimits) -> Result<(), PlanError> {
        let [first, second, ..] = &self.footprints[..] else {
            return Err(PlanError::TooShort { found: self.footprints.len() });
        };
        for (index, footprint) in self.footprints.iter().enumerate() {
            footprint.check_numbers(index)?;
        }
        if first.side == second.side {
            return Err(PlanError::OneStandingFoot { side: first.side });
        }
        for index in 1..self.footprints.len() {
            self.check_reach(index, limits)?;
            self.check_speed(index, limits)?;
        }
        Ok(())
    }

    /// Where a foot stood before it came to a footprint; `None` for its first.
    pub fn previous_of_side(&self, index: usize) -> Option<&Footprint> {
        let side = self.footprints[index].side;
        self.footprints[..index].iter().rev().find(|footprint| footprint.side == side)
    }

    fn check_reach(&self, index: usize, limits: &PlanLimits) -> Result<(), PlanError> {
        let way = self.footprints[index].position - self.footprints[index - 1].position;
        let distance = way.x.hypot(way.z);
        if distance > limits.max_step {
            return Err(PlanError::TooFar { footprint: index, distance, limit: limits.max_step });
        }
        if way.y > limits.max_rise {
            return Err(PlanError::TooHigh { footprint: index, rise: way.y, limit: limits.max_rise });
        }
        if -way.y > limits.max_drop {
            return Err(PlanError::TooDeep { footprint: index, drop: -way.y, limit: limits.max_drop });
        }
        Ok(())
    }

    /// The standing feet have not travelled: a time written on them is of a swing that nobody sees.
    fn check_speed(&self, index: usize, limits: &PlanLimits) -> Result<(), PlanError> {
        let footprint = &self.footprints[index];
        let (Some(swing), Some(from)) = (footprint.swing, self.previous_of_side(index)) else {
            return Ok(());
        };
        let distance = footprint.position.distance(from.position);
        if distance > limits.max_foot_speed * swing {
            let (side, limit) = (footprint.side, limits.max_foot_speed);
            return Err(PlanError::TooFast { footprint: index, side, distance, swing, limit });
        }
        Ok(())
    }
}

impl Footprint {
    fn check_numbers(&self, index: usize) -> Result<(), PlanError> {
        let wishes = [self.heading, self.swing, self.support];
        if !self.position.is_finite() || wishes.iter().flatten().any(|wish| !wish.is_finite()) {
            return Err(PlanError::NotFinite { footprint: index });
        }
        if let Some(seconds) = self.swing.filter(|&swing| swing <= 0.0) {
            return Err(PlanError::Duration { footprint: index, what: StepTime::Swing, seconds });
        }
        if let Some(seconds) = self.support.filter(|&support| support < 0.0) {
            return Err(PlanError::Duration { footprint: index, what: StepTime::Support, seconds });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plan through ball positions, left foot first, feet taking turns.
    fn plan_through(positions: &[[f64; 3]]) -> FootPlan {
        let sides = Side::BOTH.into_iter().cycle();
        let footprints =
            positions.iter().zip(sides).map(|(&position, side)| Footprint::at(side, Vec3::from(position))).collect();
        FootPlan { footprints }
    }

    fn check(plan: &FootPlan) -> Result<(), PlanError> {
        plan.check(&PlanLimits::default())
    }

    #[test]
    fn what_people_do_is_feasible() {
        let walk = [[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.0, 0.7], [-0.1, 0.0, 1.4]];
        let stairs = [[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.18, 0.3], [-0.1, 0.36, 0.6]];
        let sidestep = [[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.8, 0.0, 0.0], [0.5, 0.0, 0.0]];
        let sprint = [[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.0, 2.7], [-0.1, 0.0, 5.4]];
        let jump_down = [[0.1, 2.0, 0.0], [-0.1, 2.0, 0.0], [0.1, 0.0, 1.5], [-0.1, 0.0, 1.5]];
        for positions in [walk, stairs, sidestep, sprint, jump_down] {
            assert_eq!(check(&plan_through(&positions)), Ok(()));
        }
        let mut hop = plan_through(&walk);
        hop.footprints[3].side = Side::Left;
        assert_eq!(check(&hop), Ok(()));
    }

    #[test]
    fn the_first_footprint_out_of_reach_is_named() {
        let far = plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.0, 0.6], [-0.1, 0.0, 50.0]]);
        assert_eq!(check(&far).unwrap_err().footprint(), Some(3));
        assert!(matches!(check(&far), Err(PlanError::TooFar { .. })));
        let up = plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 3.0, 0.6]]);
        assert!(matches!(check(&up), Err(PlanError::TooHigh { footprint: 2, .. })));
        let down = plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, -5.0, 0.6]]);
        assert!(matches!(check(&down), Err(PlanError::TooDeep { footprint: 2, .. })));
    }

    #[test]
    fn a_swing_faster_than_any_runner_is_refused_with_the_time_it_needs() {
        let mut plan = plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.0, 0.7], [-0.1, 0.0, 1.7]]);
        plan.footprints[0].swing = Some(1e-6);
        plan.footprints[3].swing = Some(0.11);
        assert_eq!(check(&plan), Ok(()));
        plan.footprints[3].swing = Some(0.09);
        let error = check(&plan).unwrap_err();
        assert_eq!(error.footprint(), Some(3));
        assert!(error.to_string().contains("give it 0.10 s or more"), "{error}");
    }

    #[test]
    fn numbers_that_mean_nothing_are_refused() {
        let good = plan_through(&[[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0]]);
        assert_eq!(check(&good), Ok(()));
        let changed = |change: fn(&mut Footprint)| {
            let mut plan = good.clone();
            change(&mut plan.footprints[1]);
            check(&plan).unwrap_err()
        };
        assert_eq!(changed(|f| f.position.x = f64::NAN), PlanError::NotFinite { footprint: 1 });
        assert_eq!(changed(|f| f.heading = Some(f64::INFINITY)), PlanError::NotFinite { footprint: 1 });
        assert!(matches!(changed(|f| f.swing = Some(0.0)), PlanError::Duration { what: StepTime::Swing, .. }));
        assert!(matches!(changed(|f| f.support = Some(-0.1)), PlanError::Duration { what: StepTime::Support, .. }));
        assert!(matches!(changed(|f| f.side = Side::Left), PlanError::OneStandingFoot { .. }));
        assert_eq!(check(&FootPlan::default()), Err(PlanError::TooShort { found: 0 }));
    }
}
