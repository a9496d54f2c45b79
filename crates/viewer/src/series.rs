//! What is plotted under the picture: metrics of a motion, frame by frame.
//!
//! | series | one line for | what |
//! |---|---|---|
//! | height | each foot | lowest of heel, ball and toe tip over the ground below it; negative in the ground |
//! | slide | each foot | speed over the ground of the faster planted point; nothing where none is planted |
//! | knee | each knee | bend: 0 is straight |
//! | speed | the pelvis | over the ground |
//! | pelvis | the pelvis | height over the ground below it |

use serde::Serialize;
use surefoot_contact::metrics::{FootPoints, knee_angle};
use surefoot_contact::{Contacts, FootPart};
use surefoot_geom::{Vec3, ground_point};
use surefoot_ground::Terrain;
use surefoot_motion::{BodyMap, Clip, PerSide, Side};

/// Steps between the least and the largest value of a line.
const STEPS: f64 = 65_534.0;

/// A metric over time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Series {
    pub(crate) key: &'static str,
    pub(crate) label: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) digits: u8,
    /// One for each foot, or one.
    pub(crate) lines: Vec<Line>,
}

/// One line of a series; a frame's value is `least + steps * step`, and there is none where steps are negative.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Line {
    /// `left`, `right`, or `pelvis`.
    pub(crate) of: &'static str,
    pub(crate) least: f64,
    pub(crate) step: f64,
    #[serde(skip)]
    pub(crate) steps: Vec<i32>,
}

impl Line {
    fn new(of: &'static str, values: &[f64]) -> Line {
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let least = finite().reduce(f64::min).unwrap_or(0.0);
        let largest = finite().reduce(f64::max).unwrap_or(0.0);
        let step = ((largest - least) / STEPS).max(1e-9);
        let steps = |value: &f64| if value.is_finite() { ((value - least) / step).round() as i32 } else { -1 };
        Line { of, least, step, steps: values.iter().map(steps).collect() }
    }
}

/// Everything that is plotted of a person.
pub(crate) fn series(
    clip: &Clip,
    body: &BodyMap,
    feet: &PerSide<FootPoints>,
    contacts: &Contacts,
    terrain: &Terrain,
) -> Vec<Series> {
    let world = clip.world();
    let n_frames = clip.n_frames();
    let both = |value: &dyn Fn(Side, usize) -> f64| -> Vec<Line> {
        let line = |side: Side| Line::new(side.name(), &(0..n_frames).map(|i| value(side, i)).collect::<Vec<f64>>());
        Side::BOTH.into_iter().map(line).collect()
    };
    let pelvis: Vec<Vec3> = world.iter().map(|pose| pose.position(body.pelvis)).collect();
    let height = |point: Vec3| point.y - terrain.height(ground_point(point));
    let speed = |track: &[Vec3], frame: usize| {
        let (before, after) = (frame.saturating_sub(1), (frame + 1).min(n_frames - 1));
        let moved = ground_point(track[after] - track[before]).length();
        if after > before { moved * clip.frame_rate / (after - before) as f64 } else { 0.0 }
    };
    let lowest = |side: Side, frame: usize| {
        let foot = &feet[side];
        [&foot.heel, &foot.ball, &foot.toe_tip]
            .map(|track| height(track[frame]))
            .into_iter()
            .fold(f64::INFINITY, f64::min)
    };
    // A plant's own frames only: the frame before it is still a landing.
    let planted_speed = |side: Side, frame: usize| {
        let of = |part: FootPart| {
            let plant = contacts.plants_within(side, part, frame..frame + 1).next()?;
            let track = if part == FootPart::Heel { &feet[side].heel } else { &feet[side].ball };
            let (before, after) = (frame.max(plant.frames.start + 1) - 1, (frame + 1).min(plant.frames.end - 1));
            let moved = ground_point(track[after] - track[before]).length();
            Some(if after > before { moved * clip.frame_rate / (after - before) as f64 } else { 0.0 })
        };
        FootPart::BOTH.into_iter().filter_map(of).reduce(f64::max).unwrap_or(f64::NAN)
    };
    let of_pelvis =
        |value: &dyn Fn(usize) -> f64| vec![Line::new("pelvis", &(0..n_frames).map(value).collect::<Vec<_>>())];
    let one = |key, label, unit, digits, lines| Series { key, label, unit, digits, lines };
    vec![
        one("height", "Sole height", "mm", 1, both(&|side, frame| 1000.0 * lowest(side, frame))),
        one("slide", "Planted feet slide", "cm/s", 2, both(&|side, frame| 100.0 * planted_speed(side, frame))),
        one(
            "knee",
            "Knee bend",
            "deg",
            1,
            both(&|side, frame| 180.0 - knee_angle(&world[frame], body, side).to_degrees()),
        ),
        one("speed", "Pelvis speed", "m/s", 2, of_pelvis(&|frame| speed(&pelvis, frame))),
        one("pelvis", "Pelvis height", "m", 3, of_pelvis(&|frame| height(pelvis[frame]))),
    ]
}
