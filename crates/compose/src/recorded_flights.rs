//! Recorded flights: runs, leaps, jumps and hops, from the stance that they take off from to the end of the stance that they land in.
//!
//! Reference: COMPOSE 3.1, with phases instead of one fixed layout, since a flight has no support.
//!
//! ```text
//!      take-off stance      flight      landing stance
//!   |________________|              |________________|
//!   0            N_STANCE   N_STANCE + N_FLIGHT    N_ROWS - 1      rows
//! ```
//!
//! 1. Of a stance that lasts longer than [`LONGEST`], the part next to the flight counts.
//! 2. The body is seen from where it takes off: the middle of the feet that take off is the origin, and feet point along +Z on the mean of
//!    take-off and landing.
//! 3. Each phase becomes as many rows, whatever it lasted. A row is the mean of the frames around it ([`BLUR`]), so that noise of markers
//!    is not blended.
//! 4. Feet are seen from the pelvis: in the air nothing else holds them.
//!
//! Rows are numbers that blend by weighted sums, as those of steps are.

use crate::segment_behaviours::{LabelledStance, Segmentation};
use crate::step_label::{Feet, StepLabel};
use std::ops::Range;
use std::sync::Arc;
use surefoot_contact::{Behaviour, Take, mirror_take};
use surefoot_geom::{Quat, Vec3, direction_heading, heading_direction, rotation};
use surefoot_motion::{Side, WorldPose};
use surefoot_steps::{LinearBody, LinearPose, actor_of};

/// Intervals of each stance.
pub(crate) const N_STANCE: usize = 12;
/// Intervals of the flight.
pub(crate) const N_FLIGHT: usize = 12;
/// Rows of a recorded flight.
pub const N_FLIGHT_ROWS: usize = 2 * N_STANCE + N_FLIGHT + 1;
/// Longest part of a stance that counts, in seconds: who jumps from standing bends and stretches in it.
pub(crate) const LONGEST: f64 = 0.6;
/// Standard deviation of the mean around a row, in seconds.
const BLUR: f64 = 0.012;
/// Shorter and longer flights are mistakes of segmentation, in seconds.
const FLIGHTS: std::ops::RangeInclusive<f64> = 0.04..=1.2;
/// Shorter stances are none, in seconds.
const SHORTEST: f64 = 0.05;
/// Numbers of a row before those of the joints: pelvis, and for each foot place, rotation and roll.
const HEAD: usize = 6 + 2 * FOOT;
const FOOT: usize = 7;

/// Seconds of the phases of a flight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FlightTimes {
    /// Of the take-off stance, or of its end.
    pub before: f64,
    /// Of the flight.
    pub air: f64,
    /// Of the landing stance, or of its beginning.
    pub after: f64,
}

impl FlightTimes {
    /// The row, as a real number, at a time since the first row.
    pub(crate) fn row_at(&self, time: f64) -> f64 {
        let share = |time: f64, of: f64| (time / of.max(1e-6)).clamp(0.0, 1.0);
        if time <= self.before {
            N_STANCE as f64 * share(time, self.before)
        } else if time <= self.before + self.air {
            N_STANCE as f64 + N_FLIGHT as f64 * share(time - self.before, self.air)
        } else {
            (N_STANCE + N_FLIGHT) as f64 + N_STANCE as f64 * share(time - self.before - self.air, self.after)
        }
    }

    fn at_row(&self, row: usize) -> f64 {
        let (stance, flight) = (N_STANCE as f64, N_FLIGHT as f64);
        let row = row as f64;
        let later = (row - stance - flight).max(0.0);
        let air = (row - stance).clamp(0.0, flight);
        self.before * row.min(stance) / stance + self.air * air / flight + self.after * later / stance
    }
}

/// Where a flight leads, as it is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FlightShape {
    /// From the middle of the feet that take off to that of the feet that land, along the feet.
    pub to: Vec3,
    /// By how much the feet turn, in radians.
    pub turn: f64,
    /// Velocity of the pelvis over the ground at the beginning and at the end, along the feet.
    pub velocities: [Vec3; 2],
}

