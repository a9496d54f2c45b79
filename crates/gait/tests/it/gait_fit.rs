//! Gaits fitted to takes: what is known by construction is found again.

use super::gait_checks::Figure;
use surefoot_contact::{Contacts, Take};
use surefoot_gait::{
    AttributeValue, ContactTiming, FitError, Gait, GaitFit, GaitOptions, LayOptions, RunTargets, StrideTargets, Style,
    fit_gaits, lay_steps,
};
use surefoot_motion::Poses;

const HEIGHT: f64 = 1.7;

/// A person who moves at a speed with some attributes.
fn style(gait: Gait, speed: f64, attributes: &[(&str, f64)]) -> Style {
    let stride = StrideTargets { speed: Some(speed), ..StrideTargets::default() };
    Style {
        height: HEIGHT,
        targets: RunTargets { stride, level: (gait == Gait::Run).then_some(0.8), ..RunTargets::default() },
        attributes: attributes.iter().map(|&(name, value)| (name.to_string(), value.into())).collect(),
        ..Style::natural(gait)
    }
}

fn take_of(style: &Style, n_steps: usize) -> Take {
    let figure = Figure::new(HEIGHT);
    let settings = style.settings(HEIGHT).unwrap();
    let options = LayOptions { n_steps: Some(n_steps), ..LayOptions::default() };
    let plan = lay_steps(figure.rig.proportions(), &settings, &options).unwrap();
    figure.follow(&plan, None, &GaitOptions { settings, frame_rate: 120.0, standing: 0.2 }).unwrap()
}

fn fit(style: &Style, timing: ContactTiming) -> GaitFit {
    let fits = fit_gaits(&take_of(style, 16), timing, "x").unwrap();
    fits.into_iter().find(|fit| fit.style.gait == style.gait).expect("its gait")
}

fn attribute(style: &Style, name: &str) -> f64 {
    match style.attributes.iter().find(|(set, _)| set == name) {
        Some((_, AttributeValue::Number(number))) => *number,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn parameters_and_attributes_of_a_made_gait_are_found_again() {
    let walk =
        [("arm-swing", 1.3), ("arm-out", 18.0), ("torso-tilt", 9.0), ("stride-width", 0.18), ("foot-angle", 15.0)];
    let run = [("arm-out", 25.0), ("torso-tilt", 14.0), ("elbow-min", 50.0), ("elbow-max", 80.0), ("overstride", 0.2)];
    for (made, nearly) in [(style(Gait::Walk, 1.3, &walk), 0.12), (style(Gait::Run, 3.0, &run), 0.12)] {
        let found = fit(&made, ContactTiming::Exact);
        let settings = made.settings(HEIGHT).unwrap();
        let (speed, length) = match made.gait {
            Gait::Walk => (settings.walk.parameters.speed, settings.walk.parameters.step_length),
            Gait::Run => (settings.run.parameters.speed, settings.run.parameters.step_length),
        };
        let targets = &found.style.targets.stride;
        assert!((targets.speed.unwrap() / speed - 1.0).abs() < 0.02, "{:?}", targets.speed);
        assert!((targets.step_length.unwrap() / length - 1.0).abs() < 0.02, "{:?}", targets.step_length);
        for (name, expected) in &made.attributes {
            let AttributeValue::Number(expected) = *expected else { continue };
            let got = attribute(&found.style, name);
            println!("{} {name}: {got:.3} of {expected}", made.gait);
            assert!(
                (got - expected).abs() < nearly * expected.abs(),
                "{} {name}: {got} instead of {expected}",
                made.gait
            );
        }
        for error in &found.errors {
            println!("{} {}: {:.3} -> {:.3}", made.gait, error.part, error.natural, error.fitted);
            assert!(error.fitted < 0.035, "{} {}: {} rad", made.gait, error.part, error.fitted);
        }
    }
}

#[test]
fn a_fit_is_never_further_from_the_recording_than_the_natural_gait() {
    for made in [style(Gait::Walk, 1.0, &[("bounciness", 1.6)]), style(Gait::Run, 3.6, &[("knee-swing", 115.0)])] {
        let found = fit(&made, ContactTiming::Detected);
        let sum = |of: fn(&surefoot_gait::PartError) -> f64| found.errors.iter().map(of).sum::<f64>();
        let (natural, fitted) = (sum(|error| error.natural), sum(|error| error.fitted));
        assert!(fitted <= natural, "{}: {fitted} against {natural}", made.gait);
    }
}

#[test]
fn a_fitted_person_moves_at_other_speeds_and_heights() {
    let found = fit(&style(Gait::Walk, 1.3, &[("arm-swing", 1.5)]), ContactTiming::Exact).style;
    for (speed, height) in [(0.7, 1.8), (1.9, 1.8), (1.2, 1.2)] {
        let targets = StrideTargets { speed: Some(speed), ..StrideTargets::default() };
        let (parameters, attributes) = found.apply_walk(targets, height).unwrap();
        assert!((parameters.speed - speed).abs() < 1e-9);
        assert!((attributes.arm_swing / 1.5 - 1.0).abs() < 0.15, "{}", attributes.arm_swing);
    }
}

#[test]
fn what_has_no_strides_is_refused_with_what_was_found() {
    let take = take_of(&style(Gait::Walk, 1.3, &[]), 4);
    let clip = take.clip.with_poses(Poses::repeat(take.clip.poses().pose(0), 300));
    let contacts = Contacts::none(300);
    let still = Take { clip, contacts, ..take };
    let error = fit_gaits(&still, ContactTiming::Detected, "still").unwrap_err();
    assert_eq!(error, FitError::NoStrides { n_walking: 0, n_running: 0, n_steady: 0 });
    assert!(error.to_string().contains("found 0 walking and 0 running steps"), "{error}");
}
