//! Waveshaping: every value of a channel replaced by a function of itself.
//!
//! Reference: SIGNAL 5.3 and 3.3.3, after LeBrun. "A shaping function operates as a special filter on a signal x ...
//! assumed to be normalized, i.e. it accepts and outputs numbers in the range [-1, +1]": `x' = f(a x)`, where a may
//! change over time.
//!
//! 1. A channel is normalised: `x = (v - centre) / reach` ([`ChannelRange`]).
//! 2. `x' = f(a x)`, with f an interpolating cubic spline whose points can be added, moved and deleted ([`Shape`]),
//!    and a, the *drive*, 1 or an [`Amount`] over time.
//! 3. The channel becomes `v + mix (centre + reach x' - v)`.
//!
//! What the function adds is computed, not what it gives: `f(x) - x` is a spline as well, and 0 to the last bit where
//! f is the identity. So the identity changes nothing at all, and neither does a mix of 0.
//!
//! # What is -1, and what is 1
//!
//! By default the lowest and the highest value of the channel itself: then a shape means the same to a knee that bends by
//! a hundred degrees and to a neck that turns by three, and a shape that leaves -1 and 1 in place keeps how far a
//! motion goes. About its mean a channel is normalised where 0 should mean how the joint usually stands: its farther
//! extreme is then -1 or 1, and the nearer one within. A range in radians or metres is for shapes that mean an angle.
//!
//! Channels of rotations are components of rotation vectors about the joint's mean ([`Curves`]): of a joint that turns
//! about one axis they are its angle from the mean; of a shoulder they are not what anatomy calls angles. Limits of
//! joints are therefore not set here but in `joint_limits.rs`.
//!
//! # Limits
//!
//! A hard limit maps what lies beyond it to itself; a soft one begins to bend before it and approaches it, so that a
//! motion runs into it without a jerk: by `u / sqrt(1 + u^2)`, whose first and second derivatives continue those of
//! the straight line. Limits apply to what the spline gives, between its points as well, and no value exceeds them.
//!
//! Departure: the paper's limits are points of the spline. A cubic has no corner and would pass beyond them.

use crate::amount::Amount;
use crate::curves::{Curves, Quantity};
use crate::selection::Selection;
use crate::spline::{ControlPoint, Ends, Spline, SplineError};

/// A limit that values do not pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Where.
    pub at: f64,
    /// From how far before it values bend towards it; 0 is a hard limit.
    pub soft: f64,
}

impl Limit {
    /// What lies beyond is mapped to the limit.
    pub fn hard(at: f64) -> Limit {
        Limit { at, soft: 0.0 }
    }

    /// Values from `soft` before the limit on approach it and never reach it.
    pub fn soft(at: f64, soft: f64) -> Limit {
        Limit { at, soft }
    }

    /// A value under this limit; with `sign` -1 it is a limit from below.
    fn apply(&self, value: f64, sign: f64) -> f64 {
        let room = (self.at - value) * sign;
        if room >= self.soft {
            return value;
        }
        if self.soft <= 0.0 {
            return self.at;
        }
        let beyond = (self.soft - room) / self.soft;
        // Written from the limit, so that rounding does not pass it.
        self.at - sign * self.soft * (1.0 - beyond / (1.0 + beyond * beyond).sqrt())
    }
}

/// Limits on both sides; `None` is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// No value is lower.
    pub low: Option<Limit>,
    /// No value is higher.
    pub high: Option<Limit>,
}

impl Limits {
    /// Hard limits on both sides.
    pub fn hard(low: f64, high: f64) -> Limits {
        Limits { low: Some(Limit::hard(low)), high: Some(Limit::hard(high)) }
    }

    /// Soft limits on both sides. Where they meet in the middle, they bend from there.
    pub fn soft(low: f64, high: f64, soft: f64) -> Limits {
        let soft = soft.min((high - low) / 2.0).max(0.0);
        Limits { low: Some(Limit::soft(low, soft)), high: Some(Limit::soft(high, soft)) }
    }

