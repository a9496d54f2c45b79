//! What kind of step a footprint asks for: whether its behaviour, its times and its foot go together, and what synthesizers
//! of walks refuse.

use crate::check_plan::{PlanChecker, PlanError};
use crate::jump_pattern::lands_together;
use crate::step_timing::{Overlap, timing_after};
use crate::stepper::{StepError, StepTask};
use surefoot_contact::{Behaviour, Footprint};

impl PlanChecker {
    /// Refuses a footprint after others if its behaviour contradicts its times, or if its
    /// foot steps twice in a row while the other is planted. Where no body is known, the latter passes: recordings have
    /// such steps, where a foot is shifted.
    pub(crate) fn check_kind(&self, before: &[Footprint], next: &Footprint) -> Result<(), PlanError> {
        let footprint = before.len();
        let Some(last) = before.last().filter(|_| footprint >= 2) else { return Ok(()) };
        let timing = timing_after(before, next);
        if let (Some(behaviour), Some(overlap)) = (next.behaviour, timing.overlap) {
            match (behaviour, overlap) {
                (_, Overlap::Support(_)) if behaviour == Behaviour::Jump && timing.together => {}
                (_, Overlap::Support(support)) if behaviour.is_flight() => {
                    return Err(PlanError::FlightWithSupport { footprint, behaviour, support });
                }
                (_, Overlap::Flight(_)) if !behaviour.is_flight() => {
                    return Err(PlanError::WalkWithoutSupport { footprint, behaviour });
                }
                _ => {}
            }
        }
        // After a landing on both feet, either may step.
        let is_again = footprint > 2 && last.side == next.side && !lands_together(&before[..footprint - 1], last);
        if is_again && self.body.is_some() && !self.is_flight(next, &timing) {
            return Err(PlanError::SameFoot { footprint, side: next.side });
        }
        Ok(())
    }
}

/// Refuses what a synthesizer of walks does not do: jumps, hops on one foot, and landings on both feet at once.
pub fn refuse_jumps(task: &StepTask<'_>, synthesizer: &'static str) -> Result<(), StepError> {
    let (footprint, print) = (task.index(), task.print());
    let is_later = footprint > 2;
    let (what, instead) = if matches!(print.behaviour, Some(Behaviour::Jump | Behaviour::Hop)) {
        ("a jump", "let gait jump there, or let it walk")
    } else if is_later && task.prints[footprint - 1].side == print.side {
        ("a hop on one foot", "give it to the other foot, or put a footprint of that one between")
    } else if is_later && task.timing.together {
        ("a landing on both feet at once", "land one foot later than the other")
    } else {
        return Ok(());
    };
    Err(StepError::Unsupported { footprint, what, synthesizer, instead })
}
