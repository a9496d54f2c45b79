//! Footprints that nobody could step are moved to where somebody can (COMPOSE 6.1).
//!
//! In the order of the plan, for each footprint whose step is beyond the limits of its behaviour:
//!
//! 1. Too high or too deep (eq. 4): its support is set to the limit below it, or above it, and so on backward, until a step is possible.
//! 2. Too far (eq. 5): what is beyond the limit is shared among the previous footprints, each nearer one taking more, so that every step between grows
//!    by the same part.
//! 3. Where that leads nowhere, because previous footprints are fixed, are the standing feet, or are at their limits themselves (the paper's deadlock), new
//!    footprints are laid on the way.
//! 4. Too little time: this landing and everything later comes later.
//! 5. On the other foot: it is moved aside, out from under the body.
//!
//! Standing feet and footprints that are fixed stay where they are. What footprints mean may change with their places, so behaviours are asked for
//! again until nothing changes.
//!
//! Departures. Equation 4 as printed, f(p_sup) + l - f(p_end), moves the support away from a footprint that is too high; the sign is turned.
//! Equation 5 adds the same share to each of the previous footprints, which shortens the long step by that share alone; here the shares add up along the
//! plan. The paper lays a new footprint on top of the last one; here new ones are laid evenly between, of alternating feet where the step alternates.

use crate::body_tracks::planar;
use crate::step_limits::{ROUNDING, StepLimits, StepProblem, pushes_off};
use surefoot_contact::{Behaviour, FootPlan, Footprint};
use surefoot_geom::{Vec3, ground_point, heading_direction, turn_between};
use surefoot_motion::Side;
use surefoot_plan::World;

/// Behaviours are asked for so often.
const ROUNDS: usize = 6;
/// New footprints are laid within this share of a limit, for feet that step beside a line step further than along it.
const EASY: f64 = 0.9;
/// Changes that a refusal lists.
const MOST_TOLD: usize = 3;
/// New footprints of one plan.
const MOST_NEW: usize = 200;

/// A plan that can be stepped, and what was changed for it.
#[derive(Clone, Debug, PartialEq)]
pub struct RepairedPlan {
    /// Whose footprints can be stepped.
    pub plan: FootPlan,
    /// In the order of the repaired plan. Empty if nothing had to be changed.
    pub changes: Vec<PlanChange>,
}

/// What became of a footprint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanChange {
    /// In the repaired plan, 0-based.
    pub footprint: usize,
    /// In the plan as given; `None` for a new one.
    pub given: Option<usize>,
    /// How far it was moved, in metres; where a new one is.
    pub moved: Vec3,
    /// How much later it is landed on, in seconds.
    pub later: f64,
    /// The first footprint, as given, whose step asked for it, with its behaviour and what was wrong.
    pub because: (usize, Behaviour, StepProblem),
}

impl RepairedPlan {
    /// The first changes in a line; `None` if nothing had to be changed.
    pub fn summary(&self) -> Option<String> {
        let (footprint, behaviour, problem) = self.changes.first()?.because;
        let because = format!(": {} to footprints[{footprint}]: {problem}", behaviour.name());
        let words: Vec<String> =
            self.changes.iter().take(MOST_TOLD).map(|change| change.to_string().replace(&because, "")).collect();
        let more = self.changes.len().saturating_sub(MOST_TOLD);
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        Some(format!("{}{more}", words.join("; ")))
    }
}

impl std::fmt::Display for PlanChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.given {
            Some(given) => {
                write!(f, "footprints[{given}]")?;
                let (over, up) = (planar(self.moved), self.moved.y);
                let mut comma = "";
                if over > ROUNDING {
                    write!(f, " moved by {over:.2} m")?;
                    comma = ",";
                }
                if up.abs() > ROUNDING {
                    write!(f, "{comma} {} by {:.2} m", if up > 0.0 { "raised" } else { "lowered" }, up.abs())?;
                    comma = ",";
                }
                if self.later > ROUNDING {
                    write!(f, "{comma} {:.2} s later", self.later)?;
                }
            }
            None => write!(f, "a new footprint at [{:.2}, {:.2}, {:.2}]", self.moved.x, self.moved.y, self.moved.z)?,
        }
        let (footprint, behaviour, problem) = self.because;
        write!(f, ": {} to footprints[{footprint}]: {problem}", behaviour.name())
    }
}