    /// A value within the limits.
    #[inline]
    pub fn apply(&self, value: f64) -> f64 {
        let value = self.high.map_or(value, |high| high.apply(value, 1.0));
        self.low.map_or(value, |low| low.apply(value, -1.0))
    }

    fn check(&self) -> Result<(), ShapeError> {
        for (field, limit) in [("limits.low", self.low), ("limits.high", self.high)] {
            let Some(Limit { at, soft }) = limit else { continue };
            let is_limit = at.is_finite() && soft.is_finite() && soft >= 0.0;
            if !is_limit {
                return Err(ShapeError::Limit { field, at, soft });
            }
        }
        let (Some(low), Some(high)) = (self.low, self.high) else { return Ok(()) };
        if low.at + low.soft > high.at - high.soft + ROUNDING {
            return Err(ShapeError::Crossed { low: low.at, high: high.at, soft: low.soft.max(high.soft) });
        }
        Ok(())
    }
}

/// Soft limits that meet in the middle may cross by this much.
const ROUNDING: f64 = 1e-12;

/// A shaping function: a spline, and limits on what it gives. Outside its points it goes on straight.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    spline: Spline,
    limits: Limits,
}

/// Why something is no shape, or no method to apply one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// The points are no curve.
    #[error(transparent)]
    Spline(#[from] SplineError),
    /// A limit that is none.
    #[error("{field} is {at}, from {soft} before it; finite numbers, the second not negative, would be right")]
    Limit {
        /// `limits.low` or `limits.high`.
        field: &'static str,
        /// As given.
        at: f64,
        /// As given.
        soft: f64,
    },
    /// No room between the limits.
    #[error(
        "limits.low {low} and limits.high {high} leave no room for soft parts of {soft}; \
         a lower limit below the upper one, and softness of at most half of what is between, would be right"
    )]
    Crossed {
        /// The lower limit.
        low: f64,
        /// The upper limit.
        high: f64,
        /// The larger of both soft parts.
        soft: f64,
    },
    /// A range that is none.
    #[error("range.low {low} must lie below range.high {high}, and both must be finite")]
    Range {
        /// As given.
        low: f64,
        /// As given.
        high: f64,
    },
    /// No component is to be shaped.
    #[error("components has none of x, y and z; at least one would be right")]
    NoComponent,
}

impl Shape {
    /// Leaves every value as it is.
    pub fn identity() -> Shape {
        Shape::through(vec![ControlPoint::new(-1.0, -1.0), ControlPoint::new(1.0, 1.0)]).expect("two points in order")
    }

    /// Through points in order of their places.
    pub fn through(points: Vec<ControlPoint>) -> Result<Shape, ShapeError> {
        Ok(Shape { spline: Spline::new(points, Ends::Free)?, limits: Limits::default() })
    }

    /// The same function within limits.
    pub fn limited(mut self, limits: Limits) -> Result<Shape, ShapeError> {
        limits.check()?;
        self.limits = limits;
        Ok(self)
    }

    /// The points of the spline, in order.
    pub fn points(&self) -> &[ControlPoint] {
        self.spline.points()
    }

    /// The limits on what it gives.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Adds a point at its place in the order, and returns its number.
    pub fn add_point(&mut self, point: ControlPoint) -> Result<usize, ShapeError> {
        Ok(self.spline.add(point)?)
    }

    /// Deletes a point.
    pub fn remove_point(&mut self, index: usize) -> Result<ControlPoint, ShapeError> {
        Ok(self.spline.remove(index)?)
    }

    /// Puts another point in the place of one.
    pub fn set_point(&mut self, index: usize, point: ControlPoint) -> Result<(), ShapeError> {
        Ok(self.spline.set(index, point)?)
    }

    /// The function's value.
    pub fn at(&self, x: f64) -> f64 {
        self.limits.apply(x + self.spline.above_diagonal().at(x))
    }
}

