//! Gait in real time: a person who goes on forever, whose parameters and attributes may change at any time.
//!
//! As in the paper, a step is planned at once when it begins, from what is asked for then; frames are read off it. So a change
//! takes effect with the next step, and no curve jumps. Nothing is allocated after construction.

use super::body_state::BodyState;
use super::course::{Advance, Course, longest_step};
use super::foot_plant::FootPlant;
use super::gait_settings::{GaitSettings, MAX_DOUBLE_SUPPORT};
use super::lay_steps::{FIRST_STEP, MAX_RUN_TURN, RUN_GAIN, RUN_LOSS, RUN_START};
use super::rig::Rig;
use super::step::{Ground, Step};
use super::take_step::{SETTLING, STARTING, StepRequest, is_planted, take_step};
use super::{Gait, Posture};
use surefoot_geom::Vec3;
use surefoot_ground::Terrain;
use surefoot_motion::{PerSide, Pose, Side};
use surefoot_plan::FootContact;

/// What is asked of a person in motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Control {
    /// Walking or running, and how both are done.
    pub settings: GaitSettings,
    /// To go, or to stand.
    pub go: bool,
    /// Turn of the body with each step, positive to the left, in radians; at most 60 degrees, or 29 in running. What is not
    /// finite is 0.
    pub turn: f64,
    /// Direction of the path against the body's heading, in radians: 0 forward, half a turn backward. What is not finite is 0.
    pub direction: f64,
}

/// Largest turn in one step, in radians (60 degrees).
const MAX_TURN: f64 = 1.05;
/// Seconds that someone who stands stays so before they look again at what is asked for.
const WAITING: f64 = 0.1;
/// A run with steps this short can be walked to a stop, as a share of the height.
const STOPPABLE: f64 = RUN_START + 0.5 * RUN_LOSS;

/// A person in motion.
#[derive(Clone, Debug)]
pub struct LiveGait {
    rig: Rig,
    terrain: Option<Terrain>,
    control: Control,
    body_state: BodyState,
    step: Step,
    /// Into the step, in seconds.
    time: f64,
    doing: Doing,
    /// The foot that stepped last.
    last: Side,
    course: Course,
    double_support: f64,
    /// Of the last step, in metres; 0 once the feet are together.
    stride: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Doing {
    Standing,
    Going,
    /// The feet are together again, and the body comes to rest.
    Settling,
}

impl LiveGait {
    /// Someone who stands, the middle between the balls of both feet at a place. Without a terrain the ground is flat at that
    /// height.
    pub fn new(rig: Rig, control: Control, place: Vec3, heading: f64, terrain: Option<Terrain>) -> LiveGait {
        let course = Course { position: place, heading };
        let by = walk_advance(&control, 0.0);
        let feet = PerSide::from_fn(|side| course.plant(side, &by, terrain.as_ref(), rig.proportions()));
        let bearing = control.settings.bearing();
        let body_state = BodyState::standing(rig.proportions(), &feet, &bearing);
        let (step, body_state) = body_state.settle(rig.proportions(), &bearing, WAITING);
        LiveGait {
            rig,
            terrain,
            control,
            body_state,
            step,
            time: 0.0,
            doing: Doing::Standing,
            last: Side::Right,
            course,
            double_support: STARTING,
            stride: 0.0,
        }
    }

    /// What is asked for.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// Asks for something else, from the next step on.
    pub fn set_control(&mut self, control: Control) {
        self.control = control;
    }

    /// Whether the person stands and nothing moves.
    pub fn is_standing(&self) -> bool {
        self.doing == Doing::Standing
    }

    /// Where the path has come to, and where the body faces.
    pub fn place(&self) -> (Vec3, f64) {
        (self.course.position, self.course.heading)
    }

    /// Goes on by some seconds; at most a minute at once.
    pub fn advance(&mut self, seconds: f64) {
        if seconds.is_finite() {
            self.time += seconds.clamp(0.0, 60.0);
        }
        while self.time >= self.step.duration {
            self.time -= self.step.duration;
            self.next_step();
        }
    }

    /// The posture now, and what is planted.
    pub fn posture(&self) -> (Posture, PerSide<FootContact>) {
        self.step.posture(self.rig.proportions(), &Ground { terrain: self.terrain.as_ref() }, self.time)
    }

    /// Fills a pose of the rig's skeleton with the posture now; returns what is planted.
    pub fn pose(&self, out: &mut Pose) -> PerSide<FootContact> {
        let (posture, down) = self.posture();
        self.rig.pose(&posture, out);
        down
    }

