//! Decides when an animation begins and ends, and at which rate to sample it.
//!
//! What a file declares is often wrong: the range may be the scene's with the motion in a part of it, the rate may be
//! the program's while the curves were sampled at the recording's. The keys tell the truth:
//!
//! 1. The motion lasts from the first key of any joint to the last, cut to the declared range where the two overlap.
//! 2. If the keys of the curve that has most of them are evenly spaced, they were sampled, and their rate is the
//!    motion's. Where that rate is lower than the declared one and the curve bends between its keys, someone set the
//!    keys by hand, and the declared rate is taken.

use super::joints::JointNodes;
use std::collections::HashSet;
use surefoot_geom::median;
use ufbx::{AnimCurve, AnimStack, Interpolation};

/// Fewer keys than this do not prove that a curve was sampled.
const SAMPLED_KEYS: usize = 8;
/// Share of the gaps between keys that must be alike: sampling programs drop single keys, people set few alike.
const SAMPLED_SHARE: f64 = 0.9;
/// How far gaps may be from one another and still be alike; times are kept in 1/46186158000 s, some writers round to
/// 1/1000 s.
const GAP_SLACK: f64 = 0.02;
/// A sampled rate this close to a whole number is that number.
const RATE_SLACK: f64 = 1e-3;
/// Rates that no recording of people has; outside, the declared rate is taken.
const SENSIBLE_RATES: std::ops::RangeInclusive<f64> = 5.0..=2000.0;

/// What the keys of an animation say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Keys {
    /// The time of the first key, in seconds.
    pub(super) first: f64,
    /// The time of the last key.
    pub(super) last: f64,
    /// The rate that the curves were sampled at.
    pub(super) rate: Option<SampledRate>,
}

/// A rate found from the spacing of keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SampledRate {
    pub(super) rate: f64,
    /// Whether the curve is straight between keys, so that sampling at the keys loses nothing.
    pub(super) is_straight: bool,
}

/// Looks at the keys that move the joints or what they hang on; `None` if there are none.
pub(super) fn look_at_keys(stack: &AnimStack, joints: &JointNodes<'_>) -> Option<Keys> {
    let moving: HashSet<u32> = joints.nodes.iter().map(|placed| placed.node.element.element_id).collect();
    let mut densest: Option<&AnimCurve> = None;
    let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
    for layer in &stack.layers {
        for property in &layer.anim_props {
            // Others (`Visibility`, properties of users) move nothing.
            let is_transform = property.prop_name.starts_with("Lcl ");
            if !is_transform || !moving.contains(&property.element.element_id) {
                continue;
            }
            for curve in property.anim_value.curves.iter().flatten() {
                let (Some(begin), Some(end)) = (curve.keyframes.first(), curve.keyframes.last()) else { continue };
                (first, last) = (first.min(begin.time), last.max(end.time));
                if densest.is_none_or(|densest| curve.keyframes.len() > densest.keyframes.len()) {
                    densest = Some(curve);
                }
            }
        }
    }
    let range_is_sane = first.is_finite() && last.is_finite() && first <= last;
    densest.filter(|_| range_is_sane).map(|curve| Keys { first, last, rate: sampled_rate(curve) })
}

fn sampled_rate(curve: &AnimCurve) -> Option<SampledRate> {
    let keys = &curve.keyframes;
    if keys.len() < SAMPLED_KEYS {
        return None;
    }
    let mut gaps: Vec<f64> = keys.windows(2).map(|pair| pair[1].time - pair[0].time).collect();
    let usual = median(&mut gaps)?;
    let alike = gaps.iter().filter(|gap| (*gap - usual).abs() <= GAP_SLACK * usual).count();
    if usual.is_nan() || usual <= 0.0 || (alike as f64) < SAMPLED_SHARE * gaps.len() as f64 {
        return None;
    }
    // The mean of the gaps that are alike, not their median: writers that round times to 1/1000 s round it out.
    let even = gaps.iter().filter(|gap| (*gap - usual).abs() <= GAP_SLACK * usual);
    let rate = snap_rate(alike as f64 / even.sum::<f64>());
    let is_straight = keys.iter().all(|key| key.interpolation != Interpolation::Cubic);
    SENSIBLE_RATES.contains(&rate).then_some(SampledRate { rate, is_straight })
}