/// What of a channel is -1 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ChannelRange {
    /// The channel's lowest and highest value.
    #[default]
    Own,
    /// As far on each side of the channel's mean as its farthest value is.
    AboutMean,
    /// Angles in radians; channels of lengths are left as they are. Rotations are from the joint's mean, and the heading
    /// is that of the world.
    Angles {
        /// What -1 is.
        low: f64,
        /// What 1 is.
        high: f64,
    },
    /// Lengths in metres; channels of angles are left as they are.
    Lengths {
        /// What -1 is.
        low: f64,
        /// What 1 is.
        high: f64,
    },
}

/// How to apply a shape.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeOptions {
    /// What of a channel is -1 and 1. Default: its own extremes.
    pub range: ChannelRange,
    /// LeBrun's factor a on what goes in. Any number; default 1. At 0 a motion stands still at `f(0)`; beyond 1 it goes
    /// where the shape was not drawn, and the shape goes on straight.
    pub drive: Amount,
    /// How much of the change is made. Any number; default 1. 0 is none, beyond 1 is more than the shape has; limits
    /// hold only from 0 to 1, and only where the motion was within them already or the mix is 1.
    pub mix: Amount,
    /// Which components of rotations and translations are shaped: x, y, z. Default: all.
    pub components: [bool; 3],
}

impl Default for ShapeOptions {
    fn default() -> ShapeOptions {
        ShapeOptions {
            range: ChannelRange::Own,
            drive: Amount::constant(1.0),
            mix: Amount::constant(1.0),
            components: [true; 3],
        }
    }
}

/// Shapes the channels of a selection. A channel that never changes has no range of its own and is left as it is.
pub fn shape_channels(
    curves: &mut Curves,
    selection: &Selection,
    shape: &Shape,
    options: &ShapeOptions,
) -> Result<(), ShapeError> {
    options.check()?;
    let over_time = |amount: &Amount| -> Vec<f64> {
        let rate = curves.frame_rate;
        (0..curves.n_frames()).map(|frame| amount.at(frame as f64 / rate)).collect()
    };
    let amounts = ChannelAmounts { drive: over_time(&options.drive), mix: over_time(&options.mix) };
    for channel in 0..curves.tracks().len() {
        let track = curves.tracks()[channel];
        let is_chosen = match track.quantity {
            Quantity::Rotation(k) | Quantity::Translation(k) => options.components[k],
            Quantity::Heading | Quantity::Ground(_) | Quantity::Height => true,
        };
        if is_chosen
            && selection.covers(track)
            && let Some(span) = options.range.of_channel(track.quantity, curves.channel(channel))
        {
            shape_channel(curves.channel_mut(channel), span, shape, &amounts);
        }
    }
    Ok(())
}

impl ShapeOptions {
    fn check(&self) -> Result<(), ShapeError> {
        if self.components == [false; 3] {
            return Err(ShapeError::NoComponent);
        }
        match self.range {
            ChannelRange::Angles { low, high } | ChannelRange::Lengths { low, high } => {
                let is_range = low.is_finite() && high.is_finite() && low < high;
                if is_range { Ok(()) } else { Err(ShapeError::Range { low, high }) }
            }
            ChannelRange::Own | ChannelRange::AboutMean => Ok(()),
        }
    }
}

/// The middle of a channel, and how far 1 is from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChannelSpan {
    /// What becomes 0.
    pub centre: f64,
    /// What lies this far above becomes 1. Positive.
    pub reach: f64,
}

/// Channels that change by less than this are frozen: their own range would be rounding.
const FROZEN: f64 = 1e-9;

