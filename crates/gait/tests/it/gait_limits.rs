//! Each parameter and attribute alone at the ends of its range, all else natural.

use crate::gait_checks::{Figure, Watch};
use surefoot_gait::{
    AttributeUnit, AttributeValue, Gait, GaitOptions, GaitSettings, LayOptions, RunAttributes, RunOverrides,
    RunParameters, RunSettings, RunTargets, StrideTargets, Strike, WalkAttributes, WalkParameters, lay_steps,
};

const HEIGHT: f64 = 1.8;

fn look(name: &str, settings: &GaitSettings, options: &LayOptions<'_>, broken: &mut Vec<String>) {
    let figure = Figure::new(HEIGHT);
    let plan = lay_steps(figure.rig.proportions(), settings, options).expect("a plan");
    let follow = GaitOptions { settings: *settings, frame_rate: 240.0, standing: 0.2 };
    match figure.follow(&plan, None, &follow) {
        Err(error) => {
            println!("{name:40} REFUSED {error}");
            broken.push(format!("{name}: {error}"));
        }
        Ok(take) => {
            let seen = Watch::take(&figure, None, &take);
            println!("{name:40} {}", seen.row());
            broken.extend(seen.broken().into_iter().map(|what| format!("{name}: {what}")));
        }
    }
}

fn straight() -> LayOptions<'static> {
    LayOptions { n_steps: Some(8), ..LayOptions::default() }
}

