//! The plots of gait: hip-knee diagrams of takes, and how its parameters hang together by GAIT's equations.

use serde::{Deserialize, Serialize};
use surefoot_contact::Take;
use surefoot_gait::{
    LegAngles, StrideCycle, equations::DEFAULT_HEIGHT, equations::flight_time, equations::run_norm_speed,
    equations::run_step_length, equations::walk_step_length,
};
use surefoot_gait::{mean_cycle, steady_cycles, stride_cycles};
use surefoot_picture::{Chart, Curve, Dash, NamedCycle, hip_knee_plot, relations_plot};

/// The hip-knee diagram of takes laid over each other, each the mean of its strides at a steady pace, as an SVG file. Takes
/// without a stride or a step are left out; `None` if that leaves none.
pub fn plot_hip_knee(title: &str, takes: &[(&str, &Take)]) -> Option<String> {
    let cycles = takes.iter().filter_map(|(name, take)| {
        let cycle = cycle_of(take)?;
        Some((format!("{name}, {:.1} km/h", cycle.speed * KM_PER_HOUR), cycle))
    });
    let cycles: Vec<_> = cycles.collect();
    let named = cycles.iter().map(|(name, cycle)| NamedCycle { name: name.clone(), cycle, dash: Dash::Solid });
    (!cycles.is_empty()).then(|| hip_knee_plot(title, &named.collect::<Vec<_>>()))
}

/// The mean of a take's strides at a steady pace; `None` without a stride or a step.
fn cycle_of(take: &Take) -> Option<StrideCycle> {
    mean_cycle(&steady_cycles(&stride_cycles(take)))
}

/// A hip-knee diagram as numbers: the mean of the strides of one motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HipKneeReport {
    /// The motion's.
    pub name: String,
    /// Of the pelvis over the ground.
    pub speed_km_per_hour: f64,
    /// The thigh from the vertical, positive forward, at equal phases from heel strike to heel strike.
    pub hip_degrees: Vec<f64>,
    /// Bend of the knee at the same phases.
    pub knee_degrees: Vec<f64>,
    /// Phases of a right stride's events, 0 to 1, by GAIT's names.
    pub events: Vec<(String, f64)>,
}

impl HipKneeReport {
    /// Of a take; `None` without a stride or a step.
    pub fn of_take(name: &str, take: &Take) -> Option<HipKneeReport> {
        let cycle = cycle_of(take)?;
        let degrees = |of: fn(&LegAngles) -> f64| cycle.angles.iter().map(|at| of(at).to_degrees()).collect();
        Some(HipKneeReport {
            name: name.to_string(),
            speed_km_per_hour: cycle.speed * KM_PER_HOUR,
            hip_degrees: degrees(|at| at.hip),
            knee_degrees: degrees(|at| at.knee),
            events: cycle.events.named().into_iter().map(|(name, phase)| (name.to_string(), phase)).collect(),
        })
    }
}

const KM_PER_HOUR: f64 = 3.6;

/// Seconds in a minute: the paper's figures have metres and steps a minute.
const MINUTE: f64 = 60.0;

/// Heights of GAIT figures 4.13, 4.27 and 4.28, in metres.
const HEIGHTS: [f64; 3] = [1.7, DEFAULT_HEIGHT, 1.9];

/// Levels of expertise of figures 4.13 and 4.14, with the names that the paper gives them.
const LEVELS: [(f64, &str); 3] = [(-1.0, "poor"), (0.0, "average"), (1.0, "skilled")];

/// Speeds up to which the paper shows running and walking, in metres a second (400 and 200 m/min).
const FASTEST_RUN: f64 = 400.0 / MINUTE;
const FASTEST_WALK: f64 = 200.0 / MINUTE;

/// Points of a curve.
const N_POINTS: usize = 121;

/// How step length, speed, step frequency and flight hang together (GAIT figures 4.13, 4.14, 4.27 and 4.28), as an SVG file.
pub fn plot_gait_relations() -> String {
    relations_plot("Parameters of walking and running", &[run_steps(), flights(), speeds(), frequencies()])
}

/// Figure 4.13.
fn run_steps() -> Chart {
    let line = |name: String, height: f64, level: f64, colour: usize, dash: Dash| {
        let point = |speed: f64| [speed * MINUTE, run_step_length(speed, height, level)];
        curve(name, colour, dash, 0.0..=run_norm_speed(height, level).min(FASTEST_RUN), point)
    };
    let heights = HEIGHTS.iter().enumerate();
    let by_height = heights.map(|(index, &height)| line(format!("{height} m"), height, 0.0, index, Dash::Solid));
    let levels = LEVELS.iter().filter(|level| level.0 != 0.0).enumerate();
    let by_level = levels.map(|(index, &(level, name))| {
        line(format!("{DEFAULT_HEIGHT} m, {name}"), DEFAULT_HEIGHT, level, 3 + index, Dash::Dashed)
    });
    chart("Running: step length over speed", [SPEED, STEP_LENGTH], by_height.chain(by_level).collect())
}

