//! Several walks, or several runs, as one: the mean of their parameters, attributes and residual curves.
//!
//! 1. Every style is brought to the first one's height: lengths grow with the person, speeds with the root of that.
//! 2. Speed, step length and level are averaged as the styles are applied, so that a style that leaves one open counts with the natural value.
//! 3. An attribute that any of them sets is averaged, with the natural value for those that do not. The first of the
//!    heaviest gives how the foot strikes.
//! 4. Curves are averaged at the common speed; who has none counts with the people's mean.

use super::attributes::{AttributeUnit, AttributeValue};
use super::equations::DEFAULT_HEIGHT;
use super::person_curves::PersonCurves;
use super::stride::StrideTargets;
use super::style::{Gait, Style, StyleError};

/// Why styles cannot be mixed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MixError {
    /// There is none, or their weights are not positive numbers.
    #[error("{name} has a weight of {weight}; each needs a finite weight above 0, such as 0.5")]
    Weight {
        /// Of the style.
        name: String,
        /// As given.
        weight: f64,
    },
    /// Nothing to mix.
    #[error("no style is given")]
    None,
    /// One of them cannot be applied.
    #[error(transparent)]
    Style(#[from] StyleError),
}

/// The mean of styles of one gait by their weights, which need not add up to 1.
pub fn mix_styles(styles: &[(Style, f64)]) -> Result<Style, MixError> {
    let Some((first, _)) = styles.first() else { return Err(MixError::None) };
    for (style, weight) in styles {
        if !(weight.is_finite() && *weight > 0.0) {
            return Err(MixError::Weight { name: style.name.clone(), weight: *weight });
        }
        if style.gait != first.gait {
            return Err(StyleError::OtherGait { name: style.name.clone(), gait: style.gait }.into());
        }
    }
    if styles.len() == 1 {
        return Ok(first.clone());
    }
    let (gait, height) = (first.gait, first.height);
    let total: f64 = styles.iter().map(|(_, weight)| weight).sum();
    let settings = styles.iter().map(|(style, _)| style.settings(height)).collect::<Result<Vec<_>, _>>()?;
    let weighted = || settings.iter().zip(styles).map(|(settings, (_, weight))| (settings, weight / total));
    let mean = |of: &dyn Fn(&super::GaitSettings) -> f64| weighted().map(|(all, share)| share * of(all)).sum::<f64>();
    let (speed, step_length) = match gait {
        Gait::Walk => (mean(&|all| all.walk.parameters.speed), mean(&|all| all.walk.parameters.step_length)),
        Gait::Run => (mean(&|all| all.run.parameters.speed), mean(&|all| all.run.parameters.step_length)),
    };
    let mut mixed = Style {
        name: styles.iter().map(|(style, _)| &*style.name).collect::<Vec<_>>().join("+"),
        what: "a mixture".to_string(),
        lock: first.lock,
        height,
        ..Style::natural(gait)
    };
    mixed.targets.stride = StrideTargets { speed: Some(speed), step_length: Some(step_length), cadence: None };
    if gait == Gait::Run {
        mixed.targets.level = Some(mean(&|all| all.run.parameters.level));
    }
    let value = |all: &super::GaitSettings, name: &str| match gait {
        Gait::Walk => all.walk.attributes.get(name).ok(),
        Gait::Run => all.run.attributes.get(name).ok(),
    };
    for info in gait.catalogue() {
        if !styles.iter().any(|(style, _)| style.attributes.iter().any(|(name, _)| name == info.name)) {
            continue;
        }
        let mixed_value = if info.unit == AttributeUnit::Strike {
            let heaviest =
                weighted().fold(None, |most: Option<(&super::GaitSettings, f64)>, (all, share)| match most {
                    Some((_, weight)) if weight >= share => most,
                    _ => Some((all, share)),
                });
            heaviest.and_then(|(all, _)| value(all, info.name))
        } else {
            let number = mean(&|all| match value(all, info.name) {
                Some(AttributeValue::Number(number)) => number,
                _ => 0.0,
            });
            Some(AttributeValue::Number(number))
        };
        mixed.attributes.extend(mixed_value.map(|value| (info.name.to_string(), value)));
    }
    if styles.iter().any(|(style, _)| style.curves.is_some()) {
        let speed = speed * (DEFAULT_HEIGHT / height).sqrt();
        let own = |style: &Style| style.curves.unwrap_or_else(|| PersonCurves::mean(gait, speed));
        let curves: Vec<_> = styles.iter().map(|(style, weight)| (own(style), *weight)).collect();
        mixed.curves = Some(PersonCurves::mixed(gait, speed, &curves));
    }
    mixed.check()?;
    Ok(mixed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RunTargets, Strike};

    fn walk(kmh: f64, arm_swing: f64) -> Style {
        let stride = StrideTargets { speed: Some(kmh / 3.6), ..StrideTargets::default() };
        Style {
            name: format!("at{kmh}"),
            targets: RunTargets { stride, ..RunTargets::default() },
            attributes: vec![("arm-swing".to_string(), arm_swing.into())],
            ..Style::natural(Gait::Walk)
        }
    }

    #[test]
    fn half_of_each_is_between_both() {
        let mixed = mix_styles(&[(walk(4.0, 1.0), 0.5), (walk(6.0, 0.4), 0.5)]).unwrap();
        assert!((mixed.targets.stride.speed.unwrap() * 3.6 - 5.0).abs() < 1e-9);
        assert_eq!(mixed.attributes.len(), 1);
        let AttributeValue::Number(swing) = mixed.attributes[0].1 else { panic!("a number") };
        assert!((swing - 0.7).abs() < 1e-9);
        assert_eq!(mixed.name, "at4+at6");
        assert!(mixed.curves.is_none());
    }

    #[test]
    fn who_does_not_set_an_attribute_counts_with_the_natural_one() {
        let mixed = mix_styles(&[(walk(5.0, 1.6), 3.0), (Style::natural(Gait::Walk), 1.0)]).unwrap();
        let AttributeValue::Number(swing) = mixed.attributes[0].1 else { panic!("a number") };
        assert!((swing - 1.4).abs() < 1e-9, "{swing}");
    }

    #[test]
    fn curves_are_mixed_with_the_mean_of_those_who_have_none() {
        let mut values = PersonCurves::mean(Gait::Walk, 5.0 / 3.6).values();
        values[0][0] += 4.0;
        let own = Style { curves: PersonCurves::new(5.0 / 3.6, &values), ..walk(5.0, 0.8) };
        let mixed = mix_styles(&[(own.clone(), 1.0), (walk(5.0, 0.8), 1.0)]).unwrap();
        let (found, mean) = (mixed.curves.unwrap().values(), PersonCurves::mean(Gait::Walk, 5.0 / 3.6).values());
        assert!((found[0][0] - mean[0][0] - 2.0).abs() < 0.03, "{} {}", found[0][0], mean[0][0]);
        assert_eq!(mix_styles(&[(own.clone(), 0.3)]).unwrap(), own);
    }

    #[test]
    fn what_cannot_be_mixed_is_reported() {
        let run = Style { attributes: vec![("strike".to_string(), Strike::Toe.into())], ..Style::natural(Gait::Run) };
        let error = mix_styles(&[(walk(5.0, 1.0), 1.0), (run, 1.0)]).unwrap_err().to_string();
        assert!(error.contains("is a run, not a walk"), "{error}");
        for weight in [0.0, -1.0, f64::NAN] {
            let error = mix_styles(&[(walk(5.0, 1.0), 1.0), (walk(4.0, 1.0), weight)]).unwrap_err().to_string();
            assert!(error.contains("above 0"), "{error}");
        }
        assert_eq!(mix_styles(&[]), Err(MixError::None));
    }
}