/// A rate as people name it: whole, or a whole one slowed for television.
fn snap_rate(rate: f64) -> f64 {
    let television = (rate * 1.001).round() / 1.001;
    let candidates = [rate.round(), television];
    let nearest =
        if (candidates[0] - rate).abs() <= (candidates[1] - rate).abs() { candidates[0] } else { candidates[1] };
    if (nearest - rate).abs() <= RATE_SLACK * rate { nearest } else { rate }
}

/// The rate to sample at: requested, or found from the keys, or declared.
pub(super) fn choose_rate(asked: Option<f64>, keys: Option<&Keys>, declared: f64) -> f64 {
    let declared = if SENSIBLE_RATES.contains(&declared) { declared } else { DEFAULT_RATE };
    let sampled = keys.and_then(|keys| keys.rate);
    let from_keys = sampled.filter(|sampled| sampled.is_straight || sampled.rate >= declared * (1.0 - RATE_SLACK));
    asked.unwrap_or_else(|| from_keys.map_or(declared, |sampled| sampled.rate))
}

/// What FBX programs take where a file says nothing.
const DEFAULT_RATE: f64 = 30.0;

/// The part of the keys' time that the declared range holds, or all of it where the two are apart or the range is void.
pub(super) fn choose_range(keys: &Keys, declared: (f64, f64)) -> (f64, f64) {
    let (begin, end) = (keys.first.max(declared.0), keys.last.min(declared.1));
    // Half open at neither end: a range of one moment is a pose, which a file with more keys does not mean.
    if begin.is_finite() && end.is_finite() && begin < end { (begin, end) } else { (keys.first, keys.last) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_snap_to_names_and_unusual_ones_stay() {
        for (found, named) in [(23.99999, 24.0), (119.98, 120.0), (29.97003, 30.0 / 1.001), (59.9401, 60.0 / 1.001)] {
            assert!((snap_rate(found) - named).abs() < 1e-9, "{found}: {}", snap_rate(found));
        }
        assert_eq!(snap_rate(12.4), 12.4);
    }

    #[test]
    fn sampled_keys_beat_the_declared_rate_and_keys_set_by_hand_do_not() {
        let keys = |rate, is_straight| Keys { first: 0.0, last: 1.0, rate: Some(SampledRate { rate, is_straight }) };
        assert_eq!(choose_rate(None, Some(&keys(120.0, false)), 30.0), 120.0);
        assert_eq!(choose_rate(None, Some(&keys(24.0, true)), 30.0), 24.0);
        assert_eq!(choose_rate(None, Some(&keys(6.0, false)), 30.0), 30.0);
        assert_eq!(choose_rate(None, None, 0.0), DEFAULT_RATE);
        assert_eq!(choose_rate(Some(60.0), Some(&keys(120.0, false)), 30.0), 60.0);
    }

    #[test]
    fn the_declared_range_cuts_only_where_it_meets_the_keys() {
        let keys = Keys { first: 1.0, last: 3.0, rate: None };
        assert_eq!(choose_range(&keys, (0.0, 10.0)), (1.0, 3.0));
        assert_eq!(choose_range(&keys, (0.0, 2.0)), (1.0, 2.0));
        assert_eq!(choose_range(&keys, (5.0, 9.0)), (1.0, 3.0));
        assert_eq!(choose_range(&keys, (0.0, 0.0)), (1.0, 3.0));
        assert_eq!(choose_range(&keys, (f64::NAN, f64::NAN)), (1.0, 3.0));
    }
}
