//! Foot events for engines: when each foot comes down and goes up, as a list by time, and the file that holds it.
//!
//! ```jsonc
//! { "events": 1, "clip": "walk", "frame_rate": 60, "frames": 121, "duration": 2.0, "loop": false,
//!   "root_motion": "ground", "speed": 1.31,
//!   "markers": [
//!     { "name": "left_down", "foot": "left", "kind": "down", "time": 0.35, "frame": 21, "position": [0.1, 0, 0.6] },
//!     { "name": "left_up", ... } ],
//!   "stances": [ { "foot": "left", "from": 0.35, "to": 1.02 } ] }
//! ```
//!
//! A foot is down while its heel or its ball is planted. A foot that is planted in the first frame has no `down`, and one in the
//! last no `up`: nothing says when they happened. In a loop a stance that runs over the seam is one stance: its `down` is in
//! the end of the clip and its `up` in the beginning. Times are in seconds from the first frame; `frame` is the first frame of
//! the new state. Markers of one name at one phase of the gait are what engines call sync markers.

use serde::Serialize;
use surefoot_contact::{Contacts, FootPart};
use surefoot_geom::Vec3;
use surefoot_motion::{Clip, Side};

const EVENTS_VERSION: u32 = 1;

/// How an engine is to play a motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Playback {
    /// The last frame is followed by the first.
    pub is_loop: bool,
    /// How the travel is stored, if that was chosen: `ground`, `in_place` or `hips`.
    pub root_motion: Option<&'static str>,
    /// Mean speed over the ground in metres per second, where it is known; what an engine has to move a motion in place by.
    pub speed: Option<f64>,
}

/// A foot that comes down or goes up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FootEvent {
    /// `left_down`, `left_up`, `right_down` or `right_up`.
    pub name: &'static str,
    /// `left` or `right`.
    pub foot: &'static str,
    /// `down` or `up`.
    pub kind: &'static str,
    /// Seconds from the first frame.
    pub time: f64,
    /// The first frame of the new state.
    pub frame: usize,
    /// Where the foot is planted, in metres.
    pub position: [f64; 3],
}

/// A time in which a foot is planted, in seconds. In a loop it may end before it begins: it runs over the seam.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Stance {
    foot: &'static str,
    from: f64,
    to: f64,
}

/// Frames in which a foot is planted, half-open, and where.
struct Planted {
    start: usize,
    end: usize,
    position: Vec3,
}

/// Plants of heel and ball that overlap or follow each other as one.
fn planted(contacts: &Contacts, side: Side) -> Vec<Planted> {
    let mut plants: Vec<_> = contacts.plants[side].iter().collect();
    plants.sort_by_key(|plant| plant.frames.start);
    let mut out: Vec<Planted> = Vec::new();
    for plant in plants {
        match out.last_mut().filter(|last| plant.frames.start <= last.end) {
            Some(last) => {
                last.end = last.end.max(plant.frames.end);
                if plant.part == FootPart::Ball {
                    last.position = plant.position;
                }
            }
            None => out.push(Planted { start: plant.frames.start, end: plant.frames.end, position: plant.position }),
        }
    }
    out
}

/// All events of a clip, by time.
pub fn foot_events(contacts: &Contacts, frame_rate: f64, is_loop: bool) -> Vec<FootEvent> {
    let n = contacts.n_frames;
    let mut events = Vec::new();
    for side in Side::BOTH {
        let names = match side {
            Side::Left => ["left_down", "left_up"],
            Side::Right => ["right_down", "right_up"],
        };
        let stances = planted(contacts, side);
        // The first frame of a loop follows the last: a plant on both sides of the seam is one.
        let runs_over = is_loop
            && stances.first().is_some_and(|first| first.start == 0)
            && stances.last().is_some_and(|last| last.end >= n);
        for planted in &stances {
            let mut add = |name: &'static str, kind: &'static str, frame: usize| {
                let (time, position) = (frame as f64 / frame_rate, planted.position.to_array());
                events.push(FootEvent { name, foot: side.name(), kind, time, frame, position });
            };
            if planted.start > 0 || (is_loop && !runs_over) {
                add(names[0], "down", planted.start);
            }
            if planted.end < n || (is_loop && !runs_over) {
                add(names[1], "up", planted.end.min(n - 1));
            }
        }
    }
    events.sort_by(|a, b| (a.frame, a.name).cmp(&(b.frame, b.name)));
    events
}