impl ChannelRange {
    /// The span of a channel; `None` if it is to be left as it is.
    pub fn of_channel(self, quantity: Quantity, channel: &[f64]) -> Option<ChannelSpan> {
        let (low, high) =
            channel.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(*v), high.max(*v)));
        let between = |low: f64, high: f64| ChannelSpan { centre: (low + high) / 2.0, reach: (high - low) / 2.0 };
        match self {
            ChannelRange::Own => (high - low > FROZEN).then(|| between(low, high)),
            ChannelRange::AboutMean => (high - low > FROZEN).then(|| {
                let mean = channel.iter().sum::<f64>() / channel.len() as f64;
                ChannelSpan { centre: mean, reach: (high - mean).max(mean - low) }
            }),
            ChannelRange::Angles { low, high } => quantity.is_angle().then(|| between(low, high)),
            ChannelRange::Lengths { low, high } => (!quantity.is_angle()).then(|| between(low, high)),
        }
    }
}

/// Drive and mix in every frame.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelAmounts {
    /// Factor on what goes in.
    pub drive: Vec<f64>,
    /// How much of the change is made.
    pub mix: Vec<f64>,
}

/// Shapes one channel: the kernel of [`shape_channels`]. Panics if amounts are fewer than frames.
pub fn shape_channel(
    channel: &mut [f64],
    ChannelSpan { centre, reach }: ChannelSpan,
    shape: &Shape,
    amounts: &ChannelAmounts,
) {
    let mut lift = shape.spline.above_diagonal();
    let scaled =
        |limit: Option<Limit>| limit.map(|limit| Limit { at: centre + reach * limit.at, soft: reach * limit.soft });
    // Limits are scaled to the channel and not the channel to them: what is at a limit is there to the last bit.
    let limits = Limits { low: scaled(shape.limits.low), high: scaled(shape.limits.high) };
    let n_frames = channel.len();
    for ((value, drive), mix) in channel.iter_mut().zip(&amounts.drive[..n_frames]).zip(&amounts.mix[..n_frames]) {
        let x = (*value - centre) / reach;
        let driven = *value + reach * ((drive - 1.0) * x + lift.at(drive * x));
        let shaped = limits.apply(driven);
        *value = if *mix == 1.0 { shaped } else { *value + mix * (shaped - *value) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curves::Track;
    use crate::shape_library::{SHAPES, named_shape};
    use proptest::prelude::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};

    fn walk() -> Curves {
        Curves::read(&synthetic_walk(&WalkerOptions { n_steps: 3, ..WalkerOptions::default() }).take.clip)
    }

    fn amounts(n: usize, drive: f64, mix: f64) -> ChannelAmounts {
        ChannelAmounts { drive: vec![drive; n], mix: vec![mix; n] }
    }

    fn wave(n: usize) -> Vec<f64> {
        (0..n).map(|i| 0.3 + 1.7 * (i as f64 * 0.1).sin()).collect()
    }

    const WHOLE: ChannelSpan = ChannelSpan { centre: 0.0, reach: 1.0 };

    #[test]
    fn the_identity_changes_no_bit() {
        let before = walk();
        let everything = Selection::everything(&before.skeleton);
        let mut denser = Shape::identity();
        for x in [-0.7, 0.1, 0.3] {
            denser.add_point(ControlPoint::new(x, x)).unwrap();
        }
        for shape in [Shape::identity(), denser] {
            for range in [ChannelRange::Own, ChannelRange::AboutMean, ChannelRange::Angles { low: -0.1, high: 0.2 }] {
                let mut after = before.clone();
                let options = ShapeOptions { range, ..ShapeOptions::default() };
                shape_channels(&mut after, &everything, &shape, &options).unwrap();
                assert_eq!(after, before, "{range:?}");
            }
        }
        let mut after = before.clone();
        let none = ShapeOptions { mix: Amount::constant(0.0), ..ShapeOptions::default() };
        shape_channels(&mut after, &everything, &named_shape("undulate", None).unwrap(), &none).unwrap();
        assert_eq!(after, before, "a mix of 0");
    }

    #[test]
    fn only_selected_channels_and_components_change() {
        let before = walk();
        let joint = before.tracks().iter().find(|track| matches!(track.quantity, Quantity::Rotation(0))).unwrap().joint;
        let one = Selection::of_joints(&before.skeleton, [joint]);
        let mut after = before.clone();
        let options = ShapeOptions { components: [false, true, false], ..ShapeOptions::default() };
        shape_channels(&mut after, &one, &named_shape("flatten", None).unwrap(), &options).unwrap();
        for (channel, track) in before.tracks().iter().enumerate() {
            let allowed = track.joint == joint && !matches!(track.quantity, Quantity::Rotation(0 | 2))
                || before.channel(channel) == after.channel(channel);
            assert!(allowed, "{track:?}");
        }
    }

    #[test]
    fn lebruns_factor_and_the_mix_change_over_time() {
        let shape = named_shape("exaggerate-middle", None).unwrap();
        let channel = wave(200);
        let mut shaped = channel.clone();
        let drive: Vec<f64> = (0..200).map(|i| i as f64 / 199.0).collect();
        let mix: Vec<f64> = (0..200).map(|i| 1.0 - i as f64 / 199.0).collect();
        let span = ChannelSpan { centre: 0.3, reach: 1.7 };
        shape_channel(&mut shaped, span, &shape, &ChannelAmounts { drive: drive.clone(), mix: mix.clone() });
        for i in 0..200 {
            let x = (channel[i] - 0.3) / 1.7;
            let wanted = channel[i] + mix[i] * (0.3 + 1.7 * shape.at(drive[i] * x) - channel[i]);
            assert!((shaped[i] - wanted).abs() < 1e-12, "frame {i}");
        }
    }

    #[test]
    fn a_channel_fills_its_own_range_and_its_mean_is_the_middle_about_the_mean() {
        let channel = [0.0, 1.0, 4.0, 0.0];
        let angle = Quantity::Rotation(0);
        assert_eq!(ChannelRange::Own.of_channel(angle, &channel), Some(ChannelSpan { centre: 2.0, reach: 2.0 }));
        assert_eq!(
            ChannelRange::AboutMean.of_channel(angle, &channel),
            Some(ChannelSpan { centre: 1.25, reach: 2.75 })
        );
        let given = ChannelRange::Angles { low: -1.0, high: 3.0 };
        assert_eq!(given.of_channel(angle, &channel), Some(ChannelSpan { centre: 1.0, reach: 2.0 }));
        assert_eq!(given.of_channel(Quantity::Height, &channel), None);
        for range in [ChannelRange::Own, ChannelRange::AboutMean] {
            assert_eq!(range.of_channel(angle, &[0.5; 9]), None, "frozen");
            assert_eq!(range.of_channel(angle, &[]), None);
            assert_eq!(range.of_channel(angle, &[2.0]), None);
        }
    }

    #[test]
    fn clips_of_no_frame_and_of_one_frame_are_left_as_they_are() {
        let clip = synthetic_walk(&WalkerOptions::default()).take.clip;
        for n in [0, 1] {
            let mut curves = Curves::read(&clip.with_poses(clip.poses().slice(0..n)));
            let before = curves.clone();
            let all = Selection::everything(&clip.skeleton);
            shape_channels(&mut curves, &all, &named_shape("bump", None).unwrap(), &ShapeOptions::default()).unwrap();
            assert_eq!(curves, before);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn hard_limits_are_never_exceeded(
            points in prop::collection::vec((0.05..0.6f64, -4.0..4.0f64), 1..8),
            (low, high) in (-0.9..0.0f64, 0.0..0.9f64),
            drive in -3.0..3.0f64,
            (centre, reach) in (-10.0..10.0f64, 0.01..10.0f64),
        ) {
            let mut x = -1.2;
            let points = points.into_iter().map(|(gap, y)| { x += gap; ControlPoint::new(x, y) }).collect();
            let shape = Shape::through(points).unwrap().limited(Limits::hard(low, high)).unwrap();
            let mut channel: Vec<f64> = (0..400).map(|i| centre + reach * (i as f64 - 200.0) / 100.0).collect();
            shape_channel(&mut channel, ChannelSpan { centre, reach }, &shape, &amounts(400, drive, 1.0));
            for value in channel {
                prop_assert!(value >= centre + reach * low && value <= centre + reach * high, "{}", value);
            }
        }

        #[test]
        fn soft_limits_are_approached_smoothly(low in -2.0..0.0f64, room in 0.1..3.0f64, share in 0.05..0.5f64) {
            let high = low + room;
            let limits = Limits::soft(low, high, room * share);
            prop_assert!(limits.check().is_ok());
            let h = 1e-4;
            let mut before = limits.apply(low - 5.0);
            let mut slope_before = (limits.apply(low - 5.0 + h) - before) / h;
            for step in 1..=((room + 10.0) / h) as usize {
                let x = low - 5.0 + step as f64 * h;
                let y = limits.apply(x);
                let slope = (y - before) / h;
                prop_assert!(y >= low && y <= high);
                prop_assert!((-1e-9..=1.0 + 1e-9).contains(&slope), "{}", slope);
                prop_assert!((slope - slope_before).abs() < 20.0 * h / (room * share), "a corner at {}", x);
                if x > low + room * share && x < high - room * share {
                    prop_assert_eq!(y, x);
                }
                (before, slope_before) = (y, slope);
            }
        }
    }

    #[test]
    fn a_limit_caps_and_leaves_the_rest_to_the_last_bit() {
        let shape = Shape::identity().limited(Limits::hard(-0.5, 0.25)).unwrap();
        let channel = wave(300);
        let mut shaped = channel.clone();
        shape_channel(&mut shaped, WHOLE, &shape, &amounts(300, 1.0, 1.0));
        for (before, after) in channel.iter().zip(&shaped) {
            assert_eq!(*after, before.clamp(-0.5, 0.25));
        }
    }

    #[test]
    fn shapes_of_the_library_are_finite_on_all_channels_of_a_walk() {
        for named in SHAPES {
            let mut curves = walk();
            let all = Selection::all(&curves.skeleton);
            let shape = named_shape(named.name, None).unwrap();
            shape_channels(&mut curves, &all, &shape, &ShapeOptions::default()).unwrap();
            for channel in 0..curves.tracks().len() {
                assert!(curves.channel(channel).iter().all(|value| value.is_finite()), "{}", named.name);
            }
            let track = Track { joint: curves.root(), quantity: Quantity::Heading };
            assert_eq!(curves.find(track).map(|channel| curves.channel(channel).to_vec()), {
                let before = walk();
                before.find(track).map(|channel| before.channel(channel).to_vec())
            });
        }
    }

    #[test]
    fn bad_options_name_their_field() {
        let mut curves = walk();
        let all = Selection::all(&curves.skeleton);
        let mut shape = |options: ShapeOptions| {
            shape_channels(&mut curves, &all, &Shape::identity(), &options).unwrap_err().to_string()
        };
        let range = ChannelRange::Angles { low: 1.0, high: 1.0 };
        assert!(shape(ShapeOptions { range, ..ShapeOptions::default() }).contains("range.low"));
        let range = ChannelRange::Lengths { low: f64::NAN, high: 1.0 };
        assert!(shape(ShapeOptions { range, ..ShapeOptions::default() }).contains("range.low"));
        let none = ShapeOptions { components: [false; 3], ..ShapeOptions::default() };
        assert!(shape(none).contains("components"));
        for limits in [Limits::hard(1.0, 0.0), Limits::hard(f64::NAN, 0.0)] {
            let error = Shape::identity().limited(limits).unwrap_err().to_string();
            assert!(error.contains("limits.low"), "{error}");
        }
        let wide = Limits { low: Some(Limit::soft(0.0, 3.0)), high: Some(Limit::hard(1.0)) };
        assert!(Shape::identity().limited(wide).unwrap_err().to_string().contains("no room"));
    }
}