/// A flight of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedFlight {
    /// Its take and frames.
    pub name: Arc<str>,
    /// Who is recorded.
    pub actor: String,
    /// Run, jump or hop.
    pub behaviour: Behaviour,
    /// Which feet take off and land.
    pub feet: [Feet; 2],
    /// How long its phases are.
    pub times: FlightTimes,
    /// Where it leads.
    pub shape: FlightShape,
    /// From the ball of the first foot that lands to its ankle, along the feet (COMPOSE 3.1).
    pub ankle: Vec3,
    /// [`N_FLIGHT_ROWS`] rows of [`FlightRow`] numbers; shared by the libraries that a flight is in.
    pub rows: Arc<[f32]>,
}

/// Numbers of a row.
pub struct FlightRow;

impl FlightRow {
    /// How many there are, for a body with as many joints outside of its legs.
    pub fn width(n_others: usize) -> usize {
        HEAD + 3 * n_others
    }

    fn write(pose: &LinearPose, origin: Vec3, heading: f64, row: &mut Vec<f64>) {
        let turn = Quat::from_rotation_y(-heading);
        let reference = reference();
        row.clear();
        row.extend((turn * (pose.pelvis.translation - origin)).to_array());
        row.extend(
            rotation::log_map(rotation::same_hemisphere(turn * pose.pelvis.rotation, Quat::IDENTITY)).to_array(),
        );
        for side in Side::BOTH {
            let foot = &pose.feet[side];
            row.extend((turn * (foot.ball - pose.pelvis.translation)).to_array());
            row.extend(rotation::log_map(reference.conjugate() * (turn * foot.rotation)).to_array());
            row.push(foot.knee_roll);
        }
        row.extend(pose.others.iter().flat_map(Vec3::to_array));
    }

    /// The pose of a row, standing at an origin and pointing along a heading.
    pub(crate) fn read(row: &[f64], origin: Vec3, heading: f64) -> LinearPose {
        let turn = Quat::from_rotation_y(heading);
        let vector = |at: usize| Vec3::new(row[at], row[at + 1], row[at + 2]);
        let pelvis = origin + turn * vector(0);
        let mut pose = LinearPose::default();
        pose.pelvis.translation = pelvis;
        pose.pelvis.rotation = turn * rotation::exp_map(vector(3));
        for (index, side) in Side::BOTH.into_iter().enumerate() {
            let at = 6 + index * FOOT;
            let foot = &mut pose.feet[side];
            foot.ball = pelvis + turn * vector(at);
            foot.rotation = turn * (reference() * rotation::exp_map(vector(at + 3)));
            foot.knee_roll = row[at + 6];
        }
        pose.others = row[HEAD..].chunks_exact(3).map(|three| Vec3::new(three[0], three[1], three[2])).collect();
        pose
    }
}

/// Soles are written against this pitch, since those of runners turn by more than a right angle one way, and hardly the other.
fn reference() -> Quat {
    Quat::from_rotation_x(0.7)
}

/// The flights of a take on the skeleton of a body, and their mirror images.
pub fn flights_of_take(body: &LinearBody, name: &str, take: &Take, of: &Segmentation) -> Vec<RecordedFlight> {
    let mut flights = cut(body, name, take, of);
    if !flights.is_empty() {
        flights.extend(cut(body, &format!("{name} mirrored"), &mirror_take(take), &mirrored(of)));
    }
    flights
}

fn mirrored(of: &Segmentation) -> Segmentation {
    let reflect = |place: Vec3| Vec3::new(-place.x, place.y, place.z);
    let mut of = of.clone();
    for stance in &mut of.stances {
        stance.side = stance.side.opposite();
        (stance.ball, stance.ankle) = (reflect(stance.ball), reflect(stance.ankle));
        stance.heading = stance.heading.map(|heading| -heading);
    }
    for flight in &mut of.flights {
        (flight.take_off, flight.landing) = (flight.take_off.mirrored(), flight.landing.mirrored());
    }
    of
}

fn cut(body: &LinearBody, name: &str, take: &Take, of: &Segmentation) -> Vec<RecordedFlight> {
    let mut poses = Linearized { body, take, poses: vec![None; take.clip.n_frames()] };
    (0..of.flights.len()).filter_map(|flight| cut_flight(name, &mut poses, of, flight)).collect()
}

