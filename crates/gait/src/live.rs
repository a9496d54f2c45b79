//! Gait in real time: a person who goes on forever, whose parameters and attributes may change at any moment.
//!
//! As in the paper, a step is planned whole when it begins, from what is asked for then; frames are read off it. So a change
//! takes effect with the next step, and no curve jumps. Nothing is allocated after construction.

use super::course::{Advance, Course, longest_step};
use super::lay_steps::{FIRST_STEP, MAX_RUN_TURN, RUN_GAIN, RUN_LOSS, RUN_START};
use super::manner::{MAX_BOTH_DOWN, Manner};
use super::moment::Moment;
use super::rig::Rig;
use super::stand::Stand;
use super::step::{Ground, Step};
use super::take_step::{SETTLING, STARTING, StepRequest, is_down, take_step};
use super::{Gait, Posture};
use surefoot_geom::Vec3;
use surefoot_ground::Terrain;
use surefoot_motion::{PerSide, Pose, Side};
use surefoot_plan::FootDown;

/// What is asked of a person in motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Control {
    /// Walking or running, and how both are done.
    pub manner: Manner,
    /// To go, or to stand.
    pub go: bool,
    /// Turn of the body with each step, positive to the left, in radians; at most 60 degrees, or 29 in running. What is not
    /// finite is 0.
    pub turn: f64,
    /// Direction of the way against the body's heading, in radians: 0 forward, half a turn backward. What is not finite is 0.
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
    moment: Moment,
    step: Step,
    /// Into the step, in seconds.
    time: f64,
    doing: Doing,
    /// The foot that stepped last.
    last: Side,
    course: Course,
    both_down: f64,
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
        let feet = PerSide::from_fn(|side| course.stand(side, &by, terrain.as_ref(), rig.build()));
        let bearing = control.manner.bearing();
        let moment = Moment::standing(rig.build(), &feet, &bearing);
        let (step, moment) = moment.settle(rig.build(), &bearing, WAITING);
        LiveGait {
            rig,
            terrain,
            control,
            moment,
            step,
            time: 0.0,
            doing: Doing::Standing,
            last: Side::Right,
            course,
            both_down: STARTING,
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

    /// Where the way has come to, and where the body faces.
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

    /// The posture now, and what stands.
    pub fn posture(&self) -> (Posture, PerSide<FootDown>) {
        self.step.posture(self.rig.build(), &Ground { terrain: self.terrain.as_ref() }, self.time)
    }

    /// Fills a pose of the rig's skeleton with the posture now; tells what stands.
    pub fn pose(&self, out: &mut Pose) -> PerSide<FootDown> {
        let (posture, down) = self.posture();
        self.rig.pose(&posture, out);
        down
    }

    fn next_step(&mut self) {
        let bearing = self.control.manner.bearing();
        let settle = |moment: &Moment, rig: &Rig, time: f64| moment.settle(rig.build(), &bearing, time);
        match self.doing {
            Doing::Standing | Doing::Settling if !self.control.go => {
                (self.step, self.moment) = settle(&self.moment, &self.rig, WAITING);
                self.doing = Doing::Standing;
                self.stride = 0.0;
            }
            Doing::Going if !self.control.go && self.can_stop() => self.close_feet(),
            Doing::Going if !self.control.go && self.stride == 0.0 => {
                (self.step, self.moment) = settle(&self.moment, &self.rig, SETTLING);
                self.doing = Doing::Settling;
            }
            Doing::Standing | Doing::Settling => {
                self.both_down = STARTING;
                self.stride = 0.0;
                self.go_on(true);
            }
            Doing::Going => self.go_on(false),
        }
    }

    /// Whether the next step may bring the feet together.
    fn can_stop(&self) -> bool {
        self.stride > 0.0
            && (is_down(&self.moment, self.last.opposite()) || self.stride <= STOPPABLE * self.rig.build().height)
    }

    fn go_on(&mut self, first: bool) {
        let side = self.last.opposite();
        let gait = self.gait();
        let length = self.length(gait, first);
        let mut by = self.advance_of(gait, length);
        by.length = longest_step(by.direction, length, self.rig.build().height);
        let mut course = self.course;
        course.advance(&by);
        let to = self.stand(&course, side, &by);
        let mut after = course;
        after.advance(&by);
        let then = self.stand(&after, side.opposite(), &by);
        self.take(gait, side, to, Some(then));
        self.course = course;
        self.doing = Doing::Going;
    }

    fn close_feet(&mut self) {
        let side = self.last.opposite();
        let by = walk_advance(&self.control, 0.0);
        let to = self.stand(&self.course, side, &by);
        self.take(Gait::Walk, side, to, None);
        self.stride = 0.0;
    }

    fn take(&mut self, gait: Gait, side: Side, to: Stand, then: Option<Stand>) {
        let manner = self.control.manner;
        let mut time = manner.step_time(gait);
        if gait == Gait::Run && self.stride > 0.0 && is_down(&self.moment, side) {
            time = time.max(manner.first_run_step_time());
        }
        let from_rest = self.both_down == STARTING && is_down(&self.moment, side);
        let duration = if from_rest { time + STARTING - manner.both_down(time) } else { time };
        let overlap = match gait {
            Gait::Walk => manner.both_down(time),
            Gait::Run => manner.flight(time),
        };
        // After a much slower step, the foot behind leaves sooner than was meant.
        let both_down = if from_rest { STARTING } else { self.both_down.min(MAX_BOTH_DOWN * duration) };
        let request = StepRequest { gait, side, to, then, duration, both_down, overlap, flight: None };
        let ground = Ground { terrain: self.terrain.as_ref() };
        (self.step, self.moment) = take_step(self.rig.build(), &ground, &self.moment, &request, &manner);
        self.last = side;
        self.both_down = overlap;
    }

    /// A run that shall stop goes on until it is slow enough.
    fn gait(&self) -> Gait {
        if self.control.go { self.control.manner.gait } else { Gait::Run }
    }

    fn length(&mut self, gait: Gait, first: bool) -> f64 {
        let manner = &self.control.manner;
        match gait {
            Gait::Walk => {
                self.stride = manner.walk.parameters.step_length * if first { FIRST_STEP } else { 1.0 };
            }
            Gait::Run => {
                let height = self.rig.build().height;
                let wished = if self.control.go { manner.run.parameters.step_length } else { 0.0 };
                let (least, most) = (self.stride - RUN_LOSS * height, self.stride + RUN_GAIN * height);
                let first = (RUN_START * height).min(manner.run.parameters.step_length);
                self.stride = wished.clamp(least, most).max(first);
            }
        }
        self.stride
    }

    fn advance_of(&self, gait: Gait, length: f64) -> Advance {
        match gait {
            Gait::Walk => walk_advance(&self.control, length),
            Gait::Run => {
                let attributes = &self.control.manner.run.attributes;
                let (width, toe_out) = (attributes.stride_width, attributes.foot_angle);
                let by = walk_advance(&self.control, length);
                Advance { width, toe_out, turn: by.turn.clamp(-MAX_RUN_TURN, MAX_RUN_TURN), ..by }
            }
        }
    }

    fn stand(&self, course: &Course, side: Side, by: &Advance) -> Stand {
        course.stand(side, by, self.terrain.as_ref(), self.rig.build())
    }
}

fn walk_advance(control: &Control, length: f64) -> Advance {
    let attributes = &control.manner.walk.attributes;
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
