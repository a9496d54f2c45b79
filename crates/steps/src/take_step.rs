//! A step by itself: what it is blended of, and when it happens.
//!
//! Reference: STRIDE 5.1 to 5.5.
//!
//! 1. The query of a footprint, and the steps that are chosen for it, if they were not chosen before ([`super::look_ahead`]); their blend.
//! 2. Its times. Those asked for count as much as they weigh; the rest is as in the blended steps.
//!
//! What a body cannot stand on, and steps of too many frames, are refused before anything is changed.

use super::blend::{blend_carried, blend_regressed, blend_steps, blend_turned};
use super::blend_angles::blend_angles;
use super::choose_plan::PlanChooser;
use super::splice_upper::{choose_upper, splice_upper};
use super::stance_plane::StancePlane;
use super::step_heights::HeightFit;
use super::step_walker::{Footfall, NAME, Print, StepWalker};
use super::taken_step::TakenStep;
use super::walk_options::{Method, Search};
use super::{Choice, Place, StepQuery};
use surefoot_geom::{Transform, Vec3};
use surefoot_motion::Side;
use surefoot_plan::{Footprint, StepError, ground_between};

/// Shortest double support and swing, in seconds.
const MIN_SUPPORT: f64 = 0.03;
const MIN_SWING: f64 = 0.12;
/// Shortest double support, as a share of the blended steps' own.
const SHORTEST_SHARE: f64 = 0.6;
/// ...but no longer than feet take to roll off, in seconds: in the rest of a long one people stand.
const ROLLS_OFF: f64 = 0.15;
/// Most frames of one step and the double support after it, which are in memory at once: more than five minutes at 60 a
/// second.
const MAX_STEP_FRAMES: f64 = 20_000.0;
/// Deepest that a planted foot may be in a terrain, in metres: what a judge allows.
const MAX_DEPTH: f64 = 0.002;

/// What a step's times shall be, in seconds; `None` is left to the blended steps.
#[derive(Clone, Copy, Debug)]
struct TimeTargets {
    /// With both feet down before the swing.
    support: Option<f64>,
    swing: Option<f64>,
    /// From the landing before to this one.
    interval: Option<f64>,
}

impl StepWalker {
    /// 1. and 2.: the step by itself, and when it happens.
    pub(super) fn take_step(
        &mut self,
        fall: &Footfall,
        before: Option<&TakenStep>,
        chosen: Option<Choice>,
    ) -> Result<TakenStep, StepError> {
        let print = &fall.print;
        let swing = print.side;
        let [support, from] = [swing.opposite(), swing].map(|side| self.prints[side].expect("both feet stand"));
        // A foot without a target for its heading points as the step before left it.
        let heading = |side: Side, print: &Print| print.heading.or_else(|| before.map(|step| step.heading_after(side)));
        let place = |side: Side, print: &Print| Place { ball: print.ball, heading: heading(side, print) };
        let targets = self.time_targets(fall, before, &support, &from);
        let to = Place { ball: print.position, heading: print.heading };
        let times = [targets.support, targets.swing, fall.timing.support()];
        let mut query = StepQuery::new(swing, place(swing.opposite(), &support), place(swing, &from), to, times);
        if let Some(before) = before.filter(|before| before.swing != swing) {
            query = query.after(before.planes[0].ball);
        }
        let method = self.options.method;
        let choose = method.choose(&self.options.choose);
        let planned = self.planned.get(fall.index - 2).filter(|planned| planned.is_for(&query));
        let choice = match chosen.or(planned.map(|planned| planned.choice.clone())) {
            Some(choice) => choice,
            None => {
                let database = self.database.clone();
                let chooser = PlanChooser { database: &database, style: self.style.as_ref(), options: choose };
                if !method.carries() || self.options.search == Search::Footprint {
                    chooser.choose_alone(&query, &mut self.memory)
                } else {
                    let before = before.map(|before| (&before.choice, before.yaw));
                    chooser.choose_ahead(before, &[query], &mut self.memory).swap_remove(0)
                }
            }
        };
        let mut blend = self.spare.take().map(|step| step.blend).unwrap_or_default();
        let mut carried = None;
        if method.carries() && self.options.carries {
            let style = self.style.as_deref();
            carried = Some(blend_carried(&self.database, &query, &choice, style, &self.options, &mut blend));
        } else if method.carries() {
            blend_turned(&self.database, &query, &choice, &self.options, &mut blend);
        } else if method == Method::GaussianProcess {
            blend_regressed(&self.database, &query, &choice, &self.options, &mut blend);
        } else {
            blend_steps(&self.database, &choice, &mut blend);
        }
        if method == Method::Angles {
            blend_angles(&self.database, &choice, &mut blend);
        }
        let upper = (method.carries() && self.options.splice_upper).then(|| {
            let of_style = self.style.as_ref().map(|style| style.space(swing));
            let space = of_style.filter(|space| !space.steps().is_empty()).unwrap_or(self.database.space(swing));
            let before = before.and_then(|before| before.upper);
            choose_upper(&self.database, space, &query, &choose, before, &mut self.memory)
        });
        if let Some(upper) = upper {
            splice_upper(&self.database, upper, carried.as_ref(), &mut blend.rows);
        }
        if method.leads_body() {
            blend.lead_to(&query, self.database.layout().width());
        }
        let start = before.map_or(0.0, |before| before.land);
        let first = before.map_or(blend.times.first, |before| 0.5 * (before.blend.times.last + blend.times.first));
        // Feet do not roll off at many times their own pace; only a walk that begins there has them rolled off already.
        let least = before.map_or(0.0, |_| (SHORTEST_SHARE * first).min(ROLLS_OFF));
        let (lift, land) = self.lift_and_land(start, [first, blend.times.swing], least, &targets);
        let skipped = before.map_or((blend.times.first - (lift - start)).max(0.0), |_| 0.0);
        let heights = [support.ball.y, from.ball.y, print.position.y];
        let planes = [from.plane, StancePlane::new(print.position, print.normal)];
        // Blended rows are over their base line, and get heights when all else is done.
        let on_ground = Vec3::new(query.frame.translation.x, 0.0, query.frame.translation.z);
        let frame = Transform::new(query.frame.rotation, on_ground);
        let fit = HeightFit::new(self.database.steps(), &choice, query.heights);
        let terrain = self.world.terrain.as_ref();
        let unevenness = terrain.map_or(0.0, |terrain| ground_between(terrain, from.ball, print.position).unevenness);
        let yaw = query.yaw();
        let step = TakenStep {
            blend,
            choice,
            upper,
            swing,
            frame,
            yaw,
            start,
            skipped,
            lift,
            land,
            heights,
            fit,
            planes,
            unevenness,
        };
        self.check_length(fall, &step)?;
        self.check_stance(fall.index, print, print.heading.or(Some(step.heading_after(swing))))?;
        Ok(step)
    }