/// The frames of a take that were needed.
struct Linearized<'a> {
    body: &'a LinearBody,
    take: &'a Take,
    poses: Vec<Option<LinearPose>>,
}

impl Linearized<'_> {
    fn pose(&mut self, frame: usize) -> &LinearPose {
        let Linearized { body, take, poses } = self;
        poses[frame].get_or_insert_with(|| {
            let pose = take.clip.pose(frame);
            body.linearize(pose, &WorldPose::new(&take.clip.skeleton, pose))
        })
    }
}

/// The stances of one end of a flight, of the feet that take part.
fn stances_of(of: &Segmentation, flight: usize, is_landing: bool) -> Vec<&LabelledStance> {
    let found = &of.flights[flight];
    if is_landing {
        return of.stances.iter().filter(|stance| stance.flight == Some(flight)).collect();
    }
    let last = |side: Side| {
        let before = |stance: &&LabelledStance| stance.side == side && stance.frames.start < found.frames.start;
        of.stances.iter().rev().find(before)
    };
    Side::BOTH.into_iter().filter(|&side| found.take_off.has(side)).filter_map(last).collect()
}

fn middle(stances: &[&LabelledStance]) -> Vec3 {
    stances.iter().map(|stance| stance.ball).sum::<Vec3>() / stances.len().max(1) as f64
}

/// The direction that feet point in together.
pub(crate) fn mean_heading(headings: impl Iterator<Item = f64>) -> Option<f64> {
    direction_heading(headings.map(heading_direction).sum::<Vec3>())
}

fn cut_flight(name: &str, poses: &mut Linearized<'_>, of: &Segmentation, index: usize) -> Option<RecordedFlight> {
    let flight = &of.flights[index];
    let (from, to) = (stances_of(of, index, false), stances_of(of, index, true));
    let behaviour = match to.first()?.label {
        StepLabel::Run => Behaviour::Run,
        StepLabel::Jump => Behaviour::Jump,
        StepLabel::Hop => Behaviour::Hop,
        _ => return None,
    };
    let rate = poses.take.clip.frame_rate;
    let longest = (LONGEST * rate) as usize;
    let (take_off, landing) = (flight.frames.start, flight.frames.end);
    let touch = from.iter().map(|stance| stance.frames.start).max()?.max(take_off.saturating_sub(longest));
    let leave = to.iter().map(|stance| stance.frames.end).min()?.min(landing + longest).min(poses.poses.len());
    let seconds = |frames: Range<usize>| frames.len() as f64 / rate;
    let times = FlightTimes {
        before: seconds(touch..take_off),
        air: seconds(take_off..landing),
        after: seconds(landing..leave),
    };
    if !FLIGHTS.contains(&times.air) || times.before < SHORTEST || times.after < SHORTEST {
        return None;
    }
    let headings = |stances: &[&LabelledStance]| {
        let headings: Vec<f64> = stances.iter().filter_map(|stance| stance.heading).collect();
        mean_heading(headings.into_iter())
    };
    let (before, after) = (headings(&from)?, headings(&to)?);
    let heading = mean_heading([before, after].into_iter())?;
    let origin = middle(&from);
    let turn = Quat::from_rotation_y(-heading);
    let width = FlightRow::width(poses.body.others().len());
    let mut raw = Vec::new();
    let mut row = Vec::with_capacity(width);
    for frame in touch..leave {
        FlightRow::write(poses.pose(frame), origin, heading, &mut row);
        raw.extend_from_slice(&row);
    }
    let velocity = |at: usize| {
        let (first, last) = (at.saturating_sub(3).max(touch), (at + 3).min(leave - 1));
        let [a, b] = [first, last].map(|frame| poses_at(&raw, width, frame - touch));
        Vec3::new(b.x - a.x, 0.0, b.z - a.z) * (rate / (last - first).max(1) as f64)
    };
    let velocities = [velocity(touch), velocity(leave - 1)];
    let mut rows: Vec<f32> = Vec::with_capacity(N_FLIGHT_ROWS * width);
    for index in 0..N_FLIGHT_ROWS {
        blurred(&raw, width, times.at_row(index) * rate, BLUR * rate, &mut rows);
    }
    let first = to.first()?;
    Some(RecordedFlight {
        name: format!("{name} {touch}..{leave}").into(),
        actor: actor_of(name).to_string(),
        behaviour,
        feet: [flight.take_off, flight.landing],
        times,
        shape: FlightShape {
            to: turn * (middle(&to) - origin),
            turn: surefoot_geom::turn_between(before, after),
            velocities,
        },
        ankle: turn * (first.ankle - first.ball),
        rows: rows.into(),
    })
}

