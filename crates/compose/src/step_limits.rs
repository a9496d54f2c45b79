//! How far, how high and how fast a person comes in one step of each behaviour (COMPOSE 4.1, 6.1).
//!
//! A step is measured from where the person pushes off: a step with a planted foot from that foot, a run from the other foot, a hop from the
//! same foot, a jump from where its own foot was. Lengths are over the leg length until [`StepLimits::scaled`]; the largest recorded step is the limit, as
//! in the paper. Of behaviours with fewer than [`FEW`] recorded steps, and where nothing was recorded, the limits are those of
//! [`StepLimits::default`], by what untrained people do.

use crate::behaviour_database::BehaviourDatabase;
use crate::body_tracks::planar;
use surefoot_contact::{Behaviour, Footprint};
use surefoot_geom::Vec3;

/// Fewer steps than this teach no limit.
const FEW: usize = 8;
/// Longer and higher than this, over the leg length, is a recording that missed a stance.
const MISSED: f64 = 4.0;
/// Feet swing for at least this long, in seconds: shorter ones are stances that were cut.
const SHORTEST_SWING: f64 = 0.1;

/// The largest step of one behaviour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepReach {
    /// Over the ground.
    pub length: f64,
    /// Upward.
    pub rise: f64,
    /// Downward.
    pub drop: f64,
    /// Mean speed of the foot over its swing, per second.
    pub foot_speed: f64,
    /// How many recorded steps it was learned from; 0 for the default.
    pub n_steps: usize,
}

/// The largest steps of all behaviours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLimits {
    reaches: [StepReach; Behaviour::ALL.len()],
    /// Balls of planted feet are no nearer.
    pub apart: f64,
}

impl Default for StepLimits {
    /// Over the leg length: what healthy untrained people do.
    fn default() -> StepLimits {
        let of = |behaviour: Behaviour| {
            let [length, rise, drop, foot_speed] = match behaviour {
                Behaviour::Walk | Behaviour::Stand => [1.3, 0.5, 0.5, 7.0],
                Behaviour::Stair => [1.2, 0.5, 0.5, 7.0],
                Behaviour::Run => [2.3, 0.5, 0.8, 12.0],
                Behaviour::Jump => [2.6, 0.8, 1.8, 12.0],
                Behaviour::Hop => [2.0, 0.4, 0.6, 12.0],
            };
            StepReach { length, rise, drop, foot_speed, n_steps: 0 }
        };
        StepLimits { reaches: Behaviour::ALL.map(of), apart: 0.05 }
    }
}

fn place(behaviour: Behaviour) -> usize {
    Behaviour::ALL.iter().position(|of| *of == behaviour).unwrap_or(0)
}

impl StepLimits {
    /// Of recordings, over the leg length.
    pub fn learn(database: &BehaviourDatabase) -> StepLimits {
        let mut found = Behaviour::ALL.map(|_| Vec::new());
        for clip in database.clips() {
            let stances = &clip.segmentation.stances;
            let print = |index: usize| Footprint::at(stances[index].side, stances[index].ball);
            let prints: Vec<Footprint> = (0..stances.len()).map(print).collect();
            for (index, stance) in stances.iter().enumerate() {
                let Some(behaviour) = stance.label.behaviour().filter(|of| *of != Behaviour::Stand) else { continue };
                let Some(from) = pushes_off(&prints, index, behaviour) else { continue };
                let step = (stance.ball - stances[from].ball) / clip.leg_length;
                let swing = stance.previous.map(|own| {
                    let seconds = stance.frames.start.saturating_sub(stances[own].frames.end) as f64 / clip.frame_rate;
                    (stance.ball.distance(stances[own].ball) / clip.leg_length, seconds)
                });
                let speed =
                    swing.filter(|(_, seconds)| *seconds >= SHORTEST_SWING).map_or(0.0, |(way, time)| way / time);
                if planar(step) < MISSED && step.y.abs() < MISSED {
                    found[place(behaviour)].push([planar(step), step.y, -step.y, speed]);
                }
            }
        }
        let mut limits = StepLimits::default();
        for (steps, reach) in found.iter().zip(&mut limits.reaches) {
            if steps.len() >= FEW {
                let most = |of: usize| steps.iter().map(|step: &[f64; 4]| step[of]).fold(0.0, f64::max);
                // A database without stairs knows nothing of heights.
                let or = |learned: f64, usual: f64| if learned > 0.1 { learned } else { usual };
                *reach = StepReach {
                    length: most(0),
                    rise: or(most(1), reach.rise),
                    drop: or(most(2), reach.drop),
                    foot_speed: most(3).max(reach.foot_speed),
                    n_steps: steps.len(),
                };
            }
        }
        // A step with a planted foot may lead to any height that a stair does.
        let stair = limits.of(Behaviour::Stair);
        let walk = &mut limits.reaches[place(Behaviour::Walk)];
        (walk.rise, walk.drop) = (walk.rise.max(stair.rise), walk.drop.max(stair.drop));
        limits
    }

