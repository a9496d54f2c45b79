//! How near a synthesised walk comes to a recorded one that it has never seen.
//!
//! Reference: STRIDE chapter 7; the reconstruction of a recording from its own foot plan.
//!
//! 1. The plan of a recording, with its headings and times.
//! 2. The database without the recording's steps and their mirror images.
//! 3. The plan is animated by each [`Method`] and laid over the recording: landing on landing.
//! 4. Mean distance of joints, by region of the body.

use super::choose::region_beyond;
use super::{Choice, Method, StepDatabase, Steps, WalkOptions};
use std::sync::Arc;
use surefoot_contact::FootTracks;
use surefoot_contact::{FootPlan, Take};
use surefoot_motion::{BodyMap, JointId, Side, Skeleton, WorldPose};
use surefoot_plan::{StepError, Synthesis, SynthesisReport, World, extract_recorded_plan, synthesize};

/// Parts of the body that errors are told for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Region {
    /// The pelvis.
    Pelvis,
    /// Knees.
    Knees,
    /// Ankles and what is below them.
    Feet,
    /// Spine, neck and head.
    Trunk,
    /// From the shoulders out.
    Arms,
}

impl Region {
    /// In the order in which they are printed.
    pub const ALL: [Region; 5] = [Region::Pelvis, Region::Knees, Region::Feet, Region::Trunk, Region::Arms];

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Region::Pelvis => "pelvis",
            Region::Knees => "knees",
            Region::Feet => "feet",
            Region::Trunk => "trunk",
            Region::Arms => "arms",
        }
    }
}

/// The joints of each region.
fn regions(skeleton: &Skeleton, body: &BodyMap) -> Vec<(JointId, Region)> {
    let mut joints = vec![(body.pelvis, Region::Pelvis)];
    for side in Side::BOTH {
        let leg = &body.legs[side];
        joints.extend([(leg.knee, Region::Knees), (leg.ankle, Region::Feet)]);
        joints.extend(leg.ball.map(|ball| (ball, Region::Feet)));
        if let Some(arm) = &body.arms[side] {
            joints.extend([(arm.shoulder, Region::Arms), (arm.elbow, Region::Arms)]);
            joints.extend(arm.wrist.map(|wrist| (wrist, Region::Arms)));
        }
    }
    joints.extend(body.spine.iter().chain(&body.head).map(|&joint| (joint, Region::Trunk)));
    joints.retain(|(joint, _)| joint.index() < skeleton.n_joints());
    joints
}

/// Mean distances of joints, in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RegionErrors {
    /// In the order of [`Region::ALL`].
    pub by_region: [f64; 5],
    /// Over all joints of all regions.
    pub all: f64,
    /// Frames compared.
    pub n_frames: usize,
}

/// A recording's plan and when its footprints were taken.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedPlan {
    /// With headings and times; on level ground at height 0.
    pub plan: FootPlan,
    /// Frames in which the feet landed, for each footprint but the two standing ones.
    pub landings: Vec<usize>,
}

/// The plan of a recording that walks on level ground.
pub fn recorded_plan(take: &Take) -> RecordedPlan {
    let mut plan = extract_recorded_plan(take);
    for print in &mut plan.footprints {
        // Contacts of a walk may show no frame with both feet down. That is the shortest double support, not a flight.
        print.support = print.support.map(|support| support.max(f64::EPSILON));
    }
    let stays = FootTracks::new(take).recorded_stances(take);
    // A foot that waits in the air at first has a footprint without a stay.
    let n_waiting = plan.footprints.len() - stays.len();
    let landings = stays.iter().skip(2 - n_waiting.min(2)).map(|stay| stay.frames.start).collect();
    RecordedPlan { plan, landings }
}

/// Frames of a recording at the times of a walk: landing on landing, and even in between.
fn time_map(recorded: &RecordedPlan, walk: &SynthesisReport, frame_rate: f64) -> impl Fn(f64) -> f64 + use<> {
    let pairs = walk.footprints.iter().skip(2).zip(&recorded.landings);
    let knots: Vec<(f64, f64)> = pairs.map(|(row, &frame)| (row.land, frame as f64)).collect();
    move |time: f64| {
        let after = knots.partition_point(|knot| knot.0 <= time);
        match (after.checked_sub(1).map(|before| knots[before]), knots.get(after)) {
            (Some(a), Some(b)) if b.0 > a.0 => a.1 + (b.1 - a.1) * (time - a.0) / (b.0 - a.0),
            (Some(knot), _) => knot.1 + (time - knot.0) * frame_rate,
            (None, Some(knot)) => knot.1 + (time - knot.0) * frame_rate,
            (None, None) => time * frame_rate,
        }
    }
}

