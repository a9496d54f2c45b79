//! What every gait promises, measured frame by frame, and random gaits to measure.

// Each test uses its part of this.
#![allow(dead_code)]

use std::f64::consts::PI;
use surefoot_contact::{FootPart, FootPlan, Take};
use surefoot_gait::{
    AttributeInfo, AttributeUnit, AttributeValue, Gait, GaitOptions, GaitSettings, GaitSynthesizer, Kinematics,
    Parameter, Rig, RunAttributes, RunOverrides, RunParameters, RunSettings, RunTargets, StrideRanges, StrideTargets,
    Strike, WalkAttributes, WalkParameters, WalkSettings,
};
use surefoot_geom::{Random, Range, Vec3, ground_point, rotation};
use surefoot_ground::Terrain;
use surefoot_motion::{JointId, PerSide, PersonOptions, Pose, PoseRef, Poses, Side, Skeleton, WorldPose, person};
use surefoot_plan::{FootContact, StepError, World, synthesize_take};

/// Furthest that a planted point moves and that a foot sinks, in metres: a hundredth of a millimetre.
pub(crate) const EXACT: f64 = 1e-5;

/// A number in a range.
fn random_in(random: &mut Random, range: Range) -> f64 {
    random.range(range.min, range.max)
}

/// A figure of a height, ready to move.
pub(crate) struct Figure {
    pub(crate) skeleton: std::sync::Arc<Skeleton>,
    pub(crate) rig: Rig,
}

impl Figure {
    pub(crate) fn new(height: f64) -> Figure {
        let (skeleton, body) = person(&PersonOptions::with_height(height)).unwrap();
        let rig = Rig::new(&skeleton, &body, &Poses::default()).unwrap();
        Figure { skeleton: std::sync::Arc::new(skeleton), rig }
    }

    pub(crate) fn synthesizer(&self, options: &GaitOptions) -> GaitSynthesizer {
        GaitSynthesizer::new(self.skeleton.clone(), self.rig.clone(), options)
    }

    /// The motion of a plan.
    pub(crate) fn follow(
        &self,
        plan: &FootPlan,
        terrain: Option<&Terrain>,
        options: &GaitOptions,
    ) -> Result<Take, StepError> {
        let world = std::sync::Arc::new(World { terrain: terrain.cloned(), ..World::default() });
        synthesize_take(&self.synthesizer(options), &world, plan, "gait").map(|made| made.take)
    }
}

/// Both gaits with any parameters and attributes within their ranges.
pub(crate) fn random_settings(random: &mut Random, height: f64) -> GaitSettings {
    let gait = if random.chance(0.5) { Gait::Walk } else { Gait::Run };
    let (walk, run) = (random_walk(random, height), random_run(random, height));
    let kinematics = if random.chance(0.5) { Kinematics::Normative } else { Kinematics::Plain };
    GaitSettings { gait, walk, run, kinematics, ..GaitSettings::natural(gait, height) }
}

/// One or two of speed, step length and cadence. Two may ask for a third that no one can do; then the first alone.
fn random_targets(random: &mut Random, ranges: &StrideRanges) -> [StrideTargets; 2] {
    let first = random.index(3);
    let range = |parameter| match parameter {
        Parameter::StepLength => ranges.step_length,
        Parameter::Cadence => ranges.cadence,
        _ => ranges.speed,
    };
    let mut one = StrideTargets::default();
    one.set(Parameter::STRIDE[first], Some(random_in(random, range(Parameter::STRIDE[first]))));
    let mut two = one;
    let second = Parameter::STRIDE[(first + 1 + random.index(2)) % 3];
    two.set(second, Some(random_in(random, range(second))));
    [two, one]
}

fn random_walk(random: &mut Random, height: f64) -> WalkSettings {
    let ranges = WalkParameters::ranges(height);
    let parameters = loop {
        let targets = random_targets(random, &ranges);
        let solved = targets.into_iter().find_map(|targets| WalkParameters::solve(targets, None, None, height).ok());
        if let Some(parameters) = solved {
            break parameters;
        }
    };
    let mut attributes = WalkAttributes::for_height(height);
    let share = random.range(0.2, 1.2);
    for info in WalkAttributes::catalogue() {
        let value = random_value(random, info, height);
        if random.chance(share) {
            attributes.set_at(info.name, value, height).unwrap();
        }
    }
    WalkSettings { parameters, attributes }
}

