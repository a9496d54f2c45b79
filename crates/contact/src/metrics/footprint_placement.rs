//! How exactly feet are planted on the footprints of a plan.
//!
//! 1. Each footprint takes at most one stance of its foot's ball, in order of time ([`super::assign_in_order`]). The stays are the
//!    plants of the contacts whose median place is within 25 cm of the footprint over the ground, the nearest preferred; or
//!    ([`StaysFrom::Motion`]) runs of frames in which the ball is within 5 cm and slower than 0.3 m/s, the longest
//!    preferred. Realising most footprints goes before both.
//! 2. Position is judged over the complete stance: mean, median and largest distance of the ball from the footprint over the ground.
//!    Without contacts a stance has the first and last frames of swings in it, which the largest distance counts.
//! 3. Heading is that from ankle to ball in the middle of the stance.
//! 4. Times, where the plan has targets: the swing is the time from the foot's leaving to its landing, the support that from its
//!    landing until the first of both feet leaves, as [`surefoot_plan::extract_plan`] has them. A foot is planted while its heel or ball is.

use super::assign_in_order::{Candidate, assign_in_order};
use super::drift::median_place;
use super::foot_points::{FootPoints, planar};
use super::skating::plant_ranges;
use crate::frame_runs::runs;
use crate::order_statistics::mean;
use crate::standing_height::speeds;
use crate::{Contacts, FootPart, FootPlan, Footprint};
use std::ops::Range;
use surefoot_geom::{Vec3, direction_heading, wrap_angle};
use surefoot_motion::{PerSide, Side};

/// A plant further than this from a footprint does not realise it, in metres.
const NEAR_PLANT: f64 = 0.25;
/// A ball further than this from a footprint is not planted on it, in metres; without contacts.
const NEAR_RUN: f64 = 0.05;
/// A ball faster than this is not planted, in metres a second; without contacts.
const SLOW_RUN: f64 = 0.3;
/// What a realised footprint counts, far more than any distance in metres or time in seconds.
const REALISED: f64 = 1000.0;

/// Where the stances come from that may realise footprints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StancesFrom {
    /// The ball plants of the contacts.
    #[default]
    Contacts,
    /// The motion: wherever a ball rests at a footprint.
    Motion,
}

/// How a footprint was realised; lengths in metres, angles in radians, times in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct FootprintError {
    /// Frames in which the ball is planted on it.
    pub frames: Range<usize>,
    /// Largest distance over the ground from the footprint.
    pub max: f64,
    /// The frame of that distance.
    pub max_frame: usize,
    /// Mean distance over the ground.
    pub mean: f64,
    /// Distance of the median place over the ground.
    pub median: f64,
    /// Largest distance over the ground from the median place.
    pub drift: f64,
    /// Median height of the ball over the footprint; negative below.
    pub height: f64,
    /// From the target heading to that of the foot, in `(-pi, pi]`; `None` without a target or a direction.
    pub heading: Option<f64>,
    /// How much longer the swing was than its target; `None` without a target or a swing.
    pub swing: Option<f64>,
    /// How much longer the support was than its target; `None` without a target.
    pub support: Option<f64>,
}

/// How a plan was realised.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanPlacement {
    /// One for each footprint of the plan; `None` where it was missed.
    pub footprints: Vec<Option<FootprintError>>,
    /// Ball plants of the contacts that realise no footprint; `None` where they were not asked.
    pub n_unused: Option<usize>,
}

impl PlanPlacement {
    /// How many footprints no stance realises.
    pub fn n_missed(&self) -> usize {
        self.footprints.iter().filter(|footprint| footprint.is_none()).count()
    }

    /// The realised footprints with their numbers, from 0.
    pub fn realised(&self) -> impl Iterator<Item = (usize, &FootprintError)> {
        self.footprints.iter().enumerate().filter_map(|(index, error)| Some((index, error.as_ref()?)))
    }
}

/// Measures a plan's footprints.
pub fn measure_footprints(
    plan: &FootPlan,
    feet: &PerSide<FootPoints>,
    contacts: &Contacts,
    frame_rate: f64,
    stances_from: StancesFrom,
) -> PlanPlacement {
    let mut footprints = vec![None; plan.footprints.len()];
    let stances = PerSide::from_fn(|side| contacts.stances(side));
    for side in Side::BOTH {
        let mine: Vec<usize> = (0..plan.footprints.len()).filter(|&k| plan.footprints[k].side == side).collect();
        let finder = StanceFinder::new(&feet[side], contacts, side, frame_rate, stances_from);
        let candidates: Vec<Vec<Candidate>> = mine.iter().map(|&k| finder.near(&plan.footprints[k])).collect();
        for ((&index, chosen), candidates) in mine.iter().zip(assign_in_order(&candidates)).zip(&candidates) {
            let target = &plan.footprints[index];
            footprints[index] = chosen.map(|chosen| {
                let frames = candidates[chosen].frames.clone();
                let times = StepTimes::of(&frames, &stances, side, frame_rate);
                judge(target, &feet[side], frames, times)
            });
        }
    }
    let n_realised = footprints.iter().flatten().count();
    let n_plants: usize = Side::BOTH.map(|side| plant_ranges(contacts, side, Some(FootPart::Ball)).len()).iter().sum();
    let n_unused = (stances_from == StancesFrom::Contacts).then(|| n_plants.saturating_sub(n_realised));
    PlanPlacement { footprints, n_unused }
}

