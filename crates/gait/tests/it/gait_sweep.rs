//! Any parameters and attributes within their ranges make a motion that keeps every promise.

use crate::gait_checks::{Figure, Seen, Watch, Worst, quantiles, random_direction, random_settings};
use surefoot_contact::{FootPart, FootPlan, Take};
use surefoot_gait::{Gait, GaitOptions, GaitSettings, LayOptions, lay_steps};
use surefoot_geom::Random;
use surefoot_motion::Side;

/// Settings of each test; there are four tests.
const N_SETTINGS: u64 = 600;
/// Fastest turn of a joint in degrees a second: this, and so much more for each step a second. Natural walks have 750, natural runs 900,
/// and sprinters' knees 1,200.
const MAX_TURN: (f64, f64) = (3500.0, 900.0);

struct Case {
    height: f64,
    settings: GaitSettings,
    turn: f64,
    direction: f64,
    n_steps: usize,
    frame_rate: f64,
    first: Side,
}

impl Case {
    fn new(seed: u64, gait: Gait) -> Case {
        let random = &mut Random::new(seed);
        let height = random.range(1.2, 2.1);
        let mut settings = random_settings(random, height);
        settings.gait = gait;
        let turn = if random.chance(0.5) { random.range(-0.5, 0.5) } else { 0.0 };
        let direction = if gait == Gait::Walk { random_direction(random) } else { 0.0 };
        let first = if random.chance(0.5) { Side::Left } else { Side::Right };
        Case {
            height,
            settings,
            turn,
            direction,
            n_steps: 6 + random.index(3),
            frame_rate: random.range(30.0, 120.0),
            first,
        }
    }

    fn cadence(&self) -> f64 {
        match self.settings.gait {
            Gait::Walk => self.settings.walk.parameters.cadence,
            Gait::Run => self.settings.run.parameters.cadence,
        }
    }

    fn play(&self, figure: &Figure) -> Result<(FootPlan, Take), String> {
        let options = LayOptions {
            n_steps: Some(self.n_steps),
            turn: self.turn,
            direction: self.direction,
            first: self.first,
            ..LayOptions::default()
        };
        let plan = lay_steps(figure.rig.proportions(), &self.settings, &options).expect("a plan");
        let follow = GaitOptions { settings: self.settings, frame_rate: self.frame_rate, standing: 0.05 };
        let take = figure.follow(&plan, None, &follow);
        take.map(|take| (plan, take)).map_err(|error| error.to_string())
    }
}

/// Every footprint is met, in order.
fn missed_footprint(plan: &FootPlan, take: &Take) -> Option<usize> {
    for side in Side::BOTH {
        let mut balls = take.contacts.plants[side].iter().filter(|plant| plant.part == FootPart::Ball);
        for (index, print) in plan.footprints.iter().enumerate().filter(|(_, print)| print.side == side) {
            if !balls.any(|plant| plant.position.distance(print.position) < 1e-9) {
                return Some(index);
            }
        }
    }
    None
}

fn sweep(gait: Gait, seeds: std::ops::Range<u64>) {
    let n_settings = (seeds.end - seeds.start) as usize;
    let (mut failures, mut refused) = (Vec::new(), Vec::new());
    let mut all: Vec<(u64, Seen)> = Vec::new();
    for seed in seeds {
        let case = Case::new(seed, gait);
        let figure = Figure::new(case.height);
        let (plan, take) = match case.play(&figure) {
            Ok(played) => played,
            Err(error) => {
                refused.push(format!("seed {seed}: {error}"));
                continue;
            }
        };
        let seen = Watch::take(&figure, None, &take);
        let mut broken = seen.broken();
        if let Some(index) = missed_footprint(&plan, &take) {
            broken.push(format!("footprint {} is not stood on", index + 1));
        }
        if seen.spin.value > MAX_TURN.0 + MAX_TURN.1 * case.cadence() {
            let Worst { value, frame, place } = &seen.spin;
            broken.push(format!("{place} turns by {value:.0} deg/s in frame {frame}"));
        }
        if gait == Gait::Walk && seen.n_in_air > 0 {
            broken.push(format!("{} frames of a walk in the air", seen.n_in_air));
        }
        let flight = case.settings.run.parameters.natural_flight_time();
        if gait == Gait::Run && seen.n_in_air == 0 && flight > 2.0 / case.frame_rate {
            broken.push("a run without flights".to_string());
        }
        if !broken.is_empty() {
            failures.push(format!("seed {seed}: {}", broken.join("; ")));
        }
        all.push((seed, seen));
    }
    report(gait, &all);
    for refusal in refused.iter().take(5) {
        println!("refused: {refusal}");
    }
    println!("{} of {n_settings} refused, {} failed", refused.len(), failures.len());
    assert!(refused.len() * 50 <= n_settings, "{} of {n_settings} refused, such as {}", refused.len(), refused[0]);
    assert!(failures.is_empty(), "{} of {n_settings} failed:\n{}", failures.len(), failures.join("\n"));
}

/// For whoever looks, with `--nocapture`: how lively the motions are, and which most.
fn report(gait: Gait, all: &[(u64, Seen)]) {
    type Row = fn(&Seen) -> &Worst;
    let rows: [(&str, Row); 8] = [
        ("slid, m", |seen| &seen.slid),
        ("sunk, m", |seen| &seen.sunk),
        ("wrong way, deg", |seen| &seen.wrong_direction),
        ("flexion, deg", |seen| &seen.flexion),
        ("turn, deg/s", |seen| &seen.spin),
        ("joint, m/s", |seen| &seen.speed),
        ("pelvis, m/s2", |seen| &seen.acceleration),
        ("jolt, m/s", |seen| &seen.jolt),
    ];
    for (name, row) in rows {
        let values = all.iter().map(|(_, seen)| row(seen).value).collect();
        println!("{gait:?} {name}: {}", quantiles(values));
        let mut order: Vec<&(u64, Seen)> = all.iter().collect();
        order.sort_by(|a, b| row(&b.1).value.total_cmp(&row(&a.1).value));
        for (seed, seen) in order.into_iter().take(4) {
            let worst = row(seen);
            println!("    seed {seed}: {:.4e} {} frame {} of {}", worst.value, worst.place, worst.frame, seen.n_frames);
        }
    }
}

#[test]
fn walks_keep_their_promises() {
    sweep(Gait::Walk, 0..N_SETTINGS);
}

#[test]
fn more_walks_keep_their_promises() {
    sweep(Gait::Walk, N_SETTINGS..2 * N_SETTINGS);
}

#[test]
fn runs_keep_their_promises() {
    sweep(Gait::Run, 10_000..10_000 + N_SETTINGS);
}

#[test]
fn more_runs_keep_their_promises() {
    sweep(Gait::Run, 10_000 + N_SETTINGS..10_000 + 2 * N_SETTINGS);
}