fn stances(contacts: &Contacts, frame_rate: f64, is_loop: bool) -> Vec<Stance> {
    let mut out = Vec::new();
    for side in Side::BOTH {
        let planted = planted(contacts, side);
        let runs_over = is_loop
            && planted.len() > 1
            && planted[0].start == 0
            && planted[planted.len() - 1].end >= contacts.n_frames;
        let last = planted.len().saturating_sub(1);
        for (i, stance) in planted.iter().enumerate().skip(usize::from(runs_over)) {
            let end =
                if runs_over && i == last { planted[0].end } else { stance.end.min(contacts.n_frames.max(1) - 1) };
            let [from, to] = [stance.start, end].map(|frame| frame as f64 / frame_rate);
            out.push(Stance { foot: side.name(), from, to });
        }
    }
    out
}

#[derive(Serialize)]
struct EventsFile<'a> {
    events: u32,
    clip: &'a str,
    frame_rate: f64,
    frames: usize,
    duration: f64,
    #[serde(rename = "loop")]
    is_loop: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    root_motion: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<f64>,
    markers: Vec<FootEvent>,
    stances: Vec<Stance>,
}

/// The file of a clip's events.
pub fn write_events(clip: &Clip, contacts: &Contacts, playback: &Playback) -> String {
    let file = EventsFile {
        events: EVENTS_VERSION,
        clip: &clip.name,
        frame_rate: clip.frame_rate,
        frames: clip.n_frames(),
        duration: clip.duration(),
        is_loop: playback.is_loop,
        root_motion: playback.root_motion,
        speed: playback.speed,
        markers: foot_events(contacts, clip.frame_rate, playback.is_loop),
        stances: stances(contacts, clip.frame_rate, playback.is_loop),
    };
    let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::Plant;
    use surefoot_motion::PerSide;

    fn contacts(left: &[(FootPart, usize, usize)]) -> Contacts {
        let plant = |&(part, start, end): &(FootPart, usize, usize)| Plant {
            part,
            frames: start..end,
            position: Vec3::new(start as f64, 0.0, 0.0),
        };
        Contacts { n_frames: 100, plants: PerSide::new(left.iter().map(plant).collect(), Vec::new()) }
    }

    fn names(contacts: &Contacts, is_loop: bool) -> Vec<(&'static str, usize)> {
        foot_events(contacts, 50.0, is_loop).iter().map(|event| (event.name, event.frame)).collect()
    }

    #[test]
    fn heel_and_ball_of_one_step_are_one_stance() {
        use FootPart::{Ball, Heel};
        let walked = contacts(&[(Heel, 10, 30), (Ball, 20, 45), (Heel, 70, 90), (Ball, 90, 95)]);
        assert_eq!(names(&walked, false), [("left_down", 10), ("left_up", 45), ("left_down", 70), ("left_up", 95)]);
        assert_eq!(foot_events(&walked, 50.0, false)[1].time, 0.9);
        assert_eq!(foot_events(&walked, 50.0, false)[1].position, [20.0, 0.0, 0.0]);
    }

    #[test]
    fn what_nobody_saw_is_no_event_and_a_loop_joins_its_ends() {
        use FootPart::Ball;
        let ends = contacts(&[(Ball, 0, 20), (Ball, 60, 100)]);
        assert_eq!(names(&ends, false), [("left_up", 20), ("left_down", 60)]);
        assert_eq!(names(&ends, true), [("left_up", 20), ("left_down", 60)]);
        let joined = stances(&ends, 50.0, true);
        assert_eq!(joined, [Stance { foot: "left", from: 1.2, to: 0.4 }]);
        // One end alone: in a loop the change is at the seam.
        assert_eq!(names(&contacts(&[(Ball, 0, 20)]), false), [("left_up", 20)]);
        assert_eq!(names(&contacts(&[(Ball, 0, 20)]), true), [("left_down", 0), ("left_up", 20)]);
    }
}
