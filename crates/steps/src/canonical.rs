//! A step in normal form: one place, one direction, one length of time.
//!
//! Reference: STRIDE 3.2, 3.3, 4.1 (cleanup), 5.1 (the six extra dimensions), 8.1 (heights).
//!
//! 1. The body moves so that the supporting foot rests: whichever of its parts stands stays in its place.
//! 2. It moves into the *supporting frame*: the supporting ball at the origin, the swinging foot's first place on the x
//!    axis (+X for the left foot, -X for the right, so that the left lies at +X as everywhere), the ground under it at height 0.
//! 3. Feet on a slope are turned to the level ([`super::slope_line`]), and held where they stand ([`super::lock_feet`]).
//! 4. Time is stretched part by part, so that every step has [`N_SUPPORT`] intervals in each double support and
//!    [`N_SWING`] in the swing. Its own durations are kept beside.
//! 5. Heights of pelvis and swinging foot are counted from the base line of the step's heights ([`super::step_heights`]), which are
//!    kept beside too. Of a level step it is the ground.
//!
//! The frames are kept as rows of f32 ([`RowLayout`]), so that blending steps is one weighted sum of rows.
//!
//! Departures: the paper's x axis is ours turned by half a circle; the paper moves feet only up and down, ours come to
//! rest in every direction, which leaves nothing for blending to carry over.

use super::lock_feet::{FootLock, FootSwing, PlantEnd, Standing};
use super::raw_rows::RawRows;
use super::slope_line::SlopeLine;
use super::steady::{MARGIN, steady};
use super::step_heights::{PelvisBase, along_line, foot_base};
use super::step_rows::{RowHeadings, RowLayout};
use super::{LinearBody, LinearFoot, LinearPose, StepSpan};
use std::sync::Arc;
use surefoot_contact::{FootPart, Take};
use surefoot_geom::{Quat, Transform, Vec3, rotation, smoothstep, turn_between};
use surefoot_motion::{PerSide, Side, WorldPose};
use surefoot_plan::{FootContact, StepParameters};

/// Intervals of each double support.
pub const N_SUPPORT: usize = 10;
/// Intervals of the swing.
pub const N_SWING: usize = 28;
/// Rows of a step.
pub const N_ROWS: usize = 2 * N_SUPPORT + N_SWING + 1;

/// Seconds before the end of a heel's contact in which it rises already: contacts end when heels are fast.
const HEEL_RISES: f64 = 0.04;

/// Share of a swing at either end in which the supporting foot rolls.
const MID_SWING: f64 = 0.2;

/// Seconds of a step's three parts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepTimes {
    /// With both feet down before the swing.
    pub first: f64,
    /// With one foot in the air.
    pub swing: f64,
    /// With both feet down after it.
    pub last: f64,
}

impl StepTimes {
    /// Seconds from the beginning to a row.
    pub fn at_row(&self, row: f64) -> f64 {
        let (support, swing) = (N_SUPPORT as f64, N_SWING as f64);
        if row <= support {
            self.first * row / support
        } else if row <= support + swing {
            self.first + self.swing * (row - support) / swing
        } else {
            self.first + self.swing + self.last * (row - support - swing) / support
        }
    }

    /// Seconds from a row to the next one.
    pub fn interval(&self, row: usize) -> f64 {
        if row < N_SUPPORT {
            self.first / N_SUPPORT as f64
        } else if row < N_SUPPORT + N_SWING {
            self.swing / N_SWING as f64
        } else {
            self.last / N_SUPPORT as f64
        }
    }

    /// All three together.
    pub fn total(&self) -> f64 {
        self.first + self.swing + self.last
    }
}

/// Where a step comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepSource {
    /// The take.
    pub take: Arc<str>,
    /// Its frames, half-open.
    pub frames: std::ops::Range<usize>,
    /// Whether left and right are exchanged.
    pub mirrored: bool,
}

/// The person of a take, by the custom of naming takes: what stands before the first `_`, `-`, dot or space of its name. Of
/// `16_15` that is `16`.
pub fn actor_of(take: &str) -> &str {
    let end = take.find(['_', '-', '.', ' ']).filter(|&end| end > 0);
    &take[..end.unwrap_or(take.len())]
}

impl StepSource {
    /// See [`actor_of`].
    pub fn actor(&self) -> &str {
        actor_of(&self.take)
    }

    /// `take 12..80`, and whether mirrored.
    pub fn name(&self) -> Arc<str> {
        let mirrored = if self.mirrored { " mirrored" } else { "" };
        format!("{} {}..{}{mirrored}", self.take, self.frames.start, self.frames.end).into()
    }
}