fn poses_at(raw: &[f64], width: usize, frame: usize) -> Vec3 {
    let at = frame * width;
    Vec3::new(raw[at], raw[at + 1], raw[at + 2])
}

/// The mean of the frames around a place between frames.
fn blurred(raw: &[f64], width: usize, at: f64, deviation: f64, out: &mut Vec<f32>) {
    let n_frames = raw.len() / width;
    let deviation = deviation.max(0.3);
    let reach = (3.0 * deviation).ceil();
    let from = (at - reach).max(0.0) as usize;
    let to = ((at + reach) as usize).min(n_frames - 1);
    let weight = |frame: usize| (-0.5 * ((frame as f64 - at) / deviation).powi(2)).exp().max(1e-12);
    let total: f64 = (from.min(to)..=to).map(weight).sum();
    let start = out.len();
    out.resize(start + width, 0.0);
    let mut sums = vec![0.0; width];
    for frame in from.min(to)..=to {
        let share = weight(frame) / total;
        for (sum, value) in sums.iter_mut().zip(&raw[frame * width..]) {
            *sum += share * value;
        }
    }
    for (number, sum) in out[start..].iter_mut().zip(sums) {
        *number = sum as f32;
    }
}

/// The flights that can be blended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlightLibrary {
    flights: Vec<RecordedFlight>,
    /// Numbers of a row.
    width: usize,
}

impl FlightLibrary {
    /// Of flights whose rows have as many numbers as a body with `n_others` joints outside of its legs; `None` if one does not, or holds a
    /// number that means nothing.
    pub fn new(flights: Vec<RecordedFlight>, n_others: usize) -> Option<FlightLibrary> {
        let width = FlightRow::width(n_others);
        flights.iter().all(|flight| is_sound(flight, width)).then_some(FlightLibrary { flights, width })
    }

    /// Of a body with so many joints outside of its legs; without flights whose numbers mean nothing.
    pub fn of_sound(mut flights: Vec<RecordedFlight>, n_others: usize) -> FlightLibrary {
        let width = FlightRow::width(n_others);
        flights.retain(|flight| is_sound(flight, width));
        FlightLibrary { flights, width }
    }

    /// All of them.
    pub fn flights(&self) -> &[RecordedFlight] {
        &self.flights
    }

    /// Whether they are of a body with these joints.
    pub fn fits(&self, body: &LinearBody) -> bool {
        self.width == FlightRow::width(body.others().len())
    }

    /// Numbers of a row.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Without the recordings of an actor.
    pub fn without_actor(&self, actor: &str) -> FlightLibrary {
        let flights = self.flights.iter().filter(|flight| flight.actor != actor).cloned().collect();
        FlightLibrary { flights, width: self.width }
    }
}

/// Whether a flight's rows have `width` numbers, and all of its numbers mean something.
fn is_sound(flight: &RecordedFlight, width: usize) -> bool {
    let times = [flight.times.before, flight.times.air, flight.times.after];
    let shape = &flight.shape;
    let vectors = [shape.to, shape.velocities[0], shape.velocities[1], flight.ankle];
    flight.rows.len() == N_FLIGHT_ROWS * width
        && times.iter().all(|time| (1e-3..=10.0).contains(time))
        && vectors.iter().all(|vector| vector.abs().max_element() < 1e3)
        && shape.turn.abs() < 10.0
        && flight.behaviour.is_flight()
        && flight.rows.iter().all(|number| number.abs() < 1e3)
}