    /// For legs of this length: from shares of it to metres.
    pub fn scaled(&self, leg_length: f64) -> StepLimits {
        let reaches = self.reaches.map(|reach| StepReach {
            length: reach.length * leg_length,
            rise: reach.rise * leg_length,
            drop: reach.drop * leg_length,
            foot_speed: reach.foot_speed * leg_length,
            ..reach
        });
        StepLimits { reaches, apart: self.apart * leg_length }
    }

    /// The largest step of a behaviour.
    pub fn of(&self, behaviour: Behaviour) -> StepReach {
        self.reaches[place(behaviour)]
    }

    /// The same, to be set.
    pub fn of_mut(&mut self, behaviour: Behaviour) -> &mut StepReach {
        &mut self.reaches[place(behaviour)]
    }
}

/// The footprint that a step is measured from; `None` for a standing foot.
pub(crate) fn pushes_off(prints: &[Footprint], index: usize, behaviour: Behaviour) -> Option<usize> {
    let last = |is_own: bool| (0..index).rev().find(|&other| (prints[other].side == prints[index].side) == is_own);
    match behaviour {
        Behaviour::Stand => None,
        Behaviour::Walk | Behaviour::Stair | Behaviour::Run => last(false).or_else(|| last(true)),
        Behaviour::Jump | Behaviour::Hop => last(true).or_else(|| last(false)),
    }
}

/// What makes a step impossible. Lengths in metres, times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepProblem {
    /// Too far.
    TooLong {
        /// Over the ground.
        length: f64,
        /// The most.
        limit: f64,
    },
    /// Too far up.
    TooHigh {
        /// Upward.
        rise: f64,
        /// The most.
        limit: f64,
    },
    /// Too far down.
    TooDeep {
        /// Downward.
        drop: f64,
        /// The most.
        limit: f64,
    },
    /// The times that the plan gives leave too little time for the foot to come there.
    TooFast {
        /// Of the foot, in metres a second.
        speed: f64,
        /// The most.
        limit: f64,
        /// Seconds that are missing.
        missing: f64,
    },
    /// Both feet would be planted at one place, where nobody keeps balance.
    OnOtherFoot {
        /// Between the balls.
        apart: f64,
        /// The least.
        limit: f64,
    },
}

impl std::fmt::Display for StepProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StepProblem::TooLong { length, limit } => write!(f, "{length:.2} m far, {limit:.2} m is the most"),
            StepProblem::TooHigh { rise, limit } => write!(f, "{rise:.2} m up, {limit:.2} m is the most"),
            StepProblem::TooDeep { drop, limit } => write!(f, "{drop:.2} m down, {limit:.2} m is the most"),
            StepProblem::TooFast { speed, limit, missing } => write!(
                f,
                "the foot has to move at {speed:.1} m/s, {limit:.1} is the most; it needs {missing:.2} s longer"
            ),
            StepProblem::OnOtherFoot { apart, limit } => {
                write!(f, "planted {apart:.2} m from the other foot, {limit:.2} m is the least for balance")
            }
        }
    }
}

/// Rounding, in metres and seconds.
pub(crate) const ROUNDING: f64 = 1e-6;

impl StepLimits {
    /// What makes the step to a footprint impossible, if anything does: height first, for it decides what is moved.
    pub fn problem(&self, prints: &[Footprint], index: usize, behaviour: Behaviour) -> Option<StepProblem> {
        let reach = self.of(behaviour);
        let from = pushes_off(prints, index, behaviour)?;
        let step: Vec3 = prints[index].position - prints[from].position;
        let length = planar(step);
        if step.y > reach.rise + ROUNDING {
            return Some(StepProblem::TooHigh { rise: step.y, limit: reach.rise });
        }
        if -step.y > reach.drop + ROUNDING {
            return Some(StepProblem::TooDeep { drop: -step.y, limit: reach.drop });
        }
        if length > reach.length + ROUNDING {
            return Some(StepProblem::TooLong { length, limit: reach.length });
        }
        let other = (0..index).rev().find(|&other| prints[other].side != prints[index].side);
        let is_planted = index == 1 || !behaviour.is_flight();
        if let Some(other) = other.filter(|_| is_planted) {
            let apart = prints[index].position.distance(prints[other].position);
            if apart < self.apart - ROUNDING {
                return Some(StepProblem::OnOtherFoot { apart, limit: self.apart });
            }
        }
        let swing = surefoot_plan::step_timing(prints, index).swing?;
        let own = (0..index).rev().find(|&own| prints[own].side == prints[index].side)?;
        let way = prints[index].position.distance(prints[own].position);
        let needs = way / reach.foot_speed;
        (swing + ROUNDING < needs).then(|| StepProblem::TooFast {
            speed: way / swing.max(1e-3),
            limit: reach.foot_speed,
            missing: needs - swing,
        })
    }
}
