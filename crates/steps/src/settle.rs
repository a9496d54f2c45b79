//! Feet on the ground that they are over, and the pelvis at the height of the feet.
//!
//! Steps are blended over the base line of their heights ([`super::step_heights`]). 1. Feet are laid onto the planes of their
//! footprints, swinging ones from the one to the other. 2. Toes bend out of the ground. 3. Swings keep away from the other leg
//! (`keep_apart`), and are raised where heel, ball or toe tip would still be in the ground. The pelvis goes over from the height of
//! one supporting foot to that of the next.
//!
//! Where the blended steps have such heights, that is all: how feet clear edges and when the pelvis rises is recorded. Where they have
//! not, feet rise early and sink late, and so does the pelvis, the other way round.

use super::LinearFoot;
use super::reach::Legs;
use super::sole_points::{Ground, cover, lowest_above};
use super::stance_plane::StancePlane;
use super::step_heights::along_line;
use super::step_walker::StepWalker;
use super::taken_step::TakenStep;
use super::underfoot::Underfoot;
use std::ops::Range;
use surefoot_geom::{Vec3, smoothstep};
use surefoot_ground::Terrain;
use surefoot_motion::{PerSide, Side};

/// How far above a terrain feet are led in the middle of a swing, in metres.
const CLEARANCE: f64 = 0.008;
/// More frames than a stance has, and seconds after a landing in which a heel does not rise for its leg.
const HEEL_DOWN: usize = usize::MAX / 2;
const LANDING: f64 = 0.2;
/// Share of a swing after which a heel rises for its leg no more.
const FREE_IN_SWING: f64 = 0.4;
/// First and last share of a swing in which that is less, and toes that are in the ground may bend instead.
const NEAR_STANCE: f64 = 0.2;
/// How deep toes may be at the ends of a swing before the foot is raised for them, in metres: bending helps them.
const TOE_SLACK: f64 = 0.015;
/// Longest that a swing takes to come up over something, in seconds.
const RISE: f64 = 0.25;
/// When the pelvis sinks to the height of a lower foot on a terrain: from this share of the swing that leads there to this
/// share of the double support after it.
const SINKS_FROM: f64 = 0.25;
const SINKS_TO: f64 = 0.8;
/// When it rises to that of a higher one: from this share of the swing that leads there to this share of the next swing.
const RISES_FROM: f64 = 0.8;
const RISES_TO: f64 = 0.6;
/// Ground that is this far from a straight line between two footprints, which differ by as much, has edges, in metres.
const EDGE: f64 = 0.1;
/// How far a foot is held back before a higher edge, or led on beyond a lower one, as a share of what is left of its way.
const EDGE_PULL: f64 = 0.9;

impl StepWalker {
    /// 6.: the pelvis goes over from the height of one supporting foot to that of the next.
    pub(super) fn lift_pelvis(&mut self, before: Option<&TakenStep>, step: &TakenStep) {
        let change = step.heights[0] - self.level;
        let Some(before) = before else { return self.add_lift(0.0, step.middle(), change) };
        let recorded = before.fit.share.min(step.fit.share) * change;
        self.add_lift(before.middle(), step.middle(), recorded);
        if recorded != change {
            let (from, to) = Self::lift_window(before, step, change);
            self.add_lift(from, to, change - recorded);
        }
    }

    /// When the pelvis rises or sinks between two steps whose heights are not recorded: it sinks before the lower foot lands, which
    /// its leg would not reach else, and rises when the lower foot has done its part.
    fn lift_window(before: &TakenStep, step: &TakenStep, change: f64) -> (f64, f64) {
        let at = |from: f64, to: f64, share: f64| from + share * (to - from);
        if change < 0.0 {
            (at(before.lift, before.land, SINKS_FROM), at(step.start, step.lift, SINKS_TO))
        } else {
            (at(before.lift, before.land, RISES_FROM), at(step.lift, step.land, RISES_TO))
        }
    }

    /// Adds a change of the pelvis's height that is complete from a time on.
    pub(super) fn add_lift(&mut self, from: f64, to: f64, change: f64) {
        let (from, to) = (self.frame_at(from).max(self.settled), self.frame_at(to));
        for number in from..self.first + self.frames.len() {
            let share = (number - from) as f64 / to.saturating_sub(from).max(1) as f64;
            self.frame_mut(number).lift += change * smoothstep(share);
        }
        self.level += change;
    }