    /// What a step's times shall be. Relative and absolute ones come as one [`surefoot_plan::StepTiming`]; only the first
    /// step has no landing before it to count from, and counts from the first frame.
    fn time_targets(&self, fall: &Footfall, before: Option<&TakenStep>, support: &Print, from: &Print) -> TimeTargets {
        let timing = &fall.timing;
        let (both_down, interval) = match before {
            Some(step) => (self.prints[step.swing].expect("it has landed").support, timing.interval),
            None => (support.support.or(from.support).or(from.leave), timing.interval.or(fall.print.land)),
        };
        let rest = |part: Option<f64>| Some((interval? - part?).max(0.0));
        TimeTargets {
            support: both_down.or_else(|| rest(timing.swing)),
            swing: timing.swing.or_else(|| rest(both_down)),
            interval,
        }
    }

    /// When a step's foot lifts and lands, from the times that the blended steps have, what was asked for, and the least that the
    /// double support may last.
    fn lift_and_land(
        &self,
        start: f64,
        [own_support, own_swing]: [f64; 2],
        least: f64,
        targets: &TimeTargets,
    ) -> (f64, f64) {
        let weight = self.options.time_weight;
        let met = |own: f64, target: Option<f64>| target.map_or(own, |target| own + weight * (target - own));
        let scale = match targets {
            TimeTargets { support: None, swing: None, interval: Some(interval) } => {
                met(own_support + own_swing, Some(*interval)) / (own_support + own_swing)
            }
            _ => 1.0,
        };
        let support = met(scale * own_support, targets.support);
        let swing = met(scale * own_swing, targets.swing);
        // A short double support takes from the swing, and the landing stays.
        let taken = (least.max(MIN_SUPPORT) - support).clamp(0.0, (swing - MIN_SWING).max(0.0));
        let lift = start + support.max(MIN_SUPPORT).max(support + taken);
        (lift, lift + (swing - taken).max(MIN_SWING))
    }

    /// Refuses footprints on a terrain at which heel or toes would be in the ground.
    pub(super) fn check_stance(&self, index: usize, print: &Footprint, heading: Option<f64>) -> Result<(), StepError> {
        let (Some(terrain), Some(heading)) = (&self.world.terrain, heading) else { return Ok(()) };
        let body = self.database.body();
        let plane = StancePlane::new(print.position, print.normal).on_terrain(body, print.side, heading, terrain);
        let depth = plane.depth_in(body, print.side, heading, terrain);
        if depth > MAX_DEPTH { Err(StepError::InGround { footprint: index, depth }) } else { Ok(()) }
    }

    /// Refuses steps of so many frames that memory could not hold them, before any is made.
    fn check_length(&self, fall: &Footfall, step: &TakenStep) -> Result<(), StepError> {
        let seconds = step.land - step.start + self.support_after(fall.timing.support(), &step.blend.times);
        if seconds * self.options.frame_rate <= MAX_STEP_FRAMES {
            return Ok(());
        }
        Err(StepError::Unsupported {
            footprint: fall.index,
            what: "a step of more than 20,000 frames",
            synthesizer: NAME,
            instead: "give it shorter times or take a lower frame rate",
        })
    }
}
