//! When heels and balls are planted, from the motion alone.
//!
//! Neither height nor speed is enough alone: recorded floors wander by centimetres and stairs have many levels, a swinging foot comes
//! near the ground, a standing one slides, a lifted one may be held still. So both are asked together, each by its own scale: the
//! height above the lowest place that a part passes nearby in time, and the speed as a share of that of the swing around it. What
//! such a test finds at each end of a plant is loose, and plants will be frozen, so their edges are moved to where the part is
//! at rest by the measure of its own slide.
//!
//! For each heel and ball:
//! 1. Its height above the local floor, its speed, and the limits of both ([`PointTrace`]).
//! 2. Hysteresis: a plant is a run of frames in which it may remain planted, with one in which it may come to rest.
//! 3. Plants between which it has hardly moved are one.
//! 4. The ends in which it still comes to rest or begins to leave are cut off; what remains must last.
//!
//! For each foot:
//! 5. A heel is not planted while its foot is pitched on the ball (on tiptoe).
//! 6. A foot that the other one outlasts, lower, at both ends is not planted (one leg lifted).
//! 7. Nothing is planted in frames that are no motion ([`find_dead_segments`]).
//!
//! How exact: of a motion without noise the edges are found to the frame, but for a part that starts from rest, or comes to it, so
//! near to a frame that it has moved less than the least that doubles can tell (one edge in a hundred, by one frame). Of
//! recordings they are where the part is slower than 0.1 to 0.2 m/s when it walks, and 0.5 when it runs: later than it
//! touches, and earlier than it leaves.
//!
//! Limits: a foot held still in the air less than [`DetectOptions::held_height`] above the ground is taken for planted; one that
//! is put on something higher and taken back before the other has moved is not. A part that is dragged as fast as it
//! swings is not planted.

mod find_plants;
mod options;
mod reject;
mod trace;

use crate::{Contacts, FootPart, Plant, find_dead_segments};
pub use options::DetectOptions;
use surefoot_motion::{BodyMap, PerSide, Side, WorldPose};
pub use trace::PointTrace;

/// The traces of one foot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FootTraces {
    /// Of the heel.
    pub heel: PointTrace,
    /// Of the ball.
    pub ball: PointTrace,
}

impl FootTraces {
    /// The trace of a part.
    pub fn of(&self, part: FootPart) -> &PointTrace {
        match part {
            FootPart::Heel => &self.heel,
            FootPart::Ball => &self.ball,
        }
    }
}

/// Contacts, and what they were found from.
#[derive(Clone, Debug, PartialEq)]
pub struct Detection {
    /// When which part is planted. A plant's position is the mean over its frames.
    pub contacts: Contacts,
    /// Floor, speed and limits of each part in each frame.
    pub traces: PerSide<FootTraces>,
}

/// Detects all plants of a motion, at `frame_rate` frames a second. In frames with a part that is not finite it is not planted;
/// a frame rate that is not positive gives no plants.
pub fn detect_contacts(poses: &[WorldPose], body: &BodyMap, frame_rate: f64, options: &DetectOptions) -> Detection {
    let traces = PerSide::from_fn(|side| FootTraces {
        heel: PointTrace::new(poses, body, (side, FootPart::Heel), frame_rate, options),
        ball: PointTrace::new(poses, body, (side, FootPart::Ball), frame_rate, options),
    });
    let mut contacts = Contacts::none(poses.len());
    if !(frame_rate.is_finite() && frame_rate > 0.0) {
        return Detection { contacts, traces };
    }
    for side in Side::BOTH {
        let plants = &mut contacts.plants[side];
        for part in FootPart::BOTH {
            let trace = traces[side].of(part);
            for frames in find_plants::find_plants(trace, frame_rate, options) {
                let position = trace.mean_position(&frames);
                plants.push(Plant { part, frames, position });
            }
        }
        plants.sort_by_key(|plant| (plant.frames.start, plant.frames.end));
        reject::reject_lifted_heels(plants, &traces[side], frame_rate, options);
    }
    reject::reject_held_feet(&mut contacts, &traces, options);
    let dead = find_dead_segments(poses, body, frame_rate);
    if !dead.is_empty() {
        reject::reject_dead_frames(&mut contacts, &traces, &dead);
    }
    Detection { contacts, traces }
}

#[cfg(test)]
mod tests;