/// A database without the steps of a take and their mirror images; `None` if too little is left.
pub fn without_take(database: &StepDatabase, name: &str) -> Option<StepDatabase> {
    let mut parts = database.parts().clone();
    parts.steps.retain(|step| &*step.source.take != name);
    StepDatabase::new(parts).ok()
}

/// Seconds after the last landing that are compared: the walk comes to rest, and the recording may walk on.
const COMPARED_AFTER: f64 = 0.2;

/// Animates a recording's plan and compares the result with the recording, whose skeleton is the database's.
pub fn reconstruct(
    database: &Arc<StepDatabase>,
    recorded: &RecordedPlan,
    take: &Take,
    method: Method,
    options: &WalkOptions,
) -> Result<(RegionErrors, Synthesis), StepError> {
    let options = WalkOptions { frame_rate: take.clip.frame_rate, method, ..*options };
    let mut steps = Steps::new(database.clone(), options);
    steps.style = std::env::var("STYLE").ok().and_then(|_| database.find_style(super::actor_of(&take.clip.name)));
    let walk = synthesize(&steps, &Arc::new(World::default()), &recorded.plan, "walk")?;
    let frame_of = time_map(recorded, &walk.report, take.clip.frame_rate);
    let joints = regions(&take.clip.skeleton, database.body().body());
    let (mut sums, mut counts) = ([0.0; 5], [0usize; 5]);
    let mut n_frames = 0;
    let (mut made, mut real) = (WorldPose::default(), WorldPose::default());
    let last = walk.report.footprints.last().map_or(0.0, |row| row.land) + COMPARED_AFTER;
    for (index, pose) in walk.take.clip.poses().iter().enumerate() {
        let time = index as f64 / take.clip.frame_rate;
        let frame = frame_of(time).round();
        if time > last || frame < 0.0 || frame >= take.clip.n_frames() as f64 {
            continue;
        }
        let frame = frame as usize;
        made.fill(&take.clip.skeleton, pose);
        real.fill(&take.clip.skeleton, take.clip.pose(frame));
        for (joint, region) in &joints {
            let place = Region::ALL.iter().position(|other| other == region).expect("regions are all");
            sums[place] += made.position(*joint).distance(real.position(*joint));
            counts[place] += 1;
        }
        n_frames += 1;
    }
    let mean = |sum: f64, count: usize| if count > 0 { sum / count as f64 } else { 0.0 };
    let by_region = std::array::from_fn(|k| mean(sums[k], counts[k]));
    let all = mean(sums.iter().sum(), counts.iter().sum());
    Ok((RegionErrors { by_region, all, n_frames }, walk))
}

/// The candidate statistics of STRIDE 7.4.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CandidateStatistics {
    /// Steps that were blended inside the hull.
    pub n_steps: usize,
    /// Their spanning neighbours.
    pub n_neighbours: usize,
    /// Neighbours whose region held any other step.
    pub with_alternatives: usize,
    /// Neighbours that were replaced.
    pub replaced: usize,
    /// Other steps in all regions together.
    pub alternatives: usize,
    /// Sum over replaced neighbours of the weight before divided by the weight after.
    pub weight_loss: f64,
}

impl CandidateStatistics {
    /// Adds the choices of a walk.
    pub fn add(&mut self, database: &StepDatabase, choices: &[Choice]) {
        for choice in choices.iter().filter(|choice| choice.made == super::Made::Inside) {
            let corners = choice.neighbours.map(|n| n.map(|n| database.steps()[n.spanning.step].point()));
            let [Some(a), Some(b), Some(c), Some(d)] = corners else { continue };
            let swing = database.steps()[choice.heaviest()].swing();
            self.n_steps += 1;
            for (i, neighbour) in choice.neighbours.iter().flatten().enumerate() {
                self.n_neighbours += 1;
                // The neighbour itself lies on the edge of its own region.
                let found = region_beyond([a, b, c, d], i)
                    .map_or(0, |region| database.space(swing).count_in(&region).saturating_sub(1));
                self.alternatives += found;
                self.with_alternatives += usize::from(found > 0);
                if let Some((step, _)) = neighbour.replaced_by {
                    self.replaced += 1;
                    let after = choice.parts().iter().find(|part| part.step == step).map_or(0.0, |part| part.weight);
                    self.weight_loss += neighbour.spanning.weight / after.max(1e-3);
                }
            }
        }
    }
}
