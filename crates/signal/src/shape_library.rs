//! Shapes with names, ready to be applied or to be edited.
//!
//! Reference: SIGNAL 5.3: "it is possible to build up a library of shaping functions which will permit rapid
//! experimentation with different styles of movement", and 3.3.3 for the bump, the cosine and the step.
//!
//! Each is a spline of a few points from -1 to 1, the range of a channel ([`crate::ChannelRange`]). Most take a number.

use crate::shape::{Limits, Shape};
use crate::spline::ControlPoint;
use std::f64::consts::{FRAC_PI_2, PI};
use surefoot_motion::closest_names;

/// A shape of the library.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedShape {
    /// What to call it.
    pub name: &'static str,
    /// What it does to a motion.
    pub does: &'static str,
    /// The number that it takes, if it takes one.
    pub number: Option<ShapeNumber>,
}

/// The number of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeNumber {
    /// What it is.
    pub means: &'static str,
    /// What it is if none is given.
    pub default: f64,
    /// The least that makes sense.
    pub low: f64,
    /// The most that makes sense.
    pub high: f64,
}

const fn number(means: &'static str, default: f64, low: f64, high: f64) -> Option<ShapeNumber> {
    Some(ShapeNumber { means, default, low, high })
}

/// All shapes of the library.
pub const SHAPES: [NamedShape; 12] = [
    NamedShape { name: "identity", does: "leaves every value as it is", number: None },
    NamedShape {
        name: "clip",
        does: "cuts off what goes beyond a part of the range",
        number: number("the part of the range that is kept", 0.7, 0.01, 1.0),
    },
    NamedShape {
        name: "soft-clip",
        does: "slows down towards a part of the range and stays within it",
        number: number("the part of the range that is kept", 0.7, 0.01, 1.0),
    },
    NamedShape {
        name: "flatten",
        does: "brings every value nearer to the middle",
        number: number("how far from the middle the extremes stay", 0.5, 0.0, 1.0),
    },
    NamedShape {
        name: "exaggerate",
        does: "takes every value farther from the middle",
        number: number("how far from the middle the extremes come", 1.5, 1.0, 5.0),
    },
    NamedShape {
        name: "exaggerate-middle",
        does: "hurries through the middle and lingers at the extremes, which stay: the cosine of SIGNAL 3.3.3",
        number: None,
    },
    NamedShape {
        name: "calm-middle",
        does: "lingers in the middle and hurries to the extremes, which stay",
        number: number("the slope in the middle, where 1 changes nothing", 0.3, 0.0, 1.0),
    },
    NamedShape {
        name: "undulate",
        does: "goes forth and back between the extremes: figure 5.12",
        number: number("how many waves there are over the range", 3.0, 1.0, 20.0),
    },
    NamedShape {
        name: "bump",
        does: "pushes what is near the middle to one side and leaves the extremes",
        number: number("how far the middle is pushed", 0.25, -1.0, 1.0),
    },
    NamedShape {
        name: "step",
        does: "knows two values only, the extremes, with a quick change between them",
        number: number("the part of the range over which it changes", 0.2, 0.001, 1.0),
    },
    NamedShape {
        name: "quantise",
        does: "stays on a few values and hurries from one to the next, like a puppet moved from pose to pose",
        number: number("how many values there are", 4.0, 2.0, 50.0),
    },
    NamedShape {
        name: "dead-zone",
        does: "stands still in the middle and makes up for it towards the extremes, which stay",
        number: number("the part of the range that stands still", 0.25, 0.0, 0.95),
    },
];

/// Why there is no such shape.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NamedShapeError {
    /// No shape has this name.
    #[error("`{name}` is no shape{}; shapes are {}", or_closest(closest), names())]
    Unknown {
        /// As given.
        name: String,
        /// Shapes with names like it.
        closest: Vec<&'static str>,
    },
    /// A number for a shape that takes none.
    #[error("shape `{name}` takes no number, but {value} was given")]
    NoNumber {
        /// The shape.
        name: &'static str,
        /// As given.
        value: f64,
    },
    /// A number out of range.
    #[error("the number of shape `{name}`, {means}, is {value}; {low} to {high} would be right")]
    OutOfRange {
        /// The shape.
        name: &'static str,
        /// What the number is.
        means: &'static str,
        /// As given.
        value: f64,
        /// The least that is right.
        low: f64,
        /// The most that is right.
        high: f64,
    },
}

fn or_closest(closest: &[&str]) -> String {
    if closest.is_empty() { String::new() } else { format!(" (near: {})", closest.join(", ")) }
}

fn names() -> String {
    SHAPES.map(|shape| shape.name).join(", ")
}