    fn next_step(&mut self) {
        let bearing = self.control.settings.bearing();
        let settle =
            |body_state: &BodyState, rig: &Rig, time: f64| body_state.settle(rig.proportions(), &bearing, time);
        match self.doing {
            Doing::Standing | Doing::Settling if !self.control.go => {
                (self.step, self.body_state) = settle(&self.body_state, &self.rig, WAITING);
                self.doing = Doing::Standing;
                self.stride = 0.0;
            }
            Doing::Going if !self.control.go && self.can_stop() => self.close_feet(),
            Doing::Going if !self.control.go && self.stride == 0.0 => {
                (self.step, self.body_state) = settle(&self.body_state, &self.rig, SETTLING);
                self.doing = Doing::Settling;
            }
            Doing::Standing | Doing::Settling => {
                self.double_support = STARTING;
                self.stride = 0.0;
                self.go_on(true);
            }
            Doing::Going => self.go_on(false),
        }
    }

    /// Whether the next step may bring the feet together.
    fn can_stop(&self) -> bool {
        self.stride > 0.0
            && (is_planted(&self.body_state, self.last.opposite())
                || self.stride <= STOPPABLE * self.rig.proportions().height)
    }

    fn go_on(&mut self, first: bool) {
        let side = self.last.opposite();
        let gait = self.gait();
        let length = self.length(gait, first);
        let mut by = self.advance_of(gait, length);
        by.length = longest_step(by.direction, length, self.rig.proportions().height);
        let mut course = self.course;
        course.advance(&by);
        let to = self.plant(&course, side, &by);
        let mut after = course;
        after.advance(&by);
        let then = self.plant(&after, side.opposite(), &by);
        self.take(gait, side, to, Some(then));
        self.course = course;
        self.doing = Doing::Going;
    }

    fn close_feet(&mut self) {
        let side = self.last.opposite();
        let by = walk_advance(&self.control, 0.0);
        let to = self.plant(&self.course, side, &by);
        self.take(Gait::Walk, side, to, None);
        self.stride = 0.0;
    }

    fn take(&mut self, gait: Gait, side: Side, to: FootPlant, then: Option<FootPlant>) {
        let settings = self.control.settings;
        let mut time = settings.step_time(gait);
        if gait == Gait::Run && self.stride > 0.0 && is_planted(&self.body_state, side) {
            time = time.max(settings.first_run_step_time());
        }
        let from_rest = self.double_support == STARTING && is_planted(&self.body_state, side);
        let duration = if from_rest { time + STARTING - settings.double_support(time) } else { time };
        let overlap = match gait {
            Gait::Walk => settings.double_support(time),
            Gait::Run => settings.flight(time),
        };
        // After a much slower step, the foot behind leaves sooner than was meant.
        let double_support = if from_rest { STARTING } else { self.double_support.min(MAX_DOUBLE_SUPPORT * duration) };
        let request = StepRequest { gait, side, to, then, duration, double_support, overlap, flight: None };
        let ground = Ground { terrain: self.terrain.as_ref() };
        (self.step, self.body_state) =
            take_step(self.rig.proportions(), &ground, &self.body_state, &request, &settings);
        self.last = side;
        self.double_support = overlap;
    }

    /// A run that shall stop goes on until it is slow enough.
    fn gait(&self) -> Gait {
        if self.control.go { self.control.settings.gait } else { Gait::Run }
    }

    fn length(&mut self, gait: Gait, first: bool) -> f64 {
        let settings = &self.control.settings;
        match gait {
            Gait::Walk => {
                self.stride = settings.walk.parameters.step_length * if first { FIRST_STEP } else { 1.0 };
            }
            Gait::Run => {
                let height = self.rig.proportions().height;
                let target = if self.control.go { settings.run.parameters.step_length } else { 0.0 };
                let (least, most) = (self.stride - RUN_LOSS * height, self.stride + RUN_GAIN * height);
                let first = (RUN_START * height).min(settings.run.parameters.step_length);
                self.stride = target.clamp(least, most).max(first);
            }
        }
        self.stride
    }

    fn advance_of(&self, gait: Gait, length: f64) -> Advance {
        match gait {
            Gait::Walk => walk_advance(&self.control, length),
            Gait::Run => {
                let attributes = &self.control.settings.run.attributes;
                let (width, toe_out) = (attributes.stride_width, attributes.foot_angle);
                let by = walk_advance(&self.control, length);
                Advance { width, toe_out, turn: by.turn.clamp(-MAX_RUN_TURN, MAX_RUN_TURN), ..by }
            }
        }
    }

    fn plant(&self, course: &Course, side: Side, by: &Advance) -> FootPlant {
        course.plant(side, by, self.terrain.as_ref(), self.rig.proportions())
    }
}

fn walk_advance(control: &Control, length: f64) -> Advance {
    let attributes = &control.settings.walk.attributes;
    // One frame of a broken joystick must not lose the person for ever.
    let finite = |angle: f64| if angle.is_finite() { angle } else { 0.0 };
    Advance {
        length,
        turn: finite(control.turn).clamp(-MAX_TURN, MAX_TURN),
        direction: finite(control.direction),
        width: attributes.stride_width,
        toe_out: attributes.foot_angle,
    }
}