fn random_run(random: &mut Random, height: f64) -> RunSettings {
    let level = random_in(random, RunParameters::LEVELS);
    let ranges = RunParameters::ranges(height, level);
    let mut parameters = loop {
        let solved = random_targets(random, &ranges).into_iter().find_map(|stride| {
            let targets = RunTargets { stride, flight_height: None, level: Some(level) };
            RunParameters::solve(targets, None, None, height).ok()
        });
        if let Some(parameters) = solved {
            break parameters;
        }
    };
    if random.chance(0.5) {
        parameters.flight_height = Some(random_in(random, RunParameters::flight_heights(parameters.cadence)));
    }
    let mut overrides = RunOverrides::default();
    let share = random.range(0.0, 1.2);
    for info in RunAttributes::catalogue() {
        let value = random_value(random, info, height);
        if random.chance(share) {
            overrides.set_at(info.name, value, height).unwrap();
        }
    }
    RunSettings { parameters, attributes: overrides.resolve(&parameters, height) }
}

fn random_value(random: &mut Random, info: &AttributeInfo, height: f64) -> AttributeValue {
    match info.unit {
        AttributeUnit::Strike => AttributeValue::Strike(if random.chance(0.5) { Strike::Heel } else { Strike::Toe }),
        _ => AttributeValue::Number(random_in(random, info.range_at(height))),
    }
}

/// The worst of something, and where it was.
#[derive(Clone, Debug, Default)]
pub(crate) struct Worst {
    pub(crate) value: f64,
    pub(crate) frame: usize,
    pub(crate) place: String,
}

impl Worst {
    fn see(&mut self, value: f64, frame: usize, place: impl FnOnce() -> String) {
        // What is no number is worse than all.
        if value.is_nan() || value > self.value {
            *self = Worst { value: if value.is_nan() { f64::INFINITY } else { value }, frame, place: place() };
        }
    }
}

/// All that was seen of a motion; the worst of each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// A planted point from its place, in metres.
    pub(crate) slid: Worst,
    /// A foot, a knee or the pelvis under the ground, in metres.
    pub(crate) sunk: Worst,
    /// A knee or elbow bent in the wrong direction, in degrees; also how far a thigh is turned past a right angle from the pelvis.
    pub(crate) wrong_direction: Worst,
    /// A knee's or an elbow's flexion, in degrees.
    pub(crate) flexion: Worst,
    /// A joint's turn in its parent, in degrees a second.
    pub(crate) spin: Worst,
    /// A joint in the world, in metres a second.
    pub(crate) speed: Worst,
    /// The pelvis, in metres per second squared.
    pub(crate) acceleration: Worst,
    /// How much a joint's velocity in the world changes from frame to frame, in metres a second.
    pub(crate) jolt: Worst,
    pub(crate) n_frames: usize,
    pub(crate) n_in_air: usize,
}

impl Seen {
    /// How lively it is, in one line.
    pub(crate) fn row(&self) -> String {
        let Seen { spin, flexion, speed, acceleration, jolt, .. } = self;
        format!(
            "turn {:5.0} deg/s ({} f{}), flexion {:3.0} deg ({}), {:4.1} m/s, pelvis {:5.1} m/s2 (f{}), jolt {:5.2} m/s ({} f{}) {}",
            spin.value,
            spin.place,
            spin.frame,
            flexion.value,
            flexion.place,
            speed.value,
            acceleration.value,
            acceleration.frame,
            jolt.value,
            jolt.place,
            jolt.frame,
            self.broken().join("; ")
        )
    }

    /// What breaks a promise, in words.
    pub(crate) fn broken(&self) -> Vec<String> {
        let describe = |what: &str, worst: &Worst| {
            format!("{what} {:.3e} at {} in frame {}", worst.value, worst.place, worst.frame)
        };
        let mut broken = Vec::new();
        if self.slid.value > EXACT {
            broken.push(describe("slid", &self.slid));
        }
        if self.sunk.value > EXACT {
            broken.push(describe("sunk", &self.sunk));
        }
        if self.wrong_direction.value > 1e-6 {
            broken.push(describe("wrong way", &self.wrong_direction));
        }
        broken
    }
}