/// Figure 4.14.
fn flights() -> Chart {
    let curves = LEVELS.iter().enumerate().map(|(index, &(level, name))| {
        let point = |cadence: f64| [cadence * MINUTE, flight_time(cadence, level)];
        curve(name.to_string(), index, Dash::Solid, 0.5..=250.0 / MINUTE, point)
    });
    chart("Running: flight over step frequency", [STEP_FREQUENCY, "flight, s"], curves.collect())
}

/// Figure 4.27.
fn speeds() -> Chart {
    chart("Step length over speed", [SPEED, STEP_LENGTH], both_gaits(|speed, _| speed * MINUTE))
}

/// Figure 4.28.
fn frequencies() -> Chart {
    let curves = both_gaits(|speed, step_length| speed / step_length * MINUTE);
    chart("Step length over step frequency", [STEP_FREQUENCY, STEP_LENGTH], curves)
}

const SPEED: &str = "speed, m/min";
const STEP_LENGTH: &str = "step length, m";
const STEP_FREQUENCY: &str = "step frequency, steps/min";

/// Step length in walking and running by people of three heights, over something that speed and step length give.
fn both_gaits(over: impl Fn(f64, f64) -> f64) -> Vec<Curve> {
    let walks = HEIGHTS.iter().enumerate().map(|(index, &height)| {
        let point = |speed: f64| {
            let step_length = walk_step_length(speed, height);
            [over(speed, step_length), step_length]
        };
        curve(format!("walk, {height} m"), index, Dash::Solid, SLOWEST..=FASTEST_WALK, point)
    });
    let runs = HEIGHTS.iter().enumerate().map(|(index, &height)| {
        let point = |speed: f64| {
            let step_length = run_step_length(speed, height, 0.0);
            [over(speed, step_length), step_length]
        };
        curve(format!("run, {height} m"), index, Dash::Dashed, SLOWEST..=FASTEST_RUN, point)
    });
    walks.chain(runs).collect()
}

/// Where curves begin that divide by step length, in metres a second.
const SLOWEST: f64 = 0.05;

fn curve(
    name: String,
    colour: usize,
    dash: Dash,
    range: std::ops::RangeInclusive<f64>,
    point: impl Fn(f64) -> [f64; 2],
) -> Curve {
    let (from, to) = range.into_inner();
    let at = |index: usize| point(from + (to - from) * index as f64 / (N_POINTS - 1) as f64);
    Curve { name, points: (0..N_POINTS).map(at).collect(), colour, dash }
}

fn chart(title: &str, [x, y]: [&str; 2], curves: Vec<Curve>) -> Chart {
    Chart { title: title.to_string(), x: x.to_string(), y: y.to_string(), curves }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_contact::{WalkerOptions, synthetic_walk};
    use surefoot_gait::equations::walk_cadence;

    #[test]
    fn relations_are_those_of_the_paper() {
        // Figure 4.13: at 400 m/min and 1.8 m, sl = 0.13944 + 0.00465 x 400.
        let middle = &run_steps().curves[1].points[N_POINTS - 1];
        assert!((middle[0] - 400.0).abs() < 1e-9 && (middle[1] - 1.99944).abs() < 1e-9, "{middle:?}");
        // Figure 4.14: skilled runners fly longest at every frequency.
        let flights = flights();
        for (poor, skilled) in flights.curves[0].points.iter().zip(&flights.curves[2].points) {
            assert!(poor[1] <= skilled[1], "{poor:?} {skilled:?}");
        }
        // Figure 4.27: up to 180 m/min a change from walking to running shortens the step (Nilsson), at higher speeds no more.
        for height in HEIGHTS {
            let is_longer_walking =
                |speed: f64| walk_step_length(speed / MINUTE, height) > run_step_length(speed / MINUTE, height, 0.0);
            assert!([60.0, 120.0, 180.0].into_iter().all(is_longer_walking) && !is_longer_walking(300.0), "{height}");
        }
        // Figure 4.28: the frequency of walking is proportional to its step length (eq. 4.2).
        for point in &frequencies().curves[1].points {
            assert!((point[0] / MINUTE - walk_cadence(point[1], DEFAULT_HEIGHT)).abs() < 1e-9, "{point:?}");
        }
        let page = plot_gait_relations();
        assert_eq!(page, plot_gait_relations());
        assert!(!page.contains("NaN") && page.contains("run, 1.9 m"));
    }

    #[test]
    fn takes_are_named_with_their_speeds() {
        let options = WalkerOptions::default();
        let walk = synthetic_walk(&options);
        let page = plot_hip_knee("A walk", &[("walk", &walk.take)]).expect("strides");
        assert!(page.contains(&format!("walk, {:.1} km/h", options.speed() * KM_PER_HOUR)));
        let standing = synthetic_walk(&WalkerOptions { n_steps: 0, ..options });
        assert_eq!(plot_hip_knee("Nobody walks", &[("stand", &standing.take)]), None);
    }
}