    /// Feet get the ground that they are over, and everything before frame `end` is done but for the filters. `before`
    /// swings its foot in those frames, from frame `left` on.
    pub(super) fn settle(&mut self, before: Option<&TakenStep>, left: Option<usize>, end: usize) {
        let swing = before.map(|step| {
            let from = left.unwrap_or(0).clamp(self.settled, end.max(self.settled));
            (step, from..self.frame_at(step.land).clamp(from, end.max(from)))
        });
        self.lay_feet(swing.as_ref(), end);
        if self.options.method.locks_feet() {
            self.bend_toes(swing.as_ref(), end);
            if let Some((step, frames)) = swing.clone() {
                if frames.end < end {
                    self.keep_apart(step, frames.clone());
                }
                self.clear_swing(step, frames);
            }
        }
        let database = self.database.clone();
        for number in self.settled..end {
            let frame = &mut self.frames[number - self.first];
            let legs = Legs::new(database.body(), &frame.pose, &frame.rotations);
            frame.fit = frame.level_share * legs.fit(&frame.signs.extension, &frame.contacts.feet);
        }
        self.free_heels(swing.as_ref(), end);
        self.settled = self.settled.max(end);
        self.fill_turns();
        self.fit_legs();
    }

    /// Which heels may rise for their legs.
    fn free_heels(&mut self, swing: Option<&(&TakenStep, Range<usize>)>, end: usize) {
        for number in self.settled..end {
            let before = number.checked_sub(self.first + 1).map(|at| &self.frames[at]);
            let (stood, free) =
                before.map_or((PerSide::new(HEEL_DOWN, HEEL_DOWN), PerSide::default()), |f| (f.stood, f.free_frames));
            let landing = (LANDING * self.options.frame_rate).round() as usize;
            let time = self.time_of(number);
            let frame = self.frame_mut(number);
            for side in Side::BOTH {
                let down = frame.contacts.feet[side];
                let swings = swing.filter(|(step, frames)| step.swing == side && frames.contains(&number));
                frame.stood[side] = match down {
                    _ if !down.any() => 0,
                    _ if down.heel => HEEL_DOWN,
                    _ => stood[side] + 1,
                };
                frame.heel_free[side] = match swings {
                    Some((step, _)) => 1.0 - smoothstep(step.swing_share(time) / FREE_IN_SWING),
                    None if down.ball && !down.heel && frame.stood[side] > landing => 1.0,
                    None => 0.0,
                };
                frame.free_frames[side] = if frame.heel_free[side] > 0.0 { free[side] + 1 } else { 0 };
            }
        }
    }

    /// Pelvis and feet from the level to where they are.
    fn lay_feet(&mut self, swing: Option<&(&TakenStep, Range<usize>)>, end: usize) {
        let database = self.database.clone();
        if let Some((step, frames)) = swing {
            self.shape_swing(step, frames.clone());
        }
        for number in self.settled..end {
            let (prints, time) = (self.prints, self.time_of(number));
            let landing = swing.map(|(step, _)| prints[step.swing].expect("it has landed").plane);
            let frame = &mut self.frames[number - self.first];
            frame.pose.pelvis.translation.y += frame.lift;
            for side in Side::BOTH {
                let foot = &mut frame.pose.feet[side];
                match swing {
                    Some((step, frames)) if step.swing == side && frames.contains(&number) => {
                        swing_over(step, &landing.unwrap_or_default(), time, foot);
                    }
                    _ => prints[side].unwrap_or_default().plane.lay(foot),
                }
            }
            database.body().rotations(&frame.pose, &mut frame.rotations);
        }
    }

    /// Edges between two footprints whose heights are not recorded: a foot goes up before it goes on, and on before it goes down.
    fn shape_swing(&mut self, step: &TakenStep, frames: Range<usize>) {
        let (side, rise) = (step.swing, step.heights[2] - step.heights[1]);
        let most =
            (1.0 - step.fit.share) * EDGE_PULL * (step.unevenness / EDGE).min(1.0) * (rise.abs() / EDGE).min(1.0);
        let last = self.first + self.frames.len() - 1;
        if most == 0.0 || frames.is_empty() || frames.end > last {
            return;
        }
        let ball_at = |number: usize| self.frames[number - self.first].pose.feet[side].ball;
        // Frames before the swing are laid already; only their place over the ground counts.
        let ends = [ball_at(frames.start.saturating_sub(1).max(self.first)), ball_at(frames.end)];
        let n = frames.len() as f64;
        for (index, number) in frames.enumerate() {
            let share = (index + 1) as f64 / (n + 1.0);
            let (to, pull) = match rise > 0.0 {
                true => (ends[0], 1.0 - smoothstep((share - 0.05) / 0.45)),
                false => (ends[1], smoothstep((share - 0.25) / 0.4)),
            };
            let ball = &mut self.frame_mut(number).pose.feet[side].ball;
            let pulled = ball.lerp(to, most * pull);
            *ball = Vec3::new(pulled.x, ball.y, pulled.z);
        }
    }