/// Watches a figure move, frame by frame.
pub(crate) struct Watch<'a> {
    figure: &'a Figure,
    terrain: Option<&'a Terrain>,
    frame_rate: f64,
    world: WorldPose,
    before: Option<Pose>,
    places: [Vec<Vec3>; 2],
    planted: PerSide<[Option<Vec3>; 2]>,
    pub(crate) seen: Seen,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(figure: &'a Figure, terrain: Option<&'a Terrain>, frame_rate: f64) -> Watch<'a> {
        let world = WorldPose::new(&figure.skeleton, figure.rig.rest_pose());
        Watch {
            figure,
            terrain,
            frame_rate,
            world,
            before: None,
            places: Default::default(),
            planted: PerSide::from_fn(|_| [None; 2]),
            seen: Seen::default(),
        }
    }

    /// Watches a complete take.
    pub(crate) fn take(figure: &'a Figure, terrain: Option<&'a Terrain>, take: &Take) -> Seen {
        let mut watch = Watch::new(figure, terrain, take.clip.frame_rate);
        let mut marks = vec![PerSide::from_fn(|_| [None; 2]); take.clip.n_frames()];
        for side in Side::BOTH {
            for plant in &take.contacts.plants[side] {
                for frame in plant.frames.clone() {
                    marks[frame][side][usize::from(plant.part == FootPart::Ball)] = Some(plant.position);
                }
            }
        }
        for (pose, marks) in take.clip.poses().iter().zip(marks) {
            watch.planted = marks;
            watch.push(pose);
        }
        watch.seen
    }

    /// The next frame of a live figure. A planted part must remain where it was first planted.
    pub(crate) fn live(&mut self, pose: PoseRef<'_>, down: PerSide<FootContact>) {
        self.world.fill(&self.figure.skeleton, pose);
        for side in Side::BOTH {
            let parts = [(FootPart::Heel, down[side].heel), (FootPart::Ball, down[side].ball)];
            for (index, (part, is_planted)) in parts.into_iter().enumerate() {
                let place = part.place(self.figure.rig.body(), &self.world, side);
                let planted = &mut self.planted[side][index];
                *planted = is_planted.then(|| planted.unwrap_or(place));
            }
        }
        self.push(pose);
    }

    fn push(&mut self, pose: PoseRef<'_>) {
        self.world.fill(&self.figure.skeleton, pose);
        self.see_plants();
        self.see_ground();
        self.see_hinges();
        self.see_turns(pose);
        self.see_trajectories();
        self.seen.n_frames += 1;
        let is_planted = Side::BOTH.iter().any(|&side| self.planted[side].iter().any(Option::is_some));
        self.seen.n_in_air += usize::from(!is_planted);
    }

    fn see_plants(&mut self) {
        let frame = self.seen.n_frames;
        for side in Side::BOTH {
            for (part, planted) in [FootPart::Heel, FootPart::Ball].into_iter().zip(self.planted[side]) {
                let Some(position) = planted else { continue };
                let place = part.place(self.figure.rig.body(), &self.world, side);
                self.seen.slid.see(place.distance(position), frame, || format!("{side:?} {part:?}"));
                let ground = ground_height(self.terrain, position);
                self.seen.slid.see((ground - position.y).abs(), frame, || format!("{side:?} {part:?} off the ground"));
            }
        }
    }

    fn see_ground(&mut self) {
        let frame = self.seen.n_frames;
        let body = self.figure.rig.body();
        let pelvis = self.world.position(body.pelvis);
        let mut see = |point: Vec3, what: &dyn Fn() -> String| {
            self.seen.sunk.see(ground_height(self.terrain, point) - point.y, frame, what);
        };
        see(pelvis, &|| "the pelvis".to_string());
        for side in Side::BOTH {
            let leg = &body.legs[side];
            see(self.world.position(leg.knee), &|| format!("{side:?} knee"));
            see(body.heel(&self.world, side), &|| format!("{side:?} heel"));
            see(body.ball(&self.world, side), &|| format!("{side:?} ball"));
            let toe = self.world.point(&self.figure.skeleton, leg.toe.unwrap());
            see(toe, &|| format!("{side:?} toe tip"));
        }
    }

    fn see_hinges(&mut self) {
        let frame = self.seen.n_frames;
        let body = self.figure.rig.body();
        let at = |joint: JointId| self.world.position(joint);
        let turn = |joint: JointId| self.world.world()[joint.index()].rotation;
        let pelvis_left = turn(body.pelvis) * Vec3::X;
        let mut see = |flexion: f64, what: &dyn Fn() -> String| {
            self.seen.wrong_direction.see(-flexion.to_degrees(), frame, what);
            self.seen.flexion.see(flexion.to_degrees(), frame, what);
        };
        for side in Side::BOTH {
            let leg = &body.legs[side];
            // Legs hang straight and arms are level at rest, and all joints are turned as the world.
            let hinge = turn(leg.hip) * Vec3::X;
            let flexion = bend(at(leg.hip), at(leg.knee), at(leg.ankle), hinge);
            see(flexion, &|| format!("{side:?} knee"));
            let arm = body.arms[side].as_ref().unwrap();
            let sign = if side == Side::Left { 1.0 } else { -1.0 };
            let hinge = turn(arm.shoulder) * (Vec3::Y * sign);
            let flexion = -bend(at(arm.shoulder), at(arm.elbow), at(arm.wrist.unwrap()), hinge);
            see(flexion, &|| format!("{side:?} elbow"));
        }
        for side in Side::BOTH {
            let twist = (turn(body.legs[side].hip) * Vec3::X).dot(pelvis_left);
            self.seen.wrong_direction.see(-twist.asin().to_degrees(), frame, || format!("{side:?} thigh turned round"));
        }
    }

    fn see_turns(&mut self, pose: PoseRef<'_>) {
        let frame = self.seen.n_frames;
        let skeleton = &self.figure.skeleton;
        if let Some(before) = &mut self.before {
            for (index, (now, last)) in pose.local.iter().zip(&before.local).enumerate() {
                let turn = rotation::angle_between(now.rotation, last.rotation);
                let name = || skeleton.joints()[index].name.clone();
                self.seen.spin.see((turn * self.frame_rate).to_degrees(), frame, name);
            }
            before.local.copy_from_slice(pose.local);
        } else {
            self.before = Some(pose.to_pose());
        }
    }

    fn see_trajectories(&mut self) {
        let frame = self.seen.n_frames;
        let skeleton = &self.figure.skeleton;
        let now = self.world.world();
        let [last, before] = &mut self.places;
        let pelvis = self.figure.rig.body().pelvis.index();
        for (index, (joint, at)) in skeleton.joints().iter().zip(now).enumerate() {
            let at = at.translation;
            let name = || joint.name.clone();
            if frame >= 1 {
                self.seen.speed.see(at.distance(last[index]) * self.frame_rate, frame, name);
            }
            if frame >= 2 {
                let change = (at - 2.0 * last[index] + before[index]).length() * self.frame_rate;
                self.seen.jolt.see(change, frame, name);
                if index == pelvis {
                    self.seen.acceleration.see(change * self.frame_rate, frame, name);
                }
            }
        }
        std::mem::swap(last, before);
        last.clear();
        last.extend(now.iter().map(|transform| transform.translation));
    }
}

/// How far the second of two segments is turned backward about a hinge to the left, in radians.
fn bend(a: Vec3, b: Vec3, c: Vec3, hinge: Vec3) -> f64 {
    let (upper, lower) = (b - a, c - b);
    upper.cross(lower).dot(hinge).atan2(upper.dot(lower))
}

fn ground_height(terrain: Option<&Terrain>, point: Vec3) -> f64 {
    terrain.map_or(0.0, |terrain| terrain.height(ground_point(point)))
}

/// The values at some shares of all, from the least to the most.
pub(crate) fn quantiles(mut values: Vec<f64>) -> String {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values.get(((values.len().max(1) - 1) as f64 * share) as usize).copied().unwrap_or(0.0);
    format!("median {:.3e}, 95 % {:.3e}, 99 % {:.3e}, most {:.3e}", at(0.5), at(0.95), at(0.99), at(1.0))
}

/// A direction of the path: mostly forward, backward or sideways, else any.
pub(crate) fn random_direction(random: &mut Random) -> f64 {
    match random.index(6) {
        0 => PI,
        1 => 0.5 * PI,
        2 => -0.5 * PI,
        3 => random.range(-PI, PI),
        _ => 0.0,
    }
}
