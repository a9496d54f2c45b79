//! A foot plan becomes a take: every footprint is stood on exactly (the heart of procedural gait).
//!
//! 1. The plan is checked: reachable, and a foot for each side in turn.
//! 2. Each step gets its times: those that its footprint wishes for, else those natural for its length.
//! 3. Steps are planned one after the other, each knowing the footprint after its own, and played frame by frame.

use super::moment::{Bearing, Moment};
use super::plan_walk::{WalkStep, plan_walk};
use super::rig::Rig;
use super::stand::Stand;
use super::step::{FootDown, Ground, Step};
use super::{Build, Gait, Posture};
use crate::{Contacts, FootPart, FootPlan, Plant, Take};
use std::sync::Arc;
use surefoot_geom::{Vec3, ground_point};
use surefoot_ground::Terrain;
use surefoot_motion::{Clip, PerSide, Side, Skeleton};

/// How a plan is followed.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowOptions {
    /// Walking or running, with its parameters and attributes.
    pub gait: Gait,
    /// Frames a second. Default 60.
    pub frame_rate: f64,
    /// Seconds of standing before and after. Default 0.5.
    pub standing: f64,
}

/// A follower's steps in order.
struct Player<'a> {
    rig: &'a Rig,
    ground: Ground<'a>,
    steps: Vec<Step>,
    moment: Moment,
}

impl Player<'_> {
    fn build(&self) -> &Build {
        self.rig.build()
    }
}

/// The take that walks a plan.
pub fn follow_plan(
    skeleton: Arc<Skeleton>,
    rig: &Rig,
    plan: &FootPlan,
    terrain: Option<&Terrain>,
    options: &FollowOptions,
) -> Take {
    let build = rig.build();
    let ground = Ground { terrain };
    let normal = |p: Vec3| terrain.map_or(Vec3::Y, |terrain| terrain.normal(ground_point(p)));
    let stands: Vec<(Side, Stand)> = plan
        .footprints
        .iter()
        .map(|print| (print.side, Stand::new(print.position, print.heading.unwrap_or(0.0), normal(print.position))))
        .collect();
    let Gait::Walk { parameters, attributes } = &options.gait else { todo!() };
    let bearing = Bearing {
        lean: 0.3 * attributes.torso_tilt,
        shoulders: attributes.shoulder_rotation,
        arm_out: attributes.arm_out,
        elbow: 0.5 * (attributes.elbow_min + attributes.elbow_max),
    };
    let feet = PerSide::from_fn(|side| stands.iter().find(|(s, _)| *s == side).expect("both").1);
    let mut player = Player { rig, ground, steps: Vec::new(), moment: Moment::standing(build, &feet, &bearing) };
    if options.standing > 0.0 {
        let (step, moment) = player.moment.settle(build, &bearing, options.standing);
        player.steps.push(step);
        player.moment = moment;
    }
    let mut both_down = 0.45;
    for index in 2..stands.len() {
        let (side, to) = stands[index];
        let swing = plan.footprints[index].swing.unwrap_or(0.4);
        let support = plan.footprints[index].support.unwrap_or(0.12);
        let then = stands.get(index + 1).map(|(_, stand)| *stand);
        let request = WalkStep {
            side,
            to,
            then,
            duration: swing + both_down,
            both_down,
            next_both_down: support,
            attributes,
        };
        let (step, moment) = plan_walk(build, &player.ground, &player.moment, &request);
        player.steps.push(step);
        player.moment = moment;
        both_down = support;
    }
    let (step, moment) = player.moment.settle(build, &bearing, 0.7 + options.standing);
    player.steps.push(step);
    player.moment = moment;
    let _ = parameters;
    player.play(skeleton, options.frame_rate)
}

impl Player<'_> {
    fn play(&self, skeleton: Arc<Skeleton>, frame_rate: f64) -> Take {
        let total: f64 = self.steps.iter().map(|step| step.duration).sum();
        let n_frames = (total * frame_rate).floor() as usize + 1;
        let mut poses = Vec::with_capacity(n_frames);
        let mut contacts = Contacts::none(n_frames);
        let (mut index, mut began) = (0, 0.0);
        let mut pose = self.rig.rest_pose().clone();
        for frame in 0..n_frames {
            let time = frame as f64 / frame_rate;
            while index + 1 < self.steps.len() && time >= began + self.steps[index].duration {
                began += self.steps[index].duration;
                index += 1;
            }
            let step = &self.steps[index];
            let (posture, down) = step.posture(self.build(), &self.ground, time - began);
            self.rig.pose(&posture, &mut pose);
            poses.push(pose.clone());
            for side in Side::BOTH {
                self.mark(&mut contacts, side, frame, down[side], &step.legs[side].stand);
            }
        }
        let _: Option<Posture> = None;
        let clip = Clip { name: "gait".to_string(), skeleton, frame_rate, poses };
        Take { clip, contacts }
    }

    fn mark(&self, contacts: &mut Contacts, side: Side, frame: usize, down: FootDown, stand: &Stand) {
        let parts = [
            (FootPart::Heel, down.heel, stand.heel(&self.build().soles[side])),
            (FootPart::Ball, down.ball, stand.ball),
        ];
        for (part, planted, position) in parts {
            if !planted {
                continue;
            }
            let plants = &mut contacts.plants[side];
            match plants.iter_mut().rev().find(|plant| plant.part == part) {
                Some(plant) if plant.frames.end == frame && plant.position == position => plant.frames.end += 1,
                _ => plants.push(Plant { part, frames: frame..frame + 1, position }),
            }
        }
    }
}