#[test]
fn each_walking_attribute_can_go_to_its_limits() {
    let mut broken = Vec::new();
    let natural = GaitSettings::natural(Gait::Walk, HEIGHT);
    look("natural walk", &natural, &straight(), &mut broken);
    for info in WalkAttributes::catalogue() {
        for (end, value) in [("min", info.range.min), ("max", info.range.max)] {
            let mut settings = natural;
            settings.walk.attributes.set(info.name, value).unwrap();
            look(&format!("walk {} {end} {value}", info.name), &settings, &straight(), &mut broken);
        }
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn each_running_attribute_can_go_to_its_limits() {
    let mut broken = Vec::new();
    let natural = GaitSettings::natural(Gait::Run, HEIGHT);
    look("natural run", &natural, &straight(), &mut broken);
    for info in RunAttributes::catalogue() {
        let values = match info.unit {
            AttributeUnit::Strike => [AttributeValue::from(Strike::Toe); 2],
            _ => [info.range.min.into(), info.range.max.into()],
        };
        for (end, value) in ["min", "max"].into_iter().zip(values) {
            let mut settings = natural;
            settings.run.attributes.set(info.name, value).unwrap();
            look(&format!("run {} {end} {value}", info.name), &settings, &straight(), &mut broken);
        }
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn walks_go_at_every_speed_and_step() {
    let mut broken = Vec::new();
    let ranges = WalkParameters::ranges(HEIGHT);
    let mut settings = GaitSettings::natural(Gait::Walk, HEIGHT);
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let speed = ranges.speed.min + share * (ranges.speed.max - ranges.speed.min);
        settings.walk.parameters = WalkParameters::from_speed(speed, HEIGHT).unwrap();
        look(&format!("walk {:.1} km/h", speed * 3.6), &settings, &straight(), &mut broken);
    }
    for length in [ranges.step_length.min, ranges.step_length.max] {
        for cadence in [ranges.cadence.min, ranges.cadence.max] {
            let targets =
                StrideTargets { step_length: Some(length), cadence: Some(cadence), ..StrideTargets::default() };
            let Ok(parameters) = WalkParameters::solve(targets, None, None, HEIGHT) else { continue };
            settings.walk.parameters = parameters;
            look(&format!("walk {length:.2} m, {cadence:.2} /s"), &settings, &straight(), &mut broken);
        }
    }
    settings = GaitSettings::natural(Gait::Walk, HEIGHT);
    for degrees in [10.0_f64, 30.0, 60.0] {
        let options = LayOptions { turn: degrees.to_radians(), ..straight() };
        look(&format!("walk turning {degrees}"), &settings, &options, &mut broken);
    }
    for degrees in [45.0_f64, 90.0, 135.0, 180.0] {
        for share in [0.3, 0.5, 1.0] {
            let options = LayOptions { direction: degrees.to_radians(), ..straight() };
            let mut settings = settings;
            settings.walk.parameters.step_length *= share;
            look(&format!("walk toward {degrees}, step x {share}"), &settings, &options, &mut broken);
        }
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn runs_go_at_every_speed_and_step() {
    let mut broken = Vec::new();
    let mut settings = GaitSettings::natural(Gait::Run, HEIGHT);
    let set = |settings: &mut GaitSettings, parameters: RunParameters| {
        settings.run = RunSettings { parameters, attributes: RunOverrides::default().resolve(&parameters, HEIGHT) };
    };
    for level in [-1.0, 0.0, 1.0] {
        let ranges = RunParameters::ranges(HEIGHT, level);
        for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let speed = ranges.speed.min + share * (ranges.speed.max - ranges.speed.min);
            set(&mut settings, RunParameters::from_speed(speed, HEIGHT, level).unwrap());
            look(&format!("run {:.1} km/h level {level}", speed * 3.6), &settings, &straight(), &mut broken);
        }
        for length in [ranges.step_length.min, ranges.step_length.max] {
            for cadence in [ranges.cadence.min, ranges.cadence.max] {
                let stride =
                    StrideTargets { step_length: Some(length), cadence: Some(cadence), ..StrideTargets::default() };
                let targets = RunTargets { stride, level: Some(level), flight_height: None };
                let Ok(parameters) = RunParameters::solve(targets, None, None, HEIGHT) else { continue };
                set(&mut settings, parameters);
                look(
                    &format!("run {length:.2} m, {cadence:.2} /s, level {level}"),
                    &settings,
                    &straight(),
                    &mut broken,
                );
            }
        }
    }
    for share in [0.0, 0.5, 1.0] {
        let mut parameters = RunParameters::from_speed(12.0 / 3.6, HEIGHT, 0.0).unwrap();
        let height = share * RunParameters::flight_heights(parameters.cadence).max;
        parameters.flight_height = Some(height);
        set(&mut settings, parameters);
        look(&format!("run, flights {height:.3} m"), &settings, &straight(), &mut broken);
    }
    settings = GaitSettings::natural(Gait::Run, HEIGHT);
    for degrees in [10.0_f64, 30.0] {
        let options = LayOptions { turn: degrees.to_radians(), ..straight() };
        look(&format!("run turning {degrees}"), &settings, &options, &mut broken);
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn one_step_is_a_run_too() {
    let mut broken = Vec::new();
    for gait in [Gait::Walk, Gait::Run] {
        for n_steps in 1..4 {
            let options = LayOptions { n_steps: Some(n_steps), ..LayOptions::default() };
            let settings = GaitSettings::natural(gait, HEIGHT);
            look(&format!("{gait}, steps: {n_steps}"), &settings, &options, &mut broken);
        }
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

/// Seconds that a run with a given height of flight is in the air.
fn seconds_in_air(flight_height: f64) -> f64 {
    let figure = Figure::new(HEIGHT);
    let mut settings = GaitSettings::natural(Gait::Run, HEIGHT);
    settings.run.parameters.flight_height = Some(flight_height);
    let plan = lay_steps(figure.rig.proportions(), &settings, &straight()).expect("a plan");
    let follow = GaitOptions { settings, frame_rate: 240.0, standing: 0.2 };
    let take = figure.follow(&plan, None, &follow).unwrap();
    let is_planted = |frame: usize| {
        let mut plants = take.contacts.plants.iter().flat_map(|(_, plants)| plants);
        plants.any(|plant| plant.frames.contains(&frame))
    };
    (0..take.clip.n_frames()).filter(|&frame| !is_planted(frame)).count() as f64 / 240.0
}

#[test]
fn flights_of_no_height_are_those_of_hardly_any() {
    let (none, hardly) = (seconds_in_air(0.0), seconds_in_air(1e-6));
    assert!((none - hardly).abs() < 0.02, "{none} s against {hardly} s in the air");
}

/// How nearly a target height is met, in metres.
const NEARLY: f64 = 1.2e-3;

/// Between which heights the flights of a run's middle steps rise, in metres, as its frames show it: toe-off lies between the
/// last frame with a planted foot and the first that flies.
fn risen(settings: &GaitSettings, broken: &mut Vec<String>) -> Vec<[f64; 2]> {
    let figure = Figure::new(HEIGHT);
    let plan =
        lay_steps(figure.rig.proportions(), settings, &LayOptions { n_steps: Some(26), ..LayOptions::default() })
            .expect("a plan");
    let follow = GaitOptions { settings: *settings, frame_rate: 480.0, standing: 0.1 };
    let take = figure.follow(&plan, None, &follow).unwrap();
    broken.extend(Watch::take(&figure, None, &take).broken());
    let mut planted = vec![false; take.clip.n_frames()];
    for plant in take.contacts.plants.iter().flat_map(|(_, plants)| plants) {
        planted[plant.frames.clone()].fill(true);
    }
    let pelvis = figure.rig.body().pelvis.index();
    let height = |frame: usize| take.clip.pose(frame).local[pelvis].translation.y;
    let starts = (1..planted.len()).filter(|&frame| planted[frame - 1] && !planted[frame]);
    let flights: Vec<[f64; 2]> = starts
        .map(|start| {
            let frames = (start..planted.len()).take_while(|&frame| !planted[frame]);
            let top = frames.map(height).fold(height(start - 1), f64::max);
            [top - height(start), top - height(start - 1)]
        })
        .collect();
    let middle = flights.len() / 2;
    // And as they were planned.
    let planned = figure.synthesizer(&follow).planned_flights(&Default::default(), &plan).unwrap();
    assert_eq!(planned.len(), flights.len());
    for (flight, [low, high]) in planned.iter().zip(&flights).skip(middle - 1).take(2) {
        assert!((low - 1e-4..=high + 1e-4).contains(&flight.height), "{flight:?} {low} {high}");
    }
    flights[middle - 1..=middle].to_vec()
}

#[test]
fn flights_rise_as_high_as_asked() {
    let mut broken = Vec::new();
    for speed in [6.0, 8.0, 10.0, 12.0, 15.0, 18.0, 22.0] {
        let natural = RunParameters::from_speed(speed / 3.6, HEIGHT, 0.0).unwrap();
        let most = RunParameters::flight_heights(natural.cadence).max;
        let mut risen_to = |asked: f64| {
            let parameters = RunParameters { flight_height: Some(asked), ..natural };
            let attributes = RunOverrides::default().resolve(&parameters, HEIGHT);
            risen(
                &GaitSettings {
                    run: RunSettings { parameters, attributes },
                    ..GaitSettings::natural(Gait::Run, HEIGHT)
                },
                &mut broken,
            )
        };
        // Fast runs cannot fly lower than the leg behind lets them.
        let least = risen_to(0.0).iter().fold(0.0, |most: f64, [low, _]| most.max(*low));
        let mut missed = Vec::new();
        for share in [0.02, 0.1, 0.25, 0.5, 0.75, 1.0] {
            let asked = share * most;
            for [low, high] in risen_to(asked) {
                println!("{speed} km/h: asked {asked:.4} m, made {low:.4} to {high:.4} m, least {least:.4} m");
                let met = asked >= low - NEARLY && asked <= high + NEARLY;
                let lowest = asked < least + NEARLY && high >= asked && low <= least + NEARLY;
                if !met && !lowest {
                    missed.push(format!("{speed} km/h: asked {asked:.4} m, made {low:.4} to {high:.4} m"));
                }
            }
        }
        broken.extend(missed);
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}