    /// What a swing that has landed went over.
    fn under_swing(&self, step: &TakenStep) -> Underfoot {
        let landing = self.prints[step.swing].expect("it has landed").plane;
        Underfoot::new([step.planes[0], landing], self.known_prints(step.swing))
    }

    /// Raises a swinging foot where heel, ball or toe tip would be too low.
    fn clear_swing(&mut self, step: &TakenStep, frames: Range<usize>) {
        let (database, world, side) = (self.database.clone(), self.world.clone(), step.swing);
        let (body, n) = (database.body(), frames.len());
        let under = self.under_swing(step);
        let ground = ground_under(world.terrain.as_ref(), &under);
        let room = if world.terrain.is_some() { CLEARANCE } else { 0.0 };
        let heel_back = under.ends()[1].heel_back(body, side, self.locks[side].heading());
        let needed: Vec<f64> = frames
            .clone()
            .enumerate()
            .map(|(index, number)| {
                let frame = &self.frames[number - self.first];
                let near = (index + 1).min(n - index) as f64 / (NEAR_STANCE * n as f64).max(1.0);
                let (toes, middle) = (body.toes(side), near.min(1.0));
                let points = body.sole_points(side, &frame.pose.feet[side], toes.rotation(&frame.rotations));
                let drop = toes.drop() + TOE_SLACK * (1.0 - middle);
                let foot = &frame.pose.feet[side];
                let back = heel_back.map(|back| foot.ball + foot.rotation * back);
                let back_above = back.map_or(f64::INFINITY, |back| back.y - ground.height(back));
                room * middle - lowest_above(&points, drop, &ground).min(back_above)
            })
            .collect();
        let widest = ((RISE * self.options.frame_rate).round() as usize).max(1);
        for (number, raise) in frames.zip(cover(&needed, widest)) {
            self.frame_mut(number).pose.feet[side].ball.y += raise;
        }
    }

    /// Toes of both feet out of the ground.
    fn bend_toes(&mut self, swing: Option<&(&TakenStep, Range<usize>)>, end: usize) {
        let (database, world) = (self.database.clone(), self.world.clone());
        let body = database.body();
        for side in Side::BOTH {
            let toes = body.toes(side);
            let plane = self.prints[side].unwrap_or_default().plane;
            let stands = Underfoot::new([plane, plane], std::iter::empty());
            let swung = swing.filter(|(step, _)| step.swing == side).map(|(step, _)| self.under_swing(step));
            for number in self.settled..end {
                let swings = swing.filter(|(step, frames)| step.swing == side && frames.contains(&number));
                let under = swings.and(swung).unwrap_or(stands);
                let ground = ramp_under(world.terrain.as_ref(), &under);
                let frame = self.frame_mut(number);
                frame.under[side] = under;
                let Some(joint) = toes.joint else { continue };
                let (foot, rotation) = (&frame.pose.feet[side], &mut frame.rotations[joint]);
                match swings {
                    Some(_) => toes.bend_out_in_swing(foot, rotation, &ground),
                    None => toes.bend_out(foot, rotation, &ground),
                }
            }
        }
    }
}

/// A swinging foot from its base line to over its way from one plane to another. As far as its heights are not recorded it rises early and
/// sinks late, so that it clears edges.
fn swing_over(step: &TakenStep, to: &StancePlane, time: f64, foot: &mut LinearFoot) {
    let (from, rise) = (&step.planes[0], to.ball.y - step.planes[0].ball.y);
    let share = step.swing_share(time);
    let line = along_line(from.ball, to.ball, foot.ball, share);
    let early = smoothstep(if rise > 0.0 { share / 0.7 } else { (share - 0.3) / 0.7 });
    let unrecorded = 1.0 - step.fit.share;
    from.lay_between(to, line + unrecorded * (early - line), smoothstep(share), foot);
    foot.ball.y += unrecorded * 0.25 * rise.abs() * (std::f64::consts::PI * share).sin().powi(2);
}

/// What a foot must stay out of on its way from one footprint to another.
pub(super) fn ground_under<'a>(terrain: Option<&'a Terrain>, under: &'a Underfoot) -> Ground<'a> {
    terrain.map_or(Ground::Prints(under), Ground::Terrain)
}

/// What toes bend out of on that way.
pub(super) fn ramp_under<'a>(terrain: Option<&'a Terrain>, under: &'a Underfoot) -> Ground<'a> {
    let [from, to] = under.ends();
    terrain.map_or(Ground::Ramp(from, to), Ground::Terrain)
}