/// A shape of the library by its name, with its number or the default one. Names may differ in case, and have blanks or
/// underscores for hyphens.
pub fn named_shape(name: &str, number: Option<f64>) -> Result<Shape, NamedShapeError> {
    let wanted = name.trim().to_lowercase().replace([' ', '_'], "-");
    let Some(named) = SHAPES.iter().find(|shape| shape.name == wanted) else {
        let closest = closest_names(&wanted, SHAPES.iter().map(|shape| shape.name), 3);
        return Err(NamedShapeError::Unknown { name: name.to_string(), closest });
    };
    let name = named.name;
    let value = match (named.number, number) {
        (None, Some(value)) => return Err(NamedShapeError::NoNumber { name, value }),
        (None, None) => 0.0,
        (Some(ShapeNumber { means, default, low, high }), number) => {
            let value = number.unwrap_or(default);
            if !(low..=high).contains(&value) {
                return Err(NamedShapeError::OutOfRange { name, means, value, low, high });
            }
            value
        }
    };
    Ok(make(name, value))
}

fn make(name: &str, number: f64) -> Shape {
    let ramp = |slope: f64| through(vec![ControlPoint::new(-1.0, -slope), ControlPoint::new(1.0, slope)]);
    let within = |limits: Limits| Shape::identity().limited(limits).expect("limits in order");
    match name {
        "clip" => within(Limits::hard(-number, number)),
        // Bending from half way on: soft enough to be seen as slowing down.
        "soft-clip" => within(Limits::soft(-number, number, number / 2.0)),
        "flatten" | "exaggerate" => ramp(number),
        "exaggerate-middle" => cosine(),
        "calm-middle" => calm_middle(number),
        "undulate" => undulate(number.round() as usize),
        "bump" => through(
            [(-1.0, -1.0, 1.0), (-0.5, -0.5, 1.0), (0.0, number, 1.0), (0.5, 0.5, 1.0), (1.0, 1.0, 1.0)]
                .map(|(x, y, slope)| ControlPoint::sloped(x, y, slope))
                .to_vec(),
        ),
        "step" => stairs(2, number),
        "quantise" => stairs(number.round() as usize, 0.3),
        "dead-zone" => dead_zone(number),
        _ => Shape::identity(),
    }
}

fn through(points: Vec<ControlPoint>) -> Shape {
    Shape::through(points).expect("points in order")
}

/// `sin(pi x / 2)`: from minimum to maximum of a cosine. Nine points with its slopes are it within 1e-4.
fn cosine() -> Shape {
    let point = |i: i32| {
        let x = f64::from(i) / 4.0;
        ControlPoint::sloped(x, (FRAC_PI_2 * x).sin(), FRAC_PI_2 * (FRAC_PI_2 * x).cos())
    };
    through((-4..=4).map(point).collect())
}

/// The cubic through the extremes that is `slope` steep in the middle.
fn calm_middle(slope: f64) -> Shape {
    let end = 3.0 - 2.0 * slope;
    let point = |x: f64, steep: f64| ControlPoint::sloped(x, x, steep);
    through(vec![point(-1.0, end), point(0.0, slope), point(1.0, end)])
}

/// How steep waves are against the diagonal: more than 1, so that a motion comes back a little on each.
const WAVE_SLOPE: f64 = 1.6;

/// Waves about the diagonal, which they meet at both extremes. Four points each, with the slopes of a sine.
fn undulate(n_waves: usize) -> Shape {
    let n = n_waves.max(1);
    let height = WAVE_SLOPE / (PI * n as f64);
    let point = |i: usize| {
        let x = -1.0 + 2.0 * i as f64 / (4 * n) as f64;
        let (rise, slope) = match i % 4 {
            0 => (0.0, WAVE_SLOPE),
            1 => (height, 0.0),
            2 => (0.0, -WAVE_SLOPE),
            _ => (-height, 0.0),
        };
        ControlPoint::sloped(x, x + rise, 1.0 + slope)
    };
    through((0..=4 * n).map(point).collect())
}

/// Level stretches at `n_levels` values; `edge` is the part of the distance between two over which it goes from one to
/// the next.
fn stairs(n_levels: usize, edge: f64) -> Shape {
    let n = n_levels.max(2);
    let width = 2.0 / n as f64;
    let mut points = vec![ControlPoint::sloped(-1.0, -1.0, 0.0)];
    for level in 0..n - 1 {
        let x = -1.0 + width * (level + 1) as f64;
        let value = |level: usize| -1.0 + 2.0 * level as f64 / (n - 1) as f64;
        let half = edge * width / 2.0;
        points.push(ControlPoint::sloped(x - half, value(level), 0.0));
        points.push(ControlPoint::sloped(x + half, value(level + 1), 0.0));
    }
    points.push(ControlPoint::sloped(1.0, 1.0, 0.0));
    // An edge as wide as its level begins where the one before ends.
    points.dedup_by(|next, last| next.x <= last.x + 1e-9);
    if let Some(last) = points.last_mut() {
        *last = ControlPoint::sloped(1.0, 1.0, 0.0);
    }
    through(points)
}