/// A step of a database.
#[derive(Clone, Debug, PartialEq)]
pub struct CanonicalStep {
    /// Where it comes from.
    pub source: StepSource,
    /// Where the swinging foot starts and ends.
    pub parameters: StepParameters,
    /// Headings in the supporting frame: of the supporting foot, of the swinging one before and after.
    pub headings: [f64; 3],
    /// Of the swinging foot before and after, above the supporting one, in metres.
    pub heights: [f64; 2],
    /// As recorded.
    pub times: StepTimes,
    /// [`N_ROWS`] rows, each as [`RowLayout`] has it; shared by the databases that a step is in.
    pub rows: Arc<[f32]>,
}

impl CanonicalStep {
    /// The foot that swings.
    pub fn swing(&self) -> Side {
        self.parameters.swing
    }

    /// The point of STRIDE's S_low.
    pub fn point(&self) -> Vec3 {
        self.parameters.point()
    }
}

/// The heading and place of a supporting frame in the world: STRIDE figure 3.2.
pub(super) fn supporting_frame(swing: Side, support: Vec3, from: Vec3, fallback_heading: f64) -> Transform {
    let way = from - support;
    let outward = match swing {
        Side::Left => std::f64::consts::FRAC_PI_2,
        Side::Right => -std::f64::consts::FRAC_PI_2,
    };
    let heading = surefoot_geom::direction_heading(Vec3::new(way.x, 0.0, way.z))
        .map_or(fallback_heading, |heading| heading - outward);
    Transform::new(Quat::from_rotation_y(heading), Vec3::new(support.x, support.y, support.z))
}

/// A frame of a step on its way into a database.
struct StepFrame {
    pose: LinearPose,
    down: PerSide<FootContact>,
}

/// A step of a take in normal form.
pub(super) fn canonical_step(
    body: &LinearBody,
    take: &Take,
    name: &Arc<str>,
    span: &StepSpan,
    mirrored: bool,
    filters: bool,
) -> CanonicalStep {
    let support = Vec3 { y: mid_stance_height(take, span), ..span.support };
    let frame = supporting_frame(span.swing, support, span.from, span.headings[0]);
    let yaw = rotation::twist_angle(frame.rotation, Vec3::Y);
    let into = frame.inverse();
    let mut frames = step_frames(body, take, span, &into, filters);
    rest_support(body, span.swing.opposite(), span.support_released - span.frames.start, &mut frames);
    let heights = [span.from, span.to].map(|place| place.y - span.support.y);
    let [from, to] = [(span.from, heights[0]), (span.to, heights[1])].map(|(place, height)| {
        let place = into.transform_point(place);
        Vec3::new(place.x, height, place.z)
    });
    let headings = span.headings.map(|heading| turn_between(yaw, heading));
    level_feet(body, span, [from, to], &mut frames);
    lock_all(body, take.clip.frame_rate, span, &mut frames, [from, to], headings);
    let rate = take.clip.frame_rate;
    let [start, lift, land, end] = span.times;
    let times = StepTimes { first: (lift - start) / rate, swing: (land - lift) / rate, last: (end - land) / rate };
    let mut rows = normalize_time(body, &frames, span, (&times, headings), rate);
    subtract_base(RowLayout { n_others: body.others().len() }, span.swing, [from, to], &times, &mut rows);
    let parameters = StepParameters::from_places(span.swing, from, to);
    let source = StepSource { take: name.clone(), frames: span.frames.clone(), mirrored };
    CanonicalStep { source, parameters, headings, heights, times, rows: rows.into() }
}

/// Height of the supporting ball in the middle of the swing. A recorded ball sinks by millimetres while it is planted, and the mean
/// over its plant, with which bodies would be too low over their feet, is not how people stand on it.
fn mid_stance_height(take: &Take, span: &StepSpan) -> f64 {
    let margin = (MID_SWING * (span.land - span.lift) as f64) as usize;
    let middle = span.lift + margin..(span.land - margin).max(span.lift + margin + 1);
    let mut world = WorldPose::default();
    let heights = middle.clone().map(|frame| {
        world.fill(&take.clip.skeleton, take.clip.pose(frame));
        take.body.ball(&world, span.swing.opposite()).y
    });
    heights.sum::<f64>() / middle.len() as f64
}