/// Why a plan cannot be repaired, or was not.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RepairError<E> {
    /// Footprints could not be given a behaviour.
    #[error(transparent)]
    Behaviour(E),
    /// Nothing that may be moved helps.
    #[error(
        "footprints[{footprint}]: a {} that nobody can do: {problem}; no footprint that may be moved helps: free those before it, \
         or move it nearer",
        .behaviour.name()
    )]
    Stuck {
        /// As given, 0-based.
        footprint: usize,
        /// What leads to it.
        behaviour: Behaviour,
        /// What is wrong.
        problem: StepProblem,
    },
}

/// The first step of a plan that is beyond limits: footprint, behaviour and what is wrong.
pub fn first_problem(
    plan: &FootPlan,
    behaviours: &[Behaviour],
    limits: &StepLimits,
) -> Option<(usize, Behaviour, StepProblem)> {
    let problem = |(index, behaviour): (usize, &Behaviour)| {
        let problem = limits.problem(&plan.footprints, index, *behaviour)?;
        Some((index, *behaviour, problem))
    };
    behaviours.iter().enumerate().find_map(problem)
}

/// Repairs a plan within limits of the person in metres ([`StepLimits::scaled`]). `behaviours` gives what leads to each footprint; in a world with
/// terrain, moved footprints stay on it.
pub fn repair_plan<E>(
    plan: &FootPlan,
    world: &World,
    limits: &StepLimits,
    mut behaviours: impl FnMut(&[Footprint]) -> Result<Vec<Behaviour>, E>,
) -> Result<RepairedPlan, RepairError<E>> {
    let rows = plan.footprints.iter().enumerate();
    let rows = rows.map(|(index, print)| Row { print: *print, given: Some(index), because: None });
    let mut work = Work { rows: rows.collect(), kinds: Vec::new(), world, limits, n_new: 0 };
    let mut problem = None;
    for _ in 0..ROUNDS {
        work.kinds = behaviours(&work.prints()).map_err(RepairError::Behaviour)?;
        if work.first_problem().is_none() {
            return Ok(RepairedPlan { changes: work.changes(plan), plan: FootPlan { footprints: work.prints() } });
        }
        problem = work.repair_once();
    }
    let (at, behaviour, found) = problem.or_else(|| work.first_problem()).unwrap_or((
        0,
        Behaviour::Walk,
        StepProblem::TooLong { length: 0.0, limit: 0.0 },
    ));
    Err(RepairError::Stuck { footprint: work.given_before(at), behaviour, problem: found })
}

/// A footprint on its way.
#[derive(Clone, Copy)]
struct Row {
    print: Footprint,
    given: Option<usize>,
    because: Option<(usize, Behaviour, StepProblem)>,
}

struct Work<'a> {
    rows: Vec<Row>,
    kinds: Vec<Behaviour>,
    world: &'a World,
    limits: &'a StepLimits,
    n_new: usize,
}