/// 0 in the middle, and from its edges straight to the extremes.
fn dead_zone(half: f64) -> Shape {
    if half <= 0.0 {
        return Shape::identity();
    }
    let slope = 1.0 / (1.0 - half);
    // The corner is rounded over a part of what is left.
    let round = (1.0 - half) * 0.3;
    let start = half - round.min(half);
    let end = half + round;
    let (y, at) = (slope * (end - half), ControlPoint::sloped);
    let mut points = vec![at(-1.0, -1.0, slope), at(-end, -y, slope), at(-start, 0.0, 0.0)];
    if start > 0.0 {
        points.push(at(start, 0.0, 0.0));
    }
    points.extend([at(end, y, slope), at(1.0, 1.0, slope)]);
    through(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(name: &str) -> Shape {
        named_shape(name, None).unwrap()
    }

    fn samples() -> impl Iterator<Item = f64> {
        (-300..=300).map(|i| f64::from(i) / 200.0)
    }

    #[test]
    fn every_shape_has_a_sentence_and_takes_all_of_its_numbers() {
        for named in SHAPES {
            assert!(named.does.len() > 10, "{}", named.name);
            let numbers = named.number.map_or(vec![None], |n| vec![None, Some(n.low), Some(n.default), Some(n.high)]);
            for number in numbers {
                let shape = named_shape(named.name, number).unwrap();
                assert!(samples().all(|x| shape.at(x).is_finite()), "{} {number:?}", named.name);
                let jump = samples().map(|x| (shape.at(x + 1e-6) - shape.at(x)).abs()).fold(0.0, f64::max);
                assert!(jump < 0.01, "{} {number:?} jumps by {jump}", named.name);
            }
        }
    }

    #[test]
    fn shapes_that_keep_the_extremes_do() {
        for name in
            ["identity", "exaggerate-middle", "calm-middle", "undulate", "bump", "step", "quantise", "dead-zone"]
        {
            let shape = shape(name);
            assert!((shape.at(1.0) - 1.0).abs() < 1e-12 && (shape.at(-1.0) + 1.0).abs() < 1e-12, "{name}");
        }
    }

    #[test]
    fn each_does_what_its_sentence_says() {
        let cosine = shape("exaggerate-middle");
        let off = samples().filter(|x| x.abs() <= 1.0).map(|x| (cosine.at(x) - (FRAC_PI_2 * x).sin()).abs());
        assert!(off.fold(0.0, f64::max) < 1e-4);
        let undulate = shape("undulate");
        let turns = samples().filter(|x| x.abs() < 1.0).filter(|x| undulate.at(x + 1e-4) < undulate.at(*x)).count();
        assert!(turns > 60, "goes back at {turns} of 400 values");
        let bump = shape("bump");
        assert_eq!((bump.at(0.0), bump.at(0.8), bump.at(-0.8)), (0.25, 0.8, -0.8));
        let step = shape("step");
        assert_eq!((step.at(0.3), step.at(-0.3), step.at(2.0)), (1.0, -1.0, 1.0));
        let quantise = shape("quantise");
        let levels: std::collections::BTreeSet<i64> =
            [-0.9, -0.75, -0.4, -0.2, 0.2, 0.4, 0.7, 0.9].iter().map(|x| (quantise.at(*x) * 1e6) as i64).collect();
        assert_eq!(levels.len(), 4, "{levels:?}");
        let zone = shape("dead-zone");
        assert_eq!(zone.at(0.0), 0.0);
        assert!((zone.at(0.7) - (0.7 - 0.25) / 0.75).abs() < 1e-9);
        assert!(samples().all(|x| shape("soft-clip").at(x).abs() < 0.7 && shape("clip").at(x).abs() <= 0.7));
        assert_eq!((shape("flatten").at(0.5), shape("exaggerate").at(0.5)), (0.25, 0.75));
    }

    #[test]
    fn wrong_names_and_numbers_say_what_would_be_right() {
        let error = named_shape("undulat", None).unwrap_err().to_string();
        assert!(error.contains("undulate") && error.contains("quantise"), "{error}");
        let error = named_shape("undulate", Some(99.0)).unwrap_err().to_string();
        assert!(error.contains("how many waves") && error.contains("1 to 20"), "{error}");
        assert!(named_shape("undulate", Some(f64::NAN)).is_err());
        assert!(named_shape("identity", Some(1.0)).unwrap_err().to_string().contains("no number"));
        assert_eq!(named_shape("Soft Clip", None), named_shape("soft-clip", None));
    }
}