/// The frames of a step in its supporting frame; one more than it has, where the clip goes on.
fn step_frames(body: &LinearBody, take: &Take, span: &StepSpan, into: &Transform, filters: bool) -> Vec<StepFrame> {
    let n_frames = take.clip.n_frames();
    let mut world = WorldPose::default();
    let margin = (MARGIN * take.clip.frame_rate).ceil() as usize;
    let wide = span.frames.start.saturating_sub(margin)..(span.frames.end + 1 + margin).min(n_frames);
    let mut poses: Vec<LinearPose> = wide
        .clone()
        .map(|frame| {
            let pose = take.clip.pose(frame);
            world.fill(&take.clip.skeleton, pose);
            body.linearize(pose, &world)
        })
        .collect();
    if filters {
        steady(poses.iter_mut(), take.clip.frame_rate);
    }
    let shown = span.frames.start..(span.frames.end + 1).min(n_frames);
    let poses = poses.drain(shown.start - wide.start..shown.end - wide.start);
    let frames = shown.zip(poses).map(|(frame, mut linear)| {
        linear.pelvis = *into * linear.pelvis;
        for side in Side::BOTH {
            let foot = &mut linear.feet[side];
            foot.ball = into.transform_point(foot.ball);
            foot.rotation = into.rotation * foot.rotation;
        }
        let stands_to = |side: Side, part: FootPart, to: usize| {
            let mut plants = take.contacts.plants[side].iter().filter(|plant| plant.part == part);
            plants.any(|plant| plant.frames.contains(&frame) && plant.frames.end > to)
        };
        let mut down = PerSide::from_fn(|side| {
            let ball = stands_to(side, FootPart::Ball, frame);
            // The heel of a foot that stays on its ball.
            let rises = if ball { (HEEL_RISES * take.clip.frame_rate).round() as usize } else { 0 };
            FootContact { heel: stands_to(side, FootPart::Heel, frame + rises), ball }
        });
        // What the span says goes: gaps that were bridged are stands, and the frame after the end is of its last.
        for side in Side::BOTH {
            let in_air = side == span.swing && (span.released..span.land).contains(&frame);
            let is_gone = side != span.swing && frame >= span.support_released;
            if in_air || is_gone {
                down[side] = FootContact::default();
            } else if !down[side].any() {
                // A foot that has just landed is on its lower end; one that rolls off, on its ball.
                let foot = &linear.feet[side];
                let lands = side == span.swing && frame >= span.land;
                let on_heel = lands && body.heel_from_ball(side, foot.rotation).y < 0.0;
                (down[side].heel, down[side].ball) = (on_heel, !on_heel);
            }
        }
        StepFrame { pose: linear, down }
    });
    frames.collect()
}

/// Moves the body on the ground so that the supporting foot rests: STRIDE 4.1.
fn rest_support(body: &LinearBody, support: Side, released: usize, frames: &mut [StepFrame]) {
    let part = |frame: &StepFrame, heel: bool| {
        let foot = &frame.pose.feet[support];
        let point = if heel { foot.ball + body.heel_from_ball(support, foot.rotation) } else { foot.ball };
        Vec3::new(point.x, 0.0, point.z)
    };
    let on_heel = |frame: &StepFrame| frame.down[support].heel && !frame.down[support].ball;
    // From the first frame whose ball stands backward and forward; a change of the standing part keeps the drift of its
    // frame.
    let Some(first) = frames.iter().position(|frame| !on_heel(frame)) else { return };
    let mut drifts = vec![Vec3::ZERO; frames.len()];
    for index in first..frames.len() {
        // A foot that rolls over its toes moves by itself.
        drifts[index] = if index < released.max(first + 1) { part(&frames[index], false) } else { drifts[index - 1] };
    }
    let heel = frames.get(first).map_or(Vec3::ZERO, |frame| part(frame, true) - drifts[first]);
    for index in (0..first).rev() {
        drifts[index] = part(&frames[index], true) - heel;
    }
    for (frame, drift) in frames.iter_mut().zip(drifts) {
        frame.pose.pelvis.translation -= drift;
        for side in Side::BOTH {
            frame.pose.feet[side].ball -= drift;
        }
    }
}

/// Turns feet that were recorded on a slope to the level, about their balls: rows are of feet on level ground, and a walk turns them onto
/// its own. A swinging foot goes over from the one stance to the other as it does there (`StancePlane::lay_between`).
fn level_feet(body: &LinearBody, span: &StepSpan, [from, to]: [Vec3; 2], frames: &mut [StepFrame]) {
    let Some(line) = SlopeLine::new(from, to) else { return };
    let support = span.swing.opposite();
    let [lift, land] = [span.lift, span.land].map(|frame| (frame - span.frames.start).min(frames.len()));
    let supporting = line.tilt_under(body, flat_feet(frames, support)).unwrap_or(Vec3::ZERO);
    let [before, after] = [&frames[..lift], &frames[land..]]
        .map(|stance| line.tilt_under(body, flat_feet(stance, span.swing)).unwrap_or(supporting));
    for (index, frame) in frames.iter_mut().enumerate() {
        let share = (index as f64 - lift as f64) / (land - lift).max(1) as f64;
        for (side, tilt) in [(support, supporting), (span.swing, before.lerp(after, smoothstep(share)))] {
            let foot = &mut frame.pose.feet[side];
            foot.rotation = (rotation::exp_map(-tilt) * foot.rotation).normalize();
        }
    }
}