/// Finds the stances of one foot that may realise a footprint.
struct StanceFinder<'a> {
    foot: &'a FootPoints,
    frame_rate: f64,
    /// Plants, each with the median place of its ball; `None` to look at the motion.
    plants: Option<Vec<(Range<usize>, Vec3)>>,
    speeds: Vec<f64>,
}

impl StanceFinder<'_> {
    fn new<'a>(
        foot: &'a FootPoints,
        contacts: &Contacts,
        side: Side,
        frame_rate: f64,
        stances_from: StancesFrom,
    ) -> StanceFinder<'a> {
        let place = |frames: Range<usize>| (frames.clone(), median_place(&foot.ball[frames]));
        let plants = || plant_ranges(contacts, side, Some(FootPart::Ball)).into_iter().map(place).collect();
        StanceFinder {
            foot,
            frame_rate,
            plants: (stances_from == StancesFrom::Contacts).then(plants),
            speeds: speeds(&foot.ball, frame_rate),
        }
    }

    fn near(&self, footprint: &Footprint) -> Vec<Candidate> {
        let distance = |place: Vec3| planar(place - footprint.position);
        if let Some(plants) = &self.plants {
            let near = plants.iter().filter(|(_, place)| distance(*place) < NEAR_PLANT);
            let candidate = |(frames, place): &(Range<usize>, Vec3)| Candidate {
                frames: frames.clone(),
                gain: REALISED - distance(*place),
            };
            return near.map(candidate).collect();
        }
        let is_standing = |(place, speed): (&Vec3, &f64)| distance(*place) < NEAR_RUN && *speed < SLOW_RUN;
        let standing: Vec<bool> = self.foot.ball.iter().zip(&self.speeds).map(is_standing).collect();
        let seconds = |frames: &Range<usize>| frames.len() as f64 / self.frame_rate;
        runs(&standing).into_iter().map(|frames| Candidate { gain: REALISED + seconds(&frames), frames }).collect()
    }
}

/// When a foot came and how long it shared the ground, in seconds.
#[derive(Clone, Copy, Debug, Default)]
struct StepTimes {
    swing: Option<f64>,
    support: Option<f64>,
}

impl StepTimes {
    /// Of the stance that the frames of a ball belong to.
    fn of(frames: &Range<usize>, stances: &PerSide<Vec<Range<usize>>>, side: Side, frame_rate: f64) -> StepTimes {
        let is_mine = |stance: &Range<usize>| stance.contains(&frames.start);
        let Some(index) = stances[side].iter().position(is_mine) else { return StepTimes::default() };
        let Range { start: landing, end: leaving } = stances[side][index];
        let left = index.checked_sub(1).map(|before| stances[side][before].end);
        let other = stances[side.opposite()].iter().find(|stance| stance.contains(&landing));
        let seconds = |frames: usize| frames as f64 / frame_rate;
        StepTimes {
            swing: left.map(|left| seconds(landing - left)),
            support: Some(other.map_or(0.0, |other| seconds(other.end.min(leaving) - landing))),
        }
    }
}

fn judge(target: &Footprint, foot: &FootPoints, frames: Range<usize>, times: StepTimes) -> FootprintError {
    let places = &foot.ball[frames.clone()];
    let middle = median_place(places);
    let distances: Vec<f64> = places.iter().map(|place| planar(*place - target.position)).collect();
    let furthest = (0..distances.len()).fold(0, |best, k| if distances[k] > distances[best] { k } else { best });
    let at = (frames.start + frames.end - 1) / 2;
    let heading = direction_heading(foot.ball[at] - foot.ankle[at]);
    FootprintError {
        max: distances[furthest],
        max_frame: frames.start + furthest,
        mean: mean(&distances).unwrap_or(0.0),
        median: planar(middle - target.position),
        drift: places.iter().map(|place| planar(*place - middle)).fold(0.0, f64::max),
        height: middle.y - target.position.y,
        heading: heading.zip(target.heading).map(|(heading, target)| wrap_angle(heading - target)),
        swing: times.swing.zip(target.swing).map(|(swing, target)| swing - target),
        support: times.support.zip(target.support).map(|(support, target)| support - target),
        frames,
    }
}