impl Work<'_> {
    fn prints(&self) -> Vec<Footprint> {
        self.rows.iter().map(|row| row.print).collect()
    }

    fn problem(&self, index: usize) -> Option<StepProblem> {
        self.limits.problem(&self.prints(), index, self.kinds[index])
    }

    fn first_problem(&self) -> Option<(usize, Behaviour, StepProblem)> {
        let prints = self.prints();
        let of = |index: usize| {
            let problem = self.limits.problem(&prints, index, self.kinds[index])?;
            Some((index, self.kinds[index], problem))
        };
        (0..prints.len()).find_map(of)
    }

    /// The footprint as given that a row is, or the next one is.
    fn given_before(&self, index: usize) -> usize {
        self.rows[index..].iter().find_map(|row| row.given).unwrap_or(0)
    }

    /// The standing feet and fixed footprints stay.
    fn is_free(&self, index: usize) -> bool {
        index >= 2 && !self.rows[index].print.is_fixed
    }

    /// Goes through the plan once. Returns the first step that nothing helped.
    fn repair_once(&mut self) -> Option<(usize, Behaviour, StepProblem)> {
        let mut index = 0;
        let mut stuck = None;
        while index < self.rows.len() {
            if let Some(problem) = self.problem(index) {
                let because = (self.given_before(index), self.kinds[index], problem);
                let before = self.rows.clone();
                let is_done = match problem {
                    StepProblem::TooHigh { .. } | StepProblem::TooDeep { .. } => self.lower_backward(index, because),
                    StepProblem::TooLong { length, limit } => self.share_backward(index, length - limit, because),
                    StepProblem::TooFast { missing, .. } => self.delay(index, missing, because),
                    StepProblem::OnOtherFoot { limit, .. } => self.move_aside(index, limit, because),
                };
                if !is_done {
                    self.rows.clone_from(&before);
                    let kinds = self.kinds.clone();
                    let n_new = self.lay_between(index, because);
                    // A terrain has its own heights: where those do not help either, nothing does.
                    let helps =
                        |n_new: &usize| self.world.terrain.is_none() || self.is_possible(index..index + n_new + 1);
                    match n_new.filter(helps) {
                        // The new footprints come first.
                        Some(n_new) => index += n_new,
                        None => {
                            (self.rows, self.kinds) = (before, kinds);
                            stuck = stuck.or(Some((index, self.kinds[index], problem)));
                        }
                    }
                }
            }
            index += 1;
        }
        stuck
    }

    /// Puts a row somewhere: on the terrain, where there is one.
    fn put(&mut self, index: usize, position: Vec3, because: (usize, Behaviour, StepProblem)) {
        let mut position = position;
        if let Some(terrain) = &self.world.terrain {
            position.y = terrain.height(ground_point(position));
        }
        let row = &mut self.rows[index];
        row.print.position = position;
        row.print.normal = self.world.normal_at(position).unwrap_or(row.print.normal);
        row.because = row.because.or(Some(because));
    }

    /// Eq. 4, backward from a step that is too high or too deep.
    fn lower_backward(&mut self, index: usize, because: (usize, Behaviour, StepProblem)) -> bool {
        if self.world.terrain.is_some() {
            return false;
        }
        let mut at = index;
        loop {
            let prints = self.prints();
            let Some(support) = pushes_off(&prints, at, self.kinds[at]) else { return false };
            let reach = self.limits.of(self.kinds[at]);
            let height = prints[at].position.y - prints[support].position.y;
            let beyond = if height > reach.rise { height - reach.rise } else { (height + reach.drop).min(0.0) };
            if beyond.abs() <= ROUNDING {
                return self.is_possible(support..index + 1);
            }
            if !self.is_free(support) {
                return false;
            }
            let mut position = prints[support].position;
            position.y += beyond;
            self.put(support, position, because);
            // A footprint that lands together with the support goes with it.
            if let Some(twin) = self.twin(support).filter(|&twin| twin < index) {
                if !self.is_free(twin) {
                    return false;
                }
                let mut position = prints[twin].position;
                position.y += beyond;
                self.put(twin, position, because);
            }
            at = support;
        }
    }

    /// The other foot of a landing on both, which is beside it in the plan.
    fn twin(&self, index: usize) -> Option<usize> {
        let is_twin = |other: &usize| {
            let (a, b) = (self.rows.get(index), self.rows.get(*other));
            a.zip(b).is_some_and(|(a, b)| {
                a.print.side != b.print.side
                    && [index, *other].iter().all(|&of| self.kinds[of] == Behaviour::Jump)
                    && (a.print.position.y - b.print.position.y).abs() < 0.1
            })
        };
        [index.wrapping_sub(1), index + 1].into_iter().find(is_twin)
    }

    /// Eq. 5: what is beyond the limit, shared among the previous footprints back to the last one that stays.
    fn share_backward(&mut self, index: usize, beyond: f64, because: (usize, Behaviour, StepProblem)) -> bool {
        let prints = self.prints();
        let Some(from) = pushes_off(&prints, index, self.kinds[index]) else { return false };
        let first = (0..=from).rev().take_while(|&at| self.is_free(at)).last();
        let Some(first) = first else { return false };
        // Both feet push off for a jump; neither may be left behind.
        let last = self.twin(from).filter(|&twin| twin < index).map_or(from, |twin| twin.max(from));
        if !self.is_free(last) {
            return false;
        }
        let along = flat(prints[index].position - prints[from].position);
        let n = (from + 1 - first) as f64;
        for (place, print) in prints[first..=last].iter().enumerate() {
            let share = ((place + 1) as f64 / n).min(1.0);
            self.put(first + place, print.position + along * (beyond * share), because);
        }
        self.is_possible(first..index + 1)
    }

    /// The landing, and all that is later, comes later.
    fn delay(&mut self, index: usize, missing: f64, because: (usize, Behaviour, StepProblem)) -> bool {
        if let Some(swing) = self.rows[index].print.swing.as_mut() {
            *swing += missing;
            self.rows[index].because.get_or_insert(because);
            return true;
        }
        let Some(land) = self.rows[index].print.land else { return false };
        for row in &mut self.rows {
            let is_later = row.print.land.is_some_and(|of| of >= land);
            if is_later {
                row.print.land = row.print.land.map(|time| time + missing);
                row.because.get_or_insert(because);
            }
            // The other foot carries until then.
            row.print.leave = row.print.leave.map(|time| if time >= land { time + missing } else { time });
        }
        true
    }

    fn move_aside(&mut self, index: usize, least: f64, because: (usize, Behaviour, StepProblem)) -> bool {
        let prints = self.prints();
        let Some(other) = (0..index).rev().find(|&other| prints[other].side != prints[index].side) else {
            return false;
        };
        let heading = prints[index].heading.or(prints[other].heading).unwrap_or(0.0);
        let out = if prints[index].side == Side::Left { 1.0 } else { -1.0 };
        let aside = heading_direction(heading + std::f64::consts::FRAC_PI_2) * out;
        // Whichever of the two is free; on the terrain a little more is needed than over the ground.
        for (at, sign) in [(index, 1.0), (other, -1.0)] {
            if self.is_free(at) {
                let place = prints[if at == index { other } else { index }].position;
                self.put(at, place + aside * (sign * least * 1.2), because);
                return self.is_possible(other..index + 1);
            }
        }
        false
    }

    fn is_possible(&self, mut of: std::ops::Range<usize>) -> bool {
        let prints = self.prints();
        of.all(|at| self.limits.problem(&prints, at, self.kinds[at]).is_none())
    }

    /// New footprints on the way to one, evenly in place, height and heading. Returns how many.
    fn lay_between(&mut self, index: usize, because: (usize, Behaviour, StepProblem)) -> Option<usize> {
        let prints = self.prints();
        let behaviour = self.kinds[index];
        let from = pushes_off(&prints, index, behaviour)?;
        let reach = self.limits.of(behaviour);
        let offset = prints[index].position - prints[from].position;
        let needed =
            [planar(offset) / (EASY * reach.length), offset.y / (EASY * reach.rise), -offset.y / (EASY * reach.drop)];
        let n_steps = needed.into_iter().fold(0.0, f64::max).ceil();
        if n_steps < 2.0 || self.n_new as f64 + 2.0 * n_steps > MOST_NEW as f64 {
            return None;
        }
        let n_steps = n_steps as usize;
        let is_second = self.twin(index).is_some_and(|twin| twin + 1 == index);
        let is_pair = self.twin(index) == Some(index + 1);
        if is_second {
            // Its first foot has laid new ones for both.
            return None;
        }
        let alternates = matches!(behaviour, Behaviour::Walk | Behaviour::Stair | Behaviour::Run);
        // Steps that alternate need two new ones, or four, ...
        let n_parts = if alternates && n_steps.is_multiple_of(2) { n_steps + 1 } else { n_steps };
        let mut new = Vec::new();
        for part in 1..n_parts {
            let share = part as f64 / n_parts as f64;
            let is_own = !alternates || part % 2 == 1;
            for to in if is_pair { index..index + 2 } else { index..index + 1 } {
                let side = if is_own { prints[to].side } else { prints[to].side.opposite() };
                let last = (0..index).rev().find(|&at| prints[at].side == side).unwrap_or(from);
                let start = match (alternates, is_own) {
                    (true, true) => aside_of(&prints, from),
                    (true, false) => prints[from].position,
                    (false, _) => prints[last].position,
                };
                let goal = if is_own { prints[to].position } else { aside_of(&prints, to) };
                let heading = prints[to].heading.map(|heading| {
                    let before = prints[last].heading.unwrap_or(heading);
                    before + turn_between(before, heading) * share
                });
                let print = Footprint {
                    heading,
                    behaviour: prints[to].behaviour,
                    ..Footprint::at(side, rounded(start + (goal - start) * share))
                };
                new.push((print, self.kinds[to]));
            }
        }
        let n_new = new.len();
        self.n_new += n_new;
        for (place, (print, kind)) in new.into_iter().enumerate() {
            self.rows.insert(index + place, Row { print, given: None, because: Some(because) });
            self.kinds.insert(index + place, kind);
            self.put(index + place, print.position, because);
        }
        self.drop_times(index);
        Some(n_new)
    }

    /// Absolute times after new footprints would leave no time for these: they are left open from there on.
    fn drop_times(&mut self, from: usize) {
        for row in &mut self.rows[from.saturating_sub(2)..] {
            row.print.leave = None;
        }
        for row in &mut self.rows[from..] {
            row.print.land = None;
        }
    }

    fn changes(&self, plan: &FootPlan) -> Vec<PlanChange> {
        let change = |(footprint, row): (usize, &Row)| {
            let because = row.because?;
            let given = row.given.map(|given| &plan.footprints[given]);
            let moved = row.print.position - given.map_or(Vec3::ZERO, |given| given.position);
            let time = |now: Option<f64>, was: Option<f64>| now.zip(was).map_or(0.0, |(now, was)| now - was);
            let later =
                given.map_or(0.0, |given| time(row.print.land, given.land).max(time(row.print.swing, given.swing)));
            let is_changed = given.is_none() || moved.length() > ROUNDING || later > ROUNDING;
            is_changed.then_some(PlanChange { footprint, given: row.given, moved, later, because })
        };
        self.rows.iter().enumerate().filter_map(change).collect()
    }
}

/// New footprints are laid to the tenth of a millimetre, for people read them.
fn rounded(place: Vec3) -> Vec3 {
    (place * 1e4).round() / 1e4
}

/// Over the ground, of length 1.
fn flat(offset: Vec3) -> Vec3 {
    Vec3::new(offset.x, 0.0, offset.z).normalize_or_zero()
}

/// Half a usual step width.
const HALF_WIDTH: f64 = 0.1;

/// Where the other foot would be planted beside a footprint.
fn aside_of(prints: &[Footprint], index: usize) -> Vec3 {
    let print = &prints[index];
    let travel = (0..index).rev().find(|&at| prints[at].side == print.side);
    let heading = print.heading.or_else(|| {
        let offset = print.position - prints[travel?].position;
        (planar(offset) > HALF_WIDTH).then(|| offset.x.atan2(offset.z))
    });
    let inward = if print.side == Side::Left { -1.0 } else { 1.0 };
    print.position
        + heading_direction(heading.unwrap_or(0.0) + std::f64::consts::FRAC_PI_2) * (inward * 2.0 * HALF_WIDTH)
}

#[cfg(test)]
mod tests;