/// A foot in the frames in which its heel and ball are planted.
fn flat_feet(frames: &[StepFrame], side: Side) -> impl Iterator<Item = Quat> {
    frames.iter().filter(move |frame| frame.down[side].flat()).map(move |frame| frame.pose.feet[side].rotation)
}

/// Locks both feet where they are planted, and leads the swinging one from one place to the other.
fn lock_all(
    body: &LinearBody,
    rate: f64,
    span: &StepSpan,
    frames: &mut [StepFrame],
    [from, to]: [Vec3; 2],
    headings: [f64; 3],
) {
    let lock = |side: Side, before: Option<LinearFoot>, frames: &mut [StepFrame], ball: Vec3, heading: f64| {
        let mut holder = FootLock::new(side, rate);
        let seen: Vec<(LinearFoot, FootContact)> =
            frames.iter().map(|frame| (frame.pose.feet[side], frame.down[side])).collect();
        let standing = Standing { ball, heading, most_strike: f64::INFINITY };
        let arriving = holder.arrive(body, standing, before, &seen.iter().copied());
        let mut leaving = PlantEnd::default();
        for frame in frames {
            (leaving, frame.down[side]) = holder.lock(body, &mut frame.pose.feet[side], frame.down[side]);
        }
        (arriving, leaving)
    };
    let [released, land, support_released] =
        [span.released, span.land, span.support_released].map(|frame| frame - span.frames.start);
    let support = span.swing.opposite();
    let (_, gone) = lock(support, None, &mut frames[..support_released], Vec3::ZERO, headings[0]);
    let after = frames.get(support_released).map(|frame| frame.pose.feet[support]);
    let velocity = after.map_or(Vec3::ZERO, |foot| gone.blended_velocity(&foot, 1.0 / rate));
    for (index, frame) in frames[support_released..].iter_mut().enumerate() {
        gone.follow((index + 1) as f64 / rate, velocity, &mut frame.pose.feet[support]);
    }
    let (_, leaving) = lock(span.swing, None, &mut frames[..released], from, headings[1]);
    let before = frames[..land].last().map(|frame| frame.pose.feet[span.swing]);
    let (landing, _) = lock(span.swing, before, &mut frames[land..], to, headings[2]);
    let [Some(first), Some(last)] = [frames[released..land].first(), frames[released..land].last()] else { return };
    let feet = [first, last].map(|frame| &frame.pose.feet[span.swing]);
    let swing = FootSwing::new([leaving, landing], feet, (land - released, 1.0 / rate));
    for (index, frame) in frames[released..land].iter_mut().enumerate() {
        swing.lead((index + 1) as f64 / rate, &mut frame.pose.feet[span.swing]);
    }
}

/// Counts the heights of pelvis and swinging foot from the base line of the step.
fn subtract_base(layout: RowLayout, swing: Side, [from, to]: [Vec3; 2], times: &StepTimes, rows: &mut [f32]) {
    let heights = [from.y, to.y];
    if heights == [0.0; 2] {
        return;
    }
    let pelvis = PelvisBase::new(heights, times);
    let ball = RowLayout::ball_of(swing);
    for (index, row) in rows.chunks_exact_mut(layout.width()).enumerate() {
        row[RowLayout::PELVIS_HEIGHT] -= pelvis.at(times.at_row(index as f64)) as f32;
        let foot = Vec3::new(f64::from(row[ball]), 0.0, f64::from(row[ball + 2]));
        let share = (index as f64 - N_SUPPORT as f64) / N_SWING as f64;
        row[ball + 1] -= foot_base(heights, along_line(from, to, foot, share)) as f32;
    }
}

/// Rows at equal shares of the three parts, between frames along a cubic.
fn normalize_time(
    body: &LinearBody,
    frames: &[StepFrame],
    span: &StepSpan,
    (times, headings): (&StepTimes, [f64; 3]),
    rate: f64,
) -> Vec<f32> {
    let raw = RawRows::new(frames.iter().map(|frame| &frame.pose), body.others().len());
    let layout = RowLayout { n_others: body.others().len() };
    let (land, start) = (span.land - span.frames.start, span.times[0] - span.frames.start as f64);
    let mut rows = vec![0.0; N_ROWS * layout.width()];
    for (index, row) in rows.chunks_exact_mut(layout.width()).enumerate() {
        let time = start + times.at_row(index as f64) * rate;
        let pose = raw.pose_at(time);
        // Contacts are those of the frame that the time lies in, and a landing is one.
        let least = if index >= N_SUPPORT + N_SWING { land } else { 0 };
        let frame = ((time + 1e-6).max(0.0) as usize).max(least).min(frames.len() - 1);
        layout.write(body, &pose, frames[frame].down, &RowHeadings::new(span.swing, headings, index as f64), row);
    }
    rows
}
